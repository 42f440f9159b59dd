/* app/store/ssapp-store-rows.c: rows that wait to be written together; see ssapp-store.h and ssapp-store.c. */
#include "app/store/ssapp-store-private.h"

#include "app/base/ssapp-json.h"
#include "app/store/ssapp-store-pack.h"
#include "app/store/ssapp-store-sum.h"

#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

enum {
  FLUSH_MS = 100, /* rows wait at most this long */
  RETRY_MS = 1000 /* after a write that failed   */
};
#define ROOM_FOR_ANSWERS (64 << 20)       /* [bytes]; far more than a usual answer has */
#define PIECE_BYTES      ((gsize)1 << 20) /* motions of more are written in pieces */

/* ---- rows that wait ---------------------------------------------------------------------------------------------- */

typedef enum { PENDING_ITERATION, PENDING_LOG, PENDING_MOTION, PENDING_END, PENDING_SOLUTION } PendingKind;

typedef struct {
  PendingKind kind;
  char *run_id;
  SsappIteration iteration; /* ITERATION                                     */
  double t;                 /* LOG                                           */
  int level;                /* LOG                                           */
  char *text;               /* LOG; END: the result's JSON, NULL if none; SOLUTION: the result's */
  SsappMotionKey motion;    /* MOTION; its role is owned                     */
  double share;             /* MOTION                                        */
  int n_rows, n_channels;   /* MOTION                                        */
  char *channels, *records; /* MOTION                                        */
  SsappPackedMotion *data;  /* MOTION                                        */
  char *outcome, *message;  /* END                                           */
} Pending;

void
ssapp_store_row_free (gpointer data)
{
  Pending *row = data;

  g_free (row->run_id);
  ssapp_iteration_clear (&row->iteration);
  g_free (row->text);
  g_free ((char *)row->motion.role);
  g_free (row->channels);
  g_free (row->records);
  ssapp_packed_motion_free (row->data);
  g_free (row->outcome);
  g_free (row->message);
  g_free (row);
}

static Pending *
pending_new (SsappStore *self, PendingKind kind, const char *run_id)
{
  Pending *row = g_new0 (Pending, 1);

  row->kind = kind;
  row->run_id = g_strdup (run_id);
  g_ptr_array_add (self->pending, row);
  return row;
}

void
ssapp_store_queue_motion (SsappStore *self, const char *id, const SsappMotionKey *key, double share,
                          const SsTrajectory *trajectory)
{
  json_t *channels = ssapp_json_channels (trajectory), *records = ssapp_json_channel_records (trajectory);
  Pending *row = pending_new (self, PENDING_MOTION, id);

  row->motion = (SsappMotionKey){g_strdup (key->role), key->branch, key->iteration};
  row->share = share;
  row->n_rows = trajectory->n_rows;
  row->n_channels = trajectory->n_channels;
  row->channels = ssapp_json_text (channels, FALSE);
  row->records = ssapp_json_text (records, FALSE);
  row->data = ssapp_store_pack_motion (trajectory);
  json_decref (channels);
  json_decref (records);
}

void
ssapp_store_queue_iteration (SsappStore *self, const char *id, const SsappIteration *iteration)
{
  Pending *row = pending_new (self, PENDING_ITERATION, id);

  row->iteration = *iteration;
  row->iteration.json = g_strdup (iteration->json);
}

void
ssapp_store_queue_log (SsappStore *self, const char *id, double t, int level, const char *text)
{
  Pending *row = pending_new (self, PENDING_LOG, id);

  row->t = t;
  row->level = level;
  row->text = g_strdup (text);
}

void
ssapp_store_queue_end (SsappStore *self, const char *id, const char *result_json, const char *outcome,
                       const char *message)
{
  g_return_if_fail (self != NULL);
  Pending *row = pending_new (self, PENDING_END, id);

  row->text = g_strdup (result_json);
  row->outcome = g_strdup (outcome);
  row->message = g_strdup (message);
  g_hash_table_remove (self->unended, id);
}

void
ssapp_store_queue_solution (SsappStore *self, const char *id, const char *result_json)
{
  Pending *row = pending_new (self, PENDING_SOLUTION, id);

  row->text = g_strdup (result_json);
}

static sqlite3_stmt *
bind_iteration (SsappStore *self, const Pending *row, GError **error)
{
  sqlite3_stmt *s = ssapp_store_prepare (
      self,
      "INSERT OR REPLACE INTO iteration (run_id, iteration, t, objective, violation, complementarity, step, parameter, "
      "parameter_name, columns) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      error);

  if (s == NULL)
    return NULL;
  ssapp_store_bind_text (s, 1, row->run_id);
  sqlite3_bind_int (s, 2, row->iteration.iteration);
  sqlite3_bind_double (s, 3, isfinite (row->iteration.t) ? row->iteration.t : 0);
  ssapp_store_bind_real (s, 4, row->iteration.objective);
  ssapp_store_bind_real (s, 5, row->iteration.violation);
  ssapp_store_bind_real (s, 6, row->iteration.complementarity);
  ssapp_store_bind_real (s, 7, row->iteration.step);
  ssapp_store_bind_real (s, 8, row->iteration.parameter);
  ssapp_store_bind_text (s, 9, row->iteration.parameter_name);
  ssapp_store_bind_text (s, 10, row->iteration.json);
  return s;
}

static sqlite3_stmt *
bind_log (SsappStore *self, const Pending *row, GError **error)
{
  sqlite3_stmt *s = ssapp_store_prepare (self, "INSERT INTO log (run_id, t, level, text) VALUES (?, ?, ?, ?)", error);

  if (s == NULL)
    return NULL;
  ssapp_store_bind_text (s, 1, row->run_id);
  sqlite3_bind_double (s, 2, isfinite (row->t) ? row->t : 0);
  sqlite3_bind_int (s, 3, row->level);
  ssapp_store_bind_text (s, 4, row->text);
  return s;
}

static sqlite3_stmt *
bind_motion (SsappStore *self, const Pending *row, GError **error)
{
  sqlite3_stmt *s = ssapp_store_prepare (self,
                                         "INSERT OR REPLACE INTO motion (run_id, role, branch, iteration, share, "
                                         "n_rows, n_channels, channels, channel_records, data) "
                                         "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                                         error);
  gsize size;

  if (s == NULL)
    return NULL;
  ssapp_store_bind_text (s, 1, row->run_id);
  ssapp_store_bind_text (s, 2, row->motion.role);
  sqlite3_bind_int (s, 3, row->motion.branch);
  sqlite3_bind_int (s, 4, row->motion.iteration);
  ssapp_store_bind_real (s, 5, row->share);
  sqlite3_bind_int (s, 6, row->n_rows);
  sqlite3_bind_int (s, 7, row->n_channels);
  ssapp_store_bind_packed (s, 8, row->channels);
  ssapp_store_bind_packed (s, 9, row->records);
  const void *data = ssapp_packed_motion_data (row->data, &size);
  if (size > PIECE_BYTES)
    sqlite3_bind_zeroblob64 (s, 10, size);
  else
    sqlite3_bind_blob64 (s, 10, data != NULL ? data : "", size, SQLITE_STATIC);
  return s;
}

/* Of the run of that number; NULL: it has none. */
static gboolean
write_result (SsappStore *self, gint64 run, const char *text, GError **error)
{
  sqlite3_stmt *s =
      text != NULL
          ? ssapp_store_prepare (self, "INSERT OR REPLACE INTO run_result (run, result) VALUES (?1, ?2)", error)
          : NULL;

  if (s == NULL)
    return text == NULL;
  sqlite3_bind_int64 (s, 1, run);
  ssapp_store_bind_packed (s, 2, text);
  return ssapp_store_finish_statement (self, s, "store a result", error);
}

/* Only a running row ends, so that ending twice changes nothing. */
static gboolean
write_end (SsappStore *self, const Pending *row, GError **error)
{
  json_t *result = row->text != NULL ? json_loads (row->text, 0, NULL) : NULL;
  const char *outcome = ssapp_json_get_string (result, "outcome"), *message = ssapp_json_get_string (result, "message");
  sqlite3_stmt *s = ssapp_store_prepare (self,
                                         "UPDATE run SET ended = ?2, outcome = ?3, message = ?4, start = ?5 "
                                         "WHERE id = ?1 AND outcome = 'running' RETURNING number",
                                         error);
  gboolean ok = s != NULL, was_running = FALSE;
  gint64 run = 0;

  if (ok) {
    ssapp_store_bind_text (s, 1, row->run_id);
    ssapp_store_bind_now (s, 2);
    ssapp_store_bind_text (s, 3, row->outcome != NULL ? row->outcome : outcome != NULL ? outcome : "failed");
    ssapp_store_bind_text (s, 4, row->message != NULL ? row->message : message);
    ssapp_store_bind_text (s, 5, ssapp_json_get_string (result, "start"));
    was_running = sqlite3_step (s) == SQLITE_ROW;
    run = was_running ? sqlite3_column_int64 (s, 0) : 0;
    ok = sqlite3_reset (s) == SQLITE_OK;
    if (!ok)
      ssapp_store_set_error (self, error, "store a result");
    ssapp_store_end_statement (self, s);
  }
  if (ok && was_running)
    ok = write_result (self, run, row->text, error) && ssapp_store_write_result_rows (self, run, result, error);
  json_decref (result);
  return ok;
}

/* A run that has ended, with all that is told of the run with the answer but the result. */
static gboolean
write_solution (SsappStore *self, const Pending *row, GError **error)
{
  json_t *result = json_loads (row->text, 0, NULL);
  sqlite3_stmt *s = ssapp_store_prepare (
      self,
      "INSERT INTO run (id, scenario_name, scenario_sha256, kind, method, label, seed, provenance_id, owner_host, "
      "owner_pid, owner_start, started, ended, outcome, message, parameters, options, solution_of, start, "
      "sketch) "
      "SELECT ?2, scenario_name, scenario_sha256, kind, method, label, seed, provenance_id, owner_host, owner_pid, "
      "owner_start, started, ended, ?3, ?4, parameters, options, id, ?5, sketch FROM run WHERE id = ?1 RETURNING "
      "number",
      error);
  gboolean ok = s != NULL, is_written = FALSE;
  gint64 run = 0;

  if (ok) {
    ssapp_store_bind_text (s, 1, ssapp_json_get_string (result, "solution_of"));
    ssapp_store_bind_text (s, 2, row->run_id);
    ssapp_store_bind_text (s, 3, ssapp_json_get_string (result, "outcome"));
    ssapp_store_bind_text (s, 4, ssapp_json_get_string (result, "message"));
    ssapp_store_bind_text (s, 5, ssapp_json_get_string (result, "start"));
    is_written = sqlite3_step (s) == SQLITE_ROW;
    run = is_written ? sqlite3_column_int64 (s, 0) : 0;
    ok = sqlite3_reset (s) == SQLITE_OK;
    if (!ok)
      ssapp_store_set_error (self, error, "store a local solution");
    ssapp_store_end_statement (self, s);
  }
  if (ok && is_written)
    ok = write_result (self, run, row->text, error) && ssapp_store_write_result_rows (self, run, result, error);
  json_decref (result);
  return ok;
}

/* The data of the motion that was written last, in pieces: whole they would be in memory once more, as SQLite's row.
 * `sum` (NULL: none) takes them. */
static gboolean
write_data (SsappStore *self, const SsappPackedMotion *packed, struct sha256_ctx *sum, GError **error)
{
  gsize size;
  const guint8 *data = ssapp_packed_motion_data (packed, &size);
  sqlite3_blob *blob = NULL;
  const gboolean is_in_pieces = size > PIECE_BYTES;
  gboolean ok = !is_in_pieces || sqlite3_blob_open (self->db, "main", "motion", "data",
                                                    sqlite3_last_insert_rowid (self->db), 1, &blob) == SQLITE_OK;

  for (gsize at = 0, n; ok && at < size; at += n) {
    n = MIN (size - at, PIECE_BYTES);
    ok = !is_in_pieces || sqlite3_blob_write (blob, data + at, (int)n, (int)at) == SQLITE_OK;
    if (sum != NULL)
      sha256_update (sum, n, data + at);
    ssapp_packed_motion_pass (packed, at + n);
  }
  if (!ok)
    ssapp_store_set_error (self, error, "store a motion");
  sqlite3_blob_close (blob);
  return ok;
}

/* The newest motion of a run that goes on is summed at the end: it is written again and again. */
static gboolean
write_motion (SsappStore *self, const Pending *row, GError **error)
{
  g_autofree char *part = ssapp_store_motion_part (&row->motion);
  sqlite3_stmt *s = bind_motion (self, row, error);
  gsize size;

  if (s == NULL)
    return FALSE;
  ssapp_packed_motion_data (row->data, &size);
  /* One that SQLite does not take was not bound, and what is NULL is refused as a row that would fail for ever. */
  const gsize most = (gsize)sqlite3_limit (self->db, SQLITE_LIMIT_LENGTH, -1);
  if (!ssapp_store_finish_statement (self, s, "store a motion", size > most ? NULL : error)) {
    if (size > most)
      g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED,
                   "%s: cannot store a motion: its %d rows have %.0f MB packed, a project takes %.0f MB (rows of every "
                   "n-th step are fewer)",
                   self->path, row->n_rows, 1e-6 * (double)size, 1e-6 * (double)most);
    return FALSE;
  }
  const gboolean is_summed = strcmp (row->motion.role, "latest") != 0;
  struct sha256_ctx sum = ssapp_store_begin_item (row->run_id, part, row->n_rows, row->n_channels, NULL, size);
  return write_data (self, row->data, is_summed ? &sum : NULL, error) &&
         (!is_summed || ssapp_store_seal_begun_item (self, row->run_id, part, &sum, error));
}

static gboolean
write_pending (SsappStore *self, const Pending *row, GError **error)
{
  sqlite3_stmt *s = NULL;
  const char *what = "store a row";

  switch (row->kind) {
  case PENDING_ITERATION:
    s = bind_iteration (self, row, error);
    what = "store an iteration";
    break;
  case PENDING_LOG:
    s = bind_log (self, row, error);
    what = "store a log line";
    break;
  case PENDING_MOTION:
    return write_motion (self, row, error);
  case PENDING_END:
    return write_end (self, row, error);
  case PENDING_SOLUTION:
    return write_solution (self, row, error);
  }
  return s != NULL && ssapp_store_finish_statement (self, s, what, error);
}

/* In the order in which they are committed: what a run is for, what was told on the way, what fills disks. */
enum { RANK_ANSWER, RANK_TOLD, RANK_ITERATES, N_RANKS };

static int
rank_of (const Pending *row)
{
  if (row->kind == PENDING_END || row->kind == PENDING_SOLUTION)
    return RANK_ANSWER;
  if (row->kind != PENDING_MOTION)
    return RANK_TOLD;
  return strcmp (row->motion.role, "answer") == 0    ? RANK_ANSWER
         : strcmp (row->motion.role, "iterate") == 0 ? RANK_ITERATES
                                                     : RANK_TOLD;
}

/* Whether what is told on the way could take the room that the answers of running runs need. */
static gboolean
is_room_short (SsappStore *self)
{
  const char *name = sqlite3_db_filename (self->db, "main");
  g_autofree char *log = g_strconcat (name, "-wal", NULL), *folder = g_path_get_dirname (name);
  struct rlimit limit;
  struct statvfs disk;
  struct stat file;
  guint64 room = G_MAXUINT64;

  if (statvfs (folder, &disk) == 0)
    room = (guint64)disk.f_bavail * disk.f_frsize;
  if (getrlimit (RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    guint64 longest = 0;
    if (stat (name, &file) == 0)
      longest = (guint64)file.st_size;
    if (stat (log, &file) == 0)
      longest = MAX (longest, (guint64)file.st_size);
    room = MIN (room, limit.rlim_cur > longest ? limit.rlim_cur - longest : 0);
  }
  return room < ROOM_FOR_ANSWERS;
}

/* Takes the first `count` rows of `rows` out of those that wait. */
static void
forget_rows (SsappStore *self, GPtrArray *rows, guint count)
{
  for (guint i = 0; i < count; i++)
    g_ptr_array_remove (self->pending, g_ptr_array_index (rows, i));
}

/* Checksums of the runs that these rows are of. */
static gboolean
seal_runs (SsappStore *self, GPtrArray *rows, GError **error)
{
  g_autoptr (GHashTable) done = g_hash_table_new (g_str_hash, g_str_equal);
  gboolean ok = TRUE;

  for (guint i = 0; ok && i < rows->len; i++) {
    const Pending *row = g_ptr_array_index (rows, i);
    if (g_hash_table_add (done, row->run_id))
      ok = ssapp_store_seal_run (self, row->run_id, error);
  }
  return ok;
}

/* All rows of a rank in one transaction. */
static gboolean
flush_rows (SsappStore *self, GPtrArray *rows, GError **error)
{
  gboolean ok = ssapp_store_begin (self, "write", error);
  GError *local = NULL;

  if (!ok)
    return FALSE;
  for (guint i = 0; ok && i < rows->len; i++) {
    ok = write_pending (self, g_ptr_array_index (rows, i), &local);
    /* A row of a run that does not exist would fail for ever and hold up all others: it is dropped and reported. */
    if (!ok && (sqlite3_errcode (self->db) & 0xff) == SQLITE_CONSTRAINT)
      g_ptr_array_remove (self->pending, g_ptr_array_index (rows, i));
  }
  ok = ok && seal_runs (self, rows, &local);
  if (local != NULL)
    g_propagate_error (error, local);
  ok = ssapp_store_end_transaction (self, ok, "write", ok ? error : NULL);
  if (!ok)
    return FALSE;
  self->has_written = TRUE;
  forget_rows (self, rows, rows->len);
  return ssapp_store_check_place (self, error); /* moved while it was committed */
}

gboolean
ssapp_store_flush (SsappStore *self, GError **error)
{
  gboolean ok = TRUE, has_ended = FALSE;

  g_return_val_if_fail (SSAPP_IS_STORE (self), FALSE);
  if (self->pending->len == 0)
    return TRUE;
  if (!ssapp_store_check_writable (self, error))
    return FALSE;
  self->last_flush = g_get_monotonic_time ();
  const gboolean waits = g_hash_table_size (self->unended) > 0 && !self->is_closing && is_room_short (self);
  for (int rank = 0; ok && rank < (waits ? RANK_ANSWER + 1 : N_RANKS); rank++) {
    g_autoptr (GPtrArray) rows = g_ptr_array_new ();
    for (guint i = 0; i < self->pending->len; i++)
      if (rank_of (g_ptr_array_index (self->pending, i)) == rank)
        g_ptr_array_add (rows, g_ptr_array_index (self->pending, i));
    if (rows->len == 0)
      continue;
    ok = flush_rows (self, rows, error);
    has_ended = has_ended || (ok && rank == RANK_ANSWER);
  }
  if (has_ended)
    ssapp_store_tell_changed (self);
  return ok;
}

/* While nothing is told all is in the file itself, so that one that is moved has all of its runs and one that is put
 * into its place finds no rows of others in the journal. While another process writes, this is left to the next
 * time. */
static void
tidy (SsappStore *self)
{
  if (!ssapp_store_check_place (self, NULL))
    return;
  sqlite3_busy_timeout (self->db, 0);
  sqlite3_wal_checkpoint_v2 (self->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
  sqlite3_busy_timeout (self->db, self->patience);
}

static gboolean
on_timer (gpointer user_data)
{
  SsappStore *self = user_data;
  GError *error = NULL;

  self->timer = 0;
  if (self->pending->len == 0) {
    tidy (self);
  } else if (!ssapp_store_flush (self, &error)) {
    ssapp_store_report_failure (self, error);
    ssapp_store_retry (self);
  }
  return G_SOURCE_REMOVE;
}

/* Not while it closes, which does all that is left and takes the file away. */
static void
arm_timer (SsappStore *self, guint milliseconds)
{
  if (self->timer == 0 && !self->is_closing)
    self->timer = g_timeout_add (milliseconds, on_timer, self);
}

void
ssapp_store_tidy_soon (SsappStore *self)
{
  arm_timer (self, FLUSH_MS);
}

void
ssapp_store_retry (SsappStore *self)
{
  if (self->pending->len > 0 && self->loss == NULL)
    arm_timer (self, RETRY_MS);
}

gboolean
ssapp_store_flush_if_due (SsappStore *self, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  if (g_get_monotonic_time () - self->last_flush >= FLUSH_MS * G_TIME_SPAN_MILLISECOND)
    return ssapp_store_flush (self, error);
  arm_timer (self, FLUSH_MS);
  return TRUE;
}
