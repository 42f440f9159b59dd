/* tests/unit/test-band.c: bands of 1 % of a number around channels: by how much the number changes, from which columns,
 * where they end, in words and in tables, as pixels. */
#include "app/draw/ssapp-band.h"
#include "app/draw/ssapp-channel-stack.h"
#include "tests/ss-test-scenario.h"

#include <math.h>
#include <string.h>

#define SCENE                                                                                                          \
  "{\"format\": 1, \"name\": \"slide\", \"parameters\": {\"mu\": {\"value\": 0.5}}, \"scene\": {\"bodies\": ["         \
  "{\"name\": \"box\", \"mass\": 2, \"position\": [0, 3], \"shape\": {\"type\": \"circle\", \"radius\": 0.1}}]}, "     \
  "\"task\": {\"t_end\": 1, \"dt\": 0.01}}"

static SsTrajectory *
table (const char *const *names, int n, const double *rows, int n_rows)
{
  SsTrajectory *out = NULL;

  SS_CHECK (ss_trajectory_new_named (names, n, n_rows, &out, NULL) == SS_OK);
  for (int row = 0; row < n_rows; row++)
    SS_CHECK (ss_trajectory_append (out, rows + row * n, NULL) == SS_OK);
  return out;
}

/* dx/dmu = -4 t until the derivative ends at 0.5 s. */
static SsTrajectory *
make_slopes (void)
{
  static const char *const names[] = {"t", "d.mu.box.x", "d.mu.energy.kinetic", "d.mu.energy.potential"};
  static const double rows[] = {0, 0, 0, 1, 0.5, -2, 3, 1, 1, NAN, NAN, NAN};

  return table (names, 4, rows, 3);
}

static SsTrajectory *
make_motion (void)
{
  static const char *const names[] = {"t", "box.x", "floor-box.lambda_n"};
  static const double rows[] = {0, 1, 9, 0.25, 1, 9, 0.5, 1, 9, 1, 1, 9};

  return table (names, 3, rows, 4);
}

static void
test_changes (void)
{
  static const struct {
    const char *name, *words;
    double change;
  } cases[] = {{"mu", "", 0.005},
               {"box.y", "", 0.03},
               {"box.x", ", 1 % of its size", 0.002},
               {"box.vx", ", 1 % of its size a second", 0.002},
               {"box.omega", " rad/s", 0.01}};
  SsScenario *scenario = ss_test_read_text (SCENE);

  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    SsNumber number;
    const char *words;
    SS_CHECK (ss_scenario_number (scenario, cases[i].name, &number, NULL) == SS_OK);
    SS_CHECK_NEAR (ssapp_band_change (scenario, &number, &words), cases[i].change, 1e-15);
    SS_CHECK_STR (words, cases[i].words);
  }
  ss_scenario_free (scenario);
}

static void
test_curves (void)
{
  SsScenario *scenario = ss_test_read_text (SCENE);
  SsTrajectory *slopes = make_slopes ();
  SsappBand band = ssapp_band_of (scenario, slopes, "mu");
  g_auto (GStrv) numbers = ssapp_band_numbers (slopes);
  g_auto (GStrv) none = ssapp_band_numbers (NULL);
  SsappCurve curve;

  SS_CHECK_STR (numbers[0], "mu");
  SS_CHECK (numbers[1] == NULL && none[0] == NULL);
  SS_CHECK (ssapp_band_of (scenario, slopes, "box.x").of == NULL && ssapp_band_of (scenario, NULL, "mu").of == NULL);
  SS_CHECK (ssapp_band_curve (&band, "box.x", &curve));
  SS_CHECK_NEAR (ssapp_curve_at (&curve, 0.25, FALSE), -0.005, 1e-15);
  SS_CHECK_NEAR (ssapp_curve_at (&curve, 0.5, FALSE), -0.01, 1e-15);
  SS_CHECK (isnan (ssapp_curve_at (&curve, 0.7, FALSE)));
  ssapp_curve_clear (&curve);
  SS_CHECK (ssapp_band_curve (&band, SSAPP_CHANNEL_TOTAL_ENERGY, &curve));
  SS_CHECK_NEAR (ssapp_curve_at (&curve, 0.5, FALSE), 0.02, 1e-15);
  ssapp_curve_clear (&curve);
  SS_CHECK (!ssapp_band_curve (&band, "floor-box.lambda_n", &curve));
  ss_trajectory_free (slopes);
  ss_scenario_free (scenario);
}

/* Whether a pixel of the column at time t and value y is drawn upon. */
static gboolean
is_drawn (cairo_surface_t *surface, const SsappChannelStack *stack, const SsappChannelLayout *layout, double t,
          double y)
{
  const guint32 *pixels = (const guint32 *)(const void *)cairo_image_surface_get_data (surface);
  double values[2], top, height;

  SS_CHECK (ssapp_channel_stack_values (stack, 0, values));
  ssapp_channel_stack_place (stack, 0, &top, &height);
  const double x = layout->axis_left + t * (layout->axis_right - layout->axis_left);
  for (int row = 0; row < 300; row++) { /* the height whose value it is */
    double zoomed[2];
    SS_CHECK (ssapp_channel_stack_zoomed (stack, 0, 1e-5, row, zoomed));
    if (fabs ((zoomed[0] + zoomed[1]) / 2 - y) < (values[1] - values[0]) / 400)
      return (pixels[row * cairo_image_surface_get_stride (surface) / 4 + (int)x] >> 24) != 0;
  }
  return FALSE;
}

static void
test_stack (void)
{
  SsScenario *scenario = ss_test_read_text (SCENE);
  SsTrajectory *slopes = make_slopes (), *motion = make_motion ();
  const SsappChannelRun run = {.label = "A",
                               .method = {SS_METHOD_INTEGRATOR, "fesd-j"},
                               .motion = motion,
                               .band = ssapp_band_of (scenario, slopes, "mu")};
  SsappChannelPlots *plots = ssapp_channel_plots_new ();
  SsappStyle style;

  SS_CHECK (ssapp_channel_plots_read (plots, "box.x;floor-box.lambda_n", NULL));
  SsappChannelStack *stack = ssapp_channel_stack_new (plots, &run, 1, 0);
  g_autofree char *words = ssapp_channel_stack_describe (stack, 0.25, FALSE);
  SS_CHECK (strstr (words, "A 1 ± 0.005") != NULL && strstr (words, "A 9 ±") == NULL);
  ssapp_style_init (&style, FALSE);
  const SsappChannelLayout layout = {
      .width = 600, .height = 400, .axis_left = 200, .axis_right = 580, .t_min = 0, .t_max = 1, .axis = "Time [s]"};
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 600, 400);
  cairo_t *cr = cairo_create (surface);
  ssapp_channel_stack_lay_out (stack, &style, &layout);
  double values[2];
  SS_CHECK (ssapp_channel_stack_values (stack, 0, values) && values[0] <= 0.99 && values[1] >= 1.01);
  ssapp_channel_stack_draw (cr, &style, stack);
  cairo_surface_flush (surface);
  /* half a band's width from the line, within it before 0.5 s, and nothing after it */
  SS_CHECK (is_drawn (surface, stack, &layout, 0.47, 1.0043) && is_drawn (surface, stack, &layout, 0.47, 0.9957));
  SS_CHECK (!is_drawn (surface, stack, &layout, 0.1, 1.0043) && !is_drawn (surface, stack, &layout, 0.9, 1.0043));
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  ssapp_channel_stack_free (stack);
  ssapp_channel_plots_free (plots);
  ss_trajectory_free (motion);
  ss_trajectory_free (slopes);
  ss_scenario_free (scenario);
}

int
main (void)
{
  SS_RUN (test_changes);
  SS_RUN (test_curves);
  SS_RUN (test_stack);
  return ss_test_finish ();
}
