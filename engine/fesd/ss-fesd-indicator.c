/* engine/fesd/ss-fesd-indicator.c: see ss-fesd-indicator.h. */
#include "fesd/ss-fesd-indicator.h"

static double
sum (int n, const double *values)
{
  double total = 0;

  for (int i = 0; i < n; i++)
    total += values[i];
  return total;
}

/* Sums and their products [000 (27a)-(27b) (28) Tab 1]. */
double
ss_fesd_kappa (int n, const SsFesdContactValues *before, const SsFesdContactValues *after)
{
  SS_ASSERT (n >= 0 && before != NULL && after != NULL);

  double pi_gap = after->gap[0] * sum (n + 1, before->gap) * sum (n + 1, after->gap);

  return pi_gap + sum (n, before->lambda_n) * sum (n, after->lambda_n);
}

/* [000 (29a)-(29c) Tab 2]. */
double
ss_fesd_zeta (int n, const SsFesdContactValues *before, const SsFesdContactValues *after)
{
  SS_ASSERT (n >= 0 && before != NULL);
  if (before->beta == NULL)
    return 1;
  return sum (n + 1, before->gap) + sum (n + 1, after->gap) + sum (n + 1, before->part_1) * sum (n + 1, after->part_1) +
         sum (n + 1, before->part_2) * sum (n + 1, after->part_2) + sum (n, before->beta) * sum (n, after->beta);
}

/* [000 (30)]. */
double
ss_fesd_eta (int n, int n_contacts, const SsFesdContactValues *before, const SsFesdContactValues *after)
{
  SS_ASSERT (n >= 0 && n_contacts >= 0);

  double eta = 1;

  for (int l = 0; l < n_contacts; l++)
    eta *= ss_fesd_kappa (n, &before[l], &after[l]) * ss_fesd_zeta (n, &before[l], &after[l]);
  return eta;
}
