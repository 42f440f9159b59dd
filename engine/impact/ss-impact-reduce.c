/* engine/impact/ss-impact-reduce.c: a configuration without locks and joints. */
#include "impact/ss-impact.h"

#include "linalg/ss-linalg.h"

#include <math.h>
#include <string.h>

/* Pivots of M^-1 below this part of the largest are those of motions that joints forbid. */
static const double dependent = 1e-12;
/* M M^-1 and speeds may be off by so much, relative to 1 and to the largest speed. */
static const double rounding = 1e-9;

typedef struct {
  const SsImpact *impact;
  int n;                      /* coordinates that answer                      */
  int *index;                 /* n: which they are                            */
  int r;                      /* new coordinates                              */
  double *factor;             /* impact->n x n, by columns: L, or unit columns */
  double *mass, *jn, *jt, *v; /* r x r, m x r, m x r, r                       */
  double *work;               /* n x n, and n                                 */
} Reduction;

/* M of the coordinates that answer is the inverse of their M^-1: no joint ties them. */
static bool
is_untied (const Reduction *x)
{
  const int n = x->impact->n;

  for (int a = 0; a < x->n; a++)
    for (int b = 0; b < x->n; b++) {
      double sum = 0;
      for (int k = 0; k < x->n; k++)
        sum += x->impact->mass[x->index[a] * n + x->index[k]] * x->impact->inverse_mass[x->index[k] * n + x->index[b]];
      if (fabs (sum - (a == b)) > rounding)
        return false;
    }
  return true;
}

/* L of M^-1 = L L', pivoted; the number of its columns. */
static int
factorise (Reduction *x)
{
  const int n = x->impact->n;
  double *left = x->work, largest = 0; /* what is left of the diagonal */

  for (int i = 0; i < n; i++) {
    left[i] = x->impact->inverse_mass[i * n + i];
    largest = fmax (largest, left[i]);
  }
  for (int c = 0; c < x->n; c++) {
    double *column = x->factor + c * n;
    int p = 0;
    for (int i = 1; i < n; i++)
      p = left[i] > left[p] ? i : p;
    if (!(left[p] > dependent * largest))
      return c;
    const double root = sqrt (left[p]);
    for (int i = 0; i < n; i++) {
      double sum = x->impact->inverse_mass[p * n + i];
      for (int k = 0; k < c; k++)
        sum -= x->factor[k * n + p] * x->factor[k * n + i];
      column[i] = sum / root;
      left[i] -= column[i] * column[i];
    }
    left[p] = 0;
  }
  return x->n;
}

/* w with v = L w in the sense of least squares. SS_ERR_SINGULAR cannot happen for the columns of `factorise`. */
static SsStatus
find_velocities (Reduction *x)
{
  const int n = x->impact->n, r = x->r;

  for (int a = 0; a < r; a++) {
    x->v[a] = ss_dot (n, x->factor + a * n, x->impact->v);
    for (int b = 0; b < r; b++)
      x->work[b * r + a] = ss_dot (n, x->factor + a * n, x->factor + b * n);
  }
  if (ss_dense_cholesky (r, x->work, r) != SS_OK)
    return SS_ERR_SINGULAR;
  ss_dense_cholesky_solve (r, x->work, r, x->v);
  return SS_OK;
}

static void
fill_rows (Reduction *x)
{
  const int n = x->impact->n;

  for (int i = 0; i < x->impact->m; i++)
    for (int c = 0; c < x->r; c++) {
      x->jn[i * x->r + c] = ss_dot (n, x->impact->jn + i * n, x->factor + c * n);
      x->jt[i * x->r + c] = ss_dot (n, x->impact->jt + i * n, x->factor + c * n);
    }
}

static SsStatus
reduce (Reduction *x, SsError *err)
{
  const SsImpact *impact = x->impact;
  const int n = impact->n;
  const bool untied = is_untied (x);

  x->r = untied ? x->n : factorise (x);
  for (int c = 0; untied && c < x->n; c++)
    x->factor[c * n + x->index[c]] = 1;
  for (int a = 0; a < x->r; a++)
    for (int b = 0; b < x->r; b++)
      x->mass[a * x->r + b] = untied ? impact->mass[x->index[a] * n + x->index[b]] : a == b;
  if (x->r == 0)
    return ss_error_set (err, SS_ERR_INVALID, "nothing answers to impulses");
  if (find_velocities (x) != SS_OK)
    return ss_error_set (err, SS_ERR_SINGULAR, "M^-1 cannot be factorised");
  fill_rows (x);
  return SS_OK;
}

static SsStatus
check_speeds (const SsImpact *impact, const SsImpact *reduced, SsError *err)
{
  double u[2 * SS_IMPACT_CONTACTS_MAX], w[2 * SS_IMPACT_CONTACTS_MAX], largest = 0;

  ss_impact_speeds (impact, impact->v, u);
  ss_impact_speeds (reduced, reduced->v, w);
  for (int i = 0; i < 2 * impact->m; i++)
    largest = fmax (largest, fabs (u[i]));
  for (int i = 0; i < 2 * impact->m; i++)
    if (!(fabs (u[i] - w[i]) <= rounding * largest))
      return ss_error_set (err, SS_ERR_INVALID,
                           "at contact '%s' a body moves that no impulse can change: a configuration in numbers "
                           "cannot have such a body",
                           impact->contacts[i % impact->m]);
  return SS_OK;
}

SsStatus
ss_impact_reduce (const SsImpact *impact, SsImpact **out, SsError *err)
{
  SS_ASSERT (impact != NULL && out != NULL);

  const int n = impact->n, m = impact->m;
  Reduction x = {.impact = impact};
  SsStatus status = SS_OK;

  *out = NULL;
  x.index = ss_new_array (int, n);
  x.factor = ss_new_array (double, n *n);
  x.mass = ss_new_array (double, n *n);
  x.work = ss_new_array (double, n *(n + 1));
  x.jn = ss_new_array (double, m *n);
  x.jt = ss_new_array (double, m *n);
  x.v = ss_new_array (double, n);
  if (x.index == NULL || x.factor == NULL || x.mass == NULL || x.work == NULL || x.jn == NULL || x.jt == NULL ||
      x.v == NULL)
    status = ss_error_set (err, SS_ERR_MEMORY, "no memory for %d coordinates", n);
  for (int i = 0; status == SS_OK && i < n; i++)
    if (impact->inverse_mass[i * n + i] > 0)
      x.index[x.n++] = i;
  if (status == SS_OK)
    status = reduce (&x, err);
  if (status == SS_OK)
    status = ss_impact_new (&(SsImpactNumbers){.name = impact->name,
                                               .n = x.r,
                                               .m = m,
                                               .mass = x.mass,
                                               .jn = x.jn,
                                               .jt = x.jt,
                                               .mu = impact->mu,
                                               .restitution = impact->restitution,
                                               .v = x.v,
                                               .contacts = (const char *const *)impact->contacts,
                                               .h = impact->h,
                                               .max_steps = impact->max_steps,
                                               .skew = impact->skew},
                            out, err);
  if (status == SS_OK)
    status = check_speeds (impact, *out, err);
  if (status != SS_OK) {
    ss_impact_free (*out);
    *out = NULL;
  }
  ss_free (x.index);
  ss_free (x.factor);
  ss_free (x.mass);
  ss_free (x.work);
  ss_free (x.jn);
  ss_free (x.jt);
  ss_free (x.v);
  return status;
}
