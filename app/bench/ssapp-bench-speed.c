/* app/bench/ssapp-bench-speed.c: suite fesd-speed: CPU time of single steps of fesd-j beside those of time stepping;
 * see ssapp-bench-fesd.h. */
#include "app/bench/ssapp-bench-common.h"
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
  double residual;
  gboolean has_failed;
  char *end; /* owned */
} Run;

/* Problems are scenes, each in all sizes; the last method is beside the others. */
typedef struct {
  const SsappBenchSimulatePlan *plan;
  SsappBenchSheet *sheet;
  int n_failed;
  guint bench; /* of the problem */
  int bodies;
  Run beside;
} Suite;

static void
run_clear (Run *run)
{
  g_array_unref (run->milliseconds);
  g_free (run->end);
}

static Run
time_steps (Suite *suite, guint method)
{
  const SsappBenchSimulatePlan *plan = suite->plan;
  const SsOverride set[] = {{"n", suite->bodies}};
  Run run = {.milliseconds = g_array_new (FALSE, FALSE, sizeof (double)), .has_failed = TRUE};
  SsappBenchWorld *world =
      ssapp_bench_world_new (benches[suite->bench].scene, set, 1, g_ptr_array_index (plan->methods, method), &run.end);

  if (world != NULL) {
    ssapp_bench_world_steps (world, step_length, plan->steps, plan->cpu_limit, plan->control, run.milliseconds, NULL);
    run.has_failed = world->message[0] != '\0';
    run.residual = world->max_residual;
    run.end = g_strdup (ssapp_bench_world_end (world, plan->steps));
  }
  suite->n_failed += run.has_failed;
  ssapp_bench_world_free (world);
  return run;
}

static gboolean
begin (gpointer data, guint problem, GError **error)
{
  Suite *suite = data;

  (void)error;
  suite->bench = problem / (guint)suite->plan->n_sizes;
  suite->bodies = suite->plan->sizes[problem % (guint)suite->plan->n_sizes];
  if (suite->bodies < benches[suite->bench].least)
    return FALSE;
  suite->beside = time_steps (suite, suite->plan->methods->len - 1);
  return TRUE;
}

static gboolean
run_method (gpointer data, guint problem, guint m, GError **error)
{
  Suite *suite = data;
  const SsappBenchMethod *method = g_ptr_array_index (suite->plan->methods, m);
  const char *name = benches[suite->bench].name;
  Run run = time_steps (suite, m);
  const double median = ssapp_bench_median (run.milliseconds), mean = ssapp_bench_mean (run.milliseconds),
               worst = ssapp_bench_percentile (run.milliseconds, 100),
               beside = ssapp_bench_median (suite->beside.milliseconds);

  (void)problem;
  (void)error;
  SSAPP_BENCH_ROW (suite->sheet, {name}, {.n = suite->bodies}, {method->label}, {.n = run.milliseconds->len},
                   {.n = median}, {.n = mean}, {.n = ssapp_bench_percentile (run.milliseconds, late_share)},
                   {.n = worst}, {.n = ssapp_bench_n_above (run.milliseconds, 1e3 * step_length)}, {.n = beside},
                   {.n = median / beside}, {.n = mean / ssapp_bench_mean (suite->beside.milliseconds)},
                   {.n = run.residual}, {run.end});
  ssapp_bench_say (suite->plan->say, "%-16s %3d bodies  %-10s median %.3g ms, worst %.3g ms  %s", name, suite->bodies,
                   method->label, median, worst, run.end);
  run_clear (&run);
  return TRUE;
}

static void
end (gpointer data, guint problem, gboolean is_whole)
{
  (void)problem;
  (void)is_whole;
  run_clear (&((Suite *)data)->beside);
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
  const guint last = plan->methods->len - 1;
  const SsappBenchRuns runs = {G_N_ELEMENTS (benches) * (guint)plan->n_sizes, last, 1, begin, run_method, end};
  SsappBenchSheet *sheet = ssapp_bench_sheet_new ();
  Suite suite = {.plan = plan, .sheet = sheet};

  ssapp_bench_sheet_table (sheet, "speed", "CPU time of single steps of 1/120 s, half a frame", columns);
  ssapp_bench_make_runs (&runs, &suite, plan->control, NULL);
  *n_failed = suite.n_failed;
  ssapp_bench_sheet_note (sheet, "beside: median of %s in the same scene; ratio: of the medians.",
                          ((const SsappBenchMethod *)g_ptr_array_index (plan->methods, last))->label);
  ssapp_bench_sheet_note (sheet, "late: steps that took longer than the 8.3 ms they show.");
  return sheet;
}
