/* app/study/ssapp-statistics.h: what figures of many runs are computed with: quantiles, boxes, profiles.
 *
 * Threads: any. Tests: tests/unit/test-statistics.c
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The finite ones of n values, ascending; g_free. Their number in *n_finite. */
double *ssapp_sort_finite (const double *values, guint n, guint *n_finite);
/* The quantile of n ascending values: linear between order statistics, the smallest at 0, the largest at 1 (the
 * definition 7 of Hyndman and Fan 1996, which R and NumPy take too). NaN for n = 0. */
double ssapp_quantile (const double *sorted, guint n, double share);
/* Of values in any order; what is not finite is left out, NaN without any. */
double ssapp_median_of (const double *values, guint n);
/* Whether the median of n ascending values above 0 (n >= 2, not all equal) lies nearer to the middle of their range by
 * logarithms than by the values themselves: they are drawn or spread by factors. */
gboolean ssapp_are_even_in_logarithms (const double *sorted, guint n);

/* A box: quartiles, and whiskers to the farthest values within 1.5 quartile distances of the box (Tukey). */
typedef struct {
  guint n;                     /* finite values */
  double lower, median, upper; /* quartiles */
  double low, high;            /* ends of the whiskers: values, or the quartile where none lies beyond it */
} SsappBox;
/* Of values in any order, what is not finite is left out. FALSE without any: all are NaN then. */
gboolean ssapp_box_init (SsappBox *box, const double *values, guint n);
/* Beyond a whisker: drawn by itself. */
gboolean ssapp_box_is_outlier (const SsappBox *box, double value);

/* Ratios of Dolan and More 2002: the cost of each method on a problem over the least of the methods that are shown.
 * Costs are n_problems x n_methods, row-major, not negative; NaN or infinite: not solved, then the ratio is infinite.
 * Where the least cost is 0, it has the ratio 1 and others are infinite. A hidden method is infinite and no one's
 * best; `hidden` may be NULL. */
void ssapp_performance_ratios (const double *costs, guint n_problems, guint n_methods, const gboolean *hidden,
                               double *ratios);
/* The profile of n values (in any order) as a step: the part of them that are at most x[k] (ascending, each once) is
 * y[k], and 0 before. Values that are not finite count among n only. x and y have room for n; returns how many there
 * are. */
guint ssapp_profile_steps (const double *values, guint n, double *x, double *y);

/* Slope and offset of the least squares line through n points; FALSE with fewer than two different x. What is not
 * finite is left out. */
gboolean ssapp_fit_line (const double *x, const double *y, guint n, double *slope, double *offset);

G_END_DECLS
