/* engine/mpcc/ss-problem.h: a scenario's model as an MPCC, and as a trajectory.
 *
 * Variables are stacked by time point, x = [z_0, ..., z_{N-1}], each z_k in the order of the model's `variables`.
 * Rows: equalities of all blocks in file order, inequalities of all blocks in file order; in a block by time point, at
 * a point as listed; a complementary pair gives a >= 0 and b >= 0 (unless that sign is not asked for, or the same
 * formula is already a row at that point, in whatever block), then -(a*b) >= 0. A row is named like its place in the
 * file: "contact[17].nonnegative[3]", 17 the time point.
 *
 * Structural parameters (they change sizes, or the time step where a formula reads t: t = k h is a number of the
 * instance) are built in. All others stay inputs: ss_mpcc_set_parameters with the values of another reading of the same
 * file solves again without set-up, provided that structural parameters are equal.
 */
#pragma once

#include "mpcc/ss-mpcc.h"
#include "scene/ss-scenario.h"

/* Builds the MPCC of scenario->model, with the scenario's parameter values set (SS_ERR_INVALID if the scenario has
 * none). The scenario is only read, and may be freed afterwards, but metrics need it. */
SS_NODISCARD SsStatus ss_problem_build (const SsScenario *scenario, SsMpcc **out, SsError *err);
/* Parameter values of the scenario in the order the mpcc expects (n = scenario->n_parameters). */
void ss_problem_parameters (const SsScenario *scenario, double *values);
/* Initial guess (zeros, formulas or roll-out) into x[N * n_variables]. */
SS_NODISCARD SsStatus ss_problem_guess (const SsScenario *scenario, double *x, SsError *err);
/* x as a trajectory with channels t, the model's variables, and its further channels; a row for each point, or for each
 * point of model->rows. Times of elements that miss each other by what the rows of the model are violated by are made
 * to meet: the next left point has the time of the end before it, and no time descends. */
SS_NODISCARD SsStatus ss_problem_trajectory (const SsScenario *scenario, const double *x, SsTrajectory **out,
                                             SsError *err);
/* Stages of a model of finite elements: channels t, weight [s], row (of that trajectory, before which the stage lies),
 * and those of the model; *out is NULL where the model has none. */
SS_NODISCARD SsStatus ss_problem_stages (const SsScenario *scenario, const double *x, SsTrajectory **out, SsError *err);
