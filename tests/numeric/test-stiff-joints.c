/* tests/numeric/test-stiff-joints.c: stiff joints and contacts with steps that do not resolve them: no energy from
 * nothing and no step without an answer at any stiffness, the work of secants, and impacts that end; against balances
 * of energy and momentum, and closed forms. */
#include "core/ss-random.h"
#include "simulate/ss-secant-way.h"
#include "ss-test-scenario.h"
#include "ss-test-simulate.h"

static const double g = 9.81;

/* ---- the work of secants ----------------------------------------------------------------------------------------- */

#define ROD(name_, x_, y_)                                                                                             \
  "{\"name\": \"" name_ "\", \"shape\": {\"type\": \"segment\", \"from\": [-0.5, 0], \"to\": [0.5, 0]}, \"mass\": 1, " \
  "\"inertia\": \"1/12\", \"position\": [" x_ ", " y_ "]}"
#define SCENE(bodies_, joints_)                                                                                        \
  "{\"format\": 1, \"name\": \"rods\", \"scene\": {\"gravity\": [0, -9.81], \"bodies\": [" bodies_                     \
  "], \"joints\": [" joints_ "], \"contacts\": []}}"

/* Two rods on a pin of the world, and two that fly. */
static const char hanging[] =
    SCENE (ROD ("a", "0.5", "0") "," ROD ("b", "1.5", "0"),
           "{\"name\": \"p\", \"type\": \"pin\", \"bodies\": [\"world\", \"a\"], \"anchor\": [0, 0]},"
           "{\"name\": \"q\", \"type\": \"pin\", \"bodies\": [\"a\", \"b\"], \"anchor\": [1, 0]}");
static const char flying[] =
    SCENE (ROD ("a", "0.5", "0") "," ROD ("b", "1.5", "0"),
           "{\"name\": \"q\", \"type\": \"pin\", \"bodies\": [\"a\", \"b\"], \"anchor\": [1, 0]}");

/* One way of h from the velocities v0 by joints of stiffness K (INFINITY: rigid); q1 and what it ends with before its
 * joints are asked for their velocities, v1 = va + (va - v0). Returns the energy that springs have at q1. */
static double
go (const SsScene *scene, double h, double stiffness, const double *v0, double *q0, double *q1, double *v1)
{
  SsContactProblem *problem = NULL;
  SsSecantWay *secant = NULL;
  SsStepInfo info = {0};
  double f[6], v_free[6], va[6], kappa[4] = {1, 1, 1, 1}, energy = 0;
  SS_CHECK (ss_contact_problem_new (scene, &problem, NULL) == SS_OK);
  SS_CHECK (ss_secant_way_new (scene, &secant, NULL) == SS_OK);
  for (int i = 0; i < 6; i++)
    q0[i] = i / 3 == 0 ? (double[]){0.5, 0, 0}[i % 3] : (double[]){1.5, 0, 0}[i % 3];
  ss_dynamics_forces (problem->dynamics, SS_FORCE_ALL, 0, q0, v0, NULL, f);
  ss_contact_problem_free_motion (problem, v0, f, h / 2, v_free);
  SS_CHECK (ss_contact_problem_collect (problem, q0, v0, 0, 0, NULL) == SS_OK);
  for (int i = 0; i < problem->n_rows; i++)
    problem->rows[i].compliance = isfinite (stiffness) ? 2 / (h * h * stiffness) : 0;
  const SsRattleWay way = {.q0 = q0, .v_free = v_free, .h = h, .with_points = true, .kappa = kappa};
  memcpy (va, v_free, sizeof va);
  SS_CHECK (ss_secant_way_go (secant, problem, &way, va, q1, &info, NULL) == SS_OK);
  ss_contact_problem_collect_joints (problem, q1, va);
  for (int i = 0; i < problem->n_rows && isfinite (stiffness); i++)
    energy += stiffness * problem->rows[i].row.phi * problem->rows[i].row.phi / 2;
  ss_contact_problem_free_motion (problem, va, f, h / 2, v1);
  ss_secant_way_push (secant, problem, v1, NULL);
  for (int i = 0; i < 6; i++)
    SS_CHECK_NEAR (v1[i], 2 * va[i] - v0[i], 1e-9);
  ss_secant_way_free (secant);
  ss_contact_problem_free (problem);
  return energy;
}

static double
energy_of (const SsScene *scene, const double *q, const double *v)
{
  SsDynamics *dynamics = NULL;
  SS_CHECK (ss_dynamics_new (scene, &dynamics, NULL) == SS_OK);
  const double energy = ss_dynamics_kinetic_energy (dynamics, v) + ss_dynamics_potential_energy (dynamics, q);
  ss_dynamics_free (dynamics);
  return energy;
}

/* Rigid joints do no work along the secants of a way, whatever its length: here rods turn by up to 1 rad in it. Springs
 * take what they have and what the implicit step damps, never less. The forces of a joint stay opposite. */
static void
secants_do_no_work (void)
{
  const double v0[6] = {0, 2, 4, 0, 5, 2}; /* 4 rad/s and 2 rad/s, joints closed */
  SsScenario *scenario = ss_test_read_text (hanging);
  for (double h = 0.01; h < 0.6; h *= 3.5) {
    double q0[6], q1[6], v1[6];
    double springs = go (scenario->scene, h, INFINITY, v0, q0, q1, v1);
    const double before = energy_of (scenario->scene, q0, v0);
    printf ("  h = %g: turns %.2f and %.2f rad, energy %+.1e J\n", h, q1[2], q1[5],
            energy_of (scenario->scene, q1, v1) - before);
    SS_CHECK_NEAR (energy_of (scenario->scene, q1, v1), before, 1e-8); /* joints closed to 1e-11, forces of 1e3 N */
    for (double stiffness = 10; stiffness < 1e16; stiffness *= 1e3) {
      springs = go (scenario->scene, h, stiffness, v0, q0, q1, v1);
      SS_CHECK (energy_of (scenario->scene, q1, v1) + springs <= before + 1e-8);
    }
  }
  ss_scenario_free (scenario);

  scenario = ss_test_read_text (flying);
  double q0[6], q1[6], v1[6];
  go (scenario->scene, 0.2, INFINITY, v0, q0, q1, v1);
  SS_CHECK_NEAR (v1[0] + v1[3], v0[0] + v0[3], 1e-12);
  SS_CHECK_NEAR (v1[1] + v1[4], v0[1] + v0[4] - 2 * g * 0.2, 1e-12);
  ss_scenario_free (scenario);
}

/* A disc that does not turn on a constraint that the time moves along its way: secants end on it. */
static void
what_is_moved_without_turning_stays_on_its_way (void)
{
  SsScenario *scenario = ss_test_read_text (
      "{\"format\": 1, \"name\": \"x\", \"scene\": {\"gravity\": [0, -9.81], \"bodies\": [{\"name\": \"a\", \"mass\": "
      "2, "
      "\"shape\": {\"type\": \"circle\", \"radius\": 0.1}}], \"contacts\": [], \"constraints\": [{\"formula\": \"a.y - "
      "0.3*sin(5*t)\"}]}}");
  const double q0[3] = {0}, v0[3] = {1, 1.5, 0};
  for (double h = 0.01; h < 0.5; h *= 3) {
    SsContactProblem *problem = NULL;
    SsSecantWay *secant = NULL;
    SsStepInfo info = {0};
    double v[3], q[3];
    SS_CHECK (ss_contact_problem_new (scenario->scene, &problem, NULL) == SS_OK);
    SS_CHECK (ss_secant_way_new (scenario->scene, &secant, NULL) == SS_OK);
    SS_CHECK (ss_contact_problem_collect (problem, q0, v0, 0, 0, NULL) == SS_OK && problem->n_rows == 1);
    const SsRattleWay way = {.q0 = q0, .v_free = v0, .h = h, .with_points = true};
    memcpy (v, v0, sizeof v);
    SS_CHECK (ss_secant_way_go (secant, problem, &way, v, q, &info, NULL) == SS_OK);
    SS_CHECK_NEAR (q[0], h, 1e-12);
    SS_CHECK_NEAR (q[1], 0.3 * sin (5 * h), 1e-9); /* as joints are closed there */
    SS_CHECK_NEAR (q[2], 0, 0);
    ss_secant_way_free (secant);
    ss_contact_problem_free (problem);
  }
  ss_scenario_free (scenario);
}

/* ---- long steps -------------------------------------------------------------------------------------------------- */

/* Steps of 0.1 s, where a chain vibrates with up to 6 rad a step: every step is solved, and the energy stays below
 * where it began up to what RATTLE lets it swing where it is asked, of second order: 1e-3 of the largest kinetic
 * energy, and a hundredth of it where half a turn of a rod is one step (the chain that starts above its pin). */
static void
no_energy_comes_from_long_steps (void)
{
  const struct {
    const char *file;
    double n, tilt, t_end, swing;
  } cases[] = {{"data/bench/chain", 10, 0.3, 20, 1e-3},          {"data/bench/chain", 15, 1.5, 20, 1e-3},
               {"data/bench/chain", 6, 2.4, 20, 1.2e-2},         {"data/bench/chain-on-floor", 10, 0.9, 4, 1e-3},
               {"data/bench/chain-on-floor", 8, 1.4, 4, 1e-3},   {"data/bench/pile", 30, NAN, 2, 1e-3},
               {"data/bench/chain-on-floor", 17, 0.8, 20, 1e-3}, {"data/bench/pile", 41, NAN, 20, 1e-3}};
  const double stiffnesses[] = {1e6, 1e15, 1e9, 1e12};
  const int n_cases = ss_test_is_long () ? 8 : 6, n_stiffnesses = ss_test_is_long () ? 4 : 2;
  const double part = ss_test_is_coarse () ? 0.2 : 1; /* of the motions */
  for (int i = 0; i < n_cases; i++) {
    char file[64];
    const SsOverride overrides[] = {{"n", cases[i].n}, {"tilt", cases[i].tilt}};
    snprintf (file, sizeof file, "%s.stickslip.json", cases[i].file);
    SsScenario *scenario = ss_test_read_file (file, overrides, isnan (cases[i].tilt) ? 1 : 2);
    for (int k = 0; k < n_stiffnesses; k++) {
      char contact[32], joint[32];
      snprintf (contact, sizeof contact, "stiffness=%g", stiffnesses[k]);
      snprintf (joint, sizeof joint, "joint-stiffness=%g", stiffnesses[k]);
      const char *const options[] = {contact, joint, NULL};
      SsTestRun run = ss_test_simulate (scenario->scene, &ss_integrator_constraint_solver, options, 0.1,
                                        ss_test_is_long () ? 20 : part * cases[i].t_end, NULL);
      double most = -INFINITY, kinetic = 0, first = 0;
      for (int row = 0; row < run.trajectory->n_rows; row++) {
        const double now = ss_test_value (run.trajectory, row, "energy.kinetic"),
                     energy = now + ss_test_value (run.trajectory, row, "energy.potential");
        first = row == 0 ? energy : first;
        most = fmax (most, energy);
        kinetic = fmax (kinetic, now);
      }
      printf ("  %s n=%g, %g N/m: energy at most %+.1e of the kinetic one\n", cases[i].file, cases[i].n, stiffnesses[k],
              (most - first) / kinetic);
      SS_CHECK (run.outcome == SS_OUTCOME_COMPLETED);
      SS_CHECK (most - first <= cases[i].swing * kinetic);
      ss_trajectory_free (run.trajectory);
    }
    ss_scenario_free (scenario);
  }
}

/* A swing that a step of 0.1 s does not resolve is kept all the same: a chain let go 0.3 rad beside the vertical, whose
 * vibrations are 9 times as fast as steps, has 97 % of its energy above rest after 20 s (0.2376 J before; +160 % before
 * secants). Rest: straight down. */
static void
a_chain_keeps_its_swing (void)
{
  SsScenario *scenario = ss_test_read_file ("data/bench/chain.stickslip.json", NULL, 0);
  SsTestRun run = ss_test_simulate (scenario->scene, &ss_integrator_constraint_solver, NULL, 0.1, 20, NULL);
  const double rest = -g * 0.1 * 0.1 * 50; /* 10 rods of 0.1 m and 0.1 kg */
  const double end =
      ss_test_last_value (run.trajectory, "energy.kinetic") + ss_test_last_value (run.trajectory, "energy.potential");
  const double start = ss_test_value (run.trajectory, 0, "energy.potential");
  printf ("  %.4f of the swing's energy\n", (end - rest) / (start - rest));
  SS_CHECK_NEAR ((end - rest) / (start - rest), 1, 0.05);
  ss_trajectory_free (run.trajectory);
  ss_scenario_free (scenario);
}

/* ---- impacts ----------------------------------------------------------------------------------------------------- */

/* Boxes and discs shot at round pegs without gravity: none leaves with more than it came with. The directions of such
 * contacts turn by up to a radian in a step before an impact, and not at all after it. */
static void
shots_at_pegs_gain_nothing (void)
{
  SsRandom random;
  ss_random_seed (&random, 25);
  for (int i = 0; i < (ss_test_is_long () ? 200 : 20); i++) {
    char text[2048];
    int at = snprintf (text, sizeof text,
                       "{\"format\": 1, \"name\": \"pegs\", \"scene\": {\"gravity\": [0, 0], \"friction\": %g, "
                       "\"bodies\": [",
                       i % 3 * 0.4);
    for (int k = 0; k < 4; k++)
      at += snprintf (text + at, sizeof text - (size_t)at,
                      "{\"name\": \"peg%d\", \"fixed\": true, \"shape\": {\"type\": \"circle\", \"radius\": %g}, "
                      "\"position\": [%g, %g]},",
                      k, ss_random_between (&random, 0.05, 0.3), ss_random_between (&random, -1, 1),
                      ss_random_between (&random, -1, 1));
    snprintf (text + at, sizeof text - (size_t)at,
              "{\"name\": \"shot\", \"shape\": %s, \"mass\": 1, \"position\": [-2, 0], \"velocity\": [%g, %g], "
              "\"angular_velocity\": %g}]}}",
              i % 2 == 0 ? "{\"type\": \"circle\", \"radius\": 0.1}"
                         : "{\"type\": \"box\", \"width\": 0.3, \"height\": 0.15}",
              ss_random_between (&random, 3, 15), ss_random_between (&random, -2, 2),
              ss_random_between (&random, -20, 20));
    SsScenario *scenario = ss_test_read_text (text);
    SsTestRun run = ss_test_simulate (scenario->scene, &ss_integrator_constraint_solver, NULL, 0.02, 1, NULL);
    const double start = ss_test_value (run.trajectory, 0, "energy.kinetic");
    SS_CHECK (run.outcome == SS_OUTCOME_COMPLETED);
    for (int row = 0; row < run.trajectory->n_rows; row++)
      SS_CHECK (ss_test_value (run.trajectory, row, "energy.kinetic") <= start * (1 + 1e-3));
    ss_trajectory_free (run.trajectory);
    ss_scenario_free (scenario);
  }
}

/* A ball strikes a row of four that touch; all five go on with a fifth of its velocity. With a spring of 1e8 N/m and
 * steps that resolve it, the row of rebound=spring is Newton's cradle. Of rebound=none the error falls with the step.
 * Of the default, the damping of 500 times the critical one leaves a millionth of 1 m/s, and what a step has pressed
 * together parts with 1/500 of the spring's rate sqrt (2 k/m)/2, twice that among five. */
static void
a_plastic_row_converges (void)
{
  static const char row[] =
      "{\"format\": 1, \"name\": \"row\", \"scene\": {\"gravity\": [0, 0], \"bodies\": [{\"name\": \"d0\", \"shape\": "
      "{\"type\": \"circle\", \"radius\": 0.1}, \"mass\": 1, \"position\": [-0.05, 0], \"velocity\": [1, 0]}, "
      "{\"for\": "
      "\"i\", \"from\": 1, \"to\": 4, \"rows\": [{\"name\": \"d{i}\", \"shape\": {\"type\": \"circle\", \"radius\": "
      "0.1}, \"mass\": 1, \"position\": [\"0.2*{i}\", 0]}]}]}}";
  const char *const none[] = {"rebound=none", NULL};
  SsScenario *scenario = ss_test_read_text (row);
  double last = 1e-4;
  for (int k = 0; k < 6; k++) {
    const double h = 0.01 * pow (10, -(k % 3)), parting = sqrt (2 * 1e8) / 2 / 500;
    SsTestRun run =
        ss_test_simulate (scenario->scene, &ss_integrator_constraint_solver, k < 3 ? none : NULL, h, 0.08, NULL);
    double error = 0;
    for (int i = 0; i < 5; i++) {
      char channel[16];
      snprintf (channel, sizeof channel, "d%d.vx", i);
      error = fmax (error, fabs (ss_test_last_value (run.trajectory, channel) - 0.2));
    }
    printf ("  h = %g: error %.1e m/s\n", h, error);
    SS_CHECK (run.outcome == SS_OUTCOME_COMPLETED);
    SS_CHECK (error <= (k < 3 ? last + 1e-9 : 2e-6 + 2 * parting * run.metrics.max_penetration));
    last = error;
    ss_trajectory_free (run.trajectory);
  }
  ss_scenario_free (scenario);
}

/* Two bars on a pin fall on a floor with steps that turn them by half a radian: where contacts had more damping than a
 * step of their springs, what turned was left deep in the floor and thrown out with 25 times its energy, 20 J. */
static void
bars_that_fall_gain_nothing (void)
{
  static const char bars[] =
      "{\"format\": 1, \"name\": \"bars\", \"scene\": {\"gravity\": [0, -9.81], \"friction\": 0.8, \"bodies\": "
      "[{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}}, "
      "{\"name\": \"c0\", \"mass\": 0.5339238730442382, \"position\": [0.12897280822041812, 2.339681566403844], "
      "\"angle\": -1.0759712340122483, \"shape\": {\"type\": \"box\", \"width\": 0.5431832228236895, \"height\": "
      "0.06}}, {\"name\": \"c1\", \"mass\": 1.9152771803583608, \"position\": [0.3869184246612543, "
      "1.861652202749176], \"angle\": -1.0759712340122483, \"shape\": {\"type\": \"box\", \"width\": "
      "0.5431832228236895, \"height\": 0.06}}], \"joints\": [{\"name\": \"pin\", \"type\": \"pin\", \"bodies\": "
      "[\"c0\", \"c1\"], \"anchor\": [0.25794561644083625, 2.10066688457651]}]}}";
  static const char *const rebounds[] = {"rebound=damped", "rebound=none", "rebound=spring"};
  SsScenario *scenario = ss_test_read_text (bars);
  for (int i = 0; i < 3; i++) {
    const char *const options[] = {"stiffness=9.83e6", "joint-stiffness=9.83e6", rebounds[i], NULL};
    SsTestRun run = ss_test_simulate (scenario->scene, &ss_integrator_constraint_solver, options, 0.03872, 3, NULL);
    double first = NAN;
    SS_CHECK (run.outcome == SS_OUTCOME_COMPLETED);
    for (int row = 0; row < run.trajectory->n_rows; row++) {
      const double energy = ss_test_value (run.trajectory, row, "energy.kinetic") +
                            ss_test_value (run.trajectory, row, "energy.potential");
      first = row == 0 ? energy : first;
      SS_CHECK (energy <= first + 0.01 * fabs (first)); /* gravity's zero is at the floor */
    }
    ss_trajectory_free (run.trajectory);
  }
  ss_scenario_free (scenario);
}

/* A ball that falls 1 m with e = 0.5 rests from t1 (1 + e)/(1 - e) = 1.3546 s on. With a step of h some 8 bounces are
 * faster than g h; each begins up to h late and with a speed that errs by g h, so that it lasts up to 2 h longer. */
static void
a_sequence_of_bounces_ends (void)
{
  SsScenario *scenario = ss_test_read_file ("examples/classics/bouncing-ball.stickslip.json", NULL, 0);
  const double end = 3 * sqrt (2 / g);
  for (double h = 0.02; h > 1e-3; h /= 4) {
    SsTestRun run = ss_test_simulate (scenario->scene, &ss_integrator_anitescu_potra, NULL, h, 3, NULL);
    double last = 0;
    for (int i = 0; i < run.trajectory->n_rows; i++)
      if (ss_test_value (run.trajectory, i, "ball.vy") != 0)
        last = ss_test_value (run.trajectory, i, "t");
    printf ("  h = %g: rests from %.4f s on, exactly %.4f\n", h, last, end);
    SS_CHECK (run.outcome == SS_OUTCOME_COMPLETED);
    SS_CHECK_NEAR (last, end, 8 * 3 * h);
    ss_trajectory_free (run.trajectory);
  }
  ss_scenario_free (scenario);
}

int
main (void)
{
  SS_RUN (secants_do_no_work);
  SS_RUN (what_is_moved_without_turning_stays_on_its_way);
  SS_RUN (no_energy_comes_from_long_steps);
  SS_RUN (a_chain_keeps_its_swing);
  SS_RUN (shots_at_pegs_gain_nothing);
  SS_RUN (a_plastic_row_converges);
  SS_RUN (bars_that_fall_gain_nothing);
  SS_RUN (a_sequence_of_bounces_ends);
  return ss_test_finish ();
}
