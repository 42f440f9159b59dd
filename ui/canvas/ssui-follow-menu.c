/* ui/canvas/ssui-follow-menu.c: see the header. */
#include "ui/canvas/ssui-follow-menu.h"

#include "app/draw/ssapp-region.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>

enum { MOST_BODIES = 40 }; /* more items could not be read */

void
ssui_follow_menu_fill (GtkWidget *button, SsappRun *run)
{
  g_return_if_fail (GTK_IS_MENU_BUTTON (button) && (run == NULL || SSAPP_IS_RUN (run)));
  g_autoptr (GMenu) menu = g_menu_new (), bodies_menu = g_menu_new (), forces = g_menu_new ();
  g_autoptr (GPtrArray) bodies =
      run != NULL && ssapp_run_get_view (run) != NULL
          ? ssapp_region_list_bodies (ssapp_run_get_view (run), ssapp_run_get_trajectory (run))
          : NULL;

  for (guint i = 0; bodies != NULL && i < MIN (bodies->len, MOST_BODIES); i++) {
    g_autofree char *label = g_strdup_printf (_ ("Follow %s"), (char *)g_ptr_array_index (bodies, i));
    g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);
    g_menu_item_set_action_and_target (item, "win.follow-body", "s", (char *)g_ptr_array_index (bodies, i));
    g_menu_append_item (bodies_menu, item);
    g_autoptr (GMenuItem) force = g_menu_item_new (g_ptr_array_index (bodies, i), NULL);
    g_menu_item_set_action_and_target (force, "win.forces-of", "s", (char *)g_ptr_array_index (bodies, i));
    g_menu_append_item (forces, force);
  }
  g_menu_prepend (forces, _ ("All Bodies"), "win.forces-of::");
  g_menu_append (menu, _ ("Follow Nobody"), "win.follow-body::");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (bodies_menu));
  g_menu_append_submenu (menu, _ ("Contact Forces of"), G_MENU_MODEL (forces));
  ssui_set_menu (button, menu);
  gtk_widget_set_sensitive (button, bodies != NULL && bodies->len > 0);
}
