/* app/store/ssapp-store-version.c: what sketches were before; see ssapp-store-sketch.h and data/schema-10.sql. */
#include "app/store/ssapp-store-private.h"
#include "app/store/ssapp-store-pack.h"
#include "app/store/ssapp-store-sketch.h"

#include <string.h>

/* Edits of one kind within this time are one version [s]. */
#define TOGETHER_SECONDS 60
/* Of more versions than this every second one of the older half goes. */
#define MOST_VERSIONS 400

void
ssapp_sketch_version_free (SsappSketchVersion *version)
{
  if (version == NULL)
    return;
  g_free (version->saved);
  g_free (version->what);
  g_free (version->text);
  g_free (version);
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

/* Runs a statement about one sketch; 0 where nothing is found or after an error, which is told. */
static gint64
ask (SsappStore *self, const char *sql, const char *id, gboolean *ok, GError **error)
{
  sqlite3_stmt *s = *ok ? ssapp_store_prepare_for (self, sql, id, error) : NULL;
  gint64 value = 0;
  gboolean has_row;

  *ok = s != NULL;
  if (s == NULL)
    return 0;
  *ok = ssapp_store_step (self, s, &has_row, "keep a version", error);
  if (has_row)
    value = sqlite3_column_int64 (s, 0);
  ssapp_store_end_statement (self, s);
  return value;
}

/* The number of the newest version, where that is of the same kind of edit and was made a moment ago, else 0. */
static gint64
find_growing (SsappStore *self, const char *id, const char *what, gboolean *ok, GError **error)
{
  sqlite3_stmt *s = ssapp_store_prepare_for (
      self, "SELECT number, what, saved FROM sketch_version WHERE sketch = ?1 ORDER BY number DESC LIMIT 1", id, error);
  gint64 number = 0;

  *ok = s != NULL;
  if (s == NULL)
    return 0;
  gboolean has_row;
  *ok = ssapp_store_step (self, s, &has_row, "keep a version", error);
  if (has_row && g_strcmp0 ((const char *)sqlite3_column_text (s, 1), what) == 0 && *what != '\0') {
    g_autoptr (GDateTime) saved = g_date_time_new_from_iso8601 ((const char *)sqlite3_column_text (s, 2), NULL),
                          now = g_date_time_new_now_utc ();
    const GTimeSpan age = saved != NULL ? g_date_time_difference (now, saved) : -1;
    if (age >= 0 && age < TOGETHER_SECONDS * G_TIME_SPAN_SECOND && sqlite3_column_int64 (s, 0) > 1)
      number = sqlite3_column_int64 (s, 0);
  }
  ssapp_store_end_statement (self, s);
  return number;
}

gboolean
ssapp_store_keep_version (SsappStore *self, const char *id, const char *text, const char *what, GError **error)
{
  g_autofree char *sha256 = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);
  gboolean ok = TRUE;
  const gint64 growing = find_growing (self, id, what, &ok, error);
  sqlite3_stmt *s = ok ? ssapp_store_prepare_for (
                             self,
                             "INSERT OR REPLACE INTO sketch_version (sketch, number, saved, what, sha256, text) VALUES "
                             "(?1, CASE WHEN ?6 > 0 THEN ?6 ELSE (SELECT coalesce (max (number), 0) + 1 FROM "
                             "sketch_version WHERE sketch = ?1) END, ?2, ?3, ?4, ?5)",
                             id, error)
                       : NULL;

  if (s == NULL)
    return FALSE;
  ssapp_store_bind_now (s, 2);
  ssapp_store_bind_text (s, 3, what);
  ssapp_store_bind_text (s, 4, sha256);
  ssapp_store_bind_packed (s, 5, text);
  sqlite3_bind_int64 (s, 6, growing);
  if (!ssapp_store_finish_statement (self, s, "keep a version", error))
    return FALSE;
  const gint64 n = ask (self, "SELECT count (*) FROM sketch_version WHERE sketch = ?1", id, &ok, error);
  if (ok && n > MOST_VERSIONS)
    (void)ask (
        self,
        "DELETE FROM sketch_version WHERE sketch = ?1 AND number IN (SELECT number FROM (SELECT number, "
        "row_number () OVER (ORDER BY number) AS place FROM sketch_version WHERE sketch = ?1) WHERE place % 2 = 0 "
        "AND place <= " G_STRINGIFY (MOST_VERSIONS) " / 2)",
        id, &ok, error);
  return ok;
}

gboolean
ssapp_store_begin_versions (SsappStore *self, const char *id, GError **error)
{
  gboolean ok = TRUE;

  if (ask (self, "SELECT count (*) FROM sketch_version WHERE sketch = ?1", id, &ok, error) > 0 || !ok)
    return ok;
  sqlite3_stmt *s = ssapp_store_prepare_for (self, "SELECT text, changed FROM sketch WHERE id = ?1", id, error);
  g_autofree char *text = NULL;
  if (s == NULL)
    return FALSE;
  gboolean has_row;
  ok = ssapp_store_step (self, s, &has_row, "keep a version", error);
  text = has_row ? ssapp_store_column_text (s, 0) : NULL;
  ssapp_store_end_statement (self, s);
  return ok && (text == NULL || ssapp_store_keep_version (self, id, text, "", error));
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

#define COLUMNS "SELECT number, saved, what, sha256, unpack (text) FROM sketch_version WHERE sketch = ?1 "

static SsappSketchVersion *
read_version (sqlite3_stmt *s)
{
  SsappSketchVersion *version = g_new0 (SsappSketchVersion, 1);
  g_autofree char *text = ssapp_store_column_text (s, 4), *sha256 = ssapp_store_column_text (s, 3),
                  *own = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text != NULL ? text : "", -1);

  version->number = (int)sqlite3_column_int64 (s, 0);
  version->saved = ssapp_store_column_text (s, 1);
  version->what = ssapp_store_column_text (s, 2);
  version->is_damaged = g_strcmp0 (own, sha256) != 0;
  version->text = version->is_damaged ? NULL : g_steal_pointer (&text);
  return version;
}

static GPtrArray *
list (SsappStore *self, const char *sql, const char *id, gint64 number, GError **error)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func ((GDestroyNotify)ssapp_sketch_version_free);
  sqlite3_stmt *s = ssapp_store_prepare_for (self, sql, id, error);
  int code;

  if (s == NULL)
    return NULL;
  if (number > 0)
    sqlite3_bind_int64 (s, 2, number);
  while ((code = sqlite3_step (s)) == SQLITE_ROW)
    g_ptr_array_add (rows, read_version (s));
  if (code != SQLITE_DONE)
    ssapp_store_set_error (self, error, "read the versions of a sketch");
  ssapp_store_end_statement (self, s);
  return code == SQLITE_DONE ? g_steal_pointer (&rows) : NULL;
}

GPtrArray *
ssapp_store_list_versions (SsappStore *self, const char *id, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self) && id != NULL, NULL);
  return list (self, COLUMNS "ORDER BY number DESC", id, 0, error);
}

SsappSketchVersion *
ssapp_store_get_version (SsappStore *self, const char *id, int number, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self) && id != NULL, NULL);
  g_autoptr (GPtrArray) rows = list (self, COLUMNS "AND number = ?2", id, number, error);
  SsappSketchVersion *version = rows != NULL && rows->len > 0 ? g_ptr_array_steal_index (rows, 0) : NULL;

  if (rows != NULL && version == NULL)
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND, "%s: the sketch has no version %d", self->path,
                 number);
  if (version != NULL && version->is_damaged) {
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_DAMAGED, "%s: version %d of the sketch is damaged",
                 self->path, number);
    g_clear_pointer (&version, ssapp_sketch_version_free);
  }
  return version;
}
