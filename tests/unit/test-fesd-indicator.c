/* tests/unit/test-fesd-indicator.c: the indicator of switches against Tables 1 and 2 of paper 000. */
#include "fesd/ss-fesd-indicator.h"
#include "ss-test.h"

enum { N = 2 };

/* Table 1: f at the grid point and the sums of the gap and of the force before and after it, positive (1) or zero. */
typedef struct {
  const char *name;
  int f, gap_before, gap_after, lambda_before, lambda_after, kappa;
} Table1;

static const Table1 table_1[] = {
    {"contact making", 0, 1, 1, 0, 0, 0},
    {"contact breaking", 0, 0, 1, 1, 0, 0},
    {"free flight", 1, 1, 1, 0, 0, 1},
    {"persistent contact", 0, 0, 0, 1, 1, 1},
    /* of the text below (28): an inelastic impact */
    {"inelastic contact making", 0, 1, 0, 0, 1, 0},
};

/* [000 (28) Tab 1]. */
static void
test_table_1 (void)
{
  for (size_t row = 0; row < sizeof table_1 / sizeof *table_1; row++) {
    const Table1 *r = &table_1[row];
    /* The gap at the end of the element before is that of the grid point. */
    const double gap_b[N + 1] = {0.3 * r->gap_before, 0.2 * r->gap_before, 0.1 * r->f};
    const double gap_f[N + 1] = {0.1 * r->f, 0.15 * r->gap_after, 0.2 * r->gap_after};
    const double lambda_b[N] = {2.0 * r->lambda_before, 3.0 * r->lambda_before};
    const double lambda_f[N] = {1.0 * r->lambda_after, 0.5 * r->lambda_after};
    const SsFesdContactValues before = {.gap = gap_b, .lambda_n = lambda_b},
                              after = {.gap = gap_f, .lambda_n = lambda_f};

    printf ("  %s\n", r->name);
    SS_CHECK ((ss_fesd_kappa (N, &before, &after) > 0) == (r->kappa == 1));
    SS_CHECK (ss_fesd_kappa (N, &before, &after) >= 0);
    /* Without friction nu is kappa. */
    SS_CHECK (ss_fesd_eta (N, 1, &before, &after) == ss_fesd_kappa (N, &before, &after));
  }
}

/* Table 2: sums of xi+, xi- and beta before and after, in lasting contact. The table is printed with pi of xi- positive
 * in the stick phase, where both of its sums are zero: a misprint, which changes nothing (zeta is positive by beta). */
typedef struct {
  const char *name;
  int plus_before, plus_after, minus_before, minus_after, beta_before, beta_after, zeta;
} Table2;

static const Table2 table_2[] = {
    {"switch during slip", 1, 0, 0, 1, 0, 0, 0}, {"slip to stick", 1, 0, 0, 0, 0, 1, 0},
    {"stick to slip", 0, 0, 0, 1, 1, 0, 0},      {"stick phase", 0, 0, 0, 0, 1, 1, 1},
    {"slip motion", 1, 1, 0, 0, 0, 0, 1},
};

static void
fill (double *values, int n, int is_positive)
{
  for (int i = 0; i < n; i++)
    values[i] = is_positive * (0.5 + i);
}

/* [000 (29a)-(29c) (30) Tab 2]. */
static void
test_table_2 (void)
{
  for (size_t row = 0; row < sizeof table_2 / sizeof *table_2; row++) {
    const Table2 *r = &table_2[row];
    const double gap[N + 1] = {0}, lambda[N] = {4, 4};
    double plus_b[N + 1], plus_f[N + 1], minus_b[N + 1], minus_f[N + 1], beta_b[N], beta_f[N];

    fill (plus_b, N + 1, r->plus_before);
    fill (plus_f, N + 1, r->plus_after);
    fill (minus_b, N + 1, r->minus_before);
    fill (minus_f, N + 1, r->minus_after);
    fill (beta_b, N, r->beta_before);
    fill (beta_f, N, r->beta_after);
    const SsFesdContactValues before = {gap, lambda, plus_b, minus_b, beta_b},
                              after = {gap, lambda, plus_f, minus_f, beta_f};
    /* A second contact in free flight, where friction has no say. */
    const double away[N + 1] = {1, 1, 1}, no_force[N] = {0}, still[N + 1] = {0}, none[N] = {0};
    const SsFesdContactValues free_flight = {away, no_force, still, still, none};
    const SsFesdContactValues both_before[] = {before, free_flight}, both_after[] = {after, free_flight};

    printf ("  %s\n", r->name);
    SS_CHECK ((ss_fesd_zeta (N, &before, &after) > 0) == (r->zeta == 1));
    SS_CHECK (ss_fesd_kappa (N, &before, &after) > 0);
    SS_CHECK ((ss_fesd_eta (N, 2, both_before, both_after) > 0) == (r->zeta == 1));
  }
}

/* [000 (27a)-(27b) (28) (29a)-(29c) (30)] by hand:
 * kappa = 1 * (1 + 2 + 1) * (1 + 1 + 3) + (1 + 1) * (2 + 3) = 30; zeta = 4 + 5 + 6 * 2 + 4 + 15 = 40. */
static void
test_numbers (void)
{
  const double gap_b[] = {1, 2, 1}, gap_f[] = {1, 1, 3}, lambda_b[] = {1, 1}, lambda_f[] = {2, 3};
  const double plus_b[] = {1, 2, 3}, plus_f[] = {0, 1, 1}, minus_b[] = {0, 0, 1}, minus_f[] = {2, 1, 1};
  const double beta_b[] = {1, 2}, beta_f[] = {2, 3};
  const SsFesdContactValues before = {gap_b, lambda_b, plus_b, minus_b, beta_b},
                            after = {gap_f, lambda_f, plus_f, minus_f, beta_f};

  SS_CHECK (ss_fesd_kappa (N, &before, &after) == 30);
  SS_CHECK (ss_fesd_zeta (N, &before, &after) == 40);
  SS_CHECK (ss_fesd_eta (N, 1, &before, &after) == 1200);
}

int
main (void)
{
  SS_RUN (test_table_1);
  SS_RUN (test_table_2);
  SS_RUN (test_numbers);
  return ss_test_finish ();
}
