/* engine/lcp/ss-lcp.h: linear complementarity problems  w = M z + q,  0 <= w _|_ z >= 0  by Lemke's method with
 * lexicographic pivoting (no cycling). R. W. Cottle, J.-S. Pang, R. E. Stone, The Linear Complementarity Problem, sec.
 * 4.4, 4.9.
 *
 * Terminates with a solution for copositive-plus M whenever the LCP is feasible (sec. 4.4.11); Stewart-Trinkle matrices
 * are copositive. Tests: tests/unit/test-lcp.c: planted solutions, every sign pattern of small problems by enumeration.
 */
#pragma once

#include "linalg/ss-linalg.h"

typedef struct SsLemke SsLemke; /* workspace; grows on demand; one thread at a time */
typedef struct {
  /* SOLVED, INFEASIBLE (secondary ray), MAX_ITERATIONS, STALLED (lost to round-off: z is the best found) */
  SsOutcome outcome;
  int pivots;
  double residual; /* largest violation of w >= 0, z >= 0, w*z = 0 recomputed from M, q, z */
  double part;     /* of ss_lemke_plain_solve: the same as a part of q, rows and columns scaled: no unit is in it */
} SsLcpResult;

/* Room for problems of n_reserve unknowns at first; larger ones let it grow (SS_ERR_MEMORY then). Freeing NULL is
 * allowed. */
SS_NODISCARD SsStatus ss_lemke_new (int n_reserve, SsLemke **out, SsError *err);
void ss_lemke_free (SsLemke *lemke);
/* M column-major n x n with leading dimension ldm, q[n], z[n] written. */
SS_NODISCARD SsStatus ss_lemke_solve (SsLemke *lemke, int n, const double *M, int ldm, const double *q, int max_pivots,
                                      double *z, SsLcpResult *result, SsError *err);

/* Warm start: tries the solution whose positive z are those with support[i] true (one factorisation of that block, no
 * pivots). SOLVED when it meets the same accuracy as ss_lemke_solve asks of itself; STALLED, z then zero, when it does
 * not and ss_lemke_solve is needed. */
SS_NODISCARD SsStatus ss_lemke_try (SsLemke *lemke, int n, const double *M, int ldm, const double *q,
                                    const bool *support, double *z, SsLcpResult *result, SsError *err);
