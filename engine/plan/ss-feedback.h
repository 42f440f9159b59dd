/* engine/plan/ss-feedback.h: the plan as a controller: what the actuators do while a motion is held on its plan.
 *
 * LQR       plan/ss-plan-lqr.h: gains made once, from the plan's own scene.
 * Contact   plan/ss-plan-contact.h: LQR of all bodies, gains on contact forces, windows for impacts.
 * Predict   plan/ss-predict.h: LQR whose plan is moved every `every` steps so that simulated motions reach the targets.
 * Re-plan   plan/ss-rejoin.h: LQR along the plan, and where that would miss the plan's end, along new motions by CRISP
 *           that lead back to the plan. No deadline is kept, so that the same job gives the same bits.
 *
 * All know the scene that the plan was made for (`believed`); the world may have other numbers.
 * Threads   one at a time per object. Tests: tests/unit/test-track-lqr.c, tests/unit/test-plan-contact.c,
 *           tests/unit/test-predict.c
 */
#pragma once

#include "plan/ss-plan-lqr.h"
#include "solve/ss-run-result.h"

typedef struct SsController SsController;

typedef struct {
  SsControllerKind kind;
  SsPlanLqrWeights weights; /* LQR, CONTACT, PREDICT */
  int every;                /* REPLAN, PREDICT: steps of the plan from one to the next, >= 1 */
  int look_ahead;           /* REPLAN: steps of a plan; 0: a fourth of the task's, at least `every` and 8 */
} SsFeedbackOptions;

#define SS_FEEDBACK_OPTIONS ((SsFeedbackOptions){.weights = SS_PLAN_LQR_WEIGHTS, .every = 1})

typedef struct SsFeedback SsFeedback;

/* believed (a scene; REPLAN: with a task) is borrowed as long as the object lives, plan is read now. `control` (may be
 * NULL) may stop it here and later: *out is NULL and SS_OK is returned. SS_ERR_INVALID with the reason;
 * SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_feedback_new (const SsScenario *believed, const SsTrajectory *plan,
                                       const SsFeedbackOptions *options, SsRunControl *control, SsFeedback **out,
                                       SsError *err);
void ss_feedback_free (SsFeedback *feedback); /* NULL is allowed */
/* What a simulation asks (SsSimJob.controller); borrowed. */
const SsController *ss_feedback_controller (SsFeedback *feedback);
/* Controls at a time in a state, as the simulation asks for; borrowed until the next call. `contacts`: values of the
 * step that ended (SsSimState.contact), NULL: not known; CONTACT reads them. */
const double *ss_feedback_controls (SsFeedback *feedback, double t, const double *q, const double *v,
                                    const double *contacts);
/* What it did so far. */
void ss_feedback_account (const SsFeedback *feedback, SsFeedbackAccount *account);
