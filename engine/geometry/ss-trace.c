/* engine/geometry/ss-trace.c: see the header. */
#include "geometry/ss-trace.h"

#include "core/ss-memory.h"

#include <math.h>
#include <string.h>

enum { LEAST_PIXELS = 9 };

/* ---- the region -------------------------------------------------------------------------------------------------- */

/* Pixels of the region, with a border of one pixel that is none. */
typedef struct {
  uint8_t *is_in;
  int width, height, stride; /* of the picture; of the mask, which is wider by two */
  int n;
} Region;

static bool
is_in (const Region *region, int x, int y)
{
  return region->is_in[(size_t)(y + 1) * (size_t)region->stride + (size_t)(x + 1)] != 0;
}

static bool
is_like (const SsImage *image, int x, int y, const uint8_t *colour, double likeness)
{
  const uint8_t *pixel = image->pixels + (size_t)y * (size_t)image->stride + 4 * (size_t)x;
  double sum = 0;

  for (int c = 0; c < 4; c++) {
    const double d = (pixel[c] - colour[c]) / 255.;
    sum += d * d;
  }
  return sqrt (sum / 4) <= likeness;
}

/* What hangs together with the pixel; `stack` has room for every pixel of the mask. */
static void
fill (const SsImage *image, int x, int y, double likeness, Region *region, int *stack)
{
  const uint8_t *colour = image->pixels + (size_t)y * (size_t)image->stride + 4 * (size_t)x;
  static const int steps[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  int n = 0;

  region->is_in[(size_t)(y + 1) * (size_t)region->stride + (size_t)(x + 1)] = 1;
  stack[n++] = y * image->width + x;
  while (n > 0) {
    const int at = stack[--n], px = at % image->width, py = at / image->width;
    region->n++;
    for (int s = 0; s < 4; s++) {
      const int nx = px + steps[s][0], ny = py + steps[s][1];
      if (nx < 0 || ny < 0 || nx >= image->width || ny >= image->height || is_in (region, nx, ny) ||
          !is_like (image, nx, ny, colour, likeness))
        continue;
      region->is_in[(size_t)(ny + 1) * (size_t)region->stride + (size_t)(nx + 1)] = 1;
      stack[n++] = ny * image->width + nx;
    }
  }
}

/* ---- the outline ------------------------------------------------------------------------------------------------- */

typedef struct {
  SsVec2 *points;
  int n, capacity;
} Outline;

static bool
add_point (Outline *outline, double x, double y)
{
  if (ss_array_reserve ((void **)&outline->points, &outline->capacity, outline->n + 1, sizeof *outline->points) != 0)
    return false;
  outline->points[outline->n++] = (SsVec2){x, y};
  return true;
}

/* Goes along the sides between pixels of the region, which is on the right, and others, from the upper side of its
 * first pixel on; the middles of these sides are the points of marching squares. Pixels that meet at a corner alone do
 * not hang together. */
static bool
follow (const Region *region, Outline *outline)
{
  /* right, down, left, up: the way, and the pixels ahead of it on its right and on its left, from a corner of pixels */
  static const int step[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}}, right[4][2] = {{0, 0}, {-1, 0}, {-1, -1}, {0, -1}},
                   left[4][2] = {{0, -1}, {0, 0}, {-1, 0}, {-1, -1}};
  int first = 0, way = 0;

  while (!is_in (region, first % region->width, first / region->width))
    first++;
  const int first_x = first % region->width, first_y = first / region->width;
  int x = first_x, y = first_y;
  do {
    if (!add_point (outline, x + 0.5 * step[way][0], y + 0.5 * step[way][1]))
      return false;
    x += step[way][0];
    y += step[way][1];
    if (!is_in (region, x + right[way][0], y + right[way][1]))
      way = (way + 1) % 4;
    else if (is_in (region, x + left[way][0], y + left[way][1]))
      way = (way + 3) % 4;
  } while (x != first_x || y != first_y || way != 0);
  return true;
}

/* ---- the polygon ------------------------------------------------------------------------------------------------- */

static double
from_segment (SsVec2 p, SsVec2 a, SsVec2 b)
{
  const double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
  double s = length2 > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / length2 : 0;

  s = s < 0 ? 0 : s > 1 ? 1 : s;
  return hypot (p.x - a.x - s * dx, p.y - a.y - s * dy);
}

/* The point between two of the outline, going on from the first, that is farthest from their line; its index, or -1
 * where it is within the fineness. */
static int
find_farthest (const Outline *outline, int a, int b, double fineness)
{
  double most = fineness;
  int found = -1;

  for (int i = (a + 1) % outline->n; i != b; i = (i + 1) % outline->n) {
    const double d = from_segment (outline->points[i], outline->points[a], outline->points[b]);
    if (d > most) {
      most = d;
      found = i;
    }
  }
  return found;
}

/* Marks the corners of the polygon among the points; `stack` has room for 2 n. */
static void
simplify (const Outline *outline, double fineness, uint8_t *is_corner, int *stack)
{
  const SsVec2 *p = outline->points;
  int other = 0, n = 0;

  for (int i = 1; i < outline->n; i++)
    if (hypot (p[i].x - p[0].x, p[i].y - p[0].y) > hypot (p[other].x - p[0].x, p[other].y - p[0].y))
      other = i;
  is_corner[0] = is_corner[other] = 1;
  const int ends[4] = {0, other, other, 0};
  memcpy (stack, ends, sizeof ends);
  n = 4;
  while (n > 0) {
    const int b = stack[n - 1], a = stack[n - 2], middle = find_farthest (outline, a, b, fineness);
    n -= 2;
    if (middle < 0)
      continue;
    is_corner[middle] = 1;
    stack[n++] = a;
    stack[n++] = middle;
    stack[n++] = middle;
    stack[n++] = b;
  }
}

/* The straight line through the points between two corners, least squares: a point of it and its direction. */
static void
fit_line (const Outline *outline, int a, int b, SsVec2 *at, SsVec2 *along)
{
  const SsVec2 *p = outline->points;
  double xx = 0, xy = 0, yy = 0;
  int n = 0;

  *at = (SsVec2){0, 0};
  for (int i = (a + 1) % outline->n; i != b; i = (i + 1) % outline->n, n++)
    *at = (SsVec2){at->x + p[i].x, at->y + p[i].y};
  if (n < 2) {
    *at = p[a];
    *along = (SsVec2){p[b].x - p[a].x, p[b].y - p[a].y};
    return;
  }
  *at = (SsVec2){at->x / n, at->y / n};
  for (int i = (a + 1) % outline->n; i != b; i = (i + 1) % outline->n) {
    const double dx = p[i].x - at->x, dy = p[i].y - at->y;
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
  }
  const double angle = atan2 (2 * xy, xx - yy) / 2; /* of the larger principal axis */
  *along = (SsVec2){cos (angle), sin (angle)};
}

/* Where the lines of the edges before and behind a corner cross, where that is within `reach` of the corner. */
static SsVec2
refine (const Outline *outline, int before, int corner, int behind, double reach)
{
  SsVec2 a, da, b, db;

  fit_line (outline, before, corner, &a, &da);
  fit_line (outline, corner, behind, &b, &db);
  const double cross = da.x * db.y - da.y * db.x;
  const SsVec2 was = outline->points[corner];
  if (cross == 0)
    return was;
  const double s = ((b.x - a.x) * db.y - (b.y - a.y) * db.x) / cross;
  const SsVec2 meet = {a.x + s * da.x, a.y + s * da.y};
  return hypot (meet.x - was.x, meet.y - was.y) <= reach ? meet : was;
}

static double
side (SsVec2 a, SsVec2 b, SsVec2 c)
{
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* Edges that are no neighbours cross. */
static bool
crosses_itself (const SsVec2 *p, int n)
{
  for (int i = 0; i < n; i++)
    for (int k = i + 2; k < n; k++) {
      const SsVec2 a = p[i], b = p[i + 1], c = p[k], d = p[(k + 1) % n];
      const bool is_near = fmax (a.x, b.x) >= fmin (c.x, d.x) && fmax (c.x, d.x) >= fmin (a.x, b.x) &&
                           fmax (a.y, b.y) >= fmin (c.y, d.y) && fmax (c.y, d.y) >= fmin (a.y, b.y);
      if (is_near && (i > 0 || k < n - 1) && side (a, b, c) * side (a, b, d) <= 0 &&
          side (c, d, a) * side (c, d, b) <= 0)
        return true;
    }
  return false;
}

/* Takes out corners that turn inwards by less than half of the fineness: what pixels leave of a curve is no dent. */
static int
fill_dents (SsVec2 *p, int n, double fineness)
{
  double area = 0;

  for (int i = 0; i < n; i++)
    area += p[i].x * p[(i + 1) % n].y - p[i].y * p[(i + 1) % n].x;
  for (int i = 0, unchanged = 0; n > 3 && unchanged < n; i = (i + 1) % n) {
    const SsVec2 before = p[(i + n - 1) % n], after = p[(i + 1) % n];
    unchanged++;
    if (side (before, p[i], after) * area > 0 || from_segment (p[i], before, after) > fineness / 2)
      continue;
    memmove (&p[i], &p[i + 1], (size_t)(n - i - 1) * sizeof *p);
    n--;
    i = i > 1 ? i - 2 : n - 1; /* its neighbours turn otherwise now */
    unchanged = 0;
  }
  return n;
}

/* The corners that are left of the outline, finely placed. */
static SsStatus
make_polygon (const Outline *outline, const uint8_t *is_corner, double fineness, int *places, SsVec2 **corners, int *n,
              SsError *err)
{
  int count = 0;

  for (int i = 0; i < outline->n; i++)
    if (is_corner[i])
      places[count++] = i;
  if (count < 3 || count > SS_TRACE_CORNERS_MAX)
    return ss_error_set (err, SS_ERR_INVALID,
                         count < 3 ? "the region is a line"
                                   : "the outline has %d corners, more than %d: trace it coarser",
                         count, SS_TRACE_CORNERS_MAX);
  *corners = ss_new_array (SsVec2, count);
  if (*corners == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  for (int i = 0; i < count; i++)
    (*corners)[i] = refine (outline, places[(i + count - 1) % count], places[i], places[(i + 1) % count], 2 * fineness);
  *n = count;
  const bool is_fine = !crosses_itself (*corners, count);
  for (int i = 0; !is_fine && i < count; i++) /* short edges: where the outline has them */
    (*corners)[i] = outline->points[places[i]];
  *n = fill_dents (*corners, count, fineness);
  return !is_fine && crosses_itself (*corners, *n)
             ? ss_error_set (err, SS_ERR_INVALID, "the outline crosses itself: trace it finer or coarser")
             : SS_OK;
}

SsStatus
ss_trace_region (const SsImage *image, int x, int y, double likeness, double fineness, SsVec2 **corners, int *n_corners,
                 SsError *err)
{
  SS_ASSERT (image != NULL && corners != NULL && n_corners != NULL && likeness >= 0 && fineness > 0);

  Region region = {.width = image->width, .height = image->height, .stride = image->width + 2};
  Outline outline = {0};
  uint8_t *is_corner = NULL;
  int *stack = NULL;
  SsStatus status = SS_OK;

  *corners = NULL;
  *n_corners = 0;
  if (x < 0 || y < 0 || x >= image->width || y >= image->height)
    return ss_error_set (err, SS_ERR_INVALID, "the picture of %d x %d pixels has no pixel %d, %d", image->width,
                         image->height, x, y);
  if ((double)image->width * image->height > SS_TRACE_PIXELS_MAX)
    return ss_error_set (err, SS_ERR_INVALID, "the picture of %d x %d pixels is too large", image->width,
                         image->height);
  region.is_in = ss_alloc ((size_t)region.stride, (size_t)image->height + 2);
  stack = ss_new_array (int, image->width * image->height);
  if (region.is_in == NULL || stack == NULL)
    goto no_memory;
  fill (image, x, y, likeness, &region, stack);
  if (region.n < LEAST_PIXELS) {
    status = ss_error_set (err, SS_ERR_INVALID, "the region there is smaller than %d pixels: allow less like colours",
                           LEAST_PIXELS);
    goto done;
  }
  if (!follow (&region, &outline))
    goto no_memory;
  ss_free (stack);
  stack = ss_new_array (int, 2 * outline.n + 4);
  is_corner = ss_new_array (uint8_t, outline.n);
  if (stack == NULL || is_corner == NULL)
    goto no_memory;
  simplify (&outline, fineness, is_corner, stack);
  status = make_polygon (&outline, is_corner, fineness, stack, corners, n_corners, err);
  goto done;

no_memory:
  status = ss_error_set (err, SS_ERR_MEMORY, "out of memory");
done:
  ss_free (region.is_in);
  ss_free (outline.points);
  ss_free (stack);
  ss_free (is_corner);
  if (status != SS_OK) {
    ss_free (*corners);
    *corners = NULL;
    *n_corners = 0;
  }
  return status;
}
