/* ui/canvas/ssui-canvas-snap.c: see the header. Tests: tests/ui/test_flush_block.py */
#include "ui/canvas/ssui-canvas-snap.h"

#include "app/document/ssapp-place-draw.h"
#include "ui/canvas/ssui-joint-choice.h"
#include "ui/parts/ssui-util.h"

#include <math.h>

#define REACH 8.0 /* px from where something pulls */

/* ---- snapping ---------------------------------------------------------------------------------------------------- */

static const SsScenario *
scenario_of (SsuiCanvas *self)
{
  return ssapp_document_get_scenario (self->document);
}

static SsappSnapRules
rules_of (SsuiCanvas *self)
{
  const GdkModifierType state =
      gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (self->drag)); /* of the event in hand */
  const gboolean is_free = !self->snap || (state & GDK_ALT_MASK) != 0 || self->tool >= SSUI_TOOL_TRACE;

  return (SsappSnapRules){
      .reach = REACH / self->camera.scale,
      .step = is_free || self->has_pen ? 0 : ssui_canvas_grid_step (self), /* the pen by keys goes in such steps */
      .is_free = is_free};
}

void
ssui_canvas_forget_snap (SsuiCanvas *self)
{
  self->snapped = (SsappSnap){.kind = SSAPP_SNAP_NONE, .body = -1, .second = -1};
  self->typed.is_active = self->typed_is_wrong = FALSE;
}

SsVec2
ssui_canvas_snap_pen_down (SsuiCanvas *self, double x, double y)
{
  const SsappSnapRules rules = rules_of (self);

  ssui_canvas_forget_snap (self);
  ssapp_place_snap_point (scenario_of (self)->scene, ssapp_camera_to_world (&self->camera, x, y), &rules,
                          &self->snapped);
  return self->snapped.at;
}

void
ssui_canvas_snap_pen (SsuiCanvas *self, double x, double y)
{
  const SsVec2 want = ssapp_camera_to_world (&self->camera, x, y);
  const SsappSnapRules rules = rules_of (self);

  if (self->typed.is_active)
    return;
  if (self->tool == SSUI_TOOL_DISC) {
    const double radius =
        ssapp_place_snap_radius (scenario_of (self)->scene, self->drag_from, want, &rules, &self->snapped);
    const double angle = atan2 (want.y - self->drag_from.y, want.x - self->drag_from.x);
    self->drag_to = (SsVec2){self->drag_from.x + radius * cos (angle), self->drag_from.y + radius * sin (angle)};
  } else {
    ssapp_place_snap_point (scenario_of (self)->scene, want, &rules, &self->snapped);
    self->drag_to = self->snapped.at;
  }
}

/* Every digit where something touches, else places are rounded. */
gboolean
ssui_canvas_put_pose (SsuiCanvas *self, const double pose[3], GError **error)
{
  if (self->snapped.kind == SSAPP_SNAP_NONE || self->snapped.kind == SSAPP_SNAP_GRID)
    return ssapp_document_set_pose (self->document, self->held, pose, error);
  return ssapp_document_set_pose_exactly (self->document, self->held, pose, error);
}

void
ssui_canvas_snap_held (SsuiCanvas *self, double dx, double dy)
{
  const SsappSnapRules rules = rules_of (self);
  const double want[3] = {self->pose_from[0] + dx / self->camera.scale, self->pose_from[1] - dy / self->camera.scale,
                          self->pose_from[2]};
  g_autoptr (GError) error = NULL;

  if (self->typed.is_active ||
      !ssapp_document_snap_pose (self->document, self->held, self->pose_from, want, &rules, &self->snapped))
    return;
  if (!ssui_canvas_put_pose (self, self->snapped.q, &error))
    g_signal_emit (self, ssui_canvas_signals[SSUI_CANVAS_REFUSED], 0, error->message);
}

/* A ground whose angle was typed: the file gets the angle, not a normal of some digits. */
gboolean
ssui_canvas_has_typed_ground (SsuiCanvas *self)
{
  return self->tool == SSUI_TOOL_GROUND && self->typed.is_active && self->typed.text[0][0] != '\0';
}

gboolean
ssui_canvas_has_to_settle (SsuiCanvas *self)
{
  if (ssui_canvas_has_typed_ground (self))
    return TRUE;
  return self->tool == SSUI_TOOL_DISC && self->snapped.kind == SSAPP_SNAP_TOUCH && self->snapped.body >= 0;
}

gboolean
ssui_canvas_settle_drawn (SsuiCanvas *self, GError **error)
{
  const SsScene *scene = scenario_of (self)->scene;
  const char *drawn = ssapp_document_get_selected (self->document);
  g_autofree char *body = g_strdup (drawn), *other = NULL;

  if (ssui_canvas_has_typed_ground (self)) {
    g_autofree char *path =
        ssapp_document_body_path (self->document, ssapp_document_get_selected_index (self->document));
    g_autofree char *field = g_strconcat (path, ".angle", NULL);
    return ssapp_document_set_field (self->document, field, self->typed.text[0], "deg", error);
  }
  if (body == NULL || self->snapped.body >= scene->n_bodies)
    return TRUE;
  other = g_strdup (scene->bodies[self->snapped.body].name);
  return ssapp_document_settle (self->document, body, other, error);
}

void
ssui_canvas_offer_pairs (SsuiCanvas *self, gboolean always)
{
  const char *item = ssapp_document_get_selected_item (self->document);
  const SsMark *mark = ssapp_document_get_selected_mark (self->document);
  double x = self->camera.width / 2, y = self->camera.height / 2;

  if (item == NULL || (!g_str_has_prefix (item, "scene.joints[") && !g_str_has_prefix (item, "scene.springs[")))
    return;
  if (mark != NULL)
    ssapp_camera_to_device (&self->camera, mark->position, &x, &y);
  ssui_joint_choice_offer (GTK_WIDGET (self), self->document, item, CLAMP (x, 0, self->camera.width),
                           CLAMP (y, 0, self->camera.height), always);
}

void
ssui_canvas_choose_pair (SsuiCanvas *self)
{
  ssui_canvas_offer_pairs (self, TRUE);
}

/* ---- what is said and drawn -------------------------------------------------------------------------------------- */

char *
ssui_canvas_describe_snap (SsuiCanvas *self)
{
  if (self->typed.is_active)
    return ssapp_typed_describe (&self->typed);
  if ((self->is_moving || self->is_drawing) && self->snapped.text[0] != '\0')
    return g_strdup (self->snapped.text);
  return NULL;
}

void
ssui_canvas_draw_place (SsuiCanvas *self, cairo_t *cr, const SsappStyle *style, gboolean shows_sketch)
{
  const SsScene *scene = scenario_of (self)->scene;

  if (scene == NULL)
    return;
  ssapp_draw_grounded_joints (cr, style, &self->camera, scene);
  if (shows_sketch)
    ssapp_draw_overlaps (cr, style, &self->camera, scene, ssapp_document_get_overlaps (self->document));
}

void
ssui_canvas_draw_hint (SsuiCanvas *self, cairo_t *cr, const SsappStyle *style)
{
  if (!self->is_moving && !self->is_drawing && !self->is_turning && self->corners->len == 0)
    return;
  if (!self->is_turning)
    ssapp_draw_snap (cr, style, &self->camera, &self->snapped);
  ssapp_draw_hint (cr, style, &self->camera, self->pointer_x, self->pointer_y,
                   self->is_turning ? NULL : self->snapped.text, &self->typed, self->typed_is_wrong);
}
