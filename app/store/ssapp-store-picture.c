/* app/store/ssapp-store-picture.c: pictures under sketches, each once in a table of its own, so that a sketch that is
 * edited is written without them; see data/schema-11.sql and ssapp-store-sketch.h.
 * Tests: tests/store/test-store-picture.c */
#include "app/store/ssapp-store-private.h"

#include "app/base/ssapp-json.h"
#include "app/store/ssapp-store-sum.h"

#include <nettle/base16.h>

static const char PICTURE[] = "picture", PNG[] = "png", SHA256[] = "sha256"; /* members of a view and of its picture */

/* The SHA-256 that a sketch's view has in the place of its picture; NULL: none. */
#define NAMED "CASE WHEN json_valid (k.view) THEN json_extract (k.view, '$.picture.sha256') END"
/* Of a picture: no sketch names it. While a view cannot be read, nobody knows. */
#define UNNAMED                                                                                                        \
  "sha256 NOT IN (SELECT " NAMED " FROM main.sketch k WHERE " NAMED " IS NOT NULL) AND NOT EXISTS (SELECT 1 FROM "     \
  "main.sketch WHERE NOT json_valid (view))"

/* The name of a picture, its SHA-256; g_free. Nettle's: megabytes are summed whenever how a sketch is looked at is
 * written. */
static char *
name_of (const void *png, gsize size)
{
  struct sha256_ctx sum;
  uint8_t digest[SHA256_DIGEST_SIZE];
  char *name = g_malloc0 (BASE16_ENCODE_LENGTH (sizeof digest) + 1);

  sha256_init (&sum);
  sha256_update (&sum, size, png);
  sha256_digest (&sum, sizeof digest, digest);
  base16_encode_update (name, sizeof digest, digest);
  return name;
}

static gboolean
is_sound (const char *sha256, const void *png, gsize size)
{
  g_autofree char *found = name_of (png != NULL ? png : "", size);

  return g_strcmp0 (found, sha256) == 0;
}

/* Into *png the picture of that name; NULL where it is missing, or is another one. */
static gboolean
read_picture (SsappStore *self, const char *sha256, GBytes **png, GError **error)
{
  sqlite3_stmt *s = ssapp_store_prepare_for (self, "SELECT png FROM picture WHERE sha256 = ?1", sha256, error);
  gboolean has_row = FALSE;

  *png = NULL;
  if (s == NULL)
    return FALSE;
  const gboolean ok = ssapp_store_step (self, s, &has_row, "read a picture", error);
  if (ok && has_row) {
    const void *data = sqlite3_column_blob (s, 0);
    const gsize size = (gsize)sqlite3_column_bytes (s, 0);
    *png = is_sound (sha256, data, size) ? g_bytes_new (data, size) : NULL;
  }
  ssapp_store_end_statement (self, s);
  return ok;
}

/* One that is there already is not written again, unless it is damaged. */
static gboolean
write_picture (SsappStore *self, const char *sha256, const void *png, gsize size, GError **error)
{
  g_autoptr (GBytes) there = NULL;
  if (!read_picture (self, sha256, &there, error))
    return FALSE;
  sqlite3_stmt *s = there == NULL
                        ? ssapp_store_prepare_for (self, "INSERT OR REPLACE INTO picture (sha256, png) VALUES (?1, ?2)",
                                                   sha256, error)
                        : NULL;

  if (s == NULL)
    return there != NULL;
  sqlite3_bind_blob64 (s, 2, png, size, SQLITE_TRANSIENT);
  return ssapp_store_finish_statement (self, s, "store a picture", error);
}

char *
ssapp_store_put_picture (SsappStore *self, const char *view, GError **error)
{
  g_return_val_if_fail (self != NULL && view != NULL, NULL);
  json_t *root = json_loads (view, 0, NULL), *picture = json_object_get (root, PICTURE);
  const char *base64 = ssapp_json_get_string (picture, PNG);
  gsize size = 0;
  g_autofree guchar *png = base64 != NULL ? g_base64_decode (base64, &size) : NULL;
  char *named = NULL;

  if (size == 0) {
    named = g_strdup (view);
  } else {
    g_autofree char *sha256 = name_of (png, size);
    if (write_picture (self, sha256, png, size, error)) {
      json_object_del (picture, PNG);
      json_object_set_new (picture, SHA256, json_string (sha256));
      named = ssapp_json_text (root, FALSE);
    }
  }
  json_decref (root);
  return named;
}

char *
ssapp_store_take_picture (SsappStore *self, const char *view, GError **error)
{
  g_return_val_if_fail (self != NULL && view != NULL, NULL);
  json_t *root = json_loads (view, 0, NULL), *picture = json_object_get (root, PICTURE);
  const char *sha256 = ssapp_json_get_string (picture, SHA256);
  g_autoptr (GBytes) png = NULL;
  char *whole = NULL;

  if (sha256 == NULL || (read_picture (self, sha256, &png, error) && png == NULL)) {
    whole = g_strdup (view);
  } else if (png != NULL) {
    gsize size;
    const guchar *data = g_bytes_get_data (png, &size);
    g_autofree char *base64 = g_base64_encode (data, size);
    json_object_set_new (picture, PNG, json_string (base64));
    json_object_del (picture, SHA256);
    whole = ssapp_json_text (root, FALSE);
  }
  json_decref (root);
  return whole;
}

gboolean
ssapp_store_forget_pictures (SsappStore *self, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  return ssapp_store_execute (self, "DELETE FROM picture WHERE " UNNAMED, "remove a picture", error);
}

/* ---- pictures that are in the views themselves, as before format 11 --------------------------------------------- */

static gboolean
move_picture (SsappStore *self, const char *id, const char *view, GError **error)
{
  const SsappSumState before = ssapp_store_sum_state (self, "main", "sketch", id, "row");
  g_autofree char *named = ssapp_store_put_picture (self, view, error);
  sqlite3_stmt *s =
      named != NULL ? ssapp_store_prepare_for (self, "UPDATE sketch SET view = ?2 WHERE id = ?1", id, error) : NULL;

  if (s == NULL)
    return FALSE;
  ssapp_store_bind_text (s, 2, named);
  return ssapp_store_finish_statement (self, s, "move a picture", error) &&
         ssapp_store_seal_again (self, before, "sketch", id, "row", error);
}

gboolean
ssapp_store_move_pictures (SsappStore *self, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  static const char what[] = "move pictures";
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_free); /* id, view, id, ... */
  sqlite3_stmt *s = ssapp_store_prepare (
      self,
      "SELECT id, view FROM main.sketch k WHERE CASE WHEN json_valid (k.view) THEN json_extract (k.view, "
      "'$.picture.png') END IS NOT NULL",
      error);
  gboolean ok = s != NULL, has_row = TRUE;

  while (ok && (ok = ssapp_store_step (self, s, &has_row, what, error)) && has_row) {
    g_ptr_array_add (found, ssapp_store_column_text (s, 0));
    g_ptr_array_add (found, ssapp_store_column_text (s, 1));
  }
  ssapp_store_end_statement (self, s);
  for (guint i = 0; ok && i + 1 < found->len; i += 2)
    ok = move_picture (self, g_ptr_array_index (found, i), g_ptr_array_index (found, i + 1), error);
  return ok;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static gboolean
has_pictures (SsappStore *self, const char *schema)
{
  return sqlite3_table_column_metadata (self->db, schema, PICTURE, NULL, NULL, NULL, NULL, NULL, NULL) == SQLITE_OK;
}

/* Those that are damaged there are left; one that is damaged here is healed. */
static gboolean
copy_sound (SsappStore *self, GError **error)
{
  sqlite3_stmt *s = ssapp_store_prepare (
      self, "SELECT sha256, png FROM other.picture WHERE sha256 IN (SELECT " NAMED " FROM main.sketch k)", error);
  gboolean ok = s != NULL, has_row = TRUE;

  while (ok && (ok = ssapp_store_step (self, s, &has_row, "copy pictures", error)) && has_row) {
    const char *sha256 = (const char *)sqlite3_column_text (s, 0);
    const void *png = sqlite3_column_blob (s, 1);
    const gsize size = (gsize)sqlite3_column_bytes (s, 1);
    ok = !is_sound (sha256, png, size) || write_picture (self, sha256, png, size, error);
  }
  ssapp_store_end_statement (self, s);
  return ok;
}

gboolean
ssapp_store_copy_pictures (SsappStore *self, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  return (!has_pictures (self, "other") || copy_sound (self, error)) && ssapp_store_move_pictures (self, error);
}

gboolean
ssapp_store_check_pictures (SsappStore *self, SsappStorePictureFunc on_damaged, gpointer data, GError **error)
{
  g_return_val_if_fail (self != NULL && on_damaged != NULL, FALSE);
  if (!has_pictures (self, "main"))
    return TRUE;
  sqlite3_stmt *s = ssapp_store_prepare (self,
                                         "SELECT k.id, p.sha256, p.png FROM main.sketch k LEFT JOIN main.picture p ON "
                                         "p.sha256 = " NAMED " WHERE " NAMED " IS NOT NULL UNION ALL "
                                         "SELECT NULL, sha256, png FROM main.picture WHERE " UNNAMED,
                                         error);
  gboolean ok = s != NULL, has_row = TRUE;

  while (ok && (ok = ssapp_store_step (self, s, &has_row, "check the project", error)) && has_row) {
    const char *id = (const char *)sqlite3_column_text (s, 0), *sha256 = (const char *)sqlite3_column_text (s, 1);
    const void *png = sqlite3_column_blob (s, 2);
    if (id == NULL || sha256 == NULL || !is_sound (sha256, png, (gsize)sqlite3_column_bytes (s, 2)))
      on_damaged (id, data);
  }
  ssapp_store_end_statement (self, s);
  return ok;
}
