/* engine/nlp/ss-lpcc.h: the linear program with complementarity constraints at a feasible point: what proves that no
 * branch descends.
 *
 *   LPCC(x, rho): minimise g'p over |p_j| <= rho, c + C p = 0, d + D p >= 0; a + A p = 0 <= b + B p where a(x) = 0 <
 *   b(x), the reverse where b(x) = 0 < a(x), and 0 <= a + A p _|_ b + B p >= 0 on pairs that are zero on both sides.
 *
 * (Nurkanovic, Leyffer 2025.) Its value v(x, rho) <= 0 is 0 where x is B-stationary. A lower bound of v comes from any
 * multipliers by weak duality, with the complementarity of the last pairs left out (a relaxation): first from those of
 * the branch problem, for the price of one product with the Jacobian; then from the relaxation, solved by the interior
 * point of room `qp` with priced rows; then, depth first, from relaxations with sides fixed. The bound is computed from
 * the data and the multipliers alone, whatever the solver claims.
 *
 * A side without a row (SsMpccPair) is read off the product's row where its known side, which must bound one variable,
 * is 1: it must not depend on that variable.
 *
 * Memory: solve allocates nothing. Threads: one at a time. Tests: tests/numeric/test-finish.c
 */
#pragma once

#include "nlp/ss-bounds.h"

typedef struct SsLpcc SsLpcc;

typedef struct {
  double rho;       /* half width of the box                                                               */
  double tolerance; /* v >= -tolerance counts as 0                                                         */
  double activity;  /* pairs with both sides up to this may take either; 1e-6 and less: those that are zero        */
  int max_nodes;    /* relaxations solved at most                                                          */
  bool is_by_size;  /* rho counts in units of each variable's size where that is above 1                    */
} SsLpccOptions;

typedef struct {
  double bound;            /* v >= bound                                                                        */
  double descent;          /* g'p of the best point found that keeps a branch; 0: none                          */
  bool is_descent;         /* descent < -tolerance: `zero` names its branch                                     */
  bool is_unknown;         /* a pair that is zero on both sides has one that could not be read                  */
  bool is_stopped;         /* by the control                                                                    */
  int n_biactive;          /* pairs that are zero on both sides                                                 */
  int n_nodes;             /* relaxations solved; 0: the branch's multipliers were enough                       */
  int n_turned;            /* pairs whose zero side has a multiplier of the wrong sign in the branch: without descent,
                              `zero` names the branch in which these are turned                                  */
  const signed char *zero; /* n_pairs of SsZeroSide; borrowed until the next solve                        */
  const double *p;         /* n: the step that descends                                                   */
} SsLpccResult;

/* Borrows mpcc and bounds (of all rows that can be one). */
SS_NODISCARD SsStatus ss_lpcc_new (const SsMpcc *mpcc, const SsBounds *bounds, SsLpcc **out, SsError *err);
void ss_lpcc_free (SsLpcc *lpcc); /* NULL is allowed */
/* At x (n), on the branch `zero` (n_pairs) whose general rows have the multipliers y (n_rows; NULL: not known). */
SS_NODISCARD SsStatus ss_lpcc_solve (SsLpcc *lpcc, const double *x, const signed char *zero, const double *y,
                                     const SsLpccOptions *options, SsRunControl *control, SsLpccResult *result,
                                     SsError *err);
