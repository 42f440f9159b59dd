/* tests/numeric/test-geometry.c: signed distances against 50-digit reference pairs and against their definition,
 * manifolds against closed forms and invariants, the broad phase against all pairs.
 *
 * `test-geometry FILE` reads another file of reference pairs; without arguments it uses tests/data/geometry/pairs.json.
 */
#include "geometry/ss-broadphase.h"
#include "../ss-test.h"

#include <jansson.h>
#include <float.h>

/* Rounding of coordinates: a few operations on numbers as large as the shapes and their distance. Relative to that
 * size. */
static const double phi_tolerance = 16 * DBL_EPSILON;
/* A point may leave its shape by the rounding of the world coordinates. */
static const double witness_tolerance = 64 * DBL_EPSILON;

static const char *pairs_file = SS_SOURCE_ROOT "/tests/data/geometry/pairs.json";

typedef struct {
  SsShape shape;
  SsVec2 vertices[SS_POLYGON_MAX];
  double pose[3];
  double size; /* extent and distance from the origin */
} Placed;

static double
number (const json_t *array, size_t i)
{
  return json_number_value (json_array_get (array, i));
}

static bool
read_shape (const json_t *json, Placed *placed)
{
  const char *type = json_string_value (json_object_get (json, "type"));
  const json_t *position = json_object_get (json, "pos"), *vertices = json_object_get (json, "vertices");
  memset (placed, 0, sizeof *placed);
  placed->pose[0] = number (position, 0);
  placed->pose[1] = number (position, 1);
  placed->pose[2] = json_number_value (json_object_get (json, "angle"));
  placed->size = hypot (placed->pose[0], placed->pose[1]);
  if (type == NULL)
    return false;
  if (strcmp (type, "circle") == 0) {
    placed->shape.kind = SS_SHAPE_CIRCLE;
    placed->shape.radius = json_number_value (json_object_get (json, "radius"));
    placed->size += placed->shape.radius;
    return true;
  }
  if (strcmp (type, "halfplane") == 0) {
    placed->shape.kind = SS_SHAPE_HALF_PLANE;
    placed->shape.normal = (SsVec2){0, 1};
    return true;
  }
  size_t n = json_array_size (vertices);
  if (n < 2 || n > SS_POLYGON_MAX)
    return false;
  placed->shape.kind = strcmp (type, "segment") == 0   ? SS_SHAPE_SEGMENT
                       : strcmp (type, "capsule") == 0 ? SS_SHAPE_CAPSULE
                                                       : SS_SHAPE_POLYGON;
  if (placed->shape.kind == SS_SHAPE_CAPSULE) {
    placed->shape.radius = json_number_value (json_object_get (json, "radius"));
    placed->size += placed->shape.radius;
  }
  placed->shape.n_vertices = (int)n;
  placed->shape.vertices = placed->vertices;
  double extent = 0;
  for (size_t i = 0; i < n; i++) {
    placed->vertices[i] = (SsVec2){number (json_array_get (vertices, i), 0), number (json_array_get (vertices, i), 1)};
    extent = fmax (extent, hypot (placed->vertices[i].x, placed->vertices[i].y));
  }
  placed->size += extent;
  return true;
}

static double
normal_error (SsVec2 normal, const json_t *reference)
{
  return hypot (normal.x - number (reference, 0), normal.y - number (reference, 1));
}

/* Distance from p to the reference interval of a witness (body 0 = A, 1 = B). */
static double
witness_error (SsVec2 p, const json_t *interval, size_t body)
{
  const json_t *from = json_array_get (json_array_get (interval, 0), body);
  const json_t *to = json_array_get (json_array_get (interval, 1), body);
  double ax = number (from, 0), ay = number (from, 1), dx = number (to, 0) - ax, dy = number (to, 1) - ay;
  double length2 = dx * dx + dy * dy;
  double t = length2 > 0 ? ((p.x - ax) * dx + (p.y - ay) * dy) / length2 : 0;
  t = fmin (fmax (t, 0), 1);
  return hypot (p.x - ax - t * dx, p.y - ay - t * dy);
}

static void
test_reference_pairs (void)
{
  json_error_t error;
  json_t *root = json_load_file (pairs_file, 0, &error);
  SS_CHECK (root != NULL);
  const json_t *pairs = json_object_get (root, "pairs");
  size_t index;
  json_t *pair;
  double worst_phi = 0, worst_normal = 0, worst_witness = 0;
  int n_compared = 0;
  json_array_foreach (pairs, index, pair)
  {
    Placed a, b;
    SsGap gaps[SS_MANIFOLD_MAX];
    if (!read_shape (json_object_get (pair, "A"), &a) || !read_shape (json_object_get (pair, "B"), &b))
      continue;
    double size = a.size + b.size, phi = json_number_value (json_object_get (pair, "phi"));
    int before = ss_test_failed_checks;
    int n = ss_geometry_manifold (&a.shape, a.pose, &b.shape, b.pose, gaps);
    SS_CHECK (n >= 1);
    n_compared++;
    SS_CHECK_NEAR (gaps[0].phi, phi, phi_tolerance * size);
    worst_phi = fmax (worst_phi, fabs (gaps[0].phi - phi) / size);

    /* the normal turns by rounding over lever: vertex on vertex over the gap, faces over their length */
    const json_t *alternatives[2] = {json_object_get (pair, "alt_normals"), json_object_get (pair, "near_tie_normals")};
    double turned = normal_error (gaps[0].normal, json_object_get (pair, "normal"));
    bool is_other = json_is_true (json_object_get (pair, "normal_arbitrary"));
    if (is_other)
      turned = 0;
    for (int list = 0; list < 2; list++) {
      size_t k;
      json_t *other;
      json_array_foreach (alternatives[list], k, other)
      {
        if (normal_error (gaps[0].normal, other) < turned) {
          turned = normal_error (gaps[0].normal, other);
          is_other = true;
        }
      }
    }
    const char *category = json_string_value (json_object_get (pair, "category"));
    bool is_close = strcmp (category, "vertex-vertex") == 0 || strcmp (category, "near-touching") == 0;
    double lever = is_close ? fabs (phi) : size * 1e-3;
    SS_CHECK_NEAR (turned, 0, phi_tolerance * size / lever);
    worst_normal = fmax (worst_normal, turned);
    for (int k = 0; k < n; k++) {
      SsVec2 d = {gaps[k].point_b.x - gaps[k].point_a.x - gaps[k].phi * gaps[k].normal.x,
                  gaps[k].point_b.y - gaps[k].point_a.y - gaps[k].phi * gaps[k].normal.y};
      SS_CHECK_NEAR (hypot (d.x, d.y), 0, witness_tolerance * size);
    }
    if (!is_other) {
      /* almost parallel faces: the witness moves along the face by rounding over the angle, so compare where the
       * reference calls it unique and the two candidates' gaps differ by more than rounding */
      const json_t *interval = json_object_get (pair, "witness_interval");
      bool is_tie = n == 2 && gaps[1].phi - gaps[0].phi <= phi_tolerance * size;
      double wrong = fmax (witness_error (gaps[0].point_a, interval, 0), witness_error (gaps[0].point_b, interval, 1));
      if (!is_tie) {
        SS_CHECK_NEAR (wrong, 0, witness_tolerance * size * fmax (1, 1e-3 * size / lever));
        worst_witness = fmax (worst_witness, wrong / size);
      }
    }
    if (ss_test_failed_checks != before)
      printf ("  in pair %d (%s)\n", (int)json_integer_value (json_object_get (pair, "id")),
              json_string_value (json_object_get (pair, "category")));
  }
  SS_CHECK (n_compared > 0 && (size_t)n_compared == json_array_size (pairs));
  printf ("  %d pairs: worst phi %.2g, witness %.2g of the size; normal %.2g\n", n_compared, worst_phi, worst_witness,
          worst_normal);
  json_decref (root);
}

/* Swapping the bodies negates the normal and swaps the witnesses; moving both by one rigid motion changes no gap. */
static void
test_symmetry (void)
{
  SsVec2 square[4] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
  SsVec2 triangle[3] = {{-0.4, -0.3}, {0.6, -0.1}, {-0.2, 0.4}};
  SsShape shapes[4] = {{.kind = SS_SHAPE_CIRCLE, .radius = 0.3},
                       {.kind = SS_SHAPE_POLYGON, .n_vertices = 4, .vertices = square},
                       {.kind = SS_SHAPE_POLYGON, .n_vertices = 3, .vertices = triangle},
                       {.kind = SS_SHAPE_HALF_PLANE, .normal = {0.6, 0.8}}};
  SsRandom random;
  ss_random_seed (&random, 7);
  for (int trial = 0; trial < 2000; trial++) {
    const SsShape *a = &shapes[ss_random_next (&random) % 4], *b = &shapes[ss_random_next (&random) % 4];
    double pa[3] = {ss_random_normal (&random), ss_random_normal (&random), ss_random_between (&random, -4, 4)};
    double pb[3] = {ss_random_normal (&random), ss_random_normal (&random), ss_random_between (&random, -4, 4)};
    SsGap forth[2], back[2], moved[2];
    int n = ss_geometry_manifold (a, pa, b, pb, forth);
    SS_CHECK (ss_geometry_manifold (b, pb, a, pa, back) == n);
    if (n == 0) {
      SS_CHECK (a->kind == SS_SHAPE_HALF_PLANE && b->kind == SS_SHAPE_HALF_PLANE);
      continue;
    }
    SS_CHECK_NEAR (forth[0].phi, back[0].phi, 1e-14); /* rounding of coordinates below 10 */
    double turn = 1.1, c = cos (turn), s = sin (turn);
    double ma[3] = {c * pa[0] - s * pa[1] + 2, s * pa[0] + c * pa[1] - 1, pa[2] + turn};
    double mb[3] = {c * pb[0] - s * pb[1] + 2, s * pb[0] + c * pb[1] - 1, pb[2] + turn};
    SS_CHECK (ss_geometry_manifold (a, ma, b, mb, moved) >= 1);
    SS_CHECK_NEAR (moved[0].phi, forth[0].phi, 1e-14);
    /* one gap direction: moving b by phi along -normal makes the shapes touch */
    double touching[3] = {pb[0] - forth[0].phi * forth[0].normal.x, pb[1] - forth[0].phi * forth[0].normal.y, pb[2]};
    SsGap touch[2];
    SS_CHECK (ss_geometry_manifold (a, pa, b, touching, touch) >= 1);
    SS_CHECK_NEAR (touch[0].phi, 0, 1e-13);
  }
}

/* A gap's time derivative is the relative velocity of the witnesses along the normal: compare with a difference
 * quotient. */
static void
test_gap_derivative (void)
{
  SsVec2 box[4] = {{-0.5, -0.25}, {0.5, -0.25}, {0.5, 0.25}, {-0.5, 0.25}};
  SsShape shapes[3] = {{.kind = SS_SHAPE_CIRCLE, .radius = 0.3},
                       {.kind = SS_SHAPE_POLYGON, .n_vertices = 4, .vertices = box},
                       {.kind = SS_SHAPE_HALF_PLANE, .normal = {0, 1}}};
  SsRandom random;
  ss_random_seed (&random, 11);
  const double dt = 1e-6;
  for (int trial = 0; trial < 500; trial++) {
    const SsShape *a = &shapes[ss_random_next (&random) % 3], *b = &shapes[ss_random_next (&random) % 2];
    double q[2][3], v[2][3], plus[2][3], minus[2][3];
    for (int k = 0; k < 2; k++)
      for (int i = 0; i < 3; i++) {
        q[k][i] = ss_random_normal (&random);
        v[k][i] = ss_random_normal (&random);
        plus[k][i] = q[k][i] + dt * v[k][i];
        minus[k][i] = q[k][i] - dt * v[k][i];
      }
    SsGap now[2], later[2], earlier[2];
    SS_CHECK (ss_geometry_manifold (a, q[0], b, q[1], now) > 0);
    SS_CHECK (ss_geometry_manifold (a, plus[0], b, plus[1], later) > 0);
    SS_CHECK (ss_geometry_manifold (a, minus[0], b, minus[1], earlier) > 0);
    if (now[0].phi < 0 || fabs (later[0].phi + earlier[0].phi - 2 * now[0].phi) > 1e-10)
      continue; /* overlapping deeply the axis may switch; a switch inside the quotient shows as a kink */
    double rate = 0;
    for (int k = 0; k < 2; k++) {
      SsVec2 p = k == 0 ? now[0].point_a : now[0].point_b;
      double vx = v[k][0] - v[k][2] * (p.y - q[k][1]), vy = v[k][1] + v[k][2] * (p.x - q[k][0]);
      rate += (k == 0 ? -1 : 1) * (now[0].normal.x * vx + now[0].normal.y * vy);
    }
    /* second-order difference with |phi''| up to about 100, rounding 1e-16 / 1e-6 */
    SS_CHECK_NEAR ((later[0].phi - earlier[0].phi) / (2 * dt), rate, 1e-7 * (1 + fabs (rate)));
  }
}

static void
check_two_points (const SsShape *a, const double *pa, const SsShape *b, const double *pb, double x0, double x1,
                  double phi)
{
  SsGap gaps[2];
  SS_CHECK (ss_geometry_manifold (a, pa, b, pb, gaps) == 2);
  SS_CHECK_NEAR (fmin (gaps[0].point_b.x, gaps[1].point_b.x), x0, 1e-14);
  SS_CHECK_NEAR (fmax (gaps[0].point_b.x, gaps[1].point_b.x), x1, 1e-14);
  for (int k = 0; k < 2; k++) {
    SS_CHECK_NEAR (gaps[k].phi, phi, 1e-15);
    SS_CHECK_NEAR (gaps[k].normal.x, 0, 1e-15);
    SS_CHECK_NEAR (gaps[k].normal.y, 1, 1e-15);
  }
}

/* Boxes on boxes and on the floor: two points at the ends of the common face, near above and below touching. */
static void
test_face_contacts (void)
{
  SsVec2 box[4] = {{-0.5, -0.25}, {0.5, -0.25}, {0.5, 0.25}, {-0.5, 0.25}};
  SsShape polygon = {.kind = SS_SHAPE_POLYGON, .n_vertices = 4, .vertices = box};
  SsShape floor_shape = {.kind = SS_SHAPE_HALF_PLANE, .normal = {0, 1}};
  double heights[] = {0.1, 1e-9, 0, -1e-9, -0.01};
  double origin[3] = {0, 0, 0};
  for (int i = 0; i < 5; i++) {
    double on_floor[3] = {0.2, 0.25 + heights[i], 0}, aligned[3] = {0, 0.5 + heights[i], 0},
           shifted[3] = {0.3, 0.5 + heights[i], 0};
    check_two_points (&floor_shape, origin, &polygon, on_floor, -0.3, 0.7, heights[i]);
    check_two_points (&polygon, origin, &polygon, aligned, -0.5, 0.5, heights[i]);
    check_two_points (&polygon, origin, &polygon, shifted, -0.2, 0.5, heights[i]);
  }
  /* beyond the end of the face there is no wall: corner against corner */
  double beside[3] = {1 + 3e-3, 0.5 + 4e-3, 0};
  SsGap gaps[2];
  SS_CHECK (ss_geometry_manifold (&polygon, origin, &polygon, beside, gaps) == 1);
  SS_CHECK_NEAR (gaps[0].phi, 5e-3, 1e-15);
  SS_CHECK_NEAR (gaps[0].normal.x, 0.6, 1e-13);
}

/* ---- the definition ---------------------------------------------------------------------------------------------- */

/* max over the shape of n . x; INFINITY where a half-plane does not end. */
static double
support (const SsShape *shape, const double pose[3], SsVec2 n)
{
  double c = cos (pose[2]), s = sin (pose[2]), largest = -INFINITY;
  SsVec2 local = {c * n.x + s * n.y, -s * n.x + c * n.y};
  double origin = n.x * pose[0] + n.y * pose[1];
  if (shape->kind == SS_SHAPE_CIRCLE)
    return origin + local.x * shape->centre.x + local.y * shape->centre.y + shape->radius;
  if (shape->kind == SS_SHAPE_HALF_PLANE) {
    double cosine = local.x * shape->normal.x + local.y * shape->normal.y;
    return cosine > 1 - 1e-15 ? origin + local.x * shape->centre.x + local.y * shape->centre.y : INFINITY;
  }
  for (int i = 0; i < shape->n_vertices; i++)
    largest = fmax (largest, local.x * shape->vertices[i].x + local.y * shape->vertices[i].y);
  return origin + largest + (shape->kind == SS_SHAPE_CAPSULE ? shape->radius : 0);
}

/* Separation of a and b along the direction: how far b's lowest point is above a's highest. */
static double
separation_along (double angle, const SsShape *a, const double *pa, const SsShape *b, const double *pb)
{
  SsVec2 n = {cos (angle), sin (angle)}, back = {-n.x, -n.y};
  return -support (b, pb, back) - support (a, pa, n);
}

/* max over all directions: a scan, then golden sections about every local maximum of it. */
static double
defined_distance (const SsShape *a, const double *pa, const SsShape *b, const double *pb)
{
  enum { SCAN = 720, SECTIONS = 60 }; /* half a degree; 0.618^60 of it is below rounding */
  const double golden = (sqrt (5) - 1) / 2, step = 2 * 3.14159265358979323846 / SCAN;
  double best = -INFINITY, value[SCAN];
  if (a->kind == SS_SHAPE_HALF_PLANE)
    return -support (b, pb,
                     (SsVec2){-cos (pa[2]) * a->normal.x + sin (pa[2]) * a->normal.y,
                              -sin (pa[2]) * a->normal.x - cos (pa[2]) * a->normal.y}) -
           support (a, pa,
                    (SsVec2){cos (pa[2]) * a->normal.x - sin (pa[2]) * a->normal.y,
                             sin (pa[2]) * a->normal.x + cos (pa[2]) * a->normal.y});
  if (b->kind == SS_SHAPE_HALF_PLANE)
    return defined_distance (b, pb, a, pa);
  for (int i = 0; i < SCAN; i++)
    value[i] = separation_along (i * step, a, pa, b, pb);
  for (int i = 0; i < SCAN; i++) {
    if (value[i] < value[(i + 1) % SCAN] || value[i] < value[(i + SCAN - 1) % SCAN])
      continue;
    double lo = (i - 1) * step, hi = (i + 1) * step;
    for (int k = 0; k < SECTIONS; k++) {
      double left = hi - golden * (hi - lo), right = lo + golden * (hi - lo);
      if (separation_along (left, a, pa, b, pb) < separation_along (right, a, pa, b, pb))
        lo = left;
      else
        hi = right;
    }
    best = fmax (best, separation_along ((lo + hi) / 2, a, pa, b, pb));
  }
  return best;
}

static SsVec2 some_box[4] = {{-0.5, -0.25}, {0.5, -0.25}, {0.5, 0.25}, {-0.5, 0.25}};
static SsVec2 some_triangle[3] = {{-0.4, -0.3}, {0.6, -0.1}, {-0.2, 0.4}};
static SsVec2 some_ends[2] = {{-0.6, 0.1}, {0.5, -0.2}};
static SsVec2 some_offset_ends[2] = {{0.3, 0.4}, {0.9, 0.5}};
static const SsShape some_shapes[] = {
    {.kind = SS_SHAPE_CIRCLE, .radius = 0.3},
    {.kind = SS_SHAPE_CIRCLE, .radius = 0.2, .centre = {0.4, -0.3}},
    {.kind = SS_SHAPE_POLYGON, .n_vertices = 4, .vertices = some_box},
    {.kind = SS_SHAPE_POLYGON, .n_vertices = 3, .vertices = some_triangle},
    {.kind = SS_SHAPE_CAPSULE, .n_vertices = 2, .vertices = some_ends, .radius = 0.15},
    {.kind = SS_SHAPE_CAPSULE, .n_vertices = 2, .vertices = some_offset_ends, .radius = 0.4},
    {.kind = SS_SHAPE_SEGMENT, .n_vertices = 2, .vertices = some_ends},
    {.kind = SS_SHAPE_SEGMENT, .n_vertices = 2, .vertices = some_offset_ends},
    {.kind = SS_SHAPE_HALF_PLANE, .normal = {0.6, 0.8}, .centre = {0.2, -0.1}},
};
enum { N_SHAPES = sizeof some_shapes / sizeof *some_shapes };

/* Every pair of kinds, apart and overlapping: phi is what the definition says, the witnesses lie on the shapes'
 * boundaries. */
static void
test_definition (void)
{
  SsRandom random;
  double worst = 0;
  int n_overlapping = 0;
  ss_random_seed (&random, 23);
  for (int trial = 0; trial < 3000; trial++) {
    const SsShape *a = &some_shapes[trial % N_SHAPES], *b = &some_shapes[trial / N_SHAPES % N_SHAPES];
    double pa[3] = {0.4 * ss_random_normal (&random), 0.4 * ss_random_normal (&random),
                    ss_random_between (&random, -4, 4)};
    double pb[3] = {0.4 * ss_random_normal (&random), 0.4 * ss_random_normal (&random),
                    ss_random_between (&random, -4, 4)};
    SsGap gaps[SS_MANIFOLD_MAX];
    int n = ss_geometry_manifold (a, pa, b, pb, gaps), before = ss_test_failed_checks;
    if (a->kind == SS_SHAPE_HALF_PLANE && b->kind == SS_SHAPE_HALF_PLANE) {
      SS_CHECK (n == 0);
      continue;
    }
    double phi = defined_distance (a, pa, b, pb);
    /* rounding of a few operations on numbers up to 3 */
    SS_CHECK_NEAR (gaps[0].phi, phi, 2e-15);
    worst = fmax (worst, fabs (gaps[0].phi - phi));
    n_overlapping += phi < 0;
    SS_CHECK_NEAR (hypot (gaps[0].normal.x, gaps[0].normal.y), 1, 1e-15);
    for (int k = 0; k < n; k++) {
      SS_CHECK_NEAR (gaps[k].point_a.x + gaps[k].phi * gaps[k].normal.x, gaps[k].point_b.x, 1e-14);
      SS_CHECK_NEAR (gaps[k].point_a.y + gaps[k].phi * gaps[k].normal.y, gaps[k].point_b.y, 1e-14);
      SS_CHECK (gaps[k].phi >= gaps[0].phi - 1e-15);
    }
    /* the witness of b is its lowest point along the normal, and a point of b */
    SsVec2 back = {-gaps[0].normal.x, -gaps[0].normal.y};
    if (b->kind != SS_SHAPE_HALF_PLANE)
      SS_CHECK_NEAR (gaps[0].point_b.x * back.x + gaps[0].point_b.y * back.y, support (b, pb, back), 1e-14);
    SsShape point = {.kind = SS_SHAPE_CIRCLE, .radius = 0};
    double at[3] = {gaps[0].point_b.x, gaps[0].point_b.y, 0};
    SsGap inside[SS_MANIFOLD_MAX];
    SS_CHECK (ss_geometry_manifold (b, pb, &point, at, inside) == 1 && inside[0].phi < 1e-14);
    if (ss_test_failed_checks != before)
      printf ("  in trial %d: kinds %d and %d, %d points\n", trial, a->kind, b->kind, n);
  }
  printf ("  %d of 3000 overlap; worst phi %.2g\n", n_overlapping, worst);
  SS_CHECK (n_overlapping > 500);
}

/* Two segments on one line: apart, touching end on end, and overlapping (which no translation along the line need undo:
 * phi = 0). The line is turned so that rounding puts the ends on either side of it. */
static void
test_collinear (void)
{
  SsVec2 ends[2] = {{-0.5, 0}, {0.5, 0}};
  SsShape segment = {.kind = SS_SHAPE_SEGMENT, .n_vertices = 2, .vertices = ends};
  SsShape capsule = {.kind = SS_SHAPE_CAPSULE, .n_vertices = 2, .vertices = ends, .radius = 0.1};
  SsShape circle = {.kind = SS_SHAPE_CIRCLE, .radius = 0.1};
  for (int turn = 0; turn < 100; turn++) {
    double angle = 0.1 * turn, c = cos (angle), s = sin (angle), pa[3] = {0, 0, angle};
    double distances[] = {3, 1.5, 1.01};
    SsGap gaps[SS_MANIFOLD_MAX];
    for (int i = 0; i < 3; i++) {
      double d = distances[i], pb[3] = {d * c, d * s, angle + (turn % 2 ? 3.14159265358979323846 : 0)};
      double end[3] = {(d - 0.5) * c, (d - 0.5) * s, 0};
      SS_CHECK (ss_geometry_manifold (&segment, pa, &segment, pb, gaps) >= 1);
      SS_CHECK_NEAR (gaps[0].phi, d - 1, 2e-15);
      SS_CHECK_NEAR (gaps[0].normal.x * c + gaps[0].normal.y * s, 1, 1e-14);
      SS_CHECK (ss_geometry_manifold (&capsule, pa, &capsule, pb, gaps) >= 1);
      SS_CHECK_NEAR (gaps[0].phi, d - 1.2, 2e-15);
      SS_CHECK_NEAR (gaps[0].normal.x * c + gaps[0].normal.y * s, 1, 1e-14);
      SS_CHECK (ss_geometry_manifold (&segment, pa, &circle, end, gaps) == 1);
      SS_CHECK_NEAR (gaps[0].phi, d - 1.1, 2e-15);
    }
    double overlapping[3] = {0.3 * c, 0.3 * s, angle};
    SS_CHECK (ss_geometry_manifold (&segment, pa, &segment, overlapping, gaps) >= 1);
    SS_CHECK_NEAR (gaps[0].phi, 0, 1e-15);
    SS_CHECK (ss_geometry_manifold (&capsule, pa, &capsule, overlapping, gaps) >= 1);
    SS_CHECK_NEAR (gaps[0].phi, -0.2, 1e-15);
  }
}

/* A capsule lies on a floor, a box and another capsule with both ends; upright it stands on one. */
static void
test_capsule_manifolds (void)
{
  SsVec2 ends[2] = {{-0.5, 0}, {0.5, 0}}, top[2] = {{-0.2, 0}, {0.8, 0}};
  SsShape capsule = {.kind = SS_SHAPE_CAPSULE, .n_vertices = 2, .vertices = ends, .radius = 0.125};
  SsShape upper = {.kind = SS_SHAPE_CAPSULE, .n_vertices = 2, .vertices = top, .radius = 0.125};
  SsShape segment = {.kind = SS_SHAPE_SEGMENT, .n_vertices = 2, .vertices = ends};
  SsShape floor_shape = {.kind = SS_SHAPE_HALF_PLANE, .normal = {0, 1}, .centre = {0, 0.5}};
  SsShape box = {.kind = SS_SHAPE_POLYGON, .n_vertices = 4, .vertices = some_box};
  double heights[] = {0.1, 0, -0.01}, origin[3] = {0, 0, 0};
  for (int i = 0; i < 3; i++) {
    double on_floor[3] = {0, 0.625 + heights[i], 0}, on_box[3] = {0.25, 0.375 + heights[i], 0},
           on_capsule[3] = {0, 0.25 + heights[i], 0}, line[3] = {0, 0.5 + heights[i], 0},
           upright[3] = {0, 1.125 + heights[i], 3.14159265358979323846 / 2};
    SsGap gaps[SS_MANIFOLD_MAX];
    check_two_points (&floor_shape, origin, &capsule, on_floor, -0.5, 0.5, heights[i]);
    check_two_points (&floor_shape, origin, &segment, line, -0.5, 0.5, heights[i]);
    check_two_points (&box, origin, &capsule, on_box, -0.25, 0.5, heights[i]);
    check_two_points (&capsule, origin, &upper, on_capsule, -0.2, 0.5, heights[i]);
    SS_CHECK (ss_geometry_manifold (&floor_shape, origin, &capsule, upright, gaps) == 2);
    SS_CHECK_NEAR (gaps[0].phi, heights[i], 1e-15);
    SS_CHECK_NEAR (gaps[1].phi, 1 + heights[i], 1e-15);
  }
}

/* The box of a shape holds its support in the four directions of the axes, to the bit's rounding. */
static void
test_boxes (void)
{
  SsRandom random;
  ss_random_seed (&random, 31);
  for (int trial = 0; trial < 200; trial++) {
    const SsShape *shape = &some_shapes[trial % (N_SHAPES - 1)];
    double pose[3] = {ss_random_normal (&random), ss_random_normal (&random), ss_random_between (&random, -4, 4)};
    SsBox box = ss_shape_box (shape, pose, 0.5);
    SS_CHECK_NEAR (box.upper.x, support (shape, pose, (SsVec2){1, 0}) + 0.5, 2e-15);
    SS_CHECK_NEAR (box.upper.y, support (shape, pose, (SsVec2){0, 1}) + 0.5, 2e-15);
    SS_CHECK_NEAR (-box.lower.x, support (shape, pose, (SsVec2){-1, 0}) + 0.5, 2e-15);
    SS_CHECK_NEAR (-box.lower.y, support (shape, pose, (SsVec2){0, -1}) + 0.5, 2e-15);
    /* no point of the shape is farther from the body's origin than its radius */
    for (int k = 0; k < 16; k++) {
      double origin[3] = {0, 0, 0};
      SsVec2 n = {cos (0.4 * k), sin (0.4 * k)};
      SS_CHECK (support (shape, origin, n) <= ss_shape_radius (shape) + 1e-15);
    }
  }
  SsShape floor_shape = {.kind = SS_SHAPE_HALF_PLANE, .normal = {0, 1}, .centre = {0, -1}};
  double level[3] = {0, 3, 0}, tilted[3] = {0, 3, 0.1};
  SsBox box = ss_shape_box (&floor_shape, level, 0.25);
  SS_CHECK (box.upper.y == 2.25 && isinf (box.lower.y) && isinf (box.upper.x) && isinf (box.lower.x));
  SS_CHECK (isinf (ss_shape_box (&floor_shape, tilted, 0).upper.y));
}

/* ---- broad phase ------------------------------------------------------------------------------------------------- */

enum { N_ITEMS = 1000 };

static bool
boxes_overlap (const SsBox *a, const SsBox *b)
{
  return a->lower.x <= b->upper.x && b->lower.x <= a->upper.x && a->lower.y <= b->upper.y && b->lower.y <= a->upper.y;
}

/* A thousand boxes that move, a floor, a tilted half-plane, composites and fixed ones: the same pairs in the same order
 * as comparing all; no allocation once warm. */
static void
test_broadphase (void)
{
  static SsBox boxes[N_ITEMS];
  static int groups[N_ITEMS];
  static bool is_fixed[N_ITEMS];
  static double x[N_ITEMS], y[N_ITEMS];
  SsBroadphase *broadphase;
  SsRandom random;
  uint64_t n_allocations = 0;
  ss_random_seed (&random, 5);
  for (int i = 0; i < N_ITEMS; i++) {
    x[i] = ss_random_between (&random, 0, 10);
    y[i] = ss_random_between (&random, 0, 40);
    groups[i] = i / 2; /* two shapes a body */
    is_fixed[i] = i < 20;
  }
  SS_CHECK (ss_broadphase_new (N_ITEMS, groups, is_fixed, &broadphase, NULL) == SS_OK);
  for (int step = 0; step < 40; step++) {
    const SsBroadphasePair *pairs;
    int n_pairs, at = 0;
    for (int i = 0; i < N_ITEMS; i++) {
      x[i] += step == 20 ? ss_random_between (&random, -5, 5) : 0.02 * ss_random_normal (&random);
      y[i] += step == 30 ? ss_random_between (&random, -40, 40) : 0.02 * ss_random_normal (&random);
      double half = 0.1 + 0.2 * (i % 7) / 7;
      boxes[i] = (SsBox){{x[i] - half, y[i] - half}, {x[i] + half, y[i] + half}};
    }
    boxes[0] = (SsBox){{-INFINITY, -INFINITY}, {INFINITY, 1}};
    boxes[2] = (SsBox){{-INFINITY, -INFINITY}, {INFINITY, INFINITY}};
    boxes[500] = (SsBox){{NAN, 0}, {NAN, 1}};
    boxes[501] = boxes[503]; /* equal ones */
    if (step == 35)
      for (int i = 600; i < 700; i++)
        boxes[i] = boxes[600];
    n_allocations = ss_alloc_count ();
    SS_CHECK (ss_broadphase_update (broadphase, boxes, &pairs, &n_pairs, NULL) == SS_OK);
    if ((step > 0 && step < 20) || step > 36)
      SS_CHECK (ss_alloc_count () - n_allocations <= 2); /* more pairs than ever: two arrays grow; else none */
    for (int a = 0; a < N_ITEMS; a++)
      for (int b = a + 1; b < N_ITEMS; b++) {
        if (groups[a] == groups[b] || (is_fixed[a] && is_fixed[b]) || !boxes_overlap (&boxes[a], &boxes[b]))
          continue;
        if (at >= n_pairs || pairs[at].a != a || pairs[at].b != b) {
          printf ("step %d: pair %d is %d %d, expected %d %d\n", step, at, at < n_pairs ? pairs[at].a : -1,
                  at < n_pairs ? pairs[at].b : -1, a, b);
          SS_CHECK (false);
          a = N_ITEMS;
          break;
        }
        at++;
      }
    SS_CHECK (at == n_pairs);
    /* the same boxes again: nothing is allocated */
    n_allocations = ss_alloc_count ();
    SS_CHECK (ss_broadphase_update (broadphase, boxes, &pairs, &n_pairs, NULL) == SS_OK && at == n_pairs);
    SS_CHECK (ss_alloc_count () == n_allocations);
  }
  ss_broadphase_free (broadphase);
  ss_broadphase_free (NULL);
}

/* Every allocation may fail. */
static void
test_broadphase_memory (void)
{
  SsBox boxes[3] = {{{0, 0}, {1, 1}}, {{0.5, 0.5}, {2, 2}}, {{0, 0}, {3, 3}}};
  for (int n = 1; n < 20; n++) {
    SsBroadphase *broadphase = NULL;
    const SsBroadphasePair *pairs;
    int n_pairs;
    ss_alloc_fail_at ((uint64_t)n);
    SsStatus status = ss_broadphase_new (3, NULL, NULL, &broadphase, NULL);
    if (status == SS_OK)
      status = ss_broadphase_update (broadphase, boxes, &pairs, &n_pairs, NULL);
    ss_alloc_fail_at (0);
    SS_CHECK (status == SS_ERR_MEMORY || (status == SS_OK && n_pairs == 3 && n > 7));
    ss_broadphase_free (broadphase);
  }
}

static void
test_bounding_radius (void)
{
  SsVec2 box[4] = {{-0.3, -0.4}, {0.3, -0.4}, {0.3, 0.4}, {-0.3, 0.4}};
  SsShape polygon = {.kind = SS_SHAPE_POLYGON, .n_vertices = 4, .vertices = box};
  SsShape circle = {.kind = SS_SHAPE_CIRCLE, .radius = 2}, plane = {.kind = SS_SHAPE_HALF_PLANE, .normal = {0, 1}};
  SS_CHECK_NEAR (ss_shape_radius (&polygon), 0.5, 1e-16);
  SS_CHECK (ss_shape_radius (&circle) == 2);
  SS_CHECK (isinf (ss_shape_radius (&plane)));
}

int
main (void)
{
  if (ss_test_argc > 1)
    pairs_file = ss_test_argv[1];
  SS_RUN (test_reference_pairs);
  SS_RUN (test_symmetry);
  SS_RUN (test_gap_derivative);
  SS_RUN (test_face_contacts);
  SS_RUN (test_definition);
  SS_RUN (test_collinear);
  SS_RUN (test_capsule_manifolds);
  SS_RUN (test_boxes);
  SS_RUN (test_broadphase);
  SS_RUN (test_broadphase_memory);
  SS_RUN (test_bounding_radius);
  return ss_test_finish ();
}
