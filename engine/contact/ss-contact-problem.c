/* engine/contact/ss-contact-problem.c: candidates, their rows, reports; solved in ss-contact-solve.c. */
#include "contact/ss-contact-problem.h"

#include "contact/ss-contact-corner.h"
#include "core/ss-work.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A face counts as normal to a direction when the cosine differs from 1 by less. */
static const double parallel_tolerance = 1e-9;
/* Core points nearer to each other than this give no curvature [m]. */
static const double coincident = 1e-12;
/* Counted work of a problem (core/ss-work.h) from its geometry to its matrices, whoever solves it. */
static const double PROBLEM_UNIT = 2000, BODY_UNIT = 200, NEAR_UNIT = 400, POINT_UNIT = 1500;

/* ---- life cycle -------------------------------------------------------------------------------------------------- */

/* Every pair of shapes of a contact has SS_MANIFOLD_MAX places, every joint two for its limits and two for drives. */
static SsStatus
allocate_memory_of_points (SsContactProblem *problem, SsError *err)
{
  const SsScene *scene = problem->scene;
  problem->memory_start = ss_new_array (int, (size_t)scene->n_contacts + 1);
  if (problem->memory_start == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a scene of %d contacts", scene->n_contacts);
  int n = 0;
  for (int i = 0; i < scene->n_contacts; i++) {
    const SsContact *c = &scene->contacts[i];
    problem->memory_start[i] = n;
    n += SS_MANIFOLD_MAX * ss_body_n_shapes (&scene->bodies[c->body_a]) * ss_body_n_shapes (&scene->bodies[c->body_b]);
  }
  problem->memory_start[scene->n_contacts] = n;
  problem->n_memory = n + (SS_JOINT_LIMITS_MAX + SS_JOINT_DRIVES_MAX) * scene->n_joints;
  problem->seen = ss_new_array (int, (size_t)problem->n_memory + 1);
  problem->memory_pn = ss_new_array (double, (size_t)problem->n_memory + 1);
  problem->memory_pt = ss_new_array (double, (size_t)problem->n_memory + 1);
  if (problem->seen == NULL || problem->memory_pn == NULL || problem->memory_pt == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a scene of %d contacts", scene->n_contacts);
  return SS_OK;
}

int
ss_contact_problem_stiff_rows_max (const SsScene *scene)
{
  return 2 * scene->n_springs + scene->n_actuators + (scene->n_forces > 0 ? 3 * scene->n_bodies : 0);
}

SsStatus
ss_contact_problem_new (const SsScene *scene, SsContactProblem **out, SsError *err)
{
  SS_ASSERT (scene != NULL && out != NULL);

  SsContactProblem *problem = ss_new (SsContactProblem);
  if (problem == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a scene of %d bodies", scene->n_bodies);
  size_t n = (size_t)scene->n_bodies + 1;
  size_t n_rows = SS_JOINT_ROWS_MAX * (size_t)scene->n_joints + (size_t)scene->n_springs +
                  (size_t)ss_contact_problem_stiff_rows_max (scene) + 1;
  problem->scene = scene;
  for (int i = 0; i < scene->n_contacts; i++) {
    problem->has_rolling = problem->has_rolling || scene->contacts[i].rolling > 0;
    problem->has_cohesion = problem->has_cohesion || scene->contacts[i].cohesion > 0;
  }
  problem->radius = ss_new_array (double, n);
  problem->moves = ss_new_array (bool, n);
  problem->boxes = ss_new_array (SsBox, n);
  problem->places = ss_new_array (SsPlace, n);
  problem->parent = ss_new_array (int, n);
  problem->group_of_root = ss_new_array (int, n);
  problem->local = ss_new_array (int, n);
  problem->rows = ss_new_array (SsJointConstraint, n_rows);
  problem->rows_kept = ss_new_array (SsJointConstraint, n_rows);
  problem->row_scratch = ss_new_array (SsRow, n_rows);
  problem->memory_row = ss_new_array (double, n_rows);
  problem->row_order = ss_new_array (int, n_rows);
  problem->last_reported = ss_new_array (int, 2 * (size_t)scene->n_contacts + 1); /* of steps in two parts, twice */
  SsStatus status = ss_error_set (err, SS_ERR_MEMORY, "no memory for a scene of %d bodies and %d contacts",
                                  scene->n_bodies, scene->n_contacts);
  if (problem->radius == NULL || problem->moves == NULL || problem->boxes == NULL || problem->places == NULL ||
      problem->parent == NULL || problem->group_of_root == NULL || problem->local == NULL || problem->rows == NULL ||
      problem->rows_kept == NULL || problem->row_scratch == NULL || problem->memory_row == NULL ||
      problem->row_order == NULL || problem->last_reported == NULL)
    goto fail;
  status = ss_near_contacts_new (scene, &problem->near, err);
  if (status == SS_OK)
    status = allocate_memory_of_points (problem, err);
  if (status != SS_OK)
    goto fail;
  status = ss_dynamics_new (scene, &problem->dynamics, err);
  if (status != SS_OK)
    goto fail;
  problem->inverse_mass = ss_dynamics_inverse_mass (problem->dynamics);
  problem->mass = ss_dynamics_mass (problem->dynamics);
  status = ss_lemke_new (16, &problem->lemke, err);
  if (status != SS_OK)
    goto fail;
  for (int i = 0; i < scene->n_bodies; i++) {
    const double *inverse = problem->inverse_mass + 3 * i;
    problem->radius[i] = ss_body_radius (&scene->bodies[i]);
    problem->moves[i] = inverse[0] > 0 || inverse[1] > 0 || inverse[2] > 0;
  }
  status = ss_contact_newton_new (problem, &problem->newton, err);
  if (status != SS_OK)
    goto fail;
  *out = problem;
  return SS_OK;

fail:
  ss_contact_problem_free (problem);
  return status;
}

void
ss_contact_problem_free (SsContactProblem *problem)
{
  if (problem == NULL)
    return;
  ss_contact_newton_free (problem->newton);
  ss_lemke_free (problem->lemke);
  ss_dynamics_free (problem->dynamics);
  ss_free (problem->radius);
  ss_free (problem->moves);
  ss_free (problem->boxes);
  ss_free (problem->places);
  ss_free (problem->known);
  ss_near_contacts_free (problem->near);
  ss_free (problem->points);
  ss_free (problem->rows);
  ss_free (problem->rows_kept);
  ss_free (problem->row_scratch);
  ss_free (problem->memory_start);
  ss_free (problem->seen);
  ss_free (problem->memory_pn);
  ss_free (problem->memory_pt);
  ss_free (problem->memory_row);
  ss_free (problem->last_reported);
  ss_free (problem->parent);
  ss_free (problem->group_of_root);
  ss_free (problem->order);
  ss_free (problem->row_order);
  ss_free (problem->slot);
  ss_free (problem->local);
  ss_free (problem->matrix);
  ss_free (problem->rhs);
  ss_free (problem->z);
  ss_free (problem->dense);
  ss_free (problem);
}

/* ---- candidates -------------------------------------------------------------------------------------------------- */

static void
find_places (SsContactProblem *problem, const double *q)
{
  for (int i = 0; i < problem->scene->n_bodies; i++)
    problem->places[i] = ss_place (q + 3 * i);
}

static void
find_boxes (SsContactProblem *problem, double margin)
{
  for (int i = 0; i < problem->scene->n_bodies; i++) {
    const SsBody *body = &problem->scene->bodies[i];
    SsBox box = ss_shape_box_placed (ss_body_shape (body, 0), &problem->places[i], margin);
    for (int k = 1; k < ss_body_n_shapes (body); k++) {
      SsBox more = ss_shape_box_placed (ss_body_shape (body, k), &problem->places[i], margin);
      box.lower = (SsVec2){fmin (box.lower.x, more.lower.x), fmin (box.lower.y, more.lower.y)};
      box.upper = (SsVec2){fmax (box.upper.x, more.upper.x), fmax (box.upper.y, more.upper.y)};
    }
    problem->boxes[i] = box;
  }
}

/* A lower bound of the gap between a half-plane and a body about its circle; -INFINITY for other bodies. */
static double
plane_bound (const SsContactProblem *problem, int plane, int other, const double *q)
{
  const SsBody *body = &problem->scene->bodies[plane];
  const SsShape *shape = ss_body_shape (body, 0);
  if (ss_body_n_shapes (body) > 1 || shape->kind != SS_SHAPE_HALF_PLANE)
    return -INFINITY;
  SsVec2 n = shape->normal;
  double c = problem->places[plane].c, s = problem->places[plane].s;
  return (c * n.x - s * n.y) * (q[3 * other] - q[3 * plane]) +
         (s * n.x + c * n.y) * (q[3 * other + 1] - q[3 * plane + 1]) - (n.x * shape->centre.x + n.y * shape->centre.y) -
         problem->radius[other];
}

/* Of bodies whose boxes, grown by half the band each, overlap: those of half-planes are vast. */
static bool
may_touch (const SsContactProblem *problem, int contact, const double *q, double band)
{
  const int body_a = problem->scene->contacts[contact].body_a, body_b = problem->scene->contacts[contact].body_b;
  if (isfinite (problem->radius[body_a]) && isfinite (problem->radius[body_b]))
    return true;
  return plane_bound (problem, body_a, body_b, q) <= band && plane_bound (problem, body_b, body_a, q) <= band;
}

/* Rows of a direction e at a place p: -e on body a, e on body b. */
static void
set_row (double *j, const SsContactPoint *point, SsVec2 p, SsVec2 e, const double *q)
{
  for (int side = 0; side < 2; side++) {
    double sign = side == 0 ? -1 : 1;
    double rx = p.x - q[3 * point->body[side]], ry = p.y - q[3 * point->body[side] + 1];
    j[3 * side] = sign * e.x;
    j[3 * side + 1] = sign * e.y;
    j[3 * side + 2] = sign * (rx * e.y - ry * e.x);
  }
}

static bool
add_gap (SsContactProblem *problem, int contact, const int shape[2], int memory, const SsGap *gap, const double *q)
{
  const SsContact *c = &problem->scene->contacts[contact];
  SsContactPoint *point = ss_contact_problem_add_point (problem);
  if (point == NULL)
    return false;
  point->contact = contact;
  point->shape[0] = shape[0];
  point->shape[1] = shape[1];
  point->body[0] = c->body_a;
  point->body[1] = c->body_b;
  point->phi = gap->phi;
  point->mu = c->mu;
  point->memory = memory;
  point->corner = ss_contact_corner (problem->scene, contact, shape, gap, q);
  /* both bodies feel the impulse at one place, so that angular momentum is kept: the point of the body that meets a
   * half-plane, the middle of the witnesses otherwise */
  const SsShape *shape_a = ss_body_shape (&problem->scene->bodies[c->body_a], shape[0]),
                *shape_b = ss_body_shape (&problem->scene->bodies[c->body_b], shape[1]);
  double way = shape_a->kind == SS_SHAPE_HALF_PLANE ? 1 : shape_b->kind == SS_SHAPE_HALF_PLANE ? 0 : 0.5;
  point->point = (SsVec2){gap->point_a.x + way * (gap->point_b.x - gap->point_a.x),
                          gap->point_a.y + way * (gap->point_b.y - gap->point_a.y)};
  point->normal = gap->normal;
  set_row (point->jn, point, point->point, gap->normal, q);
  set_row (point->jt, point, point->point, (SsVec2){gap->normal.y, -gap->normal.x}, q);
  return true;
}

/* Coordinate of a manifold point along its contact's tangent. */
static double
along_tangent (const SsGap *gap)
{
  return gap->normal.y * gap->point_b.x - gap->normal.x * gap->point_b.y;
}

static void
set_poses (const SsContact *c, const double *q, double poses[6])
{
  memcpy (poses, q + 3 * c->body_a, 3 * sizeof *poses);
  memcpy (poses + 3, q + 3 * c->body_b, 3 * sizeof *poses);
}

/* What the last report saw of the contact at the same poses, to the bit; NULL: nothing. *next: where to look on, as
 * contacts come in order. */
static const SsKnownManifold *
find_known (const SsContactProblem *problem, int contact, const double *q, int *next)
{
  double poses[6];
  while (*next < problem->n_known && problem->known[*next].contact < contact)
    ++*next;
  if (*next == problem->n_known || problem->known[*next].contact != contact)
    return NULL;
  const SsKnownManifold *known = &problem->known[*next];
  set_poses (&problem->scene->contacts[contact], q, poses);
  return memcmp (poses, known->poses, sizeof poses) == 0 ? known : NULL;
}

static bool
add_contact (SsContactProblem *problem, int contact, const SsKnownManifold *known, const double *q, double band)
{
  const SsScene *scene = problem->scene;
  const SsContact *c = &scene->contacts[contact];
  const SsBody *a = &scene->bodies[c->body_a], *b = &scene->bodies[c->body_b];
  int memory = problem->memory_start[contact];
  for (int i = 0; i < ss_body_n_shapes (a); i++)
    for (int j = 0; j < ss_body_n_shapes (b); j++, memory += SS_MANIFOLD_MAX) {
      SsGap computed[SS_MANIFOLD_MAX];
      const SsGap *gaps = known != NULL ? known->gaps : computed;
      int n = known != NULL ? known->n
                            : ss_geometry_manifold_placed (ss_body_shape (a, i), &problem->places[c->body_a],
                                                           ss_body_shape (b, j), &problem->places[c->body_b], computed);
      /* numbered from left to right, not by depth: two equally deep points keep their numbers from step to step */
      bool is_swapped = n == 2 && along_tangent (&gaps[1]) < along_tangent (&gaps[0]);
      for (int k = 0; k < n; k++)
        if (gaps[k].phi <= band &&
            !add_gap (problem, contact, (const int[]){i, j}, memory + (is_swapped ? 1 - k : k), &gaps[k], q))
          return false;
    }
  return true;
}

static bool
add_limits (SsContactProblem *problem, const double *q, const double *v, double band)
{
  int n = ss_dynamics_limit_rows (problem->dynamics, q, v, problem->row_scratch);
  for (int i = 0; i < n; i++) {
    const SsRow *row = &problem->row_scratch[i];
    if (row->phi > band)
      continue;
    SsContactPoint *point = ss_contact_problem_add_point (problem);
    if (point == NULL)
      return false;
    point->limit = row->source;
    point->is_upper = row->index == 1;
    point->body[0] = row->body[0];
    point->body[1] = row->body[1];
    point->phi = row->phi;
    point->rate_t = row->rate_t;
    point->gdv_n = row->gdv;
    memcpy (point->jn, row->j, sizeof point->jn);
    point->memory = problem->memory_start[problem->scene->n_contacts] + SS_JOINT_LIMITS_MAX * row->source + row->index;
  }
  return true;
}

void
ss_contact_problem_collect_joints (SsContactProblem *problem, const double *q, const double *v)
{
  SS_ASSERT (problem != NULL && q != NULL && v != NULL);

  problem->n_rows = ss_dynamics_joint_rows (problem->dynamics, q, v, problem->row_scratch);
  for (int i = 0; i < problem->n_rows; i++)
    problem->rows[i] = (SsJointConstraint){.row = problem->row_scratch[i]};
}

void
ss_contact_problem_turn_joints (SsContactProblem *problem, const double *q, const double *v)
{
  SS_ASSERT (problem != NULL && q != NULL && v != NULL);

  const int n = ss_dynamics_joint_rows (problem->dynamics, q, v, problem->row_scratch);
  SS_ASSERT (n == problem->n_rows);
  for (int i = 0; i < n; i++) {
    const double phi = problem->rows[i].row.phi;
    problem->rows[i].row = problem->row_scratch[i];
    problem->rows[i].row.phi = phi;
  }
}

/* Points that ss_contact_problem_set_drives and ss_contact_problem_give_least may append. */
static int
most_drives (const SsContactProblem *problem)
{
  const int rolling = problem->has_rolling ? problem->n_points : 0;
  return SS_JOINT_DRIVES_MAX * problem->scene->n_joints + rolling +
         (problem->is_convex ? problem->n_points + rolling : 0);
}

SsStatus
ss_contact_problem_collect (SsContactProblem *problem, const double *q, const double *v, double band,
                            double band_limits, SsError *err)
{
  SS_ASSERT (problem != NULL && q != NULL && v != NULL);
  SS_ASSERT (!isnan (band) && !isnan (band_limits));

  const SsScene *scene = problem->scene;
  problem->n_points = 0;
  const int *near;
  int n_near;
  find_places (problem, q);
  find_boxes (problem, band / 2);
  SsStatus status = ss_near_contacts_find (problem->near, problem->boxes, &near, &n_near, err);
  if (status != SS_OK)
    return status;
  for (int i = 0, next = 0; i < n_near; i++)
    if (may_touch (problem, near[i], q, band) &&
        !add_contact (problem, near[i], find_known (problem, near[i], q, &next), q, band))
      goto no_memory;
  if (ss_array_reserve ((void **)&problem->known, &problem->known_capacity, problem->n_points,
                        sizeof *problem->known) != 0)
    goto no_memory;
  if (scene->n_joints > 0 && !add_limits (problem, q, v, band_limits))
    goto no_memory;
  if (ss_contact_problem_reserve (problem, problem->n_points + most_drives (problem), NULL) != SS_OK)
    goto no_memory;
  ss_contact_problem_collect_joints (problem, q, v);
  ss_work_add (PROBLEM_UNIT + BODY_UNIT * scene->n_bodies + NEAR_UNIT * n_near +
               POINT_UNIT * (problem->n_points + problem->n_rows));
  return SS_OK;

no_memory:
  return ss_error_set (err, SS_ERR_MEMORY, "no memory for more than %d contact points", problem->n_points);
}

void
ss_contact_problem_append_springs (SsContactProblem *problem, const double *q, const double *v)
{
  SS_ASSERT (problem != NULL && q != NULL && v != NULL);

  int n = ss_dynamics_spring_rows (problem->dynamics, q, v, problem->row_scratch);
  for (int i = 0; i < n; i++)
    problem->rows[problem->n_rows++] = (SsJointConstraint){.row = problem->row_scratch[i]};
}

/* ---- gdv of contacts --------------------------------------------------------------------------------------------- */

/* Whether the shape has a face whose outward normal is `direction`. */
static bool
has_face (const SsShape *shape, double angle, SsVec2 direction)
{
  SsVec2 d = ss_vec2_turned (direction, -angle);
  if (shape->kind == SS_SHAPE_HALF_PLANE)
    return shape->normal.x * d.x + shape->normal.y * d.y > 1 - parallel_tolerance;
  if (shape->kind == SS_SHAPE_CIRCLE)
    return false;
  for (int i = 0; i < shape->n_vertices; i++) {
    SsVec2 p = shape->vertices[i], r = shape->vertices[(i + 1) % shape->n_vertices];
    double x = r.y - p.y, y = p.x - r.x, length = hypot (x, y);
    if (length > 0 && x * d.x + y * d.y > (1 - parallel_tolerance) * length)
      return true;
  }
  return false;
}

/* The core point (centre of rounding) of a witness that lies `way` along the normal, from the body's origin. */
static SsVec2
core_arm (const SsShape *shape, const SsContactPoint *p, int side, const double *q)
{
  double radius = shape->kind == SS_SHAPE_CIRCLE || shape->kind == SS_SHAPE_CAPSULE ? shape->radius : 0;
  double way = side == 0 ? -radius : radius;
  return (SsVec2){p->point.x + way * p->normal.x - q[3 * p->body[side]],
                  p->point.y + way * p->normal.y - q[3 * p->body[side] + 1]};
}

/* A vertex (core point r on body `vertex`) against a face of body `face`: phi = n (x - face), n turning with the
 * face. */
static double
bend_of_face (const SsContactPoint *p, int vertex, SsVec2 r, SsVec2 d, const double *q, const double *v)
{
  int face = 1 - vertex;
  const double *qv = q + 3 * p->body[vertex], *qf = q + 3 * p->body[face];
  const double *uv = v + 3 * p->body[vertex], *uf = v + 3 * p->body[face];
  SsVec2 s = {qv[0] + r.x - qf[0], qv[1] + r.y - qf[1]}; /* the vertex from the face body's origin */
  SsVec2 speed = {uv[0] - uv[2] * r.y - uf[0], uv[1] + uv[2] * r.x - uf[1]};
  SsVec2 slip = {speed.x + uf[2] * s.y, speed.y - uf[2] * s.x};
  SsVec2 turning = {-uf[2] * d.y, uf[2] * d.x};
  double sign = vertex == 1 ? 1 : -1; /* d points from a to b; the row is d (vertex - face) with d towards the vertex */
  double bend = turning.x * slip.x + turning.y * slip.y - uv[2] * uv[2] * (d.x * r.x + d.y * r.y) +
                uf[2] * (d.x * speed.y - d.y * speed.x);
  return sign * bend;
}

/* Two core points: phi = |xb - xa| - radii. */
static double
bend_of_points (const SsContactPoint *p, SsVec2 ra, SsVec2 rb, const double *q, const double *v)
{
  const double *qa = q + 3 * p->body[0], *qb = q + 3 * p->body[1], *ua = v + 3 * p->body[0], *ub = v + 3 * p->body[1];
  SsVec2 d = {qb[0] + rb.x - qa[0] - ra.x, qb[1] + rb.y - qa[1] - ra.y}, n = p->normal;
  SsVec2 rate = {ub[0] - ub[2] * rb.y - ua[0] + ua[2] * ra.y, ub[1] + ub[2] * rb.x - ua[1] - ua[2] * ra.x};
  double length = hypot (d.x, d.y), across = n.x * rate.y - n.y * rate.x;
  double bend = -ub[2] * ub[2] * (n.x * rb.x + n.y * rb.y) + ua[2] * ua[2] * (n.x * ra.x + n.y * ra.y);
  return length > coincident ? bend + across * across / length : bend;
}

void
ss_contact_problem_bend (SsContactProblem *problem, const double *q, const double *v)
{
  SS_ASSERT (problem != NULL && q != NULL && v != NULL);

  for (int i = 0; i < problem->n_points; i++) {
    SsContactPoint *p = &problem->points[i];
    if (p->contact < 0)
      continue;
    const SsShape *shape[2];
    for (int side = 0; side < 2; side++)
      shape[side] = ss_body_shape (&problem->scene->bodies[p->body[side]], p->shape[side]);
    SsVec2 n = p->normal, t = {n.y, -n.x}, opposite = {-n.x, -n.y};
    SsVec2 ra = core_arm (shape[0], p, 0, q), rb = core_arm (shape[1], p, 1, q);
    bool b_is_plane = shape[1]->kind == SS_SHAPE_HALF_PLANE;
    if (!b_is_plane && has_face (shape[0], q[3 * p->body[0] + 2], n)) {
      p->gdv_n = bend_of_face (p, 1, rb, n, q, v);
      p->gdv_t = bend_of_face (p, 1, rb, t, q, v);
    } else if (has_face (shape[1], q[3 * p->body[1] + 2], opposite)) {
      p->gdv_n = bend_of_face (p, 0, ra, n, q, v);
      p->gdv_t = bend_of_face (p, 0, ra, t, q, v);
    } else {
      p->gdv_n = bend_of_points (p, ra, rb, q, v);
      p->gdv_t = 0;
    }
  }
}

/* ---- small services ---------------------------------------------------------------------------------------------- */

static double
gap_of_places (const SsScene *scene, int contact, const SsPlace *place_a, const SsPlace *place_b)
{
  const SsContact *c = &scene->contacts[contact];
  const SsBody *a = &scene->bodies[c->body_a], *b = &scene->bodies[c->body_b];
  double least = INFINITY;
  for (int i = 0; i < ss_body_n_shapes (a); i++)
    for (int j = 0; j < ss_body_n_shapes (b); j++) {
      SsGap gaps[SS_MANIFOLD_MAX];
      if (ss_geometry_manifold_placed (ss_body_shape (a, i), place_a, ss_body_shape (b, j), place_b, gaps) > 0)
        least = fmin (least, gaps[0].phi);
    }
  return least;
}

double
ss_scene_contact_gap (const SsScene *scene, int contact, const double *q)
{
  SS_ASSERT (scene != NULL && q != NULL);
  SS_ASSERT (contact >= 0 && contact < scene->n_contacts);

  const SsPlace place_a = ss_place (q + 3 * scene->contacts[contact].body_a),
                place_b = ss_place (q + 3 * scene->contacts[contact].body_b);
  return gap_of_places (scene, contact, &place_a, &place_b);
}

static double
row_velocity (const SsContactPoint *point, const double *row, const double *v)
{
  double sum = 0;
  for (int side = 0; side < 2; side++)
    if (point->body[side] >= 0) {
      const double *u = v + 3 * point->body[side], *j = row + 3 * side;
      sum += j[0] * u[0] + j[1] * u[1] + j[2] * u[2];
    }
  return sum;
}

double
ss_contact_point_normal_velocity (const SsContactPoint *point, const double *v)
{
  SS_ASSERT (point != NULL);
  return row_velocity (point, point->jn, v) + point->rate_t;
}

double
ss_contact_point_slip (const SsContactPoint *point, const double *v)
{
  SS_ASSERT (point != NULL);
  return row_velocity (point, point->jt, v);
}

void
ss_contact_problem_push (const SsContactProblem *problem, const SsContactPoint *point, double *v)
{
  for (int k = 0; k < 6; k++) {
    int body = point->body[k / 3], coordinate = 3 * body + k % 3;
    if (body >= 0)
      v[coordinate] += problem->inverse_mass[coordinate] * (point->jn[k] * point->pn + point->jt[k] * point->pt);
  }
}

void
ss_contact_problem_push_row (const SsContactProblem *problem, const SsRow *row, double p, double *v)
{
  for (int k = 0; k < 6; k++) {
    int body = row->body[k / 3], coordinate = 3 * body + k % 3;
    if (body >= 0)
      v[coordinate] += problem->inverse_mass[coordinate] * row->j[k] * p;
  }
}

/* With what pushes to it [003 (37)]. */
void
ss_contact_problem_free_motion (const SsContactProblem *problem, const double *v0, const double *f, double h, double *v)
{
  SS_ASSERT (problem != NULL && v0 != NULL && f != NULL && v != NULL);
  SS_ASSERT (isfinite (h));

  for (int i = 0; i < 3 * problem->scene->n_bodies; i++)
    v[i] = v0[i] + h * f[i] * problem->inverse_mass[i];
}

double
ss_contact_problem_top_speed (const SsContactProblem *problem, const double *v)
{
  SS_ASSERT (problem != NULL && v != NULL);

  double top = 0;
  for (int i = 0; i < problem->scene->n_bodies; i++) { /* without turning, half-planes have no speed of infinity * 0 */
    double turning = v[3 * i + 2] != 0 ? fabs (v[3 * i + 2]) * problem->radius[i] : 0;
    top = fmax (top, hypot (v[3 * i], v[3 * i + 1]) + turning);
  }
  return top;
}

void
ss_contact_point_describe (const SsContactProblem *problem, const SsContactPoint *point, char *buffer, size_t size)
{
  SS_ASSERT (problem != NULL && point != NULL && buffer != NULL && size > 0);

  const SsScene *scene = problem->scene;
  const char *a = point->body[0] < 0 ? "world" : scene->bodies[point->body[0]].name;
  const char *b = point->body[1] < 0 ? "world" : scene->bodies[point->body[1]].name;
  if (point->drive == SS_DRIVE_REBOUND)
    point = &problem->points[point->owner];
  if (point->drive == SS_DRIVE_ROLLING)
    snprintf (buffer, size, "rolling resistance (bodies %s and %s)", a, b);
  else if (point->contact >= 0)
    snprintf (buffer, size, "contact %s (bodies %s and %s)", scene->contacts[point->contact].name, a, b);
  else
    snprintf (buffer, size, "%s of %s %s (bodies %s and %s)",
              point->drive == SS_DRIVE_NONE       ? "limit"
              : point->drive == SS_DRIVE_FRICTION ? "friction"
                                                  : "motor",
              ss_joint_word (&scene->joints[point->limit]), scene->joints[point->limit].name, a, b);
}

/* ---- reports ----------------------------------------------------------------------------------------------------- */

void
ss_contact_points_dissipate (const SsContactPoint *points, int n_points, const double *v0, const double *v1,
                             double *dissipated)
{
  SS_ASSERT ((points != NULL || n_points == 0) && v0 != NULL && v1 != NULL);

  for (int i = 0; i < n_points && dissipated != NULL; i++) {
    const SsContactPoint *p = &points[i];
    if (p->contact >= 0) /* minus the work of the impulses: exactly the kinetic energy that they took */
      dissipated[p->contact] -= 0.5 * (p->pn * (row_velocity (p, p->jn, v0) + row_velocity (p, p->jn, v1)) +
                                       p->pt * (row_velocity (p, p->jt, v0) + row_velocity (p, p->jt, v1)));
  }
}

/* Rows act on the second body at its anchor; those of angles, and of formulas, have a moment. */
void
ss_contact_rows_add_joints (const SsJointConstraint *rows, int n_rows, double *joint)
{
  SS_ASSERT (n_rows >= 0);
  for (int i = 0; i < n_rows && joint != NULL; i++) {
    const SsRow *row = &rows[i].row;
    if (row->kind != SS_ROW_JOINT)
      continue;
    double *of = joint + SS_JOINT_N_FORCES * row->source;
    const bool is_angle = row->is_at_centre || (row->j[3] == 0 && row->j[4] == 0);
    of[SS_JOINT_FORCE_X] += rows[i].p * row->j[3];
    of[SS_JOINT_FORCE_Y] += rows[i].p * row->j[4];
    of[SS_JOINT_MOMENT] += is_angle ? rows[i].p * row->j[5] : 0;
  }
}

/* Upper limits push back along their coordinate. */
static void
add_points_of_joints (const SsContactProblem *problem, double *joint)
{
  for (int i = 0; i < problem->n_points && joint != NULL; i++) {
    const SsContactPoint *p = &problem->points[i];
    if (p->limit < 0)
      continue;
    double *of = joint + SS_JOINT_N_FORCES * p->limit;
    if (p->drive == SS_DRIVE_NONE)
      of[SS_JOINT_LIMIT] += p->is_upper ? -p->pn : p->pn;
    else
      of[p->drive == SS_DRIVE_MOTOR ? SS_JOINT_MOTOR : SS_JOINT_FRICTION] += p->pt;
  }
}

void
ss_contact_problem_add_joints (const SsContactProblem *problem, double *joint)
{
  SS_ASSERT (problem != NULL);

  ss_contact_rows_add_joints (problem->rows, problem->n_rows, joint);
  add_points_of_joints (problem, joint);
}

/* The gap of a contact at q, where problem->places are. Of a contact with points the manifold is kept for the next
 * step, which starts there. */
static double
report_gap (SsContactProblem *problem, int contact, bool has_points, const double *q)
{
  const SsContact *c = &problem->scene->contacts[contact];
  const SsBody *a = &problem->scene->bodies[c->body_a], *b = &problem->scene->bodies[c->body_b];
  const SsPlace *place_a = &problem->places[c->body_a], *place_b = &problem->places[c->body_b];
  const int n = problem->n_known;
  if (!has_points || ss_body_n_shapes (a) > 1 || ss_body_n_shapes (b) > 1 || n == problem->known_capacity ||
      (n > 0 && problem->known[n - 1].contact >= contact))
    return gap_of_places (problem->scene, contact, place_a, place_b);
  SsKnownManifold *known = &problem->known[problem->n_known++];
  known->contact = contact;
  set_poses (c, q, known->poses);
  known->n = ss_geometry_manifold_placed (ss_body_shape (a, 0), place_a, ss_body_shape (b, 0), place_b, known->gaps);
  return known->n > 0 ? fmin (INFINITY, known->gaps[0].phi) : INFINITY;
}

void
ss_contact_problem_report (SsContactProblem *problem, double dt, const double *v0, SsSimState *state)
{
  SS_ASSERT (problem != NULL && v0 != NULL && state != NULL);
  SS_ASSERT (dt > 0);

  const SsScene *scene = problem->scene;
  bool all = scene->n_contacts <= SS_CONTACTS_WITH_CHANNELS_MAX;
  if (all && scene->n_contacts > 0)
    memset (state->contact, 0, SS_SIM_N_CONTACT_VALUES * (size_t)scene->n_contacts * sizeof *state->contact);
  for (int i = 0; i < problem->n_last_reported && !all; i++) {
    double *values = state->contact + SS_SIM_N_CONTACT_VALUES * problem->last_reported[i];
    memset (values, 0, SS_SIM_N_CONTACT_VALUES * sizeof *values);
  }
  problem->n_last_reported = 0;
  for (int i = 0; i < problem->n_points; i++) {
    const SsContactPoint *p = &problem->points[i];
    if (p->contact < 0)
      continue;
    double *values = state->contact + SS_SIM_N_CONTACT_VALUES * p->contact;
    if (problem->n_last_reported == 0 || problem->last_reported[problem->n_last_reported - 1] != p->contact)
      problem->last_reported[problem->n_last_reported++] = p->contact;
    values[SS_SIM_IMPULSE_N] += p->pn;
    values[SS_SIM_IMPULSE_T] += p->pt;
    values[SS_SIM_LAMBDA_N] = values[SS_SIM_IMPULSE_N] / dt;
    values[SS_SIM_LAMBDA_T] = values[SS_SIM_IMPULSE_T] / dt;
    if (state->points != NULL && p->pn != 0)
      ss_point_impulses_add (state->points, p->contact, p->corner, p->pn, p->pt);
  }
  ss_contact_problem_add_joints (problem, state->joint);
  ss_contact_points_dissipate (problem->points, problem->n_points, v0, state->v, state->dissipated);
  /* those of too many to look at: near enough to have points */
  const int n = all ? scene->n_contacts : problem->n_last_reported;
  find_places (problem, state->q);
  problem->n_known = 0;
  for (int k = 0, next = 0; k < n; k++) {
    const int i = all ? k : problem->last_reported[k];
    while (all && next < problem->n_last_reported && problem->last_reported[next] < i)
      next++;
    const bool has_points = !all || (next < problem->n_last_reported && problem->last_reported[next] == i);
    state->contact[SS_SIM_N_CONTACT_VALUES * i + SS_SIM_GAP] = report_gap (problem, i, has_points, state->q);
  }
}
