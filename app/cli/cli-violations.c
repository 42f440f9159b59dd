/* app/cli/cli-violations.c: the verb `violations`: what an answer, an iterate or a point violates most. */
#include "app/cli/cli-common.h"

#include "app/base/ssapp-file.h"
#include "app/base/ssapp-json.h"
#include "app/base/ssapp-text.h"
#include "app/job/ssapp-violations.h"
#include "run/ss-run.h"

#include <stdio.h>
#include <string.h>

enum { TOP_USUAL = 20, TOP_MAX = 1000000, SHORT_ID = 8 };

typedef struct {
  SsViolations list;
  gboolean is_exact;
  char *title, *run; /* run: its id; NULL: of a file */
} Found;

static int
top_of (const CliArgs *args)
{
  return (int)CLAMP (cli_args_number (args, "--top", TOP_USUAL), 1, TOP_MAX);
}

/* ---- finding ----------------------------------------------------------------------------------------------------- */

static gboolean
find_of_row (const CliArgs *args, SsappStore *store, const SsappRunRow *row, Found *found, GError **error)
{
  const gboolean is_answer = cli_args_text (args, "--iterate") == NULL;
  g_autofree char *text = NULL;
  json_t *result = NULL;
  SsTrajectory *motion = NULL;
  gboolean ok = FALSE;

  if (row->kind != SS_METHOD_OPTIMISER) {
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED,
                 "run %s is by %s, which solves no rows: `show` prints the measures of a simulation", row->id,
                 row->method);
    return FALSE;
  }
  SsScenario *scenario = cli_load_scenario (store, row, error);
  if (scenario != NULL)
    motion = cli_read_motion_of (args, store, row->id, error);
  if (scenario != NULL && *error == NULL)
    text = ssapp_store_get_result_json (store, row->id, error);
  if (text != NULL)
    result = json_loads (text, 0, NULL);
  else if (row->options_json != NULL) /* it was broken off: what was asked for */
    result = json_pack ("{s:{s:o?}}", "method", "options", json_loads (row->options_json, 0, NULL));
  if (*error == NULL)
    ok = ssapp_violations_of_run (scenario, result, motion, is_answer, top_of (args), &found->list, &found->is_exact,
                                  error);
  found->run = g_strdup (row->id);
  found->title = g_strdup_printf ("Violations of run %.*s (%s)%s%s", SHORT_ID, row->id, row->method,
                                  is_answer ? "" : ", iterate ", is_answer ? "" : cli_args_text (args, "--iterate"));
  json_decref (result);
  ss_trajectory_free (motion);
  ss_scenario_free (scenario);
  return ok;
}

static int
find_of_run (const CliArgs *args, Found *found)
{
  const char *project = cli_args_text (args, "--project");
  g_autoptr (GError) error = NULL;
  int status = CLI_OK;

  if (project == NULL)
    return cli_fail ("%s is no file; a run needs --project FILE", cli_args_positional (args, 0));
  g_autoptr (SsappStore) store = ssapp_store_open (project, FALSE, &error);
  SsappRunRow *row = store != NULL ? ssapp_store_get_sound_run (store, cli_args_positional (args, 0), &error) : NULL;
  if (row == NULL || !find_of_row (args, store, row, found, &error))
    status = cli_fail ("%s", error->message);
  ssapp_run_row_free (row);
  return status;
}

static int
find_of_file (const CliArgs *args, Found *found)
{
  const char *path = cli_args_positional (args, 0), *at = cli_args_text (args, "--at");
  SsScenario *scenario = cli_read_scenario (args, path), *plan = NULL;
  const SsScenario *model = NULL;
  SsError error = {0};
  int status = CLI_OK;

  if (scenario == NULL)
    return CLI_BAD_INPUT;
  if (at == NULL)
    at = "guess";
  if (ss_solve_model (scenario, NULL, &model, &plan, &error) != SS_OK) {
    status = cli_fail ("%s: %s", path, error.message);
  } else {
    g_autofree double *x = g_new0 (double, (gsize)model->model->n_points *(gsize)model->model->n_variables + 1);
    if (!cli_fill_point (model, at, x))
      status = CLI_BAD_INPUT;
    else if (ss_violations_find (model, scenario->scene, x, top_of (args), NULL, &found->list, &error) != SS_OK)
      status = cli_fail ("%s: %s", path, error.message);
  }
  found->title = g_strdup_printf ("Violations of %s at %s", scenario->name, at);
  found->is_exact = TRUE;
  ss_scenario_free (plan);
  ss_scenario_free (scenario);
  return status;
}

/* ---- telling ----------------------------------------------------------------------------------------------------- */

static void
print_json (const Found *found)
{
  json_t *report = ssapp_violations_to_json (&found->list);

  json_object_set_new (report, "format", json_integer (1));
  json_object_set_new (report, "exact", json_boolean (found->is_exact));
  json_object_set_new (report, "max_violation", ssapp_json_real (found->list.n > 0 ? found->list.items[0].amount : 0));
  if (found->run != NULL)
    json_object_set_new (report, "run", json_string (found->run));
  cli_print_json (report);
  json_decref (report);
}

/* How many there are in all, and what is to be known of them. */
static void
add_notes (const Found *found, SsappTable *table)
{
  g_autofree char *count = g_strdup_printf ("%d of %d violated rows, of %d in all", found->list.n,
                                            found->list.n_violated, found->list.n_rows);

  ssapp_table_add_note (table, count);
  if (!found->is_exact)
    ssapp_table_add_note (table, "The motion does not say all of the point: what it lacks was completed, so that "
                                 "amounts are near those of the run, not equal");
}

static int
write_table (const CliArgs *args, const Found *found, SsappTableFormat format)
{
  g_autoptr (SsappTable) table = ssapp_violations_to_table (&found->list, NULL, found->title);

  add_notes (found, table);
  return cli_write_table (args, table, format);
}

int
cli_violations (const CliArgs *args)
{
  const char *name = cli_args_positional (args, 0);
  const gboolean is_file = cli_is_file (name);
  Found found = {0};
  int status = cli_check_output (args, "--to");
  const SsappTableFormat format = cli_table_format (args, &status);

  if (status != CLI_OK)
    return status;
  if (is_file && (cli_args_text (args, "--iterate") != NULL || cli_args_text (args, "--project") != NULL))
    return cli_fail ("%s is a file: --project and --iterate are of a run", name);
  if (!is_file && (cli_args_text (args, "--at") != NULL || cli_args_list (args, "--set")->len > 0))
    return cli_fail ("--at and --set are of a file; %s is none", name);
  status = is_file ? find_of_file (args, &found) : find_of_run (args, &found);
  if (status == CLI_OK && cli_args_flag (args, "--json"))
    print_json (&found);
  if (status == CLI_OK && (!cli_args_flag (args, "--json") || cli_args_text (args, "--to") != NULL))
    status = write_table (args, &found, format);
  ss_violations_clear (&found.list);
  g_free (found.title);
  g_free (found.run);
  return status;
}
