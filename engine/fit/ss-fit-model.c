/* engine/fit/ss-fit-model.c: see the header. */
#include "fit/ss-fit-model.h"

#include "core/ss-relay.h"
#include "simulate/ss-simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Differences are taken over this part of a large step: far above the rounding of exact events, far below what bends a
 * motion; time steppers, whose steps jump with their contacts, take a wider one. */
#define PART_EXACT  1e-5
#define PART_COARSE 1e-3
/* So much less, and more, must be allowed where derivatives are followed: twice what they take. */
#define PART_ROOM 2e-5
/* A scale is no smaller than this part of what a channel does: motions are no more exact. */
#define PART_LEAST 1e-7

/* ---- motions ----------------------------------------------------------------------------------------------------- */

static double
unknown_of (const SsFitModel *model, const double *unknowns, SsFitUnknownKind kind, int trial, double fallback)
{
  for (int k = 0; k < model->n_unknowns; k++)
    if (model->unknowns[k].kind == kind && (model->unknowns[k].trial < 0 || model->unknowns[k].trial == trial))
      return unknowns[k];
  return fallback;
}

SsStatus
ss_fit_model_text (SsFitModel *model, const double *unknowns, int trial, char **text, SsError *err)
{
  SS_ASSERT (model != NULL);

  int n = 0;

  for (int k = 0; k < model->n_unknowns; k++)
    if (model->unknowns[k].kind <= SS_UNKNOWN_START &&
        (model->unknowns[k].trial < 0 || model->unknowns[k].trial == trial))
      model->numbers[n++] = (SsOverride){model->unknowns[k].name, unknowns[k]};
  return ss_scenario_with_numbers (model->job->scenario, model->numbers, n, text, err);
}

static void
note_events (SsFitModel *model, const SsEventList *events)
{
  for (int i = 0; events != NULL && i < events->n_items; i++) /* FNV-1a */
    model->sequence =
        (model->sequence ^ (unsigned long)(16 * events->items[i].subject + (int)events->items[i].kind + 1)) *
        1099511628211ul;
}

/* The motion of a scenario, with its derivatives; *motion NULL where there is none, with the reason. */
static SsStatus
simulate (SsFitModel *model, const SsScenario *scenario, double t_end, SsFitFollowed *followed, SsTrajectory **motion,
          SsError *err)
{
  SsJob job = ss_job (model->job->method, scenario, model->job->options);
  SsSilence silence;
  SsRunResult result;

  ss_silence_init (&silence, model->control);
  ss_run_control_inherit (&silence.inner, model->control);
  job.simulate.dt = model->job->dt;
  job.simulate.t_end = t_end;
  job.simulate.sensitivity = followed->names;
  job.simulate.n_sensitivity = followed->n;
  model->n_simulations++;
  SsStatus status = ss_run (&job, &silence.inner, &result, err);
  if (status != SS_OK) {
    snprintf (model->reason, sizeof model->reason, "%s", err != NULL ? err->message : "");
    return status == SS_ERR_MEMORY ? status : SS_OK;
  }
  if (result.outcome == SS_OUTCOME_COMPLETED && result.n_motions > 0) {
    *motion = result.motions[0].trajectory;
    result.motions[0].trajectory = NULL;
    note_events (model, result.events);
    followed->sensitivity = result.sensitivity;
    followed->events = result.events;
    result.sensitivity = NULL;
    result.events = NULL;
  } else
    snprintf (model->reason, sizeof model->reason, "%.300s", result.message);
  ss_run_result_clear (&result);
  return SS_OK;
}

static void
clear_followed (SsFitFollowed *followed)
{
  ss_sensitivity_free (followed->sensitivity);
  ss_events_free (followed->events);
  *followed = (SsFitFollowed){0};
}

/* Unknowns of a trial by which its simulation can follow derivatives: those that may be a little less, and more. */
static void
list_followed (const SsFitModel *model, const double *unknowns, int trial, SsFitFollowed *followed)
{
  for (int k = 0; k < model->n_unknowns && model->job->method->integrator->sensitivity != NULL; k++) {
    const SsFitUnknown *u = &model->unknowns[k];
    const double room = PART_ROOM * (unknowns[k] != 0 ? fabs (unknowns[k]) : 1);
    if (u->kind > SS_UNKNOWN_START || (u->trial >= 0 && u->trial != trial) || unknowns[k] - room < u->lower ||
        unknowns[k] + room > u->upper)
      continue;
    followed->unknowns[followed->n] = k;
    followed->names[followed->n++] = u->name;
  }
}

/* The motion of a trial at these unknowns, and its derivatives unless `followed` is empty. */
static SsStatus
make_motion (SsFitModel *model, const double *unknowns, int trial, SsFitFollowed *followed, SsTrajectory **motion,
             SsError *err)
{
  const double offset = unknown_of (model, unknowns, SS_UNKNOWN_OFFSET, trial, 0);
  const double t_end = model->cells[model->first[trial + 1] - 1].t - offset;
  SsScenario *scenario = NULL;
  SsProblems problems;
  char *text = NULL;
  SsStatus status = ss_fit_model_text (model, unknowns, trial, &text, err);

  *motion = NULL;
  if (status != SS_OK)
    return status;
  ss_problems_init (&problems);
  status = ss_scenario_read (text, strlen (text), model->job->scenario->file, NULL, 0, &problems, &scenario);
  if (status == SS_OK)
    status = simulate (model, scenario, fmax (t_end, 0), followed, motion, err);
  else {
    snprintf (model->reason, sizeof model->reason, "%.100s: %.200s", problems.n_items > 0 ? problems.items[0].path : "",
              problems.n_items > 0 ? problems.items[0].message : "");
    status = status == SS_ERR_MEMORY ? ss_error_set (err, status, "out of memory") : SS_OK;
  }
  ss_problems_clear (&problems);
  ss_scenario_free (scenario);
  ss_free (text);
  return status;
}

/* The values of a trial's cells by its motion: before its beginning, as it begins. */
static SsStatus
sample (const SsFitModel *model, const double *unknowns, int trial, const SsTrajectory *motion, double *values,
        SsError *err)
{
  const double offset = unknown_of (model, unknowns, SS_UNKNOWN_OFFSET, trial, 0);
  const double scale = unknown_of (model, unknowns, SS_UNKNOWN_SCALE, trial, 1);
  const SsScene *scene = model->job->scenario->scene;
  double *row = ss_new_array (double, motion->n_channels);
  int *channels = ss_new_array (int, SS_BODY_CHANNELS * scene->n_bodies);
  int at = -1;

  if (row == NULL || channels == NULL) {
    ss_free (row);
    ss_free (channels);
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  }
  for (int i = 0; i < SS_BODY_CHANNELS * scene->n_bodies; i++) {
    char name[SS_CHANNEL_NAME_MAX];
    snprintf (name, sizeof name, "%s.%s", scene->bodies[i / SS_BODY_CHANNELS].name,
              ss_body_channels[i % SS_BODY_CHANNELS]);
    channels[i] = ss_trajectory_channel (motion, name);
  }
  for (int i = model->first[trial]; i < model->first[trial + 1]; i++) {
    const SsFitCell *cell = &model->cells[i];
    const double t = cell->t - offset;
    const int *of_body = &channels[SS_BODY_CHANNELS * cell->body];
    if (cell->row != at)
      ss_trajectory_sample_motion (motion, t, row);
    at = cell->row;
    values[i] = row[of_body[cell->coordinate]];
    if (t < 0 && cell->coordinate < 3)
      values[i] += t * row[of_body[cell->coordinate + 3]];
    if (cell->coordinate % 3 < 2)
      values[i] *= scale;
  }
  ss_free (row);
  ss_free (channels);
  return SS_OK;
}

/* ---- the problem ------------------------------------------------------------------------------------------------- */

/* The cells of a trial with unknown k moved to `value`, into the model's work; *is_made as of predict. */
static SsStatus
predict_moved (SsFitModel *model, double *unknowns, int k, double value, int trial, bool *is_made, SsError *err)
{
  const SsFitUnknownKind kind = model->unknowns[k].kind;
  const double kept = unknowns[k];
  const unsigned long sequence = model->sequence;
  SsFitFollowed none = {0};
  SsTrajectory *motion = NULL;
  SsStatus status = SS_OK;

  unknowns[k] = value;
  if (kind <= SS_UNKNOWN_START)
    status = make_motion (model, unknowns, trial, &none, &motion, err);
  clear_followed (&none);
  const SsTrajectory *of = kind <= SS_UNKNOWN_START ? motion : model->motions[trial];
  *is_made = of != NULL;
  if (status == SS_OK && of != NULL)
    status = sample (model, unknowns, trial, of, model->work, err);
  ss_trajectory_free (motion);
  unknowns[k] = kept;
  model->sequence = sequence;
  return status;
}

/* Derivatives of a trial's cells by one unknown, into its column. */
static SsStatus
differentiate (SsFitModel *model, double *unknowns, int k, int trial, const double *predicted, double *jacobian,
               SsError *err)
{
  const SsFitUnknown *u = &model->unknowns[k];
  const double h = u->size * (model->job->method->has_own_steps ? PART_EXACT : PART_COARSE), x = unknowns[k];
  const int n = model->n_unknowns, begin = model->first[trial], end = model->first[trial + 1];
  double step = x + h <= u->upper ? h : -h;
  bool is_made = false;
  SsStatus status = predict_moved (model, unknowns, k, x + step, trial, &is_made, err);

  if (status == SS_OK && !is_made) { /* the other side may do */
    step = -step;
    status = predict_moved (model, unknowns, k, x + step, trial, &is_made, err);
  }
  if (status != SS_OK)
    return status;
  for (int i = begin; i < end; i++)
    jacobian[(size_t)i * (size_t)n + (size_t)k] = is_made ? (model->work[i] - predicted[i]) / step : 0;
  if (!is_made || !model->is_central || x - step > u->upper || x - step < u->lower)
    return SS_OK;
  status = predict_moved (model, unknowns, k, x - step, trial, &is_made, err);
  for (int i = begin; status == SS_OK && is_made && i < end; i++) {
    double *d = &jacobian[(size_t)i * (size_t)n + (size_t)k];
    *d = (*d + (predicted[i] - model->work[i]) / step) / 2;
  }
  return status;
}

/* Derivatives of a trial's cells: those that its simulation followed, differences for the others. */
static SsStatus
differentiate_trial (SsFitModel *model, double *unknowns, int trial, const SsFitFollowed *followed,
                     const double *predicted, double *jacobian, SsError *err)
{
  const double offset = unknown_of (model, unknowns, SS_UNKNOWN_OFFSET, trial, 0);
  const double scale = unknown_of (model, unknowns, SS_UNKNOWN_SCALE, trial, 1);
  SsStatus status = SS_OK;
  int input = 0;

  for (int k = 0; k < model->n_unknowns && status == SS_OK; k++) {
    bool is_told = false;
    if (followed->sensitivity != NULL && input < followed->n && followed->unknowns[input] == k)
      is_told = ss_fit_slopes_read (model, followed, input++, trial, offset, scale, jacobian);
    if (!is_told && (model->unknowns[k].trial < 0 || model->unknowns[k].trial == trial))
      status = differentiate (model, unknowns, k, trial, predicted, jacobian, err);
  }
  return status;
}

/* The motion of a trial; with derivatives where they are wanted and can be had. */
static SsStatus
predict_motion (SsFitModel *model, const double *unknowns, int trial, bool with_slopes, SsFitFollowed *followed,
                SsError *err)
{
  ss_trajectory_free (model->motions[trial]);
  if (with_slopes && !model->is_central)
    list_followed (model, unknowns, trial, followed);
  SsStatus status = make_motion (model, unknowns, trial, followed, &model->motions[trial], err);
  if (status == SS_OK && model->motions[trial] == NULL && followed->n > 0) { /* without them there may be one */
    followed->n = 0;
    status = make_motion (model, unknowns, trial, followed, &model->motions[trial], err);
  }
  return status;
}

static SsStatus
predict (void *owner, const double *at, double *predicted, double *jacobian, bool *is_made, SsError *err)
{
  SsFitModel *model = owner;
  const int n = model->n_unknowns, n_trials = model->job->n_trials;
  double *unknowns = ss_new_array (double, n + 1);
  SsFitFollowed *followed = ss_new_array (SsFitFollowed, n_trials);
  SsStatus status = unknowns != NULL && followed != NULL ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "out of memory");

  *is_made = true;
  model->sequence = 14695981039346656037ul;
  if (status == SS_OK)
    memcpy (unknowns, at, (size_t)n * sizeof *unknowns);
  for (int i = 0; status == SS_OK && *is_made && i < n_trials; i++) {
    status = predict_motion (model, unknowns, i, jacobian != NULL, &followed[i], err);
    *is_made = model->motions[i] != NULL;
  }
  for (int i = 0; status == SS_OK && *is_made && i < n_trials; i++)
    status = sample (model, unknowns, i, model->motions[i], predicted, err);
  if (jacobian != NULL && *is_made && status == SS_OK)
    memset (jacobian, 0, (size_t)model->n_values * (size_t)n * sizeof *jacobian);
  for (int i = 0; jacobian != NULL && *is_made && status == SS_OK && i < n_trials; i++)
    status = differentiate_trial (model, unknowns, i, &followed[i], predicted, jacobian, err);
  for (int i = 0; followed != NULL && i < n_trials; i++)
    clear_followed (&followed[i]);
  ss_free (followed);
  ss_free (unknowns);
  return status;
}

SsFitValue
ss_fit_model_value (const SsFitModel *model, int value)
{
  SS_ASSERT (model != NULL && model->n_values >= 0);

  const SsFitCell *cell = &model->cells[value];

  return (SsFitValue){cell->trial, cell->row, cell->group, cell->t, model->measured[value], NAN};
}

static void
told (void *owner, const SsFitPoint *point)
{
  const SsFitModel *model = owner;
  double sum = 0;

  for (int i = 0; i < model->n_values; i++) {
    model->told[i].predicted = point->predicted[i];
    sum += log (point->scales[model->groups[i]]);
  }
  const SsFitStep step = {
      model->n_followed - 1, point->n_steps,  point->loss, exp (sum / fmax (model->n_values, 1)),
      model->n_values,       model->n_groups, model->told, (const char (*)[SS_FIT_NAME_MAX])model->group_names};
  model->job->told (model->job->told_data, &step);
}

SsFitProblem
ss_fit_model_problem (SsFitModel *model)
{
  SS_ASSERT (model != NULL);
  for (int g = 0; g < model->n_groups; g++)
    model->least[g] = PART_LEAST * model->ranges[g] + 1e-12;
  return (SsFitProblem){.n_unknowns = model->n_unknowns,
                        .n_values = model->n_values,
                        .n_groups = model->n_groups,
                        .measured = model->measured,
                        .group = model->groups,
                        .least = model->least,
                        .lower = model->lower,
                        .upper = model->upper,
                        .size = model->size,
                        .owner = model,
                        .predict = predict,
                        .told = model->told != NULL ? told : NULL};
}
