/* engine/impact/ss-impact.c: configurations from numbers. */
#include "impact/ss-impact.h"

#include "linalg/ss-linalg.h"
#include "scene/ss-sha256.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- life cycle -------------------------------------------------------------------------------------------------- */

static double *
copy_numbers (const double *from, int count)
{
  double *to = ss_new_array (double, count > 0 ? count : 1);

  if (to != NULL && from != NULL)
    memcpy (to, from, (size_t)count * sizeof *to);
  return to;
}

static bool
copy_names (const SsImpactNumbers *numbers, SsImpact *impact)
{
  char number[16];

  impact->name = ss_strdup (numbers->name != NULL ? numbers->name : "");
  impact->contacts = ss_new_array (char *, impact->m);
  if (impact->name == NULL || impact->contacts == NULL)
    return false;
  for (int i = 0; i < impact->m; i++) {
    snprintf (number, sizeof number, "%d", i + 1);
    impact->contacts[i] = ss_strdup (numbers->contacts != NULL ? numbers->contacts[i] : number);
    if (impact->contacts[i] == NULL)
      return false;
  }
  return true;
}

/* Inverse of a symmetric positive definite matrix. */
static SsStatus
invert (int n, const double *mass, double *inverse, SsError *err)
{
  double *factor = copy_numbers (mass, n * n);
  SsStatus status = SS_OK;

  if (factor == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for %d coordinates", n);
  if (ss_dense_cholesky (n, factor, n) != SS_OK) {
    status = ss_error_set (err, SS_ERR_SINGULAR, "the mass matrix is not positive definite");
  } else {
    memset (inverse, 0, (size_t)(n * n) * sizeof *inverse);
    for (int j = 0; j < n; j++) {
      inverse[j * n + j] = 1;
      ss_dense_cholesky_solve (n, factor, n, inverse + j * n);
    }
    for (int j = 0; j < n; j++)
      for (int i = 0; i < j; i++) /* the same bits on both sides */
        inverse[i * n + j] = inverse[j * n + i];
  }
  ss_free (factor);
  return status;
}

static void
derive (SsImpact *impact)
{
  const int n = impact->n, m = impact->m;

  for (int k = 0; k < 2 * m; k++) {
    const double *row = k < m ? impact->jn + k * n : impact->jt + (k - m) * n;
    for (int i = 0; i < n; i++)
      impact->push[k * n + i] = ss_dot (n, impact->inverse_mass + i * n, row);
  }
  for (int k = 0; k < 2 * m; k++)
    for (int l = 0; l <= k; l++) {
      const double *row = l < m ? impact->jn + l * n : impact->jt + (l - m) * n;
      impact->contact[k * 2 * m + l] = impact->contact[l * 2 * m + k] = ss_dot (n, row, impact->push + k * n);
    }
}

static bool
hash_numbers (SsImpact *impact)
{
  const int n = impact->n, m = impact->m;
  const double *parts[] = {impact->inverse_mass, impact->jn, impact->jt, impact->mu, impact->restitution, impact->v};
  const int counts[] = {n * n, m * n, m * n, m, m, n};
  const int total = n * n + 2 * m * n + 2 * m + n;
  double *all = ss_new_array (double, total);
  int at = 0;

  if (all == NULL)
    return false;
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    for (int k = 0; k < counts[i]; k++)
      all[at + k] = parts[i][k] + 0.0; /* no -0 */
    at += counts[i];
  }
  ss_sha256_hex (all, (size_t)total * sizeof *all, impact->sha256);
  ss_free (all);
  return true;
}

static bool
are_within (const double *values, int count, double minimum, double maximum)
{
  for (int i = 0; values != NULL && i < count; i++)
    if (!(values[i] >= minimum && values[i] <= maximum && isfinite (values[i])))
      return false;
  return true;
}

static SsStatus
check (const SsImpactNumbers *x, SsError *err)
{
  if (x->n < 1 || x->n > SS_IMPACT_COORDINATES_MAX || x->m < 1 || x->m > SS_IMPACT_CONTACTS_MAX)
    return ss_error_set (err, SS_ERR_ARG, "a configuration has 1 to %d coordinates and 1 to %d contacts",
                         SS_IMPACT_COORDINATES_MAX, SS_IMPACT_CONTACTS_MAX);
  if (!are_within (x->mass, x->n * x->n, -INFINITY, INFINITY) ||
      !are_within (x->inverse_mass, x->n * x->n, -INFINITY, INFINITY) ||
      !are_within (x->jn, x->m * x->n, -INFINITY, INFINITY) || !are_within (x->jt, x->m * x->n, -INFINITY, INFINITY) ||
      !are_within (x->v, x->n, -INFINITY, INFINITY))
    return ss_error_set (err, SS_ERR_ARG, "masses, rows and velocities are finite numbers");
  if (!are_within (x->mu, x->m, 0, 1e9))
    return ss_error_set (err, SS_ERR_ARG, "coefficients of friction are numbers from 0 to 1e9");
  if (!are_within (x->restitution, x->m, 0, 1))
    return ss_error_set (err, SS_ERR_ARG, "coefficients of restitution are numbers from 0 to 1");
  return SS_OK;
}

SsStatus
ss_impact_new (const SsImpactNumbers *numbers, SsImpact **out, SsError *err)
{
  SS_ASSERT (numbers != NULL && out != NULL && numbers->mass != NULL && numbers->jn != NULL && numbers->jt != NULL);
  SS_ASSERT (numbers->mu != NULL && numbers->v != NULL);

  const int n = numbers->n, m = numbers->m;
  SsStatus status = check (numbers, err);
  SsImpact *impact;

  *out = NULL;
  if (status != SS_OK)
    return status;
  impact = ss_new (SsImpact);
  if (impact == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a configuration");
  *impact = (SsImpact){.n = n, .m = m, .h = numbers->h, .max_steps = numbers->max_steps, .skew = numbers->skew};
  impact->inverse_mass = copy_numbers (numbers->inverse_mass, n * n);
  impact->mass = copy_numbers (numbers->mass, n * n);
  impact->jn = copy_numbers (numbers->jn, m * n);
  impact->jt = copy_numbers (numbers->jt, m * n);
  impact->mu = copy_numbers (numbers->mu, m);
  impact->restitution = copy_numbers (numbers->restitution, m);
  impact->v = copy_numbers (numbers->v, n);
  impact->push = copy_numbers (NULL, 2 * m * n);
  impact->contact = copy_numbers (NULL, 4 * m * m);
  impact->coordinates = numbers->coordinates != NULL ? ss_new_array (int, n) : NULL;
  if (impact->inverse_mass == NULL || impact->mass == NULL || impact->jn == NULL || impact->jt == NULL ||
      impact->mu == NULL || impact->restitution == NULL || impact->v == NULL || impact->push == NULL ||
      impact->contact == NULL || (numbers->coordinates != NULL && impact->coordinates == NULL) ||
      !copy_names (numbers, impact)) {
    status = ss_error_set (err, SS_ERR_MEMORY, "no memory for %d coordinates and %d contacts", n, m);
    goto fail;
  }
  if (numbers->coordinates != NULL)
    memcpy (impact->coordinates, numbers->coordinates, (size_t)n * sizeof *impact->coordinates);
  if (numbers->inverse_mass == NULL)
    status = invert (n, impact->mass, impact->inverse_mass, err);
  if (status != SS_OK)
    goto fail;
  derive (impact);
  if (!hash_numbers (impact)) {
    status = ss_error_set (err, SS_ERR_MEMORY, "no memory for %d coordinates and %d contacts", n, m);
    goto fail;
  }
  *out = impact;
  return SS_OK;

fail:
  ss_impact_free (impact);
  return status;
}

SsStatus
ss_impact_new_from_file (const SsImpactFile *file, SsImpact **out, SsError *err)
{
  SS_ASSERT (file != NULL && out != NULL);
  return ss_impact_new (&(SsImpactNumbers){.name = file->name,
                                           .n = file->n,
                                           .m = file->m,
                                           .mass = file->mass,
                                           .jn = file->jn,
                                           .jt = file->jt,
                                           .mu = file->mu,
                                           .restitution = file->restitution,
                                           .v = file->v,
                                           .contacts = file->contacts,
                                           .h = file->h,
                                           .max_steps = file->max_steps,
                                           .skew = file->skew},
                        out, err);
}

void
ss_impact_free (SsImpact *impact)
{
  if (impact == NULL)
    return;
  for (int i = 0; impact->contacts != NULL && i < impact->m; i++)
    ss_free (impact->contacts[i]);
  ss_free (impact->contacts);
  ss_free (impact->name);
  ss_free (impact->inverse_mass);
  ss_free (impact->mass);
  ss_free (impact->jn);
  ss_free (impact->jt);
  ss_free (impact->mu);
  ss_free (impact->restitution);
  ss_free (impact->v);
  ss_free (impact->coordinates);
  ss_free (impact->push);
  ss_free (impact->contact);
  ss_free (impact);
}

/* ---- velocities -------------------------------------------------------------------------------------------------- */

/* [002 (26)]. */
void
ss_impact_speeds (const SsImpact *impact, const double *v, double *u)
{
  SS_ASSERT (impact != NULL);

  const int n = impact->n, m = impact->m;

  for (int i = 0; i < m; i++) {
    double normal = 0, tangential = 0;
    for (int k = 0; k < n; k++) {
      normal += impact->jn[i * n + k] * v[k];
      tangential += impact->jt[i * n + k] * v[k];
    }
    u[i] = normal;
    u[m + i] = tangential;
  }
}

/* [002 (27) (30) (72b) (75c)]. */
void
ss_impact_push (const SsImpact *impact, const double *impulse, double *v)
{
  SS_ASSERT (impact != NULL);

  const int n = impact->n;

  for (int k = 0; k < 2 * impact->m; k++)
    for (int i = 0; impulse[k] != 0 && i < n; i++)
      v[i] += impact->push[k * n + i] * impulse[k];
}

/* [002 (11)]. */
double
ss_impact_kinetic_energy (const SsImpact *impact, const double *v)
{
  SS_ASSERT (impact != NULL);

  const int n = impact->n;
  double twice = 0;

  for (int i = 0; i < n; i++) {
    double momentum = 0;
    for (int j = 0; j < n; j++)
      momentum += impact->mass[i * n + j] * v[j];
    twice += momentum * v[i];
  }
  return twice / 2;
}
