/* app/draw/ssapp-draw-group.c: see the header. */
#include "app/draw/ssapp-draw-group.h"

#include "app/draw/ssapp-draw-parts.h"

#include <math.h>

static const double BAND_FILL = 0.12, GROUP_GAP_PX = 6.; /* outside the frames of the objects */

/* The bounds as a mark, whose frame and handles are those of any other; `corners` are kept for it. */
static SsMark
mark_of_bounds (const SsappStyle *style, const SsappCamera *camera, const double bounds[4], SsVec2 corners[4])
{
  double gap = GROUP_GAP_PX * style->scale / camera->scale, w = (bounds[2] - bounds[0]) / 2 + gap,
         h = (bounds[3] - bounds[1]) / 2 + gap;

  corners[0] = (SsVec2){-w, -h};
  corners[1] = (SsVec2){w, -h};
  corners[2] = (SsVec2){w, h};
  corners[3] = (SsVec2){-w, h};
  return (SsMark){.kind = SS_MARK_POLYGON,
                  .role = SS_ROLE_GUIDE,
                  .name = "",
                  .color = "",
                  .visible = TRUE,
                  .position = {(bounds[0] + bounds[2]) / 2, (bounds[1] + bounds[3]) / 2},
                  .n_vertices = 4,
                  .vertices = corners};
}

void
ssapp_draw_selected_mark (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsMark *mark)
{
  const SsappSceneFlags flags = {0};

  ssapp_draw_selection (cr, style, camera, mark, &flags);
}

void
ssapp_draw_group_frame (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const double bounds[4])
{
  const SsappSceneFlags flags = {.rotation = TRUE};
  SsVec2 corners[4];
  SsMark mark = mark_of_bounds (style, camera, bounds, corners);

  ssapp_draw_selection (cr, style, camera, &mark, &flags);
}

gboolean
ssapp_is_on_group_handle (const SsappStyle *style, const SsappCamera *camera, const double bounds[4], double x,
                          double y, double tolerance)
{
  SsVec2 corners[4];
  SsMark mark = mark_of_bounds (style, camera, bounds, corners);

  return ssapp_handle_at (style, camera, &mark, x, y, tolerance) == SSAPP_HANDLE_ROTATE;
}

void
ssapp_draw_band (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, SsVec2 from, SsVec2 to)
{
  SsappColor color = ssapp_style_color (style, SSAPP_COLOR_ACCENT);
  double x0, y0, x1, y1;

  ssapp_camera_to_device (camera, from, &x0, &y0);
  ssapp_camera_to_device (camera, to, &x1, &y1);
  cairo_save (cr);
  cairo_new_path (cr);
  cairo_rectangle (cr, x0, y0, x1 - x0, y1 - y0);
  cairo_set_source_rgba (cr, color.r, color.g, color.b, BAND_FILL * color.a);
  cairo_fill_preserve (cr);
  ssapp_set_color (cr, color);
  cairo_set_line_width (cr, ssapp_style_line (style, 1.));
  cairo_stroke (cr);
  cairo_restore (cr);
}
