/* engine/judge/ss-plan-value.h: what a plan's task says of a motion, whoever made it: its cost, and how far it leaves
 * what the task asks for on the way.
 *
 * Cost     that of the task (scene/ss-scenario.h: effort, effort_rate, costs, targets with a weight, time), integrals
 *          by the stages of the motion: sum over stages of weight times integrand. Effort reads the controls of the
 *          stages, effort_rate the changes from row to row.
 * Way      path constraints (not those of the last point alone) and bounds of coordinates, at the rows and at
 *          SS_PLAN_VALUE_BETWEEN times between each two of them, where poses are those of the cubic polynomial with the
 *          velocities of both rows (ss_trajectory_sample_motion). A plan whose constraints hold at its points alone may
 *          break them between.
 * In tau   of paper 001's other cost, integrals over numerical time: dtau = (1 + sum lambda_n / a_n) dt in contact,
 *          and a jump lasts impulse / a_n; exact while one contact at a time is closed.
 * Tests    tests/numeric/test-plan-value.c, tests/numeric/test-freeze-plan.c
 */
#pragma once

#include "core/ss-trajectory.h"
#include "scene/ss-scenario.h"

enum { SS_PLAN_VALUE_BETWEEN = 7 };

typedef struct {
  double objective;
  double way;    /* largest violation on the way, in the unit of its constraint; 0: none */
  double t;      /* when [s]; NaN: never                                                */
  char what[96]; /* name of the constraint, or body and coordinate of the bound; "" */
} SsPlanValue;

/* `scenario` has a scene and task->plan; `motion` and `stages` have the channels of SsSimResult, at least one row each
 * of the motion; bodies that have no channels stay where the scene has them. SS_ERR_MEMORY; formulas that are not
 * finite make the numbers so. */
SS_NODISCARD SsStatus ss_plan_value (const SsScenario *scenario, const SsTrajectory *motion, const SsTrajectory *stages,
                                     SsPlanValue *out, SsError *err);
/* With integrals over numerical time; a_n [N] by contact of the scene, NULL: over time. */
SS_NODISCARD SsStatus ss_plan_value_in_tau (const SsScenario *scenario, const SsTrajectory *motion,
                                            const SsTrajectory *stages, const double *a_n, SsPlanValue *out,
                                            SsError *err);
