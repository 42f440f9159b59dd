/* engine/nlp/ss-bounds.c: rows taken as bounds. See ss-bounds.h. */
#include "nlp/ss-bounds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const ss_bounds_choices[4] = {"exact", "unpaired", "rows", NULL};

/* Bounds that cross by less than this, relative to their size above 1, are equal: a hundredth of the row violation
 * that counts as none (1e-6). */
static const double crossing_tolerance = 1e-8;

SsStatus
ss_bounds_init (SsBounds *bounds, const SsMpcc *mpcc, SsBoundsChoice choice, SsError *err)
{
  SS_ASSERT (bounds != NULL);

  const SsMpccBound *list = ss_mpcc_bounds (mpcc);
  const SsMpccPair *pairs = ss_mpcc_pairs (mpcc);
  int n = ss_mpcc_n_variables (mpcc), n_equalities = ss_mpcc_n_equalities (mpcc);

  *bounds = (SsBounds){.mpcc = mpcc};
  bounds->is_taken = ss_new_array (bool, ss_mpcc_n_rows (mpcc));
  bounds->lower = ss_new_array (double, n);
  bounds->upper = ss_new_array (double, n);
  bounds->lower_bound = ss_new_array (int, n);
  bounds->upper_bound = ss_new_array (int, n);
  if (bounds->is_taken == NULL || bounds->lower == NULL || bounds->upper == NULL || bounds->lower_bound == NULL ||
      bounds->upper_bound == NULL) {
    ss_bounds_clear (bounds);
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory for the bounds of %d variables", n);
  }
  for (int b = 0; b < ss_mpcc_n_bounds (mpcc) && choice != SS_BOUNDS_ROWS; b++)
    bounds->is_taken[list[b].row] = true;
  for (int p = 0; p < ss_mpcc_n_pairs (mpcc) && choice == SS_BOUNDS_UNPAIRED; p++) {
    if (pairs[p].row_a >= 0)
      bounds->is_taken[n_equalities + pairs[p].row_a] = false;
    if (pairs[p].row_b >= 0)
      bounds->is_taken[n_equalities + pairs[p].row_b] = false;
  }
  for (int r = 0; r < ss_mpcc_n_rows (mpcc); r++)
    bounds->n_taken += bounds->is_taken[r];
  return SS_OK;
}

void
ss_bounds_clear (SsBounds *bounds)
{
  SS_ASSERT (bounds != NULL);
  ss_free (bounds->is_taken);
  ss_free (bounds->lower);
  ss_free (bounds->upper);
  ss_free (bounds->lower_bound);
  ss_free (bounds->upper_bound);
  *bounds = (SsBounds){0};
}

/* The tightest of the taken bounds; -1, or the first one that no value satisfies since its slope is zero. */
static int
gather_bounds (SsBounds *bounds)
{
  const SsMpccBound *list = ss_mpcc_bounds (bounds->mpcc);
  int impossible = -1;

  for (int j = 0; j < ss_mpcc_n_variables (bounds->mpcc); j++) {
    bounds->lower[j] = -INFINITY;
    bounds->upper[j] = INFINITY;
    bounds->lower_bound[j] = bounds->upper_bound[j] = -1;
  }
  for (int b = 0; b < ss_mpcc_n_bounds (bounds->mpcc); b++) {
    double slope = list[b].slope, value = -list[b].intercept / slope;
    int j = list[b].variable;

    if (!bounds->is_taken[list[b].row])
      continue;
    if (slope == 0 && list[b].intercept < -crossing_tolerance && impossible < 0)
      impossible = b;
    if (slope > 0 && value > bounds->lower[j]) {
      bounds->lower[j] = value;
      bounds->lower_bound[j] = b;
    }
    if (slope < 0 && value < bounds->upper[j]) {
      bounds->upper[j] = value;
      bounds->upper_bound[j] = b;
    }
  }
  return impossible;
}

bool
ss_bounds_update (SsBounds *bounds, char *message, size_t size)
{
  SS_ASSERT (bounds != NULL);

  const SsMpccBound *list = ss_mpcc_bounds (bounds->mpcc);
  int impossible = gather_bounds (bounds);

  if (impossible >= 0) {
    snprintf (message, size, "no value satisfies %s: it is %g whatever its variable is, and must not be negative",
              ss_mpcc_row_name (bounds->mpcc, list[impossible].row), list[impossible].intercept);
    return false;
  }
  for (int j = 0; j < ss_mpcc_n_variables (bounds->mpcc); j++) {
    double low = bounds->lower[j], high = bounds->upper[j];

    if (!(low > high))
      continue;
    if (low - high > crossing_tolerance * fmax (1, fabs (low))) {
      snprintf (message, size, "bounds cross: %.80s asks for at least %g, %.80s for at most %g",
                ss_mpcc_row_name (bounds->mpcc, list[bounds->lower_bound[j]].row), low,
                ss_mpcc_row_name (bounds->mpcc, list[bounds->upper_bound[j]].row), high);
      return false;
    }
    bounds->lower[j] = bounds->upper[j] = 0.5 * (low + high);
  }
  return true;
}

void
ss_bounds_project (const SsBounds *bounds, double *x)
{
  SS_ASSERT (bounds != NULL);
  for (int j = 0; j < ss_mpcc_n_variables (bounds->mpcc); j++) {
    if (x[j] < bounds->lower[j])
      x[j] = bounds->lower[j];
    if (x[j] > bounds->upper[j])
      x[j] = bounds->upper[j];
  }
}

void
ss_bounds_multipliers (const SsBounds *bounds, const double *at_lower, const double *at_upper, double *y)
{
  SS_ASSERT (bounds != NULL);

  const SsMpccBound *list = ss_mpcc_bounds (bounds->mpcc);

  for (int b = 0; b < ss_mpcc_n_bounds (bounds->mpcc); b++)
    if (bounds->is_taken[list[b].row])
      y[list[b].row] = 0;
  for (int j = 0; j < ss_mpcc_n_variables (bounds->mpcc); j++) {
    int low = bounds->lower_bound[j], high = bounds->upper_bound[j];

    if (low >= 0)
      y[list[low].row] = at_lower[j] / list[low].slope;
    if (high >= 0)
      y[list[high].row] = at_upper[j] / -list[high].slope;
  }
}
