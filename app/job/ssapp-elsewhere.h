/* app/job/ssapp-elsewhere.h: members of a race in processes of their own (solve/ss-elsewhere.h): each a worker as the
 * window starts them, followed in the thread that asks. Cancel and the member's limit of counted work reach it, it
 * has the limit of memory of the run that asks, and it ends when that process does. One that dies has no motion.
 *
 * Threads: any, several at once. Tests: tests/store/test-job.c, tests/cli/test-plan.sh */
#pragma once

#include "app/job/ssapp-runner.h"

G_BEGIN_DECLS

/* For the runs of that job, which is borrowed and must not change while they go on. */
SsElsewhere ssapp_elsewhere (const SsappJobSpec *spec);

G_END_DECLS
