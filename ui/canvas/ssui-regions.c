/* ui/canvas/ssui-regions.c: see the header. */
#include "ui/canvas/ssui-regions.h"

#include <math.h>

#define REGION_CLASS "region"

static void
collect (GtkWidget *widget, GPtrArray *regions)
{
  if (!gtk_widget_get_mapped (widget) || !gtk_widget_get_child_visible (widget))
    return;
  if (gtk_widget_has_css_class (widget, REGION_CLASS))
    g_ptr_array_add (regions, widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    collect (child, regions);
}

/* As one reads: from top to bottom, then from left to right. */
static int
by_place (gconstpointer a, gconstpointer b)
{
  GtkWidget *x = *(GtkWidget *const *)a, *y = *(GtkWidget *const *)b;
  graphene_rect_t at_x, at_y;

  if (!gtk_widget_compute_bounds (x, GTK_WIDGET (gtk_widget_get_root (x)), &at_x) ||
      !gtk_widget_compute_bounds (y, GTK_WIDGET (gtk_widget_get_root (y)), &at_y))
    return 0;
  if (fabsf (at_x.origin.y - at_y.origin.y) >= 1)
    return at_x.origin.y < at_y.origin.y ? -1 : 1;
  return (at_x.origin.x > at_y.origin.x) - (at_x.origin.x < at_y.origin.x);
}

/* The innermost region with the focus, -1 if it is elsewhere. */
static int
region_with_focus (GPtrArray *regions, GtkWidget *focus)
{
  int found = -1;

  for (guint i = 0; focus != NULL && i < regions->len; i++) {
    GtkWidget *region = g_ptr_array_index (regions, i);
    if ((region == focus || gtk_widget_is_ancestor (focus, region)) &&
        (found < 0 || gtk_widget_is_ancestor (region, g_ptr_array_index (regions, (guint)found))))
      found = (int)i;
  }
  return found;
}

gboolean
ssui_focus_region (GtkWindow *window, int direction)
{
  g_autoptr (GPtrArray) regions = g_ptr_array_new ();
  int n, at;

  collect (GTK_WIDGET (window), regions);
  g_ptr_array_sort (regions, by_place);
  n = (int)regions->len;
  at = region_with_focus (regions, gtk_window_get_focus (window));
  if (at < 0 && direction < 0)
    at = 0;
  for (int step = 0; step < n; step++) {
    at = (at + direction + n) % n;
    if (gtk_widget_child_focus (g_ptr_array_index (regions, (guint)at), GTK_DIR_TAB_FORWARD))
      return TRUE;
  }
  return FALSE;
}
