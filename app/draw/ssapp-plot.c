/* app/draw/ssapp-plot.c: draws a plot: frame, curves, markers, thresholds, cursor, labels. Ranges and ticks:
 * ssapp-plot-axis.c.
 *
 * Horizontal layout depends on the width and the data alone, never on the height, so that stacked plots share their x
 * axis. The background is left as it is (cards and pages have their own).
 */
#include "app/draw/ssapp-fan-draw.h"
#include "app/draw/ssapp-plot-parts.h"

#include <math.h>
#include <string.h>

/* px at 100 % */
static const double BRANCH_WIDTH = 0.7; /* of the curve of a branch, against others */
static const double LINE_PX = 2., PAPER_LINE_PT = 1.1, TICK_PX = 4., MINOR_TICK_PX = 2., AXIS_PX = 1.2;
static const double MARKER_PX = 4., MARKER_LINE_PX = 1.6, END_MARKER_PX = 5.5, CURSOR_PX = 1.2, LABEL_GAP_PX = 6.;
static const double TOLERANCE_FILL = 0.14;
/* Multiples of the font size. */
static const double LINE_HEIGHT = 1.35, LEFT_LEAST = 3.5, RIGHT_LEAST = 1.2, TOP_LEAST = 0.8, TITLE_SIZE = 1.08;
static const double LABEL_DISTANCE = 1.35; /* of y labels */
/* Share of a range that may be given away so that an axis ends at a label. */
static const double LOOSEN_X = 0.1, LOOSEN_Y = 0.25;
/* Room above and below a linear curve, as a share of its range. */
static const double PAD_Y = 0.04;
/* Markers at every tenth of the axis, fewer in small plots. */
static const double MARKER_DISTANCE_PX = 30.;
enum { MARKERS_PER_AXIS = 10 };

static double
curve_width (const SsappStyle *style)
{
  return style->is_paper ? PAPER_LINE_PT * style->scale / 0.5 : ssapp_style_line (style, LINE_PX);
}

/* ---- styles of series -------------------------------------------------------------------------------------------- */

SsappMethodStyle *
ssapp_plot_series_styles (const SsappStyle *style, const SsappSeries *series, int n_series)
{
  static const double second_dash[2] = {12, 4}, third_dash[2] = {4, 4};
  SsappMethodStyle *out = g_new (SsappMethodStyle, MAX (n_series, 1));

  for (int i = 0; i < n_series; i++) {
    const gboolean has_method = series[i].method.name != NULL;
    int repeats = 0;
    if (has_method)
      ssapp_style_method (style, series[i].method, &out[i]);
    else
      ssapp_style_look (style, i, &out[i]);
    for (int j = 0; j < i; j++)
      repeats += series[i].weight <= 0 && series[j].weight <= 0 && has_method && series[j].method.name != NULL &&
                 ss_method_id_is_equal (series[j].method, series[i].method);
    if (repeats > 0) { /* another run of the same method: same colour, other dash and marker */
      const double *dash = repeats % 2 ? second_dash : third_dash;
      out[i].filled = repeats % 2 ? !out[i].filled : out[i].filled;
      out[i].marker = (SsappMarker)((out[i].marker + repeats) % SSAPP_MARKER_COUNT);
      out[i].n_dash = 2;
      out[i].dash[0] = dash[0] * style->scale;
      out[i].dash[1] = dash[1] * style->scale;
    }
    if (series[i].weight > 0)
      out[i].color.a *= ssapp_share_opacity (series[i].weight);
    if ((!has_method && n_series == 1) || series[i].weight > 0)
      out[i].n_dash = 0;
  }
  return out;
}

/* ---- ranges ------------------------------------------------------------------------------------------------------ */

typedef struct {
  double lo, hi;      /* of finite values; lo > hi if there are none  */
  double lo_positive; /* smallest positive value, INFINITY if none     */
} Extent;

static void
extend (Extent *extent, const double *values, const double *others, int n)
{
  for (int i = 0; i < n; i++)
    if (isfinite (values[i]) && isfinite (others[i])) {
      extent->lo = MIN (extent->lo, values[i]);
      extent->hi = MAX (extent->hi, values[i]);
      if (values[i] > 0.)
        extent->lo_positive = MIN (extent->lo_positive, values[i]);
    }
}

static Extent
extent_of (const SsappSeries *series, int n_series, gboolean of_x)
{
  Extent extent = {INFINITY, -INFINITY, INFINITY};
  for (int i = 0; i < n_series; i++)
    extend (&extent, of_x ? series[i].x : series[i].y, of_x ? series[i].y : series[i].x, series[i].n);
  return extent;
}

static gboolean
has_value (const Extent *extent)
{
  return extent->lo <= extent->hi;
}

/* Labels side by side, with a gap between neighbours. */
static gboolean
x_labels_fit (const SsappStyle *style, const SsappAxis *axis, double plot_width)
{
  static const double GAP = 0.9; /* font sizes */
  double total = 0.;
  for (int i = 0; i < axis->n_ticks; i++) {
    double width;
    char *label = ssapp_axis_label (axis, i);
    ssapp_text_measure (style, style->font_size, FALSE, label, &width, NULL);
    total = MAX (total, width + GAP * style->font_size);
    g_free (label);
  }
  double range = axis->n_ticks > 1 ? ssapp_axis_fraction (axis, axis->ticks[axis->n_ticks - 1]) -
                                         ssapp_axis_fraction (axis, axis->ticks[0])
                                   : 1.;
  return total * MAX (axis->n_ticks - 1, 1) <= range * plot_width;
}

/* As many labels as fit. */
static void
init_x_axis (const SsappStyle *style, const SsappPlotSpec *spec, const SsappSeries *series, int n_series,
             double plot_width, SsappAxis *axis)
{
  Extent extent = extent_of (series, n_series, TRUE);
  double lo = isnan (spec->x_min) ? extent.lo : spec->x_min, hi = isnan (spec->x_max) ? extent.hi : spec->x_max;
  for (int labels = SSAPP_AXIS_MAX_LABELS; labels >= 2; labels--) {
    ssapp_axis_init_linear (axis, lo, hi, !isnan (spec->x_min), !isnan (spec->x_max), LOOSEN_X, labels);
    if (x_labels_fit (style, axis, plot_width))
      break;
  }
}

static void
init_y_axis (const SsappPlotSpec *spec, const SsappSeries *series, int n_series, int max_labels, SsappAxis *axis)
{
  Extent extent = extent_of (series, n_series, FALSE);
  gboolean fixed_lo = !isnan (spec->y_min), fixed_hi = !isnan (spec->y_max);

  if (spec->y_log) {
    double lo = extent.lo_positive, hi = extent.hi;
    if (spec->tolerance > 0.) { /* the threshold and what lies below it belong into the picture */
      lo = MIN (lo, spec->tolerance / 10.);
      hi = MAX (hi > 0. ? hi : spec->tolerance, spec->tolerance * 10.);
    }
    if (spec->reference > 0.) {
      lo = MIN (lo, spec->reference);
      hi = MAX (hi, spec->reference);
    }
    ssapp_axis_init_log (axis, fixed_lo ? spec->y_min : lo, fixed_hi ? spec->y_max : hi, fixed_lo, fixed_hi,
                         max_labels);
    return;
  }
  double lo = extent.lo, hi = extent.hi;
  if (isfinite (spec->reference)) {
    lo = MIN (lo, spec->reference);
    hi = MAX (hi, spec->reference);
  }
  if (isfinite (spec->tolerance)) {
    lo = MIN (lo, MIN (spec->tolerance, 0.));
    hi = MAX (hi, spec->tolerance);
  }
  if (spec->y_also != NULL) {
    lo = MIN (lo, spec->y_also[0]);
    hi = MAX (hi, spec->y_also[1]);
  }
  if (lo < hi) { /* room never crosses zero: what cannot be negative should not look so */
    double pad = PAD_Y * (hi - lo);
    lo = lo >= 0. ? MAX (lo - pad, 0.) : lo - pad;
    hi = hi <= 0. ? MIN (hi + pad, 0.) : hi + pad;
  }
  ssapp_axis_init_linear (axis, fixed_lo ? spec->y_min : lo, fixed_hi ? spec->y_max : hi, fixed_lo, fixed_hi, LOOSEN_Y,
                          max_labels);
}

gboolean
ssapp_plot_y_extent (const SsappPlotSpec *spec, const SsappSeries *series, int n_series, double extent[2])
{
  double lo = isfinite (spec->reference) ? spec->reference : INFINITY;
  double hi = isfinite (spec->reference) ? spec->reference : -INFINITY;

  for (int i = 0; i < n_series; i++)
    for (int k = 0; k < series[i].n; k++)
      if (isfinite (series[i].x[k]) && isfinite (series[i].y[k])) {
        lo = MIN (lo, series[i].y[k]);
        hi = MAX (hi, series[i].y[k]);
      }
  if (hi < lo)
    return FALSE;
  extent[0] = lo;
  extent[1] = hi;
  return TRUE;
}

/* ---- layout ------------------------------------------------------------------------------------------------------ */

/* Text at the end of a curve. Without a legend the label names the curve; the value is always there. */
static char *
end_text (const SsappPlotSpec *spec, const SsappSeries *series, double value)
{
  char *number = ssapp_format_number (value, fabs (value) < 1e-2 ? 2 : 4), *text;
  gboolean named = !spec->legend && series->label != NULL && *series->label != '\0';
  text = named ? g_strconcat (series->label, " ", number, NULL) : g_strdup (number);
  g_free (number);
  return text;
}

/* Index of the last finite point, -1 if none. */
static int
last_finite (const SsappSeries *series)
{
  for (int i = series->n - 1; i >= 0; i--)
    if (isfinite (series->x[i]) && isfinite (series->y[i]))
      return i;
  return -1;
}

/* Room right of the axes so that end labels fit beside their points. A value's width is that of the widest usual
 * number, so that plots stacked on one x axis agree. */
static double
right_margin (const SsappStyle *style, const SsappPlotSpec *spec, const SsappSeries *series, int n_series, double width,
              double left)
{
  static const double WIDEST = -8.8e-88, LARGEST_SHARE = 0.35;
  double least = RIGHT_LEAST * style->font_size, need = least;

  if (!spec->end_labels)
    return least;
  Extent extent = extent_of (series, n_series, TRUE);
  double lo = isnan (spec->x_min) ? extent.lo : spec->x_min, hi = isnan (spec->x_max) ? extent.hi : spec->x_max;
  for (int i = 0; i < n_series; i++) {
    int last = last_finite (&series[i]);
    if (last < 0)
      continue;
    double text_width, fraction = hi > lo ? CLAMP ((series[i].x[last] - lo) / (hi - lo), 0., 1.) : 1.;
    char *text = end_text (spec, &series[i], WIDEST);
    ssapp_text_measure (style, style->font_size, TRUE, text, &text_width, NULL);
    g_free (text);
    double beside = text_width + (END_MARKER_PX + LABEL_GAP_PX) * style->scale;
    /* fraction * plot + beside <= plot + right, plot = width - left - right */
    double right = fraction > 0. ? (beside - (1. - fraction) * (width - left)) / fraction : 0.;
    need = MAX (need, right);
  }
  return MIN (need, LARGEST_SHARE * width);
}

void
ssapp_plot_layout_x (const SsappStyle *style, const SsappPlotSpec *spec, const SsappSeries *series, int n_series,
                     double x, double width, SsappAxis *x_axis, double *left, double *right)
{
  SsappAxis y_axis;
  double widest = 0.;

  init_y_axis (spec, series, n_series, SSAPP_AXIS_MAX_LABELS, &y_axis);
  for (int i = 0; i < y_axis.n_ticks; i++) {
    double w;
    char *label = ssapp_axis_label (&y_axis, i);
    ssapp_text_measure (style, style->font_size, FALSE, label, &w, NULL);
    widest = MAX (widest, w);
    g_free (label);
  }
  double rotated = spec->y_label != NULL && spec->title != NULL ? LINE_HEIGHT * style->font_size : 0.;
  double margin = MAX (widest + (TICK_PX + 5.) * style->scale, LEFT_LEAST * style->font_size) + rotated;
  margin = MIN (margin, 0.5 * width);
  *left = x + margin;
  *right = x + width - right_margin (style, spec, series, n_series, width, margin);
  if (*right < *left + style->scale)
    *right = *left + style->scale;
  init_x_axis (style, spec, series, n_series, *right - *left, x_axis);
}

double
ssapp_plot_x_at (const SsappStyle *style, const SsappPlotSpec *spec, const SsappSeries *series, int n_series, double x,
                 double width, double device_x)
{
  SsappAxis axis;
  double left, right;
  ssapp_plot_layout_x (style, spec, series, n_series, x, width, &axis, &left, &right);
  return ssapp_axis_value (&axis, CLAMP ((device_x - left) / (right - left), 0., 1.));
}

/* ---- a plot being drawn ------------------------------------------------------------------------------------------ */

typedef struct {
  cairo_t *cr;
  const SsappStyle *style;
  const SsappPlotSpec *spec;
  const SsappSeries *series;
  int n_series;
  SsappMethodStyle *looks;
  SsappAxis x_axis, y_axis;
  SsappRect area;
  gboolean is_empty;
} Plot;

static double
device_x (const Plot *plot, double value)
{
  return plot->area.x + plot->area.width * ssapp_axis_fraction (&plot->x_axis, value);
}

static double
device_y (const Plot *plot, double value)
{
  return plot->area.y + plot->area.height * (1. - ssapp_axis_fraction (&plot->y_axis, value));
}

static double
raster (const Plot *plot, double at)
{
  return plot->style->is_paper ? at : floor (at) + 0.5;
}

static void
line (cairo_t *cr, double x0, double y0, double x1, double y1)
{
  cairo_move_to (cr, x0, y0);
  cairo_line_to (cr, x1, y1);
}

static void
draw_grid (const Plot *plot)
{
  cairo_t *cr = plot->cr;
  double right = plot->area.x + plot->area.width, bottom = plot->area.y + plot->area.height;

  cairo_new_path (cr);
  for (int i = 0; i < plot->x_axis.n_ticks; i++) {
    double at = raster (plot, device_x (plot, plot->x_axis.ticks[i]));
    line (cr, at, plot->area.y, at, bottom);
  }
  for (int i = 0; i < plot->y_axis.n_ticks; i++) {
    double at = raster (plot, device_y (plot, plot->y_axis.ticks[i]));
    line (cr, plot->area.x, at, right, at);
  }
  ssapp_set_color (cr, ssapp_style_color (plot->style, SSAPP_COLOR_PLOT_GRID));
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_width (cr, plot->style->scale * (plot->style->is_high_contrast ? 0.5 : 1.));
  cairo_stroke (cr);
}

static void
draw_axes (const Plot *plot)
{
  cairo_t *cr = plot->cr;
  const SsappStyle *style = plot->style;
  double right = plot->area.x + plot->area.width, bottom = plot->area.y + plot->area.height;
  double tick = TICK_PX * style->scale, minor = MINOR_TICK_PX * style->scale;

  cairo_new_path (cr);
  if (plot->is_empty) /* an empty plot is a frame */
    cairo_rectangle (cr, raster (plot, plot->area.x), raster (plot, plot->area.y),
                     raster (plot, right) - raster (plot, plot->area.x),
                     raster (plot, bottom) - raster (plot, plot->area.y));
  else {
    cairo_move_to (cr, raster (plot, plot->area.x), plot->area.y);
    cairo_line_to (cr, raster (plot, plot->area.x), raster (plot, bottom));
    cairo_line_to (cr, right, raster (plot, bottom));
  }
  for (int i = 0; i < plot->x_axis.n_ticks; i++) {
    double at = raster (plot, device_x (plot, plot->x_axis.ticks[i]));
    line (cr, at, bottom, at, bottom + tick);
  }
  for (int i = 0; i < plot->y_axis.n_ticks; i++) {
    double at = raster (plot, device_y (plot, plot->y_axis.ticks[i]));
    line (cr, plot->area.x, at, plot->area.x - tick, at);
  }
  for (int i = 0; i < plot->y_axis.n_minor; i++) {
    double at = raster (plot, device_y (plot, plot->y_axis.minor[i]));
    line (cr, plot->area.x, at, plot->area.x - minor, at);
  }
  ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_DIM));
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_width (cr, ssapp_style_line (style, AXIS_PX));
  cairo_stroke (cr);
}

static void
draw_tick_labels (const Plot *plot)
{
  const SsappStyle *style = plot->style;
  double bottom = plot->area.y + plot->area.height, gap = (TICK_PX + 2.) * style->scale, height;
  SsappTextStyle text = {.size = style->font_size, .color = ssapp_style_color (style, SSAPP_COLOR_DIM)};

  ssapp_text_measure (style, style->font_size, FALSE, "0", NULL, &height);
  text.anchor_x = 1.;
  text.anchor_y = 0.5;
  for (int i = 0; i < plot->y_axis.n_ticks; i++) {
    char *label = ssapp_axis_label (&plot->y_axis, i);
    ssapp_text_draw (plot->cr, style, &text, plot->area.x - gap, device_y (plot, plot->y_axis.ticks[i]), label);
    g_free (label);
  }
  if (plot->spec->hide_x_labels)
    return;
  text.anchor_x = 0.5;
  text.anchor_y = 0.;
  for (int i = 0; i < plot->x_axis.n_ticks; i++) {
    char *label = ssapp_axis_label (&plot->x_axis, i);
    ssapp_text_draw (plot->cr, style, &text, device_x (plot, plot->x_axis.ticks[i]), bottom + gap, label);
    g_free (label);
  }
  text.color = ssapp_style_color (style, style->is_paper ? SSAPP_COLOR_FOREGROUND : SSAPP_COLOR_DIM);
  ssapp_text_draw (plot->cr, style, &text, plot->area.x + plot->area.width / 2, bottom + gap + height * 1.02,
                   plot->spec->x_label);
}

static void
draw_tolerance (const Plot *plot)
{
  const SsappStyle *style = plot->style;
  double bottom = plot->area.y + plot->area.height, at = device_y (plot, plot->spec->tolerance);
  cairo_t *cr = plot->cr;

  if (!isfinite (plot->spec->tolerance) || !isfinite (at) || at >= bottom || at < plot->area.y)
    return;
  cairo_new_path (cr);
  ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_TOLERANCE));
  if (style->is_paper || style->is_high_contrast) {
    const double dotted[2] = {2 * style->scale, 3 * style->scale};
    cairo_set_dash (cr, dotted, 2, 0);
    cairo_set_line_width (cr, ssapp_style_line (style, 1.6));
    line (cr, plot->area.x, at, plot->area.x + plot->area.width, at);
    cairo_stroke (cr);
    cairo_set_dash (cr, NULL, 0, 0);
    return;
  }
  ssapp_set_color (cr, ssapp_color_with_alpha (ssapp_style_color (style, SSAPP_COLOR_TOLERANCE), TOLERANCE_FILL));
  cairo_rectangle (cr, plot->area.x, at, plot->area.width, bottom - at);
  cairo_fill (cr);
  ssapp_set_color (cr, ssapp_color_with_alpha (ssapp_style_color (style, SSAPP_COLOR_TOLERANCE), 0.5));
  cairo_set_line_width (cr, style->scale);
  line (cr, plot->area.x, raster (plot, at), plot->area.x + plot->area.width, raster (plot, at));
  cairo_stroke (cr);
}

static void
draw_reference (const Plot *plot)
{
  const double dash[2] = {6 * plot->style->scale, 3 * plot->style->scale};
  double at = device_y (plot, plot->spec->reference);
  if (!isfinite (plot->spec->reference) || !isfinite (at))
    return;
  cairo_new_path (plot->cr);
  ssapp_set_color (plot->cr, ssapp_style_color (plot->style, SSAPP_COLOR_GOAL));
  cairo_set_dash (plot->cr, dash, 2, 0);
  cairo_set_line_width (plot->cr, ssapp_style_line (plot->style, 1.5));
  line (plot->cr, plot->area.x, at, plot->area.x + plot->area.width, at);
  cairo_stroke (plot->cr);
  cairo_set_dash (plot->cr, NULL, 0, 0);
}

static void
draw_curve (const Plot *plot, int i)
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
  cairo_set_line_width (cr, curve_width (plot->style) * (plot->series[i].weight > 0 ? BRANCH_WIDTH : 1));
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap (cr, plot->looks[i].n_dash > 0 ? CAIRO_LINE_CAP_BUTT : CAIRO_LINE_CAP_ROUND);
  cairo_set_dash (cr, plot->looks[i].dash, plot->looks[i].n_dash, 0);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
  g_array_unref (points);
}

/* Values that a log axis cannot show: open triangles at the lower edge. */
static void
draw_zeros (const Plot *plot, int i)
{
  const SsappSeries *series = &plot->series[i];
  double radius = 3.6 * plot->style->scale, bottom = plot->area.y + plot->area.height, last = -INFINITY;
  cairo_t *cr = plot->cr;

  for (int k = 0; k < series->n && plot->y_axis.is_log; k++) {
    if (!isfinite (series->x[k]) || !isfinite (series->y[k]) || series->y[k] > 0.)
      continue;
    double x = device_x (plot, series->x[k]);
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
    cairo_set_line_width (cr, ssapp_style_line (plot->style, MARKER_LINE_PX));
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

static gboolean
inside (const Plot *plot, double x, double y)
{
  return x >= plot->area.x - 1 && x <= plot->area.x + plot->area.width + 1 && y >= plot->area.y - 1 &&
         y <= plot->area.y + plot->area.height + 1; /* false for NaN */
}

static void
draw_markers (const Plot *plot, int i)
{
  const SsappSeries *series = &plot->series[i];
  double offset = (i + 0.5) / (plot->n_series + 0.5);
  int previous = -1, last = last_finite (series);
  int n = (int)CLAMP (plot->area.width / (MARKER_DISTANCE_PX * plot->style->scale), 3, MARKERS_PER_AXIS);

  if (series->weight > 0 || !ascends (series))
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
    double x = device_x (plot, series->x[at]), y = device_y (plot, series->y[at]);
    if (inside (plot, x, y))
      ssapp_draw_marker (plot->cr, plot->looks[i].marker, x, y, MARKER_PX * plot->style->scale,
                         ssapp_style_line (plot->style, MARKER_LINE_PX), plot->looks[i].color, plot->looks[i].filled,
                         ssapp_style_color (plot->style, SSAPP_COLOR_CARD));
  }
}

typedef struct {
  int series;  /* which one                   */
  double x, y; /* left end, middle of the text */
  double width;
  char *text;
} EndLabel;

static void
end_label_clear (EndLabel *label)
{
  g_free (label->text);
}

/* Labels beside the ends of the curves, pushed apart where they would lie on each other. */
static GArray *
layout_end_labels (const Plot *plot)
{
  const SsappStyle *style = plot->style;
  GArray *labels = g_array_new (FALSE, TRUE, sizeof (EndLabel));
  double *at = g_new (double, MAX (plot->n_series, 1)), height, bottom = plot->area.y + plot->area.height;

  g_array_set_clear_func (labels, (GDestroyNotify)end_label_clear);
  ssapp_text_measure (style, style->font_size, TRUE, "0", NULL, &height);
  for (int i = 0; i < plot->n_series; i++) {
    int last = last_finite (&plot->series[i]);
    if (last < 0 || plot->series[i].weight > 0)
      continue;
    double y = device_y (plot, plot->series[i].y[last]);
    EndLabel label = {.series = i, .text = end_text (plot->spec, &plot->series[i], plot->series[i].y[last])};
    label.x = device_x (plot, plot->series[i].x[last]) + (END_MARKER_PX + LABEL_GAP_PX * 0.7) * style->scale;
    ssapp_text_measure (style, style->font_size, TRUE, label.text, &label.width, NULL);
    /* a little above the line's end, so that the curve's last piece stays visible; NaN: ended at zero on a log axis */
    at[labels->len] = CLAMP (isnan (y) ? bottom : y, plot->area.y, bottom) - 0.35 * height;
    g_array_append_val (labels, label);
  }
  ssapp_plot_push_apart (at, (int)labels->len, height * 0.98, plot->area.y, bottom);
  for (guint k = 0; k < labels->len; k++)
    g_array_index (labels, EndLabel, k).y = at[k];
  g_free (at);
  return labels;
}

static void
draw_end_labels (const Plot *plot)
{
  const SsappStyle *style = plot->style;
  GArray *labels = layout_end_labels (plot);

  for (guint k = 0; k < labels->len; k++) {
    const EndLabel *label = &g_array_index (labels, EndLabel, k);
    const SsappSeries *series = &plot->series[label->series];
    int last = last_finite (series);
    double x = device_x (plot, series->x[last]), y = device_y (plot, series->y[last]);
    if (inside (plot, x, y))
      ssapp_draw_marker (plot->cr, SSAPP_MARKER_CIRCLE, x, y, END_MARKER_PX * style->scale,
                         ssapp_style_line (style, 2.), plot->looks[label->series].color, !series->is_running,
                         ssapp_style_color (style, SSAPP_COLOR_CARD));
  }
  for (guint k = 0; k < labels->len; k++) {
    const EndLabel *label = &g_array_index (labels, EndLabel, k);
    SsappTextStyle text = {
        .size = style->font_size, .bold = TRUE, .color = plot->looks[label->series].color, .anchor_y = 0.5};
    ssapp_text_draw (plot->cr, style, &text, label->x, label->y, label->text);
  }
  g_array_unref (labels);
}

/* ---- the tolerance's name: where nothing else is ----------------------------------------------------------------- */

static gboolean
overlap (const SsappRect *a, const SsappRect *b)
{
  return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height && b->y < a->y + a->height;
}

/* Whether the straight piece from a to b passes through the rectangle: its part between the rectangle's sides, high and
 * low. */
static gboolean
piece_crosses (const SsappRect *rect, double ax, double ay, double bx, double by)
{
  double left = MAX (MIN (ax, bx), rect->x), right = MIN (MAX (ax, bx), rect->x + rect->width);
  double slope = fabs (bx - ax) > 1e-9 ? (by - ay) / (bx - ax) : 0., y0, y1;

  if (!isfinite (ax + ay + bx + by) || left > right)
    return FALSE;
  y0 = fabs (bx - ax) > 1e-9 ? ay + slope * (left - ax) : ay;
  y1 = fabs (bx - ax) > 1e-9 ? ay + slope * (right - ax) : by;
  return MIN (y0, y1) < rect->y + rect->height && MAX (y0, y1) > rect->y;
}

/* How many curves and end labels lie in the rectangle. */
static int
crowd_in (const Plot *plot, const SsappRect *rect, const GArray *labels)
{
  double height;
  int n = 0;

  ssapp_text_measure (plot->style, plot->style->font_size, TRUE, "0", NULL, &height);
  for (int i = 0; i < plot->n_series; i++) {
    const SsappSeries *series = &plot->series[i];
    gboolean crosses = FALSE;
    for (int k = 0; k + 1 < series->n && !crosses; k++)
      crosses = piece_crosses (rect, device_x (plot, series->x[k]), device_y (plot, series->y[k]),
                               device_x (plot, series->x[k + 1]), device_y (plot, series->y[k + 1]));
    n += crosses ? 1 : 0;
  }
  for (guint k = 0; labels != NULL && k < labels->len; k++) {
    const EndLabel *label = &g_array_index (labels, EndLabel, k);
    double marker = 2 * END_MARKER_PX * plot->style->scale;
    SsappRect taken = {label->x - marker, label->y - height / 2, label->width + marker, height};
    n += overlap (rect, &taken) ? 1 : 0;
  }
  return n;
}

/* In the band at its right end if there is room, else further left or above the line; on a crowded plot it gets a
 * backing. */
static void
draw_tolerance_label (const Plot *plot)
{
  static const double INSET = 6., PLACES = 12., BACKING = 0.85; /* px, positions tried, opacity */
  const SsappStyle *style = plot->style;
  const char *words = plot->spec->tolerance_label;
  double bottom = plot->area.y + plot->area.height, at = device_y (plot, plot->spec->tolerance), width, height;
  SsappTextStyle text = {
      .size = style->font_size, .color = ssapp_style_color (style, SSAPP_COLOR_TOLERANCE_TEXT), .bold = TRUE};
  SsappRect best = {0, 0, 0, 0};
  int least = G_MAXINT;

  if (words == NULL || style->is_paper || !isfinite (at) || at >= bottom || at < plot->area.y)
    return;
  ssapp_text_measure (style, text.size, TRUE, words, &width, &height);
  GArray *labels = plot->spec->end_labels ? layout_end_labels (plot) : NULL;
  double inset = INSET * style->scale, room = MAX (plot->area.width - width - 2 * inset, 0.);
  double rows[] = {at + style->scale, bottom - height - style->scale, at - height - style->scale};
  for (guint row = 0; row < G_N_ELEMENTS (rows) && least > 0; row++) {
    if (rows[row] < plot->area.y || rows[row] + height > bottom)
      continue;
    for (int k = 0; k < (int)PLACES && least > 0; k++) {
      SsappRect rect = {plot->area.x + inset + room * (1. - k / (PLACES - 1.)), rows[row], width, height};
      SsappRect around = {rect.x - inset, rect.y, rect.width + 2 * inset, rect.height};
      int crowd = crowd_in (plot, &around, labels);
      if (crowd < least) {
        least = crowd;
        best = rect;
      }
    }
  }
  if (labels != NULL)
    g_array_unref (labels);
  if (least == G_MAXINT)
    return; /* a plot lower than a line of text */
  if (least > 0) {
    cairo_new_path (plot->cr);
    ssapp_set_color (plot->cr, ssapp_color_with_alpha (ssapp_style_color (style, SSAPP_COLOR_CARD), BACKING));
    cairo_rectangle (plot->cr, best.x - inset / 2, best.y, best.width + inset, best.height);
    cairo_fill (plot->cr);
  }
  ssapp_text_draw (plot->cr, style, &text, best.x, best.y, words);
}

/* Value of a curve at x, on the drawn line (straight in the axis' space). */
static double
curve_fraction_at (const Plot *plot, const SsappSeries *series, double x)
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

static void
draw_cursor (const Plot *plot)
{
  const SsappStyle *style = plot->style;
  double x = device_x (plot, plot->spec->cursor);

  if (!isfinite (plot->spec->cursor) || x < plot->area.x - 0.5 || x > plot->area.x + plot->area.width + 0.5)
    return;
  cairo_new_path (plot->cr);
  ssapp_set_color (plot->cr, ssapp_style_color (style, SSAPP_COLOR_FOREGROUND));
  cairo_set_dash (plot->cr, NULL, 0, 0);
  cairo_set_line_width (plot->cr, ssapp_style_line (style, CURSOR_PX));
  line (plot->cr, x, plot->area.y, x, plot->area.y + plot->area.height);
  cairo_stroke (plot->cr);
  for (int i = 0; i < plot->n_series; i++) {
    double y = plot->area.y + plot->area.height * (1. - curve_fraction_at (plot, &plot->series[i], plot->spec->cursor));
    if (inside (plot, x, y))
      ssapp_draw_marker (plot->cr, SSAPP_MARKER_CIRCLE, x, y, MARKER_PX * style->scale,
                         ssapp_style_line (style, MARKER_LINE_PX), plot->looks[i].color, FALSE,
                         ssapp_style_color (style, SSAPP_COLOR_CARD));
  }
}

/* ---- legend ------------------------------------------------------------------------------------------------------ */

/* Runs over the entries in rows; draws when cr is there. Entry n_series is the tolerance. */
double
ssapp_plot_draw_legend (cairo_t *cr, const SsappStyle *style, const SsappSeries *series, int n_series,
                        const char *tolerance_label, double x, double y, double width, gboolean centred)
{
  static const double SAMPLE = 2.6, SAMPLE_GAP = 0.6, ENTRY_GAP = 1.6; /* font sizes */
  while (n_series > 0 && series[n_series - 1].weight > 0)
    n_series--;
  double font = style->font_size, row_height = LINE_HEIGHT * font, sample = SAMPLE * font;
  int n = n_series + (tolerance_label != NULL ? 1 : 0), begin = 0;
  SsappMethodStyle *looks = ssapp_plot_series_styles (style, series, n_series);
  double *widths = g_new (double, MAX (n, 1)), top = y;

  for (int i = 0; i < n; i++) {
    const char *label = i < n_series ? series[i].label : tolerance_label;
    ssapp_text_measure (style, font, FALSE, label != NULL ? label : "", &widths[i], NULL);
    widths[i] += sample + SAMPLE_GAP * font;
  }
  while (begin < n) {
    double total = widths[begin];
    int end = begin + 1;
    while (end < n && total + ENTRY_GAP * font + widths[end] <= width)
      total += ENTRY_GAP * font + widths[end++];
    double at = centred ? x + (width - total) / 2 : x + width - total, middle = top + row_height / 2;
    for (int i = begin; cr != NULL && i < end; i++) {
      SsappTextStyle text = {.size = font, .color = ssapp_style_color (style, SSAPP_COLOR_FOREGROUND), .anchor_y = 0.5};
      const double dotted[2] = {2 * style->scale, 3 * style->scale};
      gboolean is_curve = i < n_series;
      cairo_new_path (cr);
      ssapp_set_color (cr, is_curve ? looks[i].color : ssapp_style_color (style, SSAPP_COLOR_TOLERANCE));
      cairo_set_dash (cr, is_curve ? looks[i].dash : dotted, is_curve ? looks[i].n_dash : 2, 0);
      cairo_set_line_width (cr, is_curve ? curve_width (style) : ssapp_style_line (style, 1.6));
      line (cr, at, middle, at + sample, middle);
      cairo_stroke (cr);
      cairo_set_dash (cr, NULL, 0, 0);
      if (is_curve)
        ssapp_draw_marker (cr, looks[i].marker, at + sample / 2, middle, MARKER_PX * style->scale,
                           ssapp_style_line (style, MARKER_LINE_PX), looks[i].color, looks[i].filled,
                           ssapp_style_color (style, SSAPP_COLOR_CARD));
      ssapp_text_draw (cr, style, &text, at + sample + SAMPLE_GAP * font, middle,
                       is_curve ? series[i].label : tolerance_label);
      at += widths[i] + ENTRY_GAP * font;
    }
    top += row_height;
    begin = end;
  }
  g_free (looks);
  g_free (widths);
  return top - y;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

/* Text above the axes: the letter, the title, or the y label in its place. NULL if none. */
static char *
heading (const SsappPlotSpec *spec)
{
  const char *title = spec->title != NULL ? spec->title : spec->y_label;
  if (spec->letter != NULL && title != NULL)
    return g_strconcat (spec->letter, " ", title, NULL);
  return g_strdup (spec->letter != NULL ? spec->letter : title);
}

/* Heading and legend; returns the height they take. cr NULL: only measures. */
static double
draw_top (cairo_t *cr, const SsappStyle *style, const SsappPlotSpec *spec, const SsappSeries *series, int n_series,
          double x, double y, double left, double right)
{
  double font = style->font_size, height = TOP_LEAST * font, title_width = 0.;
  char *title = heading (spec);
  SsappTextStyle text = {
      .size = font * TITLE_SIZE, .bold = TRUE, .color = ssapp_style_color (style, SSAPP_COLOR_FOREGROUND)};

  if (title != NULL && *title != '\0') {
    ssapp_text_measure (style, text.size, TRUE, title, &title_width, NULL);
    /* a title wider than the axes begins at the card's edge */
    double at = left + title_width <= right + RIGHT_LEAST * font ? left : MAX (x, right - title_width);
    if (cr != NULL)
      ssapp_text_draw (cr, style, &text, at, y, title);
    height = 1.65 * font;
  }
  if (spec->legend && n_series > 0) {
    double beside = right - left - title_width - font, below = right - left;
    double one_row = LINE_HEIGHT * font * 1.01;
    if (ssapp_plot_draw_legend (NULL, style, series, n_series, NULL, 0, 0, beside, FALSE) <= one_row && beside > 0)
      ssapp_plot_draw_legend (cr, style, series, n_series, NULL, right - beside, y, beside, FALSE);
    else
      height += ssapp_plot_draw_legend (cr, style, series, n_series, NULL, left, y + height - 0.2 * font, below, FALSE);
    height = MAX (height, 1.65 * font);
  }
  g_free (title);
  return height;
}

/* Axes and area; the heading is drawn on the way, where cr is there. */
static void
layout (Plot *plot, double x, double y, double width, double height)
{
  const SsappPlotSpec *spec = plot->spec;
  const double font = plot->style->font_size;
  double left, right;

  ssapp_plot_layout_x (plot->style, spec, plot->series, plot->n_series, x, width, &plot->x_axis, &left, &right);
  Extent extent = extent_of (plot->series, plot->n_series, FALSE);
  plot->is_empty = !has_value (&extent);
  double top = y + draw_top (plot->cr, plot->style, spec, plot->series, plot->n_series, x, y, left, right);
  double bottom_margin =
      spec->hide_x_labels ? 0.7 * font : 0.6 * font + LINE_HEIGHT * font * (spec->x_label != NULL ? 2. : 1.);
  plot->area = (SsappRect){left, top, right - left, MAX (y + height - bottom_margin - top, plot->style->scale)};
  init_y_axis (spec, plot->series, plot->n_series, (int)(plot->area.height / (LABEL_DISTANCE * font)), &plot->y_axis);
}

static void
draw_y_label (const Plot *plot, double x)
{
  SsappTextStyle text = {.size = plot->style->font_size,
                         .color = ssapp_style_color (plot->style, SSAPP_COLOR_DIM),
                         .anchor_x = 0.5,
                         .angle = -G_PI_2};

  if (plot->spec->title != NULL && plot->spec->y_label != NULL)
    ssapp_text_draw (plot->cr, plot->style, &text, x, plot->area.y + plot->area.height / 2, plot->spec->y_label);
}

void
ssapp_plot_frame_layout (const SsappStyle *style, const SsappPlotSpec *spec, const double box[4], double x, double y,
                         double width, double height, SsappPlotFrame *frame)
{
  const double xs[2] = {box[0], box[1]}, ys[2] = {box[2], box[3]};
  const SsappSeries corners = {.n = 2, .x = xs, .y = ys};
  Plot plot = {.style = style, .spec = spec, .series = &corners, .n_series = 1};

  layout (&plot, x, y, MAX (width, style->scale), height);
  *frame = (SsappPlotFrame){plot.x_axis, plot.y_axis, plot.area, x, y};
}

void
ssapp_plot_frame_draw (cairo_t *cr, const SsappStyle *style, const SsappPlotSpec *spec, const SsappPlotFrame *frame)
{
  const Plot plot = {
      .cr = cr, .style = style, .spec = spec, .x_axis = frame->x_axis, .y_axis = frame->y_axis, .area = frame->area};

  draw_top (cr, style, spec, NULL, 0, frame->x, frame->y, frame->area.x, frame->area.x + frame->area.width);
  draw_grid (&plot);
  draw_axes (&plot);
  draw_tick_labels (&plot);
  draw_y_label (&plot, frame->x);
}

void
ssapp_plot_draw (cairo_t *cr, const SsappStyle *style, const SsappPlotSpec *spec, const SsappSeries *series,
                 int n_series, double x, double y, double width, double height)
{
  Plot plot = {.cr = cr, .style = style, .spec = spec, .series = series, .n_series = n_series};
  double font = style->font_size;

  if (!(width > 0.) || !(height > 0.))
    return;
  cairo_save (cr);
  cairo_new_path (cr);
  cairo_rectangle (cr, x, y, width, height);
  cairo_clip (cr);
  layout (&plot, x, y, width, height);
  plot.looks = ssapp_plot_series_styles (style, series, n_series);

  if (!style->is_paper)
    draw_tolerance (&plot); /* a band below the grid */
  draw_grid (&plot);
  if (style->is_paper)
    draw_tolerance (&plot); /* a dotted line above it */
  draw_axes (&plot);
  draw_tick_labels (&plot);
  draw_y_label (&plot, x);
  cairo_save (cr);
  double bleed = curve_width (style); /* curves at the range's ends keep their width */
  cairo_rectangle (cr, plot.area.x - bleed / 2, plot.area.y - bleed, plot.area.width + bleed,
                   plot.area.height + bleed * 1.5);
  cairo_clip (cr);
  draw_reference (&plot);
  for (int i = n_series - 1; i >= 0 && series[i].weight > 0; i--)
    draw_curve (&plot, i);
  for (int i = 0; i < n_series && series[i].weight <= 0; i++)
    draw_curve (&plot, i);
  cairo_restore (cr);
  gboolean several = (n_series > 1 && series[1].weight <= 0) || spec->legend || spec->end_labels || style->is_paper;
  for (int i = 0; i < n_series; i++) {
    if (several)
      draw_markers (&plot, i);
    draw_zeros (&plot, i);
  }
  draw_tolerance_label (&plot);
  if (spec->end_labels)
    draw_end_labels (&plot);
  draw_cursor (&plot);
  if (plot.is_empty) {
    SsappTextStyle text = {
        .size = font, .color = ssapp_style_color (style, SSAPP_COLOR_DIM), .anchor_x = 0.5, .anchor_y = 0.5};
    ssapp_text_draw (cr, style, &text, plot.area.x + plot.area.width / 2, plot.area.y + plot.area.height / 2,
                     "No data");
  }
  g_free (plot.looks);
  cairo_restore (cr);
}
