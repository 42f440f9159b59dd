/* tests/unit/test-statistics.c: quantiles, boxes and profiles, by hand and against their definitions on random data. */
#include "app/study/ssapp-statistics.h"
#include "tests/ss-test.h"

#include <math.h>

/* Of 1, 2, 3, 4 and of 7 values, as NumPy's percentile gives them. */
static void
quantiles_are_those_of_the_definition (void)
{
  const double four[4] = {1, 2, 3, 4}, seven[7] = {1, 2, 4, 8, 16, 32, 64}, mixed[6] = {3, NAN, 1, INFINITY, 2, 4};

  SS_CHECK_NEAR (ssapp_quantile (four, 4, 0.25), 1.75, 1e-15);
  SS_CHECK_NEAR (ssapp_quantile (four, 4, 0.5), 2.5, 1e-15);
  SS_CHECK_NEAR (ssapp_quantile (four, 4, 0.75), 3.25, 1e-15);
  SS_CHECK_NEAR (ssapp_quantile (four, 4, 0), 1, 0);
  SS_CHECK_NEAR (ssapp_quantile (four, 4, 1), 4, 0);
  SS_CHECK_NEAR (ssapp_quantile (seven, 7, 0.25), 3, 1e-15);
  SS_CHECK_NEAR (ssapp_quantile (seven, 7, 0.75), 24, 1e-13);
  SS_CHECK_NEAR (ssapp_quantile (seven, 1, 0.3), 1, 0);
  SS_CHECK (isnan (ssapp_quantile (four, 0, 0.5)));
  SS_CHECK_NEAR (ssapp_median_of (mixed, 6), 2.5, 1e-15);
  SS_CHECK (isnan (ssapp_median_of (mixed + 1, 1)));
}

/* 1 to 8 and 30: quartiles 3 and 7, so that 13 is the farthest that a whisker may reach. */
static void
boxes_end_at_values (void)
{
  const double values[10] = {30, 1, 2, 3, 4, 5, 6, 7, 8, NAN}, same[3] = {2, 2, 2}, few[4] = {0, 1, 75, 525};
  SsappBox box;

  SS_CHECK (ssapp_box_init (&box, values, 10));
  SS_CHECK (box.n == 9);
  SS_CHECK_NEAR (box.lower, 3, 1e-15);
  SS_CHECK_NEAR (box.median, 5, 1e-15);
  SS_CHECK_NEAR (box.upper, 7, 1e-15);
  SS_CHECK_NEAR (box.low, 1, 0);
  SS_CHECK_NEAR (box.high, 8, 0);
  SS_CHECK (ssapp_box_is_outlier (&box, 30) && ssapp_box_is_outlier (&box, 13.01) && !ssapp_box_is_outlier (&box, 13));
  /* 0, 1, 75, 525: the third quartile lies between values, the last of which is an outlier. */
  SS_CHECK (ssapp_box_init (&box, few, 4) && ssapp_box_is_outlier (&box, 525) && box.high == box.upper);
  SS_CHECK (!ssapp_box_init (&box, values + 9, 1) && isnan (box.median));
  SS_CHECK (ssapp_box_init (&box, same, 3) && box.low == 2 && box.high == 2 && ssapp_box_is_outlier (&box, 2.1));
}

/* Of up to 64 values: the part that are at most `limit`. */
static double
profile_at (const double *values, guint n, double limit)
{
  double x[64], y[64], part = 0;
  const guint n_steps = ssapp_profile_steps (values, n, x, y);

  for (guint k = 0; k < n_steps && x[k] <= limit; k++)
    part = y[k];
  return part;
}

/* Three problems, three methods: a tie, a failure, one that nobody solves. */
static void
performance_profile_by_hand (void)
{
  const double costs[9] = {1, 2, 1, NAN, 3, 6, NAN, INFINITY, NAN};
  const gboolean hidden[3] = {FALSE, TRUE, FALSE};
  double ratios[9], column[3], x[3], y[3];

  ssapp_performance_ratios (costs, 3, 3, NULL, ratios);
  SS_CHECK (ratios[0] == 1 && ratios[1] == 2 && ratios[2] == 1);
  SS_CHECK (isinf (ratios[3]) && ratios[4] == 1 && ratios[5] == 2);
  SS_CHECK (isinf (ratios[6]) && isinf (ratios[7]) && isinf (ratios[8]));
  for (int p = 0; p < 3; p++)
    column[p] = ratios[3 * p + 2];
  /* The problem that nobody solves stays in the denominator. */
  SS_CHECK_NEAR (profile_at (column, 3, 1), 1. / 3, 1e-15);
  SS_CHECK_NEAR (profile_at (column, 3, 2), 2. / 3, 1e-15);
  SS_CHECK_NEAR (profile_at (column, 3, 1e300), 2. / 3, 1e-15);
  SS_CHECK (ssapp_profile_steps (column, 3, x, y) == 2);
  SS_CHECK (x[0] == 1 && x[1] == 2);
  SS_CHECK_NEAR (y[0], 1. / 3, 1e-15);
  SS_CHECK_NEAR (y[1], 2. / 3, 1e-15);
  /* Without the second method the third is the best of the second problem. */
  ssapp_performance_ratios (costs, 3, 3, hidden, ratios);
  SS_CHECK (isinf (ratios[4]) && ratios[5] == 1);
}

static void
costs_of_zero_are_best (void)
{
  const double costs[3] = {0, 2, 0};
  double ratios[3];

  ssapp_performance_ratios (costs, 1, 3, NULL, ratios);
  SS_CHECK (ratios[0] == 1 && isinf (ratios[1]) && ratios[2] == 1);
}

/* rho_s (tau) = |{p : r_ps <= tau}| / n_p, with r_ps = t_ps / min {t_ps : s}, counted afresh at each tau. */
static void
profiles_are_their_definition_on_random_costs (void)
{
  enum { PROBLEMS = 40, METHODS = 5, TRIALS = 20 };
  GRand *random = g_rand_new_with_seed (7);

  for (int trial = 0; trial < TRIALS; trial++) {
    double costs[PROBLEMS * METHODS], ratios[PROBLEMS * METHODS];
    gboolean hidden[METHODS];
    for (int i = 0; i < PROBLEMS * METHODS; i++) /* small integers: many ties; a third fails */
      costs[i] = g_rand_int_range (random, 0, 3) == 0 ? NAN : g_rand_int_range (random, 1, 9);
    for (int m = 0; m < METHODS; m++)
      hidden[m] = g_rand_int_range (random, 0, 4) == 0;
    ssapp_performance_ratios (costs, PROBLEMS, METHODS, hidden, ratios);
    for (int m = 0; m < METHODS; m++) {
      double column[PROBLEMS];
      for (int p = 0; p < PROBLEMS; p++)
        column[p] = ratios[p * METHODS + m];
      for (double tau = 0.5; tau < 10; tau += 0.125) {
        int count = 0;
        for (int p = 0; p < PROBLEMS; p++) {
          double least = INFINITY;
          for (int s = 0; s < METHODS; s++)
            if (!hidden[s] && costs[p * METHODS + s] < least)
              least = costs[p * METHODS + s];
          count += !hidden[m] && costs[p * METHODS + m] <= tau * least && isfinite (least);
        }
        SS_CHECK_NEAR (profile_at (column, PROBLEMS, tau), (double)count / PROBLEMS, 1e-15);
      }
    }
  }
  g_rand_free (random);
}

static void
lines_are_fitted (void)
{
  const double x[4] = {0, 1, NAN, 3}, y[4] = {1, 3, 9, 7}, same[2] = {1, 1};
  double slope, offset;

  SS_CHECK (ssapp_fit_line (x, y, 4, &slope, &offset));
  SS_CHECK_NEAR (slope, 2, 1e-14);
  SS_CHECK_NEAR (offset, 1, 1e-14);
  SS_CHECK (!ssapp_fit_line (same, y, 2, &slope, &offset));
}

/* k/100 and 10^(k/25 - 4) for k = 1 ... 100. */
static void
spread_by_values_or_by_factors (void)
{
  double linear[100], geometric[100];

  for (int k = 0; k < 100; k++) {
    linear[k] = (k + 1) / 100.;
    geometric[k] = pow (10., (k + 1) / 25. - 4);
  }
  SS_CHECK (!ssapp_are_even_in_logarithms (linear, 100));
  SS_CHECK (ssapp_are_even_in_logarithms (geometric, 100));
}

int
main (void)
{
  SS_RUN (quantiles_are_those_of_the_definition);
  SS_RUN (boxes_end_at_values);
  SS_RUN (performance_profile_by_hand);
  SS_RUN (costs_of_zero_are_best);
  SS_RUN (profiles_are_their_definition_on_random_costs);
  SS_RUN (lines_are_fitted);
  SS_RUN (spread_by_values_or_by_factors);
  return ss_test_finish ();
}
