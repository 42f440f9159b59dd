/* engine/plan/ss-plan-rest.c: see the header. */
#include "plan/ss-plan-rest.h"

#include <stdio.h>
#include <string.h>

/* ---- what has a rest --------------------------------------------------------------------------------------------- */

static SsStatus
refuse_time (const SsScenario *scenario, const char *purpose, SsExpr formula, const char *what, const char *name,
             SsError *err)
{
  const SsScene *scene = scenario->scene;
  const int n = scene->slot_controls + scene->n_actuators;

  if (formula == SS_EXPR_NONE)
    return SS_OK;
  int *slots = ss_new_array (int, n + 1);
  bool is_found = false;
  if (slots == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  const int n_read = ss_graph_inputs (scene->graph, formula, slots, n);
  for (int i = 0; i < n_read && i < n; i++)
    is_found = is_found || slots[i] == scene->slot_t;
  ss_free (slots);
  if (!is_found)
    return SS_OK;
  return ss_error_set (err, SS_ERR_INVALID,
                       "'%s' cannot be %s: %s%s depends on the time, and the clock of each plan starts at 0",
                       scenario->name, purpose, what, name);
}

SsStatus
ss_plan_rest_check (const SsScenario *scenario, const char *purpose, SsError *err)
{
  const SsScene *scene = scenario->scene;
  const SsPlan *plan = scenario->task.plan;
  SsStatus status = SS_OK;

  SS_ASSERT (scene != NULL && plan != NULL);
  if (scene->n_breaks > 0)
    return ss_error_set (err, SS_ERR_INVALID,
                         "'%s' cannot be %s: task.breaks are times, and the clock of each plan starts at 0",
                         scenario->name, purpose);
  for (int i = 0; i < scene->n_forces && status == SS_OK; i++) {
    const SsExpr parts[] = {scene->forces[i].fx, scene->forces[i].fy, scene->forces[i].torque};

    for (int k = 0; k < 3 && status == SS_OK; k++)
      status = refuse_time (scenario, purpose, parts[k], "the force ", scene->forces[i].name, err);
  }
  for (int i = 0; i < plan->n_constraints && status == SS_OK; i++)
    status =
        refuse_time (scenario, purpose, plan->constraints[i].row, "the constraint ", plan->constraints[i].name, err);
  for (int i = 0; i < plan->n_costs && status == SS_OK; i++)
    status = refuse_time (scenario, purpose, plan->costs[i].cost, "a cost", "", err);
  return status;
}

/* ---- making ------------------------------------------------------------------------------------------------------ */

SsStatus
ss_plan_rest_open (const SsScenario *scenario, double horizon, int steps, SsPlanRest *out, SsError *err)
{
  SS_ASSERT (scenario->scene != NULL && scenario->task.plan != NULL && horizon > 0 && steps > 0);
  const size_t n = (size_t)scenario->scene->n_bodies;

  *out = (SsPlanRest){.scenario = *scenario,
                      .scene = *scenario->scene,
                      .bodies = ss_new_array (SsBody, n + 1),
                      .plan = *scenario->task.plan};
  if (out->bodies == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  memcpy (out->bodies, scenario->scene->bodies, n * sizeof *out->bodies);
  out->scene.bodies = out->bodies;
  out->plan.horizon = out->plan.time_lower = out->plan.time_upper = horizon;
  out->plan.steps = steps;
  out->plan.is_time_free = out->plan.are_steps_free = false;
  out->scenario.scene = &out->scene;
  out->scenario.task.plan = &out->plan;
  return SS_OK;
}

void
ss_plan_rest_close (SsPlanRest *rest)
{
  SS_ASSERT (rest != NULL);
  ss_free (rest->bodies);
  *rest = (SsPlanRest){0};
}

/* ---- the state --------------------------------------------------------------------------------------------------- */

void
ss_plan_rest_place (SsPlanRest *rest, const double *q, const double *v)
{
  SS_ASSERT (rest != NULL);
  for (int i = 0; i < 3 * rest->scene.n_bodies; i++) {
    SsBody *body = &rest->bodies[i / 3];

    if (body->is_fixed)
      continue;
    body->q[i % 3] = q[i];
    body->v[i % 3] = v[i];
  }
}

SsStatus
ss_plan_rest_follow (SsPlanRest *rest, const SsTrajectory *motion, int row, SsError *err)
{
  SS_ASSERT (rest != NULL);

  const double *values = ss_trajectory_row (motion, row);

  for (int b = 0; b < rest->scene.n_bodies; b++) {
    SsBody *body = &rest->bodies[b];

    for (int i = 0; i < 6 && !body->is_fixed; i++) {
      char name[SS_CHANNEL_NAME_MAX];

      snprintf (name, sizeof name, "%s.%s", body->name, ss_body_channels[i]);
      const int channel = ss_trajectory_channel (motion, name);
      if (channel < 0)
        return ss_error_set (err, SS_ERR_INVALID, "the motion lacks %s", name);
      *(i < 3 ? &body->q[i] : &body->v[i - 3]) = values[channel];
    }
  }
  return SS_OK;
}
