/* app/store/ssapp-store-connection.c: the connection of a project: its statements and transactions, what an error of
 * SQLite means, and whether the file is still where it was opened; see ssapp-store.h. All other parts of the store lie
 * above it.
 *
 * SQLite keeps writing to a file that was deleted, renamed or replaced, and finds its journals by name: then nothing of
 * what it stores is found again, and closing may remove the journal of another project. So the name and the open file
 * are compared, and once they differ nothing more is written, nothing is moved out of the journal, and no journal of
 * others is touched.
 */
#include "app/store/ssapp-store-private.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-text.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

G_DEFINE_FINAL_TYPE (SsappStore, ssapp_store, G_TYPE_OBJECT)
G_DEFINE_QUARK (ssapp - store - error - quark, ssapp_store_error)

enum { SIGNAL_CHANGED, SIGNAL_WRITE_FAILED, SIGNAL_LOST, N_SIGNALS };
static guint signals[N_SIGNALS];

/* Statements that are kept for their next use: more than the parts of the store have. */
enum { MOST_IDLE = 256 };

static const char *const journal_suffixes[SSAPP_STORE_N_JOURNALS] = {"-wal", "-shm"};

/* ---- errors ------------------------------------------------------------------------------------------------------ */

/* Of those for memory one counts as an error of the disk. */
static int
primary_code (int code)
{
  return code == SQLITE_IOERR_NOMEM ? SQLITE_NOMEM : code & 0xff;
}

static void
set_error_from_code (const char *path, int code, int system_errno, const char *text, GError **error, const char *what)
{
  const gboolean no_room = system_errno == ENOSPC || system_errno == EDQUOT || system_errno == EFBIG;

  switch (primary_code (code)) {
  case SQLITE_NOMEM:
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_MEMORY, "%s: cannot %s: out of memory", path, what);
    break;
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
                 "%s: cannot %s: another program kept the project locked", path, what);
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
  g_return_if_fail (self != NULL);
  const int code = sqlite3_extended_errcode (self->db);

  if (primary_code (code) == SQLITE_NOMEM)
    self->lacked_memory = error == NULL;
  set_error_from_code (self->path, code, sqlite3_system_errno (self->db), sqlite3_errmsg (self->db), error, what);
}

gboolean
ssapp_store_had_memory (SsappStore *self, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  if (!self->lacked_memory)
    return TRUE;
  self->lacked_memory = error == NULL;
  set_error_from_code (self->path, SQLITE_NOMEM, 0, NULL, error, "read all of the project");
  return FALSE;
}

/* ---- what is told ------------------------------------------------------------------------------------------------ */

void
ssapp_store_report_failure (SsappStore *self, GError *error)
{
  if (error == NULL)
    return;
  if (!g_error_matches (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_MOVED)) /* "lost" told it */
    g_signal_emit (self, signals[SIGNAL_WRITE_FAILED], 0, error->message);
  g_error_free (error);
}

void
ssapp_store_tell_changed (SsappStore *self)
{
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

/* Signal "lost". */
static void
tell_lost (SsappStore *self)
{
  GError *error = NULL;

  if (!ssapp_store_check_place (self, &error))
    g_signal_emit (self, signals[SIGNAL_LOST], 0, error->message);
  g_clear_error (&error);
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

gboolean
ssapp_store_is_same_file (const struct stat *a, const struct stat *b)
{
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Journals lie beside the file itself, also where the project was opened by a link. */
static char *
journal_name (SsappStore *self, const char *suffix)
{
  return g_strconcat (sqlite3_db_filename (self->db, "main"), suffix, NULL);
}

static void set_open (SsappStore *self, gboolean is_open);

gboolean
ssapp_store_remember_file (SsappStore *self, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  int has_moved = 0;

  /* Closing an ordinary descriptor would drop the locks that SQLite holds on the file. */
  self->handle = open (self->file, O_PATH | O_CLOEXEC);
  if (self->handle >= 0 && sqlite3_file_control (self->db, "main", SQLITE_FCNTL_HAS_MOVED, &has_moved) == SQLITE_OK &&
      !has_moved) {
    set_open (self, TRUE);
    return TRUE;
  }
  g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_MOVED, "%s was deleted or moved while it was opened",
               self->path);
  return FALSE;
}

void
ssapp_store_forget_file (SsappStore *self)
{
  g_return_if_fail (self != NULL);
  if (self->handle < 0)
    return;
  set_open (self, FALSE);
  close (self->handle);
  self->handle = -1;
  self->patience = SSAPP_STORE_BUSY_MS;
}

/* SQLite opens them with the first reading and keeps them. */
static void
remember_journals (SsappStore *self)
{
  for (int i = 0; i < SSAPP_STORE_N_JOURNALS; i++) {
    g_autofree char *name = journal_name (self, journal_suffixes[i]);
    struct stat there;
    if (self->journals[i].inode != 0 || stat (name, &there) != 0)
      continue;
    self->journals[i].device = there.st_dev;
    self->journals[i].inode = there.st_ino;
  }
}

/* Whether this process has that file open. */
static gboolean
has_open (const struct stat *file)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/fd", 0, NULL);
  const char *name;
  struct stat open_file;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (fstat ((int)g_ascii_strtoll (name, NULL, 10), &open_file) == 0 && ssapp_store_is_same_file (&open_file, file))
      return TRUE;
  return FALSE;
}

/* One that is not known yet, since the project went while it was being opened, is own where SQLite holds it. */
static gboolean
is_own_journal (SsappStore *self, int which, const struct stat *there)
{
  if (self->journals[which].inode == 0)
    return has_open (there);
  return self->journals[which].device == there->st_dev && self->journals[which].inode == there->st_ino;
}

/* What became of the file, after its name. */
static char *
describe_loss (SsappStore *self, const struct stat *was, gboolean is_there, gboolean is_moved)
{
  g_autofree char *link = g_strdup_printf ("/proc/self/fd/%d", self->handle);
  g_autofree char *now = was->st_nlink > 0 ? g_file_read_link (link, NULL) : NULL;

  if (!is_moved)
    return g_strdup_printf ("lost its journal “%s%s”", self->path, journal_suffixes[0]);
  if (is_there && now != NULL)
    return g_strdup_printf ("was replaced by another file (it is now “%s”)", now);
  if (is_there)
    return g_strdup ("was replaced by another file");
  return now != NULL ? g_strdup_printf ("was renamed to “%s”", now) : g_strdup ("was deleted");
}

/* From now on nothing is written. A journal of ours that stays beside another file would be taken for that one's. */
static void
lose (SsappStore *self, char *loss)
{
  self->loss = loss;
  sqlite3_db_config (self->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
  sqlite3_wal_autocheckpoint (self->db, 0);
  for (int i = 0; i < SSAPP_STORE_N_JOURNALS; i++) {
    g_autofree char *name = journal_name (self, journal_suffixes[i]);
    struct stat there;
    if (stat (name, &there) == 0 && is_own_journal (self, i, &there))
      g_unlink (name);
  }
  if (self->has_written)
    tell_lost (self);
}

gboolean
ssapp_store_check_place (SsappStore *self, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  if (self->handle < 0)
    return TRUE;
  if (self->loss == NULL) {
    g_autofree char *log = journal_name (self, journal_suffixes[0]);
    struct stat was, there, journal;
    if (fstat (self->handle, &was) != 0)
      return TRUE;
    const gboolean is_there = stat (self->file, &there) == 0;
    if (!is_there && errno != ENOENT && errno != ENOTDIR && errno != ELOOP) {
      g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED, "%s cannot be reached: %s", self->path,
                   g_strerror (errno));
      return FALSE;
    }
    const gboolean is_moved = !is_there || !ssapp_store_is_same_file (&was, &there);
    if (!is_moved) {
      remember_journals (self);
      if (self->journals[0].inode == 0 || (stat (log, &journal) == 0 && is_own_journal (self, 0, &journal)))
        return TRUE;
    }
    lose (self, describe_loss (self, &was, is_there, is_moved));
  }
  g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_MOVED,
               "%s %s while it was open: what was stored in it since is only in memory", self->path, self->loss);
  return FALSE;
}

/* ---- journals of others ------------------------------------------------------------------------------------------ */

/* Open for writing, in this process: locks tell a process nothing of itself, and closing any descriptor of a file drops
 * all that it has on it. */
static GMutex open_mutex;
static GPtrArray *open_stores;

static void
set_open (SsappStore *self, gboolean is_open)
{
  g_mutex_lock (&open_mutex);
  if (open_stores == NULL)
    open_stores = g_ptr_array_new ();
  if (is_open)
    g_ptr_array_add (open_stores, self);
  else
    g_ptr_array_remove_fast (open_stores, self);
  if (open_stores->len == 0)
    g_clear_pointer (&open_stores, g_ptr_array_unref);
  g_mutex_unlock (&open_mutex);
}

/* Whether this process has the file open. Projects of its own that were at this path before notice that they are
 * gone. */
static gboolean
is_open_here (const char *file, const struct stat *there)
{
  g_autoptr (GPtrArray) before = g_ptr_array_new ();
  gboolean is_open = FALSE;

  g_mutex_lock (&open_mutex);
  for (guint i = 0; open_stores != NULL && i < open_stores->len; i++) {
    SsappStore *store = g_ptr_array_index (open_stores, i);
    struct stat own;
    is_open = is_open || (fstat (store->handle, &own) == 0 && ssapp_store_is_same_file (&own, there));
    if (strcmp (store->file, file) == 0)
      g_ptr_array_add (before, store);
  }
  g_mutex_unlock (&open_mutex);
  for (guint i = 0; i < before->len; i++)
    (void)ssapp_store_check_place (g_ptr_array_index (before, i), NULL);
  return is_open;
}

/* Whether another process has locked any of these bytes of the file. */
static gboolean
is_locked (const char *file, off_t start, off_t length)
{
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = start, .l_len = length};
  int fd = open (file, O_RDONLY | O_CLOEXEC);
  gboolean is_known;

  if (fd < 0)
    return FALSE;
  is_known = fcntl (fd, F_GETLK, &lock) == 0;
  close (fd);
  return is_known && lock.l_type != F_UNLCK;
}

/* Who writes a project holds a lock on the file and one on the index of its journal. If only the second is held, the
 * journal beside the file is that of another project, which was here before. */
static gboolean
is_beside_another (const char *file)
{
  /* SQLite's file format: "shared" bytes of a database, "dead man's switch" of the index. */
  static const off_t shared_first = 0x40000002, shared_count = 510, switch_byte = 128;
  g_autofree char *index = g_strconcat (file, "-shm", NULL);
  struct stat there;

  return stat (file, &there) == 0 && !is_open_here (file, &there) && !is_locked (file, shared_first, shared_count) &&
         is_locked (index, switch_byte, 1);
}

gboolean
ssapp_store_wait_for_others (const char *path, GError **error)
{
  const gint64 give_up = g_get_monotonic_time () + SSAPP_STORE_BUSY_MS * G_TIME_SPAN_MILLISECOND;
  char *file = realpath (path, NULL);
  gboolean is_free = TRUE;

  while (file != NULL && !(is_free = !is_beside_another (file)) && g_get_monotonic_time () < give_up)
    g_usleep (SSAPP_STORE_RETRY_US);
  free (file);
  if (!is_free)
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_BUSY,
                 "%s lies beside the journal of a project that was there before and is still written: end that first",
                 path);
  return is_free;
}

gboolean
ssapp_store_is_lost (SsappStore *self)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self), FALSE);
  return self->db != NULL && !ssapp_store_check_place (self, NULL) && self->loss != NULL;
}

/* ---- statements -------------------------------------------------------------------------------------------------- */

sqlite3_stmt *
ssapp_store_prepare (SsappStore *self, const char *sql, GError **error)
{
  g_return_val_if_fail (self != NULL, NULL);
  gpointer statement = NULL;

  if (g_hash_table_steal_extended (self->idle, sql, NULL, &statement))
    return statement;
  sqlite3_stmt *fresh = NULL;
  if (sqlite3_prepare_v3 (self->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &fresh, NULL) != SQLITE_OK) {
    ssapp_store_set_error (self, error, "read the project");
    return NULL;
  }
  return fresh;
}

/* Those of the pragmas are made anew each time: what some of them do was decided when they were made. */
void
ssapp_store_end_statement (SsappStore *self, sqlite3_stmt *statement)
{
  const char *sql = sqlite3_sql (statement); /* NULL of none */

  g_return_if_fail (self != NULL);
  if (sql == NULL || self->db != sqlite3_db_handle (statement) || g_str_has_prefix (sql, "PRAGMA") ||
      g_hash_table_size (self->idle) >= MOST_IDLE || g_hash_table_contains (self->idle, sql)) {
    if (primary_code (sqlite3_finalize (statement)) == SQLITE_NOMEM)
      self->lacked_memory = TRUE;
    return;
  }
  if (primary_code (sqlite3_reset (statement)) == SQLITE_NOMEM)
    self->lacked_memory = TRUE;
  sqlite3_clear_bindings (statement);
  g_hash_table_insert (self->idle, (gpointer)sql, statement);
}

void
ssapp_store_close_database (SsappStore *self)
{
  g_return_if_fail (self != NULL);
  g_hash_table_remove_all (self->idle);
  sqlite3_close_v2 (self->db);
  self->db = NULL;
}

gboolean
ssapp_store_step (SsappStore *self, sqlite3_stmt *statement, gboolean *has_row, const char *what, GError **error)
{
  g_return_val_if_fail (self != NULL && has_row != NULL, FALSE);
  const int code = sqlite3_step (statement);

  *has_row = code == SQLITE_ROW;
  if (code == SQLITE_ROW || code == SQLITE_DONE)
    return TRUE;
  ssapp_store_set_error (self, error, what);
  return FALSE;
}

gboolean
ssapp_store_finish_statement (SsappStore *self, sqlite3_stmt *statement, const char *what, GError **error)
{
  gboolean has_row;
  const gboolean ok = ssapp_store_step (self, statement, &has_row, what, error);

  ssapp_store_end_statement (self, statement);
  return ok;
}

gboolean
ssapp_store_check_open (SsappStore *self, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
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
  g_return_val_if_fail (self != NULL, FALSE);
  if (sqlite3_exec (self->db, sql, NULL, NULL, NULL) == SQLITE_OK)
    return TRUE;
  ssapp_store_set_error (self, error, what);
  return FALSE;
}

gboolean
ssapp_store_check_structure (SsappStore *self, const char *table, GError **error)
{
  g_autofree char *sql = table != NULL ? g_strdup_printf ("PRAGMA quick_check ('%s')", table) /* a name of the schema */
                                       : g_strdup ("PRAGMA quick_check (1)");
  sqlite3_stmt *s = ssapp_store_prepare (self, sql, error);
  const char *verdict = NULL;
  gboolean ok;

  if (s == NULL)
    return FALSE;
  if (sqlite3_step (s) == SQLITE_ROW)
    verdict = (const char *)sqlite3_column_text (s, 0);
  ok = g_strcmp0 (verdict, "ok") == 0;
  if (!ok && verdict != NULL)
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_DAMAGED, "%s is damaged (%s); %s", self->path, verdict,
                 SSAPP_STORE_WAY_OUT);
  else if (!ok)
    ssapp_store_set_error (self, error, "check the project");
  ssapp_store_end_statement (self, s);
  self->is_whole = self->is_whole || (ok && table == NULL);
  return ok;
}

void
ssapp_store_set_patience (SsappStore *self, int ms)
{
  g_return_if_fail (SSAPP_IS_STORE (self));
  self->patience = ms;
  sqlite3_busy_timeout (self->db, ms);
}

/* Changing the journal needs the file for a moment and does not wait for it by itself: others may be opening or closing
 * it. */
gboolean
ssapp_store_begin_journal (SsappStore *self, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  const gint64 give_up = g_get_monotonic_time () + self->patience * G_TIME_SPAN_MILLISECOND;

  for (;;) {
    int code = sqlite3_exec (self->db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
    if (code == SQLITE_OK) {
      self->has_no_journal = FALSE;
      return TRUE;
    }
    if ((code & 0xff) != SQLITE_BUSY || g_get_monotonic_time () > give_up) {
      ssapp_store_set_error (self, error, "open the project for writing");
      return FALSE;
    }
    g_usleep (SSAPP_STORE_RETRY_US);
  }
}

void
ssapp_store_stop_compacting (SsappStore *self)
{
  g_return_if_fail (self != NULL);
  if (self->compacting == NULL)
    return;
  g_atomic_int_set (&self->compacting->is_stopped, TRUE);
  sqlite3_interrupt (self->compacting->own->db); /* what takes no steps too */
}

gboolean
ssapp_store_begin (SsappStore *self, const char *what, GError **error)
{
  if (self->db != NULL && !sqlite3_get_autocommit (self->db)) /* there was no memory for the last ROLLBACK */
    sqlite3_exec (self->db, "ROLLBACK", NULL, NULL, NULL);
  ssapp_store_stop_compacting (self);
  return ssapp_store_check_writable (self, error) && ssapp_store_check_place (self, error) &&
         (self->is_whole || ssapp_store_check_structure (self, NULL, error)) &&
         (!self->has_no_journal || ssapp_store_begin_journal (self, error)) &&
         ssapp_store_execute (self, "BEGIN IMMEDIATE", what, error);
}

gboolean
ssapp_store_end_transaction (SsappStore *self, gboolean ok, const char *what, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  if (ok)
    ok = ssapp_store_check_place (self, error) && ssapp_store_execute (self, "COMMIT", what, error);
  if (!ok)
    sqlite3_exec (self->db, "ROLLBACK", NULL, NULL, NULL);
  return ok;
}

void
ssapp_store_bind_text (sqlite3_stmt *s, int index, const char *text)
{
  sqlite3_bind_text (s, index, text != NULL ? text : "", -1, SQLITE_TRANSIENT);
}

void
ssapp_store_bind_real (sqlite3_stmt *s, int index, double value)
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

char *
ssapp_store_column_text (sqlite3_stmt *statement, int column)
{
  const char *text = (const char *)sqlite3_column_text (statement, column);

  return g_strdup (text != NULL ? text : "");
}

double
ssapp_store_column_real (sqlite3_stmt *statement, int column)
{
  return sqlite3_column_type (statement, column) == SQLITE_NULL ? (double)NAN
                                                                : sqlite3_column_double (statement, column);
}

sqlite3_stmt *
ssapp_store_prepare_for (SsappStore *self, const char *sql, const char *id, GError **error)
{
  if (!ssapp_store_check_open (self, error))
    return NULL;
  sqlite3_stmt *statement = ssapp_store_prepare (self, sql, error);
  if (statement != NULL)
    sqlite3_bind_text (statement, 1, id, -1, SQLITE_STATIC); /* a copy that there is no memory for would be no id */
  return statement;
}

gboolean
ssapp_store_read_integer (SsappStore *self, const char *sql, gint64 *value, GError **error)
{
  sqlite3_stmt *s = ssapp_store_prepare (self, sql, error);
  gboolean ok;

  if (s == NULL)
    return FALSE;
  ok = sqlite3_step (s) == SQLITE_ROW;
  if (ok)
    *value = sqlite3_column_int64 (s, 0);
  else
    ssapp_store_set_error (self, error, "read the project");
  ssapp_store_end_statement (self, s);
  return ok;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

gboolean
ssapp_store_begin_read (SsappStore *self)
{
  g_return_val_if_fail (self != NULL, FALSE);
  if (sqlite3_get_autocommit (self->db) == 0)
    return FALSE;
  self->lacked_memory = FALSE;
  return sqlite3_exec (self->db, "BEGIN", NULL, NULL, NULL) == SQLITE_OK;
}

void
ssapp_store_end_read (SsappStore *self, gboolean has_begun)
{
  g_return_if_fail (self != NULL);
  if (has_begun)
    sqlite3_exec (self->db, "COMMIT", NULL, NULL, NULL);
}

gboolean
ssapp_store_find_file_fault (SsappStore *self, char **fault, GError **error)
{
  sqlite3_stmt *s = ssapp_store_prepare (self, "PRAGMA integrity_check(1)", error);

  *fault = NULL;
  if (s == NULL)
    return FALSE;
  const int code = sqlite3_step (s);
  const char *words = code == SQLITE_ROW ? (const char *)sqlite3_column_text (s, 0) : "ok";
  if (words != NULL && strcmp (words, "ok") != 0)
    *fault = ssapp_text_visible (words, FALSE);
  const gboolean ok = words != NULL && (code == SQLITE_ROW || code == SQLITE_DONE);
  if (!ok)
    ssapp_store_set_error (self, error, "check the project");
  ssapp_store_end_statement (self, s);
  return ok;
}

/* ---- what it is -------------------------------------------------------------------------------------------------- */

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

static void
ssapp_store_dispose (GObject *object)
{
  SsappStore *self = SSAPP_STORE (object);
  GError *error = NULL;

  if (self->close != NULL && !self->close (self, &error))
    ssapp_store_report_failure (self, error);
  G_OBJECT_CLASS (ssapp_store_parent_class)->dispose (object);
}

static void
ssapp_store_finalize (GObject *object)
{
  SsappStore *self = SSAPP_STORE (object);

  ssapp_store_close_database (self);
  g_hash_table_unref (self->idle);
  g_ptr_array_unref (self->pending);
  g_ptr_array_unref (self->followed);
  g_hash_table_unref (self->unended);
  g_hash_table_unref (self->sound);
  g_free (self->path);
  g_free (self->file);
  g_free (self->loss);
  ssapp_store_forget_file (self);
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
  signals[SIGNAL_LOST] =
      g_signal_new ("lost", SSAPP_TYPE_STORE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
finalize_statement (gpointer statement)
{
  sqlite3_finalize (statement);
}

static void
ssapp_store_init (SsappStore *self)
{
  self->idle = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, finalize_statement);
  self->pending = g_ptr_array_new ();
  self->followed = g_ptr_array_new_with_free_func (g_object_unref);
  self->unended = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->sound = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  self->handle = -1;
  self->patience = SSAPP_STORE_BUSY_MS;
}
