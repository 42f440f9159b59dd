/* engine/mpcc/ss-problem.h: a scenario's model as an MPCC, and as a trajectory.
 *
 * Variables are stacked by time point, x = [z_0, ..., z_{N-1}], each z_k in the order of the model's `variables`.
 */
#pragma once

#include "mpcc/ss-mpcc.h"
#include "scene/ss-scenario.h"

/* Builds the MPCC of scenario->model (SS_ERR_INVALID if the scenario has none). The scenario may be freed afterwards, but metrics need it. */
SS_NODISCARD SsStatus ss_problem_build (const SsScenario *scenario, SsMpcc **out, SsError *err);
/* Parameter values of the scenario in the order the mpcc expects (n = scenario->n_parameters). */
void ss_problem_parameters (const SsScenario *scenario, double *values);
/* Initial guess (zeros, formulas or roll-out) into x[N * n_variables]. */
SS_NODISCARD SsStatus ss_problem_guess (const SsScenario *scenario, double *x, SsError *err);
/* x as a trajectory with channels t and the model's variables. */
SS_NODISCARD SsStatus ss_problem_trajectory (const SsScenario *scenario, const double *x, SsTrajectory **out, SsError *err);
