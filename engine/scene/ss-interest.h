/* engine/scene/ss-interest.h: quantities of interest: what a user asks of a motion, as a formula over its channels and
 * events: "final(box3.x)", "max(energy.kinetic)", "first(impact box floor).t", "integral(abs(u.motor*box.omega))".
 *
 * Formula   that of expr/ss-expr.h without next() and sum(), with
 *   final(f) start(f) max(f) min(f) mean(f) rms(f) integral(f)
 *                        of a formula f of channels over the rows of the motion. mean, rms and integral are those of
 *                        straight lines between rows; max and min of two and more are those of numbers
 *   always(c, from=A, to=B) ever(c, from=A, to=B)
 *                        whether the condition c of channels holds in all, or in one, of the rows of the motion between
 *                        these times [s] (either may be left out); NaN: there is no row between
 *   count(WORD...)       how many events have all of these words: their kind (simulate/ss-events.h), the name of their
 *                        contact or joint, or what stands before or behind a '-' in it, such as floor and box of
 *                        floor-box, which is called box-floor as well, unless something of the motion has that name
 *                        itself; `any` is a word of each
 *   first(...).t last(...).t .impulse
 *                        time [s] and impulse [N s] of the first or the last of them; NaN: there is none
 *   nth(N, WORD...).t .impulse
 *                        the same of the one with the number N, from 1
 *   a channel alone      final(channel); a '-' in its name is written '_'
 * Truth     is 1, its contrary 0: "box3.y < 0.3". A formula whose value is a truth is an assertion: it holds or fails.
 * Unit      follows from those of the channels; numbers take what fits. Sums of unlike units are errors.
 * Threads   a formula is read only; any. Tests: tests/unit/test-interest.c
 */
#pragma once

#include "core/ss-trajectory.h"

typedef struct SsInterest SsInterest;

/* SS_ERR_INVALID, SS_ERR_SYNTAX: the text is no formula; err->column is the place in it, from 1. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_interest_new (const char *text, SsInterest **out, SsError *err);
void ss_interest_free (SsInterest *interest); /* NULL is allowed */

enum { SS_INTEREST_UNIT = 40 };

/* Borrowed. `subject`: name of the contact or joint. */
typedef struct {
  const char *kind, *subject;
  double t, impulse; /* [s], [N s]; NaN: none */
} SsInterestEvent;

/* The unit of values of motions with these channels, before there is one (rows are not read). A name that is none of
 * them passes as a number that takes any unit where a method may add it: an owner of theirs, a '.', and a quantity
 * (core/ss-channel.h). SS_ERR_INVALID: another name, or units do not fit; the message says which. */
SS_NODISCARD SsStatus ss_interest_unit (const SsInterest *interest, const SsTrajectory *channels,
                                        char unit[SS_INTEREST_UNIT], SsError *err);
/* The same of motions of that scenario. */
struct SsScenario;
SS_NODISCARD SsStatus ss_interest_unit_of (const SsInterest *interest, const struct SsScenario *scenario,
                                           char unit[SS_INTEREST_UNIT], SsError *err);
/* Of a motion with at least one row, and its events by time. `value` is NaN where there is none; `unit` is "m/s" and
 * the like, "" for a number. SS_ERR_INVALID: a channel is not there, or units do not fit; the message says which. */
SS_NODISCARD SsStatus ss_interest_value (const SsInterest *interest, const SsTrajectory *motion,
                                         const SsInterestEvent *events, int n_events, double *value,
                                         char unit[SS_INTEREST_UNIT], SsError *err);

/* An interest in a motion that is seen row by row, which need not keep its rows. Borrows the interest. One thread at a
 * time. */
typedef struct SsInterestSum SsInterestSum;
/* Of motions with these channels, whose rows are not read. Errors as of ss_interest_value. */
SS_NODISCARD SsStatus ss_interest_sum_new (const SsInterest *interest, const SsTrajectory *channels,
                                           SsInterestSum **out, SsError *err);
void ss_interest_sum_free (SsInterestSum *sum); /* NULL is allowed */
/* The next rows of the motion, first..end - 1 of `motion`, none of them of stages. */
void ss_interest_sum_rows (SsInterestSum *sum, const SsTrajectory *motion, int first, int end);
/* As ss_interest_value, of all rows that were seen; `motion` has its last row, and may have channels more. */
SS_NODISCARD SsStatus ss_interest_sum_value (const SsInterestSum *sum, const SsTrajectory *motion,
                                             const SsInterestEvent *events, int n_events, double *value,
                                             char unit[SS_INTEREST_UNIT], SsError *err);
double ss_interest_sum_broken_at (const SsInterestSum *sum); /* as ss_interest_broken_at */

/* Whether it is an assertion: a comparison, always(...), ever(...), or made of such by and, or, not. */
bool ss_interest_is_assertion (const SsInterest *interest);
/* Whether its value follows from all rows of a motion: from max, min, mean, rms, integral, always or ever. A motion of
 * which some rows are kept does not tell it. */
bool ss_interest_reads_all_rows (const SsInterest *interest);
/* Time [s] of the first row of the motion in which a condition of an always(...) is false; NaN: there is none. Errors
 * as above. */
SS_NODISCARD SsStatus ss_interest_broken_at (const SsInterest *interest, const SsTrajectory *motion, double *t,
                                             SsError *err);
