/* app/draw/ssapp-draw-crowd.c: many marks of one look: bodies of one colour by one fill and one stroke, and on a
 * surface of pixels discs, centres and contact points as pictures that are drawn once a frame and then set down,
 * which is thirty times as fast as drawing each, other bodies and arrows as polygons of pixels. Tests:
 * tests/unit/test-draw.c (a crowd looks as its marks do one by one), measured by tests/bench/bench-draw-dev.c and
 * tests/ui/frame-cost.py */
#include "app/draw/ssapp-pixels.h"

#include <math.h>

enum { PHASES = 2 };       /* places within a pixel, along each axis         */
enum { ANGLES = 8 };       /* of a centre's quarters, which repeat after pi  */
enum { LEAST_ALIKE = 16 }; /* fewer discs of one look are drawn              */

typedef struct {
  cairo_t *cr;
  const SsappStyle *style;
  const SsappCamera *camera;
  const SsMark *marks;
  int n_marks;
  const SsappMarkPaint *paint; /* of bodies */
  double device;               /* device pixels a user unit; 0: no surface of pixels */
  double left, top;            /* of the user's origin on the surface [user units]   */
} Crowd;

static gboolean
is_plain_body (const SsMark *mark)
{
  return mark->role == SS_ROLE_BODY &&
         (mark->kind == SS_MARK_POLYGON || mark->kind == SS_MARK_CIRCLE || mark->kind == SS_MARK_CAPSULE);
}

static gboolean
is_centre (const SsMark *mark)
{
  return mark->kind == SS_MARK_POINT && mark->role == SS_ROLE_CENTRE;
}

static gboolean
is_ring (const SsMark *mark)
{
  return mark->kind == SS_MARK_POINT && mark->role == SS_ROLE_CONTACT && mark->vector.x == 0. && mark->vector.y == 0.;
}

gboolean
ssapp_is_of_crowd (const SsMark *mark, gboolean has_pixels)
{
  return is_plain_body (mark) || is_centre (mark) || is_ring (mark) || (has_pixels && mark->kind == SS_MARK_ARROW);
}

static Crowd
crowd_of (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsMark *marks, int n_marks)
{
  Crowd crowd = {.cr = cr, .style = style, .camera = camera, .marks = marks, .n_marks = n_marks};
  cairo_surface_t *target = cairo_get_target (cr);
  cairo_matrix_t matrix;
  double across, down;

  cairo_get_matrix (cr, &matrix);
  cairo_surface_get_device_scale (target, &across, &down);
  if (cairo_surface_get_type (target) == CAIRO_SURFACE_TYPE_IMAGE && !style->is_paper && across == down &&
      matrix.xx == 1. && matrix.yy == 1. && matrix.xy == 0. && matrix.yx == 0.) {
    crowd.device = across;
    crowd.left = matrix.x0;
    crowd.top = matrix.y0;
  }
  return crowd;
}

/* What there was to do since somebody asked. */
static _Thread_local SsappCrowdCount count;

SsappCrowdCount
ssapp_crowd_take_count (void)
{
  const SsappCrowdCount taken = count;

  count = (SsappCrowdCount){0};
  return taken;
}

static void
end_pixels (SsappPixels *pixels)
{
  count.n_polygons += pixels->n_filled;
  count.n_pictures += pixels->n_set_down;
  ssapp_pixels_end (pixels);
}

/* ---- pictures of one look ---------------------------------------------------------------------------------------- */

typedef struct Sprites Sprites;
struct Sprites {
  const Crowd *crowd;
  void (*draw) (cairo_t *cr, const Sprites *self, double angle); /* about the origin */
  const SsMark *like;                                            /* a mark of that look */
  double reach;                                                  /* from its middle to its edge [user units] */
  int n_angles;
  SsappPixels pixels; /* where they are set down, once has_pixels */
  gboolean has_pixels;
  cairo_surface_t *pictures[ANGLES][PHASES][PHASES];
};

/* Before the first is set down; nothing else may be drawn until sprites_clear. */
static void
sprites_begin (Sprites *self)
{
  self->has_pixels = ssapp_pixels_begin (&self->pixels, self->crowd->cr);
}

static void
sprites_clear (Sprites *self)
{
  if (self->has_pixels)
    end_pixels (&self->pixels);
  self->has_pixels = FALSE;
  for (int a = 0; a < ANGLES; a++)
    for (int i = 0; i < PHASES; i++)
      for (int j = 0; j < PHASES; j++)
        g_clear_pointer (&self->pictures[a][i][j], cairo_surface_destroy);
}

/* Pixels from a picture's edge to its middle. */
static int
half_size (const Sprites *self)
{
  return (int)ceil (self->reach * self->crowd->device) + 1;
}

static cairo_surface_t *
make_picture (const Sprites *self, int angle, int phase_x, int phase_y)
{
  const double device = self->crowd->device;
  const int half = half_size (self);
  cairo_surface_t *picture = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 2 * half + 1, 2 * half + 1);
  cairo_t *cr;

  cairo_surface_set_device_scale (picture, device, device);
  cr = cairo_create (picture);
  cairo_translate (cr, (half + (phase_x + 0.5) / PHASES) / device, (half + (phase_y + 0.5) / PHASES) / device);
  self->draw (cr, self, angle * G_PI / self->n_angles);
  cairo_destroy (cr);
  cairo_surface_flush (picture);
  return picture;
}

static void
set_down (Sprites *self, double x, double y, double turned)
{
  const Crowd *crowd = self->crowd;
  const double px = (x + crowd->left) * crowd->device, py = (y + crowd->top) * crowd->device;
  const double column = floor (px), row = floor (py);
  const int phase_x = (int)((px - column) * PHASES), phase_y = (int)((py - row) * PHASES), half = half_size (self);
  const double turns = turned / G_PI * self->n_angles;
  const int angle = self->n_angles == 1 ? 0 : (int)fmod (fmod (floor (turns + 0.5), ANGLES) + ANGLES, ANGLES);
  cairo_surface_t **picture = &self->pictures[angle][phase_x][phase_y];

  if (*picture == NULL)
    *picture = make_picture (self, angle, phase_x, phase_y);
  if (self->has_pixels) {
    ssapp_pixels_set_down (&self->pixels, *picture, (int)column - half, (int)row - half);
    return;
  }
  cairo_set_source_surface (crowd->cr, *picture, (column - half) / crowd->device - crowd->left,
                            (row - half) / crowd->device - crowd->top);
  cairo_pattern_set_filter (cairo_get_source (crowd->cr), CAIRO_FILTER_NEAREST);
  cairo_paint (crowd->cr);
  count.n_pictures++;
}

static void
set_down_all (Sprites *self, gboolean (*is_one) (const SsMark *))
{
  const Crowd *crowd = self->crowd;

  sprites_begin (self);
  for (int i = 0; i < crowd->n_marks; i++) {
    double x, y;
    if (is_one (&crowd->marks[i]) && ssapp_mark_is_seen (crowd->style, crowd->camera, &crowd->marks[i], &x, &y))
      set_down (self, x, y, crowd->marks[i].angle);
  }
  sprites_clear (self);
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

static gboolean
is_like (const SsMark *mark, const SsMark *other)
{
  return mark->kind == SS_MARK_CIRCLE && is_plain_body (mark) && mark->radius == other->radius &&
         g_strcmp0 (mark->color, other->color) == 0;
}

static void
fill_and_stroke (cairo_t *cr, const Crowd *crowd, const char *color)
{
  SsappColor outline, fill;
  const double width = ssapp_body_paint (crowd->style, color, crowd->paint, &outline, &fill);

  ssapp_set_color (cr, fill);
  cairo_fill_preserve (cr);
  ssapp_set_color (cr, outline);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_MITER);
  cairo_set_line_width (cr, width);
  cairo_stroke (cr);
}

static void
draw_disc (cairo_t *cr, const Sprites *self, double angle)
{
  (void)angle;
  cairo_arc (cr, 0, 0, self->like->radius * self->crowd->camera->scale, 0, 2 * G_PI);
  cairo_close_path (cr);
  fill_and_stroke (cr, self->crowd, self->like->color);
}

/* Discs like the one at `index` as pictures, if there are enough; FALSE: they are still to be drawn. `done` marks what
 * is. */
static gboolean
set_down_discs (const Crowd *crowd, int index, gboolean *done)
{
  const SsMark *like = &crowd->marks[index];
  const double reach = like->radius * crowd->camera->scale + 2 * SSAPP_OUTLINE_PX * crowd->style->scale;
  int n_alike = 0;

  for (int i = index; i < crowd->n_marks; i++)
    n_alike += is_like (&crowd->marks[i], like) ? 1 : 0;
  if (crowd->device == 0. || n_alike < LEAST_ALIKE || reach > 0.25 * crowd->camera->width)
    return FALSE;
  Sprites sprites = {.crowd = crowd, .draw = draw_disc, .like = like, .reach = reach, .n_angles = 1};
  sprites_begin (&sprites);
  for (int i = index; i < crowd->n_marks; i++) {
    double x, y;
    if (!is_like (&crowd->marks[i], like))
      continue;
    done[i] = TRUE;
    if (ssapp_mark_is_seen (crowd->style, crowd->camera, &crowd->marks[i], &x, &y))
      set_down (&sprites, x, y, 0.);
  }
  sprites_clear (&sprites);
  return TRUE;
}

/* Bodies of one colour, fillings below outlines as in one path of Cairo; those that only Cairo draws are the path that
 * is left. */
static void
paint_bodies (const Crowd *crowd, const int *alike, int n_alike)
{
  const SsMark *marks = crowd->marks;
  SsappColor outline, fill;
  const double width = ssapp_body_paint (crowd->style, marks[alike[0]].color, crowd->paint, &outline, &fill);
  SsappPixels pixels;
  g_autofree gboolean *is_left = g_new0 (gboolean, (gsize)n_alike);
  double x, y;

  cairo_new_path (crowd->cr);
  const gboolean has_pixels = crowd->device > 0. && ssapp_pixels_begin (&pixels, crowd->cr);
  for (int pass = 0; pass < 2 && has_pixels; pass++) {
    ssapp_pixels_set_color (&pixels, pass == 0 ? fill : outline);
    for (int i = 0; i < n_alike; i++)
      if (!is_left[i] && ssapp_mark_is_seen (crowd->style, crowd->camera, &marks[alike[i]], &x, &y))
        is_left[i] = !(pass == 0 ? ssapp_pixels_fill_body (&pixels, crowd->camera, &marks[alike[i]], x, y, width)
                                 : ssapp_pixels_stroke_body (&pixels, crowd->camera, &marks[alike[i]], x, y, width));
  }
  if (has_pixels)
    end_pixels (&pixels);
  for (int i = 0; i < n_alike; i++)
    if (!has_pixels || is_left[i])
      ssapp_append_outline (crowd->cr, crowd->style, crowd->camera, &marks[alike[i]]);
}

void
ssapp_draw_crowd_bodies (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsMark *marks,
                         int n_marks, const SsappMarkPaint *paint)
{
  Crowd crowd = crowd_of (cr, style, camera, marks, n_marks);
  g_autofree gboolean *done = g_new0 (gboolean, (gsize)MAX (n_marks, 1));
  g_autofree int *alike = g_new (int, (gsize)MAX (n_marks, 1));

  crowd.paint = paint;
  for (int i = 0; i < n_marks; i++) {
    int n_alike = 0;
    if (done[i] || !is_plain_body (&marks[i]) || (marks[i].kind == SS_MARK_CIRCLE && set_down_discs (&crowd, i, done)))
      continue;
    /* Those of this colour, but discs that are enough for pictures of their own: their turn comes. */
    for (int k = i; k < n_marks; k++)
      if (!done[k] && is_plain_body (&marks[k]) && g_strcmp0 (marks[k].color, marks[i].color) == 0 &&
          (k == i || marks[k].kind != SS_MARK_CIRCLE)) {
        alike[n_alike++] = k;
        done[k] = TRUE;
      }
    paint_bodies (&crowd, alike, n_alike);
    fill_and_stroke (cr, &crowd, marks[i].color);
  }
}

/* ---- points ------------------------------------------------------------------------------------------------------ */

static void
draw_centre (cairo_t *cr, const Sprites *self, double angle)
{
  ssapp_draw_centre (cr, self->crowd->style, 0, 0, angle);
}

static void
draw_ring (cairo_t *cr, const Sprites *self, double angle)
{
  const SsappStyle *style = self->crowd->style;

  (void)angle;
  ssapp_draw_marker (cr, SSAPP_MARKER_CIRCLE, 0, 0, SSAPP_CONTACT_RADIUS_PX * style->scale,
                     ssapp_style_line (style, SSAPP_OUTLINE_PX), ssapp_style_color (style, SSAPP_COLOR_CONTACT), FALSE,
                     ssapp_style_color (style, SSAPP_COLOR_VIEW));
}

static Sprites
rings_of (const Crowd *crowd)
{
  return (Sprites){.crowd = crowd,
                   .draw = draw_ring,
                   .reach = (SSAPP_CONTACT_RADIUS_PX + SSAPP_OUTLINE_PX) * crowd->style->scale,
                   .n_angles = 1};
}

/* One by one, where there are no pixels to set down. */
static void
draw_all (const Crowd *crowd, gboolean (*is_one) (const SsMark *))
{
  const SsappMarkPaint paint = {0};

  for (int i = 0; i < crowd->n_marks; i++)
    if (is_one (&crowd->marks[i]))
      ssapp_draw_mark (crowd->cr, crowd->style, crowd->camera, &crowd->marks[i], &paint);
}

static void
draw_crowd_points (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsMark *marks, int n_marks)
{
  const Crowd crowd = crowd_of (cr, style, camera, marks, n_marks);
  Sprites centres = {.crowd = &crowd,
                     .draw = draw_centre,
                     .reach = (SSAPP_CENTRE_RADIUS_PX + SSAPP_CENTRE_LINE_PX) * style->scale,
                     .n_angles = ANGLES},
          rings = rings_of (&crowd);

  if (crowd.device == 0.) {
    draw_all (&crowd, is_centre);
    draw_all (&crowd, is_ring);
    return;
  }
  set_down_all (&centres, is_centre);
  set_down_all (&rings, is_ring);
}

/* ---- arrows ------------------------------------------------------------------------------------------------------ */

gboolean
ssapp_crowd_has_pixels (cairo_t *cr, const SsappStyle *style)
{
  const Crowd crowd = crowd_of (cr, style, NULL, NULL, 0);
  SsappPixels pixels;

  if (crowd.device == 0. || !ssapp_pixels_begin (&pixels, cr))
    return FALSE;
  ssapp_pixels_end (&pixels);
  return TRUE;
}

void
ssapp_crowd_arrows_init (SsappCrowdArrows *crowd)
{
  crowd->arrows = g_array_new (FALSE, FALSE, sizeof (SsappArrow));
  crowd->rings = g_array_new (FALSE, FALSE, 2 * sizeof (double));
}

static gboolean
is_beside (const SsappCamera *camera, double x, double y, double reach)
{
  return !(x >= -reach && y >= -reach && x <= camera->width + reach && y <= camera->height + reach);
}

void
ssapp_crowd_arrows_draw (SsappCrowdArrows *self, cairo_t *cr, const SsappStyle *style, const SsappCamera *camera)
{
  g_return_if_fail (self != NULL);
  const Crowd crowd = crowd_of (cr, style, camera, NULL, 0);
  Sprites rings = rings_of (&crowd);
  SsappPixels pixels;

  sprites_begin (&rings);
  for (guint i = 0; i < self->rings->len; i++) {
    const double *at = &g_array_index (self->rings, double, 2 * i);
    if (!is_beside (camera, at[0], at[1], rings.reach))
      set_down (&rings, at[0], at[1], 0.);
  }
  sprites_clear (&rings);
  if (ssapp_pixels_begin (&pixels, cr)) {
    for (guint i = 0; i < self->arrows->len; i++)
      ssapp_pixels_arrow (&pixels, &g_array_index (self->arrows, SsappArrow, i));
    end_pixels (&pixels);
  }
  g_clear_pointer (&self->arrows, g_array_unref);
  g_clear_pointer (&self->rings, g_array_unref);
}

void
ssapp_draw_crowd_layer (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsMark *marks,
                        int n_marks, int layer, const SsappMarkPaint *paint, gboolean has_pixels)
{
  SsappCrowdArrows arrows;
  double x, y;

  if (layer == SSAPP_LAYER_OF_BODIES)
    ssapp_draw_crowd_bodies (cr, style, camera, marks, n_marks, paint);
  if (layer != SSAPP_LAYER_OF_POINTS)
    return;
  draw_crowd_points (cr, style, camera, marks, n_marks);
  if (has_pixels) { /* over points, which stand closer than chains of forces could be seen between */
    ssapp_crowd_arrows_init (&arrows);
    for (int i = 0; i < n_marks; i++)
      if (marks[i].kind == SS_MARK_ARROW && ssapp_mark_is_seen (style, camera, &marks[i], &x, &y) &&
          !ssapp_mark_is_rounding_error (&marks[i]))
        ssapp_draw_acting_arrow (cr, style, &marks[i], paint, x, y, &arrows);
    ssapp_crowd_arrows_draw (&arrows, cr, style, camera);
  }
}
