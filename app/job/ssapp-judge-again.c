/* app/job/ssapp-judge-again.c: see the header. */
#include "app/job/ssapp-judge-again.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-metric.h"
#include "app/job/ssapp-violations.h"
#include "run/ss-run-violations.h"

#include <math.h>
#include <string.h>

/* What other machines' libraries may leave in sums. */
static const double TOLERANCE = 1e-9;

typedef struct {
  const SsScenario *scenario;
  const json_t *result;
  const SsTrajectory *motion;
  SsMetricSet claimed;
  GPtrArray *faults; /* of char * */
} Judge;

const char *
ssapp_result_fault (SsMethodKind kind, const char *outcome, gboolean has_motion)
{
  SsOutcome known;

  if (outcome == NULL || !ss_outcome_from_name (outcome, &known))
    return "its outcome is none that this program knows";
  if (ss_outcome_is_success (known) && !has_motion && kind != SS_METHOD_IMPACT_LAW)
    return "it claims success and has no motion";
  return NULL;
}

/* ---- comparing --------------------------------------------------------------------------------------------------- */

static void
compare (Judge *self, const char *what, double claimed, double judged)
{
  if (isnan (claimed) || isnan (judged) || claimed == judged ||
      fabs (claimed - judged) <= TOLERANCE * MAX (1, MAX (fabs (claimed), fabs (judged))))
    return;
  g_ptr_array_add (self->faults, g_strdup_printf ("%s: %.9g, by its motion %.9g", what, claimed, judged));
}

static void
compare_metrics (Judge *self, const SsMetricSet *judged, const SsMetric *metrics, gsize n)
{
  for (gsize i = 0; i < n; i++) {
    g_autofree char *title = ssapp_metric_title (metrics[i]);
    if (self->claimed.is_set[metrics[i]])
      compare (self, title, ss_metric_get (&self->claimed, metrics[i]), ss_metric_get (judged, metrics[i]));
  }
}

/* Channels of the result's final state beside the last row. */
static void
compare_end (Judge *self)
{
  json_t *state = json_object_get (self->result, "final_state"), *value;
  const char *name;

  json_object_foreach (state, name, value)
  {
    const int channel = ss_trajectory_channel (self->motion, name);
    g_autofree char *what = g_strdup_printf ("%s at the end", name);
    if (channel >= 0 && self->motion->n_rows > 0 && json_is_number (value))
      compare (self, what, json_number_value (value),
               ss_trajectory_row (self->motion, self->motion->n_rows - 1)[channel]);
  }
}

/* ---- judging ----------------------------------------------------------------------------------------------------- */

/* As a motion of the scene. */
static gboolean
judge_motion (Judge *self, SsOutcome outcome, GError **error)
{
  static const SsMetric metrics[] = {SS_METRIC_ENERGY_INITIAL, SS_METRIC_ENERGY_FINAL, SS_METRIC_MAX_PENETRATION,
                                     SS_METRIC_MAX_CONE_VIOLATION, SS_METRIC_MAX_JOINT_DRIFT};
  SsSimResult made = {0};
  SsRunResult judged;
  SsError err = {0};
  SsStatus status = ss_trajectory_copy (self->motion, &made.trajectory, &err);

  if (status == SS_OK)
    status = ss_scenario_describe (self->scenario, made.trajectory, &err);
  made.metrics.steps = -1;
  if (status != SS_OK) {
    ss_trajectory_free (made.trajectory);
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, err.message);
    return FALSE;
  }
  status = ss_run_result_from_motion (self->scenario->scene, outcome, &made, &judged, &err);
  if (status == SS_OK && judged.verdict.is_complete)
    compare_metrics (self, &judged.metrics, metrics, G_N_ELEMENTS (metrics));
  else if (status != SS_OK)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, err.message);
  ss_run_result_clear (&judged);
  return status == SS_OK;
}

/* As a point of the problem; where the motion does not tell all of it, nothing is compared. */
static gboolean
judge_point (Judge *self, SsOutcome outcome, gboolean *is_exact, GError **error)
{
  static const SsMetric metrics[] = {
      SS_METRIC_OBJECTIVE,          SS_METRIC_MAX_VIOLATION,        SS_METRIC_COMPLEMENTARITY,
      SS_METRIC_VIOLATION_EQUALITY, SS_METRIC_VIOLATION_INEQUALITY, SS_METRIC_VIOLATION_PRODUCT,
      SS_METRIC_L1_VIOLATION,       SS_METRIC_TRACKING_TOTAL};
  SsViolations list = {0};
  SsMetrics found;
  SsMetricSet judged = {0};

  *is_exact = FALSE;
  if (!ssapp_violations_of_motion (self->scenario, self->result, self->motion, 1, &list, &found, is_exact, error))
    return FALSE;
  ss_violations_clear (&list);
  if (!*is_exact)
    return TRUE;
  ss_metrics_fill_set (&found, &judged);
  compare_metrics (self, &judged, metrics, G_N_ELEMENTS (metrics));
  if (outcome == SS_OUTCOME_SOLVED && !(found.max_violation < SS_RUN_FEASIBLE))
    g_ptr_array_add (self->faults,
                     g_strdup_printf ("Outcome: solved, but its motion violates a row by %.3g", found.max_violation));
  return TRUE;
}

static SsScenario *
read_scenario (const char *text, const json_t *parameters, GError **error)
{
  SsOverride *overrides = g_new0 (SsOverride, json_object_size (parameters) + 1);
  SsScenario *scenario = NULL;
  SsProblems problems;
  const char *name;
  json_t *value;
  int n = 0;

  ss_problems_init (&problems);
  json_object_foreach ((json_t *)parameters, name, value) overrides[n++] =
      (SsOverride){name, json_number_value (value)};
  if (ss_scenario_read (text, strlen (text), "", overrides, n, &problems, &scenario) != SS_OK) {
    char line[1024] = "";
    if (problems.n_items > 0)
      ss_error_format (&problems.items[0], line, sizeof line);
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "its scenario cannot be read: %s", line);
    scenario = NULL;
  }
  ss_problems_clear (&problems);
  g_free (overrides);
  return scenario;
}

static gboolean
was_told_to_end (SsOutcome outcome)
{
  return outcome == SS_OUTCOME_CANCELLED || outcome == SS_OUTCOME_TIME_LIMIT || outcome == SS_OUTCOME_INTERRUPTED;
}

static gboolean
judge (Judge *self, SsMethodKind kind, SsOutcome outcome, GError **error)
{
  g_autoptr (GError) local = NULL;
  gboolean is_exact = FALSE;

  compare_end (self);
  if (kind == SS_METHOD_OPTIMISER && !judge_point (self, outcome, &is_exact, &local) && self->scenario->scene == NULL) {
    g_propagate_error (error, g_steal_pointer (&local));
    return FALSE;
  }
  if (self->scenario->scene != NULL)
    return judge_motion (self, kind == SS_METHOD_OPTIMISER ? SS_OUTCOME_COMPLETED : outcome, error);
  if (!is_exact)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "its motion lacks variables of its scenario");
  return is_exact;
}

GPtrArray *
ssapp_judge_again (SsMethodKind kind, const char *scenario_text, const json_t *parameters, const json_t *result,
                   const SsTrajectory *motion, GError **error)
{
  Judge self = {.result = result, .motion = motion, .faults = g_ptr_array_new_with_free_func (g_free)};
  const char *name = ssapp_json_get_string (result, "outcome"),
             *fault = ssapp_result_fault (kind, name, motion != NULL);
  SsOutcome outcome;

  if (fault != NULL) {
    g_ptr_array_add (self.faults, g_strdup (fault));
    return self.faults;
  }
  ssapp_metrics_from_json (json_object_get (result, "metrics"), &self.claimed);
  SsScenario *scenario = read_scenario (scenario_text, parameters, error);
  self.scenario = scenario;
  const gboolean is_judged = motion != NULL && motion->n_rows > 0 && kind != SS_METHOD_IMPACT_LAW &&
                             ss_outcome_from_name (name, &outcome) && !was_told_to_end (outcome);
  if (scenario == NULL || (is_judged && !judge (&self, kind, outcome, error)))
    g_clear_pointer (&self.faults, g_ptr_array_unref);
  ss_scenario_free (scenario);
  return self.faults;
}
