/* app/sandbox/ssapp-held-plan.c: see the header. */
#include "app/sandbox/ssapp-held-plan.h"
#include "simulate/ss-simulate.h"

#include <math.h>
#include <string.h>

struct SsappHeldPlan {
  SsScenario *scenario;
  SsFeedback *feedback;
  double begun; /* NaN: not yet [s] */
  double t0;    /* of the one row */
  double *u;
  SsControls controls;
};

SsappHeldPlan *
ssapp_held_plan_new (const char *scenario_text, const SsOverride *overrides, int n_overrides, const SsTrajectory *plan,
                     GError **error)
{
  SsappHeldPlan *self = g_new0 (SsappHeldPlan, 1);
  SsFeedbackOptions options = SS_FEEDBACK_OPTIONS;
  SsProblems problems;
  SsError why = {0};
  SsStatus status;

  options.kind = SS_CONTROLLER_LQR;
  self->begun = NAN;
  ss_problems_init (&problems);
  status =
      ss_scenario_read (scenario_text, strlen (scenario_text), "", overrides, n_overrides, &problems, &self->scenario);
  if (status != SS_OK && problems.n_items > 0)
    why = problems.items[0];
  ss_problems_clear (&problems);
  if (status == SS_OK)
    status = ss_feedback_new (self->scenario, plan, &options, NULL, &self->feedback, &why);
  if (status != SS_OK || self->feedback == NULL) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, why.message);
    g_clear_pointer (&self, ssapp_held_plan_free);
    return NULL;
  }
  self->u = g_new0 (double, self->scenario->scene->n_actuators + 1);
  self->controls = (SsControls){1, self->scenario->scene->n_actuators, &self->t0, self->u};
  return self;
}

void
ssapp_held_plan_free (SsappHeldPlan *self)
{
  if (self == NULL)
    return;
  ss_feedback_free (self->feedback);
  ss_scenario_free (self->scenario);
  g_free (self->u);
  g_free (self);
}

const SsControls *
ssapp_held_plan_controls (SsappHeldPlan *self, double t, const double *q, const double *v)
{
  g_return_val_if_fail (self != NULL, NULL);
  if (isnan (self->begun) || t < self->begun)
    self->begun = t;
  memcpy (self->u, ss_feedback_controls (self->feedback, t - self->begun, q, v, NULL),
          sizeof *self->u * (gsize)self->controls.n_actuators);
  return &self->controls;
}
