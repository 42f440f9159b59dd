/* engine/nlp/ss-noisy-start.c: see the header. */
#include "nlp/ss-noisy-start.h"

#include "core/ss-status.h"
#include "core/ss-random.h"

#include <math.h>

void
ss_noisy_start (int n, const double *centre, const double *like, double noise, uint64_t seed, int number, double *x0)
{
  SS_ASSERT (n >= 0);

  double squares = 0;
  SsRandom random;

  for (int j = 0; j < n; j++)
    squares += like[j] * like[j] / n;
  const double least = 0.1 * fmin (1, sqrt (squares));
  ss_random_seed (&random, seed);
  ss_random_seed (&random, ss_random_next (&random) ^ (uint64_t)number);
  for (int j = 0; j < n; j++)
    x0[j] = centre[j] + noise * (fabs (like[j]) + least) * ss_random_normal (&random);
}
