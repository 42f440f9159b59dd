/* ui/canvas/ssui-canvas-contact.c: the selected contact on the canvas: what it does at the time that is shown, its
 * picture, contacts under the pointer. */
#include "ui/canvas/ssui-canvas-private.h"

static const SsScene *
scene_of_run (SsuiCanvas *self)
{
  const SsScenario *scenario = ssapp_run_get_scenario (self->run);
  return scenario != NULL ? scenario->scene : NULL;
}

void
ssui_canvas_update_contact (SsuiCanvas *self)
{
  const SsScene *scene = self->document != NULL ? ssapp_document_get_scenario (self->document)->scene : NULL;

  if (self->watch == NULL || self->document == NULL)
    return;
  if (self->is_live && self->live_row != NULL && scene != NULL)
    ssapp_contact_watch_show_row (self->watch, scene, self->live_channels, self->n_live_channels, self->live_row,
                                  self->live_step);
  else if (!self->is_live && ssui_canvas_shows_motion (self) && scene_of_run (self) != NULL)
    ssapp_contact_watch_show_motion (self->watch, scene_of_run (self), ssapp_run_get_trajectory (self->run),
                                     ssui_clock_get_time (self->clock), ssui_clock_is_before (self->clock));
  else
    ssapp_contact_watch_show_sketch (self->watch);
}

char *
ssui_canvas_hit_contact (SsuiCanvas *self, double x, double y, double tolerance)
{
  const SsScene *scene = ssapp_document_get_scenario (self->document)->scene;
  const gboolean is_motion = ssui_canvas_shows_motion (self) && self->row != NULL;
  const SsTrajectory *trajectory = is_motion ? ssapp_run_get_trajectory (self->run) : NULL;
  int contact;

  if (scene == NULL)
    return NULL;
  contact = trajectory != NULL ? ssapp_contact_hit (scene, trajectory->channels, trajectory->n_channels, self->row,
                                                    &self->camera, x, y, tolerance)
                               : ssapp_contact_hit (scene, NULL, 0, NULL, &self->camera, x, y, tolerance);
  return contact >= 0 ? ssapp_document_contact_path (self->document, contact) : NULL;
}

void
ssui_canvas_draw_contact (SsuiCanvas *self, cairo_t *cr, const SsappStyle *style, const SsMark *marks, int n_marks,
                          const SsappSceneFlags *flags)
{
  const SsappContactReading *reading = self->watch != NULL ? ssapp_contact_watch_get (self->watch) : NULL;
  double force_px;

  if (reading == NULL)
    return;
  force_px = ssapp_contact_force_px (marks, n_marks, reading);
  ssapp_contact_draw (cr, style, &self->camera, reading, force_px);
  ssapp_contact_draw_scale (cr, style, &self->camera, flags, force_px);
}
