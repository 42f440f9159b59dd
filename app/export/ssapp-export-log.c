/* app/export/ssapp-export-log.c: the convergence log of a run: every column that its method reports, in the order in
 * which they came first, as any table that leaves the program. */
#include "app/export/ssapp-export-private.h"

#include "app/base/ssapp-table.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

/* What an event carries besides a row. */
static gboolean
is_skipped (const char *key)
{
  static const char *const skipped[] = {"type", "id", "iteration", "t"};

  for (gsize i = 0; i < G_N_ELEMENTS (skipped); i++)
    if (strcmp (skipped[i], key) == 0)
      return TRUE;
  return FALSE;
}

/* Columns of an iteration that came without its event. */
static json_t *
columns_of_fields (const SsappIteration *row)
{
  json_t *object = json_object ();
  const struct {
    const char *name;
    double value;
  } fields[] = {{"objective", row->objective},
                {"violation", row->violation},
                {"complementarity", row->complementarity},
                {"step", row->step},
                {row->parameter_name != NULL && *row->parameter_name != '\0' ? row->parameter_name : "parameter",
                 row->parameter}};
  for (gsize i = 0; i < G_N_ELEMENTS (fields); i++)
    if (isfinite (fields[i].value))
      json_object_set_new (object, fields[i].name, json_real (fields[i].value));
  return object;
}

static json_t *
read_row (const SsappIteration *row)
{
  json_t *object = row->json != NULL ? json_loads (row->json, 0, NULL) : NULL;

  if (json_is_object (object))
    return object;
  json_decref (object);
  return columns_of_fields (row);
}

/* Names in order; whether one has texts. */
typedef struct {
  GPtrArray *names;  /* of char *, owned */
  GHashTable *texts; /* of those names   */
} Columns;

static void
take_columns (Columns *columns, const json_t *row)
{
  const char *key;
  json_t *value;

  json_object_foreach ((json_t *)row, key, value)
  {
    if (is_skipped (key))
      continue;
    if (!g_ptr_array_find_with_equal_func (columns->names, key, g_str_equal, NULL))
      g_ptr_array_add (columns->names, g_strdup (key));
    if (json_is_string (value))
      g_hash_table_add (columns->texts, g_strdup (key));
  }
}

static void
add_cell (SsappTable *table, const json_t *value, gboolean is_text)
{
  if (!is_text)
    ssapp_table_add_number (table, json_is_number (value)    ? json_number_value (value)
                                   : json_is_boolean (value) ? json_is_true (value)
                                                             : (double)NAN);
  else if (json_is_string (value))
    ssapp_table_add_text (table, json_string_value (value));
  else {
    g_autofree char *text = value != NULL && !json_is_null (value) ? json_dumps (value, JSON_ENCODE_ANY) : NULL;
    ssapp_table_add_text (table, text != NULL ? text : "");
  }
}

/* The table of it; ssapp_table_free. */
static SsappTable *
ssapp_log_table (GArray *iterations, const char *title)
{
  const guint n = iterations != NULL ? iterations->len : 0;
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func ((GDestroyNotify)json_decref);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Columns columns = {names, texts};
  SsappTable *table = ssapp_table_new (title);

  for (guint i = 0; i < n; i++) {
    g_ptr_array_add (rows, read_row (&g_array_index (iterations, SsappIteration, i)));
    take_columns (&columns, g_ptr_array_index (rows, i));
  }
  ssapp_table_add_number_column (table, "iteration", "Iteration", "", "%.0f", SSAPP_BEST_NONE);
  ssapp_table_add_number_column (table, "t", "Time", "s", "%.3f", SSAPP_BEST_NONE);
  for (guint c = 0; c < names->len; c++)
    if (g_hash_table_contains (texts, names->pdata[c]))
      ssapp_table_add_text_column (table, names->pdata[c], names->pdata[c]);
    else
      ssapp_table_add_number_column (table, names->pdata[c], names->pdata[c], "", "%.6g", SSAPP_BEST_NONE);
  for (guint i = 0; i < n; i++) {
    const SsappIteration *row = &g_array_index (iterations, SsappIteration, i);
    ssapp_table_begin_row (table);
    ssapp_table_add_number (table, row->iteration);
    ssapp_table_add_number (table, row->t);
    for (guint c = 0; c < names->len; c++)
      add_cell (table, json_object_get (g_ptr_array_index (rows, i), names->pdata[c]),
                g_hash_table_contains (texts, names->pdata[c]));
  }
  return table;
}

gboolean
ssapp_write_log (const SsappTableRun *run, const char *path, GError **error)
{
  GError *local = NULL;
  g_autofree char *raw = run->dup_log != NULL ? run->dup_log (run->data, &local) : NULL;
  SsappTableFormat format;

  if (local != NULL) {
    g_propagate_error (error, local);
    return FALSE;
  }
  if (!ssapp_table_format_of_path (path, &format))
    return FALSE;
  g_autoptr (SsappTable) table = ssapp_log_table (run->iterations, run->label);
  g_autofree char *text = ssapp_table_write (table, format);
  if (format == SSAPP_TABLE_TEXT && raw != NULL && *raw != '\0') { /* for people: what the solver said, too */
    g_autofree char *both = g_strconcat (text, "\n", raw, g_str_has_suffix (raw, "\n") ? "" : "\n", NULL);
    return ssapp_write_file (path, both, -1, error);
  }
  return ssapp_write_file (path, text, -1, error);
}

gboolean
ssapp_write_log_csv (GArray *iterations, const char *path, GError **error)
{
  g_autoptr (SsappTable) table = ssapp_log_table (iterations, "");
  g_autofree char *text = ssapp_table_write (table, SSAPP_TABLE_CSV);

  return ssapp_write_file (path, text, -1, error);
}
