/* engine/nlp/ss-crisp-race.h: the race for models in equations; the lowest of the proved or else feasible answers is
 * the answer.
 *
 * The interior point (ss-interior.h) runs first. Where its answer is proved B-stationary and at most half of the pairs
 * are zero on both sides, it is the answer: no other member runs. More such pairs mean that its branch is one of very
 * many; then CRISP runs by its defaults, and with products first relaxed (up to 10, lowered to a tenth down to 0.01,
 * penalties from 30), both with the finish. Where the interior point has no answer, CRISP goes on from its end, and
 * runs by its defaults. Tuned on fresh instances of seed 101 of `bench crisp`.
 *
 * Threads: one at a time, none of its own: the same bits again. Tests: tests/numeric/test-finish.c
 */
#pragma once

#include "nlp/ss-nlp.h"

extern const SsNlpClass ss_nlp_crisp_race; /* name "models"; no options */
