/* tests/unit/test-channels.c: channels of runs: groups and search; values and differences against closed forms;
 * reduction keeps what is seen; chosen plots as text and edited; pictures by their places; friction cones. */
#include "app/draw/ssapp-channel-stack.h"
#include "app/draw/ssapp-cone.h"
#include "app/draw/ssapp-draw-parts.h"
#include "app/draw/ssapp-text-fit.h"
#include "tests/ss-test.h"

#include <time.h>

static SsChannel
channel (const char *name, SsQuantity quantity, SsOwner owner, const char *owner_name)
{
  return (SsChannel){.name = name,
                     .quantity = quantity,
                     .unit = ss_quantity_unit (quantity),
                     .owner = owner,
                     .owner_name = owner_name};
}

enum { N_CHANNELS = 9 };

/* A box in free fall from 1 m, y = 1 - t^2 / 2 and vy = -t, that sits on the floor from t = 1 on, sliding with
 * lambda_t = -mu lambda_n; mu = 0.5 until 1.5, where it sticks. Kinetic and potential energy add up to 2 J before. */
static SsTrajectory *
make_motion (int n_rows, double delay)
{
  const SsChannel channels[N_CHANNELS] = {
      ss_channel_of_time (),
      channel ("box.y", SS_QUANTITY_POSITION_Y, SS_OWNER_BODY, "box"),
      channel ("box.vy", SS_QUANTITY_VELOCITY_Y, SS_OWNER_BODY, "box"),
      channel ("floor-box.gap", SS_QUANTITY_GAP, SS_OWNER_CONTACT, "floor-box"),
      channel ("floor-box.lambda_n", SS_QUANTITY_NORMAL_FORCE, SS_OWNER_CONTACT, "floor-box"),
      channel ("floor-box.lambda_t", SS_QUANTITY_TANGENTIAL_FORCE, SS_OWNER_CONTACT, "floor-box"),
      channel ("energy.kinetic", SS_QUANTITY_KINETIC_ENERGY, SS_OWNER_SCENE, ""),
      channel ("energy.potential", SS_QUANTITY_POTENTIAL_ENERGY, SS_OWNER_SCENE, ""),
      channel ("residual", SS_QUANTITY_RESIDUAL, SS_OWNER_SCENE, "")};
  SsTrajectory *motion = NULL;
  SsError err;
  SsStatus status = ss_trajectory_new (channels, N_CHANNELS, n_rows, &motion, &err);

  SS_CHECK (status == SS_OK);
  for (int i = 0; i < n_rows && status == SS_OK; i++) {
    const double t = 2. * i / (n_rows - 1), s = MAX (t - delay, 0);
    const int is_down = s >= 1;
    const double row[N_CHANNELS] = {t,
                                    is_down ? 0.5 : 1 - 0.5 * s * s,
                                    is_down ? 0 : -s,
                                    is_down ? 0 : 0.5 - 0.5 * s * s,
                                    is_down ? 4. : 0,
                                    is_down ? (t < 1.5 ? -2. : -1.) : 0,
                                    is_down ? 0 : 0.5 * s * s,
                                    is_down ? 1 : 2 - 0.5 * s * s,
                                    1e-6 * (i % 7)};
    status = ss_trajectory_append (motion, row, &err);
  }
  SS_CHECK (status == SS_OK);
  return motion;
}

static SsappChannelRun
run_of (const char *label, const char *method, const SsTrajectory *motion)
{
  return (SsappChannelRun){.label = label, .method = {SS_METHOD_INTEGRATOR, method}, .motion = motion};
}

static void
test_channels_have_groups (void)
{
  SsTrajectory *motion = make_motion (11, 0);
  const SsappChannelRun runs[2] = {run_of ("A", "moreau-jean", NULL), run_of ("B", "stewart-trinkle", motion)};
  GPtrArray *channels = ssapp_channels_list (runs, 2);
  const SsappChannel *gap = ssapp_channels_find (channels, "floor-box.gap");
  char *of;

  SS_CHECK (channels->len == N_CHANNELS - 1 + 1); /* without the time, with the total energy */
  SS_CHECK (gap != NULL);
  SS_CHECK_STR (gap->group, "Contact floor-box");
  SS_CHECK_STR (gap->label, "Gap");
  SS_CHECK_STR (gap->unit, "m");
  of = ssapp_channel_of (gap);
  SS_CHECK_STR (of, "floor-box, m");
  g_free (of);
  SS_CHECK_STR (ssapp_channels_find (channels, "residual")->group, "Residual");
  SS_CHECK_STR (ssapp_channels_find (channels, SSAPP_CHANNEL_TOTAL_ENERGY)->group, "Energy");
  SS_CHECK (ssapp_channels_find (channels, "t") == NULL);
  /* groups are together */
  for (guint i = 1; i + 1 < channels->len; i++) {
    const SsappChannel *a = g_ptr_array_index (channels, i - 1), *b = g_ptr_array_index (channels, i),
                       *c = g_ptr_array_index (channels, i + 1);
    SS_CHECK (strcmp (a->group, c->group) != 0 || strcmp (a->group, b->group) == 0);
  }
  SS_CHECK (ssapp_channel_matches (gap, ""));
  SS_CHECK (ssapp_channel_matches (gap, "GAP floor"));
  SS_CHECK (ssapp_channel_matches (gap, "contact m"));
  SS_CHECK (!ssapp_channel_matches (gap, "gap wall"));
  g_ptr_array_unref (channels);
  ss_trajectory_free (motion);
}

/* Of a channel, and of the sum that is no channel. */
static void
test_stages_have_points (void)
{
  const SsChannel channels[] = {ss_channel_of_time (),
                                channel ("energy.kinetic", SS_QUANTITY_KINETIC_ENERGY, SS_OWNER_SCENE, ""),
                                channel ("energy.potential", SS_QUANTITY_POTENTIAL_ENERGY, SS_OWNER_SCENE, ""),
                                channel ("stage", SS_QUANTITY_STAGE, SS_OWNER_SCENE, "")};
  static const double rows[][4] = {{0, 1, 2, 0}, {0.5, 3, 5, 1}, {1, 1, 2, 0}};
  SsTrajectory *motion;
  SsappCurve one, sum;

  SS_CHECK (ss_trajectory_new (channels, 4, 3, &motion, NULL) == SS_OK);
  for (int k = 0; k < 3; k++)
    SS_CHECK (ss_trajectory_append (motion, rows[k], NULL) == SS_OK);
  ssapp_curve_init_stages (&one, motion, "energy.potential");
  ssapp_curve_init_stages (&sum, motion, SSAPP_CHANNEL_TOTAL_ENERGY);
  SS_CHECK (one.n == 1 && one.t[0] == 0.5 && one.y[0] == 5);
  SS_CHECK (sum.n == 1 && sum.t[0] == 0.5 && sum.y[0] == 8);
  ssapp_curve_clear (&one);
  ssapp_curve_clear (&sum);
  ssapp_curve_init_stages (&one, motion, "box.nothing");
  SS_CHECK (one.n == 0);
  ssapp_curve_clear (&one);
  ss_trajectory_free (motion);
}

static void
test_curves_have_values (void)
{
  SsTrajectory *motion = make_motion (2001, 0);
  SsappCurve y, total;

  SS_CHECK (ssapp_curve_init (&y, motion, "box.y", 0));
  SS_CHECK (ssapp_curve_init (&total, motion, SSAPP_CHANNEL_TOTAL_ENERGY, 0));
  /* rows are 1 ms apart: between them a parabola is off by at most h^2 / 8 */
  for (double t = 0; t < 1; t += 0.0137) {
    SS_CHECK_NEAR (ssapp_curve_at (&y, t, FALSE), 1 - 0.5 * t * t, 1.3e-7);
    SS_CHECK_NEAR (ssapp_curve_at (&total, t, FALSE), 2, 1e-14);
  }
  SS_CHECK (isnan (ssapp_curve_at (&y, -0.01, FALSE)));
  SS_CHECK (isnan (ssapp_curve_at (&y, 2.01, FALSE)));
  SS_CHECK (isnan (ssapp_curve_at (&y, NAN, FALSE)));
  ssapp_curve_clear (&y);
  ssapp_curve_clear (&total);
  SS_CHECK (!ssapp_curve_init (&y, motion, "box.nothing", 0) && y.n == 0);
  SS_CHECK (!ssapp_curve_init (&y, NULL, "box.y", 0) && y.n == 0);
  ss_trajectory_free (motion);
}

static SsappCurve
curve_of (const double *t, const double *y, int n)
{
  return (SsappCurve){n, g_memdup2 (t, sizeof *t * (gsize)n), g_memdup2 (y, sizeof *y * (gsize)n)};
}

static void
test_difference_is_exact (void)
{
  /* a = 2 t on its own times; b = 5 - t up to a jump of 3 at t = 2, then 6 - t + 3; they overlap from 1 to 3. */
  const double ta[4] = {0, 0.7, 1.9, 3}, ya[4] = {0, 1.4, 3.8, 6};
  const double tb[5] = {1, 2, 2, 2.5, 4}, yb[5] = {4, 3, 6, 5.5, 4};
  SsappCurve a = curve_of (ta, ya, 4), b = curve_of (tb, yb, 5), d;

  ssapp_curve_difference (&a, &b, &d);
  SS_CHECK (d.n == 6); /* 1, 1.9, 2, 2, 2.5, 3 */
  for (int k = 0; k < d.n; k++) {
    const double t = d.t[k], after = t > 2 || (t == 2 && k > 0 && d.t[k - 1] == 2) ? 3 : 0;
    SS_CHECK_NEAR (d.y[k], 5 - t + after - 2 * t, 4e-15); /* rounding of sums of sizes up to 6 */
  }
  SS_CHECK_NEAR (ssapp_curve_at (&d, 2, TRUE), -1, 4e-15);
  SS_CHECK_NEAR (ssapp_curve_at (&d, 2, FALSE), 2, 4e-15);
  ssapp_curve_clear (&d);
  ssapp_curve_difference (&a, &a, &d); /* of a run and itself it is zero */
  for (int k = 0; k < d.n; k++)
    SS_CHECK (d.y[k] == 0);
  SS_CHECK (d.n == 4);
  ssapp_curve_clear (&d);
  b.t[0] = 7, b.n = 1; /* no time in common */
  ssapp_curve_difference (&a, &b, &d);
  SS_CHECK (d.n == 0);
  ssapp_curve_clear (&d);
  ssapp_curve_clear (&a);
  ssapp_curve_clear (&b);
}

static void
test_reduction_keeps_peaks (void)
{
  enum { N = 40000, COLUMNS = 700 };
  SsappCurve all = {N, g_new (double, N), g_new (double, N)}, part;
  double least = INFINITY, largest = -INFINITY;

  for (int k = 0; k < N; k++) {
    all.t[k] = k * 1e-4;
    all.y[k] = sin (0.3 * k) + (k == 12345 ? 50 : 0) - (k == 30001 ? 70 : 0);
  }
  ssapp_curve_reduce (&all, 0, 4, COLUMNS, &part);
  SS_CHECK (part.n <= 4 * (COLUMNS + 3) && part.n > COLUMNS);
  for (int k = 0; k < part.n; k++) {
    least = MIN (least, part.y[k]);
    largest = MAX (largest, part.y[k]);
    SS_CHECK (k == 0 || part.t[k] >= part.t[k - 1]);
  }
  SS_CHECK (largest > 48 && least < -68);
  ssapp_curve_clear (&part);
  ssapp_curve_reduce (&all, 1, 1.01, COLUMNS, &part); /* near, all points, and one beyond either end */
  SS_CHECK (part.n >= 102 && part.n <= 104);
  SS_CHECK (part.t[0] < 1 && part.t[part.n - 1] > 1.01);
  ssapp_curve_clear (&part);
  all.y[20000] = NAN; /* a gap stays one */
  ssapp_curve_reduce (&all, 0, 4, COLUMNS, &part);
  int n_gaps = 0;
  for (int k = 0; k < part.n; k++)
    n_gaps += isnan (part.y[k]);
  SS_CHECK (n_gaps >= 1);
  ssapp_curve_clear (&part);
  ssapp_curve_clear (&all);
}

static void
check_text (const SsappChannelPlots *plots, const char *expected)
{
  char *text = ssapp_channel_plots_write (plots);
  SS_CHECK_STR (text, expected);
  g_free (text);
}

static void
test_plots_are_kept_as_text (void)
{
  SsappChannelPlots *plots = ssapp_channel_plots_new ();
  GError *error = NULL;

  SS_CHECK (ssapp_channel_plots_read (plots, " box.y , box.vy;; log:residual ;difference", &error));
  check_text (plots, "difference;box.y,box.vy;log:residual");
  SS_CHECK (plots->is_difference && ssapp_channel_plots_at (plots, 1)->is_log);
  SS_CHECK (!ssapp_channel_plots_read (plots, "box.y,,box.vy", &error));
  SS_CHECK_CONTAINS (error->message, "names no channel");
  g_clear_error (&error);
  check_text (plots, "difference;box.y,box.vy;log:residual"); /* as it was */
  SS_CHECK (ssapp_channel_plots_read (plots, "", NULL));
  check_text (plots, "");
  char *json = ssapp_channel_text_to_json ("a\"b,c;log:d"), *back = ssapp_channel_text_from_json (json);
  SS_CHECK_STR (back, "a\"b,c;log:d");
  SS_CHECK (ssapp_channel_text_from_json ("{\"a\": 1}") == NULL);
  SS_CHECK (ssapp_channel_text_from_json ("[") == NULL);
  g_free (back);
  g_free (json);
  ssapp_channel_plots_free (plots);
}

static void
test_plots_are_edited (void)
{
  SsappChannelPlots *plots = ssapp_channel_plots_new ();

  SS_CHECK (ssapp_channel_plots_read (plots, "a;b,c;d", NULL));
  SS_CHECK (ssapp_channel_plots_find (plots, "c") == 1);
  SS_CHECK (ssapp_channel_plots_find (plots, "z") == -1);
  SS_CHECK (ssapp_channel_plots_add (plots, 0, "e") && !ssapp_channel_plots_add (plots, 0, "e"));
  SS_CHECK (ssapp_channel_plots_add (plots, -1, "f"));
  check_text (plots, "a,e;b,c;d;f");
  SS_CHECK (ssapp_channel_plots_move (plots, 3, -2) == 1);
  check_text (plots, "a,e;f;b,c;d");
  SS_CHECK (ssapp_channel_plots_move (plots, 0, -1) == 0);
  SS_CHECK (ssapp_channel_plots_move (plots, 2, 9) == 3);
  check_text (plots, "a,e;f;d;b,c");
  SS_CHECK (ssapp_channel_plots_remove (plots, "f") && !ssapp_channel_plots_remove (plots, "f"));
  SS_CHECK (ssapp_channel_plots_remove (plots, "b"));
  check_text (plots, "a,e;d;c");
  SS_CHECK (ssapp_channel_plots_remove_plot (plots, 0) && !ssapp_channel_plots_remove_plot (plots, 5));
  check_text (plots, "d;c");
  ssapp_channel_plots_set_values (plots, 0, -1, 2);
  SS_CHECK (ssapp_channel_plots_at (plots, 0)->y_min == -1);
  ssapp_channel_plots_set_log (plots, 0, TRUE); /* no such range on a logarithmic axis */
  SS_CHECK (isnan (ssapp_channel_plots_at (plots, 0)->y_min));
  ssapp_channel_plots_set_values (plots, 0, -1, 2);
  SS_CHECK (isnan (ssapp_channel_plots_at (plots, 0)->y_min));
  for (int i = 0; i < SSAPP_CHANNEL_PLOTS_MAX; i++) {
    char name[16];
    snprintf (name, sizeof name, "x%d", i);
    ssapp_channel_plots_add (plots, -1, name);
  }
  SS_CHECK ((int)plots->plots->len == SSAPP_CHANNEL_PLOTS_MAX);
  ssapp_channel_plots_free (plots);
}

static void
test_first_plots_fit_the_motion (void)
{
  SsTrajectory *motion = make_motion (11, 0);
  const SsappChannelRun run = run_of ("A", "moreau-jean", motion);
  SsappChannelPlots *plots = ssapp_channel_plots_new ();

  ssapp_channel_plots_suggest (plots, &run, 1);
  check_text (plots, "box.y;floor-box.gap;energy.total");
  for (int row = 0; row < motion->n_rows; row++) /* a body that stays where it is says nothing */
    motion->values[row * motion->n_channels + 1] = 3;
  ssapp_channel_plots_suggest (plots, &run, 1);
  check_text (plots, "floor-box.gap;energy.total");
  ssapp_channel_plots_suggest (plots, NULL, 0);
  check_text (plots, "");
  ssapp_channel_plots_free (plots);
  ss_trajectory_free (motion);
}

static void
test_ranges_zoom_about_a_place (void)
{
  const double whole[2] = {0, 10};
  double range[2] = {0, 10};

  ssapp_range_zoom (range, whole, 0.5, 2, TRUE); /* 2 stays at a fifth */
  SS_CHECK_NEAR (range[0], 1, 1e-14);
  SS_CHECK_NEAR (range[1], 6, 1e-14);
  ssapp_range_move (range, whole, 10, TRUE);
  SS_CHECK_NEAR (range[0], 5, 1e-14);
  SS_CHECK_NEAR (range[1], 10, 1e-14);
  for (int i = 0; i < 100; i++)
    ssapp_range_zoom (range, whole, 0.5, 7, TRUE);
  SS_CHECK_NEAR (range[1] - range[0], 1e-5, 1e-12); /* no nearer */
  for (int i = 0; i < 100; i++)
    ssapp_range_zoom (range, whole, 2, 7, TRUE);
  SS_CHECK (range[0] == 0 && range[1] == 10);
}

/* ---- pictures ---------------------------------------------------------------------------------------------------- */

static SsappChannelLayout
layout_of (double t_min, double t_max)
{
  return (SsappChannelLayout){.width = 900,
                              .height = 400,
                              .axis_left = 250,
                              .axis_right = 880,
                              .t_min = t_min,
                              .t_max = t_max,
                              .axis = "Time [s]"};
}

static void
test_plots_share_the_axis (void)
{
  SsTrajectory *a = make_motion (201, 0), *b = make_motion (101, 0.2);
  const SsappChannelRun runs[2] = {run_of ("A", "moreau-jean", a), run_of ("B", "stewart-trinkle", b)};
  SsappChannelPlots *plots = ssapp_channel_plots_new ();
  SsappChannelLayout layout = layout_of (0, 2);
  SsappStyle style;
  double times[2], values[2], y, height;

  ssapp_style_init (&style, FALSE);
  SS_CHECK (ssapp_channel_plots_read (plots, "box.y;floor-box.gap;nothing", NULL));
  SsappChannelStack *stack = ssapp_channel_stack_new (plots, runs, 2, 0);
  SS_CHECK (ssapp_channel_stack_times (stack, times) && times[0] == 0 && times[1] == 2);
  ssapp_channel_stack_lay_out (stack, &style, &layout);
  SS_CHECK_NEAR (ssapp_channel_stack_time_at (stack, 250), 0, 1e-12); /* the edges are those that were asked for */
  SS_CHECK_NEAR (ssapp_channel_stack_time_at (stack, 880), 2, 1e-12);
  SS_CHECK_NEAR (ssapp_channel_stack_time_at (stack, 565), 1, 1e-12);
  ssapp_channel_stack_place (stack, 2, &y, &height);
  SS_CHECK_NEAR (y + height, 400, 1e-9); /* the height is used up */
  SS_CHECK (ssapp_channel_stack_plot_at (stack, y + 1) == 2 && ssapp_channel_stack_plot_at (stack, y - 1) == 1);
  SS_CHECK (ssapp_channel_stack_values (stack, 0, values) && values[0] <= 0.5 && values[1] >= 1);
  char *text = ssapp_channel_stack_describe (stack, 1, FALSE);
  SS_CHECK_STR (text, "1.0000 s: Position y (box, m): A 0.5, B 0.68; Gap (floor-box, m): A 0, B 0.18; nothing: no run "
                      "has it");
  g_free (text);
  /* nearer: the values are those in sight */
  layout = layout_of (1.5, 2);
  ssapp_channel_stack_lay_out (stack, &style, &layout);
  SS_CHECK (ssapp_channel_stack_values (stack, 0, values) && values[1] < 0.9);
  SS_CHECK (ssapp_channel_stack_zoomed (stack, 0, 0.5, 0, values) && values[1] > values[0]);
  ssapp_channel_stack_free (stack);

  plots->is_difference = TRUE;
  stack = ssapp_channel_stack_new (plots, runs, 2, 0);
  SS_CHECK (ssapp_channel_stack_is_difference (stack));
  text = ssapp_channel_stack_describe (stack, 1, FALSE);
  SS_CHECK_CONTAINS (text, "Difference of Position y (box, m): B − A 0.18;");
  g_free (text);
  ssapp_channel_stack_free (stack);
  /* Of three, each from the first. */
  const SsappChannelRun three[3] = {runs[0], runs[1], run_of ("C", "fesd-j", a)};
  stack = ssapp_channel_stack_new (plots, three, 3, 0);
  text = ssapp_channel_stack_describe (stack, 1, FALSE);
  SS_CHECK_CONTAINS (text, "Difference of Position y (box, m): B − A 0.18, C − A 0;");
  g_free (text);
  ssapp_channel_stack_free (stack);
  stack = ssapp_channel_stack_new (plots, runs, 1, 0); /* of one run there is none */
  SS_CHECK (!ssapp_channel_stack_is_difference (stack));
  ssapp_channel_stack_free (stack);
  ssapp_channel_plots_free (plots);
  ss_trajectory_free (a);
  ss_trajectory_free (b);
}

static guint32
pixel_at (cairo_surface_t *surface, int x, int y)
{
  cairo_surface_flush (surface);
  return *(const guint32 *)(const void *)(cairo_image_surface_get_data (surface) +
                                          y * cairo_image_surface_get_stride (surface) + 4 * x) &
         0xffffff;
}

/* Parts of the cursor paint within their areas: clipped to them, they paint the same. */
static void
check_cursor_areas (const SsappChannelStack *stack, const SsappStyle *style, const char *told)
{
  cairo_surface_t *surfaces[2];
  double area[4];
  for (int clips = 0; clips < 2; clips++) {
    surfaces[clips] = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 900, 400);
    cairo_t *cr = cairo_create (surfaces[clips]);
    for (int part = 0; ssapp_channel_stack_cursor_area (stack, style, part, 1, told != NULL, area); part++) {
      cairo_save (cr);
      cairo_rectangle (cr, area[0], area[1], area[2], area[3]);
      if (clips == 1)
        cairo_clip (cr);
      cairo_new_path (cr);
      ssapp_channel_stack_draw_cursor (cr, style, stack, part, 1, FALSE, told);
      cairo_restore (cr);
    }
    cairo_destroy (cr);
    cairo_surface_flush (surfaces[clips]);
  }
  const gsize size = (gsize)cairo_image_surface_get_stride (surfaces[0]) * 400;
  SS_CHECK (memcmp (cairo_image_surface_get_data (surfaces[0]), cairo_image_surface_get_data (surfaces[1]), size) == 0);
  cairo_surface_destroy (surfaces[0]);
  cairo_surface_destroy (surfaces[1]);
}

static void
test_picture_and_cursor (void)
{
  enum { ROWS = 40000, PLOTS = 4 };
  SsTrajectory *a = make_motion (ROWS, 0), *b = make_motion (ROWS, 0.2);
  const SsappChannelRun runs[2] = {run_of ("A", "moreau-jean", a), run_of ("B", "stewart-trinkle", b)};
  SsappChannelPlots *plots = ssapp_channel_plots_new ();
  const SsappChannelLayout layout = layout_of (0, 2);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 900, 400);
  cairo_t *cr = cairo_create (surface);
  SsappStyle style;
  double area[4];

  ssapp_style_init (&style, FALSE);
  SS_CHECK (ssapp_channel_plots_read (plots, "box.y;log:residual;floor-box.lambda_n;energy.total", NULL));
  SsappChannelStack *stack = ssapp_channel_stack_new (plots, runs, 2, SSAPP_CHANNEL_STACK_POINTS);
  const clock_t start = clock ();
  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  ssapp_channel_stack_lay_out (stack, &style, &layout);
  ssapp_channel_stack_draw (cr, &style, stack);
  const double drawn = (double)(clock () - start) / CLOCKS_PER_SEC;
  const guint32 before = pixel_at (surface, 565, 190);
  const clock_t hover = clock ();
  for (int i = 0; i < 10; i++)
    for (int part = 0; ssapp_channel_stack_cursor_area (stack, &style, part, 1, TRUE, area); part++)
      ssapp_channel_stack_draw_cursor (cr, &style, stack, part, 1, FALSE, "1.000 s");
  const double hovered = (double)(clock () - hover) / CLOCKS_PER_SEC / 10;
  check_cursor_areas (stack, &style, NULL);
  check_cursor_areas (stack, &style, "1.000 s");
  SS_CHECK (pixel_at (surface, 565, 190) != before); /* the line runs through the gap between plots, at its time */
  printf ("# %d rows, %d plots, 2 runs: picture %.1f ms, cursor %.2f ms of CPU\n", ROWS, PLOTS, 1e3 * drawn,
          1e3 * hovered);
  SS_CHECK (drawn < 0.25 && hovered < 0.05); /* ten times what they take, for machines that do more */
  if (g_getenv ("SHOTS") != NULL) {
    char *path = g_build_filename (g_getenv ("SHOTS"), "channel-stack.png", NULL);
    cairo_surface_write_to_png (surface, path);
    g_free (path);
  }
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  ssapp_channel_stack_free (stack);
  ssapp_channel_plots_free (plots);
  ss_trajectory_free (a);
  ss_trajectory_free (b);
}

/* ---- cones ------------------------------------------------------------------------------------------------------- */

static void
test_cone_of_a_contact (void)
{
  SsTrajectory *motion = make_motion (201, 0);
  SsContact contact = {.name = "floor-box", .mu = 0.5};
  const SsScene scene = {.n_contacts = 1, .contacts = &contact};
  GPtrArray *names = ssapp_cone_contacts (motion);
  SsappPlotLine lines[2];
  SsappCone cone;

  SS_CHECK (names->len == 1);
  SS_CHECK_STR (g_ptr_array_index (names, 0), "floor-box");
  SS_CHECK_STR (ssapp_cone_first (motion), "floor-box");
  SS_CHECK (ssapp_cone_init (&cone, &scene, motion, "floor-box"));
  SS_CHECK (cone.mu == 0.5 && !cone.is_impulse);
  SS_CHECK (ssapp_cone_x_end (&cone) == 4);
  ssapp_cone_lines (cone.mu, 4, lines);
  for (int k = 0; k < cone.path.n; k++) { /* at the tip, on the lower line, or inside */
    const double t = cone.path.t[k], on_line = lines[1].y1 / lines[1].x1 * cone.path.x[k];
    SS_CHECK (t < 1     ? cone.path.x[k] == 0 && cone.path.y[k] == 0
              : t < 1.5 ? cone.path.y[k] == on_line
                        : fabs (cone.path.y[k]) < fabs (on_line));
  }
  ssapp_cone_clear (&cone);
  SS_CHECK (!ssapp_cone_init (&cone, &scene, motion, "wall-box"));
  SS_CHECK (!ssapp_cone_init (&cone, &scene, NULL, "floor-box"));
  SS_CHECK (ssapp_cone_init (&cone, NULL, motion, "floor-box") && isnan (cone.mu));
  ssapp_cone_clear (&cone);
  g_ptr_array_unref (names);
  ss_trajectory_free (motion);
}

/* Three contacts with forces and one with impulses: the first is the one whose normal force is largest at any time,
 * whatever its tangential force, its sign and the impulses are; without normal forces it is the one with impulses. */
static void
test_first_cone (void)
{
  const SsChannel channels[] = {ss_channel_of_time (),
                                channel ("d.n", SS_QUANTITY_NORMAL_IMPULSE, SS_OWNER_CONTACT, "d"),
                                channel ("d.t", SS_QUANTITY_TANGENTIAL_IMPULSE, SS_OWNER_CONTACT, "d"),
                                channel ("a.n", SS_QUANTITY_NORMAL_FORCE, SS_OWNER_CONTACT, "a"),
                                channel ("a.t", SS_QUANTITY_TANGENTIAL_FORCE, SS_OWNER_CONTACT, "a"),
                                channel ("b.n", SS_QUANTITY_NORMAL_FORCE, SS_OWNER_CONTACT, "b"),
                                channel ("b.t", SS_QUANTITY_TANGENTIAL_FORCE, SS_OWNER_CONTACT, "b"),
                                channel ("c.n", SS_QUANTITY_NORMAL_FORCE, SS_OWNER_CONTACT, "c"),
                                channel ("c.t", SS_QUANTITY_TANGENTIAL_FORCE, SS_OWNER_CONTACT, "c")};
  static const double normal[] = {4, 7, 5}, tangential[] = {-9, 1, 8};
  static const char *const names[] = {"a", "b", "c", "d"};

  for (int shift = 0; shift <= 3; shift++) {
    SsTrajectory *motion = NULL;

    SS_CHECK (ss_trajectory_new (channels, G_N_ELEMENTS (channels), 3, &motion, NULL) == SS_OK);
    for (int row = 0; row < 3; row++) {
      double values[G_N_ELEMENTS (channels)] = {row, 3, 900};

      for (int k = 0; k < 3; k++) { /* each is largest in a row of its own */
        values[3 + 2 * k] = shift == 3 ? 0 : normal[(k + shift) % 3] - (row == k ? 0 : 0.5);
        values[4 + 2 * k] = shift == 3 ? 0 : tangential[(k + shift) % 3];
      }
      SS_CHECK (ss_trajectory_append (motion, values, NULL) == SS_OK);
    }
    SS_CHECK_STR (ssapp_cone_first (motion), names[shift == 3 ? 3 : (4 - shift) % 3]);
    ss_trajectory_free (motion);
  }
}

/* What is left of a name fits, and tells it from the others. */
static void
test_names_keep_what_differs (void)
{
  const char *names[] = {"box of wood, left foot", "box of wood, right foot"};
  SsappStyle style;
  double whole, wide;

  ssapp_style_init (&style, FALSE);
  SS_CHECK (ssapp_texts_shared (names, 2) == 13); /* up to the space, not into a word */
  SS_CHECK (ssapp_texts_shared (names, 1) == 0);
  ssapp_text_measure (&style, 12, FALSE, names[0], &whole, NULL);
  for (int i = 0; i < 12; i++) {
    char *left = ssapp_text_fit (&style, 12, FALSE, names[0], 13, whole * (12 - i) / 12),
         *right = ssapp_text_fit (&style, 12, FALSE, names[1], 13, whole * (12 - i) / 12);
    ssapp_text_measure (&style, 12, FALSE, left, &wide, NULL);
    SS_CHECK (wide <= whole * (12 - i) / 12 || i == 11); /* a character and the dots are the least */
    SS_CHECK (i > 9 || strcmp (left, right) != 0);
    SS_CHECK (i > 0 || strcmp (left, names[0]) == 0);
    g_free (left);
    g_free (right);
  }
}

int
main (void)
{
  SS_RUN (test_channels_have_groups);
  SS_RUN (test_curves_have_values);
  SS_RUN (test_stages_have_points);
  SS_RUN (test_difference_is_exact);
  SS_RUN (test_reduction_keeps_peaks);
  SS_RUN (test_plots_are_kept_as_text);
  SS_RUN (test_plots_are_edited);
  SS_RUN (test_first_plots_fit_the_motion);
  SS_RUN (test_ranges_zoom_about_a_place);
  SS_RUN (test_plots_share_the_axis);
  SS_RUN (test_picture_and_cursor);
  SS_RUN (test_cone_of_a_contact);
  SS_RUN (test_first_cone);
  SS_RUN (test_names_keep_what_differs);
  return ss_test_finish ();
}
