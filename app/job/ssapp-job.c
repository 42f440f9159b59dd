/* app/job/ssapp-job.c: a run as a child process: what it is asked, and what is known of it; see ssapp-job.h. Its worker
 * is in ssapp-job-worker.c. */
#include "app/job/ssapp-job-private.h"

#include "app/base/ssapp-json.h"
#include "app/job/ssapp-interests.h"
#include "app/job/ssapp-kin.h"

#include <math.h>

enum { CANCEL_GRACE_MS = 500 }; /* after asking, before killing */

G_DEFINE_FINAL_TYPE (SsappJob, ssapp_job, G_TYPE_OBJECT)

guint ssapp_job_signals[SSAPP_JOB_SIGNALS];

/* ---- making ------------------------------------------------------------------------------------------------------ */

SsappJob *
ssapp_job_new (const char *scenario_text, const char *scenario_name, SsMethodId method)
{
  SsappJob *self;

  g_return_val_if_fail (scenario_text != NULL && method.name != NULL, NULL);
  self = g_object_new (SSAPP_TYPE_JOB, NULL);
  self->scenario_text = g_strdup (scenario_text);
  self->scenario_name = g_strdup (scenario_name != NULL ? scenario_name : "");
  self->kind = method.kind;
  self->method = g_strdup (method.name);
  return self;
}

static void
clear_motion (gpointer motion)
{
  ss_trajectory_free (((SsRunMotion *)motion)->trajectory);
}

static void
ssapp_job_init (SsappJob *self)
{
  self->id = g_uuid_string_random ();
  self->cancel_grace = CANCEL_GRACE_MS;
  self->pause_at = -1;
  self->options = json_object ();
  self->parameters = json_object ();
  self->seconds = self->cpu_seconds = self->work = self->bytes = self->dt = self->t_end = self->ways_on = self->bound =
      NAN;
  self->iterations = g_array_new (FALSE, TRUE, sizeof (SsappIteration));
  g_array_set_clear_func (self->iterations, (GDestroyNotify)ssapp_iteration_clear);
  self->motions = g_array_new (FALSE, TRUE, sizeof (SsRunMotion));
  g_array_set_clear_func (self->motions, clear_motion);
  self->log = g_string_new ("");
  ssapp_quota_init (&self->quota, TRUE);
  self->own_warnings = g_ptr_array_new_with_free_func (g_free);
  self->out_line = g_byte_array_new ();
  self->err_line = g_byte_array_new ();
  self->to_write = g_byte_array_new ();
  self->context = g_main_context_ref_thread_default ();
}

void
ssapp_job_set_option (SsappJob *self, const char *name, const char *value)
{
  g_return_if_fail (SSAPP_IS_JOB (self) && self->state == SSAPP_JOB_WAITING);
  json_object_set_new (self->options, name, json_string (value));
}

void
ssapp_job_set_parameter (SsappJob *self, const char *name, double value)
{
  g_return_if_fail (SSAPP_IS_JOB (self) && self->state == SSAPP_JOB_WAITING);
  json_object_set_new (self->parameters, name, ssapp_json_real (value));
}

void
ssapp_job_set_time_limit (SsappJob *self, double seconds)
{
  g_return_if_fail (SSAPP_IS_JOB (self) && self->state == SSAPP_JOB_WAITING);
  self->seconds = seconds;
}

void
ssapp_job_set_cancel_grace (SsappJob *self, guint milliseconds)
{
  g_return_if_fail (SSAPP_IS_JOB (self) && self->state == SSAPP_JOB_WAITING);
  self->cancel_grace = milliseconds;
}

void
ssapp_job_set_cpu_limit (SsappJob *self, double seconds)
{
  g_return_if_fail (SSAPP_IS_JOB (self) && self->state == SSAPP_JOB_WAITING);
  self->cpu_seconds = seconds;
}

void
ssapp_job_set_ways_on (SsappJob *self, double seconds)
{
  g_return_if_fail (SSAPP_IS_JOB (self) && self->state == SSAPP_JOB_WAITING);
  self->ways_on = seconds;
}

void
ssapp_job_set_bound (SsappJob *self, double seconds)
{
  g_return_if_fail (SSAPP_IS_JOB (self) && self->state == SSAPP_JOB_WAITING);
  self->bound = seconds;
}

void
ssapp_job_set_work_limit (SsappJob *self, double work)
{
  g_return_if_fail (SSAPP_IS_JOB (self) && self->state == SSAPP_JOB_WAITING);
  self->work = work;
}

void
ssapp_job_set_memory_limit (SsappJob *self, double bytes)
{
  g_return_if_fail (SSAPP_IS_JOB (self) && self->state == SSAPP_JOB_WAITING);
  self->bytes = bytes;
}

void
ssapp_job_set_step (SsappJob *self, double dt, double t_end)
{
  g_return_if_fail (SSAPP_IS_JOB (self) && self->state == SSAPP_JOB_WAITING);
  self->dt = dt;
  self->t_end = t_end;
}

static json_t *
motion_to_json (const SsTrajectory *motion, const char *run)
{
  char *data = ssapp_base64_rows (motion, 0, motion->n_rows);
  json_t *object = json_object ();

  json_object_set_new (object, "run", json_string (run != NULL ? run : ""));
  json_object_set_new (object, "channels", ssapp_json_channels (motion));
  json_object_set_new (object, "shape", json_pack ("[i, i]", motion->n_rows, motion->n_channels));
  json_object_set_new (object, "data", json_string_nocheck (data)); /* base64 is ASCII */
  g_free (data);
  return object;
}

/* For whoever stores the run; without memory it is not kept. */
static void
keep_given (SsappJob *self, const SsTrajectory *motion)
{
  ss_trajectory_free (self->given);
  if (ss_trajectory_copy (motion, &self->given, NULL) != SS_OK)
    self->given = NULL;
}

void
ssapp_job_set_plan (SsappJob *self, const SsTrajectory *plan, const char *run)
{
  g_return_if_fail (SSAPP_IS_JOB (self) && self->state == SSAPP_JOB_WAITING && plan != NULL);
  json_decref (self->plan);
  self->plan = motion_to_json (plan, run);
  keep_given (self, plan);
}

void
ssapp_job_set_start (SsappJob *self, const SsTrajectory *start, const char *run)
{
  g_return_if_fail (SSAPP_IS_JOB (self) && self->state == SSAPP_JOB_WAITING && start != NULL);
  json_decref (self->start);
  self->start = motion_to_json (start, run);
  keep_given (self, start);
}

void
ssapp_job_set_start_events (SsappJob *self, const json_t *events)
{
  g_return_if_fail (SSAPP_IS_JOB (self) && self->state == SSAPP_JOB_WAITING && self->start != NULL);
  if (json_is_array (events))
    json_object_set_new (self->start, "events", json_deep_copy (events));
}

void
ssapp_job_set_start_every (SsappJob *self, int every)
{
  g_return_if_fail (SSAPP_IS_JOB (self) && self->state == SSAPP_JOB_WAITING && self->start != NULL);
  if (every > 1)
    json_object_set_new (self->start, "every", json_integer (every));
}

void
ssapp_job_set_continued (SsappJob *self, SsappContinued *continued)
{
  g_return_if_fail (SSAPP_IS_JOB (self) && self->state == SSAPP_JOB_WAITING && continued != NULL);
  json_decref (self->continued);
  self->continued = ssapp_continued_to_job (continued);
  ssapp_continued_clear (continued);
}

void
ssapp_job_set_pause_at (SsappJob *self, int iteration)
{
  g_return_if_fail (SSAPP_IS_JOB (self) && self->state == SSAPP_JOB_WAITING);
  self->pause_at = iteration;
}

const SsTrajectory *
ssapp_job_get_given (SsappJob *self, const char **run)
{
  g_return_val_if_fail (SSAPP_IS_JOB (self), NULL);
  *run = ssapp_json_get_string (self->plan != NULL ? self->plan : self->start, "run");
  return self->given;
}

void
ssapp_job_set_impact (SsappJob *self, double touching, double tolerance, const char *const *planes)
{
  g_return_if_fail (SSAPP_IS_JOB (self) && self->state == SSAPP_JOB_WAITING);
  json_t *list = json_array ();

  for (int i = 0; planes != NULL && planes[i] != NULL; i++)
    json_array_append_new (list, json_string (planes[i]));
  json_decref (self->impact);
  self->impact = json_pack ("{s:o}", "planes", list);
  if (isfinite (touching))
    json_object_set_new (self->impact, "touching", json_real (touching));
  if (isfinite (tolerance))
    json_object_set_new (self->impact, "tolerance", json_real (tolerance));
}

void
ssapp_job_set_replay (SsappJob *self, const SsappReplayAsk *ask)
{
  g_return_if_fail (SSAPP_IS_JOB (self) && self->state == SSAPP_JOB_WAITING && ask != NULL && self->plan != NULL);
  json_decref (self->replay);
  self->replay = json_object ();
  ssapp_replay_ask_to_json (ask, NULL, self->replay, self->plan);
}

const char *
ssapp_job_get_replay_of (SsappJob *self)
{
  g_return_val_if_fail (SSAPP_IS_JOB (self), NULL);
  return ssapp_json_get_string (self->plan, "run");
}

void
ssapp_job_set_seed (SsappJob *self, guint64 seed)
{
  g_return_if_fail (SSAPP_IS_JOB (self) && self->state == SSAPP_JOB_WAITING);
  self->seed = seed;
  self->has_seed = TRUE;
}

void
ssapp_job_set_keep_iterates (SsappJob *self, int every)
{
  g_return_if_fail (SSAPP_IS_JOB (self) && self->state == SSAPP_JOB_WAITING);
  self->keep_every = MAX (every, 0);
}

void
ssapp_job_set_sensitivity (SsappJob *self, const char *names)
{
  g_return_if_fail (SSAPP_IS_JOB (self) && self->state == SSAPP_JOB_WAITING);
  g_free (self->sensitivity);
  self->sensitivity = g_strdup (names);
}

void
ssapp_job_set_outcomes (SsappJob *self, const GPtrArray *outcomes)
{
  g_return_if_fail (SSAPP_IS_JOB (self) && self->state == SSAPP_JOB_WAITING);
  g_clear_pointer (&self->outcomes, json_decref);
  if (outcomes->len > 0)
    self->outcomes = ssapp_interests_texts_to_json (outcomes);
}

void
ssapp_job_set_every (SsappJob *self, int every)
{
  g_return_if_fail (SSAPP_IS_JOB (self) && self->state == SSAPP_JOB_WAITING);
  self->every = MAX (every, 1);
}

/* ---- reading the job --------------------------------------------------------------------------------------------- */

const char *
ssapp_job_get_id (SsappJob *self)
{
  g_return_val_if_fail (SSAPP_IS_JOB (self), NULL);
  return self->id;
}

SsMethodId
ssapp_job_get_method (SsappJob *self)
{
  g_return_val_if_fail (SSAPP_IS_JOB (self), ((SsMethodId){0}));
  return (SsMethodId){self->kind, self->method};
}

const char *
ssapp_job_get_scenario_text (SsappJob *self)
{
  g_return_val_if_fail (SSAPP_IS_JOB (self), NULL);
  return self->scenario_text;
}

const char *
ssapp_job_get_scenario_name (SsappJob *self)
{
  g_return_val_if_fail (SSAPP_IS_JOB (self), NULL);
  return self->scenario_name;
}

guint64
ssapp_job_get_seed (SsappJob *self)
{
  g_return_val_if_fail (SSAPP_IS_JOB (self), 0);
  return self->seed;
}

char *
ssapp_job_get_options_json (SsappJob *self)
{
  g_return_val_if_fail (SSAPP_IS_JOB (self), NULL);
  return ssapp_json_text (self->options, FALSE);
}

char *
ssapp_job_get_parameters_json (SsappJob *self)
{
  g_return_val_if_fail (SSAPP_IS_JOB (self), NULL);
  return ssapp_json_text (self->parameters, FALSE);
}

gint64
ssapp_job_get_pid (SsappJob *self)
{
  g_return_val_if_fail (SSAPP_IS_JOB (self), 0);

  return self->process != NULL ? ssapp_kin_pid (self->process) : 0;
}

const SsSamples *
ssapp_job_get_samples (SsappJob *self)
{
  g_return_val_if_fail (SSAPP_IS_JOB (self), NULL);
  /* a table that did not arrive as a whole would look like one */
  return self->samples != NULL && self->n_sample_rows == self->samples->n_rows ? self->samples : NULL;
}

const SsRunMotion *
ssapp_job_get_motions (SsappJob *self, int *n_motions)
{
  g_return_val_if_fail (SSAPP_IS_JOB (self) && n_motions != NULL, NULL);
  *n_motions = (int)self->motions->len;
  return (const SsRunMotion *)(const void *)self->motions->data;
}

const json_t *
ssapp_job_get_race (SsappJob *self)
{
  g_return_val_if_fail (SSAPP_IS_JOB (self), NULL);
  return self->race;
}

SsappJobState
ssapp_job_get_state (SsappJob *self)
{
  g_return_val_if_fail (SSAPP_IS_JOB (self), 0);
  return self->state;
}

const char *
ssapp_job_get_outcome (SsappJob *self)
{
  g_return_val_if_fail (SSAPP_IS_JOB (self), NULL);
  return self->outcome;
}

const char *
ssapp_job_get_message (SsappJob *self)
{
  g_return_val_if_fail (SSAPP_IS_JOB (self), NULL);
  return self->message;
}

const char *
ssapp_job_get_result_json (SsappJob *self)
{
  g_return_val_if_fail (SSAPP_IS_JOB (self), NULL);
  return self->result_json;
}

double
ssapp_job_get_elapsed (SsappJob *self)
{
  g_return_val_if_fail (SSAPP_IS_JOB (self), NAN);
  if (self->start_time == 0)
    return 0;
  const gint64 until = self->end_time != 0      ? self->end_time
                       : self->paused_time != 0 ? self->paused_time
                                                : g_get_monotonic_time ();
  return (double)(until - self->start_time) / G_TIME_SPAN_SECOND;
}

GArray *
ssapp_job_get_iterations (SsappJob *self)
{
  g_return_val_if_fail (SSAPP_IS_JOB (self), NULL);
  return self->iterations;
}

const SsTrajectory *
ssapp_job_get_trajectory (SsappJob *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->motion;
}

GPtrArray *
ssapp_job_get_warnings (SsappJob *self)
{
  g_return_val_if_fail (SSAPP_IS_JOB (self), NULL);
  return self->quota.warnings;
}

GString *
ssapp_job_get_log (SsappJob *self)
{
  g_return_val_if_fail (SSAPP_IS_JOB (self), NULL);
  return self->log;
}

/* ---- class ------------------------------------------------------------------------------------------------------- */

void
ssapp_job_clear_source (GSource **source)
{
  if (*source != NULL) {
    g_source_destroy (*source);
    g_clear_pointer (source, g_source_unref);
  }
}

static void
ssapp_job_finalize (GObject *object)
{
  SsappJob *self = SSAPP_JOB (object);

  ssapp_job_clear_source (&self->out_source);
  ssapp_job_clear_source (&self->err_source);
  ssapp_job_clear_source (&self->timer);
  ssapp_job_clear_source (&self->deadline);
  ssapp_job_clear_source (&self->cpu_look);
  g_clear_object (&self->process);
  g_clear_pointer (&self->writing, g_bytes_unref);
  g_byte_array_unref (self->to_write);
  g_byte_array_unref (self->out_line);
  g_byte_array_unref (self->err_line);
  g_array_unref (self->iterations);
  g_string_free (self->log, TRUE);
  ssapp_quota_clear (&self->quota);
  g_ptr_array_unref (self->own_warnings);
  if (self->has_last_row)
    ssapp_iteration_clear (&self->last_row);
  ss_trajectory_free (self->motion);
  ss_trajectory_free (self->incoming);
  g_array_unref (self->motions);
  ss_samples_free (self->samples);
  json_decref (self->race);
  json_decref (self->answer);
  ss_trajectory_free (self->answer_motion);
  json_decref (self->replay);
  json_decref (self->plan);
  json_decref (self->start);
  json_decref (self->continued);
  json_decref (self->impact);
  ss_trajectory_free (self->given);
  json_decref (self->options);
  json_decref (self->parameters);
  g_main_context_unref (self->context);
  g_free (self->id);
  g_free (self->scenario_text);
  g_free (self->scenario_name);
  g_free (self->method);
  g_free (self->outcome);
  g_free (self->message);
  g_free (self->result_json);
  G_OBJECT_CLASS (ssapp_job_parent_class)->finalize (object);
}

static void
ssapp_job_class_init (SsappJobClass *class_)
{
  G_OBJECT_CLASS (class_)->finalize = ssapp_job_finalize;
  const GType type = SSAPP_TYPE_JOB;
  ssapp_job_signals[SSAPP_JOB_TELLS_STARTED] =
      g_signal_new ("started", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  ssapp_job_signals[SSAPP_JOB_TELLS_ITERATION] =
      g_signal_new ("iteration", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  ssapp_job_signals[SSAPP_JOB_TELLS_MOTION] =
      g_signal_new ("motion", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  ssapp_job_signals[SSAPP_JOB_TELLS_ITERATE] = g_signal_new ("iterate", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                                             G_TYPE_NONE, 2, G_TYPE_INT, G_TYPE_POINTER);
  ssapp_job_signals[SSAPP_JOB_TELLS_RACE] =
      g_signal_new ("race", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  ssapp_job_signals[SSAPP_JOB_TELLS_LOG] =
      g_signal_new ("log", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_INT, G_TYPE_STRING);
  ssapp_job_signals[SSAPP_JOB_TELLS_ENDED] =
      g_signal_new ("ended", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}
