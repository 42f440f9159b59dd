/* engine/run/ss-run-sides.c: see the header. */
#include "run/ss-run-sides.h"

#include "contact/ss-contact-problem.h"
#include "core/ss-memory.h"
#include "core/ss-relay.h"
#include "simulate/ss-simulate.h"

#include <math.h>
#include <string.h>

enum { LESS, MORE, RUNS = 3 };
/* Distances to the number, of 100 times the step that its derivatives have, and what they count. */
static const double far_steps = 100, distances[RUNS] = {1, 2, 4}, weights[RUNS] = {8 / 3., -2, 1 / 3.};
/* The motion goes on to the one beside it: as a part of its state. A larger difference that stays with four times the
 * distance is a jump. */
static const double same_end = 1e-6, stays = 1.2;
/* By which the extrapolations of two and of three runs may differ, as a part of the largest derivative. */
static const double settled = 1e-3;
/* What is deeper at the start is no rounding. [m] */
static const double overlap = 1e-7;

typedef struct {
  const SsSimulateJob *job;
  double dt, t_end;
  const SsSensitivityInputs *inputs;
  SsRunResult *result;
  SsSilence silence;
} Sides;

/* The run's scene with a number changed. */
typedef struct {
  SsScenario *read; /* owned; NULL: only a start is another one */
  SsScene own;
  SsBody *bodies; /* owned */
  const SsScene *scene;
} Moved;

static void
moved_clear (Moved *moved)
{
  ss_scenario_free (moved->read);
  ss_free (moved->bodies);
  *moved = (Moved){0};
}

static SsStatus
move (const Sides *self, int i, double value, Moved *out, SsError *err)
{
  const SsScenario *scenario = self->job->scenario;
  const SsNumber *number = &self->inputs->numbers[i];
  *out = (Moved){0};
  if (number->body < 0) {
    SsStatus status = ss_scenario_read_with (scenario, self->inputs->names[i], value, &out->read, err);
    out->scene = status == SS_OK ? out->read->scene : NULL;
    return status;
  }
  out->own = *scenario->scene;
  out->bodies = ss_new_array (SsBody, out->own.n_bodies);
  if (out->bodies == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for derivatives");
  memcpy (out->bodies, scenario->scene->bodies, (size_t)out->own.n_bodies * sizeof *out->bodies);
  SsBody *body = &out->bodies[number->body];
  *(number->coordinate < 3 ? &body->q[number->coordinate] : &body->v[number->coordinate - 3]) = value;
  out->own.bodies = out->bodies;
  out->scene = &out->own;
  return SS_OK;
}

/* Whether bodies overlap at the start that do not in the run. */
static SsStatus
overlaps (const Sides *self, const SsScene *scene, bool *is_so, SsError *err)
{
  const SsScene *before = self->job->scenario->scene;
  double *q = ss_new_array (double, 6 * scene->n_bodies + 1);
  if (q == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for derivatives");
  for (int b = 0; b < scene->n_bodies; b++) {
    memcpy (q + 3 * b, scene->bodies[b].q, sizeof scene->bodies[b].q);
    memcpy (q + 3 * (scene->n_bodies + b), before->bodies[b].q, sizeof before->bodies[b].q);
  }
  *is_so = false;
  for (int i = 0; i < scene->n_contacts && !*is_so; i++) {
    const double gap = ss_scene_contact_gap (scene, i, q);
    *is_so = gap < -overlap && gap < ss_scene_contact_gap (before, i, q + 3 * scene->n_bodies) - overlap;
  }
  ss_free (q);
  return SS_OK;
}

/* The simulation with the number at that value, and its derivative there. */
static SsStatus
run_at (Sides *self, int i, double value, SsSimResult *out, SsSensitivitySideKind *why, SsError *err)
{
  const double step = self->inputs->steps[i];
  Moved at, beside[2] = {{0}};
  SsSensitivityInput input = self->inputs->inputs[i];
  bool is_overlapping = false;
  *why = SS_SENSITIVITY_SIDE_RANGE;
  SsStatus status = move (self, i, value, &at, err);
  input.step = step;
  for (int k = 0; status == SS_OK && input.coordinate < 0 && k < 2; k++) {
    status = move (self, i, value + (k == LESS ? -step : step), &beside[k], err);
    input.scene[k] = beside[k].scene;
  }
  if (status == SS_OK)
    status = overlaps (self, at.scene, &is_overlapping, err);
  if (status == SS_OK && is_overlapping)
    *why = SS_SENSITIVITY_SIDE_OVERLAP;
  if (status == SS_OK && !is_overlapping) {
    const SsSimJob job = {.scene = at.scene,
                          .integrator = self->job->integrator,
                          .options = self->job->options,
                          .dt = self->dt,
                          .t_end = self->t_end,
                          .inputs = &input,
                          .n_inputs = 1};
    status = ss_simulate_job (&job, &self->silence.inner, out, err);
    *why = status == SS_OK && out->outcome == SS_OUTCOME_COMPLETED && out->sensitivity != NULL
               ? SS_SENSITIVITY_SIDE_EXISTS
               : SS_SENSITIVITY_SIDE_FAILED;
  }
  moved_clear (&at);
  for (int k = 0; k < 2; k++)
    moved_clear (&beside[k]);
  return status == SS_ERR_MEMORY ? status : SS_OK;
}

static double
extrapolate (const double values[RUNS])
{
  double sum = 0;
  for (int k = 0; k < RUNS; k++)
    sum += weights[k] * values[k];
  return sum;
}

/* Whether the motions end, in the limit, where the run does. */
static SsSensitivitySideKind
compare_ends (const Sides *self, const SsSimResult runs[RUNS])
{
  const SsTrajectory *motion = ss_run_motion (self->result);
  const double *end = ss_trajectory_row (motion, motion->n_rows - 1), *ends[RUNS];
  const int n = SS_BODY_CHANNELS * self->job->scenario->scene->n_bodies;
  double size = 0, off = 0, nearest = 0, farthest = 0;
  for (int k = 0; k < RUNS; k++)
    ends[k] = ss_trajectory_row (runs[k].trajectory, runs[k].trajectory->n_rows - 1);
  for (int c = 1; c <= n; c++) {
    const double values[RUNS] = {ends[0][c], ends[1][c], ends[2][c]};
    size = fmax (size, fabs (end[c]));
    off = fmax (off, fabs (extrapolate (values) - end[c]));
    nearest = fmax (nearest, fabs (values[0] - end[c]));
    farthest = fmax (farthest, fabs (values[RUNS - 1] - end[c]));
  }
  if (off <= same_end * fmax (size, 1e-3))
    return SS_SENSITIVITY_SIDE_EXISTS;
  return farthest < stays * nearest ? SS_SENSITIVITY_SIDE_JUMP : SS_SENSITIVITY_SIDE_UNBOUNDED;
}

/* Columns of the last row, extrapolated. */
static SsSensitivitySideKind
settle (const SsSimResult runs[RUNS], int n_state, int width, double *slopes)
{
  double largest = 0, off = 0;
  for (int c = 0; c < width; c++) {
    double values[RUNS];
    for (int k = 0; k < RUNS; k++) {
      const SsTrajectory *table = runs[k].sensitivity->slopes;
      values[k] = ss_trajectory_row (table, table->n_rows - 1)[1 + c];
    }
    slopes[c] = extrapolate (values);
    if (c >= n_state)
      continue;
    if (isnan (slopes[c]))
      return SS_SENSITIVITY_SIDE_BREAK;
    largest = fmax (largest, fabs (slopes[c]));
    off = fmax (off, fabs (slopes[c] - (2 * values[0] - values[1])));
  }
  return off <= settled * largest + 1e-9 ? SS_SENSITIVITY_SIDE_EXISTS : SS_SENSITIVITY_SIDE_UNBOUNDED;
}

/* The only side of a number as its derivative, at all steps and of the events. */
static void
fill (SsSensitivity *to, int i, const SsSimResult runs[RUNS], const SsEventList *events)
{
  const int width = ss_sensitivity_width (to);
  bool has_rows = runs != NULL, has_events = runs != NULL && events != NULL && to->n_events <= events->n_items;
  for (int k = 0; has_rows && k < RUNS; k++) {
    has_rows = runs[k].sensitivity->slopes->n_rows == to->slopes->n_rows;
    has_events = has_events && runs[k].sensitivity->n_events == to->n_events;
    for (int e = 0; has_events && e < to->n_events; e++)
      has_events = runs[k].events->items[e].kind == events->items[e].kind &&
                   runs[k].events->items[e].subject == events->items[e].subject;
  }
  for (int row = 0; row < to->slopes->n_rows; row++) {
    double *columns = &to->slopes->values[(size_t)row * (size_t)to->slopes->n_channels + 1 + (size_t)(i * width)];
    for (int c = 0; c < width; c++) {
      double values[RUNS] = {NAN, NAN, NAN};
      for (int k = 0; has_rows && k < RUNS; k++)
        values[k] = ss_trajectory_row (runs[k].sensitivity->slopes, row)[1 + c];
      columns[c] = extrapolate (values);
    }
  }
  for (int e = 0; e < to->n_events; e++) {
    double values[RUNS] = {NAN, NAN, NAN};
    for (int k = 0; has_events && k < RUNS; k++)
      values[k] = runs[k].sensitivity->event_slopes[e];
    to->event_slopes[e * to->n_inputs + i] = extrapolate (values);
  }
}

/* One side of input i; `is_only`: the number has no other. */
static SsStatus
look (Sides *self, int i, bool is_more, bool is_only, SsError *err)
{
  SsSensitivity *to = self->result->sensitivity;
  const SsNumber *number = &self->inputs->numbers[i];
  const int width = ss_sensitivity_width (to);
  SsSimResult runs[RUNS] = {{0}};
  SsSensitivitySide side = {.input = i, .is_more = is_more, .slopes = ss_new_array (double, width)};
  SsOutcome why;
  SsStatus status = side.slopes != NULL ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "no memory for derivatives");
  for (int k = 0; status == SS_OK && side.kind == SS_SENSITIVITY_SIDE_EXISTS && k < RUNS; k++) {
    const double by = (is_more ? 1 : -1) * far_steps * distances[k] * self->inputs->steps[i];
    status = run_at (self, i, number->value + by, &runs[k], &side.kind, err);
  }
  if (status == SS_OK && side.kind == SS_SENSITIVITY_SIDE_EXISTS)
    side.kind = compare_ends (self, runs);
  if (status == SS_OK && side.kind == SS_SENSITIVITY_SIDE_EXISTS)
    side.kind = settle (runs, 2 * to->n_q, width, side.slopes);
  const bool exists = status == SS_OK && side.kind == SS_SENSITIVITY_SIDE_EXISTS;
  if (status == SS_OK && is_only)
    fill (to, i, exists ? runs : NULL, self->result->events);
  for (int c = 0; status == SS_OK && !exists && c < width; c++)
    side.slopes[c] = NAN;
  for (int k = 0; k < RUNS; k++)
    ss_sim_result_clear (&runs[k]);
  if (status == SS_OK && !ss_run_control_should_stop (&self->silence.inner, &why))
    return ss_sensitivity_add_side (to, side, err);
  ss_free (side.slopes);
  return status;
}

static bool
is_broken (const SsSensitivity *s, int input)
{
  for (int i = 0; i < s->n_breaks; i++)
    if (s->breaks[i].input == input && !ss_sensitivity_goes_on (s->breaks[i].kind))
      return true;
  return false;
}

SsStatus
ss_run_sides (const SsSimulateJob *job, double dt, double t_end, const SsSensitivityInputs *inputs, SsRunResult *result,
              SsRunControl *control, SsError *err)
{
  SS_ASSERT (job != NULL && inputs != NULL && result != NULL && result->sensitivity != NULL);

  SsSensitivity *to = result->sensitivity;
  Sides self = {.job = job, .dt = dt, .t_end = t_end, .inputs = inputs, .result = result};
  SsStatus status = SS_OK;
  ss_silence_init (&self.silence, control);
  if (control != NULL)
    ss_run_control_inherit (&self.silence.inner, control);
  for (int i = 0; status == SS_OK && i < inputs->n; i++) {
    const bool *allowed = inputs->allowed[i], has_both = allowed[LESS] && allowed[MORE];
    const bool is_fixed = !allowed[LESS] && !allowed[MORE];
    const bool is_looked_at = !has_both || (job->wants_sides && job->plan == NULL && is_broken (to, i));
    if (!is_looked_at || result->outcome != SS_OUTCOME_COMPLETED)
      continue;
    if (is_fixed)
      fill (to, i, NULL, NULL);
    for (int k = LESS; status == SS_OK && k <= MORE; k++)
      if (allowed[k])
        status = look (&self, i, k == MORE, !has_both, err);
    if (status == SS_OK && !has_both)
      status = ss_sensitivity_add_break (
          to,
          (SsSensitivityBreak){.input = i, .contact = -1, .kind = is_fixed ? SS_SENSITIVITY_FIXED : SS_SENSITIVITY_END},
          err);
  }
  return status;
}
