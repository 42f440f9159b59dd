/* app/store/ssapp-store-comparison.c: runs that belong together, by a title. */
#include "app/store/ssapp-store-sum.h"
#include "app/store/ssapp-store-walk.h"

/* NULL is allowed */
static void
ssapp_comparison_row_free (SsappComparisonRow *row)
{
  if (row == NULL)
    return;
  g_free (row->id);
  g_free (row->title);
  g_free (row->created);
  g_strfreev (row->run_ids);
  g_strfreev (row->labels);
  g_free (row);
}

static gboolean
add_run (SsappStore *self, const char *id, int position, const char *run_id, const char *label, const char *what,
         GError **error)
{
  sqlite3_stmt *s = ssapp_store_prepare_for (
      self,
      "INSERT INTO comparison_run (comparison, position, run_id, label) "
      "VALUES ((SELECT number FROM comparison WHERE id = ?1), ?2, (SELECT id FROM run WHERE id = ?3), ?4)",
      id, error);

  if (s == NULL)
    return FALSE;
  sqlite3_bind_int (s, 2, position);
  ssapp_store_bind_text (s, 3, run_id);
  ssapp_store_bind_text (s, 4, label);
  return ssapp_store_finish_statement (self, s, what, error);
}

char *
ssapp_store_add_comparison (SsappStore *self, const char *title, const char *const *run_ids, const char *const *labels,
                            GError **error)
{
  static const char what[] = "store a comparison";
  g_autofree char *id = g_uuid_string_random ();

  g_return_val_if_fail (SSAPP_IS_STORE (self) && title != NULL && run_ids != NULL, NULL);
  if (!ssapp_store_begin (self, what, error))
    return NULL;
  sqlite3_stmt *s =
      ssapp_store_prepare_for (self, "INSERT INTO comparison (id, title, created) VALUES (?1, ?2, ?3)", id, error);
  gboolean ok = s != NULL;
  if (ok) {
    ssapp_store_bind_text (s, 2, title);
    ssapp_store_bind_now (s, 3);
    ok = ssapp_store_finish_statement (self, s, what, error);
  }
  for (int k = 0; ok && run_ids[k] != NULL; k++)
    ok = add_run (self, id, k, run_ids[k], labels != NULL ? labels[k] : NULL, what, error);
  ok = ok && ssapp_store_seal (self, "comparison", id, NULL, error);
  if (!ssapp_store_end_transaction (self, ok, what, ok ? error : NULL))
    return NULL;
  self->has_written = TRUE;
  if (!ssapp_store_check_place (self, error))
    return NULL;
  ssapp_store_tell_changed (self);
  return g_steal_pointer (&id);
}

static gboolean
is_sound (SsappStore *self, const char *of, const char *id, const char *part)
{
  const SsappSumState state = ssapp_store_sum_state (self, "main", of, id, part);

  return state != SSAPP_SUM_OTHER && state != SSAPP_SUM_ERROR;
}

static void
mark_damaged (SsappComparisonRow *row)
{
  g_autofree char *title = row->title;

  if (g_str_has_suffix (title, " (damaged)"))
    row->title = g_steal_pointer (&title);
  else
    row->title = g_strdup_printf ("%s (damaged)", title);
}

/* Its runs in their order, without those that were removed. Where somebody else removed one its title says so. */
static gboolean
read_runs (SsappStore *self, SsappComparisonRow *row, GError **error)
{
  g_autoptr (GStrvBuilder) ids = g_strv_builder_new (), labels = g_strv_builder_new ();
  sqlite3_stmt *s = ssapp_store_prepare_for (
      self,
      "SELECT c.run_id, c.label, r.id, r.deleted IS NOT NULL FROM comparison_run c JOIN comparison k ON k.number = "
      "c.comparison LEFT JOIN run r ON r.id = c.run_id WHERE k.id = ?1 ORDER BY c.position",
      row->id, error);
  int code = SQLITE_DONE;

  while (s != NULL && (code = sqlite3_step (s)) == SQLITE_ROW) {
    const char *id = (const char *)sqlite3_column_text (s, 2), *label = (const char *)sqlite3_column_text (s, 1);
    const gboolean is_removed = sqlite3_column_int (s, 3) != 0,
                   is_damaged = id == NULL || (is_removed && !is_sound (self, "run", id, "marks"));
    if (is_damaged)
      mark_damaged (row);
    if (id == NULL || (is_removed && !is_damaged))
      continue;
    g_strv_builder_add (ids, id);
    g_strv_builder_add (labels, label != NULL ? label : "");
  }
  if (s != NULL && code != SQLITE_DONE)
    ssapp_store_set_error (self, error, "read a comparison");
  const gboolean ok = s != NULL && code == SQLITE_DONE;
  ssapp_store_end_statement (self, s);
  row->run_ids = g_strv_builder_end (ids);
  row->labels = g_strv_builder_end (labels);
  return ok;
}

/* Its title says what is damaged. */
static gboolean
check_comparison (SsappStore *self, SsappComparisonRow *row)
{
  static const char *const parts[] = {"row", "runs"};
  gboolean ok = TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    ok = ok && is_sound (self, "comparison", row->id, parts[i]);
  if (!ok)
    mark_damaged (row);
  return ok;
}

/* Comparisons that are no longer there, though nobody removed them by this program. */
static void
add_gone (SsappStore *self, GPtrArray *rows)
{
  g_autoptr (GPtrArray) gone = ssapp_store_list_gone (self, "comparison");

  for (guint i = 0; i < gone->len; i++) {
    SsappComparisonRow *row = g_new0 (SsappComparisonRow, 1);
    *row = (SsappComparisonRow){.id = g_strdup (g_ptr_array_index (gone, i)),
                                .title = g_strdup ("A comparison that is gone (damaged)"),
                                .created = g_strdup (""),
                                .run_ids = g_new0 (char *, 1),
                                .labels = g_new0 (char *, 1)};
    g_ptr_array_add (rows, row);
  }
}

GPtrArray *
ssapp_store_list_comparisons (SsappStore *self, GError **error)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func ((GDestroyNotify)ssapp_comparison_row_free);
  gboolean ok;
  int code = SQLITE_DONE;

  g_return_val_if_fail (SSAPP_IS_STORE (self), NULL);
  if (!ssapp_store_check_open (self, error))
    return NULL;
  const gboolean began = ssapp_store_begin_read (self);
  sqlite3_stmt *s = ssapp_store_prepare (
      self, "SELECT id, title, created, deleted IS NOT NULL FROM comparison ORDER BY number DESC", error);
  while (s != NULL && (code = sqlite3_step (s)) == SQLITE_ROW) {
    SsappComparisonRow *row = g_new0 (SsappComparisonRow, 1);
    row->id = g_strdup ((const char *)sqlite3_column_text (s, 0));
    row->title = g_strdup ((const char *)sqlite3_column_text (s, 1));
    row->created = g_strdup ((const char *)sqlite3_column_text (s, 2));
    if (check_comparison (self, row) && sqlite3_column_int (s, 3) != 0)
      ssapp_comparison_row_free (row);
    else
      g_ptr_array_add (rows, row);
  }
  ok = s != NULL && code == SQLITE_DONE;
  if (s != NULL && !ok)
    ssapp_store_set_error (self, error, "list the comparisons");
  ssapp_store_end_statement (self, s);
  for (guint k = 0; k < rows->len && ok; k++)
    ok = read_runs (self, g_ptr_array_index (rows, k), error);
  if (ok)
    add_gone (self, rows);
  ssapp_store_end_read (self, began);
  return ok && ssapp_store_had_memory (self, error) ? g_steal_pointer (&rows) : NULL;
}
