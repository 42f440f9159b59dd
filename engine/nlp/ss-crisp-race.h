/* engine/nlp/ss-crisp-race.h: the race for models in equations; the lowest of the proved or else feasible answers is
 * the answer.
 *
 * The interior point (ss-interior.h) runs first. Where its answer is proved B-stationary and at most half of the pairs
 * are zero on both sides, and it costs at most six times what its way with relaxed products did, it is the
 * answer: no other member runs. More such pairs mean that its branch is one of very
 * many; then CRISP runs by its defaults, and with products first relaxed (up to 10, lowered to a tenth down to 0.01,
 * penalties from 30), both with the finish. Where the interior point has no answer, CRISP goes on from its end, and
 * runs by its defaults. Tuned on fresh instances of seeds 101 and, the factor of six, 47119 of `bench crisp`.
 *
 * Where the members are the listener is told as of the race of plan/ss-race.h (core/ss-members.h), and one of them may
 * be stopped while the others go on; iterations have a column `member`. Once a member has solved, what is published to
 * be looked at is the best answer, so that a race that is ended from outside still has it.
 *
 * Threads: one at a time, none of its own: the same bits again. Tests: tests/numeric/test-finish.c,
 * tests/ui/test_race.py
 */
#pragma once

#include "nlp/ss-nlp.h"

extern const SsNlpClass ss_nlp_crisp_race; /* name "models"; no options */
