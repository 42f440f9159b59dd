/* app/ssapp-store.c: writing and closing a project; see ssapp-store.h. Opening is in ssapp-store-open.c, reading in ssapp-store-read.c.
 *
 * Rows that stream in wait in memory and are written together, in one short transaction at most every FLUSH_MS: a writer never holds the
 * lock between two calls, so that two processes on one project wait for each other milliseconds at most. If a write fails the rows stay
 * and are tried again.
 */
#include "app/ssapp-store-private.h"

#include "app/ssapp-json.h"
#include "app/ssapp-provenance.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

enum {
  FLUSH_MS = 100, /* rows wait at most this long                                             */
  RETRY_MS = 1000 /* after a write that failed                                               */
};
#define CLOSE_BUSY_MS 100 /* the journal of a project that another process has open stays as it is */

G_DEFINE_FINAL_TYPE (SsappStore, ssapp_store, G_TYPE_OBJECT)
G_DEFINE_QUARK (ssapp - store - error - quark, ssapp_store_error)

enum { SIGNAL_CHANGED, SIGNAL_WRITE_FAILED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* ---- errors and statements -------------------------------------------------------------------------------------------------------- */

static void
set_error_from_code (const char *path, int code, int system_errno, const char *text, GError **error, const char *what)
{
  const gboolean no_room = system_errno == ENOSPC || system_errno == EDQUOT || system_errno == EFBIG;

  switch (code & 0xff) {
  case SQLITE_NOTADB:
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_A_PROJECT,
                 "%s is no Stickslip project: it is not an SQLite database", path);
    break;
  case SQLITE_CORRUPT:
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_DAMAGED, "%s is damaged: cannot %s (%s)", path, what,
                 text);
    break;
  case SQLITE_READONLY:
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_READ_ONLY,
                 "%s: cannot %s: the file or its folder is read-only", path, what);
    break;
  case SQLITE_BUSY:
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_BUSY,
                 "%s: cannot %s: another program kept the project locked for %d seconds", path, what,
                 SSAPP_STORE_BUSY_MS / 1000);
    break;
  default:
    /* Some systems refuse the byte beyond a limit with an error that SQLite does not tell from a broken disk. */
    if ((code & 0xff) == SQLITE_FULL || code == SQLITE_IOERR_WRITE || ((code & 0xff) == SQLITE_IOERR && no_room))
      g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FULL, "%s: cannot %s: no more can be written there (%s)",
                   path, what,
                   (code & 0xff) == SQLITE_FULL ? "the disk is full" : "disk full, file size limit or a faulty disk");
    else
      g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED, "%s: cannot %s: %s", path, what, text);
  }
}

void
ssapp_store_set_error (SsappStore *self, GError **error, const char *what)
{
  set_error_from_code (self->path, sqlite3_extended_errcode (self->db), sqlite3_system_errno (self->db),
                       sqlite3_errmsg (self->db), error, what);
}

sqlite3_stmt *
ssapp_store_prepare (SsappStore *self, const char *sql, GError **error)
{
  sqlite3_stmt *statement = NULL;

  if (sqlite3_prepare_v2 (self->db, sql, -1, &statement, NULL) != SQLITE_OK) {
    ssapp_store_set_error (self, error, "read the project");
    return NULL;
  }
  return statement;
}

gboolean
ssapp_store_finish_statement (SsappStore *self, sqlite3_stmt *statement, const char *what, GError **error)
{
  int code = sqlite3_step (statement);
  gboolean ok = code == SQLITE_DONE || code == SQLITE_ROW;

  if (!ok)
    ssapp_store_set_error (self, error, what);
  sqlite3_finalize (statement);
  return ok;
}

gboolean
ssapp_store_check_open (SsappStore *self, GError **error)
{
  if (self->db != NULL)
    return TRUE;
  g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED, "%s: the project is closed", self->path);
  return FALSE;
}

gboolean
ssapp_store_check_writable (SsappStore *self, GError **error)
{
  if (!ssapp_store_check_open (self, error))
    return FALSE;
  if (!self->is_read_only)
    return TRUE;
  g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_READ_ONLY, "%s is read-only: nothing can be stored in it",
               self->path);
  return FALSE;
}

gboolean
ssapp_store_execute (SsappStore *self, const char *sql, const char *what, GError **error)
{
  if (sqlite3_exec (self->db, sql, NULL, NULL, NULL) == SQLITE_OK)
    return TRUE;
  ssapp_store_set_error (self, error, what);
  return FALSE;
}

/* Ends a transaction: commits, or rolls back when something in it failed or the commit itself does. */
gboolean
ssapp_store_end_transaction (SsappStore *self, gboolean ok, const char *what, GError **error)
{
  if (ok)
    ok = ssapp_store_execute (self, "COMMIT", what, error);
  if (!ok)
    sqlite3_exec (self->db, "ROLLBACK", NULL, NULL, NULL);
  return ok;
}

void
ssapp_store_bind_text (sqlite3_stmt *s, int index, const char *text)
{
  sqlite3_bind_text (s, index, text != NULL ? text : "", -1, SQLITE_TRANSIENT);
}

static void
bind_real (sqlite3_stmt *s, int index, double value)
{
  if (isfinite (value))
    sqlite3_bind_double (s, index, value);
  else
    sqlite3_bind_null (s, index);
}

void
ssapp_store_bind_now (sqlite3_stmt *s, int index)
{
  char *now = ssapp_time_now ();

  ssapp_store_bind_text (s, index, now);
  g_free (now);
}

/* ---- what it is ------------------------------------------------------------------------------------------------------------------- */

const char *
ssapp_store_get_path (SsappStore *self)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self), NULL);
  return self->path;
}

gboolean
ssapp_store_is_read_only (SsappStore *self)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self), TRUE);
  return self->is_read_only;
}

/* ---- rows that wait --------------------------------------------------------------------------------------------------------------- */

typedef enum { PENDING_ITERATION, PENDING_LOG, PENDING_MOTION, PENDING_END } PendingKind;

typedef struct {
  PendingKind kind;
  char *run_id;
  SsappIteration iteration; /* ITERATION                                     */
  double t;                 /* LOG                                           */
  int level;                /* LOG                                           */
  char *text;               /* LOG; END: the result's JSON, NULL if none     */
  const char *role;         /* MOTION; static                                */
  int motion_iteration;     /* MOTION                                        */
  int n_rows, n_channels;   /* MOTION                                        */
  char *channels;           /* MOTION                                        */
  GBytes *data;             /* MOTION                                        */
  char *outcome, *message;  /* END                                           */
} Pending;

static void
pending_free (Pending *row)
{
  g_free (row->run_id);
  ssapp_iteration_clear (&row->iteration);
  g_free (row->text);
  g_free (row->channels);
  g_clear_pointer (&row->data, g_bytes_unref);
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
ssapp_store_queue_motion (SsappStore *self, const char *id, const char *role, int iteration,
                          const SsTrajectory *trajectory)
{
  json_t *channels = ssapp_json_channels (trajectory);
  Pending *row = pending_new (self, PENDING_MOTION, id);

  row->role = role;
  row->motion_iteration = iteration;
  row->n_rows = trajectory->n_rows;
  row->n_channels = trajectory->n_channels;
  row->channels = ssapp_json_text (channels, FALSE);
  row->data = ssapp_trajectory_to_bytes (trajectory);
  json_decref (channels);
}

void
ssapp_store_queue_iteration (SsappStore *self, const char *id, const SsappIteration *iteration)
{
  Pending *row = pending_new (self, PENDING_ITERATION, id);

  row->iteration = *iteration;
  row->iteration.json = g_strdup (iteration->json);
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
  bind_real (s, 4, row->iteration.objective);
  bind_real (s, 5, row->iteration.violation);
  bind_real (s, 6, row->iteration.complementarity);
  bind_real (s, 7, row->iteration.step);
  bind_real (s, 8, row->iteration.parameter);
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
                                         "INSERT OR REPLACE INTO trajectory (run_id, role, iteration, n_rows, "
                                         "n_channels, channels, data) VALUES (?, ?, ?, ?, ?, ?, ?)",
                                         error);
  gsize size;

  if (s == NULL)
    return NULL;
  ssapp_store_bind_text (s, 1, row->run_id);
  ssapp_store_bind_text (s, 2, row->role);
  sqlite3_bind_int (s, 3, row->motion_iteration);
  sqlite3_bind_int (s, 4, row->n_rows);
  sqlite3_bind_int (s, 5, row->n_channels);
  ssapp_store_bind_text (s, 6, row->channels);
  const void *data = g_bytes_get_data (row->data, &size);
  sqlite3_bind_blob64 (s, 7, data != NULL ? data : "", size, SQLITE_STATIC);
  return s;
}

/* Columns of `run` that come from "metrics" of the result, by the same name. */
static const char *const metric_columns[] = {
    "objective",          "max_violation",   "complementarity", "success_paper", "iterations",
    "subproblems",        "n_variables",     "n_constraints",   "steps",         "energy_initial",
    "energy_final",       "max_penetration", "replay_distance", "replay_angle",  "replay_final",
    "max_cone_violation", "max_residual",    "setup_seconds",   "solve_seconds", "cpu_seconds"};

static void
bind_json (sqlite3_stmt *s, int index, const json_t *value)
{
  if (json_is_integer (value))
    sqlite3_bind_int64 (s, index, json_integer_value (value));
  else if (json_is_real (value))
    sqlite3_bind_double (s, index, json_real_value (value));
  else if (json_is_boolean (value))
    sqlite3_bind_int (s, index, json_is_true (value));
  else
    sqlite3_bind_null (s, index);
}

static sqlite3_stmt *
bind_end (SsappStore *self, const Pending *row, GError **error)
{
  enum { FIRST_METRIC = 7 };
  json_t *result = row->text != NULL ? json_loads (row->text, 0, NULL) : NULL;
  const json_t *metrics = json_object_get (result, "metrics");
  const char *outcome = ssapp_json_get_string (result, "outcome"), *message = ssapp_json_get_string (result, "message");
  GString *sql =
      g_string_new ("UPDATE run SET ended = ?2, outcome = ?3, message = ?4, result = ?5, tracking_error = ?6");

  /* Only a running row ends, so that ending twice changes nothing. */
  for (guint i = 0; i < G_N_ELEMENTS (metric_columns); i++)
    g_string_append_printf (sql, ", %s = ?%u", metric_columns[i], FIRST_METRIC + i);
  g_string_append (sql, " WHERE id = ?1 AND outcome = 'running'");
  sqlite3_stmt *s = ssapp_store_prepare (self, sql->str, error);
  g_string_free (sql, TRUE);
  if (s != NULL) {
    ssapp_store_bind_text (s, 1, row->run_id);
    ssapp_store_bind_now (s, 2);
    ssapp_store_bind_text (s, 3, row->outcome != NULL ? row->outcome : outcome != NULL ? outcome : "failed");
    ssapp_store_bind_text (s, 4, row->message != NULL ? row->message : message);
    if (row->text != NULL)
      ssapp_store_bind_text (s, 5, row->text);
    bind_real (s, 6, ssapp_json_get_real (json_object_get (metrics, "tracking_error"), "total"));
    for (guint i = 0; i < G_N_ELEMENTS (metric_columns); i++)
      bind_json (s, FIRST_METRIC + (int)i, json_object_get (metrics, metric_columns[i]));
  }
  json_decref (result);
  return s;
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
    s = bind_motion (self, row, error);
    what = "store a motion";
    break;
  case PENDING_END:
    s = bind_end (self, row, error);
    what = "store a result";
    break;
  }
  return s != NULL && ssapp_store_finish_statement (self, s, what, error);
}

gboolean
ssapp_store_flush (SsappStore *self, GError **error)
{
  guint written = 0;
  gboolean ok, ended = FALSE;
  GError *local = NULL;

  g_return_val_if_fail (SSAPP_IS_STORE (self), FALSE);
  if (self->pending->len == 0)
    return TRUE;
  if (!ssapp_store_check_writable (self, error))
    return FALSE;
  self->last_flush = g_get_monotonic_time ();
  ok = ssapp_store_execute (self, "BEGIN IMMEDIATE", "write", error);
  if (!ok)
    return FALSE;
  for (; ok && written < self->pending->len; written++) {
    const Pending *row = g_ptr_array_index (self->pending, written);
    ok = write_pending (self, row, &local);
    ended = ended || row->kind == PENDING_END;
    /* A row of a run that does not exist would fail for ever and hold up all others: it is dropped and reported. */
    if (!ok && (sqlite3_errcode (self->db) & 0xff) == SQLITE_CONSTRAINT) {
      sqlite3_exec (self->db, "ROLLBACK", NULL, NULL, NULL);
      g_ptr_array_remove_index (self->pending, written);
      g_propagate_error (error, local);
      return FALSE;
    }
  }
  if (local != NULL)
    g_propagate_error (error, local);
  ok = ssapp_store_end_transaction (self, ok, "write", ok ? error : NULL);
  if (ok)
    g_ptr_array_remove_range (self->pending, 0, written);
  if (ok && ended)
    g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
  return ok;
}

static void arm_timer (SsappStore *self, guint milliseconds);

static gboolean
on_timer (gpointer user_data)
{
  SsappStore *self = user_data;
  GError *error = NULL;

  self->timer = 0;
  if (!ssapp_store_flush (self, &error)) {
    g_signal_emit (self, signals[SIGNAL_WRITE_FAILED], 0, error->message);
    g_clear_error (&error);
    if (self->pending->len > 0)
      arm_timer (self, RETRY_MS);
  }
  return G_SOURCE_REMOVE;
}

static void
arm_timer (SsappStore *self, guint milliseconds)
{
  if (self->timer == 0)
    self->timer = g_timeout_add (milliseconds, on_timer, self);
}

/* After a row was queued: written now if the last write is long ago, else soon. */
gboolean
ssapp_store_flush_if_due (SsappStore *self, GError **error)
{
  if (g_get_monotonic_time () - self->last_flush >= FLUSH_MS * G_TIME_SPAN_MILLISECOND)
    return ssapp_store_flush (self, error);
  arm_timer (self, FLUSH_MS);
  return TRUE;
}

/* ---- runs ------------------------------------------------------------------------------------------------------------------------- */

static gboolean
insert_scenario_text (SsappStore *self, const char *text, char **sha256, GError **error)
{
  sqlite3_stmt *s =
      ssapp_store_prepare (self, "INSERT OR IGNORE INTO scenario_text (sha256, text, created) VALUES (?, ?, ?)", error);

  if (s == NULL)
    return FALSE;
  *sha256 = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);
  ssapp_store_bind_text (s, 1, *sha256);
  ssapp_store_bind_text (s, 2, text);
  ssapp_store_bind_now (s, 3);
  return ssapp_store_finish_statement (self, s, "store the scenario", error);
}

static gboolean
insert_provenance (SsappStore *self, gint64 *id, GError **error)
{
  SsappProvenance p;
  gboolean ok = FALSE;
  sqlite3_stmt *s;

  ssapp_provenance_init (&p);
  const char *const texts[] = {p.version, p.git_commit, p.compiler, p.build_flags,
                               p.host,    p.cpu,        p.os,       p.libraries_json};
  static const char *const queries[] = {"INSERT OR IGNORE INTO provenance (version, git_commit, compiler, build_flags, "
                                        "host, cpu, os, libraries, cpu_count) "
                                        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                                        "SELECT id FROM provenance WHERE version = ? AND git_commit = ? AND compiler = "
                                        "? AND build_flags = ? AND host = ? AND cpu = ? "
                                        "AND os = ? AND libraries = ? AND cpu_count = ?"};
  for (guint q = 0; q < G_N_ELEMENTS (queries); q++) {
    s = ssapp_store_prepare (self, queries[q], error);
    if (s == NULL)
      break;
    for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
      ssapp_store_bind_text (s, (int)i + 1, texts[i]);
    sqlite3_bind_int (s, (int)G_N_ELEMENTS (texts) + 1, p.cpu_count);
    int code = sqlite3_step (s);
    ok = code == SQLITE_DONE || code == SQLITE_ROW;
    if (code == SQLITE_ROW)
      *id = sqlite3_column_int64 (s, 0);
    if (!ok)
      ssapp_store_set_error (self, error, "store the provenance");
    sqlite3_finalize (s);
    if (!ok)
      break;
  }
  ssapp_provenance_clear (&p);
  return ok;
}

gboolean
ssapp_store_record (SsappStore *self, const char *id, const char *scenario_text, const char *scenario_name,
                    const char *method, const char *options_json, const char *parameters_json, guint64 seed,
                    GError **error)
{
  char *sha256 = NULL;
  gint64 provenance = 0;
  SsappOwner owner = {0};
  gboolean ok;

  g_return_val_if_fail (SSAPP_IS_STORE (self), FALSE);
  g_return_val_if_fail (id != NULL && scenario_text != NULL && method != NULL, FALSE);
  if (!ssapp_store_check_writable (self, error) ||
      !ssapp_store_execute (self, "BEGIN IMMEDIATE", "store the run", error))
    return FALSE;
  ok = insert_scenario_text (self, scenario_text, &sha256, error) && insert_provenance (self, &provenance, error);
  if (ok) {
    sqlite3_stmt *s = ssapp_store_prepare (
        self,
        "INSERT INTO run (id, scenario_name, scenario_sha256, kind, method, label, options, parameters, seed, "
        "provenance_id, "
        "owner_host, owner_pid, owner_start, started) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        error);
    ok = s != NULL;
    if (ok) {
      const SsMethod *integrator = ss_method_find (SS_METHOD_INTEGRATOR, method, NULL);
      const SsMethod *known = integrator != NULL ? integrator : ss_method_find (SS_METHOD_OPTIMISER, method, NULL);
      ssapp_owner_init_self (&owner);
      ssapp_store_bind_text (s, 1, id);
      ssapp_store_bind_text (s, 2, scenario_name);
      ssapp_store_bind_text (s, 3, sha256);
      ssapp_store_bind_text (s, 4, integrator != NULL ? "simulate" : "optimise");
      ssapp_store_bind_text (s, 5, method);
      ssapp_store_bind_text (s, 6, known != NULL ? known->label : method);
      ssapp_store_bind_text (s, 7, options_json != NULL ? options_json : "{}");
      ssapp_store_bind_text (s, 8, parameters_json != NULL ? parameters_json : "{}");
      sqlite3_bind_int64 (s, 9, (gint64)seed);
      sqlite3_bind_int64 (s, 10, provenance);
      ssapp_store_bind_text (s, 11, owner.host);
      sqlite3_bind_int64 (s, 12, owner.pid);
      sqlite3_bind_int64 (s, 13, owner.start);
      ssapp_store_bind_now (s, 14);
      ok = ssapp_store_finish_statement (self, s, "store the run", error);
      ssapp_owner_clear (&owner);
    }
  }
  g_free (sha256);
  ok = ssapp_store_end_transaction (self, ok, "store the run", ok ? error : NULL);
  if (ok)
    g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
  return ok;
}

gboolean
ssapp_store_add_iteration (SsappStore *self, const char *id, int iteration, double t, const SsColumn *columns,
                           int n_columns, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self), FALSE);
  if (!ssapp_store_check_writable (self, error))
    return FALSE;
  ssapp_iteration_from_columns (iteration, t, columns, n_columns,
                                &pending_new (self, PENDING_ITERATION, id)->iteration);
  return ssapp_store_flush_if_due (self, error);
}

gboolean
ssapp_store_add_log (SsappStore *self, const char *id, double t, int level, const char *text, GError **error)
{
  Pending *row;

  g_return_val_if_fail (SSAPP_IS_STORE (self), FALSE);
  if (!ssapp_store_check_writable (self, error))
    return FALSE;
  row = pending_new (self, PENDING_LOG, id);
  row->t = t;
  row->level = level;
  row->text = g_strdup (text);
  return ssapp_store_flush_if_due (self, error);
}

gboolean
ssapp_store_add_iterate (SsappStore *self, const char *id, int iteration, const SsTrajectory *trajectory,
                         GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self), FALSE);
  if (!ssapp_store_check_writable (self, error))
    return FALSE;
  ssapp_store_queue_motion (self, id, "iterate", iteration, trajectory);
  return ssapp_store_flush_if_due (self, error);
}

static gboolean
end_run (SsappStore *self, const char *id, const char *result_json, const char *outcome, const char *message,
         const SsTrajectory *trajectory, GError **error)
{
  Pending *row;

  if (!ssapp_store_check_writable (self, error))
    return FALSE;
  if (trajectory != NULL)
    ssapp_store_queue_motion (self, id, "answer", -1, trajectory);
  row = pending_new (self, PENDING_END, id);
  row->text = g_strdup (result_json);
  row->outcome = g_strdup (outcome);
  row->message = g_strdup (message);
  if (ssapp_store_flush (self, error))
    return TRUE;
  if (self->pending->len > 0)
    arm_timer (self, RETRY_MS);
  return FALSE;
}

gboolean
ssapp_store_finish (SsappStore *self, const char *id, const char *result_json, const SsTrajectory *trajectory,
                    GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self), FALSE);
  g_return_val_if_fail (id != NULL && result_json != NULL, FALSE);
  return end_run (self, id, result_json, NULL, NULL, trajectory, error);
}

gboolean
ssapp_store_abandon (SsappStore *self, const char *id, const char *outcome, const char *message,
                     const SsTrajectory *trajectory, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self), FALSE);
  return end_run (self, id, NULL, outcome, message, trajectory, error);
}

/* Runs an UPDATE with ?1 = id and, where there is one, ?2 = text. */
static gboolean
update_run (SsappStore *self, const char *sql, const char *id, const char *text, const char *what, GError **error)
{
  sqlite3_stmt *s;

  if (!ssapp_store_check_writable (self, error))
    return FALSE;
  s = ssapp_store_prepare (self, sql, error);
  if (s == NULL)
    return FALSE;
  ssapp_store_bind_text (s, 1, id);
  if (sqlite3_bind_parameter_count (s) > 1)
    ssapp_store_bind_text (s, 2, text);
  if (!ssapp_store_finish_statement (self, s, what, error))
    return FALSE;
  if (sqlite3_changes (self->db) == 0) {
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND, "%s: there is no run '%s'", self->path, id);
    return FALSE;
  }
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
  return TRUE;
}

gboolean
ssapp_store_delete_run (SsappStore *self, const char *id, GError **error)
{
  char *now = ssapp_time_now ();
  gboolean ok = update_run (self, "UPDATE run SET deleted = ?2 WHERE id = ?1", id, now, "delete a run", error);

  g_free (now);
  return ok;
}

gboolean
ssapp_store_undelete_run (SsappStore *self, const char *id, GError **error)
{
  return update_run (self, "UPDATE run SET deleted = NULL WHERE id = ?1", id, NULL, "bring back a run", error);
}

gboolean
ssapp_store_set_note (SsappStore *self, const char *id, const char *note, GError **error)
{
  return update_run (self, "UPDATE run SET note = ?2 WHERE id = ?1", id, note, "write a note", error);
}

gboolean
ssapp_store_set_replay_of (SsappStore *self, const char *id, const char *plan, GError **error)
{
  return update_run (self, "UPDATE run SET replay_of = ?2 WHERE id = ?1", id, plan, "link a replay to its plan", error);
}

gboolean
ssapp_store_save_scenario (SsappStore *self, const char *name, const char *text, GError **error)
{
  char *sha256 = NULL;
  gboolean ok;

  g_return_val_if_fail (SSAPP_IS_STORE (self), FALSE);
  g_return_val_if_fail (name != NULL && text != NULL, FALSE);
  if (!ssapp_store_check_writable (self, error) ||
      !ssapp_store_execute (self, "BEGIN IMMEDIATE", "save the scenario", error))
    return FALSE;
  ok = insert_scenario_text (self, text, &sha256, error);
  if (ok) {
    /* The same text as the newest version is no new version. */
    sqlite3_stmt *s = ssapp_store_prepare (self,
                                           "INSERT INTO scenario (name, version, sha256, saved) SELECT ?1, coalesce "
                                           "(max (version), 0) + 1, ?2, ?3 FROM scenario "
                                           "WHERE name = ?1 HAVING coalesce ((SELECT sha256 FROM scenario WHERE name = "
                                           "?1 ORDER BY version DESC LIMIT 1), '') <> ?2",
                                           error);
    ok = s != NULL;
    if (ok) {
      ssapp_store_bind_text (s, 1, name);
      ssapp_store_bind_text (s, 2, sha256);
      ssapp_store_bind_now (s, 3);
      ok = ssapp_store_finish_statement (self, s, "save the scenario", error);
    }
  }
  g_free (sha256);
  ok = ssapp_store_end_transaction (self, ok, "save the scenario", ok ? error : NULL);
  if (ok)
    g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
  return ok;
}

void
ssapp_store_report_failure (SsappStore *self, GError *error)
{
  if (error == NULL)
    return;
  g_signal_emit (self, signals[SIGNAL_WRITE_FAILED], 0, error->message);
  g_error_free (error);
}

/* ---- closing ---------------------------------------------------------------------------------------------------------------------- */

void
ssapp_store_close (SsappStore *self)
{
  GError *error = NULL;

  g_return_if_fail (SSAPP_IS_STORE (self));
  g_clear_handle_id (&self->timer, g_source_remove);
  if (self->db == NULL)
    return;
  for (guint i = 0; i < self->followed->len; i++)
    g_signal_handlers_disconnect_by_data (g_ptr_array_index (self->followed, i), self);
  /* Jobs that are still followed go on without a record; their rows are closed as interrupted. */
  for (guint i = 0; i < self->followed->len; i++) {
    SsappJob *job = g_ptr_array_index (self->followed, i);
    Pending *row = pending_new (self, PENDING_END, ssapp_job_get_id (job));
    row->outcome = g_strdup ("interrupted");
    row->message = g_strdup ("the project was closed while this run was going on");
  }
  g_ptr_array_set_size (self->followed, 0);
  if (!ssapp_store_flush (self, &error))
    ssapp_store_report_failure (self, error);
  if (!self->is_read_only) {
    /* One file stays. With another process still at work this fails, and that process does it when it closes. */
    sqlite3_busy_timeout (self->db, CLOSE_BUSY_MS);
    sqlite3_wal_checkpoint_v2 (self->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
    sqlite3_exec (self->db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
  }
  sqlite3_close_v2 (self->db);
  self->db = NULL;
}

static void
ssapp_store_dispose (GObject *object)
{
  ssapp_store_close (SSAPP_STORE (object));
  G_OBJECT_CLASS (ssapp_store_parent_class)->dispose (object);
}

static void
ssapp_store_finalize (GObject *object)
{
  SsappStore *self = SSAPP_STORE (object);

  g_ptr_array_unref (self->pending);
  g_ptr_array_unref (self->followed);
  g_free (self->path);
  G_OBJECT_CLASS (ssapp_store_parent_class)->finalize (object);
}

static void
ssapp_store_class_init (SsappStoreClass *class_)
{
  G_OBJECT_CLASS (class_)->dispose = ssapp_store_dispose;
  G_OBJECT_CLASS (class_)->finalize = ssapp_store_finalize;
  signals[SIGNAL_CHANGED] =
      g_signal_new ("changed", SSAPP_TYPE_STORE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_WRITE_FAILED] = g_signal_new ("write-failed", SSAPP_TYPE_STORE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                               G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
ssapp_store_init (SsappStore *self)
{
  self->pending = g_ptr_array_new_with_free_func ((GDestroyNotify)pending_free);
  self->followed = g_ptr_array_new_with_free_func (g_object_unref);
}
