/* tests/unit/test-loop.c: closed loops of models in equations (app/bench/ssapp-bench-loop.c). */
#include "app/bench/ssapp-bench-loop.h"
#include "app/bench/ssapp-paper.h"
#include "tests/ss-test.h"

#include <math.h>
#include <string.h>

static const SsOverride few[] = {{"N", 12}, {"j", 3}};

static GPtrArray *
methods_of (void)
{
  char *message = NULL;

  return ssapp_bench_methods_parse (SS_METHOD_OPTIMISER, "crisp:preset=warm", &message);
}

/* The distance from the goal after the first step of a plan that ss_run makes of the same problem. */
static double
planned (void)
{
  SsScenario *scenario = NULL;
  SsProblems problems;
  SsappBenchJob job;
  SsRunControl control;
  SsRunResult result;
  SsError error;
  g_autoptr (GPtrArray) methods = methods_of ();
  const char *text = ssapp_bench_scenario_text ("push-box");
  double away = NAN;

  ss_problems_init (&problems);
  ss_run_control_init (&control);
  SS_CHECK (ss_scenario_read (text, strlen (text), "", few, 2, &problems, &scenario) == SS_OK);
  SS_CHECK (ssapp_bench_job_init (&job, g_ptr_array_index (methods, 0), scenario, &error));
  SS_CHECK (ss_run (&job.job, &control, &result, &error) == SS_OK && result.n_motions > 0);
  const double *row = ss_trajectory_row (result.motions[0].trajectory, 1) + 1; /* px, py, ... */
  const double xt = scenario->parameters[ss_scenario_parameter (scenario, "xt")].value;
  const double yt = scenario->parameters[ss_scenario_parameter (scenario, "yt")].value;
  away = hypot (row[0] - xt, row[1] - yt);
  ss_run_result_clear (&result);
  ssapp_bench_job_clear (&job);
  ss_scenario_free (scenario);
  ss_problems_clear (&problems);
  return away;
}

/* After one step without a disturbance the plant is where the plan says, to what an answer may violate its rows; with
 * more friction it has gone 1.3 times less far. A model whose start is no parameter is refused. */
static void
the_plant_is_the_model (void)
{
  SsRunControl control;
  g_autoptr (GPtrArray) methods = methods_of ();
  g_autoptr (GError) error = NULL;
  SsappBenchLoopPlan plan = {.text = ssapp_bench_scenario_text ("push-box"),
                             .name = "push-box",
                             .set = few,
                             .n_set = 2,
                             .methods = methods,
                             .steps = 1,
                             .seed = 1,
                             .time_limit = 10,
                             .control = &control};

  ss_run_control_init (&control);
  SsappBenchSheet *sheet = ssapp_bench_loop (&plan, &error);
  SS_CHECK (sheet != NULL);
  if (sheet == NULL)
    return;
  json_t *document = json_pack ("{s:o}", "tables", ssapp_bench_sheet_to_documents (sheet));
  g_autoptr (GPtrArray) tables = ssapp_paper_read (document);
  const SsappTable *table = g_ptr_array_index (tables, 0);
  const double start = ssapp_table_get_number (table, 0, 3), end = ssapp_table_get_number (table, 0, 4);
  SS_CHECK (ssapp_table_get_n_rows (table) == 5);
  SS_CHECK_NEAR (start, 3, 1e-12);
  SS_CHECK (end < start - 0.01);
  SS_CHECK_NEAR (end, planned (), 1e-5);
  /* the way of a step is a force over mu m g; it is not quite towards the goal, which bends it by 2 % */
  SS_CHECK_NEAR (start - ssapp_table_get_number (table, 3, 4), (start - end) / 1.3, 0.03 * (start - end));
  json_decref (document);
  ssapp_bench_sheet_free (sheet);
  plan.text = ssapp_bench_scenario_text ("transport");
  plan.n_set = 0;
  SS_CHECK (ssapp_bench_loop (&plan, &error) == NULL && error != NULL);
}

int
main (void)
{
  SS_RUN (the_plant_is_the_model);
  return ss_test_finish ();
}
