/* engine/core/ss-span.h: what lies of a channel between two times: differences, means, extremes, spectrum.
 *
 * Between rows the channel is a straight line, as for formulas (scene/ss-interest.h); rows of one time are a jump. Rows
 * of stages (core/ss-stage-rows.h) do not count, as for formulas. The times are seconds, or the unit of the clock of a
 * motion that is told by another (ss_trajectory_by_clock).
 * Threads: any. Tests: tests/unit/test-measure.c
 */
#pragma once

#include "core/ss-trajectory.h"

typedef struct {
  double from, to;                   /* [s]: the times asked for, within the motion */
  int n_rows;                        /* that lie between */
  double at_from, at_to, difference; /* of the channel, in its unit; of a jump at such a time the state after it */
  double slope;                      /* of the line between both ends [unit/s] */
  double fitted_slope;               /* of the line with the least mean square distance [unit/s] */
  double mean, deviation, rms;       /* over the time; deviation: root of the mean square distance from the mean */
  double least, most;
} SsSpan;

/* From the time `from` to the time `to`, which are moved into the motion where they lie beside it. SS_ERR_INVALID: the
 * motion has no rows, the channel is not there or not finite, or no time lies between. */
SS_NODISCARD SsStatus ss_span_of (const SsTrajectory *motion, int channel, double from, double to, SsSpan *span,
                                  SsError *err);

/* Most samples of a spectrum, and most of its lines. */
enum { SS_SPECTRUM_SAMPLES = 4096, SS_SPECTRUM_LINES = SS_SPECTRUM_SAMPLES / 2 - 1 };

/* The amplitude [unit] of the channel at the frequencies i / (to - from) [Hz], i = 1 .. *n_lines, of the same
 * span: that of a sine of this frequency is its amplitude. Rows need not be evenly spaced: the span is cut into N
 * equal cells, the power of two from 64 to SS_SPECTRUM_SAMPLES that is at least the number of rows; a sample is
 * the mean over its cell; the mean over the whole is taken off, a Hann window is laid over, and what the means
 * over cells take from a sine, sinc (i / N), is given back. Arrays have room for SS_SPECTRUM_LINES. *n_lines = N /
 * 2 - 1. Errors as above, and SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_span_spectrum (const SsTrajectory *motion, int channel, double from, double to,
                                        double *frequencies, double *amplitudes, int *n_lines, SsError *err);
