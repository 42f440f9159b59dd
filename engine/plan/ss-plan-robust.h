/* engine/plan/ss-plan-robust.h: one control that reaches the goal in all worlds of task.worlds.
 *
 * From a plan for the scenario's own world (the nominal one) on: its controls are replayed by moreau-jean at a tenth of
 * the step in drawn worlds and at the corners of the ranges (of up to SS_ROBUST_CORNERS numbers). The world in which
 * they miss by most becomes another copy of the scene in one problem (transcribe/ss-transcribe-copies.h), whose
 * controls and lengths of steps are those of the nominal copy. That one has the task as it is, with its cost; the
 * others have its bounds and constraints, no cost, and in the place of exact targets ranges about them: SS_ROBUST_NEAR
 * and SS_ROBUST_ANGLE at the end, and speeds at which they would leave these within a tenth of the horizon. CRISP
 * solves it warm; all copies start from the plan's own motion, which misses their laws by little, while their replays
 * would miss their goals by much. The motion of the nominal copy is judged as any plan; it is the answer where it holds
 * in more of the drawn worlds. The next problem goes on from there, with the world that fails most then, up to
 * SS_ROBUST_COPIES copies beside the nominal one.
 *
 * With "feedback": "lqr" the control may be corrected in each world by the LQR along the plan (plan/ss-plan-lqr.h):
 * replays are held by it, and in the problem controls of a copy differ from the nominal ones by -K_k (x - x_nominal),
 * within the actuators' bounds, with gains K_k along the plan that the problem starts from. They are made again along
 * its answer, so that they follow from the plan alone: replays and exports have the same ones.
 *
 * The worlds of planning are those of the task's seed; what a plan is worth is measured in others (ss-plan-worlds.h).
 * Threads  one at a time. Tests: tests/numeric/test-plan-robust.c
 */
#pragma once

#include "solve/ss-solve.h"

enum { SS_ROBUST_COPIES = 4, SS_ROBUST_CORNERS = 3 };
#define SS_ROBUST_NEAR  5e-3                /* [m]   */
#define SS_ROBUST_ANGLE 0.02181661564992913 /* 1.25 degrees [rad] */
/* Counted work of all (core/ss-work.h) [s]. */
#define SS_ROBUST_WORK 30.0

typedef struct {
  bool is_found;         /* `result` is a plan that holds in more of the drawn worlds than the nominal one does */
  SsRunResult result;    /* owned; judged */
  int n_copies;          /* worlds in the problem, the nominal one among them */
  int n_rounds;          /* problems that were solved */
  int n_worlds;          /* drawn and corners */
  int n_before, n_after; /* of them, those in which the nominal plan, and the answer, hold */
  double cpu;
  char why[240]; /* nothing better was found: why */
} SsRobust;

/* Whether the job's plans are to be made for more than one world: a scene by time stepping, with ranges. */
bool ss_plan_robust_wants (const SsSolveJob *job);
/* nominal: the motion of a plan of the job. What ends early has the best so far. SS_ERR_MEMORY, SS_ERR_INVALID.
 * Release with ss_plan_robust_clear. */
SS_NODISCARD SsStatus ss_plan_robust (const SsSolveJob *job, const SsTrajectory *nominal, SsRunControl *control,
                                      SsRobust *out, SsError *err);
void ss_plan_robust_clear (SsRobust *robust);
