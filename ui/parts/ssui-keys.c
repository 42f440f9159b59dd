/* ui/parts/ssui-keys.c: see the header. */
#include "ui/parts/ssui-keys.h"

static gboolean
act (GtkWidget *widget, GVariant *arguments, gpointer action)
{
  g_autofree char *name = NULL;
  g_autoptr (GVariant) target = NULL;

  (void)arguments;
  g_action_parse_detailed_name (action, &name, &target, NULL);
  return gtk_widget_activate_action_variant (widget, name, target);
}

static gboolean
act_unless_typing (GtkWidget *widget, GVariant *arguments, gpointer action)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (widget));

  return !GTK_IS_EDITABLE (focus) && !GTK_IS_TEXT_VIEW (focus) && act (widget, arguments, action);
}

GtkEventController *
ssui_keys_attach (GtkWidget *widget, const SsuiKey *rows, gboolean unless_typing)
{
  GtkEventController *controller = gtk_shortcut_controller_new ();

  for (const SsuiKey *row = rows; row->keys != NULL; row++) {
    g_auto (GStrv) keys = g_strsplit (row->keys, " ", -1);
    for (int i = 0; row->action != NULL && keys[i] != NULL; i++)
      gtk_shortcut_controller_add_shortcut (
          GTK_SHORTCUT_CONTROLLER (controller),
          gtk_shortcut_new (
              gtk_shortcut_trigger_parse_string (keys[i]),
              gtk_callback_action_new (unless_typing ? act_unless_typing : act, (gpointer)row->action, NULL)));
  }
  gtk_widget_add_controller (widget, controller);
  return controller;
}

void
ssui_keys_close (GtkWidget *window)
{
  static const SsuiKey rows[] = {{.keys = "Escape", .action = "window.close"}, {0}};

  ssui_keys_attach (window, rows, FALSE);
}

gboolean
ssui_keys_act (GtkWidget *widget, const SsuiKey *rows, guint key, GdkModifierType state)
{
  const char *found = NULL;

  for (const SsuiKey *row = rows; row->keys != NULL; row++) {
    guint wanted;
    GdkModifierType modifiers;
    if (row->action == NULL || !gtk_accelerator_parse (row->keys, &wanted, &modifiers) ||
        wanted != gdk_keyval_to_lower (key))
      continue;
    if (found == NULL || modifiers == (state & GDK_SHIFT_MASK))
      found = row->action;
  }
  return found != NULL && act (widget, NULL, (gpointer)found);
}
