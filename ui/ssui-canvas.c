/* ui/ssui-canvas.c: see the header. Layers: backdrop, bodies (at t = 0 or at the clock's time), the shape being drawn. */
#include "ui/ssui-canvas.h"

#include "ui/ssui-util.h"

#include <math.h>
#include <string.h>

#define MIN_SCALE       1e-3 /* px per metre: a kilometre across a pixel is no sketch any more        */
#define MAX_SCALE       1e6  /* a micrometre a pixel                                                  */
#define ZOOM_STEP       1.25 /* one key press or wheel notch                                          */
#define HIT_TOLERANCE   6.0  /* px around a thin shape that still counts as a hit                     */
#define DRAG_THRESHOLD  3.0  /* px: less is a click                                                   */
#define RULER           22.0 /* px of the rulers left and above (mock-up)                             */
#define FIT_MARGIN      24.0 /* px kept free around the bodies                                        */
#define FIT_LEFT        84.0 /* px more at the edges: rulers, palette, options, buttons lie there      */
#define FIT_TOP         64.0
#define FIT_BOTTOM      64.0
#define LIVE_LABELS_MAX 20   /* bodies: the names of more hide the scene and take most of a frame's time */
#define SCROLL_PAN_PX   48.0 /* px a wheel notch moves the sheet                                      */

typedef enum { TOOL_SELECT, TOOL_BOX, TOOL_DISC, TOOL_GROUND } Tool;
static const char *const tool_names[] = {"select", "box", "disc", "ground"};

struct _SsuiCanvas {
  GtkWidget parent_instance;
  SsappDocument *document;
  SsuiClock *clock;
  SsappRun *run;
  SsappCamera camera;
  gboolean is_fitted; /* keep the whole sketch in view until the user zooms or pans  */
  Tool tool;
  gboolean snap, grid;
  /* drag */
  GtkGesture *drag;
  gboolean is_panning, is_moving, is_drawing;
  gboolean space_down;
  SsVec2 drag_from, drag_to; /* world, snapped */
  SsVec2 body_from;
  SsappCamera camera_from;
  double pointer_x, pointer_y;
  double zoom_from;
  double *row; /* sampled trajectory row */
  SsMark *marks;
  int row_size, marks_size;
  /* live */
  gboolean is_live, is_pulling, has_spring;
  const SsMark *live_marks; /* borrowed */
  int n_live_marks;
  SsVec2 spring_from, spring_to;
};

G_DEFINE_FINAL_TYPE (SsuiCanvas, ssui_canvas, GTK_TYPE_WIDGET)

enum { POINTER_MOVED, REFUSED, ZOOM_CHANGED, TOOL_FINISHED, PULL, N_SIGNALS };
static guint signals[N_SIGNALS];

/* ---- camera --------------------------------------------------------------------------------------------------------------------- */

static void
fit_now (SsuiCanvas *self)
{
  double bounds[4], motion_bounds[4];
  int w = gtk_widget_get_width (GTK_WIDGET (self)), h = gtk_widget_get_height (GTK_WIDGET (self));
  double left = MIN (FIT_LEFT, w / 5.0), top = MIN (FIT_TOP, h / 5.0), bottom = MIN (FIT_BOTTOM, h / 5.0);
  double margin = MIN (FIT_MARGIN, MIN (w, h) / 8.0);

  if (w <= RULER || h <= RULER || self->document == NULL)
    return;
  ssapp_document_get_bounds (self->document, bounds);
  if (self->run != NULL && ssapp_run_has_motion (self->run) && ssapp_run_get_view (self->run) != NULL) {
    ss_view_bounds (ssapp_run_get_view (self->run), ssapp_run_get_trajectory (self->run), motion_bounds);
    if (isfinite (motion_bounds[0] + motion_bounds[1] + motion_bounds[2] + motion_bounds[3])) {
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
  g_signal_emit (self, signals[ZOOM_CHANGED], 0);
}

static void
set_scale_at (SsuiCanvas *self, double scale, double x, double y)
{
  SsVec2 fixed = ssapp_camera_to_world (&self->camera, x, y);

  scale = CLAMP (scale, MIN_SCALE, MAX_SCALE);
  self->camera.scale = scale;
  self->camera.ox = x - fixed.x * scale;
  self->camera.oy = y + fixed.y * scale;
  self->is_fitted = FALSE;
  g_signal_emit (self, signals[ZOOM_CHANGED], 0);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ssui_canvas_fit (SsuiCanvas *self)
{
  self->is_fitted = TRUE;
  fit_now (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ssui_canvas_zoom (SsuiCanvas *self, double factor)
{
  set_scale_at (self, self->camera.scale * factor, self->camera.width / 2, self->camera.height / 2);
}

double
ssui_canvas_get_pixels_per_metre (SsuiCanvas *self)
{
  return self->camera.scale;
}

static double
grid_step (SsuiCanvas *self)
{
  SsappStyle style;
  double minor, major;

  ssui_style_init (&style, GTK_WIDGET (self));
  ssapp_grid_steps (&self->camera, &style, &minor, &major);
  return minor;
}

static SsVec2
world_at (SsuiCanvas *self, double x, double y, gboolean snap)
{
  SsVec2 p = ssapp_camera_to_world (&self->camera, x, y);
  if (snap && self->snap) {
    double step = grid_step (self);
    p.x = ssapp_snap (p.x, step);
    p.y = ssapp_snap (p.y, step);
  }
  return p;
}

SsVec2
ssui_canvas_get_centre (SsuiCanvas *self)
{
  return world_at (self, self->camera.width / 2, self->camera.height / 2, TRUE);
}

/* ---- drawing -------------------------------------------------------------------------------------------------------------------- */

/* The frame of the motion at the clock's time; NULL when the sketch itself is to be shown. */
static const SsMark *
motion_marks (SsuiCanvas *self, int *n_marks)
{
  const SsTrajectory *trajectory;
  SsView *view;

  if (self->run == NULL || self->clock == NULL || ssui_clock_get_time (self->clock) <= 0 ||
      !ssapp_run_has_motion (self->run))
    return NULL;
  view = ssapp_run_get_view (self->run);
  trajectory = ssapp_run_get_trajectory (self->run);
  if (view == NULL || trajectory == NULL)
    return NULL;
  if (self->row_size < trajectory->n_channels) {
    self->row = g_renew (double, self->row, trajectory->n_channels);
    self->row_size = trajectory->n_channels;
  }
  *n_marks = ss_view_n_marks (view);
  if (self->marks_size < *n_marks) {
    self->marks = g_renew (SsMark, self->marks, *n_marks);
    self->marks_size = *n_marks;
  }
  ss_trajectory_sample (trajectory, ssui_clock_get_time (self->clock), self->row);
  ss_view_frame (view, self->row, self->marks);
  return self->marks;
}

/* The shape under the pen. */
static void
draw_pen (SsuiCanvas *self, cairo_t *cr, const SsappStyle *style)
{
  SsVec2 a = self->drag_from, b = self->drag_to, vertices[4];
  SsappSceneFlags flags = {0};
  SsMark mark = {.name = "", .color = "blue", .visible = TRUE, .role = SS_ROLE_BODY};

  if (self->tool == TOOL_BOX) {
    double w = fabs (b.x - a.x) / 2, h = fabs (b.y - a.y) / 2;
    vertices[0] = (SsVec2){-w, -h};
    vertices[1] = (SsVec2){w, -h};
    vertices[2] = (SsVec2){w, h};
    vertices[3] = (SsVec2){-w, h};
    mark.kind = SS_MARK_POLYGON;
    mark.n_vertices = 4;
    mark.vertices = vertices;
    mark.position = (SsVec2){(a.x + b.x) / 2, (a.y + b.y) / 2};
  } else if (self->tool == TOOL_DISC) {
    mark.kind = SS_MARK_CIRCLE;
    mark.color = "yellow";
    mark.position = a;
    mark.radius = hypot (b.x - a.x, b.y - a.y);
  } else {
    double tx = b.x - a.x, ty = b.y - a.y;
    mark.kind = SS_MARK_HALF_PLANE;
    mark.role = SS_ROLE_FIXED;
    mark.color = "";
    mark.position = a;
    mark.angle = hypot (tx, ty) > 0 ? atan2 (tx < 0 ? -ty : ty, fabs (tx)) : 0;
  }
  ssapp_draw_marks (cr, style, &self->camera, &mark, 1, &flags);
}

/* From the body to the pointer, with a ring where it holds. */
static void
draw_spring (SsuiCanvas *self, cairo_t *cr, const SsappStyle *style)
{
  SsappColor color = ssapp_style_time_color (style, 0.5);
  const double width = 2, ring = 4; /* px */
  double x0, y0, x1, y1;

  ssapp_camera_to_device (&self->camera, self->spring_from, &x0, &y0);
  ssapp_camera_to_device (&self->camera, self->spring_to, &x1, &y1);
  cairo_set_source_rgba (cr, color.r, color.g, color.b, color.a);
  cairo_set_line_width (cr, width);
  cairo_move_to (cr, x0, y0);
  cairo_line_to (cr, x1, y1);
  cairo_stroke (cr);
  cairo_arc (cr, x0, y0, ring, 0, 2 * G_PI);
  cairo_fill (cr);
}

static void
ssui_canvas_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  SsuiCanvas *self = SSUI_CANVAS (widget);
  int w = gtk_widget_get_width (widget), h = gtk_widget_get_height (widget), n_marks = 0;
  SsappStyle style;
  const SsMark *marks;
  SsappSceneFlags flags = {.grid = self->grid, .rulers = TRUE, .scale_bar = TRUE, .labels = TRUE};
  cairo_t *cr;

  if (w <= 0 || h <= 0 || self->document == NULL)
    return;
  ssui_style_init (&style, widget);
  cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, w, h));
  marks = self->is_live ? self->live_marks : motion_marks (self, &n_marks);
  if (self->is_live) {
    n_marks = self->n_live_marks;
    flags.labels = ssapp_document_get_scenario (self->document)->scene->n_bodies <= LIVE_LABELS_MAX;
  }
  if (marks == NULL) {
    marks = ssapp_document_get_marks (self->document, &n_marks);
    flags.selected = ssapp_document_get_selected (self->document);
  }
  ssapp_draw_backdrop (cr, &style, &self->camera, &flags);
  cairo_save (cr);
  cairo_rectangle (cr, RULER, RULER, w - RULER, h - RULER);
  cairo_clip (cr);
  if (marks != NULL)
    ssapp_draw_marks (cr, &style, &self->camera, marks, n_marks, &flags);
  if (self->has_spring)
    draw_spring (self, cr, &style);
  if (self->is_drawing)
    draw_pen (self, cr, &style);
  cairo_restore (cr);
  cairo_destroy (cr);
}

static void
ssui_canvas_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  SsuiCanvas *self = SSUI_CANVAS (widget);

  (void)baseline;
  if (self->is_fitted || self->camera.width <= 0) {
    fit_now (self);
    return;
  }
  /* The middle stays in the middle. */
  self->camera.ox += (width - self->camera.width) / 2;
  self->camera.oy += (height - self->camera.height) / 2;
  self->camera.width = width;
  self->camera.height = height;
}

static void
ssui_canvas_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                     int *minimum_baseline, int *natural_baseline)
{
  (void)widget;
  (void)for_size;
  (void)minimum_baseline;
  (void)natural_baseline;
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 240 : 200;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 600 : 400;
}

/* ---- accessible text ------------------------------------------------------------------------------------------------------------- */

static void
update_description (SsuiCanvas *self)
{
  g_autofree char *text = ssapp_document_describe (self->document);
  g_autofree char *full = NULL;

  if ((self->run != NULL || self->is_live) && self->clock != NULL && ssui_clock_get_time (self->clock) > 0)
    full = g_strdup_printf ("%s, shown at %.3f s of %.3f s", text, ssui_clock_get_time (self->clock),
                            ssui_clock_get_duration (self->clock));
  ssui_set_description (GTK_WIDGET (self), full != NULL ? full : text);
}

static void
on_document_changed (SsuiCanvas *self)
{
  update_description (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_clock_tick (SsuiCanvas *self)
{
  if (!ssui_clock_is_playing (self->clock))
    update_description (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* ---- edits ----------------------------------------------------------------------------------------------------------------------- */

static void
refuse (SsuiCanvas *self, const GError *error)
{
  g_signal_emit (self, signals[REFUSED], 0, error->message);
}

/* Editing shows the sketch, not a frame of an old motion, and the sheet stays where it is. */
static void
leave_motion (SsuiCanvas *self)
{
  self->is_fitted = FALSE;
  if (self->clock == NULL || self->is_live)
    return;
  ssui_clock_set_playing (self->clock, FALSE);
  ssui_clock_seek (self->clock, 0);
}

static void
emit_pointer (SsuiCanvas *self)
{
  SsVec2 p = world_at (self, self->pointer_x, self->pointer_y, FALSE);
  g_autofree char *text = NULL;
  double w = fabs (self->drag_to.x - self->drag_from.x), h = fabs (self->drag_to.y - self->drag_from.y);

  if (self->is_drawing && self->tool == TOOL_BOX)
    text = g_strdup_printf ("%.3f m × %.3f m", w, h);
  else if (self->is_drawing && self->tool == TOOL_DISC)
    text = g_strdup_printf ("radius %.3f m", hypot (w, h));
  else
    text = g_strdup_printf ("x %.3f m  y %.3f m", p.x, p.y);
  g_signal_emit (self, signals[POINTER_MOVED], 0, text);
}

static void
finish_drawing (SsuiCanvas *self)
{
  g_autoptr (GError) error = NULL;
  SsVec2 a = self->drag_from, b = self->drag_to;
  gboolean done;

  self->is_drawing = FALSE;
  leave_motion (self);
  if (self->tool == TOOL_BOX)
    done = ssapp_document_add_box (self->document, a, b, &error);
  else if (self->tool == TOOL_DISC)
    done = ssapp_document_add_disc (self->document, a, hypot (b.x - a.x, b.y - a.y), &error);
  else
    done = ssapp_document_add_ground (self->document, a, b, &error);
  if (!done)
    refuse (self, error);
  g_signal_emit (self, signals[TOOL_FINISHED], 0);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static const SsBody *
selected_body (SsuiCanvas *self)
{
  int index = ssapp_document_get_selected_index (self->document);
  return index >= 0 ? &ssapp_document_get_scenario (self->document)->scene->bodies[index] : NULL;
}

/* ---- live ------------------------------------------------------------------------------------------------------------------------ */

static void
emit_pull (SsuiCanvas *self, int phase, const char *body, double x, double y)
{
  SsVec2 p = world_at (self, x, y, FALSE);
  g_signal_emit (self, signals[PULL], 0, phase, body, p.x, p.y);
}

/* Centres, forces and contacts lie above their body: down until a body is met. */
static void
begin_pulling (SsuiCanvas *self, double x, double y)
{
  int index = self->n_live_marks;

  while (index > 0) {
    index = ssapp_hit_test (&self->camera, self->live_marks, index, x, y, HIT_TOLERANCE);
    if (index < 0)
      break;
    if (self->live_marks[index].role == SS_ROLE_BODY) {
      self->is_pulling = TRUE;
      ssapp_document_select (self->document, self->live_marks[index].name);
      emit_pull (self, SSUI_PULL_BEGIN, self->live_marks[index].name, x, y);
      return;
    }
  }
  ssapp_document_select (self->document, NULL);
}

static void
end_pulling (SsuiCanvas *self)
{
  if (self->is_pulling)
    emit_pull (self, SSUI_PULL_END, "", self->pointer_x, self->pointer_y);
  self->is_pulling = FALSE;
}

void
ssui_canvas_set_live (SsuiCanvas *self, gboolean is_live)
{
  self->is_live = is_live;
  self->is_pulling = self->has_spring = FALSE;
  self->live_marks = NULL;
  self->n_live_marks = 0;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ssui_canvas_set_live_marks (SsuiCanvas *self, const SsMark *marks, int n_marks)
{
  self->live_marks = marks;
  self->n_live_marks = n_marks;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ssui_canvas_set_spring (SsuiCanvas *self, const SsVec2 *from, const SsVec2 *to)
{
  if (self->has_spring || from != NULL)
    gtk_widget_queue_draw (GTK_WIDGET (self));
  self->has_spring = from != NULL && to != NULL;
  if (self->has_spring) {
    self->spring_from = *from;
    self->spring_to = *to;
  }
}

/* ---- drag ------------------------------------------------------------------------------------------------------------------------ */

static void
on_drag_begin (GtkGestureDrag *gesture, double x, double y, SsuiCanvas *self)
{
  guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture));
  const char *hit;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  self->is_panning = button == GDK_BUTTON_MIDDLE || (button == GDK_BUTTON_PRIMARY && self->space_down);
  self->camera_from = self->camera;
  if (self->is_panning)
    return;
  if (button != GDK_BUTTON_PRIMARY) {
    gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_DENIED);
    return;
  }
  self->drag_from = self->drag_to = world_at (self, x, y, TRUE);
  if (self->tool != TOOL_SELECT && !ssapp_document_is_scene (self->document)) {
    g_signal_emit (self, signals[REFUSED], 0,
                   "This scenario is given by equations: its bodies are set through its parameters");
    return;
  }
  if (self->tool != TOOL_SELECT) {
    leave_motion (self);
    self->is_drawing = TRUE;
    return;
  }
  if (self->is_live) {
    begin_pulling (self, x, y);
    return;
  }
  hit = ssapp_document_hit (self->document, &self->camera, x, y, HIT_TOLERANCE);
  ssapp_document_select (self->document, hit);
}

static void
start_moving (SsuiCanvas *self)
{
  const SsBody *body = selected_body (self);
  g_autofree char *label = NULL;

  if (body == NULL)
    return;
  leave_motion (self);
  label = g_strdup_printf ("Move %s", body->name);
  self->body_from = (SsVec2){body->q[0], body->q[1]};
  self->is_moving = TRUE;
  ssapp_document_begin_gesture (self->document, label);
}

static void
on_drag_update (GtkGestureDrag *gesture, double dx, double dy, SsuiCanvas *self)
{
  double x, y;
  g_autoptr (GError) error = NULL;

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
  if (self->is_drawing) {
    gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
    self->drag_to = world_at (self, x + dx, y + dy, TRUE);
    emit_pointer (self);
    gtk_widget_queue_draw (GTK_WIDGET (self));
    return;
  }
  if (self->is_live) {
    if (self->is_pulling)
      emit_pull (self, SSUI_PULL_MOVE, "", x + dx, y + dy);
    emit_pointer (self);
    return;
  }
  if (!self->is_moving && self->tool == TOOL_SELECT && hypot (dx, dy) > DRAG_THRESHOLD)
    start_moving (self);
  if (self->is_moving) {
    double step = self->snap ? grid_step (self) : 0;
    SsVec2 shift = {ssapp_snap (dx / self->camera.scale, step), ssapp_snap (-dy / self->camera.scale, step)};
    gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
    if (!ssapp_document_move_to (self->document, ssapp_document_get_selected (self->document),
                                 (SsVec2){self->body_from.x + shift.x, self->body_from.y + shift.y}, &error))
      refuse (self, error);
    emit_pointer (self);
  }
}

static void
on_drag_end (GtkGestureDrag *gesture, double dx, double dy, SsuiCanvas *self)
{
  (void)gesture;
  (void)dx;
  (void)dy;
  end_pulling (self);
  if (self->is_drawing)
    finish_drawing (self);
  if (self->is_moving) {
    self->is_moving = FALSE;
    ssapp_document_end_gesture (self->document);
  }
  self->is_panning = FALSE;
}

static void
cancel_drag (SsuiCanvas *self)
{
  end_pulling (self);
  if (self->is_panning)
    self->camera = self->camera_from;
  if (self->is_moving)
    ssapp_document_cancel_gesture (self->document);
  self->is_panning = self->is_moving = self->is_drawing = FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_drag_cancel (GtkGesture *gesture, GdkEventSequence *sequence, SsuiCanvas *self)
{
  (void)gesture;
  (void)sequence;
  cancel_drag (self);
}

static void
on_motion (GtkEventControllerMotion *controller, double x, double y, SsuiCanvas *self)
{
  (void)controller;
  self->pointer_x = x;
  self->pointer_y = y;
  if (!self->is_drawing && !self->is_moving)
    emit_pointer (self);
}

static void
on_leave (GtkEventControllerMotion *controller, SsuiCanvas *self)
{
  (void)controller;
  g_signal_emit (self, signals[POINTER_MOVED], 0, "");
}

static gboolean
on_scroll (GtkEventControllerScroll *controller, double dx, double dy, SsuiCanvas *self)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));
  gboolean is_wheel = gtk_event_controller_scroll_get_unit (controller) == GDK_SCROLL_UNIT_WHEEL;
  double unit = is_wheel ? SCROLL_PAN_PX : 1;

  if (state & GDK_CONTROL_MASK) {
    set_scale_at (self, self->camera.scale * pow (ZOOM_STEP, -dy * (is_wheel ? 1 : 0.05)), self->pointer_x,
                  self->pointer_y);
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
    set_scale_at (self, self->zoom_from * factor, x, y);
}

/* ---- keys ------------------------------------------------------------------------------------------------------------------------ */

static gboolean
nudge (SsuiCanvas *self, guint key, GdkModifierType state)
{
  double step = grid_step (self) * (state & GDK_SHIFT_MASK ? 10 : state & GDK_ALT_MASK ? 0.1 : 1);
  double dx = key == GDK_KEY_Left ? -step : key == GDK_KEY_Right ? step : 0;
  double dy = key == GDK_KEY_Down ? -step : key == GDK_KEY_Up ? step : 0;
  const char *selected = ssapp_document_get_selected (self->document);
  g_autoptr (GError) error = NULL;

  if (selected == NULL || self->is_live)
    return FALSE;
  leave_motion (self);
  if (!ssapp_document_move (self->document, selected, dx, dy, &error))
    refuse (self, error);
  return TRUE;
}

static gboolean
activate_tool (SsuiCanvas *self, const char *tool)
{
  return gtk_widget_activate_action (GTK_WIDGET (self), "win.tool", "s", tool);
}

static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, SsuiCanvas *self)
{
  (void)controller;
  (void)code;
  if (state & GDK_CONTROL_MASK)
    return FALSE;
  switch (key) {
  case GDK_KEY_v:
  case GDK_KEY_V:
    return activate_tool (self, "select");
  case GDK_KEY_b:
  case GDK_KEY_B:
    return activate_tool (self, "box");
  case GDK_KEY_d:
  case GDK_KEY_D:
    return activate_tool (self, "disc");
  case GDK_KEY_f:
  case GDK_KEY_F:
    return activate_tool (self, "ground");
  case GDK_KEY_Left:
  case GDK_KEY_Right:
  case GDK_KEY_Up:
  case GDK_KEY_Down:
    return nudge (self, key, state);
  case GDK_KEY_Delete:
  case GDK_KEY_BackSpace:
    return gtk_widget_activate_action (GTK_WIDGET (self), "win.delete", NULL);
  case GDK_KEY_Escape:
    if (self->is_moving || self->is_drawing || self->is_panning || self->is_pulling) {
      cancel_drag (self);
      gtk_gesture_set_state (self->drag, GTK_EVENT_SEQUENCE_DENIED);
    } else if (self->tool != TOOL_SELECT) {
      activate_tool (self, "select");
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
  case GDK_KEY_Return:
  case GDK_KEY_KP_Enter:
    return gtk_widget_activate_action (GTK_WIDGET (self), "win.edit-selected", NULL);
  case GDK_KEY_space:
    if (!self->space_down) {
      self->space_down = TRUE;
      gtk_widget_activate_action (GTK_WIDGET (self), "win.play", NULL);
    }
    return TRUE;
  case GDK_KEY_comma:
    return gtk_widget_activate_action (GTK_WIDGET (self), "win.step", "i", -1);
  case GDK_KEY_period:
    return gtk_widget_activate_action (GTK_WIDGET (self), "win.step", "i", 1);
  case GDK_KEY_plus:
  case GDK_KEY_KP_Add:
    ssui_canvas_zoom (self, ZOOM_STEP);
    return TRUE;
  case GDK_KEY_minus:
  case GDK_KEY_KP_Subtract:
    ssui_canvas_zoom (self, 1 / ZOOM_STEP);
    return TRUE;
  case GDK_KEY_0:
    ssui_canvas_fit (self);
    return TRUE;
  default:
    return FALSE;
  }
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

/* ---- properties ------------------------------------------------------------------------------------------------------------------ */

void
ssui_canvas_set_document (SsuiCanvas *self, SsappDocument *document)
{
  if (self->document != NULL)
    g_signal_handlers_disconnect_by_data (self->document, self);
  g_set_object (&self->document, document);
  if (document == NULL)
    return;
  g_signal_connect_object (document, "changed", G_CALLBACK (on_document_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "selection-changed", G_CALLBACK (on_document_changed), self, G_CONNECT_SWAPPED);
  on_document_changed (self);
}

void
ssui_canvas_set_clock (SsuiCanvas *self, SsuiClock *clock)
{
  if (self->clock != NULL)
    g_signal_handlers_disconnect_by_data (self->clock, self);
  g_set_object (&self->clock, clock);
  if (clock == NULL)
    return;
  g_signal_connect_object (clock, "tick", G_CALLBACK (on_clock_tick), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (clock, "changed", G_CALLBACK (on_clock_tick), self, G_CONNECT_SWAPPED);
}

static void
on_run_changed (SsuiCanvas *self)
{
  if (self->is_fitted)
    fit_now (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ssui_canvas_set_run (SsuiCanvas *self, SsappRun *run)
{
  if (run == self->run)
    return;
  if (self->run != NULL)
    g_signal_handlers_disconnect_by_data (self->run, self);
  g_set_object (&self->run, run);
  if (run != NULL)
    g_signal_connect_object (run, "changed", G_CALLBACK (on_run_changed), self, G_CONNECT_SWAPPED);
  on_run_changed (self);
}

void
ssui_canvas_set_tool (SsuiCanvas *self, const char *tool)
{
  for (guint i = 0; i < G_N_ELEMENTS (tool_names); i++)
    if (g_strcmp0 (tool, tool_names[i]) == 0)
      self->tool = (Tool)i;
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), self->tool == TOOL_SELECT ? NULL : "crosshair");
}

void
ssui_canvas_set_snap (SsuiCanvas *self, gboolean snap)
{
  self->snap = snap;
}

void
ssui_canvas_set_grid (SsuiCanvas *self, gboolean grid)
{
  self->grid = grid;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* ---- object ---------------------------------------------------------------------------------------------------------------------- */

static void
ssui_canvas_dispose (GObject *object)
{
  SsuiCanvas *self = SSUI_CANVAS (object);

  ssui_canvas_set_document (self, NULL);
  ssui_canvas_set_clock (self, NULL);
  if (self->run != NULL)
    g_signal_handlers_disconnect_by_data (self->run, self);
  g_clear_object (&self->run);
  g_clear_pointer (&self->row, g_free);
  g_clear_pointer (&self->marks, g_free);
  self->row_size = self->marks_size = 0;
  G_OBJECT_CLASS (ssui_canvas_parent_class)->dispose (object);
}

static void
ssui_canvas_class_init (SsuiCanvasClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = ssui_canvas_dispose;
  widget_class->snapshot = ssui_canvas_snapshot;
  widget_class->size_allocate = ssui_canvas_size_allocate;
  widget_class->measure = ssui_canvas_measure;
  gtk_widget_class_set_css_name (widget_class, "canvas");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  signals[POINTER_MOVED] = g_signal_new ("pointer-moved", SSUI_TYPE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                         G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[REFUSED] =
      g_signal_new ("refused", SSUI_TYPE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[PULL] = g_signal_new ("pull", SSUI_TYPE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 4,
                                G_TYPE_INT, G_TYPE_STRING, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  signals[ZOOM_CHANGED] =
      g_signal_new ("zoom-changed", SSUI_TYPE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[TOOL_FINISHED] =
      g_signal_new ("tool-finished", SSUI_TYPE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ssui_canvas_init (SsuiCanvas *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *motion, *scroll, *key, *focus;
  GtkGesture *zoom;
  AdwStyleManager *manager = adw_style_manager_get_default ();
  const double default_scale = 200; /* px per metre, until the first fit */

  self->is_fitted = TRUE;
  self->snap = self->grid = TRUE;
  self->camera.scale = default_scale;
  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_widget_set_vexpand (widget, TRUE);
  ssui_set_label (widget, "Canvas");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_ROLE_DESCRIPTION, "drawing", -1);

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

  g_signal_connect_object (manager, "notify::dark", G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (manager, "notify::high-contrast", G_CALLBACK (gtk_widget_queue_draw), self,
                           G_CONNECT_SWAPPED);
}

GtkWidget *
ssui_canvas_new (void)
{
  return g_object_new (SSUI_TYPE_CANVAS, NULL);
}
