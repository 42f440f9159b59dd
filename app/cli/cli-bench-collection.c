/* app/cli/cli-bench-collection.c: suite collection of the verb `bench`: problems of a folder by several methods. */
#include "app/cli/cli-bench-common.h"

#include "app/base/ssapp-method-list.h"
#include "app/bench/ssapp-bench-collection.h"

#include <math.h>
#include <stdio.h>

static const double TIME_LIMIT = 60; /* of one solve [s] */
enum { REPEATS = 1, MAX_REPEATS = 1000 };

static void
tell_run (const SsappBenchRun *run, int index, int count, gpointer user_data)
{
  (void)user_data;
  fprintf (stderr, "%3d/%d  %-28s %-14s %-14s objective %-11.5g violation %.1e  %.3f s\n", index + 1, count,
           run->instance->condition, run->method->label, ss_outcome_name (run->outcome),
           ssapp_bench_run_get (run, SS_METRIC_OBJECTIVE), ssapp_bench_run_get (run, SS_METRIC_MAX_VIOLATION),
           ssapp_bench_run_get (run, SS_METRIC_CPU_SECONDS));
}

static int
run_and_tell (const CliArgs *args, const SsappBenchPlan *plan, gboolean is_whole)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *runs = ssapp_bench_run (plan, &error);
  const gboolean is_complete = error == NULL && !cli_was_cancelled ();
  gboolean is_success = is_complete && is_whole;

  for (guint i = 0; i < runs->len; i++) {
    const SsappBenchRun *run = g_ptr_array_index (runs, i);
    is_success = is_success && run->is_done && run->outcome == SS_OUTCOME_SOLVED;
  }
  int status = cli_bench_print_sheet (
      args, "collection", ssapp_bench_collection_sheet (plan->methods, runs, cli_args_flag (args, "--json")),
      is_success);
  const SsappBenchReport report = {plan->instances, plan->methods,    runs,       NULL,
                                   plan->repeats,   plan->time_limit, is_complete};
  g_autofree char *csv = ssapp_bench_report_csv (&report);
  if (cli_bench_write_csv (cli_args_text (args, "--to"), csv) != CLI_OK)
    status = CLI_BROKEN;
  if (error != NULL) {
    cli_fail ("%s", error->message);
    status = CLI_BROKEN;
  }
  g_ptr_array_unref (runs);
  return status;
}

int
cli_bench_collection (const CliArgs *args)
{
  g_autofree char *everything = ssapp_method_list_all (SS_METHOD_OPTIMISER);
  GPtrArray *methods = cli_bench_methods (args, SS_METHOD_OPTIMISER, everything);
  SsappBenchPlan plan = {.methods = methods, .control = cli_control ()};
  g_autoptr (GString) refused = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  int status = CLI_BAD_INPUT;

  if (methods == NULL)
    return status;
  if (cli_args_n_positional (args) < 2)
    cli_fail ("suite collection needs a folder: bench collection FOLDER");
  else if ((plan.repeats = cli_bench_count (args, "--repeats", REPEATS, MAX_REPEATS)) > 0 &&
           !isnan (plan.time_limit = cli_bench_positive (args, "--time-limit", TIME_LIMIT, FALSE))) {
    plan.instances = ssapp_bench_collection (cli_args_positional (args, 1), methods, refused, &error);
    fputs (refused->str, stderr);
    if (plan.instances == NULL)
      cli_fail ("%s", error->message);
    else if (plan.instances->len == 0)
      cli_fail ("%s has no problem that these methods solve (expected .stickslip.json or .nl)",
                cli_args_positional (args, 1));
    else {
      plan.store = cli_open_project (args, TRUE, &status);
      if (cli_bench_listener (args) != NULL)
        plan.tell = tell_run;
      if (status == CLI_OK)
        status = run_and_tell (args, &plan, refused->len == 0);
      if (cli_close_project (&plan.store) != CLI_OK)
        status = CLI_BROKEN;
    }
  }
  g_clear_pointer (&plan.instances, g_ptr_array_unref);
  g_ptr_array_unref (methods);
  return status;
}
