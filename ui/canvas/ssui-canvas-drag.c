/* ui/canvas/ssui-canvas-drag.c: what the pointer does while it is down: a body or goal is held, a live body is pulled,
 * a shape is drawn; the drag ends with what it did, or without. Looked at in tests/ui/test_edit.py, test_sketch.py. */
#include "ui/canvas/ssui-canvas-drag.h"
#include "ui/canvas/ssui-canvas-snap.h"

#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

void
ssui_canvas_refuse (SsuiCanvas *self, const GError *error)
{
  g_signal_emit (self, ssui_canvas_signals[SSUI_CANVAS_REFUSED], 0, error->message);
}

gboolean
ssui_canvas_has_selection (SsuiCanvas *self)
{
  return ssapp_document_get_selected (self->document) != NULL ||
         ssapp_document_get_selected_item (self->document) != NULL;
}

static void
finish_drawing (SsuiCanvas *self)
{
  g_autoptr (GError) error = NULL;
  SsVec2 a = self->drag_from, b = self->drag_to;
  gboolean done, is_shape = ssui_canvas_is_shape_tool (self), settles = !is_shape && ssui_canvas_has_to_settle (self);

  self->is_drawing = FALSE;
  ssui_canvas_leave_motion (self);
  if (settles)
    ssapp_document_begin_gesture (self->document, self->tool == SSUI_TOOL_DISC ? _ ("Add disc") : _ ("Add floor"));
  if (is_shape)
    done = ssui_canvas_finish_shape (self, a, b, &error);
  else if (self->tool == SSUI_TOOL_BOX)
    done = ssapp_document_add_box (self->document, a, b, &error);
  else if (self->tool == SSUI_TOOL_DISC)
    done = ssapp_document_add_disc (self->document, a, hypot (b.x - a.x, b.y - a.y), &error);
  else if (self->tool == SSUI_TOOL_GROUND)
    done = ssapp_document_add_ground (self->document, a, b, &error);
  else
    done = ssapp_document_add_joint (self->document, (SsappJointKind)(self->tool - SSUI_TOOL_PIN), a, b,
                                     SSUI_CANVAS_HIT_TOLERANCE / self->camera.scale, &error);
  if (settles && done)
    done = ssui_canvas_settle_drawn (self, &error);
  if (settles)
    ssapp_document_end_gesture (self->document);
  ssui_canvas_forget_snap (self);
  if (!done)
    ssui_canvas_refuse (self, error);
  else
    ssui_canvas_offer_pairs (self, FALSE);
  g_signal_emit (self, ssui_canvas_signals[SSUI_CANVAS_TOOL_FINISHED], 0);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* ---- live -------------------------------------------------------------------------------------------------------- */

void
ssui_canvas_emit_pull (SsuiCanvas *self, int phase, const char *body, double x, double y)
{
  SsVec2 p = ssui_canvas_world_at (self, x, y, FALSE);
  g_signal_emit (self, ssui_canvas_signals[SSUI_CANVAS_PULL], 0, phase, body, p.x, p.y);
}

/* The goal whose flag is there, while the scene runs. */
static char *
held_goal_at (SsuiCanvas *self, double x, double y)
{
  SsappStyle style;
  int index;

  ssui_style_init (&style, GTK_WIDGET (self));
  index = ssapp_goal_handle_at (&style, &self->camera, self->live_marks, self->n_live_marks, x, y);
  return index >= 0 ? ssapp_document_find_mark_item (self->document, &self->live_marks[index]) : NULL;
}

gboolean
ssui_canvas_is_on_live_goal (SsuiCanvas *self, double x, double y)
{
  g_autofree char *goal = self->is_live ? held_goal_at (self, x, y) : NULL;
  return goal != NULL;
}

/* Centres, forces and contacts lie above their body: down until a body is met. */
void
ssui_canvas_begin_pulling (SsuiCanvas *self, double x, double y)
{
  g_autofree char *goal = held_goal_at (self, x, y);
  g_autofree char *item =
      goal != NULL ? g_strdup (goal)
                   : ssapp_document_hit_item (self->document, &self->camera, x, y, SSUI_CANVAS_HIT_TOLERANCE);
  const gboolean is_goal = item != NULL && g_str_has_prefix (item, "task.targets");

  /* A goal is moved as in the sketch, while the scene runs on; by its flag, or one that is selected, also where a body
   * lies on it. */
  if (goal != NULL)
    ssapp_document_select_item (self->document, goal);
  if (is_goal && g_strcmp0 (item, ssapp_document_get_selected_item (self->document)) == 0)
    return;
  const char *body =
      ssapp_hit_body (&self->camera, self->live_marks, self->n_live_marks, x, y, SSUI_CANVAS_HIT_TOLERANCE);
  if (body != NULL) {
    self->is_pulling = TRUE;
    ssapp_document_select (self->document, body);
    ssui_canvas_emit_pull (self, SSUI_PULL_BEGIN, body, x, y);
    return;
  }
  if (is_goal)
    ssapp_document_select_item (self->document, item);
  else
    ssapp_document_select (self->document, NULL);
}

static void
end_pulling (SsuiCanvas *self)
{
  if (self->is_pulling)
    ssui_canvas_emit_pull (self, SSUI_PULL_END, "", self->pointer_x, self->pointer_y);
  self->is_pulling = FALSE;
}

/* ---- hold -------------------------------------------------------------------------------------------------------- */

/* What the drag holds: the path in the file of the selected body or goal, and its pose. FALSE if it cannot be moved. */
static gboolean
take_hold (SsuiCanvas *self)
{
  int index = ssapp_document_get_selected_index (self->document);
  const char *item = ssapp_document_get_selected_item (self->document);
  const SsMark *mark = ssapp_document_get_selected_mark (self->document);

  g_clear_pointer (&self->held, g_free);
  if (index >= 0) {
    self->held = ssapp_document_body_path (self->document, index);
    ssapp_document_get_pose (self->document, index, self->pose_from);
    if (self->held == NULL)
      g_signal_emit (self, ssui_canvas_signals[SSUI_CANVAS_REFUSED], 0,
                     "This body is one of a family that the file writes by a rule: it is not moved by itself");
  } else if (item != NULL && ssapp_document_get_target_pose (self->document, item, self->pose_from)) {
    self->held = g_strdup (item);
  }
  self->pivot = mark != NULL ? mark->position : (SsVec2){0, 0};
  return self->held != NULL;
}

void
ssui_canvas_begin_hold (SsuiCanvas *self, gboolean turns)
{
  SsappItem *item;
  g_autofree char *label = NULL;

  if (!take_hold (self)) {
    gtk_gesture_set_state (self->drag, GTK_EVENT_SEQUENCE_DENIED);
    return;
  }
  item = ssapp_document_get_item (self->document, self->held);
  ssui_canvas_leave_motion (self);
  const gboolean is_goal = g_str_has_prefix (self->held, "task.");
  label = g_strdup_printf (turns     ? is_goal ? _ ("Turn goal of %s") : _ ("Turn %s")
                               : is_goal ? _ ("Move goal of %s")
                                     : _ ("Move %s"),
                           item->name);
  ssapp_item_free (item);
  self->is_moving = !turns;
  self->is_turning = turns;
  ssui_canvas_forget_snap (self);
  ssapp_document_begin_gesture (self->document, label);
}

gboolean
ssui_canvas_hold (SsuiCanvas *self)
{
  if (ssui_canvas_has_selection (self))
    ssui_canvas_begin_hold (self, FALSE);
  return self->is_moving;
}

void
ssui_canvas_drop (SsuiCanvas *self)
{
  end_pulling (self);
  ssui_canvas_pull_end (self, TRUE);
  ssui_canvas_group_release (self);
  if (self->is_drawing)
    finish_drawing (self);
  if (self->is_moving || self->is_turning) {
    self->is_moving = self->is_turning = FALSE;
    ssapp_document_end_gesture (self->document);
  }
  self->is_panning = FALSE;
  ssui_canvas_forget_snap (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ssui_canvas_cancel (SsuiCanvas *self)
{
  end_pulling (self);
  ssui_canvas_pull_end (self, FALSE);
  ssui_canvas_group_cancel (self);
  if (self->is_panning)
    self->camera = self->camera_from;
  if (self->is_moving || self->is_turning)
    ssapp_document_cancel_gesture (self->document);
  self->is_panning = self->is_moving = self->is_turning = self->is_drawing = FALSE;
  ssui_canvas_forget_snap (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

gboolean
ssui_canvas_nudge (SsuiCanvas *self, guint key, GdkModifierType state)
{
  double step = ssui_canvas_grid_step (self) * (state & GDK_SHIFT_MASK ? 10 : state & GDK_ALT_MASK ? 0.1 : 1);
  double dx = key == GDK_KEY_Left ? -step : key == GDK_KEY_Right ? step : 0;
  double dy = key == GDK_KEY_Down ? -step : key == GDK_KEY_Up ? step : 0;
  double pose[3];
  g_autoptr (GError) error = NULL;

  if (ssui_canvas_group_nudge (self, dx, dy))
    return TRUE;
  if (!ssui_canvas_has_selection (self) || self->is_live || !take_hold (self))
    return FALSE;
  ssui_canvas_leave_motion (self);
  memcpy (pose, self->pose_from, sizeof pose);
  pose[0] += dx;
  pose[1] += dy;
  if (!ssapp_document_set_pose (self->document, self->held, pose, &error))
    ssui_canvas_refuse (self, error);
  return TRUE;
}
