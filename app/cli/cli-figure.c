/* app/cli/cli-figure.c: figures and tables of many runs: `stickslip-cli figure`. What is drawn:
 * app/study/ssapp-chart.h. Tests: tests/cli/test-figure.sh */
#include "app/cli/cli-common.h"

#include "app/base/ssapp-metric.h"
#include "app/base/ssapp-text.h"
#include "app/session/ssapp-asked-runs.h"
#include "app/store/ssapp-store-study.h"
#include "app/study/ssapp-chart-export.h"
#include "app/study/ssapp-ignored.h"
#include "app/study/ssapp-study-page.h"
#include "app/study/ssapp-study-set.h"

#include <math.h>
#include <string.h>

static const double LEAST_WIDTH = 30., MOST_WIDTH = 500.; /* mm */

/* ---- which runs -------------------------------------------------------------------------------------------------- */

/* Whether a run has all parameters of --where; one that it does not say has none of those values. */
static gboolean
is_wanted (const CliArgs *args, const SsappRunRow *row)
{
  const GPtrArray *pairs = cli_args_list (args, "--where");
  const char *scenario = cli_args_text (args, "--scenario");
  gboolean is_it = scenario == NULL || strcmp (row->scenario_name, scenario) == 0;
  json_t *parameters = pairs->len > 0 ? json_loads (row->parameters_json, 0, NULL) : NULL;

  for (guint i = 0; is_it && i < pairs->len; i++) {
    const char *value;
    g_autofree char *name = NULL;
    double number = NAN;
    cli_args_split (g_ptr_array_index (pairs, i), &name, &value);
    const json_t *own = json_object_get (parameters, name);
    is_it = ss_parse_double (value, &number) && json_is_number (own) && json_number_value (own) == number;
  }
  json_decref (parameters);
  return is_it;
}

/* All runs of the project but other local solutions, which are no runs of their own; of --scenario and --where. */
static GPtrArray *
list_all (const CliArgs *args, SsappStore *store, const SsMetric *metrics, GError **error)
{
  g_autoptr (GPtrArray) all = ssapp_store_list_runs (store, metrics, SS_METRIC_COUNT, error);
  GPtrArray *rows;

  if (all == NULL)
    return NULL;
  rows = g_ptr_array_new_with_free_func ((GDestroyNotify)ssapp_run_row_free);
  while (all->len > 0) {
    SsappRunRow *row = g_ptr_array_steal_index (all, all->len - 1);
    if (*row->solution_of == '\0' && is_wanted (args, row))
      g_ptr_array_add (rows, row);
    else
      ssapp_run_row_free (row);
  }
  return rows;
}

/* It may be the one that was asked for. */
static gboolean
has_damaged_study (SsappStore *store)
{
  g_autoptr (GPtrArray) rows = ssapp_store_list_studies (store, NULL);
  gboolean is_damaged = FALSE;

  for (guint i = 0; rows != NULL && i < rows->len; i++)
    is_damaged = is_damaged || ((const SsappStudyRow *)g_ptr_array_index (rows, i))->is_damaged;
  return is_damaged;
}

static GPtrArray *
list_named (const CliArgs *args, SsappStore *store, GError **error)
{
  GPtrArray *rows = g_ptr_array_new_with_free_func ((GDestroyNotify)ssapp_run_row_free);

  for (int i = 0; i < cli_args_n_positional (args); i++) {
    SsappRunRow *row = ssapp_store_get_sound_run (store, cli_args_positional (args, i), error);
    if (row == NULL) {
      if (cli_args_n_positional (args) == 1)
        g_prefix_error (error, has_damaged_study (store)
                                   ? "no study is called so, but studies of this project are damaged (list --check); "
                                   : "no study is called so; ");
      g_ptr_array_unref (rows);
      return NULL;
    }
    for (guint k = 0; row != NULL && k < rows->len; k++) /* named twice: once */
      if (strcmp (((const SsappRunRow *)g_ptr_array_index (rows, k))->id, row->id) == 0)
        g_clear_pointer (&row, ssapp_run_row_free);
    if (row != NULL)
      g_ptr_array_add (rows, row);
  }
  return rows;
}

/* The rows of runs that answer the tasks, by task; NULL where there is none. Rows stay those of `all`. */
static const SsappRunRow **
rows_of_tasks (const SsappStudyTasks *tasks, GHashTable *runs, GPtrArray *all)
{
  g_autoptr (GHashTable) by_id = g_hash_table_new (g_str_hash, g_str_equal);
  const SsappRunRow **rows = g_new0 (const SsappRunRow *, ssapp_study_tasks_get_n (tasks) + 1);

  for (guint i = 0; i < all->len; i++)
    g_hash_table_insert (by_id, ((SsappRunRow *)g_ptr_array_index (all, i))->id, g_ptr_array_index (all, i));
  for (guint t = 0; t < ssapp_study_tasks_get_n (tasks); t++) {
    const char *id = g_hash_table_lookup (runs, ssapp_study_tasks_get_key (tasks, t));
    rows[t] = id != NULL ? g_hash_table_lookup (by_id, id) : NULL;
  }
  return rows;
}

/* All tasks of a study, also those that wait; `all` are the runs of the project, which outlive the set. *defined: the
 * study, also on failure; NULL: it cannot be read. */
static SsappRunSet *
read_study (SsappStore *store, const SsappStudyRow *row, const SsappInterests *interests, GPtrArray *all,
            SsappStudy **defined, GError **error)
{
  json_t *definition = json_loads (row->definition, 0, NULL);
  SsappStudy *study = *defined = ssapp_study_from_json (definition, error);

  json_decref (definition);
  if (study == NULL)
    return NULL;
  g_autoptr (GHashTable) runs = ssapp_store_list_study_runs (store, row->id, error);
  g_autoptr (GPtrArray) answering = runs != NULL ? ssapp_store_pick_study_rows (runs, all) : NULL;
  g_autofree char *lack = NULL;
  if (answering == NULL || !ssapp_interests_ask_runs (interests, answering, store, &lack, error))
    return NULL;
  g_autoptr (SsappStudyTasks) tasks = ssapp_study_tasks_new (study);
  ssapp_study_tasks_go_on (tasks, 0);
  if (ssapp_study_tasks_get_problem (tasks) != NULL) {
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED, "the study '%s' cannot be read: %s", row->title,
                 ssapp_study_tasks_get_problem (tasks));
    return NULL;
  }
  g_autofree const SsappRunRow **rows = rows_of_tasks (tasks, runs, all);
  SsappRunSet *set = ssapp_study_tasks_make_set (tasks, rows);
  set->lack = g_steal_pointer (&lack);
  return set;
}

/* The study that a single name means; NULL without error where it is none. */
static SsappStudyRow *
find_study (const CliArgs *args, SsappStore *store, GError **error)
{
  GError *local = NULL;
  SsappStudyRow *row =
      cli_args_n_positional (args) == 1 ? ssapp_store_get_study (store, cli_args_positional (args, 0), &local) : NULL;

  if (g_error_matches (local, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_DAMAGED))
    g_propagate_error (error, local);
  else
    g_clear_error (&local);
  return row;
}

/* `*all` is what the set borrows from; to be freed after it. *study: what it is of; NULL: no study. */
static SsappRunSet *
read_set (const CliArgs *args, SsappStore *store, const SsappInterests *interests, GPtrArray **all,
          SsappStudy **defined, GError **error)
{
  SsMetric metrics[SS_METRIC_COUNT];
  GPtrArray *rows;

  for (int i = 0; i < SS_METRIC_COUNT; i++)
    metrics[i] = (SsMetric)i;
  GError *local = NULL;
  SsappStudyRow *study = find_study (args, store, &local);
  if (local != NULL) {
    g_propagate_error (error, local);
    return NULL;
  }
  if (study != NULL) {
    *all = ssapp_store_list_runs (store, metrics, SS_METRIC_COUNT, error);
    SsappRunSet *set = *all != NULL ? read_study (store, study, interests, *all, defined, error) : NULL;
    ssapp_study_row_free (study);
    if (set != NULL)
      ssapp_run_set_tell_ignored (set, store);
    return set;
  }
  rows = cli_args_flag (args, "--all-of-project") ? list_all (args, store, metrics, error)
                                                  : list_named (args, store, error);
  g_autoptr (GHashTable) steps = rows != NULL ? ssapp_store_list_steps (store, error) : NULL;
  char *lack = NULL;
  if (steps == NULL || !ssapp_interests_ask_runs (interests, rows, store, &lack, error)) {
    g_clear_pointer (&rows, g_ptr_array_unref);
    return NULL;
  }
  SsappRunSet *set = ssapp_run_set_new_with_steps (rows, steps);
  set->lack = lack;
  ssapp_run_set_tell_ignored (set, store);
  return set;
}

/* ---- options ----------------------------------------------------------------------------------------------------- */

static int
fail_unknown (const char *what, const char *name, GPtrArray *names)
{
  const char *nearest = ss_nearest_name (name, (const char *const *)names->pdata, (int)names->len);

  if (nearest != NULL)
    return cli_fail ("there is no %s '%s'; did you mean '%s'?", what, name, nearest);
  g_ptr_array_add (names, NULL);
  g_autofree char *list = g_strjoinv (", ", (char **)names->pdata);
  return cli_fail ("there is no %s '%s' (expected %s)", what, name, *list != '\0' ? list : "none: nothing differs");
}

static int
read_metric (const CliArgs *args, const char *option, const SsappRunSet *set, SsMetric *metric)
{
  const char *name = cli_args_text (args, option);
  SsMetric found;

  if (name == NULL)
    return CLI_OK;
  found = ssapp_run_set_find_metric (set, name);
  if (found == SS_METRIC_COUNT) {
    g_autoptr (GPtrArray) names = g_ptr_array_new ();
    g_autoptr (GArray) outcomes = ssapp_run_set_list_outcomes (set);
    for (guint i = 0; i < outcomes->len; i++)
      g_ptr_array_add (names, (gpointer)ssapp_metric_spec (g_array_index (outcomes, SsMetric, i))->name);
    for (int i = 0; i < SS_METRIC_COUNT; i++)
      g_ptr_array_add (names, (gpointer)ss_metric_spec ((SsMetric)i)->name);
    const char *nearest = ss_nearest_name (name, (const char *const *)names->pdata, (int)names->len);
    return cli_fail ("there is no metric '%s'; %s%s`stickslip-cli methods --metrics` lists them", name,
                     nearest != NULL ? nearest : "", nearest != NULL ? " comes nearest; " : "");
  }
  *metric = found;
  return CLI_OK;
}

static int
read_axis (const CliArgs *args, const char *option, const SsappRunSet *set, int *axis)
{
  const char *name = cli_args_text (args, option);

  if (name == NULL)
    return CLI_OK;
  *axis = ssapp_run_set_find_axis (set, name);
  if (*axis >= 0)
    return CLI_OK;
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (guint a = 0; a < set->axes->len; a++)
    g_ptr_array_add (names, ((const SsappRunAxis *)g_ptr_array_index (set->axes, a))->name);
  return fail_unknown ("axis", name, names);
}

/* --hide, by label or by the method's name, which hides all of it. */
static int
read_hidden (const CliArgs *args, const SsappRunSet *set, gboolean *hidden)
{
  const GPtrArray *list = cli_args_list (args, "--hide");

  for (guint i = 0; i < list->len; i++) {
    const char *name = g_ptr_array_index (list, i);
    g_autoptr (GPtrArray) names = g_ptr_array_new ();
    gboolean is_found = FALSE;
    for (guint m = 0; m < set->methods->len; m++) {
      const SsappRunMethod *method = g_ptr_array_index (set->methods, m);
      g_ptr_array_add (names, method->label);
      if (strcmp (method->label, name) == 0 || strcmp (method->id.name, name) == 0)
        hidden[m] = is_found = TRUE;
    }
    if (!is_found)
      return fail_unknown ("method", name, names);
  }
  return CLI_OK;
}

static int
read_kind (const CliArgs *args, SsappChartKind *kind)
{
  const char *name = cli_args_text (args, "--kind");

  *kind = SSAPP_CHART_PERFORMANCE;
  if (name == NULL || ssapp_chart_kind_from_name (name, kind))
    return CLI_OK;
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (int i = 0; i < SSAPP_CHART_COUNT; i++)
    g_ptr_array_add (names, (gpointer)ssapp_chart_kind_name ((SsappChartKind)i));
  return fail_unknown ("kind of figure", name, names);
}

static int
read_spec (const CliArgs *args, const SsappRunSet *set, const gboolean *hidden, SsappChartSpec *spec)
{
  SsappChartKind kind;
  int status = read_kind (args, &kind);

  if (status != CLI_OK)
    return status;
  ssapp_chart_spec_init (spec, kind, set);
  const SsMetric usual = spec->metric;
  if ((status = read_metric (args, "--metric", set, &spec->metric)) != CLI_OK ||
      (status = read_metric (args, "--against", set, &spec->other)) != CLI_OK ||
      (status = read_axis (args, "--x", set, &spec->x_axis)) != CLI_OK ||
      (status = read_axis (args, "--y", set, &spec->y_axis)) != CLI_OK)
    return status;
  if (spec->metric != usual)
    spec->is_relative = FALSE;
  if (cli_args_flag (args, "--relative"))
    spec->is_relative = TRUE;
  if (cli_args_flag (args, "--absolute"))
    spec->is_relative = FALSE;
  spec->takes_unsolved = cli_args_flag (args, "--unsolved");
  spec->within = cli_args_number (args, "--within", NAN);
  if (spec->within < 1)
    return cli_fail ("--within is a factor of the best objective, at least 1 (such as 1.1)");
  ssapp_chart_spec_suit (spec, set);
  if (cli_args_flag (args, "--log-y"))
    spec->y_log = TRUE;
  spec->hidden = hidden;
  return CLI_OK;
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static int
write_all (const CliArgs *args, const SsappRunSet *set, const gboolean *hidden, double width)
{
  const char *to = cli_args_text (args, "--to");
  g_autoptr (GPtrArray) done = NULL;
  g_autoptr (GError) error = NULL;

  if (to == NULL)
    return cli_fail ("'figure --all' needs --to FOLDER");
  if (g_file_test (to, G_FILE_TEST_EXISTS) && !g_file_test (to, G_FILE_TEST_IS_DIR))
    return cli_fail ("'figure --all' needs --to FOLDER: %s is a file", to);
  if (!ssapp_run_set_export_all (set, hidden, width, to, &done, &error)) {
    cli_fail ("%s", error->message);
    return CLI_BROKEN;
  }
  for (guint i = 0; i < done->len && !cli_args_flag (args, "--quiet"); i++)
    printf ("%s/%s\n", to, (const char *)g_ptr_array_index (done, i));
  return CLI_OK;
}

/* The table of runs, the medians, or the numbers of the figure. */
static SsappTable *
table_of (const CliArgs *args, const SsappRunSet *set, const SsappChart *chart)
{
  const char *which = cli_args_text (args, "--table");
  g_autoptr (GArray) metrics = ssapp_run_set_list_metrics (set);
  const SsMetric *list = (const SsMetric *)(const void *)metrics->data;

  if (which != NULL && strcmp (which, "runs") == 0)
    return ssapp_run_set_to_table (set, list, metrics->len);
  if (which != NULL && strcmp (which, "summary") == 0)
    return cli_args_flag (args, "--unsolved") ? ssapp_run_set_summary_of_all (set, list, metrics->len)
                                              : ssapp_run_set_summary (set, list, metrics->len);
  return ssapp_chart_to_table (chart);
}

/* What the figure is made of. */
typedef struct {
  SsappStore *store;
  const SsappStudy *study; /* NULL: of runs */
  const SsappRunSet *set;
  double width; /* mm */
} Figure;

static gboolean
write_page (const Figure *figure, const SsappChart *chart, const char *to, GError **error)
{
  const SsappStudyPage page = {.store = figure->store,
                               .study = figure->study,
                               .set = figure->set,
                               .chart = chart,
                               .width_mm = figure->width,
                               .beside = SSAPP_STUDY_PAGE_BESIDE};

  if (figure->study != NULL)
    return ssapp_study_page_export (&page, to, error);
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "--live needs a study: a page computes its runs");
  return FALSE;
}

static int
write_one (const CliArgs *args, const Figure *figure, const gboolean *hidden)
{
  const char *to = cli_args_text (args, "--to"), *which = cli_args_text (args, "--table");
  g_autoptr (GError) error = NULL;
  SsappChartSpec spec;

  if (which != NULL && strcmp (which, "runs") != 0 && strcmp (which, "summary") != 0)
    return cli_fail ("there is no table '%s' (expected runs or summary)", which);
  const int status = read_spec (args, figure->set, hidden, &spec);
  if (status != CLI_OK)
    return status;
  g_autoptr (SsappChart) chart = ssapp_chart_new (figure->set, &spec);
  if (cli_args_flag (args, "--live"))
    return write_page (figure, chart, to, &error) ? CLI_OK : cli_fail ("%s", error->message);
  if (to == NULL || which != NULL) {
    g_autoptr (SsappTable) table = table_of (args, figure->set, chart);
    if (to != NULL && !ssapp_table_export (table, to, &error))
      return cli_fail ("%s", error->message);
    if (to == NULL) {
      g_autofree char *text = ssapp_table_write (table, SSAPP_TABLE_TEXT);
      g_autofree char *shown = ssapp_text_visible (text, TRUE);
      fputs (shown, stdout);
    }
    return CLI_OK;
  }
  if (!ssapp_chart_export (chart, figure->width, to, &error))
    return cli_fail ("%s", error->message);
  return CLI_OK;
}

int
cli_figure (const CliArgs *args)
{
  const double width = cli_args_number (args, "--width", SSAPP_CHART_COLUMN_MM);
  const gboolean is_all = cli_args_flag (args, "--all-of-project");
  const char *to = cli_args_text (args, "--to");
  g_autoptr (GError) error = NULL;
  int status;

  if (is_all == (cli_args_n_positional (args) > 0))
    return cli_fail ("'figure' needs a study, runs, or --all-of-project");
  if (!(width >= LEAST_WIDTH && width <= MOST_WIDTH))
    return cli_fail ("--width is %g to %g mm", LEAST_WIDTH, MOST_WIDTH);
  const gboolean is_live = cli_args_flag (args, "--live");
  if (is_live && (to == NULL || cli_args_flag (args, "--all") || cli_args_text (args, "--table") != NULL))
    return cli_fail ("'figure --live' needs --to FILE.html, without --all and --table");
  if (to != NULL && !cli_args_flag (args, "--all") &&
      (status = cli_check_ending (is_live                                   ? "page"
                                  : cli_args_text (args, "--table") != NULL ? "table"
                                                                            : "chart",
                                  to)) != CLI_OK)
    return status;
  if (cli_args_text (args, "--project") == NULL)
    return cli_fail ("'figure' needs --project FILE");
  g_autoptr (SsappInterests) interests = cli_interests (args, &status);
  if (interests == NULL)
    return status;
  SsappStore *store = cli_open_project (args, FALSE, &status);
  if (store == NULL)
    return status;
  g_autoptr (GPtrArray) all = NULL; /* outlives the set: freed after it */
  g_autoptr (SsappStudy) study = NULL;
  g_autoptr (SsappRunSet) set = read_set (args, store, interests, &all, &study, &error);
  if (set == NULL)
    status = cli_fail ("%s", error->message);
  else {
    g_autofree gboolean *hidden = g_new0 (gboolean, MAX (set->methods->len, 1));
    status = read_hidden (args, set, hidden);
    const Figure figure = {store, study, set, width};
    if (status == CLI_OK)
      status = cli_args_flag (args, "--all") ? write_all (args, set, hidden, width) : write_one (args, &figure, hidden);
  }
  const int closed = cli_close_project (&store);
  return status != CLI_OK ? status : closed;
}
