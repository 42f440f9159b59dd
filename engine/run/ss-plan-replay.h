/* engine/run/ss-plan-replay.h: what a plan's controls are worth: its task's costs and constraints along the motion that
 * the integrator fesd-j gives under them.
 *
 * Whatever an optimiser reports, this is the plan's cost: the controls act, constant in each interval, from the given
 * start; events fall where they fall. Costs over the horizon are sums over the stages by their weights, costs and
 * targets of the end are those of the last row. Path constraints and bounds are looked at in every row and stage, which
 * are far denser than a plan's points.
 * Formulas are walked node by node (ss_graph_eval), as the metrics of models are.
 * Threads: one at a time. Tests: tests/numeric/test-polish.c
 */
#pragma once

#include "simulate/ss-simulate.h"

typedef struct {
  bool is_complete;      /* the integrator came to the end; else what follows is not known */
  double objective;      /* as of the plan: costs, effort, targets with finite weights */
  double path_violation; /* largest of path constraints and bounds of coordinates, in their units */
  double worst_t;        /* where [s] */
  double target_miss;    /* largest distance from targets that are constraints [m, rad, m/s, rad/s] */
  SsSimResult simulated; /* owned: the motion */
} SsPlanReplay;

/* `plan` has the horizon and the intervals; controls[steps * n_actuators]. `steps`: of the integrator in each interval.
 * `out` is initialised here; release with ss_plan_replay_clear, also after an error. A motion that ends early is no
 * error. */
SS_NODISCARD SsStatus ss_plan_replay (const SsScenario *scenario, const SsPlan *plan, const double *controls, int steps,
                                      SsRunControl *control, SsPlanReplay *out, SsError *err);
void ss_plan_replay_clear (SsPlanReplay *replay);
