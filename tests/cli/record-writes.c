/* tests/cli/record-writes.c: a library to be loaded before all others (LD_PRELOAD), which records what a program does
 * to the files of one folder, in order, for `test-power.py`: writes, lengths, syncs, names, and what is printed.
 *
 * Environment: RECORD_WRITES_OF is the folder, as an absolute path; RECORD_WRITES_TO the file of records, which is
 * appended to, by child processes too. A record is a header (`Record`), then the path, then the data, and is written
 * by one call, after what it tells of has succeeded. What is mapped into memory is not recorded: of a project that is
 * the -shm alone, which is made anew from the -wal after a power cut.
 */
#define _GNU_SOURCE
#undef _FILE_OFFSET_BITS /* `open` and `open64` are two functions here */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* Kinds: O opened to write, T length set to `offset` bytes, W data written at `offset`, S synced, U unlinked, R renamed
 * (data: the new path), P printed on standard output. */
typedef struct {
  char kind;
  char unused[3];
  uint32_t path_length;
  uint64_t file; /* inode */
  uint64_t offset;
  uint64_t length; /* of the data [bytes] */
} Record;

static const char *folder;
static int log_fd = -1;

/* The function that the program would have called without this library. A macro, since each has its own type. */
#define NEXT(name) (__extension__(__typeof__ (&name)) dlsym (RTLD_NEXT, #name))

static void
put (char kind, const char *path, uint64_t file, uint64_t offset, const void *data, size_t length)
{
  Record record = {
      .kind = kind, .path_length = (uint32_t)strlen (path), .file = file, .offset = offset, .length = length};
  const struct iovec parts[] = {{&record, sizeof record}, {(void *)path, record.path_length}, {(void *)data, length}};
  const int saved = errno;

  if (log_fd >= 0 && writev (log_fd, parts, 3) != (ssize_t)(sizeof record + record.path_length + length))
    abort (); /* half a record: nothing after it could be trusted */
  errno = saved;
}

static int
is_ours (const char *path)
{
  return folder != NULL && strncmp (path, folder, strlen (folder)) == 0;
}

/* An absolute path of a name; FALSE if it is not in the folder. */
static int
find_path (const char *name, char path[PATH_MAX])
{
  if (name[0] == '/')
    snprintf (path, PATH_MAX, "%s", name);
  else {
    if (getcwd (path, PATH_MAX) == NULL)
      return 0;
    const size_t n = strlen (path);
    snprintf (path + n, PATH_MAX - n, "/%s", name);
  }
  return is_ours (path);
}

static int
find_open (int fd, char path[PATH_MAX], struct stat *status)
{
  char link[64];
  snprintf (link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t n = readlink (link, path, PATH_MAX - 1);
  if (n < 0 || fstat (fd, status) != 0)
    return 0;
  path[n] = '\0';
  return is_ours (path);
}

static void
tell_of_open (int fd, char kind, uint64_t offset, const void *data, size_t length)
{
  char path[PATH_MAX];
  struct stat status;
  const int saved = errno;

  if (find_open (fd, path, &status))
    put (kind, path, status.st_ino, offset, data, length);
  errno = saved;
}

/* ---- standard output --------------------------------------------------------------------------------------------- */

static ssize_t
print (void *unused, const char *text, size_t length)
{
  (void)unused;
  size_t done = 0;
  while (done < length) {
    const ssize_t n = NEXT (write) (1, text + done, length - done);
    if (n < 0 && errno != EINTR)
      return 0;
    done += n > 0 ? (size_t)n : 0;
  }
  put ('P', "", 0, 0, text, length);
  return (ssize_t)length;
}

__attribute__ ((constructor)) static void
begin (void)
{
  const char *to = getenv ("RECORD_WRITES_TO");

  folder = getenv ("RECORD_WRITES_OF");
  if (folder == NULL || to == NULL)
    return;
  log_fd = NEXT (open) (to, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  FILE *out = fopencookie (NULL, "w", (cookie_io_functions_t){.write = print});
  if (out != NULL &&
      setvbuf (out, NULL, _IOLBF, BUFSIZ) == 0) /* by lines, as on a terminal: the earliest that anybody reads it */
    stdout = out;
}

/* ---- what is recorded -------------------------------------------------------------------------------------------- */

static int
opened (int fd, int flags)
{
  if (fd >= 0 && (flags & O_ACCMODE) != O_RDONLY) {
    tell_of_open (fd, 'O', 0, NULL, 0);
    if (flags & O_TRUNC)
      tell_of_open (fd, 'T', 0, NULL, 0);
  }
  return fd;
}

#define OPEN(name)                                                                                                     \
  int name (const char *file, int flags, ...)                                                                          \
  {                                                                                                                    \
    va_list rest;                                                                                                      \
    va_start (rest, flags);                                                                                            \
    const mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg (rest, mode_t) : 0;                                   \
    va_end (rest);                                                                                                     \
    return opened (NEXT (name) (file, flags, mode), flags);                                                            \
  }
OPEN (open)
OPEN (open64)

int
creat64 (const char *file, mode_t mode)
{
  return open64 (file, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

int
mkstemp64 (char *pattern)
{
  return opened (NEXT (mkstemp64) (pattern), O_RDWR);
}

ssize_t
write (int fd, const void *data, size_t length)
{
  const ssize_t n = NEXT (write) (fd, data, length);
  if (n > 0 && fd > 2)
    tell_of_open (fd, 'W', (uint64_t)(lseek (fd, 0, SEEK_CUR) - n), data, (size_t)n);
  return n;
}

ssize_t
pwrite64 (int fd, const void *data, size_t length, off_t offset)
{
  const ssize_t n = NEXT (pwrite64) (fd, data, length, offset);
  if (n > 0)
    tell_of_open (fd, 'W', (uint64_t)offset, data, (size_t)n);
  return n;
}

int
ftruncate64 (int fd, off_t length)
{
  const int failed = NEXT (ftruncate64) (fd, length);
  if (!failed)
    tell_of_open (fd, 'T', (uint64_t)length, NULL, 0);
  return failed;
}

#define SYNC(name)                                                                                                     \
  int name (int fd)                                                                                                    \
  {                                                                                                                    \
    const int failed = NEXT (name) (fd);                                                                               \
    if (!failed)                                                                                                       \
      tell_of_open (fd, 'S', 0, NULL, 0);                                                                              \
    return failed;                                                                                                     \
  }
SYNC (fsync)
SYNC (fdatasync)

int
unlink (const char *file)
{
  char path[PATH_MAX];
  const int failed = NEXT (unlink) (file);
  if (!failed && find_path (file, path))
    put ('U', path, 0, 0, NULL, 0);
  return failed;
}

int
rename (const char *file, const char *to)
{
  char path[PATH_MAX], other[PATH_MAX];
  const int failed = NEXT (rename) (file, to);
  if (!failed && find_path (file, path) && find_path (to, other))
    put ('R', path, 0, 0, other, strlen (other));
  return failed;
}
