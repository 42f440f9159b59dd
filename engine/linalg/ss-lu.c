/* engine/linalg/ss-lu.c: LU of an unsymmetric matrix with a symmetric pattern: see ss-linalg.h.
 *
 * The analysis is that of LDL' (ss-ldl-columns.c): same order, same pattern of L, and U has the pattern of L'. The rows
 * of U lie in a second array of the layout of L's columns, so that the list of targets serves both. */
#include "linalg/ss-ldl-private.h"

#include <math.h>
#include <string.h>

struct SsLu {
  SsLdl *ldl;       /* owned: analysis; its factor holds D and L             */
  double *upper;    /* n_factor: rows of U (unit diagonal), as L's columns   */
  bool *is_swapped; /* n_input: the entry lies above the diagonal in pivot order */
};

SsStatus
ss_lu_new (const SsPattern *lower, SsLu **out, SsError *err)
{
  SS_ASSERT (lower != NULL && out != NULL);

  SsLu *lu = ss_new (SsLu);
  int *position = NULL;
  SsStatus status = SS_OK;

  *out = NULL;
  if (lu == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory for a matrix of %d rows", lower->n_major);
  status = ss_ldl_new (lower, &lu->ldl, err);
  if (status != SS_OK)
    goto fail;
  int n = lu->ldl->n;
  lu->upper = ss_new_array (double, (size_t)lu->ldl->n_factor + 1);
  lu->is_swapped = ss_new_array (bool, (size_t)lu->ldl->n_input + 1);
  position = ss_new_array (int, (size_t)n + 1);
  if (lu->upper == NULL || lu->is_swapped == NULL || position == NULL) {
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory for a matrix of %d rows", n);
    goto fail;
  }
  for (int k = 0; k < n; k++)
    position[lu->ldl->order[k]] = k;
  for (int j = 0; j < n; j++)
    for (int p = lower->start[j]; p < lower->start[j + 1]; p++)
      lu->is_swapped[p] = position[lower->index[p]] < position[j];
  ss_free (position);
  *out = lu;
  return SS_OK;

fail:
  ss_free (position);
  ss_lu_free (lu);
  return status;
}

void
ss_lu_free (SsLu *lu)
{
  if (lu == NULL)
    return;
  ss_ldl_free (lu->ldl);
  ss_free (lu->upper);
  ss_free (lu->is_swapped);
  ss_free (lu);
}

/* Column j of L and row j of U, not yet divided by the pivot, subtract their product from what is behind them. */
static inline const int *
eliminate (double *restrict factor, double *restrict factor_up, double *restrict l, double *restrict u, int length,
           double inverse, const int *restrict target)
{
  for (int a = 0; a < length; a++) {
    double l_a = l[a] * inverse, u_a = u[a] * inverse;

    factor[target[0]] -= l[a] * u_a;
    for (int b = a + 1; b < length; b++) {
      factor[target[b - a]] -= l[b] * u_a;
      factor_up[target[b - a]] -= l_a * u[b];
    }
    target += length - a;
    l[a] = l_a;
    u[a] = u_a;
  }
  return target;
}

/* The same where the list of targets would be too long. */
static void
eliminate_searching (SsLu *lu, int j, double inverse)
{
  const SsLdl *s = lu->ldl;
  double *factor = s->factor;

  for (int a = s->start[j]; a < s->start[j + 1]; a++) {
    int k = s->row[a], p = s->start[k];
    double l_a = factor[a] * inverse, u_a = lu->upper[a] * inverse;

    factor[k] -= factor[a] * u_a;
    for (int b = a + 1; b < s->start[j + 1]; b++) {
      while (s->row[p] < s->row[b])
        p++;
      factor[p] -= factor[b] * u_a;
      lu->upper[p] -= l_a * lu->upper[b];
    }
    factor[a] = l_a;
    lu->upper[a] = u_a;
  }
}

SsStatus
ss_lu_factor (SsLu *lu, const double *lower, const double *upper)
{
  SS_ASSERT (lu != NULL && lower != NULL && upper != NULL);

  SsLdl *s = lu->ldl;
  const int *target = s->target;

  ss_ldl_clear (s);
  memset (lu->upper, 0, (size_t)s->n_factor * sizeof (double));
  for (int p = 0; p < s->n_input; p++) {
    s->factor[s->place[p]] = lu->is_swapped[p] ? upper[p] : lower[p];
    lu->upper[s->place[p]] = lu->is_swapped[p] ? lower[p] : upper[p];
  }
  double operations = s->n;
  for (int j = 0; j < s->n; j++) {
    const double length = s->start[j + 1] - s->start[j];
    operations += length * (length + 1);
    double d = s->factor[j], inverse;

    if (d == 0.0 || !isfinite (d))
      return SS_ERR_SINGULAR;
    s->inverse[j] = inverse = 1.0 / d;
    if (target != NULL)
      target = eliminate (s->factor, lu->upper, s->factor + s->start[j], lu->upper + s->start[j],
                          s->start[j + 1] - s->start[j], inverse, target);
    else
      eliminate_searching (lu, j, inverse);
  }
  ss_work_add (operations);
  return SS_OK;
}

void
ss_lu_solve (SsLu *lu, double *b)
{
  SsLdl *s = lu->ldl;
  const int *row = s->row;
  double *x = s->x;

  ss_work_add (2.0 * s->start[s->n]);
  for (int k = 0; k < s->n; k++)
    x[k] = b[s->order[k]];
  for (int j = 0; j < s->n; j++) {
    double xj = x[j];

    for (int p = s->start[j]; p < s->start[j + 1]; p++)
      x[row[p]] -= s->factor[p] * xj;
  }
  for (int j = s->n - 1; j >= 0; j--) {
    double sum = x[j] * s->inverse[j];

    for (int p = s->start[j]; p < s->start[j + 1]; p++)
      sum -= lu->upper[p] * x[row[p]];
    x[j] = sum;
    b[s->order[j]] = sum;
  }
}
