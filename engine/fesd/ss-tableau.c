/* engine/fesd/ss-tableau.c: nodes as roots of Legendre polynomials, weights and coefficients by exact quadrature. */
#include "fesd/ss-tableau.h"

#include <math.h>
#include <string.h>

enum { N_MAX = SS_TABLEAU_STAGES_MAX };

static const char *const names[] = {"radau-iia", "gauss-legendre", "lobatto-iiic"};

/* Value and first two derivatives of the Legendre polynomial of a degree at x in [-1, 1]. */
static void
evaluate_legendre (int degree, double x, double out[3])
{
  double before[3] = {0, 0, 0}, now[3] = {1, 0, 0};

  for (int k = 0; k < degree; k++) {
    double next[3], f = 2 * k + 1, g = k, d = k + 1;
    next[0] = (f * x * now[0] - g * before[0]) / d;
    next[1] = (f * (x * now[1] + now[0]) - g * before[1]) / d;
    next[2] = (f * (x * now[2] + 2 * now[1]) - g * before[2]) / d;
    memcpy (before, now, sizeof now);
    memcpy (now, next, sizeof next);
  }
  memcpy (out, now, 3 * sizeof (double));
}

/* The polynomial whose roots are the nodes of a family on [-1, 1], and its derivative. */
static void
evaluate_node_polynomial (SsTableauFamily family, int n, double x, double *p, double *dp)
{
  double high[3], low[3];

  switch (family) {
  case SS_TABLEAU_GAUSS_LEGENDRE:
    evaluate_legendre (n, x, high);
    *p = high[0];
    *dp = high[1];
    return;
  case SS_TABLEAU_RADAU_IIA:
    evaluate_legendre (n, x, high);
    evaluate_legendre (n - 1, x, low);
    *p = high[0] - low[0];
    *dp = high[1] - low[1];
    return;
  case SS_TABLEAU_LOBATTO_IIIC: /* the ends are nodes as well; they are added by hand */
    evaluate_legendre (n - 1, x, low);
    *p = low[1];
    *dp = low[2];
    return;
  }
  SS_ASSERT (false);
}

/* Nodes on [-1, 1], ascending. Newton's method with the roots already found divided out (Maehly) goes down from 1 to
 * the next one and cannot pass it, since all roots are real; a few plain steps then take away the rest. */
static void
find_nodes (SsTableauFamily family, int n, double *x)
{
  double root[N_MAX];
  int n_found = 0, n_inner = n;

  if (family == SS_TABLEAU_RADAU_IIA)
    root[n_found++] = 1;
  if (family == SS_TABLEAU_LOBATTO_IIIC)
    n_inner = n - 2;
  while (n_found < n_inner) {
    /* A step from 1 itself would divide by the distance to a root at 1. */
    double at = n_found > 0 ? root[n_found - 1] - 1e-3 : 1;
    for (int iteration = 0; iteration < 200; iteration++) {
      double p, dp, divided = 0;
      evaluate_node_polynomial (family, n, at, &p, &dp);
      for (int i = 0; i < n_found; i++)
        divided += 1 / (at - root[i]);
      double step = p / (dp - p * divided);
      at -= step;
      if (fabs (step) < 1e-14)
        break;
    }
    for (int iteration = 0; iteration < 3; iteration++) {
      double p, dp;
      evaluate_node_polynomial (family, n, at, &p, &dp);
      at -= p / dp;
    }
    root[n_found++] = at;
  }
  if (family == SS_TABLEAU_LOBATTO_IIIC) {
    x[0] = -1;
    x[n - 1] = 1;
    for (int i = 0; i < n_inner; i++)
      x[1 + i] = root[n_inner - 1 - i];
  } else
    for (int i = 0; i < n; i++)
      x[i] = root[n - 1 - i];
}

/* Lagrange polynomial k of n nodes. */
static double
lagrange (int n, const double *c, int k, double theta)
{
  double value = 1;

  for (int i = 0; i < n; i++)
    if (i != k)
      value *= (theta - c[i]) / (c[k] - c[i]);
  return value;
}

/* Its integral from 0 to theta; a Gauss rule of `n_gauss` nodes on [-1, 1] is exact for it. */
static double
integrate_lagrange (int n, const double *c, int k, double theta, int n_gauss, const double *gauss)
{
  double sum = 0;

  for (int g = 0; g < n_gauss; g++) {
    double p[3];
    evaluate_legendre (n_gauss, gauss[g], p);
    double weight = 2 / ((1 - gauss[g] * gauss[g]) * p[1] * p[1]);
    sum += weight * lagrange (n, c, k, theta * (1 + gauss[g]) / 2);
  }
  return sum * theta / 2;
}

int
ss_tableau_order (const SsTableau *tableau)
{
  SS_ASSERT (tableau != NULL);

  const int n = tableau->n;
  return tableau->family == SS_TABLEAU_RADAU_IIA        ? 2 * n - 1
         : tableau->family == SS_TABLEAU_GAUSS_LEGENDRE ? 2 * n
                                                        : 2 * n - 2;
}

void
ss_tableau_lagrange (const SsTableau *tableau, double theta, double *value, double *integral)
{
  SS_ASSERT (tableau != NULL);

  int n = tableau->n;
  double gauss[N_MAX];

  if (integral != NULL)
    find_nodes (SS_TABLEAU_GAUSS_LEGENDRE, n, gauss);
  for (int k = 0; k < n; k++) {
    if (value != NULL)
      value[k] = lagrange (n, tableau->c, k, theta);
    if (integral != NULL)
      integral[k] = integrate_lagrange (n, tableau->c, k, theta, n, gauss);
  }
}

SsStatus
ss_tableau_make (SsTableauFamily family, int n_stages, SsTableau *out, SsError *err)
{
  SS_ASSERT (out != NULL);

  bool is_lobatto = family == SS_TABLEAU_LOBATTO_IIIC;
  int least = is_lobatto ? 2 : 1, most = is_lobatto ? 5 : N_MAX, n = n_stages;
  SsTableau t = {.family = family, .n = n, .ends_at_one = family != SS_TABLEAU_GAUSS_LEGENDRE};
  double gauss[N_MAX];

  if (n < least || n > most)
    return ss_error_set (err, SS_ERR_ARG, "%s has %d to %d stages, not %d", names[family], least, most, n);
  find_nodes (family, n, t.c);
  for (int j = 0; j < n; j++)
    t.c[j] = (1 + t.c[j]) / 2;
  find_nodes (SS_TABLEAU_GAUSS_LEGENDRE, n, gauss);
  for (int k = 0; k < n; k++)
    t.b[k] = integrate_lagrange (n, t.c, k, 1, n, gauss);
  for (int j = 0; j < n; j++)
    for (int k = 0; k < n; k++) {
      if (!is_lobatto)
        t.a[j][k] = integrate_lagrange (n, t.c, k, t.c[j], n, gauss);
      /* Lobatto IIIC: a_j1 = b_1, the rest by C(n - 1), that is by the Lagrange polynomials of the other nodes. */
      else if (k == 0)
        t.a[j][0] = t.b[0];
      else
        t.a[j][k] = integrate_lagrange (n - 1, t.c + 1, k - 1, t.c[j], n, gauss) -
                    t.b[0] * lagrange (n - 1, t.c + 1, k - 1, t.c[0]);
    }
  /* The last stage is the end, to the last bit. */
  if (t.ends_at_one)
    memcpy (t.b, t.a[n - 1], sizeof t.b);
  *out = t;
  return SS_OK;
}
