/* engine/scene/ss-cut.c: see the header.
 *
 * The line     d = (to - from) / |to - from|; of a point p: s = d . (p - from) along it, h = d x (p - from) beside it,
 *              above 0 on its left. A convex polygon whose corners lie on both sides has two points of the line in its
 *              outline, a corner each or a point of an edge; the ways between them are the outlines of its two parts,
 *              so that these share their points to the bit.
 * The stroke   0 <= s <= |to - from|. Shapes whose crossings [s0, s1] overlap are one crossing of matter.
 * The pieces   are the components of a graph: two parts hang together where they touch, but not across the cut.
 */
#include "scene/ss-cut.h"

#include "core/ss-memory.h"
#include "scene/ss-scene-private.h"

#include <math.h>
#include <string.h>

/* As shares of the body's size: a corner this far from the line is on it; gaps of shapes that hang together; a place
 * where they touch this far from the cut is on it. The reader refuses edges shorter than 1e-6. */
#define ON_LINE  4e-6
#define TOUCHING 1e-6
#define AT_CUT   1e-5
/* Pieces whose measures differ by a share below this are equally large. */
#define EQUAL 1e-9

static const double PI = 3.14159265358979323846;

typedef enum { RIGHT = -1, ACROSS = 0, LEFT = 1 } Side;

/* The line in the body's frame. */
typedef struct {
  SsVec2 from, along;
  double length, size; /* of the stroke, of the body [m] */
} Line;

/* What the line does to one shape. */
typedef struct {
  SsShape outline; /* a polygon in the place of an arc */
  SsVec2 arc[SS_CUT_ARC_EDGES + 2];
  SsVec2 parts[2][SS_POLYGON_MAX + 1]; /* on the left, on the right */
  int n_corners[2];
  double first, last; /* the part of the line within it; first > last: none */
  bool is_crossed;    /* both of its sides have matter; else it may touch the line */
  bool is_cut;        /* the stroke covers the crossing of matter that it is of */
} Crossing;

static double
along (const Line *line, SsVec2 p)
{
  return line->along.x * (p.x - line->from.x) + line->along.y * (p.y - line->from.y);
}

static double
beside (const Line *line, SsVec2 p)
{
  return line->along.x * (p.y - line->from.y) - line->along.y * (p.x - line->from.x);
}

static Side
side_of (const Line *line, SsVec2 p)
{
  const double h = beside (line, p);

  return h > ON_LINE * line->size ? LEFT : h < -ON_LINE * line->size ? RIGHT : ACROSS;
}

/* ---- one shape --------------------------------------------------------------------------------------------------- */

/* Corners on a circle, one an edge's turn behind the other, from an angle on. */
static void
put_arc (SsVec2 centre, double radius, double from, int n, SsVec2 *corners)
{
  for (int i = 0; i < n; i++) {
    const SsVec2 arm = ss_vec2_turned ((SsVec2){radius, 0}, from + i * 2 * PI / SS_CUT_ARC_EDGES);
    corners[i] = (SsVec2){centre.x + arm.x, centre.y + arm.y};
  }
}

/* What is cut: the shape, or the polygon inscribed in it. */
static void
find_outline (const SsShape *shape, Crossing *crossing)
{
  enum { HALF = SS_CUT_ARC_EDGES / 2 };
  const SsVec2 *ends = shape->vertices;

  crossing->outline = *shape;
  if (shape->kind != SS_SHAPE_CIRCLE && shape->kind != SS_SHAPE_CAPSULE)
    return;
  crossing->outline = (SsShape){.kind = SS_SHAPE_POLYGON, .n_vertices = SS_CUT_ARC_EDGES, .vertices = crossing->arc};
  if (shape->kind == SS_SHAPE_CIRCLE) {
    put_arc (shape->centre, shape->radius, 0, SS_CUT_ARC_EDGES, crossing->arc);
  } else {
    const double angle = atan2 (ends[1].y - ends[0].y, ends[1].x - ends[0].x);
    put_arc (ends[1], shape->radius, angle - PI / 2, HALF + 1, crossing->arc);
    put_arc (ends[0], shape->radius, angle + PI / 2, HALF + 1, crossing->arc + HALF + 1);
    crossing->outline.n_vertices += 2;
  }
}

/* The point of the line in the outline between corner i on one side and the next one on the other, corner j: the
 * nearest of the corners on the line that lie between them, whose index is *corner, or of the edge, where *corner is
 * -1. */
static SsVec2
find_gate (const Line *line, const SsShape *outline, int i, int j, int *corner)
{
  const SsVec2 *p = outline->vertices;
  double least = INFINITY;

  *corner = -1;
  for (int k = (i + 1) % outline->n_vertices; k != j; k = (k + 1) % outline->n_vertices)
    if (fabs (beside (line, p[k])) < least) {
      least = fabs (beside (line, p[k]));
      *corner = k;
    }
  if (*corner >= 0)
    return p[*corner];
  const double hi = beside (line, p[i]), hj = beside (line, p[j]), share = hi / (hi - hj);
  return (SsVec2){p[i].x + share * (p[j].x - p[i].x), p[i].y + share * (p[j].y - p[i].y)};
}

/* The last corner of a side going round, of which the next one that is not on the line is on the other side, *next. */
static int
find_last (const Line *line, const SsShape *outline, Side side, int *next)
{
  const int n = outline->n_vertices;

  for (int i = 0; i < n; i++) {
    int j = (i + 1) % n;
    if (side_of (line, outline->vertices[i]) != side)
      continue;
    while (side_of (line, outline->vertices[j]) == ACROSS)
      j = (j + 1) % n;
    if (side_of (line, outline->vertices[j]) != side) {
      *next = j;
      return i;
    }
  }
  return -1;
}

/* From one gate to the other, with both: corner `begin` is the first behind gate a, corner `end` is gate b or behind
 * it. */
static int
put_part (const SsShape *outline, SsVec2 a, int begin, SsVec2 b, int end, SsVec2 *part)
{
  int n = 0;

  part[n++] = a;
  for (int k = begin; k != end; k = (k + 1) % outline->n_vertices)
    part[n++] = outline->vertices[k];
  part[n++] = b;
  return n;
}

/* Both parts of a polygon, and where the line is within it. */
static void
split_polygon (const Line *line, Crossing *crossing)
{
  const SsShape *outline = &crossing->outline;
  const int n = outline->n_vertices;
  int after_left, after_right, out, in;
  const int last_left = find_last (line, outline, LEFT, &after_left),
            last_right = find_last (line, outline, RIGHT, &after_right);
  const SsVec2 leaves = find_gate (line, outline, last_left, after_left, &out),
               enters = find_gate (line, outline, last_right, after_right, &in);
  /* the corners behind a gate that are on the line as well are of the side that they lead to */
  const int behind_out = out >= 0 ? (out + 1) % n : after_left, behind_in = in >= 0 ? (in + 1) % n : after_right;

  crossing->n_corners[0] =
      put_part (outline, enters, behind_in, leaves, out >= 0 ? out : after_left, crossing->parts[0]);
  crossing->n_corners[1] =
      put_part (outline, leaves, behind_out, enters, in >= 0 ? in : after_right, crossing->parts[1]);
  crossing->first = fmin (along (line, leaves), along (line, enters));
  crossing->last = fmax (along (line, leaves), along (line, enters));
}

static void
split_segment (const Line *line, Crossing *crossing)
{
  const SsVec2 *p = crossing->outline.vertices;
  const double h0 = beside (line, p[0]), h1 = beside (line, p[1]), share = h0 / (h0 - h1);
  const SsVec2 cut = {p[0].x + share * (p[1].x - p[0].x), p[0].y + share * (p[1].y - p[0].y)};
  const int first = h0 > 0 ? 0 : 1;

  memcpy (crossing->parts[first], (SsVec2[]){p[0], cut}, 2 * sizeof cut);
  memcpy (crossing->parts[1 - first], (SsVec2[]){cut, p[1]}, 2 * sizeof cut);
  crossing->n_corners[0] = crossing->n_corners[1] = 2;
  crossing->first = crossing->last = along (line, cut);
}

static void
cross (const Line *line, const SsShape *shape, Crossing *crossing)
{
  bool is_on[2] = {false, false}; /* left, right */

  find_outline (shape, crossing);
  crossing->first = INFINITY;
  crossing->last = -INFINITY;
  for (int i = 0; i < crossing->outline.n_vertices; i++) {
    const SsVec2 p = crossing->outline.vertices[i];
    const Side side = side_of (line, p);
    if (side != ACROSS) {
      is_on[side == RIGHT] = true;
      continue;
    }
    crossing->first = fmin (crossing->first, along (line, p));
    crossing->last = fmax (crossing->last, along (line, p));
  }
  crossing->is_crossed = is_on[0] && is_on[1];
  if (crossing->is_crossed && shape->kind == SS_SHAPE_SEGMENT)
    split_segment (line, crossing);
  else if (crossing->is_crossed)
    split_polygon (line, crossing);
}

/* ---- the stroke -------------------------------------------------------------------------------------------------- */

/* Marks the shapes that are cut: those of crossings of matter that the stroke covers. */
static SsCutOutcome
choose_cut (const Line *line, Crossing *crossings, int n)
{
  const double slack = TOUCHING * line->size;
  SsCutOutcome outcome = SS_CUT_MISSES;

  for (int i = 0; i < n; i++) {
    double first = crossings[i].first, last = crossings[i].last;
    bool has_grown = true, is_crossed = crossings[i].is_crossed;
    while (has_grown) { /* to the whole of the matter that it is of */
      has_grown = false;
      for (int k = 0; k < n; k++) {
        const Crossing *other = &crossings[k];
        if (other->first > last + slack || other->last < first - slack || other->first > other->last)
          continue;
        is_crossed = is_crossed || other->is_crossed;
        has_grown = has_grown || other->first < first || other->last > last;
        first = fmin (first, other->first);
        last = fmax (last, other->last);
      }
    }
    crossings[i].is_cut = first <= last && first >= -slack && last <= line->length + slack;
    if (crossings[i].is_cut)
      outcome = outcome == SS_CUT_MISSES ? SS_CUT_DONE : outcome;
    else if (is_crossed && first <= line->length && last >= 0)
      outcome = SS_CUT_ENDS_INSIDE;
  }
  return outcome;
}

/* ---- what hangs together ----------------------------------------------------------------------------------------- */

/* Whether two shapes touch; `line`: elsewhere than on the cut between them. */
static bool
touch (const SsShape *a, const SsShape *b, double size, const Line *line)
{
  static const double here[3] = {0, 0, 0};
  SsGap gaps[SS_MANIFOLD_MAX];
  const int n = ss_geometry_manifold (a, here, b, here, gaps);

  for (int g = 0; g < n; g++)
    if (gaps[g].phi <= TOUCHING * size &&
        (line == NULL || gaps[g].phi < -TOUCHING * size || fabs (beside (line, gaps[g].point_a)) > AT_CUT * size))
      return true;
  return false;
}

/* The root of a set that is given by the parents of its members. */
static int
root_of (const int *parents, int i)
{
  while (parents[i] != i)
    i = parents[i];
  return i;
}

static void
unite (int *parents, int i, int k)
{
  const int a = root_of (parents, i), b = root_of (parents, k);

  parents[a > b ? a : b] = a > b ? b : a;
}

static bool
hangs_together (const SsBody *body, double size, int *parents)
{
  const int n = body->n_shapes;
  bool is_one = true;

  for (int i = 0; i < n; i++)
    parents[i] = i;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < i; k++)
      if (touch (&body->shapes[i], &body->shapes[k], size, NULL))
        unite (parents, i, k);
  for (int i = 1; i < n; i++)
    is_one = is_one && root_of (parents, i) == 0;
  return is_one;
}

/* ---- pieces ------------------------------------------------------------------------------------------------------ */

/* Parts of the shapes on one side, 0 the left, and which side of the cut each is on: ACROSS where it reaches none. */
static void
list_parts (const SsBody *body, const Line *line, const Crossing *crossings, int half, SsCut *cut, Side *sides)
{
  for (int i = 0; i < body->n_shapes; i++) {
    const Crossing *crossing = &crossings[i];
    const SsShape *shape = &body->shapes[i];
    const bool is_parted = crossing->is_crossed && crossing->is_cut,
               is_left = beside (line, ss_shapes_matter (shape, 1).centroid) >= 0;
    SsCutShape *part = &cut->shapes[cut->n_shapes];
    if (!is_parted && is_left != (half == 0))
      continue;
    *part = (SsCutShape){.shape = *shape, .source = i, .is_whole = !is_parted};
    if (is_parted) {
      part->shape = crossing->outline;
      part->shape.n_vertices = crossing->n_corners[half];
      part->shape.vertices = part->vertices;
      memcpy (part->vertices, crossing->parts[half], (size_t)part->shape.n_vertices * sizeof *part->vertices);
      cut->has_arcs = cut->has_arcs || shape->kind == SS_SHAPE_CIRCLE || shape->kind == SS_SHAPE_CAPSULE;
    }
    const bool is_missed = crossing->first <= crossing->last && !crossing->is_cut;
    sides[cut->n_shapes++] = is_missed ? ACROSS : half == 0 ? LEFT : RIGHT;
  }
}

/* Gives each part its piece; `n_left` parts are on the left; `by_side`: what lies on one side is one piece. */
static void
group (const Line *line, bool by_side, int n_left, const Side *sides, int *parents, SsCut *cut)
{
  for (int i = 0; i < cut->n_shapes; i++)
    parents[i] = i;
  for (int i = 0; i < cut->n_shapes; i++)
    for (int k = 0; k < i; k++) {
      const int both = sides[i] * sides[k]; /* 1: on one side of the cut; -1: it is between them */
      if (by_side
              ? (i < n_left) == (k < n_left)
              : both >= 0 && touch (&cut->shapes[i].shape, &cut->shapes[k].shape, line->size, both > 0 ? line : NULL))
        unite (parents, i, k);
    }
  for (int i = 0; i < cut->n_shapes; i++) /* a root has the least index of its set */
    cut->shapes[i].piece = parents[i] == i ? cut->n_pieces++ : cut->shapes[root_of (parents, i)].piece;
}

/* What the pieces weigh, and the largest first. `shapes` and `order` have room for all shapes. */
static void
weigh (const SsBody *body, SsShape *shapes, int *order, SsCut *cut)
{
  const bool has_area = ss_shapes_matter (body->shapes, body->n_shapes).is_area;
  SsCutPiece *pieces = cut->pieces;

  for (int p = 0; p < cut->n_pieces; p++) {
    int n = 0;
    for (int i = 0; i < cut->n_shapes; i++)
      if (cut->shapes[i].piece == p)
        shapes[n++] = cut->shapes[i].shape;
    const SsMatter matter = ss_shapes_matter (shapes, n);
    const bool weighs = matter.is_area || !has_area;
    const SsCutPiece piece = {weighs ? matter.measure : 0, weighs ? matter.second_about_centroid : 0, matter.centroid};
    int at = p;
    for (; at > 0 && piece.measure > pieces[at - 1].measure * (1 + EQUAL); at--) {
      pieces[at] = pieces[at - 1];
      order[at] = order[at - 1];
    }
    pieces[at] = piece;
    order[at] = p;
  }
  for (int i = 0; i < cut->n_shapes; i++) {
    int at = 0;
    while (order[at] != cut->shapes[i].piece)
      at++;
    cut->shapes[i].piece = at;
  }
}

/* The pieces of shapes that the line crosses. */
static SsStatus
part (const SsBody *body, const Line *line, const Crossing *crossings, SsCut *cut, SsError *err)
{
  const int n = body->n_shapes;
  Side *sides = ss_new_array (Side, 2 * n);
  int *parents = ss_new_array (int, 2 * n), n_left = 0;
  SsShape *shapes = ss_new_array (SsShape, 2 * n);
  SsStatus status = SS_OK;

  cut->shapes = ss_new_array (SsCutShape, 2 * n);
  cut->pieces = ss_new_array (SsCutPiece, 2 * n);
  if (sides == NULL || parents == NULL || shapes == NULL || cut->shapes == NULL || cut->pieces == NULL) {
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory");
    goto done;
  }
  const bool by_side = !hangs_together (body, line->size, parents);
  for (int half = 0; half < 2; half++) {
    list_parts (body, line, crossings, half, cut, sides);
    n_left = half == 0 ? cut->n_shapes : n_left;
  }
  for (int i = 0; i < cut->n_shapes; i++)
    if (cut->shapes[i].shape.n_vertices > SS_POLYGON_MAX) {
      status = ss_error_set (err, SS_ERR_INVALID, "a piece of '%.60s' would have more than %d corners", body->name,
                             SS_POLYGON_MAX);
      goto done;
    }
  group (line, by_side, n_left, sides, parents, cut);
  weigh (body, shapes, parents, cut);

done:
  ss_free (shapes);
  ss_free (parents);
  ss_free (sides);
  return status;
}

SsStatus
ss_cut_body (const SsBody *body, SsVec2 from, SsVec2 to, SsCut *cut, SsError *err)
{
  SS_ASSERT (body != NULL && body->n_shapes > 0 && cut != NULL);

  const SsVec2 a = {from.x - body->q[0], from.y - body->q[1]}, d = {to.x - from.x, to.y - from.y};
  const double length = hypot (d.x, d.y), size = ss_body_size (body);
  *cut = (SsCut){.outcome = SS_CUT_MISSES};
  if (!(length > 0) || !isfinite (ss_body_radius (body)))
    return SS_OK;
  const Line line = {ss_vec2_turned (a, -body->q[2]),
                     ss_vec2_turned ((SsVec2){d.x / length, d.y / length}, -body->q[2]), length, size};
  Crossing *crossings = ss_new_array (Crossing, body->n_shapes);
  SsStatus status = crossings != NULL ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  bool is_parted = false;

  for (int i = 0; status == SS_OK && i < body->n_shapes; i++)
    cross (&line, &body->shapes[i], &crossings[i]);
  if (status == SS_OK)
    cut->outcome = choose_cut (&line, crossings, body->n_shapes);
  for (int i = 0; cut->outcome == SS_CUT_DONE && i < body->n_shapes; i++)
    is_parted = is_parted || (crossings[i].is_crossed && crossings[i].is_cut);
  if (status == SS_OK && cut->outcome == SS_CUT_DONE)
    status = part (body, &line, crossings, cut, err);
  ss_free (crossings);
  if (status == SS_OK && cut->outcome == SS_CUT_DONE && cut->n_pieces > 1)
    return SS_OK;
  const SsCutOutcome outcome = cut->outcome != SS_CUT_DONE ? cut->outcome
                               : is_parted                 ? SS_CUT_PARTS_NOTHING
                                                           : SS_CUT_MISSES;
  ss_cut_free (cut);
  *cut = (SsCut){.outcome = outcome};
  return status;
}

void
ss_cut_free (SsCut *cut)
{
  if (cut == NULL)
    return;
  ss_free (cut->shapes);
  ss_free (cut->pieces);
  *cut = (SsCut){.outcome = SS_CUT_MISSES};
}
