/* tests/unit/test-plane.c: planes of velocities: hulls against closed forms, counts against the samples, names and
 * looks of modes, the nearest outcome, pictures by pixels of known places. */
#include "app/draw/ssapp-impact-draw.h"
#include "app/draw/ssapp-plane-draw.h"
#include "core/ss-random.h"
#include "impact/ss-impact-summary.h"
#include "tests/ss-test.h"

#include <stdlib.h>

/* ---- modes ------------------------------------------------------------------------------------------------------- */

static guint32
mode_of (double vn_a, double vt_a, double vn_b, double vt_b)
{
  const double vn[2] = {vn_a, vn_b}, vt[2] = {vt_a, vt_b};
  return ssapp_joint_mode_of (vn, vt, 2, 1);
}

static void
check_name (guint32 mode, int n_contacts, const char *expected)
{
  static const char *const contacts[] = {"A", "B", "C", "D"};
  char *name = ssapp_joint_mode_name (mode, contacts, n_contacts);
  SS_CHECK_STR (name, expected);
  g_free (name);
}

static void
test_modes_have_names (void)
{
  const double vn[4] = {0, 0, 1, 0}, vt[4] = {0, 0, 0, -1};

  check_name (mode_of (0.04, 0.01, 0, 0.03), 2, "A lifts, B slides →");
  check_name (mode_of (0, 0, 0, 0), 2, "both stick");
  check_name (mode_of (0, -0.02, 1, 0), 2, "A slides ←, B lifts");
  check_name (mode_of (0, 0.5, 0, 0.5), 2, "both slide →");
  check_name (mode_of (1e-7, 1e-7, 0, -1e-7), 2, "both stick"); /* below the speed that counts */
  check_name (mode_of (0.04, 0.01, 0, 0.03) & 3U, 1, "A lifts");
  check_name (ssapp_joint_mode_of (vn, vt, 4, 1), 4, "A, B stick, C lifts, D slides ←");
  check_name (ssapp_joint_mode_of (vn, vt, 2, 1), 2, "both stick");
}

static void
test_strided_speeds_are_read (void)
{
  const double rows[6] = {0, 9, 1, 9, 0, 9}; /* vn_A, -, vn_B, -, vn_C, - */
  const double still[6] = {0};
  SS_CHECK (ssapp_joint_mode_of (rows, still, 3, 2) == SSAPP_CONTACT_LIFTS << 2);
}

/* Colour alone never tells two modes apart: each has its own shape and filling. */
static void
test_looks_differ_without_colour (void)
{
  SsappStyle style;
  SsappJointLook looks[24];
  int alike = 0;

  ssapp_style_init (&style, FALSE);
  for (guint32 mode = 0; mode < 16; mode++)
    ssapp_joint_mode_look (&style, mode, 2, 0, &looks[mode]);
  for (int a = 0; a < 16; a++)
    for (int b = 0; b < a; b++)
      alike += looks[a].shape == looks[b].shape && looks[a].filling == looks[b].filling;
  SS_CHECK (alike == 0);
  alike = 0;
  for (int rank = 0; rank < 24; rank++)
    ssapp_joint_mode_look (&style, 0, 5, rank, &looks[rank]);
  for (int a = 0; a < 24; a++)
    for (int b = 0; b < a; b++)
      alike += looks[a].shape == looks[b].shape && looks[a].filling == looks[b].filling;
  SS_CHECK (alike == 0);
}

/* ---- hull -------------------------------------------------------------------------------------------------------- */

enum { N = 20000 };
static float xs[N], ys[N];
static guint16 modes[N];

static void
fill (double (*x_of) (double, double), double (*y_of) (double, double))
{
  SsRandom random;
  ss_random_seed (&random, 5);
  for (int k = 0; k < N; k++) {
    const double u = ss_random_uniform (&random), v = ss_random_uniform (&random);
    xs[k] = (float)x_of (u, v);
    ys[k] = (float)y_of (u, v);
    modes[k] = (guint16)(k % 3);
  }
}

static double
triangle_x (double u, double v)
{
  return u + v > 1. ? 2. * (1. - u) : 2. * u;
}

static double
triangle_y (double u, double v)
{
  return u + v > 1. ? 1. - v : v;
}

static double
along_x (double u, double v)
{
  (void)v;
  return 3. * u;
}

static double
along_y (double u, double v)
{
  (void)v;
  return 1.5 * u; /* a power of two times x's factor: the points stay on a line in single precision */
}

/* The triangle (0, 0), (2, 0), (0, 1) with its corners among the samples: area 1, and the hull is these corners. */
static void
test_hull_of_a_triangle (void)
{
  SsappPlane *plane = ssapp_plane_new ();

  fill (triangle_x, triangle_y);
  xs[N / 2] = 2;
  ys[N / 2] = 0;
  xs[7] = ys[7] = 0;
  xs[N - 1] = 0;
  ys[N - 1] = 1;
  for (int from = 0; from < N; from += 3000)
    ssapp_plane_add (plane, xs + from, ys + from, modes + from, NULL, MIN (3000, N - from));
  /* The hull of floats inside: rounding moves a sample by 1e-7 beyond the long edge at most. */
  SS_CHECK_NEAR (ssapp_plane_hull_area (plane), 1., 1e-6);
  for (guint k = 0; k < plane->hull->len; k++) {
    const double *p = (const double *)(const void *)plane->hull->data + 2 * k;
    SS_CHECK (p[0] >= 0. && p[1] >= 0. && p[0] / 2 + p[1] <= 1. + 1e-6);
  }
  ssapp_plane_free (plane);
}

/* Batches and all at once give the same hull as one call of the hull itself. */
static void
test_hull_does_not_depend_on_batches (void)
{
  SsappPlane *plane = ssapp_plane_new ();
  GArray *points = g_array_new (FALSE, FALSE, 2 * sizeof (double)),
         *hull = g_array_new (FALSE, FALSE, 2 * sizeof (double));
  SsRandom random;

  ss_random_seed (&random, 9);
  for (int k = 0; k < N; k++) {
    xs[k] = (float)(ss_random_uniform (&random) * cos (0.01 * k));
    ys[k] = (float)(ss_random_uniform (&random) * sin (0.013 * k));
    const double p[2] = {xs[k], ys[k]};
    g_array_append_vals (points, p, 1);
  }
  for (int from = 0; from < N; from += 100)
    ssapp_plane_add (plane, xs + from, ys + from, modes + from, NULL, 100);
  g_array_set_size (hull, points->len + 1);
  g_array_set_size (
      hull, (guint)ss_impact_hull ((SsVec2 *)(void *)points->data, (int)points->len, (SsVec2 *)(void *)hull->data));
  SS_CHECK (hull->len == plane->hull->len && hull->len > 8);
  SS_CHECK (memcmp (hull->data, plane->hull->data, hull->len * 2 * sizeof (double)) == 0);
  g_array_unref (points);
  g_array_unref (hull);
  ssapp_plane_free (plane);
}

/* Two modes on the legs of an L: each has its own segment, and the triangle between them is in neither. What is reached
 * besides widens the hull of its mode alone. */
static void
test_hulls_of_modes (void)
{
  enum { LEG = 100 };
  float x[2 * LEG], y[2 * LEG];
  guint16 numbers[2 * LEG];
  SsappPlane *plane = ssapp_plane_new ();

  for (int k = 0; k < LEG; k++) {
    x[k] = y[LEG + k] = (float)k / LEG;
    y[k] = x[LEG + k] = 0.f;
    numbers[k] = 0;
    numbers[LEG + k] = 1;
  }
  ssapp_plane_add (plane, x, y, numbers, NULL, 2 * LEG);
  SS_CHECK (plane->modes->len == 2 && plane->hull->len == 3);
  for (guint k = 0; k < 2; k++)
    SS_CHECK (g_array_index (plane->modes, SsappPlaneMode, k).hull->len == 2);
  const float further_x[1] = {2.f}, further_y[1] = {0.f};
  ssapp_plane_reach (plane, further_x, further_y, numbers, 1);
  SsappPlane *copy = ssapp_plane_copy (plane);
  ssapp_plane_free (plane);
  const SsappPlaneMode *first = &g_array_index (copy->modes, SsappPlaneMode, 0);
  SS_CHECK (copy->n == 2 * LEG && first->n == LEG && first->hull->len == 2 && first->x_max < 1.);
  SS_CHECK_NEAR (((const double *)(const void *)first->hull->data)[2], 2., 0.);
  SS_CHECK (copy->hull->len == 3 && copy->x_max < 1.);
  ssapp_plane_free (copy);
}

static void
test_hull_of_a_line_and_a_point (void)
{
  SsappPlane *plane = ssapp_plane_new ();

  fill (along_x, along_y);
  ssapp_plane_add (plane, xs, ys, modes, NULL, N);
  SS_CHECK (plane->hull->len == 2);
  SS_CHECK_NEAR (ssapp_plane_hull_area (plane), 0., 0.);
  ssapp_plane_clear (plane);
  for (int k = 0; k < N; k++)
    xs[k] = ys[k] = 0.25F;
  ssapp_plane_add (plane, xs, ys, modes, NULL, N);
  SS_CHECK (plane->hull->len == 1 && plane->n == N);
  ssapp_plane_free (plane);
}

/* ---- counts ------------------------------------------------------------------------------------------------------ */

static gint64
sum_of_cells (const SsappPlane *plane)
{
  gint64 sum = 0;
  guint32 largest = 0;
  for (int k = 0; k < SSAPP_PLANE_CELLS * SSAPP_PLANE_CELLS; k++) {
    sum += plane->cells[k].count;
    largest = MAX (largest, plane->cells[k].count);
  }
  SS_CHECK (largest == plane->largest);
  return sum;
}

static gint64
sum_of_modes (const SsappPlane *plane)
{
  gint64 sum = 0;
  for (guint k = 0; k < plane->modes->len; k++)
    sum += g_array_index (plane->modes, SsappPlaneMode, k).n;
  return sum;
}

/* The grid begins small and has to double many times in every direction. */
static void
test_counts_add_up_while_the_grid_grows (void)
{
  SsappPlane *plane = ssapp_plane_new ();
  gint64 n = 0;

  for (int round = 0; round < 12; round++) {
    const float reach = (float)pow (3., round) * 1e-3F;
    for (int k = 0; k < 500; k++) {
      xs[k] = reach * (float)cos (0.37 * k);
      ys[k] = reach * (float)sin (0.37 * k);
      modes[k] = (guint16)round;
    }
    ssapp_plane_add (plane, xs, ys, modes, NULL, 500);
    n += 500;
    SS_CHECK (sum_of_cells (plane) == n);
    SS_CHECK (plane->n == n && sum_of_modes (plane) == n);
  }
  /* The last circle alone fills cells that the ones before do not reach: their majority is its mode. */
  const int row = (int)((0. - plane->y0) / plane->height * SSAPP_PLANE_CELLS);
  const int column = (int)((plane->x_max - plane->x0) / plane->width * SSAPP_PLANE_CELLS);
  int found = 0;
  for (int r = row - 3; r <= row + 3; r++) {
    const SsappPlaneCell *cell = &plane->cells[r * SSAPP_PLANE_CELLS + column];
    found += cell->count > 0 && cell->mode == 11;
  }
  SS_CHECK (found > 0);
  ssapp_plane_free (plane);
}

static void
test_masks_and_bad_values_are_left_out (void)
{
  SsappPlane *plane = ssapp_plane_new ();
  guint8 *mask = g_new0 (guint8, N);

  fill (triangle_x, triangle_y);
  const gint64 inside = ssapp_plane_brush (xs, ys, N, 0., 0.5, 0., 0.5, mask);
  gint64 expected = 0;
  for (int k = 0; k < N; k++)
    expected += xs[k] <= 0.5F && ys[k] <= 0.5F;
  SS_CHECK (inside == expected && inside > 0 && inside < N);
  /* Area of the box in the triangle of area 1: a quarter; five deviations of the count. */
  SS_CHECK_NEAR ((double)inside / N, 0.25, 5. * sqrt (0.25 * 0.75 / N));
  const gint64 was_inside = mask[0];
  xs[0] = NAN;
  mask[0] = 1;
  ssapp_plane_add (plane, xs, ys, modes, mask, N);
  SS_CHECK (plane->n == inside - was_inside);
  SS_CHECK (plane->x_max <= 0.5 && sum_of_cells (plane) == plane->n);
  g_free (mask);
  ssapp_plane_free (plane);
}

static void
test_copies_are_their_own (void)
{
  SsappPlane *plane = ssapp_plane_new (), *copy;

  fill (triangle_x, triangle_y);
  ssapp_plane_add (plane, xs, ys, modes, NULL, 1000);
  copy = ssapp_plane_copy (plane);
  ssapp_plane_add (plane, xs, ys, modes, NULL, N);
  SS_CHECK (copy->n == 1000 && sum_of_cells (copy) == 1000 && sum_of_modes (copy) == 1000);
  SS_CHECK (ssapp_plane_occupied (plane, 24) >= ssapp_plane_occupied (copy, 24));
  /* The triangle touches n (n + 1) / 2 of n x n cells; those beside its long edge may count too, since what is asked is
   * the middle of a finer cell. */
  SS_CHECK_NEAR (ssapp_plane_occupied (plane, 24), 24 * 25 / 2, 24);
  ssapp_plane_free (plane);
  ssapp_plane_free (copy);
}

/* ---- the nearest outcome ----------------------------------------------------------------------------------------- */

/* In a picture whose axes have other scales nearest means nearest on the screen. */
static void
test_nearest_is_nearest_on_screen (void)
{
  const float x[] = {0, 1, 3}, y[] = {0, 0, 0.1F};
  const guint8 mask[] = {1, 0, 1};

  SS_CHECK (ssapp_plane_nearest (x, y, NULL, 3, 1.8, 0.1, 1, 1) == 1);
  SS_CHECK (ssapp_plane_nearest (x, y, NULL, 3, 1.8, 0.1, 1, 100) == 2);
  SS_CHECK (ssapp_plane_nearest (x, y, mask, 3, 1.2, 0., 1, 1) == 0);
  SS_CHECK (ssapp_plane_nearest (x, y, NULL, 0, 1, 1, 1, 1) == -1);
}

/* ---- pictures ---------------------------------------------------------------------------------------------------- */

enum { WIDTH = 400, HEIGHT = 360 };

static guint32
pixel (cairo_surface_t *surface, double x, double y)
{
  guint32 v;
  cairo_surface_flush (surface);
  memcpy (&v, cairo_image_surface_get_data (surface) + (int)y * cairo_image_surface_get_stride (surface) + 4 * (int)x,
          4);
  return v & 0xFFFFFF;
}

static cairo_surface_t *
picture (const SsappPlaneSpec *spec, const SsappStyle *style)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WIDTH, HEIGHT);
  cairo_t *cr = cairo_create (surface);
  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  ssapp_plane_draw (cr, style, spec, 0, 0, WIDTH, HEIGHT);
  SS_CHECK (cairo_status (cr) == CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  return surface;
}

/* Where a value is drawn: by bisection of the picture's own answer to a pointer. */
static void
place_of (const SsappStyle *style, const SsappPlaneSpec *spec, double x, double y, double out[2])
{
  for (int axis = 0; axis < 2; axis++) {
    double low = 0, high = axis == 0 ? WIDTH : HEIGHT, value[2], scale[2];
    for (int k = 0; k < 40; k++) {
      const double middle = 0.5 * (low + high);
      ssapp_plane_value_at (style, spec, WIDTH, HEIGHT, axis == 0 ? middle : 0, axis == 1 ? middle : 0, value, scale);
      if (axis == 0 ? value[0] < x : value[1] > y)
        low = middle;
      else
        high = middle;
    }
    out[axis] = low;
  }
}

static void
test_dense_picture_has_the_modes_colour (void)
{
  SsappPlane *plane = ssapp_plane_new ();
  SsappPlaneSpec spec;
  SsappStyle style;
  SsappJointLook looks[3];
  double inside[2], outside[2];

  ssapp_style_init (&style, FALSE);
  ssapp_plane_spec_init (&spec);
  for (int k = 0; k < 3; k++)
    ssapp_joint_mode_look (&style, (guint32)SSAPP_CONTACT_LIFTS | 1U << 2, 2, k, &looks[k]);
  fill (triangle_x, triangle_y);
  for (int k = 0; k < 20; k++)
    ssapp_plane_add (plane, xs, ys, modes, NULL, N);
  spec.plane = plane;
  spec.looks = looks;
  spec.n_looks = 3;
  spec.has_points = FALSE;
  spec.has_hull = FALSE;
  spec.x_label = "x [m/s]";
  spec.y_label = "y [m/s]";
  place_of (&style, &spec, 0.5, 0.3, inside);
  place_of (&style, &spec, 1.6, 0.8, outside);
  cairo_surface_t *surface = picture (&spec, &style);
  int blue = 0, stray = 0;
  for (int dy = -6; dy <= 6; dy++)
    for (int dx = -6; dx <= 6; dx++) {
      const guint32 p = pixel (surface, inside[0] + dx, inside[1] + dy),
                    q = pixel (surface, outside[0] + dx, outside[1] + dy);
      blue += (p & 255) > (p >> 16 & 255) + 40; /* 0x0072B2 over white */
      stray += (q & 255) > (q >> 16 & 255) + 40;
    }
  SS_CHECK (blue > 100);
  SS_CHECK (stray == 0);
  cairo_surface_destroy (surface);
  ssapp_plane_free (plane);
}

/* Samples in four places off the grid, ten times as many in each next one: the fullest cell has the mode's own colour,
 * the others less of it, in the order of their numbers, and as much of each of its parts over white. */
static void
test_fuller_cells_are_stronger (void)
{
  static const SsappColor color = {0.2, 0.4, 0.7, 1};
  const double part[] = {color.r, color.g, color.b};
  const SsappJointLook look = {.color = color};
  SsappPlane *plane = ssapp_plane_new ();
  SsappPlaneSpec spec;
  SsappStyle style;
  double at[2], before = 0;
  int n = 0;

  ssapp_style_init (&style, FALSE);
  ssapp_plane_spec_init (&spec);
  memset (modes, 0, sizeof modes);
  for (int place = 0, count = 1; place < 4; place++, count *= 10)
    for (int k = 0; k < count; k++, n++) {
      xs[n] = (float)(0.37 + 0.83 * place);
      ys[n] = (float)(0.23 + 0.29 * (place % 2));
    }
  ssapp_plane_add (plane, xs, ys, modes, NULL, n);
  spec.plane = plane;
  spec.looks = &look;
  spec.n_looks = 1;
  spec.has_points = spec.has_hull = FALSE;
  cairo_surface_t *surface = picture (&spec, &style);
  for (int place = 0; place < 4; place++) {
    place_of (&style, &spec, 0.37 + 0.83 * place, 0.23 + 0.29 * (place % 2), at);
    const guint32 p = pixel (surface, at[0], at[1]);
    const double strength = (1 - (p >> 16) / 255.) / (1 - part[0]);
    for (int k = 0; k < 3; k++)
      SS_CHECK_NEAR (1 - (p >> (16 - 8 * k) & 255) / 255., strength * (1 - part[k]), 0.01);
    SS_CHECK (strength > before + 0.05);
    before = strength;
  }
  SS_CHECK_NEAR (before, 1, 0.01);
  cairo_surface_destroy (surface);
  ssapp_plane_free (plane);
}

/* Nothing is drawn from samples that are not there, and every optional part may be there without samples. */
static void
test_empty_pictures_are_drawn (void)
{
  SsappPlane *plane = ssapp_plane_new ();
  SsappPlaneSpec spec;
  SsappStyle style;
  const double way[4] = {0, -0.1, 0.2, 0.1};
  const SsappPlaneMark marks[] = {{0, 0, SSAPP_PLANE_SIMULTANEOUS, NULL},
                                  {0.1, 0.1, SSAPP_PLANE_SIMULTANEOUS, NULL},
                                  {0.2, 0, SSAPP_PLANE_SEQUENTIAL, "A, B"},
                                  {NAN, 0, SSAPP_PLANE_COMPLIANT, NULL}};
  const SsappPlanePath path = {way, 2, SSAPP_PLANE_SEQUENTIAL};
  const char *const contacts[] = {"A", "B", "C"};
  cairo_t *cr;
  cairo_surface_t *surface;

  for (int look = 0; look < 3; look++) {
    if (look == 2)
      ssapp_style_init_paper (&style);
    else
      ssapp_style_init (&style, look == 1);
    ssapp_plane_spec_init (&spec);
    cairo_surface_destroy (picture (&spec, &style));
    spec.plane = spec.other = spec.mirror = spec.between = plane;
    spec.marks = marks;
    spec.n_marks = 4;
    spec.paths = &path;
    spec.n_paths = 1;
    spec.chosen[0] = spec.chosen[1] = 0.05;
    surface = picture (&spec, &style);
    cr = cairo_create (surface);
    const SsappImpulseSequence none = {.n_contacts = 2, .contacts = contacts, .current = -1};
    ssapp_impulse_sequence_draw (cr, &style, &none, 0, 0, WIDTH, HEIGHT);
    const gint64 counts[2] = {0, 3};
    const double losses[2] = {0.4, 0.1};
    const SsappEnergyPlot energy = {2, counts, counts, 0.5, 0.2, losses, losses, 2, contacts, "(c)"};
    ssapp_energy_plot_draw (cr, &style, &energy, 0, 0, WIDTH, HEIGHT);
    const SsappRatesPlot rates = {3, contacts, way, 0, {0.2, 0.3, 0.5}};
    ssapp_rates_plot_draw (cr, &style, &rates, 0, 0, WIDTH, HEIGHT);
    SS_CHECK (cairo_status (cr) == CAIRO_STATUS_SUCCESS);
    cairo_destroy (cr);
    cairo_surface_destroy (surface);
  }
  ssapp_plane_free (plane);
}

/* Steps stand side by side from the first to the last; the axes beside them belong to none. */
static void
test_steps_are_found_by_the_pointer (void)
{
  const char *const contacts[] = {"A", "B"};
  const double impulses[8] = {0.1, 0, 0.2, 0.1, 0, 0, 0, 0.05}, energy[5] = {1, 0.6, 0.2, 0.2, 0.1};
  const SsappImpulseSequence sequence = {4, 2, impulses, impulses, energy, NULL, contacts, -1, NULL};
  SsappStyle style;
  int seen = 0, last = -1;

  ssapp_style_init (&style, FALSE);
  SS_CHECK (ssapp_impulse_sequence_step_at (&style, &sequence, WIDTH, HEIGHT, 1) == -1);
  SS_CHECK (ssapp_impulse_sequence_step_at (&style, &sequence, WIDTH, HEIGHT, WIDTH - 1) == -1);
  for (int x = 0; x < WIDTH; x++) {
    const int step = ssapp_impulse_sequence_step_at (&style, &sequence, WIDTH, HEIGHT, x);
    seen += step >= 0 && step != last;
    SS_CHECK (step == -1 || step >= last);
    last = step >= 0 ? step : last;
  }
  SS_CHECK (seen == 4 && last == 3);
}

/* Corners, middle and places outside, which are moved onto the simplex. */
static void
test_rates_are_found_by_the_pointer (void)
{
  const char *const contacts[] = {"A", "B", "C"};
  SsappRatesPlot plot = {3, contacts, NULL, 0, {NAN, NAN, NAN}};
  SsappStyle style;
  double rates[3];

  ssapp_style_init (&style, FALSE);
  for (int y = -50; y < HEIGHT + 50; y += 23)
    for (int x = -50; x < WIDTH + 50; x += 17) {
      SS_CHECK (ssapp_rates_plot_value_at (&style, &plot, WIDTH, HEIGHT, x, y, rates));
      SS_CHECK (rates[0] >= 0 && rates[1] >= 0 && rates[2] >= 0);
      SS_CHECK_NEAR (rates[0] + rates[1] + rates[2], 1., 1e-12);
    }
  ssapp_rates_plot_value_at (&style, &plot, WIDTH, HEIGHT, WIDTH / 2., -1e5, rates);
  SS_CHECK_NEAR (rates[2], 1., 0.01); /* far above: contact C alone, but for the place's own sideways part */
  plot.n_contacts = 2;
  SS_CHECK (ssapp_rates_plot_value_at (&style, &plot, WIDTH, HEIGHT, WIDTH / 2., 10, rates));
  SS_CHECK_NEAR (rates[0], 0.5, 1e-12);
  plot.n_contacts = 4;
  SS_CHECK (!ssapp_rates_plot_value_at (&style, &plot, WIDTH, HEIGHT, 10, 10, rates));
}

/* The way of the rates goes straight from one to the next: half way there is ink that is not there without it. */
static void
test_way_of_rates_is_drawn (void)
{
  const char *const contacts[] = {"A", "B", "C"};
  const double way[9] = {0.6, 0.2, 0.2, 0.2, 0.6, 0.2, 0.2, 0.3, 0.5};
  cairo_surface_t *surfaces[2];
  SsappStyle style;

  ssapp_style_init (&style, FALSE);
  for (int i = 0; i < 2; i++) {
    const SsappRatesPlot plot = {3, contacts, way, i == 0 ? 0 : 3, {NAN, NAN, NAN}};
    surfaces[i] = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WIDTH, HEIGHT);
    cairo_t *cr = cairo_create (surfaces[i]);
    ssapp_rates_plot_draw (cr, &style, &plot, 0, 0, WIDTH, HEIGHT);
    cairo_destroy (cr);
    cairo_surface_flush (surfaces[i]);
  }
  const SsappRatesPlot plot = {3, contacts, NULL, 0, {NAN, NAN, NAN}};
  for (int k = 0; k < 2; k++) {
    double nearest = INFINITY;
    gsize place = 0;
    const gsize stride = (gsize)cairo_image_surface_get_stride (surfaces[0]);
    for (int y = 0; y < HEIGHT; y++)
      for (int x = 0; x < WIDTH; x++) {
        double rates[3], off = 0;
        ssapp_rates_plot_value_at (&style, &plot, WIDTH, HEIGHT, x + 0.5, y + 0.5, rates);
        for (int c = 0; c < 3; c++)
          off += fabs (rates[c] - (way[3 * k + c] + way[3 * k + 3 + c]) / 2);
        if (off < nearest) {
          nearest = off;
          place = (gsize)y * stride + 4 * (gsize)x;
        }
      }
    SS_CHECK (memcmp (cairo_image_surface_get_data (surfaces[0]) + place,
                      cairo_image_surface_get_data (surfaces[1]) + place, 4) != 0);
  }
  for (int i = 0; i < 2; i++)
    cairo_surface_destroy (surfaces[i]);
}

int
main (void)
{
  SS_RUN (test_modes_have_names);
  SS_RUN (test_strided_speeds_are_read);
  SS_RUN (test_looks_differ_without_colour);
  SS_RUN (test_hull_of_a_triangle);
  SS_RUN (test_hull_does_not_depend_on_batches);
  SS_RUN (test_hulls_of_modes);
  SS_RUN (test_hull_of_a_line_and_a_point);
  SS_RUN (test_counts_add_up_while_the_grid_grows);
  SS_RUN (test_masks_and_bad_values_are_left_out);
  SS_RUN (test_copies_are_their_own);
  SS_RUN (test_nearest_is_nearest_on_screen);
  SS_RUN (test_dense_picture_has_the_modes_colour);
  SS_RUN (test_fuller_cells_are_stronger);
  SS_RUN (test_empty_pictures_are_drawn);
  SS_RUN (test_steps_are_found_by_the_pointer);
  SS_RUN (test_rates_are_found_by_the_pointer);
  SS_RUN (test_way_of_rates_is_drawn);
  return ss_test_finish ();
}
