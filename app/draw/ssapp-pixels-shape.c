/* app/draw/ssapp-pixels-shape.c: bodies and arrows as polygons of pixels. */
#include "app/draw/ssapp-pixels.h"

#include <math.h>

enum { MOST_CORNERS = 64 };

typedef struct {
  double points[MOST_CORNERS][2]; /* on the device, turning one way */
  int n;
} Ring;

/* Corners of a polygon, turning as those of circles and capsules do. FALSE: too many. */
static gboolean
polygon_ring (const SsappCamera *camera, const SsMark *mark, double x, double y, Ring *ring)
{
  const double c = cos (mark->angle) * camera->scale, s = sin (mark->angle) * camera->scale;
  double turn = 0;

  if (mark->n_vertices < 3 || mark->n_vertices > MOST_CORNERS)
    return FALSE;
  for (int i = 0; i < mark->n_vertices; i++) {
    const SsVec2 v = mark->vertices[i], w = mark->vertices[(i + 1) % mark->n_vertices];
    turn += v.x * w.y - w.x * v.y;
  }
  ring->n = mark->n_vertices;
  for (int i = 0; i < ring->n; i++) {
    const SsVec2 v = mark->vertices[turn < 0 ? ring->n - 1 - i : i];
    ring->points[i][0] = x + c * v.x - s * v.y;
    ring->points[i][1] = y - s * v.x - c * v.y;
  }
  return TRUE;
}

/* Half circles about the ends of a capsule, or about the middle of a circle. FALSE: too large for so few corners. */
static gboolean
round_ring (const SsappCamera *camera, const SsMark *mark, double x, double y, double radius, Ring *ring)
{
  static const double NEAR = 0.05; /* px between a chord and its arc */
  const double c = cos (mark->angle) * camera->scale, s = sin (mark->angle) * camera->scale;
  const gboolean is_capsule = mark->kind == SS_MARK_CAPSULE;
  const SsVec2 ends[2] = {is_capsule ? mark->vertices[0] : (SsVec2){0, 0},
                          is_capsule ? mark->vertices[1] : (SsVec2){0, 0}};
  const double axis = is_capsule ? mark->angle + atan2 (ends[1].y - ends[0].y, ends[1].x - ends[0].x) : 0;
  const int n = radius > NEAR ? (int)ceil (G_PI / (2 * acos (1 - NEAR / radius))) : 1; /* chords of a half circle */

  if (!(radius >= 0) || 2 * (n + 1) > MOST_CORNERS)
    return FALSE;
  ring->n = 0;
  for (int end = 1; end >= 0; end--)
    for (int i = 0; i <= n; i++) {
      const double angle = axis + (end == 1 ? -G_PI_2 : G_PI_2) + i * G_PI / n;
      ring->points[ring->n][0] = x + c * ends[end].x - s * ends[end].y + radius * cos (angle);
      ring->points[ring->n++][1] = y - s * ends[end].x - c * ends[end].y - radius * sin (angle);
    }
  return TRUE;
}

/* A polygon whose edges lie `out` to the outside, with sharp corners. FALSE: a corner would be cut by Cairo, or an edge
 * turns round. */
static gboolean
offset_ring (const Ring *ring, double out, Ring *moved)
{
  static const double MITER = 10.; /* Cairo's limit */

  moved->n = ring->n;
  for (int i = 0; i < ring->n; i++) {
    const double *before = ring->points[(i + ring->n - 1) % ring->n], *at = ring->points[i],
                 *after = ring->points[(i + 1) % ring->n];
    const double ax = at[0] - before[0], ay = at[1] - before[1], bx = after[0] - at[0], by = after[1] - at[1],
                 a = hypot (ax, ay), b = hypot (bx, by);
    /* normals to the outside: on the device the corners turn clockwise */
    const double nx = -ay / a - by / b, ny = ax / a + bx / b, length2 = nx * nx + ny * ny;
    if (!(a > 0 && b > 0 && length2 * MITER * MITER > 4))
      return FALSE;
    moved->points[i][0] = at[0] + 2 * out * nx / length2;
    moved->points[i][1] = at[1] + 2 * out * ny / length2;
  }
  for (int i = 0; i < ring->n; i++) {
    const int k = (i + 1) % ring->n;
    if (!((moved->points[k][0] - moved->points[i][0]) * (ring->points[k][0] - ring->points[i][0]) +
              (moved->points[k][1] - moved->points[i][1]) * (ring->points[k][1] - ring->points[i][1]) >
          0))
      return FALSE;
  }
  return TRUE;
}

/* Whether no point of the polygon is further than `width` from one of its edges: a line so wide fills it. */
static gboolean
is_thin (const Ring *ring, double width)
{
  for (int i = 0; i < ring->n; i++) {
    const double *a = ring->points[i], *b = ring->points[(i + 1) % ring->n];
    const double length = hypot (b[0] - a[0], b[1] - a[1]);
    double deepest = 0;
    for (int k = 0; k < ring->n && length > 0; k++)
      deepest = MAX (deepest,
                     fabs ((ring->points[k][0] - a[0]) * (b[1] - a[1]) - (ring->points[k][1] - a[1]) * (b[0] - a[0])) /
                         length);
    if (length > 0 && deepest <= width)
      return TRUE;
  }
  return FALSE;
}

/* The outline of a body; of circles and capsules `out` further to the outside. */
static gboolean
ring_of (const SsappCamera *camera, const SsMark *mark, double x, double y, double out, Ring *ring)
{
  if (mark->kind == SS_MARK_POLYGON)
    return polygon_ring (camera, mark, x, y, ring);
  return (mark->kind == SS_MARK_CIRCLE || (mark->kind == SS_MARK_CAPSULE && mark->n_vertices == 2)) &&
         round_ring (camera, mark, x, y, mark->radius * camera->scale + out, ring);
}

static void
add_ring (SsappPixels *pixels, const Ring *ring, gboolean is_backwards)
{
  Ring turned = {.n = ring->n};

  for (int i = 0; i < ring->n && is_backwards; i++) {
    turned.points[i][0] = ring->points[ring->n - 1 - i][0];
    turned.points[i][1] = ring->points[ring->n - 1 - i][1];
  }
  ssapp_pixels_add (pixels, is_backwards ? turned.points[0] : ring->points[0], ring->n);
}

/* Edges of the line about a body: the outer one, and the inner one unless the line fills the body. FALSE: Cairo's. */
static gboolean
line_of (const SsappCamera *camera, const SsMark *mark, double x, double y, double width, Ring *outer, Ring *inner,
         gboolean *is_full)
{
  Ring ring;

  if (mark->kind != SS_MARK_POLYGON) {
    *is_full = mark->radius * camera->scale <= width / 2;
    return ring_of (camera, mark, x, y, width / 2, outer) &&
           (*is_full || ring_of (camera, mark, x, y, -width / 2, inner));
  }
  if (!polygon_ring (camera, mark, x, y, &ring) || !offset_ring (&ring, width / 2, outer))
    return FALSE;
  *is_full = !offset_ring (&ring, -width / 2, inner);
  return !*is_full || is_thin (&ring, width);
}

gboolean
ssapp_pixels_fill_body (SsappPixels *self, const SsappCamera *camera, const SsMark *mark, double x, double y,
                        double line_width)
{
  Ring ring, outer, inner;
  gboolean is_full;

  if (!ring_of (camera, mark, x, y, 0, &ring) || !line_of (camera, mark, x, y, line_width, &outer, &inner, &is_full))
    return FALSE;
  add_ring (self, &ring, FALSE);
  ssapp_pixels_fill (self);
  return TRUE;
}

gboolean
ssapp_pixels_stroke_body (SsappPixels *self, const SsappCamera *camera, const SsMark *mark, double x, double y,
                          double line_width)
{
  Ring outer, inner;
  gboolean is_full;

  if (!line_of (camera, mark, x, y, line_width, &outer, &inner, &is_full))
    return FALSE;
  add_ring (self, &outer, FALSE);
  if (!is_full)
    add_ring (self, &inner, TRUE);
  ssapp_pixels_fill (self);
  return TRUE;
}

void
ssapp_pixels_arrow (SsappPixels *self, const SsappArrow *arrow)
{
  const double nx = -arrow->uy * arrow->shaft_width / 2, ny = arrow->ux * arrow->shaft_width / 2;
  const double shaft[4][2] = {{arrow->x0 + nx, arrow->y0 + ny},
                              {arrow->x0 - nx, arrow->y0 - ny},
                              {arrow->shaft_x - nx, arrow->shaft_y - ny},
                              {arrow->shaft_x + nx, arrow->shaft_y + ny}};

  ssapp_pixels_set_color (self, arrow->color);
  ssapp_pixels_add (self, shaft[0], 4);
  ssapp_pixels_fill (self);
  ssapp_pixels_add (self, arrow->head[0], 3);
  ssapp_pixels_fill (self);
}
