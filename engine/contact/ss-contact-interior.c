/* engine/contact/ss-contact-interior.c: an interior point method on the step's LCP, for large problems whose states are
 * far from those of the last step.
 *
 * Per point z = (pn, p+, p-, lambda) >= 0 complementary to w = (Gn v + b, Gt v + b_t + lambda, -(Gt v + b_t) + lambda,
 * mu pn - p+ - p-) >= 0, with v = vf + M^-1 (Gn' pn + Gt' (p+ - p-)): Stewart's and Trinkle's LCP. Newton's equations
 * of z w = a target, with D_k = z_k/w_k, k = 1 2 3, and K = w_4/lambda + D2 + D3, condense to the velocities:
 *     (M + J' B J) dv = right-hand side,   B = [D1, 0; (D2 - D3) mu D1/K, T],
 *     T = (4 D2 D3 + (D2 + D3) w_4/lambda)/K      (= D2 + D3 - (D2 - D3)^2/K without its cancellation),
 * unsymmetric, with the graph of the contacts: as many unknowns as the bodies have, however many points. Predictor and
 * corrector of S. Mehrotra (SIAM J. Optim. 2 (1992)), infeasible start. The LCP is not monotone, so that the central
 * path may turn: then it goes on in ss-contact-curve.c. That of the relaxed law, whose edges are points without
 * friction, is monotone. Joints by the method of multipliers on the way.
 * Compliances C_n, C_t add C_n pn and C_t (p+ - p-) to the rates: D1 = z1/(w1 + C_n z1), and the tangent's row of B and
 * what it pushes alone are divided by 1 + T C_t.
 * Impulses are weighed by the point's mobility, which makes speeds of them: the gap is a square of a speed.
 */
#include "contact/ss-contact-newton-private.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS_MAX = 40, STUCK_MAX = 3 };
/* Rows that miss no more than this part of the largest speed when it ends. */
static const double miss_wanted = 1e-6;
/* Part of the way to the boundary. */
static const double way_part = 0.99;
/* After a step shorter than this, products are made more equal: this part of the gap is the target, without a
 * corrector. */
static const double crowded = 0.1, centring = 0.3;
/* Steps shorter than this, STUCK_MAX times in a row, are where the path turns. */
static const double step_least = 0.02;
/* Joints: sigma = factor/w of their multipliers. */
static const double joint_factor = 1e6;
/* Tangents that stick are kept from their bounds by this part, by which ss-contact-clamp.c tells them. */
static const double sticking_part = 0.999;

static inline const Row *
tangent_of (const SsContactNewton *s, const SsInteriorPoint *x)
{
  return &s->rows[x->normal + 1];
}

/* Points of the rows. Returns how many, or -1 where one has a least impulse or moves nothing. */
static int
find_points (SsContactNewton *s, double speed)
{
  int n = 0;
  for (int i = 0; i < s->n_rows; i++) {
    const Row *row = &s->rows[i];
    if (row->kind == ROW_FREE)
      continue;
    if ((row->kind != ROW_NORMAL && row->kind != ROW_EDGE) || row->least != 0 || !(row->w > 0))
      return -1;
    SsInteriorPoint *x = &s->interior[n++];
    *x = (SsInteriorPoint){.normal = i, .weight = row->w + row->compliance};
    if (row->kind == ROW_NORMAL && i + 1 < s->n_rows && s->rows[i + 1].kind == ROW_TANGENT) {
      x->has_friction = true;
      i++;
    }
    for (int k = 0; k < 4; k++) {
      x->z[k] = speed / (k < 3 ? x->weight : 1);
      x->w[k] = speed / (k < 3 ? 1 : x->weight);
    }
  }
  return n;
}

/* What rows and momentum miss; returns the largest as a speed. The momentum's, negative, goes to s->gradient. */
double
ss_contact_interior_misses (SsContactNewton *s)
{
  SS_ASSERT (s != NULL && s->n_rows <= s->rows_capacity);

  const int n = s->n_interior;
  double largest = 0;
  for (int i = 0; i < 3 * s->n_bodies; i++)
    s->gradient[i] = s->mass[i] * (s->vf[i] - s->v[i]);
  for (int i = 0; i < n; i++) {
    SsInteriorPoint *x = &s->interior[i];
    const Row *normal = &s->rows[x->normal];
    push (normal, x->z[0], s->gradient);
    x->r[0] = product (normal, s->v) + normal->b + normal->compliance * x->z[0] - x->w[0];
    largest = fmax (largest, fabs (x->r[0]));
    if (!x->has_friction)
      continue;
    const Row *tangent = tangent_of (s, x);
    const double p = x->z[1] - x->z[2], slip = product (tangent, s->v) + tangent->b + tangent->compliance * p;
    push (tangent, p, s->gradient);
    x->r[1] = slip + x->z[3] - x->w[1];
    x->r[2] = x->z[3] - slip - x->w[2];
    x->r[3] = tangent->mu * x->z[0] - x->z[1] - x->z[2] - x->w[3];
    largest = fmax (largest, fmax (fmax (fabs (x->r[1]), fabs (x->r[2])), x->weight * fabs (x->r[3])));
  }
  for (int i = 0; i < s->n_rows; i++) {
    Row *row = &s->rows[i];
    if (row->kind != ROW_FREE)
      continue;
    push (row, row->p, s->gradient);
    row->gv = product (row, s->v) + row->b + row->compliance * row->p;
    largest = fmax (largest, fabs (row->gv));
  }
  return fmax (largest, ss_contact_newton_imbalance (s));
}

/* Mean product, weighed: a square of a speed. */
double
ss_contact_interior_gap (const SsContactNewton *s, double along)
{
  SS_ASSERT (s != NULL && s->n_rows <= s->rows_capacity);

  const int n = s->n_interior;
  double sum = 0;
  int count = 0;
  for (int i = 0; i < n; i++) {
    const SsInteriorPoint *x = &s->interior[i];
    for (int k = 0; k < ss_contact_interior_pairs (x); k++)
      sum += x->weight * (x->z[k] + along * x->dz[k]) * (x->w[k] + along * x->dw[k]);
    count += ss_contact_interior_pairs (x);
  }
  return count > 0 ? sum / count : 0;
}

bool
ss_contact_interior_factor (SsContactNewton *s)
{
  SS_ASSERT (s != NULL && s->n_rows <= s->rows_capacity);

  const int n = s->n_interior;
  ss_contact_newton_clear_matrix (s, false);
  for (int i = 0; i < s->n_rows; i++) {
    const Row *row = &s->rows[i];
    double out[6];
    if (row->kind != ROW_FREE)
      continue;
    for (int k = 0; k < 6; k++)
      out[k] = row->s * row->g[k];
    ss_contact_newton_add (s, row, false, out, row->g);
  }
  for (int i = 0; i < n; i++) {
    SsInteriorPoint *x = &s->interior[i];
    const Row *normal = &s->rows[x->normal], *tangent = normal + 1;
    const double D1 = x->z[0] / (x->w[0] + normal->compliance * x->z[0]);
    double out[6];
    x->B[0] = D1;
    for (int k = 0; k < 6; k++)
      out[k] = D1 * normal->g[k];
    if (x->has_friction) {
      const double D2 = x->z[1] / x->w[1], D3 = x->z[2] / x->w[2], slack = x->w[3] / x->z[3], K = slack + D2 + D3;
      double across[6];
      const double T = (4 * D2 * D3 + (D2 + D3) * slack) / K, soft = 1 + T * tangent->compliance;
      x->B[1] = (D2 - D3) * tangent->mu * D1 / (K * soft);
      x->B[2] = T / soft;
      for (int k = 0; k < 6; k++) {
        out[k] += x->B[1] * tangent->g[k];
        across[k] = x->B[2] * tangent->g[k];
      }
      ss_contact_newton_add (s, tangent, false, across, tangent->g);
    }
    ss_contact_newton_add (s, normal, false, out, normal->g);
  }
  return ss_blocks_factor (s->blocks, false) == SS_OK;
}

/* s->d and the points' dz, dw for the products' right-hand sides x->c. */
void
ss_contact_interior_direction (SsContactNewton *s)
{
  SS_ASSERT (s != NULL && s->n_rows <= s->rows_capacity);

  const int n = s->n_interior;
  memcpy (s->d, s->gradient, 3 * (size_t)s->n_bodies * sizeof *s->d);
  for (int i = 0; i < s->n_rows; i++)
    if (s->rows[i].kind == ROW_FREE)
      push (&s->rows[i], -s->rows[i].s * s->rows[i].gv, s->d);
  for (int i = 0; i < n; i++) {
    SsInteriorPoint *x = &s->interior[i];
    const Row *normal = &s->rows[x->normal];
    const double *z = x->z, *w = x->w, e1 = (x->c[0] - z[0] * x->r[0]) / (w[0] + normal->compliance * z[0]);
    x->h[0] = e1;
    push (normal, e1, s->d);
    if (!x->has_friction)
      continue;
    const Row *tangent = tangent_of (s, x);
    const double e2 = (x->c[1] - z[1] * x->r[1]) / w[1], e3 = (x->c[2] - z[2] * x->r[2]) / w[2], D2 = z[1] / w[1],
                 D3 = z[2] / w[2], K = w[3] / z[3] + D2 + D3, mu = tangent->mu;
    x->h[1] = (x->c[3] / z[3] - x->r[3] - mu * e1 + e2 + e3) / K; /* dlambda at dv = 0 */
    const double T = (4 * D2 * D3 + (D2 + D3) * w[3] / z[3]) / K;
    x->h[2] = (e2 - e3 - (D2 - D3) * x->h[1]) / (1 + T * tangent->compliance);
    push (tangent, x->h[2], s->d);
  }
  ss_blocks_solve (s->blocks, s->d);
  for (int i = 0; i < n; i++) {
    SsInteriorPoint *x = &s->interior[i];
    const Row *normal = &s->rows[x->normal];
    const double *z = x->z, *w = x->w, along_n = product (normal, s->d);
    x->dz[0] = (x->c[0] - z[0] * (along_n + x->r[0])) / (w[0] + normal->compliance * z[0]);
    x->dw[0] = along_n + x->r[0] + normal->compliance * x->dz[0];
    if (!x->has_friction)
      continue;
    const Row *tangent = tangent_of (s, x);
    const double rigid_t = product (tangent, s->d), p = x->h[2] - x->B[1] * along_n - x->B[2] * rigid_t,
                 along_t = rigid_t + tangent->compliance * p, D2 = z[1] / w[1], D3 = z[2] / w[2],
                 K = w[3] / z[3] + D2 + D3, mu = tangent->mu;
    x->dz[3] = x->h[1] + (mu * x->B[0] * along_n - (D2 - D3) * along_t) / K;
    x->dw[1] = along_t + x->dz[3] + x->r[1];
    x->dw[2] = -along_t + x->dz[3] + x->r[2];
    x->dz[1] = (x->c[1] - z[1] * x->dw[1]) / w[1];
    x->dz[2] = (x->c[2] - z[2] * x->dw[2]) / w[2];
    x->dw[3] = (x->c[3] - w[3] * x->dz[3]) / z[3];
  }
}

/* Largest step <= 1 that leaves nothing below 0. */
static double
largest_step (const SsContactNewton *s, int n)
{
  double least = -1;
  for (int i = 0; i < n; i++) {
    const SsInteriorPoint *x = &s->interior[i];
    for (int k = 0; k < ss_contact_interior_pairs (x); k++) { /* divisions are rare */
      if (x->dz[k] < least * x->z[k])
        least = x->dz[k] / x->z[k];
      if (x->dw[k] < least * x->w[k])
        least = x->dw[k] / x->w[k];
    }
  }
  return -1 / least;
}

static void
go (SsContactNewton *s, int n, double alpha)
{
  for (int i = 0; i < n; i++) {
    SsInteriorPoint *x = &s->interior[i];
    for (int k = 0; k < ss_contact_interior_pairs (x); k++) {
      x->z[k] += alpha * x->dz[k];
      x->w[k] += alpha * x->dw[k];
    }
  }
  for (int i = 0; i < s->n_rows; i++) {
    Row *row = &s->rows[i];
    if (row->kind == ROW_FREE)
      row->p -= alpha * row->s * (row->gv + product (row, s->d));
  }
  ss_axpy (3 * s->n_bodies, alpha, s->d, s->v);
}

/* Centres and p of the rows, rounded to states. */
void
ss_contact_interior_round (SsContactNewton *s)
{
  SS_ASSERT (s != NULL && s->n_rows <= s->rows_capacity);

  const int n = s->n_interior;
  for (int i = 0; i < n; i++) {
    const SsInteriorPoint *x = &s->interior[i];
    Row *normal = &s->rows[x->normal];
    normal->p = x->weight * x->z[0] > x->w[0] ? x->z[0] : 0;
    normal->centre = normal->p;
    if (!x->has_friction)
      continue;
    Row *tangent = normal + 1;
    const double bound = tangent->mu * normal->p, p = x->z[1] - x->z[2];
    const bool slides = x->weight * x->w[3] < x->z[3];
    tangent->p = slides ? copysign (bound, p) : copysign (fmin (fabs (p), sticking_part * bound), p);
    tangent->centre = tangent->p;
  }
  for (int i = 0; i < s->n_rows; i++)
    if (s->rows[i].kind == ROW_FREE)
      s->rows[i].centre = s->rows[i].p;
}

void
ss_contact_interior_warm (SsContactNewton *s, double speed)
{
  SS_ASSERT (s != NULL && s->n_rows <= s->rows_capacity);
  for (int i = 0; i < s->n_interior; i++) {
    SsInteriorPoint *x = &s->interior[i];
    const Row *row = &s->rows[x->normal];
    x->z[0] = fmax (row->p, speed / x->weight);
    x->w[0] = fmax (product (row, s->v_end) + row->b + row->compliance * row->p, speed);
  }
}

void
ss_contact_interior_begin (SsContactNewton *s)
{
  SS_ASSERT (s != NULL);

  const int n = s->n_interior;
  ss_contact_newton_set_proximal (s, joint_factor);
  memset (s->d, 0, 3 * (size_t)s->n_bodies * sizeof *s->d);
  for (int i = 0; i < n; i++) {
    const SsInteriorPoint *x = &s->interior[i];
    push (&s->rows[x->normal], x->z[0], s->d);
    if (x->has_friction)
      push (tangent_of (s, x), x->z[1] - x->z[2], s->d);
  }
  for (int i = 0; i < s->n_rows; i++)
    if (s->rows[i].kind == ROW_FREE)
      push (&s->rows[i], s->rows[i].p, s->d);
  for (int i = 0; i < 3 * s->n_bodies; i++)
    s->v[i] = s->vf[i] + s->inverse_mass[i] * s->d[i];
}

bool
ss_contact_interior_start (SsContactNewton *s, double speed)
{
  SS_ASSERT (s != NULL);
  s->n_interior = find_points (s, speed);
  return s->n_interior > 0;
}

bool
ss_contact_interior_go (SsContactNewton *s, double scale, double gap_wanted, int *iterations)
{
  SS_ASSERT (s != NULL);

  const int n = s->n_interior;
  int n_stuck = 0;
  double last = 1;
  bool is_near = false;
  ss_contact_interior_begin (s);
  for (int k = 0; k < ITERATIONS_MAX && n_stuck < STUCK_MAX; k++) {
    const double miss = ss_contact_interior_misses (s), gap = ss_contact_interior_gap (s, 0);
    is_near = miss <= miss_wanted * scale && gap <= gap_wanted * scale * scale;
    if (is_near || !isfinite (miss + gap) || !ss_contact_interior_factor (s))
      break;
    ++*iterations;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < 4; j++)
        s->interior[i].c[j] = -s->interior[i].z[j] * s->interior[i].w[j];
    ss_contact_interior_direction (s);
    const double left = ss_contact_interior_gap (s, largest_step (s, n)) / gap;
    const bool is_free = last > crowded;
    const double target = is_free ? left * left * left * gap : centring * gap;
    for (int i = 0; i < n; i++) {
      SsInteriorPoint *x = &s->interior[i];
      for (int j = 0; j < 4; j++)
        x->c[j] = target / x->weight - x->z[j] * x->w[j] - (is_free ? x->dz[j] * x->dw[j] : 0);
    }
    ss_contact_interior_direction (s);
    const double alpha = fmin (1, way_part * largest_step (s, n));
    last = alpha;
    n_stuck = alpha < step_least ? n_stuck + 1 : 0;
    go (s, n, alpha);
    if (!ss_contact_newton_tell (s, true, *iterations))
      break;
  }
  ss_contact_interior_round (s);
  return is_near;
}
