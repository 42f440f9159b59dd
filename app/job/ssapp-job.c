/* app/job/ssapp-job.c: a run as a child process; see ssapp-job.h.
 *
 * The worker's output is read in pieces whenever there is some, cut into lines, and each line is an event. The job
 * keeps itself alive from start until its process is gone.
 */
#include "app/job/ssapp-job.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-memory.h"
#include "app/job/ssapp-judge-again.h"
#include "app/job/ssapp-kin.h"
#include "app/job/ssapp-quota.h"
#include "app/job/ssapp-cpu.h"

#include <errno.h>
#include <gio/gunixinputstream.h>
#include <glib-unix.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum {
  CANCEL_GRACE_MS = 500,   /* after asking, before killing                                       */
  EXIT_GRACE_MS = 1000,    /* after the result, before killing a worker that stays               */
  CPU_LOOK_MS = 500,       /* how often its CPU time is looked at where that has a limit */
  DEADLINE_MS = 2000,      /* after the time limit, which a worker keeps by itself unless it is silent */
  LOOK_MS = 100,           /* between two looks at a worker that is late                         */
  LOOKS_MAX = 100,         /* while its answer arrives, which takes as long as it is large       */
  READ_BYTES = 256 * 1024, /* per turn of the main loop, so that a flood does not starve others  */
};
#define MAX_ANSWER_VALUES 125000000 /* 1 GB, of which a project takes no more in one piece either */
#define MAX_MOTIONS       4096      /* beside the answer, with so many values together */
/* Events are at most 1 MB but for a result, which lists what happened: 200 bytes each of some 300,000 times. More means
 * that this is no worker. */
#define MAX_LINE_BYTES (64u << 20)

struct _SsappJob {
  GObject parent_instance;
  char *id, *scenario_text, *scenario_name, *method;
  SsMethodKind kind; /* of the method */
  json_t *options, *parameters;
  json_t *plan;        /* of a replay; NULL when it is none */
  json_t *replay;      /* what it is asked for besides; nullable */
  json_t *start;       /* nullable */
  json_t *impact;      /* what is asked of an impact law; nullable */
  SsTrajectory *given; /* the plan or the start; nullable */
  double seconds, cpu_seconds, work, bytes, dt, t_end, ways_on, bound;
  guint64 seed;
  guint cancel_grace; /* ms */
  gboolean has_seed;
  int keep_every, every;
  char *sensitivity; /* nullable */

  SsappJobState state;
  char *outcome, *message, *result_json;
  gint64 start_time, end_time; /* monotonic [us], 0 = not yet */
  GArray *iterations;
  GString *log;
  SsappQuota quota;        /* of what the worker tells */
  GPtrArray *own_warnings; /* of char *: what did not come as an event, so that the worker's result does not list it */
  SsappIteration last_row; /* of the convergence table, where it was left out */
  gboolean has_last_row;
  gboolean lacked_memory; /* the worker's last words said so */
  SsTrajectory *motion;
  SsTrajectory *incoming;     /* answer, kept iterate or branch of which chunks are arriving */
  int incoming_iteration;     /* -1: the answer, or a branch */
  SsRunMotion incoming_about; /* of a branch; role ANSWER: none */
  GArray *motions;            /* of SsRunMotion: branches */
  gint64 n_motion_values;
  SsSamples *samples; /* nullable */
  json_t *race;       /* nullable */
  /* a race's best answer so far, as a result, and its motion; nullable */
  json_t *answer;
  SsTrajectory *answer_motion;
  int n_sample_rows;   /* that have arrived */
  gboolean has_answer; /* the answer's motion has come as a whole */

  GMainContext *context;
  GSubprocess *process;
  gboolean is_reaped;
  GSource *out_source, *err_source, *timer, *deadline, *cpu_look;
  gboolean is_over_cpu;   /* its limit of CPU time is reached */
  int n_looks, rows_seen; /* at a worker that is late */
  GByteArray *out_line, *err_line;
  GByteArray *to_write;
  GBytes *writing;
  gboolean quits; /* close the worker's input when everything is written */
};

G_DEFINE_FINAL_TYPE (SsappJob, ssapp_job, G_TYPE_OBJECT)

enum {
  SSAPP_JOB_TELLS_STARTED,
  SSAPP_JOB_TELLS_ITERATION,
  SSAPP_JOB_TELLS_MOTION,
  SSAPP_JOB_TELLS_ITERATE,
  SSAPP_JOB_TELLS_RACE,
  SSAPP_JOB_TELLS_LOG,
  SSAPP_JOB_TELLS_ENDED,
  SSAPP_JOB_SIGNALS
};
static guint ssapp_job_signals[SSAPP_JOB_SIGNALS];

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
  ssapp_replay_ask_to_json (ask, self->replay, self->plan);
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
ssapp_job_set_every (SsappJob *self, int every)
{
  g_return_if_fail (SSAPP_IS_JOB (self) && self->state == SSAPP_JOB_WAITING);
  self->every = MAX (every, 1);
}

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

static void
ssapp_job_send (SsappJob *self, const char *line)
{
  g_byte_array_append (self->to_write, (const guint8 *)line, (guint)strlen (line));
  g_byte_array_append (self->to_write, (const guint8 *)"\n", 1);
  write_more (self);
}

static char *
ssapp_job_line (SsappJob *self)
{
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
  if (self->impact != NULL)
    json_object_update (job, self->impact);
  if (isfinite (self->seconds))
    json_object_set_new (limits, "seconds", json_real (self->seconds));
  if (isfinite (self->cpu_seconds))
    json_object_set_new (limits, "cpu_seconds", json_real (self->cpu_seconds));
  if (isfinite (self->work))
    json_object_set_new (limits, "work", json_real (self->work));
  if (isfinite (self->bytes))
    json_object_set_new (limits, "bytes", json_real (self->bytes));
  if (isfinite (self->dt))
    json_object_set_new (job, "dt", json_real (self->dt));
  if (isfinite (self->t_end))
    json_object_set_new (job, "t_end", json_real (self->t_end));
  if (isfinite (self->ways_on))
    json_object_set_new (job, "ways_on", json_real (self->ways_on));
  if (isfinite (self->bound))
    json_object_set_new (job, "bound", json_real (self->bound));
  if (self->has_seed)
    json_object_set_new (job, "seed", json_integer ((json_int_t)self->seed));
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

/* ---- ending ------------------------------------------------------------------------------------------------------ */

static void
ssapp_job_clear_source (GSource **source)
{
  if (*source != NULL) {
    g_source_destroy (*source);
    g_clear_pointer (source, g_source_unref);
  }
}

static GSource *
ssapp_job_attach_timer (SsappJob *self, guint milliseconds, GSourceFunc function)
{
  GSource *timer = g_timeout_source_new (milliseconds);

  g_source_set_callback (timer, function, self, NULL);
  g_source_attach (timer, self->context);
  return timer;
}

static void
ssapp_job_set_timer (SsappJob *self, guint milliseconds, GSourceFunc function)
{
  ssapp_job_clear_source (&self->timer);
  self->timer = ssapp_job_attach_timer (self, milliseconds, function);
}

static void
ssapp_job_add_log (SsappJob *self, int level, const char *text)
{
  g_string_append_printf (self->log, "%s\n", text);
  g_signal_emit (self, ssapp_job_signals[SSAPP_JOB_TELLS_LOG], 0, level, text);
}

static void
ssapp_job_add_row (SsappJob *self, const SsappIteration *row)
{
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

static gboolean
ssapp_job_kill_worker (gpointer user_data)
{
  SsappJob *self = user_data;

  ssapp_job_clear_source (&self->timer);
  if (self->process != NULL && !self->is_reaped)
    ssapp_kin_kill (self->process);
  return G_SOURCE_REMOVE;
}

static void
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

static void ssapp_job_take_motion (SsappJob *self, SsTrajectory *motion);

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
static void
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
static gboolean
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
    self->deadline = ssapp_job_attach_timer (self, LOOK_MS, ssapp_job_on_deadline);
  } else {
    ssapp_job_kill_worker (self);
    ssapp_job_clear_source (&self->out_source);
    ssapp_job_clear_source (&self->err_source);
    if (self->is_over_cpu)
      end_with_answer (self, "cpu_limit", "limit of CPU time reached; the worker did not answer and was ended");
    else
      end_with_answer (self, "time_limit", "time limit reached; the worker did not answer and was ended");
  }
  g_object_unref (self);
  return G_SOURCE_REMOVE;
}

/* Nor its limit of CPU time: that of its family, from where it is reached the same wait. */
static gboolean
ssapp_job_on_cpu_look (gpointer user_data)
{
  SsappJob *self = user_data;

  if (self->is_over_cpu || self->state != SSAPP_JOB_RUNNING ||
      !(ssapp_cpu_of_family (ssapp_job_get_pid (self)) > self->cpu_seconds))
    return G_SOURCE_CONTINUE;
  self->is_over_cpu = TRUE;
  ssapp_job_clear_source (&self->deadline);
  self->deadline = ssapp_job_attach_timer (self, DEADLINE_MS, ssapp_job_on_deadline);
  return G_SOURCE_CONTINUE;
}

static void
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
static void
ssapp_job_refuse_worker (SsappJob *self, const char *fault)
{
  if (self->state == SSAPP_JOB_ENDED)
    return;
  g_autofree char *message = g_strdup_printf ("the worker's answer counts as a failure: %s", fault);
  ssapp_job_kill_worker (self);
  ssapp_job_end (self, ss_outcome_name (SS_OUTCOME_FAILED), message);
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

static void
ssapp_job_take_motion (SsappJob *self, SsTrajectory *motion)
{
  ss_trajectory_free (self->motion);
  self->motion = motion;
  g_signal_emit (self, ssapp_job_signals[SSAPP_JOB_TELLS_MOTION], 0);
}

/* {"channels": [...], "shape": [rows, columns], "data": base64} */
static SsTrajectory *
decode_rows (const json_t *channels, int n_rows, const char *base64)
{
  gsize size = 0;
  guchar *data = base64 != NULL ? g_base64_decode (base64, &size) : NULL;
  SsTrajectory *trajectory = data != NULL ? ssapp_trajectory_from_bytes (channels, n_rows, data, size) : NULL;

  g_free (data);
  return trajectory;
}

static void
on_iterate_event (SsappJob *self, const json_t *event)
{
  const json_t *shape = json_object_get (event, "shape");
  SsTrajectory *motion =
      decode_rows (ssapp_json_get_channels (event), (int)json_integer_value (json_array_get (shape, 0)),
                   ssapp_json_get_string (event, "data"));

  if (motion != NULL)
    ssapp_job_take_motion (self, motion);
}

/* The first frame names the channels. */
static void
on_frame_event (SsappJob *self, const json_t *event)
{
  const json_t *channels = json_object_get (event, "channels"), *values = json_object_get (event, "values");
  const int n = (int)json_array_size (values);

  if (channels != NULL && (int)json_array_size (channels) == n) {
    ss_trajectory_free (self->motion);
    self->motion = ssapp_trajectory_from_bytes (channels, 0, "", 0);
  }
  if (self->motion == NULL || n != self->motion->n_channels)
    return;
  double *row = g_new (double, n);
  for (int i = 0; i < n; i++) {
    const json_t *value = json_array_get (values, (size_t)i);
    row[i] = json_is_number (value) ? json_number_value (value) : NAN;
  }
  if (ss_trajectory_append (self->motion, row, NULL) == SS_OK)
    g_signal_emit (self, ssapp_job_signals[SSAPP_JOB_TELLS_MOTION], 0);
  g_free (row);
}

/* What an event says of its motion: a branch, or (role ANSWER) the answer or an iterate. Role COUNT: none that this
 * program knows. */
static SsRunMotion
read_about (const json_t *event)
{
  const char *name = ssapp_json_get_string (event, "role");
  const SsMotionRole role = json_object_get (event, "role") == NULL ? SS_MOTION_ANSWER
                            : name != NULL                          ? ss_motion_role_find (name)
                                                                    : SS_MOTION_ROLE_COUNT;
  const json_int_t branch = json_integer_value (json_object_get (event, "branch"));

  return (SsRunMotion){
      .role = role, .branch = (int)CLAMP (branch, 0, G_MAXINT), .share = ssapp_json_get_real (event, "share")};
}

/* Takes a whole branch. */
static void
take_branch (SsappJob *self, SsTrajectory *whole)
{
  SsRunMotion motion = self->incoming_about;
  const gint64 n = (gint64)whole->n_rows * whole->n_channels;

  motion.trajectory = whole;
  if (self->motions->len < MAX_MOTIONS && self->n_motion_values + n <= MAX_ANSWER_VALUES) {
    self->n_motion_values += n;
    g_array_append_val (self->motions, motion);
  } else {
    ss_trajectory_free (whole);
  }
}

/* A chunk of the samples; the first one says how many there are. */
static void
on_samples_event (SsappJob *self, const json_t *event)
{
  const json_t *columns = json_object_get (event, "columns"), *shape = json_object_get (event, "shape");
  const json_int_t n_rows = json_integer_value (json_array_get (shape, 0));
  const json_int_t first = json_integer_value (json_object_get (event, "first_row"));
  const json_int_t count = json_integer_value (json_object_get (event, "rows"));
  const size_t n_columns = json_array_size (columns);

  if (first == 0 && self->samples == NULL && n_columns > 0 && n_columns <= MAX_ANSWER_VALUES && n_rows >= 0 &&
      n_rows <= (json_int_t)(MAX_ANSWER_VALUES / n_columns)) {
    g_autofree const char **names = g_new0 (const char *, n_columns + 1);
    for (size_t c = 0; c < n_columns; c++) {
      const char *name = json_string_value (json_array_get (columns, c));
      names[c] = name != NULL ? name : "";
    }
    if (ss_samples_new (names, (int)n_columns, (int)n_rows, &self->samples, NULL) != SS_OK)
      self->samples = NULL;
    self->n_sample_rows = 0;
  }
  if (self->samples == NULL || (size_t)self->samples->n_columns != n_columns || first != self->n_sample_rows ||
      count < 0 || count > self->samples->n_rows - self->n_sample_rows)
    return;
  if (ssapp_base64_read_doubles (ssapp_json_get_string (event, "data"),
                                 self->samples->values + (size_t)first * n_columns, (gsize)count * n_columns))
    self->n_sample_rows += (int)count;
}

/* A chunk of the answer, of a kept iterate or of a branch; the last one completes it. */
static void
on_trajectory_event (SsappJob *self, const json_t *event)
{
  const json_t *channels = ssapp_json_get_channels (event), *shape = json_object_get (event, "shape");
  const json_t *iteration = json_object_get (event, "iteration");
  const int total = (int)json_integer_value (json_array_get (shape, 0));
  const int first = (int)json_integer_value (json_object_get (event, "first_row"));
  const int count = (int)json_integer_value (json_object_get (event, "rows"));
  SsTrajectory *rows = decode_rows (channels, count, ssapp_json_get_string (event, "data"));

  if (rows == NULL)
    return;
  if (json_is_integer (iteration) && self->keep_every == 0) { /* nobody asked for iterates */
    ss_trajectory_free (rows);
    return;
  }
  if (first == 0) {
    g_clear_pointer (&self->incoming, ss_trajectory_free);
    self->incoming_iteration = json_is_integer (iteration) ? (int)json_integer_value (iteration) : -1;
    self->incoming_about = read_about (event);
    self->incoming = rows;
    if (self->incoming_iteration < 0 && self->incoming_about.role == SS_MOTION_ROLE_COUNT) {
      g_clear_pointer (&self->incoming, ss_trajectory_free);
      ssapp_job_refuse_worker (self, "it has a motion with a role that this program does not know");
      return;
    }
  } else {
    if (self->incoming != NULL && self->incoming->n_rows == first && self->incoming->n_channels == rows->n_channels &&
        (gint64)(first + rows->n_rows) * rows->n_channels <= MAX_ANSWER_VALUES)
      for (int r = 0; r < rows->n_rows; r++)
        if (ss_trajectory_append (self->incoming, ss_trajectory_row (rows, r), NULL) != SS_OK)
          break;
    ss_trajectory_free (rows);
  }
  if (self->incoming == NULL || self->incoming->n_rows < total)
    return;
  SsTrajectory *whole = g_steal_pointer (&self->incoming);
  if (self->incoming_iteration < 0 && self->incoming_about.role != SS_MOTION_ANSWER) {
    take_branch (self, whole);
  } else if (self->incoming_iteration < 0) {
    self->has_answer = whole->n_rows > 0;
    ssapp_job_take_motion (self, whole);
  } else {
    const gsize size = sizeof (double) * (gsize)whole->n_rows * (gsize)whole->n_channels;
    if (ssapp_quota_take_iterate (&self->quota, size))
      g_signal_emit (self, ssapp_job_signals[SSAPP_JOB_TELLS_ITERATE], 0, self->incoming_iteration, whole);
    ss_trajectory_free (whole);
  }
}

/* The result as on the command line, without what makes it an event. */
static json_t *
result_of (const json_t *event)
{
  json_t *result = json_deep_copy (event);

  json_object_del (result, "type");
  json_object_del (result, "id");
  json_object_del (result, "t");
  return result;
}

/* A result that cannot be so is that of a run that failed. Takes the result's words for what it claimed. */
static void
refuse_nonsense (SsappJob *self, json_t *result, const SsTrajectory *motion)
{
  const char *outcome = ssapp_json_get_string (result, "outcome");
  const char *fault = ssapp_result_fault (self->kind, outcome, motion);

  if (fault == NULL)
    return;
  g_autofree char *message = g_strdup_printf ("the worker's answer counts as a failure: %s (outcome %s)", fault,
                                              outcome != NULL ? outcome : "missing");
  json_object_set_new (result, "outcome", json_string (ss_outcome_name (SS_OUTCOME_FAILED)));
  json_object_set_new (result, "message", json_string (message));
}

/* The best answer so far, whose motion came just before. */
static void
on_answer_event (SsappJob *self, const json_t *event)
{
  SsTrajectory *motion = NULL;

  if (self->motion == NULL || ss_trajectory_copy (self->motion, &motion, NULL) != SS_OK)
    return;
  ss_trajectory_free (self->answer_motion);
  json_decref (self->answer);
  self->answer_motion = motion;
  self->answer = result_of (event);
  refuse_nonsense (self, self->answer, motion);
}

static void
on_result_event (SsappJob *self, const json_t *event)
{
  json_t *result = result_of (event);

  refuse_nonsense (self, result, self->has_answer ? self->motion : NULL);
  json_object_set_new (result, "warnings",
                       ssapp_quota_warnings (&self->quota, json_object_get (event, "warnings"), self->own_warnings));
  g_free (self->result_json);
  self->result_json = ssapp_json_text (result, TRUE);
  ssapp_job_end (self, ssapp_json_get_string (result, "outcome"), ssapp_json_get_string (result, "message"));
  json_decref (result);
}

static int
level_from_name (const char *name)
{
  static const char *const names[] = {"debug", "info", "warning", "error"};

  for (int i = 0; i < (int)G_N_ELEMENTS (names); i++)
    if (g_strcmp0 (name, names[i]) == 0)
      return i;
  return SS_LOG_INFO;
}

static void
on_iteration_event (SsappJob *self, const char *line, gsize length)
{
  char *text = g_strndup (line, length);
  SsappIteration row;

  if (ssapp_iteration_from_json (text, &row)) {
    if (self->has_last_row)
      ssapp_iteration_clear (&self->last_row);
    self->has_last_row = !ssapp_quota_take_row (&self->quota, row.iteration, strlen (row.json));
    if (self->has_last_row)
      self->last_row = row;
    else
      ssapp_job_add_row (self, &row);
  }
  g_free (text);
}

static void
on_log_event (SsappJob *self, const json_t *event)
{
  const char *text = ssapp_json_get_string (event, "text");
  const int level = level_from_name (ssapp_json_get_string (event, "level"));

  if (text != NULL && ssapp_quota_take_line (&self->quota, (SsLogLevel)level, text))
    ssapp_job_add_log (self, level, text);
}

static void
on_race_event (SsappJob *self, const json_t *event)
{
  json_decref (self->race);
  self->race = json_deep_copy (event);
  g_signal_emit (self, ssapp_job_signals[SSAPP_JOB_TELLS_RACE], 0);
}

static void
on_event (SsappJob *self, const char *line, gsize length)
{
  json_t *event = json_loadb (line, length, 0, NULL);
  const char *type = ssapp_json_get_string (event, "type");
  const char *id = ssapp_json_get_string (event, "id");

  const gboolean is_foreign =
      json_object_get (event, "id") != NULL && (id == NULL || (id[0] != '\0' && strcmp (id, self->id) != 0));

  if (self->state == SSAPP_JOB_ENDED) {
    /* A late line is not an error of this job. */
  } else if (type == NULL) {
    ssapp_job_refuse_worker (self, "it has a line that cannot be read");
  } else if (is_foreign) {
    /* Nor is what is said of another job, unless that ends: then nothing more may come of this one. */
    if (strcmp (type, "result") == 0)
      ssapp_job_refuse_worker (self, "it has a result of another run");
  } else if (strcmp (type, "start") == 0) {
    g_signal_emit (self, ssapp_job_signals[SSAPP_JOB_TELLS_STARTED], 0);
  } else if (strcmp (type, "iteration") == 0) {
    on_iteration_event (self, line, length);
  } else if (strcmp (type, "iterate") == 0) {
    on_iterate_event (self, event);
  } else if (strcmp (type, "frame") == 0) {
    on_frame_event (self, event);
  } else if (strcmp (type, "trajectory") == 0) {
    on_trajectory_event (self, event);
  } else if (strcmp (type, "samples") == 0) {
    on_samples_event (self, event);
  } else if (strcmp (type, "race") == 0) {
    on_race_event (self, event);
  } else if (strcmp (type, "log") == 0) {
    on_log_event (self, event);
  } else if (strcmp (type, "answer") == 0) {
    on_answer_event (self, event);
  } else if (strcmp (type, "result") == 0) {
    on_result_event (self, event);
  }
  json_decref (event);
}

/* Last words of the C++ library, of GLib and of the C library. */
static gboolean
tells_lack_of_memory (const char *text)
{
  static const char *const words[] = {"std::bad_alloc", "failed to allocate", "Cannot allocate memory"};

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (strstr (text, words[i]) != NULL)
      return TRUE;
  return FALSE;
}

static void
on_stderr_line (SsappJob *self, const char *line, gsize length)
{
  char *text = g_strndup (line, length);
  char *valid = g_utf8_make_valid (text, -1);

  self->lacked_memory = self->lacked_memory || tells_lack_of_memory (valid);
  if (self->state != SSAPP_JOB_ENDED && valid[0] != '\0') {
    if (self->own_warnings->len < SSAPP_WARNINGS_MAX)
      g_ptr_array_add (self->own_warnings, g_strdup (valid));
    if (ssapp_quota_take_line (&self->quota, SS_LOG_WARNING, valid))
      ssapp_job_add_log (self, SS_LOG_WARNING, valid);
  }
  g_free (valid);
  g_free (text);
}

/* Reads what there is and hands out whole lines. FALSE at the end of the stream. What is longer than a line can be is
 * thrown away, and of events a reason to give up. */
static gboolean
read_lines (SsappJob *self, int fd, GByteArray *buffer, void (*handle) (SsappJob *, const char *, gsize))
{
  const guint old = buffer->len;
  gsize done = 0;
  ssize_t n;

  g_byte_array_set_size (buffer, old + READ_BYTES);
  do
    n = read (fd, buffer->data + old, READ_BYTES);
  while (n < 0 && errno == EINTR);
  g_byte_array_set_size (buffer, old + (guint)MAX (n, 0));
  if (n <= 0)
    return n < 0 && errno == EAGAIN;

  for (gsize i = old; i < buffer->len; i++) {
    if (buffer->data[i] != '\n')
      continue;
    handle (self, (const char *)buffer->data + done, i - done);
    done = i + 1;
  }
  g_byte_array_remove_range (buffer, 0, (guint)done);
  if (buffer->len > MAX_LINE_BYTES) {
    g_byte_array_set_size (buffer, 0);
    if (buffer == self->out_line)
      ssapp_job_refuse_worker (self, "it has a line of more than 64 MB");
  }
  return TRUE;
}

static gboolean
on_output (int fd, GIOCondition condition, gpointer user_data)
{
  SsappJob *self = g_object_ref (user_data);
  gboolean more = read_lines (self, fd, self->out_line, on_event);

  (void)condition;
  if (!more) {
    ssapp_job_clear_source (&self->out_source);
    ssapp_job_end_without_result (self);
  }
  g_object_unref (self);
  return more;
}

static gboolean
on_error_output (int fd, GIOCondition condition, gpointer user_data)
{
  SsappJob *self = g_object_ref (user_data);
  gboolean more = read_lines (self, fd, self->err_line, on_stderr_line);

  (void)condition;
  if (!more) {
    ssapp_job_clear_source (&self->err_source);
    ssapp_job_end_without_result (self);
  }
  g_object_unref (self);
  return more;
}

static GSource *
watch (SsappJob *self, GInputStream *stream, GUnixFDSourceFunc function)
{
  int fd = g_unix_input_stream_get_fd (G_UNIX_INPUT_STREAM (stream));

  g_unix_set_fd_nonblocking (fd, TRUE, NULL);
  GSource *source = g_unix_fd_source_new (fd, G_IO_IN | G_IO_HUP | G_IO_ERR);
  g_source_set_callback (source, G_SOURCE_FUNC (function), self, NULL);
  g_source_attach (source, self->context);
  return source;
}

/* ---- starting, cancelling ---------------------------------------------------------------------------------------- */

char *
ssapp_job_find_worker (void)
{
  static const char *const places[] = {"stickslip-cli", "../app/stickslip-cli", "../../app/stickslip-cli"};
  const char *named = g_getenv ("STICKSLIP_WORKER");
  char *self_path, *folder, *found = NULL;

  if (named != NULL && named[0] != '\0')
    return g_strdup (named);
  self_path = g_file_read_link ("/proc/self/exe", NULL);
  folder = self_path != NULL ? g_path_get_dirname (self_path) : g_strdup (".");
  for (guint i = 0; found == NULL && i < G_N_ELEMENTS (places); i++) {
    found = g_build_filename (folder, places[i], NULL);
    if (!g_file_test (found, G_FILE_TEST_IS_EXECUTABLE))
      g_clear_pointer (&found, g_free);
  }
  g_free (folder);
  g_free (self_path);
  return found != NULL ? found : g_find_program_in_path ("stickslip-cli");
}

static GSubprocess *
spawn_worker (SsappJob *self, GError **error)
{
  g_autofree char *worker = ssapp_job_find_worker ();
  GSubprocess *process;

  if (worker == NULL) {
    g_set_error_literal (
        error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
        "stickslip-cli was not found beside this program nor on the path; STICKSLIP_WORKER may name it");
    return NULL;
  }
  process = ssapp_kin_spawn (worker, self->id, self->bytes, error);
  if (process == NULL)
    g_prefix_error (error, "the worker %s cannot be started: ", worker);
  return process;
}

gboolean
ssapp_job_start (SsappJob *self, GError **error)
{
  GError *local = NULL;
  char *line;

  g_return_val_if_fail (SSAPP_IS_JOB (self), FALSE);
  g_return_val_if_fail (self->state == SSAPP_JOB_WAITING, FALSE);
  if (!isfinite (self->bytes))
    self->bytes = ssapp_memory_default (1);
  self->process = spawn_worker (self, &local);
  if (self->process == NULL) {
    self->is_reaped = TRUE; /* there never was a process */
    ssapp_job_end (self, "failed", local->message);
    g_propagate_error (error, local);
    return FALSE;
  }
  self->state = SSAPP_JOB_RUNNING;
  self->start_time = g_get_monotonic_time ();
  self->out_source = watch (self, g_subprocess_get_stdout_pipe (self->process), on_output);
  self->err_source = watch (self, g_subprocess_get_stderr_pipe (self->process), on_error_output);
  if (isfinite (self->seconds))
    self->deadline = ssapp_job_attach_timer (
        self, (guint)CLAMP (self->seconds * 1000 + DEADLINE_MS - LOOK_MS, 0, G_MAXINT), ssapp_job_on_deadline);
  if (isfinite (self->cpu_seconds))
    self->cpu_look = ssapp_job_attach_timer (self, CPU_LOOK_MS, ssapp_job_on_cpu_look);
  g_main_context_push_thread_default (self->context);
  g_subprocess_wait_async (self->process, NULL, ssapp_job_on_ended, g_object_ref (self));
  line = ssapp_job_line (self);
  ssapp_job_send (self, line);
  g_main_context_pop_thread_default (self->context);
  g_free (line);
  return TRUE;
}

void
ssapp_job_cancel (SsappJob *self)
{
  g_return_if_fail (SSAPP_IS_JOB (self));
  switch (self->state) {
  case SSAPP_JOB_WAITING:
    self->is_reaped = TRUE; /* there never was a process */
    ssapp_job_end (self, "cancelled", "cancelled before it was started");
    break;
  case SSAPP_JOB_RUNNING:
    self->state = SSAPP_JOB_CANCELLING;
    ssapp_job_send (self, "{\"type\":\"cancel\"}");
    ssapp_job_set_timer (self, self->cancel_grace, ssapp_job_kill_worker);
    break;
  case SSAPP_JOB_CANCELLING:
  case SSAPP_JOB_ENDED:
    break;
  }
}

void
ssapp_job_stop_member (SsappJob *self, const char *member)
{
  g_return_if_fail (SSAPP_IS_JOB (self) && member != NULL);
  if (self->state != SSAPP_JOB_RUNNING)
    return;
  json_t *request = json_pack ("{s:s, s:s}", "type", "stop_member", "member", member);
  g_autofree char *line = ssapp_json_text (request, FALSE);
  json_decref (request);
  ssapp_job_send (self, line);
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
  return (double)((self->end_time != 0 ? self->end_time : g_get_monotonic_time ()) - self->start_time) /
         G_TIME_SPAN_SECOND;
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
