/* ui/canvas/ssui-chart-view.c: see the header. */
#include "ui/canvas/ssui-chart-view.h"

#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <math.h>

struct _SsuiChartView {
  GtkWidget parent_instance;
  SsappStudySession *study; /* nullable after dispose */
  SsappStudyPart part;
  const SsappRunSet *set;      /* of a plain one; borrowed */
  SsappChart *own;             /* of it */
  double pointer_x, pointer_y; /* NaN: not over it */
  guint describe_idle;
};

G_DEFINE_FINAL_TYPE (SsuiChartView, ssui_chart_view, GTK_TYPE_WIDGET)

static const SsappChart *
chart_of (SsuiChartView *self)
{
  if (self->own != NULL)
    return self->own;
  return self->study != NULL ? ssapp_study_session_get_chart (self->study, self->part) : NULL;
}

static void
ssui_chart_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  SsuiChartView *self = SSUI_CHART_VIEW (widget);
  const int w = gtk_widget_get_width (widget), h = gtk_widget_get_height (widget);
  const SsappChart *chart = w > 0 && h > 0 ? chart_of (self) : NULL;
  SsappStyle style;
  cairo_t *cr;

  if (chart == NULL)
    return;
  ssui_style_init (&style, widget);
  cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, w, h));
  ssapp_chart_draw (chart, cr, &style, w, h,
                    self->study != NULL ? ssapp_study_session_get_selected (self->study) : NULL, self->pointer_x,
                    self->pointer_y);
  cairo_destroy (cr);
}

static void
ssui_chart_view_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                         int *minimum_baseline, int *natural_baseline)
{
  enum { LEAST_WIDTH = 140, LEAST_HEIGHT = 170, USUAL_HEIGHT = 260 };
  (void)widget;
  (void)for_size;
  (void)minimum_baseline;
  (void)natural_baseline;
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? LEAST_WIDTH : LEAST_HEIGHT;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? LEAST_WIDTH : USUAL_HEIGHT; /* the page widens them */
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

static gboolean
on_describe (gpointer data)
{
  SsuiChartView *self = data;
  const SsappChart *chart = chart_of (self);

  self->describe_idle = 0;
  ssui_set_label (GTK_WIDGET (self), chart != NULL ? ssapp_chart_get_title (chart) : _ ("Figure"));
  return G_SOURCE_REMOVE;
}

static void
on_changed (SsuiChartView *self)
{
  enum { REST_MS = 150 };

  gtk_widget_queue_draw (GTK_WIDGET (self));
  if (self->describe_idle == 0)
    self->describe_idle = g_timeout_add (REST_MS, on_describe, self);
}

/* ---- pointer ----------------------------------------------------------------------------------------------------- */

static void
pick (SsuiChartView *self, double x, double y, SsappChartPick *found)
{
  SsappStyle style;
  const SsappChart *chart = chart_of (self);

  *found = (SsappChartPick){0};
  if (chart == NULL)
    return;
  ssui_style_init (&style, GTK_WIDGET (self));
  ssapp_chart_pick (chart, &style, gtk_widget_get_width (GTK_WIDGET (self)), gtk_widget_get_height (GTK_WIDGET (self)),
                    x, y, found);
}

static gboolean
on_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  SsappChartPick found;
  gboolean has_words;

  if (keyboard)
    return FALSE;
  pick (SSUI_CHART_VIEW (widget), x, y, &found);
  has_words = found.words != NULL;
  if (has_words)
    gtk_tooltip_set_text (tooltip, found.words);
  ssapp_chart_pick_clear (&found);
  return has_words;
}

static void
on_motion (SsuiChartView *self, double x, double y)
{
  self->pointer_x = x;
  self->pointer_y = y;
  if (self->own != NULL || self->part == SSAPP_STUDY_PROFILE) /* values at the pointer */
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_leave (SsuiChartView *self)
{
  on_motion (self, NAN, NAN);
}

static void
open_item (SsuiChartView *self, guint item)
{
  const SsappRunRow *row = self->set != NULL ? g_array_index (self->set->items, SsappRunItem, item).row : NULL;
  const char *id =
      self->set != NULL ? (row != NULL ? row->id : NULL) : ssapp_study_session_get_run_id (self->study, item);

  if (id != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.open-run", "s", id);
}

static void
on_pressed (SsuiChartView *self, int n_presses, double x, double y)
{
  SsappChartPick found;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  pick (self, x, y, &found);
  const guint n = found.items != NULL ? found.items->len : 0;
  if (n_presses == 2 && n > 0)
    open_item (self, g_array_index (found.items, guint, 0));
  else if (n_presses == 1 && self->study != NULL)
    ssapp_study_session_select_items (self->study, n > 0 ? (const guint *)(const void *)found.items->data : NULL, n);
  ssapp_chart_pick_clear (&found);
}

/* ---- keys -------------------------------------------------------------------------------------------------------- */

static gboolean
on_key (SsuiChartView *self, guint key, guint code, GdkModifierType state)
{
  (void)code;
  if (self->study == NULL || self->part != SSAPP_STUDY_HEAT ||
      (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SHIFT_MASK)) != 0)
    return GDK_EVENT_PROPAGATE;
  switch (key) {
  case GDK_KEY_Left:
  case GDK_KEY_Right:
    ssapp_study_session_step_selected (self->study, key == GDK_KEY_Left ? -1 : 1, 0);
    return GDK_EVENT_STOP;
  case GDK_KEY_Up:
  case GDK_KEY_Down:
    ssapp_study_session_step_selected (self->study, 0, key == GDK_KEY_Up ? -1 : 1);
    return GDK_EVENT_STOP;
  case GDK_KEY_Return:
  case GDK_KEY_KP_Enter:
    gtk_widget_activate_action (GTK_WIDGET (self), "win.study-open-selected", NULL);
    return GDK_EVENT_STOP;
  case GDK_KEY_Escape:
    ssapp_study_session_select_items (self->study, NULL, 0);
    return GDK_EVENT_STOP;
  default:
    return GDK_EVENT_PROPAGATE;
  }
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

GtkWidget *
ssui_chart_view_new (SsappStudySession *study, SsappStudyPart part)
{
  SsuiChartView *self = g_object_new (SSUI_TYPE_CHART_VIEW, NULL);

  self->study = g_object_ref (study);
  self->part = part;
  g_signal_connect_object (study, "runs", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (study, "looked", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  on_changed (self);
  return GTK_WIDGET (self);
}

GtkWidget *
ssui_chart_view_new_plain (void)
{
  return g_object_new (SSUI_TYPE_CHART_VIEW, NULL);
}

void
ssui_chart_view_set (SsuiChartView *self, const SsappRunSet *set, const SsappChartSpec *spec)
{
  g_clear_pointer (&self->own, ssapp_chart_free);
  self->set = set;
  if (set != NULL)
    self->own = ssapp_chart_new (set, spec);
  on_changed (self);
}

const SsappChart *
ssui_chart_view_get_chart (SsuiChartView *self)
{
  return chart_of (self);
}

static void
ssui_chart_view_dispose (GObject *object)
{
  SsuiChartView *self = SSUI_CHART_VIEW (object);

  g_clear_handle_id (&self->describe_idle, g_source_remove);
  g_clear_object (&self->study);
  g_clear_pointer (&self->own, ssapp_chart_free);
  G_OBJECT_CLASS (ssui_chart_view_parent_class)->dispose (object);
}

static void
ssui_chart_view_class_init (SsuiChartViewClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = ssui_chart_view_dispose;
  widget_class->snapshot = ssui_chart_view_snapshot;
  widget_class->measure = ssui_chart_view_measure;
  widget_class->query_tooltip = on_tooltip;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
ssui_chart_view_init (SsuiChartView *self)
{
  GtkGesture *click = gtk_gesture_click_new ();
  GtkEventController *motion = gtk_event_controller_motion_new (), *keys = gtk_event_controller_key_new ();

  self->pointer_x = self->pointer_y = NAN;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_PRIMARY);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (on_leave), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (gtk_widget_queue_draw), self,
                           G_CONNECT_SWAPPED);
}
