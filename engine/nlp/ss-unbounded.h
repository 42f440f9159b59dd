/* engine/nlp/ss-unbounded.h: whether an objective falls without bound along points that keep every row.
 *
 * No optimiser is asked: what counts is a trail of points, each judged by its rows and its objective.
 *   - A number that the objective cannot go below, found by interval arithmetic (ss_mpcc_objective_floor), ends the
 *     look: so it does for costs that are sums of squares, such as those of most plans.
 *   - The problem is solved in boxes of 10, 100, ... 1e5 around 0 and the start, each from the answer before:
 *     to second order (ss-finish.h), and where that ends inside of its box by the linear program with complementarity
 *     (ss-lpcc.h), at last over all of its branches. Where nothing falls, as at rest under a concave cost: from half a
 *     box along a way on which the objective curves down and the rows hold to first order, products aside (power
 *     iteration, to both sides). It starts from the end of a way with relaxed products (a body at rest that sticks is
 *     a local answer), then from the start itself, moved aside and corrected to the rows. Where the objective does not
 *     fall or no box holds its answer, it is bounded, as far as that can tell.
 *   - The trail of the last three answers is drawn out by factors of 10, each variable by the power of its own growth,
 *     each point corrected to the rows by least changes relative to the sizes of the variables, until variables reach
 *     1e15 or the objective leaves the range of numbers. Each point must keep its rows to 1e-10 of the size of their
 *     terms, and each decade must lower the objective by at least .9 of what the one before did: so logarithms count as
 *     unbounded, and what flattens out (exp (-x), arctan) or is held by a bound below 1e15 does not.
 *
 * Memory: allocated for the look. Threads: one at a time. Tests: tests/numeric/test-unbounded.c
 */
#pragma once

#include "nlp/ss-nlp.h"

typedef struct {
  bool is_unbounded; /* else: not found to be                                                              */
  bool is_stopped;   /* by the control                                                                     */
  double floor;      /* what interval arithmetic knows: -INFINITY or a bound                               */
  double objective;  /* at x                                                                               */
  double reached;    /* the lowest objective on the trail; -INFINITY: below the range of numbers          */
  double size;       /* of the largest variable there                                                      */
  int variable;      /* which it is                                                                        */
  int programs;      /* boxes and corrections that were solved                                             */
  double cpu_seconds;
} SsUnboundedResult;

/* From x0 (n_variables), which need not keep any row; x: where is_unbounded an answer of the last box that keeps every
 * row as answers of optimisers do, else undefined. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_unbounded_look (const SsMpcc *mpcc, const double *x0, SsRunControl *control, double *x,
                                         SsUnboundedResult *result, SsError *err);

/* Whether some point near x0 keeps every row, whatever the objective: by the corrections of the trail, from x0 moved
 * aside, then from x0 itself, with the smaller sides of pairs as their zeros. x (n_variables): that point where *found,
 * to what answers of optimisers keep. For methods that say that there is none: their penalties may have been too small
 * for the objective. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_feasible_look (const SsMpcc *mpcc, const double *x0, SsRunControl *control, double *x,
                                        bool *found, SsError *err);
