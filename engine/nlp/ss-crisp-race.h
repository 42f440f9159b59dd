/* engine/nlp/ss-crisp-race.h: the race for models in equations; the cheapest of the proved or else feasible answers is
 * the answer.
 *
 * First ten iterations of CRISP and the interior point (ss-interior.h); where neither has an answer, coarser grids of
 * time points (ss-coarse.h; models of 150 points and more), the interior point from a few noisy starts, CRISP from the
 * best of their ends and by its defaults, then the homotopy (ss-scholtes.h). What has an answer is searched on: first
 * by coarser grids, then by CRISP's defaults, then by the interior point from the best answer and from the guess, both
 * with noise, between these once with products first relaxed (up to 10, lowered to a tenth down to 0.01, penalties from
 * 30), last by the homotopy. CRISP gives up where it gets no better than the best. A later answer comes in the place of
 * the best if it is cheaper and, where that one is proved to be B-stationary, proved too.
 *
 * With a budget the search has what is left of it, and its longer members run where enough is. Without one coarser
 * grids and the defaults have no limit of their own, and the search has `improve` times the work up to the first answer
 * beside them; nothing is searched with improve 0, or where there are no pairs. All that is decided is decided by
 * counted work (core/ss-work.h): the same seed and number of threads give the same bits, and a larger budget begins as
 * a smaller one does, but for longer members, to which the smaller one gives no time or half of what it has left.
 *
 * Each new best answer is told at once (SS_PROGRESS_ANSWER, `solved`). Where the members are the listener is told as of
 * the race of plan/ss-race.h (core/ss-members.h), and one of them may be stopped while the others go on; iterations
 * have a column `member`. Noise and shares were tuned on fresh instances of seed 501 of `bench crisp`, the place of the
 * defaults on seed 8181, that of coarser grids on seed 9091.
 *
 * Threads: solve starts threads - 1 of its own, and has joined them when it returns; the homotopy, whose library is not
 * made for it, runs alone. Tests: tests/numeric/test-finish.c, tests/numeric/test-model-race.c, tests/ui/test_race.py
 */
#pragma once

#include "core/ss-work.h"
#include "nlp/ss-nlp.h"

/* Counted work in a second of CPU time of an idle core: with small matrices and formulas four to eight times as much is
 * done as is counted. */
#define SS_MODEL_RACE_SECOND (SS_WORK_SECOND / 6)

typedef struct {
  int threads;            /* members at once */
  double budget, improve; /* CPU time of all threads [s], 0: none; part */
  int seed;               /* of the noise */
} SsModelRaceOptions;

extern const SsNlpClass ss_nlp_crisp_race; /* name "models"; options: SsModelRaceOptions; no table */
