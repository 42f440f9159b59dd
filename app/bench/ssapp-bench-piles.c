/* app/bench/ssapp-bench-piles.c: see ssapp-bench-piles.h. */
#include "app/bench/ssapp-bench-piles.h"

#include "app/bench/ssapp-bench-common.h"
#include "contact/ss-contact-problem.h"

#include <math.h>
#include <string.h>

/* A step that misses its law by more is counted; residuals are speeds [m/s]. */
static const double HONEST = 1e-8;

/* What the steps of one run took and left. */
typedef struct {
  char *scene, *label, *end;        /* owned */
  GArray *milliseconds, *residuals; /* of double, one a step */
  int bodies;                       /* that move */
  double overlap;                   /* largest at the end [m] */
  gboolean is_pile, has_failed;
} Run;

static void
run_free (gpointer data)
{
  Run *run = data;

  g_free (run->scene);
  g_free (run->label);
  g_free (run->end);
  g_array_unref (run->milliseconds);
  g_array_unref (run->residuals);
  g_free (run);
}

static Run *
run_new (const char *scene, const char *label)
{
  Run *run = g_new0 (Run, 1);

  run->scene = g_strdup (scene);
  run->label = g_strdup (label);
  run->milliseconds = g_array_new (FALSE, FALSE, sizeof (double));
  run->residuals = g_array_new (FALSE, FALSE, sizeof (double));
  run->is_pile = g_str_has_prefix (scene, "pile-");
  run->overlap = NAN;
  return run;
}

static double
mean_of (const Run *run)
{
  return ssapp_bench_mean (run->milliseconds);
}

/* The mean of all but the first step, which has no step before it to start from. */
static double
later_mean_of (const Run *run)
{
  return run->milliseconds->len > 1
             ? ssapp_mean (&g_array_index (run->milliseconds, double, 1), (int)run->milliseconds->len - 1)
             : NAN;
}

/* Of all contacts at q [m]: how far what is solid is in what is solid, told of all programs by the same geometry. */
static double
overlap_at (const SsScene *scene, const double *q)
{
  double most = 0;

  for (int i = 0; i < scene->n_contacts; i++)
    most = fmax (most, -ss_scene_contact_gap (scene, i, q));
  return most;
}

/* Steps to the scene's end or what the plan says. */
static int
steps_of (const SsappBenchPilesPlan *plan, const SsScenario *scenario)
{
  return plan->steps > 0 ? plan->steps : (int)lround (scenario->task.t_end / scenario->task.dt);
}

static Run *
run_method (const SsappBenchPilesPlan *plan, const char *name, SsScenario *scenario, const SsappBenchMethod *method)
{
  Run *run = run_new (name, method->label);
  const int steps = steps_of (plan, scenario);
  const double dt = scenario->task.dt;
  SsappBenchWorld *world = ssapp_bench_world_of (scenario, method, &run->end);

  run->has_failed = world == NULL;
  if (world == NULL)
    return run;
  run->bodies = ssapp_bench_moving_bodies (world->scenario->scene);
  ssapp_bench_world_steps (world, dt, steps, plan->cpu_limit, plan->control, run->milliseconds, run->residuals);
  run->has_failed = world->message[0] != '\0';
  run->overlap = overlap_at (world->scenario->scene, world->state.q);
  run->end = g_strdup (ssapp_bench_world_end (world, steps));
  ssapp_bench_world_free (world);
  return run;
}

static Run *
run_beside (const SsappBenchPilesPlan *plan, const char *name, SsScenario *scenario)
{
  const SsappBenchBeside *beside = plan->beside;
  Run *run = run_new (name, beside->label);
  const int steps = steps_of (plan, scenario);
  const double limit = ss_clock_process_cpu () + plan->cpu_limit;
  gpointer world = beside->new_ (scenario->scene);
  double *q = g_new0 (double, 3 * (gsize)scenario->scene->n_bodies);

  run->bodies = ssapp_bench_moving_bodies (scenario->scene);
  while ((int)run->milliseconds->len < steps && ss_clock_process_cpu () < limit &&
         !ssapp_bench_is_cancelled (plan->control)) {
    const double begun = ss_clock_thread_cpu ();
    beside->step (world, scenario->task.dt);
    const double took = 1e3 * (ss_clock_thread_cpu () - begun);
    g_array_append_val (run->milliseconds, took);
  }
  beside->read (world, q);
  run->overlap = overlap_at (scenario->scene, q);
  run->end = g_strdup ((int)run->milliseconds->len < steps ? "limit of CPU time" : "completed");
  beside->free_ (world);
  g_free (q);
  ss_scenario_free (scenario);
  return run;
}

static void
add_row (SsappBenchSheet *sheet, const Run *run, const Run *beside)
{
  const gboolean has_law = run->residuals->len > 0;
  const GArray *took = run->milliseconds;

  SSAPP_BENCH_ROW (
      sheet, {run->scene}, {.n = run->bodies}, {run->label}, {.n = took->len},
      {.n = took->len > 0 ? g_array_index (took, double, 0) : NAN}, {.n = later_mean_of (run)}, {.n = mean_of (run)},
      {.n = ssapp_bench_percentile (took, 100)}, {.n = beside != NULL ? mean_of (run) / mean_of (beside) : NAN},
      {.n = ssapp_bench_percentile (run->residuals, 100)}, {.n = ssapp_bench_median (run->residuals)},
      {.n = has_law ? ssapp_bench_n_above (run->residuals, HONEST) : NAN}, {.n = run->overlap}, {run->end});
}

/* Problems are scenes. */
typedef struct {
  const SsappBenchPilesPlan *plan;
  SsappBenchSheet *sheet;
  const char *const *names;
  char *text;        /* of the scene at hand, owned */
  const Run *beside; /* of it; NULL: none */
  GPtrArray *runs;   /* of Run, owned: all */
  int n_failed;
} Suite;

/* A run; `method` NULL: of what is beside. */
static const Run *
run_one (Suite *suite, guint problem, const SsappBenchMethod *method)
{
  SsScenario *scenario = ssapp_bench_read (suite->text, suite->names[problem], NULL, 0, NULL);
  g_assert (scenario != NULL);
  Run *run = method == NULL ? run_beside (suite->plan, suite->names[problem], scenario)
                            : run_method (suite->plan, suite->names[problem], scenario, method);

  g_ptr_array_add (suite->runs, run);
  add_row (suite->sheet, run, method == NULL ? run : suite->beside);
  ssapp_bench_say (suite->plan->say, "%-24s  %-22s %5u steps  mean %.3g ms, worst %.3g ms  %s", run->scene, run->label,
                   run->milliseconds->len, mean_of (run), ssapp_bench_percentile (run->milliseconds, 100), run->end);
  suite->n_failed += run->has_failed;
  return run;
}

/* What is beside goes first, so that each row can have its ratio. */
static gboolean
begin (gpointer data, guint problem, GError **error)
{
  Suite *suite = data;

  (void)error;
  suite->text = ssapp_bench_pile_text (suite->names[problem], suite->plan->seed);
  suite->beside = suite->plan->beside != NULL ? run_one (suite, problem, NULL) : NULL;
  return TRUE;
}

static gboolean
run_next (gpointer data, guint problem, guint method, GError **error)
{
  Suite *suite = data;

  (void)error;
  run_one (suite, problem, g_ptr_array_index (suite->plan->methods, method));
  return TRUE;
}

static void
end (gpointer data, guint problem, gboolean is_whole)
{
  (void)problem;
  (void)is_whole;
  g_clear_pointer (&((Suite *)data)->text, g_free);
}

/* A row of the table "growth", which the first of them begins: the exponent of the bodies in the mean time, by least
 * squares through the piles. */
static void
add_growth (SsappBenchSheet *sheet, const GPtrArray *runs, const char *label, gboolean *has_table)
{
  static const char *const columns[] = {"method|method|0", "least|from bodies|5", "most|to|5", "exponent|exponent|3",
                                        NULL};
  SsappBenchFit fit = {0};
  int least = G_MAXINT, most = 0;

  for (guint i = 0; i < runs->len; i++) {
    const Run *run = g_ptr_array_index (runs, i);
    if (!run->is_pile || strcmp (run->label, label) != 0 || !(mean_of (run) > 0))
      continue;
    ssapp_bench_fit_add (&fit, log (run->bodies), log (mean_of (run)));
    least = MIN (least, run->bodies);
    most = MAX (most, run->bodies);
  }
  if (!(least < most))
    return;
  if (!*has_table)
    ssapp_bench_sheet_table (sheet, "growth",
                             "Growth: the mean CPU time of a step is as bodies to the power of the exponent", columns);
  *has_table = TRUE;
  SSAPP_BENCH_ROW (sheet, {label}, {.n = least}, {.n = most}, {.n = ssapp_bench_fit_slope (&fit)});
}

void
ssapp_bench_piles (const SsappBenchPilesPlan *plan, SsappBenchSheet *sheet, int *n_failed)
{
  g_return_if_fail (plan != NULL);
  static const char *const columns[] = {"scene|scene|0",
                                        "bodies|bodies|5",
                                        "method|method|0",
                                        "steps||6",
                                        "first_ms|first [ms]|3",
                                        "later_ms|later|3",
                                        "mean_ms|mean|3",
                                        "worst_ms|worst|3",
                                        "ratio|ratio|3",
                                        "residual||2",
                                        "median_residual|median|2",
                                        "above|above 1e-8|6",
                                        "overlap|overlap [m]|2",
                                        "end|end|0",
                                        NULL};
  const char *const *names = plan->scenes != NULL ? plan->scenes : (const char **)(void *)ssapp_bench_pile_names;
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (run_free);
  Suite suite = {.plan = plan, .sheet = sheet, .names = names, .runs = runs};
  const SsappBenchRuns all = {g_strv_length ((char **)(void *)names), plan->methods->len, 1, begin, run_next, end};
  gboolean has_growth = FALSE;

  ssapp_bench_sheet_table (sheet, "piles", "Piles and pyramids, steps of 10 ms: CPU time, and what misses the law",
                           columns);
  ssapp_bench_sheet_metric (sheet, "steps", SS_METRIC_STEPS);
  ssapp_bench_sheet_metric (sheet, "residual", SS_METRIC_MAX_RESIDUAL);
  ssapp_bench_make_runs (&all, &suite, plan->control, NULL);
  *n_failed += suite.n_failed;
  ssapp_bench_sheet_note (
      sheet, "later: mean of all steps but the first; residual: of each method's own law, largest, and its "
             "median; above 1e-8: steps; overlap: largest at the end.");
  if (plan->beside != NULL)
    ssapp_bench_sheet_note (sheet, "ratio: of the means, to %s. %s", plan->beside->label, plan->beside->note);
  else
    ssapp_bench_sheet_note (sheet, "no ratio: Chipmunk (libchipmunk-dev) was not there when this program was built.");
  if (plan->beside != NULL)
    add_growth (sheet, runs, plan->beside->label, &has_growth);
  for (guint m = 0; m < plan->methods->len; m++)
    add_growth (sheet, runs, ((const SsappBenchMethod *)g_ptr_array_index (plan->methods, m))->label, &has_growth);
}
