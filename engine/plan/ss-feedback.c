/* engine/plan/ss-feedback.c: see the header. */
#include "plan/ss-feedback.h"

#include "core/ss-memory.h"
#include "plan/ss-predict.h"
#include "simulate/ss-simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A state that is early by this part of a step is due. */
static const double EARLY = 1e-6;
/* Of the look-ahead that nobody gave: this part of the task's steps, and not fewer. */
enum { LOOK_AHEAD_PART = 4, LOOK_AHEAD_LEAST = 8 };

struct SsFeedback {
  SsFeedbackOptions options;
  const SsScenario *believed;
  SsRunControl *control;
  SsController controller;
  SsPlanLqr *lqr;
  SsPredict *predict;
  /* REPLAN */
  SsReplan *loop;
  SsTrajectory *plan;
  SsControls *planned;
  int (*columns)[SS_PLAN_COORDINATES]; /* by targets; -1: the plan does not tell */
  double *sample, *none;
  double h, period, end, due;
  bool has_begun;
  SsFeedbackAccount account;
};

/* ---- planning again ---------------------------------------------------------------------------------------------- */

static SsStatus
find_columns (SsFeedback *f, SsError *err)
{
  const SsPlan *task = f->believed->task.plan;
  char name[SS_CHANNEL_NAME_MAX];

  f->columns = ss_alloc ((size_t)task->n_targets + 1, sizeof *f->columns);
  f->sample = ss_new_array (double, f->plan->n_channels + 1);
  f->none = ss_new_array (double, f->believed->scene->n_actuators + 1);
  if (f->columns == NULL || f->sample == NULL || f->none == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a feedback");
  for (int i = 0; i < task->n_targets; i++)
    for (int c = 0; c < SS_PLAN_COORDINATES; c++) {
      snprintf (name, sizeof name, "%s.%s", f->believed->scene->bodies[task->targets[i].body].name,
                ss_body_channels[c]);
      f->columns[i][c] = ss_trajectory_channel (f->plan, name);
    }
  return SS_OK;
}

static SsStatus
open_loop (SsFeedback *f, const SsTrajectory *plan, SsError *err)
{
  const SsPlan *task = f->believed->task.plan;
  SsReplanOptions options;
  SsStatus status;

  if (task == NULL)
    return ss_error_set (err, SS_ERR_INVALID,
                         "'%s' cannot be planned again: its task does not say what shall be reached",
                         f->believed->name);
  ss_options_init (&ss_replan_option_table, &options);
  options.every = f->options.every;
  options.look_ahead = f->options.look_ahead;
  if (options.look_ahead <= 0)
    options.look_ahead = (int)fmax (fmax (task->steps / LOOK_AHEAD_PART, LOOK_AHEAD_LEAST), options.every);
  options.deadline = options.first = 0;
  status = ss_trajectory_copy (plan, &f->plan, err);
  if (status == SS_OK)
    status = ss_controls_new (f->believed->scene, plan, &f->planned, err);
  if (status == SS_OK)
    status = find_columns (f, err);
  if (status == SS_OK)
    status = ss_replan_new (f->believed, &options, &f->loop, err);
  if (status != SS_OK)
    return status;
  f->h = ss_replan_step (f->loop);
  f->period = ss_replan_period (f->loop);
  f->end = ss_trajectory_row (plan, plan->n_rows - 1)[0];
  return SS_OK;
}

/* Where the plan has the task's bodies at the end of what is looked at; behind its end the task's own. */
static void
set_targets (SsFeedback *f, double t)
{
  const SsPlan *task = f->believed->task.plan;
  const double at = t + ss_replan_look_ahead (f->loop) * f->h;
  const bool is_over = at >= f->end - EARLY * f->h;

  ss_trajectory_sample (f->plan, fmin (at, f->end), f->sample);
  for (int i = 0; i < task->n_targets; i++)
    for (int c = 0; c < SS_PLAN_COORDINATES; c++) {
      const int column = f->columns[i][c];
      ss_replan_set_target (f->loop, i, c, is_over || column < 0 ? task->targets[i].value[c] : f->sample[column]);
    }
}

static const double *
replan (SsFeedback *f, double t, const double *q, const double *v)
{
  SsReplanAnswer answer;
  SsError ignored;
  SsOutcome why;

  if (ss_run_control_should_stop (f->control, &why))
    return f->none;
  if (!f->has_begun || t >= f->due - EARLY * f->h) {
    SsRunControl own, *control = f->control;
    SsProgressFunc progress = control != NULL ? control->progress : NULL;
    const double deadline = control != NULL ? control->deadline : INFINITY;

    if (control == NULL) {
      ss_run_control_init (&own);
      control = &own;
    }
    control->progress = NULL;
    set_targets (f, t);
    SsStatus status = SS_OK;
    if (!f->has_begun)
      status = ss_replan_begin (f->loop, t, q, v, f->planned, &ignored);
    f->has_begun = true;
    if (status == SS_OK)
      status = ss_replan_solve (f->loop, t, q, v, control, &answer, &ignored);
    control->progress = progress;
    control->deadline = deadline;
    f->due = t + f->period;
    f->account.n_plans++;
    f->account.n_kept += status != SS_OK || answer.is_kept;
    if (status == SS_OK) {
      f->account.cpu_seconds += answer.cpu_seconds;
      f->account.largest = fmax (f->account.largest, isfinite (answer.miss) ? answer.miss : 0);
    }
  }
  const SsControls *acting = ss_replan_controls (f->loop);
  return acting != NULL ? ss_controls_at (acting, t) : ss_controls_at (f->planned, t);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static const double *
on_state (void *owner, const SsSimState *state)
{
  return ss_feedback_controls (owner, state->t, state->q, state->v);
}

const double *
ss_feedback_controls (SsFeedback *f, double t, const double *q, const double *v)
{
  f->account.n_calls++;
  if (f->loop != NULL)
    return replan (f, t, q, v);
  const double *u =
      f->predict != NULL ? ss_predict_controls (f->predict, t, q, v) : ss_plan_lqr_controls (f->lqr, t, q, v);
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
  f->h = NAN;
  if (believed->scene == NULL)
    status =
        ss_error_set (err, SS_ERR_INVALID,
                      "'%s' is a model in equations: a feedback needs a scene that can be simulated", believed->name);
  else if (options->every < 1)
    status = ss_error_set (err, SS_ERR_INVALID, "a plan is made again after at least one step");
  else if (options->kind == SS_CONTROLLER_REPLAN)
    status = open_loop (f, plan, err);
  else
    status = ss_plan_lqr_new (believed->scene, plan, &options->weights, control, &f->lqr, err);
  if (status == SS_OK && options->kind == SS_CONTROLLER_PREDICT && f->lqr != NULL)
    status = ss_predict_new (believed, plan, f->lqr, options->every, control, &f->predict, err);
  if (status == SS_OK && (f->lqr != NULL || f->loop != NULL))
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
  ss_plan_lqr_free (f->lqr);
  ss_replan_free (f->loop);
  ss_trajectory_free (f->plan);
  ss_controls_free (f->planned);
  ss_free (f->columns);
  ss_free (f->sample);
  ss_free (f->none);
  ss_free (f);
}

const SsController *
ss_feedback_controller (SsFeedback *f)
{
  return &f->controller;
}

double
ss_feedback_settling (const SsFeedback *f)
{
  return f->loop != NULL ? ss_replan_look_ahead (f->loop) * f->h : 0;
}

double
ss_feedback_step (const SsFeedback *f)
{
  return f->h;
}

void
ss_feedback_account (const SsFeedback *f, SsFeedbackAccount *account)
{
  SsPredictAccount predicted;

  *account = f->account;
  if (f->predict == NULL)
    return;
  ss_predict_account (f->predict, &predicted);
  account->n_plans = predicted.n_plans;
  account->n_kept = predicted.n_kept;
  account->n_motions = predicted.n_motions;
  account->cpu_seconds = predicted.cpu_seconds;
}
