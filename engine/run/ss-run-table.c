/* engine/run/ss-run-table.c: see the header. */
#include "run/ss-run-table.h"

#include "run/ss-run-simulate.h"
#include "simulate/ss-simulate.h"
#include "solve/ss-run-violations.h"

static int
count_steps (const SsTrajectory *table)
{
  int n = 0;

  for (int k = 1; k < table->n_rows; k++)
    n += ss_trajectory_row (table, k)[0] > ss_trajectory_row (table, k - 1)[0];
  return n;
}

/* Objective and violations of the task, by the rows of its problem; `result` was made of the motion of a scene, or is
 * empty of a model. The motion of a scene need not be a plan. */
static SsStatus
judge_task (const SsScenario *scenario, SsRunResult *result, SsError *err)
{
  SsMetrics found;
  bool is_exact;
  const SsStatus status = ss_run_violations (scenario, NULL, ss_run_motion (result), SS_VIOLATIONS_KEPT, &found,
                                             &result->violations, &is_exact, err);

  if (status != SS_OK)
    return scenario->scene == NULL ? status : SS_OK;
  if (scenario->scene == NULL && !is_exact)
    return ss_error_set (err, SS_ERR_INVALID, "the table lacks variables of the model, or a time point");
  if (!is_exact)
    ss_violations_clear (&result->violations);
  SsMetricSet set = {0};
  ss_metrics_fill_set (&found, &set);
  for (int i = 0; i < SS_METRIC_COUNT; i++) {
    const bool is_of_motion = i == SS_METRIC_OBJECTIVE || i == SS_METRIC_TRACKING_TOTAL;
    if (set.is_set[i] && !result->metrics.is_set[i] && (is_exact || is_of_motion))
      ss_metric_set (&result->metrics, (SsMetric)i, ss_metric_get (&set, (SsMetric)i));
  }
  return SS_OK;
}

SsStatus
ss_run_result_from_table (const SsScenario *scenario, SsTrajectory **motion, SsRunResult *result, SsError *err)
{
  SS_ASSERT (scenario != NULL && motion != NULL && *motion != NULL && (*motion)->n_rows > 0 && result != NULL);
  SsSimResult made = {.trajectory = *motion, .metrics.steps = count_steps (*motion)};
  SsStatus status;

  if (scenario->scene != NULL) {
    *motion = NULL;
    status = ss_run_result_from_motion (scenario->scene, NULL, SS_OUTCOME_COMPLETED, &made, result, err);
  } else {
    ss_run_result_init (result);
    status = ss_run_add_answer (result, motion, err);
  }
  if (status == SS_OK)
    status = judge_task (scenario, result, err);
  if (status != SS_OK) {
    ss_run_result_clear (result);
    return status;
  }
  if (scenario->scene == NULL)
    result->outcome = ss_metric_get (&result->metrics, SS_METRIC_MAX_VIOLATION) < SS_RUN_FEASIBLE
                          ? SS_OUTCOME_SOLVED
                          : SS_OUTCOME_INFEASIBLE;
  return SS_OK;
}
