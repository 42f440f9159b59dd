/* engine/core/ss-span.c: see the header. */
#include "core/ss-span.h"

#include "core/ss-memory.h"
#include "core/ss-stage-rows.h"

#include <math.h>

static const double PI = 3.14159265358979323846;
enum { SAMPLES_LEAST = 64 };

/* A straight piece of the channel. */
typedef struct {
  double t0, t1, f0, f1;
} Piece;

/* Goes over the pieces of a span, between rows of steps: no number depends on whether stages are kept. */
typedef struct {
  const SsTrajectory *motion;
  int channel, stage, row; /* stage: the channel; -1: all rows are of steps */
  double from, to;
} Walk;

static double
time_of (const SsTrajectory *motion, int row)
{
  return ss_trajectory_row (motion, row)[0];
}

/* The next piece, cut to the span; false: there is none. Jumps are pieces without length. */
static bool
next (Walk *walk, Piece *piece)
{
  const SsTrajectory *motion = walk->motion;

  int after = ss_stage_rows_next_step (motion, walk->stage, walk->row);
  while (after >= 0 && time_of (motion, after) < walk->from) {
    walk->row = after;
    after = ss_stage_rows_next_step (motion, walk->stage, walk->row);
  }
  if (after < 0 || time_of (motion, walk->row) > walk->to)
    return false;
  const double *a = ss_trajectory_row (motion, walk->row), t0 = a[0], f0 = a[walk->channel],
               *b = ss_trajectory_row (motion, after), h = b[0] - t0, df = b[walk->channel] - f0;

  *piece = (Piece){t0, b[0], f0, f0 + df};
  if (h > 0 && t0 < walk->from)
    *piece = (Piece){walk->from, piece->t1, f0 + df * (walk->from - t0) / h, piece->f1};
  if (h > 0 && b[0] > walk->to)
    *piece = (Piece){piece->t0, walk->to, piece->f0, f0 + df * (walk->to - t0) / h};
  walk->row = after;
  return true;
}

/* The walk over a span that there is; else an error. */
static SsStatus
begin (const SsTrajectory *motion, int channel, double from, double to, Walk *walk, SsError *err)
{
  SS_ASSERT (motion != NULL && walk != NULL);
  if (motion->n_rows < 2)
    return ss_error_set (err, SS_ERR_INVALID, "the motion has fewer than two rows");
  if (channel < 1 || channel >= motion->n_channels)
    return ss_error_set (err, SS_ERR_INVALID, "there is no such channel");
  const double first = time_of (motion, 0), last = time_of (motion, motion->n_rows - 1);
  *walk = (Walk){motion, channel, ss_stage_rows_channel (motion), 0, fmax (from, first), fmin (to, last)};
  if (!(walk->from < walk->to))
    return ss_error_set (err, SS_ERR_INVALID,
                         "no time lies between %.9g s and %.9g s (the motion is from %.9g to %.9g)", from, to, first,
                         last);
  return SS_OK;
}

SsStatus
ss_span_of (const SsTrajectory *motion, int channel, double from, double to, SsSpan *span, SsError *err)
{
  Walk walk, again;
  Piece piece;
  double sum = 0, squares = 0, moment = 0, apart = 0;
  SsStatus status = begin (motion, channel, from, to, &walk, err);

  SS_ASSERT (span != NULL);
  if (status != SS_OK)
    return status;
  const double length = walk.to - walk.from, middle = (walk.from + walk.to) / 2;
  again = walk;
  *span = (SsSpan){.from = walk.from, .to = walk.to, .at_from = NAN, .least = INFINITY, .most = -INFINITY};
  while (next (&walk, &piece)) {
    const double h = piece.t1 - piece.t0, a = piece.f0, b = piece.f1, ta = piece.t0 - middle, tb = piece.t1 - middle;
    if (!isfinite (a) || !isfinite (b))
      return ss_error_set (err, SS_ERR_INVALID, "the channel %s is not finite at %.9g s",
                           motion->channels[channel].name, isfinite (a) ? piece.t1 : piece.t0);
    if (piece.t1 <= span->from) /* a jump there: what counts is the state after it */
      continue;
    if (isnan (span->at_from))
      span->at_from = a;
    span->at_to = b;
    span->least = fmin (span->least, fmin (a, b));
    span->most = fmax (span->most, fmax (a, b));
    span->n_rows += piece.t1 < span->to;
    sum += h * (a + b) / 2;
    squares += h * (a * a + a * b + b * b) / 3;
    moment += h * (2 * ta * a + ta * b + tb * a + 2 * tb * b) / 6;
  }
  span->mean = sum / length;
  span->rms = sqrt (squares / length);
  while (next (&again, &piece)) {
    const double a = piece.f0 - span->mean, b = piece.f1 - span->mean;
    apart += (piece.t1 - piece.t0) * (a * a + a * b + b * b) / 3;
  }
  span->deviation = sqrt (apart / length);
  span->difference = span->at_to - span->at_from;
  span->slope = span->difference / length;
  span->fitted_slope = 12 * moment / (length * length * length);
  return SS_OK;
}

/* ---- spectrum ---------------------------------------------------------------------------------------------------- */

/* Adds the integral of a piece to the cells of the width h that it crosses. */
static void
add_piece (const Piece *piece, double from, double h, int n, double *cells)
{
  const double slope = piece->t1 > piece->t0 ? (piece->f1 - piece->f0) / (piece->t1 - piece->t0) : 0;

  for (int i = (int)fmin (fmax (floor ((piece->t0 - from) / h), 0), n - 1); i < n; i++) {
    const double a = fmax (piece->t0, from + i * h), b = fmin (piece->t1, from + (i + 1) * h);
    if (b > a)
      cells[i] += (b - a) * (piece->f0 + slope * ((a + b) / 2 - piece->t0));
    if (piece->t1 <= from + (i + 1) * h)
      return;
  }
}

SsStatus
ss_span_spectrum (const SsTrajectory *motion, int channel, double from, double to, double *frequencies,
                  double *amplitudes, int *n_lines, SsError *err)
{
  SsSpan span;
  Walk walk;
  Piece piece;
  int n = SAMPLES_LEAST;

  SS_ASSERT (frequencies != NULL && amplitudes != NULL && n_lines != NULL);
  *n_lines = 0;
  SsStatus status = ss_span_of (motion, channel, from, to, &span, err);
  if (status == SS_OK)
    status = begin (motion, channel, from, to, &walk, err);
  if (status != SS_OK)
    return status;
  while (n < span.n_rows && n < SS_SPECTRUM_SAMPLES)
    n *= 2;
  const double length = span.to - span.from, h = length / n;
  double *cells = ss_new_array (double, n), *cosines = ss_new_array (double, n);
  if (cells == NULL || cosines == NULL) {
    ss_free (cells);
    ss_free (cosines);
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  }
  while (next (&walk, &piece))
    add_piece (&piece, span.from, h, n, cells);
  for (int i = 0; i < n; i++) {
    cosines[i] = cos (2 * PI * i / n);
    cells[i] = (cells[i] / h - span.mean) * (1 - cos (2 * PI * (i + 0.5) / n)) / 2;
  }
  for (int k = 1; k < n / 2; k++) {
    const double x = PI * k / n;
    double re = 0, im = 0;
    for (int i = 0; i < n; i++) { /* n is a power of two: the sine is the cosine a quarter of a turn before */
      re += cells[i] * cosines[(k * i) & (n - 1)];
      im += cells[i] * cosines[(k * i - n / 4) & (n - 1)];
    }
    frequencies[k - 1] = k / length;
    amplitudes[k - 1] = 4. / n * hypot (re, im) * x / sin (x);
  }
  *n_lines = n / 2 - 1;
  ss_free (cells);
  ss_free (cosines);
  return SS_OK;
}
