/* ui/canvas/ssui-canvas-typing.c: numbers typed while something is held or drawn. The numbers are
 * app/document/ssapp-typed.h. Tests: tests/ui/test_flush_block.py */
#include "ui/canvas/ssui-canvas-typing.h"
#include "ui/canvas/ssui-canvas-drag.h"
#include "ui/canvas/ssui-canvas-snap.h"

#include <math.h>
#include <string.h>

static const SsScenario *
scenario_of (SsuiCanvas *self)
{
  return ssapp_document_get_scenario (self->document);
}

static SsappTypedKind
kind_of (SsuiCanvas *self)
{
  const gboolean is_on_edge = hypot (self->snapped.free.x, self->snapped.free.y) > 0;

  if (self->is_turning)
    return SSAPP_TYPED_TURN;
  if (!self->is_drawing)
    return is_on_edge ? SSAPP_TYPED_ALONG : SSAPP_TYPED_MOVE;
  switch (self->tool) {
  case SSUI_TOOL_BOX:
    return SSAPP_TYPED_BOX;
  case SSUI_TOOL_DISC:
    return SSAPP_TYPED_DISC;
  case SSUI_TOOL_GROUND:
    return SSAPP_TYPED_GROUND;
  default:
    return SSAPP_TYPED_LINE;
  }
}

/* The pose that the held thing has now, as the file says it. */
static void
pose_now (SsuiCanvas *self, double pose[3])
{
  const int index = ssapp_document_get_selected_index (self->document);

  if (index >= 0)
    ssapp_document_get_pose (self->document, index, pose);
  else
    ssapp_document_get_target_pose (self->document, self->held, pose);
}

static void
start_typing (SsuiCanvas *self)
{
  ssapp_typed_begin (&self->typed, kind_of (self));
  self->typed_to = self->drag_to;
  if (!self->is_drawing)
    pose_now (self, self->typed_now);
}

/* The text takes effect as it is typed. */
static gboolean
apply_typed (SsuiCanvas *self, GError **error)
{
  double pose[3], turned[3];

  if (self->is_drawing) {
    self->drag_to = self->typed_to;
    return ssapp_typed_point (&self->typed, scenario_of (self), self->drag_from, &self->drag_to, error);
  }
  if (!ssapp_typed_pose (&self->typed, scenario_of (self), self->pose_from, self->typed_now, self->snapped.free, pose,
                         error))
    return FALSE;
  if (pose[2] != self->typed_now[2]) { /* about the centre of mass */
    const double from[3] = {pose[0], pose[1], self->typed_now[2]};
    ssapp_document_turn_pose (self->document, self->held, self->is_turning ? self->pose_from : from, pose[2], turned);
    memcpy (pose, turned, sizeof pose);
  }
  if (!ssui_canvas_put_pose (self, pose, error))
    return FALSE;
  if (self->typed.kind == SSAPP_TYPED_ALONG && self->snapped.body >= 0 &&
      ssapp_document_get_selected (self->document) != NULL) {
    g_autofree char *body = g_strdup (ssapp_document_get_selected (self->document)),
                    *other = g_strdup (scenario_of (self)->scene->bodies[self->snapped.body].name);
    return ssapp_document_settle (self->document, body, other, error);
  }
  return TRUE;
}

static void
refresh (SsuiCanvas *self)
{
  g_autofree char *text = ssui_canvas_describe_snap (self);

  g_signal_emit (self, ssui_canvas_signals[SSUI_CANVAS_POINTER_MOVED], 0, text != NULL ? text : "");
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* Enter: what was typed counts, and the drag is over. */
static void
commit_typed (SsuiCanvas *self)
{
  g_autoptr (GError) error = NULL;

  if (!apply_typed (self, &error)) {
    self->typed_is_wrong = TRUE;
    g_signal_emit (self, ssui_canvas_signals[SSUI_CANVAS_REFUSED], 0, error->message);
    refresh (self);
    return;
  }
  if (self->is_drawing && ssui_canvas_has_typed_ground (self)) /* level, and then turned */
    self->drag_to = (SsVec2){self->drag_from.x + 1, self->drag_from.y};
  ssui_canvas_drop (self);
  gtk_gesture_set_state (self->drag, GTK_EVENT_SEQUENCE_DENIED);
}

void
ssui_canvas_end_typing (SsuiCanvas *self)
{
  if (!self->typed.is_active)
    return;
  if (apply_typed (self, NULL))
    ssui_canvas_drop (self);
  else
    ssui_canvas_cancel (self);
}

gboolean
ssui_canvas_type (SsuiCanvas *self, guint key, GdkModifierType state)
{
  const gunichar character = (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) == 0 ? gdk_keyval_to_unicode (key) : 0;

  if (!self->is_moving && !self->is_turning && !self->is_drawing)
    return FALSE;
  if (!self->typed.is_active) {
    if (!ssapp_typed_begins (character))
      return FALSE;
    start_typing (self);
  }
  switch (key) {
  case GDK_KEY_Escape:
    return FALSE; /* gives the drag up */
  case GDK_KEY_Return:
  case GDK_KEY_KP_Enter:
    commit_typed (self);
    return TRUE;
  case GDK_KEY_Tab:
  case GDK_KEY_KP_Tab:
  case GDK_KEY_ISO_Left_Tab:
    ssapp_typed_next (&self->typed, key == GDK_KEY_ISO_Left_Tab || (state & GDK_SHIFT_MASK) ? -1 : 1);
    break;
  case GDK_KEY_BackSpace:
    ssapp_typed_erase (&self->typed);
    break;
  default:
    if (character == 0 || !ssapp_typed_put (&self->typed, character))
      return character != 0;
    break;
  }
  self->typed_is_wrong = !apply_typed (self, NULL);
  refresh (self);
  return TRUE;
}

void
ssui_canvas_move_exactly (SsuiCanvas *self)
{
  g_return_if_fail (self != NULL);
  if (self->is_live || self->is_moving || self->is_turning || self->is_drawing || !ssui_canvas_hold (self))
    return;
  gtk_widget_grab_focus (GTK_WIDGET (self));
  ssui_canvas_forget_snap (self);
  ssapp_camera_to_device (&self->camera, self->pivot, &self->pointer_x, &self->pointer_y);
  start_typing (self);
  refresh (self);
}
