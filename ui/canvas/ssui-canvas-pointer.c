/* ui/canvas/ssui-canvas-pointer.c: the canvas under pointer and keys: drawing, selecting, moving and turning bodies and
 * goals, pulling live bodies, panning, zooming. */
#include "ui/canvas/ssui-canvas-private.h"
#include "app/base/ssapp-text.h"
#include "ui/canvas/ssui-canvas-drag.h"
#include "ui/canvas/ssui-canvas-snap.h"
#include "ui/canvas/ssui-canvas-typing.h"

#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <math.h>

#define SCROLL_PAN_PX 48.0 /* px a wheel notch moves the sheet                                      */

/* ---- drag -------------------------------------------------------------------------------------------------------- */

/* The handle of the selection frame that turns is under the pointer. */
static gboolean
is_on_turn_handle (SsuiCanvas *self, double x, double y)
{
  const SsMark *mark = ssapp_document_get_selected_mark (self->document);
  const char *item = ssapp_document_get_selected_item (self->document);
  SsappStyle style;

  if (mark == NULL || self->is_live || ssapp_document_count_selected (self->document) > 1 ||
      (item != NULL && !g_str_has_prefix (item, "task.targets")))
    return FALSE;
  ssui_style_init (&style, GTK_WIDGET (self));
  return ssapp_handle_at (&style, &self->camera, mark, x, y, SSUI_CANVAS_HIT_TOLERANCE) == SSAPP_HANDLE_ROTATE;
}

static void
on_drag_begin (GtkGestureDrag *gesture, double x, double y, SsuiCanvas *self)
{
  guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture));
  g_autofree char *item = NULL;
  g_autoptr (GError) error = NULL;
  GdkModifierType state;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  ssui_canvas_end_typing (self);
  ssui_canvas_drop_pen (self);
  self->is_panning = button == GDK_BUTTON_MIDDLE || (button == GDK_BUTTON_PRIMARY && self->space_down);
  self->camera_from = self->camera;
  if (self->is_panning)
    return;
  if (button != GDK_BUTTON_PRIMARY) {
    gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_DENIED);
    return;
  }
  self->drag_from = self->drag_to = ssui_canvas_world_at (self, x, y, TRUE);
  if (self->tool != SSUI_TOOL_SELECT && !ssapp_document_is_scene (self->document)) {
    g_signal_emit (self, ssui_canvas_signals[SSUI_CANVAS_REFUSED], 0,
                   "This scenario is given by equations: its bodies are set through its parameters");
    return;
  }
  if (self->tool != SSUI_TOOL_SELECT) {
    ssui_canvas_leave_motion (self);
    self->drag_from = self->drag_to = ssui_canvas_snap_pen_down (self, x, y);
    self->is_drawing = !ssui_canvas_press_shape (
        self, x, y, gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture)));
    return;
  }
  if (self->is_live) {
    ssui_canvas_begin_pulling (self, x, y);
    return;
  }
  if (ssui_canvas_pull_press (self, x, y, &error)) {
    if (error != NULL)
      ssui_canvas_refuse (self, error);
    return;
  }
  if (is_on_turn_handle (self, x, y)) {
    ssui_canvas_begin_hold (self, TRUE);
    return;
  }
  state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
  self->group = (SsuiGroupDrag){0};
  item = (state & GDK_SHIFT_MASK) != 0 ? NULL : ssui_canvas_hit_contact (self, x, y, SSUI_CANVAS_HIT_TOLERANCE);
  self->presses_contact = item != NULL;
  if (item == NULL && ssui_canvas_group_press (self, x, y, state))
    return;
  if (item == NULL)
    item = ssapp_document_hit_item (self->document, &self->camera, x, y, SSUI_CANVAS_HIT_TOLERANCE);
  if (item != NULL)
    ssapp_document_select_item (self->document, item);
  else
    ssapp_document_select (self->document,
                           ssapp_document_hit (self->document, &self->camera, x, y, SSUI_CANVAS_HIT_TOLERANCE));
}

static void
turn_held (SsuiCanvas *self, double x, double y)
{
  SsVec2 from = ssapp_camera_to_world (&self->camera, x, y),
         to = ssapp_camera_to_world (&self->camera, self->pointer_x, self->pointer_y);
  double angle = self->pose_from[2] + atan2 (to.y - self->pivot.y, to.x - self->pivot.x) -
                 atan2 (from.y - self->pivot.y, from.x - self->pivot.x);
  double pose[3];
  g_autoptr (GError) error = NULL;

  if (self->typed.is_active)
    return;
  angle = self->pose_from[2] + remainder (angle - self->pose_from[2], 2 * G_PI); /* the short way */
  if (self->snap)
    angle = ssapp_snap (angle, SSUI_CANVAS_TURN_STEP);
  ssapp_document_turn_pose (self->document, self->held, self->pose_from, angle, pose);
  if (!ssapp_document_set_pose (self->document, self->held, pose, &error))
    ssui_canvas_refuse (self, error);
}

static gboolean
is_goal_selected (SsuiCanvas *self)
{
  const char *item = ssapp_document_get_selected_item (self->document);

  return item != NULL && g_str_has_prefix (item, "task.targets");
}

static void
on_drag_update (GtkGestureDrag *gesture, double dx, double dy, SsuiCanvas *self)
{
  double x, y;

  gtk_gesture_drag_get_start_point (gesture, &x, &y);
  self->pointer_x = x + dx;
  self->pointer_y = y + dy;
  if (self->is_panning) {
    self->camera.ox = self->camera_from.ox + dx;
    self->camera.oy = self->camera_from.oy + dy;
    self->is_fitted = FALSE;
    gtk_widget_queue_draw (GTK_WIDGET (self));
    return;
  }
  if (ssui_canvas_pull_drag (self, x + dx, y + dy)) {
    ssui_canvas_tell_pointer (self);
    return;
  }
  if (ssui_canvas_group_drag (self, dx, dy)) {
    ssui_canvas_tell_pointer (self);
    return;
  }
  if (self->is_drawing) {
    gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
    ssui_canvas_snap_pen (self, x + dx, y + dy);
    ssui_canvas_tell_pointer (self);
    gtk_widget_queue_draw (GTK_WIDGET (self));
    return;
  }
  if (self->is_live && !self->is_moving && (self->is_pulling || !is_goal_selected (self))) {
    if (self->is_pulling)
      ssui_canvas_emit_pull (self, SSUI_PULL_MOVE, "", x + dx, y + dy);
    ssui_canvas_tell_pointer (self);
    return;
  }
  if (!self->is_moving && !self->is_turning && self->tool == SSUI_TOOL_SELECT &&
      hypot (dx, dy) > SSUI_CANVAS_DRAG_THRESHOLD && ssui_canvas_has_selection (self)) {
    if (self->presses_contact) /* contacts are not dragged: the body below is */
      ssapp_document_select (self->document,
                             ssapp_document_hit (self->document, &self->camera, x, y, SSUI_CANVAS_HIT_TOLERANCE));
    self->presses_contact = FALSE;
    ssui_canvas_begin_hold (self, FALSE);
  }
  if (!self->is_moving && !self->is_turning)
    return;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  if (self->is_moving)
    ssui_canvas_snap_held (self, dx, dy);
  else
    turn_held (self, x, y);
  ssui_canvas_tell_pointer (self);
}

static void
on_drag_end (GtkGestureDrag *gesture, double dx, double dy, SsuiCanvas *self)
{
  (void)gesture;
  (void)dx;
  (void)dy;
  if (!self->typed.is_active) /* else the drag waits for Return */
    ssui_canvas_drop (self);
}

/* Whether no button is down at this moment, whatever events are still waiting; then `point` is where the pointer is on
 * the canvas. */
static gboolean
is_released (SsuiCanvas *self, double point[2])
{
  const GdkModifierType buttons = GDK_BUTTON1_MASK | GDK_BUTTON2_MASK | GDK_BUTTON3_MASK;
  GtkNative *native = gtk_widget_get_native (GTK_WIDGET (self));
  GdkDevice *pointer = gdk_seat_get_pointer (gdk_display_get_default_seat (gtk_widget_get_display (GTK_WIDGET (self))));
  GdkSurface *surface = native != NULL ? gtk_native_get_surface (native) : NULL; /* NULL: its window is closing */
  GdkModifierType state = 0;
  double x, y, shift_x, shift_y;

  if (surface == NULL || pointer == NULL || !gdk_surface_get_device_position (surface, pointer, &x, &y, &state) ||
      (state & buttons) != 0)
    return FALSE;
  gtk_native_get_surface_transform (native, &shift_x, &shift_y);
  return gtk_widget_translate_coordinates (GTK_WIDGET (native), GTK_WIDGET (self), x - shift_x, y - shift_y, &point[0],
                                           &point[1]);
}

/* GTK gives a gesture up when a motion that it makes up itself sees the button released before the program has come to
 * the release: a quick click on a busy machine. What was done is then ended, not taken back. */
static void
on_drag_cancel (GtkGesture *gesture, GdkEventSequence *sequence, SsuiCanvas *self)
{
  double point[2];

  (void)sequence;
  if (!is_released (self, point)) {
    ssui_canvas_cancel (self);
    return;
  }
  if (self->is_drawing)
    ssui_canvas_snap_pen (self, point[0], point[1]);
  on_drag_end (GTK_GESTURE_DRAG (gesture), 0, 0, self);
}

static void
show_cursor (SsuiCanvas *self, double x, double y)
{
  const char *cursor = self->tool == SSUI_TOOL_SELECT ? ssui_canvas_handle_cursor (self, x, y) : "crosshair";

  if (cursor == NULL && (ssui_canvas_is_on_rotation (self, x, y) || ssui_canvas_is_on_live_goal (self, x, y) ||
                         ssui_canvas_is_on_arrow (self, x, y)))
    cursor = "grab";
  if (g_strcmp0 (cursor, self->cursor) == 0)
    return;
  self->cursor = cursor;
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), cursor);
}

static void
on_motion (GtkEventControllerMotion *controller, double x, double y, SsuiCanvas *self)
{
  (void)controller;
  ssui_canvas_note_pointer (self, x, y);
  if (self->has_pen)
    return;
  self->pointer_x = x;
  self->pointer_y = y;
  ssui_canvas_point_trace (self, TRUE);
  ssui_canvas_move_shape (self, x, y);
  if (!self->is_drawing && !self->is_moving && !self->is_turning)
    ssui_canvas_tell_pointer (self);
  if (self->group.phase == SSUI_GROUP_NONE && !self->is_moving && !self->is_turning && !self->is_panning)
    show_cursor (self, x, y);
}

static void
on_leave (GtkEventControllerMotion *controller, SsuiCanvas *self)
{
  (void)controller;
  if (self->has_pen)
    return;
  ssui_canvas_point_trace (self, FALSE);
  g_signal_emit (self, ssui_canvas_signals[SSUI_CANVAS_POINTER_MOVED], 0, "");
}

static gboolean
on_scroll (GtkEventControllerScroll *controller, double dx, double dy, SsuiCanvas *self)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));
  gboolean is_wheel = gtk_event_controller_scroll_get_unit (controller) == GDK_SCROLL_UNIT_WHEEL;
  double unit = is_wheel ? SCROLL_PAN_PX : 1;

  if (state & GDK_CONTROL_MASK) {
    ssui_canvas_set_scale_at (self, self->camera.scale * pow (SSUI_CANVAS_ZOOM_STEP, -dy * (is_wheel ? 1 : 0.05)),
                              self->pointer_x, self->pointer_y);
    return TRUE;
  }
  if (state & GDK_SHIFT_MASK && dx == 0) {
    dx = dy;
    dy = 0;
  }
  self->camera.ox -= dx * unit;
  self->camera.oy -= dy * unit;
  self->is_fitted = FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  return TRUE;
}

static void
on_zoom_begin (GtkGesture *gesture, GdkEventSequence *sequence, SsuiCanvas *self)
{
  (void)gesture;
  (void)sequence;
  self->zoom_from = self->camera.scale;
}

static void
on_zoom_changed (GtkGestureZoom *gesture, double factor, SsuiCanvas *self)
{
  double x, y;
  if (gtk_gesture_get_bounding_box_center (GTK_GESTURE (gesture), &x, &y))
    ssui_canvas_set_scale_at (self, self->zoom_from * factor, x, y);
}

/* ---- keys -------------------------------------------------------------------------------------------------------- */

const SsuiKey ssui_canvas_keys[] = {
    {SSUI_KEYS_TOOLS, N_ ("Select tool"), "v", "win.tool::select"},
    {SSUI_KEYS_TOOLS, N_ ("Box tool"), "b", "win.tool::box"},
    {SSUI_KEYS_TOOLS, N_ ("Disc tool"), "d", "win.tool::disc"},
    {SSUI_KEYS_TOOLS, N_ ("Capsule, polygon, segment tool"), "k", "win.tool::capsule"},
    {SSUI_KEYS_TOOLS, NULL, "p", "win.tool::polygon"},
    {SSUI_KEYS_TOOLS, NULL, "e", "win.tool::segment"},
    {SSUI_KEYS_TOOLS, N_ ("Ground tool"), "f", "win.tool::ground"},
    {SSUI_KEYS_TOOLS, N_ ("Pin tool"), "i", "win.tool::pin"},
    {SSUI_KEYS_TOOLS, N_ ("Slider tool"), "l", "win.tool::slider"},
    {SSUI_KEYS_TOOLS, N_ ("Rod tool"), "r", "win.tool::rod"},
    {SSUI_KEYS_TOOLS, N_ ("Spring tool"), "s", "win.tool::spring"},
    {SSUI_KEYS_TOOLS, N_ ("Weld, torsion spring tool"), "w", "win.tool::weld"},
    {SSUI_KEYS_TOOLS, NULL, "t", "win.tool::torsion"},
    {SSUI_KEYS_TOOLS, N_ ("Gear or belt, rope tool"), "z", "win.tool::gear"},
    {SSUI_KEYS_TOOLS, NULL, "j", "win.tool::rope"},
    {SSUI_KEYS_TOOLS, N_ ("Motor: of the selected joint, or tool"), "m", "win.motor-tool"},
    {SSUI_KEYS_TOOLS, N_ ("Knife: cut bodies in pieces"), "x", "win.tool::knife"},
    {SSUI_KEYS_TOOLS, N_ ("Trace a region of the picture under the sheet"), "<Shift>p", "win.tool::trace"},
    {SSUI_KEYS_TOOLS, N_ ("Measure, note tool"), "y", "win.tool::measure"},
    {SSUI_KEYS_TOOLS, NULL, "a", "win.tool::note"},
    {SSUI_KEYS_TOOLS, N_ ("Give the selected body a goal"), "g", "win.add-goal"},
    {SSUI_KEYS_TOOLS, N_ ("Drive the selected body by forces, the selected joint by a motor"), "u",
     "win.add-actuator::xy"},
    {SSUI_KEYS_TOOLS, N_ ("Pull bodies of the motion"), "q", "win.pull"},
    {SSUI_KEYS_PLACEMENT, N_ ("Type numbers that move the selection"), "n", "win.move-exactly"},
    {SSUI_KEYS_PLACEMENT, N_ ("Rest it on what is below"), "Page_Down", "win.rest-on::"},
    {SSUI_KEYS_PLACEMENT, N_ ("Set it flush with what is near"), "h", "win.flush-with::"},
    {SSUI_KEYS_PLACEMENT, N_ ("Separate bodies that overlap"), "o", "win.separate"},
    {SSUI_KEYS_PLACEMENT, N_ ("Next number, while one is typed"), "Tab", NULL},
    {SSUI_KEYS_SKETCH, N_ ("Next body, previous body"), "Tab <Shift>Tab", NULL},
    {SSUI_KEYS_SKETCH, N_ ("Next contact, previous contact"), "c", "win.next-contact(1)"},
    {SSUI_KEYS_SKETCH, NULL, "<Shift>c", "win.next-contact(-1)"},
    {SSUI_KEYS_SKETCH, N_ ("Nudge by a grid cell (Shift ten, Alt a tenth), with a tool: move its pen"),
     "Left Up Right Down", NULL},
    {SSUI_KEYS_SKETCH, N_ ("Edit as numbers"), "Return", "win.edit-selected"},
    {SSUI_KEYS_SKETCH, N_ ("Delete"), "Delete", "win.delete"},
    {.title = "", .keys = "BackSpace", .action = "win.delete"},
    {.title = "", .keys = "comma", .action = "win.step(-1)"},
    {.title = "", .keys = "period", .action = "win.step(1)"},
    {.title = "", .keys = "bracketleft", .action = "win.step-event(-1)"},
    {.title = "", .keys = "bracketright", .action = "win.step-event(1)"},
    {0}};

static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, SsuiCanvas *self)
{
  (void)controller;
  (void)code;
  if (ssui_canvas_type (self, key, state))
    return TRUE;
  if (state & GDK_CONTROL_MASK)
    return FALSE;
  if (ssui_canvas_pen_key (self, key, state) || ssui_canvas_key_shape (self, key))
    return TRUE;
  switch (key) {
  case GDK_KEY_Left:
  case GDK_KEY_Right:
  case GDK_KEY_Up:
  case GDK_KEY_Down:
    return ssui_canvas_nudge (self, key, state);
  case GDK_KEY_Escape:
    if (self->pulling != NULL && !self->is_pulled && ssapp_pulling_is_on (self->pulling)) /* in a plot */
      ssapp_pulling_cancel (self->pulling);
    else if (self->is_moving || self->is_turning || self->is_drawing || self->is_panning || self->is_pulling ||
             self->is_pulled || self->group.phase != SSUI_GROUP_NONE) {
      ssui_canvas_cancel (self);
      gtk_gesture_set_state (self->drag, GTK_EVENT_SEQUENCE_DENIED);
    } else if (self->tool != SSUI_TOOL_SELECT) {
      gtk_widget_activate_action (GTK_WIDGET (self), "win.tool", "s", "select");
    } else {
      ssapp_document_select (self->document, NULL);
    }
    return TRUE;
  case GDK_KEY_Tab:
  case GDK_KEY_KP_Tab:
  case GDK_KEY_ISO_Left_Tab: {
    /* Past the last body the focus goes on, so that nobody is caught in the canvas. */
    int direction = key == GDK_KEY_ISO_Left_Tab || (state & GDK_SHIFT_MASK) ? -1 : 1;
    const SsScene *scene = ssapp_document_get_scenario (self->document)->scene;
    int index = ssapp_document_get_selected_index (self->document);
    if (scene == NULL || scene->n_bodies == 0 || (index >= 0 && index == (direction > 0 ? scene->n_bodies - 1 : 0))) {
      ssapp_document_select (self->document, NULL);
      return FALSE;
    }
    ssapp_document_select_next (self->document, direction);
    return TRUE;
  }
  case GDK_KEY_space:
    if (!self->space_down) {
      self->space_down = TRUE;
      gtk_widget_activate_action (GTK_WIDGET (self), "win.play", NULL);
    }
    return TRUE;
  case GDK_KEY_plus:
  case GDK_KEY_KP_Add:
    ssui_canvas_zoom (self, SSUI_CANVAS_ZOOM_STEP);
    return TRUE;
  case GDK_KEY_minus:
  case GDK_KEY_KP_Subtract:
    ssui_canvas_zoom (self, 1 / SSUI_CANVAS_ZOOM_STEP);
    return TRUE;
  case GDK_KEY_0:
    ssui_canvas_fit (self);
    return TRUE;
  case GDK_KEY_KP_Enter:
    return ssui_keys_act (GTK_WIDGET (self), ssui_canvas_keys, GDK_KEY_Return, state);
  case GDK_KEY_KP_Page_Down:
    return ssui_keys_act (GTK_WIDGET (self), ssui_canvas_keys, GDK_KEY_Page_Down, state);
  default:
    return ssui_keys_act (GTK_WIDGET (self), ssui_canvas_keys, key, state);
  }
}

gboolean
ssui_canvas_letter (SsuiCanvas *self, guint key, GdkModifierType state)
{
  const guint32 letter = gdk_keyval_to_unicode (key);

  if (letter >= 0x80 || !g_ascii_isalpha ((char)letter) ||
      (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK)) != 0)
    return FALSE;
  return on_key (NULL, key, 0, state, self);
}

static void
on_key_released (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, SsuiCanvas *self)
{
  (void)controller;
  (void)code;
  (void)state;
  if (key == GDK_KEY_space)
    self->space_down = FALSE;
}

static void
on_focus_leave (GtkEventControllerFocus *controller, SsuiCanvas *self)
{
  (void)controller;
  self->space_down = FALSE;
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

void
ssui_canvas_add_controllers (SsuiCanvas *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *motion, *scroll, *key, *focus;
  GtkGesture *zoom;

  self->drag = gtk_gesture_drag_new ();
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (self->drag), 0);
  g_signal_connect (self->drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (self->drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect (self->drag, "drag-end", G_CALLBACK (on_drag_end), self);
  g_signal_connect (self->drag, "cancel", G_CALLBACK (on_drag_cancel), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (self->drag));

  zoom = gtk_gesture_zoom_new ();
  g_signal_connect (zoom, "begin", G_CALLBACK (on_zoom_begin), self);
  g_signal_connect (zoom, "scale-changed", G_CALLBACK (on_zoom_changed), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (zoom));

  motion = gtk_event_controller_motion_new ();
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "leave", G_CALLBACK (on_leave), self);
  gtk_widget_add_controller (widget, motion);

  scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  g_signal_connect (scroll, "scroll", G_CALLBACK (on_scroll), self);
  gtk_widget_add_controller (widget, scroll);

  key = gtk_event_controller_key_new ();
  g_signal_connect (key, "key-pressed", G_CALLBACK (on_key), self);
  g_signal_connect (key, "key-released", G_CALLBACK (on_key_released), self);
  gtk_widget_add_controller (widget, key);

  focus = gtk_event_controller_focus_new ();
  g_signal_connect (focus, "leave", G_CALLBACK (on_focus_leave), self);
  gtk_widget_add_controller (widget, focus);
}
