/* app/job/ssapp-own-job.h: the job that the program of a method of the user's own reads: the worker's job line, with
 * all options and the steps that count. Threads: a solver's. Tests: tests/cli/test-your-method.py */
#pragma once

#include "app/job/ssapp-own.h"
#include "app/job/ssapp-runner.h"

G_BEGIN_DECLS

#define SSAPP_OWN_PROTOCOL 1 /* of job and events; what is added to them later keeps the number */

/* Of that job, with these options, which are bound to it; own is borrowed. NULL with an error: such a method cannot do
 * what the job asks. */
SsappOwnRun *ssapp_own_run_new (const SsappOwn *own, const SsappJobSpec *spec, const SsScenario *scenario,
                                void *options, SsError *err);
void ssapp_own_run_free (SsappOwnRun *run); /* NULL is allowed */

G_END_DECLS
