/* app/study/ssapp-chart-curve.c: profiles, curves over an axis, work against precision: all by the plot module. */
#include "app/study/ssapp-chart-private.h"

#include <math.h>

#include "app/base/ssapp-metric.h"

static const double NEAR_PX = 12.;
static const double PERCENT_TOP = 1.; /* of profiles */

/* A chart as the plot module takes it. */
typedef struct {
  SsappPlotSpec spec;
  SsappSeries *series;
  int n_series;
  char *x_label, *y_label;
  GStrv labels; /* with slopes */
} Plot;

static gboolean
is_profile (const SsappChart *self)
{
  return self->spec.kind == SSAPP_CHART_PERFORMANCE || self->spec.kind == SSAPP_CHART_DATA;
}

/* Drawn as steps, with a share along y. */
static gboolean
is_step (const SsappChart *self)
{
  return is_profile (self) || self->spec.kind == SSAPP_CHART_DISTRIBUTION;
}

char *
ssapp_chart_share_label (const SsappChart *self)
{
  g_autofree char *percent = ssapp_format_number (100 * (self->spec.within - 1), 3);
  const char *done = ssapp_run_set_done_title (self->set);
  const guint n = self->set->n_problems;

  if (isnan (self->spec.within))
    return g_strdup_printf ("%s, of %u problem%s", done, n, n == 1 ? "" : "s");
  return g_strdup_printf ("%s within %s %% of the best, of %u problem%s", done, percent, n, n == 1 ? "" : "s");
}

static void
set_labels (const SsappChart *self, Plot *plot)
{
  const SsMetricSpec *metric = ssapp_metric_spec (self->spec.metric);

  switch (self->spec.kind) {
  case SSAPP_CHART_PERFORMANCE:
    plot->x_label = g_strdup_printf ("%s, against the best of each problem", metric->label);
    plot->y_label = ssapp_chart_share_label (self);
    plot->spec.x_ticks = SSAPP_PLOT_TICKS_TIMES;
    break;
  case SSAPP_CHART_DATA:
    plot->x_label = ssapp_metric_title (self->spec.metric);
    plot->y_label = ssapp_chart_share_label (self);
    break;
  case SSAPP_CHART_DISTRIBUTION:
    plot->x_label = ssapp_chart_value_title (self);
    plot->y_label = g_strdup ("Part of runs");
    break;
  case SSAPP_CHART_WORK:
    plot->x_label = ssapp_metric_title (self->spec.other);
    plot->y_label = ssapp_chart_point_title (self);
    break;
  case SSAPP_CHART_CURVES:
  default:
    plot->x_label = g_strdup (ssapp_chart_axis (self, self->spec.x_axis)->title);
    plot->y_label = ssapp_chart_point_title (self);
  }
  plot->spec.x_label = plot->x_label;
  plot->spec.y_label = plot->y_label;
}

/* Whether a legend leaves room for the curves. */
static gboolean
legend_fits (const SsappStyle *style, const Plot *plot, double width, double height)
{
  const double room = width - 5 * style->font_size;

  return style->is_paper || ssapp_plot_draw_legend (NULL, style, plot->series, plot->n_series, NULL, 0, 0, room,
                                                    FALSE) <= SSAPP_CHART_LEGEND_SHARE * height;
}

static void
plot_init (const SsappChart *self, Plot *plot, const SsappStyle *style, double width, double height)
{
  *plot = (Plot){.spec = {SSAPP_PLOT_FREE}, .n_series = (int)self->curves->len};
  plot->series = g_new0 (SsappSeries, MAX (self->curves->len, 1));
  plot->labels = g_new0 (char *, self->curves->len + 1);
  for (guint i = 0; i < self->curves->len; i++) {
    const SsappChartCurve *curve = &g_array_index (self->curves, SsappChartCurve, i);
    SsappSeries *series = &plot->series[i];
    *series = ssapp_chart_series (self, curve->method);
    series->n = (int)curve->n;
    series->x = curve->x;
    series->y = curve->y;
    series->is_step = is_step (self);
    series->is_marked = !is_step (self);
    double slope;
    if (!is_step (self) && self->spec.x_axis >= 0 && ssapp_chart_slope (self, curve, &slope)) {
      g_autofree char *number = ssapp_format_number (slope, 2);
      series->label = plot->labels[i] = g_strdup_printf ("%s (slope %s)", series->label, number);
    } else
      plot->labels[i] = g_strdup ("");
    /* without an axis along which runs follow each other there is no line */
    series->has_no_line = self->spec.kind == SSAPP_CHART_WORK && self->spec.x_axis < 0;
  }
  plot->spec.x_log = self->spec.x_log;
  plot->spec.y_log = self->spec.y_log && !is_profile (self);
  plot->spec.x_min = self->spec.x_min;
  plot->spec.x_max = self->spec.x_max;
  plot->spec.y_min = self->spec.y_min;
  plot->spec.y_max = self->spec.y_max;
  plot->spec.minor_ticks = TRUE;
  plot->spec.legend = legend_fits (style, plot, width, height);
  set_labels (self, plot);
  if (self->spec.kind == SSAPP_CHART_CURVES && !ssapp_chart_axis (self, self->spec.x_axis)->is_number) {
    plot->spec.x_names = (const char *const *)ssapp_chart_axis (self, self->spec.x_axis)->texts;
    plot->spec.n_x_names = (int)ssapp_chart_axis (self, self->spec.x_axis)->n_values;
  }
  if (self->spec.kind == SSAPP_CHART_DISTRIBUTION) {
    plot->spec.y_ticks = SSAPP_PLOT_TICKS_PERCENT;
    plot->spec.y_min = isnan (plot->spec.y_min) ? 0 : plot->spec.y_min;
  }
  if (is_profile (self)) {
    plot->spec.y_ticks = SSAPP_PLOT_TICKS_PERCENT;
    plot->spec.y_min = isnan (plot->spec.y_min) ? 0 : plot->spec.y_min;
    plot->spec.y_max = isnan (plot->spec.y_max) ? PERCENT_TOP : plot->spec.y_max;
    plot->spec.x_max = isnan (plot->spec.x_max) ? self->x_end : plot->spec.x_max;
    if (isnan (plot->spec.x_min) && self->curves->len > 0)
      plot->spec.x_min = g_array_index (self->curves, SsappChartCurve, 0).x[0];
  }
}

static void
plot_clear (Plot *plot)
{
  g_free (plot->series);
  g_strfreev (plot->labels);
  g_free (plot->x_label);
  g_free (plot->y_label);
}

/* The axes as they are drawn. */
static void
frame_of (const SsappStyle *style, const Plot *plot, double width, double height, SsappPlotFrame *frame)
{
  ssapp_plot_layout (style, &plot->spec, plot->series, plot->n_series, 0, 0, width, height, frame);
}

/* ---- values at the pointer --------------------------------------------------------------------------------------- */

static char *
x_words (const SsappChart *self, double x)
{
  const SsMetricSpec *metric = ssapp_metric_spec (self->spec.metric);
  g_autofree char *number = ssapp_format_number (x, 3);

  if (self->spec.kind == SSAPP_CHART_PERFORMANCE)
    return g_strdup_printf ("%s× the best", number);
  return g_strdup_printf ("%s %s%s%s", metric->label, number, *metric->unit != '\0' ? " " : "", metric->unit);
}

static char *
percent_words (const SsappSeries *series, gboolean x_log, double x)
{
  const double value = ssapp_plot_value_at (series, x_log, FALSE, x);

  return isnan (value) ? g_strdup ("–") : g_strdup_printf ("%.0f %%", 100 * value);
}

static void
draw_values (const SsappChart *self, cairo_t *cr, const SsappStyle *style, const Plot *plot,
             const SsappPlotFrame *frame, double pointer_x, double pointer_y)
{
  const double dotted[2] = {1.5 * style->scale, 2.5 * style->scale};
  const double x = ssapp_axis_value (&frame->x_axis, (pointer_x - frame->area.x) / frame->area.width);
  g_auto (GStrv) values = g_new0 (char *, (gsize)plot->n_series + 1);
  g_autofree char *title = x_words (self, x);

  for (int i = 0; i < plot->n_series; i++)
    values[i] = percent_words (&plot->series[i], self->spec.x_log, x);
  cairo_new_path (cr);
  cairo_move_to (cr, pointer_x, frame->area.y);
  cairo_line_to (cr, pointer_x, frame->area.y + frame->area.height);
  ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_FOREGROUND));
  cairo_set_line_width (cr, ssapp_style_line (style, 1.2));
  cairo_set_dash (cr, dotted, 2, 0);
  cairo_stroke (cr);
  ssapp_plot_draw_readout (cr, style, plot->series, (const char *const *)values, plot->n_series, title, pointer_x,
                           isfinite (pointer_y) ? pointer_y : frame->area.y + frame->area.height / 2, frame->area.x,
                           frame->area.y, frame->area.width, frame->area.height);
}

static gboolean
is_inside (const SsappPlotFrame *frame, double x)
{
  return isfinite (x) && x >= frame->area.x && x <= frame->area.x + frame->area.width;
}

void
ssapp_chart_curve_draw (const SsappChart *self, cairo_t *cr, const SsappStyle *style, double width, double height,
                        double pointer_x, double pointer_y)
{
  SsappPlotFrame frame;
  Plot plot;

  plot_init (self, &plot, style, width, height);
  ssapp_plot_draw (cr, style, &plot.spec, plot.series, plot.n_series, 0, 0, width, height);
  frame_of (style, &plot, width, height, &frame);
  if (is_step (self) && is_inside (&frame, pointer_x))
    draw_values (self, cr, style, &plot, &frame, pointer_x, pointer_y);
  plot_clear (&plot);
}

/* ---- picking ----------------------------------------------------------------------------------------------------- */

static void
pick_values (const SsappChart *self, const Plot *plot, const SsappPlotFrame *frame, double x, SsappChartPick *pick)
{
  const double at = ssapp_axis_value (&frame->x_axis, (x - frame->area.x) / frame->area.width);
  g_autofree char *title = x_words (self, at);
  GString *words = g_string_new (title);

  for (int i = 0; i < plot->n_series; i++) {
    g_autofree char *value = percent_words (&plot->series[i], self->spec.x_log, at);
    g_string_append_printf (words, "\n%s: %s", plot->series[i].label, value);
  }
  pick->words = g_string_free (words, FALSE);
}

/* The runs of a point into the array. */
static void
add_items (const SsappChart *self, const SsappChartCurve *curve, guint point, GArray *items)
{
  const double x = curve->x[point];
  const SsappRunAxis *axis = self->spec.x_axis >= 0 ? ssapp_chart_axis (self, self->spec.x_axis) : NULL;

  if (curve->items[point] != SSAPP_NO_ITEM) {
    g_array_append_val (items, curve->items[point]);
    return;
  }
  for (guint i = 0; axis != NULL && self->spec.kind == SSAPP_CHART_CURVES && i < self->set->items->len; i++) {
    const SsappRunItem *item = ssapp_chart_item (self, i);
    const guint place = item->places[self->spec.x_axis];
    if (item->method == curve->method && (axis->is_number ? axis->values[place] == x : place == (guint)x))
      g_array_append_val (items, i);
  }
}

static void
pick_point (const SsappChart *self, const SsappStyle *style, const SsappPlotFrame *frame, double x, double y,
            SsappChartPick *pick)
{
  double nearest = NEAR_PX * style->scale;
  const SsappChartCurve *found = NULL;
  guint point = 0;

  for (guint c = 0; c < self->curves->len; c++) {
    const SsappChartCurve *curve = &g_array_index (self->curves, SsappChartCurve, c);
    for (guint k = 0; k < curve->n; k++) {
      const double at_x = ssapp_plot_frame_x (frame, curve->x[k]), at_y = ssapp_plot_frame_y (frame, curve->y[k]);
      if (hypot (at_x - x, at_y - y) < nearest) {
        nearest = hypot (at_x - x, at_y - y);
        found = curve;
        point = k;
      }
    }
  }
  if (found == NULL)
    return;
  add_items (self, found, point, pick->items);
  g_autofree char *value = ssapp_chart_value_text (self, found->y[point]);
  g_autofree char *title = ssapp_chart_value_title (self);
  if (found->items[point] != SSAPP_NO_ITEM)
    pick->words = ssapp_chart_item_words (self, found->items[point]);
  else
    pick->words = g_strdup_printf ("%s\n%s %s, %s of %u runs", ssapp_chart_method (self, found->method)->label, title,
                                   value, ssapp_chart_middle_word (self), found->counts[point]);
}

void
ssapp_chart_curve_pick (const SsappChart *self, const SsappStyle *style, double width, double height, double x,
                        double y, SsappChartPick *pick)
{
  SsappPlotFrame frame;
  Plot plot;

  plot_init (self, &plot, style, width, height);
  frame_of (style, &plot, width, height, &frame);
  if (!is_step (self))
    pick_point (self, style, &frame, x, y, pick);
  else if (is_inside (&frame, x) && y >= frame.area.y && y <= frame.area.y + frame.area.height)
    pick_values (self, &plot, &frame, x, pick);
  plot_clear (&plot);
}

void
ssapp_chart_curve_places (const SsappChart *self, const SsappStyle *style, double width, double height, GArray *places)
{
  SsappPlotFrame frame;
  Plot plot;

  plot_init (self, &plot, style, width, height);
  frame_of (style, &plot, width, height, &frame);
  for (guint c = 0; c < self->curves->len; c++) {
    const SsappChartCurve *curve = &g_array_index (self->curves, SsappChartCurve, c);
    for (guint k = 0; k < curve->n; k++) {
      const double x = ssapp_plot_frame_x (&frame, curve->x[k]), y = ssapp_plot_frame_y (&frame, curve->y[k]);
      if (isfinite (x + y))
        add_items (self, curve, k, ssapp_chart_add_place (places, x, y, 0, 0)->items);
    }
  }
  plot_clear (&plot);
}
