/* tests/numeric/test-plan-value.c: what a plan is worth when its controls act on the scene. Truth: costs of the best
 * known controls of paper 000's two examples by independent event-driven simulations
 * (tests/data/fesd/NAME_best_known.json), a closed form, and an obstacle that a plan leaves alone at its points
 * only. */
#include "fesd/ss-fesd-j.h"
#include "solve/ss-run-replayed.h"

#include "run/ss-method.h"
#include "transcribe/ss-transcriptions.h"
#include "ss-test-scenario.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

/* ---- plans from controls ----------------------------------------------------------------------------------------- */

/* A plan with controls alone, row by row, each from t[k] on; the last row is the end. */
static SsTrajectory *
make_plan (const SsScenario *scenario, const json_t *controls, double horizon)
{
  const SsScene *scene = scenario->scene;
  const char *names[16] = {"t"};
  char text[16][64];
  double row[16];
  SsTrajectory *plan = NULL;
  SsError err = {0};
  const size_t n = json_array_size (controls);

  for (int a = 0; a < scene->n_actuators; a++) {
    snprintf (text[a], sizeof text[a], "u.%s", scene->actuators[a].name);
    names[1 + a] = text[a];
  }
  SS_CHECK (ss_trajectory_new_named (names, 1 + scene->n_actuators, (int)n + 1, &plan, &err) == SS_OK);
  for (size_t k = 0; k <= n && plan != NULL; k++) {
    const json_t *u = json_array_get (controls, k < n ? k : n - 1);

    row[0] = horizon * (double)k / (double)n;
    for (int a = 0; a < scene->n_actuators; a++)
      row[1 + a] = json_number_value (json_is_array (u) ? json_array_get (u, (size_t)a) : u);
    SS_CHECK (ss_trajectory_append (plan, row, &err) == SS_OK);
  }
  return plan;
}

/* Cost and way of the motion that these controls give, in steps of dt. */
static SsPlanValue
value_of (const SsScenario *scenario, const SsTrajectory *plan, double dt)
{
  const SsMethod *fesd = ss_method_find (SS_METHOD_INTEGRATOR, "fesd-j", NULL);
  SsControls *controls = NULL;
  SsSimResult simulated = {0};
  SsPlanValue value = {.objective = NAN, .way = NAN};
  SsError err = {0};

  SS_CHECK (ss_controls_new (scenario->scene, plan, &controls, &err) == SS_OK);
  SS_CHECK (ss_simulate_job (&(SsSimJob){.scene = scenario->scene,
                                         .integrator = fesd->integrator,
                                         .controls = controls,
                                         .dt = dt,
                                         .t_end = ss_trajectory_row (plan, plan->n_rows - 1)[0]},
                             NULL, &simulated, &err) == SS_OK);
  SS_CHECK (simulated.outcome == SS_OUTCOME_COMPLETED);
  if (simulated.trajectory != NULL)
    SS_CHECK (ss_plan_value (scenario, simulated.trajectory, simulated.stages, &value, &err) == SS_OK);
  ss_sim_result_clear (&simulated);
  ss_controls_free (controls);
  return value;
}

/* ---- tests ------------------------------------------------------------------------------------------------------- */

/* cost: relative error. way: of the largest violation of the obstacles' rows. */
static void
test_reference (const char *name, const char *scene, const char *parameter, const char *key, double horizon, double dt,
                double cost_error, double way_max)
{
  char relative[96], path[512];
  json_t *file;

  snprintf (relative, sizeof relative, "tests/data/fesd/%s_best_known.json", name);
  file = json_load_file (ss_test_source_path (relative, path, sizeof path), 0, NULL);
  const json_t *cases = json_object_get (file, "cases");
  SS_CHECK (json_array_size (cases) > 0);
  for (size_t c = 0; c < json_array_size (cases); c++) {
    const json_t *item = json_array_get (cases, c);
    const SsOverride override = {parameter, json_number_value (json_object_get (item, key))};
    SsScenario *scenario = ss_test_read_file (scene, &override, 1);
    const double cost = json_number_value (json_object_get (item, "cost"));

    if (scenario == NULL)
      continue;
    SsTrajectory *plan = make_plan (scenario, json_object_get (item, "controls"), horizon);
    const SsPlanValue value = value_of (scenario, plan, dt);

    SS_CHECK_NEAR (value.objective, cost, cost_error * cost);
    SS_CHECK (value.way <= way_max);
    printf ("%s: cost %.6f, reference %.6f; way broken by %.1e (%s)\n", name, value.objective, cost, value.way,
            value.what);
    ss_trajectory_free (plan);
    ss_scenario_free (scenario);
  }
  json_decref (file);
}

/* A ball of 1 kg without gravity, pushed by u = 2 N for a second: x = t^2, so L = x gives 1/3, effort 4, the velocity 2
 * at the end (weight 3, target 1) 3. It passes the row's forbidden place x = .25 at t = .5, between the plan's
 * points. */
static const char push_text[] =
    "{\"format\": 1, \"name\": \"push\",\n"
    " \"scene\": {\"gravity\": [0, 0],\n"
    "  \"bodies\": [{\"name\": \"b\", \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"mass\": 1,\n"
    "              \"lock\": [\"y\", \"theta\"]}],\n"
    "  \"actuators\": [{\"name\": \"u\", \"type\": \"force\", \"body\": \"b\", \"direction\": [1, 0]}]},\n"
    " \"task\": {\"horizon\": 1, \"steps\": 5, \"effort\": 1,\n"
    "  \"targets\": [{\"body\": \"b\", \"velocity\": [1, 0], \"weight\": {\"position\": 0, \"velocity\": 3}}],\n"
    "  \"cost\": [{\"points\": \"all\", \"cost\": \"b.x\"}],\n"
    "  \"constraints\": [{\"name\": \"way\", \"points\": \"all\",\n"
    "                   \"nonnegative\": [\"(b.x - 0.25)^2 - 1e-4\"]}]}}\n";

/* [000 (32a) (32d)] [001 (28)]. */
static void
test_closed_form (void)
{
  SsScenario *scenario = ss_test_read_text (push_text);
  json_t *controls = json_pack ("[f, f, f, f, f]", 2.0, 2.0, 2.0, 2.0, 2.0);

  if (scenario != NULL) {
    SsTrajectory *plan = make_plan (scenario, controls, 1);
    const SsPlanValue value = value_of (scenario, plan, 0.2);

    /* polynomials of degree 2, which the stages integrate exactly */
    SS_CHECK_NEAR (value.objective, 1.0 / 3 + 4 + 3, 1e-12);
    /* (x - .25)^2 is least, 0, at t = .5, between the points .4 and .6, where it is .0081 and .0121; the samples
     * between rows are at most an eighth of .2 s from it (the elements' ends nearer), where x is off by .025 */
    SS_CHECK (value.way > 1e-4 - 0.026 * 0.026 && value.way <= 1e-4 + 1e-15);
    SS_CHECK (value.way > 0 && strstr (value.what, "way") != NULL);
    SS_CHECK_NEAR (value.t, 0.5, 0.026);
    ss_trajectory_free (plan);
  }
  json_decref (controls);
  ss_scenario_free (scenario);
}

/* The function that runs use: the same numbers, in steps of a quarter of an element, of which the plan has one a
 * control interval, each with the rows of its left point and its end. Its motion ends 1 mm before the replay does. */
static void
test_replay (void)
{
  enum { ELEMENTS = 5 };
  const SsTranscribeOptions fesd = {.class_ = &ss_transcription_fesd_j}, stepping = {0};
  const char *const names[] = {"t", "b.x", "b.y", "b.theta", "b.vx", "b.vy", "b.omega", "u.u", "b.stage_1.x"};
  SsScenario *scenario = ss_test_read_text (push_text);
  SsTrajectory *plan = NULL, *controls = NULL;
  const SsIntegratorClass *integrator = NULL;
  SsPlanReplay replay;
  SsError err = {0};
  double step = NAN;

  SS_CHECK (ss_run_has_replay (&fesd) && !ss_run_has_replay (&stepping));
  SS_CHECK (ss_trajectory_new_named (names, 9, 2 * ELEMENTS + 1, &plan, &err) == SS_OK);
  SS_CHECK (ss_trajectory_new_named (names, 8, 2 * ELEMENTS + 1, &controls, &err) == SS_OK);
  for (int r = 0; r <= 2 * ELEMENTS; r++) {
    const double t = ((r + 1) / 2) / (double)ELEMENTS;
    const double row[9] = {t, t * t - 1e-3 * t, 0, 0, 2 * t, 0, 0, 2, t * t};

    SS_CHECK (ss_trajectory_append (plan, row, &err) == SS_OK && ss_trajectory_append (controls, row, &err) == SS_OK);
  }
  SS_CHECK (ss_run_find_replay (plan, &integrator, &step));
  SS_CHECK (integrator == &ss_integrator_fesd_j);
  SS_CHECK_NEAR (step, 1.0 / (4 * ELEMENTS), 1e-15);
  if (scenario != NULL) {
    SS_CHECK (ss_run_replay_plan (scenario, &fesd, plan, NULL, &replay, &err) == SS_OK);
    SS_CHECK (replay.outcome == SS_OUTCOME_COMPLETED && replay.motion != NULL);
    SS_CHECK (replay.motion != NULL && replay.motion->n_rows == 2 * 4 * ELEMENTS + 1); /* two finite elements a step */
    SS_CHECK_NEAR (replay.objective, 1.0 / 3 + 4 + 3, 1e-12);
    SS_CHECK_NEAR (replay.end_distance, 1e-3, 1e-12);
    ss_plan_replay_clear (&replay);
    /* a motion without stages is no plan of this transcription */
    SS_CHECK (!ss_run_find_replay (controls, &integrator, &step));
    SS_CHECK (ss_run_replay_plan (scenario, &fesd, controls, NULL, &replay, &err) == SS_ERR_INVALID);
    SS_CHECK_CONTAINS (err.message, "no plan of the transcription fesd-j");
  }
  ss_trajectory_free (plan);
  ss_trajectory_free (controls);
  ss_scenario_free (scenario);
}

/* The files have nine digits of their controls; pushing a disc is unstable, and the reference's own simulations agree
 * to 1e-4 in the cost. Of its obstacle .2 mm are cut: rows in squares of metres, 2 * 1.3 m times that
 * [000 Fig 7 Fig 8]. */
static void
test_discs (void)
{
  test_reference ("discs", "examples/fesd-j/discs.stickslip.json", "velocity_weight", "velocity_weight", 4, 0.02, 3e-4,
                  1e-3);
}

/* [000 (38a)-(38f) Fig 9 Fig 10]. */
static void
test_three_boxes (void)
{
  test_reference ("three_boxes", "examples/fesd-j/three-boxes.stickslip.json", "third_reference", "third_reference", 6,
                  0.05, 1e-6, 1e-9);
}

int
main (void)
{
  SS_RUN (test_closed_form);
  SS_RUN (test_replay);
  SS_RUN (test_discs);
  SS_RUN (test_three_boxes);
  return ss_test_finish ();
}
