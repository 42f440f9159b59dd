/* engine/impact/ss-impact-cone.c: the shortest r with G r >= 1, rows Jn_i +- mu_i Jt_i times M^-1. */
#include "impact/ss-impact-cone.h"

#include "lcp/ss-least-distance.h"

#include <math.h>
#include <string.h>

enum { ROWS_MAX = 2 * SS_IMPACT_CONTACTS_MAX };

/* Pivots of D below this fraction of its largest entry are those of dependent rows. */
static const double dependent = 1e-10;

/* Rank of a symmetric positive semidefinite matrix, by diagonal pivots. */
static int
rank_of (int n, const double *matrix)
{
  double a[ROWS_MAX * ROWS_MAX], first = 0;
  int rank = 0;

  memcpy (a, matrix, (size_t)(n * n) * sizeof *a);
  for (; rank < n; rank++) {
    int pivot = 0;
    for (int i = 1; i < n; i++)
      if (a[i * n + i] > a[pivot * n + pivot])
        pivot = i;
    const double p = a[pivot * n + pivot];
    double column[ROWS_MAX];
    first = rank == 0 ? p : first;
    if (!(p > dependent * first) || p == 0)
      break;
    for (int i = 0; i < n; i++)
      column[i] = a[pivot * n + i];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        a[i * n + j] -= column[i] * column[j] / p;
    for (int i = 0; i < n; i++)
      a[i * n + pivot] = a[pivot * n + i] = 0;
  }
  return rank;
}

/* Smallest eigenvalue of M, by inverse iteration; NaN where M is not positive definite. */
static double
smallest_eigenvalue (const SsImpact *impact)
{
  enum { POWERS = 500 };
  const int n = impact->n;
  double *factor = ss_new_array (double, n *n), *x = ss_new_array (double, n), value = NAN;

  if (factor != NULL && x != NULL) {
    memcpy (factor, impact->mass, (size_t)(n * n) * sizeof *factor);
    bool is_positive = ss_dense_cholesky (n, factor, n) == SS_OK;
    for (int i = 0; i < n; i++)
      x[i] = 1 + 0.01 * i;
    for (int power = 0; is_positive && power < POWERS; power++) {
      const double size = ss_norm_2 (n, x);
      for (int i = 0; i < n; i++)
        x[i] /= size;
      ss_dense_cholesky_solve (n, factor, n, x);
      const double next = 1 / ss_norm_2 (n, x);
      const bool is_end = fabs (next - value) <= 1e-14 * next;
      value = next;
      if (is_end)
        break;
    }
  }
  ss_free (factor);
  ss_free (x);
  return value;
}

/* |r|_2 of the shortest r; INFINITY where there is none [002 (22) (24) (77)]. */
static SsStatus
find_r (const SsImpact *impact, double *r_size, SsError *err)
{
  const int n = impact->n, m = impact->m, rows = 2 * m;
  double *G = ss_new_array (double, rows *n), *r = ss_new_array (double, n), h[ROWS_MAX], u[ROWS_MAX];
  SsStatus status = SS_OK;
  bool exists = false;

  if (G == NULL || r == NULL)
    status = ss_error_set (err, SS_ERR_MEMORY, "no memory for %d coordinates", n);
  for (int k = 0; status == SS_OK && k < rows; k++) {
    const int contact = k / 2;
    const double mu = k % 2 == 0 ? impact->mu[contact] : -impact->mu[contact];
    for (int i = 0; i < n; i++)
      G[k * n + i] = impact->push[contact * n + i] + mu * impact->push[(m + contact) * n + i];
    h[k] = 1;
  }
  if (status == SS_OK)
    status = ss_least_distance (n, rows, G, h, r, u, &exists, err);
  *r_size = status == SS_OK && exists ? ss_norm_2 (n, r) : INFINITY;
  ss_free (G);
  ss_free (r);
  return status;
}

/* r and c in the configuration's own coordinates [002 (78)]. */
static SsStatus
find_constant (const SsImpact *impact, double sigma, double h, SsImpactCone *cone, SsError *err)
{
  const SsStatus status = find_r (impact, &cone->r, err);

  cone->is_pointed = isfinite (cone->r);
  cone->c = cone->is_pointed ? 4 * ceil ((impact->m + 1) * cone->r / (h * sqrt (sigma))) : INFINITY;
  return status;
}

SsStatus
ss_impact_cone (const SsImpact *impact, double h, SsImpactCone *cone, SsError *err)
{
  SS_ASSERT (impact != NULL && cone != NULL && h > 0);

  double sigma = smallest_eigenvalue (impact);
  SsImpact *reduced = NULL;
  SsStatus status = SS_OK;

  *cone = (SsImpactCone){.rank = rank_of (2 * impact->m, impact->contact)};
  cone->speed = sqrt (2 * ss_impact_kinetic_energy (impact, impact->v));
  if (isnan (sigma))
    status = ss_impact_reduce (impact, &reduced, err);
  if (status == SS_ERR_INVALID) /* it has no such form */
    status = SS_OK;
  else if (reduced != NULL)
    sigma = smallest_eigenvalue (reduced);
  if (status == SS_OK)
    status = find_constant (reduced != NULL ? reduced : impact, sigma, h, cone, err);
  ss_impact_free (reduced);
  return status;
}

/* [002 (79)]. */
double
ss_impact_cone_steps (const SsImpactCone *cone, int m, double probability)
{
  SS_ASSERT (cone != NULL && probability > 0 && probability <= 1);
  if (!cone->is_pointed || !isfinite (cone->c))
    return INFINITY;
  return cone->c * ceil (cone->speed) + ceil (-log (probability) * (m + 1) * (m + 1));
}
