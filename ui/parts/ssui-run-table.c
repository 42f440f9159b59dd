/* ui/parts/ssui-run-table.c: see the header. */
#include "ui/parts/ssui-run-table.h"

#include "app/base/ssapp-metric.h"
#include "app/session/ssapp-run-reader.h"
#include "app/session/ssapp-run.h"
#include "ui/parts/ssui-context-menu.h"
#include "ui/parts/ssui-rows.h"
#include "ui/parts/ssui-run-menu.h"
#include "ui/parts/ssui-run-row.h"
#include "ui/parts/ssui-run-texts.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <string.h>

static char *dup_selected (SsuiRunTable *self);

#define MEASURED    200 /* rows whose texts say how wide a column is */
#define MOST_CHARS  28  /* of a text's usual width */
#define MOST_FIELDS 12  /* columns of parameters and options: more cannot be read side by side */

/* What is shown of the runs: cell k shows columns[k]. */
typedef struct {
  SsappRunColumn column;
  gboolean is_check;
} Column;

struct _SsuiRunTable {
  GtkWidget parent_instance;
  SsuiRows *rows;
  GtkWidget *header;
  SsappRunList *list;
  SsappStore *store;
  GArray *columns;     /* of Column */
  GArray *cells;       /* of SsuiRunCell, the same number */
  GHashTable *checked; /* ids */
  GHashTable *open;    /* ids of studies whose runs are unfolded */
  char *filter, *sort; /* as they were asked for; sort "": as they come */
  gboolean is_descending, is_compact, is_differing, is_grouped;
  SsappRunReader *reader;
  gboolean has_metric[SS_METRIC_COUNT]; /* was read for the list */
};

G_DEFINE_FINAL_TYPE (SsuiRunTable, ssui_run_table, GTK_TYPE_WIDGET)

enum { CHECKED_CHANGED, SELECTION_CHANGED, RUN_ACTIVATED, SHOWN_CHANGED, MESSAGE, N_SIGNALS };
static guint signals[N_SIGNALS];

/* Numbers that the table shows. */
static const SsMetric shown_metrics[] = {SS_METRIC_OBJECTIVE, SS_METRIC_MAX_VIOLATION, SS_METRIC_ITERATIONS,
                                         SS_METRIC_CPU_SECONDS};

/* ---- columns ----------------------------------------------------------------------------------------------------- */

static SsuiRunCellKind
cell_kind_of (SsuiRunTable *self, const Column *column)
{
  if (column->is_check)
    return SSUI_RUN_CELL_CHECK;
  switch (column->column.kind) {
  case SSAPP_RUN_COLUMN_METHOD:
    return SSUI_RUN_CELL_METHOD;
  case SSAPP_RUN_COLUMN_OUTCOME:
    return SSUI_RUN_CELL_OUTCOME;
  case SSAPP_RUN_COLUMN_METRIC:
  case SSAPP_RUN_COLUMN_SEED:
    return SSUI_RUN_CELL_NUMBER;
  case SSAPP_RUN_COLUMN_FIELD:
    return ssapp_run_list_is_number (self->list, &column->column) ? SSUI_RUN_CELL_NUMBER : SSUI_RUN_CELL_TEXT;
  default:
    return SSUI_RUN_CELL_TEXT;
  }
}

static void
add_column (GArray *columns, SsappRunColumnKind kind, SsMetric metric, guint field)
{
  const Column column = {.column = {.kind = kind, .metric = metric, .field = field}};

  g_array_append_val (columns, column);
}

/* A column that is shown only where a run has something there. */
static void
add_if_used (SsuiRunTable *self, GArray *columns, SsappRunColumnKind kind)
{
  const SsappRunColumn column = {.kind = kind};

  if (ssapp_run_list_is_used (self->list, &column))
    add_column (columns, kind, SS_METRIC_COUNT, 0);
}

static GArray *
columns_now (SsuiRunTable *self)
{
  GArray *columns = g_array_new (FALSE, TRUE, sizeof (Column));
  const Column check = {.is_check = TRUE};

  g_array_append_val (columns, check);
  add_column (columns, SSAPP_RUN_COLUMN_METHOD, SS_METRIC_COUNT, 0);
  add_column (columns, SSAPP_RUN_COLUMN_SCENARIO, SS_METRIC_COUNT, 0);
  for (guint m = 0; m < G_N_ELEMENTS (shown_metrics); m++) {
    const SsappRunColumn column = {.kind = SSAPP_RUN_COLUMN_METRIC, .metric = shown_metrics[m]};
    if (!self->is_compact || (shown_metrics[m] != SS_METRIC_ITERATIONS && ssapp_run_list_is_used (self->list, &column)))
      add_column (columns, SSAPP_RUN_COLUMN_METRIC, shown_metrics[m], 0);
  }
  g_autoptr (GArray) asked = ssapp_run_list_outcomes (self->list);
  for (guint m = 0; m < asked->len && m < MOST_FIELDS; m++)
    add_column (columns, SSAPP_RUN_COLUMN_METRIC, g_array_index (asked, SsMetric, m), 0);
  add_column (columns, SSAPP_RUN_COLUMN_OUTCOME, SS_METRIC_COUNT, 0);
  if (self->is_differing || (self->is_grouped && g_hash_table_size (self->open) > 0)) {
    g_autoptr (GArray) differing = ssapp_run_list_columns (self->list, TRUE);
    guint n = 0;
    for (guint i = 0; i < differing->len && n < MOST_FIELDS; i++) {
      const SsappRunColumn *column = &g_array_index (differing, SsappRunColumn, i);
      if (column->kind != SSAPP_RUN_COLUMN_FIELD && column->kind != SSAPP_RUN_COLUMN_SEED)
        continue;
      add_column (columns, column->kind, SS_METRIC_COUNT, column->field);
      n++;
    }
  }
  if (!self->is_compact)
    add_column (columns, SSAPP_RUN_COLUMN_STARTED, SS_METRIC_COUNT, 0);
  if (!self->is_differing && !self->is_grouped)
    add_if_used (self, columns, SSAPP_RUN_COLUMN_STUDY);
  add_if_used (self, columns, SSAPP_RUN_COLUMN_TAGS);
  if (!self->is_compact)
    add_if_used (self, columns, SSAPP_RUN_COLUMN_NOTE);
  return columns;
}

/* Width that the longest text of the first rows needs. */
static int
usual_width (SsuiRunTable *self, const Column *column, SsuiRunCellKind kind)
{
  static const int check = 36, chip = 148, around_chip = 60, mark = 36, padding = 18; /* [px] */
  g_autofree char *longest = g_strdup (kind == SSUI_RUN_CELL_NUMBER ? "0.00000" : "");
  g_autoptr (PangoLayout) layout = NULL;
  int width;

  if (kind == SSUI_RUN_CELL_CHECK)
    return check;
  for (guint i = 0; i < MIN (ssapp_run_list_get_n_lines (self->list), MEASURED); i++) {
    g_autofree char *text = ssui_run_line_text (self->list, ssapp_run_list_get_line (self->list, i), &column->column);
    if (g_utf8_strlen (text, -1) > g_utf8_strlen (longest, -1)) {
      g_free (longest);
      longest = g_steal_pointer (&text);
    }
  }
  if (g_utf8_strlen (longest, -1) > MOST_CHARS)
    *g_utf8_offset_to_pointer (longest, MOST_CHARS) = '\0';
  layout = gtk_widget_create_pango_layout (GTK_WIDGET (self->rows), longest);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();
  pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum=1"));
  pango_layout_set_attributes (layout, attributes);
  pango_layout_get_pixel_size (layout, &width, NULL);
  if (kind == SSUI_RUN_CELL_OUTCOME) /* whose words are smaller, but bold */
    return MAX (chip, width + around_chip);
  return width + padding + (kind == SSUI_RUN_CELL_METHOD ? mark : 0);
}

static int
find_cell (SsuiRunTable *self, const SsappRunColumn *column)
{
  for (guint i = 0; i < self->columns->len; i++) {
    const Column *other = &g_array_index (self->columns, Column, i);
    if (!other->is_check && other->column.kind == column->kind && other->column.metric == column->metric &&
        other->column.field == column->field)
      return (int)i;
  }
  return -1;
}

static void
show_sort (SsuiRunTable *self)
{
  SsappRunColumn column;
  int cell = -1;

  if (*self->sort != '\0' && ssapp_run_list_find_column (self->list, self->sort, &column, NULL))
    cell = find_cell (self, &column);
  ssui_run_header_set_sort (SSUI_RUN_HEADER (self->header), cell, self->is_descending);
}

/* Columns that are to be there now, if they are others; widths that the user gave stay. */
static void
update_columns (SsuiRunTable *self, gboolean measures)
{
  g_autoptr (GArray) columns = columns_now (self);
  if (!measures && columns->len == self->columns->len &&
      memcmp (columns->data, self->columns->data, columns->len * sizeof (Column)) == 0)
    return;
  g_autoptr (GHashTable) own = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < self->cells->len; i++) {
    const SsuiRunCell *cell = &g_array_index (self->cells, SsuiRunCell, i);
    g_hash_table_insert (own, g_strdup (cell->title), GINT_TO_POINTER (cell->own));
  }
  g_array_set_size (self->columns, 0);
  g_array_append_vals (self->columns, columns->data, columns->len);
  g_array_set_size (self->cells, 0);
  for (guint i = 0; i < columns->len; i++) {
    const Column *column = &g_array_index (columns, Column, i);
    SsuiRunCell cell = {.kind = cell_kind_of (self, column)};
    cell.title = column->is_check ? g_strdup ("") : ssapp_run_list_dup_title (self->list, &column->column);
    cell.expands = cell.kind == SSUI_RUN_CELL_METHOD || cell.kind == SSUI_RUN_CELL_TEXT;
    cell.usual = usual_width (self, column, cell.kind);
    cell.own = GPOINTER_TO_INT (g_hash_table_lookup (own, cell.title));
    g_array_append_val (self->cells, cell);
  }
  ssui_run_header_update (SSUI_RUN_HEADER (self->header));
  ssui_rows_set_least_width (self->rows, ssui_run_cells_least_width (self->cells));
  show_sort (self);
}

static void
on_resized (SsuiRunTable *self)
{
  ssui_rows_set_least_width (self->rows, ssui_run_cells_least_width (self->cells));
  gtk_widget_queue_allocate (self->header);
  ssui_rows_refresh (self->rows);
  gtk_widget_queue_resize (GTK_WIDGET (self->rows));
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/* The rows that a line stands for: its run, or all of its group; of guint. */
static GArray *
rows_of_line (SsuiRunTable *self, SsappRunLine line)
{
  if (line.row == SSAPP_RUN_LIST_HEAD)
    return g_array_ref (ssapp_run_list_get_group_rows (self->list, line.group));
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (guint));
  g_array_append_val (rows, line.row);
  return rows;
}

static const char *
id_of_row (SsuiRunTable *self, const GArray *rows, guint index)
{
  return ssapp_run_list_get_row (self->list, g_array_index (rows, guint, index))->id;
}

static gboolean
is_checked (SsuiRunTable *self, SsappRunLine line)
{
  g_autoptr (GArray) rows = rows_of_line (self, line);
  guint n = 0;

  if (g_hash_table_size (self->checked) < rows->len)
    return FALSE;
  while (n < rows->len && g_hash_table_contains (self->checked, id_of_row (self, rows, n)))
    n++;
  return n == rows->len;
}

static void
set_checked (SsuiRunTable *self, SsappRunLine line, gboolean is_checked)
{
  g_autoptr (GArray) rows = rows_of_line (self, line);

  for (guint i = 0; i < rows->len; i++)
    if (is_checked)
      g_hash_table_add (self->checked, g_strdup (id_of_row (self, rows, i)));
    else
      g_hash_table_remove (self->checked, id_of_row (self, rows, i));
  if (rows->len > 1 || line.group > 0)
    ssui_rows_refresh (self->rows);
  g_signal_emit (self, signals[CHECKED_CHANGED], 0);
}

static void
on_row_toggled (SsuiRunRow *row, SsuiRunTable *self)
{
  const guint position = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (row), "position"));

  if (position < ssapp_run_list_get_n_lines (self->list))
    set_checked (self, ssapp_run_list_get_line (self->list, position), ssui_run_row_is_checked (row));
}

static GtkWidget *
make_row (gpointer data)
{
  SsuiRunTable *self = data;
  GtkWidget *row = ssui_run_row_new (self->cells);

  g_signal_connect (row, "toggled", G_CALLBACK (on_row_toggled), self);
  return row;
}

/* Texts of all cells but the tick's and the chip's; their titles and texts go to the name. */
static void
bind_cells (SsuiRunTable *self, SsuiRunRow *row, SsappRunLine line, GString *name)
{
  const gboolean is_head = line.row == SSAPP_RUN_LIST_HEAD;

  for (guint i = 0; i < self->columns->len; i++) {
    const Column *column = &g_array_index (self->columns, Column, i);
    if (column->is_check)
      continue;
    g_autofree char *text = ssui_run_line_text (self->list, line, &column->column);
    if (is_head || column->column.kind != SSAPP_RUN_COLUMN_OUTCOME)
      ssui_run_row_set_text (row, i, text);
    if (*text != '\0' && !(is_head && column->column.kind == SSAPP_RUN_COLUMN_METHOD))
      g_string_append_printf (name, "%s%s %s", name->len > 0 ? ", " : "",
                              g_array_index (self->cells, SsuiRunCell, i).title, text);
  }
}

static void
bind_head (SsuiRunTable *self, SsuiRunRow *row, SsappRunLine line)
{
  const gboolean is_open = ssapp_run_list_is_open (self->list, line.group);
  const guint n = ssapp_run_list_get_group_rows (self->list, line.group)->len;
  const char *title = ssapp_run_list_get_group_title (self->list, line.group);
  g_autoptr (GString) name = g_string_new (NULL);
  g_autofree char *check = g_strdup_printf (_ ("Choose all %u runs of %s"), n, title);

  g_string_printf (name,
                   is_open ? ngettext ("Study %s, %u run, unfolded", "Study %s, %u runs, unfolded", n)
                           : ngettext ("Study %s, %u run, folded", "Study %s, %u runs, folded", n),
                   title, n);
  ssui_run_row_begin_group (row, is_open);
  bind_cells (self, row, line, name);
  ssui_run_row_end (row, name->str, check, is_checked (self, line));
}

static void
bind_row (GtkWidget *widget, guint position, gpointer data)
{
  SsuiRunTable *self = data;
  SsuiRunRow *row = SSUI_RUN_ROW (widget);
  const SsappRunLine line = ssapp_run_list_get_line (self->list, position);
  g_autoptr (GString) name = g_string_new (NULL);

  g_object_set_data (G_OBJECT (widget), "position", GUINT_TO_POINTER (position));
  if (line.row == SSAPP_RUN_LIST_HEAD) {
    bind_head (self, row, line);
    return;
  }
  const SsappRunRow *run = ssapp_run_list_get_row (self->list, line.row);
  g_autofree char *started = ssui_run_started_text (run->started), *run_name = ssapp_run_row_dup_name (run),
                  *check = g_strdup_printf (_ ("Choose %s on %s, %s"), run_name, run->scenario_name, started);
  ssui_run_row_begin (row, ssapp_run_row_get_method (run), run->outcome, run->message);
  bind_cells (self, row, line, name);
  ssui_run_row_end (row, name->str, check, is_checked (self, line));
}

/* What a line is known by when the list is another: the run's id, the study's of a head. */
static const char *
id_of_line (SsuiRunTable *self, SsappRunLine line)
{
  return line.row == SSAPP_RUN_LIST_HEAD ? ssapp_run_list_get_group_id (self->list, line.group)
                                         : ssapp_run_list_get_row (self->list, line.row)->id;
}

/* The line of that id. */
static guint
position_of (SsuiRunTable *self, const char *id)
{
  for (guint i = 0; id != NULL && i < ssapp_run_list_get_n_lines (self->list); i++)
    if (strcmp (id_of_line (self, ssapp_run_list_get_line (self->list, i)), id) == 0)
      return i;
  return SSUI_ROWS_NONE;
}

/* Shows the list as it is now; the cursor stays on its run. */
static void
show_list (SsuiRunTable *self, const char *selected, gboolean is_other)
{
  update_columns (self, is_other);
  ssui_rows_set_cursor (self->rows, SSUI_ROWS_NONE, FALSE);
  ssui_rows_set_n (self->rows, ssapp_run_list_get_n_lines (self->list));
  if (selected != NULL)
    ssui_rows_set_cursor (self->rows, position_of (self, selected), FALSE);
  g_signal_emit (self, signals[SHOWN_CHANGED], 0);
}

/* ---- list -------------------------------------------------------------------------------------------------------- */

/* Order and search of the list as they were asked for; what no run has any more is forgotten. */
static void
apply (SsuiRunTable *self)
{
  SsappRunColumn column;

  if (*self->sort != '\0' && ssapp_run_list_find_column (self->list, self->sort, &column, NULL))
    ssapp_run_list_sort (self->list, &column, self->is_descending);
  if (!ssapp_run_list_filter (self->list, self->filter, NULL))
    ssapp_run_list_filter (self->list, "", NULL);
}

/* The metrics that the list is read with. */
static int
list_metrics (SsuiRunTable *self, SsMetric metrics[SS_METRIC_COUNT])
{
  int n = 0;

  for (guint m = 0; m < G_N_ELEMENTS (shown_metrics); m++)
    self->has_metric[shown_metrics[m]] = TRUE;
  for (int m = 0; m < SS_METRIC_COUNT; m++)
    if (self->has_metric[m])
      metrics[n++] = (SsMetric)m;
  return n;
}

static void
take_list (SsuiRunTable *self, SsappRunList *list)
{
  g_autofree char *selected = dup_selected (self);

  ssapp_run_list_free (self->list);
  self->list = list;
  ssapp_run_list_group (self->list, self->is_grouped ? self->open : NULL);
  ssapp_run_list_forget (self->list, self->checked);
  apply (self);
  show_list (self, selected, TRUE);
}

gboolean
ssui_run_table_load (SsuiRunTable *self, SsappStore *store, GError **error)
{
  g_return_val_if_fail (SSUI_IS_RUN_TABLE (self) && (store == NULL || SSAPP_IS_STORE (store)), FALSE);

  SsMetric metrics[SS_METRIC_COUNT];
  const int n = list_metrics (self, metrics);

  g_set_object (&self->store, store);
  SsappRunList *list = ssapp_run_reader_read (self->reader, store, metrics, n, error);
  if (list != NULL)
    take_list (self, list);
  return list != NULL;
}

static void
on_list (SsappRunList *list, const GError *error, gpointer self)
{
  if (list != NULL)
    take_list (self, list);
  else
    g_signal_emit (self, signals[MESSAGE], 0, error->message);
}

void
ssui_run_table_queue_load (SsuiRunTable *self, SsappStore *store)
{
  g_return_if_fail (SSUI_IS_RUN_TABLE (self) && (store == NULL || SSAPP_IS_STORE (store)));

  SsMetric metrics[SS_METRIC_COUNT];
  const int n = list_metrics (self, metrics);

  g_set_object (&self->store, store);
  ssapp_run_reader_queue (self->reader, store, metrics, n);
}

/* A condition or an order needs a metric that was not read so far. */
static gboolean
need_metric (SsuiRunTable *self, SsMetric metric, GError **error)
{
  if (metric >= SS_METRIC_COUNT || self->has_metric[metric])
    return TRUE;
  self->has_metric[metric] = TRUE;
  return ssui_run_table_load (self, self->store, error);
}

gboolean
ssui_run_table_set_filter (SsuiRunTable *self, const char *text, GError **error)
{
  g_return_val_if_fail (SSUI_IS_RUN_TABLE (self), FALSE);

  g_autoptr (GPtrArray) terms = ssapp_run_filter_parse (text, error);
  g_autofree char *selected = dup_selected (self);

  if (terms == NULL)
    return FALSE;
  if (strcmp (text, self->filter) == 0)
    return TRUE;
  for (guint i = 0; i < terms->len; i++) {
    const SsappRunTerm *term = g_ptr_array_index (terms, i);
    if (term->name != NULL && term->kind == SSAPP_RUN_COLUMN_METRIC && !need_metric (self, term->metric, error))
      return FALSE;
  }
  if (!ssapp_run_list_filter (self->list, text, error))
    return FALSE;
  g_free (self->filter);
  self->filter = g_strdup (text);
  show_list (self, selected, FALSE);
  return TRUE;
}

gboolean
ssui_run_table_sort (SsuiRunTable *self, const char *name, gboolean is_descending, GError **error)
{
  g_return_val_if_fail (SSUI_IS_RUN_TABLE (self) && name != NULL, FALSE);

  g_autofree char *selected = dup_selected (self);
  SsappRunColumn column;

  if (*name != '\0' &&
      (!ssapp_run_list_find_column (self->list, name, &column, error) || !need_metric (self, column.metric, error)))
    return FALSE;
  g_free (self->sort);
  self->sort = g_strdup (name);
  self->is_descending = is_descending;
  ssapp_run_list_sort (self->list, *name != '\0' ? &column : NULL, is_descending);
  show_sort (self);
  ssui_rows_set_cursor (self->rows, SSUI_ROWS_NONE, FALSE);
  ssui_rows_refresh (self->rows);
  if (selected != NULL)
    ssui_rows_set_cursor (self->rows, position_of (self, selected), FALSE);
  g_signal_emit (self, signals[SHOWN_CHANGED], 0);
  return TRUE;
}

/* Up, down, as they come. */
static void
on_header_pressed (SsuiRunTable *self, guint cell)
{
  const Column *column = &g_array_index (self->columns, Column, cell);
  g_autofree char *name = ssapp_run_list_dup_name (self->list, &column->column);
  const gboolean is_same = strcmp (name, self->sort) == 0;

  if (is_same && self->is_descending)
    ssui_run_table_sort (self, "", FALSE, NULL);
  else
    ssui_run_table_sort (self, name, is_same, NULL);
}

GStrv
ssui_run_table_dup_checked (SsuiRunTable *self)
{
  g_return_val_if_fail (SSUI_IS_RUN_TABLE (self), NULL);

  g_autoptr (GStrvBuilder) ids = g_strv_builder_new ();

  for (guint i = 0; g_hash_table_size (self->checked) > 0 && i < ssapp_run_list_get_n_rows (self->list); i++) {
    const SsappRunRow *row = ssapp_run_list_get_row (self->list, i);
    if (g_hash_table_contains (self->checked, row->id))
      g_strv_builder_add (ids, row->id);
  }
  return g_strv_builder_end (ids);
}

void
ssui_run_table_check (SsuiRunTable *self, const char *const *ids)
{
  g_return_if_fail (SSUI_IS_RUN_TABLE (self));
  g_hash_table_remove_all (self->checked);
  for (int i = 0; ids != NULL && ids[i] != NULL; i++)
    g_hash_table_add (self->checked, g_strdup (ids[i]));
  ssapp_run_list_forget (self->list, self->checked);
  ssui_rows_refresh (self->rows);
  g_signal_emit (self, signals[CHECKED_CHANGED], 0);
}

void
ssui_run_table_check_shown (SsuiRunTable *self)
{
  g_return_if_fail (SSUI_IS_RUN_TABLE (self));
  for (guint i = 0; i < ssapp_run_list_get_n_shown (self->list); i++)
    g_hash_table_add (self->checked,
                      g_strdup (ssapp_run_list_get_row (self->list, ssapp_run_list_get_shown (self->list, i))->id));
  ssui_rows_refresh (self->rows);
  g_signal_emit (self, signals[CHECKED_CHANGED], 0);
}

guint
ssui_run_table_get_n_runs (SsuiRunTable *self)
{
  g_return_val_if_fail (SSUI_IS_RUN_TABLE (self), 0);
  return ssapp_run_list_get_n_rows (self->list);
}

guint
ssui_run_table_get_n_shown (SsuiRunTable *self)
{
  g_return_val_if_fail (SSUI_IS_RUN_TABLE (self), 0);
  return ssapp_run_list_get_n_shown (self->list);
}

guint
ssui_run_table_get_n_checked (SsuiRunTable *self)
{
  g_return_val_if_fail (SSUI_IS_RUN_TABLE (self), 0);
  return g_hash_table_size (self->checked);
}

/* Of the line under the keyboard cursor, NULL if none. */
static char *
dup_selected (SsuiRunTable *self)
{
  const guint cursor = ssui_rows_get_cursor (self->rows);

  return cursor < ssapp_run_list_get_n_lines (self->list)
             ? g_strdup (id_of_line (self, ssapp_run_list_get_line (self->list, cursor)))
             : NULL;
}

char *
ssui_run_table_dup_chosen (SsuiRunTable *self)
{
  g_auto (GStrv) checked = ssui_run_table_dup_checked (self);
  const guint cursor = ssui_rows_get_cursor (self->rows);
  GString *ids;

  if (checked[0] != NULL)
    return g_strjoinv (",", checked);
  ids = g_string_new (NULL);
  if (cursor < ssapp_run_list_get_n_lines (self->list)) {
    g_autoptr (GArray) rows = rows_of_line (self, ssapp_run_list_get_line (self->list, cursor));
    for (guint i = 0; i < rows->len; i++)
      g_string_append_printf (ids, "%s%s", i > 0 ? "," : "", id_of_row (self, rows, i));
  }
  return g_string_free (ids, FALSE);
}

void
ssui_run_table_set_grouped (SsuiRunTable *self, gboolean is_grouped)
{
  if (self->is_grouped == is_grouped)
    return;
  self->is_grouped = is_grouped;
  ssapp_run_list_group (self->list, is_grouped ? self->open : NULL);
  show_list (self, NULL, TRUE);
}

void
ssui_run_table_set_compact (SsuiRunTable *self, gboolean compact)
{
  g_return_if_fail (SSUI_IS_RUN_TABLE (self));
  self->is_compact = compact;
  update_columns (self, TRUE);
}

void
ssui_run_table_set_differing (SsuiRunTable *self, gboolean is_differing)
{
  g_return_if_fail (SSUI_IS_RUN_TABLE (self));
  if (self->is_differing == is_differing)
    return;
  self->is_differing = is_differing;
  update_columns (self, TRUE);
  ssui_rows_refresh (self->rows);
}

/* ---- pointer, keys, menu ----------------------------------------------------------------------------------------- */

static void
on_cursor (SsuiRunTable *self)
{
  g_signal_emit (self, signals[SELECTION_CHANGED], 0);
}

static void
unfold (SsuiRunTable *self, guint group, gboolean is_open)
{
  g_autofree char *id = g_strdup (ssapp_run_list_get_group_id (self->list, group));

  if (is_open)
    g_hash_table_add (self->open, g_strdup (id));
  else
    g_hash_table_remove (self->open, id);
  ssapp_run_list_group (self->list, self->open);
  show_list (self, id, FALSE);
}

/* Right unfolds a group; Left folds it, also from one of its runs. */
static gboolean
on_unfolded (SsuiRunTable *self, guint position, gboolean is_open)
{
  const SsappRunLine line = ssapp_run_list_get_line (self->list, position);

  if (line.group == 0 || (is_open && line.row != SSAPP_RUN_LIST_HEAD))
    return FALSE;
  if (ssapp_run_list_is_open (self->list, line.group) != is_open)
    unfold (self, line.group, is_open);
  return TRUE;
}

static void
on_activated (SsuiRunTable *self, guint position)
{
  const SsappRunLine line = ssapp_run_list_get_line (self->list, position);

  if (line.row == SSAPP_RUN_LIST_HEAD) {
    unfold (self, line.group, !ssapp_run_list_is_open (self->list, line.group));
    return;
  }
  g_autofree char *id = g_strdup (ssapp_run_list_get_row (self->list, line.row)->id);
  g_signal_emit (self, signals[RUN_ACTIVATED], 0, id);
}

static void
on_toggled (SsuiRunTable *self, guint position)
{
  const SsappRunLine line = ssapp_run_list_get_line (self->list, position);

  set_checked (self, line, !is_checked (self, line));
  ssui_rows_refresh (self->rows);
}

static void
on_menu (SsuiRunTable *self, double x, double y)
{
  g_autofree char *ids = ssui_run_table_dup_chosen (self);
  g_autoptr (GMenuModel) menu = ssui_run_menu_of_list (ids);

  ssui_context_menu_popup (GTK_WIDGET (self->rows), menu, x, y);
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

static void
ssui_run_table_dispose (GObject *object)
{
  SsuiRunTable *self = SSUI_RUN_TABLE (object);

  g_clear_pointer (&self->reader, ssapp_run_reader_free);
  if (self->rows != NULL)
    g_signal_handlers_disconnect_by_data (self->rows, self);
  gtk_widget_dispose_template (GTK_WIDGET (object), SSUI_TYPE_RUN_TABLE);
  ssui_unparent_children (GTK_WIDGET (object));
  g_clear_object (&self->store);
  G_OBJECT_CLASS (ssui_run_table_parent_class)->dispose (object);
}

static void
ssui_run_table_finalize (GObject *object)
{
  SsuiRunTable *self = SSUI_RUN_TABLE (object);

  ssapp_run_list_free (self->list);
  g_array_unref (self->columns);
  g_array_unref (self->cells);
  g_hash_table_unref (self->checked);
  g_hash_table_unref (self->open);
  g_free (self->filter);
  g_free (self->sort);
  G_OBJECT_CLASS (ssui_run_table_parent_class)->finalize (object);
}

static void
ssui_run_table_class_init (SsuiRunTableClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = ssui_run_table_dispose;
  G_OBJECT_CLASS (class)->finalize = ssui_run_table_finalize;
  signals[CHECKED_CHANGED] =
      g_signal_new ("checked-changed", SSUI_TYPE_RUN_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SELECTION_CHANGED] =
      g_signal_new ("selection-changed", SSUI_TYPE_RUN_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SHOWN_CHANGED] =
      g_signal_new ("shown-changed", SSUI_TYPE_RUN_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[RUN_ACTIVATED] = g_signal_new ("run-activated", SSUI_TYPE_RUN_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                         G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[MESSAGE] = g_signal_new ("message", SSUI_TYPE_RUN_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                   1, G_TYPE_STRING);
  g_type_ensure (SSUI_TYPE_ROWS);
  gtk_widget_class_set_template_from_resource (widget_class, SSUI_RESOURCE_PATH "/ui/ssui-run-table.ui");
  gtk_widget_class_bind_template_child (widget_class, SsuiRunTable, rows);
}

static void
ssui_run_table_init (SsuiRunTable *self)
{
  self->list = ssapp_run_list_new (NULL);
  self->reader = ssapp_run_reader_new (on_list, self);
  self->columns = g_array_new (FALSE, TRUE, sizeof (Column));
  self->cells = ssui_run_cells_new ();
  self->checked = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->open = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->filter = g_strdup ("");
  self->sort = g_strdup ("");
  gtk_widget_init_template (GTK_WIDGET (self));
  self->header = ssui_run_header_new (self->cells);
  ssui_rows_set_header (self->rows, self->header);
  ssui_rows_set_factory (self->rows, make_row, bind_row, self);
  g_signal_connect_object (self->header, "pressed", G_CALLBACK (on_header_pressed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->header, "resized", G_CALLBACK (on_resized), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->rows, "cursor-changed", G_CALLBACK (on_cursor), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->rows, "activated", G_CALLBACK (on_activated), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->rows, "toggled", G_CALLBACK (on_toggled), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->rows, "unfolded", G_CALLBACK (on_unfolded), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->rows, "take-all", G_CALLBACK (ssui_run_table_check_shown), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->rows, "menu", G_CALLBACK (on_menu), self, G_CONNECT_SWAPPED);
  update_columns (self, TRUE);
}
