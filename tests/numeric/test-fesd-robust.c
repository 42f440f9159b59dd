/* tests/numeric/test-fesd-robust.c: the integrator fesd-j where motions get difficult: bounces that accumulate, loops of
 * joints with a stop, and its agreement with time stepping. */
#include "fesd/ss-event-driven.h"
#include "fesd/ss-fesd-j.h"
#include "judge/ss-motion.h"
#include "ss-test-scenario.h"
#include "ss-test-simulate.h"

static SsSimResult
run (const SsScene *scene, const SsIntegratorClass *integrator, double dt, double t_end)
{
  SsSimResult result = {0};
  const SsSimJob job = {.scene = scene, .integrator = integrator, .dt = dt, .t_end = t_end};
  SS_CHECK (ss_simulate_job (&job, NULL, &result, NULL) == SS_OK);
  SS_CHECK (result.outcome == SS_OUTCOME_COMPLETED);
  return result;
}

static SsMotionVerdict
judge (const SsScene *scene, const SsSimResult *result)
{
  SsMotionVerdict verdict = {0};
  SS_CHECK (ss_motion_judge_stages (scene, result->trajectory, result->stages, true, NULL, &verdict, NULL) == SS_OK);
  return verdict;
}

/* Every speed that an accumulation takes away is explained by forces that push: the judge's balance of momentum, which
 * knows the scene and the table alone. */
static void
test_accumulation_is_explained (void)
{
  const struct {
    const char *file;
    double t_end;
  } cases[] = {{"examples/fesd-j/bouncing-ball.stickslip.json", 2}, {"examples/impacts/zeno-block.stickslip.json", 3}};
  const double steps[] = {1e-3, 1e-2};
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 2; k++) {
      const SsOverride bounce = {"restitution", 0.5};
      SsScenario *scenario = ss_test_read_file (cases[i].file, &bounce, i == 0 ? 1 : 0);
      SsSimResult result = run (scenario->scene, &ss_integrator_fesd_j, steps[k], cases[i].t_end);
      SsMotionVerdict verdict = judge (scenario->scene, &result);
      double worst = 0, t = 0;
      for (int r = 0; r < verdict.n_rows; r++)
        if (verdict.steps[r].balance > worst)
          worst = verdict.steps[r].balance, t = verdict.steps[r].t;
      printf ("  %s dt %g: balance %.2e at %g, cone %.2e, residual %.2e\n", cases[i].file, steps[k], worst, t,
              verdict.cone.value, result.metrics.own_residual);
      SS_CHECK_NEAR (worst, 0, steps[k] < 0.005 ? 1e-9 : 1e-6); /* forces of lower order than velocities */
      SS_CHECK_NEAR (verdict.cone.value, 0, 1e-9);
      SS_CHECK_NEAR (result.metrics.own_residual, 0, 1e-9);
      ss_motion_verdict_clear (&verdict);
      ss_sim_result_clear (&result);
      ss_scenario_free (scenario);
    }
}

int
main (void)
{
  SS_RUN (test_accumulation_is_explained);
  return ss_test_finish ();
}
