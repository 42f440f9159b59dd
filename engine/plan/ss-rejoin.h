/* engine/plan/ss-rejoin.h: a feedback that plans again: LQR along the plan (plan/ss-plan-lqr.h), and where that would
 * not be back on the plan within a look-ahead, along a new motion that is.
 *
 * Look      every `every` steps of the plan, and whenever a contact closes or opens: the motion under the law in force
 *           is simulated to the plan's end, by moreau-jean in parts of the plan's steps. Where it ends there, within
 *           about 2 mm and such, nothing is planned.
 * Plan      else by the warm CRISP of plan/ss-replan.h, from the controls of that motion: the least squares of what all
 *           bodies, the driven ones too, miss the plan by at the end of the look-ahead, in places, angles and speeds;
 *           bodies with a target count ten times. Path constraints and bounds of the task hold, its costs do not count.
 * Law       LQR along what the new controls lead to, with the plan's weights, until the end of the look-ahead; behind
 *           it LQR along the plan is in force again. It is simulated to the plan's end too, and acts where it ends
 *           nearer: of the plan's own steps, in which impacts are a step early or late and joints lose energy, nobody
 *           is sure.
 * Horizon   the look-ahead, half and a fourth of it: the longest that ends before the plan does. So the plan's end is
 *           among what is joined, and nothing comes after it.
 * World     the scene that the plan was made for.
 *
 * The same job gives the same bits: no deadline is kept.
 * Threads   one at a time per object. Tests: tests/unit/test-predict.c, tests/cli/test-worlds.sh
 */
#pragma once

#include "core/ss-run-control.h"
#include "core/ss-trajectory.h"
#include "plan/ss-plan-lqr.h"
#include "scene/ss-scenario.h"

typedef struct SsRejoin SsRejoin;

typedef struct {
  int n_looks, n_plans, n_taken; /* looks ahead; of these, those that planned; of these, those whose motion acts */
  int n_events;                  /* looks between two that were due */
  double cpu_seconds;            /* of all looks */
} SsRejoinAccount;

/* believed, a scene with a task, and lqr, of the same plan, are borrowed as long as the object lives. look_ahead: steps
 * of the task; 0: a fourth of all, at least `every` and 8. `control` may be NULL. SS_ERR_INVALID: the task cannot be
 * planned again, with the reason; SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_rejoin_new (const SsScenario *believed, const SsTrajectory *plan, SsPlanLqr *lqr, int every,
                                     int look_ahead, SsRunControl *control, SsRejoin **out, SsError *err);
void ss_rejoin_free (SsRejoin *rejoin); /* NULL is allowed */
/* Controls at time t in the state q, v (3 n_bodies each): n_actuators, borrowed until the next call. Times ascend. */
const double *ss_rejoin_controls (SsRejoin *rejoin, double t, const double *q, const double *v);
void ss_rejoin_account (const SsRejoin *rejoin, SsRejoinAccount *account);
