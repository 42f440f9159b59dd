/* app/cli/cli-compliant.c: `impact --compliant`: an impact at two contacts that give way, over a sweep. */
#include "app/cli/cli-common.h"

#include "app/base/ssapp-json.h"
#include "app/export/ssapp-export.h"
#include "app/job/ssapp-compliant.h"

#include <math.h>
#include <stdio.h>

/* {"columns": [...], "rows": [[...], ...]} */
static json_t *
table_to_json (const SsSamples *table)
{
  json_t *columns = json_array (), *rows = json_array ();

  for (int c = 0; c < table->n_columns; c++)
    json_array_append_new (columns, json_string (table->columns[c]));
  for (int k = 0; k < table->n_rows; k++) {
    json_t *row = json_array ();
    for (int c = 0; c < table->n_columns; c++)
      json_array_append_new (row, ssapp_json_real (table->values[(gsize)k * (gsize)table->n_columns + (gsize)c]));
    json_array_append_new (rows, row);
  }
  return json_pack ("{s:o, s:o}", "columns", columns, "rows", rows);
}

/* What is swept and the speeds of both contacts: the first five columns. */
static void
print_table (const SsSamples *table)
{
  enum { SHOWN = 5 };

  for (int c = 0; c < SHOWN && c < table->n_columns; c++)
    printf ("%16s%s", table->columns[c], c + 1 < SHOWN ? " " : "\n");
  for (int k = 0; k < table->n_rows; k++)
    for (int c = 0; c < SHOWN && c < table->n_columns; c++)
      printf ("%16.8g%s", table->values[(gsize)k * (gsize)table->n_columns + (gsize)c], c + 1 < SHOWN ? " " : "\n");
}

static int
report (const CliArgs *args, const SsSamples *table, SsOutcome outcome)
{
  const char *path = cli_args_text (args, "--samples-out");
  g_autoptr (GError) error = NULL;

  if (cli_args_flag (args, "--json")) {
    json_t *object = table_to_json (table);
    json_object_set_new (object, "format", json_integer (1));
    json_object_set_new (object, "outcome", json_string (ss_outcome_name (outcome)));
    cli_print_json (object);
    json_decref (object);
  } else if (path == NULL) {
    print_table (table);
  }
  if (path != NULL && !ssapp_export_samples_csv (table, table->n_columns, path, &error)) {
    cli_fail ("%s", error->message);
    return CLI_BROKEN;
  }
  return cli_status_of_outcome (ss_outcome_name (outcome));
}

/* Options that mean nothing here. */
static gboolean
check_options (const CliArgs *args)
{
  static const char *const of_laws[] = {"--law", "--seed", "--plane", "--tolerance", "--memory-limit"};

  for (guint i = 0; i < G_N_ELEMENTS (of_laws); i++)
    if (cli_args_text (args, of_laws[i]) != NULL) {
      cli_fail ("%s is not for --compliant, which has no law", of_laws[i]);
      return FALSE;
    }
  if (cli_args_text (args, "--project") != NULL && cli_args_text (args, "--from") == NULL) {
    cli_fail ("--project is the project of --from here: a sweep of --compliant is not stored");
    return FALSE;
  }
  if (cli_args_text (args, "--at") != NULL && cli_args_text (args, "--from") == NULL) {
    cli_fail ("--at is a time of the motion of --from, which was not given");
    return FALSE;
  }
  return TRUE;
}

/* The options of the study; --touching is one of them. */
static GPtrArray *
read_pairs (const CliArgs *args)
{
  GPtrArray *given = cli_args_list (args, "--option"), *pairs = g_ptr_array_new_with_free_func (g_free);
  const char *touching = cli_args_text (args, "--touching");

  if (touching != NULL)
    g_ptr_array_add (pairs, g_strdup_printf ("touching=%s", touching));
  for (guint i = 0; i < given->len; i++)
    g_ptr_array_add (pairs, g_strdup (g_ptr_array_index (given, i)));
  g_ptr_array_add (pairs, NULL);
  return pairs;
}

static int
run_plan (const CliArgs *args, const SsScenario *scenario, const SsappCompliantPlan *plan)
{
  const double seconds = cli_args_number (args, "--time-limit", INFINITY);
  SsOutcome outcome;
  SsError error = {0};

  cli_watch_signals ();
  cli_control ()->deadline = ss_clock_wall () + seconds;
  SsSamples *table = ssapp_compliant_run (scenario, plan, cli_control (), &outcome, &error);
  if (table == NULL) {
    cli_fail ("%s%s%s", error.message, error.expected[0] != '\0' ? "; expected " : "", error.expected);
    return error.status == SS_ERR_MEMORY ? CLI_BROKEN : CLI_BAD_INPUT;
  }
  const int status = report (args, table, outcome);
  ss_samples_free (table);
  return status;
}

int
cli_compliant (const CliArgs *args)
{
  const char *name = cli_args_text (args, "--compliant");
  SsappCompliantPlan plan = {.contacts = cli_args_text (args, "--contacts"),
                             .body = cli_args_text (args, "--body"),
                             .at = cli_args_number (args, "--at", NAN)};
  g_autoptr (GPtrArray) pairs = read_pairs (args);
  g_autofree char *run = NULL;
  SsTrajectory *motion = NULL;
  int status = CLI_BAD_INPUT;

  if (!check_options (args))
    return CLI_BAD_INPUT;
  if (!ssapp_compliant_sweep_from_name (name, &plan.sweep))
    return cli_fail ("--compliant %s: expected ratio or angle", name);
  if (cli_check_output (args, "--samples-out") != CLI_OK)
    return CLI_BAD_INPUT;
  plan.options = (const char *const *)pairs->pdata;
  SsScenario *scenario = cli_read_scenario (args, cli_args_positional (args, 0));
  if (scenario != NULL && cli_read_motion (args, &motion, &run)) {
    plan.motion = motion;
    status = run_plan (args, scenario, &plan);
  }
  ss_trajectory_free (motion);
  ss_scenario_free (scenario);
  return status;
}
