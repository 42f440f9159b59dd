/* engine/run/ss-track-plan.h: a motion by the law of plans that goes the way of a plan in shorter steps: an exact start
 * for the plan of those steps. Private to the room `run`.
 *
 * A simulation by stewart-trinkle with gap=end (the law that a time-stepping plan has) from the plan's own start, under
 * the plan's controls, held over its steps, and a feedback on what each actuator moves (run/ss-drive.h), within the
 * limits. Without feedback it is a replay, which may go another way; with much of it what the actuators move goes the
 * plan's way, and what they push follows. Some stiffnesses are tried; the motion that ends nearest to the plan's end
 * counts.
 *
 * Threads  any. Tests: tests/numeric/test-refine.c
 */
#pragma once

#include "core/ss-trajectory.h"
#include "scene/ss-scenario.h"

/* The motion in `steps` equal steps over the plan's time, with its controls and contact forces; *away: how far its end
 * is from the plan's, the farthest body [m], an angle counting 0.1 m a radian. `motion` is owned by the caller; NULL,
 * with *away infinite: every simulation failed. SS_ERR_MEMORY, SS_ERR_INVALID (no plan of the scene). */
SS_NODISCARD SsStatus ss_track_plan (const SsScenario *scenario, const SsTrajectory *plan, int steps,
                                     SsTrajectory **motion, double *away, SsError *err);
