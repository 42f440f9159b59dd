/* engine/linalg/ss-dense.c: vectors, LU and Cholesky of small dense matrices, column-major.
 *
 * Every sum is taken in an order that depends on the length alone, so results do not change with alignment, compiler or
 * machine. */
#include "linalg/ss-linalg.h"

#include <math.h>

static const double DENSE_UNIT = 0.5; /* counted work of a multiply-add: they stand side by side */

double
ss_dot (int n, const double *a, const double *b)
{
  SS_ASSERT (n >= 0);
  /* Four partial sums hide the latency of the addition and let the loop vectorise without reassociation. */
  double s[4] = {0.0, 0.0, 0.0, 0.0};
  int i = 0;

  for (; i + 4 <= n; i += 4)
    for (int k = 0; k < 4; k++)
      s[k] += a[i + k] * b[i + k];
  for (; i < n; i++)
    s[0] += a[i] * b[i];
  return (s[0] + s[1]) + (s[2] + s[3]);
}

void
ss_axpy (int n, double alpha, const double *x, double *y)
{
  SS_ASSERT (n >= 0);
  for (int i = 0; i < n; i++)
    y[i] += alpha * x[i];
}

double
ss_norm_inf (int n, const double *x)
{
  SS_ASSERT (n >= 0);

  double norm = 0.0;

  for (int i = 0; i < n; i++) {
    if (isnan (x[i]))
      return NAN;
    norm = fabs (x[i]) > norm ? fabs (x[i]) : norm;
  }
  return norm;
}

double
ss_norm_2 (int n, const double *x)
{
  SS_ASSERT (n >= 0);

  double scale = ss_norm_inf (n, x), sum = 0.0;

  /* Scaled, so that squares neither overflow nor vanish. */
  if (scale == 0.0 || !isfinite (scale))
    return scale;
  for (int i = 0; i < n; i++)
    sum += (x[i] / scale) * (x[i] / scale);
  return scale * sqrt (sum);
}

/* Row of the entry of largest magnitude in column[k..n-1]. */
static int
find_pivot (int n, const double *column, int k)
{
  int p = k;

  for (int i = k + 1; i < n; i++)
    if (fabs (column[i]) > fabs (column[p]))
      p = i;
  return p;
}

static void
swap_rows (int n, double *a, int lda, int i, int k)
{
  for (int j = 0; i != k && j < n; j++) {
    double swap = a[i + (size_t)j * (size_t)lda];

    a[i + (size_t)j * (size_t)lda] = a[k + (size_t)j * (size_t)lda];
    a[k + (size_t)j * (size_t)lda] = swap;
  }
}

SsStatus
ss_dense_lu (int n, double *a, int lda, int *pivot)
{
  SS_ASSERT (n >= 0 && lda >= n && (n == 0 || (a != NULL && pivot != NULL)));

  ss_work_add (DENSE_UNIT * ((double)n * n * n / 3 + n));
  for (int k = 0; k < n; k++) {
    double *column = a + (size_t)k * (size_t)lda;

    pivot[k] = find_pivot (n, column, k);
    if (!(fabs (column[pivot[k]]) > 0.0)) /* 0 or NaN */
      return SS_ERR_SINGULAR;
    swap_rows (n, a, lda, k, pivot[k]);
    for (int i = k + 1; i < n; i++)
      column[i] /= column[k];
    for (int j = k + 1; j < n; j++) {
      double *target = a + (size_t)j * (size_t)lda;

      if (target[k] != 0.0) /* matrices of mechanics are mostly zeros */
        ss_axpy (n - k - 1, -target[k], column + k + 1, target + k + 1);
    }
  }
  return SS_OK;
}

void
ss_dense_lu_solve (int n, const double *lu, int lda, const int *pivot, double *b)
{
  SS_ASSERT (n >= 0 && lda >= n && (n == 0 || (lu != NULL && pivot != NULL && b != NULL)));

  ss_work_add (DENSE_UNIT * ((double)n * n + n));
  for (int k = 0; k < n; k++) {
    double swap = b[k];

    b[k] = b[pivot[k]];
    b[pivot[k]] = swap;
  }
  for (int k = 0; k < n; k++)
    ss_axpy (n - k - 1, -b[k], lu + (size_t)k * (size_t)lda + k + 1, b + k + 1);
  for (int k = n - 1; k >= 0; k--) {
    const double *column = lu + (size_t)k * (size_t)lda;

    b[k] /= column[k];
    ss_axpy (k, -b[k], column, b);
  }
}

SsStatus
ss_dense_cholesky (int n, double *a, int lda)
{
  SS_ASSERT (n >= 0 && lda >= n && (n == 0 || a != NULL));

  for (int k = 0; k < n; k++) {
    double *column = a + (size_t)k * (size_t)lda;
    double root;

    for (int j = 0; j < k; j++) {
      const double *earlier = a + (size_t)j * (size_t)lda;

      ss_axpy (n - k, -earlier[k], earlier + k, column + k);
    }
    if (!(column[k] > 0.0) || !isfinite (column[k]))
      return SS_ERR_SINGULAR;
    root = sqrt (column[k]);
    column[k] = root;
    for (int i = k + 1; i < n; i++)
      column[i] /= root;
  }
  return SS_OK;
}

void
ss_dense_cholesky_solve (int n, const double *l, int lda, double *b)
{
  SS_ASSERT (n >= 0 && lda >= n && (n == 0 || (l != NULL && b != NULL)));

  for (int k = 0; k < n; k++) {
    const double *column = l + (size_t)k * (size_t)lda;

    b[k] /= column[k];
    ss_axpy (n - k - 1, -b[k], column + k + 1, b + k + 1);
  }
  for (int k = n - 1; k >= 0; k--) {
    const double *column = l + (size_t)k * (size_t)lda;

    b[k] = (b[k] - ss_dot (n - k - 1, column + k + 1, b + k + 1)) / column[k];
  }
}
