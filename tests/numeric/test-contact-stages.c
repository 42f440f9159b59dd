/* tests/numeric/test-contact-stages.c: motions in stages of contact (plan/ss-stages.h), the member of the race that
 * starts from them, and a time for tasks that leave it open. Truth: geometry by hand, the judge of motions, which is
 * above all that simulates, and the targets. */
#include "plan/ss-find-time.h"
#include "plan/ss-lazy-contacts.h"
#include "plan/ss-stages-hand.h"
#include "plan/ss-stages-skill.h"
#include "plan/ss-stages-way.h"
#include "plan/ss-stages.h"
#include "run/ss-run.h"
#include "ss-test-scenario.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the scenes -------------------------------------------------------------------------------------------------- */

#define DRAG(b)                                                                                                        \
  "{\"body\": \"" b "\", \"force\": [\"-3*" b ".vx/sqrt(" b ".vx^2 + " b ".vy^2 + 0.015)\", \"-3*" b ".vy/sqrt(" b     \
  ".vx^2 + " b ".vy^2 + 0.015)\"], \"torque\": \"-0.3*" b ".omega/sqrt(" b ".omega^2 + 0.25)\"}"

/* Seen from above: one disc that forces drive, two boxes that friction on the ground holds, each with a target beside
 * it in another direction. */
static SsScenario *
two_boxes (void)
{
  return ss_test_read_text (
      "{\"format\": 1, \"name\": \"two\", \"scene\": {\"gravity\": [0, 0], \"friction\": 0.3, \"bodies\": ["
      "{\"name\": \"a\", \"mass\": 1, \"position\": [0, 0], \"shape\": {\"type\": \"box\", \"width\": 0.3, "
      "\"height\": 0.2}},"
      "{\"name\": \"b\", \"mass\": 1, \"position\": [0.7, 0.3], \"shape\": {\"type\": \"box\", \"width\": 0.2, "
      "\"height\": 0.3}},"
      "{\"name\": \"disc\", \"mass\": 0.5, \"lock\": [\"theta\"], \"position\": [-0.4, -0.3], \"shape\": {\"type\": "
      "\"circle\", \"radius\": 0.06}}], \"contacts\": \"all\", \"actuators\": ["
      "{\"name\": \"fx\", \"type\": \"force\", \"body\": \"disc\", \"direction\": [1, 0], \"lower\": -20, \"upper\": "
      "20},"
      "{\"name\": \"fy\", \"type\": \"force\", \"body\": \"disc\", \"direction\": [0, 1], \"lower\": -20, \"upper\": "
      "20}], \"forces\": [" DRAG ("a") ", " DRAG (
          "b") "]},"
               "\"task\": {\"horizon\": 4, \"steps\": 100, \"targets\": [{\"body\": \"a\", \"position\": [0.35, 0]}, "
               "{\"body\": \"b\", \"position\": [0.7, 0.7]}], \"effort\": 0.01}}");
}

/* Seen from above: a disc that forces drive beside a box, which shall be a little farther from it. */
static SsScenario *
one_box (void)
{
  return ss_test_read_text (
      "{\"format\": 1, \"name\": \"one\", \"scene\": {\"gravity\": [0, 0], \"friction\": 0.3, \"bodies\": ["
      "{\"name\": \"a\", \"mass\": 1, \"position\": [0, 0], \"shape\": {\"type\": \"box\", \"width\": 0.3, "
      "\"height\": 0.2}},"
      "{\"name\": \"disc\", \"mass\": 0.5, \"lock\": [\"theta\"], \"position\": [-0.3, 0], \"shape\": {\"type\": "
      "\"circle\", \"radius\": 0.06}}], \"contacts\": \"all\", \"actuators\": ["
      "{\"name\": \"fx\", \"type\": \"force\", \"body\": \"disc\", \"direction\": [1, 0], \"lower\": -20, \"upper\": "
      "20},"
      "{\"name\": \"fy\", \"type\": \"force\", \"body\": \"disc\", \"direction\": [0, 1], \"lower\": -20, \"upper\": "
      "20}], \"forces\": [" DRAG (
          "a") "]},"
               "\"task\": {\"horizon\": 0.8, \"steps\": 16, \"targets\": [{\"body\": \"a\", \"position\": [0.2, 0]}], "
               "\"effort\": 0.01}}");
}

/* From the side: a block that two discs shall put on another. */
static SsScenario *
block_on_block (void)
{
  return ss_test_read_text (
      "{\"format\": 1, \"name\": \"put\", \"scene\": {\"gravity\": [0, -9.81], \"friction\": 0.6, \"bodies\": ["
      "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
      "{\"name\": \"lower\", \"mass\": 0.5, \"position\": [0.7, 0.1], \"shape\": {\"type\": \"box\", \"width\": 0.2, "
      "\"height\": 0.2}},"
      "{\"name\": \"block\", \"mass\": 0.5, \"position\": [0, 0.1], \"shape\": {\"type\": \"box\", \"width\": 0.2, "
      "\"height\": 0.2}},"
      "{\"name\": \"left\", \"mass\": 0.3, \"lock\": [\"theta\"], \"position\": [-0.2, 0.2], \"shape\": {\"type\": "
      "\"circle\", \"radius\": 0.04}},"
      "{\"name\": \"right\", \"mass\": 0.3, \"lock\": [\"theta\"], \"position\": [0.2, 0.2], \"shape\": {\"type\": "
      "\"circle\", \"radius\": 0.04}}], \"contacts\": \"all\", \"actuators\": ["
      "{\"type\": \"force\", \"body\": \"left\", \"direction\": [1, 0], \"lower\": -40, \"upper\": 40},"
      "{\"type\": \"force\", \"body\": \"left\", \"direction\": [0, 1], \"lower\": -40, \"upper\": 40},"
      "{\"type\": \"force\", \"body\": \"right\", \"direction\": [1, 0], \"lower\": -40, \"upper\": 40},"
      "{\"type\": \"force\", \"body\": \"right\", \"direction\": [0, 1], \"lower\": -40, \"upper\": 40}]},"
      "\"task\": {\"horizon\": 2.4, \"steps\": 60, \"targets\": [{\"body\": \"block\", \"position\": [0.7, 0.3], "
      "\"angle\": 0, \"velocity\": [0, 0]}], \"effort\": 0.01}}");
}

static int
body_of (const SsScenario *scenario, const char *name)
{
  for (int b = 0; b < scenario->scene->n_bodies; b++)
    if (strcmp (scenario->scene->bodies[b].name, name) == 0)
      return b;
  SS_CHECK (false);
  return 0;
}

static void
read_poses (const SsScenario *scenario, double *q)
{
  for (int b = 0; b < scenario->scene->n_bodies; b++)
    memcpy (q + 3 * b, scenario->scene->bodies[b].q, 3 * sizeof *q);
}

/* ---- ways -------------------------------------------------------------------------------------------------------- */

/* A disc of radius r goes from one side of a box of half height a to the other: it has to pass (0, a + r), so no way is
 * shorter than twice the distance to there, and that over the pushed out corners is not a quarter longer. It is free
 * all along, which gaps at many of its points tell. Where the disc would end in the box there is no way. */
static void
test_way (void)
{
  SsScenario *scenario = two_boxes ();
  double q[9];
  SsVec2 at, tangent;
  SsWay way;

  read_poses (scenario, q);
  const int disc = body_of (scenario, "disc"), a = body_of (scenario, "a");
  const SsWayScene scene = {scenario->scene, q, disc, {-1, -1}, 0.01, false};
  SS_CHECK (ss_way_find (&scene, (SsVec2){-0.4, 0}, (SsVec2){0.4, 0}, &way));
  const double least = 2 * hypot (0.4, 0.1 + 0.06);
  SS_CHECK (ss_way_length (&way) >= least && ss_way_length (&way) < 1.25 * least);
  for (int k = 0; k <= 200; k++) {
    ss_way_at (&way, k / 200.0, &at, &tangent);
    SS_CHECK (ss_way_gap (&scene, a, at) > 0.01 - 1e-3); /* as it is asked, to what sweeps tell apart */
  }
  SS_CHECK (!ss_way_find (&scene, (SsVec2){-0.4, 0}, (SsVec2){0.1, 0}, &way));
  SS_CHECK (ss_way_find (&scene, (SsVec2){-0.4, -0.3}, (SsVec2){0.4, -0.3}, &way) && way.n == 2);
  /* the box's face is at -0.15: the disc touches it when its centre is at -0.21, to what a sweep tells */
  SS_CHECK (fabs (-0.5 + ss_way_touch (&scene, a, (SsVec2){-0.5, 0}, (SsVec2){0.5, 0}) + 0.21) < 2e-4);
  ss_scenario_free (scenario);
}

/* A box that a post stands in the way of: the first leg goes aside, the legs together are as long as the way was said
 * to be, longer than the straight one, and end at the target. What can move is no post, and with gravity the way is the
 * straight one. */
static void
test_leg (void)
{
  static const char *const kinds[] = {"\"fixed\": true", "\"mass\": 1", "\"fixed\": true"};

  for (int i = 0; i < 3; i++) {
    char text[1400];

    snprintf (text, sizeof text,
              "{\"format\": 1, \"name\": \"post\", \"scene\": {\"gravity\": [0, %d], \"bodies\": ["
              "{\"name\": \"box\", \"mass\": 1, \"position\": [0, 0], \"shape\": {\"type\": \"box\", \"width\": 0.2, "
              "\"height\": 0.2}}, {\"name\": \"post\", %s, \"position\": [0.5, 0.1], \"shape\": {\"type\": \"box\", "
              "\"width\": 0.1, \"height\": 0.5}}, {\"name\": \"hand\", \"mass\": 1, \"position\": [-0.5, 0], "
              "\"shape\": {\"type\": \"circle\", \"radius\": 0.05}}], \"contacts\": \"all\", \"actuators\": ["
              "{\"type\": \"force\", \"body\": \"hand\", \"direction\": [1, 0], \"lower\": -9, \"upper\": 9},"
              "{\"type\": \"force\", \"body\": \"hand\", \"direction\": [0, 1], \"lower\": -9, \"upper\": 9}]},"
              "\"task\": {\"horizon\": 2, \"steps\": 50, \"targets\": [{\"body\": \"box\", \"position\": [1, 0]}]}}",
              i == 2 ? -1 : 0, kinds[i]);
    SsScenario *scenario = ss_test_read_text (text);
    SsStagePlayer player;
    SsError err = {0};
    double q[9], length, left = NAN, turn, sum = 0;
    SsVec2 leg;
    int n = 0;

    read_poses (scenario, q);
    SS_CHECK (ss_stage_player_open (scenario, &player, &err) == SS_OK);
    ss_skill_leg (&player, &scenario->task.plan->targets[0], q, &leg, &length, &turn);
    if (i > 0)
      SS_CHECK (fabs (leg.x - 1) < 1e-12 && fabs (leg.y) < 1e-12 && fabs (length - 1) < 1e-12);
    else {
      SS_CHECK (length > 1 && length < 1.5 && leg.y < -0.1); /* the post reaches further up than down */
      for (left = length; n < 5 && left > 1e-9; n++) {
        ss_skill_leg (&player, &scenario->task.plan->targets[0], q, &leg, &left, &turn);
        sum += hypot (leg.x, leg.y);
        q[0] += leg.x;
        q[1] += leg.y;
      }
      SS_CHECK (n > 2 && fabs (q[0] - 1) < 1e-9 && fabs (q[1]) < 1e-9);
      SS_CHECK (sum <= length + 1e-9 && sum > 1);
    }
    ss_stage_player_clear (&player);
    ss_scenario_free (scenario);
  }
}

/* A body was asked to go (0.3, -0.2) and to turn from 0.1 to 0.4, and came from (1, 2) to (1.25, 1.9) and to 0.6: by
 * hand. A coordinate that is free misses nothing of its own; a free angle is missed by what it turned. */
static void
test_missed (void)
{
  const SsVec2 asked = {0.3, -0.2};
  const double from[] = {1, 2, 0.1}, to[] = {1.25, 1.9, 0.6}, target[] = {1.3, 1.8, 0.4};

  for (int is_free = 0; is_free < 8; is_free++) {
    SsPlanTarget t = {.value = {NAN, NAN, NAN, 7, 8, 9}};
    SsVec2 way;
    double turn;

    for (int k = 0; k < 3; k++)
      t.value[k] = is_free & 1 << k ? NAN : target[k];
    ss_skill_missed (&t, asked, from, to, &way, &turn);
    SS_CHECK_NEAR (way.x, is_free & 1 ? 0.3 : 0.05, 1e-15);
    SS_CHECK_NEAR (way.y, is_free & 2 ? -0.2 : -0.1, 1e-15);
    SS_CHECK_NEAR (turn, is_free & 4 ? -0.5 : -0.2, 1e-15);
  }
}

/* ---- hands ------------------------------------------------------------------------------------------------------- */

/* Two actuators that push only, one each way, and one across: the force comes out as asked. Joints have no hands. */
static void
test_hands (void)
{
  SsScenario *scenario = ss_test_read_text (
      "{\"format\": 1, \"name\": \"hand\", \"scene\": {\"bodies\": [{\"name\": \"d\", \"mass\": 1, \"position\": [0, "
      "1], \"shape\": {\"type\": \"circle\", \"radius\": 0.1}}, {\"name\": \"rod\", \"mass\": 1, \"position\": [2, 1], "
      "\"shape\": {\"type\": \"circle\", \"radius\": 0.1}}], \"joints\": [{\"name\": \"pin\", \"type\": \"pin\", "
      "\"bodies\": [\"world\", \"rod\"], \"anchor\": [2, 2]}], \"actuators\": ["
      "{\"type\": \"force\", \"body\": \"d\", \"direction\": [1, 0], \"lower\": 0, \"upper\": 10},"
      "{\"type\": \"force\", \"body\": \"d\", \"direction\": [-1, 0], \"lower\": 0, \"upper\": 10},"
      "{\"type\": \"force\", \"body\": \"d\", \"direction\": [0, 1], \"lower\": -10, \"upper\": 10},"
      "{\"type\": \"joint\", \"joint\": \"pin\", \"lower\": -1, \"upper\": 1}]},"
      "\"task\": {\"horizon\": 1, \"steps\": 10, \"targets\": [{\"body\": \"d\", \"position\": [1, 1]}]}}");
  SsStagesHand hands[SS_HANDS];
  double u[4] = {0};

  SS_CHECK (ss_hands_find (scenario->scene, hands) == 1);
  SS_CHECK (hands[0].is_plane && hands[0].n == 3 && hands[0].torque < 0);
  ss_hand_drive (scenario->scene, &hands[0], 0, (SsVec2){-3, 5}, 0, u);
  SS_CHECK (fabs (u[0] - u[1] + 3) < 1e-12 && fabs (u[2] - 5) < 1e-12 && u[0] >= 0 && u[1] >= 0);
  ss_hand_drive (scenario->scene, &hands[0], 0, (SsVec2){30, 5}, 0, u);
  SS_CHECK (u[0] == 10 && u[1] == 0);
  SS_CHECK (!ss_stages_fit (scenario)); /* nothing has a target but the hand */
  ss_scenario_free (scenario);
}

/* ---- motions ----------------------------------------------------------------------------------------------------- */

/* How far the motion's end is from the targets' positions, the farthest [m]. */
static double
miss_of (const SsScenario *scenario, const SsTrajectory *motion)
{
  const SsPlan *plan = scenario->task.plan;
  const double *row = ss_trajectory_row (motion, motion->n_rows - 1);
  double most = 0;

  for (int t = 0; t < plan->n_targets; t++) {
    char name[64];
    int at[2];

    for (int k = 0; k < 2; k++) {
      snprintf (name, sizeof name, "%s.%s", scenario->scene->bodies[plan->targets[t].body].name, ss_body_channels[k]);
      at[k] = ss_trajectory_channel (motion, name);
      SS_CHECK (at[k] >= 0);
    }
    most = fmax (most, hypot (row[at[0]] - plan->targets[t].value[0], row[at[1]] - plan->targets[t].value[1]));
  }
  return most;
}

/* From several seeds the boxes are pushed in order to a few centimetres, of 0.35 and 0.4 m; the motion is one of the
 * law (what steps leave unexplained is far below what plans may violate rows by), within the actuators' limits, and the
 * same again for its seed. */
static void
test_in_order (void)
{
  SsScenario *scenario = two_boxes ();
  SsError err = {0};

  for (uint64_t seed = 1; seed <= (ss_test_is_coarse () ? 2 : 4); seed++) {
    SsSampledMotion motion, again;
    SsMotionVerdict verdict;

    SS_CHECK (ss_stages_motion (scenario, seed, NULL, NULL, &motion, &err) == SS_OK);
    SS_CHECK (motion.trajectory != NULL && motion.trajectory->n_rows == 101);
    SS_CHECK (miss_of (scenario, motion.trajectory) < 0.05);
    SS_CHECK (fabs (miss_of (scenario, motion.trajectory) - motion.miss) < 1e-12);
    SS_CHECK (ss_motion_judge (scenario->scene, motion.trajectory, false, NULL, &verdict, &err) == SS_OK);
    SS_CHECK (verdict.balance.value < 0.01 * SS_RUN_FEASIBLE && verdict.penetration.value < 0.01 * SS_RUN_FEASIBLE);
    const int fx = ss_trajectory_channel (motion.trajectory, "u.fx");
    for (int k = 0; k < motion.trajectory->n_rows; k++)
      SS_CHECK (fabs (ss_trajectory_row (motion.trajectory, k)[fx]) <= 20);
    if (seed == 1) {
      SS_CHECK (ss_stages_motion (scenario, seed, NULL, NULL, &again, &err) == SS_OK);
      SS_CHECK (memcmp (motion.trajectory->values, again.trajectory->values,
                        sizeof (double) * 101 * (size_t)motion.trajectory->n_channels) == 0);
      ss_sampled_motion_clear (&again);
    }
    ss_motion_verdict_clear (&verdict);
    ss_sampled_motion_clear (&motion);
  }
  ss_scenario_free (scenario);
}

/* One that is told to stop ends at once, without an answer. */
static void
test_stop (void)
{
  SsScenario *scenario = two_boxes ();
  SsSampledMotion motion;
  SsRunControl control;
  SsError err = {0};

  ss_run_control_init (&control);
  ss_run_control_cancel (&control);
  SS_CHECK (ss_stages_motion (scenario, 1, NULL, &control, &motion, &err) == SS_OK);
  SS_CHECK (motion.trajectory == NULL && motion.n_samples == 0);
  ss_scenario_free (scenario);
}

/* A time is found whatever the task's own is; in it a motion from another seed comes near, too, and it is no less than
 * the disc needs by itself: with at most 20 sqrt 2 N on 0.5 kg it goes to a, 0.35 m with it, and 0.4 m with b. */
static void
test_time (void)
{
  SsScenario *scenario = two_boxes ();
  SsScenario own = *scenario;
  SsPlan plan = *scenario->task.plan;
  SsSampledMotion motion;
  SsFoundTime found, again;
  SsError err = {0};

  SS_CHECK (ss_find_time (scenario, 1, NULL, &found, &err) == SS_OK && found.is_found);
  plan.horizon = 0.3;
  plan.steps = 3;
  own.task.plan = &plan;
  SS_CHECK (ss_find_time (&own, 1, NULL, &again, &err) == SS_OK);
  SS_CHECK (again.t_end == found.t_end && again.steps == found.steps);
  const double least = 2 * sqrt ((0.35 + 0.4) / (20 * sqrt (2) / 0.5));
  SS_CHECK (found.t_end > least && found.steps >= 10);
  plan.horizon = found.t_end;
  plan.steps = found.steps;
  SS_CHECK (ss_stages_motion (&own, 7, NULL, NULL, &motion, &err) == SS_OK && motion.trajectory != NULL);
  SS_CHECK (miss_of (&own, motion.trajectory) < 0.1);
  ss_sampled_motion_clear (&motion);
  plan.is_time_free = true;
  SS_CHECK (ss_find_time (&own, 1, NULL, &again, &err) == SS_ERR_INVALID);
  ss_scenario_free (scenario);
}

/* ---- the member -------------------------------------------------------------------------------------------------- */

static SsRunResult
run_member (const SsScenario *scenario)
{
  SsError err = {0};
  const SsMethod *method = ss_method_find (SS_METHOD_OPTIMISER, "auto", &err);
  void *options = calloc (1, method->options->size + 1);
  SsJob job = ss_job (method, scenario, options);
  SsRunResult result;

  ss_method_init_options (method, scenario, options);
  SS_CHECK (ss_options_set (method->options, options, "member", "stages", &err) == SS_OK);
  SS_CHECK (ss_options_set (method->options, options, "threads", "1", &err) == SS_OK);
  SS_CHECK (ss_options_set (method->options, options, "refine", "0", &err) == SS_OK);
  SS_CHECK (ss_run (&job, NULL, &result, &err) == SS_OK);
  free (options);
  return result;
}

/* Its answer is at the targets, to what answers may violate rows by, overlaps nowhere by our own gaps of all pairs. The
 * way onto the other block is over it: the block was above it before the end. Sanitizers see the shorter race. */
static void
test_member (void)
{
  SsScenario *scenario = ss_test_is_coarse () ? one_box () : block_on_block ();
  SsRunResult result = run_member (scenario);
  SsLazyContacts none = {.scenario = scenario, .n = scenario->task.plan->n_candidates};

  none.has = calloc ((size_t)none.n + 1, sizeof (bool));
  SS_CHECK (result.outcome == SS_OUTCOME_SOLVED);
  SS_CHECK (ss_metric_get (&result.metrics, SS_METRIC_MAX_VIOLATION) < SS_RUN_FEASIBLE);
  const SsTrajectory *motion = ss_run_motion (&result);
  SS_CHECK (miss_of (scenario, motion) < 2 * SS_RUN_FEASIBLE);
  SS_CHECK (ss_lazy_contacts_check (&none, motion, SS_RUN_OVERLAP_MAX) == 0);
  double top = ss_test_is_coarse () ? INFINITY : 0;
  const int y = ss_trajectory_channel (motion, "block.y");
  for (int k = 0; k < motion->n_rows && y >= 0; k++)
    top = fmax (top, ss_trajectory_row (motion, k)[y]);
  SS_CHECK (top > 0.3);
  free (none.has);
  ss_run_result_clear (&result);
  ss_scenario_free (scenario);
}

int
main (void)
{
  SS_RUN (test_way);
  SS_RUN (test_leg);
  SS_RUN (test_missed);
  SS_RUN (test_hands);
  SS_RUN (test_in_order);
  SS_RUN (test_stop);
  SS_RUN_SLOW (test_time);
  SS_RUN_THREADS (test_member);
  return ss_test_finish ();
}
