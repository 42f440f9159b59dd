/* engine/nlp/ss-scale.h: an objective of uncommon size, such as 1e-12 or 1e14, scaled for a method and told unscaled.
 *
 * Penalties, tolerances and barriers of the optimisers are of a common size. The size of an objective is its largest
 * first or second derivative (of the diagonal), taken at the start and at points around it. Where all of these are
 * above SS_SCALE_MOST or all below SS_SCALE_LEAST it is scaled so that their least or largest one becomes about
 * SS_SCALE_COMMON; by a power of two, so that nothing is rounded. Else the scale is 1: one point that is very flat or
 * very steep says nothing of the others, and problems of common size keep their bits. The limits are wide: costs of
 * transport are of size 2e5, and their answers are four times as good with low penalties beside them.
 *
 * Threads: any. Memory: choosing allocates and frees. Tests: tests/numeric/test-verdicts.c
 */
#pragma once

#include "core/ss-members.h"
#include "nlp/ss-nlp.h"

#define SS_SCALE_LEAST  1e-4
#define SS_SCALE_MOST   1e6
#define SS_SCALE_COMMON 10.0

/* The number for ss_mpcc_set_objective_scale, from x0 (n_variables). SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_scale_choose (const SsMpcc *mpcc, const double *x0, double *scale, SsError *err);
/* What a method told of the scaled objective, in the objective's own unit: value of the finish, certificate, measure of
 * stationarity, and multipliers into y (n_rows). */
void ss_scale_undo (const SsMpcc *mpcc, double scale, SsNlpResult *result, double *y);
/* The same of columns of an iteration, and of members of a race. */
void ss_scale_undo_columns (double scale, SsColumn *columns, int n);
void ss_scale_undo_members (double scale, SsMember *members, int n);
