/* engine/fesd/ss-fesd-sequence.h: a mode sequence: which contacts are open, stick or slip when, and where velocities
 * jump, over the control intervals of a plan; with a motion as a guess.
 *
 * An interval is a row of segments, and each segment a row of finite elements in the same modes. Segments meet where a
 * contact switches, where velocities jump, or where an interval ends. Whoever reads one from a motion or an iterate, or
 * solves the smooth problem that remains when all modes are fixed, shares this.
 *
 * Modes      of a gap, as in fesd/ss-fesd-element.h; a closed gap without friction is SS_FESD_SLIP_PLUS.
 * Jumps      of a gap at the left point of a segment: OPEN: no impulse; else Newton's law of restitution acts there,
 *            with sticking or slip of that direction after it (without friction SLIP_PLUS).
 * Samples    states and forces along a segment, at shares theta of its length: theta, q (n_q), v (n_q), normal forces
 *            (n_gaps), tangential forces (n_gaps), gaps (n_gaps). By rising theta; between two of them forces are
 *            taken as linear, states as the cubic through the four nearest.
 * Elements   of a segment: shares of its length, whose ratios stay fixed while its length may change.
 * Ownership  a sequence owns all it holds. Errors: SS_ERR_MEMORY, and the sequence is as it was.
 * Threads    one at a time. Tests: tests/numeric/test-polish.c
 */
#pragma once

#include "fesd/ss-fesd-element.h"

typedef struct {
  int interval;
  double length;           /* [s] */
  SsFesdMode *mode, *jump; /* n_gaps */
  double *impulse;         /* 2 n_gaps: normal and tangential of the jump [N s] */
  int n_elements;
  double *shares; /* n_elements, their sum is 1 */
  int n_samples, capacity;
  double *samples;
} SsFesdSegment;

typedef struct {
  int n_intervals, n_gaps, n_q, n_controls;
  double *controls; /* n_intervals * n_controls */
  double horizon;   /* [s] */
  int n_segments, capacity;
  SsFesdSegment *segments; /* by time; every interval has at least one */
} SsFesdSequence;

/* One element of the sequence. */
typedef struct {
  int segment, number; /* number of the element in its segment */
  double first, last;  /* shares of the segment's length */
  double length;       /* [s] */
} SsFesdPlace;

/* Without segments; controls are 0. */
SS_NODISCARD SsStatus ss_fesd_sequence_new (int n_intervals, int n_gaps, int n_q, int n_controls, double horizon,
                                            SsFesdSequence **out, SsError *err);
void ss_fesd_sequence_free (SsFesdSequence *sequence); /* NULL is allowed */
/* All of it, samples too. */
SS_NODISCARD SsStatus ss_fesd_sequence_copy (const SsFesdSequence *from, SsFesdSequence **out, SsError *err);

/* A new segment before the one of that number, in one element, all open, without samples. */
SS_NODISCARD SsStatus ss_fesd_sequence_insert (SsFesdSequence *sequence, int before, int interval, double length,
                                               SsError *err);
void ss_fesd_sequence_remove (SsFesdSequence *sequence, int segment);
/* Numbers of one sample. */
int ss_fesd_sequence_sample_size (const SsFesdSequence *sequence);
/* Room for one more sample at the end of the segment, theta set; NULL: no memory. */
double *ss_fesd_sequence_add_sample (SsFesdSequence *sequence, int segment, double theta);
/* The motion at a share of the segment's length, into out[sample size]; the segment has samples. */
void ss_fesd_sequence_sample (const SsFesdSequence *sequence, int segment, double theta, double *out);
/* The segment in that many elements, the others as `shares` says (copied; NULL: equal ones). */
SS_NODISCARD SsStatus ss_fesd_sequence_divide (SsFesdSequence *sequence, int segment, int n_elements,
                                               const double *shares, SsError *err);

/* Whether the mode of a gap changes with an interval's end, the left point of that segment, without a jump of it there
 * or in the interval before (earlier) or after, so that the change can come an interval earlier or later. */
bool ss_fesd_sequence_can_shift (const SsFesdSequence *sequence, int segment, int gap, bool earlier);
/* Where that can be: makes it so. */
void ss_fesd_sequence_shift (SsFesdSequence *sequence, int segment, int gap, bool earlier);

/* Of all segments. */
int ss_fesd_sequence_n_elements (const SsFesdSequence *sequence);
/* Of the interval that has most. */
int ss_fesd_sequence_most_elements (const SsFesdSequence *sequence);
/* All elements, by time; `places` has room for them. */
void ss_fesd_sequence_places (const SsFesdSequence *sequence, SsFesdPlace *places);
/* Of the samples [m]. */
double ss_fesd_sequence_largest_gap (const SsFesdSequence *sequence, int segment, int gap);
/* Whether any gap has an impulse at the segment's left point. */
bool ss_fesd_sequence_jumps (const SsFesdSequence *sequence, int segment);
/* Whether modes are the same in both segments. */
bool ss_fesd_sequence_same_modes (const SsFesdSequence *sequence, int a, int b);
