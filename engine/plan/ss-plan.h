/* engine/plan/ss-plan.h: the door of everything that makes plans: a race of `auto` (ss-race.h), contacts added as
 * needed
 * (ss-plan-lazy.h), or one solve (ss-plan-solve.h), as the job's method and options say. Models in equations come
 * through here, too.
 *
 * Threads: one at a time; a race has threads of its own. Tests: tests/unit/test-run.c, tests/numeric/test-race.c
 */
#pragma once

#include "solve/ss-solve.h"

/* `result` is initialised here; release with ss_run_result_clear. `control` may be NULL but for a race. */
SS_NODISCARD SsStatus ss_plan (const SsSolveJob *job, SsRunControl *control, SsRunResult *result, SsError *err);
