/* engine/plan/ss-shoot-steps.h: an exact motion near one in time steps: controls held over the intervals of a plan,
 * near those of the steps, that lead the motion by the integrator fesd-j to the targets (ss_shoot_exactly). No modes
 * are read: the simulation finds them. Private to the room `plan`.
 *
 * Threads: one at a time. Tests: tests/numeric/test-exact-finish.c, tests/numeric/test-leads.c
 */
#pragma once

#include "plan/ss-track-plan.h"
#include "solve/ss-run-result.h"
#include "transcribe/ss-transcribe.h"

/* `stepped`: over n intervals, each of one step or more; `plan` has these intervals; `round`: of
 * ss_shoot_exactly. Exact where ss_shot_is_exact (out,
 * near). out->motion is owned by the caller, also after an error. SS_ERR_INVALID: fesd-j does not know the scene,
 * or that is no motion of it. */
SS_NODISCARD SsStatus ss_shoot_steps (const SsScenario *scenario, const SsPlan *plan, const SsTrajectory *stepped,
                                      int round, double near, SsRunControl *control, SsExactShot *out, SsError *err);
/* The shot motion as a result of its own, judged as any plan of that transcription, silently; takes it. `result`
 * is initialised here, and is the caller's also after an error. */
SS_NODISCARD SsStatus ss_shot_judge (const SsScenario *scenario, const SsTranscribeOptions *transcription,
                                     const char *start, SsExactShot *shot, SsRunControl *control, SsRunResult *result,
                                     SsError *err);
/* Controls of the motion in the middle of each interval of `plan`, into controls[plan->steps * n_actuators]. */
SS_NODISCARD SsStatus ss_controls_of_motion (const SsScene *scene, const SsPlan *plan, const SsTrajectory *motion,
                                             double *controls, SsError *err);
