/* app/draw/ssapp-plot-curve.c: what is drawn into the frame of a plot: curves and their looks, their markers, the
 * cursor. */
#include "app/draw/ssapp-fan-draw.h"
#include "app/draw/ssapp-plot-private.h"

#include <math.h>

static const double LINE_PX = 2., PAPER_LINE_PT = 1.1;          /* px at 100 %, pt on paper */
static const double BRANCH_WIDTH = 0.7;                         /* of the curve of a branch, against others */
static const double PATH_SPAN_ALPHA = 0.3, PATH_SPAN_WIDTH = 4; /* of curves */
static const double BAND_FILL = 0.2, BAND_EDGE = 0.6, BAND_EDGE_WIDTH = 0.4; /* of curves */
static const double CURSOR_PX = 1.2;                                         /* at 100 % */
/* Markers at every tenth of the axis, fewer in small plots. */
static const double MARKER_DISTANCE_PX = 30.;
enum { MARKERS_PER_AXIS = 10 };

/* ---- styles of series -------------------------------------------------------------------------------------------- */

double
ssapp_plot_curve_width (const SsappStyle *style)
{
  g_return_val_if_fail (style != NULL, (double)NAN);
  return style->is_paper ? PAPER_LINE_PT * style->scale / 0.5 : ssapp_style_line (style, LINE_PX);
}

SsappMethodStyle *
ssapp_plot_series_styles (const SsappStyle *style, const SsappSeries *series, int n_series)
{
  g_return_val_if_fail (style != NULL, NULL);
  static const double second_dash[2] = {12, 4}, third_dash[2] = {4, 4};
  SsappMethodStyle *out = g_new (SsappMethodStyle, MAX (n_series, 1));

  for (int i = 0; i < n_series; i++) {
    const gboolean has_method = series[i].method.name != NULL;
    int repeats = 0;
    if (series[i].look > 0)
      ssapp_style_look (style, series[i].look - 1, &out[i]);
    else if (has_method)
      ssapp_style_method (style, series[i].method, &out[i]);
    else
      ssapp_style_look (style, i, &out[i]);
    for (int j = 0; j < i; j++)
      repeats += series[i].look == 0 && !series[i].is_before && !series[j].is_before && series[i].weight <= 0 &&
                 series[j].weight <= 0 && has_method && series[j].method.name != NULL &&
                 ss_method_id_is_equal (series[j].method, series[i].method) &&
                 series[j].method.copy == series[i].method.copy;
    if (repeats > 0) { /* another run of the same method: same colour, other dash and marker */
      const double *dash = repeats % 2 ? second_dash : third_dash;
      out[i].filled = repeats % 2 ? !out[i].filled : out[i].filled;
      out[i].marker = (SsappMarker)((out[i].marker + repeats) % SSAPP_MARKER_COUNT);
      out[i].n_dash = 2;
      out[i].dash[0] = dash[0] * style->scale;
      out[i].dash[1] = dash[1] * style->scale;
    }
    if (series[i].is_before) {
      out[i].color = ssapp_style_color (style, SSAPP_COLOR_DIM);
      out[i].n_dash = 2;
      out[i].dash[0] = out[i].dash[1] = third_dash[0] * style->scale;
    }
    if (series[i].weight > 0)
      out[i].color.a *= ssapp_share_opacity (series[i].weight);
    if (((!(has_method || series[i].look > 0) || series[i].t != NULL) && n_series == 1) || series[i].weight > 0)
      out[i].n_dash = 0;
    if (series[i].has_no_line && series[i].look == 0) { /* seen on top of curves and their markers */
      int others = 0;
      for (int j = 0; j < i; j++)
        others += series[j].has_no_line;
      out[i] = (SsappMethodStyle){.color = ssapp_style_color (style, SSAPP_COLOR_FOREGROUND),
                                  .marker = others % 2 ? SSAPP_MARKER_PLUS : SSAPP_MARKER_CROSS,
                                  .filled = TRUE};
    }
  }
  return out;
}

int
ssapp_plot_last_finite (const SsappSeries *series)
{
  g_return_val_if_fail (series != NULL, 0);
  for (int i = series->n - 1; i >= 0; i--)
    if (isfinite (series->x[i]) && isfinite (series->y[i]))
      return i;
  return -1;
}

/* ---- curves ------------------------------------------------------------------------------------------------------ */

/* A path in pieces between its jumps: x and y with a NaN in each jump. The caller frees both. */
static SsappSeries
pieces_of (const SsappSeries *path)
{
  SsappSeries out = *path;
  double *x = g_new (double, 2 * (gsize)path->n + 1), *y = g_new (double, 2 * (gsize)path->n + 1);

  out.n = 0;
  for (int k = 0; k < path->n; k++) {
    if (k > 0 && path->t[k] == path->t[k - 1])
      x[out.n] = y[out.n] = NAN, out.n++;
    x[out.n] = path->x[k];
    y[out.n++] = path->y[k];
  }
  out.x = x;
  out.y = y;
  return out;
}

/* Corners of a step: x and y of twice as many points. The caller frees both. */
static SsappSeries
steps_of (const SsappSeries *series)
{
  SsappSeries out = *series;
  double *x = g_new (double, 2 * (gsize)series->n + 1), *y = g_new (double, 2 * (gsize)series->n + 1);

  out.n = 0;
  for (int k = 0; k < series->n; k++) {
    if (k > 0) {
      x[out.n] = series->x[k];
      y[out.n++] = series->y[k - 1];
    }
    x[out.n] = series->x[k];
    y[out.n++] = series->y[k];
  }
  out.x = x;
  out.y = y;
  return out;
}

static void
draw_jumps (const SsappPlot *plot, int i)
{
  const double dotted[2] = {1.5 * plot->style->scale, 2.5 * plot->style->scale};
  const SsappSeries *path = &plot->series[i];
  cairo_t *cr = plot->cr;

  cairo_new_path (cr);
  for (int k = 1; k < path->n; k++)
    if (path->t[k] == path->t[k - 1] && isfinite (path->x[k] + path->x[k - 1] + path->y[k] + path->y[k - 1]))
      ssapp_plot_line (cr, ssapp_plot_x (plot, path->x[k - 1]), ssapp_plot_y (plot, path->y[k - 1]),
                       ssapp_plot_x (plot, path->x[k]), ssapp_plot_y (plot, path->y[k]));
  ssapp_set_color (cr, plot->looks[i].color);
  cairo_set_line_width (cr, 0.7 * ssapp_plot_curve_width (plot->style));
  cairo_set_dash (cr, dotted, 2, 0);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
}

static void
draw_dot (const SsappPlot *plot, int i, double x, double y, double radius_px, gboolean filled)
{
  if (ssapp_plot_is_inside (plot, x, y))
    ssapp_draw_marker (plot->cr, SSAPP_MARKER_CIRCLE, x, y, radius_px * plot->style->scale,
                       ssapp_style_line (plot->style, SSAPP_PLOT_MARKER_LINE_PX), plot->looks[i].color, filled,
                       ssapp_style_color (plot->style, SSAPP_COLOR_CARD));
}

void
ssapp_plot_draw_ends (const SsappPlot *plot, int i)
{
  g_return_if_fail (plot != NULL);
  const SsappSeries *path = &plot->series[i];
  const int last = ssapp_plot_last_finite (path);
  int first = 0;

  if (path->t == NULL || last < 0 || path->weight > 0)
    return;
  while (!isfinite (path->x[first]) || !isfinite (path->y[first]))
    first++;
  draw_dot (plot, i, ssapp_plot_x (plot, path->x[first]), ssapp_plot_y (plot, path->y[first]),
            0.8 * SSAPP_PLOT_MARKER_PX, FALSE);
  draw_dot (plot, i, ssapp_plot_x (plot, path->x[last]), ssapp_plot_y (plot, path->y[last]), 0.8 * SSAPP_PLOT_MARKER_PX,
            TRUE);
}

/* What happens within the bands, as a broad light stroke below the path. */
static void
draw_path_spans (const SsappPlot *plot, int i)
{
  const SsappSeries *path = &plot->series[i];
  const SsappPlotSpan *span = plot->spec->spans, *end = span != NULL ? span + plot->spec->n_spans : NULL;
  cairo_t *cr = plot->cr;

  cairo_new_path (cr);
  for (int k = 1; k < path->n && span < end; k++) {
    while (span < end && path->t[k - 1] >= span->end)
      span++;
    if (span < end && path->t[k - 1] >= span->begin && path->t[k] > path->t[k - 1])
      ssapp_plot_line (cr, ssapp_plot_x (plot, path->x[k - 1]), ssapp_plot_y (plot, path->y[k - 1]),
                       ssapp_plot_x (plot, path->x[k]), ssapp_plot_y (plot, path->y[k]));
  }
  ssapp_set_color (cr, ssapp_color_with_alpha (ssapp_style_color (plot->style, SSAPP_COLOR_ACCENT), PATH_SPAN_ALPHA));
  cairo_set_line_width (cr, PATH_SPAN_WIDTH * ssapp_plot_curve_width (plot->style));
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
  cairo_stroke (cr);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
}

/* Height of one edge of the band at a point, kept near the frame, which a logarithmic axis leaves at 0. */
static double
band_edge (const SsappPlot *plot, const SsappSeries *series, int k, int side)
{
  const double value = series->y[k] + side * fabs (series->half[k]);
  const double bottom = plot->area.y + plot->area.height, reach = plot->area.height;
  const double y = plot->y_axis.is_log && value <= 0 ? bottom + reach : ssapp_plot_y (plot, value);

  return CLAMP (y, plot->area.y - reach, bottom + reach);
}

/* Points [from, to), each with a band. */
static void
draw_band_part (const SsappPlot *plot, int i, int from, int to)
{
  const SsappSeries *series = &plot->series[i];
  cairo_t *cr = plot->cr;

  cairo_new_path (cr);
  for (int k = from; k < to; k++)
    cairo_line_to (cr, ssapp_plot_x (plot, series->x[k]), band_edge (plot, series, k, 1));
  if (!plot->style->is_high_contrast) {
    cairo_path_t *upper = cairo_copy_path (cr);
    for (int k = to; k > from; k--)
      cairo_line_to (cr, ssapp_plot_x (plot, series->x[k - 1]), band_edge (plot, series, k - 1, -1));
    cairo_close_path (cr);
    ssapp_set_color (cr, ssapp_color_with_alpha (plot->looks[i].color, BAND_FILL));
    cairo_fill (cr);
    cairo_append_path (cr, upper);
    cairo_path_destroy (upper);
  }
  cairo_new_sub_path (cr);
  for (int k = from; k < to; k++)
    cairo_line_to (cr, ssapp_plot_x (plot, series->x[k]), band_edge (plot, series, k, -1));
  ssapp_set_color (cr, ssapp_color_with_alpha (plot->looks[i].color, plot->style->is_high_contrast ? 1 : BAND_EDGE));
  cairo_set_line_width (cr, BAND_EDGE_WIDTH * ssapp_plot_curve_width (plot->style));
  cairo_stroke (cr);
}

void
ssapp_plot_draw_band (const SsappPlot *plot, int i)
{
  g_return_if_fail (plot != NULL);
  const SsappSeries *series = &plot->series[i];
  int from = 0;

  for (int k = 0; series->half != NULL && k <= series->n; k++) {
    if (k < series->n && isfinite (series->x[k]) && isfinite (series->y[k]) && isfinite (series->half[k]))
      continue;
    if (k - from > 1)
      draw_band_part (plot, i, from, k);
    from = k + 1;
  }
}

void
ssapp_plot_draw_curve (const SsappPlot *plot, int i)
{
  g_return_if_fail (plot != NULL);
  cairo_t *cr = plot->cr;
  GArray *points = g_array_new (FALSE, FALSE, sizeof (SsappPlotPoint));
  const gboolean is_path = plot->series[i].t != NULL;
  const gboolean is_step = plot->series[i].is_step;
  const SsappSeries drawn = is_path   ? pieces_of (&plot->series[i])
                            : is_step ? steps_of (&plot->series[i])
                                      : plot->series[i];
  gboolean pen_down = FALSE;

  if (plot->series[i].has_no_line) {
    g_array_unref (points);
    return;
  }
  if (is_path) {
    draw_path_spans (plot, i);
    draw_jumps (plot, i);
  }
  ssapp_plot_decimate (&drawn, &plot->x_axis, &plot->y_axis, &plot->area, plot->style->scale, points);
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
  cairo_set_line_width (cr, ssapp_plot_curve_width (plot->style) * (plot->series[i].weight > 0 ? BRANCH_WIDTH : 1));
  cairo_set_line_join (cr, is_step ? CAIRO_LINE_JOIN_MITER : CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap (cr, plot->looks[i].n_dash > 0 ? CAIRO_LINE_CAP_BUTT : CAIRO_LINE_CAP_ROUND);
  cairo_set_dash (cr, plot->looks[i].dash, plot->looks[i].n_dash, 0);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
  g_array_unref (points);
  if (is_path || is_step) {
    g_free ((double *)drawn.x);
    g_free ((double *)drawn.y);
  }
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

/* Index of the first number >= value; they ascend. */
static int
lower_bound (const double *numbers, int n, double value)
{
  int lo = 0, hi = n;
  while (lo < hi) {
    int middle = lo + (hi - lo) / 2;
    if (numbers[middle] < value)
      lo = middle + 1;
    else
      hi = middle;
  }
  return lo;
}

/* The last of the numbers that equal this one: what holds there after a jump. */
static int
last_at (const double *numbers, int n, int i)
{
  while (i + 1 < n && numbers[i + 1] == numbers[i])
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
  g_return_val_if_fail (plot != NULL, FALSE);
  return x >= plot->area.x - 1 && x <= plot->area.x + plot->area.width + 1 && y >= plot->area.y - 1 &&
         y <= plot->area.y + plot->area.height + 1; /* false for NaN */
}

/* Of points without a line, which lie upon curves. */
static const double SMALL_MARKER = 0.7;

static void
draw_marker_at (const SsappPlot *plot, int i, double x, double y)
{
  const double radius = SSAPP_PLOT_MARKER_PX * plot->style->scale * (plot->series[i].has_no_line ? SMALL_MARKER : 1);

  if (ssapp_plot_is_inside (plot, x, y))
    ssapp_draw_look_mark (plot->cr, &plot->looks[i], x, y, radius,
                          ssapp_style_line (plot->style, SSAPP_PLOT_MARKER_LINE_PX),
                          ssapp_style_color (plot->style, SSAPP_COLOR_CARD));
}

static void
draw_marker (const SsappPlot *plot, int i, int at)
{
  draw_marker_at (plot, i, ssapp_plot_x (plot, plot->series[i].x[at]), ssapp_plot_y (plot, plot->series[i].y[at]));
}

gboolean
ssapp_plot_has_marks (const SsappSeries *series)
{
  g_return_val_if_fail (series != NULL, FALSE);
  return series->is_marked || series->t != NULL || ascends (series);
}

void
ssapp_plot_draw_markers (const SsappPlot *plot, int i)
{
  const SsappSeries *series = &plot->series[i];
  double offset = (i + 0.5) / (plot->n_series + 0.5);
  int previous = -1, last = ssapp_plot_last_finite (series);
  int n = (int)CLAMP (plot->area.width / (MARKER_DISTANCE_PX * plot->style->scale), 3, MARKERS_PER_AXIS);

  for (int k = 0; k < series->n && series->is_marked; k++)
    draw_marker (plot, i, k);
  if (series->is_marked || series->is_before || series->t != NULL || series->weight > 0 || !ascends (series))
    return;
  for (int k = 0; k < n; k++) {
    double target = ssapp_axis_value (&plot->x_axis, (k + offset) / n);
    int at = lower_bound (series->x, series->n, target);
    if (series->is_step) { /* upon the tread */
      if (target > series->x[0] && target < series->x[series->n - 1])
        draw_marker_at (plot, i, ssapp_plot_x (plot, target),
                        ssapp_plot_y (plot, ssapp_plot_value_at (series, FALSE, FALSE, target)));
      continue;
    }
    if (at > 0 && (at == series->n || target - series->x[at - 1] < series->x[at] - target))
      at--;
    at = last_at (series->x, series->n, at);
    if (target > series->x[series->n - 1] || target < series->x[0] || at == previous ||
        (at == last && plot->spec->end_labels))
      continue;
    previous = at;
    draw_marker (plot, i, at);
  }
}

/* ---- cursor ------------------------------------------------------------------------------------------------------ */

/* Between which samples `at` lies: *later and how far it is to it, 1 at it. FALSE outside of them. */
static gboolean
place_of (const double *numbers, int n, double at, gboolean is_before, int *later, double *share)
{
  if (n == 0 || !(at >= numbers[0]) || at > numbers[n - 1])
    return FALSE;
  *later = lower_bound (numbers, n, at);
  *share = 1;
  if (numbers[*later] <= at)
    *later = is_before ? *later : last_at (numbers, n, *later);
  else
    *share = (at - numbers[*later - 1]) / (numbers[*later] - numbers[*later - 1]);
  return TRUE;
}

/* On the drawn line, straight in the axis' space: the value of `axis` at a place, 0 to 1. */
static double
fraction_at (const SsappAxis *axis, const double *values, int later, double share)
{
  const double b = ssapp_axis_fraction (axis, values[later]);

  if (share >= 1)
    return b;
  const double a = ssapp_axis_fraction (axis, values[later - 1]);
  return a + share * (b - a);
}

static void
draw_path_cursor (const SsappPlot *plot, int i)
{
  const SsappSeries *path = &plot->series[i];
  double share;
  int later;

  if (place_of (path->t, path->n, plot->spec->cursor, plot->spec->cursor_is_before, &later, &share))
    draw_dot (plot, i, plot->area.x + plot->area.width * fraction_at (&plot->x_axis, path->x, later, share),
              plot->area.y + plot->area.height * (1. - fraction_at (&plot->y_axis, path->y, later, share)),
              SSAPP_PLOT_END_MARKER_PX, TRUE);
}

double
ssapp_plot_value_at (const SsappSeries *series, gboolean x_log, gboolean y_log, double x)
{
  g_return_val_if_fail (series != NULL, (double)NAN);
  double share;
  int later;

  if (series->t != NULL || !ascends (series) || !place_of (series->x, series->n, x, FALSE, &later, &share))
    return NAN;
  if (share >= 1)
    return series->y[later];
  const double x0 = series->x[later - 1], x1 = series->x[later], y0 = series->y[later - 1], y1 = series->y[later];
  if (series->is_step)
    return y0;
  const double w = x_log ? log (x / x0) / log (x1 / x0) : (x - x0) / (x1 - x0);
  return y_log ? y0 * pow (y1 / y0, w) : y0 + w * (y1 - y0);
}

void
ssapp_plot_draw_cursor (const SsappPlot *plot)
{
  g_return_if_fail (plot != NULL);
  const SsappStyle *style = plot->style;
  const double cursor = plot->spec->cursor, x = ssapp_plot_x (plot, cursor);
  gboolean has_curves = plot->n_series == 0;

  if (!isfinite (cursor))
    return;
  for (int i = 0; i < plot->n_series; i++)
    if (plot->series[i].t != NULL)
      draw_path_cursor (plot, i);
    else
      has_curves = TRUE;
  if (!has_curves || x < plot->area.x - 0.5 || x > plot->area.x + plot->area.width + 0.5)
    return;
  cairo_new_path (plot->cr);
  ssapp_set_color (plot->cr, ssapp_style_color (style, SSAPP_COLOR_FOREGROUND));
  cairo_set_dash (plot->cr, NULL, 0, 0);
  cairo_set_line_width (plot->cr, ssapp_style_line (style, CURSOR_PX));
  ssapp_plot_line (plot->cr, x, plot->area.y, x, plot->area.y + plot->area.height);
  cairo_stroke (plot->cr);
  for (int i = 0; i < plot->n_series; i++) {
    const SsappSeries *series = &plot->series[i];
    double share;
    int later;

    if (series->t == NULL && ascends (series) &&
        place_of (series->x, series->n, cursor, plot->spec->cursor_is_before, &later, &share))
      draw_dot (plot, i, x,
                plot->area.y + plot->area.height * (1. - fraction_at (&plot->y_axis, series->y,
                                                                      series->is_step && share < 1 ? later - 1 : later,
                                                                      series->is_step ? 1 : share)),
                SSAPP_PLOT_MARKER_PX, FALSE);
  }
}
