/* tests/unit/test-compared.c: what runs that are compared are asked: answers are those of their motions, kept with the
 * formula, changed, taken back and done again; runs without a motion and of another scene; what is refused. */
#include "app/session/ssapp-asked-runs.h"
#include "app/session/ssapp-compared.h"
#include "app/session/ssapp-import-motion.h"
#include "app/session/ssapp-shrinking.h"
#include "app/store/ssapp-store-shrink.h"
#include "tests/ss-test-scenario.h"

#include <glib/gstdio.h>

#include <math.h>
#include <string.h>

#define BALL(NAME)                                                                                                     \
  "{\"format\": 1, \"name\": \"" NAME "\", \"scene\": {\"gravity\": [0, -10], \"bodies\": [{\"name\": \"" NAME         \
  "\", \"mass\": 1, \"position\": [0, 2], \"shape\": {\"type\": \"circle\", \"radius\": 0.1}}]}, \"task\": "           \
  "{\"t_end\": 0.5, \"dt\": 0.25}}"

static char *folder;

/* A ball that falls from 2 m to that height in half a second, as a run; g_free. */
static char *
add_run (SsappStore *store, const char *text, const char *name, double height)
{
  SsScenario *scenario = ss_test_read_text (text);
  g_autofree char *table = g_strdup_printf ("t,%s.x,%s.y,%s.theta,%s.vx,%s.vy,%s.omega\n0,0,2,0,0,0,0\n"
                                            "0.25,0,1.7,0,0,-2.5,0\n0.5,0,%g,0,0,-5,0\n",
                                            name, name, name, name, name, name, height),
                  *path = g_build_filename (folder, "motion.csv", NULL);
  GError *error = NULL;

  SS_CHECK (g_file_set_contents (path, table, -1, NULL));
  char *id = ssapp_import_motion (store, scenario, scenario->text, path, &SSAPP_IMPORT_CLAIMS_NONE, &error);
  if (error != NULL)
    g_printerr ("%s\n", error->message);
  SS_CHECK (id != NULL);
  g_unlink (path);
  ss_scenario_free (scenario);
  return id;
}

static void
show (SsappCompared *compared, SsappStore *store)
{
  static const SsMetric any = SS_METRIC_STEPS;
  g_autoptr (GPtrArray) rows = ssapp_store_list_runs (store, &any, 1, NULL);

  ssapp_compared_set_runs (compared, store, rows);
}

static void
on_answered (SsappCompared *compared, const char *account, char **told)
{
  (void)compared;
  g_free (*told);
  *told = g_strdup (account);
}

static void
wait_for (SsappCompared *compared, SsappStore *store)
{
  while (ssapp_compared_is_busy (compared))
    g_main_context_iteration (NULL, TRUE);
  show (compared, store);
}

/* "name [unit] = value of the run, formula" of the only outcome; "" without one. */
static char *
only (SsappCompared *compared, SsappStore *store, const char *id)
{
  g_autoptr (GPtrArray) list = ssapp_compared_list_outcomes (compared);
  SsappRunRow *row = ssapp_store_get_run (store, id, NULL);
  char *text = g_strdup ("");

  SS_CHECK (list->len <= 1);
  if (list->len == 1) {
    const SsappComparedOutcome *outcome = g_ptr_array_index (list, 0);
    double value = NAN;
    for (guint i = 0; i < row->n_outcomes; i++)
      value = row->outcomes[i].value;
    g_free (text);
    text = g_strdup_printf ("%s [%s] = %g, %s, %u", outcome->name, outcome->unit, value, outcome->formula, outcome->n);
  }
  ssapp_run_row_free (row);
  return text;
}

static void
check_only (SsappCompared *compared, SsappStore *store, const char *id, const char *wanted)
{
  g_autofree char *text = only (compared, store, id);

  SS_CHECK_STR (text, wanted);
}

static void
check_refused (SsappCompared *compared, const char *name, const char *text, const char *words)
{
  GError *error = NULL;

  SS_CHECK (!ssapp_compared_set (compared, name, text, &error) && error != NULL);
  SS_CHECK_CONTAINS (error != NULL ? error->message : "", words);
  g_clear_error (&error);
}

static void
runs_answer_and_steps_are_taken_back (void)
{
  g_autofree char *path = g_build_filename (folder, "p.stickslip", NULL), *told = NULL;
  SsappStore *store = ssapp_store_open (path, TRUE, NULL);
  g_autoptr (SsappCompared) compared = ssapp_compared_new ();
  g_autofree char *low = add_run (store, BALL ("ball"), "ball", 0.75),
                  *high = add_run (store, BALL ("ball"), "ball", 1.5);

  g_signal_connect (compared, "answered", G_CALLBACK (on_answered), &told);
  check_refused (compared, NULL, "end=final(ball.y)", "Choose runs");
  show (compared, store);
  check_refused (compared, NULL, "=final(ball.y)", "A name, and a formula");
  check_refused (compared, NULL, "end=final(ball.z)", "did you mean ball.x");
  check_refused (compared, NULL, "steps=final(ball.y)", "choose another name");
  SS_CHECK (ssapp_compared_get_undo_label (compared, FALSE) == NULL);
  SS_CHECK (ssapp_compared_set (compared, NULL, "end=final(ball.y)", NULL));
  check_refused (compared, NULL, "other=final(ball.y)", "still answering");
  wait_for (compared, store);
  SS_CHECK_STR (told, "end: 2 of 2 runs answer");
  check_only (compared, store, low, "end [m] = 0.75, final(ball.y), 2");
  check_only (compared, store, high, "end [m] = 1.5, final(ball.y), 2");
  check_refused (compared, NULL, "end=max(ball.y)", "There is an outcome of that name");
  /* another name and another formula in its place */
  SS_CHECK (ssapp_compared_set (compared, "end", "fall=start(ball.y) - ball.y", NULL));
  wait_for (compared, store);
  check_only (compared, store, low, "fall [m] = 1.25, start(ball.y) - ball.y, 2");
  SS_CHECK (ssapp_compared_remove (compared, "fall", NULL));
  wait_for (compared, store);
  check_only (compared, store, low, "");
  SS_CHECK_STR (ssapp_compared_get_undo_label (compared, FALSE), "Remove Outcome");
  /* back through all three, and forth */
  static const char *const back[] = {"fall [m] = 1.25, start(ball.y) - ball.y, 2", "end [m] = 0.75, final(ball.y), 2",
                                     ""};
  for (int k = 0; k < 3; k++) {
    SS_CHECK (ssapp_compared_undo (compared, FALSE, NULL));
    wait_for (compared, store);
    check_only (compared, store, low, back[k]);
  }
  SS_CHECK (!ssapp_compared_undo (compared, FALSE, NULL));
  SS_CHECK_STR (ssapp_compared_get_undo_label (compared, TRUE), "Add Outcome");
  SS_CHECK (ssapp_compared_undo (compared, TRUE, NULL));
  wait_for (compared, store);
  check_only (compared, store, high, "end [m] = 1.5, final(ball.y), 2");
  g_object_unref (store);
  g_unlink (path);
}

static void
a_run_without_a_motion_or_of_another_scene_is_told (void)
{
  g_autofree char *path = g_build_filename (folder, "q.stickslip", NULL), *told = NULL;
  SsappStore *store = ssapp_store_open (path, TRUE, NULL);
  g_autoptr (SsappCompared) compared = ssapp_compared_new ();
  g_autofree char *kept = add_run (store, BALL ("ball"), "ball", 0.75),
                  *other = add_run (store, BALL ("stone"), "stone", 1),
                  *mute = add_run (store, BALL ("ball"), "ball", 1);

  SS_CHECK (ssapp_store_shrink_run (store, mute, SSAPP_KEEP_METRICS, NULL));
  g_signal_connect (compared, "answered", G_CALLBACK (on_answered), &told);
  show (compared, store);
  g_autofree char *words = ssapp_compared_try (compared, NULL, "end=final(ball.y)", NULL);
  SS_CHECK_STR (words, "end [m], of 2 of 3 runs");
  SS_CHECK (ssapp_compared_set (compared, NULL, "end=final(ball.y)", NULL));
  wait_for (compared, store);
  SS_CHECK_STR (told, "end: 1 of 3 runs answer");
  check_only (compared, store, kept, "end [m] = 0.75, final(ball.y), 1");
  /* the project goes while runs are asked: nothing is left over */
  SS_CHECK (ssapp_compared_remove (compared, "end", NULL));
  ssapp_compared_set_runs (compared, NULL, NULL);
  SS_CHECK (!ssapp_compared_is_busy (compared) && ssapp_compared_get_undo_label (compared, FALSE) == NULL);
  (void)other;
  g_object_unref (store);
  g_unlink (path);
}

static void
on_shrunk (GObject *source, GAsyncResult *result, gpointer data)
{
  (void)source;
  *(GAsyncResult **)data = g_object_ref (result);
}

static gboolean
has_motion (SsappStore *store, const char *id)
{
  SsTrajectory *motion = ssapp_store_get_trajectory (store, id, NULL);
  const gboolean is_there = motion != NULL;

  ss_trajectory_free (motion);
  return is_there;
}

static void
runs_are_shrunk_beside_other_work_until_cancelled (void)
{
  g_autofree char *path = g_build_filename (folder, "shrunk.stickslip", NULL);
  SsappStore *store = ssapp_store_open (path, TRUE, NULL);
  g_autofree char *one = add_run (store, BALL ("ball"), "ball", 0.75), *two = add_run (store, BALL ("ball"), "ball", 1);
  const char *const ids[] = {one, two, NULL};

  for (int is_cancelled = 1; is_cancelled >= 0; is_cancelled--) {
    g_autoptr (GCancellable) cancellable = g_cancellable_new ();
    g_autoptr (GAsyncResult) result = NULL;
    GError *error = NULL;
    guint n = 9;
    gint64 freed = -1, before = 0, after = 0;
    SS_CHECK (ssapp_store_get_size (store, &before, NULL));
    ssapp_shrink_runs_async (store, ids, SSAPP_KEEP_METRICS, cancellable, NULL, on_shrunk, &result);
    SS_CHECK (result == NULL && has_motion (store, one)); /* nothing is done before the main loop goes on */
    if (is_cancelled)
      g_cancellable_cancel (cancellable);
    while (result == NULL)
      g_main_context_iteration (NULL, TRUE);
    SS_CHECK (ssapp_shrink_runs_finish (result, &n, &freed, &error) == !is_cancelled && n == (is_cancelled ? 0U : 2U));
    SS_CHECK (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) == is_cancelled);
    g_clear_error (&error);
    SS_CHECK (has_motion (store, one) == is_cancelled && has_motion (store, two) == is_cancelled);
    SS_CHECK (ssapp_store_get_size (store, &after, NULL) && freed == before - after && freed >= 0);
  }
  g_object_unref (store);
  g_unlink (path);
}

/* A write while the file is written anew comes first, and so does closing; nothing of the runs is lost. */
static void
a_write_and_closing_end_what_writes_the_file_anew (void)
{
  g_autofree char *path = g_build_filename (folder, "anew.stickslip", NULL), *log = g_strconcat (path, "-wal", NULL);

  for (int closes = 0; closes <= 1; closes++) {
    SsappStore *store = ssapp_store_open (path, closes == 0, NULL);
    g_autofree char *one = add_run (store, BALL ("ball"), "ball", 0.75),
                    *two = add_run (store, BALL ("ball"), "ball", 1);
    g_autoptr (GAsyncResult) first = NULL;
    g_autoptr (GAsyncResult) second = NULL;
    GError *error = NULL;
    SS_CHECK (ssapp_store_delete_run (store, two, NULL));
    g_auto (GStrv) deleted = ssapp_store_list_deleted (store, NULL);
    SS_CHECK (g_strv_contains ((const char *const *)deleted, two) &&
              !g_strv_contains ((const char *const *)deleted, one));
    ssapp_store_compact_async (store, NULL, on_shrunk, &first);
    ssapp_store_compact_async (store, NULL, on_shrunk, &second); /* one at a time */
    SS_CHECK (closes ? ssapp_store_close (store, NULL) : ssapp_store_set_note (store, one, "meanwhile", NULL));
    while (first == NULL || second == NULL)
      g_main_context_iteration (NULL, TRUE);
    SS_CHECK (!ssapp_store_compact_finish (store, second, NULL));
    /* a small file may have been quicker */
    SS_CHECK (ssapp_store_compact_finish (store, first, &error) ||
              (closes ? g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
                      : g_error_matches (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_BUSY)));
    g_clear_error (&error);
    ssapp_store_close (store, NULL);
    g_object_unref (store);
    SS_CHECK (!g_file_test (log, G_FILE_TEST_EXISTS));
    store = ssapp_store_open (path, FALSE, NULL);
    SsappRunRow *row = ssapp_store_get_run (store, one, NULL);
    SS_CHECK (has_motion (store, one) && row != NULL && (closes || strcmp (row->note, "meanwhile") == 0));
    SS_CHECK (ssapp_store_compact (store, NULL));
    ssapp_run_row_free (row);
    g_object_unref (store);
  }
  g_unlink (path);
}

/* What lies between the rows of every second step is not told by straight lines. */
static void
rows_of_some_steps_tell_no_extremes (void)
{
  static const char *const texts[] = {"top=max(y)", "mean=mean(y)", "up=always(y > 0.5)", "end=final(y)",
                                      "larger=max(y, 7)"};
  const SsChannel channels[] = {{.name = "t", .unit = "s", .owner_name = ""},
                                {.name = "y", .unit = "m", .owner_name = ""}};
  static const double rows[][2] = {{0, 1}, {1, 1}};
  g_autoptr (SsappInterests) interests = ssapp_interests_new (texts, G_N_ELEMENTS (texts), NULL);
  SsTrajectory *motion = NULL;

  SS_CHECK (ss_trajectory_new (channels, 2, 2, &motion, NULL) == SS_OK);
  for (int k = 0; k < 2; k++)
    SS_CHECK (ss_trajectory_append (motion, rows[k], NULL) == SS_OK);
  for (int every = 1; every < 3; every++) {
    json_t *result = json_pack ("{s:i, s:[]}", "every", every, "events"),
           *answers = ssapp_interests_to_json (interests, NULL, motion, result);
    for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
      const json_t *one = json_object_get (answers, ssapp_interests_get_name (interests, i));
      SS_CHECK (json_is_null (json_object_get (one, "value")) == (every > 1 && i < 3));
      SS_CHECK ((json_object_get (one, "message") != NULL) == (every > 1 && i < 3));
    }
    SS_CHECK_STR (ssapp_interest_verdict (json_object_get (answers, "up")), every > 1 ? "untold" : "holds");
    json_decref (answers);
    json_decref (result);
  }
  /* What all rows told while they were there stays, of the same formula. */
  json_t *result = json_pack ("{s:i, s:[], s:{s:{s:f, s:s, s:b}, s:{s:f, s:s, s:b}}}", "every", 2, "events", "outcomes",
                              "top", "value", 3.0, "formula", "max(y)", "of_all_rows", 1, "mean", "value", 3.0,
                              "formula", "mean(y^2)", "of_all_rows", 1),
         *answers = ssapp_interests_to_json (interests, NULL, motion, result);
  SS_CHECK (json_number_value (json_object_get (json_object_get (answers, "top"), "value")) == 3);
  SS_CHECK (json_is_null (json_object_get (json_object_get (answers, "mean"), "value")));
  json_decref (answers);
  json_decref (result);
  ss_trajectory_free (motion);
}

int
main (void)
{
  folder = g_dir_make_tmp ("test-compared-XXXXXX", NULL);
  SS_RUN (runs_answer_and_steps_are_taken_back);
  SS_RUN (a_run_without_a_motion_or_of_another_scene_is_told);
  SS_RUN (runs_are_shrunk_beside_other_work_until_cancelled);
  SS_RUN (rows_of_some_steps_tell_no_extremes);
  SS_RUN (a_write_and_closing_end_what_writes_the_file_anew);
  g_rmdir (folder);
  g_free (folder);
  return ss_test_finish ();
}
