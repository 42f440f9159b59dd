/* engine/fit/ss-pull-reach.c: what a number reaches over its range; see ss-pull.h. */
#include "fit/ss-pull-private.h"

#include "core/ss-memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS_LEAST = 2, POINTS_MOST = 2000, EDGES_MOST = 200, SIMULATIONS_A_POINT = 30 };
/* Where a change of the sequence is known, as a part of the range. */
static const double edge_known = 1e-6;

typedef struct {
  SsPullModel *model;
  int cause, n, capacity;
  double base[SS_PULL_CAUSES_MAX];
  SsPullPoint *points; /* owned; without motions */
} ReachScan;

static SsStatus
reach_make (ReachScan *self, double value, SsPullPoint *point, SsError *err)
{
  double at[SS_PULL_CAUSES_MAX];
  memcpy (at, self->base, sizeof at);
  at[self->cause] = value;
  SsStatus status = ss_pull_point_make (self->model, at, self->model->follows ? 1u << self->cause : 0, point, err);
  ss_trajectory_free (point->motion);
  point->motion = NULL;
  return status;
}

static SsStatus
reach_add (ReachScan *self, SsPullPoint *point, SsError *err)
{
  if (self->n == self->capacity) {
    const int capacity = 2 * self->capacity + 64;
    SsPullPoint *points = ss_new_array (SsPullPoint, capacity);
    if (points == NULL)
      return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
    for (int i = 0; i < self->n; i++)
      ss_pull_point_move (&points[i], &self->points[i]);
    ss_free (self->points);
    self->points = points;
    self->capacity = capacity;
  }
  ss_pull_point_move (&self->points[self->n++], point);
  return SS_OK;
}

/* Adds the points that part the sequences of a and b, which stay. */
static SsStatus
reach_part (ReachScan *self, const SsPullPoint *a, const SsPullPoint *b, int *n_edges, SsError *err)
{
  const int cause = self->cause;
  const double range = self->model->to[cause] - self->model->from[cause];
  SsPullPoint sides[2] = {{{0}}}, mid = {0};
  double low = a->at[cause], high = b->at[cause];
  SsStatus status = SS_OK;
  if (*n_edges >= EDGES_MOST)
    return SS_OK;
  while (high - low > edge_known * range && status == SS_OK && !ss_pull_model_stops (self->model)) {
    const double x = low + (high - low) / 2;
    status = reach_make (self, x, &mid, err);
    if (status != SS_OK)
      break;
    const int side = mid.sequence == a->sequence ? 0 : mid.sequence == b->sequence ? 1 : 2;
    if (side == 2) { /* a third sequence lies between */
      const SsPullPoint *from = sides[0].events != NULL ? &sides[0] : a, *to = sides[1].events != NULL ? &sides[1] : b;
      status = reach_part (self, from, &mid, n_edges, err);
      if (status == SS_OK)
        status = reach_part (self, &mid, to, n_edges, err);
      if (status == SS_OK)
        status = reach_add (self, &mid, err);
      high = low;
      break;
    }
    *(side == 0 ? &low : &high) = x;
    ss_pull_point_move (&sides[side], &mid);
  }
  for (int k = 0; k < 2; k++) {
    const bool is_there = sides[k].sequence != 0 || sides[k].why[0] != '\0';
    if (status == SS_OK && is_there)
      status = reach_add (self, &sides[k], err);
    ss_pull_point_clear (&sides[k]);
  }
  *n_edges += high > low;
  ss_pull_point_clear (&mid);
  return status;
}

static int
reach_compare (const void *a, const void *b)
{
  const SsReachPoint *p = a, *q = b;
  return (p->at > q->at) - (p->at < q->at);
}

/* Index of the point's sequence among those listed, where it is put. */
static int
reach_sequence (SsReach *reach, unsigned long *known, SsPullPoint *point)
{
  if (point->sequence == 0)
    return -1;
  for (int i = 0; i < reach->n_sequences; i++)
    if (known[i] == point->sequence)
      return i;
  known[reach->n_sequences] = point->sequence;
  reach->sequences[reach->n_sequences] = point->events;
  point->events = NULL;
  return reach->n_sequences++;
}

/* The points in their order, and between which of them the sequence changes. */
static SsStatus
reach_tell (ReachScan *self, SsReach *reach, SsError *err)
{
  const SsPullModel *model = self->model;
  unsigned long *known = ss_new_array (unsigned long, self->n + 1);
  reach->points = ss_new_array (SsReachPoint, self->n + 1);
  reach->edges = ss_new_array (SsReachEdge, self->n + 1);
  reach->sequences = ss_new_array (SsEventList *, self->n + 1);
  const bool is_there = known != NULL && reach->points != NULL && reach->edges != NULL && reach->sequences != NULL;
  for (int i = 0; is_there && i < self->n; i++) {
    SsPullPoint *from = &self->points[i];
    SsReachPoint *to = &reach->points[reach->n_points++];
    to->at = from->at[self->cause];
    memcpy (to->values, from->values, sizeof to->values);
    for (int k = 0; k < model->m; k++)
      to->slopes[k] = from->slopes[k * model->n + self->cause];
    to->sequence = reach_sequence (reach, known, from);
  }
  ss_free (known);
  if (!is_there)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  qsort (reach->points, (size_t)reach->n_points, sizeof *reach->points, reach_compare);
  for (int i = 0; i + 1 < reach->n_points; i++) {
    const SsReachPoint *a = &reach->points[i], *b = &reach->points[i + 1];
    SsPullPoint pair[2] = {{.is_made = true}, {.is_made = true}};
    if (a->sequence == b->sequence)
      continue;
    SsReachEdge *edge = &reach->edges[reach->n_edges++];
    for (int k = 0; k < 2; k++) {
      const SsReachPoint *p = k == 0 ? a : b;
      memcpy (pair[k].values, p->values, sizeof p->values);
      pair[k].at[self->cause] = p->at;
      pair[k].events = p->sequence >= 0 ? reach->sequences[p->sequence] : NULL;
    }
    for (int k = 0; k < model->n; k++)
      if (k != self->cause)
        pair[0].at[k] = pair[1].at[k] = self->base[k];
    edge->point = i;
    edge->is_jump = a->sequence < 0 || b->sequence < 0 || ss_pull_jumps (model, &pair[0], &pair[1]);
    ss_pull_difference (&pair[0], &pair[1], &edge->event_kind, &edge->event_subject, &edge->event_time);
  }
  return SS_OK;
}

static SsStatus
reach_scan (ReachScan *self, int n_points, SsError *err)
{
  SsPullModel *model = self->model;
  const double from = model->from[self->cause], to = model->to[self->cause], was = model->numbers[self->cause].value;
  SsStatus status = SS_OK;
  int n_edges = 0;
  for (int i = 0; i < n_points && status == SS_OK && !ss_pull_model_stops (model); i++) {
    const double at = from + (to - from) * i / (n_points - 1), next = from + (to - from) * (i + 1) / (n_points - 1);
    SsPullPoint point = {0};
    status = reach_make (self, at, &point, err);
    if (status == SS_OK)
      status = reach_add (self, &point, err);
    ss_pull_point_clear (&point);
    if (status == SS_OK && was > at && was < next && i + 1 < n_points) {
      status = reach_make (self, was, &point, err);
      if (status == SS_OK)
        status = reach_add (self, &point, err);
      ss_pull_point_clear (&point);
    }
  }
  const int n = self->n; /* more come behind them */
  for (int i = 0; i + 1 < n && status == SS_OK; i++)
    if (self->points[i].sequence != self->points[i + 1].sequence) {
      SsPullPoint a = self->points[i], b = self->points[i + 1]; /* the list may move */
      status = reach_part (self, &a, &b, &n_edges, err);
    }
  return status;
}

SsStatus
ss_reach (const SsPullJob *job, int cause, int n_points, SsRunControl *control, SsReach *reach, SsError *err)
{
  SS_ASSERT (job != NULL && reach != NULL && cause >= 0 && cause < job->n_causes);

  const double cpu = ss_clock_thread_cpu ();
  SsPullModel model;
  *reach = (SsReach){0};
  if (n_points < POINTS_LEAST || n_points > POINTS_MOST)
    return ss_error_set (err, SS_ERR_INVALID, "%d points: %d to %d are possible", n_points, POINTS_LEAST, POINTS_MOST);
  SsStatus status = ss_pull_model_init (&model, job, control, err);
  if (status != SS_OK)
    return status;
  ReachScan self = {.model = &model, .cause = cause};
  for (int k = 0; k < model.n; k++)
    self.base[k] = model.numbers[k].value;
  model.most = job->most > 0 ? job->most : SIMULATIONS_A_POINT * n_points;
  status = reach_scan (&self, n_points, err);
  snprintf (reach->name, sizeof reach->name, "%s", job->causes[cause].name);
  reach->lower = model.from[cause];
  reach->upper = model.to[cause];
  reach->was = model.numbers[cause].value;
  reach->n_wants = model.m;
  memcpy (reach->outcomes, model.outcomes, sizeof reach->outcomes);
  for (int i = 0; i < self.n; i++)
    for (int k = 0; k < model.m && self.points[i].at[cause] == reach->was; k++)
      reach->outcomes[k].was = reach->outcomes[k].value = self.points[i].values[k];
  if (status == SS_OK)
    status = reach_tell (&self, reach, err);
  for (int i = 0; i < self.n; i++)
    ss_pull_point_clear (&self.points[i]);
  ss_free (self.points);
  reach->n_simulations = model.n_simulations;
  reach->cpu_seconds = ss_clock_thread_cpu () - cpu;
  ss_pull_model_clear (&model);
  if (status != SS_OK)
    ss_reach_clear (reach);
  return status;
}

void
ss_reach_clear (SsReach *reach)
{
  SS_ASSERT (reach != NULL);
  for (int i = 0; i < reach->n_sequences; i++)
    ss_events_free (reach->sequences[i]);
  ss_free (reach->sequences);
  ss_free (reach->points);
  ss_free (reach->edges);
  *reach = (SsReach){0};
}
