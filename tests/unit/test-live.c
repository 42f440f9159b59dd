/* tests/unit/test-live.c: the motion that follows a sketch: the bits of a stored run of the same scene, the motion
 * before a step and while a gesture goes on, changes that overtake each other, failures, and nothing in the project. */
#include "app/session/ssapp-pulling.h"
#include "app/session/ssapp-session.h"
#include "tests/ss-test-document.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

static const char FALL[] =
    "{\"format\": 1, \"name\": \"fall\", \"scene\": {\"gravity\": [0, -9.81], \"restitution\": 0.5,"
    "\"bodies\": [{\"name\": \"ground\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
    "{\"name\": \"ball\", \"mass\": 1, \"position\": [0, 1], \"velocity\": [0.3, 0],"
    "\"shape\": {\"type\": \"circle\", \"radius\": 0.1}}], \"contacts\": \"all\"},"
    "\"task\": {\"t_end\": %g, \"dt\": 0.005}}";

static SsappSession *
session_of (double t_end)
{
  SsappSession *session = ssapp_session_new ();
  g_autofree char *text = g_strdup_printf (FALL, t_end);
  g_autoptr (GError) error = NULL;

  SS_CHECK (ssapp_document_load_text (ssapp_session_get_document (session), text, -1, NULL, &error));
  if (error != NULL)
    printf ("%s\n", error->message);
  return session;
}

static SsappLiveMotion *
wait (SsappSession *session)
{
  SsappLiveMotion *live = ssapp_session_get_live (session);

  while (ssapp_live_motion_is_computing (live))
    g_main_context_iteration (NULL, TRUE);
  return live;
}

static void
set (SsappSession *session, const char *path, const char *text)
{
  g_autoptr (GError) error = NULL;
  SS_CHECK (ssapp_document_set_field (ssapp_session_get_document (session), path, text, "", &error));
}

static gboolean
same_bits (const SsTrajectory *a, const SsTrajectory *b)
{
  return a->n_rows == b->n_rows && a->n_channels == b->n_channels &&
         memcmp (a->values, b->values, sizeof (double) * (gsize)a->n_rows * (gsize)a->n_channels) == 0;
}

/* What Simulate stores, made by a worker, and read again from the project. */
static void
test_same_bits (void)
{
  SsappSession *session = session_of (1);
  g_autofree char *folder = g_dir_make_tmp ("ss-live-XXXXXX", NULL),
                  *path = g_build_filename (folder, "live.stickslip", NULL);
  g_autoptr (GError) error = NULL;

  ssapp_session_set_live (session, TRUE);
  SsappLiveMotion *live = wait (session);
  SS_CHECK (ssapp_live_motion_is_whole (live) && ssapp_live_motion_get_before (live) == NULL);
  SS_CHECK (*ssapp_live_motion_get_message (live) == '\0' && ssapp_live_motion_get_seconds (live) > 0);
  SsappRun *now = ssapp_live_motion_get_now (live);
  SS_CHECK (now != NULL && ssapp_run_has_motion (now) && ssapp_run_get_id (now) == NULL);
  SS_CHECK (ssapp_run_get_events (now)->len > 0);
  SS_CHECK (ssapp_session_get_store (session) == NULL);
  g_object_unref (ssapp_store_open (path, TRUE, NULL)); /* there is a file now */
  SS_CHECK (ssapp_session_open_store (session, path, &error));
  SS_CHECK (ssapp_session_start_simulation (session, &error));
  while (ssapp_session_is_running (session))
    g_main_context_iteration (NULL, TRUE);
  SsappRun *run = g_ptr_array_index (ssapp_session_get_runs (session), 0);
  SS_CHECK (same_bits (ssapp_run_get_motion (run), ssapp_run_get_motion (now)));
  g_autoptr (SsappRun) stored =
      ssapp_run_new_stored (ssapp_session_get_store (session), ssapp_run_get_id (run), &error);
  SS_CHECK (stored != NULL && same_bits (ssapp_run_get_motion (stored), ssapp_run_get_motion (now)));
  g_object_unref (session);
  g_remove (path);
  g_rmdir (folder);
}

/* The thread that shows a motion is woken a few times a second, not at each of its steps: that took a third of the
 * time of small scenes. */
static void
test_wakes (void)
{
  SsappSession *session = session_of (40); /* 8,000 steps */
  SsappLiveMotion *live;
  int n = 0;

  ssapp_session_set_live (session, TRUE);
  live = ssapp_session_get_live (session);
  for (; ssapp_live_motion_is_computing (live); n++)
    g_main_context_iteration (NULL, TRUE);
  SS_CHECK (ssapp_live_motion_is_whole (live));
  SS_CHECK (n <= 800); /* 20 a second, of at most 40 s on the slowest machine; before nearly as many as steps */
  g_object_unref (session);
}

static double
end_of (SsappRun *run, const char *channel)
{
  const SsTrajectory *motion = ssapp_run_get_motion (run);
  return ss_trajectory_row (motion, motion->n_rows - 1)[ss_trajectory_channel (motion, channel)];
}

/* One step of undo has one motion before it. */
static void
test_before (void)
{
  SsappSession *session = session_of (0.2); /* it falls freely */
  SsappDocument *document = ssapp_session_get_document (session);
  const double tolerance = 1e-9; /* x = v t, steps of 5 ms add up */

  ssapp_session_set_live (session, TRUE);
  SsappLiveMotion *live = wait (session);
  ssapp_document_begin_gesture (document, "Scrub");
  set (session, "scene.bodies[1].velocity[0]", "0.4");
  (void)wait (session);
  set (session, "scene.bodies[1].velocity[0]", "0.5");
  (void)wait (session);
  ssapp_document_end_gesture (document);
  (void)wait (session);
  SS_CHECK_NEAR (end_of (ssapp_live_motion_get_now (live), "ball.x"), 0.5 * 0.2, tolerance);
  SS_CHECK_NEAR (end_of (ssapp_live_motion_get_before (live), "ball.x"), 0.3 * 0.2, tolerance);
  ssapp_document_undo (document);
  (void)wait (session);
  SS_CHECK_NEAR (end_of (ssapp_live_motion_get_now (live), "ball.x"), 0.3 * 0.2, tolerance);
  SS_CHECK_NEAR (end_of (ssapp_live_motion_get_before (live), "ball.x"), 0.5 * 0.2, tolerance);
  g_object_unref (session);
}

/* A motion of a million steps is dropped for the one that is asked for next, within the time of a cancel. */
static void
test_overtaken (void)
{
  SsappSession *session = session_of (0.2);

  ssapp_session_set_live (session, TRUE);
  SsappLiveMotion *live = wait (session);
  set (session, "task.t_end", "5000");
  SS_CHECK (ssapp_live_motion_is_computing (live) && !ssapp_live_motion_is_whole (live));
  SS_CHECK (ssapp_live_motion_get_now (live) != NULL); /* the old one, until there is more */
  for (int i = 0; i < 20; i++)
    g_main_context_iteration (NULL, FALSE);
  set (session, "task.t_end", "0.1");
  (void)wait (session);
  SS_CHECK (ssapp_live_motion_is_whole (live));
  SS_CHECK_NEAR (ssapp_run_get_duration (ssapp_live_motion_get_now (live)), 0.1, 1e-12);
  SS_CHECK_NEAR (ssapp_run_get_duration (ssapp_live_motion_get_before (live)), 0.2, 1e-12);
  g_object_unref (session);
}

/* While the sandbox has the processor a long motion is not computed; what was asked for is asked for again after it. */
static void
test_held (void)
{
  SsappSession *session = session_of (0.2);

  ssapp_session_set_live (session, TRUE);
  SsappLiveMotion *live = wait (session);
  ssapp_live_motion_hold (live); /* it is there: nothing to stop */
  SS_CHECK (ssapp_live_motion_is_whole (live));
  set (session, "task.t_end", "5000");
  ssapp_session_set_live (session, FALSE);
  ssapp_live_motion_hold (live);
  SS_CHECK (!ssapp_live_motion_is_computing (live) && !ssapp_live_motion_is_whole (live));
  SsappRun *shown = ssapp_live_motion_get_now (live);
  SS_CHECK (shown != NULL);
  ssapp_session_set_live (session, TRUE);
  SS_CHECK (ssapp_live_motion_is_computing (live));
  while (ssapp_live_motion_get_now (live) == shown) /* the thread has stopped, and begun again */
    g_main_context_iteration (NULL, TRUE);
  SS_CHECK (ssapp_live_motion_is_computing (live));
  g_object_unref (session);
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

/* What there is so far of a long one, and that a session may go meanwhile. */
static void
test_parts (void)
{
  SsappSession *session = session_of (5000);

  ssapp_session_set_live (session, TRUE);
  SsappLiveMotion *live = ssapp_session_get_live (session);
  while (ssapp_live_motion_get_now (live) == NULL)
    g_main_context_iteration (NULL, TRUE);
  SS_CHECK (ssapp_live_motion_is_computing (live) && !ssapp_live_motion_is_whole (live));
  SS_CHECK (ssapp_run_get_duration (ssapp_live_motion_get_now (live)) > 0);
  g_object_unref (session);
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

/* A method that cannot take the scene leaves the edit, the last motion as the one before, and a reason. */
static void
test_failure (void)
{
  SsappSession *session = session_of (0.2);
  SsappDocument *document = ssapp_session_get_document (session);

  ssapp_session_set_live (session, TRUE);
  SsappLiveMotion *live = wait (session);
  set (session, "scene.bodies[1].velocity[1]", "1e300");
  (void)wait (session);
  SS_CHECK (!ssapp_live_motion_is_whole (live) && *ssapp_live_motion_get_message (live) != '\0');
  SS_CHECK (ssapp_live_motion_get_before (live) != NULL);
  ssapp_document_undo (document);
  (void)wait (session);
  SS_CHECK (ssapp_live_motion_is_whole (live) && *ssapp_live_motion_get_message (live) == '\0');
  SS_CHECK (ssapp_document_load_text (document,
                                      "{\"format\": 1, \"name\": \"none\", \"scene\": {\"bodies\": []},"
                                      "\"task\": {\"t_end\": 1, \"dt\": 0.01}}",
                                      -1, NULL, NULL));
  SS_CHECK (ssapp_live_motion_get_now (live) == NULL && ssapp_live_motion_get_before (live) == NULL);
  g_object_unref (session);
}

/* Answers until the body is where it is wished to be along x. */
static void
pull_to (SsappPulling *pulling, double x, double y)
{
  double wish[2], place[2] = {NAN, NAN};

  ssapp_pulling_move (pulling, x, y);
  while (!(fabs (place[0] - x) <= 1e-3)) {
    g_main_context_iteration (NULL, TRUE);
    ssapp_pulling_get_places (pulling, wish, place);
  }
}

/* x = vx t of the ball, whatever it does along y: the document has the speed, as one step of undo or as none. */
static void
test_pulling (void)
{
  SsappSession *session = session_of (1);
  SsappDocument *document = ssapp_session_get_document (session);
  SsappPulling *pulling = ssapp_pulling_new (session);
  g_autofree char *text = g_strdup (ssapp_document_get_text (document));
  g_autoptr (GError) error = NULL;
  const SsBody *ball;

  SS_CHECK (!ssapp_pulling_begin (pulling, "ball", 0, 0, 1, &error) && error != NULL);
  g_clear_error (&error);
  SS_CHECK (ssapp_pulling_is_ticked (pulling, "ball.vx") && !ssapp_pulling_is_ticked (pulling, "ball.vy"));
  SS_CHECK (ssapp_pulling_begin (pulling, "ball", 0.8, 0.24, 0.3, &error));
  for (int k = 1; k <= 10; k++)
    pull_to (pulling, 0.24 + 0.05 * k, 0.3);
  const SsPull *answer = ssapp_pulling_get_answer (pulling);
  SS_CHECK (answer != NULL && answer->is_reached && fabs (answer->changes[0].value - 0.74 / 0.8) < 2e-4);
  while (ssapp_pulling_get_band (pulling) == NULL)
    g_main_context_iteration (NULL, TRUE);
  const SsReach *band = ssapp_pulling_get_band (pulling);
  SS_CHECK (band->n_sequences == 1 && fabs (band->points[0].values[0] - 0.8 * band->points[0].at) < 1e-9);
  ssapp_pulling_end (pulling);
  ball = &ssapp_document_get_scenario (document)->scene->bodies[1];
  SS_CHECK (fabs (ball->v[0] - 0.74 / 0.8) < 2e-4 && ball->v[1] == 0);
  ssapp_document_undo (document);
  SS_CHECK (g_strcmp0 (ssapp_document_get_text (document), text) == 0);
  ssapp_pulling_tick (pulling, "ball.vx", TRUE); /* both: the whole place */
  ssapp_pulling_tick (pulling, "ball.y", TRUE);
  SS_CHECK (ssapp_pulling_begin (pulling, "ball", 0.3, 0.09, 0.56, &error));
  pull_to (pulling, 0.3, 0.7);
  answer = ssapp_pulling_get_answer (pulling); /* by steps of 5 ms, which fall by g t (t + h) / 2 */
  SS_CHECK (answer->is_reached && fabs (answer->changes[0].value - 1) < 1e-3 &&
            fabs (answer->changes[1].value - 0.7 - 0.5 * 9.81 * 0.3 * (0.3 + 0.005)) < 1e-3);
  ssapp_pulling_cancel (pulling);
  SS_CHECK (g_strcmp0 (ssapp_document_get_text (document), text) == 0 && !ssapp_pulling_is_on (pulling));
  g_object_unref (pulling);
  g_object_unref (session);
}

/* Until the pull is over, whose last wish is x. */
static void
pull_out (SsappPulling *pulling, double x)
{
  ssapp_pulling_move (pulling, x, 0);
  ssapp_pulling_end (pulling);
  while (ssapp_pulling_is_on (pulling))
    g_main_context_iteration (NULL, TRUE);
}

/* A point of the curve of a velocity; when the ball lands, with exact events 0.9 m + vy t = g t^2 / 2; what nothing
 * that may change moves, and why. */
static void
test_curves_and_events (void)
{
  SsappSession *session = session_of (1);
  SsappDocument *document = ssapp_session_get_document (session);
  SsappPulling *pulling = ssapp_pulling_new (session);
  const SsChannel vx = {.name = "ball.vx", .quantity = SS_QUANTITY_VELOCITY_X, .owner_name = "ball"};
  const SsappRunEvent landing = {.t = sqrt (2 * 0.9 / 9.81), .kind = SS_EVENT_IMPACT, .contact = "ground-ball"};
  g_autoptr (GError) error = NULL;

  SS_CHECK (ssapp_session_set_methods (session, "event-driven", &error));
  SS_CHECK (ssapp_pulling_begin_point (pulling, &vx, 0.2, 0.3, 1e-6, &error));
  SS_CHECK (ssapp_pulling_is_ticked (pulling, "ball.vx") && !ssapp_pulling_is_ticked (pulling, "ball.vy"));
  pull_out (pulling, 0.55);
  SS_CHECK_NEAR (ssapp_document_get_scenario (document)->scene->bodies[1].v[0], 0.55, 1e-5);
  g_autofree char *told = ssapp_pulling_describe (pulling);
  SS_CHECK_CONTAINS (told, "ball.vx at 0.200 s pulled to 0.55 m/s");

  SS_CHECK (ssapp_pulling_begin_event (pulling, &landing, 1, 1e-5, &error));
  SS_CHECK (ssapp_pulling_is_ticked (pulling, "ball.vy"));
  SS_CHECK (strcmp (ssapp_document_get_selected (document), "ball") == 0);
  pull_out (pulling, 0.6);
  SS_CHECK_NEAR (ssapp_document_get_scenario (document)->scene->bodies[1].v[1], 9.81 * 0.6 / 2 - 0.9 / 0.6, 1e-3);
  g_autofree char *then = ssapp_pulling_describe (pulling);
  SS_CHECK_CONTAINS (then, "impact 1 of ground-ball pulled to 0.6000 s");
  ssapp_document_undo (document);
  SS_CHECK (ssapp_document_get_scenario (document)->scene->bodies[1].v[1] == 0);

  ssapp_pulling_tick (pulling, "ball.vx", TRUE);
  ssapp_pulling_tick (pulling, "ball.vy", FALSE);
  SS_CHECK (ssapp_pulling_begin_event (pulling, &landing, 1, 1e-5, &error));
  pull_out (pulling, 0.6);
  g_autofree char *why = ssapp_pulling_describe (pulling);
  SS_CHECK_CONTAINS (why, "Not reached: the time of impact 1 of ground-ball does not depend on what may change");
  g_object_unref (pulling);
  g_object_unref (session);
}

int
main (void)
{
  SS_RUN_THREADS (test_same_bits);
  SS_RUN_THREADS (test_wakes);
  SS_RUN_THREADS (test_before);
  SS_RUN_THREADS (test_overtaken);
  SS_RUN_THREADS (test_held);
  SS_RUN_THREADS (test_parts);
  SS_RUN_THREADS (test_failure);
  SS_RUN_THREADS (test_pulling);
  SS_RUN_THREADS (test_curves_and_events);
  return ss_test_finish ();
}
