/* tests/bench/bench-live-dev.c: from an edit to the whole new motion, of scenes as the Sketch page shows them
 * (session/ssapp-live-motion.h): CPU time of all threads and the time of the clock, the least of some edits.
 *
 *   build/tests/bench-live-dev examples/SCENE.stickslip.json ...
 */
#include "app/session/ssapp-session.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

enum { EDITS = 3 };
static const double SOON = 0.1; /* s */

static double
cpu (void)
{
  struct timespec t;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void
wait_for (SsappLiveMotion *live)
{
  while (ssapp_live_motion_is_computing (live))
    g_main_context_iteration (NULL, TRUE);
}

/* "scene.bodies[2].position[0]" of the first body that can move; NULL: there is none; g_free. */
static char *
path_to_edit (const SsScene *scene, double *value)
{
  for (int i = 0; scene != NULL && i < scene->n_bodies; i++)
    if (!ss_body_is_immovable (&scene->bodies[i]) && scene->bodies[i].item >= 0) {
      *value = scene->bodies[i].q[0];
      return g_strdup_printf ("scene.bodies[%d].position[0]", scene->bodies[i].item);
    }
  return NULL;
}

/* Whether it is a scene with a motion; then *is_soon. */
static gboolean
look_at (const char *file, gboolean *is_soon)
{
  g_autofree char *text = NULL;
  double value = 0, seconds = INFINITY, used = INFINITY;

  if (!g_file_get_contents (file, &text, NULL, NULL))
    return FALSE;
  SsappSession *session = ssapp_session_new ();
  SsappDocument *document = ssapp_session_get_document (session);
  SsappLiveMotion *live = ssapp_session_get_live (session);
  if (!ssapp_document_load_text (document, text, -1, NULL, NULL) || !ssapp_document_is_scene (document)) {
    g_object_unref (session);
    return FALSE;
  }
  g_autofree char *path = path_to_edit (ssapp_document_get_scenario (document)->scene, &value);
  ssapp_session_set_live (session, TRUE);
  wait_for (live);
  for (int k = 1; path != NULL && k <= EDITS; k++) {
    g_autofree char *number = g_strdup_printf ("%.9g", value + 1e-4 * k);
    const double from = cpu ();
    if (!ssapp_document_set_field (document, path, number, "", NULL))
      break;
    wait_for (live);
    if (ssapp_live_motion_is_whole (live)) {
      used = MIN (used, cpu () - from);
      seconds = MIN (seconds, ssapp_live_motion_get_seconds (live));
    }
  }
  *is_soon = MIN (used, seconds) <= SOON;
  if (isfinite (used))
    printf ("%-70s %8.1f ms CPU %8.1f ms%s\n", file, 1e3 * used, 1e3 * seconds, *is_soon ? "" : "  late");
  else
    printf ("%-70s no motion: %s\n", file, path != NULL ? ssapp_live_motion_get_message (live) : "nothing moves");
  g_object_unref (session);
  return isfinite (used);
}

int
main (int argc, char **argv)
{
  int n = 0, n_soon = 0;

  for (int i = 1; i < argc; i++) {
    gboolean is_soon = FALSE;
    n += look_at (argv[i], &is_soon);
    n_soon += is_soon;
    fflush (stdout);
  }
  printf ("%d of %d within %.0f ms\n", n_soon, n, 1e3 * SOON);
  return 0;
}
