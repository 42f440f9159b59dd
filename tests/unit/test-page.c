/* tests/unit/test-page.c: a run as a page: columns of numbers come back as near as they promise, a page fits into its
 * bytes and says what it left out, texts cannot become scripts, failures leave no file. What a browser makes of it:
 * tests/cli/test-page.py. */
#include "app/base/ssapp-json.h"
#include "app/export/ssapp-page-private.h"
#include "tests/ss-test-scenario.h"
#include "tests/ss-test-simulate.h"

#include <glib/gstdio.h>

static char *directory;

/* ---- columns ----------------------------------------------------------------------------------------------------- */

/* As a browser reads them (data/html), out of n * n_bytes bytes; gaps are NaN. */
static void
unpack_column (const SsappPacked *about, const guint8 *bytes, gsize n, double *values)
{
  gint64 one = about->first, two = about->first;

  for (gsize k = 0; k < n; k++) {
    guint64 code = 0;
    for (int b = 0; b < about->n_bytes; b++)
      code |= (guint64)bytes[(gsize)b * n + k] << (8 * b);
    const gint64 r = code & 1 ? -(gint64)(code >> 1) - 1 : (gint64)(code >> 1);
    const gint64 q = about->step == 0 ? 0 : about->order == 0 ? r : about->order == 1 ? r + one : r + 2 * one - two;
    two = one;
    one = q;
    values[k] = about->has_gaps && q == 0 ? NAN : about->least + about->step * (double)(q - about->has_gaps);
  }
}

/* The largest difference after packing and back; gaps must stay gaps. */
static double
there_and_back (const double *values, int n, double step, SsappPacked *about)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autofree double *back = g_new (double, n);
  double worst = 0;

  *about = ssapp_pack_column (values, (gsize)n, step, bytes);
  SS_CHECK (bytes->len == (guint)(n * about->n_bytes));
  unpack_column (about, bytes->data, (gsize)n, back);
  for (int k = 0; k < n; k++) {
    SS_CHECK (isfinite (values[k]) == isfinite (back[k]));
    if (isfinite (values[k]))
      worst = fmax (worst, fabs (values[k] - back[k]));
  }
  return worst;
}

static void
columns_come_back_to_half_a_step (void)
{
  enum { N = 1000 };
  double line[N], wave[N], noise[N], gaps[N], same[N], far[N];
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  SsappPacked about;

  for (int k = 0; k < N; k++) {
    line[k] = 0.001 * k;
    wave[k] = sin (0.02 * k) + (k >= 500 ? 3 : 0); /* a jump */
    noise[k] = g_rand_double_range (random, -5, 5);
    gaps[k] = k % 3 == 0 ? NAN : k == 500 ? INFINITY : wave[k];
    same[k] = 0.1;
    far[k] = k == 700 ? 1e200 : k;
  }
  SS_CHECK (there_and_back (line, N, 1e-9, &about) <= 0.5001e-9);
  SS_CHECK (about.order > 0 && about.n_bytes <= 3); /* told by a difference, not by 10^9 steps */
  SS_CHECK (there_and_back (wave, N, 1e-6, &about) <= 0.5001e-6);
  SS_CHECK (there_and_back (noise, N, 1e-4, &about) <= 0.5001e-4);
  SS_CHECK (about.n_bytes == 3); /* 10^5 steps, with a sign */
  SS_CHECK (there_and_back (gaps, N, 1e-6, &about) <= 0.5001e-6);
  SS_CHECK (about.has_gaps);
  SS_CHECK (there_and_back (same, N, 1e-6, &about) == 0);
  SS_CHECK (about.n_bytes == 0 && about.least == 0.1);
  /* coarser than asked for, not wrong */
  SS_CHECK (there_and_back (far, N, 1e-6, &about) <= 1e200 / 35184372088832. * 0.51);
  gaps[0] = NAN;
  SS_CHECK (there_and_back (gaps, 1, 1, &about) == 0);
}

/* ---- marks ------------------------------------------------------------------------------------------------------- */

/* A number of a mark in a frame, as a page reads it: one for all frames, or a column by its index. */
static double
told_number (const json_t *told, const SsappPageColumns *columns, gsize n, gsize k, SsappPacked *about)
{
  const json_t *column = json_array_get (columns->about, (size_t)json_integer_value (json_array_get (told, 0)));
  json_int_t at = 0, first = 0;
  int gaps = 0;

  *about = (SsappPacked){0};
  if (!json_is_array (told))
    return json_number_value (told);
  SS_CHECK (json_unpack ((json_t *)column, "{s:F, s:F, s:I, s:i, s:i, s:b, s:I}", "least", &about->least, "step",
                         &about->step, "first", &first, "order", &about->order, "bytes", &about->n_bytes, "gaps", &gaps,
                         "at", &at) == 0);
  about->first = first;
  about->has_gaps = gaps;
  g_autofree double *values = g_new (double, n);
  unpack_column (about, columns->bytes->data + at, n, values);
  return values[k];
}

/* Every mark of a page in every frame is the view's, to half of what it is told in; what comes and goes takes a byte a
 * frame, and what nobody sees is not told. */
static void
marks_come_back (void)
{
  static const char text[] =
      "{\"format\": 1, \"name\": \"marks\", \"scene\": {\"gravity\": [1, -9.81], \"friction\": 0.4, \"restitution\": "
      "0.6, "
      "\"bodies\": [{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
      "{\"name\": \"ball\", \"mass\": 2, \"position\": [0, 0.4], \"angular_velocity\": 3, \"shape\": {\"type\": "
      "\"circle\", \"radius\": 0.2}},"
      "{\"name\": \"chip\", \"mass\": 1, \"position\": [1, 0.5], \"angle\": 0.3, \"velocity\": [1, 0], \"shape\": "
      "{\"type\": \"polygon\", \"vertices\": [[-0.2, -0.1], [0.3, -0.1], [0, 0.2]]}}], \"contacts\": \"all\", "
      "\"springs\": [{\"bodies\": [\"ball\", \"chip\"], \"stiffness\": 20}]}, \"task\": {\"t_end\": 1, \"dt\": 0.01}}";
  static const char *const names[] = {"visible", "x", "y", "angle", "radius", "vx", "vy"};
  SsScenario *scenario = ss_test_read_text (text);
  SsTestRun run = ss_test_simulate (scenario->scene, &ss_integrator_moreau_jean, NULL, 0.01, 1, NULL);
  const SsTrajectory *motion = run.trajectory;
  const gsize n = (gsize)motion->n_rows;
  const SsappPageFrames frames = {.rows = motion, .stride = 1};
  const SsappPageSteps steps = {.place = 1e-5, .angle = 1e-6, .time = 1e-9};
  SsappPageColumns columns;
  SsView *view = NULL;
  int n_told = 0, n_that_go = 0, n_arrows = 0;

  SS_CHECK (ss_view_new (scenario, motion->channels, motion->n_channels, &view, NULL) == SS_OK);
  const int n_marks = ss_view_n_marks (view);
  g_autofree SsMark *marks = g_new0 (SsMark, n_marks);
  g_autofree gboolean *is_seen = g_new0 (gboolean, n_marks);
  ssapp_page_columns_init (&columns);
  json_t *list = ssapp_page_marks (view, &frames, &steps, &columns, NULL, NULL);
  for (gsize k = 0; k < n; k++) {
    ss_view_frame (view, ss_trajectory_row (motion, (int)k), marks);
    for (int i = 0; i < n_marks; i++)
      is_seen[i] = is_seen[i] || marks[i].visible;
  }
  for (gsize k = 0; k < n; k += 7) {
    ss_view_frame (view, ss_trajectory_row (motion, (int)k), marks);
    n_told = 0;
    for (int i = 0; i < n_marks; i++) {
      const SsMark *m = &marks[i];
      if (!is_seen[i])
        continue;
      const json_t *told = json_array_get (list, (size_t)n_told++);
      const double is[] = {m->visible, m->position.x, m->position.y, m->angle, m->radius, m->vector.x, m->vector.y};
      SS_CHECK_STR (json_string_value (json_object_get (told, "kind")), ss_mark_kind_name (m->kind));
      SS_CHECK_STR (json_string_value (json_object_get (told, "name")), m->name);
      for (guint f = 0; f < G_N_ELEMENTS (names); f++) {
        SsappPacked about;
        const double value = told_number (json_object_get (told, names[f]), &columns, n, k, &about);
        if (f == 0) {
          SS_CHECK (value == is[0] && about.n_bytes <= 1);
          n_that_go += about.n_bytes;
        } else if (m->visible) {
          SS_CHECK_NEAR (value, is[f], 0.5001 * about.step); /* exact where it stays */
          const gboolean is_arrow = m->kind == SS_MARK_ARROW && f >= 5;
          SS_CHECK (is_arrow || about.step <= (f == 3 ? steps.angle : steps.place));
          n_arrows += is_arrow && about.step > 0;
        }
      }
      const json_t *vertices = json_object_get (told, "vertices");
      SS_CHECK (json_array_size (vertices) == 2 * (size_t)m->n_vertices);
      for (int v = 0; v < 2 * m->n_vertices; v++) {
        SsappPacked about;
        SS_CHECK_NEAR (told_number (json_array_get (vertices, (size_t)v), &columns, n, k, &about),
                       v % 2 == 0 ? m->vertices[v / 2].x : m->vertices[v / 2].y, 0.5001 * about.step);
      }
    }
    SS_CHECK (json_array_size (list) == (size_t)n_told);
  }
  SS_CHECK (n_that_go > 0 && n_arrows > 0);
  json_decref (list);
  ssapp_page_columns_clear (&columns);
  ss_view_free (view);
  ss_trajectory_free (run.trajectory);
  ss_scenario_free (scenario);
}

/* ---- pages ------------------------------------------------------------------------------------------------------- */

/* Two bodies that fall beside each other, n rows. */
static SsTrajectory *
motion_of (int n)
{
  static const char *const names[] = {"t", "a.x", "a.y", "a.theta", "b.x", "b.y", "b.theta", "a.vy"};
  SsTrajectory *motion = NULL;

  SS_CHECK (ss_trajectory_new_named (names, G_N_ELEMENTS (names), n, &motion, NULL) == SS_OK);
  for (int k = 0; k < n; k++) {
    const double t = 0.001 * k, row[] = {t, t, 5 - 4.905 * t * t, 3 * t, -t, sin (40 * t), cos (7 * t), -9.81 * t};
    SS_CHECK (ss_trajectory_append (motion, row, NULL) == SS_OK);
  }
  return motion;
}

static const char scene[] =
    "{\"format\": 1, \"name\": \"two\", \"title\": \"A </script><b>\\u2211</b>\","
    "\"scene\": {\"contacts\": [], \"bodies\": ["
    "{\"name\": \"a\", \"shape\": {\"type\": \"circle\", \"radius\": 0.5}, \"mass\": 1},"
    "{\"name\": \"b\", \"shape\": {\"type\": \"box\", \"width\": 1, \"height\": 2}, \"mass\": 1,"
    "\"position\": [3, 0]}]}, \"task\": {\"t_end\": 1, \"dt\": 0.01}}";

/* The JSON inside a page. */
static json_t *
meta_of (const GString *page)
{
  const char *begin = strstr (page->str, "id=\"meta\">");
  const char *end = begin != NULL ? strstr (begin, "</script>") : NULL;

  SS_CHECK (end != NULL);
  return end != NULL ? json_loadb (begin + 10, (size_t)(end - begin - 10), 0, NULL) : NULL;
}

static gboolean
notes_contain (const json_t *meta, const char *words)
{
  const json_t *notes = json_object_get (meta, "notes"), *line;
  size_t i;

  json_array_foreach (notes, i, line) if (strstr (json_string_value (line), words) != NULL) return TRUE;
  return FALSE;
}

static int
count (const char *text, const char *part)
{
  int n = 0;

  for (const char *at = strstr (text, part); at != NULL; at = strstr (at + 1, part))
    n++;
  return n;
}

static void
a_page_has_the_run (void)
{
  SsScenario *scenario = ss_test_read_text (scene);
  SsTrajectory *motion = motion_of (1000);
  const SsappFigureRun run = {.label = "By <hand>", .trajectory = motion, .outcome = "completed"};
  SsMetricSet metrics = {0};
  ss_metric_set (&metrics, SS_METRIC_STEPS, 999);
  ss_metric_set (&metrics, SS_METRIC_OBJECTIVE, NAN); /* not known: not shown */
  const SsappPage page = {.scenario = scenario,
                          .run = &run,
                          .metrics = &metrics,
                          .id = "0123",
                          .provenance_json = "{\"version\": \"1\", \"libraries\": {\"ipopt\": \"3\"}}"};
  GError *error = NULL;
  GString *text = ssapp_page_make (&page, &error);

  SS_CHECK (error == NULL && text != NULL);
  SS_CHECK (count (text->str, "</script>") == 5 && count (text->str, "<script") == 5); /* its own */
  SS_CHECK_CONTAINS (text->str, "<title>A &lt;/script&gt;&lt;b&gt;∑&lt;/b&gt;</title>");
  SS_CHECK (strstr (text->str, "http://") == NULL && strstr (text->str, "https://") == NULL);
  json_t *meta = meta_of (text);
  SS_CHECK (json_integer_value (json_object_get (meta, "frames")) == 1000);
  SS_CHECK_STR (json_string_value (json_object_get (meta, "label")), "By <hand>");
  SS_CHECK (json_array_size (json_object_get (meta, "channels")) == 7);
  SS_CHECK (json_array_size (json_object_get (meta, "metrics")) == 1);
  SS_CHECK (json_array_size (json_object_get (meta, "marks")) == 4); /* bodies and their centres */
  /* a centre is where its body is: told once; and t, six of the bodies */
  SS_CHECK (json_array_size (json_object_get (meta, "columns")) == 7);
  SS_CHECK (notes_contain (meta, "all 1000 rows") && notes_contain (meta, "1e-05 m"));
  json_decref (meta);
  g_string_free (text, TRUE);
  ss_trajectory_free (motion);
  ss_scenario_free (scenario);
}

static void
few_rows_get_frames_between (void)
{
  SsScenario *scenario = ss_test_read_text (scene);
  SsTrajectory *motion = motion_of (11);
  const SsappFigureRun run = {.trajectory = motion};
  const SsappPage page = {.scenario = scenario, .run = &run};
  GString *text = ssapp_page_make (&page, NULL);
  json_t *meta = meta_of (text);

  SS_CHECK (json_integer_value (json_object_get (meta, "frames")) >= 600);
  SS_CHECK (notes_contain (meta, "The run has 11 rows"));
  SS_CHECK (json_real_value (json_object_get (meta, "speed")) < 0.006); /* 10 ms take two seconds */
  json_decref (meta);
  g_string_free (text, TRUE);
  ss_trajectory_free (motion);
  ss_scenario_free (scenario);
}

/* What has no room is left out in order: channels that nobody chose, then frames; the page says so. */
static void
a_page_keeps_to_its_bytes (void)
{
  SsScenario *scenario = ss_test_read_text (scene);
  SsTrajectory *motion = motion_of (8000);
  for (int k = 0; k < motion->n_rows; k++) /* noise cannot be packed */
    for (int c = 1; c < motion->n_channels; c++)
      motion->values[k * motion->n_channels + c] += 0.3 * sin (12345.678 * (k + 1) * (c + 1));
  const SsappFigureRun run = {.trajectory = motion};
  SsappPage page = {.scenario = scenario, .run = &run, .channels = "a.vy"};
  const gsize sizes[] = {1000000, 190000, 110000};

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    page.most = sizes[i];
    GError *error = NULL;
    GString *text = ssapp_page_make (&page, &error);
    SS_CHECK (error == NULL && text->len <= sizes[i]);
    json_t *meta = meta_of (text);
    const json_t *channels = json_object_get (meta, "channels");
    const json_int_t frames = json_integer_value (json_object_get (meta, "frames"));
    SS_CHECK (i == 2 || (json_array_size (channels) == 7) == (i == 0)); /* half the frames leave room again */
    SS_CHECK ((frames == 8000) == (i < 2));
    if (json_array_size (channels) > 0)
      SS_CHECK_STR (json_string_value (json_object_get (json_array_get (channels, 0), "name")), "a.vy");
    SS_CHECK (notes_contain (meta, "channels are not in this page") == (json_array_size (channels) < 7));
    SS_CHECK (notes_contain (meta, "This page shows all 8000 rows") == (i < 2));
    json_decref (meta);
    g_string_free (text, TRUE);
  }
  page.most = 1000;
  GError *error = NULL;
  SS_CHECK (ssapp_page_make (&page, &error) == NULL);
  SS_CHECK_CONTAINS (error->message, "not even 100 frames fit");
  g_clear_error (&error);
  ss_trajectory_free (motion);
  ss_scenario_free (scenario);
}

static void
failures_leave_no_file (void)
{
  SsScenario *scenario = ss_test_read_text (scene);
  SsTrajectory *motion = motion_of (700), *still = motion_of (1);
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();
  SsappFigureRun run = {.trajectory = still};
  SsappPage page = {.scenario = scenario, .run = &run};
  g_autofree char *path = g_build_filename (directory, "a.html", NULL);
  GError *error = NULL;

  SS_CHECK (!ssapp_page_export (&page, path, &error));
  SS_CHECK_CONTAINS (error->message, "a.html”: the run has no motion to play");
  g_clear_error (&error);
  run.trajectory = motion;
  page.channels = "a.wy";
  SS_CHECK (!ssapp_page_export (&page, path, &error));
  SS_CHECK_CONTAINS (error->message, "the run has no channel 'a.wy'; did you mean");
  g_clear_error (&error);
  page.channels = NULL;
  g_cancellable_cancel (cancelled);
  page.cancellable = cancelled;
  SS_CHECK (!ssapp_page_export (&page, path, &error));
  SS_CHECK (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED));
  g_clear_error (&error);
  SS_CHECK (!g_file_test (path, G_FILE_TEST_EXISTS));
  page.cancellable = NULL;
  SS_CHECK (ssapp_page_export (&page, path, &error) && error == NULL);
  SS_CHECK (g_unlink (path) == 0);
  ss_trajectory_free (motion);
  ss_trajectory_free (still);
  ss_scenario_free (scenario);
}

static void
names_of_pages (void)
{
  SS_CHECK (ssapp_page_is_name ("a.html") && ssapp_page_is_name ("b/A.HTM"));
  SS_CHECK (!ssapp_page_is_name ("html") && !ssapp_page_is_name ("a.html.pdf"));
}

int
main (void)
{
  directory = g_dir_make_tmp ("test-page-XXXXXX", NULL);
  SS_RUN (columns_come_back_to_half_a_step);
  SS_RUN (marks_come_back);
  SS_RUN (a_page_has_the_run);
  SS_RUN (few_rows_get_frames_between);
  SS_RUN (a_page_keeps_to_its_bytes);
  SS_RUN (failures_leave_no_file);
  SS_RUN (names_of_pages);
  g_rmdir (directory);
  g_free (directory);
  return ss_test_finish ();
}
