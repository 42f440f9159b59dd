/* tests/unit/test-parting.c: where a replay parts, for people; and a plan that holds a live scene. */
#include "app/sandbox/ssapp-sandbox.h"
#include "app/session/ssapp-parting.h"
#include "app/job/ssapp-reasons.h"
#include "ss-test-scenario.h"

static const char result_text[] =
    "{\"replay_first\": {\"t\": 0.42, \"contact\": \"floor-box\", \"plan\": \"sticks\", \"replay\": \"slips\", "
    "\"distance\": 0.004, \"body\": \"box\", \"text\": \"Parts from its plan at t = 0.42 s: floor-box slips\"}}";

static void
the_sentence_has_a_link_to_its_instant (void)
{
  SsappParting parting = {0};
  json_t *result = json_loads (result_text, 0, NULL), *none = json_object ();

  ssapp_parting_read (&parting, result);
  SS_CHECK (parting.is_known && parting.is_parted);
  SS_CHECK_NEAR (parting.t, 0.42, 0);
  SS_CHECK_STR (parting.contact, "floor-box");
  g_autofree char *markup = ssapp_parting_dup_markup (&parting);
  SS_CHECK_CONTAINS (markup, "<a href=\"t:0.4");
  ssapp_parting_read (&parting, none);
  SS_CHECK (!parting.is_known && !parting.is_parted && isnan (parting.t));
  ssapp_parting_clear (&parting);
  json_decref (result);
  json_decref (none);
}

static void
the_place_is_between_the_bodies (void)
{
  static const char text[] =
      "{\"format\": 1, \"name\": \"p\", \"scene\": {\"bodies\": [{\"name\": \"floor\", \"fixed\": true, \"shape\": "
      "{\"type\": \"half-plane\", \"normal\": [0, 1]}}, {\"name\": \"box\", \"mass\": 1, \"shape\": {\"type\": "
      "\"circle\", "
      "\"radius\": 0.5}, \"position\": [2, 0.5]}], \"contacts\": [{\"bodies\": [\"floor\", \"box\"]}]}, \"task\": "
      "{\"t_end\": 1, \"dt\": 0.1}}";
  SsScenario *scenario = ss_test_read_text (text);
  SsTrajectory *motion = NULL;
  SsappParting parting = {0};
  json_t *result = json_loads (result_text, 0, NULL);
  SsVec2 place = {0, 0};
  SsError err;

  SS_CHECK (ss_scene_trajectory_new (scenario->scene, 1, &motion, &err) == SS_OK);
  g_autofree double *row = g_new0 (double, motion->n_channels);
  row[ss_trajectory_channel (motion, "box.x")] = 3;
  row[ss_trajectory_channel (motion, "box.y")] = 0.5;
  SS_CHECK (ss_trajectory_append (motion, row, &err) == SS_OK);
  ssapp_parting_read (&parting, result);
  SS_CHECK (ssapp_parting_place (&parting, scenario->scene, motion, &place));
  SS_CHECK_NEAR (place.x, 3, 1e-12);
  SS_CHECK_NEAR (place.y, 0, 1e-12);
  ssapp_parting_clear (&parting);
  json_decref (result);
  ss_trajectory_free (motion);
  ss_scenario_free (scenario);
}

static const char cart_text[] =
    "{\"format\": 1, \"name\": \"cart\", \"scene\": {\"gravity\": [0, 0], \"bodies\": [{\"name\": \"cart\", \"mass\": "
    "1, "
    "\"shape\": {\"type\": \"box\", \"width\": 0.2, \"height\": 0.2}, \"lock\": [\"y\", \"theta\"]}], \"actuators\": "
    "[{\"name\": \"f\", \"type\": \"force\", \"body\": \"cart\", \"direction\": [1, 0], \"lower\": -20, \"upper\": "
    "20}]}, "
    "\"task\": {\"t_end\": 1, \"dt\": 0.01}}";

/* Speed 1 to x = 1 in 1 s: without feedback the cart, which rests, would stay where it is. */
static SsTrajectory *
steady_plan (const SsScene *scene)
{
  SsTrajectory *plan = NULL;
  SsError err;

  SS_CHECK (ss_scene_trajectory_new (scene, 101, &plan, &err) == SS_OK);
  g_autofree double *row = g_new0 (double, plan->n_channels);
  for (int k = 0; k <= 100; k++) {
    row[0] = 0.01 * k;
    row[ss_trajectory_channel (plan, "cart.x")] = 0.01 * k;
    row[ss_trajectory_channel (plan, "cart.vx")] = k < 100 ? 1 : 0;
    SS_CHECK (ss_trajectory_append (plan, row, &err) == SS_OK);
  }
  return plan;
}

static void
a_held_plan_moves_the_live_scene (void)
{
  SsScenario *scenario = ss_test_read_text (cart_text);
  SsTrajectory *plan = steady_plan (scenario->scene);
  g_autoptr (GError) error = NULL;
  SsappSandbox *live = ssapp_sandbox_new (cart_text, NULL, NULL, &error);

  SS_CHECK (live != NULL);
  g_autofree double *row = g_new0 (double, ssapp_sandbox_get_n_channels (live));
  SS_CHECK (ssapp_sandbox_hold_plan (live, plan, &error) && ssapp_sandbox_is_held (live));
  ssapp_sandbox_step (live, (int)(1.5 / ssapp_sandbox_get_step (live)));
  ssapp_sandbox_sync (live);
  ssapp_sandbox_take_frame_with (live, 0, row, NULL);
  /* at the plan's end, and at rest there */
  SS_CHECK_NEAR (row[1], 1, 0.01);
  SS_CHECK_NEAR (row[4], 0, 0.05);
  SS_CHECK (ssapp_sandbox_hold_plan (live, NULL, &error) && !ssapp_sandbox_is_held (live));
  ssapp_sandbox_stop (live);
  g_object_unref (live);
  ss_trajectory_free (plan);
  ss_scenario_free (scenario);
}

int
main (void)
{
  SS_RUN (the_sentence_has_a_link_to_its_instant);
  SS_RUN (the_place_is_between_the_bodies);
  SS_RUN (a_held_plan_moves_the_live_scene);
  return ss_test_finish ();
}
