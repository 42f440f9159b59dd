/* app/cli/cli-bound.c: the verb `bound`: how far the best answer is from the best possible. */
#include "app/cli/cli-common.h"

#include "app/base/ssapp-file.h"
#include "app/base/ssapp-json.h"
#include "app/job/ssapp-bound.h"
#include "solve/ss-solve.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- what is known ----------------------------------------------------------------------------------------------- */

/* The objective of a stored run that solved this file at these parameters. */
static int
objective_of_run (const CliArgs *args, const SsScenario *scenario, double *objective)
{
  const char *name = cli_args_text (args, "--answer"), *project = cli_args_text (args, "--project");
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  json_t *result = NULL;
  int status = CLI_OK;

  if (project == NULL)
    return cli_fail ("--answer %s is no number; a run needs --project FILE", name);
  g_autoptr (SsappStore) store = ssapp_store_open (project, FALSE, &error);
  SsappRunRow *row = store != NULL ? ssapp_store_get_sound_run (store, name, &error) : NULL;
  if (row != NULL && (text = ssapp_store_get_result_json (store, row->id, &error)) != NULL)
    result = json_loads (text, 0, NULL);
  const json_t *of = json_object_get (result, "scenario"), *values = json_object_get (of, "values");
  gboolean is_same = g_strcmp0 (ssapp_json_get_string (of, "sha256"), scenario->sha256) == 0;
  for (int i = 0; i < scenario->n_parameters && is_same; i++)
    is_same = ssapp_json_get_real (values, scenario->parameters[i].name) == scenario->parameters[i].value;
  *objective = ssapp_json_get_real (json_object_get (result, "metrics"), "objective");
  if (error != NULL)
    status = cli_fail ("%s", error->message);
  else if (!is_same)
    status = cli_fail ("run %s is of another file, or of other parameters", row->id);
  else if (g_strcmp0 (ssapp_json_get_string (result, "outcome"), "solved") != 0 || !isfinite (*objective))
    status = cli_fail ("run %s did not solve its problem", row->id);
  json_decref (result);
  ssapp_run_row_free (row);
  return status;
}

static int
read_answer (const CliArgs *args, const SsScenario *scenario, double *objective)
{
  const char *text = cli_args_text (args, "--answer");

  if (text == NULL)
    return CLI_OK;
  if (ss_parse_double (text, objective))
    return CLI_OK;
  return objective_of_run (args, scenario, objective);
}

/* ---- search and check -------------------------------------------------------------------------------------------- */

static const char *
word_of (double value, char text[40])
{
  snprintf (text, 40, "%.9g", value);
  return isfinite (value) ? text : "none";
}

static void
on_progress (void *user_data, const SsProgress *progress)
{
  char bound[40], answer[40];

  (void)user_data;
  if (progress->kind == SS_PROGRESS_ITERATION && !isnan (ss_progress_column (progress, "lower_bound")))
    fprintf (stderr, "%7d solved, %6.0f open: bound %s, answer %s\n", progress->iteration,
             ss_progress_column (progress, "open"), word_of (ss_progress_column (progress, "lower_bound"), bound),
             word_of (ss_progress_column (progress, "objective"), answer));
}

static void
print_words (const SsBoundRun *run)
{
  if (run->has_bound)
    printf ("lower bound %.9g (proved)\n", run->bound);
  if (isfinite (run->answer))
    printf ("best answer %.9g\n", run->answer);
  printf ("%s\n", run->message);
  printf ("%d %s in %.2f s of CPU time, checked in %.2f s%s\n", run->search.n_solved,
          run->certificate.has_chain ? "dynamic programmes" : "relaxations", run->search.cpu_seconds,
          run->check_seconds, run->search.is_finished ? "" : "; more time may raise the bound");
}

static int
write_certificate (const CliArgs *args, const SsScenario *scenario, const SsBoundRun *run)
{
  const char *path = cli_args_text (args, "--certificate");
  g_autoptr (GError) error = NULL;

  if (path == NULL)
    return CLI_OK;
  json_t *json = ssapp_bound_to_json (scenario, run, TRUE);
  g_autofree char *text = ssapp_json_text (json, FALSE);
  json_decref (json);
  if (ssapp_write_file (path, text, -1, &error))
    return CLI_OK;
  cli_fail ("%s", error->message);
  return CLI_BROKEN;
}

static int
search (const CliArgs *args, const SsScenario *scenario, const SsScenario *model)
{
  SsRunControl *control = cli_control ();
  SsBoundRunOptions options;
  SsBoundRun run = {0};
  SsError error = {0};

  ss_bound_run_options_init (&options);
  options.cpu_seconds = cli_args_number (args, "--limit", options.cpu_seconds);
  options.gap = cli_args_number (args, "--gap", 100 * options.gap) / 100;
  if (!(options.gap >= 0))
    return cli_fail ("--gap: expected a percentage of 0 or more");
  int status = read_answer (args, scenario, &options.answer);
  if (status != CLI_OK)
    return status;
  cli_watch_signals ();
  if (!cli_args_flag (args, "--quiet") && !cli_args_flag (args, "--json"))
    control->progress = on_progress;
  if (ss_bound_run (model, &options, control, &run, &error) != SS_OK) {
    cli_fail ("%s: %s", cli_args_positional (args, 0), error.message);
    return error.status == SS_ERR_INVALID ? CLI_NO_SUCCESS : CLI_BROKEN;
  }
  if (cli_args_flag (args, "--json")) {
    json_t *json = ssapp_bound_to_json (scenario, &run, FALSE);
    cli_print_json (json);
    json_decref (json);
  } else {
    print_words (&run);
  }
  status = write_certificate (args, scenario, &run);
  if (status == CLI_OK)
    status = cli_was_cancelled () ? CLI_STOPPED : run.has_bound ? CLI_OK : CLI_NO_SUCCESS;
  ss_bound_run_clear (&run);
  return status;
}

static int
refused (const char *path, const char *why)
{
  cli_fail ("%s: %s", path, why);
  return CLI_NO_SUCCESS;
}

static int
check (const CliArgs *args, const SsScenario *scenario, const SsScenario *model)
{
  const char *path = cli_args_text (args, "--check");
  SsBoundCertificate certificate = {0};
  SsBoundProblem *problem = NULL;
  SsBoundVerdict verdict = {0};
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  json_error_t where;
  SsError what = {0};
  int status = CLI_OK;

  if (!ssapp_read_file (path, 0, &text, NULL, &error))
    return cli_fail ("%s", error->message);
  json_t *json = json_loads (text, JSON_REJECT_DUPLICATES, &where);
  if (json == NULL)
    status = cli_fail ("%s:%d: %s", path, where.line, where.text);
  else if (!ssapp_bound_from_json (json, scenario, &certificate, &error))
    status = refused (path, error->message);
  else if (ss_bound_problem_new (model, &problem, &what) != SS_OK)
    status = cli_fail ("%s: %s", cli_args_positional (args, 0), what.message);
  else if (ss_bound_check (model, problem, &certificate, &verdict, &what) != SS_OK)
    status = refused (path, what.message);
  else if (verdict.bound < certificate.bound)
    status = refused (path, certificate.bound == INFINITY ? "it does not prove that no point is feasible"
                                                          : "it proves less than the lower_bound that it claims");
  if (status == CLI_OK && cli_args_flag (args, "--json")) {
    json_t *report = json_pack ("{s:i, s:b, s:o, s:b, s:i, s:i}", "format", 1, "holds", 1, "lower_bound",
                                ssapp_json_real (certificate.bound), "infeasible", certificate.bound == INFINITY,
                                "leaves", verdict.n_leaves, "empty", verdict.n_empty);
    cli_print_json (report);
    json_decref (report);
  } else if (status == CLI_OK && certificate.bound == INFINITY) {
    printf ("the certificate holds: no point of %s is feasible (%d leaves)\n", scenario->name, verdict.n_leaves);
  } else if (status == CLI_OK) {
    printf ("the certificate holds: no answer of %s is below %.9g (%d %s)\n", scenario->name, certificate.bound,
            verdict.n_leaves, certificate.has_chain ? "cells" : "leaves");
  }
  ss_bound_certificate_clear (&certificate);
  ss_bound_problem_free (problem);
  json_decref (json);
  return status;
}

int
cli_bound (const CliArgs *args)
{
  const char *path = cli_args_positional (args, 0);
  const gboolean checks = cli_args_text (args, "--check") != NULL;
  const SsTranscribeOptions options = {0};
  const SsScenario *model = NULL;
  SsScenario *transcribed = NULL;
  SsError error = {0};
  int status = cli_check_output (args, "--certificate");

  if (status != CLI_OK)
    return status;
  if (checks && (cli_args_text (args, "--certificate") != NULL || cli_args_text (args, "--limit") != NULL ||
                 cli_args_text (args, "--gap") != NULL || cli_args_text (args, "--answer") != NULL))
    return cli_fail ("--check searches nothing: it takes no --certificate, --limit, --gap, --answer");
  if (cli_args_text (args, "--project") != NULL && cli_args_text (args, "--answer") == NULL)
    return cli_fail ("--project is of the run of --answer: name it");
  SsScenario *scenario = cli_read_scenario (args, path);
  if (scenario == NULL)
    return CLI_BAD_INPUT;
  if (ss_solve_model (scenario, &options, &model, &transcribed, &error) != SS_OK)
    status = cli_fail ("%s: %s", path, error.message);
  else
    status = checks ? check (args, scenario, model) : search (args, scenario, model);
  ss_scenario_free (transcribed);
  ss_scenario_free (scenario);
  return status;
}
