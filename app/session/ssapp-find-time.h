/* app/session/ssapp-find-time.h: a horizon and steps for the plan of a sketch, found by simulated motions
 * (plan/ss-find-time.h), put into the sketch as one undo.
 *
 * Threads: ssapp_find_time of any that owns the document; the others of the main one. Tests: tests/cli/test-ways-on.sh,
 * tests/ui/test_ways_on.py
 */
#pragma once

#include "app/document/ssapp-document.h"

G_BEGIN_DECLS

/* [s] of counted work after which the search gives up */
#define SSAPP_FIND_TIME_WORK 60

/* Whether the document has a plan whose time can be found; else why not. */
gboolean ssapp_find_time_can (SsappDocument *document, GError **error);
/* Searches, and changes the document. FALSE without a change: there is none to be found, or none was. *told, "1.3 s and
 * 50 steps": g_free. */
gboolean ssapp_find_time (SsappDocument *document, char **told, GError **error);
/* The same beside the main loop. `finish` belongs into the callback; it changes the document, and fails with
 * G_IO_ERROR_CANCELLED or where the document is not that of the start any more. */
void ssapp_find_time_async (SsappDocument *document, GCancellable *cancellable, GAsyncReadyCallback callback,
                            gpointer user_data);
gboolean ssapp_find_time_finish (SsappDocument *document, GAsyncResult *result, char **told, GError **error);

G_END_DECLS
