/* ui/parts/ssui-table-book.c: see the header. */
#include "ui/parts/ssui-table-book.h"

#include "ui/parts/ssui-table-view.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>

/* Of the notes below a table [px]. */
enum { NOTES_HEIGHT = 110 };

struct _SsuiTableBook {
  GtkWidget parent_instance;
  GtkWidget *box, *choice, *title, *stack;
  char *name;
  GPtrArray *views; /* of SsuiTableView; borrowed */
};

G_DEFINE_FINAL_TYPE (SsuiTableBook, ssui_table_book, GTK_TYPE_WIDGET)

static GtkWidget *
make_notes (const SsappTable *table)
{
  GtkWidget *scroller = gtk_scrolled_window_new (), *label = gtk_label_new (NULL);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < ssapp_table_get_n_notes (table); i++)
    g_string_append_printf (text, "%s%s", i > 0 ? "\n" : "", ssapp_table_get_note (table, i));
  gtk_label_set_text (GTK_LABEL (label), text->str);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_yalign (GTK_LABEL (label), 0);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, "caption");
  gtk_widget_add_css_class (label, "dim-label");
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scroller), NOTES_HEIGHT);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), label);
  gtk_widget_set_vexpand (scroller, FALSE);
  gtk_widget_set_visible (scroller, text->len > 0);
  return scroller;
}

static GtkWidget *
make_page (SsuiTableBook *self, SsappTable *table)
{
  GtkWidget *page = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *view = ssui_table_view_new (self->name);
  GtkWidget *notes = make_notes (table);

  ssui_table_view_load (SSUI_TABLE_VIEW (view), table);
  gtk_widget_set_vexpand (view, TRUE);
  gtk_box_append (GTK_BOX (page), view);
  gtk_box_append (GTK_BOX (page), notes);
  g_ptr_array_add (self->views, view);
  return page;
}

static void
on_chosen (SsuiTableBook *self)
{
  const guint place = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->choice));
  g_autofree char *name = g_strdup_printf ("%u", place);

  if (place < self->views->len)
    gtk_stack_set_visible_child_name (GTK_STACK (self->stack), name);
}

void
ssui_table_book_load (SsuiTableBook *self, GPtrArray *tables)
{
  g_return_if_fail (SSUI_IS_TABLE_BOOK (self) && tables != NULL);

  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);
  const guint before = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->choice)), n_before = self->views->len;
  GtkWidget *child;

  ssui_take_focus_from (self->stack);
  while ((child = gtk_widget_get_first_child (self->stack)) != NULL)
    gtk_stack_remove (GTK_STACK (self->stack), child);
  g_ptr_array_set_size (self->views, 0);
  for (guint i = 0; i < tables->len; i++) {
    SsappTable *table = g_ptr_array_index (tables, i);
    g_autofree char *name = g_strdup_printf ("%u", i);
    gtk_string_list_append (titles, ssapp_table_get_title (table));
    gtk_stack_add_named (GTK_STACK (self->stack), make_page (self, table), name);
  }
  const guint n = tables->len;
  while (tables->len > 0)
    g_ptr_array_steal_index (tables, tables->len - 1);
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->choice), G_LIST_MODEL (titles));
  gtk_widget_set_visible (self->choice, n > 1);
  gtk_widget_set_visible (self->title, n == 1);
  gtk_label_set_text (GTK_LABEL (self->title), n > 0 ? gtk_string_list_get_string (titles, 0) : "");
  if (n > 0)
    gtk_drop_down_set_selected (GTK_DROP_DOWN (self->choice), n == n_before ? before : 0);
  on_chosen (self);
}

const SsappTable *
ssui_table_book_get_shown (SsuiTableBook *self)
{
  g_return_val_if_fail (SSUI_IS_TABLE_BOOK (self), NULL);

  const guint place = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->choice));

  return place < self->views->len ? ssui_table_view_get_table (g_ptr_array_index (self->views, place)) : NULL;
}

static void
ssui_table_book_dispose (GObject *object)
{
  ssui_unparent_children (GTK_WIDGET (object));
  G_OBJECT_CLASS (ssui_table_book_parent_class)->dispose (object);
}

static void
ssui_table_book_finalize (GObject *object)
{
  SsuiTableBook *self = SSUI_TABLE_BOOK (object);

  g_free (self->name);
  g_ptr_array_unref (self->views);
  G_OBJECT_CLASS (ssui_table_book_parent_class)->finalize (object);
}

static void
ssui_table_book_class_init (SsuiTableBookClass *class)
{
  G_OBJECT_CLASS (class)->dispose = ssui_table_book_dispose;
  G_OBJECT_CLASS (class)->finalize = ssui_table_book_finalize;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
}

static void
ssui_table_book_init (SsuiTableBook *self)
{
  self->views = g_ptr_array_new ();
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  self->choice = gtk_drop_down_new (NULL, NULL);
  self->title = gtk_label_new (NULL);
  self->stack = gtk_stack_new ();
  gtk_widget_set_halign (self->choice, GTK_ALIGN_START);
  gtk_widget_set_visible (self->choice, FALSE);
  gtk_label_set_xalign (GTK_LABEL (self->title), 0);
  gtk_label_set_wrap (GTK_LABEL (self->title), TRUE);
  gtk_widget_add_css_class (self->title, "heading");
  gtk_widget_set_vexpand (self->stack, TRUE);
  gtk_stack_set_hhomogeneous (GTK_STACK (self->stack), FALSE);
  gtk_box_append (GTK_BOX (self->box), self->choice);
  gtk_box_append (GTK_BOX (self->box), self->title);
  gtk_box_append (GTK_BOX (self->box), self->stack);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  g_signal_connect_object (self->choice, "notify::selected", G_CALLBACK (on_chosen), self, G_CONNECT_SWAPPED);
}

GtkWidget *
ssui_table_book_new (const char *name)
{
  SsuiTableBook *self = g_object_new (SSUI_TYPE_TABLE_BOOK, NULL);

  self->name = g_strdup (name);
  ssui_label_drop_down (self->choice, _ ("Table on show"));
  return GTK_WIDGET (self);
}

GtkWidget *
ssui_table_take_new (const char *copy_action, GMenuModel *more, const char *tooltip, const char *name)
{
  static const struct {
    const char *label, *format;
  } copies[] = {{N_ ("Copy as _CSV"), "csv"},
                {N_ ("Copy as _TSV"), "tsv"},
                {N_ ("Copy as _Markdown"), "md"},
                {N_ ("Copy as _LaTeX"), "tex"},
                {N_ ("Copy as Te_xt"), "text"}};
  GtkWidget *take = gtk_menu_button_new ();
  g_autoptr (GMenu) menu = g_menu_new (), copy = g_menu_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (copies); i++) {
    g_autoptr (GMenuItem) item = g_menu_item_new (_ (copies[i].label), NULL);
    g_menu_item_set_action_and_target (item, copy_action, "s", copies[i].format);
    g_menu_append_item (copy, item);
  }
  g_menu_append_section (menu, NULL, G_MENU_MODEL (copy));
  g_menu_append_section (menu, NULL, more);
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (take), G_MENU_MODEL (menu));
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (take), "document-save-symbolic");
  gtk_widget_set_tooltip_text (take, tooltip);
  ssui_set_label (take, name);
  return take;
}
