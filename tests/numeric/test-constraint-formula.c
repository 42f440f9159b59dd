/* tests/numeric/test-constraint-formula.c: constraints by formula: their derivatives against differences; a gear train,
 * a rope, a bead on a wire and a cam by their closed forms with every integrator; what the reader refuses, and that the
 * judge sees a motion that breaks them. */
#include "dynamics/ss-dynamics.h"
#include "fesd/ss-event-driven.h"
#include "fesd/ss-fesd-j.h"
#include "judge/ss-motion.h"
#include "run/ss-method.h"
#include "simulate/ss-events.h"
#include "ss-test-scenario.h"
#include "ss-test-simulate.h"

#include <math.h>
#include <string.h>

static const double gravity = 9.81;

/* A scene of two discs, a at the origin and b at (1, 0.5), and what `more` says; `a` is more of the first body. */
static SsScenario *
scene_of (const char *a, const char *more)
{
  char text[1600];

  snprintf (text, sizeof text,
            "{\"format\": 1, \"name\": \"x\", \"parameters\": {\"n\": 2}, \"scene\": {\"gravity\": [0, -9.81],"
            " \"bodies\": [{\"name\": \"a\", \"mass\": 2, \"inertia\": 0.02, \"shape\": {\"type\": \"circle\","
            " \"radius\": 0.1}, \"points\": {\"tip\": [0.3, 0]}%s}, {\"name\": \"b\", \"mass\": 4, \"inertia\": 0.32,"
            " \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"position\": [1, 0.5]}], \"contacts\": [], %s}}",
            a, more);
  return ss_test_read_text (text);
}

/* phi of a formula with everything in it: slopes and the bend along v against differences of phi, whose error is the
 * step's square, 1e-8 of the first and 1e-6 of the second derivative at a step of 1e-4. */
static void
derivatives_are_those_of_differences (void)
{
  static const double h = 1e-4, v[6] = {0.3, -0.7, 1.1, 0.4, 0.9, -1.3};
  double q[6] = {0.1, 0.2, 0.4, 1.2, 0.6, -0.3}, moved[6];
  SsScenario *scenario =
      scene_of ("", "\"constraints\": [{\"kind\": \"at_least\", \"formula\": \"n - sqrt((a.tip.x - b.x)^2 +"
                    " (a.tip.y - b.y)^2) + 0.1*sin(b.theta)*a.x^2\"}]");
  SsDynamics *dynamics = NULL;
  SsRow row, other[2];

  if (scenario == NULL || ss_dynamics_new (scenario->scene, &dynamics, NULL) != SS_OK)
    return;
  SS_CHECK (ss_dynamics_joint_rows (dynamics, q, v, &row) == 0);
  SS_CHECK (ss_dynamics_limit_rows (dynamics, q, v, &row) == 1);
  for (int k = 0; k < 6; k++) {
    for (int side = 0; side < 2; side++) {
      memcpy (moved, q, sizeof q);
      moved[k] += side == 0 ? -h : h;
      ss_dynamics_limit_rows (dynamics, moved, NULL, &other[side]);
    }
    SS_CHECK_NEAR (row.j[k], (other[1].phi - other[0].phi) / (2 * h), 1e-7);
  }
  for (int side = 0; side < 2; side++) {
    for (int k = 0; k < 6; k++)
      moved[k] = q[k] + (side == 0 ? -h : h) * v[k];
    ss_dynamics_limit_rows (dynamics, moved, NULL, &other[side]);
  }
  SS_CHECK_NEAR (row.gdv, (other[0].phi - 2 * row.phi + other[1].phi) / (h * h), 1e-5);
  SS_CHECK_NEAR (ss_row_velocity (&row, v), (other[1].phi - other[0].phi) / (2 * h), 1e-7);
  ss_dynamics_free (dynamics);
  ss_scenario_free (scenario);
}

/* ---- closed forms ------------------------------------------------------------------------------------------------ */

/* The i-th integrator of the registry; NULL behind the last. */
static const SsIntegratorClass *
integrator (int i)
{
  for (int k = 0; k < ss_method_count (); k++)
    if (ss_method_at (k)->kind == SS_METHOD_INTEGRATOR && ss_method_at (k)->is_built && i-- == 0)
      return ss_method_at (k)->integrator;
  return NULL;
}

static bool
is_exact (const SsIntegratorClass *method)
{
  return strcmp (method->name, "fesd-j") == 0 || strcmp (method->name, "event-driven") == 0;
}

static SsMotionVerdict
judged (const SsScene *scene, const SsTestRun *run)
{
  SsMotionVerdict verdict = {0};

  if (run->trajectory != NULL)
    SS_CHECK (ss_motion_judge (scene, run->trajectory, false, NULL, &verdict, NULL) == SS_OK);
  return verdict;
}

/* 0.3 N m on the first of two wheels, 0.02 and 0.32 kg m2, the other turned back at half its rate: 3 rad/s2. The speed
 * is that of constant forces, which every method adds up but for rounding; cvode to its tolerance. */
static void
gear_train_has_one_inertia (void)
{
  SsScenario *scenario = scene_of (
      "", "\"constraints\": [{\"name\": \"gear\", \"formula\": \"a.theta + n*b.theta\"}], \"joints\": [{\"type\":"
          " \"pin\", \"bodies\": [\"world\", \"a\"]}, {\"type\": \"pin\", \"bodies\": [\"world\", \"b\"], \"anchor\":"
          " [1, 0.5]}], \"forces\": [{\"body\": \"a\", \"torque\": 0.3}]");

  for (int i = 0; scenario != NULL && integrator (i) != NULL; i++) {
    SsTestRun run = ss_test_simulate (scenario->scene, integrator (i), NULL, 0.02, 0.5, NULL);
    const SsMotionVerdict verdict = judged (scenario->scene, &run);

    SS_CHECK_NEAR (ss_test_last_value (run.trajectory, "a.omega"), 1.5, 1e-6);
    SS_CHECK_NEAR (ss_test_last_value (run.trajectory, "b.omega"), -0.75, 1e-6);
    SS_CHECK (ss_test_last_value (run.trajectory, "gear.drift") < 1e-6);
    SS_CHECK (verdict.joint_drift.value < 1e-6);
    if (strcmp (integrator (i)->name, "cvode") != 0) /* whose steps are not the rows' */
      SS_CHECK (verdict.balance.value < 1e-6);
    ss_trajectory_free (run.trajectory);
  }
  ss_scenario_free (scenario);
}

/* A ball at (0.6, 0.8) below the hook when the rope of 1 m is taut, after a fall of 0.8 m: of its speed it loses what
 * is along the rope, (1 - e^2) of the square; the energy at 0.45 s, before the rope is taut again. Exact methods keep
 * it to 1e-6, time stepping to the first order in h. */
static void
rope_takes_the_speed_along_it (void)
{
  static const double fall = 0.8, t_end = 0.45;

  for (int k = 0; k < 2; k++) {
    const double e = k == 0 ? 0 : 0.5, along = 0.8 * sqrt (2 * gravity * fall);
    SsScenario *scenario =
        k == 0 ? scene_of (", \"position\": [0.6, 0]",
                           "\"constraints\": [{\"name\": \"rope\", \"kind\": \"at_least\", \"formula\":"
                           " \"1 - sqrt(a.x^2 + a.y^2)\"}]")
               : scene_of (", \"position\": [0.6, 0]",
                           "\"constraints\": [{\"name\": \"rope\", \"kind\": \"at_least\", \"restitution\": 0.5,"
                           " \"formula\": \"1 - sqrt(a.x^2 + a.y^2)\"}]");
    const double left = -2 * (1 - e * e) * along * along / 2; /* of 2 kg */

    for (int i = 0; scenario != NULL && integrator (i) != NULL; i++) {
      const unsigned uses = ss_integrator_uses (integrator (i), NULL);
      if ((uses & SS_USES_RESTITUTION) == 0 || (e > 0 && strcmp (integrator (i)->name, "time-freezing") == 0))
        continue; /* penalty: impacts follow from the damper */
      SsTestRun run = ss_test_simulate (scenario->scene, integrator (i), NULL, 0.0025, t_end, NULL);
      const double x = ss_test_last_value (run.trajectory, "a.x"), y = ss_test_last_value (run.trajectory, "a.y"),
                   vx = ss_test_last_value (run.trajectory, "a.vx"), vy = ss_test_last_value (run.trajectory, "a.vy");
      SsEventList *events = NULL;

      SS_CHECK_NEAR (vx * vx + vy * vy + 2 * gravity * y, left, is_exact (integrator (i)) ? 1e-6 : 0.4);
      SS_CHECK (hypot (x, y) < 1 + (is_exact (integrator (i)) ? 1e-9 : 0.01)); /* h v */
      if (run.trajectory != NULL && ss_events_find (scenario->scene, run.trajectory, NULL, &events, NULL) == SS_OK) {
        SS_CHECK (events->n_items >= 1 && events->items[0].kind == SS_EVENT_LIMIT);
        if (events->n_items >= 1)
          SS_CHECK_NEAR (events->items[0].t, sqrt (2 * fall / gravity), 0.0026);
      }
      ss_events_free (events);
      ss_trajectory_free (run.trajectory);
    }
    ss_scenario_free (scenario);
  }
}

/* The parabola y = x^2/2: a swing of 0.02 m takes 2 pi/sqrt(g) but for its square, and keeps its energy; half of it is
 * asked for. Exact methods reach the other side to 1e-6 m, the first-order ones lose up to their step's part. */
static void
bead_swings_on_its_wire (void)
{
  SsScenario *scenario = scene_of (", \"position\": [0.02, 0.0002]",
                                   "\"constraints\": [{\"name\": \"wire\", \"formula\": \"a.y - 0.5*a.x^2\"}]");

  for (int i = 0; scenario != NULL && integrator (i) != NULL; i++) {
    SsTestRun run = ss_test_simulate (scenario->scene, integrator (i), NULL, 0.005, acos (-1) / sqrt (gravity), NULL);

    SS_CHECK_NEAR (ss_test_last_value (run.trajectory, "a.x"), -0.02, is_exact (integrator (i)) ? 1e-6 : 1e-3);
    SS_CHECK (ss_test_last_value (run.trajectory, "wire.drift") < 1e-5);
    ss_trajectory_free (run.trajectory);
  }
  ss_scenario_free (scenario);
}

/* A follower on 0.1 sin(12 t) leaves where its weight is too small, at sin(12 t) = g/14.4, and flies: its height then
 * is that of a throw. Before that it stays on the cam. */
static void
follower_leaves_a_fast_cam (void)
{
  static const double w = 12, lift = 0.1;
  SsScenario *scenario = scene_of (
      ", \"lock\": [\"x\", \"y\", \"theta\"], \"angular_velocity\": 12",
      "\"constraints\": [{\"name\": \"cam\", \"kind\": \"at_least\", \"formula\": \"b.y - 0.5 - 0.1*sin(a.theta)\"}]");
  const double off = asin (gravity / (lift * w * w)) / w, t = 0.2, up = lift * w * cos (w * off),
               height = 0.5 + gravity / (w * w) + up * (t - off) - gravity * (t - off) * (t - off) / 2;

  for (int i = 0; scenario != NULL && i < 2; i++) {
    SsBody *follower = (SsBody *)&scenario->scene->bodies[1];
    const SsIntegratorClass *method = i == 0 ? &ss_integrator_event_driven : &ss_integrator_fesd_j;
    follower->v[1] = lift * w;
    SsTestRun on = ss_test_simulate (scenario->scene, method, NULL, 0.01, 0.05, NULL),
              away = ss_test_simulate (scenario->scene, method, NULL, 0.01, t, NULL);

    SS_CHECK_NEAR (ss_test_last_value (on.trajectory, "b.y"), 0.5 + lift * sin (w * 0.05), 1e-8);
    SS_CHECK_NEAR (ss_test_last_value (away.trajectory, "b.y"), height, 1e-7);
    ss_trajectory_free (on.trajectory);
    ss_trajectory_free (away.trajectory);
  }
  ss_scenario_free (scenario);
}

/* ---- what is seen ------------------------------------------------------------------------------------------------ */

/* Without its constraint the ball falls on; judged with it, the rope is 0.0815 m too long at the end, and the fall
 * itself obeys the balance. With an equation whose force is missing the motion does not. */
static void
judge_sees_what_is_broken (void)
{
  SsScenario *held = scene_of (", \"position\": [0, -0.9]",
                               "\"constraints\": [{\"kind\": \"at_least\", \"formula\": \"1 + a.y\"}]"),
             *other = scene_of (", \"position\": [0, -0.9]", "\"constraints\": [{\"kind\": \"at_least\", \"formula\":"
                                                             " \"100 + a.y\"}]");

  if (held != NULL && other != NULL) {
    SsTestRun run = ss_test_simulate (other->scene, &ss_integrator_stewart_trinkle, NULL, 0.01, 0.2, NULL);
    const double y = ss_test_last_value (run.trajectory, "a.y");
    const SsMotionVerdict verdict = judged (held->scene, &run);

    SS_CHECK (y < -1.05);
    SS_CHECK_NEAR (verdict.joint_drift.value, -1 - y, 1e-12);
    ss_trajectory_free (run.trajectory);
  }
  ss_scenario_free (held);
  ss_scenario_free (other);
}

static void
reader_says_what_is_wrong (void)
{
  static const struct {
    const char *constraint, *part;
  } bad[] = {
      {"\"formula\": \"a.y - 0.1*cos(t)\"", "is -0.1 at the start"},
      {"\"formula\": \"a.y - a.vy\"", "velocity a.vy"},
      {"\"formula\": \"a.y + b.y + c.y\"", "more than two bodies"},
      {"\"formula\": \"if(a.x < 0, a.y, 2*a.y)\"", "no slope"},
      {"\"formula\": \"a.y - 1\"", "is -1 at the start"},
      {"\"kind\": \"at_least\", \"formula\": \"a.y - 1\"", "is -1 at the start"},
      {"\"formula\": \"a.y^2\"", "nothing that can move"},
      {"\"formula\": \"n - 2\"", "on no body"},
      {"\"formula\": \"sqrt(a.x^2 + a.y^2)\"", "slope is no number"},
      {"\"formula\": \"a.y\", \"restitution\": 0.5", "does not bounce"},
      {"\"formula\": \"a.y\", \"kind\": \"less\"", "kind"},
      {"\"kind\": \"equal\"", "formula"},
  };

  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char text[900];
    SsProblems problems;
    SsScenario *scenario = NULL;

    ss_problems_init (&problems);
    snprintf (text, sizeof text,
              "{\"format\": 1, \"name\": \"x\", \"parameters\": {\"n\": 2}, \"scene\": {\"bodies\": ["
              "{\"name\": \"a\", \"mass\": 1, \"shape\": {\"type\": \"circle\", \"radius\": 1}}, {\"name\": \"b\","
              " \"mass\": 1, \"shape\": {\"type\": \"circle\", \"radius\": 1}}, {\"name\": \"c\", \"mass\": 1,"
              " \"shape\": {\"type\": \"circle\", \"radius\": 1}}], \"contacts\": [], \"constraints\": [{%s}]}}",
              bad[i].constraint);
    SS_CHECK (ss_scenario_read (text, strlen (text), "x", NULL, 0, &problems, &scenario) != SS_OK);
    SS_CHECK (problems.n_items == 1 && strstr (problems.items[0].message, bad[i].part) != NULL);
    if (problems.n_items != 1 || strstr (problems.items[0].message, bad[i].part) == NULL)
      ss_test_print_problems (&problems);
    ss_problems_clear (&problems);
    ss_scenario_free (scenario);
  }
}

int
main (void)
{
  SS_RUN (derivatives_are_those_of_differences);
  SS_RUN (gear_train_has_one_inertia);
  SS_RUN (rope_takes_the_speed_along_it);
  SS_RUN (bead_swings_on_its_wire);
  SS_RUN (follower_leaves_a_fast_cam);
  SS_RUN (judge_sees_what_is_broken);
  SS_RUN (reader_says_what_is_wrong);
  return ss_test_finish ();
}
