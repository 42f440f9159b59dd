/* app/session/ssapp-tutorial.c: see the header. */
#include "app/session/ssapp-tutorial.h"

#include "app/session/ssapp-lesson.h"
#include "run/ss-method.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* ---- what the user did ------------------------------------------------------------------------------------------- */

#define DONE(name) static gboolean name (const SsappTutorialView *now, const SsappTutorialView *start)

DONE (has_floor)
{
  (void)start;
  return now->n_fixed > 0;
}

DONE (has_box)
{
  (void)start;
  return now->n_free > 0;
}

DONE (has_simulated)
{
  (void)start;
  return now->n_simulated > 0 && now->n_running == 0;
}

DONE (has_played)
{
  return now->is_playing || (now->time > 0 && now->time != start->time);
}

DONE (has_sandbox)
{
  (void)start;
  return now->has_sandbox;
}

DONE (is_on_run_page)
{
  (void)start;
  return strcmp (now->page, "run") == 0;
}

DONE (has_both_methods)
{
  (void)start;
  return now->has_crisp && now->has_ipopt;
}

DONE (has_raced)
{
  (void)start;
  return now->n_solved >= 2 && now->n_running == 0;
}

DONE (is_on_compare_page)
{
  (void)start;
  return strcmp (now->page, "compare") == 0;
}

DONE (has_actuator)
{
  (void)start;
  return now->n_actuators > 0;
}

DONE (has_goal)
{
  (void)start;
  return now->n_goals > 0;
}

DONE (has_moved_goal)
{
  return now->n_goals > 0 && (now->goal[0] != start->goal[0] || now->goal[1] != start->goal[1]);
}

DONE (has_solved)
{
  (void)start;
  return now->n_solved > 0 && now->n_running == 0;
}

/* Somewhere between begin and end, where playing does not stop by itself. */
DONE (has_sought)
{
  (void)start;
  return !now->is_playing && now->time > 0 && now->time < now->duration;
}

DONE (has_exported)
{
  return now->n_exports > start->n_exports;
}

/* ---- the tutorials ----------------------------------------------------------------------------------------------- */

#define FLOOR_STEP                                                                                                     \
  {                                                                                                                    \
    N_ ("Draw a floor"), N_ ("Choose Ground in the palette (F), then drag across the sheet from left to right."),      \
        "win.tool::ground", has_floor                                                                                  \
  }

static const SsappTutorialStep drop_steps[] = {
    FLOOR_STEP,
    {N_ ("Draw a box above it"),
     N_ ("Choose Box (B), then drag from one corner to the other, some way above the floor."), "win.tool::box",
     has_box},
    {N_ ("Simulate"), N_ ("Press Simulate at the upper right. The box falls under gravity and comes to rest."),
     "win.simulate", has_simulated},
    {N_ ("Stop at a moment"),
     N_ ("Drag the slider to the moment at which the box hits the floor. Space plays on from there."), NULL,
     has_sought},
    {N_ ("Push it about"), N_ ("Go to the Sketch page, press Play in Sandbox, then pull the box with the mouse."),
     "win.sandbox", has_sandbox},
};

static const SsappTutorialStep race_steps[] = {
    {N_ ("See the methods"), N_ ("Go to the Run page: the chosen methods stand as tabs at the top."), "win.page::run",
     is_on_run_page},
    {N_ ("Choose CRISP and Ipopt"),
     N_ ("Press + beside the tabs and choose CRISP and Ipopt; close other tabs by their cross."), NULL,
     has_both_methods},
    {N_ ("Solve it twice"), N_ ("Press Solve (F5). Both solve the same task at once; the plots fill while they do."),
     "win.run-or-cancel", has_raced},
    {N_ ("Compare"),
     N_ ("Go to the Compare page: options that differ, metrics with the best in bold, and both motions."),
     "win.page::compare", is_on_compare_page},
};

static const SsappTutorialStep task_steps[] = {
    FLOOR_STEP,
    {N_ ("Draw a box on it"),
     N_ ("Choose Box (B), then drag from one corner to the other, with its lower edge on the floor."), "win.tool::box",
     has_box},
    {N_ ("Let a force move it"), N_ ("With the box selected, press U: two forces may now pull it."),
     "win.add-actuator::xy", has_actuator},
    {N_ ("Set a goal"), N_ ("With the box selected, press G: a dashed outline says where it shall be at the end."),
     "win.add-goal", has_goal},
    {N_ ("Move the goal"), N_ ("Drag the dashed outline along the floor, or type its place in the inspector."), NULL,
     has_moved_goal},
    {N_ ("Solve"), N_ ("Press Solve at the upper right. Several methods race; the first honest answer comes soon."),
     "win.run", has_solved},
    {N_ ("Watch the plan"), N_ ("Press Play, or Space."), "win.play", has_played},
};

static const SsappTutorialStep figure_steps[] = {
    {N_ ("Make a motion"), N_ ("Press Simulate at the upper right."), "win.simulate", has_simulated},
    {N_ ("Choose the moment"), N_ ("Move the slider to the moment that the picture shall show."), NULL, has_sought},
    {N_ ("Export the figure"), N_ ("Press Ctrl+E, choose the width of a column, and a name that ends in .pdf or .svg."),
     "win.export-dialog::figure", has_exported},
    {N_ ("Take the numbers too"), N_ ("Main menu, Export, Trajectory as CSV: every channel of the run as a table."),
     "win.export-dialog::trajectory", has_exported},
};

#define STEPS(steps) steps, (int)G_N_ELEMENTS (steps)

static const SsappTutorial tutorials[] = {
    {"drop-a-box", N_ ("Drop a Box"), N_ ("Draw, simulate, and push it about"), NULL, NULL, STEPS (drop_steps)},
    {"race", N_ ("Race CRISP and Ipopt"), N_ ("One task, two methods, compared"), NULL, "push-box", STEPS (race_steps)},
    {"task", N_ ("A Task for a Sketch"), N_ ("A force, a goal, and a plan"), NULL, NULL, STEPS (task_steps)},
    {"figure", N_ ("A Figure for a Paper"), N_ ("The right width, and its numbers"), NULL, "falling-box",
     STEPS (figure_steps)},
};

const SsappTutorial *
ssapp_tutorials (int *n)
{
  static GArray *all; /* made once, for as long as the program lives */

  g_return_val_if_fail (n != NULL, NULL);
  if (all == NULL) {
    all = g_array_new (FALSE, FALSE, sizeof (SsappTutorial));
    g_array_append_vals (all, tutorials, G_N_ELEMENTS (tutorials));
    ssapp_lessons_add (all);
  }
  *n = (int)all->len;
  return (const SsappTutorial *)(const void *)all->data;
}

const SsappTutorial *
ssapp_tutorial_find (const char *name)
{
  g_return_val_if_fail (name != NULL, NULL);
  int n;
  const SsappTutorial *all = ssapp_tutorials (&n);

  for (int i = 0; i < n; i++)
    if (strcmp (all[i].name, name) == 0)
      return &all[i];
  return NULL;
}

gboolean
ssapp_tutorial_step_is_done (const SsappTutorialStep *step, const SsappTutorialView *now,
                             const SsappTutorialView *start)
{
  g_return_val_if_fail (step != NULL && now != NULL, FALSE);

  if (step->is_done != NULL)
    return step->is_done (now, start);
  return now->session != NULL && ssapp_lesson_is_done (step->done, now->session, now->page);
}

/* ---- what there is to see ---------------------------------------------------------------------------------------- */

static void
look_at_sketch (SsappDocument *document, SsappTutorialView *view)
{
  const SsScenario *scenario = ssapp_document_get_scenario (document);
  const SsScene *scene = scenario->scene;
  g_autoptr (GPtrArray) goals = NULL, actuators = NULL;
  double pose[3];

  view->goal[0] = view->goal[1] = NAN;
  if (scene == NULL)
    return;
  for (int i = 0; i < scene->n_bodies; i++)
    *(scene->bodies[i].is_fixed ? &view->n_fixed : &view->n_free) += 1;
  goals = ssapp_document_list_items (document, "task.targets");
  actuators = ssapp_document_list_items (document, "scene.actuators");
  view->n_goals = (int)goals->len;
  view->n_actuators = (int)actuators->len;
  if (goals->len > 0 && ssapp_document_get_target_pose (document, "task.targets[0]", pose)) {
    view->goal[0] = pose[0];
    view->goal[1] = pose[1];
  }
}

static gboolean
is_chosen (SsappSession *session, const char *name)
{
  const SsMethod *method = ssapp_session_find_method (session, name, NULL);
  return method != NULL && ssapp_session_is_chosen (session, method);
}

void
ssapp_tutorial_look (SsappSession *session, const SsappSessionPlace *place, SsappTutorialView *view)
{
  g_return_if_fail (SSAPP_IS_SESSION (session) && place != NULL && view != NULL);

  GPtrArray *runs = ssapp_session_get_runs (session);
  *view = (SsappTutorialView){.page = place->page,
                              .time = place->time,
                              .duration = place->duration,
                              .is_playing = place->is_playing,
                              .has_sandbox = place->sandbox != NULL,
                              .n_exports = place->n_exports,
                              .session = session};
  look_at_sketch (ssapp_session_get_document (session), view);
  view->has_crisp = is_chosen (session, "crisp");
  view->has_ipopt = is_chosen (session, "ipopt");
  for (guint i = 0; i < runs->len; i++) {
    SsappRun *run = g_ptr_array_index (runs, i);
    const char *outcome = ssapp_run_get_outcome (run);
    if (ssapp_run_is_running (run))
      view->n_running++;
    else if (g_strcmp0 (outcome, "completed") == 0)
      view->n_simulated++;
    else if (g_strcmp0 (outcome, "solved") == 0)
      view->n_solved++;
  }
}

/* ---- one under way ----------------------------------------------------------------------------------------------- */

void
ssapp_guide_start (SsappGuide *guide, const SsappTutorial *tutorial)
{
  g_return_if_fail (guide != NULL);
  *guide = (SsappGuide){.tutorial = tutorial};
}

const SsappTutorialStep *
ssapp_guide_get_step (const SsappGuide *guide)
{
  g_return_val_if_fail (guide != NULL, NULL);
  return guide->tutorial != NULL && guide->step < guide->tutorial->n_steps ? &guide->tutorial->steps[guide->step]
                                                                           : NULL;
}

gboolean
ssapp_guide_notice (SsappGuide *guide, const SsappTutorialView *now)
{
  g_return_val_if_fail (guide != NULL && now != NULL, FALSE);

  const SsappTutorialStep *step;
  gboolean went_on = FALSE;
  while ((step = ssapp_guide_get_step (guide)) != NULL) {
    if (!guide->has_start) {
      guide->start = *now;
      guide->has_start = TRUE;
    }
    if (!ssapp_tutorial_step_is_done (step, now, &guide->start))
      return went_on;
    ssapp_guide_skip (guide);
    went_on = TRUE;
  }
  return went_on;
}

void
ssapp_guide_skip (SsappGuide *guide)
{
  g_return_if_fail (guide != NULL);
  if (ssapp_guide_get_step (guide) == NULL)
    return;
  guide->step++;
  guide->has_start = FALSE;
}
