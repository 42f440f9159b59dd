/* ui/window/ssui-window-actions.c: the window's commands, for buttons, menus, keys and scripts alike. */
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
  search = ssui_window_get_shown (self).search;
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

static gboolean
is_on (SsuiWindow *self, const char *name)
{
  g_autoptr (GVariant) state = g_action_group_get_action_state (G_ACTION_GROUP (self), name);

  return g_variant_get_boolean (state);
}

static void
tell_sheet (SsuiWindow *self)
{
  SsuiCanvas *canvas = ssui_window_find_parts (self, &ssui_sketch_page).canvas;

  if (canvas == NULL)
    return;
  ssui_canvas_set_snap (canvas, is_on (self, "snap"));
  ssui_canvas_set_grid (canvas, is_on (self, "grid"));
}

static void
change_snap (GSimpleAction *action, GVariant *state, gpointer data)
{
  g_simple_action_set_state (action, state);
  tell_sheet (data);
  ssui_settings_keep (((SsuiWindow *)data)->settings, "snap-to-grid", state);
}

static void
change_grid (GSimpleAction *action, GVariant *state, gpointer data)
{
  g_simple_action_set_state (action, state);
  tell_sheet (data);
  ssui_settings_keep (((SsuiWindow *)data)->settings, "show-grid", state);
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
    {.name = "open", .activate = on_open, .parameter_type = "s" /* path */},
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
    {.name = "save-scenario", .activate = on_save_scenario, .parameter_type = "s" /* path */},
    {.name = "save-project-as", .activate = on_save_project_as, .label = "Save Project As…"},
    {.name = "save-project", .activate = on_save_project, .parameter_type = "s" /* path */},
    {.name = "export-dialog",
     .activate = on_export_dialog,
     .parameter_type = "s" /* kind */,
     .keys = "<Control>e",
     .target = "::figure",
     .group = SSUI_KEYS_GENERAL,
     .title = "Export figure"},
    {.name = "page", .activate = on_page, .parameter_type = "s" /* start|sketch|run|compare|impact|study|project */},
    {.name = "find",
     .activate = on_find,
     .keys = "<Control>f",
     .group = SSUI_KEYS_GENERAL,
     .title = "Search examples, runs"},
    {.name = "region",
     .activate = on_region,
     .parameter_type = "i" /* 1|-1 */,
     .keys = "F6",
     .target = "(1)",
     .group = SSUI_KEYS_GENERAL,
     .title = "Next region"},
    {.name = "region", .keys = "<Shift>F6", .target = "(-1)", .group = SSUI_KEYS_GENERAL, .title = "Region before"},
    {.name = "close", .activate = on_close, .keys = "<Control>w", .group = SSUI_KEYS_GENERAL, .title = "Close window"},
    {.name = "outline", .keys = "F9", .group = SSUI_KEYS_SKETCH, .title = "Outline", .label = "Outline"},
    {.name = "inspector", .keys = "<Shift>F9", .group = SSUI_KEYS_SKETCH, .title = "Inspector", .label = "Inspector"},
    {.name = "sandbox-improve",
     .keys = "<Control>i",
     .group = SSUI_KEYS_SKETCH,
     .title = "Improve what was played in the sandbox"},
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
    {.name = "cancel-run", .activate = on_cancel_run, .parameter_type = "s" /* id */},
    {.name = "stop-member", .activate = on_stop_member, .parameter_type = "(ss)" /* id, member of its race */},
    {.name = "methods",
     .activate = on_methods,
     .parameter_type = "s" /* "crisp,ipopt,crisp": a race of both and one more CRISP, called crisp#2 in option */},
    {.name = "option", .activate = on_option, .parameter_type = "(sss)" /* method, name, value */},
    {.name = "time-limit", .activate = on_time_limit, .parameter_type = "d"},
    {.name = "bound", .activate = on_bound, .parameter_type = "d"},
    {.name = "open-run", .activate = on_open_run, .parameter_type = "s" /* ids */},
    {.name = "improve", .activate = on_improve, .parameter_type = "s" /* id */},
    {.name = "start-from", .activate = on_start_from, .parameter_type = "s" /* id */},
    {.name = "replay-held",
     .activate = on_replay_held,
     .parameter_type = "(ssd)" /* name of a controller, id, friction of the world as a part of the plan's */},
    {.name = "replay-worlds", .activate = on_replay_worlds, .parameter_type = "(ss)" /* name of a controller, id */},
    {.name = "replay-first", .activate = on_replay_first},
    {.name = "replay-run", .activate = on_replay_run, .parameter_type = "(ss)" /* integrator, id */},
    {.name = "compare", .activate = on_compare, .parameter_type = "s" /* ids */},
    {.name = "open-comparison", .activate = on_open_comparison, .parameter_type = "s" /* id */},
    {.name = "delete-runs", .activate = on_delete_runs, .parameter_type = "s" /* ids */},
    {.name = "undelete-runs", .activate = on_undelete_runs, .parameter_type = "s" /* ids */},
    {.name = "play", .activate = on_play, .when = can_play},
    {.name = "seek", .activate = on_seek, .parameter_type = "d", .when = can_play},
    {.name = "step-row", .activate = on_step_row, .parameter_type = "i"},
    {.name = "step", .activate = on_step, .parameter_type = "i", .when = can_play},
    {.name = "export", .activate = on_export, .parameter_type = "s" /* path */},
    {.name = "export-to", .activate = on_export_to, .parameter_type = "(sss)" /* kind, ids, path */},
    {.name = "export-cancel", .activate = on_export_cancel},
    {.name = "plot",
     .activate = on_plot,
     .parameter_type = "s" /* convergence|channels|motion|steps|modes|phase|cone|tries */},
    {.name = "phase", .activate = on_phase, .parameter_type = "(ss)" /* channels along x, y */},
    {.name = "export-run", .activate = on_export_run, .parameter_type = "(ss)" /* kind, ids */},
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
  if (self->settings == NULL)
    return;
  g_action_change_state (G_ACTION (find_action (self, "snap")),
                         g_variant_new_boolean (g_settings_get_boolean (self->settings, "snap-to-grid")));
  g_action_change_state (G_ACTION (find_action (self, "grid")),
                         g_variant_new_boolean (g_settings_get_boolean (self->settings, "show-grid")));
}

void
ssui_window_add_page_actions (SsuiWindow *self, const SsuiPage *page)
{
  GtkWidget *sheet = ssui_window_find_parts (self, page).sheet;

  if (page->add_actions != NULL)
    page->add_actions (ssui_window_find_widget (self, page), G_ACTION_MAP (self));
  for (int s = 0; sheet != NULL && ssui_subjects[s] != NULL; s++)
    if (ssui_subjects[s]->keys != NULL)
      ssui_keys_attach (sheet, ssui_subjects[s]->keys, TRUE);
  tell_sheet (self);
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
