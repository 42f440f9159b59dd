/* app/job/ssapp-cpu.h: CPU time of a process and of all that it started, for limits that hold for a run as a whole.
 *
 * What is known, without cgroups: /proc tells of each process its parent, its own CPU time (all threads) and that of
 * its children that have ended and were waited for. The processes are followed from parent to child, so that a session
 * or process group of their own hides none. What is not known: a process that ended without being waited for, and one
 * whose parent has ended and that belongs to nobody in the family any more.
 *
 * How long they waited for a processor is the second number of /proc/PID/task/TID/schedstat [ns].
 *
 * Threads: any. Tests: tests/store/test-job.c
 */
#pragma once

#include "core/ss-status.h"

#include <glib.h>

G_BEGIN_DECLS

/* CPU time of the process and its family so far [s]; 0: there is none. *first (NULL: not asked for): of the first
 * thread of the process, which in a worker tells of the run and computes nothing. */
double ssapp_cpu_of_family (gint64 pid, double *first);
/* The same of this process without its own threads: children that run, and children that have ended. */
double ssapp_cpu_of_children (void);

/* Time in which threads of the process that live could run and had no processor [s], since they began; of its family
 * too where `takes_family`. NaN: the kernel does not tell it. */
double ssapp_cpu_waited (gint64 pid, gboolean takes_family);
/* How a run ended at its limit of `wall` seconds of which it waited so many for a processor: TIME_LIMIT, or
 * MACHINE_SLOW where that was more than a tenth. */
SsOutcome ssapp_cpu_outcome_at_limit (double waited, double wall);

G_END_DECLS
