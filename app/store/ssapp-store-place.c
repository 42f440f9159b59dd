/* app/store/ssapp-store-place.c: whether a project is still where it was opened, and moving to another file; see
 * ssapp-store.h.
 *
 * SQLite keeps writing to a file that was deleted, renamed or replaced, and finds its journals by name: then nothing of
 * what it stores is found again, and closing may remove the journal of another project. So the name and the open file
 * are compared, and once they differ nothing more is written, nothing is moved out of the journal, and no journal of
 * others is touched.
 */
#include "app/store/ssapp-store-private.h"

#include "app/base/ssapp-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RETRY_US = 5000 }; /* while another process is to finish what it does */

static const char *const journal_suffixes[SSAPP_STORE_N_JOURNALS] = {"-wal", "-shm"};

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
  if (self->handle < 0)
    return;
  set_open (self, FALSE);
  close (self->handle);
  self->handle = -1;
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
    ssapp_store_tell_lost (self);
}

gboolean
ssapp_store_check_place (SsappStore *self, GError **error)
{
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
    g_usleep (RETRY_US);
  free (file);
  if (!is_free)
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_BUSY,
                 "%s lies beside the journal of a project that was there before and is still written: end that first",
                 path);
  return is_free;
}

/* ---- what became of it ------------------------------------------------------------------------------------------- */

gboolean
ssapp_store_is_lost (SsappStore *self)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self), FALSE);
  return self->db != NULL && !ssapp_store_check_place (self, NULL) && self->loss != NULL;
}

gboolean
ssapp_store_check_kept (SsappStore *self, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self), FALSE);
  if (self->db == NULL || self->is_read_only)
    return TRUE;
  return ssapp_store_flush (self, error) && (!self->has_written || ssapp_store_check_place (self, error));
}

/* ---- another file ------------------------------------------------------------------------------------------------ */

void
ssapp_store_remove_journals (const char *file)
{
  static const char *const suffixes[] = {"-wal", "-shm", "-journal"};

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++) {
    g_autofree char *name = g_strconcat (file, suffixes[i], NULL);
    g_unlink (name);
  }
}

/* Makes this connection the only one on its database, which then has no journal. SQLITE_BUSY or SQLITE_LOCKED when
 * another one has it open. */
static int
get_for_itself (sqlite3 *db)
{
  sqlite3_busy_timeout (db, 0);
  return 0xff & sqlite3_exec (db, "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE",
                              NULL, NULL, NULL);
}

/* Whether the file there may be replaced; its journals, which would be taken for the new file's, are removed. */
gboolean
ssapp_store_make_way (SsappStore *self, const char *path, const char *file, GError **error)
{
  g_autofree char *log = g_strconcat (file, "-wal", NULL);
  gboolean is_free = TRUE;
  struct stat there, own;
  sqlite3 *db = NULL;

  if (stat (file, &there) == 0 && S_ISDIR (there.st_mode)) {
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_A_PROJECT, "%s is a folder, not a project", path);
    return FALSE;
  }
  /* What this very project is called now: only journals of others would say that it is in use. */
  if (stat (file, &there) == 0 && self->handle >= 0 && fstat (self->handle, &own) == 0 &&
      ssapp_store_is_same_file (&there, &own)) {
    is_free = !g_file_test (log, G_FILE_TEST_EXISTS);
  } else if (stat (file, &there) == 0) {
    const gboolean is_open = sqlite3_open_v2 (file, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK;
    ssapp_store_harden (db);
    const int code = is_open ? get_for_itself (db) : 0;
    is_free = code != SQLITE_BUSY && code != SQLITE_LOCKED; /* what is no database is free too */
    sqlite3_close_v2 (db);
  }
  if (!is_free) {
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_BUSY,
                 "%s is open in another window or program: choose another name", path);
    return FALSE;
  }
  ssapp_store_remove_journals (file);
  return TRUE;
}

static gboolean
copy_pages (SsappStore *self, SsappStore *copy, GError **error)
{
  const gint64 give_up = g_get_monotonic_time () + SSAPP_STORE_BUSY_MS * G_TIME_SPAN_MILLISECOND;
  sqlite3_backup *backup = sqlite3_backup_init (copy->db, "main", self->db, "main");
  int code = SQLITE_ERROR;

  while (backup != NULL) {
    code = sqlite3_backup_step (backup, -1) & 0xff;
    if ((code != SQLITE_BUSY && code != SQLITE_LOCKED) || g_get_monotonic_time () > give_up)
      break;
    g_usleep (RETRY_US);
  }
  /* Tells of errors of all steps, but not that it gave up. */
  if (backup != NULL && sqlite3_backup_finish (backup) == SQLITE_OK && code == SQLITE_DONE)
    return TRUE;
  if (code == SQLITE_BUSY || code == SQLITE_LOCKED) {
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_BUSY, "%s: cannot be copied: another program writes it",
                 self->path);
    return FALSE;
  }
  ssapp_store_set_error (copy, error, "copy the project");
  return FALSE;
}

/* All that the project has, with what still waits to be written, into a file of its own that nobody else knows. */
static gboolean
copy_to (SsappStore *self, const char *path, const char *part, GError **error)
{
  g_autoptr (SsappStore) copy = g_object_new (SSAPP_TYPE_STORE, NULL);
  gboolean ok;

  copy->path = g_strdup (path);
  copy->file = g_strdup (part);
  copy->has_sums = self->has_sums;
  ok = sqlite3_open_v2 (part, &copy->db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK;
  if (!ok)
    ssapp_store_set_error (copy, error, "copy the project");
  sqlite3_extended_result_codes (copy->db, 1);
  ssapp_store_harden (copy->db);
  ok = ok && copy_pages (self, copy, error);
  /* The rows stay here until the copy is complete. */
  for (guint i = 0; i < self->pending->len; i++)
    g_ptr_array_add (copy->pending, g_ptr_array_index (self->pending, i));
  ok = ok && ssapp_store_flush (copy, error) &&
       ssapp_store_execute (copy, "PRAGMA journal_mode = DELETE", "copy the project", error);
  g_ptr_array_set_size (copy->pending, 0);
  if (sqlite3_close (copy->db) != SQLITE_OK)
    sqlite3_close_v2 (copy->db);
  copy->db = NULL;
  return ok;
}

#define SWAP(type, a, b)                                                                                               \
  do {                                                                                                                 \
    type swapped = a;                                                                                                  \
    a = b;                                                                                                             \
    b = swapped;                                                                                                       \
  } while (0)

static void
swap_files (SsappStore *a, SsappStore *b)
{
  SWAP (char *, a->path, b->path);
  SWAP (char *, a->file, b->file);
  SWAP (sqlite3 *, a->db, b->db);
  SWAP (int, a->handle, b->handle);
  SWAP (char *, a->loss, b->loss);
  SWAP (gboolean, a->is_read_only, b->is_read_only);
  SWAP (gboolean, a->has_sums, b->has_sums);
  SWAP (gboolean, a->has_written, b->has_written);
  for (int i = 0; i < SSAPP_STORE_N_JOURNALS; i++)
    SWAP (SsappStoreJournal, a->journals[i], b->journals[i]);
}

/* Removes the file unless another connection, here or in another process, has it open. */
static void
remove_old (SsappStore *old)
{
  if (old->is_read_only || ssapp_store_is_lost (old) || get_for_itself (old->db) != SQLITE_OK)
    return;
  g_unlink (old->file);
}

gboolean
ssapp_store_save_as (SsappStore *self, const char *path, gboolean removes_old, GError **error)
{
  g_autofree char *file = NULL, *part = NULL;
  struct stat own, there;
  SsappStore *fresh;
  gboolean ok;
  int fd;

  g_return_val_if_fail (SSAPP_IS_STORE (self), FALSE);
  g_return_val_if_fail (path != NULL, FALSE);
  if (!ssapp_store_check_open (self, error))
    return FALSE;
  char *target = realpath (path, NULL); /* a link stays a link */
  file = target != NULL ? g_strdup (target) : g_canonicalize_filename (path, NULL);
  free (target);
  if (!ssapp_store_is_lost (self) && stat (self->file, &own) == 0 && stat (file, &there) == 0 &&
      ssapp_store_is_same_file (&own, &there))
    return ssapp_store_flush (self, error);
  (void)ssapp_store_flush (self, NULL); /* what cannot be written here goes into the copy all the same */
  if (!ssapp_store_make_way (self, path, file, error))
    return FALSE;
  fd = ssapp_open_beside (file, stat (self->file, &own) == 0 ? own.st_mode & 0777 : 0666, &part);
  if (fd < 0)
    return ssapp_set_file_error (error, path, "write", errno);
  close (fd);
  ok = copy_to (self, path, part, error) && ssapp_put_in_place (part, file, path, error);
  fresh = ok ? ssapp_store_open (path, FALSE, error) : NULL;
  if (!ok) {
    g_unlink (part);
    ssapp_store_remove_journals (part);
  }
  if (fresh == NULL)
    return FALSE;
  g_ptr_array_set_size (self->pending, 0);
  swap_files (self, fresh);
  self->has_written = TRUE;
  if (removes_old)
    remove_old (fresh);
  fresh->has_written = FALSE; /* all of it is in the new file */
  ssapp_store_close (fresh, NULL);
  g_object_unref (fresh);
  ssapp_store_tell_changed (self);
  return TRUE;
}
