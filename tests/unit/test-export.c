/* tests/unit/test-export.c: files that appear whole or not at all, formats that other programs read, numbers that
 * survive.
 *
 * Failing writes are made by a file size limit (in a child process), a missing directory and a directory in the
 * target's place: these fail for root too.
 */
#include "app/base/ssapp-import.h"
#include "app/base/ssapp-json.h"
#include "app/draw/ssapp-run-events.h"
#include "app/draw/ssapp-run-plots.h"
#include "app/export/ssapp-export-private.h"
#include "app/export/ssapp-file-kind.h"
#include "app/export/ssapp-plot-kind.h"
#include "app/job/ssapp-keep.h"
#include "core/ss-stage-rows.h"
#include "tests/ss-test-scenario.h"
#include "tests/ss-test-stepper.h"

#include <glib/gstdio.h>
#include <jansson.h>
#include <locale.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <webp/demux.h>

static char *directory; /* of this run; removed at the end */

static char *
file (const char *name)
{
  return g_build_filename (directory, name, NULL);
}

static char *
contents (const char *path, gsize *length)
{
  char *text = NULL;
  if (!g_file_get_contents (path, &text, length, NULL))
    return g_strdup ("");
  return text;
}

static int
count_files (void)
{
  GDir *dir = g_dir_open (directory, 0, NULL);
  int n = 0;
  while (g_dir_read_name (dir) != NULL)
    n++;
  g_dir_close (dir);
  return n;
}

static void
remove_files (void)
{
  GDir *dir = g_dir_open (directory, 0, NULL);
  const char *name;
  while ((name = g_dir_read_name (dir)) != NULL) {
    char *path = file (name);
    if (g_remove (path) != 0)
      g_rmdir (path);
    g_free (path);
  }
  g_dir_close (dir);
}

/* As the figure is written. */
static double
height_of (const SsappPlotKind *plot, const SsScenario *scenario, const SsappFigureRun *runs, int n, double width)
{
  SsappFigure figure;

  ssapp_figure_prepare (&figure, plot, scenario, runs, n, NULL);
  const double height = ssapp_figure_height (&figure, width);
  ssapp_figure_clear (&figure);
  return height;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static void
files_are_written_and_replaced (void)
{
  char *path = file ("a.txt"), *text;
  struct stat info;
  GError *error = NULL;
  SS_CHECK (ssapp_write_file (path, "first", -1, &error) && error == NULL);
  SS_CHECK (g_chmod (path, 0640) == 0);
  SS_CHECK (ssapp_write_file (path, "second\0half", 11, &error));
  gsize length = 0;
  text = contents (path, &length);
  SS_CHECK (length == 11 && memcmp (text, "second\0half", 11) == 0);
  SS_CHECK (stat (path, &info) == 0 && (info.st_mode & 0777) == 0640); /* rights stay */
  SS_CHECK (ssapp_write_file (path, "none of this", 0, &error) && stat (path, &info) == 0 && info.st_size == 0);
  SS_CHECK (count_files () == 1);
  g_free (text);
  g_free (path);
  remove_files ();
}

static void
links_stay_links (void)
{
  char *target = file ("target.txt"), *link = file ("link.txt"), *text;
  SS_CHECK (ssapp_write_file (target, "old", -1, NULL));
  SS_CHECK (symlink ("target.txt", link) == 0);
  SS_CHECK (ssapp_write_file (link, "new", -1, NULL));
  text = contents (target, NULL);
  SS_CHECK_STR (text, "new");
  SS_CHECK (g_file_test (link, G_FILE_TEST_IS_SYMLINK));
  g_free (text);
  g_free (target);
  g_free (link);
  remove_files ();
}

static void
failures_name_file_and_cause (void)
{
  char *path = g_build_filename (directory, "no-such-directory", "x.csv", NULL), *place = file ("place");
  GError *error = NULL;
  SS_CHECK (!ssapp_write_file (path, "x", -1, &error));
  SS_CHECK (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND));
  SS_CHECK_CONTAINS (error != NULL ? error->message : NULL, path);
  SS_CHECK_CONTAINS (error != NULL ? error->message : NULL, "No such file");
  g_clear_error (&error);
  SS_CHECK (g_mkdir (place, 0700) == 0);
  SS_CHECK (!ssapp_write_file (place, "x", -1, &error));
  SS_CHECK_CONTAINS (error != NULL ? error->message : NULL, place);
  g_clear_error (&error);
  SS_CHECK (!ssapp_write_file (place, "x", -1, NULL)); /* no error wanted */
  SS_CHECK (count_files () == 1);
  g_free (path);
  g_free (place);
  remove_files ();
}

/* In a child whose files may not grow beyond 4 kB: exit status 0 when the write failed as it should. */
static int
write_beyond_limit (const char *path)
{
  const struct rlimit limit = {4096, 4096};
  char *data = g_malloc0 (100000);
  GError *error = NULL;
  if (setrlimit (RLIMIT_FSIZE, &limit) != 0)
    return 2;
  if (ssapp_write_file (path, data, 100000, &error))
    return 3;
  if (error == NULL || strstr (error->message, path) == NULL || strstr (error->message, "too large") == NULL)
    return 4;
  /* the signal was taken: a later write within the limit works */
  return ssapp_write_file (path, "small", -1, NULL) ? 0 : 5;
}

static void
a_full_disk_leaves_the_target_alone (void)
{
  char *path = file ("kept.txt"), *text;
  int status = -1;
  SS_CHECK (ssapp_write_file (path, "kept", -1, NULL));
  fflush (stdout);
  pid_t child = fork ();
  if (child == 0) {
    char *victim = file ("kept.txt");
    const struct rlimit limit = {4096, 4096};
    char *data = g_malloc0 (100000);
    _exit (setrlimit (RLIMIT_FSIZE, &limit) == 0 && !ssapp_write_file (victim, data, 100000, NULL) ? 0 : 1);
  }
  SS_CHECK (waitpid (child, &status, 0) == child && WIFEXITED (status) && WEXITSTATUS (status) == 0);
  text = contents (path, NULL);
  SS_CHECK_STR (text, "kept");
  SS_CHECK (count_files () == 1); /* no part is left */
  g_free (text);

  child = fork ();
  if (child == 0)
    _exit (write_beyond_limit (path));
  SS_CHECK (waitpid (child, &status, 0) == child && WIFEXITED (status));
  SS_CHECK_NEAR (WEXITSTATUS (status), 0, 0);
  g_free (path);
  remove_files ();
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

static SsTrajectory *
make_trajectory (int n)
{
  static const char *const channels[] = {"t", "px", "py", "th", "cx", "cy", "l1", "l2", "l3", "l4"};
  SsTrajectory *trajectory = NULL;
  SsError error;
  if (ss_trajectory_new_named (channels, G_N_ELEMENTS (channels), n, &trajectory, &error) != SS_OK)
    abort ();
  for (int k = 0; k < n; k++) {
    const double row[] = {k / 50., -0.01 * k, -1. / 3. * k / n, 0.01 * k, 0.5, 0.25, 0, 0, -3. - k % 5, 0};
    if (ss_trajectory_append (trajectory, row, &error) != SS_OK)
      abort ();
  }
  return trajectory;
}

/* Of more rows than are made at once before they are written. */
static void
trajectories_survive_bit_by_bit (void)
{
  enum { N = 3000 };
  SsTrajectory *trajectory = make_trajectory (N);
  char *path = file ("t.csv"), *text;
  trajectory->values[13] = 4.9406564584124654e-324; /* the smallest double */
  trajectory->values[14] = NAN;
  trajectory->values[15] = 1.7976931348623157e308;
  setlocale (LC_ALL, "de_DE.UTF-8"); /* a decimal comma, where that locale is installed */
  SS_CHECK (ssapp_export_trajectory_csv (trajectory, path, NULL));
  setlocale (LC_ALL, "C");
  text = contents (path, NULL);
  char **lines = g_strsplit (text, "\n", -1);
  SS_CHECK_STR (lines[0], "t,px,py,th,cx,cy,l1,l2,l3,l4");
  SS_CHECK (strlen (text) > 2 * 65536);
  SS_CHECK (g_strv_length (lines) == N + 2 && *lines[N + 1] == '\0');
  for (int k = 0; k < N && lines[k + 1] != NULL; k++) {
    char **cells = g_strsplit (lines[k + 1], ",", -1);
    SS_CHECK (g_strv_length (cells) == 10);
    for (int c = 0; c < 10 && cells[c] != NULL; c++) {
      double value = *cells[c] != '\0' ? g_ascii_strtod (cells[c], NULL) : NAN;
      SS_CHECK (memcmp (&value, &trajectory->values[10 * k + c], 8) == 0 ||
                (isnan (value) && isnan (trajectory->values[10 * k + c])));
    }
    g_strfreev (cells);
  }
  g_strfreev (lines);
  g_free (text);
  g_free (path);
  ss_trajectory_free (trajectory);
  remove_files ();
}

/* Both rows of a jump are written and read; the figure's data have them too; a table whose times descend is refused at
 * its line. */
static void
jumps_survive (void)
{
  SsScenario *scenario = ss_test_read_text (ss_test_ball_text);
  SsSimResult run = {0};
  SsError err;
  GError *error = NULL;
  char *path = file ("jumps.csv"), *figure = file ("figure.csv"), *bad = file ("bad.csv");
  SS_CHECK (
      ss_simulate_job (&(SsSimJob){.scene = scenario->scene, .integrator = &ss_test_stepper, .dt = 0.07, .t_end = 1.5},
                       NULL, &run, &err) == SS_OK);
  const SsTrajectory *motion = run.trajectory;
  SS_CHECK (ssapp_export_trajectory_csv (motion, path, &error));
  SsTrajectory *again = ssapp_import_trajectory_csv (path, &error);
  SS_CHECK (again != NULL && again->n_rows == motion->n_rows && again->n_channels == motion->n_channels);
  if (again != NULL && again->n_rows == motion->n_rows)
    SS_CHECK (memcmp (again->values, motion->values,
                      sizeof (double) * (gsize)motion->n_rows * (gsize)motion->n_channels) == 0);
  SS_CHECK (again != NULL && ss_trajectory_channel (again, "tau") == motion->n_channels - 1);
  SS_CHECK (again != NULL && ss_scenario_describe (scenario, again, &err) == SS_OK &&
            again->channels[motion->n_channels - 1].quantity == SS_QUANTITY_NUMERICAL_TIME &&
            motion->channels[motion->n_channels - 1].quantity == SS_QUANTITY_NUMERICAL_TIME);
  ss_trajectory_free (again);

  const SsappFigureRun shown = {
      .label = "ball", .method = {SS_METHOD_INTEGRATOR, "test-stepper"}, .trajectory = motion};
  SS_CHECK (ssapp_export_figure (ssapp_plot_find ("motion"), scenario, &shown, 1, NULL, figure, &error));
  char *text = contents (figure, NULL);
  SS_CHECK_CONTAINS (text, "\nball,test-stepper,ball.vy,t,0.4"); /* the first impact, before and after */
  char **lines = g_strsplit (text, "\n", -1);
  SS_CHECK ((int)g_strv_length (lines) == 2 + motion->n_rows * (motion->n_channels - 1));
  g_strfreev (lines);
  g_free (text);

  SS_CHECK (ssapp_write_file (bad, "t,u.push\n0,1\n0.1,1\n0.1,2\n0.05,3\n", -1, NULL));
  SS_CHECK (ssapp_import_trajectory_csv (bad, &error) == NULL);
  SS_CHECK_CONTAINS (error != NULL ? error->message : NULL, "bad.csv:5: the times must");
  SS_CHECK_CONTAINS (error != NULL ? error->message : NULL, "0.05");
  g_clear_error (&error);
  g_free (path);
  g_free (figure);
  g_free (bad);
  ss_sim_result_clear (&run);
  ss_scenario_free (scenario);
  remove_files ();
}

/* Exact events say so in a result and in words; others look as ever. */
static void
exact_events_say_so (void)
{
  SsScenario *scenario = ss_test_read_text (ss_test_ball_text);
  SsEvent items[] = {{.t = 0.123456789123, .kind = SS_EVENT_IMPACT, .impulse = 2, .is_exact = true, .tau = 0.5},
                     {.t = 0.25, .kind = SS_EVENT_SEPARATION, .point = 3, .impulse = NAN, .is_exact = true, .tau = NAN},
                     {.t = 0.35, .kind = SS_EVENT_IMPACT, .point = -1, .impulse = 3, .tau = NAN}};
  const SsEventList list = {.n_items = 3, .items = items};
  json_t *result = json_object ();
  json_object_set_new (result, "events", ssapp_run_events_to_json (scenario->scene, &list));
  const json_t *events = json_object_get (result, "events");
  const json_t *first = json_array_get (events, 0), *second = json_array_get (events, 1),
               *third = json_array_get (events, 2);
  SS_CHECK (json_is_true (json_object_get (first, "exact")) && json_is_true (json_object_get (second, "exact")));
  SS_CHECK_NEAR (ssapp_json_get_real (first, "tau"), 0.5, 0);
  SS_CHECK (json_object_get (second, "tau") == NULL);
  SS_CHECK (json_object_get (third, "exact") == NULL && json_object_size (third) == 5);
  SS_CHECK (json_integer_value (json_object_get (second, "point")) == 3);
  SS_CHECK (json_is_null (json_object_get (third, "point")));
  GArray *read = ssapp_run_events_from_json (result);
  static const char *const words[] = {"0.123456789 s: impact at landing, point 0, 2 N s",
                                      "0.250000000 s: separation of landing, point 3",
                                      "0.3500 s: impact at landing, 3 N s"};
  SS_CHECK (read->len == 3);
  for (guint i = 0; i < read->len; i++) {
    char *text = ssapp_run_event_describe (&g_array_index (read, SsappRunEvent, i));
    SS_CHECK_STR (text, words[i]);
    g_free (text);
  }
  g_array_unref (read);
  /* As the engine has them, for what goes on: those of a contact that is gone are left out. */
  SsEventList *back;
  json_object_set_new (json_array_get (events, 0), "contact", json_string ("gone"));
  SS_CHECK (ssapp_run_events_to_list (events, scenario->scene, &back, NULL) == SS_OK && back->n_items == 2);
  SS_CHECK (back->items[0].t == 0.25 && back->items[0].kind == SS_EVENT_SEPARATION && back->items[0].point == 3);
  SS_CHECK (back->items[0].is_exact && isnan (back->items[0].impulse) && isnan (back->items[0].tau));
  SS_CHECK (back->items[1].point == -1 && back->items[1].impulse == 3 && !back->items[1].is_exact);
  ss_events_free (back);
  json_decref (result);
  ss_scenario_free (scenario);
}

/* ---- rows of a method with stages -------------------------------------------------------------------------------- */

static SsTrajectory *
make_rows (const double (*rows)[7], int n)
{
  static const SsChannel channels[] = {
      {"t", SS_QUANTITY_TIME, "s", SS_OWNER_SCENE, "", false},
      {"ball.y", SS_QUANTITY_POSITION_Y, "m", SS_OWNER_BODY, "ball", true},
      {"ball.vy", SS_QUANTITY_VELOCITY_Y, "m/s", SS_OWNER_BODY, "ball", true},
      {"floor.gap", SS_QUANTITY_GAP, "m", SS_OWNER_CONTACT, "floor", false},
      {"floor.n", SS_QUANTITY_NORMAL_FORCE, "N", SS_OWNER_CONTACT, "floor", false},
      {"floor.t", SS_QUANTITY_TANGENTIAL_FORCE, "N", SS_OWNER_CONTACT, "floor", false},
      {"floor.p", SS_QUANTITY_NORMAL_IMPULSE, "N s", SS_OWNER_CONTACT, "floor", false}};
  SsTrajectory *trajectory;
  SsError error;

  if (ss_trajectory_new (channels, G_N_ELEMENTS (channels), n, &trajectory, &error) != SS_OK)
    return NULL;
  for (int i = 0; i < n; i++)
    SS_CHECK (ss_trajectory_append (trajectory, rows[i], &error) == SS_OK);
  return trajectory;
}

/* Falls, lands on its back and slips, sticks, slips the other way, leaves the floor. */
static const double landing[][7] = {{0, 1, 0, 1, 0, 0, 0},    {0.5, 0, -4, 0, 0, 0, 0}, {0.5, 0, 0, 0, 10, -5, 4},
                                    {1, 0, 0, 0, 10, -5, 0},  {1.5, 0, 0, 0, 10, 5, 0}, {2, 0, 0, 0, 10, 5, 0},
                                    {2.25, 0, 0, 0, 0, 0, 0}, {3, 1, 2, 1, 0, 0, 0}};

/* Between rows velocities are derivatives of the curved positions, in steps of Euler's rule they hold their line. */
static void
velocities_are_curved (void)
{
  enum { ROWS = 9 };
  const SsChannel channels[] = {ss_channel_of_time (),
                                {"box.x", SS_QUANTITY_POSITION_X, "m", SS_OWNER_BODY, "box", true},
                                {"box.vx", SS_QUANTITY_VELOCITY_X, "m/s", SS_OWNER_BODY, "box", true}};
  SsTrajectory *swing = NULL, *euler = NULL;
  double worst = 0, straight = 0, x = 0;

  SS_CHECK (ss_trajectory_new (channels, 3, ROWS, &swing, NULL) == SS_OK);
  SS_CHECK (ss_trajectory_new (channels, 3, ROWS, &euler, NULL) == SS_OK);
  for (int i = 0; i < ROWS; i++) {
    const double t = 0.25 * i, v = 1 - 0.5 * i;
    x += i > 0 ? 0.25 * v : 0;
    SS_CHECK (ss_trajectory_append (swing, (const double[]){t, sin (3 * t), 3 * cos (3 * t)}, NULL) == SS_OK);
    SS_CHECK (ss_trajectory_append (euler, (const double[]){t, x, v}, NULL) == SS_OK);
  }
  SsTrajectory *curved = ssapp_refine_motion (swing, 200), *held = ssapp_refine_motion (euler, 200);
  SS_CHECK (curved != NULL && held != NULL && curved->n_rows > 190);
  for (int i = 0; i < curved->n_rows; i++) {
    const double *row = ss_trajectory_row (curved, i);
    double between[3];
    ss_trajectory_sample (swing, row[0], between);
    worst = fmax (worst, fabs (row[2] - 3 * cos (3 * row[0])));
    straight = fmax (straight, fabs (between[2] - 3 * cos (3 * row[0])));
  }
  SS_CHECK (worst < straight / 5); /* third order in 0.75 rad a row, against second */
  for (int i = 0; i < held->n_rows; i++) {
    const double *row = ss_trajectory_row (held, i);
    SS_CHECK_NEAR (row[2], 1 - 2 * row[0], 1e-12);
  }
  ss_trajectory_free (swing);
  ss_trajectory_free (euler);
  ss_trajectory_free (curved);
  ss_trajectory_free (held);
}

static void
steps_are_times_between_rows (void)
{
  SsTrajectory *trajectory = make_rows (landing, G_N_ELEMENTS (landing));
  static const double t[] = {0, 0.5, 0.5, 1, 1, 1.5, 1.5, 2, 2, 2.25, 2.25, 3},
                      h[] = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.25, 0.25, 0.75, 0.75};
  double *times, *sizes;

  SS_CHECK (ssapp_step_sizes (trajectory, &times, &sizes) == 12); /* none for the jump at 0.5 */
  SS_CHECK (memcmp (times, t, sizeof t) == 0 && memcmp (sizes, h, sizeof h) == 0);
  const SsappSeries series = {.n = 12, .x = times, .y = sizes};
  SS_CHECK (!ssapp_step_sizes_suit_log (&series, 1));
  sizes[3] = 0.01;
  SS_CHECK (ssapp_step_sizes_suit_log (&series, 1));
  g_free (times);
  g_free (sizes);
  SS_CHECK (ssapp_step_sizes (NULL, &times, &sizes) == 0);
  g_free (times);
  g_free (sizes);

  SsTrajectory *refined =
      ssapp_refine_motion (trajectory, 6); /* rows at most 0.5 apart: only the last step is longer */
  SS_CHECK (refined != NULL && refined->n_rows == trajectory->n_rows + 1);
  SS_CHECK (ss_trajectory_row (refined, 7)[0] == 2.625 && ss_trajectory_row (refined, 2)[6] == 4);
  ss_trajectory_free (refined);
  ss_trajectory_free (trajectory);
}

static char *
modes_of (const double (*rows)[7], int n, double mu)
{
  SsTrajectory *trajectory = make_rows (rows, n);
  SsContact contact = {.name = (char *)"floor", .mu = mu};
  const SsScene scene = {.contacts = &contact, .n_contacts = 1};
  GPtrArray *strips = ssapp_mode_strips_new ();

  ssapp_mode_strips_add (strips, &scene, trajectory, NULL);
  char *text = ssapp_mode_strips_describe (strips);
  g_ptr_array_unref (strips);
  ss_trajectory_free (trajectory);
  return text;
}

static void
modes_are_read_from_forces (void)
{
  /* Means over the step before: the later row alone says what the step was. */
  static const double means[][7] = {
      {0, 1, 0, 1, 0, 0, 0}, {1, 0, 0, 0, 10, -5, 10}, {2, 0, 0, 0, 10, 3, 10}, {3, 0, 0, 0, 10, 5, 10}};
  char *text = modes_of (landing, G_N_ELEMENTS (landing), 0.5);

  SS_CHECK_STR (text, "floor: open to 0.5 s, slip + to 1 s, slip − to 2.25 s, open to 3 s");
  g_free (text);
  text = modes_of (landing, G_N_ELEMENTS (landing), 0.8);
  SS_CHECK_STR (text, "floor: open to 0.5 s, stick to 2.25 s, open to 3 s");
  g_free (text);
  text = modes_of (landing, G_N_ELEMENTS (landing), 0);
  SS_CHECK_STR (text, "floor: open to 0.5 s, no friction to 2.25 s, open to 3 s");
  g_free (text);
  text = modes_of (means, G_N_ELEMENTS (means), 0.5);
  SS_CHECK_STR (text, "floor: slip + to 1 s, stick to 2 s, slip − to 3 s");
  g_free (text);
}

static void
both_sides_of_a_jump_are_reached (void)
{
  SsTrajectory *trajectory = make_rows (landing, G_N_ELEMENTS (landing));
  GArray *events = g_array_new (FALSE, TRUE, sizeof (SsappRunEvent));
  SsappRunEvent impact = {.t = 0.5,
                          .kind = SS_EVENT_IMPACT,
                          .contact = "floor",
                          .point = -1,
                          .impulse = 4,
                          .is_exact = TRUE,
                          .condition = -2.5e-16};
  g_array_append_val (events, impact);
  const SsappEventTrack tracks[] = {{.events = events, .label = "one", .trajectory = trajectory}};
  SsappInstant at = {0, FALSE};
  char *text = ssapp_event_tracks_place (tracks, 1, &at);

  SS_CHECK (text == NULL);
  SS_CHECK (ssapp_event_tracks_step (tracks, 1, 1, FALSE, &at) && at.t == 0.5 && at.is_before);
  text = ssapp_event_tracks_place (tracks, 1, &at);
  SS_CHECK_STR (text, "before the impact");
  g_free (text);
  SS_CHECK (ssapp_event_tracks_step (tracks, 1, 1, FALSE, &at) && at.t == 0.5 && !at.is_before);
  text = ssapp_event_tracks_place (tracks, 1, &at);
  SS_CHECK_STR (text, "after the impact");
  g_free (text);
  SS_CHECK (ssapp_event_tracks_step (tracks, 1, 1, FALSE, &at) && at.t == 1 && !at.is_before);
  SS_CHECK (ssapp_event_tracks_step (tracks, 1, -1, TRUE, &at) && at.t == 0.5 && !at.is_before);
  SS_CHECK (ssapp_event_tracks_step (tracks, 1, -1, TRUE, &at) && at.t == 0.5 && at.is_before);
  SS_CHECK (ssapp_event_tracks_step (tracks, 1, -1, TRUE, &at) && at.t == 0);
  SS_CHECK (!ssapp_event_tracks_step (tracks, 1, -1, TRUE, &at) && at.t == 0);
  at.t = 0.6; /* between rows */
  SS_CHECK (ssapp_event_tracks_step (tracks, 1, -1, TRUE, &at) && at.t == 0.5 && !at.is_before);
  text = ssapp_event_tracks_describe (tracks, 1, 0.51, 0.02, 3);
  SS_CHECK_STR (
      text, "0.500000000 s: impact at floor, 4 N s; solved for: gap = 0, left \u22122.5\u00b710\u207b\u00b9\u2076 m");
  g_free (text);
  g_array_index (events, SsappRunEvent, 0).is_following = TRUE;
  text = ssapp_event_tracks_describe (tracks, 1, 0.51, 0.02, 3);
  SS_CHECK_STR (text, "0.500000000 s: impact at floor, 4 N s; caused by another event at this instant");
  g_free (text);
  g_array_unref (events);
  ss_trajectory_free (trajectory);
}

/* Two steps of a two-stage scheme whose last stage is the end, the second step of two elements; a jump at .4 s. */
static void
stages_are_reached (void)
{
  static const char *const names[] = {"t", "step", "stage", "stages"};
  static const double rows[][4] = {{0, 0, 0, 2},   {0.1, 1, 1, 2}, {0.3, 1, 0, 2}, {0.35, 2, 1, 2},
                                   {0.4, 2, 0, 2}, {0.4, 2, 0, 2}, {0.5, 2, 1, 2}, {0.6, 2, 0, 2}};
  static const char *const words[] = {"step 0",
                                      "step 1, stage 1 of 2",
                                      "step 1, stage 2 of 2",
                                      "step 2, element 1 of 2, stage 1 of 2",
                                      "step 2, element 1 of 2, stage 2 of 2, before the jump",
                                      "step 2, after the jump",
                                      "step 2, element 2 of 2, stage 1 of 2",
                                      "step 2, element 2 of 2, stage 2 of 2"};
  static const double steps[] = {0, 0.3, 0.4, 0.4, 0.6};
  SsTrajectory *motion;
  SS_CHECK (ss_trajectory_new_named (names, 4, 0, &motion, NULL) == SS_OK);
  for (int c = 0; c < 4; c++) {
    static const SsQuantity quantities[] = {SS_QUANTITY_TIME, SS_QUANTITY_STEP_NUMBER, SS_QUANTITY_STAGE,
                                            SS_QUANTITY_N_STAGES};
    const SsChannel about = {.quantity = quantities[c], .unit = "", .owner_name = ""};
    SS_CHECK (ss_trajectory_describe (motion, c, &about, NULL) == SS_OK);
  }
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    SS_CHECK (ss_trajectory_append (motion, rows[i], NULL) == SS_OK);
  const SsappEventTrack tracks[] = {{.label = "one", .trajectory = motion}};
  SsappInstant at = {0, FALSE};
  SS_CHECK (ssapp_event_tracks_have_stages (tracks, 1));
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree char *told = ssapp_event_tracks_place (tracks, 1, &at);
    SS_CHECK_STR (told, words[i]);
    SS_CHECK (ssapp_event_tracks_step (tracks, 1, 1, TRUE, &at) == (i + 1 < G_N_ELEMENTS (rows)));
  }
  for (gsize i = G_N_ELEMENTS (steps); i-- > 0;) {
    SS_CHECK (at.t == steps[i] && at.is_before == (i == 2));
    SS_CHECK (ssapp_event_tracks_step (tracks, 1, -1, FALSE, &at) == (i > 0));
  }
  at.t = 0.2; /* between rows */
  SS_CHECK (ssapp_event_tracks_place (tracks, 1, &at) == NULL);
  SsTrajectory *thin = ssapp_keep_thin (motion, 3); /* every second time: what is left of a step would miscount */
  SS_CHECK (thin->n_channels == 1 && !ss_stage_rows_has (thin));
  SS_CHECK (thin->n_rows == 4 && ss_trajectory_row (thin, 1)[0] == 0.4 && ss_trajectory_row (thin, 2)[0] == 0.4);
  ss_trajectory_free (thin);
  ss_trajectory_free (motion);
}

static GArray *
make_iterations (int n)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (SsappIteration));
  for (int i = 0; i < n; i++) {
    SsappIteration row = {.iteration = i,
                          .t = 0.01 * i,
                          .objective = 7 + 1000 * exp (-i / 4.),
                          .violation = i == 0 ? 0. : pow (10., -i / 10.),
                          .complementarity = NAN,
                          .step = NAN,
                          .parameter = NAN,
                          .parameter_name = ""};
    g_array_append_val (rows, row);
  }
  return rows;
}

static void
logs_have_every_column (void)
{
  GArray *rows = make_iterations (3);
  char *path = file ("log.csv"), *text;
  g_array_index (rows, SsappIteration, 0).json =
      g_strdup ("{\"type\":\"iteration\",\"id\":\"x\",\"iteration\":0,\"objective\":1.5,\"merit\":0.1}");
  g_array_index (rows, SsappIteration, 1).json =
      g_strdup ("{\"iteration\":1,\"objective\":0.25,\"status\":\"a, \\\"b\\\"\",\"radius\":null}");
  SS_CHECK (ssapp_export_log_csv (rows, path, NULL));
  text = contents (path, NULL);
  char **lines = g_strsplit (text, "\n", -1);
  SS_CHECK_STR (lines[0], "iteration,t,objective,merit,status,radius,violation");
  SS_CHECK_STR (lines[1], "0,0,1.5,0.1,,,");
  SS_CHECK_STR (lines[2], "1,0.01,0.25,,\"a, \"\"b\"\"\",,");
  SS_CHECK (g_str_has_prefix (lines[3], "2,0.02,")); /* without its event: from the fields */
  SS_CHECK (strstr (lines[3], ",,,,") != NULL);
  SS_CHECK (g_ascii_strtod (strrchr (lines[3], ',') + 1, NULL) == 0.63095734448019325); /* as few digits as come back */
  SS_CHECK (g_strv_length (lines) == 5);
  g_strfreev (lines);
  g_free (text);
  SS_CHECK (ssapp_export_log_csv (NULL, path, NULL));
  text = contents (path, NULL);
  SS_CHECK_STR (text, "iteration,t\n");
  g_free (text);
  for (guint i = 0; i < rows->len; i++)
    g_free (g_array_index (rows, SsappIteration, i).json);
  g_array_unref (rows);
  g_free (path);
  remove_files ();
}

/* ---- figures ----------------------------------------------------------------------------------------------------- */

typedef struct {
  SsScenario *scenario;
  SsappFigureRun runs[2];
} Material;

static Material
material_new (void)
{
  Material m = {0};
  m.scenario = ss_test_read_file ("examples/crisp/push-box.stickslip.json", NULL, 0);
  m.runs[0] = (SsappFigureRun){
      "CRISP & <friends>", {SS_METHOD_OPTIMISER, "crisp"}, make_trajectory (100), make_iterations (60), "solved"};
  m.runs[1] =
      (SsappFigureRun){"Ipopt", {SS_METHOD_OPTIMISER, "ipopt"}, make_trajectory (80), make_iterations (90), "solved"};
  return m;
}

static void
material_clear (Material *m)
{
  for (int i = 0; i < 2; i++) {
    ss_trajectory_free ((SsTrajectory *)m->runs[i].trajectory);
    g_array_unref (m->runs[i].iterations);
  }
  ss_scenario_free (m->scenario);
}

static guint32
big_endian (const char *at)
{
  const guint8 *b = (const guint8 *)at;
  return (guint32)b[0] << 24 | (guint32)b[1] << 16 | (guint32)b[2] << 8 | b[3];
}

static void
png_has_its_size_and_resolution (void)
{
  Material m = material_new ();
  const SsappFigureOptions options = {.width_mm = 88, .dpi = 300, .time = NAN};
  char *path = file ("f.png");
  gsize length = 0;
  GError *error = NULL;
  SS_CHECK (ssapp_export_figure (ssapp_plot_find ("full"), m.scenario, m.runs, 2, &options, path, &error));
  char *data = contents (path, &length);
  SS_CHECK (length > 1000 && memcmp (data, "\x89PNG\r\n\x1a\n", 8) == 0);
  SS_CHECK_NEAR (big_endian (data + 16), 1039, 0); /* 88 mm at 300 dpi */
  double height_pt = height_of (ssapp_plot_find ("full"), m.scenario, m.runs, 2, 88 / 25.4 * 72);
  SS_CHECK_NEAR (big_endian (data + 20), height_pt * 300 / 72, 0.5001); /* rounded */
  SS_CHECK (memcmp (data + 37, "pHYs", 4) == 0);
  SS_CHECK_NEAR (big_endian (data + 41), 11811, 0); /* 300 dpi per metre */
  g_free (data);
  cairo_surface_t *image = cairo_image_surface_create_from_png (path); /* checks every chunk's sum */
  SS_CHECK (cairo_surface_status (image) == CAIRO_STATUS_SUCCESS);
  const unsigned char *pixels = cairo_image_surface_get_data (image);
  int stride = cairo_image_surface_get_stride (image), w = cairo_image_surface_get_width (image),
      h = cairo_image_surface_get_height (image);
  int blue = 0, orange = 0, dark_edge = 0;
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      guint32 v;
      memcpy (&v, pixels + y * stride + 4 * x, 4);
      blue += (v & 0xFFFFFF) == 0x0072B2;
      orange += (v & 0xFFFFFF) == 0xBF4F00;
      dark_edge += y == h - 1 && (v & 0xFF) < 0x80;
    }
  SS_CHECK (blue > 500 && orange > 500); /* both curves */
  SS_CHECK (dark_edge == 0);             /* the last row is covered in part only */
  cairo_surface_destroy (image);
  g_free (path);
  material_clear (&m);
  remove_files ();
}

/* Decoded by libwebp's own decoder: as many pictures as the time asks for, the last instant last, all of one size, and
 * they differ. */
static void
film_has_its_pictures (void)
{
  Material m = material_new ();
  SsappFigureOptions options = {.width_mm = 60, .dpi = 72, .time = NAN, .frames_per_second = 10, .speed = 0.25};
  const SsTrajectory *motion = m.runs[0].trajectory;
  double duration = ss_trajectory_row (motion, motion->n_rows - 1)[0] - ss_trajectory_row (motion, 0)[0];
  char *path = file ("f.webp");
  gsize length = 0;
  GError *error = NULL;
  SS_CHECK (ssapp_export_figure (ssapp_plot_find ("motion"), m.scenario, m.runs, 1, &options, path, &error));
  char *data = contents (path, &length);
  WebPData webp = {(const uint8_t *)data, length};
  WebPAnimDecoder *decoder = WebPAnimDecoderNew (&webp, NULL);
  SS_CHECK (decoder != NULL);
  WebPAnimInfo info = {0};
  int n = 0, n_different = 0, stamp = 0;
  guint before = 0;
  if (decoder != NULL && WebPAnimDecoderGetInfo (decoder, &info))
    while (WebPAnimDecoderHasMoreFrames (decoder)) {
      uint8_t *pixels = NULL;
      guint sum = 2166136261u; /* FNV-1a */
      SS_CHECK (WebPAnimDecoderGetNext (decoder, &pixels, &stamp));
      for (gsize i = 0; pixels != NULL && i < 4 * (gsize)info.canvas_width * info.canvas_height; i++)
        sum = (sum ^ pixels[i]) * 16777619u;
      n_different += sum != before;
      before = sum;
      n++;
    }
  SS_CHECK (info.canvas_width == 170);  /* 60 mm at 72 dpi */
  SS_CHECK (n == n_different && n > 2); /* equal neighbours are joined by the coder */
  SS_CHECK_NEAR (stamp, 1000 * floor (duration / 0.25 * 10 + 1e-9) / 10 + 1000,
                 1); /* the last one holds for a second */
  WebPAnimDecoderDelete (decoder);
  g_free (data);

  /* Too many, of nothing, and given up. */
  options.speed = 1e-9;
  char *other = file ("g.webp");
  SS_CHECK (!ssapp_export_figure (ssapp_plot_find ("motion"), m.scenario, m.runs, 1, &options, other, &error));
  SS_CHECK_CONTAINS (error != NULL ? error->message : NULL, "6000");
  g_clear_error (&error);
  options.speed = 1;
  SS_CHECK (!ssapp_export_figure (ssapp_plot_find ("convergence"), m.scenario, m.runs, 1, &options, other, &error));
  g_autofree char *endings = ssapp_endings_list ("convergence");
  SS_CHECK_CONTAINS (endings, ".pdf, .svg");
  SS_CHECK_CONTAINS (error != NULL ? error->message : NULL, endings);
  g_clear_error (&error);
  options.cancellable = g_cancellable_new ();
  g_cancellable_cancel (options.cancellable);
  SS_CHECK (!ssapp_export_figure (ssapp_plot_find ("motion"), m.scenario, m.runs, 1, &options, other, &error));
  SS_CHECK (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED));
  g_clear_error (&error);
  g_object_unref (options.cancellable);
  SS_CHECK (count_files () == 1);
  g_free (path);
  g_free (other);
  material_clear (&m);
  remove_files ();
}

/* Also behind zero bytes. */
static gboolean
has_bytes (const char *data, gsize length, const char *wanted)
{
  gsize n = strlen (wanted);
  for (gsize i = 0; i + n <= length; i++)
    if (memcmp (data + i, wanted, n) == 0)
      return TRUE;
  return FALSE;
}

static void
pdf_is_whole_and_says_who_made_it (void)
{
  Material m = material_new ();
  char *path = file ("f.pdf");
  gsize length = 0;
  SS_CHECK (ssapp_export_figure (ssapp_plot_find ("convergence"), m.scenario, m.runs, 2, NULL, path, NULL));
  char *data = contents (path, &length);
  SS_CHECK (length > 1000 && memcmp (data, "%PDF-", 5) == 0);
  SS_CHECK (g_strstr_len (data + length - 16, 16, "%%EOF") != NULL);
  SS_CHECK (has_bytes (data, length, "/Title (Push Box: convergence)"));
  SS_CHECK (has_bytes (data, length, "/Creator (Stickslip"));
  SS_CHECK (has_bytes (data, length, "/MediaBox [ 0 0 249.4")); /* 88 mm */
  SS_CHECK (has_bytes (data, length, "/FontFile3") || has_bytes (data, length, "/FontFile2"));
  g_free (data);
  g_free (path);
  material_clear (&m);
  remove_files ();
}

typedef struct {
  int n_elements, n_texts;
  GString *text;
  gboolean in_text;
} SvgCount;

static void
on_start (GMarkupParseContext *context, const char *name, const char **names, const char **values, gpointer data,
          GError **error)
{
  SvgCount *count = data;
  (void)context;
  (void)names;
  (void)values;
  (void)error;
  count->n_elements++;
  count->in_text = g_str_equal (name, "text");
  count->n_texts += count->in_text;
}

static void
on_text (GMarkupParseContext *context, const char *text, gsize length, gpointer data, GError **error)
{
  SvgCount *count = data;
  (void)context;
  (void)error;
  if (count->in_text)
    g_string_append_len (count->text, text, (gssize)length);
}

static void
svg_is_well_formed_and_keeps_its_texts (void)
{
  static const GMarkupParser parser = {.start_element = on_start, .text = on_text};
  Material m = material_new ();
  SvgCount count = {.text = g_string_new (NULL)};
  char *path = file ("f.svg");
  gsize length = 0;
  GError *error = NULL;
  SS_CHECK (ssapp_export_figure (ssapp_plot_find ("full"), m.scenario, m.runs, 2, NULL, path, NULL));
  char *data = contents (path, &length);
  GMarkupParseContext *context = g_markup_parse_context_new (&parser, 0, &count, NULL);
  SS_CHECK (g_markup_parse_context_parse (context, data, (gssize)length, &error) &&
            g_markup_parse_context_end_parse (context, &error));
  if (error != NULL)
    printf ("%s\n", error->message);
  SS_CHECK (count.n_elements > 50 && count.n_texts > 15);
  SS_CHECK_CONTAINS (count.text->str, "(a) Objective");
  SS_CHECK_CONTAINS (count.text->str, "(b) Largest violation");
  SS_CHECK_CONTAINS (count.text->str, "CRISP & <friends>"); /* escaped in the file */
  SS_CHECK_CONTAINS (count.text->str, "10⁻⁶");
  SS_CHECK_CONTAINS (data, "<title>Push Box: motion and convergence</title>");
  SS_CHECK (strstr (data, "<symbol") == NULL); /* no letters as shapes */
  g_clear_error (&error);
  g_markup_parse_context_free (context);
  g_string_free (count.text, TRUE);
  g_free (data);
  g_free (path);
  material_clear (&m);
  remove_files ();
}

static void
figure_data_as_csv_and_json (void)
{
  Material m = material_new ();
  char *csv = file ("f.csv"), *json = file ("f.json");
  SS_CHECK (ssapp_export_figure (ssapp_plot_find ("convergence"), m.scenario, m.runs, 2, NULL, csv, NULL));
  char *text = contents (csv, NULL);
  char **lines = g_strsplit (text, "\n", -1);
  SS_CHECK (g_strv_length (lines) == 1 + 2 * (60 + 90) + 1);
  SS_CHECK_STR (lines[1], "CRISP & <friends>,crisp,objective,iteration,0,1007");
  g_strfreev (lines);
  g_free (text);
  SS_CHECK (ssapp_export_figure (ssapp_plot_find ("full"), m.scenario, m.runs, 2, NULL, json, NULL));
  json_t *root = json_load_file (json, 0, NULL);
  SS_CHECK_STR (json_string_value (json_object_get (root, "scenario")), "push-box");
  json_t *curve = json_array_get (json_object_get (root, "curves"), 0);
  SS_CHECK_STR (json_string_value (json_object_get (curve, "quantity")), "objective");
  SS_CHECK (json_array_size (json_object_get (curve, "y")) == 60);
  json_decref (root);
  g_free (csv);
  g_free (json);
  material_clear (&m);
  remove_files ();
}

static void
wrong_requests_are_refused (void)
{
  Material m = material_new ();
  GError *error = NULL;
  SsappFigureOptions options = {.width_mm = 88, .dpi = 300, .time = NAN};
  char *path = file ("f.xyz"), *png = file ("f.png");
  SS_CHECK (!ssapp_export_figure (ssapp_plot_find ("full"), m.scenario, m.runs, 2, &options, path, &error));
  SS_CHECK_CONTAINS (error != NULL ? error->message : NULL, ".pdf");
  g_clear_error (&error);
  options.dpi = 1e6;
  SS_CHECK (!ssapp_export_figure (ssapp_plot_find ("full"), m.scenario, m.runs, 2, &options, png, &error));
  SS_CHECK_CONTAINS (error != NULL ? error->message : NULL, "resolution");
  g_clear_error (&error);
  options = (SsappFigureOptions){.width_mm = NAN, .dpi = 300, .time = NAN};
  SS_CHECK (!ssapp_export_figure (ssapp_plot_find ("full"), m.scenario, m.runs, 2, &options, png, &error));
  g_clear_error (&error);
  SsappFigureRun bare = {.label = "none", .method = {SS_METHOD_OPTIMISER, "crisp"}};
  SS_CHECK (!ssapp_export_figure (ssapp_plot_find ("motion"), m.scenario, &bare, 1, NULL, png, &error));
  SS_CHECK_CONTAINS (error != NULL ? error->message : NULL, "trajectory");
  g_clear_error (&error);
  SS_CHECK (count_files () == 0);
  g_free (path);
  g_free (png);
  material_clear (&m);
}

static void
every_kind_draws_whatever_is_missing (void)
{
  static const char *const names[] = {"motion", "convergence", "channels", "steps", "modes", "phase", "states", "full"};
  Material m = material_new ();
  SsappFigureRun odd[4] = {m.runs[0],
                           {.label = "nothing"},
                           {.method = {SS_METHOD_OPTIMISER, "crisp"}, .iterations = m.runs[1].iterations},
                           m.runs[1]};
  odd[3].iterations = NULL;
  odd[3].label = NULL;
  for (gsize k = 0; k < G_N_ELEMENTS (names); k++) {
    const SsappPlotKind *plot = ssapp_plot_find (names[k]);
    SsappStyle style;
    SS_CHECK (plot != NULL);
    for (int dark = 0; dark < 3; dark++)
      for (int n = 0; n <= 4; n++) {
        cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 260, 400);
        cairo_t *cr = cairo_create (surface);
        if (dark < 2)
          ssapp_style_init (&style, dark);
        else
          ssapp_style_init_paper (&style);
        ssapp_figure_draw (cr, &style, plot, m.scenario, odd, n, NULL, 249, height_of (plot, m.scenario, odd, n, 249));
        ssapp_figure_draw (cr, &style, plot, NULL, odd, n, NULL, 249, 30); /* no scenario, far too low */
        SS_CHECK (cairo_status (cr) == CAIRO_STATUS_SUCCESS);
        cairo_destroy (cr);
        cairo_surface_destroy (surface);
      }
    double one = height_of (plot, m.scenario, odd, 1, 249), three = height_of (plot, m.scenario, odd, 3, 249);
    SS_CHECK (one > 50 && three >= one);
  }
  SS_CHECK (ssapp_plot_find ("nonsense") == NULL && ssapp_plot_find (NULL) == NULL);
  material_clear (&m);
}

/* Of a race the curve ends at the answer, not where the last member was stopped. */
static void
a_race_ends_at_its_answer (void)
{
  static const struct {
    int iteration, member;
    double objective, violation;
  } rows[] = {{1, 1, 0.9, 1e-8}, {1, 2, 0.8, 3}, {2, 1, 0.5, 1e-9}, {2, 2, 0.08, 2.9}, {3, 2, 0.07, 2.8}};
  const SsappAnswer answer = {TRUE, 0.13, 1e-11}, none = {0};
  GArray *iterations = g_array_new (FALSE, TRUE, sizeof (SsappIteration));
  double x[24], f[24], v[24];
  int traces[24], n;
  GArray *parts;

  g_array_set_clear_func (iterations, (GDestroyNotify)ssapp_iteration_clear);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    const SsColumn columns[] = {
        {"objective", rows[i].objective}, {"violation", rows[i].violation}, {"member", rows[i].member}};
    SsappIteration row;
    ssapp_iteration_from_columns (rows[i].iteration, 0.1 * i, columns, 3, &row);
    g_array_append_val (iterations, row);
  }
  ssapp_iterations_to_curves (iterations, FALSE, &answer, x, f, v, traces, &n);
  parts = ssapp_trace_parts (traces, n);
  SS_CHECK (parts->len == 3); /* two members, the answer last */
  for (guint i = 0; i < parts->len; i++) {
    static const SsappTracePart wanted[] = {{1, 0, 2}, {2, 3, 3}, {SSAPP_TRACE_ANSWER, 7, 1}};
    SS_CHECK (memcmp (&g_array_index (parts, SsappTracePart, i), &wanted[i], sizeof wanted[i]) == 0);
  }
  g_array_unref (parts);
  SS_CHECK (n == 8 && f[n - 1] == 0.13 && v[n - 1] == 1e-11 && x[n - 1] == 3 && isnan (f[n - 2]));
  SS_CHECK (isnan (f[2]) && f[1] == 0.5 && f[5] == 0.07);
  ssapp_iterations_to_curves (iterations, TRUE, &answer, x, f, v, NULL, &n);
  SS_CHECK_NEAR (x[n - 1], 0.4, 1e-15); /* a product of two decimals */
  ssapp_iterations_to_curves (iterations, FALSE, &none, x, f, v, NULL, &n);
  SS_CHECK (n == 6 && f[n - 1] == 0.07);
  ssapp_iterations_to_curves (iterations, FALSE, NULL, x, f, v, NULL, &n);
  SS_CHECK (n == 6);
  /* A lower bound after the answer is a curve of its own, and so is the best answer beside it. */
  for (int i = 0; i < 2; i++) {
    const SsColumn columns[] = {{"objective", 0.13}, {"lower_bound", i == 0 ? -INFINITY : 0.11}};
    SsappIteration row;
    ssapp_iteration_from_columns (4 + i, 0.6, columns, 2, &row);
    SS_CHECK (row.trace == SSAPP_TRACE_BOUND);
    g_array_append_val (iterations, row);
  }
  SS_CHECK (SSAPP_CURVE_POINTS (iterations) <= G_N_ELEMENTS (x));
  ssapp_iterations_to_curves (iterations, FALSE, NULL, x, f, v, NULL, &n);
  SS_CHECK (n == 12 && isnan (f[6]) && f[7] == 0.13 && f[8] == 0.13 && isnan (f[9]) && !isfinite (f[10]) &&
            f[11] == 0.11 && x[11] == 5);
  /* One method's curve is its own, and ends where the method did. */
  g_array_set_size (iterations, 1);
  ssapp_iterations_to_curves (iterations, FALSE, &answer, x, f, v, NULL, &n);
  SS_CHECK (n == 1 && f[0] == 0.9);
  g_array_unref (iterations);
}

/* A plot takes the endings that its help lists, in any case, and refuses those of all other files. */
static void
endings_are_those_of_the_help (void)
{
  static const char *const endings[] = {".pdf",  ".svg", ".png",  ".csv",  ".json",     ".tex",   ".webp",
                                        ".gif",  ".zip", "/",     ".tsv",  ".md",       ".jsonl", ".txt",
                                        ".text", ".npz", ".html", ".docx", ".stickslip"};
  guint n;
  const SsappPlotKind *plots = ssapp_plot_kinds (&n);

  SS_CHECK (n >= 20);
  for (guint i = 0; i < n; i++) {
    const char *name = plots[i].file.name;
    g_autofree char *text = ssapp_endings_text (name);
    g_auto (GStrv) own = g_strsplit (text, " ", -1);
    SS_CHECK (own[0] != NULL && *own[0] != '\0');
    for (gsize e = 0; e < G_N_ELEMENTS (endings); e++) {
      g_autofree char *path = g_strconcat ("file", endings[e], NULL), *capitals = g_ascii_strup (path, -1);
      g_autoptr (GError) error = NULL;
      const gboolean takes = ssapp_endings_check (name, path, &error);
      SS_CHECK (takes == g_strv_contains ((const char *const *)own, endings[e]));
      SS_CHECK (ssapp_endings_check (name, capitals, NULL) == takes);
      SS_CHECK (takes == (error == NULL));
      if (!takes)
        SS_CHECK_CONTAINS (error->message, "expected a name ending in");
    }
  }
}

int
main (void)
{
  directory = g_dir_make_tmp ("stickslip-export-XXXXXX", NULL);
  SS_RUN (velocities_are_curved);
  SS_RUN (files_are_written_and_replaced);
  SS_RUN (links_stay_links);
  SS_RUN (failures_name_file_and_cause);
  SS_RUN (a_full_disk_leaves_the_target_alone);
  SS_RUN (trajectories_survive_bit_by_bit);
  SS_RUN (jumps_survive);
  SS_RUN (exact_events_say_so);
  SS_RUN (steps_are_times_between_rows);
  SS_RUN (modes_are_read_from_forces);
  SS_RUN (both_sides_of_a_jump_are_reached);
  SS_RUN (stages_are_reached);
  SS_RUN (logs_have_every_column);
  SS_RUN_THREADS (png_has_its_size_and_resolution);
  SS_RUN_THREADS (film_has_its_pictures);
  SS_RUN (pdf_is_whole_and_says_who_made_it);
  SS_RUN_THREADS (svg_is_well_formed_and_keeps_its_texts);
  SS_RUN (figure_data_as_csv_and_json);
  SS_RUN (wrong_requests_are_refused);
  SS_RUN (endings_are_those_of_the_help);
  SS_RUN (a_race_ends_at_its_answer);
  SS_RUN_THREADS (every_kind_draws_whatever_is_missing);
  g_rmdir (directory);
  g_free (directory);
  return ss_test_finish ();
}
