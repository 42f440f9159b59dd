/* engine/qp/ss-qp-products.c: products with the rows and the assembly of the matrix: groups of eight like rows at once,
 * then the others one by one. Compiled for several vector lengths (ss-lanes.h). See ss-qp-private.h. */
#include "qp/ss-qp-private.h"

#include <string.h>

/* Eight numbers at p. */
#define EIGHT(p)       (*(SsLanes *)(p))
#define CONST_EIGHT(p) (*(const SsLanes *)(p))

/* ---- products ---------------------------------------------------------------------------------------------------- */

SS_LANES_INLINE void
block_multiply (const SsQpRows *rows, const double *x, double *out)
{
  const int *start = rows->start, *col = rows->col;
  const double *a = rows->a;
  for (int i = 0; i < SS_LANES * rows->n_groups; i += SS_LANES) {
    SsLanes sum = {0};
    for (int k = start[i]; k < start[i + SS_LANES]; k += SS_LANES)
      sum += CONST_EIGHT (a + k) * CONST_EIGHT (x + col[k]);
    EIGHT (out + i) = sum;
  }
  for (int i = SS_LANES * rows->n_groups; i < rows->n_rows; i++) {
    double sum = 0;
    for (int k = start[i]; k < start[i + 1]; k++)
      sum += a[k] * x[col[k]];
    out[i] = sum;
  }
}

SS_LANES_INLINE void
block_multiply_transposed (const SsQpRows *rows, const double *v, double *out)
{
  const int *start = rows->start, *col = rows->col;
  const double *a = rows->a;
  for (int i = 0; i < SS_LANES * rows->n_groups; i += SS_LANES) {
    SsLanes value = CONST_EIGHT (v + i);
    for (int k = start[i]; k < start[i + SS_LANES]; k += SS_LANES)
      EIGHT (out + col[k]) += CONST_EIGHT (a + k) * value;
  }
  for (int i = SS_LANES * rows->n_groups; i < rows->n_rows; i++)
    for (int k = start[i]; k < start[i + 1]; k++)
      out[col[k]] += a[k] * v[i];
}

SS_CLONES void
ss_qp_multiply (const SsQp *qp, const double *x, double *out)
{
  SS_ASSERT (qp != NULL && qp->n_eq <= qp->n_rows);

  const int *col = qp->one_col, *col2 = qp->two_col[1];
  const double *a = qp->one_a, *a2 = qp->two_a[1];
  block_multiply (&qp->eq, x, out);
  out += qp->n_eq;
  for (int i = 0; i < SS_LANES * qp->n_one_groups; i += SS_LANES)
    EIGHT (out + i) = CONST_EIGHT (a + i) * CONST_EIGHT (x + col[i]);
  for (int i = SS_LANES * qp->n_one_groups; i < qp->n_one; i++)
    out[i] = a[i] * x[col[i]];
  out += qp->n_one;
  col = qp->two_col[0];
  a = qp->two_a[0];
  for (int i = 0; i < SS_LANES * qp->n_two_groups; i += SS_LANES)
    EIGHT (out + i) = CONST_EIGHT (a + i) * CONST_EIGHT (x + col[i]) + CONST_EIGHT (a2 + i) * CONST_EIGHT (x + col2[i]);
  for (int i = SS_LANES * qp->n_two_groups; i < qp->n_two; i++)
    out[i] = a[i] * x[col[i]] + a2[i] * x[col2[i]];
  block_multiply (&qp->general, x, out + qp->n_two);
}

SS_CLONES void
ss_qp_multiply_transposed (const SsQp *qp, const double *v, double *out)
{
  SS_ASSERT (qp != NULL && qp->n_eq <= qp->n_rows);

  const int *col = qp->one_col, *col2 = qp->two_col[1];
  const double *a = qp->one_a, *a2 = qp->two_a[1];
  block_multiply_transposed (&qp->eq, v, out);
  v += qp->n_eq;
  for (int i = 0; i < SS_LANES * qp->n_one_groups; i += SS_LANES)
    EIGHT (out + col[i]) += CONST_EIGHT (a + i) * CONST_EIGHT (v + i);
  for (int i = SS_LANES * qp->n_one_groups; i < qp->n_one; i++)
    out[col[i]] += a[i] * v[i];
  v += qp->n_one;
  col = qp->two_col[0];
  a = qp->two_a[0];
  for (int i = 0; i < SS_LANES * qp->n_two_groups; i += SS_LANES) {
    SsLanes value = CONST_EIGHT (v + i);
    EIGHT (out + col[i]) += CONST_EIGHT (a + i) * value;
    EIGHT (out + col2[i]) += CONST_EIGHT (a2 + i) * value;
  }
  for (int i = SS_LANES * qp->n_two_groups; i < qp->n_two; i++) {
    out[col[i]] += a[i] * v[i];
    out[col2[i]] += a2[i] * v[i];
  }
  block_multiply_transposed (&qp->general, v + qp->n_two, out);
}

/* ---- assembly ---------------------------------------------------------------------------------------------------- */

SS_LANES_INLINE void
add_one (const SsQp *qp, const double *w, double *k)
{
  const int *place = qp->k_one;
  const double *a = qp->one_a;
  for (int i = 0; i < SS_LANES * qp->n_one_groups; i += SS_LANES)
    EIGHT (k + place[i]) += CONST_EIGHT (w + i) * CONST_EIGHT (a + i) * CONST_EIGHT (a + i);
  for (int i = SS_LANES * qp->n_one_groups; i < qp->n_one; i++)
    k[place[i]] += w[i] * a[i] * a[i];
}

SS_LANES_INLINE void
add_two (const SsQp *qp, const double *w, double *k)
{
  const int *place1 = qp->k_two_diagonal[0], *place2 = qp->k_two_diagonal[1], *off = qp->k_two;
  const double *a1 = qp->two_a[0], *a2 = qp->two_a[1];
  for (int i = 0; i < SS_LANES * qp->n_two_groups; i += SS_LANES) {
    SsLanes x = CONST_EIGHT (a1 + i), y = CONST_EIGHT (a2 + i), wx = CONST_EIGHT (w + i) * x,
            wy = CONST_EIGHT (w + i) * y;
    EIGHT (k + place1[i]) += wx * x;
    EIGHT (k + place2[i]) += wy * y;
    EIGHT (k + off[i]) += wx * y;
  }
  for (int i = SS_LANES * qp->n_two_groups; i < qp->n_two; i++) {
    double wx = w[i] * a1[i], wy = w[i] * a2[i];
    k[place1[i]] += wx * a1[i];
    k[place2[i]] += wy * a2[i];
    k[off[i]] += wx * a2[i];
  }
}

SS_LANES_INLINE void
add_general (const SsQp *qp, const double *w, double *k)
{
  const SsQpRows *rows = &qp->general;
  const int *place = qp->k_general, *start = rows->start;
  const double *a = rows->a;
  for (int i = 0; i < SS_LANES * rows->n_groups; i += SS_LANES)
    for (int e = start[i]; e < start[i + SS_LANES]; e += SS_LANES) {
      SsLanes wa = CONST_EIGHT (w + i) * CONST_EIGHT (a + e);
      for (int f = start[i]; f <= e; f += SS_LANES, place += SS_LANES)
        EIGHT (k + *place) += wa * CONST_EIGHT (a + f);
    }
  for (int i = SS_LANES * rows->n_groups; i < rows->n_rows; i++)
    for (int e = start[i]; e < start[i + 1]; e++) {
      double wa = w[i] * a[e];
      for (int f = start[i]; f <= e; f++)
        k[*place++] += wa * a[f];
    }
}

SS_CLONES void
ss_qp_assemble (SsQp *qp, double shift, double relative_shift)
{
  SS_ASSERT (qp != NULL && qp->n_eq <= qp->n_rows);

  double *k = ss_ldl_numbers (qp->ldl);
  const int *diagonal = qp->k_diagonal, n = qp->n, grouped = SS_LANES * qp->n_groups;
  const int eq_grouped = SS_LANES * qp->eq.n_groups;
  memcpy (k, qp->base, (size_t)ss_ldl_n_numbers (qp->ldl) * sizeof (double));
  for (int j = 0; j < grouped; j += SS_LANES)
    EIGHT (k + diagonal[j]) += shift + CONST_EIGHT (qp->barrier + j);
  for (int j = grouped; j < n; j++)
    k[diagonal[j]] += shift + qp->barrier[j];
  for (int i = 0; i < eq_grouped; i += SS_LANES)
    EIGHT (k + diagonal[n + i]) =
        -(CONST_EIGHT (qp->s + i) * CONST_EIGHT (qp->iy + i) + CONST_EIGHT (qp->t + i) * CONST_EIGHT (qp->iz + i)) -
        shift;
  for (int i = eq_grouped; i < qp->n_eq; i++)
    k[diagonal[n + i]] = -(qp->s[i] * qp->iy[i] + qp->t[i] * qp->iz[i]) - shift;
  add_one (qp, qp->w + qp->n_eq, k);
  add_two (qp, qp->w + qp->n_eq + qp->n_one, k);
  add_general (qp, qp->w + qp->n_eq + qp->n_one + qp->n_two, k);
  for (int j = 0; j < grouped; j += SS_LANES)
    EIGHT (k + diagonal[j]) += relative_shift * CONST_EIGHT (k + diagonal[j]);
  for (int j = grouped; j < n; j++)
    k[diagonal[j]] += relative_shift * k[diagonal[j]];
}
