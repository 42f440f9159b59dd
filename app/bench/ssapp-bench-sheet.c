/* app/bench/ssapp-bench-sheet.c: see ssapp-bench-sheet.h. */
#include "app/bench/ssapp-bench-sheet.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-metric.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
  char *key; /* owned */
  SsappTable *table;
} SheetTable;

struct SsappBenchSheet {
  GPtrArray *tables; /* of SheetTable */
};

static void
table_free (gpointer data)
{
  SheetTable *table = data;

  g_free (table->key);
  ssapp_table_free (table->table);
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

static SheetTable *
last_of (const SsappBenchSheet *self)
{
  g_assert (self->tables->len > 0);
  return g_ptr_array_index (self->tables, self->tables->len - 1);
}

void
ssapp_bench_sheet_take (SsappBenchSheet *self, const char *key, SsappTable *table)
{
  g_return_if_fail (self != NULL && table != NULL);
  SheetTable *taken = g_new0 (SheetTable, 1);

  *taken = (SheetTable){g_strdup (key), table};
  g_ptr_array_add (self->tables, taken);
}

void
ssapp_bench_sheet_table (SsappBenchSheet *self, const char *key, const char *title, const char *const *columns)
{
  SsappTable *table = ssapp_table_new (title);

  for (int i = 0; columns[i] != NULL; i++) {
    g_auto (GStrv) parts = g_strsplit (columns[i], "|", 3);
    g_assert (g_strv_length (parts) == 3);
    const int digits = atoi (parts[2]);
    g_autofree char *format = g_strdup_printf ("%%.%dg", digits);
    if (digits == 0)
      ssapp_table_add_text_column (table, parts[0], parts[1]);
    else
      ssapp_table_add_number_column (table, parts[0], parts[1], "", format, SSAPP_BEST_NONE);
  }
  ssapp_bench_sheet_take (self, key, table);
}

void
ssapp_bench_sheet_metric (SsappBenchSheet *self, const char *key, SsMetric metric)
{
  SsappTable *table = last_of (self)->table;
  const int column = ssapp_table_find_column (table, key);
  g_autofree char *heading = ssapp_metric_heading (metric);

  g_assert (column >= 0);
  ssapp_table_set_column_title (table, (guint)column, heading);
}

void
ssapp_bench_sheet_note (SsappBenchSheet *self, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *note = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  ssapp_table_add_note (last_of (self)->table, note);
}

void
ssapp_bench_sheet_row (SsappBenchSheet *self, const SsappBenchCell *cells, guint n)
{
  SsappTable *table = last_of (self)->table;

  g_return_if_fail (n <= ssapp_table_get_n_columns (table));
  ssapp_table_begin_row (table);
  for (guint i = 0; i < n; i++) {
    g_autofree char *rounded = isnan (cells[i].n) ? g_strdup ("-") : g_strdup_printf ("%.1g", cells[i].n);
    if (cells[i].text == NULL && ssapp_table_is_number_column (table, i))
      ssapp_table_add_number (table, cells[i].n);
    else
      ssapp_table_add_text (table, cells[i].text != NULL ? cells[i].text : rounded);
  }
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

char *
ssapp_bench_sheet_write (const SsappBenchSheet *self, SsappTableFormat format)
{
  g_return_val_if_fail (self != NULL, NULL);
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < self->tables->len; i++) {
    const SsappTable *table = ((SheetTable *)g_ptr_array_index (self->tables, i))->table;
    g_autofree char *text = ssapp_table_write (table, format);
    g_string_append (out, i > 0 ? "\n" : "");
    if (format == SSAPP_TABLE_TEXT)
      g_string_append_printf (out, "%s\n", ssapp_table_get_title (table));
    g_string_append (out, text);
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
cell_to_json (const SsappTable *table, guint row, guint column, json_t *(*to_json) (double))
{
  if (ssapp_table_is_text (table, row, column))
    return json_string (ssapp_table_get_text (table, row, column));
  return to_json (ssapp_table_get_number (table, row, column));
}

static json_t *
notes_to_json (const SsappTable *table)
{
  json_t *notes = json_array ();

  for (guint i = 0; i < ssapp_table_get_n_notes (table); i++)
    json_array_append_new (notes, json_string (ssapp_table_get_note (table, i)));
  return notes;
}

json_t *
ssapp_bench_sheet_to_json (const SsappBenchSheet *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  json_t *tables = json_array ();

  for (guint i = 0; i < self->tables->len; i++) {
    const SheetTable *of = g_ptr_array_index (self->tables, i);
    const SsappTable *table = of->table;
    json_t *rows = json_array ();
    for (guint r = 0; r < ssapp_table_get_n_rows (table); r++) {
      json_t *row = json_object ();
      for (guint c = 0; c < ssapp_table_get_n_columns (table); c++)
        json_object_set_new (row, ssapp_table_get_column_key (table, c), cell_to_json (table, r, c, number_to_json));
      json_array_append_new (rows, row);
    }
    json_array_append_new (tables,
                           json_pack ("{s:s, s:s, s:o, s:o}", "name", of->key, "title", ssapp_table_get_title (table),
                                      "notes", notes_to_json (table), "rows", rows));
  }
  return tables;
}

json_t *
ssapp_bench_sheet_to_documents (const SsappBenchSheet *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  json_t *documents = json_array ();

  for (guint i = 0; i < self->tables->len; i++) {
    const SheetTable *of = g_ptr_array_index (self->tables, i);
    const SsappTable *table = of->table;
    json_t *rows = json_array (), *columns = json_array ();
    for (guint c = 0; c < ssapp_table_get_n_columns (table); c++) {
      g_autofree char *title = ssapp_table_get_column_title (table, c);
      json_array_append_new (columns, json_pack ("{s:s, s:s, s:i}", "key", ssapp_table_get_column_key (table, c),
                                                 "title", title, "digits", ssapp_table_get_column_digits (table, c)));
    }
    for (guint r = 0; r < ssapp_table_get_n_rows (table); r++) {
      json_t *row = json_array ();
      for (guint c = 0; c < ssapp_table_get_n_columns (table); c++)
        json_array_append_new (row, cell_to_json (table, r, c, ssapp_json_real));
      json_array_append_new (rows, row);
    }
    json_array_append_new (documents, json_pack ("{s:s, s:s, s:o, s:o, s:o}", "name", of->key, "title",
                                                 ssapp_table_get_title (table), "notes", notes_to_json (table),
                                                 "columns", columns, "rows", rows));
  }
  return documents;
}
