/* engine/fesd/ss-fesd-system.c: see the header. */
#include "fesd/ss-fesd-system.h"

#include "contact/ss-contact-corner.h"
#include "core/ss-memory.h"
#include "dynamics/ss-dynamics-expr.h"

#include <math.h>
#include <string.h>

/* A normal within this angle of a face's own is that face's: the manifold takes faces to 1e-10 of their size. */
static const double face_angle = 1e-7;
/* Sharp corners nearer to each other than this part of the bodies' size are at one place. */
static const double same_corner_part = 1e-9;
/* Edges that lead across another one by less, as the sine of the angle, lead along it. */
static const double crossing = 1e-9;

/* ---- points ------------------------------------------------------------------------------------------------------ */

static int
n_corners_of (const SsShape *shape)
{
  return shape->kind == SS_SHAPE_HALF_PLANE ? 0 : shape->kind == SS_SHAPE_CIRCLE ? 1 : shape->n_vertices;
}

static SsVec2
corner_of (const SsShape *shape, int i)
{
  return shape->kind == SS_SHAPE_CIRCLE ? shape->centre : shape->vertices[i];
}

static double
radius_of (const SsShape *shape)
{
  return shape->kind == SS_SHAPE_CIRCLE || shape->kind == SS_SHAPE_CAPSULE ? shape->radius : 0;
}

static int
n_corners_before (const SsBody *body, int shape)
{
  int sum = 0;
  for (int i = 0; i < shape; i++)
    sum += n_corners_of (&body->shapes[i]);
  return sum;
}

/* As contact/ss-contact-corner.h numbers them: all of b before those of a. */
static int
corner_number (const SsScene *scene, int contact, bool is_of_b, int shape, int vertex)
{
  const SsBody *a = &scene->bodies[scene->contacts[contact].body_a],
               *b = &scene->bodies[scene->contacts[contact].body_b];
  return is_of_b ? n_corners_before (b, shape) + vertex
                 : n_corners_before (b, b->n_shapes) + n_corners_before (a, shape) + vertex;
}

static double
size_of (const SsShape *shape)
{
  double size = radius_of (shape);
  for (int i = 0; shape->kind != SS_SHAPE_CIRCLE && shape->kind != SS_SHAPE_HALF_PLANE && i < shape->n_vertices; i++)
    size = fmax (size, hypot (shape->vertices[i].x, shape->vertices[i].y));
  return size;
}

static void
add_plane (SsFesdSystem *s, int contact, bool plane_is_a, int plane_shape, int shape)
{
  const SsContact *c = &s->scene->contacts[contact];
  const int plane_body = plane_is_a ? c->body_a : c->body_b, body = plane_is_a ? c->body_b : c->body_a;
  const SsShape *plane = &s->scene->bodies[plane_body].shapes[plane_shape];
  const SsShape *other = &s->scene->bodies[body].shapes[shape];
  for (int i = 0; i < n_corners_of (other); i++)
    s->points[s->n_points++] = (SsFesdPoint){.kind = SS_FESD_FACE,
                                             .contact = contact,
                                             .corner = corner_number (s->scene, contact, plane_is_a, shape, i),
                                             .body = {plane_body, body},
                                             .at = {plane->centre, corner_of (other, i)},
                                             .normal = plane->normal,
                                             .radius = {0, radius_of (other)},
                                             .range = {-INFINITY, INFINITY}};
}

/* The points and pairs of two shapes of a contact; with points == NULL they are only counted. */
static void
add_shapes (SsFesdSystem *s, int contact, int i, int j, bool pairs)
{
  const SsContact *c = &s->scene->contacts[contact];
  const SsShape *a = &s->scene->bodies[c->body_a].shapes[i], *b = &s->scene->bodies[c->body_b].shapes[j];
  const bool plane_a = a->kind == SS_SHAPE_HALF_PLANE, plane_b = b->kind == SS_SHAPE_HALF_PLANE;
  const bool is_round = a->kind == SS_SHAPE_CIRCLE && b->kind == SS_SHAPE_CIRCLE;
  if (plane_a && plane_b)
    return;
  if (pairs) {
    if (!plane_a && !plane_b && !is_round)
      s->pairs[s->n_pairs++] = (SsFesdPair){.contact = contact,
                                            .shape_index = {i, j},
                                            .shape = {a, b},
                                            .radius = ss_shape_radius (a) + ss_shape_radius (b)};
  } else if (plane_a || plane_b) {
    add_plane (s, contact, plane_a, plane_a ? i : j, plane_a ? j : i);
  } else if (is_round) {
    s->points[s->n_points++] = (SsFesdPoint){.kind = SS_FESD_ROUND,
                                             .contact = contact,
                                             .corner = corner_number (s->scene, contact, true, j, 0),
                                             .body = {c->body_a, c->body_b},
                                             .at = {a->centre, b->centre},
                                             .radius = {a->radius, b->radius},
                                             .range = {-INFINITY, INFINITY}};
  }
}

static void
for_all_shapes (SsFesdSystem *s, bool pairs)
{
  for (int c = 0; c < s->scene->n_contacts; c++) {
    const SsBody *a = &s->scene->bodies[s->scene->contacts[c].body_a];
    const SsBody *b = &s->scene->bodies[s->scene->contacts[c].body_b];
    for (int i = 0; i < a->n_shapes; i++)
      for (int j = 0; j < b->n_shapes; j++)
        add_shapes (s, c, i, j, pairs);
  }
}

static SsStatus
make_points (SsFesdSystem *s, SsError *err)
{
  size_t points = 0, pairs = 0;
  for (int c = 0; c < s->scene->n_contacts; c++) {
    const SsBody *a = &s->scene->bodies[s->scene->contacts[c].body_a];
    const SsBody *b = &s->scene->bodies[s->scene->contacts[c].body_b];
    pairs += (size_t)a->n_shapes * (size_t)b->n_shapes;
    points += (size_t)a->n_shapes * (size_t)n_corners_before (b, b->n_shapes) +
              (size_t)b->n_shapes * (size_t)n_corners_before (a, a->n_shapes);
  }
  s->points = ss_new_array (SsFesdPoint, points + 2 * pairs + 1);
  s->is_live = ss_new_array (bool, points + 2 * pairs + 1);
  s->pairs = ss_new_array (SsFesdPair, pairs + 1);
  if (s->points == NULL || s->is_live == NULL || s->pairs == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the contact points of %d contacts", s->scene->n_contacts);
  for_all_shapes (s, false);
  s->n_static = s->n_points;
  for (int i = 0; i < s->n_static; i++)
    s->is_live[i] = true;
  for_all_shapes (s, true);
  for (int i = 0; i < s->n_pairs; i++) {
    s->pairs[i].slot = s->n_points;
    for (int k = 0; k < 2; k++, s->n_points++)
      s->points[s->n_points] = (SsFesdPoint){
          .contact = s->pairs[i].contact,
          .body = {s->scene->contacts[s->pairs[i].contact].body_a, s->scene->contacts[s->pairs[i].contact].body_b}};
  }
  return SS_OK;
}

/* ---- what a pair's manifold means -------------------------------------------------------------------------------- */

static SsVec2
into_frame (SsVec2 p, const double *pose)
{
  const double c = cos (pose[2]), s = sin (pose[2]), x = p.x - pose[0], y = p.y - pose[1];
  return (SsVec2){c * x + s * y, c * y - s * x};
}

static SsVec2
direction_into_frame (SsVec2 n, const double *pose)
{
  const double c = cos (pose[2]), s = sin (pose[2]);
  return (SsVec2){c * n.x + s * n.y, c * n.y - s * n.x};
}

/* The corner nearest to where the core of the shape is met: witness `at` on the surface, `n` outward, both in the
 * body's frame. */
static int
nearest_corner (const SsShape *shape, SsVec2 at, SsVec2 n, double *away)
{
  const double r = radius_of (shape);
  int best = 0;
  *away = INFINITY;
  for (int i = 0; i < n_corners_of (shape); i++) {
    const SsVec2 p = corner_of (shape, i);
    const double d = hypot (at.x - r * n.x - p.x, at.y - r * n.y - p.y);
    if (d < *away) {
      *away = d;
      best = i;
    }
  }
  return best;
}

/* The edge of the shape whose outward normal is n, with its beginning and end along the tangent (n turned by -90
 * degrees). Both sides of a capsule or segment are edges. */
static bool
edge_with_normal (const SsShape *shape, SsVec2 n, SsVec2 *from, SsVec2 *normal, double *length)
{
  const int corners = n_corners_of (shape), edges = corners < 2 ? 0 : corners == 2 ? 2 : corners;
  double best = face_angle;
  bool found = false;
  for (int i = 0; i < edges; i++) {
    const SsVec2 p = corner_of (shape, i), next = corner_of (shape, (i + 1) % corners);
    const double l = hypot (next.x - p.x, next.y - p.y);
    const SsVec2 out = {(next.y - p.y) / l, (p.x - next.x) / l}; /* counter-clockwise: to the right is outside */
    const double angle = hypot (out.x - n.x, out.y - n.y);
    if (l > 0 && angle < best) {
      best = angle;
      found = true;
      *from = next; /* the tangent runs against the order of the vertices */
      *normal = out;
      *length = l;
    }
  }
  return found;
}

/* Unit vectors from a corner along its edges; zero where it has none. */
static void
set_edges (const SsShape *shape, int corner, SsVec2 edge[2])
{
  const int n = n_corners_of (shape);
  edge[0] = edge[1] = (SsVec2){0, 0};
  if (n < 2)
    return;
  const SsVec2 at = corner_of (shape, corner);
  for (int k = 0; k < (n == 2 ? 1 : 2); k++) {
    const SsVec2 next = corner_of (shape, (corner + (k == 0 ? 1 : n - 1)) % n);
    const double length = hypot (next.x - at.x, next.y - at.y);
    if (length > 0)
      edge[k] = (SsVec2){(next.x - at.x) / length, (next.y - at.y) / length};
  }
}

/* The circle has the point, b's before a's; else the body whose corner is nearer. */
static int
vertex_of_round (const SsFesdPair *pair, const double away[2])
{
  if (pair->shape[1]->kind == SS_SHAPE_CIRCLE)
    return 1;
  return pair->shape[0]->kind == SS_SHAPE_CIRCLE || away[0] <= away[1] ? 0 : 1;
}

static SsFesdPoint
round_point (const SsFesdSystem *s, const SsFesdPair *pair, const int corner[2], int vertex)
{
  const SsContact *c = &s->scene->contacts[pair->contact];
  SsFesdPoint p = {.kind = SS_FESD_ROUND,
                   .contact = pair->contact,
                   .corner =
                       corner_number (s->scene, pair->contact, vertex == 1, pair->shape_index[vertex], corner[vertex]),
                   .body = {c->body_a, c->body_b},
                   .range = {-INFINITY, INFINITY}};
  for (int side = 0; side < 2; side++) {
    p.at[side] = corner_of (pair->shape[side], corner[side]);
    p.radius[side] = radius_of (pair->shape[side]);
    set_edges (pair->shape[side], corner[side], p.edge[side]);
  }
  return p;
}

/* The edge of shape `face` that begins at `first` (in the order of the vertices) under a corner of the other one. */
static SsFesdPoint
face_point (const SsFesdSystem *s, const SsFesdPair *pair, int face, SsVec2 from, SsVec2 normal, double length,
            int corner)
{
  const SsContact *c = &s->scene->contacts[pair->contact];
  const int body[2] = {c->body_a, c->body_b}, vertex = 1 - face;
  return (SsFesdPoint){.kind = SS_FESD_FACE,
                       .contact = pair->contact,
                       .corner =
                           corner_number (s->scene, pair->contact, vertex == 1, pair->shape_index[vertex], corner),
                       .body = {body[face], body[vertex]},
                       .at = {from, corner_of (pair->shape[vertex], corner)},
                       .normal = normal,
                       .radius = {radius_of (pair->shape[face]), radius_of (pair->shape[vertex])},
                       .range = {0, length}};
}

/* Edge number k (as in set_edges) of a corner of shape `face`, under a corner of the other one. */
static SsFesdPoint
edge_of_corner (const SsFesdSystem *s, const SsFesdPair *pair, int face, int k, const int corner[2])
{
  const SsShape *shape = pair->shape[face];
  const int n = n_corners_of (shape), first = k == 0 ? corner[face] : (corner[face] + n - 1) % n;
  const SsVec2 p = corner_of (shape, first), next = corner_of (shape, (first + 1) % n);
  const double length = hypot (next.x - p.x, next.y - p.y);
  const SsVec2 normal = {(next.y - p.y) / length, (p.x - next.x) / length};
  return face_point (s, pair, face, next, normal, length, corner[1 - face]);
}

/* How clearly the other body's edges lead away from an edge number k of shape `face` where both corners are at one
 * place: the least part along its normal; negative where they cross it. */
static double
clearance (const SsFesdPair *pair, const SsFesdPoint *edge_point, const double *pose[2], int face, const int corner[2])
{
  const double *a = pose[face];
  const SsVec2 n = edge_point->normal;
  const SsVec2 normal = direction_into_frame (
      (SsVec2){cos (a[2]) * n.x - sin (a[2]) * n.y, sin (a[2]) * n.x + cos (a[2]) * n.y}, pose[1 - face]);
  SsVec2 edge[2];
  set_edges (pair->shape[1 - face], corner[1 - face], edge);
  return fmin (normal.x * edge[0].x + normal.y * edge[0].y, normal.x * edge[1].x + normal.y * edge[1].y);
}

/* Two sharp corners at one place have no normal of their own: theirs is that of the edge, of the four, from which the
 * other body's edges lead away most clearly. False: all edges are crossed. */
static bool
meet_corners (const SsFesdSystem *s, const SsFesdPair *pair, const double *pose[2], const int corner[2],
              SsFesdPoint *point)
{
  double best = -crossing;
  bool found = false;
  for (int face = 0; face < 2; face++)
    for (int k = 0; k < 2 && n_corners_of (pair->shape[face]) > 2; k++) {
      const SsFesdPoint trial = edge_of_corner (s, pair, face, k, corner);
      const double clear = clearance (pair, &trial, pose, face, corner);
      if (clear <= best)
        continue;
      best = clear;
      *point = trial;
      found = true;
    }
  return found;
}

int
ss_fesd_system_meet (const SsFesdSystem *s, const SsFesdPair *pair, const double *q, SsFesdPoint points[2],
                     double gaps[2])
{
  SS_ASSERT (s != NULL && pair != NULL && q != NULL && points != NULL && gaps != NULL);

  const SsContact *c = &s->scene->contacts[pair->contact];
  const int body[2] = {c->body_a, c->body_b};
  const double *pose[2] = {q + 3 * body[0], q + 3 * body[1]};
  SsGap manifold[SS_MANIFOLD_MAX];
  const int n = ss_geometry_manifold (pair->shape[0], pose[0], pair->shape[1], pose[1], manifold);
  for (int k = 0; k < n; k++) {
    const SsGap *gap = &manifold[k];
    SsVec2 outward[2], from[2], normal[2];
    double away[2], length[2];
    int corner[2];
    bool is_face[2];
    for (int side = 0; side < 2; side++) {
      const SsVec2 out = side == 0 ? gap->normal : (SsVec2){-gap->normal.x, -gap->normal.y};
      outward[side] = direction_into_frame (out, pose[side]);
      corner[side] =
          nearest_corner (pair->shape[side], into_frame (side == 0 ? gap->point_a : gap->point_b, pose[side]),
                          outward[side], &away[side]);
      is_face[side] = edge_with_normal (pair->shape[side], outward[side], &from[side], &normal[side], &length[side]);
    }
    /* a face under the other's vertex; of two, the one whose own vertex is farther from the place */
    int face = is_face[0] && is_face[1] ? (away[0] > away[1] ? 0 : 1) : is_face[0] ? 0 : is_face[1] ? 1 : -1;
    gaps[k] = gap->phi;
    points[k] = face < 0 ? round_point (s, pair, corner, vertex_of_round (pair, away))
                         : face_point (s, pair, face, from[face], normal[face], length[face], corner[1 - face]);
    if (face < 0 && points[k].radius[0] + points[k].radius[1] == 0 && gap->phi <= same_corner_part * s->size)
      (void)meet_corners (s, pair, pose, corner, &points[k]);
  }
  return n;
}

static int
corner_at (const SsShape *shape, SsVec2 at)
{
  double away;
  return nearest_corner (shape, at, (SsVec2){0, 0}, &away);
}

/* The other way of two sharp corners that coincide: the corner of shape `corner_side` on that edge of the other's
 * corner along which it moves. */
static SsFesdPoint
corner_on_edge (const SsFesdSystem *s, const SsFesdPair *pair, const int corner[2], int corner_side, const double *q,
                const double *v)
{
  const SsContact *c = &s->scene->contacts[pair->contact];
  const int body[2] = {c->body_a, c->body_b}, face = 1 - corner_side;
  const double *pose = q + 3 * body[face], *speed = v + 3 * body[face];
  const double *other = q + 3 * body[corner_side], *speed_other = v + 3 * body[corner_side];
  const SsShape *shape = pair->shape[face];
  const SsVec2 local = corner_of (pair->shape[corner_side], corner[corner_side]);
  const double cos_other = cos (other[2]), sin_other = sin (other[2]);
  const SsVec2 arm = {cos_other * local.x - sin_other * local.y, sin_other * local.x + cos_other * local.y};
  const SsVec2 at = {other[0] + arm.x, other[1] + arm.y};
  const SsVec2 away = {speed_other[0] - speed_other[2] * arm.y - speed[0] + speed[2] * (at.y - pose[1]),
                       speed_other[1] + speed_other[2] * arm.x - speed[1] - speed[2] * (at.x - pose[0])};
  const SsVec2 motion = direction_into_frame (away, pose);
  SsVec2 edge[2];
  set_edges (shape, corner[face], edge);
  const bool is_next = edge[0].x * motion.x + edge[0].y * motion.y >= edge[1].x * motion.x + edge[1].y * motion.y;
  SsFesdPoint point = edge_of_corner (s, pair, face, is_next ? 0 : 1, corner);
  const double *poses[2] = {q + 3 * body[0], q + 3 * body[1]};
  if (n_corners_of (pair->shape[corner_side]) > 2 && clearance (pair, &point, poses, face, corner) < -crossing)
    (void)meet_corners (s, pair, poses, corner, &point);
  return point;
}

SsFesdPoint
ss_fesd_system_pass (const SsFesdSystem *s, const SsFesdPair *pair, const SsFesdPoint *point, int end, const double *q,
                     const double *v)
{
  SS_ASSERT (s != NULL && pair != NULL && point != NULL && q != NULL && v != NULL);

  const SsContact *c = &s->scene->contacts[pair->contact];
  int corner[2];
  if (point->kind == SS_FESD_ROUND) {
    for (int side = 0; side < 2; side++)
      corner[side] = corner_at (pair->shape[side], point->at[side]);
    for (int side = 0; side < 2; side++) {
      const SsShape *shape = pair->shape[side];
      const int n = n_corners_of (shape);
      const SsVec2 edge = point->edge[side][end], other = point->edge[1 - side][end];
      if (edge.x == 0 && edge.y == 0)
        continue;
      SsFesdPoint alone = *point;
      alone.edge[1 - side][end] = (SsVec2){0, 0};
      SsFesdPoint rest = *point;
      rest.edge[side][end] = (SsVec2){0, 0};
      if ((other.x != 0 || other.y != 0) && ss_fesd_point_room (&rest, q, end) < ss_fesd_point_room (&alone, q, end))
        continue;
      const int next = (corner[side] + (end == 0 ? 1 : n - 1)) % n;
      /* counter-clockwise, the outside is to the right; of two corners both sides are outside */
      const int first = end == 0 ? corner[side] : next, last = end == 0 ? next : corner[side];
      SsVec2 p = corner_of (shape, first), to = corner_of (shape, last);
      const double length = hypot (to.x - p.x, to.y - p.y);
      SsVec2 normal = {(to.y - p.y) / length, (p.x - to.x) / length};
      const double *a = q + 3 * point->body[0], *b = q + 3 * point->body[1];
      const SsVec2 way = {b[0] - a[0], b[1] - a[1]}, outward = {side == 0 ? way.x : -way.x, side == 0 ? way.y : -way.y};
      const SsVec2 seen = direction_into_frame (outward, q + 3 * point->body[side]);
      if (n == 2 && seen.x * normal.x + seen.y * normal.y < 0) {
        const SsVec2 swap = p;
        p = to;
        to = swap;
        normal = (SsVec2){-normal.x, -normal.y};
      }
      return face_point (s, pair, side, to, normal, length, corner[1 - side]);
    }
    return *point;
  }
  const int face = point->body[0] == c->body_a ? 0 : 1;
  /* the tangent runs against the order of the vertices: at[0] is the edge's last vertex */
  SsVec2 passed = point->at[0];
  if (end == 1) {
    passed.x += point->normal.y * point->range[1];
    passed.y -= point->normal.x * point->range[1];
  }
  corner[face] = corner_at (pair->shape[face], passed);
  corner[1 - face] = corner_at (pair->shape[1 - face], point->at[1]);
  if (point->radius[0] + point->radius[1] > 0)
    return round_point (s, pair, corner, pair->shape[1]->kind == SS_SHAPE_CIRCLE ? 1 : 1 - face);
  return corner_on_edge (s, pair, corner, face, q, v);
}

void
ss_fesd_system_gaps (const SsFesdSystem *s, const SsFesdPair *pair, const double *q, double gaps[2])
{
  SS_ASSERT (s != NULL && pair != NULL && q != NULL && gaps != NULL);

  const SsContact *c = &s->scene->contacts[pair->contact];
  SsGap manifold[SS_MANIFOLD_MAX];
  const int n = ss_geometry_manifold (pair->shape[0], q + 3 * c->body_a, pair->shape[1], q + 3 * c->body_b, manifold);
  for (int k = 0; k < 2; k++)
    gaps[k] = k < n ? manifold[k].phi : INFINITY;
}

/* ---- the tape ---------------------------------------------------------------------------------------------------- */

/* Inputs: q, v, lambda, t, whether controls are given, the controls. */
typedef struct {
  int q, v, lambda, t, given, u, n;
} Slots;

static Slots
slots_of (const SsFesdSystem *s)
{
  Slots slots = {.q = 0, .v = s->n_q, .lambda = 2 * s->n_q};
  slots.t = slots.lambda + s->n_rows;
  slots.given = slots.t + 1;
  slots.u = slots.given + 1;
  slots.n = slots.u + s->scene->n_actuators;
  return slots;
}

typedef struct {
  SsGraph *graph;
  SsExpr *q, *v, *u, *f; /* n_q, n_q, n_actuators, n_q: one block */
  SsRowExpr *rows;       /* n_rows */
  SsExpr *outputs;
  SsExpr *gradient;
  int *slots;
  int n_outputs, capacity;
} Builder;

static void
builder_clear (Builder *b)
{
  ss_graph_free (b->graph);
  ss_free (b->q);
  ss_free (b->rows);
  ss_free (b->outputs);
  ss_free (b->gradient);
  ss_free (b->slots);
}

static int
count_rows (const SsScene *scene, bool limits)
{
  int n = 0;
  for (int i = 0; i < scene->n_joints; i++) {
    const SsJoint *joint = &scene->joints[i];
    if (!limits)
      n += ss_joint_n_rows (joint);
    else if (ss_joint_has_range (joint))
      n += isfinite (joint->lower) + isfinite (joint->upper);
  }
  return n;
}

/* A control: what is given, or the formula within the actuator's bounds. */
static SsExpr
control_of (const SsFesdSystem *s, const SsMotionExpr *motion, int i)
{
  const SsActuator *actuator = &s->scene->actuators[i];
  const Slots slots = slots_of (s);
  SsGraph *g = motion->graph;
  SsExpr formula = actuator->formula == SS_EXPR_NONE ? ss_graph_constant (g, 0)
                                                     : ss_dynamics_expr_formula (motion, actuator->formula);
  if (isfinite (actuator->upper))
    formula = ss_graph_binary (g, SS_OP_MIN, formula, ss_graph_constant (g, actuator->upper));
  if (isfinite (actuator->lower))
    formula = ss_graph_binary (g, SS_OP_MAX, formula, ss_graph_constant (g, actuator->lower));
  return ss_graph_if (g, ss_graph_input (g, slots.given), ss_graph_input (g, slots.u + i), formula);
}

/* f (t, q, v, u) + G' lambda_b [000 (1b)], and phi of the rows. */
static SsStatus
build_expressions (SsFesdSystem *s, Builder *b, SsError *err)
{
  const Slots slots = slots_of (s);
  const size_t n_q = (size_t)s->n_q, n_u = (size_t)s->scene->n_actuators;
  SsStatus status = ss_graph_new (&b->graph, err);
  if (status != SS_OK)
    return status;
  b->q = ss_new_array (SsExpr, 3 * n_q + n_u + 1);
  b->rows = ss_new_array (SsRowExpr, (size_t)s->n_rows + SS_ROW_EXPR_JOINT_MAX);
  if (b->q == NULL || b->rows == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the equations of a scene");
  b->v = b->q + n_q;
  b->f = b->v + n_q;
  b->u = b->f + n_q;
  for (int i = 0; i < s->n_q; i++) {
    b->q[i] = ss_graph_input (b->graph, slots.q + i);
    b->v[i] = ss_graph_input (b->graph, slots.v + i);
  }
  SsMotionExpr motion = {.graph = b->graph, .scene = s->scene, .q = b->q, .v = b->v, .time_may_switch = true};
  motion.t = ss_graph_input (b->graph, slots.t);
  for (int i = 0; i < s->scene->n_actuators; i++)
    b->u[i] = control_of (s, &motion, i);
  motion.u = b->u;
  status = ss_dynamics_expr_forces (&motion, b->f, err);
  if (status != SS_OK)
    return status;
  int n = 0;
  for (int i = 0; i < s->scene->n_joints; i++)
    n += ss_dynamics_expr_joint (&motion, i, b->rows + n);
  SS_ASSERT (n == s->n_bilateral);
  for (int i = 0; i < s->scene->n_joints; i++)
    n += ss_dynamics_expr_limits (&motion, i, b->rows + n);
  for (int i = 0; i < s->n_drives; i++)
    ss_dynamics_expr_travel (&motion, s->drives[i].joint, &b->rows[n++]);
  SS_ASSERT (n == s->n_rows);
  for (int i = 0; i < s->n_rows; i++) {
    ss_dynamics_expr_push (&motion, &b->rows[i], ss_graph_input (b->graph, slots.lambda + i), b->f);
    s->row_joint[i] = b->rows[i].source;
    s->row_is_upper[i] = b->rows[i].index == 1;
    s->row_body[2 * i] = b->rows[i].body[0];
    s->row_body[2 * i + 1] = b->rows[i].body[1];
  }
  return SS_OK;
}

static bool
is_zero (const SsGraph *graph, SsExpr e)
{
  return e != SS_EXPR_NONE && ss_graph_op (graph, e) == SS_OP_CONSTANT && ss_graph_value (graph, e) == 0;
}

/* The derivatives of an output by the free coordinates of q or v that do not vanish. */
static SsStatus
add_derivatives (const SsFesdSystem *s, Builder *b, SsExpr e, int row, int first_slot, SsFesdEntry **entries, int *n,
                 int *capacity, SsError *err)
{
  for (int k = 0; k < s->n_free; k++)
    b->slots[k] = first_slot + s->coordinate[k];
  ss_graph_gradient (b->graph, e, b->slots, s->n_free, b->gradient);
  for (int k = 0; k < s->n_free; k++) {
    if (is_zero (b->graph, b->gradient[k]))
      continue;
    if (ss_array_reserve ((void **)entries, capacity, *n + 1, sizeof **entries) != 0 ||
        ss_array_reserve ((void **)&b->outputs, &b->capacity, b->n_outputs + 1, sizeof *b->outputs) != 0)
      return ss_error_set (err, SS_ERR_MEMORY, "no memory for the derivatives of a scene");
    (*entries)[(*n)++] = (SsFesdEntry){.row = row, .column = k, .output = b->n_outputs};
    b->outputs[b->n_outputs++] = b->gradient[k];
  }
  return SS_OK;
}

/* The same of a row by the locked coordinates that move, and by the time, which moves at 1. */
static SsStatus
add_driven (SsFesdSystem *s, Builder *b, int row, int first_slot, int *capacity, SsError *err)
{
  const int slot_t = slots_of (s).t;
  for (int i = -1; i < s->n_q; i++) {
    if (i >= 0 && (s->index[i] >= 0 || s->scene->bodies[i / 3].is_fixed || s->scene->bodies[i / 3].v[i % 3] == 0))
      continue;
    const SsExpr e = ss_graph_derivative (b->graph, b->rows[row].phi, i >= 0 ? first_slot + i : slot_t);
    if (is_zero (b->graph, e))
      continue;
    if (ss_array_reserve ((void **)&s->driven, capacity, s->n_driven + 1, sizeof *s->driven) != 0 ||
        ss_array_reserve ((void **)&b->outputs, &b->capacity, b->n_outputs + 1, sizeof *b->outputs) != 0)
      return ss_error_set (err, SS_ERR_MEMORY, "no memory for the derivatives of a scene");
    s->driven[s->n_driven++] = (SsFesdEntry){.row = row, .column = i, .output = b->n_outputs};
    b->outputs[b->n_outputs++] = e;
  }
  return SS_OK;
}

/* The rate of a row, J v in all coordinates that move and d phi / d t. */
static SsExpr
rate_of (const SsFesdSystem *s, Builder *b, int row, int first_slot)
{
  SsExpr rate = ss_graph_derivative (b->graph, b->rows[row].phi, slots_of (s).t);
  for (int i = 0; i < s->n_q; i++)
    if (s->index[i] >= 0 || !s->scene->bodies[i / 3].is_fixed) {
      const SsExpr by = ss_graph_derivative (b->graph, b->rows[row].phi, first_slot + i);
      if (!is_zero (b->graph, by))
        rate = ss_expr_add (b->graph, rate, ss_expr_mul (b->graph, by, b->v[i]));
    }
  return rate;
}

static SsStatus
build_tape (SsFesdSystem *s, Builder *b, SsError *err)
{
  const Slots slots = slots_of (s);
  SsStatus status = SS_OK;
  b->gradient = ss_new_array (SsExpr, s->n_free + 1);
  b->slots = ss_new_array (int, s->n_free + 1);
  if (b->gradient == NULL || b->slots == NULL ||
      ss_array_reserve ((void **)&b->outputs, &b->capacity, s->n_free + s->n_rows + 1, sizeof *b->outputs) != 0)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the derivatives of a scene");
  for (int i = 0; i < s->n_free; i++)
    b->outputs[b->n_outputs++] = b->f[s->coordinate[i]];
  for (int i = 0; i < s->n_rows; i++)
    b->outputs[b->n_outputs++] = b->rows[i].phi;
  int capacity[5] = {0};
  for (int i = 0; status == SS_OK && i < s->n_free; i++) {
    status = add_derivatives (s, b, b->f[s->coordinate[i]], i, slots.q, &s->fq, &s->n_fq, &capacity[0], err);
    if (status == SS_OK)
      status = add_derivatives (s, b, b->f[s->coordinate[i]], i, slots.v, &s->fv, &s->n_fv, &capacity[1], err);
  }
  for (int i = 0; status == SS_OK && i < s->n_rows; i++)
    status = add_derivatives (s, b, b->rows[i].phi, i, slots.q, &s->j, &s->n_j, &capacity[2], err);
  for (int i = 0; status == SS_OK && i < s->n_rows; i++)
    status = add_driven (s, b, i, slots.q, &capacity[3], err);
  for (int i = 0; status == SS_OK && i < s->n_rows; i++)
    status = add_derivatives (s, b, rate_of (s, b, i, slots.q), i, slots.q, &s->swing, &s->n_swing, &capacity[4], err);
  if (status != SS_OK)
    return status;
  if (!ss_graph_is_whole (b->graph))
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the derivatives of a scene");
  s->n_inputs = slots.n;
  s->n_outputs = b->n_outputs;
  if (s->n_outputs == 0)
    return SS_OK;
  status = ss_tape_new (b->graph, b->outputs, b->n_outputs, slots.n, &s->tape, err);
  if (status != SS_OK)
    return status;
  s->in = ss_new_array (double, (size_t)slots.n *SS_FESD_INSTANCES);
  s->out = ss_new_array (double, (size_t)s->n_outputs *SS_FESD_INSTANCES);
  s->work = ss_new_array (double, ss_tape_work_size (s->tape) + 1);
  if (s->in == NULL || s->out == NULL || s->work == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the numbers of a scene");
  return SS_OK;
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

static SsStatus
make_coordinates (SsFesdSystem *s, SsError *err)
{
  const double *inverse = ss_dynamics_inverse_mass (s->dynamics), *mass = ss_dynamics_mass (s->dynamics);
  s->n_q = 3 * s->scene->n_bodies;
  s->n_bilateral = count_rows (s->scene, false);
  s->n_drives = ss_fesd_find_drives (s->scene, NULL);
  s->n_rows = s->n_bilateral + count_rows (s->scene, true) + s->n_drives;
  s->drives = ss_new_array (SsFesdDrive, s->n_drives + 1);
  s->coordinate = ss_new_array (int, s->n_q + 1);
  s->index = ss_new_array (int, s->n_q + 1);
  s->mass = ss_new_array (double, s->n_q + 1);
  s->row_joint = ss_new_array (int, s->n_rows + 1);
  s->row_is_upper = ss_new_array (bool, s->n_rows + 1);
  s->row_body = ss_new_array (int, 2 * s->n_rows + 1);
  if (s->coordinate == NULL || s->index == NULL || s->mass == NULL || s->row_joint == NULL || s->row_is_upper == NULL ||
      s->row_body == NULL || s->drives == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the coordinates of %d bodies", s->scene->n_bodies);
  ss_fesd_find_drives (s->scene, s->drives);
  for (int i = 0; i < s->n_q; i++) {
    s->index[i] = -1;
    if (inverse[i] == 0)
      continue;
    s->index[i] = s->n_free;
    s->coordinate[s->n_free] = i;
    s->mass[s->n_free++] = mass[i];
  }
  for (int i = 0; i < s->scene->n_bodies; i++)
    for (int k = 0; k < s->scene->bodies[i].n_shapes; k++)
      s->size = fmax (s->size, size_of (&s->scene->bodies[i].shapes[k]));
  s->size = s->size > 0 ? s->size : 1;
  return SS_OK;
}

SsStatus
ss_fesd_system_new (const SsScene *scene, SsFesdSystem **out, SsError *err)
{
  SS_ASSERT (scene != NULL && out != NULL);

  *out = NULL;
  Builder builder = {0};
  SsFesdSystem *s = ss_new (SsFesdSystem);
  if (s == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the equations of a scene");
  s->scene = scene;
  SsStatus status = ss_dynamics_new (scene, &s->dynamics, err);
  if (status == SS_OK)
    status = make_coordinates (s, err);
  if (status == SS_OK)
    status = make_points (s, err);
  if (status == SS_OK)
    status = build_expressions (s, &builder, err);
  if (status == SS_OK)
    status = build_tape (s, &builder, err);
  builder_clear (&builder);
  if (status == SS_OK)
    *out = s;
  else
    ss_fesd_system_free (s);
  return status;
}

void
ss_fesd_system_free (SsFesdSystem *s)
{
  if (s == NULL)
    return;
  ss_dynamics_free (s->dynamics);
  ss_free (s->coordinate);
  ss_free (s->index);
  ss_free (s->mass);
  ss_free (s->row_joint);
  ss_free (s->row_is_upper);
  ss_free (s->row_body);
  ss_free (s->drives);
  ss_free (s->points);
  ss_free (s->is_live);
  ss_free (s->pairs);
  ss_free (s->fq);
  ss_free (s->fv);
  ss_free (s->j);
  ss_free (s->swing);
  ss_free (s->driven);
  ss_tape_free (s->tape);
  ss_free (s->in);
  ss_free (s->out);
  ss_free (s->work);
  ss_free (s);
}

/* ---- evaluation -------------------------------------------------------------------------------------------------- */

void
ss_fesd_system_set (SsFesdSystem *s, int instance, double t, const double *q, const double *v, const double *lambda)
{
  SS_ASSERT (s != NULL && q != NULL && v != NULL && instance >= 0 && instance < SS_FESD_INSTANCES);

  if (s->tape == NULL)
    return;
  const Slots slots = slots_of (s);
  double *in = s->in + instance;
  for (int i = 0; i < s->n_q; i++) {
    in[(slots.q + i) * SS_FESD_INSTANCES] = q[i];
    in[(slots.v + i) * SS_FESD_INSTANCES] = v[i];
  }
  for (int i = 0; i < s->n_rows; i++)
    in[(slots.lambda + i) * SS_FESD_INSTANCES] = lambda != NULL ? lambda[i] : 0;
  in[slots.t * SS_FESD_INSTANCES] = t;
}

void
ss_fesd_system_set_controls (SsFesdSystem *s, const double *controls)
{
  SS_ASSERT (s != NULL);

  const Slots slots = slots_of (s);
  for (int k = 0; s->tape != NULL && k < SS_FESD_INSTANCES; k++) {
    s->in[slots.given * SS_FESD_INSTANCES + k] = controls != NULL;
    for (int i = 0; controls != NULL && i < s->scene->n_actuators; i++)
      s->in[(slots.u + i) * SS_FESD_INSTANCES + k] =
          fmin (fmax (controls[i], s->scene->actuators[i].lower), s->scene->actuators[i].upper);
  }
}

void
ss_fesd_system_evaluate (SsFesdSystem *s, int n_instances)
{
  SS_ASSERT (s != NULL && n_instances > 0 && n_instances <= SS_FESD_INSTANCES);

  if (s->tape != NULL)
    ss_tape_eval (s->tape, n_instances, SS_FESD_INSTANCES, s->in, s->n_inputs, NULL, s->out, s->work);
}
