/* engine/plan/ss-plan-worlds.h: how well a plan holds in worlds that it was not made for: replays of its controls by
 * moreau-jean at a tenth of the plan's step, in worlds drawn as plan/ss-world-draw.h says, with the start moved; as the
 * controls are, and held by a feedback (plan/ss-feedback.h) that believes in the plan's own world, in the same worlds.
 *
 * Held      the bodies of the task's goals (plan/ss-plan-goals.h) end within SS_PLAN_GOAL_NEAR of them, and within
 *           SS_PLAN_GOAL_ANGLE where an angle is one. A replay that does not come to its end is not held.
 * Interval  of the share that holds, 95 %: Wilson's (E. B. Wilson, J. Am. Stat. Assoc. 22 (1927)); draws are
 *           independent.
 * Threads   any, each with its own. Tests: tests/numeric/test-plan-worlds.c
 */
#pragma once

#include "core/ss-run-control.h"
#include "plan/ss-plan-goals.h"
#include "plan/ss-feedback.h"
#include "plan/ss-world-draw.h"
#include "simulate/ss-simulate.h"
#include "solve/ss-run-result.h"

/* Worlds that are tried after every plan, and the counted work that this may take (core/ss-work.h) [s]. */
enum { SS_WORLDS_USUAL = 24 };
#define SS_WORLDS_WORK 0.5
/* Of the draw, where nobody chose one; away from those that plans are made with. */
#define SS_WORLDS_SEED 2021

typedef struct {
  int n; /* worlds, at most */
  uint64_t seed;
  double work;                       /* counted work [s]; INFINITY: no limit */
  bool has_open;                     /* whether the controls are replayed as they are */
  const SsFeedbackOptions *feedback; /* what holds the other replays; NULL or SS_CONTROLLER_NONE: there are none */
} SsWorldsOptions;

/* Of the replays of one kind. */
typedef struct {
  int n, n_held;
  int n_failed;     /* that did not come to their end */
  double low, high; /* interval of the share that holds; NaN without replays */
  double worst;     /* farthest end from its goal of those that came to theirs [m]; NaN: none did */
} SsWorldsShare;

typedef struct {
  SsWorldsShare open, held;
  SsControllerKind held_by;
  /* Owned: a row a world: its number from 1, its numbers by name, then of each kind <kind>.held (0, 1), .miss [m] and
   * .angle [rad] (largest over the bodies) and .<body>.x, .y, .theta at the end; kinds "open" and the
   * controller's name. NaN: the replay failed. No motion, though it is kept as one. */
  SsTrajectory *table;
  double cpu; /* [s] */
} SsPlanWorlds;

/* scenario: a scene with actuators and a task.plan; plan: a motion with controls. What ends early has measured fewer
 * worlds. SS_ERR_INVALID where the plan cannot be replayed; SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_plan_worlds (const SsScenario *scenario, const SsTrajectory *plan,
                                      const SsWorldsOptions *options, SsRunControl *control, SsPlanWorlds *out,
                                      SsError *err);
void ss_plan_worlds_clear (SsPlanWorlds *worlds);
/* The same as metrics and a part of the message of a run, the table as its motion of role WORLDS, which is taken.
 * SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_plan_worlds_tell (SsPlanWorlds *worlds, SsRunResult *result, SsError *err);
/* Whether plans of the scenario can be measured: a scene whose actuators act and whose task has a plan. */
bool ss_plan_worlds_can (const SsScenario *scenario);

/* ---- one replay -------------------------------------------------------------------------------------------------- */

/* The controls of a plan for the scenario `own` in a world, at a tenth of the plan's step, from the world's start moved
 * by moves[2 n_bodies] [m] (NULL: not moved); feedback: NULL: none; else its step and what it takes behind the plan's
 * end. SS_ERR_INVALID, SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_plan_worlds_replay (const SsScenario *own, const SsWorld *world, const SsTrajectory *plan,
                                             const double *moves, SsFeedback *feedback, SsRunControl *control,
                                             SsSimResult *simulated, SsError *err);

/* 95 % of a share of n_held in n. */
void ss_plan_worlds_interval (int n_held, int n, double *low, double *high);
