/* tests/numeric/test-sampled-cost.c: what a tried motion costs, what a task asks for, and motions that are sampled by
 * it. Truth: closed forms, and the judge of plans. */
#include "plan/ss-sampled-cost.h"

#include "judge/ss-plan-value.h"
#include "plan/ss-contact-pattern.h"
#include "plan/ss-passing.h"
#include "plan/ss-sampled-motion.h"
#include "plan/ss-track-plan.h"
#include "ss-test-scenario.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A puck on ice, seen from above, that a hand may throw from x < 0 only; what the task says besides. */
static SsScenario *
puck (const char *task)
{
  char text[2048];

  snprintf (text, sizeof text,
            "{\"format\": 1, \"name\": \"puck\", \"scene\": {\"gravity\": [0, 0], \"bodies\": ["
            "{\"name\": \"puck\", \"mass\": 1, \"lock\": [\"theta\"], \"position\": [-0.3, 0], \"shape\": "
            "{\"type\": \"circle\", \"radius\": 0.1}},"
            "{\"name\": \"hand\", \"mass\": 1, \"lock\": [\"theta\"], \"position\": [-0.6, 0], \"shape\": "
            "{\"type\": \"circle\", \"radius\": 0.1}}], \"contacts\": \"all\", \"actuators\": ["
            "{\"name\": \"fx\", \"type\": \"force\", \"body\": \"hand\", \"direction\": [1, 0], \"lower\": -20, "
            "\"upper\": 20}]}, \"task\": {\"horizon\": 1, \"steps\": 20, \"effort\": 2, %s}}",
            task);
  return ss_test_read_text (text);
}

/* The puck stays at -.3 m and the hand goes 1 m in 1 s under 3 N, by hand: the target .5 m ahead is missed as on
 * standing still, 1; the hand is .4 m beyond its bound of 0, in units of 5 cm, the tenth of .5 m; the constraint of
 * the last point is off by as much as at the start, 1; effort 2 * 9 * 1 s, cost of the way sum of h. */
static void
test_value (void)
{
  SsScenario *scenario = puck ("\"targets\": [{\"body\": \"puck\", \"position\": [0.2, null]}], \"bounds\": "
                               "[{\"body\": \"hand\", \"x\": [null, 0]}], \"constraints\": [{\"points\": \"last\", "
                               "\"nonnegative\": [\"puck.x - 0.1\"]}], \"cost\": [{\"cost\": "
                               "\"3 + 0*puck.x\"}]");
  SsSampledCost *cost = NULL;
  SsError err = {0};
  double rows[7];

  SS_CHECK (ss_sampled_cost_new (scenario, 20, &cost, &err) == SS_OK);
  SS_CHECK (ss_sampled_cost_speaks_of (cost, 0) && !ss_sampled_cost_speaks_of (cost, 1));
  SS_CHECK (fabs (ss_sampled_cost_asked (cost, 0, 0) - 0.5) < 1e-12 && ss_sampled_cost_asked (cost, 0, 1) == 0);
  ss_sampled_cost_begin (cost);
  for (int k = 0; k <= 20; k++) {
    const double q[6] = {-0.3, 0, 0, -0.6 + k / 20.0, 0, 0}, v[6] = {0, 0, 0, 1, 0, 0}, u = 3;
    ss_sampled_cost_add (cost, k, q, v, &u);
  }
  const SsSampledValue value = ss_sampled_cost_end (cost);
  SS_CHECK (fabs (value.missed - (1 + 1 + log (1 + 8 * 8))) < 1e-9);
  SS_CHECK (fabs (value.objective - (18 + 3)) < 1e-9 && fabs (value.distance - 0.5) < 1e-12);
  SS_CHECK (ss_sampled_cost_n_rows (cost) == 7 && fabs (ss_sampled_cost_rows (cost, rows) - 0.4) < 1e-12);
  SS_CHECK (fabs (rows[0] + 0.4 + 1e-4) < 1e-12 && fabs (rows[1] - 0.4) < 1e-12 && rows[2] == 0);
  ss_sampled_cost_free (cost);
  ss_scenario_free (scenario);
}

/* Formulas of the last point ask for a way, too: a linear one by Newton's step, a quadratic cost by its minimum. 1e-4:
 * second differences over 1e-4 m. */
static void
test_asked (void)
{
  static const char *const tasks[] = {"\"constraints\": [{\"points\": \"last\", \"zero\": [\"2*(puck.x - 0.4)\"]}]",
                                      "\"constraints\": [{\"points\": \"last\", \"nonnegative\": [\"puck.x - 0.4\"]}]",
                                      "\"cost\": [{\"points\": \"last\", \"cost\": \"7*(puck.x - 0.4)^2\"}]"};

  for (int i = 0; i < 3; i++) {
    SsScenario *scenario = puck (tasks[i]);
    SsSampledCost *cost = NULL;
    SsError err = {0};

    SS_CHECK (ss_sampled_cost_new (scenario, 20, &cost, &err) == SS_OK);
    SS_CHECK (ss_sampled_cost_speaks_of (cost, 0) && !ss_sampled_cost_speaks_of (cost, 1));
    SS_CHECK (fabs (ss_sampled_cost_asked (cost, 0, 0) - 0.7) < 1e-4);
    ss_sampled_cost_free (cost);
    ss_scenario_free (scenario);
  }
}

/* What cannot move is not asked to, and a formula whose slope has no value at the start asks for nothing: of both the
 * puck's own part counts alone. */
static void
test_asked_of_what_moves (void)
{
  static const char *const tasks[] = {
      "\"constraints\": [{\"points\": \"last\", \"zero\": [\"puck.x - wall.x + 0.1\"]}]",
      "\"constraints\": [{\"points\": \"last\", \"zero\": [\"puck.x - 0.4 + 0*sqrt(puck.y)\"]}]"};

  for (int i = 0; i < 2; i++) {
    char text[1024];
    SsSampledCost *cost = NULL;
    SsError err = {0};

    snprintf (
        text, sizeof text,
        "{\"format\": 1, \"name\": \"puck\", \"scene\": {\"gravity\": [0, 0], \"bodies\": [{\"name\": \"puck\", "
        "\"mass\": 1, \"position\": [-0.3, 0], \"shape\": {\"type\": \"circle\", \"radius\": 0.1}}, {\"name\": "
        "\"wall\", \"fixed\": true, \"position\": [0.5, 0], \"shape\": {\"type\": \"circle\", \"radius\": 0.1}}], "
        "\"contacts\": []}, \"task\": {\"horizon\": 1, \"steps\": 20, %s}}",
        tasks[i]);
    SsScenario *scenario = ss_test_read_text (text);
    SS_CHECK (ss_sampled_cost_new (scenario, 20, &cost, &err) == SS_OK);
    SS_CHECK (ss_sampled_cost_speaks_of (cost, 0) && !ss_sampled_cost_speaks_of (cost, 1));
    SS_CHECK (fabs (ss_sampled_cost_asked (cost, 0, 0) - 0.7) < 1e-4); /* 1e-4: differences */
    SS_CHECK (ss_sampled_cost_asked (cost, 0, 1) == 0 && ss_sampled_cost_asked (cost, 1, 0) == 0);
    ss_sampled_cost_free (cost);
    ss_scenario_free (scenario);
  }
}

static double
furthest (const SsTrajectory *motion, const char *channel)
{
  double most = -INFINITY;

  for (int k = 0; k < motion->n_rows; k++)
    most = fmax (most, ss_trajectory_row (motion, k)[ss_trajectory_channel (motion, channel)]);
  return most;
}

/* The hand has to let the puck go before x = -.2 (the puck's middle is then at 0) and the puck has to be at .6 m at
 * the end: what is sampled keeps that within a centimetre, what is shot from there exactly. Without the bound the
 * hand follows. */
static void
test_bounds (void)
{
  static const char *const tasks[] = {
      "\"targets\": [{\"body\": \"puck\", \"position\": [0.6, null]}]",
      "\"targets\": [{\"body\": \"puck\", \"position\": [0.6, null]}], \"bounds\": [{\"body\": \"hand\", \"x\": "
      "[null, -0.2]}]"};
  double reached[2];

  for (int i = 0; i < 2; i++) {
    SsScenario *scenario = puck (tasks[i]);
    SsSampledMotion motion;
    SsTrajectory *shot = NULL;
    SsError err = {0};
    double miss;

    SS_CHECK (ss_sample_motion (scenario, 5, 1, NULL, NULL, &motion, &err) == SS_OK);
    SS_CHECK (motion.miss < 0.05);
    reached[i] = furthest (motion.trajectory, "hand.x");
    SS_CHECK (ss_shoot_plan (scenario, motion.trajectory, 20, NULL, &shot, &miss, &err) == SS_OK && miss <= SS_SHOT);
    if (i == 1)
      SS_CHECK (furthest (shot, "hand.x") <= -0.2 + SS_SHOT);
    ss_trajectory_free (shot);
    ss_sampled_motion_clear (&motion);
    ss_scenario_free (scenario);
  }
  SS_CHECK (reached[0] > -0.1 && reached[1] < -0.19);
}

/* A task that is a constraint of the last point alone: the hand goes to the body that the formula reads. */
static void
test_constraint_alone (void)
{
  SsScenario *scenario = puck ("\"constraints\": [{\"points\": \"last\", \"nonnegative\": [\"puck.x - 0.3\", "
                               "\"0.4 - puck.x\"]}]");
  SsSampledMotion motion;
  SsError err = {0};

  SS_CHECK (ss_sample_motion (scenario, 5, 1, NULL, NULL, &motion, &err) == SS_OK);
  SS_CHECK (motion.cost < 1e-6);
  const double x = ss_trajectory_row (motion.trajectory, 20)[ss_trajectory_channel (motion.trajectory, "puck.x")];
  SS_CHECK (x > 0.3 - 1e-6 && x < 0.4 + 1e-6);
  /* one contact, that begins to push: another pattern than none */
  SsTrajectory *still = NULL;
  SS_CHECK (ss_trajectory_new (motion.trajectory->channels, motion.trajectory->n_channels, 1, &still, &err) == SS_OK);
  SS_CHECK (ss_trajectory_append (still, ss_trajectory_row (motion.trajectory, 0), &err) == SS_OK);
  SS_CHECK (ss_contact_pattern (scenario->scene, motion.trajectory) != ss_contact_pattern (scenario->scene, still));
  SS_CHECK (ss_contact_pattern (scenario->scene, still) == ss_contact_pattern (scenario->scene, still));
  ss_trajectory_free (still);
  ss_sampled_motion_clear (&motion);
  ss_scenario_free (scenario);
}

/* Circles of radius .1: one that goes on to the other side of one that stands, one that stops at its skin, and two that
 * go together; on its side of a thin wall, and through it. */
static void
test_passing (void)
{
  SsScenario *scenario = ss_test_read_text (
      "{\"format\": 1, \"name\": \"pass\", \"scene\": {\"bodies\": ["
      "{\"name\": \"a\", \"mass\": 1, \"position\": [-0.3, 0], \"shape\": {\"type\": \"circle\", \"radius\": 0.1}},"
      "{\"name\": \"b\", \"mass\": 1, \"position\": [0, 0], \"shape\": {\"type\": \"circle\", \"radius\": 0.1}},"
      "{\"name\": \"wall\", \"fixed\": true, \"position\": [1, 0], \"shape\": {\"type\": \"box\", \"width\": "
      "0.02, \"height\": 1}}], \"contacts\": \"all\"}, \"task\": {\"t_end\": 1, \"dt\": 0.1}}");
  static const struct {
    double a, b; /* x where the step ends */
    bool passes;
  } steps[] = {{0.3, 0, true}, {-0.21, 0, false}, {0.2, 0.5, false}, {-0.3, 0.89, false}, {-0.3, 1.2, true}};
  SsPassing *passing = NULL;
  SsError err = {0};

  SS_CHECK (ss_passing_new (scenario->scene, &passing, &err) == SS_OK);
  for (int i = 0; i < 5; i++) {
    const double from[9] = {-0.3, 0, 0, 0, 0, 0, 1, 0, 0}, to[9] = {steps[i].a, 0, 0, steps[i].b, 0, 0, 1, 0, 0};

    SS_CHECK (ss_passing_step (passing, from, to) == steps[i].passes);
  }
  ss_passing_free (passing);
  ss_scenario_free (scenario);
}

/* A ball on a palm that may not leave its half has to lie behind a wall that it has to be thrown over: the best motion
 * is near that, keeps the bound to the stiffness of its feedback, and nothing passes through the wall, which would be
 * nearer. */
static void
test_throw (void)
{
  SsScenario *scenario = ss_test_read_text (
      "{\"format\": 1, \"name\": \"throw\", \"scene\": {\"friction\": 0.5, \"bodies\": ["
      "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
      "{\"name\": \"wall\", \"fixed\": true, \"position\": [1, 0.15], \"shape\": {\"type\": \"box\", \"width\": "
      "0.04, \"height\": 0.3}},"
      "{\"name\": \"ball\", \"mass\": 0.2, \"position\": [0, 0.42], \"shape\": {\"type\": \"circle\", \"radius\": "
      "0.05}},"
      "{\"name\": \"palm\", \"mass\": 0.4, \"lock\": [\"theta\"], \"position\": [0, 0.35], \"shape\": {\"type\": "
      "\"box\", \"width\": 0.3, \"height\": 0.04}}], \"contacts\": \"all\", \"actuators\": ["
      "{\"type\": \"force\", \"body\": \"palm\", \"direction\": [1, 0], \"lower\": -40, \"upper\": 40},"
      "{\"type\": \"force\", \"body\": \"palm\", \"direction\": [0, 1], \"lower\": -40, \"upper\": 40}]}, \"task\": "
      "{\"horizon\": 1.4, \"steps\": 70, \"bounds\": [{\"body\": \"palm\", \"x\": [-0.3, 0.4]}], \"constraints\": "
      "[{\"points\": \"last\", \"nonnegative\": [\"ball.x - 1.1\", \"1.3 - ball.x\", \"0.2 - ball.y\"]}]}}");
  SsSampledMotion motion;
  SsPassing *passing = NULL;
  SsError err = {0};

  SS_CHECK (ss_sample_motion (scenario, 1, 1, NULL, NULL, &motion, &err) == SS_OK);
  SS_CHECK (ss_passing_new (scenario->scene, &passing, &err) == SS_OK);
  SS_CHECK (motion.cost < 0.1);
  SS_CHECK (furthest (motion.trajectory, "palm.x") < 0.45);
  for (int k = 1; k < motion.trajectory->n_rows; k++) {
    double q[2][12];

    for (int i = 0; i < 24; i++) /* channels of bodies come first, six each */
      q[i / 12][i % 12] =
          ss_trajectory_row (motion.trajectory, k - 1 + i / 12)[1 + SS_BODY_CHANNELS * (i % 12 / 3) + i % 3];
    SS_CHECK (!ss_passing_step (passing, q[0], q[1]));
  }
  ss_passing_free (passing);
  ss_sampled_motion_clear (&motion);
  ss_scenario_free (scenario);
}

int
main (void)
{
  SS_RUN (test_value);
  SS_RUN (test_asked);
  SS_RUN (test_asked_of_what_moves);
  SS_RUN (test_bounds);
  SS_RUN (test_constraint_alone);
  SS_RUN (test_passing);
  SS_RUN (test_throw);
  return ss_test_finish ();
}
