/* engine/contact/ss-contact-convex.c: large contact problems: convex problems in the velocities by Newton's method,
 * inside two fixed points. They solve what rests and slides gently; impacts through piles and jammed contacts are for
 * the other methods (ss-contact-ways.c).
 *
 * With friction bounds c fixed the step is convex. Each scalar row i (normal: p >= least; tangent: |p| <= c; joint: p
 * free) has bias b, compliance C and, where C is too small to be inverted well, a proximal term (p - centre)/sigma
 * (augmented Lagrangian). With s = 1/(C + 1/sigma) and y_i (v) = s (centre/sigma - g v - b) the velocities minimise
 *     Phi (v) = 1/2 (v - vf)' M (v - vf) + sum_i (y_i^2 - (y_i - P_i y_i)^2) / 2 s_i,       P_i = projection to the
 *     row's interval,   p_i = P_i y_i (v),
 * piecewise quadratic, strictly convex: Newton with a line search ends after finitely many steps. The matrix M +
 * sum_active s g' g has the pattern of the contact graph (3 x 3 blocks) and is factored sparsely; its ordering is kept
 * while the graph does not change. Outer iteration: centre <- p (contracts by 1/(sigma w)), c <- mu pn (the fixed point
 * on the friction bound: its limit is Coulomb's law), the latter by Anderson's method with a short memory. The result
 * is judged by the natural residual of the original law, with v = vf + M^-1 G' p exactly.
 */
#include "contact/ss-contact-newton-private.h"

#include <math.h>
#include <string.h>

/* sigma = factor / w, w = g M^-1 g': larger values need fewer outer iterations and lose digits (the residual's rounding
 * is about 1e-16 sigma). The factor grows over the outer iterations from the first to the last value: cold starts need
 * the soft ones, where few rows change sides in a Newton step. */
static const double proximal_first = 1e2, proximal_last = 1e6, proximal_growth = 10;
/* Anderson's memory is cleared when the residual grows by more than this in one iteration. */
static const double anderson_patience = 1e3;
/* The fixed points go on while an iteration multiplies the residual by less. */
static const double nearing = 0.4;
/* Minimisations end at this fraction of the last residual, and not below this times the largest speed. */
static const double imbalance_fraction = 1e-3, imbalance_least = 1e-14;
/* Line search: wanted fall of |slope|. */
static const double slope_fraction = 0.1;
enum {
  OUTER_LEAST = 3,
  OUTER_MAX = 60,
  NEWTON_MAX = 15,
  LINE_MAX = 30,
  ANDERSON = SS_CONTACT_ANDERSON,
  ANDERSON_FROM = 2
};
/* Relaxation ends at this residual relative to the largest speed, looked at every so many sweeps. */
static const double relaxed_enough = 1e-7;
enum { SWEEPS = 300, SWEEPS_BETWEEN_CHECKS = 20 };
/* A start is warm while at most one row in so many is new. */
enum { COLD_PART = 10 };

/* Projection of y; *is_inside: it is not at an end. */
static inline double
project (const Row *row, double y, bool *is_inside)
{
  if (row->kind == ROW_FREE) {
    *is_inside = true;
    return y;
  }
  double lower = row->kind == ROW_TANGENT ? -row->bound : row->least;
  double upper = row->kind == ROW_TANGENT ? row->bound : INFINITY;
  *is_inside = y > lower && y < upper;
  return y <= lower ? lower : y >= upper ? upper : y;
}

static bool
factor (SsContactNewton *s)
{
  ss_contact_newton_clear_matrix (s, true);
  for (int i = 0; i < s->n_rows; i++) {
    const Row *row = &s->rows[i];
    double out[6];
    if (!row->is_active)
      continue;
    for (int k = 0; k < 6; k++)
      out[k] = row->s * row->g[k];
    ss_contact_newton_add (s, row, true, out, row->g);
  }
  return ss_blocks_factor (s->blocks, true) == SS_OK;
}

/* ---- Newton with bounds and centres fixed ------------------------------------------------------------------------ */

/* p of all rows and the gradient at v. Returns whether any row changed between inside and end. */
static bool
evaluate (SsContactNewton *s)
{
  bool has_changed = false;
  for (int i = 0; i < 3 * s->n_bodies; i++)
    s->gradient[i] = s->mass[i] * (s->v[i] - s->vf[i]);
  for (int i = 0; i < s->n_rows; i++) {
    Row *row = &s->rows[i];
    bool is_inside;
    row->gv = product (row, s->v);
    row->p = project (row, row_y (row, row->gv), &is_inside);
    has_changed = has_changed || is_inside != row->is_active;
    row->is_active = is_inside;
    push (row, -row->p, s->gradient);
  }
  return has_changed;
}

/* Slope of Phi along d at v + alpha d. */
static double
slope (const SsContactNewton *s, double alpha, double at_start, double bend)
{
  double sum = at_start + alpha * bend; /* of the kinetic part */
  for (int i = 0; i < s->n_rows; i++) {
    const Row *row = &s->rows[i];
    bool is_inside;
    sum -= row->gd * project (row, row_y (row, row->gv + alpha * row->gd), &is_inside);
  }
  return sum;
}

/* A step with a much smaller slope, by bisection and secants on the piecewise linear, increasing slope. */
static double
search_line (SsContactNewton *s)
{
  double kinetic = 0, bend = 0;
  for (int i = 0; i < 3 * s->n_bodies; i++) {
    kinetic += s->mass[i] * (s->v[i] - s->vf[i]) * s->d[i];
    bend += s->mass[i] * s->d[i] * s->d[i];
  }
  for (int i = 0; i < s->n_rows; i++)
    s->rows[i].gd = product (&s->rows[i], s->d);
  double low = 0, high = 1, f_low = slope (s, 0, kinetic, bend), f_high = slope (s, 1, kinetic, bend);
  double wanted = slope_fraction * fabs (f_low);
  if (fabs (f_high) <= wanted || f_high < 0 || !(f_low < 0))
    return 1;
  for (int k = 0; k < LINE_MAX; k++) {
    double alpha = k % 3 == 2 ? 0.5 * (low + high) : low - f_low * (high - low) / (f_high - f_low);
    double f = slope (s, alpha, kinetic, bend);
    if (fabs (f) <= wanted)
      return alpha;
    if (f < 0) {
      low = alpha;
      f_low = f;
    } else {
      high = alpha;
      f_high = f;
    }
  }
  return low > 0 ? low : high;
}

/* Minimises Phi up to an imbalance [m/s], or comes nearer in NEWTON_MAX steps (*is_minimum false). Returns false if a
 * number is not finite. */
static bool
minimise (SsContactNewton *s, double tolerance, int *iterations, bool *is_minimum)
{
  int n = 3 * s->n_bodies;
  *is_minimum = false;
  evaluate (s);
  for (int k = 0; k < NEWTON_MAX && !*is_minimum; k++) {
    if (!factor (s))
      return false;
    ++*iterations;
    for (int i = 0; i < n; i++)
      s->d[i] = -s->gradient[i];
    ss_blocks_solve (s->blocks, s->d);
    double alpha = search_line (s);
    for (int i = 0; i < n; i++)
      s->v[i] += alpha * s->d[i];
    bool has_changed = evaluate (s); /* else the minimum of the quadratic piece lies in the piece */
    *is_minimum = (!has_changed && alpha == 1) || ss_contact_newton_imbalance (s) <= tolerance;
  }
  return isfinite (ss_norm_inf (n, s->v));
}

/* ---- outer iteration --------------------------------------------------------------------------------------------- */

/* Least squares of small size by normal equations with a little regularisation: minimise |r - D x|, D: columns of
 * length n. */
static void
small_least_squares (int n, int m, const double *D, const double *r, double *x)
{
  double A[ANDERSON * ANDERSON], largest = 0;
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < m; j++)
      A[j * m + i] = ss_dot (n, D + (size_t)i * (size_t)n, D + (size_t)j * (size_t)n);
    largest = fmax (largest, A[i * m + i]);
    x[i] = ss_dot (n, D + (size_t)i * (size_t)n, r);
  }
  for (int i = 0; i < m; i++)
    A[i * m + i] += 1e-12 * largest; /* columns may be parallel */
  if (largest == 0 || ss_dense_cholesky (m, A, m) != SS_OK)
    memset (x, 0, (size_t)m * sizeof *x);
  else
    ss_dense_cholesky_solve (m, A, m, x);
}

/* One step of Anderson's method for the fixed point x = F (x): s->history holds F, then x; F becomes the next x. k
 * counts the calls since the last restart. */
static void
mix (SsContactNewton *s, int n, int k)
{
  double *F = s->history, *r = F + n, *last_F = r + n, *last_r = last_F + n, *dF = last_r + n,
         *dr = dF + (size_t)ANDERSON * (size_t)n, x[ANDERSON];
  int m = 0;
  for (int i = 0; i < n; i++)
    r[i] = F[i] - r[i];
  if (k > 0) {
    int column = (k - 1) % ANDERSON;
    for (int i = 0; i < n; i++) {
      dF[(size_t)column * (size_t)n + (size_t)i] = F[i] - last_F[i];
      dr[(size_t)column * (size_t)n + (size_t)i] = r[i] - last_r[i];
    }
    m = k < ANDERSON ? k : ANDERSON;
  }
  memcpy (last_F, F, (size_t)n * sizeof *F);
  memcpy (last_r, r, (size_t)n * sizeof *F);
  if (k < ANDERSON_FROM)
    return;
  small_least_squares (n, m, dr, r, x);
  for (int c = 0; c < m; c++)
    ss_axpy (n, -x[c], dF + (size_t)c * (size_t)n, F);
}

/* bound <- mu pn. */
static void
update_bounds (SsContactNewton *s, int n_friction, int k)
{
  int j = 0;
  for (int i = 0; i < s->n_rows; i++) {
    const Row *row = &s->rows[i];
    if (row->kind != ROW_TANGENT)
      continue;
    s->history[j] = row->mu * s->rows[row->normal].p;
    s->history[n_friction + j++] = row->bound;
  }
  mix (s, n_friction, k);
  j = 0;
  for (int i = 0; i < s->n_rows; i++)
    if (s->rows[i].kind == ROW_TANGENT)
      s->rows[i].bound = fmax (s->history[j++], 0);
}

/* Impulses of the last solve are worth more than a soft start when they nearly solve this one; new points have none. */
static bool
has_warm_start (const SsContactNewton *s)
{
  int n_cold = 0;
  for (int i = 0; i < s->n_rows; i++)
    n_cold += s->rows[i].kind != ROW_FREE && s->rows[i].kind != ROW_TANGENT && s->rows[i].centre == 0;
  return COLD_PART * n_cold <= s->n_rows;
}

void
ss_contact_newton_iterate (SsContactNewton *s, double scale, double *residual, int *iterations, int *worst)
{
  SS_ASSERT (s != NULL && residual != NULL);

  double best = INFINITY, last = INFINITY, sigma = has_warm_start (s) ? proximal_last : proximal_first;
  int candidate, anderson = 0;
  bool is_minimum, is_nearing = true;
  for (int k = 0; k < OUTER_MAX && best > ss_contact_residual_wanted * scale && (k < OUTER_LEAST || is_nearing); k++) {
    ss_contact_newton_set_proximal (s, sigma);
    double tolerance = fmax (imbalance_fraction * fmin (last, scale), imbalance_least * scale);
    if (!minimise (s, tolerance, iterations, &is_minimum))
      break;
    double now = ss_contact_newton_residual (s, &candidate);
    if (!ss_contact_newton_tell (s, false, *iterations))
      break;
    is_nearing = now < nearing * best;
    if (now < best) {
      best = now;
      *worst = candidate;
      for (int i = 0; i < s->n_rows; i++)
        s->rows[i].best_p = s->rows[i].p;
    }
    sigma = is_minimum ? fmin (sigma * proximal_growth, proximal_last) : proximal_first;
    if (now > anderson_patience * last || !is_minimum)
      anderson = 0;
    last = now;
    for (int i = 0; i < s->n_rows; i++)
      s->rows[i].centre = s->rows[i].p;
    if (s->n_friction > 0)
      update_bounds (s, s->n_friction, anderson++);
  }
  for (int i = 0; i < s->n_rows; i++)
    s->rows[i].p = s->rows[i].best_p;
  *residual = best;
}

/* ---- relaxation -------------------------------------------------------------------------------------------------- */

/* v_end += M^-1 g' dp. */
static void
change (SsContactNewton *s, Row *row, double dp)
{
  row->p += dp;
  for (int side = 0; side < 2; side++)
    for (int k = 0; row->body[side] >= 0 && k < 3; k++)
      s->v_end[3 * row->body[side] + k] += s->inverse_mass[3 * row->body[side] + k] * row->g[3 * side + k] * dp;
}

/* Coulomb's law at one point, the others held: the normal and tangential impulse. */
static void
solve_point (SsContactNewton *s, Row *normal, Row *tangent)
{
  double cross = 0, wn = normal->w + normal->compliance, wt = tangent->w + tangent->compliance;
  for (int side = 0; side < 2; side++)
    for (int k = 0; normal->body[side] >= 0 && k < 3; k++)
      cross += s->inverse_mass[3 * normal->body[side] + k] * normal->g[3 * side + k] * tangent->g[3 * side + k];
  double un = product (normal, s->v_end) + normal->b + normal->compliance * normal->p;
  double ut = product (tangent, s->v_end) + tangent->b + tangent->compliance * tangent->p;
  un -= wn * normal->p + cross * tangent->p; /* without this point's impulses */
  ut -= cross * normal->p + wt * tangent->p;
  double pn = normal->least, pt = 0, determinant = wn * wt - cross * cross, mu = tangent->mu;
  double stick_n = (-wt * un + cross * ut) / determinant, stick_t = (cross * un - wn * ut) / determinant;
  if (determinant > 0 && stick_n > normal->least && fabs (stick_t) <= mu * stick_n) {
    pn = stick_n;
    pt = stick_t;
  } else {
    double side = stick_t > 0 ? 1 : -1; /* the side on which sticking fails */
    if (determinant > 0 && stick_n <= normal->least)
      side = ut > 0 ? -1 : 1;
    double w = wn + side * mu * cross;
    pn = w > 0 ? fmax (-un / w, normal->least) : normal->least;
    pt = side * mu * pn;
  }
  change (s, normal, pn - normal->p);
  change (s, tangent, pt - tangent->p);
}

void
ss_contact_newton_relax (SsContactNewton *s, double scale)
{
  int where;
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    for (int i = 0; i < s->n_rows; i++) {
      Row *row = &s->rows[i];
      if (!(row->w > 0))
        continue;
      double rate = product (row, s->v_end) + row->b + row->compliance * row->p, w = row->w + row->compliance;
      if (row->kind == ROW_FREE)
        change (s, row, -rate / w);
      else if (row->kind == ROW_NORMAL && i + 1 < s->n_rows && row[1].kind == ROW_TANGENT)
        solve_point (s, row, row + 1);
      else if (row->kind == ROW_NORMAL)
        change (s, row, fmax (row->p - rate / w, row->least) - row->p);
    }
    if (sweep % SWEEPS_BETWEEN_CHECKS == SWEEPS_BETWEEN_CHECKS - 1 &&
        ss_contact_newton_residual (s, &where) <= relaxed_enough * scale)
      break;
  }
}
