/* ui/parts/ssui-run-table.c: see the header. */
#include "ui/parts/ssui-run-table.h"

#include "ui/parts/ssui-method-mark.h"
#include "app/base/ssapp-metric.h"
#include "app/session/ssapp-run.h"
#include "ui/parts/ssui-util.h"

#include <math.h>
#include <string.h>

/* ---- an item ----------------------------------------------------------------------------------------------------- */

#define SSUI_TYPE_RUN_ITEM (ssui_run_item_get_type ())
G_DECLARE_FINAL_TYPE (SsuiRunItem, ssui_run_item, SSUI, RUN_ITEM, GObject)

struct _SsuiRunItem {
  GObject parent_instance;
  SsappRunRow *row;
  char *haystack; /* everything the search looks at, folded */
  gboolean is_checked;
};

G_DEFINE_FINAL_TYPE (SsuiRunItem, ssui_run_item, G_TYPE_OBJECT)

static void
ssui_run_item_finalize (GObject *object)
{
  SsuiRunItem *self = SSUI_RUN_ITEM (object);

  ssapp_run_row_free (self->row);
  g_free (self->haystack);
  G_OBJECT_CLASS (ssui_run_item_parent_class)->finalize (object);
}

static void
ssui_run_item_class_init (SsuiRunItemClass *class)
{
  G_OBJECT_CLASS (class)->finalize = ssui_run_item_finalize;
}

static void
ssui_run_item_init (SsuiRunItem *self)
{
  (void)self;
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

struct _SsuiRunTable {
  GtkWidget parent_instance;
  GtkColumnView *view;
  GListStore *items;
  GtkFilterListModel *filtered;
  GtkFilter *filter;
  GtkSingleSelection *selection;
  GtkColumnViewColumn *columns[9];
  char **words;
  gboolean is_loading;
};

G_DEFINE_FINAL_TYPE (SsuiRunTable, ssui_run_table, GTK_TYPE_WIDGET)

enum { CHECKED_CHANGED, SELECTION_CHANGED, RUN_ACTIVATED, N_SIGNALS };
static guint signals[N_SIGNALS];

typedef enum {
  COLUMN_CHECK,
  COLUMN_METHOD,
  COLUMN_SCENARIO,
  COLUMN_OBJECTIVE,
  COLUMN_VIOLATION,
  COLUMN_ITERATIONS,
  COLUMN_TIME,
  COLUMN_OUTCOME,
  COLUMN_STARTED,
  N_COLUMNS
} Column;

/* Numbers are metrics, whose title is the table's. */
static const struct {
  const char *title;
  gboolean is_number, expand;
  SsMetric metric;
} columns[N_COLUMNS] = {[COLUMN_CHECK] = {.title = ""},
                        [COLUMN_METHOD] = {.title = "Method", .expand = TRUE},
                        [COLUMN_SCENARIO] = {.title = "Scenario", .expand = TRUE},
                        [COLUMN_OBJECTIVE] = {.is_number = TRUE, .metric = SS_METRIC_OBJECTIVE},
                        [COLUMN_VIOLATION] = {.is_number = TRUE, .metric = SS_METRIC_MAX_VIOLATION},
                        [COLUMN_ITERATIONS] = {.is_number = TRUE, .metric = SS_METRIC_ITERATIONS},
                        [COLUMN_TIME] = {.is_number = TRUE, .metric = SS_METRIC_SOLVE_SECONDS},
                        [COLUMN_OUTCOME] = {.title = "Outcome"},
                        [COLUMN_STARTED] = {.title = "Started", .expand = TRUE}};

static char *
started_text (const char *started)
{
  g_autoptr (GDateTime) utc = started != NULL ? g_date_time_new_from_iso8601 (started, NULL) : NULL;
  g_autoptr (GDateTime) local = utc != NULL ? g_date_time_to_local (utc) : NULL;
  return local != NULL ? g_date_time_format (local, "%e %b, %H:%M:%S") : g_strdup (started != NULL ? started : "");
}

static char *
cell_text (const SsappRunRow *row, Column column)
{
  switch (column) {
  case COLUMN_METHOD:
    return ssapp_run_row_dup_name (row);
  case COLUMN_SCENARIO:
    return g_strdup (row->scenario_name);
  case COLUMN_OBJECTIVE:
  case COLUMN_VIOLATION:
  case COLUMN_ITERATIONS:
  case COLUMN_TIME:
    return ssui_metric (columns[column].metric, ssapp_run_row_get_metric (row, columns[column].metric));
  case COLUMN_STARTED:
    return started_text (row->started);
  case COLUMN_OUTCOME:
    return g_strdup (ssui_outcome_label (row->outcome));
  case COLUMN_CHECK:
  case N_COLUMNS:
  default:
    return g_strdup ("");
  }
}

/* ---- cells ------------------------------------------------------------------------------------------------------- */

static void
on_check_toggled (GtkCheckButton *check, SsuiRunTable *self)
{
  SsuiRunItem *item = g_object_get_data (G_OBJECT (check), "item");

  if (item == NULL || item->is_checked == gtk_check_button_get_active (check))
    return;
  item->is_checked = gtk_check_button_get_active (check);
  g_signal_emit (self, signals[CHECKED_CHANGED], 0);
}

static Column
column_of (GtkSignalListItemFactory *factory)
{
  return (Column)GPOINTER_TO_INT (g_object_get_data (G_OBJECT (factory), "column"));
}

static void
setup_cell (GtkSignalListItemFactory *factory, GtkListItem *item, SsuiRunTable *self)
{
  Column column = column_of (factory);
  GtkWidget *label = gtk_label_new (NULL);

  gtk_widget_add_css_class (label, "numeric");
  gtk_label_set_ellipsize (GTK_LABEL (label), columns[column].is_number ? PANGO_ELLIPSIZE_NONE : PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (label), columns[column].is_number ? 1 : 0);
  if (column == COLUMN_METHOD) {
    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
    gtk_box_append (GTK_BOX (box), ssui_method_mark_new ((SsMethodId){0}));
    gtk_box_append (GTK_BOX (box), label);
    gtk_list_item_set_child (item, box);
  } else if (column == COLUMN_OUTCOME) {
    g_object_ref_sink (label);
    g_object_unref (label);
    gtk_list_item_set_child (item, ssui_chip_new ());
  } else if (column == COLUMN_CHECK) {
    GtkWidget *check = gtk_check_button_new ();
    g_object_ref_sink (label);
    g_object_unref (label);
    g_signal_connect (check, "toggled", G_CALLBACK (on_check_toggled), self);
    gtk_list_item_set_child (item, check);
  } else {
    gtk_list_item_set_child (item, label);
  }
}

static void
bind_cell (GtkSignalListItemFactory *factory, GtkListItem *item, SsuiRunTable *self)
{
  Column column = column_of (factory);
  SsuiRunItem *run = gtk_list_item_get_item (item);
  GtkWidget *child = gtk_list_item_get_child (item);
  g_autofree char *text = cell_text (run->row, column), *label = NULL;

  (void)self;
  if (column == COLUMN_CHECK) {
    g_autofree char *started = started_text (run->row->started), *name = ssapp_run_row_dup_name (run->row);
    g_object_set_data (G_OBJECT (child), "item", NULL);
    gtk_check_button_set_active (GTK_CHECK_BUTTON (child), run->is_checked);
    g_object_set_data (G_OBJECT (child), "item", run);
    label = g_strdup_printf ("Choose %s on %s, %s", name, run->row->scenario_name, started);
    ssui_set_label (child, label);
    return;
  }
  if (column == COLUMN_OUTCOME) {
    ssui_chip_set (child, run->row->outcome, NULL);
    gtk_widget_set_tooltip_text (child, run->row->message);
    return;
  }
  if (column == COLUMN_METHOD) {
    ssui_method_mark_set_method (SSUI_METHOD_MARK (gtk_widget_get_first_child (child)),
                                 ssapp_run_row_get_method (run->row));
    child = gtk_widget_get_last_child (child);
  }
  gtk_label_set_text (GTK_LABEL (child), text);
  gtk_widget_set_tooltip_text (child, columns[column].is_number ? NULL : text); /* texts may be cut */
}

static void
unbind_cell (GtkSignalListItemFactory *factory, GtkListItem *item, SsuiRunTable *self)
{
  (void)self;
  if (column_of (factory) == COLUMN_CHECK)
    g_object_set_data (G_OBJECT (gtk_list_item_get_child (item)), "item", NULL);
}

/* ---- order ------------------------------------------------------------------------------------------------------- */

/* Unknown values last, whichever way it is sorted is GTK's business. */
static int
compare_doubles (double a, double b)
{
  if (isnan (a) || isnan (b))
    return isnan (a) - isnan (b);
  return (a > b) - (a < b);
}

static int
compare_items (gconstpointer first, gconstpointer second, gpointer data)
{
  const SsappRunRow *a = ((const SsuiRunItem *)first)->row, *b = ((const SsuiRunItem *)second)->row;
  const Column column = (Column)GPOINTER_TO_INT (data);

  switch (column) {
  case COLUMN_METHOD:
    return g_strcmp0 (a->method, b->method);
  case COLUMN_SCENARIO:
    return g_strcmp0 (a->scenario_name, b->scenario_name);
  case COLUMN_OBJECTIVE:
  case COLUMN_VIOLATION:
  case COLUMN_ITERATIONS:
  case COLUMN_TIME: {
    const SsMetric metric = columns[GPOINTER_TO_INT (data)].metric;
    return compare_doubles (ssapp_run_row_get_metric (a, metric), ssapp_run_row_get_metric (b, metric));
  }
  case COLUMN_OUTCOME:
    return g_strcmp0 (a->outcome, b->outcome);
  case COLUMN_STARTED:
    return g_strcmp0 (a->started, b->started);
  case COLUMN_CHECK:
  case N_COLUMNS:
  default:
    return 0;
  }
}

static gboolean
matches (gpointer object, gpointer data)
{
  SsuiRunItem *item = object;
  SsuiRunTable *self = data;

  for (int i = 0; self->words != NULL && self->words[i] != NULL; i++)
    if (strstr (item->haystack, self->words[i]) == NULL)
      return FALSE;
  return TRUE;
}

/* ---- list -------------------------------------------------------------------------------------------------------- */

gboolean
ssui_run_table_load (SsuiRunTable *self, SsappStore *store, GError **error)
{
  g_auto (GStrv) checked = ssui_run_table_dup_checked (self);
  SsMetric metrics[N_COLUMNS];
  int n_metrics = 0;
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);

  for (int i = 0; i < N_COLUMNS; i++)
    if (columns[i].is_number)
      metrics[n_metrics++] = columns[i].metric;
  GPtrArray *rows = store != NULL ? ssapp_store_list_runs (store, metrics, n_metrics, error) : NULL;
  if (store != NULL && rows == NULL)
    return FALSE;
  for (guint i = 0; rows != NULL && i < rows->len; i++) {
    SsuiRunItem *item = g_object_new (SSUI_TYPE_RUN_ITEM, NULL);
    g_autofree char *text = NULL, *name = NULL;
    item->row = g_ptr_array_index (rows, i);
    name = ssapp_run_row_dup_name (item->row);
    text = g_strdup_printf ("%s method:%s scenario:%s outcome:%s %s %s %s", item->row->method, item->row->method,
                            item->row->scenario_name, item->row->outcome, name, ssui_outcome_label (item->row->outcome),
                            item->row->note != NULL ? item->row->note : "");
    item->haystack = g_utf8_casefold (text, -1);
    item->is_checked = g_strv_contains ((const char *const *)checked, item->row->id);
    g_ptr_array_add (items, item);
  }
  if (rows != NULL) { /* the rows belong to the items now */
    g_ptr_array_set_free_func (rows, NULL);
    g_ptr_array_unref (rows);
  }
  g_list_store_splice (self->items, 0, g_list_model_get_n_items (G_LIST_MODEL (self->items)), items->pdata, items->len);
  return TRUE;
}

void
ssui_run_table_set_filter (SsuiRunTable *self, const char *text)
{
  g_autofree char *folded = g_utf8_casefold (text, -1);

  g_strfreev (self->words);
  self->words = g_strsplit_set (g_strstrip (folded), " ", -1);
  gtk_filter_changed (self->filter, GTK_FILTER_CHANGE_DIFFERENT);
}

GStrv
ssui_run_table_dup_checked (SsuiRunTable *self)
{
  g_autoptr (GStrvBuilder) ids = g_strv_builder_new ();
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->items));

  for (guint i = 0; i < n; i++) {
    g_autoptr (SsuiRunItem) item = g_list_model_get_item (G_LIST_MODEL (self->items), i);
    if (item->is_checked)
      g_strv_builder_add (ids, item->row->id);
  }
  return g_strv_builder_end (ids);
}

void
ssui_run_table_check (SsuiRunTable *self, const char *const *ids)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->items));

  for (guint i = 0; i < n; i++) {
    g_autoptr (SsuiRunItem) item = g_list_model_get_item (G_LIST_MODEL (self->items), i);
    item->is_checked = ids != NULL && g_strv_contains (ids, item->row->id);
  }
  g_list_model_items_changed (G_LIST_MODEL (self->items), 0, n, n); /* bound check buttons follow */
  g_signal_emit (self, signals[CHECKED_CHANGED], 0);
}

guint
ssui_run_table_get_n_runs (SsuiRunTable *self)
{
  return g_list_model_get_n_items (G_LIST_MODEL (self->items));
}

guint
ssui_run_table_get_n_shown (SsuiRunTable *self)
{
  return g_list_model_get_n_items (G_LIST_MODEL (self->filtered));
}

char *
ssui_run_table_dup_selected (SsuiRunTable *self)
{
  SsuiRunItem *item = gtk_single_selection_get_selected_item (self->selection);
  return item != NULL ? g_strdup (item->row->id) : NULL;
}

void
ssui_run_table_set_compact (SsuiRunTable *self, gboolean compact)
{
  gtk_column_view_column_set_visible (self->columns[COLUMN_STARTED], !compact);
  gtk_column_view_column_set_visible (self->columns[COLUMN_ITERATIONS], !compact);
}

static void
on_selected (SsuiRunTable *self)
{
  g_signal_emit (self, signals[SELECTION_CHANGED], 0);
}

static void
on_activate (GtkColumnView *view, guint position, SsuiRunTable *self)
{
  g_autoptr (SsuiRunItem) item = g_list_model_get_item (G_LIST_MODEL (self->selection), position);
  g_autofree char *id = item != NULL ? g_strdup (item->row->id) : NULL;

  (void)view;
  if (id != NULL)
    g_signal_emit (self, signals[RUN_ACTIVATED], 0, id);
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

static gboolean
is_number (int column)
{
  return columns[column].is_number;
}

static void
add_column (SsuiRunTable *self, Column column)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkColumnViewColumn *view_column;
  g_autofree char *title = NULL;

  g_object_set_data (G_OBJECT (factory), "column", GINT_TO_POINTER ((int)column));
  g_signal_connect_object (factory, "setup", G_CALLBACK (setup_cell), self, 0);
  g_signal_connect_object (factory, "bind", G_CALLBACK (bind_cell), self, 0);
  g_signal_connect_object (factory, "unbind", G_CALLBACK (unbind_cell), self, 0);
  title = columns[column].is_number ? ssapp_metric_title (columns[column].metric) : g_strdup (columns[column].title);
  view_column = gtk_column_view_column_new (title, factory);
  gtk_column_view_column_set_expand (view_column, columns[column].expand);
  if (column != COLUMN_CHECK) {
    GtkSorter *sorter = GTK_SORTER (gtk_custom_sorter_new (compare_items, GINT_TO_POINTER ((int)column), NULL));
    gtk_column_view_column_set_sorter (view_column, sorter);
    g_object_unref (sorter);
    gtk_column_view_column_set_resizable (view_column, TRUE);
  }
  gtk_column_view_append_column (self->view, view_column);
  self->columns[column] = view_column; /* the view holds it */
  g_object_unref (view_column);
}

static void
ssui_run_table_dispose (GObject *object)
{
  SsuiRunTable *self = SSUI_RUN_TABLE (object);

  gtk_widget_dispose_template (GTK_WIDGET (object), SSUI_TYPE_RUN_TABLE);
  ssui_unparent_children (GTK_WIDGET (object));
  g_clear_object (&self->selection);
  g_clear_object (&self->filtered);
  g_clear_object (&self->filter);
  g_clear_object (&self->items);
  g_clear_pointer (&self->words, g_strfreev);
  G_OBJECT_CLASS (ssui_run_table_parent_class)->dispose (object);
}

static void
ssui_run_table_class_init (SsuiRunTableClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = ssui_run_table_dispose;
  signals[CHECKED_CHANGED] =
      g_signal_new ("checked-changed", SSUI_TYPE_RUN_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SELECTION_CHANGED] =
      g_signal_new ("selection-changed", SSUI_TYPE_RUN_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[RUN_ACTIVATED] = g_signal_new ("run-activated", SSUI_TYPE_RUN_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                         G_TYPE_NONE, 1, G_TYPE_STRING);
  gtk_widget_class_set_template_from_resource (widget_class, SSUI_RESOURCE_PATH "/ui/ssui-run-table.ui");
  gtk_widget_class_bind_template_child (widget_class, SsuiRunTable, view);
}

static void
ssui_run_table_init (SsuiRunTable *self)
{
  GtkSortListModel *sorted;

  gtk_widget_init_template (GTK_WIDGET (self));
  self->items = g_list_store_new (SSUI_TYPE_RUN_ITEM);
  self->filter = GTK_FILTER (gtk_custom_filter_new (matches, self, NULL));
  self->filtered = gtk_filter_list_model_new (g_object_ref (G_LIST_MODEL (self->items)), g_object_ref (self->filter));
  for (int i = 0; i < N_COLUMNS; i++)
    add_column (self, (Column)i);
  ssui_align_headers (self->view, is_number);
  sorted = gtk_sort_list_model_new (g_object_ref (G_LIST_MODEL (self->filtered)),
                                    g_object_ref (gtk_column_view_get_sorter (self->view)));
  self->selection = gtk_single_selection_new (G_LIST_MODEL (sorted));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  gtk_column_view_set_model (self->view, GTK_SELECTION_MODEL (self->selection));
  g_signal_connect_object (self->selection, "notify::selected", G_CALLBACK (on_selected), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "activate", G_CALLBACK (on_activate), self, 0);
}
