/* tests/numeric/test-stiff.c: springs, dampers and formulas that a step is too long for, by every law that steps; truth
 * is equilibria, closed forms of the scheme's limit, energy, and orders by halving the step. */
#include "judge/ss-motion.h"
#include "run/ss-method.h"
#include "simulate/ss-stiff.h"
#include "ss-test-scenario.h"
#include "ss-test-simulate.h"

#include <math.h>
#include <string.h>

static const char *const laws[] = {"stewart-trinkle",   "convex-time-stepping", "moreau-jean",   "anitescu-potra",
                                   "constraint-solver", "semi-implicit-euler",  "implicit-euler"};
enum { N_LAWS = sizeof laws / sizeof *laws };
static const char *const explicitly[] = {"forces=explicit", NULL};

#define BODY(name, place)                                                                                              \
  "{\"name\": \"" name "\", \"mass\": 1, \"lock\": [\"theta\"], \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, "  \
  "\"position\": [" place "]"
#define SPRING(k, d, rest)                                                                                             \
  "\"springs\": [{\"name\": \"s\", \"bodies\": [\"world\", \"b\"], \"anchors\": [[0, 0], [0, 0]], \"stiffness\": " k   \
  ", \"damping\": " d ", \"rest\": " rest "}]"
#define FORCE(on, fx, fy) "{\"name\": \"f" on "\", \"body\": \"" on "\", \"force\": [\"" fx "\", \"" fy "\"]}"

static SsScenario *
scene_of (double g, const char *bodies, const char *more)
{
  char text[2048];
  snprintf (text, sizeof text,
            "{\"format\": 1, \"name\": \"stiff\", \"scene\": {\"gravity\": [0, %g], \"bodies\": [%s], \"contacts\": "
            "[], %s}}",
            -g, bodies, more);
  return ss_test_read_text (text);
}

static SsTestRun
run_by (const SsScenario *s, const char *law, const char *const *options, double dt, double t_end)
{
  const SsMethod *method = ss_method_find (SS_METHOD_INTEGRATOR, law, NULL);
  SS_CHECK (method != NULL);
  return ss_test_simulate (s->scene, method->integrator, options, dt, t_end, NULL);
}

/* Largest gain of energy over its start, as a part of `about`. */
static double
gain_of (const SsTrajectory *t, double about)
{
  double first = 0, most = 0;
  for (int i = 0; i < t->n_rows; i++) {
    const double e = ss_test_value (t, i, "energy.kinetic") + ss_test_value (t, i, "energy.potential");
    if (i == 0)
      first = e;
    most = fmax (most, e - first);
  }
  return most / about;
}

/* 1e9 N/m on 1 kg, h = .01: zeta is 1e5. Let go 1 mm out it is home after 1 s, and no energy came; hung at rest it
 * stays where m g/k says. */
static void
a_spring_goes_home (void)
{
  static const char *const stiffnesses[] = {SPRING ("1e6", "0", "1"), SPRING ("1e9", "0", "1"),
                                            SPRING ("1e9", "1e4", "1"), SPRING ("1e15", "0", "1")};
  for (int k = 0; k < 4; k++) {
    SsScenario *out = scene_of (0, BODY ("b", "1.001, 0") "}", stiffnesses[k]);
    SsScenario *hung = scene_of (9.81, BODY ("b", "0, -1") "}", stiffnesses[k]);
    for (int i = 0; i < N_LAWS; i++) {
      SsTestRun run = run_by (out, laws[i], NULL, 0.01, 1);
      SS_CHECK (run.outcome == SS_OUTCOME_COMPLETED);
      /* of 1e6 N/m ten substeps of semi-implicit resolve the vibration, and keep it */
      const bool resolves = k == 0 && i == 5;
      SS_CHECK (resolves || fabs (ss_test_last_value (run.trajectory, "b.x") - 1) <= 1e-9);
      SS_CHECK (resolves || gain_of (run.trajectory, 1) <= 0);
      ss_trajectory_free (run.trajectory);
      run = run_by (hung, laws[i], NULL, 0.01, 1);
      SS_CHECK (run.outcome == SS_OUTCOME_COMPLETED);
      /* within twice m g/k of the unstretched length, and rounding */
      SS_CHECK (fabs (ss_test_last_value (run.trajectory, "b.y") + 1) <= 2.1e-5);
      ss_trajectory_free (run.trajectory);
    }
    ss_scenario_free (out);
    ss_scenario_free (hung);
  }
}

/* -1e4 v: what falls has m g/d at the end of the first 1 s to all digits but those of exp (-1e4), what flew stops
 * within the way of a step. */
static void
a_damper_stops (void)
{
  SsScenario *falls =
      scene_of (9.81, BODY ("b", "0, 0") "}", "\"forces\": [" FORCE ("b", "-1e4*b.vx", "-1e4*b.vy") "]");
  SsScenario *flies = scene_of (0, BODY ("b", "0, 0") ", \"velocity\": [1, 0.5]}",
                                "\"forces\": [" FORCE ("b", "-1e4*b.vx", "-1e4*b.vy") "]");
  for (int i = 0; i < N_LAWS; i++) {
    SsTestRun run = run_by (falls, laws[i], NULL, 0.01, 1);
    SS_CHECK (run.outcome == SS_OUTCOME_COMPLETED);
    SS_CHECK (fabs (ss_test_last_value (run.trajectory, "b.vy") + 9.81e-4) <= 1e-12);
    ss_trajectory_free (run.trajectory);
    run = run_by (flies, laws[i], NULL, 0.01, 1);
    SS_CHECK (run.outcome == SS_OUTCOME_COMPLETED);
    SS_CHECK (fabs (ss_test_last_value (run.trajectory, "b.vx")) <= 1e-12);
    /* v0 m/d = 1e-4 m; the theta rule goes the half of its first step at v0 */
    const double x = ss_test_last_value (run.trajectory, "b.x");
    SS_CHECK (x > 0 && x <= (i == 2 ? 0.0052 : 1.01e-4) && gain_of (run.trajectory, 1) <= 0);
    ss_trajectory_free (run.trajectory);
  }
  ss_scenario_free (falls);
  ss_scenario_free (flies);
}

/* The option explicit is the rule as it was: it diverges. */
static void
explicit_diverges (void)
{
  SsScenario *s = scene_of (0, BODY ("b", "1.001, 0") "}", SPRING ("1e9", "0", "1"));
  for (int i = 0; i < N_LAWS; i++) {
    const SsMethod *method = ss_method_find (SS_METHOD_INTEGRATOR, laws[i], NULL);
    SS_CHECK (ss_options_find (method->integrator->options, SS_FORCES_NAME) >= 0);
    if (i >= 5) /* substeps; implicit by itself */
      continue;
    SsTestRun run = {0};
    SsError err = {0};
    _Alignas(max_align_t) char options[1024];
    ss_test_set_options (method->integrator->options, options, explicitly, &err);
    SS_CHECK (ss_simulate (s->scene, method->integrator, options, 0.01, 1, NULL, &run.trajectory, &run.metrics,
                           &run.outcome, run.message, sizeof run.message, &err) == SS_OK);
    SS_CHECK (run.outcome == SS_OUTCOME_DIVERGED);
    ss_trajectory_free (run.trajectory);
  }
  ss_scenario_free (s);
}

/* A damped oscillator that the steps resolve: implicit and explicit are one to the bit, and of the scheme's order. */
static void
orders_are_kept (void)
{
  SsScenario *s = scene_of (0, BODY ("b", "1.2, 0") "}", SPRING ("100", "2", "1"));
  const double w = sqrt (99), truth = 1 + 0.2 * exp (-1) * (cos (w) + sin (w) / w);
  for (int i = 0; i < N_LAWS; i++) {
    double error[3];
    for (int k = 0; k < 3; k++) {
      SsTestRun run = run_by (s, laws[i], NULL, 0.01 / (1 << k), 1);
      error[k] = fabs (ss_test_last_value (run.trajectory, "b.x") - truth);
      if (k == 0) {
        SsTestRun as_ever = run_by (s, laws[i], explicitly, 0.01, 1);
        const size_t n = (size_t)run.trajectory->n_rows * (size_t)run.trajectory->n_channels;
        SS_CHECK (as_ever.trajectory->n_rows == run.trajectory->n_rows &&
                  memcmp (run.trajectory->values, as_ever.trajectory->values, n * sizeof (double)) == 0);
        ss_trajectory_free (as_ever.trajectory);
      }
      ss_trajectory_free (run.trajectory);
    }
    const double order = log2 (error[1] / error[2]);
    const bool is_second = strcmp (laws[i], "moreau-jean") == 0;
    if (!(order >= (is_second ? 1.9 : 0.9)))
      printf ("  %s: order %.2f\n", laws[i], order);
    SS_CHECK (order >= (is_second ? 1.9 : 0.9));
  }
  ss_scenario_free (s);
}

/* On a slider the four laws step by RATTLE: second order where the step resolves the spring, home where it does not. */
static void
joints_keep_their_order (void)
{
#define SLIDER                                                                                                         \
  "\"joints\": [{\"name\": \"j\", \"type\": \"slider\", \"bodies\": [\"world\", \"b\"], \"anchors\": [[0, 0], [0, "    \
  "0]], \"axis\": [1, 0]}], "
  SsScenario *soft = scene_of (
      0, "{\"name\": \"b\", \"mass\": 1, \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"position\": [1.2, 0]}",
      SLIDER SPRING ("100", "2", "1"));
  SsScenario *stiff = scene_of (
      0, "{\"name\": \"b\", \"mass\": 1, \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"position\": [1.001, 0]}",
      SLIDER SPRING ("1e9", "0", "1"));
  const double w = sqrt (99), truth = 1 + 0.2 * exp (-1) * (cos (w) + sin (w) / w);
  static const char *const by_rattle[] = {"stewart-trinkle", "convex-time-stepping", "moreau-jean",
                                          "constraint-solver"};
  for (int i = 0; i < 4; i++) {
    double error[2];
    for (int k = 0; k < 2; k++) {
      SsTestRun run = run_by (soft, by_rattle[i], NULL, 0.005 / (1 << k), 1);
      error[k] = fabs (ss_test_last_value (run.trajectory, "b.x") - truth);
      ss_trajectory_free (run.trajectory);
    }
    SS_CHECK (log2 (error[0] / error[1]) >= 1.9);
    SsTestRun run = run_by (stiff, by_rattle[i], NULL, 0.01, 1);
    SS_CHECK (run.outcome == SS_OUTCOME_COMPLETED);
    SS_CHECK (fabs (ss_test_last_value (run.trajectory, "b.x") - 1) <= 1e-9 && gain_of (run.trajectory, 1) <= 0);
    ss_trajectory_free (run.trajectory);
  }
  ss_scenario_free (soft);
  ss_scenario_free (stiff);
}

/* A pendulum on a spring of 1e9 N/m, let go at .64 rad: a rod but for 1e-8 m. Of 1.96 J in play the laws lose what they
 * lose by a first-order step of a rod, below 3 %. Backward Euler damps swings, as its caveat says. */
static void
a_stiff_pendulum_swings (void)
{
  SsScenario *s = scene_of (9.81, BODY ("b", "0.6, -0.8") "}", SPRING ("1e9", "0", "1"));
  for (int i = 0; i < 6; i++) {
    SsTestRun run = run_by (s, laws[i], NULL, 0.01, 5);
    SS_CHECK (run.outcome == SS_OUTCOME_COMPLETED);
    const int last = run.trajectory->n_rows - 1;
    const double e = ss_test_value (run.trajectory, last, "energy.kinetic") +
                     ss_test_value (run.trajectory, last, "energy.potential") + 9.81 * 0.8;
    SS_CHECK (fabs (e) <= 0.03 * 1.962);
    ss_trajectory_free (run.trajectory);
  }
  ss_scenario_free (s);
}

/* -1e9 x^3 from .1 m: one linearisation goes a third of the way. The first step of backward Euler is the root of
 * x + h^2 1e9 x^3 = .1 (weights differ from its by 1/zeta^2 < 1e-6). */
static void
formulas_settle (void)
{
  SsScenario *s = scene_of (0, BODY ("b", "0.1, 0") "}", "\"forces\": [" FORCE ("b", "-1e9*b.x^3", "0") "]");
  double root = 0.01;
  for (int k = 0; k < 50; k++)
    root -= (root + 1e5 * root * root * root - 0.1) / (1 + 3e5 * root * root);
  for (int i = 0; i < N_LAWS; i++) {
    if (i == 2 || i == 5) /* other ways of a step */
      continue;
    SsTestRun run = run_by (s, laws[i], NULL, 0.01, 0.01);
    SS_CHECK (fabs (ss_test_last_value (run.trajectory, "b.x") - root) <= 1e-6 * root);
    ss_trajectory_free (run.trajectory);
  }
  ss_scenario_free (s);
}

/* Two bodies that read each other: their momentum is kept, and they hold together. */
static void
pairs_push_each_other (void)
{
  SsScenario *s = scene_of (0, BODY ("a", "0, 0") ", \"velocity\": [1, 0]}, " BODY ("b", "0.001, 0") "}",
                            "\"forces\": [" FORCE ("a", "-1e9*(a.x - b.x) - 1e3*(a.vx - b.vx)", "0") ", " FORCE (
                                "b", "-1e9*(b.x - a.x) - 1e3*(b.vx - a.vx)", "0") "]");
  for (int i = 0; i < N_LAWS; i++) {
    SsTestRun run = run_by (s, laws[i], NULL, 0.01, 1);
    SS_CHECK (run.outcome == SS_OUTCOME_COMPLETED && run.metrics.n_left == 0);
    SS_CHECK (fabs (ss_test_last_value (run.trajectory, "momentum.x") - 1) <= 1e-9);
    SS_CHECK (fabs (ss_test_last_value (run.trajectory, "b.x") - ss_test_last_value (run.trajectory, "a.x")) <= 1e-9);
    ss_trajectory_free (run.trajectory);
  }
  ss_scenario_free (s);
}

/* A controller of 1e8 N/m that has 10 N: under 20 N it gives way with 10 m/s^2. Under 5 N it holds. */
static void
actuators_keep_their_bounds (void)
{
#define HELD                                                                                                           \
  "\"actuators\": [{\"name\": \"u\", \"type\": \"force\", \"body\": \"b\", \"direction\": [0, 1], \"lower\": -10, "    \
  "\"upper\": 10, \"formula\": \"-1e8*b.y - 1e4*b.vy\"}]"
  SsScenario *heavy = scene_of (20, BODY ("b", "0, 0") "}", HELD), *light = scene_of (5, BODY ("b", "0, 0") "}", HELD);
  for (int i = 0; i < N_LAWS - 1; i++) {
    SsTestRun run = run_by (heavy, laws[i], NULL, 0.01, 1);
    SS_CHECK (run.outcome == SS_OUTCOME_COMPLETED);
    SS_CHECK (fabs (ss_test_last_value (run.trajectory, "b.vy") + 10) <= 0.11); /* a step's */
    ss_trajectory_free (run.trajectory);
    run = run_by (light, laws[i], NULL, 0.01, 1);
    SS_CHECK (run.outcome == SS_OUTCOME_COMPLETED);
    SS_CHECK (fabs (ss_test_last_value (run.trajectory, "b.y")) <= 1e-6);
    ss_trajectory_free (run.trajectory);
  }
  ss_scenario_free (heavy);
  ss_scenario_free (light);
}

/* A magnetic force does not push back where it is measured: it stays explicit, and that is told. */
static void
skew_forces_are_told (void)
{
  SsScenario *s = scene_of (0, BODY ("b", "0, 0") ", \"velocity\": [1, 0]}",
                            "\"forces\": [" FORCE ("b", "1e4*b.vy", "-1e4*b.vx") "]");
  SsScenario *weak =
      scene_of (0, BODY ("b", "0, 0") ", \"velocity\": [1, 0]}", "\"forces\": [" FORCE ("b", "b.vy", "-b.vx") "]");
  for (int i = 0; i < 5; i++) {
    SsTestRun run = run_by (s, laws[i], NULL, 0.01, 0.02);
    SS_CHECK (run.metrics.n_left > 0);
    ss_trajectory_free (run.trajectory);
    run = run_by (weak, laws[i], NULL, 0.01, 0.02);
    SS_CHECK (run.metrics.n_left == 0);
    ss_trajectory_free (run.trajectory);
  }
  ss_scenario_free (s);
  ss_scenario_free (weak);
}

/* The balance explains motions of stiff springs to 1e-5 m/s (the theta rule takes rows half a step on), and finds a
 * push across the spring of .1 m/s. */
static void
the_balance_knows (void)
{
  SsScenario *s = scene_of (9.81, BODY ("b", "0.6, -0.8") "}", SPRING ("1e9", "0", "1"));
  for (int i = 0; i < 6; i++) {
    SsMotionVerdict v;
    SsTestRun run = run_by (s, laws[i], NULL, 0.01, 0.5);
    if (i < 5) { /* the other takes ten steps between two rows */
      SS_CHECK (ss_motion_judge (s->scene, run.trajectory, false, NULL, &v, NULL) == SS_OK);
      SS_CHECK (v.balance.value <= 1e-5);
      ss_motion_verdict_clear (&v);
    }
    const int vx = ss_trajectory_channel (run.trajectory, "b.vx"), vy = ss_trajectory_channel (run.trajectory, "b.vy");
    for (int k = 20; k < run.trajectory->n_rows; k++) {
      double *row = run.trajectory->values + (size_t)k * (size_t)run.trajectory->n_channels;
      const double x = ss_test_value (run.trajectory, k, "b.x"), y = ss_test_value (run.trajectory, k, "b.y");
      row[vx] += -0.1 * y;
      row[vy] += 0.1 * x;
    }
    SS_CHECK (ss_motion_judge (s->scene, run.trajectory, false, NULL, &v, NULL) == SS_OK);
    SS_CHECK (v.balance.value >= 0.05);
    ss_motion_verdict_clear (&v);
    ss_trajectory_free (run.trajectory);
  }
  ss_scenario_free (s);
}

/* 1 kg under 1e6 and 1e8 times that: no step ends the run. */
static void
masses_far_apart (void)
{
  static const char *const masses[] = {"1e6", "1e8"};
  for (int k = 0; k < 2; k++) {
    char text[1024];
    snprintf (text, sizeof text,
              "{\"format\": 1, \"name\": \"ratio\", \"scene\": {\"gravity\": [0, -9.81], \"bodies\": [{\"name\": "
              "\"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}}, {\"name\": "
              "\"small\", \"mass\": 1, \"shape\": {\"type\": \"circle\", \"radius\": 0.5}, \"position\": [0, 0.5]}, "
              "{\"name\": \"big\", \"mass\": %s, \"shape\": {\"type\": \"circle\", \"radius\": 0.5}, \"position\": [0, "
              "1.5]}], \"contacts\": \"all\"}}",
              masses[k]);
    SsScenario *s = ss_test_read_text (text);
    for (int i = 0; i < 5; i++) {
      SsTestRun run = run_by (s, laws[i], NULL, 0.01, 1);
      SS_CHECK (run.outcome == SS_OUTCOME_COMPLETED);
      SS_CHECK (run.metrics.parts.n_parts >= 2 * run.metrics.parts.n_halved);
      SS_CHECK (i == 4 || ss_test_last_value (run.trajectory, "big.y") >= 1.5 - 1e-6); /* the last gives way */
      ss_trajectory_free (run.trajectory);
    }
    ss_scenario_free (s);
  }
}

/* A law that solves no step above 3 ms: steps of 10 ms are halved twice, then go on as it lets them. */
static SsStatus
step_picky (void *integrator, const SsStep *step, SsSimState *state, SsStepInfo *info, SsError *err)
{
  return step->dt > 0.003 ? ss_error_set (err, SS_ERR_SINGULAR, "not solved")
                          : ss_integrator_stewart_trinkle.step (integrator, step, state, info, err);
}

static void
steps_are_halved (void)
{
  SsScenario *s = scene_of (9.81, BODY ("b", "0, -1") "}", SPRING ("100", "0", "1"));
  SsIntegratorClass picky = ss_integrator_stewart_trinkle;
  picky.step = step_picky;
  SsTestRun run = ss_test_simulate (s->scene, &picky, NULL, 0.01, 0.1, NULL);
  SS_CHECK (run.outcome == SS_OUTCOME_COMPLETED && run.metrics.steps == 10);
  SS_CHECK (run.metrics.parts.n_halved == 10 && run.metrics.parts.t_halved == 0);
  SS_CHECK (run.metrics.parts.n_parts >= 40 && run.trajectory->n_rows == run.metrics.parts.n_parts + 1);
  ss_trajectory_free (run.trajectory);
  ss_scenario_free (s);
}

int
main (void)
{
  SS_RUN (a_spring_goes_home);
  SS_RUN (a_damper_stops);
  SS_RUN (explicit_diverges);
  SS_RUN (orders_are_kept);
  SS_RUN (joints_keep_their_order);
  SS_RUN (a_stiff_pendulum_swings);
  SS_RUN (formulas_settle);
  SS_RUN (pairs_push_each_other);
  SS_RUN (actuators_keep_their_bounds);
  SS_RUN (skew_forces_are_told);
  SS_RUN (the_balance_knows);
  SS_RUN (masses_far_apart);
  SS_RUN (steps_are_halved);
  return ss_test_finish ();
}
