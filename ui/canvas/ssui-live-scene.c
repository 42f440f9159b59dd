/* ui/canvas/ssui-live-scene.c: see the header. */
#include "ui/canvas/ssui-live-scene.h"

#include "app/draw/ssapp-draw.h"
#include "app/sandbox/ssapp-sandbox.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>

static const double PATIENCE_SECONDS = 20., TOLERANCE_PX = 6., MARGIN_PX = 16.;

struct _SsuiLiveScene {
  GtkWidget parent_instance;

  SsappSandbox *sandbox;
  SsView *view;
  double *row;
  SsMark *marks;
  guint64 seen; /* number of the frame that `row` is of */
  double bounds[4];
  SsappCamera camera; /* of the last drawing */
  GtkViewport *page;  /* that scrolls it; borrowed, NULL: none */
  guint tick_id;      /* 0: it is not seen, or rests */
  gint64 touched;     /* monotonic time of the last touch, or of the start */
  gboolean is_playing, is_pulling;
};

G_DEFINE_FINAL_TYPE (SsuiLiveScene, ssui_live_scene, GTK_TYPE_WIDGET)

static guint playing_changed;

/* ---- time -------------------------------------------------------------------------------------------------------- */

static void
take_frame (SsuiLiveScene *self)
{
  const guint64 number = ssapp_sandbox_take_frame_with (self->sandbox, self->seen, self->row, NULL);

  if (number == self->seen)
    return;
  self->seen = number;
  ss_view_frame (self->view, self->row, self->marks);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
on_frame (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  SsuiLiveScene *self = SSUI_LIVE_SCENE (widget);
  SsappSandboxState state;

  (void)clock;
  (void)data;
  take_frame (self);
  ssapp_sandbox_get_state (self->sandbox, &state);
  const double seconds = (double)(g_get_monotonic_time () - self->touched) / G_USEC_PER_SEC;
  if (state.has_failed || (!self->is_pulling && seconds > PATIENCE_SECONDS))
    ssui_live_scene_set_playing (self, FALSE);
  return G_SOURCE_CONTINUE;
}

/* Mapped, and not scrolled away: the page's adjustment knows before the widgets move. */
static gboolean
is_in_sight (SsuiLiveScene *self)
{
  graphene_rect_t at;

  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return FALSE;
  if (self->page == NULL || !gtk_widget_compute_bounds (GTK_WIDGET (self), gtk_viewport_get_child (self->page), &at))
    return TRUE;
  GtkAdjustment *scroll = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->page));
  const double top = at.origin.y - gtk_adjustment_get_value (scroll);
  return top + at.size.height > 0 && top < gtk_adjustment_get_page_size (scroll);
}

/* Steps and frames only while it plays and is seen. */
static void
follow (SsuiLiveScene *self)
{
  const gboolean is_seen = self->is_playing && is_in_sight (self);

  if (is_seen && self->tick_id == 0)
    self->tick_id = gtk_widget_add_tick_callback (GTK_WIDGET (self), on_frame, NULL, NULL);
  else if (!is_seen && self->tick_id != 0) {
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick_id);
    self->tick_id = 0;
  }
  ssapp_sandbox_set_paused (self->sandbox, !is_seen);
}

gboolean
ssui_live_scene_is_playing (SsuiLiveScene *self)
{
  g_return_val_if_fail (SSUI_IS_LIVE_SCENE (self), FALSE);
  return self->is_playing;
}

void
ssui_live_scene_set_playing (SsuiLiveScene *self, gboolean is_playing)
{
  g_return_if_fail (SSUI_IS_LIVE_SCENE (self));

  self->touched = g_get_monotonic_time ();
  if (self->is_playing == is_playing)
    return;
  self->is_playing = is_playing;
  follow (self);
  g_signal_emit (self, playing_changed, 0);
}

void
ssui_live_scene_start_over (SsuiLiveScene *self)
{
  g_return_if_fail (SSUI_IS_LIVE_SCENE (self));
  ssapp_sandbox_rewind (self->sandbox, 0);
  self->is_playing = FALSE; /* going back pauses */
  ssui_live_scene_set_playing (self, TRUE);
}

/* ---- pointer ----------------------------------------------------------------------------------------------------- */

static const char *
body_at (SsuiLiveScene *self, double x, double y)
{
  return ssapp_hit_body (&self->camera, self->marks, ss_view_n_marks (self->view), x, y, TOLERANCE_PX);
}

static void
on_drag_begin (SsuiLiveScene *self, double x, double y)
{
  const char *body = body_at (self, x, y);

  self->is_pulling =
      body != NULL && ssapp_sandbox_drag_begin (self->sandbox, body, ssapp_camera_to_world (&self->camera, x, y));
  ssui_live_scene_set_playing (self, TRUE);
}

static void
on_drag_update (SsuiLiveScene *self, double dx, double dy, GtkGestureDrag *drag)
{
  double x, y;

  if (self->is_pulling && gtk_gesture_drag_get_start_point (drag, &x, &y))
    ssapp_sandbox_drag_to (self->sandbox, ssapp_camera_to_world (&self->camera, x + dx, y + dy));
}

static void
on_drag_end (SsuiLiveScene *self)
{
  if (self->is_pulling)
    ssapp_sandbox_drag_end (self->sandbox);
  self->is_pulling = FALSE;
  self->touched = g_get_monotonic_time ();
}

static void
on_motion (SsuiLiveScene *self, double x, double y)
{
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), body_at (self, x, y) != NULL ? "grab" : NULL);
  self->touched = g_get_monotonic_time ();
}

/* ---- widget ------------------------------------------------------------------------------------------------------ */

static void
ssui_live_scene_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  SsuiLiveScene *self = SSUI_LIVE_SCENE (widget);
  const double width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  const SsappSceneFlags flags = {0};
  SsappStyle style;
  SsVec2 on_body, pointer;

  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float)width, (float)height));
  ssui_style_init (&style, widget);
  ssapp_camera_fit (&self->camera, self->bounds, width, height, MARGIN_PX);
  ssapp_draw_backdrop (cr, &style, &self->camera, &flags);
  ssapp_draw_marks (cr, &style, &self->camera, self->marks, ss_view_n_marks (self->view), &flags);
  if (ssapp_sandbox_get_spring (self->sandbox, &on_body, &pointer))
    ssapp_draw_pull (cr, &style, &self->camera, on_body, pointer);
  cairo_destroy (cr);
}

/* Out of sight it neither steps nor loses patience. */
static void
on_scrolled (SsuiLiveScene *self)
{
  const gboolean was_seen = self->tick_id != 0;

  follow (self);
  if (!was_seen && self->tick_id != 0)
    self->touched = g_get_monotonic_time ();
}

static void
ssui_live_scene_map (GtkWidget *widget)
{
  SsuiLiveScene *self = SSUI_LIVE_SCENE (widget);

  GTK_WIDGET_CLASS (ssui_live_scene_parent_class)->map (widget);
  GtkWidget *page = gtk_widget_get_ancestor (widget, GTK_TYPE_VIEWPORT);
  if (self->page == NULL && page != NULL) { /* which holds this one */
    self->page = GTK_VIEWPORT (page);
    GtkAdjustment *at = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (page));
    g_signal_connect_object (at, "value-changed", G_CALLBACK (on_scrolled), self, G_CONNECT_SWAPPED);
    g_signal_connect_object (at, "changed", G_CALLBACK (on_scrolled), self, G_CONNECT_SWAPPED); /* its size */
  }
  self->touched = g_get_monotonic_time ();
  follow (self);
}

static void
ssui_live_scene_unmap (GtkWidget *widget)
{
  on_drag_end (SSUI_LIVE_SCENE (widget));
  GTK_WIDGET_CLASS (ssui_live_scene_parent_class)->unmap (widget);
  follow (SSUI_LIVE_SCENE (widget));
}

static void
ssui_live_scene_dispose (GObject *object)
{
  SsuiLiveScene *self = SSUI_LIVE_SCENE (object);

  g_clear_pointer (&self->view, ss_view_free);
  if (self->sandbox != NULL)
    ssapp_sandbox_stop (self->sandbox);
  g_clear_object (&self->sandbox);
  g_clear_pointer (&self->row, g_free);
  g_clear_pointer (&self->marks, g_free);
  G_OBJECT_CLASS (ssui_live_scene_parent_class)->dispose (object);
}

static void
ssui_live_scene_class_init (SsuiLiveSceneClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = ssui_live_scene_dispose;
  widget_class->snapshot = ssui_live_scene_snapshot;
  widget_class->map = ssui_live_scene_map;
  widget_class->unmap = ssui_live_scene_unmap;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  playing_changed =
      g_signal_new ("playing-changed", SSUI_TYPE_LIVE_SCENE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ssui_live_scene_init (SsuiLiveScene *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkEventController *motion = gtk_event_controller_motion_new ();

  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect_swapped (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (on_motion), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}

/* What its first row needs to be seen whole, with some room above to throw bodies. */
static gboolean
make_view (SsuiLiveScene *self)
{
  const int n = ssapp_sandbox_get_n_channels (self->sandbox);
  const SsChannel *channels = ssapp_sandbox_get_channels (self->sandbox);
  SsTrajectory *first = NULL;
  SsError err;

  self->row = g_new0 (double, MAX (n, 1));
  ssapp_sandbox_sync (self->sandbox);
  self->seen = ssapp_sandbox_take_frame_with (self->sandbox, 0, self->row, NULL);
  if (ss_view_new (ssapp_sandbox_get_scenario (self->sandbox), channels, n, &self->view, &err) != SS_OK)
    return FALSE;
  self->marks = g_new0 (SsMark, MAX (ss_view_n_marks (self->view), 1));
  ss_view_frame (self->view, self->row, self->marks);
  if (ss_trajectory_new (channels, n, 1, &first, &err) == SS_OK &&
      ss_trajectory_append (first, self->row, &err) == SS_OK)
    ss_view_bounds (self->view, first, self->bounds);
  ss_trajectory_free (first);
  return TRUE;
}

GtkWidget *
ssui_live_scene_new (const char *scenario_text, const char *name)
{
  g_return_val_if_fail (scenario_text != NULL && name != NULL, NULL);
  SsuiLiveScene *self = g_object_ref_sink (g_object_new (SSUI_TYPE_LIVE_SCENE, NULL));
  gboolean has_animations = TRUE;

  self->sandbox = ssapp_sandbox_new (scenario_text, NULL, NULL, NULL);
  if (self->sandbox == NULL || !make_view (self)) {
    g_object_unref (self);
    return NULL;
  }
  g_object_get (gtk_settings_get_default (), "gtk-enable-animations", &has_animations, NULL);
  self->is_playing = has_animations;
  ssui_set_label (GTK_WIDGET (self), name);
  g_object_force_floating (G_OBJECT (self));
  return GTK_WIDGET (self);
}
