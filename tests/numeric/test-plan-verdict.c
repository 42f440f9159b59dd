/* tests/numeric/test-plan-verdict.c: plans that obey every row and are nonsense, found by an optimiser or written by
 * hand, and what is said of them. Truth: geometry, and energies of single bodies in closed form. */
#include "run/ss-run.h"
#include "ss-test-scenario.h"
#include "simulate/ss-simulate.h"
#include "simulate/ss-replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- a plan written by hand -------------------------------------------------------------------------------------- */

typedef struct {
  SsOutcome outcome;
  int n_warnings;
  char warnings[1024]; /* one after the other */
  char message[sizeof ((SsRunResult *)NULL)->message];
} Told;

static void
keep_warning (void *data, const SsProgress *progress)
{
  Told *told = data;

  if (progress->kind != SS_PROGRESS_LOG || progress->level < SS_LOG_WARNING)
    return;
  told->n_warnings++;
  strncat (told->warnings, progress->text, sizeof told->warnings - strlen (told->warnings) - 1);
}

/* What is said of a motion that an optimiser calls solved. */
static Told
judge_rows (const SsScenario *scenario, const char *const *names, int n_names, const double *rows, int n_rows)
{
  Told told = {.outcome = SS_OUTCOME_FAILED};
  const SsTranscribeOptions transcription = {0};
  SsChannel channels[32] = {ss_channel_of_time ()};
  SsTrajectory *motion = NULL;
  SsRunControl control;
  SsRunResult result;
  SsError err = {0};

  for (int i = 1; i < n_names; i++)
    channels[i] = ss_channel_named (names[i]);
  SS_CHECK (ss_trajectory_new (channels, n_names, n_rows, &motion, &err) == SS_OK);
  for (int i = 0; i < n_rows; i++)
    SS_CHECK (ss_trajectory_append (motion, rows + (size_t)i * (size_t)n_names, &err) == SS_OK);
  SS_CHECK (ss_scenario_describe (scenario, motion, &err) == SS_OK);
  ss_run_result_init (&result);
  SS_CHECK (ss_run_add_motion (&result, &motion, SS_MOTION_ANSWER, 0, 1, &err) == SS_OK);
  result.outcome = SS_OUTCOME_SOLVED;
  snprintf (result.message, sizeof result.message, "as claimed");
  ss_run_control_init (&control);
  control.progress = keep_warning;
  control.user_data = &told;
  SS_CHECK (ss_run_judge_plan (scenario, &transcription, &control, &result, &err) == SS_OK);
  SS_CHECK (result.metrics.is_set[SS_METRIC_MAX_SWEPT_OVERLAP] && result.metrics.is_set[SS_METRIC_ENERGY_FINAL]);
  SS_CHECK (strstr (result.message, "as claimed") != NULL);
  told.outcome = result.outcome;
  snprintf (told.message, sizeof told.message, "%s", result.message);
  ss_run_result_clear (&result);
  return told;
}

/* A ball of 0.1 m and 1 kg without gravity, a box of that size at the origin, a floor far below it. */
static SsScenario *
ball_and_box (double width, double height, double floor)
{
  char text[1024];

  snprintf (text, sizeof text,
            "{\"format\": 1, \"name\": \"ball\", \"scene\": {\"gravity\": [0, 0], \"friction\": 0, \"bodies\": ["
            "{\"name\": \"floor\", \"fixed\": true, \"position\": [0, %g],"
            " \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
            "{\"name\": \"wall\", \"fixed\": true, \"shape\": {\"type\": \"box\", \"width\": %g, \"height\": %g}},"
            "{\"name\": \"ball\", \"mass\": 1, \"lock\": [\"theta\"], \"position\": [-1, 0],"
            " \"shape\": {\"type\": \"circle\", \"radius\": 0.1}}], \"contacts\": \"all\","
            "\"actuators\": [{\"name\": \"push\", \"type\": \"force\", \"body\": \"ball\", \"direction\": [1, 0]}]},"
            "\"task\": {\"t_end\": 1, \"dt\": 0.1}}",
            floor, width, height);
  return ss_test_read_text (text);
}

static const char *const names[] = {"t",       "ball.x",     "ball.y", "ball.theta",          "ball.vx",
                                    "ball.vy", "ball.omega", "u.push", "floor-ball.lambda_n", "floor-ball.lambda_t"};
enum { N_NAMES = sizeof names / sizeof *names };

/* ---- overlap ----------------------------------------------------------------------------------------------------- */

/* A ball flies over a box, between two points, `depth` lower than it would touch its top: at half of the step that is
 * how deep it is. */
static Told
fly_through (double width, double height, double depth)
{
  SsScenario *scenario = ball_and_box (width, height, -10);
  const double y = height / 2 + 0.1 - depth;
  const double rows[] = {0,   -0.5, y, 0, 10, 0, 0, 0, 0, 0, /* here */
                         0.1, 0.5,  y, 0, 10, 0, 0, 0, 0, 0};
  const Told told = judge_rows (scenario, names, N_NAMES, rows, 2);

  ss_scenario_free (scenario);
  return told;
}

static void
overlap_between_points (void)
{
  Told told = fly_through (0.1, 0.1, 0.004);
  SS_CHECK (told.outcome == SS_OUTCOME_SOLVED && told.n_warnings == 0);

  told = fly_through (0.1, 0.1, 0.01);
  SS_CHECK (told.outcome == SS_OUTCOME_SOLVED && told.n_warnings == 1);
  SS_CHECK (strstr (told.warnings, "contact wall-ball overlaps by 0.01 m at t = 0.05 s") != NULL);
  SS_CHECK (strcmp (told.message, "as claimed") == 0);

  told = fly_through (0.1, 0.1, 0.03);
  SS_CHECK (told.outcome == SS_OUTCOME_NOT_REPLAYABLE && told.n_warnings == 0);
  SS_CHECK (strstr (told.message, "contact wall-ball overlaps by 0.03 m at t = 0.05 s") == told.message);

  /* less than 20 mm, but more than half of a box that is 20 mm thick */
  told = fly_through (0.1, 0.02, 0.009);
  SS_CHECK (told.outcome == SS_OUTCOME_SOLVED && told.n_warnings == 1);
  told = fly_through (0.1, 0.02, 0.015);
  SS_CHECK (told.outcome == SS_OUTCOME_NOT_REPLAYABLE);
  SS_CHECK (strstr (told.message, "overlaps by 0.75 of the thinner body's width at t = 0.05 s") != NULL);
}

/* ---- energy ------------------------------------------------------------------------------------------------------ */

/* A ball that lies on the floor is pushed along and shot up by its contact: m a^2/2 from the actuator, m b^2/2 from the
 * contact. The step is so short that nothing else is worth telling: the law is missed by h b = 1e-6 m. */
static Told
shoot_up (double part)
{
  const double h = 1e-5, b = 0.1, a = b * sqrt (1 / part - 1);
  SsScenario *scenario = ball_and_box (0.1, 0.1, -10);
  const double rows[] = {0, -1,         -9.9,         0, 0, 0, 0, a / h, 0,     0, /* here */
                         h, -1 + h * a, -9.9 + h * b, 0, a, b, 0, a / h, b / h, 0};
  const Told told = judge_rows (scenario, names, N_NAMES, rows, 2);

  ss_scenario_free (scenario);
  return told;
}

static void
energy_from_a_contact (void)
{
  Told told = shoot_up (0.008);
  SS_CHECK (told.outcome == SS_OUTCOME_SOLVED && told.n_warnings == 0);

  told = shoot_up (0.03);
  SS_CHECK (told.outcome == SS_OUTCOME_SOLVED && told.n_warnings == 1);
  SS_CHECK (strstr (told.warnings, "give 0.005 J, 3 % of the energy turned over") != NULL);
  SS_CHECK (strstr (told.warnings, "contact floor-ball: 0.005 J at t = 1e-05 s") != NULL);

  told = shoot_up (0.07);
  SS_CHECK (told.outcome == SS_OUTCOME_NOT_REPLAYABLE && told.n_warnings == 0);
  SS_CHECK (strstr (told.message, "give 0.005 J, 7 % of the energy turned over") != NULL);
}

/* A ball at v before a wall stands behind it at the next point, where the contact has pushed it on. */
static void
a_wall_that_pushes_on (void)
{
  const double h = 0.1, m = 1, v = 1, from = -0.3, to = 0.05 + 0.1, u = (to - from) / h;
  SsScenario *scenario = ball_and_box (0.1, 2, -10);
  const char *with_wall[N_NAMES];
  const double rows[] = {0, from, 0, 0, v, 0, 0, 0, 0,
                         0, /* here */
                         h, to,   0, 0, u, 0, 0, 0, m * (u - v) / h,
                         0};
  char expected[64];

  memcpy (with_wall, names, sizeof with_wall);
  with_wall[N_NAMES - 2] = "wall-ball.lambda_n";
  with_wall[N_NAMES - 1] = "wall-ball.lambda_t";
  const Told told = judge_rows (scenario, with_wall, N_NAMES, rows, 2);
  snprintf (expected, sizeof expected, "give %.3g J, 100 %% of the energy turned over", m * (u * u - v * v) / 2);
  SS_CHECK (told.outcome == SS_OUTCOME_NOT_REPLAYABLE);
  SS_CHECK (strstr (told.message, expected) != NULL && strstr (told.message, "contact wall-ball overlaps") != NULL);
  SS_CHECK (strstr (told.message, "law") == NULL); /* which is obeyed */
  ss_scenario_free (scenario);
}

/* A block falls over a corner that sticks: by the velocities of one end and the corner of the other the contact gives
 * and takes in every step, but the corner goes no way. */
static void
a_corner_gives_nothing (void)
{
  SsScenario *scenario = ss_test_read_text (
      "{\"format\": 1, \"name\": \"tip\", \"scene\": {\"gravity\": [0, -9.81], \"friction\": 2, \"bodies\": ["
      "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
      "{\"name\": \"block\", \"mass\": 1, \"angle\": -0.5, \"angular_velocity\": -1,"
      " \"position\": [0, \"0.2*cos(0.5) + 0.1*sin(0.5)\"],"
      " \"velocity\": [\"0.2*cos(0.5) + 0.1*sin(0.5)\", \"-(0.2*sin(0.5) - 0.1*cos(0.5))\"],"
      " \"shape\": {\"type\": \"box\", \"width\": 0.2, \"height\": 0.4}}], \"contacts\": \"all\"},"
      "\"task\": {\"t_end\": 0.16, \"dt\": 0.02}}");
  SsMotionVerdict verdict;
  SsSimResult run = {0};
  SsError err = {0};
  double seeming = 0;
  void *options = calloc (1, ss_integrator_stewart_trinkle.options->size);

  ss_options_init (ss_integrator_stewart_trinkle.options, options);
  SS_CHECK (ss_options_set (ss_integrator_stewart_trinkle.options, options, "gap", "end", &err) == SS_OK);
  SS_CHECK (ss_simulate_job (&(SsSimJob){.scene = scenario->scene,
                                         .integrator = &ss_integrator_stewart_trinkle,
                                         .options = options,
                                         .dt = 0.02,
                                         .t_end = 0.16},
                             NULL, &run, &err) == SS_OK);
  SS_CHECK (ss_motion_judge (scenario->scene, run.trajectory, true, NULL, &verdict, &err) == SS_OK);
  for (int i = 0; i < verdict.n_rows; i++)
    seeming += fmax (verdict.steps[i].work[SS_WORK_CONTACTS], 0);
  SS_CHECK (seeming > 0.01 * verdict.turned_over);
  SS_CHECK (verdict.given[SS_WORK_CONTACTS].sum < 0.001 * verdict.turned_over);
  ss_motion_verdict_clear (&verdict);
  ss_sim_result_clear (&run);
  free (options);
  ss_scenario_free (scenario);
}

/* ---- the law ----------------------------------------------------------------------------------------------------- */

/* Free flight that ends beside its way. */
static Told
miss_the_way (double by)
{
  SsScenario *scenario = ball_and_box (0.1, 0.1, -10);
  const double rows[] = {0,   -1,   2,      0, 1, 0, 0, 0, 0, 0, /* here */
                         0.1, -0.9, 2,      0, 1, 0, 0, 0, 0, 0, /* and */
                         0.2, -0.8, 2 + by, 0, 1, 0, 0, 0, 0, 0};
  const Told told = judge_rows (scenario, names, N_NAMES, rows, 3);

  ss_scenario_free (scenario);
  return told;
}

static void
steps_of_no_law (void)
{
  Told told = miss_the_way (0.5 * SS_REPLAY_PARTED);
  SS_CHECK (told.outcome == SS_OUTCOME_SOLVED && told.n_warnings == 0);

  told = miss_the_way (5e-5);
  SS_CHECK (told.outcome == SS_OUTCOME_SOLVED && told.n_warnings == 1);
  SS_CHECK (strstr (told.warnings, "1 of 2 steps") != NULL);

  told = miss_the_way (0.01);
  SS_CHECK (told.outcome == SS_OUTCOME_NOT_REPLAYABLE);
  SS_CHECK (strstr (told.message, "does not obey this integrator's law in 1, first at t = 0.1 s (ball)") != NULL);
}

/* ---- found by an optimiser --------------------------------------------------------------------------------------- */

/* A ball of 5 cm shall get to the other side of a wall of 2 cm, which it can do between two points: there it overlaps
 * by its radius and half of the wall. */
static void
a_ball_through_a_wall (void)
{
  static const char text[] =
      "{\"format\": 1, \"name\": \"shot\", \"scene\": {\"gravity\": [0, 0], \"friction\": 0.3, \"bodies\": ["
      "{\"name\": \"wall\", \"fixed\": true, \"shape\": {\"type\": \"box\", \"width\": 0.02, \"height\": 2}},"
      "{\"name\": \"ball\", \"mass\": 0.5, \"position\": [-0.4, 0],"
      " \"shape\": {\"type\": \"circle\", \"radius\": 0.05}}], \"contacts\": \"all\","
      "\"actuators\": ["
      "{\"name\": \"fx\", \"type\": \"force\", \"body\": \"ball\", \"direction\": [1, 0], \"lower\": -50, \"upper\": "
      "50},"
      "{\"name\": \"fy\", \"type\": \"force\", \"body\": \"ball\", \"direction\": [0, 1], \"lower\": -50, \"upper\": "
      "50}"
      "]}, \"task\": {\"horizon\": 1, \"steps\": 6, \"t_end\": 1, \"dt\": 0.1, \"effort\": 0.01,"
      "\"targets\": [{\"body\": \"ball\", \"position\": [0.4, 0]}]}}";
  SsScenario *scenario = ss_test_read_text (text);
  SsError err = {0};
  const SsMethod *method = ss_method_find (SS_METHOD_OPTIMISER, "crisp", &err);
  void *options = calloc (1, method->options->size + 1);
  SsRunResult result;

  ss_method_init_options (method, scenario, options);
  const SsJob job = ss_job (method, scenario, options);
  SS_CHECK (ss_run (&job, NULL, &result, &err) == SS_OK);
  SS_CHECK (ss_metric_get (&result.metrics, SS_METRIC_MAX_VIOLATION) < SS_RUN_FEASIBLE);
  SS_CHECK (result.outcome == SS_OUTCOME_NOT_REPLAYABLE && ss_run_motion (&result) != NULL);
  SS_CHECK (strstr (result.message, "contact wall-ball overlaps by 0.06 m at t = ") == result.message);
  SS_CHECK_NEAR (ss_metric_get (&result.metrics, SS_METRIC_MAX_SWEPT_OVERLAP), 0.06, 1e-3 * 0.06);
  ss_run_result_clear (&result);
  free (options);
  ss_scenario_free (scenario);
}

int
main (void)
{
  SS_RUN (overlap_between_points);
  SS_RUN (energy_from_a_contact);
  SS_RUN (a_wall_that_pushes_on);
  SS_RUN (a_corner_gives_nothing);
  SS_RUN (steps_of_no_law);
  SS_RUN (a_ball_through_a_wall);
  return ss_test_finish ();
}
