/* tests/unit/test-pgf.c: plots for pgfplots: the numbers are those of the run, few enough for TeX, every curve has its
 * two columns; names do not break the text; what is no plot is refused and leaves no file. */
#include "app/export/ssapp-export-private.h"
#include "tests/ss-test-scenario.h"

#include <glib/gstdio.h>

static char *folder;

static char *
file (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

static char *
contents (const char *name)
{
  g_autofree char *path = file (name);
  char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) ? text : g_strdup ("");
}

/* x and a wave, n rows. */
static SsTrajectory *
motion_of (int n)
{
  static const char *const names[] = {"t", "wave", "line"};
  SsTrajectory *motion = NULL;

  SS_CHECK (ss_trajectory_new_named (names, 3, n, &motion, NULL) == SS_OK);
  for (int k = 0; k < n; k++) {
    const double t = (double)k / (n - 1), row[] = {t, k == n / 2 ? 3 : sin (9 * t), 2 * t};
    SS_CHECK (ss_trajectory_append (motion, row, NULL) == SS_OK);
  }
  return motion;
}

static gboolean
export_pgf (const SsappPlotKind *plot, const SsTrajectory *motion, const char *label, const char *name, GError **error)
{
  const SsappFigureRun run = {.label = label, .trajectory = motion}, runs[] = {run, run};
  const SsappFigureOptions options = {.width_mm = 88, .dpi = 300, .time = NAN};
  g_autofree char *path = file (name);

  return ssapp_export_figure (plot, NULL, runs, 2, &options, path, error);
}

static void
numbers_come_back (void)
{
  SsTrajectory *motion = motion_of (50);
  GError *error = NULL;

  SS_CHECK (export_pgf (ssapp_plot_find ("channels"), motion, "50% _of_ #1 & {Büx}", "a.tex", &error) && error == NULL);
  g_autofree char *tex = contents ("a.tex"), *data = contents ("a.dat");
  SS_CHECK_CONTAINS (tex, "\\addlegendentry{50\\% \\_of\\_ \\#1 \\& ");
  SS_CHECK_CONTAINS (tex, "table[x=x4, y=y4] {a.dat}");
  SS_CHECK_CONTAINS (tex, "group size=1 by 2");
  SS_CHECK_CONTAINS (tex, "width=88.0mm");
  char **lines = g_strsplit (data, "\n", -1);
  SS_CHECK_STR (lines[0], "x1 y1 x2 y2 x3 y3 x4 y4");
  SS_CHECK (g_strv_length (lines) == 52);
  for (int k = 0; k < 50; k++) {
    char **cells = g_strsplit (lines[1 + k], " ", -1);
    SS_CHECK (g_strv_length (cells) == 8);
    for (int c = 0; c < 4; c++) { /* wave, line of either run */
      SS_CHECK_NEAR (g_ascii_strtod (cells[2 * c], NULL), ss_trajectory_row (motion, k)[0], 1e-9);
      SS_CHECK_NEAR (g_ascii_strtod (cells[2 * c + 1], NULL), ss_trajectory_row (motion, k)[1 + c % 2], 1e-8);
    }
    g_strfreev (cells);
  }
  g_strfreev (lines);
  ss_trajectory_free (motion);
}

/* TeX holds some ten thousand points; a peak of one row must stay. */
static void
long_runs_are_thinned (void)
{
  SsTrajectory *motion = motion_of (40001);

  SS_CHECK (export_pgf (ssapp_plot_find ("channels"), motion, "run", "b.tex", NULL));
  g_autofree char *data = contents ("b.dat");
  char **lines = g_strsplit (data, "\n", -1);
  SS_CHECK (g_strv_length (lines) > 500 && g_strv_length (lines) < 2100);
  SS_CHECK (strstr (data, " 3 ") != NULL);
  g_strfreev (lines);
  ss_trajectory_free (motion);
}

static void
refusals_leave_no_file (void)
{
  static const struct {
    const char *plot, *name, *problem;
  } wrong[] = {{"convergence", "c.tex", "no run has iterations"},
               {"channels", "c d.tex", "leave out spaces"},
               {"channels", "nowhere/c.tex", "nowhere/c.dat"}};
  SsTrajectory *motion = motion_of (5);

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_autoptr (GError) error = NULL;
    SS_CHECK (!export_pgf (ssapp_plot_find (wrong[i].plot), motion, "run", wrong[i].name, &error));
    SS_CHECK_CONTAINS (error->message, wrong[i].problem);
  }
  /* the place of the .tex is taken by a folder: no numbers without their plot */
  g_autofree char *taken = file ("e.tex");
  g_autoptr (GError) error = NULL;
  SS_CHECK (g_mkdir (taken, 0777) == 0);
  SS_CHECK (!export_pgf (ssapp_plot_find ("channels"), motion, "run", "e.tex", &error) && error != NULL);
  g_rmdir (taken);
  int n = 0;
  GDir *dir = g_dir_open (folder, 0, NULL);
  for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir)) {
    g_autofree char *path = file (name);
    n++;
    g_unlink (path);
  }
  g_dir_close (dir);
  SS_CHECK (n == 4); /* of the tests before */
  ss_trajectory_free (motion);
}

int
main (void)
{
  folder = g_dir_make_tmp ("test-pgf-XXXXXX", NULL);
  SS_RUN (numbers_come_back);
  SS_RUN (long_runs_are_thinned);
  SS_RUN (refusals_leave_no_file);
  g_rmdir (folder);
  g_free (folder);
  return ss_test_finish ();
}
