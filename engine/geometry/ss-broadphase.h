/* engine/geometry/ss-broadphase.h: which of many boxes overlap, for scenes of a thousand bodies and more.
 *
 * Sort and sweep: the boxes are kept sorted along the axis in which their centres are spread wider, and each is
 * compared with those that begin before it ends. From step to step the order hardly changes, so that sorting is one
 * pass. Boxes may be infinite (half-planes): these are compared with all.
 * Order     the pairs depend on the boxes alone, not on what was asked before; they are sorted by first, then second
 *           item.
 * Memory    update allocates only when there are more pairs than ever before.
 * Threads   one thread at a time.
 * Tests     tests/numeric/test-geometry.c: against all pairs compared.
 */
#pragma once

#include "geometry/ss-geometry.h"

typedef struct SsBroadphase SsBroadphase;

typedef struct {
  int a, b; /* items, a < b */
} SsBroadphasePair;

/* n_items boxes, whose place in the arrays is their name.
 *   groups    pairs within one group are left out (the shapes of one body); NULL: every item is its own group; copied
 *   is_fixed  pairs of two fixed items are left out; NULL: none is; copied */
SS_NODISCARD SsStatus ss_broadphase_new (int n_items, const int *groups, const bool *is_fixed, SsBroadphase **out,
                                         SsError *err);
void ss_broadphase_free (SsBroadphase *broadphase); /* NULL is allowed */

/* Pairs whose boxes overlap or touch. boxes[n_items] without NaN (a box with a NaN overlaps nothing). *pairs is
 * borrowed until the next update. */
SS_NODISCARD SsStatus ss_broadphase_update (SsBroadphase *broadphase, const SsBox *boxes,
                                            const SsBroadphasePair **pairs, int *n_pairs, SsError *err);
