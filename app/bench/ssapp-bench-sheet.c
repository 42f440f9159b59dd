/* app/bench/ssapp-bench-sheet.c: see ssapp-bench-sheet.h. */
#include "app/bench/ssapp-bench-sheet.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-metric.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  char *key, *heading; /* owned             */
  int digits;          /* 0: a text column  */
} Column;

typedef struct {
  char *text; /* owned; NULL: a number */
  double number;
} Cell;

typedef struct {
  char *key, *title; /* owned */
  GArray *columns;   /* of Column */
  GArray *cells;     /* of Cell, row by row; the last row may be short */
  GArray *starts;    /* of guint: first cell of each row */
  GPtrArray *notes;
} Table;

struct SsappBenchSheet {
  GPtrArray *tables;
};

static void
clear_column (gpointer data)
{
  Column *column = data;

  g_free (column->key);
  g_free (column->heading);
}

static void
clear_cell (gpointer data)
{
  Cell *cell = data;

  g_free (cell->text);
}

static void
table_free (gpointer data)
{
  Table *table = data;

  g_free (table->key);
  g_free (table->title);
  g_array_unref (table->columns);
  g_array_unref (table->cells);
  g_array_unref (table->starts);
  g_ptr_array_unref (table->notes);
  g_free (table);
}

SsappBenchSheet *
ssapp_bench_sheet_new (void)
{
  SsappBenchSheet *self = g_new0 (SsappBenchSheet, 1);

  self->tables = g_ptr_array_new_with_free_func (table_free);
  return self;
}

void
ssapp_bench_sheet_free (SsappBenchSheet *self)
{
  if (self != NULL)
    g_ptr_array_unref (self->tables);
  g_free (self);
}

static Table *
last_table (const SsappBenchSheet *self)
{
  g_assert (self->tables->len > 0);
  return g_ptr_array_index (self->tables, self->tables->len - 1);
}

void
ssapp_bench_sheet_table (SsappBenchSheet *self, const char *key, const char *title, const char *const *columns)
{
  Table *table = g_new0 (Table, 1);

  table->key = g_strdup (key);
  table->title = g_strdup (title);
  table->columns = g_array_new (FALSE, FALSE, sizeof (Column));
  table->cells = g_array_new (FALSE, FALSE, sizeof (Cell));
  table->starts = g_array_new (FALSE, FALSE, sizeof (guint));
  table->notes = g_ptr_array_new_with_free_func (g_free);
  g_array_set_clear_func (table->columns, clear_column);
  g_array_set_clear_func (table->cells, clear_cell);
  for (int i = 0; columns[i] != NULL; i++) {
    char **parts = g_strsplit (columns[i], "|", 3);
    g_assert (g_strv_length (parts) == 3);
    Column column = {g_strdup (parts[0]), g_strdup (parts[1]), atoi (parts[2])};
    g_array_append_val (table->columns, column);
    g_strfreev (parts);
  }
  g_ptr_array_add (self->tables, table);
}

void
ssapp_bench_sheet_metric (SsappBenchSheet *self, const char *key, SsMetric metric)
{
  GArray *columns = last_table (self)->columns;

  for (guint i = 0; i < columns->len; i++) {
    Column *column = &g_array_index (columns, Column, i);
    if (strcmp (column->key, key) == 0) {
      g_free (column->heading);
      column->heading = ssapp_metric_heading (metric);
      return;
    }
  }
  g_assert_not_reached ();
}

void
ssapp_bench_sheet_note (SsappBenchSheet *self, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_ptr_array_add (last_table (self)->notes, g_strdup_vprintf (format, arguments));
  va_end (arguments);
}

void
ssapp_bench_sheet_row (SsappBenchSheet *self)
{
  Table *table = last_table (self);

  g_array_append_val (table->starts, table->cells->len);
}

static void
add_cell (SsappBenchSheet *self, Cell cell)
{
  Table *table = last_table (self);

  g_assert (table->starts->len > 0);
  g_assert (table->cells->len - g_array_index (table->starts, guint, table->starts->len - 1) < table->columns->len);
  g_array_append_val (table->cells, cell);
}

void
ssapp_bench_sheet_number (SsappBenchSheet *self, double value)
{
  add_cell (self, (Cell){NULL, value});
}

void
ssapp_bench_sheet_text (SsappBenchSheet *self, const char *text)
{
  add_cell (self, (Cell){g_strdup (text), NAN});
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static const Column *
column_of (const Table *table, guint c)
{
  return &g_array_index (table->columns, Column, c);
}

/* NULL where the row is short. */
static const Cell *
cell_of (const Table *table, guint row, guint c)
{
  const guint start = g_array_index (table->starts, guint, row);
  const guint end = row + 1 < table->starts->len ? g_array_index (table->starts, guint, row + 1) : table->cells->len;

  return start + c < end ? &g_array_index (table->cells, Cell, start + c) : NULL;
}

/* What is printed in a cell; g_free. */
static char *
shown (const Table *table, guint row, guint c)
{
  const Cell *cell = cell_of (table, row, c);

  if (cell == NULL)
    return g_strdup ("");
  if (cell->text != NULL)
    return g_strdup (cell->text);
  if (isnan (cell->number))
    return g_strdup ("-");
  return g_strdup_printf ("%.*g", MAX (column_of (table, c)->digits, 1), cell->number);
}

/* Pads to a width in characters, not bytes; texts to the left, numbers to the right. */
static void
append_padded (GString *out, const char *text, glong width, gboolean is_left)
{
  const glong gap = width - g_utf8_strlen (text, -1);

  if (is_left)
    g_string_append (out, text);
  for (glong i = 0; i < gap; i++)
    g_string_append_c (out, ' ');
  if (!is_left)
    g_string_append (out, text);
}

static void
print_line (GString *out, const Table *table, const glong *widths, char **texts)
{
  for (guint c = 0; c < table->columns->len; c++) {
    g_string_append (out, "  ");
    append_padded (out, texts[c], widths[c], column_of (table, c)->digits == 0);
  }
  while (out->len > 0 && out->str[out->len - 1] == ' ')
    g_string_truncate (out, out->len - 1);
  g_string_append_c (out, '\n');
}

static void
print_table (GString *out, const Table *table)
{
  const guint n_columns = table->columns->len, n_lines = table->starts->len + 1;
  glong *widths = g_new0 (glong, n_columns + 1);
  char **texts = g_new0 (char *, n_columns *n_lines + 1);

  for (guint line = 0; line < n_lines; line++)
    for (guint c = 0; c < n_columns; c++) {
      char *text = line == 0 ? g_strdup (column_of (table, c)->heading) : shown (table, line - 1, c);
      texts[line * n_columns + c] = text;
      widths[c] = MAX (widths[c], g_utf8_strlen (text, -1));
    }
  g_string_append_printf (out, "%s\n", table->title);
  for (guint line = 0; line < n_lines; line++)
    print_line (out, table, widths, texts + line * n_columns);
  for (guint i = 0; i < table->notes->len; i++)
    g_string_append_printf (out, "  %s\n", (const char *)g_ptr_array_index (table->notes, i));
  g_strfreev (texts);
  g_free (widths);
}

char *
ssapp_bench_sheet_to_text (const SsappBenchSheet *self)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < self->tables->len; i++) {
    if (i > 0)
      g_string_append_c (out, '\n');
    print_table (out, g_ptr_array_index (self->tables, i));
  }
  return g_string_free (out, FALSE);
}

/* Counts are whole in JSON, too. */
static json_t *
number_to_json (double value)
{
  static const double largest_exact = 9007199254740992.0; /* 2^53 */

  if (value == floor (value) && fabs (value) <= largest_exact)
    return json_integer ((json_int_t)value);
  return ssapp_json_real (value);
}

static json_t *
row_to_json (const Table *table, guint row)
{
  json_t *object = json_object ();

  for (guint c = 0; c < table->columns->len; c++) {
    const Cell *cell = cell_of (table, row, c);
    json_t *value = cell == NULL         ? json_null ()
                    : cell->text != NULL ? json_string (cell->text)
                                         : number_to_json (cell->number);
    json_object_set_new (object, column_of (table, c)->key, value);
  }
  return object;
}

json_t *
ssapp_bench_sheet_to_json (const SsappBenchSheet *self)
{
  json_t *tables = json_array ();

  for (guint i = 0; i < self->tables->len; i++) {
    const Table *table = g_ptr_array_index (self->tables, i);
    json_t *rows = json_array (), *notes = json_array ();
    for (guint r = 0; r < table->starts->len; r++)
      json_array_append_new (rows, row_to_json (table, r));
    for (guint k = 0; k < table->notes->len; k++)
      json_array_append_new (notes, json_string (g_ptr_array_index (table->notes, k)));
    json_array_append_new (tables, json_pack ("{s:s, s:s, s:o, s:o}", "name", table->key, "title", table->title,
                                              "notes", notes, "rows", rows));
  }
  return tables;
}

static json_t *
columns_to_json (const Table *table)
{
  json_t *columns = json_array ();

  for (guint c = 0; c < table->columns->len; c++)
    json_array_append_new (columns, json_pack ("{s:s, s:s, s:i}", "key", column_of (table, c)->key, "title",
                                               column_of (table, c)->heading, "digits", column_of (table, c)->digits));
  return columns;
}

json_t *
ssapp_bench_sheet_to_documents (const SsappBenchSheet *self)
{
  json_t *documents = json_array ();

  for (guint i = 0; i < self->tables->len; i++) {
    const Table *table = g_ptr_array_index (self->tables, i);
    json_t *rows = json_array (), *notes = json_array ();
    for (guint r = 0; r < table->starts->len; r++) {
      json_t *row = json_array ();
      for (guint c = 0; c < table->columns->len; c++) {
        const Cell *cell = cell_of (table, r, c);
        json_array_append_new (row, cell == NULL         ? json_null ()
                                    : cell->text != NULL ? json_string (cell->text)
                                                         : ssapp_json_real (cell->number));
      }
      json_array_append_new (rows, row);
    }
    for (guint k = 0; k < table->notes->len; k++)
      json_array_append_new (notes, json_string (g_ptr_array_index (table->notes, k)));
    json_array_append_new (documents, json_pack ("{s:s, s:s, s:o, s:o, s:o}", "name", table->key, "title", table->title,
                                                 "notes", notes, "columns", columns_to_json (table), "rows", rows));
  }
  return documents;
}
