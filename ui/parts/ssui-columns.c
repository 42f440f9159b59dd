/* ui/parts/ssui-columns.c: see the header. */
#include "ui/parts/ssui-columns.h"

#include "ui/parts/ssui-method-mark.h"

typedef struct {
  const SsuiCells *cells;
  gpointer data;
  guint column;
} Column;

static void
on_setup (GtkListItemFactory *factory, GtkListItem *item, Column *column)
{
  GtkWidget *child = column->cells->make (column->column, column->data);

  (void)factory;
  g_object_set_data (G_OBJECT (item), "column", column);
  g_object_set_data (G_OBJECT (child), "list-item", item); /* which holds it */
  gtk_list_item_set_child (item, child);
}

static void
fill (GtkListItem *item)
{
  const Column *column = g_object_get_data (G_OBJECT (item), "column");

  column->cells->fill (gtk_list_item_get_child (item), gtk_list_item_get_item (item), column->column, column->data);
}

static void
on_bind (GtkListItemFactory *factory, GtkListItem *item, const Column *column)
{
  (void)factory;
  fill (item);
  if (column->cells->updated != NULL)
    g_signal_connect_swapped (gtk_list_item_get_item (item), column->cells->updated, G_CALLBACK (fill), item);
}

static void
on_unbind (GtkListItemFactory *factory, GtkListItem *item)
{
  (void)factory;
  g_signal_handlers_disconnect_by_data (gtk_list_item_get_item (item), item);
}

static void
free_column (gpointer column, GClosure *closure)
{
  (void)closure;
  g_free (column);
}

GtkColumnViewColumn *
ssui_columns_add (GtkColumnView *view, const char *title, guint column, gboolean expands, const SsuiCells *cells,
                  gpointer data)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkColumnViewColumn) added = gtk_column_view_column_new (title, factory);
  const Column of = {cells, data, column};
  Column *kept = g_memdup2 (&of, sizeof of);

  g_signal_connect_data (factory, "setup", G_CALLBACK (on_setup), kept, free_column, 0);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), kept);
  if (cells->updated != NULL)
    g_signal_connect (factory, "unbind", G_CALLBACK (on_unbind), NULL);
  gtk_column_view_column_set_expand (added, expands);
  gtk_column_view_column_set_resizable (added, TRUE);
  gtk_column_view_append_column (view, added);
  return added;
}

void
ssui_columns_clear (GtkColumnView *view)
{
  GListModel *columns = gtk_column_view_get_columns (view);

  while (g_list_model_get_n_items (columns) > 0) {
    g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, 0);
    gtk_column_view_remove_column (view, column);
  }
}

gpointer
ssui_columns_pick (GtkColumnView *view, double x, double y)
{
  GtkWidget *at = gtk_widget_pick (GTK_WIDGET (view), x, y, GTK_PICK_DEFAULT), *child = NULL;

  while (at != NULL && at != GTK_WIDGET (view) && g_strcmp0 (gtk_widget_get_css_name (at), "row") != 0)
    at = gtk_widget_get_parent (at);
  if (at != NULL && at != GTK_WIDGET (view) && gtk_widget_get_first_child (at) != NULL) /* its first cell */
    child = gtk_widget_get_first_child (gtk_widget_get_first_child (at));
  GtkListItem *item = child != NULL ? g_object_get_data (G_OBJECT (child), "list-item") : NULL;
  return item != NULL ? gtk_list_item_get_item (item) : NULL;
}

GtkWidget *
ssui_cell_new (gboolean is_number, gboolean with_mark)
{
  GtkWidget *label = gtk_label_new (NULL), *box;

  gtk_widget_add_css_class (label, "numeric");
  gtk_label_set_xalign (GTK_LABEL (label), is_number ? 1 : 0);
  if (!with_mark)
    return label;
  box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  gtk_widget_set_hexpand (label, is_number);
  gtk_box_append (GTK_BOX (box), ssui_method_mark_new ((SsMethodId){0}));
  gtk_box_append (GTK_BOX (box), label);
  return box;
}
