/* app/cli/cli-accuracy.c: the verb `accuracy`: simulators against a reference. */
#include "app/cli/cli-common.h"

#include "app/base/ssapp-file.h"
#include "app/base/ssapp-method-list.h"
#include "app/base/ssapp-text.h"
#include "app/bench/ssapp-bench.h"
#include "app/study/ssapp-accuracy-ask.h"
#include "app/study/ssapp-accuracy-draw.h"
#include "app/study/ssapp-accuracy-runs.h"

#include <glib-unix.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

enum { MAX_REPEATS = 1000 };

typedef struct {
  const CliArgs *args;
  GMainLoop *loop;
  SsappAccuracyRuns *runs;
} Verb;

/* ---- what is asked for ------------------------------------------------------------------------------------------- */

/* Methods of a list, with these options as NAME=VALUE (NULL: none); NULL after an error that was told. */
static GPtrArray *
read_methods (const char *list, const GPtrArray *pairs)
{
  g_autofree char *message = NULL;
  g_autoptr (GPtrArray) parsed = ssapp_bench_methods_parse (SS_METHOD_INTEGRATOR, list, &message);

  for (guint i = 0; parsed != NULL && pairs != NULL && i < pairs->len; i++) {
    g_autofree char *name = NULL;
    const char *value;
    cli_args_split (g_ptr_array_index (pairs, i), &name, &value);
    if (!ssapp_bench_methods_set (parsed, name, value, &message))
      g_clear_pointer (&parsed, g_ptr_array_unref);
  }
  if (parsed == NULL) {
    cli_fail ("%s", message);
    return NULL;
  }
  GPtrArray *methods = g_ptr_array_new_with_free_func ((GDestroyNotify)ssapp_accuracy_method_free);
  for (guint i = 0; i < parsed->len; i++) {
    SsappBenchMethod *method = g_ptr_array_index (parsed, i);
    g_ptr_array_add (method->names, NULL);
    g_ptr_array_add (method->values, NULL);
    g_ptr_array_add (methods, ssapp_accuracy_method_new (method->method, method->label,
                                                         (const char *const *)method->names->pdata,
                                                         (const char *const *)method->values->pdata));
  }
  return methods;
}

/* What --reference or --closed-form names; FALSE after an error that was told. */
static gboolean
read_reference (const CliArgs *args, const SsScenario *scenario, SsappStore *store, SsappAccuracyReference *reference)
{
  const char *what = cli_args_text (args, "--reference");
  GPtrArray *pairs = cli_args_list (args, "--closed-form");
  g_autoptr (GString) formulas = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < pairs->len; i++)
    g_string_append_printf (formulas, "%s%s", i > 0 ? ";" : "", (char *)g_ptr_array_index (pairs, i));
  if (pairs->len > 0 && what != NULL)
    return cli_fail ("--reference and --closed-form both say what motions are compared with") == CLI_OK;
  if (ssapp_accuracy_read_reference (pairs->len > 0 ? formulas->str
                                     : what != NULL ? what
                                                    : "",
                                     scenario, store, reference, &error))
    return TRUE;
  return cli_fail ("%s", error->message) == CLI_OK;
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

static void
on_changed (SsappAccuracyRuns *runs, Verb *self)
{
  guint done, total;
  g_autofree char *words = NULL;

  ssapp_accuracy_runs_get_progress (runs, &done, &total, &words);
  if (!cli_args_flag (self->args, "--quiet") && !cli_args_flag (self->args, "--json"))
    fprintf (stderr, "\r%u of %u runs%s", done, total, done == total ? "\n" : "");
}

static void
on_ended (SsappAccuracyRuns *runs, Verb *self)
{
  (void)runs;
  g_main_loop_quit (self->loop);
}

static gboolean
on_interrupt (gpointer user_data)
{
  Verb *self = user_data;

  ssapp_accuracy_runs_stop (self->runs);
  return G_SOURCE_CONTINUE;
}

/* ---- output ------------------------------------------------------------------------------------------------------ */

static void
print_table (SsappTable *table)
{
  g_autofree char *text = ssapp_table_write (table, SSAPP_TABLE_TEXT);

  printf ("%s\n", text);
  ssapp_table_free (table);
}

/* Why runs have no errors, each reason once. */
static void
print_reasons (const SsappAccuracy *accuracy)
{
  for (guint i = 0; i < accuracy->rows->len; i++) {
    const SsappAccuracyRow *row = &g_array_index (accuracy->rows, SsappAccuracyRow, i);
    const SsappAccuracyMethod *method = g_ptr_array_index (accuracy->methods, row->method);
    const gboolean is_told = i > 0 && row[-1].method == row->method && g_strcmp0 (row[-1].message, row->message) == 0;
    if (isfinite (row->errors[SSAPP_ERROR_MEAN]) || is_told)
      continue;
    g_autofree char *shown = ssapp_text_visible (row->message, FALSE);
    printf ("%s, step %.4g s: %s\n", method->label, row->dt, shown);
  }
}

static gboolean
write_table (const CliArgs *args, const SsappAccuracy *accuracy, GError **error)
{
  const char *path = cli_args_text (args, "--to"), *name = cli_args_text (args, "--table");
  SsappTableFormat format;

  if (path == NULL)
    return TRUE;
  ssapp_table_format_of_path (path, &format); /* checked before the runs */
  g_autoptr (SsappTable) table = ssapp_accuracy_table_by_name (accuracy, name != NULL ? name : "runs");
  g_autofree char *text = ssapp_table_write (table, format);
  return ssapp_write_file (path, text, -1, error);
}

static int
write_all (const CliArgs *args, const SsappAccuracy *accuracy)
{
  const char *figure = cli_args_text (args, "--figure");
  g_autoptr (GError) error = NULL;

  if (cli_args_flag (args, "--json")) {
    json_t *json = ssapp_accuracy_to_json (accuracy);
    cli_print_json (json);
    json_decref (json);
  } else {
    print_table (ssapp_accuracy_runs_table (accuracy));
    print_table (ssapp_accuracy_orders_table (accuracy));
    if (g_strcmp0 (cli_args_text (args, "--table"), "energy") == 0)
      print_table (ssapp_accuracy_energy_table (accuracy));
    print_reasons (accuracy);
  }
  if (!write_table (args, accuracy, &error) ||
      (figure != NULL &&
       !ssapp_accuracy_export (accuracy, cli_args_number (args, "--width", CLI_WIDTH_MM), figure, &error))) {
    cli_fail ("%s", error->message);
    return CLI_BROKEN;
  }
  return CLI_OK;
}

/* Names of formats and tables, before an hour of runs and not after it. */
static gboolean
check_outputs (const CliArgs *args)
{
  const char *table = cli_args_text (args, "--table");

  if (table != NULL && strcmp (table, "runs") != 0 && strcmp (table, "orders") != 0 && strcmp (table, "energy") != 0)
    cli_fail ("there is no table '%s'; there are runs, orders and energy", table);
  else
    return cli_check_output (args, "--to") == CLI_OK && cli_check_output (args, "--figure") == CLI_OK;
  return FALSE;
}

static int
status_of (const Verb *self)
{
  const SsappAccuracy *accuracy = ssapp_accuracy_runs_get (self->runs);

  if (ssapp_accuracy_runs_was_stopped (self->runs))
    return CLI_STOPPED;
  for (guint i = 0; i < accuracy->rows->len; i++)
    if (isfinite (g_array_index (accuracy->rows, SsappAccuracyRow, i).errors[SSAPP_ERROR_MEAN]))
      return CLI_OK;
  return CLI_NO_SUCCESS;
}

static int
run_plan (Verb *self, const SsappAccuracyPlan *plan)
{
  g_autoptr (GError) error = NULL;
  int status;

  self->runs = ssapp_accuracy_runs_new (plan, &error);
  if (self->runs == NULL)
    return cli_fail ("%s", error->message);
  self->loop = g_main_loop_new (NULL, FALSE);
  g_unix_signal_add (SIGINT, on_interrupt, self);
  g_unix_signal_add (SIGTERM, on_interrupt, self);
  g_signal_connect (self->runs, "changed", G_CALLBACK (on_changed), self);
  g_signal_connect (self->runs, "ended", G_CALLBACK (on_ended), self);
  ssapp_accuracy_runs_start (self->runs);
  if (ssapp_accuracy_runs_is_running (self->runs))
    g_main_loop_run (self->loop);
  status = write_all (self->args, ssapp_accuracy_runs_get (self->runs));
  if (status == CLI_OK)
    status = status_of (self);
  if (ssapp_accuracy_runs_get_store_error (self->runs) != NULL) {
    cli_fail ("%s", ssapp_accuracy_runs_get_store_error (self->runs));
    status = CLI_BROKEN;
  }
  g_clear_object (&self->runs);
  g_main_loop_unref (self->loop);
  return status;
}

/* With everything read; takes the reference's truth. */
static int
run_with (Verb *self, const SsScenario *scenario, GPtrArray *methods, SsappStore *store,
          SsappAccuracyReference *reference)
{
  const CliArgs *args = self->args;
  GPtrArray *pairs = cli_args_list (args, "--set");
  g_autoptr (GArray) set = g_array_new (FALSE, FALSE, sizeof (SsOverride));
  const double t_end = cli_args_number (args, "--t-end", NAN);
  const char *list = cli_args_text (args, "--steps"), *error_name = cli_args_text (args, "--error");
  GPtrArray *outcomes = cli_args_list (args, "--outcome");
  SsappErrorKind kind = outcomes->len > 0 ? SSAPP_ERROR_OUTCOME : SSAPP_ERROR_MEAN;
  g_autoptr (GError) error = NULL;
  int status = CLI_BAD_INPUT;

  if (error_name != NULL && !ssapp_error_kind_from_name (error_name, &kind))
    return cli_fail ("there is no error '%s'; there are mean, max, end and outcome", error_name);
  if (outcomes->len > 1 || (kind == SSAPP_ERROR_OUTCOME && outcomes->len == 0))
    return cli_fail ("the error of an outcome needs one --outcome NAME=FORMULA");
  g_autoptr (GArray) steps =
      ssapp_accuracy_read_steps (list != NULL ? list : "", isnan (t_end) ? scenario->task.t_end : t_end, &error);
  if (steps == NULL)
    return cli_fail ("%s", error->message);
  for (guint i = 0; i < pairs->len; i++) {
    const char *value;
    SsOverride item = {0};
    cli_args_split (g_ptr_array_index (pairs, i), (char **)(void *)&item.name, &value);
    if (ss_parse_double (value, &item.value) && !cli_set_is_number (item.name))
      g_array_append_val (set, item);
  }
  const SsappAccuracyPlan plan = {
      .scenario_text = scenario->text,
      .scenario_name = scenario->name,
      .set = (const SsOverride *)(const void *)set->data,
      .n_set = (int)set->len,
      .methods = methods,
      .steps = (const double *)(const void *)steps->data,
      .n_steps = steps->len,
      .t_end = t_end,
      .reference = reference->method,
      .truth = g_steal_pointer (&reference->truth),
      .reference_step = cli_args_number (args, "--reference-step", NAN),
      .kind = kind,
      .channels = cli_args_text (args, "--channels"),
      .repeats = (guint)CLAMP (cli_args_number (args, "--repeats", 1), 1, MAX_REPEATS),
      .time_limit = cli_args_number (args, "--time-limit", NAN),
      .outcome = outcomes->len > 0 ? g_ptr_array_index (outcomes, 0) : NULL,
      .store = store,
  };
  status = run_plan (self, &plan);
  for (guint i = 0; i < set->len; i++)
    g_free ((char *)g_array_index (set, SsOverride, i).name);
  return status;
}

int
cli_accuracy (const CliArgs *args)
{
  const char *list = cli_args_text (args, "--methods");
  g_autofree char *all = list == NULL ? ssapp_method_list_all (SS_METHOD_INTEGRATOR) : NULL;
  Verb self = {.args = args};
  SsappStore *store = NULL;
  SsappAccuracyReference reference = {0};
  int status = CLI_OK;

  if (!check_outputs (args))
    return CLI_BAD_INPUT;
  SsScenario *scenario = cli_read_scenario (args, cli_args_positional (args, 0));
  if (scenario == NULL)
    return CLI_BAD_INPUT;
  GPtrArray *methods = read_methods (list != NULL ? list : all, cli_args_list (args, "--option"));
  if (methods != NULL)
    store = cli_open_project (args, TRUE, &status);
  if (methods == NULL || status != CLI_OK || !read_reference (args, scenario, store, &reference)) {
    status = status != CLI_OK ? status : CLI_BAD_INPUT;
  } else {
    cli_use_own_worker ();
    status = run_with (&self, scenario, methods, store, &reference);
  }
  if (cli_close_project (&store) != CLI_OK)
    status = CLI_BROKEN;
  g_clear_pointer (&methods, g_ptr_array_unref);
  ssapp_accuracy_reference_clear (&reference);
  ss_scenario_free (scenario);
  return status;
}
