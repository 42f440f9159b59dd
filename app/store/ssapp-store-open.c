/* app/store/ssapp-store-open.c: opening a project: what the file is, whether it is sound, whom it belongs to; see
 * ssapp-store.h. */
#include "app/store/ssapp-store-private.h"

#include "app/base/ssapp-provenance.h"
#include "app/store/ssapp-store-sum.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What the path is before SQLite sees it: its own messages name neither the file nor what it is instead. The file is
 * not opened here, since closing it again would drop the locks of another window of this program on it. */
static gboolean
check_file (const char *path, gboolean create, GError **error)
{
  struct stat there;

  if (path[0] == '\0') {
    g_set_error_literal (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND, "a project needs the name of a file");
    return FALSE;
  }
  if (stat (path, &there) != 0 || access (path, R_OK) != 0) {
    if (errno == ENOENT && create)
      return TRUE;
    g_set_error (error, SSAPP_STORE_ERROR, errno == ENOENT ? SSAPP_STORE_ERROR_NOT_FOUND : SSAPP_STORE_ERROR_FAILED,
                 "cannot open %s: %s", path, errno == ENOENT ? "there is no such file" : g_strerror (errno));
    return FALSE;
  }
  if (S_ISDIR (there.st_mode)) {
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_A_PROJECT, "%s is a folder, not a project", path);
    return FALSE;
  }
  if (!S_ISREG (there.st_mode)) { /* SQLite would wait for it */
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_A_PROJECT, "%s is no file, but a pipe or a device",
                 path);
    return FALSE;
  }
  if (there.st_size > 0 || create)
    return TRUE;
  g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_A_PROJECT, "%s is no Stickslip project: it is empty",
               path);
  return FALSE;
}

/* Ours are written in UTF-8; others could not be attached, and a flipped bit turns every text into another one. */
static gboolean
check_encoding (SsappStore *self, GError **error)
{
  sqlite3_stmt *s = ssapp_store_prepare (self, "PRAGMA encoding", error);
  gboolean ok;

  if (s == NULL)
    return FALSE;
  ok = sqlite3_step (s) == SQLITE_ROW && g_strcmp0 ((const char *)sqlite3_column_text (s, 0), "UTF-8") == 0;
  ssapp_store_end_statement (self, s);
  if (!ok)
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FOREIGN,
                 "%s is not as Stickslip made it: its texts are not in UTF-8; %s", self->path, SSAPP_STORE_WAY_OUT);
  return ok;
}

static gboolean
check_identity (SsappStore *self, gboolean *is_new, gint64 *format, GError **error)
{
  gint64 application = 0, version = 0, tables = 0;
  gboolean ok;

  /* One transaction, so that a project that another process is just making is seen before or after, never in
   * between. */
  if (!ssapp_store_execute (self, "BEGIN", "read the project", error))
    return FALSE;
  ok = ssapp_store_read_integer (self, "SELECT count(*) FROM sqlite_schema", &tables, error) &&
       ssapp_store_read_integer (self, "PRAGMA application_id", &application, error) &&
       ssapp_store_read_integer (self, "PRAGMA user_version", &version, error);
  if (ok && application == SSAPP_STORE_APPLICATION_ID && version >= 1 && version <= SSAPP_STORE_SCHEMA_VERSION)
    ok = check_encoding (self, error) && ssapp_store_check_schema (self, "main", self->path, version, error);
  if (!ssapp_store_end_transaction (self, ok, "read the project", ok ? error : NULL))
    return FALSE;
  *is_new = application == 0 && version == 0 && tables == 0;
  if (*is_new)
    return TRUE;
  if (application != SSAPP_STORE_APPLICATION_ID) {
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_A_PROJECT,
                 "%s is no Stickslip project: it is the database of another program", self->path);
    return FALSE;
  }
  if (version < 1) {
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_A_PROJECT,
                 "%s is no Stickslip project: its format is %d", self->path, (int)version);
    return FALSE;
  }
  if (version > SSAPP_STORE_SCHEMA_VERSION) {
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NEWER,
                 "%s was written by a newer version of Stickslip (project format %d; this version knows up to %d); %s",
                 self->path, (int)version, SSAPP_STORE_SCHEMA_VERSION, SSAPP_STORE_WAY_OUT);
    return FALSE;
  }
  *format = version;
  return TRUE;
}

/* Tables of many or large things, each of which has a checksum that is compared when it is read: of a row that a broken
 * tree hides the run's checksum tells. */
#define LARGE "'run_result', 'picture', 'motion', 'sample', 'scenario_text', 'metric'"

/* The tables that lists and tables go over; what is large is checked before the first write. */
static gboolean
check_small_tables (SsappStore *self, GError **error)
{
  sqlite3_stmt *s = ssapp_store_prepare (
      self, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN (" LARGE ") ORDER BY rootpage", error);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  gboolean ok = s != NULL, has_row = TRUE;

  while (ok && (ok = ssapp_store_step (self, s, &has_row, "check the project", error)) && has_row)
    g_ptr_array_add (names, ssapp_store_column_text (s, 0));
  ssapp_store_end_statement (self, s);
  for (guint i = 0; ok && i < names->len; i++)
    ok = ssapp_store_check_structure (self, g_ptr_array_index (names, i), error);
  return ok;
}

/* Closes a running row as interrupted, in one transaction; how far it came is known from its iterations. */
static gboolean
interrupt (SsappStore *self, const char *id, GError **error)
{
  static const char *const queries[] = {
      "INSERT OR REPLACE INTO metric (run, name, value) SELECT run.number, 'iterations', max (iteration) "
      "FROM run JOIN iteration ON run_id = id WHERE id = ?1 AND outcome = 'running' GROUP BY run.number",
      "UPDATE run SET outcome = 'interrupted', message = 'the program that recorded this run ended before the run "
      "did', "
      "ended = strftime ('%Y-%m-%dT%H:%M:%fZ', 'now') WHERE id = ?1 AND outcome = 'running'"};
  static const char what[] = "mark an interrupted run";
  gboolean ok = ssapp_store_begin (self, what, error);

  if (!ok)
    return FALSE;
  for (guint i = 0; ok && i < G_N_ELEMENTS (queries); i++) {
    sqlite3_stmt *s = ssapp_store_prepare (self, queries[i], error);
    ok = s != NULL;
    if (ok) {
      ssapp_store_bind_text (s, 1, id);
      ok = ssapp_store_finish_statement (self, s, what, error);
    }
  }
  ok = ok && ssapp_store_seal_run (self, id, error);
  return ssapp_store_end_transaction (self, ok, what, ok ? error : NULL);
}

/* Running rows: id, host, process, its start, days since something was stored of it. One that had ended, and was made
 * to run again by somebody else, stays marked as damaged. */
#define SELECT_RUNNING                                                                                                 \
  "SELECT id, owner_host, owner_pid, owner_start, julianday ('now') - julianday (started) - max (coalesce ((SELECT "   \
  "max "                                                                                                               \
  "(t) FROM iteration WHERE run_id = r.id), 0), coalesce ((SELECT max (t) FROM log WHERE run_id = r.id), 0)) / "       \
  "86400.0 "                                                                                                           \
  "FROM run r WHERE " SSAPP_STORE_RUNS ("", "r")

/* Whether its program may be at work still. Of other machines nothing is known but how long ago something came. */
static gboolean
may_run (sqlite3_stmt *s, gboolean trusts_others)
{
  const char *host = (const char *)sqlite3_column_text (s, 1);

  if (g_strcmp0 (host, g_get_host_name ()) == 0)
    return ssapp_owner_is_alive (host, sqlite3_column_int64 (s, 2), sqlite3_column_int64 (s, 3));
  return trusts_others && sqlite3_column_double (s, 4) < SSAPP_STORE_GONE_DAYS;
}

gboolean
ssapp_store_end_run (SsappStore *self, const char *id, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self) && id != NULL, FALSE);
  if (!ssapp_store_check_writable (self, error))
    return FALSE;
  sqlite3_stmt *s = ssapp_store_prepare_for (self, SELECT_RUNNING " AND id = ?1", id, error);
  if (s == NULL)
    return FALSE;
  gboolean is_running;
  const gboolean ok = ssapp_store_step (self, s, &is_running, "end a run", error),
                 is_alive = is_running && may_run (s, FALSE);
  const gint64 process = is_running ? sqlite3_column_int64 (s, 2) : 0;
  ssapp_store_end_statement (self, s);
  if (ok && !is_running)
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND, "%s: run %s is not recorded as running",
                 self->path, id);
  else if (is_alive)
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED,
                 "%s: run %s is at work on this machine (process %d): stop it there", self->path, id, (int)process);
  if (!is_running || is_alive || !interrupt (self, id, error))
    return FALSE;
  self->has_written = TRUE;
  ssapp_store_tell_changed (self);
  return TRUE;
}

/* Running rows whose owner is gone. What had been streamed in stays. */
gboolean
ssapp_store_adopt_orphans (SsappStore *self, guint *n, GError **error)
{
  sqlite3_stmt *s = ssapp_store_prepare (self, SELECT_RUNNING, error);
  g_autoptr (GPtrArray) orphans = g_ptr_array_new_with_free_func (g_free);
  gboolean ok = s != NULL, has_row = TRUE;

  while (ok && (ok = ssapp_store_step (self, s, &has_row, "look for interrupted runs", error)) && has_row)
    if (!may_run (s, TRUE))
      g_ptr_array_add (orphans, g_strdup ((const char *)sqlite3_column_text (s, 0)));
  ssapp_store_end_statement (self, s);
  for (guint i = 0; ok && i < orphans->len; i++)
    ok = interrupt (self, g_ptr_array_index (orphans, i), error);
  if (n != NULL)
    *n = orphans->len;
  return ok;
}

/* To the present format. What another program has open, or has no room for it, is read as it is by who only reads. */
static gboolean
bring_up_to_date (SsappStore *self, gint64 format, gboolean to_read, GError **error)
{
  GError *local = NULL;

  if (ssapp_store_upgrade (self, &local))
    return TRUE;
  if (to_read && (g_error_matches (local, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_BUSY) ||
                  g_error_matches (local, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FULL))) {
    g_clear_error (&local);
    self->is_read_only = TRUE;
    self->has_sums = format >= SSAPP_STORE_FIRST_WITH_SUMS;
    return ssapp_store_read_older (self, format, error);
  }
  g_propagate_error (error, local);
  return FALSE;
}

static gboolean
open_database (SsappStore *self, gboolean create, gboolean to_read, GError **error)
{
  gboolean is_new;
  gint64 format = 0;
  /* A program that reads has one thread: locking of each value that it takes would be a tenth of long lists. */
  int flags = SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0) | (to_read ? SQLITE_OPEN_NOMUTEX : 0);

  /* With its folder, since SQLite has a meaning of its own for names such as ":memory:" and "file:x". */
  self->file = g_canonicalize_filename (self->path, NULL);
  if (sqlite3_open_v2 (self->file, &self->db, flags, NULL) != SQLITE_OK) {
    ssapp_store_set_error (self, error, "open the project");
    return FALSE;
  }
  sqlite3_extended_result_codes (self->db, 1);
  sqlite3_busy_timeout (self->db, SSAPP_STORE_BUSY_MS);
  ssapp_store_harden (self->db);
  if (!check_identity (self, &is_new, &format, error))
    return FALSE;
  self->is_read_only = sqlite3_db_readonly (self->db, "main") == 1;
  if (!self->is_read_only && !ssapp_store_remember_file (self, error))
    return FALSE;
  if (is_new && !create) {
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_A_PROJECT,
                 "%s is no Stickslip project: it is an empty database", self->path);
    return FALSE;
  }
  /* SQLite keeps 2 MB of pages: to read one again from the system's cache takes less than a place for every one. */
  if (!(format == SSAPP_STORE_SCHEMA_VERSION ? check_small_tables (self, error)
                                             : ssapp_store_check_structure (self, NULL, error)))
    return FALSE;
  if (self->is_read_only && is_new)
    return ssapp_store_check_writable (self, error);
  self->has_sums = !self->is_read_only || format >= SSAPP_STORE_FIRST_WITH_SUMS;
  if (self->is_read_only)
    return ssapp_store_read_older (self, format, error);
  /* Upgraded before the journal is changed, so that a file for whose upgrade there is no room stays as it was, byte by
   * byte. FULL: a commit is on the disk before anybody is told of it, so that a power cut takes no run that was
   * reported. */
  self->has_no_journal = to_read;
  if (!bring_up_to_date (self, format, to_read, error))
    return FALSE;
  return self->is_read_only || ((to_read || ssapp_store_begin_journal (self, error)) &&
                                ssapp_store_execute (self, "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON",
                                                     "open the project for writing", error) &&
                                ssapp_store_adopt_orphans (self, NULL, error) && ssapp_store_check_place (self, error));
}

/* Before SQLite's first use: sums of the memory that it has, which nobody asks for, take a lock of all threads. */
static void
leave_out_statistics (void)
{
  static gsize is_done;

  if (g_once_init_enter (&is_done)) {
    sqlite3_config (SQLITE_CONFIG_MEMSTATUS, 0); /* too late: they stay */
    g_once_init_leave (&is_done, 1);
  }
}

/* A file that was made here and into which nothing could be written, as on a full disk, goes again: an empty one is no
 * project. Not where another process is at it. */
static void
take_back (SsappStore *self)
{
  struct stat there;

  if (self->db != NULL && sqlite3_exec (self->db, "BEGIN EXCLUSIVE", NULL, NULL, NULL) == SQLITE_OK &&
      stat (self->file, &there) == 0 && there.st_size == 0)
    (void)unlink (self->file);
}

static SsappStore *
open_store (const char *path, gboolean create, gboolean to_read, GError **error)
{
  SsappStore *self;
  const gboolean is_made = create && !g_file_test (path, G_FILE_TEST_EXISTS);

  leave_out_statistics ();
  if (!check_file (path, create, error) || !ssapp_store_wait_for_others (path, error))
    return NULL;
  self = g_object_new (SSAPP_TYPE_STORE, NULL);
  self->path = g_strdup (path);
  if (!open_database (self, create, to_read, error)) {
    if (is_made)
      take_back (self);
    g_object_unref (self);
    return NULL;
  }
  self->close = ssapp_store_close;
  g_ptr_array_set_free_func (self->pending, ssapp_store_row_free);
  return self;
}

SsappStore *
ssapp_store_open (const char *path, gboolean create, GError **error)
{
  g_return_val_if_fail (path != NULL, NULL);
  return open_store (path, create, FALSE, error);
}

SsappStore *
ssapp_store_open_to_read (const char *path, GError **error)
{
  g_return_val_if_fail (path != NULL, NULL);
  return open_store (path, FALSE, TRUE, error);
}
