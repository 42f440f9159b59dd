/* app/session/ssapp-run-reader.h: reads the list of a project's runs, now, or soon where others write to the project.
 *
 * What is asked for often is read at most a tenth of the time, and once a second at least; a list that was long
 * (SSAPP_RUN_READER_LONG) is read in a thread, by a connection of its own, so that a window does not stand still.
 * Threads: all calls on one, that of the default main loop.
 * Tests: tests/unit/test-run-reader.c, tests/ui/test_others.py
 */
#pragma once

#include "app/session/ssapp-run-list.h"

G_BEGIN_DECLS

#define SSAPP_RUN_READER_LONG 1000 /* runs, which take tens of milliseconds */

typedef struct SsappRunReader SsappRunReader;

/* A list that was queued is there (owned by the callee), or NULL and why not. */
typedef void (*SsappRunReaderFunc) (SsappRunList *list, const GError *error, gpointer data);

/* `on_list` is called from the main loop, never from within a call of these; free with ssapp_run_reader_free. */
SsappRunReader *ssapp_run_reader_new (SsappRunReaderFunc on_list, gpointer data);
/* Nothing is told any more. NULL is allowed. */
void ssapp_run_reader_free (SsappRunReader *self);

/* All runs with these metrics and the studies that they belong to, at once; what is queued is not read. `store` NULL:
 * an empty list. NULL with an error. */
SsappRunList *ssapp_run_reader_read (SsappRunReader *self, SsappStore *store, const SsMetric *metrics, int n_metrics,
                                     GError **error);
/* The same soon. */
void ssapp_run_reader_queue (SsappRunReader *self, SsappStore *store, const SsMetric *metrics, int n_metrics);

G_END_DECLS
