/* tests/numeric/test-joint-forces.c: channels of the forces of joints, limits, drives and springs by every integrator
 * that takes the scene, against closed forms: a pendulum's pin, a chain that hangs, a beam on a weld, a slider's limit
 * and spring, a motor at its limit and at its speed; what steps push adds up to what bodies received; a row that is
 * restored gives the same forces; which channels a scene has; the judge explains steps by reactions at both of their
 * ends, and finds what these do not give. */
#include "fesd/ss-event-driven.h"
#include "fesd/ss-fesd-j.h"
#include "judge/ss-motion.h"
#include "run/ss-method.h"
#include "ss-test-scenario.h"
#include "ss-test-simulate.h"

#include <math.h>
#include <string.h>

static const double g = 9.81;

static const char *const literal[] = {"law=literal", NULL}, *const at_end[] = {"gap=end", NULL},
                         *const start[] = {"joints=start", NULL}, *const theta[] = {"theta=1", NULL};
static const struct {
  const SsIntegratorClass *integrator;
  const char *const *options;
  int order; /* of motions with joints; 0: forces are those at the rows */
} laws[] = {
    {&ss_integrator_stewart_trinkle, NULL, 2},
    {&ss_integrator_stewart_trinkle, at_end, 1},
    {&ss_integrator_stewart_trinkle, start, 1},
    {&ss_integrator_convex_time_stepping, NULL, 2},
    {&ss_integrator_moreau_jean, NULL, 2},
    {&ss_integrator_moreau_jean, theta, 1},
    {&ss_integrator_anitescu_potra, NULL, 1},
    {&ss_integrator_constraint_solver, NULL, 2},
    {&ss_integrator_constraint_solver, literal, 1},
    {&ss_integrator_implicit_euler, NULL, 1},
    {&ss_integrator_semi_implicit_euler, NULL, 1},
    {&ss_integrator_event_driven, NULL, 0},
    {&ss_integrator_fesd_j, NULL, 0},
#if SS_HAVE_CVODE
    {&ss_integrator_cvode, NULL, 0},
#endif
};
enum { N_LAWS = sizeof laws / sizeof *laws };

static SsTestRun
run (const SsScenario *scenario, int law, double dt, double t_end)
{
  return ss_test_simulate (scenario->scene, laws[law].integrator, laws[law].options, dt, t_end, NULL);
}

static double
value (const SsTrajectory *motion, int row, const char *channel)
{
  const int c = motion != NULL ? ss_trajectory_channel (motion, channel) : -1;
  SS_CHECK (c >= 0);
  return c >= 0 ? ss_trajectory_row (motion, row)[c] : NAN;
}

static SsScenario *
scene_of (const char *bodies, const char *more)
{
  char text[4096];
  snprintf (text, sizeof text,
            "{\"format\": 1, \"name\": \"held\", \"scene\": {\"gravity\": [0, -9.81], \"bodies\": [%s], %s, "
            "\"contacts\": []}, \"task\": {\"t_end\": 1, \"dt\": 0.01}}",
            bodies, more);
  return ss_test_read_text (text);
}

#define BODY(name_, x_, y_, more_)                                                                                     \
  "{\"name\": \"" name_ "\", \"mass\": 2, \"inertia\": 0.5, \"position\": [" x_ ", " y_ "]" more_                      \
  ", \"shape\": {\"type\": \"circle\", \"radius\": 0.1}}"

/* Of a bob of 2 kg and 0.5 kg m2 a metre below its pin at a row: along the arm m (g cos theta + omega^2), across it
 * m (alpha + g sin theta). */
static SsVec2
force_of_swing (const SsTrajectory *motion, int row)
{
  const double angle = value (motion, row, "bob.theta"), omega = value (motion, row, "bob.omega"),
               along = 2 * (g * cos (angle) + omega * omega), across = 2 * (1 - 2 / 2.5) * g * sin (angle);
  return (SsVec2){across * cos (angle) - along * sin (angle), across * sin (angle) + along * cos (angle)};
}

/* The mean over a step is that at its middle up to h^2, in a second-order method; forces at rows are those there. The
 * printed law's joints give way and are at rest after a while. */
static void
a_pendulum_pulls_at_its_pin (void)
{
  SsScenario *scenario = scene_of (
      BODY ("bob", "\"sin(0.4)\"", "\"-cos(0.4)\"",
            ", \"angle\": 0.4, \"velocity\": [\"3*cos(0.4)\", \"3*sin(0.4)\"], \"angular_velocity\": 3"),
      "\"joints\": [{\"name\": \"pin\", \"type\": \"pin\", \"bodies\": [\"world\", \"bob\"], \"anchor\": [0, 0]}]");
  const double h = 0.002;
  for (int i = 0; i < N_LAWS && scenario != NULL; i++) {
    SsTestRun out = run (scenario, i, h, 0.4);
    double worst = 0, size = 0;
    for (int k = 100; out.trajectory != NULL && k < out.trajectory->n_rows; k++) {
      const bool is_mean = laws[i].order > 0;
      const SsVec2 now = force_of_swing (out.trajectory, k),
                   before = is_mean ? force_of_swing (out.trajectory, k - 1) : now;
      worst = fmax (worst, hypot (value (out.trajectory, k, "pin.force_x") - (now.x + before.x) / 2,
                                  value (out.trajectory, k, "pin.force_y") - (now.y + before.y) / 2));
      size = fmax (size, hypot (now.x, now.y));
    }
    printf ("  %s: %.3g N of %.3g N\n", laws[i].integrator->name, worst, size);
    /* theta < 1 rad and omega < 4 rad/s: what changes within a step is below the force times omega h, or its square;
     * CVODE's own tolerance */
    SS_CHECK (size > 20 && worst < size * (laws[i].order > 0 ? pow (4 * h, laws[i].order) : 1e-5));
    ss_trajectory_free (out.trajectory);
  }
  ss_scenario_free (scenario);
}

/* Four discs of 2 kg hang from each other at rest: link k carries what is below it, the rod's force is along it. */
static void
a_chain_hangs (void)
{
  SsScenario *scenario = scene_of (
      BODY ("a", "0", "-1", "") "," BODY ("b", "0", "-2", "") "," BODY ("c", "0", "-3", "") "," BODY ("d", "0", "-4",
                                                                                                      ""),
      "\"joints\": [{\"name\": \"j0\", \"type\": \"pin\", \"bodies\": [\"world\", \"a\"], \"anchor\": [0, 0]}, "
      "{\"name\": \"j1\", \"type\": \"pin\", \"bodies\": [\"a\", \"b\"], \"anchor\": [0, -1.5]}, "
      "{\"name\": \"j2\", \"type\": \"weld\", \"bodies\": [\"b\", \"c\"], \"anchor\": [0.5, -2.5]}, "
      "{\"name\": \"j3\", \"type\": \"rod\", \"bodies\": [\"c\", \"d\"], \"anchors\": [[0, 0], [0, 0]]}]");
  for (int i = 0; i < N_LAWS && scenario != NULL; i++) {
    SsTestRun out = run (scenario, i, 0.01, 0.2);
    const int last = out.trajectory != NULL ? out.trajectory->n_rows - 1 : 0;
    for (int k = 0; k < 4 && last > 0; k++) {
      char x[32], y[32];
      snprintf (x, sizeof x, "j%d.force_x", k);
      snprintf (y, sizeof y, "j%d.force_y", k);
      SS_CHECK_NEAR (value (out.trajectory, last, x), 0, 1e-5);
      SS_CHECK_NEAR (value (out.trajectory, last, y), (4 - k) * 2 * g, 1e-5);
    }
    if (last > 0) /* the weld's anchor is half a metre beside the line of its load */
      SS_CHECK_NEAR (value (out.trajectory, last, "j2.moment"), -0.5 * 2 * 2 * g, 1e-5);
    ss_trajectory_free (out.trajectory);
  }
  ss_scenario_free (scenario);
}

/* A cart pressed by 8 N against the upper limit of its rail, held back by a spring with 3 N: the limit pushes with
 * -5 N, the rail carries the weight, and nothing turns. */
static void
a_limit_and_a_spring (void)
{
  SsScenario *scenario = scene_of (
      BODY ("cart", "1", "0", ""),
      "\"joints\": [{\"name\": \"rail\", \"type\": \"slider\", \"bodies\": [\"world\", \"cart\"], \"axis\": [1, 0], "
      "\"anchors\": [[1, 0], [0, 0]], \"lower\": -1, \"upper\": 0}], \"springs\": [{\"name\": \"s\", \"bodies\": "
      "[\"world\", \"cart\"], \"anchors\": [[0, 0], [0, 0]], \"stiffness\": 10, \"rest\": 0.7}], \"actuators\": "
      "[{\"name\": "
      "\"m\", \"type\": \"joint\", \"joint\": \"rail\", \"formula\": \"8\"}]");
  for (int i = 0; i < N_LAWS && scenario != NULL; i++) {
    SsTestRun out = run (scenario, i, 0.01, 0.2);
    const int last = out.trajectory != NULL ? out.trajectory->n_rows - 1 : 0;
    if (last > 0) {
      SS_CHECK_NEAR (value (out.trajectory, last, "rail.limit"), -5, 5e-3); /* where limits give way they still do */
      SS_CHECK_NEAR (value (out.trajectory, last, "s.tension"), 3, 1e-4);
      SS_CHECK_NEAR (value (out.trajectory, last, "rail.force_x"), 0, 1e-5);
      SS_CHECK_NEAR (value (out.trajectory, last, "rail.force_y"), 2 * g, 5e-3);
      SS_CHECK_NEAR (value (out.trajectory, last, "rail.moment"), 0, 1e-5);
    }
    ss_trajectory_free (out.trajectory);
  }
  ss_scenario_free (scenario);
}

/* A wheel that a motor of at most 2 N m turns up to 2.4 rad/s against a load of 0.5 N m and a friction of 0.25 N m: the
 * motor gives all it has until then, and 0.75 N m after; the axle carries the weight. */
static void
a_motor_at_its_limit (void)
{
  static const int known[] = {0, 1, 2, 3, 4, 5, 6, 7, 11, 12}; /* the laws with bounded rows */
  SsScenario *scenario = scene_of (
      BODY ("wheel", "0", "0", ""),
      "\"joints\": [{\"name\": \"axle\", \"type\": \"pin\", \"bodies\": [\"world\", \"wheel\"], \"anchor\": [0, 0], "
      "\"motor_speed\": 2.4, \"motor_limit\": 2, \"friction\": 0.25}], \"forces\": [{\"name\": \"load\", \"body\": "
      "\"wheel\", \"torque\": -0.5}]");
  for (size_t k = 0; k < sizeof known / sizeof *known && scenario != NULL; k++) {
    SsTestRun out = run (scenario, known[k], 0.01, 2);
    const int last = out.trajectory != NULL ? out.trajectory->n_rows - 1 : 0;
    if (last > 50) {
      SS_CHECK_NEAR (value (out.trajectory, 50, "axle.motor"), 2, 1e-9);
      SS_CHECK_NEAR (value (out.trajectory, 50, "axle.friction"), -0.25, 1e-8);
      SS_CHECK_NEAR (value (out.trajectory, last, "axle.motor"), 0.75, 1e-8);
      SS_CHECK_NEAR (value (out.trajectory, last, "axle.friction"), -0.25, 1e-8);
      SS_CHECK_NEAR (value (out.trajectory, last, "axle.force_y"), 2 * g, 1e-9);
    }
    ss_trajectory_free (out.trajectory);
  }
  ss_scenario_free (scenario);
}

/* What bodies received: the change of the momentum of a double pendulum over a motion is the sum of the weights and of
 * the pin's forces, each over its step, for steps in parts as well. */
static void
forces_add_up_to_momentum (void)
{
  SsScenario *scenario = scene_of (
      BODY ("a", "1", "0", ", \"angular_velocity\": 20, \"velocity\": [0, 20]") "," BODY (
          "b", "2", "0", ", \"velocity\": [0, 40], \"angular_velocity\": 20"),
      "\"joints\": [{\"name\": \"j0\", \"type\": \"pin\", \"bodies\": [\"world\", \"a\"], \"anchor\": [0, 0]}, "
      "{\"name\": \"j1\", \"type\": \"pin\", \"bodies\": [\"a\", \"b\"], \"anchor\": [1.5, 0]}]");
  for (int i = 0; i < N_LAWS && scenario != NULL; i++) {
    if (laws[i].order == 0 ||
        laws[i].options == literal) /* forces at rows are no means; the printed law gains energy here */
      continue;
    SsTestRun out = run (scenario, i, 0.02, 1);
    double sum[2] = {0, 0}, size = 0;
    for (int k = 1; out.trajectory != NULL && k < out.trajectory->n_rows; k++) {
      const double h = ss_trajectory_row (out.trajectory, k)[0] - ss_trajectory_row (out.trajectory, k - 1)[0];
      sum[0] += h * value (out.trajectory, k, "j0.force_x");
      sum[1] += h * (value (out.trajectory, k, "j0.force_y") - 4 * g);
      size = fmax (size, fabs (value (out.trajectory, k, "j0.force_x")));
    }
    if (out.trajectory != NULL) {
      const int last = out.trajectory->n_rows - 1;
      const double t = ss_trajectory_row (out.trajectory, last)[0];
      SS_CHECK (t > 0);
      SS_CHECK_NEAR (sum[0], 2 * (value (out.trajectory, last, "a.vx") + value (out.trajectory, last, "b.vx")),
                     1e-9 * size);
      SS_CHECK_NEAR (sum[1], 2 * (value (out.trajectory, last, "a.vy") + value (out.trajectory, last, "b.vy")) - 120,
                     1e-9 * size);
    }
    ss_trajectory_free (out.trajectory);
  }
  ss_scenario_free (scenario);
}

/* Each joint has the channels of what it can do, in their order and with their units; a row that is put back has them
 * again. */
static void
channels_of_a_scene (void)
{
  static const char *const wanted[] = {"rail.drift N",    "axle.drift",        "rail.force_x N", "rail.force_y N",
                                       "rail.moment N m", "rail.limit N",      "axle.force_x N", "axle.force_y N",
                                       "axle.motor N m",  "axle.friction N m", "s.tension N"};
  SsScenario *scenario = scene_of (
      BODY ("cart", "1", "0", "") "," BODY ("wheel", "1", "0", ", \"angular_velocity\": 1"),
      "\"joints\": [{\"name\": \"rail\", \"type\": \"slider\", \"bodies\": [\"world\", \"cart\"], \"axis\": [1, 0], "
      "\"anchors\": [[1, 0], [0, 0]], \"lower\": -1}, {\"name\": \"axle\", \"type\": \"pin\", \"bodies\": [\"cart\", "
      "\"wheel\"], \"anchor\": [1, 0], \"motor_speed\": 2, \"motor_limit\": 1, \"friction\": 0.1}], \"springs\": "
      "[{\"name\": "
      "\"s\", \"bodies\": [\"world\", \"cart\"], \"anchors\": [[0, 0], [0, 0]], \"stiffness\": 10, \"rest\": 0.7}]");
  SsSimulation *simulation = NULL;
  SsStepInfo info;
  double row[64], again[64];

  SS_CHECK (scenario != NULL &&
            ss_simulation_new (scenario->scene, &ss_integrator_stewart_trinkle, NULL, &simulation, NULL) == SS_OK);
  if (simulation == NULL)
    return;
  const SsChannel *channels = ss_simulation_channels (simulation);
  const int n = ss_simulation_n_channels (simulation), first = 1 + 2 * SS_BODY_CHANNELS;
  SS_CHECK (n == first + 11 + 7 && n <= 64);
  for (int i = 2; i < 11; i++) {
    char text[96];
    snprintf (text, sizeof text, "%s %s", channels[first + i].name, channels[first + i].unit);
    SS_CHECK (strcmp (text, wanted[i]) == 0);
    SS_CHECK (channels[first + i].owner == (i == 10 ? SS_OWNER_SPRING : SS_OWNER_JOINT));
    SS_CHECK (ss_quantity_find (strrchr (channels[first + i].name, '.') + 1) == channels[first + i].quantity);
  }
  SS_CHECK (ss_simulation_step (simulation, 0.01, &info, NULL) == SS_OK);
  ss_simulation_fill (simulation, row);
  SS_CHECK_NEAR (row[first + 8], 1, 1e-9); /* the motor, below its speed */
  SS_CHECK (ss_simulation_step (simulation, 0.02, &info, NULL) == SS_OK);
  ss_simulation_restore (simulation, row);
  ss_simulation_fill (simulation, again);
  for (int i = 0; i < n; i++)
    SS_CHECK (row[i] == again[i]);
  ss_simulation_free (simulation);
  ss_scenario_free (scenario);
}

static SsMotionWorst
balance_of (const SsScenario *scenario, const SsTrajectory *motion)
{
  SsMotionVerdict verdict = {.balance = {NAN, NAN, -1}};
  SS_CHECK (ss_motion_judge (scenario->scene, motion, false, NULL, &verdict, NULL) == SS_OK);
  return verdict.balance;
}

#define DOUBLE(elbow_)                                                                                                 \
  scene_of (                                                                                                           \
      BODY ("a", "0.5", "0", "") "," BODY ("b", "1.5", "0", ""),                                                       \
      "\"joints\": [{\"name\": \"shoulder\", \"type\": \"pin\", \"bodies\": [\"world\", \"a\"], \"anchor\": [0, 0]}, " \
      "{\"name\": \"elbow\", \"type\": \"pin\", \"bodies\": [\"a\", \"b\"], \"anchor\": [" elbow_ ", 0], "             \
      "\"upper\": 0.3}], \"springs\": [{\"name\": \"s\", \"bodies\": [\"world\", \"b\"], \"anchors\": [[0, 1], [0, "   \
      "0]], "                                                                                                          \
      "\"stiffness\": 10, \"damping\": 0.5, \"rest\": 0.7}]")

/* Steps whose joints act at both ends are explained to rounding, limits and springs included; joints at one place leave
 * a rest of O(h^3) [m/s]. A push that is far below that is found, at its time and on its body (the elbow is not at its
 * limit then, which could give it), and so are reactions half a millimetre beside their joint. */
static void
the_judge_takes_joints_at_both_ends (void)
{
  static const int second_order[] = {0, 3, 4};
  SsScenario *scenario = DOUBLE ("1"), *beside = DOUBLE ("1.0005");
  for (size_t i = 0; i < sizeof second_order / sizeof *second_order && scenario != NULL && beside != NULL; i++) {
    SsTestRun out = run (scenario, second_order[i], 0.01, 1);
    if (out.trajectory == NULL)
      continue;
    SS_CHECK (balance_of (scenario, out.trajectory).value < 5e-9); /* below 1e-10 of 1 + the speed nothing is sought */
    const int row = 10, omega = ss_trajectory_channel (out.trajectory, "b.omega");
    double *pushed = &out.trajectory->values[(size_t)row * (size_t)out.trajectory->n_channels + (size_t)omega];
    *pushed += 2e-5;
    const SsMotionWorst found = balance_of (scenario, out.trajectory);
    SS_CHECK (found.value > 1e-6 && found.value < 1e-4);
    SS_CHECK (found.index == 1 && (fabs (found.t - 0.1) < 1e-9 || fabs (found.t - 0.11) < 1e-9));
    *pushed -= 2e-5;
    SS_CHECK (balance_of (beside, out.trajectory).value > 1e-6);
    ss_trajectory_free (out.trajectory);
  }
  ss_scenario_free (scenario);
  ss_scenario_free (beside);
}

#if SS_HAVE_CVODE
/* A bob that swings in hours, by 1.5e-7 m/s2: its pin pulls along the arm as its speed says, whatever joints open by is
 * pulled back with. Tolerances of cvode leave 2e-5 of the weight; 1e-3 is far from a stabilisation that drowns it. */
static void
a_slow_pendulum_pulls_at_its_pin (void)
{
  SsScenario *scenario = ss_test_read_text (
      "{\"format\": 1, \"name\": \"slow\", \"scene\": {\"gravity\": [0, -1.5e-7], \"contacts\": [], \"bodies\":"
      " [{\"name\": \"bob\", \"mass\": 1, \"inertia\": 0.01, \"position\": [1, 0], \"shape\": {\"type\": \"circle\","
      " \"radius\": 0.1}}], \"joints\": [{\"name\": \"pin\", \"type\": \"pin\", \"bodies\": [\"world\", \"bob\"],"
      " \"anchor\": [0, 0]}]}}");
  SsTestRun out = scenario != NULL ? ss_test_simulate (scenario->scene, &ss_integrator_cvode, NULL, 80, 12000, NULL)
                                   : (SsTestRun){0};
  double worst = 0;
  for (int k = 1; out.trajectory != NULL && k < out.trajectory->n_rows; k++) {
    const double x = value (out.trajectory, k, "bob.x"), y = value (out.trajectory, k, "bob.y"),
                 speed = hypot (value (out.trajectory, k, "bob.vx"), value (out.trajectory, k, "bob.vy"));
    const double pull = -value (out.trajectory, k, "pin.force_x") * x - value (out.trajectory, k, "pin.force_y") * y;
    worst = fmax (worst, fabs (pull - (speed * speed - 1.5e-7 * y)));
  }
  SS_CHECK (out.trajectory != NULL && worst < 1e-3 * 1.5e-7);
  ss_trajectory_free (out.trajectory);
  ss_scenario_free (scenario);
}
#endif

int
main (void)
{
  SS_RUN (a_pendulum_pulls_at_its_pin);
#if SS_HAVE_CVODE
  SS_RUN (a_slow_pendulum_pulls_at_its_pin);
#endif
  SS_RUN (a_chain_hangs);
  SS_RUN (a_limit_and_a_spring);
  SS_RUN (a_motor_at_its_limit);
  SS_RUN (forces_add_up_to_momentum);
  SS_RUN (channels_of_a_scene);
  SS_RUN (the_judge_takes_joints_at_both_ends);
  return ss_test_finish ();
}
