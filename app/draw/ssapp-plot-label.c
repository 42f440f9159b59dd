/* app/draw/ssapp-plot-label.c: words beside and between curves: values at their ends, the tolerance's name, the
 * legend. */
#include "app/draw/ssapp-plot-private.h"
#include "app/draw/ssapp-text-fit.h"

#include <math.h>
#include <string.h>

/* ---- ends of curves ---------------------------------------------------------------------------------------------- */

/* Text at the end of a curve. Without a legend the label names the curve; the value is always there. */
enum { NAME_MAX_CHARS = 18 };

char *
ssapp_plot_end_text (const SsappPlotSpec *spec, const SsappSeries *series, double value)
{
  char *number = ssapp_format_number (value, fabs (value) < 1e-2 ? 2 : 4), *text;
  gboolean named = !spec->legend && series->label != NULL && *series->label != '\0';
  /* a long name would push the number out of the picture */
  const gboolean is_long = named && g_utf8_strlen (series->label, -1) > NAME_MAX_CHARS;
  g_autofree char *cut = is_long ? g_utf8_substring (series->label, 0, NAME_MAX_CHARS - 1) : NULL;
  text = named ? g_strconcat (is_long ? cut : series->label, is_long ? "… " : " ", number, NULL) : g_strdup (number);
  g_free (number);
  return text;
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
layout_end_labels (const SsappPlot *plot)
{
  const SsappStyle *style = plot->style;
  GArray *labels = g_array_new (FALSE, TRUE, sizeof (EndLabel));
  double *at = g_new (double, MAX (plot->n_series, 1)), height, bottom = plot->area.y + plot->area.height;

  g_array_set_clear_func (labels, (GDestroyNotify)end_label_clear);
  ssapp_text_measure (style, style->font_size, TRUE, "0", NULL, &height);
  for (int i = 0; i < plot->n_series; i++) {
    int last = ssapp_plot_last_finite (&plot->series[i]);
    if (last < 0 || plot->series[i].weight > 0)
      continue;
    double y = ssapp_plot_y (plot, plot->series[i].y[last]);
    EndLabel label = {.series = i, .text = ssapp_plot_end_text (plot->spec, &plot->series[i], plot->series[i].y[last])};
    label.x = ssapp_plot_x (plot, plot->series[i].x[last]) +
              (SSAPP_PLOT_END_MARKER_PX + SSAPP_PLOT_LABEL_GAP_PX * 0.7) * style->scale;
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

void
ssapp_plot_draw_end_labels (const SsappPlot *plot)
{
  g_return_if_fail (plot != NULL);
  const SsappStyle *style = plot->style;
  GArray *labels = layout_end_labels (plot);

  for (guint k = 0; k < labels->len; k++) {
    const EndLabel *label = &g_array_index (labels, EndLabel, k);
    const SsappSeries *series = &plot->series[label->series];
    int last = ssapp_plot_last_finite (series);
    double x = ssapp_plot_x (plot, series->x[last]), y = ssapp_plot_y (plot, series->y[last]);
    if (ssapp_plot_is_inside (plot, x, y))
      ssapp_draw_marker (plot->cr, SSAPP_MARKER_CIRCLE, x, y, SSAPP_PLOT_END_MARKER_PX * style->scale,
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
crowd_in (const SsappPlot *plot, const SsappRect *rect, const GArray *labels)
{
  double height;
  int n = 0;

  ssapp_text_measure (plot->style, plot->style->font_size, TRUE, "0", NULL, &height);
  for (int i = 0; i < plot->n_series; i++) {
    const SsappSeries *series = &plot->series[i];
    gboolean crosses = FALSE;
    for (int k = 0; k + 1 < series->n && !crosses; k++)
      crosses = piece_crosses (rect, ssapp_plot_x (plot, series->x[k]), ssapp_plot_y (plot, series->y[k]),
                               ssapp_plot_x (plot, series->x[k + 1]), ssapp_plot_y (plot, series->y[k + 1]));
    n += crosses ? 1 : 0;
  }
  for (guint k = 0; labels != NULL && k < labels->len; k++) {
    const EndLabel *label = &g_array_index (labels, EndLabel, k);
    double marker = 2 * SSAPP_PLOT_END_MARKER_PX * plot->style->scale;
    SsappRect taken = {label->x - marker, label->y - height / 2, label->width + marker, height};
    n += overlap (rect, &taken) ? 1 : 0;
  }
  return n;
}

/* In the band at its right end if there is room, else further left or above the line; on a crowded plot it gets a
 * backing. */
void
ssapp_plot_draw_tolerance_label (const SsappPlot *plot)
{
  g_return_if_fail (plot != NULL);
  static const double INSET = 6., PLACES = 12., BACKING = 0.85; /* px, positions tried, opacity */
  const SsappStyle *style = plot->style;
  const char *words = plot->spec->tolerance_label;
  double bottom = plot->area.y + plot->area.height, at = ssapp_plot_y (plot, plot->spec->tolerance), width, height;
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
/* ---- legend ------------------------------------------------------------------------------------------------------ */

/* Runs over the entries in rows; draws when cr is there. Entry n_series is the tolerance. Curves at the end that are of
 * before an edit look like those that they belong to, but pale: they have no entry. */
double
ssapp_plot_draw_legend (cairo_t *cr, const SsappStyle *style, const SsappSeries *series, int n_series,
                        const char *tolerance_label, double x, double y, double width, gboolean centred)
{
  g_return_val_if_fail (style != NULL && n_series >= 0, 0);

  static const double SAMPLE = 2.6, SAMPLE_GAP = 0.6, ENTRY_GAP = 1.6; /* font sizes */
  while (n_series > 0 && (series[n_series - 1].weight > 0 || series[n_series - 1].is_before))
    n_series--;
  double font = style->font_size, row_height = SSAPP_PLOT_LINE_HEIGHT * font, sample = SAMPLE * font;
  int n = n_series + (tolerance_label != NULL ? 1 : 0), begin = 0;
  SsappMethodStyle *looks = ssapp_plot_series_styles (style, series, n_series);
  double *widths = g_new (double, MAX (n, 1)), top = y;
  g_auto (GStrv) labels = g_new0 (char *, n + 1);

  for (int i = 0; i < n; i++) {
    labels[i] = ssapp_text_fit (style, font, FALSE, i < n_series ? series[i].label : tolerance_label, 0,
                                width - sample - SAMPLE_GAP * font);
    ssapp_text_measure (style, font, FALSE, labels[i], &widths[i], NULL);
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
      cairo_set_line_width (cr, is_curve ? ssapp_plot_curve_width (style) : ssapp_style_line (style, 1.6));
      if (!is_curve || !series[i].has_no_line)
        ssapp_plot_line (cr, at, middle, at + sample, middle);
      cairo_stroke (cr);
      cairo_set_dash (cr, NULL, 0, 0);
      if (is_curve && ssapp_plot_has_marks (&series[i]))
        ssapp_draw_look_mark (cr, &looks[i], at + sample / 2, middle, SSAPP_PLOT_MARKER_PX * style->scale,
                              ssapp_style_line (style, SSAPP_PLOT_MARKER_LINE_PX),
                              ssapp_style_color (style, SSAPP_COLOR_CARD));
      ssapp_text_draw (cr, style, &text, at + sample + SAMPLE_GAP * font, middle, labels[i]);
      at += widths[i] + ENTRY_GAP * font;
    }
    top += row_height;
    begin = end;
  }
  g_free (looks);
  g_free (widths);
  return top - y;
}
