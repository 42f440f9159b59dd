/* ui/parts/ssui-table-view.c: see the header. */
#include "ui/parts/ssui-table-view.h"

#include "ui/parts/ssui-columns.h"
#include "ui/parts/ssui-context-menu.h"
#include "ui/parts/ssui-method-mark.h"
#include "ui/parts/ssui-run-menu.h"
#include "ui/parts/ssui-util.h"

#include <math.h>
#include <string.h>

#define LABEL_CHARS 12 /* of a method, at least */

/* ---- a row ------------------------------------------------------------------------------------------------------- */

#define SSUI_TYPE_TABLE_ROW (ssui_table_row_get_type ())
G_DECLARE_FINAL_TYPE (SsuiTableRow, ssui_table_row, SSUI, TABLE_ROW, GObject)

struct _SsuiTableRow {
  GObject parent_instance;
  guint row;
};

G_DEFINE_FINAL_TYPE (SsuiTableRow, ssui_table_row, G_TYPE_OBJECT)

static void
ssui_table_row_class_init (SsuiTableRowClass *class)
{
  (void)class;
}

static void
ssui_table_row_init (SsuiTableRow *self)
{
  (void)self;
}

/* ---- the view ---------------------------------------------------------------------------------------------------- */

struct _SsuiTableView {
  GtkWidget parent_instance;
  GtkColumnView *view;
  GListStore *rows;
  GtkMultiSelection *selection;
  SsappTable *table; /* nullable */
  GPtrArray *titles; /* of the columns on show */
  SsuiTableMark mark;
  SsuiTableRun run;
  gpointer mark_data;
  gboolean is_marking;
};

G_DEFINE_FINAL_TYPE (SsuiTableView, ssui_table_view, GTK_TYPE_WIDGET)

enum { MARKED, N_SIGNALS };
static guint signals[N_SIGNALS];

static gboolean
is_chip (SsuiTableView *self, guint column)
{
  return self->mark != NULL && column + 1 == self->titles->len && !ssapp_table_is_number_column (self->table, column);
}

/* Room for the texts of a column: of the first rows the longest, up to a limit. */
static int
text_room (SsuiTableView *self, guint column)
{
  enum { ROWS = 100, MOST = 34 };
  glong longest = 0;

  for (guint row = 0; self->table != NULL && row < MIN (ssapp_table_get_n_rows (self->table), ROWS); row++)
    longest = MAX (longest, g_utf8_strlen (ssapp_table_get_text (self->table, row, column), -1));
  return (int)MIN (longest, MOST);
}

static GtkWidget *
make_cell (guint column, gpointer data)
{
  SsuiTableView *self = data;
  const gboolean is_number = self->table != NULL && ssapp_table_is_number_column (self->table, column),
                 has_mark = column == 0 && self->mark != NULL;
  GtkWidget *cell, *label;

  if (is_chip (self, column))
    return ssui_chip_new ();
  cell = ssui_cell_new (is_number, has_mark);
  label = has_mark ? gtk_widget_get_last_child (cell) : cell;
  gtk_label_set_ellipsize (GTK_LABEL (label), is_number ? PANGO_ELLIPSIZE_NONE : PANGO_ELLIPSIZE_END);
  if (has_mark)
    gtk_label_set_width_chars (GTK_LABEL (label), MAX (LABEL_CHARS, text_room (self, column)));
  else if (!is_number && self->mark == NULL)
    gtk_label_set_width_chars (GTK_LABEL (label), text_room (self, column));
  return cell;
}

static void
fill_cell (GtkWidget *cell, gpointer item, guint column, gpointer data)
{
  SsuiTableView *self = data;
  const guint row = SSUI_TABLE_ROW (item)->row;
  const char *text;

  if (self->table == NULL || row >= ssapp_table_get_n_rows (self->table))
    return;
  text = ssapp_table_get_text (self->table, row, column);
  if (is_chip (self, column)) {
    ssui_chip_set (cell, text, NULL);
    return;
  }
  if (GTK_IS_BOX (cell)) {
    SsMethodId method = {0};
    int look = -1;
    self->mark (row, &method, &look, self->mark_data);
    ssui_method_mark_set_look (SSUI_METHOD_MARK (gtk_widget_get_first_child (cell)), method, look);
    cell = gtk_widget_get_last_child (cell);
  }
  gtk_label_set_text (GTK_LABEL (cell), strcmp (text, "-") == 0 ? "–" : text);
  if (!ssapp_table_is_number_column (self->table, column))
    gtk_widget_set_tooltip_text (cell, *text != '\0' ? text : NULL);
  if (ssapp_table_is_best (self->table, row, column))
    gtk_widget_add_css_class (cell, "best-value");
  else
    gtk_widget_remove_css_class (cell, "best-value");
}

/* ---- order ------------------------------------------------------------------------------------------------------- */

typedef struct {
  SsuiTableView *self;
  guint column;
} Order;

static int
compare_rows (gconstpointer first, gconstpointer second, gpointer data)
{
  const Order *order = data;
  const SsappTable *table = order->self->table;
  const guint a = ((const SsuiTableRow *)first)->row, b = ((const SsuiTableRow *)second)->row;

  if (table == NULL || MAX (a, b) >= ssapp_table_get_n_rows (table))
    return 0;
  if (!ssapp_table_is_number_column (table, order->column))
    return g_utf8_collate (ssapp_table_get_text (table, a, order->column),
                           ssapp_table_get_text (table, b, order->column));
  const double x = ssapp_table_get_number (table, a, order->column),
               y = ssapp_table_get_number (table, b, order->column);
  if (isnan (x) || isnan (y))
    return isnan (x) - isnan (y);
  return (x > y) - (x < y);
}

/* ---- columns ----------------------------------------------------------------------------------------------------- */

static void
add_column (SsuiTableView *self, guint column, const char *title)
{
  static const SsuiCells cells = {make_cell, fill_cell};
  const gboolean expands = column == 0 || !ssapp_table_is_number_column (self->table, column);
  Order *order = g_new0 (Order, 1);
  g_autoptr (GtkSorter) sorter = GTK_SORTER (gtk_custom_sorter_new (compare_rows, order, g_free));

  *order = (Order){self, column};
  gtk_column_view_column_set_sorter (ssui_columns_add (self->view, title, column, expands, &cells, self), sorter);
}

/* GTK 4.8 has no property for it, and the function of ssui-util.h knows no object. */
static void
align_titles (SsuiTableView *self)
{
  GtkWidget *header = gtk_widget_get_first_child (GTK_WIDGET (self->view));
  guint column = 0;

  for (GtkWidget *title = header != NULL ? gtk_widget_get_first_child (header) : NULL; title != NULL;
       title = gtk_widget_get_next_sibling (title), column++)
    if (ssapp_table_is_number_column (self->table, column))
      ssui_align_header (title);
}

static gboolean
has_columns (SsuiTableView *self, const SsappTable *table)
{
  if (self->titles->len != ssapp_table_get_n_columns (table))
    return FALSE;
  for (guint c = 0; c < self->titles->len; c++) {
    g_autofree char *title = ssapp_table_get_column_title (table, c);
    if (strcmp (title, g_ptr_array_index (self->titles, c)) != 0)
      return FALSE;
  }
  return TRUE;
}

static void
make_columns (SsuiTableView *self)
{
  const guint n = ssapp_table_get_n_columns (self->table);

  ssui_take_focus_from (GTK_WIDGET (self->view));
  gtk_column_view_sort_by_column (self->view, NULL, GTK_SORT_ASCENDING);
  g_list_store_remove_all (self->rows);
  ssui_columns_clear (self->view);
  g_ptr_array_set_size (self->titles, 0);
  for (guint c = 0; c < n; c++)
    g_ptr_array_add (self->titles, ssapp_table_get_column_title (self->table, c));
  for (guint c = 0; c < n; c++)
    add_column (self, c, g_ptr_array_index (self->titles, c));
  align_titles (self);
}

void
ssui_table_view_load (SsuiTableView *self, SsappTable *table)
{
  g_return_if_fail (SSUI_IS_TABLE_VIEW (self));
  SsappTable *old = self->table;
  const guint n = table != NULL ? ssapp_table_get_n_rows (table) : 0;
  const guint n_old = g_list_model_get_n_items (G_LIST_MODEL (self->rows));

  self->table = table;
  if (table != NULL && !has_columns (self, table))
    make_columns (self);
  self->is_marking = TRUE;
  const guint n_kept = MIN (g_list_model_get_n_items (G_LIST_MODEL (self->rows)), n);
  g_autoptr (GPtrArray) fresh = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = n_kept; i < n; i++) {
    SsuiTableRow *row = g_object_new (SSUI_TYPE_TABLE_ROW, NULL);
    row->row = i;
    g_ptr_array_add (fresh, row);
  }
  g_list_store_splice (self->rows, n_kept, g_list_model_get_n_items (G_LIST_MODEL (self->rows)) - n_kept, fresh->pdata,
                       fresh->len);
  if (n_kept > 0 && n_old > 0)
    g_list_model_items_changed (G_LIST_MODEL (self->rows), 0, n_kept, n_kept); /* bound again, sorted again */
  self->is_marking = FALSE;
  ssapp_table_free (old);
}

const SsappTable *
ssui_table_view_get_table (SsuiTableView *self)
{
  g_return_val_if_fail (SSUI_IS_TABLE_VIEW (self), NULL);
  return self->table;
}

static GMenuModel *
menu_at (GtkWidget *view, double x, double y, gboolean by_key, gpointer data)
{
  SsuiTableView *self = data;
  SsuiTableRow *row = ssui_columns_pick (GTK_COLUMN_VIEW (view), x, y);
  const char *id = row != NULL ? self->run (row->row, self->mark_data) : NULL;

  (void)by_key;
  return id != NULL ? ssui_run_menu_of_stored (id) : NULL;
}

void
ssui_table_view_set_runs (SsuiTableView *self, SsuiTableMark mark, SsuiTableRun run, gpointer data)
{
  g_return_if_fail (SSUI_IS_TABLE_VIEW (self) && self->run == NULL);
  self->mark = mark;
  self->run = run;
  self->mark_data = data;
  ssui_context_menu_attach (GTK_WIDGET (self->view), menu_at, self);
}

/* ---- rows that are marked ---------------------------------------------------------------------------------------- */

void
ssui_table_view_mark (SsuiTableView *self, const guint *rows, guint n)
{
  g_return_if_fail (SSUI_IS_TABLE_VIEW (self));
  GtkSelectionModel *model = GTK_SELECTION_MODEL (self->selection);
  const guint n_rows = g_list_model_get_n_items (G_LIST_MODEL (model));
  g_autoptr (GHashTable) wanted = g_hash_table_new (NULL, NULL);
  guint first = GTK_INVALID_LIST_POSITION;
  GtkBitset *selected = gtk_bitset_new_empty (), *all = gtk_bitset_new_range (0, n_rows);

  for (guint k = 0; k < n; k++)
    g_hash_table_add (wanted, GUINT_TO_POINTER (rows[k] + 1));
  for (guint i = 0; n > 0 && i < n_rows; i++) {
    g_autoptr (SsuiTableRow) row = g_list_model_get_item (G_LIST_MODEL (model), i);
    if (!g_hash_table_contains (wanted, GUINT_TO_POINTER (row->row + 1)))
      continue;
    gtk_bitset_add (selected, i);
    first = MIN (first, i);
  }
  self->is_marking = TRUE;
  gtk_selection_model_set_selection (model, selected, all);
  self->is_marking = FALSE;
  if (first != GTK_INVALID_LIST_POSITION && gtk_widget_get_mapped (GTK_WIDGET (self)))
    gtk_widget_activate_action (gtk_widget_get_last_child (GTK_WIDGET (self->view)), "list.scroll-to-item", "u", first);
  gtk_bitset_unref (selected);
  gtk_bitset_unref (all);
}

/* The row of those that changed which is marked now. */
static void
on_selection (SsuiTableView *self, guint position, guint n)
{
  if (self->is_marking)
    return;
  for (guint i = position; i < position + n; i++)
    if (gtk_selection_model_is_selected (GTK_SELECTION_MODEL (self->selection), i)) {
      g_autoptr (SsuiTableRow) row = g_list_model_get_item (G_LIST_MODEL (self->selection), i);
      g_signal_emit (self, signals[MARKED], 0, row->row);
      return;
    }
}

static void
on_activate (GtkColumnView *view, guint position, SsuiTableView *self)
{
  g_autoptr (SsuiTableRow) row = g_list_model_get_item (G_LIST_MODEL (self->selection), position);
  const char *id = row != NULL && self->run != NULL ? self->run (row->row, self->mark_data) : NULL;

  if (id != NULL)
    gtk_widget_activate_action (GTK_WIDGET (view), "win.open-run", "s", id);
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

GtkWidget *
ssui_table_view_new (const char *name)
{
  SsuiTableView *self = g_object_new (SSUI_TYPE_TABLE_VIEW, NULL);

  ssui_set_label (GTK_WIDGET (self->view), name);
  return GTK_WIDGET (self);
}

static void
ssui_table_view_dispose (GObject *object)
{
  SsuiTableView *self = SSUI_TABLE_VIEW (object);

  ssui_unparent_children (GTK_WIDGET (object));
  g_clear_object (&self->selection);
  g_clear_object (&self->rows);
  g_clear_pointer (&self->table, ssapp_table_free);
  g_clear_pointer (&self->titles, g_ptr_array_unref);
  G_OBJECT_CLASS (ssui_table_view_parent_class)->dispose (object);
}

static void
ssui_table_view_class_init (SsuiTableViewClass *class)
{
  G_OBJECT_CLASS (class)->dispose = ssui_table_view_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
  signals[MARKED] = g_signal_new ("marked", SSUI_TYPE_TABLE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                  1, G_TYPE_UINT);
}

static void
ssui_table_view_init (SsuiTableView *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkSortListModel *sorted;

  self->titles = g_ptr_array_new_with_free_func (g_free);
  self->rows = g_list_store_new (SSUI_TYPE_TABLE_ROW);
  self->view = GTK_COLUMN_VIEW (gtk_column_view_new (NULL));
  sorted = gtk_sort_list_model_new (g_object_ref (G_LIST_MODEL (self->rows)),
                                    g_object_ref (gtk_column_view_get_sorter (self->view)));
  self->selection = gtk_multi_selection_new (G_LIST_MODEL (sorted));
  gtk_column_view_set_model (self->view, GTK_SELECTION_MODEL (self->selection));
  gtk_column_view_set_show_row_separators (self->view, TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->view), "data-table");
  gtk_widget_add_css_class (GTK_WIDGET (self->view), "dense-table");
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), GTK_WIDGET (self->view));
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_widget_set_hexpand (scroller, TRUE);
  gtk_widget_set_parent (scroller, GTK_WIDGET (self));
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  g_signal_connect_object (self->selection, "selection-changed", G_CALLBACK (on_selection), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "activate", G_CALLBACK (on_activate), self, 0);
}
