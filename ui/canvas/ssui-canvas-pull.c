/* ui/canvas/ssui-canvas-pull.c: a body of the motion is pulled at the time that is shown, and the sketch follows
 * (session/ssapp-pulling.h). Looked at in tests/ui/test_sketch.py. */
#include "ui/canvas/ssui-canvas-private.h"

#include "ui/canvas/ssui-pull-hold.h"

#include <math.h>

/* The body of the motion's frame that is there; NULL: none. Centres, forces and contacts lie above their body. */
static const char *
body_at (SsuiCanvas *self, double x, double y)
{
  return ssapp_hit_body (&self->camera, self->marks,
                         MIN (ss_view_n_marks (ssapp_run_get_view (self->run)), self->marks_size), x, y,
                         SSUI_CANVAS_HIT_TOLERANCE);
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
  const double reading = ssui_clock_get_time (self->clock),
               t = self->run != NULL ? ssapp_run_to_time (self->run, reading) : reading;
  ssui_clock_set_playing (self->clock, FALSE);
  ssapp_document_select (self->document, body);
  self->pull_offset = (SsVec2){at.x - centre.x, at.y - centre.y};
  self->is_pulled = ssapp_pulling_begin (self->pulling, body, t, centre.x, centre.y, error);
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
place_on_sheet (gpointer data, const double values[2], double *x, double *y)
{
  SsuiCanvas *self = data;

  ssapp_camera_to_device (&self->camera, (SsVec2){values[0], values[1]}, x, y);
}

void
ssui_canvas_draw_pull (SsuiCanvas *self, cairo_t *cr, const SsappStyle *style)
{
  if (self->pulling != NULL && self->is_pulled)
    ssui_pull_draw (cr, style, self->pulling, place_on_sheet, self);
}
