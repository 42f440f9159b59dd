/* app/store/ssapp-store-place.c: a project goes on in another file; see ssapp-store.h. */
#include "app/store/ssapp-store-private.h"

#include "app/base/ssapp-file.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

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
    g_usleep (SSAPP_STORE_RETRY_US);
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
  ssapp_store_close_database (copy);
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
  SWAP (GHashTable *, a->idle, b->idle);
  SWAP (int, a->handle, b->handle);
  SWAP (char *, a->loss, b->loss);
  SWAP (gboolean, a->is_read_only, b->is_read_only);
  SWAP (gboolean, a->has_no_journal, b->has_no_journal);
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
  ssapp_store_end_compacting (self);
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
