/* tests/unit/test-predict.c: a feedback that looks ahead, and the estimate of friction and masses that it has.
 *
 * A pusher accelerates a box on a floor, brakes, and lets it slide to its goal. How far it slides from a speed v is
 * v^2 / (2 mu g): with the friction a fifth off, a box that is let go as planned misses by a known length, and that is
 * all that holding the pusher on its plan can do. Who looks ahead lets it go at another speed. A box that starts
 * elsewhere is what re-planning sees and LQR does not. */
#include "core/ss-memory.h"
#include "plan/ss-predict.h"
#include "plan/ss-rejoin.h"
#include "run/ss-run.h"
#include "simulate/ss-simulate.h"
#include "simulate/ss-stewart-trinkle.h"
#include "ss-test-scenario.h"

static const double G = 10, MU = 0.3, PUSH = 9.6, BRAKE = -10;
enum { STEPS = 60 };

static const char slide_text[] =
    "{\"format\": 1, \"name\": \"slide\", \"scene\": {\"gravity\": [0, -10], \"bodies\": ["
    "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}}, "
    "{\"name\": \"box\", \"mass\": 1, \"shape\": {\"type\": \"box\", \"width\": 0.4, \"height\": 0.2}, \"position\": "
    "[0, 0.1]}, "
    "{\"name\": \"pusher\", \"mass\": 1, \"shape\": {\"type\": \"circle\", \"radius\": 0.05}, \"position\": [-0.25, "
    "0.1], \"lock\": [\"y\", \"theta\"]}], "
    "\"contacts\": [{\"bodies\": [\"floor\", \"box\"], \"friction\": 0.3}, {\"bodies\": [\"pusher\", \"box\"], "
    "\"friction\": 0}], "
    "\"actuators\": [{\"name\": \"f\", \"type\": \"force\", \"body\": \"pusher\", \"direction\": [1, 0], \"lower\": "
    "-20, \"upper\": 20}]}, "
    "\"task\": {\"horizon\": 1.2, \"steps\": 60, \"t_end\": 1.2, \"dt\": 0.02, \"effort\": 0.01, \"targets\": "
    "[{\"body\": \"box\", \"position\": [%.17g, null]}]}}";

static SsScenario *
read_slide (double goal)
{
  char text[2000];

  snprintf (text, sizeof text, slide_text, goal);
  return ss_test_read_text (text);
}

/* Pushed for 0.4 s, braked until the pusher stands: the motion that these controls have in the plan's steps. */
static SsTrajectory *
slide (const SsScene *scene)
{
  double t[STEPS], u[STEPS];
  const SsControls controls = {STEPS, 1, t, u};
  SsStewartTrinkleOptions options;
  SsSimResult result = {0};
  SsError err;

  for (int k = 0; k < STEPS; k++) {
    t[k] = 0.02 * k;
    u[k] = k < 20 ? PUSH : k < 26 ? BRAKE : 0;
  }
  ss_options_init (ss_integrator_stewart_trinkle.options, &options);
  options.gap = SS_STEWART_TRINKLE_END;
  SS_CHECK (ss_simulate_job (&(SsSimJob){.scene = scene,
                                         .integrator = &ss_integrator_stewart_trinkle,
                                         .options = &options,
                                         .controls = &controls,
                                         .dt = 0.02,
                                         .t_end = 1.2},
                             NULL, &result, &err) == SS_OK);
  SsTrajectory *motion = result.trajectory;
  result.trajectory = NULL;
  ss_sim_result_clear (&result);
  return motion;
}

static double
end_of (const SsTrajectory *motion, const char *channel)
{
  return ss_trajectory_row (motion, motion->n_rows - 1)[ss_trajectory_channel (motion, channel)];
}

/* Where the box ends with that controller in a world with so much of the friction, the box so much farther at first. */
static double
replay_moved (const SsScenario *scenario, const SsTrajectory *plan, SsControllerKind kind, double friction, double by)
{
  SsFeedbackOptions feedback = SS_FEEDBACK_OPTIONS;
  SsRunResult result;
  SsError err;

  feedback.kind = kind;
  SsJob job = ss_job (ss_method_of_integrator (&ss_integrator_moreau_jean), scenario, NULL);
  job.simulate.plan = plan;
  job.simulate.feedback = &feedback;
  job.simulate.friction = friction;
  job.simulate.disturbances = &(SsDisturbance){.body = 1, .coordinate = 0, .by = by};
  job.simulate.n_disturbances = by != 0;
  job.simulate.dt = 0.002;
  job.simulate.t_end = 1.2;
  SS_CHECK (ss_run (&job, NULL, &result, &err) == SS_OK && result.outcome == SS_OUTCOME_COMPLETED);
  const double end = end_of (ss_run_motion (&result), "box.x");
  SS_CHECK ((result.account.n_plans > 0) == (kind != SS_CONTROLLER_LQR));
  ss_run_result_clear (&result);
  return end;
}

static double
replay (const SsScenario *scenario, const SsTrajectory *plan, SsControllerKind kind, double friction)
{
  return replay_moved (scenario, plan, kind, friction, 0);
}

static void
a_box_that_slides_to_its_goal_is_let_go_at_another_speed_where_friction_is_another (void)
{
  SsScenario *first = read_slide (1);
  SsTrajectory *plan = slide (first->scene);
  const double goal = end_of (plan, "box.x");
  SsScenario *scenario = read_slide (goal);
  double fastest = 0;

  for (int row = 0; row < plan->n_rows; row++)
    fastest = fmax (fastest, ss_trajectory_row (plan, row)[ss_trajectory_channel (plan, "box.vx")]);
  for (int i = 0; i < 2; i++) {
    const double friction = i == 0 ? 0.8 : 1.2;
    const double off = fastest * fastest / (2 * MU * G) * (1 / friction - 1);
    const double held = replay (scenario, plan, SS_CONTROLLER_LQR, friction) - goal,
                 led = replay (scenario, plan, SS_CONTROLLER_PREDICT, friction) - goal;

    /* let go at the plan's speed within 7 %, which is 14 % of the way of 0.29 m */
    SS_CHECK (fabs (off) > 0.04);
    SS_CHECK_NEAR (held, off, 0.04);
    SS_CHECK (fabs (held) > 0.02); /* the goal is missed, by what LQR cannot help */
    /* while it is pushed its mass and its friction are known together alone: half of the miss goes at least */
    SS_CHECK (fabs (led) < fabs (off) / 2);
  }
  /* what is tried is counted, not timed */
  SS_CHECK (replay (scenario, plan, SS_CONTROLLER_PREDICT, 1.1) == replay (scenario, plan, SS_CONTROLLER_PREDICT, 1.1));
  ss_trajectory_free (plan);
  ss_scenario_free (scenario);
  ss_scenario_free (first);
}

static void
friction_and_masses_are_found_from_how_a_box_is_pushed_and_slides (void)
{
  /* Steps of the closed form: pushed both go with (f - mu m g) / (m + M), let go the box loses mu g a second. */
  const double h = 0.01, m = 1.15, pusher = 0.9, mu = MU * 0.85;
  SsScenario *scenario = read_slide (1);
  SsEstimate *estimate = NULL;
  double q[9] = {0, 0, 0, 0, 0.1, 0, -0.25, 0.1, 0}, v[9] = {0}, deviation;
  bool changed;
  SsError err;

  SS_CHECK (ss_estimate_new (scenario->scene, &estimate, &err) == SS_OK);
  SS_CHECK (ss_estimate_mass (estimate, 0, NULL) == 1 && ss_estimate_friction (estimate, 0, NULL) == 1);
  for (int k = 0; k < 80; k++) {
    const double f = k < 40 ? PUSH : k < 55 ? BRAKE : 0;

    ss_estimate_see (estimate, k * h, q, v, &f);
    SS_CHECK (k % 5 != 0 || ss_estimate_renew (estimate, &changed, &err) == SS_OK);
    if (k < 40) {
      v[3] += h * (f - mu * m * G) / (m + pusher);
      v[6] = v[3];
    } else {
      v[3] = fmax (v[3] - h * mu * G, 0);
      v[6] += h * f / pusher;
    }
    q[3] += h * v[3];
    q[6] += h * v[6];
  }
  /* Each number has over ten steps in which a velocity changes by it, each to a twentieth: 2 % */
  SS_CHECK_NEAR (ss_estimate_friction (estimate, 0, &deviation), mu / MU, 0.02);
  SS_CHECK (deviation < 0.03);
  SS_CHECK_NEAR (ss_estimate_mass (estimate, 2, &deviation), pusher, 0.02);
  SS_CHECK (deviation < 0.03);
  SS_CHECK_NEAR (ss_estimate_mass (estimate, 1, &deviation), m, 0.05);
  SS_CHECK (deviation < 0.05);
  /* of a contact without friction there is none to be found */
  SS_CHECK (ss_estimate_friction (estimate, 1, &deviation) == 1 && deviation == 0);
  ss_estimate_free (estimate);
  ss_scenario_free (scenario);
}

static void
without_targets_it_is_lqr (void)
{
  SsScenario *scenario = read_slide (1);
  SsPlan still = *scenario->task.plan;
  SsScenario free_of_goals = *scenario;
  SsTrajectory *plan = slide (scenario->scene);
  SsPlanLqr *lqr = NULL, *inner = NULL;
  SsPredict *predict = NULL;
  SsError err;
  double q[9] = {0, 0, 0, 0.01, 0.1, 0, -0.26, 0.1, 0}, v[9] = {0};

  still.n_targets = 0;
  free_of_goals.task.plan = &still;
  SS_CHECK (ss_plan_lqr_new (scenario->scene, plan, NULL, NULL, &lqr, &err) == SS_OK);
  SS_CHECK (ss_plan_lqr_new (scenario->scene, plan, NULL, NULL, &inner, &err) == SS_OK);
  SS_CHECK (ss_predict_new (&free_of_goals, plan, inner, 1, NULL, &predict, &err) == SS_OK);
  for (int k = 0; k < 5; k++)
    SS_CHECK (ss_predict_controls (predict, 0.1 * k, q, v)[0] == ss_plan_lqr_controls (lqr, 0.1 * k, q, v)[0]);
  ss_predict_free (predict);
  ss_plan_lqr_free (inner);
  ss_plan_lqr_free (lqr);
  ss_trajectory_free (plan);
  ss_scenario_free (scenario);
}

static void
a_box_that_starts_elsewhere_is_pushed_to_its_goal_by_plans_that_are_made_again (void)
{
  SsScenario *first = read_slide (1);
  SsTrajectory *plan = slide (first->scene);
  const double goal = end_of (plan, "box.x");
  SsScenario *scenario = read_slide (goal);

  for (int i = 0; i < 2; i++) {
    const double by = i == 0 ? 0.02 : 0.03;
    const double held = replay_moved (scenario, plan, SS_CONTROLLER_LQR, 1, by) - goal,
                 led = replay_moved (scenario, plan, SS_CONTROLLER_REPLAN, 1, by) - goal;

    /* who knows the pusher alone brings it where it would have been: the box stays ahead, met late, and more */
    SS_CHECK (held > by / 2);
    SS_CHECK (fabs (led) < held / 2);
  }
  ss_trajectory_free (plan);
  ss_scenario_free (scenario);
  ss_scenario_free (first);
}

/* A disc goes with +-6 m/s2 from rest to rest, 0.48 m in 0.4 s and back to speed 0: whoever is on that plan ends on it,
 * whatever its controls are later, and plans nothing; who is 0.3 m off it when 0.2 s are left cannot be back. */
static void
on_the_plan_nothing_is_planned (void)
{
  enum { N = 20 };
  const double h = 0.04, a = 6;
  SsScenario *scenario = ss_test_read_text ("{\"format\": 1, \"name\": \"free\", \"scene\": {\"gravity\": [0, 0], "
                                            "\"bodies\": [{\"name\": \"disc\", \"mass\": 1,"
                                            " \"lock\": [\"y\", \"theta\"], \"shape\": {\"type\": \"circle\", "
                                            "\"radius\": 0.1}}], \"contacts\": [], \"actuators\":"
                                            " [{\"name\": \"f\", \"type\": \"force\", \"body\": \"disc\", "
                                            "\"direction\": [1, 0], \"lower\": -9, \"upper\": 9}]},"
                                            " \"task\": {\"horizon\": 0.8, \"steps\": 20, \"t_end\": 0.8, \"dt\": "
                                            "0.04, \"effort\": 0.01, \"targets\": [{\"body\":"
                                            " \"disc\", \"position\": [0.96, null]}]}}");
  static const char *const names[] = {"t", "disc.x", "disc.y", "disc.theta", "disc.vx", "disc.vy", "disc.omega", "u.f"};

  for (int off = 0; off < 2; off++) {
    SsTrajectory *plan = NULL;
    SsPlanLqr *lqr = NULL;
    SsRejoin *rejoin = NULL;
    SsRejoinAccount account = {0};
    SsError err = {0};
    double x = 0, v = 0;

    SS_CHECK (ss_trajectory_new_named (names, 8, N + 1, &plan, &err) == SS_OK);
    for (int k = 0; k <= N; k++) {
      const double u = k < N / 2 ? a : -a, row[] = {k * h, x, 0, 0, v, 0, 0, u};
      SS_CHECK (ss_trajectory_append (plan, row, &err) == SS_OK);
      x += h * v + h * h * u / 2;
      v += h * u;
    }
    SS_CHECK (ss_plan_lqr_new (scenario->scene, plan, NULL, NULL, &lqr, &err) == SS_OK);
    SS_CHECK (lqr != NULL && ss_rejoin_new (scenario, plan, lqr, 1, 0, NULL, &rejoin, &err) == SS_OK);
    for (int k = 0; rejoin != NULL && k < N; k++) {
      const double *row = ss_trajectory_row (plan, k);
      const double q[3] = {row[1] + (off && k >= 15 ? 0.3 : 0), 0, 0}, speed[3] = {row[4], 0, 0};
      const double u = *ss_rejoin_controls (rejoin, k * h, q, speed);

      if (!off)
        SS_CHECK_NEAR (u, k < N / 2 ? a : -a, 1e-9);
    }
    if (rejoin != NULL)
      ss_rejoin_account (rejoin, &account);
    SS_CHECK (account.n_looks > 10 && (account.n_plans > 0) == (off == 1) && account.n_events == 0);
    ss_rejoin_free (rejoin);
    ss_plan_lqr_free (lqr);
    ss_trajectory_free (plan);
  }
  ss_scenario_free (scenario);
}

static void
an_estimate_without_memory_is_none (void)
{
  SsScenario *scenario = read_slide (1);
  SsStatus status = SS_ERR_MEMORY;

  for (uint64_t k = 1; status == SS_ERR_MEMORY; k++) {
    SsEstimate *estimate = NULL;
    SsError err = {0};

    ss_alloc_fail_at (k);
    status = ss_estimate_new (scenario->scene, &estimate, &err);
    ss_alloc_fail_at (0);
    SS_CHECK ((status == SS_OK) == (estimate != NULL) && (status == SS_OK || err.message[0] != '\0'));
    ss_estimate_free (estimate);
  }
  SS_CHECK (status == SS_OK);
  ss_scenario_free (scenario);
}

int
main (void)
{
  SS_RUN (an_estimate_without_memory_is_none);
  SS_RUN (a_box_that_slides_to_its_goal_is_let_go_at_another_speed_where_friction_is_another);
  SS_RUN (friction_and_masses_are_found_from_how_a_box_is_pushed_and_slides);
  SS_RUN (a_box_that_starts_elsewhere_is_pushed_to_its_goal_by_plans_that_are_made_again);
  SS_RUN (without_targets_it_is_lqr);
  SS_RUN (on_the_plan_nothing_is_planned);
  return ss_test_finish ();
}
