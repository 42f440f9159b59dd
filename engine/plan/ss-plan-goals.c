/* engine/plan/ss-plan-goals.c: see the header. */
#include "plan/ss-plan-goals.h"

#include "simulate/ss-simulate.h"

#include <math.h>
#include <stdio.h>

double
ss_plan_end_of (const SsScene *scene, const SsTrajectory *motion, int body, int coordinate)
{
  SS_ASSERT (scene != NULL && body >= 0 && body < scene->n_bodies);

  char name[SS_CHANNEL_NAME_MAX];

  snprintf (name, sizeof name, "%s.%s", scene->bodies[body].name, ss_body_channels[coordinate]);
  const int channel = ss_trajectory_channel (motion, name);
  return channel >= 0 && motion->n_rows > 0 ? ss_trajectory_row (motion, motion->n_rows - 1)[channel] : NAN;
}

int
ss_plan_goals (const SsScenario *scenario, const SsTrajectory *plan, SsPlanGoal *goals)
{
  SS_ASSERT (scenario != NULL && scenario->n_parameters >= 0);

  const SsPlan *task = scenario->task.plan;
  const SsScene *scene = scenario->scene;
  int n = 0;

  for (int i = 0; i < task->n_targets; i++) {
    const SsPlanTarget *target = &task->targets[i];
    SsPlanGoal goal = {target->body, {NAN, NAN, NAN}};

    for (int c = 0; c < 3; c++)
      if (!isnan (target->value[c]) && target->weight[c] > 0)
        goal.value[c] = isinf (target->weight[c]) ? target->value[c] : ss_plan_end_of (scene, plan, target->body, c);
    if (!isnan (goal.value[0]) || !isnan (goal.value[1]) || !isnan (goal.value[2]))
      goals[n++] = goal;
  }
  if (n > 0)
    return n;
  for (int b = 0; b < scene->n_bodies; b++)
    if (!ss_body_is_immovable (&scene->bodies[b]))
      goals[n++] = (SsPlanGoal){b, {ss_plan_end_of (scene, plan, b, 0), ss_plan_end_of (scene, plan, b, 1), NAN}};
  return n;
}

/* The same of one body: x, y [m], theta [rad]; 0 where it does not matter. */
static void
ss_plan_goals_off (const SsScene *scene, const SsPlanGoal *goal, const SsTrajectory *motion, double off[3])
{
  for (int c = 0; c < 3; c++)
    off[c] = isnan (goal->value[c]) ? 0 : ss_plan_end_of (scene, motion, goal->body, c) - goal->value[c];
}

void
ss_plan_goals_miss (const SsScene *scene, const SsPlanGoal *goals, int n_goals, const SsTrajectory *motion,
                    double *miss, double *angle)
{
  SS_ASSERT (n_goals >= 0 && miss != NULL);
  *miss = *angle = 0;
  for (int i = 0; i < n_goals; i++) {
    double off[3];

    ss_plan_goals_off (scene, &goals[i], motion, off);
    *miss = fmax (*miss, hypot (off[0], off[1]));
    *angle = fmax (*angle, fabs (off[2]));
    if (!isfinite (off[0] + off[1] + off[2]))
      *miss = *angle = INFINITY;
  }
}
