/* engine/plan/ss-sampled-cost.h: what a motion that is tried costs: how far it is from what the task of a plan asks
 * for, at its end and on the way, of all bodies; and which bodies the task speaks of, and where it wants them.
 * Private to the room `plan`.
 *
 * Missed   a sum without unit, 0 where the task is met.
 *          Targets and constraints of the last point: (off / unit)^2, where the unit is what is asked for at the start,
 *          so that not moving costs 1 each, but at least 5 cm and .3 rad; speeds count .05 (off / (1 m/s))^2.
 *          On the way (bounds and the other constraints): log (1 + (worst / unit)^2) each of its worst point, with 5 cm
 *          or a tenth of the longest way that is asked for, .3 rad, .5 m/s and .5 rad/s: what one sample cannot keep
 *          does not hide the goal.
 * Objective of the task: effort, its rate, costs, weighted targets.
 *
 * Threads: any, each its own. Tests: tests/numeric/test-sampled-cost.c
 */
#pragma once

#include "scene/ss-scenario.h"

typedef struct SsSampledCost SsSampledCost;

typedef struct {
  double missed;    /* [-]; infinite: a formula has no value */
  double objective; /* as the plan's */
  double distance;  /* of the farthest body from its target's position [m] */
} SsSampledValue;

/* Of motions in so many steps over the plan's horizon. `scenario` is borrowed. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_sampled_cost_new (const SsScenario *scenario, int steps, SsSampledCost **out, SsError *err);
void ss_sampled_cost_free (SsSampledCost *cost); /* NULL is allowed */

/* A motion begins; its points 0, 1, ... N in turn, with poses and velocities [3 n_bodies] and the controls that act
 * from there on (of the last point those that acted before); its value after point N. */
void ss_sampled_cost_begin (SsSampledCost *cost);
void ss_sampled_cost_add (SsSampledCost *cost, int point, const double *q, const double *v, const double *u);
SsSampledValue ss_sampled_cost_end (const SsSampledCost *cost);

/* The same as rows to be closed, but for targets: what constraints of the last point are off (of an inequality, by how
 * much it is below a little above 0), what the other constraints and the bounds are broken by at their worst points,
 * each in its own unit. */
int ss_sampled_cost_n_rows (const SsSampledCost *cost);
/* rows[n_rows], after the motion's last point; returns by how much the worst is broken. */
double ss_sampled_cost_rows (const SsSampledCost *cost, double *rows);

/* Whether the task wants the body somewhere: it has a target, or a formula of the last point reads its pose. */
bool ss_sampled_cost_speaks_of (const SsSampledCost *cost, int body);
/* How far it wants the body to go from the start along x, y or theta; 0: it does not say. Of formulas of the last
 * point: the shortest way by which each would be met, or where its cost is least, if it were linear, or quadratic. */
double ss_sampled_cost_asked (const SsSampledCost *cost, int body, int axis);
