/* engine/geometry/ss-geometry.c: manifolds of circles, capsules, convex polygons, segments and half-planes.
 *
 * Everything is computed in a frame that has the world's directions and shape a's origin, so that two bodies far from
 * the world's origin lose no digits of their gap. Polygon on polygon: separating axes (all face normals of both) when
 * the shapes overlap, closest features when they are apart, then the incident face is clipped against the reference
 * face for a second point. A segment is a polygon of two faces. A capsule is the set of points within its radius of a
 * segment, its core: the signed distance of two such sets is that of the cores minus the radii, apart and overlapping
 * (the support function of their difference grows by the radii in every direction), with the cores' normal. C. Ericson,
 * Real-Time Collision Detection (2005), secs. 5.1, 5.2, 5.5; E. Catto, Contact Manifolds (GDC 2007).
 */
#include "geometry/ss-geometry.h"

#include <math.h>

/* A clipped second point lies on no vertex of the incident body; it tells the truth only when the faces are nearly
 * parallel. [sin of angle] */
static const double parallel_sine = 0.2;
/* Face and vertex-vertex separations that differ by less (relative to the shapes' size) are one touching face. Guards
 * the normal of aligned faces a hair's breadth apart against round-off; phi is then exact to this fraction. */
static const double aligned_fraction = 1e-10;
/* Two manifold points closer than this fraction of the size are one point. */
static const double coincident_fraction = 1e-9;
/* Separations of a's and b's faces closer than this fraction count as equal; a's face is then the reference (no
 * flicker). */
static const double tie_fraction = 4e-16;

typedef struct {
  int n;                         /* 2: a segment, which has a face on either side */
  SsVec2 vertex[SS_POLYGON_MAX]; /* counter-clockwise, world directions, origin at shape a */
  double size;                   /* largest |coordinate| of the shape about its own origin */
} Outline;

static SsVec2
add (SsVec2 a, SsVec2 b)
{
  return (SsVec2){a.x + b.x, a.y + b.y};
}

static SsVec2
sub (SsVec2 a, SsVec2 b)
{
  return (SsVec2){a.x - b.x, a.y - b.y};
}

/* a + s b */
static SsVec2
along (SsVec2 a, double s, SsVec2 b)
{
  return (SsVec2){a.x + s * b.x, a.y + s * b.y};
}

static double
dot (SsVec2 a, SsVec2 b)
{
  return a.x * b.x + a.y * b.y;
}

static double
cross (SsVec2 a, SsVec2 b)
{
  return a.x * b.y - a.y * b.x;
}

static SsVec2
negated (SsVec2 a)
{
  return (SsVec2){-a.x, -a.y};
}

static SsVec2
rotated (SsVec2 v, const SsPlace *place)
{
  return (SsVec2){place->c * v.x - place->s * v.y, place->s * v.x + place->c * v.y};
}

SsPlace
ss_place (const double pose[3])
{
  return (SsPlace){{pose[0], pose[1]}, cos (pose[2]), sin (pose[2])};
}

/* As fmax and fmin of numbers that are no NaN, without a call. */
static double
larger (double a, double b)
{
  return a > b ? a : b;
}

static double
smaller (double a, double b)
{
  return b < a ? b : a;
}

/* Unit vector along v; `fallback` when v is 0. hypot does not underflow for small shapes. */
static SsVec2
unit (SsVec2 v, SsVec2 fallback)
{
  double length = hypot (v.x, v.y);
  return length > 0 ? (SsVec2){v.x / length, v.y / length} : fallback;
}

static void
outline_init (Outline *outline, const SsShape *shape, const SsPlace *place, SsVec2 origin)
{
  SS_ASSERT (shape->n_vertices >= 2 && shape->n_vertices <= SS_POLYGON_MAX);
  outline->n = shape->n_vertices;
  outline->size = 0;
  for (int i = 0; i < outline->n; i++) {
    SsVec2 v = shape->vertices[i];
    outline->vertex[i] = add (origin, rotated (v, place));
    outline->size = larger (outline->size, larger (fabs (v.x), fabs (v.y)));
  }
}

static int
next_vertex (const Outline *outline, int i)
{
  return i + 1 < outline->n ? i + 1 : 0;
}

/* Outward unit normal of the face from vertex i to the next. */
static SsVec2
face_normal (const Outline *outline, int i)
{
  SsVec2 edge = sub (outline->vertex[next_vertex (outline, i)], outline->vertex[i]);
  return unit ((SsVec2){edge.y, -edge.x}, (SsVec2){0, 0});
}

/* Largest over the faces of `a` of the smallest height of b's vertices above that face. */
static double
largest_face_separation (const Outline *a, const Outline *b, int *face)
{
  double largest = -INFINITY;
  *face = 0;
  for (int i = 0; i < a->n; i++) {
    SsVec2 normal = face_normal (a, i);
    double smallest = INFINITY;
    for (int j = 0; j < b->n; j++)
      smallest = smaller (smallest, dot (normal, sub (b->vertex[j], a->vertex[i])));
    if (smallest > largest) {
      largest = smallest;
      *face = i;
    }
  }
  return largest;
}

typedef struct {
  double squared; /* distance squared                                                          */
  int face;       /* of the face polygon                                                       */
  int vertex;     /* of the other polygon                                                      */
  int end;        /* -1: the foot lies inside the face; else the vertex of the face polygon    */
} Closest;

/* Closest pair of a vertex of `b` and a face of `a`; replaces *closest if nearer. */
static bool
closest_vertex_face (const Outline *a, const Outline *b, Closest *closest)
{
  bool found = false;
  for (int i = 0; i < a->n; i++) {
    int k = next_vertex (a, i);
    SsVec2 edge = sub (a->vertex[k], a->vertex[i]);
    double length2 = dot (edge, edge);
    for (int j = 0; j < b->n; j++) {
      SsVec2 d = sub (b->vertex[j], a->vertex[i]);
      double t = dot (d, edge);
      int end = t <= 0 ? i : t >= length2 ? k : -1;
      double squared;
      if (end < 0) {
        double height = cross (d, edge);
        if (height < 0)
          continue; /* behind this face another one is nearer */
        squared = height * height / length2;
      } else {
        SsVec2 difference = sub (b->vertex[j], a->vertex[end]);
        squared = dot (difference, difference);
      }
      if (squared < closest->squared) {
        *closest = (Closest){squared, i, j, end};
        found = true;
      }
    }
  }
  return found;
}

/* Points of `other`'s incident face over `reference`'s face, lowest first. `vertex` >= 0 is the known lowest vertex of
 * `other`. Gaps are written with the normal out of the reference face, point_a on the reference. */
static int
clip_incident_face (const Outline *reference, int face, const Outline *other, int vertex, SsGap gaps[SS_MANIFOLD_MAX])
{
  SsVec2 normal = face_normal (reference, face);
  SsVec2 tangent = {-normal.y, normal.x}; /* from the face's first vertex to its second */
  SsVec2 origin = reference->vertex[face];
  double length = dot (tangent, sub (reference->vertex[next_vertex (reference, face)], origin));
  double scale = fmax (reference->size, other->size);

  /* the face of `other` that looks most against the normal; it holds the lowest vertex */
  int incident = -1;
  double against = INFINITY;
  for (int i = 0; i < other->n; i++) {
    if (vertex >= 0 && i != vertex && next_vertex (other, i) != vertex)
      continue;
    double cosine = dot (normal, face_normal (other, i));
    if (cosine < against) {
      against = cosine;
      incident = i;
    }
  }
  double sine = fabs (cross (normal, face_normal (other, incident)));
  SsVec2 end[2] = {sub (other->vertex[incident], origin), sub (other->vertex[next_vertex (other, incident)], origin)};

  /* cut the incident face to the slab 0 <= tangent . p <= length */
  double s[2] = {dot (tangent, end[0]), dot (tangent, end[1])};
  SsVec2 point[2] = {end[0], end[1]};
  bool clipped[2] = {false, false};
  for (int k = 0; k < 2; k++) {
    double bound = s[k] < 0 ? 0 : s[k] > length ? length : s[k];
    if (bound == s[k] || s[0] == s[1])
      continue;
    double fraction = (bound - s[k]) / (s[1 - k] - s[k]);
    point[k] = along (end[k], fmin (fmax (fraction, 0), 1), sub (end[1 - k], end[k]));
    clipped[k] = true;
  }
  double height[2] = {dot (normal, point[0]), dot (normal, point[1])};
  int low = height[1] < height[0] ? 1 : 0;
  if (vertex >= 0) {
    low = incident == vertex ? 0 : 1; /* closest features are known: keep that vertex as it is */
    point[low] = end[low];
    height[low] = dot (normal, end[low]);
    clipped[low] = false;
  }

  int n = 0;
  for (int k = 0; k < 2; k++) {
    int i = k == 0 ? low : 1 - low;
    SsVec2 apart = sub (point[1 - low], point[low]);
    bool is_same = hypot (apart.x, apart.y) <= coincident_fraction * scale;
    if (k == 1 && (is_same || (clipped[i] && sine > parallel_sine)))
      break;
    SsVec2 p = add (origin, point[i]);
    gaps[n++] = (SsGap){height[i], normal, along (p, -height[i], normal), p};
  }
  return n;
}

static void
swap_roles (SsGap *gaps, int n)
{
  for (int i = 0; i < n; i++) {
    SsVec2 point = gaps[i].point_a;
    gaps[i].point_a = gaps[i].point_b;
    gaps[i].point_b = point;
    gaps[i].normal = negated (gaps[i].normal);
  }
}

/* Manifold with a's or b's face as reference. */
static int
face_contact (const Outline *a, int face_a, const Outline *b, int face_b, bool is_face_of_b,
              SsGap gaps[SS_MANIFOLD_MAX])
{
  if (!is_face_of_b)
    return clip_incident_face (a, face_a, b, -1, gaps);
  int n = clip_incident_face (b, face_b, a, -1, gaps);
  swap_roles (gaps, n);
  return n;
}

/* How far segment b lies beyond the ends of segment a; negative when their shadows on a's direction overlap. Face
 * normals alone do not tell two segments on one line apart. */
static double
end_separation (const Outline *a, const Outline *b)
{
  SsVec2 edge = sub (a->vertex[1], a->vertex[0]);
  SsVec2 tangent = unit (edge, (SsVec2){0, 0});
  double length = dot (tangent, edge);
  double s[2] = {dot (tangent, sub (b->vertex[0], a->vertex[0])), dot (tangent, sub (b->vertex[1], a->vertex[0]))};
  return fmax (fmin (s[0], s[1]) - length, -fmax (s[0], s[1]));
}

static int
polygon_polygon (const Outline *a, const Outline *b, SsGap gaps[SS_MANIFOLD_MAX])
{
  double scale = fmax (a->size, b->size);
  int face_a, face_b;
  double separation_a = largest_face_separation (a, b, &face_a);
  double separation_b = largest_face_separation (b, a, &face_b);
  bool is_face_of_b = separation_b > separation_a + tie_fraction * scale;
  double separation = fmax (separation_a, separation_b);
  bool is_apart = separation > 0;

  if (a->n == 2 && b->n == 2)
    is_apart = is_apart || end_separation (a, b) > 0 || end_separation (b, a) > 0;
  if (is_apart) {
    Closest closest = {INFINITY, 0, 0, -1};
    closest_vertex_face (a, b, &closest);
    bool is_b = closest_vertex_face (b, a, &closest);
    double distance = sqrt (closest.squared);
    const Outline *reference = is_b ? b : a, *other = is_b ? a : b;
    if (closest.end < 0) {
      int n = clip_incident_face (reference, closest.face, other, closest.vertex, gaps);
      if (is_b)
        swap_roles (gaps, n);
      return n;
    }
    int n = 0;
    if (fabs (distance - separation) <= aligned_fraction * scale)
      n = face_contact (a, face_a, b, face_b, is_face_of_b, gaps);
    if (n < 2) {
      SsVec2 p = reference->vertex[closest.end], q = other->vertex[closest.vertex];
      SsVec2 normal = unit (sub (q, p), face_normal (reference, closest.face));
      gaps[0] = (SsGap){distance, normal, p, q};
      n = 1;
      if (is_b)
        swap_roles (gaps, n);
    }
    return n;
  }
  return face_contact (a, face_a, b, face_b, is_face_of_b, gaps);
}

/* Polygon a, point b in the common frame. */
static int
polygon_point (const Outline *a, SsVec2 centre, SsGap *gap)
{
  int face = 0;
  double height = -INFINITY;
  for (int i = 0; i < a->n; i++) {
    double h = dot (face_normal (a, i), sub (centre, a->vertex[i]));
    if (h > height) {
      height = h;
      face = i;
    }
  }
  SsVec2 normal = face_normal (a, face);
  SsVec2 foot = along (centre, -height, normal);
  if (height > 0 || a->n == 2) {
    /* outside (always, of a segment): the nearest point of the boundary is inside a face or a vertex */
    Outline point = {.n = 1, .vertex = {centre}};
    Closest closest = {INFINITY, 0, 0, -1};
    closest_vertex_face (a, &point, &closest);
    normal = face_normal (a, closest.face);
    if (closest.end < 0) {
      height = dot (normal, sub (centre, a->vertex[closest.face]));
      foot = along (centre, -height, normal);
    } else {
      foot = a->vertex[closest.end];
      SsVec2 d = sub (centre, foot);
      height = hypot (d.x, d.y);
      normal = unit (d, normal);
    }
  }
  *gap = (SsGap){height, normal, foot, centre};
  return 1;
}

static int
point_point (SsVec2 centre, SsGap *gap)
{
  /* concentric: any direction is right */
  *gap = (SsGap){hypot (centre.x, centre.y), unit (centre, (SsVec2){1, 0}), {0, 0}, centre};
  return 1;
}

/* Half-plane a through the common frame's origin. The lowest vertex and the lower of its neighbours. */
static int
half_plane_polygon (SsVec2 normal, const Outline *b, SsGap gaps[SS_MANIFOLD_MAX])
{
  int low = 0;
  double lowest = INFINITY;
  for (int i = 0; i < b->n; i++) {
    double h = dot (normal, b->vertex[i]);
    if (h < lowest) {
      lowest = h;
      low = i;
    }
  }
  int after = next_vertex (b, low), before = low > 0 ? low - 1 : b->n - 1;
  double height_after = dot (normal, b->vertex[after]), height_before = dot (normal, b->vertex[before]);
  int second = height_after <= height_before ? after : before;
  double height = fmin (height_after, height_before);
  gaps[0] = (SsGap){lowest, normal, along (b->vertex[low], -lowest, normal), b->vertex[low]};
  gaps[1] = (SsGap){height, normal, along (b->vertex[second], -height, normal), b->vertex[second]};
  return 2;
}

/* Grows the cores of a and b by their radii. */
static void
add_radii (SsGap *gaps, int n, double radius_a, double radius_b)
{
  for (int i = 0; i < n; i++) {
    gaps[i].phi = gaps[i].phi - radius_a - radius_b;
    gaps[i].point_a = along (gaps[i].point_a, radius_a, gaps[i].normal);
    gaps[i].point_b = along (gaps[i].point_b, -radius_b, gaps[i].normal);
  }
}

static double
core_radius (const SsShape *shape)
{
  return shape->kind == SS_SHAPE_CIRCLE || shape->kind == SS_SHAPE_CAPSULE ? shape->radius : 0;
}

/* The shape's origin relative to the body's, world directions: polygons and capsules carry their place in their
 * vertices. */
static SsVec2
shape_offset (const SsShape *shape, const SsPlace *place)
{
  if ((shape->kind != SS_SHAPE_CIRCLE && shape->kind != SS_SHAPE_HALF_PLANE) ||
      (shape->centre.x == 0 && shape->centre.y == 0))
    return (SsVec2){0, 0};
  return rotated (shape->centre, place);
}

int
ss_geometry_manifold_placed (const SsShape *a, const SsPlace *place_a, const SsShape *b, const SsPlace *place_b,
                             SsGap gaps[SS_MANIFOLD_MAX])
{
  SS_ASSERT (a != NULL && a->n_vertices >= 0 && b != NULL && b->n_vertices >= 0);
  if (a->kind == SS_SHAPE_HALF_PLANE && b->kind == SS_SHAPE_HALF_PLANE)
    return 0;
  /* one order of kinds is enough: half-plane, what has faces, circle */
  static const int rank[] = {[SS_SHAPE_HALF_PLANE] = 0,
                             [SS_SHAPE_POLYGON] = 1,
                             [SS_SHAPE_CAPSULE] = 1,
                             [SS_SHAPE_SEGMENT] = 1,
                             [SS_SHAPE_CIRCLE] = 2};
  if (rank[a->kind] > rank[b->kind]) {
    int n = ss_geometry_manifold_placed (b, place_b, a, place_a, gaps);
    swap_roles (gaps, n);
    return n;
  }

  SsVec2 offset_a = shape_offset (a, place_a), offset_b = shape_offset (b, place_b);
  SsVec2 centre = add (sub (place_b->at, place_a->at), sub (offset_b, offset_a));
  Outline outline_a, outline_b;
  int n = 0;
  if (a->kind == SS_SHAPE_HALF_PLANE) {
    SsVec2 normal = rotated (a->normal, place_a);
    if (rank[b->kind] == 1) {
      outline_init (&outline_b, b, place_b, centre);
      n = half_plane_polygon (normal, &outline_b, gaps);
    } else {
      double height = dot (normal, centre);
      gaps[0] = (SsGap){height, normal, along (centre, -height, normal), centre};
      n = 1;
    }
  } else if (rank[a->kind] == 1) {
    outline_init (&outline_a, a, place_a, (SsVec2){0, 0});
    if (rank[b->kind] == 1) {
      outline_init (&outline_b, b, place_b, centre);
      n = polygon_polygon (&outline_a, &outline_b, gaps);
    } else {
      n = polygon_point (&outline_a, centre, gaps);
    }
  } else {
    n = point_point (centre, gaps);
  }
  add_radii (gaps, n, core_radius (a), core_radius (b));
  for (int i = 0; i < n; i++) {
    gaps[i].point_a = add (add (gaps[i].point_a, offset_a), place_a->at);
    gaps[i].point_b = add (add (gaps[i].point_b, offset_a), place_a->at);
  }
  return n;
}

/* Without an angle for a circle about the body's origin, which has none. */
static SsPlace
place_for (const SsShape *shape, const double pose[3])
{
  const bool turns = shape->kind != SS_SHAPE_CIRCLE || shape->centre.x != 0 || shape->centre.y != 0;

  return turns ? ss_place (pose) : (SsPlace){{pose[0], pose[1]}, 1, 0};
}

int
ss_geometry_manifold (const SsShape *a, const double pose_a[3], const SsShape *b, const double pose_b[3],
                      SsGap gaps[SS_MANIFOLD_MAX])
{
  const SsPlace place_a = place_for (a, pose_a), place_b = place_for (b, pose_b);

  return ss_geometry_manifold_placed (a, &place_a, b, &place_b, gaps);
}

double
ss_shape_radius (const SsShape *shape)
{
  SS_ASSERT (shape != NULL);

  double radius = 0;
  switch (shape->kind) {
  case SS_SHAPE_CIRCLE:
    return hypot (shape->centre.x, shape->centre.y) + shape->radius;
  case SS_SHAPE_POLYGON:
  case SS_SHAPE_CAPSULE:
  case SS_SHAPE_SEGMENT:
    for (int i = 0; i < shape->n_vertices; i++)
      radius = fmax (radius, hypot (shape->vertices[i].x, shape->vertices[i].y));
    return radius + core_radius (shape);
  case SS_SHAPE_HALF_PLANE:
    break;
  }
  return INFINITY;
}

SsBox
ss_shape_box_placed (const SsShape *shape, const SsPlace *place, double margin)
{
  SS_ASSERT (shape != NULL && place != NULL);

  SsBox box = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
  SsVec2 offset = shape_offset (shape, place);
  if (shape->kind == SS_SHAPE_HALF_PLANE) {
    /* finite only on the side of a normal along an axis; rounding of the normal must not cut anything off */
    SsVec2 n = rotated (shape->normal, place);
    box = (SsBox){{-INFINITY, -INFINITY}, {INFINITY, INFINITY}};
    if (n.x == 0 && n.y > 0)
      box.upper.y = place->at.y + offset.y + margin;
    else if (n.x == 0)
      box.lower.y = place->at.y + offset.y - margin;
    else if (n.y == 0 && n.x > 0)
      box.upper.x = place->at.x + offset.x + margin;
    else if (n.y == 0)
      box.lower.x = place->at.x + offset.x - margin;
    return box;
  }
  int n = shape->kind == SS_SHAPE_CIRCLE ? 1 : shape->n_vertices;
  const double reach = core_radius (shape) + margin;
  for (int i = 0; i < n; i++) {
    SsVec2 p = offset;
    if (shape->kind != SS_SHAPE_CIRCLE)
      p = rotated (shape->vertices[i], place);
    box.lower = (SsVec2){fmin (box.lower.x, p.x), fmin (box.lower.y, p.y)};
    box.upper = (SsVec2){fmax (box.upper.x, p.x), fmax (box.upper.y, p.y)};
  }
  box.lower = (SsVec2){place->at.x + box.lower.x - reach, place->at.y + box.lower.y - reach};
  box.upper = (SsVec2){place->at.x + box.upper.x + reach, place->at.y + box.upper.y + reach};
  return box;
}

SsBox
ss_shape_box (const SsShape *shape, const double pose[3], double margin)
{
  SS_ASSERT (shape != NULL && pose != NULL);

  const SsPlace place = ss_place (pose);
  return ss_shape_box_placed (shape, &place, margin);
}
