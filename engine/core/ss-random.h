/* engine/core/ss-random.h: seeded random numbers, the same sequence on every machine (xoshiro256**, seeded by
 * splitmix64; D. Blackman, S. Vigna, ACM Trans. Math. Softw. 47 (2021)). One state per owner; no globals. */
#pragma once

#include <stdint.h>

typedef struct {
  uint64_t s[4];
} SsRandom;

/* Any seed, also 0, gives a good state; the same seed the same sequence. */
void ss_random_seed (SsRandom *random, uint64_t seed);
/* 64 random bits. */
uint64_t ss_random_next (SsRandom *random);
double ss_random_uniform (SsRandom *random); /* [0, 1), 53 bits                         */
/* lo + (hi - lo) uniform. */
double ss_random_between (SsRandom *random, double lo, double hi);
double ss_random_normal (SsRandom *random); /* mean 0, variance 1                      */
