/* tests/ui/window-walk-keys.c: see window-walk.h. The focus is moved by the signal that the keys Tab and the arrows
 * send, so that what a widget does with them decides. */
#include "window-walk.h"

#include <string.h>

enum { MOST_STEPS = 3000, MOST_KNOWN = 60 }; /* a way that does not come back; steps to places that are known by then */

static const GtkDirectionType arrows[] = {GTK_DIR_DOWN, GTK_DIR_RIGHT, GTK_DIR_UP, GTK_DIR_LEFT};

/* Whether the focus came to a widget where it was not before. */
static gboolean
reach (GtkWindow *window, GHashTable *reached, GPtrArray *order)
{
  GtkWidget *focus = gtk_window_get_focus (window);

  if (focus == NULL || !g_hash_table_add (reached, focus))
    return FALSE;
  g_ptr_array_add (order, focus);
  return TRUE;
}

static const char *
name_of (GtkWidget *widget)
{
  const char *tip = gtk_widget_get_tooltip_text (widget);

  if (tip == NULL && GTK_IS_BUTTON (widget))
    tip = gtk_button_get_label (GTK_BUTTON (widget));
  return tip != NULL ? tip : gtk_widget_get_name (widget);
}

/* What the key does: a list has its own way for Up and Down, here without selecting. */
static void
move (GtkWindow *window, GtkDirectionType direction)
{
  GtkWidget *focus = gtk_window_get_focus (window),
            *list = focus != NULL ? gtk_widget_get_ancestor (focus, GTK_TYPE_LIST_BOX) : NULL;

  if (list != NULL && (direction == GTK_DIR_DOWN || direction == GTK_DIR_UP))
    g_signal_emit_by_name (list, "move-cursor", GTK_MOVEMENT_DISPLAY_LINES, direction == GTK_DIR_DOWN ? 1 : -1, FALSE,
                           TRUE);
  else
    g_signal_emit_by_name (window, "move-focus", direction);
}

/* Tab from the window's first place until it comes back; then the arrows from each place, and from those they reach.
 * Appends the place that Tab does not leave ("trap"). */
static void
go_everywhere (GtkWindow *window, GHashTable *reached, GString *out)
{
  g_autoptr (GPtrArray) order = g_ptr_array_new ();
  GtkWidget *before = NULL;

  gtk_window_set_focus (window, NULL);
  for (int i = 0, n_known = 0; i < MOST_STEPS && n_known < MOST_KNOWN; i++) {
    move (window, GTK_DIR_TAB_FORWARD);
    if (gtk_window_get_focus (window) == before && order->len > 1) {
      window_walk_tell (out, "trap", before, name_of (before), "");
      break;
    }
    before = gtk_window_get_focus (window);
    n_known = reach (window, reached, order) ? 0 : n_known + 1;
  }
  for (guint i = 0; i < order->len && i < MOST_STEPS; i++)
    for (guint k = 0; k < G_N_ELEMENTS (arrows); k++) {
      gtk_widget_grab_focus (g_ptr_array_index (order, i));
      move (window, arrows[k]);
      reach (window, reached, order);
    }
}

static gboolean
is_listened_to (GtkWidget *widget)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GObject) controller = g_list_model_get_item (controllers, i);
    if (GTK_IS_GESTURE_CLICK (controller) &&
        gtk_gesture_single_get_button (GTK_GESTURE_SINGLE (controller)) == GDK_BUTTON_PRIMARY)
      return TRUE;
  }
  return FALSE;
}

static gboolean
has_focusable (GtkWidget *widget)
{
  if (gtk_widget_get_focusable (widget))
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (has_focusable (child))
      return TRUE;
  return FALSE;
}

static gboolean
has_reached (GtkWidget *widget, GHashTable *reached)
{
  if (g_hash_table_contains (reached, widget))
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (has_reached (child, reached))
      return TRUE;
  return FALSE;
}

static void
look (GtkWidget *widget, GHashTable *reached, GString *out)
{
  GtkWidget *parent = gtk_widget_get_parent (widget);

  if (!window_walk_is_seen (widget) || !gtk_widget_is_sensitive (widget) || GTK_IS_POPOVER (widget) ||
      !gtk_widget_get_can_focus (widget))
    return;
  /* A list and what scrolls take the keys only for what is in them */
  if (gtk_widget_get_focusable (widget) && !has_reached (widget, reached) && !GTK_IS_WINDOW (widget) &&
      !GTK_IS_LIST_BOX (widget) && !GTK_IS_SCROLLED_WINDOW (widget))
    window_walk_tell (out, "unreached", widget, name_of (widget), "");
  if (is_listened_to (widget) && !has_focusable (widget) && !gtk_widget_get_focusable (parent) &&
      (g_str_has_prefix (G_OBJECT_TYPE_NAME (widget), "Ssui") || GTK_IS_DRAWING_AREA (widget) || GTK_IS_BOX (widget) ||
       GTK_IS_LABEL (widget) || GTK_IS_IMAGE (widget) || GTK_IS_PICTURE (widget)))
    window_walk_tell (out, "no-key", widget, name_of (widget), "");
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    look (child, reached, out);
}

void
window_walk_keys (GtkWindow *window, GString *out)
{
  g_autoptr (GHashTable) reached = g_hash_table_new (NULL, NULL);
  GtkWidget *before = gtk_window_get_focus (window);

  go_everywhere (window, reached, out);
  look (GTK_WIDGET (window), reached, out);
  if (before != NULL && gtk_widget_get_mapped (before))
    gtk_widget_grab_focus (before);
}
