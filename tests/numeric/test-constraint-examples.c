/* tests/numeric/test-constraint-examples.c: the scenes of examples/constraint-solver against the tables of an
 * independent prototype (tests/data/constraint-solver), from the file through the reader, its method defaults and the
 * driver. One line of a table each; test-constraint-solver checks whole tables.
 *
 * Tolerances are those that the tables' README states for them; each is named where it is used.
 */
#include "simulate/ss-simulate.h"
#include "ss-test-scenario.h"
#include "ss-test-simulate.h"

#include <math.h>
#include <stdlib.h>

enum { SETS_MAX = 4, CHECKS_MAX = 4, OPTIONS_SIZE_MAX = 512 };

typedef struct {
  const char *channel; /* at the end */
  double expected, tolerance;
} Check;

typedef struct {
  const char *scene;
  const SsIntegratorClass *integrator;
  SsOverride set[SETS_MAX];   /* ends at the first without a name */
  const char *option, *value; /* NULL: the file's defaults only   */
  double dt, t_end;           /* 0: the file's                     */
  Check checks[CHECKS_MAX];   /* ends at the first without a name */
} Case;

/* [003 (3)]. README: 1e-9 relative to the amplitude reached (1 m). */
static const Case smd[] = {
    {"smd", &ss_integrator_explicit_euler, {{"b", 10}}, NULL, NULL, 1e-5, 1e-3, {{"mass.x", 0.544506218468393, 1e-9}}},
    {"smd", &ss_integrator_semi_implicit_euler, {{0}}, NULL, NULL, 0, 0, {{"mass.x", -0.0323217838888627, 1e-9}}},
    {"smd",
     &ss_integrator_semi_implicit_euler,
     {{"b", 20}, {"k", 1e8}},
     NULL,
     NULL,
     1e-4,
     1e-3,
     {{"mass.x", -0.00791250984746541, 1e-9}, {"mass.vx", 9860.87633180934, 1e-9 * 1e4}}},
    {"smd", &ss_integrator_implicit_euler, {{"b", 0}}, NULL, NULL, 1e-5, 1e-3, {{"mass.x", 0.537635578439922, 1e-9}}},
};

/* [003 (64)]. README: 1e-7 relative for h <= .01, 1e-5 above. */
static const Case pendulum[] = {
    {"pendulum",
     &ss_integrator_constraint_solver,
     {{0}},
     NULL,
     NULL,
     0.1,
     0,
     {{"bob.x", -0.729968951126219, 1e-5}, {"bob.y", 0.495622088323384, 1e-5}, {"bob.theta", -3.67984067387624, 4e-5}}},
    {"pendulum",
     &ss_integrator_constraint_solver,
     {{0}},
     NULL,
     NULL,
     0,
     0,
     {{"bob.x", -0.986979421844683, 1e-7}, {"bob.theta", -2.98127699111443, 3e-7}}},
    {"pendulum",
     &ss_integrator_constraint_solver,
     {{"J", 1}},
     NULL,
     NULL,
     0,
     0,
     {{"bob.x", -0.490547515512891, 1e-7},
      {"bob.y", -0.870904965644609, 1e-7},
      {"bob.theta", -2.08374705184305, 2e-7}}},
    {"pendulum",
     &ss_integrator_constraint_solver,
     {{"K", 1e12}, {"B", 0}},
     NULL,
     NULL,
     0,
     0,
     {{"bob.x", -0.986979421844172, 1e-7}, {"bob.y", -0.159593179915416, 1e-7}}},
};

/* README: 1e-6 relative. */
static const Case limit_pendulum[] = {
    {"limit-pendulum",
     &ss_integrator_constraint_solver,
     {{0}},
     NULL,
     NULL,
     0,
     0,
     {{"arm.theta", 0.00986038186556, 1e-8}, {"arm.omega", 0.00936120375566, 1e-8}}},
    {"limit-pendulum",
     &ss_integrator_constraint_solver,
     {{"K", 1e6}},
     NULL,
     NULL,
     1e-4,
     0,
     {{"arm.theta", 1.18516031263, 1e-6}, {"arm.omega", 1.45408137214, 1e-6}}},
    {"limit-pendulum",
     &ss_integrator_constraint_solver,
     {{0}},
     "activation",
     "penetrating",
     1e-4,
     0,
     {{"arm.theta", 1.21895467567, 1e-6}}},
};

/* [003 (122)]: it shows in the depth. README: distance 1e-7 m, creep 1e-4 relative, depth 1e-3. */
static const Case ramp[] = {
    {"ramp", &ss_integrator_constraint_solver, {{"mu", 0}}, NULL, NULL, 0, 0, {{"box.x", 1.28089545421238, 1e-7}}},
    {"ramp",
     &ss_integrator_constraint_solver,
     {{"mu", 0.125}},
     NULL,
     NULL,
     0,
     0,
     {{"box.x", 0.683349589950105, 1e-7},
      {"box.vx", 1.35316750569717, 1e-7},
      {"box.y", 0.025 - 6.07271434961004e-07, 6e-10}}},
    {"ramp",
     &ss_integrator_constraint_solver,
     {{"mu", 0.26}},
     NULL,
     NULL,
     0.001,
     0,
     {{"box.x", 0.0376614419646234, 1e-7}}},
    {"ramp",
     &ss_integrator_constraint_solver,
     {{"mu", 0.5}},
     NULL,
     NULL,
     0,
     0,
     {{"box.x", 6.3813930988221e-08, 1e-7}, {"box.vx", 1.26821331702939e-08, 1.27e-12}}},
    {"ramp",
     &ss_integrator_constraint_solver,
     {{"mu", 0.1}, {"angle_deg", 10}},
     NULL,
     NULL,
     0,
     0,
     {{"box.x", 0.372003474149553, 1e-7}}},
    {"ramp",
     &ss_integrator_constraint_solver,
     {{"mu", 0.125}, {"Estar", 1e9}},
     NULL,
     NULL,
     0,
     0,
     {{"box.x", 0.683349589782018, 1e-7}}},
};

/* README: 1e-5 relative for E = 1e7, 1e-3 for 1e11. y is u + 1/2: eps/2 of it is 1.1e-16. */
static const Case foundation[] = {
    {"foundation",
     &ss_integrator_constraint_solver,
     {{0}},
     NULL,
     NULL,
     0,
     0,
     {{"box.y", 0.5 - 8.340001781e-06, 8.3e-11}, {"box.theta", 2.668558504e-06, 2.7e-11}}},
    {"foundation",
     &ss_integrator_constraint_solver,
     {{"load_N", 50}, {"elements", 900}},
     NULL,
     NULL,
     0,
     0,
     {{"box.y", 0.5 - 1.284394745e-05, 1.3e-10}, {"box.theta", 2.667459887e-05, 2.7e-10}}},
    {"foundation",
     &ss_integrator_constraint_solver,
     {{"load_N", 5}, {"elements", 900}, {"E", 1e11}},
     NULL,
     NULL,
     0,
     0,
     {{"box.y", 0.5 - 8.34e-10, 8.3e-13}, {"box.theta", 2.667576922e-10, 2.7e-13}}},
    /* the printed program: the table's values are diagnostic, one digit less is asked of them */
    {"foundation",
     &ss_integrator_constraint_solver,
     {{"load_N", 50}},
     "law",
     "literal",
     0,
     0,
     {{"box.y", 0.5 - 1.274812014e-05, 1.3e-9}}},
};

/* README: top displacement 1e-6 relative; y itself is rounded at eps/2 (2 n - 1) r. */
static const Case disk_stack[] = {
    {"disk-stack",
     &ss_integrator_constraint_solver,
     {{"n", 10}, {"K", 1e8}},
     NULL,
     NULL,
     0,
     0,
     {{"disk10.y", 9.5 - 5.39e-06, 5.4e-12}, {"c1.lambda_n", 98, 1e-5 * 98}}},
    {"disk-stack",
     &ss_integrator_constraint_solver,
     {{"n", 100}, {"K", 1e8}},
     NULL,
     NULL,
     0,
     0,
     {{"disk100.y", 99.5 - 0.0004949, 4.9e-10}, {"c1.lambda_n", 980, 1e-5 * 980}}},
    {"disk-stack",
     &ss_integrator_constraint_solver,
     {{"n", 50}, {"initial_spacing", 0}},
     NULL,
     NULL,
     0,
     0,
     {{"disk50.y", 49.5 - 1.59091281114659e-07, 1.6e-13}}},
};

/* README: positions 1e-6 m, pin deviation 1 %. */
static const Case pinned_bar[] = {
    {"pinned-bar",
     &ss_integrator_constraint_solver,
     {{0}},
     NULL,
     NULL,
     0,
     0,
     {{"bar.x", 0.433012560582762, 1e-6},
      {"bar.theta", -0.523599340835852, 1e-6},
      {"tip.lambda_n", 4.9, 1e-6},
      {"tip.gap", -4.9e-07, 1e-12}}},
    {"pinned-bar",
     &ss_integrator_constraint_solver,
     {{"mu", 0.8}},
     NULL,
     NULL,
     0,
     0,
     {{"bar.x", 0.433012474856745, 1e-6}, {"bar.y", 0.249999607452992, 1e-6}, {"bar.theta", -0.523599681696432, 1e-6}}},
    {"pinned-bar",
     &ss_integrator_constraint_solver,
     {{"mu", 0.3}},
     NULL,
     NULL,
     0.001,
     0,
     {{"bar.theta", -0.523599454753559, 1e-6}}},
};

/* ---- running ----------------------------------------------------------------------------------------------------- */

static SsScenario *
read_scene (const Case *c)
{
  char path[128];
  int n_set = 0;

  while (n_set < SETS_MAX && c->set[n_set].name != NULL)
    n_set++;
  snprintf (path, sizeof path, "examples/constraint-solver/%s.stickslip.json", c->scene);
  return ss_test_read_file (path, c->set, n_set);
}

static void
set_option (const Case *c, void *options, const char *name, const char *value)
{
  SsError error = {0};
  SsStatus status = ss_options_set (c->integrator->options, options, name, value, &error);

  if (status != SS_OK)
    printf ("  %s, option %s: %s\n", c->scene, name, error.message);
  SS_CHECK (status == SS_OK);
}

static void
run_case (const Case *c)
{
  char message[512] = "";
  _Alignas(max_align_t) char options[OPTIONS_SIZE_MAX];
  SsScenario *scenario = read_scene (c);
  SsTrajectory *trajectory = NULL;
  SsSimMetrics metrics;
  SsOutcome outcome = SS_OUTCOME_FAILED;
  SsError error = {0};

  SS_CHECK (c->integrator->options->size <= sizeof options);
  if (scenario == NULL)
    return;
  ss_options_init (c->integrator->options, options);
  for (int i = 0; i < scenario->n_method_defaults; i++)
    if (strcmp (scenario->method_defaults[i].method, c->integrator->name) == 0)
      set_option (c, options, scenario->method_defaults[i].name, scenario->method_defaults[i].value);
  if (c->option != NULL)
    set_option (c, options, c->option, c->value);
  SS_CHECK (ss_simulate (scenario->scene, c->integrator, options, c->dt > 0 ? c->dt : scenario->task.dt,
                         c->t_end > 0 ? c->t_end : scenario->task.t_end, NULL, &trajectory, &metrics, &outcome, message,
                         sizeof message, &error) == SS_OK);
  SS_CHECK (outcome == SS_OUTCOME_COMPLETED);
  for (int i = 0; i < CHECKS_MAX && c->checks[i].channel != NULL && trajectory != NULL; i++) {
    const Check *check = &c->checks[i];
    double value = ss_test_last_value (trajectory, check->channel);

    if (!(fabs (value - check->expected) <= check->tolerance))
      printf ("  %s (%s) at dt = %g: %s = %.17g, expected %.17g\n", c->scene, c->integrator->name, c->dt,
              check->channel, value, check->expected);
    SS_CHECK_NEAR (value, check->expected, check->tolerance);
  }
  if (outcome != SS_OUTCOME_COMPLETED)
    printf ("  %s: %s %s\n", c->scene, message, error.message);
  ss_trajectory_free (trajectory);
  ss_scenario_free (scenario);
}

#define TEST_OF(cases)                                                                                                 \
  static void test_##cases (void)                                                                                      \
  {                                                                                                                    \
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)                                                          \
      run_case (&cases[i]);                                                                                            \
  }

TEST_OF (smd)
TEST_OF (pendulum)
TEST_OF (limit_pendulum)
TEST_OF (ramp)
TEST_OF (foundation)
TEST_OF (disk_stack)
TEST_OF (pinned_bar)

/* A block of 2 kg with friction 0.5 (at most 9.81 N) on 20 springs, pushed to either side: friction holds against 3 N
 * and slows 20 N. Force on the second body along the normal turned by -90 degrees: with the normal up that is to the
 * right on the block; named the other way round the normal is down and the floor is the second body, and the force on
 * the floor to the left is one on the block to the right. */
static void
test_friction_of_foundation (void)
{
  static const double forces[] = {3, -3, 20, -20};
  const char *const options[] = {"foundation=20", "activation=penetrating", NULL};
  const double m = 2, most = 0.5 * m * 9.81;

  for (int k = 0; k < 8; k++) {
    const double force = forces[k % 4], friction = fabs (force) < most ? -force : -copysign (most, force);
    char text[1024];
    snprintf (
        text, sizeof text,
        "{\"format\": 1, \"name\": \"pushed\", \"scene\": {\"gravity\": [0, -9.81], \"friction\": 0.5, \"bodies\": ["
        "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
        "{\"name\": \"block\", \"mass\": 2, \"position\": [0, 0.1], "
        "\"shape\": {\"type\": \"box\", \"width\": 0.8, \"height\": 0.2}}], "
        "\"contacts\": [{\"name\": \"springs\", \"bodies\": [%s], \"stiffness\": 1e5, \"damping\": 1e4}], "
        "\"forces\": [{\"body\": \"block\", \"force\": [%g, 0]}]}}",
        k < 4 ? "\"floor\", \"block\"" : "\"block\", \"floor\"", force);
    SsScenario *scenario = ss_test_read_text (text);
    if (scenario == NULL)
      return;
    SsTestRun run = ss_test_simulate (scenario->scene, &ss_integrator_constraint_solver, options, 0.01, 1, NULL);
    const double *row = ss_trajectory_row (run.trajectory, run.trajectory->n_rows - 1);
    const double lambda_t = row[ss_trajectory_channel (run.trajectory, "springs.lambda_t")];
    const double v = row[ss_trajectory_channel (run.trajectory, "block.vx")];
    /* at rest on its springs after 1 s (the block's own time is c/k = 0.1 s: e^-10), which tells on N and so on mu N */
    SS_CHECK_NEAR (lambda_t, friction, 1e-3 * most);
    /* what the forces give in 1 s; held, the law of the clamp creeps until the block has settled */
    SS_CHECK_NEAR (v, (force + friction) / m, 2e-2);
    ss_trajectory_free (run.trajectory);
    ss_scenario_free (scenario);
  }
}

/* [003 Fig 7]. A block at rest on ten springs, which its weight loads alike and the moment of friction about its
 * centre, M = m gx h/2, linearly: F = m g/n + M x/sum x^2, in each channel; of the edges that face no plane 0. */
static void
test_springs_of_foundation (void)
{
  const char *const options[] = {"foundation=10", "stiffness=1e5", NULL};
  const double across = 2, down = 9.81, mass = 3, width = 0.5, height = 0.2;
  char text[900];

  snprintf (text, sizeof text,
            "{\"format\": 1, \"name\": \"block\", \"scene\": {\"gravity\": [%g, %g], \"friction\": 0.8, \"bodies\":"
            " [{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
            " {\"name\": \"block\", \"mass\": %g, \"position\": [0, %g], \"shape\": {\"type\": \"box\", \"width\": %g,"
            " \"height\": %g}}]}, \"task\": {\"t_end\": 1, \"dt\": 0.01}}",
            across, -down, mass, height / 2, width, height);
  SsScenario *scenario = ss_test_read_text (text);
  if (scenario == NULL)
    return;
  SsTestRun run = ss_test_simulate (scenario->scene, &ss_integrator_constraint_solver, options, 0.01, 10, NULL);
  double squares = 0, sum = 0;
  for (int i = 0; i < 10; i++)
    squares += pow (width * ((i + 0.5) / 10 - 0.5), 2);
  int n_loaded = 0;
  for (int edge = 1; edge <= 4; edge++) {
    for (int i = 0; i < 10; i++) {
      char name[64];
      snprintf (name, sizeof name, "floor-block.spring_%d_%d", edge, i + 1);
      const double found = ss_test_last_value (run.trajectory, name), x = width * ((i + 0.5) / 10 - 0.5);
      if (found == 0)
        continue;
      n_loaded++;
      sum += found;
      /* pushed to the right, it leans on what is there; depths of 3e-5 m turn it by 1e-4 rad, which moves arms of 0.1
       * m by 1e-5 of their length */
      SS_CHECK_NEAR (found, mass * down / 10 + mass * across * height / 2 * x / squares, 1e-3);
    }
  }
  SS_CHECK (n_loaded == 10);
  SS_CHECK_NEAR (sum, ss_test_last_value (run.trajectory, "floor-block.lambda_n"), 1e-9);
  ss_trajectory_free (run.trajectory);
  run = ss_test_simulate (scenario->scene, &ss_integrator_constraint_solver, NULL, 0.01, 0.01, NULL);
  SS_CHECK (ss_trajectory_channel (run.trajectory, "floor-block.spring_1_1") < 0);
  ss_trajectory_free (run.trajectory);
  ss_scenario_free (scenario);
}

int
main (void)
{
  SS_RUN (test_smd);
  SS_RUN (test_pendulum);
  SS_RUN (test_limit_pendulum);
  SS_RUN (test_ramp);
  SS_RUN (test_foundation);
  SS_RUN (test_friction_of_foundation);
  SS_RUN (test_springs_of_foundation);
  SS_RUN (test_disk_stack);
  SS_RUN (test_pinned_bar);
  return ss_test_finish ();
}
