/* app/bench/ssapp-bench-simulate.c: suite simulate: what a step of each integrator costs and what it leaves, on scenes
 * of growing size; see ssapp-bench-world.h. */
#include "app/bench/ssapp-bench-world.h"

#include <math.h>
#include <string.h>

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

static gboolean
is_cancelled (const SsappBenchSimulatePlan *plan)
{
  return atomic_load (&plan->control->cancel) != 0;
}

/* Steps to the plan's end or time limit, marking half of the way. FALSE after a failure. */
static gboolean
run (SsappBenchWorld *world, const SsappBenchSimulatePlan *plan)
{
  const double limit = ss_clock_wall () + plan->time_limit;

  while (world->steps < plan->steps && ss_clock_wall () < limit && !is_cancelled (plan)) {
    if (2 * world->steps == plan->steps - plan->steps % 2)
      ssapp_bench_world_mark (world);
    if (!ssapp_bench_world_step (world, STEP))
      return FALSE;
  }
  return TRUE;
}

static void
add_row (SsappBenchSheet *sheet, const char *name, const SsappBenchMethod *method, const SsappBenchWorld *world,
         gboolean rests, const char *end)
{
  ssapp_bench_sheet_row (sheet);
  ssapp_bench_sheet_text (sheet, name);
  ssapp_bench_sheet_number (sheet, ssapp_bench_moving_bodies (world->scenario->scene));
  ssapp_bench_sheet_text (sheet, method->label);
  ssapp_bench_sheet_number (sheet, world->steps);
  ssapp_bench_sheet_number (sheet, world->steps > 0 ? 1e3 * world->cpu_seconds / world->steps : NAN);
  ssapp_bench_sheet_number (sheet, world->n_points);
  ssapp_bench_sheet_number (sheet, world->max_residual);
  ssapp_bench_sheet_number (sheet, world->max_penetration);
  ssapp_bench_sheet_number (sheet, world->max_drift);
  ssapp_bench_sheet_number (sheet, rests ? ssapp_bench_world_creep (world) : NAN);
  ssapp_bench_sheet_text (sheet, end);
}

/* One scene, size and integrator; returns whether it failed. */
static gboolean
bench_one (const SsappBenchSimulatePlan *plan, SsappBenchSheet *sheet, guint bench, int bodies,
           const SsappBenchMethod *method)
{
  const SsOverride set[] = {{"n", benches[bench].n (bodies)}};
  char *message = NULL;
  SsappBenchWorld *world = ssapp_bench_world_new (benches[bench].scene, set, 1, method, &message);
  gboolean ok = world != NULL && run (world, plan);

  if (world == NULL) {
    ssapp_bench_sheet_note (sheet, "%s, %d bodies, %s: %s", benches[bench].name, bodies, method->label, message);
    g_free (message);
    return TRUE;
  }
  if (is_cancelled (plan)) {
    ssapp_bench_world_free (world);
    return FALSE;
  }
  add_row (sheet, benches[bench].name, method, world, benches[bench].rests,
           !ok                          ? world->message
           : world->steps < plan->steps ? "time limit"
                                        : "completed");
  if (plan->say != NULL) {
    char *line = g_strdup_printf ("%-8s %5d bodies  %-22s %5d steps  %.3g ms a step%s%s", benches[bench].name,
                                  ssapp_bench_moving_bodies (world->scenario->scene), method->label, world->steps,
                                  world->steps > 0 ? 1e3 * world->cpu_seconds / world->steps : 0.0, ok ? "" : "  ",
                                  ok ? "" : world->message);
    plan->say (line);
    g_free (line);
  }
  ssapp_bench_world_free (world);
  return !ok;
}

void
ssapp_bench_simulate (const SsappBenchSimulatePlan *plan, SsappBenchSheet *sheet, int *n_failed)
{
  g_return_if_fail (plan != NULL);
  static const char *const columns[] = {
      "scene|scene|0",           "bodies|bodies|5",     "method|method|0", "steps||6",
      "ms_per_step|ms a step|3", "points|points|6",     "residual||2",     "penetration||2",
      "drift|joint drift|2",     "creep|creep [m/s]|2", "end|end|0",       NULL};

  ssapp_bench_sheet_table (sheet, "steps",
                           "Steps of 10 ms: CPU time, and the largest residual, penetration and drift over the run",
                           columns);
  ssapp_bench_sheet_metric (sheet, "steps", SS_METRIC_STEPS);
  ssapp_bench_sheet_metric (sheet, "residual", SS_METRIC_MAX_RESIDUAL);
  ssapp_bench_sheet_metric (sheet, "penetration", SS_METRIC_MAX_PENETRATION);
  for (guint b = 0; b < G_N_ELEMENTS (benches); b++)
    for (int s = 0; s < plan->n_sizes; s++)
      for (guint m = 0; m < plan->methods->len && !is_cancelled (plan); m++)
        *n_failed += bench_one (plan, sheet, b, plan->sizes[s], g_ptr_array_index (plan->methods, m));
  ssapp_bench_sheet_note (
      sheet, "creep: largest way of a body that should rest, over the second half of the run, per second.");
  ssapp_bench_sheet_note (sheet,
                          "Compliant methods sink in by their stiffness; those at velocity level do not correct gaps.");
}
