/* engine/plan/ss-try-controls.c: see the header. */
#include "plan/ss-try-controls.h"

#include "fesd/ss-fesd-j.h"

#include <math.h>

static SsStatus
simulate (const SsScenario *scenario, const SsPlan *plan, const double *controls, int steps, SsRunControl *control,
          SsTriedControls *out, SsError *err)
{
  const double interval = plan->horizon / plan->steps;
  const size_t n = (size_t)plan->steps * (size_t)scenario->scene->n_actuators;
  double *t = ss_new_array (double, plan->steps), *u = ss_new_array (double, n + 1);
  SsStatus status = t != NULL && u != NULL ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "out of memory");

  if (status == SS_OK) {
    for (int i = 0; i < plan->steps; i++)
      t[i] = i * interval;
    for (size_t i = 0; i < n; i++)
      u[i] = controls[i];
    const SsControls held = {plan->steps, scenario->scene->n_actuators, t, u};
    status = ss_simulate_job (&(SsSimJob){.scene = scenario->scene,
                                          .integrator = &ss_integrator_fesd_j,
                                          .controls = &held,
                                          .dt = interval / steps,
                                          .t_end = plan->horizon},
                              control, &out->simulated, err);
  }
  ss_free (t);
  ss_free (u);
  return status;
}

SsStatus
ss_try_controls (const SsScenario *scenario, const SsPlan *plan, const double *controls, int steps, const double *a_n,
                 SsRunControl *control, SsTriedControls *out, SsError *err)
{
  SsRunControl silent; /* its frames are none of the run's */
  SsStatus status;

  SS_ASSERT (scenario->scene != NULL && scenario->task.plan != NULL && plan->steps > 0 && steps > 0);
  *out = (SsTriedControls){.value = {.objective = NAN, .way = NAN, .t = NAN}};
  ss_run_control_init (&silent);
  ss_run_control_inherit (&silent, control);
  status = simulate (scenario, plan, controls, steps, &silent, out, err);
  if (status != SS_OK)
    return status;
  out->is_complete = out->simulated.outcome == SS_OUTCOME_COMPLETED && out->simulated.stages != NULL;
  if (out->is_complete)
    status = ss_plan_value_in_tau (scenario, out->simulated.trajectory, out->simulated.stages, a_n, &out->value, err);
  return status;
}

void
ss_tried_controls_clear (SsTriedControls *tried)
{
  SS_ASSERT (tried != NULL);
  ss_sim_result_clear (&tried->simulated);
  *tried = (SsTriedControls){0};
}
