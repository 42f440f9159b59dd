/* engine/nlp/ss-coarse.h: models on a grid of time points, from coarse to fine.
 *
 * The model is read again on half as many steps over the same time (ss_scenario_read_coarser), again and again, down to
 * fifty points. The coarsest grid is solved by CRISP's defaults, by the interior point (ss-interior.h), and by that
 * again from starts with noise, as many as half the points of the given grid divided by its own; the cheapest answer is
 * carried to the next finer grid, by lines between its points. There CRISP is near an answer (preset=warm) and finds it
 * in a few iterations, or else the interior point does. A grid without an answer is left, and the next finer one begins
 * anew. The answer on the given grid is finished (ss-finish.h).
 *
 * A search on few points is cheap, and a step of CRISP moves a contact further there. A cost that is a sum over points
 * is another one on a coarser grid, whose answer is a start, no more.
 *
 * Multipliers are not carried: CRISP's penalties begin anew, and the finish makes its own.
 *
 * Threads: one at a time. Tests: tests/numeric/test-model-race.c
 */
#pragma once

#include "nlp/ss-nlp.h"

extern const SsNlpClass ss_nlp_coarse; /* name "coarse"; no options */
/* Before each solve: the model, with its numbers, that the solver's mpcc was built of (borrowed until that solve ends;
 * NULL: none, and the solve stalls), and the objective of an answer that is known: the last grid's search ends where it
 * hardly gets below (INFINITY: none); seed: of the noise. */
void ss_coarse_prepare (void *solver, const SsScenario *model, double enough, int seed);
