/* engine/nlp/ss-interior.h: an interior point for MPCCs with exact second derivatives: products relaxed first, the
 * finish at the end.
 *
 * The relaxed problem a b <= sigma is followed by the Newton steps of ss-branch.h while barrier and sigma fall
 * together. Penalties begin low, so that rows are violated while contacts are sought; those of rows that still are at a
 * small barrier are raised. The point where they end is finished (ss-finish.h), within four times the work of the way.
 * A tenth of CRISP's work per iteration, as each is one factorisation; where the contacts found on the way cannot be
 * kept, there is no answer.
 *
 * Threads: one at a time. Tests: tests/numeric/test-finish.c
 */
#pragma once

#include "nlp/ss-branch.h"
#include "nlp/ss-nlp.h"

typedef struct {
  double mu_first, mu_last, sigma_first, sigma_last, factor, penalty, raise_below;
  int max_steps, level_steps;
} SsInteriorOptions;

/* The way with relaxed products, before the finish; NULL: by the defaults. */
SsRelaxation ss_interior_way (const SsInteriorOptions *options);

extern const SsNlpClass ss_nlp_interior; /* name "interior" */
