/* engine/run/ss-run-watch.h: a simulation is judged while it is made: its verdict, its contacts' law, its events. So
 * they are those of every step, also where few rows are kept (SsSimJob.every), and are there for all steps that are
 * finished when a run is told to end.
 *
 * What the judge takes is not the method's: limits of the run move by it. Threads: one at a time.
 * Tests: tests/numeric/test-scale.c
 */
#pragma once

#include "simulate/ss-simulate.h"
#include "solve/ss-run-result.h"

typedef struct SsRunWatch SsRunWatch;
/* `law` is copied. `control` (borrowed; NULL allowed) has the limits. On failure (SS_ERR_MEMORY) *out is NULL. */
SS_NODISCARD SsStatus ss_run_watch_new (const SsScene *scene, const SsMotionLaw *law, bool finds_events,
                                        SsRunControl *control, SsRunWatch **out, SsError *err);
/* What contacts, dampers and limits had taken before the motion begins (SsMotionBlock) [J]. Before its first row. */
void ss_run_watch_set_taken_before (SsRunWatch *watch, double taken);
/* Who sees the same rows (borrowed; NULL: nobody). Before its first row. */
void ss_run_watch_set_beside (SsRunWatch *watch, const SsSimWatch *beside);
void ss_run_watch_free (SsRunWatch *watch); /* NULL is allowed */
/* For the job; borrowed. */
const SsSimWatch *ss_run_watch_of (SsRunWatch *watch);
/* What it took of the clocks [s]. */
void ss_run_watch_times (const SsRunWatch *watch, double *wall, double *cpu);
/* Verdict, law and, where they were looked for, events, into the record, with the judge's metrics. Once. */
SS_NODISCARD SsStatus ss_run_watch_end (SsRunWatch *watch, SsRunResult *result, SsError *err);
