/* engine/plan/ss-track-plan.h: a motion by the law of plans that goes the way of a plan in shorter steps: an exact
 * start for the plan of those steps. Private to the room `plan`.
 *
 * A simulation by stewart-trinkle with gap=end (the law that a time-stepping plan has) from the plan's own start, under
 * the plan's controls, held over its steps, and a feedback on what each actuator moves (plan/ss-drive.h), within the
 * limits. Without feedback it is a replay, which may go another way; with much of it what the actuators move goes the
 * plan's way, and what they push follows. Some stiffnesses are tried; the motion that ends nearest to the plan's end
 * counts.
 *
 * Such a motion misses the goal by what shorter steps change, and a sampled one by what was not found. Shooting closes
 * that gap: functions of time in the shape of hats are added to the controls, and their heights found by Gauss-Newton
 * steps of least length (the simulations are differentiated by differences, damped after Levenberg and Marquardt, and
 * between two such Jacobians updated after Broyden) until the motion ends at the targets. What is found obeys the law
 * of plans at every step, so it is a feasible point of the plan in its steps, and is as long as the plan wants.
 *
 * Exact motions are shot likewise, by the integrator fesd-j: a motion is then differentiated through its impacts and
 * switches, whose times move.
 *
 * Threads  any. Tests: tests/numeric/test-refine.c, tests/numeric/test-exact-finish.c
 */
#pragma once

#include "core/ss-run-control.h"
#include "core/ss-trajectory.h"
#include "plan/ss-try-controls.h"
#include "scene/ss-scenario.h"

/* The motion in `steps` equal steps over the plan's time, with its controls and contact forces; *away: how far its end
 * is from the plan's, the farthest body [m], an angle counting 0.1 m a radian. `motion` is owned by the caller; NULL,
 * with *away infinite: every simulation failed. SS_ERR_MEMORY, SS_ERR_INVALID (no plan of the scene). */
SS_NODISCARD SsStatus ss_track_plan (const SsScenario *scenario, const SsTrajectory *plan, int steps,
                                     SsTrajectory **motion, double *away, SsError *err);

/* Shot: the farthest that the motion ends from a target that must be reached [m, rad, m/s, rad/s], below this: what
 * answers may violate rows by (SS_RUN_FEASIBLE), less a tenth. */
#define SS_SHOT 9e-7

/* Likewise, from the tracked motion on until it ends at the targets of the scenario's plan and keeps its constraints
 * and bounds. `motion` is the one that comes nearest to them and *miss by how much, the largest over the targets'
 * coordinates, constraints and bounds; a plan without any that must be reached or kept is missed by 0. Ends early
 * where `control` says so. */
SS_NODISCARD SsStatus ss_shoot_plan (const SsScenario *scenario, const SsTrajectory *plan, int steps,
                                     SsRunControl *control, SsTrajectory **motion, double *miss, SsError *err);

/* An exact motion: by the integrator fesd-j, under controls that are constant in each interval. */
typedef struct {
  double miss; /* the largest of the targets' coordinates; INFINITY: there is no motion */
  double way;  /* how far the task's path is left, in its unit */
  double off;  /* of its end from that in half as long steps, at the farthest body [m]; INFINITY: not known */
  double step; /* of the integrator [s] */
  SsTriedControls motion; /* owned by the caller, also after an error: ss_tried_controls_clear */
} SsExactShot;

/* Controls of `steps` equal intervals under which the exact motion ends at the targets of the scenario's plan, shot
 * likewise from held[steps * n_actuators], what feedback on `plan` where an interval begins adds to them, and hats;
 * where a control is 0 in `held` it stays 0. A path that is left is a row from then on. Steps of the integrator become
 * shorter until half as long ones end within `near`. Round 0 begins with no hats, and only where the motion stays
 * within 5 cm of the plan; the others with such that are drawn, the same ones in each run, wherever it goes. That there
 * are none is no error: ss_shot_is_exact. */
SS_NODISCARD SsStatus ss_shoot_exactly (const SsScenario *scenario, const SsTrajectory *plan, const double *held,
                                        int steps, int round, double near, SsRunControl *control, SsExactShot *out,
                                        SsError *err);
/* At the targets, on its path, and within `near` of what half as long steps give. */
bool ss_shot_is_exact (const SsExactShot *shot, double near);
