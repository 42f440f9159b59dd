/* app/cli/cli-compare.c: several methods on one scenario. Every run has a process of its own, so that a crash of one
 * leaves the others alone. */
#include "app/cli/cli-common.h"

#include "app/base/ssapp-import.h"
#include "app/base/ssapp-json.h"
#include "app/base/ssapp-metric.h"
#include "app/base/ssapp-memory.h"
#include "app/base/ssapp-method-list.h"
#include "app/base/ssapp-text.h"

#include <glib-unix.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  const CliArgs *args;
  GMainLoop *loop;
  SsappStore *store;  /* nullable */
  SsTrajectory *plan; /* nullable: what the integrators replay */
  GPtrArray *jobs;    /* of SsappJob, in the order of --methods */
  guint next;         /* index of the first job that was not started */
  guint running, at_once;
  gboolean is_stopping;
  SsMethodKind kind; /* of all methods */
  int status;
} Comparison;

/* Its own, or one of the transcription's: whether the scenario is a scene is the worker's to say. */
static gboolean
has_option (const SsMethod *method, const char *name)
{
  return ss_options_knows (method->options, name) ||
         (method->kind == SS_METHOD_OPTIMISER && ss_options_find (ss_transcription_option_table (), name) >= 0);
}

/* As it was named: "crisp:preset=paper". */
static const char *
entrant_of (SsappJob *job)
{
  return g_object_get_data (G_OBJECT (job), "entrant");
}

/* METHOD.NAME=VALUE goes to that method, NAME=VALUE to every method that has it. FALSE when nobody takes it. */
static gboolean
set_option (Comparison *self, const char *pair)
{
  gboolean taken = FALSE;
  const char *value;
  char *name;

  cli_args_split (pair, &name, &value);
  for (guint i = 0; i < self->jobs->len; i++) {
    SsappJob *job = g_ptr_array_index (self->jobs, i);
    const SsMethodId method = ssapp_job_get_method (job);
    const char *own = name;
    if (g_str_has_prefix (name, method.name) && name[strlen (method.name)] == '.')
      own = name + strlen (method.name) + 1;
    else if (!has_option (ss_method_lookup (method), name))
      continue;
    ssapp_job_set_option (job, own, value);
    taken = TRUE;
  }
  if (!taken)
    cli_fail ("none of these methods has an option '%s'", name);
  g_free (name);
  return taken;
}

static void
set_inputs (Comparison *self, SsappJob *job)
{
  GPtrArray *sets = cli_args_list (self->args, "--set");
  const char *seed = cli_args_text (self->args, "--seed");

  for (guint i = 0; i < sets->len; i++) {
    const char *value;
    double number = NAN;
    char *name;
    cli_args_split (g_ptr_array_index (sets, i), &name, &value);
    if (ss_parse_double (value, &number) && !cli_set_is_number (name))
      ssapp_job_set_parameter (job, name, number);
    g_free (name);
  }
  ssapp_job_set_step (job, cli_args_number (self->args, "--dt", NAN), cli_args_number (self->args, "--t-end", NAN));
  g_autoptr (GPtrArray) outcomes = cli_outcome_texts (self->args);
  ssapp_job_set_outcomes (job, outcomes);
  ssapp_job_set_time_limit (job, cli_args_number (self->args, "--time-limit", NAN));
  ssapp_job_set_cpu_limit (job, cli_args_number (self->args, "--cpu-limit", NAN));
  ssapp_job_set_memory_limit (job, cli_args_size (self->args, "--memory-limit", NAN));
  ssapp_job_set_keep_iterates (job, (int)CLAMP (cli_args_number (self->args, "--keep-iterates", 0), 0, G_MAXINT));
  if (self->plan != NULL)
    ssapp_job_set_plan (job, self->plan, NULL);
  if (seed != NULL)
    ssapp_job_set_seed (job, g_ascii_strtoull (seed, NULL, 10));
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

static void start_jobs (Comparison *self);

/* Whether the worker refused the job: a wrong option or step. */
static gboolean
was_refused (SsappJob *job)
{
  const char *text = ssapp_job_get_result_json (job);
  json_t *result = text != NULL ? json_loads (text, 0, NULL) : NULL;
  const gboolean refused = json_object_get (result, "problems") != NULL;

  json_decref (result);
  return refused;
}

static void
on_log (SsappJob *job, int level, const char *text, Comparison *self)
{
  g_autofree char *shown = ssapp_text_visible (text, TRUE);

  if (level == SS_LOG_WARNING && !cli_args_flag (self->args, "--quiet"))
    fprintf (stderr, "%s: %s\n", ssapp_job_get_method (job).name, shown);
}

static void
on_ended (SsappJob *job, Comparison *self)
{
  const char *outcome = ssapp_job_get_outcome (job);

  /* A table says that it failed, not why. */
  if (g_strcmp0 (outcome, "failed") == 0 || g_strcmp0 (outcome, "interrupted") == 0)
    cli_fail ("%s: %s", ssapp_job_get_method (job).name, ssapp_job_get_message (job));
  if (g_str_has_prefix (ssapp_job_get_message (job), SSAPP_MEMORY_MESSAGE))
    self->status = CLI_BROKEN;
  if (self->status == CLI_OK && was_refused (job))
    self->status = CLI_BAD_INPUT;
  g_autofree char *shown = ssapp_text_visible (outcome, FALSE);
  if (!cli_args_flag (self->args, "--json") && !cli_args_flag (self->args, "--quiet"))
    fprintf (stderr, "%s: %s (%.2f s)\n", ssapp_job_get_method (job).name, shown, ssapp_job_get_elapsed (job));
  self->running--;
  start_jobs (self);
}

static void
on_write_failed (SsappStore *store, const char *message, Comparison *self)
{
  (void)store;
  if (self->status == CLI_OK)
    cli_fail ("%s", message);
  self->status = CLI_BROKEN;
}

static void
start_jobs (Comparison *self)
{
  while (!self->is_stopping && self->running < self->at_once && self->next < self->jobs->len) {
    SsappJob *job = g_ptr_array_index (self->jobs, self->next++);
    GError *error = NULL;
    if (cli_args_text (self->args, "--memory-limit") == NULL)
      ssapp_job_set_memory_limit (job, ssapp_memory_default (MIN (self->at_once, self->jobs->len)));
    self->running++;
    if ((self->store != NULL && !ssapp_store_follow (self->store, job, &error)) || !ssapp_job_start (job, &error)) {
      on_write_failed (self->store, error->message, self);
      self->running--;
      g_clear_error (&error);
      self->is_stopping = TRUE;
    } else {
      g_signal_connect (job, "log", G_CALLBACK (on_log), self);
      g_signal_connect (job, "ended", G_CALLBACK (on_ended), self);
    }
  }
  if (self->running == 0)
    g_main_loop_quit (self->loop);
}

static gboolean
on_interrupt (gpointer user_data)
{
  Comparison *self = user_data;

  self->is_stopping = TRUE;
  for (guint i = 0; i < self->jobs->len; i++)
    if (ssapp_job_get_state (g_ptr_array_index (self->jobs, i)) == SSAPP_JOB_RUNNING)
      ssapp_job_cancel (g_ptr_array_index (self->jobs, i));
  return G_SOURCE_CONTINUE;
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

/* Columns after method and outcome, by what is compared. */
static const SsMetric optimiser_columns[] = {
    SS_METRIC_OBJECTIVE,      SS_METRIC_MAX_VIOLATION, SS_METRIC_COMPLEMENTARITY,
    SS_METRIC_TRACKING_TOTAL, SS_METRIC_SUCCESS_PAPER, SS_METRIC_ITERATIONS,
    SS_METRIC_SETUP_SECONDS,  SS_METRIC_SOLVE_SECONDS, SS_METRIC_CPU_SECONDS};
static const SsMetric integrator_columns[] = {
    SS_METRIC_STEPS,        SS_METRIC_ENERGY_FINAL,  SS_METRIC_MAX_PENETRATION, SS_METRIC_MAX_CONE_VIOLATION,
    SS_METRIC_MAX_RESIDUAL, SS_METRIC_SOLVE_SECONDS, SS_METRIC_CPU_SECONDS};
static const SsMetric replay_columns[] = {
    SS_METRIC_STEPS,         SS_METRIC_REPLAY_DISTANCE,    SS_METRIC_REPLAY_ANGLE,
    SS_METRIC_REPLAY_FINAL,  SS_METRIC_REPLAY_FINAL_ANGLE, SS_METRIC_MAX_PENETRATION,
    SS_METRIC_SOLVE_SECONDS, SS_METRIC_CPU_SECONDS};
enum { N_WORDS = 2 }; /* columns before them */

/* A row: name, outcome, metrics of a result, which may be NULL. */
static char **
row_new (const char *name, const char *outcome, const json_t *result, const SsMetric *columns, int n_columns)
{
  char **cells = g_new0 (char *, N_WORDS + n_columns + 1);
  SsMetricSet set;

  ssapp_metrics_from_json (json_object_get (result, "metrics"), &set);
  cells[0] = ssapp_text_visible (name, FALSE);
  cells[1] = ssapp_text_visible (outcome != NULL ? outcome : "not run", FALSE);
  for (int c = 0; c < n_columns; c++)
    cells[N_WORDS + c] = ssapp_metric_text (columns[c], ssapp_metric_is_outcome (columns[c])
                                                            ? ssapp_interests_get_value (result, columns[c])
                                                            : ss_metric_get (&set, columns[c]));
  return cells;
}

/* The row of a job, and one for each of its other local solutions, by what led to it. */
static void
add_rows (GPtrArray *rows, SsappJob *job, const SsMetric *columns, int n_columns)
{
  const char *text = ssapp_job_get_result_json (job);
  json_t *result = text != NULL ? json_loads (text, 0, NULL) : NULL;
  const json_t *solutions = json_object_get (result, "solutions");

  g_ptr_array_add (rows, row_new (entrant_of (job), ssapp_job_get_outcome (job), result, columns, n_columns));
  for (size_t i = 0; i < json_array_size (solutions); i++) {
    const json_t *solution = json_array_get (solutions, i);
    const char *start = ssapp_json_get_string (solution, "start");
    g_autofree char *name = g_strdup_printf ("  %s", start != NULL ? start : "");
    g_ptr_array_add (rows, row_new (name, ssapp_json_get_string (solution, "outcome"), solution, columns, n_columns));
  }
  json_decref (result);
}

/* What was asked of the runs, then these. */
static GArray *
columns_of (Comparison *self, const SsMetric *metrics, int n_metrics)
{
  GArray *columns = g_array_new (FALSE, FALSE, sizeof (SsMetric));

  for (guint i = 0; i < self->jobs->len; i++) {
    const char *text = ssapp_job_get_result_json (g_ptr_array_index (self->jobs, i));
    json_t *result = text != NULL ? json_loads (text, 0, NULL) : NULL;
    ssapp_interests_list (result, columns);
    json_decref (result);
  }
  g_array_append_vals (columns, metrics, (guint)n_metrics);
  return columns;
}

static void
print_table (Comparison *self, const SsMetric *usual, int n_usual)
{
  g_autoptr (GArray) columns = columns_of (self, usual, n_usual);
  const SsMetric *metrics = (const SsMetric *)(const void *)columns->data;
  const int n_metrics = (int)columns->len;
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func ((GDestroyNotify)g_strfreev);
  char **heading = g_new0 (char *, N_WORDS + n_metrics + 1);

  heading[0] = g_strdup ("method");
  heading[1] = g_strdup ("outcome");
  for (int c = 0; c < n_metrics; c++)
    heading[N_WORDS + c] = ssapp_metric_heading (metrics[c]);
  g_ptr_array_add (rows, heading);
  for (guint i = 0; i < self->jobs->len; i++)
    add_rows (rows, g_ptr_array_index (self->jobs, i), metrics, n_metrics);
  for (guint r = 0; r < rows->len; r++) {
    for (int c = 0; c < N_WORDS + n_metrics; c++) {
      int width = 0;
      for (guint k = 0; k < rows->len; k++)
        width = MAX (width, (int)strlen (((char **)g_ptr_array_index (rows, k))[c]));
      /* Words to the left, numbers to the right. */
      printf (c < N_WORDS ? "%s%-*s" : "%s%*s", c > 0 ? "  " : "", width, ((char **)g_ptr_array_index (rows, r))[c]);
    }
    printf ("\n");
  }
  if (self->at_once > 1)
    printf ("(run at the same time on shared cores: the times are no fair comparison)\n");
}

/* Of a run without a result. */
static json_t *
warnings_to_json (SsappJob *job)
{
  GPtrArray *texts = ssapp_job_get_warnings (job);
  json_t *list = json_array ();

  for (guint i = 0; i < texts->len; i++)
    json_array_append_new (list, json_string (g_ptr_array_index (texts, i)));
  return list;
}

/* Below the table, each with its method. */
static void
print_warnings (Comparison *self)
{
  for (guint i = 0; i < self->jobs->len; i++) {
    SsappJob *job = g_ptr_array_index (self->jobs, i);
    GPtrArray *texts = ssapp_job_get_warnings (job);
    const char *entrant = g_object_get_data (G_OBJECT (job), "entrant");

    for (guint k = 0; k < texts->len; k++) {
      g_autofree char *plain = ssapp_text_visible (g_ptr_array_index (texts, k), FALSE);
      printf ("warning of %s: %s\n", entrant, plain);
    }
  }
}

static void
print_results (Comparison *self)
{
  json_t *report = json_object (), *runs = json_array ();

  if (!cli_args_flag (self->args, "--json")) {
    if (self->plan != NULL)
      print_table (self, replay_columns, G_N_ELEMENTS (replay_columns));
    else if (self->kind == SS_METHOD_INTEGRATOR)
      print_table (self, integrator_columns, G_N_ELEMENTS (integrator_columns));
    else
      print_table (self, optimiser_columns, G_N_ELEMENTS (optimiser_columns));
    print_warnings (self);
  }
  for (guint i = 0; i < self->jobs->len; i++) {
    SsappJob *job = g_ptr_array_index (self->jobs, i);
    const char *text = ssapp_job_get_result_json (job);
    json_t *result = text != NULL ? json_loads (text, 0, NULL) : NULL;
    if (result == NULL)
      result = json_pack ("{s:s, s:{s:s}, s:s?, s:s?}", "run", ssapp_job_get_id (job), "method", "name",
                          ssapp_job_get_method (job).name, "outcome", ssapp_job_get_outcome (job), "message",
                          ssapp_job_get_message (job));
    if (text == NULL)
      json_object_set_new (result, "warnings", warnings_to_json (job));
    json_array_append_new (runs, result);
  }
  json_object_set_new (report, "format", json_integer (1));
  json_object_set_new (report, "parallel", json_boolean (self->at_once > 1));
  json_object_set_new (report, "runs", runs);
  if (cli_args_flag (self->args, "--json"))
    cli_print_json (report);
  json_decref (report);
}

/* The runs that were started, as one comparison of the project. */
static void
keep_comparison (Comparison *self)
{
  g_autoptr (GPtrArray) ids = g_ptr_array_new (), labels = g_ptr_array_new ();
  g_autoptr (GString) title = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < self->jobs->len; i++) {
    SsappJob *job = g_ptr_array_index (self->jobs, i);
    if (ssapp_job_get_state (job) == SSAPP_JOB_WAITING)
      continue;
    g_string_append_printf (title, "%s%s", ids->len > 0 ? ", " : ": ",
                            ss_method_lookup (ssapp_job_get_method (job))->label);
    g_ptr_array_add (ids, (gpointer)ssapp_job_get_id (job));
    /* a method that is named plainly is called by its name */
    g_ptr_array_add (labels, (gpointer)(strchr (entrant_of (job), ':') != NULL ? entrant_of (job) : ""));
  }
  if (self->store == NULL || self->status != CLI_OK || ids->len < 2)
    return;
  g_string_prepend (title, ssapp_job_get_scenario_name (g_ptr_array_index (self->jobs, 0)));
  g_ptr_array_add (ids, NULL);
  g_ptr_array_add (labels, NULL);
  g_autofree char *id = ssapp_store_add_comparison (self->store, title->str, (const char *const *)ids->pdata,
                                                    (const char *const *)labels->pdata, &error);
  if (id != NULL)
    return;
  cli_fail ("%s", error->message);
  self->status = CLI_BROKEN;
}

/* The worst of all: broken, stopped, no success. */
static int
overall_status (Comparison *self)
{
  static const int order[] = {CLI_BROKEN, CLI_STOPPED, CLI_BAD_INPUT, CLI_NO_SUCCESS};

  if (self->status != CLI_OK)
    return self->status;
  for (guint k = 0; k < G_N_ELEMENTS (order); k++)
    for (guint i = 0; i < self->jobs->len; i++) {
      const char *outcome = ssapp_job_get_outcome (g_ptr_array_index (self->jobs, i));
      if (outcome == NULL ? order[k] == CLI_STOPPED : cli_status_of_outcome (outcome) == order[k])
        return order[k];
    }
  int status = CLI_OK;
  for (guint i = 0; i < self->jobs->len; i++) {
    SsappJob *job = g_ptr_array_index (self->jobs, i);
    json_t *result = cli_parse_or_null (ssapp_job_get_result_json (job));
    if (cli_status_of_assertions (self->args, result, entrant_of (job)) != CLI_OK)
      status = CLI_NO_SUCCESS;
    json_decref (result);
  }
  return status;
}

/* The options of one entrant. */
static gboolean
set_own_options (SsappJob *job, const SsMethod *method, const SsappMethodAsked *asked)
{
  for (guint k = 0; k < asked->names->len; k++) {
    const char *name = g_ptr_array_index (asked->names, k);
    if (!has_option (method, name)) {
      cli_fail ("'%s' has no option '%s'", method->name, name);
      return FALSE;
    }
    ssapp_job_set_option (job, name, g_ptr_array_index (asked->values, k));
  }
  if (asked->wrong != NULL)
    cli_fail ("'%s' after %s is no option (expected NAME=VALUE)", asked->wrong, method->name);
  return asked->wrong == NULL;
}

/* Jobs for the methods named; all of one kind, built, and with options that fit. */
static gboolean
make_jobs (Comparison *self, const char *text, const char *scenario_name, const char *list)
{
  g_autoptr (GPtrArray) items = ssapp_method_list_read (list);
  gboolean ok = items->len > 0;
  SsError error;

  for (guint i = 0; ok && i < items->len; i++) {
    const SsappMethodAsked *asked = ssapp_method_list_at (items, i);
    /* Of a name that kinds share, the one is meant that goes with the first. */
    const SsMethod *method = i > 0 ? ss_method_lookup ((SsMethodId){self->kind, asked->name}) : NULL;
    if (method == NULL)
      method = ss_method_find_either (SS_METHOD_INTEGRATOR, SS_METHOD_OPTIMISER, asked->name, &error);
    if (method == NULL) {
      cli_fail ("%s%s%s", error.message, error.expected[0] != '\0' ? "; did you mean " : "", error.expected);
      ok = FALSE;
    } else if (!method->is_built) {
      cli_fail ("'%s' is %s", method->name, method->why_not);
      ok = FALSE;
    } else if (i > 0 && method->kind != self->kind) {
      cli_fail ("integrators and optimisers cannot be compared in one table");
      ok = FALSE;
    } else if (self->plan != NULL && method->kind != SS_METHOD_INTEGRATOR) {
      cli_fail ("'%s' is no integrator: only those replay a plan", method->name);
      ok = FALSE;
    } else {
      self->kind = method->kind;
      SsappJob *job = ssapp_job_new (text, scenario_name, ss_method_id (method));
      set_inputs (self, job);
      g_ptr_array_add (self->jobs, job);
      g_object_set_data_full (G_OBJECT (job), "entrant", g_strdup (asked->text), g_free);
      ok = set_own_options (job, method, asked);
    }
  }
  if (ok && self->kind == SS_METHOD_INTEGRATOR && cli_args_text (self->args, "--keep-iterates") != NULL) {
    cli_fail ("--keep-iterates is for optimisers: integrators have no iterates");
    ok = FALSE;
  }
  GPtrArray *options = cli_args_list (self->args, "--option");
  for (guint i = 0; ok && i < options->len; i++)
    ok = set_option (self, g_ptr_array_index (options, i));
  return ok;
}

/* The methods of one kind that the scenario names, in its order, and beside a single one the default of its kind; NULL:
 * fewer than two. g_free. */
static char *
own_methods (const SsScenario *scenario, SsMethodKind kind)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  const SsMethod *usual = ss_method_default (kind);

  for (int i = 0; i < scenario->n_method_names; i++) {
    const SsMethod *method = ss_method_lookup ((SsMethodId){kind, scenario->method_names[i]});

    if (method != NULL && method->is_built)
      g_ptr_array_add (names, (gpointer)method->name);
  }
  if (names->len == 1 && strcmp (usual->name, g_ptr_array_index (names, 0)) != 0)
    g_ptr_array_add (names, (gpointer)usual->name);
  if (names->len < 2)
    return NULL;
  g_ptr_array_add (names, NULL);
  return g_strjoinv (",", (char **)names->pdata);
}

int
cli_compare (const CliArgs *args)
{
  const char *list = cli_args_text (args, "--methods"), *path = cli_args_positional (args, 0);
  g_autofree char *own = NULL;
  const char *table = cli_args_text (args, "--plan");
  Comparison self = {.args = args, .at_once = 1};
  int status;

  if (!cli_check_iterates (args))
    return CLI_BAD_INPUT;
  g_autoptr (SsappInterests) asked = cli_interests (args, &status);
  if (asked == NULL)
    return status;
  /* Read here too: problems are told once, with their lines, before anything starts. */
  SsScenario *scenario = cli_read_scenario (args, path);
  SsProblems problems;
  if (scenario == NULL)
    return CLI_BAD_INPUT;
  ss_problems_init (&problems);
  if (ss_method_check_defaults (scenario, &problems) != SS_OK)
    self.status = CLI_BAD_INPUT;
  cli_print_problems (stderr, &problems);
  ss_problems_clear (&problems);
  if (self.status != CLI_OK) {
    ss_scenario_free (scenario);
    return self.status;
  }
  if (list == NULL) {
    const gboolean is_planned = scenario->model != NULL || scenario->task.plan != NULL;
    list = own = own_methods (scenario, is_planned && table == NULL ? SS_METHOD_OPTIMISER : SS_METHOD_INTEGRATOR);
  }
  if (list == NULL) {
    ss_scenario_free (scenario);
    return cli_fail ("'compare' needs --methods A,B,..., as the scenario names none");
  }
  if (table != NULL) {
    g_autoptr (GError) error = NULL;
    self.plan = ssapp_import_trajectory_csv (table, &error);
    if (self.plan == NULL) {
      ss_scenario_free (scenario);
      return cli_fail ("%s", error->message);
    }
  }
  self.jobs = g_ptr_array_new_with_free_func (g_object_unref);
  if (!make_jobs (&self, scenario->text, scenario->name, list)) {
    g_ptr_array_unref (self.jobs);
    ss_trajectory_free (self.plan);
    ss_scenario_free (scenario);
    return CLI_BAD_INPUT;
  }
  ss_scenario_free (scenario);
  self.store = cli_open_project (args, TRUE, &self.status);
  if (self.status != CLI_OK) {
    g_ptr_array_unref (self.jobs);
    ss_trajectory_free (self.plan);
    return self.status;
  }
  if (self.store != NULL) {
    g_signal_connect (self.store, "write-failed", G_CALLBACK (on_write_failed), &self);
    g_signal_connect (self.store, "lost", G_CALLBACK (on_write_failed), &self);
  }
  if (cli_args_flag (args, "--parallel"))
    self.at_once = (guint)CLAMP (cli_args_number (args, "--jobs", g_get_num_processors ()), 1, G_MAXINT);

  cli_use_own_worker ();
  self.loop = g_main_loop_new (NULL, FALSE);
  g_unix_signal_add (SIGINT, on_interrupt, &self);
  g_unix_signal_add (SIGTERM, on_interrupt, &self);
  start_jobs (&self);
  if (self.running > 0)
    g_main_loop_run (self.loop);
  keep_comparison (&self);
  print_results (&self);
  status = overall_status (&self);
  if (self.store != NULL)
    g_signal_handlers_disconnect_by_data (self.store, &self);
  if (self.status == CLI_BROKEN) /* told */
    g_clear_object (&self.store);
  else if (cli_close_project (&self.store) != CLI_OK)
    status = CLI_BROKEN;
  g_ptr_array_unref (self.jobs);
  ss_trajectory_free (self.plan);
  g_main_loop_unref (self.loop);
  return status;
}
