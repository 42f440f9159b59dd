/* ui/parts/ssui-context-menu.c: see the header. */
#include "ui/parts/ssui-context-menu.h"

static SsuiMenuFill fill_lines;

void
ssui_context_menu_set_fill (SsuiMenuFill fill)
{
  fill_lines = fill;
}

void
ssui_context_menu_add (GMenu *menu, const char *label, SsuiMenuGroup group, GVariant *target)
{
  g_autoptr (GMenu) lines = g_menu_new ();
  g_autoptr (GVariant) taken = target != NULL ? g_variant_ref_sink (target) : NULL;

  fill_lines (g_strcmp0 (label, "") == 0 ? menu : lines, group, taken);
  if (label != NULL && *label != '\0')
    g_menu_append_submenu (menu, label, G_MENU_MODEL (lines));
  else if (label == NULL)
    g_menu_append_section (menu, NULL, G_MENU_MODEL (lines));
}

/* ---- showing it -------------------------------------------------------------------------------------------------- */

/* The focus goes back to what had it, unless a command has put it into an entry; GTK itself has moved it to the first
 * button of the window. */
static gboolean
drop_menu (gpointer menu)
{
  GtkRoot *root = gtk_widget_get_root (menu);
  GtkWidget *before = g_object_get_data (G_OBJECT (menu), "before"),
            *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  if (before != NULL && gtk_widget_get_mapped (before) && !GTK_IS_EDITABLE (focus))
    gtk_widget_grab_focus (before);
  gtk_widget_unparent (menu);
  return G_SOURCE_REMOVE;
}

static void
on_closed (GtkWidget *menu)
{
  g_idle_add (drop_menu, menu); /* its command is still to be done */
}

gboolean
ssui_context_menu_popup (GtkWidget *widget, GMenuModel *model, double x, double y)
{
  GtkWidget *before = gtk_root_get_focus (gtk_widget_get_root (widget)), *parent = widget, *menu;
  double px, py;

  while (parent != NULL && gtk_widget_get_layout_manager (parent) == NULL) /* it places popovers */
    parent = gtk_widget_get_parent (parent);
  if (model == NULL || parent == NULL || !gtk_widget_translate_coordinates (widget, parent, x, y, &px, &py))
    return FALSE;
  menu = gtk_popover_menu_new_from_model (model);
  gtk_widget_set_parent (menu, parent);
  gtk_popover_set_has_arrow (GTK_POPOVER (menu), FALSE);
  gtk_popover_set_pointing_to (GTK_POPOVER (menu), &(GdkRectangle){(int)px, (int)py, 1, 1});
  gtk_widget_set_halign (menu, GTK_ALIGN_START);
  if (before != NULL)
    g_object_set_data_full (G_OBJECT (menu), "before", g_object_ref (before), g_object_unref);
  g_signal_connect (menu, "closed", G_CALLBACK (on_closed), NULL);
  gtk_popover_popup (GTK_POPOVER (menu));
  return TRUE;
}

/* ---- asking for it ----------------------------------------------------------------------------------------------- */

typedef struct {
  SsuiMenuAt menu_at;
  gpointer data;
} Host; /* of a widget */

static gboolean
show_at (GtkWidget *widget, double x, double y, gboolean by_key)
{
  const Host *host = g_object_get_data (G_OBJECT (widget), "context-menu");
  g_autoptr (GMenuModel) model = host->menu_at (widget, x, y, by_key, host->data);

  return ssui_context_menu_popup (widget, model, x, y);
}

static void
on_pressed (GtkGestureClick *gesture, int n_press, double x, double y, GtkWidget *widget)
{
  (void)n_press;
  if (show_at (widget, x, y, FALSE))
    gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
}

static void
on_long_press (GtkGestureLongPress *gesture, double x, double y, GtkWidget *widget)
{
  if (show_at (widget, x, y, FALSE))
    gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
}

static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, GtkWidget *widget)
{
  (void)controller;
  (void)code;
  if (key != GDK_KEY_Menu && (key != GDK_KEY_F10 || (state & GDK_SHIFT_MASK) == 0))
    return FALSE;
  /* At what has the focus within it, such as a row. */
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (widget));
  double x = gtk_widget_get_width (widget) / 2.0, y = gtk_widget_get_height (widget) / 6.0; /* long ones have room */
  if (focus != NULL && focus != widget && gtk_widget_is_ancestor (focus, widget))
    gtk_widget_translate_coordinates (focus, widget, gtk_widget_get_width (focus) / 2.0,
                                      gtk_widget_get_height (focus) / 2.0, &x, &y);
  return show_at (widget, x, y, TRUE);
}

void
ssui_context_menu_attach (GtkWidget *widget, SsuiMenuAt menu_at, gpointer data)
{
  GtkGesture *click = gtk_gesture_click_new (), *hold = gtk_gesture_long_press_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();
  Host *host = g_new (Host, 1);

  *host = (Host){menu_at, data};
  g_object_set_data_full (G_OBJECT (widget), "context-menu", host, g_free);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  gtk_gesture_single_set_touch_only (GTK_GESTURE_SINGLE (hold), TRUE); /* a held button is a drag */
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (click), GTK_PHASE_CAPTURE);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), widget);
  g_signal_connect (hold, "pressed", G_CALLBACK (on_long_press), widget);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), widget);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (hold));
  gtk_widget_add_controller (widget, keys);
}
