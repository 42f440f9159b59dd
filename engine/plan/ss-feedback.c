/* engine/plan/ss-feedback.c: see the header. */
#include "plan/ss-feedback.h"

#include "core/ss-memory.h"
#include "plan/ss-plan-contact.h"
#include "plan/ss-predict.h"
#include "plan/ss-rejoin.h"
#include "simulate/ss-simulate.h"

#include <math.h>

struct SsFeedback {
  SsFeedbackOptions options;
  const SsScenario *believed;
  SsRunControl *control;
  SsController controller;
  SsPlanLqr *lqr;
  SsPlanContact *contact;
  SsPredict *predict;
  SsRejoin *rejoin;
  SsFeedbackAccount account;
};

/* ---- all --------------------------------------------------------------------------------------------------------- */

static const double *
on_state (void *owner, const SsSimState *state)
{
  return ss_feedback_controls (owner, state->t, state->q, state->v, state->contact);
}

const double *
ss_feedback_controls (SsFeedback *f, double t, const double *q, const double *v, const double *contacts)
{
  SS_ASSERT (f != NULL);
  f->account.n_calls++;
  const double *u = f->predict != NULL   ? ss_predict_controls (f->predict, t, q, v)
                    : f->rejoin != NULL  ? ss_rejoin_controls (f->rejoin, t, q, v)
                    : f->contact != NULL ? ss_plan_contact_controls (f->contact, t, q, v, contacts)
                                         : ss_plan_lqr_controls (f->lqr, t, q, v);
  bool is_clipped = false;
  for (int a = 0; a < f->believed->scene->n_actuators; a++)
    is_clipped =
        is_clipped || u[a] <= f->believed->scene->actuators[a].lower || u[a] >= f->believed->scene->actuators[a].upper;
  f->account.n_clipped += is_clipped;
  return u;
}

SsStatus
ss_feedback_new (const SsScenario *believed, const SsTrajectory *plan, const SsFeedbackOptions *options,
                 SsRunControl *control, SsFeedback **out, SsError *err)
{
  SS_ASSERT (believed != NULL && plan != NULL && options != NULL && out != NULL);
  SS_ASSERT (options->kind != SS_CONTROLLER_NONE);
  SsFeedback *f = ss_new (SsFeedback);
  SsStatus status = SS_OK;

  *out = NULL;
  if (f == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a feedback");
  f->options = *options;
  f->believed = believed;
  f->control = control;
  f->controller = (SsController){f, on_state};
  if (believed->scene == NULL)
    status =
        ss_error_set (err, SS_ERR_INVALID,
                      "'%s' is a model in equations: a feedback needs a scene that can be simulated", believed->name);
  else if (options->every < 1)
    status = ss_error_set (err, SS_ERR_INVALID, "a plan is made again after at least one step");
  else if (options->kind == SS_CONTROLLER_REPLAN && believed->task.plan == NULL)
    status = ss_error_set (err, SS_ERR_INVALID,
                           "'%s' cannot be planned again: its task does not say what shall be reached", believed->name);
  else if (options->kind == SS_CONTROLLER_CONTACT)
    status = ss_plan_contact_new (believed->scene, plan, &options->weights, control, &f->contact, err);
  else
    status = ss_plan_lqr_new (believed->scene, plan, &options->weights, control, &f->lqr, err);
  if (status == SS_OK && options->kind == SS_CONTROLLER_PREDICT && f->lqr != NULL)
    status = ss_predict_new (believed, plan, f->lqr, options->every, control, &f->predict, err);
  if (status == SS_OK && options->kind == SS_CONTROLLER_REPLAN && f->lqr != NULL)
    status = ss_rejoin_new (believed, plan, f->lqr, options->every, options->look_ahead, control, &f->rejoin, err);
  if (status == SS_OK && (f->lqr != NULL || f->contact != NULL))
    *out = f;
  else
    ss_feedback_free (f);
  return status;
}

void
ss_feedback_free (SsFeedback *f)
{
  if (f == NULL)
    return;
  ss_predict_free (f->predict);
  ss_plan_contact_free (f->contact);
  ss_plan_lqr_free (f->lqr);
  ss_rejoin_free (f->rejoin);
  ss_free (f);
}

const SsController *
ss_feedback_controller (SsFeedback *f)
{
  SS_ASSERT (f != NULL);
  return &f->controller;
}

void
ss_feedback_account (const SsFeedback *f, SsFeedbackAccount *account)
{
  SS_ASSERT (f != NULL);
  *account = f->account;
  if (f->predict != NULL) {
    SsPredictAccount of;

    ss_predict_account (f->predict, &of);
    account->n_plans = of.n_plans;
    account->n_kept = of.n_kept;
    account->n_motions = of.n_motions;
    account->cpu_seconds = of.cpu_seconds;
  } else if (f->rejoin != NULL) {
    SsRejoinAccount of;

    ss_rejoin_account (f->rejoin, &of);
    account->n_plans = of.n_looks;
    account->n_kept = of.n_looks - of.n_taken;
    account->cpu_seconds = of.cpu_seconds;
  }
}
