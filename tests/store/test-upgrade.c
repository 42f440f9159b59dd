/* tests/store/test-upgrade.c: projects of formats 1 to 3 and 5 to 10, made by the programs of their time, are read as
 * they are and brought to the present format without losing anything, or not at all.
 *
 * The files are in tests/data/projects, with what those programs said of every run beside them. */
#include "app/base/ssapp-json.h"
#include "app/store/ssapp-store-check.h"
#include "app/store/ssapp-store-sketch.h"
#include "tests/ss-test-store.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static char *folder;

static const int formats[] = {1, 2, 3, 5, 6, 7, 8, 9, 10};
enum { NEWEST_OLD = 10, FIRST_WITH_PICTURE = 10 }; /* whose upgrade has tables to make; whose sketch has one */

/* A copy that may be changed. */
static char *
copy_project (int format, const char *name)
{
  g_autofree char *from = g_strdup_printf (SS_SOURCE_ROOT "/tests/data/projects/format-%d.stickslip", format);
  char *to = g_build_filename (folder, name, NULL), *data = NULL;
  gsize size = 0;

  SS_CHECK (g_file_get_contents (from, &data, &size, NULL) && g_file_set_contents (to, data, (gssize)size, NULL));
  g_free (data);
  return to;
}

static json_t *
load_expected (int format)
{
  g_autofree char *path = g_strdup_printf (SS_SOURCE_ROOT "/tests/data/projects/format-%d.json", format);
  json_t *expected = json_load_file (path, 0, NULL);

  SS_CHECK (json_integer_value (json_object_get (expected, "format")) == format);
  return expected;
}

/* ---- what is expected -------------------------------------------------------------------------------------------- */

/* Item k of an item of a list. */
static const char *
text_at (const json_t *item, size_t k)
{
  return json_string_value (json_array_get (item, k));
}

static int
integer_at (const json_t *item, size_t k)
{
  return (int)json_integer_value (json_array_get (item, k));
}

/* Of a run whose result has no such metric: NULL. */
static const json_t *
expected_metric (const json_t *show, const char *name)
{
  const json_t *metrics = json_object_get (json_object_get (show, "result"), "metrics");
  g_auto (GStrv) parts = g_strsplit (name, ".", 2);

  metrics = json_object_get (metrics, parts[0]);
  return parts[1] != NULL ? json_object_get (metrics, parts[1]) : metrics;
}

static void
check_metrics (const SsappRunRow *row, const json_t *show)
{
  const json_t *metrics = json_object_get (json_object_get (show, "result"), "metrics");
  size_t n = 0;

  for (int i = 0; i < SS_METRIC_COUNT; i++) {
    const SsMetric metric = (SsMetric)i;
    const json_t *expected = expected_metric (show, ss_metric_spec (metric)->name);
    const double value = ssapp_run_row_get_metric (row, metric);
    /* A run that was interrupted has no result: how far it came is all that the old programs said. */
    if (!json_is_object (metrics) && metric == SS_METRIC_ITERATIONS) {
      SS_CHECK (value == (double)json_integer_value (json_object_get (show, "iterations")));
      continue;
    }
    SS_CHECK (has_metric (row, (SsMetric)i) == (expected != NULL));
    n += expected != NULL;
    if (json_is_number (expected))
      SS_CHECK_NEAR (value, json_number_value (expected), 0); /* the same bits */
    else if (json_is_boolean (expected))
      SS_CHECK (value == (json_is_true (expected) ? 1 : 0));
    else
      SS_CHECK (isnan (value));
  }
  /* All there was, but for the object of tracking errors itself, the certificate and the name of the worst row. */
  const json_t *tracking = json_object_get (metrics, "tracking_error");
  const size_t apart = (tracking != NULL) + (json_object_get (metrics, "certificate") != NULL) +
                       (json_object_get (metrics, "worst") != NULL);
  SS_CHECK (n == json_object_size (metrics) - apart + json_object_size (tracking));
}

static void
check_run (SsappStore *store, const json_t *show)
{
  static const struct {
    const char *name;
    size_t offset;
  } texts[] = {{"run", offsetof (SsappRunRow, id)},
               {"scenario", offsetof (SsappRunRow, scenario_name)},
               {"sha256", offsetof (SsappRunRow, scenario_sha256)},
               {"method", offsetof (SsappRunRow, method)},
               {"outcome", offsetof (SsappRunRow, outcome)},
               {"message", offsetof (SsappRunRow, message)},
               {"started", offsetof (SsappRunRow, started)},
               {"ended", offsetof (SsappRunRow, ended)},
               {"note", offsetof (SsappRunRow, note)}};
  const char *id = ssapp_json_get_string (show, "run"), *plan = ssapp_json_get_string (show, "replay_of");
  const gboolean is_optimiser =
      ss_method_find (SS_METHOD_OPTIMISER, ssapp_json_get_string (show, "method"), NULL) != NULL;
  GError *error = NULL;
  SsappRunRow *row = ssapp_store_get_run (store, id, &error);

  SS_CHECK (row != NULL);
  if (row == NULL) {
    printf ("%s\n", error->message);
    g_error_free (error);
    return;
  }
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    SS_CHECK_STR (G_STRUCT_MEMBER (const char *, row, texts[i].offset), ssapp_json_get_string (show, texts[i].name));
  SS_CHECK_STR (row->replay_of, plan != NULL ? plan : "");
  SS_CHECK_STR (row->solution_of, "");
  SS_CHECK_STR (row->start, "");
  SS_CHECK_STR (row->kind_name, is_optimiser ? "optimiser" : "integrator");
  SS_CHECK (row->seed == (guint64)json_integer_value (json_object_get (show, "seed")));
  check_metrics (row, show);

  static const char *const parts[] = {"options", "parameters", "result", "provenance"};
  g_autofree char *result = ssapp_store_get_result_json (store, id, &error),
                  *provenance = ssapp_store_get_provenance_json (store, id, &error);
  const char *const values[] = {row->options_json, row->parameters_json, result, provenance};
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++) {
    json_t *value = values[i] != NULL ? json_loads (values[i], 0, NULL) : json_null ();
    SS_CHECK (json_equal (value, json_object_get (show, parts[i])));
    json_decref (value);
  }
  json_t *events = ssapp_store_get_events (store, id, 0, &error), *none = json_array ();
  const json_t *expected = json_object_get (json_object_get (show, "result"), "events");
  SS_CHECK (json_equal (events, expected != NULL ? expected : none));
  json_decref (events);
  json_decref (none);
  g_autofree char *text = ssapp_store_get_scenario_text (store, id, &error);
  g_autofree char *sha256 = text != NULL ? g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1) : NULL;
  SS_CHECK_STR (sha256, row->scenario_sha256);
  SS_CHECK (error == NULL);
  ssapp_run_row_free (row);
}

/* Items: run, role, iteration, rows, JSON list of channels, SHA-256 of the values. */
static void
check_motions (SsappStore *store, const json_t *expected, const json_t *runs)
{
  GError *error = NULL;
  guint n_listed = 0;

  for (size_t i = 0; i < json_array_size (expected); i++) {
    const json_t *item = json_array_get (expected, i);
    const SsappMotionKey key = {text_at (item, 1), 0, integer_at (item, 2)};
    SsTrajectory *motion = ssapp_store_get_motion (store, text_at (item, 0), &key, &error);
    SS_CHECK (motion != NULL);
    if (motion == NULL)
      continue;
    g_autoptr (GBytes) bytes = ssapp_trajectory_to_bytes (motion);
    g_autofree char *sha256 = g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, bytes);
    json_t *channels = ssapp_json_channels (motion), *names = json_loads (text_at (item, 4), 0, NULL);
    SS_CHECK (motion->n_rows == integer_at (item, 3) && json_equal (channels, names));
    SS_CHECK_STR (sha256, text_at (item, 5));
    json_decref (channels);
    json_decref (names);
    ss_trajectory_free (motion);
  }
  for (size_t i = 0; i < json_array_size (runs); i++) {
    const char *id = ssapp_json_get_string (json_array_get (runs, i), "run");
    g_autoptr (GArray) motions = ssapp_store_list_motions (store, id, &error),
                       iterates = ssapp_store_list_iterates (store, id, &error);
    guint n_iterates = 0;
    for (guint k = 0; k < motions->len; k++) {
      const SsappMotionRow *row = &g_array_index (motions, SsappMotionRow, k);
      SS_CHECK (row->key.branch == 0 && row->share == 1);
      n_iterates += strcmp (row->key.role, "iterate") == 0;
    }
    SS_CHECK (iterates->len == n_iterates);
    n_listed += motions->len;
  }
  SS_CHECK (error == NULL && n_listed == json_array_size (expected));
}

/* Items: run, iteration, time in hexadecimal, JSON of all columns. */
static void
check_iterations (SsappStore *store, const json_t *expected, const json_t *runs)
{
  size_t at = 0;

  for (size_t i = 0; i < json_array_size (runs); i++) {
    const char *id = ssapp_json_get_string (json_array_get (runs, i), "run");
    g_autoptr (GArray) rows = ssapp_store_get_iterations (store, id, NULL);
    guint n = 0;
    SS_CHECK (rows != NULL);
    for (size_t k = 0; k < json_array_size (expected); k++) {
      const json_t *item = json_array_get (expected, k);
      if (strcmp (text_at (item, 0), id) != 0)
        continue;
      SS_CHECK (n < rows->len);
      if (n >= rows->len)
        break;
      const SsappIteration *row = &g_array_index (rows, SsappIteration, n++);
      SS_CHECK (row->iteration == integer_at (item, 1));
      SS_CHECK_NEAR (row->t, strtod (text_at (item, 2), NULL), 0);
      SS_CHECK_STR (row->json, text_at (item, 3));
      at++;
    }
    SS_CHECK (n == rows->len);
  }
  SS_CHECK (at == json_array_size (expected));
}

static void
check_logs (SsappStore *store, const json_t *expected, const json_t *runs)
{
  for (size_t i = 0; i < json_array_size (runs); i++) {
    const char *id = ssapp_json_get_string (json_array_get (runs, i), "run");
    g_autofree char *log = ssapp_store_get_log (store, id, NULL);
    GString *lines = g_string_new ("");
    for (size_t k = 0; k < json_array_size (expected); k++) {
      const json_t *item = json_array_get (expected, k);
      if (strcmp (text_at (item, 0), id) == 0)
        g_string_append_printf (lines, "%s\n", text_at (item, 2));
    }
    SS_CHECK_STR (log, lines->str);
    g_string_free (lines, TRUE);
  }
}

/* The picture under the sketch, which is in its view in format 10: SHA-256 of its PNG. */
static void
check_picture (SsappStore *store, const json_t *expected)
{
  const json_t *newest = json_array_get (json_object_get (expected, "scenarios"), 0);
  g_autoptr (SsappSketchRow) row = ssapp_store_get_sketch (store, text_at (newest, 0), NULL);
  g_autofree char *view = row != NULL ? ssapp_store_get_sketch_view (store, row->id, NULL) : NULL;
  json_t *root = view != NULL ? json_loads (view, 0, NULL) : NULL, *picture = json_object_get (root, "picture");
  const char *base64 = ssapp_json_get_string (picture, "png");
  gsize size = 0;
  g_autofree guchar *png = base64 != NULL ? g_base64_decode (base64, &size) : NULL;
  g_autofree char *sha256 = png != NULL ? g_compute_checksum_for_data (G_CHECKSUM_SHA256, png, size) : NULL;

  SS_CHECK_STR (sha256, "eee8a534dc6884fa303c16296fc93abd9cbebbd2c181f7a81e13fd3463c44c65");
  SS_CHECK_NEAR (ssapp_json_get_real (picture, "opacity"), 0.5, 0);
  json_decref (root);
}

/* Items: name, version, SHA-256, text. */
static void
check_scenarios (SsappStore *store, const json_t *expected)
{
  const json_t *newest = json_array_get (expected, json_array_size (expected) - 1);
  GError *error = NULL;
  SsappSketchRow *row = ssapp_store_get_sketch (store, text_at (newest, 0), &error);

  SS_CHECK (row != NULL && error == NULL);
  if (row != NULL)
    SS_CHECK_STR (row->text, text_at (newest, 3));
  ssapp_sketch_row_free (row);
  g_clear_error (&error);
}

/* All that was brought to this format has checksums, and they are right; one that may not be changed has those of its
 * own format, if any. */
static void
check_sums (SsappStore *store, int format)
{
  g_autoptr (SsappCheck) check = ssapp_store_check (store, NULL);

  SS_CHECK (check != NULL &&
            check->has_sums == (format >= SSAPP_STORE_FIRST_WITH_SUMS || !ssapp_store_is_read_only (store)));
  if (check == NULL)
    return;
  SS_CHECK (check->damage->len == 0 && (check->n_checked > 6) == check->has_sums);
  for (guint i = 0; i < check->damage->len; i++)
    printf ("%s\n", ((SsappDamage *)g_ptr_array_index (check->damage, i))->words);
}

/* Everything that the old program said of its project: `expected`, of load_expected. */
static void
check_against (SsappStore *store, const json_t *expected)
{
  static const SsMetric shown[] = {SS_METRIC_OBJECTIVE, SS_METRIC_MAX_VIOLATION, SS_METRIC_SOLVE_SECONDS};
  const json_t *runs = json_object_get (expected, "show"), *listed = json_object_get (expected, "listed");
  g_autoptr (GPtrArray) rows = ssapp_store_list_runs (store, shown, G_N_ELEMENTS (shown), NULL);

  SS_CHECK (json_array_size (runs) > 6 && json_array_size (listed) == json_array_size (runs) - 1); /* one is removed */
  SS_CHECK (rows != NULL && rows->len == json_array_size (listed));
  for (guint i = 0; rows != NULL && i < rows->len; i++) {
    const SsappRunRow *row = g_ptr_array_index (rows, i);
    SS_CHECK_STR (row->id, json_string_value (json_array_get (listed, i)));
    SsappRunRow *whole = ssapp_store_get_run (store, row->id, NULL);
    for (guint k = 0; k < G_N_ELEMENTS (shown); k++) {
      const double a = ssapp_run_row_get_metric (row, shown[k]), b = ssapp_run_row_get_metric (whole, shown[k]);
      SS_CHECK (a == b || (isnan (a) && isnan (b)));
    }
    ssapp_run_row_free (whole);
  }
  for (size_t i = 0; i < json_array_size (runs); i++)
    check_run (store, json_array_get (runs, i));
  check_motions (store, json_object_get (expected, "motions"), runs);
  check_iterations (store, json_object_get (expected, "iterations"), runs);
  check_logs (store, json_object_get (expected, "log"), runs);
  check_scenarios (store, json_object_get (expected, "scenarios"));
  if (json_integer_value (json_object_get (expected, "format")) == FIRST_WITH_PICTURE)
    check_picture (store, expected);
  check_sums (store, (int)json_integer_value (json_object_get (expected, "format")));
}

static void
check_project (SsappStore *store, int format)
{
  json_t *expected = load_expected (format);

  check_against (store, expected);
  json_decref (expected);
}

/* ---- upgrading --------------------------------------------------------------------------------------------------- */

static void
check_upgraded_file (const char *path, int format)
{
  check_query (path, "PRAGMA user_version", G_STRINGIFY (SSAPP_STORE_SCHEMA_VERSION));
  check_query (path, "PRAGMA application_id", "1397967952"); /* "SSLP" */
  check_query (path, "PRAGMA integrity_check", "ok");
  check_query (path, "SELECT count(*) FROM pragma_foreign_key_check", "0");
  check_query (path, "PRAGMA journal_mode", "delete");
  check_query (
      path, "SELECT group_concat (name) FROM (SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name)",
      "checksum,comparison,comparison_run,event,iteration,log,metric,motion,picture,provenance,run,run_result,sample,"
      "scenario_text,sketch,sketch_version,study,study_run");
  /* The usual metrics by name, as they were in columns; check_project looks at the rows they come from. */
  json_t *expected = load_expected (format);
  g_autofree char *sql = g_strdup_printf (
      "SELECT count(*) FROM run_overview o JOIN metric ON run = number AND name = 'objective' AND value = objective "
      "WHERE id = '%s' AND iterations > 0 AND n_variables > 0 AND success_paper IN (0, 1) AND steps IS NULL",
      ssapp_json_get_string (json_array_get (json_object_get (expected, "show"), 0), "run"));
  check_query (path, sql, "1");
  json_decref (expected);
}

static void
test_upgrade (void)
{
  for (guint f = 0; f < G_N_ELEMENTS (formats); f++) {
    const int format = formats[f];
    g_autofree char *path = copy_project (format, "upgrade.stickslip");
    GError *error = NULL;
    SsappStore *store = ssapp_store_open (path, FALSE, &error);

    SS_CHECK (store != NULL);
    if (store == NULL) {
      printf ("%s\n", error->message);
      g_clear_error (&error);
      continue;
    }
    SS_CHECK (!ssapp_store_is_read_only (store));
    check_project (store, format);
    /* It goes on: a new run in an old project. */
    SS_CHECK (ssapp_store_record (store, "new-run-1", "{}", "a", (SsMethodId){SS_METHOD_IMPACT_LAW, "set-valued"}, NULL,
                                  NULL, 0, &error));
    SS_CHECK (
        ssapp_store_finish (store, "new-run-1", "{\"outcome\":\"completed\",\"metrics\":{\"steps\":3}}", NULL, &error));
    SS_CHECK (ssapp_store_close (store, NULL));
    g_object_unref (store);
    check_query (path, "SELECT kind || ' ' || number FROM run WHERE id = 'new-run-1'",
                 format == 1   ? "impact-law 8"
                 : format == 2 ? "impact-law 10"
                 : format == 3 ? "impact-law 9"
                               : "impact-law 9");
    g_free (query (path, "DELETE FROM metric WHERE run = (SELECT number FROM run WHERE id = 'new-run-1')"));
    g_free (query (path, "DELETE FROM run_result WHERE run = (SELECT number FROM run WHERE id = 'new-run-1')"));
    g_free (query (path, "DELETE FROM checksum WHERE of = 'run' AND number = (SELECT number FROM run WHERE id = "
                         "'new-run-1')"));
    g_free (query (path, "DELETE FROM run WHERE id = 'new-run-1'"));
    check_upgraded_file (path, format);

    /* Opening it again finds all of it in the new tables. */
    store = ssapp_store_open (path, FALSE, &error);
    SS_CHECK (store != NULL && error == NULL);
    check_project (store, format);
    SS_CHECK (ssapp_store_close (store, NULL));
    g_object_unref (store);
  }
}

/* Run by another user where we are root, since root may write everything; that one may be
 * forbidden to read the source tree. */
static int
read_only_checks (const char *path, const json_t *expected)
{
  GError *error = NULL;
  SsappStore *store;

  if (geteuid () == 0 && seteuid (65534) != 0)
    return 1;
  ss_test_failed_checks = 0;
  store = ssapp_store_open (path, FALSE, &error);
  SS_CHECK (store != NULL && ssapp_store_is_read_only (store));
  if (store != NULL) {
    check_against (store, expected);
    g_autoptr (GPtrArray) comparisons = ssapp_store_list_comparisons (store, NULL);
    SS_CHECK (comparisons != NULL && comparisons->len == 0);
    SS_CHECK (!ssapp_store_set_note (store, "last", "x", &error));
    SS_CHECK (g_error_matches (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_READ_ONLY));
    SS_CHECK (ssapp_store_close (store, NULL));
  }
  fflush (stdout);
  return ss_test_failed_checks > 0 ? 2 : 0;
}

static void
test_read_only (void)
{
  for (guint f = 0; f < G_N_ELEMENTS (formats); f++) {
    const int format = formats[f];
    g_autofree char *path = copy_project (format, "old-read-only.stickslip");
    g_autofree char *before = NULL, *after = NULL;
    gsize size_before = 0, size_after = 0;
    json_t *expected = load_expected (format);
    int status = -1;

    SS_CHECK (g_file_get_contents (path, &before, &size_before, NULL));
    SS_CHECK (g_chmod (path, 0444) == 0 && g_chmod (folder, 0755) == 0);
    fflush (stdout);
    pid_t child = fork ();
    if (child == 0)
      _exit (read_only_checks (path, expected));
    waitpid (child, &status, 0);
    json_decref (expected);
    SS_CHECK (WIFEXITED (status) && WEXITSTATUS (status) == 0);
    SS_CHECK (g_file_get_contents (path, &after, &size_after, NULL));
    SS_CHECK (size_before == size_after && memcmp (before, after, size_before) == 0);
    g_unlink (path);
  }
}

/* ---- when it fails ----------------------------------------------------------------------------------------------- */

enum { OPENED, NO_ROOM, OTHER_ERROR };

/* A file size limit stands for a full disk: the system refuses the write in the same way. */
static int
open_with_limit (const char *path, gsize limit_bytes)
{
  GError *error = NULL;
  struct rlimit limit;

  signal (SIGXFSZ, SIG_IGN);
  getrlimit (RLIMIT_FSIZE, &limit);
  const struct rlimit small = {limit_bytes, limit.rlim_max};
  setrlimit (RLIMIT_FSIZE, &small);
  SsappStore *store = ssapp_store_open (path, FALSE, &error);
  if (store != NULL) {
    SS_CHECK (ssapp_store_close (store, NULL));
    return OPENED;
  }
  return g_error_matches (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FULL) && strstr (error->message, path) != NULL
             ? NO_ROOM
             : OTHER_ERROR;
}

/* The upgrade fails at one place after the other, from the first page that it adds to the last: the file stays as it
 * was, to the byte, until there is room. (A full disk lets a file be overwritten, so no limit is below its size.)
 * Whatever the format, tables are made and filled: it fails at 10 pages or more. */
static void
test_no_room (void)
{
  /* page by page; children of programs with sanitizers are slow to begin, and end at a third of the pages */
  const gsize step = (ss_test_is_coarse () ? 3 : 1) * 4096;
  const int least = ss_test_is_coarse () ? 2 : 5;
  const guint every = ss_test_is_coarse () ? 4 : 1; /* format; without sanitizers each is tried */

  for (guint f = 0; f < G_N_ELEMENTS (formats); f += every) {
    const int format = formats[f];
    g_autofree char *path = copy_project (format, "no-room.stickslip"), *journal = g_strconcat (path, "-journal", NULL);
    g_autofree char *before = NULL;
    gsize size = 0;
    int outcome = NO_ROOM, n_failures = 0;

    SS_CHECK (g_file_get_contents (path, &before, &size, NULL));
    for (gsize limit = size; outcome == NO_ROOM && limit < 10 * size; limit += step) {
      int status = -1;
      fflush (stdout);
      pid_t child = fork ();
      if (child == 0)
        _exit (open_with_limit (path, limit));
      waitpid (child, &status, 0);
      SS_CHECK (WIFEXITED (status));
      outcome = WEXITSTATUS (status);
      if (outcome == NO_ROOM) {
        g_autofree char *after = NULL;
        gsize size_after = 0;
        SS_CHECK (g_file_get_contents (path, &after, &size_after, NULL));
        SS_CHECK (size == size_after && memcmp (before, after, size) == 0);
        SS_CHECK (!g_file_test (journal, G_FILE_TEST_EXISTS));
        n_failures++;
      }
    }
    SS_CHECK (outcome == OPENED && n_failures >= least);
    check_upgraded_file (path, format);
    SsappStore *store = ssapp_store_open (path, FALSE, NULL);
    SS_CHECK (store != NULL);
    check_project (store, format);
    SS_CHECK (ssapp_store_close (store, NULL));
    g_object_unref (store);
    g_unlink (path);
  }
}

/* A process that is killed in the middle leaves a journal, from which the next one finds the old file again. */
static void
test_killed (void)
{
  enum { TRIES = 8, FIRST_US = 2000, STEP_US = 3000 };

  for (int try = 0; try < TRIES; try++) {
    g_autofree char *path = copy_project (NEWEST_OLD, "killed-upgrade.stickslip");
    int status = -1;
    fflush (stdout);
    pid_t child = fork ();
    if (child == 0) {
      (void)ssapp_store_open (path, FALSE, NULL);
      _exit (0);
    }
    g_usleep (FIRST_US + (gulong)try * STEP_US);
    kill (child, SIGKILL);
    waitpid (child, &status, 0);
    SsappStore *store = ssapp_store_open (path, FALSE, NULL);
    SS_CHECK (store != NULL);
    if (store == NULL)
      continue;
    check_project (store, NEWEST_OLD);
    SS_CHECK (ssapp_store_close (store, NULL));
    g_object_unref (store);
    check_upgraded_file (path, NEWEST_OLD);
  }
}

/* Several programs open an old project at once: one of them upgrades it, all of them see it whole. */
static void
test_together (void)
{
  enum { OPENERS = 4 };
  g_autofree char *path = copy_project (1, "together.stickslip");
  pid_t children[OPENERS];

  fflush (stdout);
  for (int i = 0; i < OPENERS; i++) {
    children[i] = fork ();
    if (children[i] == 0) {
      GError *error = NULL;
      ss_test_failed_checks = 0;
      SsappStore *store = ssapp_store_open (path, FALSE, &error);
      if (store != NULL) {
        check_project (store, 1);
        SS_CHECK (ssapp_store_close (store, NULL));
      } else {
        printf ("%s\n", error->message);
      }
      fflush (stdout);
      _exit (store == NULL || ss_test_failed_checks > 0);
    }
  }
  for (int i = 0; i < OPENERS; i++) {
    int status = -1;
    waitpid (children[i], &status, 0);
    SS_CHECK (WIFEXITED (status) && WEXITSTATUS (status) == 0);
  }
  /* Two that close at once may each find the other there, and leave it to the next to make one file of the project. */
  SsappStore *store = ssapp_store_open (path, FALSE, NULL);
  SS_CHECK (store != NULL && ssapp_store_close (store, NULL));
  check_upgraded_file (path, 1);
}

/* A format that no version ever wrote is no step to begin from. */
static void
test_impossible_format (void)
{
  static const char *const wrong[] = {"PRAGMA user_version = 0", "PRAGMA user_version = -1"};

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_autofree char *path = copy_project (NEWEST_OLD, "impossible.stickslip");
    GError *error = NULL;
    g_free (query (path, wrong[i]));
    SS_CHECK (ssapp_store_open (path, TRUE, &error) == NULL);
    SS_CHECK (g_error_matches (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_A_PROJECT));
    g_clear_error (&error);
  }
}

/* While a program of its time has it open, a project stays as that needs it: it is read so, and not written. */
static void
test_open_elsewhere (void)
{
  g_autofree char *path = copy_project (10, "at-work.stickslip");
  GError *error = NULL;
  sqlite3 *db = NULL;

  SS_CHECK (sqlite3_open (path, &db) == SQLITE_OK);
  SS_CHECK (sqlite3_exec (db, "PRAGMA journal_mode = WAL; SELECT count (*) FROM run", NULL, NULL, NULL) == SQLITE_OK);
  g_autoptr (SsappStore) reader = ssapp_store_open_to_read (path, &error);
  SS_CHECK (reader != NULL && error == NULL);
  g_autofree char *id = query (path, "SELECT id FROM run WHERE result IS NOT NULL AND deleted IS NULL");
  g_autofree char *expected = query (path, "SELECT result FROM run WHERE result IS NOT NULL AND deleted IS NULL");
  g_autofree char *result = ssapp_store_get_result_json (reader, id, &error);
  SS_CHECK (error == NULL);
  SS_CHECK_STR (result, expected);
  SS_CHECK (ssapp_store_open (path, FALSE, &error) == NULL);
  SS_CHECK (g_error_matches (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_BUSY));
  g_clear_error (&error);
  SS_CHECK (sqlite3_exec (db, "UPDATE run SET result = result", NULL, NULL, NULL) == SQLITE_OK);
  g_clear_object (&reader);
  sqlite3_close (db);
  g_autoptr (SsappStore) store = ssapp_store_open (path, FALSE, &error);
  g_autofree char *format = query (path, "PRAGMA user_version");
  SS_CHECK (store != NULL && atoi (format) == SSAPP_STORE_SCHEMA_VERSION);
}

int
main (void)
{
  folder = g_dir_make_tmp ("test-upgrade-XXXXXX", NULL);
  SS_RUN (test_upgrade);
  SS_RUN (test_read_only);
  SS_RUN (test_no_room);
  SS_RUN_SLOW (test_killed);
  SS_RUN (test_together);
  SS_RUN (test_open_elsewhere);
  SS_RUN (test_impossible_format);
  g_autofree char *command = g_strdup_printf ("rm -rf %s", folder);
  (void)!system (command);
  g_free (folder);
  return ss_test_finish ();
}
