/* ui/canvas/ssui-motion-view.c: see the header. */
#include "ui/canvas/ssui-motion-view.h"

#include "app/draw/ssapp-draw-overlaid.h"
#include "app/draw/ssapp-overlays.h"
#include "ui/parts/ssui-raster.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define MARGIN      18.0 /* px around the motion                                                     */
#define PAST_FRAMES 8
#define RING_PART   0.02 /* of the motion: so long before and after a replay parts its contact is ringed */
#define PLAIN_SCALE 0.62 /* of lines and markers in a thumbnail                                     */
#define SCALES_PX   24.0 /* kept free below the motion for the printed scales */

struct _SsuiMotionView {
  GtkWidget parent_instance;
  GPtrArray *runs;
  SsuiClock *clock;
  SsuiMotionFrame frame, own_frame; /* given, and of its own runs */
  SsuiRaster *raster;               /* what is drawn; a plain one, which hardly ever changes, keeps no pixels */
  gboolean has_frame, has_own_frame, plain, is_overlaid;
  guint own_version; /* of the runs, when its own frame was found */
  SsuiMotionLook *look;
  SsappCamera camera; /* as drawn last */
  double pointer_x, pointer_y;
  SsappRegion pan_from; /* region and camera at the begin of a drag */
  SsappCamera pan_camera;
};

G_DEFINE_FINAL_TYPE (SsuiMotionView, ssui_motion_view, GTK_TYPE_WIDGET)

gboolean
ssui_motion_frame_of (GPtrArray *runs, SsuiMotionFrame *frame)
{
  g_return_val_if_fail (frame != NULL, FALSE);

  g_autoptr (GArray) boxes = g_array_new (FALSE, FALSE, sizeof (double[4]));

  ssapp_arrow_scale_init (&frame->arrows);
  for (guint i = 0; runs != NULL && i < runs->len; i++) {
    SsappRun *run = g_ptr_array_index (runs, i);
    SsView *view = ssapp_run_get_view (run);
    const SsTrajectory *trajectory = ssapp_run_get_trajectory (run);
    double own[4], largest;
    int n;
    if (view == NULL || trajectory == NULL)
      continue;
    ssapp_arrow_scale_take (&frame->arrows, view, trajectory);
    ssapp_arrow_scale_take_events (&frame->arrows, ssapp_run_get_events (run));
    if (ssapp_region_of_motion (view, trajectory, own))
      g_array_append_val (boxes, own);
    const SsappFanMotion *branches = ssapp_run_get_branches (run, &n, &largest);
    for (int b = 0; b < n; b++)
      if (ssapp_region_of_motion (view, branches[b].motion, own))
        g_array_append_val (boxes, own);
  }
  return ssapp_region_unite ((const double (*)[4]) (const void *)boxes->data, (int)boxes->len, frame->bounds);
}

/* ---- region ------------------------------------------------------------------------------------------------------ */

static double
time_of (SsuiClock *clock)
{
  return clock != NULL ? ssui_clock_get_time (clock) : 0;
}

/* The run by which the camera goes. */
static SsappRun *
leading_run (GPtrArray *runs)
{
  for (guint i = 0; runs != NULL && i < runs->len; i++)
    if (ssapp_run_get_view (g_ptr_array_index (runs, i)) != NULL)
      return g_ptr_array_index (runs, i);
  return NULL;
}

/* What is seen now becomes the chosen region: a copy that can be changed. `seen` is at the clock's time, the region at
 * the start of the motion. */
static SsappRegion
region_of_seen (SsuiMotionLook *look, SsappRun *run, double time, const double seen[4])
{
  SsappRegion region = *ssui_motion_look_get_region (look);
  double now[4];

  memcpy (now, region.bounds, sizeof now);
  if (run != NULL)
    ssapp_region_at (&region, ssapp_run_get_view (run), ssapp_run_get_trajectory (run), time, now);
  /* The body's way, which ssapp_region_at adds. */
  const double way_x = now[0] - region.bounds[0], way_y = now[1] - region.bounds[1];
  memcpy (region.bounds, seen, sizeof region.bounds);
  ssapp_region_pan (region.bounds, -way_x, -way_y);
  region.is_chosen = TRUE;
  return region;
}

/* About a point of the world at the clock's time. */
static void
zoom_about (SsuiMotionLook *look, SsappRun *run, double time, const double seen[4], double factor, SsVec2 about)
{
  double bounds[4];
  SsappRegion region;

  memcpy (bounds, seen, sizeof bounds);
  ssapp_region_zoom (bounds, factor, about.x, about.y);
  region = region_of_seen (look, run, time, bounds);
  ssui_motion_look_set_region (look, &region);
}

void
ssui_motion_look_zoom (SsuiMotionLook *look, GPtrArray *runs, SsuiClock *clock, double factor)
{
  const double *seen = ssui_motion_look_get_seen (look);

  zoom_about (look, leading_run (runs), time_of (clock), seen, factor,
              (SsVec2){(seen[0] + seen[2]) / 2, (seen[1] + seen[3]) / 2});
}

gboolean
ssui_motion_look_follow (SsuiMotionLook *look, GPtrArray *runs, SsuiClock *clock, const char *body)
{
  g_return_val_if_fail (
      (look == NULL || SSUI_IS_MOTION_LOOK (look)) && (clock == NULL || SSUI_IS_CLOCK (clock)) && body != NULL, FALSE);

  SsappRegion region = *ssui_motion_look_get_region (look);
  SsVec2 at;

  for (guint i = 0; runs != NULL && i < runs->len; i++) {
    SsappRun *run = g_ptr_array_index (runs, i);
    const SsTrajectory *motion = ssapp_run_get_trajectory (run);
    if (ssapp_run_get_view (run) == NULL || motion == NULL ||
        (*body != '\0' && !ssapp_region_body_at (ssapp_run_get_view (run), motion, body, time_of (clock), &at)))
      continue;
    ssapp_region_follow (&region, ssapp_run_get_view (run), motion, time_of (clock), body,
                         ssui_motion_look_get_seen (look));
    ssui_motion_look_set_region (look, &region);
    return TRUE;
  }
  return FALSE;
}

/* Its own frame is found once for each state of the runs. */
static const SsuiMotionFrame *
frame_to_show (SsuiMotionView *self)
{
  guint version = 1;

  if (self->has_frame)
    return &self->frame;
  for (guint i = 0; i < self->runs->len; i++) {
    SsappRun *run = g_ptr_array_index (self->runs, i);
    version = 31 * version + ssapp_run_get_version (run) + ssapp_run_is_by_second_clock (run);
  }
  if (self->own_version != version) {
    self->own_version = version;
    self->has_own_frame = ssui_motion_frame_of (self->runs, &self->own_frame);
  }
  return self->has_own_frame ? &self->own_frame : NULL;
}

static void
place_camera (SsuiMotionView *self, const SsuiMotionFrame *frame, double time)
{
  const int w = gtk_widget_get_width (GTK_WIDGET (self)), h = gtk_widget_get_height (GTK_WIDGET (self));
  const double margin = MIN (MARGIN, MIN (w, h) / 8.0);
  const SsappRegion *region = self->look != NULL ? ssui_motion_look_get_region (self->look) : NULL;
  SsappRun *run = leading_run (self->runs);
  double bounds[4];

  if (region != NULL && region->is_chosen && run != NULL) {
    ssapp_region_at (region, ssapp_run_get_view (run), ssapp_run_get_trajectory (run), time, bounds);
    ssapp_region_camera (bounds, w, h, &self->camera);
  } else {
    ssapp_camera_fit (&self->camera, frame->bounds, w, MAX (h - (self->plain ? 0 : SCALES_PX), 1), margin);
    self->camera.height = h;
  }
  if (self->look != NULL) {
    ssapp_region_of_camera (&self->camera, bounds);
    ssui_motion_look_set_seen (self->look, bounds);
  }
}

/* Arrows to the bodies that are outside. */
static void
draw_away (SsuiMotionView *self, cairo_t *cr, const SsappStyle *style, SsappRun *run, double time)
{
  SsView *view = ssapp_run_get_view (run);
  const SsTrajectory *motion = ssapp_run_get_trajectory (run);
  const int n = ss_view_n_marks (view);
  g_autofree SsMark *marks = g_new0 (SsMark, MAX (n, 1));
  g_autofree double *row = g_new (double, motion->n_channels);

  ss_trajectory_sample_motion (motion, time, row);
  ss_view_frame_bodies (view, row, marks);
  ssapp_region_draw_away (cr, style, &self->camera, marks, n,
                          ssapp_overlay_energies_height (style, ssui_motion_look_get_layers (self->look)));
}

/* The place that somebody looks at, such as that of a violation. */
static void
draw_mark (SsuiMotionView *self, cairo_t *cr, const SsappStyle *style, SsappRun *run, double time)
{
  const SsappParting *mark = self->look != NULL ? ssui_motion_look_get_mark (self->look, ssapp_run_get_id (run)) : NULL;

  if (mark != NULL && ssapp_run_get_scenario (run) != NULL)
    ssapp_parting_draw_ring (cr, style, &self->camera, mark, ssapp_run_get_scenario (run)->scene,
                             ssapp_run_get_motion (run), ssapp_run_to_time (run, time),
                             self->clock != NULL ? RING_PART * ssui_clock_get_duration (self->clock) : 0);
}

static void
draw_overlaid (SsuiMotionView *self, cairo_t *cr, const SsappStyle *style, double time, const SsappSceneFlags *flags)
{
  SsappOverlaidRun runs[SSAPP_OVERLAID_MOST];
  int n = 0;

  for (guint i = 0; i < self->runs->len && n < SSAPP_OVERLAID_MOST; i++) {
    SsappRun *run = g_ptr_array_index (self->runs, i);
    runs[n++] = (SsappOverlaidRun){.label = ssapp_run_get_label (run),
                                   .method = ssapp_run_get_method (run),
                                   .view = ssapp_run_get_view (run),
                                   .motion = ssapp_run_get_view (run) != NULL ? ssapp_run_get_trajectory (run) : NULL,
                                   .time = time};
  }
  ssapp_draw_overlaid (cr, style, &self->camera, runs, n, flags);
}

static void
ssui_motion_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  SsuiMotionView *self = SSUI_MOTION_VIEW (widget);
  int w = gtk_widget_get_width (widget), h = gtk_widget_get_height (widget);
  const SsuiMotionFrame *frame;
  double time = time_of (self->clock);
  SsappCamera camera;
  SsappStyle style;
  SsappSceneFlags flags = {.grid = !self->plain,
                           .scale_bar = !self->plain,
                           .past_frames = TRUE,
                           .trace = TRUE,
                           .before_jump = self->clock != NULL && ssui_clock_is_before (self->clock),
                           .n_past_frames = PAST_FRAMES,
                           .forces_of = self->look != NULL ? ssui_motion_look_get_forces_of (self->look) : NULL,
                           .layers = self->look != NULL ? ssui_motion_look_get_layers (self->look) : 0};
  cairo_t *cr;

  if (w <= 0 || h <= 0 || self->runs == NULL)
    return;
  frame = frame_to_show (self);
  if (frame == NULL)
    return;
  ssui_style_init (&style, widget);
  if (self->plain)
    style.scale *= PLAIN_SCALE;
  place_camera (self, frame, time);
  camera = self->camera;
  /* The scales stand at the lower edge of the camera; a thumbnail has them below what is seen. */
  camera.height = self->plain ? 2.0 * h : h;
  cr = self->plain ? gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, w, h))
                   : ssui_raster_begin (self->raster, widget, "", 1, NULL, NULL);
  if (cr == NULL)
    return;
  if (self->is_overlaid)
    draw_overlaid (self, cr, &style, time, &flags);
  for (guint i = 0; !self->is_overlaid && i < self->runs->len; i++) {
    SsappRun *run = g_ptr_array_index (self->runs, i);
    SsView *view = ssapp_run_get_view (run);
    int n_branches;
    double largest;
    const SsappFanMotion *branches = ssapp_run_get_branches (run, &n_branches, &largest);
    if (view == NULL)
      continue;
    flags.scene = ssapp_run_get_scenario (run) != NULL ? ssapp_run_get_scenario (run)->scene : NULL;
    flags.events = ssapp_run_get_events (run);
    ssapp_draw_motion_scaled (cr, &style, &camera, view, ssapp_run_get_trajectory (run), time, &flags, &frame->arrows);
    if (branches != NULL)
      ssapp_draw_fan (cr, &style, &camera, view, branches, n_branches, largest, time);
    if (ssapp_run_get_plan (run) != NULL)
      ssapp_draw_ghost (cr, &style, &camera, ssapp_run_get_plan_view (run), ssapp_run_get_plan (run),
                        ssapp_run_to_time (run, time));
    if (ssapp_run_get_parting (run)->is_parted && ssapp_run_get_scenario (run) != NULL)
      ssapp_parting_draw_ring (cr, &style, &camera, ssapp_run_get_parting (run), ssapp_run_get_scenario (run)->scene,
                               ssapp_run_get_motion (run), ssapp_run_to_time (run, time),
                               self->clock != NULL ? RING_PART * ssui_clock_get_duration (self->clock) : 0);
    draw_mark (self, cr, &style, run, time);
    if (self->look != NULL)
      draw_away (self, cr, &style, run, time);
    flags.grid = flags.scale_bar = FALSE; /* once is enough */
  }
  if (self->plain)
    cairo_destroy (cr);
  else
    ssui_raster_end (self->raster, snapshot);
}

static void
ssui_motion_view_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                          int *minimum_baseline, int *natural_baseline)
{
  (void)for_size;
  (void)minimum_baseline;
  (void)natural_baseline;
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 120 : 90;
  *natural = SSUI_MOTION_VIEW (widget)->plain ? *minimum : orientation == GTK_ORIENTATION_HORIZONTAL ? 300 : 200;
}

static void
update_description (SsuiMotionView *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; self->runs != NULL && i < self->runs->len; i++) {
    SsappRun *run = g_ptr_array_index (self->runs, i);
    g_string_append_printf (text, "%s%s: %s%s", i > 0 ? ", " : "", ssapp_run_get_label (run),
                            ssapp_run_has_motion (run) ? "motion" : _ ("initial state"),
                            ssapp_run_get_plan (run) != NULL ? _ (" with its plan as a ghost") : "");
    const SsappFan *fan = ssapp_run_get_fan (run);
    if (fan != NULL && fan->branches->len > 1)
      g_string_append_printf (text, _ (" in %u branches, fainter with less share"), fan->branches->len);
  }
  if (self->clock != NULL)
    g_string_append_printf (text, _ (" at %.2f s"), ssui_clock_get_time (self->clock));
  ssui_set_description (GTK_WIDGET (self), text->str);
}

static void
on_changed (SsuiMotionView *self)
{
  if (self->clock == NULL || !ssui_clock_is_playing (self->clock))
    update_description (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
disconnect_runs (SsuiMotionView *self)
{
  for (guint i = 0; self->runs != NULL && i < self->runs->len; i++)
    g_signal_handlers_disconnect_by_data (g_ptr_array_index (self->runs, i), self);
  g_clear_pointer (&self->runs, g_ptr_array_unref);
}

void
ssui_motion_view_set_runs (SsuiMotionView *self, GPtrArray *runs)
{
  g_return_if_fail (SSUI_IS_MOTION_VIEW (self));

  GPtrArray *taken = runs != NULL ? g_ptr_array_ref (runs) : NULL;

  disconnect_runs (self);
  self->own_version = 0;
  self->runs = taken;
  for (guint i = 0; taken != NULL && i < taken->len; i++)
    g_signal_connect_object (g_ptr_array_index (taken, i), "changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  on_changed (self);
}

void
ssui_motion_view_set_clock (SsuiMotionView *self, SsuiClock *clock)
{
  g_return_if_fail (SSUI_IS_MOTION_VIEW (self) && (clock == NULL || SSUI_IS_CLOCK (clock)));
  if (self->clock != NULL)
    g_signal_handlers_disconnect_by_data (self->clock, self);
  g_set_object (&self->clock, clock);
  if (clock != NULL) {
    g_signal_connect_object (clock, "tick", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
    g_signal_connect_object (clock, "changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  }
}

void
ssui_motion_view_set_frame (SsuiMotionView *self, const SsuiMotionFrame *frame)
{
  g_return_if_fail (SSUI_IS_MOTION_VIEW (self));
  self->has_frame = frame != NULL;
  if (frame != NULL)
    self->frame = *frame;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ssui_motion_view_set_plain (SsuiMotionView *self, gboolean plain)
{
  g_return_if_fail (SSUI_IS_MOTION_VIEW (self));
  self->plain = plain;
}

void
ssui_motion_view_set_overlaid (SsuiMotionView *self, gboolean is_overlaid)
{
  g_return_if_fail (SSUI_IS_MOTION_VIEW (self));
  self->is_overlaid = is_overlaid;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* ---- pointer and keys -------------------------------------------------------------------------------------------- */

#define ZOOM_STEP 1.25 /* one key press or wheel notch */
#define PAN_SHARE 0.1  /* of the picture, one arrow key */

static void
pan_by (SsuiMotionView *self, double dx, double dy)
{
  SsappRegion region;
  double seen[4];

  ssapp_region_of_camera (&self->camera, seen);
  ssapp_region_pan (seen, dx, dy);
  region = region_of_seen (self->look, leading_run (self->runs), time_of (self->clock), seen);
  ssui_motion_look_set_region (self->look, &region);
}

static void
zoom_at (SsuiMotionView *self, double factor, double x, double y)
{
  double seen[4];

  if (!(self->camera.scale > 0))
    return;
  ssapp_region_of_camera (&self->camera, seen);
  zoom_about (self->look, leading_run (self->runs), time_of (self->clock), seen, factor,
              ssapp_camera_to_world (&self->camera, x, y));
}

static gboolean
on_scroll (SsuiMotionView *self, double dx, double dy)
{
  (void)dx;
  if (self->look == NULL || dy == 0)
    return FALSE;
  zoom_at (self, pow (ZOOM_STEP, -dy), self->pointer_x, self->pointer_y);
  return TRUE;
}

static void
on_pointer (SsuiMotionView *self, double x, double y)
{
  self->pointer_x = x;
  self->pointer_y = y;
}

static void
on_drag_begin (SsuiMotionView *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
  self->pan_camera = self->camera;
}

static void
on_drag_update (SsuiMotionView *self, double dx, double dy, GtkGestureDrag *drag)
{
  static const double slop = 3; /* px: a click is no drag */
  SsappRegion region;
  double seen[4];

  if (self->look == NULL || !(self->pan_camera.scale > 0) ||
      (hypot (dx, dy) < slop && self->pan_from.is_chosen == FALSE))
    return;
  self->pan_from.is_chosen = TRUE;
  gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_CLAIMED);
  ssapp_region_of_camera (&self->pan_camera, seen);
  ssapp_region_pan (seen, -dx / self->pan_camera.scale, dy / self->pan_camera.scale);
  region = region_of_seen (self->look, leading_run (self->runs), time_of (self->clock), seen);
  ssui_motion_look_set_region (self->look, &region);
}

static void
on_drag_end (SsuiMotionView *self)
{
  self->pan_from.is_chosen = FALSE;
}

static void
on_pressed (SsuiMotionView *self, int n_press)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (n_press == 2 && self->look != NULL)
    ssui_motion_look_fit (self->look);
}

static gboolean
on_key (SsuiMotionView *self, guint key, guint code, GdkModifierType state)
{
  const double w = self->camera.width / self->camera.scale * PAN_SHARE,
               h = self->camera.height / self->camera.scale * PAN_SHARE;

  (void)code;
  if ((state & GDK_CONTROL_MASK) != 0 && (key == GDK_KEY_Left || key == GDK_KEY_Right))
    return gtk_widget_activate_action (GTK_WIDGET (self), "win.step-stage", "i", key == GDK_KEY_Left ? -1 : 1);
  if (self->look == NULL || !(self->camera.scale > 0) ||
      (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK)) != 0)
    return FALSE;
  switch (key) {
  case GDK_KEY_plus:
  case GDK_KEY_equal:
  case GDK_KEY_KP_Add:
    zoom_at (self, ZOOM_STEP, self->camera.width / 2, self->camera.height / 2);
    return TRUE;
  case GDK_KEY_minus:
  case GDK_KEY_KP_Subtract:
    zoom_at (self, 1 / ZOOM_STEP, self->camera.width / 2, self->camera.height / 2);
    return TRUE;
  case GDK_KEY_0:
  case GDK_KEY_KP_0:
    ssui_motion_look_fit (self->look);
    return TRUE;
  case GDK_KEY_Left:
  case GDK_KEY_Right:
    pan_by (self, key == GDK_KEY_Left ? -w : w, 0);
    return TRUE;
  case GDK_KEY_Up:
  case GDK_KEY_Down:
    pan_by (self, 0, key == GDK_KEY_Up ? h : -h);
    return TRUE;
  case GDK_KEY_space:
    return gtk_widget_activate_action (GTK_WIDGET (self), "win.play", NULL);
  case GDK_KEY_comma:
  case GDK_KEY_period:
    return gtk_widget_activate_action (GTK_WIDGET (self), "win.step-row", "i", key == GDK_KEY_comma ? -1 : 1);
  case GDK_KEY_bracketleft:
  case GDK_KEY_bracketright:
    return gtk_widget_activate_action (GTK_WIDGET (self), "win.step-event", "i", key == GDK_KEY_bracketleft ? -1 : 1);
  default:
    return FALSE;
  }
}

static void
add_controllers (SsuiMotionView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL),
                     *motion = gtk_event_controller_motion_new (), *keys = gtk_event_controller_key_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  for (guint button = 1; button <= 2; button++) {
    GtkGesture *drag = gtk_gesture_drag_new ();
    gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), button);
    g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
    g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (on_drag_update), self);
    g_signal_connect_swapped (drag, "drag-end", G_CALLBACK (on_drag_end), self);
    gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  }
  g_signal_connect_swapped (scroll, "scroll", G_CALLBACK (on_scroll), self);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (on_pointer), self);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (on_key), self);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (widget, scroll);
  gtk_widget_add_controller (widget, motion);
  gtk_widget_add_controller (widget, keys);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  gtk_widget_set_focusable (widget, TRUE);
}

void
ssui_motion_view_set_look (SsuiMotionView *self, SsuiMotionLook *look)
{
  g_return_if_fail (SSUI_IS_MOTION_VIEW (self) && (look == NULL || SSUI_IS_MOTION_LOOK (look)));
  if (self->look == NULL && look != NULL)
    add_controllers (self);
  if (self->look != NULL)
    g_signal_handlers_disconnect_by_data (self->look, self);
  g_set_object (&self->look, look);
  if (look != NULL)
    g_signal_connect_object (look, "changed", G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
}

static void
ssui_motion_view_dispose (GObject *object)
{
  SsuiMotionView *self = SSUI_MOTION_VIEW (object);

  disconnect_runs (self);
  ssui_motion_view_set_clock (self, NULL);
  g_clear_object (&self->look);
  g_clear_pointer (&self->raster, ssui_raster_free);
  G_OBJECT_CLASS (ssui_motion_view_parent_class)->dispose (object);
}

static void
ssui_motion_view_class_init (SsuiMotionViewClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = ssui_motion_view_dispose;
  widget_class->snapshot = ssui_motion_view_snapshot;
  widget_class->measure = ssui_motion_view_measure;
  gtk_widget_class_set_css_name (widget_class, "motion");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
ssui_motion_view_init (SsuiMotionView *self)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();

  self->raster = ssui_raster_new ();
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  ssui_set_label (GTK_WIDGET (self), _ ("Motion"));
  g_signal_connect_object (manager, "notify::dark", G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (manager, "notify::high-contrast", G_CALLBACK (gtk_widget_queue_draw), self,
                           G_CONNECT_SWAPPED);
}

GtkWidget *
ssui_motion_view_new (void)
{
  return g_object_new (SSUI_TYPE_MOTION_VIEW, NULL);
}
