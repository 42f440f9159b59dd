/* engine/linalg/ss-sparse.c: patterns of compressed sparse matrices and products with them.
 *
 * Sorting is by counting, stable and linear: first by minor index, then by major. */
#include "linalg/ss-linalg.h"

#include <string.h>

SsStatus
ss_pattern_init (SsPattern *pattern, int n_major, int n_minor, int n_entries, SsError *err)
{
  SS_ASSERT (pattern != NULL);

  SsPattern made = {.n_major = n_major, .n_minor = n_minor};

  memset (pattern, 0, sizeof *pattern);
  if (n_major < 0 || n_minor < 0 || n_entries < 0)
    return ss_error_set (err, SS_ERR_ARG, "a sparse pattern cannot have %d x %d with %d entries", n_major, n_minor,
                         n_entries);
  made.start = ss_new_array (int, (size_t)n_major + 1);
  made.index = ss_new_array (int, (size_t)n_entries + 1); /* never of size 0 */
  if (made.start == NULL || made.index == NULL) {
    ss_pattern_clear (&made);
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory for a sparse pattern of %d entries", n_entries);
  }
  *pattern = made;
  return SS_OK;
}

void
ss_pattern_clear (SsPattern *pattern)
{
  if (pattern == NULL)
    return;
  ss_free (pattern->start);
  ss_free (pattern->index);
  memset (pattern, 0, sizeof *pattern);
}

/* order[] := 0..n-1 sorted by key[order_in[]], stable; order_in NULL is 0..n-1. count has n_keys + 1 places. */
static void
counting_sort (int n, const int *key, int n_keys, const int *order_in, int *order, int *count)
{
  memset (count, 0, ((size_t)n_keys + 1) * sizeof *count);
  for (int t = 0; t < n; t++)
    count[key[t] + 1]++;
  for (int k = 0; k < n_keys; k++)
    count[k + 1] += count[k];
  for (int s = 0; s < n; s++) {
    int t = order_in != NULL ? order_in[s] : s;

    order[count[key[t]]++] = t;
  }
}

/* Writes the merged pattern from triplets in sorted order; returns the number of distinct entries. */
static int
merge_sorted (SsPattern *pattern, int n_triplets, const int *order, const int *major, const int *minor, int *slot)
{
  int n_entries = 0;

  for (int s = 0; s < n_triplets; s++) {
    int t = order[s];
    bool repeat = s > 0 && major[order[s - 1]] == major[t] && minor[order[s - 1]] == minor[t];

    if (!repeat) {
      pattern->index[n_entries++] = minor[t];
      pattern->start[major[t] + 1]++;
    }
    slot[t] = n_entries - 1;
  }
  for (int i = 0; i < pattern->n_major; i++)
    pattern->start[i + 1] += pattern->start[i];
  return n_entries;
}

SsStatus
ss_pattern_from_triplets (SsPattern *pattern, int n_major, int n_minor, int n_triplets, const int *major,
                          const int *minor, int *slot, SsError *err)
{
  SS_ASSERT (pattern != NULL);
  SS_ASSERT (n_triplets <= 0 || (major != NULL && minor != NULL && slot != NULL));

  int n_keys = n_major > n_minor ? n_major : n_minor;
  int *by_minor = NULL, *order = NULL, *count = NULL, *trimmed;
  int n_entries;
  SsStatus status;

  for (int t = 0; t < n_triplets; t++) {
    if (major[t] < 0 || major[t] >= n_major || minor[t] < 0 || minor[t] >= n_minor) {
      memset (pattern, 0, sizeof *pattern);
      return ss_error_set (err, SS_ERR_ARG, "entry (%d, %d) lies outside a matrix of %d x %d", major[t], minor[t],
                           n_major, n_minor);
    }
  }
  status = ss_pattern_init (pattern, n_major, n_minor, n_triplets, err);
  if (status != SS_OK)
    return status;
  by_minor = ss_new_array (int, (size_t)n_triplets + 1);
  order = ss_new_array (int, (size_t)n_triplets + 1);
  count = ss_new_array (int, (size_t)n_keys + 1);
  if (by_minor == NULL || order == NULL || count == NULL) {
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory for sorting %d matrix entries", n_triplets);
    ss_pattern_clear (pattern);
    goto done;
  }
  counting_sort (n_triplets, minor, n_minor, NULL, by_minor, count);
  counting_sort (n_triplets, major, n_major, by_minor, order, count);
  n_entries = merge_sorted (pattern, n_triplets, order, major, minor, slot);
  trimmed = ss_realloc (pattern->index, (size_t)n_entries + 1, sizeof *trimmed);
  pattern->index = trimmed != NULL ? trimmed : pattern->index;

done:
  ss_free (by_minor);
  ss_free (order);
  ss_free (count);
  return status;
}

SsStatus
ss_pattern_transpose (const SsPattern *from, SsPattern *to, int *slot, SsError *err)
{
  SS_ASSERT (from != NULL && to != NULL);

  int n_entries = from->start[from->n_major];
  SsStatus status = ss_pattern_init (to, from->n_minor, from->n_major, n_entries, err);

  if (status != SS_OK)
    return status;
  for (int k = 0; k < n_entries; k++)
    to->start[from->index[k] + 1]++;
  for (int j = 0; j < to->n_major; j++)
    to->start[j + 1] += to->start[j];
  /* start[j] runs to the end of row j while it is filled, which is the start of the next row: shifted back below. */
  for (int i = 0; i < from->n_major; i++) {
    for (int k = from->start[i]; k < from->start[i + 1]; k++) {
      int place = to->start[from->index[k]]++;

      to->index[place] = i;
      if (slot != NULL)
        slot[k] = place;
    }
  }
  for (int j = to->n_major; j > 0; j--)
    to->start[j] = to->start[j - 1];
  to->start[0] = 0;
  return SS_OK;
}

void
ss_csr_multiply (const SsPattern *a, const double *values, const double *x, double *y)
{
  SS_ASSERT (a != NULL);
  for (int i = 0; i < a->n_major; i++) {
    double sum = 0.0;

    for (int k = a->start[i]; k < a->start[i + 1]; k++)
      sum += values[k] * x[a->index[k]];
    y[i] = sum;
  }
}

void
ss_csr_multiply_transposed (const SsPattern *a, const double *values, const double *y, double *x)
{
  SS_ASSERT (a != NULL);
  for (int i = 0; i < a->n_major; i++) {
    double yi = y[i];

    for (int k = a->start[i]; k < a->start[i + 1]; k++)
      x[a->index[k]] += values[k] * yi;
  }
}
