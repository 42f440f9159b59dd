/* app/study/ssapp-accuracy-runs.c: see ssapp-accuracy-runs.h. */
#include "app/study/ssapp-accuracy-runs.h"

#include "app/base/ssapp-json.h"
#include "app/job/ssapp-interests.h"
#include "app/job/ssapp-job.h"
#include "app/study/ssapp-study-private.h"

#include <math.h>
#include <string.h>

/* A run to be made. */
typedef struct {
  guint method; /* of the methods; of a reference for all: none of them */
  double dt;    /* [s] */
  gboolean is_reference;
  gboolean is_recorded; /* in the project */
} Task;

struct _SsappAccuracyRuns {
  GObject parent;
  SsappAccuracy *accuracy;
  char *text, *name;
  GArray *set;      /* of double */
  GPtrArray *names; /* of the set */
  double t_end;     /* of the motion */
  double asked;     /* of the jobs; NaN: the scenario's */
  double time_limit;
  SsappAccuracyMethod *reference; /* NULL: none */
  gboolean is_own;                /* each method has its own reference */
  SsappTruth *truth;              /* NULL: not there yet, or the run that was to be it failed */
  char *why_not;                  /* the reference failed; NULL */
  char *list;                     /* of channels that were asked for; NULL */
  char *outcome;                  /* that every run is asked; NULL */
  double answer;                  /* of the reference run; NaN: not there yet */
  GArray *times;                  /* of double */
  GArray *tasks;                  /* of Task */
  guint next;
  SsappJob *job; /* NULL: nothing runs */
  SsappStore *store;
  GPtrArray *run_ids, *run_labels; /* of the comparison */
  char *store_error, *comparison;
  gboolean is_running, was_stopped;
};

enum { SIGNAL_CHANGED, SIGNAL_ENDED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (SsappAccuracyRuns, ssapp_accuracy_runs, G_TYPE_OBJECT)

static void
finalize (GObject *object)
{
  SsappAccuracyRuns *self = SSAPP_ACCURACY_RUNS (object);

  ssapp_accuracy_free (self->accuracy);
  g_free (self->text);
  g_free (self->name);
  g_array_unref (self->set);
  g_ptr_array_unref (self->names);
  ssapp_accuracy_method_free (self->reference);
  ssapp_truth_free (self->truth);
  g_free (self->why_not);
  g_free (self->list);
  g_free (self->outcome);
  g_array_unref (self->times);
  g_array_unref (self->tasks);
  if (self->job != NULL) {
    g_signal_handlers_disconnect_by_data (self->job, self);
    ssapp_job_cancel (self->job);
    g_object_unref (self->job);
  }
  g_clear_object (&self->store);
  g_ptr_array_unref (self->run_ids);
  g_ptr_array_unref (self->run_labels);
  g_free (self->store_error);
  g_free (self->comparison);
  G_OBJECT_CLASS (ssapp_accuracy_runs_parent_class)->finalize (object);
}

static void
ssapp_accuracy_runs_class_init (SsappAccuracyRunsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = finalize;
  signals[SIGNAL_CHANGED] =
      g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_ENDED] =
      g_signal_new ("ended", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ssapp_accuracy_runs_init (SsappAccuracyRuns *self)
{
  self->set = g_array_new (FALSE, FALSE, sizeof (double));
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->times = g_array_new (FALSE, FALSE, sizeof (double));
  self->tasks = g_array_new (FALSE, FALSE, sizeof (Task));
  self->run_ids = g_ptr_array_new_with_free_func (g_free);
  self->run_labels = g_ptr_array_new_with_free_func (g_free);
}

void
ssapp_accuracy_default_steps (double t_end, double steps[SSAPP_ACCURACY_STEPS])
{
  g_return_if_fail (t_end > 0 && steps != NULL);
  for (int i = 0; i < SSAPP_ACCURACY_STEPS; i++)
    steps[i] = t_end / (50 << i);
}

/* ---- the plan ---------------------------------------------------------------------------------------------------- */

static SsScenario *
read_scenario (const SsappAccuracyPlan *plan, GError **error)
{
  SsScenario *scenario = NULL;
  SsProblems problems;

  ss_problems_init (&problems);
  if (ss_scenario_read (plan->scenario_text, strlen (plan->scenario_text), plan->scenario_name, plan->set, plan->n_set,
                        &problems, &scenario) != SS_OK)
    ssapp_study_fail (error, "The scenario cannot be read: %s: %s", problems.items[0].path, problems.items[0].message);
  ss_problems_clear (&problems);
  if (scenario != NULL && scenario->scene == NULL) {
    ssapp_study_fail (error, "“%s” is a model in equations: it has no motion to integrate", plan->scenario_name);
    g_clear_pointer (&scenario, ss_scenario_free);
  }
  return scenario;
}

static gboolean
check_steps (const SsappAccuracyPlan *plan, double t_end, GError **error)
{
  if (plan->methods->len == 0 || plan->n_steps == 0)
    return ssapp_study_fail (error, "At least one method and one step are needed");
  for (guint i = 0; i < plan->methods->len; i++) {
    const SsMethod *method = ((SsappAccuracyMethod *)g_ptr_array_index (plan->methods, i))->method;
    if (method->kind != SS_METHOD_INTEGRATOR || !method->is_built)
      return ssapp_study_fail (error, "“%s” is no integrator of this version", method->name);
  }
  for (guint i = 0; i < plan->n_steps; i++)
    if (!(plan->steps[i] > 0) || plan->steps[i] > t_end)
      return ssapp_study_fail (error, "The step %.6g s is not above 0 and up to the end of the motion, %.6g s",
                               plan->steps[i], t_end);
  if (!isnan (plan->reference_step) && !(plan->reference_step > 0 && plan->reference_step <= t_end))
    return ssapp_study_fail (error, "The step of the reference, %.6g s, is not above 0 and up to %.6g s",
                             plan->reference_step, t_end);
  return TRUE;
}

static int
compare_steps (gconstpointer a, gconstpointer b)
{
  const double x = *(const double *)a, y = *(const double *)b;

  return (x < y) - (x > y);
}

/* Long steps first; none twice. */
static GArray *
sort_steps (const SsappAccuracyPlan *plan)
{
  GArray *steps = g_array_new (FALSE, FALSE, sizeof (double));

  g_array_append_vals (steps, plan->steps, plan->n_steps);
  g_array_sort (steps, compare_steps);
  for (guint i = 1; i < steps->len;)
    if (g_array_index (steps, double, i) == g_array_index (steps, double, i - 1))
      g_array_remove_index (steps, i);
    else
      i++;
  return steps;
}

static void
add_tasks (SsappAccuracyRuns *self, const GArray *steps, const SsappAccuracyPlan *plan)
{
  const double finest = isnan (plan->reference_step)
                            ? g_array_index (steps, double, steps->len - 1) / SSAPP_ACCURACY_REFERENCE_PART
                            : plan->reference_step;

  if (self->reference != NULL) {
    const Task task = {.dt = finest, .is_reference = TRUE};
    g_array_append_val (self->tasks, task);
  }
  for (guint m = 0; m < plan->methods->len; m++) {
    if (self->is_own) {
      const Task task = {.method = m, .dt = finest, .is_reference = TRUE};
      g_array_append_val (self->tasks, task);
    }
    for (guint i = 0; i < steps->len; i++)
      for (guint k = 0; k < MAX (plan->repeats, 1); k++) {
        const Task task = {.method = m, .dt = g_array_index (steps, double, i), .is_recorded = k == 0};
        g_array_append_val (self->tasks, task);
      }
  }
}

/* Multiples of the longest step, and the end. */
static void
fill_times (SsappAccuracyRuns *self, double longest)
{
  for (int k = 1; k * longest < self->t_end * (1 - 1e-9); k++) {
    const double t = k * longest;
    g_array_append_val (self->times, t);
  }
  g_array_append_val (self->times, self->t_end);
}

static char *
describe_reference (const SsappAccuracyRuns *self, const GArray *tasks)
{
  const double finest = g_array_index (tasks, Task, 0).dt;

  if (self->reference != NULL)
    return g_strdup_printf ("%s with a step of %.4g s", self->reference->label, finest);
  if (self->is_own)
    return g_strdup_printf ("each method with a step of %.4g s", finest);
  return g_strdup (ssapp_truth_get_title (self->truth));
}

/* Name and unit of the outcome that is asked; FALSE with an error where it cannot be. */
static gboolean
read_outcome (const SsappAccuracyPlan *plan, const SsScenario *scenario, char **name, char **unit, GError **error)
{
  if (plan->outcome == NULL)
    return TRUE;
  if (plan->truth != NULL)
    return ssapp_study_fail (error, "An outcome is compared with that of a run: the reference is a method, or “own”");
  g_autoptr (SsappInterests) interests = ssapp_interests_new (&plan->outcome, 1, error);
  *unit = interests != NULL ? ssapp_interests_dup_unit (interests, 0, scenario, error) : NULL;
  if (*unit != NULL)
    *name = g_strdup (ssapp_interests_get_name (interests, 0));
  return *unit != NULL;
}

SsappAccuracyRuns *
ssapp_accuracy_runs_new (const SsappAccuracyPlan *plan, GError **error)
{
  g_return_val_if_fail (plan != NULL, NULL);

  g_autoptr (SsappTruth) truth = plan->truth;
  SsScenario *scenario = read_scenario (plan, error);

  if (scenario == NULL)
    return NULL;
  const double t_end = isnan (plan->t_end) ? scenario->task.t_end : plan->t_end;
  g_autofree char *title = g_strdup (scenario->title[0] != '\0' ? scenario->title : plan->scenario_name);
  g_autofree char *asked = NULL, *unit = NULL;
  const gboolean can_ask = read_outcome (plan, scenario, &asked, &unit, error);
  ss_scenario_free (scenario);
  if (!can_ask)
    return NULL;
  if (!(t_end > 0)) {
    ssapp_study_fail (error, "The end of the motion is not above 0 s");
    return NULL;
  }
  if (!check_steps (plan, t_end, error))
    return NULL;

  SsappAccuracyRuns *self = g_object_new (SSAPP_TYPE_ACCURACY_RUNS, NULL);
  g_autoptr (GArray) steps = sort_steps (plan);
  self->accuracy = ssapp_accuracy_new (title, plan->kind);
  g_ptr_array_unref (self->accuracy->methods);
  self->accuracy->methods = g_ptr_array_ref (plan->methods);
  self->text = g_strdup (plan->scenario_text);
  self->name = g_strdup (plan->scenario_name);
  for (int i = 0; i < plan->n_set; i++) {
    g_ptr_array_add (self->names, g_strdup (plan->set[i].name));
    g_array_append_val (self->set, plan->set[i].value);
  }
  self->t_end = t_end;
  self->asked = plan->t_end;
  self->time_limit = plan->time_limit;
  self->truth = g_steal_pointer (&truth);
  if (self->truth == NULL && plan->reference != NULL)
    self->reference = ssapp_accuracy_method_new (plan->reference->method, plan->reference->label,
                                                 (const char *const *)plan->reference->names,
                                                 (const char *const *)plan->reference->values);
  self->is_own = self->truth == NULL && self->reference == NULL;
  self->list = g_strdup (plan->channels);
  self->outcome = g_strdup (plan->outcome);
  self->answer = NAN;
  self->accuracy->asked = g_steal_pointer (&asked);
  self->accuracy->asked_unit = g_steal_pointer (&unit);
  if (plan->store != NULL)
    self->store = g_object_ref (plan->store);
  add_tasks (self, steps, plan);
  fill_times (self, g_array_index (steps, double, 0));
  g_free (self->accuracy->reference);
  self->accuracy->reference = describe_reference (self, self->tasks);
  return self;
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

static void start_next (SsappAccuracyRuns *self);

static const SsappAccuracyMethod *
method_of (const SsappAccuracyRuns *self, const Task *task)
{
  return task->is_reference && self->reference != NULL ? self->reference
                                                       : g_ptr_array_index (self->accuracy->methods, task->method);
}

static char *
words_of (const SsappAccuracyRuns *self, const Task *task)
{
  return g_strdup_printf ("%s, step %.4g s%s", method_of (self, task)->label, task->dt,
                          task->is_reference ? " (reference)" : "");
}

static void
note_store_error (SsappAccuracyRuns *self, GError *error)
{
  if (self->store_error == NULL)
    self->store_error = g_strdup (error->message);
  g_error_free (error);
}

/* What the run that ended says of the outcome; NaN: nothing. */
static double
read_answer (const SsappAccuracyRuns *self)
{
  const char *text = ssapp_job_get_result_json (self->job);
  json_t *result = text != NULL && self->outcome != NULL ? json_loads (text, 0, NULL) : NULL;
  const double answer =
      result != NULL
          ? ssapp_json_get_real (json_object_get (json_object_get (result, "outcomes"), self->accuracy->asked), "value")
          : (double)NAN;

  json_decref (result);
  return answer;
}

/* The motion of a reference run becomes the truth. */
static void
take_reference (SsappAccuracyRuns *self, const Task *task)
{
  const SsTrajectory *motion = ssapp_job_get_trajectory (self->job);

  self->answer = read_answer (self);
  g_clear_pointer (&self->truth, ssapp_truth_free);
  g_clear_pointer (&self->why_not, g_free);
  if (motion != NULL && g_strcmp0 (ssapp_job_get_outcome (self->job), "completed") == 0) {
    g_autofree char *title = words_of (self, task);
    self->truth = ssapp_truth_new_motion (motion, title);
  } else {
    self->why_not = g_strdup_printf ("the reference, %s with a step of %.4g s, ended: %s",
                                     method_of (self, task)->label, task->dt, ssapp_job_get_message (self->job));
  }
}

/* Errors of a run; the reason why there are none becomes its message. */
static void
compare_run (SsappAccuracyRuns *self, const SsTrajectory *motion, SsappAccuracyRow *row)
{
  g_autoptr (GError) error = NULL;
  SsappMotionError errors;
  g_auto (GStrv) channels = NULL;

  if (!row->is_success || motion == NULL)
    return;
  if (self->truth == NULL) {
    g_free (row->message);
    row->message = g_strdup (self->why_not);
    return;
  }
  channels = ssapp_truth_channels (self->truth, motion, self->list, &error);
  if (channels == NULL) {
    g_free (row->message);
    row->message = g_strdup (error->message);
    return;
  }
  ssapp_truth_compare (self->truth, motion, channels, (const double *)(const void *)self->times->data, self->times->len,
                       &errors);
  memcpy (row->errors, errors.by, sizeof row->errors);
  row->answer = read_answer (self);
  row->answer_scale = fmax (fabs (self->answer), fabs (row->answer));
  row->errors[SSAPP_ERROR_OUTCOME] = fabs (row->answer - self->answer);
  row->scale = errors.scale;
  g_free (self->accuracy->compared);
  self->accuracy->compared = g_strjoinv (", ", channels);
}

static void
take_run (SsappAccuracyRuns *self, const Task *task)
{
  const char *text = ssapp_job_get_result_json (self->job);
  json_t *result = text != NULL ? json_loads (text, 0, NULL) : NULL;
  SsappAccuracyRow row;

  ssapp_accuracy_row_init (&row, task->method, task->dt);
  ssapp_accuracy_row_read (&row, result);
  json_decref (result);
  if (row.outcome == NULL)
    row.outcome = g_strdup (ssapp_job_get_outcome (self->job));
  if (row.message == NULL || row.message[0] == '\0') {
    g_free (row.message);
    row.message = g_strdup (ssapp_job_get_message (self->job));
  }
  if (row.run == NULL)
    row.run = g_strdup (ssapp_job_get_id (self->job));
  compare_run (self, ssapp_job_get_trajectory (self->job), &row);
  ssapp_accuracy_add (self->accuracy, &row);
}

static void
finish (SsappAccuracyRuns *self)
{
  GError *error = NULL;

  if (self->store != NULL && self->run_ids->len > 0 && self->comparison == NULL) {
    g_autofree char *title = g_strdup_printf ("Accuracy: %s", self->accuracy->title);
    g_ptr_array_add (self->run_ids, NULL);
    g_ptr_array_add (self->run_labels, NULL);
    if (!ssapp_store_flush (self->store, &error)) {
      note_store_error (self, error);
      error = NULL;
    }
    self->comparison = ssapp_store_add_comparison (self->store, title, (const char *const *)self->run_ids->pdata,
                                                   (const char *const *)self->run_labels->pdata, &error);
    if (self->comparison == NULL)
      note_store_error (self, error);
  }
  self->is_running = FALSE;
  g_signal_emit (self, signals[SIGNAL_ENDED], 0);
}

static void
on_ended (SsappJob *job, SsappAccuracyRuns *self)
{
  const Task *task = &g_array_index (self->tasks, Task, self->next - 1);

  g_signal_handlers_disconnect_by_data (job, self);
  g_object_ref (self);
  if (task->is_reference)
    take_reference (self, task);
  else if (!self->was_stopped)
    take_run (self, task);
  g_clear_object (&self->job);
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
  start_next (self);
  g_object_unref (self);
}

static SsappJob *
make_job (SsappAccuracyRuns *self, const Task *task)
{
  const SsappAccuracyMethod *method = method_of (self, task);
  SsappJob *job = ssapp_job_new (self->text, self->name, ss_method_id (method->method));

  for (guint i = 0; method->names[i] != NULL; i++)
    ssapp_job_set_option (job, method->names[i], method->values[i]);
  for (guint i = 0; i < self->names->len; i++)
    ssapp_job_set_parameter (job, g_ptr_array_index (self->names, i), g_array_index (self->set, double, i));
  if (self->outcome != NULL) {
    g_autoptr (GPtrArray) texts = g_ptr_array_new ();
    g_ptr_array_add (texts, self->outcome);
    ssapp_job_set_outcomes (job, texts);
  }
  ssapp_job_set_step (job, task->dt, self->asked);
  ssapp_job_set_time_limit (job, self->time_limit);
  return job;
}

static void
record (SsappAccuracyRuns *self, const Task *task)
{
  GError *error = NULL;

  if (!ssapp_store_follow (self->store, self->job, &error)) {
    note_store_error (self, error);
    return;
  }
  g_ptr_array_add (self->run_ids, g_strdup (ssapp_job_get_id (self->job)));
  g_ptr_array_add (self->run_labels, words_of (self, task));
}

static void
start_next (SsappAccuracyRuns *self)
{
  GError *error = NULL;

  if (self->was_stopped || self->next == self->tasks->len) {
    finish (self);
    return;
  }
  const Task *task = &g_array_index (self->tasks, Task, self->next++);
  g_autoptr (SsappJob) job = make_job (self, task);
  self->job = g_object_ref (job);
  if (self->store != NULL && (task->is_recorded || task->is_reference))
    record (self, task);
  g_signal_connect (job, "ended", G_CALLBACK (on_ended), self);
  ssapp_job_start (job, &error); /* "ended" comes in either case */
  g_clear_error (&error);
}

void
ssapp_accuracy_runs_start (SsappAccuracyRuns *self)
{
  g_return_if_fail (self != NULL);
  if (self->is_running || self->next > 0)
    return;
  self->is_running = TRUE;
  start_next (self);
}

void
ssapp_accuracy_runs_stop (SsappAccuracyRuns *self)
{
  if (!self->is_running)
    return;
  self->was_stopped = TRUE;
  if (self->job != NULL)
    ssapp_job_cancel (self->job);
}

gboolean
ssapp_accuracy_runs_is_running (SsappAccuracyRuns *self)
{
  g_return_val_if_fail (self != NULL, FALSE);
  return self->is_running;
}

gboolean
ssapp_accuracy_runs_was_stopped (SsappAccuracyRuns *self)
{
  g_return_val_if_fail (self != NULL, FALSE);
  return self->was_stopped;
}

const SsappAccuracy *
ssapp_accuracy_runs_get (SsappAccuracyRuns *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->accuracy;
}

void
ssapp_accuracy_runs_get_progress (SsappAccuracyRuns *self, guint *done, guint *total, char **words)
{
  g_return_if_fail (self != NULL);
  *done = self->job != NULL ? self->next - 1 : self->next;
  *total = self->tasks->len;
  if (words != NULL)
    *words = self->job != NULL ? words_of (self, &g_array_index (self->tasks, Task, self->next - 1)) : g_strdup ("");
}

const char *
ssapp_accuracy_runs_get_store_error (SsappAccuracyRuns *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->store_error;
}
