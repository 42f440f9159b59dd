/* app/draw/ssapp-draw-sheet.c: what stands on a sheet beside bodies: measures with their values, and notes. Tests:
 * tests/unit/test-measure.c */
#include "app/draw/ssapp-draw-parts.h"

#include "app/base/ssapp-text.h"

#include <math.h>

/* px at 100 % */
static const double LINE_PX = 1.4, TICK_PX = 6., ARC_PX = 38., LABEL_PX = 9., NOTE_SIZE = 13. / 12.;
static const double DEVICE_LIMIT = 1e6;

static SsappTextStyle
text_style (const SsappStyle *style)
{
  return (SsappTextStyle){.size = style->font_size * NOTE_SIZE,
                          .color = ssapp_style_color (style, SSAPP_COLOR_FOREGROUND),
                          .anchor_x = 0.5,
                          .anchor_y = 0.5,
                          .halo = TRUE};
}

/* "reach 0.312 m", "lean 31.2°". */
static void
draw_value (cairo_t *cr, const SsappStyle *style, const SsMark *mark, double x, double y, double anchor)
{
  const gboolean is_angle = mark->kind == SS_MARK_ANGLE;
  g_autofree char *number = is_angle ? ssapp_text_number ("%.1f", ssapp_text_zero (mark->value * 180 / G_PI, 0.1))
                                     : ssapp_text_number ("%.4g", ssapp_text_zero (mark->value, 1e-9)),
                  *text = g_strdup_printf ("%s %s%s", mark->name, number, is_angle ? "°" : " m");
  SsappTextStyle label = text_style (style);

  label.anchor_x = anchor;
  ssapp_text_draw (cr, style, &label, x, y, text);
}

static void
draw_distance (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsMark *mark)
{
  const SsVec2 end = {mark->position.x + mark->vector.x, mark->position.y + mark->vector.y};
  double x0, y0, x1, y1;

  ssapp_camera_to_device (camera, mark->position, &x0, &y0);
  ssapp_camera_to_device (camera, end, &x1, &y1);
  const double length = hypot (x1 - x0, y1 - y0), tick = TICK_PX * style->scale;
  if (!(fabs (x0) + fabs (y0) + length < DEVICE_LIMIT))
    return;
  const double nx = length > 0 ? -(y1 - y0) / length : 0, ny = length > 0 ? (x1 - x0) / length : 1;
  cairo_new_path (cr);
  cairo_move_to (cr, x0, y0);
  cairo_line_to (cr, x1, y1);
  for (int i = 0; i < 2; i++) {
    const double x = i == 0 ? x0 : x1, y = i == 0 ? y0 : y1;
    cairo_move_to (cr, x - tick * nx, y - tick * ny);
    cairo_line_to (cr, x + tick * nx, y + tick * ny);
  }
  cairo_stroke (cr);
  /* right of a line that is steep, else above it */
  const gboolean is_steep = fabs (y1 - y0) > fabs (x1 - x0);
  draw_value (cr, style, mark, (x0 + x1) / 2 + (is_steep ? LABEL_PX * style->scale : 0),
              (y0 + y1) / 2 - (is_steep ? 0 : LABEL_PX * style->scale + style->font_size / 2), is_steep ? 0 : 0.5);
}

/* A protractor: both directions, and the way from the first to the second. */
static void
draw_angle (cairo_t *cr, const SsappStyle *style, const SsMark *mark, double x, double y)
{
  const double radius = ARC_PX * style->scale, from = mark->angle, to = from + mark->value,
               shown = from + fmax (fmin (mark->value, 2 * G_PI), -2 * G_PI), middle = (from + shown) / 2;

  if (!(fabs (x) + fabs (y) < DEVICE_LIMIT) || !isfinite (mark->value))
    return;
  cairo_new_path (cr);
  for (int i = 0; i < 2; i++) {
    const double angle = i == 0 ? from : to;
    cairo_move_to (cr, x, y);
    cairo_line_to (cr, x + 1.3 * radius * cos (angle), y - 1.3 * radius * sin (angle));
  }
  cairo_new_sub_path (cr);
  if (shown > from) /* y points down */
    cairo_arc_negative (cr, x, y, radius, -from, -shown);
  else
    cairo_arc (cr, x, y, radius, -from, -shown);
  cairo_stroke (cr);
  draw_value (cr, style, mark, x + 1.9 * radius * cos (middle), y - 1.6 * radius * sin (middle), 0.5);
}

static void
draw_note (cairo_t *cr, const SsappStyle *style, const SsMark *mark, double x, double y)
{
  g_auto (GStrv) lines = g_strsplit (mark->text != NULL ? mark->text : "", "\n", -1);
  SsappTextStyle note = text_style (style);
  double height;

  note.anchor_x = 0;
  ssapp_text_measure (style, note.size, FALSE, "X", NULL, &height);
  for (guint i = 0; lines[i] != NULL; i++)
    ssapp_text_draw (cr, style, &note, x, y + i * height, lines[i]);
}

void
ssapp_draw_on_sheet (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsMark *mark, double x,
                     double y)
{
  g_return_if_fail (cr != NULL && style != NULL && camera != NULL && mark != NULL);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_width (cr, ssapp_style_line (style, LINE_PX));
  ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_FOREGROUND));
  if (mark->kind == SS_MARK_DISTANCE)
    draw_distance (cr, style, camera, mark);
  else if (mark->kind == SS_MARK_ANGLE)
    draw_angle (cr, style, mark, x, y);
  else
    draw_note (cr, style, mark, x, y);
}
