/* tests/numeric/test-moving-constraint.c: constraints by formula that read the time: their derivatives against
 * differences; a bead on a turning wire, a pendulum on a pivot that is pulled away and a floor that rises, by their
 * closed forms with every integrator that takes them; the work of what drives them; who refuses them. */
#include "dynamics/ss-dynamics.h"
#include "judge/ss-motion.h"
#include "run/ss-method.h"
#include "ss-test-scenario.h"
#include "ss-test-simulate.h"

#include <math.h>
#include <string.h>

static const double gravity = 9.81;

/* A disc of 2 kg and 0.02 kg m2 with a point above its middle; `more` is more of it. */
static SsScenario *
scene_of (double g, const char *more, const char *constraints)
{
  char text[1400];

  snprintf (text, sizeof text,
            "{\"format\": 1, \"name\": \"x\", \"parameters\": {\"w\": 2}, \"scene\": {\"gravity\": [0, %g],"
            " \"bodies\": [{\"name\": \"a\", \"mass\": 2, \"inertia\": 0.02, \"shape\": {\"type\": \"circle\","
            " \"radius\": 0.1}, \"points\": {\"top\": [0, 0.5]}, %s}], \"contacts\": [], \"constraints\": [%s]}}",
            -g, more, constraints);
  return ss_test_read_text (text);
}

/* The i-th integrator that takes constraints which read t; NULL behind the last. */
static const SsIntegratorClass *
integrator (int i)
{
  for (int k = 0; k < ss_method_count (); k++)
    if (ss_method_at (k)->kind == SS_METHOD_INTEGRATOR && ss_method_at (k)->is_built &&
        (ss_integrator_uses (ss_method_at (k)->integrator, NULL) & SS_USES_TIME) != 0 && i-- == 0)
      return ss_method_at (k)->integrator;
  return NULL;
}

static bool
is (const SsIntegratorClass *method, const char *name)
{
  return strcmp (method->name, name) == 0;
}

static bool
is_exact (const SsIntegratorClass *method)
{
  return is (method, "fesd-j") || is (method, "event-driven");
}

/* Of second order between impacts where there are joints. */
static bool
is_of_second_order (const SsIntegratorClass *method)
{
  return is (method, "stewart-trinkle") || is (method, "convex-time-stepping") || is (method, "moreau-jean") ||
         is (method, "constraint-solver");
}

/* phidot and phiddot without accelerations against differences along (t, q) = (1, v), of a step of 1e-4 whose square is
 * the error of the first and, with rounding over it, of the second. */
static void
derivatives_are_those_of_differences (void)
{
  static const double h = 1e-4, t = 0.7, v[3] = {0.3, -0.7, 1.1}, q[3] = {0.6, 1.2, 0.4};
  SsScenario *scenario = scene_of (0, "\"position\": [1, 0]",
                                   "{\"kind\": \"at_least\", \"formula\": \"1 + a.top.x*cos(w*t)^2 -"
                                   " a.y*sin(w*t) + 0.1*t^3*a.theta\"}");
  SsDynamics *dynamics = NULL;
  SsRow row, other[2];

  if (scenario == NULL || ss_dynamics_new (scenario->scene, &dynamics, NULL) != SS_OK)
    return;
  ss_dynamics_set_time (dynamics, t);
  SS_CHECK (ss_dynamics_limit_rows (dynamics, q, v, &row) == 1);
  for (int side = 0; side < 2; side++) {
    double moved[3];
    for (int k = 0; k < 3; k++)
      moved[k] = q[k] + (side == 0 ? -h : h) * v[k];
    ss_dynamics_set_time (dynamics, t + (side == 0 ? -h : h));
    ss_dynamics_limit_rows (dynamics, moved, NULL, &other[side]);
  }
  SS_CHECK_NEAR (ss_row_velocity (&row, v), (other[1].phi - other[0].phi) / (2 * h), 1e-6);
  SS_CHECK_NEAR (row.gdv, (other[0].phi - 2 * row.phi + other[1].phi) / (h * h), 1e-5);
  for (int side = 0; side < 2; side++) {
    ss_dynamics_set_time (dynamics, t + (side == 0 ? -h : h));
    ss_dynamics_limit_rows (dynamics, q, NULL, &other[side]);
  }
  SS_CHECK_NEAR (row.rate_t, (other[1].phi - other[0].phi) / (2 * h), 1e-6);
  ss_dynamics_free (dynamics);
  ss_scenario_free (scenario);
}

/* ---- closed forms ------------------------------------------------------------------------------------------------ */

/* A bead at r = 1 on a wire through the origin that turns at w: r = cosh (w t), and its drive works what the kinetic
 * energy gains, m/2 (w^2 (sinh^2 + cosh^2) - w^2). The error of r in half the step falls to less than 1/3.5 in methods
 * of second order, 1/1.8 in others. */
static void
bead_is_thrown_along_a_turning_wire (void)
{
  static const double w = 2, t_end = 0.6, dt = 0.02;
  SsScenario *scenario = scene_of (0, "\"position\": [1, 0], \"velocity\": [0, 2]",
                                   "{\"name\": \"wire\", \"formula\": \"a.y*cos(w*t) - a.x*sin(w*t)\"}");
  const double r = cosh (w * t_end), s = sinh (w * t_end), gained = w * w * (s * s + r * r - 1);

  for (int i = 0; scenario != NULL && integrator (i) != NULL; i++) {
    double missed[2];
    for (int half = 0; half < 2; half++) {
      const double h = half == 0 ? dt : dt / 2;
      SsTestRun run = ss_test_simulate (scenario->scene, integrator (i), NULL, h, t_end, NULL);
      SsMotionVerdict verdict = {0};

      missed[half] =
          fabs (hypot (ss_test_last_value (run.trajectory, "a.x"), ss_test_last_value (run.trajectory, "a.y")) - r);
      if (run.trajectory != NULL &&
          ss_motion_judge (scenario->scene, run.trajectory, false, NULL, &verdict, NULL) == SS_OK) {
        SS_CHECK_NEAR (ss_test_last_value (run.trajectory, "wire.drift"), verdict.joint_drift.value,
                       verdict.joint_drift.value);
        SS_CHECK (verdict.joint_drift.value < (is_of_second_order (integrator (i)) ? 1e-10 : 1e-3));
        if (is_of_second_order (integrator (i))) {
          SS_CHECK (verdict.balance.value < 1e-8);
          SS_CHECK_NEAR (verdict.work[SS_WORK_DRIVES], gained, 0.01 * gained);
          SS_CHECK (verdict.gained.value < 0.01 && verdict.lost.value < 0.01);
        }
        ss_motion_verdict_clear (&verdict);
      }
      ss_trajectory_free (run.trajectory);
    }
    if (is (integrator (i), "cvode") || is_exact (integrator (i)))
      SS_CHECK (missed[0] < (is_exact (integrator (i)) ? 1e-7 : 1e-4)); /* of third order and more; its tolerance */
    else
      SS_CHECK (missed[1] < missed[0] / (is_of_second_order (integrator (i)) ? 3.5 : 1.8));
  }
  ss_scenario_free (scenario);
}

/* The pivot moves as b t^2/2: a pendulum that hangs along the apparent gravity stays so, and its pivot pushes with m b
 * and m g. What moves evenly faster is followed to rounding by methods of second order and, in position, to the first
 * order in the step by others. */
static void
pendulum_leans_on_its_way (void)
{
  static const double b = 3, t_end = 0.5, dt = 0.01;
  char pose[160], constraints[300];
  const double angle = -atan (b / gravity), x = 0.5 * sin (angle), y = -0.5 * cos (angle);

  snprintf (pose, sizeof pose, "\"position\": [%.17g, %.17g], \"angle\": %.17g", x, y, angle);
  snprintf (constraints, sizeof constraints,
            "{\"name\": \"along\", \"formula\": \"a.top.x - %g*t^2/2\"}, {\"name\": \"up\", \"formula\":"
            " \"a.top.y\"}",
            b);
  SsScenario *scenario = scene_of (gravity, pose, constraints);
  for (int i = 0; scenario != NULL && integrator (i) != NULL; i++) {
    const bool is_second = is_of_second_order (integrator (i)) || is_exact (integrator (i));
    SsTestRun run = ss_test_simulate (scenario->scene, integrator (i), NULL, dt, t_end, NULL);
    const double near = is_second ? 1e-8 : is (integrator (i), "cvode") ? 1e-4 : 2 * b * t_end * dt;

    SS_CHECK_NEAR (ss_test_last_value (run.trajectory, "a.theta"), angle, near);
    SS_CHECK_NEAR (ss_test_last_value (run.trajectory, "a.x"), x + b * t_end * t_end / 2, near);
    SS_CHECK_NEAR (ss_test_last_value (run.trajectory, "along.force_x"), 2 * b, is_second ? 1e-6 : 1);
    SS_CHECK_NEAR (ss_test_last_value (run.trajectory, "up.force_y"), 2 * gravity, is_second ? 1e-6 : 1);
    ss_trajectory_free (run.trajectory);
  }
  ss_scenario_free (scenario);
}

/* A ball falls 0.5 m onto a floor that rises at 1 m/s, and leaves with e times the speed at which they met, seen from
 * the floor. Its height and speed after 0.45 s, before they meet again. */
static void
ball_bounces_on_a_rising_floor (void)
{
  static const double u = 1, e = 0.5, t_end = 0.45, dt = 0.002;
  const double met = (sqrt (u * u + 2 * gravity * 0.5) - u) / gravity, speed = u + gravity * met, fly = t_end - met,
               height = u * met + (u + e * speed) * fly - gravity * fly * fly / 2;
  SsScenario *scenario = scene_of (gravity, "\"position\": [0, 0.5]",
                                   "{\"name\": \"floor\", \"kind\": \"at_least\", \"restitution\": 0.5, \"formula\":"
                                   " \"a.y - t\"}");

  for (int i = 0; scenario != NULL && integrator (i) != NULL; i++) {
    if ((ss_integrator_uses (integrator (i), NULL) & SS_USES_RESTITUTION) == 0)
      continue; /* limits are plastic there */
    SsTestRun run = ss_test_simulate (scenario->scene, integrator (i), NULL, dt, t_end, NULL);

    SS_CHECK_NEAR (ss_test_last_value (run.trajectory, "a.y"), height,
                   is_exact (integrator (i)) ? 1e-8 : 2 * dt * speed);
    SS_CHECK_NEAR (ss_test_last_value (run.trajectory, "a.vy"), u + e * speed - gravity * fly,
                   is_exact (integrator (i)) ? 1e-8 : (2 + e) * dt * gravity); /* dt of the meeting, of the flight */
    ss_trajectory_free (run.trajectory);
  }
  ss_scenario_free (scenario);
}

/* ---- who does not ------------------------------------------------------------------------------------------------ */

static void
others_refuse_it_by_name (void)
{
  SsScenario *scenario = scene_of (gravity, "\"position\": [0, 0.5]",
                                   "{\"name\": \"floor\", \"kind\": \"at_least\", \"formula\": \"a.y - t\"}");
  int n = 0;

  for (int k = 0; scenario != NULL && k < ss_method_count (); k++) {
    SsError err = {0};
    if (ss_method_at (k)->kind != SS_METHOD_INTEGRATOR || !ss_method_at (k)->is_built ||
        (ss_integrator_uses (ss_method_at (k)->integrator, NULL) & SS_USES_TIME) != 0)
      continue;
    n++;
    SS_CHECK (ss_integrator_check_scene (ss_method_at (k)->integrator, NULL, scenario->scene, &err) == SS_ERR_INVALID);
    SS_CHECK (strstr (err.message, "reads t, which constraint floor does") != NULL);
  }
  SS_CHECK (n > 0);
  ss_scenario_free (scenario);
}

int
main (void)
{
  SS_RUN (derivatives_are_those_of_differences);
  SS_RUN (bead_is_thrown_along_a_turning_wire);
  SS_RUN (pendulum_leans_on_its_way);
  SS_RUN (ball_bounces_on_a_rising_floor);
  SS_RUN (others_refuse_it_by_name);
  return ss_test_finish ();
}
