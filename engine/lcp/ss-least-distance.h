/* engine/lcp/ss-least-distance.h: the shortest r with g_k . r >= h_k, or the proof that there is none.
 *
 * Least distance programming by nonnegative least squares: min |E u - e| over u >= 0 with columns (g_k, h_k) of E and
 * e = (0, ..., 0, 1). A residual of 0 is the proof: u >= 0, G' u = 0, h' u = 1 (Farkas). Else its u > 0 name the rows
 * that hold r, and r is the shortest one that meets them exactly. Dense, for few rows; least squares by
 * orthogonalisation, so that nearly opposite rows lose no digits to G G'.
 * Source: C. L. Lawson, R. J. Hanson, Solving Least Squares Problems, ch. 23 (algorithms NNLS, LDP).
 * Threads: plain function. Tests: tests/unit/test-least-distance.c, tests/numeric/test-impact.c
 */
#pragma once

#include "linalg/ss-linalg.h"

/* G has n_rows rows of n, h n_rows positive numbers. *exists: whether there is an r; the rows' directions must leave an
 * angle of more than 1e-9 rad for that, less is rounding. r (n): the shortest, zeros where there is none. u (n_rows):
 * its multipliers, r = G' u; else those of the proof. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_least_distance (int n, int n_rows, const double *G, const double *h, double *r, double *u,
                                         bool *exists, SsError *err);

/* How far `target` (n > 1 numbers) lies from what the columns (n_columns of n, unit or nearly so) add up to with
 * weights u >= 0, which are written: phase 1 of a linear programme with these columns, by the same least squares.
 * SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_distance_to_cone (int n, int n_columns, const double *columns, const double *target, double *u,
                                           double *distance, SsError *err);
