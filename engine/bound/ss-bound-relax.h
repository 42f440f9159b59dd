/* engine/bound/ss-bound-relax.h: the convex relaxation of a node, for its multipliers and its point.
 *
 * Nothing here needs to be exact: what is proved is proved by the kernel from the multipliers. Variables without a
 * limit on one side are pushed to it by a small slope, so that their own multipliers keep the right sign.
 * Threads: one at a time. Tests: tests/numeric/test-bound.c
 */
#pragma once

#include "bound/ss-bound-kernel.h"
#include "core/ss-run-control.h"

typedef struct SsBoundRelaxation SsBoundRelaxation;

/* Borrows the problem. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_bound_relaxation_new (const SsBoundProblem *problem, SsBoundRelaxation **out, SsError *err);
void ss_bound_relaxation_free (SsBoundRelaxation *relaxation); /* NULL is allowed */
/* Whether a product is a variable of its own there: only then may it be violated. */
bool ss_bound_relaxation_lifts (const SsBoundRelaxation *relaxation, int product);
/* Scale of the objective's gradient: what multipliers of scaled rows are measured by. */
double ss_bound_relaxation_slope (const SsBoundRelaxation *relaxation);
typedef struct {
  double penalty;   /* > 0: multipliers of scaled rows are no larger, of the slope                                    */
  double pull;      /* slope by which both sides of undecided pairs are pulled to 0, so that their point is telling */
  bool without_far; /* leaves out the rows of variables without a limit that were far away at the last solve          */
} SsBoundAsk;

/* Writes multipliers, whose arrays have room for all constraints and variables. */
SS_NODISCARD SsStatus ss_bound_relaxation_solve (SsBoundRelaxation *relaxation, const bool *side_on,
                                                 const SsInterval *box, const SsBoundAsk *ask, SsRunControl *control,
                                                 SsBoundMultipliers *u, SsError *err);
typedef struct {
  const double *x, *w; /* values of variables and products (those that are lifted) */
  double lowest;       /* the relaxed objective there, without pulls and pushes */
  double violation;    /* largest of scaled rows */
} SsBoundPoint;

/* Where the last solve ended; one without what is far away does not count. Borrowed until the next one. */
SsBoundPoint ss_bound_relaxation_point (const SsBoundRelaxation *relaxation);
