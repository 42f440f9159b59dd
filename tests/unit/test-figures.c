/* tests/unit/test-figures.c: phase planes, states over time, steps in words, colours of modes: by numbers of motions
 * made by hand, by points on curves of closed form, and by how far colours are apart for the colour blind. */
#include "app/draw/ssapp-frozen.h"
#include "app/draw/ssapp-phase.h"
#include "app/draw/ssapp-plot-parts.h"
#include "app/draw/ssapp-run-plots.h"
#include "app/export/ssapp-export.h"
#include "tests/ss-test.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

static char *directory;

/* ---- a motion ---------------------------------------------------------------------------------------------------- */

enum { N_CHANNELS = 7 };
#define G  10.0 /* gravity [m/s2] */
#define T1 0.5  /* it lands [s] from 1.25 m */

/* A ball falls, jumps from -5 to 4 m/s with an impulse of 9 N s, and rises; a control is 1, then 3; one force. */
static SsTrajectory *
make_bounce_with (double force)
{
  const double rows[][N_CHANNELS] = {{0, 1.25, 0, 0, force, 1, 0},
                                     {T1, 0, -5, 0, force, 3, 0},
                                     {T1, 0, 4, 9, force, 3, 0},
                                     {0.7, 0.6, 2, 0, force, 3, 0}};
  static const char *const names[N_CHANNELS] = {"t",      "ball.y", "ball.vy", "floor.impulse_n", "floor.lambda_n",
                                                "u.push", "ball.x"};
  static const SsQuantity quantities[N_CHANNELS] = {
      SS_QUANTITY_TIME,         SS_QUANTITY_POSITION_Y, SS_QUANTITY_VELOCITY_Y, SS_QUANTITY_NORMAL_IMPULSE,
      SS_QUANTITY_NORMAL_FORCE, SS_QUANTITY_CONTROL,    SS_QUANTITY_POSITION_X};
  static const SsOwner owners[N_CHANNELS] = {SS_OWNER_SCENE,   SS_OWNER_BODY,     SS_OWNER_BODY, SS_OWNER_CONTACT,
                                             SS_OWNER_CONTACT, SS_OWNER_ACTUATOR, SS_OWNER_BODY};
  SsChannel channels[N_CHANNELS];
  SsTrajectory *trajectory = NULL;
  SsError error;

  for (int c = 0; c < N_CHANNELS; c++)
    channels[c] = (SsChannel){.name = names[c],
                              .quantity = quantities[c],
                              .unit = ss_quantity_unit (quantities[c]),
                              .owner = owners[c],
                              .owner_name = owners[c] == SS_OWNER_BODY      ? "ball"
                                            : owners[c] == SS_OWNER_CONTACT ? "floor"
                                                                            : ""};
  SS_CHECK (ss_trajectory_new (channels, N_CHANNELS, 4, &trajectory, &error) == SS_OK);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    SS_CHECK (ss_trajectory_append (trajectory, rows[i], &error) == SS_OK);
  return trajectory;
}

static SsTrajectory *
make_bounce (void)
{
  return make_bounce_with (0);
}

static char *
file (const char *name)
{
  return g_build_filename (directory, name, NULL);
}

/* The lines of a figure's table for one quantity. */
static GPtrArray *
export_lines (const SsappPlotKind *plot, const SsappFigureRun *run, const SsappFigureOptions *options,
              const char *quantity)
{
  g_autofree char *path = file ("f.csv"), *text = NULL, *key = g_strdup_printf (",%s,", quantity);
  GPtrArray *found = g_ptr_array_new_with_free_func (g_free);
  GError *error = NULL;

  SS_CHECK (ssapp_export_figure (plot, NULL, run, 1, options, path, &error));
  SS_CHECK (error == NULL && g_file_get_contents (path, &text, NULL, NULL));
  g_auto (GStrv) lines = g_strsplit (text != NULL ? text : "", "\n", -1);
  for (int i = 0; lines[i] != NULL; i++)
    if (strstr (lines[i], key) != NULL)
      g_ptr_array_add (found, g_strdup (lines[i]));
  g_remove (path);
  return found;
}

static void
numbers_of (const char *line, double *x, double *y)
{
  g_auto (GStrv) fields = g_strsplit (line, ",", -1);
  const guint n = g_strv_length (fields);

  *x = g_ascii_strtod (fields[n - 2], NULL);
  *y = *fields[n - 1] != '\0' ? g_ascii_strtod (fields[n - 1], NULL) : NAN;
}

/* ---- tests ------------------------------------------------------------------------------------------------------- */

static void
paths_follow_the_motion (void)
{
  SsTrajectory *trajectory = make_bounce ();
  SsappPath path;
  int x, y, n_jumps = 0;

  ssapp_phase_first_channels (trajectory, &x, &y);
  SS_CHECK (x == 1 && y == 2);
  ssapp_path_init (&path, trajectory, x, y, 100);
  SS_CHECK (path.n >= 100);
  for (int i = 0; i < path.n && path.t[i] < T1; i++) /* y = 1.25 - v^2 / 2 g: a cubic is exact for a parabola */
    SS_CHECK (fabs (path.x[i] - (1.25 - path.y[i] * path.y[i] / (2 * G))) < 1e-12);
  for (int i = 1; i < path.n; i++)
    if (path.t[i] == path.t[i - 1]) {
      SS_CHECK (path.y[i - 1] == -5 && path.y[i] == 4 && path.x[i] == 0);
      n_jumps++;
    }
  SS_CHECK (n_jumps == 1);
  ssapp_path_clear (&path);
  ssapp_path_init (&path, trajectory, 1, N_CHANNELS, 10); /* no such channel */
  SS_CHECK (path.n == 0);
  ssapp_path_clear (&path);
  ssapp_phase_first_channels (NULL, &x, &y);
  SS_CHECK (x == 0 && y == 0);
  SS_CHECK (ssapp_phase_find_channel (trajectory, "ball.vy") == 2);
  SS_CHECK (ssapp_phase_find_channel (trajectory, "ball.vy [m/s]") == 2);
  SS_CHECK (ssapp_phase_find_channel (trajectory, "ball") == -1);
  ss_trajectory_free (trajectory);
}

static void
a_press_on_a_path_finds_its_time (void)
{
  /* a circle once round: every device point has one nearest time */
  enum { N = 361 };
  double t[N], x[N], y[N];
  SsappStyle style;
  const SsappPlotSpec spec = {.x_label = "x",
                              .y_label = "y",
                              .x_min = -1,
                              .x_max = 1,
                              .y_min = -1,
                              .y_max = 1,
                              .tolerance = NAN,
                              .cursor = NAN,
                              .reference = NAN};
  const SsappSeries series = {.n = N, .x = x, .y = y, .t = t};
  SsappAxis axis;
  double left, right;

  for (int i = 0; i < N; i++) {
    t[i] = i / 360.;
    x[i] = cos (2 * G_PI * t[i]);
    y[i] = sin (2 * G_PI * t[i]);
  }
  ssapp_style_init (&style, FALSE);
  ssapp_plot_layout_x (&style, &spec, &series, 1, 0, 400, &axis, &left, &right);
  SS_CHECK (fabs (ssapp_plot_time_at (&style, &spec, &series, 1, 0, 0, 400, 300, left - 20, 150) - 0.5) < 0.05);
  SS_CHECK (ssapp_plot_time_at (&style, &spec, &series, 1, 0, 0, 400, 300, (left + right) / 2, 0) == 0.25);
  SS_CHECK (isnan (ssapp_plot_time_at (&style, &spec, NULL, 0, 0, 0, 400, 300, 1, 1)));
}

static void
steps_are_told (void)
{
  SsTrajectory *trajectory = make_bounce ();
  g_autofree char *first = ssapp_step_describe (NULL, trajectory, 0.2),
                  *at = ssapp_step_describe (NULL, trajectory, T1), *last = ssapp_step_describe (NULL, trajectory, 0.7),
                  *none = ssapp_step_describe (NULL, trajectory, 1);

  SS_CHECK_STR (first, "step 1: 0.5 s long, 0 s to 0.5 s");
  SS_CHECK_STR (at, "step 2: 0.2 s long, 0.5 s to 0.7 s"); /* the later one at a row */
  SS_CHECK_STR (last, "step 2: 0.2 s long, 0.5 s to 0.7 s");
  SS_CHECK (none == NULL && ssapp_step_describe (NULL, NULL, 0) == NULL);
  ss_trajectory_free (trajectory);
}

/* [000 Fig 5 Fig 8 Fig 10]. */
static void
states_have_stairs_and_strokes (void)
{
  SsTrajectory *trajectory = make_bounce ();
  SsappFigureRun run = {.label = "run", .method = {SS_METHOD_INTEGRATOR, "fesd-j"}, .trajectory = trajectory};
  double x, y;

  g_autoptr (GPtrArray) strokes = export_lines (ssapp_plot_find ("states"), &run, NULL, "floor.impulse_n");
  SS_CHECK (strokes->len == 3); /* from 0 to 9, then a gap */
  numbers_of (strokes->pdata[1], &x, &y);
  SS_CHECK (x == T1 && y == 9);
  g_autoptr (GPtrArray) still = export_lines (ssapp_plot_find ("states"), &run, NULL, "ball.x");
  SS_CHECK (still->len == 0); /* what never changes is left out */
  run.holds_controls = TRUE;
  g_autoptr (GPtrArray) held = export_lines (ssapp_plot_find ("states"), &run, NULL, "u.push");
  SS_CHECK (held->len == 7);
  for (guint i = 0; i < held->len; i++) { /* 1 up to the row where it is 3 */
    numbers_of (held->pdata[i], &x, &y);
    SS_CHECK (y == (x < T1 || i == 1 ? 1 : 3));
  }
  ss_trajectory_free (trajectory);
}

static void
steady_forces_are_shown (void)
{
  for (int i = 0; i < 2; i++) {
    SsTrajectory *trajectory = make_bounce_with (i == 0 ? 0 : 9.81);
    const SsappFigureRun run = {.label = "run", .method = {SS_METHOD_INTEGRATOR, "fesd-j"}, .trajectory = trajectory};
    g_autoptr (GPtrArray) lines = export_lines (ssapp_plot_find ("states"), &run, NULL, "floor.lambda_n");

    SS_CHECK ((lines->len > 0) == (i == 1));
    ss_trajectory_free (trajectory);
  }
}

static void
wrong_channels_and_runs_are_refused (void)
{
  SsTrajectory *trajectory = make_bounce ();
  const SsappFigureRun runs[2] = {{.label = "run", .trajectory = trajectory},
                                  {.label = "run", .trajectory = trajectory}};
  const SsappFigureRun bare = {.label = "none"};
  SsappFigureOptions options = {.width_mm = 88, .dpi = 100, .time = NAN, .x_channel = "t", .y_channel = "ball.z"};
  g_autofree char *path = file ("f.png");
  GError *error = NULL;

  SS_CHECK (!ssapp_export_figure (ssapp_plot_find ("phase"), NULL, runs, 1, &options, path, &error));
  SS_CHECK_CONTAINS (error != NULL ? error->message : NULL, "ball.z");
  g_clear_error (&error);
  SS_CHECK (!ssapp_export_figure (ssapp_plot_find ("states"), NULL, runs, 2, NULL, path, &error));
  SS_CHECK_CONTAINS (error != NULL ? error->message : NULL, "one run at a time");
  g_clear_error (&error);
  SS_CHECK (!ssapp_export_figure (ssapp_plot_find ("phase"), NULL, &bare, 1, NULL, path, &error));
  SS_CHECK_CONTAINS (error != NULL ? error->message : NULL, "trajectory");
  g_clear_error (&error);
  SS_CHECK (!g_file_test (path, G_FILE_TEST_EXISTS));
  options.y_channel = "ball.vy";
  g_autoptr (GPtrArray) lines = export_lines (ssapp_plot_find ("phase"), runs, &options, "ball.vy [m/s]");
  SS_CHECK (lines->len > 100);
  ss_trajectory_free (trajectory);
}

/* The title within a picture's file is that of its plot. */
static void
titles_name_the_plot (void)
{
  static const char *const titles[][2] = {{"states", "<title>Figure: states</title>"},
                                          {"phase", "<title>Figure: phase plane</title>"},
                                          {"steps", "<title>Figure: step sizes</title>"}};
  SsTrajectory *trajectory = make_bounce ();
  const SsappFigureRun run = {.label = "run", .trajectory = trajectory};
  const SsappFigureOptions options = {.width_mm = 88, .dpi = 100, .time = NAN};
  g_autofree char *path = file ("f.svg");

  for (guint i = 0; i < G_N_ELEMENTS (titles); i++) {
    g_autofree char *text = NULL;
    SS_CHECK (ssapp_export_figure (ssapp_plot_find (titles[i][0]), NULL, &run, 1, &options, path, NULL));
    SS_CHECK (g_file_get_contents (path, &text, NULL, NULL));
    SS_CHECK_CONTAINS (text, titles[i][1]);
  }
  g_remove (path);
  ss_trajectory_free (trajectory);
}

/* ---- colours ----------------------------------------------------------------------------------------------------- */

static double
linear (double value)
{
  return value <= 0.04045 ? value / 12.92 : pow ((value + 0.055) / 1.055, 2.4);
}

static double
lab_function (double t)
{
  return t > 0.008856 ? cbrt (t) : 7.787 * t + 16. / 116;
}

/* CIELAB of a colour as it is seen: matrices of Machado, Oliveira, Fernandes 2009 for the full deficiency. */
static void
lab_of (SsappColor color, int deficiency, double lab[3])
{
  static const double seen[4][9] = {
      {1, 0, 0, 0, 1, 0, 0, 0, 1},
      {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
      {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
      {1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900}};
  const double in[3] = {linear (color.r), linear (color.g), linear (color.b)};
  double l[3];

  for (int i = 0; i < 3; i++)
    l[i] = CLAMP (seen[deficiency][3 * i] * in[0] + seen[deficiency][3 * i + 1] * in[1] +
                      seen[deficiency][3 * i + 2] * in[2],
                  0, 1);
  const double fx = lab_function ((0.4124 * l[0] + 0.3576 * l[1] + 0.1805 * l[2]) / 0.9505),
               fy = lab_function (0.2126 * l[0] + 0.7152 * l[1] + 0.0722 * l[2]),
               fz = lab_function ((0.0193 * l[0] + 0.1192 * l[1] + 0.9505 * l[2]) / 1.089);
  lab[0] = 116 * fy - 16;
  lab[1] = 500 * (fx - fy);
  lab[2] = 200 * (fy - fz);
}

/* Fillings of all modes and the bare card, as they look on the card. */
static void
modes_are_apart_for_the_colour_blind (void)
{
  const double least = 12; /* CIE76; the colours before were 7.5 apart at the closest, 2.3 is just noticeable */

  for (int dark = 0; dark < 2; dark++)
    for (int deficiency = 0; deficiency < 4; deficiency++) {
      double lab[SSAPP_MODE_COUNT][3];
      SsappStyle style;

      ssapp_style_init (&style, dark);
      const SsappColor card = ssapp_style_color (&style, SSAPP_COLOR_CARD);
      for (int mode = 0; mode < SSAPP_MODE_COUNT; mode++) {
        const SsappColor c = ssapp_mode_color (&style, (SsappContactMode)mode);
        const double a = mode == SSAPP_MODE_OPEN ? 0 : SSAPP_MODE_FILL; /* open has no filling */
        lab_of ((SsappColor){a * c.r + (1 - a) * card.r, a * c.g + (1 - a) * card.g, a * c.b + (1 - a) * card.b, 1},
                deficiency, lab[mode]);
      }
      for (int i = 0; i < SSAPP_MODE_COUNT; i++)
        for (int k = 0; k < i; k++)
          SS_CHECK (hypot (hypot (lab[i][0] - lab[k][0], lab[i][1] - lab[k][1]), lab[i][2] - lab[k][2]) > least);
    }
}

/* Mode and multipliers of a contact, each by its letter, as the row at that reading has them. */
static void
multipliers_are_told_by_their_letters (void)
{
  static const struct {
    double speed, n, v, t;
    const char *words;
  } cases[] = {{0, 0, 0.25, 0.5, "Jump: dt/dτ 0, θ 0.25 0.375 0.375, α 0 0.25 0.5"},
               {1, 0, 0, 1, "Contact: dt/dτ 1, θ 0 1 0, α 0 0 1"},
               {1, 1, 0.125, 0.5, "Free: dt/dτ 1, θ 1 0 0, α 1 0.125 0.5"}};
  static const char *const names[] = {"tau", "floor.gap", "alpha.floor.n", "alpha.floor.v", "alpha.floor.t", "speed"};
  SsChannel channels[6];

  for (int c = 0; c < 6; c++)
    channels[c] =
        (SsChannel){.name = names[c], .unit = "", .owner = SS_OWNER_CONTACT, .owner_name = c == 1 ? "floor" : ""};
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    SsTrajectory *trajectory = NULL;
    SS_CHECK (ss_trajectory_new (channels, 6, 2, &trajectory, NULL) == SS_OK);
    for (int r = 0; r < 2; r++) {
      const double row[] = {r, 7, cases[i].n, cases[i].v, cases[i].t, cases[i].speed};
      SS_CHECK (ss_trajectory_append (trajectory, row, NULL) == SS_OK);
    }
    g_autofree char *words = ssapp_frozen_describe (NULL, trajectory, 1, 0.5, FALSE),
                    *none = ssapp_frozen_describe (NULL, trajectory, 0, 0.5, FALSE);
    SS_CHECK_STR (words, cases[i].words);
    SS_CHECK (none == NULL); /* of no contact */
    ss_trajectory_free (trajectory);
  }
}

int
main (void)
{
  directory = g_dir_make_tmp ("stickslip-figures-XXXXXX", NULL);
  SS_RUN (paths_follow_the_motion);
  SS_RUN (a_press_on_a_path_finds_its_time);
  SS_RUN (steps_are_told);
  SS_RUN (states_have_stairs_and_strokes);
  SS_RUN (steady_forces_are_shown);
  SS_RUN (wrong_channels_and_runs_are_refused);
  SS_RUN (titles_name_the_plot);
  SS_RUN (multipliers_are_told_by_their_letters);
  SS_RUN (modes_are_apart_for_the_colour_blind);
  g_rmdir (directory);
  g_free (directory);
  return ss_test_finish ();
}
