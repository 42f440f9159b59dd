/* app/store/ssapp-store-follow.c: a job's events as rows of the project; see ssapp-store.h. */
#include "app/store/ssapp-store-study.h"

#include "app/store/ssapp-store-private.h"
#include "app/store/ssapp-store-shrink.h"

enum { LATEST_EVERY_MS = 1000 };  /* the motion of a running job, for a look after a crash; whole blob each time */
#define LATEST_MAX_VALUES 1000000 /* 8 MB: larger motions are only stored at the end                             */

static void
on_job_iteration (SsappJob *job, guint index, SsappStore *self)
{
  const SsappIteration *from = &g_array_index (ssapp_job_get_iterations (job), SsappIteration, index);
  GError *error = NULL;

  if (!ssapp_store_check_writable (self, NULL))
    return;
  ssapp_store_queue_iteration (self, ssapp_job_get_id (job), from);
  ssapp_store_flush_if_due (self, &error);
  ssapp_store_report_failure (self, error);
}

static void
on_job_log (SsappJob *job, int level, const char *text, SsappStore *self)
{
  GError *error = NULL;

  ssapp_store_add_log (self, ssapp_job_get_id (job), ssapp_job_get_elapsed (job), level, text, &error);
  ssapp_store_report_failure (self, error);
}

static void
on_job_iterate (SsappJob *job, int iteration, gpointer trajectory, SsappStore *self)
{
  GError *error = NULL;

  if (ssapp_store_get_keep (job) != SSAPP_KEEP_ALL)
    return;
  ssapp_store_add_iterate (self, ssapp_job_get_id (job), iteration, trajectory, &error);
  ssapp_store_report_failure (self, error);
}

static void
on_job_motion (SsappJob *job, SsappStore *self)
{
  const SsTrajectory *motion = ssapp_job_get_trajectory (job);
  gint64 now = g_get_monotonic_time ();
  gint64 *last = g_object_get_data (G_OBJECT (job), "ssapp-store-latest");
  GError *error = NULL;

  if (motion == NULL || ssapp_store_get_keep (job) != SSAPP_KEEP_ALL || !ssapp_store_check_writable (self, NULL) ||
      (size_t)motion->n_rows * (size_t)motion->n_channels > LATEST_MAX_VALUES)
    return;
  if (last == NULL) {
    last = g_new0 (gint64, 1);
    g_object_set_data_full (G_OBJECT (job), "ssapp-store-latest", last, g_free);
  } else if (now - *last < LATEST_EVERY_MS * G_TIME_SPAN_MILLISECOND) {
    return;
  }
  *last = now;
  ssapp_store_queue_motion (self, ssapp_job_get_id (job), &(SsappMotionKey){"latest", 0, -1}, 1, motion);
  ssapp_store_flush_if_due (self, &error);
  ssapp_store_report_failure (self, error);
}

/* Where that is what is kept of the answer. */
static void
add_thinned (SsappStore *self, SsappJob *job, GError **error)
{
  const SsTrajectory *motion = ssapp_job_get_trajectory (job);
  SsTrajectory *thin = motion != NULL && ssapp_store_get_keep (job) == SSAPP_KEEP_THINNED
                           ? ssapp_keep_thin (motion, SSAPP_KEEP_ROWS)
                           : NULL;

  if (thin != NULL)
    ssapp_store_add_motion (self, ssapp_job_get_id (job), &(SsappMotionKey){SSAPP_ROLE_THINNED, 0, -1}, 1, thin, error);
  ss_trajectory_free (thin);
}

static void
on_job_ended (SsappJob *job, SsappStore *self)
{
  GError *error = NULL;
  const char *result = ssapp_job_get_result_json (job);
  int n_motions;
  const SsRunMotion *motions = ssapp_job_get_motions (job, &n_motions);
  const SsTrajectory *motion = ssapp_job_get_trajectory (job);

  g_signal_handlers_disconnect_by_data (job, self);
  if (ssapp_store_get_keep (job) != SSAPP_KEEP_ALL) {
    add_thinned (self, job, &error);
    motion = NULL;
    n_motions = 0;
  }
  if (result != NULL)
    ssapp_store_finish_record (self, ssapp_job_get_id (job), result, motion, ssapp_job_get_samples (job), motions,
                               n_motions, error == NULL ? &error : NULL);
  else
    ssapp_store_abandon (self, ssapp_job_get_id (job), ssapp_job_get_outcome (job), ssapp_job_get_message (job), motion,
                         error == NULL ? &error : NULL);
  ssapp_store_report_failure (self, error);
  g_ptr_array_remove (self->followed, job);
}

gboolean
ssapp_store_follow (SsappStore *self, SsappJob *job, GError **error)
{
  char *options, *parameters;
  gboolean ok;

  g_return_val_if_fail (SSAPP_IS_STORE (self), FALSE);
  g_return_val_if_fail (SSAPP_IS_JOB (job), FALSE);
  options = ssapp_job_get_options_json (job);
  parameters = ssapp_job_get_parameters_json (job);
  ok = ssapp_store_record (self, ssapp_job_get_id (job), ssapp_job_get_scenario_text (job),
                           ssapp_job_get_scenario_name (job), ssapp_job_get_method (job), options, parameters,
                           ssapp_job_get_seed (job), error);
  if (ok && ssapp_job_get_replay_of (job) != NULL)
    ok = ssapp_store_set_replay_of (self, ssapp_job_get_id (job), ssapp_job_get_replay_of (job), error);
  const char *given_by;
  const SsTrajectory *given = ssapp_job_get_given (job, &given_by);
  if (ok && given != NULL)
    ok = ssapp_store_add_given (self, ssapp_job_get_id (job), given, given_by, error);
  g_free (options);
  g_free (parameters);
  if (!ok)
    return FALSE;
  g_ptr_array_add (self->followed, g_object_ref (job));
  g_signal_connect (job, "iteration", G_CALLBACK (on_job_iteration), self);
  g_signal_connect (job, "log", G_CALLBACK (on_job_log), self);
  g_signal_connect (job, "iterate", G_CALLBACK (on_job_iterate), self);
  g_signal_connect (job, "motion", G_CALLBACK (on_job_motion), self);
  g_signal_connect (job, "ended", G_CALLBACK (on_job_ended), self);
  return TRUE;
}

gboolean
ssapp_store_follow_task (SsappStore *self, SsappJob *job, const char *study_id, const char *key, const char *task,
                         GError **error)
{
  const SsappStoreClaim claim = {study_id, key, task};

  g_return_val_if_fail (SSAPP_IS_STORE (self) && study_id != NULL && key != NULL, FALSE);
  self->claim = &claim;
  const gboolean ok = ssapp_store_follow (self, job, error);
  self->claim = NULL;
  return ok;
}
