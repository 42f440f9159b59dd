/* app/ssapp-runner.c: see ssapp-runner.h.
 *
 * What both threads touch is in `Shared`, behind one mutex: a queue of events, the newest iterate, the frames so far, and at the end the
 * result. The solver's thread wakes the main thread through a source's ready time; the main thread hands the events out.
 */
#include "app/ssapp-runner.h"

#include "app/ssapp-json.h"
#include "app/ssapp-result.h"
#include "mpcc/ss-problem.h"

#include <math.h>
#include <string.h>
#include <sys/resource.h>

#define ITERATE_PERIOD (1.0 / 30) /* s: contract of the event stream */
#define FRAME_PERIOD   (1.0 / 60)
enum {
  MAX_DISPLAY_ROWS =
      1000, /* of an iterate for display: more points than pixels would only delay the answer to a cancel */
};

typedef struct {
  SsappEventKind kind; /* ITERATION, KEPT, LOG */
  double t;
  int iteration, n;
  SsColumn *columns;
  double *x;
  SsLogLevel level;
  char *text;
} Item;

typedef struct {
  /* Constant while the thread runs. */
  SsappJobSpec *spec;
  SsRunCache *cache;
  GSource *wake;
  double start;
  SsRunControl control; /* atomics, and the solver's own */

  GMutex mutex; /* guards all below */
  GPtrArray *queue;
  double *latest;
  int latest_n, latest_iteration;
  gboolean latest_is_new;
  SsTrajectory *frames;
  gboolean frames_are_new;
  SsScenario *scenario; /* set once; then constant */
  SsTranscribeOptions transcription;
  SsScenario *plan; /* OPTIMISER of a scene: what the solver works on; NULL for a model */
  const SsMethod *method;
  void *options;
  gboolean is_done;
  SsStatus status;
  SsError error;
  SsProblems problems;
  SsRunResult result;
  double reading_seconds;
} Shared;

struct SsappRunner {
  SsappEventFunc func;
  gpointer user_data;
  SsRunCache *cache;
  SsappCapture *capture; /* borrowed, nullable */
  Shared *shared;        /* NULL when idle */
  GThread *thread;
  gboolean is_running, has_started;
  double last_iterate, last_frame;
  guint grace_timer, limit_timer;
  struct rlimit old_limit;
  gboolean has_limit;
};

/* ---- the solver's thread ---------------------------------------------------------------------------------------------------------- */

static void
item_free (Item *item)
{
  g_free (item->columns);
  g_free (item->x);
  g_free (item->text);
  g_free (item);
}

static void
wake (Shared *shared)
{
  g_source_set_ready_time (shared->wake, 0);
}

static Item *
push_item (Shared *shared, SsappEventKind kind, int iteration)
{
  Item *item = g_new0 (Item, 1);

  item->kind = kind;
  item->iteration = iteration;
  item->t = ss_clock_wall () - shared->start;
  g_ptr_array_add (shared->queue, item);
  return item;
}

/* Channels of a simulation: names for the frames that arrive before the trajectory does. */
static SsTrajectory *
frames_new (const SsScenario *scenario, int n_values)
{
  SsTrajectory *frames = NULL;

  if (scenario->scene == NULL || ss_simulation_trajectory_new (scenario->scene, 256, &frames, NULL) != SS_OK)
    return NULL;
  if (frames->n_channels != n_values)
    g_clear_pointer (&frames, ss_trajectory_free);
  return frames;
}

/* Runs on the solver's thread: copies and returns. */
static void
on_progress (void *user_data, const SsProgress *progress)
{
  Shared *shared = user_data;
  const int keep = shared->spec->keep_every;
  Item *item;

  g_mutex_lock (&shared->mutex);
  switch (progress->kind) {
  case SS_PROGRESS_ITERATION:
    item = push_item (shared, SSAPP_EVENT_ITERATION, progress->iteration);
    item->n = progress->n_columns;
    item->columns = g_memdup2 (progress->columns, sizeof (SsColumn) * (gsize)progress->n_columns);
    for (int i = 0; i < item->n; i++)
      item->columns[i].name = g_intern_string (item->columns[i].name);
    break;
  case SS_PROGRESS_ITERATE:
    if (shared->latest_n != progress->n_values) {
      g_free (shared->latest);
      shared->latest = g_new (double, progress->n_values);
      shared->latest_n = progress->n_values;
    }
    memcpy (shared->latest, progress->values, sizeof (double) * (gsize)progress->n_values);
    shared->latest_iteration = progress->iteration;
    shared->latest_is_new = TRUE;
    if (keep > 0 && progress->iteration % keep == 0) {
      item = push_item (shared, SSAPP_EVENT_KEPT, progress->iteration);
      item->n = progress->n_values;
      item->x = g_memdup2 (progress->values, sizeof (double) * (gsize)progress->n_values);
    }
    break;
  case SS_PROGRESS_FRAME:
    if (shared->frames == NULL)
      shared->frames = frames_new (shared->scenario, progress->n_values);
    if (shared->frames != NULL && shared->frames->n_channels == progress->n_values &&
        ss_trajectory_append (shared->frames, progress->values, NULL) == SS_OK)
      shared->frames_are_new = TRUE;
    break;
  case SS_PROGRESS_LOG:
    item = push_item (shared, SSAPP_EVENT_LOG, 0);
    item->level = progress->level;
    item->text = g_strdup (progress->text);
    break;
  }
  g_mutex_unlock (&shared->mutex);
  wake (shared);
}

static SsStatus
read_scenario (Shared *shared, SsScenario **scenario)
{
  const SsappJobSpec *spec = shared->spec;
  const int n = (int)spec->parameter_names->len;
  SsOverride *overrides = g_new0 (SsOverride, n + 1);
  const size_t length = strlen (spec->scenario_text);
  gboolean sets_seed = spec->has_seed;
  SsStatus status;

  for (int i = 0; i < n; i++) {
    overrides[i].name = g_ptr_array_index (spec->parameter_names, (guint)i);
    overrides[i].value = g_array_index (spec->parameter_values, double, (guint)i);
    sets_seed = sets_seed && strcmp (overrides[i].name, "seed") != 0;
  }
  status =
      ss_scenario_read (spec->scenario_text, length, spec->scenario_file, overrides, n, &shared->problems, scenario);
  /* --seed is the parameter `seed` too, where the scenario has one. */
  if (status == SS_OK && sets_seed && ss_scenario_parameter (*scenario, "seed") >= 0) {
    ss_scenario_free (*scenario);
    *scenario = NULL;
    overrides[n] = (SsOverride){"seed", (double)spec->seed};
    status = ss_scenario_read (spec->scenario_text, length, spec->scenario_file, overrides, n + 1, &shared->problems,
                               scenario);
  }
  g_free (overrides);
  return status;
}

/* To where the option belongs: the method's own, or the transcription's. */
static SsStatus
set_option (Shared *shared, const SsMethod *method, void *options, const char *name, const char *value, SsError *error)
{
  const SsOptionTable *table = ss_method_option_table (method, shared->scenario, name);
  void *own = table == &ss_transcribe_option_table ? (void *)&shared->transcription : options;

  return ss_options_set (table, own, name, value, error);
}

/* Defaults, then the scenario's, then the job's. */
static SsStatus
make_options (Shared *shared, const SsMethod *method, void *options)
{
  const SsappJobSpec *spec = shared->spec;
  const SsScenario *scenario = shared->scenario;
  SsError error;
  SsStatus status = SS_OK;

  ss_method_init_options (method, scenario, options);
  for (int i = 0; i < scenario->n_method_defaults; i++) {
    const SsMethodDefault *d = &scenario->method_defaults[i];
    if (strcmp (d->method, spec->method) == 0 &&
        set_option (shared, method, options, d->name, d->value, &error) != SS_OK)
      status = SS_ERR_INVALID; /* told by ss_method_check_defaults already */
  }
  for (guint i = 0; i < spec->option_names->len; i++) {
    const char *name = g_ptr_array_index (spec->option_names, i), *value = g_ptr_array_index (spec->option_values, i);
    if (set_option (shared, method, options, name, value, &error) != SS_OK) {
      g_snprintf (error.path, sizeof error.path, "--option %s", name);
      ss_problems_add (&shared->problems, &error);
      status = SS_ERR_INVALID;
    }
  }
  return status;
}

/* Step and horizon of a plan of a scene may be given; those of a model are its parameters: to ignore them here would look as if they had been used. */
static gboolean
check_step (Shared *shared, const SsMethod *method)
{
  const SsappJobSpec *spec = shared->spec;
  SsError error;

  if (method->kind == SS_METHOD_INTEGRATOR || (isnan (spec->dt) && isnan (spec->t_end)))
    return TRUE;
  if (shared->scenario->model == NULL && (isnan (spec->dt) || spec->dt > 0) &&
      (isnan (spec->t_end) || spec->t_end > 0)) {
    shared->transcription.dt = isnan (spec->dt) ? 0 : spec->dt;
    shared->transcription.t_end = isnan (spec->t_end) ? 0 : spec->t_end;
    return TRUE;
  }
  if (shared->scenario->model == NULL) {
    ss_error_set (&error, SS_ERR_INVALID, "step and horizon of a plan must be positive numbers of seconds");
    g_snprintf (error.path, sizeof error.path, "%s", spec->dt <= 0 ? "--dt" : "--t-end");
    ss_problems_add (&shared->problems, &error);
    return FALSE;
  }
  ss_error_set (&error, SS_ERR_INVALID, "the time step and the number of points of '%s' are parameters of its model",
                shared->scenario->name);
  g_snprintf (error.path, sizeof error.path, "%s", isnan (spec->dt) ? "--t-end" : "--dt");
  g_strlcpy (error.expected, "--set NAME=VALUE", sizeof error.expected);
  ss_problems_add (&shared->problems, &error);
  return FALSE;
}

static SsStatus
prepare (Shared *shared)
{
  SsScenario *scenario = NULL;
  SsError error = {0};
  SsStatus status = read_scenario (shared, &scenario);

  if (status != SS_OK)
    return status;
  g_mutex_lock (&shared->mutex);
  shared->scenario = scenario;
  g_mutex_unlock (&shared->mutex);
  if (ss_method_check_defaults (scenario, &shared->problems) != SS_OK)
    return SS_ERR_INVALID;
  if (shared->spec->plan != NULL && scenario->scene == NULL) {
    ss_error_set (&error, SS_ERR_INVALID, "'%s' is a model in equations: only plans of scenes can be replayed",
                  scenario->name);
    ss_problems_add (&shared->problems, &error);
    return SS_ERR_INVALID;
  }
  const SsMethod *method = ss_method_find (shared->spec->kind, shared->spec->method, &error);
  if (method == NULL || ss_run_check (scenario, method, &error) != SS_OK) {
    g_snprintf (error.path, sizeof error.path, "--method");
    ss_problems_add (&shared->problems, &error);
    return SS_ERR_INVALID;
  }
  if (!check_step (shared, method))
    return SS_ERR_INVALID;
  void *options = g_malloc0 (MAX (method->options->size, 1));
  status = make_options (shared, method, options);
  SsScenario *plan = NULL;
  const SsScenario *model;
  if (status == SS_OK && method->kind == SS_METHOD_OPTIMISER) {
    status = ss_run_model (scenario, &shared->transcription, &model, &plan, &error);
    if (status != SS_OK) {
      g_snprintf (error.path, sizeof error.path, "task");
      ss_problems_add (&shared->problems, &error);
    }
  }
  if (status != SS_OK) {
    g_free (options);
    return status;
  }
  g_mutex_lock (&shared->mutex);
  shared->plan = plan;
  shared->method = method;
  shared->options = options;
  g_mutex_unlock (&shared->mutex);
  return status;
}

static gpointer
solver_thread (gpointer user_data)
{
  Shared *shared = user_data;
  SsRunResult result;
  SsError error = {0};
  SsStatus status;

  memset (&result, 0, sizeof result);
  status = prepare (shared);
  shared->reading_seconds = ss_clock_wall () - shared->start;
  wake (shared); /* `start` leaves now */
  if (status == SS_OK) {
    const SsJob job = {.scenario = shared->scenario,
                       .method = shared->method,
                       .options = shared->options,
                       .dt = shared->spec->dt,
                       .t_end = shared->spec->t_end,
                       .transcription = shared->transcription,
                       .plan = shared->spec->plan,
                       .start = shared->spec->start,
                       .cache = shared->cache};
    status = ss_run (&job, &shared->control, &result, &error);
  }
  g_mutex_lock (&shared->mutex);
  shared->status = status;
  shared->error = error;
  shared->result = result;
  shared->is_done = TRUE;
  g_mutex_unlock (&shared->mutex);
  wake (shared);
  return NULL;
}

/* ---- the main thread -------------------------------------------------------------------------------------------------------------- */

static void
shared_free (Shared *shared)
{
  ssapp_job_spec_free (shared->spec);
  g_source_destroy (shared->wake);
  g_source_unref (shared->wake);
  g_ptr_array_unref (shared->queue);
  g_free (shared->latest);
  ss_trajectory_free (shared->frames);
  ss_run_result_clear (&shared->result);
  ss_scenario_free (shared->plan);
  ss_scenario_free (shared->scenario);
  g_free (shared->options);
  ss_problems_clear (&shared->problems);
  g_mutex_clear (&shared->mutex);
  g_free (shared);
}

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

/* Every n-th row and the last one; takes and returns a trajectory. */
static SsTrajectory *
thin_for_display (SsTrajectory *motion)
{
  const int stride = (motion->n_rows + MAX_DISPLAY_ROWS - 1) / MAX_DISPLAY_ROWS;
  SsTrajectory *thin = NULL;
  SsStatus status;

  if (stride <= 1 || ss_trajectory_new ((const char *const *)motion->channels, motion->n_channels, MAX_DISPLAY_ROWS + 1,
                                        &thin, NULL) != SS_OK)
    return motion;
  status = SS_OK;
  for (int r = 0; r < motion->n_rows && status == SS_OK; r += stride)
    status = ss_trajectory_append (thin, ss_trajectory_row (motion, r), NULL);
  if ((motion->n_rows - 1) % stride != 0 && status == SS_OK)
    status = ss_trajectory_append (thin, ss_trajectory_row (motion, motion->n_rows - 1), NULL);
  ss_trajectory_free (status == SS_OK ? motion : thin);
  return status == SS_OK ? thin : motion;
}

static void
emit_point (SsappRunner *self, SsappEventKind kind, double t, int iteration, const double *x, int n)
{
  const SsScenario *scenario = self->shared->plan != NULL ? self->shared->plan : self->shared->scenario;
  SsTrajectory *motion = NULL;

  if (scenario->model == NULL || n != scenario->model->n_points * scenario->model->n_variables ||
      ss_problem_trajectory (scenario, x, &motion, NULL) != SS_OK)
    return;
  if (kind == SSAPP_EVENT_ITERATE)
    motion = thin_for_display (motion);
  emit (self, &(SsappEvent){.kind = kind, .t = t, .iteration = iteration, .trajectory = motion});
  ss_trajectory_free (motion);
}

static void
emit_item (SsappRunner *self, const Item *item)
{
  if (item->kind == SSAPP_EVENT_KEPT)
    emit_point (self, SSAPP_EVENT_KEPT, item->t, item->iteration, item->x, item->n);
  else
    emit (self, &(SsappEvent){.kind = item->kind,
                              .t = item->t,
                              .iteration = item->iteration,
                              .columns = item->columns,
                              .n_columns = item->n,
                              .level = item->level,
                              .text = item->text});
}

/* The newest iterate and frame, unless the last ones are too recent; then the source wakes again when they are due. */
static void
emit_display (SsappRunner *self)
{
  Shared *shared = self->shared;
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
                              .iteration = shared->frames->n_rows - 1,
                              .trajectory = shared->frames});
    shared->frames_are_new = FALSE;
    self->last_frame = now;
  } else if (shared->frames_are_new) {
    again = fmin (again, self->last_frame + FRAME_PERIOD - now);
  }
  g_mutex_unlock (&shared->mutex);
  if (x != NULL)
    emit_point (self, SSAPP_EVENT_ITERATE, now - shared->start, iteration, x, n);
  g_free (x);
  if (isfinite (again))
    g_source_set_ready_time (shared->wake, g_get_monotonic_time () + (gint64)(again * G_TIME_SPAN_SECOND) + 1);
}

static SsappEnd
end_of_status (SsStatus status)
{
  switch (status) {
  case SS_ERR_SINGULAR:
    return SSAPP_END_NO_SUCCESS;
  case SS_ERR_MEMORY:
  case SS_ERR_INTERNAL:
    return SSAPP_END_BROKEN;
  default:
    return SSAPP_END_BAD_INPUT;
  }
}

static SsappEnd
end_of_outcome (SsOutcome outcome)
{
  if (ss_outcome_is_success (outcome))
    return SSAPP_END_SUCCESS;
  return outcome == SS_OUTCOME_CANCELLED || outcome == SS_OUTCOME_TIME_LIMIT ? SSAPP_END_STOPPED : SSAPP_END_NO_SUCCESS;
}

/* Ends the job towards the outside. */
static void
emit_result (SsappRunner *self, json_t *result, SsappEnd end, const SsTrajectory *trajectory)
{
  Shared *shared = self->shared;
  gboolean is_done;

  g_mutex_lock (&shared->mutex);
  is_done = shared->is_done;
  g_mutex_unlock (&shared->mutex);
  g_clear_handle_id (&self->grace_timer, g_source_remove);
  g_clear_handle_id (&self->limit_timer, g_source_remove);
  if (self->has_limit)
    setrlimit (RLIMIT_AS, &self->old_limit);
  self->has_limit = FALSE;
  ssapp_capture_drain (self->capture);
  self->is_running = FALSE;
  emit (self, &(SsappEvent){.kind = SSAPP_EVENT_RESULT,
                            .t = elapsed (self),
                            .trajectory = trajectory,
                            .scenario = shared->scenario,
                            .method = shared->method,
                            .result = result,
                            .end = end,
                            .problems = is_done && shared->problems.n_items > 0 ? &shared->problems : NULL});
  json_decref (result);
}

/* The solver came back. */
static void
conclude (SsappRunner *self)
{
  Shared *shared = self->shared;
  const double seconds = shared->reading_seconds;
  char message[1024];

  if (shared->status == SS_OK) {
    emit_result (
        self,
        ssapp_result_new (shared->spec, shared->scenario, shared->method, shared->options, &shared->result, seconds),
        end_of_outcome (shared->result.outcome), shared->result.trajectory);
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
  emit_result (self, ssapp_result_new_failed (shared->spec, shared->scenario, message, &shared->problems),
               end_of_status (shared->status), NULL);
}

/* The solver did not come back in time: the answer is the last published iterate. */
static void
abandon (SsappRunner *self, SsOutcome outcome)
{
  Shared *shared = self->shared;
  SsRunResult result;
  SsError error = {0};
  SsTrajectory *frames = NULL;
  double *x;
  int n, iteration;
  gboolean is_ready;

  if (!self->is_running)
    return;
  g_mutex_lock (&shared->mutex);
  is_ready = shared->options != NULL;
  n = shared->latest_n;
  iteration = shared->frames != NULL ? shared->frames->n_rows - 1 : shared->latest_iteration;
  x = n > 0 ? g_memdup2 (shared->latest, sizeof (double) * (gsize)n) : NULL;
  if (shared->frames != NULL)
    (void)!ss_trajectory_copy (shared->frames, &frames, NULL);
  g_mutex_unlock (&shared->mutex);

  const SsJob job = {.scenario = shared->scenario,
                     .method = shared->method,
                     .options = shared->options,
                     .transcription = shared->transcription,
                     .plan = shared->spec->plan};
  if (is_ready && ss_run_result_from_iterate (&job, outcome, iteration, x, n, &frames, &result, &error) == SS_OK) {
    const double used = elapsed (self) - shared->reading_seconds;
    result.solve_seconds = x != NULL || result.trajectory != NULL ? used : 0;
    result.cpu_seconds = NAN;
    emit_result (self,
                 ssapp_result_new (shared->spec, shared->scenario, shared->method, shared->options, &result,
                                   shared->reading_seconds),
                 SSAPP_END_STOPPED, result.trajectory);
    ss_run_result_clear (&result);
  } else {
    json_t *object = ssapp_result_new_failed (shared->spec, is_ready ? shared->scenario : NULL,
                                              "ended before the first iterate", NULL);
    json_object_set_new (object, "outcome", json_string (ss_outcome_name (outcome)));
    emit_result (self, object, SSAPP_END_STOPPED, NULL);
  }
  ss_trajectory_free (frames);
  g_free (x);
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
  abandon (self, SS_OUTCOME_TIME_LIMIT);
  return G_SOURCE_REMOVE;
}

static gboolean
on_wake (gpointer user_data)
{
  SsappRunner *self = user_data;
  Shared *shared = self->shared;
  GPtrArray *queue;
  gboolean is_done, is_ready;

  g_source_set_ready_time (shared->wake, -1);
  g_mutex_lock (&shared->mutex);
  queue = shared->queue;
  shared->queue = g_ptr_array_new_with_free_func ((GDestroyNotify)item_free);
  is_done = shared->is_done;
  is_ready = shared->options != NULL;
  g_mutex_unlock (&shared->mutex);

  if (self->is_running) {
    if (is_ready && !self->has_started) {
      self->has_started = TRUE;
      emit (self, &(SsappEvent){.kind = SSAPP_EVENT_START,
                                .t = elapsed (self),
                                .scenario = shared->scenario,
                                .method = shared->method});
    }
    for (guint i = 0; i < queue->len; i++)
      emit_item (self, g_ptr_array_index (queue, i));
    if (!is_done)
      emit_display (self);
  }
  g_ptr_array_unref (queue);
  if (!is_done)
    return G_SOURCE_CONTINUE;

  /* The flag is the last thing the thread sets, so that joining does not wait. */
  g_thread_join (g_steal_pointer (&self->thread));
  if (self->is_running)
    conclude (self);
  g_clear_pointer (&self->shared, shared_free);
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
  self->cache = ss_run_cache_new ();
  return self;
}

void
ssapp_runner_free (SsappRunner *self)
{
  if (self == NULL)
    return;
  g_return_if_fail (!ssapp_runner_is_busy (self));
  ss_run_cache_free (self->cache);
  g_free (self);
}

static void
limit_memory (SsappRunner *self, double bytes)
{
  if (!isfinite (bytes) || bytes <= 0 || getrlimit (RLIMIT_AS, &self->old_limit) != 0)
    return;
  struct rlimit limit = self->old_limit;
  limit.rlim_cur = (rlim_t)MIN (bytes, (double)limit.rlim_max);
  self->has_limit = setrlimit (RLIMIT_AS, &limit) == 0;
}

void
ssapp_runner_start (SsappRunner *self, SsappJobSpec *spec)
{
  Shared *shared = g_new0 (Shared, 1);

  g_return_if_fail (self->shared == NULL);
  shared->spec = spec;
  shared->cache = self->cache;
  shared->start = ss_clock_wall ();
  ss_run_control_init (&shared->control);
  shared->control.progress = on_progress;
  shared->control.user_data = shared;
  if (isfinite (spec->seconds)) {
    shared->control.deadline = shared->start + spec->seconds;
    self->limit_timer =
        g_timeout_add ((guint)CLAMP (spec->seconds * 1000 + SSAPP_RUNNER_GRACE_MS, 0, G_MAXINT), on_limit_over, self);
  }
  g_mutex_init (&shared->mutex);
  shared->queue = g_ptr_array_new_with_free_func ((GDestroyNotify)item_free);
  ss_problems_init (&shared->problems);
  shared->wake = g_source_new (&wake_funcs, sizeof (GSource));
  g_source_set_callback (shared->wake, on_wake, self, NULL);
  g_source_attach (shared->wake, g_main_context_get_thread_default ());

  self->shared = shared;
  self->is_running = TRUE;
  self->has_started = FALSE;
  self->last_iterate = self->last_frame = -INFINITY;
  limit_memory (self, spec->bytes);
  self->thread = g_thread_new ("solver", solver_thread, shared);
}

void
ssapp_runner_set_capture (SsappRunner *self, SsappCapture *capture)
{
  self->capture = capture;
}

gboolean
ssapp_runner_is_running (SsappRunner *self)
{
  return self->is_running;
}

gboolean
ssapp_runner_is_busy (SsappRunner *self)
{
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
    self->grace_timer = g_timeout_add (SSAPP_RUNNER_GRACE_MS, on_grace_over, self);
}

void
ssapp_runner_pause (SsappRunner *self, gboolean paused)
{
  if (self->is_running)
    atomic_store (&self->shared->control.pause, paused ? 1 : 0);
}

void
ssapp_runner_log (SsappRunner *self, SsLogLevel level, const char *text)
{
  if (self->is_running)
    emit (self, &(SsappEvent){.kind = SSAPP_EVENT_LOG, .t = elapsed (self), .level = level, .text = text});
}
