/* app/job/ssapp-cpu.h: CPU time of a process and of all that it started, for limits that hold for a run as a whole.
 *
 * What is known, without cgroups: /proc tells of each process its parent, its own CPU time (all threads) and that of
 * its children that have ended and were waited for. The processes are followed from parent to child, so that a session
 * or process group of their own hides none. What is not known: a process that ended without being waited for, and one
 * whose parent has ended and that belongs to nobody in the family any more.
 *
 * Threads: any. Tests: tests/store/test-job.c
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* CPU time of the process and its family so far [s]; 0: there is none. */
double ssapp_cpu_of_family (gint64 pid);
/* The same of this process without its own threads: children that run, and children that have ended. */
double ssapp_cpu_of_children (void);

G_END_DECLS
