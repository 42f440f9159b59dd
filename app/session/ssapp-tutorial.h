/* app/session/ssapp-tutorial.h: guided tutorials and lessons: steps in words, and for each a test of what the user did.
 * No widgets: the window shows the step (ui/parts/ssui-guide-bar.h) and tells the guide after every change.
 * Threads: main thread only. Tests: tests/unit/test-tutorial.c, tests/ui/test_welcome.py */
#pragma once

#include "app/session/ssapp-session.h"

G_BEGIN_DECLS

/* What steps look at. */
typedef struct {
  const char *page;              /* what the window shows                       */
  int n_fixed, n_free;           /* bodies of the sketch; 0 of equations        */
  int n_actuators, n_goals;      /* of its task                                 */
  double goal[2];                /* place of its first goal [m]; NaN: none      */
  gboolean has_crisp, has_ipopt; /* chosen                                  */
  int n_running;                 /* runs on show that go on                     */
  int n_simulated, n_solved;     /* runs on show that ended with success        */
  double time, duration;         /* of the player [s]                           */
  gboolean is_playing, has_sandbox;
  int n_exports;         /* files written since the window came         */
  SsappSession *session; /* that all this is of, for conditions of lessons; borrowed, NULL: none */
} SsappTutorialView;

typedef struct {
  const char *title, *text;
  const char *action; /* of the button to use, as a detailed action name: "win.tool::box"; NULL: no single one */
  /* `start`: the view when the step began. */
  gboolean (*is_done) (const SsappTutorialView *now, const SsappTutorialView *start);
  const json_t *done, *play, *says; /* of a lesson's step, which has no is_done (session/ssapp-lesson.h) */
} SsappTutorialStep;

typedef struct {
  const char *name, *title, *summary; /* "drop-a-box", "Drop a Box", one line */
  const char *idea;                   /* of a lesson: why it is worth two minutes; NULL: no lesson */
  const char *example;                /* opened at its begin; NULL: an empty sketch */
  const SsappTutorialStep *steps;
  int n_steps;
} SsappTutorial;

/* Whether a step is done. */
gboolean ssapp_tutorial_step_is_done (const SsappTutorialStep *step, const SsappTutorialView *now,
                                      const SsappTutorialView *start);
/* All of them, in order, the lessons last; static. */
const SsappTutorial *ssapp_tutorials (int *n);
const SsappTutorial *ssapp_tutorial_find (const char *name); /* NULL: there is none of that name */

/* What there is to see now. */
void ssapp_tutorial_look (SsappSession *session, const SsappSessionPlace *place, SsappTutorialView *view);

/* One tutorial under way. */
typedef struct {
  const SsappTutorial *tutorial; /* NULL: none            */
  int step;                      /* n_steps: it is done   */
  SsappTutorialView start;       /* when the step began; its page is static text */
  gboolean has_start;
} SsappGuide;
void ssapp_guide_start (SsappGuide *guide, const SsappTutorial *tutorial); /* NULL: ends it */
/* Goes on by the steps that are done; TRUE if it went on. The first view of a step is its start. */
gboolean ssapp_guide_notice (SsappGuide *guide, const SsappTutorialView *now);
void ssapp_guide_skip (SsappGuide *guide); /* the present step, done or not */
/* NULL: no tutorial, or it is done. */
const SsappTutorialStep *ssapp_guide_get_step (const SsappGuide *guide);

G_END_DECLS
