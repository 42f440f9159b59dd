/* engine/dynamics/ss-slopes.h: how the formulas of a scene's forces and actuators vary with positions and velocities:
 * symbolic derivatives (expr/ss-expr.h), evaluated by one tape.
 *
 * A formula has a number: 3 i + 0, 1, 2 for fx, fy, torque of force i, 3 n_forces + i for actuator i. Input slots are
 * the scene's: 6 b + 0..2 for the position of body b, 6 b + 3..5 for its velocity. At kinks, and within if, floor and
 * mod, a slope is that of the branch. Tests: tests/numeric/test-stiff.c
 */
#pragma once

#include "scene/ss-scenario.h"

typedef struct SsSlopes SsSlopes;

typedef struct {
  int formula, slot;
  double value;
} SsSlope;

/* *out is NULL where no formula reads a position or velocity. The scene is borrowed. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_slopes_new (const SsScene *scene, SsSlopes **out, SsError *err);
void ss_slopes_free (SsSlopes *slopes); /* NULL is allowed */

/* Which there are, by formula, then by slot; their values are those of the last call of ss_slopes_find. */
int ss_slopes_count (const SsSlopes *slopes);
const SsSlope *ss_slopes_get (const SsSlopes *slopes);

/* Slopes, and values of the formulas that have some, at (t, q, v). */
void ss_slopes_find (SsSlopes *slopes, double t, const double *q, const double *v);
/* Value of a formula there; 0 of one without slopes, or where there is none. */
double ss_slopes_value (const SsSlopes *slopes, int formula);
