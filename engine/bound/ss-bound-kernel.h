/* engine/bound/ss-bound-kernel.h: the two inferences that a proof of a lower bound is made of, in intervals
 * rounded outward.
 *
 * A step: a constraint limits one of its variables by the box of the others (or the objective does, by the cutoff:
 * who is above it is no concern). A floor: with multipliers u of constraints (those of inequalities >= 0) every
 * feasible x of the box has
 *
 *   w f(x) >= L(x) = w f(x) - u'c(x) >= l = min of L over the box          (weak duality)
 *
 * with w = 1: f >= l; with w = 0 and l > 0: the box has no feasible point. What of L is not convex must cancel;
 * the rest is bounded from below by tangents of a sum of squares L D L' (any L and D >= 0 make one; what it lacks
 * counts as a residual over the box). So whatever multipliers a search brings: the number holds.
 *
 * Threads: one at a time. Tests: tests/numeric/test-bound.c
 */
#pragma once

#include "bound/ss-bound-form.h"

enum { SS_BOUND_CUTOFF = -1 }; /* as the constraint of a step: cutoff - f >= 0 */

typedef struct {
  int constraint, variable;
} SsBoundStep;

typedef struct {
  double weight; /* w: 0 or 1 */
  int n;
  int *constraint; /* n */
  double *value;   /* n */
  double *at;      /* of all variables: where tangents of squares that products couple touch; NULL: nowhere */
} SsBoundMultipliers;

typedef struct {
  double value;
  int unbounded; /* of -INFINITY: a variable that lacks a limit; -1 */
} SsBoundFloor;

typedef struct SsBoundKernel SsBoundKernel;

/* Borrows the problem. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_bound_kernel_new (const SsBoundProblem *problem, SsBoundKernel **out, SsError *err);
void ss_bound_kernel_free (SsBoundKernel *kernel); /* NULL is allowed */
/* side_on (2 n_pairs): a_p <= 0 and b_p <= 0 that hold here. Afterwards box[step->variable] may be empty (low > high).
 * SS_ERR_INVALID: no such step; the message says why, without a subject. */
SS_NODISCARD SsStatus ss_bound_kernel_step (SsBoundKernel *kernel, const SsBoundStep *step, const bool *side_on,
                                            double cutoff, SsInterval *box, SsError *err);
/* SS_ERR_INVALID: multipliers that are none; the message says why, without a subject. */
SS_NODISCARD SsStatus ss_bound_kernel_floor (SsBoundKernel *kernel, const SsBoundMultipliers *u, const bool *side_on,
                                             const SsInterval *box, SsBoundFloor *out, SsError *err);
/* Between which numbers the form lies in the box. */
SsInterval ss_bound_range (const SsBoundProblem *problem, const SsBoundForm *form, const SsInterval *box);
