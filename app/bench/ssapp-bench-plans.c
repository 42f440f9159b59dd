/* app/bench/ssapp-bench-plans.c: see the header. */
#include "app/bench/ssapp-bench-plans.h"

#include "app/base/ssapp-file.h"
#include "app/bench/ssapp-bench-common.h"
#include "app/bench/ssapp-bench-runs.h"
#include "app/bench/ssapp-bench-tasks.h"
#include "run/ss-run.h"
#include "simulate/ss-stewart-trinkle.h"

#include <math.h>
#include <string.h>

/* A replay holds where it ends this near to the plan [m], at this part of its step. */
static const double REPLAY_NEAR = 5e-3;
enum { REPLAY_PARTS = 10 };

/* One method on one task. */
typedef struct {
  const char *kind;
  const SsappBenchMethod *method;
  int number;
  SsOutcome outcome;
  char *message; /* owned */
  double cpu, objective, witness, replay;
  double first; /* CPU time until the first honest answer [s]; NaN: there is none */
  int steps;    /* of the answer; 0: it has none */
} Run;

static void
run_free (gpointer data)
{
  Run *run = data;

  g_free (run->message);
  g_free (run);
}

static gboolean
fail (GError **error, const char *format, const char *what, const char *why)
{
  g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED, format, what, why);
  return FALSE;
}

/* Distance of the replay's end from the plan's, at a tenth of the plan's own step [m]; NaN: it has none. */
static double
replay (const SsScenario *scenario, const SsTrajectory *motion)
{
  const SsMethod *method = ss_method_find (SS_METHOD_INTEGRATOR, "stewart-trinkle", NULL);
  const double time = ss_trajectory_row (motion, motion->n_rows - 1)[0];
  SsStewartTrinkleOptions options;
  SsJob job = ss_job (method, scenario, &options);
  job.simulate.plan = motion;
  job.simulate.dt = time / (motion->n_rows - 1) / REPLAY_PARTS;
  SsRunResult result;
  double distance = NAN;

  ss_options_init (method->options, &options);
  options.gap = SS_STEWART_TRINKLE_END;
  if (ss_run (&job, NULL, &result, NULL) == SS_OK) {
    distance = ss_metric_get (&result.metrics, SS_METRIC_REPLAY_FINAL);
    ss_run_result_clear (&result);
  }
  return distance;
}

static gboolean
write_files (const char *folder, const SsappBenchTask *task, int number, GError **error)
{
  g_autofree char *name = g_strdup_printf ("%s/%s-%d.stickslip.json", folder, task->kind, number);
  g_autofree char *witness = g_strdup_printf ("%s/%s-%d-witness.stickslip.json", folder, task->kind, number);

  return ssapp_write_file (name, task->text, -1, error) && ssapp_write_file (witness, task->witness, -1, error);
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

/* Problems are tasks: of each number one of each kind. */
typedef struct {
  const SsappBenchPlansPlan *plan;
  GPtrArray *runs; /* of Run */
  SsappBenchTask *task;
  SsScenario *scenario; /* of the task */
} Suite;

static gboolean
has_kind (const SsappBenchPlansPlan *plan, const char *kind)
{
  return plan->kinds == NULL || g_strv_contains ((const char *const *)plan->kinds, kind);
}

static void
clear_task (Suite *self)
{
  g_clear_pointer (&self->task, ssapp_bench_task_free);
  g_clear_pointer (&self->scenario, ss_scenario_free);
}

static gboolean
begin (gpointer data, guint problem, GError **error)
{
  Suite *self = data;
  const int k = (int)problem % ssapp_bench_n_task_kinds (), number = (int)problem / ssapp_bench_n_task_kinds ();
  const char *kind = ssapp_bench_task_kinds[k];
  g_autofree char *message = NULL;

  if (!has_kind (self->plan, kind))
    return FALSE;
  self->task = ssapp_bench_task_new (k, self->plan->seed * 1000 + (guint64)number, &message);
  if (self->task == NULL)
    return fail (error, "no task of kind '%s' was certified: %s", kind, message);
  if (self->plan->folder == NULL || write_files (self->plan->folder, self->task, number + 1, error))
    self->scenario = ssapp_bench_read (self->task->text, kind, NULL, 0, &message);
  if (self->scenario != NULL)
    return TRUE;
  clear_task (self);
  return message == NULL ? FALSE : fail (error, "%s: %s", kind, message);
}

static void
keep_result (Run *run, const SsScenario *scenario, const SsRunResult *result)
{
  run->outcome = result->outcome;
  run->message = g_strdup (result->message);
  run->objective = ss_metric_get (&result->metrics, SS_METRIC_OBJECTIVE);
  if (result->outcome != SS_OUTCOME_SOLVED)
    return;
  run->first = ss_metric_get (&result->metrics, SS_METRIC_FIRST_SECONDS);
  run->first = isnan (run->first) ? run->cpu : run->first;
  run->steps = ss_run_motion (result)->n_rows - 1;
  run->replay = replay (scenario, ss_run_motion (result));
}

static gboolean
solve (gpointer data, guint problem, guint m, GError **error)
{
  Suite *self = data;
  Run *run = g_new0 (Run, 1);
  const double cpu = ss_clock_process_cpu ();
  SsError failure = {.message = "out of memory"};
  SsappBenchJob job;
  SsRunResult result;

  *run = (Run){.kind = self->task->kind,
               .method = g_ptr_array_index (self->plan->methods, m),
               .number = (int)problem / ssapp_bench_n_task_kinds () + 1,
               .witness = self->task->objective,
               .replay = NAN,
               .first = NAN};
  g_ptr_array_add (self->runs, run);
  ss_run_control_limit_cpu (self->plan->control, self->plan->cpu_limit);
  const gboolean ok = ssapp_bench_job_init (&job, run->method, self->scenario, &failure) &&
                      ss_run (&job.job, self->plan->control, &result, &failure) == SS_OK;
  self->plan->control->cpu_limit = INFINITY;
  run->cpu = ss_clock_process_cpu () - cpu;
  if (ok) {
    keep_result (run, self->scenario, &result);
    ss_run_result_clear (&result);
    ssapp_bench_say (self->plan->say,
                     "%-8s %3d  %-20s %-14s first %6.2f s of %6.2f s of CPU time  objective %-9.4g of the "
                     "witness %-9.4g replay %.2g m in %d steps %s",
                     run->kind, run->number, run->method->label, ss_outcome_name (run->outcome), run->first, run->cpu,
                     run->objective, run->witness, run->replay, run->steps,
                     run->outcome == SS_OUTCOME_SOLVED ? "" : run->message);
  }
  ssapp_bench_job_clear (&job);
  return ok ? TRUE : fail (error, "%s: %s", run->method->label, failure.message);
}

static void
end (gpointer data, guint problem, gboolean is_whole)
{
  (void)problem;
  (void)is_whole;
  clear_task (data);
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

/* The runs of a kind (NULL: of all) by a method. */
static void
add_sum (SsappBenchSheet *sheet, GPtrArray *runs, const char *kind, const char *policy, const SsappBenchMethod *method)
{
  g_autoptr (GArray) first = g_array_new (FALSE, FALSE, sizeof (double)),
                     cpu = g_array_new (FALSE, FALSE, sizeof (double)),
                     ratio = g_array_new (FALSE, FALSE, sizeof (double));
  int n = 0, n_solved = 0, n_replayed = 0;

  for (guint i = 0; i < runs->len; i++) {
    const Run *run = g_ptr_array_index (runs, i);
    const double part = run->objective / run->witness, until = isnan (run->first) ? run->cpu : run->first;

    if (run->method != method || (kind != NULL && strcmp (kind, run->kind) != 0))
      continue;
    n++;
    g_array_append_val (cpu, run->cpu);
    g_array_append_val (first, until);
    if (run->outcome != SS_OUTCOME_SOLVED)
      continue;
    n_solved++;
    n_replayed += run->replay <= REPLAY_NEAR;
    if (part > 0)
      g_array_append_val (ratio, part);
  }
  SSAPP_BENCH_ROW (sheet, {kind != NULL ? kind : "all"}, {policy}, {method->label}, {.n = n}, {.n = n_solved},
                   {.n = n > 0 ? 100.0 * n_solved / n : NAN}, {.n = ssapp_bench_median (first)},
                   {.n = ssapp_bench_percentile (first, 90)}, {.n = ssapp_bench_median (cpu)},
                   {.n = ssapp_bench_percentile (cpu, 90)}, {.n = ssapp_bench_mean (cpu)},
                   {.n = ssapp_bench_geometric (ratio)}, {.n = n_replayed});
}

static SsappBenchSheet *
make_tables (const SsappBenchPlansPlan *plan, GPtrArray *runs)
{
  static const char *const sums[] = {"kind|kind|0",
                                     "policy|witness by|0",
                                     "method|method|0",
                                     "tasks|tasks|5",
                                     "solved|solved|5",
                                     "percent|%|3",
                                     "first_median|first, median [s]|3",
                                     "first_p90|first, 90 % [s]|3",
                                     "cpu_median|CPU, median [s]|3",
                                     "cpu_p90|CPU, 90 % [s]|3",
                                     "cpu|CPU, mean [s]|3",
                                     "ratio|J / witness|3",
                                     "replayed|replays|5",
                                     NULL};
  static const char *const all[] = {"kind|kind|0",           "task|task|5",       "method|method|0",
                                    "outcome|outcome|0",     "first|first [s]|3", "cpu|CPU [s]|3",
                                    "objective|objective|5", "witness|witness|5", "replay|replay [m]|3",
                                    "steps|steps|5",         "message|message|0", NULL};
  SsappBenchSheet *sheet = ssapp_bench_sheet_new ();

  ssapp_bench_sheet_table (sheet, "kinds", "Random tasks that are known to be possible", sums);
  for (guint m = 0; m < plan->methods->len; m++) {
    for (int k = 0; k < ssapp_bench_n_task_kinds (); k++)
      if (has_kind (plan, ssapp_bench_task_kinds[k]))
        add_sum (sheet, runs, ssapp_bench_task_kinds[k], ssapp_bench_task_policy (k),
                 g_ptr_array_index (plan->methods, m));
    add_sum (sheet, runs, NULL, "", g_ptr_array_index (plan->methods, m));
  }
  ssapp_bench_sheet_note (sheet, "seed %" G_GUINT64_FORMAT ", %d tasks of each kind, at most %g s of CPU time each.",
                          plan->seed, plan->count, plan->cpu_limit);
  ssapp_bench_sheet_note (sheet,
                          "first: CPU time until the first honest answer; of tasks without one the whole time. J / "
                          "witness: geometric mean over the solved. replays: of the solved, those that end "
                          "within 5 mm at a tenth of their own step.");
  ssapp_bench_sheet_table (sheet, "runs", "Each run", all);
  for (guint i = 0; i < runs->len; i++) {
    const Run *run = g_ptr_array_index (runs, i);

    SSAPP_BENCH_ROW (sheet, {run->kind}, {.n = run->number}, {run->method->label}, {ss_outcome_name (run->outcome)},
                     {.n = run->first}, {.n = run->cpu}, {.n = run->objective}, {.n = run->witness}, {.n = run->replay},
                     {.n = run->steps}, {run->outcome == SS_OUTCOME_SOLVED ? "" : run->message});
  }
  return sheet;
}

/* ---- the suite --------------------------------------------------------------------------------------------------- */

SsappBenchSheet *
ssapp_bench_plans (const SsappBenchPlansPlan *plan, GError **error)
{
  g_return_val_if_fail (plan != NULL, NULL);
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (run_free);
  const SsappBenchRuns all = {
      (guint)(plan->count * ssapp_bench_n_task_kinds ()), plan->methods->len, 1, begin, solve, end};
  Suite suite = {.plan = plan, .runs = runs};
  GError *failure = NULL;

  ssapp_bench_make_runs (&all, &suite, plan->control, &failure);
  if (failure == NULL)
    return make_tables (plan, runs);
  g_propagate_error (error, failure);
  return NULL;
}
