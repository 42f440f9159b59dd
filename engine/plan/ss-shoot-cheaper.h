/* engine/plan/ss-shoot-cheaper.h: a cheaper motion by the law of plans near one that ends at the targets. Private to
 * the room `plan`.
 *
 * Hats are added to the plan's controls (plan/ss-track-plan.h), and their heights z follow steps d of sequential
 * quadratic programming (J. Nocedal, S. J. Wright, Numerical Optimization (2006), ch. 18): least g'd + d'Hd / 2 over
 * J d = 0, where g and J are differences of simulations (of the task's objective, and of what its targets, constraints
 * and bounds are missed by) and H is what effort and its rate add to the objective, damped after Levenberg and
 * Marquardt. Each step ends with shooting, so every motion is simulated, obeys the law at every step and ends at the
 * targets. It is kept where it costs less, and where who asks for it agrees: a plan whose replay ends elsewhere may be
 * the cheaper one.
 *
 * Threads  any. Tests: tests/numeric/test-refine.c
 */
#pragma once

#include "core/ss-run-control.h"
#include "core/ss-trajectory.h"
#include "scene/ss-scenario.h"

/* Whether a motion that costs less may be kept; NULL: any. */
typedef struct {
  SsStatus (*is_kept) (void *user_data, const SsTrajectory *motion, bool *is, SsError *err);
  void *user_data;
} SsCheaperJudge;

typedef struct {
  SsTrajectory *motion; /* owned by the caller; NULL: none that is cheaper was found */
  double before, after; /* the task's objective */
  int n_steps;          /* that were kept */
} SsCheaper;

/* From a motion of the scenario that ends at its targets, in its own equal steps. Ends early where `control` says so,
 * with what it has. SS_ERR_MEMORY, SS_ERR_INVALID (no plan of the scene). */
SS_NODISCARD SsStatus ss_shoot_cheaper (const SsScenario *scenario, const SsTrajectory *plan,
                                        const SsCheaperJudge *judge, SsRunControl *control, SsCheaper *out,
                                        SsError *err);
