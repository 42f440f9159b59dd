/* engine/nlp/ss-interior.h: an interior point for MPCCs with exact second derivatives: products relaxed first, the
 * finish at the end.
 *
 * The relaxed problem a b <= sigma is followed by the Newton steps of ss-branch.h while barrier and sigma fall
 * together; the point where they end is finished (ss-finish.h). A tenth of CRISP's work per iteration, as each is one
 * factorisation; where the contacts found on the way cannot be kept, there is no answer.
 *
 * Threads: one at a time. Tests: tests/numeric/test-finish.c
 */
#pragma once

#include "nlp/ss-nlp.h"

typedef struct {
  double mu_first, mu_last, sigma_first, sigma_last, factor, penalty;
  int max_steps, level_steps;
} SsInteriorOptions;

extern const SsNlpClass ss_nlp_interior; /* name "interior" */
