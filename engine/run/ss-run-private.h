/* engine/run/ss-run-private.h: what the files of a run share (ss-run.c: jobs and records; ss-run-judge.c: motions;
 * ss-run-judge-plan.c: plans and their replays). */
#pragma once

#include "run/ss-run.h"

/* A control for a part of a run whose progress is none of the run's: it tells nobody, and stops when the outer one says
 * so, which it asks in every iteration. Must not move after ss_silence_init; `outer` may be NULL. */
typedef struct {
  SsRunControl inner, *outer;
  bool no_restoration; /* stops an optimiser that begins one, too (its column `restoration`) */
} SsSilence;
void ss_silence_init (SsSilence *silence, SsRunControl *outer);

/* A control for runs that are parts of a run: what they tell is told on, iterations numbered through, iterates only
 * where has_iterates (those of other models than the run's mean nothing to who listens). The outer one is asked to stop
 * in every iteration. Must not move after ss_relay_init; `outer` may be NULL. */
typedef struct {
  SsRunControl inner, *outer;
  int offset, last; /* of iterations: added to those told; the last one told, -1: none */
  bool has_iterates;
} SsRelay;
void ss_relay_init (SsRelay *relay, SsRunControl *outer); /* ss-run-lazy.c */

/* `value` with two significant digits and '.' whatever the locale: "3.1e-10". Returns buffer. */
const char *ss_run_format_short (double value, char buffer[16]);
/* Warns of what the scene says and `name`, a law with this mask of SsSceneUse, ignores. `control` may be NULL. */
void ss_run_warn_of_ignored (const SsScene *scene, const char *name, unsigned uses, SsRunControl *control);
/* Adds a part to a message of that size, after "; " where there is one already. NULL and "" add nothing. */
void ss_run_append_text (char *message, size_t size, const char *text);

/* The scenario's guess of a model in equations, and over it what the motion has of its variables. SS_ERR_INVALID: that
 * is nothing; SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_run_follow_motion (const SsScenario *scenario, const SsTrajectory *start, double *x,
                                            SsError *err);
/* Judges the answer of an optimiser on a scene, unless it was cancelled: the verdict and the metrics of its motion, and
 * where the outcome is SOLVED, overlaps, the energy that contacts and joints give, and each step by the integrator
 * whose law the plan's transcription has. Beyond the limits of ss-run.h the outcome becomes NOT_REPLAYABLE, with the
 * reasons before the message. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_run_judge_plan (const SsJob *job, SsRunControl *control, SsRunResult *result, SsError *err);
/* What a method held that was ended before it was done, or gave up: where that is nearer to the task than the start and
 * obeys its rows, it is judged as any other plan, and its outcome is SOLVED or NOT_REPLAYABLE. Not of a run that was
 * cancelled: nobody waits. `violation`: of its rows, by our metrics. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_run_judge_ended (const SsJob *job, double violation, SsRunResult *result, SsError *err);
/* A plan that obeys the integrator's law at its own steps is found again step by step, wherever the whole replay has
 * gone meanwhile: metrics and message of a replay that completed. It becomes NOT_REPLAYABLE where steps of the plan do
 * not obey that law, unless the plan is a simulation (which tells the residuals of its integrator), whose law may be
 * another. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_run_judge_replay (const SsJob *job, SsRunResult *result, SsError *err);
/* Why an optimiser's run is no success: result->reasons. Of a model they are those that the run has found already
 * (ss_reasons_of_model), and only what ran out is added. `seconds`: of the run's limit, INFINITY: it had none.
 * SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_run_find_reasons (const SsScenario *scenario, double seconds, SsRunResult *result,
                                           SsError *err);
