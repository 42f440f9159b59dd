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
  gboolean is_beside, is_pile, has_failed;
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
run_new (const char *scene, const char *label, gboolean is_beside)
{
  Run *run = g_new0 (Run, 1);

  run->scene = g_strdup (scene);
  run->label = g_strdup (label);
  run->milliseconds = g_array_new (FALSE, FALSE, sizeof (double));
  run->residuals = g_array_new (FALSE, FALSE, sizeof (double));
  run->is_beside = is_beside;
  run->is_pile = g_str_has_prefix (scene, "pile-");
  run->overlap = NAN;
  return run;
}

static const double *
numbers (const GArray *array)
{
  return (const double *)(void *)array->data;
}

static double
mean_of (const Run *run)
{
  return ssapp_mean (numbers (run->milliseconds), (int)run->milliseconds->len);
}

/* The mean of all but the first step, which has no step before it to start from. */
static double
later_mean_of (const Run *run)
{
  return run->milliseconds->len > 1 ? ssapp_mean (numbers (run->milliseconds) + 1, (int)run->milliseconds->len - 1)
                                    : NAN;
}

static double
largest_of (const GArray *array)
{
  return ssapp_percentile (numbers (array), (int)array->len, 100);
}

static int
n_above (const GArray *array, double limit)
{
  int n = 0;

  for (guint i = 0; i < array->len; i++)
    n += numbers (array)[i] > limit;
  return n;
}

static gboolean
is_cancelled (const SsappBenchPilesPlan *plan)
{
  return atomic_load (&plan->control->cancel) != 0;
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
  Run *run = run_new (name, method->label, FALSE);
  const int steps = steps_of (plan, scenario);
  const double dt = scenario->task.dt, limit = ss_clock_wall () + plan->time_limit;
  SsappBenchWorld *world = ssapp_bench_world_of (scenario, method, &run->end);

  run->has_failed = world == NULL;
  if (world == NULL)
    return run;
  run->bodies = ssapp_bench_moving_bodies (world->scenario->scene);
  while (world->steps < steps && ss_clock_wall () < limit && !is_cancelled (plan) && !run->has_failed) {
    const double before = world->cpu_seconds;
    run->has_failed = !ssapp_bench_world_step (world, dt);
    const double took = 1e3 * (world->cpu_seconds - before);
    g_array_append_val (run->milliseconds, took);
    if (!run->has_failed)
      g_array_append_val (run->residuals, world->residual);
  }
  run->overlap = overlap_at (world->scenario->scene, world->state.q);
  run->end = g_strdup (run->has_failed ? world->message : world->steps < steps ? "time limit" : "completed");
  ssapp_bench_world_free (world);
  return run;
}

static Run *
run_beside (const SsappBenchPilesPlan *plan, const char *name, const SsScenario *scenario)
{
  const SsappBenchBeside *beside = plan->beside;
  Run *run = run_new (name, beside->label, TRUE);
  const int steps = steps_of (plan, scenario);
  const double limit = ss_clock_wall () + plan->time_limit;
  gpointer world = beside->new_ (scenario->scene);
  double *q = g_new0 (double, 3 * (gsize)scenario->scene->n_bodies);

  run->bodies = ssapp_bench_moving_bodies (scenario->scene);
  while ((int)run->milliseconds->len < steps && ss_clock_wall () < limit && !is_cancelled (plan)) {
    const double begun = ss_clock_thread_cpu ();
    beside->step (world, scenario->task.dt);
    const double took = 1e3 * (ss_clock_thread_cpu () - begun);
    g_array_append_val (run->milliseconds, took);
  }
  beside->read (world, q);
  run->overlap = overlap_at (scenario->scene, q);
  run->end = g_strdup ((int)run->milliseconds->len < steps ? "time limit" : "completed");
  beside->free_ (world);
  g_free (q);
  return run;
}

static void
add_row (SsappBenchSheet *sheet, const Run *run, const Run *beside)
{
  const gboolean has_law = run->residuals->len > 0;

  ssapp_bench_sheet_row (sheet);
  ssapp_bench_sheet_text (sheet, run->scene);
  ssapp_bench_sheet_number (sheet, run->bodies);
  ssapp_bench_sheet_text (sheet, run->label);
  ssapp_bench_sheet_number (sheet, run->milliseconds->len);
  ssapp_bench_sheet_number (sheet, run->milliseconds->len > 0 ? numbers (run->milliseconds)[0] : NAN);
  ssapp_bench_sheet_number (sheet, later_mean_of (run));
  ssapp_bench_sheet_number (sheet, mean_of (run));
  ssapp_bench_sheet_number (sheet, largest_of (run->milliseconds));
  ssapp_bench_sheet_number (sheet, beside != NULL ? mean_of (run) / mean_of (beside) : NAN);
  ssapp_bench_sheet_number (sheet, has_law ? largest_of (run->residuals) : NAN);
  ssapp_bench_sheet_number (sheet, has_law ? ssapp_median (numbers (run->residuals), (int)run->residuals->len) : NAN);
  ssapp_bench_sheet_number (sheet, has_law ? n_above (run->residuals, HONEST) : NAN);
  ssapp_bench_sheet_number (sheet, run->overlap);
  ssapp_bench_sheet_text (sheet, run->end);
}

static void
say (const SsappBenchPilesPlan *plan, const Run *run)
{
  if (plan->say == NULL)
    return;
  g_autofree char *line =
      g_strdup_printf ("%-24s  %-22s %5u steps  mean %.3g ms, worst %.3g ms  %s", run->scene, run->label,
                       run->milliseconds->len, mean_of (run), largest_of (run->milliseconds), run->end);
  plan->say (line);
}

/* One scene: what is beside first, so that each row can have its ratio. Returns how many runs failed. */
static int
bench_scene (const SsappBenchPilesPlan *plan, SsappBenchSheet *sheet, const char *name, GPtrArray *runs)
{
  g_autofree char *text = ssapp_bench_pile_text (name, plan->seed);
  Run *beside = NULL;
  int n_failed = 0;

  for (int m = plan->beside != NULL ? -1 : 0; m < (int)plan->methods->len && !is_cancelled (plan); m++) {
    SsScenario *scenario = ssapp_bench_read (text, name, NULL, 0, NULL);
    g_assert (scenario != NULL);
    Run *run = m < 0 ? run_beside (plan, name, scenario)
                     : run_method (plan, name, scenario, g_ptr_array_index (plan->methods, (guint)m));
    if (m < 0) {
      beside = run;
      ss_scenario_free (scenario);
    }
    g_ptr_array_add (runs, run);
    add_row (sheet, run, beside);
    say (plan, run);
    n_failed += run->has_failed;
  }
  return n_failed;
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
  ssapp_bench_sheet_row (sheet);
  ssapp_bench_sheet_text (sheet, label);
  ssapp_bench_sheet_number (sheet, least);
  ssapp_bench_sheet_number (sheet, most);
  ssapp_bench_sheet_number (sheet, ssapp_bench_fit_slope (&fit));
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
  gboolean has_growth = FALSE;

  ssapp_bench_sheet_table (sheet, "piles", "Piles and pyramids, steps of 10 ms: CPU time, and what misses the law",
                           columns);
  ssapp_bench_sheet_metric (sheet, "steps", SS_METRIC_STEPS);
  ssapp_bench_sheet_metric (sheet, "residual", SS_METRIC_MAX_RESIDUAL);
  for (int i = 0; names[i] != NULL && !is_cancelled (plan); i++)
    *n_failed += bench_scene (plan, sheet, names[i], runs);
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
