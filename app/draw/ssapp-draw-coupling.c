/* app/draw/ssapp-draw-coupling.c: gears, belts and ropes: closed lines of teeth or about two wheels; lines from point
 * to point whose slack hangs. */
#include "app/draw/ssapp-draw-parts.h"

#include <math.h>

static const double GEAR_PX = 1.6, ROPE_PX = 2.2;
static const double DEVICE_LIMIT = 1e6; /* as ssapp-draw-mark.c */
void
ssapp_draw_coupling (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsMark *mark,
                     const SsappMarkPaint *paint, double x, double y)
{
  const gboolean is_rope = mark->kind == SS_MARK_ROPE;
  const double c = cos (mark->angle), s = sin (mark->angle), px = is_rope ? ROPE_PX : GEAR_PX;
  const int n = ss_mark_n_line_points (mark);

  cairo_new_path (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  for (int i = 0; i < n; i++) {
    const SsVec2 p = ss_mark_line_point (mark, i);
    cairo_line_to (cr, CLAMP (x + (c * p.x - s * p.y) * camera->scale, -DEVICE_LIMIT, DEVICE_LIMIT),
                   CLAMP (y - (s * p.x + c * p.y) * camera->scale, -DEVICE_LIMIT, DEVICE_LIMIT));
  }
  ssapp_set_color (cr, paint->outline != NULL
                           ? *paint->outline
                           : ssapp_style_color (style, is_rope ? SSAPP_COLOR_FOREGROUND : SSAPP_COLOR_DIM));
  cairo_set_line_width (cr, ssapp_style_line (style, paint->outline_px > 0 ? paint->outline_px : px));
  cairo_stroke (cr);
}
