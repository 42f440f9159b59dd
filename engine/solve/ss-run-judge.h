/* engine/solve/ss-run-judge.h: what a run's motion is worth by our own judge, and what follows from it: outcomes that
 * change, warnings, reasons.
 *
 * Threads: one at a time for each record. Tests: tests/unit/test-record.c, tests/numeric/test-plan-verdict.c,
 * tests/numeric/test-nonsense.c, tests/numeric/test-reasons.c
 */
#pragma once

#include "solve/ss-run-result.h"
#include "scene/ss-scenario.h"
#include "transcribe/ss-transcribe.h"

typedef struct SsSimMetrics SsSimMetrics;

/* ---- any motion -------------------------------------------------------------------------------------------------- */

/* Judges the answer's motion, one of that scene: result->verdict, and the metrics that are the judge's; NaN where they
 * are told of every simulation and are not known. `law`: that its contacts are to obey, result->law and channels of
 * their residual; NULL: not told. Where the outcome is that the run was told to end, for a short time
 * only: energies and penetration are those that the rows tell of themselves, where that did not suffice, and without
 * channels of contacts the penetration is that of the rows that were judged; so it is of a motion with rows of some
 * steps only (result->every). SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_run_judge_motion (const SsScene *scene, const SsMotionLaw *law, SsRunControl *control,
                                           SsRunResult *result, SsError *err);
/* The parts of it, for a motion that was judged while it was made: before the verdict is set, and once result->verdict
 * and result->law are. `is_foreign`: it is no motion of the scene. */
void ss_run_forget_verdict (SsRunResult *result);
void ss_run_take_verdict (bool is_foreign, SsRunResult *result);
/* Largest value of the channels of a quantity over all rows; NaN: there are none. */
double ss_run_largest (const SsTrajectory *motion, SsQuantity quantity);
/* The last row of a motion before a body of the scene leaves its first pose or speed by over 1e-6; 0 where none does.
 * One that was played by hand has waited before it began. */
int ss_run_last_at_rest (const SsScene *scene, const SsTrajectory *motion);
/* Time of that row. */
double ss_run_begins_to_move (const SsScene *scene, const SsTrajectory *motion);
/* Warns of the first passage that the judge found (ss-motion.h); `control` may be NULL. */
void ss_run_warn_of_passage (const SsScene *scene, const SsMotionVerdict *verdict, SsRunControl *control);
/* Warns of what the scene says and `name`, a law with this mask of SsSceneUse, ignores. `control` may be NULL. */
void ss_run_warn_of_ignored (const SsScene *scene, const char *name, unsigned uses, SsRunControl *control);

/* ---- simulations ------------------------------------------------------------------------------------------------- */

/* A simulation that is nonsense has not completed: its outcome becomes FAILED, with time, body and what to try before
 * the message, when
 *   - more steps than the option law-misses allows missed their law by over 1e-4 m/s, by the integrator's own word (the
 *     residual of its step; the judge's balance counts only in the energy, since rules with steps of their own within
 *     the step leave a rest there),
 *   - a joint is open by more than 1 % of the smaller body that it joins (the judge's joint_opening), unless law-misses
 *     allows all, or
 *   - more energy than the option energy-gain allows came from nothing (the judge's `gained`, a part of the largest
 *     energy in play).
 * Warns of passages, of energy that was lost beyond the usual limit, and of a gain that the option allows. The motion
 * is kept. `options`: the integrator's. */
void ss_run_refuse_nonsense (const SsScene *scene, const SsIntegratorClass *integrator, const void *options,
                             const SsSimMetrics *own, SsRunControl *control, SsRunResult *result);
/* A plan that obeys the integrator's law at its own steps is found again step by step, wherever the whole replay has
 * gone meanwhile: metrics and message of a replay that completed. It becomes NOT_REPLAYABLE where steps of the plan do
 * not obey that law, unless the plan is a simulation (which tells the residuals of its integrator), whose law may be
 * another. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_run_judge_replay (const SsScene *scene, const SsTrajectory *plan,
                                           const SsIntegratorClass *integrator, const void *options,
                                           SsRunResult *result, SsError *err);

/* ---- plans ------------------------------------------------------------------------------------------------------- */

/* Judges the answer of an optimiser on a scene, unless it was cancelled: the verdict and the metrics of its motion, and
 * where the outcome is SOLVED, overlaps, the energy that contacts and joints give, and each step by the integrator
 * whose law the plan's transcription has. Beyond the limits of ss-run-result.h the outcome becomes NOT_REPLAYABLE, with
 * the reasons before the message. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_run_judge_plan (const SsScenario *scenario, const SsTranscribeOptions *transcription,
                                         SsRunControl *control, SsRunResult *result, SsError *err);
/* What a method held that was ended before it was done, or gave up: where that is nearer to the task than the start and
 * obeys its rows, it is judged as any other plan, and its outcome is SOLVED or NOT_REPLAYABLE. Not of a run that was
 * cancelled: nobody waits. `violation`: of its rows, by our metrics. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_run_judge_ended (const SsScenario *scenario, const SsTranscribeOptions *transcription,
                                          double violation, SsRunResult *result, SsError *err);
/* Why an optimiser's run is no success: result->reasons. Of a model they are those that the run has found already
 * (ss_reasons_of_model), and only what ran out is added. `seconds`: of the run's limit, INFINITY: it had none.
 * SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_run_find_reasons (const SsScenario *scenario, double seconds, SsRunResult *result,
                                           SsError *err);
