/* engine/linalg/ss-linalg.h: dense kernels, compressed sparse matrices, LDL' with a pattern analysed once.
 *
 * Index type int, values double, fixed order of operations (same bits everywhere). Sparse matrices are compressed by
 * rows or by columns; the struct does not say which: the user of a field does. Indices inside a row/column ascend.
 * Tests: tests/unit/test-linalg.c.
 */
#pragma once

#include "core/ss-core.h"
#include "core/ss-work.h"

/* ---- dense, column-major with leading dimension ------------------------------------------------------------------ */
double ss_dot (int n, const double *a, const double *b);
void ss_axpy (int n, double alpha, const double *x, double *y); /* y += alpha x     */
double ss_norm_inf (int n, const double *x);                    /* NaN if any is NaN */
double ss_norm_2 (int n, const double *x);
/* LU with partial pivoting of a[n x n] in place; pivot[n]. SS_ERR_SINGULAR if a pivot is 0. */
SS_NODISCARD SsStatus ss_dense_lu (int n, double *a, int lda, int *pivot);
void ss_dense_lu_solve (int n, const double *lu, int lda, const int *pivot, double *b);
/* Cholesky of the lower triangle in place; SS_ERR_SINGULAR if not positive definite. */
SS_NODISCARD SsStatus ss_dense_cholesky (int n, double *a, int lda);
void ss_dense_cholesky_solve (int n, const double *l, int lda, double *b);

/* ---- sparse ------------------------------------------------------------------------------------------------------ */
typedef struct {
  int n_major; /* rows (CSR) or columns (CSC)   */
  int n_minor;
  int *start; /* n_major + 1                   */
  int *index; /* start[n_major]                */
} SsPattern;  /* owned arrays                  */

SS_NODISCARD SsStatus ss_pattern_init (SsPattern *pattern, int n_major, int n_minor, int n_entries,
                                       SsError *err); /* zeroed arrays */
/* Frees the arrays and leaves an empty pattern; an empty one and NULL are allowed. */
void ss_pattern_clear (SsPattern *pattern);
/* Builds the pattern of n_triplets (major[t], minor[t]) (repeats merged, indices sorted); slot[t] = position of triplet
 * t in the value array. On failure `pattern` is empty. */
SS_NODISCARD SsStatus ss_pattern_from_triplets (SsPattern *pattern, int n_major, int n_minor, int n_triplets,
                                                const int *major, const int *minor, int *slot, SsError *err);
/* Transpose; slot[k] = position in the transposed value array of entry k (slot may be NULL). */
SS_NODISCARD SsStatus ss_pattern_transpose (const SsPattern *from, SsPattern *to, int *slot, SsError *err);
void ss_csr_multiply (const SsPattern *a, const double *values, const double *x, double *y); /* y = A x        */
void ss_csr_multiply_transposed (const SsPattern *a, const double *values, const double *y,
                                 double *x); /* x += A' y      */

/* ---- LDL' of a symmetric quasi-definite matrix ------------------------------------------------------------------- */

/* Analysed once (order by AMD, elimination tree, pattern of L, target lists so that refactoring is only arithmetic),
 * factored many times. The matrix is given by the pattern of its lower triangle including the whole diagonal,
 * compressed by columns. */
typedef struct SsLdl SsLdl;
SS_NODISCARD SsStatus ss_ldl_new (const SsPattern *lower, SsLdl **out, SsError *err);
void ss_ldl_free (SsLdl *ldl);
int ss_ldl_n_factor_entries (const SsLdl *ldl); /* below the diagonal of L */
/* values in the order of `lower`. expected_sign[n] (+1, -1) or NULL: pivots with the wrong sign or |d| < minimum are
 * replaced by sign*minimum and counted in *n_replaced (may be NULL). SS_ERR_SINGULAR only when a pivot is not finite
 * (or 0 with expected_sign NULL). No allocation. */
SS_NODISCARD SsStatus ss_ldl_factor (SsLdl *ldl, const double *values, const signed char *expected_sign, double minimum,
                                     int *n_replaced);
void ss_ldl_solve (SsLdl *ldl, double *b); /* in place; no allocation */
/* Negative pivots of the last factorisation: by Sylvester's law the matrix has as many negative eigenvalues. Not for a
 * factor in lanes. */
int ss_ldl_n_negative (const SsLdl *ldl);

/* A matrix whose unknowns fall into eight lanes of like structure, coupled only through a few others (a horizon cut
 * into eight pieces by the states between them): all lanes are eliminated at once, one instruction for eight columns,
 * and what is left is a small coarse system. */
typedef struct {
  const int
      *lane; /* n: lane of an unknown, 0..7; -1: it belongs to the coarse system                                      */
  /* n: unknowns of different lanes with the same slot play the same part; unique in a lane, or, coarse, in a
   * separator */
  const int *slot;
  /* n: coarse: its separator; 0..6 lies between lanes s and s + 1, 7 touches any lane. Others: not read */
  const int *separator;
} SsLdlLanes;

/* Like ss_ldl_new. expected_sign as in ss_ldl_factor, which then ignores its own. SS_ERR_ARG if an entry couples two
 * lanes or a lane is too large to be worth it. Structure that only some lanes have costs fill in all of them, nothing
 * else. */
SS_NODISCARD SsStatus ss_ldl_new_in_lanes (const SsPattern *lower, const SsLdlLanes *lanes,
                                           const signed char *expected_sign, SsLdl **out, SsError *err);
double ss_ldl_cost (const SsLdl *ldl); /* of factoring and two solves, in multiply-subtracts of one or eight numbers */

/* Without copies: entries are added straight into the numbers of the factor, then factored where they lie. */
int ss_ldl_n_numbers (const SsLdl *ldl);
double *ss_ldl_numbers (SsLdl *ldl);            /* borrowed                                               */
int ss_ldl_place (const SsLdl *ldl, int entry); /* place among the numbers of an entry of `lower`          */
void ss_ldl_clear (SsLdl *ldl);                 /* the zero matrix (lanes: with 1 where there is no unknown) */
SS_NODISCARD SsStatus ss_ldl_factor_numbers (SsLdl *ldl, const signed char *expected_sign, double minimum,
                                             int *n_replaced);
