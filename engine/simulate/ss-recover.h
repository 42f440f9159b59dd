/* engine/simulate/ss-recover.h: the motion in time of a motion with frozen spans [001 (18a) Thm 5 Thm 8].
 *
 * Where time stands still over more than two rows, the first and the last of them stay: the state before the jump and
 * the state after it. The last one gets the sums of the impulses of those after the first. A motion without such rows
 * is left as it is.
 */
#pragma once

#include "core/ss-trajectory.h"

/* Copies without what is frozen; `stages` (NULL: none) get the numbers that their rows have there. *out and *stages_out
 * (NULL where there are none) are the caller's. On failure both are NULL. */
SS_NODISCARD SsStatus ss_recover_motion (const SsTrajectory *motion, const SsTrajectory *stages, SsTrajectory **out,
                                         SsTrajectory **stages_out, SsError *err);
