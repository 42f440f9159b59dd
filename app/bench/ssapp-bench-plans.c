/* app/bench/ssapp-bench-plans.c: see the header. */
#include "app/bench/ssapp-bench-plans.h"

#include "app/base/ssapp-file.h"
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
  double wall, cpu, objective, witness, replay;
  double first; /* wall until the first honest answer [s]; NaN: there is none */
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
is_cancelled (const SsappBenchPlansPlan *plan)
{
  return atomic_load (&plan->control->cancel) != 0;
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
solve (const SsappBenchPlansPlan *plan, const SsScenario *scenario, Run *run, GError **error)
{
  const double wall = ss_clock_wall (), cpu = ss_clock_process_cpu ();
  SsError failure = {.message = "out of memory"};
  void *options = ssapp_bench_method_options (run->method, scenario, &failure);
  SsRunResult result;
  void *transcription = options != NULL ? ssapp_bench_method_transcription (run->method, scenario, &failure) : NULL;
  SsJob job = ss_job (run->method->method, scenario, options);

  plan->control->deadline = wall + plan->time_limit;
  if (transcription != NULL) {
    job.solve.transcription = ss_transcription_choose (transcription);
    ss_method_suit (run->method->method, job.solve.transcription.class_, options);
  }
  if (transcription == NULL || ss_run (&job, plan->control, &result, &failure) != SS_OK) {
    g_free (options);
    g_free (transcription);
    return fail (error, "%s: %s", run->method->label, failure.message);
  }
  run->wall = ss_clock_wall () - wall;
  run->cpu = ss_clock_process_cpu () - cpu;
  run->outcome = result.outcome;
  run->message = g_strdup (result.message);
  run->first = NAN;
  if (result.outcome == SS_OUTCOME_SOLVED) {
    run->first = ss_metric_get (&result.metrics, SS_METRIC_FIRST_SECONDS);
    run->first = isnan (run->first) ? run->wall : run->first;
    run->steps = ss_run_motion (&result)->n_rows - 1;
  }
  run->objective = ss_metric_get (&result.metrics, SS_METRIC_OBJECTIVE);
  run->replay = result.outcome == SS_OUTCOME_SOLVED ? replay (scenario, ss_run_motion (&result)) : NAN;
  ss_run_result_clear (&result);
  g_free (options);
  g_free (transcription);
  return TRUE;
}

static gboolean
run_task (const SsappBenchPlansPlan *plan, const SsappBenchTask *task, int number, GPtrArray *runs, GError **error)
{
  SsScenario *scenario = NULL;
  SsProblems problems;
  gboolean ok = TRUE;

  ss_problems_init (&problems);
  if (ss_scenario_read (task->text, strlen (task->text), task->kind, NULL, 0, &problems, &scenario) != SS_OK)
    ok = fail (error, "%s: %s", task->kind, problems.n_items > 0 ? problems.items[0].message : "out of memory");
  for (guint m = 0; ok && m < plan->methods->len && !is_cancelled (plan); m++) {
    Run *run = g_new0 (Run, 1);

    run->kind = task->kind;
    run->number = number;
    run->method = g_ptr_array_index (plan->methods, m);
    run->witness = task->objective;
    g_ptr_array_add (runs, run);
    ok = solve (plan, scenario, run, error);
    if (ok && plan->say != NULL) {
      g_autofree char *line = g_strdup_printf (
          "%-8s %3d  %-20s %-14s first %6.2f s of %6.2f s, CPU %6.2f s  objective %-9.4g of the "
          "witness %-9.4g replay %.2g m in %d steps %s",
          run->kind, number, run->method->label, ss_outcome_name (run->outcome), run->first, run->wall, run->cpu,
          run->objective, run->witness, run->replay, run->steps, run->outcome == SS_OUTCOME_SOLVED ? "" : run->message);
      plan->say (line);
    }
  }
  ss_problems_clear (&problems);
  ss_scenario_free (scenario);
  return ok;
}

static gboolean
write_files (const char *folder, const SsappBenchTask *task, int number, GError **error)
{
  g_autofree char *name = g_strdup_printf ("%s/%s-%d.stickslip.json", folder, task->kind, number);
  g_autofree char *witness = g_strdup_printf ("%s/%s-%d-witness.stickslip.json", folder, task->kind, number);

  return ssapp_write_file (name, task->text, -1, error) && ssapp_write_file (witness, task->witness, -1, error);
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

/* The runs of a kind (NULL: of all) by a method. */
static void
add_sum (SsappBenchSheet *sheet, GPtrArray *runs, const char *kind, const char *policy, const SsappBenchMethod *method)
{
  g_autoptr (GArray) wall = g_array_new (FALSE, FALSE, sizeof (double)),
                     first = g_array_new (FALSE, FALSE, sizeof (double)),
                     cpu = g_array_new (FALSE, FALSE, sizeof (double)),
                     ratio = g_array_new (FALSE, FALSE, sizeof (double));
  int n = 0, n_solved = 0, n_replayed = 0;

  for (guint i = 0; i < runs->len; i++) {
    const Run *run = g_ptr_array_index (runs, i);
    const double part = run->objective / run->witness, until = isnan (run->first) ? run->wall : run->first;

    if (run->method != method || (kind != NULL && strcmp (kind, run->kind) != 0))
      continue;
    n++;
    g_array_append_val (cpu, run->cpu);
    g_array_append_val (wall, run->wall);
    g_array_append_val (first, until);
    if (run->outcome != SS_OUTCOME_SOLVED)
      continue;
    n_solved++;
    n_replayed += run->replay <= REPLAY_NEAR;
    if (part > 0)
      g_array_append_val (ratio, part);
  }
  ssapp_bench_sheet_row (sheet);
  ssapp_bench_sheet_text (sheet, kind != NULL ? kind : "all");
  ssapp_bench_sheet_text (sheet, policy);
  ssapp_bench_sheet_text (sheet, method->label);
  ssapp_bench_sheet_number (sheet, n);
  ssapp_bench_sheet_number (sheet, n_solved);
  ssapp_bench_sheet_number (sheet, n > 0 ? 100.0 * n_solved / n : NAN);
  ssapp_bench_sheet_number (sheet, ssapp_median ((double *)(void *)first->data, (int)first->len));
  ssapp_bench_sheet_number (sheet, ssapp_percentile ((double *)(void *)first->data, (int)first->len, 90));
  ssapp_bench_sheet_number (sheet, ssapp_median ((double *)(void *)wall->data, (int)wall->len));
  ssapp_bench_sheet_number (sheet, ssapp_percentile ((double *)(void *)wall->data, (int)wall->len, 90));
  ssapp_bench_sheet_number (sheet, ssapp_mean ((double *)(void *)cpu->data, (int)cpu->len));
  ssapp_bench_sheet_number (sheet, ssapp_geometric_mean ((double *)(void *)ratio->data, (int)ratio->len));
  ssapp_bench_sheet_number (sheet, n_replayed);
}

static gboolean
has_kind (const SsappBenchPlansPlan *plan, const char *kind)
{
  return plan->kinds == NULL || g_strv_contains ((const char *const *)plan->kinds, kind);
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
                                     "median|median [s]|3",
                                     "p90|90 % [s]|3",
                                     "cpu|CPU, mean [s]|3",
                                     "ratio|J / witness|3",
                                     "replayed|replays|5",
                                     NULL};
  static const char *const all[] = {"kind|kind|0",
                                    "task|task|5",
                                    "method|method|0",
                                    "outcome|outcome|0",
                                    "first|first [s]|3",
                                    "wall|wall [s]|3",
                                    "cpu|CPU [s]|3",
                                    "objective|objective|5",
                                    "witness|witness|5",
                                    "replay|replay [m]|3",
                                    "steps|steps|5",
                                    "message|message|0",
                                    NULL};
  SsappBenchSheet *sheet = ssapp_bench_sheet_new ();

  ssapp_bench_sheet_table (sheet, "kinds", "Random tasks that are known to be possible", sums);
  for (guint m = 0; m < plan->methods->len; m++) {
    for (int k = 0; k < ssapp_bench_n_task_kinds (); k++)
      if (has_kind (plan, ssapp_bench_task_kind (k)))
        add_sum (sheet, runs, ssapp_bench_task_kind (k), ssapp_bench_task_policy (k),
                 g_ptr_array_index (plan->methods, m));
    add_sum (sheet, runs, NULL, "", g_ptr_array_index (plan->methods, m));
  }
  ssapp_bench_sheet_note (sheet, "seed %" G_GUINT64_FORMAT ", %d tasks of each kind, at most %g s each.", plan->seed,
                          plan->count, plan->time_limit);
  ssapp_bench_sheet_note (sheet, "first: until the first honest answer; of tasks without one the whole time. J / "
                                 "witness: geometric mean over the solved. replays: of the solved, those that end "
                                 "within 5 mm at a tenth of their own step.");
  ssapp_bench_sheet_table (sheet, "runs", "Each run", all);
  for (guint i = 0; i < runs->len; i++) {
    const Run *run = g_ptr_array_index (runs, i);

    ssapp_bench_sheet_row (sheet);
    ssapp_bench_sheet_text (sheet, run->kind);
    ssapp_bench_sheet_number (sheet, run->number);
    ssapp_bench_sheet_text (sheet, run->method->label);
    ssapp_bench_sheet_text (sheet, ss_outcome_name (run->outcome));
    ssapp_bench_sheet_number (sheet, run->first);
    ssapp_bench_sheet_number (sheet, run->wall);
    ssapp_bench_sheet_number (sheet, run->cpu);
    ssapp_bench_sheet_number (sheet, run->objective);
    ssapp_bench_sheet_number (sheet, run->witness);
    ssapp_bench_sheet_number (sheet, run->replay);
    ssapp_bench_sheet_number (sheet, run->steps);
    ssapp_bench_sheet_text (sheet, run->outcome == SS_OUTCOME_SOLVED ? "" : run->message);
  }
  return sheet;
}

/* ---- the suite --------------------------------------------------------------------------------------------------- */

static gboolean
check_kinds (const SsappBenchPlansPlan *plan, GError **error)
{
  const char *names[64];
  const int n = ssapp_bench_n_task_kinds ();

  for (int k = 0; k < n; k++)
    names[k] = ssapp_bench_task_kind (k);
  for (int i = 0; plan->kinds != NULL && plan->kinds[i] != NULL; i++) {
    gboolean is_known = FALSE;

    for (int k = 0; k < n; k++)
      is_known = is_known || strcmp (names[k], plan->kinds[i]) == 0;
    if (!is_known) {
      const char *nearest = ss_nearest_name (plan->kinds[i], names, n);

      return fail (error, "suite plans has no kind '%s'; did you mean '%s'?", plan->kinds[i],
                   nearest != NULL ? nearest : names[0]);
    }
  }
  return TRUE;
}

SsappBenchSheet *
ssapp_bench_plans (const SsappBenchPlansPlan *plan, GError **error)
{
  g_return_val_if_fail (plan != NULL, NULL);
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (run_free);
  gboolean ok = check_kinds (plan, error);

  for (int i = 0; ok && i < plan->count; i++)
    for (int k = 0; ok && k < ssapp_bench_n_task_kinds () && !is_cancelled (plan); k++) {
      g_autofree char *message = NULL;

      if (!has_kind (plan, ssapp_bench_task_kind (k)))
        continue;
      SsappBenchTask *task = ssapp_bench_task_new (k, plan->seed * 1000 + (guint64)i, &message);
      ok = task != NULL || fail (error, "no task of kind '%s' was certified: %s", ssapp_bench_task_kind (k), message);
      ok = ok && (plan->folder == NULL || write_files (plan->folder, task, i + 1, error)) &&
           run_task (plan, task, i + 1, runs, error);
      ssapp_bench_task_free (task);
    }
  return ok ? make_tables (plan, runs) : NULL;
}
