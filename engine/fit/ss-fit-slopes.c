/* engine/fit/ss-fit-slopes.c: derivatives of measured values from those of a motion, which are known at the ends of its
 * steps: dq/dp and dv/dp, that is the derivative of dq/dp by the time. Between two ends a cubic; where events lie
 * between them, a line from the end that no event parts from the value. */
#include "fit/ss-fit-model.h"

#include <math.h>

/* Derivatives over a step: the q and v of a coordinate at its ends, and the first and last event between them. */
typedef struct {
  double begin, end, first, last; /* first > last: no event */
  double q[2], v[2];
} Piece;

static double
position_slope (const Piece *p, double t)
{
  const double h = p->end - p->begin, s = (t - p->begin) / h, mean = (p->q[1] - p->q[0]) / h;

  if (p->first <= p->last)
    return t <= p->first ? p->q[0] + (t - p->begin) * p->v[0] : p->q[1] + (t - p->end) * p->v[1];
  return p->q[0] + h * s * (mean + (1 - s) * ((p->v[0] - mean) * (1 - s) - (p->v[1] - mean) * s));
}

static double
velocity_slope (const Piece *p, double t)
{
  if (p->first <= p->last)
    return p->v[t > p->first];
  return p->v[0] + (t - p->begin) / (p->end - p->begin) * (p->v[1] - p->v[0]);
}

static double
slope_at (const SsTrajectory *slopes, const SsEventList *events, int column, int coordinate, double t)
{
  const int low = ss_trajectory_row_up_to (slopes, 0, fmax (t, 0));
  const int high = low + 1 < slopes->n_rows ? low + 1 : low;
  const double *a = ss_trajectory_row (slopes, low), *b = ss_trajectory_row (slopes, high);
  const int q = column + coordinate % 3, v = q + 3;
  Piece piece = {a[0], b[0], INFINITY, -INFINITY, {a[q], b[q]}, {a[v], b[v]}};

  if (t <= a[0] || high == low) /* before the begin bodies move on as they do then */
    return coordinate < 3 ? a[q] + (t - a[0]) * a[v] : a[v];
  for (int i = 0; events != NULL && i < events->n_items; i++)
    if (events->items[i].t > a[0] && events->items[i].t <= b[0]) {
      piece.first = fmin (piece.first, events->items[i].t);
      piece.last = fmax (piece.last, events->items[i].t);
    }
  if (t > piece.first && t <= piece.last)
    return NAN;
  return coordinate < 3 ? position_slope (&piece, t) : velocity_slope (&piece, t);
}

bool
ss_fit_slopes_read (const SsFitModel *model, const SsFitFollowed *followed, int input, int trial, double offset,
                    double scale, double *jacobian)
{
  SS_ASSERT (model != NULL && followed != NULL);

  const SsSensitivity *s = followed->sensitivity;
  const int first = 1 + input * ss_sensitivity_width (s), k = followed->unknowns[input];
  bool is_told = true;

  for (int i = model->first[trial]; i < model->first[trial + 1] && is_told; i++) {
    const SsFitCell *cell = &model->cells[i];
    const int column = first + SS_BODY_CHANNELS * cell->body;
    double *d = &jacobian[(size_t)i * (size_t)model->n_unknowns + (size_t)k];
    *d = slope_at (s->slopes, followed->events, column, cell->coordinate, cell->t - offset);
    *d *= cell->coordinate % 3 < 2 ? scale : 1;
    is_told = isfinite (*d);
  }
  return is_told;
}
