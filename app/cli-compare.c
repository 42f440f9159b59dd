/* app/cli-compare.c: several methods on one scenario. Every run has a process of its own, so that a crash of one leaves the others alone. */
#include "app/cli-common.h"

#include "app/ssapp-import.h"
#include "app/ssapp-json.h"

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
  int status;
} Comparison;

static const SsMethod *
find_method (const char *name, SsError *error)
{
  const SsMethod *method = ss_method_find (SS_METHOD_INTEGRATOR, name, NULL);

  return method != NULL ? method : ss_method_find (SS_METHOD_OPTIMISER, name, error);
}

static gboolean
has_option (const SsMethod *method, const char *name)
{
  for (int i = 0; i < method->options->n_specs; i++)
    if (strcmp (method->options->specs[i].name, name) == 0)
      return TRUE;
  return FALSE;
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
    const char *method = ssapp_job_get_method (job);
    const char *own = name;
    if (g_str_has_prefix (name, method) && name[strlen (method)] == '.')
      own = name + strlen (method) + 1;
    else if (!has_option (find_method (method, NULL), name))
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
    if (ss_parse_double (value, &number))
      ssapp_job_set_parameter (job, name, number);
    g_free (name);
  }
  ssapp_job_set_step (job, cli_args_number (self->args, "--dt", NAN), cli_args_number (self->args, "--t-end", NAN));
  ssapp_job_set_time_limit (job, cli_args_number (self->args, "--time-limit", NAN));
  ssapp_job_set_keep_iterates (job, (int)CLAMP (cli_args_number (self->args, "--keep-iterates", 0), 0, G_MAXINT));
  if (self->plan != NULL)
    ssapp_job_set_plan (job, self->plan, NULL);
  if (seed != NULL)
    ssapp_job_set_seed (job, g_ascii_strtoull (seed, NULL, 10));
}

/* This program is the worker too, under whatever name it was installed. */
static void
use_own_worker (void)
{
  char *path = g_file_read_link ("/proc/self/exe", NULL);

  if (path != NULL && g_file_test (path, G_FILE_TEST_IS_EXECUTABLE))
    g_setenv ("STICKSLIP_WORKER", path, FALSE);
  g_free (path);
}

/* ---- running ---------------------------------------------------------------------------------------------------------------------- */

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
on_ended (SsappJob *job, Comparison *self)
{
  const char *outcome = ssapp_job_get_outcome (job);

  /* A table says that it failed, not why. */
  if (g_strcmp0 (outcome, "failed") == 0 || g_strcmp0 (outcome, "interrupted") == 0)
    cli_fail ("%s: %s", ssapp_job_get_method (job), ssapp_job_get_message (job));
  if (self->status == CLI_OK && was_refused (job))
    self->status = CLI_BAD_INPUT;
  if (!cli_args_flag (self->args, "--json") && !cli_args_flag (self->args, "--quiet"))
    fprintf (stderr, "%s: %s (%.2f s)\n", ssapp_job_get_method (job), ssapp_job_get_outcome (job),
             ssapp_job_get_elapsed (job));
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
    g_signal_connect (job, "ended", G_CALLBACK (on_ended), self);
    self->running++;
    if ((self->store != NULL && !ssapp_store_follow (self->store, job, &error)) || !ssapp_job_start (job, &error)) {
      cli_fail ("%s", error->message);
      self->status = CLI_BROKEN;
      self->running--;
      g_clear_error (&error);
      self->is_stopping = TRUE;
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

/* ---- the table -------------------------------------------------------------------------------------------------------------------- */

typedef struct {
  const char *title;
  const char *key; /* of the metrics; NULL: method, outcome */
} Column;

static const Column optimiser_columns[] = {{"method", NULL},
                                           {"outcome", NULL},
                                           {"objective", "objective"},
                                           {"violation", "max_violation"},
                                           {"complement.", "complementarity"},
                                           {"tracking", "tracking_error"},
                                           {"paper ok", "success_paper"},
                                           {"iterations", "iterations"},
                                           {"setup [s]", "setup_seconds"},
                                           {"solve [s]", "solve_seconds"},
                                           {"cpu [s]", "cpu_seconds"}};
static const Column integrator_columns[] = {{"method", NULL},
                                            {"outcome", NULL},
                                            {"steps", "steps"},
                                            {"energy [J]", "energy_final"},
                                            {"penetr. [m]", "max_penetration"},
                                            {"cone [N s]", "max_cone_violation"},
                                            {"residual", "max_residual"},
                                            {"solve [s]", "solve_seconds"},
                                            {"cpu [s]", "cpu_seconds"}};

static const Column replay_columns[] = {{"method", NULL},
                                        {"outcome", NULL},
                                        {"steps", "steps"},
                                        {"to plan [m]", "replay_distance"},
                                        {"[rad]", "replay_angle"},
                                        {"at end [m]", "replay_final"},
                                        {"at end [rad]", "replay_final_angle"},
                                        {"penetr. [m]", "max_penetration"},
                                        {"solve [s]", "solve_seconds"},
                                        {"cpu [s]", "cpu_seconds"}};

static char *
cell (SsappJob *job, const json_t *metrics, const Column *column, int index)
{
  const json_t *value = column->key != NULL ? json_object_get (metrics, column->key) : NULL;

  if (index == 0)
    return g_strdup (ssapp_job_get_method (job));
  if (index == 1)
    return g_strdup (ssapp_job_get_outcome (job) != NULL ? ssapp_job_get_outcome (job) : "not run");
  if (json_is_boolean (value))
    return g_strdup (json_is_true (value) ? "yes" : "no");
  if (json_is_object (value))
    return cli_number (ssapp_json_get_real (value, "total"));
  return cli_number (ssapp_json_get_real (metrics, column->key));
}

static void
print_table (Comparison *self, const Column *columns, int n_columns)
{
  const int n_rows = (int)self->jobs->len;
  char **cells = g_new0 (char *, (gsize)n_rows *(gsize)n_columns);

  for (int r = 0; r < n_rows; r++) {
    SsappJob *job = g_ptr_array_index (self->jobs, (guint)r);
    const char *text = ssapp_job_get_result_json (job);
    json_t *result = text != NULL ? json_loads (text, 0, NULL) : NULL;
    for (int c = 0; c < n_columns; c++)
      cells[r * n_columns + c] = cell (job, json_object_get (result, "metrics"), &columns[c], c);
    json_decref (result);
  }
  for (int r = -1; r < n_rows; r++) {
    for (int c = 0; c < n_columns; c++) {
      int width = (int)strlen (columns[c].title);
      for (int k = 0; k < n_rows; k++)
        width = MAX (width, (int)strlen (cells[k * n_columns + c]));
      /* Words to the left, numbers to the right. */
      printf (c < 2 ? "%s%-*s" : "%s%*s", c > 0 ? "  " : "", width,
              r < 0 ? columns[c].title : cells[r * n_columns + c]);
    }
    printf ("\n");
  }
  for (int i = 0; i < n_rows * n_columns; i++)
    g_free (cells[i]);
  g_free (cells);
  if (self->at_once > 1)
    printf ("(run at the same time on shared cores: the times are no fair comparison)\n");
}

static void
print_results (Comparison *self, gboolean is_simulation)
{
  json_t *report = json_object (), *runs = json_array ();

  if (!cli_args_flag (self->args, "--json")) {
    if (self->plan != NULL)
      print_table (self, replay_columns, G_N_ELEMENTS (replay_columns));
    else if (is_simulation)
      print_table (self, integrator_columns, G_N_ELEMENTS (integrator_columns));
    else
      print_table (self, optimiser_columns, G_N_ELEMENTS (optimiser_columns));
  }
  for (guint i = 0; i < self->jobs->len; i++) {
    SsappJob *job = g_ptr_array_index (self->jobs, i);
    const char *text = ssapp_job_get_result_json (job);
    json_t *result = text != NULL ? json_loads (text, 0, NULL) : NULL;
    if (result == NULL)
      result = json_pack ("{s:s, s:{s:s}, s:s?, s:s?}", "run", ssapp_job_get_id (job), "method", "name",
                          ssapp_job_get_method (job), "outcome", ssapp_job_get_outcome (job), "message",
                          ssapp_job_get_message (job));
    json_array_append_new (runs, result);
  }
  json_object_set_new (report, "format", json_integer (1));
  json_object_set_new (report, "parallel", json_boolean (self->at_once > 1));
  json_object_set_new (report, "runs", runs);
  if (cli_args_flag (self->args, "--json"))
    cli_print_json (report);
  json_decref (report);
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
  return CLI_OK;
}

/* Jobs for the methods named; all of one kind, built, and with options that fit. */
static gboolean
make_jobs (Comparison *self, const char *text, const char *scenario_name, const char *list, gboolean *is_simulation)
{
  char **names = g_strsplit (list, ",", -1);
  gboolean ok = names[0] != NULL;
  SsError error;

  for (int i = 0; ok && names[i] != NULL; i++) {
    const SsMethod *method = find_method (g_strstrip (names[i]), &error);
    if (method == NULL) {
      cli_fail ("%s%s%s", error.message, error.expected[0] != '\0' ? "; did you mean " : "", error.expected);
      ok = FALSE;
    } else if (!method->is_built) {
      cli_fail ("'%s' is %s", method->name, method->why_not);
      ok = FALSE;
    } else if (i > 0 && (method->kind == SS_METHOD_INTEGRATOR) != *is_simulation) {
      cli_fail ("integrators and optimisers cannot be compared in one table");
      ok = FALSE;
    } else if (self->plan != NULL && method->kind != SS_METHOD_INTEGRATOR) {
      cli_fail ("'%s' is no integrator: only those replay a plan", method->name);
      ok = FALSE;
    } else {
      *is_simulation = method->kind == SS_METHOD_INTEGRATOR;
      SsappJob *job = ssapp_job_new (text, scenario_name, method->name);
      set_inputs (self, job);
      g_ptr_array_add (self->jobs, job);
    }
  }
  g_strfreev (names);
  GPtrArray *options = cli_args_list (self->args, "--option");
  for (guint i = 0; ok && i < options->len; i++)
    ok = set_option (self, g_ptr_array_index (options, i));
  return ok;
}

int
cli_compare (const CliArgs *args)
{
  const char *list = cli_args_text (args, "--methods"), *path = cli_args_positional (args, 0);
  const char *table = cli_args_text (args, "--plan");
  Comparison self = {.args = args, .at_once = 1};
  gboolean is_simulation = FALSE;
  int status;

  if (list == NULL)
    return cli_fail ("'compare' needs --methods A,B,...");
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
  if (table != NULL) {
    g_autoptr (GError) error = NULL;
    self.plan = ssapp_import_trajectory_csv (table, &error);
    if (self.plan == NULL) {
      ss_scenario_free (scenario);
      return cli_fail ("%s", error->message);
    }
  }
  self.jobs = g_ptr_array_new_with_free_func (g_object_unref);
  if (!make_jobs (&self, scenario->text, scenario->name, list, &is_simulation)) {
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
  if (self.store != NULL)
    g_signal_connect (self.store, "write-failed", G_CALLBACK (on_write_failed), &self);
  if (cli_args_flag (args, "--parallel"))
    self.at_once = (guint)CLAMP (cli_args_number (args, "--jobs", g_get_num_processors ()), 1, G_MAXINT);

  use_own_worker ();
  self.loop = g_main_loop_new (NULL, FALSE);
  g_unix_signal_add (SIGINT, on_interrupt, &self);
  g_unix_signal_add (SIGTERM, on_interrupt, &self);
  start_jobs (&self);
  if (self.running > 0)
    g_main_loop_run (self.loop);
  print_results (&self, is_simulation);
  status = overall_status (&self);
  if (self.store != NULL)
    ssapp_store_close (self.store);
  g_clear_object (&self.store);
  g_ptr_array_unref (self.jobs);
  ss_trajectory_free (self.plan);
  g_main_loop_unref (self.loop);
  return status;
}
