/* engine/contact/ss-contact-clamp.c: large contact problems with Coulomb's law as it is: friction bounds that move with
 * the normal impulses.
 *
 * Letters as in ss-contact-convex.c. With proximal terms the step is one equation in the velocities,
 *     F (v) = M (v - vf) - sum_i g_i' p_i (v) = 0,    y_i = s_i (centre_i/sigma_i - g_i v - b_i),
 *     normals p = max (y, least),  tangents p = min (max (y, -mu pn), mu pn),  joints p = y,
 * piecewise linear: inside a piece every normal is open or closed, every tangent sticks or slides to one side. Its
 * matrix J = M + sum s g_out' g is unsymmetric where a contact slides (g_out = g_n + mu g_t), has the pattern of the
 * contact graph, and changes by one rank where one contact changes its state. Three ways to the root, in turn:
 *   newton   the piece's linear equation, then the pieces where its solution lies; ends at once where the states of the
 *            last solve are right
 *   follow   the curve F (v) = tau F (v0) from tau = 1 to 0 through all pieces on the way; where the determinant of J
 *            changes its sign, tau turns back. It may run to infinity
 *   lift     the curve F (v; b + tau d) = 0, d > 0 on the normals, from a tau at which all contacts are open: this is
 *            Lemke's path, which cannot end on a ray, because the matrix of the problem is copositive and the proximal
 *            terms leave no homogeneous solutions (R. W. Cottle, J.-S. Pang, R. E. Stone, The LCP, sec. 4.4)
 * Outer iteration: centre <- p, sigma grows. Two contacts on nearly one line of action (boxes whose faces are not quite
 * parallel) have differences that converge with 1/(sigma w 1e-8), so that sigma w must reach 1e8; for that y may not
 * suffer from the rounding of v: unknowns are differences from velocities that are folded into vf and b.
 */
#include "contact/ss-contact-newton-private.h"

#include <math.h>
#include <string.h>

/* sigma = factor/w: first (the convex part has come near: later starts were slower, earlier ones too), growth per outer
 * iteration and last. */
static const double proximal_first = 1e5, proximal_growth = 10, proximal_last = 1e8;
/* After a failure: a step back, and smaller steps from there. */
static const double proximal_retreat = 1e-2, proximal_growth_after = 3;
/* With proximal terms there may be other solutions, in which bodies are wedged by impulses that grow with sigma: their
 * residual is this many times the largest speed. */
static const double jammed = 10;
/* Newton ends at this imbalance, relative to the largest speed. */
static const double imbalance_least = 1e-14;
/* Velocities stay folded in as they are once the residual is below this part of the largest speed: folding them again
 * changes b by their rounding. */
static const double folded_enough = 1e-7;
/* Tangents of the start slide from this part of their bound on. */
static const double sliding_part = 0.9999;
/* An update of the inverse by a pivot below this would leave few digits: the matrix is factored again. */
static const double update_least = 1e-7;
/* Normals are lifted by 1 +- this, so that not many open at once. */
static const double lift_spread = 0.1;
/* The path starts above the last contact by this part. */
static const double lift_margin = 1e-9;
enum { OUTER_MAX = 60, FAILURES_MAX = 6, STALLED_AFTER = 5, NEWTON_MAX = 12, NEWTON_ALONE = 5 };
/* A path that turns back more often than this without arriving is left for the lifted one; pieces per row that a path
 * may have. */
enum { TURNS_MAX = 20, PIECES_PER_ROW = 2, LIFTED_PIECES_PER_ROW = 12 };
/* And over all rows, which is what a piece costs: a second or two at the most. */
enum { ROWS_VISITED_MAX = 20000000 };

static inline bool
is_normal (const Row *row)
{
  return row->kind == ROW_NORMAL || row->kind == ROW_EDGE;
}

/* The tangent that slides with a closed normal; NULL if none does. */
static inline const Row *
sliding_with (const SsContactNewton *s, const Row *normal)
{
  const Row *next = normal + 1;
  return normal->kind == ROW_NORMAL && next < s->rows + s->n_rows && next->kind == ROW_TANGENT && next->slide != 0
             ? next
             : NULL;
}

/* Whether the row's p moves with its own y. */
static inline bool
is_own (const Row *row)
{
  return row->kind == ROW_TANGENT ? row->slide == 0 : row->is_active;
}

/* ---- the equation ------------------------------------------------------------------------------------------------ */

/* p and F (to gradient) at v in the states as they are. */
static void
find_forces (SsContactNewton *s)
{
  for (int i = 0; i < 3 * s->n_bodies; i++)
    s->gradient[i] = s->mass[i] * (s->v[i] - s->vf[i]);
  for (int i = 0; i < s->n_rows; i++) {
    Row *row = &s->rows[i];
    if (is_own (row))
      row->p = row_y (row, product (row, s->v));
    else
      row->p = is_normal (row) ? row->least : row->slide * row->mu * s->rows[row->normal].p;
    push (row, -row->p, s->gradient);
  }
}

/* States at v. Returns how many changed. */
static int
find_states (SsContactNewton *s)
{
  int n = 0;
  for (int i = 0; i < s->n_rows; i++) {
    Row *row = &s->rows[i];
    double y = row->kind == ROW_FREE ? 0 : row_y (row, product (row, s->v));
    if (is_normal (row)) {
      bool is_closed = y > row->least;
      n += is_closed != row->is_active;
      row->is_active = is_closed;
      row->p = is_closed ? y : row->least;
    } else if (row->kind == ROW_TANGENT) {
      double bound = row->mu * s->rows[row->normal].p;
      int slide = y >= bound ? 1 : y <= -bound ? -1 : 0;
      n += slide != row->slide && bound > 0;
      row->slide = slide;
    }
  }
  return n;
}

/* States that the centres speak of. */
static void
recall_states (SsContactNewton *s)
{
  for (int i = 0; i < s->n_rows; i++) {
    Row *row = &s->rows[i];
    if (row->kind != ROW_TANGENT) {
      row->is_active = row->kind == ROW_FREE || row->centre > row->least;
      continue;
    }
    double bound = row->mu * s->rows[row->normal].centre;
    row->slide = fabs (row->centre) < sliding_part * bound ? 0 : row->centre > 0 ? 1 : -1;
  }
}

/* What a row's y pushes: g, and where a tangent slides with it, its part. */
static void
find_push (const SsContactNewton *s, const Row *row, double *out)
{
  const Row *tangent = sliding_with (s, row);
  for (int k = 0; k < 6; k++)
    out[k] = row->s * (row->g[k] + (tangent != NULL ? tangent->slide * tangent->mu * tangent->g[k] : 0));
}

static bool
factor (SsContactNewton *s)
{
  ss_contact_newton_clear_matrix (s, false);
  for (int i = 0; i < s->n_rows; i++) {
    const Row *row = &s->rows[i];
    double out[6];
    if (!is_own (row))
      continue;
    find_push (s, row, out);
    ss_contact_newton_add (s, row, false, out, row->g);
  }
  return ss_blocks_factor (s->blocks, false) == SS_OK;
}

/* d = J^-1 f, refined once; f is used up. */
static void
solve (SsContactNewton *s, double *f, double *d)
{
  int n = 3 * s->n_bodies;
  memcpy (d, f, (size_t)n * sizeof *d);
  ss_blocks_solve (s->blocks, d);
  for (int i = 0; i < n; i++)
    f[i] -= s->mass[i] * d[i];
  for (int i = 0; i < s->n_rows; i++) {
    const Row *row = &s->rows[i];
    if (!is_own (row))
      continue;
    double p = row->s * product (row, d);
    const Row *tangent = sliding_with (s, row);
    push (row, -p, f);
    if (tangent != NULL)
      push (tangent, -tangent->slide * tangent->mu * p, f);
  }
  ss_blocks_solve (s->blocks, f);
  for (int i = 0; i < n; i++)
    d[i] += f[i];
}

/* Steps to the root of the present piece. False if the matrix is singular. */
static bool
solve_piece (SsContactNewton *s, int *iterations)
{
  if (!factor (s))
    return false;
  ++*iterations;
  find_forces (s);
  for (int i = 0; i < 3 * s->n_bodies; i++)
    s->gradient[i] = -s->gradient[i];
  solve (s, s->gradient, s->d);
  for (int i = 0; i < 3 * s->n_bodies; i++)
    s->v[i] += s->d[i];
  return true;
}

/* From piece to piece, beginning with that of the present states. False when it does not arrive; v is then the best
 * that was seen. */
static bool
newton (SsContactNewton *s, int n_most, double tolerance, int *iterations)
{
  size_t size = 3 * (size_t)s->n_bodies * sizeof *s->v;
  double *v_best = s->v_end, best = INFINITY;
  bool is_done = false;
  memcpy (v_best, s->v, size);
  for (int k = 0; k < n_most && !is_done && solve_piece (s, iterations); k++) {
    int n_changes = find_states (s);
    find_forces (s);
    double now = ss_contact_newton_imbalance (s);
    if (now < best) {
      best = now;
      memcpy (v_best, s->v, size);
    }
    is_done = n_changes == 0 || now <= tolerance;
  }
  if (!is_done) {
    memcpy (s->v, v_best, size);
    find_states (s);
    find_forces (s);
  }
  return is_done && isfinite (best);
}

/* ---- the path ---------------------------------------------------------------------------------------------------- */

typedef struct {
  bool is_lifted;
  double tau;
  int way;         /* +1: tau falls              */
  int row, side;   /* whose state changed last, at which end of the interval (tangents), */
  bool has_left;   /* and whether its y has left the interval or come in */
  int n_updates;   /* since the matrix was factored */
  const double *F; /* at the start (not lifted)   */
  double *z;       /* n vectors                   */
  struct {
    double w[6], pivot;
    int row;
  } update[SS_CONTACT_UPDATES_MAX];
} Path;

/* y of a row on the path. */
static inline double
path_y (const Path *path, const Row *row)
{
  return row_y (row, row->gv + (path->is_lifted ? path->tau * row->lift : 0));
}

/* Direction of v for falling tau, afresh. */
static bool
find_direction (SsContactNewton *s, Path *path, int *iterations)
{
  double *f = s->gradient;
  if (!factor (s))
    return false;
  ++*iterations;
  path->n_updates = 0;
  for (int i = 0; i < 3 * s->n_bodies; i++)
    f[i] = path->is_lifted ? 0 : -path->F[i];
  for (int i = 0; i < s->n_rows && path->is_lifted; i++) {
    const Row *row = &s->rows[i], *tangent = sliding_with (s, row);
    if (!is_normal (row) || !row->is_active)
      continue;
    push (row, row->s * row->lift, f);
    if (tangent != NULL)
      push (tangent, tangent->slide * tangent->mu * row->s * row->lift, f);
  }
  solve (s, f, s->d);
  return true;
}

/* The direction after J += u w' on the row's bodies and its right-hand side += beta u. False when the pivot is too
 * small. */
static bool
update_direction (SsContactNewton *s, Path *path, const Row *row, const double *u, const double *w, double beta)
{
  int n = 3 * s->n_bodies, k = path->n_updates;
  double *z = path->z + (size_t)k * (size_t)n;
  Row change = *row;
  memset (z, 0, (size_t)n * sizeof *z);
  memcpy (change.g, u, sizeof change.g);
  push (&change, 1, z);
  ss_blocks_solve (s->blocks, z);
  for (int i = 0; i < k; i++) {
    Row earlier = s->rows[path->update[i].row];
    memcpy (earlier.g, path->update[i].w, sizeof earlier.g);
    ss_axpy (n, -product (&earlier, z) / path->update[i].pivot, path->z + (size_t)i * (size_t)n, z);
  }
  memcpy (change.g, w, sizeof change.g);
  double pivot = 1 + product (&change, z);
  if (!(fabs (pivot) > update_least))
    return false;
  path->update[k].pivot = pivot;
  path->update[k].row = (int)(row - s->rows);
  memcpy (path->update[k].w, w, sizeof path->update[k].w);
  path->n_updates++;
  ss_axpy (n, (beta - product (&change, s->d)) / pivot, z, s->d);
  return true;
}

/* Changes the state of path->row, and the direction with it. False if the matrix has become singular. */
static bool
change_state (SsContactNewton *s, Path *path, int *iterations)
{
  Row *row = &s->rows[path->row];
  double u[6], w[6], beta = 0;
  if (is_normal (row)) {
    row->is_active = !row->is_active;
    path->has_left = row->is_active;
    if (row->is_active && row + 1 < s->rows + s->n_rows && row[1].kind == ROW_TANGENT && row->least == 0)
      row[1].slide = row_y (row + 1, row[1].gv) >= 0 ? 1 : -1; /* its bound grows from 0 */
    find_push (s, row, u);
    for (int k = 0; k < 6; k++) {
      u[k] *= row->is_active ? 1 : -1;
      w[k] = row->g[k];
    }
    beta = row->lift;
  } else {
    const Row *normal = &s->rows[row->normal];
    double share = normal->is_active ? path->side * row->mu * normal->s : 0, sign = row->slide == 0 ? 1 : -1;
    row->slide = row->slide == 0 ? path->side : 0;
    path->has_left = row->slide != 0;
    for (int k = 0; k < 6; k++) {
      u[k] = row->g[k];
      w[k] = sign * (share * normal->g[k] - row->s * row->g[k]);
    }
    beta = sign * share * normal->lift;
  }
  if (path->n_updates < SS_CONTACT_UPDATES_MAX && update_direction (s, path, row, u, w, path->is_lifted ? beta : 0))
    return true;
  return find_direction (s, path, iterations);
}

/* g v and the rate of y (to gd) of all rows for falling tau. */
static void
find_rates (SsContactNewton *s, const Path *path)
{
  for (int i = 0; i < s->n_rows; i++) {
    Row *row = &s->rows[i];
    row->gv = product (row, s->v);
    row->gd = row->s * ((path->is_lifted ? row->lift : 0) - product (row, s->d));
  }
}

/* The end of a tangent's interval and its rate. */
static inline double
bound_of (const SsContactNewton *s, const Path *path, const Row *tangent, double *rate)
{
  const Row *normal = &s->rows[tangent->normal];
  *rate = normal->is_active ? tangent->mu * normal->gd : 0;
  return tangent->mu * (normal->is_active ? path_y (path, normal) : normal->least);
}

/* Which way keeps the row that changed in its new state. */
static int
way_on (const SsContactNewton *s, const Path *path)
{
  const Row *row = &s->rows[path->row];
  double rate = row->gd, rate_of_bound;
  if (row->kind == ROW_TANGENT) {
    bound_of (s, path, row, &rate_of_bound);
    rate = path->side * row->gd - rate_of_bound;
  }
  return (rate > 0) == path->has_left ? 1 : -1;
}

/* Where the piece ends: the first row to change (-1: none before tau = 0). Returns how much tau changes until then. */
static double
find_end (const SsContactNewton *s, const Path *path, int *at, int *at_side)
{
  double least = path->way > 0 ? path->tau : INFINITY;
  *at = -1;
  for (int i = 0; i < s->n_rows; i++) {
    const Row *row = &s->rows[i];
    double y, rate;
    if (row->kind == ROW_FREE)
      continue;
    y = path_y (path, row);
    rate = path->way * row->gd;
    if (is_normal (row)) {
      if (i == path->row || (row->is_active ? rate >= 0 : rate <= 0))
        continue;
      double way = fmax ((row->least - y) / rate, 0);
      if (way < least) {
        least = way;
        *at = i;
      }
      continue;
    }
    double rate_of_bound, bound = bound_of (s, path, row, &rate_of_bound);
    if (!s->rows[row->normal].is_active && bound == 0)
      continue;
    for (int side = -1; side <= 1; side += 2) {
      double beyond = side * y - bound, growth = side * rate - path->way * rate_of_bound;
      if ((row->slide != 0 && row->slide != side) || (i == path->row && side == path->side) ||
          (row->slide == 0 ? growth <= 0 : growth >= 0))
        continue;
      double way = fmax (-beyond / growth, 0);
      if (way < least) {
        least = way;
        *at = i;
        *at_side = side;
      }
    }
  }
  return least;
}

static int
pieces_allowed (const SsContactNewton *s, bool is_lifted)
{
  int n = s->n_rows * (is_lifted ? LIFTED_PIECES_PER_ROW : PIECES_PER_ROW), n_at_cost = ROWS_VISITED_MAX / s->n_rows;
  return n < n_at_cost ? n : n_at_cost;
}

/* From path->tau to 0. States must be those of the start. */
static bool
follow (SsContactNewton *s, Path *path, int *iterations)
{
  int n_turns = 0, n_pieces = pieces_allowed (s, path->is_lifted);
  path->way = 1;
  path->row = -1;
  if (!find_direction (s, path, iterations))
    return false;
  for (int k = 0; k < n_pieces; k++) {
    find_rates (s, path);
    if (path->row >= 0) {
      int way = way_on (s, path);
      n_turns += way != path->way;
      path->way = way;
    }
    if (n_turns > TURNS_MAX && !path->is_lifted)
      return false;
    int at, side = 0;
    double length = find_end (s, path, &at, &side);
    if (!isfinite (length))
      return false;
    ss_axpy (3 * s->n_bodies, path->way * length, s->d, s->v);
    path->tau -= path->way * length;
    if (at < 0)
      return true;
    path->row = at;
    path->side = side;
    if (!change_state (s, path, iterations))
      return false;
  }
  return false;
}

static bool
follow_from_here (SsContactNewton *s, int *iterations)
{
  Path path = {.tau = 1, .F = s->path, .z = s->path + 3 * s->n_bodies};
  memcpy (s->path, s->gradient, 3 * (size_t)s->n_bodies * sizeof *s->path);
  return follow (s, &path, iterations);
}

/* From the motion with all contacts open. Rows with a least impulse have no such motion that is known at once. */
static bool
follow_from_above (SsContactNewton *s, int *iterations)
{
  Path path = {.is_lifted = true, .z = s->path + 3 * s->n_bodies};
  s->n_lifts++; /* another direction each time */
  for (int i = 0; i < s->n_rows; i++) {
    Row *row = &s->rows[i];
    row->is_active = row->kind == ROW_FREE;
    row->slide = row->kind == ROW_TANGENT;
    row->lift = is_normal (row) ? 1 + lift_spread * sin (i + 7 * s->n_lifts) : 0;
    if (row->least > 0)
      return false;
  }
  if (!solve_piece (s, iterations))
    return false;
  for (int i = 0; i < s->n_rows; i++) {
    const Row *row = &s->rows[i];
    if (is_normal (row))
      path.tau = fmax (path.tau, row_y (row, product (row, s->v)) / (row->s * row->lift));
  }
  path.tau *= 1 + lift_margin;
  return follow (s, &path, iterations);
}

/* ---- outer iteration --------------------------------------------------------------------------------------------- */

/* Unknowns become differences from v. */
static void
fold_in (SsContactNewton *s)
{
  for (int i = 0; i < s->n_rows; i++)
    s->rows[i].b += product (&s->rows[i], s->v);
  for (int i = 0; i < 3 * s->n_bodies; i++) {
    s->vf[i] -= s->v[i];
    s->v[i] = 0;
  }
}

/* From the centres of before, after a failure. */
static void
start_again (SsContactNewton *s)
{
  int worst;
  for (int i = 0; i < s->n_rows; i++)
    s->rows[i].p = s->rows[i].centre;
  ss_contact_newton_residual (s, &worst);
  memcpy (s->v, s->v_end, 3 * (size_t)s->n_bodies * sizeof *s->v);
  recall_states (s);
}

bool
ss_contact_clamp_solve (SsContactNewton *s, SsClampEffort effort, double scale, double wanted, double *residual,
                        int *iterations, int *worst)
{
  SS_ASSERT (s != NULL && s->n_rows <= s->rows_capacity && residual != NULL);

  double best = INFINITY, sigma = proximal_first, growth = proximal_growth, tolerance = imbalance_least * scale;
  int candidate = -1, since_best = 0, n_failures = 0;
  fold_in (s);
  recall_states (s);
  for (int k = 0; k < OUTER_MAX && best > wanted && since_best <= STALLED_AFTER; k++) {
    ss_contact_newton_set_proximal (s, sigma);
    const int n_most = effort == SS_CLAMP_ONCE ? NEWTON_ALONE : NEWTON_MAX;
    bool is_solved = newton (s, n_most, tolerance, iterations);
    if (!is_solved && effort == SS_CLAMP_ONCE)
      break;
    if (!is_solved && effort == SS_CLAMP_PATH) {
      is_solved = follow_from_here (s, iterations) || follow_from_above (s, iterations);
      is_solved = newton (s, n_most, tolerance, iterations) || is_solved;
    }
    double now = ss_contact_newton_residual (s, &candidate);
    since_best = now < 0.9 * best ? 0 : since_best + 1;
    if (now < best) {
      best = now;
      *worst = candidate;
      for (int i = 0; i < s->n_rows; i++)
        s->rows[i].best_p = s->rows[i].p;
    }
    if (!ss_contact_newton_tell (s, false, *iterations))
      break;
    if (!is_solved || now > jammed * scale) {
      if (++n_failures > FAILURES_MAX)
        break;
      start_again (s);
      sigma *= proximal_retreat;
      growth = proximal_growth_after;
      since_best = 0;
      continue;
    }
    sigma = fmin (sigma * growth, proximal_last);
    for (int i = 0; i < s->n_rows; i++)
      s->rows[i].centre = s->rows[i].p;
    if (now > folded_enough * scale)
      fold_in (s);
  }
  for (int i = 0; i < s->n_rows; i++)
    s->rows[i].p = s->rows[i].best_p;
  *residual = best;
  return best <= wanted;
}
