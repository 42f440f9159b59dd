/* tests/numeric/test-rough-step.c: the step for those who try many motions. Truth: closed forms, and stewart-trinkle
 * with gap=end, whose law it has, from the same states. */
#include "simulate/ss-rough-step.h"

#include "dynamics/ss-dynamics.h"
#include "simulate/ss-stewart-trinkle.h"
#include "ss-test-scenario.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static SsRoughStep *
new_step (const SsScene *scene)
{
  SsRoughStep *step = NULL;
  SsError err = {0};

  SS_CHECK (ss_rough_step_new (scene, &step, &err) == SS_OK);
  ss_rough_step_begin (step);
  return step;
}

static void
start (const SsScene *scene, double *q, double *v)
{
  for (int i = 0; i < 3 * scene->n_bodies; i++) {
    q[i] = scene->bodies[i / 3].q[i % 3];
    v[i] = scene->bodies[i / 3].v[i % 3];
  }
}

static const char slide[] =
    "{\"format\": 1, \"name\": \"slide\", \"scene\": {\"gravity\": [0, -10], \"friction\": 0.25, \"bodies\": ["
    "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
    "{\"name\": \"box\", \"mass\": 2, \"position\": [0, 0.1], \"velocity\": [1, 0], \"shape\": {\"type\": \"box\", "
    "\"width\": 0.4, \"height\": 0.2}},"
    "{\"name\": \"ball\", \"mass\": 1, \"position\": [3, 1], \"shape\": {\"type\": \"circle\", \"radius\": 0.1}}],"
    " \"contacts\": \"all\"}, \"task\": {\"t_end\": 1, \"dt\": 0.01}}";

/* Implicit Euler: the box loses mu g h a step, so that after n steps it is at sum of v0 - k mu g h, and stops after
 * .4 s; it neither sinks nor rises. The ball is at -g h^2 n (n + 1) / 2 until it lies. 1e-4 m: what a step leaves open
 * (SS_ROUGH_SETTLED), which the next one closes. */
static void
test_closed_forms (void)
{
  SsScenario *scenario = ss_test_read_text (slide);
  SsRoughStep *step = new_step (scenario->scene);
  double q[9], v[9], x = 0, u = 1;
  SsError err = {0};

  start (scenario->scene, q, v);
  for (int k = 1; k <= 100; k++) {
    SS_CHECK (ss_rough_step (step, (k - 1) * 0.01, 0.01, NULL, q, v, &err) == SS_OK);
    u = fmax (0, u - 0.25 * 10 * 0.01);
    x += 0.01 * u;
    SS_CHECK (fabs (q[3] - x) < SS_ROUGH_SETTLED && fabs (v[3] - u) < 1e-3 && fabs (q[4] - 0.1) < SS_ROUGH_SETTLED);
    SS_CHECK (fabs (q[7] - fmax (0.1, 1 - 10 * 1e-4 * k * (k + 1) / 2)) < SS_ROUGH_SETTLED);
  }
  ss_rough_step_free (step);
  ss_scenario_free (scenario);
}

/* Bars on a pin in the world and one on it: backward Euler, joints closed at the end of each step to what a
 * linearisation leaves open, and energy that never grows. */
static void
test_joints (void)
{
  SsScenario *scenario = ss_test_read_text (
      "{\"format\": 1, \"name\": \"double\", \"scene\": {\"gravity\": [0, -9.81], \"bodies\": ["
      "{\"name\": \"a\", \"mass\": 1, \"position\": [0.5, 0], \"shape\": {\"type\": \"capsule\", \"from\": [-0.5, 0], "
      "\"to\": [0.5, 0], \"radius\": 0.02}},"
      "{\"name\": \"b\", \"mass\": 1, \"position\": [1.5, 0], \"shape\": {\"type\": \"capsule\", \"from\": [-0.5, 0], "
      "\"to\": [0.5, 0], \"radius\": 0.02}}], \"joints\": ["
      "{\"name\": \"p\", \"type\": \"pin\", \"bodies\": [\"world\", \"a\"], \"anchor\": [0, 0]},"
      "{\"name\": \"e\", \"type\": \"pin\", \"bodies\": [\"a\", \"b\"], \"anchor\": [1, 0]}]},"
      "\"task\": {\"t_end\": 1, \"dt\": 0.01}}");
  SsRoughStep *step = new_step (scenario->scene);
  SsDynamics *dynamics = NULL;
  double q[6], v[6];
  SsError err = {0};

  SS_CHECK (ss_dynamics_new (scenario->scene, &dynamics, &err) == SS_OK);
  start (scenario->scene, q, v);
  double before = ss_dynamics_kinetic_energy (dynamics, v) + ss_dynamics_potential_energy (dynamics, q);
  for (int k = 0; k < 100; k++) {
    SS_CHECK (ss_rough_step (step, k * 0.01, 0.01, NULL, q, v, &err) == SS_OK);
    const double now = ss_dynamics_kinetic_energy (dynamics, v) + ss_dynamics_potential_energy (dynamics, q);

    for (int j = 0; j < 2; j++)
      SS_CHECK (ss_dynamics_joint_drift (dynamics, j, q) < SS_ROUGH_SETTLED);
    SS_CHECK (now < before + 1e-3); /* of 20 J in play */
    before = now;
  }
  ss_dynamics_free (dynamics);
  ss_rough_step_free (step);
  ss_scenario_free (scenario);
}

/* Controls that wander within a part of their limits; motors of joints weakly, or links turn by a radian in a step
 * and each step has several answers. */
static void
wander (const SsScene *scene, int k, double *u)
{
  for (int a = 0; a < scene->n_actuators; a++) {
    const SsActuator *actuator = &scene->actuators[a];
    const double most = fmin (20, fmax (fabs (actuator->lower), fabs (actuator->upper))),
                 part = actuator->kind == SS_ACTUATOR_JOINT ? 0.02 : 0.3;

    u[a] = fmin (fmax (part * most * sin (0.37 * k + a), actuator->lower), actuator->upper);
  }
}

/* How many steps of a full simulation end within 1 mm of where a rough one from the same state does. */
static int
count_near (const SsScenario *scenario, int *n_steps)
{
  const SsScene *scene = scenario->scene;
  const size_t n = 3 * (size_t)scene->n_bodies;
  const double h = scenario->task.plan->horizon / scenario->task.plan->steps;
  double *q = calloc (2 * n, sizeof *q), *v = q + n, at = 0;
  SsControls controls = {.n_rows = 1,
                         .n_actuators = scene->n_actuators,
                         .t = &at,
                         .u = calloc ((size_t)scene->n_actuators + 1, sizeof (double))};
  SsRoughStep *step = new_step (scene);
  SsSimulation *simulation = NULL;
  SsStewartTrinkleOptions options;
  SsError err = {0};
  int n_near = 0;

  ss_options_init (ss_integrator_stewart_trinkle.options, &options);
  options.gap = SS_STEWART_TRINKLE_END;
  options.swept = false;
  SS_CHECK (ss_simulation_new (scene, &ss_integrator_stewart_trinkle, &options, &simulation, &err) == SS_OK);
  ss_simulation_set_controls (simulation, &controls);
  const SsSimState *state = ss_simulation_state (simulation);
  for (*n_steps = 0; *n_steps < scenario->task.plan->steps; ++*n_steps) {
    SsStepInfo info;
    double off = 0;

    wander (scene, *n_steps, controls.u);
    memcpy (q, state->q, n * sizeof *q);
    memcpy (v, state->v, n * sizeof *v);
    SS_CHECK (ss_rough_step (step, state->t, h, controls.u, q, v, &err) == SS_OK);
    SS_CHECK (ss_simulation_step (simulation, h, &info, &err) == SS_OK);
    for (size_t c = 0; c < n; c++)
      off = fmax (off, fabs (q[c] - state->q[c]));
    n_near += off < 1e-3;
  }
  ss_simulation_free (simulation);
  ss_rough_step_free (step);
  free (controls.u);
  free (q);
  return n_near;
}

/* The same law: from nearly every state of the examples' motions both end at the same place. Nine of ten: where a step
 * changes its contacts, products of rotations and friction may have several answers. */
static void
test_beside_full (void)
{
  static const char *const names[] = {"push-box-with-disc", "flip-block",      "lift-two",    "row-of-three",
                                      "arm-push-box",       "cart-pole-walls", "finger-drag", "hopper-leg",
                                      "ball-into-bucket",   "three-boxes"};

  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char path[128];
    int n_steps;

    snprintf (path, sizeof path, "examples/plans/%s.stickslip.json", names[i]);
    SsScenario *scenario = ss_test_read_file (path, NULL, 0);
    const int n_near = count_near (scenario, &n_steps);
    if (10 * n_near < 9 * n_steps)
      printf ("  %s: %d of %d steps\n", names[i], n_near, n_steps);
    SS_CHECK (10 * n_near >= 9 * n_steps);
    ss_scenario_free (scenario);
  }
}

int
main (void)
{
  SS_RUN (test_closed_forms);
  SS_RUN (test_joints);
  SS_RUN (test_beside_full);
  return ss_test_finish ();
}
