/* ui/parts/ssui-log-table.c: see the header. */
#include "ui/parts/ssui-log-table.h"

#include "app/session/ssapp-log-rows.h"
#include "ui/parts/ssui-columns.h"
#include "ui/parts/ssui-method-mark.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <string.h>

/* ---- a row ------------------------------------------------------------------------------------------------------- */

#define SSUI_TYPE_LOG_ROW (ssui_log_row_get_type ())
G_DECLARE_FINAL_TYPE (SsuiLogRow, ssui_log_row, SSUI, LOG_ROW, GObject)

struct _SsuiLogRow {
  GObject parent_instance;
  guint number; /* among the rows of the log */
};

G_DEFINE_FINAL_TYPE (SsuiLogRow, ssui_log_row, G_TYPE_OBJECT)

static void
ssui_log_row_class_init (SsuiLogRowClass *class)
{
  (void)class;
}

static void
ssui_log_row_init (SsuiLogRow *self)
{
  (void)self;
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

struct _SsuiLogTable {
  GtkWidget parent_instance;
  GtkWidget *count, *log_toggle, *violations_toggle, *text_toggle, *copy, *stack, *empty, *text, *scroller,
      *filter_toggle, *filter_bar, *method, *filter;
  SsuiViolationTable *violations;
  gboolean follows;
  GtkColumnView *view;
  GListStore *rows; /* of SsuiLogRow, newest first */
  GtkCustomFilter *matches;
  GListModel *shown; /* those that match */
  GPtrArray *runs;   /* nullable */
  SsappLogRows *log;
  SsappLogFilter *words;
  SsappRun *only;    /* borrowed from the runs; NULL: all */
  guint n_columns;   /* of the view */
  gsize text_length; /* of the solver text on show */
};

G_DEFINE_FINAL_TYPE (SsuiLogTable, ssui_log_table, GTK_TYPE_WIDGET)

/* Column 0: the method; the others are those of the log. */
static GtkWidget *
make_cell (guint column, gpointer data)
{
  (void)data;
  return ssui_cell_new (column > 0, column == 0);
}

static void
fill_cell (GtkWidget *cell, gpointer item, guint column, gpointer data)
{
  SsuiLogTable *self = data;
  const guint number = SSUI_LOG_ROW (item)->number;

  if (column == 0) {
    SsappRun *run = ssapp_log_rows_get_run (self->log, number);
    ssui_method_mark_set_method (SSUI_METHOD_MARK (gtk_widget_get_first_child (cell)), ssapp_run_get_method (run));
    gtk_label_set_text (GTK_LABEL (gtk_widget_get_last_child (cell)), ssapp_run_get_label (run));
    return;
  }
  g_autofree char *text = ssapp_log_rows_dup_text (self->log, number, column - 1);
  gtk_label_set_text (GTK_LABEL (cell), text);
}

static gboolean
is_number (int column)
{
  return column > 0;
}

/* The view's columns are those of the log; they are made anew where others came. */
static void
update_columns (SsuiLogTable *self)
{
  static const SsuiCells cells = {make_cell, fill_cell};
  const guint n = self->log != NULL ? ssapp_log_rows_n_columns (self->log) : 0;

  if (n == self->n_columns)
    return;
  self->n_columns = n;
  ssui_columns_clear (self->view);
  for (guint c = 0; c <= n; c++)
    ssui_columns_add (self->view, c > 0 ? ssui_translate (ssapp_log_rows_get_title (self->log, c - 1)) : _ ("Method"),
                      c, TRUE, &cells, self);
  ssui_align_headers (self->view, is_number);
}

/* Of one method only its own. */
static void
choose_columns (SsuiLogTable *self)
{
  GListModel *columns = gtk_column_view_get_columns (self->view);

  for (guint c = 0; self->log != NULL && c < ssapp_log_rows_n_columns (self->log); c++) {
    g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, c + 1);
    const gboolean is_visible = ssapp_log_rows_reports (self->log, c, self->only);
    if (column != NULL && gtk_column_view_column_get_visible (column) != is_visible)
      gtk_column_view_column_set_visible (column, is_visible);
  }
}

/* ---- text of the solvers ----------------------------------------------------------------------------------------- */

static void
refresh_text (SsuiLogTable *self)
{
  const char *wanted = gtk_editable_get_text (GTK_EDITABLE (self->filter));
  g_autoptr (GPtrArray) one = g_ptr_array_new ();
  g_autofree char *text = NULL;

  if (self->only != NULL)
    g_ptr_array_add (one, self->only);
  text = ssapp_log_dup_text (self->only != NULL ? one : self->runs, wanted);
  const gsize length = strlen (text) + 1;
  if (length == self->text_length)
    return;
  self->text_length = length;
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->text)),
                            *text != '\0' ? text : _ ("Nothing was printed yet"), -1);
}

/* The list keeps its rows in place when others come above them; somebody who looks at the top wants to see the
 * newest. */
static void
follow (SsuiLogTable *self)
{
  GtkWidget *list = gtk_widget_get_last_child (GTK_WIDGET (self->view));
  if (self->follows && g_list_model_get_n_items (self->shown) > 0)
    gtk_widget_activate_action (list, "list.scroll-to-item", "u", 0);
}

static gboolean
on_scroll (SsuiLogTable *self)
{
  self->follows = FALSE;
  return FALSE;
}

static void
on_edge (SsuiLogTable *self, GtkPositionType edge)
{
  if (edge == GTK_POS_TOP)
    self->follows = TRUE;
}

/* ---- views ------------------------------------------------------------------------------------------------------- */

static const char *
ssui_log_table_get_view (SsuiLogTable *self)
{
  return gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->violations_toggle)) ? "violations"
         : gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->text_toggle))     ? "text"
                                                                                    : "iterations";
}

static char *
count_text (SsuiLogTable *self, const char *view)
{
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (self->rows)),
              n_shown = g_list_model_get_n_items (self->shown);

  if (strcmp (view, "violations") == 0) {
    SsappViolationList *list = ssui_violation_table_get_list (self->violations);
    return g_strdup (ssapp_violation_list_get_rows (list)->len > 0 ? ssapp_violation_list_get_account (list) : "");
  }
  if (strcmp (view, "text") == 0 || n == 0)
    return g_strdup ("");
  return n_shown < n ? g_strdup_printf (_ ("%u of %u rows"), n_shown, n)
                     : g_strdup_printf (ngettext ("%u row", "%u rows", n), n);
}

static void
choose_page (SsuiLogTable *self)
{
  const char *view = ssui_log_table_get_view (self);
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (self->rows)),
              n_shown = g_list_model_get_n_items (self->shown);
  const gboolean is_log = strcmp (view, "iterations") == 0, is_list = strcmp (view, "violations") == 0;
  g_autofree char *count = count_text (self, view);

  gtk_label_set_text (GTK_LABEL (self->count), count);
  gtk_widget_set_tooltip_text (self->count, count);
  gtk_label_set_text (GTK_LABEL (self->empty),
                      n > 0 ? _ ("No row matches the filter") : _ ("Iterations appear here while a method runs"));
  gtk_widget_set_visible (self->filter_toggle, !is_list);
  gtk_widget_set_visible (self->filter_bar, !is_list);
  gtk_widget_set_sensitive (
      self->copy, is_log    ? n_shown > 0
                  : is_list ? ssapp_violation_list_get_rows (ssui_violation_table_get_list (self->violations))->len > 0
                            : TRUE);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), is_log && n_shown == 0 ? "empty" : view);
  if (strcmp (view, "text") == 0)
    refresh_text (self);
}

gboolean
ssui_log_table_show (SsuiLogTable *self, const char *view)
{
  g_return_val_if_fail (SSUI_IS_LOG_TABLE (self), FALSE);

  GtkWidget *toggle = strcmp (view, "iterations") == 0   ? self->log_toggle
                      : strcmp (view, "violations") == 0 ? self->violations_toggle
                      : strcmp (view, "text") == 0       ? self->text_toggle
                                                         : NULL;

  if (toggle == NULL)
    return FALSE;
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (toggle), TRUE);
  return TRUE;
}

SsappViolationList *
ssui_log_table_get_violations (SsuiLogTable *self)
{
  g_return_val_if_fail (SSUI_IS_LOG_TABLE (self), NULL);
  return ssui_violation_table_get_list (self->violations);
}

/* ---- filter ------------------------------------------------------------------------------------------------------ */

static gboolean
matches (gpointer item, gpointer data)
{
  SsuiLogTable *self = data;

  return self->log != NULL && ssapp_log_rows_match (self->log, ((SsuiLogRow *)item)->number, self->words, self->only);
}

static void
on_filter (SsuiLogTable *self)
{
  const guint chosen = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->method));

  g_clear_pointer (&self->words, ssapp_log_filter_free);
  self->words = ssapp_log_filter_new (gtk_editable_get_text (GTK_EDITABLE (self->filter)));
  self->only = self->runs != NULL && chosen != GTK_INVALID_LIST_POSITION && chosen > 0 && chosen <= self->runs->len
                   ? g_ptr_array_index (self->runs, chosen - 1)
                   : NULL;
  gtk_filter_changed (GTK_FILTER (self->matches), GTK_FILTER_CHANGE_DIFFERENT);
  choose_columns (self);
  self->text_length = 0;
  choose_page (self);
}

static void
on_filter_bar (SsuiLogTable *self)
{
  if (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->filter_toggle))) {
    gtk_widget_grab_focus (self->filter);
    return;
  }
  gtk_editable_set_text (GTK_EDITABLE (self->filter), "");
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->method), 0);
}

static void
on_stop_search (SsuiLogTable *self)
{
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->filter_toggle), FALSE);
}

gboolean
ssui_log_table_filter (SsuiLogTable *self, const char *text, const char *method)
{
  g_return_val_if_fail (SSUI_IS_LOG_TABLE (self) && text != NULL && method != NULL, FALSE);

  guint chosen = 0;

  for (guint i = 0; self->runs != NULL && i < self->runs->len && *method != '\0'; i++)
    if (g_ascii_strcasecmp (ssapp_run_get_label (g_ptr_array_index (self->runs, i)), method) == 0)
      chosen = i + 1;
  if (*method != '\0' && chosen == 0)
    return FALSE;
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->filter_toggle), *text != '\0' || *method != '\0');
  gtk_editable_set_text (GTK_EDITABLE (self->filter), text);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->method), chosen);
  on_filter (self); /* the entry waits a little */
  return TRUE;
}

static void
list_methods (SsuiLogTable *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new ((const char *[]){_ ("All Methods"), NULL});

  for (guint i = 0; self->runs != NULL && i < self->runs->len; i++)
    gtk_string_list_append (names, ssapp_run_get_label (g_ptr_array_index (self->runs, i)));
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->method), G_LIST_MODEL (names));
  gtk_widget_set_visible (self->method, self->runs != NULL && self->runs->len > 1);
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

void
ssui_log_table_refresh (SsuiLogTable *self)
{
  g_return_if_fail (SSUI_IS_LOG_TABLE (self));

  const guint n_new = self->log != NULL ? ssapp_log_rows_take (self->log) : 0;
  g_autoptr (GPtrArray) fresh = g_ptr_array_new_with_free_func (g_object_unref);

  update_columns (self);
  if (n_new > 0)
    choose_columns (self);
  for (guint i = 0; i < n_new; i++) {
    SsuiLogRow *row = g_object_new (SSUI_TYPE_LOG_ROW, NULL);
    row->number = ssapp_log_rows_get_n (self->log) - 1 - i;
    g_ptr_array_add (fresh, row);
  }
  if (fresh->len > 0)
    g_list_store_splice (self->rows, 0, 0, fresh->pdata, fresh->len);
  ssapp_violation_list_update (ssui_violation_table_get_list (self->violations));
  choose_page (self);
  follow (self);
}

void
ssui_log_table_set_runs (SsuiLogTable *self, GPtrArray *runs)
{
  g_list_store_remove_all (self->rows);
  g_clear_pointer (&self->runs, g_ptr_array_unref);
  g_clear_pointer (&self->log, ssapp_log_rows_free);
  self->only = NULL;
  self->runs = runs != NULL ? g_ptr_array_ref (runs) : NULL;
  self->log = ssapp_log_rows_new (runs);
  self->text_length = 0;
  self->follows = TRUE;
  list_methods (self);
  ssapp_violation_list_set_runs (ssui_violation_table_get_list (self->violations), runs);
  ssui_log_table_refresh (self);
}

void
ssui_log_table_copy (SsuiLogTable *self)
{
  g_return_if_fail (SSUI_IS_LOG_TABLE (self));

  const char *view = ssui_log_table_get_view (self);
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->text));
  g_autoptr (SsappTable) table = NULL;
  g_autofree char *text = NULL;
  GtkTextIter begin, end;

  if (strcmp (view, "text") == 0) {
    gtk_text_buffer_get_bounds (buffer, &begin, &end);
    text = gtk_text_buffer_get_text (buffer, &begin, &end, FALSE);
  } else {
    table = strcmp (view, "violations") == 0
                ? ssapp_violation_list_to_table (ssui_violation_table_get_list (self->violations))
                : ssapp_log_rows_to_table (self->log, self->words, self->only);
    text = ssapp_table_write (table, SSAPP_TABLE_TSV);
  }
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

static void
ssui_log_table_dispose (GObject *object)
{
  SsuiLogTable *self = SSUI_LOG_TABLE (object);

  if (self->violations != NULL)
    g_signal_handlers_disconnect_by_data (ssui_violation_table_get_list (self->violations), self);
  if (self->view != NULL)
    gtk_column_view_set_model (self->view, NULL); /* rows are read of the log */
  gtk_widget_dispose_template (GTK_WIDGET (object), SSUI_TYPE_LOG_TABLE);
  ssui_unparent_children (GTK_WIDGET (object));
  g_clear_object (&self->shown);
  g_clear_object (&self->rows);
  g_clear_pointer (&self->runs, g_ptr_array_unref);
  g_clear_pointer (&self->log, ssapp_log_rows_free);
  g_clear_pointer (&self->words, ssapp_log_filter_free);
  G_OBJECT_CLASS (ssui_log_table_parent_class)->dispose (object);
}

static void
ssui_log_table_class_init (SsuiLogTableClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = ssui_log_table_dispose;
  g_type_ensure (SSUI_TYPE_VIOLATION_TABLE);
  gtk_widget_class_set_template_from_resource (widget_class, SSUI_RESOURCE_PATH "/ui/ssui-log-table.ui");
  gtk_widget_class_bind_template_child (widget_class, SsuiLogTable, count);
  gtk_widget_class_bind_template_child (widget_class, SsuiLogTable, log_toggle);
  gtk_widget_class_bind_template_child (widget_class, SsuiLogTable, violations_toggle);
  gtk_widget_class_bind_template_child (widget_class, SsuiLogTable, text_toggle);
  gtk_widget_class_bind_template_child (widget_class, SsuiLogTable, copy);
  gtk_widget_class_bind_template_child (widget_class, SsuiLogTable, stack);
  gtk_widget_class_bind_template_child (widget_class, SsuiLogTable, empty);
  gtk_widget_class_bind_template_child (widget_class, SsuiLogTable, view);
  gtk_widget_class_bind_template_child (widget_class, SsuiLogTable, violations);
  gtk_widget_class_bind_template_child (widget_class, SsuiLogTable, text);
  gtk_widget_class_bind_template_child (widget_class, SsuiLogTable, scroller);
  gtk_widget_class_bind_template_child (widget_class, SsuiLogTable, filter_toggle);
  gtk_widget_class_bind_template_child (widget_class, SsuiLogTable, filter_bar);
  gtk_widget_class_bind_template_child (widget_class, SsuiLogTable, method);
  gtk_widget_class_bind_template_child (widget_class, SsuiLogTable, filter);
}

static void
ssui_log_table_init (SsuiLogTable *self)
{
  GtkNoSelection *selection;
  GtkEventController *scroll;

  gtk_widget_init_template (GTK_WIDGET (self));
  self->rows = g_list_store_new (SSUI_TYPE_LOG_ROW);
  self->n_columns = G_MAXUINT;
  self->words = ssapp_log_filter_new (NULL);
  self->matches = gtk_custom_filter_new (matches, self, NULL);
  self->shown =
      G_LIST_MODEL (gtk_filter_list_model_new (g_object_ref (G_LIST_MODEL (self->rows)), GTK_FILTER (self->matches)));
  update_columns (self);
  ssui_label_drop_down (self->method, _ ("Method of the log"));
  selection = gtk_no_selection_new (g_object_ref (self->shown));
  gtk_column_view_set_model (self->view, GTK_SELECTION_MODEL (selection));
  g_object_unref (selection);
  scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
  gtk_event_controller_set_propagation_phase (scroll, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (scroll, "scroll", G_CALLBACK (on_scroll), self);
  gtk_widget_add_controller (self->scroller, scroll);
  g_signal_connect_swapped (self->scroller, "edge-reached", G_CALLBACK (on_edge), self);
  g_signal_connect_swapped (self->log_toggle, "toggled", G_CALLBACK (choose_page), self);
  g_signal_connect_swapped (self->violations_toggle, "toggled", G_CALLBACK (choose_page), self);
  g_signal_connect_swapped (self->text_toggle, "toggled", G_CALLBACK (choose_page), self);
  g_signal_connect_swapped (self->filter_toggle, "toggled", G_CALLBACK (on_filter_bar), self);
  g_signal_connect_swapped (self->filter, "search-changed", G_CALLBACK (on_filter), self);
  g_signal_connect_swapped (self->filter, "stop-search", G_CALLBACK (on_stop_search), self);
  g_signal_connect_object (self->method, "notify::selected", G_CALLBACK (on_filter), self, G_CONNECT_SWAPPED);
  g_signal_connect_swapped (self->copy, "clicked", G_CALLBACK (ssui_log_table_copy), self);
  g_signal_connect_object (ssui_violation_table_get_list (self->violations), "changed", G_CALLBACK (choose_page), self,
                           G_CONNECT_SWAPPED);
  choose_page (self);
}
