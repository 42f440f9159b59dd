/* app/cli/cli-replay.c: the verb `replay`: a scene with the controls of a stored plan, or of a table. */
#include "app/cli/cli-common.h"

#include "app/base/ssapp-import.h"
#include "solve/ss-run-replayed.h"

#include <math.h>
#include <string.h>

/* What a replay follows. `last` is the last plan, not the last replay: the newest run of an optimiser, and in a project
 * without one the newest simulation that is no replay itself. */
static SsappRunRow *
find_plan (SsappStore *store, const char *name, GError **error)
{
  g_autoptr (GPtrArray) rows = NULL;
  const SsappRunRow *simulation = NULL;

  if (strcmp (name, "last") != 0)
    return ssapp_store_get_sound_run (store, name, error);
  rows = ssapp_store_list_runs (store, NULL, 0, error);
  for (guint i = 0; rows != NULL && i < rows->len; i++) {
    const SsappRunRow *row = g_ptr_array_index (rows, i);
    if (row->kind == SS_METHOD_OPTIMISER || row->damage != NULL) /* which may have been one */
      return ssapp_store_get_sound_run (store, row->id, error);
    if (simulation == NULL && row->replay_of[0] == '\0')
      simulation = row;
  }
  if (simulation != NULL)
    return ssapp_store_get_sound_run (store, simulation->id, error);
  if (rows != NULL)
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND, "%s has no plan yet",
                 ssapp_store_get_path (store));
  return NULL;
}

/* The parameters that the plan has its own. */
static void
set_plan (SsappJobSpec *spec, json_t *set)
{
  const char *parameter;
  json_t *value;

  json_object_foreach (set, parameter, value)
      ssapp_replay_ask_plan_set (&spec->replay, parameter, json_number_value (value));
}

/* Scenario, overrides and motion of a stored run, and its project, which stays open: another one may come into its
 * place. */
static SsappJobSpec *
spec_of_run (const CliArgs *args, SsappStore **project)
{
  const char *name = cli_args_positional (args, 0);
  g_autoptr (GError) error = NULL;
  SsappStore *store = NULL;
  SsappRunRow *row = NULL;
  SsappJobSpec *spec = NULL;

  if (cli_args_text (args, "--project") == NULL) {
    cli_fail ("'replay RUN' needs --project FILE (or --plan FILE.csv and a scenario)");
    return NULL;
  }
  store = ssapp_store_open (cli_args_text (args, "--project"), FALSE, &error);
  if (store != NULL)
    row = find_plan (store, name, &error);
  if (row != NULL) {
    json_t *set = json_loads (row->parameters_json, 0, NULL), *value;
    const char *parameter;
    spec = ssapp_job_spec_new ();
    json_object_foreach (set, parameter, value) cli_spec_set_parameter (spec, parameter, json_number_value (value));
    set_plan (spec, set);
    json_decref (set);
    spec->replay_of = g_strdup (row->id);
    spec->scenario_file = g_strdup (row->scenario_name);
    spec->scenario_text = ssapp_store_get_scenario_text (store, row->id, &error);
    if (error == NULL)
      spec->plan = ssapp_store_get_trajectory (store, row->id, &error);
    if (error == NULL && spec->plan == NULL)
      g_set_error (&error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND, "run %s has no trajectory", row->id);
  }
  if (error != NULL) {
    cli_fail ("%s", error->message);
    g_clear_pointer (&spec, ssapp_job_spec_free);
  }
  ssapp_run_row_free (row);
  *project = store;
  return spec;
}

/* The integrator whose law the plan was made by, where that is known. */
static void
choose_integrator (SsappJobSpec *spec)
{
  const SsIntegratorClass *integrator;
  double step;

  if (spec->plan != NULL && ss_run_find_replay (spec->plan, &integrator, &step)) {
    g_free (spec->method);
    spec->method = g_strdup (ss_method_of_integrator (integrator)->name);
  }
}

/* --controller and what belongs to it; FALSE after an error was told. */
static gboolean
ask_for_controller (SsappJobSpec *spec, const CliArgs *args)
{
  const char *name = cli_args_text (args, "--controller");
  GPtrArray *moved = cli_args_list (args, "--disturb");
  SsFeedbackOptions *feedback = &spec->replay.feedback;

  feedback->kind = name != NULL ? ss_controller_find (name) : SS_CONTROLLER_NONE;
  if (feedback->kind == SS_CONTROLLER_COUNT) {
    g_autofree char *names = ssapp_controllers_dup_names ();
    cli_fail ("--controller takes %s, not '%s'", names, name);
    return FALSE;
  }
  /* a table may be of any plan: without a controller --set says which */
  spec->replay.has_plan_set = spec->replay_of != NULL || feedback->kind != SS_CONTROLLER_NONE;
  feedback->weights.q = cli_args_number (args, "--lqr-q", feedback->weights.q);
  feedback->weights.r = cli_args_number (args, "--lqr-r", feedback->weights.r);
  feedback->every = (int)fmin (cli_args_number (args, "--replan-every", feedback->every), 10000);
  feedback->look_ahead = (int)fmin (cli_args_number (args, "--look-ahead", feedback->look_ahead), 10000);
  spec->replay.friction = cli_args_number (args, "--friction", 1);
  if (!(spec->replay.friction > 0 && isfinite (spec->replay.friction))) {
    cli_fail ("--friction takes a positive number: 1.2 is a fifth more than the contacts have");
    return FALSE;
  }
  spec->replay.worlds = (int)fmin (cli_args_number (args, "--worlds", 0), 10000);
  spec->replay.worlds_seed = (int)fmin (cli_args_number (args, "--worlds-seed", spec->replay.worlds_seed), 10000);
  for (guint i = 0; i < moved->len; i++) {
    char *what;
    const char *value;
    double by = NAN;
    cli_args_split (g_ptr_array_index (moved, i), &what, &value);
    if (ss_parse_double (value, &by))
      ssapp_replay_ask_disturb (&spec->replay, what, by);
    g_free (what);
  }
  return TRUE;
}

/* The plan that another replay was given, into spec->plan: with the run that it is of, where it is one, and the plan's
 * own parameters; NULL with an error. */
static void
read_given_plan (const CliArgs *args, const char *run, SsappJobSpec *spec, GError **error)
{
  SsappStore *store = ssapp_store_open (cli_args_text (args, "--project"), FALSE, error);
  SsappRunRow *row = store != NULL ? ssapp_store_get_sound_run (store, run, error) : NULL;
  GError *local = NULL;
  gboolean is_own;

  spec->plan = row != NULL ? ssapp_store_get_given (store, row->id, &is_own, &local) : NULL;
  if (row != NULL && spec->plan == NULL && local == NULL)
    g_set_error (&local, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND, "run %s was given no motion", row->id);
  if (spec->plan != NULL && !is_own && row->replay_of[0] != '\0') {
    g_autofree char *text = ssapp_store_get_result_json (store, row->id, NULL);
    json_t *result = text != NULL ? json_loads (text, 0, NULL) : NULL;

    spec->replay_of = g_strdup (row->replay_of);
    set_plan (spec, json_object_get (result, "plan_set"));
    json_decref (result);
  }
  if (local != NULL)
    g_propagate_error (error, local);
  ssapp_run_row_free (row);
  g_clear_object (&store);
}

int
cli_replay (const CliArgs *args)
{
  const char *table = cli_args_text (args, "--plan"), *path = cli_args_positional (args, 0);
  g_autoptr (GError) error = NULL;
  SsappStore *project = NULL;
  SsappJobSpec *spec;

  if (table == NULL) {
    spec = spec_of_run (args, &project);
  } else {
    char *text = cli_read_text (path);
    if (text == NULL)
      return CLI_BAD_INPUT;
    spec = ssapp_job_spec_new ();
    spec->scenario_text = text;
    spec->scenario_file = g_strdup (path);
    if (!g_str_has_prefix (table, CLI_GIVEN)) {
      spec->plan = ssapp_import_trajectory_csv (table, &error);
    } else if (cli_args_text (args, "--project") == NULL) {
      g_set_error (&error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED, "--plan %s: a run needs --project FILE", table);
    } else {
      read_given_plan (args, table + strlen (CLI_GIVEN), spec, &error);
    }
    if (spec->plan == NULL) {
      ssapp_job_spec_free (spec);
      return cli_fail ("%s", error->message);
    }
  }
  if (spec != NULL && !cli_set_numbers (args, path, &spec->scenario_text))
    g_clear_pointer (&spec, ssapp_job_spec_free);
  if (spec != NULL)
    cli_fill_spec (spec, args, SS_METHOD_INTEGRATOR);
  if (spec != NULL && cli_args_text (args, "--method") == NULL)
    choose_integrator (spec);
  if (spec != NULL && !ask_for_controller (spec, args)) {
    ssapp_job_spec_free (spec);
    cli_close_project (&project);
    return CLI_BAD_INPUT;
  }
  return cli_run_spec_in (args, spec, NULL, project);
}
