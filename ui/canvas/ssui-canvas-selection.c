/* ui/canvas/ssui-canvas-selection.c: several objects on the canvas: Shift+click, the rubber band on empty ground,
 * moving and turning them together. What lies where, and what an edit does, is the document's. Looked at in
 * tests/ui/test_edit.py. */
#include "ui/canvas/ssui-canvas-private.h"

#include "app/draw/ssapp-draw-group.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <math.h>

char *
ssui_canvas_key_at (SsuiCanvas *self, double x, double y)
{
  char *item = ssapp_document_hit_item (self->document, &self->camera, x, y, SSUI_CANVAS_HIT_TOLERANCE);

  return item != NULL ? item
                      : g_strdup (ssapp_document_hit (self->document, &self->camera, x, y, SSUI_CANVAS_HIT_TOLERANCE));
}

/* The frame that turns them all stands there. */
static gboolean
has_group_frame (SsuiCanvas *self, double bounds[4])
{
  return ssapp_document_count_selected (self->document) > 1 &&
         ssapp_document_get_selection_bounds (self->document, bounds);
}

static gboolean
is_joint (const char *key)
{
  return g_str_has_prefix (key, "scene.joints[") || g_str_has_prefix (key, "scene.springs[") ||
         g_str_has_prefix (key, "scene.notes[");
}

gboolean
ssui_canvas_is_on_rotation (SsuiCanvas *self, double x, double y)
{
  const SsMark *mark = ssapp_document_get_selected_mark (self->document);
  double bounds[4];
  SsappStyle style;

  if (self->is_live || mark == NULL)
    return FALSE;
  ssui_style_init (&style, GTK_WIDGET (self));
  return has_group_frame (self, bounds)
             ? ssapp_is_on_group_handle (&style, &self->camera, bounds, x, y, SSUI_CANVAS_HIT_TOLERANCE)
             : ssapp_document_count_selected (self->document) == 1 &&
                   ssapp_handle_at (&style, &self->camera, mark, x, y, SSUI_CANVAS_HIT_TOLERANCE) ==
                       SSAPP_HANDLE_ROTATE;
}

/* ---- drag -------------------------------------------------------------------------------------------------------- */

static void
press_group_handle (SsuiCanvas *self, const double bounds[4])
{
  self->group.phase = SSUI_GROUP_TURNS;
  self->group.pivot = (SsVec2){(bounds[0] + bounds[2]) / 2, (bounds[1] + bounds[3]) / 2};
}

gboolean
ssui_canvas_group_press (SsuiCanvas *self, double x, double y, GdkModifierType state)
{
  g_autofree char *key = NULL;
  double bounds[4];
  SsappStyle style;

  self->group = (SsuiGroupDrag){.from_x = x, .from_y = y, .adds = (state & GDK_SHIFT_MASK) != 0};
  ssui_style_init (&style, GTK_WIDGET (self));
  if (has_group_frame (self, bounds) &&
      ssapp_is_on_group_handle (&style, &self->camera, bounds, x, y, SSUI_CANVAS_HIT_TOLERANCE)) {
    press_group_handle (self, bounds);
    return TRUE;
  }
  if (ssui_canvas_handle_press (self, x, y) || ssui_canvas_arrow_press (self, x, y))
    return TRUE;
  key = ssui_canvas_key_at (self, x, y);
  if (key == NULL) {
    self->group.phase = SSUI_GROUP_BAND;
    if (!self->group.adds)
      ssapp_document_select (self->document, NULL);
    return TRUE;
  }
  if (self->group.adds) {
    ssapp_document_toggle_selected (self->document, key);
    return TRUE;
  }
  if (ssapp_document_count_selected (self->document) > 1 && ssapp_document_is_selected (self->document, key)) {
    self->group.phase = SSUI_GROUP_PRESSED;
    self->group.key = g_steal_pointer (&key);
    return TRUE;
  }
  if (!is_joint (key))
    return FALSE;
  ssapp_document_select_item (self->document, key);
  self->group.phase = SSUI_GROUP_PRESSED;
  return TRUE;
}

static void
begin_edit (SsuiCanvas *self, const char *verb)
{
  g_autofree char *what = ssapp_document_describe_selection (self->document);

  if (self->group.label == NULL)
    self->group.label = g_strdup_printf ("%s %s", verb, what);
  ssui_canvas_leave_motion (self);
  ssapp_document_begin_gesture (self->document, self->group.label);
  self->group.is_editing = TRUE;
}

/* What the drag has come to since the last step; a step that the reader refuses is left out. */
static void
move_group (SsuiCanvas *self, double dx, double dy)
{
  double step = self->snap ? ssui_canvas_grid_step (self) : 0, x = ssapp_snap (dx / self->camera.scale, step),
         y = ssapp_snap (-dy / self->camera.scale, step);
  g_autoptr (GError) error = NULL;

  if (x == self->group.done[0] && y == self->group.done[1])
    return;
  if (!ssapp_document_move_selection (self->document, x - self->group.done[0], y - self->group.done[1], &error)) {
    g_signal_emit (self, ssui_canvas_signals[SSUI_CANVAS_REFUSED], 0, error->message);
    return;
  }
  self->group.done[0] = x;
  self->group.done[1] = y;
}

static void
turn_group (SsuiCanvas *self, double dx, double dy)
{
  SsVec2 pivot = self->group.pivot,
         from = ssapp_camera_to_world (&self->camera, self->group.from_x, self->group.from_y),
         to = ssapp_camera_to_world (&self->camera, self->group.from_x + dx, self->group.from_y + dy);
  double angle = atan2 (to.y - pivot.y, to.x - pivot.x) - atan2 (from.y - pivot.y, from.x - pivot.x);
  g_autoptr (GError) error = NULL;

  angle = remainder (angle, 2 * G_PI); /* the short way */
  if (self->snap)
    angle = ssapp_snap (angle, SSUI_CANVAS_TURN_STEP);
  if (angle == self->group.done[0])
    return;
  if (!ssapp_document_turn_selection (self->document, angle - self->group.done[0], &pivot, &error)) {
    g_signal_emit (self, ssui_canvas_signals[SSUI_CANVAS_REFUSED], 0, error->message);
    return;
  }
  self->group.done[0] = angle;
}

gboolean
ssui_canvas_group_drag (SsuiCanvas *self, double dx, double dy)
{
  SsuiGroupDrag *group = &self->group;

  if (group->phase == SSUI_GROUP_NONE)
    return FALSE;
  group->dx = dx;
  group->dy = dy;
  if (!group->is_dragging && hypot (dx, dy) <= SSUI_CANVAS_DRAG_THRESHOLD)
    return TRUE;
  group->is_dragging = TRUE;
  gtk_gesture_set_state (self->drag, GTK_EVENT_SEQUENCE_CLAIMED);
  if (group->phase != SSUI_GROUP_BAND && !group->is_editing)
    begin_edit (self, group->phase == SSUI_GROUP_TURNS     ? _ ("Turn")
                      : group->phase == SSUI_GROUP_RESIZES ? _ ("Resize")
                                                           : _ ("Move"));
  if (group->phase == SSUI_GROUP_ARROW)
    ssui_canvas_arrow_drag (self, dx, dy);
  else if (group->phase == SSUI_GROUP_RESIZES)
    ssui_canvas_handle_drag (self, dx, dy);
  else if (group->phase == SSUI_GROUP_TURNS)
    turn_group (self, dx, dy);
  else if (group->phase == SSUI_GROUP_PRESSED)
    move_group (self, dx, dy);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  return TRUE;
}

/* Corners of the band in the world. */
static void
get_band (SsuiCanvas *self, SsVec2 *from, SsVec2 *to)
{
  *from = ssapp_camera_to_world (&self->camera, self->group.from_x, self->group.from_y);
  *to = ssapp_camera_to_world (&self->camera, self->group.from_x + self->group.dx, self->group.from_y + self->group.dy);
}

static void
end (SsuiCanvas *self)
{
  g_clear_pointer (&self->group.key, g_free);
  g_clear_pointer (&self->group.label, g_free);
  g_clear_pointer (&self->group.vector, ssapp_vector_free);
  self->group = (SsuiGroupDrag){0};
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ssui_canvas_group_release (SsuiCanvas *self)
{
  SsuiGroupDrag *group = &self->group;

  if (group->phase == SSUI_GROUP_BAND && group->is_dragging) {
    SsVec2 a, b;
    get_band (self, &a, &b);
    const double box[4] = {MIN (a.x, b.x), MIN (a.y, b.y), MAX (a.x, b.x), MAX (a.y, b.y)};
    ssapp_document_select_within (self->document, box, group->adds);
  }
  if (group->is_editing)
    ssapp_document_end_gesture (self->document);
  else if (group->phase == SSUI_GROUP_PRESSED && group->key != NULL) { /* a click on one of several: that one alone */
    const char *const only[] = {group->key, NULL};
    ssapp_document_set_selection (self->document, only);
  }
  end (self);
}

gboolean
ssui_canvas_group_cancel (SsuiCanvas *self)
{
  gboolean was_busy = self->group.phase != SSUI_GROUP_NONE;

  if (self->group.is_editing)
    ssapp_document_cancel_gesture (self->document);
  end (self);
  return was_busy;
}

gboolean
ssui_canvas_group_nudge (SsuiCanvas *self, double dx, double dy)
{
  const char *item = ssapp_document_get_selected_item (self->document);
  g_autoptr (GError) error = NULL;

  if (self->is_live || (ssapp_document_count_selected (self->document) < 2 && (item == NULL || !is_joint (item))))
    return FALSE;
  ssui_canvas_leave_motion (self);
  if (!ssapp_document_move_selection (self->document, dx, dy, &error))
    g_signal_emit (self, ssui_canvas_signals[SSUI_CANVAS_REFUSED], 0, error->message);
  return TRUE;
}

/* ---- drawing ----------------------------------------------------------------------------------------------------- */

void
ssui_canvas_group_draw (SsuiCanvas *self, cairo_t *cr, const SsappStyle *style, gboolean shows_sketch)
{
  double bounds[4];
  SsVec2 from, to;
  int n;
  g_auto (GStrv) keys = g_strdupv ((char **)ssapp_document_get_selection (self->document, &n));

  for (int k = 0; shows_sketch && n > 1 && k < n; k++) {
    g_autoptr (GPtrArray) marks = ssapp_document_list_marks (self->document, keys[k]);
    if (marks->len > 0)
      ssapp_draw_selected_mark (cr, style, &self->camera, g_ptr_array_index (marks, 0));
  }
  if (shows_sketch && has_group_frame (self, bounds))
    ssapp_draw_group_frame (cr, style, &self->camera, bounds);
  if (self->group.phase == SSUI_GROUP_BAND && self->group.is_dragging) {
    get_band (self, &from, &to);
    ssapp_draw_band (cr, style, &self->camera, from, to);
  }
}
