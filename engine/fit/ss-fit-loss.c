/* engine/fit/ss-fit-loss.c: see the header. */
#include "fit/ss-fit-loss.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HUBER_BOUND 1.345
#define TUKEY_BOUND 4.685

static const char *const names[] = {
#define X(id, name) name,
    SS_FIT_LOSS_LIST (X)
#undef X
};

const char *
ss_fit_loss_name (SsFitLoss loss)
{
  SS_ASSERT (loss < SS_FIT_LOSS_COUNT);
  return names[loss];
}

SsFitLoss
ss_fit_loss_find (const char *name)
{
  int i = 0;

  while (i < SS_FIT_LOSS_COUNT && strcmp (names[i], name) != 0)
    i++;
  return (SsFitLoss)i;
}

double
ss_fit_rho (SsFitLoss loss, double u)
{
  const double a = fabs (u), q = u / TUKEY_BOUND, left = 1 - q * q;

  if (loss == SS_FIT_HUBER && a > HUBER_BOUND)
    return HUBER_BOUND * (a - HUBER_BOUND / 2);
  if (loss == SS_FIT_TUKEY)
    return TUKEY_BOUND * TUKEY_BOUND / 6 * (left > 0 ? 1 - left * left * left : 1);
  return u * u / 2;
}

double
ss_fit_weight (SsFitLoss loss, double u)
{
  const double a = fabs (u), q = u / TUKEY_BOUND, left = 1 - q * q;

  if (loss == SS_FIT_HUBER)
    return a > HUBER_BOUND ? HUBER_BOUND / a : 1;
  if (loss == SS_FIT_TUKEY)
    return left > 0 ? left * left : 0;
  return 1;
}

double
ss_fit_psi_slope (SsFitLoss loss, double u)
{
  const double q = u / TUKEY_BOUND, left = 1 - q * q;

  if (loss == SS_FIT_HUBER)
    return fabs (u) > HUBER_BOUND ? 0 : 1;
  if (loss == SS_FIT_TUKEY)
    return left > 0 ? left * (1 - 5 * q * q) : 0;
  return 1;
}

static int
compare (const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}

double
ss_fit_scale (SsFitQuantile which, double *values, int n)
{
  static const struct {
    double share, normal; /* quantile of |values|, and what it is of normal noise */
  } quantiles[] = {{0.5, 0.6744897501960817}, {0.75, 1.1503493803760083}};

  if (n <= 0)
    return 0;
  for (int i = 0; i < n; i++)
    values[i] = fabs (values[i]);
  qsort (values, (size_t)n, sizeof *values, compare);
  const double at = quantiles[which].share * (n - 1);
  const int low = (int)at, high = low + 1 < n ? low + 1 : low;
  return (values[low] + (at - low) * (values[high] - values[low])) / quantiles[which].normal;
}

double
ss_fit_student (double freedom)
{
  const double z = 1.959963984540054, z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z, z9 = z7 * z * z,
               n = fmax (freedom, 1);

  if (n < 2)
    return tan (0.475 * acos (-1)); /* the distribution of Cauchy */
  if (n < 3)
    return 0.95 * sqrt (2 / (4 * 0.975 * 0.025));
  return z + (z3 + z) / (4 * n) + (5 * z5 + 16 * z3 + 3 * z) / (96 * n * n) +
         (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * n * n * n) +
         (79 * z9 + 776 * z7 + 1482 * z5 - 1920 * z3 - 945 * z) / (92160 * n * n * n * n);
}
