/* tests/numeric/test-stages.c: the judge on motions whose forces are told at stages: right ones leave rounding, or the
 * order of their method where joints turn, and each number that is made wrong is found, with its time. */
#include "judge/ss-motion.h"
#include "ss-test-scenario.h"
#include "ss-test-simulate.h"
#include "ss-test-stepper.h"

#include <stdlib.h>

static SsMotionVerdict
judge (const SsScene *scene, const SsTrajectory *motion, const SsTrajectory *stages)
{
  SsMotionVerdict verdict = {0};
  SsError err = {0};

  SS_CHECK (ss_motion_judge_stages (scene, motion, stages, true, NULL, &verdict, &err) == SS_OK);
  SS_CHECK_STR (err.message, "");
  return verdict;
}

static double *
value_of (SsTrajectory *trajectory, int row, const char *channel)
{
  const int c = ss_trajectory_channel (trajectory, channel);

  SS_CHECK (c >= 0);
  return trajectory->values + (size_t)row * (size_t)trajectory->n_channels + (size_t)c;
}

/* A number of the motion or its stages is changed: the balance must say so, by about `velocity`, at a time between. */
static void
falsify (const SsScene *scene, SsTrajectory *motion, SsTrajectory *stages, double *value, double by, double velocity,
         double t0, double t1)
{
  const double right = *value;
  *value += by;
  SsMotionVerdict verdict = judge (scene, motion, stages);
  *value = right;
  SS_CHECK (verdict.balance.value > 0.3 * velocity && verdict.balance.value < 3 * velocity);
  SS_CHECK (verdict.balance.t >= t0 - 1e-12 && verdict.balance.t <= t1 + 1e-12);
  if (!(verdict.balance.value > 0.3 * velocity))
    printf ("  %.3g instead of %.3g m/s at t = %g s\n", verdict.balance.value, velocity, verdict.balance.t);
  ss_motion_verdict_clear (&verdict);
}

/* ---- a ball that bounces ----------------------------------------------------------------------------------------- */

enum { N_IMPACTS = 5 };

/* The ball of ss-test-stepper.h: five impacts between 0.4 and 1.15 s, then rest. */
static void
test_ball (void)
{
  SsScenario *scenario = ss_test_read_text (ss_test_ball_text);
  const SsScene *scene = scenario->scene;
  const double steps[] = {0.05, 0.07, 0.31};
  for (int k = 0; k < 3; k++) {
    SsSimResult run = {0};
    SsError err;
    SS_CHECK (
        ss_simulate_job (&(SsSimJob){.scene = scene, .integrator = &ss_test_stepper, .dt = steps[k], .t_end = 1.5},
                         NULL, &run, &err) == SS_OK);
    SsTrajectory *motion = run.trajectory, *stages = run.stages;
    SsMotionVerdict verdict = judge (scene, motion, stages);
    /* sums of a few numbers up to 10 */
    SS_CHECK (verdict.is_complete && verdict.balance.value < 1e-13);
    SS_CHECK (verdict.cone.value == 0 && verdict.complementarity.value < 1e-14);
    SS_CHECK (fabs (verdict.surplus) < 1e-12 && verdict.rise.value < 1e-12 && verdict.fall.value < 1e-12);
    SS_CHECK (fabs (verdict.work[SS_WORK_UNEXPLAINED]) < 1e-12);
    /* the force's work m (v^2)/2 of the x motion, v = (1.5 t^2 - t)/2; what impacts take: m/2 (4^2 - 0) less half */
    const double vx = (1.5 * 1.5 * 1.5 - 1.5) / 2;
    double taken = 0, v = 4;
    for (int i = 0; i < N_IMPACTS; i++, v /= 2)
      taken += v * v - (i == N_IMPACTS - 1 ? 0 : v * v / 4); /* 2 kg */
    SS_CHECK_NEAR (verdict.work[SS_WORK_ACTUATORS], vx * vx, 1e-12);
    SS_CHECK_NEAR (verdict.work[SS_WORK_CONTACTS], -taken, 1e-12);
    SS_CHECK (verdict.given[SS_WORK_CONTACTS].sum < 1e-12);
    ss_motion_verdict_clear (&verdict);
    /* without the stages the rows do not explain themselves */
    verdict = judge (scene, motion, NULL);
    SS_CHECK (verdict.balance.value > 1e-3);
    ss_motion_verdict_clear (&verdict);

    for (int i = 1; i < motion->n_rows; i++) { /* a velocity, and an impulse where there is one, of every row */
      const double before = ss_trajectory_row (motion, i - 1)[0], t = ss_trajectory_row (motion, i)[0];
      const double after = i + 1 < motion->n_rows ? ss_trajectory_row (motion, i + 1)[0] : t;
      falsify (scene, motion, stages, value_of (motion, i, "ball.vx"), 1e-6, 1e-6, before, after);
      falsify (scene, motion, stages, value_of (motion, i, "ball.vy"), -1e-6, 1e-6, before, after);
      if (*value_of (motion, i, "landing.impulse_n") > 0)
        falsify (scene, motion, stages, value_of (motion, i, "landing.impulse_n"), 1e-6, 0.5e-6, t, t);
      if (i % 5 == 0)
        falsify (scene, motion, stages, value_of (motion, i, "landing.impulse_t"), 1e-6, 0.5e-6, before, t);
    }
    for (int i = 0; i < stages->n_rows; i += 3) {
      const double t = ss_trajectory_row (stages, i)[0], weight = *value_of (stages, i, "weight");
      if (weight < 1e-3)
        continue;
      falsify (scene, motion, stages, value_of (stages, i, "landing.lambda_n"), 1e-3, weight * 1e-3 / 2, t, t + 1);
      falsify (scene, motion, stages, value_of (stages, i, "u.push"), 1e-3, weight * 1e-3 / 2, t, t + 1);
      /* at rest the force of the floor is missing then, in flight the push */
      const double force = hypot (*value_of (stages, i, "landing.lambda_n"), *value_of (stages, i, "u.push"));
      falsify (scene, motion, stages, value_of (stages, i, "weight"), 1e-5, force * 1e-5 / 2, t, t + 1);
    }
    ss_sim_result_clear (&run);
  }
  ss_scenario_free (scenario);
}

/* Forces that pull, leave the cone or act over a gap are told; energy out of an impact too. */
static void
test_laws (void)
{
  SsScenario *scenario = ss_test_read_text (ss_test_ball_text);
  SsSimResult run = {0};
  SsError err;
  SS_CHECK (
      ss_simulate_job (&(SsSimJob){.scene = scenario->scene, .integrator = &ss_test_stepper, .dt = 0.05, .t_end = 1.5},
                       NULL, &run, &err) == SS_OK);
  SsTrajectory *motion = run.trajectory, *stages = run.stages;
  const int last = stages->n_rows - 1; /* at rest: 20 N */
  const double weight = *value_of (stages, last, "weight");
  double *normal = value_of (stages, last, "landing.lambda_n"),
         *tangential = value_of (stages, last, "landing.lambda_t");
  *tangential = 3;
  SsMotionVerdict verdict = judge (scenario->scene, motion, stages);
  SS_CHECK_NEAR (verdict.cone.value, weight * 3, 1e-15); /* without friction */
  SS_CHECK_NEAR (verdict.cone.t, *value_of (stages, last, "t"), 0);
  ss_motion_verdict_clear (&verdict);
  *tangential = 0;
  *normal = -20;
  verdict = judge (scenario->scene, motion, stages);
  SS_CHECK_NEAR (verdict.cone.value, weight * 20, 1e-14);
  ss_motion_verdict_clear (&verdict);
  *normal = 20;
  *value_of (stages, 0, "landing.lambda_n") = 5; /* in flight */
  const double gap = *value_of (stages, 0, "ball.y") - 0.1;
  verdict = judge (scenario->scene, motion, stages);
  SS_CHECK_NEAR (verdict.complementarity.value, *value_of (stages, 0, "weight") * 5 * gap, 1e-14);
  ss_motion_verdict_clear (&verdict);
  *value_of (stages, 0, "landing.lambda_n") = 0;

  /* a bounce with twice the velocity it came with, and the impulse that belongs to it: 2 kg (8^2 - 4^2)/2 of energy */
  int jump = 1;
  while (!(*value_of (motion, jump, "landing.impulse_n") > 0))
    jump++;
  *value_of (motion, jump, "ball.vy") = 8;
  *value_of (motion, jump, "landing.impulse_n") = 2 * 12;
  motion->n_rows = jump + 1;
  verdict = judge (scenario->scene, motion, stages);
  SS_CHECK (verdict.balance.value < 1e-13);
  SS_CHECK_NEAR (verdict.rise.value, 48, 1e-11);
  SS_CHECK_NEAR (verdict.rise.t, 0.4, 1e-14);
  SS_CHECK_NEAR (verdict.surplus, 48, 1e-11);
  SS_CHECK_NEAR (verdict.given[SS_WORK_CONTACTS].sum, 48, 1e-11);
  SS_CHECK (verdict.given[SS_WORK_CONTACTS].most.index == 0);
  ss_motion_verdict_clear (&verdict);
  ss_sim_result_clear (&run);
  ss_scenario_free (scenario);
}

/* ---- motions made by hand ---------------------------------------------------------------------------------------- */

/* Nodes and weights of Gauss's rule with three stages on 0..1. */
static const double node[3] = {0.1127016653792583, 0.5, 0.8872983346207417};
static const double share[3] = {5. / 18, 8. / 18, 5. / 18};

static SsStatus
new_nothing (const SsScene *scene, const void *options, void **integrator, SsError *err)
{
  (void)scene, (void)options, (void)err;
  *integrator = NULL;
  return SS_OK;
}

static void
free_nothing (void *integrator)
{
  (void)integrator;
}

/* A motion of one step of h, and its three stages, without values. */
typedef struct {
  SsScenario *scenario;
  SsTrajectory *motion, *stages;
} ByHand;

static ByHand
by_hand (const char *text, int n_intervals, double h)
{
  ByHand m = {.scenario = ss_test_read_text (text)};
  SsSimResult run = {0};
  SsError err;
  /* the channels of the stages are those that a simulation makes */
  SsIntegratorClass none = ss_test_stepper;
  none.new_ = new_nothing;
  none.free_ = free_nothing;
  none.second_clock = NULL;
  SS_CHECK (ss_simulate_job (&(SsSimJob){.scene = m.scenario->scene, .integrator = &none, .dt = 1, .t_end = 0}, NULL,
                             &run, &err) == SS_OK);
  m.motion = run.trajectory;
  m.stages = run.stages;
  run.trajectory = run.stages = NULL;
  ss_sim_result_clear (&run);
  double *zero = calloc ((size_t)(m.motion->n_channels + m.stages->n_channels), sizeof *zero);
  m.motion->n_rows = 0;
  for (int k = 0; k <= n_intervals; k++) {
    SS_CHECK (ss_trajectory_append (m.motion, zero, &err) == SS_OK);
    *value_of (m.motion, k, "t") = k * h;
    for (int i = 0; i < 3 && k > 0; i++) {
      const int s = 3 * (k - 1) + i;
      SS_CHECK (ss_trajectory_append (m.stages, zero, &err) == SS_OK);
      *value_of (m.stages, s, "t") = (k - 1 + node[i]) * h;
      *value_of (m.stages, s, "weight") = share[i] * h;
      *value_of (m.stages, s, "row") = k;
    }
  }
  free (zero);
  return m;
}

static void
free_hand (ByHand *m)
{
  ss_trajectory_free (m->motion);
  ss_trajectory_free (m->stages);
  ss_scenario_free (m->scenario);
}

/* A box of 1 kg, 0.4 m wide and 0.2 m high, that slides on a floor with mu = 0.3 while a formula pulls: g = 10,
 * f = 6 + t^2 at its middle, friction 3 N. Both corners touch; their shares are not told, but hold it upright. */
static const char box_text[] =
    "{\"format\": 1, \"name\": \"box\", \"scene\": {\"gravity\": [0, -10], \"friction\": 0.3, \"bodies\": ["
    "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
    "{\"name\": \"box\", \"mass\": 1, \"shape\": {\"type\": \"box\", \"width\": 0.4, \"height\": 0.2}, \"position\": "
    "[0, 0.1]}],"
    "\"forces\": [{\"name\": \"pull\", \"body\": \"box\", \"force\": [\"6 + t^2\", 0]}],"
    "\"contacts\": [{\"name\": \"sole\", \"bodies\": [\"floor\", \"box\"]}]}, \"task\": {\"t_end\": 1}}";

static void
set_box (SsTrajectory *trajectory, int row)
{
  const double t = *value_of (trajectory, row, "t");
  *value_of (trajectory, row, "box.x") = 1.5 * t * t + t * t * t * t / 12;
  *value_of (trajectory, row, "box.y") = 0.1;
  *value_of (trajectory, row, "box.vx") = 3 * t + t * t * t / 3;
}

static void
test_sliding_box (void)
{
  const double h = 0.25;
  ByHand m = by_hand (box_text, 4, h);
  const SsScene *scene = m.scenario->scene;
  for (int k = 0; k < m.motion->n_rows; k++)
    set_box (m.motion, k);
  for (int k = 0; k < m.stages->n_rows; k++) {
    set_box (m.stages, k);
    *value_of (m.stages, k, "sole.lambda_n") = 10;
    *value_of (m.stages, k, "sole.lambda_t") = -3;
  }
  SsMotionVerdict verdict = judge (scene, m.motion, m.stages);
  SS_CHECK (verdict.balance.value < 1e-12 && verdict.cone.value < 1e-14 && verdict.complementarity.value < 1e-14);
  SS_CHECK (fabs (verdict.surplus) < 1e-12);
  /* of 6 + t^2: int (6 + t^2)(3 t + t^3/3) dt to t = 1 */
  SS_CHECK_NEAR (verdict.work[SS_WORK_FORMULAS], 9 + 3. / 4 + 6. / 12 + 1. / 18, 1e-12);
  SS_CHECK_NEAR (verdict.work[SS_WORK_CONTACTS], -3 * (1.5 + 1. / 12), 1e-12);
  ss_motion_verdict_clear (&verdict);
  for (int k = 0; k < m.stages->n_rows; k++) {
    const double t = *value_of (m.stages, k, "t"), weight = *value_of (m.stages, k, "weight");
    falsify (scene, m.motion, m.stages, value_of (m.stages, k, "sole.lambda_n"), 1e-4, weight * 1e-4, t, t + h);
    falsify (scene, m.motion, m.stages, value_of (m.stages, k, "sole.lambda_t"), 1e-4, weight * 1e-4, t, t + h);
    falsify (scene, m.motion, m.stages, value_of (m.stages, k, "weight"), 1e-6, 1e-5, t, t + h); /* 10 N */
  }
  falsify (scene, m.motion, m.stages, value_of (m.motion, 2, "box.vx"), 1e-7, 1e-7, h, 3 * h);
  falsify (scene, m.motion, m.stages, value_of (m.motion, 2, "box.vy"), 1e-7, 1e-7, h, 3 * h);
  /* a spin of the box cannot come from the corners: they have no more than their widths to shift; the body's measure is
   * sqrt (I/m) omega with I/m = (0.4^2 + 0.2^2)/12 */
  falsify (scene, m.motion, m.stages, value_of (m.motion, 4, "box.omega"), 100, 100 * sqrt (0.2 / 12), 3 * h, 4 * h);
  free_hand (&m);
}

/* A bob of 2 kg on a pin, 0.5 m below it, I = 0.3, released at 1 rad; exact states by many small steps of the classic
 * rule of Runge and Kutta. The pin's forces are not told. Returns the balance. */
static const char pendulum_text[] =
    "{\"format\": 1, \"name\": \"pendulum\", \"scene\": {\"gravity\": [0, -10], \"bodies\": ["
    "{\"name\": \"bob\", \"mass\": 2, \"inertia\": 0.3, \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, "
    "\"position\": [0, -0.5]}],"
    "\"joints\": [{\"name\": \"pin\", \"type\": \"pin\", \"bodies\": [\"world\", \"bob\"], \"anchor\": [0, 0]}]},"
    "\"task\": {\"t_end\": 1}}";

static void
set_bob (SsTrajectory *trajectory, int row)
{
  const double t = *value_of (trajectory, row, "t"), k = 2 * 10 * 0.5 / (0.3 + 2 * 0.25);
  const int n = 2000;
  const double d = t / n;
  double angle = 1, rate = 0;
  for (int i = 0; i < n; i++) {
    const double a1 = -k * sin (angle), r1 = rate, a2 = -k * sin (angle + d / 2 * r1), r2 = rate + d / 2 * a1;
    const double a3 = -k * sin (angle + d / 2 * r2), r3 = rate + d / 2 * a2, a4 = -k * sin (angle + d * r3);
    const double r4 = rate + d * a3;
    angle += d / 6 * (r1 + 2 * r2 + 2 * r3 + r4);
    rate += d / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  *value_of (trajectory, row, "bob.theta") = angle;
  *value_of (trajectory, row, "bob.x") = 0.5 * sin (angle);
  *value_of (trajectory, row, "bob.y") = -0.5 * cos (angle);
  *value_of (trajectory, row, "bob.omega") = rate;
  *value_of (trajectory, row, "bob.vx") = 0.5 * cos (angle) * rate;
  *value_of (trajectory, row, "bob.vy") = 0.5 * sin (angle) * rate;
}

static void
test_pendulum (void)
{
  double balance[2];
  for (int k = 0; k < 2; k++) {
    ByHand m = by_hand (pendulum_text, 8 << k, 0.1 / (1 << k));
    for (int i = 0; i < m.motion->n_rows; i++)
      set_bob (m.motion, i);
    for (int i = 0; i < m.stages->n_rows; i++)
      set_bob (m.stages, i);
    SsMotionVerdict verdict = judge (m.scenario->scene, m.motion, m.stages);
    balance[k] = verdict.balance.value;
    SS_CHECK (fabs (verdict.work[SS_WORK_JOINTS]) < 1e-12 && fabs (verdict.surplus) < 1e-10);
    ss_motion_verdict_clear (&verdict);
    if (k == 1) { /* the spin and what goes with it: the pin cannot give it */
      double *omega = value_of (m.motion, 8, "bob.omega");
      const double angle = *value_of (m.motion, 8, "bob.theta");
      *value_of (m.motion, 8, "bob.vx") += 0.5 * cos (angle) * 1e-4;
      *value_of (m.motion, 8, "bob.vy") += 0.5 * sin (angle) * 1e-4;
      falsify (m.scenario->scene, m.motion, m.stages, omega, 1e-4, 1e-4 * sqrt (0.15 + 0.25), 0.35, 0.45);
    }
    free_hand (&m);
  }
  /* Gauss's rule with three stages: h^7 a step, 2^7 with half the step */
  SS_CHECK (balance[0] > 80 * balance[1] && balance[0] < 1e-6);
}

/* The same bob swings against a wall at its lowest point and stops half of its rate: the wall's impulse is told, the
 * pin's is not. */
static void
test_jump_with_joint (void)
{
  char text[1024];
  snprintf (
      text, sizeof text, "%s",
      "{\"format\": 1, \"name\": \"knock\", \"scene\": {\"gravity\": [0, -10], \"restitution\": 0.5, \"bodies\": ["
      "{\"name\": \"bob\", \"mass\": 2, \"inertia\": 0.3, \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, "
      "\"position\": [0, -0.5]},"
      "{\"name\": \"wall\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [-1, 0]}, "
      "\"position\": [0.1, 0]}],"
      "\"joints\": [{\"name\": \"pin\", \"type\": \"pin\", \"bodies\": [\"world\", \"bob\"], \"anchor\": [0, 0]}],"
      "\"contacts\": [{\"name\": \"knock\", \"bodies\": [\"wall\", \"bob\"]}]}, \"task\": {\"t_end\": 1}}");
  ByHand m = by_hand (text, 1, 0); /* two rows at one time; no stages */
  m.stages->n_rows = 0;
  const double rate[2] = {2, -1}, inertia = 0.3 + 2 * 0.25;
  for (int k = 0; k < 2; k++) {
    *value_of (m.motion, k, "bob.y") = -0.5;
    *value_of (m.motion, k, "bob.omega") = rate[k];
    *value_of (m.motion, k, "bob.vx") = 0.5 * rate[k];
  }
  *value_of (m.motion, 1, "knock.impulse_n") = inertia * 3 / 0.5;
  SsMotionVerdict verdict = judge (m.scenario->scene, m.motion, m.stages);
  SS_CHECK (verdict.balance.value < 1e-13 && verdict.complementarity.value < 1e-15);
  SS_CHECK_NEAR (verdict.work[SS_WORK_CONTACTS], inertia * (1 - 4) / 2, 1e-13);
  SS_CHECK (fabs (verdict.work[SS_WORK_JOINTS]) < 1e-13 && fabs (verdict.surplus) < 1e-13);
  ss_motion_verdict_clear (&verdict);
  falsify (m.scenario->scene, m.motion, m.stages, value_of (m.motion, 1, "knock.impulse_n"), 1e-6,
           1e-6 * 0.5 / inertia * sqrt (0.15 + 0.25), 0, 0);
  free_hand (&m);
}

/* Stages that lack a channel, and numbers that are none, are refused. */
static void
test_refused (void)
{
  ByHand m = by_hand (box_text, 1, 0.1);
  SsMotionVerdict verdict;
  SsError err;
  for (int k = 0; k < m.motion->n_rows; k++)
    set_box (m.motion, k);
  *value_of (m.stages, 1, "weight") = NAN;
  SS_CHECK (ss_motion_judge_stages (m.scenario->scene, m.motion, m.stages, false, NULL, &verdict, &err) ==
            SS_ERR_INVALID);
  *value_of (m.stages, 1, "weight") = 0.05;
  *value_of (m.stages, 1, "sole.lambda_n") = INFINITY;
  SS_CHECK (ss_motion_judge_stages (m.scenario->scene, m.motion, m.stages, false, NULL, &verdict, &err) ==
            SS_ERR_INVALID);
  SS_CHECK (ss_motion_judge_stages (m.scenario->scene, m.motion, m.motion, false, NULL, &verdict, &err) ==
            SS_ERR_INVALID);
  SS_CHECK (strstr (err.message, "weight") != NULL);
  free_hand (&m);
}

/* Every allocation may fail: an error and no leak. */
static void
test_memory_failures (void)
{
  ByHand m = by_hand (pendulum_text, 2, 0.1);
  for (int i = 0; i < m.motion->n_rows; i++)
    set_bob (m.motion, i);
  for (int i = 0; i < m.stages->n_rows; i++)
    set_bob (m.stages, i);
  SsMotionVerdict verdict;
  SsError err;
  const uint64_t begun = ss_alloc_count ();
  SS_CHECK (ss_motion_judge_stages (m.scenario->scene, m.motion, m.stages, true, NULL, &verdict, &err) == SS_OK);
  const int n = (int)(ss_alloc_count () - begun);
  ss_motion_verdict_clear (&verdict);
  for (int k = 1; k <= n; k++) {
    ss_alloc_fail_at ((uint64_t)k);
    SsStatus status = ss_motion_judge_stages (m.scenario->scene, m.motion, m.stages, true, NULL, &verdict, &err);
    ss_alloc_fail_at (0);
    SS_CHECK (status == SS_ERR_MEMORY || status == SS_OK);
    ss_motion_verdict_clear (&verdict);
  }
  free_hand (&m);
}

int
main (void)
{
  SS_RUN (test_ball);
  SS_RUN (test_laws);
  SS_RUN (test_sliding_box);
  SS_RUN (test_pendulum);
  SS_RUN (test_jump_with_joint);
  SS_RUN (test_refused);
  SS_RUN (test_memory_failures);
  return ss_test_finish ();
}
