/* ui/parts/ssui-log-table.c: see the header. */
#include "ui/parts/ssui-log-table.h"

#include "ui/parts/ssui-method-mark.h"
#include "ui/parts/ssui-util.h"

#include <math.h>
#include <string.h>

/* ---- a row ------------------------------------------------------------------------------------------------------- */

#define SSUI_TYPE_LOG_ROW (ssui_log_row_get_type ())
G_DECLARE_FINAL_TYPE (SsuiLogRow, ssui_log_row, SSUI, LOG_ROW, GObject)

struct _SsuiLogRow {
  GObject parent_instance;
  SsMethodId method;     /* name interned */
  SsappIteration values; /* without json */
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
  GtkWidget *title, *count, *text_toggle, *copy, *stack, *text, *scroller;
  gboolean follows;
  GtkColumnView *view;
  GListStore *rows;
  GPtrArray *runs;
  GArray *taken;     /* guint: iterations of each run already in the table */
  gsize text_length; /* of the solver text on show                         */
};

G_DEFINE_FINAL_TYPE (SsuiLogTable, ssui_log_table, GTK_TYPE_WIDGET)

typedef enum {
  COLUMN_METHOD,
  COLUMN_ITERATION,
  COLUMN_OBJECTIVE,
  COLUMN_VIOLATION,
  COLUMN_COMPLEMENTARITY,
  COLUMN_STEP,
  COLUMN_PARAMETER
} Column;

/* Columns without a title of their own have the metric's. */
static const struct {
  const char *title;
  gboolean expand;
  SsMetric metric;
} columns[] = {{.title = "Method", .expand = TRUE},
               {.title = "Iter."},
               {.expand = TRUE, .metric = SS_METRIC_OBJECTIVE},
               {.expand = TRUE, .metric = SS_METRIC_MAX_VIOLATION},
               {.title = "Compl.", .expand = TRUE},
               {.title = "Step", .expand = TRUE},
               {.title = "Parameter", .expand = TRUE}};

static const char *
column_title (int column)
{
  return columns[column].title != NULL ? columns[column].title : ss_metric_spec (columns[column].metric)->label;
}

static char *
cell_text (const SsuiLogRow *row, Column column)
{
  const SsappIteration *v = &row->values;

  switch (column) {
  case COLUMN_METHOD:
    return g_strdup (ssapp_method_label (row->method));
  case COLUMN_ITERATION:
    return g_strdup_printf ("%d", v->iteration);
  case COLUMN_OBJECTIVE:
    return ssui_number (v->objective);
  case COLUMN_VIOLATION:
    return ssui_number (v->violation);
  case COLUMN_COMPLEMENTARITY:
    return ssui_number (v->complementarity);
  case COLUMN_STEP:
    return ssui_number (v->step);
  case COLUMN_PARAMETER:
  default: {
    g_autofree char *number = isfinite (v->parameter) ? ssui_number (v->parameter) : NULL;
    const char *name = g_strcmp0 (v->parameter_name, "mu") == 0       ? "µ"
                       : g_strcmp0 (v->parameter_name, "radius") == 0 ? "Δ"
                       : v->parameter_name != NULL                    ? v->parameter_name
                                                                      : "";
    return number != NULL ? g_strdup_printf ("%s %s", name, number) : g_strdup ("–");
  }
  }
}

static void
setup_cell (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  Column column = (Column)GPOINTER_TO_INT (data);
  GtkWidget *label = gtk_label_new (NULL);

  (void)factory;
  gtk_widget_add_css_class (label, "numeric");
  if (column == COLUMN_METHOD) {
    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
    gtk_box_append (GTK_BOX (box), ssui_method_mark_new ((SsMethodId){0}));
    gtk_box_append (GTK_BOX (box), label);
    gtk_list_item_set_child (item, box);
    return;
  }
  gtk_label_set_xalign (GTK_LABEL (label), column == COLUMN_PARAMETER ? 0 : 1);
  gtk_list_item_set_child (item, label);
}

static void
bind_cell (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  Column column = (Column)GPOINTER_TO_INT (data);
  SsuiLogRow *row = gtk_list_item_get_item (item);
  GtkWidget *child = gtk_list_item_get_child (item);
  g_autofree char *text = cell_text (row, column);

  (void)factory;
  if (column == COLUMN_METHOD) {
    ssui_method_mark_set_method (SSUI_METHOD_MARK (gtk_widget_get_first_child (child)), row->method);
    child = gtk_widget_get_last_child (child);
  }
  gtk_label_set_text (GTK_LABEL (child), text);
}

static gboolean
is_number (int column)
{
  return column != COLUMN_METHOD && column != COLUMN_PARAMETER;
}

static void
add_columns (SsuiLogTable *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++) {
    GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
    GtkColumnViewColumn *column;

    g_signal_connect (factory, "setup", G_CALLBACK (setup_cell), GUINT_TO_POINTER (i));
    g_signal_connect (factory, "bind", G_CALLBACK (bind_cell), GUINT_TO_POINTER (i));
    column = gtk_column_view_column_new (column_title (i), factory);
    gtk_column_view_column_set_expand (column, columns[i].expand);
    gtk_column_view_column_set_resizable (column, TRUE);
    gtk_column_view_append_column (self->view, column);
    g_object_unref (column);
  }
  ssui_align_headers (self->view, is_number);
}

/* ---- text of the solvers ----------------------------------------------------------------------------------------- */

static void
refresh_text (SsuiLogTable *self)
{
  g_autoptr (GString) all = g_string_new (NULL);

  for (guint i = 0; self->runs != NULL && i < self->runs->len; i++) {
    SsappRun *run = g_ptr_array_index (self->runs, i);
    g_autofree char *log = ssapp_run_dup_log (run);
    if (*ssapp_run_get_message (run) == '\0' && *log == '\0')
      continue;
    g_string_append_printf (all, "%s%s: %s\n%s", i > 0 ? "\n" : "", ssapp_run_get_label (run),
                            ssapp_run_get_message (run), log);
  }
  if (all->len == 0)
    g_string_append (all, "Nothing was printed yet");
  if (all->len == self->text_length)
    return;
  self->text_length = all->len;
  if (!g_utf8_validate (all->str, (gssize)all->len, NULL)) {
    g_autofree char *valid = g_utf8_make_valid (all->str, (gssize)all->len);
    gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->text)), valid, -1);
    return;
  }
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->text)), all->str, -1);
}

/* The list keeps its rows in place when others come above them; somebody who looks at the top wants to see the
 * newest. */
static void
follow (SsuiLogTable *self)
{
  GtkWidget *list = gtk_widget_get_last_child (GTK_WIDGET (self->view));
  if (self->follows && g_list_model_get_n_items (G_LIST_MODEL (self->rows)) > 0)
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

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static void
choose_page (SsuiLogTable *self)
{
  gboolean wants_text = gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->text_toggle));
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->rows));
  g_autofree char *count = g_strdup_printf (n == 1 ? "%u row" : "%u rows", n);

  gtk_label_set_text (GTK_LABEL (self->count), n > 0 ? count : "");
  gtk_widget_set_sensitive (self->copy, n > 0);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), wants_text ? "text" : n > 0 ? "table" : "empty");
  if (wants_text)
    refresh_text (self);
}

void
ssui_log_table_refresh (SsuiLogTable *self)
{
  for (guint i = 0; self->runs != NULL && i < self->runs->len; i++) {
    SsappRun *run = g_ptr_array_index (self->runs, i);
    GArray *iterations = ssapp_run_get_iterations (run);
    guint *taken = &g_array_index (self->taken, guint, i), n = iterations != NULL ? iterations->len : 0;
    g_autoptr (GPtrArray) fresh = g_ptr_array_new_with_free_func (g_object_unref);
    for (guint k = n; k > *taken; k--) {
      SsuiLogRow *row = g_object_new (SSUI_TYPE_LOG_ROW, NULL);
      row->method = ssapp_run_get_method (run);
      row->method.name = g_intern_string (row->method.name);
      row->values = g_array_index (iterations, SsappIteration, k - 1);
      row->values.json = NULL;
      g_ptr_array_add (fresh, row);
    }
    *taken = MAX (n, *taken);
    if (fresh->len > 0)
      g_list_store_splice (self->rows, 0, 0, fresh->pdata, fresh->len);
  }
  choose_page (self);
  follow (self);
}

void
ssui_log_table_set_runs (SsuiLogTable *self, GPtrArray *runs)
{
  g_list_store_remove_all (self->rows);
  g_clear_pointer (&self->runs, g_ptr_array_unref);
  self->runs = runs != NULL ? g_ptr_array_ref (runs) : NULL;
  g_array_set_size (self->taken, 0);
  g_array_set_size (self->taken, runs != NULL ? runs->len : 0);
  self->text_length = 0;
  self->follows = TRUE;
  ssui_log_table_refresh (self);
}

char *
ssui_log_table_dup_tsv (SsuiLogTable *self)
{
  GString *out = g_string_new (NULL);
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->rows));
  char digits[5][G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (out, "method\titeration\tobjective\tviolation\tcomplementarity\tstep\tparameter\n");
  for (guint i = n; i > 0; i--) {
    g_autoptr (SsuiLogRow) row = g_list_model_get_item (G_LIST_MODEL (self->rows), i - 1);
    const SsappIteration *v = &row->values;
    const double numbers[5] = {v->objective, v->violation, v->complementarity, v->step, v->parameter};
    g_string_append_printf (out, "%s\t%d", row->method.name, v->iteration);
    for (int k = 0; k < 5; k++)
      g_string_append_printf (out, "\t%s",
                              isfinite (numbers[k]) ? g_ascii_dtostr (digits[k], sizeof digits[k], numbers[k]) : "");
    g_string_append_c (out, '\n');
  }
  return g_string_free (out, FALSE);
}

static void
on_copy (SsuiLogTable *self)
{
  g_autofree char *text = ssui_log_table_dup_tsv (self);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

static void
ssui_log_table_dispose (GObject *object)
{
  SsuiLogTable *self = SSUI_LOG_TABLE (object);

  gtk_widget_dispose_template (GTK_WIDGET (object), SSUI_TYPE_LOG_TABLE);
  ssui_unparent_children (GTK_WIDGET (object));
  g_clear_object (&self->rows);
  g_clear_pointer (&self->runs, g_ptr_array_unref);
  g_clear_pointer (&self->taken, g_array_unref);
  G_OBJECT_CLASS (ssui_log_table_parent_class)->dispose (object);
}

static void
ssui_log_table_class_init (SsuiLogTableClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = ssui_log_table_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, SSUI_RESOURCE_PATH "/ui/ssui-log-table.ui");
  gtk_widget_class_bind_template_child (widget_class, SsuiLogTable, title);
  gtk_widget_class_bind_template_child (widget_class, SsuiLogTable, count);
  gtk_widget_class_bind_template_child (widget_class, SsuiLogTable, text_toggle);
  gtk_widget_class_bind_template_child (widget_class, SsuiLogTable, copy);
  gtk_widget_class_bind_template_child (widget_class, SsuiLogTable, stack);
  gtk_widget_class_bind_template_child (widget_class, SsuiLogTable, view);
  gtk_widget_class_bind_template_child (widget_class, SsuiLogTable, text);
  gtk_widget_class_bind_template_child (widget_class, SsuiLogTable, scroller);
}

static void
ssui_log_table_init (SsuiLogTable *self)
{
  GtkNoSelection *selection;
  GtkEventController *scroll;

  gtk_widget_init_template (GTK_WIDGET (self));
  self->rows = g_list_store_new (SSUI_TYPE_LOG_ROW);
  self->taken = g_array_new (FALSE, TRUE, sizeof (guint));
  add_columns (self);
  selection = gtk_no_selection_new (g_object_ref (G_LIST_MODEL (self->rows)));
  gtk_column_view_set_model (self->view, GTK_SELECTION_MODEL (selection));
  g_object_unref (selection);
  scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
  gtk_event_controller_set_propagation_phase (scroll, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (scroll, "scroll", G_CALLBACK (on_scroll), self);
  gtk_widget_add_controller (self->scroller, scroll);
  g_signal_connect_swapped (self->scroller, "edge-reached", G_CALLBACK (on_edge), self);
  g_signal_connect_swapped (self->text_toggle, "toggled", G_CALLBACK (choose_page), self);
  g_signal_connect_swapped (self->copy, "clicked", G_CALLBACK (on_copy), self);
  choose_page (self);
}
