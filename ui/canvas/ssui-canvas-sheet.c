/* ui/canvas/ssui-canvas-sheet.c: where the canvas looks: scale and place of the sheet, its grid, what is shown on it.
 * Every other file of the canvas lies above this one. */
#include "ui/canvas/ssui-canvas-private.h"

#include "ui/parts/ssui-util.h"

#include <math.h>

#define MIN_SCALE  1e-3 /* px per metre: a kilometre across a pixel is no sketch any more        */
#define MAX_SCALE  1e6  /* a micrometre a pixel                                                  */
#define FIT_MARGIN 24.0 /* px kept free around the bodies                                        */
#define FIT_LEFT   22.0 /* px more at the edges: rulers, options, buttons lie there               */
#define FIT_TOP    64.0
#define FIT_BOTTOM 64.0

guint ssui_canvas_signals[SSUI_CANVAS_N_SIGNALS];

void
ssui_canvas_fit_now (SsuiCanvas *self)
{
  double bounds[4], motion_bounds[4];
  int w = gtk_widget_get_width (GTK_WIDGET (self)), h = gtk_widget_get_height (GTK_WIDGET (self));
  double left = MIN (FIT_LEFT, w / 5.0), top = MIN (FIT_TOP, h / 5.0), bottom = MIN (FIT_BOTTOM, h / 5.0);
  double margin = MIN (FIT_MARGIN, MIN (w, h) / 8.0);

  if (w <= SSUI_CANVAS_RULER || h <= SSUI_CANVAS_RULER || self->document == NULL)
    return;
  ssapp_document_get_bounds (self->document, bounds);
  if (self->run != NULL && (!self->follows_sketch || self->fits_motion) && ssapp_run_has_motion (self->run) &&
      ssapp_run_get_view (self->run) != NULL) {
    if (ssapp_region_of_motion (ssapp_run_get_view (self->run), ssapp_run_get_trajectory (self->run), motion_bounds)) {
      bounds[0] = MIN (bounds[0], motion_bounds[0]);
      bounds[1] = MIN (bounds[1], motion_bounds[1]);
      bounds[2] = MAX (bounds[2], motion_bounds[2]);
      bounds[3] = MAX (bounds[3], motion_bounds[3]);
    }
  }
  ssapp_camera_fit (&self->camera, bounds, w - left, h - top - bottom, margin);
  self->camera.ox += left;
  self->camera.oy += top;
  self->camera.width = w;
  self->camera.height = h;
  g_signal_emit (self, ssui_canvas_signals[SSUI_CANVAS_ZOOM_CHANGED], 0);
}

void
ssui_canvas_set_scale_at (SsuiCanvas *self, double scale, double x, double y)
{
  SsVec2 fixed = ssapp_camera_to_world (&self->camera, x, y);

  scale = CLAMP (scale, MIN_SCALE, MAX_SCALE);
  self->camera.scale = scale;
  self->camera.ox = x - fixed.x * scale;
  self->camera.oy = y + fixed.y * scale;
  self->is_fitted = FALSE;
  g_signal_emit (self, ssui_canvas_signals[SSUI_CANVAS_ZOOM_CHANGED], 0);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ssui_canvas_fit (SsuiCanvas *self)
{
  g_return_if_fail (self != NULL);
  self->is_fitted = self->fits_motion = TRUE;
  ssui_canvas_fit_now (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ssui_canvas_show_selected (SsuiCanvas *self)
{
  g_return_if_fail (self != NULL);

  const SsMark *mark = ssapp_document_get_selected_mark (self->document);
  double reach = mark != NULL ? mark->radius : 0, x, y;

  if (mark == NULL)
    return;
  for (int i = 0; i < mark->n_vertices; i++)
    reach = MAX (reach, hypot (mark->vertices[i].x, mark->vertices[i].y));
  reach *= self->camera.scale;
  ssapp_camera_to_device (&self->camera, mark->position, &x, &y);
  if (x - reach < SSUI_CANVAS_RULER || y - reach < SSUI_CANVAS_RULER || x + reach > self->camera.width ||
      y + reach > self->camera.height)
    ssui_canvas_fit (self);
}

void
ssui_canvas_zoom (SsuiCanvas *self, double factor)
{
  g_return_if_fail (self != NULL && factor > 0);
  ssui_canvas_set_scale_at (self, self->camera.scale * factor, self->camera.width / 2, self->camera.height / 2);
}

double
ssui_canvas_get_pixels_per_metre (SsuiCanvas *self)
{
  g_return_val_if_fail (self != NULL, NAN);
  return self->camera.scale;
}

double
ssui_canvas_grid_step (SsuiCanvas *self)
{
  g_return_val_if_fail (self != NULL, NAN);

  SsappStyle style;
  double minor, major;

  ssui_style_init (&style, GTK_WIDGET (self));
  ssapp_grid_steps (&self->camera, &style, &minor, &major);
  return minor;
}

SsVec2
ssui_canvas_world_at (SsuiCanvas *self, double x, double y, gboolean snap)
{
  SsVec2 p = ssapp_camera_to_world (&self->camera, x, y);
  if (snap && self->snap) {
    double step = ssui_canvas_grid_step (self);
    p.x = ssapp_snap (p.x, step);
    p.y = ssapp_snap (p.y, step);
  }
  return p;
}

SsVec2
ssui_canvas_get_centre (SsuiCanvas *self)
{
  g_return_val_if_fail (self != NULL, ((SsVec2){0, 0}));
  return ssui_canvas_world_at (self, self->camera.width / 2, self->camera.height / 2, TRUE);
}

gboolean
ssui_canvas_shows_motion (SsuiCanvas *self)
{
  return self->run != NULL && self->clock != NULL && ssui_clock_get_time (self->clock) > 0 &&
         ssapp_run_has_motion (self->run) && ssapp_run_get_view (self->run) != NULL &&
         ssapp_run_get_trajectory (self->run) != NULL;
}

/* The sheet stays where it is. A motion that does not follow the sketch is an old one: the sketch is shown. */
void
ssui_canvas_leave_motion (SsuiCanvas *self)
{
  self->is_fitted = FALSE;
  if (self->clock == NULL || self->is_live)
    return;
  ssui_clock_set_playing (self->clock, FALSE);
  if (!self->follows_sketch)
    ssui_clock_seek (self->clock, 0);
}
