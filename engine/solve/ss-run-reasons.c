/* engine/solve/ss-run-reasons.c: why a run of an optimiser is no success; see ss-run-judge.h. */
#include "solve/ss-run-judge.h"

#include "simulate/ss-recover.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of a motion with frozen spans the one in time counts, as for the judge. */
static SsStatus
find_of_motion (const SsScenario *scenario, SsRunResult *result, SsError *err)
{
  const SsTrajectory *motion = ss_run_motion (result);
  SsTrajectory *recovered = NULL, *stages = NULL;

  if (ss_trajectory_channel (motion, ss_quantity_name (SS_QUANTITY_NUMERICAL_TIME)) < 0)
    return ss_reasons_of_motion (scenario, motion, result->stages, &result->verdict, &result->reasons, err);
  SsStatus status = ss_recover_motion (motion, result->stages, &recovered, &stages, err);
  if (status == SS_OK)
    status = ss_reasons_of_motion (scenario, recovered, stages, &result->verdict, &result->reasons, err);
  ss_trajectory_free (recovered);
  ss_trajectory_free (stages);
  return status;
}

/* What ran out. */
static void
tell_budget (double seconds, SsRunResult *result)
{
  const double spent = ss_metric_get (&result->metrics, SS_METRIC_SOLVE_SECONDS);
  const double iterations = ss_metric_get (&result->metrics, SS_METRIC_ITERATIONS);
  const double objective = ss_metric_get (&result->metrics, SS_METRIC_OBJECTIVE);
  SsReason reason = {.kind = SS_REASON_BUDGET, .t = NAN, .until = NAN};
  char miss[16];

  const bool is_cpu = result->outcome == SS_OUTCOME_CPU_LIMIT;
  if (result->outcome == SS_OUTCOME_TIME_LIMIT || result->outcome == SS_OUTCOME_MACHINE_SLOW || is_cpu) {
    reason.value = isfinite (seconds) ? seconds
                   : is_cpu           ? ss_metric_get (&result->metrics, SS_METRIC_CPU_SECONDS)
                                      : spent;
    if (!(reason.value > 0)) /* it was used before there was a problem: the message says so */
      return;
    snprintf (reason.unit, sizeof reason.unit, "s");
  } else if (result->outcome == SS_OUTCOME_MAX_ITERATIONS && isfinite (iterations)) {
    reason.value = iterations;
  } else {
    return;
  }
  size_t n = reason.unit[0] != '\0'
                 ? (size_t)snprintf (reason.text, sizeof reason.text, "budget of %.3g s%s used", reason.value,
                                     is_cpu ? " of CPU time" : "")
                 : (size_t)snprintf (reason.text, sizeof reason.text, "budget of %.0f iterations used after %.3g s",
                                     iterations, spent);
  if (isfinite (objective))
    snprintf (reason.text + n, sizeof reason.text - n, "; best so far: objective %.5g, its rows missed by up to %s",
              objective, ss_run_format_short (ss_metric_get (&result->metrics, SS_METRIC_MAX_VIOLATION), miss));
  ss_reasons_add (&result->reasons, &reason);
}

/* What the judge of plans says where no reason above does: steps that another law would make. */
static void
tell_verdict (SsRunResult *result)
{
  const char *end = strstr (result->message, "; ");
  SsReason reason = {.kind = SS_REASON_ROW, .t = NAN, .until = NAN};

  if (result->outcome != SS_OUTCOME_NOT_REPLAYABLE)
    return;
  snprintf (reason.text, sizeof reason.text, "%.*s", end != NULL ? (int)(end - result->message) : SS_REASON_TEXT - 1,
            result->message);
  ss_reasons_add (&result->reasons, &reason);
}

/* A miss that no one would see. */
static void
tell_nearly (SsRunResult *result)
{
  const double violation = ss_metric_get (&result->metrics, SS_METRIC_MAX_VIOLATION);
  SsReason reason = {.kind = SS_REASON_ROW, .value = violation, .t = NAN, .until = NAN};
  char miss[16];

  if (!(violation > SS_RUN_FEASIBLE) || result->worst[0] == '\0')
    return;
  snprintf (reason.text, sizeof reason.text, "nearly a motion: the row that it breaks most is %s, by %s", result->worst,
            ss_run_format_short (violation, miss));
  ss_reasons_add (&result->reasons, &reason);
}

SsStatus
ss_run_find_reasons (const SsScenario *scenario, double seconds, SsRunResult *result, SsError *err)
{
  SsError why = {0};
  SsStatus status = SS_OK;

  if (ss_outcome_is_success (result->outcome) || ss_outcome_is_asked (result->outcome)) {
    result->reasons.n = 0;
    return SS_OK;
  }
  if (scenario->model == NULL) {
    result->reasons.n = 0;
    const bool has_motion = ss_run_motion (result) != NULL && ss_run_motion (result)->n_rows > 0;
    if (has_motion && result->verdict.n_rows == 0) /* of a member of a race that was told to end */
      status = ss_run_judge_motion (scenario->scene, NULL, NULL, result, &why);
    if (has_motion && status == SS_OK)
      status = find_of_motion (scenario, result, &why);
    if (status == SS_OK && result->reasons.n == 0)
      tell_nearly (result);
    if (status == SS_OK && result->reasons.n == 0)
      tell_verdict (result);
  }
  if (status == SS_ERR_INVALID) /* no motion of this scene: nothing is known of it */
    status = SS_OK;
  if (status != SS_OK && err != NULL)
    *err = why;
  tell_budget (seconds, result);
  return status;
}
