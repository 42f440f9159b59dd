/* ui/window/ssui-table-window.c: see the header. */
#include "ui/window/ssui-table-window.h"

#include "ui/parts/ssui-keys.h"
#include "ui/parts/ssui-table-book.h"

enum { WIDTH = 960, HEIGHT = 640, MARGIN = 12 };

void
ssui_table_window_present (GtkWindow *parent, const char *title, SsappTable *table)
{
  GtkWidget *window = adw_window_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0),
            *book = ssui_table_book_new (title);
  g_autoptr (GPtrArray) tables = g_ptr_array_new_with_free_func ((GDestroyNotify)ssapp_table_free);

  g_ptr_array_add (tables, table);
  ssui_table_book_load (SSUI_TABLE_BOOK (book), tables);
  gtk_widget_set_vexpand (book, TRUE);
  gtk_widget_set_margin_start (book, MARGIN);
  gtk_widget_set_margin_end (book, MARGIN);
  gtk_widget_set_margin_bottom (book, MARGIN);
  gtk_box_append (GTK_BOX (box), adw_header_bar_new ());
  gtk_box_append (GTK_BOX (box), book);
  adw_window_set_content (ADW_WINDOW (window), box);
  ssui_keys_close (window);
  gtk_window_set_title (GTK_WINDOW (window), title);
  gtk_window_set_transient_for (GTK_WINDOW (window), parent);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (window), TRUE);
  gtk_window_set_default_size (GTK_WINDOW (window), MIN (WIDTH, gtk_widget_get_width (GTK_WIDGET (parent))),
                               MIN (HEIGHT, gtk_widget_get_height (GTK_WIDGET (parent))));
  gtk_window_present (GTK_WINDOW (window));
}
