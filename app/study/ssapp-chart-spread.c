/* app/study/ssapp-chart-spread.c: how a metric spreads over runs: a histogram and quantiles by method.
 *
 * Bins of one width for all methods: that of Freedman and Diaconis 1981 (Z. Wahrscheinlichkeitstheorie 57), twice the
 * quartiles' distance by the cube root of the number of runs, of the runs of all methods; 4 to 60 of them. */
#include "app/study/ssapp-chart-private.h"

#include <math.h>
#include <string.h>

#include "app/base/ssapp-metric.h"

enum { LEAST_BINS = 4, MOST_BINS = 60 };
static const double QUANTILES[] = {0.05, 0.25, 0.5, 0.75, 0.95};

static const SsappChartGroup *
group_at (const SsappChart *self, guint i)
{
  return &g_array_index (self->groups, SsappChartGroup, i);
}

/* The share of each bin, as a step that begins and ends at 0. */
static void
add_curve (SsappChart *self, const SsappChartGroup *group, double from, double width, guint n_bins)
{
  SsappChartCurve curve = {.method = group->method, .n = n_bins + 2};
  guint n = 0;

  curve.x = g_new0 (double, n_bins + 2);
  curve.y = g_new0 (double, n_bins + 2);
  for (guint i = 0; i < group->n; i++) {
    if (!isfinite (group->values[i]))
      continue;
    const guint bin = (guint)CLAMP (floor ((group->values[i] - from) / width), 0, n_bins - 1.);
    curve.y[1 + bin] += 1;
    n++;
  }
  for (guint k = 0; k < n_bins + 2; k++) {
    curve.x[k] = from + width * (k > 0 ? k - 1. : 0);
    curve.y[k] /= MAX (n, 1);
  }
  g_array_append_val (self->curves, curve);
}

void
ssapp_chart_spread_compute (SsappChart *self)
{
  g_return_if_fail (self != NULL);
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (double));
  guint n;

  for (guint g = 0; g < self->groups->len; g++)
    g_array_append_vals (all, group_at (self, g)->values, group_at (self, g)->n);
  g_autofree double *sorted = ssapp_sort_finite ((const double *)(const void *)all->data, all->len, &n);
  if (n == 0) {
    g_autofree char *words = ssapp_metric_words (self->spec.metric);
    self->empty = self->spec.takes_unsolved
                      ? g_strdup_printf ("No run tells its %s.", words)
                      : g_strdup_printf ("No %s run tells its %s.", ssapp_run_set_done (self->set), words);
    return;
  }
  const double span = sorted[n - 1] - sorted[0],
               wanted = 2 * (ssapp_quantile (sorted, n, 0.75) - ssapp_quantile (sorted, n, 0.25)) / cbrt (n);
  const guint n_bins =
      span > 0 ? (guint)CLAMP (wanted > 0 ? ceil (span / wanted) : MOST_BINS, LEAST_BINS, MOST_BINS) : 1;
  const double width = span > 0 ? span / n_bins : MAX (fabs (sorted[0]), 1) / 10,
               from = span > 0 ? sorted[0] : sorted[0] - width / 2;
  for (guint g = 0; g < self->groups->len; g++)
    if (group_at (self, g)->n > 0)
      add_curve (self, group_at (self, g), from, width, n_bins);
}

char *
ssapp_chart_spread_note (const SsappChart *self, guint line)
{
  g_return_val_if_fail (self != NULL, NULL);
  if (self->spec.kind != SSAPP_CHART_DISTRIBUTION || self->empty != NULL)
    return NULL;
  for (guint g = 0; g < self->groups->len; g++) {
    const SsappChartGroup *group = group_at (self, g);
    guint n;
    g_autofree double *sorted = ssapp_sort_finite (group->values, group->n, &n);
    if (n == 0 || line-- > 0)
      continue;
    GString *text = g_string_new (NULL);
    double sum = 0;
    for (guint i = 0; i < n; i++)
      sum += sorted[i];
    g_autofree char *mean = ssapp_format_number (sum / n, 4);
    g_string_append_printf (text, "%s: %u run%s, mean %s; quantiles", ssapp_chart_method (self, group->method)->label,
                            n, n == 1 ? "" : "s", mean);
    for (guint q = 0; q < G_N_ELEMENTS (QUANTILES); q++) {
      g_autofree char *value = ssapp_format_number (ssapp_quantile (sorted, n, QUANTILES[q]), 4);
      g_string_append_printf (text, "%s %.0f %%: %s", q > 0 ? "," : "", 100 * QUANTILES[q], value);
    }
    return g_string_free (g_string_append_c (text, '.'), FALSE);
  }
  return NULL;
}

void
ssapp_chart_spread_table (const SsappChart *self, SsappTable *table)
{
  g_return_if_fail (self != NULL && table != NULL);
  const SsMetricSpec *metric = ssapp_metric_spec (self->spec.metric);

  ssapp_table_add_text_column (table, "method", "Method");
  ssapp_table_add_number_column (table, "from", "From", metric->unit, "%.6g", SSAPP_BEST_NONE);
  ssapp_table_add_number_column (table, "to", "To", metric->unit, "%.6g", SSAPP_BEST_NONE);
  ssapp_table_add_number_column (table, "share", "Part of runs", "", "%.4f", SSAPP_BEST_NONE);
  for (guint c = 0; c < self->curves->len; c++) {
    const SsappChartCurve *curve = &g_array_index (self->curves, SsappChartCurve, c);
    for (guint k = 1; k + 1 < curve->n; k++) {
      ssapp_table_begin_row (table);
      ssapp_table_add_text (table, ssapp_chart_method (self, curve->method)->label);
      ssapp_table_add_number (table, curve->x[k]);
      ssapp_table_add_number (table, curve->x[k + 1]);
      ssapp_table_add_number (table, curve->y[k]);
    }
  }
}
