/* engine/plan/ss-plan-leads.h: plans by fesd-j (and time-freezing) that cheap motions lead to, before the method is
 * asked. Private to the room `plan`.
 *
 * A homotopy from standing still is slow, and where its problem is as hard as a drawn one, in vain. A motion that is
 * there already has modes and impulses; the smooth problem that they leave takes tenths of a second (ss-polish.h).
 * Tasks     with a target that must be reached: what only costs has no miss to close, and leads end at plans several
 *           times as dear as a homotopy's (discs of paper 000: 6632 of 655).
 * Motions   those of plans in time steps (the race of ss-race.h), best first; where the scene has restitution, which
 *           these steps do not know, before them: simulated motions by fesd-j (ss-sampled-motion.h).
 * Leads     from each motion, until one ends in a plan: controls near its own that lead an exact motion to the targets
 *           (ss-shoot-steps.h), whose modes are exact; the modes of its steps; the motion that its controls give.
 *           Neighbours of the sequence are tried then as long as that pays (ss-starts-private.h).
 *
 * Tests: tests/numeric/test-leads.c
 */
#pragma once

#include "plan/ss-plan-starts.h"

/* motions[n]: of plans in time steps; borrowed. `out`, zeroed or with what was found before, as in ss_plan_improve. */
SS_NODISCARD SsStatus ss_plan_lead (const SsSolveJob *job, const SsTrajectory *const *motions, int n,
                                    const SsImproveListener *listener, SsRunControl *control, SsImproved *out,
                                    SsError *err);
