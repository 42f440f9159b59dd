/* engine/nlp/ss-branch.h: one branch of an MPCC, a smooth problem, by an interior point with exact second derivatives.
 *
 *   BNLP(J): minimise J(x) subject to c(x) = 0, d(x) >= 0, a_i = 0 <= b_i for i in J, b_i = 0 <= a_i elsewhere
 *
 * (Nurkanovic, Leyffer 2025; see ss-finish.h.) Method: rows enter by exact penalties nu |c|, nu max (0, -d), smoothed
 * by a barrier with parameter mu, bounds of variables by their logarithms; a side that bounds a variable fixes it. This
 * function M of x alone is minimised by primal-dual Newton steps with the Hessian of the Lagrangian, while mu falls.
 * The matrix (variables and rows, pattern never changes) is factorised as LDL'; a multiple of the identity is added
 * until it has one negative pivot a row: then the step descends on M. Penalties of rows that stay violated grow. So
 * there is always a point, however the branch's rows depend on each other, as they do in most of ours.
 *
 * Memory: solve allocates nothing. Threads: one at a time. Tests: tests/numeric/test-finish.c
 */
#pragma once

#include "nlp/ss-bounds.h"

typedef struct SsBranch SsBranch;

/* Which side of a pair is zero. A side without a row of its own (SsMpccPair) cannot be chosen as an equality: then the
 * product stays as an inequality, beside the row of the other side. */
typedef enum { SS_ZERO_A, SS_ZERO_B } SsZeroSide;

typedef struct {
  bool is_solved;      /* rows within the tolerance and the gradient of the Lagrangian small                  */
  bool is_stopped;     /* by the control                                                                      */
  double unforced;     /* of a way: J before rows were forced by larger penalties than the first ones, or at its end */
  int iterations;      /* Newton steps                                                                        */
  double objective;    /* J                                                                                   */
  double violation;    /* of the branch's rows and of all products                                            */
  double stationarity; /* largest entry of the gradient of the Lagrangian, fixed variables apart              */
  const double *x;     /* n; borrowed until the next solve                                                    */
  const double *multipliers; /* n_rows: of general rows that belong to the branch, else 0; gradient J - J_c' y = 0 */
} SsBranchResult;

/* Products of all pairs relaxed, a b <= sigma, in the place of a branch. Barrier and sigma fall together. */
typedef struct {
  double penalty; /* of every row                                                                          */
  double mu_first, mu_factor, mu_last;
  double sigma_first, sigma_factor;
  int max_steps;      /* Newton steps in all                                                                  */
  int level_steps;    /* of one barrier                                                                       */
  double raise_below; /* barrier from which on penalties of violated rows are raised at each level; 0: never */
} SsRelaxation;

/* Borrows mpcc and bounds (of all rows that can be one); their numbers are read at each solve. has_products: for
 * ss_branch_relax; else for ss_branch_solve. */
SS_NODISCARD SsStatus ss_branch_new (const SsMpcc *mpcc, const SsBounds *bounds, bool has_products, SsBranch **out,
                                     SsError *err);
void ss_branch_free (SsBranch *branch); /* NULL is allowed */
/* From x0 (n). zero: n_pairs of SsZeroSide. penalty > 0: of every row at the start. mu: barrier at the start. */
void ss_branch_solve (SsBranch *branch, const double *x0, const signed char *zero, double penalty, double mu,
                      SsRunControl *control, SsBranchResult *result);
/* From x0 (n), which need not be near to anything. Solved means that the last barrier was reached; rows may be
 * violated there, and are where the penalty is too small and not raised. */
void ss_branch_relax (SsBranch *branch, const double *x0, const SsRelaxation *relaxation, SsRunControl *control,
                      SsBranchResult *result);
/* Row of the side that `zero` names, counted among all rows; -1: it has none. */
int ss_branch_zero_row (const SsMpcc *mpcc, int pair, int zero);
