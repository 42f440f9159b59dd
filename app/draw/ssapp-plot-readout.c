/* app/draw/ssapp-plot-readout.c: the small table of values beside the pointer. */
#include "app/draw/ssapp-plot-private.h"

#include <math.h>

/* Font sizes. */
static const double PAD = 0.7, ROW = 1.5, SAMPLE = 1.4, COLUMN_GAP = 1.2, OFFSET = 0.8;
static const double RADIUS_PX = 6.; /* of its corners */

static void
rounded (cairo_t *cr, double x, double y, double width, double height, double radius)
{
  cairo_new_path (cr);
  cairo_arc (cr, x + width - radius, y + radius, radius, -G_PI_2, 0);
  cairo_arc (cr, x + width - radius, y + height - radius, radius, 0, G_PI_2);
  cairo_arc (cr, x + radius, y + height - radius, radius, G_PI_2, G_PI);
  cairo_arc (cr, x + radius, y + radius, radius, G_PI, 3 * G_PI_2);
  cairo_close_path (cr);
}

void
ssapp_plot_draw_readout (cairo_t *cr, const SsappStyle *style, const SsappSeries *series, const char *const *values,
                         int n_series, const char *title, double at_x, double at_y, double x, double y, double width,
                         double height)
{
  g_return_if_fail (style != NULL && (series != NULL || n_series == 0) && (values != NULL || n_series == 0) &&
                    n_series >= 0);

  const double font = style->font_size, row = ROW * font, pad = PAD * font;
  g_autofree SsappMethodStyle *looks = ssapp_plot_series_styles (style, series, n_series);
  double labels = 0, numbers = 0, heading = 0, one;

  for (int i = 0; i < n_series; i++) {
    ssapp_text_measure (style, font, FALSE, series[i].label != NULL ? series[i].label : "", &one, NULL);
    labels = MAX (labels, one);
    ssapp_text_measure (style, font, TRUE, values[i], &one, NULL);
    numbers = MAX (numbers, one);
  }
  if (title != NULL)
    ssapp_text_measure (style, font, FALSE, title, &heading, NULL);
  const double w = 2 * pad + MAX (heading, SAMPLE * font + labels + COLUMN_GAP * font + numbers);
  const double h = 2 * pad + row * (n_series + (title != NULL ? 1 : 0));
  double left = at_x + OFFSET * font, top = at_y + OFFSET * font;
  if (left + w > x + width)
    left = at_x - OFFSET * font - w;
  left = CLAMP (left, x, MAX (x, x + width - w));
  top = CLAMP (top, y, MAX (y, y + height - h));

  cairo_save (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  rounded (cr, left, top, w, h, RADIUS_PX * style->scale);
  ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_CARD));
  cairo_fill_preserve (cr);
  ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_PLOT_GRID));
  cairo_set_line_width (cr, style->scale);
  cairo_stroke (cr);
  SsappTextStyle text = {.size = font, .color = ssapp_style_color (style, SSAPP_COLOR_DIM), .anchor_y = 0.5};
  double middle = top + pad + row / 2;
  if (title != NULL) {
    ssapp_text_draw (cr, style, &text, left + pad, middle, title);
    middle += row;
  }
  text.color = ssapp_style_color (style, SSAPP_COLOR_FOREGROUND);
  for (int i = 0; i < n_series; i++, middle += row) {
    ssapp_draw_look_mark (cr, &looks[i], left + pad + 0.4 * font, middle, SSAPP_PLOT_MARKER_PX * style->scale,
                          ssapp_style_line (style, SSAPP_PLOT_MARKER_LINE_PX),
                          ssapp_style_color (style, SSAPP_COLOR_CARD));
    text.anchor_x = 0;
    text.bold = FALSE;
    ssapp_text_draw (cr, style, &text, left + pad + SAMPLE * font, middle, series[i].label);
    text.anchor_x = 1;
    text.bold = TRUE;
    ssapp_text_draw (cr, style, &text, left + w - pad, middle, values[i]);
  }
  cairo_restore (cr);
}
