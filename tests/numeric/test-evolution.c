/* tests/numeric/test-evolution.c: minima without derivatives. Truth: functions whose minimum is known. */
#include "plan/ss-evolution.h"

#include "ss-test.h"

#include <math.h>
#include <string.h>

enum { N = 8 };

/* Axes whose lengths differ by a thousand, about (0, 1, ... 7). */
static double
ellipsoid (const double *x)
{
  double sum = 0;

  for (int i = 0; i < N; i++)
    sum += pow (10, 6.0 * i / (N - 1)) * (x[i] - i) * (x[i] - i);
  return sum;
}

/* From 5 away along each axis to 1e-6 of the value there in 4000 tries: steps alone, without axes of their own, would
 * need about the square of the ratio of the axes. One in ten points has no value. */
static void
test_ellipsoid (void)
{
  double mean[N], units[N], x[N], best = INFINITY;
  SsEvolution *evolution = NULL;
  SsRandom random;
  SsError err = {0};

  ss_random_seed (&random, 3);
  SS_CHECK (ss_evolution_new (N, &random, &evolution, &err) == SS_OK);
  for (int i = 0; i < N; i++) {
    mean[i] = i + 5;
    units[i] = 1;
  }
  const double first = ellipsoid (mean);
  ss_evolution_begin (evolution, mean, units);
  SS_CHECK (!ss_evolution_is_over (evolution, 0.01));
  for (int k = 0; k < 4000; k++) {
    ss_evolution_draw (evolution, x);
    const double cost = k % 10 == 9 ? INFINITY : ellipsoid (x);
    ss_evolution_tell (evolution, x, cost);
    best = fmin (best, cost);
  }
  SS_CHECK (best < 1e-6 * first);
  ss_evolution_free (evolution);
}

/* Where nothing is better than anything else it gives up. */
static void
test_flat (void)
{
  const double mean[2] = {0, 0}, units[2] = {1, 1};
  double x[2];
  SsEvolution *evolution = NULL;
  SsRandom random;
  SsError err = {0};
  int k = 0;

  ss_random_seed (&random, 3);
  SS_CHECK (ss_evolution_new (2, &random, &evolution, &err) == SS_OK);
  ss_evolution_begin (evolution, mean, units);
  for (; k < 1000 && !ss_evolution_is_over (evolution, 0.01); k++) {
    ss_evolution_draw (evolution, x);
    ss_evolution_tell (evolution, x, 1);
  }
  SS_CHECK (k < 1000);
  ss_evolution_free (evolution);
}

int
main (void)
{
  SS_RUN (test_ellipsoid);
  SS_RUN (test_flat);
  return ss_test_finish ();
}
