/* app/study/ssapp-chart-box.c: boxes by method with their outliers, and bars of what was solved. */
#include "app/study/ssapp-chart-private.h"

#include <math.h>
#include <string.h>

/* Shares of the place of a method; font sizes; px at 100 %. */
static const double BOX_WIDTH = 0.56, CAP_WIDTH = 0.32, MOST_WIDTH = 5.;
static const double LINE = 1.35, MARKER_ROW = 1.5, NOTE = 1.5;
static const double BOX_PX = 1.6, MEDIAN_PX = 3., OUTLIER_PX = 3.2, OUTLIER_LINE_PX = 1.3, NEAR_PX = 9.;
static const double FILL = 0.14;
static const double MOST_ROW = 3.2; /* of a bar, font sizes */
/* How far beyond the whiskers the axis goes for outliers, as a part of what the whiskers span. */
static const double BEYOND = 1.0;

typedef struct {
  SsappPlotFrame frame;
  SsappPlotSpec spec;
  const char **labels; /* of the methods that are shown */
  char *y_label;
  gboolean has_names; /* below the axis; else they stand in a legend above */
  guint n_lines;      /* of the longest name */
  double slot;
  double legend;            /* height of the legend */
  guint n_above, n_below;   /* runs beyond the axis */
  double lowest, highest;   /* of the axis */
  gboolean is_note_written; /* what a triangle means */
} Layout;

static const SsappChartGroup *
group_at (const SsappChart *self, guint i)
{
  return &g_array_index (self->groups, SsappChartGroup, i);
}

/* ---- layout ------------------------------------------------------------------------------------------------------ */

static double
to_axis (const SsappChart *self, double value)
{
  return self->spec.y_log ? log (value) : value;
}

/* Ends of the axis: whiskers with all boxes, outliers that are not much farther. */
static void
find_range (const SsappChart *self, Layout *l)
{
  double lo = INFINITY, hi = -INFINITY, least = INFINITY, most = -INFINITY;

  for (guint g = 0; g < self->groups->len; g++) {
    const SsappChartGroup *group = group_at (self, g);
    for (guint i = 0; i < group->n; i++) {
      const double value = group->values[i];
      if (self->spec.y_log && !(value > 0))
        continue;
      least = MIN (least, value);
      most = MAX (most, value);
      if (ssapp_box_is_outlier (&group->box, value))
        continue;
      lo = MIN (lo, value);
      hi = MAX (hi, value);
    }
  }
  if (!(hi >= lo)) {
    l->lowest = self->spec.y_log ? 0.1 : 0;
    l->highest = 1;
    return;
  }
  const double a = to_axis (self, lo), b = to_axis (self, hi), span = MAX (b - a, 1e-3 * MAX (fabs (a), fabs (b)));
  const double down = MAX (to_axis (self, least), a - BEYOND * span),
               up = MIN (to_axis (self, most), b + BEYOND * span);
  const double room = 0.04 * (up - down);
  l->lowest = self->spec.y_log ? exp (down - room) : down >= 0 ? MAX (down - room, 0) : down - room;
  l->highest = self->spec.y_log ? exp (up + room) : up + room;
}

static void
count_beyond (const SsappChart *self, Layout *l)
{
  for (guint g = 0; g < self->groups->len; g++)
    for (guint i = 0; i < group_at (self, g)->n; i++) {
      const double value = group_at (self, g)->values[i];
      l->n_above += value > l->frame.y_axis.max * (1 + 1e-12);
      l->n_below += value < l->frame.y_axis.min * (1 - 1e-12) && !(self->spec.y_log && value <= 0);
    }
}

/* Names in lines, parted at commas; g_free. */
static char *
broken_name (const char *label)
{
  g_auto (GStrv) parts = g_strsplit (label, ", ", 3);
  return g_strjoinv (",\n", parts);
}

/* Whether names fit below their boxes. */
static gboolean
names_fit (const SsappChart *self, const SsappStyle *style, double slot, guint *n_lines)
{
  gboolean fit = TRUE;

  *n_lines = 1;
  for (guint g = 0; g < self->groups->len; g++) {
    g_autofree char *name = broken_name (ssapp_chart_method (self, group_at (self, g)->method)->label);
    double width;
    guint lines = 1;
    for (const char *c = name; *c != '\0'; c++)
      lines += *c == '\n';
    ssapp_text_measure (style, style->font_size, FALSE, name, &width, NULL);
    fit = fit && width <= slot - 0.4 * style->font_size;
    *n_lines = MAX (*n_lines, lines);
  }
  return fit;
}

static double
legend_height (const SsappChart *self, const SsappStyle *style, double width, cairo_t *cr, double x, double y)
{
  g_autofree SsappSeries *series = g_new0 (SsappSeries, MAX (self->groups->len, 1));

  for (guint g = 0; g < self->groups->len; g++) {
    series[g] = ssapp_chart_series (self, group_at (self, g)->method);
    series[g].has_no_line = TRUE;
  }
  return ssapp_plot_draw_legend (cr, style, series, (int)self->groups->len, NULL, x, y, width, FALSE);
}

static void
lay_out (const SsappChart *self, const SsappStyle *style, double width, double height, Layout *l)
{
  const double font = style->font_size;
  const guint n = self->groups->len;

  memset (l, 0, sizeof *l);
  l->spec = (SsappPlotSpec){SSAPP_PLOT_FREE};
  l->labels = g_new0 (const char *, n + 1);
  for (guint g = 0; g < n; g++)
    l->labels[g] = "";
  l->y_label = ssapp_chart_value_title (self);
  find_range (self, l);
  l->spec.x_names = l->labels;
  l->spec.n_x_names = (int)n;
  l->spec.y_label = l->y_label;
  l->spec.y_log = self->spec.y_log;
  l->spec.y_ticks = self->spec.is_relative ? SSAPP_PLOT_TICKS_TIMES : SSAPP_PLOT_TICKS_NUMBERS;
  l->spec.y_min = self->spec.y_min;
  l->spec.y_max = self->spec.y_max;
  l->spec.minor_ticks = TRUE;
  l->spec.hide_x_labels = TRUE;
  /* Names depend on the width, which the labels of y take part of. */
  const double box[4] = {-0.5, n - 0.5, l->lowest, l->highest};
  ssapp_plot_frame_layout (style, &l->spec, box, 0, 0, width, height, &l->frame);
  l->slot = l->frame.area.width / MAX (n, 1);
  l->has_names = names_fit (self, style, l->slot, &l->n_lines);
  if (!l->has_names) {
    l->n_lines = 0;
    l->legend = legend_height (self, style, width - 1.2 * font, NULL, 0, 0) + 0.3 * font;
    if (!style->is_paper && l->legend > 0.5 * SSAPP_CHART_LEGEND_SHARE * height)
      l->legend = 0; /* markers stand below the boxes; tooltips and the page's list name them */
  }
  const double below = font * (MARKER_ROW + LINE * l->n_lines);
  ssapp_plot_frame_layout (style, &l->spec, box, 0, l->legend, width, height - l->legend - below, &l->frame);
  count_beyond (self, l);
  if (l->n_above + l->n_below > 0) {
    l->is_note_written = TRUE;
    l->n_above = l->n_below = 0;
    ssapp_plot_frame_layout (style, &l->spec, box, 0, l->legend, width, height - l->legend - below - NOTE * font,
                             &l->frame);
    count_beyond (self, l);
  }
}

static void
layout_clear (Layout *l)
{
  g_free (l->labels);
  g_free (l->y_label);
}

static double
x_of (const Layout *l, guint group)
{
  return l->frame.area.x + (group + 0.5) * l->slot;
}

static double
y_of (const Layout *l, double value)
{
  return ssapp_plot_frame_y (&l->frame, value);
}

/* Where an outlier's marker stands: beside its neighbours where they would cover each other. Markers come in the order
 * of the items. */
static gboolean
place_outlier (const SsappChart *self, const SsappStyle *style, const Layout *l, guint g, guint i, double *x, double *y)
{
  const SsappChartGroup *group = group_at (self, g);
  const double value = group->values[i], radius = OUTLIER_PX * style->scale;
  guint near = 0;

  if (!ssapp_box_is_outlier (&group->box, value) || value > l->frame.y_axis.max || value < l->frame.y_axis.min)
    return FALSE;
  *y = y_of (l, value);
  for (guint k = 0; k < i; k++)
    near +=
        ssapp_box_is_outlier (&group->box, group->values[k]) && fabs (y_of (l, group->values[k]) - *y) < 1.6 * radius;
  const double aside = ((near + 1) / 2) * (near % 2 ? 1. : -1.) * 1.5 * radius;
  *x = x_of (l, g) + CLAMP (aside, -0.45 * l->slot, 0.45 * l->slot);
  return isfinite (*y);
}

/* ---- drawing ----------------------------------------------------------------------------------------------------- */

static void
draw_box (const SsappChart *self, cairo_t *cr, const SsappStyle *style, const Layout *l, guint g)
{
  const SsappBox *box = &group_at (self, g)->box;
  const double half = 0.5 * MIN (BOX_WIDTH * l->slot, MOST_WIDTH * style->font_size), x = x_of (l, g);
  const double cap = half * CAP_WIDTH / BOX_WIDTH, lower = y_of (l, box->lower), upper = y_of (l, box->upper);
  const double median = y_of (l, box->median), low = y_of (l, box->low), high = y_of (l, box->high);
  SsappMethodStyle look;

  if (box->n == 0 || !isfinite (lower + upper + median + low + high))
    return;
  ssapp_chart_look (style, ssapp_chart_method (self, group_at (self, g)->method), &look);
  cairo_new_path (cr);
  cairo_rectangle (cr, x - half, upper, 2 * half, MAX (lower - upper, style->scale));
  ssapp_set_color (cr, ssapp_color_with_alpha (look.color, style->is_high_contrast ? 0 : FILL));
  cairo_fill_preserve (cr);
  cairo_move_to (cr, x, upper);
  cairo_line_to (cr, x, high);
  cairo_move_to (cr, x, lower);
  cairo_line_to (cr, x, low);
  cairo_move_to (cr, x - cap, high);
  cairo_line_to (cr, x + cap, high);
  cairo_move_to (cr, x - cap, low);
  cairo_line_to (cr, x + cap, low);
  ssapp_set_color (cr, look.color);
  cairo_set_line_width (cr, ssapp_style_line (style, BOX_PX));
  cairo_stroke (cr);
  cairo_move_to (cr, x - half, median);
  cairo_line_to (cr, x + half, median);
  cairo_set_line_width (cr, ssapp_style_line (style, MEDIAN_PX));
  cairo_stroke (cr);
}

static void
draw_outliers (const SsappChart *self, cairo_t *cr, const SsappStyle *style, const Layout *l, guint g)
{
  const SsappChartGroup *group = group_at (self, g);
  const SsappColor card = ssapp_style_color (style, SSAPP_COLOR_CARD);
  SsappMethodStyle look;

  ssapp_chart_look (style, ssapp_chart_method (self, group->method), &look);
  for (guint i = 0; i < group->n; i++) {
    double x, y;
    if (place_outlier (self, style, l, g, i, &x, &y))
      ssapp_draw_look_mark (cr, &look, x, y, OUTLIER_PX * style->scale, ssapp_style_line (style, OUTLIER_LINE_PX),
                            card);
  }
}

/* A triangle with how many runs lie beyond an end of the axis. */
static void
draw_beyond (const SsappChart *self, cairo_t *cr, const SsappStyle *style, const Layout *l, guint g)
{
  const SsappChartGroup *group = group_at (self, g);
  const SsappColor card = ssapp_style_color (style, SSAPP_COLOR_CARD);
  const double radius = 4 * style->scale, font = style->font_size;
  guint counts[2] = {0, 0};
  SsappMethodStyle look;

  ssapp_chart_look (style, ssapp_chart_method (self, group->method), &look);
  for (guint i = 0; i < group->n; i++) {
    counts[0] += group->values[i] > l->frame.y_axis.max * (1 + 1e-12);
    counts[1] += group->values[i] < l->frame.y_axis.min * (1 - 1e-12);
  }
  for (int side = 0; side < 2; side++) {
    const double y = side == 0 ? l->frame.area.y + 1.4 * radius : l->frame.area.y + l->frame.area.height - 1.4 * radius;
    const SsappTextStyle text = {.size = 0.95 * font, .color = look.color, .anchor_y = 0.5};
    g_autofree char *number = g_strdup_printf ("%u", counts[side]);
    if (counts[side] == 0)
      continue;
    ssapp_draw_marker (cr, side == 0 ? SSAPP_MARKER_TRIANGLE : SSAPP_MARKER_DOWN, x_of (l, g) - 0.4 * font, y, radius,
                       ssapp_style_line (style, OUTLIER_LINE_PX), look.color, FALSE, card);
    ssapp_text_draw (cr, style, &text, x_of (l, g) + 0.3 * font, y, number);
  }
}

static void
draw_names (const SsappChart *self, cairo_t *cr, const SsappStyle *style, const Layout *l)
{
  const double font = style->font_size, bottom = l->frame.area.y + l->frame.area.height;

  for (guint g = 0; g < self->groups->len; g++) {
    const SsappRunMethod *method = ssapp_chart_method (self, group_at (self, g)->method);
    SsappTextStyle text = {.size = font, .color = ssapp_style_color (style, SSAPP_COLOR_DIM), .anchor_x = 0.5};
    SsappMethodStyle look;
    ssapp_chart_look (style, method, &look);
    ssapp_draw_look_mark (cr, &look, x_of (l, g), bottom + 1.1 * font, 4 * style->scale, ssapp_style_line (style, 1.6),
                          ssapp_style_color (style, SSAPP_COLOR_CARD));
    if (!l->has_names)
      continue;
    g_autofree char *name = broken_name (method->label);
    g_auto (GStrv) lines = g_strsplit (name, "\n", -1);
    for (guint k = 0; lines[k] != NULL; k++)
      ssapp_text_draw (cr, style, &text, x_of (l, g), bottom + font * (1.8 + LINE * k), lines[k]);
  }
}

void
ssapp_chart_box_draw (const SsappChart *self, cairo_t *cr, const SsappStyle *style, double width, double height)
{
  g_return_if_fail (self != NULL);
  const double font = style->font_size;
  Layout l;

  lay_out (self, style, width, height, &l);
  if (l.legend > 0)
    legend_height (self, style, width - 1.2 * font, cr, 0, 0);
  ssapp_plot_frame_draw (cr, style, &l.spec, &l.frame);
  cairo_save (cr);
  cairo_rectangle (cr, l.frame.area.x, l.frame.area.y - 2 * style->scale, l.frame.area.width,
                   l.frame.area.height + 4 * style->scale);
  cairo_clip (cr);
  for (guint g = 0; g < self->groups->len; g++)
    draw_box (self, cr, style, &l, g);
  for (guint g = 0; g < self->groups->len; g++)
    draw_outliers (self, cr, style, &l, g);
  cairo_restore (cr);
  for (guint g = 0; g < self->groups->len; g++)
    draw_beyond (self, cr, style, &l, g);
  draw_names (self, cr, style, &l);
  if (l.is_note_written) {
    const guint n = l.n_above + l.n_below;
    const SsappTextStyle text = {
        .size = 0.95 * font, .color = ssapp_style_color (style, SSAPP_COLOR_DIM), .anchor_x = 0, .anchor_y = 1};
    g_autofree char *full = g_strdup_printf ("Triangle: %u run%s beyond the axis.", n, n == 1 ? "" : "s"),
                    *brief = g_strdup_printf ("%u beyond", n);
    double full_width;
    ssapp_text_measure (style, text.size, FALSE, full, &full_width, NULL);
    const char *note = l.frame.area.x + full_width <= width ? full : brief;
    ssapp_text_draw (cr, style, &text, l.frame.area.x, height - 0.1 * font, note);
  }
  layout_clear (&l);
}

void
ssapp_chart_box_pick (const SsappChart *self, const SsappStyle *style, double width, double height, double x, double y,
                      SsappChartPick *pick)
{
  g_return_if_fail (self != NULL);
  double nearest = NEAR_PX * style->scale;
  guint found = SSAPP_NO_ITEM;
  Layout l;

  lay_out (self, style, width, height, &l);
  const gboolean is_inside = x >= l.frame.area.x && x < l.frame.area.x + l.frame.area.width;
  const guint g = is_inside ? MIN ((guint)((x - l.frame.area.x) / l.slot), self->groups->len - 1) : 0;
  for (guint i = 0; is_inside && i < group_at (self, g)->n; i++) {
    double at_x, at_y;
    if (place_outlier (self, style, &l, g, i, &at_x, &at_y) && hypot (at_x - x, at_y - y) < nearest) {
      nearest = hypot (at_x - x, at_y - y);
      found = group_at (self, g)->items[i];
    }
  }
  if (found != SSAPP_NO_ITEM) {
    g_array_append_val (pick->items, found);
    pick->words = ssapp_chart_item_words (self, found);
  } else if (is_inside && group_at (self, g)->n > 0) {
    const SsappChartGroup *group = group_at (self, g);
    const SsappBox *box = &group->box;
    g_autofree char *median = ssapp_chart_value_text (self, box->median);
    g_autofree char *lower = ssapp_chart_value_text (self, box->lower);
    g_autofree char *upper = ssapp_chart_value_text (self, box->upper);
    g_autofree char *low = ssapp_chart_value_text (self, box->low), *high = ssapp_chart_value_text (self, box->high);
    g_array_append_vals (pick->items, group->items, group->n);
    pick->words = g_strdup_printf ("%s\nmedian %s, quartiles %s and %s\nwhiskers %s and %s, %u of %u runs",
                                   ssapp_chart_method (self, group->method)->label, median, lower, upper, low, high,
                                   group->n, group->n_runs);
  }
  layout_clear (&l);
}

/* ---- solved runs ------------------------------------------------------------------------------------------------- */

void
ssapp_chart_bars_lay_out (SsappChartBars *bars, const SsappStyle *style, double names, double numbers, guint n,
                          double width, double height)
{
  g_return_if_fail (bars != NULL);
  const double font = style->font_size;

  bars->left = MIN (names, 0.5 * width);
  bars->width = MAX (width - bars->left - numbers - 1.5 * font, style->scale);
  bars->top = 0.5 * font;
  bars->row = CLAMP ((height - bars->top - 3. * font) / MAX (n, 1), style->scale, MOST_ROW * font);
}

static void
lay_out_bars (const SsappChart *self, const SsappStyle *style, double width, double height, SsappChartBars *bars)
{
  const double font = style->font_size;
  double names = 0, numbers = 0;

  for (guint g = 0; g < self->groups->len; g++) {
    double one;
    g_autofree char *number = g_strdup_printf ("%u of %u", group_at (self, g)->n_runs, group_at (self, g)->n_runs);
    ssapp_text_measure (style, font, FALSE, ssapp_chart_method (self, group_at (self, g)->method)->label, &one, NULL);
    names = MAX (names, one);
    ssapp_text_measure (style, font, TRUE, number, &one, NULL);
    numbers = MAX (numbers, one);
  }
  ssapp_chart_bars_lay_out (bars, style, names + 2.2 * font, numbers, self->groups->len, width, height);
}

void
ssapp_chart_bars_draw_one (cairo_t *cr, SsappColor color, double x, double y, double width, double height)
{
  cairo_new_path (cr);
  cairo_rectangle (cr, x, y, width, height);
  ssapp_set_color (cr, color);
  cairo_fill (cr);
}

void
ssapp_chart_bars_draw_axis (cairo_t *cr, const SsappStyle *style, const SsappChartBars *bars, guint n,
                            const char *title)
{
  g_return_if_fail (bars != NULL);
  const double font = style->font_size, bottom = bars->top + bars->row * n;
  SsappTextStyle text = {.size = font, .color = ssapp_style_color (style, SSAPP_COLOR_DIM), .anchor_x = 0.5};
  SsappAxis axis;

  ssapp_axis_init_linear (&axis, 0, 1, TRUE, TRUE, 0, bars->width > 20 * font ? 6 : 3);
  axis.ticks_form = SSAPP_PLOT_TICKS_PERCENT;
  cairo_set_line_width (cr, style->scale);
  for (int i = 0; i < axis.n_ticks; i++) {
    const double x = bars->left + bars->width * axis.ticks[i];
    g_autofree char *label = ssapp_axis_label (&axis, i);
    ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_PLOT_GRID));
    cairo_move_to (cr, x, bars->top);
    cairo_line_to (cr, x, bottom);
    cairo_stroke (cr);
    ssapp_set_color (cr, text.color);
    cairo_move_to (cr, x, bottom);
    cairo_line_to (cr, x, bottom + 4 * style->scale);
    cairo_stroke (cr);
    ssapp_text_draw (cr, style, &text, x, bottom + 6 * style->scale, label);
  }
  cairo_move_to (cr, bars->left, bars->top);
  cairo_line_to (cr, bars->left, bottom);
  cairo_line_to (cr, bars->left + bars->width, bottom);
  cairo_set_line_width (cr, ssapp_style_line (style, 1.2));
  cairo_stroke (cr);
  text.color = ssapp_style_color (style, style->is_paper ? SSAPP_COLOR_FOREGROUND : SSAPP_COLOR_DIM);
  ssapp_text_draw (cr, style, &text, bars->left + bars->width / 2, bottom + 6 * style->scale + LINE * font, title);
}

void
ssapp_chart_bars_draw (const SsappChart *self, cairo_t *cr, const SsappStyle *style, double width, double height)
{
  g_return_if_fail (self != NULL);
  const double font = style->font_size, thick = 0.6;
  SsappChartBars bars;

  g_autofree char *words = g_strdup_printf ("%s, of all runs", ssapp_run_set_done_title (self->set));

  lay_out_bars (self, style, width, height, &bars);
  ssapp_chart_bars_draw_axis (cr, style, &bars, self->groups->len, words);
  for (guint g = 0; g < self->groups->len; g++) {
    const SsappChartGroup *group = group_at (self, g);
    const SsappRunMethod *method = ssapp_chart_method (self, group->method);
    const double middle = bars.top + bars.row * (g + 0.5), high = MIN (thick * bars.row, 2 * font);
    const double all = MAX (group->n_runs, 1), solved = bars.width * group->n_solved / all;
    const double waiting = bars.width * (group->n_running + group->n_queued) / all;
    const double slow = bars.width * group->n_slow / all;
    const SsappTextStyle name = {
        .size = font, .color = ssapp_style_color (style, SSAPP_COLOR_FOREGROUND), .anchor_y = 0.5};
    const SsappTextStyle number = {
        .size = font, .bold = TRUE, .color = ssapp_style_color (style, SSAPP_COLOR_FOREGROUND), .anchor_y = 0.5};
    g_autofree char *count = g_strdup_printf ("%u of %u", group->n_solved, group->n_runs);
    SsappMethodStyle look;

    ssapp_chart_look (style, method, &look);
    ssapp_draw_look_mark (cr, &look, 0.5 * font, middle, 4 * style->scale, ssapp_style_line (style, 1.6),
                          ssapp_style_color (style, SSAPP_COLOR_CARD));
    g_autofree char *label = ssapp_chart_cut (style, font, FALSE, method->label, bars.left - 1.8 * font);
    ssapp_text_draw (cr, style, &name, 1.4 * font, middle, label);
    ssapp_chart_bars_draw_one (cr, look.color, bars.left, middle - high / 2, solved, high);
    ssapp_chart_bars_draw_one (cr, ssapp_color_with_alpha (look.color, 0.2), bars.left + solved, middle - high / 2,
                               bars.width - solved - waiting - slow, high);
    ssapp_chart_bars_draw_one (cr, ssapp_color_with_alpha (ssapp_style_color (style, SSAPP_COLOR_MACHINE), 0.45),
                               bars.left + bars.width - waiting - slow, middle - high / 2, slow, high);
    ssapp_text_draw (cr, style, &number, bars.left + bars.width + 0.8 * font, middle, count);
  }
}

void
ssapp_chart_bars_pick (const SsappChart *self, const SsappStyle *style, double width, double height, double x, double y,
                       SsappChartPick *pick)
{
  g_return_if_fail (self != NULL);
  SsappChartBars bars;

  lay_out_bars (self, style, width, height, &bars);
  if (x < 0 || x > width || y < bars.top || y >= bars.top + bars.row * self->groups->len)
    return;
  const SsappChartGroup *group = group_at (self, MIN ((guint)((y - bars.top) / bars.row), self->groups->len - 1));
  for (guint i = 0; i < self->set->items->len; i++)
    if (ssapp_chart_item (self, i)->method == group->method)
      g_array_append_val (pick->items, i);
  pick->words =
      g_strdup_printf ("%s\n%u %s, %u not %s, %u " SSAPP_SLOW_WORDS ", %u running, %u queued",
                       ssapp_chart_method (self, group->method)->label, group->n_solved, ssapp_run_set_done (self->set),
                       group->n_runs - group->n_solved - group->n_running - group->n_queued - group->n_slow,
                       ssapp_run_set_done (self->set), group->n_slow, group->n_running, group->n_queued);
}

void
ssapp_chart_box_places (const SsappChart *self, const SsappStyle *style, double width, double height, GArray *places)
{
  Layout l;

  lay_out (self, style, width, height, &l);
  for (guint g = 0; g < self->groups->len; g++) {
    const SsappChartGroup *group = group_at (self, g);
    SsappChartPlace *place =
        ssapp_chart_add_place (places, x_of (&l, g) - l.slot / 2, l.frame.area.y, l.slot, l.frame.area.height);
    g_array_append_vals (place->items, group->items, group->n);
    for (guint i = 0; i < group->n; i++) {
      double x, y;
      if (!place_outlier (self, style, &l, g, i, &x, &y))
        continue;
      place = ssapp_chart_add_place (places, x, y, 0, 0);
      g_array_append_val (place->items, group->items[i]);
    }
  }
  layout_clear (&l);
}

void
ssapp_chart_bars_places (const SsappChart *self, const SsappStyle *style, double width, double height, GArray *places)
{
  SsappChartBars bars;

  lay_out_bars (self, style, width, height, &bars);
  for (guint g = 0; g < self->groups->len; g++) {
    SsappChartPlace *place = ssapp_chart_add_place (places, 0, bars.top + bars.row * g, width, bars.row);
    for (guint i = 0; i < self->set->items->len; i++)
      if (ssapp_chart_item (self, i)->method == group_at (self, g)->method)
        g_array_append_val (place->items, i);
  }
}
