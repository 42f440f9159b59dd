/* app/cli/cli-compliant.c: `impact --compliant`: an impact at two contacts that give way, over a sweep. */
#include "app/cli/cli-common.h"

#include "app/base/ssapp-json.h"
#include "app/export/ssapp-export.h"
#include "app/job/ssapp-compliant.h"

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
  return ss_outcome_is_success (outcome) ? CLI_OK : CLI_NO_SUCCESS;
}

int
cli_compliant (const CliArgs *args)
{
  static const char *const of_laws[] = {"--law", "--from"};
  const char *name = cli_args_text (args, "--compliant");
  SsappCompliantPlan plan = {.contacts = cli_args_text (args, "--contacts"), .body = cli_args_text (args, "--body")};
  GPtrArray *pairs = cli_args_list (args, "--option");
  g_autofree const char **options = g_new0 (const char *, pairs->len + 1);
  SsOutcome outcome;
  SsError error = {0};

  for (guint i = 0; i < G_N_ELEMENTS (of_laws); i++)
    if (cli_args_text (args, of_laws[i]) != NULL)
      return cli_fail ("%s is not for --compliant, which starts from the scene's state and has no law", of_laws[i]);
  if (!ssapp_compliant_sweep_from_name (name, &plan.sweep))
    return cli_fail ("--compliant %s: expected ratio or angle", name);
  if (cli_check_output (args, "--samples-out") != CLI_OK)
    return CLI_BAD_INPUT;
  for (guint i = 0; i < pairs->len; i++)
    options[i] = g_ptr_array_index (pairs, i);
  plan.options = options;
  SsScenario *scenario = cli_read_scenario (args, cli_args_positional (args, 0));
  if (scenario == NULL)
    return CLI_BAD_INPUT;
  SsSamples *table = ssapp_compliant_run (scenario, &plan, NULL, &outcome, &error);
  int status = CLI_BAD_INPUT;
  if (table != NULL) {
    status = report (args, table, outcome);
  } else {
    cli_fail ("%s%s%s", error.message, error.expected[0] != '\0' ? "; expected " : "", error.expected);
    if (error.status == SS_ERR_MEMORY)
      status = CLI_BROKEN;
  }
  ss_samples_free (table);
  ss_scenario_free (scenario);
  return status;
}
