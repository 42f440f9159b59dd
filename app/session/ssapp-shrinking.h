/* app/session/ssapp-shrinking.h: leaves less of the motions of many runs (store/ssapp-store-shrink.h) and writes the
 * file anew, while a window goes on: a quarter of a second of runs whenever the main loop has nothing else to do, the
 * file in a thread (store/ssapp-store-compact.h).
 * Threads: that of the store. Tests: tests/unit/test-compared.c
 */
#pragma once

#include "app/store/ssapp-store-compact.h"
#include "app/store/ssapp-store-shrink.h"

G_BEGIN_DECLS

/* All runs done: the file is being written anew. */
typedef void (*SsappShrinkingDone) (guint n_done, guint n_runs, gpointer data);

/* `ids` end with NULL; without one the file alone is written anew. `done` (NULL is allowed) is told now and then how
 * many runs are done; both functions get `data`. A cancelled one keeps what is done. A file that is written meanwhile
 * is tried again, some ten times. */
void ssapp_shrink_runs_async (SsappStore *store, const char *const *ids, SsappKeep keep, GCancellable *cancellable,
                              SsappShrinkingDone done, GAsyncReadyCallback ended, gpointer data);
/* Whatever ended it: *n_done: how many runs keep less now; *freed (NULL is allowed): by how much the file is smaller
 * [bytes], 0 where it was not written anew. FALSE with an error of the first run that was refused, of the file, or
 * G_IO_ERROR_CANCELLED. */
gboolean ssapp_shrink_runs_finish (GAsyncResult *result, guint *n_done, gint64 *freed, GError **error);

G_END_DECLS
