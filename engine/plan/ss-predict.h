/* engine/plan/ss-predict.h: a feedback that looks ahead: LQR (plan/ss-plan-lqr.h), whose plan is moved so that motions
 * simulated with what is known of the world end at the targets.
 *
 * Law        u(t) = u_plan(s) + w(t) - K(s) (x(t) - x_plan(s)), within the actuators' bounds, s = t + d(t): the plan's
 *            clock is held or hurried by d, so that a contact that comes late meets the plan's state of that contact.
 *            w and d are linear between SS_PREDICT_PARTS + 1 knots over the plan.
 * Again      every `every` steps of the plan, and at most 60 times, from the state at hand to the plan's end: a damped
 *            Gauss-Newton step on the knots (Levenberg, Marquardt), the first time up to four. Motions are simulated
 *            under the same law by moreau-jean, in 100 to 800 steps over the plan; contacts, impacts and bounds are in
 *            them (by the law of plans, stewart-trinkle with gap=end, what is caught ends elsewhere). They are
 *            differentiated by central differences that are wide enough to cross an impact or a slip. A step is taken
 *            only where its motion is better. Where the targets are missed by more than about a centimetre still,
 *            changes that are drawn at random are tried.
 * Cost       the sum over the targets of the task of (miss / 5 mm)^2, of angles (miss / .02 rad)^2, of speeds (miss /
 *            50 mm/s)^2, and a little of the change itself.
 * World      friction and masses are estimated (plan/ss-estimate.h) and motions have them.
 * Without    a task that has targets it is LQR with the plan as it is.
 *
 * The same job gives the same bits: what is tried is counted, not timed.
 * Threads    one at a time per object. Tests: tests/unit/test-predict.c
 */
#pragma once

#include "core/ss-run-control.h"
#include "core/ss-trajectory.h"
#include "plan/ss-estimate.h"
#include "plan/ss-plan-lqr.h"

enum { SS_PREDICT_PARTS = 8 };

typedef struct {
  int n_plans, n_kept; /* looks ahead; of these, those that changed nothing */
  int n_motions;       /* simulated */
  double cpu_seconds;  /* of all looks */
} SsPredictAccount;

typedef struct SsPredict SsPredict;

/* believed, a scene, and lqr, of the same plan, are borrowed as long as the object lives. `control` (may be NULL) may
 * stop it: controls are then those of the last look. SS_ERR_MEMORY, and what ss_estimate_new refuses. */
SS_NODISCARD SsStatus ss_predict_new (const SsScenario *believed, const SsTrajectory *plan, SsPlanLqr *lqr, int every,
                                      SsRunControl *control, SsPredict **out, SsError *err);
void ss_predict_free (SsPredict *predict); /* NULL is allowed */
/* Controls at time t in the state q, v (3 n_bodies each): n_actuators, borrowed until the next call. Times ascend. */
const double *ss_predict_controls (SsPredict *predict, double t, const double *q, const double *v);
void ss_predict_account (const SsPredict *predict, SsPredictAccount *account);
