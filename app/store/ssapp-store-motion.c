/* app/store/ssapp-store-motion.c: motions and clouds of samples of stored runs; see ssapp-store.h. */
#include "app/store/ssapp-store-private.h"

#include "app/base/ssapp-json.h"
#include "app/store/ssapp-store-pack.h"
#include "app/store/ssapp-store-sum.h"

#include <string.h>

static const SsappMotionKey the_answer = {"answer", 0, -1};

/* ---- writing ----------------------------------------------------------------------------------------------------- */

gboolean
ssapp_store_add_motion (SsappStore *self, const char *id, const SsappMotionKey *key, double share,
                        const SsTrajectory *trajectory, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self), FALSE);
  g_return_val_if_fail (id != NULL && key != NULL && key->role != NULL && trajectory != NULL, FALSE);
  if (!ssapp_store_check_writable (self, error))
    return FALSE;
  ssapp_store_queue_motion (self, id, key, share, trajectory);
  return ssapp_store_flush_if_due (self, error);
}

gboolean
ssapp_store_add_iterate (SsappStore *self, const char *id, int iteration, const SsTrajectory *trajectory,
                         GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self), FALSE);
  return ssapp_store_add_motion (self, id, &(SsappMotionKey){"iterate", 0, iteration}, 1, trajectory, error);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static void
set_damaged (SsappStore *self, const char *id, const char *part, GError **error)
{
  if (!ssapp_store_had_memory (self, error))
    return;
  g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_DAMAGED,
               "%s: run %s is damaged: its %s: " SSAPP_NOT_AS_STORED, self->path, id, part);
}

/* Columns: n_rows, channels, channel_records, data, n_channels. Finalizes the statement. NULL without error when it has
 * no row. */
static SsTrajectory *
read_trajectory (SsappStore *self, sqlite3_stmt *s, const char *id, const SsappMotionKey *key, GError **error)
{
  SsTrajectory *trajectory = NULL;
  const int code = sqlite3_step (s);
  g_autofree char *part = ssapp_store_motion_part (key);
  SsappSumState state = SSAPP_SUM_SAME;

  if (code == SQLITE_ROW) {
    const void *data = sqlite3_column_blob (s, 3);
    state = ssapp_store_item_state (self, id, part, sqlite3_column_int64 (s, 0), sqlite3_column_int64 (s, 4), NULL,
                                    data, (gsize)sqlite3_column_bytes (s, 3));
  }
  const gboolean is_sound = state != SSAPP_SUM_OTHER && state != SSAPP_SUM_ERROR;
  if (is_sound && code == SQLITE_ROW) {
    const int channels_column = sqlite3_column_type (s, 2) != SQLITE_NULL ? 2 : 1;
    const char *text = (const char *)sqlite3_column_text (s, channels_column);
    json_t *channels = json_loads (text != NULL ? text : "", 0, NULL);
    const void *data = sqlite3_column_blob (s, 3);
    trajectory =
        ssapp_store_unpack_motion (channels, sqlite3_column_int (s, 0), data, (size_t)sqlite3_column_bytes (s, 3));
    json_decref (channels);
  } else if (code != SQLITE_ROW && code != SQLITE_DONE) {
    ssapp_store_set_error (self, error, "read a motion");
  }
  ssapp_store_end_statement (self, s);
  if (!is_sound)
    set_damaged (self, id, part, error);
  else if (code == SQLITE_ROW && trajectory == NULL && ssapp_store_had_memory (self, error))
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_DAMAGED,
                 "%s: a stored motion is damaged: shape and data disagree", self->path);
  return trajectory;
}

SsTrajectory *
ssapp_store_get_motion (SsappStore *self, const char *id, const SsappMotionKey *key, GError **error)
{
  sqlite3_stmt *s;

  g_return_val_if_fail (SSAPP_IS_STORE (self), NULL);
  g_return_val_if_fail (id != NULL && key != NULL && key->role != NULL, NULL);
  if (!ssapp_store_check_open (self, error) || !ssapp_store_check_part (self, id, "motions", error))
    return NULL;
  s = ssapp_store_prepare_for (self,
                               "SELECT n_rows, unpack (channels), unpack (channel_records), data, n_channels "
                               "FROM motion WHERE run_id = ?1 AND role = ?2 AND branch = ?3 AND iteration = ?4",
                               id, error);
  if (s == NULL)
    return NULL;
  ssapp_store_bind_text (s, 2, key->role);
  sqlite3_bind_int (s, 3, key->branch);
  sqlite3_bind_int (s, 4, key->iteration);
  return read_trajectory (self, s, id, key, error);
}

SsTrajectory *
ssapp_store_get_trajectory (SsappStore *self, const char *id, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self), NULL);

  GError *local = NULL;
  SsTrajectory *trajectory = ssapp_store_get_motion (self, id, &the_answer, &local);

  if (trajectory == NULL && local == NULL)
    trajectory = ssapp_store_get_motion (self, id, &(SsappMotionKey){"latest", 0, -1}, &local);
  if (local != NULL)
    g_propagate_error (error, local);
  return trajectory;
}

SsTrajectory *
ssapp_store_get_iterate (SsappStore *self, const char *id, int iteration, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self), NULL);
  return ssapp_store_get_motion (self, id, &(SsappMotionKey){"iterate", 0, iteration}, error);
}

static void
clear_motion_row (SsappMotionRow *row)
{
  g_free ((char *)row->key.role);
}

GArray *
ssapp_store_list_motions (SsappStore *self, const char *id, GError **error)
{
  sqlite3_stmt *s;
  GArray *rows;
  int code;

  g_return_val_if_fail (SSAPP_IS_STORE (self), NULL);
  g_return_val_if_fail (id != NULL, NULL);
  if (!ssapp_store_check_open (self, error) || !ssapp_store_check_part (self, id, "motions", error))
    return NULL;
  s = ssapp_store_prepare_for (self,
                               "SELECT role, branch, iteration, share, n_rows, n_channels FROM motion "
                               "WHERE run_id = ?1 ORDER BY role, branch, iteration",
                               id, error);
  if (s == NULL)
    return NULL;
  rows = g_array_new (FALSE, TRUE, sizeof (SsappMotionRow));
  g_array_set_clear_func (rows, (GDestroyNotify)clear_motion_row);
  while ((code = sqlite3_step (s)) == SQLITE_ROW) {
    SsappMotionRow row = {.key = {g_strdup ((const char *)sqlite3_column_text (s, 0)), sqlite3_column_int (s, 1),
                                  sqlite3_column_int (s, 2)},
                          .share = ssapp_store_column_real (s, 3),
                          .n_rows = sqlite3_column_int (s, 4),
                          .n_channels = sqlite3_column_int (s, 5)};
    g_array_append_val (rows, row);
  }
  if (code != SQLITE_DONE) {
    ssapp_store_set_error (self, error, "list motions");
    g_clear_pointer (&rows, g_array_unref);
  }
  ssapp_store_end_statement (self, s);
  return rows;
}

GArray *
ssapp_store_list_iterates (SsappStore *self, const char *id, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self), NULL);

  GArray *motions = ssapp_store_list_motions (self, id, error), *list;

  if (motions == NULL)
    return NULL;
  list = g_array_new (FALSE, FALSE, sizeof (int));
  for (guint i = 0; i < motions->len; i++) {
    const SsappMotionKey *key = &g_array_index (motions, SsappMotionRow, i).key;
    if (strcmp (key->role, "iterate") == 0)
      g_array_append_val (list, key->iteration);
  }
  g_array_unref (motions);
  return list;
}

/* ---- samples ----------------------------------------------------------------------------------------------------- */

/* Little-endian words of the values, as float32 or float64. */
static GBytes *
pack_samples (const double *values, size_t count, gboolean is_single)
{
  const size_t width = is_single ? sizeof (guint32) : sizeof (guint64);
  char *bytes = g_malloc (MAX (count * width, 1));

  for (size_t i = 0; i < count; i++) {
    if (is_single) {
      const float value = (float)values[i];
      guint32 word;
      memcpy (&word, &value, sizeof word);
      word = GUINT32_TO_LE (word);
      memcpy (bytes + i * width, &word, sizeof word);
    } else {
      guint64 word;
      memcpy (&word, &values[i], sizeof word);
      word = GUINT64_TO_LE (word);
      memcpy (bytes + i * width, &word, sizeof word);
    }
  }
  return g_bytes_new_take (bytes, count * width);
}

static void
unpack_samples (const char *bytes, size_t count, gboolean is_single, double *values)
{
  for (size_t i = 0; i < count; i++) {
    if (is_single) {
      guint32 word;
      float value;
      memcpy (&word, bytes + i * sizeof word, sizeof word);
      word = GUINT32_FROM_LE (word);
      memcpy (&value, &word, sizeof value);
      values[i] = value;
    } else {
      guint64 word;
      memcpy (&word, bytes + i * sizeof word, sizeof word);
      word = GUINT64_FROM_LE (word);
      memcpy (&values[i], &word, sizeof word);
    }
  }
}

gboolean
ssapp_store_add_samples (SsappStore *self, const char *id, const char *name, const char *const *columns,
                         const double *values, gint64 n, gboolean is_single, GError **error)
{
  const guint n_columns = columns != NULL ? g_strv_length ((GStrv)columns) : 0;
  const char *what = "store samples";
  sqlite3_stmt *s;
  gsize size;

  g_return_val_if_fail (SSAPP_IS_STORE (self), FALSE);
  g_return_val_if_fail (id != NULL && name != NULL && n_columns > 0 && n >= 0 && (values != NULL || n == 0), FALSE);
  if (!ssapp_store_begin (self, what, error))
    return FALSE;
  s = ssapp_store_prepare_for (self,
                               "INSERT OR REPLACE INTO sample (run_id, name, columns, n, type, data) "
                               "VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                               id, error);
  if (s == NULL)
    return ssapp_store_end_transaction (self, FALSE, what, NULL);
  json_t *names = json_array ();
  for (guint i = 0; i < n_columns; i++)
    json_array_append_new (names, json_string (columns[i]));
  g_autofree char *text = ssapp_json_text (names, FALSE);
  json_decref (names);
  g_autoptr (GBytes) data = pack_samples (values, (size_t)n * n_columns, is_single);
  const void *bytes = g_bytes_get_data (data, &size);
  ssapp_store_bind_text (s, 2, name);
  ssapp_store_bind_text (s, 3, text);
  sqlite3_bind_int64 (s, 4, n);
  ssapp_store_bind_text (s, 5, is_single ? "float32" : "float64");
  sqlite3_bind_blob64 (s, 6, bytes != NULL ? bytes : "", size, SQLITE_STATIC);
  g_autofree char *part = ssapp_store_sample_part (name);
  const gboolean ok =
      ssapp_store_finish_statement (self, s, what, error) &&
      ssapp_store_seal_item (self, id, part, n, 0, is_single ? "float32" : "float64", bytes, size, error) &&
      ssapp_store_seal_run (self, id, error);
  if (!ssapp_store_end_transaction (self, ok, what, ok ? error : NULL))
    return FALSE;
  self->has_written = TRUE;
  return ssapp_store_check_place (self, error);
}

void
ssapp_samples_free (SsappSamples *samples)
{
  if (samples == NULL)
    return;
  g_strfreev (samples->columns);
  g_free (samples->values);
  g_free (samples);
}

/* Columns: columns, n, type, data. NULL when they do not fit together. */
static SsappSamples *
samples_from_statement (sqlite3_stmt *s)
{
  const char *text = (const char *)sqlite3_column_text (s, 0), *type = (const char *)sqlite3_column_text (s, 2);
  const gboolean is_single = g_strcmp0 (type, "float32") == 0;
  const size_t width = is_single ? sizeof (guint32) : sizeof (guint64);
  const size_t n = (size_t)MAX (sqlite3_column_int64 (s, 1), 0);
  json_t *names = text != NULL ? json_loads (text, 0, NULL) : NULL;
  const size_t n_columns = json_array_size (names);
  const char *bytes = sqlite3_column_blob (s, 3);
  SsappSamples *samples = NULL;

  if ((is_single || g_strcmp0 (type, "float64") == 0) && n_columns > 0 && n <= G_MAXINT32 &&
      (size_t)sqlite3_column_bytes (s, 3) == n * n_columns * width) {
    samples = g_new0 (SsappSamples, 1);
    samples->n = (gint64)n;
    samples->columns = g_new0 (char *, n_columns + 1);
    for (size_t i = 0; i < n_columns; i++) {
      const char *name = json_string_value (json_array_get (names, i));
      samples->columns[i] = g_strdup (name != NULL ? name : "");
    }
    samples->values = g_new (double, MAX (n * n_columns, 1));
    unpack_samples (bytes, n * n_columns, is_single, samples->values);
  }
  json_decref (names);
  return samples;
}

/* Columns as above. */
static gboolean
is_sample_sound (SsappStore *self, sqlite3_stmt *s, const char *id, const char *part)
{
  const char *type = (const char *)sqlite3_column_text (s, 2);
  const void *data = sqlite3_column_blob (s, 3);
  const SsappSumState state =
      ssapp_store_item_state (self, id, part, sqlite3_column_int64 (s, 1), 0, type != NULL ? type : "", data,
                              (gsize)sqlite3_column_bytes (s, 3));

  return state == SSAPP_SUM_SAME || state == SSAPP_SUM_NONE;
}

SsappSamples *
ssapp_store_get_samples (SsappStore *self, const char *id, const char *name, GError **error)
{
  SsappSamples *samples = NULL;
  sqlite3_stmt *s;
  int code;

  g_return_val_if_fail (SSAPP_IS_STORE (self), NULL);
  g_return_val_if_fail (id != NULL && name != NULL, NULL);
  if (!ssapp_store_check_open (self, error) || !ssapp_store_check_part (self, id, "samples", error))
    return NULL;
  s = ssapp_store_prepare_for (self, "SELECT columns, n, type, data FROM sample WHERE run_id = ?1 AND name = ?2", id,
                               error);
  if (s == NULL)
    return NULL;
  ssapp_store_bind_text (s, 2, name);
  code = sqlite3_step (s);
  g_autofree char *part = ssapp_store_sample_part (name);
  const gboolean is_sound = code != SQLITE_ROW || is_sample_sound (self, s, id, part);
  if (is_sound && code == SQLITE_ROW)
    samples = samples_from_statement (s);
  else if (code != SQLITE_ROW && code != SQLITE_DONE)
    ssapp_store_set_error (self, error, "read samples");
  ssapp_store_end_statement (self, s);
  if (!is_sound)
    set_damaged (self, id, part, error);
  else if (code == SQLITE_ROW && samples == NULL && ssapp_store_had_memory (self, error))
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_DAMAGED,
                 "%s: stored samples are damaged: shape and data disagree", self->path);
  return samples;
}
