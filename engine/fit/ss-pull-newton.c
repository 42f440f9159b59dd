/* engine/fit/ss-pull-newton.c: steps of a pull; see ss-pull.h. */
#include "fit/ss-pull-private.h"

#include <math.h>
#include <string.h>

enum { STEPS_MOST = 40, REJECTED_MOST = 7 };
/* The weight of |D (p - p0)| beside the outcomes, as a part of the largest squared derivative: so weak that outcomes
 * are off by a thousandth of a tolerance, far above rounding. */
static const double weak = 1e-12;
/* Distances at which a walk is content; changes, in sizes, that are none. */
static const double content = 0.1, still = 1e-9, settles = 1e-5;
/* Of the first step, in sizes. */
static const double first_radius = 1;

/* J' J + weak I in sizes and tolerances, and its right side. */
typedef struct {
  int n;
  double a[SS_PULL_CAUSES_MAX * SS_PULL_CAUSES_MAX], b[SS_PULL_CAUSES_MAX];
} PullSystem;

static void
pull_system_fill (const SsPullModel *model, const SsPullPoint *point, PullSystem *system)
{
  const int n = model->n;
  double largest = 0;
  *system = (PullSystem){.n = n};
  for (int i = 0; i < model->m; i++) {
    const SsPullOutcome *outcome = &model->outcomes[i];
    const double r = (point->values[i] - outcome->want) / outcome->tolerance;
    double row[SS_PULL_CAUSES_MAX];
    for (int k = 0; k < n; k++) {
      const double slope = point->slopes[i * n + k];
      row[k] = isfinite (slope) ? slope * model->size[k] / outcome->tolerance : 0;
    }
    for (int k = 0; k < n; k++) {
      system->b[k] -= row[k] * r;
      for (int l = 0; l < n; l++)
        system->a[k * n + l] += row[k] * row[l];
    }
  }
  for (int k = 0; k < n; k++)
    largest = fmax (largest, system->a[k * n + k]);
  for (int k = 0; k < n; k++) {
    system->a[k * n + k] += weak * largest;
    system->b[k] -= weak * largest * (point->at[k] - model->numbers[k].value) / model->size[k];
  }
}

/* The step of the numbers that are free; d has those of the others. false: nothing moves. */
static bool
pull_system_solve (const PullSystem *system, unsigned held, double *d)
{
  const int n = system->n;
  double l[SS_PULL_CAUSES_MAX * SS_PULL_CAUSES_MAX], y[SS_PULL_CAUSES_MAX];
  int index[SS_PULL_CAUSES_MAX], n_free = 0;
  for (int k = 0; k < n; k++)
    if ((held >> k & 1u) == 0)
      index[n_free++] = k;
  for (int i = 0; i < n_free; i++) {
    double b = system->b[index[i]];
    for (int k = 0; k < n; k++)
      b -= (held >> k & 1u) != 0 ? system->a[index[i] * n + k] * d[k] : 0;
    for (int j = 0; j <= i; j++) {
      double sum = system->a[index[i] * n + index[j]];
      for (int k = 0; k < j; k++)
        sum -= l[i * n + k] * l[j * n + k];
      if (i == j && !(sum > 0))
        return false;
      l[i * n + j] = i == j ? sqrt (sum) : sum / l[j * n + j];
    }
    for (int k = 0; k < i; k++)
      b -= l[i * n + k] * y[k];
    y[i] = b / l[i * n + i];
  }
  for (int i = n_free - 1; i >= 0; i--) {
    double sum = y[i];
    for (int k = i + 1; k < n_free; k++)
      sum -= l[k * n + i] * d[index[k]];
    d[index[i]] = sum / l[i * n + i];
  }
  return n_free > 0;
}

/* The step from a point within the bounds, in sizes, no longer than the radius. Its length; 0: there is none. */
static double
pull_step (const SsPullModel *model, const SsPullPoint *point, double radius, double *d)
{
  PullSystem system;
  unsigned held = 0;
  double length = 0;
  pull_system_fill (model, point, &system);
  memset (d, 0, (size_t)model->n * sizeof *d);
  for (int round = 0; round <= model->n; round++) {
    int worst = -1;
    double most = 0, stop = 0;
    if (!pull_system_solve (&system, held, d))
      break;
    for (int k = 0; k < model->n; k++) {
      const double low = (model->lower[k] - point->at[k]) / model->size[k];
      const double high = (model->upper[k] - point->at[k]) / model->size[k];
      const double beyond = fmax (low - d[k], d[k] - high);
      if ((held >> k & 1u) == 0 && beyond > most) {
        worst = k;
        most = beyond;
        stop = d[k] < low ? low : high;
      }
    }
    if (worst < 0)
      break;
    held |= 1u << worst;
    d[worst] = stop;
  }
  for (int k = 0; k < model->n; k++)
    length = hypot (length, d[k]);
  for (int k = 0; length > radius && k < model->n; k++)
    d[k] *= radius / length;
  return isfinite (length) ? fmin (length, radius) : 0;
}

/* Whether a motion is better: nearer to what is wanted, or there with less change. */
static bool
pull_is_better (const SsPullModel *model, const SsPullPoint *trial, const SsPullPoint *best)
{
  if (ss_pull_distance (model, trial) <= content && ss_pull_distance (model, best) <= 1)
    return ss_pull_change (model, trial->at) < (1 - settles) * ss_pull_change (model, best->at) ||
           ss_pull_distance (model, best) > content;
  return ss_pull_misfit (model, trial) < (1 - 1e-6) * ss_pull_misfit (model, best);
}

SsStatus
ss_pull_walk (SsPullModel *model, SsPullPoint *best, SsError *err)
{
  SS_ASSERT (model != NULL && best != NULL && best->is_made);

  const unsigned all = (1u << model->n) - 1;
  double radius = first_radius;
  int n_rejected = 0;
  SsStatus status = SS_OK;
  for (int step = 0; step < STEPS_MOST && n_rejected < REJECTED_MOST && !ss_pull_model_stops (model); step++) {
    double d[SS_PULL_CAUSES_MAX], at[SS_PULL_CAUSES_MAX];
    SsPullPoint trial = {0};
    if (ss_pull_distance (model, best) <= content && model->n <= model->m)
      break;
    if (!best->has_slopes) {
      memcpy (at, best->at, sizeof at);
      status = ss_pull_point_make (model, at, all, &trial, err);
      if (status == SS_OK && trial.is_made)
        ss_pull_point_move (best, &trial);
      ss_pull_point_clear (&trial);
      if (status != SS_OK || !best->has_slopes)
        return status;
    }
    const double length = pull_step (model, best, radius, d);
    if (length < still)
      break;
    for (int k = 0; k < model->n; k++)
      at[k] = fmin (fmax (best->at[k] + d[k] * model->size[k], model->lower[k]), model->upper[k]);
    status = ss_pull_point_make (model, at, model->follows ? all : 0, &trial, err);
    if (status != SS_OK)
      return status;
    if (pull_is_better (model, &trial, best)) {
      ss_pull_point_move (best, &trial);
      radius = fmax (radius, 2 * length);
      n_rejected = 0;
    } else {
      radius = length / 4;
      n_rejected++;
    }
    ss_pull_point_clear (&trial);
  }
  return SS_OK;
}
