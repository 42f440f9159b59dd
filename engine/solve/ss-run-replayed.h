/* engine/solve/ss-run-replayed.h: what a plan is worth when its controls act on the scene: a replay by the integrator
 * that has the law of the plan's transcription, in steps shorter than its own. The objective that an optimiser reports
 * is that of its own equations, and its path constraints hold at its own points.
 *
 * Threads  any, each with its own arguments. Tests: tests/numeric/test-plan-value.c
 */
#pragma once

#include "judge/ss-plan-value.h"
#include "core/ss-run-control.h"
#include "transcribe/ss-transcribe.h"

typedef struct {
  SsOutcome outcome;    /* of the integrator; COMPLETED: the rest is known */
  double objective;     /* of the replayed motion                                                     */
  double end_distance;  /* of the centre of mass that is farthest from the plan's, at the end [m]     */
  double way;           /* largest violation of path constraints and bounds, in their units           */
  double way_t;         /* when [s]; NaN: never                                                       */
  char way_what[96];    /* of which; ""                                                               */
  char message[160];    /* why it did not complete                                                    */
  SsTrajectory *motion; /* owned; the replay; NULL: none                                              */
} SsPlanReplay;

/* Whether plans of this transcription have such a replay. */
bool ss_run_has_replay (const SsTranscribeOptions *transcription);
/* The integrator and the length of its steps [s] that belong to the transcription that made this motion;
 * false: none is known, and it is replayed at its own steps by whatever integrator. */
bool ss_run_find_replay (const SsTrajectory *plan, const SsIntegratorClass **integrator, double *step);
/* `plan` is the motion of an answer of the scene's plan by this transcription. Steps are as long as the class says
 * (replay_step), controls are held as the plan has them. `control` (NULL is allowed) is asked whether to stop, and told
 * nothing. SS_ERR_MEMORY; SS_ERR_INVALID when the plan has no
 * controls or is not of that transcription. `out` is to be cleared after success. */
SS_NODISCARD SsStatus ss_run_replay_plan (const SsScenario *scenario, const SsTranscribeOptions *transcription,
                                          const SsTrajectory *plan, SsRunControl *control, SsPlanReplay *out,
                                          SsError *err);
void ss_plan_replay_clear (SsPlanReplay *replay); /* a zeroed one is allowed */
