/* engine/scene/ss-shape-read.c: reads shapes and finds the mass, centre and inertia that a density or a mass gives
 * them.
 *
 * Polygon  vertices p_i, edge e_i = p_{i+1} - p_i. Simple and convex: no two edges that are not neighbours meet, and
 *          e_i x e_{i+1} >= 0 at every corner once the order is counter-clockwise.
 * Inertia  of a uniform polygon about its centroid c: rho sum w_i (r_i.r_i + r_i.r_{i+1} + r_{i+1}.r_{i+1}) / 12, r = p
 *          - c, w_i = r_i x r_{i+1}; of a disc m r^2 / 2; of a capsule the rectangle's and the two half discs'; of a
 *          segment (a thin rod) m l^2 / 12. Shapes of a body add up about the common centre (Huygens and Steiner);
 *          where they overlap, matter counts twice.
 */
#include "scene/ss-scene-private.h"

#include <math.h>

/* Corners and areas count as flat below this fraction of the polygon's size (squared): 1e-12 is far above rounding
 * (1e-16) and far below anything drawn on purpose. */
#define FLAT_FRACTION 1e-12

static const double pi = 3.14159265358979323846;

static SsVec2
difference (SsVec2 a, SsVec2 b)
{
  return (SsVec2){a.x - b.x, a.y - b.y};
}

static double
cross (SsVec2 a, SsVec2 b)
{
  return a.x * b.y - a.y * b.x;
}

static double
dot (SsVec2 a, SsVec2 b)
{
  return a.x * b.x + a.y * b.y;
}

/* ---- polygons ---------------------------------------------------------------------------------------------------- */

/* Twice the signed area about the first vertex (positive when counter-clockwise). */
static double
twice_area (const SsVec2 *p, int n)
{
  double sum = 0;

  for (int i = 1; i + 1 < n; i++)
    sum += cross (difference (p[i], p[0]), difference (p[i + 1], p[0]));
  return sum;
}

/* Side of c as seen from a to b: -1, 0 (within `flat`), 1. */
static int
side (SsVec2 a, SsVec2 b, SsVec2 c, double flat)
{
  double s = cross (difference (b, a), difference (c, a));

  return s > flat ? 1 : s < -flat ? -1 : 0;
}

/* c lies within the box of ab; meaningful when it is on the line. */
static bool
lies_between (SsVec2 a, SsVec2 b, SsVec2 c)
{
  return c.x >= fmin (a.x, b.x) && c.x <= fmax (a.x, b.x) && c.y >= fmin (a.y, b.y) && c.y <= fmax (a.y, b.y);
}

static bool
segments_meet (SsVec2 a, SsVec2 b, SsVec2 c, SsVec2 d, double flat)
{
  int abc = side (a, b, c, flat), abd = side (a, b, d, flat), cda = side (c, d, a, flat), cdb = side (c, d, b, flat);

  if (abc * abd < 0 && cda * cdb < 0)
    return true;
  return (abc == 0 && lies_between (a, b, c)) || (abd == 0 && lies_between (a, b, d)) ||
         (cda == 0 && lies_between (c, d, a)) || (cdb == 0 && lies_between (c, d, b));
}

/* Two edges that are not neighbours and meet. */
static bool
find_crossing (const SsVec2 *p, int n, double flat, int *first, int *second)
{
  for (int i = 0; i < n; i++) {
    for (int j = i + 2; j < n; j++) {
      if (i == 0 && j == n - 1)
        continue;
      if (segments_meet (p[i], p[i + 1], p[j], p[(j + 1) % n], flat)) {
        *first = i;
        *second = j;
        return true;
      }
    }
  }
  return false;
}

/* Checks the polygon and brings it into counter-clockwise order; reports what is wrong. */
static bool
check_polygon (SsReader *reader, const SsJsonAt *at, SsVec2 *p, int n)
{
  double size = 0, area2, flat;
  int first, second;

  for (int i = 0; i < n; i++) {
    if (fabs (p[i].x) > SS_LENGTH_MAX || fabs (p[i].y) > SS_LENGTH_MAX) {
      ss_reader_problem (reader, at, "coordinates up to 1e9 m", "vertex %d is too far away", i);
      return false;
    }
    size = fmax (size, fmax (fabs (p[i].x - p[0].x), fabs (p[i].y - p[0].y)));
  }
  flat = FLAT_FRACTION * size * size;
  for (int i = 0; i < n; i++) {
    SsVec2 edge = difference (p[(i + 1) % n], p[i]);

    if (dot (edge, edge) <= flat) {
      ss_reader_problem (reader, at, "distinct vertices (the first is not repeated at the end)",
                         "the polygon is degenerate: vertices %d and %d coincide", i, (i + 1) % n);
      return false;
    }
  }
  if (find_crossing (p, n, flat, &first, &second)) {
    ss_reader_problem (reader, at, "a simple convex polygon", "the polygon intersects itself: edges %d and %d meet",
                       first, second);
    return false;
  }
  area2 = twice_area (p, n);
  if (fabs (area2) <= flat) {
    ss_reader_problem (reader, at, "a convex polygon with an area",
                       "the polygon is degenerate: its vertices lie on a line");
    return false;
  }
  if (area2 < 0) {
    for (int i = 0; i < n / 2; i++) {
      SsVec2 swap = p[i];

      p[i] = p[n - 1 - i];
      p[n - 1 - i] = swap;
    }
  }
  for (int i = 0; i < n; i++) {
    SsVec2 before = difference (p[(i + 1) % n], p[i]), after = difference (p[(i + 2) % n], p[(i + 1) % n]);
    double turn = cross (before, after);

    /* A corner that turns right, or back on itself. */
    if (turn < -flat || (turn <= flat && dot (before, after) < 0)) {
      int corner = (i + 1) % n;

      ss_reader_problem (reader, at, "a convex polygon; split the shape into convex ones",
                         "the polygon is concave at vertex %d", area2 < 0 ? n - 1 - corner : corner);
      return false;
    }
  }
  return true;
}

static bool
read_vertices (SsReader *reader, const SsJsonAt *shape_at, SsShape *shape)
{
  SsJsonAt at, child;
  SsVec2 *vertices;
  size_t n;
  bool good = true;

  if (!ss_read_member (reader, shape_at, "vertices", "3 to 64 points [x, y]", &at) || !ss_read_is_array (reader, &at))
    return false;
  n = json_array_size (at.value);
  if (n < SS_VERTICES_MIN || n > SS_VERTICES_MAX) {
    ss_reader_problem (reader, &at, "3 to 64 points [x, y]", "the polygon has %zu vertices", n);
    return false;
  }
  vertices = ss_reader_alloc (reader, n, sizeof *vertices);
  if (vertices == NULL)
    return false;
  for (bool more = ss_at_first (reader, &at, &child); more; more = ss_at_next (reader, &child))
    good = ss_read_pair (reader, &child, &vertices[child.index]) && good;
  shape->n_vertices = (int)n;
  shape->vertices = vertices;
  return good && check_polygon (reader, &at, vertices, (int)n);
}

/* A box is the polygon of its four corners. */
static bool
read_box (SsReader *reader, const SsJsonAt *at, SsShape *shape)
{
  int before = reader->n_problems;
  double width = ss_read_real (reader, at, "width", SS_POSITIVE, NAN);
  double height = ss_read_real (reader, at, "height", SS_POSITIVE, NAN);
  SsVec2 *vertices = ss_reader_alloc (reader, 4, sizeof *vertices);

  if (vertices == NULL || reader->n_problems > before || !(width > 0) || !(height > 0))
    return false;
  vertices[0] = (SsVec2){-width / 2, -height / 2};
  vertices[1] = (SsVec2){width / 2, -height / 2};
  vertices[2] = (SsVec2){width / 2, height / 2};
  vertices[3] = (SsVec2){-width / 2, height / 2};
  shape->n_vertices = 4;
  shape->vertices = vertices;
  return check_polygon (reader, at, vertices, 4);
}

static bool
read_half_plane (SsReader *reader, const SsJsonAt *at, SsShape *shape)
{
  SsJsonAt normal_at;
  SsVec2 normal;
  double length;

  if (!ss_read_member (reader, at, "normal", "the outward normal [x, y]", &normal_at) ||
      !ss_read_pair (reader, &normal_at, &normal))
    return false;
  length = hypot (normal.x, normal.y);
  if (!(length > 0) || !isfinite (length) || !isfinite (1 / length)) {
    ss_reader_problem (reader, &normal_at, "a vector that is not zero", "the normal has no direction");
    return false;
  }
  shape->normal = (SsVec2){normal.x / length, normal.y / length};
  return true;
}

/* The two end points of a segment or capsule: `from` and `to`, or `length` along the frame's x axis about its
 * origin. */
static bool
read_ends (SsReader *reader, const SsJsonAt *at, SsShape *shape)
{
  int before = reader->n_problems;
  SsVec2 *ends = ss_reader_alloc (reader, 2, sizeof *ends);
  SsJsonAt from_at, to_at;

  if (ends == NULL)
    return false;
  if (ss_at_member (reader, at, "from", &from_at) || ss_at_member (reader, at, "to", &to_at)) {
    if (ss_read_member (reader, at, "from", "the first end [x, y]", &from_at))
      ss_read_pair (reader, &from_at, &ends[0]);
    if (ss_read_member (reader, at, "to", "the second end [x, y]", &to_at))
      ss_read_pair (reader, &to_at, &ends[1]);
  } else {
    double length = ss_read_real (reader, at, "length", SS_POSITIVE, NAN);

    ends[0] = (SsVec2){-length / 2, 0};
    ends[1] = (SsVec2){length / 2, 0};
  }
  if (reader->n_problems > before)
    return false;
  for (int i = 0; i < 2; i++) {
    if (fabs (ends[i].x) > SS_LENGTH_MAX || fabs (ends[i].y) > SS_LENGTH_MAX) {
      ss_reader_problem (reader, at, "coordinates up to 1e9 m", "an end is too far away");
      return false;
    }
  }
  if (ends[0].x == ends[1].x && ends[0].y == ends[1].y) {
    ss_reader_problem (reader, at, "two different ends, or a circle", "the ends coincide");
    return false;
  }
  shape->n_vertices = 2;
  shape->vertices = ends;
  return true;
}

static void
read_radius (SsReader *reader, const SsJsonAt *at, const char *what, SsShape *shape)
{
  shape->radius = ss_read_real (reader, at, "radius", SS_POSITIVE, NAN);
  if (shape->radius > SS_LENGTH_MAX)
    ss_reader_problem (reader, at, "a radius up to 1e9 m", "the %s is too large", what);
}

static bool
read_kind (SsReader *reader, const SsJsonAt *at, bool is_fixed, SsShape *shape)
{
  static const char *const types[] = {"circle", "polygon", "box", "half-plane", "capsule", "segment"};
  SsJsonAt type_at;
  int before = reader->n_problems;

  if (!ss_read_is_object (reader, at) ||
      !ss_read_member (reader, at, "type", "circle, capsule, polygon, box, segment or half-plane", &type_at))
    return false;
  switch (ss_read_choice (reader, &type_at, types, 6, "shape")) {
  case 0:
    shape->kind = SS_SHAPE_CIRCLE;
    read_radius (reader, at, "circle", shape);
    break;
  case 1:
    shape->kind = SS_SHAPE_POLYGON;
    return read_vertices (reader, at, shape);
  case 2:
    shape->kind = SS_SHAPE_POLYGON;
    return read_box (reader, at, shape);
  case 3:
    shape->kind = SS_SHAPE_HALF_PLANE;
    if (!is_fixed) {
      ss_reader_problem (reader, &type_at, "\"fixed\": true beside it, or another shape",
                         "only a fixed body can be a half-plane");
      return false;
    }
    return read_half_plane (reader, at, shape);
  case 4:
    shape->kind = SS_SHAPE_CAPSULE;
    read_radius (reader, at, "capsule", shape);
    return read_ends (reader, at, shape) && reader->n_problems == before;
  case 5:
    shape->kind = SS_SHAPE_SEGMENT;
    return read_ends (reader, at, shape);
  default:
    return false;
  }
  return reader->n_problems == before;
}

/* Turns the shape about its frame's origin, then moves it. */
static void
place_shape (SsShape *shape, SsVec2 position, double angle)
{
  SsVec2 *vertices = (SsVec2 *)shape->vertices; /* allocated here, not shared yet */

  for (int i = 0; i < shape->n_vertices; i++) {
    SsVec2 v = angle != 0 ? ss_vec2_turned (vertices[i], angle) : vertices[i];

    vertices[i] = (SsVec2){v.x + position.x, v.y + position.y};
  }
  if (shape->kind == SS_SHAPE_HALF_PLANE && angle != 0)
    shape->normal = ss_vec2_turned (shape->normal, angle);
  if (shape->kind == SS_SHAPE_CIRCLE || shape->kind == SS_SHAPE_HALF_PLANE)
    shape->centre = (SsVec2){shape->centre.x + position.x, shape->centre.y + position.y};
}

bool
ss_read_shape (SsReader *reader, const SsJsonAt *at, bool is_fixed, SsShape *shape)
{
  SS_ASSERT (reader != NULL);

  SsVec2 position = {0, 0};
  SsJsonAt position_at;
  int before = reader->n_problems;
  double angle;

  if (!read_kind (reader, at, is_fixed, shape))
    return false;
  if (ss_at_member (reader, at, "position", &position_at) && ss_read_pair (reader, &position_at, &position) &&
      (fabs (position.x) > SS_LENGTH_MAX || fabs (position.y) > SS_LENGTH_MAX))
    ss_reader_problem (reader, &position_at, "coordinates up to 1e9 m", "the shape is too far away");
  angle = ss_read_real (reader, at, "angle", SS_ANY_NUMBER, 0);
  if (reader->n_problems > before)
    return false;
  place_shape (shape, position, angle);
  return true;
}

void
ss_shape_shift (SsShape *shape, SsVec2 by)
{
  place_shape (shape, by, 0);
}

/* ---- mass -------------------------------------------------------------------------------------------------------- */

/* Matter of one shape of unit density: its measure (area, or length of a segment), where its centroid lies, and its
 * second moment about that. */
typedef struct {
  double measure, second;
  SsVec2 centroid;
} Matter;

static Matter
matter_of_polygon (const SsVec2 *p, int n)
{
  Matter m = {0};
  SsVec2 moment = {0, 0};
  double area2 = 0, sum = 0;

  /* about the first vertex: no digits are lost far from the frame's origin */
  for (int i = 1; i + 1 < n; i++) {
    SsVec2 a = difference (p[i], p[0]), b = difference (p[i + 1], p[0]);
    double w = cross (a, b);

    area2 += w;
    moment.x += w * (a.x + b.x) / 3;
    moment.y += w * (a.y + b.y) / 3;
  }
  m.measure = area2 / 2;
  m.centroid = (SsVec2){p[0].x + moment.x / area2, p[0].y + moment.y / area2};
  for (int i = 0; i < n; i++) {
    SsVec2 a = difference (p[i], m.centroid), b = difference (p[(i + 1) % n], m.centroid);

    sum += cross (a, b) * (dot (a, a) + dot (a, b) + dot (b, b));
  }
  m.second = sum / 12;
  return m;
}

static Matter
matter_of (const SsShape *shape)
{
  const SsVec2 *p = shape->vertices;
  double r = shape->radius, disc = pi * r * r, length;
  SsVec2 middle;

  switch (shape->kind) {
  case SS_SHAPE_CIRCLE:
    return (Matter){disc, disc * r * r / 2, shape->centre};
  case SS_SHAPE_POLYGON:
    return matter_of_polygon (p, shape->n_vertices);
  case SS_SHAPE_CAPSULE:
  case SS_SHAPE_SEGMENT:
    length = hypot (p[1].x - p[0].x, p[1].y - p[0].y);
    middle = (SsVec2){(p[0].x + p[1].x) / 2, (p[0].y + p[1].y) / 2};
    if (shape->kind == SS_SHAPE_SEGMENT) {
      return (Matter){length, length * length * length / 12, middle};
    } else {
      double rectangle = 2 * r * length, bulge = 4 * r / (3 * pi); /* centroid of a half disc from its straight side */
      double half_discs = disc * (r * r / 2 - bulge * bulge + (length / 2 + bulge) * (length / 2 + bulge));

      return (Matter){rectangle + disc, rectangle * (length * length + 4 * r * r) / 12 + half_discs, middle};
    }
  case SS_SHAPE_HALF_PLANE:
    break;
  }
  return (Matter){0};
}

SsMatter
ss_shapes_matter (const SsShape *shapes, int n_shapes)
{
  SS_ASSERT (n_shapes >= 0);

  SsMatter all = {0};
  bool has_area = false;

  for (int i = 0; i < n_shapes; i++)
    has_area = has_area || (shapes[i].kind != SS_SHAPE_SEGMENT && shapes[i].kind != SS_SHAPE_HALF_PLANE);
  all.is_area = has_area;
  for (int i = 0; i < n_shapes; i++) {
    Matter m = matter_of (&shapes[i]);

    if (has_area && shapes[i].kind == SS_SHAPE_SEGMENT)
      continue; /* beside areas a line weighs nothing */
    all.measure += m.measure;
    all.centroid.x += m.measure * m.centroid.x;
    all.centroid.y += m.measure * m.centroid.y;
  }
  if (!(all.measure > 0))
    return all;
  all.centroid = (SsVec2){all.centroid.x / all.measure, all.centroid.y / all.measure};
  for (int i = 0; i < n_shapes; i++) {
    Matter m = matter_of (&shapes[i]);
    SsVec2 d = difference (m.centroid, all.centroid);

    if (has_area && shapes[i].kind == SS_SHAPE_SEGMENT)
      continue;
    all.second_about_centroid += m.second + m.measure * dot (d, d);
    all.second_about_origin += m.second + m.measure * dot (m.centroid, m.centroid);
  }
  return all;
}
