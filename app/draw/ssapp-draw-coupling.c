/* app/draw/ssapp-draw-coupling.c: gears, belts and ropes: closed lines of teeth or about two wheels; lines from point
 * to point whose slack hangs. */
#include "app/draw/ssapp-draw-parts.h"

#include <math.h>

static const double GEAR_PX = 1.6, ROPE_PX = 2.2;
/* A slack rope along gravity is drawn this far beside itself, as a part of how deep it hangs, so that it is seen. */
static const double BESIDE = 0.35;
static const double DEVICE_LIMIT = 1e6; /* as ssapp-draw-mark.c */
/* A span is hit where one of so many pieces of its curve is. */
enum { N_PIECES = 12 };

/* The four points of the curve of a span, about the mark's position [m]. It hangs as deep as a parabola whose length is
 * the span and its share of the slack; where both ends are at one place, half of the slack. */
static void
find_curve (const SsMark *mark, int span, SsVec2 curve[4])
{
  const SsVec2 from = mark->vertices[span], to = mark->vertices[span + 1];
  const double slack = hypot (mark->vector.x, mark->vector.y), chord = hypot (to.x - from.x, to.y - from.y);
  double all = 0, share = 1. / (mark->n_vertices - 1);

  for (int i = 0; i + 1 < mark->n_vertices; i++)
    all += hypot (mark->vertices[i + 1].x - mark->vertices[i].x, mark->vertices[i + 1].y - mark->vertices[i].y);
  if (all > 0)
    share = chord / all;
  const double hangs = slack * share, depth = sqrt (0.375 * chord * hangs + hangs * hangs / 4);
  const SsVec2 down = slack > 0 ? (SsVec2){mark->vector.x / slack, mark->vector.y / slack} : (SsVec2){0, 0};
  const double along = chord > 0 ? fabs (down.x * (to.x - from.x) + down.y * (to.y - from.y)) / chord : 0;
  const double x = 4. / 3. * depth * (down.x - BESIDE * along * down.y),
               y = 4. / 3. * depth * (down.y + BESIDE * along * down.x);
  curve[0] = from;
  curve[1] = (SsVec2){from.x + x, from.y + y};
  curve[2] = (SsVec2){to.x + x, to.y + y};
  curve[3] = to;
}

int
ssapp_coupling_n_points (const SsMark *mark)
{
  g_return_val_if_fail (mark != NULL, 0);
  return mark->kind == SS_MARK_GEAR ? mark->n_vertices + 1 : (mark->n_vertices - 1) * N_PIECES + 1;
}

SsVec2
ssapp_coupling_point (const SsMark *mark, int i)
{
  g_return_val_if_fail (mark != NULL && mark->n_vertices > 0, ((SsVec2){0, 0}));
  if (mark->kind == SS_MARK_GEAR)
    return mark->vertices[i % mark->n_vertices];
  SsVec2 curve[4];
  const int span = MIN (i / N_PIECES, mark->n_vertices - 2);
  const double t = (double)(i - span * N_PIECES) / N_PIECES, s = 1 - t;
  find_curve (mark, span, curve);
  const double w[4] = {s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t};
  SsVec2 at = {0, 0};
  for (int k = 0; k < 4; k++)
    at = (SsVec2){at.x + w[k] * curve[k].x, at.y + w[k] * curve[k].y};
  return at;
}

void
ssapp_draw_coupling (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsMark *mark,
                     const SsappMarkPaint *paint, double x, double y)
{
  const gboolean is_rope = mark->kind == SS_MARK_ROPE;
  const double c = cos (mark->angle), s = sin (mark->angle), px = is_rope ? ROPE_PX : GEAR_PX;
  const int n = mark->n_vertices < 2 ? 0 : ssapp_coupling_n_points (mark);

  cairo_new_path (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  for (int i = 0; i < n; i++) {
    const SsVec2 p = ssapp_coupling_point (mark, i);
    cairo_line_to (cr, CLAMP (x + (c * p.x - s * p.y) * camera->scale, -DEVICE_LIMIT, DEVICE_LIMIT),
                   CLAMP (y - (s * p.x + c * p.y) * camera->scale, -DEVICE_LIMIT, DEVICE_LIMIT));
  }
  ssapp_set_color (cr, paint->outline != NULL
                           ? *paint->outline
                           : ssapp_style_color (style, is_rope ? SSAPP_COLOR_FOREGROUND : SSAPP_COLOR_DIM));
  cairo_set_line_width (cr, ssapp_style_line (style, paint->outline_px > 0 ? paint->outline_px : px));
  cairo_stroke (cr);
}
