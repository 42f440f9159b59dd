/* engine/run/ss-run-table.h: a motion from elsewhere, judged: the record that a run with that motion would have.
 *
 * Threads: one at a time. Tests: tests/unit/test-import.c, tests/cli/test-import.sh
 */
#pragma once

#include "scene/ss-scenario.h"
#include "solve/ss-run-result.h"

/* *motion is taken, also on failure, and set to NULL; it has a row at least. Of a scene the outcome is COMPLETED, with
 * the metrics of its motion, and those of its task where it tells them; of a model SOLVED or INFEASIBLE, as its
 * violations tell. `result` is initialised here; release with ss_run_result_clear. SS_ERR_INVALID: of a model, a
 * variable or a time point is missing; SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_run_result_from_table (const SsScenario *scenario, SsTrajectory **motion, SsRunResult *result,
                                                SsError *err);
