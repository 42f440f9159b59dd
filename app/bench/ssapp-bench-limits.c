/* app/bench/ssapp-bench-limits.c: does a problem's own cost keep its answers outside the paper's limits?
 *
 * An answer that misses a limit of 004 sec. IV-C (translation 0.1 m, ...) may be a poor one, or the weights of the cost
 * may prefer it. Evidence: the same problem with the limits as constraints at the last time point. When its best answer
 * costs more than the one that missed, the weights are the reason.
 */
#include "app/bench/ssapp-bench-common.h"
#include "app/bench/ssapp-bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Kept a little inside, so that an answer on the constraint counts as within the limit. */
static const double MARGIN = 0.999;

/* Limits of the paper's criterion. */
static const struct {
  const char *kind;
  double limit;
} limits[] = {
    {"position", 0.1},                /* m     */
    {"velocity", 0.5},                /* m/s   */
    {"angle", G_PI / 6},              /* rad   */
    {"angular_velocity", 0.1 * G_PI}, /* rad/s */
};

/* In the order of the list; an error that the task has not is within. */
gboolean
ssapp_bench_is_reached (const SsMetrics *metrics)
{
  g_return_val_if_fail (metrics != NULL, FALSE);
  static const SsTrackKind kinds[] = {SS_TRACK_POSITION, SS_TRACK_VELOCITY, SS_TRACK_ANGLE, SS_TRACK_ANGULAR_VELOCITY};
  gboolean is_within = TRUE;

  G_STATIC_ASSERT (G_N_ELEMENTS (kinds) == G_N_ELEMENTS (limits));
  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    is_within = is_within && !(metrics->tracking[kinds[i]] > limits[i].limit);
  return is_within;
}

/* limit^2 - sum of squares >= 0; of angles that are taken modulo a turn cos - cos(limit) >= 0. NULL where a residual is
 * no plain formula. */
static json_t *
row_of_limit (const json_t *residuals, double limit, gboolean is_wrapped)
{
  GString *row = g_string_new (NULL);
  char number[40];
  json_t *formula, *json = NULL;
  gboolean ok = json_array_size (residuals) > 0;
  size_t i;

  ss_format_double (is_wrapped ? cos (MARGIN * limit) : MARGIN * MARGIN * limit * limit, number, sizeof number);
  if (!is_wrapped)
    g_string_append (row, number);
  json_array_foreach (residuals, i, formula)
  {
    ok = ok && json_is_string (formula) && (!is_wrapped || i == 0);
    if (ok)
      g_string_append_printf (row, is_wrapped ? "cos(%s) - " : " - (%s)^2", json_string_value (formula));
  }
  if (is_wrapped)
    g_string_append (row, number);
  if (ok)
    json = json_string (row->str);
  g_string_free (row, TRUE);
  return json;
}

/* The scenario's text with a block of limits at the last point; NULL when that cannot be written. */
static char *
limited_text (const char *problem)
{
  json_t *root = json_loads (ssapp_bench_scenario_text (problem), 0, NULL);
  const json_t *task = json_object_get (root, "task"), *tracking = json_object_get (task, "tracking");
  json_t *model = json_object_get (root, "model"), *rows = json_array ();
  const gboolean wraps = json_is_true (json_object_get (task, "wrap"));
  gboolean ok = json_is_array (json_object_get (model, "constraints"));
  char *text = NULL;

  for (guint i = 0; ok && i < G_N_ELEMENTS (limits); i++) {
    const json_t *residuals = json_object_get (tracking, limits[i].kind);
    if (residuals == NULL)
      continue;
    json_t *row = row_of_limit (residuals, limits[i].limit, wraps && strcmp (limits[i].kind, "angle") == 0);
    ok = row != NULL && json_array_append_new (rows, row) == 0;
  }
  if (ok) {
    json_array_append_new (json_object_get (model, "constraints"),
                           json_pack ("{s:s, s:s, s:O}", "name", "limits", "points", "N-1", "nonnegative", rows));
    char *dump = json_dumps (root, JSON_COMPACT | JSON_REAL_PRECISION (17));
    text = g_strdup (dump);
    free (dump);
  }
  json_decref (rows);
  json_decref (root);
  return text;
}

/* x as the solver stacks it, from a trajectory whose first channel is t. */
static double *
stack (const SsTrajectory *trajectory)
{
  const int n = trajectory->n_channels - 1;
  double *x = g_new (double, (gsize)n *(gsize)trajectory->n_rows + 1);

  for (int k = 0; k < trajectory->n_rows; k++)
    memcpy (x + (gsize)k * (gsize)n, ss_trajectory_row (trajectory, k) + 1, sizeof (double) * (gsize)n);
  return x;
}

SsStatus
ssapp_bench_solve (const SsappBenchPlan *plan, const SsJob *job, SsRunResult *result, SsError *err)
{
  g_return_val_if_fail (plan != NULL, SS_ERR_INVALID);
  ss_run_control_limit_cpu (plan->control, plan->cpu_limit);
  const SsStatus status = ss_run (job, plan->control, result, err);
  plan->control->cpu_limit = INFINITY;
  return status;
}

/* One attempt from x0 (NULL: the scenario's guess); NaN when nothing within the limits came out. */
static double
solve_limited (const SsappBenchRun *run, const SsScenario *scenario, const void *options, const double *x0,
               const SsappBenchPlan *plan)
{
  SsJob job = ss_job (run->method->method, scenario, options);
  job.solve.x0 = x0;
  SsRunResult result;
  double objective = NAN;

  if (ssapp_bench_solve (plan, &job, &result, NULL) != SS_OK)
    return NAN;
  if (ss_metric_get (&result.metrics, SS_METRIC_SUCCESS_PAPER) > 0)
    objective = ss_metric_get (&result.metrics, SS_METRIC_OBJECTIVE);
  ss_run_result_clear (&result);
  return objective;
}

/* ---- bounds ------------------------------------------------------------------------------------------------------ */

static double
parameter (const SsScenario *scenario, const char *name)
{
  const int i = ss_scenario_parameter (scenario, name);

  return i >= 0 ? scenario->parameters[i].value : NAN;
}

/* The furthest place to the right that a point reaches in n semi-implicit steps of h with accelerations of at most a,
 * from x with velocity v, when its last velocity shall be w: an early push counts for more steps than a late one, so
 * push first, brake then. NaN when w is out of reach. */
static double
furthest_right (double x, double v, double w, double a, double h, int n)
{
  double raise = (w - v) / h + a * n; /* what all accelerations together are above -a */

  if (raise < 0 || raise > 2 * a * n)
    return NAN;
  for (int k = 0; k < n; k++) {
    const double own = fmin (raise, 2 * a);
    raise -= own;
    v += h * (own - a);
    x += h * v;
  }
  return x;
}

/* Only friction moves the payload of `transport`, so a bound on its motion is a bound on every answer, whatever a
 * method does. */
char *
ssapp_bench_impossible (const SsScenario *scenario)
{
  g_return_val_if_fail (scenario != NULL, NULL);
  if (strcmp (scenario->name, "transport") != 0 || scenario->model == NULL)
    return NULL;
  const double a = parameter (scenario, "mu") * parameter (scenario, "g"), h = scenario->model->time_step;
  const double x = parameter (scenario, "x10"), v = parameter (scenario, "v10");
  const double xt = parameter (scenario, "x1t"), vt = parameter (scenario, "v1t");
  const double fast = vt + limits[1].limit, slow = vt - limits[1].limit, near = limits[0].limit;
  const int n = scenario->model->n_points - 1;
  const double right = furthest_right (x, v, fast, a, h, n), left = -furthest_right (-x, -v, -slow, a, h, n);

  if (right < xt - near)
    return g_strdup_printf ("no motion can: friction accelerates the payload by at most %.3g m/s2, which takes it no "
                            "further right than %.3g m "
                            "with %.3g m/s",
                            a, right, fast);
  if (left > xt + near)
    return g_strdup_printf ("no motion can: friction accelerates the payload by at most %.3g m/s2, which takes it no "
                            "further left than %.3g m "
                            "with %.3g m/s",
                            a, left, slow);
  return NULL;
}

/* ---- the same problem within the limits -------------------------------------------------------------------------- */

double
ssapp_bench_within_limits (const SsappBenchPlan *plan, const SsappBenchRun *run, const SsTrajectory *answer)
{
  g_return_val_if_fail (plan != NULL && run != NULL, (double)NAN);
  char *text = limited_text (run->instance->problem);
  SsScenario *scenario =
      text != NULL ? ssapp_bench_read (text, run->instance->problem, run->instance->set, run->instance->n_set, NULL)
                   : NULL;
  SsError error;
  double best = NAN;

  if (scenario != NULL) {
    void *options = ssapp_bench_method_options (run->method, scenario, &error);
    double *x0 = stack (answer);
    if (options != NULL) {
      best = solve_limited (run, scenario, options, NULL, plan);
      best = fmin (best, solve_limited (run, scenario, options, x0, plan)); /* fmin passes over NaN */
    }
    g_free (options);
    g_free (x0);
  }
  ss_scenario_free (scenario);
  g_free (text);
  return best;
}
