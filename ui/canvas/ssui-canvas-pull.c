/* ui/canvas/ssui-canvas-pull.c: a body of the motion is pulled at the time that is shown, and the sketch follows
 * (session/ssapp-pulling.h). Looked at in tests/ui/test_sketch.py. */
#include "ui/canvas/ssui-canvas-private.h"

#include "app/draw/ssapp-draw-parts.h"
#include "app/export/ssapp-reach-picture.h"
#include "app/job/ssapp-pull.h"

#include <math.h>

/* px; the band is seen through. */
static const double BAND_WIDTH = 7, BAND_ALPHA = 0.45, EDGE_RADIUS = 3, WISH_RADIUS = 5;

/* The body of the motion's frame that is there; NULL: none. Centres, forces and contacts lie above their body. */
static const char *
body_at (SsuiCanvas *self, double x, double y)
{
  int index = MIN (ss_view_n_marks (ssapp_run_get_view (self->run)), self->marks_size);

  while (index > 0) {
    index = ssapp_hit_test (&self->camera, self->marks, index, x, y, SSUI_CANVAS_HIT_TOLERANCE);
    if (index >= 0 && self->marks[index].role == SS_ROLE_BODY)
      return self->marks[index].name;
  }
  return NULL;
}

/* A coordinate of the body in the frame that is shown. */
static double
coordinate_of (SsuiCanvas *self, const char *body, char axis)
{
  g_autofree char *name = g_strdup_printf ("%s.%c", body, axis);
  const int channel = ss_trajectory_channel (ssapp_run_get_trajectory (self->run), name);

  return channel >= 0 && self->row != NULL ? self->row[channel] : NAN;
}

gboolean
ssui_canvas_pull_press (SsuiCanvas *self, double x, double y, GError **error)
{
  if (self->pulling == NULL || self->is_live || self->tool != SSUI_TOOL_SELECT || !ssui_canvas_shows_motion (self) ||
      self->marks == NULL)
    return FALSE;
  const char *body = body_at (self, x, y);
  if (body == NULL)
    return FALSE;
  const SsVec2 at = ssapp_camera_to_world (&self->camera, x, y),
               centre = {coordinate_of (self, body, 'x'), coordinate_of (self, body, 'y')};
  ssui_clock_set_playing (self->clock, FALSE);
  ssapp_document_select (self->document, body);
  self->pull_offset = (SsVec2){at.x - centre.x, at.y - centre.y};
  self->is_pulled =
      ssapp_pulling_begin (self->pulling, body, ssui_clock_get_time (self->clock), centre.x, centre.y, error);
  return TRUE;
}

gboolean
ssui_canvas_pull_drag (SsuiCanvas *self, double x, double y)
{
  if (!self->is_pulled)
    return FALSE;
  const SsVec2 at = ssapp_camera_to_world (&self->camera, x, y);
  ssapp_pulling_move (self->pulling, at.x - self->pull_offset.x, at.y - self->pull_offset.y);
  gtk_gesture_set_state (self->drag, GTK_EVENT_SEQUENCE_CLAIMED);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  return TRUE;
}

void
ssui_canvas_pull_end (SsuiCanvas *self, gboolean keeps)
{
  if (!self->is_pulled)
    return;
  self->is_pulled = FALSE;
  if (keeps)
    ssapp_pulling_end (self->pulling);
  else
    ssapp_pulling_cancel (self->pulling);
}

/* ---- picture ----------------------------------------------------------------------------------------------------- */

static void
draw_band (SsuiCanvas *self, cairo_t *cr, const SsappStyle *style, const SsReach *band)
{
  int first, last;

  cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  for (int k = 0; ssapp_reach_stretch (band, k, &first, &last); k++) {
    double x = 0, y = 0;
    cairo_new_path (cr);
    for (int i = first; i <= last; i++) {
      const SsReachPoint *p = &band->points[i];
      if (!isfinite (p->values[0]) || !isfinite (p->values[1]))
        continue;
      ssapp_camera_to_device (&self->camera, (SsVec2){p->values[0], p->values[1]}, &x, &y);
      cairo_line_to (cr, x, y);
    }
    ssapp_set_color (cr, ssapp_color_with_alpha (ssapp_reach_color (style, band->points[first].sequence), BAND_ALPHA));
    cairo_set_line_width (cr, BAND_WIDTH);
    cairo_stroke (cr);
    if (k == 0)
      continue;
    ssapp_camera_to_device (&self->camera, (SsVec2){band->points[first].values[0], band->points[first].values[1]}, &x,
                            &y);
    ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_DIM));
    cairo_arc (cr, x, y, EDGE_RADIUS, 0, 2 * G_PI); /* the sequence changes */
    cairo_fill (cr);
  }
}

void
ssui_canvas_draw_pull (SsuiCanvas *self, cairo_t *cr, const SsappStyle *style)
{
  const SsPull *answer = self->pulling != NULL ? ssapp_pulling_get_answer (self->pulling) : NULL;
  double wish[2], place[2], x0, y0, x1, y1;

  if (self->pulling == NULL || !self->is_pulled)
    return;
  cairo_save (cr);
  if (ssapp_pulling_get_band (self->pulling) != NULL)
    draw_band (self, cr, style, ssapp_pulling_get_band (self->pulling));
  ssapp_pulling_get_places (self->pulling, wish, place);
  ssapp_camera_to_device (&self->camera, (SsVec2){wish[0], wish[1]}, &x1, &y1);
  if (answer != NULL && isfinite (place[0])) { /* what it is off by */
    ssapp_camera_to_device (&self->camera, (SsVec2){place[0], place[1]}, &x0, &y0);
    ssapp_set_color (cr, ssapp_style_color (style, answer->is_reached ? SSAPP_COLOR_DIM : SSAPP_COLOR_FORCE));
    cairo_set_line_width (cr, answer->is_reached ? 1 : 2);
    cairo_move_to (cr, x0, y0);
    cairo_line_to (cr, x1, y1);
    cairo_stroke (cr);
  }
  ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_ACCENT));
  cairo_set_line_width (cr, 2);
  cairo_new_sub_path (cr);
  cairo_arc (cr, x1, y1, WISH_RADIUS, 0, 2 * G_PI);
  cairo_stroke (cr);
  cairo_restore (cr);
}
