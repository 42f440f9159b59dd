/* engine/plan/ss-follow-plan.h: controls under which a simulation stays near a plan that is not quite a motion.
 *
 * A relaxed plan has forces over distances: its controls alone lead the exact motion away from it, a touch is missed or
 * a push, which is unstable, goes astray. Here the simulation by fesd-j is led back interval by interval.
 *
 * Method   in each interval, from where the simulation is, the controls of this one and the next two that make
 *              sum over their ends and all coordinates of m (dq^2 + T^2 dv^2),  dq, dv: simulation less plan,
 *          least, T the interval, m mass or inertia; those of the first act, the others are the next start. Several
 *          first values over the room between the bounds, since a touch that is missed has no derivative, then Gauss
 *          and Newton on differences of simulations, within the bounds.
 * Threads  one at a time. Tests: tests/numeric/test-polish.c
 */
#pragma once

#include "core/ss-run-control.h"
#include "fesd/ss-fesd-sequence.h"
#include "scene/ss-scenario.h"

/* `plan`: motion and controls to begin with, of the scenario's bodies and actuators; `steps`: of the integrator in an
 * interval; controls[n_intervals * n_controls] are set. *followed false: the simulation did not come to the end, or a
 * stop was asked for; controls are set up to there, then the plan's. SS_ERR_MEMORY and what the integrator refuses. */
SS_NODISCARD SsStatus ss_follow_plan (const SsScenario *scenario, const SsFesdSequence *plan, int steps,
                                      SsRunControl *control, double *controls, bool *followed, SsError *err);
