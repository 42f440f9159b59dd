/* tests/numeric/test-reasons.c: why a plan is none, in words. Each kind of reason has a motion written by hand in which
 * exactly that is wrong; truth is the number that was put in, or a closed form of it. Motions that can be have no
 * reasons. */
#include "run/ss-run.h"
#include "ss-test-scenario.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 32 };

static SsReasons
reasons_of (const SsScenario *scenario, const char *const *names, int n_names, const double *rows, int n_rows)
{
  SsChannel channels[COLUMNS] = {ss_channel_of_time ()};
  SsTrajectory *motion = NULL;
  SsMotionVerdict verdict;
  SsReasons reasons = {0};
  SsError err = {0};

  for (int i = 1; i < n_names; i++)
    channels[i] = ss_channel_named (names[i]);
  SS_CHECK (ss_trajectory_new (channels, n_names, n_rows, &motion, &err) == SS_OK);
  for (int i = 0; i < n_rows; i++)
    SS_CHECK (ss_trajectory_append (motion, rows + (size_t)i * (size_t)n_names, &err) == SS_OK);
  SS_CHECK (ss_scenario_describe (scenario, motion, &err) == SS_OK);
  SS_CHECK (ss_motion_judge (scenario->scene, motion, false, NULL, &verdict, &err) == SS_OK);
  SS_CHECK (ss_reasons_of_motion (scenario, motion, NULL, &verdict, &reasons, &err) == SS_OK);
  for (int i = 0; i < reasons.n; i++)
    printf ("  %s: %s\n", ss_reason_name (reasons.items[i].kind), reasons.items[i].text);
  ss_motion_verdict_clear (&verdict);
  ss_trajectory_free (motion);
  return reasons;
}

/* That this reason alone is given. */
static void
check_only (const SsReasons *reasons, SsReasonKind kind, double value, const char *unit, const char *text)
{
  SS_CHECK (reasons->n == 1);
  if (reasons->n < 1)
    return;
  SS_CHECK_STR (ss_reason_name (reasons->items[0].kind), ss_reason_name (kind));
  SS_CHECK_NEAR (reasons->items[0].value, value, 1e-9 * (1 + value));
  SS_CHECK_STR (reasons->items[0].unit, unit);
  SS_CHECK_STR (reasons->items[0].text, text);
}

/* ---- a ball before a wall, without gravity ----------------------------------------------------------------------- */

static const char *const ball_names[] = {"t",
                                         "ball.x",
                                         "ball.y",
                                         "ball.theta",
                                         "ball.vx",
                                         "ball.vy",
                                         "ball.omega",
                                         "wall-ball.lambda_n",
                                         "wall-ball.lambda_t",
                                         "u.push"};
enum { BALL = sizeof ball_names / sizeof *ball_names };

/* The ball (0.1 m, 1 kg) at x with a velocity, the wall 0.02 m thick at 0; `task` is added to the task. */
static SsScenario *
ball_before_wall (double x, double velocity, const char *task)
{
  char text[1536];

  snprintf (text, sizeof text,
            "{\"format\": 1, \"name\": \"ball\", \"scene\": {\"gravity\": [0, 0], \"friction\": 0, \"bodies\": ["
            "{\"name\": \"wall\", \"fixed\": true, \"shape\": {\"type\": \"box\", \"width\": 0.02, \"height\": 1}},"
            "{\"name\": \"ball\", \"mass\": 1, \"position\": [%.17g, 0], \"velocity\": [%.17g, 0],"
            " \"shape\": {\"type\": \"circle\", \"radius\": 0.1}}], \"contacts\": \"all\","
            "\"actuators\": [{\"name\": \"push\", \"type\": \"force\", \"body\": \"ball\", \"direction\": [1, 0],"
            " \"lower\": -10, \"upper\": 10}]},"
            "\"task\": {\"horizon\": 1.2, \"steps\": 3, \"t_end\": 1.2, \"dt\": 0.1%s}}",
            x, velocity, task);
  return ss_test_read_text (text);
}

#define BALL_ROW(t, x, vx, lambda, u) (t), (x), 0, 0, (vx), 0, 0, (lambda), 0, (u)
/* Asks for nothing that can be missed. */
static const char *const no_task = ", \"effort\": 1, \"cost\": [{\"points\": \"last\", \"cost\": \"ball.x^2\"}]";

static void
another_start (void)
{
  SsScenario *scenario = ball_before_wall (-1, 0, no_task);
  const double fast[] = {BALL_ROW (0, -1, 0.18, 0, 0), BALL_ROW (0.1, -0.982, 0.18, 0, 0)};
  const double off[] = {BALL_ROW (0, -1.012, 0, 0, 0), BALL_ROW (0.1, -1.012, 0, 0, 0)};

  SsReasons reasons = reasons_of (scenario, ball_names, BALL, fast, 2);
  check_only (&reasons, SS_REASON_START, 0.18, "m/s", "only possible if ball started at 0.18 m/s");
  SS_CHECK (reasons.items[0].t == 0);
  reasons = reasons_of (scenario, ball_names, BALL, off, 2);
  check_only (&reasons, SS_REASON_START, 0.012, "m", "only possible if ball started 12 mm from where it is");
  ss_scenario_free (scenario);

  scenario = ball_before_wall (-1, 0.5, no_task);
  reasons = reasons_of (scenario, ball_names, BALL, fast, 2);
  check_only (&reasons, SS_REASON_START, 0.32, "m/s", "only possible if ball started at 0.18 m/s instead of 0.5 m/s");
  ss_scenario_free (scenario);
}

static void
a_jump (void)
{
  SsScenario *scenario = ball_before_wall (-1, 0, no_task);
  const double rows[] = {BALL_ROW (0, -1, 0, 0, 0), BALL_ROW (0.1, -0.974, 0, 0, 0), BALL_ROW (0.2, -0.974, 0, 0, 0)};
  const SsReasons reasons = reasons_of (scenario, ball_names, BALL, rows, 3);

  check_only (&reasons, SS_REASON_JUMP, 0.026, "m", "ball jumps by 26 mm in the step to t = 0.1 s");
  SS_CHECK (reasons.n == 1 && reasons.items[0].t == 0.1);
  ss_scenario_free (scenario);
}

/* A push of 1.2 N for 0.1 s on 1 kg gives the velocity that leads 3 mm into the wall. */
static void
an_overlap (void)
{
  const double x = -0.11, h = 0.1, into = 0.003;
  SsScenario *scenario = ball_before_wall (x, 0, no_task);
  const double rows[] = {BALL_ROW (0, x, 0, 0, into / h / h), BALL_ROW (h, x + into, into / h, 0, -into / h / h),
                         BALL_ROW (2 * h, x + into, 0, 0, 0)};
  const SsReasons reasons = reasons_of (scenario, ball_names, BALL, rows, 3);

  check_only (&reasons, SS_REASON_OVERLAP, into, "m", "wall and ball overlap by 3 mm at t = 0.1 s");
  ss_scenario_free (scenario);
}

static void
a_passage (void)
{
  SsScenario *scenario = ball_before_wall (-0.5, 5, no_task);
  const double rows[] = {BALL_ROW (0, -0.5, 5, 0, 0), BALL_ROW (0.05, -0.25, 5, 0, 0), BALL_ROW (0.15, 0.25, 5, 0, 0),
                         BALL_ROW (0.2, 0.5, 5, 0, 0)};
  const SsReasons reasons = reasons_of (scenario, ball_names, BALL, rows, 4);

  SS_CHECK (reasons.n >= 1 && reasons.items[0].kind == SS_REASON_PASSAGE);
  SS_CHECK_STR (reasons.items[0].text, "ball passes through wall between t = 0.05 s and t = 0.15 s");
  SS_CHECK (reasons.items[0].t == 0.05 && reasons.items[0].until == 0.15);
  /* deepest in the middle: the way out is half of the wall and the radius */
  SS_CHECK_NEAR (reasons.items[0].value, 0.11, 1e-5);
  ss_scenario_free (scenario);
}

/* 3.1 N for 0.1 s on 1 kg from a wall that is 8 mm away. */
static void
a_force_at_a_distance (void)
{
  const double x = -0.118, h = 0.1, force = 3.1, v = -force * h;
  SsScenario *scenario = ball_before_wall (x, 0, no_task);
  const double rows[] = {BALL_ROW (0, x, 0, 0, 0), BALL_ROW (h, x + h * v, v, force, 0)};
  const SsReasons reasons = reasons_of (scenario, ball_names, BALL, rows, 2);

  check_only (&reasons, SS_REASON_DISTANT_FORCE, force, "N",
              "force 3.1 N on ball at t = 0.1 s while wall is 8 mm away");
  ss_scenario_free (scenario);
}

static void
no_force (void)
{
  const double v = 0.18, h = 0.1;
  SsScenario *scenario = ball_before_wall (-1, 0, no_task);
  const double rows[] = {BALL_ROW (0, -1, 0, 0, 0), BALL_ROW (h, -1, 0, 0, 0), BALL_ROW (2 * h, -1 + h * v, v, 0, 0)};
  const SsReasons reasons = reasons_of (scenario, ball_names, BALL, rows, 3);

  check_only (&reasons, SS_REASON_NO_FORCE, v, "m/s",
              "the velocity of ball changes by 0.18 m/s at t = 0.2 s without a force");
  ss_scenario_free (scenario);
}

/* ---- what the task asks for -------------------------------------------------------------------------------------- */

/* Ends 26 mm before (and then behind) the place where it shall be, having been 4 mm from it. */
static void
a_target_missed (void)
{
  SsScenario *scenario = ball_before_wall (
      -1, 0, ", \"targets\": [{\"body\": \"ball\", \"position\": [-0.5, 0], \"velocity\": [0, 0]}], \"effort\": 1");
  const double h = 0.4, far = 0.496 / h, back = 0.022 / h;
  const double rows[] = {BALL_ROW (0, -1, 0, 0, far / h), BALL_ROW (0.4, -0.504, far, 0, -(far + back) / h),
                         BALL_ROW (0.8, -0.526, -back, 0, back / h), BALL_ROW (1.2, -0.526, 0, 0, 0)};
  SsReasons reasons = reasons_of (scenario, ball_names, BALL, rows, 4);

  check_only (&reasons, SS_REASON_TARGET, 0.026, "m",
              "ball 26 mm short of its target at t = 1.2 s; nearest was 4 mm at t = 0.4 s");

  const double past = 0.53 / h;
  const double beyond[] = {BALL_ROW (0, -1, 0, 0, past / h), BALL_ROW (0.4, -0.47, past, 0, -past / h),
                           BALL_ROW (0.8, -0.47, 0, 0, 0.18 / h), BALL_ROW (1.2, -0.47 + 0.18 * h, 0.18, 0, 0)};
  reasons = reasons_of (scenario, ball_names, BALL, beyond, 4);
  SS_CHECK (reasons.n == 2);
  SS_CHECK_STR (reasons.items[0].text, "ball 102 mm past its target at t = 1.2 s; nearest was 30 mm at t = 0.4 s");
  SS_CHECK_STR (reasons.items[1].text, "vx of ball is 0.18 m/s off its target at t = 1.2 s");
  ss_scenario_free (scenario);
}

static void
bounds_and_constraints (void)
{
  const double h = 0.4, v = 1;
  SsScenario *scenario = ball_before_wall (-1, v,
                                           ", \"cost\": [{\"points\": \"last\", \"cost\": \"ball.x^2\"}], \"bounds\": "
                                           "[{\"body\": \"ball\", \"x\": [-2, -0.33]}]");
  const double rows[] = {BALL_ROW (0, -1, v, 0, 0), BALL_ROW (h, -1 + h * v, v, 0, -v / h),
                         BALL_ROW (2 * h, -0.6, 0, 0, 0)};
  const double out[] = {BALL_ROW (0, -1, v, 0, 0), BALL_ROW (h, -1 + h * v, v, 0, -0.25 / h),
                        BALL_ROW (2 * h, -0.3, 0.75, 0, -0.75 / h), BALL_ROW (3 * h, -0.3, 0, 0, 0)};
  SsReasons reasons = reasons_of (scenario, ball_names, BALL, rows, 3);

  SS_CHECK (reasons.n == 0);
  reasons = reasons_of (scenario, ball_names, BALL, out, 4);
  check_only (&reasons, SS_REASON_BOUND, 0.03, "m", "x of ball is 30 mm above its limit of -330 mm at t = 0.8 s");
  ss_scenario_free (scenario);

  scenario = ball_before_wall (-1, v,
                               ", \"effort\": 1, \"constraints\": [{\"name\": \"slow\", \"points\": \"all\","
                               " \"nonnegative\": [\"0.7 - ball.vx\"]}]");
  reasons = reasons_of (scenario, ball_names, BALL, out, 4);
  /* the first point is given, so that what it breaks is no reason */
  check_only (&reasons, SS_REASON_CONSTRAINT, 0.3, "", "constraint slow broken by 0.3 at t = 0.4 s");
  ss_scenario_free (scenario);
}

/* 12 N where 10 N is the most; then at the limit in two steps of three, and in all. */
static void
controls (void)
{
  const double h = 0.1;
  SsScenario *scenario = ball_before_wall (-5, 0, no_task);
  const double over[] = {BALL_ROW (0, -5, 0, 0, 12), BALL_ROW (h, -5 + 12 * h * h, 12 * h, 0, 0)};
  const double two[] = {BALL_ROW (0, -5, 0, 0, 10), BALL_ROW (h, -4.9, 1, 0, -10), BALL_ROW (2 * h, -4.9, 0, 0, 3),
                        BALL_ROW (3 * h, -4.87, 0.3, 0, 3)};
  const double all[] = {BALL_ROW (0, -5, 0, 0, 10), BALL_ROW (h, -4.9, 1, 0, 10), BALL_ROW (2 * h, -4.7, 2, 0, 10)};
  SsReasons reasons = reasons_of (scenario, ball_names, BALL, over, 2);

  SS_CHECK (reasons.n >= 1 && reasons.items[0].kind == SS_REASON_NO_FORCE); /* a control is cut at its limit */
  SS_CHECK_NEAR (reasons.items[0].value, 2 * h, 1e-9);
  SS_CHECK (reasons.n >= 2 && reasons.items[1].kind == SS_REASON_CONTROL);
  SS_CHECK_STR (reasons.items[1].text, "push is 12 N at t = 0 s, 2 N beyond its limit");
  reasons = reasons_of (scenario, ball_names, BALL, two, 4);
  check_only (&reasons, SS_REASON_LIMIT_REACHED, 2. / 3, "", "limit of push (10 N) reached in 2 of 3 steps");
  reasons = reasons_of (scenario, ball_names, BALL, all, 3);
  check_only (&reasons, SS_REASON_LIMIT_REACHED, 1, "", "limit of push (10 N) reached all the time");
  ss_scenario_free (scenario);
}

/* ---- a box on a floor -------------------------------------------------------------------------------------------- */

static const char *const box_names[] = {
    "t",    "box.x", "box.y", "box.theta", "box.vx", "box.vy", "box.omega", "floor-box.lambda_n", "floor-box.lambda_t",
    "u.fx", "u.fy"};
enum { BOX = sizeof box_names / sizeof *box_names };

static SsScenario *
box_on_floor (double velocity)
{
  char text[1024];

  snprintf (text, sizeof text,
            "{\"format\": 1, \"name\": \"box\", \"scene\": {\"gravity\": [0, -9.81], \"friction\": 0.1, \"bodies\": ["
            "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
            "{\"name\": \"box\", \"mass\": 1, \"position\": [0, 0.1], \"velocity\": [%g, 0], \"lock\": [\"theta\"],"
            " \"shape\": {\"type\": \"box\", \"width\": 0.2, \"height\": 0.2}}], \"contacts\": \"all\","
            "\"actuators\": ["
            "{\"name\": \"fx\", \"type\": \"force\", \"body\": \"box\", \"direction\": [1, 0]},"
            "{\"name\": \"fy\", \"type\": \"force\", \"body\": \"box\", \"direction\": [0, 1]}]},"
            "\"task\": {\"horizon\": 1, \"steps\": 10, \"t_end\": 1, \"dt\": 0.1, \"cost\": [{\"points\": \"last\", "
            "\"cost\": \"box.x^2\"}]}}",
            velocity);
  return ss_test_read_text (text);
}

#define BOX_ROW(t, x, vx, n, f, fx, fy) (t), (x), 0.1, 0, (vx), 0, 0, (n), (f), (fx), (fy)

static void
laws_of_contacts (void)
{
  const double h = 0.1, weight = 9.81;
  SsScenario *scenario = box_on_floor (0);
  const double stands[] = {BOX_ROW (0, 0, 0, 0, 0, 0.9, 0), BOX_ROW (h, 0, 0, weight, -0.9, 0.9, 0)};
  const double holds[] = {BOX_ROW (0, 0, 0, 0, 0, 2, 0), BOX_ROW (h, 0, 0, weight, -2, 2, 0)};
  const double pulls[] = {BOX_ROW (0, 0, 0, 0, 0, 0, weight + 3), BOX_ROW (h, 0, 0, -3, 0, 0, 0)};
  SsReasons reasons = reasons_of (scenario, box_names, BOX, stands, 2);

  SS_CHECK (reasons.n == 0);
  reasons = reasons_of (scenario, box_names, BOX, holds, 2);
  check_only (&reasons, SS_REASON_FRICTION, 2 - 0.1 * weight, "N",
              "friction of 2 N between box and floor at t = 0.1 s, where 0.981 N is the most");
  reasons = reasons_of (scenario, box_names, BOX, pulls, 2);
  check_only (&reasons, SS_REASON_PULL, 3, "N", "floor pulls box with 3 N at t = 0.1 s");
  ss_scenario_free (scenario);

  scenario = box_on_floor (0.2);
  const double slides[] = {BOX_ROW (0, 0, 0.2, 0, 0, 0, 0), BOX_ROW (h, 0.02, 0.2, weight, 0, 0, 0)};
  const double brakes[] = {BOX_ROW (0, 0, 0.2, 0, 0, 0, 0),
                           BOX_ROW (h, h * (0.2 - 0.981 * h), 0.2 - 0.981 * h, weight, -0.981, 0, 0)};
  reasons = reasons_of (scenario, box_names, BOX, slides, 2);
  check_only (&reasons, SS_REASON_SLIP, 0.981, "N",
              "box slides on floor at 0.2 m/s with 0 N of friction, where 0.981 N brake, at t = 0.1 s");
  reasons = reasons_of (scenario, box_names, BOX, brakes, 2);
  SS_CHECK (reasons.n == 0);
  ss_scenario_free (scenario);
}

/* Lies on the floor, which shoots it up: m b^2/2. The step is so short that nothing else is worth a word. */
static void
energy_from_nothing (void)
{
  const double h = 1e-5, b = 0.1;
  SsScenario *scenario = box_on_floor (0);
  const double rows[] = {BOX_ROW (0, 0, 0, 0, 0, 0, 0), h, 0, 0.1 + h * b, 0, 0, b, 0, b / h + 9.81, 0, 0, 0};
  const SsReasons reasons = reasons_of (scenario, box_names, BOX, rows, 2);

  SS_CHECK (reasons.n == 1 && reasons.items[0].kind == SS_REASON_ENERGY);
  SS_CHECK_NEAR (reasons.items[0].value, h * (b / h + 9.81) * b / 2, 1e-9); /* impulse times mean velocity */
  SS_CHECK_CONTAINS (reasons.items[0].text, "the contact of floor and box gives 0.005 J at t = 1e-05 s");
  ss_scenario_free (scenario);
}

/* ---- joints ------------------------------------------------------------------------------------------------------ */

static SsScenario *
arm_on_post (const char *joint)
{
  char text[1024];

  snprintf (text, sizeof text,
            "{\"format\": 1, \"name\": \"arm\", \"scene\": {\"gravity\": [0, 0], \"bodies\": ["
            "{\"name\": \"post\", \"fixed\": true, \"shape\": {\"type\": \"circle\", \"radius\": 0.01}},"
            "{\"name\": \"arm\", \"mass\": 1, \"position\": [0, 0],"
            " \"shape\": {\"type\": \"box\", \"width\": 0.2, \"height\": 0.02}}], \"contacts\": [],"
            "\"joints\": [{\"name\": \"hinge\", \"bodies\": [\"post\", \"arm\"], %s}],"
            "\"actuators\": ["
            "{\"name\": \"fx\", \"type\": \"force\", \"body\": \"arm\", \"direction\": [1, 0]},"
            "{\"name\": \"turn\", \"type\": \"torque\", \"body\": \"arm\"}]},"
            "\"task\": {\"horizon\": 1, \"steps\": 10, \"t_end\": 1, \"dt\": 0.1, \"cost\": [{\"points\": \"last\", "
            "\"cost\": \"arm.x^2\"}]}}",
            joint);
  return ss_test_read_text (text);
}

/* Of the first reason of a kind; NULL: none. */
static const SsReason *
find (const SsReasons *reasons, SsReasonKind kind)
{
  for (int i = 0; i < reasons->n; i++)
    if (reasons->items[i].kind == kind)
      return &reasons->items[i];
  return NULL;
}

static void
joints (void)
{
  static const char *const names[] = {"t",      "arm.x",     "arm.y", "arm.theta", "arm.vx",
                                      "arm.vy", "arm.omega", "u.fx",  "u.turn"};
  const double h = 0.1, apart = 0.012, turned = 0.6;
  const double off[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, h, apart, 0, 0, apart / h, 0, 0, 0, 0};
  const double far[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, h, 0, 0, turned, 0, 0, turned / h, 0, 0};
  SsScenario *scenario = arm_on_post ("\"type\": \"pin\", \"anchor\": [0, 0]");
  SsReasons reasons = reasons_of (scenario, names, 9, off, 2);
  const SsReason *joint = find (&reasons, SS_REASON_JOINT);

  SS_CHECK (joint != NULL);
  if (joint != NULL) {
    SS_CHECK_NEAR (joint->value, apart, 1e-12);
    SS_CHECK_STR (joint->text, "pin between post and arm 12 mm apart at t = 0.1 s");
  }
  ss_scenario_free (scenario);

  scenario = arm_on_post ("\"type\": \"pin\", \"anchor\": [0, 0], \"lower\": -0.5, \"upper\": 0.5");
  reasons = reasons_of (scenario, names, 9, far, 2);
  joint = find (&reasons, SS_REASON_JOINT_LIMIT);
  SS_CHECK (joint != NULL);
  if (joint != NULL) {
    SS_CHECK_NEAR (joint->value, turned - 0.5, 1e-12);
    SS_CHECK_STR (joint->text, "joint hinge is 0.1 rad beyond its range at t = 0.1 s");
  }
  ss_scenario_free (scenario);

  scenario = arm_on_post ("\"type\": \"weld\", \"anchor\": [0, 0]");
  reasons = reasons_of (scenario, names, 9, far, 2);
  joint = find (&reasons, SS_REASON_JOINT);
  SS_CHECK (joint != NULL);
  if (joint != NULL)
    SS_CHECK_STR (joint->text, "weld between post and arm 0.6 rad turned at t = 0.1 s");
  ss_scenario_free (scenario);
}

/* ---- models ------------------------------------------------------------------------------------------------------ */

static void
rows_of_models (void)
{
  SsScenario *scenario = ss_test_read_text (
      "{\"format\": 1, \"name\": \"model\", \"model\": {\"points\": 3, \"time_step\": 0.1, \"states\": [\"x\"],"
      " \"controls\": [\"f\"], \"constraints\": ["
      "{\"name\": \"dynamics\", \"points\": [0, 1], \"zero\": [\"next(x) - x - f\"]},"
      "{\"name\": \"contact\", \"points\": [0, 2], \"complementary\": [[\"x\", \"f\"]]}],"
      " \"cost\": [{\"name\": \"effort\", \"points\": [0, 2], \"cost\": \"f^2\"}]}}");
  const double x[] = {0, 0.5, 0.75, 0.25, 1, 0};
  SsReasons reasons = {0};
  SsError err = {0};

  if (scenario == NULL)
    return;
  SS_CHECK (ss_reasons_of_model (scenario, x, &reasons, &err) == SS_OK);
  for (int i = 0; i < reasons.n; i++)
    printf ("  %s: %s\n", ss_reason_name (reasons.items[i].kind), reasons.items[i].text);
  SS_CHECK (reasons.n == 2);
  SS_CHECK_NEAR (reasons.items[0].value, 0.25, 1e-15); /* 0.75 - 0 - 0.5 */
  SS_CHECK_CONTAINS (reasons.items[0].text, "row 0 of dynamics at k = 0 (t = 0 s) is missed by 0.25: ");
  SS_CHECK_CONTAINS (reasons.items[0].text, "next(x)");
  SS_CHECK_NEAR (reasons.items[1].value, 0.75 * 0.25, 1e-15);
  SS_CHECK_CONTAINS (reasons.items[1].text, "row 0 of contact at k = 1 (t = 0.1 s): x = 0.75 and f = 0.25");
  ss_scenario_free (scenario);
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

static void
run (const SsScenario *scenario, const char *iterations, SsRunResult *result)
{
  const SsMethod *method = ss_method_find (SS_METHOD_OPTIMISER, "crisp", NULL);
  void *options = calloc (1, method->options->size);
  SsError err = {0};

  ss_method_init_options (method, scenario, options);
  if (iterations != NULL)
    SS_CHECK (ss_options_set (method->options, options, "max-iterations", iterations, &err) == SS_OK);
  const SsJob job = ss_job (method, scenario, options);
  SS_CHECK (ss_run (&job, NULL, result, &err) == SS_OK);
  free (options);
}

/* A plan that is solved has none, also where its motion is asked again; one that had to stop says what ran out. */
static void
runs (void)
{
  SsScenario *scenario = ss_test_read_file ("examples/plans/push-box-with-disc.stickslip.json", NULL, 0);
  SsRunResult result;
  SsReasons reasons;
  SsError err = {0};

  run (scenario, NULL, &result);
  SS_CHECK (result.outcome == SS_OUTCOME_SOLVED && result.reasons.n == 0);
  SS_CHECK (ss_reasons_of_motion (scenario, ss_run_motion (&result), NULL, &result.verdict, &reasons, &err) == SS_OK);
  for (int i = 0; i < reasons.n; i++)
    printf ("  of a plan that is solved: %s\n", reasons.items[i].text);
  SS_CHECK (reasons.n == 0);
  ss_run_result_clear (&result);

  run (scenario, "3", &result);
  SS_CHECK (result.outcome == SS_OUTCOME_MAX_ITERATIONS && result.reasons.n >= 2);
  for (int i = 0; i < result.reasons.n; i++)
    printf ("  %s: %s\n", ss_reason_name (result.reasons.items[i].kind), result.reasons.items[i].text);
  const SsReason *last = &result.reasons.items[result.reasons.n - 1];
  SS_CHECK (last->kind == SS_REASON_BUDGET && last->value == 3);
  SS_CHECK_CONTAINS (last->text, "budget of 3 iterations used after ");
  ss_run_result_clear (&result);
  ss_scenario_free (scenario);
}

int
main (void)
{
  SS_RUN (another_start);
  SS_RUN (a_jump);
  SS_RUN (an_overlap);
  SS_RUN (a_passage);
  SS_RUN (a_force_at_a_distance);
  SS_RUN (no_force);
  SS_RUN (a_target_missed);
  SS_RUN (bounds_and_constraints);
  SS_RUN (controls);
  SS_RUN (laws_of_contacts);
  SS_RUN (energy_from_nothing);
  SS_RUN (joints);
  SS_RUN (rows_of_models);
  SS_RUN (runs);
  return ss_test_finish ();
}
