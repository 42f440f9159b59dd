/* app/cli/cli-check.c: verbs that look at a scenario and run nothing: validate, evaluate. */
#include "app/cli/cli-common.h"

#include "app/base/ssapp-import.h"
#include "app/base/ssapp-json.h"
#include "app/base/ssapp-metric.h"
#include "app/document/ssapp-overlap.h"
#include "app/job/ssapp-result.h"
#include "dynamics/ss-start-fit.h"
#include "mpcc/ss-problem.h"
#include "run/ss-run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Overlaps that are told, deepest first. */
#define OVERLAPS_MAX 20

/* ---- validate ---------------------------------------------------------------------------------------------------- */

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

/* Bodies that overlap at the start although they may collide. */
static json_t *
overlaps_to_json (const SsScenario *scenario)
{
  json_t *list = json_array ();
  const SsScene *scene = scenario != NULL ? scenario->scene : NULL;
  g_autoptr (GArray) overlaps = scene != NULL ? ssapp_overlaps_find (scene, OVERLAPS_MAX) : NULL;

  for (guint i = 0; overlaps != NULL && i < overlaps->len; i++) {
    const SsappOverlap *overlap = &g_array_index (overlaps, SsappOverlap, i);
    json_array_append_new (list, json_pack ("{s:[s, s], s:f}", "bodies", scene->bodies[overlap->a].name,
                                            scene->bodies[overlap->b].name, "depth", overlap->depth));
  }
  return list;
}

static void
print_overlaps (const char *path, const SsScenario *scenario)
{
  g_autoptr (GArray) overlaps = scenario->scene != NULL ? ssapp_overlaps_find (scenario->scene, OVERLAPS_MAX) : NULL;

  for (guint i = 0; overlaps != NULL && i < overlaps->len; i++) {
    g_autofree char *text = ssapp_overlap_text (scenario->scene, &g_array_index (overlaps, SsappOverlap, i));
    printf ("%s: warning: %s at the start\n", path, text);
  }
}

/* Of start velocities that do not fit a joint, whatever the method: one that is a spring of some keeps them there. */
static SsStartMisfit
misfit_of (const SsScenario *scenario)
{
  SsStartMisfit misfit = {.joint = -1};

  if (scenario == NULL || scenario->scene == NULL ||
      ss_start_misfit_of_scene (scenario->scene, true, &misfit, NULL) != SS_OK)
    misfit.joint = -1;
  return misfit;
}

static json_t *
start_to_json (const SsScenario *scenario)
{
  const SsStartMisfit misfit = misfit_of (scenario);

  return misfit.joint < 0 ? json_null ()
                          : json_pack ("{s:s, s:f, s:f}", "joint", scenario->scene->joints[misfit.joint].name, "energy",
                                       misfit.energy, "kinetic", misfit.kinetic);
}

static void
print_start (const char *path, const SsScenario *scenario)
{
  const SsStartMisfit misfit = misfit_of (scenario);
  char text[320];

  if (misfit.joint < 0)
    return;
  ss_start_misfit_text (scenario->scene, &misfit, text, sizeof text);
  printf ("%s: warning: %s\n", path, text);
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
      status = MAX (status, cli_status_of_problems (&problems));
    if (json)
      json_array_append_new (report, json_pack ("{s:s, s:b, s:o, s:o, s:o, s:o}", "file", path, "valid",
                                                scenario != NULL, "problems", ssapp_problems_to_json (&problems),
                                                "warnings", warnings_to_json (scenario), "overlaps",
                                                overlaps_to_json (scenario), "start", start_to_json (scenario)));
    else if (scenario == NULL)
      cli_print_problems (stdout, &problems); /* the report is what this verb is for */
    else if (!quiet) {
      print_valid (path, scenario);
      print_overlaps (path, scenario);
      print_start (path, scenario);
    }
    ss_problems_clear (&problems);
    ss_scenario_free (scenario);
  }
  if (json)
    cli_print_json (report);
  json_decref (report);
  return status;
}

/* ---- evaluate ---------------------------------------------------------------------------------------------------- */

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
    if (strcmp (model->channels[i].about.name, name) == 0)
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

/* A table of rows as a trajectory has them; points that are no rows keep what x has. */
static gboolean
read_point (const SsModel *model, const char *path, double *x)
{
  char *text = cli_read_text (path);
  char **lines = text != NULL ? g_strsplit (ssapp_import_skip_mark (text), "\n", -1) : NULL;
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
      if (columns[c] < 0 || row >= ss_model_n_rows (model) || (model->row_is_end != NULL && model->row_is_end[row]))
        continue;
      ok = ss_parse_double (g_strstrip (fields[c]), &value);
      if (ok)
        x[ss_model_point_of_row (model, row) * model->n_variables + columns[c]] = value;
      else
        cli_fail ("%s:%d: '%s' is no number", path, i + 1, fields[c]);
    }
    row++;
    g_strfreev (fields);
  }
  if (ok && row != ss_model_n_rows (model)) {
    cli_fail ("%s has %d rows (expected %d, one for each time point)", path, row, ss_model_n_rows (model));
    ok = FALSE;
  }
  g_free (columns);
  g_strfreev (header);
  g_strfreev (lines);
  g_free (text);
  return ok;
}

gboolean
cli_fill_point (const SsScenario *model, const char *at, double *x)
{
  const int n = model->model->n_points * model->model->n_variables;
  SsStatus status = SS_OK;
  SsError error = {0};

  if (strcmp (at, "test") == 0)
    fill_test_point (x, n);
  else if (strcmp (at, "guess") == 0 || model->model->rows != NULL)
    status = ss_problem_guess (model, x, &error);
  if (strcmp (at, "zeros") == 0)
    memset (x, 0, sizeof *x * (size_t)n);
  if (status != SS_OK)
    cli_fail ("%s", error.message);
  else if (strcmp (at, "test") != 0 && strcmp (at, "guess") != 0 && strcmp (at, "zeros") != 0)
    return read_point (model->model, at, x);
  return status == SS_OK;
}

static void
print_metrics (const SsScenario *scenario, const char *at, const SsMetricSet *set, const char *worst)
{
  static const SsMetric shown[] = {
      SS_METRIC_N_VARIABLES,  SS_METRIC_N_EQUALITIES,       SS_METRIC_N_INEQUALITIES,       SS_METRIC_N_PRODUCTS,
      SS_METRIC_OBJECTIVE,    SS_METRIC_VIOLATION_EQUALITY, SS_METRIC_VIOLATION_INEQUALITY, SS_METRIC_VIOLATION_PRODUCT,
      SS_METRIC_L1_VIOLATION, SS_METRIC_MAX_VIOLATION};

  printf ("%s at %s\n", scenario->name, at);
  for (guint i = 0; i < G_N_ELEMENTS (shown); i++) {
    g_autofree char *title = ssapp_metric_heading (shown[i]);
    char value[40]; /* with all digits: a point is evaluated to compare it */
    ss_format_double (ss_metric_get (set, shown[i]), value, sizeof value);
    printf ("  %-26s %s%s%s\n", title, value, shown[i] == SS_METRIC_MAX_VIOLATION && worst[0] != '\0' ? "  at " : "",
            shown[i] == SS_METRIC_MAX_VIOLATION ? worst : "");
  }
}

int
cli_evaluate (const CliArgs *args)
{
  const char *path = cli_args_positional (args, 0), *at = cli_args_text (args, "--at");
  SsScenario *scenario = cli_read_scenario (args, path);
  SsMetrics metrics;
  SsMetricSet set = {0};
  SsError error = {0};
  SsStatus status = SS_OK;
  int exit_status = CLI_OK;

  if (scenario == NULL)
    return CLI_BAD_INPUT;
  if (at == NULL)
    at = "guess";
  SsScenario *plan = NULL;
  const SsScenario *model = NULL;
  status = ss_solve_model (scenario, NULL, &model, &plan, &error);
  if (status != SS_OK) {
    exit_status = cli_fail ("%s: %s", path, error.message);
    ss_scenario_free (scenario);
    return exit_status;
  }
  const int n = model->model->n_points * model->model->n_variables;
  double *x = g_new0 (double, n);
  if (!cli_fill_point (model, at, x))
    exit_status = CLI_BAD_INPUT;
  if (exit_status == CLI_OK && status == SS_OK)
    status = ss_metrics_compute (model, x, &metrics, &error);
  if (exit_status == CLI_OK && status == SS_OK)
    ss_metrics_fill_set (&metrics, &set);
  if (status != SS_OK) {
    exit_status = cli_fail ("%s: %s", path, error.message);
  } else if (exit_status == CLI_OK && cli_args_flag (args, "--json")) {
    json_t *report = json_pack ("{s:i, s:{s:s, s:s}, s:s}", "format", 1, "scenario", "name", scenario->name, "sha256",
                                scenario->sha256, "at", at);
    json_t *numbers = ssapp_metrics_to_json (&set);
    if (metrics.worst[0] != '\0')
      json_object_set_new (numbers, "worst", json_string (metrics.worst));
    json_object_set_new (report, "metrics", numbers);
    cli_print_json (report);
    json_decref (report);
  } else if (exit_status == CLI_OK) {
    print_metrics (scenario, at, &set, metrics.worst);
  }
  g_free (x);
  ss_scenario_free (plan);
  ss_scenario_free (scenario);
  return exit_status;
}
