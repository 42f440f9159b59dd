/* engine/core/ss-spool.c: see the header. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* mremap, madvise */
#endif
#include "core/ss-spool.h"

#include "core/ss-status.h"
#include "core/ss-memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* The file grows by this. */
static const size_t PIECE = (size_t)32 << 20;

struct SsSpool {
  int file;
  size_t size; /* of file and mapping */
};

static int
open_file (void)
{
  const char *folder = getenv ("TMPDIR");
  char path[4096];

  if (folder == NULL || folder[0] != '/')
    folder = "/tmp";
  if (snprintf (path, sizeof path, "%s/stickslip-XXXXXX", folder) >= (int)sizeof path)
    return -1;
  const int file = mkstemp (path);
  if (file >= 0)
    unlink (path);
  if (file >= 0)
    fcntl (file, F_SETFD, FD_CLOEXEC);
  return file;
}

/* By writing, not through the mapping: the block is not held in memory twice. */
static int
write_whole (int file, const char *data, size_t size)
{
  for (size_t done = 0; done < size;) {
    const ssize_t n = pwrite (file, data + done, size - done, (off_t)done);
    if (n <= 0 && !(n < 0 && errno == EINTR))
      return -1;
    done += n > 0 ? (size_t)n : 0;
  }
  return 0;
}

static int
start (SsSpool **out, void **block, size_t used, size_t size)
{
  SsSpool *spool = ss_new (SsSpool);

  if (spool == NULL)
    return -1;
  spool->file = open_file ();
  if (spool->file < 0 || posix_fallocate (spool->file, 0, (off_t)size) != 0 ||
      write_whole (spool->file, *block, used) != 0)
    goto fail;
  void *place = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, spool->file, 0);
  if (place == MAP_FAILED)
    goto fail;
  ss_free (*block);
  *block = place;
  spool->size = size;
  *out = spool;
  return 0;

fail:
  if (spool->file >= 0)
    close (spool->file);
  ss_free (spool);
  return -1;
}

int
ss_spool_grow (SsSpool **spool, void **block, size_t *size, size_t wanted)
{
  SS_ASSERT (size != NULL);

  const size_t longer = (wanted / PIECE + 1) * PIECE;

  if (*spool == NULL) {
    if (start (spool, block, *size, longer) != 0)
      return -1;
  } else {
    if (posix_fallocate ((*spool)->file, (off_t)(*spool)->size, (off_t)(longer - (*spool)->size)) != 0)
      return -1;
    void *place = mremap (*block, (*spool)->size, longer, MREMAP_MAYMOVE);
    if (place == MAP_FAILED)
      return -1;
    *block = place;
    (*spool)->size = longer;
  }
  *size = longer;
  return 0;
}

void
ss_spool_release (const SsSpool *spool, const void *block, size_t end)
{
  const size_t page = (size_t)sysconf (_SC_PAGESIZE), whole = end < spool->size ? end / page * page : spool->size;

  if (whole > 0)
    madvise ((void *)block, whole, MADV_DONTNEED); /* of a shared file: only out of this process's memory */
}

void
ss_spool_free (SsSpool *spool, void *block)
{
  if (spool == NULL)
    return;
  munmap (block, spool->size);
  close (spool->file);
  ss_free (spool);
}
