/* engine/contact/ss-contact-curve.c: the central path of a step's LCP by its arc length, through the points where it
 * turns back.
 *
 * Letters as in ss-contact-interior.c. From a start x0 = (z, w, v) with equal products the curve
 *     r (x) = tau r (x0),   z w = tau c,   M (v - vf) = J' p,       from tau = 1 to 0,
 * is smooth, but Coulomb's law is not monotone, so that tau may rise again on the way: there the interior point method
 * gets stuck. Here tau is an unknown like the others. Predictor: tangent and bend; corrector: Newton's method across
 * the tangent, whose error in the products is corrected with the same factor. Lengths are relative, dz/z and dw/w.
 * Which way the curve goes on is told by the sign of the determinant of Newton's matrix in x: tau falls where it is
 * positive (E. L. Allgower, K. Georg, Numerical Continuation Methods (1990), sec. 2.1), as it is at the start, where
 * the condensed matrix is symmetric; what is condensed is positive everywhere. So a step that lands on another branch
 * goes on in its sense. Where the angle between tangents chose the way, one pile in three ran back to tau > 1.
 */
#include "contact/ss-contact-newton-private.h"

#include <math.h>
#include <string.h>

/* Length of the first step and of the longest: the part of its way to the boundary. */
static const double first_length = 0.3, longest = 0.8;
/* After a step that needed no second correction, a third one, and one that failed. */
static const double growth = 1.7, slow_growth = 1.3, retreat = 0.35;
/* Products are right when the logarithms of all differ from their targets' by less than the first; a step is kept when
 * they end below the second, and correction goes on while each multiplies them by less than the third. */
static const double centred = 0.2, centred_enough = 0.8, nearing = 0.7;
/* Corrections change no number by more than this part, and are given up where less of the step is left. */
static const double change_most = 0.9, part_least = 0.2;
/* Below this length products are taken as they are: the curve goes on beside the one so far. */
static const double shortest = 0.02, length_then = 0.1;
/* tau above this comes back to the start: the curve is lost. */
static const double tau_most = 1e4;
/* A step leaves of each number at least this part of what the tangent says. */
static const double tangent_part = 0.2;
enum { CORRECTIONS_MAX = 4, PRODUCT_ROUNDS = 3, ASIDE_MAX = 30, FACTORS_MAX = 1500 };

typedef struct {
  SsContactNewton *s;
  double tau, tau_from;                                         /* now; where the step began            */
  double t_tau;                                                 /* the tangent's part along log tau     */
  double *v_from, *t_v, *bend_v, *along_v, *step_v, *imbalance; /* 3 n_bodies each                      */
  double length, bend_tau;
  int n_factors, n_aside;
} Curve;

static inline double
relative (const SsInteriorPoint *x, const double *dz, const double *dw, const SsCurvePoint *at, int k)
{
  return dz[k] / x->z[k] * at->t_z[k] + dw[k] / x->w[k] * at->t_w[k];
}

static bool
factor (Curve *c)
{
  c->n_factors++;
  return ss_contact_interior_factor (c->s);
}

/* s->d, dz and dw for d log tau = 1. */
static void
find_along (Curve *c)
{
  SsContactNewton *s = c->s;
  memset (s->gradient, 0, 3 * (size_t)s->n_bodies * sizeof *s->gradient);
  for (int i = 0; i < s->n_rows; i++)
    s->rows[i].gv = 0;
  for (int i = 0; i < s->n_interior; i++)
    for (int k = 0; k < 4; k++) {
      s->interior[i].r[k] = -c->tau * s->curve[i].r[k];
      s->interior[i].c[k] = c->tau * s->curve[i].c[k];
    }
  ss_contact_interior_direction (s);
}

/* Half of the curve's second derivative by its length: across the tangent, where the products' is -2 z' w'. */
static void
find_bend (Curve *c)
{
  SsContactNewton *s = c->s;
  memset (s->gradient, 0, 3 * (size_t)s->n_bodies * sizeof *s->gradient);
  for (int i = 0; i < s->n_interior; i++)
    for (int k = 0; k < 4; k++) {
      SsInteriorPoint *x = &s->interior[i];
      const SsCurvePoint *at = &s->curve[i];
      x->r[k] = 0;
      x->c[k] = -x->z[k] * at->t_z[k] * x->w[k] * at->t_w[k];
    }
  ss_contact_interior_direction (s);
  double along = 0;
  for (int i = 0; i < s->n_interior; i++)
    for (int k = 0; k < ss_contact_interior_pairs (&s->interior[i]); k++)
      along += relative (&s->interior[i], s->interior[i].dz, s->interior[i].dw, &s->curve[i], k);
  for (int i = 0; i < s->n_interior; i++) {
    const SsInteriorPoint *x = &s->interior[i];
    SsCurvePoint *at = &s->curve[i];
    for (int k = 0; k < ss_contact_interior_pairs (x); k++) {
      at->bend_z[k] = x->dz[k] / x->z[k] - along * at->t_z[k];
      at->bend_w[k] = x->dw[k] / x->w[k] - along * at->t_w[k];
    }
  }
  for (int i = 0; i < 3 * s->n_bodies; i++)
    c->bend_v[i] = s->d[i] - along * c->t_v[i];
  c->bend_tau = -along * c->t_tau;
}

/* The tangent of unit length here, and here as the place from which steps are tried. */
static void
begin_step (Curve *c)
{
  SsContactNewton *s = c->s;
  find_along (c);
  double square = 1;
  for (int i = 0; i < s->n_interior; i++) {
    const SsInteriorPoint *x = &s->interior[i];
    for (int k = 0; k < ss_contact_interior_pairs (x); k++)
      square += pow (x->dz[k] / x->z[k], 2) + pow (x->dw[k] / x->w[k], 2);
  }
  const double unit = -ss_blocks_sign (s->blocks) / sqrt (square);
  c->t_tau = unit;
  c->tau_from = c->tau;
  for (int i = 0; i < s->n_interior; i++) {
    const SsInteriorPoint *x = &s->interior[i];
    SsCurvePoint *at = &s->curve[i];
    for (int k = 0; k < ss_contact_interior_pairs (x); k++) {
      at->z[k] = x->z[k];
      at->w[k] = x->w[k];
      at->t_z[k] = unit * x->dz[k] / x->z[k];
      at->t_w[k] = unit * x->dw[k] / x->w[k];
    }
  }
  for (int i = 0; i < 3 * s->n_bodies; i++) {
    c->v_from[i] = s->v[i];
    c->t_v[i] = unit * s->d[i];
  }
  for (int i = 0; i < s->n_rows; i++)
    s->rows[i].best_p = s->rows[i].p;
  find_bend (c);
}

/* What a number is multiplied by after `length` of the curve: not less than a part of what the tangent says. */
static inline double
after (double t, double bend, double length)
{
  const double first = 1 + length * t;
  return fmax (first + length * length * bend, tangent_part * first);
}

/* From where the step began, `length` along the curve. */
static void
predict (Curve *c, double length)
{
  SsContactNewton *s = c->s;
  for (int i = 0; i < s->n_interior; i++) {
    SsInteriorPoint *x = &s->interior[i];
    const SsCurvePoint *at = &s->curve[i];
    for (int k = 0; k < ss_contact_interior_pairs (x); k++) {
      x->z[k] = at->z[k] * after (at->t_z[k], at->bend_z[k], length);
      x->w[k] = at->w[k] * after (at->t_w[k], at->bend_w[k], length);
    }
  }
  for (int i = 0; i < 3 * s->n_bodies; i++) {
    c->step_v[i] = length * (c->t_v[i] + length * c->bend_v[i]);
    s->v[i] = c->v_from[i] + c->step_v[i];
  }
  for (int i = 0; i < s->n_rows; i++)
    if (s->rows[i].kind == ROW_FREE)
      s->rows[i].p = s->rows[i].best_p - s->rows[i].s * product (&s->rows[i], c->step_v);
  c->tau = c->tau_from * after (c->t_tau, c->bend_tau, length);
}

/* The length at which what falls fastest has lost c->length of it, or what rises fastest has gained as many times. */
static double
step_length (const Curve *c)
{
  const SsContactNewton *s = c->s;
  double down = fmax (-c->t_tau, 0), up = fmax (c->t_tau, 0);
  for (int i = 0; i < s->n_interior; i++) {
    const SsCurvePoint *at = &s->curve[i];
    for (int k = 0; k < ss_contact_interior_pairs (&s->interior[i]); k++) {
      down = fmax (down, fmax (-at->t_z[k], -at->t_w[k]));
      up = fmax (up, fmax (at->t_z[k], at->t_w[k]));
    }
  }
  return fmin (c->length / down, c->length / (1 - c->length) / up);
}

static double
find_uncentred (const Curve *c)
{
  const SsContactNewton *s = c->s;
  double largest = 0;
  for (int i = 0; i < s->n_interior; i++) {
    const SsInteriorPoint *x = &s->interior[i];
    for (int k = 0; k < ss_contact_interior_pairs (x); k++)
      largest = fmax (largest, fabs (log (x->z[k] * x->w[k] / (c->tau * s->curve[i].c[k]))));
  }
  return largest;
}

/* One step of Newton's method across the tangent. False where little of it could be gone. */
static bool
correct (Curve *c)
{
  SsContactNewton *s = c->s;
  const size_t size = 3 * (size_t)s->n_bodies * sizeof *s->gradient;
  double across = c->t_tau, along = 0, least = 0;
  if (!factor (c))
    return false;
  memcpy (c->imbalance, s->gradient, size);
  for (int i = 0; i < s->n_rows; i++)
    s->rows[i].gd = s->rows[i].gv;
  for (int i = 0; i < s->n_interior; i++)
    for (int k = 0; k < 4; k++)
      s->curve[i].miss[k] = s->interior[i].r[k] - c->tau * s->curve[i].r[k];
  find_along (c);
  memcpy (c->along_v, s->d, size);
  for (int i = 0; i < s->n_interior; i++) {
    const SsInteriorPoint *x = &s->interior[i];
    SsCurvePoint *at = &s->curve[i];
    for (int k = 0; k < ss_contact_interior_pairs (x); k++) {
      at->along_z[k] = x->dz[k];
      at->along_w[k] = x->dw[k];
      at->step_z[k] = at->step_w[k] = 0;
      across += relative (x, x->dz, x->dw, at, k);
    }
  }
  for (int i = 0; i < s->n_rows; i++)
    s->rows[i].gv = s->rows[i].gd;
  for (int round = 0; round < PRODUCT_ROUNDS; round++) {
    memcpy (s->gradient, c->imbalance, size);
    for (int i = 0; i < s->n_interior; i++) {
      SsInteriorPoint *x = &s->interior[i];
      const SsCurvePoint *at = &s->curve[i];
      for (int k = 0; k < 4; k++) {
        x->r[k] = at->miss[k];
        x->c[k] = c->tau * at->c[k] - x->z[k] * x->w[k] - at->step_z[k] * at->step_w[k];
      }
    }
    ss_contact_interior_direction (s);
    double sum = 0;
    for (int i = 0; i < s->n_interior; i++)
      for (int k = 0; k < ss_contact_interior_pairs (&s->interior[i]); k++)
        sum += relative (&s->interior[i], s->interior[i].dz, s->interior[i].dw, &s->curve[i], k);
    along = least = -sum / across;
    for (int i = 0; i < s->n_interior; i++) {
      const SsInteriorPoint *x = &s->interior[i];
      SsCurvePoint *at = &s->curve[i];
      for (int k = 0; k < ss_contact_interior_pairs (x); k++) {
        at->step_z[k] = x->dz[k] + along * at->along_z[k];
        at->step_w[k] = x->dw[k] + along * at->along_w[k];
        least = fmin (least, fmin (at->step_z[k] / x->z[k], at->step_w[k] / x->w[k]));
      }
    }
  }
  const double part = least < -change_most ? -change_most / least : 1;
  if (!(part > part_least))
    return false;
  for (int i = 0; i < 3 * s->n_bodies; i++)
    c->step_v[i] = part * (s->d[i] + along * c->along_v[i]);
  for (int i = 0; i < s->n_interior; i++)
    for (int k = 0; k < ss_contact_interior_pairs (&s->interior[i]); k++) {
      s->interior[i].z[k] += part * s->curve[i].step_z[k];
      s->interior[i].w[k] += part * s->curve[i].step_w[k];
    }
  for (int i = 0; i < s->n_rows; i++)
    if (s->rows[i].kind == ROW_FREE)
      s->rows[i].p -= s->rows[i].s * (part * s->rows[i].gv + product (&s->rows[i], c->step_v));
  ss_axpy (3 * s->n_bodies, 1, c->step_v, s->v);
  c->tau *= 1 + part * along;
  return true;
}

/* Corrections until the point is on the curve, nearly. *n: how many. */
static bool
come_back (Curve *c, int *n)
{
  double last = INFINITY;
  for (*n = 0;; ++*n) {
    ss_contact_interior_misses (c->s);
    const double now = find_uncentred (c);
    if (now < centred)
      return true;
    if (*n == CORRECTIONS_MAX || !(now < nearing * last))
      return now < centred_enough && now <= last;
    last = now;
    if (!correct (c))
      return false;
  }
}

/* The curve through the point where the step began, whatever its products are. */
static void
go_aside (Curve *c)
{
  SsContactNewton *s = c->s;
  predict (c, 0);
  for (int i = 0; i < s->n_interior; i++)
    for (int k = 0; k < ss_contact_interior_pairs (&s->interior[i]); k++)
      s->curve[i].c[k] = s->interior[i].z[k] * s->interior[i].w[k] / c->tau;
  c->n_aside++;
  c->length = length_then;
}

/* A step along the curve. False when none could be done. */
static bool
go_on (Curve *c)
{
  int n_corrections;
  if (!factor (c))
    return false;
  begin_step (c);
  for (bool is_first = true;; is_first = false) {
    predict (c, step_length (c));
    if (come_back (c, &n_corrections)) {
      if (is_first && n_corrections <= 2)
        c->length = fmin (longest, c->length * (n_corrections <= 1 ? growth : slow_growth));
      return true;
    }
    c->length *= retreat;
    if (c->length < shortest || c->n_factors > FACTORS_MAX) {
      go_aside (c);
      return c->n_aside < ASIDE_MAX;
    }
  }
}

bool
ss_contact_curve_follow (SsContactNewton *s, double scale, double gap_wanted, int *iterations)
{
  SS_ASSERT (s != NULL && iterations != NULL);

  Curve c = {.s = s, .tau = 1, .length = first_length};
  double **vectors[] = {&c.v_from, &c.t_v, &c.bend_v, &c.along_v, &c.step_v, &c.imbalance};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    *vectors[i] = s->path + 3 * (size_t)s->n_bodies * i;
  ss_contact_interior_begin (s);
  ss_contact_interior_misses (s);
  const double gap = ss_contact_interior_gap (s, 0), wanted = gap_wanted * scale * scale;
  for (int i = 0; i < s->n_interior; i++)
    for (int k = 0; k < 4; k++) {
      s->curve[i].r[k] = s->interior[i].r[k];
      s->curve[i].c[k] = gap / s->interior[i].weight;
    }
  bool is_lost = false;
  while (c.tau * gap > wanted && !is_lost && c.n_factors <= FACTORS_MAX)
    is_lost = !go_on (&c) || !(c.tau < tau_most) || !ss_contact_newton_tell (s, true, *iterations + c.n_factors);
  *iterations += c.n_factors;
  ss_contact_interior_round (s);
  return c.tau * gap <= wanted;
}
