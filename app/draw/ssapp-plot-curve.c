/* app/draw/ssapp-plot-curve.c: what is drawn into the frame of a plot: curves, their markers, the cursor. */
#include "app/draw/ssapp-plot-private.h"

#include <math.h>

static const double CURSOR_PX = 1.2; /* at 100 % */
/* Markers at every tenth of the axis, fewer in small plots. */
static const double MARKER_DISTANCE_PX = 30.;
enum { MARKERS_PER_AXIS = 10 };

/* ---- curves ------------------------------------------------------------------------------------------------------ */

void
ssapp_plot_draw_curve (const SsappPlot *plot, int i)
{
  cairo_t *cr = plot->cr;
  GArray *points = g_array_new (FALSE, FALSE, sizeof (SsappPlotPoint));
  gboolean pen_down = FALSE;

  ssapp_plot_decimate (&plot->series[i], &plot->x_axis, &plot->y_axis, &plot->area, plot->style->scale, points);
  cairo_new_path (cr);
  for (guint k = 0; k < points->len; k++) {
    SsappPlotPoint p = g_array_index (points, SsappPlotPoint, k);
    gboolean next_is_gap = k + 1 == points->len || isnan (g_array_index (points, SsappPlotPoint, k + 1).x);
    if (isnan (p.x))
      pen_down = FALSE;
    else if (pen_down)
      cairo_line_to (cr, p.x, p.y);
    else {
      cairo_move_to (cr, p.x, p.y);
      if (next_is_gap) /* a point alone between gaps becomes a dot */
        cairo_line_to (cr, p.x + 1e-3, p.y);
      pen_down = TRUE;
    }
  }
  ssapp_set_color (cr, plot->looks[i].color);
  cairo_set_line_width (cr, ssapp_plot_curve_width (plot->style));
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap (cr, plot->looks[i].n_dash > 0 ? CAIRO_LINE_CAP_BUTT : CAIRO_LINE_CAP_ROUND);
  cairo_set_dash (cr, plot->looks[i].dash, plot->looks[i].n_dash, 0);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
  g_array_unref (points);
}

/* Values that a log axis cannot show: open triangles at the lower edge. */
void
ssapp_plot_draw_zeros (const SsappPlot *plot, int i)
{
  const SsappSeries *series = &plot->series[i];
  double radius = 3.6 * plot->style->scale, bottom = plot->area.y + plot->area.height, last = -INFINITY;
  cairo_t *cr = plot->cr;

  for (int k = 0; k < series->n && plot->y_axis.is_log; k++) {
    if (!isfinite (series->x[k]) || !isfinite (series->y[k]) || series->y[k] > 0.)
      continue;
    double x = ssapp_plot_x (plot, series->x[k]);
    if (fabs (x - last) < 2.4 * radius || x < plot->area.x - 1 || x > plot->area.x + plot->area.width + 1)
      continue;
    last = x;
    cairo_new_path (cr);
    cairo_move_to (cr, x - 1.2 * radius, bottom - 2.2 * radius);
    cairo_line_to (cr, x + 1.2 * radius, bottom - 2.2 * radius);
    cairo_line_to (cr, x, bottom - 0.3 * radius);
    cairo_close_path (cr);
    ssapp_set_color (cr, ssapp_style_color (plot->style, SSAPP_COLOR_CARD));
    cairo_fill_preserve (cr);
    ssapp_set_color (cr, plot->looks[i].color);
    cairo_set_line_width (cr, ssapp_style_line (plot->style, SSAPP_PLOT_MARKER_LINE_PX));
    cairo_stroke (cr);
  }
}

/* Index of the first sample with x >= value; the samples ascend. */
static int
lower_bound (const SsappSeries *series, double value)
{
  int lo = 0, hi = series->n;
  while (lo < hi) {
    int middle = lo + (hi - lo) / 2;
    if (series->x[middle] < value)
      lo = middle + 1;
    else
      hi = middle;
  }
  return lo;
}

/* The last sample with the x of this one: what holds there after a jump. */
static int
last_at (const SsappSeries *series, int i)
{
  while (i + 1 < series->n && series->x[i + 1] == series->x[i])
    i++;
  return i;
}

/* Not descending, that is: a jump has two samples with equal x. */
static gboolean
ascends (const SsappSeries *series)
{
  for (int k = 0; k < series->n; k++)
    if (!isfinite (series->x[k]) || (k > 0 && series->x[k] < series->x[k - 1]))
      return FALSE;
  return series->n > 0;
}

gboolean
ssapp_plot_is_inside (const SsappPlot *plot, double x, double y)
{
  return x >= plot->area.x - 1 && x <= plot->area.x + plot->area.width + 1 && y >= plot->area.y - 1 &&
         y <= plot->area.y + plot->area.height + 1; /* false for NaN */
}

void
ssapp_plot_draw_markers (const SsappPlot *plot, int i)
{
  const SsappSeries *series = &plot->series[i];
  double offset = (i + 0.5) / (plot->n_series + 0.5);
  int previous = -1, last = ssapp_plot_last_finite (series);
  int n = (int)CLAMP (plot->area.width / (MARKER_DISTANCE_PX * plot->style->scale), 3, MARKERS_PER_AXIS);

  if (!ascends (series))
    return;
  for (int k = 0; k < n; k++) {
    double target = ssapp_axis_value (&plot->x_axis, (k + offset) / n);
    int at = lower_bound (series, target);
    if (at > 0 && (at == series->n || target - series->x[at - 1] < series->x[at] - target))
      at--;
    at = last_at (series, at);
    if (target > series->x[series->n - 1] || target < series->x[0] || at == previous ||
        (at == last && plot->spec->end_labels))
      continue;
    previous = at;
    double x = ssapp_plot_x (plot, series->x[at]), y = ssapp_plot_y (plot, series->y[at]);
    if (ssapp_plot_is_inside (plot, x, y))
      ssapp_draw_marker (plot->cr, plot->looks[i].marker, x, y, SSAPP_PLOT_MARKER_PX * plot->style->scale,
                         ssapp_style_line (plot->style, SSAPP_PLOT_MARKER_LINE_PX), plot->looks[i].color,
                         plot->looks[i].filled, ssapp_style_color (plot->style, SSAPP_COLOR_CARD));
  }
}
/* ---- cursor ------------------------------------------------------------------------------------------------------ */

/* Value of a curve at x, on the drawn line (straight in the axis' space). */
static double
curve_fraction_at (const SsappPlot *plot, const SsappSeries *series, double x)
{
  if (!ascends (series) || x < series->x[0] || x > series->x[series->n - 1])
    return NAN;
  int at = lower_bound (series, x);
  if (series->x[at] <= x)
    at = last_at (series, at);
  double b = ssapp_axis_fraction (&plot->y_axis, series->y[at]);
  if (at == 0 || series->x[at] <= x)
    return b;
  double a = ssapp_axis_fraction (&plot->y_axis, series->y[at - 1]);
  return a + (b - a) * (x - series->x[at - 1]) / (series->x[at] - series->x[at - 1]);
}

void
ssapp_plot_draw_cursor (const SsappPlot *plot)
{
  const SsappStyle *style = plot->style;
  double x = ssapp_plot_x (plot, plot->spec->cursor);

  if (!isfinite (plot->spec->cursor) || x < plot->area.x - 0.5 || x > plot->area.x + plot->area.width + 0.5)
    return;
  cairo_new_path (plot->cr);
  ssapp_set_color (plot->cr, ssapp_style_color (style, SSAPP_COLOR_FOREGROUND));
  cairo_set_dash (plot->cr, NULL, 0, 0);
  cairo_set_line_width (plot->cr, ssapp_style_line (style, CURSOR_PX));
  ssapp_plot_line (plot->cr, x, plot->area.y, x, plot->area.y + plot->area.height);
  cairo_stroke (plot->cr);
  for (int i = 0; i < plot->n_series; i++) {
    double y = plot->area.y + plot->area.height * (1. - curve_fraction_at (plot, &plot->series[i], plot->spec->cursor));
    if (ssapp_plot_is_inside (plot, x, y))
      ssapp_draw_marker (plot->cr, SSAPP_MARKER_CIRCLE, x, y, SSAPP_PLOT_MARKER_PX * style->scale,
                         ssapp_style_line (style, SSAPP_PLOT_MARKER_LINE_PX), plot->looks[i].color, FALSE,
                         ssapp_style_color (style, SSAPP_COLOR_CARD));
  }
}
