/* app/cli/cli-bench-collection.c: suite collection of the verb `bench`: problems of a folder by several methods. */
#include "app/cli/cli-bench-common.h"

#include "app/bench/ssapp-bench-collection.h"

#include <stdio.h>

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
  const SsappBenchReport report = {plan->instances, plan->methods,   runs,       NULL,
                                   plan->repeats,   plan->cpu_limit, is_complete};
  g_autofree char *csv = ssapp_bench_report_csv (&report);
  int status = cli_bench_print_sheet (
      args, "collection", ssapp_bench_collection_sheet (plan->methods, runs, cli_args_flag (args, "--json")), csv,
      is_success);
  if (error != NULL) {
    cli_fail ("%s", error->message);
    status = CLI_BROKEN;
  }
  g_ptr_array_unref (runs);
  return status;
}

int
cli_bench_collection (const CliArgs *args, const CliBenchAsked *asked)
{
  const char *folder = cli_args_n_positional (args) > 1 ? cli_args_positional (args, 1) : NULL;
  SsappBenchPlan plan = {.methods = asked->methods,
                         .repeats = asked->repeats,
                         .cpu_limit = asked->cpu_limit,
                         .control = cli_control (),
                         .tell = cli_bench_listener (args) != NULL ? tell_run : NULL};
  g_autoptr (GString) refused = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  int status = CLI_OK;

  if (folder == NULL)
    return cli_fail ("suite collection needs a folder: bench collection FOLDER");
  g_autoptr (GPtrArray) instances = ssapp_bench_collection (folder, asked->methods, refused, &error);
  fputs (refused->str, stderr);
  if (instances == NULL)
    return cli_fail ("%s", error->message);
  if (instances->len == 0)
    return cli_fail ("%s has no problem that these methods solve (expected .stickslip.json or .nl)", folder);
  plan.instances = instances;
  plan.store = cli_open_project (args, TRUE, &status);
  if (status == CLI_OK)
    status = run_and_tell (args, &plan, refused->len == 0);
  return cli_close_project (&plan.store) != CLI_OK ? CLI_BROKEN : status;
}
