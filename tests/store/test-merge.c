/* tests/store/test-merge.c: runs from one project into another: what belongs to them goes along, doing it twice changes
 * nothing, a failure leaves nothing. */
#include "app/base/ssapp-json.h"
#include "app/store/ssapp-store-merge.h"
#include "app/store/ssapp-store-sketch.h"
#include "app/store/ssapp-store-study.h"
#include "tests/ss-test-store.h"

#include <glib/gstdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static char *folder;

static const char text_a[] = "{\"format\": 1, \"name\": \"a\"}", text_b[] = "{\"format\": 1, \"name\": \"b\"}";

static char *
file (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

static SsTrajectory *
motion_of (double first)
{
  static const char *const names[] = {"t", "x"};
  SsTrajectory *motion = NULL;

  SS_CHECK (ss_trajectory_new_named (names, 2, 2, &motion, NULL) == SS_OK);
  for (int k = 0; k < 3; k++)
    SS_CHECK (ss_trajectory_append (motion, (double[]){k, first + k}, NULL) == SS_OK);
  return motion;
}

/* A run that ended, with a row of everything. */
static void
add_run (SsappStore *store, const char *id, const char *text, const char *replay_of, double objective)
{
  static const char *const columns[] = {"vn_A", NULL};
  const SsMethodId method = {SS_METHOD_OPTIMISER, "crisp"};
  g_autofree char *result = g_strdup_printf (
      "{\"outcome\": \"solved\", \"metrics\": {\"objective\": %g}, \"events\": [{\"t\": 0.5, \"kind\": \"impact\"}]}",
      objective);
  const SsColumn column = {"objective", objective};
  SsTrajectory *motion = motion_of (objective);
  GError *error = NULL;

  SS_CHECK (ssapp_store_record (store, id, text, "name", method, "{}", "{}", 3, &error));
  if (replay_of != NULL)
    SS_CHECK (ssapp_store_set_replay_of (store, id, replay_of, &error));
  SS_CHECK (ssapp_store_add_iteration (store, id, 1, 0.1, &column, 1, &error));
  SS_CHECK (ssapp_store_add_log (store, id, 0.1, 1, id, &error));
  SS_CHECK (ssapp_store_add_samples (store, id, "velocities", columns, &objective, 1, FALSE, &error));
  SS_CHECK (ssapp_store_finish (store, id, result, motion, &error) && error == NULL);
  ss_trajectory_free (motion);
}

/* Runs "run-1" to "run-4": 1 and 2 of sketch a, of which 2 replays 1; 3 of sketch b; 4 was removed. */
static char *
make_project (const char *name)
{
  static const char *const one_and_three[] = {"run-1", "run-3", NULL};
  char *path = file (name);
  SsappStore *store = ssapp_store_open (path, TRUE, NULL);

  g_free (ssapp_store_add_sketch (store, "box", text_a, NULL));
  g_free (ssapp_store_add_sketch (store, "ball", text_b, NULL));
  add_run (store, "run-1", text_a, NULL, 1.25);
  add_run (store, "run-2", text_a, "run-1", 2.5);
  add_run (store, "run-3", text_b, NULL, 3.75);
  add_run (store, "run-4", text_b, NULL, 4);
  SS_CHECK (ssapp_store_delete_run (store, "run-4", NULL));
  SS_CHECK (ssapp_store_set_note (store, "run-2", "odd ∑", NULL));
  g_free (ssapp_store_add_comparison (store, "both", one_and_three, NULL, NULL));
  g_autofree char *study = ssapp_store_add_study (store, "Friction", "{}", 2, NULL);
  SS_CHECK (ssapp_store_set_study_run (store, study, "key-3", "{\"mu\": 0.5}", "run-3", NULL));
  SS_CHECK (ssapp_store_set_tags (store, "run-3", "good, odd", NULL));
  close_store (store);
  return path;
}

static void
check_whole (const char *path)
{
  check_query (path, "PRAGMA integrity_check", "ok");
  g_autofree char *broken = query (path, "PRAGMA foreign_key_check");
  SS_CHECK (broken == NULL);
}

static void
a_selection_takes_what_it_needs (void)
{
  static const char *const ids[] = {"run-2", NULL};
  g_autofree char *path = make_project ("a.stickslip"), *to = file ("a-part.stickslip");
  SsappStore *store = ssapp_store_open (path, FALSE, NULL);
  SsappMerge told = {0};
  GError *error = NULL;

  SS_CHECK (ssapp_store_archive (store, ids, to, FALSE, &told, &error) && error == NULL);
  SS_CHECK (told.n_runs == 2 && told.n_more == 1 && told.n_sketches == 1 &&
            told.n_comparisons == 0); /* with its plan */
  g_autofree char *words = ssapp_merge_describe (&told);
  SS_CHECK_STR (words, "2 runs (1 that others refer to), 1 sketch");
  check_whole (to);
  check_query (to, "SELECT group_concat (id) FROM (SELECT id FROM run ORDER BY number)", "run-1,run-2");
  check_query (to, "SELECT name FROM sketch", "box");
  check_query (to, "SELECT count (*) FROM study", "0"); /* which has none of these runs */
  check_query (to, "SELECT note || replay_of FROM run WHERE id = 'run-2'", "odd ∑run-1");
  check_query (to, "SELECT value FROM metric m JOIN run r ON r.number = m.run WHERE r.id = 'run-2'", "2.5");
  check_query (to,
               "SELECT (SELECT count (*) FROM iteration) || (SELECT count (*) FROM log) || (SELECT count (*) FROM "
               "sample) || (SELECT count (*) FROM motion) || (SELECT count (*) FROM event) || (SELECT count (*) "
               "FROM scenario_text) || (SELECT count (*) FROM provenance)",
               "2222211");
  /* a file that is there stays, unless somebody says otherwise; the project itself always */
  SS_CHECK (!ssapp_store_archive (store, NULL, to, FALSE, NULL, &error));
  SS_CHECK_CONTAINS (error->message, "is there already");
  g_clear_error (&error);
  SS_CHECK (ssapp_store_archive (store, NULL, to, TRUE, &told, NULL) && told.n_runs == 3 && told.n_comparisons == 1);
  SS_CHECK (!ssapp_store_archive (store, NULL, path, TRUE, NULL, &error));
  SS_CHECK_CONTAINS (error->message, "is the project itself");
  g_clear_error (&error);
  close_store (store);
}

/* Another machine's project, with runs of its own and a sketch of the same name. */
static void
twice_is_as_once (void)
{
  g_autofree char *from = make_project ("from.stickslip"), *path = file ("to.stickslip");
  SsappStore *store = ssapp_store_open (path, TRUE, NULL);
  GError *error = NULL;
  SsappMerge told = {0};

  g_free (ssapp_store_add_sketch (store, "box", text_b, NULL));
  add_run (store, "own-1", text_b, NULL, 7);
  SS_CHECK (ssapp_store_merge (store, from, NULL, &told, &error) && error == NULL);
  SS_CHECK (told.n_runs == 3 && told.n_more == 0 && told.n_known == 0 && told.n_sketches == 2 &&
            told.n_comparisons == 1);
  SS_CHECK (ssapp_store_delete_run (store, "run-3", NULL)); /* and comes back */
  SS_CHECK (ssapp_store_merge (store, from, NULL, &told, &error) && error == NULL);
  SS_CHECK (told.n_runs == 0 && told.n_known == 3 && told.n_sketches == 0 && told.n_comparisons == 0);
  SsTrajectory *motion = ssapp_store_get_trajectory (store, "run-3", NULL);
  SS_CHECK (motion != NULL && motion->n_rows == 3 && ss_trajectory_row (motion, 2)[1] == 5.75);
  ss_trajectory_free (motion);
  json_t *events = ssapp_store_get_events (store, "run-2", 0, NULL);
  SS_CHECK (json_array_size (events) == 1);
  json_decref (events);
  close_store (store);
  check_whole (path);
  check_query (path, "SELECT group_concat (id) FROM (SELECT id FROM run WHERE deleted IS NULL ORDER BY number)",
               "own-1,run-1,run-2,run-3");
  check_query (path, "SELECT value FROM metric m JOIN run r ON r.number = m.run WHERE r.id = 'own-1'", "7.0");
  check_query (path, "SELECT value FROM metric m JOIN run r ON r.number = m.run WHERE r.id = 'run-3'", "3.75");
  check_query (path, "SELECT group_concat (name) FROM (SELECT name FROM sketch ORDER BY number)", "box,box-2,ball");
  check_query (path, "SELECT s.name FROM run r JOIN sketch s ON s.id = r.sketch WHERE r.id = 'run-1'", "box-2");
  check_query (path, "SELECT group_concat (run_id) FROM comparison_run", "run-1,run-3");
  check_query (path, "SELECT count (*) FROM provenance", "1");
  check_query (path, "SELECT title || key || run_id || task FROM study_run JOIN study ON number = study",
               "Frictionkey-3run-3{\"mu\": 0.5}");
  check_query (path, "SELECT tags FROM run WHERE id = 'run-3'", "good, odd");
  check_query (path, "SELECT count (*) FROM study", "1");
}

static void
failures_leave_nothing (void)
{
  static const char *const wrong[] = {"run-1", "run-9", NULL}, *const going[] = {"run-0", NULL};
  g_autofree char *path = make_project ("b.stickslip"), *to = file ("b-part.stickslip"),
                  *nowhere = g_build_filename (folder, "no-folder", "c.stickslip", NULL), *text = file ("text");
  SsappStore *store = ssapp_store_open (path, FALSE, NULL);
  const SsMethodId method = {SS_METHOD_OPTIMISER, "crisp"};
  GError *error = NULL;

  SS_CHECK (ssapp_store_record (store, "run-0", text_a, "name", method, "{}", "{}", 3, NULL));
  SS_CHECK (!ssapp_store_archive (store, wrong, to, FALSE, NULL, &error));
  SS_CHECK_CONTAINS (error->message, "no run 'run-9'");
  g_clear_error (&error);
  SS_CHECK (!ssapp_store_archive (store, going, to, FALSE, NULL, &error));
  SS_CHECK_CONTAINS (error->message, "still going on");
  g_clear_error (&error);
  SS_CHECK (!ssapp_store_archive (store, NULL, nowhere, FALSE, NULL, &error));
  SS_CHECK_CONTAINS (error->message, "no-folder");
  g_clear_error (&error);
  SS_CHECK (!ssapp_store_merge (store, path, NULL, NULL, &error));
  SS_CHECK_CONTAINS (error->message, "is this project");
  g_clear_error (&error);
  SS_CHECK (g_file_set_contents (text, "a text and no project, long enough for a head", -1, NULL));
  SS_CHECK (!ssapp_store_merge (store, text, NULL, NULL, &error));
  SS_CHECK_CONTAINS (error->message, "no Stickslip project");
  g_clear_error (&error);
  close_store (store);
  fflush (stdout);
  if (fork () == 0) { /* a disk that is full */
    const struct rlimit limit = {60000, 60000};
    store = ssapp_store_open (path, FALSE, NULL);
    signal (SIGXFSZ, SIG_IGN);
    _exit (setrlimit (RLIMIT_FSIZE, &limit) == 0 && !ssapp_store_archive (store, NULL, to, FALSE, NULL, NULL) ? 0 : 1);
  }
  int status = -1;
  SS_CHECK (wait (&status) > 0 && WIFEXITED (status) && WEXITSTATUS (status) == 0);
  GDir *dir = g_dir_open (folder, 0, NULL);
  for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir))
    SS_CHECK (!g_str_has_prefix (name, "b-part") && !g_str_has_prefix (name, ".b-part"));
  g_dir_close (dir);
}

int
main (void)
{
  folder = g_dir_make_tmp ("test-merge-XXXXXX", NULL);
  SS_RUN (a_selection_takes_what_it_needs);
  SS_RUN (twice_is_as_once);
  SS_RUN (failures_leave_nothing);
  GDir *dir = g_dir_open (folder, 0, NULL);
  for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir)) {
    g_autofree char *path = file (name);
    g_unlink (path);
  }
  g_dir_close (dir);
  g_rmdir (folder);
  g_free (folder);
  return ss_test_finish ();
}
