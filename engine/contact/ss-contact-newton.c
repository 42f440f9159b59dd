/* engine/contact/ss-contact-newton.c: large contact problems: convex problems in the velocities by Newton's method,
 * inside two fixed points. They solve what rests and slides gently; where they stop coming nearer (impacts through
 * piles, jammed contacts) ss-contact-clamp.c takes over from where they are.
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
/* The residual that the fixed points aim at, and the one that needs no other method, relative to the largest speed of
 * the problem. */
static const double residual_wanted = 1e-11, residual_accepted = 1e-10;
/* It is never more than this [m/s]: half of what every step promises. */
static const double residual_most = 5e-9;
/* What is still accepted when every method has been tried, rather than ending the run: the residual is reported, and
 * the run warns of it. */
static const double residual_tolerated = 1e-4;
/* Anderson's memory is cleared when the residual grows by more than this in one iteration. */
static const double anderson_patience = 1e3;
/* The fixed points go on while an iteration multiplies the residual by less. */
static const double nearing = 0.4;
/* Minimisations end at this fraction of the last residual, and not below this times the largest speed. */
static const double imbalance_fraction = 1e-3, imbalance_least = 1e-14;
/* Line search: wanted fall of |slope|. */
static const double slope_fraction = 0.1;
enum { OUTER_LEAST = 3, OUTER_MAX = 60, NEWTON_MAX = 15, LINE_MAX = 30, ANDERSON = 10, ANDERSON_FROM = 2 };
/* Relaxation ends at this residual relative to the largest speed, looked at every so many sweeps. */
static const double relaxed_enough = 1e-7;
enum { SWEEPS = 300, SWEEPS_BETWEEN_CHECKS = 20 };
/* A start is warm while at most one row in so many is new. */
enum { COLD_PART = 10 };

/* ---- life cycle -------------------------------------------------------------------------------------------------- */

static void
clear_pattern (SsContactNewton *s)
{
  ss_ldl_free (s->ldl);
  ss_lu_free (s->lu);
  ss_pattern_clear (&s->lower);
  ss_free (s->values);
  ss_free (s->upper);
  ss_free (s->path);
  ss_free (s->block_start);
  ss_free (s->block_row);
  ss_free (s->block_place);
  s->ldl = NULL;
  s->lu = NULL;
  s->values = s->upper = s->path = NULL;
  s->block_start = s->block_row = s->block_place = NULL;
  s->pattern_n_bodies = s->n_pattern_blocks = 0;
}

SsStatus
ss_contact_newton_new (const SsContactProblem *problem, SsContactNewton **out, SsError *err)
{
  SS_ASSERT (problem != NULL && out != NULL);

  SsContactNewton *s = ss_new (SsContactNewton);
  size_t n = (size_t)problem->scene->n_bodies;
  if (s != NULL) {
    s->n_scene_bodies = problem->scene->n_bodies;
    s->local = ss_new_array (int, n + 1);
    s->bodies = ss_new_array (int, n + 1);
    s->v = ss_new_array (double, 21 * n + 1);
  }
  if (s == NULL || s->local == NULL || s->bodies == NULL || s->v == NULL) {
    ss_contact_newton_free (s);
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a scene of %d bodies", problem->scene->n_bodies);
  }
  s->vf = s->v + 3 * n;
  s->d = s->vf + 3 * n;
  s->gradient = s->d + 3 * n;
  s->mass = s->gradient + 3 * n;
  s->inverse_mass = s->mass + 3 * n;
  s->v_end = s->inverse_mass + 3 * n;
  *out = s;
  return SS_OK;
}

void
ss_contact_newton_free (SsContactNewton *s)
{
  if (s == NULL)
    return;
  clear_pattern (s);
  ss_free (s->local);
  ss_free (s->bodies);
  ss_free (s->rows);
  ss_free (s->v);
  ss_free (s->pair);
  ss_free (s->history);
  ss_free (s);
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static int
local_body (SsContactNewton *s, const SsContactProblem *problem, int body)
{
  if (body < 0 || !problem->moves[body])
    return -1;
  if (s->local[body] < 0) {
    int n = s->n_bodies++;
    s->local[body] = n;
    s->bodies[n] = body;
    for (int k = 0; k < 3; k++) {
      double inverse = problem->inverse_mass[3 * body + k];
      s->inverse_mass[3 * n + k] = inverse;
      s->mass[3 * n + k] = inverse > 0 ? problem->mass[3 * body + k] : 1; /* a locked coordinate keeps its velocity */
    }
  }
  return s->local[body];
}

/* What coordinates that answer to no impulse add to a row's velocity: those of belts, pistons, carts, and locked ones
 * of bodies that move otherwise. */
static double
driven_velocity (const SsContactProblem *problem, const int body[2], const double *g, const double *v)
{
  double sum = 0;
  for (int k = 0; k < 6; k++) {
    int i = 3 * body[k / 3] + k % 3;
    if (body[k / 3] >= 0 && !(problem->inverse_mass[i] > 0))
      sum += g[k] * v[i];
  }
  return sum;
}

static void
add_row (SsContactNewton *s, const SsContactProblem *problem, const double *v_free, RowKind kind, int source,
         const int body[2], const double *g, double bias, double compliance, double p)
{
  Row *row = &s->rows[s->n_rows++];
  *row = (Row){.kind = kind, .source = source, .compliance = compliance, .centre = p, .p = p, .normal = -1};
  row->b = bias + driven_velocity (problem, body, g, v_free);
  for (int side = 0; side < 2; side++) {
    row->body[side] = local_body (s, problem, body[side]);
    for (int k = 0; row->body[side] >= 0 && k < 3; k++) {
      double inverse = s->inverse_mass[3 * row->body[side] + k];
      row->g[3 * side + k] = inverse > 0 ? g[3 * side + k] : 0;
      row->w += inverse * g[3 * side + k] * g[3 * side + k];
    }
  }
}

/* What a point turns against in the relaxed law; NULL: nothing. */
static const SsContactPoint *
resisted_by (const SsContactProblem *problem, const SsContactPoint *p)
{
  return p->resisted > 0 ? &problem->points[p->resisted] : NULL;
}

/* Edges of a point's cone: one sign of the tangent each, and one of what resists rolling. */
static int
count_edges (const SsContactPoint *p)
{
  return (p->mu > 0 ? 2 : 1) * (p->resisted > 0 ? 2 : 1);
}

/* Part of pn that is of the edge with a sign of pt. */
static double
part (double pn, double pt, double mu, int sign)
{
  return mu > 0 ? 0.5 * (pn + sign * pt / mu) : pn;
}

static void
add_edges (SsContactNewton *s, const SsContactProblem *problem, int point, const double *v_free)
{
  const SsContactPoint *p = &problem->points[point], *turning = resisted_by (problem, p);
  for (int edge = 0; edge < count_edges (p); edge++) {
    const int slip = p->mu > 0 && edge % 2 == 1 ? -1 : 1, turn = edge < (p->mu > 0 ? 2 : 1) ? 1 : -1;
    double g[6], impulse = part (p->pn, p->pt, p->mu, slip);
    for (int k = 0; k < 6; k++)
      g[k] = p->jn[k] + slip * p->mu * p->jt[k] + (turning != NULL ? turn * turning->mu * turning->jt[k] : 0);
    if (turning != NULL)
      impulse *= p->pn > 0 ? part (1, turning->pt / p->pn, turning->mu, turn) : 0.5;
    add_row (s, problem, v_free, ROW_EDGE, point, p->body, g, p->bias, p->compliance, impulse);
    s->rows[s->n_rows - 1].mu = p->mu;
  }
}

static SsStatus
make_rows (SsContactNewton *s, const SsContactProblem *problem, const int *points, int n_points, const int *rows,
           int n_rows, const double *v_free, SsError *err)
{
  if (ss_array_reserve ((void **)&s->rows, &s->rows_capacity, (problem->is_convex ? 4 : 2) * n_points + n_rows,
                        sizeof *s->rows) != 0)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a contact problem of %d points", n_points);
  s->n_rows = s->n_bodies = 0;
  for (int i = 0; i < s->n_scene_bodies; i++)
    s->local[i] = -1;
  for (int i = 0; i < n_rows; i++) {
    const SsJointConstraint *c = &problem->rows[rows[i]];
    add_row (s, problem, v_free, ROW_FREE, rows[i], c->row.body, c->row.j, c->bias, c->compliance, c->p);
  }
  for (int i = 0; i < n_points; i++) {
    const SsContactPoint *p = &problem->points[points[i]];
    int normal = s->n_rows;
    if (problem->is_convex && p->drive == SS_DRIVE_ROLLING) /* in the edges of its owner */
      continue;
    if (problem->is_convex && p->drive == SS_DRIVE_NONE && (p->mu > 0 || p->resisted > 0)) {
      add_edges (s, problem, points[i], v_free);
      continue;
    }
    add_row (s, problem, v_free, ROW_NORMAL, points[i], p->body, p->jn, p->bias, p->compliance, p->pn);
    s->rows[normal].least = p->pn_least;
    if (p->mu == 0)
      continue;
    add_row (s, problem, v_free, ROW_TANGENT, points[i], p->body, p->jt, p->bias_t, p->compliance_t, p->pt);
    Row *tangent = &s->rows[s->n_rows - 1];
    tangent->mu = p->mu;
    tangent->normal = normal;
    tangent->bound = p->mu * p->pn;
  }
  for (int i = 0; i < 3 * s->n_bodies; i++)
    s->vf[i] = v_free[3 * s->bodies[i / 3] + i % 3];
  return SS_OK;
}

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

/* ---- matrix ------------------------------------------------------------------------------------------------------ */

/* Place of the block (row, column), row > column, in the pattern; -1 if it is not there. */
static int
find_block (const SsContactNewton *s, int row, int column)
{
  int lo = s->block_start[column], hi = s->block_start[column + 1];
  while (lo < hi) {
    int mid = (lo + hi) / 2;
    if (s->block_row[mid] < row)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo < s->block_start[column + 1] && s->block_row[lo] == row ? lo : -1;
}

static bool
pattern_fits (const SsContactNewton *s)
{
  if (s->ldl == NULL || s->pattern_n_bodies != s->n_bodies)
    return false;
  for (int i = 0; i < s->n_rows; i++) {
    const int *b = s->rows[i].body;
    if (b[0] >= 0 && b[1] >= 0 && b[0] != b[1] &&
        find_block (s, b[0] > b[1] ? b[0] : b[1], b[0] > b[1] ? b[1] : b[0]) < 0)
      return false;
  }
  return true;
}

/* Block pattern of the rows' pairs, then the scalar pattern and its ordering. */
static SsStatus
make_pattern (SsContactNewton *s, SsError *err)
{
  SsPattern blocks = {0};
  int n = s->n_bodies, n_pairs = 0;
  clear_pattern (s);
  if (ss_array_reserve ((void **)&s->pair, &s->pair_capacity, 3 * s->n_rows + 1, sizeof *s->pair) != 0)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the pattern of %d rows", s->n_rows);
  int *major = s->pair, *minor = s->pair + s->n_rows, *slot = s->pair + 2 * s->n_rows;
  for (int i = 0; i < s->n_rows; i++) {
    const int *b = s->rows[i].body;
    if (b[0] < 0 || b[1] < 0 || b[0] == b[1])
      continue;
    major[n_pairs] = b[0] > b[1] ? b[1] : b[0];
    minor[n_pairs++] = b[0] > b[1] ? b[0] : b[1];
  }
  SsStatus status = ss_pattern_from_triplets (&blocks, n, n, n_pairs, major, minor, slot, err);
  if (status != SS_OK)
    return status;
  int n_blocks = blocks.start[n];
  status = ss_pattern_init (&s->lower, 3 * n, 3 * n, 6 * n + 9 * n_blocks, err);
  s->block_start = ss_new_array (int, (size_t)n + 1);
  s->block_row = ss_new_array (int, (size_t)n_blocks + 1);
  s->block_place = ss_new_array (int, 3 * ((size_t)n_blocks + (size_t)n) + 1);
  if (status == SS_OK && (s->block_start == NULL || s->block_row == NULL || s->block_place == NULL))
    status = ss_error_set (err, SS_ERR_MEMORY, "no memory for the pattern of %d rows", s->n_rows);
  if (status != SS_OK)
    goto done;
  memcpy (s->block_start, blocks.start, ((size_t)n + 1) * sizeof (int));
  memcpy (s->block_row, blocks.index, (size_t)n_blocks * sizeof (int));
  int at = 0;
  for (int j = 0; j < n; j++)
    for (int c = 0; c < 3; c++) {
      s->lower.start[3 * j + c] = at;
      s->block_place[3 * j + c] = at - c; /* entry (r, c) of the diagonal block is at place + r */
      for (int r = c; r < 3; r++)
        s->lower.index[at++] = 3 * j + r;
      for (int k = s->block_start[j]; k < s->block_start[j + 1]; k++) {
        s->block_place[3 * n + 3 * k + c] = at;
        for (int r = 0; r < 3; r++)
          s->lower.index[at++] = 3 * s->block_row[k] + r;
      }
    }
  s->lower.start[3 * n] = at;
  s->values = ss_new_array (double, (size_t)at + 1);
  s->upper = ss_new_array (double, (size_t)at + 1);
  s->path = ss_new_array (double, (1 + SS_CONTACT_UPDATES_MAX) * 3 * (size_t)n + 1);
  if (s->values == NULL || s->upper == NULL || s->path == NULL) {
    status = ss_error_set (err, SS_ERR_MEMORY, "no memory for the pattern of %d rows", s->n_rows);
    goto done;
  }
  status = ss_ldl_new (&s->lower, &s->ldl, err);
  if (status == SS_OK)
    status = ss_lu_new (&s->lower, &s->lu, err);
  s->pattern_n_bodies = n;
  s->n_pattern_blocks = n_blocks;

done:
  ss_pattern_clear (&blocks);
  if (status != SS_OK)
    clear_pattern (s);
  return status;
}

/* Where each row adds. */
static void
find_places (SsContactNewton *s)
{
  for (int i = 0; i < s->n_rows; i++) {
    Row *row = &s->rows[i];
    const int *b = row->body;
    for (int side = 0; side < 2; side++)
      for (int c = 0; b[side] >= 0 && c < 3; c++)
        row->place[side][c] = s->block_place[3 * b[side] + c];
    if (b[0] < 0 || b[1] < 0 || b[0] == b[1])
      continue;
    int k = find_block (s, b[0] > b[1] ? b[0] : b[1], b[0] > b[1] ? b[1] : b[0]);
    for (int c = 0; c < 3; c++)
      row->place_ab[c] = s->block_place[3 * s->n_bodies + 3 * k + c];
  }
}

static bool
factor (SsContactNewton *s)
{
  int n = s->n_bodies;
  double *H = s->values;
  memset (H, 0, (size_t)s->lower.start[3 * n] * sizeof *H);
  for (int i = 0; i < 3 * n; i++)
    H[s->block_place[i] + i % 3] = s->mass[i];
  for (int i = 0; i < s->n_rows; i++) {
    const Row *row = &s->rows[i];
    if (!row->is_active)
      continue;
    for (int side = 0; side < 2; side++) {
      const double *g = row->g + 3 * side;
      if (row->body[side] < 0)
        continue;
      for (int c = 0; c < 3; c++)
        for (int r = c; r < 3; r++)
          H[row->place[side][c] + r] += row->s * g[r] * g[c];
    }
    if (row->body[0] < 0 || row->body[1] < 0)
      continue;
    const double *low = row->g + (row->body[0] > row->body[1] ? 3 : 0),
                 *high = row->g + (row->body[0] > row->body[1] ? 0 : 3);
    if (row->body[0] == row->body[1])
      continue; /* no such rows */
    for (int c = 0; c < 3; c++)
      for (int r = 0; r < 3; r++)
        H[row->place_ab[c] + r] += row->s * high[r] * low[c];
  }
  return ss_ldl_factor (s->ldl, H, NULL, 0, NULL) == SS_OK;
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
    ss_ldl_solve (s->ldl, s->d);
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

static SsStatus
reserve_history (SsContactNewton *s, SsError *err)
{
  s->n_friction = 0;
  for (int i = 0; i < s->n_rows; i++)
    s->n_friction += s->rows[i].kind == ROW_TANGENT;
  if (s->n_friction <= s->friction_capacity)
    return SS_OK;
  ss_free (s->history);
  s->friction_capacity = s->n_friction + s->n_friction / 2;
  s->history = ss_new_array (double, (size_t)s->friction_capacity *(2 * ANDERSON + 4));
  if (s->history != NULL)
    return SS_OK;
  s->friction_capacity = 0;
  return ss_error_set (err, SS_ERR_MEMORY, "no memory for %d points with friction", s->n_friction);
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

/* Largest speed of the data. */
static double
scale_of (const SsContactNewton *s)
{
  double scale = ss_norm_inf (3 * s->n_bodies, s->vf);
  for (int i = 0; i < s->n_rows; i++)
    scale = fmax (scale, fabs (s->rows[i].b));
  return scale;
}

/* The two fixed points. The best impulses are left in the rows. */
static void
iterate (SsContactNewton *s, double scale, double *residual, int *iterations, int *worst)
{
  double best = INFINITY, last = INFINITY, sigma = has_warm_start (s) ? proximal_last : proximal_first;
  int candidate, anderson = 0;
  bool is_minimum, is_nearing = true;
  for (int k = 0; k < OUTER_MAX && best > residual_wanted * scale && (k < OUTER_LEAST || is_nearing); k++) {
    ss_contact_newton_set_proximal (s, sigma);
    double tolerance = fmax (imbalance_fraction * fmin (last, scale), imbalance_least * scale);
    if (!minimise (s, tolerance, iterations, &is_minimum))
      break;
    double now = ss_contact_newton_residual (s, &candidate);
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

/* Nonsmooth Gauss-Seidel (M. Jean, J. J. Moreau (1992)): slow, but it finds its way where the fixed points circle.
 * v_end and p must fit together. */
static void
relax (SsContactNewton *s, double scale)
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

/* Centres, bounds and velocities of the rows' p. */
static void
start_from_impulses (SsContactNewton *s, int *worst)
{
  for (int i = 0; i < s->n_rows; i++) {
    Row *row = &s->rows[i];
    row->centre = row->p;
    if (row->kind == ROW_TANGENT)
      row->bound = row->mu * s->rows[row->normal].p;
  }
  ss_contact_newton_residual (s, worst);
  memcpy (s->v, s->v_end, 3 * (size_t)s->n_bodies * sizeof *s->v);
}

/* Impulses of the rows to the problem's points and rows. */
static void
hand_back (const SsContactNewton *s, SsContactProblem *problem, const int *points, int n_points)
{
  for (int i = 0; i < s->n_rows; i++) {
    const Row *row = &s->rows[i];
    if (row->kind == ROW_FREE)
      problem->rows[row->source].p = row->p;
    else if (row->kind == ROW_EDGE) {
      SsContactPoint *p = &problem->points[row->source];
      const int n = count_edges (p); /* all edges of a point follow each other, as add_edges has them */
      double turned = 0;
      p->pn = p->pt = 0;
      for (int edge = 0; edge < n; edge++) {
        p->pn += row[edge].p;
        p->pt += (edge % 2 == 0 ? 1 : -1) * p->mu * row[edge].p;
        turned += (edge < n / 2 ? 1 : -1) * row[edge].p;
      }
      if (p->resisted > 0) {
        problem->points[p->resisted].pn = 0;
        problem->points[p->resisted].pt = problem->points[p->resisted].mu * turned;
      }
      i += n - 1;
    } else if (row->kind == ROW_NORMAL)
      problem->points[row->source].pn = row->p;
    else
      problem->points[row->source].pt = row->p;
  }
  for (int i = 0; i < n_points; i++)
    if (problem->points[points[i]].mu == 0)
      problem->points[points[i]].pt = 0;
}

SsStatus
ss_contact_newton_solve (SsContactNewton *s, SsContactProblem *problem, const int *points, int n_points,
                         const int *rows, int n_rows, const double *v_free, double *residual, int *iterations,
                         bool *is_solved, int *worst, SsError *err)
{
  SS_ASSERT (s != NULL && problem != NULL && v_free != NULL);
  SS_ASSERT (n_points >= 0 && (n_points == 0 || points != NULL));
  SS_ASSERT (n_rows >= 0 && (n_rows == 0 || rows != NULL));
  SS_ASSERT (residual != NULL && iterations != NULL && is_solved != NULL && worst != NULL);

  SsStatus status = make_rows (s, problem, points, n_points, rows, n_rows, v_free, err);
  *iterations = 0;
  *is_solved = false;
  *residual = INFINITY;
  if (status == SS_OK)
    status = reserve_history (s, err);
  if (status == SS_OK && !pattern_fits (s))
    status = make_pattern (s, err);
  if (status != SS_OK)
    return status;
  find_places (s);
  double scale = scale_of (s), accepted = fmin (residual_accepted * scale, residual_most);
  start_from_impulses (s, worst);
  iterate (s, scale, residual, iterations, worst);
  if (*residual > accepted) {
    start_from_impulses (s, worst);
    ss_contact_clamp_solve (s, scale, accepted, residual, iterations, worst);
  }
  if (*residual > accepted) { /* another start */
    int where;
    double reached;
    hand_back (s, problem, points, n_points);
    relax (s, scale);
    start_from_impulses (s, &where);
    ss_contact_clamp_solve (s, scale, accepted, &reached, iterations, &where);
    if (reached < *residual) {
      *residual = reached;
      *worst = where;
      hand_back (s, problem, points, n_points);
    }
  } else {
    hand_back (s, problem, points, n_points);
  }
  *is_solved = *residual <= residual_tolerated * scale;
  return SS_OK;
}
