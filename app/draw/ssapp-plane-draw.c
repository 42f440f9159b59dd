/* app/draw/ssapp-plane-draw.c: see the header. Density and markers are put into one picture of pixels, everything else
 * is drawn by paths over it. */
#include "app/draw/ssapp-plane-draw.h"

#include "app/draw/ssapp-plot-parts.h"
#include "app/draw/ssapp-text-fit.h"

#include <math.h>
#include <string.h>

enum { SIDE = SSAPP_PLANE_CELLS, MARKER_BUCKET_PX = 30, N_SHADES = 64, N_LOGARITHMS = 512 };
/* px at 100 % */
static const double POINT_PX = 1.5, MARKER_PX = 3.4, MASS_PX = 6.5, RING_PX = 8., HULL_PX = 1.4, OTHER_PX = 2.2,
                    LAYER_MARK_PX = 5.;
static const double CELL_PX = 1.6, LINE_CELL_PX = 3.; /* least size of a cell; of one on a line of its mode */
/* Pixels of the density a unit of the paper: 360 dots an inch. */
static const double PAPER_PIXELS = 5.;
/* Opacity of a cell with one sample and of the fullest one. */
static const double FAINTEST = 0.28, STRONGEST = 1.;
static const double GREY_OPACITY = 0.22, HULL_TINT = 0.06, POINT_OPACITY = 0.62;
/* A mode whose samples spread less than this share of the axes is a point; a point with less than this share of the
 * samples is not worth words. */
static const double POINT_SPREAD = 2e-3, LEAST_MASS = 0.01;

void
ssapp_plane_spec_init (SsappPlaneSpec *spec)
{
  g_return_if_fail (spec != NULL);
  *spec = (SsappPlaneSpec){.has_points = TRUE, .has_hull = TRUE, .chosen = {NAN, NAN}, .brush = {NAN, NAN, NAN, NAN}};
}

/* ---- axes -------------------------------------------------------------------------------------------------------- */

static void
take (double box[4], double x, double y)
{
  if (!isfinite (x) || !isfinite (y))
    return;
  box[0] = MIN (box[0], x);
  box[1] = MAX (box[1], x);
  box[2] = MIN (box[2], y);
  box[3] = MAX (box[3], y);
}

static void
take_plane (double box[4], const SsappPlane *plane, gboolean is_mirrored, gboolean swaps)
{
  if (plane == NULL || plane->n == 0)
    return;
  for (guint k = 0; k < plane->hull->len; k++) {
    const double *p = (const double *)(const void *)plane->hull->data + 2 * k;
    take (box, !is_mirrored ? p[0] : swaps ? p[1] : -p[0], is_mirrored && swaps ? p[0] : p[1]);
  }
}

static SsappPlotSpec
axes_of (const SsappPlaneSpec *spec)
{
  return (SsappPlotSpec){.title = spec->title != NULL ? spec->title : "",
                         .letter = spec->letter,
                         .x_label = spec->x_label,
                         .y_label = spec->y_label,
                         SSAPP_PLOT_FREE};
}

static void
layout (const SsappStyle *style, const SsappPlaneSpec *spec, double x, double y, double width, double height,
        SsappPlotFrame *frame)
{
  static const double ROOM = 0.03, LEAST = 1e-3, WIDE = 0.05;
  double box[4] = {0., 0., 0., 0.};
  SsappPlotSpec axes = axes_of (spec);

  take_plane (box, spec->plane, FALSE, FALSE);
  for (guint k = 0; spec->plane != NULL && k < spec->plane->modes->len; k++) {
    const GArray *hull = g_array_index (spec->plane->modes, SsappPlaneMode, k).hull;
    for (guint i = 0; hull != NULL && spec->has_hull && i < hull->len; i++)
      take (box, g_array_index (hull, double, 2 * i), g_array_index (hull, double, 2 * i + 1));
  }
  take_plane (box, spec->between, FALSE, FALSE);
  take_plane (box, spec->other, FALSE, FALSE);
  take_plane (box, spec->mirror, TRUE, spec->mirror_swaps);
  for (int p = 0; p < spec->n_bounds; p++)
    for (int k = 0; k < spec->bounds[p].n; k++)
      take (box, spec->bounds[p].xy[2 * k], spec->bounds[p].xy[2 * k + 1]);
  for (int k = 0; k < spec->n_marks; k++)
    take (box, spec->marks[k].x, spec->marks[k].y);
  for (int p = 0; p < spec->n_paths; p++)
    /* the chosen one's way begins far below: it is seen as it comes in */
    for (int k = 0; spec->paths[p].layer != SSAPP_PLANE_CHOSEN && k < spec->paths[p].n; k++)
      take (box, spec->paths[p].xy[2 * k], spec->paths[p].xy[2 * k + 1]);
  /* An axis along which nothing happens is as long as a share of the other. */
  for (int axis = 0; axis < 2; axis++) {
    const double other = box[3 - 2 * axis] - box[2 - 2 * axis], own = box[2 * axis + 1] - box[2 * axis];
    if (own < LEAST * other) {
      box[2 * axis] -= WIDE * other;
      box[2 * axis + 1] += WIDE * other;
    }
  }
  const double room = ROOM * (box[1] - box[0]);
  box[0] -= room;
  box[1] += room;
  ssapp_plot_frame_layout (style, &axes, box, x, y, width, height, frame);
}

gboolean
ssapp_plane_value_at (const SsappStyle *style, const SsappPlaneSpec *spec, double width, double height, double device_x,
                      double device_y, double value[2], double scale[2])
{
  g_return_val_if_fail (spec != NULL && value != NULL && scale != NULL, FALSE);

  static const double SLACK = 8.;
  SsappPlotFrame frame;

  layout (style, spec, 0, 0, width, height, &frame);
  const SsappRect *area = &frame.area;
  value[0] = ssapp_axis_value (&frame.x_axis, (device_x - area->x) / area->width);
  value[1] = ssapp_axis_value (&frame.y_axis, 1. - (device_y - area->y) / area->height);
  scale[0] = area->width / (frame.x_axis.max - frame.x_axis.min);
  scale[1] = area->height / (frame.y_axis.max - frame.y_axis.min);
  return device_x >= area->x - SLACK && device_x <= area->x + area->width + SLACK && device_y >= area->y - SLACK &&
         device_y <= area->y + area->height + SLACK;
}

/* ---- the picture of pixels --------------------------------------------------------------------------------------- */

typedef struct {
  guint32 *pixels; /* premultiplied ARGB */
  int width, height;
  double scale; /* pixels a user unit */
  const SsappPlotFrame *frame;
} Raster;

static guint32
premultiplied (SsappColor color, double alpha)
{
  const guint32 a = (guint32)(255. * alpha + 0.5), r = (guint32)(255. * color.r * alpha + 0.5),
                g = (guint32)(255. * color.g * alpha + 0.5), b = (guint32)(255. * color.b * alpha + 0.5);
  return a << 24 | r << 16 | g << 8 | b;
}

static void
blend (guint32 *below, guint32 above)
{
  const guint32 rest = 255 - (above >> 24);
  guint32 out = 0;

  if (rest == 255)
    return;
  if (rest == 0) {
    *below = above;
    return;
  }
  for (int shift = 0; shift < 32; shift += 8) {
    const guint32 sum = ((above >> shift) & 255) + (((*below >> shift) & 255) * rest + 127) / 255;
    out |= MIN (sum, 255U) << shift;
  }
  *below = out;
}

static int
pixel_of (double at, int limit)
{
  return at <= 0. ? 0 : at >= limit ? limit : (int)(at + 0.5);
}

static void
fill_rect (Raster *raster, double x0, double y0, double x1, double y1, guint32 color)
{
  const int left = pixel_of (x0, raster->width), right = pixel_of (x1, raster->width);
  const int top = pixel_of (y0, raster->height), bottom = pixel_of (y1, raster->height);

  for (int y = top; y < bottom; y++)
    for (int x = left; x < right; x++)
      if ((raster->pixels[y * raster->width + x] >> 24) < (color >> 24)) /* neighbours that overlap do not add up */
        raster->pixels[y * raster->width + x] = color;
}

/* Colours of a look by the strength of a cell. */
typedef struct {
  guint32 shades[N_SHADES];
} Shades;

static void
make_shades (Shades *shades, SsappColor color, double least, double most)
{
  for (int k = 0; k < N_SHADES; k++)
    shades->shades[k] = premultiplied (color, least + (most - least) * k / (N_SHADES - 1.));
}

/* A mode all of whose samples lie on one line through the plane. */
static gboolean
is_line (const SsappPlane *plane, guint mode)
{
  const SsappPlaneMode *own = mode < plane->modes->len ? &g_array_index (plane->modes, SsappPlaneMode, mode) : NULL;
  return own != NULL && own->n > 0 &&
         (own->x_max - own->x_min < POINT_SPREAD * plane->width ||
          own->y_max - own->y_min < POINT_SPREAD * plane->height);
}

/* Shade of a cell by the logarithm of its count: few counts are frequent, their logarithms are kept. */
static int
shade_of (const guint8 *table, double full, guint32 count)
{
  return count < N_LOGARITHMS ? table[count] : (int)(log1p (count) / full * (N_SHADES - 1) + 0.5);
}

/* Cells by the logarithm of their counts; without looks, and for modes without one, in a faint `plain`. */
static void
put_density (Raster *raster, const SsappStyle *style, const SsappPlane *plane, const SsappJointLook *looks, int n_looks,
             SsappColorName plain)
{
  const SsappPlotFrame *frame = raster->frame;
  const double sx = raster->scale * frame->area.width / (frame->x_axis.max - frame->x_axis.min);
  const double sy = raster->scale * frame->area.height / (frame->y_axis.max - frame->y_axis.min);
  const double dx = sx * plane->width / SIDE, dy = sy * plane->height / SIDE;
  const double left = sx * (plane->x0 - frame->x_axis.min);
  const double bottom = raster->height - sy * (plane->y0 - frame->y_axis.min);
  const double full = log1p (plane->largest), unit = style->scale * raster->scale;
  const int n = looks != NULL ? n_looks : 0;
  g_autofree Shades *shades = g_new (Shades, (gsize)n + 1);
  g_autofree double *least = g_new (double, (gsize)n + 1);
  guint8 table[N_LOGARITHMS];

  make_shades (&shades[n], ssapp_style_color (style, plain), 0.4 * GREY_OPACITY, GREY_OPACITY);
  least[n] = CELL_PX * unit;
  for (int k = 0; k < n; k++) {
    make_shades (&shades[k], looks[k].color, FAINTEST, STRONGEST);
    least[k] = (is_line (plane, (guint)k) ? LINE_CELL_PX : CELL_PX) * unit;
  }
  for (int k = 0; k < N_LOGARITHMS; k++)
    table[k] = (guint8)(MIN (log1p (k) / full, 1.) * (N_SHADES - 1) + 0.5);
  for (int k = ssapp_plane_next_cell (plane, 0); k < SIDE * SIDE; k = ssapp_plane_next_cell (plane, k + 1)) {
    const SsappPlaneCell *cell = &plane->cells[k];
    const int look = cell->mode < n ? cell->mode : n;
    const double w = MAX (dx, least[look]), h = MAX (dy, least[look]);
    const double x = left + (k % SIDE + 0.5) * dx - 0.5 * w;
    const double y = bottom - ((double)(k / SIDE) + 0.5) * dy - 0.5 * h;
    fill_rect (raster, x, y, x + w, y + h, shades[look].shades[shade_of (table, full, cell->count)]);
  }
}

static guint32
faded (guint32 color, double opacity)
{
  guint32 out = 0;
  for (int shift = 0; shift < 32; shift += 8)
    out |= (guint32)(((color >> shift) & 255) * opacity + 0.5) << shift;
  return out;
}

/* Small pictures of the markers, one below the other. */
static cairo_surface_t *
make_sprites (const SsappStyle *style, const SsappJointLook *looks, int n_looks, double radius, double opacity,
              int *size)
{
  *size = (int)ceil (2.9 * radius) + 2;
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, *size, *size * MAX (n_looks, 1));
  cairo_t *cr = cairo_create (surface);
  for (int k = 0; k < n_looks; k++)
    ssapp_joint_marker_draw (cr, style, &looks[k], 0.5 * *size, (k + 0.5) * *size, radius);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  guint32 *pixels = (guint32 *)(void *)cairo_image_surface_get_data (surface);
  const int n = pixels != NULL ? cairo_image_surface_get_stride (surface) / 4 * *size * MAX (n_looks, 1) : 0;
  for (int k = 0; k < n && opacity < 1.; k++)
    pixels[k] = pixels[k] != 0 ? faded (pixels[k], opacity) : 0;
  return surface;
}

static void
put_sprite (Raster *raster, cairo_surface_t *sprites, int size, int number, double x, double y)
{
  const guint32 *from = (const guint32 *)(const void *)cairo_image_surface_get_data (sprites);
  const int stride = cairo_image_surface_get_stride (sprites) / 4;
  const int left = (int)floor (x - 0.5 * size + 0.5), top = (int)floor (y - 0.5 * size + 0.5);
  const int first = MAX (-left, 0), last = MIN (size, raster->width - left);

  for (int row = MAX (-top, 0); row < MIN (size, raster->height - top); row++)
    for (int column = first; column < last; column++)
      blend (&raster->pixels[(top + row) * raster->width + left + column],
             from[(number * size + row) * stride + column]);
}

/* Samples with their markers; with `bucket` > 0 only one of each mode in a square of so many pixels. */
static void
put_markers (Raster *raster, const SsappPlane *plane, cairo_surface_t *sprites, int size, int n_looks, int bucket)
{
  const SsappPlotFrame *frame = raster->frame;
  const int columns = bucket > 0 ? raster->width / bucket + 1 : 1, rows = bucket > 0 ? raster->height / bucket + 1 : 1;
  g_autofree guint32 *seen = g_new0 (guint32, (gsize)columns * (gsize)rows);

  for (guint k = 0; k < plane->points->len; k++) {
    const SsappPlanePoint *p = &g_array_index (plane->points, SsappPlanePoint, k);
    const double x = raster->scale * (ssapp_plot_frame_x (frame, p->x) - frame->area.x);
    const double y = raster->scale * (ssapp_plot_frame_y (frame, p->y) - frame->area.y);
    if (p->mode >= n_looks || !(x >= 0 && x <= raster->width && y >= 0 && y <= raster->height))
      continue;
    if (bucket > 0) {
      guint32 *here = &seen[((int)y / bucket) * columns + (int)x / bucket];
      const guint32 bit = 1U << (p->mode % 32U);
      if ((*here & bit) != 0)
        continue;
      *here |= bit;
    }
    put_sprite (raster, sprites, size, p->mode, x, y);
  }
}

/* Few samples are dots; over dots and density stand markers, one of each mode in a neighbourhood. */
static void
put_points (Raster *raster, const SsappStyle *style, const SsappPlane *plane, const SsappJointLook *looks, int n_looks)
{
  const double unit = style->scale * raster->scale;
  int size;
  cairo_surface_t *sprites;

  if (plane->n <= plane->points->len) {
    g_autofree SsappJointLook *dots = g_memdup2 (looks, sizeof *looks * (gsize)n_looks);
    for (int k = 0; k < n_looks; k++) {
      dots[k].shape = SSAPP_JOINT_CIRCLE;
      dots[k].filling = SSAPP_JOINT_FULL;
    }
    sprites = make_sprites (style, dots, n_looks, POINT_PX * unit, POINT_OPACITY, &size);
    put_markers (raster, plane, sprites, size, n_looks, 0);
    cairo_surface_destroy (sprites);
  }
  sprites = make_sprites (style, looks, n_looks, MARKER_PX * unit, 1., &size);
  put_markers (raster, plane, sprites, size, n_looks, (int)ceil (MARKER_BUCKET_PX * unit));
  cairo_surface_destroy (sprites);
}

static void
draw_samples (cairo_t *cr, const SsappStyle *style, const SsappPlaneSpec *spec, const SsappPlotFrame *frame)
{
  const double scale = style->is_paper ? PAPER_PIXELS : 1.;
  const int width = (int)ceil (frame->area.width * scale), height = (int)ceil (frame->area.height * scale);
  const SsappPlane *colored = spec->brushed != NULL ? spec->brushed : spec->plane;
  cairo_surface_t *surface;

  if (width <= 0 || height <= 0 || width > 16384 || height > 16384)
    return;
  surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  cairo_surface_flush (surface);
  Raster raster = {.pixels = (guint32 *)(void *)cairo_image_surface_get_data (surface),
                   .width = cairo_image_surface_get_stride (surface) / 4,
                   .height = height,
                   .scale = scale,
                   .frame = frame};
  if (raster.pixels != NULL) {
    if (spec->between != NULL && spec->between->n > 0)
      put_density (&raster, style, spec->between, NULL, 0, SSAPP_COLOR_FOREGROUND);
    if (spec->other != NULL && spec->other->n > 0)
      put_density (&raster, style, spec->other, NULL, 0, SSAPP_COLOR_FORCE);
    if (spec->brushed != NULL && spec->plane->n > 0)
      put_density (&raster, style, spec->plane, NULL, 0, SSAPP_COLOR_FOREGROUND);
    if (colored->n > 0 && (colored->n > colored->points->len || !spec->has_points))
      put_density (&raster, style, colored, spec->looks, spec->n_looks, SSAPP_COLOR_FOREGROUND);
    if (colored->n > 0 && spec->has_points)
      put_points (&raster, style, colored, spec->looks, spec->n_looks);
    cairo_surface_mark_dirty (surface);
    cairo_save (cr);
    cairo_translate (cr, frame->area.x, frame->area.y);
    cairo_scale (cr, 1. / scale, 1. / scale);
    cairo_set_source_surface (cr, surface, 0, 0);
    cairo_pattern_set_filter (cairo_get_source (cr), scale == 1. ? CAIRO_FILTER_NEAREST : CAIRO_FILTER_GOOD);
    cairo_paint (cr);
    cairo_restore (cr);
  }
  cairo_surface_destroy (surface);
}

/* ---- hulls, paths, marks ----------------------------------------------------------------------------------------- */

static void
hull_path (cairo_t *cr, const SsappPlotFrame *frame, const GArray *hull, gboolean is_mirrored, gboolean swaps)
{
  cairo_new_path (cr);
  for (guint k = 0; k < hull->len; k++) {
    const double *p = (const double *)(const void *)hull->data + 2 * k;
    cairo_line_to (cr,
                   ssapp_plot_frame_x (frame, !is_mirrored ? p[0]
                                              : swaps      ? p[1]
                                                           : -p[0]),
                   ssapp_plot_frame_y (frame, is_mirrored && swaps ? p[0] : p[1]));
  }
  cairo_close_path (cr);
}

static void
stroke (cairo_t *cr, const SsappStyle *style, SsappColor color, double px, double on, double off)
{
  const double dash[2] = {on * style->scale, off * style->scale};
  ssapp_set_color (cr, color);
  cairo_set_dash (cr, dash, on > 0 ? 2 : 0, 0);
  cairo_set_line_width (cr, ssapp_style_line (style, px));
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
}

/* A line as the axes have it: colour, width, dashes. */
typedef struct {
  SsappColor color;
  double px, on, off;
} Line;

/* What a line is, with a piece of it, in the upper left corner of the axes; row 0 is the highest. */
static void
name_line (cairo_t *cr, const SsappStyle *style, const SsappPlotFrame *frame, int row, const char *name,
           const Line *line)
{
  static const double ROW = 1.3;
  const SsappRect *area = &frame->area;
  const double font = style->font_size, sample = 1.6 * font, left = area->x + 0.4 * font;
  const double middle = area->y + (0.6 + ROW * row) * font;

  g_autofree char *words = ssapp_text_fit (style, font, FALSE, name, 0, area->width - sample - 1.2 * font);
  const SsappTextStyle text = {.size = font, .color = line->color, .anchor_y = 0.5, .halo = TRUE};
  cairo_new_path (cr);
  cairo_move_to (cr, left, middle);
  cairo_line_to (cr, left + sample, middle);
  stroke (cr, style, line->color, line->px, line->on, line->off);
  ssapp_text_draw (cr, style, &text, left + sample + 0.4 * font, middle, words);
}

/* Of the samples of one mode after the other; FALSE: no mode has a hull with an edge. */
static gboolean
draw_mode_hulls (cairo_t *cr, const SsappStyle *style, const SsappPlane *plane, const SsappPlotFrame *frame,
                 const Line *line)
{
  gboolean is_any = FALSE;

  for (guint k = 0; k < plane->modes->len; k++) {
    const SsappPlaneMode *mode = &g_array_index (plane->modes, SsappPlaneMode, k);
    if (mode->hull == NULL || mode->hull->len < 2)
      continue;
    hull_path (cr, frame, mode->hull, FALSE, FALSE);
    stroke (cr, style, line->color, line->px, line->on, line->off);
    is_any = TRUE;
  }
  return is_any;
}

static void
draw_bounds (cairo_t *cr, const SsappStyle *style, const SsappPlaneSpec *spec, const SsappPlotFrame *frame,
             const Line *line)
{
  for (int p = 0; p < spec->n_bounds; p++) {
    cairo_new_path (cr);
    for (int k = 0; k < spec->bounds[p].n; k++)
      cairo_line_to (cr, ssapp_plot_frame_x (frame, spec->bounds[p].xy[2 * k]),
                     ssapp_plot_frame_y (frame, spec->bounds[p].xy[2 * k + 1]));
    cairo_close_path (cr);
    stroke (cr, style, line->color, line->px, line->on, line->off);
  }
}

static void
draw_hulls (cairo_t *cr, const SsappStyle *style, const SsappPlaneSpec *spec, const SsappPlotFrame *frame)
{
  const Line inner = {ssapp_style_color (style, SSAPP_COLOR_FOREGROUND), HULL_PX, 5, 3};
  const Line outer = {ssapp_style_color (style, SSAPP_COLOR_ACCENT), HULL_PX, 0, 0};
  const Line other = {ssapp_style_color (style, SSAPP_COLOR_FORCE), OTHER_PX, 1.5, 3};
  int row = 0;

  draw_bounds (cr, style, spec, frame, &outer);
  const gboolean has_inner =
      spec->has_hull && spec->plane != NULL && draw_mode_hulls (cr, style, spec->plane, frame, &inner);
  if (spec->n_bounds > 0) {
    name_line (cr, style, frame, row++, "outer bound", &outer);
    if (has_inner)
      name_line (cr, style, frame, row++, "reached", &inner);
  }
  if (spec->other != NULL && spec->other->hull->len > 1) {
    hull_path (cr, frame, spec->other->hull, FALSE, FALSE);
    stroke (cr, style, other.color, other.px, other.on, other.off);
    if (spec->other_label != NULL)
      name_line (cr, style, frame, row++, spec->other_label, &other);
  }
  if (spec->mirror != NULL && spec->mirror->hull->len > 1) {
    hull_path (cr, frame, spec->mirror->hull, TRUE, spec->mirror_swaps);
    stroke (cr, style, ssapp_style_color (style, SSAPP_COLOR_VELOCITY), HULL_PX, 9, 3);
  }
}

static SsappColor
layer_color (const SsappStyle *style, SsappPlaneLayer layer)
{
  return ssapp_style_color (style, layer == SSAPP_PLANE_COMPLIANT    ? SSAPP_COLOR_VELOCITY
                                   : layer == SSAPP_PLANE_SEQUENTIAL ? SSAPP_COLOR_FORCE
                                   : layer == SSAPP_PLANE_RATES      ? SSAPP_COLOR_ACCENT
                                                                     : SSAPP_COLOR_FOREGROUND);
}

/* Straight pieces, with a small ring at every step of those that have few. */
static void
draw_path (cairo_t *cr, const SsappStyle *style, const SsappPlanePath *path, const SsappPlotFrame *frame)
{
  enum { MOST_RINGS = 48 };
  const SsappColor color = layer_color (style, path->layer), card = ssapp_style_color (style, SSAPP_COLOR_CARD);
  const double on = path->layer == SSAPP_PLANE_COMPLIANT ? 2 : path->layer == SSAPP_PLANE_SEQUENTIAL ? 7 : 0;

  cairo_save (cr);
  if (path->layer == SSAPP_PLANE_CHOSEN) {
    cairo_rectangle (cr, frame->area.x, frame->area.y, frame->area.width, frame->area.height);
    cairo_clip (cr);
  }
  cairo_new_path (cr);
  for (int k = 0; k < path->n; k++)
    cairo_line_to (cr, ssapp_plot_frame_x (frame, path->xy[2 * k]), ssapp_plot_frame_y (frame, path->xy[2 * k + 1]));
  stroke (cr, style, color, path->layer == SSAPP_PLANE_RATES ? 2. : 1.4, on, 3);
  for (int k = 0; k < path->n && path->n <= MOST_RINGS; k++)
    ssapp_draw_marker (cr, SSAPP_MARKER_CIRCLE, ssapp_plot_frame_x (frame, path->xy[2 * k]),
                       ssapp_plot_frame_y (frame, path->xy[2 * k + 1]), 2.2 * style->scale,
                       ssapp_style_line (style, 1.), color, FALSE, card);
  cairo_restore (cr);
}

/* A cross in a ring for the simultaneous law, a turned square for an order, a plus for a compliant run. */
static void
draw_mark (cairo_t *cr, const SsappStyle *style, const SsappPlaneMark *mark, const SsappPlotFrame *frame)
{
  const SsappColor color = layer_color (style, mark->layer), card = ssapp_style_color (style, SSAPP_COLOR_CARD);
  const double x = ssapp_plot_frame_x (frame, mark->x), y = ssapp_plot_frame_y (frame, mark->y),
               r = LAYER_MARK_PX * style->scale;

  if (!isfinite (x) || !isfinite (y))
    return;
  if (mark->layer == SSAPP_PLANE_SEQUENTIAL) {
    ssapp_draw_marker (cr, SSAPP_MARKER_SQUARE, x, y, r, ssapp_style_line (style, 1.8), color, FALSE, card);
  } else if (mark->layer == SSAPP_PLANE_SIMULTANEOUS) {
    ssapp_draw_marker (cr, SSAPP_MARKER_CIRCLE, x, y, r * 1.2, ssapp_style_line (style, 1.8), color, FALSE, card);
    cairo_new_path (cr);
    for (int k = 0; k < 2; k++) {
      const double s = k == 0 ? 1. : -1.;
      cairo_move_to (cr, x - 0.55 * r, y - s * 0.55 * r);
      cairo_line_to (cr, x + 0.55 * r, y + s * 0.55 * r);
    }
    stroke (cr, style, color, 1.6, 0, 0);
  } else {
    cairo_new_path (cr);
    cairo_move_to (cr, x - 0.7 * r, y);
    cairo_line_to (cr, x + 0.7 * r, y);
    cairo_move_to (cr, x, y - 0.7 * r);
    cairo_line_to (cr, x, y + 0.7 * r);
    stroke (cr, style, color, 1.2, 0, 0);
  }
  if (mark->label != NULL) { /* towards the middle, where there is room */
    const gboolean is_right = x > frame->area.x + 0.6 * frame->area.width;
    const SsappTextStyle text = {
        .size = 0.92 * style->font_size, .color = color, .anchor_x = is_right ? 1. : 0., .anchor_y = 1., .halo = TRUE};
    ssapp_text_draw (cr, style, &text, x + (is_right ? -1.3 : 1.3) * r, y - 0.4 * r, mark->label);
  }
}

/* Several outcomes of one law are told in words, since they may lie on one point of this plane. */
static void
draw_badge (cairo_t *cr, const SsappStyle *style, const SsappPlaneSpec *spec, const SsappPlotFrame *frame)
{
  const SsappColor accent = ssapp_style_color (style, SSAPP_COLOR_ACCENT_TEXT);
  double width, height, pad = 0.45 * style->font_size;
  g_autofree char *words = NULL;
  int n = 0;

  for (int k = 0; k < spec->n_marks; k++)
    n += spec->marks[k].layer == SSAPP_PLANE_SIMULTANEOUS;
  if (n < 2)
    return;
  words = g_strdup_printf ("%d simultaneous solutions", n);
  ssapp_text_measure (style, style->font_size, TRUE, words, &width, &height);
  const double x = frame->area.x + frame->area.width - width - 2 * pad, y = frame->area.y + pad;
  cairo_new_path (cr);
  cairo_arc (cr, x, y + height / 2, height / 2 + 0.3 * pad, G_PI_2, 3 * G_PI_2);
  cairo_arc (cr, x + width, y + height / 2, height / 2 + 0.3 * pad, -G_PI_2, G_PI_2);
  cairo_close_path (cr);
  ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_CARD));
  cairo_fill_preserve (cr);
  ssapp_set_color (cr, ssapp_color_with_alpha (accent, 0.16));
  cairo_fill (cr);
  const SsappTextStyle text = {.size = style->font_size, .bold = TRUE, .color = accent};
  ssapp_text_draw (cr, style, &text, x, y, words);
}

/* ---- point masses ------------------------------------------------------------------------------------------------ */

/* Modes whose samples all lie on one point of this plane, together with their neighbours there. */
static void
draw_masses (cairo_t *cr, const SsappStyle *style, const SsappPlaneSpec *spec, const SsappPlotFrame *frame)
{
  const SsappPlane *plane = spec->brushed != NULL ? spec->brushed : spec->plane;
  const double sx = frame->x_axis.max - frame->x_axis.min, sy = frame->y_axis.max - frame->y_axis.min;
  const guint n = MIN (plane->modes->len, (guint)spec->n_looks);
  g_autofree guint8 *done = g_new0 (guint8, n + 1);

  for (guint k = 0; k < n; k++) {
    const SsappPlaneMode *mode = &g_array_index (plane->modes, SsappPlaneMode, k);
    guint largest = k;
    gint64 count = 0;
    if (done[k] || mode->n == 0 || mode->x_max - mode->x_min > POINT_SPREAD * sx ||
        mode->y_max - mode->y_min > POINT_SPREAD * sy)
      continue;
    for (guint other = k; other < n; other++) {
      const SsappPlaneMode *too = &g_array_index (plane->modes, SsappPlaneMode, other);
      if (too->n == 0 || fabs (too->x_min - mode->x_min) > POINT_SPREAD * sx ||
          fabs (too->x_max - mode->x_max) > POINT_SPREAD * sx || fabs (too->y_min - mode->y_min) > POINT_SPREAD * sy ||
          fabs (too->y_max - mode->y_max) > POINT_SPREAD * sy)
        continue;
      done[other] = 1;
      count += too->n;
      if (too->n > g_array_index (plane->modes, SsappPlaneMode, largest).n)
        largest = other;
    }
    const double share = (double)count / (double)spec->plane->n;
    if (share < LEAST_MASS)
      continue;
    const double x = ssapp_plot_frame_x (frame, mode->x_min), y = ssapp_plot_frame_y (frame, mode->y_min);
    const SsappTextStyle text = {.size = style->font_size,
                                 .bold = TRUE,
                                 .color = ssapp_style_color (style, SSAPP_COLOR_FOREGROUND),
                                 .anchor_x = x > frame->area.x + 0.4 * frame->area.width ? 1. : 0.,
                                 .anchor_y = 1.,
                                 .halo = TRUE};
    g_autofree char *words = g_strdup_printf (share < 0.1 ? "%.1f %% here" : "%.0f %% here", 100. * share);
    ssapp_joint_marker_draw (cr, style, &spec->looks[largest], x, y, MASS_PX * style->scale);
    ssapp_text_draw (cr, style, &text, x + (text.anchor_x > 0. ? -1. : 1.) * 1.2 * MASS_PX * style->scale,
                     y - 0.9 * MASS_PX * style->scale, words);
  }
}

/* ---- chosen outcome, brush --------------------------------------------------------------------------------------- */

static void
draw_chosen (cairo_t *cr, const SsappStyle *style, const SsappPlaneSpec *spec, const SsappPlotFrame *frame)
{
  const SsappColor foreground = ssapp_style_color (style, SSAPP_COLOR_FOREGROUND);
  const double x = ssapp_plot_frame_x (frame, spec->chosen[0]), y = ssapp_plot_frame_y (frame, spec->chosen[1]);

  if (!isfinite (x) || !isfinite (y))
    return;
  cairo_new_path (cr);
  cairo_move_to (cr, frame->area.x, y);
  cairo_line_to (cr, x, y);
  cairo_move_to (cr, x, frame->area.y);
  cairo_line_to (cr, x, frame->area.y + frame->area.height);
  stroke (cr, style, foreground, 1.2, 1.5, 3);
  for (int k = 0; k < 2; k++) { /* a rim so that the ring is seen on any ground */
    cairo_new_path (cr);
    cairo_arc (cr, x, y, RING_PX * style->scale, 0, 2 * G_PI);
    stroke (cr, style, k == 0 ? ssapp_style_color (style, SSAPP_COLOR_CARD) : foreground, k == 0 ? 4.5 : 2., 0, 0);
  }
}

static void
draw_brush (cairo_t *cr, const SsappStyle *style, const SsappPlaneSpec *spec, const SsappPlotFrame *frame)
{
  const double x0 = ssapp_plot_frame_x (frame, spec->brush[0]), x1 = ssapp_plot_frame_x (frame, spec->brush[1]);
  const double y0 = ssapp_plot_frame_y (frame, spec->brush[3]), y1 = ssapp_plot_frame_y (frame, spec->brush[2]);
  const SsappColor accent = ssapp_style_color (style, SSAPP_COLOR_ACCENT);

  if (!isfinite (x0) || !isfinite (x1) || !isfinite (y0) || !isfinite (y1))
    return;
  cairo_new_path (cr);
  cairo_rectangle (cr, x0, y0, x1 - x0, y1 - y0);
  ssapp_set_color (cr, ssapp_color_with_alpha (accent, 0.1));
  cairo_fill_preserve (cr);
  stroke (cr, style, accent, 1.4, 0, 0);
}

void
ssapp_plane_draw (cairo_t *cr, const SsappStyle *style, const SsappPlaneSpec *spec, double x, double y, double width,
                  double height)
{
  g_return_if_fail (style != NULL && spec != NULL);

  const gboolean has_samples = spec->plane != NULL && spec->plane->n > 0;
  SsappPlotSpec axes = axes_of (spec);
  SsappPlotFrame frame;

  if (!(width > 0.) || !(height > 0.))
    return;
  cairo_save (cr);
  layout (style, spec, x, y, width, height, &frame);
  for (guint k = 0; has_samples && spec->has_hull && !style->is_high_contrast && k < spec->plane->modes->len; k++) {
    const SsappPlaneMode *mode = &g_array_index (spec->plane->modes, SsappPlaneMode, k);
    if (mode->hull == NULL || mode->hull->len < 3)
      continue;
    hull_path (cr, &frame, mode->hull, FALSE, FALSE);
    ssapp_set_color (cr, ssapp_color_with_alpha (ssapp_style_color (style, SSAPP_COLOR_ACCENT), HULL_TINT));
    cairo_fill (cr);
  }
  ssapp_plot_frame_draw (cr, style, &axes, &frame);
  cairo_save (cr);
  const double bleed = (RING_PX + 3.) * style->scale;
  cairo_rectangle (cr, frame.area.x - bleed, frame.area.y - bleed, frame.area.width + 2 * bleed,
                   frame.area.height + 2 * bleed);
  cairo_clip (cr);
  if (has_samples)
    draw_samples (cr, style, spec, &frame);
  draw_hulls (cr, style, spec, &frame);
  for (int k = 0; k < spec->n_paths; k++)
    draw_path (cr, style, &spec->paths[k], &frame);
  if (has_samples)
    draw_masses (cr, style, spec, &frame);
  for (int k = 0; k < spec->n_marks; k++)
    draw_mark (cr, style, &spec->marks[k], &frame);
  draw_chosen (cr, style, spec, &frame);
  draw_brush (cr, style, spec, &frame);
  draw_badge (cr, style, spec, &frame);
  cairo_restore (cr);
  cairo_restore (cr);
}
