/* engine/qp/ss-qp.h: the convex subproblem of CRISP by a primal-dual interior point method.
 *
 *   minimise   g'p + p'H p / 2 + sum_i muE_i |JE p + cE|_i + sum_i muI_i max(0, -(JI p + cI))_i
 *                                                                                                    [004 (12a)-(12d)]
 *   subject to lower_j <= p_j <= upper_j            the paper's box |p_j| <= radius_j, cut by bounds of variables
 *
 * The l1 slacks never enter the factorised system: a penalised inequality row is a row whose multiplier lives in [0,
 * muI_i], a penalised equality row one whose multiplier lives in [-muE_i, muE_i]. Unknowns of the factorised system: p
 * and one unknown per equality row; inequality rows are condensed into the p block. Pattern, order and symbolic work
 * are computed once in ss_qp_new. The QP always has a solution; where it lies in a flat set, the interior point method
 * returns a point in the middle of it, on purpose (no proximal term in the optimality conditions).
 *
 * Memory     ss_qp_solve allocates nothing.   Threads: one thread at a time per object.
 * Tests      tests/unit/test-qp.c: planted optima, KKT residuals recomputed, multipliers in their intervals.
 */
#pragma once

#include "linalg/ss-linalg.h"

typedef struct SsQp SsQp;

typedef struct {
  int max_iterations;        /* 60                                                     */
  double tolerance_residual; /* primal and dual residual, relative to the data's scale    */
  double tolerance_gap;      /* complementarity gap, relative to |g'p + p'Hp/2| + gap_unit */
  double gap_unit;           /* 1: what a value of the problem's objective is worth; > 0  */
  /* fraction to the boundary, 0.98: longer steps spoil the centring and cost the outer loop iterations */
  double step_fraction;
  double shift; /* added to the matrix only (never to the residuals)         */
} SsQpOptions;
/* The values named beside the fields; tolerances 1e-4 (residual) and 1e-3 (gap), shift 1e-11. */
void ss_qp_options_init (SsQpOptions *options);

/* Borrowed for the call of ss_qp_new: patterns are copied. */
typedef struct {
  int n;                     /* variables                                                                    */
  int n_eq, n_ineq;          /* rows 0..n_eq-1 of the Jacobian are equalities, the rest inequalities         */
  const SsPattern *hessian;  /* lower triangle by columns (n x n)                                            */
  const SsPattern *jacobian; /* by rows (n_eq + n_ineq) x n                                                  */
  const bool *is_outside;    /* n_eq + n_ineq, inequalities that are no part of the problem; NULL: none         */
} SsQpShape;

typedef struct {          /* all borrowed for the call of ss_qp_solve */
  const double *hessian;  /* values, positive semidefinite            */
  const double *gradient; /* n                                        */
  const double *jacobian; /* values                                   */
  const double *c;        /* n_eq + n_ineq                            */
  const double *mu;       /* n_eq + n_ineq, > 0                       */
  const double *lower;    /* n, < upper; zero need not be inside      */
  const double *upper;    /* n, finite as lower                       */
} SsQpData;

typedef struct {
  SsOutcome outcome; /* SOLVED, MAX_ITERATIONS, CANCELLED, TIME_LIMIT, FAILED (not finite)           */
  int iterations;
  double residual_dual;      /* largest |H p + g - J' y + bound multipliers|, unscaled                       */
  double residual_primal;    /* largest violation of the row definitions, unscaled                           */
  double gap;                /* sum of complementarity products (unscaled)                                   */
  double model_change;       /* model value at p minus at 0, l1 terms included, recomputed from p; <= 0 when solved
                                with 0 in the box */
  const double *p;           /* n; borrowed until the next solve                                             */
  const double *multipliers; /* n_eq + n_ineq; equality in [-mu, mu], inequality in [0, mu], 0 for those outside */
  const double *at_lower, *at_upper; /* n: multipliers of the box, > 0                                              */
} SsQpResult;

/* Analyses the patterns (orderings, elimination trees); options are copied, NULL: defaults. On failure *out is NULL. */
SS_NODISCARD SsStatus ss_qp_new (const SsQpShape *shape, const SsQpOptions *options, SsQp **out, SsError *err);
/* No allocation. `control` may be NULL. How it ended stands in the result; an error only where the data break their
 * contract. */
SS_NODISCARD SsStatus ss_qp_solve (SsQp *qp, const SsQpData *data, SsRunControl *control, SsQpResult *result,
                                   SsError *err);
/* After a solve: how p changes, to first order, when the rows' constants change by delta_c (n_eq + n_ineq): one Newton
 * step of the optimality conditions where the solve ended, which holds the rows at their bounds there and lets the
 * others go. For corrections: one factorisation instead of a solve. Writes delta_p (n); false when the matrix is
 * singular or the step not finite. The result of the solve stays as it is. */
bool ss_qp_correct (SsQp *qp, const double *delta_c, double *delta_p);
/* Replaces the options, for example to retry with a larger shift. */
void ss_qp_set_options (SsQp *qp, const SsQpOptions *options);
void ss_qp_free (SsQp *qp);
