/* engine/nlp/ss-crisp-race.h: the race for models in equations: CRISP with products first relaxed, and CRISP by its
 * defaults, both with the second-order finish; the lower of the proved or else feasible answers is the answer.
 *
 * The relaxed member runs first (products up to 10, lowered to a tenth down to 0.01, penalties from 30, finished as
 * soon as that gives a proved answer). The other has CRISP's defaults, and where the first has an answer no more than
 * one and a half times its iterations: the race costs two to four times what the default does. Tuned on fresh
 * instances of seed 101 of `bench crisp`.
 *
 * Threads: one at a time, none of its own: the same bits again. Tests: tests/numeric/test-finish.c
 */
#pragma once

#include "nlp/ss-nlp.h"

extern const SsNlpClass ss_nlp_crisp_race; /* name "models"; no options */
