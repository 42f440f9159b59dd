/* engine/run/ss-run.c: see ss-run.h. Every kind of method has its own road; all end in our own metrics. */
#include "run/ss-run.h"

#include "core/ss-work.h"
#include "plan/ss-plan.h"
#include "scene/ss-measure.h"

#include <math.h>
#include <string.h>

SsJob
ss_job (const SsMethod *method, const SsScenario *scenario, const void *options)
{
  SS_ASSERT (method != NULL);
  SsJob job = {.method = method};

  switch (method->kind) {
  case SS_METHOD_INTEGRATOR:
    job.simulate = (SsSimulateJob){scenario, method->integrator, options, .dt = NAN, .t_end = NAN};
    break;
  case SS_METHOD_OPTIMISER:
    job.solve = (SsSolveJob){scenario, method->nlp, options, .x0 = NULL};
    break;
  case SS_METHOD_IMPACT_LAW:
    job.impact = (SsImpactJob){scenario, method->law, options, .impact = NULL};
    break;
  case SS_METHOD_KIND_COUNT:
    break;
  }
  return job;
}

/* Its scenario; NULL: it has none. */
static const SsScenario *
ss_job_scenario (const SsJob *job)
{
  SS_ASSERT (job != NULL && job->method != NULL);
  return job->method->kind == SS_METHOD_INTEGRATOR  ? job->simulate.scenario
         : job->method->kind == SS_METHOD_OPTIMISER ? job->solve.scenario
                                                    : job->impact.scenario;
}

SsStatus
ss_run_check (const SsScenario *scenario, const SsMethod *method, SsError *err)
{
  SS_ASSERT (scenario != NULL && method != NULL);

  if (!method->is_built)
    return ss_error_set (err, SS_ERR_NOT_BUILT, "'%s' is %s", method->name, method->why_not);
  if (method->kind == SS_METHOD_OPTIMISER)
    return ss_solve_check (scenario, method->name, err);
  if (method->kind == SS_METHOD_IMPACT_LAW && scenario->scene == NULL)
    return ss_error_set (err, SS_ERR_INVALID, "'%s' is an impact law; '%s' is a model in equations", method->name,
                         scenario->name);
  if (method->kind == SS_METHOD_INTEGRATOR && scenario->scene == NULL)
    return ss_error_set (err, SS_ERR_INVALID, "'%s' is an integrator; '%s' is a model in equations: optimise it",
                         method->name, scenario->name);
  return method->kind == SS_METHOD_INTEGRATOR ? ss_scene_check_inertia (scenario->scene, err) : SS_OK;
}

static SsStatus
dispatch (const SsJob *job, SsRunControl *control, SsRunResult *result, SsError *err)
{
  switch (job->method->kind) {
  case SS_METHOD_INTEGRATOR:
    return ss_run_simulate (&job->simulate, control, result, err);
  case SS_METHOD_OPTIMISER:
    return ss_plan (&job->solve, control, result, err);
  case SS_METHOD_IMPACT_LAW:
    return ss_run_impact (&job->impact, control, result, err);
  case SS_METHOD_KIND_COUNT:
    break;
  }
  return ss_error_set (err, SS_ERR_INTERNAL, "a method of no kind");
}

/* Simulations have the scene's measures in their rows; plans and imported motions have them from here on. */
static SsStatus
add_measures (const SsScene *scene, SsRunResult *result, SsError *err)
{
  SsStatus status = SS_OK;

  for (int i = 0; i < result->n_motions && status == SS_OK; i++)
    if (result->motions[i].role == SS_MOTION_ANSWER || result->motions[i].role == SS_MOTION_SOLUTION)
      status = ss_motion_add_measures (scene, scene->measures, scene->n_measures, &result->motions[i].trajectory, err);
  return status;
}

SsStatus
ss_run (const SsJob *job, SsRunControl *control, SsRunResult *result, SsError *err)
{
  SS_ASSERT (job != NULL && result != NULL && job->method != NULL);
  const SsScenario *scenario = ss_job_scenario (job);
  SS_ASSERT (scenario != NULL || (job->method->kind == SS_METHOD_IMPACT_LAW && job->impact.impact != NULL));

  const double work = ss_work_thread ();
  SsStatus status = SS_OK;

  ss_run_result_init (result);
  if (scenario != NULL)
    status = ss_run_check (scenario, job->method, err);
  if (status != SS_OK)
    return status;
  status = dispatch (job, control, result, err);
  if (status == SS_OK && scenario != NULL && scenario->scene != NULL)
    status = add_measures (scenario->scene, result, err);
  if (status == SS_OK && !result->metrics.is_set[SS_METRIC_WORK]) /* a race has threads of its own */
    ss_metric_set (&result->metrics, SS_METRIC_WORK, (ss_work_thread () - work) / SS_WORK_SECOND);
  if (status != SS_OK)
    ss_run_result_clear (result);
  return status;
}

SsStatus
ss_run_result_from_iterate (const SsJob *job, SsOutcome outcome, int iteration, const double *x, int n_x,
                            SsTrajectory **frames, SsRunResult *result, SsError *err)
{
  SS_ASSERT (job != NULL && job->method != NULL && result != NULL && ss_job_scenario (job) != NULL);

  if (job->method->kind == SS_METHOD_OPTIMISER)
    return ss_solve_from_iterate (&job->solve, outcome, iteration, x, n_x, result, err);
  ss_run_result_init (result);
  ss_run_end_early (result, outcome, "inside an iteration; this is the last iterate that was published");
  const SsStatus status = ss_run_keep_frames (&job->simulate, iteration, frames, result, err);
  if (status != SS_OK)
    ss_run_result_clear (result);
  return status;
}
