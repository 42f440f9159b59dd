/* tests/unit/test-fit-session.c: a fit without a window: columns by their names and by what is told of them, units;
 * unknowns; the fit in its thread beside the truth of a closed form, cancelled, and at its limit; values into the
 * sketch, runs into the project; its pictures. */
#include "app/export/ssapp-export-private.h"
#include "app/session/ssapp-fit-session.h"
#include "tests/ss-test-scenario.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

/* A box that slides until it rests: mu of the file is not that of the film. */
#define SCENE                                                                                                          \
  "{\"format\": 1, \"name\": \"slide\", \"parameters\": {\"mu\": {\"value\": 0.5, \"minimum\": 0, \"maximum\": 1}, "   \
  "\"count\": {\"value\": 3, \"integer\": true}}, \"scene\": "                                                         \
  "{\"gravity\": [0, -9.81], \"friction\": \"mu\", \"contacts\": \"all\", \"bodies\": ["                               \
  "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}}, "                \
  "{\"name\": \"box\", \"mass\": 2, \"position\": [0, 0.1], \"velocity\": [1.5, 0], \"shape\": "                       \
  "{\"type\": \"box\", \"width\": 0.4, \"height\": 0.2}}]}, \"task\": {\"t_end\": 1, \"dt\": 0.01}}"

static const double G = 9.81, MU = 0.31, SPEED = 1.5, NOISE = 1e-3;
enum { ROWS = 90, GIVE_UP_SECONDS = 600 /* a guard */ };

/* x = v t - mu g t^2 / 2 until it rests, in millimetres, with noise of a fixed seed. */
static char *
film (const char *folder, const char *name, const char *header)
{
  g_autoptr (GString) text = g_string_new (header);
  g_autoptr (GRand) noise = g_rand_new_with_seed (7);
  char *path = g_build_filename (folder, name, NULL);

  for (int k = 0; k < ROWS; k++) {
    const double t = k / 100., s = fmin (t, SPEED / (MU * G));
    double sums[2] = {0, 0};
    for (int i = 0; i < 24; i++) /* a sum of 12 uniform numbers is nearly normal, its variance 1 */
      sums[i % 2] += g_rand_double (noise) - 0.5;
    g_string_append_printf (text, "\n%.2f,%.4f,%.4f,%d", t, 1e3 * (SPEED * s - MU * G * s * s / 2 + NOISE * sums[0]),
                            1e3 * (0.1 + NOISE * sums[1]), k);
  }
  g_string_append_c (text, '\n');
  SS_CHECK (g_file_set_contents (path, text->str, -1, NULL));
  return path;
}

/* ---- columns ----------------------------------------------------------------------------------------------------- */

static GArray *
columns_of (const SsScenario *scenario, const char *const *names, int n)
{
  g_autoptr (GPtrArray) tables = g_ptr_array_new_with_free_func ((GDestroyNotify)ss_trajectory_free);
  SsTrajectory *table = NULL;

  SS_CHECK (ss_trajectory_new_named (names, n, 1, &table, NULL) == SS_OK);
  g_ptr_array_add (tables, table);
  return ssapp_fit_columns_new (scenario, tables);
}

static void
test_guesses (void)
{
  static const char *const names[] = {"t", "Box X (mm)", "y_cm", "box angle [deg]", "box.vx", "frame", "x_deg"};
  SsScenario *scenario = ss_test_read_text (SCENE);
  g_autoptr (GArray) columns = columns_of (scenario, names, G_N_ELEMENTS (names));
  static const char *const channels[] = {"box.x", "box.y", "box.theta", "box.vx", NULL, NULL}, *const units[] = {
                                                                                                   "mm", "cm", "deg",
                                                                                                   "m"};

  ssapp_fit_columns_guess (columns, scenario);
  SS_CHECK (columns->len == 6);
  for (guint i = 0; i < columns->len; i++) {
    const SsappFitColumn *c = &g_array_index (columns, SsappFitColumn, i);
    SS_CHECK (g_strcmp0 (c->channel, channels[i]) == 0);
    SS_CHECK (c->is_guessed == (i < 3) && c->is_named == (i == 3));
    if (i < 4)
      SS_CHECK_STR (c->unit, units[i]);
  }
  ss_scenario_free (scenario);
}

static void
test_map (void)
{
  static const char *const names[] = {"t", "a", "b", "box.theta"};
  static const char *const wrong[] = {"a", "c=box.x", "a=box.z", "a=box.x:deg", "a=floor.x"},
                           *const words[] = {"expected COLUMN=", "no table has a column “c”", "the nearest is “box.",
                                             "no unit of box.x (expected m, cm, mm)", "no channel “floor.x”"};
  SsScenario *scenario = ss_test_read_text (SCENE);
  g_autoptr (GArray) columns = columns_of (scenario, names, G_N_ELEMENTS (names)),
                     again = columns_of (scenario, names, G_N_ELEMENTS (names));
  g_autoptr (GError) error = NULL;
  SsTrajectory *table = NULL;

  SS_CHECK (ssapp_fit_columns_map (columns, scenario, "a = box.x:mm, b=box.omega:deg,box.theta=", &error));
  g_autofree char *text = ssapp_fit_columns_text (columns);
  SS_CHECK_STR (text, "a=box.x:mm,b=box.omega:deg,box.theta=");
  SS_CHECK (ssapp_fit_columns_map (again, scenario, text, &error));
  g_autofree char *same = ssapp_fit_columns_text (again);
  SS_CHECK_STR (same, text);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) { /* refused, and nothing of it holds */
    g_autofree char *part = g_strconcat ("b=,", wrong[i], NULL);
    SS_CHECK (!ssapp_fit_columns_map (columns, scenario, part, &error));
    SS_CHECK (strstr (error->message, words[i]) != NULL);
    g_clear_error (&error);
    g_autofree char *after = ssapp_fit_columns_text (columns);
    SS_CHECK_STR (after, text);
  }
  SS_CHECK (ss_trajectory_new_named (names, G_N_ELEMENTS (names), 1, &table, NULL) == SS_OK);
  SS_CHECK (ss_trajectory_append (table, (const double[]){0.5, 20, 90, 1}, NULL) == SS_OK);
  SsTrajectory *si = ssapp_fit_columns_apply (columns, table, &error);
  SS_CHECK (si != NULL && si->n_channels == 3 && strcmp (si->channels[2].name, "box.omega") == 0);
  const double *row = ss_trajectory_row (si, 0);
  SS_CHECK (row[0] == 0.5 && fabs (row[1] - 0.02) < 1e-15 && fabs (row[2] - acos (0)) < 1e-15);
  ss_trajectory_free (si);
  SS_CHECK (ssapp_fit_columns_map (columns, scenario, "b=box.x", &error));
  SS_CHECK (ssapp_fit_columns_apply (columns, table, &error) == NULL);
  SS_CHECK (strstr (error->message, "two columns, “a” and “b”") != NULL);
  ss_trajectory_free (table);
  ss_scenario_free (scenario);
}

/* ---- the fit ----------------------------------------------------------------------------------------------------- */

typedef struct {
  char *folder, *path;
  SsappSession *session;
  SsappFitSession *fit;
  int n_steps;
} Fixture;

static void
on_step (Fixture *f)
{
  f->n_steps++;
}

static void
set_up (Fixture *f)
{
  g_autoptr (GError) error = NULL;

  *f = (Fixture){.folder = g_dir_make_tmp ("fit-XXXXXX", NULL), .session = ssapp_session_new ()};
  f->path = film (f->folder, "film.csv", "Time,box_x_mm,box_y_mm,frame");
  SS_CHECK (ssapp_document_load_text (ssapp_session_get_document (f->session), SCENE, -1, NULL, &error));
  f->fit = ssapp_fit_session_new (f->session);
  g_signal_connect_swapped (f->fit, "step", G_CALLBACK (on_step), f);
}

/* A folder of files and such folders. */
static void
remove_tree (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *inner = g_build_filename (path, name, NULL);
    if (g_file_test (inner, G_FILE_TEST_IS_DIR))
      remove_tree (inner);
    else
      g_unlink (inner);
  }
  g_rmdir (path);
}

static void
tear_down (Fixture *f)
{
  g_object_unref (f->fit);
  g_object_unref (f->session);
  remove_tree (f->folder);
  g_free (f->folder);
  g_free (f->path);
}

static void
wait_for_end (SsappFitSession *fit)
{
  const gint64 end = g_get_monotonic_time () + (gint64)GIVE_UP_SECONDS * G_USEC_PER_SEC;

  while (ssapp_fit_session_is_running (fit) && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  SS_CHECK (!ssapp_fit_session_is_running (fit));
}

static const SsFitEstimate *
estimate (const SsFitResult *result, const char *name)
{
  for (int k = 0; k < result->n_estimates; k++)
    if (strcmp (result->estimates[k].name, name) == 0)
      return &result->estimates[k];
  return NULL;
}

static void
test_what_is_asked (void)
{
  g_autoptr (GError) error = NULL;
  Fixture f;

  set_up (&f);
  SS_CHECK (!ssapp_fit_session_start (f.fit, &error) && strstr (error->message, "no measured motion") != NULL);
  g_clear_error (&error);
  SS_CHECK (ssapp_fit_session_add_file (f.fit, f.path, &error));
  SS_CHECK (!ssapp_fit_session_start (f.fit, &error) && strstr (error->message, "Nothing is unknown") != NULL);
  g_clear_error (&error);
  g_autofree char *words = ssapp_fit_session_describe_file (f.fit, 0);
  SS_CHECK_STR (words, "90 rows, 0 to 0.89 s");
  /* whole numbers and formulas cannot be free, the parameters behind them can */
  GArray *unknowns = ssapp_fit_session_get_unknowns (f.fit);
  g_autoptr (GString) names = g_string_new (NULL);
  for (guint i = 0; i < unknowns->len; i++)
    g_string_append_printf (names, "%s ", g_array_index (unknowns, SsappFitUnknown, i).name);
  SS_CHECK_STR (names->str, "mu box.mass gravity.y start time_offset scale ");
  SS_CHECK (ssapp_fit_session_set_free (f.fit, "mu,box.vx=1:2, box.x", &error));
  SS_CHECK_STR (ssapp_fit_session_get_others (f.fit), "box.vx=1:2,box.x");
  g_autofree char *command = ssapp_fit_session_dup_command (f.fit),
                  *wanted = g_strdup_printf ("stickslip-cli fit SKETCH.stickslip.json --motion %s --map "
                                             "box_x_mm=box.x:mm,box_y_mm=box.y:mm --free mu,box.vx=1:2,box.x",
                                             f.path);
  SS_CHECK_STR (command, wanted);
  /* bad files: what there was stays */
  g_autofree char *bad = g_build_filename (f.folder, "bad.csv", NULL);
  SS_CHECK (g_file_set_contents (bad, "t,box.x\n0,1\n0.1,two\n", -1, NULL));
  SS_CHECK (!ssapp_fit_session_add_file (f.fit, bad, &error));
  SS_CHECK (strstr (error->message, "bad.csv:3: column 2 (box.x): 'two' is no number") != NULL);
  g_clear_error (&error);
  SS_CHECK (g_file_set_contents (bad, "t,box.x\n0,1\n0.1,2\n", -1, NULL));
  SS_CHECK (!ssapp_fit_session_add_file (f.fit, bad, &error) && strstr (error->message, "2 rows") != NULL);
  SS_CHECK (ssapp_fit_session_get_files (f.fit)->len == 1);
  ssapp_fit_session_remove_file (f.fit, 0);
  SS_CHECK (ssapp_fit_session_get_columns (f.fit)->len == 0);
  tear_down (&f);
}

static void
test_values_and_runs (void)
{
  g_autoptr (GPtrArray) ids = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  SsappFitPicture picture;
  Fixture f;

  set_up (&f);
  SsappDocument *document = ssapp_session_get_document (f.session);
  g_autofree char *before = NULL;
  SS_CHECK (ssapp_fit_session_add_file (f.fit, f.path, &error));
  SS_CHECK (ssapp_fit_session_set_free (f.fit, "mu,box.mass,start", &error));
  SS_CHECK (!ssapp_fit_session_get_picture (f.fit, &picture) && ssapp_fit_session_get_result (f.fit) == NULL);
  SS_CHECK (ssapp_fit_session_start (f.fit, &error));
  /* an edit while it goes on: the values go into the sketch as it is then */
  SS_CHECK (ssapp_document_set_text (document, "title", "Edited", &error));
  before = g_strdup (ssapp_document_get_text (document));
  wait_for_end (f.fit);
  const SsFitResult *result = ssapp_fit_session_get_result (f.fit);
  SS_CHECK (result != NULL && result->verdict == SS_FIT_GOOD && f.n_steps > 0);
  const SsFitEstimate *mu = estimate (result, "mu"), *mass = estimate (result, "box.mass");
  /* 90 rows of 1 mm tell mu to far less than 5 %; the mass drops out */
  SS_CHECK (mu->is_identifiable && fabs (mu->value - MU) < 0.05 * MU && mu->from == 0 && mu->to == 1);
  SS_CHECK (!mass->is_identifiable && mass->value == 2);
  SS_CHECK (ssapp_fit_session_use (f.fit, &error));
  SS_CHECK_STR (ssapp_document_get_undo_label (document), "Use fitted values");
  SS_CHECK_STR (ssapp_document_get_title (document), "Edited");
  SS_CHECK (ssapp_document_get_scenario (document)->parameters[0].value == mu->value);
  ssapp_document_undo (document);
  SS_CHECK_STR (ssapp_document_get_text (document), before);
  SS_CHECK (ssapp_fit_session_keep (f.fit, ids, &error) && ids->len == 2); /* into a project that is made */
  g_autoptr (GPtrArray) rows = ssapp_store_list_runs (ssapp_session_get_store (f.session), NULL, 0, NULL);
  SS_CHECK (rows != NULL && rows->len == 2);
  /* every plot of a fit has what it shows */
  guint n;
  const SsappPlotKind *plots = ssapp_plot_kinds (&n);
  SS_CHECK (ssapp_fit_session_get_picture (f.fit, &picture) && picture.n_values == 2 * ROWS && picture.n_channels == 2);
  for (guint i = 0; i < n; i++)
    if (plots[i].of == SSAPP_PLOT_FIT) {
      g_autofree char *path = g_strdup_printf ("%s/%s.json", f.folder, plots[i].file.name);
      SS_CHECK (ssapp_fit_picture_lacks (&picture, &plots[i]) == NULL);
      SS_CHECK (ssapp_fit_picture_export (&picture, &plots[i], 88, path, &error));
      SS_CHECK (g_unlink (path) == 0);
    }
  tear_down (&f);
}

/* Measured points and predicted ones lie in 2 m by 1 m: the picture of their paths is half as high as it is wide, but
 * for its margins. */
static void
test_picture_of_paths_has_their_shape (void)
{
  static const char *const channels[] = {"box.x", "box.y"};
  static const SsFitValue values[] = {{.residual = 0, .measured = -0.5, .predicted = 0.1},
                                      {.residual = 1, .measured = 0.6, .predicted = 1.2},
                                      {.row = 1, .residual = 0, .measured = 1, .predicted = 1.5},
                                      {.row = 1, .residual = 1, .measured = 0.2, .predicted = 0.3}};
  SsScenario *scenario = ss_test_read_text (SCENE);
  const SsappFitPicture picture = {.scenario = scenario,
                                   .n_trials = 1,
                                   .n_values = 4,
                                   .n_channels = 2,
                                   .values = values,
                                   .channels = channels,
                                   .trial = -1};
  const SsappFigure figure = {.fit = &picture};

  SS_CHECK_NEAR (ssapp_fit_paths_height (&figure, 800) - ssapp_fit_paths_height (&figure, 400), 0.5 * 400, 1e-9);
  ss_scenario_free (scenario);
}

static void
test_ends_early (void)
{
  g_autoptr (GError) error = NULL;
  SsappFitPicture picture;
  Fixture f;

  set_up (&f);
  SS_CHECK (ssapp_fit_session_add_file (f.fit, f.path, &error));
  SS_CHECK (ssapp_fit_session_set_free (f.fit, "mu,start,time_offset,scale", &error));
  SS_CHECK (ssapp_fit_session_start (f.fit, &error));
  SS_CHECK (!ssapp_fit_session_start (f.fit, &error) && strstr (error->message, "goes on") != NULL);
  g_clear_error (&error);
  ssapp_fit_session_cancel (f.fit);
  wait_for_end (f.fit);
  const SsFitResult *result = ssapp_fit_session_get_result (f.fit);
  SS_CHECK (result == NULL || result->outcome == SS_OUTCOME_CANCELLED);
  for (int k = 0; result != NULL && k < result->n_estimates; k++)
    SS_CHECK (isnan (result->estimates[k].standard_error));
  if (result != NULL)
    SS_CHECK (ssapp_fit_session_get_picture (f.fit, &picture) &&
              ssapp_fit_picture_lacks (&picture, ssapp_fit_plot_find ("ellipse", NULL)) != NULL);
  ssapp_fit_session_set_cpu_limit (f.fit, 0);
  SS_CHECK (ssapp_fit_session_start (f.fit, &error));
  wait_for_end (f.fit);
  result = ssapp_fit_session_get_result (f.fit);
  /* looked at every 0.1 s: a fast machine has ended before */
  SS_CHECK (result == NULL || result->outcome == SS_OUTCOME_CPU_LIMIT || result->outcome == SS_OUTCOME_SOLVED);
  /* what is thrown away while it goes on ends by itself */
  SS_CHECK (ssapp_fit_session_start (f.fit, &error));
  tear_down (&f);
}

int
main (void)
{
  g_autofree char *home = g_dir_make_tmp ("fit-home-XXXXXX", NULL);

  g_setenv ("XDG_DATA_HOME", home, TRUE);
  SS_RUN (test_guesses);
  SS_RUN (test_map);
  SS_RUN (test_what_is_asked);
  SS_RUN (test_picture_of_paths_has_their_shape);
  SS_RUN_THREADS (test_values_and_runs);
  SS_RUN_THREADS (test_ends_early);
  remove_tree (home);
  return ss_test_finish ();
}
