/* engine/linalg/ss-dense-least.h: square systems without full rank: the shortest of the solutions that come nearest.
 *
 * Source  G. H. Golub, C. F. Van Loan: Matrix Computations, section 5.5 (complete orthogonal decomposition).
 * Bits    fixed order of operations. Threads: any. Tests: tests/unit/test-linalg.c
 */
#pragma once

/* Factors a[n x n], by columns with leading dimension lda, in place. Columns count up to the first whose part that the
 * ones before do not have is at most `tolerance` of the longest column. Returns the rank; -1: a number is not finite.
 * factor[2 n], pivot[n]. */
int ss_dense_least (int n, double *a, int lda, double tolerance, double *factor, int *pivot);
/* Of all x whose A x comes nearest to b[n] the shortest, in place of b. */
void ss_dense_least_solve (int n, const double *a, int lda, int rank, const double *factor, const int *pivot,
                           double *b);
