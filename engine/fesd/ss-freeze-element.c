/* engine/fesd/ss-freeze-element.c: elements of a scheme in numerical time; see ss-freeze.h. */
#include "fesd/ss-freeze-private.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

enum { FIXED_POINTS_MAX = 60, NEWTON_MAX = 50, STAGNANT = 3 };
static const double approach_told = 1e-8; /* a run warns of more [m/s]: then the element is shortened */
/* Speeds of time that change by less are those of the element; so are those whose change is below `stagnant` and has
 * not shrunk for STAGNANT steps: forces of curved gaps are known to roundings of a gap over the square of the
 * length, and what that moves is judged with the element. */
static const double converged = 4 * DBL_EPSILON, stagnant = 1e-6, shrinks = 0.9;

/* theta_free, with one point gamma [001 (17) Thm 4]. Forces that pull occur only beyond the end of a contact, where an
 * element looks for it: they count as none, as if the contact were open. */
double
ss_freeze_speed (const double *lambda, int n, double a_n)
{
  SS_ASSERT (n >= 0);

  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += fmax (lambda[i], 0) / a_n;
  double theta = 1 / (1 + sum); /* not above the root, and the root of one point */
  for (int step = 0; step < NEWTON_MAX && n > 1; step++) {
    double product = 1, slope = 0;
    for (int i = 0; i < n; i++) {
      const double r = fmax (lambda[i], 0) / a_n, factor = 1 - theta * r;
      slope = slope * factor - product * r;
      product *= factor;
    }
    const double change = (product - theta) / (1 - slope);
    theta += change;
    if (!(fabs (change) > converged * theta))
      break;
  }
  return theta;
}

/* Forces of the points of a stage, each with those that are the same; returns their number. */
static int
forces_of (const SsFreeze *f, const SsFesdElement *e, int stage, double *lambda)
{
  const SsFesdSystem *s = f->system;
  const SsFesdRow *rows = ss_fesd_element_rows (e);
  int n = 0;
  for (int i = 0; i < ss_fesd_element_n_rows (e); i++) {
    const bool is_limit = rows[i].kind == SS_FESD_ROW_LIMIT;
    if (rows[i].kind != SS_FESD_ROW_NORMAL && !is_limit)
      continue;
    const int item = is_limit ? s->n_points + rows[i].item - s->n_bilateral : rows[i].item;
    double force = ss_fesd_element_lambda (e, i, stage);
    if (f->leader[item] != item)
      continue;
    for (int k = 0; k < ss_fesd_element_n_rows (e) && !is_limit; k++)
      if (k != i && rows[k].kind == SS_FESD_ROW_NORMAL && f->leader[rows[k].item] == item)
        force += ss_fesd_element_lambda (e, k, stage);
    lambda[n++] = force;
  }
  return n;
}

/* The scheme in t of an element with these speeds of time at its stages. Returns the mean speed. */
static double
scale (const SsFreeze *f, SsTableau *out)
{
  const SsTableau *t = &f->tableau;
  double mean = 0;
  *out = *t;
  for (int k = 0; k < t->n; k++)
    mean += t->b[k] * f->theta[k];
  for (int k = 0; k < t->n; k++)
    out->b[k] = t->b[k] * f->theta[k] / mean;
  for (int j = 0; j < t->n; j++) {
    out->c[j] = 0;
    for (int k = 0; k < t->n; k++)
      out->c[j] += out->a[j][k] = t->a[j][k] * f->theta[k] / mean;
  }
  if (t->ends_at_one)
    out->c[t->n - 1] = 1;
  return mean;
}

bool
ss_freeze_solve (void *owner, SsFesdElement *e, double h)
{
  SsFreeze *f = owner;
  SsTableau scaled;
  double *lambda = f->beta; /* room for all points; written afresh by every jump */
  double least = INFINITY;
  int n_stagnant = 0;
  const bool is_closed = forces_of (f, e, 0, lambda) > 0;
  for (int k = 0; k < f->tableau.n && !is_closed; k++)
    f->theta[k] = 1;
  for (int step = 0; step < FIXED_POINTS_MAX; step++) {
    const double mean = scale (f, &scaled);
    ss_fesd_element_set_tableau (e, &scaled);
    if (!ss_fesd_element_solve (e, h))
      break;
    f->length = h / mean;
    if (!is_closed)
      return true;
    double change = 0;
    for (int k = 0; k < f->tableau.n; k++) {
      const int n = forces_of (f, e, k, lambda);
      const double theta = ss_freeze_speed (lambda, n, f->a_n);
      change = fmax (change, fabs (theta - f->theta[k]) / theta);
      f->theta[k] = theta;
    }
    n_stagnant = change < shrinks * least ? 0 : n_stagnant + 1;
    least = fmin (least, change);
    if (change <= converged || (change <= stagnant && n_stagnant >= STAGNANT))
      return true;
  }
  for (int k = 0; k < f->tableau.n; k++)
    f->theta[k] = 1;
  return false;
}

double
ss_freeze_length (void *owner, const SsFesdElement *e)
{
  const SsFreeze *f = owner;
  (void)e;
  return f->length;
}

/* ---- check ------------------------------------------------------------------------------------------------------- */

/* n'v of a row at a stage. */
static double
approach (const SsFreeze *f, const SsFesdRow *row, const double *q, const double *v)
{
  SsFesdPointAt at;
  if (row->kind != SS_FESD_ROW_NORMAL)
    return 0;
  const SsFesdPoint *point = &f->system->points[row->item];
  ss_fesd_point_at (point, q, false, &at);
  return ss_fesd_point_rate (point, at.jn, v);
}

double
ss_freeze_check_element (SsFreeze *f, const SsFesdSolved *solved)
{
  SS_ASSERT (f != NULL && solved != NULL);

  const SsFesdElement *e = solved->element;
  const SsTableau *used = ss_fesd_element_tableau (e), *t = &f->tableau;
  const SsFesdRow *rows = ss_fesd_element_rows (e);
  const double h = ss_fesd_element_length (e);
  double largest = 0, speed = 0;
  f->approach = 0;
  for (int i = 0; i < f->system->n_q; i++)
    speed = fmax (speed, fabs (solved->v0[i]));
  for (int j = 0; j < t->n; j++) {
    double product = 1;
    for (int k = 0; k < t->n; k++) /* an error of a coefficient moves the stage by that part of its way */
      largest = fmax (largest, fabs (h * used->a[j][k] - f->length * t->a[j][k] * f->theta[k]) * speed);
    for (int i = 0; i < ss_fesd_element_n_rows (e); i++) {
      if (rows[i].kind == SS_FESD_ROW_BILATERAL || rows[i].kind == SS_FESD_ROW_STICK)
        continue;
      const bool is_limit = rows[i].kind == SS_FESD_ROW_LIMIT;
      const int item = is_limit ? f->system->n_points + rows[i].item - f->system->n_bilateral : rows[i].item;
      double beta = 0;
      for (int k = 0; k < ss_fesd_element_n_rows (e); k++)
        if (k == i || (!is_limit && rows[k].kind == SS_FESD_ROW_NORMAL && f->leader[rows[k].item] == item))
          beta += f->theta[j] * ss_fesd_element_lambda (e, k, j) / f->a_n;
      if (f->leader[item] != item)
        continue;
      product *= 1 - beta;
      largest = fmax (largest, fmax (-beta, beta - 1) * speed);
      /* alpha_2 = 0: c_2 <= 0 */
      f->approach = fmax (f->approach, approach (f, &rows[i], ss_fesd_element_q (e, j), ss_fesd_element_v (e, j)));
    }
    largest = fmax (largest, fabs (f->theta[j] - product) * speed);
  }
  return f->approach > approach_told ? fmax (largest, f->approach) : largest;
}

void
ss_freeze_take (void *owner)
{
  SsFreeze *f = owner;
  f->missed = fmax (f->missed, f->approach);
}

double
ss_freeze_missed (const SsFreeze *f)
{
  SS_ASSERT (f != NULL);
  return f->missed;
}
