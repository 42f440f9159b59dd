/* app/draw/ssapp-pixels.c: see the header. Each edge leaves, in the pixels that it passes, by how much the area to its
 * right grows there; sums along a row are the shares that are covered. */
#include "app/draw/ssapp-pixels.h"

#include <math.h>
#include <string.h>

enum { BAND_CELLS = 1 << 16, BAND_ROWS = 256 }; /* of the rows that are summed up at a time */

typedef struct {
  double x0, y0, x1, y1; /* device px, down: y0 < y1 */
  float sign;
} Edge;

/* Cells of a row that edges have touched: first..last. */
typedef struct {
  int first, last;
} Touched;

gboolean
ssapp_pixels_begin (SsappPixels *self, cairo_t *cr)
{
  g_return_val_if_fail (self != NULL, FALSE);
  cairo_surface_t *surface = cairo_get_target (cr);
  cairo_rectangle_list_t *clip;
  cairo_matrix_t matrix;
  double across, down;

  cairo_get_matrix (cr, &matrix);
  if (cairo_surface_get_type (surface) != CAIRO_SURFACE_TYPE_IMAGE || cairo_get_group_target (cr) != surface ||
      cairo_image_surface_get_format (surface) != CAIRO_FORMAT_ARGB32 || matrix.xx != 1. || matrix.yy != 1. ||
      matrix.xy != 0. || matrix.yx != 0.)
    return FALSE;
  cairo_surface_get_device_scale (surface, &across, &down);
  if (across != down)
    return FALSE;
  clip = cairo_copy_clip_rectangle_list (cr);
  const gboolean has_clip = clip->status == CAIRO_STATUS_SUCCESS && clip->num_rectangles == 1;
  const cairo_rectangle_t all = has_clip ? clip->rectangles[0] : (cairo_rectangle_t){0};
  cairo_rectangle_list_destroy (clip);
  if (!has_clip)
    return FALSE;
  cairo_surface_flush (surface);
  *self = (SsappPixels){.surface = surface,
                        .data = cairo_image_surface_get_data (surface),
                        .stride = cairo_image_surface_get_stride (surface),
                        .device = across,
                        .left = matrix.x0,
                        .top = matrix.y0,
                        .edges = g_array_new (FALSE, FALSE, sizeof (Edge)),
                        .cover = g_array_new (FALSE, TRUE, sizeof (float))};
  const int width = cairo_image_surface_get_width (surface), height = cairo_image_surface_get_height (surface);
  self->x0 = CLAMP ((int)lround ((all.x + self->left) * across), 0, width);
  self->y0 = CLAMP ((int)lround ((all.y + self->top) * across), 0, height);
  self->x1 = CLAMP ((int)lround ((all.x + all.width + self->left) * across), self->x0, width);
  self->y1 = CLAMP ((int)lround ((all.y + all.height + self->top) * across), self->y0, height);
  return self->data != NULL;
}

void
ssapp_pixels_end (SsappPixels *self)
{
  g_return_if_fail (self != NULL);
  cairo_surface_mark_dirty (self->surface);
  g_array_unref (self->edges);
  g_array_unref (self->cover);
}

void
ssapp_pixels_set_color (SsappPixels *self, SsappColor color)
{
  g_return_if_fail (self != NULL);
  const double parts[4] = {color.a, color.r * color.a, color.g * color.a, color.b * color.a};

  self->color = 0;
  for (int i = 0; i < 4; i++)
    self->color = self->color << 8 | (guint32)lround (255. * CLAMP (parts[i], 0., 1.));
}

static void
forget_edges (SsappPixels *self)
{
  g_array_set_size (self->edges, 0);
}

void
ssapp_pixels_add (SsappPixels *self, const double *points, int n)
{
  g_return_if_fail (self != NULL);
  if (self->edges->len == 0) {
    self->box[0] = self->box[1] = INFINITY;
    self->box[2] = self->box[3] = -INFINITY;
  }
  for (int i = 0, j = n - 1; i < n; j = i++) {
    const double x0 = (points[2 * j] + self->left) * self->device - self->x0,
                 y0 = (points[2 * j + 1] + self->top) * self->device - self->y0,
                 x1 = (points[2 * i] + self->left) * self->device - self->x0,
                 y1 = (points[2 * i + 1] + self->top) * self->device - self->y0;
    const Edge edge = y0 < y1 ? (Edge){x0, y0, x1, y1, 1} : (Edge){x1, y1, x0, y0, -1};
    self->box[0] = MIN (self->box[0], x1);
    self->box[1] = MIN (self->box[1], y1);
    self->box[2] = MAX (self->box[2], x1);
    self->box[3] = MAX (self->box[3], y1);
    if (y0 != y1)
      g_array_append_val (self->edges, edge);
  }
}

/* ---- shares of pixels -------------------------------------------------------------------------------------------- */

/* An edge that goes down by dy * sign within a row, from xa to xb >= xa. Cells are those from 0 to width, the last of
 * which is beside the picture. */
static void
cross_row (float *row, int width, float dy, double xa, double xb, Touched *touched)
{
  xa = CLAMP (xa, 0, width);
  xb = CLAMP (xb, 0, width);
  const int first = (int)xa, end = (int)ceil (xb);

  touched->first = MIN (touched->first, first);
  if (end <= first + 1) { /* within one cell */
    const float right = (float)(0.5 * (xa + xb) - first);
    row[first] += dy - dy * right;
    row[first + 1] += dy * right;
    touched->last = MAX (touched->last, first + 1);
    return;
  }
  const double slope = 1 / (xb - xa), into = xa - first, out = xb - end + 1;
  const double share = 0.5 * slope * (1 - into) * (1 - into), last_share = 0.5 * slope * out * out;
  row[first] += (float)(dy * share);
  if (end == first + 2) {
    row[first + 1] += (float)(dy * (1 - share - last_share));
  } else {
    const double next = slope * (1.5 - into);
    row[first + 1] += (float)(dy * (next - share));
    for (int x = first + 2; x < end - 1; x++)
      row[x] += (float)(dy * slope);
    row[end - 1] += (float)(dy * (1 - (next + (end - first - 3) * slope) - last_share));
  }
  row[end] += (float)(dy * last_share);
  touched->last = MAX (touched->last, end);
}

/* The part of an edge within rows top..bottom - 1; cells begin at column `left`. */
static void
add_edge (const Edge *edge, float *cells, int left, int width, int top, int bottom, Touched *touched)
{
  const double slope = (edge->x1 - edge->x0) / (edge->y1 - edge->y0), end = MIN (edge->y1, bottom);
  double y = MAX (edge->y0, top), x = edge->x0 + (y - edge->y0) * slope - left;

  for (int row = (int)y; y < end; row++) {
    const double below = MIN (row + 1, end), next = x + (below - y) * slope;
    cross_row (cells + (gsize)(row - top) * (gsize)(width + 2), width, (float)(below - y) * edge->sign, MIN (x, next),
               MAX (x, next), &touched[row - top]);
    x = next;
    y = below;
  }
}

/* ---- painting ---------------------------------------------------------------------------------------------------- */

/* The product of all four parts with a share of 255. */
static inline guint32
scale (guint32 color, guint32 share)
{
  guint32 even = (color & 0xff00ffu) * share + 0x800080u, odd = (color >> 8 & 0xff00ffu) * share + 0x800080u;

  even = (even + (even >> 8 & 0xff00ffu)) >> 8 & 0xff00ffu;
  odd = (odd + (odd >> 8 & 0xff00ffu)) & 0xff00ff00u;
  return even | odd;
}

static inline void
paint (guint32 *pixel, guint32 color, float covered)
{
  const guint32 share = (guint32)(255 * MIN (fabsf (covered), 1.f) + 0.5f);

  if (share == 0)
    return;
  const guint32 part = share == 255 ? color : scale (color, share);
  *pixel = part >> 24 == 255 ? part : part + scale (*pixel, 255 - (part >> 24));
}

/* Paints a row by its cells, which are zero after it. */
static void
paint_row (float *cells, int width, const Touched *touched, guint32 *pixels, guint32 color)
{
  static const float NONE = 1e-3f; /* of sums that come back to zero, but for rounding */
  const int last = MIN (touched->last, width - 1);
  float sum = 0;

  for (int x = touched->first; x <= last; x++) {
    sum += cells[x];
    cells[x] = 0;
    paint (&pixels[x], color, sum);
  }
  for (int x = last + 1; x < width && fabsf (sum) > NONE; x++) /* what closes it lies beside the picture */
    paint (&pixels[x], color, sum);
  cells[width] = cells[width + 1] = 0;
}

void
ssapp_pixels_fill (SsappPixels *self)
{
  g_return_if_fail (self != NULL);
  const int left = (int)floor (CLAMP (self->box[0], 0, self->x1 - self->x0)),
            right = (int)ceil (CLAMP (self->box[2], 0, self->x1 - self->x0)),
            top = (int)floor (CLAMP (self->box[1], 0, self->y1 - self->y0)),
            bottom = (int)ceil (CLAMP (self->box[3], 0, self->y1 - self->y0)), width = right - left;
  Touched touched[BAND_ROWS];

  if (self->edges->len == 0 || width <= 0 || bottom <= top) {
    forget_edges (self);
    return;
  }
  const int band = CLAMP (BAND_CELLS / (width + 2), 1, BAND_ROWS);
  const guint n_cells = (guint)MIN (band, bottom - top) * (guint)(width + 2);
  if (self->cover->len < n_cells)
    g_array_set_size (self->cover, n_cells); /* zeros, as all rows are left */
  float *cells = (float *)(gpointer)self->cover->data;
  for (int row = top; row < bottom; row += band) {
    const int n_rows = MIN (band, bottom - row);
    for (int i = 0; i < n_rows; i++)
      touched[i] = (Touched){width, -1};
    for (guint i = 0; i < self->edges->len; i++)
      add_edge (&g_array_index (self->edges, Edge, i), cells, left, width, row, row + n_rows, touched);
    for (int i = 0; i < n_rows; i++)
      if (touched[i].last >= 0)
        paint_row (cells + (gsize)i * (gsize)(width + 2), width, &touched[i],
                   (guint32 *)(gpointer)(self->data + (gsize)(self->y0 + row + i) * (gsize)self->stride) + self->x0 +
                       left,
                   self->color);
  }
  self->n_filled++;
  forget_edges (self);
}

void
ssapp_pixels_set_down (SsappPixels *self, cairo_surface_t *picture, int column, int row)
{
  g_return_if_fail (self != NULL);
  const int left = MAX (self->x0 - column, 0), right = MIN (self->x1 - column, cairo_image_surface_get_width (picture)),
            top = MAX (self->y0 - row, 0), bottom = MIN (self->y1 - row, cairo_image_surface_get_height (picture));
  const unsigned char *data = cairo_image_surface_get_data (picture);
  const int stride = cairo_image_surface_get_stride (picture);

  if (left >= right || top >= bottom || data == NULL)
    return;
  for (int y = top; y < bottom; y++) {
    const guint32 *from = (const guint32 *)(gconstpointer)(data + (gsize)y * (gsize)stride);
    guint32 *to = (guint32 *)(gpointer)(self->data + (gsize)(row + y) * (gsize)self->stride) + column;
    for (int x = left; x < right; x++)
      if (from[x] >> 24 == 255)
        to[x] = from[x];
      else if (from[x] != 0)
        to[x] = from[x] + scale (to[x], 255 - (from[x] >> 24));
  }
  self->n_set_down++;
}
