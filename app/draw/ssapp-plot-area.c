/* app/draw/ssapp-plot-area.c: what lies below a plot's grid: named parts of the plane, bands of x. */
#include "app/draw/ssapp-plot-private.h"

#include <math.h>

/* Fills, and what they are on paper, where grey must tell them apart too. */
static const double RUNS_FILL = 0.06, STANDS_FILL = 0.14, SPAN_FILL = 0.14, EDGE_ALPHA = 0.6;
static const double LABEL_GAP = 0.6, LINE = 1.25; /* font sizes */

static SsappColor
tone_color (const SsappStyle *style, SsappPlotTone tone)
{
  return ssapp_style_color (style, tone == SSAPP_PLOT_TONE_RUNS ? SSAPP_COLOR_ACCENT : SSAPP_COLOR_FORCE);
}

/* What is seen of it, in device units; FALSE: nothing. */
static gboolean
region_box (const SsappPlot *plot, const SsappPlotRegion *region, SsappRect *box)
{
  const double x0 = MAX (region->x_min, plot->x_axis.min), x1 = MIN (region->x_max, plot->x_axis.max);
  const double y0 = MAX (region->y_min, plot->y_axis.min), y1 = MIN (region->y_max, plot->y_axis.max);

  if (!(x1 > x0) || !(y1 > y0))
    return FALSE;
  box->x = ssapp_plot_x (plot, x0);
  box->y = ssapp_plot_y (plot, y1);
  box->width = ssapp_plot_x (plot, x1) - box->x;
  box->height = ssapp_plot_y (plot, y0) - box->y;
  return TRUE;
}

static void
draw_edge (const SsappPlot *plot, double x0, double y0, double x1, double y1)
{
  cairo_new_path (plot->cr);
  ssapp_plot_line (plot->cr, x0, y0, x1, y1);
  ssapp_set_color (plot->cr,
                   ssapp_color_with_alpha (ssapp_style_color (plot->style, SSAPP_COLOR_FOREGROUND), EDGE_ALPHA));
  cairo_set_line_width (plot->cr, plot->style->scale);
  cairo_stroke (plot->cr);
}

void
ssapp_plot_draw_regions (const SsappPlot *plot)
{
  SsappRect box;

  for (int i = 0; i < plot->spec->n_regions; i++) {
    const SsappPlotRegion *region = &plot->spec->regions[i];
    if (!region_box (plot, region, &box))
      continue;
    if (!plot->style->is_high_contrast) {
      ssapp_set_color (plot->cr,
                       ssapp_color_with_alpha (tone_color (plot->style, region->tone),
                                               region->tone == SSAPP_PLOT_TONE_RUNS ? RUNS_FILL : STANDS_FILL));
      cairo_new_path (plot->cr);
      cairo_rectangle (plot->cr, box.x, box.y, box.width, box.height);
      cairo_fill (plot->cr);
    }
    if (region->tone != SSAPP_PLOT_TONE_STANDS)
      continue; /* its edges are where it ends */
    if (isfinite (region->x_max))
      draw_edge (plot, box.x + box.width, box.y, box.x + box.width, box.y + box.height);
    if (isfinite (region->y_max))
      draw_edge (plot, box.x, box.y, box.x + box.width, box.y);
  }
}

void
ssapp_plot_draw_region_labels (const SsappPlot *plot)
{
  g_return_if_fail (plot != NULL);
  const double font = plot->style->font_size;
  SsappRect box;

  for (int i = 0; i < plot->spec->n_regions; i++) {
    const SsappPlotRegion *region = &plot->spec->regions[i];
    if (region->label == NULL || !region_box (plot, region, &box))
      continue;
    char **lines = g_strsplit (region->label, "\n", -1);
    const int n = (int)g_strv_length (lines);
    const SsappTextStyle text = {.size = font,
                                 .color = ssapp_style_color (plot->style, SSAPP_COLOR_DIM),
                                 .anchor_x = region->anchor_x,
                                 .anchor_y = 0,
                                 .halo = FALSE};
    const double gap = LABEL_GAP * font, height = n * LINE * font;
    const double x = box.x + gap + region->anchor_x * (box.width - 2 * gap);
    const double y = box.y + gap + region->anchor_y * (box.height - 2 * gap - height);
    double widest = 0, w;
    for (int k = 0; k < n; k++) {
      ssapp_text_measure (plot->style, font, FALSE, lines[k], &w, NULL);
      widest = MAX (widest, w);
    }
    for (int k = 0; k < n && widest + gap <= box.width && height + gap <= box.height; k++)
      ssapp_text_draw (plot->cr, plot->style, &text, x, y + k * LINE * font, lines[k]);
    g_strfreev (lines);
  }
}

void
ssapp_plot_draw_spans (const SsappPlot *plot)
{
  const SsappStyle *style = plot->style;
  const double bottom = plot->area.y + plot->area.height, right = plot->area.x + plot->area.width;
  const SsappTextStyle text = {
      .size = style->font_size, .color = ssapp_style_color (style, SSAPP_COLOR_ACCENT_TEXT), .anchor_x = 0.5};

  if (plot->n_series > 0 && plot->series[0].t != NULL)
    return; /* of paths: along them */
  for (int i = 0; i < plot->spec->n_spans; i++) {
    const double x0 = CLAMP (ssapp_plot_x (plot, plot->spec->spans[i].begin), plot->area.x, right);
    const double x1 = CLAMP (ssapp_plot_x (plot, plot->spec->spans[i].end), plot->area.x, right);
    double width;

    ssapp_draw_span (plot->cr, style, x0, plot->area.y, x1 - x0, bottom - plot->area.y);
    if (plot->spec->span_label == NULL)
      continue;
    ssapp_text_measure (style, text.size, FALSE, plot->spec->span_label, &width, NULL);
    if (width + LABEL_GAP * style->font_size <= x1 - x0)
      ssapp_text_draw (plot->cr, style, &text, (x0 + x1) / 2, plot->area.y + 0.2 * style->font_size,
                       plot->spec->span_label);
  }
}

void
ssapp_draw_span (cairo_t *cr, const SsappStyle *style, double x, double y, double width, double height)
{
  g_return_if_fail (style != NULL);

  const SsappColor color = ssapp_style_color (style, SSAPP_COLOR_ACCENT);

  if (!(width > 0) || !(height > 0))
    return;
  cairo_save (cr);
  cairo_new_path (cr);
  if (style->is_high_contrast) { /* no fills: its ends */
    cairo_move_to (cr, x, y);
    cairo_rel_line_to (cr, 0, height);
    cairo_move_to (cr, x + width, y);
    cairo_rel_line_to (cr, 0, height);
    ssapp_set_color (cr, color);
    cairo_set_line_width (cr, ssapp_style_line (style, 1));
    cairo_stroke (cr);
  } else {
    cairo_rectangle (cr, x, y, width, height);
    ssapp_set_color (cr, ssapp_color_with_alpha (color, SPAN_FILL));
    cairo_fill (cr);
  }
  cairo_restore (cr);
}
