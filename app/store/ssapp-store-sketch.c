/* app/store/ssapp-store-sketch.c: see the header. */
#include "app/store/ssapp-store-sketch.h"

#include "app/base/ssapp-json.h"
#include "app/store/ssapp-store-private.h"
#include "app/store/ssapp-store-sum.h"
#include "app/store/ssapp-store-walk.h"

#include <string.h>

void
ssapp_sketch_row_free (SsappSketchRow *row)
{
  if (row == NULL)
    return;
  g_free (row->id);
  g_free (row->name);
  g_free (row->title);
  g_free (row->description);
  g_free (row->text);
  g_free (row->sha256);
  g_free (row->created);
  g_free (row->changed);
  g_free (row);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

#define COLUMNS                                                                                                        \
  "SELECT k.id, k.name, k.text, k.sha256, k.created, k.changed, "                                                      \
  "(SELECT count (*) FROM run r WHERE r.sketch = k.id AND r.deleted IS NULL), k.deleted IS NOT NULL FROM sketch k "

/* Its title says so. */
static void
check_row (SsappStore *self, SsappSketchRow *row)
{
  const SsappSumState state = ssapp_store_sum_state (self, "main", "sketch", row->id, "row");

  row->is_damaged = state == SSAPP_SUM_OTHER || state == SSAPP_SUM_ERROR;
  if (!row->is_damaged)
    return;
  g_free (row->description);
  row->description = g_strdup ("This sketch is damaged: " SSAPP_NOT_AS_STORED);
  g_autofree char *title = row->title;
  row->title = g_strdup_printf ("%s (damaged)", title);
}

static SsappSketchRow *
read_row (sqlite3_stmt *s, gboolean with_text)
{
  SsappSketchRow *row = g_new0 (SsappSketchRow, 1);
  const char *text = (const char *)sqlite3_column_text (s, 2);
  json_t *root = text != NULL ? json_loads (text, 0, NULL) : NULL;
  const char *title = ssapp_json_get_string (root, "title"), *words = ssapp_json_get_string (root, "description");

  row->id = ssapp_store_column_text (s, 0);
  row->name = ssapp_store_column_text (s, 1);
  row->title = g_strdup (title != NULL && *title != '\0' ? title : row->name);
  row->description = g_strdup (words != NULL ? words : "");
  row->text = with_text ? ssapp_store_column_text (s, 2) : NULL;
  row->sha256 = ssapp_store_column_text (s, 3);
  row->created = ssapp_store_column_text (s, 4);
  row->changed = ssapp_store_column_text (s, 5);
  row->n_runs = sqlite3_column_int64 (s, 6);
  json_decref (root);
  return row;
}

/* Sketches that are no longer there, though nobody removed them by this program. */
static void
add_gone (SsappStore *self, GPtrArray *rows)
{
  g_autoptr (GPtrArray) gone = ssapp_store_list_gone (self, "sketch");

  for (guint i = 0; i < gone->len; i++) {
    SsappSketchRow *row = g_new0 (SsappSketchRow, 1);
    *row = (SsappSketchRow){.id = g_strdup (g_ptr_array_index (gone, i)),
                            .name = g_strdup (g_ptr_array_index (gone, i)),
                            .title = g_strdup ("A sketch that is gone (damaged)"),
                            .description = g_strdup ("This sketch is damaged: " SSAPP_NOT_AS_STORED),
                            .sha256 = g_strdup (""),
                            .created = g_strdup (""),
                            .changed = g_strdup (""),
                            .is_damaged = TRUE};
    g_ptr_array_add (rows, row);
  }
}

GPtrArray *
ssapp_store_list_sketches (SsappStore *self, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self), NULL);
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func ((GDestroyNotify)ssapp_sketch_row_free);
  sqlite3_stmt *s = ssapp_store_check_open (self, error)
                        ? ssapp_store_prepare (self, COLUMNS "ORDER BY k.changed DESC, k.number DESC", error)
                        : NULL;
  const gboolean began = s != NULL && ssapp_store_begin_read (self);
  int code;

  if (s == NULL)
    return NULL;
  while ((code = sqlite3_step (s)) == SQLITE_ROW) {
    SsappSketchRow *row = read_row (s, FALSE);
    check_row (self, row);
    if (row->is_damaged || sqlite3_column_int (s, 7) == 0)
      g_ptr_array_add (rows, row);
    else
      ssapp_sketch_row_free (row);
  }
  if (code != SQLITE_DONE)
    ssapp_store_set_error (self, error, "list the sketches");
  ssapp_store_end_statement (self, s);
  add_gone (self, rows);
  ssapp_store_end_read (self, began);
  return code == SQLITE_DONE && ssapp_store_had_memory (self, error) ? g_steal_pointer (&rows) : NULL;
}

static void
set_not_found (SsappStore *self, const char *name, GError **error)
{
  g_autoptr (GPtrArray) rows = ssapp_store_list_sketches (self, NULL);
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; rows != NULL && i < rows->len; i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", ((SsappSketchRow *)g_ptr_array_index (rows, i))->name);
  g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND, "%s: there is no sketch '%s' (there %s%s)",
               self->path, name, names->len > 0 ? "are: " : "is none", names->str);
}

SsappSketchRow *
ssapp_store_get_sketch (SsappStore *self, const char *id_or_name, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self) && id_or_name != NULL, NULL);
  sqlite3_stmt *s = ssapp_store_prepare_for (
      self, COLUMNS "WHERE k.deleted IS NULL AND (k.id = ?1 OR k.name = ?1) ORDER BY k.id = ?1 DESC LIMIT 1",
      id_or_name, error);
  SsappSketchRow *row = NULL;
  int code;

  if (s == NULL)
    return NULL;
  const gboolean began = ssapp_store_begin_read (self);
  code = sqlite3_step (s);
  if (code == SQLITE_ROW)
    row = read_row (s, TRUE);
  else if (code != SQLITE_DONE)
    ssapp_store_set_error (self, error, "read a sketch");
  ssapp_store_end_statement (self, s);
  if (row != NULL)
    check_row (self, row);
  ssapp_store_end_read (self, began);
  if (row != NULL && !ssapp_store_had_memory (self, error)) {
    g_clear_pointer (&row, ssapp_sketch_row_free);
  } else if (row != NULL && row->is_damaged) {
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_DAMAGED,
                 "%s: the sketch '%s' is damaged: " SSAPP_NOT_AS_STORED, self->path, row->name);
    g_clear_pointer (&row, ssapp_sketch_row_free);
  } else if (code == SQLITE_DONE) {
    set_not_found (self, id_or_name, error);
  }
  return row;
}

/* First column of a query about `text`; NULL without a row or after an error. */
static char *
read_text_of (SsappStore *self, const char *sql, const char *text, GError **error)
{
  sqlite3_stmt *s = ssapp_store_prepare_for (self, sql, text, error);
  char *found = NULL;
  int code;

  if (s == NULL)
    return NULL;
  code = sqlite3_step (s);
  if (code == SQLITE_ROW)
    found = ssapp_store_column_text (s, 0);
  else if (code != SQLITE_DONE)
    ssapp_store_set_error (self, error, "read a sketch");
  ssapp_store_end_statement (self, s);
  return found;
}

char *
ssapp_store_find_sketch (SsappStore *self, const char *text)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self) && text != NULL, NULL);
  g_autofree char *sha256 = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);

  return read_text_of (
      self, "SELECT id FROM sketch WHERE sha256 = ?1 AND deleted IS NULL ORDER BY changed DESC, number DESC LIMIT 1",
      sha256, NULL);
}

char *
ssapp_store_get_sketch_view (SsappStore *self, const char *id, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self) && id != NULL, NULL);
  GError *local = NULL;
  char *whole = NULL;
  const gboolean began = ssapp_store_begin_read (self); /* or the picture could be another one by then, and gone */
  const SsappSumState state = ssapp_store_sum_state (self, "main", "sketch", id, "row");
  if (state == SSAPP_SUM_OTHER || state == SSAPP_SUM_ERROR) {
    whole = g_strdup ("{}"); /* damaged: as if nobody had looked at it yet */
  } else {
    g_autofree char *view = read_text_of (self, "SELECT view FROM sketch WHERE id = ?1", id, &local);
    if (view == NULL && local == NULL)
      set_not_found (self, id, &local);
    whole = view != NULL ? ssapp_store_take_picture (self, view, &local) : NULL;
  }
  ssapp_store_end_read (self, began);
  if (local != NULL)
    g_propagate_error (error, local);
  return whole;
}

/* ---- a project that is not opened -------------------------------------------------------------------------------- */

/* A query of the project at `path`, before its first row; `wanted`: its parameter, or NULL. NULL: it cannot be read.
 * end_peek afterwards. */
static sqlite3_stmt *
begin_peek (const char *path, const char *sql, const char *wanted)
{
  g_autofree char *wal = g_strconcat (path, "-wal", NULL), *escaped = g_uri_escape_string (path, "/", TRUE);
  /* That nobody has open is read without files beside it. */
  g_autofree char *uri =
      g_strdup_printf ("file:%s?mode=ro%s", escaped, g_file_test (wal, G_FILE_TEST_EXISTS) ? "" : "&immutable=1");
  sqlite3 *db = NULL;
  sqlite3_stmt *s = NULL;

  if (sqlite3_open_v2 (uri, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL) == SQLITE_OK) {
    ssapp_store_harden (db);
    if (sqlite3_prepare_v2 (db, sql, -1, &s, NULL) == SQLITE_OK && wanted != NULL)
      sqlite3_bind_text (s, 1, wanted, -1, SQLITE_TRANSIENT);
  }
  if (s == NULL)
    sqlite3_close (db);
  return s;
}

static void
end_peek (sqlite3_stmt *s)
{
  sqlite3 *db = s != NULL ? sqlite3_db_handle (s) : NULL;

  sqlite3_finalize (s);
  sqlite3_close (db);
}

/* What a sketch calls itself, else its name; columns: text, name. */
static char *
peeked_title (sqlite3_stmt *s)
{
  json_t *root = json_loads ((const char *)sqlite3_column_text (s, 0), 0, NULL);
  const char *own = ssapp_json_get_string (root, "title");
  char *title = own != NULL && *own != '\0' ? g_strdup (own) : ssapp_store_column_text (s, 1);

  json_decref (root);
  return title;
}

char *
ssapp_store_peek_title (const char *path, gint64 *n_sketches)
{
  sqlite3_stmt *s = begin_peek (path,
                                "SELECT text, name, count (*) OVER () FROM sketch WHERE deleted IS NULL "
                                "ORDER BY changed DESC, number DESC LIMIT 1",
                                NULL);
  char *title = NULL;

  *n_sketches = 0;
  if (s != NULL && sqlite3_step (s) == SQLITE_ROW) {
    title = peeked_title (s);
    *n_sketches = sqlite3_column_int64 (s, 2);
  }
  end_peek (s);
  return title;
}

SsappSketchRow *
ssapp_store_peek_sketch_of_file (const char *path, const char *file)
{
  g_return_val_if_fail (path != NULL && file != NULL, NULL);
  sqlite3_stmt *s =
      begin_peek (path,
                  "SELECT text, name, id, changed FROM sketch WHERE deleted IS NULL AND json_valid (view) "
                  "AND json_extract (view, '$.file') = ?1 ORDER BY changed DESC, number DESC LIMIT 1",
                  file);
  SsappSketchRow *row = NULL;

  if (s != NULL && sqlite3_step (s) == SQLITE_ROW) {
    row = g_new0 (SsappSketchRow, 1);
    row->text = ssapp_store_column_text (s, 0);
    row->name = ssapp_store_column_text (s, 1);
    row->title = peeked_title (s);
    row->id = ssapp_store_column_text (s, 2);
    row->changed = ssapp_store_column_text (s, 3);
  }
  end_peek (s);
  return row;
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

/* The name, or with the first number that makes it one that no other sketch has; within a transaction. NULL with an
 * error. */
static char *
free_name (SsappStore *self, const char *wanted, const char *except, GError **error)
{
  const char *base = wanted != NULL && *wanted != '\0' ? wanted : "sketch";
  const char *dash = strrchr (base, '-');
  g_autofree char *stem = NULL;

  /* "box-2" is taken: then "box-3", not "box-2-2". */
  stem = dash != NULL && dash != base && dash[1] != '\0' && strspn (dash + 1, "0123456789") == strlen (dash + 1)
             ? g_strndup (base, (gsize)(dash - base))
             : g_strdup (base);
  for (int number = 1;; number++) {
    g_autofree char *name = number == 1 ? g_strdup (base) : g_strdup_printf ("%s-%d", stem, number);
    sqlite3_stmt *s = ssapp_store_prepare_for (
        self, "SELECT 1 FROM sketch WHERE name = ?1 AND deleted IS NULL AND id <> ?2", name, error);
    if (s == NULL)
      return NULL;
    ssapp_store_bind_text (s, 2, except);
    const int code = sqlite3_step (s);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
      ssapp_store_set_error (self, error, "name a sketch");
    ssapp_store_end_statement (self, s);
    if (code == SQLITE_DONE)
      return g_steal_pointer (&name);
    if (code != SQLITE_ROW)
      return NULL;
  }
}

/* Ends what ssapp_store_begin began. */
static gboolean
end_change (SsappStore *self, gboolean ok, const char *what, GError **error)
{
  if (!ssapp_store_end_transaction (self, ok, what, ok ? error : NULL))
    return FALSE;
  self->has_written = TRUE;
  return ssapp_store_check_place (self, error);
}

char *
ssapp_store_add_sketch (SsappStore *self, const char *name, const char *text, GError **error)
{
  static const char what[] = "add a sketch";
  g_autofree char *id = g_uuid_string_random (), *unique = NULL, *sha256 = NULL;
  sqlite3_stmt *s = NULL;

  g_return_val_if_fail (SSAPP_IS_STORE (self) && text != NULL, NULL);
  if (!ssapp_store_begin (self, what, error))
    return NULL;
  unique = free_name (self, name, NULL, error);
  if (unique != NULL)
    s = ssapp_store_prepare_for (
        self, "INSERT INTO sketch (id, name, text, sha256, created, changed) VALUES (?1, ?2, ?3, ?4, ?5, ?5)", id,
        error);
  gboolean ok = s != NULL;
  if (ok) {
    sha256 = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);
    ssapp_store_bind_text (s, 2, unique);
    ssapp_store_bind_text (s, 3, text);
    ssapp_store_bind_text (s, 4, sha256);
    ssapp_store_bind_now (s, 5);
    ok = ssapp_store_finish_statement (self, s, what, error) && ssapp_store_seal (self, "sketch", id, NULL, error) &&
         ssapp_store_keep_version (self, id, text, "", error);
  }
  return end_change (self, ok, what, error) ? g_steal_pointer (&id) : NULL;
}

gboolean
ssapp_store_set_sketch_text (SsappStore *self, const char *id, const char *text, const char *was, const char *changed,
                             GError **error)
{
  static const char what[] = "keep a sketch";

  g_return_val_if_fail (SSAPP_IS_STORE (self) && id != NULL && text != NULL, FALSE);
  g_autofree char *sha256 = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);
  if (!ssapp_store_begin (self, what, error))
    return FALSE;
  const SsappSumState before = ssapp_store_sum_state (self, "main", "sketch", id, "row");
  sqlite3_stmt *s = ssapp_store_prepare_for (self,
                                             "UPDATE sketch SET text = ?2, sha256 = ?3, changed = ?4 WHERE id = ?1 AND "
                                             "deleted IS NULL AND (?5 = '' OR sha256 = ?5)",
                                             id, error);
  gboolean ok = s != NULL && ssapp_store_begin_versions (self, id, error);
  if (s != NULL && !ok)
    ssapp_store_end_statement (self, s);
  if (ok) {
    ssapp_store_bind_text (s, 2, text);
    ssapp_store_bind_text (s, 3, sha256);
    ssapp_store_bind_now (s, 4);
    ssapp_store_bind_text (s, 5, was);
    ok = ssapp_store_finish_statement (self, s, what, error);
  }
  if (ok && sqlite3_changes (self->db) == 0) {
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_OTHER,
                 "%s: the sketch was changed or deleted by another window", self->path);
    ok = FALSE;
  }
  ok = ok && ssapp_store_keep_version (self, id, text, changed, error) &&
       ssapp_store_seal_again (self, before, "sketch", id, "row", error);
  return end_change (self, ok, what, error);
}

/* A statement about one sketch, with ?2 bound to `value` and ?3 to the time; an error where there is no such sketch. */
static gboolean
update_sketch (SsappStore *self, const char *sql, const char *id, const char *value, const char *what, GError **error)
{
  const SsappSumState before = ssapp_store_sum_state (self, "main", "sketch", id, "row");
  sqlite3_stmt *s = ssapp_store_prepare_for (self, sql, id, error);

  if (s == NULL)
    return FALSE;
  ssapp_store_bind_text (s, 2, value);
  if (sqlite3_bind_parameter_count (s) >= 3)
    ssapp_store_bind_now (s, 3);
  if (!ssapp_store_finish_statement (self, s, what, error))
    return FALSE;
  if (sqlite3_changes (self->db) > 0)
    return ssapp_store_seal_again (self, before, "sketch", id, "row", error);
  set_not_found (self, id, error);
  return FALSE;
}

static gboolean
change_sketch (SsappStore *self, const char *sql, const char *id, const char *value, const char *what, GError **error)
{
  if (!ssapp_store_begin (self, what, error))
    return FALSE;
  return end_change (self, update_sketch (self, sql, id, value, what, error), what, error);
}

gboolean
ssapp_store_rename_sketch (SsappStore *self, const char *id, const char *name, GError **error)
{
  static const char what[] = "rename a sketch";
  g_autofree char *unique = NULL;
  gboolean ok;

  g_return_val_if_fail (SSAPP_IS_STORE (self) && id != NULL && name != NULL, FALSE);
  if (!ssapp_store_begin (self, what, error))
    return FALSE;
  unique = free_name (self, name, id, error);
  ok = unique != NULL &&
       update_sketch (self, "UPDATE sketch SET name = ?2 WHERE id = ?1 AND deleted IS NULL", id, unique, what, error);
  return end_change (self, ok, what, error);
}

gboolean
ssapp_store_delete_sketch (SsappStore *self, const char *id, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self) && id != NULL, FALSE);
  return change_sketch (self, "UPDATE sketch SET deleted = ?3 WHERE id = ?1 AND deleted IS NULL AND ?2 = ''", id, "",
                        "delete a sketch", error);
}

gboolean
ssapp_store_undelete_sketch (SsappStore *self, const char *id, GError **error)
{
  static const char what[] = "bring back a sketch";
  g_autofree char *name = NULL, *unique = NULL;
  gboolean ok;

  g_return_val_if_fail (SSAPP_IS_STORE (self) && id != NULL, FALSE);
  if (!ssapp_store_begin (self, what, error))
    return FALSE;
  name = read_text_of (self, "SELECT name FROM sketch WHERE id = ?1", id, NULL);
  unique = free_name (self, name, id, error);
  ok = unique != NULL &&
       update_sketch (self, "UPDATE sketch SET deleted = NULL, name = ?2 WHERE id = ?1", id, unique, what, error);
  return end_change (self, ok, what, error);
}

gboolean
ssapp_store_set_sketch_view (SsappStore *self, const char *id, const char *json, GError **error)
{
  static const char what[] = "keep a view";

  g_return_val_if_fail (SSAPP_IS_STORE (self) && id != NULL && json != NULL, FALSE);
  if (!ssapp_store_begin (self, what, error))
    return FALSE;
  g_autofree char *view = ssapp_store_put_picture (self, json, error);
  const gboolean ok = view != NULL &&
                      update_sketch (self, "UPDATE sketch SET view = ?2 WHERE id = ?1", id, view, what, error) &&
                      ssapp_store_forget_pictures (self, error);
  return end_change (self, ok, what, error);
}
