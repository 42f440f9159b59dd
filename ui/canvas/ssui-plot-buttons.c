/* ui/canvas/ssui-plot-buttons.c: see the header. */
#include "ui/canvas/ssui-plot-buttons.h"

#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <math.h>

static GMenu *
plot_menu (const SsappChannelPlots *plots, int plot)
{
  GMenu *menu = g_menu_new ();
  const SsappChannelPlot *about = ssapp_channel_plots_at (plots, plot);
  g_autoptr (GMenuItem) up = g_menu_item_new (_ ("Move Up"), NULL), down = g_menu_item_new (_ ("Move Down"), NULL),
                        axis = g_menu_item_new (about->is_log ? _ ("Linear Axis") : _ ("Logarithmic Axis"), NULL),
                        all = g_menu_item_new (_ ("Show All Values"), NULL),
                        gone = g_menu_item_new (_ ("Remove Plot"), NULL);

  g_menu_item_set_action_and_target (up, "win.move-plot", "(ii)", plot, -1);
  g_menu_item_set_action_and_target (down, "win.move-plot", "(ii)", plot, 1);
  g_menu_item_set_action_and_target (axis, "win.plot-log", "(ib)", plot, !about->is_log);
  g_menu_item_set_action_and_target (all, "win.zoom-values", "(idd)", plot, 0.0, 0.0);
  g_menu_item_set_action_and_target (gone, "win.remove-plot", "i", plot);
  if (plot > 0)
    g_menu_append_item (menu, up);
  if (plot + 1 < (int)plots->plots->len)
    g_menu_append_item (menu, down);
  g_menu_append_item (menu, axis);
  if (!isnan (about->y_min))
    g_menu_append_item (menu, all);
  g_menu_append_item (menu, gone);
  return menu;
}

void
ssui_plot_buttons_update (GtkWidget *parent, GPtrArray *buttons, const SsappChannelPlots *plots,
                          const SsappChannelStack *stack)
{
  const guint n = plots->plots->len;

  while (buttons->len > n) {
    gtk_widget_unparent (g_ptr_array_index (buttons, buttons->len - 1));
    g_ptr_array_set_size (buttons, (gint)buttons->len - 1);
  }
  while (buttons->len < n) {
    GtkWidget *button = gtk_menu_button_new ();
    gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), "view-more-symbolic");
    gtk_widget_add_css_class (button, "flat");
    gtk_widget_add_css_class (button, "plot-menu");
    gtk_widget_set_parent (button, parent);
    g_ptr_array_add (buttons, button);
  }
  for (guint p = 0; p < n; p++) {
    GtkWidget *button = g_ptr_array_index (buttons, p);
    g_autofree char *label = g_strdup_printf (_ ("Plot of %s"), ssapp_channel_stack_title (stack, (int)p));
    g_autofree char *tip =
        g_strdup_printf (_ ("Move, remove or change the plot of %s"), ssapp_channel_stack_title (stack, (int)p));
    g_autoptr (GMenu) menu = plot_menu (plots, (int)p);
    ssui_set_menu (button, menu);
    ssui_set_tip (button, tip);
    ssui_set_label (button, label);
  }
}
