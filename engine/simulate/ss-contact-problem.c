/* engine/simulate/ss-contact-problem.c: candidates, Jacobians, one LCP per group of touching bodies. */
#include "simulate/ss-contact-problem.h"

#include <math.h>
#include <string.h>

/* Pivots allowed per unknown, over the four attempts of ss_lemke_solve; piles of boxes were seen to need 0.3 to 2 in the first. */
enum { PIVOTS_PER_UNKNOWN = 16, PIVOTS_AT_LEAST = 400 };
/* Groups with fewer unknowns are always solved from scratch: it costs microseconds. */
enum { WARM_START_UNKNOWNS = 48 };
/* Bits of `active`. */
enum { ACTIVE_NORMAL = 1, ACTIVE_PLUS = 2, ACTIVE_MINUS = 4, ACTIVE_SLIP = 8 };
/* An LCP that Lemke calls stalled is still accepted when its unscaled violation is below this fraction of the right-hand side. */
static const double accepted_fraction = 1e-7;

SsStatus
ss_contact_problem_new (const SsScene *scene, SsContactProblem **out, SsError *err)
{
  SsContactProblem *problem = ss_new (SsContactProblem);
  if (problem == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a scene of %d bodies", scene->n_bodies);
  size_t n = (size_t)scene->n_bodies, m = SS_MANIFOLD_MAX * (size_t)scene->n_contacts;
  problem->scene = scene;
  problem->inverse_mass = ss_new_array (double, 3 * n + 1);
  problem->radius = ss_new_array (double, n + 1);
  problem->parent = ss_new_array (int, n + 1);
  problem->points = ss_new_array (SsContactPoint, m + 1);
  problem->order = ss_new_array (int, m + 1);
  problem->slot = ss_new_array (int, m + 1);
  problem->seen = ss_new_array (int, m + 1);
  problem->active = ss_new_array (unsigned char, m + 1);
  if (problem->inverse_mass == NULL || problem->radius == NULL || problem->parent == NULL || problem->points == NULL ||
      problem->order == NULL || problem->slot == NULL || problem->seen == NULL || problem->active == NULL) {
    ss_contact_problem_free (problem);
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a scene of %d bodies and %d contacts", scene->n_bodies,
                         scene->n_contacts);
  }
  SsStatus status = ss_lemke_new (16, &problem->lemke, err);
  if (status != SS_OK) {
    ss_contact_problem_free (problem);
    return status;
  }
  for (int i = 0; i < scene->n_bodies; i++) {
    const SsBody *body = &scene->bodies[i];
    problem->radius[i] = ss_shape_radius (&body->shape);
    if (body->is_fixed)
      continue;
    problem->inverse_mass[3 * i] = problem->inverse_mass[3 * i + 1] = 1 / body->mass;
    problem->inverse_mass[3 * i + 2] = 1 / body->inertia;
  }
  *out = problem;
  return SS_OK;
}

void
ss_contact_problem_free (SsContactProblem *problem)
{
  if (problem == NULL)
    return;
  ss_lemke_free (problem->lemke);
  ss_free (problem->inverse_mass);
  ss_free (problem->radius);
  ss_free (problem->parent);
  ss_free (problem->points);
  ss_free (problem->order);
  ss_free (problem->slot);
  ss_free (problem->seen);
  ss_free (problem->active);
  ss_free (problem->support);
  ss_free (problem->matrix);
  ss_free (problem->rhs);
  ss_free (problem->z);
  ss_free (problem);
}

/* ---- candidates -------------------------------------------------------------------------------------------------- */

/* A lower bound of the gap from bounding circles. */
static double
gap_bound (const SsContactProblem *problem, const SsContact *contact, const double *q)
{
  const SsBody *bodies = problem->scene->bodies;
  int a = contact->body_a, b = contact->body_b;
  bool is_plane = bodies[a].shape.kind == SS_SHAPE_HALF_PLANE;
  if (!is_plane && bodies[b].shape.kind != SS_SHAPE_HALF_PLANE)
    return hypot (q[3 * b] - q[3 * a], q[3 * b + 1] - q[3 * a + 1]) - problem->radius[a] - problem->radius[b];
  int plane = is_plane ? a : b, other = is_plane ? b : a;
  SsVec2 n = bodies[plane].shape.normal;
  double c = cos (q[3 * plane + 2]), s = sin (q[3 * plane + 2]);
  return (c * n.x - s * n.y) * (q[3 * other] - q[3 * plane]) +
         (s * n.x + c * n.y) * (q[3 * other + 1] - q[3 * plane + 1]) - problem->radius[other];
}

static void
add_point (SsContactProblem *problem, int contact, int index, const SsGap *gap, const double *q)
{
  const SsContact *c = &problem->scene->contacts[contact];
  SsContactPoint *point = &problem->points[problem->n_points++];
  *point = (SsContactPoint){
      .contact = contact, .body = {c->body_a, c->body_b}, .phi = gap->phi, .mu = c->mu, .index = index};
  /* both bodies feel the impulse at one place, so that angular momentum is kept */
  SsVec2 p = {0.5 * (gap->point_a.x + gap->point_b.x), 0.5 * (gap->point_a.y + gap->point_b.y)};
  SsVec2 n = gap->normal, t = {n.y, -n.x};
  for (int side = 0; side < 2; side++) {
    double sign = side == 0 ? -1 : 1;
    double rx = p.x - q[3 * point->body[side]], ry = p.y - q[3 * point->body[side] + 1];
    double *jn = point->jn + 3 * side, *jt = point->jt + 3 * side;
    jn[0] = sign * n.x;
    jn[1] = sign * n.y;
    jn[2] = sign * (rx * n.y - ry * n.x);
    jt[0] = sign * t.x;
    jt[1] = sign * t.y;
    jt[2] = sign * (rx * t.y - ry * t.x);
  }
}

/* Coordinate of a manifold point along its contact's tangent. */
static double
along_tangent (const SsGap *gap)
{
  return gap->normal.y * gap->point_b.x - gap->normal.x * gap->point_b.y;
}

void
ss_contact_problem_collect (SsContactProblem *problem, const double *q, double band)
{
  const SsScene *scene = problem->scene;
  problem->n_points = 0;
  for (int i = 0; i < scene->n_contacts; i++) {
    const SsContact *c = &scene->contacts[i];
    if (gap_bound (problem, c, q) > band)
      continue;
    SsGap gaps[SS_MANIFOLD_MAX];
    int n = ss_geometry_manifold (&scene->bodies[c->body_a].shape, q + 3 * c->body_a, &scene->bodies[c->body_b].shape,
                                  q + 3 * c->body_b, gaps);
    /* numbered from left to right, not by depth: two equally deep points keep their numbers from step to step */
    bool is_swapped = n == 2 && along_tangent (&gaps[1]) < along_tangent (&gaps[0]);
    for (int k = 0; k < n; k++)
      if (gaps[k].phi <= band)
        add_point (problem, i, is_swapped ? 1 - k : k, &gaps[k], q);
  }
}

double
ss_scene_contact_gap (const SsScene *scene, int contact, const double *q)
{
  const SsContact *c = &scene->contacts[contact];
  SsGap gaps[SS_MANIFOLD_MAX];
  int n = ss_geometry_manifold (&scene->bodies[c->body_a].shape, q + 3 * c->body_a, &scene->bodies[c->body_b].shape,
                                q + 3 * c->body_b, gaps);
  return n > 0 ? gaps[0].phi : INFINITY;
}

static double
row_velocity (const SsContactPoint *point, const double *row, const double *v)
{
  const double *a = v + 3 * point->body[0], *b = v + 3 * point->body[1];
  return row[0] * a[0] + row[1] * a[1] + row[2] * a[2] + row[3] * b[0] + row[4] * b[1] + row[5] * b[2];
}

double
ss_contact_point_normal_velocity (const SsContactPoint *point, const double *v)
{
  return row_velocity (point, point->jn, v);
}

double
ss_contact_point_slip (const SsContactPoint *point, const double *v)
{
  return row_velocity (point, point->jt, v);
}

void
ss_contact_problem_push (const SsContactProblem *problem, const SsContactPoint *point, double *v)
{
  for (int k = 0; k < 6; k++) {
    int coordinate = 3 * point->body[k / 3] + k % 3;
    v[coordinate] += problem->inverse_mass[coordinate] * (point->jn[k] * point->pn + point->jt[k] * point->pt);
  }
}

double
ss_contact_problem_top_speed (const SsContactProblem *problem, const double *v)
{
  double top = 0;
  for (int i = 0; i < problem->scene->n_bodies; i++)
    if (!problem->scene->bodies[i].is_fixed)
      top = fmax (top, hypot (v[3 * i], v[3 * i + 1]) + fabs (v[3 * i + 2]) * problem->radius[i]);
  return top;
}

/* ---- groups ------------------------------------------------------------------------------------------------------ */

static int
root_of (int *parent, int i)
{
  while (parent[i] != i) {
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}

/* Numbers the groups of free bodies joined by points; points get their group, `order` sorts them by it (stable). Returns the number of groups. */
static int
find_groups (SsContactProblem *problem)
{
  const SsBody *bodies = problem->scene->bodies;
  int *parent = problem->parent, n_groups = 0, n_ordered = 0;
  for (int i = 0; i < problem->scene->n_bodies; i++)
    parent[i] = i;
  for (int k = 0; k < problem->n_points; k++) {
    const int *body = problem->points[k].body;
    if (problem->points[k].is_included && !bodies[body[0]].is_fixed && !bodies[body[1]].is_fixed)
      parent[root_of (parent, body[1])] = root_of (parent, body[0]);
  }
  for (int k = 0; k < problem->n_points; k++)
    problem->points[k].group = -1;
  for (int k = 0; k < problem->n_points; k++) {
    if (problem->points[k].group >= 0 || !problem->points[k].is_included)
      continue;
    int free_body = bodies[problem->points[k].body[0]].is_fixed ? 1 : 0;
    int root = root_of (parent, problem->points[k].body[free_body]);
    for (int l = k; l < problem->n_points; l++) {
      int other = bodies[problem->points[l].body[0]].is_fixed ? 1 : 0;
      if (problem->points[l].is_included && problem->points[l].group < 0 &&
          root_of (parent, problem->points[l].body[other]) == root) {
        problem->points[l].group = n_groups;
        problem->order[n_ordered++] = l;
      }
    }
    n_groups++;
  }
  return n_groups;
}

/* ---- one group's LCP --------------------------------------------------------------------------------------------- */

static SsStatus
reserve_lcp (SsContactProblem *problem, int n, SsError *err)
{
  if (n <= problem->lcp_capacity)
    return SS_OK;
  size_t c = (size_t)n + (size_t)n / 2;
  ss_free (problem->support);
  problem->support = ss_new_array (bool, c);
  ss_free (problem->matrix);
  ss_free (problem->rhs);
  ss_free (problem->z);
  problem->matrix = ss_new_array (double, c *c);
  problem->rhs = ss_new_array (double, c);
  problem->z = ss_new_array (double, c);
  problem->lcp_capacity = (int)c;
  if (problem->matrix == NULL || problem->rhs == NULL || problem->z == NULL || problem->support == NULL) {
    problem->lcp_capacity = 0;
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a contact problem of %d unknowns", n);
  }
  return SS_OK;
}

/* row_i M^-1 row_j' over the bodies they share. */
static double
coupling (const SsContactProblem *problem, const SsContactPoint *p, const double *row_p, const SsContactPoint *s,
          const double *row_s)
{
  double sum = 0;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      if (p->body[i] != s->body[j])
        continue;
      const double *inverse_mass = problem->inverse_mass + 3 * p->body[i];
      for (int k = 0; k < 3; k++)
        sum += row_p[3 * i + k] * inverse_mass[k] * row_s[3 * j + k];
    }
  return sum;
}

static bool
share_a_body (const SsContactPoint *p, const SsContactPoint *s)
{
  return p->body[0] == s->body[0] || p->body[0] == s->body[1] || p->body[1] == s->body[0] || p->body[1] == s->body[1];
}

/* Unknowns: pn - pn_least of the m points, then p+, p-, s of the f points with friction. */
static void
fill_lcp (SsContactProblem *problem, const int *order, int m, int f, const double *v_free)
{
  int n = m + 3 * f;
  double *M = problem->matrix, *rhs = problem->rhs;
  memset (M, 0, (size_t)n * (size_t)n * sizeof *M);
#define ENTRY(row, col) M[(size_t)(col) * (size_t)n + (size_t)(row)]
  for (int i = 0; i < m; i++) {
    const SsContactPoint *p = &problem->points[order[i]];
    int k = problem->slot[i], plus = m + k, minus = m + f + k, slip = m + 2 * f + k;
    double normal = row_velocity (p, p->jn, v_free) + p->bias, tangential = row_velocity (p, p->jt, v_free);
    for (int j = 0; j < m; j++) {
      const SsContactPoint *s = &problem->points[order[j]];
      int l = problem->slot[j];
      if (!share_a_body (p, s))
        continue;
      double nn = coupling (problem, p, p->jn, s, s->jn);
      ENTRY (i, j) = nn;
      normal += nn * s->pn_least;
      if (k >= 0) {
        double tn = coupling (problem, p, p->jt, s, s->jn);
        ENTRY (plus, j) = tn;
        ENTRY (minus, j) = -tn;
        tangential += tn * s->pn_least;
      }
      if (l >= 0) {
        double nt = coupling (problem, p, p->jn, s, s->jt);
        ENTRY (i, m + l) = nt;
        ENTRY (i, m + f + l) = -nt;
      }
      if (k >= 0 && l >= 0) {
        double tt = coupling (problem, p, p->jt, s, s->jt);
        ENTRY (plus, m + l) = ENTRY (minus, m + f + l) = tt;
        ENTRY (plus, m + f + l) = ENTRY (minus, m + l) = -tt;
      }
    }
    rhs[i] = normal;
    if (k < 0)
      continue;
    ENTRY (plus, slip) = ENTRY (minus, slip) = 1;
    ENTRY (slip, i) = p->mu;
    ENTRY (slip, plus) = ENTRY (slip, minus) = -1;
    rhs[plus] = tangential;
    rhs[minus] = -tangential;
    rhs[slip] = p->mu * p->pn_least;
  }
#undef ENTRY
}

/* The contact whose row is violated most, for the message. */
static int
worst_contact (const SsContactProblem *problem, const int *order, int m, int n)
{
  int worst = order[0];
  double lowest = INFINITY;
  for (int i = 0; i < m; i++) {
    double w = problem->rhs[i];
    for (int j = 0; j < n; j++)
      w += problem->matrix[(size_t)j * (size_t)n + (size_t)i] * problem->z[j];
    if (w < lowest) {
      lowest = w;
      worst = order[i];
    }
  }
  return problem->points[worst].contact;
}

static SsStatus
no_solution (const SsContactProblem *problem, const int *order, int m, int n, const SsLcpResult *result, double t,
             SsError *err)
{
  const SsScene *scene = problem->scene;
  const SsContact *contact = &scene->contacts[worst_contact (problem, order, m, n)];
  return ss_error_set (err, SS_ERR_SINGULAR,
                       "contact %s (bodies %s and %s) at t = %.9g s: the step's complementarity problem of %d points "
                       "was not solved (%s, "
                       "violation %.3g)",
                       contact->name, scene->bodies[contact->body_a].name, scene->bodies[contact->body_b].name, t, m,
                       result->outcome == SS_OUTCOME_INFEASIBLE ? "secondary ray" : ss_outcome_name (result->outcome),
                       result->residual);
}

/* The active set of the last solve; points that are new count as inactive. False when the group is small or all new. */
static bool
recall_support (SsContactProblem *problem, const int *order, int m, int f)
{
  bool any = false;
  if (m + 3 * f < WARM_START_UNKNOWNS)
    return false;
  for (int i = 0; i < m; i++) {
    const SsContactPoint *p = &problem->points[order[i]];
    int memory = SS_MANIFOLD_MAX * p->contact + p->index, k = problem->slot[i];
    bool is_known = problem->seen[memory] == problem->n_solves - 1 && problem->n_solves > 1;
    int active = is_known ? problem->active[memory] : 0;
    any = any || is_known;
    problem->support[i] = active & ACTIVE_NORMAL;
    if (k < 0)
      continue;
    problem->support[m + k] = active & ACTIVE_PLUS;
    problem->support[m + f + k] = active & ACTIVE_MINUS;
    problem->support[m + 2 * f + k] = active & ACTIVE_SLIP;
  }
  return any;
}

static SsStatus
solve_group (SsContactProblem *problem, const int *order, int m, const double *v_free, double t, SsStepInfo *info,
             SsError *err)
{
  int f = 0;
  for (int i = 0; i < m; i++)
    problem->slot[i] = problem->points[order[i]].mu > 0 ? f++ : -1;
  int n = m + 3 * f;
  SsStatus status = reserve_lcp (problem, n, err);
  if (status != SS_OK)
    return status;
  fill_lcp (problem, order, m, f, v_free);

  SsLcpResult result = {.outcome = SS_OUTCOME_STALLED};
  if (recall_support (problem, order, m, f))
    status =
        ss_lemke_try (problem->lemke, n, problem->matrix, n, problem->rhs, problem->support, problem->z, &result, err);
  if (status == SS_OK && result.outcome != SS_OUTCOME_SOLVED)
    status = ss_lemke_solve (problem->lemke, n, problem->matrix, n, problem->rhs,
                             PIVOTS_PER_UNKNOWN * n + PIVOTS_AT_LEAST, problem->z, &result, err);
  if (status == SS_ERR_ARG) /* a number overflowed: say where we are */
    return ss_error_set (err, SS_ERR_SINGULAR, "contact %s at t = %.9g s: the step's numbers are not finite",
                         problem->scene->contacts[problem->points[order[0]].contact].name, t);
  if (status != SS_OK)
    return status;
  double accepted = accepted_fraction * ss_norm_inf (n, problem->rhs);
  if (result.outcome != SS_OUTCOME_SOLVED && !(result.residual <= accepted))
    return no_solution (problem, order, m, n, &result, t, err);
  info->pivots += result.pivots;
  info->residual = fmax (info->residual, result.residual);
  for (int i = 0; i < m; i++) {
    SsContactPoint *p = &problem->points[order[i]];
    int k = problem->slot[i];
    int memory = SS_MANIFOLD_MAX * p->contact + p->index;
    problem->seen[memory] = problem->n_solves;
    problem->active[memory] = problem->z[i] > 0 ? ACTIVE_NORMAL : 0;
    if (k >= 0)
      problem->active[memory] |= (problem->z[m + k] > 0 ? ACTIVE_PLUS : 0) |
                                 (problem->z[m + f + k] > 0 ? ACTIVE_MINUS : 0) |
                                 (problem->z[m + 2 * f + k] > 0 ? ACTIVE_SLIP : 0);
    p->pn = problem->z[i] + p->pn_least;
    p->pt = k >= 0 ? problem->z[m + k] - problem->z[m + f + k] : 0;
  }
  return SS_OK;
}

/* The included points' impulses, group by group, and the velocities. Adds to info. */
static SsStatus
solve_included (SsContactProblem *problem, const double *v_free, double t, double *v, SsStepInfo *info, SsError *err)
{
  int n_groups = find_groups (problem), first = 0;
  problem->n_solves++;
  info->residual = 0;
  for (int group = 0; group < n_groups; group++) {
    int m = 0;
    while (first + m < problem->n_included && problem->points[problem->order[first + m]].group == group)
      m++;
    SsStatus status = solve_group (problem, problem->order + first, m, v_free, t, info, err);
    if (status != SS_OK)
      return status;
    first += m;
  }
  memcpy (v, v_free, 3 * (size_t)problem->scene->n_bodies * sizeof *v);
  for (int i = 0; i < problem->n_points; i++)
    if (problem->points[i].is_included)
      ss_contact_problem_push (problem, &problem->points[i], v);
  return SS_OK;
}

/* Includes the points that v violates. Returns how many were new. */
static int
include_violated (SsContactProblem *problem, const double *v)
{
  int n_new = 0;
  for (int i = 0; i < problem->n_points; i++) {
    SsContactPoint *p = &problem->points[i];
    if (p->is_included || !(row_velocity (p, p->jn, v) + p->bias < 0))
      continue;
    p->is_included = true;
    n_new++;
  }
  problem->n_included += n_new;
  return n_new;
}

SsStatus
ss_contact_problem_solve (SsContactProblem *problem, const double *v_free, double t, double *v, SsStepInfo *info,
                          SsError *err)
{
  *info = (SsStepInfo){.n_points = problem->n_points};
  problem->n_included = 0;
  for (int i = 0; i < problem->n_points; i++) {
    SsContactPoint *p = &problem->points[i];
    int memory = SS_MANIFOLD_MAX * p->contact + p->index;
    bool was_active = problem->n_solves > 0 && problem->seen[memory] == problem->n_solves &&
                      (problem->active[memory] & ACTIVE_NORMAL);
    p->pn = p->pt = 0;
    p->is_included = p->pn_least > 0 || was_active;
    problem->n_included += p->is_included;
  }
  include_violated (problem, v_free);
  do { /* ends: the set only grows */
    SsStatus status = solve_included (problem, v_free, t, v, info, err);
    if (status != SS_OK)
      return status;
  } while (include_violated (problem, v) > 0);
  return SS_OK;
}

void
ss_contact_problem_report (const SsContactProblem *problem, double dt, SsSimState *state)
{
  enum { GAP, LAMBDA_N, LAMBDA_T, IMPULSE_N, IMPULSE_T, N_VALUES };
  for (int i = 0; i < problem->scene->n_contacts; i++) {
    double *values = state->contact + N_VALUES * i;
    memset (values, 0, N_VALUES * sizeof *values);
    values[GAP] = ss_scene_contact_gap (problem->scene, i, state->q);
  }
  for (int i = 0; i < problem->n_points; i++) {
    const SsContactPoint *p = &problem->points[i];
    double *values = state->contact + N_VALUES * p->contact;
    values[IMPULSE_N] += p->pn;
    values[IMPULSE_T] += p->pt;
    values[LAMBDA_N] = values[IMPULSE_N] / dt;
    values[LAMBDA_T] = values[IMPULSE_T] / dt;
  }
}
