/* engine/lcp/ss-lemke-plain.h: Lemke's method on an LCP exactly as it stands, for laws whose answer is the solution
 * that the method finds.
 *
 * w = M z + q, 0 <= w _|_ z >= 0, with covering vector d > 0: z0 falls from the first value where q + d z0 >= 0, and
 * the path of almost complementary bases is followed to z0 = 0. Nothing is scaled, no other covering vector is tried:
 * where the LCP has several solutions, M, q and d say which one is returned, and a positive factor on q changes
 * nothing. ss-lcp.h, which equilibrates and tries again, is the one to ask for any solution.
 *
 * Ties of the ratio test are broken lexicographically, with tolerances relative to q. q >= -1e-13 is answered by z = 0:
 * a resting contact leaves -1e-17 there, which is no approach.
 * The tableau holds the columns of the nonbasic variables, each contiguous; sizes 10, 15, 20, 25 are compiled on their
 * own, and wider vectors are taken where the processor has them, with the same bits (no contraction, each entry has its
 * own sum).
 * R. W. Cottle, J.-S. Pang, R. E. Stone, The Linear Complementarity Problem, sec. 4.4, 4.9.
 * Threads: one object per thread. Tests: tests/unit/test-lemke-plain.c, tests/numeric/test-impact.c.
 */
#pragma once

#include "lcp/ss-lcp.h"

typedef struct SsLemkePlain SsLemkePlain;

enum { SS_LEMKE_PLAIN_MAX = 320 };

/* For 1 <= n <= SS_LEMKE_PLAIN_MAX unknowns; SS_ERR_ARG, SS_ERR_MEMORY. Freeing NULL is allowed. */
SS_NODISCARD SsStatus ss_lemke_plain_new (int n, SsLemkePlain **out, SsError *err);
void ss_lemke_plain_free (SsLemkePlain *lemke);
/* Whether vectors as wide as the processor has are used (from the start they are) or those that every one has: the same
 * bits. */
void ss_lemke_plain_set_wide (SsLemkePlain *lemke, bool is_wide);
/* The matrix of the solves that follow: column-major n x n with leading dimension ldm; copied. Finite. */
void ss_lemke_plain_set_matrix (SsLemkePlain *lemke, const double *M, int ldm);
/* q[n], finite; cover[n] > 0, NULL: ones; z[n] written. No allocation. SOLVED with the residual recomputed from M and
 * q; INFEASIBLE (secondary ray) and MAX_ITERATIONS with z = 0. A basis that round-off has spoilt shows in the
 * residual. */
void ss_lemke_plain_solve (SsLemkePlain *lemke, const double *q, const double *cover, double *z, SsLcpResult *result);
