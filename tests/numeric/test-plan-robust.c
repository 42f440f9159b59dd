/* tests/numeric/test-plan-robust.c: one control for several worlds: a block that is pushed to a wall. The cheapest plan
 * for one friction coasts to the wall and stops short of it where there is more friction; that one control exists for
 * all of them is plain: push harder than the largest friction until the wall holds the block. */
#include "plan/ss-plan-robust.h"
#include "plan/ss-plan-worlds.h"

#include "nlp/ss-auto.h"
#include "run/ss-method.h"
#include "run/ss-run.h"
#include "ss-test-worlds.h"

#include <math.h>

static void
one_control_reaches_the_wall_in_all_worlds (void)
{
  SsScenario *scenario = ss_test_read_block (true, ", \"worlds\": {\"mu\": [0.2, 0.4]}");
  const SsMethod *method = ss_method_find (SS_METHOD_OPTIMISER, "crisp", NULL);
  void *options = ss_alloc (1, method->options->size + 1);
  const SsJob job = ss_job (method, scenario, options);
  const SsWorldsOptions unseen = {.n = 100, .seed = 99, .work = INFINITY, .has_open = true};
  SsPlanWorlds one, all;
  SsRunResult result;
  SsError err = {0};

  ss_method_init_options (method, scenario, options);
  SS_CHECK (ss_run (&job, NULL, &result, &err) == SS_OK);
  SS_CHECK (result.outcome == SS_OUTCOME_SOLVED);
  SS_CHECK (ss_metric_get (&result.metrics, SS_METRIC_WORLDS_PLANNED) >= 2);
  SS_CHECK (result.n_solutions == 1); /* the plan for one */
  const SsTrajectory *nominal = NULL;
  for (int i = 0; i < result.n_motions; i++)
    if (result.motions[i].role == SS_MOTION_SOLUTION)
      nominal = result.motions[i].trajectory;
  SS_CHECK (nominal != NULL);
  if (nominal != NULL) {
    SS_CHECK (ss_plan_worlds (scenario, nominal, &unseen, NULL, &one, &err) == SS_OK);
    SS_CHECK (ss_plan_worlds (scenario, ss_run_motion (&result), &unseen, NULL, &all, &err) == SS_OK);
    printf ("  for one world %d of 100, for all %d of 100\n", one.open.n_held, all.open.n_held);
    SS_CHECK (one.open.n_held < 75); /* lower friction, half of the range, and what 20 mm forgive */
    SS_CHECK (all.open.n_held >= 98);
    SS_CHECK (ss_metric_get (&result.metrics, SS_METRIC_OBJECTIVE) >
              ss_metric_get (&result.solutions[0].metrics, SS_METRIC_OBJECTIVE)); /* that is the cheapest for one */
    ss_plan_worlds_clear (&one);
    ss_plan_worlds_clear (&all);
  }
  ss_run_result_clear (&result);
  ss_free (options);
  ss_scenario_free (scenario);
}

/* Ranges of no width are the file's own world: nothing is to be made of it. */
static void
one_world_needs_no_copies (void)
{
  SsScenario *scenario = ss_test_read_block (true, ", \"worlds\": {\"mu\": [0.3, 0.3], \"samples\": 2}");
  const SsMethod *method = ss_method_find (SS_METHOD_OPTIMISER, "crisp", NULL);
  void *options = ss_alloc (1, method->options->size + 1);
  const SsJob job = ss_job (method, scenario, options);
  SsRunResult result;
  SsError err = {0};

  ss_method_init_options (method, scenario, options);
  SS_CHECK (ss_run (&job, NULL, &result, &err) == SS_OK);
  SS_CHECK (result.outcome == SS_OUTCOME_SOLVED && result.n_solutions == 0);
  SS_CHECK_NEAR (ss_metric_get (&result.metrics, SS_METRIC_WORLDS_PLANNED), 1, 0);
  ss_run_result_clear (&result);
  ss_free (options);
  ss_scenario_free (scenario);
}

int
main (void)
{
  SS_RUN (one_control_reaches_the_wall_in_all_worlds);
  SS_RUN (one_world_needs_no_copies);
  return ss_test_finish ();
}
