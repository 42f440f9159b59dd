/* ui/parts/ssui-clicks.c: see the header. Tests: tests/ui/test_clicks.py */
#include "ui/parts/ssui-clicks.h"

#define ALL_BUTTONS (GDK_BUTTON1_MASK | GDK_BUTTON2_MASK | GDK_BUTTON3_MASK | GDK_BUTTON4_MASK | GDK_BUTTON5_MASK)

static GdkModifierType
mask_of (guint button)
{
  return button >= 1 && button <= 5 ? (GdkModifierType)(GDK_BUTTON1_MASK << (button - 1)) : 0;
}

static gboolean
on_event (GtkEventController *controller, GdkEvent *event, gpointer data)
{
  GdkModifierType *pressed = data; /* as the events handled so far say */
  const GdkEventType type = gdk_event_get_event_type (event);

  (void)controller;
  if (type == GDK_BUTTON_PRESS)
    *pressed |= mask_of (gdk_button_event_get_button (event));
  else if (type == GDK_BUTTON_RELEASE)
    *pressed &= ~mask_of (gdk_button_event_get_button (event));
  else if (type == GDK_MOTION_NOTIFY) {
    const GdkModifierType now = gdk_event_get_modifier_state (event) & ALL_BUTTONS;
    if (gdk_event_get_time (event) == GDK_CURRENT_TIME) /* made up */
      return (*pressed & ~now) != 0 ? GDK_EVENT_STOP : GDK_EVENT_PROPAGATE;
    *pressed &= now; /* a release that went elsewhere */
  }
  return GDK_EVENT_PROPAGATE;
}

/* ---- popovers that were closed ----------------------------------------------------------------------------------- */

static gboolean
let_go (gpointer data)
{
  GtkWidget *popover = data;

  if (!gtk_widget_get_visible (popover) && gtk_widget_get_realized (popover))
    gtk_widget_unrealize (popover);
  return G_SOURCE_REMOVE;
}

static gboolean
on_popover_closed (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer data)
{
  (void)hint;
  (void)n_values;
  (void)data;
  /* before the next event and the next frame, but not while it is being hidden */
  g_idle_add_full (G_PRIORITY_HIGH, let_go, g_value_dup_object (&values[0]), g_object_unref);
  return TRUE;
}

/* ---- windows and popovers ---------------------------------------------------------------------------------------- */

/* Popovers that take the pointer for themselves keep their events from the window above them: each is asked itself. */
static gboolean
on_realized (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer data)
{
  GtkWidget *widget = g_value_get_object (&values[0]);
  const GQuark guarded = g_quark_from_static_string ("ssui-guarded");

  (void)hint;
  (void)n_values;
  (void)data;
  if ((!GTK_IS_WINDOW (widget) && !GTK_IS_POPOVER (widget)) || g_object_get_qdata (G_OBJECT (widget), guarded) != NULL)
    return TRUE;
  GtkEventController *controller = gtk_event_controller_legacy_new ();
  GdkModifierType *pressed = g_new0 (GdkModifierType, 1);
  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
  g_signal_connect (controller, "event", G_CALLBACK (on_event), pressed);
  gtk_widget_add_controller (widget, controller);
  g_object_set_qdata_full (G_OBJECT (widget), guarded, pressed, g_free);
  return TRUE;
}

void
ssui_guard_clicks (void)
{
  g_type_class_ref (GTK_TYPE_POPOVER); /* for good: a class that is not there has no signals */
  g_signal_add_emission_hook (g_signal_lookup ("closed", GTK_TYPE_POPOVER), 0, on_popover_closed, NULL, NULL);
  g_signal_add_emission_hook (g_signal_lookup ("realize", GTK_TYPE_WIDGET), 0, on_realized, NULL, NULL);
}
