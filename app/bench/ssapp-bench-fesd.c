/* app/bench/ssapp-bench-fesd.c: see ssapp-bench-fesd.h.
 *
 * Slope: of log (error) against log (h), least squares, over the runs with both impacts, an error between 1e-11 and
 * 0.1, and no step without mode in the reference: such a step has more than its equations can say, so its error is none
 * of the scheme. Implicit Euler has an order only where its damping of the spring does not hide it: reported, not
 * judged. The midpoint rule (Gauss-Legendre with one stage) resolves the spring in its last four runs.
 */
#include "app/bench/ssapp-bench-common.h"
#include "app/bench/ssapp-bench-fesd.h"

#include "app/bench/ssapp-bench-homotopy.h"
#include "fesd/ss-fesd-j.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench-fesd-two-balls-exact.h"
#include "bench-fesd-two-balls-homotopy.h"
#include "bench-fesd-two-balls-reference.h"
#include "bench-fesd-two-balls.h"

static const int paper_steps[] = {50,  60,  65,  70,  80,  90,  100, 120, 125, 150, 175,  200,
                                  225, 250, 300, 350, 420, 450, 520, 600, 750, 900, 1200, 2000};
static const struct {
  SsTableauFamily family;
  const char *name, *title, *reference;
  int order; /* 2 n + order */
} schemes[] = {{SS_TABLEAU_RADAU_IIA, "radau-iia", "Radau IIA", "radau", -1},
               {SS_TABLEAU_GAUSS_LEGENDRE, "gauss-legendre", "Gauss-Legendre", "gauss", 0}};

enum { STAGES = 4, ELEMENTS = 2, N_STATE = 4, MIDPOINT_RUNS = 4 };
static const char *const channels[N_STATE] = {"ball1.y", "ball2.y", "ball1.vy", "ball2.vy"};
static const char *const exact_keys[N_STATE] = {"q1", "q2", "v1", "v2"};
/* Below is rounding, above the spring is not resolved. */
static const double least_error = 1e-11, largest_error = 0.1;
/* Orders are measured at finite steps, and impacts fall anywhere within them. */
static const double tolerance = 0.3;
/* Errors are compared where the reference has digits: to three of them. */
static const double least_compared = 1e-8, three_digits = 1e-3;

/* The reference's run; error NaN: it has none. */
typedef struct {
  double error;
  int impacts, without_mode;
} Reference;

typedef struct {
  guint scheme;
  int stages, steps;
  Reference reference;
  gboolean is_completed;
  double error, residual, cpu_seconds;
  int impacts, events, by_way[SS_STEP_N_WAYS];
  char message[512]; /* why it did not come to its end */
} Run;

/* Nominal length of an element [s]; the problem takes 1 s. */
static double
element_of (const Run *run)
{
  return 1.0 / (ELEMENTS * run->steps);
}

/* ---- data -------------------------------------------------------------------------------------------------------- */

static void
read_exact (double *exact)
{
  json_t *root = json_loads (bench_fesd_two_balls_exact, 0, NULL), *state = json_object_get (root, "final_state");

  for (int k = 0; k < N_STATE; k++) {
    const char *text = json_string_value (json_object_get (state, exact_keys[k]));
    exact[k] = text != NULL ? g_ascii_strtod (text, NULL) : NAN;
  }
  json_decref (root);
}

static Reference
find_reference (char *const *lines, guint scheme, int stages, int steps)
{
  char *start = g_strdup_printf ("%s,%d,%d,", schemes[scheme].reference, stages, steps);
  Reference found = {.error = NAN};

  for (int i = 0; lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i], start)) {
      char **fields = g_strsplit (lines[i], ",", -1);
      if (g_strv_length (fields) == 7)
        found = (Reference){g_ascii_strtod (fields[4], NULL), atoi (fields[5]), atoi (fields[6])};
      g_strfreev (fields);
    }
  g_free (start);
  return found;
}

/* ---- a run ------------------------------------------------------------------------------------------------------- */

/* The largest difference of the four numbers. */
static double
error_of (const double state[N_STATE], const double exact[N_STATE])
{
  double error = 0;

  for (int k = 0; k < N_STATE; k++)
    error = fmax (error, fabs (state[k] - exact[k]));
  return error;
}

static void
measure (Run *run, const SsSimResult *result, const double *exact)
{
  const SsTrajectory *motion = result->trajectory;

  run->is_completed = result->outcome == SS_OUTCOME_COMPLETED;
  g_strlcpy (run->message, result->message, sizeof run->message);
  run->residual = result->metrics.own_residual;
  memcpy (run->by_way, result->metrics.n_by_way, sizeof run->by_way);
  run->events = result->events->n_items + result->events->n_left_out;
  for (int i = 0; i < result->events->n_items; i++)
    run->impacts += result->events->items[i].kind == SS_EVENT_IMPACT;
  if (!run->is_completed)
    return;
  const double *end = ss_trajectory_row (motion, motion->n_rows - 1);
  double state[N_STATE];
  for (int k = 0; k < N_STATE; k++)
    state[k] = end[ss_trajectory_channel (motion, channels[k])];
  run->error = error_of (state, exact);
}

static void
run_one (Run *run, const SsScenario *scenario, const double *exact)
{
  SsFesdJOptions options;
  SsSimResult result = {0};
  SsError error = {0};

  run->error = run->residual = NAN;
  ss_options_init (ss_integrator_fesd_j.options, &options);
  options.fesd.scheme = (int)schemes[run->scheme].family;
  options.fesd.stages = run->stages;
  options.fesd.elements = ELEMENTS;
  const SsSimJob job = {.scene = scenario->scene,
                        .integrator = &ss_integrator_fesd_j,
                        .options = &options,
                        .dt = scenario->task.t_end / run->steps,
                        .t_end = scenario->task.t_end};
  const double begun = ss_clock_thread_cpu ();
  const gboolean ok = ss_simulate_job (&job, NULL, &result, &error) == SS_OK;
  run->cpu_seconds = ss_clock_thread_cpu () - begun;
  if (ok)
    measure (run, &result, exact);
  else
    g_strlcpy (run->message, error.message, sizeof run->message);
  ss_sim_result_clear (&result);
}

/* ---- slopes ------------------------------------------------------------------------------------------------------ */

/* Whether a run with that error counts; the error is ours or the reference's. */
static gboolean
is_fitted (const Run *run, double error, int impacts)
{
  return run->reference.without_mode == 0 && run->reference.impacts == 2 && impacts == 2 && error > least_error &&
         error < largest_error;
}

static gboolean
is_midpoint (const Run *run)
{
  return run->stages == 1 && schemes[run->scheme].order == 0;
}

/* Whether the run is one of those that its scheme's slope is over. */
static gboolean
counts (const Run *run, double error, int impacts)
{
  const guint last = G_N_ELEMENTS (paper_steps) - MIDPOINT_RUNS;

  return is_fitted (run, error, impacts) && (!is_midpoint (run) || run->steps >= paper_steps[last]);
}

static gboolean
is_compared (const Run *run)
{
  return run->reference.without_mode == 0 && run->reference.error > least_compared &&
         run->reference.error < largest_error;
}

static gboolean
is_equal (const Run *run)
{
  return fabs (run->error - run->reference.error) <= three_digits * run->reference.error;
}

/* Of the runs of a scheme; *n: how many were fitted; NaN with fewer than two. */
static double
slope (const GArray *runs, guint scheme, int stages, gboolean of_reference, int *n)
{
  SsappBenchFit fit = {0};

  for (guint i = 0; i < runs->len; i++) {
    const Run *run = &g_array_index (runs, Run, i);
    const double error = of_reference ? run->reference.error : run->error;
    const int impacts = of_reference ? run->reference.impacts : run->impacts;
    if (run->scheme != scheme || run->stages != stages || !counts (run, error, impacts))
      continue;
    ssapp_bench_fit_add (&fit, -log (run->steps), log (error));
  }
  *n = fit.n;
  return ssapp_bench_fit_slope (&fit);
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

static const char *
comparison (const Run *run)
{
  return isnan (run->reference.error)      ? ""
         : run->reference.without_mode > 0 ? "no mode"
         : !is_compared (run)              ? ""
         : is_equal (run)                  ? "yes"
                                           : "no";
}

static void
fill_runs (SsappBenchSheet *sheet, const GArray *runs)
{
  static const char *const columns[] = {"scheme|scheme|0",
                                        "stages|n|2",
                                        "steps|N_sim|5",
                                        "element|element [s]|5",
                                        "error|error at T|7",
                                        "error_reference|reference|7",
                                        "equal|equal|0",
                                        "impacts|impacts|3",
                                        "events|events|3",
                                        "alternatives|alternatives|5",
                                        "bisected|bisected|5",
                                        "residual|residual|2",
                                        "cpu_seconds|CPU [s]|3",
                                        "microseconds_per_step|us a step|3",
                                        "end|end|0",
                                        NULL};

  ssapp_bench_sheet_table (sheet, "runs", "Two balls and a spring, fesd-j with 2 elements a step: each run", columns);
  for (guint i = 0; i < runs->len; i++) {
    const Run *run = &g_array_index (runs, Run, i);
    SSAPP_BENCH_ROW (sheet, {schemes[run->scheme].title}, {.n = run->stages}, {.n = run->steps},
                     {.n = element_of (run)}, {.n = run->error}, {.n = run->reference.error}, {comparison (run)},
                     {.n = run->impacts}, {.n = run->events}, {.n = run->by_way[SS_STEP_ALTERNATIVE]},
                     {.n = run->by_way[SS_STEP_BISECTED]}, {.n = run->residual}, {.n = run->cpu_seconds},
                     {.n = 1e6 * run->cpu_seconds / run->steps}, {run->is_completed ? "completed" : run->message});
  }
  ssapp_bench_sheet_note (sheet, "error: largest of |q1|, |q2| [m], |v1|, |v2| [m/s] from the exact state at T = 1 s.");
  ssapp_bench_sheet_note (sheet,
                          "reference: the same equations solved by another program; equal: to three digits, where "
                          "it lies between 1e-8 and 0.1.");
  ssapp_bench_sheet_note (sheet, "no mode: the reference has steps that its equations cannot solve; ours are halved.");
  ssapp_bench_sheet_note (sheet, "CPU: the whole run with set-up and rows.");
}

/* The paper leaves out runs with a step that its homotopy did not solve. */
static void
fill_left_out (SsappBenchSheet *sheet, const GArray *runs)
{
  static const char *const columns[] = {"scheme|scheme|0",      "runs|runs|4",       "failed|failed|4",
                                        "percent|failed [%]|4", "paper|paper [%]|4", NULL};
  static const double paper[] = {4.17, 5.2};

  ssapp_bench_sheet_table (sheet, "left-out", "Runs with a step that is not solved", columns);
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++) {
    double n = 0, n_failed = 0;
    for (guint i = 0; i < runs->len; i++) {
      const Run *run = &g_array_index (runs, Run, i);
      n += run->scheme == s;
      n_failed += run->scheme == s && !run->is_completed;
    }
    SSAPP_BENCH_ROW (sheet, {schemes[s].title}, {.n = n}, {.n = n_failed}, {.n = n > 0 ? 100 * n_failed / n : NAN},
                     {.n = paper[s]});
  }
}

/* Returns how many slopes are judged and wrong. */
static int
fill_slopes (SsappBenchSheet *sheet, const GArray *runs, gboolean is_whole, SsappOrderFigure *figure)
{
  static const char *const columns[] = {"scheme|scheme|0",
                                        "stages|n|2",
                                        "slope|slope|3",
                                        "theory|theory|3",
                                        "fitted|runs fitted|3",
                                        "slope_reference|of the reference|3",
                                        "compared|compared|3",
                                        "equal|equal to 3 digits|3",
                                        "cpu_seconds|CPU [s]|3",
                                        "agrees|agrees|0",
                                        NULL};
  int n_failed = 0;

  G_STATIC_ASSERT ((int)STAGES == (int)SSAPP_ORDER_STAGES && G_N_ELEMENTS (schemes) == SSAPP_ORDER_FAMILIES);
  ssapp_bench_sheet_table (sheet, "slopes", "Orders: slopes of the error over the length of an element", columns);
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    for (int n = 1; n <= STAGES; n++) {
      int n_fitted, n_of_reference, n_compared = 0, n_equal = 0;
      double cpu_seconds = 0;
      for (guint i = 0; i < runs->len; i++) {
        const Run *run = &g_array_index (runs, Run, i);
        if (run->scheme != s || run->stages != n)
          continue;
        cpu_seconds += run->cpu_seconds;
        n_compared += is_compared (run);
        n_equal += is_compared (run) && is_equal (run);
      }
      const double observed = slope (runs, s, n, FALSE, &n_fitted), theory = 2 * n + schemes[s].order;
      const gboolean agrees = fabs (observed - theory) <= tolerance;
      figure->slopes[s][n - 1] = observed;
      const gboolean is_judged = is_whole && (n > 1 || schemes[s].order == 0);
      SSAPP_BENCH_ROW (sheet, {schemes[s].title}, {.n = n}, {.n = observed}, {.n = theory}, {.n = n_fitted},
                       {.n = slope (runs, s, n, TRUE, &n_of_reference)}, {.n = n_compared}, {.n = n_equal},
                       {.n = cpu_seconds},
                       {!is_judged ? "not judged"
                        : agrees   ? "yes"
                                   : "no"});
      n_failed += is_judged && !agrees;
    }
  ssapp_bench_sheet_note (sheet, "Fitted: runs with both impacts, errors between 1e-11 and 0.1, without a step without "
                                 "mode in the reference; Gauss-Legendre with n = 1: its last four.");
  ssapp_bench_sheet_note (sheet, "agrees: within 0.3 of the theory, 2 n - 1 and 2 n. Radau IIA with n = 1 damps the "
                                 "spring, and is reported only; so is all where --steps names the runs.");
  return n_failed;
}

/* The lines of the study with homotopies: error, failed and kicked steps, iterations, CPU; NaN: it has none. */
static void
find_study (char *const *lines, const Run *run, double study[5])
{
  g_autofree char *start = g_strdup_printf ("%s,%d,%d,", schemes[run->scheme].reference, run->stages, run->steps);

  for (int k = 0; k < 5; k++)
    study[k] = NAN;
  for (int i = 0; lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i], start)) {
      g_auto (GStrv) fields = g_strsplit (lines[i], ",", -1);
      for (int k = 0; k < 5 && g_strv_length (fields) >= 9; k++)
        study[k] = g_ascii_strtod (fields[4 + k], NULL);
    }
}

static gboolean
is_in_extent (const SsappBenchFesdPlan *plan, const GArray *runs, const Run *run)
{
  if (plan->homotopy != SSAPP_HOMOTOPY_SOME)
    return plan->homotopy == SSAPP_HOMOTOPY_ALL;
  for (guint i = 0; i < runs->len; i++)
    if (g_array_index (runs, Run, i).steps < run->steps)
      return FALSE;
  return run->stages == 2 || run->stages == 3;
}

/* A row of the table: a run of the homotopy beside the integrator's. */
static void
add_homotopy (SsappBenchSheet *sheet, const SsappBenchFesdPlan *plan, const Run *run, const double *exact,
              const double study[5], SsappOrderFigure *figure)
{
  const SsappHomotopyPlan homotopy = {schemes[run->scheme].family, run->stages, ELEMENTS, run->steps};
  double apart = NAN;
  SsappHomotopyRun made;

  ssapp_bench_homotopy_run (&homotopy, plan->control, &made);
  const double error = error_of (made.state, exact);
  const SsappOrderPoint point = {(int)run->scheme, run->stages, element_of (run),
                                 made.is_complete ? error : (double)NAN, made.cpu_seconds};
  g_array_append_val (figure->homotopies, point);
  if (made.is_complete && run->is_completed)
    apart = fabs (error - run->error) / run->error;
  SSAPP_BENCH_ROW (sheet, {schemes[run->scheme].title}, {.n = run->stages}, {.n = run->steps},
                   {.n = made.is_complete ? error : NAN}, {.n = run->error}, {.n = apart}, {.n = made.failed},
                   {.n = made.kicked}, {.n = made.iterations}, {.n = made.cpu_seconds}, {.n = run->cpu_seconds},
                   {.n = study[0]}, {.n = study[1]}, {.n = study[2]}, {.n = study[3]}, {.n = study[4]},
                   {made.is_complete        ? "completed"
                    : *made.message != '\0' ? made.message
                                            : "stopped"});
  ssapp_bench_say (plan->say, "homotopy: %-14s n = %d  N_sim = %4d  error %.3g  %d failed  %.3g s",
                   schemes[run->scheme].title, run->stages, run->steps, error, made.failed, made.cpu_seconds);
}

static void
fill_homotopies (SsappBenchSheet *sheet, const SsappBenchFesdPlan *plan, const GArray *runs, const double *exact,
                 SsappOrderFigure *figure)
{
  static const char *const columns[] = {"scheme|scheme|0",
                                        "stages|n|2",
                                        "steps|N_sim|5",
                                        "error|error at T|5",
                                        "error_integrator|fesd-j|5",
                                        "apart|apart|2",
                                        "failed|failed|4",
                                        "kicked|kicked|4",
                                        "iterations|iterations|7",
                                        "cpu_seconds|CPU [s]|3",
                                        "cpu_seconds_integrator|fesd-j [s]|3",
                                        "error_study|study: error|5",
                                        "failed_study|failed|4",
                                        "kicked_study|kicked|4",
                                        "iterations_study|iterations|7",
                                        "cpu_seconds_study|CPU [s]|3",
                                        "end|end|0",
                                        NULL};
  g_auto (GStrv) lines = g_strsplit (bench_fesd_two_balls_homotopy, "\n", -1);

  if (plan->homotopy == SSAPP_HOMOTOPY_NONE)
    return;
  ssapp_bench_sheet_table (sheet, "homotopies", "The same steps by the optimiser scholtes, one problem a step",
                           columns);
  for (guint i = 0; i < runs->len && !ssapp_bench_is_cancelled (plan->control); i++) {
    const Run *run = &g_array_index (runs, Run, i);
    double study[5];
    if (!is_in_extent (plan, runs, run))
      continue;
    find_study (lines, run, study);
    add_homotopy (sheet, plan, run, exact, study, figure);
  }
  ssapp_bench_sheet_note (sheet,
                          "apart: of the two errors, relative; where no step failed both solve the same equations.");
  ssapp_bench_sheet_note (sheet, "kicked: steps that were tried again from an impulse of 7 N s; failed: of them, those "
                                 "that were not solved either.");
  ssapp_bench_sheet_note (sheet, "study: another program's homotopy on another machine, which starts a step from the "
                                 "solution of the one before.");
}

/* The points of the picture [000 Fig 6]: our runs, and the study's with homotopies where it has them. */
static void
fill_figure (SsappOrderFigure *figure, const GArray *runs)
{
  g_auto (GStrv) lines = g_strsplit (bench_fesd_two_balls_homotopy, "\n", -1);

  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    figure->titles[s] = schemes[s].title;
  for (guint i = 0; i < runs->len; i++) {
    const Run *run = &g_array_index (runs, Run, i);
    double study[5];
    const SsappOrderPoint point = {(int)run->scheme, run->stages, element_of (run), run->error, run->cpu_seconds};
    g_array_append_val (figure->points, point);
    find_study (lines, run, study);
    const SsappOrderPoint other = {(int)run->scheme, run->stages, element_of (run), study[0], study[4]};
    if (isfinite (study[0]))
      g_array_append_val (figure->study, other);
  }
}

static char *
to_csv (const GArray *runs)
{
  GString *out =
      g_string_new ("scheme,stages,steps,element,error,error_reference,residual,without_mode_reference,impacts,events,"
                    "predicted,alternatives,bisected,cpu_seconds,fitted,completed\n");

  for (guint i = 0; i < runs->len; i++) {
    const Run *run = &g_array_index (runs, Run, i);
    const double numbers[] = {element_of (run), run->error, run->reference.error, run->residual};
    g_string_append_printf (out, "%s,%d,%d", schemes[run->scheme].name, run->stages, run->steps);
    for (guint k = 0; k < G_N_ELEMENTS (numbers); k++)
      if (isnan (numbers[k]))
        g_string_append_c (out, ',');
      else
        g_string_append_printf (out, ",%.17g", numbers[k]);
    g_string_append_printf (out, ",%d,%d,%d,%d,%d,%d,%.17g,%d,%d\n", run->reference.without_mode, run->impacts,
                            run->events, run->by_way[SS_STEP_PREDICTED], run->by_way[SS_STEP_ALTERNATIVE],
                            run->by_way[SS_STEP_BISECTED], run->cpu_seconds, counts (run, run->error, run->impacts),
                            run->is_completed);
  }
  return g_string_free (out, FALSE);
}

/* ---- suite ------------------------------------------------------------------------------------------------------- */

SsappBenchSheet *
ssapp_bench_fesd_order (const SsappBenchFesdPlan *plan, char **csv, SsappOrderFigure **figure, int *n_failed)
{
  g_return_val_if_fail (plan != NULL, NULL);
  const int *steps = plan->steps != NULL ? plan->steps : paper_steps;
  const int n_steps = plan->steps != NULL ? plan->n_steps : (int)G_N_ELEMENTS (paper_steps);
  SsappBenchSheet *sheet = ssapp_bench_sheet_new ();
  GArray *runs = g_array_new (FALSE, TRUE, sizeof (Run));
  char **lines = g_strsplit (bench_fesd_two_balls_reference, "\n", -1), *message = NULL;
  SsScenario *scenario = ssapp_bench_read (bench_fesd_two_balls, "two-balls", NULL, 0, &message);
  double exact[N_STATE];

  *figure = ssapp_order_figure_new ();
  *n_failed = scenario == NULL;
  read_exact (exact);
  for (guint s = 0; s < G_N_ELEMENTS (schemes) && scenario != NULL; s++)
    for (int n = 1; n <= STAGES; n++)
      for (int i = 0; i < n_steps && !ssapp_bench_is_cancelled (plan->control); i++) {
        Run run = {.scheme = s, .stages = n, .steps = steps[i], .reference = find_reference (lines, s, n, steps[i])};
        run_one (&run, scenario, exact);
        *n_failed += !run.is_completed;
        g_array_append_val (runs, run);
        ssapp_bench_say (plan->say, "%-14s n = %d  N_sim = %4d  error %.3g  %.3g s%s%s", schemes[s].title, n, run.steps,
                         run.error, run.cpu_seconds, *run.message != '\0' ? "  " : "", run.message);
      }
  fill_runs (sheet, runs);
  fill_left_out (sheet, runs);
  if (message != NULL)
    ssapp_bench_sheet_note (sheet, "%s", message);
  *n_failed += fill_slopes (sheet, runs, plan->steps == NULL && !ssapp_bench_is_cancelled (plan->control), *figure);
  fill_homotopies (sheet, plan, runs, exact, *figure);
  fill_figure (*figure, runs);
  *csv = to_csv (runs);
  ss_scenario_free (scenario);
  g_array_unref (runs);
  g_strfreev (lines);
  g_free (message);
  return sheet;
}
