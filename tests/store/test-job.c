/* tests/store/test-job.c: a worker seen from its client: first iteration in time, answers to cancel, death of the worker, stored rows. */
#include "app/ssapp-store.h"
#include "app/ssapp-json.h"
#include "tests/ss-test.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

/* Limits of the contract, times a factor where the machine may be busy with other tests. */
#define FIRST_ITERATION_LIMIT 0.1 /* s: from the click to a visible reaction */
#define CANCEL_LIMIT          0.2 /* s                                       */
#define BUSY_FACTOR           3.0 /* other tests run on the same cores        */
enum { GIVE_UP_SECONDS = 60 };

typedef struct {
  GMainLoop *loop;
  SsappJob *job;
  double first_iteration, cancelled_at, ended_at;
  int cancel_after; /* iterations; -1: never */
  int kill_after;
  guint n_started, n_motions, n_iterates;
  gboolean gave_up;
} Watch;

static double
now (void)
{
  return (double)g_get_monotonic_time () / G_TIME_SPAN_SECOND;
}

static void
on_started (SsappJob *job, Watch *watch)
{
  (void)job;
  watch->n_started++;
}

static void
on_iteration (SsappJob *job, guint index, Watch *watch)
{
  if (index == 0)
    watch->first_iteration = ssapp_job_get_elapsed (job);
  if ((int)index == watch->cancel_after) {
    watch->cancelled_at = now ();
    ssapp_job_cancel (job);
  }
  if ((int)index == watch->kill_after)
    kill ((pid_t)ssapp_job_get_pid (job), SIGKILL);
}

static void
on_motion (SsappJob *job, Watch *watch)
{
  SS_CHECK (ssapp_job_get_trajectory (job) != NULL);
  watch->n_motions++;
}

static void
on_iterate (SsappJob *job, int iteration, gpointer trajectory, Watch *watch)
{
  (void)job;
  SS_CHECK (iteration >= 0 && ((SsTrajectory *)trajectory)->n_rows > 0);
  watch->n_iterates++;
}

static void
on_ended (SsappJob *job, Watch *watch)
{
  (void)job;
  watch->ended_at = now ();
  g_main_loop_quit (watch->loop);
}

static gboolean
on_give_up (gpointer user_data)
{
  Watch *watch = user_data;
  watch->gave_up = TRUE;
  g_main_loop_quit (watch->loop);
  return G_SOURCE_REMOVE;
}

static char *
read_example (const char *name)
{
  char *path = g_build_filename (SS_SOURCE_ROOT, "examples", name, NULL), *text = NULL;
  SS_CHECK (g_file_get_contents (path, &text, NULL, NULL));
  g_free (path);
  return text;
}

static Watch
watch_new (const char *text, const char *method)
{
  Watch watch = {.loop = g_main_loop_new (NULL, FALSE), .cancel_after = -1, .kill_after = -1, .first_iteration = NAN};
  watch.job = ssapp_job_new (text, "test", method);
  return watch;
}

static void
run (Watch *watch)
{
  GError *error = NULL;
  g_signal_connect (watch->job, "started", G_CALLBACK (on_started), watch);
  g_signal_connect (watch->job, "iteration", G_CALLBACK (on_iteration), watch);
  g_signal_connect (watch->job, "motion", G_CALLBACK (on_motion), watch);
  g_signal_connect (watch->job, "iterate", G_CALLBACK (on_iterate), watch);
  g_signal_connect (watch->job, "ended", G_CALLBACK (on_ended), watch);
  SS_CHECK (ssapp_job_start (watch->job, &error));
  if (error != NULL) {
    printf ("%s\n", error->message);
    exit (1);
  }
  guint timer = g_timeout_add_seconds (GIVE_UP_SECONDS, on_give_up, watch);
  g_main_loop_run (watch->loop);
  if (!watch->gave_up)
    g_source_remove (timer);
  SS_CHECK (!watch->gave_up);
}

static void
watch_clear (Watch *watch)
{
  g_signal_handlers_disconnect_by_data (watch->job, watch);
  g_object_unref (watch->job);
  g_main_loop_unref (watch->loop);
}

static void
test_solved (void)
{
  char *text = read_example ("crisp/push-box.stickslip.json");
  Watch watch = watch_new (text, "crisp");
  ssapp_job_set_parameter (watch.job, "j", 3);
  ssapp_job_set_keep_iterates (watch.job, 10);
  SS_CHECK (ssapp_job_get_state (watch.job) == SSAPP_JOB_WAITING);
  run (&watch);
  printf ("  first iteration %.1f ms after the click\n", 1000 * watch.first_iteration);
  SS_CHECK (watch.first_iteration < FIRST_ITERATION_LIMIT * BUSY_FACTOR);
  SS_CHECK (watch.n_started == 1 && watch.n_motions >= 1 && watch.n_iterates >= 2);
  SS_CHECK_STR (ssapp_job_get_outcome (watch.job), "solved");
  SS_CHECK (ssapp_job_get_state (watch.job) == SSAPP_JOB_ENDED);
  SS_CHECK_CONTAINS (ssapp_job_get_result_json (watch.job), "\"max_violation\"");
  const SsTrajectory *answer = ssapp_job_get_trajectory (watch.job);
  SS_CHECK (answer != NULL && answer->n_rows == 100 && answer->n_channels == 10);
  /* The last state of the result is the last row of the answer, to the bit. */
  json_t *result = json_loads (ssapp_job_get_result_json (watch.job), 0, NULL);
  const int px = ss_trajectory_channel (answer, "px");
  SS_CHECK (ssapp_json_get_real (json_object_get (result, "final_state"), "px") == ss_trajectory_row (answer, 99)[px]);
  json_decref (result);
  watch_clear (&watch);
  g_free (text);
}

static void
test_simulation (void)
{
  char *text = read_example ("sketches/falling-box.stickslip.json");
  Watch watch = watch_new (text, "stewart-trinkle");
  ssapp_job_set_step (watch.job, 1e-4, 2); /* 20001 rows: several chunks */
  run (&watch);
  SS_CHECK_STR (ssapp_job_get_outcome (watch.job), "completed");
  SS_CHECK (ssapp_job_get_trajectory (watch.job)->n_rows == 20001);
  SS_CHECK (watch.n_motions >= 1);
  watch_clear (&watch);
  g_free (text);
}

/* A problem so large that one factorisation takes longer than a cancel may. */
static void
test_cancel_inside_a_factorisation (void)
{
  char *text = read_example ("crisp/push-box.stickslip.json");
  Watch watch = watch_new (text, "ipopt");
  ssapp_job_set_parameter (watch.job, "N", 10000);
  watch.cancel_after = 0;
  run (&watch);
  printf ("  answered after %.0f ms: %s\n", 1000 * (watch.ended_at - watch.cancelled_at),
          ssapp_job_get_message (watch.job));
  SS_CHECK_STR (ssapp_job_get_outcome (watch.job), "cancelled");
  SS_CHECK (watch.ended_at - watch.cancelled_at < CANCEL_LIMIT * BUSY_FACTOR);
  SS_CHECK (ssapp_job_get_result_json (watch.job) != NULL);
  SS_CHECK (ssapp_job_get_trajectory (watch.job) != NULL && ssapp_job_get_trajectory (watch.job)->n_rows == 10000);
  watch_clear (&watch);
  g_free (text);
}

static void
test_time_limit (void)
{
  char *text = read_example ("crisp/push-box.stickslip.json");
  Watch watch = watch_new (text, "ipopt");
  ssapp_job_set_parameter (watch.job, "N", 10000);
  ssapp_job_set_time_limit (watch.job, 0.5);
  run (&watch);
  SS_CHECK_STR (ssapp_job_get_outcome (watch.job), "time_limit");
  SS_CHECK (ssapp_job_get_elapsed (watch.job) <
            5); /* without the limit it would take minutes; a busy machine gets its time */
  watch_clear (&watch);
  g_free (text);
}

static void
test_killed_worker_is_stored (void)
{
  char *text = read_example ("crisp/push-box.stickslip.json");
  char *folder = g_dir_make_tmp ("test-job-XXXXXX", NULL), *path = g_build_filename (folder, "p.stickslip", NULL);
  GError *error = NULL;
  SsappStore *store = ssapp_store_open (path, TRUE, &error);
  Watch watch = watch_new (text, "crisp");

  ssapp_job_set_parameter (watch.job, "N", 3000);
  watch.kill_after = 2;
  SS_CHECK (ssapp_store_follow (store, watch.job, &error));
  SsappRunRow *row = ssapp_store_get_run (store, ssapp_job_get_id (watch.job), &error);
  SS_CHECK_STR (row->outcome, "running");
  ssapp_run_row_free (row);
  run (&watch);
  SS_CHECK_STR (ssapp_job_get_outcome (watch.job), "interrupted");
  SS_CHECK_CONTAINS (ssapp_job_get_message (watch.job), "signal 9");
  SS_CHECK (ssapp_job_get_result_json (watch.job) == NULL);
  row = ssapp_store_get_run (store, ssapp_job_get_id (watch.job), &error);
  SS_CHECK_STR (row->outcome, "interrupted");
  ssapp_run_row_free (row);
  GArray *rows = ssapp_store_get_iterations (store, ssapp_job_get_id (watch.job), &error);
  SS_CHECK (rows != NULL && rows->len >= 3);
  g_array_unref (rows);
  ssapp_store_close (store);
  g_object_unref (store);
  watch_clear (&watch);
  g_unlink (path);
  g_rmdir (folder);
  g_free (path);
  g_free (folder);
  g_free (text);
}

static void
test_bad_scenario (void)
{
  Watch watch = watch_new ("{\"format\": 1,\n \"name\": 7}", "crisp");
  run (&watch);
  SS_CHECK_STR (ssapp_job_get_outcome (watch.job), "failed");
  SS_CHECK_CONTAINS (ssapp_job_get_message (watch.job), "name");
  watch_clear (&watch);
  /* Cancelled before it was started: no process. */
  SsappJob *job = ssapp_job_new ("{}", "x", "crisp");
  ssapp_job_cancel (job);
  SS_CHECK_STR (ssapp_job_get_outcome (job), "cancelled");
  g_object_unref (job);
}

int
main (void)
{
  signal (SIGPIPE, SIG_IGN);
  SS_RUN (test_solved);
  SS_RUN (test_simulation);
  SS_RUN (test_cancel_inside_a_factorisation);
  SS_RUN (test_time_limit);
  SS_RUN (test_killed_worker_is_stored);
  SS_RUN (test_bad_scenario);
  return ss_test_finish ();
}
