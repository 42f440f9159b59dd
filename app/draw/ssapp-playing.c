/* app/draw/ssapp-playing.c: see the header. */
#include "app/draw/ssapp-playing.h"

#include "app/draw/ssapp-draw-parts.h"
#include "app/draw/ssapp-plot.h"

#include <math.h>
#include <string.h>

gboolean
ssapp_time_parse (const char *text, double *seconds)
{
  g_return_val_if_fail (text != NULL && seconds != NULL, FALSE);

  static const struct {
    const char *unit;
    double seconds;
  } units[] = {{"", 1},      {"s", 1},     {"sec", 1},   {"ms", 1e-3}, {"us", 1e-6},
               {"µs", 1e-6}, {"μs", 1e-6}, {"ns", 1e-9}, {"min", 60}};
  g_autofree char *plain = g_strstrip (g_strdup (text));
  char *end = NULL;

  g_strdelimit (plain, ",", '.');
  const double value = g_ascii_strtod (plain, &end);
  if (end == plain || !isfinite (value))
    return FALSE;
  const char *unit = g_strstrip (end);
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (strcmp (unit, units[i].unit) == 0) {
      *seconds = value * units[i].seconds;
      return TRUE;
    }
  return FALSE;
}

char *
ssapp_speed_text (double speed)
{
  if (speed < 1)
    return g_strdup_printf ("1/%.0f×", 1 / speed);
  return g_strdup_printf ("%.0f×", speed);
}

void
ssapp_range_draw (cairo_t *cr, const SsappStyle *style, double x0, double x1, double y, double height)
{
  g_return_if_fail (style != NULL);

  const double line = ssapp_style_line (style, 2.), foot = 4 * style->scale;
  const SsappColor color = ssapp_style_color (style, SSAPP_COLOR_ACCENT);

  cairo_save (cr);
  cairo_new_path (cr);
  ssapp_set_color (cr, ssapp_color_with_alpha (color, 0.18));
  cairo_rectangle (cr, x0, y, x1 - x0, height);
  cairo_fill (cr);
  ssapp_set_color (cr, color);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_width (cr, line);
  for (int side = 0; side < 2; side++) {
    const double x = side == 0 ? x0 : x1, out = side == 0 ? foot : -foot, inset = line / 2;
    cairo_move_to (cr, x + out, y + inset);
    cairo_line_to (cr, x, y + inset);
    cairo_line_to (cr, x, y + height - inset);
    cairo_line_to (cr, x + out, y + height - inset);
    cairo_stroke (cr);
  }
  cairo_restore (cr);
}

char *
ssapp_frames_text (int n)
{
  g_autofree char *number = ssapp_format_number (n, 12);

  return g_strdup_printf ("%s %s", number, n == 1 ? "frame" : "frames");
}
