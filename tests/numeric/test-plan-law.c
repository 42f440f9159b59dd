/* tests/numeric/test-plan-law.c: plans with law=midpoint: order, energy, contacts, and replays by the integrator of
 * their law. Truth: closed forms, the energy, and `event-driven`, which shares no code with it. */
#include "run/ss-run.h"
#include "simulate/ss-replay.h"
#include "simulate/ss-stewart-trinkle.h"
#include "ss-test-scenario.h"
#include "ss-test-simulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_SIZE = 4096 };
static const double G = 9.81, SWING = 1.2;

/* ---- a plan ------------------------------------------------------------------------------------------------------ */

typedef struct {
  SsRunResult result;
  char warnings[2048];
} Plan;

static void
keep_warning (void *data, const SsProgress *progress)
{
  Plan *plan = data;

  if (progress->kind == SS_PROGRESS_LOG && progress->level >= SS_LOG_WARNING)
    strncat (plan->warnings, progress->text, sizeof plan->warnings - strlen (plan->warnings) - 1);
}

/* Options of the transcription as "name=value", ended by NULL. */
static void
solve (const SsScenario *scenario, const char *optimiser, const char *const *options, Plan *plan)
{
  SsError err = {0};
  const SsMethod *method = ss_method_find (SS_METHOD_OPTIMISER, optimiser, &err);
  const SsOptionTable *table = ss_transcription_option_table ();
  void *own = calloc (1, table->size), *of_method = calloc (1, method->options->size);
  SsRunControl control;

  *plan = (Plan){.warnings = ""};
  ss_test_set_options (table, own, options, &err);
  ss_nlp_init_options (method->nlp, true, of_method);
  SsJob job = ss_job (method, scenario, of_method);
  job.solve.transcription = ss_transcription_choose (own);
  ss_run_control_init (&control);
  control.progress = keep_warning;
  control.user_data = plan;
  SS_CHECK (ss_run (&job, &control, &plan->result, &err) == SS_OK);
  SS_CHECK (plan->result.outcome == SS_OUTCOME_SOLVED);
  if (plan->result.outcome != SS_OUTCOME_SOLVED)
    printf ("  %s\n", plan->result.message);
  free (own);
  free (of_method);
}

static double
last_of (const Plan *plan, const char *channel)
{
  return ss_test_last_value (ss_run_motion (&plan->result), channel);
}

/* Largest distance of a step of the plan from one of `stewart-trinkle` with that gap from the same state, and -1 where
 * the integrator refused one. */
static double
distance_in_a_step (const SsScenario *scenario, const Plan *plan, SsStewartTrinkleGap gap)
{
  SsStewartTrinkleOptions options;
  SsReplaySteps steps;
  SsError err = {0};

  ss_options_init (ss_integrator_stewart_trinkle.options, &options);
  options.gap = gap;
  SS_CHECK (ss_replay_compare_steps (scenario->scene, ss_run_motion (&plan->result), &ss_integrator_stewart_trinkle,
                                     &options, &steps, &err) == SS_OK);
  return steps.n_failed > 0 ? -1 : steps.largest;
}

/* ---- swings ------------------------------------------------------------------------------------------------------ */

/* A bar of 1 m and 1 kg, pinned at its end and let go at 1.2 rad; `is_double`: a second one hangs from it. A motor that
 * may do nothing, and a cost that nothing can change. */
static SsScenario *
bars (bool is_double, double time, int steps)
{
  char text[TEXT_SIZE], second[512] = "", elbow[256] = "";
  const double x = sin (SWING), y = -cos (SWING);

  if (is_double) {
    snprintf (second, sizeof second,
              ", {\"name\": \"low\", \"mass\": 1, \"inertia\": 0.08, \"position\": [%.17g, %.17g],"
              " \"shape\": {\"type\": \"box\", \"width\": 0.04, \"height\": 1}}",
              x, y - 0.5);
    snprintf (elbow, sizeof elbow,
              ", {\"name\": \"elbow\", \"type\": \"pin\", \"bodies\": [\"bar\", \"low\"], \"anchor\": [0, -0.5]}");
  }
  snprintf (text, sizeof text,
            "{\"format\": 1, \"name\": \"bars\", \"scene\": {\"gravity\": [0, -9.81], \"bodies\": ["
            "{\"name\": \"bar\", \"mass\": 1, \"inertia\": 0.08, \"position\": [%.17g, %.17g], \"angle\": %.17g,"
            " \"shape\": {\"type\": \"box\", \"width\": 0.04, \"height\": 1}}%s], \"contacts\": [],"
            "\"joints\": [{\"name\": \"hinge\", \"type\": \"pin\", \"bodies\": [\"world\", \"bar\"],"
            " \"anchor\": [0, 0]}%s],"
            "\"actuators\": [{\"name\": \"motor\", \"type\": \"torque\", \"body\": \"bar\", \"lower\": 0,"
            " \"upper\": 0}]},"
            "\"task\": {\"horizon\": %g, \"steps\": %d, \"t_end\": %g, \"dt\": %.17g, \"guess\": \"simulation\","
            " \"cost\": [{\"points\": \"last\", \"cost\": \"0.001*bar.x^2\"}]}}",
            x / 2, y / 2, SWING, second, elbow, time, steps, time, time / steps);
  return ss_test_read_text (text);
}

/* How far the plan ends from `event-driven` with short steps: position and velocity of the last body. */
static void
error_at_end (bool is_double, int steps, const SsTestRun *truth, double *q, double *v)
{
  static const char *const midpoint[] = {"law=midpoint", NULL};
  const char *const channels[] = {is_double ? "low.x" : "bar.x", is_double ? "low.theta" : "bar.theta",
                                  is_double ? "low.vx" : "bar.vx", is_double ? "low.omega" : "bar.omega"};
  SsScenario *scenario = bars (is_double, 0.6, steps);
  double error[4];
  Plan plan;

  solve (scenario, "ipopt", midpoint, &plan);
  for (int i = 0; i < 4; i++)
    error[i] = fabs (last_of (&plan, channels[i]) - ss_test_last_value (truth->trajectory, channels[i]));
  *q = fmax (error[0], error[1]);
  *v = fmax (error[2], error[3]);
  ss_run_result_clear (&plan.result);
  ss_scenario_free (scenario);
}

/* Half the step, a quarter of the error, 1.9 of 2 left for what is of higher order. */
static void
order_of_swings (void)
{
  for (int is_double = 0; is_double < 2; is_double++) {
    SsScenario *scenario = bars (is_double != 0, 0.6, 30);
    const SsMethod *exact = ss_method_find (SS_METHOD_INTEGRATOR, "event-driven", NULL);
    SsTestRun truth = ss_test_simulate (scenario->scene, exact->integrator, NULL, 0.005, 0.6, NULL);
    double q[2], v[2];

    for (int i = 0; i < 2; i++)
      error_at_end (is_double != 0, 30 << i, &truth, &q[i], &v[i]);
    printf ("  %s: order %.3f in poses, %.3f in velocities\n", is_double ? "double pendulum" : "pendulum",
            log2 (q[0] / q[1]), log2 (v[0] / v[1]));
    SS_CHECK (log2 (q[0] / q[1]) >= 1.9 && log2 (v[0] / v[1]) >= 1.9);
    ss_trajectory_free (truth.trajectory);
    ss_scenario_free (scenario);
  }
}

static double
energy_change (const Plan *plan)
{
  const SsMetricSet *metrics = &plan->result.metrics;

  return ss_metric_get (metrics, SS_METRIC_ENERGY_FINAL) - ss_metric_get (metrics, SS_METRIC_ENERGY_INITIAL);
}

/* Two seconds at .01 s, against the energy of the swing. Of law=implicit a quarter is lost and told. */
static void
energy_of_a_swing (void)
{
  static const char *const laws[][2] = {{"law=implicit", NULL}, {"law=midpoint", NULL}};
  const double in_play = G / 2 * (1 - cos (SWING));
  SsScenario *scenario = bars (false, 2, 200);
  Plan plan;

  solve (scenario, "ipopt", laws[1], &plan);
  SS_CHECK_NEAR (energy_change (&plan), 0, 0.005 * in_play);
  SS_CHECK (plan.warnings[0] == '\0');
  SS_CHECK (distance_in_a_step (scenario, &plan, SS_STEWART_TRINKLE_END) > 1e-5);
  /* rows are kept to 1e-8 of their unit, and their error is that of the next row */
  SS_CHECK_NEAR (distance_in_a_step (scenario, &plan, SS_STEWART_TRINKLE_MIDPOINT), 0, 1e-8);
  ss_run_result_clear (&plan.result);

  solve (scenario, "ipopt", laws[0], &plan);
  SS_CHECK (energy_change (&plan) < -0.2 * in_play);
  SS_CHECK_CONTAINS (plan.warnings, "were lost to nothing, as joints take energy by the length of the steps");
  SS_CHECK_NEAR (distance_in_a_step (scenario, &plan, SS_STEWART_TRINKLE_END), 0, 1e-8);
  ss_run_result_clear (&plan.result);
  ss_scenario_free (scenario);
}

/* The same motion in coordinates of the joints: rows are kept to 1e-6, and so far they may part. */
static void
joint_coordinates (void)
{
  static const char *const absolute[] = {"law=midpoint", NULL}, *const joint[] = {"law=midpoint", "coordinates=joint",
                                                                                  "known-start=on", NULL};
  static const char *const channels[] = {"bar.x", "low.y", "low.theta", "bar.omega", "low.vx"};
  SsScenario *scenario = bars (true, 0.4, 20);
  Plan plans[2];

  solve (scenario, "ipopt", absolute, &plans[0]);
  solve (scenario, "ipopt", joint, &plans[1]);
  for (size_t i = 0; i < sizeof channels / sizeof *channels; i++)
    SS_CHECK_NEAR (last_of (&plans[1], channels[i]), last_of (&plans[0], channels[i]), 1e-6);
  for (int i = 0; i < 2; i++)
    ss_run_result_clear (&plans[i].result);
  ss_scenario_free (scenario);
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

/* A bar of 1 m and 3 kg, pinned at its left end, falls from level on a post under its middle that is .05 m lower and
 * stays there; a block slides on the floor with mu = .4 and stops. */
static SsScenario *
falling_bar_and_block (double speed)
{
  char text[TEXT_SIZE];

  snprintf (text, sizeof text,
            "{\"format\": 1, \"name\": \"falls\", \"scene\": {\"gravity\": [0, -9.81], \"friction\": 0.4, \"bodies\": ["
            "{\"name\": \"bar\", \"mass\": 3, \"inertia\": 0.25, \"position\": [0.5, 1],"
            " \"shape\": {\"type\": \"capsule\", \"from\": [-0.5, 0], \"to\": [0.5, 0], \"radius\": 0.05}},"
            "{\"name\": \"post\", \"fixed\": true, \"position\": [0.5, 0.8],"
            " \"shape\": {\"type\": \"circle\", \"radius\": 0.1}},"
            "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
            "{\"name\": \"block\", \"mass\": 2, \"lock\": [\"theta\"], \"position\": [3, 0.1], \"velocity\": [%g, 0],"
            " \"shape\": {\"type\": \"circle\", \"radius\": 0.1}}],"
            "\"contacts\": [{\"bodies\": [\"post\", \"bar\"]}, {\"bodies\": [\"floor\", \"block\"]}],"
            "\"joints\": [{\"name\": \"hinge\", \"type\": \"pin\", \"bodies\": [\"world\", \"bar\"],"
            " \"anchor\": [0, 1]}],"
            "\"actuators\": [{\"name\": \"motor\", \"type\": \"torque\", \"body\": \"bar\", \"lower\": 0,"
            " \"upper\": 0}]},"
            "\"task\": {\"horizon\": 0.4, \"steps\": 20, \"t_end\": 0.4, \"dt\": 0.02, \"guess\": \"simulation\","
            " \"cost\": [{\"points\": \"last\", \"cost\": \"0.001*bar.x^2\"}]}}",
            speed);
  return ss_test_read_text (text);
}

/* Sums of steps under constant forces are exact; the bar lies still at the end, its post carrying half of its weight's
 * moment. An optimiser keeps products to 1e-6, so that forces of 10 N leave gaps of 1e-7 m and, over h, speeds of
 * 1e-5 m/s. */
static void
contacts_of_a_mechanism (void)
{
  static const char *const midpoint[] = {"law=midpoint", NULL};
  const double v0 = 2, t = 0.4, braking = 0.4 * G;
  SsScenario *scenario = falling_bar_and_block (v0);
  Plan plan;

  solve (scenario, "crisp", midpoint, &plan);
  SS_CHECK_NEAR (last_of (&plan, "block.vx"), v0 - braking * t, 1e-5);
  SS_CHECK_NEAR (last_of (&plan, "block.x"), 3 + v0 * t - braking * t * t / 2, 1e-5);
  SS_CHECK_NEAR (last_of (&plan, "block.vy"), 0, 1e-5);
  SS_CHECK_NEAR (last_of (&plan, "floor-block.lambda_n"), 2 * G, 1e-3);
  SS_CHECK_NEAR (last_of (&plan, "floor-block.lambda_t"), -0.4 * 2 * G, 1e-3);
  SS_CHECK_NEAR (last_of (&plan, "bar.omega"), 0, 1e-5);
  SS_CHECK_NEAR (last_of (&plan, "post-bar.gap"), 0, 1e-6);
  const double n = last_of (&plan, "post-bar.lambda_n");
  printf ("  post pushes with %.4f N\n", n);
  SS_CHECK_NEAR (distance_in_a_step (scenario, &plan, SS_STEWART_TRINKLE_MIDPOINT), 0, 1e-6);
  ss_run_result_clear (&plan.result);
  ss_scenario_free (scenario);
}

/* The integrator alone: a ball that falls on the floor stays there with its velocity at the end of every step 0, and
 * the energy that it had is gone. */
static void
impacts_are_inelastic (void)
{
  static const char *const midpoint[] = {"gap=midpoint", NULL};
  SsScenario *scenario = ss_test_read_text (
      "{\"format\": 1, \"name\": \"ball\", \"scene\": {\"gravity\": [0, -9.81], \"bodies\": ["
      "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
      "{\"name\": \"ball\", \"mass\": 2, \"position\": [0, 0.6], \"shape\": {\"type\": \"circle\", \"radius\": 0.1}}],"
      "\"contacts\": \"all\"}, \"task\": {\"t_end\": 1, \"dt\": 0.01}}");
  SsTestRun run = ss_test_simulate (scenario->scene, &ss_integrator_stewart_trinkle, midpoint, 0.01, 1, NULL);
  double fastest_up = 0;

  SS_CHECK (run.outcome == SS_OUTCOME_COMPLETED);
  for (int k = 0; k < run.trajectory->n_rows; k++) {
    const double t = ss_test_value (run.trajectory, k, "t"), y = ss_test_value (run.trajectory, k, "ball.y");

    fastest_up = fmax (fastest_up, ss_test_value (run.trajectory, k, "ball.vy"));
    if (t < 0.31) /* it falls for sqrt (1/9.81) = .319 s; constant forces are exact */
      SS_CHECK_NEAR (y, 0.6 - G * t * t / 2, 1e-12);
    if (t > 0.345) {
      SS_CHECK_NEAR (y, 0.1, 1e-12);
      SS_CHECK_NEAR (ss_test_value (run.trajectory, k, "ball.vy"), 0, 1e-12);
      SS_CHECK_NEAR (ss_test_value (run.trajectory, k, "floor-ball.lambda_n"), 2 * G, 1e-9);
    }
  }
  SS_CHECK_NEAR (fastest_up, 0, 1e-12);
  ss_trajectory_free (run.trajectory);
  ss_scenario_free (scenario);
}

int
main (void)
{
  SS_RUN_SLOW (order_of_swings);
  SS_RUN_SLOW (energy_of_a_swing);
  SS_RUN (joint_coordinates);
  SS_RUN (contacts_of_a_mechanism);
  SS_RUN (impacts_are_inelastic);
  return ss_test_finish ();
}
