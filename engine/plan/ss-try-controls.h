/* engine/plan/ss-try-controls.h: what the controls of a plan are worth: its task's costs and constraints along the
 * motion that the integrator fesd-j gives under them, with its stages and events, from which a mode
 * sequence can be read.
 *
 * As ss-run-replayed.h, for controls that no plan of elements has yet.
 * Threads: one at a time. Tests: tests/numeric/test-polish.c
 */
#pragma once

#include "judge/ss-plan-value.h"
#include "simulate/ss-simulate.h"

typedef struct {
  bool is_complete; /* the integrator came to the end; else the value is not known (NaN) */
  SsPlanValue value;
  SsSimResult simulated; /* owned: the motion */
} SsTriedControls;

/* a_n: NULL, or costs are integrals over numerical time (judge/ss-plan-value.h). `plan`: horizon and intervals (the
 * rest is that of the scenario); controls[plan->steps * n_actuators], constant in each interval. `steps`: of the
 * integrator in each interval. `out` is initialised here; release with ss_tried_controls_clear, also after an error. A
 * motion that ends early is no error. */
SS_NODISCARD SsStatus ss_try_controls (const SsScenario *scenario, const SsPlan *plan, const double *controls,
                                       int steps, const double *a_n, SsRunControl *control, SsTriedControls *out,
                                       SsError *err);
void ss_tried_controls_clear (SsTriedControls *tried);
