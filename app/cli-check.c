/* app/cli-check.c: verbs that look at a scenario and run nothing: validate, evaluate. */
#include "app/cli-common.h"

#include "app/ssapp-json.h"
#include "app/ssapp-result.h"
#include "mpcc/ss-problem.h"
#include "run/ss-run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- validate --------------------------------------------------------------------------------------------------------------------- */

/* Fields that may be misspelt; they do not make a file invalid. */
static json_t *
warnings_to_json (const SsScenario *scenario)
{
  json_t *list = json_array ();

  for (int i = 0; scenario != NULL && i < scenario->n_warnings; i++)
    json_array_append_new (list, json_pack ("{s:i, s:s, s:s}", "line", scenario->warnings[i].line, "path",
                                            scenario->warnings[i].path, "message", scenario->warnings[i].message));
  return list;
}

static void
print_valid (const char *path, const SsScenario *scenario)
{
  char line[1024];

  for (int i = 0; i < scenario->n_warnings; i++) {
    SsError warning = scenario->warnings[i];
    g_snprintf (warning.message, sizeof warning.message, "warning: %s", scenario->warnings[i].message);
    ss_error_format (&warning, line, sizeof line);
    printf ("%s\n", line);
  }
  printf ("%s: valid (%s, %s)\n", path, scenario->name, scenario->model != NULL ? "model" : "scene");
}

int
cli_validate (const CliArgs *args)
{
  const gboolean json = cli_args_flag (args, "--json"), quiet = cli_args_flag (args, "--quiet");
  json_t *report = json_array ();
  int status = CLI_OK;

  for (int i = 0; i < cli_args_n_positional (args); i++) {
    const char *path = cli_args_positional (args, i);
    SsProblems problems;
    ss_problems_init (&problems);
    SsScenario *scenario = cli_read_scenario_problems (args, path, &problems);
    if (scenario != NULL && ss_method_check_defaults (scenario, &problems) != SS_OK)
      g_clear_pointer (&scenario, ss_scenario_free);
    if (scenario == NULL)
      status = CLI_BAD_INPUT;
    if (json)
      json_array_append_new (report,
                             json_pack ("{s:s, s:b, s:o, s:o}", "file", path, "valid", scenario != NULL, "problems",
                                        ssapp_problems_to_json (&problems), "warnings", warnings_to_json (scenario)));
    else if (scenario == NULL)
      cli_print_problems (stdout, &problems); /* the report is what this verb is for */
    else if (!quiet)
      print_valid (path, scenario);
    ss_problems_clear (&problems);
    ss_scenario_free (scenario);
  }
  if (json)
    cli_print_json (report);
  json_decref (report);
  return status;
}

/* ---- evaluate --------------------------------------------------------------------------------------------------------------------- */

/* The reference's second point: x_j = 0.3 sin(0.37 (j + 1)). */
static void
fill_test_point (double *x, int n)
{
  static const double amplitude = 0.3, frequency = 0.37;

  for (int j = 0; j < n; j++)
    x[j] = amplitude * sin (frequency * (j + 1));
}

/* Index of the model's variable, -1 for columns that are none (t). */
static int
variable_index (const SsModel *model, const char *name)
{
  for (int i = 0; i < model->n_variables; i++)
    if (strcmp (model->variables[i], name) == 0)
      return i;
  return -1;
}

/* What trajectories show besides the variables. */
static gboolean
is_channel (const SsModel *model, const char *name)
{
  for (int i = 0; i < model->n_channels; i++)
    if (strcmp (model->channels[i].name, name) == 0)
      return TRUE;
  return strcmp (name, "t") == 0;
}

static gboolean
read_header (const SsModel *model, char **fields, int *columns, const char *path)
{
  gboolean *seen = g_new0 (gboolean, model->n_variables);
  gboolean ok = TRUE;

  for (int c = 0; fields[c] != NULL; c++) {
    columns[c] = variable_index (model, g_strstrip (fields[c]));
    if (columns[c] >= 0)
      seen[columns[c]] = TRUE;
    else if (!is_channel (model, fields[c]))
      cli_fail ("%s:1: column '%s' is no variable of the scenario and is ignored", path, fields[c]);
  }
  for (int i = 0; i < model->n_variables && ok; i++)
    if (!seen[i]) {
      cli_fail ("%s:1: there is no column for the variable '%s'", path, model->variables[i]);
      ok = FALSE;
    }
  g_free (seen);
  return ok;
}

static gboolean
read_point (const SsModel *model, const char *path, double *x)
{
  char *text = cli_read_text (path);
  char **lines = text != NULL ? g_strsplit (text, "\n", -1) : NULL;
  char **header = lines != NULL && lines[0] != NULL ? g_strsplit (lines[0], ",", -1) : NULL;
  const int n_columns = header != NULL ? (int)g_strv_length (header) : 0;
  int *columns = g_new0 (int, n_columns + 1);
  gboolean ok = n_columns > 0 && read_header (model, header, columns, path);
  int row = 0;

  for (int i = 1; ok && lines[i] != NULL; i++) {
    if (g_strstrip (lines[i])[0] == '\0')
      continue;
    char **fields = g_strsplit (lines[i], ",", -1);
    if ((int)g_strv_length (fields) != n_columns) {
      cli_fail ("%s:%d: %u values (expected %d)", path, i + 1, g_strv_length (fields), n_columns);
      ok = FALSE;
    }
    for (int c = 0; ok && c < n_columns; c++) {
      double value;
      if (columns[c] < 0 || row >= model->n_points)
        continue;
      ok = ss_parse_double (g_strstrip (fields[c]), &value);
      if (ok)
        x[row * model->n_variables + columns[c]] = value;
      else
        cli_fail ("%s:%d: '%s' is no number", path, i + 1, fields[c]);
    }
    row++;
    g_strfreev (fields);
  }
  if (ok && row != model->n_points) {
    cli_fail ("%s has %d rows (expected %d, one for each time point)", path, row, model->n_points);
    ok = FALSE;
  }
  g_free (columns);
  g_strfreev (header);
  g_strfreev (lines);
  g_free (text);
  return ok;
}

static void
print_metrics (const SsScenario *scenario, const char *at, const SsMetrics *m)
{
  char objective[40], largest[40], equality[40], inequality[40], product[40], l1[40];

  ss_format_double (m->objective, objective, sizeof objective);
  ss_format_double (m->max_violation, largest, sizeof largest);
  ss_format_double (m->violation_equality, equality, sizeof equality);
  ss_format_double (m->violation_inequality, inequality, sizeof inequality);
  ss_format_double (m->violation_product, product, sizeof product);
  ss_format_double (m->l1_violation, l1, sizeof l1);
  printf ("%s at %s\n", scenario->name, at);
  printf ("  variables             %d\n", m->n_variables);
  printf ("  equality rows         %d\n", m->n_equalities);
  printf ("  inequality rows       %d (of these %d products)\n", m->n_inequalities, m->n_products);
  printf ("  objective             %s\n", objective);
  printf ("  equality violation    %s\n", equality);
  printf ("  inequality violation  %s\n", inequality);
  printf ("  product violation     %s\n", product);
  printf ("  max violation         %s%s%s\n", largest, m->worst[0] != '\0' ? "  at " : "", m->worst);
  printf ("  L1 violation          %s\n", l1);
}

int
cli_evaluate (const CliArgs *args)
{
  const char *path = cli_args_positional (args, 0), *at = cli_args_text (args, "--at");
  SsScenario *scenario = cli_read_scenario (args, path);
  SsMetrics metrics;
  SsError error = {0};
  SsStatus status = SS_OK;
  int exit_status = CLI_OK;

  if (scenario == NULL)
    return CLI_BAD_INPUT;
  if (at == NULL)
    at = "guess";
  SsScenario *plan = NULL;
  const SsScenario *model = NULL;
  status = ss_run_model (scenario, NULL, &model, &plan, &error);
  if (status != SS_OK) {
    exit_status = cli_fail ("%s: %s", path, error.message);
    ss_scenario_free (scenario);
    return exit_status;
  }
  const int n = model->model->n_points * model->model->n_variables;
  double *x = g_new0 (double, n);
  if (strcmp (at, "test") == 0)
    fill_test_point (x, n);
  else if (strcmp (at, "guess") == 0)
    status = ss_problem_guess (model, x, &error);
  else if (strcmp (at, "zeros") != 0 && !read_point (model->model, at, x))
    exit_status = CLI_BAD_INPUT;
  if (exit_status == CLI_OK && status == SS_OK)
    status = ss_metrics_compute (model, x, &metrics, &error);
  if (status != SS_OK) {
    exit_status = cli_fail ("%s: %s", path, error.message);
  } else if (exit_status == CLI_OK && cli_args_flag (args, "--json")) {
    json_t *report = json_pack ("{s:i, s:{s:s, s:s}, s:s, s:o}", "format", 1, "scenario", "name", scenario->name,
                                "sha256", scenario->sha256, "at", at, "metrics", ssapp_metrics_to_json (&metrics));
    cli_print_json (report);
    json_decref (report);
  } else if (exit_status == CLI_OK) {
    print_metrics (scenario, at, &metrics);
  }
  g_free (x);
  ss_scenario_free (plan);
  ss_scenario_free (scenario);
  return exit_status;
}
