/* tests/numeric/test-mechanisms.c: mechanisms: orders of the integrators with joints, energy over long times, closed
 * joints, what rests and what is thrown, against integrals of their own, an independent integrator and invariants. */
#include "fesd/ss-event-driven.h"
#include "fesd/ss-fesd-j.h"
#include "linalg/ss-linalg.h"
#include "simulate/ss-rattle.h"
#include "ss-test-scenario.h"
#include "ss-test-simulate.h"

static const double g = 9.81;

static const SsIntegratorClass *const kept[] = {&ss_integrator_moreau_jean,          &ss_integrator_stewart_trinkle,
                                                &ss_integrator_convex_time_stepping, &ss_integrator_constraint_solver,
                                                &ss_integrator_event_driven,         &ss_integrator_fesd_j};
enum { N_KEPT = 6, N_RATTLE = 4 }; /* the first four step joints by RATTLE */

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

/* A rod of 1 m and 1 kg. */
#define ROD(name_, x_, y_, angle_)                                                                                     \
  "{\"name\": \"" name_ "\", \"shape\": {\"type\": \"segment\", \"from\": [-0.5, 0], \"to\": [0.5, 0]}, \"mass\": 1, " \
  "\"inertia\": \"1/12\", \"position\": [" x_ ", " y_ "], \"angle\": \"" angle_ "\"}"
#define PIN(name_, a_, b_, at_)                                                                                        \
  "{\"name\": \"" name_ "\", \"type\": \"pin\", \"bodies\": [\"" a_ "\", \"" b_ "\"], \"anchor\": " at_ "}"
#define SCENE(bodies_, joints_, more_)                                                                                 \
  "{\"format\": 1, \"name\": \"mechanism\", \"scene\": {\"gravity\": [0, -9.81], \"bodies\": [" bodies_                \
  "], \"joints\": [" joints_ "]" more_ "}}"

static const char bar[] = SCENE (ROD ("a", "\"0.5*sin(1.2)\"", "\"-0.5*cos(1.2)\"", "1.2-pi/2"),
                                 PIN ("p", "world", "a", "[0, 0]"), ", \"contacts\": []");
static const char double_pendulum[] =
    SCENE (ROD ("a", "0.5", "0", "0") "," ROD ("b", "1.5", "0", "0"),
           PIN ("p", "world", "a", "[0, 0]") "," PIN ("q", "a", "b", "[1, 0]"), ", \"contacts\": []");
/* Crank of 0.4 m under a motor's torque, rod of 1 m, piston of 2 kg on a rail through the crank's pin. */
static const char slider_crank[] = SCENE (
    "{\"name\": \"crank\", \"shape\": {\"type\": \"segment\", \"from\": [-0.2, 0], \"to\": [0.2, 0]}, \"mass\": 1.5, "
    "\"inertia\": 0.02, \"position\": [0.2, 0]}," ROD ("a", "0.9", "0",
                                                       "0") ",{\"name\": \"piston\", \"shape\": {\"type\": \"box\", "
                                                            "\"width\": 0.3, \"height\": 0.2}, \"mass\": 2, "
                                                            "\"position\": [1.4, 0]}",
    PIN ("p", "world", "crank", "[0, 0]") "," PIN ("q", "crank", "a", "[0.4, 0]") "," PIN (
        "r", "a", "piston", "[1.4, 0]") ",{\"name\": \"rail\", \"type\": \"slider\", \"bodies\": [\"world\", "
                                        "\"piston\"], \"axis\": [1, 0], "
                                        "\"anchors\": [[0, 0], [0, 0]]}",
    ", \"actuators\": [{\"name\": \"motor\", \"type\": \"joint\", \"joint\": \"p\", \"formula\": "
    "\"20 - 1.5*crank.omega\"}], \"contacts\": []");
/* A rod pinned at its left end, 0.3 m high, that lies with its right end on the floor, and one pinned to it. */
static const char leaning[] =
    SCENE ("{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}}," ROD (
               "a", "\"0.5*sqrt(1-0.09)\"", "0.15", "-asin(0.3)") ",{\"name\": \"b\", \"shape\": {\"type\": \"box\", "
                                                                  "\"width\": 0.4, \"height\": 0.2}, \"mass\": 2, "
                                                                  "\"position\": [\"sqrt(1-0.09)+0.2\", 0.1]}",
           PIN ("p", "world", "a", "[0, 0.3]") "," PIN ("q", "a", "b", "[\"sqrt(1-0.09)\", 0]"),
           ", \"contacts\": [{\"bodies\": [\"floor\", \"b\"], \"mu\": 0.5}]");

/* A chain of n rods of 0.1 m and 0.1 kg, let go level. */
static const char *
chain (int n)
{
  static char text[131072];
  int at = snprintf (text, sizeof text,
                     "{\"format\": 1, \"name\": \"chain\", \"scene\": {\"gravity\": [0, -9.81], \"contacts\": [], "
                     "\"bodies\": [");
  for (int i = 0; i < n; i++)
    at += snprintf (text + at, sizeof text - (size_t)at,
                    "%s{\"name\": \"a%d\", \"shape\": {\"type\": \"segment\", \"from\": [-0.05, 0], \"to\": [0.05, "
                    "0]}, \"mass\": 0.1, \"inertia\": \"0.001/12\", \"position\": [%.17g, 0]}",
                    i > 0 ? "," : "", i, 0.05 + 0.1 * i);
  at += snprintf (text + at, sizeof text - (size_t)at, "], \"joints\": [");
  for (int i = 0; i < n; i++) {
    char before[16] = "world";
    if (i > 0)
      snprintf (before, sizeof before, "a%d", i - 1);
    at += snprintf (text + at, sizeof text - (size_t)at,
                    "%s{\"name\": \"p%d\", \"type\": \"pin\", \"bodies\": [\"%s\", \"a%d\"], \"anchors\": [[%s, "
                    "0], [-0.05, 0]]}",
                    i > 0 ? "," : "", i, before, i, i > 0 ? "0.05" : "0");
  }
  snprintf (text + at, sizeof text - (size_t)at, "]}}");
  return text;
}

/* Largest opening of a joint over all rows [m or rad]. */
static double
largest_opening (const SsScene *scene, const SsTrajectory *motion)
{
  double largest = 0;
  for (int j = 0; j < scene->n_joints; j++) {
    char channel[64];
    snprintf (channel, sizeof channel, "%s.drift", scene->joints[j].name);
    for (int i = 0; i < motion->n_rows; i++)
      largest = fmax (largest, fabs (ss_test_value (motion, i, channel)));
  }
  return largest;
}

/* Springs of joints open by the load over their stiffness: the compliant law is asked for rigid ones. */
static const char *const *
rigid (const SsIntegratorClass *integrator)
{
  static const char *const stiff[] = {"joint-stiffness=1e15", NULL};
  return integrator == &ss_integrator_constraint_solver ? stiff : NULL;
}

/* ---- energy ------------------------------------------------------------------------------------------------------ */

/* The bar's swing is 1.2 rad for ever; the last second has a turning point, which rows miss by at most
 * (omega_0 h/2)^2/2 of it, 2e-4. */
static void
a_bar_keeps_its_swing (void)
{
  SsScenario *scenario = ss_test_read_text (bar);
  for (int k = 0; k < N_KEPT; k++) {
    SsTestRun run = ss_test_simulate (scenario->scene, kept[k], NULL, 0.01, 10, NULL);
    double swing = 0;
    for (int i = 0; i < run.trajectory->n_rows; i++)
      if (ss_test_value (run.trajectory, i, "t") >= 9)
        swing = fmax (swing, fabs (ss_test_value (run.trajectory, i, "a.theta") + acos (-1.0) / 2));
    printf ("  %s: %.5f of the swing\n", kept[k]->name, swing / 1.2);
    SS_CHECK (run.outcome == SS_OUTCOME_COMPLETED);
    SS_CHECK_NEAR (swing / 1.2, 1, 0.005);
    ss_trajectory_free (run.trajectory);
  }
  ss_scenario_free (scenario);
}

/* A double pendulum let go level, a minute, without growth: the largest error of the second half is that of the first,
 * up to what is chance in a chaotic motion. */
static void
a_double_pendulum_keeps_its_energy (void)
{
  const double t_end = ss_test_is_coarse () ? 10 : 60;
  SsScenario *scenario = ss_test_read_text (double_pendulum);
  for (int k = 0; k < N_KEPT; k++) {
    SsTestRun run = ss_test_simulate (scenario->scene, kept[k], NULL, 0.005, t_end, NULL);
    double error[2] = {0, 0}, kinetic = 0;
    for (int i = 0; i < run.trajectory->n_rows; i++) {
      const double now = ss_test_value (run.trajectory, i, "energy.kinetic");
      double *half = &error[ss_test_value (run.trajectory, i, "t") > t_end / 2];
      kinetic = fmax (kinetic, now);
      *half =
          fmax (*half, fabs (now + ss_test_value (run.trajectory, i, "energy.potential") - run.metrics.energy_initial));
    }
    printf ("  %s: energy errs by %.3g J, then %.3g J, of %.3g J; joints %.2g m\n", kept[k]->name, error[0], error[1],
            kinetic, largest_opening (scenario->scene, run.trajectory));
    SS_CHECK (run.outcome == SS_OUTCOME_COMPLETED);
    SS_CHECK (fmax (error[0], error[1]) <= 0.01 * kinetic);
    SS_CHECK (error[1] <= 2 * error[0] + 1e-6);
    ss_trajectory_free (run.trajectory);
  }
  ss_scenario_free (scenario);
}

/* The pendulum of paper 003 at steps of up to a fourth of its shortest time scale, at any stiffness: no growth in 20 s.
 * What comes and goes with the swing is of second order, (omega h)^2/12 of m g L 2 with omega = 4.4 rad/s. */
static void
long_steps_gain_nothing (void)
{
  static const double steps[] = {0.05, 0.1}, stiffness[] = {1e6, 1e9, 1e15};
  for (int k = 0; k < 6; k++) {
    const double h = steps[k % 2];
    const SsOverride set = {"K", stiffness[k / 2]};
    SsScenario *scenario = ss_test_read_file ("examples/constraint-solver/pendulum.stickslip.json", &set, 1);
    SsTestRun run = ss_test_simulate (scenario->scene, &ss_integrator_constraint_solver, NULL, h, 20, NULL);
    double most = 0, least = 0;
    for (int i = 0; i < run.trajectory->n_rows; i++) {
      const double change = ss_test_value (run.trajectory, i, "energy.kinetic") +
                            ss_test_value (run.trajectory, i, "energy.potential") - run.metrics.energy_initial;
      most = fmax (most, change);
      least = fmin (least, change);
    }
    printf ("  K = %g N/m, h = %g s: energy from %.3g to %+.3g J\n", set.value, h, least, most);
    SS_CHECK (run.outcome == SS_OUTCOME_COMPLETED);
    SS_CHECK (most <= 1e-3 && least >= -pow (4.4 * h, 2) / 12 * 2 * 9.8 * 1.2);
    ss_trajectory_free (run.trajectory);
    ss_scenario_free (scenario);
  }
}

/* ---- orders ------------------------------------------------------------------------------------------------------ */

/* Order of the last body's place and angle at t_end against event-driven (joint coordinates, Radau IIA of order 5: no
 * code in common) with a step far below; joints closed. */
static void
check_orders (const char *what, const char *text, double t_end, double dt, double least)
{
  SsScenario *scenario = ss_test_read_text (text);
  const char *last = scenario->scene->bodies[scenario->scene->n_bodies - 1].name;
  static const char *const coordinates[] = {"x", "y", "theta"};
  SsTestRun truth = ss_test_simulate (scenario->scene, &ss_integrator_event_driven, NULL, dt / 2, t_end, NULL);
  SS_CHECK (truth.outcome == SS_OUTCOME_COMPLETED);
  for (int k = 0; k < N_RATTLE; k++) {
    double error[3], opening = 0;
    for (int half = 0; half < 3; half++) {
      SsTestRun run = ss_test_simulate (scenario->scene, kept[k], rigid (kept[k]), dt / (1 << half), t_end, NULL);
      SS_CHECK (run.outcome == SS_OUTCOME_COMPLETED);
      error[half] = 0;
      for (int c = 0; c < 3; c++) {
        char channel[64];
        snprintf (channel, sizeof channel, "%s.%s", last, coordinates[c]);
        error[half] = fmax (error[half], fabs (ss_test_last_value (run.trajectory, channel) -
                                               ss_test_last_value (truth.trajectory, channel)));
      }
      opening = fmax (opening, largest_opening (scenario->scene, run.trajectory));
      ss_trajectory_free (run.trajectory);
    }
    printf ("  %s, %s: orders %.3f, %.3f; error %.2g at h = %g s; joints %.2g m\n", what, kept[k]->name,
            log2 (error[0] / error[1]), log2 (error[1] / error[2]), error[2], dt / 4, opening);
    SS_CHECK (log2 (error[1] / error[2]) >= least);
    SS_CHECK (opening <= 1e-10);
  }
  ss_trajectory_free (truth.trajectory);
  ss_scenario_free (scenario);
}

static void
orders_of_mechanisms (void)
{
  check_orders ("pendulum", bar, 1, 0.01, 1.9);
  check_orders ("double pendulum", double_pendulum, 1, 0.005, 1.9);
  check_orders ("slider-crank", slider_crank, 1, 0.005, 1.9);
  check_orders ("20 links", chain (20), ss_test_is_coarse () ? 0.1 : 0.5, 0.002, 1.9);
}

/* A chain so long that its equations are a band (fesd/ss-fesd-band.c): energy is kept to the order of the collocation,
 * joints are closed, and it moves as by another law with short steps, to that law's second order. */
static void
a_long_chain_is_a_band (void)
{
  SsScenario *scenario = ss_test_read_text (chain (80));
  SsTestRun a = ss_test_simulate (scenario->scene, &ss_integrator_event_driven, NULL, 0.01, 0.04, NULL);
  SsTestRun b = ss_test_simulate (scenario->scene, &ss_integrator_moreau_jean, NULL, 0.001, 0.04, NULL);
  SS_CHECK (a.outcome == SS_OUTCOME_COMPLETED && b.outcome == SS_OUTCOME_COMPLETED);
  SS_CHECK_NEAR (a.metrics.energy_final, a.metrics.energy_initial, 1e-7); /* of 0.5 J of motion */
  SS_CHECK (largest_opening (scenario->scene, a.trajectory) < 1e-12);
  for (int i = 0; i < 80; i += 13) {
    char channel[32];
    snprintf (channel, sizeof channel, "a%d.theta", i);
    SS_CHECK_NEAR (ss_test_last_value (a.trajectory, channel), ss_test_last_value (b.trajectory, channel), 1e-4);
  }
  ss_trajectory_free (a.trajectory);
  ss_trajectory_free (b.trajectory);
  ss_scenario_free (scenario);
}

/* ---- one step ---------------------------------------------------------------------------------------------------- */

/* What is left of dv when the joint rows at q have taken what they can: Gram-Schmidt in M. */
static double
left_by_joints (const SsScene *scene, SsDynamics *dynamics, const double *q, double *dv)
{
  SsRow rows[16];
  double ways[16][16], left = 0;
  const double *inverse = ss_dynamics_inverse_mass (dynamics), *mass = ss_dynamics_mass (dynamics);
  const int n = 3 * scene->n_bodies, n_rows = ss_dynamics_joint_rows (dynamics, q, dv, rows);
  SS_CHECK (n <= 16 && n_rows <= 16);
  for (int r = 0; r < n_rows; r++) {
    memset (ways[r], 0, sizeof ways[r]);
    for (int k = 0; k < 6; k++)
      if (rows[r].body[k / 3] >= 0) {
        const int i = 3 * rows[r].body[k / 3] + k % 3;
        ways[r][i] += inverse[i] * rows[r].j[k];
      }
    for (int pass = 0; pass < 2; pass++)
      for (int s = 0; s < r; s++) {
        double along = 0;
        for (int i = 0; i < n; i++)
          along += mass[i] * ways[r][i] * ways[s][i];
        ss_axpy (n, -along, ways[s], ways[r]);
      }
    double size = 0, along = 0;
    for (int i = 0; i < n; i++)
      size += mass[i] * ways[r][i] * ways[r][i];
    for (int i = 0; i < n; i++)
      ways[r][i] /= sqrt (size);
    for (int i = 0; i < n; i++)
      along += mass[i] * ways[r][i] * dv[i];
    ss_axpy (n, -along, ways[r], dv);
  }
  for (int i = 0; i < n; i++)
    left = fmax (left, inverse[i] > 0 ? fabs (dv[i]) : 0);
  return left;
}

/* Both halves of a step as ss-rattle.h says: with va = (q1 - q0)/h, va - v0 less h/2 M^-1 f is along the rows at q0, v1
 * - va less the other half along those at q1, G(q1) v1 = 0: all to rounding of places of 1 m over h. */
static void
halves_of_a_step_are_right (void)
{
  SsScenario *scenario = ss_test_read_text (double_pendulum);
  const SsScene *scene = scenario->scene;
  const double h = 0.02;
  SsDynamics *dynamics;
  SS_CHECK (ss_dynamics_new (scene, &dynamics, NULL) == SS_OK);
  for (int k = 0; k < N_RATTLE; k++) {
    void *stepper;
    double q[6], v[6], q0[6], v0[6], worst = 0;
    SsSimState state = {.q = q, .v = v};
    for (int i = 0; i < 6; i++) {
      q[i] = scene->bodies[i / 3].q[i % 3];
      v[i] = 0;
    }
    _Alignas(max_align_t) char options[1024];
    ss_test_set_options (kept[k]->options, options, rigid (kept[k]), NULL);
    SS_CHECK (kept[k]->new_ (scene, options, &stepper, NULL) == SS_OK);
    for (int s = 0; s < 100; s++) {
      SsStepInfo info;
      SsRow rows[16];
      double first[6], second[6];
      memcpy (q0, q, sizeof q);
      memcpy (v0, v, sizeof v);
      SS_CHECK (kept[k]->step (stepper, &(SsStep){.dt = h}, &state, &info, NULL) == SS_OK);
      for (int i = 0; i < 6; i++) {
        const double fall = i % 3 == 1 ? -g * h / 2 : 0, va = (q[i] - q0[i]) / h;
        first[i] = va - v0[i] - fall;
        second[i] = v[i] - va - fall;
      }
      worst = fmax (worst, left_by_joints (scene, dynamics, q0, first));
      worst = fmax (worst, left_by_joints (scene, dynamics, q, second));
      const int n_rows = ss_dynamics_joint_rows (dynamics, q, v, rows);
      for (int r = 0; r < n_rows; r++)
        worst = fmax (worst, fabs (ss_row_velocity (&rows[r], v)));
    }
    printf ("  %s: %.2g m/s\n", kept[k]->name, worst);
    SS_CHECK (worst <= 1e-11);
    kept[k]->free_ (stepper);
  }
  ss_dynamics_free (dynamics);
  ss_scenario_free (scenario);
}

/* Turned by more than a radian in a step: the joint stays closed, whatever the swing does then. */
static void
joints_stay_closed_when_steps_are_too_long (void)
{
  static const char whirling[] =
      "{\"format\": 1, \"name\": \"whirling\", \"scene\": {\"contacts\": [], \"bodies\": [{\"name\": \"a\", \"shape\": "
      "{\"type\": \"segment\", \"from\": [-0.5, 0], \"to\": [0.5, 0]}, \"mass\": 1, \"inertia\": \"1/12\", "
      "\"position\": [0.5, 0], \"velocity\": [0, 150], \"angular_velocity\": 300}], \"joints\": [" PIN (
          "p", "world", "a", "[0, 0]") "]}}";
  SsScenario *scenario = ss_test_read_text (whirling);
  for (int k = 0; k < 3; k++) {
    SsTestRun run = ss_test_simulate (scenario->scene, kept[k], NULL, 0.01, 0.5, NULL);
    SS_CHECK (run.outcome == SS_OUTCOME_COMPLETED);
    printf ("  %s: %.2g m\n", kept[k]->name, largest_opening (scenario->scene, run.trajectory));
    SS_CHECK (largest_opening (scenario->scene, run.trajectory) <= 1e-10);
    ss_trajectory_free (run.trajectory);
  }
  ss_scenario_free (scenario);
}

/* A chain of 200 links at 10 ms, whose end whips by more than a step can follow: such steps are gone in parts, which
 * are counted; joints stay closed, and energy does not grow. */
static void
a_whip_is_gone_in_parts (void)
{
  enum { N = 200 };
  SsScenario *scenario = ss_test_read_text (chain (N));
  SsTestRun run = ss_test_simulate (scenario->scene, &ss_integrator_moreau_jean, NULL, 0.01, 1, NULL);
  const double change = run.metrics.energy_final - run.metrics.energy_initial;
  printf ("  %d of %d steps in parts, energy %+.2g J, joints %.2g m\n", run.metrics.n_by_way[SS_STEP_BISECTED],
          run.metrics.steps, change, largest_opening (scenario->scene, run.trajectory));
  SS_CHECK (run.outcome == SS_OUTCOME_COMPLETED);
  SS_CHECK (run.metrics.n_by_way[SS_STEP_BISECTED] > 0);
  SS_CHECK (run.metrics.n_by_way[SS_STEP_BISECTED] + run.metrics.n_by_way[SS_STEP_PLAIN] == run.metrics.steps);
  SS_CHECK (largest_opening (scenario->scene, run.trajectory) <= 1e-10);
  SS_CHECK (fabs (change) < 0.01 * 0.1 * N * g * 0.5); /* its centre falls by about half a metre: 1 % of that work */
  ss_trajectory_free (run.trajectory);
  ss_scenario_free (scenario);
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

/* What rests stays where it is: weights, joints and the floor are in balance in both halves of a step. The compliant
 * law sinks by the weight over 1e8 N/m. */
static void
a_mechanism_rests (void)
{
  SsScenario *scenario = ss_test_read_text (leaning);
  for (int k = 0; k < N_RATTLE; k++) {
    SsTestRun run = ss_test_simulate (scenario->scene, kept[k], rigid (kept[k]), 0.01, 2, NULL);
    const bool is_rigid = kept[k] != &ss_integrator_constraint_solver;
    SS_CHECK (run.outcome == SS_OUTCOME_COMPLETED);
    SS_CHECK_NEAR (ss_test_last_value (run.trajectory, "b.y"), 0.1, is_rigid ? 1e-12 : 3 * g / 1e8);
    SS_CHECK_NEAR (ss_test_last_value (run.trajectory, "a.theta"), -asin (0.3), is_rigid ? 1e-12 : 3 * g / 1e8);
    SS_CHECK_NEAR (ss_test_last_value (run.trajectory, "a.omega"), 0, is_rigid ? 1e-12 : 1e-6);
    SS_CHECK_NEAR (ss_test_last_value (run.trajectory, "floor-b.lambda_n"), (2 + 0.5) * g, 1e-6 * g);
    ss_trajectory_free (run.trajectory);
  }
  ss_scenario_free (scenario);
}

/* Momentum of what is thrown, joined and struck: three rods, of which the outer ones strike each other. */
static void
momentum_is_kept (void)
{
  static const char thrown[] =
      "{\"format\": 1, \"name\": \"thrown\", \"scene\": {\"gravity\": [0, 0], \"bodies\": ["
      "{\"name\": \"a\", \"shape\": {\"type\": \"capsule\", \"length\": 1, \"radius\": 0.05}, \"mass\": 1, "
      "\"position\": [-1, 0], \"velocity\": [2, \"1-2.5\"], \"angular_velocity\": 5},"
      "{\"name\": \"b\", \"shape\": {\"type\": \"capsule\", \"length\": 1, \"radius\": 0.05}, \"mass\": 1, "
      "\"position\": [0, 0], \"velocity\": [2, 1]},"
      "{\"name\": \"c\", \"shape\": {\"type\": \"capsule\", \"length\": 1, \"radius\": 0.05}, \"mass\": 1, "
      "\"position\": [1, 0], \"velocity\": [2, \"1-2.5\"], \"angular_velocity\": -5}],"
      "\"joints\": [{\"name\": \"p\", \"type\": \"pin\", \"bodies\": [\"a\", \"b\"], \"anchor\": [-0.5, 0]},"
      "{\"name\": \"q\", \"type\": \"pin\", \"bodies\": [\"b\", \"c\"], \"anchor\": [0.5, 0]}],"
      "\"contacts\": [{\"bodies\": [\"a\", \"c\"], \"mu\": 0.3, \"restitution\": 0.5}]}}";
  SsScenario *scenario = ss_test_read_text (thrown);
  static const char *const channels[] = {"momentum.x", "momentum.y", "momentum.angular"};
  for (int k = 0; k < N_RATTLE; k++) {
    SsTestRun run = ss_test_simulate (scenario->scene, kept[k], NULL, 0.005, 2, NULL);
    double struck = 0;
    for (int i = 0; i < run.trajectory->n_rows; i++)
      struck = fmax (struck, ss_test_value (run.trajectory, i, "a-c.impulse_n"));
    SS_CHECK (run.outcome == SS_OUTCOME_COMPLETED);
    SS_CHECK (struck > 0.1);
    for (int c = 0; c < (kept[k] == &ss_integrator_moreau_jean ? 2 : 3); c++) /* Moreau's contacts act at neither end */
      SS_CHECK_NEAR (ss_test_last_value (run.trajectory, channels[c]), ss_test_value (run.trajectory, 0, channels[c]),
                     1e-11);
    ss_trajectory_free (run.trajectory);
  }
  ss_scenario_free (scenario);
}

/* ---- what stays as it was, and what is said ---------------------------------------------------------------------- */

/* Without joints the rule of joints changes no bit. */
static void
scenes_without_joints_keep_their_bits (void)
{
  static const char *const start[] = {"joints=start", NULL};
  SsScenario *scenario = ss_test_read_file ("examples/sketches/falling-box.stickslip.json", NULL, 0);
  for (int k = 1; k < N_RATTLE; k++) {
    SsTestRun one = ss_test_simulate (scenario->scene, kept[k], NULL, 0.01, 1, NULL),
              other = ss_test_simulate (scenario->scene, kept[k], start, 0.01, 1, NULL);
    const size_t n = (size_t)one.trajectory->n_rows * (size_t)one.trajectory->n_channels;
    SS_CHECK (one.trajectory->n_rows == other.trajectory->n_rows);
    SS_CHECK (memcmp (one.trajectory->values, other.trajectory->values, n * sizeof (double)) == 0);
    ss_trajectory_free (one.trajectory);
    ss_trajectory_free (other.trajectory);
  }
  ss_scenario_free (scenario);
}

typedef struct {
  int n;
  char text[1024];
} Heard;

static void
hear (void *user_data, const SsProgress *progress)
{
  Heard *heard = user_data;
  if (progress->kind != SS_PROGRESS_LOG || progress->level != SS_LOG_WARNING)
    return;
  heard->n++;
  snprintf (heard->text, sizeof heard->text, "%s", progress->text);
}

/* Schemes that take energy from swings say so, of mechanisms alone. */
static void
losses_are_told (void)
{
  static const struct {
    const SsIntegratorClass *integrator;
    const char *option;
    bool is_told;
  } cases[] = {
      {&ss_integrator_implicit_euler, NULL, true},
      {&ss_integrator_stewart_trinkle, "gap=end", true},
      {&ss_integrator_convex_time_stepping, "gap=end", true},
      {&ss_integrator_moreau_jean, "theta=1", true},
      {&ss_integrator_stewart_trinkle, NULL, false},
      {&ss_integrator_convex_time_stepping, NULL, false},
      {&ss_integrator_moreau_jean, NULL, false},
      {&ss_integrator_constraint_solver, NULL, false},
  };
  SsScenario *swings = ss_test_read_text (bar);
  SsScenario *falls = ss_test_read_file ("examples/classics/bouncing-ball.stickslip.json", NULL, 0);
  for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
    const bool has_joints = i % 2 == 0;
    const char *const options[] = {cases[i / 2].option, NULL};
    Heard heard = {0};
    SsRunControl control;
    ss_run_control_init (&control);
    control.progress = hear;
    control.user_data = &heard;
    SsTestRun run = ss_test_simulate (has_joints ? swings->scene : falls->scene, cases[i / 2].integrator, options, 0.01,
                                      0.02, &control);
    const bool is_told = strstr (heard.text, "take energy from what swings") != NULL;
    SS_CHECK (is_told == (has_joints && cases[i / 2].is_told));
    ss_trajectory_free (run.trajectory);
  }
  ss_scenario_free (swings);
  ss_scenario_free (falls);
}

int
main (void)
{
  SS_RUN (a_bar_keeps_its_swing);
  SS_RUN (a_double_pendulum_keeps_its_energy);
  SS_RUN (long_steps_gain_nothing);
  SS_RUN_SLOW (orders_of_mechanisms);
  SS_RUN (a_long_chain_is_a_band);
  SS_RUN (halves_of_a_step_are_right);
  SS_RUN (joints_stay_closed_when_steps_are_too_long);
  SS_RUN_SLOW (a_whip_is_gone_in_parts);
  SS_RUN (a_mechanism_rests);
  SS_RUN (momentum_is_kept);
  SS_RUN (scenes_without_joints_keep_their_bits);
  SS_RUN (losses_are_told);
  return ss_test_finish ();
}
