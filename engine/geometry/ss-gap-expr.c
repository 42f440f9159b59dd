/* engine/geometry/ss-gap-expr.c: see ss-gap-expr.h. */
#include "geometry/ss-gap-expr.h"

#include <math.h>
#include <string.h>

/* Smoothing of the distance of two circles, as a fraction of their radii. Its error is of second order: 5e-11 of the
 * radii. */
static const double round_fraction = 1e-5;
/* Vertices within this fraction of the size from the farthest one along a direction lie on one face: numeric normals of
 * faces are exact to rounding. */
static const double face_fraction = 1e-9;

/* ---- cores ------------------------------------------------------------------------------------------------------- */

static int
core_size (const SsShape *shape)
{
  return shape->kind == SS_SHAPE_CIRCLE ? 1 : shape->n_vertices;
}

static const SsVec2 *
core_vertex (const SsShape *shape, int i)
{
  return shape->kind == SS_SHAPE_CIRCLE ? &shape->centre : &shape->vertices[i];
}

static int
n_weights_of (const SsShape *shape)
{
  int n = core_size (shape);
  return n > 1 ? n : 0;
}

int
ss_gap_pairs (const SsShape *a, const SsShape *b, SsGapPair *pairs)
{
  SS_ASSERT (a != NULL && b != NULL && pairs != NULL);

  bool plane_a = a->kind == SS_SHAPE_HALF_PLANE, plane_b = b->kind == SS_SHAPE_HALF_PLANE;
  if (plane_a && plane_b)
    return 0;
  if (plane_a || plane_b) {
    int n = core_size (plane_a ? b : a);
    for (int i = 0; i < n; i++)
      pairs[i] = (SsGapPair){.kind = SS_GAP_PLANE, .a = a, .b = b, .vertex = i};
    return n;
  }
  pairs[0] = (SsGapPair){.kind = SS_GAP_HULLS, .a = a, .b = b};
  if (a->kind == SS_SHAPE_CIRCLE && b->kind == SS_SHAPE_CIRCLE) {
    pairs[0].kind = SS_GAP_ROUND;
    return 1;
  }
  pairs[0].n_weights_a = n_weights_of (a);
  pairs[0].n_weights = pairs[0].n_weights_a + n_weights_of (b);
  return 1;
}

/* ---- expressions ------------------------------------------------------------------------------------------------- */

/* A graph, and which numbers of shapes are its inputs. */
typedef struct {
  SsGraph *graph;
  const SsInputNumbers *inputs;
} Maker;

static SsExpr
core_radius (const Maker *m, const SsShape *shape)
{
  bool is_round = shape->kind == SS_SHAPE_CIRCLE || shape->kind == SS_SHAPE_CAPSULE;
  return is_round ? ss_expr_number_at (m->graph, m->inputs, &shape->radius) : ss_expr_number (m->graph, 0);
}

static SsVec2Expr
core_vertex_expr (const Maker *m, const SsShape *shape, int i)
{
  return ss_vec2_expr_at (m->graph, m->inputs, core_vertex (shape, i));
}

static SsVec2Expr
world_point (SsGraph *g, const SsExpr pose[3], SsVec2Expr local)
{
  SsVec2Expr arm = ss_vec2_expr_turn (g, ss_vec2_expr_direction (g, pose[2]), local);
  return (SsVec2Expr){ss_expr_add (g, pose[0], arm.x), ss_expr_add (g, pose[1], arm.y)};
}

/* p + s n */
static SsVec2Expr
along (SsGraph *g, SsVec2Expr p, SsExpr s, SsVec2Expr n)
{
  return ss_vec2_expr_add (g, p, ss_vec2_expr_scale (g, s, n));
}

static void
plane_gap (const Maker *m, const SsGapPair *pair, const SsExpr pose_a[3], const SsExpr pose_b[3], SsGapExpr *out)
{
  SsGraph *g = m->graph;
  bool plane_a = pair->a->kind == SS_SHAPE_HALF_PLANE;
  const SsShape *plane = plane_a ? pair->a : pair->b, *other = plane_a ? pair->b : pair->a;
  const SsExpr *pose_plane = plane_a ? pose_a : pose_b, *pose_other = plane_a ? pose_b : pose_a;
  SsExpr radius = core_radius (m, other);
  const SsVec2Expr upright = ss_vec2_expr_at (g, m->inputs, &plane->normal);
  SsVec2Expr normal = ss_vec2_expr_turn (g, ss_vec2_expr_direction (g, pose_plane[2]), upright);
  SsVec2Expr centre = world_point (g, pose_plane, ss_vec2_expr_at (g, m->inputs, &plane->centre));
  SsVec2Expr p = world_point (g, pose_other, core_vertex_expr (m, other, pair->vertex));
  out->phi = ss_expr_sub (g, ss_vec2_expr_dot (g, normal, ss_vec2_expr_sub (g, p, centre)), radius);
  out->point_a = out->point_b = along (g, p, ss_expr_neg (g, radius), normal);
  out->normal = plane_a ? normal : (SsVec2Expr){ss_expr_neg (g, normal.x), ss_expr_neg (g, normal.y)};
}

static void
round_gap (const Maker *m, const SsGapPair *pair, const SsExpr pose_a[3], const SsExpr pose_b[3], SsGapExpr *out)
{
  SsGraph *g = m->graph;
  SsExpr radius_a = core_radius (m, pair->a), radius_b = core_radius (m, pair->b);
  SsExpr sum = ss_expr_add (g, radius_a, radius_b), e = ss_expr_scale (g, round_fraction, sum);
  SsExpr e_squared = ss_expr_mul (g, e, e);
  SsVec2Expr a = world_point (g, pose_a, core_vertex_expr (m, pair->a, 0));
  SsVec2Expr b = world_point (g, pose_b, core_vertex_expr (m, pair->b, 0));
  SsVec2Expr z = ss_vec2_expr_sub (g, b, a);
  SsExpr square = ss_expr_add (g, ss_vec2_expr_dot (g, z, z), e_squared);
  SsExpr distance = ss_graph_unary (g, SS_OP_SQRT, square);
  SsExpr touching = ss_graph_unary (g, SS_OP_SQRT, ss_expr_add (g, ss_expr_mul (g, sum, sum), e_squared));
  out->phi = ss_expr_sub (g, distance, touching);
  out->normal = (SsVec2Expr){ss_expr_div (g, z.x, distance), ss_expr_div (g, z.y, distance)};
  out->point_a = along (g, a, radius_a, out->normal);
  out->point_b = along (g, b, ss_expr_neg (g, radius_b), out->normal);
}

static void
square_gap (const Maker *m, const SsGapPair *pair, const SsExpr pose_a[3], const SsExpr pose_b[3], SsGapExpr *out)
{
  SsGraph *g = m->graph;
  SsExpr radius_a = core_radius (m, pair->a), radius_b = core_radius (m, pair->b);
  SsExpr sum = ss_expr_add (g, radius_a, radius_b);
  SsVec2Expr a = world_point (g, pose_a, core_vertex_expr (m, pair->a, 0));
  SsVec2Expr b = world_point (g, pose_b, core_vertex_expr (m, pair->b, 0));
  SsVec2Expr z = ss_vec2_expr_sub (g, b, a);
  const SsExpr twice = ss_expr_scale (g, 2, sum), square = ss_expr_mul (g, sum, sum);
  out->phi = ss_expr_div (g, ss_expr_sub (g, ss_vec2_expr_dot (g, z, z), square), twice);
  out->normal = (SsVec2Expr){ss_expr_div (g, z.x, sum), ss_expr_div (g, z.y, sum)};
  out->point_a = out->point_b = along (g, a, radius_a, out->normal);
}

/* sum w_i vertex_i in the body's frame, the row sum w - 1, and the slacks sign n . (vertex_i - y), n in the body's
 * frame. */
static SsVec2Expr
weighted_point (const Maker *m, const SsShape *shape, const SsExpr *weights, SsVec2Expr n, double sign, SsGapExpr *out,
                SsExpr *slack)
{
  SsGraph *g = m->graph;
  int size = core_size (shape);
  if (size == 1)
    return core_vertex_expr (m, shape, 0);
  SsVec2Expr y = {ss_expr_number (g, 0), ss_expr_number (g, 0)};
  SsExpr sum = ss_expr_number (g, -1);
  for (int i = 0; i < size; i++) {
    y = ss_vec2_expr_add (g, y, ss_vec2_expr_scale (g, weights[i], core_vertex_expr (m, shape, i)));
    sum = ss_expr_add (g, sum, weights[i]);
  }
  out->zero[out->n_zero++] = sum;
  for (int i = 0; i < size; i++) {
    SsVec2Expr d = ss_vec2_expr_sub (g, core_vertex_expr (m, shape, i), y);
    slack[i] = ss_expr_scale (g, sign, ss_vec2_expr_dot (g, n, d));
  }
  return y;
}

static void
hulls_gap (const Maker *m, const SsGapPair *pair, const SsExpr pose_a[3], const SsExpr pose_b[3], const SsExpr *lifted,
           SsGapExpr *out)
{
  SsGraph *g = m->graph;
  SsExpr angle = ss_expr_add (g, pose_a[2], lifted[0]);
  SsVec2Expr n = ss_vec2_expr_direction (g, angle);
  SsVec2Expr n_b = ss_vec2_expr_direction (g, ss_expr_sub (g, angle, pose_b[2]));
  SsExpr radius_a = core_radius (m, pair->a), radius_b = core_radius (m, pair->b);
  out->n_zero = 1;
  SsVec2Expr y_a = weighted_point (m, pair->a, lifted + 1, ss_vec2_expr_direction (g, lifted[0]), -1, out, out->slack);
  SsVec2Expr y_b =
      weighted_point (m, pair->b, lifted + 1 + pair->n_weights_a, n_b, 1, out, out->slack + pair->n_weights_a);
  y_a = world_point (g, pose_a, y_a);
  y_b = world_point (g, pose_b, y_b);
  SsVec2Expr way = ss_vec2_expr_sub (g, y_b, y_a);
  out->zero[0] = ss_vec2_expr_cross (g, n, way);
  const SsExpr radii = ss_expr_add (g, radius_a, radius_b);
  out->phi = ss_expr_sub (g, ss_vec2_expr_dot (g, n, way), radii);
  out->normal = n;
  out->point_a = along (g, y_a, radius_a, n);
  out->point_b = along (g, y_b, ss_expr_neg (g, radius_b), n);
}

void
ss_gap_expr (SsGraph *graph, const SsInputNumbers *inputs, const SsGapPair *pair, const SsExpr pose_a[3],
             const SsExpr pose_b[3], const SsExpr *lifted, SsGapExpr *out)
{
  SS_ASSERT (graph != NULL && pair != NULL && pose_a != NULL && pose_b != NULL && out != NULL);
  SS_ASSERT (ss_gap_n_lifted (pair) == 0 || lifted != NULL);
  const Maker maker = {graph, inputs};

  memset (out, 0, sizeof *out);
  switch (pair->kind) {
  case SS_GAP_PLANE:
    plane_gap (&maker, pair, pose_a, pose_b, out);
    break;
  case SS_GAP_ROUND:
    round_gap (&maker, pair, pose_a, pose_b, out);
    break;
  case SS_GAP_SQUARE:
    square_gap (&maker, pair, pose_a, pose_b, out);
    break;
  case SS_GAP_HULLS:
    hulls_gap (&maker, pair, pose_a, pose_b, lifted, out);
    break;
  }
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

/* The vertices of a core farthest along sign n: up to two, with their coordinates along t (relative to the core's pose
 * origin `at`). */
typedef struct {
  int index[2];
  double s[2];
  int n;
} Support;

static Support
find_support (const SsShape *shape, const double pose[3], SsVec2 n, double sign)
{
  double c = cos (pose[2]), s = sin (pose[2]), best = -INFINITY, size = 0;
  double height[SS_POLYGON_MAX], side[SS_POLYGON_MAX];
  Support support = {.n = 0};
  for (int i = 0; i < core_size (shape); i++) {
    SsVec2 v = *core_vertex (shape, i), r = {c * v.x - s * v.y, s * v.x + c * v.y};
    height[i] = sign * (n.x * r.x + n.y * r.y);
    side[i] = n.y * (pose[0] + r.x) - n.x * (pose[1] + r.y);
    best = fmax (best, height[i]);
    size = fmax (size, fmax (fabs (v.x), fabs (v.y)));
  }
  for (int i = 0; i < core_size (shape) && support.n < 2; i++)
    if (height[i] >= best - face_fraction * size) {
      support.index[support.n] = i;
      support.s[support.n++] = side[i];
    }
  return support;
}

/* Weights that put the point of the support at coordinate s along the tangent. */
static void
set_weights (const Support *support, int n_weights, double s, double *weights)
{
  if (n_weights == 0)
    return;
  memset (weights, 0, (size_t)n_weights * sizeof *weights);
  if (support->n == 1 || support->s[0] == support->s[1]) {
    weights[support->index[0]] = 1;
    return;
  }
  double part = (s - support->s[0]) / (support->s[1] - support->s[0]);
  part = fmin (fmax (part, 0), 1);
  weights[support->index[0]] = 1 - part;
  weights[support->index[1]] = part;
}

void
ss_gap_expr_lift (const SsGapPair *pair, const double pose_a[3], const double pose_b[3], double *lifted)
{
  ss_gap_expr_lift_at (pair, pose_a, pose_b, 0.5, lifted);
}

void
ss_gap_expr_lift_at (const SsGapPair *pair, const double pose_a[3], const double pose_b[3], double share,
                     double *lifted)
{
  SS_ASSERT (pair != NULL && pose_a != NULL && pose_b != NULL);
  SS_ASSERT (ss_gap_n_lifted (pair) == 0 || lifted != NULL);

  if (pair->kind != SS_GAP_HULLS)
    return;
  SsGap gaps[SS_MANIFOLD_MAX];
  SsVec2 n = {1, 0};
  if (ss_geometry_manifold (pair->a, pose_a, pair->b, pose_b, gaps) > 0)
    n = gaps[0].normal;
  Support a = find_support (pair->a, pose_a, n, 1), b = find_support (pair->b, pose_b, n, -1);
  double low = fmax (fmin (a.s[0], a.s[a.n - 1]), fmin (b.s[0], b.s[b.n - 1]));
  double high = fmin (fmax (a.s[0], a.s[a.n - 1]), fmax (b.s[0], b.s[b.n - 1]));
  lifted[0] = remainder (atan2 (n.y, n.x) - pose_a[2], 2 * acos (-1.0));
  const double at = (1 - share) * low + share * high;

  set_weights (&a, pair->n_weights_a, at, lifted + 1);
  set_weights (&b, pair->n_weights - pair->n_weights_a, at, lifted + 1 + pair->n_weights_a);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static double
core_radius_value (const SsShape *shape)
{
  return shape->kind == SS_SHAPE_CIRCLE || shape->kind == SS_SHAPE_CAPSULE ? shape->radius : 0;
}

static SsVec2
place (const double pose[3], SsVec2 p)
{
  const double c = cos (pose[2]), s = sin (pose[2]);

  return (SsVec2){pose[0] + c * p.x - s * p.y, pose[1] + s * p.x + c * p.y};
}

/* The point of a core with these weights (NULL: its only vertex). */
static SsVec2
core_point (const SsShape *shape, const double pose[3], const double *weights)
{
  SsVec2 sum = {0, 0};

  if (weights == NULL)
    return place (pose, *core_vertex (shape, 0));
  for (int i = 0; i < core_size (shape); i++) {
    const SsVec2 vertex = place (pose, *core_vertex (shape, i));

    sum.x += weights[i] * vertex.x;
    sum.y += weights[i] * vertex.y;
  }
  return sum;
}

static void
plane_values (const SsGapPair *pair, const double pose_a[3], const double pose_b[3], SsGap *out)
{
  const bool plane_a = pair->a->kind == SS_SHAPE_HALF_PLANE;
  const SsShape *plane = plane_a ? pair->a : pair->b, *other = plane_a ? pair->b : pair->a;
  const double *pose = plane_a ? pose_a : pose_b, c = cos (pose[2]), s = sin (pose[2]);
  const SsVec2 n = {c * plane->normal.x - s * plane->normal.y, s * plane->normal.x + c * plane->normal.y},
               centre = place (pose, plane->centre),
               p = place (plane_a ? pose_b : pose_a, *core_vertex (other, pair->vertex));
  const double r = core_radius_value (other);

  out->phi = n.x * (p.x - centre.x) + n.y * (p.y - centre.y) - r;
  out->point_a = out->point_b = (SsVec2){p.x - r * n.x, p.y - r * n.y};
  out->normal = plane_a ? n : (SsVec2){-n.x, -n.y};
}

void
ss_gap_expr_value (const SsGapPair *pair, const double pose_a[3], const double pose_b[3], const double *lifted,
                   SsGap *out)
{
  SS_ASSERT (pair != NULL);
  if (pair->kind == SS_GAP_PLANE) {
    plane_values (pair, pose_a, pose_b, out);
    return;
  }
  const bool is_hulls = pair->kind == SS_GAP_HULLS;
  const int n_b = pair->n_weights - pair->n_weights_a;
  const double ra = core_radius_value (pair->a), rb = core_radius_value (pair->b);
  const SsVec2 a = core_point (pair->a, pose_a, is_hulls && pair->n_weights_a > 0 ? lifted + 1 : NULL),
               b = core_point (pair->b, pose_b, is_hulls && n_b > 0 ? lifted + 1 + pair->n_weights_a : NULL);
  const double distance = hypot (b.x - a.x, b.y - a.y);
  SsVec2 n = {distance > 0 ? (b.x - a.x) / distance : 1, distance > 0 ? (b.y - a.y) / distance : 0};

  if (is_hulls)
    n = (SsVec2){cos (pose_a[2] + lifted[0]), sin (pose_a[2] + lifted[0])};
  out->phi = n.x * (b.x - a.x) + n.y * (b.y - a.y) - ra - rb;
  out->normal = n;
  out->point_a = (SsVec2){a.x + ra * n.x, a.y + ra * n.y};
  out->point_b = (SsVec2){b.x - rb * n.x, b.y - rb * n.y};
}
