/* app/bench/ssapp-bench-speed.c: suite fesd-speed: CPU time of single steps of fesd-j beside those of time stepping;
 * see ssapp-bench-fesd.h. */
#include "app/bench/ssapp-bench-fesd.h"

#include <math.h>

/* Half a frame: what the sandbox makes of a scene's 10 ms. [s] */
static const double step_length = 1.0 / 120;
static const double late_share = 95; /* percent */

static const struct {
  const char *name, *scene;
  int least; /* bodies */
} benches[] = {{"boxes on a floor", "falling-boxes", 1},
               {"pile of discs", "discs", 1},
               {"chain on a floor", "chain-on-floor", 1},
               {"dominoes", "domino-row", 2},
               {"stack at rest", "box-stack", 1}};

/* The steps of one method in one scene. */
typedef struct {
  GArray *milliseconds; /* of double: one a step */
  int n_late;           /* steps that took longer than they show */
  double residual;
  gboolean has_failed;
  char *end; /* owned */
} Run;

static void
run_clear (Run *run)
{
  g_array_unref (run->milliseconds);
  g_free (run->end);
}

static double
median_of (const Run *run)
{
  return ssapp_median ((const double *)(void *)run->milliseconds->data, (int)run->milliseconds->len);
}

static double
mean_of (const Run *run)
{
  return ssapp_mean ((const double *)(void *)run->milliseconds->data, (int)run->milliseconds->len);
}

static double
percentile_of (const Run *run, double percent)
{
  return ssapp_percentile ((const double *)(void *)run->milliseconds->data, (int)run->milliseconds->len, percent);
}

static gboolean
is_cancelled (const SsappBenchSimulatePlan *plan)
{
  return atomic_load (&plan->control->cancel) != 0;
}

static Run
time_steps (const SsappBenchSimulatePlan *plan, guint bench, int bodies, const SsappBenchMethod *method)
{
  const SsOverride set[] = {{"n", bodies}};
  Run run = {.milliseconds = g_array_new (FALSE, FALSE, sizeof (double))};
  SsappBenchWorld *world = ssapp_bench_world_new (benches[bench].scene, set, 1, method, &run.end);
  const double limit = ss_clock_wall () + plan->time_limit;

  run.has_failed = world == NULL;
  if (world == NULL)
    return run;
  while (world->steps < plan->steps && ss_clock_wall () < limit && !is_cancelled (plan) && !run.has_failed) {
    const double before = world->cpu_seconds;
    run.has_failed = !ssapp_bench_world_step (world, step_length);
    const double took = 1e3 * (world->cpu_seconds - before);
    g_array_append_val (run.milliseconds, took);
    run.n_late += took > 1e3 * step_length;
    world->state.t = world->steps * step_length;
  }
  run.residual = world->max_residual;
  run.end = g_strdup (run.has_failed ? world->message : world->steps < plan->steps ? "time limit" : "completed");
  ssapp_bench_world_free (world);
  return run;
}

static void
add_row (SsappBenchSheet *sheet, guint bench, int bodies, const char *method, const Run *run, const Run *beside)
{
  ssapp_bench_sheet_row (sheet);
  ssapp_bench_sheet_text (sheet, benches[bench].name);
  ssapp_bench_sheet_number (sheet, bodies);
  ssapp_bench_sheet_text (sheet, method);
  ssapp_bench_sheet_number (sheet, run->milliseconds->len);
  ssapp_bench_sheet_number (sheet, median_of (run));
  ssapp_bench_sheet_number (sheet, mean_of (run));
  ssapp_bench_sheet_number (sheet, percentile_of (run, late_share));
  ssapp_bench_sheet_number (sheet, percentile_of (run, 100));
  ssapp_bench_sheet_number (sheet, run->n_late);
  ssapp_bench_sheet_number (sheet, median_of (beside));
  ssapp_bench_sheet_number (sheet, median_of (run) / median_of (beside));
  ssapp_bench_sheet_number (sheet, mean_of (run) / mean_of (beside));
  ssapp_bench_sheet_number (sheet, run->residual);
  ssapp_bench_sheet_text (sheet, run->end);
}

/* All methods beside the last one; returns how many failed. */
static int
bench_one (const SsappBenchSimulatePlan *plan, SsappBenchSheet *sheet, guint bench, int bodies)
{
  const guint last = plan->methods->len - 1;
  Run beside = time_steps (plan, bench, bodies, g_ptr_array_index (plan->methods, last));
  int n_failed = beside.has_failed;

  for (guint m = 0; m < last && !is_cancelled (plan); m++) {
    const SsappBenchMethod *method = g_ptr_array_index (plan->methods, m);
    Run run = time_steps (plan, bench, bodies, method);
    add_row (sheet, bench, bodies, method->label, &run, &beside);
    n_failed += run.has_failed;
    if (plan->say != NULL) {
      char *line = g_strdup_printf ("%-16s %3d bodies  %-10s median %.3g ms, worst %.3g ms  %s", benches[bench].name,
                                    bodies, method->label, median_of (&run), percentile_of (&run, 100), run.end);
      plan->say (line);
      g_free (line);
    }
    run_clear (&run);
  }
  run_clear (&beside);
  return n_failed;
}

SsappBenchSheet *
ssapp_bench_fesd_speed (const SsappBenchSimulatePlan *plan, int *n_failed)
{
  g_return_val_if_fail (plan != NULL, NULL);
  static const char *const columns[] = {"scene|scene|0",
                                        "bodies|bodies|4",
                                        "method|method|0",
                                        "steps|steps|6",
                                        "median_ms|median [ms]|3",
                                        "mean_ms|mean|3",
                                        "p95_ms|95 %|3",
                                        "worst_ms|worst|3",
                                        "late|late|4",
                                        "beside_ms|beside [ms]|3",
                                        "ratio|ratio|3",
                                        "ratio_of_means|of means|3",
                                        "residual|residual|2",
                                        "end|end|0",
                                        NULL};
  const SsappBenchMethod *last = g_ptr_array_index (plan->methods, plan->methods->len - 1);
  SsappBenchSheet *sheet = ssapp_bench_sheet_new ();

  *n_failed = 0;
  ssapp_bench_sheet_table (sheet, "speed", "CPU time of single steps of 1/120 s, half a frame", columns);
  for (guint b = 0; b < G_N_ELEMENTS (benches); b++)
    for (int s = 0; s < plan->n_sizes && !is_cancelled (plan); s++)
      if (plan->sizes[s] >= benches[b].least)
        *n_failed += bench_one (plan, sheet, b, plan->sizes[s]);
  ssapp_bench_sheet_note (sheet, "beside: median of %s in the same scene; ratio: of the medians.", last->label);
  ssapp_bench_sheet_note (sheet, "late: steps that took longer than the 8.3 ms they show.");
  return sheet;
}
