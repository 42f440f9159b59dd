/* app/cli/cli-sweep-study.c: the study that options of `sweep` define, and its place in the project. */
#include "app/cli/cli-common.h"
#include "app/cli/cli-sweep.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-method-list.h"
#include "app/store/ssapp-store-study.h"

#include <string.h>

/* Before a study's name or id, behind a project's. */
#define STUDY_MARK "#study:"

/* What is asked of every run, beside what a study's file asks, or in the place of what has that name. */
static void
set_outcomes (SsappStudy *study, const CliArgs *args)
{
  g_autoptr (GPtrArray) texts = cli_outcome_texts (args);

  for (guint i = 0; i < texts->len; i++)
    ssapp_study_set_outcome (study, g_ptr_array_index (texts, i));
}

/* Every NAME=VALUES of an option. */
static gboolean
set_axes (SsappStudy *study, const CliArgs *args, const char *option)
{
  GPtrArray *pairs = cli_args_list (args, option);

  for (guint i = 0; i < pairs->len; i++) {
    g_autoptr (GError) error = NULL;
    g_autofree char *name = NULL;
    const char *values;
    cli_args_split (g_ptr_array_index (pairs, i), &name, &values);
    if (!ssapp_study_set_axis (study, name, values, &error)) {
      cli_fail ("%s %s: %s", option, (char *)g_ptr_array_index (pairs, i), error->message);
      return FALSE;
    }
  }
  return TRUE;
}

/* Parameters that have one value in all runs, also instead of a study's own values. */
static gboolean
set_parameters (SsappStudy *study, const CliArgs *args)
{
  const GPtrArray *pairs = cli_args_list (args, "--set"), *varied = cli_args_list (args, "--vary");

  if (!set_axes (study, args, "--set"))
    return FALSE;
  for (guint i = 0; i < pairs->len; i++) {
    g_autofree char *name = NULL;
    const char *value;
    cli_args_split (g_ptr_array_index (pairs, i), &name, &value);
    for (guint k = 0; k < varied->len; k++)
      if (g_str_has_prefix (g_ptr_array_index (varied, k), name) &&
          ((const char *)g_ptr_array_index (varied, k))[strlen (name)] == '=') {
        cli_fail ("--set and --vary both give %s: one of them", name);
        return FALSE;
      }
  }
  return TRUE;
}

static gboolean
set_methods (SsappStudy *study, const CliArgs *args)
{
  GPtrArray *lists = cli_args_list (args, "--methods");

  for (guint i = 0; i < lists->len; i++) {
    g_autoptr (GPtrArray) items = ssapp_method_list_read (g_ptr_array_index (lists, i));
    for (guint k = 0; k < items->len; k++) {
      const SsappMethodAsked *asked = ssapp_method_list_at (items, k);
      g_autoptr (GError) error = NULL;
      if (!ssapp_study_add_method (study, asked->text, &error)) {
        cli_fail ("--methods: %s", error->message);
        return FALSE;
      }
    }
  }
  return TRUE;
}

/* Where none is named: the first that the scenario names. */
static gboolean
set_own_method (SsappStudy *study, const CliArgs *args)
{
  g_autoptr (GError) error = NULL;
  gboolean is_set = TRUE;

  if (study->methods->len > 0 || cli_args_n_positional (args) == 0)
    return TRUE;
  SsScenario *scenario = cli_read_scenario_as_written (cli_args_positional (args, 0));
  if (scenario == NULL)
    return FALSE;
  const gboolean is_planned = scenario->model != NULL || scenario->task.plan != NULL;
  const SsMethod *method = ss_method_named_by (is_planned ? SS_METHOD_OPTIMISER : SS_METHOD_INTEGRATOR, scenario);
  if (method != NULL)
    is_set = ssapp_study_add_method (study, method->name, &error);
  if (!is_set)
    cli_fail ("%s", error->message);
  ss_scenario_free (scenario);
  return is_set;
}

/* Limits and what is drawn; also over a study from a file. */
static gboolean
set_numbers (SsappStudy *study, const CliArgs *args)
{
  const char *random = cli_args_text (args, "--random"), *latin = cli_args_text (args, "--latin");
  const char *samples = latin != NULL ? latin : random, *seed = cli_args_text (args, "--seed");
  guint n_numbers;
  const SsappStudyNumber *numbers = ssapp_study_numbers (&n_numbers);

  if (random != NULL && latin != NULL) {
    cli_fail ("--random and --latin: one of them");
    return FALSE;
  }
  if (samples != NULL) {
    const guint64 n = g_ascii_strtoull (samples, NULL, 10);
    if (n < 1 || n > SSAPP_STUDY_MAX_RUNS) {
      cli_fail ("%s: 1 to %d samples are possible", latin != NULL ? "--latin" : "--random", SSAPP_STUDY_MAX_RUNS);
      return FALSE;
    }
    study->draw = latin != NULL ? SSAPP_DRAW_LATIN : SSAPP_DRAW_RANDOM;
    study->n_drawn = (guint)n;
  }
  if (seed != NULL)
    study->seed = g_ascii_strtoull (seed, NULL, 10);
  if (cli_args_text (args, "--title") != NULL) {
    g_free (study->title);
    study->title = g_strdup (cli_args_text (args, "--title"));
  }
  for (guint i = 0; i < n_numbers; i++) {
    double *value = ssapp_study_number (study, &numbers[i]);
    *value = numbers[i].unit > 1 ? cli_args_size (args, numbers[i].option, *value)
                                 : cli_args_number (args, numbers[i].option, *value);
  }
  study->workers = (guint)CLAMP (cli_args_number (args, "--jobs", study->workers), 0, 4096);
  const char *keep = cli_args_text (args, "--keep");
  if (keep != NULL && !ssapp_keep_from_name (keep, &study->keep)) {
    cli_fail ("--keep takes all, thinned or metrics");
    return FALSE;
  }
  return TRUE;
}

/* "PROJECT.stickslip#study:ID". */
static SsappStudy *
read_of_project (const CliArgs *args, const char *name, const char *mark, GError **error)
{
  g_autofree char *path = g_strndup (name, (gsize)(mark - name) + strlen (SSAPP_PROJECT_SUFFIX));
  int status;
  SsappStore *store = cli_open_to_read (args, path, &status);
  SsappStudyRow *row =
      store != NULL ? ssapp_store_get_study (store, mark + strlen (SSAPP_PROJECT_SUFFIX STUDY_MARK), error) : NULL;
  json_t *json = row != NULL ? json_loads (row->definition, 0, NULL) : NULL;
  SsappStudy *study = json != NULL ? ssapp_study_from_json (json, error) : NULL;

  json_decref (json);
  ssapp_study_row_free (row);
  g_clear_object (&store);
  return study;
}

/* With another limit, title, way of keeping motions, or outcome than it has. */
gboolean
cli_sweep_change_study (const CliArgs *args, SsappStudy *study)
{
  g_autoptr (GError) error = NULL;

  if (!set_numbers (study, args))
    return FALSE;
  set_outcomes (study, args);
  if (ssapp_study_check (study, &error))
    return TRUE;
  cli_fail ("%s", error->message);
  return FALSE;
}

SsappStudy *
cli_sweep_read_study (const CliArgs *args)
{
  const char *file = cli_args_text (args, "--study");
  g_autoptr (SsappStudy) study = NULL;
  g_autoptr (GError) error = NULL;

  if (file != NULL && cli_args_n_positional (args) > 0) {
    cli_fail ("--study has its own scenario: leave out '%s'", cli_args_positional (args, 0));
    return NULL;
  }
  if (file != NULL) {
    const char *mark = strstr (file, SSAPP_PROJECT_SUFFIX STUDY_MARK);
    study = mark != NULL ? read_of_project (args, file, mark, &error) : ssapp_study_read_file (file, &error);
    if (study == NULL && error != NULL)
      cli_fail ("%s", error->message);
  } else {
    SsScenario *scenario = cli_read_scenario_as_written (cli_args_positional (args, 0));
    if (scenario != NULL)
      study = ssapp_study_new (scenario->title[0] != '\0' ? scenario->title : scenario->name, scenario->name,
                               scenario->text);
    ss_scenario_free (scenario);
  }
  if (study == NULL || !set_numbers (study, args) || !set_methods (study, args) || !set_own_method (study, args) ||
      !set_axes (study, args, "--vary") || !set_parameters (study, args))
    return NULL;
  set_outcomes (study, args);
  if (!ssapp_study_check (study, &error)) {
    cli_fail ("%s", error->message);
    return NULL;
  }
  return g_steal_pointer (&study);
}

/* The study of the project that asks for the same runs, so that the same command goes on; g_free. NULL: none. */
static char *
find_same (SsappStore *store, const SsappStudy *study)
{
  g_autoptr (GPtrArray) rows = ssapp_store_list_studies (store, NULL);

  for (guint i = 0; rows != NULL && i < rows->len; i++) {
    const SsappStudyRow *row = g_ptr_array_index (rows, i);
    json_t *json = json_loads (row->definition, 0, NULL);
    g_autoptr (SsappStudy) other = json != NULL ? ssapp_study_from_json (json, NULL) : NULL;
    json_decref (json);
    if (other != NULL && ssapp_study_is_same (study, other))
      return g_strdup (row->id);
  }
  return NULL;
}

/* Limits and title are those of now. */
char *
cli_sweep_keep_study (SsappStore *store, const SsappStudy *study, GError **error)
{
  json_t *json = ssapp_study_to_json (study);
  g_autofree char *definition = ssapp_json_text (json, FALSE), *id = find_same (store, study);
  const guint n = ssapp_study_count (study);

  json_decref (json);
  if (id == NULL)
    return ssapp_store_add_study (store, study->title, definition, n, error);
  return ssapp_store_set_study (store, id, study->title, definition, n, error) ? g_steal_pointer (&id) : NULL;
}
