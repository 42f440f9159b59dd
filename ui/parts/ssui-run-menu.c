/* ui/parts/ssui-run-menu.c: see the header. */
#include "ui/parts/ssui-run-menu.h"

#include "app/session/ssapp-effects.h"

#include <string.h>

static void
add (GMenu *menu, const char *label, const char *action, const char *ids)
{
  GMenuItem *item = g_menu_item_new (label, NULL);

  g_menu_item_set_action_and_target (item, action, "s", ids);
  g_menu_append_item (menu, item);
  g_object_unref (item);
}

/* The commands for these runs, to be a section of any menu; new. */
static GMenuModel *
ssui_run_menu_new (const char *ids)
{
  GMenu *menu = g_menu_new ();

  add (menu, "Provenance", "win.provenance", ids);
  if (strchr (ids, ',') == NULL)
    add (menu, "Reproduce", "win.reproduce", ids);
  add (menu, "Copy as Command", "win.copy-command", ids);
  return G_MENU_MODEL (menu);
}

GMenuModel *
ssui_run_menu_of (SsappRun *run)
{
  const char *id = ssapp_run_is_running (run) ? NULL : ssapp_run_get_id (run);
  GMenuModel *menu = id != NULL ? ssui_run_menu_new (id) : NULL;

  if (menu != NULL && ssapp_effects_reason (run) == NULL)
    add (G_MENU (menu), "What Moves This?", "win.what-moves", id);
  return menu;
}

GMenuModel *
ssui_run_menu_of_event (SsappRun *run, double t)
{
  GMenu *menu;
  GMenuItem *item;

  if (ssapp_effects_reason (run) != NULL)
    return NULL;
  menu = g_menu_new ();
  item = g_menu_item_new ("What Moves This?", NULL);
  g_menu_item_set_action_and_target (item, "win.what-moves-event", "(sd)", ssapp_run_get_id (run), t);
  g_menu_append_item (menu, item);
  g_object_unref (item);
  return G_MENU_MODEL (menu);
}

typedef struct {
  SsuiRunMenuAt at;
} Host; /* the widget's data */

static gboolean
drop_menu (gpointer menu)
{
  gtk_widget_unparent (menu);
  return G_SOURCE_REMOVE;
}

static void
on_closed (GtkWidget *menu)
{
  g_idle_add (drop_menu, menu); /* its command is still to be done */
}

static gboolean
show_at (GtkWidget *widget, double x, double y)
{
  const Host *host = g_object_get_data (G_OBJECT (widget), "run-menu");
  g_autoptr (GMenuModel) model = host->at (widget, x, y);
  GtkWidget *menu;

  if (model == NULL)
    return FALSE;
  menu = gtk_popover_menu_new_from_model (model);
  gtk_widget_set_parent (menu, widget);
  gtk_popover_set_has_arrow (GTK_POPOVER (menu), FALSE);
  gtk_popover_set_pointing_to (GTK_POPOVER (menu), &(GdkRectangle){(int)x, (int)y, 1, 1});
  gtk_widget_set_halign (menu, GTK_ALIGN_START);
  g_signal_connect (menu, "closed", G_CALLBACK (on_closed), NULL);
  gtk_popover_popup (GTK_POPOVER (menu));
  return TRUE;
}

static void
on_pressed (GtkGestureClick *gesture, int n_press, double x, double y, GtkWidget *widget)
{
  (void)n_press;
  if (show_at (widget, x, y))
    gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
}

static void
on_long_press (GtkGestureLongPress *gesture, double x, double y, GtkWidget *widget)
{
  if (show_at (widget, x, y))
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
  double x = gtk_widget_get_width (widget) / 3.0, y = gtk_widget_get_height (widget) / 3.0;
  if (focus != NULL && gtk_widget_is_ancestor (focus, widget))
    gtk_widget_translate_coordinates (focus, widget, gtk_widget_get_width (focus) / 2.0,
                                      gtk_widget_get_height (focus) / 2.0, &x, &y);
  return show_at (widget, x, y);
}

void
ssui_run_menu_attach (GtkWidget *widget, SsuiRunMenuAt at)
{
  GtkGesture *click = gtk_gesture_click_new (), *hold = gtk_gesture_long_press_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();
  Host *host = g_new0 (Host, 1);

  host->at = at;
  g_object_set_data_full (G_OBJECT (widget), "run-menu", host, g_free);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  gtk_gesture_single_set_touch_only (GTK_GESTURE_SINGLE (hold), TRUE); /* a held button is a drag */
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), widget);
  g_signal_connect (hold, "pressed", G_CALLBACK (on_long_press), widget);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), widget);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (hold));
  gtk_widget_add_controller (widget, keys);
}
