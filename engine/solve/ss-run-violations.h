/* engine/solve/ss-run-violations.h: the violations of a motion that is known by its channels alone: an iterate that was
 * kept, a run that was broken off, a run of an older version.
 *
 * Where the motion has all variables of the model that its optimiser worked on, at the points of that model, the list
 * is exact: that of the point itself. Else (finite elements, whose stages are no rows; plans with some of the contacts;
 * other steps) what the motion lacks is completed as for a start, and the list is of the completed point.
 *
 * Threads: any; nothing is shared. Cost: a transcription of the scene. Tests: tests/unit/test-violations.c
 */
#pragma once

#include "judge/ss-violations.h"
#include "transcribe/ss-transcriptions.h"

/* `options`: of the plan of a scene (steps of time stepping are taken from the motion where the plan's do not fit it);
 * NULL: defaults. `metrics`: of the same point, NULL: nobody asks. SS_ERR_INVALID: the motion is none of this scenario,
 * or the scenario has no task; SS_ERR_MEMORY. *out is empty then. */
SS_NODISCARD SsStatus ss_run_violations (const SsScenario *scenario, const SsTranscribeOptions *options,
                                         const SsTrajectory *motion, int n_max, SsMetrics *metrics, SsViolations *out,
                                         bool *is_exact, SsError *err);
