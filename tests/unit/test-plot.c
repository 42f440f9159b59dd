/* tests/unit/test-plot.c: axes and ticks by their rules, decimation by what it must keep, plots by pixels of known
 * places. */
#include "app/draw/ssapp-plot-parts.h"
#include "core/ss-run-control.h"
#include "tests/ss-test.h"

#include <stdlib.h>

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
  cairo_set_source_rgb (canvas.cr, 1, 1, 1);
  cairo_paint (canvas.cr);
  return canvas;
}

static void
canvas_clear (Canvas *canvas)
{
  SS_CHECK (cairo_status (canvas->cr) == CAIRO_STATUS_SUCCESS);
  cairo_destroy (canvas->cr);
  cairo_surface_destroy (canvas->surface);
}

static guint32
pixel (const Canvas *canvas, int x, int y)
{
  guint32 v;
  cairo_surface_flush (canvas->surface);
  memcpy (&v,
          cairo_image_surface_get_data (canvas->surface) + y * cairo_image_surface_get_stride (canvas->surface) + 4 * x,
          4);
  return v & 0xFFFFFF;
}

/* Sum of channel differences, 0..765. */
static int
difference (guint32 a, guint32 b)
{
  int sum = 0;
  for (int s = 0; s < 24; s += 8)
    sum += abs ((int)((a >> s) & 255) - (int)((b >> s) & 255));
  return sum;
}

/* Pixels of (about) a colour inside a rectangle. */
static int
count_color (const Canvas *canvas, guint32 color, int x0, int y0, int x1, int y1)
{
  int n = 0;
  for (int y = y0; y < y1; y++)
    for (int x = x0; x < x1; x++)
      n += difference (pixel (canvas, x, y), color) < 24;
  return n;
}

static SsappPlotSpec
plain_spec (void)
{
  return (SsappPlotSpec){SSAPP_PLOT_FREE};
}

enum { BLUE = 0x0072B2, ORANGE = 0xBF4F00 };

/* ---- axes -------------------------------------------------------------------------------------------------------- */

static void
check_step (double step)
{
  double mantissa = step / pow (10., floor (log10 (step) + 1e-9));
  SS_CHECK (fabs (mantissa - 1) < 1e-6 || fabs (mantissa - 2) < 1e-6 || fabs (mantissa - 5) < 1e-6);
}

static void
linear_ticks_are_few_and_round (void)
{
  srand (7);
  for (int i = 0; i < 3000; i++) {
    double size = pow (10., rand () % 24 - 12), a = size * (2. * rand () / RAND_MAX - 1.),
           b = a + size * (0.001 + (double)rand () / RAND_MAX);
    SsappAxis axis;
    ssapp_axis_init_linear (&axis, a, b, FALSE, FALSE, 0.25, 6);
    SS_CHECK (axis.n_ticks >= 2 && axis.n_ticks <= 6);
    SS_CHECK (axis.min <= a && axis.max >= b);
    SS_CHECK (axis.max - axis.min <= (b - a) * 1.5 * (1 + 1e-9)); /* a quarter at each end at most */
    check_step (axis.step);
    for (int k = 0; k < axis.n_ticks; k++) {
      SS_CHECK (axis.ticks[k] >= axis.min && axis.ticks[k] <= axis.max);
      if (k > 0)
        SS_CHECK_NEAR ((axis.ticks[k] - axis.ticks[k - 1]) / axis.step, 1., 1e-6);
      /* a multiple of the step, to the rounding of numbers up to a thousand steps from zero */
      double multiple = axis.ticks[k] / axis.step;
      SS_CHECK_NEAR (multiple, round (multiple), 1e-6 * (1 + fabs (multiple)));
    }
  }
}

static void
known_axes (void)
{
  SsappAxis axis;
  ssapp_axis_init_linear (&axis, 0., 98., FALSE, FALSE, 0.1, 6);
  SS_CHECK (axis.n_ticks == 6 && axis.max == 100. && axis.step == 20.);
  ssapp_axis_init_linear (&axis, 0., 61., FALSE, FALSE, 0.1, 6);
  SS_CHECK (axis.max == 61.); /* 80 would waste a third */
  ssapp_axis_init_linear (&axis, 0., 1.98, FALSE, FALSE, 0.1, 6);
  SS_CHECK (axis.n_ticks == 5 && axis.max == 2.);
  ssapp_axis_init_linear (&axis, -1., 1., TRUE, TRUE, 0., 6);
  char *label = ssapp_axis_label (&axis, 0);
  SS_CHECK_STR (label, "−1");
  g_free (label);
  label = ssapp_axis_label (&axis, axis.n_ticks / 2);
  SS_CHECK_STR (label, "0");
  g_free (label);
  ssapp_axis_init_log (&axis, 2.8e-7, 0.8, FALSE, FALSE, 6);
  SS_CHECK (axis.n_ticks >= 3 && axis.n_ticks <= 6);
  label = ssapp_axis_label (&axis, 0);
  SS_CHECK_STR (label, "10⁻⁶"); /* every second decade */
  g_free (label);
  label = ssapp_axis_label (&axis, axis.n_ticks - 1);
  SS_CHECK_STR (label, "10⁰");
  g_free (label);
}

static void
odd_ranges_give_axes (void)
{
  const double odd[][2] = {{NAN, NAN},       {1, 0},          {5, 5},           {0, 0},           {-INFINITY, INFINITY},
                           {1e300, 1.5e300}, {-1e308, 1e308}, {1e15, 1e15 + 2}, {1e-310, 2e-310}, {-7, -7}};
  for (gsize i = 0; i < G_N_ELEMENTS (odd); i++) {
    SsappAxis axis;
    ssapp_axis_init_linear (&axis, odd[i][0], odd[i][1], FALSE, FALSE, 0.25, 6);
    SS_CHECK (isfinite (axis.min) && isfinite (axis.max) && axis.max > axis.min);
    SS_CHECK (axis.n_ticks >= 1 && axis.n_ticks <= 6);
    ssapp_axis_init_log (&axis, odd[i][0], odd[i][1], FALSE, FALSE, 6);
    SS_CHECK (axis.min > 0. && isfinite (axis.max) && axis.max > axis.min);
    SS_CHECK (axis.n_ticks >= 1 && axis.n_ticks <= 6);
  }
}

static void
log_ticks_are_few_and_inside (void)
{
  srand (11);
  for (int i = 0; i < 3000; i++) {
    double a = pow (10., 30. * rand () / RAND_MAX - 15.), b = a * pow (10., 14. * pow ((double)rand () / RAND_MAX, 3));
    SsappAxis axis;
    ssapp_axis_init_log (&axis, a, b, FALSE, FALSE, 6);
    SS_CHECK (axis.n_ticks >= 2 && axis.n_ticks <= 6);
    SS_CHECK (axis.min <= a * (1 + 1e-9) && axis.max >= b * (1 - 1e-9));
    for (int k = 0; k < axis.n_ticks; k++)
      SS_CHECK (axis.ticks[k] >= axis.min && axis.ticks[k] <= axis.max &&
                (k == 0 || axis.ticks[k] > axis.ticks[k - 1]));
    for (int k = 0; k < axis.n_minor; k++)
      SS_CHECK (axis.minor[k] >= axis.min * (1 - 1e-6) && axis.minor[k] <= axis.max * (1 + 1e-6));
    double x = ssapp_axis_value (&axis, 0.37);
    SS_CHECK_NEAR (ssapp_axis_fraction (&axis, x), 0.37, 1e-9); /* logarithm and power of numbers within 1e-15..1e15 */
  }
  SsappAxis axis;
  ssapp_axis_init_log (&axis, 1, 100, TRUE, TRUE, 6);
  SS_CHECK (isnan (ssapp_axis_fraction (&axis, 0.)) && isnan (ssapp_axis_fraction (&axis, -1.)));
}

/* ---- decimation -------------------------------------------------------------------------------------------------- */

enum { LONG = 200000 };

static void
decimation_keeps_extrema (void)
{
  double *x = g_new (double, LONG), *y = g_new (double, LONG);
  const SsappRect area = {0, 0, 500, 1000};
  SsappAxis x_axis, y_axis;
  GArray *points = g_array_new (FALSE, FALSE, sizeof (SsappPlotPoint));
  double lo[501], hi[501];

  srand (3);
  for (int i = 0; i < LONG; i++) {
    x[i] = (double)i / (LONG - 1);
    y[i] = (double)rand () / RAND_MAX * (rand () % 1000 == 0 ? 1. : 0.5);
  }
  ssapp_axis_init_linear (&x_axis, 0, 1, TRUE, TRUE, 0, 6);
  ssapp_axis_init_linear (&y_axis, 0, 1, TRUE, TRUE, 0, 6);
  for (int c = 0; c <= 500; c++) {
    lo[c] = INFINITY;
    hi[c] = -INFINITY;
  }
  for (int i = 0; i < LONG; i++) { /* the definition, from the raw data */
    int c = (int)floor (500 * x[i]);
    lo[c] = MIN (lo[c], 1000 * (1 - y[i]));
    hi[c] = MAX (hi[c], 1000 * (1 - y[i]));
  }
  ssapp_plot_decimate (&(SsappSeries){.n = LONG, .x = x, .y = y}, &x_axis, &y_axis, &area, 1., points);
  SS_CHECK (points->len <= 4 * 501);
  double last = -1;
  for (guint k = 0; k < points->len; k++) {
    SsappPlotPoint p = g_array_index (points, SsappPlotPoint, k);
    int c = (int)floor (p.x);
    SS_CHECK (p.x >= last); /* in order */
    last = p.x;
    if (fabs (p.y - lo[c]) < 1e-9)
      lo[c] = NAN;
    if (fabs (p.y - hi[c]) < 1e-9)
      hi[c] = NAN;
  }
  for (int c = 0; c <= 500; c++)
    SS_CHECK (isnan (lo[c]) && isnan (hi[c])); /* each was met */
  g_array_unref (points);
  g_free (x);
  g_free (y);
}

static void
decimation_breaks_at_values_that_are_not_finite (void)
{
  const double x[] = {0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, y[] = {NAN, 0.5, 0.6, INFINITY, NAN, 0.5, 0.4};
  const SsappRect area = {0, 0, 100, 100};
  SsappAxis axis;
  GArray *points = g_array_new (FALSE, FALSE, sizeof (SsappPlotPoint));
  int gaps = 0;
  ssapp_axis_init_linear (&axis, 0, 1, TRUE, TRUE, 0, 6);
  ssapp_plot_decimate (&(SsappSeries){.n = 7, .x = x, .y = y}, &axis, &axis, &area, 1., points);
  SS_CHECK (points->len == 5);
  for (guint k = 0; k < points->len; k++)
    gaps += isnan (g_array_index (points, SsappPlotPoint, k).x);
  SS_CHECK (gaps == 1);
  SS_CHECK_NEAR (g_array_index (points, SsappPlotPoint, 0).x, 10., 1e-9);
  SS_CHECK_NEAR (g_array_index (points, SsappPlotPoint, 0).y, 50., 1e-9);
  g_array_unref (points);
}

static void
a_million_points_are_fast (void)
{
  enum { N = 1000000 };
  double *x = g_new (double, N), *y = g_new (double, N);
  Canvas canvas = canvas_new (600, 300);
  SsappStyle style;
  SsappPlotSpec spec = plain_spec ();
  for (int i = 0; i < N; i++) {
    x[i] = i;
    y[i] = sin (i * 1e-3) * (i % 7);
  }
  SsappSeries series = {.label = "long", .method = {SS_METHOD_OPTIMISER, "crisp"}, .n = N, .x = x, .y = y};
  ssapp_style_init (&style, FALSE);
  spec.cursor = 3e5;
  spec.end_labels = TRUE;
  const double begin = ss_clock_thread_cpu ();
  ssapp_plot_draw (canvas.cr, &style, &spec, &series, 1, 0, 0, 600, 300);
  const double seconds = ss_clock_thread_cpu () - begin;
  SS_CHECK (seconds < 2.); /* about 0.03 s; stroking all points takes tens of seconds */
  canvas_clear (&canvas);
  g_free (x);
  g_free (y);
}

/* ---- pictures ---------------------------------------------------------------------------------------------------- */

/* Axes 0..10 at both sides of an area that is known from the layout. */
static void
draw_plain (Canvas *canvas, const SsappStyle *style, SsappPlotSpec *spec, const SsappSeries *series, int n,
            double *left, double *right)
{
  SsappAxis axis;
  ssapp_plot_layout_x (style, spec, series, n, 0, 400, &axis, left, right);
  ssapp_plot_draw (canvas->cr, style, spec, series, n, 0, 0, 400, 200);
}

static void
curve_is_where_its_values_are (void)
{
  const double x[] = {0, 10}, y[] = {5, 5};
  SsappSeries series = {.method = {SS_METHOD_OPTIMISER, "crisp"}, .n = 2, .x = x, .y = y};
  Canvas canvas = canvas_new (400, 200);
  SsappStyle style;
  SsappPlotSpec spec = plain_spec ();
  double left, right;
  ssapp_style_init (&style, FALSE);
  spec.x_min = spec.y_min = 0;
  spec.x_max = spec.y_max = 10;
  spec.hide_x_labels = TRUE;
  draw_plain (&canvas, &style, &spec, &series, 1, &left, &right);
  /* a level line in the middle between upper margin (0.8 font) and lower margin (0.7 font) */
  double middle = (0.8 * 12 + 200 - 0.7 * 12) / 2;
  SS_CHECK (difference (pixel (&canvas, 200, (int)middle), BLUE) < 60);
  SS_CHECK (count_color (&canvas, BLUE, (int)left + 2, 0, (int)right - 2, (int)middle - 2) == 0);
  SS_CHECK (count_color (&canvas, BLUE, (int)left + 2, (int)middle + 3, (int)right - 2, 200) == 0);
  canvas_clear (&canvas);
}

static void
gaps_stay_empty (void)
{
  const double x[] = {0, 3, 4, 7, 10}, y[] = {5, 5, NAN, 5, 5};
  SsappSeries series = {.method = {SS_METHOD_OPTIMISER, "crisp"}, .n = 5, .x = x, .y = y};
  Canvas canvas = canvas_new (400, 200);
  SsappStyle style;
  SsappPlotSpec spec = plain_spec ();
  double left, right;
  ssapp_style_init (&style, FALSE);
  spec.x_min = spec.y_min = 0;
  spec.x_max = spec.y_max = 10;
  draw_plain (&canvas, &style, &spec, &series, 1, &left, &right);
  double w = right - left;
  SS_CHECK (count_color (&canvas, BLUE, (int)(left + 0.1 * w), 0, (int)(left + 0.25 * w), 200) > 0.14 * w);
  SS_CHECK (count_color (&canvas, BLUE, (int)(left + 0.33 * w), 0, (int)(left + 0.67 * w), 200) == 0);
  canvas_clear (&canvas);
}

/* Two samples with one x: a vertical line between them, also where pixels hold many samples; the cursor stands on the
 * later one. */
static void
a_jump_is_vertical (void)
{
  enum { N = 4001 };
  const double x[] = {0, 5, 5, 10}, y[] = {2, 2, 8, 8};
  double *many_x = g_new (double, N + 2), *many_y = g_new (double, N + 2);
  for (int i = 0, n = 0; i < N; i++) { /* the same curve with a sample each 0.0025, the one at 5 twice */
    many_x[n] = many_x[n + 1] = 10. * i / (N - 1);
    many_y[n++] = i <= N / 2 ? 2 : 8;
    if (i == N / 2)
      many_y[n++] = 8;
  }
  const SsappSeries curves[] = {{.method = {SS_METHOD_OPTIMISER, "crisp"}, .n = 4, .x = x, .y = y},
                                {.method = {SS_METHOD_OPTIMISER, "crisp"}, .n = N + 1, .x = many_x, .y = many_y}};
  SsappStyle style;
  double left, right;
  ssapp_style_init (&style, FALSE);
  for (int k = 0; k < 2; k++) {
    SsappPlotSpec spec = plain_spec ();
    Canvas canvas = canvas_new (400, 200), with_cursor = canvas_new (400, 200);
    spec.x_min = spec.y_min = 0;
    spec.x_max = spec.y_max = 10;
    spec.hide_x_labels = TRUE;
    draw_plain (&canvas, &style, &spec, &curves[k], 1, &left, &right);
    /* between upper margin (0.8 font) and lower margin (0.7 font): y = 8, 2 and the room between */
    const double top = 0.8 * 12, height = 200 - 0.7 * 12 - top;
    const int high = (int)(top + 0.2 * height), low = (int)(top + 0.8 * height), at = (int)((left + right) / 2);
    for (int row = high + 3; row < low - 3; row++)
      SS_CHECK (count_color (&canvas, BLUE, at - 2, row, at + 3, row + 1) >= 1);
    /* no slope: nothing beside it */
    SS_CHECK (count_color (&canvas, BLUE, (int)left + 2, high + 3, at - 3, low - 3) == 0);
    SS_CHECK (count_color (&canvas, BLUE, at + 4, high + 3, (int)right - 2, low - 3) == 0);
    spec.cursor = 5;
    draw_plain (&with_cursor, &style, &spec, &curves[k], 1, &left, &right);
    /* the marker is a ring beside the cursor's line */
    SS_CHECK (difference (pixel (&with_cursor, at + 4, high), pixel (&canvas, at + 4, high)) +
                  difference (pixel (&with_cursor, at - 4, high), 0xFFFFFF) >
              100);
    SS_CHECK (difference (pixel (&with_cursor, at + 4, low), pixel (&canvas, at + 4, low)) +
                  difference (pixel (&with_cursor, at - 4, low - 4), pixel (&canvas, at - 4, low - 4)) ==
              0);
    canvas_clear (&canvas);
    canvas_clear (&with_cursor);
  }
  g_free (many_x);
  g_free (many_y);
}

static void
zero_on_a_log_axis_is_a_triangle (void)
{
  const double x[] = {5, 6, 10}, y[] = {0, 1e-3, 1e-1}, y_without[] = {NAN, 1e-3, 1e-1};
  SsappStyle style;
  SsappPlotSpec spec = plain_spec ();
  double left, right;
  int with = 0, without = 0;
  ssapp_style_init (&style, FALSE);
  spec.x_min = 0;
  spec.x_max = 10;
  spec.y_log = TRUE;
  spec.y_min = 1e-6;
  spec.y_max = 1;
  for (int k = 0; k < 2; k++) {
    SsappSeries series = {.method = {SS_METHOD_OPTIMISER, "crisp"}, .n = 3, .x = x, .y = k ? y_without : y};
    Canvas canvas = canvas_new (400, 200);
    draw_plain (&canvas, &style, &spec, &series, 1, &left, &right);
    int middle = (int)((left + right) / 2), n = count_color (&canvas, BLUE, middle - 6, 150, middle + 6, 195);
    *(k ? &without : &with) = n;
    canvas_clear (&canvas);
  }
  SS_CHECK (with > 8 && without == 0);
}

static void
tolerance_is_shaded_on_screen_and_dotted_on_paper (void)
{
  const double x[] = {0, 10}, y[] = {1e-1, 1e-1};
  SsappSeries series = {.method = {SS_METHOD_OPTIMISER, "crisp"}, .n = 2, .x = x, .y = y};
  SsappPlotSpec spec = plain_spec ();
  SsappStyle style;
  double left, right;
  spec.y_log = TRUE;
  spec.y_min = 1e-8;
  spec.y_max = 1;
  spec.tolerance = 1e-4;
  Canvas canvas = canvas_new (400, 200);
  ssapp_style_init (&style, FALSE);
  draw_plain (&canvas, &style, &spec, &series, 1, &left, &right);
  SS_CHECK (difference (pixel (&canvas, (int)left + 10, 150), 0xE2F6ED) < 12); /* 14 % of #2EC27E over white */
  SS_CHECK (pixel (&canvas, (int)left + 10, 60) == 0xFFFFFF);
  canvas_clear (&canvas);
  canvas = canvas_new (400, 200);
  ssapp_style_init_paper (&style);
  draw_plain (&canvas, &style, &spec, &series, 1, &left, &right);
  SS_CHECK (pixel (&canvas, (int)left + 10, 150) == 0xFFFFFF);
  canvas_clear (&canvas);
}

static void
empty_data_gives_a_frame (void)
{
  Canvas canvas = canvas_new (400, 200);
  SsappStyle style;
  SsappPlotSpec spec = plain_spec ();
  const double x[] = {NAN, 1}, y[] = {1, NAN};
  SsappSeries nothing = {.label = "nothing", .method = {SS_METHOD_OPTIMISER, "crisp"}, .n = 2, .x = x, .y = y};
  double left, right;
  ssapp_style_init (&style, FALSE);
  spec.end_labels = spec.legend = TRUE;
  spec.cursor = 0.5;
  spec.tolerance = 0.1;
  spec.y_log = TRUE;
  draw_plain (&canvas, &style, &spec, &nothing, 1, &left, &right);
  int column = 0; /* the right edge of the frame, a vertical line */
  for (int x_ = (int)right - 2; x_ <= (int)right + 2; x_++)
    column = MAX (column, count_color (&canvas, 0x5E5C64, x_, 40, x_ + 1, 170));
  SS_CHECK (column > 100);
  canvas_clear (&canvas);
  canvas = canvas_new (400, 200);
  ssapp_plot_draw (canvas.cr, &style, &spec, NULL, 0, 0, 0, 400, 200);
  ssapp_plot_draw (canvas.cr, &style, &spec, NULL, 0, 0, 0, 3, 2); /* hardly any room */
  ssapp_plot_draw (canvas.cr, &style, &spec, &nothing, 1, 0, 0, 0, 0);
  canvas_clear (&canvas);
}

static void
nothing_is_drawn_outside (void)
{
  const double x[] = {0, 1, 2, 3}, y[] = {-1e300, 1e300, 1e-300, 5};
  SsappSeries series[2] = {
      {.label = "A long name that needs much room", .method = {SS_METHOD_OPTIMISER, "crisp"}, .n = 4, .x = x, .y = y},
      {.label = "Another name", .method = {SS_METHOD_OPTIMISER, "ipopt"}, .n = 4, .x = x, .y = y, .is_running = TRUE}};
  Canvas canvas = canvas_new (400, 300);
  SsappStyle style;
  SsappPlotSpec spec = plain_spec ();
  ssapp_style_init (&style, FALSE);
  spec.title = "Title";
  spec.x_label = "Iteration";
  spec.y_label = "Force [N]";
  spec.legend = spec.end_labels = TRUE;
  ssapp_plot_draw (canvas.cr, &style, &spec, series, 2, 100, 100, 200, 120);
  for (int y_ = 0; y_ < 300; y_++)
    for (int x_ = 0; x_ < 400; x_++)
      if (x_ < 100 || x_ >= 300 || y_ < 100 || y_ >= 220)
        SS_CHECK (pixel (&canvas, x_, y_) == 0xFFFFFF);
  canvas_clear (&canvas);
}

static void
cursor_agrees_with_the_pointer (void)
{
  const double x[] = {0, 4, 9}, y[] = {1e-8, 20, 3};
  SsappSeries series = {.label = "CRISP", .method = {SS_METHOD_OPTIMISER, "crisp"}, .n = 3, .x = x, .y = y};
  SsappStyle style;
  SsappPlotSpec spec = plain_spec ();
  SsappAxis axis;
  double left, right;
  ssapp_style_init (&style, FALSE);
  spec.end_labels = TRUE;
  ssapp_plot_layout_x (&style, &spec, &series, 1, 50, 400, &axis, &left, &right);
  for (int k = 0; k <= 10; k++) {
    double at = left + (right - left) * k / 10., value = ssapp_plot_x_at (&style, &spec, &series, 1, 50, 400, at);
    SS_CHECK_NEAR (left + (right - left) * ssapp_axis_fraction (&axis, value), at, 1e-9);
  }
  SS_CHECK_NEAR (ssapp_plot_x_at (&style, &spec, &series, 1, 50, 400, -1000), axis.min, 1e-12); /* clamped */
  /* the cursor is drawn where the pointer was */
  Canvas canvas = canvas_new (500, 200);
  double at = floor (0.5 * (left + right)) + 0.5;
  spec.cursor = ssapp_plot_x_at (&style, &spec, &series, 1, 50, 400, at);
  ssapp_plot_draw (canvas.cr, &style, &spec, &series, 1, 50, 0, 400, 200);
  SS_CHECK (count_color (&canvas, 0x241F31, (int)at - 1, 20, (int)at + 2, 170) > 100);
  canvas_clear (&canvas);
}

static void
stacked_plots_share_their_axis (void)
{
  const double x[] = {0, 50, 98}, y1[] = {2700, 30, 6.931}, y2[] = {0.3, 1e-4, 2.8e-7};
  SsappSeries a = {.label = "CRISP", .method = {SS_METHOD_OPTIMISER, "crisp"}, .n = 3, .x = x, .y = y1},
              b = {.label = "CRISP", .method = {SS_METHOD_OPTIMISER, "crisp"}, .n = 3, .x = x, .y = y2};
  SsappStyle style;
  SsappPlotSpec spec = plain_spec ();
  SsappAxis axis_a, axis_b;
  double left_a, left_b, right_a, right_b;
  ssapp_style_init (&style, FALSE);
  spec.y_log = spec.end_labels = TRUE;
  ssapp_plot_layout_x (&style, &spec, &a, 1, 0, 400, &axis_a, &left_a, &right_a);
  spec.tolerance = 1e-6;
  ssapp_plot_layout_x (&style, &spec, &b, 1, 0, 400, &axis_b, &left_b, &right_b);
  SS_CHECK_NEAR (left_a, left_b, 1e-9);
  SS_CHECK_NEAR (right_a, right_b, 1e-9);
  SS_CHECK_NEAR (axis_a.max, axis_b.max, 1e-9);
}

static void
labels_are_pushed_apart (void)
{
  srand (5);
  for (int i = 0; i < 500; i++) {
    double at[6], before[6];
    int n = 1 + rand () % 6;
    for (int k = 0; k < n; k++)
      before[k] = at[k] = 10 + 20. * rand () / RAND_MAX;
    ssapp_plot_push_apart (at, n, 12., 0., 100.);
    for (int a = 0; a < n; a++) {
      SS_CHECK (at[a] >= -1e-9 && at[a] <= 100 + 1e-9);
      for (int b = 0; b < n; b++)
        if (before[a] < before[b])
          SS_CHECK (at[b] - at[a] >= 12. - 1e-9); /* apart and in order */
    }
  }
  double alone[1] = {50};
  ssapp_plot_push_apart (alone, 1, 12, 0, 100);
  SS_CHECK_NEAR (alone[0], 50, 0.);
}

static void
legends_wrap (void)
{
  SsappSeries series[4] = {{.label = "One method", .method = {SS_METHOD_OPTIMISER, "crisp"}},
                           {.label = "Another method", .method = {SS_METHOD_OPTIMISER, "ipopt"}},
                           {.label = "A third", .method = {SS_METHOD_OPTIMISER, "scholtes"}},
                           {.label = "A fourth", .method = {SS_METHOD_INTEGRATOR, "fesd-j"}}};
  SsappStyle style;
  ssapp_style_init (&style, FALSE);
  double wide = ssapp_plot_draw_legend (NULL, &style, series, 4, "tolerance", 0, 0, 2000, TRUE);
  double narrow = ssapp_plot_draw_legend (NULL, &style, series, 4, "tolerance", 0, 0, 150, TRUE);
  SS_CHECK_NEAR (narrow, 5 * wide, 1e-9); /* one entry a row */
}

static void
runs_of_one_method_look_different (void)
{
  SsappSeries series[3] = {{.method = {SS_METHOD_OPTIMISER, "crisp"}},
                           {.method = {SS_METHOD_OPTIMISER, "ipopt"}},
                           {.method = {SS_METHOD_OPTIMISER, "crisp"}}};
  SsappStyle style;
  ssapp_style_init (&style, FALSE);
  SsappMethodStyle *looks = ssapp_plot_series_styles (&style, series, 3);
  SS_CHECK (looks[0].marker != looks[2].marker && looks[0].n_dash != looks[2].n_dash);
  SS_CHECK_NEAR (looks[0].color.r, looks[2].color.r, 0.);
  g_free (looks);
}

/* ---- steps, names, minor ticks, values --------------------------------------------------------------------------- */

static void
minor_ticks_part_the_distance_of_labels (void)
{
  const double tops[] = {1, 2, 5, 10, 30, 700, 0.004};

  for (gsize i = 0; i < G_N_ELEMENTS (tops); i++) {
    SsappAxis axis;
    ssapp_axis_init_linear (&axis, -tops[i] / 3, tops[i], FALSE, FALSE, 0.2, 5);
    ssapp_axis_add_minor (&axis);
    const double mantissa = axis.step / pow (10., floor (log10 (axis.step) + 1e-9));
    const int parts = fabs (mantissa - 2) < 1e-6 ? 4 : 5;
    SS_CHECK (axis.n_minor >= (axis.n_ticks - 1) * (parts - 1));
    for (int k = 0; k < axis.n_minor; k++) {
      const double place = axis.minor[k] * parts / axis.step;
      SS_CHECK_NEAR (place, round (place), 1e-6);
      SS_CHECK ((int)llabs (llround (place)) % parts != 0); /* no label is there */
      SS_CHECK (axis.minor[k] >= axis.min && axis.minor[k] <= axis.max);
    }
  }
}

static void
names_and_factors_are_ticks (void)
{
  const char *const names[] = {"one", "two", "three", "four", "five"};
  SsappAxis axis;

  ssapp_axis_init_names (&axis, names, 5, 16);
  SS_CHECK (axis.n_ticks == 5 && axis.min == -0.5 && axis.max == 4.5);
  char *label = ssapp_axis_label (&axis, 3);
  SS_CHECK_STR (label, "four");
  g_free (label);
  ssapp_axis_init_names (&axis, names, 5, 2); /* every third */
  SS_CHECK (axis.n_ticks == 2 && axis.ticks[1] == 3);
  ssapp_axis_init_linear (&axis, 0, 1, TRUE, TRUE, 0, 6);
  axis.ticks_form = SSAPP_PLOT_TICKS_PERCENT;
  label = ssapp_axis_label (&axis, axis.n_ticks - 1);
  SS_CHECK_STR (label, "100 %");
  g_free (label);
  ssapp_axis_init_log (&axis, 1, 100, TRUE, TRUE, 6);
  axis.ticks_form = SSAPP_PLOT_TICKS_TIMES;
  label = ssapp_axis_label (&axis, 1);
  SS_CHECK_STR (label, "10×");
  g_free (label);
  /* less than two decades: 0.002, 0.005, 0.01, 0.02, not 10⁻² among them */
  const char *const plain[] = {"0.002", "0.005", "0.01", "0.02"};
  ssapp_axis_init_log (&axis, 0.002, 0.02, TRUE, TRUE, 6);
  SS_CHECK (axis.n_ticks == 4);
  for (int i = 0; i < axis.n_ticks && i < 4; i++) {
    label = ssapp_axis_label (&axis, i);
    SS_CHECK_STR (label, plain[i]);
    g_free (label);
  }
}

static void
values_are_read_as_they_are_drawn (void)
{
  const double x[] = {1, 10, 10, 100}, y[] = {1, 100, 4, 4}, back[] = {1, 3, 2, 4};
  SsappSeries series = {.n = 4, .x = x, .y = y};

  SS_CHECK_NEAR (ssapp_plot_value_at (&series, FALSE, FALSE, 5.5), 50.5, 1e-12);
  SS_CHECK_NEAR (ssapp_plot_value_at (&series, TRUE, TRUE, sqrt (10)), 10, 1e-12);
  SS_CHECK_NEAR (ssapp_plot_value_at (&series, FALSE, FALSE, 10), 4, 0); /* after the jump */
  SS_CHECK (isnan (ssapp_plot_value_at (&series, FALSE, FALSE, 0.5)));
  SS_CHECK (isnan (ssapp_plot_value_at (&series, FALSE, FALSE, 101)));
  series.is_step = TRUE;
  SS_CHECK_NEAR (ssapp_plot_value_at (&series, FALSE, FALSE, 9.99), 1, 0);
  SS_CHECK_NEAR (ssapp_plot_value_at (&series, FALSE, FALSE, 10), 4, 0);
  series.x = back;
  SS_CHECK (isnan (ssapp_plot_value_at (&series, FALSE, FALSE, 2)));
}

/* 2 up to x = 5, then 8: level on both sides, nothing of a straight line between them. */
static void
a_step_is_level_and_upright (void)
{
  const double x[] = {0, 5, 10}, y[] = {2, 8, 8};
  SsappSeries series = {.method = {SS_METHOD_OPTIMISER, "crisp"}, .n = 3, .x = x, .y = y, .is_step = TRUE};
  Canvas canvas = canvas_new (400, 200);
  SsappStyle style;
  SsappPlotSpec spec = plain_spec ();
  SsappPlotFrame frame;
  ssapp_style_init (&style, FALSE);
  spec.x_min = spec.y_min = 0;
  spec.x_max = spec.y_max = 10;
  ssapp_plot_draw (canvas.cr, &style, &spec, &series, 1, 0, 0, 400, 200);
  ssapp_plot_layout (&style, &spec, &series, 1, 0, 0, 400, 200, &frame);
  const double low = frame.area.y + 0.8 * frame.area.height, high = frame.area.y + 0.2 * frame.area.height;
  const double middle = frame.area.x + 0.5 * frame.area.width;
  for (double at = 0.5; at < 5; at += 0.5) {
    const double before = frame.area.x + at / 10 * frame.area.width;
    SS_CHECK (count_color (&canvas, BLUE, (int)before - 1, (int)low - 2, (int)before + 1, (int)low + 3) > 0);
    SS_CHECK (count_color (&canvas, BLUE, (int)before - 1, (int)high - 5, (int)before + 1, (int)low - 5) == 0 ||
              middle - before < 4);
  }
  SS_CHECK (count_color (&canvas, BLUE, (int)middle - 3, (int)high + 6, (int)middle + 4, (int)low - 6) >
            (int)(low - high) - 14);
  SS_CHECK (count_color (&canvas, BLUE, (int)middle + 20, (int)high - 3, (int)middle + 22, (int)high + 4) > 0);
  canvas_clear (&canvas);
}

int
main (void)
{
  SS_RUN (linear_ticks_are_few_and_round);
  SS_RUN (known_axes);
  SS_RUN (odd_ranges_give_axes);
  SS_RUN (log_ticks_are_few_and_inside);
  SS_RUN (decimation_keeps_extrema);
  SS_RUN (decimation_breaks_at_values_that_are_not_finite);
  SS_RUN (a_million_points_are_fast);
  SS_RUN (curve_is_where_its_values_are);
  SS_RUN (gaps_stay_empty);
  SS_RUN (a_jump_is_vertical);
  SS_RUN (zero_on_a_log_axis_is_a_triangle);
  SS_RUN (tolerance_is_shaded_on_screen_and_dotted_on_paper);
  SS_RUN (empty_data_gives_a_frame);
  SS_RUN (nothing_is_drawn_outside);
  SS_RUN (cursor_agrees_with_the_pointer);
  SS_RUN (stacked_plots_share_their_axis);
  SS_RUN (labels_are_pushed_apart);
  SS_RUN (legends_wrap);
  SS_RUN (runs_of_one_method_look_different);
  SS_RUN (minor_ticks_part_the_distance_of_labels);
  SS_RUN (names_and_factors_are_ticks);
  SS_RUN (values_are_read_as_they_are_drawn);
  SS_RUN (a_step_is_level_and_upright);
  return ss_test_finish ();
}
