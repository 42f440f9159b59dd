/* tests/numeric/test-refine.c: plans whose replay in shorter steps ends where they do. Truth: the closed form of a
 * body that falls or is pushed in steps; replays by ss_run, which knows nothing of refinement; the judge. */
#include "plan/ss-refine.h"
#include "run/ss-run.h"
#include "plan/ss-shoot-cheaper.h"
#include "plan/ss-track-plan.h"
#include "ss-test-scenario.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A disc in the plane without weight that one force drives; it shall pass x = 1 at the end, at any speed. */
static SsScenario *
scene_with_target (double gravity, double limit, const char *target)
{
  char text[1024];

  snprintf (text, sizeof text,
            "{\"format\": 1, \"name\": \"drive\", \"scene\": {\"gravity\": [0, -%g], \"bodies\": ["
            "{\"name\": \"disc\", \"mass\": 1, \"position\": [0, 0], \"shape\": {\"type\": \"circle\", \"radius\": "
            "0.1}},"
            "{\"name\": \"wall\", \"fixed\": true, \"position\": [3, 0], \"shape\": {\"type\": \"box\", \"width\": "
            "0.2, \"height\": 2}}],"
            "\"contacts\": \"all\", \"actuators\": [{\"name\": \"fx\", \"type\": \"force\", \"body\": \"disc\", "
            "\"direction\": [1, 0], \"lower\": -%g, \"upper\": %g}]},"
            "\"task\": {\"horizon\": 1, \"steps\": 20, \"t_end\": 1, \"dt\": 0.05, \"targets\": [{\"body\": \"disc\", "
            "\"position\": %s}], \"effort\": 0.01}}",
            gravity, limit, limit, target);
  return ss_test_read_text (text);
}

static SsScenario *
limited_scene (double gravity, double limit)
{
  return scene_with_target (gravity, limit, "[1, null]");
}

static SsScenario *
drive_scene (double gravity)
{
  return limited_scene (gravity, 20);
}

static SsRunResult
run (const SsScenario *scenario, SsMethodKind kind, const char *name, const char *const (*set)[2], int n_set,
     const SsTrajectory *plan, double dt)
{
  SsError err = {0};
  const SsMethod *method = ss_method_find (kind, name, &err);
  void *options = calloc (1, method->options->size + 1);
  SsJob job = ss_job (method, scenario, options);
  if (kind == SS_METHOD_INTEGRATOR) {
    job.simulate.dt = dt;
    job.simulate.plan = plan;
  } else
    job.solve.start = plan;
  SsRunResult result;

  ss_method_init_options (method, scenario, options);
  for (int i = 0; i < n_set; i++)
    SS_CHECK (ss_options_set (method->options, options, set[i][0], set[i][1], &err) == SS_OK);
  SS_CHECK (ss_run (&job, NULL, &result, &err) == SS_OK);
  free (options);
  return result;
}

/* The motion as a run's answer, as it is. */
static SsRunResult
take (const SsScenario *scenario, const SsTrajectory *motion)
{
  SsError err = {0};
  const SsMethod *crisp = ss_method_find (SS_METHOD_OPTIMISER, "crisp", &err);
  const int steps = motion->n_rows - 1;
  void *options = calloc (1, crisp->options->size + 1);
  SsJob job = ss_job (crisp, scenario, options);
  job.solve.transcription.dt = ss_trajectory_row (motion, steps)[0] / steps;
  job.solve.start = motion;
  job.solve.takes_start = true;
  SsRunResult result;

  ss_method_init_options (crisp, scenario, options);
  SS_CHECK (ss_run (&job, NULL, &result, &err) == SS_OK);
  free (options);
  return result;
}

static const char *const gap_end[][2] = {{"gap", "end"}};

/* A body that falls T in steps of h is g T (T + h) / 2 lower: at a tenth of the step it ends 0.45 g T h above its goal,
 * where that is the end of its fall. Of what no goal speaks nothing is asked: a goal of x = 1 is 1 m away. */
static void
test_tenth (void)
{
  SsScenario *scenario = scene_with_target (9.81, 20, "[null, -5.15025]"), *aside = drive_scene (9.81);
  SsRunResult fall = run (scenario, SS_METHOD_INTEGRATOR, "stewart-trinkle", gap_end, 1, NULL, 0.05);
  SsTenth tenth;
  SsError err = {0};

  SS_CHECK (ss_refine_tenth (scenario, ss_run_motion (&fall), NULL, &tenth, &err) == SS_OK);
  SS_CHECK (fabs (tenth.distance - 0.45 * 9.81 * 0.05) < 1e-9); /* rounding of 200 sums */
  SS_CHECK (tenth.parted[0] == '\0');
  SS_CHECK (ss_refine_tenth (aside, ss_run_motion (&fall), NULL, &tenth, &err) == SS_OK);
  SS_CHECK (fabs (tenth.distance - 1) < 1e-12);
  ss_run_result_clear (&fall);
  ss_scenario_free (scenario);
  ss_scenario_free (aside);
}

/* In twice the steps the motion keeps the law of these (the judge finds no velocity that nothing explains) and, by its
 * feedback, ends nearer to the plan than the replay: 5 N push the disc for the first half second; exactly, the end of
 * the plan is h v / 2 = 62.5 mm ahead of a motion without steps, and the replay at half the step half of that. */
static void
test_track (void)
{
  SsScenario *scenario = drive_scene (0);
  SsRunResult still = run (scenario, SS_METHOD_INTEGRATOR, "stewart-trinkle", gap_end, 1, NULL, 0.05), pushed;
  SsTrajectory *controls = NULL, *motion = NULL;
  SsMotionVerdict verdict;
  SsError err = {0};
  double away;

  SS_CHECK (ss_trajectory_copy (ss_run_motion (&still), &controls, &err) == SS_OK);
  const int fx = ss_trajectory_channel (controls, "u.fx");
  for (int k = 0; k < 10; k++)
    controls->values[(size_t)k * (size_t)controls->n_channels + (size_t)fx] = 5;
  pushed = run (scenario, SS_METHOD_INTEGRATOR, "stewart-trinkle", gap_end, 1, controls, 0.05);
  SS_CHECK (ss_track_plan (scenario, ss_run_motion (&pushed), 40, &motion, &away, &err) == SS_OK && motion != NULL);
  SS_CHECK (motion->n_rows == 41 && away < 0.03);
  SS_CHECK (ss_motion_judge (scenario->scene, motion, false, NULL, &verdict, &err) == SS_OK);
  SS_CHECK (verdict.balance.value < 1e-9);
  for (int k = 0; k < motion->n_rows; k++)
    SS_CHECK (fabs (ss_trajectory_row (motion, k)[ss_trajectory_channel (motion, "u.fx")]) <= 20);
  ss_motion_verdict_clear (&verdict);
  ss_trajectory_free (motion);
  ss_trajectory_free (controls);
  ss_run_result_clear (&still);
  ss_run_result_clear (&pushed);
  ss_scenario_free (scenario);
}

/* The end of a motion by 40 steps of h = 1/40 under the controls u is the sum of h^2 u_k (40 - k), exactly; the target
 * is 1. Shot from rest, the controls found give it; with limits of 0.5 N nothing above 0.5 (1 + h) / 2 can be reached,
 * and the motion does not pretend to. As the answer of a run, the first is a plan and the second is none. */
static void
test_shoot (void)
{
  static const double limits[] = {20, 0.5};

  for (int i = 0; i < 2; i++) {
    SsScenario *scenario = limited_scene (0, limits[i]);
    SsRunResult still = run (scenario, SS_METHOD_INTEGRATOR, "stewart-trinkle", gap_end, 1, NULL, 0.05), taken;
    SsTrajectory *motion = NULL;
    SsError err = {0};
    double miss, end = 0;
    bool keeps_limits = true;

    SS_CHECK (ss_shoot_plan (scenario, ss_run_motion (&still), 40, NULL, &motion, &miss, &err) == SS_OK);
    SS_CHECK (motion != NULL && motion->n_rows == 41);
    const int fx = ss_trajectory_channel (motion, "u.fx"), x = ss_trajectory_channel (motion, "disc.x");
    for (int k = 0; k < 40; k++) {
      const double u = ss_trajectory_row (motion, k)[fx];

      end += u * (40 - k) / 1600;
      keeps_limits = keeps_limits && fabs (u) <= limits[i];
    }
    SS_CHECK (keeps_limits && fabs (ss_trajectory_row (motion, 40)[x] - end) < 1e-12);
    SS_CHECK (i == 0 ? miss <= SS_SHOT && fabs (end - 1) <= SS_SHOT : miss >= 1 - 0.25 * (1 + 1.0 / 40) - 1e-12);
    taken = take (scenario, motion);
    SS_CHECK ((taken.outcome == SS_OUTCOME_SOLVED) == (i == 0));
    SS_CHECK (i == 1 || ss_metric_get (&taken.metrics, SS_METRIC_MAX_VIOLATION) <= SS_SHOT);
    ss_run_result_clear (&taken);
    ss_run_result_clear (&still);
    ss_trajectory_free (motion);
    ss_scenario_free (scenario);
  }
}

/* Sampled in shorter steps until one holds: by a replay that is none of its own. */
static void
test_fine (void)
{
  static const char *const set[][2] = {{"member", "fine"}};
  SsScenario *scenario = drive_scene (0);
  SsRunResult plan = run (scenario, SS_METHOD_OPTIMISER, "auto", set, 1, NULL, NAN);
  const SsTrajectory *motion = ss_run_motion (&plan);

  SS_CHECK (plan.outcome == SS_OUTCOME_SOLVED && motion->n_rows >= 81);
  SsRunResult replay = run (scenario, SS_METHOD_INTEGRATOR, "stewart-trinkle", gap_end, 1, motion,
                            1.0 / (motion->n_rows - 1) / SS_REFINE_PARTS);
  SS_CHECK (ss_metric_get (&replay.metrics, SS_METRIC_REPLAY_FINAL) <= SS_REFINE_NEAR);
  ss_run_result_clear (&replay);
  ss_run_result_clear (&plan);
  ss_scenario_free (scenario);
}

/* A stored plan, refined: the member alone. One that holds already becomes cheaper, and holds. */
static void
check_stored (const SsScenario *scenario, const SsTrajectory *plan)
{
  static const char *const set[][2] = {{"member", "refined"}};
  SsRunResult finer = run (scenario, SS_METHOD_OPTIMISER, "auto", set, 1, plan, NAN);
  SsRunResult again = run (scenario, SS_METHOD_OPTIMISER, "auto", set, 1, ss_run_motion (&finer), NAN);

  SS_CHECK (finer.outcome == SS_OUTCOME_SOLVED && ss_run_motion (&finer)->n_rows > 21);
  SS_CHECK (ss_metric_get (&finer.metrics, SS_METRIC_HALVINGS) >= 1);
  SS_CHECK (ss_metric_get (&finer.metrics, SS_METRIC_REPLAY_TENTH) <= SS_REFINE_NEAR);
  SS_CHECK (again.outcome == SS_OUTCOME_SOLVED && ss_run_motion (&again)->n_rows >= ss_run_motion (&finer)->n_rows);
  /* objectives of one motion: rows are obeyed to 1e-6 */
  SS_CHECK (ss_metric_get (&again.metrics, SS_METRIC_OBJECTIVE) <=
            ss_metric_get (&finer.metrics, SS_METRIC_OBJECTIVE) + 1e-6);
  SS_CHECK (ss_metric_get (&again.metrics, SS_METRIC_REPLAY_TENTH) <= SS_REFINE_NEAR);
  ss_run_result_clear (&finer);
  ss_run_result_clear (&again);
}

/* The disc passes its goal at 1.5 to 2 m/s: a plan of 20 steps ends 0.45 h v, about 40 mm, from its replay at a
 * tenth, and one of 160 holds. The answer of `auto` does, by a replay that is none of its own; unrefined it does not
 * until it is refined. */
static void
test_refined (void)
{
  static const char *const unrefined[][2] = {{"refine", "0"}, {"member", "priced"}}, *const refined[][2] = {
                                                                                         {"refine", "4"}};
  SsScenario *scenario = drive_scene (0);

  for (int i = 0; i < 2; i++) {
    /* under sanitizers one member's answer */
    SsRunResult plan =
        i == 0 ? run (scenario, SS_METHOD_OPTIMISER, "auto", unrefined, ss_test_is_coarse () ? 2 : 1, NULL, NAN)
               : run (scenario, SS_METHOD_OPTIMISER, "auto", refined, 1, NULL, NAN);
    const SsTrajectory *motion = ss_run_motion (&plan);
    const int steps = motion->n_rows - 1;
    SsRunResult replay =
        run (scenario, SS_METHOD_INTEGRATOR, "stewart-trinkle", gap_end, 1, motion, 1.0 / steps / SS_REFINE_PARTS);
    const double away = ss_metric_get (&replay.metrics, SS_METRIC_REPLAY_FINAL);

    SS_CHECK (plan.outcome == SS_OUTCOME_SOLVED && replay.outcome == SS_OUTCOME_COMPLETED);
    SS_CHECK (fabs (ss_trajectory_row (motion, steps)[ss_trajectory_channel (motion, "disc.x")] - 1) < 1e-6);
    /* the plan ends within 1e-6 of its goal */
    SS_CHECK (fabs (away - ss_metric_get (&plan.metrics, SS_METRIC_REPLAY_TENTH)) < 1e-6);
    if (i == 0) {
      SS_CHECK (steps == 20 && away > SS_REFINE_NEAR && strstr (plan.message, "replay ends") != NULL);
      check_stored (scenario, motion);
    } else
      SS_CHECK (steps > 20 && steps <= 320 && away <= SS_REFINE_NEAR);
    if (i == 1) /* the unrefined answer stays; the last are ends in other worlds */
      SS_CHECK (plan.n_solutions > 0 && plan.n_motions == plan.n_solutions + 2);
    ss_run_result_clear (&replay);
    ss_run_result_clear (&plan);
  }
  ss_scenario_free (scenario);
}

/* Effort 0.01 u^2 of a disc that moves by 1 m in N = 20 steps of h: u_k acts on the place by w_k = h^2 (N - k), so the
 * least cost is 0.01 h / sum w_k^2, with u_k proportional to w_k: a line in time, which hats are too. From a constant
 * force that ends there as well, the cost falls to it; a judge who takes nothing leaves the plan alone. */
static SsStatus
take_none (void *user_data, const SsTrajectory *motion, bool *is, SsError *err)
{
  (void)motion;
  (void)err;
  ++*(int *)user_data;
  *is = false;
  return SS_OK;
}

static void
test_cheaper (void)
{
  enum { N = 20 };
  const double h = 1.0 / N;
  SsScenario *scenario = drive_scene (0);
  SsRunResult still = run (scenario, SS_METHOD_INTEGRATOR, "stewart-trinkle", gap_end, 1, NULL, h), pushed;
  SsTrajectory *controls = NULL;
  SsCheaper cheaper;
  SsError err = {0};
  double squares = 0, sum = 0;
  int n_asked = 0;

  for (int k = 0; k < N; k++) {
    squares += h * h * (N - k) * h * h * (N - k);
    sum += h * h * (N - k);
  }
  SS_CHECK (ss_trajectory_copy (ss_run_motion (&still), &controls, &err) == SS_OK);
  const int fx = ss_trajectory_channel (controls, "u.fx");
  for (int k = 0; k < N; k++)
    controls->values[(size_t)k * (size_t)controls->n_channels + (size_t)fx] = 1 / sum;
  pushed = run (scenario, SS_METHOD_INTEGRATOR, "stewart-trinkle", gap_end, 1, controls, h);
  SS_CHECK (ss_shoot_cheaper (scenario, ss_run_motion (&pushed), NULL, NULL, &cheaper, &err) == SS_OK);
  SS_CHECK (cheaper.motion != NULL && cheaper.n_steps > 0);
  SS_CHECK (fabs (cheaper.before - 0.01 / (sum * sum)) < 1e-9);
  /* the target is met to 9e-7, and 3e-3 of the cost end the steps */
  SS_CHECK (fabs (cheaper.after / (0.01 * h / squares) - 1) < 3e-3);
  const double *end = ss_trajectory_row (cheaper.motion, N);
  SS_CHECK (fabs (end[ss_trajectory_channel (cheaper.motion, "disc.x")] - 1) < 1e-6);
  ss_trajectory_free (cheaper.motion);
  const SsCheaperJudge none = {take_none, &n_asked};
  SS_CHECK (ss_shoot_cheaper (scenario, ss_run_motion (&pushed), &none, NULL, &cheaper, &err) == SS_OK);
  SS_CHECK (n_asked > 0 && cheaper.motion == NULL && cheaper.n_steps == 0 && cheaper.after == cheaper.before);
  ss_run_result_clear (&still);
  ss_run_result_clear (&pushed);
  ss_trajectory_free (controls);
  ss_scenario_free (scenario);
}

int
main (void)
{
  SS_RUN (test_tenth);
  SS_RUN (test_track);
  SS_RUN (test_shoot);
  SS_RUN (test_cheaper);
  SS_RUN_SLOW (test_refined);
  SS_RUN (test_fine);
  return ss_test_finish ();
}
