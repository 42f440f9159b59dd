/* app/base/ssapp-file.c: see the header. */
#include "app/base/ssapp-file.h"

#include "scene/ss-nl.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- problems of AMPL -------------------------------------------------------------------------------------------- */

gboolean
ssapp_take_nl (const char *path, char **text, gsize *length, SsProblems *problems)
{
  g_return_val_if_fail (path != NULL && text != NULL && length != NULL && problems != NULL, FALSE);

  char *translated;
  size_t n;
  const SsStatus status = ss_nl_text_of_file (path, *text, *length, problems, &translated, &n);

  if (status == SS_OK && translated == NULL)
    return TRUE;
  g_free (*text);
  *text = status == SS_OK ? g_strdup (translated) : NULL;
  *length = status == SS_OK ? n : 0;
  ss_free (translated);
  return status == SS_OK;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

gboolean
ssapp_set_file_error (GError **error, const char *path, const char *doing, int cause)
{
  char *name = g_filename_display_name (path);
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (cause), "Could not %s “%s”: %s", doing, name,
               g_strerror (cause));
  g_free (name);
  return FALSE;
}

/* Writes all bytes; returns 0 or the errno. */
static int
write_all (int fd, const char *data, gsize length)
{
  while (length > 0) {
    gssize n = write (fd, data, MIN (length, (gsize)1 << 30));
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return errno;
    if (n == 0)
      return ENOSPC;
    data += n;
    length -= (gsize)n;
  }
  return 0;
}

/* All parts, one after the other; returns 0 or the errno. */
static int
write_parts (int fd, SsappNextPart *next, gpointer data)
{
  g_autoptr (GString) part = g_string_new (NULL);
  gboolean goes_on = TRUE;
  int cause = 0;

  while (goes_on && cause == 0) {
    g_string_truncate (part, 0);
    goes_on = next (part, data);
    cause = write_all (fd, part->str, part->len);
  }
  return cause;
}

/* A file size limit answers with a signal that ends the program, unless it is blocked; then write() fails with
 * EFBIG. */
static void
block_file_size_signal (sigset_t *old)
{
  sigset_t set;
  sigemptyset (&set);
  sigaddset (&set, SIGXFSZ);
  pthread_sigmask (SIG_BLOCK, &set, old);
}

static void
restore_file_size_signal (const sigset_t *old, int cause)
{
  sigset_t set;
  const struct timespec at_once = {0, 0};
  sigemptyset (&set);
  sigaddset (&set, SIGXFSZ);
  if (cause == EFBIG && sigismember (old, SIGXFSZ) == 0)
    sigtimedwait (&set, NULL, &at_once); /* take the pending one */
  pthread_sigmask (SIG_SETMASK, old, NULL);
}

#define LARGEST_INPUT (G_MAXUINT32 / 2) /* bytes */

/* Why an open file is not read; NULL: nothing stands against it. */
static const char *
input_fault (const struct stat *info, gsize most)
{
  if (S_ISDIR (info->st_mode))
    return "it is a folder";
  if (!S_ISREG (info->st_mode))
    return "it is no file, but a pipe or a device";
  return (guint64)info->st_size > (most > 0 ? most : LARGEST_INPUT) ? "it is too large" : NULL;
}

gboolean
ssapp_read_file (const char *path, gsize most, char **text, gsize *length, GError **error)
{
  g_return_val_if_fail (path != NULL && text != NULL, FALSE);

  const int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY); /* a pipe without writer is no wait */
  struct stat info;

  *text = NULL;
  if (fd < 0)
    return ssapp_set_file_error (error, path, "read", errno);
  const char *fault = fstat (fd, &info) == 0 ? input_fault (&info, most) : g_strerror (errno);
  if (fault != NULL) {
    g_autofree char *name = g_filename_display_name (path);
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE, "Could not read “%s”: %s", name, fault);
    close (fd);
    return FALSE;
  }
  GByteArray *bytes = g_byte_array_sized_new ((guint)MIN ((guint64)info.st_size + 1, G_MAXUINT32 / 2));
  guint8 chunk[64 * 1024];
  gssize n;
  while ((n = read (fd, chunk, sizeof chunk)) > 0 || (n < 0 && errno == EINTR))
    if (n > 0)
      g_byte_array_append (bytes, chunk, (guint)n);
  const int cause = errno;
  close (fd);
  g_byte_array_append (bytes, (const guint8 *)"", 1);
  if (length != NULL)
    *length = bytes->len - 1;
  *text = (char *)g_byte_array_free (bytes, n < 0);
  if (n < 0)
    *text = NULL;
  return n < 0 ? ssapp_set_file_error (error, path, "read", cause) : TRUE;
}

/* The directory entry reaches the disk too; failing here is no loss of data. */
static void
sync_directory (const char *path)
{
  char *directory = g_path_get_dirname (path);
  int fd = open (directory, O_RDONLY | O_CLOEXEC);
  if (fd >= 0) {
    (void)fsync (fd);
    close (fd);
  }
  g_free (directory);
}

int
ssapp_open_beside (const char *target, mode_t mode, char **name)
{
  g_return_val_if_fail (target != NULL && name != NULL, -1);

  enum { ATTEMPTS = 16 };
  int fd = -1;
  for (int i = 0; i < ATTEMPTS; i++) {
    *name = g_strdup_printf ("%s.%08x.part", target, g_random_int ());
    fd = open (*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd >= 0 || errno != EEXIST)
      break;
    g_clear_pointer (name, g_free);
  }
  if (fd < 0) {
    int cause = errno;
    g_clear_pointer (name, g_free);
    errno = cause;
  }
  return fd;
}

static gboolean
write_beside (const char *target, const char *path, const struct stat *old, SsappNextPart *next, gpointer data,
              GError **error)
{
  static const mode_t NEW_FILE_MODE = 0666; /* reduced by the umask */
  char *part = NULL;
  int cause = 0, fd = ssapp_open_beside (target, old != NULL ? old->st_mode & 0777 : NEW_FILE_MODE, &part);
  sigset_t signals;

  if (fd < 0)
    return ssapp_set_file_error (error, path, "write", errno);
  block_file_size_signal (&signals);
  cause = write_parts (fd, next, data);
  restore_file_size_signal (&signals, cause);
  if (cause == 0 && old != NULL && fchmod (fd, old->st_mode & 0777) != 0)
    cause = errno;
  if (cause == 0 && fsync (fd) != 0 && errno != EINVAL) /* EINVAL: a file system without it */
    cause = errno;
  if (close (fd) != 0 && cause == 0)
    cause = errno;
  if (cause == 0 && rename (part, target) != 0)
    cause = errno;
  if (cause != 0)
    unlink (part);
  g_free (part);
  if (cause != 0)
    return ssapp_set_file_error (error, path, "write", cause);
  sync_directory (target);
  return TRUE;
}

gboolean
ssapp_put_in_place (const char *part, const char *target, const char *path, GError **error)
{
  int cause = 0, fd = open (part, O_RDONLY | O_CLOEXEC);

  if (fd < 0 || (fsync (fd) != 0 && errno != EINVAL)) /* EINVAL: a file system without it */
    cause = errno;
  if (fd >= 0)
    close (fd);
  if (cause == 0 && rename (part, target) != 0)
    cause = errno;
  if (cause != 0) {
    unlink (part);
    return ssapp_set_file_error (error, path, "write", cause);
  }
  sync_directory (target);
  return TRUE;
}

/* Pipes and devices have no beside. */
static gboolean
write_directly (const char *path, SsappNextPart *next, gpointer data, GError **error)
{
  int fd = open (path, O_WRONLY | O_CLOEXEC), cause;
  if (fd < 0)
    return ssapp_set_file_error (error, path, "write", errno);
  cause = write_parts (fd, next, data);
  if (close (fd) != 0 && cause == 0)
    cause = errno;
  return cause == 0 || ssapp_set_file_error (error, path, "write", cause);
}

gboolean
ssapp_write_file_in_parts (const char *path, SsappNextPart *next, gpointer data, GError **error)
{
  struct stat old;
  gboolean exists = stat (path, &old) == 0, done;

  if (exists && S_ISDIR (old.st_mode))
    return ssapp_set_file_error (error, path, "write", EISDIR);
  if (exists && !S_ISREG (old.st_mode))
    return write_directly (path, next, data, error);
  /* A link stays a link: what it points to is replaced. */
  char *target = exists ? realpath (path, NULL) : NULL;
  done = write_beside (target != NULL ? target : path, path, exists ? &old : NULL, next, data, error);
  free (target);
  return done;
}

typedef struct {
  const char *data;
  gsize left;
} Whole;

/* Pieces of it, so that there are no two of it in memory. */
static gboolean
next_of_whole (GString *out, gpointer data)
{
  static const gsize most = 1 << 16;
  Whole *whole = data;
  const gsize n = MIN (whole->left, most);

  g_string_append_len (out, whole->data, (gssize)n);
  whole->data += n;
  whole->left -= n;
  return whole->left > 0;
}

gboolean
ssapp_write_file (const char *path, const char *data, gssize length, GError **error)
{
  Whole whole = {data, length < 0 ? strlen (data) : (gsize)length};

  return ssapp_write_file_in_parts (path, next_of_whole, &whole, error);
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

void
ssapp_csv_append_number (GString *out, double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];
  if (isfinite (value))
    g_string_append (out, g_ascii_formatd (buffer, sizeof buffer, "%.17g", value));
}

const char *
ssapp_csv_guard (const char *text)
{
  return *text != '\0' && strchr ("=+-@\t\r\n", *text) != NULL ? "'" : "";
}

void
ssapp_csv_append_text (GString *out, const char *text)
{
  if (text == NULL)
    return;
  const char *guard = ssapp_csv_guard (text);
  if (strpbrk (text, ",\"\r\n") == NULL) {
    g_string_append_printf (out, "%s%s", guard, text);
    return;
  }
  g_string_append_printf (out, "\"%s", guard);
  for (const char *c = text; *c != '\0'; c++) {
    if (*c == '"')
      g_string_append_c (out, '"');
    g_string_append_c (out, *c);
  }
  g_string_append_c (out, '"');
}
