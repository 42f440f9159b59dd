/* engine/plan/ss-plan-goals.h: where the bodies of a task are to end, and how far from there a motion ends.
 *
 * Goals are the targets' places and angles, of those with a finite weight where the plan ends. A task without targets
 * wants every body that can move at the place where the plan has it.
 * Threads  any. Tests: tests/numeric/test-refine.c, tests/numeric/test-plan-worlds.c
 */
#pragma once

#include "core/ss-trajectory.h"
#include "scene/ss-scenario.h"

/* A motion that ends this near to its goals reaches them. */
#define SS_PLAN_GOAL_NEAR  20e-3             /* [m] */
#define SS_PLAN_GOAL_ANGLE 0.087266462599716 /* 5 degrees [rad] */

typedef struct {
  int body;
  double value[3]; /* x, y [m], theta [rad]; NaN: does not matter */
} SsPlanGoal;

/* scenario: a scene with a task.plan. goals[n_targets + n_bodies]; returns how many. */
int ss_plan_goals (const SsScenario *scenario, const SsTrajectory *plan, SsPlanGoal *goals);
/* How far the last row of a motion is from the goals: largest distance [m], largest angle [rad]; both infinite where
 * the motion lacks a body. */
void ss_plan_goals_miss (const SsScene *scene, const SsPlanGoal *goals, int n_goals, const SsTrajectory *motion,
                         double *miss, double *angle);
/* Where a motion has a body at its end: coordinate 0 to 5: x, y, theta, vx, vy, omega; NaN: it has not. */
double ss_plan_end_of (const SsScene *scene, const SsTrajectory *motion, int body, int coordinate);
