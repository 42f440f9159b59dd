/* ui/canvas/ssui-motion-view.c: see the header. */
#include "ui/canvas/ssui-motion-view.h"

#include "ui/parts/ssui-util.h"

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
  SsuiMotionFrame frame;
  gboolean has_frame, plain;
};

G_DEFINE_FINAL_TYPE (SsuiMotionView, ssui_motion_view, GTK_TYPE_WIDGET)

static void
unite (double bounds[4], const double other[4])
{
  bounds[0] = MIN (bounds[0], other[0]);
  bounds[1] = MIN (bounds[1], other[1]);
  bounds[2] = MAX (bounds[2], other[2]);
  bounds[3] = MAX (bounds[3], other[3]);
}

static void
unite_branches (SsappRun *run, SsView *view, double bounds[4])
{
  int n;
  double largest, own[4];
  const SsappFanMotion *branches = ssapp_run_get_branches (run, &n, &largest);

  for (int i = 0; i < n; i++) {
    ss_view_bounds (view, branches[i].motion, own);
    if (isfinite (own[0] + own[1] + own[2] + own[3]))
      unite (bounds, own);
  }
}

gboolean
ssui_motion_frame_of (GPtrArray *runs, SsuiMotionFrame *frame)
{
  gboolean has_any = FALSE;
  double own[4];

  ssapp_arrow_scale_init (&frame->arrows);
  for (guint i = 0; runs != NULL && i < runs->len; i++) {
    SsappRun *run = g_ptr_array_index (runs, i);
    SsView *view = ssapp_run_get_view (run);
    const SsTrajectory *trajectory = ssapp_run_get_trajectory (run);
    if (view == NULL || trajectory == NULL)
      continue;
    ssapp_arrow_scale_take (&frame->arrows, view, trajectory);
    ss_view_bounds (view, trajectory, own);
    unite_branches (run, view, own);
    if (!isfinite (own[0] + own[1] + own[2] + own[3]) || own[2] < own[0] || own[3] < own[1])
      continue;
    if (has_any) {
      unite (frame->bounds, own);
    } else {
      memcpy (frame->bounds, own, sizeof own);
      has_any = TRUE;
    }
  }
  return has_any;
}

static void
ssui_motion_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  SsuiMotionView *self = SSUI_MOTION_VIEW (widget);
  int w = gtk_widget_get_width (widget), h = gtk_widget_get_height (widget);
  SsuiMotionFrame frame;
  double time = self->clock != NULL ? ssui_clock_get_time (self->clock) : 0;
  double margin = MIN (MARGIN, MIN (w, h) / 8.0);
  SsappCamera camera;
  SsappStyle style;
  SsappSceneFlags flags = {.grid = !self->plain,
                           .scale_bar = !self->plain,
                           .past_frames = TRUE,
                           .trace = TRUE,
                           .before_jump = self->clock != NULL && ssui_clock_is_before (self->clock),
                           .n_past_frames = PAST_FRAMES};
  cairo_t *cr;

  if (w <= 0 || h <= 0 || self->runs == NULL)
    return;
  if (self->has_frame)
    frame = self->frame;
  else if (!ssui_motion_frame_of (self->runs, &frame))
    return;
  ssui_style_init (&style, widget);
  if (self->plain)
    style.scale *= PLAIN_SCALE;
  ssapp_camera_fit (&camera, frame.bounds, w, MAX (h - (self->plain ? 0 : SCALES_PX), 1), margin);
  /* The scales stand at the lower edge of the camera; a thumbnail has them below what is seen. */
  camera.height = self->plain ? 2.0 * h : h;
  cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, w, h));
  for (guint i = 0; i < self->runs->len; i++) {
    SsappRun *run = g_ptr_array_index (self->runs, i);
    SsView *view = ssapp_run_get_view (run);
    int n_branches;
    double largest;
    const SsappFanMotion *branches = ssapp_run_get_branches (run, &n_branches, &largest);
    if (view == NULL)
      continue;
    ssapp_draw_motion_scaled (cr, &style, &camera, view, ssapp_run_get_trajectory (run), time, &flags, &frame.arrows);
    if (branches != NULL)
      ssapp_draw_fan (cr, &style, &camera, view, branches, n_branches, largest, time);
    if (ssapp_run_get_plan (run) != NULL)
      ssapp_draw_ghost (cr, &style, &camera, ssapp_run_get_plan_view (run), ssapp_run_get_plan (run),
                        ssapp_run_to_time (run, time));
    if (ssapp_run_get_parting (run)->is_parted && ssapp_run_get_scenario (run) != NULL)
      ssapp_parting_draw_ring (cr, &style, &camera, ssapp_run_get_parting (run), ssapp_run_get_scenario (run)->scene,
                               ssapp_run_get_motion (run), ssapp_run_to_time (run, time),
                               self->clock != NULL ? RING_PART * ssui_clock_get_duration (self->clock) : 0);
    flags.grid = flags.scale_bar = FALSE; /* once is enough */
  }
  cairo_destroy (cr);
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
                            ssapp_run_has_motion (run) ? "motion" : "initial state",
                            ssapp_run_get_plan (run) != NULL ? " with its plan as a ghost" : "");
    const SsappFan *fan = ssapp_run_get_fan (run);
    if (fan != NULL && fan->branches->len > 1)
      g_string_append_printf (text, " in %u branches, fainter with less share", fan->branches->len);
  }
  if (self->clock != NULL)
    g_string_append_printf (text, " at %.2f s", ssui_clock_get_time (self->clock));
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
  GPtrArray *taken = runs != NULL ? g_ptr_array_ref (runs) : NULL;

  disconnect_runs (self);
  self->runs = taken;
  for (guint i = 0; taken != NULL && i < taken->len; i++)
    g_signal_connect_object (g_ptr_array_index (taken, i), "changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  on_changed (self);
}

void
ssui_motion_view_set_clock (SsuiMotionView *self, SsuiClock *clock)
{
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
  self->has_frame = frame != NULL;
  if (frame != NULL)
    self->frame = *frame;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ssui_motion_view_set_plain (SsuiMotionView *self, gboolean plain)
{
  self->plain = plain;
}

static void
ssui_motion_view_dispose (GObject *object)
{
  SsuiMotionView *self = SSUI_MOTION_VIEW (object);

  disconnect_runs (self);
  ssui_motion_view_set_clock (self, NULL);
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

  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  ssui_set_label (GTK_WIDGET (self), "Motion");
  g_signal_connect_object (manager, "notify::dark", G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (manager, "notify::high-contrast", G_CALLBACK (gtk_widget_queue_draw), self,
                           G_CONNECT_SWAPPED);
}

GtkWidget *
ssui_motion_view_new (void)
{
  return g_object_new (SSUI_TYPE_MOTION_VIEW, NULL);
}
