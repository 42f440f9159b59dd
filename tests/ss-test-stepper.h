/* tests/ss-test-stepper.h: an integrator that uses all that a step can tell: several rows a step, exact impacts with a
 * row before and one after, stages with weights, a second clock. It is not shipped.
 *
 * A ball (body 1, a circle) without spin over a floor (body 0, the half-plane y = 0), contact 0: free flight under
 * gravity and a force along x that is linear in t between impacts, Newton's restitution, rest below `rest_speed`, then
 * a contact force that holds the ball. A step is two elements of equal length, cut at the impacts in them; each element
 * has the two stages of Gauss's rule, which integrates all of that exactly. The second clock runs with t and a tenth of
 * a second on in every impact, in which t stands still.
 */
#pragma once

#include "dynamics/ss-dynamics.h"
#include "scene/ss-scenario.h"
#include "simulate/ss-simulate.h"

#include <math.h>
#include <string.h>

#define SS_TEST_IMPACT_TAU 0.1
#define SS_TEST_REST_SPEED 0.2

static const char ss_test_ball_text[] =
    "{\"format\": 1, \"name\": \"ball\", \"scene\": {\"gravity\": [0, -10], \"restitution\": 0.5, \"bodies\": ["
    "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
    "{\"name\": \"ball\", \"mass\": 2, \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"position\": [0, 0.9]}],"
    "\"actuators\": [{\"name\": \"push\", \"type\": \"force\", \"body\": \"ball\", \"direction\": [1, 0], "
    "\"formula\": \"3*t - 1\"}],"
    "\"contacts\": [{\"name\": \"landing\", \"bodies\": [\"floor\", \"ball\"]}]},"
    "\"task\": {\"t_end\": 1, \"dt\": 0.05}}";

typedef struct {
  const SsScene *scene;
  SsDynamics *dynamics;
  double q[6], v[6], f[6], contact[SS_SIM_N_CONTACT_VALUES], dissipated[1];
  double stage_q[6], stage_v[6];
  SsSimState at; /* within the step */
} SsTestStepper;

static inline SsStatus
ss_test_stepper_new (const SsScene *scene, const void *options, void **integrator, SsError *err)
{
  (void)options;
  SS_ASSERT (scene->n_bodies == 2 && scene->n_contacts == 1);
  SsTestStepper *s = ss_new (SsTestStepper);
  if (s == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the integrator");
  s->scene = scene;
  s->at = (SsSimState){.q = s->q, .v = s->v, .contact = s->contact, .dissipated = s->dissipated};
  SsStatus status = ss_dynamics_new (scene, &s->dynamics, err);
  if (status == SS_OK)
    *integrator = s;
  else
    ss_free (s);
  return status;
}

static inline void
ss_test_stepper_free (void *integrator)
{
  SsTestStepper *s = integrator;
  ss_dynamics_free (s->dynamics);
  ss_free (s);
}

static inline double
ss_test_gap (const SsTestStepper *s)
{
  return s->q[4] - s->scene->bodies[1].shapes[0].radius;
}

static inline bool
ss_test_rests (const SsTestStepper *s)
{
  return ss_test_gap (s) == 0 && s->v[4] == 0;
}

/* From the present state on for h without an impact; emits the stages. */
static inline SsStatus
ss_test_fly (SsTestStepper *s, const SsStep *step, double h, SsError *err)
{
  const double mass = s->scene->bodies[1].mass, g = -s->scene->gravity.y;
  const double v0[2] = {s->v[3], s->v[4]}, q0[2] = {s->q[3], s->q[4]}, t0 = s->at.t;
  const bool rests = ss_test_rests (s);
  double speed = 0, way = 0; /* of x, more than v0 and h v0 */
  ss_dynamics_forces (s->dynamics, SS_FORCE_ACTUATORS, t0, s->q, s->v, step->controls, s->f);
  const double f0 = s->f[3];
  s->contact[SS_SIM_LAMBDA_N] = rests ? mass * g : 0;
  s->contact[SS_SIM_IMPULSE_N] = 0;
  for (int i = 0; i < 2; i++) {
    const double c = (1 + (i == 0 ? -1 : 1) / sqrt (3)) / 2, d = c * h, weight = h / 2;
    SsSimState stage = s->at;
    stage.q = memcpy (s->stage_q, s->q, sizeof s->q);
    stage.v = memcpy (s->stage_v, s->v, sizeof s->v);
    stage.t = t0 + d;
    if (!rests) {
      stage.q[4] = q0[1] + d * v0[1] - g * d * d / 2;
      stage.v[4] = v0[1] - g * d;
    }
    ss_dynamics_forces (s->dynamics, SS_FORCE_ACTUATORS, stage.t, stage.q, stage.v, step->controls, s->f);
    stage.q[3] = q0[0] + d * v0[0] + d * d * (2 * f0 + s->f[3]) / (6 * mass); /* the force is linear in t */
    stage.v[3] = v0[0] + d * (f0 + s->f[3]) / (2 * mass);
    speed += weight * s->f[3] / mass;
    way += weight * (h - d) * s->f[3] / mass;
    SsStatus status = ss_step_emit_stage (step, &stage, weight, err);
    if (status != SS_OK)
      return status;
  }
  s->q[3] = q0[0] + h * v0[0] + way;
  s->v[3] = v0[0] + speed;
  if (!rests) {
    s->q[4] = q0[1] + h * v0[1] - g * h * h / 2;
    s->v[4] = v0[1] - g * h;
  }
  s->at.t = t0 + h;
  s->at.tau += h;
  s->contact[SS_SIM_GAP] = ss_test_gap (s);
  return SS_OK;
}

/* The ball is on the floor and falls: a row before the jump, the event; the state is then that after it. */
static inline SsStatus
ss_test_jump (SsTestStepper *s, const SsStep *step, SsError *err)
{
  const double mass = s->scene->bodies[1].mass, e = s->scene->contacts[0].restitution, v0 = s->v[4];
  s->q[4] = s->scene->bodies[1].shapes[0].radius;
  s->contact[SS_SIM_GAP] = 0;
  SsStatus status = ss_step_emit_row (step, &s->at, err);
  if (status != SS_OK)
    return status;
  s->v[4] = -e * v0 < SS_TEST_REST_SPEED ? 0 : -e * v0;
  s->dissipated[0] += mass * (v0 * v0 - s->v[4] * s->v[4]) / 2;
  s->contact[SS_SIM_LAMBDA_N] = s->v[4] > 0 ? 0 : -mass * s->scene->gravity.y;
  s->contact[SS_SIM_IMPULSE_N] = mass * (s->v[4] - v0);
  const SsEvent event = {
      .t = s->at.t, .tau = s->at.tau, .kind = SS_EVENT_IMPACT, .subject = 0, .impulse = s->contact[SS_SIM_IMPULSE_N]};
  s->at.tau += SS_TEST_IMPACT_TAU;
  return ss_step_emit_event (step, &event, err);
}

/* Time to the floor; INFINITY at rest. */
static inline double
ss_test_time_to_floor (const SsTestStepper *s)
{
  const double g = -s->scene->gravity.y, gap = fmax (ss_test_gap (s), 0), v = s->v[4];
  return ss_test_rests (s) ? INFINITY : (v + sqrt (v * v + 2 * g * gap)) / g;
}

static inline SsStatus
ss_test_stepper_step (void *integrator, const SsStep *step, SsSimState *state, SsStepInfo *info, SsError *err)
{
  SsTestStepper *s = integrator;
  const double end = state->t + step->dt;
  memcpy (s->q, state->q, sizeof s->q);
  memcpy (s->v, state->v, sizeof s->v);
  s->dissipated[0] = state->dissipated != NULL ? state->dissipated[0] : 0;
  s->at.t = state->t;
  s->at.tau = state->tau;
  for (int element = 0; element < 2; element++) {
    const double element_end = element == 0 ? state->t + step->dt / 2 : end;
    SsStatus status = SS_OK;
    while (status == SS_OK && s->at.t + ss_test_time_to_floor (s) < element_end) {
      status = ss_test_fly (s, step, ss_test_time_to_floor (s), err);
      if (status == SS_OK)
        status = ss_test_jump (s, step, err);
      if (status == SS_OK)
        status = ss_step_emit_row (step, &s->at, err);
    }
    if (status == SS_OK)
      status = ss_test_fly (s, step, element_end - s->at.t, err);
    if (status == SS_OK && element == 0)
      status = ss_step_emit_row (step, &s->at, err);
    if (status != SS_OK)
      return status;
  }
  memcpy (state->q, s->q, sizeof s->q);
  memcpy (state->v, s->v, sizeof s->v);
  memcpy (state->contact, s->contact, sizeof s->contact);
  if (state->dissipated != NULL)
    state->dissipated[0] = s->dissipated[0];
  state->t = s->at.t;
  state->tau = s->at.tau;
  *info = (SsStepInfo){.residual = 1e-12 * end, .n_points = 1}; /* another one a step */
  return SS_OK;
}

static const SsOptionTable ss_test_no_options = {0};

static inline SsQuantity
ss_test_stepper_clock (const void *options)
{
  (void)options;
  return SS_QUANTITY_NUMERICAL_TIME;
}

static const SsIntegratorClass ss_test_stepper = {
    .name = "test-stepper",
    .label = "Test stepper",
    .summary = "All that a step can tell.",
    .options = &ss_test_no_options,
    .new_ = ss_test_stepper_new,
    .step = ss_test_stepper_step,
    .free_ = ss_test_stepper_free,
    .uses = SS_USES_RESTITUTION,
    .gives_events = true,
    .gives_stages = true,
    .second_clock = ss_test_stepper_clock,
};
