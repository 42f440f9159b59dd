/* app/job/ssapp-runner.c: see ssapp-runner.h. What the solver tells is in ssapp-solve.h; the main thread hands it
 * out. */
#include "app/job/ssapp-runner.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-memory.h"
#include "app/job/ssapp-cpu.h"
#include "app/job/ssapp-elsewhere.h"
#include "app/job/ssapp-quota.h"
#include "app/job/ssapp-race.h"
#include "app/job/ssapp-result.h"
#include "app/job/ssapp-solve.h"
#include "mpcc/ss-problem.h"

#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define ITERATE_PERIOD (1.0 / 30) /* s: contract of the event stream */
#define FRAME_PERIOD   (1.0 / 60)
/* CPU time beyond its limit after which a solver that does not come back is left behind [s]. */
#define CPU_GRACE    0.5
#define WAIT_LOOK_AT 0.9    /* of the time limit: when it is looked how long the run waited for a processor */
enum { CPU_LOOK_MS = 100 }; /* how often CPU time is looked at where it has a limit */

struct SsappRunner {
  SsappEventFunc func;
  gpointer user_data;
  SsSolveCache *cache;
  SsappCapture *capture; /* borrowed, nullable */
  SsappSolve *shared;    /* NULL when idle */
  GThread *thread;
  gboolean is_running, has_started;
  double last_iterate, last_frame;
  double paused_at; /* value of ss_clock_wall (); NaN: it is not paused */
  guint grace_timer, limit_timer, wait_timer, cpu_timer;
  double children_cpu; /* of the process's children when the job began [s] */
  double telling_cpu;  /* of the main thread at the start [s] */
  struct rlimit old_limit;
  gboolean has_limit;
  SsappQuota quota;         /* of the running job */
  SsappSolveItem *last_row; /* of the convergence table, where it was left out; nullable */
};

static void
emit (SsappRunner *self, SsappEvent *event)
{
  self->func (self, self->shared->spec, event, self->user_data);
}

static double
elapsed (SsappRunner *self)
{
  return ss_clock_wall () - self->shared->start;
}

static void
emit_point (SsappRunner *self, SsappEventKind kind, double t, int iteration, const double *x, int n)
{
  const SsScenario *scenario = self->shared->model;
  SsTrajectory *motion = NULL;

  if (scenario == NULL || n != scenario->model->n_points * scenario->model->n_variables ||
      ss_problem_trajectory (scenario, x, &motion, NULL) != SS_OK)
    return;
  if (kind == SSAPP_EVENT_ITERATE)
    motion = ssapp_solve_thin (motion);
  emit (self, &(SsappEvent){.kind = kind, .t = t, .iteration = iteration, .trajectory = motion});
  ss_trajectory_free (motion);
}

static void
emit_text (SsappRunner *self, double t, SsLogLevel level, const char *text)
{
  if (ssapp_quota_take_line (&self->quota, level, text))
    emit (self, &(SsappEvent){.kind = SSAPP_EVENT_LOG, .t = t, .level = level, .text = text});
}

static void
emit_row (SsappRunner *self, const SsappSolveItem *item)
{
  emit (self, &(SsappEvent){.kind = SSAPP_EVENT_ITERATION,
                            .t = item->t,
                            .iteration = item->iteration,
                            .columns = item->columns,
                            .n_columns = item->n});
}

/* Takes the item. */
static void
emit_item (SsappRunner *self, SsappSolveItem *item)
{
  enum { COLUMN_BYTES = 35 }; /* of a name and a number with 17 digits, in JSON */

  switch (item->kind) {
  case SSAPP_EVENT_KEPT:
    if (ssapp_quota_take_iterate (&self->quota, sizeof (double) * (gsize)item->n))
      emit_point (self, SSAPP_EVENT_KEPT, item->t, item->iteration, item->x, item->n);
    break;
  case SSAPP_EVENT_LOG:
    emit_text (self, item->t, item->level, item->text);
    break;
  default:
    g_clear_pointer (&self->last_row, ssapp_solve_item_free);
    if (!ssapp_quota_take_row (&self->quota, item->iteration, (gsize)item->n * COLUMN_BYTES)) {
      self->last_row = item;
      return;
    }
    emit_row (self, item);
  }
  ssapp_solve_item_free (item);
}

/* The best answer so far as the result if the run ended now, and its motion, both the caller's; NULL: none yet. */
static json_t *
best_so_far (SsappSolve *shared, SsTrajectory **best)
{
  json_t *result = NULL, *race = NULL, *member;
  size_t i;

  g_mutex_lock (&shared->mutex);
  if (shared->best_result != NULL && ss_trajectory_copy (shared->best, best, NULL) == SS_OK) {
    result = json_deep_copy (shared->best_result);
    race = json_deep_copy (shared->race);
  }
  g_mutex_unlock (&shared->mutex);
  if (result == NULL || race == NULL)
    return result;
  g_autofree char *text =
      g_strdup_printf ("%s; %s", ssapp_json_get_string (race, "account"), ssapp_json_get_string (result, "message"));
  ssapp_race_end (race);
  json_array_foreach (json_object_get (race, "members"), i, member)
  {
    if (json_is_true (json_object_get (member, "best")))
      json_object_set_new (member, "run", json_string (shared->spec->id));
  }
  json_object_set_new (result, "race", race);
  json_object_set_new (result, "message", json_string (text));
  return result;
}

/* An answer that is better than those before: to be looked at, and to be kept should this process die. */
static void
emit_best (SsappRunner *self)
{
  SsTrajectory *best = NULL;
  json_t *result = best_so_far (self->shared, &best);

  if (result == NULL)
    return;
  emit (self, &(SsappEvent){.kind = SSAPP_EVENT_ANSWER, .t = elapsed (self), .trajectory = best, .result = result});
  json_decref (result);
  best = ssapp_solve_thin (best);
  emit (self, &(SsappEvent){.kind = SSAPP_EVENT_ITERATE, .t = elapsed (self), .trajectory = best});
  ss_trajectory_free (best);
}

/* Where a race is, behind its best answer when that is another one: who reads of an answer has it, whatever happens to
 * this process next. */
static void
emit_race (SsappRunner *self)
{
  SsappSolve *shared = self->shared;
  json_t *race = NULL;

  g_mutex_lock (&shared->mutex);
  const gboolean is_best_new = shared->best_is_new;
  if (shared->race_is_new)
    race = json_incref (shared->race);
  shared->race_is_new = shared->best_is_new = FALSE;
  g_mutex_unlock (&shared->mutex);
  if (is_best_new)
    emit_best (self);
  if (race != NULL)
    emit (self, &(SsappEvent){.kind = SSAPP_EVENT_RACE, .t = elapsed (self), .race = race});
  g_mutex_lock (&shared->mutex); /* the solver's thread may drop it, too */
  json_decref (race);
  g_mutex_unlock (&shared->mutex);
}

/* The newest iterate and frame, unless the last ones are too recent; then the source wakes again when they are due. */
static void
emit_display (SsappRunner *self)
{
  SsappSolve *shared = self->shared;
  const double now = ss_clock_wall ();
  double again = INFINITY, *x = NULL;
  int n = 0, iteration = 0;

  g_mutex_lock (&shared->mutex);
  if (shared->latest_is_new && now - self->last_iterate >= ITERATE_PERIOD) {
    n = shared->latest_n;
    iteration = shared->latest_iteration;
    x = g_memdup2 (shared->latest, sizeof (double) * (gsize)n);
    shared->latest_is_new = FALSE;
    self->last_iterate = now;
  } else if (shared->latest_is_new) {
    again = self->last_iterate + ITERATE_PERIOD - now;
  }
  if (shared->frames_are_new && now - self->last_frame >= FRAME_PERIOD) {
    emit (self, &(SsappEvent){.kind = SSAPP_EVENT_FRAME,
                              .t = now - shared->start,
                              .iteration = shared->frames_last,
                              .trajectory = shared->frames});
    shared->frames_are_new = FALSE;
    self->last_frame = now;
  } else if (shared->frames_are_new) {
    again = fmin (again, self->last_frame + FRAME_PERIOD - now);
  }
  /* Not in the place of the wake for what came meanwhile: the end waited for the next frame. */
  if (isfinite (again) && !shared->is_done && shared->queue->len == 0 && !shared->race_is_new && !shared->best_is_new)
    g_source_set_ready_time (shared->wake, g_get_monotonic_time () + (gint64)(again * G_TIME_SPAN_SECOND) + 1);
  g_mutex_unlock (&shared->mutex);
  if (x != NULL)
    emit_point (self, SSAPP_EVENT_ITERATE, now - shared->start, iteration, x, n);
  g_free (x);
}

/* What was left out on the way; a run's last row is kept whatever its number. */
static void
emit_notices (SsappRunner *self)
{
  if (self->last_row != NULL) {
    emit_row (self, self->last_row);
    ssapp_quota_return_row (&self->quota);
    g_clear_pointer (&self->last_row, ssapp_solve_item_free);
  }
  g_autoptr (GPtrArray) notices = ssapp_quota_notices (&self->quota);
  for (guint i = 0; i < notices->len; i++)
    emit (self, &(SsappEvent){.kind = SSAPP_EVENT_LOG,
                              .t = elapsed (self),
                              .level = SS_LOG_WARNING,
                              .text = g_ptr_array_index (notices, i)});
}

static void
restore_memory (SsappRunner *self)
{
  if (self->has_limit)
    setrlimit (RLIMIT_AS, &self->old_limit);
  self->has_limit = FALSE;
}

/* The solver's thread is still there: its limit stays, and the main thread gets some room beyond it. */
static void
add_headroom (SsappRunner *self)
{
  struct rlimit limit;

  if (!self->has_limit || getrlimit (RLIMIT_AS, &limit) != 0)
    return;
  limit.rlim_cur = (rlim_t)MIN (self->shared->spec->bytes + SSAPP_MEMORY_HEADROOM, (double)limit.rlim_max);
  setrlimit (RLIMIT_AS, &limit);
}

/* Ends the job towards the outside. */
static void
emit_result (SsappRunner *self, json_t *result, SsappEnd end, const SsTrajectory *trajectory, const SsRunResult *record)
{
  SsappSolve *shared = self->shared;
  gboolean is_done;

  g_mutex_lock (&shared->mutex);
  is_done = shared->is_done;
  g_mutex_unlock (&shared->mutex);
  g_clear_handle_id (&self->grace_timer, g_source_remove);
  g_clear_handle_id (&self->limit_timer, g_source_remove);
  g_clear_handle_id (&self->wait_timer, g_source_remove);
  g_clear_handle_id (&self->cpu_timer, g_source_remove);
  ssapp_capture_drain (self->capture);
  emit_notices (self);
  json_object_set_new (result, "warnings", ssapp_quota_warnings (&self->quota, NULL, NULL));
  self->is_running = FALSE;
  emit (self, &(SsappEvent){.kind = SSAPP_EVENT_RESULT,
                            .t = elapsed (self),
                            .trajectory = trajectory,
                            .scenario = shared->scenario,
                            .method = shared->method,
                            .result = result,
                            .record = record,
                            .end = end,
                            .problems = is_done && shared->problems.n_items > 0 ? &shared->problems : NULL});
  json_decref (result);
}

/* CPU time of the run [s], the processes that it started included and without what this thread took to tell and to
 * look, which grows with the wall time: the solver is told both here. */
static double
cpu_so_far (SsappRunner *self)
{
  SsRunControl *control = &self->shared->control;
  const double others = fmax (ssapp_cpu_of_children () - self->children_cpu, 0),
               telling = ss_clock_thread_cpu () - self->telling_cpu;

  atomic_store (&control->cpu_others, (long long)(1e9 * (others - telling)));
  return ss_run_control_cpu (control);
}

/* The answer is the best one that was found; FALSE: none yet. */
static gboolean
end_with_best (SsappRunner *self, const char *message)
{
  SsTrajectory *best = NULL;
  json_t *result = best_so_far (self->shared, &best);

  if (result == NULL)
    return FALSE;
  g_autofree char *text = g_strdup_printf ("%s: %s", message, ssapp_json_get_string (result, "message"));
  json_object_set_new (result, "message", json_string (text));
  /* the member's own would be a part of what the run has taken */
  json_t *metrics = json_object_get (result, "metrics");
  json_object_set_new (metrics, "solve_seconds", json_real (elapsed (self) - self->shared->reading_seconds));
  json_object_set_new (metrics, "cpu_seconds", json_real (cpu_so_far (self)));
  emit_result (self, result, SSAPP_END_SUCCESS, best, NULL);
  ss_trajectory_free (best);
  return TRUE;
}

/* The answer is the last published iterate, or the rows of a simulation so far. `message`: NULL for what the outcome
 * says. */
static void
end_with_iterate (SsappRunner *self, SsOutcome outcome, const char *message, SsappEnd end)
{
  SsappSolve *shared = self->shared;
  SsRunResult result;
  SsError error = {0};
  SsTrajectory *frames = NULL;
  double *x, cpu;
  int n, iteration;
  gboolean is_ready;

  g_mutex_lock (&shared->mutex);
  is_ready = shared->options != NULL && shared->method->kind != SS_METHOD_IMPACT_LAW;
  n = shared->latest_n;
  cpu = shared->last_cpu - shared->first_cpu;
  iteration = shared->frames != NULL ? shared->frames_last : shared->latest_iteration;
  x = n > 0 ? g_memdup2 (shared->latest, sizeof (double) * (gsize)n) : NULL;
  if (shared->frames != NULL)
    (void)!ss_trajectory_copy (shared->frames, &frames, NULL);
  g_mutex_unlock (&shared->mutex);

  SsJob job = {0};
  if (is_ready) {
    job = ss_job (shared->method, shared->scenario, shared->options);
    if (shared->method->kind == SS_METHOD_OPTIMISER)
      job.solve.transcription = shared->transcription;
    else
      job.simulate.plan = shared->spec->plan;
    job.simulate.every = MAX (shared->spec->every, shared->frames_every);
  }
  if (is_ready && ss_run_result_from_iterate (&job, outcome, iteration, x, n, &frames, &result, &error) == SS_OK) {
    const double used = elapsed (self) - shared->reading_seconds;
    ss_metric_set (&result.metrics, SS_METRIC_SOLVE_SECONDS, x != NULL || result.n_motions > 0 ? used : 0);
    ss_metric_set (&result.metrics, SS_METRIC_CPU_SECONDS, cpu);
    ssapp_solve_note_machine (shared, &result.metrics);
    if (message != NULL)
      g_strlcpy (result.message, message, sizeof result.message);
    emit_result (self, ssapp_solve_result (shared, &result), end, ss_run_motion (&result), NULL);
    ss_run_result_clear (&result);
  } else {
    const char *early = shared->spec->kind == SS_METHOD_IMPACT_LAW ? "ended before the law had an answer"
                                                                   : "ended before the first iterate";
    json_t *object = ssapp_result_new_failed (shared->spec, is_ready ? shared->scenario : NULL,
                                              message != NULL ? message : early, NULL);
    json_object_set_new (object, "outcome", json_string (ss_outcome_name (outcome)));
    emit_result (self, object, end, NULL, NULL);
  }
  ss_trajectory_free (frames);
  g_free (x);
}

/* "out of memory (limit 2 GB): detail"; g_free. */
static char *
memory_message (SsappRunner *self, const char *detail)
{
  static const char what[] = SSAPP_MEMORY_MESSAGE;
  const double bytes = self->shared->spec->bytes;
  g_autofree char *size = isfinite (bytes) ? ssapp_memory_format (bytes) : NULL;
  g_autofree char *limit = size != NULL ? g_strdup_printf (" (limit %s)", size) : g_strdup ("");
  const gboolean says_more = *detail != '\0' && strcmp (detail, what) != 0;

  return g_strdup_printf ("%s%s%s%s", what, limit, says_more ? ": " : "", says_more ? detail : "");
}

/* The solver came back. */
static void
conclude (SsappRunner *self)
{
  SsappSolve *shared = self->shared;
  char message[1024];

  if (shared->status == SS_OK) {
    emit_result (self, ssapp_solve_result (shared, &shared->result), ssapp_end_of_outcome (shared->result.outcome),
                 ss_run_motion (&shared->result), &shared->result);
    return;
  }
  if (shared->problems.n_items > 0) {
    ss_error_format (&shared->problems.items[0], message, sizeof message);
    if (shared->problems.n_items > 1)
      g_strlcat (message, " (and more)", sizeof message);
  } else {
    ss_error_format (&shared->error, message, sizeof message);
    if (message[0] == '\0')
      g_strlcpy (message, ss_status_text (shared->status), sizeof message);
  }
  if (shared->status == SS_ERR_MEMORY && shared->problems.n_items == 0) {
    g_autofree char *text = memory_message (self, message);
    if (end_with_best (self, text))
      return;
    end_with_iterate (self, SS_OUTCOME_FAILED, text, SSAPP_END_BROKEN);
    return;
  }
  emit_result (self, ssapp_result_new_failed (shared->spec, shared->scenario, message, &shared->problems),
               ssapp_end_of_status (shared->status), NULL, NULL);
}

/* The solver did not come back in time: the answer is the last published iterate. */
static void
abandon (SsappRunner *self, SsOutcome outcome)
{
  if (!self->is_running)
    return;
  add_headroom (self);
  if (!end_with_best (self, outcome == SS_OUTCOME_CANCELLED ? "stopped" : ss_outcome_early_words (outcome)))
    end_with_iterate (self, outcome, NULL, SSAPP_END_STOPPED);
}

static gboolean
on_grace_over (gpointer user_data)
{
  SsappRunner *self = user_data;

  self->grace_timer = 0;
  abandon (self, SS_OUTCOME_CANCELLED);
  return G_SOURCE_REMOVE;
}

static gboolean
on_limit_over (gpointer user_data)
{
  SsappRunner *self = user_data;

  self->limit_timer = 0;
  abandon (self, ssapp_cpu_outcome_at_limit (ssapp_solve_waited (self->shared, TRUE), self->shared->spec->seconds));
  return G_SOURCE_REMOVE;
}

/* Shortly before the limit, which threads of a race do not outlive. */
static gboolean
on_wait_look (gpointer user_data)
{
  SsappRunner *self = user_data;
  SsappSolve *shared = self->shared;

  self->wait_timer = 0;
  const double waited = ssapp_solve_waited (shared, TRUE);
  g_mutex_lock (&shared->mutex);
  shared->waited = isnan (waited) ? 0 : waited;
  g_mutex_unlock (&shared->mutex);
  return G_SOURCE_REMOVE;
}

/* The solver sees the CPU time of its own threads; that of other processes is told to it. Where it does not come back
 * in time it is left behind. */
static gboolean
on_cpu_look (gpointer user_data)
{
  SsappRunner *self = user_data;

  if (!(cpu_so_far (self) > ss_run_control_cpu_limit (&self->shared->control) + CPU_GRACE))
    return G_SOURCE_CONTINUE;
  self->cpu_timer = 0;
  abandon (self, SS_OUTCOME_CPU_LIMIT);
  return G_SOURCE_REMOVE;
}

/* The job's limit of CPU time, or the budget of a race, which is another name of it; NaN: none. */
static double
cpu_limit_of (const SsappJobSpec *spec)
{
  double limit = spec->cpu_seconds, budget;

  for (guint i = 0; i < spec->option_names->len; i++)
    if (strcmp (g_ptr_array_index (spec->option_names, i), "budget") == 0 &&
        ss_parse_double (g_ptr_array_index (spec->option_values, i), &budget) && budget > 0)
      limit = fmin (limit, budget); /* passes over NaN */
  return limit;
}

static gboolean
on_wake (gpointer user_data)
{
  SsappRunner *self = user_data;
  SsappSolve *shared = self->shared;
  GPtrArray *queue;
  gboolean is_done, is_ready;

  g_source_set_ready_time (shared->wake, -1);
  g_mutex_lock (&shared->mutex);
  queue = shared->queue;
  shared->queue = g_ptr_array_new_with_free_func ((GDestroyNotify)ssapp_solve_item_free);
  is_done = shared->is_done;
  is_ready = shared->options != NULL;
  g_mutex_unlock (&shared->mutex);

  if (self->is_running) {
    if (is_ready && !self->has_started) {
      self->has_started = TRUE;
      emit (self, &(SsappEvent){.kind = SSAPP_EVENT_START,
                                .t = elapsed (self),
                                .scenario = shared->scenario,
                                .scenario_name = ssapp_solve_name (shared),
                                .method = shared->method});
    }
    for (guint i = 0; i < queue->len; i++)
      emit_item (self, g_steal_pointer (&g_ptr_array_index (queue, i)));
    emit_race (self);
    if (!is_done)
      emit_display (self);
  }
  g_ptr_array_unref (queue);
  if (!is_done)
    return G_SOURCE_CONTINUE;

  /* The flag is the last thing the thread sets, so that joining does not wait. */
  if (self->thread != NULL)
    g_thread_join (g_steal_pointer (&self->thread));
  restore_memory (self);
  if (self->is_running)
    conclude (self);
  g_clear_pointer (&self->shared, ssapp_solve_free);
  return G_SOURCE_REMOVE;
}

/* A source that is dispatched whenever its ready time is reached. */
static gboolean
dispatch_wake (GSource *source, GSourceFunc callback, gpointer user_data)
{
  (void)source;
  return callback (user_data);
}

static GSourceFuncs wake_funcs = {.dispatch = dispatch_wake};

SsappRunner *
ssapp_runner_new (SsappEventFunc func, gpointer user_data)
{
  SsappRunner *self = g_new0 (SsappRunner, 1);

  self->func = func;
  self->user_data = user_data;
  self->cache = ss_solve_cache_new ();
  return self;
}

void
ssapp_runner_free (SsappRunner *self)
{
  if (self == NULL)
    return;
  g_return_if_fail (!ssapp_runner_is_busy (self));
  ss_solve_cache_free (self->cache);
  ssapp_quota_clear (&self->quota);
  g_free (self);
}

static guint
grace_of (const SsappJobSpec *spec)
{
  return spec->kind == SS_METHOD_IMPACT_LAW ? SSAPP_RUNNER_SAMPLES_GRACE_MS : SSAPP_RUNNER_GRACE_MS;
}

/* The limit of the job, until its thread is gone. */
static void
limit_memory (SsappRunner *self)
{
  const double bytes = self->shared->spec->bytes;
  struct rlimit limit;

  if (!isfinite (bytes) || bytes <= 0 || getrlimit (RLIMIT_AS, &self->old_limit) != 0)
    return;
  /* Under a sanitizer the program itself takes terabytes of address space: then not a byte more could be had. */
  if (bytes <= ssapp_memory_in_use ()) {
    SsappSolveItem *item = ssapp_solve_push (self->shared, SSAPP_EVENT_LOG, 0);
    item->level = SS_LOG_WARNING;
    item->text = g_strdup ("there is no limit of memory: the program itself takes more address space than that");
    return;
  }
  limit = self->old_limit;
  limit.rlim_cur = (rlim_t)MIN (bytes, (double)limit.rlim_max);
  self->has_limit = setrlimit (RLIMIT_AS, &limit) == 0;
}

static guint
milliseconds (double seconds)
{
  return (guint)CLAMP (seconds * 1000, 0, G_MAXINT);
}

/* Of what is left of the time limit. */
static void
start_limit_timers (SsappRunner *self)
{
  const SsappJobSpec *spec = self->shared->spec;
  const double passed = elapsed (self);

  if (!isfinite (spec->seconds))
    return;
  self->limit_timer = g_timeout_add (milliseconds (spec->seconds - passed) + grace_of (spec), on_limit_over, self);
  if (passed < WAIT_LOOK_AT * spec->seconds)
    self->wait_timer = g_timeout_add (milliseconds (WAIT_LOOK_AT * spec->seconds - passed), on_wait_look, self);
}

void
ssapp_runner_start (SsappRunner *self, SsappJobSpec *spec)
{
  SsappSolve *shared = g_new0 (SsappSolve, 1);

  g_return_if_fail (self->shared == NULL);
  shared->spec = spec;
  shared->sensitivity = spec->sensitivity != NULL ? g_strsplit (spec->sensitivity, ",", -1) : NULL;
  shared->cache = self->cache;
  shared->elsewhere = ssapp_elsewhere (spec);
  shared->start = ss_clock_wall ();
  shared->waited_before = ssapp_cpu_waited (getpid (), FALSE);
  ss_run_control_init (&shared->control);
  shared->control.progress = ssapp_solve_on_progress;
  shared->control.user_data = shared;
  shared->control.pause_at = spec->pause_at;
  if (isfinite (spec->seconds))
    shared->control.deadline = shared->start + spec->seconds;
  const double cpu_limit = cpu_limit_of (spec);
  ss_run_control_limit_cpu (&shared->control, isfinite (cpu_limit) ? cpu_limit : INFINITY);
  self->children_cpu = ssapp_cpu_of_children ();
  self->telling_cpu = ss_clock_thread_cpu ();
  if (isfinite (cpu_limit))
    self->cpu_timer = g_timeout_add (CPU_LOOK_MS, on_cpu_look, self);
  g_mutex_init (&shared->mutex);
  shared->queue = g_ptr_array_new_with_free_func ((GDestroyNotify)ssapp_solve_item_free);
  ss_problems_init (&shared->problems);
  shared->wake = g_source_new (&wake_funcs, sizeof (GSource));
  g_source_set_callback (shared->wake, on_wake, self, NULL);
  g_source_attach (shared->wake, g_main_context_get_thread_default ());

  self->shared = shared;
  self->paused_at = NAN;
  start_limit_timers (self);
  self->is_running = TRUE;
  self->has_started = FALSE;
  self->last_iterate = self->last_frame = -INFINITY;
  ssapp_quota_clear (&self->quota);
  ssapp_quota_init (&self->quota, FALSE);
  limit_memory (self);
  self->thread = g_thread_try_new ("solver", ssapp_solve_thread, shared, NULL);
  if (self->thread == NULL) {
    shared->status = SS_ERR_MEMORY;
    shared->is_done = TRUE;
    ssapp_solve_wake (shared);
  }
}

void
ssapp_runner_set_capture (SsappRunner *self, SsappCapture *capture)
{
  g_return_if_fail (self != NULL);
  self->capture = capture;
}

gboolean
ssapp_runner_is_running (SsappRunner *self)
{
  g_return_val_if_fail (self != NULL, FALSE);
  return self->is_running;
}

gboolean
ssapp_runner_is_busy (SsappRunner *self)
{
  g_return_val_if_fail (self != NULL, FALSE);
  return self->shared != NULL;
}

void
ssapp_runner_cancel (SsappRunner *self)
{
  if (!self->is_running)
    return;
  atomic_store (&self->shared->control.pause, 0);
  ss_run_control_cancel (&self->shared->control);
  if (self->grace_timer == 0)
    self->grace_timer = g_timeout_add (grace_of (self->shared->spec), on_grace_over, self);
}

void
ssapp_runner_pause (SsappRunner *self, gboolean paused)
{
  g_return_if_fail (self != NULL);
  if (!self->is_running || paused == !isnan (self->paused_at))
    return;
  if (paused) {
    g_clear_handle_id (&self->limit_timer, g_source_remove);
    g_clear_handle_id (&self->wait_timer, g_source_remove);
    self->paused_at = ss_clock_wall ();
  } else { /* the solver waits, and does not look at the start */
    self->shared->start += ss_clock_wall () - self->paused_at;
    self->paused_at = NAN;
    start_limit_timers (self);
  }
  atomic_store (&self->shared->control.pause, paused ? 1 : 0);
}

void
ssapp_runner_keep (SsappRunner *self)
{
  g_return_if_fail (self != NULL);
  if (!self->is_running)
    return;
  ss_run_control_stop (&self->shared->control, SS_OUTCOME_PAUSED);
  ssapp_runner_pause (self, FALSE);
}

void
ssapp_runner_stop_member (SsappRunner *self, const char *member)
{
  const json_t *item;
  size_t i;

  if (!self->is_running)
    return;
  g_mutex_lock (&self->shared->mutex);
  json_array_foreach (json_object_get (self->shared->race, "members"), i, item)
  {
    if (g_strcmp0 (ssapp_json_get_string (item, "name"), member) == 0)
      ss_run_control_stop_member (&self->shared->control, (int)i);
  }
  g_mutex_unlock (&self->shared->mutex);
}

void
ssapp_runner_log (SsappRunner *self, SsLogLevel level, const char *text)
{
  g_return_if_fail (self != NULL);
  if (self->is_running)
    emit_text (self, elapsed (self), level, text);
}
