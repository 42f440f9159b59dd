/* tests/numeric/test-joint-drives.c: friction and motors of joints in the laws that have bounded rows: a flywheel
 * that is braked, one that is driven up to a speed and held there against a load, a slider on a slope, a pendulum
 * whose swings friction shortens, a disc that rolls to a stop, all by their closed forms; the balance of the motion
 * holds with them, and not with others; every other method refuses such a scene by name. */
#include "fesd/ss-event-driven.h"
#include "fesd/ss-fesd-j.h"
#include "judge/ss-motion-law.h"
#include "judge/ss-motion.h"
#include "run/ss-method.h"
#include "scene/ss-uses.h"
#include "ss-test-scenario.h"
#include "ss-test-simulate.h"

#include <math.h>
#include <string.h>

static const double gravity = 9.81;
/* Answers of steps are right to this [rad/s]; a thousand of them add up. */
static const double rounded = 1e-9;

static const char *const start[] = {"joints=start", NULL}, *const poisson[] = {"restitution=poisson", NULL},
                         *const theta[] = {"theta=1", NULL}, *const at_end[] = {"gap=end", NULL};
static const struct {
  const SsIntegratorClass *integrator;
  const char *const *options;
} laws[] = {{&ss_integrator_stewart_trinkle, NULL},      {&ss_integrator_stewart_trinkle, start},
            {&ss_integrator_stewart_trinkle, at_end},    {&ss_integrator_stewart_trinkle, poisson},
            {&ss_integrator_convex_time_stepping, NULL}, {&ss_integrator_convex_time_stepping, start},
            {&ss_integrator_moreau_jean, NULL},          {&ss_integrator_moreau_jean, theta},
            {&ss_integrator_anitescu_potra, NULL}};
enum { N_LAWS = sizeof laws / sizeof *laws };

/* The methods that find the instants of stick and slip themselves. */
static bool
is_exact (int law)
{
  return laws[law].integrator == &ss_integrator_event_driven || laws[law].integrator == &ss_integrator_fesd_j;
}

static SsTestRun
run (const SsScenario *scenario, int law, double dt, double t_end)
{
  return ss_test_simulate (scenario->scene, laws[law].integrator, laws[law].options, dt, t_end, NULL);
}

/* The worst rest of the balance of the motion, judged with the scene [m/s]. */
static double
unbalanced (const SsScene *scene, const SsTestRun *run)
{
  SsMotionVerdict verdict;
  SsError err = {0};

  if (run->trajectory == NULL)
    return NAN;
  SS_CHECK (ss_motion_judge (scene, run->trajectory, false, NULL, &verdict, &err) == SS_OK);
  return verdict.balance.value;
}

/* The worst residual of the law of contact [m/s]. */
static double
law_residual (const SsScene *scene, int law, SsTrajectory *motion)
{
  _Alignas(max_align_t) char options[1024];
  SsLawVerdict verdict;
  SsError err = {0};

  ss_test_set_options (laws[law].integrator->options, options, laws[law].options, &err);
  const SsMotionLaw judged = ss_integrator_contact_law (scene, laws[law].integrator, options);
  SS_CHECK (motion != NULL && ss_motion_judge_law (scene, motion, NULL, &judged, NULL, &verdict, &err) == SS_OK);
  return verdict.law.value;
}

/* A wheel of 0.5 kg m2 on a pin through its centre, turning with omega; `pin` is what its joint says, `load` a
 * torque. */
static SsScenario *
wheel (double omega, const char *pin, double load)
{
  char text[900];

  snprintf (
      text, sizeof text,
      "{\"format\": 1, \"name\": \"wheel\", \"scene\": {\"gravity\": [0, -9.81], \"bodies\": [{\"name\": \"wheel\","
      " \"mass\": 2, \"inertia\": 0.5, \"angular_velocity\": %g, \"shape\": {\"type\": \"circle\", \"radius\":"
      " 0.2}}], \"joints\": [{\"name\": \"axle\", \"type\": \"pin\", \"bodies\": [\"world\", \"wheel\"],"
      " \"anchor\": [0, 0], %s}], \"forces\": [{\"name\": \"load\", \"body\": \"wheel\", \"torque\": %g}],"
      " \"contacts\": []}, \"task\": {\"t_end\": 1, \"dt\": 0.01}}",
      omega, pin, load);
  return ss_test_read_text (text);
}

/* 4 rad/s, braked by 1.5 N m: 3 rad/s2 less, until it stands after 4/3 s, and then stays against a load of 1 N m. */
static void
friction_brakes_and_holds (void)
{
  SsScenario *braked = wheel (4, "\"friction\": 1.5", 0), *held = wheel (0, "\"friction\": 1.5", 1),
             *moved = wheel (0, "\"friction\": 1.5", -2);
  for (int i = 0; i < N_LAWS && braked != NULL && held != NULL && moved != NULL; i++) {
    SsTestRun before = run (braked, i, 0.01, 1), after = run (braked, i, 0.01, 2), still = run (held, i, 0.01, 1),
              slides = run (moved, i, 0.01, 1);

    SS_CHECK_NEAR (ss_test_last_value (before.trajectory, "wheel.omega"), 1, rounded);
    SS_CHECK_NEAR (ss_test_last_value (after.trajectory, "wheel.omega"), 0, rounded);
    SS_CHECK_NEAR (ss_test_last_value (after.trajectory, "wheel.theta"), 4 * 4 / (2 * 3.0),
                   is_exact (i) ? 1e-8 : 4 * 0.01); /* omega h */
    SS_CHECK_NEAR (ss_test_last_value (still.trajectory, "wheel.theta"), 0, rounded);
    SS_CHECK_NEAR (ss_test_last_value (slides.trajectory, "wheel.omega"), -0.5 / 0.5, rounded);
    SS_CHECK (unbalanced (braked->scene, &after) < 1e-8);
    SS_CHECK (unbalanced (held->scene, &still) < 1e-8);
    ss_trajectory_free (before.trajectory);
    ss_trajectory_free (after.trajectory);
    ss_trajectory_free (still.trajectory);
    ss_trajectory_free (slides.trajectory);
  }
  ss_scenario_free (braked);
  ss_scenario_free (held);
  ss_scenario_free (moved);
}

/* 2 N m against a load of 0.5 N m: 3 rad/s2 up to 2.4 rad/s after 0.8 s, and no further; with a load of 3 N m the motor
 * gives way, at 2 rad/s2. With friction of 0.5 N m as well: 2 rad/s2. */
static void
motor_reaches_its_speed (void)
{
  SsScenario *driven = wheel (0, "\"motor_speed\": 2.4, \"motor_limit\": 2", -0.5),
             *beaten = wheel (0, "\"motor_speed\": 2.4, \"motor_limit\": 2", -3),
             *rubbing = wheel (0, "\"motor_speed\": 2.4, \"motor_limit\": 2, \"friction\": 0.5", -0.5);
  for (int i = 0; i < N_LAWS && driven != NULL && beaten != NULL && rubbing != NULL; i++) {
    SsTestRun early = run (driven, i, 0.01, 0.5), late = run (driven, i, 0.01, 2), back = run (beaten, i, 0.01, 0.5),
              slow = run (rubbing, i, 0.01, 0.5);

    SS_CHECK_NEAR (ss_test_last_value (early.trajectory, "wheel.omega"), 1.5, rounded);
    SS_CHECK_NEAR (ss_test_last_value (late.trajectory, "wheel.omega"), 2.4, rounded);
    SS_CHECK_NEAR (ss_test_last_value (back.trajectory, "wheel.omega"), -1, rounded);
    SS_CHECK_NEAR (ss_test_last_value (slow.trajectory, "wheel.omega"), 1, rounded);
    SS_CHECK (unbalanced (driven->scene, &late) < 1e-8);
    SS_CHECK (unbalanced (beaten->scene, &back) < 1e-8);
    SS_CHECK (unbalanced (rubbing->scene, &slow) < 1e-8);
    /* judged with friction that was not there: a step is 0.01 s 0.5 N m / 0.5 kg m2 off */
    SS_CHECK (unbalanced (rubbing->scene, &early) > 1e-4);
    ss_trajectory_free (early.trajectory);
    ss_trajectory_free (late.trajectory);
    ss_trajectory_free (back.trajectory);
    ss_trajectory_free (slow.trajectory);
  }
  ss_scenario_free (driven);
  ss_scenario_free (beaten);
  ss_scenario_free (rubbing);
}

/* What a drive may give in a step, by its speeds before and after, from the speed that it drives to (friction: 0), and
 * what it then gave too much or too little; all in what it gives in a step at most. The wheel goes with the mean of its
 * speeds, so that a joint that acts at both ends gave half of it at each: half of what is wrong counts, at the lever
 * sqrt (I/m) = 0.5 m. */
static void
rows_give_what_speeds_allow (void)
{
  static const struct {
    double before, after, wrong;
  } steps[] = {{-35, -34, 0},   {-35, -34.5, 0.5}, {-35, -35, 1}, {-35, -36, 2},   {-0.5, 0, 0},
               {-0.25, 0.5, 0}, {-0.5, 0.7, 0.2},  {0, 0, 0},     {0.5, -0.25, 0}, {0.75, -0.5, 0.25},
               {15, 14, 0},     {15, 14.5, 0.5},   {15, 15, 1},   {15, 16, 2}};
  const double h = 0.01;
  SsScenario *wheels[] = {wheel (0, "\"motor_speed\": 2.4, \"motor_limit\": 2", 0), wheel (0, "\"friction\": 1.5", 0)};

  for (int k = 0; k < 2; k++) {
    const double speed = k == 0 ? 2.4 : 0, most = h * (k == 0 ? 2 : 1.5) / 0.5;
    SsTestRun one = run (wheels[k], 0, h, h);

    SS_CHECK (one.trajectory != NULL && one.trajectory->n_rows == 2);
    for (size_t i = 0; i < sizeof steps / sizeof *steps && one.trajectory != NULL; i++) {
      const double w[] = {speed + most * steps[i].before, speed + most * steps[i].after};
      const int omega = ss_trajectory_channel (one.trajectory, "wheel.omega"),
                angle = ss_trajectory_channel (one.trajectory, "wheel.theta"), n = one.trajectory->n_channels;
      for (int row = 0; row < 2; row++) {
        one.trajectory->values[row * n + omega] = w[row];
        one.trajectory->values[row * n + angle] = row * h * (w[0] + w[1]) / 2;
      }
      SS_CHECK_NEAR (unbalanced (wheels[k]->scene, &one), 0.5 * steps[i].wrong / 2 * most, rounded);
    }
    ss_trajectory_free (one.trajectory);
    ss_scenario_free (wheels[k]);
  }
}

/* 2 kg on a rail of 30 degrees with 4 N of friction: g/2 - 2 m/s2; with 11 N it stays. */
static void
slider_slides_or_sticks (void)
{
  for (int sticks = 0; sticks < 2; sticks++) {
    char text[900];
    snprintf (
        text, sizeof text,
        "{\"format\": 1, \"name\": \"rail\", \"scene\": {\"gravity\": [0, -9.81], \"bodies\": [{\"name\": \"cart\","
        " \"mass\": 2, \"shape\": {\"type\": \"box\", \"width\": 0.2, \"height\": 0.2}}], \"joints\": [{\"name\":"
        " \"rail\", \"type\": \"slider\", \"bodies\": [\"world\", \"cart\"], \"axis\": [%.17g, -0.5], \"friction\":"
        " %d}], \"contacts\": []}, \"task\": {\"t_end\": 1, \"dt\": 0.01}}",
        sqrt (0.75), sticks ? 11 : 4);
    SsScenario *scenario = ss_test_read_text (text);
    for (int i = 0; i < N_LAWS && scenario != NULL; i++) {
      SsTestRun one = run (scenario, i, 0.01, 1);

      SS_CHECK_NEAR (ss_test_last_value (one.trajectory, "cart.vy"), sticks ? 0 : -(gravity / 2 - 2) / 2, 1e-8);
      SS_CHECK (unbalanced (scenario->scene, &one) < 1e-8);
      ss_trajectory_free (one.trajectory);
    }
    ss_scenario_free (scenario);
  }
}

/* A bob of 1 kg on 1 m, let go at 1 rad against 0.5 N m: it turns at -b where g (cos b - cos 1) = 0.5 (1 + b). The laws
 * of second order miss b by O(h^2). */
static void
swing_is_shortened (void)
{
  SsScenario *scenario = ss_test_read_text (
      "{\"format\": 1, \"name\": \"swing\", \"scene\": {\"gravity\": [0, -9.81], \"bodies\": [{\"name\": \"bob\","
      " \"mass\": 1, \"inertia\": 0.01, \"position\": [0.8414709848078965, -0.5403023058681398], \"angle\": 1,"
      " \"shape\": {\"type\": \"circle\", \"radius\": 0.05}}], \"joints\": [{\"name\": \"hinge\", \"type\": \"pin\","
      " \"bodies\": [\"world\", \"bob\"], \"anchor\": [0, 0], \"friction\": 0.5}], \"contacts\": []},"
      " \"task\": {\"t_end\": 1, \"dt\": 0.01}}");
  double b = 1;
  if (scenario == NULL)
    return;
  for (int k = 0; k < 50; k++) /* Newton */
    b -= (gravity * (cos (b) - cos (1)) - 0.5 * (1 + b)) / (-gravity * sin (b) - 0.5);
  for (int i = 0; i < N_LAWS; i++) {
    const bool is_second = laws[i].integrator != &ss_integrator_anitescu_potra && laws[i].options != start &&
                           laws[i].options != theta && laws[i].options != at_end;
    SsTestRun one = run (scenario, i, 0.002, 1.5);
    double least = 1;

    for (int r = 0; one.trajectory != NULL && r < one.trajectory->n_rows; r++)
      least = fmin (least, ss_test_value (one.trajectory, r, "bob.theta"));
    /* rows are g h^2/8 from the turn at most; h^2 g/2; about g h */
    SS_CHECK_NEAR (least, -b, is_exact (i) ? gravity * 0.002 * 0.002 / 8 : is_second ? 2e-5 : 10 * 0.002);
    /* joints act at both ends of a step of the second order, of which rows know the sum: O(h^2) */
    SS_CHECK (unbalanced (scenario->scene, &one) < (is_second ? 1e-5 : 1e-8));
    ss_trajectory_free (one.trajectory);
  }
  ss_scenario_free (scenario);
}

/* A disc of 1 kg, 0.2 m and 0.02 kg m2 on a floor, at 1 m/s and rolling, on a slope of `down`. */
static SsScenario *
roller (double rolling, double down, double mu)
{
  char text[900];

  snprintf (text, sizeof text,
            "{\"format\": 1, \"name\": \"roller\", \"scene\": {\"gravity\": [%.17g, %.17g], \"friction\": %g,"
            " \"rolling\": %g, \"bodies\": [{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\":"
            " \"half-plane\", \"normal\": [0, 1]}}, {\"name\": \"disc\", \"mass\": 1, \"inertia\": 0.02,"
            " \"position\": [0, 0.2], \"velocity\": [%d, 0], \"angular_velocity\": %d, \"shape\": {\"type\":"
            " \"circle\", \"radius\": 0.2}}]}, \"task\": {\"t_end\": 1, \"dt\": 0.01}}",
            gravity * sin (down), -gravity * cos (down), mu, rolling, down > 0 ? 0 : 1, down > 0 ? 0 : -5);
  return ss_test_read_text (text);
}

/* The same, of what the stages tell. */
static double
unbalanced_at_stages (const SsScene *scene, const SsSimResult *run)
{
  SsMotionVerdict verdict;
  SsError err = {0};

  if (run->trajectory == NULL)
    return NAN;
  SS_CHECK (ss_motion_judge_stages (scene, run->trajectory, run->stages, false, NULL, &verdict, &err) == SS_OK);
  return verdict.balance.value;
}

/* Two bars, a slider on the second, all with friction, one driven against its own friction: event-driven and fesd-j
 * agree to what their elements miss, explain their rows at the stages and only with this friction, and are what
 * Stewart-Trinkle, of which the problem of a step is another code, tends to. */
static void
mechanism_is_what_time_stepping_tends_to (void)
{
  static const double h = 0.002;
  SsScenario *scenarios[2];
  for (int i = 0; i < 2; i++) {
    char text[2000];
    snprintf (text, sizeof text,
              "{\"format\": 1, \"name\": \"bars\", \"scene\": {\"gravity\": [0, -9.81], \"bodies\": [{\"name\":"
              " \"a\", \"mass\": 1, \"position\": [0.5, 0], \"shape\": {\"type\": \"box\", \"width\": 1, \"height\":"
              " 0.05}}, {\"name\": \"b\", \"mass\": 1, \"position\": [1.5, 0], \"shape\": {\"type\": \"box\","
              " \"width\": 1, \"height\": 0.05}}, {\"name\": \"s\", \"mass\": 0.3, \"position\": [1.5, 0], \"shape\":"
              " {\"type\": \"circle\", \"radius\": 0.1}}], \"joints\": [{\"name\": \"p\", \"type\": \"pin\","
              " \"bodies\": [\"world\", \"a\"], \"anchor\": [0, 0], \"friction\": 0.4}, {\"name\": \"q\", \"type\":"
              " \"pin\", \"bodies\": [\"a\", \"b\"], \"anchor\": [1, 0], \"friction\": 0.2, \"motor_speed\": 3,"
              " \"motor_limit\": 0.5}, {\"name\": \"r\", \"type\": \"slider\", \"bodies\": [\"b\", \"s\"], \"axis\":"
              " [1, 0], \"friction\": %g}], \"contacts\": []}, \"task\": {\"t_end\": 1, \"dt\": 0.01}}",
              i == 0 ? 0.6 : 0.5);
    scenarios[i] = ss_test_read_text (text);
  }
  if (scenarios[0] != NULL && scenarios[1] != NULL) {
    const SsScene *scene = scenarios[0]->scene;
    SsSimResult exact = {0}, other = {0};
    SsTestRun near[2];
    SsError err = {0};
    const char *const names[] = {"a.theta", "b.theta", "s.x", "s.vy"};

    SS_CHECK (ss_simulate_job (&(SsSimJob){scene, &ss_integrator_event_driven, .dt = 0.01, .t_end = 1}, NULL, &exact,
                               &err) == SS_OK);
    SS_CHECK (ss_simulate_job (&(SsSimJob){scene, &ss_integrator_fesd_j, .dt = 0.02, .t_end = 1}, NULL, &other, &err) ==
              SS_OK);
    for (int i = 0; i < 2; i++)
      near[i] = ss_test_simulate (scene, &ss_integrator_stewart_trinkle, NULL, h / (i + 1), 1, NULL);
    for (int i = 0; i < 4; i++) {
      const double due = ss_test_last_value (exact.trajectory, names[i]);
      SS_CHECK_NEAR (ss_test_last_value (other.trajectory, names[i]), due, 1e-8);
      /* forces of 10 N that change their sign somewhere in a step of 2 ms shift 1 kg by 1e-5 m or 0.01 m/s at most; it
       * halves with the step */
      SS_CHECK_NEAR (ss_test_last_value (near[0].trajectory, names[i]), due, 1e-2);
      SS_CHECK_NEAR (ss_test_last_value (near[1].trajectory, names[i]), due, 5e-3);
    }
    SS_CHECK (unbalanced_at_stages (scene, &exact) < 1e-8);
    SS_CHECK (unbalanced_at_stages (scene, &other) < 1e-8);
    SS_CHECK (unbalanced_at_stages (scenarios[1]->scene, &exact) > 1e-4); /* 0.1 N for 3 ms at 0.3 kg */
    for (int i = 0; i < 2; i++)
      ss_trajectory_free (near[i].trajectory);
    ss_sim_result_clear (&exact);
    ss_sim_result_clear (&other);
  }
  ss_scenario_free (scenarios[0]);
  ss_scenario_free (scenarios[1]);
}

/* Rolling against a torque r m g: a (1 + I/(m R^2)) = -g r/R, 1.5 a = -g/20 here: it stops after 3.06 s. On a slope it
 * stays where tan < r/R, and else rolls down by 1.5 a = g sin - g cos r/R. */
static void
rolling_resistance_brakes_and_holds (void)
{
  static const double r = 0.01, ratio = 0.05;
  SsScenario *braked = roller (r, 0, 0.5), *held = roller (r, 0.04, 0.5), *down = roller (r, 0.2, 0.5);
  for (int i = 0; i < N_LAWS && braked != NULL && held != NULL && down != NULL; i++) {
    if (is_exact (i)) /* they refuse */
      continue;
    /* the relaxed law keeps a gap of h r |w|, whose way changes by h r w' while w changes: less than this */
    const double near =
        laws[i].integrator == &ss_integrator_convex_time_stepping ? 0.01 * ratio * gravity * ratio : 1e-8;
    SsTestRun before = run (braked, i, 0.01, 1), after = run (braked, i, 0.01, 4), still = run (held, i, 0.01, 1),
              rolls = run (down, i, 0.01, 1);

    SS_CHECK_NEAR (ss_test_last_value (before.trajectory, "disc.vx"), 1 - gravity * ratio / 1.5, near);
    SS_CHECK_NEAR (ss_test_last_value (before.trajectory, "disc.omega"), -5 * (1 - gravity * ratio / 1.5), 10 * near);
    SS_CHECK_NEAR (ss_test_last_value (after.trajectory, "disc.vx"), 0, 1e-8);
    SS_CHECK_NEAR (ss_test_last_value (after.trajectory, "disc.x"), 1.5 / (2 * gravity * ratio), 0.01); /* v h */
    SS_CHECK_NEAR (ss_test_last_value (still.trajectory, "disc.x"), 0, 1e-9);
    SS_CHECK_NEAR (ss_test_last_value (rolls.trajectory, "disc.vx"), gravity * (sin (0.2) - ratio * cos (0.2)) / 1.5,
                   near);
    SS_CHECK (unbalanced (braked->scene, &after) < 1e-8);
    SS_CHECK (unbalanced (held->scene, &still) < 1e-8);
    SS_CHECK (unbalanced (down->scene, &before) > 1e-4); /* another gravity */
    SS_CHECK (law_residual (down->scene, i, rolls.trajectory) < 1e-8);
    SS_CHECK (law_residual (braked->scene, i, after.trajectory) < 1e-8);
    ss_trajectory_free (before.trajectory);
    ss_trajectory_free (after.trajectory);
    ss_trajectory_free (still.trajectory);
    ss_trajectory_free (rolls.trajectory);
  }
  ss_scenario_free (braked);
  ss_scenario_free (held);
  ss_scenario_free (down);
}

/* Every integrator of the registry has them or refuses, as the words say. */
/* A flywheel of a watch: 5e-13 kg m2. Its motor of 2e-12 N m against friction of 0.5e-12 N m gives 3 rad/s2, and holds
 * 2.4 rad/s from 0.8 s on: no torque or inertia is small by itself. */
static void
tiny_drives_drive_too (void)
{
  static const SsIntegratorClass *const classes[] = {&ss_integrator_stewart_trinkle,
                                                     &ss_integrator_moreau_jean,
                                                     &ss_integrator_anitescu_potra,
                                                     &ss_integrator_convex_time_stepping,
                                                     &ss_integrator_constraint_solver,
                                                     &ss_integrator_event_driven,
                                                     &ss_integrator_fesd_j};
  SsScenario *scenario = ss_test_read_text (
      "{\"format\": 1, \"name\": \"watch\", \"scene\": {\"bodies\": [{\"name\": \"wheel\", \"mass\": 2e-6,"
      " \"inertia\": 5e-13, \"shape\": {\"type\": \"circle\", \"radius\": 7e-4}}], \"joints\": [{\"name\": \"axle\","
      " \"type\": \"pin\", \"bodies\": [\"world\", \"wheel\"], \"motor_speed\": 2.4, \"motor_limit\": 2e-12,"
      " \"friction\": 0.5e-12}], \"contacts\": []}}");
  for (size_t i = 0; i < sizeof classes / sizeof *classes && scenario != NULL; i++) {
    SsTestRun early = ss_test_simulate (scenario->scene, classes[i], NULL, 0.01, 0.5, NULL),
              late = ss_test_simulate (scenario->scene, classes[i], NULL, 0.01, 1.5, NULL);

    SS_CHECK_NEAR (ss_test_last_value (early.trajectory, "wheel.omega"), 1.5, rounded);
    SS_CHECK_NEAR (ss_test_last_value (late.trajectory, "wheel.omega"), 2.4, rounded);
    ss_trajectory_free (early.trajectory);
    ss_trajectory_free (late.trajectory);
  }
  ss_scenario_free (scenario);
}

static void
others_refuse (void)
{
  static const char *const known_by[] = {SS_DRIVES_KNOWN_BY, SS_ROLLING_KNOWN_BY}, *const names[] = {"axle",
                                                                                                     "floor-disc"};
  SsScenario *scenarios[] = {wheel (1, "\"friction\": 1", 0), roller (0.01, 0, 0.5)};
  for (int k = 0; k < 2; k++) {
    int n_refused = 0;
    for (int i = 0; i < ss_method_count () && scenarios[k] != NULL; i++) {
      const SsMethod *method = ss_method_at (i);
      SsSimulation *simulation = NULL;
      SsError err = {0};
      if (method->kind != SS_METHOD_INTEGRATOR || !method->is_built)
        continue;
      const SsStatus status = ss_simulation_new (scenarios[k]->scene, method->integrator, NULL, &simulation, &err);

      if (status != SS_OK) {
        SS_CHECK (status == SS_ERR_INVALID);
        SS_CHECK_CONTAINS (err.message, method->integrator->name);
        SS_CHECK_CONTAINS (err.message, names[k]);
        n_refused++;
      }
      SS_CHECK ((status == SS_OK) == (strstr (known_by[k], method->integrator->name) != NULL));
      ss_simulation_free (simulation);
    }
    SS_CHECK (n_refused > 0);
    ss_scenario_free (scenarios[k]);
  }
}

static void
reader_says_what_is_wrong (void)
{
  static const char *const pins[] = {"\"motor_speed\": 2", "\"friction\": -1", "\"motor_limit\": -1"};
  for (size_t i = 0; i < sizeof pins / sizeof *pins; i++) {
    char text[400];
    SsProblems problems;
    SsScenario *scenario = NULL;

    ss_problems_init (&problems);
    snprintf (text, sizeof text,
              "{\"format\": 1, \"name\": \"x\", \"scene\": {\"bodies\": [{\"name\": \"a\", \"shape\": {\"type\": "
              "\"circle\", \"radius\": 1}}], \"joints\": [{\"type\": \"pin\", \"bodies\": [\"world\", \"a\"], %s}]}}",
              pins[i]);
    SS_CHECK (ss_scenario_read (text, strlen (text), "x", NULL, 0, &problems, &scenario) != SS_OK);
    ss_problems_clear (&problems);
    ss_scenario_free (scenario);
  }
}

int
main (void)
{
  SS_RUN (friction_brakes_and_holds);
  SS_RUN (motor_reaches_its_speed);
  SS_RUN (rows_give_what_speeds_allow);
  SS_RUN (slider_slides_or_sticks);
  SS_RUN (swing_is_shortened);
  SS_RUN (mechanism_is_what_time_stepping_tends_to);
  SS_RUN (rolling_resistance_brakes_and_holds);
  SS_RUN (tiny_drives_drive_too);
  SS_RUN (others_refuse);
  SS_RUN (reader_says_what_is_wrong);
  return ss_test_finish ();
}
