/* app/bench/ssapp-bench-run.c: timed runs of suite crisp; see ssapp-bench.h.
 *
 * Of each instance the methods take turns: first repeat of each, second repeat of each, and so on, so that a slow
 * moment of the machine does not hit one method alone. The first run makes everything anew (that is its set-up time),
 * later ones keep problem and solver.
 */
#include "app/bench/ssapp-bench-common.h"
#include "app/bench/ssapp-bench-runs.h"
#include "app/bench/ssapp-bench.h"

#include "app/base/ssapp-json.h"
#include "app/job/ssapp-result.h"

#include <math.h>
#include <string.h>

/* ---- recorded iterations ----------------------------------------------------------------------------------------- */

enum { MAX_COLUMNS = 24 };

typedef struct {
  int iteration, n_columns;
  double t;
  SsColumn columns[MAX_COLUMNS];
} Row;

/* What one run published, kept in memory until the clock has stopped. */
typedef struct {
  double start;
  GArray *rows; /* of Row */
} Recorder;

static void
record (void *user_data, const SsProgress *progress)
{
  Recorder *self = user_data;
  Row row = {progress->iteration, MIN (progress->n_columns, MAX_COLUMNS), ss_clock_wall () - self->start, {{0}}};

  if (progress->kind != SS_PROGRESS_ITERATION)
    return;
  memcpy (row.columns, progress->columns, sizeof (SsColumn) * (gsize)row.n_columns);
  g_array_append_val (self->rows, row);
}

/* ---- one instance ------------------------------------------------------------------------------------------------ */

/* One method on the instance at hand. */
typedef struct {
  SsappBenchRun *run;
  SsappBenchJob job;
  SsSolveCache *cache;
  GArray *cpu, *wall; /* of double, one per repeat */
  double first_objective;
  SsTrajectory *answer; /* of the first repeat where it missed a limit of the paper though it is feasible; else NULL */
} Contest;

static const char *
text_of (const SsappBenchInstance *instance)
{
  return instance->text != NULL ? instance->text : ssapp_bench_scenario_text (instance->problem);
}

static SsScenario *
read_instance (const SsappBenchInstance *instance, double *seconds, GError **error)
{
  const char *text = text_of (instance);
  const double start = ss_clock_wall ();
  g_autofree char *refusal = NULL;
  SsScenario *scenario = ssapp_bench_read (text, instance->problem, instance->set, instance->n_set, &refusal);

  if (scenario == NULL)
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED, "%s %s: %s", instance->problem,
                 instance->condition, refusal);
  *seconds = ss_clock_wall () - start;
  return scenario;
}

double
ssapp_bench_run_get (const SsappBenchRun *run, SsMetric metric)
{
  g_return_val_if_fail (run != NULL, (double)NAN);
  return ss_metric_get (&run->metrics, metric);
}

static double
share_of_cpu (const SsMetricSet *set, SsMetric part)
{
  return ss_metric_get (set, part) / ss_metric_get (set, SS_METRIC_CPU_SECONDS);
}

static void
keep_result (Contest *self, const SsRunResult *result)
{
  SsappBenchRun *run = self->run;
  const SsMetricSet *set = &result->metrics;
  const double cpu = ss_metric_get (set, SS_METRIC_CPU_SECONDS), wall = ss_metric_get (set, SS_METRIC_SOLVE_SECONDS);
  const double objective = ss_metric_get (set, SS_METRIC_OBJECTIVE);

  g_array_append_val (self->cpu, cpu);
  g_array_append_val (self->wall, wall);
  if (self->cpu->len > 1) {
    run->is_repeatable = run->is_repeatable && memcmp (&self->first_objective, &objective, sizeof (double)) == 0;
  } else {
    run->is_done = run->is_repeatable = TRUE;
    run->outcome = result->outcome;
    run->message = g_strdup (result->message);
    run->metrics = *set;
    run->is_stationary = result->certificate.is_computed && result->certificate.is_stationary;
    run->qp_share = share_of_cpu (set, SS_METRIC_QP_SECONDS);
    run->derivative_share = share_of_cpu (set, SS_METRIC_DERIVATIVE_SECONDS);
    run->value_share = share_of_cpu (set, SS_METRIC_VALUE_SECONDS);
    run->metrics.value[SS_METRIC_SETUP_SECONDS] += run->reading_seconds;
    self->first_objective = objective;
  }
  run->n_repeats = (int)self->cpu->len;
  ss_metric_set (&run->metrics, SS_METRIC_CPU_SECONDS,
                 ssapp_median ((double *)(void *)self->cpu->data, run->n_repeats));
  ss_metric_set (&run->metrics, SS_METRIC_SOLVE_SECONDS,
                 ssapp_median ((double *)(void *)self->wall->data, run->n_repeats));
  run->cpu_min = run->n_repeats > 1 ? MIN (run->cpu_min, cpu) : cpu;
  run->cpu_max = run->n_repeats > 1 ? MAX (run->cpu_max, cpu) : cpu;
}

static SsappJobSpec *
spec_of_run (const SsappBenchRun *run)
{
  SsappJobSpec *spec = ssapp_job_spec_new ();

  spec->kind = SS_METHOD_OPTIMISER;
  g_free (spec->method);
  spec->method = g_strdup (run->method->method->name);
  g_free (spec->scenario_text);
  spec->scenario_text = g_strdup (text_of (run->instance));
  for (guint i = 0; i < run->method->names->len; i++) {
    g_ptr_array_add (spec->option_names, g_strdup (g_ptr_array_index (run->method->names, i)));
    g_ptr_array_add (spec->option_values, g_strdup (g_ptr_array_index (run->method->values, i)));
  }
  for (int i = 0; i < run->instance->n_set; i++) {
    g_ptr_array_add (spec->parameter_names, g_strdup (run->instance->set[i].name));
    g_array_append_val (spec->parameter_values, run->instance->set[i].value);
  }
  return spec;
}

/* A run as the project holds it. */
static gboolean
store_run (SsappStore *store, Contest *self, const SsScenario *scenario, const SsRunResult *result, GArray *rows,
           GError **error)
{
  SsappJobSpec *spec = spec_of_run (self->run);
  char *options = ssapp_job_spec_options_json (spec), *parameters = ssapp_job_spec_parameters_json (spec);
  gboolean ok = ssapp_store_record (store, spec->id, spec->scenario_text, scenario->name,
                                    (SsMethodId){spec->kind, spec->method}, options, parameters, spec->seed, error);

  for (guint i = 0; ok && i < rows->len; i++) {
    const Row *row = &g_array_index (rows, Row, i);
    ok = ssapp_store_add_iteration (store, spec->id, row->iteration, row->t, row->columns, row->n_columns, error);
  }
  if (ok) {
    json_t *json = ssapp_result_new (spec, scenario, self->run->method->method, self->job.options, NULL, result,
                                     self->run->reading_seconds);
    char *text = ssapp_json_text (json, TRUE);
    ok = ssapp_store_finish (store, spec->id, text, ss_run_motion (result), error);
    g_free (text);
    json_decref (json);
  }
  if (ok)
    self->run->run = g_strdup (spec->id);
  g_free (options);
  g_free (parameters);
  ssapp_job_spec_free (spec);
  return ok;
}

static gboolean
start_contest (Contest *self, SsappBenchRun *run, const SsScenario *scenario, double reading_seconds, GError **error)
{
  SsError failure;

  self->run = run;
  run->reading_seconds = reading_seconds;
  const gboolean ok = ssapp_bench_job_init (&self->job, run->method, scenario, &failure);
  self->cache = ss_solve_cache_new ();
  self->cpu = g_array_new (FALSE, FALSE, sizeof (double));
  self->wall = g_array_new (FALSE, FALSE, sizeof (double));
  self->job.job.solve.cache = self->cache;
  if (!ok || self->cache == NULL)
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED, "%s: %s", run->method->label,
                 !ok ? failure.message : "out of memory");
  return ok && self->cache != NULL;
}

static void
end_contest (Contest *self)
{
  ssapp_bench_job_clear (&self->job);
  ss_solve_cache_free (self->cache);
  ss_trajectory_free (self->answer);
  g_clear_pointer (&self->cpu, g_array_unref);
  g_clear_pointer (&self->wall, g_array_unref);
}

/* One solve. FALSE when the suite should end: cancelled, or `error` set. */
static gboolean
run_once (const SsappBenchPlan *plan, Contest *self, const SsScenario *scenario, GError **error)
{
  const gboolean is_stored = plan->store != NULL && self->cpu->len == 0;
  Recorder recorder = {ss_clock_wall (), NULL};
  SsRunResult result;
  SsError failure;
  gboolean ok = TRUE;

  if (is_stored) {
    recorder.rows = g_array_new (FALSE, FALSE, sizeof (Row));
    plan->control->progress = record;
    plan->control->user_data = &recorder;
  }
  const SsStatus status = ssapp_bench_solve (plan, &self->job.job, &result, &failure);
  plan->control->progress = NULL;
  if (status != SS_OK) {
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED, "%s on %s %s: %s", self->run->method->label,
                 self->run->instance->problem, self->run->instance->condition, failure.message);
    ok = FALSE;
  } else if (result.outcome == SS_OUTCOME_CANCELLED) {
    ok = FALSE; /* a run that was cut off is no measurement */
  } else {
    keep_result (self, &result);
    if (is_stored)
      ok = store_run (plan->store, self, scenario, &result, recorder.rows, error);
    if (self->answer == NULL && self->run->instance->text == NULL &&
        ss_metric_get (&result.metrics, SS_METRIC_MAX_VIOLATION) < SS_RUN_FEASIBLE &&
        ss_metric_get (&result.metrics, SS_METRIC_SUCCESS_PAPER) == 0)
      self->answer = ss_run_take_motion (&result);
  }
  if (status == SS_OK)
    ss_run_result_clear (&result);
  if (recorder.rows != NULL)
    g_array_unref (recorder.rows);
  return ok;
}

/* ---- the suite --------------------------------------------------------------------------------------------------- */

static void
run_free (gpointer data)
{
  SsappBenchRun *run = data;

  g_free (run->message);
  g_free (run->impossible);
  g_free (run->run);
  g_free (run);
}

/* What runs on the instance at hand. */
typedef struct {
  const SsappBenchPlan *plan;
  GPtrArray *runs; /* of SsappBenchRun, instance by instance */
  SsScenario *scenario;
  Contest *contests; /* of each method */
} Suite;

static SsappBenchRun *
run_of (const Suite *self, guint i, guint m)
{
  return g_ptr_array_index (self->runs, i * self->plan->methods->len + m);
}

static void
clear_instance (Suite *self)
{
  for (guint m = 0; m < self->plan->methods->len; m++)
    end_contest (&self->contests[m]);
  g_clear_pointer (&self->contests, g_free);
  g_clear_pointer (&self->scenario, ss_scenario_free);
}

static gboolean
begin (gpointer data, guint i, GError **error)
{
  Suite *self = data;
  double seconds;

  self->contests = g_new0 (Contest, self->plan->methods->len);
  self->scenario = read_instance (g_ptr_array_index (self->plan->instances, i), &seconds, error);
  gboolean ok = self->scenario != NULL;
  for (guint m = 0; ok && m < self->plan->methods->len; m++)
    ok = start_contest (&self->contests[m], run_of (self, i, m), self->scenario, seconds, error);
  if (!ok)
    clear_instance (self);
  return ok;
}

static gboolean
run (gpointer data, guint i, guint m, GError **error)
{
  const Suite *self = data;
  Contest *contest = &self->contests[m];

  (void)i;
  return (contest->cpu->len > 0 && contest->run->cpu_min >= SSAPP_BENCH_SLOW) ||
         run_once (self->plan, contest, self->scenario, error);
}

static void
end (gpointer data, guint i, gboolean is_whole)
{
  Suite *self = data;
  SsappBenchRun *first = run_of (self, i, 0);
  const SsTrajectory *answer = self->contests[0].answer;

  /* After the clock has stopped: is it the weights? */
  if (is_whole && answer != NULL)
    first->impossible = ssapp_bench_impossible (self->scenario);
  if (is_whole && answer != NULL && first->impossible == NULL)
    first->within_limits = ssapp_bench_within_limits (self->plan, first, answer);
  clear_instance (self);
  for (guint m = 0; self->plan->tell != NULL && m < self->plan->methods->len; m++)
    if (run_of (self, i, m)->is_done)
      self->plan->tell (run_of (self, i, m), (int)i, (int)self->plan->instances->len, self->plan->user_data);
}

GPtrArray *
ssapp_bench_run (const SsappBenchPlan *plan, GError **error)
{
  g_return_val_if_fail (plan != NULL, NULL);
  GPtrArray *runs = g_ptr_array_new_with_free_func (run_free);
  const guint n = plan->methods->len;
  const SsappBenchRuns all = {plan->instances->len, n, (guint)plan->repeats, begin, run, end};
  Suite suite = {.plan = plan, .runs = runs};

  for (guint i = 0; i < plan->instances->len; i++)
    for (guint m = 0; m < n; m++) {
      SsappBenchRun *empty = g_new0 (SsappBenchRun, 1);
      empty->instance = g_ptr_array_index (plan->instances, i);
      empty->method = g_ptr_array_index (plan->methods, m);
      empty->within_limits = NAN;
      g_ptr_array_add (runs, empty);
    }
  ssapp_bench_make_runs (&all, &suite, plan->control, error);
  return runs;
}
