/* engine/fit/ss-pull.c: the search of a pull, its verdict; see the header. */
#include "fit/ss-pull-private.h"

#include "core/ss-memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { INTERVALS = 24, WIDER = 2, DEPTH = 3, FOUND_MOST = 32, GOLDEN_STEPS = 50, BRACKET_STEPS = 60 };
/* Of a range: brackets that are closed, what lies beside a stop, and what counts as held there. */
static const double closed = 1e-12, beside_stop = 1e-6, held_over = 1e-2;
static const double golden = 0.38196601125010515;

typedef struct {
  SsPullModel *model;
  SsPullPoint best; /* nearest so far; not made: none */
  int cause;        /* along which it was found by a scan; -1: by steps */
  int n_found;
  SsPullPoint found[FOUND_MOST];
  double least[SS_PULL_WANTS_MAX], most[SS_PULL_WANTS_MAX]; /* of all outcomes met */
  int n_scanned, n_lacking;
  char why[320]; /* of a motion that was not made */
} PullSearch;

const char *
ss_pull_stop_name (SsPullStop stop)
{
  static const char *const names[] = {
#define X(id, name, meaning) name,
      SS_PULL_STOP_LIST (X)
#undef X
  };
  SS_ASSERT (stop < SS_PULL_N_STOPS);
  return names[stop];
}

const char *
ss_pull_stop_meaning (SsPullStop stop)
{
  static const char *const meanings[] = {
#define X(id, name, meaning) meaning,
      SS_PULL_STOP_LIST (X)
#undef X
  };
  SS_ASSERT (stop < SS_PULL_N_STOPS);
  return meanings[stop];
}

/* ---- the scan of one number -------------------------------------------------------------------------------------- */

static SsStatus
pull_make_at (PullSearch *self, const double *base, int cause, double value, SsPullPoint *out, SsError *err)
{
  double at[SS_PULL_CAUSES_MAX];
  memcpy (at, base, sizeof at);
  at[cause] = value;
  SsStatus status = ss_pull_point_make (self->model, at, self->model->follows ? 1u << cause : 0, out, err);
  out->has_slopes = out->has_slopes && self->model->n == 1;
  self->n_scanned++;
  self->n_lacking += out->lacks_outcome;
  if (!out->is_made && out->why[0] != '\0')
    snprintf (self->why, sizeof self->why, "%s", out->why);
  for (int i = 0; out->is_made && i < self->model->m; i++) {
    self->least[i] = fmin (self->least[i], out->values[i]);
    self->most[i] = fmax (self->most[i], out->values[i]);
  }
  ss_trajectory_free (out->motion);
  out->motion = NULL;
  return status;
}

/* Takes a motion that is there. With several numbers it is walked on to the least change. */
static SsStatus
pull_take_found (PullSearch *self, SsPullPoint *point, SsError *err)
{
  SsPullModel *model = self->model;
  SsStatus status = model->n > 1 ? ss_pull_walk (model, point, err) : SS_OK;
  bool is_new = ss_pull_distance (model, point) <= 1 && self->n_found < FOUND_MOST;
  for (int i = 0; i < self->n_found && is_new; i++) {
    double apart = 0;
    for (int k = 0; k < model->n; k++)
      apart = hypot (apart, (point->at[k] - self->found[i].at[k]) / model->size[k]);
    is_new = apart > (point->sequence == self->found[i].sequence ? 1e-3 : 1e-6);
  }
  if (is_new)
    ss_pull_point_move (&self->found[self->n_found++], point);
  ss_pull_point_clear (point);
  return status;
}

static double
pull_rest (const SsPullModel *model, const SsPullPoint *point)
{
  return point->values[0] - model->outcomes[0].want;
}

/* Between two motions of which one has more than is wanted and one less. A bracket that closes on none holds a jump. */
static SsStatus
pull_close (PullSearch *self, int cause, const SsPullPoint *a, const SsPullPoint *b, SsError *err)
{
  SsPullModel *model = self->model;
  const double range = model->to[cause] - model->from[cause];
  double low = a->at[cause], high = b->at[cause], r_low = pull_rest (model, a), r_high = pull_rest (model, b);
  double s_low = a->slopes[cause], s_high = b->slopes[cause], before = INFINITY;
  SsStatus status = SS_OK;
  for (int step = 0; step < BRACKET_STEPS && high - low > closed * range && !ss_pull_model_stops (model); step++) {
    const bool is_low = fabs (r_low) < fabs (r_high);
    double x = is_low ? low - r_low / s_low : high - r_high / s_high;
    SsPullPoint point = {0};
    if (!(x > low && x < high)) /* the secant */
      x = low - r_low * (high - low) / (r_high - r_low);
    if (!(x > low && x < high) || high - low > 0.6 * before)
      x = low + (high - low) / 2;
    before = high - low;
    status = pull_make_at (self, a->at, cause, x, &point, err);
    if (status != SS_OK || !point.is_made) {
      ss_pull_point_clear (&point);
      return status;
    }
    if (ss_pull_distance (model, &point) <= 0.1)
      return pull_take_found (self, &point, err);
    const double r = pull_rest (model, &point);
    if ((r < 0) == (r_low < 0)) {
      low = x;
      r_low = r;
      s_low = point.slopes[cause];
    } else {
      high = x;
      r_high = r;
      s_high = point.slopes[cause];
    }
    if (ss_pull_misfit (model, &point) < ss_pull_misfit (model, &self->best)) {
      self->cause = cause;
      ss_pull_point_move (&self->best, &point);
    }
    ss_pull_point_clear (&point);
  }
  return status;
}

/* What lies between two neighbours of a scan, with one outcome. */
static SsStatus
pull_seek (PullSearch *self, int cause, const SsPullPoint *a, const SsPullPoint *b, int depth, SsError *err)
{
  SsPullModel *model = self->model;
  const double low = a->at[cause], high = b->at[cause];
  double probe = NAN;
  SsPullPoint point = {0};
  SsStatus status = SS_OK;
  if (ss_pull_model_stops (model))
    return SS_OK;
  if (a->is_made && b->is_made) {
    if ((pull_rest (model, a) <= 0) != (pull_rest (model, b) <= 0))
      return pull_close (self, cause, a, b, err);
    const double from_a = low - pull_rest (model, a) / a->slopes[cause];
    const double from_b = high - pull_rest (model, b) / b->slopes[cause];
    probe = from_a > low && from_a < high ? from_a : from_b > low && from_b < high ? from_b : NAN;
  }
  if (isnan (probe) && a->sequence != b->sequence)
    probe = low + (high - low) / 2;
  if (isnan (probe) || depth == DEPTH)
    return SS_OK;
  status = pull_make_at (self, a->at, cause, probe, &point, err);
  if (status == SS_OK)
    status = pull_seek (self, cause, a, &point, depth + 1, err);
  if (status == SS_OK)
    status = pull_seek (self, cause, &point, b, depth + 1, err);
  ss_pull_point_clear (&point);
  return status;
}

/* Looks at the points of a scan, ascending. */
static SsStatus
pull_look_at (PullSearch *self, int cause, SsPullPoint *points, int n, SsError *err)
{
  SsPullModel *model = self->model;
  SsStatus status = SS_OK;
  for (int i = 0; i < n; i++)
    if (ss_pull_misfit (model, &points[i]) < ss_pull_misfit (model, &self->best)) {
      self->cause = cause;
      SsPullPoint copy = {0};
      status = pull_make_at (self, points[i].at, cause, points[i].at[cause], &copy, err);
      if (status != SS_OK)
        return status;
      ss_pull_point_move (&self->best, &copy);
    }
  for (int i = 0; i + 1 < n && model->m == 1 && status == SS_OK; i++)
    status = pull_seek (self, cause, &points[i], &points[i + 1], 0, err);
  for (int i = 0; i < n && status == SS_OK && !ss_pull_model_stops (model); i++) {
    const double here = ss_pull_misfit (model, &points[i]);
    SsPullPoint copy = {0};
    if (ss_pull_distance (model, &points[i]) > 1 &&
        (model->m == 1 || !isfinite (here) || (i > 0 && ss_pull_misfit (model, &points[i - 1]) < here) ||
         (i + 1 < n && ss_pull_misfit (model, &points[i + 1]) < here)))
      continue;
    status = pull_make_at (self, points[i].at, cause, points[i].at[cause], &copy, err);
    if (status == SS_OK && copy.is_made)
      status = ss_pull_walk (model, &copy, err);
    if (status == SS_OK && ss_pull_distance (model, &copy) <= 1)
      status = pull_take_found (self, &copy, err);
    else if (status == SS_OK && ss_pull_misfit (model, &copy) < ss_pull_misfit (model, &self->best)) {
      ss_pull_point_move (&self->best, &copy);
      self->cause = model->n == 1 ? cause : -1;
    }
    ss_pull_point_clear (&copy);
  }
  return status;
}

static SsStatus
pull_scan_over (PullSearch *self, int cause, double from, double to, int n_intervals, SsError *err)
{
  SsPullPoint points[INTERVALS + 1] = {{{0}}};
  double base[SS_PULL_CAUSES_MAX] = {0};
  int n = 0;
  SsStatus status = SS_OK;
  for (int k = 0; k < self->model->n; k++)
    base[k] = self->model->numbers[k].value;
  for (int i = 0; i <= n_intervals && status == SS_OK && !ss_pull_model_stops (self->model); i++)
    status = pull_make_at (self, base, cause, from + (to - from) * i / n_intervals, &points[n++], err);
  if (status == SS_OK)
    status = pull_look_at (self, cause, points, n, err);
  for (int i = 0; i < n; i++)
    ss_pull_point_clear (&points[i]);
  return status;
}

/* One number, farther out where the nearest is at an end that is no bound. */
static SsStatus
pull_scan (PullSearch *self, int cause, SsError *err)
{
  SsPullModel *model = self->model;
  SsStatus status = pull_scan_over (self, cause, model->from[cause], model->to[cause], INTERVALS, err);
  for (int i = 0; i < WIDER && status == SS_OK && self->n_found == 0 && self->cause == cause && self->best.is_made;
       i++) {
    const double from = model->from[cause], to = model->to[cause], x = self->best.at[cause];
    if (x <= from && from > model->lower[cause]) {
      model->from[cause] = fmax (model->lower[cause], from - (to - from));
      status = pull_scan_over (self, cause, model->from[cause], from, INTERVALS / 2, err);
    } else if (x >= to && to < model->upper[cause]) {
      model->to[cause] = fmin (model->upper[cause], to + (to - from));
      status = pull_scan_over (self, cause, to, model->to[cause], INTERVALS / 2, err);
    } else
      break;
  }
  return status;
}

/* The nearest between the neighbours of the best point of a scan, by golden sections. */
static SsStatus
pull_polish (PullSearch *self, SsError *err)
{
  SsPullModel *model = self->model;
  const int cause = self->cause;
  const double range = model->to[cause] - model->from[cause], from = self->best.at[cause];
  double low = fmax (model->from[cause], from - range / INTERVALS),
         high = fmin (model->to[cause], from + range / INTERVALS);
  SsStatus status = SS_OK;
  for (int step = 0; step < GOLDEN_STEPS && high - low > 1e-10 * range && !ss_pull_model_stops (model); step++) {
    const double x = self->best.at[cause];
    const bool is_upper = high - x > x - low;
    const double y = is_upper ? x + golden * (high - x) : x - golden * (x - low);
    SsPullPoint point = {0};
    status = pull_make_at (self, self->best.at, cause, y, &point, err);
    if (status == SS_OK && ss_pull_misfit (model, &point) < ss_pull_misfit (model, &self->best)) {
      *(is_upper ? &low : &high) = x;
      ss_pull_point_move (&self->best, &point);
    } else
      *(is_upper ? &high : &low) = y;
    ss_pull_point_clear (&point);
    if (status != SS_OK)
      return status;
  }
  return SS_OK;
}

/* ---- what stands in the way -------------------------------------------------------------------------------------- */

/* The contact of the last event of a motion. */
static void
pull_last_event (const SsPullPoint *point, SsPull *pull)
{
  if (point->events == NULL || point->events->n_items == 0)
    return;
  const SsEvent *last = &point->events->items[point->events->n_items - 1];
  pull->event_kind = (int)last->kind;
  pull->event_subject = last->subject;
  pull->event_time = last->t;
}

/* Looks at both sides of the nearest along a cause. */
static SsStatus
pull_look_aside (PullSearch *self, int cause, SsPull *pull, SsError *err)
{
  SsPullModel *model = self->model;
  const double range = model->to[cause] - model->from[cause], x = self->best.at[cause];
  SsPullPoint sides[2] = {{{0}}}, far[2] = {{{0}}};
  bool is_end[2], is_held = false, has_failed = false;
  SsStatus status = SS_OK;
  for (int k = 0; k < 2 && status == SS_OK; k++) {
    const double sign = k == 0 ? -1 : 1, end = k == 0 ? model->lower[cause] : model->upper[cause];
    is_end[k] = sign * (end - x) <= beside_stop * range;
    if (is_end[k])
      continue;
    status = pull_make_at (self, self->best.at, cause, x + sign * fmin (beside_stop * range, sign * (end - x)),
                           &sides[k], err);
    if (status == SS_OK)
      status = pull_make_at (self, self->best.at, cause, x + sign * fmin (held_over * range, sign * (end - x)), &far[k],
                             err);
    has_failed = has_failed || !sides[k].is_made;
    if (far[k].is_made && self->best.is_made) {
      bool is_same = true;
      for (int i = 0; i < model->m; i++)
        is_same = is_same && fabs (far[k].values[i] - self->best.values[i]) <= model->outcomes[i].tolerance;
      is_held = is_held || is_same;
    }
  }
  pull->cause = cause;
  pull->at = x;
  SsPullPoint *a = is_end[0] ? &self->best : &sides[0], *b = is_end[1] ? &self->best : &sides[1];
  if (has_failed) {
    pull->stop = self->n_lacking > 0 ? SS_PULL_NO_OUTCOME : SS_PULL_FAILED;
    snprintf (pull->why, sizeof pull->why, "%s", sides[0].why[0] != '\0' ? sides[0].why : sides[1].why);
  } else if (a->sequence != b->sequence && ss_pull_jumps (model, a, b)) {
    pull->stop = a->is_simultaneous || b->is_simultaneous ? SS_PULL_SEVERAL : SS_PULL_JUMP;
    pull->less = a->values[0];
    pull->more = b->values[0];
    ss_pull_difference (a, b, &pull->event_kind, &pull->event_subject, &pull->event_time);
  } else if (is_held) {
    pull->stop = SS_PULL_HELD;
    pull_last_event (&self->best, pull);
  } else if (is_end[0] || is_end[1])
    pull->stop = SS_PULL_BOUND;
  else {
    pull->stop = SS_PULL_TURN;
    if (far[0].is_made && far[1].is_made)
      ss_pull_difference (&far[0], &far[1], &pull->event_kind, &pull->event_subject, &pull->event_time);
  }
  for (int k = 0; k < 2; k++) {
    ss_pull_point_clear (&sides[k]);
    ss_pull_point_clear (&far[k]);
  }
  return status;
}

static SsStatus
pull_explain (PullSearch *self, SsPull *pull, SsError *err)
{
  SsPullModel *model = self->model;
  bool depends = false;
  int at_bound = -1, n_at_bound = 0;
  model->most += 8 * model->n; /* a few runs are kept for that */
  if (model->early == SS_OUTCOME_MAX_ITERATIONS)
    model->early = SS_OUTCOME_SOLVED;
  for (int i = 0; i < model->m; i++)
    depends = depends || self->most[i] - self->least[i] > model->outcomes[i].tolerance;
  if (!self->best.is_made) {
    pull->stop = self->n_lacking > 0 ? SS_PULL_NO_OUTCOME : SS_PULL_FAILED;
    snprintf (pull->why, sizeof pull->why, "%s", self->why);
    return SS_OK;
  }
  if (!depends) {
    pull->stop = SS_PULL_NO_DEPENDENCE;
    return SS_OK;
  }
  for (int k = 0; k < model->n; k++)
    if (fmin (self->best.at[k] - model->lower[k], model->upper[k] - self->best.at[k]) <= beside_stop * model->size[k]) {
      at_bound = k;
      n_at_bound++;
    }
  if (model->n == 1)
    return pull_look_aside (self, 0, pull, err);
  if (n_at_bound > 0) {
    pull->stop = SS_PULL_BOUND;
    pull->cause = n_at_bound == 1 ? at_bound : -1;
    pull->at = self->best.at[at_bound];
    return SS_OK;
  }
  SsStatus status = SS_OK;
  pull->stop = SS_PULL_TURN;
  for (int k = 0; k < model->n && status == SS_OK && (pull->stop == SS_PULL_TURN || pull->stop == SS_PULL_HELD); k++)
    status = pull_look_aside (self, k, pull, err);
  if (pull->stop == SS_PULL_TURN)
    pull->cause = -1;
  return status;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

/* From where it is asked to, then by scans. */
static SsStatus
pull_search (PullSearch *self, SsError *err)
{
  SsPullModel *model = self->model;
  double at[SS_PULL_CAUSES_MAX] = {0};
  SsStatus status = SS_OK;
  if (model->job->from != NULL) {
    SsPullPoint point = {0};
    for (int k = 0; k < model->n; k++)
      at[k] = fmin (fmax (model->job->from[k], model->lower[k]), model->upper[k]);
    status = ss_pull_point_make (model, at, (1u << model->n) - 1, &point, err);
    if (status == SS_OK && point.is_made)
      ss_pull_point_move (&self->best, &point);
    ss_pull_point_clear (&point);
  }
  if (status == SS_OK && self->best.is_made)
    status = ss_pull_walk (model, &self->best, err);
  const bool is_there = ss_pull_distance (model, &self->best) <= 1;
  if (status != SS_OK || model->job->is_quick || (is_there && !model->job->wants_others))
    return status;
  if (is_there) {
    memcpy (at, self->best.at, sizeof at);
    SsPullPoint point = {0};
    status = ss_pull_point_make (model, at, 0, &point, err);
    if (status == SS_OK)
      status = pull_take_found (self, &point, err);
  }
  for (int k = 0; k < model->n && status == SS_OK && !ss_pull_model_stops (model); k++)
    status = pull_scan (self, k, err);
  if (status == SS_OK && self->n_found == 0 && self->cause >= 0)
    status = pull_polish (self, err);
  if (status == SS_OK && self->n_found == 0 && self->best.is_made && model->n > 1)
    status = ss_pull_walk (model, &self->best, err);
  return status;
}

/* The others by their changes; the least of all is the best. */
static SsStatus
pull_choose (PullSearch *self, SsPull *pull, SsError *err)
{
  SsPullModel *model = self->model;
  for (int i = 1; i < self->n_found; i++)
    for (int j = i; j > 0 && ss_pull_change (model, self->found[j].at) < ss_pull_change (model, self->found[j - 1].at);
         j--) {
      const SsPullPoint swap = self->found[j];
      self->found[j] = self->found[j - 1];
      self->found[j - 1] = swap;
    }
  if (self->n_found == 0)
    return SS_OK;
  ss_pull_point_move (&self->best, &self->found[0]);
  pull->others = ss_new_array (SsPullOther, self->n_found);
  if (pull->others == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  for (int i = 1; i < self->n_found; i++) {
    SsPullOther *other = &pull->others[pull->n_others++];
    memcpy (other->values, self->found[i].at, sizeof other->values);
    other->change = ss_pull_change (model, self->found[i].at);
    other->events = self->found[i].events;
    self->found[i].events = NULL;
  }
  return SS_OK;
}

/* The best once more, as the file with its numbers has it, and what is said of it. */
static SsStatus
pull_conclude (PullSearch *self, SsPullPoint *origin, SsPull *pull, SsError *err)
{
  SsPullModel *model = self->model;
  double at[SS_PULL_CAUSES_MAX] = {0};
  SsPullPoint last = {0};
  for (int k = 0; k < model->n; k++)
    at[k] = self->best.is_made && pull->stop != SS_PULL_NO_DEPENDENCE ? self->best.at[k] : model->numbers[k].value;
  SsStatus status = ss_pull_model_text (model, at, &pull->scenario, err);
  if (status == SS_OK)
    status = ss_pull_point_make (model, at, (1u << model->n) - 1, &last, err);
  if (status != SS_OK)
    return status;
  pull->is_reached = ss_pull_distance (model, &last) <= 1;
  if (pull->is_reached)
    pull->stop = SS_PULL_NONE;
  for (int k = 0; k < model->n; k++) {
    SsPullChange *change = &pull->changes[k];
    *change = (SsPullChange){.was = model->numbers[k].value,
                             .value = at[k],
                             .lower = model->lower[k],
                             .upper = model->upper[k],
                             .size = model->size[k],
                             .is_at_bound = at[k] <= model->lower[k] || at[k] >= model->upper[k]};
    snprintf (change->name, sizeof change->name, "%s", model->job->causes[k].name);
  }
  for (int i = 0; i < model->m; i++) {
    pull->outcomes[i] = model->outcomes[i];
    pull->outcomes[i].was = origin->values[i];
    pull->outcomes[i].value = last.values[i];
  }
  memcpy (pull->slopes, last.slopes, sizeof pull->slopes);
  pull->n_causes = model->n;
  pull->n_wants = model->m;
  pull->change = ss_pull_change (model, at);
  pull->has_same_sequence = origin->sequence == last.sequence;
  pull->before = origin->events;
  pull->now = last.events;
  pull->motion = last.motion;
  origin->events = last.events = NULL;
  last.motion = NULL;
  ss_pull_point_clear (&last);
  return SS_OK;
}

SsStatus
ss_pull (const SsPullJob *job, SsRunControl *control, SsPull *pull, SsError *err)
{
  SS_ASSERT (job != NULL && pull != NULL);

  const double cpu = ss_clock_thread_cpu ();
  SsPullModel model;
  PullSearch *self = ss_new (PullSearch);
  SsPullPoint origin = {0};
  *pull = (SsPull){.cause = -1, .event_kind = -1, .event_subject = -1};
  pull->at = pull->less = pull->more = pull->event_time = NAN;
  if (self == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  SsStatus status = ss_pull_model_init (&model, job, control, err);
  if (status != SS_OK) {
    ss_free (self);
    return status;
  }
  self->model = &model;
  self->cause = model.n == 1 ? 0 : -1;
  for (int i = 0; i < model.m; i++) {
    self->least[i] = INFINITY;
    self->most[i] = -INFINITY;
  }
  double at[SS_PULL_CAUSES_MAX] = {0};
  for (int k = 0; k < model.n; k++)
    at[k] = model.numbers[k].value;
  status = ss_pull_point_make (&model, at, (1u << model.n) - 1, &origin, err);
  if (status == SS_OK && origin.motion == NULL)
    status = ss_error_set (err, SS_ERR_INVALID, "the scene as it is has no motion to be pulled: %.250s", origin.why);
  if (status == SS_OK && origin.is_made && job->from == NULL)
    status = ss_pull_point_make (&model, at, (1u << model.n) - 1, &self->best, err);
  if (status == SS_OK)
    status = pull_search (self, err);
  if (status == SS_OK)
    status = pull_choose (self, pull, err);
  pull->outcome = model.early;
  if (status == SS_OK && ss_pull_distance (&model, &self->best) > 1) {
    if (ss_outcome_is_early (model.early) || job->is_quick)
      pull->stop = SS_PULL_EARLY;
    else
      status = pull_explain (self, pull, err);
  }
  if (status == SS_OK)
    status = pull_conclude (self, &origin, pull, err);
  pull->n_simulations = model.n_simulations;
  pull->n_scanned = self->n_scanned;
  pull->cpu_seconds = ss_clock_thread_cpu () - cpu;
  ss_pull_point_clear (&origin);
  ss_pull_point_clear (&self->best);
  for (int i = 0; i < FOUND_MOST; i++)
    ss_pull_point_clear (&self->found[i]);
  ss_free (self);
  ss_pull_model_clear (&model);
  if (status != SS_OK)
    ss_pull_clear (pull);
  return status;
}

void
ss_pull_clear (SsPull *pull)
{
  SS_ASSERT (pull != NULL);
  ss_events_free (pull->before);
  ss_events_free (pull->now);
  ss_trajectory_free (pull->motion);
  for (int i = 0; i < pull->n_others; i++)
    ss_events_free (pull->others[i].events);
  ss_free (pull->others);
  ss_free (pull->scenario);
  *pull = (SsPull){0};
}
