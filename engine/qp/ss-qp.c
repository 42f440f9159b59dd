/* engine/qp/ss-qp.c: the iteration: infeasible-start primal-dual predictor-corrector (Mehrotra) with one common step length.
 *
 * Letters: see ss-qp-private.h. The start satisfies every row and bound exactly and is perfectly centred (p = 0; y is the root of
 * sigma/y - sigma/(M - y) = c), so that only the dual residual H p + g - J'y + bu - bl has to be driven to zero. The Newton step is
 *
 *   [ H + J_I'W J_I + D   J_E' ] [  dp  ]   [ -(H p + g) + el - eu + J_E'y_E + J_I'(y_I + W q_I) ]
 *   [ J_E               -1/W_E ] [ -dy_E ] = [ q_E                                                ],   W = 1/(s/y + t/z),
 *
 * with q = e1 - e2 - (J p + c), where e1, e2, el, eu are the targets of the products over y, z and the two slacks: 0 for the predictor. The shift
 * goes into the matrix and nowhere else: a proximal term in the conditions would pull the answer towards p = 0. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize(                                                                                                  \
    "O3") /* row passes are loops over plain arrays: they gain from vectors, which gcc's -O2 does not try */
#endif

#include "qp/ss-qp-private.h"

#include <math.h>
#include <string.h>

enum { LANES = 8 }; /* partial results of a reduction: fixed, so that every instruction set gives the same bits */

static const double RELATIVE_SHIFT =
    1e-14; /* of each diagonal entry: rounding of its own terms must not turn a pivot's sign */
static const double PIVOT_MINIMUM = 1e-30; /* smaller pivots are numerical noise at any scale met here              */
static const double SHIFT_GROWTH = 1e3;    /* after a factorisation that failed                                     */
static const double STALL_STEP = 1e-8;     /* step lengths below this no longer move anything                       */
static const double START_COMPLEMENTARITY =
    0.1; /* of the mean product of penalty and radius or constant                 */
enum { MAX_STALLS = 3, MAX_SHIFT_RAISES = 4, MAX_UNCONFIRMED = 6, REFINEMENTS = 2 };

/* ---- reductions and products -------------------------------------------------------------------------------------------------- */

static double
largest (int n, const double *restrict x)
{
  double lane[LANES] = {0};
  int i = 0;
  for (; i + LANES <= n; i += LANES)
    for (int l = 0; l < LANES; l++)
      lane[l] = x[i + l] > lane[l] ? x[i + l] : lane[l];
  double result = 0;
  for (int l = 0; l < LANES; l++)
    result = lane[l] > result ? lane[l] : result;
  for (; i < n; i++)
    result = x[i] > result ? x[i] : result;
  return result;
}

static double
dot (int n, const double *restrict a, const double *restrict b)
{
  double lane[LANES] = {0};
  int i = 0;
  for (; i + LANES <= n; i += LANES)
    for (int l = 0; l < LANES; l++)
      lane[l] += a[i + l] * b[i + l];
  double result = ((lane[0] + lane[4]) + (lane[1] + lane[5])) + ((lane[2] + lane[6]) + (lane[3] + lane[7]));
  for (; i < n; i++)
    result += a[i] * b[i];
  return result;
}

static void
block_multiply (const SsQpRows *rows, const double *restrict x, double *restrict out)
{
  for (int i = 0; i < rows->n_rows; i++) {
    double sum = 0;
    for (int k = rows->start[i]; k < rows->start[i + 1]; k++)
      sum += rows->a[k] * x[rows->col[k]];
    out[i] = sum;
  }
}

static void
block_multiply_transposed (const SsQpRows *rows, const double *restrict v, double *restrict out)
{
  for (int i = 0; i < rows->n_rows; i++)
    for (int k = rows->start[i]; k < rows->start[i + 1]; k++)
      out[rows->col[k]] += rows->a[k] * v[i];
}

static void
rows_multiply (const SsQp *qp, const double *restrict x, double *restrict out)
{
  const int *restrict col = qp->one_col;
  const double *restrict a = qp->one_a;
  block_multiply (&qp->eq, x, out);
  out += qp->n_eq;
  for (int i = 0; i < qp->n_one; i++)
    out[i] = a[i] * x[col[i]];
  out += qp->n_one;
  col = qp->two_col;
  a = qp->two_a;
  for (int i = 0; i < qp->n_two; i++)
    out[i] = a[2 * i] * x[col[2 * i]] + a[2 * i + 1] * x[col[2 * i + 1]];
  block_multiply (&qp->general, x, out + qp->n_two);
}

static void
rows_multiply_transposed (const SsQp *qp, const double *restrict v, double *restrict out)
{
  const int *restrict col = qp->one_col;
  const double *restrict a = qp->one_a;
  block_multiply_transposed (&qp->eq, v, out);
  v += qp->n_eq;
  for (int i = 0; i < qp->n_one; i++)
    out[col[i]] += a[i] * v[i];
  v += qp->n_one;
  col = qp->two_col;
  a = qp->two_a;
  for (int i = 0; i < qp->n_two; i++) {
    out[col[2 * i]] += a[2 * i] * v[i];
    out[col[2 * i + 1]] += a[2 * i + 1] * v[i];
  }
  block_multiply_transposed (&qp->general, v + qp->n_two, out);
}

/* out = H x */
static void
hessian_multiply (const SsQp *qp, const double *restrict x, double *restrict out)
{
  memset (out, 0, (size_t)qp->n * sizeof (double));
  for (int k = 0; k < qp->n_diagonal; k++)
    out[qp->diagonal_col[k]] = qp->diagonal_h[k] * x[qp->diagonal_col[k]];
  for (int k = 0; k < qp->n_off; k++) {
    out[qp->off_row[k]] += qp->off_h[k] * x[qp->off_col[k]];
    out[qp->off_col[k]] += qp->off_h[k] * x[qp->off_row[k]];
  }
}

/* ---- loading a problem --------------------------------------------------------------------------------------------------------- */

static bool
all_finite (int n, const double *x)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += 0 * x[i]; /* NaN if any is not finite */
  return sum == 0;
}

static bool
all_positive (int n, const double *x)
{
  for (int i = 0; i < n; i++)
    if (!(x[i] > 0))
      return false;
  return true;
}

static bool
data_is_valid (const SsQp *qp, const SsQpData *d)
{
  int n_jacobian = 0;
  for (int i = 0; i < qp->eq.start[qp->n_eq]; i++)
    n_jacobian += !isfinite (d->jacobian[qp->eq.slot[i]]);
  for (int i = 0; i < qp->general.start[qp->n_general]; i++)
    n_jacobian += !isfinite (d->jacobian[qp->general.slot[i]]);
  for (int i = 0; i < qp->n_one; i++)
    n_jacobian += !isfinite (d->jacobian[qp->one_slot[i]]);
  for (int i = 0; i < 2 * qp->n_two; i++)
    n_jacobian += !isfinite (d->jacobian[qp->two_slot[i]]);
  return n_jacobian == 0 && all_finite (qp->n_diagonal + qp->n_off, d->hessian) && all_finite (qp->n, d->gradient) &&
         all_finite (qp->n_given, d->c) && all_finite (qp->n_given, d->mu) && all_finite (qp->n, d->radius) &&
         all_positive (qp->n_given, d->mu) && all_positive (qp->n, d->radius);
}

/* Copies the data in the order of the iteration and fills the constant part of the matrix. */
static void
load (SsQp *qp, const SsQpData *d)
{
  for (int k = 0; k < qp->eq.start[qp->n_eq]; k++)
    qp->eq.a[k] = d->jacobian[qp->eq.slot[k]];
  for (int k = 0; k < qp->general.start[qp->n_general]; k++)
    qp->general.a[k] = d->jacobian[qp->general.slot[k]];
  for (int i = 0; i < qp->n_one; i++)
    qp->one_a[i] = d->jacobian[qp->one_slot[i]];
  for (int i = 0; i < 2 * qp->n_two; i++)
    qp->two_a[i] = d->jacobian[qp->two_slot[i]];
  for (int i = 0; i < qp->n_rows; i++) {
    qp->c[i] = d->c[qp->given[i]];
    qp->m[i] = (i < qp->n_eq ? 2 : 1) * d->mu[qp->given[i]];
  }
  memcpy (qp->g, d->gradient, (size_t)qp->n * sizeof (double));
  memcpy (qp->radius, d->radius, (size_t)qp->n * sizeof (double));

  memset (qp->base, 0, (size_t)qp->lower.start[qp->n + qp->n_eq] * sizeof (double));
  for (int k = 0; k < qp->n_diagonal; k++) {
    qp->diagonal_h[k] = d->hessian[qp->diagonal_slot[k]];
    qp->base[qp->k_diagonal_h[k]] += qp->diagonal_h[k];
  }
  for (int k = 0; k < qp->n_off; k++) {
    qp->off_h[k] = d->hessian[qp->off_slot[k]];
    qp->base[qp->k_off_h[k]] += qp->off_h[k];
  }
  for (int k = 0; k < qp->eq.start[qp->n_eq]; k++)
    qp->base[qp->k_eq[k]] += qp->eq.a[k];
}

/* Complementarity of the start: a typical penalty times a typical distance. */
static double
choose_start (const SsQp *qp)
{
  double sum = 0;
  for (int i = 0; i < qp->n_rows; i++)
    sum += qp->m[i] * (fabs (qp->c[i]) + 1);
  for (int j = 0; j < qp->n; j++)
    sum += qp->radius[j];
  return START_COMPLEMENTARITY * sum / (qp->n_rows + qp->n + 1);
}

/* p = 0, every row and bound satisfied and centred with products sigma. */
static void
start_centred (SsQp *qp, double sigma)
{
  for (int i = 0; i < qp->n_rows; i++) {
    double k = fabs (qp->c[i]) * qp->m[i] / sigma, small = qp->m[i] * 2 / (k + 2 + sqrt (k * k + 4));
    qp->y[i] = qp->c[i] >= 0 ? small : qp->m[i] - small;
    qp->z[i] = qp->c[i] >= 0 ? qp->m[i] - small : small;
    qp->s[i] = sigma / qp->y[i];
    qp->t[i] = sigma / qp->z[i];
    qp->r[i] = qp->c[i];
  }
  for (int j = 0; j < qp->n; j++) {
    qp->p[j] = 0;
    qp->lower_slack[j] = qp->upper_slack[j] = qp->radius[j];
    qp->bl[j] = qp->bu[j] = sigma / qp->radius[j];
  }
}

/* ---- one iteration --------------------------------------------------------------------------------------------------------------- */

/* Reciprocals of all positive quantities, two divisions a row, one and a half a bound. */
static void
compute_reciprocals (SsQp *qp)
{
  const double *restrict s = qp->s, *restrict t = qp->t, *restrict y = qp->y, *restrict z = qp->z;
  double *restrict is = qp->is, *restrict it = qp->it, *restrict iy = qp->iy, *restrict iz = qp->iz,
                   *restrict w = qp->w;
  for (int i = 0; i < qp->n_rows; i++) {
    double st = s[i] * t[i], yz = y[i] * z[i], inverse = 1 / (st * yz);
    is[i] = t[i] * yz * inverse;
    it[i] = s[i] * yz * inverse;
    iy[i] = z[i] * st * inverse;
    iz[i] = y[i] * st * inverse;
    w[i] = yz / (s[i] * z[i] + t[i] * y[i]);
  }
  const double *restrict ls = qp->lower_slack, *restrict us = qp->upper_slack;
  double *restrict il = qp->il, *restrict iu = qp->iu;
  for (int j = 0; j < qp->n; j++) {
    il[j] = 1 / ls[j];
    iu[j] = 1 / us[j];
  }
}

/* matrix = base + shift + bounds + J_I' W J_I, -1/W_E */
static void
assemble (SsQp *qp, double shift)
{
  double *restrict k = qp->matrix;
  const int *restrict diagonal = qp->k_diagonal;
  memcpy (k, qp->base, (size_t)qp->lower.start[qp->n + qp->n_eq] * sizeof (double));
  for (int j = 0; j < qp->n; j++)
    k[diagonal[j]] += shift + (qp->bl[j] * qp->il[j] + qp->bu[j] * qp->iu[j]);
  const double *restrict w = qp->w;
  for (int i = 0; i < qp->n_eq; i++)
    k[diagonal[qp->n + i]] = -(qp->s[i] * qp->iy[i] + qp->t[i] * qp->iz[i]) - shift;
  w += qp->n_eq;
  for (int i = 0; i < qp->n_one; i++)
    k[diagonal[qp->one_col[i]]] += w[i] * qp->one_a[i] * qp->one_a[i];
  w += qp->n_one;
  for (int i = 0; i < qp->n_two; i++) {
    double a1 = qp->two_a[2 * i], a2 = qp->two_a[2 * i + 1], wa1 = w[i] * a1, wa2 = w[i] * a2;
    k[diagonal[qp->two_col[2 * i]]] += wa1 * a1;
    k[diagonal[qp->two_col[2 * i + 1]]] += wa2 * a2;
    k[qp->k_two[i]] += wa1 * a2;
  }
  w += qp->n_two;
  const int *restrict place = qp->k_general;
  const double *restrict a = qp->general.a;
  for (int i = 0; i < qp->n_general; i++)
    for (int e = qp->general.start[i]; e < qp->general.start[i + 1]; e++) {
      double wa = w[i] * a[e];
      for (int f = qp->general.start[i]; f <= e; f++)
        k[*place++] += wa * a[f];
    }
  for (int j = 0; j < qp->n; j++)
    k[diagonal[j]] += RELATIVE_SHIFT * k[diagonal[j]];
}

static bool
factor (SsQp *qp, double *shift)
{
  for (int attempt = 0; attempt <= MAX_SHIFT_RAISES; attempt++) {
    assemble (qp, *shift);
    if (ss_ldl_factor (qp->ldl, qp->matrix, qp->sign, PIVOT_MINIMUM, NULL) == SS_OK)
      return true;
    *shift = *shift > 0 ? *shift * SHIFT_GROWTH : 1e-12;
  }
  return false;
}

/* Solves the factorised system for `rhs` in place; with `refine`, corrects the solution by the residual of the assembled system without shifts. */
static void
solve_linear (SsQp *qp, bool refine)
{
  const int n = qp->n, n_eq = qp->n_eq, size = n + n_eq;
  double *x = qp->solution, *b = qp->rhs, *v = qp->v, *hx = qp->hx;
  if (!refine) {
    ss_ldl_solve (qp->ldl, b);
    return;
  }
  memcpy (x, b, (size_t)size * sizeof (double));
  ss_ldl_solve (qp->ldl, x);
  for (int round = 0; round < REFINEMENTS; round++) {
    double *residual = qp->refined;
    hessian_multiply (qp, x, hx);
    rows_multiply (qp, x, v);
    for (int j = 0; j < n; j++)
      residual[j] = b[j] - hx[j] - (qp->bl[j] * qp->il[j] + qp->bu[j] * qp->iu[j]) * x[j];
    for (int i = 0; i < n_eq; i++) {
      residual[n + i] = b[n + i] - v[i] + (qp->s[i] * qp->iy[i] + qp->t[i] * qp->iz[i]) * x[n + i];
      v[i] = -x[n + i];
    }
    for (int i = n_eq; i < qp->n_rows; i++)
      v[i] *= -qp->w[i];
    rows_multiply_transposed (qp, v, residual);
    ss_ldl_solve (qp->ldl, residual);
    ss_axpy (size, 1, residual, x);
  }
  memcpy (b, x, (size_t)size * sizeof (double));
}

/* Solves for dp, dy with the targets in e1, e2, f1, f2 (all zero when `predict`), then dr = J dp. */
static void
solve_step (SsQp *qp, bool predict, bool refine)
{
  const int n = qp->n, n_eq = qp->n_eq, n_rows = qp->n_rows;
  double *restrict rhs = qp->rhs, *restrict v = qp->v;
  const double *restrict w = qp->w, *restrict y = qp->y, *restrict z = qp->z, *restrict r = qp->r;
  const double *restrict e1 = qp->e1, *restrict e2 = qp->e2;
  for (int i = 0; i < n_eq; i++) {
    v[i] = 0.5 * (y[i] - z[i]);
    rhs[n + i] = predict ? -r[i] : e1[i] - e2[i] - r[i];
  }
  if (predict) {
    for (int i = n_eq; i < n_rows; i++)
      v[i] = y[i] - w[i] * r[i];
    for (int j = 0; j < n; j++)
      rhs[j] = -(qp->hp[j] + qp->g[j]);
  } else {
    for (int i = n_eq; i < n_rows; i++)
      v[i] = y[i] + w[i] * (e1[i] - e2[i] - r[i]);
    for (int j = 0; j < n; j++)
      rhs[j] = qp->f1[j] - qp->f2[j] - (qp->hp[j] + qp->g[j]);
  }
  rows_multiply_transposed (qp, v, rhs);
  solve_linear (qp, refine);

  memcpy (qp->dp, rhs, (size_t)n * sizeof (double));
  rows_multiply (qp, qp->dp, qp->dr);
  double *restrict dy = qp->dy;
  const double *restrict dr = qp->dr;
  for (int i = 0; i < n_eq; i++)
    dy[i] = -rhs[n + i];
  if (predict)
    for (int i = n_eq; i < n_rows; i++)
      dy[i] = -w[i] * (r[i] + dr[i]);
  else
    for (int i = n_eq; i < n_rows; i++)
      dy[i] = w[i] * (e1[i] - e2[i] - r[i] - dr[i]);
}

/* Largest of x/-dx over everything that must stay positive, as its reciprocal (0: nothing shrinks). */
static double
row_limit (SsQp *qp)
{
  const double *restrict is = qp->is, *restrict it = qp->it, *restrict iy = qp->iy, *restrict iz = qp->iz;
  const double *restrict ds = qp->ds, *restrict dt = qp->dt, *restrict dy = qp->dy;
  double *restrict v = qp->v;
  for (int i = 0; i < qp->n_rows; i++) {
    double a = -ds[i] * is[i], b = -dt[i] * it[i], c = -dy[i] * iy[i], d = dy[i] * iz[i];
    double ab = a > b ? a : b, cd = c > d ? c : d;
    v[i] = ab > cd ? ab : cd;
  }
  return largest (qp->n_rows, v);
}

static double
bound_limit (SsQp *qp)
{
  const double *restrict dp = qp->dp, *restrict il = qp->il, *restrict iu = qp->iu;
  const double *restrict bl = qp->bl, *restrict bu = qp->bu, *restrict dbl = qp->dbl, *restrict dbu = qp->dbu;
  double *restrict v = qp->rhs; /* free once dp and dy are known */
  for (int j = 0; j < qp->n; j++) {
    double a = -dp[j] * il[j], b = dp[j] * iu[j], c = -dbl[j] / bl[j], d = -dbu[j] / bu[j];
    double ab = a > b ? a : b, cd = c > d ? c : d;
    v[j] = ab > cd ? ab : cd;
  }
  return largest (qp->n, v);
}

/* Steps of the eliminated quantities; targets 0 (predictor). */
static void
expand_predictor (SsQp *qp)
{
  const double *restrict s = qp->s, *restrict t = qp->t, *restrict iy = qp->iy, *restrict iz = qp->iz;
  const double *restrict dy = qp->dy, *restrict dp = qp->dp;
  double *restrict ds = qp->ds, *restrict dt = qp->dt;
  for (int i = 0; i < qp->n_rows; i++) {
    ds[i] = -s[i] - s[i] * (dy[i] * iy[i]);
    dt[i] = -t[i] + t[i] * (dy[i] * iz[i]);
  }
  const double *restrict bl = qp->bl, *restrict bu = qp->bu, *restrict il = qp->il, *restrict iu = qp->iu;
  double *restrict dbl = qp->dbl, *restrict dbu = qp->dbu;
  for (int j = 0; j < qp->n; j++) {
    dbl[j] = -bl[j] - bl[j] * (dp[j] * il[j]);
    dbu[j] = -bu[j] + bu[j] * (dp[j] * iu[j]);
  }
}

static void
expand_corrector (SsQp *qp)
{
  const double *restrict s = qp->s, *restrict t = qp->t, *restrict iy = qp->iy, *restrict iz = qp->iz;
  const double *restrict dy = qp->dy, *restrict dp = qp->dp, *restrict e1 = qp->e1, *restrict e2 = qp->e2;
  double *restrict ds = qp->ds, *restrict dt = qp->dt;
  for (int i = 0; i < qp->n_rows; i++) {
    ds[i] = e1[i] - s[i] - s[i] * (dy[i] * iy[i]);
    dt[i] = e2[i] - t[i] + t[i] * (dy[i] * iz[i]);
  }
  const double *restrict bl = qp->bl, *restrict bu = qp->bu, *restrict il = qp->il, *restrict iu = qp->iu;
  const double *restrict f1 = qp->f1, *restrict f2 = qp->f2;
  double *restrict dbl = qp->dbl, *restrict dbu = qp->dbu;
  for (int j = 0; j < qp->n; j++) {
    dbl[j] = f1[j] - bl[j] - bl[j] * (dp[j] * il[j]);
    dbu[j] = f2[j] - bu[j] + bu[j] * (dp[j] * iu[j]);
  }
}

/* Sum of the complementarity products. */
static double
total_gap (const SsQp *qp)
{
  return dot (qp->n_rows, qp->s, qp->y) + dot (qp->n_rows, qp->t, qp->z) + dot (qp->n, qp->lower_slack, qp->bl) +
         dot (qp->n, qp->upper_slack, qp->bu);
}

/* Mehrotra's second-order targets after the predictor. */
static void
set_targets (SsQp *qp, double sigma)
{
  const double *restrict ds = qp->ds, *restrict dt = qp->dt, *restrict dy = qp->dy, *restrict iy = qp->iy,
                         *restrict iz = qp->iz;
  double *restrict e1 = qp->e1, *restrict e2 = qp->e2;
  for (int i = 0; i < qp->n_rows; i++) {
    e1[i] = (sigma - ds[i] * dy[i]) * iy[i];
    e2[i] = (sigma + dt[i] * dy[i]) * iz[i];
  }
  const double *restrict dp = qp->dp, *restrict dbl = qp->dbl, *restrict dbu = qp->dbu, *restrict il = qp->il,
                         *restrict iu = qp->iu;
  double *restrict f1 = qp->f1, *restrict f2 = qp->f2;
  for (int j = 0; j < qp->n; j++) {
    f1[j] = (sigma - dp[j] * dbl[j]) * il[j];
    f2[j] = (sigma + dp[j] * dbu[j]) * iu[j];
  }
}

static void
advance (SsQp *qp, double alpha)
{
  double *restrict s = qp->s, *restrict t = qp->t, *restrict y = qp->y, *restrict z = qp->z, *restrict r = qp->r;
  const double *restrict ds = qp->ds, *restrict dt = qp->dt, *restrict dy = qp->dy, *restrict dr = qp->dr;
  for (int i = 0; i < qp->n_rows; i++) {
    s[i] += alpha * ds[i];
    t[i] += alpha * dt[i];
    y[i] += alpha * dy[i];
    z[i] -= alpha * dy[i];
    r[i] += alpha * dr[i];
  }
  double *restrict p = qp->p, *restrict ls = qp->lower_slack, *restrict us = qp->upper_slack, *restrict bl = qp->bl,
                   *restrict bu = qp->bu;
  const double *restrict dp = qp->dp, *restrict dbl = qp->dbl, *restrict dbu = qp->dbu;
  for (int j = 0; j < qp->n; j++) {
    p[j] += alpha * dp[j];
    ls[j] += alpha * dp[j];
    us[j] -= alpha * dp[j];
    bl[j] += alpha * dbl[j];
    bu[j] += alpha * dbu[j];
  }
}

/* ---- residuals, recomputed from the data ------------------------------------------------------------------------------------------ */

/* max |H p + g - J'y + bu - bl|; hp must be current. NaN if anything is. */
static double
dual_residual (SsQp *qp)
{
  double *restrict f = qp->stationarity, *restrict v = qp->v;
  for (int i = 0; i < qp->n_eq; i++)
    v[i] = -0.5 * (qp->y[i] - qp->z[i]);
  for (int i = qp->n_eq; i < qp->n_rows; i++)
    v[i] = -qp->y[i];
  for (int j = 0; j < qp->n; j++)
    f[j] = qp->hp[j] + qp->g[j] + (qp->bu[j] - qp->bl[j]);
  rows_multiply_transposed (qp, v, f);
  return ss_norm_inf (qp->n, f);
}

/* Quadratic part plus l1 terms at p minus the l1 terms at 0, rows of the iteration only (constant rows cancel). */
static double
model_change (SsQp *qp)
{
  double quadratic = dot (qp->n, qp->g, qp->p) + 0.5 * dot (qp->n, qp->hp, qp->p), l1 = 0;
  rows_multiply (qp, qp->p, qp->v);
  for (int i = 0; i < qp->n_eq; i++)
    l1 += 0.5 * qp->m[i] * (fabs (qp->v[i] + qp->c[i]) - fabs (qp->c[i]));
  for (int i = qp->n_eq; i < qp->n_rows; i++) {
    double now = qp->v[i] + qp->c[i];
    l1 += qp->m[i] * ((now < 0 ? -now : 0) - (qp->c[i] < 0 ? -qp->c[i] : 0));
  }
  return quadratic + l1;
}

static double
primal_residual (SsQp *qp)
{
  double worst = 0;
  rows_multiply (qp, qp->p, qp->v);
  for (int i = 0; i < qp->n_rows; i++)
    worst = fmax (worst, fabs (qp->v[i] + qp->c[i] + qp->t[i] - qp->s[i]));
  for (int j = 0; j < qp->n; j++)
    worst = fmax (worst, fabs (qp->p[j]) - qp->radius[j]);
  return worst;
}

static void
report (SsQp *qp, const SsQpData *d, SsOutcome outcome, int iterations, SsQpResult *result)
{
  for (int i = 0; i < qp->n_eq; i++)
    qp->multipliers[qp->given[i]] = 0.5 * (qp->y[i] - qp->z[i]);
  for (int i = qp->n_eq; i < qp->n_rows; i++)
    qp->multipliers[qp->given[i]] = qp->y[i];
  for (int i = 0; i < qp->n_constant; i++) { /* |c| or max(0, -c) does not depend on p: the multiplier is its slope */
    int row = qp->constant[i];
    double c = d->c[row], mu = d->mu[row];
    qp->multipliers[row] = c < 0 ? mu : c > 0 && row < qp->n_given_eq ? -mu : 0;
  }
  hessian_multiply (qp, qp->p, qp->hp);
  *result = (SsQpResult){
      .outcome = outcome,
      .iterations = iterations,
      .residual_dual = dual_residual (qp),
      .residual_primal = primal_residual (qp),
      .gap = total_gap (qp),
      .model_change = model_change (qp),
      .p = qp->p,
      .multipliers = qp->multipliers,
  };
}

static void
report_invalid (SsQp *qp, SsQpResult *result)
{
  memset (qp->p, 0, (size_t)qp->n * sizeof (double));
  memset (qp->multipliers, 0, (size_t)qp->n_given * sizeof (double));
  *result = (SsQpResult){.outcome = SS_OUTCOME_FAILED,
                         .residual_dual = NAN,
                         .residual_primal = NAN,
                         .gap = NAN,
                         .model_change = 0,
                         .p = qp->p,
                         .multipliers = qp->multipliers};
}

/* ---- the solve --------------------------------------------------------------------------------------------------------------------- */

SsStatus
ss_qp_solve (SsQp *qp, const SsQpData *data, SsRunControl *control, SsQpResult *result, SsError *err)
{
  (void)err;
  if (!data_is_valid (qp, data)) {
    report_invalid (qp, result);
    return SS_OK;
  }
  load (qp, data);
  start_centred (qp, choose_start (qp));
  hessian_multiply (qp, qp->p, qp->hp);

  const int n = qp->n, n_products = 2 * (qp->n_rows + qp->n);
  const double dual_tolerance = qp->options.tolerance_residual * (1 + ss_norm_inf (qp->n, qp->g));
  double dual = dual_residual (qp), gap = total_gap (qp), shift = qp->options.shift;
  SsOutcome outcome = SS_OUTCOME_MAX_ITERATIONS;
  int iteration = 0, stalls = 0, unconfirmed = 0;
  for (;; iteration++) {
    /* The residual falls by 1 - alpha each step; it is recomputed before it is believed. */
    double quadratic = dot (qp->n, qp->g, qp->p) + 0.5 * dot (qp->n, qp->hp, qp->p);
    double gap_tolerance = qp->options.tolerance_gap * (1 + fabs (quadratic));
    if (dual <= dual_tolerance && gap <= gap_tolerance) {
      dual = dual_residual (qp);
      if (dual <= dual_tolerance) {
        outcome = SS_OUTCOME_SOLVED;
        break;
      }
      if (++unconfirmed > MAX_UNCONFIRMED)
        break;
    }
    if (iteration >= qp->options.max_iterations || stalls >= MAX_STALLS)
      break;
    if (ss_run_control_should_stop (control, &outcome))
      break;

    compute_reciprocals (qp);
    if (!factor (qp, &shift)) {
      outcome = SS_OUTCOME_FAILED;
      break;
    }
    solve_step (qp, true, unconfirmed > 0);
    expand_predictor (qp);
    double limit = fmax (row_limit (qp), bound_limit (qp));
    double alpha = limit > 1 ? 1 / limit : 1;
    double product = dot (qp->n_rows, qp->ds, qp->dy) - dot (qp->n_rows, qp->dt, qp->dy) +
                     dot (qp->n, qp->dp, qp->dbl) - dot (qp->n, qp->dp, qp->dbu);
    double ratio = fmin (1, fmax (0, ((1 - alpha) * gap + alpha * alpha * product) / gap));

    /* A gap that is small enough is kept while the residual is worked on: smaller products only cost digits. */
    double keep = unconfirmed > 0 && gap <= gap_tolerance ? 1 : ratio * ratio * ratio;
    set_targets (qp, keep * gap / n_products);
    solve_step (qp, false, unconfirmed > 0);
    expand_corrector (qp);
    limit = fmax (row_limit (qp), bound_limit (qp));
    alpha = limit > qp->options.step_fraction ? qp->options.step_fraction / limit : 1;
    if (!isfinite (dot (n, qp->dp, qp->dp) + dot (qp->n_rows, qp->dy, qp->dy))) { /* before it spoils the point */
      outcome = SS_OUTCOME_FAILED;
      break;
    }
    advance (qp, alpha);
    hessian_multiply (qp, qp->p, qp->hp);
    dual *= 1 - alpha;
    gap = total_gap (qp);
    stalls = alpha < STALL_STEP ? stalls + 1 : 0;
  }
  report (qp, data, outcome, iteration, result);
  return SS_OK;
}
