/* ui/canvas/ssui-impact-view.c: see the header. */
#include "ui/canvas/ssui-impact-view.h"

#include "ui/parts/ssui-util.h"

#define CLICK_PX 4.0 /* a drag shorter than this is a click */

struct _SsuiImpactView {
  GtkWidget parent_instance;
  SsappImpactSet *set; /* nullable */
  SsappImpactView view;
  guint describe_idle;
};

G_DEFINE_FINAL_TYPE (SsuiImpactView, ssui_impact_view, GTK_TYPE_WIDGET)

static gboolean
is_plane (const SsuiImpactView *self)
{
  return self->view == SSAPP_IMPACT_VIEW_PLANE || self->view == SSAPP_IMPACT_VIEW_PLANE_2;
}

static void
ssui_impact_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  SsuiImpactView *self = SSUI_IMPACT_VIEW (widget);
  const int w = gtk_widget_get_width (widget), h = gtk_widget_get_height (widget);
  SsappStyle style;
  cairo_t *cr;

  if (self->set == NULL || w <= 0 || h <= 0)
    return;
  ssui_style_init (&style, widget);
  cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, w, h));
  ssapp_impact_view_draw (self->set, self->view, cr, &style, 0, 0, w, h);
  cairo_destroy (cr);
}

static void
ssui_impact_view_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                          int *minimum_baseline, int *natural_baseline)
{
  const SsuiImpactView *self = SSUI_IMPACT_VIEW (widget);
  (void)for_size;
  (void)minimum_baseline;
  (void)natural_baseline;
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 180
             : is_plane (self)                         ? 220
             : self->view == SSAPP_IMPACT_VIEW_GROWTH  ? 210 /* its legend has lines */
                                                       : 150;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 320 : is_plane (self) ? 340 : 210;
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

static gboolean
on_describe (gpointer data)
{
  SsuiImpactView *self = data;
  g_autofree char *text = self->set != NULL ? ssapp_impact_view_describe (self->set, self->view) : g_strdup ("");

  self->describe_idle = 0;
  ssui_set_description (GTK_WIDGET (self), text);
  return G_SOURCE_REMOVE;
}

/* Words follow when samples have stopped to stream for a moment. */
static void
on_changed (SsuiImpactView *self)
{
  gtk_widget_queue_draw (GTK_WIDGET (self));
  if (self->describe_idle != 0)
    g_source_remove (self->describe_idle);
  self->describe_idle = g_timeout_add (150, on_describe, self);
}

/* ---- pointer ----------------------------------------------------------------------------------------------------- */

static gboolean
value_at (SsuiImpactView *self, double x, double y, double value[2], double scale[2])
{
  SsappImpactPicture picture;
  SsappStyle style;
  gboolean inside;

  ssui_style_init (&style, GTK_WIDGET (self));
  ssapp_impact_set_fill_picture (self->set, self->view == SSAPP_IMPACT_VIEW_PLANE_2, &style, &picture);
  inside = ssapp_plane_value_at (&style, &picture.spec, gtk_widget_get_width (GTK_WIDGET (self)),
                                 gtk_widget_get_height (GTK_WIDGET (self)), x, y, value, scale);
  ssapp_impact_picture_clear (&picture);
  return inside;
}

static void
brush (SsuiImpactView *self, double x, double y, double dx, double dy)
{
  double a[2], b[2], scale[2];

  value_at (self, MIN (x, x + dx), MAX (y, y + dy), a, scale);
  value_at (self, MAX (x, x + dx), MIN (y, y + dy), b, scale);
  const double box[4] = {a[0], b[0], a[1], b[1]};
  ssapp_impact_set_brush (self->set, self->view == SSAPP_IMPACT_VIEW_PLANE_2, box);
}

static void
brush_energy (SsuiImpactView *self, double x, double dx)
{
  const double width = gtk_widget_get_width (GTK_WIDGET (self)), height = gtk_widget_get_height (GTK_WIDGET (self));
  SsappStyle style;

  ssui_style_init (&style, GTK_WIDGET (self));
  ssapp_impact_set_brush_energy (self->set,
                                 ssapp_impact_view_energy_at (self->set, &style, width, height, MIN (x, x + dx)),
                                 ssapp_impact_view_energy_at (self->set, &style, width, height, MAX (x, x + dx)));
}

static void
draw_rates (SsuiImpactView *self, double x, double y, gboolean is_first)
{
  SsappStyle style;

  ssui_style_init (&style, GTK_WIDGET (self));
  ssapp_impact_view_draw_rates (self->set, &style, gtk_widget_get_width (GTK_WIDGET (self)),
                                gtk_widget_get_height (GTK_WIDGET (self)), x, y, is_first);
}

static void
on_drag_begin (GtkGestureDrag *gesture, double x, double y, SsuiImpactView *self)
{
  (void)gesture;
  if (self->set != NULL && self->view == SSAPP_IMPACT_VIEW_RATES)
    draw_rates (self, x, y, TRUE);
}

static void
on_drag_update (GtkGestureDrag *gesture, double dx, double dy, SsuiImpactView *self)
{
  double x, y;

  if (self->set != NULL && self->view == SSAPP_IMPACT_VIEW_RATES &&
      gtk_gesture_drag_get_start_point (gesture, &x, &y)) {
    draw_rates (self, x + dx, y + dy, FALSE);
    return;
  }
  const gboolean is_energy = self->view == SSAPP_IMPACT_VIEW_ENERGY;
  if (self->set == NULL || (!is_plane (self) && !is_energy) || MAX (ABS (dx), ABS (dy)) < CLICK_PX ||
      !gtk_gesture_drag_get_start_point (gesture, &x, &y))
    return;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  if (is_energy)
    brush_energy (self, x, dx);
  else
    brush (self, x, y, dx, dy);
}

static void
on_click (SsuiImpactView *self, double x, double y)
{
  double value[2], scale[2];

  if (is_plane (self)) {
    if (value_at (self, x, y, value, scale))
      ssapp_impact_set_choose_nearest (self->set, self->view == SSAPP_IMPACT_VIEW_PLANE_2, value, scale);
    else
      ssapp_impact_set_clear_brush (self->set);
  } else if (self->view == SSAPP_IMPACT_VIEW_ENERGY) {
    ssapp_impact_set_clear_brush (self->set);
  } else if (self->view == SSAPP_IMPACT_VIEW_SEQUENCE) {
    SsappStyle style;
    ssui_style_init (&style, GTK_WIDGET (self));
    ssapp_impact_set_set_step (self->set,
                               ssapp_impact_view_step_at (self->set, &style, gtk_widget_get_width (GTK_WIDGET (self)),
                                                          gtk_widget_get_height (GTK_WIDGET (self)), x));
  }
}

static void
on_drag_end (GtkGestureDrag *gesture, double dx, double dy, SsuiImpactView *self)
{
  double x, y;

  if (self->set == NULL || !gtk_gesture_drag_get_start_point (gesture, &x, &y))
    return;
  if (MAX (ABS (dx), ABS (dy)) < CLICK_PX) {
    gtk_widget_grab_focus (GTK_WIDGET (self));
    on_click (self, x, y);
  }
}

/* ---- keys -------------------------------------------------------------------------------------------------------- */

/* Left and right move the brush of the energy, with Shift its upper end. */
static gboolean
on_key (SsuiImpactView *self, guint key, guint code, GdkModifierType state)
{
  (void)code;
  if (self->set == NULL || self->view != SSAPP_IMPACT_VIEW_ENERGY || (key != GDK_KEY_Left && key != GDK_KEY_Right))
    return GDK_EVENT_PROPAGATE;
  ssapp_impact_set_move_energy_brush (self->set, key == GDK_KEY_Left ? -1 : 1, (state & GDK_SHIFT_MASK) != 0);
  return GDK_EVENT_STOP;
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

void
ssui_impact_view_show (SsuiImpactView *self, SsappImpactSet *set, SsappImpactView view)
{
  g_return_if_fail (SSUI_IS_IMPACT_VIEW (self));

  if (self->set != NULL)
    g_signal_handlers_disconnect_by_data (self->set, self);
  g_set_object (&self->set, set);
  self->view = view;
  if (view != SSAPP_IMPACT_VIEW_SEQUENCE && view != SSAPP_IMPACT_VIEW_OUTCOME) /* of the chosen one alone */
    g_signal_connect_object (set, "changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (set, "chosen", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (set, "source", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  on_changed (self);
}

static void
ssui_impact_view_dispose (GObject *object)
{
  SsuiImpactView *self = SSUI_IMPACT_VIEW (object);

  if (self->describe_idle != 0)
    g_source_remove (self->describe_idle);
  self->describe_idle = 0;
  if (self->set != NULL)
    g_signal_handlers_disconnect_by_data (self->set, self);
  g_clear_object (&self->set);
  G_OBJECT_CLASS (ssui_impact_view_parent_class)->dispose (object);
}

static void
ssui_impact_view_class_init (SsuiImpactViewClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = ssui_impact_view_dispose;
  widget_class->snapshot = ssui_impact_view_snapshot;
  widget_class->measure = ssui_impact_view_measure;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
ssui_impact_view_init (SsuiImpactView *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), GDK_BUTTON_PRIMARY);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (gtk_widget_queue_draw), self,
                           G_CONNECT_SWAPPED);
}
