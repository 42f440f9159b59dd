/* engine/linalg/ss-dense-least.c: square systems without full rank, by a complete orthogonal decomposition A P = Q T Z:
 * Householder's QR with column pivoting ends where what is left counts as none, and reflections from the right make
 * what it leaves of the rows triangular. G. H. Golub, C. F. Van Loan: Matrix Computations, section 5.5.
 *
 * Below the diagonal the reflections of Q, right of T those of Z; their first entries are 1 and not stored. */
#include "linalg/ss-dense-least.h"

#include "linalg/ss-linalg.h"

#include <math.h>

/* The reflection that takes (*alpha, x[0], x[step], ...) to (beta, 0, ...): x becomes its tail, *alpha beta; returns
 * its factor, 0: it is none. */
static double
make_reflection (double *alpha, int n, double *x, size_t step)
{
  double square = 0;

  for (int i = 0; i < n; i++)
    square += x[(size_t)i * step] * x[(size_t)i * step];
  if (!(square > 0))
    return 0;
  const double beta = -copysign (sqrt (*alpha * *alpha + square), *alpha), part = *alpha - beta;

  for (int i = 0; i < n; i++)
    x[(size_t)i * step] /= part;
  *alpha = beta;
  return -part / beta;
}

/* (*first, y) of the reflection with that tail. */
static void
reflect (double factor, int n, const double *tail, size_t tail_step, double *first, double *y, size_t y_step)
{
  double sum = *first;

  for (int i = 0; i < n; i++)
    sum += tail[(size_t)i * tail_step] * y[(size_t)i * y_step];
  sum *= factor;
  *first -= sum;
  for (int i = 0; i < n; i++)
    y[(size_t)i * y_step] -= sum * tail[(size_t)i * tail_step];
}

static void
swap_columns (int n, double *a, double *b)
{
  for (int i = 0; i < n; i++) {
    const double kept = a[i];

    a[i] = b[i];
    b[i] = kept;
  }
}

/* The column from k on whose part below row k is longest; its length. */
static int
longest_column (int n, const double *a, int lda, int k, double *length)
{
  int longest = k;

  *length = -1;
  for (int j = k; j < n; j++) {
    const double own = ss_norm_2 (n - k, a + (size_t)j * (size_t)lda + k);

    if (own > *length || isnan (own)) {
      longest = j;
      *length = own;
    }
  }
  return longest;
}

int
ss_dense_least (int n, double *a, int lda, double tolerance, double *factor, int *pivot)
{
  const size_t step = (size_t)lda;
  double first = 0, length = 0;
  int rank = 0;

  for (; rank < n; rank++) {
    const int k = rank, j = longest_column (n, a, lda, k, &length);
    double *column = a + (size_t)k * step;

    first = k == 0 ? length : first;
    if (!(length > tolerance * first))
      break;
    pivot[k] = j;
    if (j != k)
      swap_columns (n, column, a + (size_t)j * step);
    factor[k] = make_reflection (&column[k], n - k - 1, column + k + 1, 1);
    for (int c = k + 1; c < n; c++)
      reflect (factor[k], n - k - 1, column + k + 1, 1, a + (size_t)c * step + k, a + (size_t)c * step + k + 1, 1);
  }
  for (int i = rank - 1; i >= 0 && rank < n; i--) {
    double *tail = a + (size_t)rank * step + i;

    factor[n + i] = make_reflection (a + (size_t)i * step + i, n - rank, tail, step);
    for (int k = 0; k < i; k++)
      reflect (factor[n + i], n - rank, tail, step, a + (size_t)i * step + k, a + (size_t)rank * step + k, step);
  }
  return isfinite (length) ? rank : -1;
}

void
ss_dense_least_solve (int n, const double *a, int lda, int rank, const double *factor, const int *pivot, double *b)
{
  SS_ASSERT (n >= 0);

  const size_t step = (size_t)lda;

  for (int k = 0; k < rank; k++)
    reflect (factor[k], n - k - 1, a + (size_t)k * step + k + 1, 1, &b[k], &b[k + 1], 1);
  for (int k = rank - 1; k >= 0; k--) {
    b[k] /= a[(size_t)k * step + k];
    for (int i = 0; i < k; i++)
      b[i] -= a[(size_t)k * step + i] * b[k];
  }
  for (int i = rank; i < n; i++)
    b[i] = 0;
  for (int i = 0; i < rank && rank < n; i++)
    reflect (factor[n + i], n - rank, a + (size_t)rank * step + i, step, &b[i], &b[rank], 1);
  for (int k = rank - 1; k >= 0; k--) {
    const double kept = b[k];

    b[k] = b[pivot[k]];
    b[pivot[k]] = kept;
  }
}
