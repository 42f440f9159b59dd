/* tests/unit/test-tableau.c: Runge-Kutta tableaux by their simplifying assumptions (Hairer and Wanner II, IV.5). */
#include "fesd/ss-tableau.h"
#include "ss-test.h"

/* B(p): sum b_i c_i^(q-1) = 1/q. C(r): sum_j a_ij c_j^(q-1) = c_i^q/q. D(z): sum_i b_i c_i^(q-1) a_ij = b_j (1 -
 * c_j^q)/q. Returns the largest defect. */
static double
defect (const SsTableau *t, int p, int r, int z)
{
  double worst = 0;
  int n = t->n;

  for (int q = 1; q <= p; q++) {
    double sum = 0;
    for (int i = 0; i < n; i++)
      sum += t->b[i] * pow (t->c[i], q - 1);
    worst = fmax (worst, fabs (sum - 1.0 / q));
  }
  for (int q = 1; q <= r; q++)
    for (int i = 0; i < n; i++) {
      double sum = 0;
      for (int j = 0; j < n; j++)
        sum += t->a[i][j] * pow (t->c[j], q - 1);
      worst = fmax (worst, fabs (sum - pow (t->c[i], q) / q));
    }
  for (int q = 1; q <= z; q++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int i = 0; i < n; i++)
        sum += t->b[i] * pow (t->c[i], q - 1) * t->a[i][j];
      worst = fmax (worst, fabs (sum - t->b[j] * (1 - pow (t->c[j], q)) / q));
    }
  return worst;
}

static void
test_simplifying_assumptions (void)
{
  SsTableau t;

  /* Sums of at most nine products of numbers below 1: rounding stays below 1e-14; the issue asks for 1e-13. */
  for (int n = 1; n <= SS_TABLEAU_STAGES_MAX; n++) {
    SS_CHECK (ss_tableau_make (SS_TABLEAU_GAUSS_LEGENDRE, n, &t, NULL) == SS_OK);
    SS_CHECK_NEAR (defect (&t, 2 * n, n, n), 0, 1e-13);
    SS_CHECK (ss_tableau_order (&t) == 2 * n);
    SS_CHECK (!t.ends_at_one && t.c[n - 1] < 1 && t.c[0] > 0);
    /* One order more does not hold: the sums tell a wrong table. */
    SS_CHECK (n > 5 || defect (&t, 2 * n + 1, 0, 0) > 1e-8);
    SS_CHECK (ss_tableau_make (SS_TABLEAU_RADAU_IIA, n, &t, NULL) == SS_OK);
    SS_CHECK_NEAR (defect (&t, 2 * n - 1, n, n - 1), 0, 1e-13);
    SS_CHECK (ss_tableau_order (&t) == 2 * n - 1);
    SS_CHECK (t.ends_at_one && t.c[n - 1] == 1);
    for (int k = 0; k < n; k++)
      SS_CHECK (t.a[n - 1][k] == t.b[k]);
  }
  for (int n = 2; n <= 5; n++) {
    SS_CHECK (ss_tableau_make (SS_TABLEAU_LOBATTO_IIIC, n, &t, NULL) == SS_OK);
    SS_CHECK_NEAR (defect (&t, 2 * n - 2, n - 1, n - 1), 0, 1e-13);
    SS_CHECK (ss_tableau_order (&t) == 2 * n - 2);
    SS_CHECK (t.ends_at_one && t.c[0] == 0 && t.c[n - 1] == 1);
    for (int k = 0; k < n; k++)
      SS_CHECK (t.a[n - 1][k] == t.b[k] && t.a[k][0] == t.b[0]);
  }
}

/* Closed forms: Radau IIA with 2 and 3 stages, Gauss-Legendre with 2, Lobatto IIIC with 2. */
static void
test_closed_forms (void)
{
  SsTableau t;
  const double eps = 4e-16; /* one rounding of numbers up to 1 on either side */

  SS_CHECK (ss_tableau_make (SS_TABLEAU_RADAU_IIA, 2, &t, NULL) == SS_OK);
  SS_CHECK_NEAR (t.a[0][0], 5.0 / 12, eps);
  SS_CHECK_NEAR (t.a[0][1], -1.0 / 12, eps);
  SS_CHECK_NEAR (t.b[0], 0.75, eps);
  SS_CHECK_NEAR (t.c[0], 1.0 / 3, eps);
  SS_CHECK (ss_tableau_make (SS_TABLEAU_RADAU_IIA, 3, &t, NULL) == SS_OK);
  SS_CHECK_NEAR (t.c[0], (4 - sqrt (6)) / 10, eps);
  SS_CHECK_NEAR (t.a[0][0], (88 - 7 * sqrt (6)) / 360, eps);
  SS_CHECK_NEAR (t.b[2], 1.0 / 9, eps);
  SS_CHECK (ss_tableau_make (SS_TABLEAU_GAUSS_LEGENDRE, 2, &t, NULL) == SS_OK);
  SS_CHECK_NEAR (t.c[0], 0.5 - sqrt (3) / 6, eps);
  SS_CHECK_NEAR (t.a[0][1], 0.25 - sqrt (3) / 6, eps);
  SS_CHECK (ss_tableau_make (SS_TABLEAU_LOBATTO_IIIC, 2, &t, NULL) == SS_OK);
  SS_CHECK_NEAR (t.a[0][0], 0.5, eps);
  SS_CHECK_NEAR (t.a[0][1], -0.5, eps);
}

static void
test_refused (void)
{
  SsTableau t = {.n = 77};
  SsError err;

  SS_CHECK (ss_tableau_make (SS_TABLEAU_RADAU_IIA, 0, &t, &err) == SS_ERR_ARG);
  SS_CHECK (ss_tableau_make (SS_TABLEAU_GAUSS_LEGENDRE, 10, &t, &err) == SS_ERR_ARG);
  SS_CHECK (ss_tableau_make (SS_TABLEAU_LOBATTO_IIIC, 6, &t, &err) == SS_ERR_ARG);
  SS_CHECK_STR (err.message, "lobatto-iiic has 2 to 5 stages, not 6");
  SS_CHECK (t.n == 77);
}

/* The polynomials reproduce x^3 and its integral between the nodes. */
static void
test_between_nodes (void)
{
  SsTableau t;
  double value[SS_TABLEAU_STAGES_MAX], integral[SS_TABLEAU_STAGES_MAX], at = 0, area = 0;

  SS_CHECK (ss_tableau_make (SS_TABLEAU_RADAU_IIA, 4, &t, NULL) == SS_OK);
  ss_tableau_lagrange (&t, 0.3, value, integral);
  for (int k = 0; k < 4; k++) {
    at += value[k] * pow (t.c[k], 3);
    area += integral[k] * pow (t.c[k], 3);
  }
  SS_CHECK_NEAR (at, 0.027, 1e-15); /* rounding of four products */
  SS_CHECK_NEAR (area, 0.0081 / 4, 1e-15);
}

int
main (void)
{
  SS_RUN (test_simplifying_assumptions);
  SS_RUN (test_closed_forms);
  SS_RUN (test_refused);
  SS_RUN (test_between_nodes);
  return ss_test_finish ();
}
