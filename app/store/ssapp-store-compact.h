/* app/store/ssapp-store-compact.h: a project's file without the room that nothing takes any more: it is written anew,
 * by a connection of its own, beside other work if wanted.
 * Threads and errors as in ssapp-store.h. Tests: tests/unit/test-compared.c, tests/cli/test-keep.sh
 */
#pragma once

#include "app/store/ssapp-store.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* Of the file, when all of its journal is in it [bytes]. */
gboolean ssapp_store_get_size (SsappStore *self, gint64 *bytes, GError **error);
/* Ids of the deleted runs whose motions are still in the file, g_strfreev. */
char **ssapp_store_list_deleted (SsappStore *self, GError **error);
/* BUSY when another program writes for too long, FULL when there is no room for the file once more; it is then as
 * before. */
gboolean ssapp_store_compact (SsappStore *self, GError **error);
/* The same in a thread: the store is read meanwhile, a write to it ends this (BUSY: once more, when nothing is
 * written), and so does closing (G_IO_ERROR_CANCELLED). One at a time (FAILED). `ready` is called from the main loop.
 */
void ssapp_store_compact_async (SsappStore *self, GCancellable *cancellable, GAsyncReadyCallback ready, gpointer data);
gboolean ssapp_store_compact_finish (SsappStore *self, GAsyncResult *result, GError **error);

G_END_DECLS
