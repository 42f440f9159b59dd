/* app/store/ssapp-store.c: writing and closing a project; see ssapp-store.h. Statements are in
 * ssapp-store-connection.c, opening in ssapp-store-open.c, older formats in ssapp-store-upgrade.c, reading in
 * ssapp-store-read.c, lists of runs in ssapp-store-list.c, all rows with their checksums in ssapp-store-walk.c, what
 * results say in ssapp-store-result.c, motions and samples in ssapp-store-motion.c, sketches in ssapp-store-sketch.c,
 * pictures under them in ssapp-store-picture.c, rows that wait in ssapp-store-rows.c, going on in another file in
 * ssapp-store-place.c.
 *
 * Rows that stream in wait in memory and are written together, in short transactions at most every 100 ms: a
 * writer never holds the lock between two calls, so that two processes on one project wait for each other milliseconds
 * at most. If a write fails the rows stay and are tried again. Answers go first, in a transaction of their own; where
 * room is short, all other rows wait for them.
 */
#include "app/store/ssapp-store-private.h"

#include "app/base/ssapp-json.h"
#include "app/job/ssapp-samples.h"
#include "app/base/ssapp-provenance.h"
#include "app/store/ssapp-store-sum.h"

#include <string.h>

enum { WATCH_MS = 250 };  /* between two looks at the file while runs go on */
#define CLOSE_BUSY_MS 100 /* the journal of a project that another process has open stays as it is */

/* ---- runs -------------------------------------------------------------------------------------------------------- */

gboolean
ssapp_store_insert_text (SsappStore *self, const char *text, char **sha256, GError **error)
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
    ok = s != NULL;
    if (!ok)
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
    ssapp_store_end_statement (self, s);
    if (!ok)
      break;
  }
  ssapp_provenance_clear (&p);
  return ok;
}

/* A long run may have nothing to store for minutes; whoever opens another project in its place waits for this. */
static gboolean
on_watch (gpointer user_data)
{
  SsappStore *self = user_data;

  if (g_hash_table_size (self->unended) > 0 && ssapp_store_check_place (self, NULL))
    return G_SOURCE_CONTINUE;
  self->watch = 0;
  return G_SOURCE_REMOVE;
}

gboolean
ssapp_store_record (SsappStore *self, const char *id, const char *scenario_text, const char *scenario_name,
                    SsMethodId method, const char *options_json, const char *parameters_json, guint64 seed,
                    GError **error)
{
  char *sha256 = NULL;
  gint64 provenance = 0;
  SsappOwner owner = {0};
  gboolean ok;

  g_return_val_if_fail (SSAPP_IS_STORE (self), FALSE);
  g_return_val_if_fail (id != NULL && scenario_text != NULL && method.name != NULL, FALSE);
  if (!ssapp_store_begin (self, "store the run", error))
    return FALSE;
  ok = ssapp_store_insert_text (self, scenario_text, &sha256, error) && insert_provenance (self, &provenance, error);
  if (ok) {
    sqlite3_stmt *s = ssapp_store_prepare (
        self,
        "INSERT INTO run (id, scenario_name, scenario_sha256, kind, method, label, options, parameters, seed, "
        "provenance_id, "
        "owner_host, owner_pid, owner_start, started, sketch) VALUES (?, ?, ?3, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
        "coalesce ((SELECT k.id FROM sketch k WHERE k.sha256 = ?3 AND k.deleted IS NULL ORDER BY k.changed DESC LIMIT "
        "1), ''))",
        error);
    ok = s != NULL;
    if (ok) {
      const SsMethod *known = ss_method_lookup (method);
      ssapp_owner_init_self (&owner);
      ssapp_store_bind_text (s, 1, id);
      ssapp_store_bind_text (s, 2, scenario_name);
      ssapp_store_bind_text (s, 3, sha256);
      ssapp_store_bind_text (s, 4, ss_method_kind_spec (method.kind)->name);
      ssapp_store_bind_text (s, 5, method.name);
      ssapp_store_bind_text (s, 6, known != NULL ? known->label : method.name);
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
  if (ok && self->claim != NULL)
    ok = ssapp_store_claim_task (self, self->claim, id, error);
  g_free (sha256);
  if (!ssapp_store_end_transaction (self, ok, "store the run", ok ? error : NULL))
    return FALSE;
  self->has_written = TRUE;
  g_hash_table_add (self->unended, g_strdup (id));
  ssapp_store_tidy_soon (self);
  if (self->watch == 0)
    self->watch = g_timeout_add (WATCH_MS, on_watch, self);
  ssapp_store_tell_changed (self);
  return ssapp_store_check_place (self, error);
}

gboolean
ssapp_store_add_iteration_row (SsappStore *self, const char *id, const SsappIteration *row, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self), FALSE);
  if (!ssapp_store_check_writable (self, error))
    return FALSE;
  ssapp_store_queue_iteration (self, id, row);
  return ssapp_store_flush_if_due (self, error);
}

gboolean
ssapp_store_add_iteration (SsappStore *self, const char *id, int iteration, double t, const SsColumn *columns,
                           int n_columns, GError **error)
{
  SsappIteration row;

  ssapp_iteration_from_columns (iteration, t, columns, n_columns, &row);
  const gboolean ok = ssapp_store_add_iteration_row (self, id, &row, error);
  ssapp_iteration_clear (&row);
  return ok;
}

gboolean
ssapp_store_add_log (SsappStore *self, const char *id, double t, int level, const char *text, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self), FALSE);
  if (!ssapp_store_check_writable (self, error))
    return FALSE;
  ssapp_store_queue_log (self, id, t, level, text);
  return ssapp_store_flush_if_due (self, error);
}

static gboolean
end_run (SsappStore *self, const char *id, const char *result_json, const char *outcome, const char *message,
         const SsTrajectory *trajectory, GError **error)
{
  if (!ssapp_store_check_writable (self, error))
    return FALSE;
  if (trajectory != NULL)
    ssapp_store_queue_motion (self, id, &(SsappMotionKey){"answer", 0, -1}, 1, trajectory);
  ssapp_store_queue_end (self, id, result_json, outcome, message);
  if (ssapp_store_flush (self, error)) {
    ssapp_store_tidy_soon (self);
    return TRUE;
  }
  ssapp_store_retry (self);
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

static gboolean
add_samples (SsappStore *self, const char *id, const SsSamples *samples, GError **error)
{
  SsSamples *kept;
  SsError err = {0};

  if (ssapp_samples_thin (samples, &kept, &err) != SS_OK) {
    g_set_error_literal (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED, err.message);
    return FALSE;
  }
  g_autofree const char **names = g_new0 (const char *, kept->n_columns + 1);
  memcpy (names, kept->columns, sizeof *names * (gsize)kept->n_columns);
  const gboolean ok = ssapp_store_add_samples (self, id, "velocities", names, kept->values, kept->n_rows, TRUE, error);
  ss_samples_free (kept);
  return ok;
}

/* What a run's own result says of its other local solutions, whose results are those of their runs; takes `result`. */
static char *
name_solutions (json_t *result)
{
  static const char *const members[] = {"run", "start", "outcome", "message"};
  const json_t *solutions = json_object_get (result, "solutions");
  json_t *names = json_array ();

  for (size_t i = 0; i < json_array_size (solutions); i++) {
    const json_t *solution = json_array_get (solutions, i), *metrics = json_object_get (solution, "metrics");
    json_t *name = json_object ();
    for (guint m = 0; m < G_N_ELEMENTS (members); m++)
      json_object_set (name, members[m], json_object_get (solution, members[m]));
    json_object_set (name, "objective", json_object_get (metrics, "objective"));
    json_object_set (name, "replayed", json_object_get (metrics, "replayed"));
    json_array_append_new (names, name);
  }
  json_object_set_new (result, "solutions", names);
  char *text = ssapp_json_text (result, TRUE);
  json_decref (result);
  return text;
}

/* Local solution i of the result is the motion of branch i + 1. The last one is recorded first: newest first, the
 * first of them is below the answer. */
static gboolean
add_solutions (SsappStore *self, const json_t *solutions, const SsRunMotion *motions, int n_motions, GError **error)
{
  if (!ssapp_store_check_writable (self, error))
    return FALSE;
  for (size_t i = json_array_size (solutions); i > 0; i--) {
    const json_t *solution = json_array_get (solutions, i - 1);
    const char *id = ssapp_json_get_string (solution, "run");
    g_autofree char *text = ssapp_json_text (solution, TRUE);
    if (id == NULL)
      continue;
    ssapp_store_queue_solution (self, id, text);
    for (int m = 0; m < n_motions; m++)
      if (motions[m].role == SS_MOTION_SOLUTION && motions[m].branch == (int)i && motions[m].trajectory != NULL)
        ssapp_store_queue_motion (self, id, &(SsappMotionKey){"answer", 0, -1}, 1, motions[m].trajectory);
  }
  if (ssapp_store_flush (self, error))
    return TRUE;
  ssapp_store_retry (self);
  return FALSE;
}

gboolean
ssapp_store_finish_record (SsappStore *self, const char *id, const char *result_json, const SsTrajectory *trajectory,
                           const SsSamples *samples, const SsRunMotion *motions, int n_motions, GError **error)
{
  GError *first = NULL;
  gboolean has_solutions = FALSE;

  g_return_val_if_fail (SSAPP_IS_STORE (self), FALSE);
  g_return_val_if_fail (id != NULL && result_json != NULL, FALSE);
  for (int i = 0; i < n_motions; i++)
    has_solutions = has_solutions || motions[i].role == SS_MOTION_SOLUTION;
  json_t *result = has_solutions ? json_loads (result_json, 0, NULL) : NULL;
  json_t *solutions = json_incref (json_object_get (result, "solutions"));
  g_autofree char *own = result != NULL ? name_solutions (result) : NULL;
  if (samples != NULL)
    add_samples (self, id, samples, &first);
  for (int i = 0; i < n_motions && first == NULL; i++) {
    const SsappMotionKey key = {ss_motion_role_name (motions[i].role), motions[i].branch, -1};
    if (motions[i].role != SS_MOTION_ANSWER && motions[i].role != SS_MOTION_SOLUTION && motions[i].trajectory != NULL)
      ssapp_store_add_motion (self, id, &key, motions[i].share, motions[i].trajectory, &first);
  }
  /* the result is stored in any case: where there is no room for the rest, there may be for it */
  gboolean ok =
      ssapp_store_finish (self, id, own != NULL ? own : result_json, trajectory, first == NULL ? &first : NULL);
  if (json_array_size (solutions) > 0)
    ok = add_solutions (self, solutions, motions, n_motions, first == NULL ? &first : NULL) && ok;
  json_decref (solutions);
  if (first == NULL)
    return ok;
  g_propagate_error (error, first);
  return FALSE;
}

gboolean
ssapp_store_abandon (SsappStore *self, const char *id, const char *outcome, const char *message,
                     const SsTrajectory *trajectory, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self), FALSE);
  return end_run (self, id, NULL, outcome, message, trajectory, error);
}

/* Runs an UPDATE of that part with ?1 = id and, where there is one, ?2 = text. */
static gboolean
update_run (SsappStore *self, const char *part, const char *sql, const char *id, const char *text, const char *what,
            GError **error)
{
  sqlite3_stmt *s;
  gboolean ok;

  if (!ssapp_store_begin (self, what, error))
    return FALSE;
  const SsappSumState before = ssapp_store_sum_state (self, "main", "run", id, part);
  s = ssapp_store_prepare (self, sql, error);
  ok = s != NULL;
  if (ok) {
    ssapp_store_bind_text (s, 1, id);
    if (sqlite3_bind_parameter_count (s) > 1)
      ssapp_store_bind_text (s, 2, text);
    ok = ssapp_store_finish_statement (self, s, what, error);
  }
  if (ok && sqlite3_changes (self->db) == 0) {
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND, "%s: there is no run '%s'", self->path, id);
    ok = FALSE;
  }
  ok = ok && ssapp_store_seal_again (self, before, "run", id, part, error);
  if (!ssapp_store_end_transaction (self, ok, what, ok ? error : NULL))
    return FALSE;
  self->has_written = TRUE;
  ssapp_store_tell_changed (self);
  return ssapp_store_check_place (self, error);
}

gboolean
ssapp_store_delete_run (SsappStore *self, const char *id, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self), FALSE);

  char *now = ssapp_time_now ();
  gboolean ok = update_run (self, "marks", "UPDATE run SET deleted = ?2 WHERE id = ?1", id, now, "delete a run", error);

  g_free (now);
  return ok;
}

gboolean
ssapp_store_undelete_run (SsappStore *self, const char *id, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self), FALSE);
  return update_run (self, "marks", "UPDATE run SET deleted = NULL WHERE id = ?1", id, NULL, "bring back a run", error);
}

gboolean
ssapp_store_set_note (SsappStore *self, const char *id, const char *note, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self), FALSE);
  return update_run (self, "marks", "UPDATE run SET note = ?2 WHERE id = ?1", id, note, "write a note", error);
}

gboolean
ssapp_store_set_replay_of (SsappStore *self, const char *id, const char *plan, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self), FALSE);
  return update_run (self, "row", "UPDATE run SET replay_of = ?2 WHERE id = ?1", id, plan, "link a replay to its plan",
                     error);
}

/* ---- closing ----------------------------------------------------------------------------------------------------- */

/* One file stays. With another connection still at work this is left to that one, when it closes. */
static gboolean
empty_journal (SsappStore *self, GError **error)
{
  sqlite3_busy_timeout (self->db, CLOSE_BUSY_MS);
  const int code = sqlite3_wal_checkpoint_v2 (self->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL) & 0xff;
  if (code != SQLITE_OK && code != SQLITE_BUSY && code != SQLITE_LOCKED) {
    ssapp_store_set_error (self, error, "bring the last runs from its journal (-wal, which is kept) into the file");
    return FALSE;
  }
  sqlite3_exec (self->db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
  return TRUE;
}

gboolean
ssapp_store_check_kept (SsappStore *self, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self), FALSE);
  if (self->db == NULL || self->is_read_only)
    return TRUE;
  return ssapp_store_flush (self, error) && (!self->has_written || ssapp_store_check_place (self, error));
}

gboolean
ssapp_store_close (SsappStore *self, GError **error)
{
  gboolean ok;

  g_return_val_if_fail (SSAPP_IS_STORE (self), FALSE);
  g_clear_handle_id (&self->timer, g_source_remove);
  g_clear_handle_id (&self->watch, g_source_remove);
  g_clear_handle_id (&self->others_watch, g_source_remove);
  if (self->db == NULL)
    return TRUE;
  for (guint i = 0; i < self->followed->len; i++)
    g_signal_handlers_disconnect_by_data (g_ptr_array_index (self->followed, i), self);
  /* Jobs that are still followed go on without a record; their rows are closed as interrupted. */
  for (guint i = 0; i < self->followed->len; i++) {
    SsappJob *job = g_ptr_array_index (self->followed, i);
    ssapp_store_queue_end (self, ssapp_job_get_id (job), NULL, "interrupted",
                           "the project was closed while this run was going on");
  }
  g_ptr_array_set_size (self->followed, 0);
  self->is_closing = TRUE;
  ssapp_store_end_compacting (self);
  ok = ssapp_store_check_kept (self, error);
  if (!self->is_read_only && ssapp_store_check_place (self, NULL))
    ok = empty_journal (self, ok ? error : NULL) && ok;
  ssapp_store_close_database (self);
  ssapp_store_forget_file (self);
  return ok;
}
