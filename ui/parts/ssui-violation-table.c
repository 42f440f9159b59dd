/* ui/parts/ssui-violation-table.c: see the header. */
#include "ui/parts/ssui-violation-table.h"

#include "ui/parts/ssui-columns.h"
#include "ui/parts/ssui-method-mark.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <math.h>

/* ---- a row ------------------------------------------------------------------------------------------------------- */

#define SSUI_TYPE_VIOLATION_ROW (ssui_violation_row_get_type ())
G_DECLARE_FINAL_TYPE (SsuiViolationRow, ssui_violation_row, SSUI, VIOLATION_ROW, GObject)

struct _SsuiViolationRow {
  GObject parent_instance;
  SsMethodId method; /* name interned */
  char *amount, *where, *equation, *time, *tip;
};

G_DEFINE_FINAL_TYPE (SsuiViolationRow, ssui_violation_row, G_TYPE_OBJECT)

static void
ssui_violation_row_finalize (GObject *object)
{
  SsuiViolationRow *self = SSUI_VIOLATION_ROW (object);

  g_free (self->amount);
  g_free (self->where);
  g_free (self->equation);
  g_free (self->time);
  g_free (self->tip);
  G_OBJECT_CLASS (ssui_violation_row_parent_class)->finalize (object);
}

static void
ssui_violation_row_class_init (SsuiViolationRowClass *class)
{
  G_OBJECT_CLASS (class)->finalize = ssui_violation_row_finalize;
}

static void
ssui_violation_row_init (SsuiViolationRow *self)
{
  (void)self;
}

static SsuiViolationRow *
ssui_violation_row_new (const SsappViolationRow *from)
{
  SsuiViolationRow *self = g_object_new (SSUI_TYPE_VIOLATION_ROW, NULL);
  const SsViolation *v = from->violation;

  self->method = ssapp_run_get_method (from->run);
  self->method.name = g_intern_string (self->method.name);
  self->amount = isfinite (v->amount) ? ssui_number (v->amount) : ssapp_violation_dup_amount (v);
  self->where = ssapp_violation_dup_where (v);
  self->equation = g_strdup (v->equation);
  self->time = ssui_number (v->t);
  self->tip = g_strdup_printf (_ ("%s: row %s at point %d"), ssapp_run_get_label (from->run), v->row, v->k);
  return self;
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

struct _SsuiViolationTable {
  GtkWidget parent_instance;
  GtkWidget *stack, *empty;
  GtkColumnView *view;
  GListStore *rows;
  SsappViolationList *list;
};

G_DEFINE_FINAL_TYPE (SsuiViolationTable, ssui_violation_table, GTK_TYPE_WIDGET)

enum { COLUMN_AMOUNT, COLUMN_WHERE, COLUMN_EQUATION, COLUMN_TIME, N_COLUMNS };

static gboolean
is_number (int column)
{
  return column == COLUMN_AMOUNT || column == COLUMN_TIME;
}

static GtkWidget *
make_cell (guint column, gpointer data)
{
  GtkWidget *cell = ssui_cell_new (is_number ((int)column), column == COLUMN_AMOUNT);

  (void)data;
  if (!is_number ((int)column))
    gtk_label_set_ellipsize (GTK_LABEL (cell), PANGO_ELLIPSIZE_END);
  return cell;
}

static void
fill_cell (GtkWidget *cell, gpointer item, guint column, gpointer data)
{
  SsuiViolationRow *row = item;

  (void)data;
  gtk_widget_set_tooltip_text (cell, column == COLUMN_EQUATION ? row->equation : row->tip);
  if (column == COLUMN_AMOUNT) {
    ssui_method_mark_set_method (SSUI_METHOD_MARK (gtk_widget_get_first_child (cell)), row->method);
    cell = gtk_widget_get_last_child (cell);
  }
  gtk_label_set_text (GTK_LABEL (cell), column == COLUMN_AMOUNT     ? row->amount
                                        : column == COLUMN_WHERE    ? row->where
                                        : column == COLUMN_EQUATION ? row->equation
                                                                    : row->time);
}

static void
add_columns (SsuiViolationTable *self)
{
  static const char *const titles[N_COLUMNS] = {N_ ("Violation"), N_ ("Where"), N_ ("What Should Hold"),
                                                N_ ("Time [s]")};
  static const SsuiCells cells = {make_cell, fill_cell};

  for (guint i = 0; i < N_COLUMNS; i++)
    ssui_columns_add (self->view, _ (titles[i]), i, !is_number ((int)i), &cells, self);
  ssui_align_headers (self->view, is_number);
}

static void
fill (SsuiViolationTable *self)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);
  GArray *rows = ssapp_violation_list_get_rows (self->list);

  for (guint i = 0; i < rows->len; i++)
    g_ptr_array_add (items, ssui_violation_row_new (&g_array_index (rows, SsappViolationRow, i)));
  g_list_store_splice (self->rows, 0, g_list_model_get_n_items (G_LIST_MODEL (self->rows)), items->pdata, items->len);
  gtk_label_set_text (GTK_LABEL (self->empty), ssapp_violation_list_get_account (self->list));
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), rows->len > 0 ? "table" : "empty");
}

static void
on_activate (SsuiViolationTable *self, guint position)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.go-to-violation", "i", (int)position);
}

SsappViolationList *
ssui_violation_table_get_list (SsuiViolationTable *self)
{
  return self->list;
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

static void
ssui_violation_table_dispose (GObject *object)
{
  SsuiViolationTable *self = SSUI_VIOLATION_TABLE (object);

  ssui_unparent_children (GTK_WIDGET (object));
  g_clear_object (&self->rows);
  g_clear_object (&self->list);
  G_OBJECT_CLASS (ssui_violation_table_parent_class)->dispose (object);
}

static void
ssui_violation_table_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (ssui_violation_table_parent_class)->map (widget);
  ssapp_violation_list_set_active (SSUI_VIOLATION_TABLE (widget)->list, TRUE);
}

static void
ssui_violation_table_unmap (GtkWidget *widget)
{
  ssapp_violation_list_set_active (SSUI_VIOLATION_TABLE (widget)->list, FALSE);
  GTK_WIDGET_CLASS (ssui_violation_table_parent_class)->unmap (widget);
}

static void
ssui_violation_table_class_init (SsuiViolationTableClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = ssui_violation_table_dispose;
  widget_class->map = ssui_violation_table_map;
  widget_class->unmap = ssui_violation_table_unmap;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
ssui_violation_table_init (SsuiViolationTable *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkSingleSelection *selection;

  self->rows = g_list_store_new (SSUI_TYPE_VIOLATION_ROW);
  self->list = ssapp_violation_list_new ();
  selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->rows)));
  gtk_single_selection_set_autoselect (selection, FALSE);
  gtk_single_selection_set_can_unselect (selection, TRUE);
  self->view = GTK_COLUMN_VIEW (gtk_column_view_new (GTK_SELECTION_MODEL (selection)));
  gtk_column_view_set_show_row_separators (self->view, TRUE);
  gtk_column_view_set_single_click_activate (self->view, TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->view), "data-table");
  ssui_set_label (GTK_WIDGET (self->view), _ ("Violations"));
  add_columns (self);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), GTK_WIDGET (self->view));
  self->empty = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->empty), TRUE);
  gtk_widget_add_css_class (self->empty, "dim-label");
  self->stack = gtk_stack_new ();
  gtk_stack_add_named (GTK_STACK (self->stack), self->empty, "empty");
  gtk_stack_add_named (GTK_STACK (self->stack), scroller, "table");
  gtk_widget_set_parent (self->stack, GTK_WIDGET (self));
  g_signal_connect_swapped (self->view, "activate", G_CALLBACK (on_activate), self);
  g_signal_connect_object (self->list, "changed", G_CALLBACK (fill), self, G_CONNECT_SWAPPED);
  fill (self);
}
