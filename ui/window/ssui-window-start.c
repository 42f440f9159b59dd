/* ui/window/ssui-window-start.c: commands that choose methods and start, stop and replay runs. */
#include "ui/window/ssui-window-private.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

static void
start (SsuiWindow *self, gboolean simulates)
{
  g_autoptr (GError) error = NULL;
  if (!(simulates ? ssapp_session_start_simulation (self->session, &error)
                  : ssapp_session_start (self->session, &error)))
    ssui_window_fail (self, _ ("Nothing was started"), error->message);
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

ACTION (on_keep_run)
{
  SsuiWindow *self = data;
  g_autoptr (GError) error = NULL;
  UNUSED_ACTION;
  if (!ssui_sketch_page_keep (SKETCH_PAGE (self), &error))
    ssui_window_fail (self, _ ("Not kept"), error->message);
  ssui_window_update_state (self);
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

ACTION (on_pause)
{
  SsuiWindow *self = data;
  g_autoptr (GError) error = NULL;
  UNUSED_ACTION;
  if (!ssapp_session_is_paused (self->session))
    ssapp_session_pause (self->session, TRUE);
  else if (!ssapp_session_go_on (self->session, &error))
    ssui_window_fail (self, _ ("Not gone on"), error->message);
  ssui_window_update_state (self);
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
    ssui_window_fail (self, _ ("Not chosen"), error->message);
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
    ssui_window_fail (self, _ ("Not set"), error->message);
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
    ssui_window_fail (self, _ ("The scenario of the run cannot be shown"), error->message);
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
    ssui_window_toast (self, _ ("Stop the runs on the Run page first"));
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
    ssui_window_fail (self, _ ("Not replayed"), error->message);
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
    ssui_window_fail (self, _ ("Not replayed"), error->message);
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
    ssui_window_fail (self, _ ("Not replayed"), error->message);
}

ACTION (on_start_from)
{
  SsuiWindow *self = data;
  g_autoptr (GError) error = NULL;
  (void)action;
  if (ssapp_session_start_from (self->session, g_variant_get_string (parameter, NULL), &error))
    ssui_window_show_page (self, "run");
  else
    ssui_window_fail (self, _ ("Not solved again"), error->message);
}

/* Plans from a run that was played by hand. */
static void
improve (SsuiWindow *self, const char *id)
{
  g_autoptr (GError) error = NULL;
  double t_end;

  if (!ssapp_session_improve (self->session, id, &t_end, &error)) {
    ssui_window_fail (self, _ ("Not improved"), error->message);
    return;
  }
  ssui_sandbox_stop (ssui_sketch_page_get_sandbox (SKETCH_PAGE (self)));
  ssui_window_show_page (self, "run");
  if (isfinite (t_end)) {
    g_autofree char *text = g_strdup_printf (_ ("Planned over %.2f s, as it was played: longer than the task"), t_end);
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
    ssui_window_fail (self, _ ("Not improved"), error->message);
  ss_trajectory_free (motion);
}

/* Without a goal the end of what was played may become it. */
static void
ask_for_goal (SsuiWindow *self, const char *id)
{
  GtkWidget *widget = adw_message_dialog_new (
      GTK_WINDOW (self), _ ("Take the End as the Goal?"),
      _ ("The sketch has no goal yet. What was moved shall end where it is now, in the time that it took."));
  AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG (widget);

  adw_message_dialog_add_responses (dialog, "cancel", _ ("_Cancel"), "take", _ ("_Take as Goal"), NULL);
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
can_keep_run (SsuiWindow *self)
{
  GtkWidget *page = ssui_window_find_widget (self, &ssui_sketch_page);

  return page != NULL && ssui_sketch_page_can_keep (SSUI_SKETCH_PAGE (page));
}

static const SsuiCommand commands[] = {
    {.name = "run",
     .activate = on_run,
     .when = can_run,
     .keys = "F5 <Control>r",
     .group = SSUI_KEYS_PLAY,
     .title = N_ ("Run the chosen methods")},
    {.name = "run-or-cancel", .activate = on_run_or_cancel},
    {.name = "cancel",
     .activate = on_cancel,
     .when = is_running,
     .keys = "<Control>period",
     .group = SSUI_KEYS_PLAY,
     .title = N_ ("Stop all runs")},
    {.name = "pause",
     .activate = on_pause,
     .when = is_running,
     .keys = "<Shift><Control>period",
     .group = SSUI_KEYS_PLAY,
     .title = N_ ("Pause all runs, or go on")},
    {.name = "cancel-run", .activate = on_cancel_run, .parameter_type = "s" /* id */},
    {.name = "stop-member", .activate = on_stop_member, .parameter_type = "(ss)" /* id, member of its race */},
    {.name = "simulate", .activate = on_simulate, .when = can_simulate},
    {.name = "keep-run",
     .activate = on_keep_run,
     .when = can_keep_run,
     .keys = "<Shift>F5",
     .group = SSUI_KEYS_SKETCH,
     .title = N_ ("Keep the motion as a run")},
    {.name = "methods",
     .activate = on_methods,
     .parameter_type = "s" /* "crisp,ipopt,crisp": a race of both and one more CRISP, called crisp#2 in option */},
    {.name = "option", .activate = on_option, .parameter_type = "(sss)" /* method, name, value */},
    {.name = "time-limit", .activate = on_time_limit, .parameter_type = "d"},
    {.name = "bound", .activate = on_bound, .parameter_type = "d"},
    {.name = "open-run",
     .activate = on_open_run,
     .parameter_type = "s" /* ids */,
     .label = N_ ("_Open"),
     .menus = SSUI_MENU_SHOW_RUNS},
    {.name = "replay-run", .activate = on_replay_run, .parameter_type = "(ss)" /* integrator, id */},
    {.name = "replay-held",
     .activate = on_replay_held,
     .parameter_type = "(ssd)" /* name of a controller, id, friction of the world as a part of the plan's */},
    {.name = "replay-worlds", .activate = on_replay_worlds, .parameter_type = "(ss)" /* name of a controller, id */},
    {.name = "start-from", .activate = on_start_from, .parameter_type = "s" /* id */},
    {.name = "improve", .activate = on_improve, .parameter_type = "s" /* id */},
};

const SsuiSubject ssui_start_commands = {commands, G_N_ELEMENTS (commands), NULL, NULL};
