/* app/bench/ssapp-bench-impacts-one.c: single motions of paper 002: Routh's process of one corner [002 Fig 3], and the
 * wobbling block [002 Fig 7 Fig 8], each beside its closed form; see ssapp-bench-impacts.h. */
#include "app/bench/ssapp-bench-common.h"
#include "app/bench/ssapp-bench-impacts-private.h"

#include "impact/ss-impact-step.h"
#include "simulate/ss-simulate.h"

#include <math.h>
#include <string.h>

#include "bench-impact-routh.h"
#include "bench-impact-zeno-exact.h"
#include "bench-impact-zeno.h"

/* ---- Routh's process --------------------------------------------------------------------------------------------- */

/* Largest impulse of a step [N s], how many steps there may be, and every which of them is told. */
static const double ROUTH_STEP = 1e-3;
enum { ROUTH_STEPS = 4000, ROUTH_TOLD = 20 };

static const struct {
  const char *name;
  double mu, vx;
} routh_cases[] = {{"slips, then sticks", .5, 1}, {"slip turns round", .1, .5}};

/* Impulse and speeds where the slip ends, impulse and slip where the impact does. */
typedef struct {
  double slip_end, vn_at_slip_end, end, vt_at_end;
} Routh;

static const struct {
  const char *name;
  gsize offset;
} routh_numbers[] = {{"normal impulse where the slip ends [N s]", G_STRUCT_OFFSET (Routh, slip_end)},
                     {"normal speed there [m/s]", G_STRUCT_OFFSET (Routh, vn_at_slip_end)},
                     {"normal impulse at the end [N s]", G_STRUCT_OFFSET (Routh, end)},
                     {"slip at the end [m/s]", G_STRUCT_OFFSET (Routh, vt_at_end)}};

/* By hand, of a corner that slips forwards: speeds go straight over the normal impulse, with friction against the slip;
 * then the corner sticks, or where friction cannot hold it, it is pushed on. */
static Routh
routh_exact (const SsImpact *impact)
{
  const double *d = impact->contact, nn = d[0], nt = d[1], tt = d[3], mu = impact->mu[0];
  double u[2];
  Routh r;

  ss_impact_speeds (impact, impact->v, u);
  const double holds = -nt / tt; /* friction over normal impulse that keeps the corner */
  r.slip_end = u[1] / (mu * tt - nt);
  r.vn_at_slip_end = u[0] + (nn - mu * nt) * r.slip_end;
  const double friction = fmax (-mu, fmin (mu, holds));
  const double rest = -r.vn_at_slip_end / (nn + friction * nt);
  r.end = r.slip_end + rest;
  r.vt_at_end = (nt + friction * tt) * rest;
  return r;
}

static void
add_path_row (SsappBenchSheet *sheet, const char *path, int step, double impulse, const double *u)
{
  SSAPP_BENCH_ROW (sheet, {path}, {.n = step}, {.n = impulse}, {.n = u[1]}, {.n = u[0]});
}

/* Both edges of the friction cone, where they lead from the start [002 (22)]. */
static void
add_rays (SsappBenchSheet *sheet, const SsImpact *impact, double length)
{
  static const char *const names[] = {"edge of the cone, friction backwards", "edge of the cone, friction forwards"};
  double u[2];

  ss_impact_speeds (impact, impact->v, u);
  for (int side = 0; side < 2; side++) {
    const double *d = impact->contact, friction = (side == 0 ? -1 : 1) * impact->mu[0];
    const double far[2] = {u[0] + length * (d[0] + friction * d[1]), u[1] + length * (d[2] + friction * d[3])};
    add_path_row (sheet, names[side], 0, 0, u);
    add_path_row (sheet, names[side], 1, length, far);
  }
}

/* Steps of a thousandth, each with friction at the speed after it [002 (36)]. */
static Routh
routh_steps (SsappBenchSheet *sheet, const SsImpact *impact, const char *name)
{
  g_autofree double *v = g_memdup2 (impact->v, (gsize)impact->n * sizeof *impact->v);
  SsImpactStep *step;
  Routh r = {NAN, NAN, NAN, NAN};
  double u[2], impulse = 0, last;

  if (ss_impact_step_new (impact, SS_IMPACT_ROWS_SCALED, &step, NULL) != SS_OK)
    g_error ("out of memory");
  ss_impact_speeds (impact, v, u);
  for (int k = 0; k < ROUTH_STEPS && u[0] < -SS_IMPACT_STOP; k++) {
    SsImpactStepResult result;
    if (k % ROUTH_TOLD == 0)
      add_path_row (sheet, name, k, impulse, u);
    last = u[1];
    ss_impact_step_solve (step, &(SsImpactStepJob){.cap = &ROUTH_STEP}, v, &result);
    if (!result.is_solved)
      break;
    impulse += result.impulse[0];
    ss_impact_speeds (impact, v, u);
    if (last > SS_IMPACT_STOP && u[1] <= SS_IMPACT_STOP) {
      r.slip_end = impulse;
      r.vn_at_slip_end = u[0];
    }
  }
  add_path_row (sheet, name, ROUTH_STEPS, impulse, u);
  r.end = impulse;
  r.vt_at_end = u[1];
  ss_impact_step_free (step);
  return r;
}

static SsImpact *
routh_impact (guint c)
{
  const SsOverride set[] = {{"mu", routh_cases[c].mu}, {"vx", routh_cases[c].vx}};
  SsScenario *scenario = ssapp_bench_impact_scene (bench_impact_routh, set, G_N_ELEMENTS (set));
  SsImpact *impact = NULL;
  SsError error;

  if (ss_impact_new_from_scene (scenario->scene, NULL, NULL, 1e-6, &impact, &error) != SS_OK)
    g_error ("a built-in scene: %s", error.message);
  ss_scenario_free (scenario);
  return impact;
}

void
ssapp_bench_impacts_routh (SsappBenchSheet *sheet)
{
  static const char *const paths[] = {
      "path|path|0", "step|step|5", "impulse|normal impulse [N s]|6", "vt|slip [m/s]|6", "vn|normal speed [m/s]|6",
      NULL};
  static const char *const ends[] = {"case|case|0",         "quantity|quantity|0",     "value|value|8",
                                     "exact|closed form|8", "difference|difference|2", NULL};
  Routh found[G_N_ELEMENTS (routh_cases)], exact[G_N_ELEMENTS (routh_cases)];

  ssapp_bench_sheet_table (sheet, "routh-path", "A corner's speeds as its impulse grows", paths);
  for (guint c = 0; c < G_N_ELEMENTS (routh_cases); c++) {
    SsImpact *impact = routh_impact (c);
    exact[c] = routh_exact (impact);
    found[c] = routh_steps (sheet, impact, routh_cases[c].name);
    if (c == 0)
      add_rays (sheet, impact, exact[c].end / 2);
    ss_impact_free (impact);
  }
  ssapp_bench_sheet_table (sheet, "routh", "Where the slip and the impact end", ends);
  for (guint c = 0; c < G_N_ELEMENTS (routh_cases); c++)
    for (guint k = 0; k < G_N_ELEMENTS (routh_numbers); k++) {
      const double ours = G_STRUCT_MEMBER (double, &found[c], routh_numbers[k].offset),
                   truth = G_STRUCT_MEMBER (double, &exact[c], routh_numbers[k].offset);
      SSAPP_BENCH_ROW (sheet, {routh_cases[c].name}, {routh_numbers[k].name}, {.n = ours}, {.n = truth},
                       {.n = fabs (ours - truth)});
    }
  ssapp_bench_sheet_note (sheet, "Steps of 0.001 N s.");
}

/* ---- the wobbling block ------------------------------------------------------------------------------------------ */

enum { WOBBLE_HALVES = 12, WOBBLE_TOLD = 10 };
static const double GRAVITY = 9.81, LEVEL = 1e-9;

typedef struct {
  double t, s, omega, apex; /* end of a half-cycle; angular velocity at its start; largest |theta| in it */
} Half;

/* Channels of the block. */
typedef struct {
  int t, s, theta, omega, force;
} Wobble;

static SsTrajectory *
wobble (void)
{
  SsScenario *scenario = ssapp_bench_impact_scene (bench_impact_zeno, NULL, 0);
  g_autoptr (GPtrArray) methods = ssapp_bench_methods_parse (SS_METHOD_INTEGRATOR, "event-driven", NULL);
  const SsappBenchMethod *method = g_ptr_array_index (methods, 0);
  SsSimResult result = {0};
  SsError error = {0};
  SsTrajectory *motion = NULL;
  g_autofree void *options = ssapp_bench_method_options (method, scenario, &error);
  const SsSimJob job = {.scene = scenario->scene,
                        .integrator = method->method->integrator,
                        .options = options,
                        .dt = scenario->task.dt,
                        .t_end = scenario->task.t_end};

  if (options != NULL && ss_simulate_job (&job, NULL, &result, &error) == SS_OK &&
      result.outcome == SS_OUTCOME_COMPLETED)
    motion = g_steal_pointer (&result.trajectory);
  ss_sim_result_clear (&result);
  ss_scenario_free (scenario);
  return motion;
}

/* Ends of half-cycles are rows of one time and two angular velocities; returns how many there are. */
static int
find_halves (const SsTrajectory *motion, const Wobble *at, Half *halves)
{
  Half half = {.omega = fabs (ss_trajectory_row (motion, 0)[at->omega])};
  int n = 0;

  for (int r = 1; r < motion->n_rows && n < WOBBLE_HALVES; r++) {
    const double *before = ss_trajectory_row (motion, r - 1), *row = ss_trajectory_row (motion, r);
    half.apex = fmax (half.apex, fabs (row[at->theta]));
    if (!(row[at->t] <= before[at->t]) || fabs (row[at->omega] - before[at->omega]) < 1e-9)
      continue;
    half.t = row[at->t];
    half.s = row[at->s];
    halves[n++] = half;
    half = (Half){.omega = fabs (row[at->omega])};
  }
  return n;
}

static double
exact_number (const json_t *object, const char *key)
{
  return json_number_value (json_object_get (object, key));
}

static void
add_halves (SsappBenchSheet *sheet, const Half *halves, int n, const json_t *exact)
{
  static const char *const columns[] = {"half|half-cycle|3",         "t|end [s]|8",
                                        "t_exact|closed form|8",     "s|end, s|8",
                                        "s_exact|closed form|8",     "omega|starts with [rad/s]|8",
                                        "omega_exact|closed form|8", "apex|largest angle [rad]|8",
                                        "apex_exact|closed form|8",  NULL};
  const json_t *list = json_object_get (exact, "half_cycles");

  ssapp_bench_sheet_table (sheet, "halves", "Half-cycles of the block", columns);
  for (int k = 0; k < n; k++) {
    const json_t *one = json_array_get (list, (size_t)k);
    SSAPP_BENCH_ROW (sheet, {.n = k + 1}, {.n = halves[k].t}, {.n = exact_number (one, "t_end")}, {.n = halves[k].s},
                     {.n = exact_number (one, "s_end")}, {.n = halves[k].omega}, {.n = exact_number (one, "omega")},
                     {.n = halves[k].apex}, {.n = exact_number (one, "apex")});
  }
}

/* [002 (57)] as it is printed: the sine is taken away. */
static double
printed_apex (const json_t *exact)
{
  const double sine = sin (exact_number (exact, "alpha")),
               part = exact_number (exact, "pivot_inertia") / (2 * GRAVITY * exact_number (exact, "radius"));

  return asin (part - sine) - exact_number (exact, "alpha");
}

static void
add_numbers (SsappBenchSheet *sheet, const SsTrajectory *motion, const Wobble *at, const Half *halves, int n,
             const json_t *exact)
{
  static const char *const columns[] = {"quantity|quantity|0", "value|ours|8",           "printed|paper|4",
                                        "exact|closed form|8", "digit|its last digit|2", NULL};
  const double *end = ss_trajectory_row (motion, motion->n_rows - 1);
  const double factor = n > 1 ? halves[1].omega / halves[0].omega : NAN,
               cycle = n > 2 ? halves[2].omega / halves[0].omega : NAN,
               /* a geometric series from the last whole half-cycle on [002 (70)] */
      apart = n == WOBBLE_HALVES ? halves[n - 1].t - halves[n - 2].t : NAN,
               ratio = n == WOBBLE_HALVES ? apart / (halves[n - 2].t - halves[n - 3].t) : NAN,
               t_end = n > 0 ? halves[n - 1].t + apart * ratio / (1 - ratio) : NAN;
  const struct {
    const char *quantity;
    double ours, printed, exact, digit;
  } rows[] = {{"largest angle [rad]", n > 0 ? halves[0].apex : NAN, .22, exact_number (exact, "apex_angle"), .01},
              {"angular velocity left by an impact", factor, .7, exact_number (exact, "reduction_factor"), .1},
              {"angular velocity left by a cycle", cycle, .49, pow (exact_number (exact, "reduction_factor"), 2), .01},
              {"time at which it rests [s]", t_end, 2.67, exact_number (exact, "t_accumulation"), .01},
              {"s at which it rests", end[at->s] - (end[at->t] - t_end) * (1 + GRAVITY), 28.4,
               exact_number (exact, "s_accumulation"), .1},
              {"first impact [s]", n > 0 ? halves[0].t : NAN, 1, exact_number (exact, "first_half_cycle_time"), .1},
              {"largest angle by (57) as printed [rad]", printed_apex (exact), .22, NAN, .01}};

  ssapp_bench_sheet_table (sheet, "wobble", "Numbers that the paper prints of the wobbling block", columns);
  for (guint k = 0; k < G_N_ELEMENTS (rows); k++)
    SSAPP_BENCH_ROW (sheet, {rows[k].quantity}, {.n = rows[k].ours}, {.n = rows[k].printed}, {.n = rows[k].exact},
                     {.n = rows[k].digit});
  ssapp_bench_sheet_note (sheet, "The misprint of (57) is a sign: theta = asin (K w^2/(2 m g r) + sin alpha) - alpha.");
}

/* How fast time and normal impulses grow over s: they sum to 1 [002 (52a)]; at an impact time stands still. */
static void
add_rates (SsappBenchSheet *sheet, const SsTrajectory *motion, const Wobble *at)
{
  static const char *const columns[] = {
      "s|s|7",       "t|t [s]|7",    "theta|angle [rad]|6", "omega|angular velocity [rad/s]|6",
      "time|time|5", "A|corner A|5", "B|corner B|5",        NULL};

  ssapp_bench_sheet_table (sheet, "rates", "The wobbling block over s", columns);
  for (int r = 0; r + 1 < motion->n_rows; r++) {
    const double *row = ss_trajectory_row (motion, r), *before = ss_trajectory_row (motion, MAX (r - 1, 0)),
                 *next = ss_trajectory_row (motion, r + 1);
    const gboolean is_impact = !(next[at->t] > row[at->t]), was_impact = r > 0 && !(row[at->t] > before[at->t]);
    const double time = is_impact ? 0 : 1 / (1 + row[at->force]);
    /* It stands on the left corner where it leans to the right, and falls onto that which comes down. */
    const double leans = is_impact || fabs (row[at->theta]) < LEVEL ? row[at->omega] : row[at->theta],
                 left = fabs (leans) < LEVEL ? .5 : leans > 0;
    if (r % WOBBLE_TOLD == 0 || is_impact || was_impact)
      SSAPP_BENCH_ROW (sheet, {.n = row[at->s]}, {.n = row[at->t]}, {.n = row[at->theta]}, {.n = row[at->omega]},
                       {.n = time}, {.n = (1 - time) * left}, {.n = (1 - time) * (1 - left)});
  }
}

void
ssapp_bench_impacts_wobble (SsappBenchSheet *sheet)
{
  SsTrajectory *motion = wobble ();
  json_t *exact = json_loads (bench_impact_zeno_exact, 0, NULL);
  Half halves[WOBBLE_HALVES];

  if (motion != NULL) {
    const Wobble at = {0, ss_trajectory_second_clock (motion), ss_trajectory_channel (motion, "block.theta"),
                       ss_trajectory_channel (motion, "block.omega"),
                       ss_trajectory_channel (motion, "floor-block.lambda_n")};
    const int n = find_halves (motion, &at, halves);
    add_numbers (sheet, motion, &at, halves, n, exact);
    add_halves (sheet, halves, n, exact);
    add_rates (sheet, motion, &at);
  }
  json_decref (exact);
  ss_trajectory_free (motion);
}
