/* engine/qp/ss-qp-passes.c: the interior point iteration's passes over rows and bounds, apart from linear algebra.
 *
 * An iteration is four phases, between which only sums and maxima are needed: advance (with reciprocals for the next
 * factorisation), predictor (products of its steps and the longest step), corrector's right-hand side, corrector (steps
 * and the longest step). Each phase is one pass, because the vectors together do not fit into the first cache and
 * reading them is what costs time. Letters: see ss-qp-private.h; e1 = (sigma - ds dy)/y and e2 = (sigma + dt dy)/z are
 * Mehrotra's targets, kept as the products c1 = ds dy, c2 = dt dy of the predictor.
 *
 * The phases are compiled for several vector lengths (ss-lanes.h). Every sum is taken in LANES partial sums over pieces
 * of CHUNK entries, so that all instruction sets give the same bits. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3") /* loops over plain arrays: they gain from vectors, which gcc's -O2 does not try */
#define INDEPENDENT _Pragma ("GCC ivdep")
#elif defined(__clang__)
#define INDEPENDENT _Pragma ("clang loop vectorize(assume_safety)")
#pragma clang diagnostic ignored "-Wpass-failed" /* instrumented builds do not vectorise */
#else
#define INDEPENDENT
#endif

#include "qp/ss-qp-private.h"

#include <math.h>

enum { LANES = 8, CHUNK = 256 };

typedef struct {
  double sum, max;
} Reduction;

SS_LANES_INLINE void
reduce_sum (int n, const double *x, double *sum)
{
  double lane[LANES] = {0};
  int i = 0;
  for (; i + LANES <= n; i += LANES)
    for (int l = 0; l < LANES; l++)
      lane[l] += x[i + l];
  *sum += ((lane[0] + lane[4]) + (lane[1] + lane[5])) + ((lane[2] + lane[6]) + (lane[3] + lane[7]));
  for (; i < n; i++)
    *sum += x[i];
}

SS_LANES_INLINE void
reduce_max (int n, const double *x, double *max)
{
  double lane[LANES] = {0};
  int i = 0;
  for (; i + LANES <= n; i += LANES)
    for (int l = 0; l < LANES; l++)
      lane[l] = x[i + l] > lane[l] ? x[i + l] : lane[l];
  for (int l = 0; l < LANES; l++)
    *max = lane[l] > *max ? lane[l] : *max;
  for (; i < n; i++)
    *max = x[i] > *max ? x[i] : *max;
}

SS_LANES_INLINE int
chunk_end (int first, int end)
{
  return first + CHUNK < end ? first + CHUNK : end;
}

/* ---- phase 1: advance -------------------------------------------------------------------------------------------- */

SS_LANES_INLINE void
advance_rows (SsQp *qp, double alpha, double *gap)
{
  double *s = qp->s, *t = qp->t, *y = qp->y, *z = qp->z, *r = qp->r;
  double *is = qp->is, *it = qp->it, *iy = qp->iy, *iz = qp->iz, *w = qp->w;
  const double *ds = qp->ds, *dt = qp->dt, *dy = qp->dy, *dr = qp->dr;
  double product[CHUNK];
  for (int first = 0; first < qp->n_rows; first += CHUNK) {
    int end = chunk_end (first, qp->n_rows);
    INDEPENDENT
    for (int i = first; i < end; i++) {
      double s1 = s[i] + alpha * ds[i], t1 = t[i] + alpha * dt[i];
      double y1 = y[i] + alpha * dy[i], z1 = z[i] - alpha * dy[i];
      double st = s1 * t1, yz = y1 * z1, inverse = 1 / (st * yz), sz = s1 * z1, ty = t1 * y1;
      s[i] = s1;
      t[i] = t1;
      y[i] = y1;
      z[i] = z1;
      r[i] += alpha * dr[i];
      is[i] = t1 * yz * inverse;
      it[i] = s1 * yz * inverse;
      iy[i] = z1 * st * inverse;
      iz[i] = y1 * st * inverse;
      w[i] = yz / (sz + ty);
      product[i - first] = s1 * y1 + t1 * z1;
    }
    reduce_sum (end - first, product, gap);
  }
}

SS_LANES_INLINE void
advance_bounds (SsQp *qp, double alpha, double *gap)
{
  double *p = qp->p, *ls = qp->lower_slack, *us = qp->upper_slack, *bl = qp->bl, *bu = qp->bu;
  double *il = qp->il, *iu = qp->iu, *ibl = qp->ibl, *ibu = qp->ibu, *db = qp->barrier;
  const double *dp = qp->dp, *dbl = qp->dbl, *dbu = qp->dbu;
  double product[CHUNK];
  for (int first = 0; first < qp->n; first += CHUNK) {
    int end = chunk_end (first, qp->n);
    INDEPENDENT
    for (int j = first; j < end; j++) {
      double l1 = ls[j] + alpha * dp[j], u1 = us[j] - alpha * dp[j];
      double bl1 = bl[j] + alpha * dbl[j], bu1 = bu[j] + alpha * dbu[j];
      double lu = l1 * u1, b = bl1 * bu1, inverse = 1 / (lu * b), il1 = u1 * b * inverse, iu1 = l1 * b * inverse;
      p[j] += alpha * dp[j];
      ls[j] = l1;
      us[j] = u1;
      bl[j] = bl1;
      bu[j] = bu1;
      il[j] = il1;
      iu[j] = iu1;
      ibl[j] = bu1 * lu * inverse;
      ibu[j] = bl1 * lu * inverse;
      db[j] = bl1 * il1 + bu1 * iu1;
      product[j - first] = l1 * bl1 + u1 * bu1;
    }
    reduce_sum (end - first, product, gap);
  }
}

SS_CLONES double
ss_qp_advance (SsQp *qp, double alpha)
{
  double gap = 0;
  advance_rows (qp, alpha, &gap);
  advance_bounds (qp, alpha, &gap);
  return gap;
}

/* ---- phase 2: predictor ------------------------------------------------------------------------------------------ */

SS_CLONES void
ss_qp_predictor_rhs (SsQp *qp)
{
  SS_ASSERT (qp != NULL && qp->n_eq <= qp->n_rows);

  const double *y = qp->y, *z = qp->z, *w = qp->w, *r = qp->r;
  double *v = qp->v, *rhs = qp->rhs;
  const int n = qp->n;
  for (int i = 0; i < qp->n_eq; i++) {
    v[i] = 0.5 * (y[i] - z[i]);
    rhs[n + i] = -r[i];
  }
  INDEPENDENT
  for (int i = qp->n_eq; i < qp->n_rows; i++)
    v[i] = y[i] - w[i] * r[i];
  INDEPENDENT
  for (int j = 0; j < n; j++)
    rhs[j] = -(qp->hp[j] + qp->g[j]);
}

/* Rows first..end-1. ds = -s(1 + dy/y), dt = -t(1 - dy/z): relative steps need no division. dy[] is given for equality
 * rows, follows for others. */
SS_LANES_INLINE void
predictor_rows (SsQp *qp, int from, int to, bool is_eq, Reduction *out)
{
  const double *s = qp->s, *t = qp->t, *iy = qp->iy, *iz = qp->iz, *w = qp->w, *r = qp->r, *dr = qp->dr, *dy = qp->dy;
  double *c1 = qp->c1, *c2 = qp->c2, product[CHUNK], limit[CHUNK];
  for (int first = from; first < to; first += CHUNK) {
    int end = chunk_end (first, to);
    INDEPENDENT
    for (int i = first; i < end; i++) {
      double d = is_eq ? dy[i] : -w[i] * (r[i] + dr[i]), a = d * iy[i], b = d * iz[i];
      double p1 = -s[i] * (1 + a) * d, p2 = -t[i] * (1 - b) * d;
      double as = 1 + a > -a ? 1 + a : -a, bs = 1 - b > b ? 1 - b : b;
      c1[i] = p1;
      c2[i] = p2;
      product[i - first] = p1 - p2;
      limit[i - first] = as > bs ? as : bs;
    }
    reduce_sum (end - first, product, &out->sum);
    reduce_max (end - first, limit, &out->max);
  }
}

SS_LANES_INLINE void
predictor_bounds (SsQp *qp, Reduction *out)
{
  const double *dp = qp->dp, *bl = qp->bl, *bu = qp->bu, *il = qp->il, *iu = qp->iu;
  double *f1 = qp->f1, *f2 = qp->f2, product[CHUNK], limit[CHUNK];
  for (int first = 0; first < qp->n; first += CHUNK) {
    int end = chunk_end (first, qp->n);
    INDEPENDENT
    for (int j = first; j < end; j++) {
      double a = dp[j] * il[j], b = dp[j] * iu[j];
      double p1 = -bl[j] * (1 + a) * dp[j], p2 = -bu[j] * (1 - b) * dp[j];
      double as = 1 + a > -a ? 1 + a : -a, bs = 1 - b > b ? 1 - b : b;
      f1[j] = p1;
      f2[j] = p2;
      product[j - first] = p1 - p2;
      limit[j - first] = as > bs ? as : bs;
    }
    reduce_sum (end - first, product, &out->sum);
    reduce_max (end - first, limit, &out->max);
  }
}

SS_CLONES double
ss_qp_predictor (SsQp *qp, double *product)
{
  SS_ASSERT (qp != NULL && qp->n_eq <= qp->n_rows && product != NULL);

  Reduction out = {0, 0};
  predictor_rows (qp, 0, qp->n_eq, true, &out);
  predictor_rows (qp, qp->n_eq, qp->n_rows, false, &out);
  predictor_bounds (qp, &out);
  *product = out.sum;
  return out.max;
}

/* ---- phases 3 and 4: corrector ----------------------------------------------------------------------------------- */

SS_CLONES void
ss_qp_corrector_rhs (SsQp *qp, double sigma)
{
  SS_ASSERT (qp != NULL && qp->n_eq <= qp->n_rows);

  const double *y = qp->y, *z = qp->z, *w = qp->w, *r = qp->r, *c1 = qp->c1, *c2 = qp->c2, *iy = qp->iy, *iz = qp->iz;
  const double *f1 = qp->f1, *f2 = qp->f2, *il = qp->il, *iu = qp->iu, *hp = qp->hp, *g = qp->g;
  double *v = qp->v, *rhs = qp->rhs;
  const int n = qp->n;
  for (int i = 0; i < qp->n_eq; i++) {
    v[i] = 0.5 * (y[i] - z[i]);
    rhs[n + i] = (sigma - c1[i]) * iy[i] - (sigma + c2[i]) * iz[i] - r[i];
  }
  INDEPENDENT
  for (int i = qp->n_eq; i < qp->n_rows; i++)
    v[i] = y[i] + w[i] * ((sigma - c1[i]) * iy[i] - (sigma + c2[i]) * iz[i] - r[i]);
  INDEPENDENT
  for (int j = 0; j < n; j++)
    rhs[j] = (sigma - f1[j]) * il[j] - (sigma + f2[j]) * iu[j] - (hp[j] + g[j]);
}

SS_LANES_INLINE void
corrector_rows (SsQp *qp, double sigma, int from, int to, bool is_eq, Reduction *out)
{
  const double *s = qp->s, *t = qp->t, *is = qp->is, *it = qp->it, *iy = qp->iy, *iz = qp->iz;
  const double *w = qp->w, *r = qp->r, *dr = qp->dr, *c1 = qp->c1, *c2 = qp->c2;
  double *ds = qp->ds, *dt = qp->dt, *dy = qp->dy, limit[CHUNK];
  for (int first = from; first < to; first += CHUNK) {
    int end = chunk_end (first, to);
    INDEPENDENT
    for (int i = first; i < end; i++) {
      double e1 = (sigma - c1[i]) * iy[i], e2 = (sigma + c2[i]) * iz[i];
      double d = is_eq ? dy[i] : w[i] * (e1 - e2 - r[i] - dr[i]), a = d * iy[i], b = d * iz[i];
      double s1 = e1 - s[i] - s[i] * a, t1 = e2 - t[i] + t[i] * b, ls = -s1 * is[i], lt = -t1 * it[i];
      double ab = -a > b ? -a : b, st = ls > lt ? ls : lt;
      ds[i] = s1;
      dt[i] = t1;
      dy[i] = d;
      limit[i - first] = ab > st ? ab : st;
    }
    reduce_max (end - first, limit, &out->max);
    reduce_sum (end - first, dy + first, &out->sum); /* only to notice values that are not finite */
  }
}

SS_LANES_INLINE void
corrector_bounds (SsQp *qp, double sigma, Reduction *out)
{
  const double *dp = qp->dp, *bl = qp->bl, *bu = qp->bu, *il = qp->il, *iu = qp->iu, *ibl = qp->ibl, *ibu = qp->ibu;
  const double *f1 = qp->f1, *f2 = qp->f2;
  double *dbl = qp->dbl, *dbu = qp->dbu, limit[CHUNK];
  for (int first = 0; first < qp->n; first += CHUNK) {
    int end = chunk_end (first, qp->n);
    INDEPENDENT
    for (int j = first; j < end; j++) {
      double a = dp[j] * il[j], b = dp[j] * iu[j];
      double l1 = (sigma - f1[j]) * il[j] - bl[j] - bl[j] * a, u1 = (sigma + f2[j]) * iu[j] - bu[j] + bu[j] * b;
      double ll = -l1 * ibl[j], lu = -u1 * ibu[j], ab = -a > b ? -a : b, lb = ll > lu ? ll : lu;
      dbl[j] = l1;
      dbu[j] = u1;
      limit[j - first] = ab > lb ? ab : lb;
    }
    reduce_max (end - first, limit, &out->max);
    reduce_sum (end - first, dp + first, &out->sum);
  }
}

SS_CLONES double
ss_qp_corrector (SsQp *qp, double sigma)
{
  SS_ASSERT (qp != NULL && qp->n_eq <= qp->n_rows);

  Reduction out = {0, 0};
  corrector_rows (qp, sigma, 0, qp->n_eq, true, &out);
  corrector_rows (qp, sigma, qp->n_eq, qp->n_rows, false, &out);
  corrector_bounds (qp, sigma, &out);
  return isfinite (out.sum) ? out.max : NAN;
}
