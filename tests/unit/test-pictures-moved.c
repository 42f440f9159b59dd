/* tests/unit/test-pictures-moved.c: a picture that is painted at another place is the same picture there: motions with
 * all their layers, one contact, fans, plots, strips, timelines, pictures of impacts; overlays turn with their scene;
 * what a picture answers to a pointer is what it draws there.
 *
 * Nothing is compared with a stored picture: two that the program draws agree, or a place is computed here. */
#include "app/draw/ssapp-contact.h"
#include "app/draw/ssapp-draw-group.h"
#include "app/draw/ssapp-draw-overlaid.h"
#include "app/draw/ssapp-fan-draw.h"
#include "app/draw/ssapp-impact-draw.h"
#include "app/draw/ssapp-overlays.h"
#include "app/draw/ssapp-paths.h"
#include "app/draw/ssapp-plane-draw.h"
#include "app/draw/ssapp-plot-parts.h"
#include "app/draw/ssapp-run-plots.h"
#include "tests/ss-test-picture.h"
#include "tests/ss-test-scenario.h"
#include "tests/ss-test-simulate.h"

enum { WIDTH = 380, HEIGHT = 300 };

/* ---- boxes: what is painted into a rectangle --------------------------------------------------------------------- */

static const char *const contacts[] = {"heel", "toe", "wall"};
static const double normal[] = {0.6, 0.1, 0.2, 0.4, 0, 0.3, 0.25, 0.2, 0.1},
                    tangential[] = {0.1, 0, -0.1, -0.2, 0, 0.1, 0, 0.1, 0}, energies[] = {1, 0.7, 0.45, 0.2},
                    losses[] = {0.4, 0.1, 0.05}, rubbed[] = {0.2, 0.02, 0.01},
                    rates[] = {0.5, 0.3, 0.2, 0.2, 0.5, 0.3, 0.1, 0.2, 0.7};

static void
paint_sequence (cairo_t *cr, const void *what, double dx, double dy)
{
  ssapp_impulse_sequence_draw (cr, &ss_picture_style, what, dx, dy, WIDTH, HEIGHT);
}

static void
paint_energy (cairo_t *cr, const void *what, double dx, double dy)
{
  ssapp_energy_plot_draw (cr, &ss_picture_style, what, dx, dy, WIDTH, HEIGHT);
}

static void
paint_rates (cairo_t *cr, const void *what, double dx, double dy)
{
  ssapp_rates_plot_draw (cr, &ss_picture_style, what, dx, dy, WIDTH, HEIGHT);
}

static void
paint_plane (cairo_t *cr, const void *what, double dx, double dy)
{
  ssapp_plane_draw (cr, &ss_picture_style, what, dx, dy, WIDTH, HEIGHT);
}

typedef struct {
  GPtrArray *strips;
  double cursor;
} Strips;

static void
paint_strips (cairo_t *cr, const void *what, double dx, double dy)
{
  const Strips *strips = what;
  ssapp_mode_strips_draw (cr, &ss_picture_style, strips->strips, 2, strips->cursor, dx, dy, WIDTH, HEIGHT);
}

typedef struct {
  SsappPlotSpec spec;
  const SsappSeries *series;
  int n;
} Plot;

static void
paint_plot (cairo_t *cr, const void *what, double dx, double dy)
{
  const Plot *plot = what;
  ssapp_plot_draw (cr, &ss_picture_style, &plot->spec, plot->series, plot->n, dx, dy, WIDTH, HEIGHT);
}

static void
paint_tracks (cairo_t *cr, const void *what, double dx, double dy)
{
  ssapp_event_tracks_draw (cr, &ss_picture_style, what, 2, 1, dx + 20, dy, WIDTH - 40, 60);
  ssapp_event_legend_draw (cr, &ss_picture_style, what, 2, dx, dy + 80, WIDTH, 20);
}

/* Signs and samples of which legends are made. */
static void
paint_samples (cairo_t *cr, const void *what, double dx, double dy)
{
  const SsappTimeBar bar = {0, 2.5, "t", 4};
  SsappJointLook look;

  (void)what;
  for (int i = 0; i < SSAPP_N_LAYERS_OF_MOTION; i++)
    ssapp_layer_draw_sample (cr, &ss_picture_style, i, dx + 10 + 30 * i, dy + 10, 20);
  ssapp_draw_time_bar (cr, &ss_picture_style, &bar, dx + 30, dy + 50, 200, 10);
  for (int i = 0; i < 8; i++)
    ssapp_draw_numbered_sample (cr, &ss_picture_style, 3 * i, dx + 10 + 40 * i, dy + 110, 30);
  for (int i = 0; i < 9; i++)
    ssapp_event_mark_draw (cr, &ss_picture_style, (SsEventKind)i, i % 2 ? 1 : -1, dx + 20 + 30 * i, dy + 150, 7);
  ssapp_joint_mode_look (&ss_picture_style, 3, 1, 0, &look);
  ssapp_share_bar_draw (cr, &ss_picture_style, &look, 0.6, NAN, dx + 10, dy + 180, 100, 12);
  ssapp_share_bar_draw (cr, &ss_picture_style, &look, 0.6, 0.2, dx + 130, dy + 180, 100, 12);
  ssapp_share_bar_draw (cr, &ss_picture_style, &look, 0.02, NAN, dx + 250, dy + 180, 100, 12);
  ssapp_draw_scale_bar (cr, &ss_picture_style, 33, 100, dx + 20, dy + 240);
  ssapp_draw_arrow_scale (cr, &ss_picture_style, 7, "N", ssapp_style_color (&ss_picture_style, SSAPP_COLOR_FORCE),
                          dx + 200, dy + 240);
}

static SsappImpulseSequence
make_sequence (void)
{
  return (SsappImpulseSequence){3, 3, normal, tangential, energies, NULL, contacts, -1, "(a)"};
}

static SsappEnergyPlot
make_energy (void)
{
  static const gint64 counts[10] = {0, 3, 20, 100, 40, 0, 7, 1, 0, 2}, brushed[10] = {0, 0, 10, 30, 2, 0, 0, 0, 0, 0};
  return (SsappEnergyPlot){10, counts, brushed, 0.8, NAN, losses, rubbed, 3, contacts, "(b)", {NAN, NAN}};
}

static Strips
make_strips (void)
{
  static const SsappModeSpan spans[2][3] = {
      {{0, 0.5, SSAPP_MODE_OPEN}, {0.5, 1.1, SSAPP_MODE_STICK}, {1.1, 2, SSAPP_MODE_SLIP_PLUS}},
      {{0, 0.8, SSAPP_MODE_SLIP_MINUS}, {0.8, 1.6, SSAPP_MODE_SMOOTH}, {1.6, 2, SSAPP_MODE_OPEN}}};
  static const SsappPlotSpan frozen = {0.6, 0.9};
  Strips strips = {ssapp_mode_strips_new (), NAN};

  for (int i = 0; i < 2; i++) {
    SsappModeStrip *strip = g_new0 (SsappModeStrip, 1);
    strip->label = g_strdup (contacts[i]);
    strip->axis = "t [s]";
    strip->spans = g_array_new (FALSE, FALSE, sizeof (SsappModeSpan));
    g_array_append_vals (strip->spans, spans[i], 3);
    strip->frozen = g_array_new (FALSE, FALSE, sizeof (SsappPlotSpan));
    g_array_append_val (strip->frozen, frozen);
    g_ptr_array_add (strips.strips, strip);
  }
  return strips;
}

static const double xs[] = {0, 1, 2, 2, 3, 4}, ys[] = {1, 3, 2, 5, 4, 4.5}, halves[] = {0.1, 0.3, 0.2, NAN, 0.4, 0.2},
                    times[] = {0, 0.5, 1, 1, 2, 3}, less[] = {0.5, 2, NAN, 1, 0.02, 3};
static const SsappSeries series[] = {
    {.label = "one", .method = {SS_METHOD_OPTIMISER, "crisp"}, .n = 6, .x = xs, .y = ys, .half = halves},
    {.label = "two", .method = {SS_METHOD_OPTIMISER, "ipopt"}, .n = 6, .x = xs, .y = less, .is_running = TRUE},
    {.label = "three",
     .method = {SS_METHOD_INTEGRATOR, "fesd-j"},
     .n = 6,
     .x = xs,
     .y = less,
     .is_marked = TRUE,
     .has_no_line = TRUE},
    {.label = "four", .method = {SS_METHOD_INTEGRATOR, "fesd-j"}, .n = 6, .x = xs, .y = ys, .is_step = TRUE}};
static const SsappSeries path = {
    .label = "path", .method = {SS_METHOD_OPTIMISER, "crisp"}, .n = 6, .x = ys, .y = xs, .t = times};

static Plot
make_plot (int kind)
{
  static const double instants[] = {0.7, 2.6};
  static const SsappPlotSpan spans[] = {{1.2, 1.9}};
  static const SsappPlotRegion regions[] = {{-INFINITY, 2, 1, 3, "low\nand left", SSAPP_PLOT_TONE_STANDS, 0.2, 0.3}};
  static const SsappPlotLine lines[] = {{0, 0, 4, 3}};
  Plot plot = {{SSAPP_PLOT_FREE}, series, G_N_ELEMENTS (series)};

  plot.spec.title = "Title";
  plot.spec.x_label = "x [m]";
  plot.spec.y_label = "y [m]";
  plot.spec.letter = "(a)";
  plot.spec.legend = kind != 1;
  plot.spec.end_labels = kind == 1;
  plot.spec.instants = instants;
  plot.spec.n_instants = 2;
  plot.spec.tolerance = 0.3;
  plot.spec.tolerance_label = "tolerance";
  if (kind == 0) {
    plot.spec.spans = spans;
    plot.spec.n_spans = 1;
    plot.spec.span_label = "stands";
    plot.spec.regions = regions;
    plot.spec.n_regions = 1;
    plot.spec.lines = lines;
    plot.spec.n_lines = 1;
    plot.spec.reference = 2.2;
    plot.spec.cursor = 1.4;
    plot.spec.minor_ticks = TRUE;
  }
  if (kind == 1)
    plot.spec.y_log = TRUE;
  if (kind == 2) {
    plot.series = &path;
    plot.n = 1;
    plot.spec.cursor = 1.4;
    plot.spec.spans = spans;
    plot.spec.n_spans = 1;
  }
  return plot;
}

static SsappPlane *
make_plane (void)
{
  SsappPlane *plane = ssapp_plane_new ();
  float x[300], y[300];
  guint16 mode[300];

  for (int i = 0; i < 300; i++) {
    mode[i] = (guint16)(i % 3);
    x[i] = mode[i] == 2 ? 0.2F : (float)(sin (i) * (1 + mode[i]));
    y[i] = mode[i] == 2 ? -0.5F : (float)(cos (1.7 * i) * 0.6 + mode[i]);
  }
  ssapp_plane_add (plane, x, y, mode, NULL, 300);
  return plane;
}

static const double way[] = {-1, -0.3, 0, 0.4, 0.8, 1.2};
static const SsappPlanePath paths[] = {{way, 3, SSAPP_PLANE_SEQUENTIAL}, {way, 3, SSAPP_PLANE_CHOSEN}};
static const SsappPlaneMark plane_marks[] = {{-0.5, 0.2, SSAPP_PLANE_SIMULTANEOUS, NULL},
                                             {0.9, 0.8, SSAPP_PLANE_SIMULTANEOUS, "right"},
                                             {-0.8, 1, SSAPP_PLANE_SEQUENTIAL, "A, B"},
                                             {0.3, -0.2, SSAPP_PLANE_COMPLIANT, NULL}};

static SsappPlaneSpec
make_plane_spec (SsappPlane *plane, const SsappJointLook *looks)
{
  SsappPlaneSpec spec;

  ssapp_plane_spec_init (&spec);
  spec.letter = "(c)";
  spec.title = "Plane";
  spec.x_label = "v_x [m/s]";
  spec.y_label = "v_y [m/s]";
  spec.plane = spec.other = spec.mirror = plane;
  spec.other_label = "other";
  spec.looks = looks;
  spec.n_looks = 3;
  spec.has_points = spec.has_hull = TRUE;
  spec.bounds = paths;
  spec.n_bounds = spec.n_paths = 2;
  spec.paths = paths;
  spec.marks = plane_marks;
  spec.n_marks = 4;
  return spec;
}

static void
plots_are_the_same_elsewhere (void)
{
  const SsappImpulseSequence sequence = make_sequence ();
  SsappEnergyPlot energy = make_energy ();
  SsappPlane *plane = make_plane ();
  SsappJointLook looks[3];
  Strips strips = make_strips ();

  ss_picture_check_moves ("sequence", paint_sequence, &sequence, 0);
  energy.chosen = energy.brush[1] = 0.3;
  energy.brush[0] = 0.1;
  ss_picture_check_moves ("energy", paint_energy, &energy, 0);
  for (int n = 2; n <= 3; n++) {
    const SsappRatesPlot plot = {n, contacts, rates, n == 3 ? 3 : 0, {0.3, n == 3 ? 0.3 : 0.7, 0.4}};
    ss_picture_check_moves ("rates", paint_rates, &plot, 0);
  }
  for (int k = 0; k < 3; k++) {
    const Plot plot = make_plot (k);
    ss_picture_check_moves ("plot", paint_plot, &plot, 0);
    ssapp_joint_mode_look (&ss_picture_style, (guint32)k, 1, k, &looks[k]);
  }
  SsappPlaneSpec spec = make_plane_spec (plane, looks);
  spec.chosen[0] = -0.4;
  spec.chosen[1] = 0.3;
  const double brush[4] = {-0.2, 0.6, 0.1, 0.9};
  memcpy (spec.brush, brush, sizeof brush);
  ss_picture_check_moves ("plane", paint_plane, &spec, 0);
  strips.cursor = 1.3;
  ss_picture_check_moves ("strips", paint_strips, &strips, 0);
  ss_picture_check_moves ("samples", paint_samples, NULL, 0);
  g_ptr_array_unref (strips.strips);
  ssapp_plane_free (plane);
}

static void
timelines_are_the_same_elsewhere (void)
{
  static const SsEventKind kinds[] = {SS_EVENT_IMPACT, SS_EVENT_SLIP, SS_EVENT_STICK};
  GArray *events[2];
  SsappEventTrack tracks[2];
  int box[4];

  for (int i = 0; i < 2; i++) {
    events[i] = g_array_new (FALSE, TRUE, sizeof (SsappRunEvent));
    for (int k = 0; k < 3 - i; k++) {
      const SsappRunEvent event = {.t = 0.2 + 0.25 * k + 0.1 * i,
                                   .tau = NAN,
                                   .kind = kinds[k],
                                   .contact = "heel",
                                   .impulse = NAN,
                                   .direction = -1};
      g_array_append_val (events[i], event);
    }
    tracks[i] = (SsappEventTrack){
        .events = events[i], .method = {SS_METHOD_INTEGRATOR, i ? "fesd-j" : "stewart-trinkle"}, .label = contacts[i]};
  }
  ss_picture_check_moves ("tracks", paint_tracks, tracks, 0);
  /* one more, at 0.9 of a second of 1: its mark is about there */
  const SsappRunEvent late = {.t = 0.9, .tau = NAN, .kind = SS_EVENT_STICK, .contact = "heel", .impulse = NAN};
  GArray *more = g_array_copy (events[0]);
  SsappEventTrack with[2] = {tracks[0], tracks[1]};
  g_array_append_val (more, late);
  with[0].events = more;
  SS_CHECK (ss_picture_find_added (paint_tracks, tracks, with, box));
  SS_CHECK_NEAR ((box[0] + box[2] + 1) / 2., 20 + 0.9 * (WIDTH - 40), 1);
  SS_CHECK (box[3] < 60);
  g_array_unref (more);
  g_array_unref (events[0]);
  g_array_unref (events[1]);
}

/* ---- what a picture says to the pointer, and what it draws there ------------------------------------------------- */

static void
pointers_find_what_is_drawn (void)
{
  const SsappEnergyPlot energy = make_energy ();
  SsappImpulseSequence sequence = make_sequence (), marked = sequence;
  SsappPlane *plane = make_plane ();
  SsappJointLook looks[3];
  int box[4];

  for (int k = 0; k < 3; k++) {
    marked.current = k;
    SS_CHECK (ss_picture_find_added (paint_sequence, &sequence, &marked, box));
    for (int x = box[0] + 1; x < box[2]; x++)
      SS_CHECK (ssapp_impulse_sequence_step_at (&ss_picture_style, &sequence, WIDTH, HEIGHT, x) == k);
    ssapp_joint_mode_look (&ss_picture_style, (guint32)k, 1, k, &looks[k]);
  }
  for (double share = 0.1; share < 0.75; share += 0.2) {
    SsappEnergyPlot chosen = energy, brushed = energy;
    const double px = 0.8 / 300; /* of the axis that is at least so many pixels long */
    chosen.chosen = share;
    SS_CHECK (ss_picture_find_added (paint_energy, &energy, &chosen, box));
    SS_CHECK_NEAR (ssapp_energy_plot_value_at (&ss_picture_style, &energy, WIDTH, HEIGHT, (box[0] + box[2] + 1) / 2.),
                   share, px);
    brushed.brush[0] = share;
    brushed.brush[1] = share + 0.05;
    SS_CHECK (ss_picture_find_added (paint_energy, &energy, &brushed, box));
    SS_CHECK_NEAR (ssapp_energy_plot_value_at (&ss_picture_style, &energy, WIDTH, HEIGHT, box[0]), share, 2 * px);
    SS_CHECK_NEAR (ssapp_energy_plot_value_at (&ss_picture_style, &energy, WIDTH, HEIGHT, box[2] + 1), share + 0.05,
                   2 * px);
  }
  for (int n = 2; n <= 3; n++)
    for (int k = 0; k < 3; k++) {
      SsappRatesPlot without = {n, contacts, NULL, 0, {NAN, NAN, NAN}}, with = without;
      double told[3];
      for (int c = 0; c < 3; c++)
        with.current[c] = n == 3 ? rates[3 * k + c] : c == 0 ? 0.25 * (k + 1) : c == 1 ? 1 - 0.25 * (k + 1) : 0;
      SS_CHECK (ss_picture_find_added (paint_rates, &without, &with, box));
      SS_CHECK (ssapp_rates_plot_value_at (&ss_picture_style, &without, WIDTH, HEIGHT, (box[0] + box[2] + 1) / 2.,
                                           (box[1] + box[3] + 1) / 2., told));
      for (int c = 0; c < 3; c++)
        SS_CHECK_NEAR (told[c], with.current[c], 0.01); /* two of some two hundred pixels */
    }
  const SsappPlaneSpec spec = make_plane_spec (plane, looks);
  for (int k = 0; k < 3; k++) {
    const double x = -0.9 + 0.6 * k, y = 0.2 + 0.3 * k;
    const SsappPlaneMark own[] = {
        plane_marks[0], plane_marks[1], plane_marks[2], plane_marks[3], {x, y, SSAPP_PLANE_COMPLIANT, NULL}};
    SsappPlaneSpec marks = spec, brushed = spec;
    double value[2], scale[2];
    marks.marks = own;
    marks.n_marks = 5;
    SS_CHECK (ss_picture_find_added (paint_plane, &spec, &marks, box));
    SS_CHECK (ssapp_plane_value_at (&ss_picture_style, &spec, WIDTH, HEIGHT, (box[0] + box[2] + 1) / 2.,
                                    (box[1] + box[3] + 1) / 2., value, scale));
    SS_CHECK_NEAR (value[0], x, 2 / scale[0]);
    SS_CHECK_NEAR (value[1], y, 2 / fabs (scale[1]));
    const double brush[4] = {x, x + 0.4, y, y + 0.3};
    memcpy (brushed.brush, brush, sizeof brush);
    SS_CHECK (ss_picture_find_added (paint_plane, &spec, &brushed, box));
    SS_CHECK (ssapp_plane_value_at (&ss_picture_style, &spec, WIDTH, HEIGHT, box[0], box[3] + 1, value, scale));
    SS_CHECK_NEAR (value[0], x, 2 / scale[0]);
    SS_CHECK_NEAR (value[1], y, 2 / fabs (scale[1]));
    SS_CHECK (ssapp_plane_value_at (&ss_picture_style, &spec, WIDTH, HEIGHT, box[2] + 1, box[1], value, scale));
    SS_CHECK_NEAR (value[0], x + 0.4, 2 / scale[0]);
    SS_CHECK_NEAR (value[1], y + 0.3, 2 / fabs (scale[1]));
  }
  ssapp_plane_free (plane);
}

/* The cursor stands where a pointer would tell its time, through all strips; each span lies where it is told. */
static void
strips_are_told_where_they_are (void)
{
  const Strips strips = make_strips ();
  int box[4];

  for (double t = 0; t <= 2; t += 0.25) {
    const Strips with = {strips.strips, t};
    SS_CHECK (ss_picture_find_added (paint_strips, &strips, &with, box));
    SS_CHECK_NEAR (
        ssapp_mode_strips_time_at (&ss_picture_style, strips.strips, 2, 0, WIDTH, (box[0] + box[2] + 1) / 2.), t,
        2. / 250);
    SS_CHECK (box[1] <= 1 && box[2] - box[0] <= 2 && box[3] > HEIGHT / 2);
  }
  cairo_surface_t *surface = ss_picture_of (paint_strips, &strips, 0, 0);
  for (int x = 60; x < WIDTH - 20; x++) {
    const double t = ssapp_mode_strips_time_at (&ss_picture_style, strips.strips, 2, 0, WIDTH, x + 0.5);
    for (int s = 0; s < 2; s++) {
      const SsappModeStrip *strip = g_ptr_array_index (strips.strips, s);
      const int y =
          (int)((s + 0.5) * (HEIGHT - 4.5 * ss_picture_style.font_size) / 2); /* axis and legend are 4.5 letters high */
      g_autofree char *told =
          ssapp_mode_strips_describe_at (&ss_picture_style, strips.strips, 2, WIDTH, HEIGHT, x + 0.5, y);
      SS_CHECK (told != NULL && g_str_has_prefix (told, strip->label));
      for (guint i = 0; i < strip->spans->len; i++) {
        const SsappModeSpan *span = &g_array_index (strip->spans, SsappModeSpan, i);
        if (t < span->begin + 0.05 || t > span->end - 0.05)
          continue;
        /* near its upper edge, beside letters: filled where it is not open */
        const gboolean is_filled = ss_picture_difference (ss_picture_pixel (surface, x, y - 30), 0xFFFFFF) > 40;
        SS_CHECK (is_filled == (span->mode != SSAPP_MODE_OPEN) || (t > 0.55 && t < 0.95));
      }
    }
  }
  cairo_surface_destroy (surface);
  g_ptr_array_unref (strips.strips);
}

/* Words of where the energy went stand within their part of the bar: with other words, only pixels there are others. */
static void
words_of_losses_stand_in_their_parts (void)
{
  static const char *const other[] = {"kneel", "toe", "wall"};
  const SsappEnergyPlot energy = make_energy ();
  SsappEnergyPlot named = energy;
  int box[4];
  named.contacts = other; /* parts of 0.4 and 0.2 */
  SS_CHECK (ss_picture_find_added (paint_energy, &energy, &named, box));
  SS_CHECK (ssapp_energy_plot_value_at (&ss_picture_style, &energy, WIDTH, HEIGHT, box[0]) > 0);
  SS_CHECK (ssapp_energy_plot_value_at (&ss_picture_style, &energy, WIDTH, HEIGHT, box[2]) <
            0.8 * (losses[0] + rubbed[0]));
  SS_CHECK (box[1] > HEIGHT - 3 * ss_picture_style.font_size);
}

/* A line along an edge of the axes is as wide as elsewhere. */
static void
lines_at_the_edges_are_whole (void)
{
  static const double places[] = {0, 2, 4}, y[] = {0, 1}, level[] = {0, 0}, across[] = {0, 4};
  int n[3] = {0};

  ss_picture_style.scale = 4; /* several pixels */
  for (int k = 0; k < 3; k++) {
    const double x[] = {places[k], places[k]};
    const SsappSeries both[] = {{.n = 2, .x = across, .y = level}, {.n = 2, .x = x, .y = y}};
    Plot plot = {{.x_max = 4, .y_max = 1, .tolerance = NAN, .cursor = NAN, .reference = NAN}, both, 1};
    cairo_surface_t *without = ss_picture_of (paint_plot, &plot, 0, 0), *with;
    plot.n = 2;
    with = ss_picture_of (paint_plot, &plot, 0, 0);
    for (int at = 0; at < WIDTH; at++)
      n[k] += ss_picture_difference (ss_picture_pixel (without, at, HEIGHT / 2),
                                     ss_picture_pixel (with, at, HEIGHT / 2)) > SS_PICTURE_EXACT;
    cairo_surface_destroy (without);
    cairo_surface_destroy (with);
  }
  ss_picture_style.scale = 1;
  SS_CHECK (n[1] >= 6 && abs (n[0] - n[1]) <= 1 && abs (n[2] - n[1]) <= 1); /* where it stands within a pixel */
}

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

typedef struct {
  SsScenario *scenario;
  SsTestRun run;
  SsView *view;
  GArray *events;
  double t;
} Motion;

static SsappCamera
camera_of (const Motion *m, double dx, double dy)
{
  SsappCamera camera;
  double bounds[4];

  ss_view_bounds (m->view, m->run.trajectory, bounds);
  ssapp_camera_fit (&camera, bounds, SS_PICTURE_SIDE, SS_PICTURE_SIDE, 160);
  camera.scale = MIN (camera.scale, 200);
  camera.ox = round (camera.ox) + dx;
  camera.oy = round (camera.oy) + dy;
  return camera;
}

static Motion
motion_new (const char *file, double t_end)
{
  Motion m = {.scenario = ss_test_read_file (file, NULL, 0), .t = 0.6 * t_end};
  SsError err = {0};

  m.run = ss_test_simulate (m.scenario->scene, &ss_integrator_stewart_trinkle, NULL, 0.01, t_end, NULL);
  SS_CHECK (ss_view_new (m.scenario, m.run.trajectory->channels, m.run.trajectory->n_channels, &m.view, &err) == SS_OK);
  m.events = g_array_new (FALSE, TRUE, sizeof (SsappRunEvent));
  for (int i = 0; i < m.scenario->scene->n_contacts; i++) {
    const SsappRunEvent event = {.t = 0.99 * m.t,
                                 .tau = NAN,
                                 .kind = SS_EVENT_IMPACT,
                                 .contact = m.scenario->scene->contacts[i].name,
                                 .impulse = 1 + i};
    g_array_append_val (m.events, event);
  }
  return m;
}

static void
motion_clear (Motion *m)
{
  g_array_unref (m->events);
  ss_view_free (m->view);
  ss_trajectory_free (m->run.trajectory);
  ss_scenario_free (m->scenario);
}

static SsappSceneFlags
flags_of (const Motion *m, guint layers)
{
  return (SsappSceneFlags){.layers = layers,
                           .n_past_frames = 5,
                           .past_frames = TRUE,
                           .trace = TRUE,
                           .labels = TRUE,
                           .scene = m->scenario->scene,
                           .events = m->events};
}

static void
paint_layers (cairo_t *cr, const Motion *m, double dx, double dy, guint layers)
{
  const SsappCamera camera = camera_of (m, dx, dy);
  const SsappSceneFlags flags = flags_of (m, layers);
  SsappArrowScale scale;

  ssapp_arrow_scale_init (&scale);
  ssapp_draw_motion_scaled (cr, &ss_picture_style, &camera, m->view, m->run.trajectory, m->t, &flags, &scale);
}

static void
paint_motion (cairo_t *cr, const void *what, double dx, double dy)
{
  paint_layers (cr, what, dx, dy, SSAPP_LAYERS_CHOSEN | ((1 << SSAPP_N_LAYERS_OF_MOTION) - 1));
}

/* Past frames and traces alone. */
static void
paint_past (cairo_t *cr, const void *what, double dx, double dy)
{
  paint_layers (cr, what, dx, dy, 0);
}

/* What a sketch has beside its marks, and what stands over a motion. */
static void
paint_beside (cairo_t *cr, const void *what, double dx, double dy)
{
  const Motion *m = what;
  const SsappCamera camera = camera_of (m, dx, dy);
  const SsTrajectory *motion = m->run.trajectory;
  const SsappFanMotion fan[] = {{motion, 0, 0.7, 0}, {motion, 0.3 * m->t, 0.3, 1}};
  double bounds[4];

  ssapp_draw_actuators (cr, &ss_picture_style, &camera, m->scenario->scene, NULL);
  ssapp_draw_holds (cr, &ss_picture_style, &camera, m->scenario->scene);
  ssapp_draw_ghost (cr, &ss_picture_style, &camera, m->view, motion, 0.3 * m->t);
  ssapp_draw_paths (cr, &ss_picture_style, &camera, m->view, motion, FALSE);
  ssapp_draw_paths (cr, &ss_picture_style, &camera, m->view, motion, TRUE);
  ssapp_draw_fan (cr, &ss_picture_style, &camera, m->view, fan, 2, 0.7, m->t);
  ss_view_bounds (m->view, motion, bounds);
  const SsVec2 from = {bounds[0], bounds[1]}, to = {bounds[0] + 0.4, bounds[1] + 0.7};
  ssapp_draw_group_frame (cr, &ss_picture_style, &camera, bounds);
  ssapp_draw_band (cr, &ss_picture_style, &camera, from, to);
  ssapp_draw_pull (cr, &ss_picture_style, &camera, from, to);
}

static void
paint_overlaid (cairo_t *cr, const void *what, double dx, double dy)
{
  const Motion *m = what;
  const SsappCamera camera = camera_of (m, dx, dy);
  const SsappOverlaidRun runs[] = {{"CRISP", {SS_METHOD_OPTIMISER, "crisp"}, m->view, m->run.trajectory, 0},
                                   {"Ipopt", {SS_METHOD_OPTIMISER, "ipopt"}, m->view, m->run.trajectory, m->t}};
  const SsappSceneFlags flags = {.scene = m->scenario->scene};

  ssapp_draw_overlaid (cr, &ss_picture_style, &camera, runs, 2, &flags);
}

static void
paint_contacts (cairo_t *cr, const void *what, double dx, double dy)
{
  const Motion *m = what;
  const SsappCamera camera = camera_of (m, dx, dy);
  g_autofree double *row = g_new (double, m->run.trajectory->n_channels);

  for (int i = 0; i < m->scenario->scene->n_contacts && i < 3; i++) {
    SsappContactChannels channels = {0};
    SsappContactReading reading;
    if (ssapp_contact_read_motion (m->scenario->scene, i, &channels, m->run.trajectory, m->t, FALSE, row, &reading))
      ssapp_contact_draw (cr, &ss_picture_style, &camera, &reading, 2);
  }
}

static void
motions_are_the_same_elsewhere (void)
{
  static const char *const files[] = {
      "examples/fesd-j/three-boxes.stickslip.json",  "examples/classics/four-bar.stickslip.json",
      "examples/classics/slack-rope.stickslip.json", "examples/classics/gear-hoist.stickslip.json",
      "examples/classics/driven-arm.stickslip.json", "examples/plans/push-box-with-disc.stickslip.json"};

  for (guint i = 0; i < G_N_ELEMENTS (files); i++) {
    Motion m = motion_new (files[i], 0.2);
    ss_picture_check_moves ("motion", paint_motion, &m, 110);
    ss_picture_check_moves ("past", paint_past, &m, 110);
    ss_picture_check_moves ("beside", paint_beside, &m, 110);
    ss_picture_check_moves ("overlaid", paint_overlaid, &m, 110);
    if (m.scenario->scene->n_contacts > 0)
      ss_picture_check_moves ("contacts", paint_contacts, &m, 110);
    motion_clear (&m);
  }
}

static void
paint_fan (cairo_t *cr, const void *what, double dx, double dy)
{
  const Motion *m = what;
  const SsappCamera camera = camera_of (m, dx, dy);
  const SsappFanMotion branch = {m->run.trajectory, 0, 1, 0};
  ssapp_draw_fan (cr, &ss_picture_style, &camera, m->view, &branch, 1, 1, m->t);
}

/* Every body of a branch has its outline, what stands still has none. */
static void
fans_have_bodies_alone (void)
{
  Motion m = motion_new ("examples/fesd-j/three-boxes.stickslip.json", 0.2);
  const SsappCamera camera = camera_of (&m, 0, 0);
  const int n_marks = ss_view_n_marks (m.view);
  g_autofree SsMark *marks = g_new0 (SsMark, n_marks);
  g_autofree double *row = g_new (double, m.run.trajectory->n_channels);
  cairo_surface_t *surface = ss_picture_of (paint_fan, &m, 0, 0);
  int n_bodies = 0;

  ss_trajectory_sample_motion (m.run.trajectory, m.t, row);
  ss_view_frame (m.view, row, marks);
  for (int i = 0; i < n_marks; i++) {
    const gboolean is_body = marks[i].kind == SS_MARK_POLYGON && marks[i].role == SS_ROLE_BODY;
    const double c = cos (marks[i].angle), s = sin (marks[i].angle);
    double x, y;
    if (!is_body && marks[i].kind != SS_MARK_HALF_PLANE)
      continue;
    const SsVec2 v = is_body ? marks[i].vertices[0] : (SsVec2){0, 0};
    ssapp_camera_to_device (
        &camera, (SsVec2){marks[i].position.x + c * v.x - s * v.y, marks[i].position.y + s * v.x + c * v.y}, &x, &y);
    if (is_body)
      SS_CHECK (ss_picture_pixel (surface, (int)x, (int)y) != 0xFFFFFF);
    else /* its surface at the picture's edges */
      for (int k = 0; k < 20; k++)
        SS_CHECK (ss_picture_pixel (surface, k, (int)y) == 0xFFFFFF &&
                  ss_picture_pixel (surface, SS_PICTURE_SIDE - 1 - k, (int)y) == 0xFFFFFF);
    n_bodies += is_body;
  }
  SS_CHECK (n_bodies == 3);
  cairo_surface_destroy (surface);
  motion_clear (&m);
}

/* ---- overlays and one contact, turned ---------------------------------------------------------------------------- */

static SsVec2
turned (SsVec2 v, gboolean is_turned)
{
  return is_turned ? (SsVec2){-v.y, v.x} : v;
}

static const SsappCamera centred = {.scale = 60,
                                    .ox = SS_PICTURE_SIDE / 2.,
                                    .oy = SS_PICTURE_SIDE / 2.,
                                    .width = SS_PICTURE_SIDE,
                                    .height = SS_PICTURE_SIDE};

/* `what`: whether it is turned by a quarter. */
static void
paint_overlay (cairo_t *cr, const void *what, double dx, double dy)
{
  const gboolean is_turned = *(const gboolean *)what;
  const double px[SSAPP_N_ARROWS] = {8, 20, 15};
  SsappOverlay overlay = {.points = g_array_new (FALSE, TRUE, sizeof (SsappOverlayPoint)),
                          .arrows = g_array_new (FALSE, TRUE, sizeof (SsappOverlayArrow))};
  SsappCamera camera = centred;

  camera.ox += dx;
  camera.oy += dy;
  for (int i = 0; i < 4; i++) {
    const SsappOverlayPoint point = {"", turned ((SsVec2){-2 + i, 1.3 - 0.2 * i}, is_turned),
                                     turned ((SsVec2){cos (i + 0.3), sin (i + 0.3)}, is_turned), 0.2 + 0.3 * i};
    g_array_append_val (overlay.points, point);
    if (i == SSAPP_ARROW_IMPULSE) /* has words, which stay upright */
      continue;
    const SsappOverlayArrow arrow = {i % 2 ? SSAPP_ARROW_VELOCITY : SSAPP_ARROW_FORCE,
                                     turned ((SsVec2){-1.8 + 1.1 * i, -1.1}, is_turned),
                                     turned ((SsVec2){3 * cos (2 * i + 1), 3 * sin (2 * i + 1)}, is_turned), 1};
    g_array_append_val (overlay.arrows, arrow);
  }
  ssapp_overlay_draw (cr, &ss_picture_style, &camera, &overlay, px,
                      SSAPP_LAYER_CONES | SSAPP_LAYER_NORMALS | SSAPP_LAYER_CONTACTS);
  ssapp_overlay_clear (&overlay);
}

typedef struct {
  SsappContactReading reading;
  double force_px;
} Reading;

static void
paint_reading (cairo_t *cr, const void *what, double dx, double dy)
{
  const Reading *self = what;
  SsappCamera camera = centred;

  camera.ox += dx;
  camera.oy += dy;
  ssapp_contact_draw (cr, &ss_picture_style, &camera, &self->reading, self->force_px);
}

/* Two points of a face, closed or not, seen as it is or turned. */
static Reading
make_reading (gboolean is_on_a, gboolean is_closed, gboolean is_turned)
{
  Reading r = {{.state = is_closed ? SSAPP_CONTACT_STICKING : SSAPP_CONTACT_OPEN,
                .n_points = 2,
                .is_closed = is_closed,
                .is_on_a = is_on_a,
                .mu = 0.4,
                .gap = 0,
                .share = NAN,
                .mu_other = NAN,
                .gap_rate = NAN,
                .slip = NAN,
                .normal_force = NAN,
                .tangential_force = NAN},
               0};
  const double c = cos (1.2), s = sin (1.2);

  r.reading.normal = turned ((SsVec2){c, s}, is_turned);
  r.reading.tangent = turned ((SsVec2){s, -c}, is_turned);
  for (int i = 0; i < 2; i++) {
    const double along = i == 0 ? -0.8 : 0.9;
    r.reading.points[i] =
        (SsappContactPoint){turned ((SsVec2){0.2 + along * s, -0.1 - along * c}, is_turned),
                            turned ((SsVec2){0.2 + along * s, -0.1 - along * c}, is_turned), NAN, NAN};
  }
  r.reading.at = turned ((SsVec2){0.2, -0.1}, is_turned);
  return r;
}

static void
overlays_turn_with_their_scene (void)
{
  const gboolean plain = FALSE, other = TRUE;
  cairo_surface_t *a = ss_picture_of (paint_overlay, &plain, 0, 0), *b = ss_picture_of (paint_overlay, &other, 0, 0);

  ss_picture_check_alike ("overlay", a, b, SS_PICTURE_QUARTER, 0, SS_PICTURE_TURNED);
  cairo_surface_destroy (a);
  cairo_surface_destroy (b);
  ss_picture_check_moves ("overlay", paint_overlay, &plain, 60);
  for (int is_on_a = 0; is_on_a < 2; is_on_a++) {
    const Reading one = make_reading (is_on_a, TRUE, FALSE), two = make_reading (is_on_a, TRUE, TRUE);
    a = ss_picture_of (paint_reading, &one, 0, 0);
    b = ss_picture_of (paint_reading, &two, 0, 0);
    ss_picture_check_alike ("reading", a, b, SS_PICTURE_QUARTER, 0, SS_PICTURE_TURNED);
    cairo_surface_destroy (a);
    cairo_surface_destroy (b);
  }
}

int
main (void)
{
  ssapp_style_init (&ss_picture_style, FALSE);
  SS_RUN (plots_are_the_same_elsewhere);
  SS_RUN (timelines_are_the_same_elsewhere);
  SS_RUN (pointers_find_what_is_drawn);
  SS_RUN (strips_are_told_where_they_are);
  SS_RUN (words_of_losses_stand_in_their_parts);
  SS_RUN (lines_at_the_edges_are_whole);
  SS_RUN (motions_are_the_same_elsewhere);
  SS_RUN (fans_have_bodies_alone);
  SS_RUN (overlays_turn_with_their_scene);
  return ss_test_finish ();
}
