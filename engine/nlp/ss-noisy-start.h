/* engine/nlp/ss-noisy-start.h: a start of a solver with noise. Private to the room `nlp`.
 *
 * Any thread. Tests: tests/numeric/test-model-race.c
 */
#pragma once

#include <stdint.h>

/* x0[n] = centre[n] and normal noise: of each variable `noise` times its size in `like`[n], or, of those that are small
 * there, times a tenth of their root mean square (of 1 at most). The same seed and number give the same start. */
void ss_noisy_start (int n, const double *centre, const double *like, double noise, uint64_t seed, int number,
                     double *x0);
