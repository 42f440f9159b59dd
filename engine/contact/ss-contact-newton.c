/* engine/contact/ss-contact-newton.c: large contact problems: their rows, the graph of their matrix, and what is handed
 * back; solved in ss-contact-ways.c, letters as in ss-contact-convex.c. */
#include "contact/ss-contact-newton-private.h"

#include <math.h>
#include <string.h>

/* What is still accepted when every method has been tried, rather than ending the run: the residual is reported, and
 * the run warns of it. */
static const double residual_tolerated = 1e-4;
/* Impulses of the last solve that leave at most this part of the largest speed of the problem, and this [m/s], solve
 * this one, too, if they did so before: any method may leave as much (ss-contact-ways.c). If not, bodies have just been
 * pushed, and keep that speed; less is accepted until they are at rest, or they would swing about it. */
static const double residual_of_rest = 1e-10, residual_of_rest_most = 5e-9;

/* ---- life cycle -------------------------------------------------------------------------------------------------- */

static void
clear_pattern (SsContactNewton *s)
{
  ss_blocks_free (s->blocks);
  ss_pattern_clear (&s->graph);
  ss_free (s->place_of_body);
  ss_free (s->path);
  s->blocks = NULL;
  s->place_of_body = NULL;
  s->path = NULL;
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
  ss_free (s->interior);
  ss_free (s->curve);
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
    add_row (s, problem, v_free, ROW_EDGE, point, p->body, g, p->bias + p->rate_t, p->compliance, impulse);
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
    add_row (s, problem, v_free, ROW_FREE, rows[i], c->row.body, c->row.j, c->bias + c->row.rate_t, c->compliance,
             c->p);
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
    add_row (s, problem, v_free, ROW_NORMAL, points[i], p->body, p->jn, p->bias + p->rate_t, p->compliance, p->pn);
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

/* ---- matrix ------------------------------------------------------------------------------------------------------ */

/* Entry (row, column), row > column, of the graph; -1 if it is not there. */
static int
find_entry (const SsContactNewton *s, int row, int column)
{
  int lo = s->graph.start[column], hi = s->graph.start[column + 1];
  while (lo < hi) {
    int mid = (lo + hi) / 2;
    if (s->graph.index[mid] < row)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo < s->graph.start[column + 1] && s->graph.index[lo] == row ? lo : -1;
}

/* Where each row adds. False if the graph has no place for one. */
static bool
find_places (SsContactNewton *s)
{
  if (s->blocks == NULL || s->graph.n_major != s->n_bodies)
    return false;
  for (int i = 0; i < s->n_rows; i++) {
    Row *row = &s->rows[i];
    const int *b = row->body, larger = b[0] > b[1] ? 0 : 1;
    bool is_swapped;
    for (int side = 0; side < 2; side++)
      if (b[side] >= 0)
        row->place[side] = s->place_of_body[b[side]];
    if (b[0] < 0 || b[1] < 0 || b[0] == b[1])
      continue;
    int entry = find_entry (s, b[larger], b[1 - larger]);
    if (entry < 0)
      return false;
    row->place_ab = ss_blocks_place (s->blocks, entry, &is_swapped);
    row->high = is_swapped ? 1 - larger : larger;
  }
  return true;
}

/* The graph of the rows' pairs, and its ordering. */
static SsStatus
make_pattern (SsContactNewton *s, SsError *err)
{
  int n = s->n_bodies, n_pairs = 0;
  clear_pattern (s);
  if (ss_array_reserve ((void **)&s->pair, &s->pair_capacity, 3 * (s->n_rows + n) + 1, sizeof *s->pair) != 0)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the pattern of %d rows", s->n_rows);
  int *major = s->pair, *minor = s->pair + s->n_rows + n, *slot = s->pair + 2 * (s->n_rows + n);
  for (int i = 0; i < n; i++)
    major[n_pairs] = minor[n_pairs] = i, n_pairs++;
  for (int i = 0; i < s->n_rows; i++) {
    const int *b = s->rows[i].body;
    if (b[0] < 0 || b[1] < 0 || b[0] == b[1])
      continue;
    major[n_pairs] = b[0] > b[1] ? b[1] : b[0];
    minor[n_pairs++] = b[0] > b[1] ? b[0] : b[1];
  }
  SsStatus status = ss_pattern_from_triplets (&s->graph, n, n, n_pairs, major, minor, slot, err);
  if (status == SS_OK)
    status = ss_blocks_new (&s->graph, &s->blocks, err);
  s->place_of_body = ss_new_array (int, (size_t)n + 1);
  s->path = ss_new_array (double, (1 + SS_CONTACT_UPDATES_MAX) * 3 * (size_t)n + 1);
  if (status == SS_OK && (s->place_of_body == NULL || s->path == NULL))
    status = ss_error_set (err, SS_ERR_MEMORY, "no memory for the pattern of %d rows", s->n_rows);
  if (status != SS_OK) {
    clear_pattern (s);
    return status;
  }
  bool is_swapped;
  for (int i = 0; i < n; i++)
    s->place_of_body[i] = ss_blocks_place (s->blocks, s->graph.start[i], &is_swapped);
  find_places (s);
  return SS_OK;
}

static SsStatus
reserve_history (SsContactNewton *s, SsError *err)
{
  if (ss_array_reserve ((void **)&s->interior, &s->interior_capacity, s->n_rows, sizeof *s->interior) != 0 ||
      ss_array_reserve ((void **)&s->curve, &s->curve_capacity, s->n_rows, sizeof *s->curve) != 0)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a contact problem of %d rows", s->n_rows);
  s->n_friction = 0;
  for (int i = 0; i < s->n_rows; i++)
    s->n_friction += s->rows[i].kind == ROW_TANGENT;
  if (s->n_friction <= s->friction_capacity)
    return SS_OK;
  ss_free (s->history);
  s->friction_capacity = s->n_friction + s->n_friction / 2;
  s->history = ss_new_array (double, (size_t)s->friction_capacity *(2 * SS_CONTACT_ANDERSON + 4));
  if (s->history != NULL)
    return SS_OK;
  s->friction_capacity = 0;
  return ss_error_set (err, SS_ERR_MEMORY, "no memory for %d points with friction", s->n_friction);
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

void
ss_contact_newton_hand_back (const SsContactNewton *s, SsContactProblem *problem, const int *points, int n_points)
{
  SS_ASSERT (s != NULL && n_points >= 0);
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

/* Rows of the problem, and room for what solves them. */
static SsStatus
take_rows (SsContactNewton *s, const SsContactProblem *problem, const int *points, int n_points, const int *rows,
           int n_rows, const double *v_free, double *scale, SsError *err)
{
  SsStatus status = make_rows (s, problem, points, n_points, rows, n_rows, v_free, err);
  if (status == SS_OK)
    status = reserve_history (s, err);
  *scale = status == SS_OK ? scale_of (s) : 0;
  return status;
}

/* Where they go in the matrix. */
static SsStatus
place_rows (SsContactNewton *s, SsError *err)
{
  return find_places (s) ? SS_OK : make_pattern (s, err);
}

SsStatus
ss_contact_newton_prepare (SsContactNewton *s, const SsContactProblem *problem, const int *points, int n_points,
                           const int *rows, int n_rows, const double *v_free, double *scale, SsError *err)
{
  SS_ASSERT (n_points >= 0 && n_rows >= 0);

  SsStatus status = take_rows (s, problem, points, n_points, rows, n_rows, v_free, scale, err);
  return status == SS_OK ? place_rows (s, err) : status;
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

  double scale;
  *iterations = 0;
  *is_solved = false;
  *residual = INFINITY;
  SsStatus status = take_rows (s, problem, points, n_points, rows, n_rows, v_free, &scale, err);
  if (status != SS_OK)
    return status;
  *residual = ss_contact_newton_residual (s, worst);
  s->is_calm =
      *residual <= fmin ((s->is_calm ? residual_of_rest : ss_contact_residual_wanted) * scale, residual_of_rest_most);
  if (!s->is_calm) {
    status = place_rows (s, err);
    if (status != SS_OK)
      return status;
    ss_contact_newton_solve_rows (s, scale, residual, iterations, worst);
  }
  ss_contact_newton_hand_back (s, problem, points, n_points);
  *is_solved = *residual <= residual_tolerated * scale;
  return SS_OK;
}
