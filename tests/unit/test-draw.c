/* tests/unit/test-draw.c: the scene renderer: camera, colours, numbers as text, pixels of known places, hit tests,
 * handles.
 *
 * Pixels are compared with colours computed here from the published palette (one step of 8-bit rounding and blending:
 * 2/255), never with stored pictures.
 */
#include "app/draw/ssapp-draw-overlaid.h"
#include "app/draw/ssapp-draw-parts.h"
#include "app/draw/ssapp-plot.h"
#include "tests/ss-test-scenario.h"

#include <stdlib.h>

#include "scene/ss-scenario.h"

/* Blending and rounding to eight bits may each lose one step. */
static const double PIXEL_TOLERANCE = 2.01 / 255.;

static const SsVec2 box[4] = {{-0.5, -0.25}, {0.5, -0.25}, {0.5, 0.25}, {-0.5, 0.25}};

typedef struct {
  cairo_surface_t *surface;
  cairo_t *cr;
} Canvas;

static Canvas
canvas_new (int width, int height)
{
  Canvas canvas;
  canvas.surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  canvas.cr = cairo_create (canvas.surface);
  return canvas;
}

static void
canvas_clear (Canvas *canvas)
{
  SS_CHECK (cairo_status (canvas->cr) == CAIRO_STATUS_SUCCESS);
  cairo_destroy (canvas->cr);
  cairo_surface_destroy (canvas->surface);
}

static SsappColor
pixel (const Canvas *canvas, int x, int y)
{
  cairo_surface_flush (canvas->surface);
  const unsigned char *row =
      cairo_image_surface_get_data (canvas->surface) + y * cairo_image_surface_get_stride (canvas->surface);
  guint32 v;
  memcpy (&v, row + 4 * x, 4);
  return (SsappColor){((v >> 16) & 255) / 255., ((v >> 8) & 255) / 255., (v & 255) / 255., (v >> 24) / 255.};
}

static SsappColor
hex (guint32 value)
{
  return (SsappColor){((value >> 16) & 255) / 255., ((value >> 8) & 255) / 255., (value & 255) / 255., 1.};
}

static SsappColor
over (SsappColor top, double alpha, SsappColor below)
{
  return (SsappColor){below.r + alpha * (top.r - below.r), below.g + alpha * (top.g - below.g),
                      below.b + alpha * (top.b - below.b), 1.};
}

#define CHECK_COLOR(is, wanted)                                                                                        \
  do {                                                                                                                 \
    SsappColor is_ = (is), wanted_ = (wanted);                                                                         \
    SS_CHECK_NEAR (is_.r, wanted_.r, PIXEL_TOLERANCE);                                                                 \
    SS_CHECK_NEAR (is_.g, wanted_.g, PIXEL_TOLERANCE);                                                                 \
    SS_CHECK_NEAR (is_.b, wanted_.b, PIXEL_TOLERANCE);                                                                 \
  } while (0)

static double
difference (SsappColor a, SsappColor b)
{
  return fabs (a.r - b.r) + fabs (a.g - b.g) + fabs (a.b - b.b);
}

/* ---- camera ------------------------------------------------------------------------------------------------------ */

static void
camera_round_trip (void)
{
  const double bounds[4] = {-2., -1., 6., 3.};
  SsappCamera camera;
  ssapp_camera_fit (&camera, bounds, 800, 600, 20);
  for (int i = 0; i < 100; i++) {
    SsVec2 p = {-3. + 0.1 * i, 2. - 0.07 * i};
    double x, y;
    ssapp_camera_to_device (&camera, p, &x, &y);
    SsVec2 back = ssapp_camera_to_world (&camera, x, y);
    SS_CHECK_NEAR (back.x, p.x, 1e-12); /* a few roundings of numbers below 1000 */
    SS_CHECK_NEAR (back.y, p.y, 1e-12);
  }
}

static void
camera_fit_centres_and_fills (void)
{
  const double bounds[4] = {-2., -1., 6., 3.};
  SsappCamera camera;
  double x0, y0, x1, y1;
  ssapp_camera_fit (&camera, bounds, 800, 600, 20);
  ssapp_camera_to_device (&camera, (SsVec2){-2, -1}, &x0, &y0);
  ssapp_camera_to_device (&camera, (SsVec2){6, 3}, &x1, &y1);
  SS_CHECK_NEAR (x0, 20., 1e-9); /* the width decides */
  SS_CHECK_NEAR (x1, 780., 1e-9);
  SS_CHECK_NEAR (y0 + y1, 600., 1e-9);
  SS_CHECK (y1 < y0); /* y points up */
}

static void
camera_fit_survives_odd_bounds (void)
{
  const double odd[][4] = {{0, 0, 0, 0}, {1, 1, 1, 5}, {NAN, NAN, NAN, NAN}, {-INFINITY, 0, INFINITY, 1}, {3, 2, 1, 0}};
  for (gsize i = 0; i < G_N_ELEMENTS (odd); i++) {
    SsappCamera camera;
    ssapp_camera_fit (&camera, odd[i], 10, 10, 20);
    SS_CHECK (isfinite (camera.scale) && camera.scale > 0.);
    SS_CHECK (isfinite (camera.ox) && isfinite (camera.oy));
  }
}

/* ---- numbers as text --------------------------------------------------------------------------------------------- */

static void
check_number (double value, int digits, const char *wanted)
{
  char *text = ssapp_format_number (value, digits);
  SS_CHECK_STR (text, wanted);
  g_free (text);
}

static void
numbers_for_people (void)
{
  check_number (2.8e-07, 2, "2.8·10⁻⁷");
  check_number (-2.8e-07, 2, "−2.8·10⁻⁷");
  check_number (1e-6, 3, "10⁻⁶");
  check_number (-1e10, 3, "−10¹⁰");
  check_number (6.931, 4, "6.931");
  check_number (33.74, 3, "33.7");
  check_number (0.5, 3, "0.5");
  check_number (0.001, 2, "0.001");
  check_number (0.00099996, 3, "0.001"); /* rounding carries into another power of ten */
  check_number (99999.7, 3, "10⁵");
  check_number (0., 3, "0");
  check_number (-0., 3, "0");
  check_number (77, 4, "77");
  check_number (1204, 3, "1\u2009204"); /* whole numbers keep their digits, thin space */
  check_number (12345, 5, "12\u2009345");
  check_number (NAN, 3, "–");
  check_number (INFINITY, 3, "∞");
  check_number (-INFINITY, 3, "−∞");
  check_number (5e-324, 2, "4.9·10⁻³²⁴");
}

/* ---- palette ----------------------------------------------------------------------------------------------------- */

static double
luminance (SsappColor c)
{
  double v[3] = {c.r, c.g, c.b};
  for (int i = 0; i < 3; i++)
    v[i] = v[i] <= 0.03928 ? v[i] / 12.92 : pow ((v[i] + 0.055) / 1.055, 2.4);
  return 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2];
}

/* WCAG 2.1, the ratio of relative luminances. */
static double
contrast (SsappColor a, SsappColor b)
{
  double la = luminance (a), lb = luminance (b);
  return (MAX (la, lb) + 0.05) / (MIN (la, lb) + 0.05);
}

static void
method_colors_can_be_read (void)
{
  static const SsMethodId methods[] = {{SS_METHOD_OPTIMISER, "crisp"},
                                       {SS_METHOD_OPTIMISER, "ipopt"},
                                       {SS_METHOD_OPTIMISER, "scholtes"},
                                       {SS_METHOD_INTEGRATOR, "fesd-j"},
                                       {SS_METHOD_INTEGRATOR, "stewart-trinkle"},
                                       {SS_METHOD_OPTIMISER, "something-new"}};
  for (int dark = 0; dark < 2; dark++) {
    SsappStyle style;
    ssapp_style_init (&style, dark);
    for (gsize i = 0; i < G_N_ELEMENTS (methods); i++) {
      SsappMethodStyle look;
      ssapp_style_method (&style, methods[i], &look);
      SS_CHECK (contrast (look.color, hex (dark ? 0x363636 : 0xFFFFFF)) >= 4.5);
      SS_CHECK (contrast (look.color, hex (dark ? 0x1E1E1E : 0xFFFFFF)) >= 4.5);
    }
    static const SsappColorName texts[] = {SSAPP_COLOR_FOREGROUND,     SSAPP_COLOR_DIM,   SSAPP_COLOR_ACCENT_TEXT,
                                           SSAPP_COLOR_TOLERANCE_TEXT, SSAPP_COLOR_FORCE, SSAPP_COLOR_VELOCITY};
    for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
      SS_CHECK (contrast (ssapp_style_color (&style, texts[i]), ssapp_style_color (&style, SSAPP_COLOR_VIEW)) >= 4.5);
  }
}

/* The mark of a look in black, of 4 px within 24 x 24. */
static Canvas
draw_mark (const SsappStyle *style, SsappMethodStyle look)
{
  Canvas canvas = canvas_new (24, 24);
  look.color = hex (0x000000);
  ssapp_set_color (canvas.cr, hex (0xFFFFFF));
  cairo_paint (canvas.cr);
  ssapp_draw_look_mark (canvas.cr, &look, 12, 12, 4, 1.6, ssapp_style_color (style, SSAPP_COLOR_CARD));
  return canvas;
}

/* How many differ between two marks. */
static int
differing_pixels (const Canvas *a, const Canvas *b)
{
  int n = 0;
  for (int y = 0; y < 24; y++)
    for (int x = 0; x < 24; x++)
      n += fabs (pixel (a, x, y).g - pixel (b, x, y).g) > 0.5;
  return n;
}

/* All pairs of the registry, built or not: the marks differ in shape or filling, seen as drawn and without colour. */
static void
methods_differ_without_color (void)
{
  static const SsMethodId unknown = {SS_METHOD_OPTIMISER, "something-new"};
  const int n = ss_method_count ();
  SsappStyle style;
  SsappMethodStyle *looks = g_new (SsappMethodStyle, n), again;
  Canvas *marks = g_new (Canvas, n);
  ssapp_style_init (&style, FALSE);
  for (int i = 0; i < n; i++) {
    ssapp_style_method (&style, ss_method_id (ss_method_at (i)), &looks[i]);
    marks[i] = draw_mark (&style, looks[i]);
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) {
      const SsMethod *a = ss_method_at (i), *b = ss_method_at (j);
      /* circle and square of one filling differ by the four corners */
      SS_CHECK (differing_pixels (&marks[i], &marks[j]) >= 4);
      if (differing_pixels (&marks[i], &marks[j]) < 4)
        printf ("  %s, %s: %d pixels\n", a->name, b->name, differing_pixels (&marks[i], &marks[j]));
      if (a->look < 4 && b->look < 4) /* curves of papers that stand side by side */
        SS_CHECK (looks[i].n_dash != looks[j].n_dash ||
                  memcmp (looks[i].dash, looks[j].dash, sizeof looks[i].dash) != 0);
    }
  ssapp_style_method (&style, unknown, &looks[0]);
  ssapp_style_method (&style, unknown, &again);
  SS_CHECK (looks[0].filled == again.filled && looks[0].marker == again.marker); /* stable */
  ssapp_style_method (&style, (SsMethodId){SS_METHOD_OPTIMISER, "ipopt"}, &looks[0]);
  CHECK_COLOR (looks[0].color, hex (0xBF4F00));
  for (int i = 0; i < n; i++)
    canvas_clear (&marks[i]);
  g_free (marks);
  g_free (looks);
}

/* Methods to come have marks that nobody has, in colours of the same four; the strokes of some are those of others
 * together. */
static void
marks_never_run_out (void)
{
  enum { N = 5 * SSAPP_PLAIN_LOOKS };
  SsappStyle style;
  SsappMethodStyle look, first;
  Canvas marks[N];

  ssapp_style_init (&style, FALSE);
  for (int i = 0; i < N; i++) {
    ssapp_style_look (&style, i, &look);
    SS_CHECK ((look.strokes == 0) == (i < SSAPP_PLAIN_LOOKS));
    ssapp_style_look (&style, i % 4, &first);
    CHECK_COLOR (look.color, first.color);
    marks[i] = draw_mark (&style, look);
    for (int j = 0; j < i; j++) {
      SS_CHECK (differing_pixels (&marks[i], &marks[j]) >= 4);
      if (differing_pixels (&marks[i], &marks[j]) < 4)
        printf ("  looks %d, %d: %d pixels\n", i, j, differing_pixels (&marks[i], &marks[j]));
    }
  }
  for (int i = 0; i < N; i++)
    canvas_clear (&marks[i]);
}

static void
time_runs_from_violet_to_yellow (void)
{
  SsappStyle light, dark;
  ssapp_style_init (&light, FALSE);
  ssapp_style_init (&dark, TRUE);
  CHECK_COLOR (ssapp_style_time_color (&light, 0.), hex (0x440154));
  CHECK_COLOR (ssapp_style_time_color (&light, 0.5 / 0.92), hex (0x21918C)); /* viridis at its middle */
  CHECK_COLOR (ssapp_style_time_color (&dark, 1.), hex (0xFDE725));
  CHECK_COLOR (ssapp_style_time_color (&light, -3.), hex (0x440154));
  CHECK_COLOR (ssapp_style_time_color (&light, NAN), hex (0x440154));
  double last = 0.;
  for (int i = 0; i <= 50; i++) { /* lighter all the way: it survives a grey printer */
    double l = luminance (ssapp_style_time_color (&light, i / 50.));
    SS_CHECK (l > last);
    last = l;
  }
}

/* ---- pixels ------------------------------------------------------------------------------------------------------ */

static SsMark
body_mark (const char *name, double x, double y, double angle)
{
  return (SsMark){.kind = SS_MARK_POLYGON,
                  .role = SS_ROLE_BODY,
                  .name = name,
                  .color = "blue",
                  .visible = true,
                  .position = {x, y},
                  .angle = angle,
                  .n_vertices = 4,
                  .vertices = box};
}

static void
body_has_its_tint_and_outline (void)
{
  for (int dark = 0; dark < 2; dark++) {
    SsappStyle style;
    SsappCamera camera = {.scale = 200, .ox = 200, .oy = 150, .width = 400, .height = 300};
    SsappSceneFlags flags = {0};
    SsMark mark = body_mark ("box", 0, 0, 0);
    Canvas canvas = canvas_new (400, 300);
    SsappColor view = hex (dark ? 0x1E1E1E : 0xFFFFFF);
    ssapp_style_init (&style, dark);
    ssapp_draw_backdrop (canvas.cr, &style, &camera, &flags);
    ssapp_draw_marks (canvas.cr, &style, &camera, &mark, 1, &flags);
    CHECK_COLOR (pixel (&canvas, 5, 5), view);
    CHECK_COLOR (pixel (&canvas, 200, 150), over (hex (dark ? 0x1A5FB4 : 0x99C1F1), 0.55, view));
    CHECK_COLOR (pixel (&canvas, 100, 150),
                 hex (dark ? 0x99C1F1 : 0x1A5FB4)); /* left edge at 200 - 0.5 * 200, 2 px wide */
    CHECK_COLOR (pixel (&canvas, 103, 150), over (hex (dark ? 0x1A5FB4 : 0x99C1F1), 0.55, view));
    CHECK_COLOR (pixel (&canvas, 97, 150), view);
    canvas_clear (&canvas);
  }
}

static void
high_contrast_takes_fills_away (void)
{
  SsappStyle style;
  SsappCamera camera = {.scale = 200, .ox = 200, .oy = 150, .width = 400, .height = 300};
  SsappSceneFlags flags = {0};
  SsMark mark = body_mark ("box", 0, 0, 0);
  Canvas canvas = canvas_new (400, 300);
  ssapp_style_init (&style, FALSE);
  style.is_high_contrast = TRUE;
  ssapp_draw_backdrop (canvas.cr, &style, &camera, &flags);
  ssapp_draw_marks (canvas.cr, &style, &camera, &mark, 1, &flags);
  CHECK_COLOR (pixel (&canvas, 200, 150), hex (0xFFFFFF));
  CHECK_COLOR (ssapp_style_color (&style, SSAPP_COLOR_GRID_MAJOR), hex (0x5E5C64)); /* not as what is drawn on it */
  CHECK_COLOR (ssapp_style_color (&style, SSAPP_COLOR_DIM), hex (0x241F31));
  canvas_clear (&canvas);
}

static void
turned_bodies_turn_counter_clockwise (void)
{
  SsappStyle style;
  SsappCamera camera = {.scale = 200, .ox = 200, .oy = 200, .width = 400, .height = 400};
  SsappSceneFlags flags = {0};
  SsMark mark = body_mark ("box", 0, 0, 0.5);
  Canvas canvas = canvas_new (400, 400);
  ssapp_style_init (&style, FALSE);
  ssapp_draw_backdrop (canvas.cr, &style, &camera, &flags);
  ssapp_draw_marks (canvas.cr, &style, &camera, &mark, 1, &flags);
  /* along the long axis at 0.4 m: inside when turned upwards, outside when turned the other way */
  CHECK_COLOR (pixel (&canvas, 200 + (int)(80 * cos (0.5)), 200 - (int)(80 * sin (0.5))),
               over (hex (0x99C1F1), 0.55, hex (0xFFFFFF)));
  CHECK_COLOR (pixel (&canvas, 200 + (int)(80 * cos (0.5)), 200 + (int)(80 * sin (0.5))), hex (0xFFFFFF));
  canvas_clear (&canvas);
}

static void
ground_lies_below_its_surface (void)
{
  SsappStyle style;
  SsappCamera camera = {.scale = 100, .ox = 200, .oy = 150, .width = 400, .height = 300};
  SsappSceneFlags flags = {0};
  SsMark ground = {.kind = SS_MARK_HALF_PLANE, .role = SS_ROLE_FIXED, .name = "floor", .color = "", .visible = true};
  Canvas canvas = canvas_new (400, 300);
  int hatched = 0;
  ssapp_style_init (&style, FALSE);
  ssapp_draw_backdrop (canvas.cr, &style, &camera, &flags);
  ssapp_draw_marks (canvas.cr, &style, &camera, &ground, 1, &flags);
  CHECK_COLOR (pixel (&canvas, 3, 150), hex (0x5E5C64));
  CHECK_COLOR (pixel (&canvas, 396, 149), hex (0x5E5C64)); /* reaches both edges */
  CHECK_COLOR (pixel (&canvas, 200, 140), hex (0xFFFFFF));
  CHECK_COLOR (pixel (&canvas, 200, 180), hex (0xFFFFFF)); /* a band, not the whole half */
  SsappColor fill = over (hex (0x5E5C64), 0.18, hex (0xFFFFFF));
  for (int x = 0; x < 400; x++) /* fill with hatch lines in it */
    hatched += difference (pixel (&canvas, x, 160), fill) > 0.15;
  SS_CHECK (hatched > 20 && hatched < 200);
  canvas_clear (&canvas);
}

static void
grid_lines_are_where_the_steps_say (void)
{
  SsappStyle style;
  SsappCamera camera = {.scale = 236, .ox = 200, .oy = 150, .width = 400, .height = 300};
  SsappSceneFlags flags = {.grid = TRUE};
  Canvas canvas = canvas_new (400, 300);
  double minor, major;
  ssapp_style_init (&style, FALSE);
  ssapp_grid_steps (&camera, &style, &minor, &major);
  SS_CHECK_NEAR (major, 0.5, 1e-12); /* 236 px/m: 118 px for half a metre, as in the design */
  SS_CHECK_NEAR (minor, 0.1, 1e-12);
  ssapp_draw_backdrop (canvas.cr, &style, &camera, &flags);
  CHECK_COLOR (pixel (&canvas, 200, 100), hex (0xD9D9DE));                    /* x = 0   */
  CHECK_COLOR (pixel (&canvas, 200 + 118, 100), hex (0xD9D9DE));              /* x = 0.5 */
  CHECK_COLOR (pixel (&canvas, 200 + (int)(0.1 * 236), 100), hex (0xEEEEF0)); /* x = 0.1 */
  CHECK_COLOR (pixel (&canvas, 210, 150 - 118), hex (0xD9D9DE));              /* y = 0.5 */
  CHECK_COLOR (pixel (&canvas, 210, 110), hex (0xFFFFFF));
  canvas_clear (&canvas);
}

static void
grid_steps_follow_one_two_five (void)
{
  SsappStyle style;
  ssapp_style_init (&style, FALSE);
  for (double scale = 1e-6; scale < 1e6; scale *= 1.37) {
    SsappCamera camera = {.scale = scale, .width = 800, .height = 600};
    double minor, major, mantissa;
    ssapp_grid_steps (&camera, &style, &minor, &major);
    mantissa = major / pow (10., floor (log10 (major) + 1e-9));
    SS_CHECK (fabs (mantissa - 1) < 1e-6 || fabs (mantissa - 2) < 1e-6 || fabs (mantissa - 5) < 1e-6);
    SS_CHECK (major * scale >= 88. * (1 - 1e-9) &&
              major * scale <= 2.5 * 88. * (1 + 1e-9)); /* the next of the sequence is at most 2.5 times as large */
    SS_CHECK (fabs (major / minor - round (major / minor)) < 1e-9);
  }
}

static void
odd_values_leave_the_picture_usable (void)
{
  SsappStyle style;
  SsappSceneFlags flags = {.grid = TRUE,
                           .rulers = TRUE,
                           .scale_bar = TRUE,
                           .axes_hud = TRUE,
                           .labels = TRUE,
                           .selected = "box",
                           .handles = TRUE};
  const double scales[] = {1e-12, 1e12, 200., 0., NAN, INFINITY};
  SsMark marks[] = {body_mark ("box", NAN, 0, 0),
                    body_mark ("box", 1e30, 0, 0),
                    body_mark ("box", 0, 0, INFINITY),
                    body_mark ("box", 0, 0, 0),
                    {.kind = SS_MARK_ARROW, .role = SS_ROLE_FORCE, .visible = true, .vector = {1e308, 1e308}},
                    {.kind = SS_MARK_HALF_PLANE, .role = SS_ROLE_FIXED, .visible = true, .position = {1e20, 1e20}},
                    {.kind = SS_MARK_SEGMENT, .role = SS_ROLE_GUIDE, .visible = true, .vector = {1e20, 0}},
                    {.kind = SS_MARK_CIRCLE, .role = SS_ROLE_FIXED, .visible = true, .radius = 1e25},
                    {.kind = SS_MARK_POLYGON, .role = SS_ROLE_BODY, .visible = true, .n_vertices = 0}};
  ssapp_style_init (&style, FALSE);
  for (gsize i = 0; i < G_N_ELEMENTS (scales); i++) {
    SsappCamera camera = {.scale = scales[i], .ox = 200, .oy = 150, .width = 400, .height = 300};
    Canvas canvas = canvas_new (400, 300);
    ssapp_draw_backdrop (canvas.cr, &style, &camera, &flags);
    ssapp_draw_marks (canvas.cr, &style, &camera, marks, G_N_ELEMENTS (marks), &flags);
    canvas_clear (&canvas);
  }
}

static void
marks_stay_off_the_rulers (void)
{
  SsappStyle style;
  SsappCamera camera = {.scale = 400, .ox = 100, .oy = 60, .width = 400, .height = 300};
  SsappSceneFlags flags = {.rulers = TRUE};
  SsMark mark = body_mark ("box", 0, 0, 0);
  Canvas canvas = canvas_new (400, 300);
  ssapp_style_init (&style, FALSE);
  ssapp_draw_backdrop (canvas.cr, &style, &camera, &flags);
  ssapp_draw_marks (canvas.cr, &style, &camera, &mark, 1, &flags);
  CHECK_COLOR (pixel (&canvas, 2, 120), hex (0xF3F3F3));
  CHECK_COLOR (pixel (&canvas, 60, 100), over (hex (0x99C1F1), 0.55, hex (0xFFFFFF)));
  canvas_clear (&canvas);
}

/* Ink of the names alone, drawn into a picture of 400 x 300 px; FALSE: none was written. */
static gboolean
ink_of_names (const SsappCamera *camera, const SsMark *marks, int n_marks, double ink[4])
{
  const cairo_rectangle_t all = {0, 0, 400, 300};
  cairo_surface_t *surface = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, &all);
  cairo_t *cr = cairo_create (surface);
  SsappStyle style;
  double width, height;

  ssapp_style_init (&style, FALSE);
  ssapp_draw_labels (cr, &style, camera, marks, n_marks);
  cairo_recording_surface_ink_extents (surface, &ink[0], &ink[1], &width, &height);
  ink[2] = ink[0] + width;
  ink[3] = ink[1] + height;
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  return width > 0;
}

/* The halo of a name is 3 px wide at most and may touch what the name keeps clear of. */
static void
names_stay_off_outlines_and_edges (void)
{
  static const double halo = 3;
  const double radii[] = {2, 5, 10, 20, 30, 45, 90}; /* px */
  const double places[][2] = {{200, 150}, {395, 150}, {5, 150}, {200, 3}, {200, 297}, {397, 297}, {2, 2}};
  double ink[4];

  for (gsize r = 0; r < G_N_ELEMENTS (radii); r++)
    for (gsize p = 0; p < G_N_ELEMENTS (places); p++) {
      const SsappCamera camera = {.scale = 100, .ox = places[p][0], .oy = places[p][1], .width = 400, .height = 300};
      SsMark disc[2] = {
          {.kind = SS_MARK_CIRCLE,
           .role = SS_ROLE_BODY,
           .name = "pusher",
           .color = "",
           .visible = true,
           .radius = radii[r] / 100},
          {.kind = SS_MARK_POINT, .role = SS_ROLE_CENTRE, .name = "pusher", .color = "", .visible = true}};
      double x = places[p][0], y = places[p][1], nearest, furthest;

      if (!ink_of_names (&camera, disc, 2, ink)) {
        SS_CHECK (p > 0); /* a body half out of the picture may stay without a name, no other one */
        continue;
      }
      SS_CHECK (ink[0] >= -halo && ink[1] >= -halo && ink[2] <= 400 + halo && ink[3] <= 300 + halo);
      nearest = hypot (fmax (0, fmax (ink[0] - x, x - ink[2])), fmax (0, fmax (ink[1] - y, y - ink[3])));
      furthest = hypot (fmax (x - ink[0], ink[2] - x), fmax (y - ink[1], ink[3] - y));
      SS_CHECK (nearest >= radii[r] - halo || furthest <= radii[r] + halo); /* outside or inside, never across */
      if (radii[r] >= 90 && p == 0)
        SS_CHECK (furthest <= radii[r]);
    }
}

static void
a_name_stands_beside_other_bodies (void)
{
  const SsappCamera camera = {.scale = 100, .ox = 200, .oy = 150, .width = 400, .height = 300};
  SsMark marks[] = {
      {.kind = SS_MARK_CIRCLE, .role = SS_ROLE_BODY, .name = "a", .color = "", .visible = true, .radius = 0.05},
      body_mark ("", 0.6, 0, 0),
      {.kind = SS_MARK_HALF_PLANE,
       .role = SS_ROLE_FIXED,
       .name = "",
       .color = "",
       .visible = true,
       .position = {0, -0.05}}};
  double ink[4];

  SS_CHECK (ink_of_names (&camera, marks, 3, ink)); /* to the right is a box from 210 px on, below the ground */
  SS_CHECK (ink[2] < 213 && ink[3] < 158);
}

/* An arrow that would leave the picture moves along itself: as long as before, and still through its point. */
static void
arrows_are_not_cut (void)
{
  SsappStyle style;
  const cairo_rectangle_t all = {0, 0, 400, 300};
  const struct {
    double x, y; /* px */
    SsVec2 vector;
    SsMarkRole role;
  } arrows[] = {{200, 290, {0, 5}, SS_ROLE_FORCE},    {200, 10, {0, -5}, SS_ROLE_FORCE},
                {10, 150, {5, 0}, SS_ROLE_FORCE},     {390, 290, {-3, 4}, SS_ROLE_FORCE},
                {390, 150, {5, 0}, SS_ROLE_VELOCITY}, {200, 150, {5, 0}, SS_ROLE_FORCE}};

  ssapp_style_init (&style, FALSE);
  for (gsize i = 0; i < G_N_ELEMENTS (arrows); i++) {
    SsappCamera camera = {.scale = 100, .ox = arrows[i].x, .oy = arrows[i].y, .width = 400, .height = 300};
    SsappSceneFlags flags = {0};
    SsMark mark = {.kind = SS_MARK_ARROW,
                   .role = arrows[i].role,
                   .name = "",
                   .color = "",
                   .visible = true,
                   .vector = arrows[i].vector};
    cairo_surface_t *surface = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, &all);
    cairo_t *cr = cairo_create (surface);
    double x, y, width, height;

    ssapp_draw_marks (cr, &style, &camera, &mark, 1, &flags);
    cairo_recording_surface_ink_extents (surface, &x, &y, &width, &height);
    SS_CHECK (x >= 0 && y >= 0 && x + width <= 400 && y + height <= 300);
    SS_CHECK (hypot (width, height) >= 64); /* the length of the largest arrow */
    SS_CHECK (x <= arrows[i].x && x + width >= arrows[i].x && y <= arrows[i].y && y + height >= arrows[i].y);
    cairo_destroy (cr);
    cairo_surface_destroy (surface);
  }
}

static void
force_ends_at_its_point (void)
{
  SsappStyle style;
  SsappCamera camera = {.scale = 100, .ox = 200, .oy = 150, .width = 400, .height = 300};
  SsappSceneFlags flags = {0};
  SsMark force = {
      .kind = SS_MARK_ARROW, .role = SS_ROLE_FORCE, .name = "", .color = "", .visible = true, .vector = {5, 0}};
  Canvas canvas = canvas_new (400, 300);
  ssapp_style_init (&style, FALSE);
  ssapp_draw_backdrop (canvas.cr, &style, &camera, &flags);
  ssapp_draw_marks (canvas.cr, &style, &camera, &force, 1, &flags);
  CHECK_COLOR (pixel (&canvas, 165, 149), hex (0xC64600)); /* shaft left of the point */
  CHECK_COLOR (pixel (&canvas, 190, 149), hex (0xC64600)); /* head */
  CHECK_COLOR (pixel (&canvas, 215, 149), hex (0xFFFFFF)); /* nothing beyond it */
  canvas_clear (&canvas);

  force.visible = false;
  canvas = canvas_new (400, 300);
  ssapp_draw_backdrop (canvas.cr, &style, &camera, &flags);
  ssapp_draw_marks (canvas.cr, &style, &camera, &force, 1, &flags);
  CHECK_COLOR (pixel (&canvas, 165, 149), hex (0xFFFFFF));
  canvas_clear (&canvas);
}

/* ---- hit tests, handles ------------------------------------------------------------------------------------------ */

/* What a contact in the air leaves, 3e-17 N, is no force: no arrow, no ring, no scale; a force of a micronewton is. */
static void
rounding_errors_are_no_forces (void)
{
  static const double forces[] = {3e-17, 1e-6};
  const SsappSceneFlags flags = {0};
  const double bounds[4] = {-1, -1, 1, 1};
  SsappStyle style;
  SsappCamera camera;

  ssapp_style_init (&style, FALSE);
  ssapp_camera_fit (&camera, bounds, 200, 200, 0);
  for (int k = 0; k < 2; k++) {
    const SsMark arrow = {.kind = SS_MARK_ARROW,
                          .role = SS_ROLE_FORCE,
                          .name = "",
                          .color = "",
                          .visible = true,
                          .vector = {0, forces[k]}};
    Canvas canvas = canvas_new (200, 200);
    gboolean is_drawn = FALSE;

    ssapp_draw_marks (canvas.cr, &style, &camera, &arrow, 1, &flags);
    for (int i = 0; i < 200 * 200; i++)
      is_drawn = is_drawn || pixel (&canvas, i % 200, i / 200).a > 0;
    SS_CHECK (is_drawn == (k == 1));
    SS_CHECK ((ssapp_marks_largest_arrow (&arrow, 1, SS_ROLE_FORCE) > 0) == (k == 1));
    SS_CHECK ((ssapp_arrow_px (forces[k]) > 0) == (k == 1)); /* the scale is drawn for more than 0 pixels a newton */
    canvas_clear (&canvas);
  }
}

static void
hits_find_the_topmost (void)
{
  SsappCamera camera = {.scale = 100, .ox = 200, .oy = 150, .width = 400, .height = 300};
  SsMark marks[] = {
      body_mark ("below", 0, 0, 0),
      {.kind = SS_MARK_HALF_PLANE, .role = SS_ROLE_FIXED, .name = "floor", .visible = true, .position = {0, -0.1}},
      body_mark ("above", 0.3, 0, 0.5),
      {.kind = SS_MARK_CIRCLE,
       .role = SS_ROLE_BODY,
       .name = "disc",
       .visible = true,
       .position = {-1.5, 1},
       .radius = 0.2},
      {.kind = SS_MARK_POINT, .role = SS_ROLE_CENTRE, .name = "", .visible = true},
      {.kind = SS_MARK_SEGMENT,
       .role = SS_ROLE_BODY,
       .name = "rod",
       .visible = true,
       .position = {1, 1},
       .vector = {0.5, 0}}};
  int n = G_N_ELEMENTS (marks);
  SS_CHECK (ssapp_hit_test (&camera, marks, n, 165, 150, 3) ==
            0); /* the half-plane is below bodies, whatever the order */
  SS_CHECK (ssapp_hit_test (&camera, marks, n, 230, 150, 3) == 2);
  SS_CHECK (ssapp_hit_test (&camera, marks, n, 200, 150, 3) == 2); /* an unnamed centre is part of its body */
  SS_CHECK (ssapp_hit_test (&camera, marks, n, 20, 250, 3) == 1);
  SS_CHECK (ssapp_hit_test (&camera, marks, n, 20, 100, 3) == -1);
  SS_CHECK (ssapp_hit_test (&camera, marks, n, 50 + 22, 50, 3) == 3); /* two pixels outside */
  SS_CHECK (ssapp_hit_test (&camera, marks, n, 50 + 22, 50, 1) == -1);
  SS_CHECK (ssapp_hit_test (&camera, marks, n, 325, 52, 3) == 5);
  marks[2].visible = false;
  SS_CHECK (ssapp_hit_test (&camera, marks, n, 230, 150, 3) == 0);
  SS_CHECK (ssapp_hit_test (&camera, NULL, 0, 1, 1, 3) == -1);
}

static void
handles_turn_with_the_body (void)
{
  SsappStyle style;
  SsappCamera camera = {.scale = 100, .ox = 200, .oy = 150, .width = 400, .height = 300};
  double points[SSAPP_N_HANDLES][2];
  SsMark mark = body_mark ("box", 0, 0, 0);
  ssapp_style_init (&style, FALSE);
  SS_CHECK (ssapp_selection_handles (&style, &camera, &mark, points) == SSAPP_N_HANDLES);
  SS_CHECK_NEAR (points[SSAPP_HANDLE_NW][0], 200 - 50 - 4, 1e-9);
  SS_CHECK_NEAR (points[SSAPP_HANDLE_NW][1], 150 - 25 - 4, 1e-9);
  SS_CHECK_NEAR (points[SSAPP_HANDLE_ROTATE][1], points[SSAPP_HANDLE_NE][1] - 25, 1e-9);
  SS_CHECK (ssapp_handle_at (&style, &camera, &mark, 200 + 54, 150 + 29, 6) == SSAPP_HANDLE_SE);
  SS_CHECK (ssapp_handle_at (&style, &camera, &mark, 200, 150, 6) == -1);
  mark.angle = G_PI_2; /* the right side comes up */
  ssapp_selection_handles (&style, &camera, &mark, points);
  SS_CHECK_NEAR (points[SSAPP_HANDLE_E][0], 200, 1e-9);
  SS_CHECK_NEAR (points[SSAPP_HANDLE_E][1], 150 - 54, 1e-9);
  SsMark ground = {.kind = SS_MARK_HALF_PLANE, .role = SS_ROLE_FIXED, .visible = true};
  SS_CHECK (ssapp_selection_handles (&style, &camera, &ground, points) == 0);
  SS_CHECK (isnan (points[SSAPP_HANDLE_NW][0]));
  SS_CHECK (ssapp_handle_at (&style, &camera, &ground, 0, 0, 6) == -1);
}

/* ---- motion ------------------------------------------------------------------------------------------------------ */

/* The box of the example goes 2 m to the right without turning, pushed from the left by 4 N. */
static SsTrajectory *
straight_motion (void)
{
  static const char *const channels[] = {"t", "px", "py", "th", "cx", "cy", "l1", "l2", "l3", "l4"};
  SsTrajectory *trajectory = NULL;
  SsError error;
  if (ss_trajectory_new_named (channels, G_N_ELEMENTS (channels), 0, &trajectory, &error) != SS_OK)
    return NULL;
  for (int k = 0; k <= 20; k++) {
    const double row[] = {0.1 * k, 0.1 * k, 0, 0, -0.5, 0, 0, 4, 0, 0};
    if (ss_trajectory_append (trajectory, row, &error) != SS_OK)
      abort ();
  }
  return trajectory;
}

static void
motion_shows_past_in_time_colors (void)
{
  SsScenario *scenario = ss_test_read_file ("examples/crisp/push-box.stickslip.json", NULL, 0);
  SsTrajectory *trajectory = straight_motion ();
  SsView *view = NULL;
  SsError error = {0};
  if (scenario == NULL || trajectory == NULL)
    return;
  SsStatus status = ss_view_new (scenario, trajectory->channels, trajectory->n_channels, &view, &error);
  SS_CHECK (status == SS_OK);
  if (status == SS_OK) {
    SsappStyle style;
    SsappCamera camera = {.scale = 100, .ox = 100, .oy = 150, .width = 400, .height = 300};
    SsappSceneFlags flags = {.past_frames = TRUE, .trace = TRUE, .n_past_frames = 2};
    SsappArrowScale own;
    Canvas canvas = canvas_new (400, 300);
    ssapp_style_init (&style, FALSE);
    ssapp_arrow_scale_init (&own);
    ssapp_draw_motion_scaled (canvas.cr, &style, &camera, view, trajectory, 2., &flags, &own);
    /* left edge of the first frame, 1.4 px wide around x = 50: the violet beginning */
    SS_CHECK (difference (pixel (&canvas, 50, 140), hex (0x440154)) <
              difference (pixel (&canvas, 50, 140), hex (0xFFFFFF)));
    /* the trace, 3 px wide, at a quarter and half of the time */
    SS_CHECK (difference (pixel (&canvas, 150, 150), ssapp_style_time_color (&style, 0.25)) < 0.1);
    SS_CHECK (difference (pixel (&canvas, 200, 150), ssapp_style_time_color (&style, 0.5)) < 0.1);
    /* the frame at t = 2 in the foreground colour, its right edge at 100 + 250 */
    CHECK_COLOR (pixel (&canvas, 350, 140), ssapp_style_color (&style, SSAPP_COLOR_FOREGROUND));
    canvas_clear (&canvas);

    /* half-way: the force ends at the left side, at 100 + 50; what lies ahead is there too */
    canvas = canvas_new (400, 300);
    ssapp_draw_motion_scaled (canvas.cr, &style, &camera, view, trajectory, 1., &flags, &own);
    CHECK_COLOR (pixel (&canvas, 125, 149), hex (0xC64600));
    CHECK_COLOR (pixel (&canvas, 250, 140), ssapp_style_color (&style, SSAPP_COLOR_FOREGROUND));
    SS_CHECK (difference (pixel (&canvas, 290, 150), hex (0xFFFFFF)) > 0.2);
    canvas_clear (&canvas);

    flags = (SsappSceneFlags){0}; /* without past frames: one body in its own look */
    canvas = canvas_new (400, 300);
    ssapp_draw_motion_scaled (canvas.cr, &style, &camera, view, trajectory, 0., &flags, &own);
    CHECK_COLOR (pixel (&canvas, 250, 150), hex (0xFFFFFF));
    CHECK_COLOR (pixel (&canvas, 130, 140), over (hex (0x99C1F1), 0.55, hex (0xFFFFFF)));
    ssapp_draw_motion_scaled (canvas.cr, &style, &camera, view, NULL, 0., &flags,
                              &own); /* no trajectory: the backdrop alone */
    CHECK_COLOR (pixel (&canvas, 130, 140), hex (0xFFFFFF));
    canvas_clear (&canvas);
    ss_view_free (view);
  }
  ss_trajectory_free (trajectory);
  ss_scenario_free (scenario);
}

static SsappColor
mean_of (const Canvas *canvas, int x, int y, int size)
{
  SsappColor mean = {0};

  for (int j = 0; j < size; j++)
    for (int i = 0; i < size; i++) {
      SsappColor one = pixel (canvas, x + i, y + j);
      mean.r += one.r / (size * size);
      mean.g += one.g / (size * size);
      mean.b += one.b / (size * size);
    }
  return mean;
}

/* Discs, boxes and capsules of three colours with centres and contact points, none over another: drawn as a crowd they
 * look as they do three at a time, each by itself. Rows that turn clockwise too, and marks out of the picture. */
static void
crowd_looks_as_its_marks (void)
{
  enum { COLUMNS = 10, ROWS = 7, EACH = 3, N = COLUMNS * ROWS * EACH, WIDTH = 420, HEIGHT = 300, BLOCK = 6 };
  static const SsVec2 backwards[4] = {{-0.5, 0.25}, {0.5, 0.25}, {0.5, -0.25}, {-0.5, -0.25}},
                      line[2] = {{-0.3, 0}, {0.3, 0}};
  static const char *const colors[] = {"blue", "yellow", "brown"};
  SsMark marks[N];

  for (int i = 0; i < COLUMNS * ROWS; i++) {
    const double x = 1.4 * (i % COLUMNS) - 6, y = 1.4 * (double)(i / COLUMNS) - 4, angle = 0.3 * i;
    SsMark *mark = &marks[EACH * i];
    mark[0] = body_mark ("", x, y, angle);
    mark[0].color = colors[i % 3];
    if (i % 4 == 1) {
      mark[0].kind = SS_MARK_CIRCLE;
      mark[0].radius = 0.4;
    } else if (i % 4 == 2) {
      mark[0].kind = SS_MARK_CAPSULE;
      mark[0].radius = 0.15;
      mark[0].vertices = line;
      mark[0].n_vertices = 2;
    } else if (i % 4 == 3)
      mark[0].vertices = backwards;
    mark[1] =
        (SsMark){.kind = SS_MARK_POINT, .role = SS_ROLE_CENTRE, .visible = true, .position = {x, y}, .angle = angle};
    mark[2] = (SsMark){.kind = SS_MARK_POINT, .role = SS_ROLE_CONTACT, .visible = true, .position = {x + 0.6, y + 0.6}};
  }
  for (int dark = 0; dark < 2; dark++) {
    SsappStyle style;
    SsappCamera camera = {.scale = 40, .ox = 200, .oy = 150, .width = WIDTH, .height = HEIGHT};
    SsappSceneFlags flags = {0};
    Canvas together = canvas_new (WIDTH, HEIGHT), alone = canvas_new (WIDTH, HEIGHT);
    double largest = 0;
    ssapp_style_init (&style, dark);
    ssapp_draw_backdrop (together.cr, &style, &camera, &flags);
    ssapp_draw_backdrop (alone.cr, &style, &camera, &flags);
    ssapp_draw_marks (together.cr, &style, &camera, marks, N, &flags);
    for (int i = 0; i < N; i += EACH)
      ssapp_draw_marks (alone.cr, &style, &camera, &marks[i], EACH, &flags);
    for (int y = 0; y + BLOCK <= HEIGHT; y += BLOCK)
      for (int x = 0; x + BLOCK <= WIDTH; x += BLOCK)
        largest = fmax (largest, difference (mean_of (&together, x, y, BLOCK), mean_of (&alone, x, y, BLOCK)));
    /* Pictures stand up to a quarter of a pixel beside their place, and centres turn in steps of 22.5 degrees: of two
     * lines across a block of six pixels a quarter of one row moves out, of dark against light in three channels. */
    SS_CHECK_NEAR (largest, 0., 2. * 3. * 0.25 / BLOCK);
    SS_CHECK (difference (mean_of (&together, 0, 0, HEIGHT), mean_of (&alone, 0, 0, HEIGHT)) < 0.005);
    canvas_clear (&together);
    canvas_clear (&alone);
  }
}

/* What a frame of 100 boxes, 100 discs and 100 forces is drawn with: of boxes and arrows two polygons each, of discs,
 * and of the rings at forces, a picture each; nothing of what is beside the picture. */
static void
crowds_are_drawn_once_and_where_they_are_seen (void)
{
  enum { SIDE = 10, EACH = 3, N = SIDE * SIDE * EACH, WIDTH = 420, HEIGHT = 420 };
  SsMark marks[N];
  const double seen[] = {0, 1e3, -1e3}; /* px to the right */
  SsappStyle style;

  ssapp_style_init (&style, FALSE);
  for (int i = 0; i < SIDE * SIDE; i++) {
    const double x = i % SIDE + 0.5, y = (double)(i / SIDE) + 0.5;
    SsMark *mark = &marks[EACH * i];
    mark[0] = body_mark ("", x, y, 0.1 * i);
    mark[1] = body_mark ("", x, y, 0);
    mark[1].kind = SS_MARK_CIRCLE;
    mark[1].radius = 0.2;
    mark[2] = (SsMark){
        .kind = SS_MARK_ARROW, .role = SS_ROLE_FORCE, .visible = true, .position = {x, y}, .vector = {0, 1 + i % 7}};
  }
  for (guint k = 0; k < G_N_ELEMENTS (seen); k++) {
    const SsappCamera camera = {.scale = 40, .ox = 10 + seen[k], .oy = 410, .width = WIDTH, .height = HEIGHT};
    const SsappSceneFlags flags = {0};
    Canvas canvas = canvas_new (WIDTH, HEIGHT);
    ssapp_crowd_take_count ();
    ssapp_draw_marks (canvas.cr, &style, &camera, marks, N, &flags);
    const SsappCrowdCount count = ssapp_crowd_take_count ();
    SS_CHECK (count.n_polygons == (k == 0 ? 4 * SIDE * SIDE : 0) && count.n_pictures == (k == 0 ? 2 * SIDE * SIDE : 0));
    canvas_clear (&canvas);
  }
  /* a tenth of it: nine cells at most reach into the picture, of six parts each */
  const SsappCamera near = {.scale = 400, .ox = -1800, .oy = 2200, .width = WIDTH, .height = HEIGHT};
  Canvas canvas = canvas_new (WIDTH, HEIGHT);
  ssapp_draw_marks (canvas.cr, &style, &near, marks, N, &(SsappSceneFlags){0});
  const SsappCrowdCount count = ssapp_crowd_take_count ();
  SS_CHECK (count.n_polygons > 0 && count.n_polygons + count.n_pictures <= 6 * 9);
  canvas_clear (&canvas);
}

/* The same motion by two methods, one at its start, one at its end: each box in its method's colour. */
static void
runs_lie_over_each_other (void)
{
  SsScenario *scenario = ss_test_read_file ("examples/crisp/push-box.stickslip.json", NULL, 0);
  SsTrajectory *motion = straight_motion ();
  SsView *view = NULL;
  SsError error = {0};
  int looks[3];
  if (scenario == NULL || motion == NULL)
    return;
  SsStatus status = ss_view_new (scenario, motion->channels, motion->n_channels, &view, &error);
  SS_CHECK (status == SS_OK);
  if (status == SS_OK) {
    const SsappOverlaidRun runs[] = {{"CRISP", {SS_METHOD_OPTIMISER, "crisp"}, view, motion, 0},
                                     {"Ipopt", {SS_METHOD_OPTIMISER, "ipopt"}, view, motion, 2},
                                     {"CRISP (2)", {SS_METHOD_OPTIMISER, "crisp"}, view, NULL, 0}};
    const SsappCamera camera = {.scale = 100, .ox = 100, .oy = 150, .width = 400, .height = 300};
    const SsappSceneFlags flags = {0};
    SsappMethodStyle crisp, ipopt;
    SsappStyle style;
    Canvas canvas = canvas_new (400, 300);
    ssapp_style_init (&style, FALSE);
    ssapp_style_method (&style, runs[0].method, &crisp);
    ssapp_style_method (&style, runs[1].method, &ipopt);
    ssapp_draw_overlaid (canvas.cr, &style, &camera, runs, 2, &flags);
    /* left edge of the first box at 100 - 50, right edge of the second at 100 + 200 + 50 */
    SS_CHECK (difference (pixel (&canvas, 50, 140), crisp.color) < difference (pixel (&canvas, 50, 140), ipopt.color));
    SS_CHECK (difference (pixel (&canvas, 350, 140), ipopt.color) <
              difference (pixel (&canvas, 350, 140), crisp.color));
    SS_CHECK (difference (pixel (&canvas, 50, 140), hex (0xFFFFFF)) > 0.3);
    /* between them nothing */
    CHECK_COLOR (pixel (&canvas, 200, 140), hex (0xFFFFFF));
    canvas_clear (&canvas);
    /* Colours are those of the methods unless two runs share one. */
    ssapp_overlaid_looks (&style, runs, 2, looks);
    SS_CHECK (looks[0] == -1 && looks[1] == -1);
    ssapp_overlaid_looks (&style, runs, 3, looks);
    SS_CHECK (looks[0] == -1 && looks[1] == -1 && looks[2] >= 0);
    SsappMethodStyle third;
    ssapp_style_look (&style, looks[2], &third);
    SS_CHECK (difference (third.color, crisp.color) > 0.05 && difference (third.color, ipopt.color) > 0.05);
    ss_view_free (view);
  }
  ss_trajectory_free (motion);
  ss_scenario_free (scenario);
}

int
main (void)
{
  SS_RUN (camera_round_trip);
  SS_RUN (camera_fit_centres_and_fills);
  SS_RUN (camera_fit_survives_odd_bounds);
  SS_RUN (numbers_for_people);
  SS_RUN (method_colors_can_be_read);
  SS_RUN (methods_differ_without_color);
  SS_RUN (marks_never_run_out);
  SS_RUN (time_runs_from_violet_to_yellow);
  SS_RUN (body_has_its_tint_and_outline);
  SS_RUN (high_contrast_takes_fills_away);
  SS_RUN (turned_bodies_turn_counter_clockwise);
  SS_RUN (ground_lies_below_its_surface);
  SS_RUN (grid_lines_are_where_the_steps_say);
  SS_RUN (grid_steps_follow_one_two_five);
  SS_RUN (odd_values_leave_the_picture_usable);
  SS_RUN (marks_stay_off_the_rulers);
  SS_RUN (names_stay_off_outlines_and_edges);
  SS_RUN (a_name_stands_beside_other_bodies);
  SS_RUN (arrows_are_not_cut);
  SS_RUN (force_ends_at_its_point);
  SS_RUN (rounding_errors_are_no_forces);
  SS_RUN (hits_find_the_topmost);
  SS_RUN (handles_turn_with_the_body);
  SS_RUN (motion_shows_past_in_time_colors);
  SS_RUN (crowd_looks_as_its_marks);
  SS_RUN (crowds_are_drawn_once_and_where_they_are_seen);
  SS_RUN (runs_lie_over_each_other);
  return ss_test_finish ();
}
