/* engine/plan/ss-passing.h: whether a body passes through another within a step of a motion that is tried. Steps whose
 * law looks at their ends alone let that happen, and the judge refuses such a plan. Private to the room `plan`.
 *
 * Passed is what overlaps between the ends of a step by as much as the judge refuses, SS_RUN_OVERLAP_MAX or
 * SS_RUN_OVERLAP_SHARE_MAX of the thinner body. Only pairs that move by twice of that against each other are looked at.
 *
 * Threads  any, each its own. Tests: tests/numeric/test-sampled-cost.c
 */
#pragma once

#include "scene/ss-scenario.h"

typedef struct SsPassing SsPassing;

/* `scene` is borrowed. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_passing_new (const SsScene *scene, SsPassing **out, SsError *err);
void ss_passing_free (SsPassing *passing); /* NULL is allowed */
/* On the straight way from the one to the other poses [3 n_bodies]. */
bool ss_passing_step (const SsPassing *passing, const double *from, const double *to);
