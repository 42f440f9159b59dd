/* tests/numeric/test-couplings.c: gears and ropes: their rows against differences; two wheels, a blow that goes through
 * a gear, a fall on a rope, a pendulum that goes slack, ropes over pulleys by their closed forms with every integrator;
 * what the reader refuses; that teeth mesh and belts touch their wheels. */
#include "dynamics/ss-dynamics-expr.h"
#include "dynamics/ss-dynamics.h"
#include "judge/ss-motion.h"
#include "run/ss-method.h"
#include "scene/ss-coupling.h"
#include "ss-test-scenario.h"
#include "ss-test-simulate.h"

#include <math.h>
#include <string.h>

static const double gravity = 9.81;

/* Two wheels, a at the origin and b at (0.3, 0), with what `more` says. */
static SsScenario *
scene_of (const char *more)
{
  char text[2400];

  snprintf (text, sizeof text,
            "{\"format\": 1, \"name\": \"x\", \"scene\": {\"gravity\": [0, -9.81], \"bodies\": [{\"name\": \"a\","
            " \"mass\": 2, \"inertia\": 0.02, \"shape\": {\"type\": \"circle\", \"radius\": 0.1}}, {\"name\": \"b\","
            " \"mass\": 4, \"inertia\": 0.32, \"shape\": {\"type\": \"circle\", \"radius\": 0.2}, \"position\":"
            " [0.3, 0]}], \"contacts\": [], %s}}",
            more);
  return ss_test_read_text (text);
}

#define PINS                                                                                                           \
  "{\"type\": \"pin\", \"bodies\": [\"world\", \"a\"]}, {\"type\": \"pin\", \"bodies\": [\"world\", \"b\"], "          \
  "\"anchor\": [0.3, 0]}"

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/* The room of a rope over a point of the world and one of b, and the angle of a gear: slopes and bends along v against
 * differences, whose error is the step's square, 1e-8 of the first and 1e-6 of the second derivative; and the same rows
 * as formulas of plans, whose lengths are smoothed by 1e-9 m. */
static void
rows_are_those_of_differences (void)
{
  static const double h = 1e-4, v[6] = {0.3, -0.7, 1.1, 0.4, 0.9, -1.3};
  double q[6] = {0.1, 0.2, 0.4, 1.2, 0.6, -0.3}, moved[6];
  SsScenario *scenario = scene_of (
      "\"joints\": [{\"type\": \"gear\", \"bodies\": [\"a\", \"b\"], \"radii\": [0.1, 0.2], \"style\": \"belt\"},"
      " {\"type\": \"rope\", \"bodies\": [\"a\", \"b\"], \"anchors\": [[0.1, 0], [0, 0.1]], \"length\": 5,"
      " \"over\": [[0.5, 1], {\"body\": \"b\", \"anchor\": [0.2, 0.1]}, [0, -1]]}]");
  SsDynamics *dynamics = NULL;
  SsRow row, other[2];

  if (scenario == NULL || ss_dynamics_new (scenario->scene, &dynamics, NULL) != SS_OK)
    return;
  SS_CHECK (ss_dynamics_joint_rows (dynamics, q, v, &row) == 1);
  SS_CHECK_NEAR (row.phi, 0.1 * q[2] - 0.2 * q[5], 1e-15);
  SS_CHECK (row.j[2] == 0.1 && row.j[5] == -0.2 && row.gdv == 0);
  SS_CHECK (ss_dynamics_limit_rows (dynamics, q, v, &row) == 1);
  SS_CHECK_NEAR (row.phi, ss_rope_room (&scenario->scene->joints[1], q), 1e-15);
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

  SsGraph *graph = NULL;
  SsExpr states[12];
  SsRowExpr rows[SS_ROW_EXPR_JOINT_MAX];
  if (ss_graph_new (&graph, NULL) == SS_OK) {
    for (int k = 0; k < 6; k++)
      states[k] = ss_graph_input (graph, k);
    const SsMotionExpr motion = {.scene = scenario->scene, .graph = graph, .q = states};
    SS_CHECK (ss_dynamics_expr_joint (&motion, 1, rows) == 0 && ss_dynamics_expr_limits (&motion, 1, rows) == 1);
    const int n = ss_graph_n_nodes (graph);
    double *memo = ss_new_array (double, n);
    int *stamps = ss_new_array (int, n);
    SS_CHECK_NEAR (ss_graph_eval (graph, rows[0].phi, q, 6, memo, stamps, 1), row.phi, 1e-14);
    for (int k = 0; k < 6; k++)
      SS_CHECK_NEAR (ss_graph_eval (graph, rows[0].j[k], q, 6, memo, stamps, 1), row.j[k], 1e-14);
    ss_free (memo);
    ss_free (stamps);
  }
  ss_graph_free (graph);
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

/* Whether a method has the Newton restitution e of ropes: penalty and cvode have dampers, time-freezing none. */
static bool
has_restitution (const SsIntegratorClass *method, double e)
{
  return (ss_integrator_uses (method, NULL) & SS_USES_RESTITUTION) != 0 &&
         (e == 0 || strcmp (method->name, "time-freezing") != 0);
}

static SsMotionVerdict
judged (const SsScene *scene, const SsTestRun *run)
{
  SsMotionVerdict verdict = {0};

  if (run->trajectory != NULL)
    SS_CHECK (ss_motion_judge (scene, run->trajectory, false, NULL, &verdict, NULL) == SS_OK);
  return verdict;
}

static double
last (const SsTestRun *run, const char *channel)
{
  return ss_test_last_value (run->trajectory, channel);
}

/* 0.3 N m on the first of two wheels, 0.02 and 0.32 kg m2 of 0.1 and 0.2 m: 0.3 / (0.02 + 0.32/4) = 3 rad/s2, against
 * one another or the same way by the style; the work of the torque is their energy. Constant forces, which every method
 * adds up but for rounding; cvode to its tolerance. */
static void
wheels_have_one_inertia (void)
{
  static const struct {
    const char *style;
    double sign;
  } styles[] = {{"external", -1}, {"internal", 1}, {"belt", 1}, {"crossed", -1}};

  for (int s = 0; s < 4; s++) {
    char more[700];
    snprintf (more, sizeof more,
              "\"joints\": [" PINS ", {\"name\": \"gear\", \"type\": \"gear\", \"bodies\": [\"a\", \"b\"], \"radii\":"
              " [0.1, 0.2], \"style\": \"%s\"}], \"forces\": [{\"body\": \"a\", \"torque\": 0.3}]",
              styles[s].style);
    SsScenario *scenario = scene_of (more);
    for (int i = 0; scenario != NULL && integrator (i) != NULL; i++) {
      SsTestRun run = ss_test_simulate (scenario->scene, integrator (i), NULL, 0.02, 0.5, NULL);
      const SsMotionVerdict verdict = judged (scenario->scene, &run);
      const double a = last (&run, "a.omega"), b = last (&run, "b.omega");

      SS_CHECK_NEAR (a, 1.5, 1e-6);
      SS_CHECK_NEAR (b, styles[s].sign * 0.75, 1e-6);
      /* of the way that the torque turned; the first order in h of what adds up rates */
      SS_CHECK_NEAR (0.5 * (0.02 * a * a + 0.32 * b * b), 0.3 * last (&run, "a.theta"), 0.3 * 1.5 * 0.02);
      SS_CHECK (last (&run, "gear.drift") < 1e-7);
      SS_CHECK (verdict.joint_drift.value < 1e-7);
      if (strcmp (integrator (i)->name, "cvode") != 0) { /* whose steps are not the rows' */
        SS_CHECK (verdict.balance.value < 1e-6);
        /* the moment on b [N m]: what gives it its acceleration */
        SS_CHECK_NEAR (last (&run, "gear.moment"), styles[s].sign * 0.32 * 1.5, 1e-6);
      }
      ss_trajectory_free (run.trajectory);
    }
    ss_scenario_free (scenario);
  }
}

/* A ball of 1 kg strikes the arm of the second wheel, 0.4 m out, at 1 m/s: both wheels take the blow, with the inertia
 * 0.32 + 0.02 (0.2/0.1)^2 = 0.4 at the second: p = (1 + e) / (1/1 + 0.4^2/0.4). */
static void
blow_goes_through_the_gear (void)
{
  for (int k = 0; k < 2; k++) {
    const double e = k == 0 ? 0 : 0.6, p = (1 + e) / (1 + 0.16 / 0.4), omega = -0.4 * p / 0.4;
    char text[1500];
    snprintf (text, sizeof text,
              "{\"format\": 1, \"name\": \"x\", \"scene\": {\"gravity\": [0, 0], \"friction\": 0, \"restitution\": %g,"
              " \"bodies\": [{\"name\": \"a\", \"mass\": 2, \"inertia\": 0.02, \"shape\": {\"type\": \"circle\","
              " \"radius\": 0.1}}, {\"name\": \"b\", \"mass\": 4, \"inertia\": 0.32, \"shapes\": [{\"type\":"
              " \"circle\", \"radius\": 0.05}, {\"type\": \"circle\", \"radius\": 0.05, \"position\": [0.4, 0]}],"
              " \"position\": [0.3, 0], \"center_of_mass\": [0, 0]}, {\"name\": \"c\", \"mass\": 1, \"inertia\": 1,"
              " \"shape\": {\"type\": \"circle\", \"radius\": 0.05}, \"position\": [0.7, 0.125], \"velocity\": [0,"
              " -1]}], \"contacts\": [{\"bodies\": [\"b\", \"c\"]}], \"joints\": [" PINS ", {\"name\": \"gear\","
              " \"type\": \"gear\", \"bodies\": [\"a\", \"b\"], \"radii\": [0.1, 0.2]}]}}",
              e);
    SsScenario *scenario = ss_test_read_text (text);
    for (int i = 0; scenario != NULL && integrator (i) != NULL; i++) {
      if (!has_restitution (integrator (i), e))
        continue;
      SsTestRun run = ss_test_simulate (scenario->scene, integrator (i), NULL, 0.0005, 0.03, NULL);
      /* after the blow the arm turns by 4e-3 rad, and with it what presses on: the square, and h times it in steps */
      const double tolerance = is_exact (integrator (i)) ? 1e-5 : 2e-3;
      const double a = last (&run, "a.omega"), b = last (&run, "b.omega"), c = last (&run, "c.vy");

      SS_CHECK_NEAR (b, omega, tolerance);
      SS_CHECK_NEAR (a, -2 * omega, 2 * tolerance);
      SS_CHECK_NEAR (c, -1 + p, tolerance);
      SS_CHECK_NEAR (1 * c + 0.4 * b / 0.4, -1, 2 * tolerance); /* the momentum that goes along c's line */
      ss_trajectory_free (run.trajectory);
    }
    ss_scenario_free (scenario);
  }
}

/* A ball falls from the hook itself, where the rope has no direction, and is stopped after 0.5 m: it comes back with e
 * times its speed. Where its fall ends is the closed form's for exact methods, for time stepping within h v. */
static void
rope_turns_a_fall (void)
{
  static const double length = 0.5, t_end = 0.45, h = 0.001;

  for (int k = 0; k < 2; k++) {
    const double e = k == 0 ? 0 : 0.5, t = sqrt (2 * length / gravity), up = e * gravity * t, left = t_end - t;
    char more[400];
    snprintf (more, sizeof more,
              "\"joints\": [{\"name\": \"rope\", \"type\": \"rope\", \"bodies\": [\"world\", \"a\"], \"length\": 0.5,"
              " \"restitution\": %g}]",
              e);
    SsScenario *scenario = scene_of (more);
    for (int i = 0; scenario != NULL && integrator (i) != NULL; i++) {
      if (!has_restitution (integrator (i), e))
        continue;
      SsTestRun run = ss_test_simulate (scenario->scene, integrator (i), NULL, h, t_end, NULL);
      const double y = e > 0 ? -length + up * left - gravity * left * left / 2 : -length;

      SS_CHECK_NEAR (last (&run, "a.y"), y, is_exact (integrator (i)) ? 1e-7 : 2 * h * gravity * t);
      SS_CHECK_NEAR (last (&run, "a.vy"), e > 0 ? up - gravity * left : 0, is_exact (integrator (i)) ? 1e-7 : 0.05);
      if (e == 0) /* it hangs: the rope carries its weight */
        SS_CHECK_NEAR (last (&run, "rope.tension"), 2 * gravity, 1e-6);
      ss_trajectory_free (run.trajectory);
    }
    ss_scenario_free (scenario);
  }
}

/* A pendulum of 1 m with v0^2 = 3.5 g L at its lowest point goes slack at 120 degrees, where weight alone holds it on
 * its circle: v^2 = g L/2. From there it flies, with the rate along x that it had, -v/2, and all of its energy. */
static void
pendulum_goes_slack (void)
{
  SsScenario *scenario = scene_of ("\"joints\": [{\"name\": \"rope\", \"type\": \"rope\", \"bodies\": [\"world\","
                                   " \"a\"], \"points\": [[0, 1], [0, 0]]}]");

  for (int i = 0; scenario != NULL && integrator (i) != NULL; i++) {
    SsBody *ball = (SsBody *)&scenario->scene->bodies[0];
    ball->v[0] = sqrt (3.5 * gravity);
    if (!has_restitution (integrator (i), 0))
      continue;
    SsTestRun run = ss_test_simulate (scenario->scene, integrator (i), NULL, 0.001, 0.75, NULL);
    const double x = last (&run, "a.x"), y = last (&run, "a.y"), vx = last (&run, "a.vx"), vy = last (&run, "a.vy");
    const bool is = is_exact (integrator (i));

    SS_CHECK_NEAR (vx, -0.5 * sqrt (gravity / 2), is ? 1e-6 : 0.1); /* the first order in h of methods that step */
    SS_CHECK_NEAR (0.5 * (vx * vx + vy * vy) + gravity * y, 1.75 * gravity, is ? 1e-6 : 0.35);
    SS_CHECK (hypot (x, y - 1) < 0.99 && last (&run, "rope.tension") == 0);
    ss_trajectory_free (run.trajectory);
  }
  ss_scenario_free (scenario);
}

/* Two weights of 2 and 4 kg on one rope over two pulleys: (4 - 2) g / 6. And a weight a on a rope that runs over a
 * block b, which three of its parts hold, where a goes three times as far: b'' = (3 T - 4 g - 12)/4, with 12 N more on
 * b, and a'' = T/2 - g = -3 b''. */
static void
ropes_run_over_pulleys (void)
{
  SsScenario *two = scene_of ("\"joints\": [{\"name\": \"rope\", \"type\": \"rope\", \"bodies\": [\"a\", \"b\"],"
                              " \"over\": [[0, 1], [0.3, 1]]}]"),
             *block = scene_of (
                 "\"forces\": [{\"body\": \"b\", \"force\": [0, -12]}], \"joints\": [{\"name\": \"rope\", \"type\":"
                 " \"rope\", \"bodies\": [\"b\", \"a\"], \"over\": [[0.3, 1], {\"body\": \"b\"}, [0.3, 1], [0, 1]]}]");

  for (int i = 0; two != NULL && block != NULL && integrator (i) != NULL; i++) {
    if (!has_restitution (integrator (i), 0))
      continue;
    SsTestRun run = ss_test_simulate (two->scene, integrator (i), NULL, 0.01, 0.3, NULL);
    SS_CHECK_NEAR (last (&run, "a.vy"), 0.3 * gravity / 3, 1e-6);
    SS_CHECK_NEAR (last (&run, "b.vy"), -0.3 * gravity / 3, 1e-6);
    SS_CHECK_NEAR (last (&run, "rope.tension"), 8 * gravity / 3, 1e-5);
    ss_trajectory_free (run.trajectory);
    run = ss_test_simulate (block->scene, integrator (i), NULL, 0.01, 0.2, NULL);
    const double rate = (6 * gravity - 4 * gravity - 12) / (4 + 18);
    SS_CHECK_NEAR (last (&run, "b.vy"), 0.2 * rate, 1e-6);
    SS_CHECK_NEAR (last (&run, "a.vy"), -0.6 * rate, 1e-6);
    ss_trajectory_free (run.trajectory);
  }
  ss_scenario_free (two);
  ss_scenario_free (block);
}

/* ---- what is seen ------------------------------------------------------------------------------------------------ */

static double
two_pi (void)
{
  return 8 * atan (1);
}

/* How far the line of a wheel is from its centre in that direction of the world. */
static double
reach_at (const SsVec2 *line, int n, double turned, double direction)
{
  for (int i = 0; i < n; i++) {
    const SsVec2 p = line[i], q = line[(i + 1) % n];
    const double from = atan2 (p.y, p.x) + turned - direction,
                 step = remainder (atan2 (q.y, q.x) - atan2 (p.y, p.x), two_pi ());
    const double a = remainder (from, two_pi ());
    if (a <= 0 && a + step > 0 && fabs (a) < 1) {
      const double s = -a / step, r0 = hypot (p.x, p.y), r1 = hypot (q.x, q.y);
      return r0 + s * (r1 - r0);
    }
  }
  return NAN;
}

/* Teeth never lie in one another along the line of the centres, whatever the angle, and reach beyond the pitch circle;
 * a belt is nowhere nearer to a centre than its wheel. */
static void
teeth_mesh_and_belts_touch (void)
{
  static const char *const styles[] = {"external", "internal", "belt", "crossed"};

  for (int i = 0; i < 6; i++) { /* gears also where their wheels' centres are not the bodies' */
    const int s = i % 4;
    char more[400];
    snprintf (more, sizeof more,
              "\"joints\": [{\"type\": \"gear\", \"bodies\": [\"a\", \"b\"], \"radii\": [%s], \"style\": \"%s\"%s}]",
              s == 1 ? "0.1, 0.4" : "0.1, 0.2", styles[s], i < 4 ? "" : ", \"anchors\": [[0, 0.05], [0, 0.05]]");
    SsScenario *scenario = scene_of (more);
    if (scenario == NULL)
      continue;
    SsVec2 line[2][1000];
    const SsJoint *gear = &scenario->scene->joints[0];
    const int n[2] = {ss_coupling_n_vertices (gear, 0), ss_coupling_n_vertices (gear, 1)};
    const double poses[6] = {0, 0, 0, 0.3, 0, 0};
    SS_CHECK (n[0] > 8 && n[0] < 1000 && n[1] < 1000);
    if (s < 2) {
      double highest = 0;
      ss_coupling_teeth (scenario->scene, gear, 0, line[0]);
      ss_coupling_teeth (scenario->scene, gear, 1, line[1]);
      for (int k = 0; k < 100; k++) {
        const double turn = 0.013 * k, b = -gear->radius[0] * turn / gear->radius[1];
        /* b's centre is at +x; within a ring both look from its centre, at +x, towards a's: -x */
        const double to_a = two_pi () / 2, first = reach_at (line[0], n[0], turn, s == 0 ? 0 : to_a),
                     second = reach_at (line[1], n[1], b, to_a);
        SS_CHECK (s == 0 ? first + second <= 0.3 + 1e-9 : 0.3 + first <= second + 1e-9);
        highest = fmax (highest, first);
      }
      SS_CHECK (highest > 0.1);
    } else {
      ss_coupling_line (gear, poses, line[0]);
      for (int k = 0; k < n[0]; k++) {
        const SsVec2 p = line[0][k], m = {(p.x + line[0][(k + 1) % n[0]].x) / 2, (p.y + line[0][(k + 1) % n[0]].y) / 2};
        SS_CHECK (hypot (m.x, m.y) > 0.099 && hypot (m.x - 0.3, m.y) > 0.198); /* chords of arcs of 25 points */
      }
      SS_CHECK (n[1] == 0);
    }
    ss_scenario_free (scenario);
  }
}

static void
reader_says_what_is_wrong (void)
{
  static const struct {
    const char *joint, *part;
  } bad[] = {
      {"\"type\": \"gear\", \"bodies\": [\"a\", \"b\"]", "radii"},
      {"\"type\": \"gear\", \"bodies\": [\"a\", \"b\"], \"radii\": [1]", "two radii"},
      {"\"type\": \"gear\", \"bodies\": [\"a\", \"b\"], \"radii\": [1, 0]", "0"},
      {"\"type\": \"gear\", \"bodies\": [\"world\", \"b\"], \"radii\": [1, 1]", "not of the world"},
      {"\"type\": \"gear\", \"bodies\": [\"a\", \"b\"], \"radii\": [1, 1], \"style\": \"chain\"", "chain"},
      {"\"type\": \"rope\", \"bodies\": [\"a\", \"b\"], \"length\": 0.2", "0.3 m long"},
      {"\"type\": \"rope\", \"bodies\": [\"world\", \"a\"]", "no length"},
      {"\"type\": \"rope\", \"bodies\": [\"world\", \"a\"], \"length\": 1, \"over\": [{\"body\": \"b\"}]", "neither"},
      {"\"type\": \"rope\", \"bodies\": [\"a\", \"b\"], \"over\": [[1, 2, 3]]", "pair"},
      {"\"type\": \"rope\", \"bodies\": [\"a\", \"b\"], \"over\": 1", "no list"},
      {"\"type\": \"rope\", \"bodies\": [\"a\", \"b\"], \"restitution\": 2", "2"},
      {"\"type\": \"chain\", \"bodies\": [\"a\", \"b\"]", "chain"},
  };

  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char text[900];
    SsProblems problems;
    SsScenario *scenario = NULL;

    ss_problems_init (&problems);
    snprintf (text, sizeof text,
              "{\"format\": 1, \"name\": \"x\", \"scene\": {\"bodies\": [{\"name\": \"a\", \"mass\": 1, \"shape\":"
              " {\"type\": \"circle\", \"radius\": 1}}, {\"name\": \"b\", \"mass\": 1, \"position\": [0.3, 0],"
              " \"shape\": {\"type\": \"circle\", \"radius\": 1}}], \"contacts\": [], \"joints\": [{%s}]}}",
              bad[i].joint);
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
  SS_RUN (rows_are_those_of_differences);
  SS_RUN (wheels_have_one_inertia);
  SS_RUN (blow_goes_through_the_gear);
  SS_RUN (rope_turns_a_fall);
  SS_RUN (pendulum_goes_slack);
  SS_RUN (ropes_run_over_pulleys);
  SS_RUN (teeth_mesh_and_belts_touch);
  SS_RUN (reader_says_what_is_wrong);
  return ss_test_finish ();
}
