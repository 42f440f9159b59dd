/* app/store/ssapp-store-copy.h: a readable copy of a project that is not opened: damaged, newer, or with things in it
 * that are not ours. A new project with every row that can be read, of the tables and columns that this version knows.
 *
 * Checksums come along: what was damaged is marked in the copy. Any thread. Tests: tests/cli/test-damage.sh */
#pragma once

#include "app/store/ssapp-store.h"

G_BEGIN_DECLS

typedef struct {
  int format;       /* of the file, by its tables; the newest that this version knows where it is newer */
  guint n_runs;     /* that are in the copy, those that were removed too */
  guint n_damaged;  /* of these and other things, those that do not match their checksums */
  GPtrArray *lost;  /* tables of which not all could be read; of char * */
  GPtrArray *apart; /* what is not ours and was left out, "trigger t on metric"; of char * */
} SsappCopied;

/* `to` must not be there. NULL with an error: nothing could be read, or nothing be written. */
SsappCopied *ssapp_store_copy_readable (const char *from, const char *to, GError **error);
void ssapp_copied_free (SsappCopied *copied); /* NULL is allowed */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SsappCopied, ssapp_copied_free)
/* "12 runs; left out: trigger t on metric; not all could be read of: motion"; g_free. */
char *ssapp_copied_describe (const SsappCopied *copied);

G_END_DECLS
