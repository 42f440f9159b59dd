/* app/bench/ssapp-bench-freeze-plan.c: Example 5 of paper 001 [001 Fig 6]: the plan, its controls in a simulation by
 * time-freezing, told by the clock of the plan; numbers of every example; see ssapp-bench-freeze.h. */
#include "app/bench/ssapp-bench-common.h"
#include "app/bench/ssapp-bench-freeze-private.h"

#include "run/ss-run.h"

#include <math.h>
#include <string.h>

#include "bench-freeze-ocp-exact.h"
#include "bench-freeze-ocp.h"

enum { CASE = 1, STEPS_PER_INTERVAL = 4 }; /* height 1, the cost in numerical time */
static const char *const planner = "scholtes:cost=numerical", *const simulator = "time-freezing:stages=3";
/* Of the optimum: the file has eight digits of the controls, and the polish agrees with its replay to 1e-4 of the cost.
 * Of speeds and places: those digits. */
static const double cost_tolerance = 1e-3, number_tolerance = 1e-6;

/* ---- numbers of examples ----------------------------------------------------------------------------------------- */

double
ssapp_freeze_number (const json_t *object, const char *key)
{
  const json_t *value = json_object_get (object, key);
  const char *text = json_string_value (value);

  return json_is_number (value) ? json_number_value (value) : text != NULL ? g_ascii_strtod (text, NULL) : NAN;
}

void
ssapp_freeze_check (SsappFreezeExample *example, const char *name, double ours, double exact, double tolerance)
{
  g_assert (example->n_checks < SSAPP_FREEZE_CHECKS);
  example->checks[example->n_checks].name = name;
  example->checks[example->n_checks].ours = ours;
  example->checks[example->n_checks].exact = exact;
  example->checks[example->n_checks++].tolerance = tolerance;
}

/* ---- the plan ---------------------------------------------------------------------------------------------------- */

/* The motion of the plan's controls; FALSE with a message in the example. */
static gboolean
simulate (SsappFreezeExample *example, const SsTrajectory *plan, SsSimResult *result)
{
  GPtrArray *methods = ssapp_bench_methods_parse (SS_METHOD_INTEGRATOR, simulator, NULL);
  const SsappBenchMethod *method = g_ptr_array_index (methods, 0);
  SsError error = {0};
  void *options = ssapp_bench_method_options (method, example->scenario, &error);
  SsControls *controls = NULL;
  gboolean ok = options != NULL && ss_controls_new (example->scenario->scene, plan, &controls, &error) == SS_OK;
  const SsPlan *task = example->scenario->task.plan;
  const SsSimJob job = {.scene = example->scenario->scene,
                        .integrator = method->method->integrator,
                        .options = options,
                        .controls = controls,
                        .dt = task->horizon / task->steps / STEPS_PER_INTERVAL,
                        .t_end = task->horizon};

  ok = ok && ss_simulate_job (&job, NULL, result, &error) == SS_OK;
  if (!ok || result->outcome != SS_OUTCOME_COMPLETED)
    g_strlcpy (example->message, ok ? result->message : error.message, sizeof example->message);
  ss_controls_free (controls);
  g_free (options);
  g_ptr_array_unref (methods);
  return ok && result->outcome == SS_OUTCOME_COMPLETED;
}

/* tau at the ends of the intervals; ends[n + 1]. */
static void
find_ends (const SsTrajectory *motion, int tau, int n, double horizon, double *ends)
{
  for (int k = 0; k <= n; k++) {
    const int row = ss_trajectory_row_up_to (motion, 0, k * horizon / n + 1e-9 * horizon);
    ends[k] = ss_trajectory_row (motion, MAX (row, 0))[tau];
  }
}

/* The motion by the clock of a plan whose n intervals are equally long in tau as in t: speeds s of time and the channel
 * s_k, constant in each of them. Rows where two intervals meet stand twice. */
static SsTrajectory *
tell_by_plan (const SsTrajectory *motion, int n, double horizon, const double *ends)
{
  const int tau = ss_trajectory_second_clock (motion), speed = ss_trajectory_channel (motion, "speed"),
            n_channels = motion->n_channels;
  SsChannel *channels = g_new (SsChannel, n_channels + 1);
  double *row = g_new (double, n_channels + 1);
  SsTrajectory *out = NULL;
  double last = -INFINITY;

  memcpy (channels, motion->channels, (size_t)n_channels * sizeof *channels);
  channels[n_channels] = ss_channel_named ("s_k");
  if (ss_trajectory_new (channels, n_channels + 1, motion->n_rows + n, &out, NULL) != SS_OK)
    g_error ("out of memory");
  for (int r = 0, k = 0; r < motion->n_rows; r++) {
    const double *from = ss_trajectory_row (motion, r);

    for (;; k++) {
      const double s = (ends[k + 1] - ends[k]) * n / horizon;

      memcpy (row, from, (size_t)n_channels * sizeof *row);
      /* ends of intervals are met to rounding, and a clock does not go back */
      last = row[tau] = fmax (k * horizon / n + (from[tau] - ends[k]) / s, last);
      row[speed] = s * from[speed];
      row[n_channels] = s;
      if (ss_trajectory_append (out, row, NULL) != SS_OK)
        g_error ("out of memory");
      if (k + 1 >= n || from[tau] < ends[k + 1])
        break;
    }
  }
  g_free (channels);
  g_free (row);
  return out;
}

/* Beside the exact optimum. */
static void
check (SsappFreezeExample *example, double objective, const SsTrajectory *motion, int n, double horizon,
       const double *ends)
{
  json_t *root = json_loads (bench_freeze_ocp_exact, 0, NULL);
  const json_t *one = json_array_get (json_object_get (root, "cases"), CASE),
               *speeds = json_object_get (one, "speed_of_time");
  const double *end = ss_trajectory_row (motion, motion->n_rows - 1), best = ssapp_freeze_number (one, "optimal_cost");
  double off = 0, ours = 0, theirs = 0;

  for (int k = 0; k < n; k++) {
    const double s = (ends[k + 1] - ends[k]) * n / horizon,
                 exact = json_number_value (json_array_get (speeds, (size_t)k));
    if (k < SSAPP_FREEZE_INTERVALS) {
      const int row = ss_trajectory_row_up_to (motion, 0, (k + .5) * horizon / n);
      example->intervals[example->n_intervals++] =
          (SsappFreezeInterval){ss_trajectory_row (motion, MAX (row, 0))[ss_trajectory_channel (motion, "u.push")],
                                json_number_value (json_array_get (json_object_get (one, "u"), (size_t)k)), s, exact};
    }
    if (!(fabs (s - exact) < off)) {
      off = fabs (s - exact);
      ours = s;
      theirs = exact;
    }
  }
  ssapp_freeze_check (example, "cost in numerical time", objective, best, cost_tolerance * best);
  ssapp_freeze_check (example, "speed of time s in the worst interval", ours, theirs, number_tolerance);
  ssapp_freeze_check (
      example, "particle.x at the end", end[ss_trajectory_channel (motion, "particle.x")],
      json_number_value (json_array_get (json_object_get (json_object_get (root, "common"), "target_q"), 0)),
      number_tolerance);
  ssapp_freeze_check (example, "particle.vx at the end", end[ss_trajectory_channel (motion, "particle.vx")], 0,
                      number_tolerance);
  json_decref (root);
}

/* The plan, by the options of its file; NULL with a message in the example, else for ss_run_result_clear. */
static const SsTrajectory *
solve (SsappBenchFreeze *self, SsappFreezeExample *example, SsRunResult *result)
{
  GPtrArray *methods = ssapp_bench_methods_parse (SS_METHOD_OPTIMISER, planner, NULL);
  const SsappBenchMethod *method = g_ptr_array_index (methods, 0);
  SsError error = {0};
  SsappBenchJob job;
  const gboolean ok = ssapp_bench_job_init (&job, method, example->scenario, &error) &&
                      ss_run (&job.job, self->plan->control, result, &error) == SS_OK;

  if (!ok || result->outcome != SS_OUTCOME_SOLVED)
    g_strlcpy (example->message, ok ? result->message : error.message, sizeof example->message);
  ssapp_bench_job_clear (&job);
  g_ptr_array_unref (methods);
  return ok && result->outcome == SS_OUTCOME_SOLVED ? ss_run_motion (result) : NULL;
}

void
ssapp_freeze_plan (SsappBenchFreeze *self)
{
  g_return_if_fail (self != NULL);
  SsappFreezeExample *example = &self->examples[SSAPP_FREEZE_PLANNED];
  g_autofree char *refusal = NULL;
  SsRunResult planned;
  SsSimResult simulated = {0};

  example->title = "Example 5 (cost in numerical time)";
  example->stem = "fig6-clocks";
  example->scenario = ssapp_bench_read (bench_freeze_ocp, example->title, NULL, 0, &refusal);
  if (example->scenario == NULL) {
    g_strlcpy (example->message, refusal, sizeof example->message);
    return;
  }
  ss_run_result_init (&planned);
  const SsTrajectory *plan = solve (self, example, &planned);
  if (plan != NULL && simulate (example, plan, &simulated)) {
    const SsPlan *task = example->scenario->task.plan;
    const int n = task->steps;
    double *ends = g_new (double, n + 1);

    find_ends (simulated.trajectory, ss_trajectory_second_clock (simulated.trajectory), n, task->horizon, ends);
    check (example, ss_metric_get (&planned.metrics, SS_METRIC_OBJECTIVE), simulated.trajectory, n, task->horizon,
           ends);
    example->motion = tell_by_plan (simulated.trajectory, n, task->horizon, ends);
    g_free (ends);
  }
  ssapp_bench_say (self->plan->say, "%s", example->title);
  ss_sim_result_clear (&simulated);
  ss_run_result_clear (&planned);
}
