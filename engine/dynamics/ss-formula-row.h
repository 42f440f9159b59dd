/* engine/dynamics/ss-formula-row.h: rows of a scene's constraints phi (q, t) by formula: value, symbolic derivatives
 * and the second derivative along the motion, by one tape each.
 *
 * With the gradient g and the Hessian H of phi: Jacobian g' on the coordinates of the two bodies, rate_t = phi_t,
 * gdv = v' H v + 2 phi_qt v + phi_tt. What
 * else phi reads (bodies that are fixed, parameters) is as at the start. At the kinks of abs, min and max the slope is
 * that of a branch. Tests: tests/numeric/test-constraint-formula.c
 */
#pragma once

#include "scene/ss-scenario.h"

typedef struct SsFormulaRows SsFormulaRows;

/* *out is NULL where no joint of the scene (borrowed) is a formula. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_formula_rows_new (const SsScene *scene, SsFormulaRows **out, SsError *err);
void ss_formula_rows_free (SsFormulaRows *rows); /* NULL is allowed */

/* What there is of a row (dynamics/ss-dynamics.h). */
typedef struct {
  double phi;
  double j[6];
  double rate_t;
  double gdv;
} SsFormulaRow;

/* Of a joint that is a formula at (t, q, v); v == NULL counts as 0. Uses work of `rows`. */
SsFormulaRow ss_formula_rows_find (const SsFormulaRows *rows, int joint, double t, const double *q, const double *v);
