/* app/session/ssapp-shrinking.h: leaves less of the motions of many runs (store/ssapp-store-shrink.h) while a window
 * goes on: a quarter of a second of it whenever the main loop has nothing else to do.
 * Threads: that of the store. Tests: tests/unit/test-compared.c
 */
#pragma once

#include "app/store/ssapp-store-shrink.h"

G_BEGIN_DECLS

typedef void (*SsappShrinkingDone) (guint n_done, guint n_runs, gpointer data);

/* `ids` end with NULL. `done` (NULL is allowed) is told now and then how many runs are done; both functions get `data`.
 * A cancelled one keeps what is done. The file is made smaller at the end. */
void ssapp_shrink_runs_async (SsappStore *store, const char *const *ids, SsappKeep keep, GCancellable *cancellable,
                              SsappShrinkingDone done, GAsyncReadyCallback ended, gpointer data);
/* *n_done: how many runs keep less now, whatever ended it. FALSE with an error of the first run that was refused, of
 * the file, or G_IO_ERROR_CANCELLED. */
gboolean ssapp_shrink_runs_finish (GAsyncResult *result, guint *n_done, GError **error);

G_END_DECLS
