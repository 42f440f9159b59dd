/* engine/run/ss-run-past.h: what a simulation that goes on from another motion (simulate/ss-past.h) tells of what was
 * before. Threads: one at a time. Tests: tests/unit/test-run.c
 */
#pragma once

#include "run/ss-run-simulate.h"
#include "simulate/ss-past.h"

/* Warns of what goes on otherwise than one might think: starts that were changed, and springs of slip. */
void ss_run_past_warn (const SsSimulateJob *job, const SsPast *past, SsRunControl *control);
/* What happened in the motion so far comes first, as its run has told it (job->past_events; NULL: a warning): rows do
 * not say all of it, and the scene that they were made in may have been another. The second clock counts on.
 * SS_ERR_MEMORY: the events are those of what goes on. */
SS_NODISCARD SsStatus ss_run_past_events (const SsSimulateJob *job, SsRunControl *control, SsRunResult *result,
                                          SsError *err);
