/* app/job/ssapp-own-child.h: the program of a method of the user's own, while it runs: started, told its job, heard
 * line by line, answered its questions, ended.
 *
 * It is believed nothing: a line that is no event, an event that nobody asked for, a program that ends without a
 * result, that neither writes nor computes for its patience, or writes without end, is an error whose words say so. It
 * runs with the limit of memory of the run, is held while that is paused, and is killed when it ends, however that is;
 * so is all that it started.
 * Threads: one at a time, that of the solver; it blocks there, asking `control` all the while.
 * Tests: tests/cli/test-your-method.py
 */
#pragma once

#include "app/job/ssapp-oracle.h"
#include "app/job/ssapp-own.h"
#include "core/ss-run-control.h"

G_BEGIN_DECLS

typedef struct SsappOwnChild SsappOwnChild;

/* Starts it and tells it its job: the run's line with `more` (nullable) of this solve. Both are borrowed for the call,
 * run and oracle (who answers its questions) until it is freed. NULL with an error. */
SsappOwnChild *ssapp_own_child_new (SsappOwnRun *run, const json_t *more, SsappOracle *oracle, SsError *err);
/* Kills what is left of it, and adds its CPU time to that of the run; NULL is allowed. */
void ssapp_own_child_free (SsappOwnChild *child);
/* Its next `frame`, `iterate` or `result`; log lines and iterations went to `control`, questions were answered. NULL
 * with an error: there is none, or the run should end. The caller unrefs it. */
json_t *ssapp_own_child_next (SsappOwnChild *child, SsRunControl *control, SsError *err);
/* A text of an event, as much of it as is shown, without what could steer a terminal; g_free. "": it has none. */
char *ssapp_own_text (const json_t *event, const char *key);
/* An error that names the method: "'NAME', a method of your own: ...". Returns SS_ERR_INVALID. */
SsStatus ssapp_own_fail (const SsappOwnRun *run, SsError *err, const char *format, ...) SS_PRINTF (3, 4);

G_END_DECLS
