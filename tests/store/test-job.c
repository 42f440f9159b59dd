/* tests/store/test-job.c: a worker seen from its client: first iteration in time, answers to cancel, death of the
 * worker, stored rows. */
#include "app/job/ssapp-cpu.h"
#include "app/job/ssapp-job-private.h"
#include "app/job/ssapp-own-kept.h"
#include "app/job/ssapp-quota.h"
#include "app/store/ssapp-store.h"
#include "app/base/ssapp-json.h"
#include "tests/ss-test.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Limits of the contract, for the worker's CPU time: how long a clock takes depends on what else the machine does.
 * Other tests use the same caches, and CPU time is counted in hundredths of a second. */
#define FIRST_ITERATION_LIMIT 0.1 /* s: from the click to a visible reaction */
#define CANCEL_LIMIT          0.2 /* s                                       */
#define BUSY_FACTOR           3.0

/* By how much a sanitizer makes the programs slower, whose answers are waited for. */
static int
slowdown (void)
{
  const char *text = g_getenv ("STICKSLIP_TEST_SLOWDOWN");
  return text != NULL ? MAX (1, atoi (text)) : 1;
}
enum { GIVE_UP_SECONDS = 600 }; /* a guard */

typedef struct {
  GMainLoop *loop;
  SsappJob *job;
  double cpu, first_iteration, cancelled_at, ended_at; /* CPU time of workers [s]: before this one, and from then on */
  int cancel_after;                                    /* iterations; -1: never */
  int kill_after, stop_after;
  double stopped_at; /* wall time of the run [s]; NaN: it was not */
  guint n_started, n_motions, n_iterates;
  gboolean gave_up;
} Watch;

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
    watch->first_iteration = ssapp_cpu_of_children () - watch->cpu;
  if ((int)index == watch->stop_after) {
    watch->stopped_at = ssapp_job_get_elapsed (job);
    kill ((pid_t)ssapp_job_get_pid (job), SIGSTOP);
  }
  if ((int)index == watch->cancel_after) {
    watch->cancelled_at = ssapp_cpu_of_children () - watch->cpu;
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
  watch->ended_at = ssapp_cpu_of_children () - watch->cpu;
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
  Watch watch = {.loop = g_main_loop_new (NULL, FALSE),
                 .cancel_after = -1,
                 .kill_after = -1,
                 .stop_after = -1,
                 .stopped_at = NAN,
                 .first_iteration = NAN};
  const SsMethodKind kind = ss_method_lookup ((SsMethodId){SS_METHOD_INTEGRATOR, method}) != NULL ? SS_METHOD_INTEGRATOR
                                                                                                  : SS_METHOD_OPTIMISER;
  watch.job = ssapp_job_new (text, "test", (SsMethodId){kind, method});
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
  watch->cpu = ssapp_cpu_of_children ();
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
  g_autofree char *text = read_example ("crisp/push-box.stickslip.json");
  Watch watch = watch_new (text, "crisp");
  ssapp_job_set_parameter (watch.job, "j", 3);
  ssapp_job_set_keep_iterates (watch.job, 10);
  SS_CHECK (ssapp_job_get_state (watch.job) == SSAPP_JOB_WAITING);
  run (&watch);
  printf ("  first iteration after %.0f ms of CPU time\n", 1000 * watch.first_iteration);
  SS_CHECK (watch.first_iteration < FIRST_ITERATION_LIMIT * BUSY_FACTOR * slowdown ());
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
}

static void
test_simulation (void)
{
  g_autofree char *text = read_example ("sketches/falling-box.stickslip.json");
  Watch watch = watch_new (text, "stewart-trinkle");
  ssapp_job_set_step (watch.job, 1e-4, 2); /* 20001 rows: several chunks */
  run (&watch);
  SS_CHECK_STR (ssapp_job_get_outcome (watch.job), "completed");
  SS_CHECK (ssapp_job_get_trajectory (watch.job)->n_rows == 20001);
  SS_CHECK (watch.n_motions >= 1);
  watch_clear (&watch);
}

static void
take_frame (SsappJob *job, int t)
{
  g_autofree char *line = g_strdup_printf ("{'type':'frame','channels':['t','y'],'values':[%d,%d]}", t, 2 * t);
  g_strdelimit (line, "'", '"');
  ssapp_job_take_event (job, line, strlen (line));
}

/* The frames of a simulation that runs are its motion so far: all of them first, fewer of a long one, its beginning
 * and its newest always, equally far from each other. A time that goes back is another motion, after its past. */
static void
test_frames (void)
{
  SsappJob *job = ssapp_job_new ("{}", "x", (SsMethodId){SS_METHOD_INTEGRATOR, "stewart-trinkle"});
  int t = 0;
  while (t < 10)
    take_frame (job, t++);
  const SsTrajectory *motion = ssapp_job_get_trajectory (job);
  SS_CHECK (motion != NULL && motion->n_rows == 10 && ss_trajectory_row (motion, 9)[1] == 18);
  while (t < 5000)
    take_frame (job, t++);
  motion = ssapp_job_get_trajectory (job);
  const double mean = 4999.0 / (motion->n_rows - 1);
  SS_CHECK (motion->n_rows >= 200 && motion->n_rows <= 400 && ss_trajectory_row (motion, 0)[0] == 0);
  SS_CHECK (ss_trajectory_row (motion, motion->n_rows - 1)[0] == 4999);
  for (int i = 1; i < motion->n_rows; i++)
    SS_CHECK (ss_trajectory_row (motion, i)[0] > ss_trajectory_row (motion, i - 1)[0] &&
              ss_trajectory_row (motion, i)[0] - ss_trajectory_row (motion, i - 1)[0] < 2 * mean);
  take_frame (job, 0);
  SS_CHECK (ssapp_job_get_trajectory (job)->n_rows == 1);
  SsTrajectory *past;
  SS_CHECK (ss_trajectory_new_named ((const char *const[]){"t", "z", "y"}, 3, 5000, &past, NULL) == SS_OK);
  for (t = -5000; t < 0; t++)
    SS_CHECK (ss_trajectory_append (past, (const double[]){t, 7, 3 * t}, NULL) == SS_OK);
  ssapp_job_set_start (job, past, "before");
  ss_trajectory_free (past);
  take_frame (job, -1);
  take_frame (job, 0);
  motion = ssapp_job_get_trajectory (job); /* of what goes on it has all */
  SS_CHECK (motion->n_rows >= 200 && ss_trajectory_row (motion, 0)[0] == -5000);
  for (int i = 1; i < motion->n_rows; i++)
    SS_CHECK (ss_trajectory_row (motion, i)[1] == (i < motion->n_rows - 2 ? 3 : 2) * ss_trajectory_row (motion, i)[0]);
  g_object_unref (job);
}

static void
on_fifth_motion (SsappJob *job, Watch *watch)
{
  if (watch->n_motions != 5)
    return;
  SS_CHECK (ssapp_job_get_trajectory (job)->n_rows == 5);
  ssapp_job_pause (job, TRUE);
  SS_CHECK (ssapp_job_is_paused (job));
  ssapp_job_cancel (job);
}

/* A simulation that takes long has its motion so far while it is paused, and is cancelled then as others. */
static void
test_paused_simulation (void)
{
  g_autofree char *text = read_example ("sketches/falling-box.stickslip.json");
  Watch watch = watch_new (text, "stewart-trinkle");

  ssapp_job_set_step (watch.job, 1e-6, 20);
  g_signal_connect_after (watch.job, "motion", G_CALLBACK (on_fifth_motion), &watch);
  run (&watch);
  SS_CHECK (watch.n_motions >= 5);
  SS_CHECK_STR (ssapp_job_get_outcome (watch.job), "cancelled");
  watch_clear (&watch);
}

/* A job of an impact law, followed by a project: its branches and samples are there as a whole. */
static void
follow_law (const char *text, const char *law, const char *option, const char *value, int n_branches, int n_samples,
            int n_columns)
{
  g_autofree char *folder = g_dir_make_tmp ("stickslip-job-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "laws.stickslip", NULL);
  g_autoptr (GError) error = NULL;
  Watch watch = watch_new (text, law);
  double shares = 0;

  g_object_unref (watch.job);
  watch.job = ssapp_job_new (text, "test", (SsMethodId){SS_METHOD_IMPACT_LAW, law});
  ssapp_job_set_option (watch.job, option, value);
  SsappStore *store = ssapp_store_open (path, TRUE, &error);
  SS_CHECK (store != NULL && ssapp_store_follow (store, watch.job, &error));
  run (&watch);
  const char *id = ssapp_job_get_id (watch.job);
  SS_CHECK_STR (ssapp_job_get_outcome (watch.job), "completed");
  GArray *motions = ssapp_store_list_motions (store, id, &error);
  SS_CHECK (motions != NULL && (int)motions->len == n_branches);
  for (guint k = 0; k < motions->len; k++) {
    const SsappMotionRow *row = &g_array_index (motions, SsappMotionRow, k);
    SS_CHECK_STR (row->key.role, "branch");
    SS_CHECK (row->key.branch == (int)k + 1 && row->n_rows == 2);
    shares += row->share;
  }
  SS_CHECK_NEAR (shares, n_branches > 0 ? 1 : 0, 1e-15);
  SsappSamples *samples = ssapp_store_get_samples (store, id, "velocities", &error);
  SS_CHECK (samples != NULL && samples->n == n_samples && (int)g_strv_length (samples->columns) == n_columns);
  SS_CHECK_STR (samples->columns[2], "vn_B");
  const SsSamples *told = ssapp_job_get_samples (watch.job);
  SS_CHECK (told != NULL && told->n_rows == n_samples && told->n_columns == n_columns);
  for (int k = 0; k < n_samples * n_columns; k++) /* stored in single precision */
    SS_CHECK ((float)told->values[k] == (float)samples->values[k]);
  ssapp_samples_free (samples);
  g_array_unref (motions);
  watch_clear (&watch);
  SS_CHECK (ssapp_store_close (store, &error) && error == NULL);
  g_object_unref (store);
  g_unlink (path);
  g_rmdir (folder);
}

static void
test_impacts_are_followed (void)
{
  g_autofree char *scene = read_example ("impacts/compass-gait.stickslip.json"), *numbers = NULL;
  g_autofree char *path = g_build_filename (SS_SOURCE_ROOT, "tests", "data", "set-valued", "rocking-block.json", NULL);

  SS_CHECK (g_file_get_contents (path, &numbers, NULL, NULL));
  follow_law (scene, "anitescu-potra", "all", "on", 3, 3, 6);          /* its three answers are the reference's */
  follow_law (numbers, "set-valued", "samples", "30000", 0, 30000, 7); /* three chunks */
}

/* Time points of a problem so large that one factorisation takes longer than a cancel may; fewer where the programs are
 * slow, so that a worker can still answer before it is ended. */
static int
many_points (void)
{
  return 10000 / slowdown ();
}

static void
test_cancel_inside_a_factorisation (void)
{
  char *text = read_example ("crisp/push-box.stickslip.json");
  Watch watch = watch_new (text, "ipopt");
  ssapp_job_set_parameter (watch.job, "N", many_points ());
  ssapp_job_set_cancel_grace (watch.job, 1000 * GIVE_UP_SECONDS); /* as long as a busy machine needs to let it run */
  watch.cancel_after = 0;
  run (&watch);
  printf ("  answered after %.0f ms of CPU time: %s\n", 1000 * (watch.ended_at - watch.cancelled_at),
          ssapp_job_get_message (watch.job));
  SS_CHECK_STR (ssapp_job_get_outcome (watch.job), "cancelled");
  SS_CHECK (watch.ended_at - watch.cancelled_at < CANCEL_LIMIT * BUSY_FACTOR * slowdown ());
  SS_CHECK (ssapp_job_get_result_json (watch.job) != NULL);
  SS_CHECK (ssapp_job_get_trajectory (watch.job) != NULL &&
            ssapp_job_get_trajectory (watch.job)->n_rows == many_points ());
  watch_clear (&watch);
  g_free (text);
}

/* A worker that cannot answer is killed, long before its limit of time would end it. */
static void
test_cancel_without_an_answer (void)
{
  g_autofree char *text = read_example ("crisp/push-box.stickslip.json");
  Watch watch = watch_new (text, "crisp");

  ssapp_job_set_parameter (watch.job, "N", 1000);
  ssapp_job_set_cancel_grace (watch.job, 50);
  ssapp_job_set_time_limit (watch.job, 60);
  watch.stop_after = watch.cancel_after = 1;
  run (&watch);
  SS_CHECK_STR (ssapp_job_get_outcome (watch.job), "cancelled");
  SS_CHECK (ssapp_job_get_result_json (watch.job) == NULL);
  watch_clear (&watch);
}

/* Which of both depends on what else the machine does. */
static gboolean
is_at_time_limit (const char *outcome)
{
  return strcmp (outcome, "time_limit") == 0 || strcmp (outcome, "machine_slow") == 0;
}

static void
test_time_limit (void)
{
  char *text = read_example ("crisp/push-box.stickslip.json");
  Watch watch = watch_new (text, "ipopt");
  ssapp_job_set_parameter (watch.job, "N", many_points ());
  ssapp_job_set_time_limit (watch.job, 0.5);
  run (&watch);
  SS_CHECK (is_at_time_limit (ssapp_job_get_outcome (watch.job)));
  SS_CHECK (watch.ended_at < 5); /* without the limit it would take minutes */
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
  SS_CHECK (ssapp_store_close (store, NULL));
  g_object_unref (store);
  watch_clear (&watch);
  g_unlink (path);
  g_rmdir (folder);
  g_free (path);
  g_free (folder);
  g_free (text);
}

/* ---- a race that is ended from outside --------------------------------------------------------------------------- */

typedef enum { BY_CANCEL, BY_SIGNAL, BY_DEATH, N_ENDINGS } Ending;

typedef struct {
  Watch watch;
  Ending ending;
  guint after; /* ms from the first honest answer on */
  gboolean is_found;
} Interrupted;

static gboolean
on_interrupt (gpointer user_data)
{
  const Interrupted *self = user_data;

  if (ssapp_job_get_state (self->watch.job) != SSAPP_JOB_RUNNING)
    return G_SOURCE_REMOVE;
  if (self->ending == BY_CANCEL)
    ssapp_job_cancel (self->watch.job);
  else
    kill ((pid_t)ssapp_job_get_pid (self->watch.job), self->ending == BY_SIGNAL ? SIGINT : SIGKILL);
  return G_SOURCE_REMOVE;
}

static void
on_race (SsappJob *job, Interrupted *self)
{
  const char *account = ssapp_json_get_string (ssapp_job_get_race (job), "account");

  if (self->is_found || account == NULL || !g_str_has_prefix (account, "first honest answer"))
    return;
  self->is_found = TRUE;
  g_timeout_add (self->after, on_interrupt, self);
}

/* Whole, and what the result says of it is there. */
static void
check_kept (SsappStore *store, SsappJob *job, int n_rows)
{
  g_autofree char *text = ssapp_store_get_result_json (store, ssapp_job_get_id (job), NULL);
  json_t *result = text != NULL ? json_loads (text, 0, NULL) : NULL;
  SsappRunRow *row = ssapp_store_get_run (store, ssapp_job_get_id (job), NULL);
  SsTrajectory *motion = ssapp_store_get_trajectory (store, ssapp_job_get_id (job), NULL);

  SS_CHECK_STR (row->outcome, "solved");
  SS_CHECK_STR (ssapp_json_get_string (result, "outcome"), "solved");
  SS_CHECK_CONTAINS (ssapp_json_get_string (result, "message"), "first honest answer");
  SS_CHECK (json_is_real (json_object_get (json_object_get (result, "metrics"), "objective")));
  const json_t *members = json_object_get (json_object_get (result, "race"), "members");
  for (size_t i = 0; i < json_array_size (members); i++) /* one is stopped by its name */
    for (size_t k = 0; k < i; k++)
      SS_CHECK (strcmp (ssapp_json_get_string (json_array_get (members, i), "name"),
                        ssapp_json_get_string (json_array_get (members, k), "name")) != 0);
  SS_CHECK (motion != NULL && motion->n_rows >= n_rows);
  ss_trajectory_free (motion);
  ssapp_run_row_free (row);
  json_decref (result);
}

/* From the first honest answer on a run of several seconds has an answer, whenever and however it is ended. */
static void
test_answer_is_kept (void)
{
  enum { STEPS = 50 };
  const int n = ss_test_is_long () ? 12 : N_ENDINGS;
  g_autofree char *text = read_example ("plans/around-corner.stickslip.json"),
                  *folder = g_dir_make_tmp ("test-job-XXXXXX", NULL),
                  *path = g_build_filename (folder, "p.stickslip", NULL);
  SsappStore *store = ssapp_store_open (path, TRUE, NULL);
  g_autoptr (GRand) random = g_rand_new (); /* another moment each time: which, is told where it fails */

  for (int i = 0; i < n; i++) {
    Interrupted self = {.watch = watch_new (text, "auto"),
                        .ending = (Ending)(i % N_ENDINGS),
                        .after = (guint)g_rand_int_range (random, 0, 1200)};
    const int failed = ss_test_failed_checks;
    g_signal_connect (self.watch.job, "race", G_CALLBACK (on_race), &self);
    SS_CHECK (ssapp_store_follow (store, self.watch.job, NULL));
    run (&self.watch);
    check_kept (store, self.watch.job, STEPS + 1);
    if (ss_test_failed_checks > failed)
      printf ("  ending %d, %u ms after the first answer: %s\n", self.ending, self.after,
              ssapp_job_get_message (self.watch.job));
    watch_clear (&self.watch);
  }
  SS_CHECK (ssapp_store_close (store, NULL));
  g_object_unref (store);
  g_unlink (path);
  g_rmdir (folder);
}

/* ---- members in processes of their own --------------------------------------------------------------------------- */

typedef struct {
  Watch watch;
  gboolean kills;
  gint64 child; /* of the worker; 0: not seen yet */
} Family;

/* The worker's child, where it has one. */
static gint64
child_of (gint64 pid)
{
  g_autofree char *folder = g_strdup_printf ("/proc/%" G_GINT64_FORMAT "/task", pid);
  GDir *tasks = g_dir_open (folder, 0, NULL);
  const char *task;
  gint64 child = 0;

  while (tasks != NULL && child == 0 && (task = g_dir_read_name (tasks)) != NULL) {
    g_autofree char *path = g_build_filename (folder, task, "children", NULL), *text = NULL;
    if (g_file_get_contents (path, &text, NULL, NULL))
      child = g_ascii_strtoll (text, NULL, 10);
  }
  if (tasks != NULL)
    g_dir_close (tasks);
  return child;
}

/* Once the member's process has told an iteration, it is killed, or the run is cancelled. */
static void
on_member_iteration (SsappJob *job, guint index, Family *self)
{
  (void)index;
  if (self->child != 0)
    return;
  self->child = child_of (ssapp_job_get_pid (job));
  SS_CHECK (self->child != 0);
  if (self->child == 0 || !self->kills)
    ssapp_job_cancel (job);
  else
    kill ((pid_t)self->child, SIGKILL);
}

/* A member's process that dies is a member that gave up, and a run that is cancelled leaves none behind. */
static void
test_member_in_process (void)
{
  g_autofree char *text = read_example ("plans/push-box-with-disc.stickslip.json");

  for (int kills = 0; kills < 2; kills++) {
    Family self = {.watch = watch_new (text, "auto"), .kills = kills != 0};
    ssapp_job_set_option (self.watch.job, "member", "ipopt");
    g_signal_connect (self.watch.job, "iteration", G_CALLBACK (on_member_iteration), &self);
    run (&self.watch);
    if (kills) {
      SS_CHECK (ssapp_job_get_result_json (self.watch.job) != NULL);
      SS_CHECK_STR (ssapp_job_get_outcome (self.watch.job), "failed");
      SS_CHECK_CONTAINS (ssapp_job_get_message (self.watch.job), "signal 9");
    } else {
      SS_CHECK_STR (ssapp_job_get_outcome (self.watch.job), "cancelled");
    }
    /* the worker may have told its result before it ended: what it leaves is looked after when the main loop hears */
    for (int i = 0; i < 3000 && kill ((pid_t)self.child, 0) == 0; i++) {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (10000);
    }
    SS_CHECK (kill ((pid_t)self.child, 0) != 0);
    watch_clear (&self.watch);
  }
}

/* What a run keeps of what it tells: all of a usual run, less and less of one that goes on, never without bound. */
static void
test_quota (void)
{
  static const int kept[] = {0, 1, 9999, 10000, 10010, 99990, 100000, 100100, 1000000, 10000000};
  static const int left_out[] = {10001, 10009, 99999, 100010, 1000100, -1};
  SsappQuota run, reader;
  guint n_lines = 0, n_long = 0;

  ssapp_quota_init (&run, FALSE);
  ssapp_quota_init (&reader, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (kept); i++)
    SS_CHECK (ssapp_quota_take_row (&run, kept[i], 700) && ssapp_quota_take_row (&reader, kept[i], 700));
  for (guint i = 0; i < G_N_ELEMENTS (left_out); i++)
    SS_CHECK (!ssapp_quota_take_row (&run, left_out[i], 700));
  SS_CHECK (run.rows_out == G_N_ELEMENTS (left_out) && reader.rows_out == 0);
  SS_CHECK (!ssapp_quota_take_row (&run, 1, SSAPP_ROW_BYTES_MAX));

  /* A line a step is too many; the reader takes what the run took, and what it says of itself. */
  for (int i = 0; i < SSAPP_LOG_LINES_MAX + 50; i++) {
    g_autofree char *text = g_strdup_printf ("line %d", i);
    n_lines += ssapp_quota_take_line (&run, i < 150 ? SS_LOG_WARNING : SS_LOG_INFO, text) ? 1 : 0;
    SS_CHECK (i >= SSAPP_LOG_LINES_MAX || ssapp_quota_take_line (&reader, SS_LOG_INFO, text));
  }
  SS_CHECK (n_lines == SSAPP_LOG_LINES_MAX && run.lines_out == 50);
  SS_CHECK (ssapp_quota_take_line (&reader, SS_LOG_WARNING, "50 lines of the log were left out"));
  json_t *list = ssapp_quota_warnings (&run, NULL, NULL);
  SS_CHECK (json_array_size (list) == SSAPP_WARNINGS_MAX);
  SS_CHECK_STR (json_string_value (json_array_get (list, 0)), "line 0");
  /* 150 lines, 97 places beside the three notices. */
  SS_CHECK_STR (json_string_value (json_array_get (list, 97)), "53 further warnings are in the log alone");
  SS_CHECK_CONTAINS (json_string_value (json_array_get (list, 98)), "50 lines of the log were left out");
  SS_CHECK_CONTAINS (json_string_value (json_array_get (list, 99)), "7 rows of the iterations were left out");
  json_decref (list);
  ssapp_quota_clear (&run);
  ssapp_quota_clear (&reader);

  ssapp_quota_init (&run, FALSE);
  g_autofree char *long_line = g_strnfill (100000, 'x');
  while (n_long < 1000 && ssapp_quota_take_line (&run, SS_LOG_WARNING, long_line))
    n_long++;
  SS_CHECK (n_long == SSAPP_LOG_BYTES_MAX / 100000);
  SS_CHECK (run.warnings->len == 1); /* each text once */
  for (int i = 0; i < 1500; i++)
    SS_CHECK (ssapp_quota_take_iterate (&run, 1000) == (i < 1000 || i % 10 == 0));
  SS_CHECK (!ssapp_quota_take_iterate (&run, SSAPP_ITERATE_BYTES_MAX));
  ssapp_quota_clear (&run);
}

/* A worker that is stopped keeps no time limit by itself: its client does, two seconds later, and keeps what there is.
 * Without that the run never ended. */
static void
test_stopped_worker_ends_at_its_limit (void)
{
  char *text = read_example ("crisp/push-box.stickslip.json");
  char *folder = g_dir_make_tmp ("test-job-XXXXXX", NULL), *path = g_build_filename (folder, "p.stickslip", NULL);
  GError *error = NULL;
  SsappStore *store = ssapp_store_open (path, TRUE, &error);
  double limit = 3; /* s of wall time: a hundred times what the iterations take that are waited for */
  Watch watch;

  for (;; limit *= 4) { /* beside other work they take longer: it is to be stopped well before its limit */
    watch = watch_new (text, "crisp");
    ssapp_job_set_parameter (watch.job, "N", slowdown () > 1 ? 200 : 1000);
    ssapp_job_set_time_limit (watch.job, limit);
    watch.stop_after = 2;
    SS_CHECK (ssapp_store_follow (store, watch.job, &error));
    run (&watch);
    if (watch.stopped_at < limit / 2 || watch.gave_up)
      break;
    watch_clear (&watch);
  }
  printf ("  ended %.2f s after its limit\n", ssapp_job_get_elapsed (watch.job) - limit);
  SS_CHECK (is_at_time_limit (ssapp_job_get_outcome (watch.job)));
  SS_CHECK_CONTAINS (ssapp_job_get_message (watch.job), "did not answer");
  SS_CHECK (ssapp_job_get_elapsed (watch.job) >= limit);
  SS_CHECK (ssapp_job_get_trajectory (watch.job) != NULL && ssapp_job_get_trajectory (watch.job)->n_rows > 1);
  SsappRunRow *row = ssapp_store_get_run (store, ssapp_job_get_id (watch.job), &error);
  SS_CHECK (is_at_time_limit (row->outcome));
  ssapp_run_row_free (row);
  GArray *rows = ssapp_store_get_iterations (store, ssapp_job_get_id (watch.job), &error);
  SS_CHECK (rows != NULL && rows->len >= 3);
  g_array_unref (rows);
  SsTrajectory *motion = ssapp_store_get_trajectory (store, ssapp_job_get_id (watch.job), &error);
  SS_CHECK (motion != NULL && motion->n_rows > 1);
  ss_trajectory_free (motion);
  SS_CHECK (ssapp_store_close (store, NULL));
  g_object_unref (store);
  watch_clear (&watch);
  g_unlink (path);
  g_rmdir (folder);
  g_free (path);
  g_free (folder);
  g_free (text);
}

/* The row of a run without a worker was "running" until the project was closed, and "interrupted" afterwards. */
static void
test_worker_that_cannot_start (void)
{
  char *folder = g_dir_make_tmp ("test-job-XXXXXX", NULL), *path = g_build_filename (folder, "p.stickslip", NULL);
  char *old = g_strdup (g_getenv ("STICKSLIP_WORKER"));
  GError *error = NULL;
  SsappStore *store = ssapp_store_open (path, TRUE, &error);
  SsappJob *job = ssapp_job_new ("{}", "x", (SsMethodId){SS_METHOD_OPTIMISER, "crisp"});

  g_setenv ("STICKSLIP_WORKER", path, TRUE); /* no program, and not executable */
  SS_CHECK (ssapp_store_follow (store, job, &error));
  SS_CHECK (!ssapp_job_start (job, &error));
  SS_CHECK (error != NULL);
  if (error != NULL)
    SS_CHECK_CONTAINS (error->message, path);
  g_clear_error (&error);
  SS_CHECK (ssapp_job_get_state (job) == SSAPP_JOB_ENDED);
  SS_CHECK_STR (ssapp_job_get_outcome (job), "failed");
  SsappRunRow *row = ssapp_store_get_run (store, ssapp_job_get_id (job), &error);
  SS_CHECK_STR (row->outcome, "failed");
  SS_CHECK_CONTAINS (row->message, path);
  ssapp_run_row_free (row);
  if (old != NULL)
    g_setenv ("STICKSLIP_WORKER", old, TRUE);
  else
    g_unsetenv ("STICKSLIP_WORKER");
  SS_CHECK (ssapp_store_close (store, NULL));
  g_object_unref (store);
  g_object_unref (job);
  g_unlink (path);
  g_rmdir (folder);
  g_free (old);
  g_free (path);
  g_free (folder);
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
  SsappJob *job = ssapp_job_new ("{}", "x", (SsMethodId){SS_METHOD_OPTIMISER, "crisp"});
  ssapp_job_cancel (job);
  SS_CHECK_STR (ssapp_job_get_outcome (job), "cancelled");
  g_object_unref (job);
}

/* The clock of the limit is the machine's where the run waited for a processor for more than a tenth of it. */
static void
test_slow_machine_is_told (void)
{
  const double waited = ssapp_cpu_waited (getpid (), FALSE);

  SS_CHECK (isnan (waited) || waited >= 0);
  SS_CHECK (isnan (ssapp_cpu_waited (0, TRUE)));
  SS_CHECK (ssapp_cpu_outcome_at_limit (0.9, 10) == SS_OUTCOME_TIME_LIMIT);
  SS_CHECK (ssapp_cpu_outcome_at_limit (1.1, 10) == SS_OUTCOME_MACHINE_SLOW);
  SS_CHECK (ssapp_cpu_outcome_at_limit (NAN, 10) == SS_OUTCOME_TIME_LIMIT);
}

/* ---- methods of the user's own ----------------------------------------------------------------------------------- */

/* Of a method whose command runs a module of Python all files of the module are kept: the one of its name and those of
 * the folder of its name, and no others. */
static void
test_all_of_a_module_is_kept (void)
{
  static const char *const files[] = {"own.stickslip-method.json", "steps.py", "steps/__init__.py", "steps/one.py",
                                      "beside.py"};
  enum { N_FILES = G_N_ELEMENTS (files), N_KEPT = N_FILES - 1 };
  char *command[] = {(char *)"python3", (char *)"-m", (char *)"steps", NULL};
  g_autofree char *folder = g_dir_make_tmp ("stickslip-test-XXXXXX", NULL),
                  *below = g_build_filename (folder, "steps", NULL), *file = g_build_filename (folder, files[0], NULL);
  const SsappOwn own = {.file = file, .is_module = TRUE, .command = command};
  g_autoptr (GError) error = NULL;

  SS_CHECK (g_mkdir (below, 0700) == 0);
  for (guint i = 0; i < N_FILES; i++) {
    g_autofree char *path = g_build_filename (folder, files[i], NULL);
    SS_CHECK (g_file_set_contents (path, files[i], -1, NULL));
  }
  g_autofree char *text = ssapp_own_keep (&own, &error);
  SS_CHECK (text != NULL && error == NULL);
  json_t *root = json_loads (text != NULL ? text : "{}", 0, NULL);
  const json_t *kept = json_object_get (root, "files");
  SS_CHECK (json_object_size (kept) == N_KEPT);
  for (guint i = 0; i < N_KEPT; i++)
    SS_CHECK_STR (json_string_value (json_object_get (kept, files[i])), files[i]);
  json_decref (root);
  for (guint i = 0; i < N_FILES; i++) {
    g_autofree char *path = g_build_filename (folder, files[i], NULL);
    g_remove (path);
  }
  g_rmdir (below);
  g_rmdir (folder);
}

int
main (void)
{
  signal (SIGPIPE, SIG_IGN);
  SS_RUN_THREADS (test_solved);
  SS_RUN_THREADS (test_simulation);
  SS_RUN (test_frames);
  SS_RUN_THREADS (test_paused_simulation);
  SS_RUN_THREADS (test_impacts_are_followed);
  SS_RUN_THREADS (test_cancel_inside_a_factorisation);
  SS_RUN_THREADS (test_cancel_without_an_answer);
  SS_RUN_THREADS (test_time_limit);
  SS_RUN_THREADS (test_killed_worker_is_stored);
  SS_RUN_THREADS (test_answer_is_kept);
  SS_RUN_THREADS (test_member_in_process);
  SS_RUN_THREADS (test_quota);
  SS_RUN_THREADS (test_stopped_worker_ends_at_its_limit);
  SS_RUN (test_slow_machine_is_told);
  SS_RUN (test_worker_that_cannot_start);
  SS_RUN_THREADS (test_bad_scenario);
  SS_RUN (test_all_of_a_module_is_kept);
  return ss_test_finish ();
}
