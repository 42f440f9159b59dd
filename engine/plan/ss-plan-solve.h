/* engine/plan/ss-plan-solve.h: one solve of a model or a plan, polished and tried from other starts where its options
 * ask for that (ss-plan-starts.h): what the parts of a plan are made of.
 *
 * Threads: one at a time; one Ipopt in a process. Tests: tests/numeric/test-polish.c, tests/numeric/test-plans.c
 */
#pragma once

#include "plan/ss-polish.h"
#include "solve/ss-solve.h"

/* As ss_solve, whose answer is then improved. Solutions of other starts stay with the result, their motions with role
 * SOLUTION. */
SS_NODISCARD SsStatus ss_plan_solve (const SsSolveJob *job, SsRunControl *control, SsRunResult *result, SsError *err);
/* Likewise, after what cheap motions lead to (ss-plan-leads.h): the n motions are borrowed. Once there is a plan the
 * method has counted work of the option `then`. */
SS_NODISCARD SsStatus ss_plan_solve_led (const SsSolveJob *job, const SsTrajectory *const *motions, int n,
                                         SsRunControl *control, SsRunResult *result, SsError *err);
/* A polished plan of the job's transcription as a result of its own: judged as an answer is, but silently. `own` is
 * initialised here. */
SS_NODISCARD SsStatus ss_plan_judge_polished (const SsSolveJob *job, const SsPolished *polished, SsRunControl *control,
                                              SsRunResult *own, SsError *err);
