/* tests/store/test-store-study.c: studies of a project, which run answers which task, tags; where a given motion comes
 * from; what writes in a project that takes nothing. */
#include "app/job/ssapp-asked.h"
#include "app/store/ssapp-store-sketch.h"
#include "app/store/ssapp-store-study.h"
#include "tests/ss-test-store.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char *path, *folder;

static const SsMethodId crisp = {SS_METHOD_OPTIMISER, "crisp"};

static SsappStore *
open_store (void)
{
  GError *error = NULL;
  SsappStore *store = ssapp_store_open (path, TRUE, &error);

  SS_CHECK (store != NULL && error == NULL);
  return store;
}

/* A run of that id, ended with an outcome unless it is NULL. */
static void
add_run (SsappStore *store, const char *id, const char *outcome)
{
  SS_CHECK (ssapp_store_record (store, id, "{}", "a", crisp, NULL, NULL, 0, NULL));
  if (g_strcmp0 (outcome, "interrupted") == 0) {
    SS_CHECK (ssapp_store_abandon (store, id, outcome, "", NULL, NULL));
  } else if (outcome != NULL) {
    g_autofree char *result = g_strdup_printf ("{\"outcome\":\"%s\"}", outcome);
    SS_CHECK (ssapp_store_finish (store, id, result, NULL, NULL));
  }
  SS_CHECK (ssapp_store_flush (store, NULL));
}

static void
studies_are_kept (void)
{
  SsappStore *store = open_store ();
  g_autoptr (GError) error = NULL;
  g_autofree char *a = ssapp_store_add_study (store, "First", "{\"a\":1}", 3, &error),
                  *b = ssapp_store_add_study (store, "Second", "{\"b\":1}", 4, &error);

  SS_CHECK (a != NULL && b != NULL);
  SS_CHECK (ssapp_store_set_study (store, a, "First study", "{\"a\":2}", 5, NULL));
  close_store (store);
  store = open_store ();
  g_autoptr (GPtrArray) rows = ssapp_store_list_studies (store, NULL);
  SS_CHECK (rows != NULL && rows->len == 2);
  SsappStudyRow *row = g_ptr_array_index (rows, 1);
  SS_CHECK_STR (row->id, a);
  SS_CHECK_STR (row->title, "First study");
  SS_CHECK_STR (row->definition, "{\"a\":2}");
  SS_CHECK (row->n_tasks == 5 && row->n_runs == 0 && strcmp (row->created, row->changed) <= 0);

  g_autofree char *prefix = g_strndup (a, 6);
  const char *const names[] = {a, prefix, "First study"};
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    SsappStudyRow *found = ssapp_store_get_study (store, names[i], &error);
    SS_CHECK (found != NULL && strcmp (found->id, a) == 0);
    ssapp_study_row_free (found);
  }
  SsappStudyRow *last = ssapp_store_get_study (store, "last", &error);
  SS_CHECK (last != NULL && strcmp (last->id, b) == 0);
  ssapp_study_row_free (last);
  SS_CHECK (ssapp_store_get_study (store, "Third", &error) == NULL);
  SS_CHECK_CONTAINS (error->message, "there are: Second, First study");
  g_clear_error (&error);

  SS_CHECK (ssapp_store_delete_study (store, b, NULL));
  SS_CHECK (ssapp_store_get_study (store, b, NULL) == NULL);
  SS_CHECK (ssapp_store_undelete_study (store, b, NULL));
  last = ssapp_store_get_study (store, b, NULL);
  SS_CHECK (last != NULL);
  ssapp_study_row_free (last);
  SS_CHECK (!ssapp_store_delete_study (store, "nothing", &error));
  SS_CHECK (g_error_matches (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND));
  close_store (store);
}

/* One run a task: only what did not end by itself gives way, and is then no run of the project any more. */
static void
one_run_a_task (void)
{
  static const char *const gives_way[] = {"interrupted", "cancelled"}, *const stays[] = {NULL, "solved", "time_limit",
                                                                                         "failed"};
  SsappStore *store = open_store ();
  g_autofree char *study = ssapp_store_add_study (store, "Tasks", "{}", 9, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (gives_way); i++) {
    g_autofree char *old = g_strdup_printf ("old-%u", i), *new = g_strdup_printf ("new-%u", i);
    add_run (store, old, gives_way[i]);
    add_run (store, new, "solved");
    SS_CHECK (ssapp_store_set_study_run (store, study, "key", "{\"mu\":1}", old, NULL));
    g_autoptr (GHashTable) none = ssapp_store_list_study_runs (store, study, NULL);
    SS_CHECK (g_hash_table_size (none) == 0);
    SS_CHECK (ssapp_store_set_study_run (store, study, "key", "{\"mu\":2}", new, NULL));
    g_autoptr (GHashTable) runs = ssapp_store_list_study_runs (store, study, NULL);
    SS_CHECK_STR (g_hash_table_lookup (runs, "key"), new);
    g_autofree char *sql = g_strdup_printf ("SELECT (deleted IS NOT NULL) FROM run WHERE id = '%s'", old);
    check_query (path, sql, "1");
    SS_CHECK (ssapp_store_delete_run (store, new, NULL));
    check_query (path, "SELECT task FROM study_run WHERE key = 'key'", "{\"mu\":2}");
  }
  for (guint i = 0; i < G_N_ELEMENTS (stays); i++) {
    g_autofree char *id = g_strdup_printf ("stay-%u", i), *other = g_strdup_printf ("other-%u", i);
    g_autofree char *key = g_strdup_printf ("key-%u", i);
    g_autoptr (GError) error = NULL;
    add_run (store, id, stays[i]);
    add_run (store, other, "solved");
    SS_CHECK (ssapp_store_set_study_run (store, study, key, NULL, id, NULL));
    SS_CHECK (ssapp_store_set_study_run (store, study, key, NULL, id, NULL)); /* the same once more */
    SS_CHECK (!ssapp_store_set_study_run (store, study, key, NULL, other, &error));
    SS_CHECK (g_error_matches (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_TAKEN));
    g_autoptr (GHashTable) runs = ssapp_store_list_study_runs (store, study, NULL);
    SS_CHECK_STR (g_hash_table_lookup (runs, key), id);
  }
  g_autoptr (GPtrArray) studies = ssapp_store_list_studies (store, NULL);
  const SsappStudyRow *newest = g_ptr_array_index (studies, 0);
  SS_CHECK_STR (newest->id, study);
  SS_CHECK (newest->n_runs == 3); /* all but the one that runs */
  SS_CHECK (ssapp_store_finish (store, "stay-0", "{\"outcome\":\"solved\"}", NULL, NULL));
  close_store (store);
  check_query (path, "PRAGMA integrity_check", "ok");
  check_query (path, "SELECT count(*) FROM pragma_foreign_key_check", "0");
}

static void
tags_are_kept (void)
{
  SsappStore *store = open_store ();
  g_autoptr (GError) error = NULL;

  add_run (store, "tagged", "solved");
  SS_CHECK (ssapp_store_set_tags (store, "tagged", " paper,,  Fig. 3 ,paper", NULL));
  SsappRunRow *row = ssapp_store_get_run (store, "tagged", NULL);
  SS_CHECK_STR (row->tags, "paper, Fig. 3");
  ssapp_run_row_free (row);
  SS_CHECK (ssapp_store_set_tags (store, "tagged", "", NULL));
  row = ssapp_store_get_run (store, "tagged", NULL);
  SS_CHECK_STR (row->tags, "");
  ssapp_run_row_free (row);
  SS_CHECK (!ssapp_store_set_tags (store, "nothing", "a", &error));
  SS_CHECK (g_error_matches (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND));
  close_store (store);
}

/* ---- given motions ----------------------------------------------------------------------------------------------- */

static SsTrajectory *
make_motion (double x)
{
  static const char *const names[] = {"t", "x"};
  SsTrajectory *motion = NULL;

  SS_CHECK (ss_trajectory_new_named (names, 2, 2, &motion, NULL) == SS_OK);
  for (int i = 0; i < 2; i++)
    SS_CHECK (ss_trajectory_append (motion, (const double[]){i, x + i}, NULL) == SS_OK);
  return motion;
}

/* A run was given the motion that is stored with it, else the answer of the run that it names: what was asked names it,
 * else what it replays, else where it started. One that names none was given none; another motion than that of the
 * checksum is told. */
static void
given_motions_are_found (void)
{
  static const struct {
    const char *result; /* %s: a checksum */
    double x;           /* of the motion that is found; NAN: none */
    gboolean is_refused;
  } cases[] = {
      {"{}", NAN, FALSE},
      {"{\"replay_of\": \"\", \"start_from\": \"\", \"asked\": {\"motion\": {\"run\": \"\"}}}", NAN, FALSE},
      {"{\"replay_of\": \"run-10\"}", 10, FALSE},
      {"{\"start_from\": \"run-20\"}", 20, FALSE},
      {"{\"replay_of\": \"\", \"start_from\": \"run-20\"}", 20, FALSE},
      {"{\"replay_of\": \"run-10\", \"start_from\": \"run-20\"}", 10, FALSE},
      {"{\"asked\": {\"motion\": {\"run\": \"run-30\"}}, \"replay_of\": \"run-10\"}", 30, FALSE},
      {"{\"asked\": {\"motion\": {\"run\": \"run-10\", \"sha256\": \"%s\"}}}", 10, FALSE},
      {"{\"asked\": {\"motion\": {\"run\": \"run-20\", \"sha256\": \"%s\"}}}", NAN, TRUE},
      {"{\"asked\": {\"motion\": {\"run\": \"run-99\", \"sha256\": \"%s\"}}}", NAN, TRUE},
  };
  SsappStore *store = open_store ();
  SsTrajectory *ten = make_motion (10), *own = make_motion (7);
  g_autofree char *hash = ssapp_asked_motion_hash (ten);

  for (int x = 10; x <= 30; x += 10) {
    g_autofree char *id = g_strdup_printf ("run-%d", x);
    SsTrajectory *answer = make_motion (x);
    SS_CHECK (ssapp_store_record (store, id, "{}", "a", crisp, NULL, NULL, 0, NULL));
    SS_CHECK (ssapp_store_finish (store, id, "{\"outcome\": \"solved\"}", answer, NULL));
    ss_trajectory_free (answer);
  }
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *id = g_strdup_printf ("given-%u", i);
    g_auto (GStrv) parts = g_strsplit (cases[i].result, "%s", -1);
    g_autofree char *result = g_strjoinv (hash, parts);
    g_autoptr (GError) error = NULL;
    gboolean is_own = TRUE;
    add_run (store, id, NULL);
    SS_CHECK (ssapp_store_finish (store, id, result, NULL, NULL));
    SsTrajectory *found = ssapp_store_get_given (store, id, &is_own, &error);
    SS_CHECK (!is_own && (found != NULL) == !isnan (cases[i].x) && (error != NULL) == cases[i].is_refused);
    SS_CHECK (found == NULL || (found->n_rows == 2 && found->values[1] == cases[i].x));
    SS_CHECK (error == NULL || g_error_matches (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND));
    ss_trajectory_free (found);
    /* Its own is found before any other, and is none of what the project has already. */
    if (cases[i].is_refused)
      continue;
    const gboolean has_hash = strstr (cases[i].result, "sha256") != NULL;
    SS_CHECK (ssapp_store_add_given (store, id, has_hash ? ten : own, NULL, NULL) && ssapp_store_flush (store, NULL));
    found = ssapp_store_get_given (store, id, &is_own, NULL);
    SS_CHECK (found != NULL && is_own && found->values[1] == (has_hash ? 10 : 7));
    ss_trajectory_free (found);
  }
  add_run (store, "same", "solved");
  SS_CHECK (ssapp_store_add_given (store, "same", ten, "run-10", NULL) && ssapp_store_flush (store, NULL));
  check_query (path, "SELECT count(*) FROM motion WHERE run_id = 'same'", "0");
  SS_CHECK (ssapp_store_add_given (store, "same", ten, "run-20", NULL) && ssapp_store_flush (store, NULL));
  check_query (path, "SELECT count(*) FROM motion WHERE run_id = 'same'", "1");
  ss_trajectory_free (ten);
  ss_trajectory_free (own);
  close_store (store);
}

/* ---- where nothing can be written -------------------------------------------------------------------------------- */

/* One after another, whatever writes; FALSE after the last. */
static gboolean
write_one (SsappStore *s, int which, gboolean *ok, GError **e)
{
  static const char *const runs[] = {"tagged", NULL}, *const columns[] = {"a", NULL};
  static const SsColumn column = {"objective", 1};
  const SsappMotionKey key = {"answer", 1, -1};
  SsappIteration row = {.iteration = 1};
  SsTrajectory *motion = make_motion (1);
  json_t *machine = json_object ();
  g_autofree char *made = NULL;

  /* clang-format off */
  switch (which) {
  case 0: *ok = ssapp_store_record (s, "new", "{}", "a", crisp, NULL, NULL, 0, e); break;
  case 1: *ok = ssapp_store_set_replay_of (s, "tagged", "tagged", e); break;
  case 2: *ok = ssapp_store_add_iteration (s, "tagged", 1, 1, &column, 1, e); break;
  case 3: *ok = ssapp_store_add_iteration_row (s, "tagged", &row, e); break;
  case 4: *ok = ssapp_store_add_log (s, "tagged", 0, 1, "a line", e); break;
  case 5: *ok = ssapp_store_finish (s, "tagged", "{}", NULL, e); break;
  case 6: *ok = ssapp_store_finish_record (s, "tagged", "{}", motion, NULL, NULL, 0, e); break;
  case 7: *ok = ssapp_store_abandon (s, "tagged", "failed", "", NULL, e); break;
  case 8: *ok = ssapp_store_end_run (s, "tagged", e); break;
  case 9: *ok = ssapp_store_add_iterate (s, "tagged", 1, motion, e); break;
  case 10: *ok = ssapp_store_delete_run (s, "tagged", e); break;
  case 11: *ok = ssapp_store_undelete_run (s, "tagged", e); break;
  case 12: *ok = ssapp_store_set_note (s, "tagged", "note", e); break;
  case 13: *ok = (made = ssapp_store_add_comparison (s, "Both", runs, NULL, e)) != NULL; break;
  case 14: *ok = ssapp_store_add_motion (s, "tagged", &key, 1, motion, e); break;
  case 15: *ok = ssapp_store_add_given (s, "tagged", motion, NULL, e); break;
  case 16: *ok = ssapp_store_add_samples (s, "tagged", "c", columns, (const double[]){1}, 1, FALSE, e); break;
  case 17: *ok = (made = ssapp_store_add_study (s, "New", "{}", 1, e)) != NULL; break;
  case 18: *ok = ssapp_store_set_study (s, "study", "New", "{}", 1, e); break;
  case 19: *ok = ssapp_store_delete_study (s, "study", e); break;
  case 20: *ok = ssapp_store_undelete_study (s, "study", e); break;
  case 21: *ok = ssapp_store_set_study_run (s, "study", "key", NULL, "tagged", e); break;
  case 22: *ok = ssapp_store_set_tags (s, "tagged", "other", e); break;
  case 23: *ok = ssapp_store_set_origin (s, "tagged", "", "", machine, e); break;
  case 24: *ok = (made = ssapp_store_add_sketch (s, "sketch", "{}", e)) != NULL; break;
  case 25: *ok = ssapp_store_set_sketch_text (s, "sketch", "{}", NULL, "Edit", e); break;
  case 26: *ok = ssapp_store_rename_sketch (s, "sketch", "other", e); break;
  case 27: *ok = ssapp_store_delete_sketch (s, "sketch", e); break;
  case 28: *ok = ssapp_store_undelete_sketch (s, "sketch", e); break;
  case 29: *ok = ssapp_store_set_sketch_view (s, "sketch", "{}", e); break;
  default: which = -1;
  }
  /* clang-format on */
  ss_trajectory_free (motion);
  json_decref (machine);
  return which >= 0;
}

/* Each is refused with that error, and nothing else is said. */
static void
check_all_refused (SsappStore *store, SsappStoreError code)
{
  const GLogLevelFlags fatal =
      g_log_set_always_fatal ((GLogLevelFlags)(G_LOG_FATAL_MASK | G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING));
  gboolean ok = FALSE;
  int which = 0;

  for (g_autoptr (GError) error = NULL; write_one (store, which, &ok, &error); which++) {
    if (ok || !g_error_matches (error, SSAPP_STORE_ERROR, (int)code)) {
      SS_CHECK (FALSE);
      printf ("  write %d: %s\n", which, error != NULL ? error->message : "done");
    }
    g_clear_error (&error);
  }
  SS_CHECK (which == 30);
  g_log_set_always_fatal (fatal);
}

/* A project that can only be read, by another user where we are root, and one that is closed: whatever writes says so,
 * and the file stays as it was. */
static void
nothing_is_written_where_nothing_can_be (void)
{
  SsappStore *store = open_store ();
  g_autofree char *before = NULL, *after = NULL;
  gsize size_before = 0, size_after = 0;
  int status = -1;

  close_store (store);
  SS_CHECK (g_file_get_contents (path, &before, &size_before, NULL));
  SS_CHECK (g_chmod (path, 0444) == 0 && g_chmod (folder, 0755) == 0);
  fflush (stdout);
  const pid_t child = fork ();
  if (child == 0) {
    ss_test_failed_checks = geteuid () == 0 && seteuid (65534) != 0;
    if (open (path, O_RDONLY) < 0) { /* below a folder of root's alone */
      printf ("# another user does not reach %s: not asked\n", path);
      fflush (stdout);
      _exit (0);
    }
    store = ssapp_store_open (path, FALSE, NULL);
    SS_CHECK (store != NULL && ssapp_store_is_read_only (store));
    check_all_refused (store, SSAPP_STORE_ERROR_READ_ONLY);
    fflush (stdout);
    _exit (ss_test_failed_checks > 0 ? 2 : 0);
  }
  waitpid (child, &status, 0);
  SS_CHECK (WIFEXITED (status) && WEXITSTATUS (status) == 0);
  SS_CHECK (g_file_get_contents (path, &after, &size_after, NULL));
  SS_CHECK (size_before == size_after && memcmp (before, after, size_before) == 0);
  SS_CHECK (g_chmod (path, 0600) == 0);
  store = open_store ();
  SS_CHECK (ssapp_store_close (store, NULL));
  check_all_refused (store, SSAPP_STORE_ERROR_FAILED);
  g_object_unref (store);
}

int
main (void)
{
  folder = g_dir_make_tmp ("test-store-study-XXXXXX", NULL);

  path = g_build_filename (folder, "a.stickslip", NULL);
  SS_RUN (studies_are_kept);
  SS_RUN (one_run_a_task);
  SS_RUN (tags_are_kept);
  SS_RUN (given_motions_are_found);
  SS_RUN (nothing_is_written_where_nothing_can_be);
  g_unlink (path);
  g_rmdir (folder);
  g_free (path);
  g_free (folder);
  return ss_test_finish ();
}
