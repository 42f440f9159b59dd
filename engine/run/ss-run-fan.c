/* engine/run/ss-run-fan.c: the fan of a run: its branches as motions, and what became of the bodies; see
 * ss-run-simulate.h. */
#include "run/ss-run-simulate.h"

#include "core/ss-memory.h"
#include "judge/ss-motion-law.h"
#include "simulate/ss-fan.h"

#include <math.h>
#include <string.h>

/* Columns of a simulation: after t six a body (simulate/ss-simulate.h). */
enum { N_BODY_CHANNELS = 6 };

/* A disc about its centre has no side on which it lies. */
static bool
is_round (const SsBody *body)
{
  for (int i = 0; i < body->n_shapes; i++)
    if (body->shapes[i].kind != SS_SHAPE_CIRCLE || hypot (body->shapes[i].centre.x, body->shapes[i].centre.y) > 0)
      return false;
  return true;
}

static const double *
pose_of (const SsRunResult *result, int branch, int body, bool at_end)
{
  const SsTrajectory *motion = result->motions[branch].trajectory;
  return ss_trajectory_row (motion, at_end ? motion->n_rows - 1 : 0) + 1 + N_BODY_CHANNELS * body;
}

/* Mean and spread of a coordinate over the branches that reached the end. */
static void
measure_pose (const SsRunResult *result, const SsRunFan *fan, SsFanBody *about, int k)
{
  double sum = 0, all = 0, squares = 0;
  for (int i = 0; i < fan->n_branches; i++)
    if (fan->branches[i].outcome == SS_OUTCOME_COMPLETED) {
      all += fan->branches[i].share;
      sum += fan->branches[i].share * pose_of (result, i, about->body, true)[k];
    }
  about->mean[k] = about->spread[k] = NAN;
  if (!(all > 0))
    return;
  about->mean[k] = sum / all;
  for (int i = 0; i < fan->n_branches; i++)
    if (fan->branches[i].outcome == SS_OUTCOME_COMPLETED) {
      const double off = pose_of (result, i, about->body, true)[k] - about->mean[k];
      squares += fan->branches[i].share * off * off;
    }
  about->spread[k] = sqrt (squares / all);
}

static void
measure_body (const SsScene *scene, const SsRunResult *result, const SsRunFan *fan, int body, SsFanBody *about)
{
  const SsBody *of = &scene->bodies[body];
  const double radius = ss_body_radius (of);
  *about = (SsFanBody){.body = body};
  for (int i = 0; i < fan->n_branches; i++) {
    if (fan->branches[i].outcome != SS_OUTCOME_COMPLETED)
      continue;
    const double share = fan->branches[i].share;
    const double *start = pose_of (result, i, body, false), *end = pose_of (result, i, body, true);
    const double turned = remainder (end[2] - start[2], 2 * acos (-1));
    const double speed = hypot (end[3], end[4]) + (isfinite (radius) ? radius : 0) * fabs (end[5]);
    about->rest += speed <= SS_FAN_REST ? share : 0;
    about->tipped += !is_round (of) && fabs (turned) > SS_FAN_TIPPED ? share : 0;
    about->lowered += end[1] < start[1] - SS_FAN_LOWERED * 2 * radius ? share : 0;
  }
  for (int k = 0; k < 3; k++)
    measure_pose (result, fan, about, k);
}

static SsStatus
take_branches (SsSimResult *simulated, SsRunResult *result, SsRunFan *fan, SsError *err)
{
  SsStatus status = SS_OK;
  for (int i = 0; status == SS_OK && i < simulated->n_branches; i++) {
    SsFanBranch *from = &simulated->branches[i];
    SsFanMember *to = &fan->branches[i];
    *to = (SsFanMember){.parent = from->parent,
                        .t_fork = from->t_fork,
                        .share = from->share,
                        .outcome = from->outcome,
                        .events = from->events};
    memcpy (to->message, from->message, sizeof to->message);
    from->events = NULL;
    fan->n_branches = i + 1;
    if (i > 0)
      status = ss_run_add_motion (result, &from->trajectory, SS_MOTION_BRANCH, i, fmin (from->share, 1), err);
  }
  return status;
}

SsStatus
ss_run_take_fan (const SsScene *scene, SsSimResult *simulated, SsRunResult *result, SsError *err)
{
  SS_ASSERT (scene != NULL && simulated != NULL && result != NULL);

  if (simulated->n_branches == 0)
    return SS_OK;
  SS_ASSERT (result->n_motions == 1 && result->motions[0].role == SS_MOTION_ANSWER);
  SsRunFan *fan = ss_new (SsRunFan);
  if (fan != NULL) {
    fan->branches = ss_new_array (SsFanMember, simulated->n_branches);
    fan->bodies = ss_new_array (SsFanBody, scene->n_bodies);
  }
  if (fan == NULL || fan->branches == NULL || fan->bodies == NULL) {
    ss_run_fan_free (fan);
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for %d branches", simulated->n_branches);
  }
  result->fan = fan;
  result->motions[0].share = fmin (simulated->branches[0].share, 1);
  SsStatus status = take_branches (simulated, result, fan, err);
  for (int i = 0; status == SS_OK && i < scene->n_bodies; i++)
    if (!ss_body_is_immovable (&scene->bodies[i]))
      measure_body (scene, result, fan, i, &fan->bodies[fan->n_bodies++]);
  return status;
}

SsStatus
ss_run_judge_fan (const SsScene *scene, const SsMotionLaw *law, SsRunControl *control, SsRunResult *result,
                  SsError *err)
{
  SS_ASSERT (scene != NULL && law != NULL && result != NULL);

  SsStatus status = SS_OK;
  for (int i = 0; i < result->n_motions && status == SS_OK; i++) {
    SsLawVerdict verdict;
    if (result->motions[i].role != SS_MOTION_BRANCH)
      continue;
    status = ss_motion_judge_law (scene, result->motions[i].trajectory, NULL, law, control, &verdict, err);
    if (status == SS_OK && verdict.law.value > result->law.law.value)
      result->law = verdict;
  }
  if (status == SS_OK)
    ss_motion_law_metrics (&result->law, &result->metrics);
  return status;
}
