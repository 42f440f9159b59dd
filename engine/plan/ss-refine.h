/* engine/plan/ss-refine.h: plans of drawn scenes that survive refinement. Private to the room `plan`.
 *
 * A plan by time stepping is true to the law of its own steps, and its error is of their length: a body that flies is
 * g h T / 2 lower than in shorter steps, one that slides stops later. A plan holds where its replay at a tenth of its
 * step ends within SS_REFINE_NEAR of the task's goals (plan/ss-plan-goals.h); where a body ends that no goal speaks of
 * does not matter. Where it does not, the steps are halved and the plan of these is solved warm:
 * from a simulation in the halved steps that goes the plan's way (plan/ss-track-plan.h). Where that can be brought to
 * end at the targets it is a plan already, and nothing is solved; else it is the start, a feasible point but for the
 * targets, or, where it ends far from the plan or leads nowhere, the plan itself is. Each plan is judged as any other.
 *
 * Tests: tests/numeric/test-refine.c
 */
#pragma once

#include "plan/ss-plan-goals.h"
#include "solve/ss-solve.h"

/* A plan holds where its replay ends this near to its goals, the farthest body [m], in steps of this part of its own;
 * an angle counts as the distance that is as much of what reaches a goal. */
#define SS_REFINE_NEAR  5e-3
#define SS_REFINE_LEVER (SS_PLAN_GOAL_NEAR / SS_PLAN_GOAL_ANGLE) /* [m/rad] */
#define SS_REFINE_PARTS 10

/* A replay of a plan in parts of its steps. */
typedef struct {
  double distance; /* of its end from the goals, the farthest body [m]; infinite: it did not get there */
  int body;        /* that is farthest on the way; -1: none */
  /* Where plan and replay first are in different contact, for longer than a step: "box-floor sticks in the plan and
   * slides in its replay from t = 0.42 s on"; "": nowhere. */
  char parted[160];
} SsTenth;

/* Replays the plan in a tenth of its steps, by the integrator whose law it has; silently, within the limits of
 * `control` (NULL: none), whose end leaves the distance infinite. SS_ERR_MEMORY; SS_ERR_INVALID where it is no plan of
 * the scene. */
SS_NODISCARD SsStatus ss_refine_tenth (const SsScenario *scenario, const SsTrajectory *plan, SsRunControl *control,
                                       SsTenth *tenth, SsError *err);
/* The same replay held on the plan by LQR (plan/ss-feedback.h), and how far from its goals it ends [m]; infinite: it
 * did not get there; NaN: no gains were found, or `control` (may be NULL) ended it before. */
SS_NODISCARD SsStatus ss_refine_held (const SsScenario *scenario, const SsTrajectory *plan, SsRunControl *control,
                                      double *distance, SsError *err);

typedef struct {
  int halvings;        /* that were solved */
  bool holds;          /* the last of them does, or the plan itself */
  SsTenth first, last; /* of the plan, and of the last one solved */
  char why[320];       /* what does not converge; "": it holds */
} SsRefined;

/* The motion that goes a plan's way in equal steps of that number, simulated until it ends at the targets
 * (ss_shoot_plan), as the run's result: judged with all contacts as any plan, so the outcome is SOLVED where it obeys
 * all rows and could happen. FAILED without a motion where it ends elsewhere; *miss: see there. */
SS_NODISCARD SsStatus ss_refine_shoot (const SsSolveJob *job, const SsTrajectory *plan, int steps,
                                       SsRunControl *control, double *miss, SsRunResult *result, SsError *err);
/* A motion by the law of plans, in its own equal steps, as the run's result, judged with all contacts. */
SS_NODISCARD SsStatus ss_refine_judge (const SsSolveJob *job, const SsTrajectory *motion, SsRunControl *control,
                                       SsRunResult *result, SsError *err);
/* Whether plans of the job can be refined: a scene, time stepping, a fixed horizon. */
bool ss_refine_can (const SsSolveJob *job);
/* Refines job->start, a plan of the job's scene, by at most that many halvings; job->nlp and options are those of
 * warm solves. `result` is that of the finest plan that was solved, FAILED without a motion where none was (also where
 * the plan holds as it is). */
SS_NODISCARD SsStatus ss_refine (const SsSolveJob *job, int halvings, SsRunControl *control, SsRefined *refined,
                                 SsRunResult *result, SsError *err);
/* A cheaper motion near a plan of the job in its own steps (plan/ss-shoot-cheaper.h) whose replay ends no farther from
 * its goals than SS_REFINE_NEAR, or than *tenth where that is more; judged as any plan. FAILED without a motion where
 * there is none. *tenth becomes that of the result; where it is infinite no replay is asked. */
SS_NODISCARD SsStatus ss_refine_cheaper (const SsSolveJob *job, const SsTrajectory *plan, SsRunControl *control,
                                         SsTenth *tenth, SsRunResult *result, SsError *err);
/* Likewise the best plan that job->nlp finds from there, in the plan's own steps or, where the replay of that ends
 * farther from its goals, in half of them; *halvings: 0 or 1. */
SS_NODISCARD SsStatus ss_refine_improve (const SsSolveJob *job, const SsTrajectory *plan, SsRunControl *control,
                                         SsTenth *tenth, int *halvings, SsRunResult *result, SsError *err);
