/* app/job/ssapp-elsewhere.c: see the header. */
#include "app/job/ssapp-elsewhere.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-memory.h"
#include "app/job/ssapp-job.h"
#include "core/ss-work.h"
#include "judge/ss-metric.h"

#include <math.h>
#include <string.h>
#include <time.h>

enum { LOOK_MS = 20, MEMBERS_AT_ONCE = 2 };

typedef struct {
  SsappJob *job; /* weak */
  SsRunControl *control;
  double limit, cpu; /* [s] */
  gboolean is_told, has_ended;
} Child;

/* CPU time of the process so far [s]; what was known before where it is gone. */
static double
cpu_of (const Child *self)
{
  const gint64 pid = ssapp_job_get_pid (self->job);
  struct timespec used;
  clockid_t clock;

  if (pid <= 0 || clock_getcpuclockid ((pid_t)pid, &clock) != 0 || clock_gettime (clock, &used) != 0)
    return self->cpu;
  return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

static gboolean
on_look (gpointer user_data)
{
  Child *self = user_data;
  SsOutcome why;

  if (self->has_ended)
    return G_SOURCE_CONTINUE;
  self->cpu = cpu_of (self);
  ssapp_job_pause (self->job, atomic_load (&self->control->pause) != 0);
  if (ssapp_job_is_paused (self->job) && atomic_load (&self->control->cancel) == 0)
    return G_SOURCE_CONTINUE;
  if (!self->is_told && (ss_run_control_should_stop (self->control, &why) || self->cpu > self->limit)) {
    self->is_told = TRUE;
    ssapp_job_cancel (self->job);
  }
  return G_SOURCE_CONTINUE;
}

static void
on_iteration (SsappJob *job, guint index, Child *self)
{
  const SsappIteration *row = &g_array_index (ssapp_job_get_iterations (job), SsappIteration, index);
  const SsColumn columns[] = {
      {"objective", row->objective}, {"violation", row->violation}, {"complementarity", row->complementarity}};

  ss_run_control_emit_iteration (self->control, row->iteration, columns, G_N_ELEMENTS (columns));
}

static void
on_ended (SsappJob *job, Child *self)
{
  (void)job;
  self->has_ended = TRUE;
}

/* Options of the transcription hold for all members, but for those that the member itself has. */
static void
set_options (SsappJob *child, const SsappJobSpec *spec, const SsElsewhereJob *job)
{
  const SsOptionTable *table = ss_transcription_option_table ();

  for (guint i = 0; i < spec->option_names->len; i++)
    for (int k = 0; k < table->n_specs; k++)
      if (strcmp (table->specs[k].name, g_ptr_array_index (spec->option_names, i)) == 0)
        ssapp_job_set_option (child, table->specs[k].name, g_ptr_array_index (spec->option_values, i));
  for (int i = 0; i < job->n_options; i++)
    ssapp_job_set_option (child, job->options[i][0], job->options[i][1]);
}

/* Belongs to the thread's own main context. */
static SsappJob *
make_child (const SsappJobSpec *spec, const SsElsewhereJob *job)
{
  SsappJob *child =
      ssapp_job_new (spec->scenario_text, spec->scenario_file, (SsMethodId){SS_METHOD_OPTIMISER, job->method});

  set_options (child, spec, job);
  for (guint i = 0; i < spec->parameter_names->len; i++)
    ssapp_job_set_parameter (child, g_ptr_array_index (spec->parameter_names, i),
                             g_array_index (spec->parameter_values, double, i));
  ssapp_job_set_step (child, spec->dt, spec->t_end);
  if (spec->has_seed)
    ssapp_job_set_seed (child, spec->seed);
  if (spec->start != NULL)
    ssapp_job_set_start (child, spec->start, NULL);
  ssapp_job_set_work_limit (child, job->work);
  ssapp_job_set_memory_limit (child, isfinite (spec->bytes) ? spec->bytes : ssapp_memory_default (MEMBERS_AT_ONCE));
  return child;
}

/* Counted, as its result says; 0: it has none. */
static double
work_of (SsappJob *child)
{
  json_t *result = ssapp_job_get_result_json (child) != NULL
                       ? json_loads (ssapp_job_get_result_json (child), JSON_DECODE_ANY, NULL)
                       : NULL;
  const double work = ssapp_json_get_real (json_object_get (result, "metrics"), ss_metric_spec (SS_METRIC_WORK)->name);

  json_decref (result);
  return isfinite (work) ? work * SS_WORK_SECOND : 0;
}

static SsStatus
take_answer (SsappJob *child, SsElsewhereAnswer *answer, SsError *err)
{
  const SsTrajectory *motion = ssapp_job_get_trajectory (child);

  g_strlcpy (answer->message, ssapp_job_get_message (child), sizeof answer->message);
  answer->work = work_of (child);
  return motion != NULL && motion->n_rows > 1 ? ss_trajectory_copy (motion, &answer->motion, err) : SS_OK;
}

static SsStatus
run (void *user_data, const SsElsewhereJob *job, SsRunControl *control, SsElsewhereAnswer *answer, SsError *err)
{
  GMainContext *context = g_main_context_new ();
  g_autoptr (GError) error = NULL;
  SsStatus status = SS_OK;

  *answer = (SsElsewhereAnswer){0};
  g_main_context_push_thread_default (context);
  Child self = {.job = make_child (user_data, job), .control = control, .limit = job->cpu};
  GSource *timer = g_timeout_source_new (LOOK_MS);
  g_source_set_callback (timer, on_look, &self, NULL);
  g_source_attach (timer, context);
  g_signal_connect (self.job, "iteration", G_CALLBACK (on_iteration), &self);
  g_signal_connect (self.job, "ended", G_CALLBACK (on_ended), &self);
  if (!ssapp_job_start (self.job, &error))
    g_strlcpy (answer->message, error->message, sizeof answer->message);
  else {
    while (!self.has_ended)
      g_main_context_iteration (context, TRUE);
    status = take_answer (self.job, answer, err);
  }
  answer->cpu = self.cpu;
  g_signal_handlers_disconnect_by_data (self.job, &self);
  g_object_add_weak_pointer (G_OBJECT (self.job), (gpointer *)&self.job);
  g_object_unref (self.job);
  self.has_ended = TRUE;
  while (self.job != NULL) /* until the process is gone; the timer wakes */
    g_main_context_iteration (context, TRUE);
  g_source_destroy (timer);
  g_source_unref (timer);
  g_main_context_pop_thread_default (context);
  g_main_context_unref (context);
  return status;
}

SsElsewhere
ssapp_elsewhere (const SsappJobSpec *spec)
{
  return (SsElsewhere){.run = run, .user_data = (gpointer)spec};
}
