/* engine/plan/ss-hold-plan.h: plans that hold: whose controls alone, in shorter steps and without feedback, lead the
 * bodies to the task's goals (plan/ss-refine.h says how near). Private to the room `plan`.
 *
 * Simulated motions are sampled of which not only the own end counts, but also that of their controls in shorter steps
 * (SsSampleJudge.parts). Each is brought to the targets by shooting, in the plan's own steps and then in halved ones,
 * while its replay at a tenth of them ends nearer. What then ends at the goals, or near them, becomes cheaper while it
 * does so: by shooting (plan/ss-shoot-cheaper.h), then by the job's optimiser from there. Other seeds are tried until
 * one holds, and for about twice as long again. Which one is the answer: plan/ss-plan-rank.h.
 *
 * Threads  any. Tests: tests/numeric/test-refine.c, tests/numeric/test-race.c
 */
#pragma once

#include "plan/ss-refine.h"

/* job: nlp and options are those of solves near a motion; its steps are those in which motions are sampled, halved at
 * most so often. Attempts are noted by that name. `result` is initialised here, FAILED without a motion where none was
 * found; *refined says what its replay does. */
SS_NODISCARD SsStatus ss_hold_sampled (const SsSolveJob *job, uint64_t seed, int halvings, const char *by,
                                       SsTries *tries, SsRunControl *control, SsRefined *refined, SsRunResult *result,
                                       SsError *err);
/* Makes a plan, `result` with its *tenth, cheaper while it ends near its goals; *halvings grows by those of its steps.
 */
SS_NODISCARD SsStatus ss_hold_cheaper (const SsSolveJob *job, const char *by, SsTries *tries, SsRunControl *control,
                                       SsTenth *tenth, int *halvings, SsRunResult *result, SsError *err);
