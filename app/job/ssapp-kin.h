/* app/job/ssapp-kin.h: the processes of a worker: how it is started, and that none of its descendants outlives it.
 *
 * This process becomes the reaper of its orphans (PR_SET_CHILD_SUBREAPER): a descendant of a worker whose parents have
 * ended comes to it, also from a session of its own. Each worker has a mark in its environment, which its descendants
 * inherit; when the worker has ended, whoever came here with that mark is killed, with all that is below. A worker gets
 * its limit of memory before its program starts, and is killed when the thread that started it ends.
 * A descendant that emptied its environment is found as long as one of its parents lives, and by
 * ssapp_kin_end_strangers.
 * Threads: any. Tests: tests/cli/test-limits.sh
 */
#pragma once

#include <gio/gio.h>
#include <sys/types.h>

G_BEGIN_DECLS

/* Starts a program (NULL-terminated words) with pipes for input, output and errors. `mark`: of this worker alone, such
 * as its job's id; `bytes`: limit of its address space, and of each of its descendants; not finite: none;
 * `environment`: names and values in turn that it has besides, NULL-terminated; NULL: none. `folder`: where it
 * starts; NULL: where this process is. */
GSubprocess *ssapp_kin_spawn (const char *const *words, const char *const *environment, const char *folder,
                              const char *mark, double bytes, GError **error);
/* 0: it has ended, which a worker may do before whoever started it looks. */
pid_t ssapp_kin_pid (GSubprocess *worker);
/* Kills the worker with all its descendants. */
void ssapp_kin_kill (GSubprocess *worker);
/* Holds the worker of that mark with all its descendants where they are, or lets them go on: held they take no
 * processor. What kills it kills it held, too. */
void ssapp_kin_hold (const char *mark, gboolean is_held);
/* The worker has ended and was waited for: its descendants that are left end, too. */
void ssapp_kin_ended (const char *mark);
/* Ends every child of this process that no ssapp_kin_spawn started and that was not there at the first one, with all
 * that is below: orphans of workers, also without a mark. For processes that start nothing but workers. */
void ssapp_kin_end_strangers (void);

G_END_DECLS
