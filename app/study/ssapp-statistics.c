/* app/study/ssapp-statistics.c: see ssapp-statistics.h. */
#include "app/study/ssapp-statistics.h"

#include <math.h>
#include <stdlib.h>

static const double WHISKER = 1.5; /* quartile distances */

static int
compare_doubles (const void *a, const void *b)
{
  const double left = *(const double *)a, right = *(const double *)b;
  return left < right ? -1 : left > right;
}

double *
ssapp_sort_finite (const double *values, guint n, guint *n_finite)
{
  double *sorted = g_new (double, MAX (n, 1));
  guint count = 0;

  for (guint i = 0; i < n; i++)
    if (isfinite (values[i]))
      sorted[count++] = values[i];
  qsort (sorted, count, sizeof *sorted, compare_doubles);
  *n_finite = count;
  return sorted;
}

double
ssapp_quantile (const double *sorted, guint n, double share)
{
  if (n == 0)
    return NAN;
  const double at = CLAMP (share, 0., 1.) * (n - 1);
  const guint below = MIN ((guint)at, n - 1), above = MIN (below + 1, n - 1);
  const double w = at - below;

  return w == 0 ? sorted[below] : (1 - w) * sorted[below] + w * sorted[above];
}

double
ssapp_median_of (const double *values, guint n)
{
  guint count;
  g_autofree double *sorted = ssapp_sort_finite (values, n, &count);

  return ssapp_quantile (sorted, count, 0.5);
}

gboolean
ssapp_are_even_in_logarithms (const double *sorted, guint n)
{
  g_return_val_if_fail (sorted != NULL && n >= 2, FALSE);
  const double low = sorted[0], high = sorted[n - 1], middle = ssapp_quantile (sorted, n, 0.5);

  return fabs (log (middle / low) / log (high / low) - 0.5) < fabs ((middle - low) / (high - low) - 0.5);
}

gboolean
ssapp_box_is_outlier (const SsappBox *box, double value)
{
  g_return_val_if_fail (box != NULL, FALSE);
  const double reach = WHISKER * (box->upper - box->lower);

  return value < box->lower - reach || value > box->upper + reach;
}

gboolean
ssapp_box_init (SsappBox *box, const double *values, guint n)
{
  guint count;
  g_autofree double *sorted = ssapp_sort_finite (values, n, &count);

  *box = (SsappBox){count, NAN, NAN, NAN, NAN, NAN};
  if (count == 0)
    return FALSE;
  box->lower = ssapp_quantile (sorted, count, 0.25);
  box->median = ssapp_quantile (sorted, count, 0.5);
  box->upper = ssapp_quantile (sorted, count, 0.75);
  for (guint i = 0; i < count; i++)
    if (!ssapp_box_is_outlier (box, sorted[i])) {
      box->low = isnan (box->low) ? sorted[i] : box->low;
      box->high = sorted[i];
    }
  box->low = MIN (box->low, box->lower);
  box->high = MAX (box->high, box->upper);
  return TRUE;
}

void
ssapp_performance_ratios (const double *costs, guint n_problems, guint n_methods, const gboolean *hidden,
                          double *ratios)
{
  for (guint p = 0; p < n_problems; p++) {
    const double *row = costs + (gsize)p * n_methods;
    double best = INFINITY;
    for (guint m = 0; m < n_methods; m++)
      if (isfinite (row[m]) && (hidden == NULL || !hidden[m]))
        best = MIN (best, row[m]);
    for (guint m = 0; m < n_methods; m++) {
      const gboolean counts = isfinite (row[m]) && (hidden == NULL || !hidden[m]);
      ratios[(gsize)p * n_methods + m] = !counts ? INFINITY : row[m] <= best ? 1. : row[m] / best;
    }
  }
}

guint
ssapp_profile_steps (const double *values, guint n, double *x, double *y)
{
  guint count, n_steps = 0;
  g_autofree double *sorted = ssapp_sort_finite (values, n, &count);

  for (guint i = 0; i < count; i++) {
    if (n_steps == 0 || sorted[i] > x[n_steps - 1])
      x[n_steps++] = sorted[i];
    y[n_steps - 1] = (double)(i + 1) / n;
  }
  return n_steps;
}

gboolean
ssapp_fit_line (const double *x, const double *y, guint n, double *slope, double *offset)
{
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  guint count = 0;

  for (guint i = 0; i < n; i++)
    if (isfinite (x[i]) && isfinite (y[i])) {
      count++;
      sx += x[i];
      sy += y[i];
    }
  if (count < 2)
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (isfinite (x[i]) && isfinite (y[i])) {
      sxx += (x[i] - sx / count) * (x[i] - sx / count);
      sxy += (x[i] - sx / count) * (y[i] - sy / count);
    }
  if (!(sxx > 0))
    return FALSE;
  *slope = sxy / sxx;
  *offset = (sy - *slope * sx) / count;
  return TRUE;
}
