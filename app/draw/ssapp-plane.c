/* app/draw/ssapp-plane.c: see the header. */
#include "app/draw/ssapp-plane.h"

#include "impact/ss-impact-summary.h"

#include <math.h>
#include <string.h>

enum { SIDE = SSAPP_PLANE_CELLS, HULL_BATCH = 4096, N_WORDS = SIDE * SIDE / 64 };
/* A grid that covers less shows rounding errors [m/s]. */
static const double SMALLEST_WIDTH = 1e-9;

typedef SsVec2 Point;

static void
clear_mode (gpointer mode)
{
  SsappPlaneMode *own = mode;

  g_clear_pointer (&own->hull, g_array_unref);
  g_clear_pointer (&own->outside, g_array_unref);
}

SsappPlane *
ssapp_plane_new (void)
{
  SsappPlane *plane = g_new0 (SsappPlane, 1);

  plane->cells = g_new0 (SsappPlaneCell, (gsize)SIDE * SIDE);
  plane->used = g_new0 (guint64, N_WORDS);
  plane->modes = g_array_new (FALSE, TRUE, sizeof (SsappPlaneMode));
  g_array_set_clear_func (plane->modes, clear_mode);
  plane->hull = g_array_new (FALSE, FALSE, sizeof (Point));
  plane->points = g_array_new (FALSE, FALSE, sizeof (SsappPlanePoint));
  return plane;
}

void
ssapp_plane_free (SsappPlane *plane)
{
  if (plane == NULL)
    return;
  g_free (plane->cells);
  g_free (plane->used);
  g_array_unref (plane->modes);
  g_array_unref (plane->hull);
  g_array_unref (plane->points);
  g_free (plane);
}

int
ssapp_plane_next_cell (const SsappPlane *plane, int from)
{
  g_return_val_if_fail (plane != NULL, 0);
  int word = from / 64;

  if (from >= SIDE * SIDE)
    return SIDE * SIDE;
  guint64 bits = plane->used[word] & (~G_GUINT64_CONSTANT (0) << (from % 64));
  while (bits == 0) {
    if (++word >= N_WORDS)
      return SIDE * SIDE;
    bits = plane->used[word];
  }
  return 64 * word + __builtin_ctzll (bits);
}

static void
mark_used (SsappPlane *plane, int cell)
{
  plane->used[cell / 64] |= G_GUINT64_CONSTANT (1) << (cell % 64);
}

void
ssapp_plane_clear (SsappPlane *plane)
{
  g_return_if_fail (plane != NULL);
  g_array_set_size (plane->modes, 0);
  if (plane->n == 0)
    return;
  for (int k = ssapp_plane_next_cell (plane, 0); k < SIDE * SIDE; k = ssapp_plane_next_cell (plane, k + 1))
    plane->cells[k] = (SsappPlaneCell){0};
  memset (plane->used, 0, sizeof *plane->used * N_WORDS);
  g_array_set_size (plane->hull, 0);
  g_array_set_size (plane->points, 0);
  plane->width = plane->height = 0.;
  plane->largest = 0;
  plane->n = 0;
}

SsappPlane *
ssapp_plane_copy (const SsappPlane *plane)
{
  g_return_val_if_fail (plane != NULL, NULL);
  SsappPlane *copy = g_new (SsappPlane, 1);

  *copy = *plane;
  copy->cells = g_memdup2 (plane->cells, sizeof (SsappPlaneCell) * SIDE * SIDE);
  copy->used = g_memdup2 (plane->used, sizeof *plane->used * N_WORDS);
  copy->modes = g_array_copy (plane->modes);
  g_array_set_clear_func (copy->modes, clear_mode);
  for (guint k = 0; k < copy->modes->len; k++) {
    SsappPlaneMode *own = &g_array_index (copy->modes, SsappPlaneMode, k);
    own->hull = own->hull != NULL ? g_array_copy (own->hull) : NULL;
    own->outside = own->outside != NULL ? g_array_copy (own->outside) : NULL;
  }
  copy->hull = g_array_copy (plane->hull);
  copy->points = g_array_copy (plane->points);
  return copy;
}

/* ---- grid -------------------------------------------------------------------------------------------------------- */

/* The majority of two cells together is that of the one whose lead is larger. */
static void
merge_cell (SsappPlane *plane, SsappPlaneCell *into, const SsappPlaneCell *cell)
{
  if (into->count == 0 || into->mode == cell->mode) {
    into->mode = cell->mode;
    into->votes += cell->votes;
  } else if (cell->votes > into->votes) {
    into->mode = cell->mode;
    into->votes = cell->votes - into->votes;
  } else {
    into->votes -= cell->votes;
  }
  into->count += cell->count;
  plane->largest = MAX (plane->largest, into->count);
}

/* Doubles one axis of the grid; the old one becomes its lower or its upper half. */
static void
double_axis (SsappPlane *plane, gboolean is_x, gboolean old_is_upper)
{
  SsappPlaneCell *old = plane->cells;
  g_autofree guint64 *old_used = plane->used;
  const SsappPlane before = {.used = old_used};
  const int shift = old_is_upper ? SIDE / 2 : 0;

  plane->cells = g_new0 (SsappPlaneCell, (gsize)SIDE * SIDE);
  plane->used = g_new0 (guint64, N_WORDS);
  plane->largest = 0;
  for (int k = ssapp_plane_next_cell (&before, 0); k < SIDE * SIDE; k = ssapp_plane_next_cell (&before, k + 1)) {
    const int row = k / SIDE, column = k % SIDE;
    const int r = is_x ? row : row / 2 + shift, c = is_x ? column / 2 + shift : column;
    merge_cell (plane, &plane->cells[r * SIDE + c], &old[k]);
    mark_used (plane, r * SIDE + c);
  }
  g_free (old);
  if (is_x) {
    plane->x0 -= old_is_upper ? plane->width : 0.;
    plane->width *= 2.;
  } else {
    plane->y0 -= old_is_upper ? plane->height : 0.;
    plane->height *= 2.;
  }
}

/* The first samples decide where the grid lies. */
static void
place_grid (SsappPlane *plane, double x_min, double x_max, double y_min, double y_max)
{
  static const double ROOM = 0.1;
  plane->width = MAX ((1. + 2. * ROOM) * (x_max - x_min), SMALLEST_WIDTH);
  plane->height = MAX ((1. + 2. * ROOM) * (y_max - y_min), SMALLEST_WIDTH);
  plane->x0 = 0.5 * (x_min + x_max - plane->width);
  plane->y0 = 0.5 * (y_min + y_max - plane->height);
}

/* Never empty: a value beside which the width vanishes would double for ever. */
static void
grow_grid (SsappPlane *plane, double x_min, double x_max, double y_min, double y_max)
{
  while (x_min < plane->x0 || x_max >= plane->x0 + plane->width)
    double_axis (plane, TRUE, x_min < plane->x0);
  while (y_min < plane->y0 || y_max >= plane->y0 + plane->height)
    double_axis (plane, FALSE, y_min < plane->y0);
}

static void
count_sample (SsappPlane *plane, double x, double y, guint16 mode)
{
  const int column = MIN ((int)((x - plane->x0) / plane->width * SIDE), SIDE - 1);
  const int row = MIN ((int)((y - plane->y0) / plane->height * SIDE), SIDE - 1);
  SsappPlaneCell *cell = &plane->cells[row * SIDE + column];

  if (cell->count == 0)
    mark_used (plane, row * SIDE + column);
  if (cell->votes == 0)
    cell->mode = mode;
  if (cell->mode == mode)
    cell->votes++;
  else
    cell->votes--;
  cell->count++;
  plane->largest = MAX (plane->largest, cell->count);
}

/* ---- hull -------------------------------------------------------------------------------------------------------- */

/* Twice the area of the triangle; positive when c lies left of the way from a to b. */
static double
turn (const Point *a, const Point *b, const Point *c)
{
  return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

static int
compare_points (const Point *p, const Point *q)
{
  if (p->x != q->x)
    return p->x < q->x ? -1 : 1;
  return p->y < q->y ? -1 : p->y > q->y ? 1 : 0;
}

/* By bisection of the fan about vertex 0; on the edge counts as inside. */
static gboolean
is_inside (const GArray *hull, const Point *p)
{
  const Point *v = (const Point *)(const void *)hull->data;
  guint low = 1, high = hull->len - 1;

  if (hull->len == 1)
    return compare_points (&v[0], p) == 0;
  if (hull->len == 2)
    return turn (&v[0], &v[1], p) == 0. && compare_points (&v[0], p) <= 0 && compare_points (p, &v[1]) <= 0;
  if (hull->len < 3 || turn (&v[0], &v[1], p) < 0. || turn (&v[0], &v[high], p) > 0.)
    return FALSE;
  while (high - low > 1) {
    const guint middle = (low + high) / 2;
    if (turn (&v[0], &v[middle], p) >= 0.)
      low = middle;
    else
      high = middle;
  }
  return turn (&v[low], &v[high], p) >= 0.;
}

/* The new points outside, with the old vertices, give the new hull. */
static void
widen_hull (GArray *hull, GArray *outside)
{
  if (outside->len == 0)
    return;
  g_array_append_vals (outside, hull->data, hull->len);
  g_array_set_size (hull, outside->len + 1);
  const int n = ss_impact_hull ((SsVec2 *)(void *)outside->data, (int)outside->len, (SsVec2 *)(void *)hull->data);
  g_array_set_size (hull, (guint)n);
  g_array_set_size (outside, 0);
}

static void
take_point (GArray *hull, GArray *outside, const Point *p)
{
  if (is_inside (hull, p))
    return;
  g_array_append_val (outside, *p);
  if (outside->len >= HULL_BATCH)
    widen_hull (hull, outside);
}

static SsappPlaneMode *
mode_of (SsappPlane *plane, guint16 mode)
{
  if (mode >= plane->modes->len)
    g_array_set_size (plane->modes, mode + 1U);
  SsappPlaneMode *own = &g_array_index (plane->modes, SsappPlaneMode, mode);
  if (own->hull == NULL) {
    own->hull = g_array_new (FALSE, FALSE, sizeof (Point));
    own->outside = g_array_new (FALSE, FALSE, sizeof (Point));
  }
  return own;
}

static void
widen_modes (SsappPlane *plane)
{
  for (guint k = 0; k < plane->modes->len; k++) {
    SsappPlaneMode *own = &g_array_index (plane->modes, SsappPlaneMode, k);
    if (own->hull != NULL)
      widen_hull (own->hull, own->outside);
  }
}

static void
count_mode (SsappPlane *plane, const Point *p, guint16 mode)
{
  SsappPlaneMode *own = mode_of (plane, mode);

  if (own->n == 0) {
    own->x_min = own->x_max = p->x;
    own->y_min = own->y_max = p->y;
  }
  own->x_min = MIN (own->x_min, p->x);
  own->x_max = MAX (own->x_max, p->x);
  own->y_min = MIN (own->y_min, p->y);
  own->y_max = MAX (own->y_max, p->y);
  own->n++;
  take_point (own->hull, own->outside, p);
}

/* ---- adding ------------------------------------------------------------------------------------------------------ */

static gboolean
counts (const float *x, const float *y, const guint8 *mask, gint64 k)
{
  return (mask == NULL || mask[k] != 0) && isfinite (x[k]) && isfinite (y[k]);
}

/* FALSE: none of them counts. */
static gboolean
take_box (SsappPlane *plane, const float *x, const float *y, const guint8 *mask, gint64 n)
{
  double box[4] = {INFINITY, -INFINITY, INFINITY, -INFINITY};

  for (gint64 k = 0; k < n; k++)
    if (counts (x, y, mask, k)) {
      box[0] = MIN (box[0], x[k]);
      box[1] = MAX (box[1], x[k]);
      box[2] = MIN (box[2], y[k]);
      box[3] = MAX (box[3], y[k]);
    }
  if (box[0] > box[1])
    return FALSE;
  if (plane->n == 0) {
    place_grid (plane, box[0], box[1], box[2], box[3]);
    plane->x_min = box[0];
    plane->x_max = box[1];
    plane->y_min = box[2];
    plane->y_max = box[3];
  }
  grow_grid (plane, box[0], box[1], box[2], box[3]);
  plane->x_min = MIN (plane->x_min, box[0]);
  plane->x_max = MAX (plane->x_max, box[1]);
  plane->y_min = MIN (plane->y_min, box[2]);
  plane->y_max = MAX (plane->y_max, box[3]);
  return TRUE;
}

void
ssapp_plane_add (SsappPlane *plane, const float *x, const float *y, const guint16 *mode, const guint8 *mask, gint64 n)
{
  g_return_if_fail (plane != NULL);
  g_autoptr (GArray) outside = NULL;

  if (!take_box (plane, x, y, mask, n))
    return;
  outside = g_array_new (FALSE, FALSE, sizeof (Point));
  for (gint64 k = 0; k < n; k++) {
    const Point p = {x[k], y[k]};
    if (!counts (x, y, mask, k))
      continue;
    count_sample (plane, x[k], y[k], mode[k]);
    if (plane->points->len < SSAPP_PLANE_POINTS) {
      const SsappPlanePoint point = {x[k], y[k], mode[k]};
      g_array_append_val (plane->points, point);
    }
    count_mode (plane, &p, mode[k]);
    take_point (plane->hull, outside, &p);
    plane->n++;
  }
  widen_hull (plane->hull, outside);
  widen_modes (plane);
}

void
ssapp_plane_reach (SsappPlane *plane, const float *x, const float *y, const guint16 *mode, gint64 n)
{
  g_return_if_fail (plane != NULL && (x != NULL || n == 0) && (y != NULL || n == 0) && (mode != NULL || n == 0));
  for (gint64 k = 0; k < n; k++) {
    const Point p = {x[k], y[k]};
    SsappPlaneMode *own = counts (x, y, NULL, k) ? mode_of (plane, mode[k]) : NULL;
    if (own != NULL)
      take_point (own->hull, own->outside, &p);
  }
  widen_modes (plane);
}

double
ssapp_plane_hull_area (const SsappPlane *plane)
{
  g_return_val_if_fail (plane != NULL, (double)NAN);
  const Point *v = (const Point *)(const void *)plane->hull->data;
  double area = 0.;

  for (guint k = 2; k < plane->hull->len; k++)
    area += 0.5 * turn (&v[0], &v[k - 1], &v[k]);
  return area;
}

/* Coarse cell of each column or row of the grid: its middle's place between `least` and `most` of the samples. */
static void
coarse_cells (double origin, double length, double least, double most, int side, guint16 cells[SIDE])
{
  const double width = MAX (most - least, SMALLEST_WIDTH);

  for (int k = 0; k < SIDE; k++)
    cells[k] = (guint16)CLAMP ((int)((origin + (k + 0.5) / SIDE * length - least) / width * side), 0, side - 1);
}

int
ssapp_plane_occupied (const SsappPlane *plane, int side)
{
  g_return_val_if_fail (plane != NULL, 0);
  g_autofree guint8 *seen = g_new0 (guint8, (gsize)side * (gsize)side);
  guint16 columns[SIDE], rows[SIDE];
  int n = 0;

  if (plane->n == 0)
    return 0;
  coarse_cells (plane->x0, plane->width, plane->x_min, plane->x_max, side, columns);
  coarse_cells (plane->y0, plane->height, plane->y_min, plane->y_max, side, rows);
  for (int k = ssapp_plane_next_cell (plane, 0); k < SIDE * SIDE; k = ssapp_plane_next_cell (plane, k + 1))
    seen[rows[k / SIDE] * side + columns[k % SIDE]] = 1;
  for (int k = 0; k < side * side; k++)
    n += seen[k];
  return n;
}

/* ---- asking ------------------------------------------------------------------------------------------------------ */

gint64
ssapp_plane_nearest (const float *xs, const float *ys, const guint8 *mask, gint64 n, double x, double y, double x_scale,
                     double y_scale)
{
  g_return_val_if_fail ((xs != NULL || n == 0) && (ys != NULL || n == 0), -1);

  double least = INFINITY;
  gint64 nearest = -1;

  for (gint64 k = 0; k < n; k++) {
    const double dx = (xs[k] - x) * x_scale, dy = (ys[k] - y) * y_scale, distance = dx * dx + dy * dy;
    if (distance < least && (mask == NULL || mask[k] != 0)) {
      least = distance;
      nearest = k;
    }
  }
  return nearest;
}

gint64
ssapp_plane_brush (const float *xs, const float *ys, gint64 n, double x_min, double x_max, double y_min, double y_max,
                   guint8 *mask)
{
  g_return_val_if_fail ((xs != NULL || n == 0) && (ys != NULL || n == 0) && mask != NULL, 0);

  gint64 inside = 0;

  for (gint64 k = 0; k < n; k++) {
    mask[k] = xs[k] >= x_min && xs[k] <= x_max && ys[k] >= y_min && ys[k] <= y_max;
    inside += mask[k];
  }
  return inside;
}
