/* engine/judge/ss-motion-balance.c: what explains the change of velocity in a step; see ss-motion.h. Intervals whose
 * forces are told at stages: ss-motion-stages.c.
 */
#include "judge/ss-motion-balance-private.h"

#include <math.h>
#include <string.h>

/* The same for attempts that have contacts at several places: they are for forces that vary in the step, where there is
 * always a rest, and a smaller one says no more. */
static const double fair = 1e-6;
/* Controls that differ from the formula by less, relative to 1 and their size, are the formula's. */
static const double same_control = 1e-9;
/* Normals that differ by less are one [-]. */
static const double same_direction = 1e-12;

/* What is tried: contacts at one place or at three of them together, joints at one. */
typedef struct {
  Place contacts; /* N_PLACES: start, half a free step and end together */
  Place joints;
} Attempt;
static const Attempt attempts[] = {
    {AT_START, AT_CENTRE},   {AT_HALF_FREE, AT_CENTRE}, {AT_END, AT_CENTRE},  {AT_START, AT_START},
    {AT_HALF_FREE, AT_FREE}, {AT_END, AT_END},          {N_PLACES, AT_START}, {N_PLACES, AT_MIDDLE},
    {N_PLACES, AT_END},      {N_PLACES, AT_FREE},
};
const struct SsMotionForceKind ss_motion_force_kinds[N_KINDS] = {{SS_FORCE_SPRINGS, SS_WORK_SPRINGS},
                                                                 {SS_FORCE_DAMPERS, SS_WORK_DAMPERS},
                                                                 {SS_FORCE_FORMULAS, SS_WORK_FORMULAS},
                                                                 {SS_FORCE_ACTUATORS, SS_WORK_ACTUATORS}};
enum {
  N_ATTEMPTS = sizeof attempts / sizeof *attempts,
  FIRST_UNDRIVEN = 3,
  FIRST_TOGETHER = 6,
  FACES_MAX = 60,
  FACES_TOGETHER_MAX = 6
};

/* ---- life cycle -------------------------------------------------------------------------------------------------- */

static SsStatus
allocate (SsMotionBalance *b, SsError *err)
{
  const SsScene *scene = b->scene;
  const size_t n = 3 * (size_t)scene->n_bodies, n_vectors = N_PLACES + 7 + N_KINDS * (N_NODES + 1);
  double *next = b->block =
      ss_new_array (double, n_vectors *n + (size_t)scene->n_bodies + (size_t)scene->n_contacts + 1);

  b->rows = ss_new_array (SsRow, SS_JOINT_ROWS_MAX * (size_t)scene->n_joints + 1);
  b->limits = ss_new_array (SsRow, 2 * SS_JOINT_LIMITS_MAX * scene->n_joints + ss_motion_most_drives (scene) + 1);
  b->active = ss_new_array (int, (size_t)scene->n_contacts + 1);
  if (b->block == NULL || b->rows == NULL || b->limits == NULL || b->active == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory to judge steps of %d bodies", scene->n_bodies);
  double **vectors[] = {&b->known, &b->gravity, &b->rest, &b->best, &b->v_free, &b->q_free, &b->mean};
  for (int i = 0; i < N_PLACES; i++, next += n)
    b->q[i] = next;
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++, next += n)
    *vectors[i] = next;
  for (int k = 0; k < N_KINDS; k++) {
    for (int i = 0; i < N_NODES; i++, next += n)
      b->node[k][i] = next;
    b->force[k] = next;
    next += n;
  }
  b->radius = next;
  b->cohesion = next + scene->n_bodies;
  return SS_OK;
}

SsStatus
ss_motion_balance_new (const SsScene *scene, SsMotionContent content, SsMotionBalance **out, SsError *err)
{
  SsMotionBalance *b = ss_new (SsMotionBalance);

  *out = NULL;
  if (b == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory to judge steps of %d bodies", scene->n_bodies);
  b->scene = scene;
  b->content = content;
  SsStatus status = allocate (b, err);
  if (status == SS_OK)
    status = ss_dynamics_new (scene, &b->dynamics, err);
  if (status != SS_OK)
    goto fail;
  b->mass = ss_dynamics_mass (b->dynamics);
  b->inverse_mass = ss_dynamics_inverse_mass (b->dynamics);
  for (int i = 0; i < 3 * scene->n_bodies; i++)
    b->q[AT_START][i] = scene->bodies[i / 3].q[i % 3];
  b->n_rows = ss_dynamics_joint_rows (b->dynamics, b->q[AT_START], b->known, b->rows);
  status = ss_motion_fit_new (scene->n_bodies, b->mass, b->inverse_mass, b->rows, b->n_rows, &b->fit, err);
  if (status != SS_OK)
    goto fail;
  for (int i = 0; i < scene->n_bodies; i++)
    b->radius[i] = ss_body_radius (&scene->bodies[i]);
  for (int i = 0; i < 3 * scene->n_bodies; i++)
    b->has_drives = b->has_drives || (b->n_rows > 0 && !(b->inverse_mass[i] > 0) && scene->bodies[i / 3].v[i % 3] != 0);
  for (int i = 0; i < scene->n_joints; i++)
    b->has_drives = b->has_drives || scene->joints[i].reads_time;
  for (int i = 0; i < scene->n_springs; i++) {
    b->has_kind[0] = true;
    b->has_kind[1] = b->has_kind[1] || scene->springs[i].damping != 0;
  }
  b->has_kind[2] = scene->n_forces > 0;
  b->has_kind[3] = scene->n_actuators > 0;
  *out = b;
  return SS_OK;

fail:
  ss_motion_balance_free (b);
  return status;
}

void
ss_motion_balance_free (SsMotionBalance *b)
{
  if (b == NULL)
    return;
  ss_motion_fit_free (b->fit);
  ss_dynamics_free (b->dynamics);
  ss_free (b->block);
  ss_free (b->rows);
  ss_free (b->limits);
  ss_free (b->active);
  ss_free (b->points);
  ss_free (b->stage_column);
  ss_free (b->source_of_column);
  ss_free (b);
}

void
ss_motion_balance_set_enough (SsMotionBalance *b, double enough)
{
  b->enough = enough;
}

SsDynamics *
ss_motion_balance_dynamics (const SsMotionBalance *b)
{
  return b->dynamics;
}

/* ---- forces ------------------------------------------------------------------------------------------------------ */

double
ss_motion_held_power (const SsMotionBalance *b, const double *f, const double *v)
{
  double sum = 0;

  for (int i = 0; i < 3 * b->scene->n_bodies; i++)
    if (!(b->inverse_mass[i] > 0))
      sum += f[i] * v[i];
  return sum;
}

void
ss_motion_works_add_force (double work[SS_WORK_COUNT], SsWork kind, double sum, double held)
{
  work[kind] += sum;
  work[SS_WORK_DRIVES] -= held;
}

/* h f of one kind, with these controls (NULL: formulas). */
static void
find_force (SsMotionBalance *b, int which, double h, double t, const double *q, const double *v, const double *controls,
            double *f)
{
  ss_dynamics_forces (b->dynamics, which, t, q, v, controls, f);
  for (int i = 0; i < 3 * b->scene->n_bodies; i++)
    f[i] *= h;
}

/* The same at a node; what acts on coordinates that move as they are told to is known by its work alone. */
static void
find_node (SsMotionBalance *b, int kind, int node, double h, double t, const double *q, const double *v,
           const double *controls)
{
  double *f = b->node[kind][node];

  find_force (b, ss_motion_force_kinds[kind].which | SS_FORCE_HELD, h, t, q, v, controls, f);
  ss_motion_leave_stiff (b, ss_motion_force_kinds[kind].which | SS_FORCE_HELD, h, q, v, f);
  b->held[kind][node] = ss_motion_held_power (b, f, b->mean);
  for (int i = 0; i < 3 * b->scene->n_bodies; i++)
    if (!(b->inverse_mass[i] > 0))
      f[i] = 0;
}

/* Controls that were held in the step, or NULL where they are those of the formulas. */
static const double *
controls_of_step (SsMotionBalance *b, const SsMotionRow *before)
{
  if (!b->content.controls)
    return NULL;
  for (int i = 0; i < b->scene->n_actuators; i++) {
    const double formula = ss_dynamics_control (b->dynamics, i, before->t, before->q, before->v, NULL);

    if (!(fabs (before->u[i] - formula) <= same_control * (1 + fabs (formula))))
      return before->u;
  }
  return NULL;
}

/* Forces of all kinds at all nodes; b->mean is known. */
static void
find_forces (SsMotionBalance *b, const SsMotionRow *before, const SsMotionRow *after, double h)
{
  const int n = 3 * b->scene->n_bodies;
  const double *controls = b->scene->n_actuators > 0 ? controls_of_step (b, before) : NULL;
  bool any = false;

  find_force (b, SS_FORCE_GRAVITY, h, before->t, before->q, before->v, controls, b->gravity);
  for (int i = 0; i < n; i++)
    b->v_free[i] = before->v[i] + b->inverse_mass[i] * b->gravity[i];
  for (int k = 0; k < N_KINDS; k++) {
    if (!b->has_kind[k])
      continue;
    any = true;
    find_node (b, k, NODE_START, h, before->t, before->q, before->v, controls);
    find_node (b, k, NODE_END, h, after->t, after->q, after->v, controls);
    for (int i = 0; i < n; i++)
      b->v_free[i] += b->inverse_mass[i] * b->node[k][NODE_START][i];
  }
  for (int node = NODE_FREE_END; node <= NODE_FAR_END && any; node++) {
    for (int i = 0; i < n; i++)
      b->q_free[i] = before->q[i] + h * (node == NODE_FREE_END ? (before->v[i] + b->v_free[i]) / 2 : b->v_free[i]);
    for (int k = 0; k < N_KINDS; k++)
      if (b->has_kind[k])
        find_node (b, k, node, h, after->t, b->q_free, b->v_free, controls);
  }
  for (int k = 0; k < N_KINDS; k++) {
    if (!b->has_kind[k])
      continue;
    for (int i = 0; i < n; i++) {
      double mean = 0;

      for (int node = 0; node < N_NODES; node++)
        mean += b->node[k][node][i] / N_NODES;

      b->force[k][i] = mean;
      for (int node = 0; node < N_NODES; node++)
        b->node[k][node][i] -= mean;
    }
  }
}

/* Where the laws that take contacts at that place have their forces, for the start of the search. */
static double
share_of_node (Place contacts, int node)
{
  switch (contacts) {
  case AT_START:
    return node == NODE_START;
  case AT_HALF_FREE:
    return node == NODE_START || node == NODE_FREE_END;
  case AT_END:
    return node == NODE_END;
  default:
    return 1;
  }
}

static SsStatus
add_forces (SsMotionBalance *b, Place contacts, SsError *err)
{
  for (int k = 0; k < N_KINDS; k++) {
    if (!b->has_kind[k])
      continue;
    const double *held = b->held[k];
    SsStatus status = ss_motion_fit_begin (b->fit, 1, err);
    for (int i = 0; i < N_NODES && status == SS_OK; i++) {
      const SsFitColumn column = {.body = {-1, -1}, .dense = b->node[k][i], .share = share_of_node (contacts, i)};

      status = ss_motion_add_column (b, &column, (Source){ss_motion_force_kinds[k].work, -1, 0, held[i]}, err);
    }
    if (status != SS_OK)
      return status;
  }
  return SS_OK;
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

static void
set_row (double j[6], const SsContact *c, SsVec2 p, SsVec2 e, const double *q)
{
  for (int side = 0; side < 2; side++) {
    const int body = side == 0 ? c->body_a : c->body_b;
    const double sign = side == 0 ? -1 : 1, x = p.x - q[3 * body], y = p.y - q[3 * body + 1];

    j[3 * side] = sign * e.x;
    j[3 * side + 1] = sign * e.y;
    j[3 * side + 2] = sign * (x * e.y - y * e.x);
  }
}

/* Way of the material points of both bodies at p, when they are at q, from the step's start to its end along e: b's
 * without a's. */
static double
way_of_points (const SsMotionBalance *b, const SsContact *c, SsVec2 p, SsVec2 e, const double *q)
{
  double way = 0;

  for (int side = 0; side < 2; side++) {
    const int i = 3 * (side == 0 ? c->body_a : c->body_b);
    const double x = p.x - q[i], y = p.y - q[i + 1];
    const double along = e.x * x + e.y * y, across = e.y * x - e.x * y; /* of the arm, and turned by a quarter */

    for (int end = 0; end < 2; end++) {
      const double *there = b->q[end == 0 ? AT_START : AT_END] + i;
      const double turn = there[2] - q[i + 2];

      way += (side == end ? 1 : -1) * (e.x * there[0] + e.y * there[1] + cos (turn) * along + sin (turn) * across);
    }
  }
  return way;
}

/* Points of one pair of shapes at q, those of them that are closer than `near`; where one end of two touching faces is
 * and the other is not, the other is where the gap between them reaches it. The nearest is always there. */
static int
find_points (const SsMotionBalance *b, const SsContact *c, const int shape[2], const double *q, double near,
             Point points[SS_MANIFOLD_MAX])
{
  const SsShape *shape_a = ss_body_shape (&b->scene->bodies[c->body_a], shape[0]),
                *shape_b = ss_body_shape (&b->scene->bodies[c->body_b], shape[1]);
  SsGap gaps[SS_MANIFOLD_MAX];
  const int n = ss_geometry_manifold (shape_a, q + 3 * c->body_a, shape_b, q + 3 * c->body_b, gaps);
  int n_points = 0;

  for (int i = 0; i < n; i++) {
    SsVec2 place = ss_motion_place_of_impulse (shape_a, shape_b, &gaps[i]);

    if (i > 0 && gaps[i].phi > near) {
      if (!(gaps[0].phi < near))
        break;
      const double part = (near - gaps[0].phi) / (gaps[i].phi - gaps[0].phi);
      const SsVec2 first = ss_motion_place_of_impulse (shape_a, shape_b, &gaps[0]);

      place = (SsVec2){first.x + part * (place.x - first.x), first.y + part * (place.y - first.y)};
    }
    const SsVec2 tangent = {gaps[i].normal.y, -gaps[i].normal.x};

    points[n_points].phi = gaps[i].phi;
    set_row (points[n_points].jn, c, place, gaps[i].normal, q);
    set_row (points[n_points].jt, c, place, tangent, q);
    for (int side = 0; side < 2; side++) {
      const int body = side == 0 ? c->body_a : c->body_b;
      const double x = place.x - q[3 * body], y = place.y - q[3 * body + 1];
      const double *jn = points[n_points].jn + 3 * side, *jt = points[n_points].jt + 3 * side;

      points[n_points].turned_n[side] = ss_motion_turned_moment (b, body, q, x, y, jn[0], jn[1]);
      points[n_points].turned_t[side] = ss_motion_turned_moment (b, body, q, x, y, jt[0], jt[1]);
    }
    points[n_points].way_n = way_of_points (b, c, place, gaps[i].normal, q);
    points[n_points].way_t = way_of_points (b, c, place, tangent, q);
    n_points++;
  }
  return n_points;
}

/* Way that the bodies of a contact can go towards each other in the step, and what the convex relaxation keeps between
 * them while they slide and roll against a resistance, h (mu |slip| + rolling |turning|) [m]. */
static double
reach (const SsMotionBalance *b, const SsContact *c, const SsMotionRow *before, const SsMotionRow *after, double h)
{
  double largest = 0;

  for (int end = 0; end < 2; end++) {
    const double *va = (end == 0 ? before : after)->v + 3 * c->body_a,
                 *vb = (end == 0 ? before : after)->v + 3 * c->body_b;
    double speed = hypot (vb[0] - va[0], vb[1] - va[1]);

    if (va[2] != 0)
      speed += fabs (va[2]) * b->radius[c->body_a];
    if (vb[2] != 0)
      speed += fabs (vb[2]) * b->radius[c->body_b];
    largest = fmax (largest, speed * (1 + c->mu) + fabs (vb[2] - va[2]) * c->rolling);
  }
  return h * largest + SS_MOTION_TOUCHING;
}

/* Calls of `visit` for all points of a contact at q that are within `near` of the nearest or of touching. */
typedef SsStatus (*Visit) (void *data, const Point *point, SsError *err);

static SsStatus
visit_points (const SsMotionBalance *b, int contact, const double *q, double near, Visit visit, void *data,
              SsError *err)
{
  const SsContact *c = &b->scene->contacts[contact];
  const int n_a = ss_body_n_shapes (&b->scene->bodies[c->body_a]),
            n_b = ss_body_n_shapes (&b->scene->bodies[c->body_b]);
  double nearest = INFINITY;
  Point points[SS_MANIFOLD_MAX];

  for (int i = 0; i < n_a && n_a * n_b > 1; i++)
    for (int j = 0; j < n_b; j++)
      if (find_points (b, c, (const int[]){i, j}, q, near, points) > 0)
        nearest = fmin (nearest, points[0].phi);
  for (int i = 0; i < n_a; i++)
    for (int j = 0; j < n_b; j++) {
      const int n = find_points (b, c, (const int[]){i, j}, q, near, points);

      if (n == 0 || (n_a * n_b > 1 && points[0].phi > fmax (near, nearest)))
        continue;
      for (int k = 0; k < n; k++) {
        SsStatus status = visit (data, &points[k], err);

        if (status != SS_OK)
          return status;
      }
    }
  return SS_OK;
}

static SsStatus
gather_point (void *data, const Point *point, SsError *err)
{
  SsMotionBalance *b = data;

  if (ss_array_reserve ((void **)&b->points, &b->points_capacity, b->n_points + 1, sizeof *b->points) != 0)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory to judge a step");
  b->points[b->n_points++] = *point;
  return SS_OK;
}

/* The points of a contact at a place, or at three of them, into b->points. */
static SsStatus
gather_points (SsMotionBalance *b, int contact, Place place, double near, SsError *err)
{
  static const Place together[] = {AT_START, AT_HALF_FREE, AT_END};
  SsStatus status = SS_OK;

  b->n_points = 0;
  for (int i = 0; i < (place == N_PLACES ? 3 : 1) && status == SS_OK; i++)
    status = visit_points (b, contact, b->q[place == N_PLACES ? together[i] : place], near, gather_point, b, err);
  return status;
}

/* Whether the points differ by their places along one face only: then an impulse that moves from one to another is a
 * torque, one on a and its opposite on b. */
static bool
differ_by_torque (const SsMotionBalance *b)
{
  static const int forces[] = {0, 1, 3, 4};

  for (int i = 1; i < b->n_points; i++)
    for (int k = 0; k < 4; k++)
      if (fabs (b->points[i].jn[forces[k]] - b->points[0].jn[forces[k]]) > same_direction)
        return false;
  return true;
}

static SsFitColumn
column_of_point (const SsContact *c, const Point *point, double along_n, double along_t)
{
  SsFitColumn column = {.body = {c->body_a, c->body_b}};

  for (int k = 0; k < 6; k++)
    column.j[k] = along_n * point->jn[k] + along_t * point->jt[k];
  for (int side = 0; side < 2; side++)
    column.j[3 * side + 2] += along_n * point->turned_n[side] + along_t * point->turned_t[side];
  return column;
}

/* An impulse of a contact is a sum over the edges n + mu t and n - mu t of its cone, whose totals follow from pn and
 * pt. */
typedef struct {
  int n;
  struct {
    double total, along_n, along_t;
  } edge[2];
} Edges;

static Edges
edges_of (const SsContact *c, double pn, double pt)
{
  const double mu = pn != 0 ? fmax (c->mu, fabs (pt / pn)) : INFINITY;

  if (!isfinite (mu)) /* no normal impulse, or next to none: no cone */
    return (Edges){1, {{1, pn, pt}}};
  if (mu == 0)
    return (Edges){1, {{pn, 1, 0}}};
  return (Edges){2, {{(pn + pt / mu) / 2, 1, mu}, {(pn - pt / mu) / 2, 1, -mu}}};
}

/* The way of an impulse along n and t whose point is not recorded: the least of all points'. */
static double
least_way (const SsMotionBalance *b, double along_n, double along_t)
{
  double least = INFINITY;

  for (int i = 0; i < b->n_points; i++)
    least = fmin (least, along_n * b->points[i].way_n + along_t * b->points[i].way_t);
  return least;
}

/* All that the points can share is a torque between two bounds, each with every edge at its own best point. */
static SsStatus
add_by_torque (SsMotionBalance *b, int contact, const Edges *edges, SsError *err)
{
  const SsContact *c = &b->scene->contacts[contact];
  SsFitColumn bound[2] = {{.body = {c->body_a, c->body_b}}, {.body = {c->body_a, c->body_b}}};
  double way = 0;

  for (int e = 0; e < edges->n; e++)
    for (int side = 0; side < 2; side++) {
      SsFitColumn best = {0};

      for (int i = 0; i < b->n_points; i++) {
        const double total = edges->edge[e].total;
        const SsFitColumn column =
            column_of_point (c, &b->points[i], total * edges->edge[e].along_n, total * edges->edge[e].along_t);

        if (i == 0 || (side == 0 ? column.j[5] < best.j[5] : column.j[5] > best.j[5]))
          best = column;
      }
      for (int k = 0; k < 6; k++)
        bound[side].j[k] += best.j[k];
    }
  for (int e = 0; e < edges->n; e++)
    way += least_way (b, edges->edge[e].total * edges->edge[e].along_n, edges->edge[e].total * edges->edge[e].along_t);
  SsStatus status = ss_motion_fit_begin (b->fit, 1, err);
  for (int side = 0; side < (b->n_points > 1 ? 2 : 1) && status == SS_OK; side++)
    status = ss_motion_add_column (b, &bound[side], (Source){SS_WORK_CONTACTS, contact, way, 0}, err);
  return status;
}

SsStatus
ss_motion_add_contact (SsMotionBalance *b, int contact, Place place, const double impulse[2], double near, SsError *err)
{
  const SsContact *c = &b->scene->contacts[contact];
  const Edges edges = edges_of (c, impulse[0], impulse[1]);
  SsStatus status = gather_points (b, contact, place, near, err);

  if (status != SS_OK || b->n_points == 0)
    return status;
  if (differ_by_torque (b))
    return add_by_torque (b, contact, &edges, err);
  for (int e = 0; e < edges.n && status == SS_OK; e++) {
    const double sign = edges.edge[e].total < 0 ? -1 : 1;
    const double way = sign * least_way (b, sign * edges.edge[e].along_n, sign * edges.edge[e].along_t);

    status = ss_motion_fit_begin (b->fit, edges.edge[e].total, err);
    for (int i = 0; i < b->n_points && status == SS_OK; i++) {
      const SsFitColumn column = column_of_point (c, &b->points[i], edges.edge[e].along_n, edges.edge[e].along_t);

      status = ss_motion_add_column (b, &column, (Source){SS_WORK_CONTACTS, contact, way, 0}, err);
    }
  }
  return status;
}

/* What a contact's cohesion takes of the impulses that are shared: the same at each point that touches at the start. */
static SsStatus
add_cohesion (SsMotionBalance *b, int contact, SsError *err)
{
  const SsContact *c = &b->scene->contacts[contact];
  SsFitColumn pull = {.body = {c->body_a, c->body_b}};
  double way = 0;
  int n = 0;

  if (!(b->cohesion[contact] > 0))
    return SS_OK;
  SsStatus status = gather_points (b, contact, AT_START, INFINITY, err);
  for (int i = 0; i < b->n_points && status == SS_OK; i++)
    n += b->points[i].phi <= SS_COHESION_REACH;
  for (int i = 0; i < b->n_points && status == SS_OK; i++) {
    if (b->points[i].phi > SS_COHESION_REACH)
      continue;
    const SsFitColumn column = column_of_point (c, &b->points[i], -b->cohesion[contact] / n, 0);

    way -= b->cohesion[contact] / n * b->points[i].way_n;
    for (int k = 0; k < 6; k++)
      pull.j[k] += column.j[k];
  }
  if (status == SS_OK)
    status = ss_motion_fit_begin (b->fit, 1, err);
  return status == SS_OK ? ss_motion_add_column (b, &pull, (Source){SS_WORK_CONTACTS, contact, way, 0}, err) : status;
}

/* ---- attempts ---------------------------------------------------------------------------------------------------- */

/* Residual of one attempt into b->rest. */
static SsStatus
attempt (SsMotionBalance *b, Attempt what, const SsMotionRow *before, const SsMotionRow *after, double h, double floor,
         SsError *err)
{
  ss_motion_fit_clear (b->fit);
  memcpy (b->rest, b->known, 3 * (size_t)b->scene->n_bodies * sizeof *b->rest);
  SsStatus status = add_forces (b, what.contacts, err);
  if (status == SS_OK)
    status = ss_motion_add_stiff (b, h, err);
  for (int i = 0; i < b->n_active && status == SS_OK; i++) {
    const int contact = b->active[i];

    const double pressed[] = {after->impulse[2 * contact] + b->cohesion[contact], after->impulse[2 * contact + 1]};

    status = add_cohesion (b, contact, err);
    if (status == SS_OK)
      status = ss_motion_add_contact (b, contact, what.contacts, pressed,
                                      reach (b, &b->scene->contacts[contact], before, after, h), err);
  }
  if (status == SS_OK)
    status = ss_motion_add_limits (b, what.contacts, before, after, h, err);
  if (status == SS_OK)
    status = ss_motion_add_drives (b, what.contacts, before, after, err);
  if (status == SS_OK && b->n_rows > 0) {
    ss_motion_joint_rows_at (b, what.joints, before->v);
    for (int r = 0; r < b->n_rows; r++)
      ss_motion_turn_row (b, b->q[what.joints], &b->rows[r]);
    status = ss_motion_fit_set_rows (b->fit, b->rows, err);
  }
  if (status == SS_OK)
    status =
        ss_motion_fit_solve (b->fit, b->rest, floor, what.contacts == N_PLACES ? FACES_TOGETHER_MAX : FACES_MAX, err);
  if (status == SS_OK)
    ss_motion_refuse_drives (b, before, after, h);
  return status;
}

void
ss_motion_note (SsMotionWorst *worst, double value, double t, int index)
{
  if (value > worst->value)
    *worst = (SsMotionWorst){value, t, index};
}

void
ss_motion_works_begin (Works *works)
{
  memset (works->work, 0, SS_WORK_COUNT * sizeof *works->work);
  for (int i = 0; i < SS_WORK_COUNT; i++)
    works->given[i] = (SsMotionGiven){0, {0, NAN, -1}};
  works->source = (Source){.index = -1};
  works->sum = works->way = works->size = 0;
}

/* What the source gave. */
void
ss_motion_works_end (Works *works)
{
  const bool has_way = works->source.work == SS_WORK_CONTACTS && works->h > 0;
  const double gift = has_way ? fmin (works->sum, works->way) : works->sum;

  if (works->source.index >= 0 && gift > SS_MOTION_STILL * works->size) {
    SsMotionGiven *given = &works->given[works->source.work];

    given->sum += gift;
    ss_motion_note (&given->most, gift, works->t, works->source.index);
  }
  works->sum = works->way = works->size = 0;
}

void
ss_motion_works_add (const SsMotionBalance *b, Source source, const int body[2], const double *j, double impulse,
                     const double *v, Works *works)
{
  if (source.work != works->source.work || source.index != works->source.index)
    ss_motion_works_end (works);
  works->source = source;
  if (works->h > 0)
    works->way += impulse * source.way / works->h;
  for (int k = 0; k < 6; k++)
    if (body[k / 3] >= 0) {
      const int i = 3 * body[k / 3] + k % 3;
      const double part = impulse * j[k] * v[i];

      works->sum += part;
      works->size += fabs (impulse * j[k]);
      works->work[source.work] += part;
      if (!(b->inverse_mass[i] > 0))
        works->work[SS_WORK_DRIVES] -= part;
    }
  works->sum += impulse * source.held;
  works->work[source.work] += impulse * source.held;
  works->work[SS_WORK_DRIVES] -= impulse * source.held;
}

static double
slack_of_column (const SsMotionBalance *b, const SsFitColumn *column, double h)
{
  double sum = 0;

  for (int k = 0; k < 6 && h > 0; k++) {
    const int i = 3 * column->body[k / 3] + k % 3;

    sum += column->weight * column->j[k] * ((b->q[AT_END][i] - b->q[AT_START][i]) / h - b->mean[i]);
  }
  return sum;
}

/* Works of the attempt that was solved last, in a step of h that ends at t. */
static void
find_work (SsMotionBalance *b, double h, double t, double work[SS_WORK_COUNT], SsMotionGiven given[SS_WORK_COUNT])
{
  Works works = {.work = work, .given = given, .h = h, .t = t};
  const int n = 3 * b->scene->n_bodies;
  const SsFitColumn *columns = ss_motion_fit_columns (b->fit);
  const double *lambda = ss_motion_fit_lambda (b->fit);

  ss_motion_works_begin (&works);
  b->contact_slack = 0;
  for (int i = 0; i < n; i++) {
    work[SS_WORK_GRAVITY] += b->gravity[i] * b->mean[i];
    work[SS_WORK_UNEXPLAINED] += b->mass[i] * b->rest[i] * b->mean[i];
  }
  for (int k = 0; k < N_KINDS; k++)
    if (b->has_kind[k])
      work[ss_motion_force_kinds[k].work] += ss_dot (n, b->force[k], b->mean);
  for (int k = 0; k < ss_motion_fit_n_columns (b->fit); k++)
    if (columns[k].dense != NULL) {
      const double held = columns[k].weight * b->source_of_column[k].held;

      ss_motion_works_add_force (work, b->source_of_column[k].work,
                                 columns[k].weight * ss_dot (n, columns[k].dense, b->mean) + held, held);
    } else {
      ss_motion_works_add (b, b->source_of_column[k], columns[k].body, columns[k].j, columns[k].weight, b->mean,
                           &works);
      if (b->source_of_column[k].work == SS_WORK_CONTACTS)
        b->contact_slack += slack_of_column (b, &columns[k], h);
    }
  for (int r = 0; r < b->n_rows; r++)
    ss_motion_works_add (b, (Source){SS_WORK_JOINTS, b->rows[r].source, 0, b->rows[r].rate_t}, b->rows[r].body,
                         b->rows[r].j, lambda[r], b->mean, &works);
  ss_motion_works_end (&works);
}

/* Let the way of the step be h (a v1 + (1 - a) v0), by least squares. With a = 1/2 velocities are those at the rows,
 * and impulses act in the middle; with a = 1, as in semi-implicit rules, v1 is the velocity in the middle of the step
 * and v0 that of the step before, so that the change between them happens at the start. Joints that are moved by what
 * turns steadily are taken there: with other directions a crank seems to work, a little in each turn. */
static void
find_centre (SsMotionBalance *b, const SsMotionRow *before, const SsMotionRow *after, double h)
{
  const int n = 3 * b->scene->n_bodies;
  double along = 0, size = 0;

  for (int i = 0; i < n; i++) {
    const double change = b->inverse_mass[i] > 0 ? h * (after->v[i] - before->v[i]) : 0;

    along += (change != 0 ? b->mass[i] : 0) * change * (after->q[i] - before->q[i] - h * before->v[i]);
    size += (change != 0 ? b->mass[i] : 0) * change * change;
  }
  const double a = size > 0 ? fmin (fmax (along / size, 0), 1) : 0.5;
  b->t[AT_CENTRE] = before->t + (1 - a) * h;
  for (int i = 0; i < n; i++)
    b->q[AT_CENTRE][i] = before->q[i] + (1 - a) * (after->q[i] - before->q[i]);
}

/* Configurations that laws use, and what no choice changes. Returns the rest that counts as rounding. */
static double
prepare (SsMotionBalance *b, const SsMotionRow *before, const SsMotionRow *after, double h)
{
  double fastest = 0;

  b->has_centre = true;
  for (int i = 0; i < 3 * b->scene->n_bodies; i++)
    b->mean[i] = (before->v[i] + after->v[i]) / 2;
  memcpy (b->q[AT_START], before->q, 3 * (size_t)b->scene->n_bodies * sizeof *before->q);
  find_forces (b, before, after, h);
  for (int i = 0; i < 3 * b->scene->n_bodies; i++) {
    b->q[AT_HALF_FREE][i] = before->q[i] + h / 2 * before->v[i];
    b->q[AT_FREE][i] = before->q[i] + h * before->v[i];
    b->q[AT_END][i] = after->q[i];
    b->q[AT_HALF_BACK][i] = after->q[i] - h / 2 * after->v[i];
    b->q[AT_BACK][i] = after->q[i] - h * after->v[i];
    b->q[AT_MIDDLE][i] = (before->q[i] + after->q[i]) / 2;
    b->known[i] = after->v[i] - before->v[i] - b->inverse_mass[i] * b->gravity[i];
    for (int k = 0; k < N_KINDS; k++)
      if (b->has_kind[k])
        b->known[i] -= b->inverse_mass[i] * b->force[k][i];
    fastest = fmax (fastest, fmax (fabs (before->v[i]), fabs (after->v[i])));
  }
  b->t[AT_START] = b->t[AT_BACK] = before->t;
  b->t[AT_HALF_FREE] = b->t[AT_MIDDLE] = b->t[AT_HALF_BACK] = before->t + h / 2;
  b->t[AT_FREE] = b->t[AT_END] = after->t;
  find_centre (b, before, after, h);
  return SS_MOTION_ROUNDING * (1 + fastest);
}

static SsStatus
judge_balance (SsMotionBalance *b, const SsMotionRow *before, const SsMotionRow *after, SsMotionWorst *residual,
               double work[SS_WORK_COUNT], SsMotionGiven given[SS_WORK_COUNT], SsError *err)
{
  const double h = after->t - before->t, rounded = prepare (b, before, after, h);
  const double floor = fmax (rounded, b->enough / 2);
  const bool has_places = b->n_active > 0 || b->scene->n_joints > 0;

  *residual = (SsMotionWorst){INFINITY, after->t, 0};
  for (int k = -1; k < N_ATTEMPTS; k++) {
    const int which = k < 0 ? b->last_attempt : k;
    const bool is_together = which >= FIRST_TOGETHER;
    const double enough = is_together ? fmax (floor, rounded * (fair / SS_MOTION_ROUNDING)) : floor;

    if ((k >= 0 && which == b->last_attempt) || (b->n_rows == 0 && which > FIRST_TOGETHER) ||
        (!b->has_drives && which < FIRST_UNDRIVEN))
      continue;
    if (k >= FIRST_TOGETHER && residual->value <= 2 * enough)
      break;
    SsStatus status = attempt (b, attempts[which], before, after, h, enough, err);
    if (status != SS_OK)
      return status;
    const SsMotionWorst worst = ss_motion_worst_body (b, b->rest, after->t);
    if (worst.value < residual->value) {
      *residual = worst;
      find_work (b, h, after->t, work, given);
    }
    if (!has_places || worst.value <= 2 * floor) {
      b->last_attempt = which;
      break;
    }
  }
  if (residual->value <= 2 * floor || b->n_rows == 0 || b->n_active > 0)
    return SS_OK;
  return ss_motion_judge_halves (b, before, after, b->scene->n_actuators > 0 ? controls_of_step (b, before) : NULL,
                                 floor, residual, err);
}

/* ---- impulses of contacts ---------------------------------------------------------------------------------------- */

typedef struct {
  double h;
  const SsContact *contact;
  const double *v; /* NULL: the gap itself; else linearised with these velocities */
  double least;
} Least;

static SsStatus
take_least (void *data, const Point *point, SsError *err)
{
  Least *least = data;
  double phi = point->phi;

  (void)err;
  for (int k = 0; least->v != NULL && k < 6; k++)
    phi += least->h * point->jn[k] * least->v[3 * (k < 3 ? least->contact->body_a : least->contact->body_b) + k % 3];
  least->least = fmin (least->least, phi);
  return SS_OK;
}

double
ss_motion_gap_at (const SsMotionBalance *b, int contact, const double *q)
{
  Least least = {0, &b->scene->contacts[contact], NULL, INFINITY};
  SsStatus status = visit_points (b, contact, q, INFINITY, take_least, &least, NULL);

  (void)status; /* taking the least of numbers does not fail */
  return least.least;
}

/* Least gap of the contact in the step that a law could have let its impulse act on; 0 if it is closed. */
static double
least_gap (const SsMotionBalance *b, int contact, const SsMotionRow *after, double h)
{
  static const Place places[] = {AT_END, AT_START, AT_HALF_FREE, AT_FREE, AT_HALF_BACK, AT_BACK};
  const int n_places = sizeof places / sizeof *places;
  Least least = {h, &b->scene->contacts[contact], NULL, INFINITY};
  SsStatus status = SS_OK;

  for (int i = 0; i < n_places && status == SS_OK && least.least > 0; i++)
    status = visit_points (b, contact, b->q[places[i]], INFINITY, take_least, &least, NULL);
  least.v = after->v;
  if (least.least > 0 && status == SS_OK)
    status = visit_points (b, contact, b->q[AT_START], INFINITY, take_least, &least, NULL);
  return fmax (least.least, 0);
}

SsStatus
ss_motion_balance_step (SsMotionBalance *b, const SsMotionRow *before, const SsMotionRow *after,
                        SsMotionWorst *residual, SsMotionWorst *cone, SsMotionWorst *complementarity,
                        double work[SS_WORK_COUNT], SsMotionGiven given[SS_WORK_COUNT], SsError *err)
{
  const SsMotionWorst unknown = {NAN, NAN, -1}, none = {0, NAN, -1};
  const double h = after->t - before->t;

  *residual = unknown;
  *cone = *complementarity = b->content.impulses ? none : unknown;
  for (int i = 0; i < SS_WORK_COUNT; i++) {
    work[i] = NAN;
    given[i] = (SsMotionGiven){NAN, unknown};
  }
  b->n_active = 0;
  for (int i = 0; b->content.impulses && i < b->scene->n_contacts; i++) {
    const double pn = after->impulse[2 * i], pt = after->impulse[2 * i + 1];

    b->cohesion[i] = ss_law_cohesion (b->scene, i, before->q, INFINITY, h);
    const double pressed = pn + b->cohesion[i];
    if (pressed == 0 && pn == 0 && pt == 0)
      continue;
    b->active[b->n_active++] = i;
    ss_motion_note (cone, fmax (fabs (pt) - b->scene->contacts[i].mu * pressed, -pressed), after->t, i);
  }
  if (!b->content.velocities) {
    *complementarity = unknown;
    return SS_OK;
  }
  if (b->content.impulses) {
    SsStatus status = judge_balance (b, before, after, residual, work, given, err);

    if (status != SS_OK)
      return status;
  }
  for (int i = 0; i < b->n_active; i++) {
    const int c = b->active[i];
    const double size = hypot (after->impulse[2 * c], after->impulse[2 * c + 1]);

    ss_motion_note (complementarity, size * least_gap (b, c, after, h), after->t, c);
  }
  return SS_OK;
}

SsStatus
ss_motion_balance_start_loss (SsMotionBalance *b, const SsMotionRow *row, double *loss, SsError *err)
{
  *loss = 0;
  if (b->n_rows == 0)
    return SS_OK;
  ss_dynamics_set_time (b->dynamics, row->t);
  ss_dynamics_joint_rows (b->dynamics, row->q, row->v, b->rows);
  SsStatus status = ss_motion_fit_set_rows (b->fit, b->rows, err);
  if (status != SS_OK)
    return status;
  memcpy (b->rest, row->v, 3 * (size_t)b->scene->n_bodies * sizeof *b->rest);
  for (int r = 0; r < b->n_rows; r++) /* the rows' rates, in the place of accelerations */
    b->rows[r].gdv = b->rows[r].rate_t;
  ss_motion_fit_join (b->fit, b->rest, 1);
  const double *taken = ss_motion_fit_lambda (b->fit);
  for (int r = 0; r < b->n_rows; r++)
    *loss += taken[r] * ss_row_velocity (&b->rows[r], row->v) / 2;
  return SS_OK;
}

double
ss_motion_balance_contact_slack (const SsMotionBalance *b)
{
  return b->contact_slack;
}
