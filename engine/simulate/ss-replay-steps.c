/* engine/simulate/ss-replay-steps.c: one-step replays; see ss-replay.h. */
#include "simulate/ss-replay.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Gaps and slips of a plan that count as none, and residuals of a step that count as solved: a plan keeps its rows to
 * 1e-6, squares of what is left are products that a solver takes as zero. [m] */
static const double plan_rounding = 1e-6;

enum { NAME_LENGTH = 512 };

typedef struct {
  const SsScene *scene;
  const SsTrajectory *plan;
  int *columns; /* 6 n_bodies: of q, then v; -1: constant */
  double *block;
  SsSimState start, end, found;
  const double *controls; /* of the step */
} Steps;

static SsStatus
find_columns (Steps *s, SsError *err)
{
  char name[NAME_LENGTH];
  for (int i = 0; i < 6 * s->scene->n_bodies; i++) {
    const SsBody *body = &s->scene->bodies[i / 6];
    snprintf (name, sizeof name, "%s.%s", body->name, ss_body_channels[i % 6]);
    s->columns[i] = body->is_fixed ? -1 : ss_trajectory_channel (s->plan, name);
    if (s->columns[i] < 0 && !ss_body_is_immovable (body))
      return ss_error_set (err, SS_ERR_INVALID, "the plan has no channel %s", name);
  }
  return SS_OK;
}

static void
read_state (const Steps *s, int row, SsSimState *state)
{
  const double *values = ss_trajectory_row (s->plan, row);
  state->t = values[0];
  for (int b = 0; b < s->scene->n_bodies; b++)
    for (int k = 0; k < 3; k++) {
      const SsBody *body = &s->scene->bodies[b];
      int q = s->columns[6 * b + k], v = s->columns[6 * b + 3 + k];
      state->q[3 * b + k] = q >= 0 ? values[q] : body->q[k];
      state->v[3 * b + k] = v >= 0 ? values[v] : body->is_fixed ? 0 : body->v[k];
    }
}

static void
copy_state (const Steps *s, const SsSimState *from, SsSimState *to)
{
  size_t size = 3 * (size_t)s->scene->n_bodies * sizeof (double);
  to->t = from->t;
  memcpy (to->q, from->q, size);
  memcpy (to->v, from->v, size);
}

/* Largest distance of the found end and the plan's; *body: whose. */
static double
distance_at_end (const Steps *s, int *body)
{
  double largest = 0;
  *body = -1;
  for (int b = 0; b < s->scene->n_bodies; b++) {
    const double *found = s->found.q + 3 * b, *end = s->end.q + 3 * b;
    double way = fmax (hypot (found[0] - end[0], found[1] - end[1]), fabs (found[2] - end[2]));
    if (!ss_body_is_immovable (&s->scene->bodies[b]) && (*body < 0 || way > largest)) {
      largest = way;
      *body = b;
    }
  }
  return largest;
}

/* A step that parted: which of the two ends is an answer of it? */
static SsStatus
judge_parted (Steps *s, const SsIntegratorClass *integrator, void *stepper, const SsStep *step, int body,
              SsReplaySteps *out, SsError *err)
{
  double residual = NAN, found = NAN;
  if (integrator->law_residual == NULL)
    return SS_OK;
  SsStatus status = integrator->law_residual (stepper, step, &s->start, &s->end, plan_rounding, &residual, err);
  if (status == SS_OK)
    status = integrator->law_residual (stepper, step, &s->start, &s->found, plan_rounding, &found, err);
  if (status != SS_OK || isnan (residual))
    return status;
  if (out->n_other < 0)
    out->n_other = out->n_unsolved = out->n_unlawful = 0;
  out->n_other += residual <= plan_rounding && found <= plan_rounding;
  out->n_unsolved += !(found <= plan_rounding);
  if (residual > plan_rounding && out->n_unlawful++ == 0) {
    out->unlawful_t = s->start.t;
    out->unlawful_body = body;
  }
  if (!(residual <= out->law_residual))
    out->law_residual = residual;
  return SS_OK;
}

/* From one row of the plan to another. */
static SsStatus
compare_step (Steps *s, int from, int to, const SsIntegratorClass *integrator, void *stepper, SsReplaySteps *out,
              SsError *err)
{
  SsError why;
  SsStepInfo info = {0};
  int body;
  read_state (s, from, &s->start);
  read_state (s, to, &s->end);
  copy_state (s, &s->start, &s->found);
  const SsStep step = {.dt = s->end.t - s->start.t, .controls = s->controls};
  SsStatus status = integrator->step (stepper, &step, &s->found, &info, &why);
  if (status == SS_ERR_MEMORY)
    return ss_error_set (err, status, "%s", why.message);
  double distance = status == SS_OK ? distance_at_end (s, &body) : INFINITY;
  if (status != SS_OK) {
    out->n_failed++;
    body = -1;
  } else if (out->body < 0 || distance > out->largest) {
    out->largest = distance;
    out->body = body;
    out->t = s->start.t;
  }
  if (distance <= SS_REPLAY_PARTED)
    return SS_OK;
  if (out->n_parted++ == 0) {
    out->first_t = s->start.t;
    out->first_body = body;
  }
  return judge_parted (s, integrator, stepper, &step, body, out, err);
}

SsStatus
ss_replay_compare_steps (const SsScene *scene, const SsTrajectory *plan, const SsIntegratorClass *integrator,
                         const void *options, SsReplaySteps *out, SsError *err)
{
  SS_ASSERT (scene != NULL && plan != NULL && integrator != NULL && out != NULL);

  SsReplaySteps result = {.body = -1,
                          .first_t = NAN,
                          .first_body = -1,
                          .n_other = -1,
                          .n_unsolved = -1,
                          .law_residual = NAN,
                          .n_unlawful = -1,
                          .unlawful_t = NAN,
                          .unlawful_body = -1};
  Steps s = {.scene = scene, .plan = plan};
  SsControls *controls = NULL;
  void *stepper = NULL;
  size_t n = 3 * (size_t)scene->n_bodies, n_contact = SS_SIM_N_CONTACT_VALUES * (size_t)scene->n_contacts;
  SS_ASSERT (plan != NULL && integrator != NULL && out != NULL);
  SsStatus status = ss_integrator_check_scene (integrator, options, scene, err);
  if (status == SS_OK)
    status = ss_controls_new (scene, plan, &controls, err);
  if (status != SS_OK)
    return status;
  s.columns = ss_new_array (int, 2 * n + 1);
  s.block = ss_new_array (double, 6 * n + n_contact + 1);
  status = s.columns != NULL && s.block != NULL ? find_columns (&s, err)
                                                : ss_error_set (err, SS_ERR_MEMORY, "no memory to replay steps");
  if (status == SS_OK)
    status = integrator->new_ (scene, options, &stepper, err);
  if (status != SS_OK)
    goto done;
  s.start = (SsSimState){.q = s.block, .v = s.block + n};
  s.end = (SsSimState){.q = s.block + 2 * n, .v = s.block + 3 * n};
  s.found = (SsSimState){.q = s.block + 4 * n, .v = s.block + 5 * n, .contact = s.block + 6 * n};
  /* The controls have one row a time, as the loop has. */
  for (int from = ss_trajectory_last_at (plan, 0); status == SS_OK && from + 1 < plan->n_rows;) {
    const int to = ss_trajectory_last_at (plan, from + 1);
    s.controls = controls->u + (size_t)result.n_steps * (size_t)controls->n_actuators;
    status = compare_step (&s, from, to, integrator, stepper, &result, err);
    result.n_steps++;
    from = to;
  }
  if (status == SS_OK)
    *out = result;

done:
  if (stepper != NULL)
    integrator->free_ (stepper);
  ss_controls_free (controls);
  ss_free (s.columns);
  ss_free (s.block);
  return status;
}
