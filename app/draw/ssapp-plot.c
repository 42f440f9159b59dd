/* app/draw/ssapp-plot.c: draws a plot: its layout, its frame and the whole. Ranges and ticks: ssapp-plot-axis.c;
 * curves, markers, cursor: ssapp-plot-curve.c; words: ssapp-plot-label.c.
 *
 * Horizontal layout depends on the width and the data alone, never on the height, so that stacked plots share their x
 * axis. The background is left as it is (cards and pages have their own).
 */
#include "app/draw/ssapp-plot-private.h"

#include <math.h>
#include <string.h>

/* px at 100 % */
static const double TICK_PX = 4., MINOR_TICK_PX = 2., AXIS_PX = 1.2;
static const double TOLERANCE_FILL = 0.14;
/* Multiples of the font size. */
static const double LEFT_LEAST = 3.5, RIGHT_LEAST = 1.2, TOP_LEAST = 0.8, TITLE_SIZE = 1.08;
static const double LEGEND_LEAST = 7;      /* font sizes beside a heading: a sample of the line and some letters */
static const double LABEL_DISTANCE = 1.35; /* of y labels */
/* Share of a range that may be given away so that an axis ends at a label. */
static const double LOOSEN_X = 0.1, LOOSEN_Y = 0.25;
/* Room above and below a linear curve, as a share of its range. */
static const double PAD_Y = 0.04;

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
  if (spec->x_also != NULL) {
    extent.lo = MIN (extent.lo, spec->x_also[0]);
    extent.hi = MAX (extent.hi, spec->x_also[1]);
  }
  double lo = isnan (spec->x_min) ? extent.lo : spec->x_min, hi = isnan (spec->x_max) ? extent.hi : spec->x_max;
  for (int labels = spec->x_names != NULL ? SSAPP_AXIS_MAX_TICKS : SSAPP_AXIS_MAX_LABELS; labels >= 2; labels--) {
    if (spec->x_names != NULL)
      ssapp_axis_init_names (axis, spec->x_names, spec->n_x_names, labels);
    else if (spec->x_log)
      ssapp_axis_init_log (axis, isnan (spec->x_min) ? extent.lo_positive : lo, hi, !isnan (spec->x_min),
                           !isnan (spec->x_max), labels);
    else
      ssapp_axis_init_linear (axis, lo, hi, !isnan (spec->x_min), !isnan (spec->x_max), LOOSEN_X, labels);
    axis->ticks_form = spec->x_ticks;
    if (spec->minor_ticks)
      ssapp_axis_add_minor (axis);
    if (x_labels_fit (style, axis, plot_width))
      break;
  }
}

static void
init_y_range (const SsappPlotSpec *spec, const SsappSeries *series, int n_series, int max_labels, SsappAxis *axis)
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

static void
init_y_axis (const SsappPlotSpec *spec, const SsappSeries *series, int n_series, int max_labels, SsappAxis *axis)
{
  init_y_range (spec, series, n_series, max_labels, axis);
  axis->ticks_form = spec->y_ticks;
  if (spec->minor_ticks)
    ssapp_axis_add_minor (axis);
}

gboolean
ssapp_plot_y_extent (const SsappPlotSpec *spec, const SsappSeries *series, int n_series, double extent[2])
{
  g_return_val_if_fail (spec != NULL, FALSE);
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

/* Room right of the axes so that end labels fit beside their points. A value's width is that of the widest usual
 * number, so that plots stacked on one x axis agree. */
static double
right_margin (const SsappStyle *style, const SsappPlotSpec *spec, const SsappSeries *series, int n_series, double width,
              double left)
{
  static const double WIDEST = -8.8e-88, LARGEST_SHARE = 0.35;
  double least = MAX (RIGHT_LEAST * style->font_size, spec->right_least), need = least;

  if (!spec->end_labels)
    return least;
  Extent extent = extent_of (series, n_series, TRUE);
  double lo = isnan (spec->x_min) ? extent.lo : spec->x_min, hi = isnan (spec->x_max) ? extent.hi : spec->x_max;
  for (int i = 0; i < n_series; i++) {
    int last = ssapp_plot_last_finite (&series[i]);
    if (last < 0)
      continue;
    double text_width, fraction = hi > lo ? CLAMP ((series[i].x[last] - lo) / (hi - lo), 0., 1.) : 1.;
    char *text = ssapp_plot_end_text (spec, &series[i], WIDEST);
    ssapp_text_measure (style, style->font_size, TRUE, text, &text_width, NULL);
    g_free (text);
    double beside = text_width + (SSAPP_PLOT_END_MARKER_PX + SSAPP_PLOT_LABEL_GAP_PX) * style->scale;
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
  g_return_if_fail (style != NULL);
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
  double rotated = spec->y_label != NULL && spec->title != NULL ? SSAPP_PLOT_LINE_HEIGHT * style->font_size : 0.;
  double margin = MAX (widest + (TICK_PX + 5.) * style->scale, LEFT_LEAST * style->font_size) + rotated;
  margin = MIN (MAX (margin, spec->left_least), 0.5 * width);
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

/* ---- frame ------------------------------------------------------------------------------------------------------- */

static double
raster (const SsappPlot *plot, double at)
{
  return plot->style->is_paper ? at : floor (at) + 0.5;
}

static void
draw_grid (const SsappPlot *plot)
{
  cairo_t *cr = plot->cr;
  double right = plot->area.x + plot->area.width, bottom = plot->area.y + plot->area.height;

  cairo_new_path (cr);
  for (int i = 0; i < plot->x_axis.n_ticks; i++) {
    double at = raster (plot, ssapp_plot_x (plot, plot->x_axis.ticks[i]));
    ssapp_plot_line (cr, at, plot->area.y, at, bottom);
  }
  for (int i = 0; i < plot->y_axis.n_ticks; i++) {
    double at = raster (plot, ssapp_plot_y (plot, plot->y_axis.ticks[i]));
    ssapp_plot_line (cr, plot->area.x, at, right, at);
  }
  ssapp_set_color (cr, ssapp_style_color (plot->style, SSAPP_COLOR_PLOT_GRID));
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_width (cr, plot->style->scale * (plot->style->is_high_contrast ? 0.5 : 1.));
  cairo_stroke (cr);
}

static void
draw_axes (const SsappPlot *plot)
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
    double at = raster (plot, ssapp_plot_x (plot, plot->x_axis.ticks[i]));
    ssapp_plot_line (cr, at, bottom, at, bottom + tick);
  }
  for (int i = 0; i < plot->y_axis.n_ticks; i++) {
    double at = raster (plot, ssapp_plot_y (plot, plot->y_axis.ticks[i]));
    ssapp_plot_line (cr, plot->area.x, at, plot->area.x - tick, at);
  }
  for (int i = 0; i < plot->x_axis.n_minor; i++) {
    double at = raster (plot, ssapp_plot_x (plot, plot->x_axis.minor[i]));
    ssapp_plot_line (cr, at, bottom, at, bottom + minor);
  }
  for (int i = 0; i < plot->y_axis.n_minor; i++) {
    double at = raster (plot, ssapp_plot_y (plot, plot->y_axis.minor[i]));
    ssapp_plot_line (cr, plot->area.x, at, plot->area.x - minor, at);
  }
  ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_DIM));
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_width (cr, ssapp_style_line (style, AXIS_PX));
  cairo_stroke (cr);
}

static void
draw_tick_labels (const SsappPlot *plot)
{
  const SsappStyle *style = plot->style;
  double bottom = plot->area.y + plot->area.height, gap = (TICK_PX + 2.) * style->scale, height;
  SsappTextStyle text = {.size = style->font_size, .color = ssapp_style_color (style, SSAPP_COLOR_DIM)};

  ssapp_text_measure (style, style->font_size, FALSE, "0", NULL, &height);
  text.anchor_x = 1.;
  text.anchor_y = 0.5;
  for (int i = 0; i < plot->y_axis.n_ticks; i++) {
    char *label = ssapp_axis_label (&plot->y_axis, i);
    ssapp_text_draw (plot->cr, style, &text, plot->area.x - gap, ssapp_plot_y (plot, plot->y_axis.ticks[i]), label);
    g_free (label);
  }
  if (plot->spec->hide_x_labels)
    return;
  text.anchor_x = 0.5;
  text.anchor_y = 0.;
  for (int i = 0; i < plot->x_axis.n_ticks; i++) {
    char *label = ssapp_axis_label (&plot->x_axis, i);
    ssapp_text_draw (plot->cr, style, &text, ssapp_plot_x (plot, plot->x_axis.ticks[i]), bottom + gap, label);
    g_free (label);
  }
  text.color = ssapp_style_color (style, style->is_paper ? SSAPP_COLOR_FOREGROUND : SSAPP_COLOR_DIM);
  ssapp_text_draw (plot->cr, style, &text, plot->area.x + plot->area.width / 2, bottom + gap + height * 1.02,
                   plot->spec->x_label);
}

static void
draw_tolerance (const SsappPlot *plot)
{
  const SsappStyle *style = plot->style;
  double bottom = plot->area.y + plot->area.height, at = ssapp_plot_y (plot, plot->spec->tolerance);
  cairo_t *cr = plot->cr;

  if (!isfinite (plot->spec->tolerance) || !isfinite (at) || at >= bottom || at < plot->area.y)
    return;
  cairo_new_path (cr);
  ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_TOLERANCE));
  if (style->is_paper || style->is_high_contrast) {
    const double dotted[2] = {2 * style->scale, 3 * style->scale};
    cairo_set_dash (cr, dotted, 2, 0);
    cairo_set_line_width (cr, ssapp_style_line (style, 1.6));
    ssapp_plot_line (cr, plot->area.x, at, plot->area.x + plot->area.width, at);
    cairo_stroke (cr);
    cairo_set_dash (cr, NULL, 0, 0);
    return;
  }
  ssapp_set_color (cr, ssapp_color_with_alpha (ssapp_style_color (style, SSAPP_COLOR_TOLERANCE), TOLERANCE_FILL));
  cairo_rectangle (cr, plot->area.x, at, plot->area.width, bottom - at);
  cairo_fill (cr);
  ssapp_set_color (cr, ssapp_color_with_alpha (ssapp_style_color (style, SSAPP_COLOR_TOLERANCE), 0.5));
  cairo_set_line_width (cr, style->scale);
  ssapp_plot_line (cr, plot->area.x, raster (plot, at), plot->area.x + plot->area.width, raster (plot, at));
  cairo_stroke (cr);
}

static void
draw_instants (const SsappPlot *plot)
{
  const double dotted[2] = {plot->style->scale, 2.5 * plot->style->scale};
  const double bottom = plot->area.y + plot->area.height;

  cairo_new_path (plot->cr);
  for (int i = 0; i < plot->spec->n_instants; i++) {
    const double at = ssapp_plot_x (plot, plot->spec->instants[i]);
    if (at >= plot->area.x - 0.5 && at <= plot->area.x + plot->area.width + 0.5)
      ssapp_plot_line (plot->cr, at, plot->area.y, at, bottom);
  }
  ssapp_set_color (plot->cr, ssapp_style_color (plot->style, SSAPP_COLOR_DIM));
  cairo_set_line_width (plot->cr, plot->style->scale);
  cairo_set_dash (plot->cr, dotted, 2, 0);
  cairo_stroke (plot->cr);
  cairo_set_dash (plot->cr, NULL, 0, 0);
}

static void
draw_references (const SsappPlot *plot)
{
  const double dash[2] = {6 * plot->style->scale, 3 * plot->style->scale};
  double at = ssapp_plot_y (plot, plot->spec->reference);
  const gboolean has_reference = isfinite (plot->spec->reference) && isfinite (at);

  if (!has_reference && plot->spec->n_lines == 0)
    return;
  cairo_new_path (plot->cr);
  ssapp_set_color (plot->cr, ssapp_style_color (plot->style, SSAPP_COLOR_GOAL));
  cairo_set_dash (plot->cr, dash, 2, 0);
  cairo_set_line_width (plot->cr, ssapp_style_line (plot->style, 1.5));
  if (has_reference)
    ssapp_plot_line (plot->cr, plot->area.x, at, plot->area.x + plot->area.width, at);
  for (int i = 0; i < plot->spec->n_lines; i++) {
    const SsappPlotLine *line = &plot->spec->lines[i];
    ssapp_plot_line (plot->cr, ssapp_plot_x (plot, line->x0), ssapp_plot_y (plot, line->y0),
                     ssapp_plot_x (plot, line->x1), ssapp_plot_y (plot, line->y1));
  }
  cairo_stroke (plot->cr);
  cairo_set_dash (plot->cr, NULL, 0, 0);
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
    double one_row = SSAPP_PLOT_LINE_HEIGHT * font * 1.01;
    if (ssapp_plot_draw_legend (NULL, style, series, n_series, NULL, 0, 0, beside, FALSE) <= one_row &&
        beside >= LEGEND_LEAST * font)
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
layout (SsappPlot *plot, double x, double y, double width, double height)
{
  const SsappPlotSpec *spec = plot->spec;
  const double font = plot->style->font_size;
  double left, right;

  ssapp_plot_layout_x (plot->style, spec, plot->series, plot->n_series, x, width, &plot->x_axis, &left, &right);
  Extent extent = extent_of (plot->series, plot->n_series, FALSE);
  plot->is_empty = !has_value (&extent);
  double top = y + draw_top (plot->cr, plot->style, spec, plot->series, plot->n_series, x, y, left, right);
  double bottom_margin =
      spec->hide_x_labels ? 0.7 * font : 0.6 * font + SSAPP_PLOT_LINE_HEIGHT * font * (spec->x_label != NULL ? 2. : 1.);
  plot->area = (SsappRect){left, top, right - left, MAX (y + height - bottom_margin - top, plot->style->scale)};
  init_y_axis (spec, plot->series, plot->n_series, (int)(plot->area.height / (LABEL_DISTANCE * font)), &plot->y_axis);
}

static void
draw_y_label (const SsappPlot *plot, double x)
{
  SsappTextStyle text = {.size = plot->style->font_size,
                         .color = ssapp_style_color (plot->style, SSAPP_COLOR_DIM),
                         .anchor_x = 0.5,
                         .angle = -G_PI_2};

  if (plot->spec->title != NULL && plot->spec->y_label != NULL)
    ssapp_text_draw (plot->cr, plot->style, &text, x, plot->area.y + plot->area.height / 2, plot->spec->y_label);
}

double
ssapp_plot_frame_x (const SsappPlotFrame *frame, double value)
{
  g_return_val_if_fail (frame != NULL, (double)NAN);
  return frame->area.x + frame->area.width * ssapp_axis_fraction (&frame->x_axis, value);
}

double
ssapp_plot_frame_y (const SsappPlotFrame *frame, double value)
{
  g_return_val_if_fail (frame != NULL, (double)NAN);
  return frame->area.y + frame->area.height * (1. - ssapp_axis_fraction (&frame->y_axis, value));
}

void
ssapp_plot_frame_layout (const SsappStyle *style, const SsappPlotSpec *spec, const double box[4], double x, double y,
                         double width, double height, SsappPlotFrame *frame)
{
  g_return_if_fail (style != NULL);
  const double xs[2] = {box[0], box[1]}, ys[2] = {box[2], box[3]};
  const SsappSeries corners = {.n = 2, .x = xs, .y = ys};
  SsappPlot plot = {.style = style, .spec = spec, .series = &corners, .n_series = 1};

  layout (&plot, x, y, MAX (width, style->scale), height);
  *frame = (SsappPlotFrame){plot.x_axis, plot.y_axis, plot.area, x, y};
}

void
ssapp_plot_layout (const SsappStyle *style, const SsappPlotSpec *spec, const SsappSeries *series, int n_series,
                   double x, double y, double width, double height, SsappPlotFrame *frame)
{
  g_return_if_fail (style != NULL);
  SsappPlot plot = {.style = style, .spec = spec, .series = series, .n_series = n_series};

  layout (&plot, x, y, MAX (width, style->scale), height);
  *frame = (SsappPlotFrame){plot.x_axis, plot.y_axis, plot.area, x, y};
}

void
ssapp_plot_frame_draw (cairo_t *cr, const SsappStyle *style, const SsappPlotSpec *spec, const SsappPlotFrame *frame)
{
  g_return_if_fail (style != NULL && spec != NULL && frame != NULL);

  const SsappPlot plot = {
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
  g_return_if_fail (spec != NULL && (series != NULL || n_series == 0) && n_series >= 0);

  SsappPlot plot = {.cr = cr, .style = style, .spec = spec, .series = series, .n_series = n_series};
  double font = style->font_size;

  if (!(width > 0.) || !(height > 0.))
    return;
  cairo_save (cr);
  cairo_new_path (cr);
  cairo_rectangle (cr, x, y, width, height);
  cairo_clip (cr);
  layout (&plot, x, y, width, height);
  plot.looks = ssapp_plot_series_styles (style, series, n_series);

  ssapp_plot_draw_regions (&plot);
  ssapp_plot_draw_spans (&plot);
  if (!style->is_paper)
    draw_tolerance (&plot); /* a band below the grid */
  draw_grid (&plot);
  if (style->is_paper)
    draw_tolerance (&plot); /* a dotted line above it */
  draw_axes (&plot);
  draw_tick_labels (&plot);
  draw_y_label (&plot, x);
  cairo_save (cr);
  double bleed = ssapp_plot_curve_width (style); /* curves at the range's ends keep their width */
  cairo_rectangle (cr, plot.area.x - bleed / 2, plot.area.y - bleed, plot.area.width + bleed,
                   plot.area.height + bleed * 1.5);
  cairo_clip (cr);
  draw_instants (&plot);
  draw_references (&plot);
  ssapp_plot_draw_region_labels (&plot);
  for (int i = 0; i < n_series; i++)
    ssapp_plot_draw_band (&plot, i);
  for (int i = n_series - 1; i >= 0 && series[i].weight > 0; i--)
    ssapp_plot_draw_curve (&plot, i);
  for (int i = 0; i < n_series && series[i].weight <= 0; i++)
    ssapp_plot_draw_curve (&plot, i);
  cairo_restore (cr);
  gboolean several = (n_series > 1 && series[1].weight <= 0) || spec->legend || spec->end_labels || style->is_paper;
  for (int i = 0; i < n_series; i++) {
    if (several)
      ssapp_plot_draw_markers (&plot, i);
    ssapp_plot_draw_zeros (&plot, i);
    ssapp_plot_draw_ends (&plot, i);
  }
  ssapp_plot_draw_tolerance_label (&plot);
  if (spec->end_labels)
    ssapp_plot_draw_end_labels (&plot);
  ssapp_plot_draw_cursor (&plot);
  if (plot.is_empty) {
    SsappTextStyle text = {
        .size = font, .color = ssapp_style_color (style, SSAPP_COLOR_DIM), .anchor_x = 0.5, .anchor_y = 0.5};
    ssapp_text_draw (cr, style, &text, plot.area.x + plot.area.width / 2, plot.area.y + plot.area.height / 2,
                     "No data");
  }
  g_free (plot.looks);
  cairo_restore (cr);
}

double
ssapp_plot_time_at (const SsappStyle *style, const SsappPlotSpec *spec, const SsappSeries *series, int n_series,
                    double x, double y, double width, double height, double device_x, double device_y)
{
  g_return_val_if_fail (style != NULL, (double)NAN);
  SsappPlot plot = {.style = style, .spec = spec, .series = series, .n_series = n_series};
  double nearest = INFINITY, t = NAN;

  layout (&plot, x, y, MAX (width, style->scale), height);
  for (int i = 0; i < n_series; i++)
    for (int k = 0; series[i].t != NULL && k < series[i].n; k++) {
      const double away =
          hypot (ssapp_plot_x (&plot, series[i].x[k]) - device_x, ssapp_plot_y (&plot, series[i].y[k]) - device_y);
      if (away < nearest) {
        nearest = away;
        t = series[i].t[k];
      }
    }
  return t;
}
