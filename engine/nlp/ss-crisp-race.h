/* engine/nlp/ss-crisp-race.h: the race for models in equations: CRISP with products first relaxed, and CRISP by its
 * defaults, both with the second-order finish; the lower of the proved or else feasible answers is the answer.
 *
 * The relaxed member runs first (products up to 10, lowered to a tenth twice, penalties from 30), coarsely, since the
 * finish takes its last steps. The other then has CRISP's defaults, and no more iterations than keep the price of the
 * race at about twice that of the cheaper member, unless there is no answer yet. Tuned on fresh instances of seed 101 of
 * `bench crisp`.
 *
 * Threads: one at a time, none of its own: the same bits again. Tests: tests/numeric/test-finish.c
 */
#pragma once

#include "nlp/ss-nlp.h"

extern const SsNlpClass ss_nlp_crisp_race; /* name "models"; no options */
