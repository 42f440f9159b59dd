/* tests/unit/test-tutorial.c: a tutorial's step is done by what the user did and by nothing else. */
#include "app/session/ssapp-tutorial.h"
#include "tests/ss-test.h"

#include <math.h>
#include <string.h>

/* No step of any tutorial is done before anything has happened, and each has words. */
static void
test_nothing_done (void)
{
  int n;
  const SsappTutorial *tutorials = ssapp_tutorials (&n);
  const SsappTutorialView nothing = {.page = "sketch", .goal = {NAN, NAN}};

  SS_CHECK (n >= 4);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < tutorials[i].n_steps; k++) {
      const SsappTutorialStep *step = &tutorials[i].steps[k];
      SS_CHECK (*step->title != '\0' && *step->text != '\0');
      SS_CHECK (!ssapp_tutorial_step_is_done (step, &nothing, &nothing));
    }
  SS_CHECK (ssapp_tutorial_find ("no such tutorial") == NULL);
}

/* The first tutorial, done step by step; one that was done in advance is passed over at once. */
static void
test_goes_on (void)
{
  SsappGuide guide;
  SsappTutorialView view = {.page = "sketch", .goal = {NAN, NAN}};

  ssapp_guide_start (&guide, ssapp_tutorial_find ("drop-a-box"));
  SS_CHECK (!ssapp_guide_notice (&guide, &view) && guide.step == 0);
  view.n_free = 1; /* not what is asked for yet */
  SS_CHECK (!ssapp_guide_notice (&guide, &view) && guide.step == 0);
  view.n_fixed = 1;
  SS_CHECK (ssapp_guide_notice (&guide, &view) && guide.step == 2);
  view.n_running = 1;
  SS_CHECK (!ssapp_guide_notice (&guide, &view));
  view = (SsappTutorialView){
      .page = "sketch", .n_fixed = 1, .n_free = 1, .n_simulated = 1, .duration = 2, .is_playing = TRUE};
  SS_CHECK (ssapp_guide_notice (&guide, &view) && guide.step == 3);
  view.time = 1;
  SS_CHECK (!ssapp_guide_notice (&guide, &view)); /* it plays by itself */
  view.is_playing = FALSE;
  view.time = 2;
  SS_CHECK (!ssapp_guide_notice (&guide, &view)); /* and ends by itself */
  view.time = 0.5;
  SS_CHECK (ssapp_guide_notice (&guide, &view) && guide.step == 4);
  ssapp_guide_skip (&guide);
  SS_CHECK (ssapp_guide_get_step (&guide) == NULL && guide.step == guide.tutorial->n_steps);
  ssapp_guide_skip (&guide);
  SS_CHECK (guide.step == guide.tutorial->n_steps);
  ssapp_guide_start (&guide, NULL);
  SS_CHECK (ssapp_guide_get_step (&guide) == NULL && !ssapp_guide_notice (&guide, &view));
}

/* A goal that is there is not yet one that was moved, and a file written before does not count. */
static void
test_counts_from_its_begin (void)
{
  SsappGuide guide;
  SsappTutorialView view = {
      .page = "sketch", .n_fixed = 1, .n_free = 1, .n_actuators = 2, .n_goals = 1, .goal = {0.5, 0.1}};

  ssapp_guide_start (&guide, ssapp_tutorial_find ("task"));
  SS_CHECK (ssapp_guide_notice (&guide, &view) && guide.step == 4);
  view.goal[0] = 0.75;
  SS_CHECK (ssapp_guide_notice (&guide, &view) && guide.step == 5);
  ssapp_guide_start (&guide, ssapp_tutorial_find ("figure"));
  view = (SsappTutorialView){.page = "run", .n_simulated = 1, .time = 0.5, .duration = 1, .n_exports = 3};
  SS_CHECK (ssapp_guide_notice (&guide, &view) && guide.step == 2);
  view.n_exports = 4;
  SS_CHECK (ssapp_guide_notice (&guide, &view) && guide.step == 3);
}

/* What a session shows: bodies, forces and the place of the goal as the example's file says. */
static void
test_looks (void)
{
  g_autoptr (SsappSession) session = ssapp_session_new ();
  g_autofree char *path =
      g_build_filename (SS_SOURCE_ROOT, "examples", "plans", "push-box-with-disc.stickslip.json", NULL);
  const SsappSessionPlace place = {.page = "sketch", .n_exports = 2};
  SsappTutorialView view;

  SS_CHECK (ssapp_document_load_file (ssapp_session_get_document (session), path, NULL));
  ssapp_tutorial_look (session, &place, &view);
  SS_CHECK (view.n_fixed == 1 && view.n_free == 2 && view.n_actuators == 2 && view.n_goals == 1);
  SS_CHECK (fabs (view.goal[0] - 0.8) < 1e-15 && fabs (view.goal[1] - 0.15) < 1e-15); /* xt, and half the box */
  SS_CHECK (view.n_exports == 2 && view.n_running == 0 && !view.has_sandbox);
}

int
main (void)
{
  SS_RUN (test_nothing_done);
  SS_RUN (test_goes_on);
  SS_RUN (test_counts_from_its_begin);
  SS_RUN (test_looks);
  return ss_test_finish ();
}
