/* app/bench/ssapp-paper-rows.c: which tables and rows of a suite an item of a paper has; see ssapp-paper-item.h. */
#include "app/bench/ssapp-paper-item.h"

#include <math.h>
#include <string.h>

/* Numbers that are written differently are the same within rounding. */
static const double SAME = 1e-9;

static gboolean
is_equal (const char *wanted, const char *text, double number)
{
  char *end = NULL;
  const double value = g_ascii_strtod (wanted, &end);

  if (end != wanted && *end == '\0' && isfinite (number))
    return fabs (value - number) <= SAME * fmax (fabs (value), fabs (number));
  return g_strcmp0 (wanted, text) == 0;
}

gboolean
ssapp_paper_row_is_chosen (const SsappTable *table, guint row, const char *rows)
{
  g_auto (GStrv) parts = g_regex_split_simple (",(?! )", rows != NULL ? rows : "", 0, 0);

  for (guint i = 0; parts[i] != NULL; i++) {
    g_auto (GStrv) pair = g_strsplit (parts[i], "=", 2);
    const int column = pair[0] != NULL && pair[1] != NULL ? ssapp_table_find_column (table, pair[0]) : -1;
    if (column < 0 || !is_equal (pair[1], ssapp_table_get_text (table, row, (guint)column),
                                 ssapp_table_get_number (table, row, (guint)column)))
      return FALSE;
  }
  return TRUE;
}

int
ssapp_paper_find_table (const json_t *tables, const char *key)
{
  const json_t *table;
  size_t i;

  json_array_foreach (tables, i, table)
  {
    if (g_strcmp0 (json_string_value (json_object_get (table, "name")), key) == 0)
      return (int)i;
  }
  return -1;
}

/* The table with the chosen rows alone; a new reference. */
static json_t *
filter (json_t *document, const char *rows)
{
  json_t *one = json_pack ("{s:[O]}", "tables", document), *kept = json_array (), *copy = json_copy (document);
  g_autoptr (GPtrArray) read = ssapp_paper_read (one);
  const SsappTable *table = g_ptr_array_index (read, 0);
  const json_t *list = json_object_get (document, "rows"), *row;
  size_t i;

  json_array_foreach (list, i, row)
  {
    if (ssapp_paper_row_is_chosen (table, (guint)i, rows))
      json_array_append (kept, (json_t *)row);
  }
  json_object_set_new (copy, "rows", kept);
  json_decref (one);
  return copy;
}

json_t *
ssapp_paper_choose_tables (const json_t *documents, const char *list)
{
  g_auto (GStrv) wanted = g_strsplit (list, ";", -1);
  json_t *chosen = json_array ();

  for (guint k = 0; wanted[k] != NULL; k++) {
    g_auto (GStrv) pair = g_strsplit (wanted[k], ":", 2);
    const int at = ssapp_paper_find_table (documents, pair[0]);
    if (at >= 0)
      json_array_append_new (chosen, filter (json_array_get (documents, (size_t)at), pair[1]));
  }
  return chosen;
}
