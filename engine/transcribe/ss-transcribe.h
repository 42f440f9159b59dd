/* engine/transcribe/ss-transcribe.h: from a scene and its task to a model in equations (and so to an MPCC): contact-implicit time stepping.
 *
 * The answer is a scenario with a `model`, so that the problem's assembly, metrics, optimisers, and files are those of hand-written models. Its variables have the names
 * of a simulation's channels, so that one view draws both: states <body>.x .y .theta .vx .vy .omega, controls u.<actuator>, <contact>.lambda_n, <contact>.lambda_t, ...
 *
 * Ownership  the transcribed scenario borrows names and the scene of its source, which must outlive it.
 * Threads    one at a time.
 */
#pragma once

#include "core/ss-trajectory.h"
#include "scene/ss-scenario.h"

typedef enum { SS_COORDINATES_ABSOLUTE, SS_COORDINATES_JOINT } SsCoordinates;

typedef struct {
  SsCoordinates coordinates;
} SsTranscribeOptions;

/* `source` must be a scene with a task->plan: SS_ERR_INVALID says what is missing or what the transcription does not know, with its name. */
SS_NODISCARD SsStatus ss_transcribe (const SsScenario *source, const SsTranscribeOptions *options, SsScenario **out,
                                     SsError *err);
