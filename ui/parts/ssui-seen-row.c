/* ui/parts/ssui-seen-row.c: see the header. */
#include "ui/parts/ssui-seen-row.h"

#define MARGIN 200 /* px about what is seen that are drawn, too */

struct _SsuiSeenRow {
  GtkListBoxRow parent_instance;
  gboolean is_skipped;
};

G_DEFINE_FINAL_TYPE (SsuiSeenRow, ssui_seen_row, GTK_TYPE_LIST_BOX_ROW)

static gboolean
is_in_sight (GtkWidget *row)
{
  GtkWidget *window = gtk_widget_get_ancestor (row, GTK_TYPE_SCROLLED_WINDOW);
  graphene_rect_t place;

  return window == NULL || !gtk_widget_compute_bounds (row, window, &place) ||
         (place.origin.y + place.size.height >= -MARGIN &&
          place.origin.y <= (float)gtk_widget_get_height (window) + MARGIN);
}

static void
ssui_seen_row_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  SsuiSeenRow *self = SSUI_SEEN_ROW (widget);

  self->is_skipped = !is_in_sight (widget);
  if (!self->is_skipped)
    GTK_WIDGET_CLASS (ssui_seen_row_parent_class)->snapshot (widget, snapshot);
}

static void
ssui_seen_row_class_init (SsuiSeenRowClass *class)
{
  GTK_WIDGET_CLASS (class)->snapshot = ssui_seen_row_snapshot;
}

static void
ssui_seen_row_init (SsuiSeenRow *self)
{
  (void)self;
}

GtkWidget *
ssui_seen_row_new (void)
{
  return g_object_new (SSUI_TYPE_SEEN_ROW, NULL);
}

/* Where they are is known when they draw: rows may be placed after the scrolled window has told its change. */
static void
on_scrolled (GtkListBox *list)
{
  for (GtkWidget *row = gtk_widget_get_first_child (GTK_WIDGET (list)); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    if (SSUI_IS_SEEN_ROW (row) && SSUI_SEEN_ROW (row)->is_skipped)
      gtk_widget_queue_draw (row);
}

void
ssui_seen_rows_watch (GtkListBox *list)
{
  GtkWidget *window = gtk_widget_get_ancestor (GTK_WIDGET (list), GTK_TYPE_SCROLLED_WINDOW);

  g_return_if_fail (window != NULL);
  GtkAdjustment *place = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (window));
  g_signal_connect_object (place, "value-changed", G_CALLBACK (on_scrolled), list, G_CONNECT_SWAPPED);
  g_signal_connect_object (place, "changed", G_CALLBACK (on_scrolled), list, G_CONNECT_SWAPPED);
}
