/* engine/contact/ss-contact-measure.c: what both parts of the sparse contact method do with all rows: their proximal
 * terms, and how far velocities and impulses are from what is wanted. */
#include "contact/ss-contact-newton-private.h"

#include <math.h>
#include <string.h>

void
ss_contact_newton_set_proximal (SsContactNewton *s, double factor)
{
  SS_ASSERT (s != NULL);
  for (int i = 0; i < s->n_rows; i++) {
    Row *row = &s->rows[i];
    double sigma = row->w > 0 ? factor / row->w : 1;
    row->sigma_inverse = row->compliance * sigma >= 1 ? 0 : 1 / sigma;
    row->s = 1 / (row->compliance + row->sigma_inverse);
  }
}

double
ss_contact_newton_imbalance (const SsContactNewton *s)
{
  SS_ASSERT (s != NULL);

  double largest = 0;
  for (int i = 0; i < 3 * s->n_bodies; i++)
    largest = fmax (largest, s->inverse_mass[i] * fabs (s->gradient[i]));
  return largest;
}

double
ss_contact_newton_residual (SsContactNewton *s, int *worst)
{
  SS_ASSERT (s != NULL);

  int n = 3 * s->n_bodies;
  double largest = 0;
  memset (s->v_end, 0, (size_t)n * sizeof *s->v_end);
  for (int i = 0; i < s->n_rows; i++)
    push (&s->rows[i], s->rows[i].p, s->v_end);
  for (int i = 0; i < n; i++)
    s->v_end[i] = s->vf[i] + s->inverse_mass[i] * s->v_end[i];
  for (int i = 0; i < s->n_rows; i++) {
    const Row *row = &s->rows[i];
    double w = row->w > 0 ? row->w : 1, rate = product (row, s->v_end) + row->b + row->compliance * row->p;
    /* w (projection of p - rate/w, less p), in which an impulse of 1e17 does not swallow the rate */
    double r = -rate;
    if (row->kind == ROW_NORMAL)
      r = fmax (r, w * (row->least - row->p));
    else if (row->kind == ROW_EDGE)
      r = fmax (r, -w * row->p);
    else if (row->kind == ROW_TANGENT) {
      double bound = row->mu * s->rows[row->normal].p;
      r = fmin (fmax (r, w * (-bound - row->p)), w * (bound - row->p));
    }
    r = fabs (r);
    if (!(r <= largest)) {
      largest = r;
      *worst = row->kind == ROW_FREE ? -1 : row->source;
    }
  }
  return largest;
}
