/* ui/window/ssui-window-focus.c: keys go on working after a menu or a button of the header bar: a click there takes the
 * keyboard focus from nobody, and a menu that closes gives it back to who had it. */
#include "ui/window/ssui-window-private.h"

/* Widgets of a menu have the focus only while it is open. */
static void
on_focus_changed (SsuiWindow *self)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));

  if (focus != NULL && gtk_widget_get_ancestor (focus, GTK_TYPE_POPOVER) == NULL)
    g_set_weak_pointer (&self->last_focus, focus);
}

static void
on_menu_opened (SsuiWindow *self)
{
  g_set_weak_pointer (&self->focus_before_menu, self->last_focus);
}

/* On a page that is not shown, or left behind on the button of a menu. */
static gboolean
is_nowhere (SsuiWindow *self, GtkWidget *focus)
{
  return focus == NULL || !gtk_widget_get_mapped (focus) || gtk_widget_is_ancestor (focus, self->menu) ||
         gtk_widget_is_ancestor (focus, self->export);
}

static SsuiCanvas *
canvas_on_show (SsuiWindow *self)
{
  return ssui_window_get_shown (self).canvas;
}

static gboolean
on_focus_idle (gpointer data)
{
  SsuiWindow *self = data;
  SsuiCanvas *canvas = canvas_on_show (self);
  GtkWidget *wanted = self->focus_before_menu, *focus = gtk_window_get_focus (GTK_WINDOW (self));

  self->focus_idle = 0;
  if (focus != NULL && gtk_widget_get_mapped (focus) && gtk_widget_get_ancestor (focus, GTK_TYPE_POPOVER) != NULL)
    return G_SOURCE_REMOVE; /* another menu is open by now */
  if (wanted != NULL && gtk_widget_get_mapped (wanted) && gtk_widget_get_root (wanted) == GTK_ROOT (self))
    gtk_widget_grab_focus (wanted);
  else if (is_nowhere (self, focus) && canvas != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (canvas));
  g_clear_weak_pointer (&self->focus_before_menu);
  return G_SOURCE_REMOVE;
}

/* After a menu has closed or another page has come. GTK moves the focus itself then, so this waits until it has. */
static void
look_after_focus (SsuiWindow *self)
{
  if (self->focus_idle == 0)
    self->focus_idle = g_idle_add_full (G_PRIORITY_LOW, on_focus_idle, self, NULL);
}

/* Letters choose tools wherever nobody types: lists, switches, buttons have no use for them. In an open list they may
 * look a row up. */
static gboolean
on_letter (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, SsuiWindow *self)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));
  SsuiCanvas *canvas = canvas_on_show (self);

  (void)controller;
  (void)code;
  if (canvas == NULL || focus == NULL || GTK_IS_EDITABLE (focus) || GTK_IS_TEXT_VIEW (focus) ||
      gtk_widget_get_ancestor (focus, GTK_TYPE_POPOVER) != NULL)
    return GDK_EVENT_PROPAGATE;
  return ssui_canvas_letter (canvas, key, state);
}

void
ssui_window_keep_focus (SsuiWindow *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkWidget *menus[] = {self->menu, self->export};
  GtkWidget *buttons[] = {self->open, self->undo, self->redo,
                          gtk_widget_get_first_child (self->menu)}; /* the button inside */

  for (guint i = 0; i < G_N_ELEMENTS (buttons); i++)
    gtk_widget_set_focus_on_click (buttons[i], FALSE);
  for (GtkWidget *next = gtk_widget_get_first_child (self->slot); next != NULL;
       next = gtk_widget_get_next_sibling (next))
    gtk_widget_set_focus_on_click (GTK_IS_MENU_BUTTON (next) ? gtk_widget_get_first_child (next) : next, FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (menus); i++) {
    GtkPopover *popover = gtk_menu_button_get_popover (GTK_MENU_BUTTON (menus[i]));
    g_signal_connect_object (popover, "map", G_CALLBACK (on_menu_opened), self, G_CONNECT_SWAPPED);
    g_signal_connect_object (popover, "closed", G_CALLBACK (look_after_focus), self, G_CONNECT_SWAPPED);
  }
  g_signal_connect_object (self->pages, "notify::visible-child", G_CALLBACK (look_after_focus), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (on_letter), self, 0);
  gtk_widget_add_controller (GTK_WIDGET (self), keys); /* what the focus left over */
  g_signal_connect (self, "notify::focus-widget", G_CALLBACK (on_focus_changed), NULL);
}

void
ssui_window_forget_focus (SsuiWindow *self)
{
  g_clear_handle_id (&self->focus_idle, g_source_remove);
  g_clear_weak_pointer (&self->last_focus);
  g_clear_weak_pointer (&self->focus_before_menu);
}
