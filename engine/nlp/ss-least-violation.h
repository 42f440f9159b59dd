/* engine/nlp/ss-least-violation.h: a point near which no point keeps the rows, and the rows that conflict there.
 *
 * From x0, usually where a method gave up, CRISP without an objective and with all penalties 1 minimises the sum of the
 * violations. At its end x the multipliers of the last subproblem are weights w of the rows, in [0, 1], of equalities
 * in [-1, 1]. For every step p, whatever the weights,
 *
 *   sum of linearised violations (p) >= -w'(c + C p) >= bound := -w'c - sum_j box_j |C'w|_j,  |p_j| <= box_j
 *
 * with box_j = 0.1 max (1, |x_j|). Where the bound is nearly the sum at x, that cannot fall to first order, and the
 * rows with a weight are those that conflict (Farkas' lemma for the linearised rows). It is a statement about the
 * neighbourhood: a product of a pair, or a curved row, may be kept elsewhere. Where all rows with a weight are affine,
 * the same bound in a box of half width 1e6 around x says so of all points there.
 *
 * Threads: one at a time for one mpcc, whose objective is switched off meanwhile. Memory: allocated for the look.
 * Tests: tests/numeric/test-verdicts.c
 */
#pragma once

#include "nlp/ss-nlp.h"

enum { SS_CONFLICT_ROWS = 5 };

typedef struct {
  bool is_feasible;           /* x keeps its rows to 1e-6: nothing conflicts, the rest is not set */
  bool is_least;              /* bound >= 0.9 sum, of a sum that is no rounding */
  bool is_global;             /* no point within 1e6 of x keeps the rows that conflict */
  double sum;                 /* of violations at x */
  double bound;               /* of that sum within the box, to first order */
  int n_rows;                 /* that conflict: weights above 1e-3 of the largest */
  int rows[SS_CONFLICT_ROWS]; /* the heaviest of them, heaviest first */
  double cpu_seconds;
} SsLeastViolation;

/* x (n_variables): the point that was reached, also where nothing is proved of it. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_least_violation_look (SsMpcc *mpcc, const double *x0, SsRunControl *control, double *x,
                                               SsLeastViolation *result, SsError *err);
/* "no point near here is feasible: rows a, b conflict (...)" */
void ss_least_violation_describe (const SsMpcc *mpcc, const SsLeastViolation *result, char *text, size_t size);
