/* engine/fit/ss-pull-motion.c: motions of a pull: numbers into the scene, outcomes and their derivatives out of it. */
#include "fit/ss-pull-private.h"

#include "core/ss-memory.h"
#include "core/ss-relay.h"
#include "simulate/ss-sensitivity.h"
#include "simulate/ss-simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_SIMULATIONS = 400 };
/* Tolerances of outcomes, as a part of them: of integrators with exact events, and of time steppers, whose motions jump
 * as contacts change to another step. */
static const double tolerance_exact = 1e-6, tolerance_coarse = 1e-3;
/* Differences are taken over this part of a size. */
static const double difference_exact = 1e-6, difference_coarse = 1e-3;
/* The formula is differentiated along slopes over this part of a size. */
static const double along = 1e-6;
/* So many sizes are looked at to both sides. */
static const double looks = 2;

/* ---- the model --------------------------------------------------------------------------------------------------- */

static double
pull_size (const SsScene *scene, const SsNumber *number)
{
  if (number->body < 0)
    return number->value != 0 ? fabs (number->value) : 1;
  const double *v = scene->bodies[number->body].v;
  if (number->coordinate < 3)
    return 1;
  return fmax (1, number->coordinate < 5 ? hypot (v[0], v[1]) : fabs (v[2]));
}

static SsStatus
pull_init_cause (SsPullModel *model, int k, SsError *err)
{
  const SsPullCause *cause = &model->job->causes[k];
  SsNumber *number = &model->numbers[k];
  SsStatus status = ss_scenario_number (model->job->scenario, cause->name, number, err);
  if (status != SS_OK)
    return status;
  for (int i = 0; i < k; i++)
    if (strcmp (model->job->causes[i].name, cause->name) == 0)
      return ss_error_set (err, SS_ERR_INVALID, "'%s' may change twice", cause->name);
  model->size[k] = pull_size (model->job->scenario->scene, number);
  model->lower[k] = isnan (cause->lower) ? number->lower : fmax (cause->lower, number->lower);
  model->upper[k] = isnan (cause->upper) ? number->upper : fmin (cause->upper, number->upper);
  if (!(model->lower[k] < model->upper[k]))
    return ss_error_set (err, SS_ERR_INVALID, "'%s' has no range from %.9g to %.9g", cause->name, model->lower[k],
                         model->upper[k]);
  if (number->value < model->lower[k] || number->value > model->upper[k])
    return ss_error_set (err, SS_ERR_INVALID, "'%s' is %.9g, outside of its range from %.9g to %.9g", cause->name,
                         number->value, model->lower[k], model->upper[k]);
  const double far = looks * model->size[k];
  model->from[k] = isnan (cause->lower) ? fmax (model->lower[k], number->value - far) : model->lower[k];
  model->to[k] = isnan (cause->upper) ? fmin (model->upper[k], number->value + far) : model->upper[k];
  return SS_OK;
}

static SsStatus
pull_init_want (SsPullModel *model, int i, SsError *err)
{
  const SsPullWant *want = &model->job->wants[i];
  SsPullOutcome *outcome = &model->outcomes[i];
  const double part = model->is_exact ? tolerance_exact : tolerance_coarse;
  SsStatus status = ss_interest_new (want->formula, &model->interests[i], err);
  if (status == SS_OK)
    status = ss_interest_unit_of (model->interests[i], model->job->scenario, outcome->unit, err);
  snprintf (outcome->formula, sizeof outcome->formula, "%s", want->formula);
  outcome->want = want->value;
  outcome->tolerance = isnan (want->tolerance) ? part * fmax (1, fabs (want->value)) : want->tolerance;
  outcome->was = outcome->value = NAN;
  if (status == SS_OK && !(outcome->tolerance > 0))
    status = ss_error_set (err, SS_ERR_INVALID, "the tolerance of %s has to be positive", want->formula);
  return status;
}

SsStatus
ss_pull_model_init (SsPullModel *model, const SsPullJob *job, SsRunControl *control, SsError *err)
{
  SS_ASSERT (model != NULL && job != NULL && job->scenario != NULL && job->method != NULL);

  SsStatus status = ss_run_check (job->scenario, job->method, err);
  *model = (SsPullModel){.job = job, .control = control, .n = job->n_causes, .m = job->n_wants};
  model->early = SS_OUTCOME_SOLVED;
  model->follows =
      status == SS_OK && job->method->kind == SS_METHOD_INTEGRATOR && job->method->integrator->sensitivity != NULL;
  model->is_exact = model->follows || job->method->has_own_steps;
  model->most = job->most > 0 ? job->most : MOST_SIMULATIONS;
  if (status == SS_OK && (job->method->kind != SS_METHOD_INTEGRATOR || job->scenario->scene == NULL))
    status = ss_error_set (err, SS_ERR_INVALID, "outcomes are pulled in motions of scenes by integrators");
  if (status == SS_OK &&
      (model->n < 1 || model->n > SS_PULL_CAUSES_MAX || model->m < 1 || model->m > SS_PULL_WANTS_MAX))
    status = ss_error_set (err, SS_ERR_INVALID, "a pull has 1 to %d numbers that may change and 1 to %d outcomes",
                           SS_PULL_CAUSES_MAX, SS_PULL_WANTS_MAX);
  for (int k = 0; status == SS_OK && k < model->n; k++)
    status = pull_init_cause (model, k, err);
  for (int i = 0; status == SS_OK && i < model->m; i++)
    status = pull_init_want (model, i, err);
  if (status != SS_OK)
    ss_pull_model_clear (model);
  return status;
}

void
ss_pull_model_clear (SsPullModel *model)
{
  SS_ASSERT (model != NULL);
  for (int i = 0; i < SS_PULL_WANTS_MAX; i++) {
    ss_interest_free (model->interests[i]);
    model->interests[i] = NULL;
  }
}

bool
ss_pull_model_stops (SsPullModel *model)
{
  SsOutcome why;
  if (model->early == SS_OUTCOME_SOLVED && model->n_simulations >= model->most)
    model->early = SS_OUTCOME_MAX_ITERATIONS;
  if (model->early == SS_OUTCOME_SOLVED && model->control != NULL && ss_run_control_should_stop (model->control, &why))
    model->early = why;
  return model->early != SS_OUTCOME_SOLVED;
}

SsStatus
ss_pull_model_text (SsPullModel *model, const double *at, char **text, SsError *err)
{
  SsOverride numbers[SS_PULL_CAUSES_MAX];
  int n = 0;
  for (int k = 0; k < model->n; k++)
    if (at[k] != model->numbers[k].value)
      numbers[n++] = (SsOverride){model->job->causes[k].name, at[k]};
  return ss_scenario_with_numbers (model->job->scenario, numbers, n, text, err);
}

/* ---- one motion -------------------------------------------------------------------------------------------------- */

void
ss_pull_point_clear (SsPullPoint *point)
{
  SS_ASSERT (point != NULL);
  ss_events_free (point->events);
  ss_trajectory_free (point->motion);
  *point = (SsPullPoint){0};
}

void
ss_pull_point_move (SsPullPoint *to, SsPullPoint *from)
{
  SS_ASSERT (to != from);
  ss_pull_point_clear (to);
  *to = *from;
  *from = (SsPullPoint){0};
}

/* Events as a number. Impacts that accumulate count as their end: how many there are is none of the sequence. */
static unsigned long
pull_sequence (const SsEventList *events)
{
  unsigned long sequence = 14695981039346656037ul; /* FNV-1a */
  for (int i = 0; events != NULL && i < events->n_items; i++) {
    const SsEvent *event = &events->items[i];
    int end = i;
    while (end < events->n_items && events->items[end].kind == SS_EVENT_IMPACT &&
           events->items[end].subject == event->subject)
      end++;
    if (end > i && end < events->n_items && events->items[end].kind == SS_EVENT_ACCUMULATION &&
        events->items[end].subject == event->subject) {
      i = end;
      event = &events->items[end];
    }
    sequence = (sequence ^ (unsigned long)(16 * event->subject + (int)event->kind + 1)) * 1099511628211ul;
  }
  return sequence;
}

/* What the formulas say of a run. */
static SsStatus
pull_evaluate (SsPullModel *model, SsPullPoint *point, SsError *err)
{
  const int n = point->events != NULL ? point->events->n_items : 0;
  SsInterestEvent *events = ss_events_to_interest (point->events, model->job->scenario->scene);
  char unit[SS_INTEREST_UNIT];
  SsStatus status = events != NULL ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  point->is_made = true;
  for (int i = 0; status == SS_OK && i < model->m; i++) {
    status = ss_interest_value (model->interests[i], point->motion, events, n, &point->values[i], unit, err);
    if (status == SS_OK && !isfinite (point->values[i])) {
      point->is_made = false;
      point->lacks_outcome = true;
      snprintf (point->why, sizeof point->why, "%.200s has no value", model->outcomes[i].formula);
    }
  }
  ss_free (events);
  return status;
}

/* ---- derivatives ------------------------------------------------------------------------------------------------- */

/* The motion at the ends of its steps, moved along the slopes of an input by `by`: NULL: no memory. Channels without
 * slopes are not in it, so that a formula that has them fails. */
static SsTrajectory *
pull_moved_motion (const SsTrajectory *motion, const SsSensitivity *s, int input, double by)
{
  const int width = ss_sensitivity_width (s), first = 1 + input * width;
  const size_t skip = strlen ("d..") + strlen (s->names[input]);
  SsChannel *channels = ss_new_array (SsChannel, width + 1);
  int *columns = ss_new_array (int, width + 1);
  double *row = ss_new_array (double, width + 1);
  SsTrajectory *moved = NULL;
  bool is_there = channels != NULL && columns != NULL && row != NULL;
  int n = 1;
  if (is_there)
    channels[0] = motion->channels[0];
  for (int c = 0; is_there && c < width; c++) {
    const int column = ss_trajectory_channel (motion, s->slopes->channels[first + c].name + skip);
    if (column < 0)
      continue;
    channels[n] = motion->channels[column];
    columns[n++] = c;
  }
  is_there = is_there && ss_trajectory_new (channels, n, s->slopes->n_rows, &moved, NULL) == SS_OK;
  for (int k = 0; is_there && k < s->slopes->n_rows; k++) {
    const double *slopes = ss_trajectory_row (s->slopes, k);
    const double *from = ss_trajectory_row (motion, ss_trajectory_row_up_to (motion, 0, slopes[0]));
    row[0] = slopes[0];
    for (int i = 1; i < n; i++)
      row[i] = from[ss_trajectory_channel (motion, channels[i].name)] + by * slopes[first + columns[i]];
    is_there = ss_trajectory_append (moved, row, NULL) == SS_OK;
  }
  ss_free (channels);
  ss_free (columns);
  ss_free (row);
  if (!is_there) {
    ss_trajectory_free (moved);
    return NULL;
  }
  return moved;
}

/* Derivatives of the formulas by a cause that the run followed: along the slopes of channels and of events' times. What
 * the slopes do not tell is NaN. */
static SsStatus
pull_read_slopes (SsPullModel *model, SsPullPoint *point, const SsSensitivity *s, int input, int cause, SsError *err)
{
  const int n = point->events != NULL ? point->events->n_items : 0;
  const double by = along * model->size[cause];
  double values[2][SS_PULL_WANTS_MAX];
  char unit[SS_INTEREST_UNIT];
  for (int side = 0; side < 2; side++) {
    SsTrajectory *moved = pull_moved_motion (point->motion, s, input, side == 0 ? -by : by);
    SsInterestEvent *events = ss_events_to_interest (point->events, model->job->scenario->scene);
    for (int i = 0; events != NULL && i < n; i++) {
      events[i].t += (side == 0 ? -by : by) * (i < s->n_events ? s->event_slopes[i * s->n_inputs + input] : NAN);
      events[i].impulse = NAN;
    }
    for (int i = 0; moved != NULL && events != NULL && i < model->m; i++)
      if (ss_interest_value (model->interests[i], moved, events, n, &values[side][i], unit, NULL) != SS_OK)
        values[side][i] = NAN;
    const bool is_there = moved != NULL && events != NULL;
    ss_trajectory_free (moved);
    ss_free (events);
    if (!is_there)
      return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  }
  for (int i = 0; i < model->m; i++)
    point->slopes[i * model->n + cause] = (values[1][i] - values[0][i]) / (2 * by);
  return SS_OK;
}

/* A run of the scenario as it is read here. */
static SsStatus
pull_run (SsPullModel *model, const double *at, unsigned followed, SsPullPoint *point, SsError *err)
{
  const SsPullJob *pull = model->job;
  const char *names[SS_PULL_CAUSES_MAX];
  int causes[SS_PULL_CAUSES_MAX], n = 0;
  SsScenario *scenario = NULL;
  SsProblems problems;
  SsSilence silence;
  SsRunResult result;
  char *text = NULL;
  SsStatus status = ss_pull_model_text (model, at, &text, err);
  if (status != SS_OK)
    return status;
  ss_problems_init (&problems);
  status = ss_scenario_read (text, strlen (text), pull->scenario->file, NULL, 0, &problems, &scenario);
  ss_free (text);
  if (status != SS_OK && status != SS_ERR_MEMORY)
    snprintf (point->why, sizeof point->why, "the scene breaks a rule: %.250s",
              problems.n_items > 0 ? problems.items[0].message : "");
  ss_problems_clear (&problems);
  if (status != SS_OK)
    return status == SS_ERR_MEMORY ? ss_error_set (err, status, "out of memory") : SS_OK;
  for (int k = 0; k < model->n; k++)
    if ((followed >> k & 1u) != 0) {
      causes[n] = k;
      names[n++] = pull->causes[k].name;
    }
  ss_silence_init (&silence, model->control);
  ss_run_control_inherit (&silence.inner, model->control);
  SsJob job = ss_job (pull->method, scenario, pull->options);
  job.simulate.dt = pull->dt;
  job.simulate.t_end = pull->t_end;
  job.simulate.sensitivity = names;
  job.simulate.n_sensitivity = n;
  model->n_simulations++;
  SsError own = {0};
  status = ss_run (&job, &silence.inner, &result, &own);
  if (status != SS_OK) {
    snprintf (point->why, sizeof point->why, "%.300s", own.message);
    ss_scenario_free (scenario);
    return status == SS_ERR_MEMORY ? ss_error_set (err, status, "out of memory") : SS_OK;
  }
  if (result.outcome == SS_OUTCOME_COMPLETED && ss_run_motion (&result) != NULL) {
    point->motion = ss_run_take_motion (&result);
    point->events = result.events;
    result.events = NULL;
    point->sequence = pull_sequence (point->events);
    status = pull_evaluate (model, point, err);
    for (int i = 0; result.sensitivity != NULL && i < result.sensitivity->n_breaks; i++)
      point->is_simultaneous =
          point->is_simultaneous || result.sensitivity->breaks[i].kind == SS_SENSITIVITY_SIMULTANEOUS;
    for (int i = 0; status == SS_OK && point->is_made && result.sensitivity != NULL && i < n; i++)
      status = pull_read_slopes (model, point, result.sensitivity, i, causes[i], err);
  } else
    snprintf (point->why, sizeof point->why, "%.300s", result.message);
  ss_run_result_clear (&result);
  ss_scenario_free (scenario);
  return status;
}

/* By differences, those that are not told. */
static SsStatus
pull_differentiate (SsPullModel *model, SsPullPoint *point, int cause, SsError *err)
{
  const double part = model->is_exact ? difference_exact : difference_coarse;
  const double step =
      part * model->size[cause] * (point->at[cause] + part * model->size[cause] <= model->upper[cause] ? 1 : -1);
  double at[SS_PULL_CAUSES_MAX];
  SsPullPoint beside = {0};
  memcpy (at, point->at, sizeof at);
  at[cause] += step;
  SsStatus status = pull_run (model, at, 0, &beside, err);
  for (int i = 0; status == SS_OK && i < model->m; i++) {
    double *slope = &point->slopes[i * model->n + cause];
    if (isnan (*slope) && beside.is_made && !(beside.sequence != point->sequence && model->is_exact))
      *slope = (beside.values[i] - point->values[i]) / step;
  }
  ss_pull_point_clear (&beside);
  return status;
}

SsStatus
ss_pull_point_make (SsPullModel *model, const double *at, unsigned with_slopes, SsPullPoint *point, SsError *err)
{
  SS_ASSERT (model != NULL && at != NULL && point != NULL && point->motion == NULL);

  unsigned followed = 0;
  *point = (SsPullPoint){0};
  memcpy (point->at, at, (size_t)model->n * sizeof *at);
  for (int i = 0; i < model->m * model->n; i++)
    point->slopes[i] = NAN;
  for (int i = 0; i < model->m; i++)
    point->values[i] = NAN;
  for (int k = 0; model->follows && k < model->n;
       k++) { /* at an end of what it may be a run looks to one side, which costs */
    const double room = 1e-4 * model->size[k];
    if ((with_slopes >> k & 1u) != 0 && at[k] - room > model->numbers[k].lower &&
        at[k] + room < model->numbers[k].upper)
      followed |= 1u << k;
  }
  SsStatus status = pull_run (model, at, followed, point, err);
  if (status == SS_OK && point->motion == NULL && followed != 0) { /* without derivatives there may be one */
    point->why[0] = '\0';
    status = pull_run (model, at, 0, point, err);
  }
  for (int k = 0; status == SS_OK && point->is_made && k < model->n; k++) {
    bool is_told = true;
    for (int i = 0; i < model->m; i++)
      is_told = is_told && !isnan (point->slopes[i * model->n + k]);
    if ((with_slopes >> k & 1u) != 0 && !is_told)
      status = pull_differentiate (model, point, k, err);
  }
  point->has_slopes = with_slopes != 0 && point->is_made;
  return status;
}

/* ---- measures ---------------------------------------------------------------------------------------------------- */

/* How far outcome i of a point is from what is wanted, in its tolerances, with its sign. */
static double
off (const SsPullModel *model, const SsPullPoint *point, int i)
{
  return (point->values[i] - model->outcomes[i].want) / model->outcomes[i].tolerance;
}

double
ss_pull_distance (const SsPullModel *model, const SsPullPoint *point)
{
  double largest = 0;
  if (!point->is_made)
    return INFINITY;
  for (int i = 0; i < model->m; i++)
    largest = fmax (largest, fabs (off (model, point, i)));
  return largest;
}

double
ss_pull_misfit (const SsPullModel *model, const SsPullPoint *point)
{
  double sum = 0;
  if (!point->is_made)
    return INFINITY;
  for (int i = 0; i < model->m; i++) {
    const double r = off (model, point, i);
    sum += r * r;
  }
  return sum;
}

double
ss_pull_change (const SsPullModel *model, const double *at)
{
  double sum = 0;
  for (int k = 0; k < model->n; k++) {
    const double d = (at[k] - model->numbers[k].value) / model->size[k];
    sum += d * d;
  }
  return sqrt (sum);
}

void
ss_pull_difference (const SsPullPoint *a, const SsPullPoint *b, int *kind, int *subject, double *t)
{
  const SsEventList *lists[2] = {a->events, b->events};
  const int n[2] = {a->events != NULL ? a->events->n_items : 0, b->events != NULL ? b->events->n_items : 0};
  int i = 0;
  *kind = *subject = -1;
  *t = NAN;
  while (i < n[0] && i < n[1] && lists[0]->items[i].kind == lists[1]->items[i].kind &&
         lists[0]->items[i].subject == lists[1]->items[i].subject)
    i++;
  const SsEvent *first = NULL;
  for (int k = 0; k < 2; k++)
    if (i < n[k] && (first == NULL || lists[k]->items[i].t < first->t))
      first = &lists[k]->items[i];
  if (first == NULL)
    return;
  *kind = (int)first->kind;
  *subject = first->subject;
  *t = first->t;
}

bool
ss_pull_jumps (const SsPullModel *model, const SsPullPoint *a, const SsPullPoint *b)
{
  double apart = 0;
  for (int k = 0; k < model->n; k++)
    apart = fmax (apart, fabs (a->at[k] - b->at[k]) / model->size[k]);
  for (int i = 0; i < model->m; i++) {
    /* what a derivative of 1e3 a size makes of it, or ten times what counts as reached */
    const double room = fmax (10 * model->outcomes[i].tolerance, 1e3 * apart * fmax (1, fabs (a->values[i])));
    if (fabs (a->values[i] - b->values[i]) > room)
      return true;
  }
  return false;
}
