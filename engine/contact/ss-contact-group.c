/* engine/contact/ss-contact-group.c: groups of bodies that touch or are joined; the dense method for small ones.
 *
 * Joints of a group are eliminated first (paper 003, appendix): with W = C + Gb M^-1 Gb' their
 * impulses are pb = -W^-1 (Gb v + bias), and what is left is a contact problem with L = M^-1 - M^-1 Gb' W^-1 Gb M^-1 in
 * the place of M^-1. W may be singular (redundant joints without compliance): its inverse is applied as the limit of a
 * few steps of iterated Tikhonov regularisation, which is the pseudo-inverse to rounding. The contact problem is an LCP
 * in pn - least, p+, p-, s, solved by Lemke's method.
 */
#include "contact/ss-contact-problem.h"

#include "core/ss-forest.h"

#include <math.h>
#include <string.h>

/* Pivots allowed per unknown, over the four attempts of ss_lemke_solve; piles of boxes were seen to need 0.3 to 2 in
 * the first. */
enum { PIVOTS_PER_UNKNOWN = 16, PIVOTS_AT_LEAST = 400 };
/* Groups with more unknowns (pn; p+, p-, s of points with friction) or more joint rows go to the sparse method first:
 * there Lemke costs more than a few factorisations. */
enum { SMALL_UNKNOWNS = 48, SMALL_ROWS = 24 };
/* Without points there is one matrix to factor, which is cheap for longer. */
enum { SMALL_ROWS_ALONE = 96 };
/* Groups with more unknowns do not fall back on Lemke: it would take seconds. */
enum { LEMKE_UNKNOWNS = 480 };
/* An LCP that Lemke calls stalled is still accepted when its unscaled violation is below this fraction of the
 * right-hand side. */
static const double accepted_fraction = 1e-7;
/* A point that joints hold along its normal has less than this part of its mobility: what a bar touches at its pin.
 * No impulse there moves anything, and where the body is, joints decide: no impulse acts, unless it is in the other one
 * by more than this part of its size, which is a fault that nothing can mend. */
static const double held_mobility = 1e-10, held_depth = 1e-3;
/* Tikhonov parameter relative to the largest diagonal entry, and refinements: each multiplies the error in an
 * eigenvector by shift/eigenvalue. */
static const double joint_shift = 1e-11;
enum { JOINT_REFINEMENTS = 3 };

/* ---- groups ------------------------------------------------------------------------------------------------------ */

static bool
body_moves (const SsContactProblem *problem, int body)
{
  return body >= 0 && problem->moves[body];
}

void
ss_contact_unite (const SsContactProblem *problem, int *parent, const int body[2])
{
  if (body_moves (problem, body[0]) && body_moves (problem, body[1]))
    parent[ss_root_of (parent, body[1])] = ss_root_of (parent, body[0]);
}

/* Group of two bodies, a new one if their root has none; -1 if neither moves. */
static int
group_of (SsContactProblem *problem, const int body[2], int *n_groups)
{
  int mover = body_moves (problem, body[0]) ? body[0] : body_moves (problem, body[1]) ? body[1] : -1;
  if (mover < 0)
    return -1;
  int root = ss_root_of (problem->parent, mover);
  if (problem->group_of_root[root] < 0)
    problem->group_of_root[root] = (*n_groups)++;
  return problem->group_of_root[root];
}

/* Points and rows get their group; numbered in the order of their first point or row. */
static int
find_groups (SsContactProblem *problem)
{
  int n_groups = 0;
  for (int i = 0; i < problem->scene->n_bodies; i++) {
    problem->parent[i] = i;
    problem->group_of_root[i] = -1;
  }
  for (int i = 0; i < problem->n_points; i++)
    if (problem->points[i].is_included)
      ss_contact_unite (problem, problem->parent, problem->points[i].body);
  for (int i = 0; i < problem->n_rows; i++)
    ss_contact_unite (problem, problem->parent, problem->rows[i].row.body);
  for (int i = 0; i < problem->n_points; i++) {
    SsContactPoint *p = &problem->points[i];
    p->group = p->is_included ? group_of (problem, p->body, &n_groups) : -1;
    if (p->group < 0)
      p->pn = p->pt = 0;
  }
  for (int i = 0; i < problem->n_rows; i++)
    problem->rows[i].group = group_of (problem, problem->rows[i].row.body, &n_groups);
  return n_groups;
}

/* ---- dense work -------------------------------------------------------------------------------------------------- */

typedef struct {
  const int *points, *rows;
  int m, f, n_rows;   /* points, points with friction, joint rows */
  int n;              /* unknowns of the LCP: m + 3 f             */
  int n_coordinates;  /* 3 bodies; 0 without joint rows           */
  int *bodies;        /* of the group, n_coordinates / 3          */
  double *W, *factor; /* n_rows x n_rows                          */
  double *work;       /* 2 n_rows                                 */
  double *L;          /* n_coordinates x (m + f): M^-1 row' with the joints' answer, per normal, then tangent */
  double *vf;         /* n_coordinates: free motion with joints   */
} Group;

static SsStatus
reserve_lcp (SsContactProblem *problem, int n, SsError *err)
{
  if (n <= problem->lcp_capacity)
    return SS_OK;
  size_t c = (size_t)n + (size_t)n / 2;
  ss_free (problem->matrix);
  ss_free (problem->rhs);
  ss_free (problem->z);
  problem->matrix = ss_new_array (double, c *c);
  problem->rhs = ss_new_array (double, c);
  problem->z = ss_new_array (double, c);
  problem->lcp_capacity = (int)c;
  if (problem->matrix == NULL || problem->rhs == NULL || problem->z == NULL) {
    problem->lcp_capacity = 0;
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a contact problem of %d unknowns", n);
  }
  return SS_OK;
}

static SsStatus
reserve_dense (SsContactProblem *problem, size_t n, SsError *err)
{
  if (n <= problem->dense_capacity)
    return SS_OK;
  ss_free (problem->dense);
  problem->dense_capacity = n + n / 2;
  problem->dense = ss_new_array (double, problem->dense_capacity);
  if (problem->dense != NULL)
    return SS_OK;
  problem->dense_capacity = 0;
  return ss_error_set (err, SS_ERR_MEMORY, "no memory for the joints of a group");
}

/* Numbers the bodies of the group's rows and points, with those that move steadily; problem->parent is scratch for the
 * list of bodies. */
static void
number_bodies (SsContactProblem *problem, Group *g)
{
  int n = 0;
  for (int i = 0; i < problem->scene->n_bodies; i++)
    problem->local[i] = -1;
  for (int i = 0; i < g->n_rows + g->m; i++) {
    const int *body =
        i < g->n_rows ? problem->rows[g->rows[i]].row.body : problem->points[g->points[i - g->n_rows]].body;
    for (int side = 0; side < 2; side++)
      if (body[side] >= 0 && problem->local[body[side]] < 0) {
        g->bodies[n] = body[side];
        problem->local[body[side]] = n++;
      }
  }
  g->n_coordinates = 3 * n;
}

/* row . v for a vector over the group's coordinates. */
static double
local_product (const SsContactProblem *problem, const int body[2], const double *row, const double *v)
{
  double sum = 0;
  for (int side = 0; side < 2; side++)
    if (body[side] >= 0)
      for (int k = 0; k < 3; k++)
        sum += row[3 * side + k] * v[3 * problem->local[body[side]] + k];
  return sum;
}

/* v += M^-1 row' p. */
static void
local_push (const SsContactProblem *problem, const int body[2], const double *row, double p, double *v)
{
  for (int side = 0; side < 2; side++)
    if (body[side] >= 0)
      for (int k = 0; k < 3; k++)
        v[3 * problem->local[body[side]] + k] += problem->inverse_mass[3 * body[side] + k] * row[3 * side + k] * p;
}

double
ss_contact_coupling (const SsContactProblem *problem, const int body_p[2], const double *row_p, const int body_s[2],
                     const double *row_s)
{
  double sum = 0;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      if (body_p[i] != body_s[j] || body_p[i] < 0)
        continue;
      const double *inverse_mass = problem->inverse_mass + 3 * body_p[i];
      for (int k = 0; k < 3; k++)
        sum += row_p[3 * i + k] * inverse_mass[k] * row_s[3 * j + k];
    }
  return sum;
}

/* W [003 (191)-(192)] and the Cholesky factor of W + shift. False if it is not finite. */
static bool
factor_joints (const SsContactProblem *problem, Group *g)
{
  int n = g->n_rows;
  double largest = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      const SsJointConstraint *a = &problem->rows[g->rows[i]], *b = &problem->rows[g->rows[j]];
      double w = ss_contact_coupling (problem, a->row.body, a->row.j, b->row.body, b->row.j);
      g->W[(size_t)j * (size_t)n + (size_t)i] = i == j ? w + a->compliance : w;
      if (i == j)
        largest = fmax (largest, w + a->compliance);
    }
  memcpy (g->factor, g->W, (size_t)n * (size_t)n * sizeof *g->W);
  for (int i = 0; i < n; i++)
    g->factor[(size_t)i * (size_t)n + (size_t)i] += largest > 0 ? joint_shift * largest : 1;
  return ss_dense_cholesky (n, g->factor, n) == SS_OK;
}

/* x = W^+ y; y is overwritten by the last residual. x and y do not overlap. */
static void
solve_joints (const Group *g, double *y, double *x)
{
  int n = g->n_rows;
  double *correction = g->work;
  memset (x, 0, (size_t)n * sizeof *x);
  for (int k = 0; k <= JOINT_REFINEMENTS; k++) {
    memcpy (correction, y, (size_t)n * sizeof *y);
    ss_dense_cholesky_solve (n, g->factor, n, correction);
    for (int j = 0; j < n; j++) {
      x[j] += correction[j];
      ss_axpy (n, -correction[j], g->W + (size_t)j * (size_t)n, y);
    }
  }
}

/* v += the joints' answer to the motion v: v - M^-1 Gb' W^-1 (Gb v + bias). Impulses are added to the rows' p if
 * asked. */
static void
answer_of_joints (SsContactProblem *problem, const Group *g, bool with_bias, bool add_impulses, double *v)
{
  double *y = g->work + g->n_rows, *x = g->work + 2 * g->n_rows;
  for (int i = 0; i < g->n_rows; i++) {
    const SsJointConstraint *c = &problem->rows[g->rows[i]];
    y[i] = local_product (problem, c->row.body, c->row.j, v) + (with_bias ? c->bias + c->row.rate_t : 0);
  }
  solve_joints (g, y, x);
  for (int i = 0; i < g->n_rows; i++) {
    SsJointConstraint *c = &problem->rows[g->rows[i]];
    local_push (problem, c->row.body, c->row.j, -x[i], v);
    if (add_impulses)
      c->p -= x[i];
  }
}

/* Everything that the LCP needs of the joints: L [003 (189)], and vf, with their answer to the free motion
 * [003 (190)]. */
static SsStatus
prepare_joints (SsContactProblem *problem, Group *g, const double *v_free, double t, SsError *err)
{
  size_t n = (size_t)g->n_rows, nc = (size_t)g->n_coordinates;
  SsStatus status = reserve_dense (problem, 2 * n * n + 3 * n + nc * (size_t)(g->m + g->f + 1), err);
  if (status != SS_OK)
    return status;
  g->W = problem->dense;
  g->factor = g->W + n * n;
  g->work = g->factor + n * n;
  g->vf = g->work + 3 * n;
  g->L = g->vf + nc;
  if (!factor_joints (problem, g))
    return ss_error_set (err, SS_ERR_SINGULAR, "joint %s at t = %.9g s: the rows of its group are not finite",
                         problem->rows[g->rows[0]].row.kind == SS_ROW_SPRING
                             ? problem->scene->springs[problem->rows[g->rows[0]].row.source].name
                             : problem->scene->joints[problem->rows[g->rows[0]].row.source].name,
                         t);
  for (size_t i = 0; i < nc; i++)
    g->vf[i] = v_free[3 * g->bodies[i / 3] + (int)(i % 3)];
  for (int i = 0; i < g->n_rows; i++)
    problem->rows[g->rows[i]].p = 0;
  answer_of_joints (problem, g, true, true, g->vf);
  memset (g->L, 0, nc * (size_t)(g->m + g->f) * sizeof *g->L);
  for (int i = 0; i < g->m; i++) {
    const SsContactPoint *p = &problem->points[g->points[i]];
    double *normal = g->L + (size_t)i * nc;
    local_push (problem, p->body, p->jn, 1, normal);
    answer_of_joints (problem, g, false, false, normal);
    if (problem->slot[i] >= 0) {
      double *tangent = g->L + (size_t)(g->m + problem->slot[i]) * nc;
      local_push (problem, p->body, p->jt, 1, tangent);
      answer_of_joints (problem, g, false, false, tangent);
    }
  }
  return SS_OK;
}

/* ---- the LCP ----------------------------------------------------------------------------------------------------- */

static bool
share_a_body (const SsContactPoint *p, const SsContactPoint *s)
{
  return p->body[0] == s->body[0] || p->body[0] == s->body[1] || p->body[1] == s->body[0] || p->body[1] == s->body[1];
}

/* row_p L row_s' of the group's points i, j; the column of j is its normal or tangent. */
static double
reduced_coupling (const SsContactProblem *problem, const Group *g, const SsContactPoint *p, const double *row,
                  int column, const SsContactPoint *s, const double *row_s)
{
  if (g->n_rows == 0)
    return ss_contact_coupling (problem, p->body, row, s->body, row_s);
  return local_product (problem, p->body, row, g->L + (size_t)column * (size_t)g->n_coordinates);
}

static double
free_velocity (const SsContactProblem *problem, const Group *g, const SsContactPoint *p, bool is_normal,
               const double *v_free)
{
  if (g->n_rows > 0)
    return local_product (problem, p->body, is_normal ? p->jn : p->jt, g->vf) + (is_normal ? p->rate_t : 0);
  return is_normal ? ss_contact_point_normal_velocity (p, v_free) : ss_contact_point_slip (p, v_free);
}

/* Whether joints hold the point along its normal. */
static bool
is_held (const SsContactProblem *problem, const Group *g, const SsContactPoint *p, double mobility)
{
  return g->n_rows > 0 && mobility < held_mobility * ss_contact_coupling (problem, p->body, p->jn, p->body, p->jn);
}

/* Of the larger body that moves [m]. */
static double
radius_of (const SsContactProblem *problem, const SsContactPoint *p)
{
  double radius = 0;
  for (int side = 0; side < 2; side++)
    if (p->body[side] >= 0 && problem->moves[p->body[side]])
      radius = fmax (radius, problem->radius[p->body[side]]);
  return radius;
}

/* Index in the group of a point of the problem that it has. */
static int
place_of (const Group *g, int point)
{
  int i = 0;
  while (g->points[i] != point)
    i++;
  return i;
}

static bool
has_rolling (const SsContactProblem *problem, const Group *g)
{
  for (int i = 0; i < g->m && problem->has_rolling; i++)
    if (problem->points[g->points[i]].drive == SS_DRIVE_ROLLING)
      return true;
  return false;
}

/* Unknowns: pn - pn_least of the m points, then p+, p-, s of the f points with friction. */
static void
fill_lcp (SsContactProblem *problem, const Group *g, const double *v_free)
{
  int n = g->n, m = g->m, f = g->f;
  double *M = problem->matrix, *rhs = problem->rhs;
  memset (M, 0, (size_t)n * (size_t)n * sizeof *M);
#define ENTRY(row, col) M[(size_t)(col) * (size_t)n + (size_t)(row)]
  for (int i = 0; i < m; i++) {
    const SsContactPoint *p = &problem->points[g->points[i]];
    int k = problem->slot[i], plus = m + k, minus = m + f + k, slip = m + 2 * f + k;
    double normal = free_velocity (problem, g, p, true, v_free) + p->bias;
    double tangential = free_velocity (problem, g, p, false, v_free) + p->bias_t;
    for (int j = 0; j < m; j++) {
      const SsContactPoint *s = &problem->points[g->points[j]];
      int l = problem->slot[j];
      if (g->n_rows == 0 && !share_a_body (p, s))
        continue;
      double nn = reduced_coupling (problem, g, p, p->jn, j, s, s->jn) + (i == j ? p->compliance : 0);
      ENTRY (i, j) = nn;
      normal += nn * s->pn_least;
      if (k >= 0) {
        double tn = reduced_coupling (problem, g, p, p->jt, j, s, s->jn);
        ENTRY (plus, j) = tn;
        ENTRY (minus, j) = -tn;
        tangential += tn * s->pn_least;
      }
      if (l >= 0) {
        double nt = reduced_coupling (problem, g, p, p->jn, m + l, s, s->jt);
        ENTRY (i, m + l) = nt;
        ENTRY (i, m + f + l) = -nt;
      }
      if (k >= 0 && l >= 0) {
        double tt = reduced_coupling (problem, g, p, p->jt, m + l, s, s->jt) + (i == j ? p->compliance_t : 0);
        ENTRY (plus, m + l) = ENTRY (minus, m + f + l) = tt;
        ENTRY (plus, m + f + l) = ENTRY (minus, m + l) = -tt;
      }
    }
    rhs[i] = normal;
    if (is_held (problem, g, p, ENTRY (i, i))) {
      const bool is_touching = p->phi > -held_depth * radius_of (problem, p);
      for (int j = 0; j < n; j++)
        ENTRY (i, j) = i == j && is_touching;
      rhs[i] = is_touching ? 0 : -fabs (normal);
    }
    if (k < 0)
      continue;
    const int bounding = p->drive == SS_DRIVE_ROLLING ? place_of (g, p->owner) : i;
    ENTRY (plus, slip) = ENTRY (minus, slip) = 1;
    ENTRY (slip, bounding) = p->mu;
    ENTRY (slip, plus) = ENTRY (slip, minus) = -1;
    rhs[plus] = tangential;
    rhs[minus] = -tangential;
    rhs[slip] = p->mu * problem->points[g->points[bounding]].pn_least;
  }
#undef ENTRY
}

/* The point whose row is violated most, for the message. */
static const SsContactPoint *
worst_point (const SsContactProblem *problem, const Group *g)
{
  int worst = g->points[0];
  double lowest = INFINITY;
  for (int i = 0; i < g->m; i++) {
    double w = problem->rhs[i];
    for (int j = 0; j < g->n; j++)
      w += problem->matrix[(size_t)j * (size_t)g->n + (size_t)i] * problem->z[j];
    if (w < lowest) {
      lowest = w;
      worst = g->points[i];
    }
  }
  return &problem->points[worst];
}

static SsStatus
no_solution (const SsContactProblem *problem, const SsContactPoint *point, int m, const char *why, double violation,
             double t, SsError *err)
{
  char what[200];
  ss_contact_point_describe (problem, point, what, sizeof what);
  return ss_error_set (
      err, SS_ERR_SINGULAR,
      "%s at t = %.9g s: the step's complementarity problem of %d points was not solved (%s, violation "
      "%.3g)",
      what, t, m, why, violation);
}

/* The group's velocities from its impulses. */
static void
push_group (const SsContactProblem *problem, const Group *g, double *v)
{
  for (int i = 0; i < g->m; i++)
    ss_contact_problem_push (problem, &problem->points[g->points[i]], v);
  for (int i = 0; i < g->n_rows; i++)
    ss_contact_problem_push_row (problem, &problem->rows[g->rows[i]].row, problem->rows[g->rows[i]].p, v);
}

/* Behind a stiff joint little is left of large velocities: what G v + bias + C p misses by rounding is corrected, so
 * that small velocities are right to their own size. */
static void
refine_joints (SsContactProblem *problem, const Group *g, double *v)
{
  double *y = g->work + g->n_rows, *x = g->work + 2 * g->n_rows;
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < g->n_rows; i++) {
      const SsJointConstraint *c = &problem->rows[g->rows[i]];
      y[i] = ss_row_velocity (&c->row, v) + c->bias + c->compliance * c->p;
    }
    solve_joints (g, y, x);
    for (int i = 0; i < g->n_rows; i++) {
      SsJointConstraint *c = &problem->rows[g->rows[i]];
      ss_contact_problem_push_row (problem, &c->row, -x[i], v);
      c->p -= x[i];
    }
  }
}

/* Lemke on one group; impulses go to points and rows, velocities to v. */
static SsStatus
solve_dense (SsContactProblem *problem, Group *g, const double *v_free, double t, double *v, SsStepInfo *info,
             SsError *err)
{
  SsStatus status = SS_OK;
  g->f = 0;
  for (int i = 0; i < g->m; i++)
    problem->slot[i] = problem->points[g->points[i]].mu > 0 ? g->f++ : -1;
  g->n = g->m + 3 * g->f;
  g->bodies = problem->parent; /* groups have been found: free to use */
  if (g->n_rows > 0) {
    number_bodies (problem, g);
    status = prepare_joints (problem, g, v_free, t, err);
    if (status != SS_OK)
      return status;
  }
  if (g->m == 0) {
    push_group (problem, g, v);
    refine_joints (problem, g, v);
    return SS_OK;
  }
  status = reserve_lcp (problem, g->n, err);
  if (status != SS_OK)
    return status;
  fill_lcp (problem, g, v_free);

  SsLcpResult result;
  status = ss_lemke_solve (problem->lemke, g->n, problem->matrix, g->n, problem->rhs,
                           PIVOTS_PER_UNKNOWN * g->n + PIVOTS_AT_LEAST, problem->z, &result, err);
  if (status == SS_ERR_ARG) /* a number overflowed: say where we are */
    return no_solution (problem, &problem->points[g->points[0]], g->m, "its numbers are not finite", NAN, t, err);
  if (status != SS_OK)
    return status;
  double accepted = accepted_fraction * ss_norm_inf (g->n, problem->rhs);
  if (result.outcome != SS_OUTCOME_SOLVED && !(result.residual <= accepted))
    return no_solution (problem, worst_point (problem, g), g->m,
                        result.outcome == SS_OUTCOME_INFEASIBLE ? "secondary ray" : ss_outcome_name (result.outcome),
                        result.residual, t, err);
  info->pivots += result.pivots;
  info->residual = fmax (info->residual, result.residual);
  for (int i = 0; i < g->m; i++) {
    SsContactPoint *p = &problem->points[g->points[i]];
    int k = problem->slot[i];
    p->pn = problem->z[i] + p->pn_least;
    p->pt = k >= 0 ? problem->z[g->m + k] - problem->z[g->m + g->f + k] : 0;
  }
  if (g->n_rows > 0) { /* the joints' answer to the contacts */
    double *u = g->vf;
    memset (u, 0, (size_t)g->n_coordinates * sizeof *u);
    for (int i = 0; i < g->m; i++) {
      const SsContactPoint *p = &problem->points[g->points[i]];
      local_push (problem, p->body, p->jn, p->pn, u);
      local_push (problem, p->body, p->jt, p->pt, u);
    }
    answer_of_joints (problem, g, false, true, u);
  }
  push_group (problem, g, v);
  if (g->n_rows > 0)
    refine_joints (problem, g, v);
  return SS_OK;
}

/* ---- all groups -------------------------------------------------------------------------------------------------- */

static SsStatus
reserve_order (SsContactProblem *problem, SsError *err)
{
  if (problem->n_points <= problem->order_capacity && problem->order != NULL)
    return SS_OK;
  size_t c = (size_t)problem->n_points + (size_t)problem->n_points / 2 + 8;
  ss_free (problem->order);
  ss_free (problem->slot);
  problem->order = ss_new_array (int, c);
  problem->slot = ss_new_array (int, c);
  problem->order_capacity = (int)c;
  if (problem->order != NULL && problem->slot != NULL)
    return SS_OK;
  problem->order_capacity = 0;
  return ss_error_set (err, SS_ERR_MEMORY, "no memory for %d contact points", problem->n_points);
}

static int
unknowns_of (const SsContactProblem *problem, const Group *g)
{
  int n = g->m;
  for (int i = 0; i < g->m; i++)
    n += problem->points[g->points[i]].mu > 0 ? 3 : 0;
  return n;
}

/* Small groups by Lemke's method first, large ones by the sparse method; each by the other one where the first finds no
 * solution: rounding leads Lemke's path into rays that the proximal terms of the other one do not have. */
static SsStatus
solve_group (SsContactProblem *problem, Group *g, const double *v_free, double t, double *v, SsStepInfo *info,
             SsError *err)
{
  int n = unknowns_of (problem, g), iterations = 0, worst = -1;
  double residual = 0;
  bool is_solved = false, is_small = g->m == 0 ? g->n_rows <= SMALL_ROWS_ALONE
                                               : n <= SMALL_UNKNOWNS && g->n_rows <= SMALL_ROWS && !problem->is_convex;
  if (has_rolling (problem, g) && !problem->is_convex) /* the sparse method has one tangent a normal */
    return n <= LEMKE_UNKNOWNS
               ? solve_dense (problem, g, v_free, t, v, info, err)
               : no_solution (problem, &problem->points[g->points[0]], g->m,
                              "rolling resistance is solved in groups of fewer points that touch each other", NAN, t,
                              err);
  SsStatus status = is_small ? solve_dense (problem, g, v_free, t, v, info, err) : SS_ERR_SINGULAR;
  if (status != SS_ERR_SINGULAR || (is_small && g->m == 0))
    return status;
  status = ss_contact_newton_solve (problem->newton, problem, g->points, g->m, g->rows, g->n_rows, v_free, &residual,
                                    &iterations, &is_solved, &worst, err);
  if (status != SS_OK)
    return status;
  info->pivots += iterations;
  if (is_solved) {
    info->residual = fmax (info->residual, residual);
    push_group (problem, g, v);
    return SS_OK;
  }
  if (n <= LEMKE_UNKNOWNS && g->m > 0 && !problem->is_convex && !is_small)
    return solve_dense (problem, g, v_free, t, v, info, err);
  if (g->m == 0 || worst < 0)
    return ss_error_set (err, SS_ERR_SINGULAR,
                         "joint %s at t = %.9g s: the step's problem of %d joint rows and %d points was not solved "
                         "(residual %.3g m/s)",
                         g->n_rows > 0 && problem->rows[g->rows[0]].row.kind == SS_ROW_JOINT
                             ? problem->scene->joints[problem->rows[g->rows[0]].row.source].name
                             : "?",
                         t, g->n_rows, g->m, residual);
  return no_solution (problem, &problem->points[worst], g->m, "no convergence", residual, t, err);
}

static int
group_of_item (const SsContactProblem *problem, bool is_point, int i)
{
  return is_point ? problem->points[i].group : problem->rows[i].group;
}

/* Points or rows by group (counting sort, stable); those without a group are left out. */
static void
sort_by_group (SsContactProblem *problem, bool is_point, int n_groups, int *order)
{
  int n = is_point ? problem->n_points : problem->n_rows;
  int *start = problem->parent; /* groups have been found: free to use */
  memset (start, 0, ((size_t)n_groups + 1) * sizeof *start);
  for (int i = 0; i < n; i++)
    if (group_of_item (problem, is_point, i) >= 0)
      start[group_of_item (problem, is_point, i) + 1]++;
  for (int k = 0; k < n_groups; k++)
    start[k + 1] += start[k];
  for (int i = 0; i < n; i++)
    if (group_of_item (problem, is_point, i) >= 0)
      order[start[group_of_item (problem, is_point, i)]++] = i;
}

SsStatus
ss_contact_problem_solve_included (SsContactProblem *problem, const double *v_free, double t, double *v,
                                   SsStepInfo *info, SsError *err)
{
  SS_ASSERT (problem != NULL && info != NULL);

  SsStatus status = reserve_order (problem, err);
  if (status != SS_OK)
    return status;
  int n_groups = find_groups (problem), first_point = 0, first_row = 0;
  info->residual = 0;
  sort_by_group (problem, true, n_groups, problem->order);
  sort_by_group (problem, false, n_groups, problem->row_order);
  memcpy (v, v_free, 3 * (size_t)problem->scene->n_bodies * sizeof *v);
  int n_ordered = 0, n_rows_ordered = 0;
  for (int i = 0; i < problem->n_points; i++)
    n_ordered += problem->points[i].group >= 0;
  for (int i = 0; i < problem->n_rows; i++)
    n_rows_ordered += problem->rows[i].group >= 0;
  for (int i = 0; i < n_groups; i++) {
    Group g = {.points = problem->order + first_point, .rows = problem->row_order + first_row};
    while (first_point + g.m < n_ordered && problem->points[g.points[g.m]].group == i)
      g.m++;
    while (first_row + g.n_rows < n_rows_ordered && problem->rows[g.rows[g.n_rows]].group == i)
      g.n_rows++;
    status = solve_group (problem, &g, v_free, t, v, info, err);
    if (status != SS_OK)
      return status;
    first_point += g.m;
    first_row += g.n_rows;
  }
  return SS_OK;
}
