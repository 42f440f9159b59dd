/* tests/numeric/test-swept.c: what is fast passes through nothing and is pushed by nothing that it misses, by every
 * rigid law; truth is the order of the bodies, free flight, momentum and energy. */
#include "judge/ss-motion.h"
#include "run/ss-method.h"
#include "simulate/ss-swept.h"
#include "ss-test-scenario.h"
#include "ss-test-simulate.h"

#include <math.h>
#include <stdarg.h>

static const char *const laws[] = {"stewart-trinkle",   "convex-time-stepping", "moreau-jean", "anitescu-potra",
                                   "constraint-solver", "event-driven",         "fesd-j",      "time-freezing"};
enum { N_LAWS = sizeof laws / sizeof *laws };

static const SsIntegratorClass *
law_of (const char *name)
{
  const SsMethod *method = ss_method_find (SS_METHOD_INTEGRATOR, name, NULL);
  SS_CHECK (method != NULL);
  return method->integrator;
}

static const char *const whole[] = {"swept=off", NULL};

/* Bodies as given, without gravity. */
static SsScenario *
scene_of (double friction, double restitution, const char *bodies)
{
  char text[2048];
  snprintf (
      text, sizeof text,
      "{\"format\": 1, \"name\": \"fast\", \"scene\": {\"gravity\": [0, 0], \"friction\": %g, \"restitution\": %g, "
      "\"bodies\": [%s], \"contacts\": \"all\"}}",
      friction, restitution, bodies);
  return ss_test_read_text (text);
}

#define WALL  "{\"name\": \"a\", \"fixed\": true, \"shape\": {\"type\": \"box\", \"width\": 0.05, \"height\": 4}}"
#define LINE  "{\"name\": \"a\", \"fixed\": true, \"shape\": {\"type\": \"segment\", \"from\": [0,-2], \"to\": [0,2]}}"
#define PLANE "{\"name\": \"a\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [-1, 0]}}"
#define BODY(shape, x, y, angle, vx, vy, omega)                                                                        \
  "{\"name\": \"b\", \"mass\": 0.2, \"inertia\": 2e-4, \"shape\": {" shape "}, \"position\": [" x ", " y               \
  "], \"angle\": " angle ", \"velocity\": [" vx ", " vy "], \"angular_velocity\": " omega "}"
#define DISC     "\"type\": \"circle\", \"radius\": 0.01"
#define SQUARE   "\"type\": \"box\", \"width\": 0.02, \"height\": 0.02"
#define BAR      "\"type\": \"capsule\", \"radius\": 0.01, \"length\": 0.1"
#define TRIANGLE "\"type\": \"polygon\", \"vertices\": [[-0.01, -0.01], [0.02, 0], [-0.01, 0.01]]"

/* b flies from the left to a, which is at x = 0 and 4 m high. */
static const struct {
  const char *name, *bodies;
} shots[] = {
    {"a disc of 2 cm at 500 m/s", WALL ", " BODY (DISC, "-2.13", "0.3", "0", "500", "0", "0")},
    {"a disc of 2 cm at 8 m/s", WALL ", " BODY (DISC, "-0.433", "0.3", "0", "8", "0", "0")},
    {"a disc at a line", LINE ", " BODY (DISC, "-2.13", "0.3", "0", "500", "7", "0")},
    {"a disc at a half-plane", PLANE ", " BODY (DISC, "-2.13", "0.3", "0", "500", "7", "0")},
    {"a square that turns, corner first", WALL ", " BODY (SQUARE, "-1.03", "0.3", "0.6", "300", "-5", "70")},
    {"a square at a line", LINE ", " BODY (SQUARE, "-1.03", "0.3", "0.6", "90", "-5", "0")},
    {"a bar that turns", WALL ", " BODY (BAR, "-1.03", "0.3", "1.6", "200", "0", "40")},
    {"a triangle", WALL ", " BODY (TRIANGLE, "-1.03", "0.3", "0.6", "250", "5", "0")},
};
static const double steps[] = {0.01, 0.001};

typedef struct {
  double x, energy; /* of b at the end; of the start's */
} End;

static double
kinetic (const SsTrajectory *t, int row)
{
  return ss_test_value (t, row, "energy.kinetic");
}

/* The motion's end, judged: nothing overlaps between its rows more than at them, nothing by half of what the thinner
 * one measures, and no energy comes. */
static End
shoot (const char *name, const SsScenario *scenario, const char *law, const char *const *options, double dt,
       int n_steps)
{
  SsMotionVerdict v;
  SsTestRun run = ss_test_simulate (scenario->scene, law_of (law), options, dt, n_steps * dt, NULL);
  SS_CHECK (run.outcome == SS_OUTCOME_COMPLETED);
  if (run.trajectory == NULL)
    return (End){NAN, NAN};
  const int last = run.trajectory->n_rows - 1;
  const End end = {ss_test_value (run.trajectory, last, "b.x"),
                   kinetic (run.trajectory, last) / kinetic (run.trajectory, 0)};
  if (options == NULL) {
    SS_CHECK (ss_motion_judge (scenario->scene, run.trajectory, false, NULL, &v, NULL) == SS_OK);
    const bool is_good = v.swept_overlap.value <= 1e-6 && v.overlap_share.value < 0.5 && end.energy <= 1 + 1e-12 &&
                         run.metrics.parts.n_left == 0;
    if (!is_good)
      printf ("  %s, %s, dt %g: swept %.2g, share %.2g, energy %.3g, left %d\n", name, law, dt, v.swept_overlap.value,
              v.overlap_share.value, end.energy, run.metrics.parts.n_left);
    SS_CHECK (is_good);
    ss_motion_verdict_clear (&v);
  }
  ss_trajectory_free (run.trajectory);
  return end;
}

static void
nothing_passes (void)
{
  int n_passed = 0;
  for (size_t i = 0; i < sizeof shots / sizeof *shots; i++)
    for (int k = 0; k < 3 * N_LAWS; k++) {
      const char *law = laws[k % N_LAWS];
      const double friction = k / N_LAWS == 1 ? 0.5 : 0, restitution = k / N_LAWS == 2 ? 0.5 : 0;
      if (restitution > 0 && strcmp (law, "time-freezing") == 0) /* whose bodies go into each other while time stands */
        continue;
      SsScenario *scenario = scene_of (friction, restitution, shots[i].bodies);
      for (size_t j = 0; j < sizeof steps / sizeof *steps; j++) {
        const End end = shoot (shots[i].name, scenario, law, NULL, steps[j], 8);
        if (!(end.x < 0))
          printf ("  %s passes by %s, dt %g\n", shots[i].name, law, steps[j]);
        SS_CHECK (end.x < 0);
      }
      if (ss_options_find (law_of (law)->options, SS_SWEPT_NAME) >= 0)
        n_passed += shoot (shots[i].name, scenario, law, whole, steps[0], 8).x > 0;
      ss_scenario_free (scenario);
    }
  SS_CHECK (n_passed > 10); /* by whole steps many do: the shots are such as find a fault */
}

/* A disc that comes back with half of its speed, from where the wall is: Newton and Poisson agree on one contact. */
static void
what_bounces_comes_back (void)
{
  static const char *const bounce[] = {"moreau-jean", "anitescu-potra", "event-driven", "fesd-j"};
  SsScenario *scenario = scene_of (0, 0.5, shots[0].bodies);
  for (size_t i = 0; i < sizeof bounce / sizeof *bounce; i++)
    for (size_t j = 0; j < sizeof steps / sizeof *steps; j++) {
      const End end = shoot ("a bounce", scenario, bounce[i], NULL, steps[j], 20);
      /* there at 2.095/500 s, back with 250 m/s: time stepping errs by a part, which is a 32nd of the width of way */
      SS_CHECK_NEAR (end.x, -0.035 - 250 * (20 * steps[j] - 2.095 / 500), 0.02 / 16);
      SS_CHECK_NEAR (end.energy, 0.25, 1e-12);
    }
  ss_scenario_free (scenario);
}

/* Two free discs that meet: their order along x stays, their momentum too, and with e = 0 they go on together. */
static void
discs_that_meet_head_on (void)
{
  for (int k = 0; k < N_LAWS; k++)
    for (size_t j = 0; j < sizeof steps / sizeof *steps; j++) {
      SsScenario *scenario =
          scene_of (0.2, 0,
                    "{\"name\": \"a\", \"mass\": 2, \"shape\": {\"type\": \"circle\", \"radius\": 0.05}, \"position\": "
                    "[1.05, 0], \"velocity\": [-100, 0]}, " BODY (DISC, "-1.03", "0", "0", "200", "0", "0"));
      SsTestRun run = ss_test_simulate (scenario->scene, law_of (laws[k]), NULL, steps[j], 0.04, NULL);
      const SsTrajectory *t = run.trajectory;
      const int last = t->n_rows - 1;
      const double way = ss_test_value (t, last, "a.x") - ss_test_value (t, last, "b.x");
      /* 0.2 * 200 - 2 * 100 */
      SS_CHECK_NEAR (ss_test_value (t, last, "momentum.x"), -160, 1e-11);
      SS_CHECK_NEAR (ss_test_value (t, last, "momentum.y"), 0, 1e-11);
      SS_CHECK (kinetic (t, last) <= kinetic (t, 0) * (1 + 1e-12));
      SS_CHECK (way > 0.06 - 0.02 / 8);
      if (strcmp (laws[k], "constraint-solver") != 0)                      /* which is a spring */
        SS_CHECK_NEAR (ss_test_value (t, last, "b.vx"), -160 / 2.2, 1e-7); /* gaps of rounding over a short part */
      ss_trajectory_free (run.trajectory);
      ss_scenario_free (scenario);
    }
}

/* A rod of 1 m and 2 cm turns with 300 rad/s about its middle, onto a peg of 2 cm at 40 cm: it stays on the side from
 * which it came, with the face on the peg, where its energy is lost. */
static void
a_rod_meets_a_peg (void)
{
  for (int k = 0; k < N_LAWS; k++)
    for (size_t j = 0; j < sizeof steps / sizeof *steps; j++) {
      SsScenario *scenario = scene_of (
          0.3, 0,
          "{\"name\": \"a\", \"fixed\": true, \"shape\": {\"type\": \"circle\", \"radius\": 0.02}, \"position\": [0.4, "
          "0]}, {\"name\": \"b\", \"mass\": 1, \"lock\": [\"x\", \"y\"], \"angular_velocity\": 300, \"angle\": 1.5, "
          "\"shape\": {\"type\": \"box\", \"width\": 1, \"height\": 0.02}}");
      SsTestRun run = ss_test_simulate (scenario->scene, law_of (laws[k]), NULL, steps[j], 0.05, NULL);
      const SsTrajectory *t = run.trajectory;
      const double peg = asin (0.03 / 0.4), stop = 3.14159265358979324 - peg; /* its other half meets the peg */
      for (int row = 0; row < t->n_rows; row++)                               /* a quarter of its thickness at 40 cm */
        SS_CHECK (ss_test_value (t, row, "b.theta") < stop + 0.005 / 0.4);
      if (strcmp (laws[k], "constraint-solver") != 0) {
        SS_CHECK_NEAR (ss_test_last_value (t, "b.theta"), stop, 0.005 / 0.4);
        SS_CHECK_NEAR (ss_test_last_value (t, "b.omega"), 0, 3); /* a hundredth: laws of gaps push out what overlaps */
      }
      ss_trajectory_free (run.trajectory);
      ss_scenario_free (scenario);
    }
}

/* What passes beside flies as if there were nothing: past a disc, past the end of a wall, over a half-plane, by a tenth
 * of what it measures. */
static void
misses_stay_misses (void)
{
  static const struct {
    const char *bodies;
    double x, y, vx, vy;
  } misses[] = {
      {"{\"name\": \"a\", \"fixed\": true, \"shape\": {\"type\": \"circle\", \"radius\": 0.05}}, " BODY (
           DISC, "-1.03", "0.062", "0", "500", "0", "0"),
       -1.03, 0.062, 500, 0},
      {"{\"name\": \"a\", \"fixed\": true, \"shape\": {\"type\": \"box\", \"width\": 0.05, \"height\": 0.4}}, " BODY (
           DISC, "-1.03", "0.212", "0", "300", "0", "0"),
       -1.03, 0.212, 300, 0},
      {"{\"name\": \"a\", \"fixed\": true, \"shape\": {\"type\": \"box\", \"width\": 0.05, \"height\": 0.4}}, " BODY (
           SQUARE, "-1.03", "-0.02", "0.3", "100", "30", "0"),
       -1.03, -0.02, 100, 30},
      {PLANE ", " BODY (DISC, "-0.012", "0.3", "0", "0", "400", "0"), -0.012, 0.3, 0, 400},
  };
  for (size_t i = 0; i < sizeof misses / sizeof *misses; i++)
    for (int k = 0; k < N_LAWS; k++)
      for (size_t j = 0; j < sizeof steps / sizeof *steps; j++) {
        SsScenario *scenario = scene_of (0.3, 0, misses[i].bodies);
        SsTestRun run = ss_test_simulate (scenario->scene, law_of (laws[k]), NULL, steps[j], 0.03, NULL);
        const SsTrajectory *t = run.trajectory;
        const double x = ss_test_last_value (t, "b.x"), y = ss_test_last_value (t, "b.y");
        const bool is_free =
            fabs (x - misses[i].x - 0.03 * misses[i].vx) < 1e-9 && fabs (y - misses[i].y - 0.03 * misses[i].vy) < 1e-9;
        if (!is_free)
          printf ("  miss %zu by %s, dt %g: at %.9g, %.9g with %.9g\n", i, laws[k], steps[j], x, y,
                  ss_test_last_value (t, "b.vx"));
        SS_CHECK (is_free);
        ss_trajectory_free (run.trajectory);
        ss_scenario_free (scenario);
      }
}

/* Where nothing is fast the steps are what they are, to the bit. */
static void
what_is_slow_keeps_its_bits (void)
{
  static const char *const files[] = {
      "examples/classics/rocking-block.stickslip.json", "examples/classics/box-pyramid.stickslip.json",
      "examples/classics/domino-row.stickslip.json", "examples/classics/newtons-cradle.stickslip.json"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    for (int k = 0; k < N_LAWS; k++) {
      const SsIntegratorClass *law = law_of (laws[k]);
      if (ss_options_find (law->options, SS_SWEPT_NAME) < 0)
        continue;
      SsScenario *scenario = ss_test_read_file (files[i], NULL, 0);
      const double dt = scenario->task.dt;
      SsTestRun parts = ss_test_simulate (scenario->scene, law, NULL, dt, 10 * dt, NULL),
                all = ss_test_simulate (scenario->scene, law, whole, dt, 10 * dt, NULL);
      SS_CHECK (parts.metrics.parts.n_steps == 0 && parts.trajectory->n_rows == all.trajectory->n_rows);
      SS_CHECK (memcmp (parts.trajectory->values, all.trajectory->values,
                        (size_t)all.trajectory->n_rows * (size_t)all.trajectory->n_channels * sizeof (double)) == 0);
      ss_trajectory_free (parts.trajectory);
      ss_trajectory_free (all.trajectory);
      ss_scenario_free (scenario);
    }
}

/* Step by step the rows are those of the whole run; the parts are counted. */
static void
step_by_step (void)
{
  SsScenario *scenario = scene_of (0, 0, shots[0].bodies);
  const SsIntegratorClass *law = &ss_integrator_moreau_jean;
  SsTestRun run = ss_test_simulate (scenario->scene, law, NULL, 0.01, 0.03, NULL);
  SsSimulation *simulation = NULL;
  SS_CHECK (ss_simulation_new (scenario->scene, law, NULL, &simulation, NULL) == SS_OK);
  int row = 1;
  for (int k = 0; k < 3; k++) {
    SsStepInfo info;
    SS_CHECK (ss_simulation_step (simulation, 0.01, &info, NULL) == SS_OK);
    const SsTrajectory *rows = ss_simulation_rows (simulation);
    SS_CHECK (row + rows->n_rows <= run.trajectory->n_rows);
    SS_CHECK (memcmp (rows->values, ss_trajectory_row (run.trajectory, row),
                      (size_t)rows->n_rows * (size_t)rows->n_channels * sizeof (double)) == 0);
    row += rows->n_rows;
  }
  SS_CHECK (row == run.trajectory->n_rows && run.metrics.steps == 3);
  /* of the first step: to the wall, into it, and the rest */
  SS_CHECK (run.metrics.parts.n_steps == 1 && run.metrics.parts.n_parts == 3 && run.trajectory->n_rows == 6);
  SS_CHECK (run.metrics.parts.t == 0 && run.metrics.parts.contact == 0 && run.metrics.parts.n_left == 0);
  ss_simulation_free (simulation);
  ss_trajectory_free (run.trajectory);
  ss_scenario_free (scenario);
}

int
main (void)
{
  SS_RUN (nothing_passes);
  SS_RUN (what_bounces_comes_back);
  SS_RUN (discs_that_meet_head_on);
  SS_RUN (a_rod_meets_a_peg);
  SS_RUN (misses_stay_misses);
  SS_RUN (what_is_slow_keeps_its_bits);
  SS_RUN (step_by_step);
  return ss_test_finish ();
}
