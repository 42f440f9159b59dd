/* app/study/ssapp-study-queue.c: see the header. */
#include "app/study/ssapp-study-queue.h"

#include "app/base/ssapp-json.h"
#include "app/store/ssapp-store-shrink.h"
#include "app/store/ssapp-store-study.h"
#include "app/study/ssapp-study-job.h"

#include <math.h>
#include <string.h>

/* Where a task is. */
typedef enum { QUEUED, RUNNING, ELSEWHERE, SOLVED, LIMITED, FAILED, UNSOLVED, SLOW } State;

typedef struct {
  guint task;
  char *words;
  SsappJob *job;
} Running;

struct _SsappStudyQueue {
  GObject parent_instance;
  SsappStore *store;
  char *id;
  SsappStudyPlan *plan;
  guint count;
  guint8 *states;     /* of each task: State */
  guint *same_as;     /* of each task: the first one of its key */
  GHashTable *starts; /* id of a run to start from -> SsTrajectory, owned */
  GPtrArray *running; /* of Running, owned, by start */
  guint next;         /* no task before it is queued */
  guint workers;      /* 0: as many as cores */
  gboolean is_started, is_paused, is_stopping, is_starting;
  char *trouble;          /* nullable */
  gint64 begin, end;      /* monotonic [us]; 0: not yet */
  double *method_seconds; /* of runs that ended, by method */
  guint *method_runs;
};

G_DEFINE_FINAL_TYPE (SsappStudyQueue, ssapp_study_queue, G_TYPE_OBJECT)

enum { SIGNAL_CHANGED, SIGNAL_RUN_ENDED, SIGNAL_ENDED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void start_more (SsappStudyQueue *self);

static void
running_free (gpointer data)
{
  Running *running = data;

  g_free (running->words);
  g_object_unref (running->job);
  g_free (running);
}

/* ---- what there is ----------------------------------------------------------------------------------------------- */

static State
state_of_outcome (const char *name)
{
  SsOutcome outcome;

  if (strcmp (name, "running") == 0)
    return ELSEWHERE;
  if (!ss_outcome_from_name (name, &outcome))
    return FAILED;
  if (ss_outcome_is_success (outcome))
    return SOLVED;
  if (outcome == SS_OUTCOME_MACHINE_SLOW)
    return SLOW;
  return outcome == SS_OUTCOME_TIME_LIMIT || outcome == SS_OUTCOME_CPU_LIMIT ? LIMITED
         : outcome == SS_OUTCOME_FAILED || outcome == SS_OUTCOME_INTERRUPTED ? FAILED
                                                                             : UNSOLVED;
}

/* States of all tasks as the project has them. */
static gboolean
read_states (SsappStudyQueue *self, GError **error)
{
  g_autoptr (GHashTable) outcomes = ssapp_store_list_study_outcomes (self->store, self->id, error);
  g_autoptr (GHashTable) first = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  if (outcomes == NULL)
    return FALSE;
  for (guint i = 0; i < self->count; i++) {
    g_autoptr (SsappStudyTask) task = ssapp_study_plan_get_task (self->plan, i, FALSE);
    const char *outcome = g_hash_table_lookup (outcomes, task->key);
    gpointer other;
    self->states[i] = outcome != NULL ? state_of_outcome (outcome) : QUEUED;
    self->same_as[i] = i;
    if (g_hash_table_lookup_extended (first, task->key, NULL, &other))
      self->same_as[i] = GPOINTER_TO_UINT (other);
    else
      g_hash_table_insert (first, g_steal_pointer (&task->key), GUINT_TO_POINTER (i));
  }
  return TRUE;
}

/* The motions of the runs that guesses name. */
static gboolean
read_starts (SsappStudyQueue *self, GError **error)
{
  const SsappStudy *study = ssapp_study_plan_get_study (self->plan);

  for (guint a = 0; a < study->axes->len; a++) {
    const SsappStudyAxis *axis = g_ptr_array_index (study->axes, a);
    for (guint i = 0; axis->kind == SSAPP_AXIS_GUESS && axis->values[i] != NULL; i++) {
      const char *name = axis->values[i];
      if (strcmp (name, SSAPP_STUDY_GUESS_SCENARIO) == 0 || strcmp (name, SSAPP_STUDY_GUESS_ZEROS) == 0)
        continue;
      SsappRunRow *row = ssapp_store_get_sound_run (self->store, name, error);
      SsTrajectory *motion = row != NULL ? ssapp_store_get_trajectory (self->store, row->id, error) : NULL;
      if (row != NULL && motion == NULL && (error == NULL || *error == NULL))
        g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "the run %s has no motion to start from", name);
      ssapp_run_row_free (row);
      if (motion == NULL) {
        g_prefix_error (error, "guess: ");
        return FALSE;
      }
      g_hash_table_insert (self->starts, g_strdup (name), motion);
    }
  }
  return TRUE;
}

SsappStudyQueue *
ssapp_study_queue_new (SsappStore *store, const char *study_id, GError **error)
{
  g_autoptr (SsappStudyQueue) self = g_object_new (SSAPP_TYPE_STUDY_QUEUE, NULL);
  g_autoptr (SsappStudy) study = NULL;

  g_return_val_if_fail (SSAPP_IS_STORE (store) && study_id != NULL, NULL);
  SsappStudyRow *row = ssapp_store_get_study (store, study_id, error);
  if (row == NULL)
    return NULL;
  self->store = g_object_ref (store);
  self->id = g_strdup (row->id);
  json_t *definition = json_loads (row->definition, 0, NULL);
  study = ssapp_study_from_json (definition, error);
  json_decref (definition);
  ssapp_study_row_free (row);
  self->plan = study != NULL && ssapp_study_check (study, error) ? ssapp_study_plan_new (study, error) : NULL;
  if (self->plan == NULL)
    return NULL;
  self->workers = study->workers;
  self->count = ssapp_study_plan_get_count (self->plan);
  self->states = g_new0 (guint8, self->count + 1);
  self->same_as = g_new0 (guint, self->count + 1);
  self->method_seconds = g_new0 (double, study->methods->len + 1);
  self->method_runs = g_new0 (guint, study->methods->len + 1);
  if (!read_states (self, error) || !read_starts (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

static void
ssapp_study_queue_init (SsappStudyQueue *self)
{
  self->running = g_ptr_array_new_with_free_func (running_free);
  self->starts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)ss_trajectory_free);
}

const SsappStudyPlan *
ssapp_study_queue_get_plan (SsappStudyQueue *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->plan;
}

/* How many run at once: those of the study, or as many as cores. */
static guint
n_workers (SsappStudyQueue *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->workers > 0 ? self->workers : g_get_num_processors ();
}

void
ssapp_study_queue_set_workers (SsappStudyQueue *self, guint workers)
{
  g_return_if_fail (SSAPP_IS_STUDY_QUEUE (self));
  self->workers = workers;
  if (self->is_started)
    start_more (self);
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

static void
tell_changed (SsappStudyQueue *self)
{
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

/* No new run begins until somebody has looked. */
static void
pause_with_trouble (SsappStudyQueue *self, const char *message)
{
  if (self->trouble == NULL)
    self->trouble = g_strdup (message);
  self->is_paused = TRUE;
}

static void
on_write_failed (SsappStore *store, const char *message, SsappStudyQueue *self)
{
  (void)store;
  if (!self->is_started || self->trouble != NULL)
    return;
  pause_with_trouble (self, message);
  tell_changed (self);
}

/* What became of the runs that another program makes. */
static void
look_elsewhere (SsappStudyQueue *self)
{
  g_autoptr (GHashTable) outcomes = NULL;

  for (guint i = 0; i < self->count; i++) {
    if (self->states[i] != ELSEWHERE)
      continue;
    if (outcomes == NULL && (outcomes = ssapp_store_list_study_outcomes (self->store, self->id, NULL)) == NULL)
      return;
    g_autoptr (SsappStudyTask) task = ssapp_study_plan_get_task (self->plan, i, FALSE);
    const char *outcome = g_hash_table_lookup (outcomes, task->key);
    self->states[i] = outcome != NULL ? state_of_outcome (outcome) : QUEUED;
  }
}

/* Nothing runs and nothing will. */
static void
end_if_done (SsappStudyQueue *self)
{
  if (!self->is_started || self->running->len > 0 || (!self->is_stopping && self->next < self->count))
    return;
  look_elsewhere (self);
  self->is_started = self->is_stopping = FALSE;
  self->end = g_get_monotonic_time ();
  g_signal_handlers_disconnect_by_data (self->store, self);
  g_signal_emit (self, signals[SIGNAL_ENDED], 0);
}

static void
on_job_ended (SsappJob *job, SsappStudyQueue *self)
{
  const char *outcome = ssapp_job_get_outcome (job);
  guint place = 0;

  g_signal_handlers_disconnect_by_data (job, self);
  while (place < self->running->len && ((Running *)g_ptr_array_index (self->running, place))->job != job)
    place++;
  g_return_if_fail (place < self->running->len);
  g_autofree Running *running = g_ptr_array_steal_index (self->running, place);
  const guint task = running->task;
  if (strcmp (outcome, "cancelled") == 0) {
    self->states[task] = QUEUED;
    self->next = MIN (self->next, task);
  } else {
    const guint method = task % ssapp_study_plan_get_study (self->plan)->methods->len;
    self->states[task] = state_of_outcome (outcome);
    self->method_seconds[method] += ssapp_job_get_elapsed (job);
    self->method_runs[method]++;
  }
  g_object_ref (self);
  start_more (self); /* first, so that the core does not wait for what others do with the result */
  g_signal_emit (self, signals[SIGNAL_RUN_ENDED], 0, task, job);
  tell_changed (self);
  end_if_done (self);
  g_object_unref (self);
  g_free (running->words);
  g_object_unref (running->job);
}

/* Records the run and starts it. FALSE: nothing else can be started either. */
static gboolean
start_task (SsappStudyQueue *self, guint index)
{
  const SsappStudy *study = ssapp_study_plan_get_study (self->plan);
  g_autoptr (SsappStudyTask) task = ssapp_study_plan_get_task (self->plan, index, TRUE);
  const char *start = ssapp_study_get_start (study, task);
  g_autoptr (SsappJob) job = ssapp_study_new_job (study, task, n_workers (self),
                                                  start != NULL ? g_hash_table_lookup (self->starts, start) : NULL);
  g_autofree char *values = ssapp_study_task_to_json (study, task);
  g_autoptr (GError) error = NULL;

  ssapp_store_keep (job, study->keep);
  if (!ssapp_store_follow_task (self->store, job, self->id, task->key, values, &error)) {
    const gboolean is_taken = g_error_matches (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_TAKEN);
    self->states[index] = is_taken ? ELSEWHERE : QUEUED;
    if (!is_taken)
      pause_with_trouble (self, error->message);
    return is_taken;
  }
  if (!ssapp_job_start (job, &error)) { /* the project has it as failed, which says nothing of the task */
    ssapp_store_delete_run (self->store, ssapp_job_get_id (job), NULL);
    pause_with_trouble (self, error->message);
    return FALSE;
  }
  Running *running = g_new0 (Running, 1);
  running->task = index;
  running->words = ssapp_study_describe_task (study, task);
  running->job = g_object_ref (job);
  g_ptr_array_add (self->running, running);
  self->states[index] = RUNNING;
  g_signal_connect (job, "ended", G_CALLBACK (on_job_ended), self);
  return TRUE;
}

static void
start_more (SsappStudyQueue *self)
{
  const guint workers = n_workers (self);

  if (self->is_starting) /* a job that ends while it is started */
    return;
  self->is_starting = TRUE;
  while (self->is_started && !self->is_paused && !self->is_stopping && self->running->len < workers &&
         self->next < self->count) {
    const guint task = self->next;
    if (self->states[task] != QUEUED || self->same_as[task] != task)
      self->next++;
    else if (start_task (self, task))
      self->next++;
    else
      break;
  }
  self->is_starting = FALSE;
}

void
ssapp_study_queue_start (SsappStudyQueue *self)
{
  g_return_if_fail (SSAPP_IS_STUDY_QUEUE (self));
  if (self->is_started)
    return;
  self->is_started = TRUE;
  self->is_paused = self->is_stopping = FALSE;
  g_clear_pointer (&self->trouble, g_free);
  self->next = 0;
  self->begin = g_get_monotonic_time ();
  self->end = 0;
  g_signal_connect (self->store, "write-failed", G_CALLBACK (on_write_failed), self);
  g_signal_connect (self->store, "lost", G_CALLBACK (on_write_failed), self);
  g_object_ref (self);
  start_more (self);
  tell_changed (self);
  end_if_done (self);
  g_object_unref (self);
}

void
ssapp_study_queue_set_paused (SsappStudyQueue *self, gboolean is_paused)
{
  g_return_if_fail (SSAPP_IS_STUDY_QUEUE (self));
  if (self->is_paused == is_paused)
    return;
  self->is_paused = is_paused;
  if (!is_paused)
    g_clear_pointer (&self->trouble, g_free);
  start_more (self);
  tell_changed (self);
}

gboolean
ssapp_study_queue_is_paused (SsappStudyQueue *self)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_QUEUE (self), FALSE);
  return self->is_paused;
}

void
ssapp_study_queue_stop (SsappStudyQueue *self)
{
  g_return_if_fail (SSAPP_IS_STUDY_QUEUE (self));
  if (!self->is_started || self->is_stopping)
    return;
  self->is_stopping = TRUE;
  for (guint i = 0; i < self->running->len; i++)
    ssapp_job_cancel (((Running *)g_ptr_array_index (self->running, i))->job);
  g_object_ref (self);
  end_if_done (self);
  g_object_unref (self);
}

gboolean
ssapp_study_queue_is_running (SsappStudyQueue *self)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_QUEUE (self), FALSE);
  return self->is_started;
}

const char *
ssapp_study_queue_get_trouble (SsappStudyQueue *self)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_QUEUE (self), NULL);
  return self->trouble;
}

/* ---- how far it is ----------------------------------------------------------------------------------------------- */

/* By the mean of the method's runs so far, or that of all. */
static double
estimate_left (SsappStudyQueue *self)
{
  const guint n_methods = ssapp_study_plan_get_study (self->plan)->methods->len;
  double seconds = 0, left = 0;
  guint runs = 0;

  for (guint m = 0; m < n_methods; m++) {
    seconds += self->method_seconds[m];
    runs += self->method_runs[m];
  }
  if (runs == 0)
    return NAN;
  for (guint i = self->next; i < self->count; i++)
    if (self->states[i] == QUEUED && self->same_as[i] == i) {
      const guint m = i % n_methods;
      left += self->method_runs[m] > 0 ? self->method_seconds[m] / self->method_runs[m] : seconds / runs;
    }
  for (guint i = 0; i < self->running->len; i++) {
    const Running *running = g_ptr_array_index (self->running, i);
    const guint m = running->task % n_methods;
    const double mean = self->method_runs[m] > 0 ? self->method_seconds[m] / self->method_runs[m] : seconds / runs;
    left += fmax (0, mean - ssapp_job_get_elapsed (running->job));
  }
  return left / n_workers (self);
}

void
ssapp_study_queue_get_progress (SsappStudyQueue *self, SsappStudyProgress *progress)
{
  g_return_if_fail (SSAPP_IS_STUDY_QUEUE (self) && progress != NULL);
  *progress = (SsappStudyProgress){.n_tasks = self->count, .seconds_left = estimate_left (self)};
  if (self->begin > 0)
    progress->elapsed =
        (double)((self->end > 0 ? self->end : g_get_monotonic_time ()) - self->begin) / G_TIME_SPAN_SECOND;
  for (guint i = 0; i < self->count; i++) {
    const State state = self->states[self->same_as[i]];
    progress->n_queued += state == QUEUED;
    progress->n_running += state == RUNNING || state == ELSEWHERE;
    progress->n_elsewhere += state == ELSEWHERE;
    progress->n_solved += state == SOLVED;
    progress->n_unsolved += state == LIMITED || state == FAILED || state == UNSOLVED || state == SLOW;
    progress->n_slow += state == SLOW;
    progress->n_limited += state == LIMITED;
    progress->n_failed += state == FAILED;
  }
}

static void
clear_running (gpointer data)
{
  g_free (((SsappStudyRunning *)data)->words);
}

static int
compare_tasks (gconstpointer a, gconstpointer b)
{
  const guint i = ((const SsappStudyRunning *)a)->task, j = ((const SsappStudyRunning *)b)->task;
  return i < j ? -1 : i > j;
}

GArray *
ssapp_study_queue_list_running (SsappStudyQueue *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  GArray *list = g_array_new (FALSE, TRUE, sizeof (SsappStudyRunning));

  g_array_set_clear_func (list, clear_running);
  for (guint i = 0; i < self->running->len; i++) {
    const Running *running = g_ptr_array_index (self->running, i);
    const SsappStudyRunning item = {running->task, g_strdup (running->words), ssapp_job_get_elapsed (running->job)};
    g_array_append_val (list, item);
  }
  g_array_sort (list, compare_tasks);
  return list;
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

static void
ssapp_study_queue_finalize (GObject *object)
{
  SsappStudyQueue *self = SSAPP_STUDY_QUEUE (object);

  for (guint i = 0; i < self->running->len; i++) {
    Running *running = g_ptr_array_index (self->running, i);
    g_signal_handlers_disconnect_by_data (running->job, self);
    ssapp_job_cancel (running->job);
  }
  if (self->store != NULL)
    g_signal_handlers_disconnect_by_data (self->store, self);
  g_ptr_array_unref (self->running);
  g_hash_table_unref (self->starts);
  ssapp_study_plan_free (self->plan);
  g_clear_object (&self->store);
  g_free (self->id);
  g_free (self->states);
  g_free (self->same_as);
  g_free (self->trouble);
  g_free (self->method_seconds);
  g_free (self->method_runs);
  G_OBJECT_CLASS (ssapp_study_queue_parent_class)->finalize (object);
}

static void
ssapp_study_queue_class_init (SsappStudyQueueClass *class_)
{
  G_OBJECT_CLASS (class_)->finalize = ssapp_study_queue_finalize;
  signals[SIGNAL_CHANGED] =
      g_signal_new ("changed", SSAPP_TYPE_STUDY_QUEUE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_RUN_ENDED] = g_signal_new ("run-ended", SSAPP_TYPE_STUDY_QUEUE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                            G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_POINTER);
  signals[SIGNAL_ENDED] =
      g_signal_new ("ended", SSAPP_TYPE_STUDY_QUEUE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}
