/* engine/core/ss-spool.h: a block of memory that lies in a file without a name, for numbers that are written once and
 * read in order: what was written or read long ago is not held in memory, and stays where pointers say.
 *
 * The file is in the folder that TMPDIR names, or /tmp, and is gone with the process. Its room is taken before it is
 * written to, so that a full disk is an answer, not a crash. Threads: readers may be in any; one writer.
 * Tests: tests/unit/test-core.c
 */
#pragma once

#include <stddef.h>

/* Blocks of more bytes than this are worth a file. */
#define SS_SPOOL_FROM ((size_t)64 << 20)

typedef struct SsSpool SsSpool;
/* Makes *block, of *size bytes on the heap, one of at least `wanted` bytes in a file, or such a one longer; sets *size.
 * *spool is NULL before it is in a file. Non-zero: it cannot, everything is as it was. */
int ss_spool_grow (SsSpool **spool, void **block, size_t *size, size_t wanted);
/* What lies before `end` bytes need not be held in memory now. */
void ss_spool_release (const SsSpool *spool, const void *block, size_t end);
/* With the block; NULL is allowed, and frees nothing. */
void ss_spool_free (SsSpool *spool, void *block);
