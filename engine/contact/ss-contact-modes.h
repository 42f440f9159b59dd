/* engine/contact/ss-contact-modes.h: are the velocities of a small contact problem unique? Certificates, and all modes.
 *
 * n normals and t tangents with impulses p = (z, pt) and velocities u = c + W p, W symmetric, positive semidefinite:
 *     0 <= z _|_ u_n >= 0,   -pt in r Sign (u_t),   r = beta + B z,   B, beta >= 0.
 * Without friction B = 0; tangents of joints' friction have beta alone. For two solutions, D their difference, i over
 * normals and j over tangents:
 *     Dz_i Du_i <= 0             (complementarity: it is - z u' - z' u),
 *     Dpt_j Du_j <= |Dr_j| |Du_j|  (with -pt = r s, s in Sign (u): - r (s - s')(u - u') - (r - r') s' (u - u')),
 * and Dp' W Dp is the sum of both. Dp' W Dp <= 0 means W Dp = 0: u, and the velocities of the bodies, are the same.
 * So each of these proves that u is unique, whatever the impulses are:
 *
 * convex     B = 0: both sums are at most 0 (J. J. Moreau: the velocities minimise a strictly convex function).
 * small      Dp' W Dp <= sum B_ji |Dz_i| |Du_j| <= 1/2 sum B_ji (f Dz_i^2 + Du_j^2 / f) for any f > 0: contradicts
 *            Dp /= 0 where W - 1/2 sum B_ji (f e_i e_i' + W e_j e_j' W / f) is positive definite (factored by Cholesky
 *            with a margin). It is a bound on friction, in the spirit of those of A. Klarbring (1990) and of P. Hild
 *            (2004) for static problems. A point mass passes with mu < 2.
 * supported  the problem with B = 0 has an answer without slip at tangents with B /= 0: any other solution u has there
 *            (pt - pt°) u_t <= - (r - beta) |u_t| <= 0, all else is as in convex. What rests on level ground is so,
 *            also where W is singular and impulses are not unique (stacks).
 *
 * Where none of them does: every combination of modes (a normal parts or stays, a tangent sticks or slips to either
 * side: 4^m for m points) is a polyhedron of p. Branch and bound over partial combinations: a linear programme, solved
 * as an LCP by Lemke's method, finds the least violation of what is decided; where it is above 0, its multipliers prove
 * (Farkas) that no combination that completes it has a solution with impulses up to a million times those of a
 * problem of size 1. The row that its impulses miss most is decided next: 18 rows of a row of dominoes take 250
 * programmes, of 2 10^5 combinations.
 * In a complete combination u is unique where null(its equations) is in null(W), else programmes look along every u.
 * Tests: tests/numeric/test-certainty.c: closed forms, and enumeration against certificates on random problems.
 */
#pragma once

#include "core/ss-core.h"

typedef struct SsModes SsModes;

typedef enum { SS_MODES_UNIQUE, SS_MODES_SEVERAL, SS_MODES_OPEN } SsModesAnswer;

/* All column-major: W (n + t) x (n + t), c n + t, B t x n, beta t. */
typedef struct {
  int n, t;
  double *W, *c, *B, *beta;
} SsModesProblem;

/* Work that grows; SS_ERR_MEMORY. NULL is allowed in the second. */
SS_NODISCARD SsStatus ss_modes_new (SsModes **out, SsError *err);
void ss_modes_free (SsModes *modes);

/* Whether a certificate holds; false: it is not known. `scaled` has W with a diagonal of ones. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_modes_certify (SsModes *modes, const SsModesProblem *scaled, bool *is_unique, SsError *err);

/* All modes of a problem whose W has a diagonal of ones and whose largest c is about 1; u (n + t) is of a solution. A
 * solution whose u differs from it by more than apart_k in any number k is left in p: SEVERAL, which the caller is to
 * verify. OPEN: more than `most` linear programmes, or a case that rounding leaves open. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_modes_enumerate (SsModes *modes, const SsModesProblem *scaled, const double *u,
                                          const double *apart, int most, SsModesAnswer *answer, double *p,
                                          SsError *err);
