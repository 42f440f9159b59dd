/* tests/unit/test-loop.c: closed loops of models in equations (app/bench/ssapp-bench-loop.c). [004 Fig 8] */
#include "app/bench/ssapp-bench-loops.h"
#include "app/bench/ssapp-paper.h"
#include "tests/ss-test.h"

#include <math.h>
#include <stdio.h>
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
 * more friction it has gone 1.3 times less far. */
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
                             .cpu_limit = 10,
                             .control = &control};

  ss_run_control_init (&control);
  SsappBenchSheet *sheet = ssapp_bench_loop (&plan, NULL, NULL, &error);
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
}

/* Errors of a loop's only row under a condition: its columns end and velocity. */
static void
ends_of (const char *problem, const SsOverride *set, int n_set, const char *condition, int steps, SsMetricSet *metrics,
         SsTrajectory **motion)
{
  SsRunControl control;
  g_autoptr (GPtrArray) methods = methods_of ();
  g_autoptr (GError) error = NULL;
  const SsappBenchLoopPlan plan = {.text = ssapp_bench_scenario_text (problem),
                                   .name = problem,
                                   .set = set,
                                   .n_set = n_set,
                                   .methods = methods,
                                   .steps = steps,
                                   .seed = 1,
                                   .cpu_limit = 10,
                                   .control = &control};

  ss_run_control_init (&control);
  *motion = ssapp_bench_loop_motion (&plan, condition, metrics, &error);
  SS_CHECK (*motion != NULL);
  if (error != NULL)
    printf ("%s: %s\n", problem, error->message);
}

static double
value (const SsTrajectory *motion, int row, const char *channel)
{
  return ss_trajectory_row (motion, row)[ss_trajectory_channel (motion, channel)];
}

/* A payload that slides feels mu m g against its way, whatever the plan hoped for: its speed over the ground falls by
 * mu g h a step, by 1.3 of that where friction is 1.3 times the plan's. The thrust is the plan's in both. */
static void
the_payload_slides_by_its_own_friction (void)
{
  static const SsOverride set[] = {{"N", 6}, {"v10", 0}, {"v20", -3}, {"x10", 3}};
  static const char *const conditions[] = {"none", "friction"};

  for (int c = 0; c < 2; c++) {
    SsTrajectory *motion = NULL;
    SsMetricSet metrics;
    ends_of ("transport", set, G_N_ELEMENTS (set), conditions[c], 2, &metrics, &motion);
    if (motion == NULL)
      return;
    SS_CHECK (motion->n_rows == 3);
    /* the payload moves to the right on the cart: friction pulls it to the left */
    SS_CHECK_NEAR (value (motion, 1, "x1d"), -(c == 0 ? 1 : 1.3) * 0.2 * 9.81 * 0.02, 1e-6);
    SS_CHECK_NEAR (value (motion, 1, "v"), value (motion, 1, "x1d") - value (motion, 1, "x2d"), 1e-6);
    SS_CHECK_NEAR (value (motion, 1, "w"), 0, 1e-6);
    /* the cart: its thrust and the payload's friction, both of the first row */
    SS_CHECK_NEAR (value (motion, 1, "x2d"), -3 + 0.02 / 2 * (value (motion, 0, "u") - value (motion, 0, "f")), 1e-6);
    /* as a plan of the file, whose friction is the smaller one, the motion keeps its rows only undisturbed */
    const double violation = ss_metric_get (&metrics, SS_METRIC_MAX_VIOLATION);
    SS_CHECK (c == 0 ? violation < 1e-5 : violation > 0.1);
    ss_trajectory_free (motion);
  }
}

/* A hopper falls freely until its foot is down: h g a step; a kick leaves leg and foot where geometry allows. */
static void
the_hopper_falls_and_is_kicked (void)
{
  static const SsOverride set[] = {{"N", 8}, {"h", 0.05}};
  SsTrajectory *motion = NULL;
  SsMetricSet metrics;

  ends_of ("hopper", set, G_N_ELEMENTS (set), "kick", 4, &metrics, &motion);
  if (motion == NULL)
    return;
  SS_CHECK_NEAR (value (motion, 1, "pyd"), -9.81 * 0.05, 1e-6);
  for (int k = 0; k < motion->n_rows; k++) {
    const double dx = value (motion, k, "qx") - value (motion, k, "px");
    const double dy = value (motion, k, "py") - value (motion, k, "qy");
    SS_CHECK_NEAR (hypot (dx, dy), 1 - value (motion, k, "r"), 1e-5);
    SS_CHECK (fabs (value (motion, k, "r") * value (motion, k, "qy")) < 1e-5);
  }
  /* half way, each by about what was added */
  SS_CHECK (fabs (value (motion, 2, "pyd") + 2 * 9.81 * 0.05 - 0.1) < 0.05);
  ss_trajectory_free (motion);
}

/* Whose start is functions of an angle: undisturbed, the loop's motion is a plan of the file and goes to the target. */
static void
the_t_is_pushed (void)
{
  static const SsOverride set[] = {{"N", 10}};
  SsTrajectory *motion = NULL;
  SsMetricSet metrics;

  ends_of ("push-t", set, 1, "none", 12, &metrics, &motion);
  if (motion == NULL)
    return;
  SS_CHECK (ss_metric_get (&metrics, SS_METRIC_MAX_VIOLATION) < 1e-5);
  SS_CHECK_NEAR (value (motion, 0, "th"), -2.95844, 1e-12);
  SS_CHECK (ss_metric_get (&metrics, SS_METRIC_TRACKING_TOTAL) < 0.5 * hypot (0.24722 - 0.036, 0.0141359 + 0.143));
  ss_trajectory_free (motion);
}

/* A model whose start is no parameter is refused. */
static void
other_models_are_refused (void)
{
  static const char text[] =
      "{\"format\": 1, \"name\": \"a\", \"title\": \"A\", \"parameters\": {\"N\": {\"value\": 3}}, \"model\": "
      "{\"points\": "
      "\"N\", \"time_step\": 1, \"states\": [\"x\"], \"controls\": [\"u\"], \"constraints\": [{\"name\": \"start\", "
      "\"points\": 0, \"zero\": [\"x\"]}], \"cost\": [{\"name\": \"c\", \"points\": \"all\", \"cost\": \"u^2\"}]}}";
  SsRunControl control;
  g_autoptr (GPtrArray) methods = methods_of ();
  g_autoptr (GError) error = NULL;
  const SsappBenchLoopPlan plan = {
      .text = text, .name = "a", .methods = methods, .steps = 1, .cpu_limit = 10, .control = &control};

  ss_run_control_init (&control);
  SS_CHECK (ssapp_bench_loop (&plan, NULL, NULL, &error) == NULL && error != NULL);
  SS_CHECK (error != NULL && strstr (error->message, "no start or goal") != NULL);
}

int
main (void)
{
  SS_RUN (the_plant_is_the_model);
  SS_RUN (the_payload_slides_by_its_own_friction);
  SS_RUN (the_hopper_falls_and_is_kicked);
  SS_RUN (the_t_is_pushed);
  SS_RUN (other_models_are_refused);
  return ss_test_finish ();
}
