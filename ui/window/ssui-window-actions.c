/* ui/window/ssui-window-actions.c: the window's commands, for buttons, menus, keys and scripts alike.
 *
 *   new-sketch  open-dialog  open(s path)  open-example(s)  save  save-as  save-scenario(s path)  save-project-as
 *   save-project(s path) page(s start|sketch|run|compare|impact|study|project)  find  region(i 1|-1)  outline(b) 
 * inspector(b)
 *   close tool(s select|box|disc|ground|pin|slider|rod|spring|capsule|polygon|segment|weld|torsion|motor)  snap(b)
 *   grid(b)  add(s)  select(s name)  select-item(s path)  edit-selected
 *   delete  undo  redo set-field((ss) path, text)  set-fixed(b)  set-lock((ib) axis, locked)  remove-item(s path)
 *   set-contact((sb) path, on)  set-candidate((sb) path, known to the plan)  set-material(s name, "" none) and
 *   add-material(b give it to it): of the selected body
 *   next-contact(i 1|-1)  set-here((ss) contact, value) and clear-here((ss) contact, value): friction|restitution|
 *   stiffness|damping  set-pair((ssss) material, material, value, text)
 *   rest-on(s body, "" what is below)  flush-with(s body, "" the nearest)  move-exactly (typed): the selected body
 *   separate (what overlaps)  choose-pair (a popover at the selected joint)  join-pair((sss) path, body or world, body)
 *   of all selected objects (ssui-window-selection.c): select-all  select-none  select-also(s key: one more or less)
 *   select-several(as keys)  move((dd) m)  turn(d degrees)  mirror(s horizontal|vertical)  duplicate  copy  cut  paste
 *   array((iddddd) number, right, up [m], degrees, about x, y; nan: their middle)  array-dialog
 *   join(s pin|slider|rod|spring|weld|torsion)  join-at((sdd) kind, x, y): two selected bodies, or one with the world
 *   history(i steps, below 0: back)
 *   add-shape(s box|disc|capsule|polygon|segment) and remove-shape(s path): of the selected body
 *   add-corner(s path)  remove-corner(s path)  set-choice((ss) path, value)
 *   motor(s none|control|speed|place): of the selected joint  motor-tool: that, or the tool where none is selected
 *   add-force  add-law  add-constraint  add-cost: of the selected body  add-row((ss) path, zero|nonnegative)
 *   remove-row(s path)  free-time(b)  find-time (on: searches; off: stops)
 *   add-parameter(s name, "": one of its own)  remove-parameter(s name)
 *   add-goal  add-actuator(s x|y|xy|torque; of a selected joint: a motor)  add-bounds: of the selected body
 *   zoom-in  zoom-out  zoom-fit  simulate  run  run-or-cancel  cancel  cancel-run(s id)
 *   stop-member((ss) id, member of its race)  methods(s "crisp,ipopt,crisp": a race of both
 *   and one more CRISP, called crisp#2 in option)  one-more(s method, with its options)
 *   option((sss) method, name, value)  time-limit(d)  play  seek(d)  step(i)  step-row(i)
 *   motion-region(s "x0,y0,x1,y1")  follow-body(s name, "" nobody)  layers(s "traces,forces")  layer(s toggles it)
 *   step-event(i)  speed(d 1/16 to 16)  step-speed(i)  play-range((dd) begin, end; equal: all)  copy-events
 *   log-view(s iterations|text|violations)  log-filter((ss) words, method's name or "")  copy-log (what is shown)
 *   go-to-violation(i row of the list, from 0)
 *   iterate(i of the runs on show; -1 the answers)  start-from-iterate((si) run, iteration)
 *   of a plan that failed: apply-way((si) id, number of the way on)  play-by-hand(s id)
 *   branch-steps(s id): a simulation again, with both solutions of steps that have two
 *   sandbox(b)  sandbox-method(s)  sandbox-pause  sandbox-step  sandbox-slow(b)  sandbox-keep
 *   sandbox-controller(s none|lqr|replan)  sandbox-hold(b) the plan on show, by LQR
 *   replan(b)  replan-every(i)  replan-deadline(d)
 *   sandbox-improve  improve(s id)
 *   open-run(s ids)  replay-run((ss) integrator, id)  start-from(s id)  compare(s ids)  open-comparison(s id)
 *   replay-held((ssd) name of a controller, id, friction of the world as a part of the plan's)
 *   replay-worlds((ss) name of a controller, id): in other worlds that are drawn
 *   replay-first: the clock goes to where the replay on show parts from its plan
 *   delete-runs(s ids)  provenance(s ids, "" those on show)  copy-command(s ids)  reproduce(s id)  reproduce-cancel
 *   what-moves(s id, "" the one on show)  what-moves-event((sd) id, time of the event)
 *   on lists of runs (ssui-window-runs.c): search-runs(s)  sort-runs((sb) column, largest first)  choose-runs(s
 *   ids|all|none)  set-note((ss) ids, text)  note-dialog(s ids)  set-tags((ss) ids, text)  tags-dialog(s ids)
 *   only-differing(b)  over-time(b)  overlaid(b)  compare-view(s runs|figures)  compare-reference(s id)  copy-table(s
 *   csv|md|tex|...)  copy-summary(s)  compare-copy-figure(s)  compare-export((ss))  compare-export-dialog(s)
 *   equations(b)  source(b)  close-text  copy-equations(s text|latex)  equations-method(s)  apply-source  revert-source
 *   add-sketch (another one in the project)  keep-sketch  open-sketch(s id)  copy-sketch(s id)
 *   rename-sketch((ss) id, title)  rename-sketch-dialog(s id)  delete-sketch(s id)  undelete-sketch(s id)
 *   archive((ss) ids "" all, path)  archive-dialog(s ids)  import-dialog
 *   import(s path: a project, or a motion of the sketch as .csv or .json)
 *   undelete-runs(s ids) export(s path)  export-to((sss) kind, ids, path)  export-dialog(s kind)  export-run((ss) kind,
 *   ids)  export-cancel (a film, a page)  plot(s convergence|channels|motion|steps|modes|phase|cone|tries)
 *   phase((ss) channels)  cone(s contact, "" the one that presses hardest)
 *   channels (opens the chooser)  show-channels(s "box.y,box.vy;log:residual")  add-channel((si) name, plot, -1 new)
 *   remove-channel(s)  remove-plot(i)  move-plot((ii) plot, by)  plot-log((ib) plot, on)  difference(b)  band(s)
 *   zoom-time((dd) from, to; equal: all)  zoom-values((idd) plot, from, to; equal: all)
 *   pane((sd) split|side|lower|compare, share of the first pane)
 *   of the study of the project on the Study page (ssui-window-study.c): study-new  study-open(s id)  study-duplicate
 *   study-rename(s)  study-rename-dialog  study-delete  study-undelete(s id)  study-undo  study-redo
 *   study-scenario(s id of a sketch, "" the one on show)  study-set-axis((ss) name, values)  study-remove-axis(s)
 *   study-set-outcome((ss) name or "", "third=final(box3.x)")  study-remove-outcome(s)  study-show-outcome(s)
 *   study-move-axis((si) name, by)  study-set-method((is) place or -1, "crisp:relax=10")  study-remove-method(i)
 *   study-limit((ss) cpu|memory|workers|draw|samples|seed, value)  study-start  study-pause  study-stop
 *   study-start-or-pause  study-figure((ss) heat|profile|box|time, choice)  study-axes((ii) x, y of the heat maps)
 *   study-unsolved(b)  study-hide((ib) method, hidden)  study-all-columns(b)  study-select((ii) cells right, down)
 *   study-open-selected  study-copy-command  study-copy-table((ss) part or runs, csv|tsv|md|tex|text|jsonl)
 *   study-export((sds) part, width [mm], path)  study-export-dialog(s part)  study-export-all((ds) width, folder)
 *   study-export-all-dialog
 *   paper(s name: its table or figure, ssui-window-reference.c)  paper-run(s quick|usual|all)  paper-stop
 *   paper-copy(s csv|tsv|md|tex|text|jsonl|command)  paper-save(s path)  paper-save-dialog
 *   accuracy (simulators against a reference)  accuracy-run((ssss) methods, steps, reference, mean|max|end)
 *   accuracy-stop
 *   accuracy-copy(s format)  accuracy-save(s path: a table, or .pdf .svg .png)  accuracy-save-dialog(s table|figure)
 *   fit (to measured motions)  fit-add(s path)  fit-add-dialog  fit-remove(s path)
 *   fit-map(s "column=box.x:mm,...")  fit-free(s "mu,e=0.2:0.9")  fit-run  fit-stop  fit-trial(i, 0: all)  fit-side
 *   fit-keep  fit-use  fit-save((ss) plot, path)  fit-save-dialog(s plot)  fit-copy-command
 *   tutorial(s name)  tutorial-skip  tutorial-end  preferences  help  print-help(s path)
 *   status (state: JSON; ssui-window.c)
 */
#include "ui/window/ssui-window-private.h"

#include "ui/canvas/ssui-regions.h"
#include "ui/parts/ssui-util.h"

#include <math.h>
#include <string.h>

static GSimpleAction *
find_action (SsuiWindow *self, const char *name)
{
  return G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), name));
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static void
new_sketch_now (SsuiWindow *self, const char *argument)
{
  (void)argument;
  ssui_window_new_sketch (self);
}

static void
open_dialog_now (SsuiWindow *self, const char *argument)
{
  (void)argument;
  ssui_window_open_dialog (self);
}

ACTION (on_new_sketch)
{
  SsuiWindow *self = data;
  SsappStore *store = ssapp_session_get_store (self->session);
  UNUSED_ACTION;
  if (store != NULL && !ssapp_store_is_read_only (store)) /* beside the others of the project */
    g_action_group_activate_action (G_ACTION_GROUP (self), "add-sketch", NULL);
  else
    ssui_window_after_saving (data, new_sketch_now, NULL);
}

ACTION (on_open_dialog)
{
  UNUSED_ACTION;
  open_dialog_now (data, NULL);
}

ACTION (on_open)
{
  (void)action;
  ssui_window_open_path (data, g_variant_get_string (parameter, NULL));
}

ACTION (on_open_example)
{
  (void)action;
  ssui_window_after_saving (data, ssui_window_open_example, g_variant_get_string (parameter, NULL));
}

ACTION (on_save)
{
  SsuiWindow *self = data;
  UNUSED_ACTION;
  if (ssapp_document_get_path (ssui_window_get_document (self)) != NULL)
    ssui_window_save (self, NULL);
  else if (!ssapp_session_is_untitled (self->session) &&
           ssapp_sketches_keep (ssapp_session_get_sketches (self->session), NULL))
    ssui_window_toast (self, "Saved in the project");
  else
    ssui_window_save_dialog (self);
}

ACTION (on_save_as)
{
  UNUSED_ACTION;
  ssui_window_save_dialog (data);
}

ACTION (on_save_scenario)
{
  (void)action;
  ssui_window_save (data, g_variant_get_string (parameter, NULL));
}

ACTION (on_save_project_as)
{
  UNUSED_ACTION;
  ssui_window_save_project_dialog (data);
}

ACTION (on_save_project)
{
  (void)action;
  ssui_window_save_project (data, g_variant_get_string (parameter, NULL));
}

ACTION (on_close)
{
  UNUSED_ACTION;
  gtk_window_close (data);
}

/* ---- view -------------------------------------------------------------------------------------------------------- */

ACTION (on_page)
{
  const char *page = g_variant_get_string (parameter, NULL);
  (void)action;
  if (ssui_page_find (page) != NULL)
    ssui_window_show_page (data, page);
}

ACTION (on_find)
{
  SsuiWindow *self = data;
  GtkWidget *search;
  UNUSED_ACTION;
  if (ssui_window_find_in_text (self))
    return;
  search = ssui_window_get_parts (self, ssui_window_get_page (self)).search;
  if (search == NULL) {
    ssui_window_show_page (self, "project");
    search = ssui_window_get_list (self).search;
  }
  gtk_widget_grab_focus (search);
}

ACTION (on_region)
{
  (void)action;
  ssui_focus_region (data, g_variant_get_int32 (parameter) < 0 ? -1 : 1);
}

static void
change_snap (GSimpleAction *action, GVariant *state, gpointer data)
{
  SsuiWindow *self = data;
  g_simple_action_set_state (action, state);
  ssui_canvas_set_snap (ssui_window_get_canvas (self), g_variant_get_boolean (state));
  ssui_settings_keep (self->settings, "snap-to-grid", state);
}

static void
change_grid (GSimpleAction *action, GVariant *state, gpointer data)
{
  SsuiWindow *self = data;
  g_simple_action_set_state (action, state);
  ssui_canvas_set_grid (ssui_window_get_canvas (self), g_variant_get_boolean (state));
  ssui_settings_keep (self->settings, "show-grid", state);
}

#define ZOOM_STEP 1.25

ACTION (on_zoom_in)
{
  UNUSED_ACTION;
  if (!ssui_window_zoom_motion (data, ZOOM_STEP))
    ssui_canvas_zoom (ssui_window_get_canvas (data), ZOOM_STEP);
}

ACTION (on_zoom_out)
{
  UNUSED_ACTION;
  if (!ssui_window_zoom_motion (data, 1 / ZOOM_STEP))
    ssui_canvas_zoom (ssui_window_get_canvas (data), 1 / ZOOM_STEP);
}

ACTION (on_zoom_fit)
{
  UNUSED_ACTION;
  if (!ssui_window_zoom_motion (data, 0))
    ssui_canvas_fit (ssui_window_get_canvas (data));
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

static void
start (SsuiWindow *self, gboolean simulates)
{
  g_autoptr (GError) error = NULL;
  if (!(simulates ? ssapp_session_start_simulation (self->session, &error)
                  : ssapp_session_start (self->session, &error)))
    ssui_window_fail (self, "Nothing was started", error->message);
  ssui_window_update_state (self);
}

ACTION (on_run)
{
  SsuiWindow *self = data;
  UNUSED_ACTION;
  if (ssui_window_pass_on (self, "run"))
    return;
  ssui_window_show_page (self, "run");
  start (self, FALSE);
}

ACTION (on_simulate)
{
  SsuiWindow *self = data;
  UNUSED_ACTION;
  if (ssapp_session_is_running (self->session))
    ssapp_session_cancel (self->session, NULL);
  else if (ssapp_document_is_scene (ssui_window_get_document (self)))
    start (self, TRUE);
  else
    ssui_window_show_page (self, "run");
}

ACTION (on_cancel)
{
  UNUSED_ACTION;
  ssapp_session_cancel (((SsuiWindow *)data)->session, NULL);
}

ACTION (on_run_or_cancel)
{
  SsuiWindow *self = data;
  if (ssapp_session_is_running (self->session))
    on_cancel (action, parameter, data);
  else
    on_run (action, parameter, data);
}

ACTION (on_cancel_run)
{
  (void)action;
  ssapp_session_cancel (((SsuiWindow *)data)->session, g_variant_get_string (parameter, NULL));
}

ACTION (on_stop_member)
{
  SsuiWindow *self = data;
  const char *id, *member;
  (void)action;
  g_variant_get (parameter, "(&s&s)", &id, &member);
  ssapp_session_stop_member (self->session, id, member);
}

ACTION (on_methods)
{
  SsuiWindow *self = data;
  g_autoptr (GError) error = NULL;
  (void)action;
  if (!ssapp_session_set_methods (self->session, g_variant_get_string (parameter, NULL), &error))
    ssui_window_fail (self, "Not chosen", error->message);
}

ACTION (on_option)
{
  SsuiWindow *self = data;
  const char *method_name, *name, *value;
  const SsMethod *method;
  g_autoptr (GError) error = NULL;
  (void)action;
  g_variant_get (parameter, "(&s&s&s)", &method_name, &name, &value);
  method = ssapp_session_find_method (self->session, method_name, &error);
  if (method == NULL || !ssapp_session_set_option (self->session, method, name, value, &error))
    ssui_window_fail (self, "Not set", error->message);
}

ACTION (on_time_limit)
{
  (void)action;
  ssapp_session_set_time_limit (((SsuiWindow *)data)->session, g_variant_get_double (parameter));
}

ACTION (on_bound)
{
  (void)action;
  ssapp_session_set_bound (((SsuiWindow *)data)->session, g_variant_get_double (parameter));
}

/* Pressing Run repeats what is shown: the methods of the runs, replays aside, are the chosen ones. */
static void
choose_methods_of (SsuiWindow *self, GPtrArray *runs)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < runs->len; i++)
    if (ssapp_run_get_replay_of (g_ptr_array_index (runs, i)) == NULL)
      g_string_append_printf (names, "%s%s", names->len > 0 ? "," : "",
                              ssapp_run_get_method (g_ptr_array_index (runs, i)).name);
  if (names->len > 0) /* one that this build lacks leaves the usual choice */
    ssapp_session_set_methods (self->session, names->str, NULL);
}

/* The sketch becomes what the first run was made from, unless that would lose unsaved changes. */
static void
show_scenario_of (SsuiWindow *self, GPtrArray *runs)
{
  SsappDocument *document = ssui_window_get_document (self);
  const char *text = ssapp_run_get_scenario_text (g_ptr_array_index (runs, 0));
  g_autoptr (GError) error = NULL;

  if (ssapp_document_is_dirty (document) || strcmp (ssapp_document_get_text (document), text) == 0)
    return;
  if (!ssapp_document_load_text (document, text, -1, NULL, &error))
    ssui_window_fail (self, "The scenario of the run cannot be shown", error->message);
  else
    choose_methods_of (self, runs);
}

ACTION (on_open_run)
{
  SsuiWindow *self = data;
  g_autoptr (GPtrArray) runs = NULL;
  (void)action;
  if (ssui_window_open_impact (self, g_variant_get_string (parameter, NULL)))
    return;
  if (ssapp_session_is_running (self->session)) {
    ssui_window_toast (self, "Stop the runs on the Run page first");
    return;
  }
  runs = ssui_window_load_runs (self, g_variant_get_string (parameter, NULL));
  if (runs == NULL || runs->len == 0)
    return;
  show_scenario_of (self, runs);
  ssapp_session_show_runs (self->session, runs);
  ssui_window_show_page (self, "run");
}

ACTION (on_replay_run)
{
  SsuiWindow *self = data;
  const char *method, *id;
  g_autoptr (GError) error = NULL;
  (void)action;
  g_variant_get (parameter, "(&s&s)", &method, &id);
  if (ssapp_session_replay (self->session, id, method, &error))
    ssui_window_show_page (self, "run");
  else
    ssui_window_fail (self, "Not replayed", error->message);
}

ACTION (on_replay_held)
{
  SsuiWindow *self = data;
  const char *controller, *id;
  double friction;
  g_autoptr (GError) error = NULL;
  (void)action;
  g_variant_get (parameter, "(&s&sd)", &controller, &id, &friction);
  if (ssapp_session_replay_held (self->session, id, controller, friction, &error))
    ssui_window_show_page (self, "run");
  else
    ssui_window_fail (self, "Not replayed", error->message);
}

ACTION (on_replay_worlds)
{
  SsuiWindow *self = data;
  const char *controller, *id;
  g_autoptr (GError) error = NULL;
  (void)action;
  g_variant_get (parameter, "(&s&s)", &controller, &id);
  if (ssapp_session_replay_worlds (self->session, id, controller, &error))
    ssui_window_show_page (self, "run");
  else
    ssui_window_fail (self, "Not replayed", error->message);
}

ACTION (on_replay_first)
{
  SsuiWindow *self = data;
  GPtrArray *runs = ssapp_session_get_runs (self->session);
  SsuiClock *clock = ssui_window_get_clock (self);
  gboolean has_replay = FALSE;
  (void)action;
  (void)parameter;
  for (guint i = 0; runs != NULL && clock != NULL && i < runs->len; i++) {
    SsappRun *run = g_ptr_array_index (runs, i);
    const SsappParting *parting = ssapp_run_get_parting (run);
    has_replay = has_replay || parting->is_known;
    if (!parting->is_parted)
      continue;
    ssui_clock_set_playing (clock, FALSE);
    ssui_clock_seek (clock, ssapp_run_from_time (run, parting->t));
    return;
  }
  ssui_window_toast (self, has_replay ? "The replay does not part from its plan" : "There is no replay on show");
}

ACTION (on_start_from)
{
  SsuiWindow *self = data;
  g_autoptr (GError) error = NULL;
  (void)action;
  if (ssapp_session_start_from (self->session, g_variant_get_string (parameter, NULL), &error))
    ssui_window_show_page (self, "run");
  else
    ssui_window_fail (self, "Not solved again", error->message);
}

/* Plans from a run that was played by hand. */
static void
improve (SsuiWindow *self, const char *id)
{
  g_autoptr (GError) error = NULL;
  double t_end;

  if (!ssapp_session_improve (self->session, id, &t_end, &error)) {
    ssui_window_fail (self, "Not improved", error->message);
    return;
  }
  ssui_sandbox_stop (ssui_sketch_page_get_sandbox (SKETCH_PAGE (self)));
  ssui_window_show_page (self, "run");
  if (isfinite (t_end)) {
    g_autofree char *text = g_strdup_printf ("Planned over %.2f s, as it was played: longer than the task", t_end);
    ssui_window_toast (self, text);
  }
}

static void
on_goal_response (AdwMessageDialog *dialog, const char *response, SsuiWindow *self)
{
  const char *id = g_object_get_data (G_OBJECT (dialog), "run");
  g_autoptr (GError) error = NULL;
  double length;

  if (strcmp (response, "take") != 0)
    return;
  SsTrajectory *motion = ssapp_session_dup_motion (self->session, id, &length, &error);
  if (motion != NULL && ssapp_document_add_end_targets (ssui_window_get_document (self), motion, &error))
    improve (self, id);
  else
    ssui_window_fail (self, "Not improved", error->message);
  ss_trajectory_free (motion);
}

/* Without a goal the end of what was played may become it. */
static void
ask_for_goal (SsuiWindow *self, const char *id)
{
  GtkWidget *widget = adw_message_dialog_new (
      GTK_WINDOW (self), "Take the End as the Goal?",
      "The sketch has no goal yet. What was moved shall end where it is now, in the time that it took.");
  AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG (widget);

  adw_message_dialog_add_responses (dialog, "cancel", "_Cancel", "take", "_Take as Goal", NULL);
  adw_message_dialog_set_response_appearance (dialog, "take", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (dialog, "take");
  adw_message_dialog_set_close_response (dialog, "cancel");
  g_object_set_data_full (G_OBJECT (dialog), "run", g_strdup (id), g_free);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_goal_response), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

ACTION (on_improve)
{
  SsuiWindow *self = data;
  const char *id = g_variant_get_string (parameter, NULL);
  (void)action;
  if (ssapp_document_get_scenario (ssui_window_get_document (self))->task.plan == NULL)
    ask_for_goal (self, id);
  else
    improve (self, id);
}

ACTION (on_compare)
{
  SsuiWindow *self = data;
  g_auto (GStrv) ids = g_strsplit (g_variant_get_string (parameter, NULL), ",", -1);
  (void)action;
  ssui_window_show_page (self, "compare");
  ssui_compare_page_compare (COMPARE_PAGE (self), (const char *const *)ids);
}

ACTION (on_open_comparison)
{
  SsuiWindow *self = data;
  (void)action;
  ssui_window_show_page (self, "compare");
  if (!ssui_compare_page_open (COMPARE_PAGE (self), g_variant_get_string (parameter, NULL)))
    ssui_window_toast (self, "The project has no such comparison");
}

/* Deletes, or brings back, each of them; TRUE if all worked. */
static gboolean
for_runs (SsuiWindow *self, const char *list, gboolean (*act) (SsappStore *, const char *, GError **))
{
  g_auto (GStrv) ids = g_strsplit (list, ",", -1);
  SsappStore *store = ssapp_session_get_store (self->session);

  for (int i = 0; store != NULL && ids[i] != NULL; i++) {
    g_autoptr (GError) error = NULL;
    if (!act (store, ids[i], &error)) {
      ssui_window_fail (self, "Not done", error->message);
      return FALSE;
    }
  }
  return store != NULL;
}

ACTION (on_delete_runs)
{
  SsuiWindow *self = data;
  const char *list = g_variant_get_string (parameter, NULL);
  g_auto (GStrv) ids = g_strsplit (list, ",", -1);
  g_autofree char *text = NULL;
  (void)action;
  if (!for_runs (self, list, ssapp_store_delete_run))
    return;
  text = g_strv_length (ids) == 1 ? g_strdup ("Run deleted") : g_strdup_printf ("%u runs deleted", g_strv_length (ids));
  ssui_window_toast_undo (self, text, "win.undelete-runs", list);
}

ACTION (on_undelete_runs)
{
  (void)action;
  for_runs (data, g_variant_get_string (parameter, NULL), ssapp_store_undelete_run);
}

/* ---- player ------------------------------------------------------------------------------------------------------ */

ACTION (on_play)
{
  SsuiClock *clock = ssui_window_get_clock (data);
  UNUSED_ACTION;
  if (clock != NULL)
    ssui_clock_set_playing (clock, !ssui_clock_is_playing (clock));
}

ACTION (on_seek)
{
  SsuiClock *clock = ssui_window_get_clock (data);
  (void)action;
  if (clock == NULL)
    return;
  ssui_clock_set_playing (clock, FALSE);
  ssui_clock_seek (clock, g_variant_get_double (parameter));
}

ACTION (on_step)
{
  const double frame = 1.0 / 60; /* s */
  SsuiClock *clock = ssui_window_get_clock (data);
  (void)action;
  if (clock == NULL)
    return;
  ssui_clock_set_playing (clock, FALSE);
  ssui_clock_seek (clock, ssui_clock_get_time (clock) + frame * g_variant_get_int32 (parameter));
}

ACTION (on_step_row)
{
  SsuiClock *clock = ssui_window_get_clock (data);
  (void)action;
  if (clock != NULL)
    ssui_clock_step_row (clock, g_variant_get_int32 (parameter));
}

/* ---- export ------------------------------------------------------------------------------------------------------ */

ACTION (on_export)
{
  const char *path = g_variant_get_string (parameter, NULL);
  (void)action;
  ssui_window_export (data, g_str_has_suffix (path, ".csv") ? "log" : "figure", "", path);
}

ACTION (on_export_to)
{
  const char *kind, *ids, *path;
  (void)action;
  g_variant_get (parameter, "(&s&s&s)", &kind, &ids, &path);
  ssui_window_export (data, kind, ids, path);
}

ACTION (on_export_cancel)
{
  (void)action;
  (void)parameter;
  ssui_window_cancel_film (data);
}

ACTION (on_plot)
{
  const char *name = g_variant_get_string (parameter, NULL);

  (void)action;
  if (!ssui_plot_choice_choose (ssui_window_get_plots (data).plot_choice, name)) {
    g_autofree char *text = g_strdup_printf ("The runs on show have no plot “%s”", name);
    ssui_window_fail (data, "", text);
  }
}

ACTION (on_phase)
{
  const char *x, *y;

  (void)action;
  g_variant_get (parameter, "(&s&s)", &x, &y);
  if (!ssui_plot_choice_choose_channels (ssui_window_get_plots (data).plot_choice, x, y)) {
    const gboolean has_x = ssui_plot_choice_has_channel (ssui_window_get_plots (data).plot_choice, x),
                   has_y = ssui_plot_choice_has_channel (ssui_window_get_plots (data).plot_choice, y);
    g_autofree char *text = has_x || has_y ? g_strdup_printf ("The runs on show have no channel “%s”", has_x ? y : x)
                                           : g_strdup_printf ("The runs on show have no channels “%s” and “%s”", x, y);
    ssui_window_fail (data, "", text);
  }
}

ACTION (on_export_dialog)
{
  (void)action;
  if (strcmp (g_variant_get_string (parameter, NULL), "figure") != 0 ||
      !ssui_window_pass_on (data, "export-dialog::figure"))
    ssui_window_export_dialog (data, g_variant_get_string (parameter, NULL), "");
}

ACTION (on_export_run)
{
  const char *kind, *ids;
  (void)action;
  g_variant_get (parameter, "(&s&s)", &kind, &ids);
  ssui_window_export_dialog (data, kind, ids);
}

/* ---- when they can be used --------------------------------------------------------------------------------------- */

static gboolean
is_running (SsuiWindow *self)
{
  return ssapp_session_is_running (self->session);
}

static gboolean
can_run (SsuiWindow *self)
{
  return !is_running (self);
}

static gboolean
can_simulate (SsuiWindow *self)
{
  const SsScene *scene = ssapp_document_get_scenario (ssui_window_get_document (self))->scene;

  return is_running (self) || scene == NULL || scene->n_bodies > 0;
}

static gboolean
can_play (SsuiWindow *self)
{
  SsuiClock *clock = ssui_window_get_clock (self);

  return clock != NULL && ssui_clock_get_duration (clock) > 0;
}

/* ---- table ------------------------------------------------------------------------------------------------------- */

static const SsuiCommand commands[] = {
    {.name = "new-sketch",
     .activate = on_new_sketch,
     .keys = "<Control>n",
     .group = SSUI_KEYS_GENERAL,
     .title = "New sketch",
     .label = "New Sketch"},
    {.name = "open-dialog",
     .activate = on_open_dialog,
     .keys = "<Control>o",
     .group = SSUI_KEYS_GENERAL,
     .title = "Open"},
    {.name = "open", .activate = on_open, .parameter_type = "s"},
    {.name = "open-example", .activate = on_open_example, .parameter_type = "s"},
    {.name = "save",
     .activate = on_save,
     .keys = "<Control>s",
     .group = SSUI_KEYS_GENERAL,
     .title = "Save sketch",
     .label = "Save Sketch"},
    {.name = "save-as",
     .activate = on_save_as,
     .keys = "<Control><Shift>s",
     .group = SSUI_KEYS_GENERAL,
     .title = "Save sketch as",
     .label = "Save Sketch As…"},
    {.name = "save-scenario", .activate = on_save_scenario, .parameter_type = "s"},
    {.name = "save-project-as", .activate = on_save_project_as, .label = "Save Project As…"},
    {.name = "save-project", .activate = on_save_project, .parameter_type = "s"},
    {.name = "export-dialog",
     .activate = on_export_dialog,
     .parameter_type = "s",
     .keys = "<Control>e",
     .target = "::figure",
     .group = SSUI_KEYS_GENERAL,
     .title = "Export figure"},
    {.name = "page", .activate = on_page, .parameter_type = "s"},
    {.name = "find",
     .activate = on_find,
     .keys = "<Control>f",
     .group = SSUI_KEYS_GENERAL,
     .title = "Search examples, runs"},
    {.name = "region",
     .activate = on_region,
     .parameter_type = "i",
     .keys = "F6",
     .target = "(1)",
     .group = SSUI_KEYS_GENERAL,
     .title = "Next region"},
    {.name = "region", .keys = "<Shift>F6", .target = "(-1)", .group = SSUI_KEYS_GENERAL, .title = "Region before"},
    {.name = "close", .activate = on_close, .keys = "<Control>w", .group = SSUI_KEYS_GENERAL, .title = "Close window"},
    {.name = "outline", .keys = "F9", .group = SSUI_KEYS_SKETCH, .title = "Outline", .label = "Outline"},
    {.name = "inspector", .keys = "<Shift>F9", .group = SSUI_KEYS_SKETCH, .title = "Inspector", .label = "Inspector"},
    {.name = "snap", .state = "true", .change_state = change_snap},
    {.name = "grid", .state = "true", .change_state = change_grid},
    {.name = "run",
     .activate = on_run,
     .when = can_run,
     .keys = "F5 <Control>r",
     .group = SSUI_KEYS_PLAY,
     .title = "Run the chosen methods"},
    {.name = "cancel",
     .activate = on_cancel,
     .when = is_running,
     .keys = "<Control>period",
     .group = SSUI_KEYS_PLAY,
     .title = "Stop all runs"},
    {.name = "zoom-in",
     .activate = on_zoom_in,
     .keys = "<Control>plus <Control>equal",
     .group = SSUI_KEYS_PLAY,
     .title = "Zoom in"},
    {.name = "zoom-out",
     .activate = on_zoom_out,
     .keys = "<Control>minus",
     .group = SSUI_KEYS_PLAY,
     .title = "Zoom out"},
    {.name = "zoom-fit",
     .activate = on_zoom_fit,
     .keys = "<Control>0",
     .group = SSUI_KEYS_PLAY,
     .title = "Show everything"},
    {.name = "simulate", .activate = on_simulate, .when = can_simulate},
    {.name = "run-or-cancel", .activate = on_run_or_cancel},
    {.name = "cancel-run", .activate = on_cancel_run, .parameter_type = "s"},
    {.name = "stop-member", .activate = on_stop_member, .parameter_type = "(ss)"},
    {.name = "methods", .activate = on_methods, .parameter_type = "s"},
    {.name = "option", .activate = on_option, .parameter_type = "(sss)"},
    {.name = "time-limit", .activate = on_time_limit, .parameter_type = "d"},
    {.name = "bound", .activate = on_bound, .parameter_type = "d"},
    {.name = "open-run", .activate = on_open_run, .parameter_type = "s"},
    {.name = "improve", .activate = on_improve, .parameter_type = "s"},
    {.name = "start-from", .activate = on_start_from, .parameter_type = "s"},
    {.name = "replay-held", .activate = on_replay_held, .parameter_type = "(ssd)"},
    {.name = "replay-worlds", .activate = on_replay_worlds, .parameter_type = "(ss)"},
    {.name = "replay-first", .activate = on_replay_first},
    {.name = "replay-run", .activate = on_replay_run, .parameter_type = "(ss)"},
    {.name = "compare", .activate = on_compare, .parameter_type = "s"},
    {.name = "open-comparison", .activate = on_open_comparison, .parameter_type = "s"},
    {.name = "delete-runs", .activate = on_delete_runs, .parameter_type = "s"},
    {.name = "undelete-runs", .activate = on_undelete_runs, .parameter_type = "s"},
    {.name = "play", .activate = on_play, .when = can_play},
    {.name = "seek", .activate = on_seek, .parameter_type = "d", .when = can_play},
    {.name = "step-row", .activate = on_step_row, .parameter_type = "i"},
    {.name = "step", .activate = on_step, .parameter_type = "i", .when = can_play},
    {.name = "export", .activate = on_export, .parameter_type = "s"},
    {.name = "export-to", .activate = on_export_to, .parameter_type = "(sss)"},
    {.name = "export-cancel", .activate = on_export_cancel},
    {.name = "plot", .activate = on_plot, .parameter_type = "s"},
    {.name = "phase", .activate = on_phase, .parameter_type = "(ss)"},
    {.name = "export-run", .activate = on_export_run, .parameter_type = "(ss)"},
};

static const SsuiSubject own_commands = {commands, G_N_ELEMENTS (commands), NULL, NULL};

const SsuiSubject *const ssui_subjects[] = {&own_commands,
                                            &ssui_edit_commands,
                                            &ssui_contact_commands,
                                            &ssui_place_commands,
                                            &ssui_selection_commands,
                                            &ssui_shape_commands,
                                            &ssui_impact_commands,
                                            &ssui_study_commands,
                                            &ssui_motion_commands,
                                            &ssui_log_commands,
                                            &ssui_welcome_commands,
                                            &ssui_sketch_commands,
                                            &ssui_run_commands,
                                            &ssui_away_commands,
                                            &ssui_reference_commands,
                                            &ssui_channel_commands,
                                            &ssui_text_commands,
                                            &ssui_provenance_commands,
                                            NULL};

static void
add_command (SsuiWindow *self, const SsuiCommand *command)
{
  const GActionEntry entry = {.name = command->name,
                              .activate = command->activate,
                              .parameter_type = command->parameter_type,
                              .state = command->state,
                              .change_state = command->change_state};

  if (command->activate != NULL || command->change_state != NULL)
    g_action_map_add_action_entries (G_ACTION_MAP (self), &entry, 1, self);
}

void
ssui_window_add_actions (SsuiWindow *self)
{
  for (int s = 0; ssui_subjects[s] != NULL; s++) {
    for (int i = 0; i < ssui_subjects[s]->n_commands; i++)
      add_command (self, &ssui_subjects[s]->commands[i]);
    if (ssui_subjects[s]->set_up != NULL)
      ssui_subjects[s]->set_up (self);
  }
  for (int i = 0; ssui_pages[i] != NULL; i++)
    if (ssui_pages[i]->add_actions != NULL)
      ssui_pages[i]->add_actions (ssui_window_get_widget (self, ssui_pages[i]), G_ACTION_MAP (self));
  if (self->settings == NULL)
    return;
  g_action_change_state (G_ACTION (find_action (self, "snap")),
                         g_variant_new_boolean (g_settings_get_boolean (self->settings, "snap-to-grid")));
  g_action_change_state (G_ACTION (find_action (self, "grid")),
                         g_variant_new_boolean (g_settings_get_boolean (self->settings, "show-grid")));
}

void
ssui_window_update_actions (SsuiWindow *self)
{
  for (int s = 0; ssui_subjects[s] != NULL; s++)
    for (int i = 0; i < ssui_subjects[s]->n_commands; i++) {
      const SsuiCommand *command = &ssui_subjects[s]->commands[i];
      if (command->when != NULL)
        g_simple_action_set_enabled (find_action (self, command->name), command->when (self));
    }
}
