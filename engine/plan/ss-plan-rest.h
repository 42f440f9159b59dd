/* engine/plan/ss-plan-rest.h: what is left of a scene's plan from a later time on: the same scene and task, its bodies
 * in a state of then, fewer intervals.
 *
 * Targets, path constraints, bounds and costs are the task's; its clock starts at 0 again, so that forces and formulas
 * of the task that depend on the time have no rest, nor has a plan whose end time is free.
 * Threads  any, each with its own. Tests: tests/numeric/test-pieces.c
 */
#pragma once

#include "core/ss-trajectory.h"
#include "scene/ss-scenario.h"

/* Must not move after ss_plan_rest_open: its scenario points into it. */
typedef struct {
  SsScenario scenario; /* borrows all but scene, bodies and plan */
  SsScene scene;
  SsBody *bodies; /* owned */
  SsPlan plan;
} SsPlanRest;

/* Whether a plan of the scenario can be made again later: SS_ERR_INVALID names what depends on the time. `purpose`:
 * what cannot be done then, as in "planned again and again". */
SS_NODISCARD SsStatus ss_plan_rest_check (const SsScenario *scenario, const char *purpose, SsError *err);
/* `scenario` is borrowed; `steps` intervals of `horizon` seconds. Bodies are at the scenario's start. Release with
 * ss_plan_rest_close, also after an error. */
SS_NODISCARD SsStatus ss_plan_rest_open (const SsScenario *scenario, double horizon, int steps, SsPlanRest *out,
                                         SsError *err);
void ss_plan_rest_close (SsPlanRest *rest);
/* The bodies where q and v, 3 n_bodies each, have them; fixed ones stay. */
void ss_plan_rest_place (SsPlanRest *rest, const double *q, const double *v);
/* As the row of the motion has them; SS_ERR_INVALID where it lacks a body that moves. */
SS_NODISCARD SsStatus ss_plan_rest_follow (SsPlanRest *rest, const SsTrajectory *motion, int row, SsError *err);
