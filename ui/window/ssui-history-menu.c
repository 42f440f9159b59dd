/* ui/window/ssui-history-menu.c: see the header. */
#include "ui/window/ssui-history-menu.h"

#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>

enum { SHOWN_MAX = 15 }; /* steps each way: the menu is no taller than a small window */

/* A title and the steps below it; `sign` of the action's number. The way of redoing has its next step at the bottom, as
 * time runs upwards. */
static void
add_steps (GMenu *menu, GPtrArray *labels, const char *title, int sign)
{
  g_autoptr (GMenu) section = g_menu_new ();

  for (guint i = 0; i < MIN (labels->len, SHOWN_MAX); i++) {
    g_autoptr (GMenuItem) item = g_menu_item_new (g_ptr_array_index (labels, i), NULL);
    g_menu_item_set_action_and_target (item, "win.history", "i", sign * (int)(i + 1));
    if (sign > 0)
      g_menu_prepend_item (section, item);
    else
      g_menu_append_item (section, item);
  }
  if (labels->len > 0)
    g_menu_append_section (menu, title, G_MENU_MODEL (section));
}

static void
fill (GtkMenuButton *button, gpointer data)
{
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GPtrArray) undo = ssapp_document_list_steps (data, FALSE), redo = ssapp_document_list_steps (data, TRUE);

  add_steps (menu, redo, _ ("Redo up to"), 1);
  add_steps (menu, undo, _ ("Undo down to"), -1);
  if (undo->len + redo->len == 0)
    g_menu_append (menu, _ ("Nothing was changed yet"),
                   "win.history-empty"); /* there is no such action: it is dimmed */
  gtk_menu_button_set_menu_model (button, G_MENU_MODEL (menu));
}

void
ssui_history_menu_attach (GtkMenuButton *button, SsappDocument *document)
{
  gtk_menu_button_set_create_popup_func (button, fill, document, NULL);
  ssui_set_label (gtk_widget_get_first_child (GTK_WIDGET (button)), _ ("History of edits")); /* it has the focus */
}
