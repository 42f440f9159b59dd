/* tests/unit/test-pixels.c: polygons straight onto pixels. Truth: areas in closed form, and Cairo's picture of the same
 * polygon. */
#include "app/draw/ssapp-pixels.h"
#include "tests/ss-test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 64 };

static cairo_surface_t *
surface_new (void)
{
  return cairo_image_surface_create (CAIRO_FORMAT_ARGB32, SIZE, SIZE);
}

static double
alpha_at (cairo_surface_t *surface, int x, int y)
{
  cairo_surface_flush (surface);
  const unsigned char *row =
      cairo_image_surface_get_data (surface) + (gsize)y * (gsize)cairo_image_surface_get_stride (surface);
  return ((const guint32 *)(gconstpointer)row)[x] / 16777216u / 255.;
}

static double
covered (cairo_surface_t *surface)
{
  double sum = 0;
  for (int y = 0; y < SIZE; y++)
    for (int x = 0; x < SIZE; x++)
      sum += alpha_at (surface, x, y);
  return sum;
}

/* Corners on a circle at ascending angles: convex, turning one way. */
static void
polygon_new (GRand *random, int n, double *points)
{
  const double x = g_rand_double_range (random, 20, 44), y = g_rand_double_range (random, 20, 44),
               radius = g_rand_double_range (random, 1, 19), first = g_rand_double_range (random, 0, 6);
  for (int i = 0; i < n; i++) {
    const double angle = first + 2 * G_PI * (i + g_rand_double_range (random, 0, 0.8)) / n;
    points[2 * i] = x + radius * cos (angle);
    points[2 * i + 1] = y + radius * sin (angle);
  }
}

static double
area_of (const double *points, int n)
{
  double twice = 0;
  for (int i = 0, j = n - 1; i < n; j = i++)
    twice += points[2 * j] * points[2 * i + 1] - points[2 * i] * points[2 * j + 1];
  return fabs (twice) / 2;
}

static void
fill (cairo_surface_t *surface, const double *points, int n)
{
  cairo_t *cr = cairo_create (surface);
  SsappPixels pixels;
  const gboolean has_pixels = ssapp_pixels_begin (&pixels, cr);

  SS_CHECK (has_pixels);
  if (has_pixels) {
    ssapp_pixels_set_color (&pixels, (SsappColor){0.2, 0.4, 0.6, 1});
    ssapp_pixels_add (&pixels, points, n);
    ssapp_pixels_fill (&pixels);
    ssapp_pixels_end (&pixels);
  }
  cairo_destroy (cr);
}

static void
shares_add_up_to_the_area (void)
{
  GRand *random = g_rand_new_with_seed (3);
  double points[2 * 7];

  for (int trial = 0; trial < 200; trial++) {
    const int n = 3 + trial % 5;
    cairo_surface_t *surface = surface_new ();
    int n_edge = 0;
    polygon_new (random, n, points);
    fill (surface, points, n);
    for (int i = 0; i < SIZE * SIZE; i++) {
      const double alpha = alpha_at (surface, i % SIZE, i / SIZE);
      n_edge += alpha > 0 && alpha < 1;
    }
    /* a share is rounded to 255ths, below half of one to none: as many pixels again may have been left out */
    SS_CHECK_NEAR (covered (surface), area_of (points, n), 2 * (n_edge + 1) * 0.5 / 255);
    cairo_surface_destroy (surface);
  }
  g_rand_free (random);
}

static void
looks_as_cairos (void)
{
  GRand *random = g_rand_new_with_seed (5);
  double points[2 * 7], largest = 0;

  for (int trial = 0; trial < 100; trial++) {
    const int n = 3 + trial % 5;
    cairo_surface_t *surface = surface_new (), *other = surface_new ();
    cairo_t *cr = cairo_create (other);
    polygon_new (random, n, points);
    fill (surface, points, n);
    for (int i = 0; i < n; i++)
      cairo_line_to (cr, points[2 * i], points[2 * i + 1]);
    cairo_fill (cr);
    cairo_destroy (cr);
    for (int i = 0; i < SIZE * SIZE; i++)
      largest = fmax (largest, fabs (alpha_at (surface, i % SIZE, i / SIZE) - alpha_at (other, i % SIZE, i / SIZE)));
    cairo_surface_destroy (surface);
    cairo_surface_destroy (other);
  }
  /* Cairo looks at 15 lines a pixel, and where two edges meet within one it may miss both by a line */
  SS_CHECK (largest <= 2. / 15 + 0.5 / 255);
  g_rand_free (random);
}

/* A square with a hole that turns the other way, over a colour that shows through. */
static void
holes_stay_free (void)
{
  static const double outer[] = {10, 10, 50, 10, 50, 50, 10, 50}, hole[] = {20, 40, 40, 40, 40, 20, 20, 20};
  cairo_surface_t *surface = surface_new ();
  cairo_t *cr = cairo_create (surface);
  SsappPixels pixels;

  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  SS_CHECK (ssapp_pixels_begin (&pixels, cr));
  ssapp_pixels_set_color (&pixels, (SsappColor){1, 0, 0, 0.5});
  ssapp_pixels_add (&pixels, outer, 4);
  ssapp_pixels_add (&pixels, hole, 4);
  ssapp_pixels_fill (&pixels);
  ssapp_pixels_end (&pixels);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  const unsigned char *data = cairo_image_surface_get_data (surface);
  const int stride = cairo_image_surface_get_stride (surface);
  const guint32 painted = *(const guint32 *)(gconstpointer)(data + 15 * stride + 4 * 30),
                free_one = *(const guint32 *)(gconstpointer)(data + 30 * stride + 4 * 30),
                beside = *(const guint32 *)(gconstpointer)(data + 5 * stride + 4 * 30);
  SS_CHECK (painted == 0xffff7f7fu && free_one == 0xffffffffu && beside == 0xffffffffu);
  cairo_surface_destroy (surface);
}

/* Nothing outside of the clip; a polygon that reaches beyond it on all sides fills it. */
static void
stays_in_the_clip (void)
{
  static const double large[] = {-1000, -900, 1200, -1000, 1000, 1100, -900, 1000},
                      beside[] = {100, 10, 200, 10, 200, 50, 100, 50};
  cairo_surface_t *surface = surface_new ();
  cairo_t *cr = cairo_create (surface);
  SsappPixels pixels;

  cairo_rectangle (cr, 8, 4, 40, 30);
  cairo_clip (cr);
  SS_CHECK (ssapp_pixels_begin (&pixels, cr));
  ssapp_pixels_set_color (&pixels, (SsappColor){0, 0, 0, 1});
  ssapp_pixels_add (&pixels, large, 4);
  ssapp_pixels_fill (&pixels);
  SS_CHECK (pixels.n_filled == 1);
  ssapp_pixels_add (&pixels, beside, 4);
  ssapp_pixels_fill (&pixels);
  SS_CHECK (pixels.n_filled == 1);
  ssapp_pixels_end (&pixels);
  SS_CHECK_NEAR (covered (surface), 40 * 30, 1e-9);
  SS_CHECK (alpha_at (surface, 8, 4) == 1 && alpha_at (surface, 47, 33) == 1 && alpha_at (surface, 7, 4) == 0 &&
            alpha_at (surface, 48, 33) == 0 && alpha_at (surface, 8, 34) == 0);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

/* As Cairo paints the same picture there, to a rounding. */
static void
pictures_are_set_down (void)
{
  static const int places[][2] = {{20, 17}, {-5, 30}, {57, -3}, {60, 60}, {100, 0}, {-20, -20}};
  cairo_surface_t *picture = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 11, 13);
  cairo_t *cr = cairo_create (picture);

  cairo_set_source_rgba (cr, 0.8, 0.3, 0.1, 0.6);
  cairo_arc (cr, 5.3, 6.1, 5, 0, 7);
  cairo_fill (cr);
  cairo_destroy (cr);
  cairo_surface_flush (picture);
  for (gsize k = 0; k < G_N_ELEMENTS (places); k++) {
    cairo_surface_t *both[2] = {surface_new (), surface_new ()};
    for (int i = 0; i < 2; i++) {
      cr = cairo_create (both[i]);
      SsappPixels pixels;
      cairo_set_source_rgba (cr, 0.1, 0.5, 0.9, 0.7);
      cairo_paint (cr);
      cairo_rectangle (cr, 3, 2, 59, 60);
      cairo_clip (cr);
      if (i == 0 && ssapp_pixels_begin (&pixels, cr)) {
        ssapp_pixels_set_down (&pixels, picture, places[k][0], places[k][1]);
        SS_CHECK (pixels.n_set_down == (k < 4 ? 1 : 0));
        ssapp_pixels_end (&pixels);
      } else {
        cairo_set_source_surface (cr, picture, places[k][0], places[k][1]);
        cairo_paint (cr);
      }
      cairo_destroy (cr);
      cairo_surface_flush (both[i]);
    }
    const unsigned char *a = cairo_image_surface_get_data (both[0]), *b = cairo_image_surface_get_data (both[1]);
    for (int i = 0; i < SIZE * cairo_image_surface_get_stride (both[0]); i++)
      SS_CHECK (abs (a[i] - b[i]) <= 1);
    cairo_surface_destroy (both[0]);
    cairo_surface_destroy (both[1]);
  }
  cairo_surface_destroy (picture);
}

static void
only_where_there_are_pixels (void)
{
  cairo_surface_t *surface = surface_new (),
                  *recording = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, NULL);
  cairo_t *cr = cairo_create (surface), *record = cairo_create (recording);
  SsappPixels pixels;

  SS_CHECK (!ssapp_pixels_begin (&pixels, record));
  cairo_rotate (cr, 0.1);
  SS_CHECK (!ssapp_pixels_begin (&pixels, cr));
  cairo_identity_matrix (cr);
  cairo_arc (cr, 30, 30, 10, 0, 6);
  cairo_clip (cr);
  SS_CHECK (!ssapp_pixels_begin (&pixels, cr));
  cairo_reset_clip (cr);
  cairo_push_group (cr);
  SS_CHECK (!ssapp_pixels_begin (&pixels, cr));
  cairo_destroy (cr);
  cairo_destroy (record);
  cairo_surface_destroy (surface);
  cairo_surface_destroy (recording);
}

/* Areas of bodies and of the lines about them, in closed form. */
static void
bodies_and_their_lines (void)
{
  static const SsVec2 box[4] = {{-1, -0.5}, {1, -0.5}, {1, 0.5}, {-1, 0.5}}, ends[2] = {{-0.5, 0}, {0.5, 0}},
                      needle[3] = {{-2, 0}, {2, 0}, {-2, 0.05}};
  const SsappCamera camera = {.scale = 12, .ox = 32, .oy = 32, .width = SIZE, .height = SIZE};
  const double width = 2, r = 0.8 * 12;
  const struct {
    SsMark mark;
    double inside, line;
  } cases[] = {
      {{.kind = SS_MARK_POLYGON, .angle = 0.3, .n_vertices = 4, .vertices = box}, 24 * 12, 26 * 14 - 22 * 10},
      {{.kind = SS_MARK_CIRCLE, .radius = 0.8}, G_PI * r * r, 2 * G_PI * r * width},
      {{.kind = SS_MARK_CAPSULE, .angle = -1, .radius = 0.8, .n_vertices = 2, .vertices = ends},
       G_PI * r * r + 12 * 2 * r,
       2 * G_PI * r * width + 2 * 12 * width},
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    for (int is_line = 0; is_line < 2; is_line++) {
      cairo_surface_t *surface = surface_new ();
      cairo_t *cr = cairo_create (surface);
      SsappPixels pixels;
      SS_CHECK (ssapp_pixels_begin (&pixels, cr));
      ssapp_pixels_set_color (&pixels, (SsappColor){0, 0, 0, 1});
      SS_CHECK ((is_line ? ssapp_pixels_stroke_body : ssapp_pixels_fill_body) (&pixels, &camera, &cases[i].mark, 32.3,
                                                                               31.8, width));
      ssapp_pixels_end (&pixels);
      /* chords lie at most 0.05 px inside of round edges, some 60 to 90 px long, two of them for a line */
      SS_CHECK_NEAR (covered (surface), is_line ? cases[i].line : cases[i].inside, i == 0 ? 0.5 : 3.);
      cairo_destroy (cr);
      cairo_surface_destroy (surface);
    }
  /* a corner that Cairo cuts is left to it */
  cairo_surface_t *surface = surface_new ();
  cairo_t *cr = cairo_create (surface);
  SsappPixels pixels;
  const SsMark sharp = {.kind = SS_MARK_POLYGON, .n_vertices = 3, .vertices = needle};
  SS_CHECK (ssapp_pixels_begin (&pixels, cr));
  SS_CHECK (!ssapp_pixels_fill_body (&pixels, &camera, &sharp, 32, 32, width) &&
            !ssapp_pixels_stroke_body (&pixels, &camera, &sharp, 32, 32, width) && pixels.n_filled == 0);
  ssapp_pixels_end (&pixels);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

/* Pixels of what stands upright in its own size alone, of a picture with transparency. */
static void
what_is_scaled_or_turned_is_refused (void)
{
  static const cairo_matrix_t matrices[] = {
      {1, 0, 0, 1, 3.5, -2}, {2, 0, 0, 1, 0, 0}, {1, 0, 0, 2, 0, 0}, {1, 0.5, 0, 1, 0, 0}, {1, 0, 0.5, 1, 0, 0}};

  for (gsize i = 0; i <= G_N_ELEMENTS (matrices); i++) {
    cairo_surface_t *surface =
        i < G_N_ELEMENTS (matrices) ? surface_new () : cairo_image_surface_create (CAIRO_FORMAT_RGB24, SIZE, SIZE);
    cairo_t *cr = cairo_create (surface);
    SsappPixels pixels;
    if (i < G_N_ELEMENTS (matrices))
      cairo_set_matrix (cr, &matrices[i]);
    const gboolean has_pixels = ssapp_pixels_begin (&pixels, cr);
    SS_CHECK (has_pixels == (i == 0));
    if (has_pixels)
      ssapp_pixels_end (&pixels);
    cairo_destroy (cr);
    cairo_surface_destroy (surface);
  }
}

int
main (void)
{
  SS_RUN (what_is_scaled_or_turned_is_refused);
  SS_RUN (shares_add_up_to_the_area);
  SS_RUN (looks_as_cairos);
  SS_RUN (holes_stay_free);
  SS_RUN (stays_in_the_clip);
  SS_RUN (pictures_are_set_down);
  SS_RUN (only_where_there_are_pixels);
  SS_RUN (bodies_and_their_lines);
  return ss_test_finish ();
}
