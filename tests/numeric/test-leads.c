/* tests/numeric/test-leads.c: plans by fesd-j that cheap motions lead to. Truth: a struck ball in closed form, and
 * where a disc lies that has passed a corner. */
#include "run/ss-run.h"
#include "simulate/ss-simulate.h"
#include "solve/ss-run-replayed.h"
#include "transcribe/ss-transcriptions.h"
#include "ss-test-scenario.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Solves a plan by scholtes with fesd-j, whose homotopy is not asked once there is a plan. */
static SsRunResult
solve (const SsScenario *scenario, const char *first, SsRunControl *control)
{
  const SsMethod *method = ss_method_find (SS_METHOD_OPTIMISER, "scholtes", NULL);
  const SsOptionTable *table = ss_transcription_option_table ();
  void *options = calloc (1, method->options->size + 1), *own = calloc (1, table->size);
  SsRunResult result;
  SsError err = {0};

  ss_method_init_options (method, scenario, options);
  ss_options_init (table, own);
  SS_CHECK (ss_options_set (table, own, "transcription", "fesd-j", &err) == SS_OK);
  SS_CHECK (ss_options_set (table, own, "first", first, &err) == SS_OK);
  SS_CHECK (ss_options_set (table, own, "then", "0", &err) == SS_OK);
  SsJob job = ss_job (method, scenario, options);
  job.solve.transcription = ss_transcription_choose (own);
  SS_CHECK (ss_run (&job, control, &result, &err) == SS_OK);
  printf ("  %s: %s: %s\n", scenario->name, result.start, result.message);
  free (options);
  free (own);
  return result;
}

/* The value of a channel in the last row, or in the first. */
static double
at (const SsTrajectory *motion, const char *name, bool is_end)
{
  const int channel = ss_trajectory_channel (motion, name);

  SS_CHECK (channel > 0);
  return channel > 0 ? ss_trajectory_row (motion, is_end ? motion->n_rows - 1 : 0)[channel] : NAN;
}

enum { STEPS = 10 };
static const double restitution = 0.8, cue_mass = 0.5, ball_mass = 0.3, horizon = 1, goal = 0.6, touch = 0.2;

/* A cue strikes a ball that rolls nowhere by itself: only the impact moves it, and its speed is e times that of the
 * approach and more, which no step of inelastic impacts has. */
static const char *const cue_text =
    "{\"format\": 1, \"name\": \"cue\", \"title\": \"\", \"scene\": {\"gravity\": [0, 0],"
    " \"bodies\": [{\"name\": \"cue\", \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"mass\": 0.5,"
    "   \"lock\": [\"y\", \"theta\"], \"position\": [-0.4, 0]},"
    "  {\"name\": \"ball\", \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"mass\": 0.3, \"lock\": [\"y\", "
    "\"theta\"], \"position\": [0, 0]}],"
    " \"contacts\": [{\"name\": \"c\", \"bodies\": [\"cue\", \"ball\"], \"restitution\": 0.8}],"
    " \"actuators\": [{\"name\": \"f\", \"type\": \"force\", \"body\": \"cue\", \"direction\": [1, 0], \"lower\": -15, "
    "\"upper\": 15}]},"
    " \"task\": {\"horizon\": 1, \"steps\": 10, \"effort\": 0.01, \"targets\": ["
    "  {\"body\": \"ball\", \"position\": [0.6, 0]}, {\"body\": \"cue\", \"velocity\": [0, 0]}]}}";

/* Where the ball is at the end under the forces of the intervals: at rest until the cue touches it, then as fast as
 * Newton's law makes it; NaN: a second touch, of which nothing is said here. */
static double
strike (const double *force)
{
  const double h = horizon / STEPS;
  double x = -0.4, v = 0, ball_v = 0, ball = 0;

  for (int i = 0; i < STEPS; i++) {
    const double a = force[i] / cue_mass, way = ball_v > 0 ? INFINITY : -touch - x, root = v * v + 2 * a * way,
                 t = root >= 0 ? 2 * way / (v + sqrt (root)) : INFINITY;

    if (isfinite (t) && t > 0 && t <= h) {
      const double speed = v + a * t;

      ball_v = (1 + restitution) * cue_mass / (cue_mass + ball_mass) * speed;
      const double left = speed - ball_mass / cue_mass * ball_v;
      ball = ball_v * (h - t);
      x = -touch + left * (h - t) + a * (h - t) * (h - t) / 2;
      v = left + a * (h - t);
    } else {
      ball += ball_v * h;
      x += v * h + a * h * h / 2;
      v += a * h;
    }
    if (ball_v > 0 && x > ball - touch + 1e-9)
      return NAN;
  }
  return ball;
}

static void
test_restitution (void)
{
  SsScenario *scenario = ss_test_read_text (cue_text);
  SsRunResult result = solve (scenario, "steps", NULL);
  const SsTrajectory *motion = ss_run_motion (&result);
  double force[STEPS], row[400];

  SS_CHECK (result.outcome == SS_OUTCOME_SOLVED && motion != NULL && motion->n_channels <= 400);
  if (motion != NULL) {
    const int channel = ss_trajectory_channel (motion, "u.f");

    for (int i = 0; i < STEPS && channel > 0; i++) {
      ss_trajectory_sample (motion, (i + 0.5) * horizon / STEPS, row);
      force[i] = row[channel];
    }
    SS_CHECK_NEAR (at (motion, "ball.x", true), goal, 1e-6); /* what rows of a success may be missed by */
    SS_CHECK_NEAR (at (motion, "cue.vx", true), 0, 1e-6);
    /* motions are parabolas in every element, which its scheme has exactly; the shot one is at most 5e-7 off */
    SS_CHECK_NEAR (strike (force), goal, 2e-6);
  }
  ss_run_result_clear (&result);
  ss_scenario_free (scenario);
}

/* A disc beside a block shall lie on its other side. Plans by fesd-j keep the block's face that the disc begins at, so
 * none of them passes its corner, and one that is held there has not reached the target, though the contact says
 * where the disc is along that row: the answer is an exact motion, or none. */
static const char *const corner_text =
    "{\"format\": 1, \"name\": \"corner\", \"title\": \"\", \"scene\": {\"gravity\": [0, 0],"
    " \"bodies\": [{\"name\": \"block\", \"fixed\": true, \"shape\": {\"type\": \"box\", \"width\": 0.2, \"height\": "
    "0.2}, \"position\": [0, 0]},"
    "  {\"name\": \"disc\", \"shape\": {\"type\": \"circle\", \"radius\": 0.05}, \"mass\": 1, \"lock\": [\"theta\"], "
    "\"position\": [-0.3, 0.1]}],"
    " \"contacts\": [{\"name\": \"c\", \"bodies\": [\"block\", \"disc\"], \"friction\": 0.3}],"
    " \"actuators\": [{\"name\": \"fx\", \"type\": \"force\", \"body\": \"disc\", \"direction\": [1, 0], \"lower\": "
    "-9, \"upper\": 9}, {\"name\": \"fy\", \"type\": \"force\", \"body\": \"disc\", \"direction\": [0, 1], \"lower\": "
    "-9, \"upper\": 9}]},"
    " \"task\": {\"horizon\": 1, \"steps\": 10, \"effort\": 0.01, \"targets\": [{\"body\": \"disc\", \"position\": "
    "[0.3, 0.1], \"velocity\": [0, 0]}]}}";

static void
test_corner (void)
{
  SsScenario *scenario = ss_test_read_text (corner_text);
  SsRunControl control;

  ss_run_control_init (&control);
  ss_run_control_limit_cpu (&control, 20); /* where no motion passes, the homotopy looks for one that cannot be */
  SsRunResult result = solve (scenario, "steps", &control);
  const SsTrajectory *motion = ss_run_motion (&result);

  SS_CHECK (result.outcome == SS_OUTCOME_SOLVED);
  if (motion != NULL) {
    double nearest = INFINITY;

    SS_CHECK_NEAR (at (motion, "disc.x", true), 0.3, 1e-6);
    SS_CHECK_NEAR (at (motion, "disc.y", true), 0.1, 1e-6);
    for (int k = 0; k < motion->n_rows; k++) {
      const double *row = ss_trajectory_row (motion, k);
      const double dx = fmax (fabs (row[ss_trajectory_channel (motion, "disc.x")]) - 0.1, 0),
                   dy = fmax (fabs (row[ss_trajectory_channel (motion, "disc.y")]) - 0.1, 0);

      nearest = fmin (nearest, hypot (dx, dy));
    }
    SS_CHECK (nearest >= 0.05 - 1e-6); /* what a success may overlap by */
    /* a replay takes the integrator and the steps that made it, parts of the intervals */
    const SsIntegratorClass *integrator;
    double step = NAN;
    SS_CHECK (ss_run_find_replay (motion, &integrator, &step) && strcmp (integrator->name, "fesd-j") == 0);
    SS_CHECK_NEAR (0.1 / step, round (0.1 / step), 1e-9);
  }
  ss_run_result_clear (&result);
  ss_scenario_free (scenario);
}

/* With first=method there is no lead, and a run that was told to end has none either. */
static void
test_off (void)
{
  SsScenario *scenario = ss_test_read_text (cue_text);
  SsRunControl control;

  ss_run_control_init (&control);
  ss_run_control_cancel (&control);
  SsRunResult result = solve (scenario, "steps", &control);
  SS_CHECK (result.outcome == SS_OUTCOME_CANCELLED && result.n_motions == 0);
  ss_run_result_clear (&result);
  ss_run_control_init (&control);
  ss_run_control_limit_cpu (&control, 2);
  result = solve (scenario, "method", &control);
  SS_CHECK (!result.metrics.is_set[SS_METRIC_POLISH_STARTS]);
  ss_run_result_clear (&result);
  ss_scenario_free (scenario);
}

int
main (void)
{
  SS_RUN_SLOW (test_restitution);
  SS_RUN_THREADS (test_corner);
  SS_RUN_SLOW (test_off);
  return ss_test_finish ();
}
