/* app/job/ssapp-job-end.c: what a job writes to its worker, what it tells, and how it ends; see ssapp-job.h. */
#include "app/job/ssapp-job-private.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-memory.h"
#include "app/job/ssapp-kin.h"
#include "app/job/ssapp-cpu.h"

#include <math.h>
#include <string.h>

enum {
  EXIT_GRACE_MS = 1000, /* after the result, before killing a worker that stays         */
  TELLING_FACTOR = 4,   /* limits of CPU time: what a worker takes at most, with what it tells */
  CPU_MARGIN = 1,       /* [s] beyond a limit of CPU time: a worker has answered by then                */
  LOOKS_MAX = 100,      /* while its answer arrives, which takes as long as it is large */
};

/* ---- talking to the worker --------------------------------------------------------------------------------------- */

static void write_more (SsappJob *self);

static void
on_written (GObject *stream, GAsyncResult *result, gpointer user_data)
{
  SsappJob *self = user_data;

  /* A worker that is gone shows at its output. */
  g_output_stream_write_all_finish (G_OUTPUT_STREAM (stream), result, NULL, NULL);
  g_clear_pointer (&self->writing, g_bytes_unref);
  write_more (self);
  g_object_unref (self);
}

static void
write_more (SsappJob *self)
{
  GOutputStream *input = self->process != NULL ? g_subprocess_get_stdin_pipe (self->process) : NULL;

  if (input == NULL || self->writing != NULL)
    return;
  if (self->to_write->len > 0) {
    self->writing = g_byte_array_free_to_bytes (self->to_write);
    self->to_write = g_byte_array_new ();
    g_output_stream_write_all_async (input, g_bytes_get_data (self->writing, NULL), g_bytes_get_size (self->writing),
                                     G_PRIORITY_DEFAULT, NULL, on_written, g_object_ref (self));
  } else if (self->quits && !g_output_stream_is_closed (input)) {
    g_output_stream_close_async (input, G_PRIORITY_DEFAULT, NULL, NULL, NULL);
  }
}

void
ssapp_job_send (SsappJob *self, const char *line)
{
  g_return_if_fail (self != NULL);
  g_byte_array_append (self->to_write, (const guint8 *)line, (guint)strlen (line));
  g_byte_array_append (self->to_write, (const guint8 *)"\n", 1);
  write_more (self);
}

/* What is not asked for, NaN, is no member. */
static void
set_number (json_t *object, const char *name, double value)
{
  if (isfinite (value))
    json_object_set_new (object, name, json_real (value));
}

char *
ssapp_job_line (SsappJob *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  json_t *limits = json_object ();
  json_t *job = json_pack ("{s:s, s:s, s:s, s:s, s:s, s:s, s:O, s:O, s:o}", "type", "job", "id", self->id, "verb",
                           self->plan != NULL ? "replay" : ss_method_kind_spec (self->kind)->verb, "scenario_text",
                           self->scenario_text, "scenario_name", self->scenario_name, "method", self->method, "options",
                           self->options, "set", self->parameters, "limits", limits);

  if (self->plan != NULL)
    json_object_set (job, "plan", self->plan);
  if (self->replay != NULL)
    json_object_update (job, self->replay);
  if (self->start != NULL)
    json_object_set (job, "start", self->start);
  if (self->continued != NULL)
    json_object_set (job, "continued", self->continued);
  if (self->pause_at >= 0)
    json_object_set_new (job, "pause_at", json_integer (self->pause_at));
  if (self->impact != NULL)
    json_object_update (job, self->impact);
  set_number (limits, "seconds", self->seconds);
  set_number (limits, "cpu_seconds", self->cpu_seconds);
  set_number (limits, "work", self->work);
  set_number (limits, "bytes", self->bytes);
  set_number (job, "dt", self->dt);
  set_number (job, "t_end", self->t_end);
  set_number (job, "ways_on", self->ways_on);
  set_number (job, "bound", self->bound);
  if (self->has_seed)
    json_object_set_new (job, "seed", json_integer ((json_int_t)self->seed));
  if (self->outcomes != NULL)
    json_object_set (job, "outcomes", self->outcomes);
  if (self->sensitivity != NULL)
    json_object_set_new (job, "sensitivity", json_string (self->sensitivity));
  if (self->every > 1)
    json_object_set_new (job, "every", json_integer (self->every));
  if (self->keep_every == 1) {
    json_object_set_new (job, "iterates", json_string ("all"));
  } else if (self->keep_every > 1) {
    char *thin = g_strdup_printf ("thin:%d", self->keep_every);
    json_object_set_new (job, "iterates", json_string (thin));
    g_free (thin);
  }
  char *text = ssapp_json_text (job, FALSE);
  json_decref (job);
  return text;
}

SsappJobSpec *
ssapp_job_dup_spec (SsappJob *self)
{
  g_return_val_if_fail (SSAPP_IS_JOB (self), NULL);
  g_autofree char *line = ssapp_job_line (self), *message = NULL;
  json_t *job = json_loads (line, 0, NULL);
  SsappJobSpec *spec = ssapp_job_spec_from_json (job, &message);

  json_decref (job);
  g_return_val_if_fail (spec != NULL, NULL); /* a job reads what it writes */
  spec->bytes = NAN;
  return spec;
}

/* ---- ending ------------------------------------------------------------------------------------------------------ */

GSource *
ssapp_job_attach_timer (SsappJob *self, guint milliseconds, GSourceFunc function)
{
  g_return_val_if_fail (self != NULL, NULL);
  GSource *timer = g_timeout_source_new (milliseconds);

  g_source_set_callback (timer, function, self, NULL);
  g_source_attach (timer, self->context);
  return timer;
}

void
ssapp_job_set_timer (SsappJob *self, guint milliseconds, GSourceFunc function)
{
  g_return_if_fail (self != NULL);
  ssapp_job_clear_source (&self->timer);
  self->timer = ssapp_job_attach_timer (self, milliseconds, function);
}

void
ssapp_job_add_log (SsappJob *self, int level, const char *text)
{
  g_return_if_fail (self != NULL);
  g_string_append_printf (self->log, "%s\n", text);
  g_signal_emit (self, ssapp_job_signals[SSAPP_JOB_TELLS_LOG], 0, level, text);
}

void
ssapp_job_add_row (SsappJob *self, const SsappIteration *row)
{
  g_return_if_fail (self != NULL);
  g_array_append_val (self->iterations, *row);
  g_signal_emit (self, ssapp_job_signals[SSAPP_JOB_TELLS_ITERATION], 0, self->iterations->len - 1);
}

/* What was left out; the last row is kept whatever its number. */
static void
tell_quota (SsappJob *self)
{
  g_autoptr (GPtrArray) notices = NULL;

  if (self->has_last_row) {
    self->has_last_row = FALSE;
    ssapp_quota_return_row (&self->quota);
    ssapp_job_add_row (self, &self->last_row);
  }
  notices = ssapp_quota_notices (&self->quota);
  for (guint i = 0; i < notices->len; i++)
    ssapp_job_add_log (self, SS_LOG_WARNING, g_ptr_array_index (notices, i));
}

gboolean
ssapp_job_kill_worker (gpointer user_data)
{
  SsappJob *self = user_data;

  ssapp_job_clear_source (&self->timer);
  if (self->process != NULL && !self->is_reaped)
    ssapp_kin_kill (self->process);
  return G_SOURCE_REMOVE;
}

void
ssapp_job_end (SsappJob *self, const char *outcome, const char *message)
{
  if (self->state == SSAPP_JOB_ENDED)
    return;
  ssapp_job_clear_source (&self->deadline);
  ssapp_job_clear_source (&self->cpu_look);
  tell_quota (self);
  self->state = SSAPP_JOB_ENDED;
  self->end_time = g_get_monotonic_time ();
  g_free (self->sensitivity);
  json_decref (self->outcomes);
  g_free (self->outcome);
  g_free (self->message);
  self->outcome = g_strdup (outcome);
  self->message = g_strdup (message != NULL ? message : "");
  /* No further job: the worker leaves by itself, or is helped. */
  self->quits = TRUE;
  write_more (self);
  if (!self->is_reaped)
    ssapp_job_set_timer (self, EXIT_GRACE_MS, ssapp_job_kill_worker);
  g_signal_emit (self, ssapp_job_signals[SSAPP_JOB_TELLS_ENDED], 0);
}

/* A worker that was given a limit of memory and died over it. */
static char *
memory_message (SsappJob *self)
{
  g_autofree char *size = ssapp_memory_format (self->bytes);

  return g_strdup_printf (SSAPP_MEMORY_MESSAGE " (limit %s): the worker was ended by signal %d (%s)", size,
                          g_subprocess_get_term_sig (self->process),
                          g_strsignal (g_subprocess_get_term_sig (self->process)));
}

void
ssapp_job_take_motion (SsappJob *self, SsTrajectory *motion)
{
  g_return_if_fail (self != NULL);
  ss_trajectory_free (self->motion);
  self->motion = motion;
  self->has_names = FALSE;
  self->frames_every = 1;
  self->n_frames = 0;
  g_signal_emit (self, ssapp_job_signals[SSAPP_JOB_TELLS_MOTION], 0);
}

/* The worker is gone: a race's best answer so far is the answer, if there is one. */
static void
end_with_answer (SsappJob *self, const char *outcome, const char *message)
{
  if (self->answer == NULL || self->state == SSAPP_JOB_ENDED) {
    ssapp_job_end (self, outcome, message);
    return;
  }
  g_autofree char *text = g_strdup_printf ("%s: %s", message, ssapp_json_get_string (self->answer, "message"));
  json_object_set_new (self->answer, "message", json_string (text));
  json_object_set_new (self->answer, "warnings", ssapp_quota_warnings (&self->quota, NULL, self->own_warnings));
  g_free (self->result_json);
  self->result_json = ssapp_json_text (self->answer, TRUE);
  ssapp_job_take_motion (self, g_steal_pointer (&self->answer_motion));
  ssapp_job_end (self, ssapp_json_get_string (self->answer, "outcome"), text);
}

/* The end of output, the end of messages and the end of the process are needed: what it wrote last must be read before
 * it is judged. */
void
ssapp_job_end_without_result (SsappJob *self)
{
  const gboolean cancelling = self->state == SSAPP_JOB_CANCELLING;
  const gboolean lacked_memory = self->lacked_memory && self->is_reaped && g_subprocess_get_if_signaled (self->process);
  char *message;

  if (self->state == SSAPP_JOB_ENDED || !self->is_reaped || self->out_source != NULL || self->err_source != NULL)
    return;
  if (cancelling)
    message = g_strdup ("cancelled; the worker did not answer and was ended");
  else if (lacked_memory)
    message = memory_message (self);
  else if (g_subprocess_get_if_signaled (self->process))
    message = g_strdup_printf ("the worker was ended by signal %d (%s) before it had a result",
                               g_subprocess_get_term_sig (self->process),
                               g_strsignal (g_subprocess_get_term_sig (self->process)));
  else
    message = g_strdup_printf ("the worker ended with status %d before it had a result",
                               g_subprocess_get_if_exited (self->process) ? g_subprocess_get_exit_status (self->process)
                                                                          : -1);
  end_with_answer (self, cancelling ? "cancelled" : lacked_memory ? "failed" : "interrupted", message);
  g_free (message);
}

/* The process is gone, but another one holds its output: a child that it left behind. */
static gboolean
give_up_output (gpointer user_data)
{
  SsappJob *self = g_object_ref (user_data);

  ssapp_job_clear_source (&self->timer);
  ssapp_job_clear_source (&self->out_source);
  ssapp_job_clear_source (&self->err_source);
  ssapp_job_end_without_result (self);
  g_object_unref (self);
  return G_SOURCE_REMOVE;
}

/* The worker keeps its time limit by itself; one that has not by now is silent, stopped, or no worker. What it has told
 * so far is kept. */
gboolean
ssapp_job_on_deadline (gpointer user_data)
{
  SsappJob *self = g_object_ref (user_data);
  const gboolean answers = self->incoming != NULL && self->incoming_iteration < 0;
  const int n_rows = answers ? self->incoming->n_rows : -1;
  const gboolean waits = self->n_looks == 0 || (n_rows > self->rows_seen && self->n_looks < LOOKS_MAX);

  ssapp_job_clear_source (&self->deadline);
  self->rows_seen = n_rows;
  self->n_looks++;
  if (waits) { /* what has arrived meanwhile is read before it is judged */
    self->deadline = ssapp_job_attach_timer (self, SSAPP_JOB_LOOK_MS, ssapp_job_on_deadline);
  } else {
    const SsOutcome limit =
        ssapp_cpu_outcome_at_limit (ssapp_cpu_waited (ssapp_job_get_pid (self), TRUE), self->seconds);
    g_autofree char *message =
        g_strdup_printf ("%s; the worker did not answer and was ended", ss_outcome_early_words (limit));
    ssapp_job_kill_worker (self);
    ssapp_job_clear_source (&self->out_source);
    ssapp_job_clear_source (&self->err_source);
    if (self->is_over_cpu)
      end_with_answer (self, "cpu_limit", "limit of CPU time reached; the worker did not answer and was ended");
    else
      end_with_answer (self, ss_outcome_name (limit), message);
  }
  g_object_unref (self);
  return G_SOURCE_REMOVE;
}

/* Nor its limit of CPU time: that of its family, a margin behind it the same wait. The wait alone is too short where a
 * hundred programs want the processor: a worker that keeps its limit had no time to say so. */
gboolean
ssapp_job_on_cpu_look (gpointer user_data)
{
  SsappJob *self = user_data;
  double telling;

  if (self->is_over_cpu || self->state != SSAPP_JOB_RUNNING)
    return G_SOURCE_CONTINUE;
  /* What a worker takes to tell grows with the wall time and is not the run's; a program that only tells ends, too. */
  const double all = ssapp_cpu_of_family (ssapp_job_get_pid (self), &telling);
  if (!(all - telling > self->cpu_seconds + CPU_MARGIN) && !(all > TELLING_FACTOR * (self->cpu_seconds + CPU_MARGIN)))
    return G_SOURCE_CONTINUE;
  self->is_over_cpu = TRUE;
  ssapp_job_clear_source (&self->deadline);
  self->deadline = ssapp_job_attach_timer (self, SSAPP_JOB_DEADLINE_MS, ssapp_job_on_deadline);
  return G_SOURCE_CONTINUE;
}

void
ssapp_job_on_ended (GObject *process, GAsyncResult *result, gpointer user_data)
{
  SsappJob *self = user_data;

  g_subprocess_wait_finish (G_SUBPROCESS (process), result, NULL);
  self->is_reaped = TRUE;
  ssapp_kin_ended (self->id);
  ssapp_job_clear_source (&self->timer);
  if (self->state != SSAPP_JOB_ENDED)
    ssapp_job_set_timer (self, EXIT_GRACE_MS, give_up_output);
  ssapp_job_end_without_result (self);
  g_object_unref (self); /* of ssapp_job_start */
}

/* The worker tells what no worker tells: what it goes on with is worth nothing, and it may never end. */
void
ssapp_job_refuse_worker (SsappJob *self, const char *fault)
{
  g_return_if_fail (self != NULL);
  if (self->state == SSAPP_JOB_ENDED)
    return;
  g_autofree char *message = g_strdup_printf ("the worker's answer counts as a failure: %s", fault);
  ssapp_job_kill_worker (self);
  ssapp_job_end (self, ss_outcome_name (SS_OUTCOME_FAILED), message);
}
