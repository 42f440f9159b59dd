/* engine/impact/ss-impact-joints-private.h: how masses answer to forces and impulses where joints are rigid.
 *
 * With G the rows of the joints on n coordinates (dependent rows allowed), N a basis of their null space and M a
 * diagonal matrix of masses, which may have zeros, the answer is  N (N' M N)^-1 N'  in the place of M^-1.
 * Basis  n x n by rows, orthonormal: first `rank` rows that span those of G, then N'.
 * Threads: pure functions; the caller's memory. Tests: tests/numeric/test-impact.c, test-compliant.c (joints).
 */
#pragma once

#include "core/ss-core.h"

/* Adds a row of G as number `rank` of the basis; false where it follows from those before it. With e_i the basis:
 * row = sum over i < rank of parts[i] e_i + *left e_rank. `parts` has n numbers. */
bool ss_joint_basis_add (int n, int rank, double *basis, const double *row, double *parts, double *left);
/* Completes it by what is left of unit vectors, each time of the one of which most is left. `parts`: n numbers of
 * work. */
void ss_joint_basis_complete (int n, int rank, double *basis, double *parts);
/* response (n x n, symmetric): N (N' M N)^-1 N'. `inertia` (n x n) and `parts` (n) are work. SS_ERR_SINGULAR, response
 * as it was: N' M N is not positive definite, or its factor's diagonal spans nine orders of magnitude. */
SS_NODISCARD SsStatus ss_joint_response (int n, int rank, const double *basis, const double *mass, double *inertia,
                                         double *parts, double *response);
