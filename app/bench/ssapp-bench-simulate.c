/* app/bench/ssapp-bench-simulate.c: suite simulate: what a step of each integrator costs and what it leaves, on scenes
 * of growing size; see ssapp-bench-world.h. */
#include "app/bench/ssapp-bench-world.h"

#include <math.h>

static const double STEP = 0.01; /* s */

/* Boxes in a pyramid of n rows are n (n + 1)/2: as many rows as give at least the size asked for. */
static int
rows_of_pyramid (int bodies)
{
  int rows = 1;

  while (rows * (rows + 1) / 2 < bodies)
    rows++;
  return rows;
}

static int
as_asked (int bodies)
{
  return bodies;
}

static const struct {
  const char *name, *scene;
  int (*n) (int bodies);
  gboolean rests; /* nothing should move: creep has a meaning */
} benches[] = {
    {"stack", "box-stack", as_asked, TRUE}, {"pyramid", "box-pyramid", rows_of_pyramid, TRUE},
    {"incline", "incline", as_asked, TRUE}, {"pile", "pile", as_asked, FALSE},
    {"chain", "chain", as_asked, FALSE},
};

typedef struct {
  const SsappBenchSimulatePlan *plan;
  SsappBenchSheet *sheet;
  int n_failed;
} Suite;

/* One scene, size and integrator; problems are scenes, each in all sizes. */
static gboolean
run (gpointer data, guint problem, guint m, GError **error)
{
  Suite *suite = data;
  const SsappBenchSimulatePlan *plan = suite->plan;
  const guint b = problem / (guint)plan->n_sizes;
  const int bodies = plan->sizes[problem % (guint)plan->n_sizes];
  const SsappBenchMethod *method = g_ptr_array_index (plan->methods, m);
  const SsOverride set[] = {{"n", benches[b].n (bodies)}};
  g_autofree char *message = NULL;
  SsappBenchWorld *world = ssapp_bench_world_new (benches[b].scene, set, 1, method, &message);

  (void)error;
  if (world == NULL)
    ssapp_bench_sheet_note (suite->sheet, "%s, %d bodies, %s: %s", benches[b].name, bodies, method->label, message);
  else
    ssapp_bench_world_steps (world, STEP, plan->steps, plan->cpu_limit, plan->control, NULL, NULL);
  if (world != NULL && !ssapp_bench_is_cancelled (plan->control)) {
    const double milliseconds = world->steps > 0 ? 1e3 * world->cpu_seconds / world->steps : NAN;
    const int n = ssapp_bench_moving_bodies (world->scenario->scene);
    SSAPP_BENCH_ROW (
        suite->sheet, {benches[b].name}, {.n = n}, {method->label}, {.n = world->steps}, {.n = milliseconds},
        {.n = world->n_points}, {.n = world->max_residual}, {.n = world->max_penetration}, {.n = world->max_drift},
        {.n = benches[b].rests ? ssapp_bench_world_creep (world) : NAN}, {ssapp_bench_world_end (world, plan->steps)});
    ssapp_bench_say (plan->say, "%-8s %5d bodies  %-22s %5d steps  %.3g ms a step%s%s", benches[b].name, n,
                     method->label, world->steps, world->steps > 0 ? milliseconds : 0.0,
                     world->message[0] != '\0' ? "  " : "", world->message);
  }
  suite->n_failed += world == NULL || world->message[0] != '\0';
  ssapp_bench_world_free (world);
  return TRUE;
}

void
ssapp_bench_simulate (const SsappBenchSimulatePlan *plan, SsappBenchSheet *sheet, int *n_failed)
{
  g_return_if_fail (plan != NULL);
  static const char *const columns[] = {
      "scene|scene|0",           "bodies|bodies|5",     "method|method|0", "steps||6",
      "ms_per_step|ms a step|3", "points|points|6",     "residual||2",     "penetration||2",
      "drift|joint drift|2",     "creep|creep [m/s]|2", "end|end|0",       NULL};
  const SsappBenchRuns runs = {G_N_ELEMENTS (benches) * (guint)plan->n_sizes, plan->methods->len, 1, NULL, run, NULL};
  Suite suite = {plan, sheet, 0};

  ssapp_bench_sheet_table (sheet, "steps",
                           "Steps of 10 ms: CPU time, and the largest residual, penetration and drift over the run",
                           columns);
  ssapp_bench_sheet_metric (sheet, "steps", SS_METRIC_STEPS);
  ssapp_bench_sheet_metric (sheet, "residual", SS_METRIC_MAX_RESIDUAL);
  ssapp_bench_sheet_metric (sheet, "penetration", SS_METRIC_MAX_PENETRATION);
  ssapp_bench_make_runs (&runs, &suite, plan->control, NULL);
  *n_failed += suite.n_failed;
  ssapp_bench_sheet_note (
      sheet, "creep: largest way of a body that should rest, over the second half of the run, per second.");
  ssapp_bench_sheet_note (sheet,
                          "Compliant methods sink in by their stiffness; those at velocity level do not correct gaps.");
}
