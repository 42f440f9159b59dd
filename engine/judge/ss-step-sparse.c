/* engine/judge/ss-step-sparse.c: the sparse matrices of a step's problem; see ss-step-problem.h. */
#include "judge/ss-step-problem.h"

#include "core/ss-memory.h"

SsStatus
ss_sparse_new (int n_rows, int n_columns, int n, const int *row, const int *column, const double *value, SsSparse *out,
               SsError *err)
{
  SS_ASSERT (n_rows >= 0 && n_columns >= 0 && n >= 0 && out != NULL);
  SS_ASSERT (n == 0 || (row != NULL && column != NULL && value != NULL));

  *out = (SsSparse){0};
  for (int i = 0; i < n; i++)
    if (row[i] < 0 || row[i] >= n_rows || column[i] < 0 || column[i] >= n_columns)
      return ss_error_set (err, SS_ERR_INVALID, "entry (%d, %d) lies outside of a matrix of %d x %d", row[i], column[i],
                           n_rows, n_columns);
  int *slot = ss_new_array (int, (size_t)n + 1);
  SsStatus status = slot != NULL
                        ? ss_pattern_from_triplets (&out->pattern, n_rows, n_columns, n, row, column, slot, err)
                        : ss_error_set (err, SS_ERR_MEMORY, "no memory for a matrix of %d entries", n);
  if (status == SS_OK) {
    out->value = ss_new_array (double, (size_t)n + 1);
    if (out->value == NULL)
      status = ss_error_set (err, SS_ERR_MEMORY, "no memory for a matrix of %d entries", n);
  }
  for (int i = 0; i < n && status == SS_OK; i++)
    out->value[slot[i]] += value[i];
  ss_free (slot);
  if (status != SS_OK)
    ss_sparse_clear (out);
  return status;
}

void
ss_sparse_clear (SsSparse *matrix)
{
  SS_ASSERT (matrix != NULL);
  ss_pattern_clear (&matrix->pattern);
  ss_free (matrix->value);
  matrix->value = NULL;
}

int
ss_sparse_n_entries (const SsSparse *matrix)
{
  return matrix->pattern.start != NULL ? matrix->pattern.start[matrix->pattern.n_major] : 0;
}

double
ss_sparse_get (const SsSparse *matrix, int row, int column)
{
  SS_ASSERT (matrix != NULL);

  const SsPattern *a = &matrix->pattern;
  int low = a->start[row], high = a->start[row + 1];
  while (low < high) {
    const int mid = (low + high) / 2;
    if (a->index[mid] == column)
      return matrix->value[mid];
    if (a->index[mid] < column)
      low = mid + 1;
    else
      high = mid;
  }
  return 0;
}

bool
ss_sparse_is_diagonal (const SsSparse *matrix)
{
  SS_ASSERT (matrix != NULL);

  const SsPattern *a = &matrix->pattern;
  if (a->n_major != a->n_minor)
    return false;
  for (int i = 0; i < a->n_major; i++)
    for (int k = a->start[i]; k < a->start[i + 1]; k++)
      if (a->index[k] != i && matrix->value[k] != 0)
        return false;
  return true;
}

SsStatus
ss_sparse_transpose (const SsSparse *matrix, SsSparse *out, SsError *err)
{
  const int n = ss_sparse_n_entries (matrix);
  int *slot = ss_new_array (int, (size_t)n + 1);
  *out = (SsSparse){.value = ss_new_array (double, (size_t)n + 1)};
  SsStatus status = slot != NULL && out->value != NULL
                        ? ss_pattern_transpose (&matrix->pattern, &out->pattern, slot, err)
                        : ss_error_set (err, SS_ERR_MEMORY, "no memory for a matrix of %d entries", n);
  for (int i = 0; i < n && status == SS_OK; i++)
    out->value[slot[i]] = matrix->value[i];
  ss_free (slot);
  if (status != SS_OK)
    ss_sparse_clear (out);
  return status;
}
