/* ui/window/ssui-window-provenance.c: commands of stored runs: the sheet of what they depend on, their command line,
 * making one once more and comparing, or with derivatives. Tests: tests/ui/test_provenance.py, test_sensitivity.py */
#include "ui/window/ssui-window-private.h"

#include "app/session/ssapp-command.h"
#include "app/session/ssapp-effects.h"
#include "app/session/ssapp-reproduce.h"
#include "ui/window/ssui-effects-window.h"
#include "ui/window/ssui-provenance-dialog.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* ---- which runs -------------------------------------------------------------------------------------------------- */

/* The ids, or for "" those of the runs that the page shows; NULL after telling the user why. */
static GStrv
ids_of (SsuiWindow *self, GVariant *parameter)
{
  const SsuiPageParts shown = ssui_window_get_shown (self);
  const char *ids = g_variant_get_string (parameter, NULL);
  GPtrArray *runs = shown.runs != NULL ? shown.runs : ssui_window_get_parts (self, &ssui_run_page).runs;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autofree char *chosen = shown.table != NULL && shown.runs == NULL ? ssui_run_table_dup_chosen (shown.table) : NULL;
  GStrv list;

  if (*ids == '\0' && chosen != NULL)
    ids = chosen;
  if (*ids != '\0')
    return g_strsplit (ids, ",", -1);
  for (guint i = 0; chosen == NULL && runs != NULL && i < runs->len; i++)
    if (ssapp_run_get_id (g_ptr_array_index (runs, i)) != NULL)
      g_strv_builder_add (builder, ssapp_run_get_id (g_ptr_array_index (runs, i)));
  list = g_strv_builder_end (builder);
  if (list[0] != NULL && ssapp_session_get_store (self->session) != NULL)
    return list;
  ssui_window_toast (self, _ ("There is no run yet"));
  g_strfreev (list);
  return NULL;
}

/* ---- sheet, command ---------------------------------------------------------------------------------------------- */

ACTION (on_provenance)
{
  SsuiWindow *self = data;
  g_auto (GStrv) ids = ids_of (self, parameter);
  g_autoptr (GError) error = NULL;
  GtkWindow *dialog;

  (void)action;
  if (ids == NULL)
    return;
  dialog = ssui_provenance_dialog_new (GTK_WINDOW (self), ssapp_session_get_store (self->session),
                                       (const char *const *)ids, &error);
  if (dialog != NULL)
    gtk_window_present (dialog);
  else
    ssui_window_fail (self, _ ("The run cannot be read"), error->message);
}

ACTION (on_copy_command)
{
  SsuiWindow *self = data;
  g_auto (GStrv) ids = ids_of (self, parameter);
  g_autoptr (GError) error = NULL;
  g_autofree char *lines = NULL;

  (void)action;
  if (ids == NULL)
    return;
  lines = ssapp_command_for_runs (ssapp_session_get_store (self->session), (const char *const *)ids, &error);
  if (lines == NULL) {
    ssui_window_fail (self, _ ("No command"), error->message);
    return;
  }
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), lines);
  ssui_window_toast (self, ids[1] == NULL ? _ ("Command copied") : _ ("Commands copied"));
}

/* ---- reproduce --------------------------------------------------------------------------------------------------- */

/* A run that is being repeated, or has been. One at a time; it belongs to the window. */
typedef struct {
  SsuiWindow *window; /* borrowed: it has this */
  SsappStore *store;
  SsappJob *job;
  SsappRunRow *row;
  GPtrArray *notes;
  AdwToast *toast; /* says so */
} Repeat;

#define REPEAT "ssui-repeat" /* the window's data */

static void
repeat_free (gpointer data)
{
  Repeat *self = data;

  g_signal_handlers_disconnect_by_data (self->job, self);
  if (ssapp_job_get_state (self->job) != SSAPP_JOB_ENDED)
    ssapp_job_cancel (self->job);
  g_idle_add_once (g_object_unref, self->job); /* it may be just telling its end */
  if (self->toast != NULL) {
    adw_toast_dismiss (self->toast);
    g_object_unref (self->toast);
  }
  g_object_unref (self->store);
  ssapp_run_row_free (self->row);
  g_ptr_array_unref (self->notes);
  g_free (self);
}

static void
on_response (AdwMessageDialog *dialog, const char *response, SsuiWindow *window)
{
  Repeat *self = g_object_get_data (G_OBJECT (window), REPEAT);
  g_autoptr (GError) error = NULL;
  g_autofree char *kept = NULL;

  if (self == NULL) /* answered twice */
    return;
  if (strcmp (response, "keep") == 0) {
    kept = ssapp_reproduce_keep (self->store, self->job, self->row->id, &error);
    if (kept != NULL)
      ssui_window_toast (self->window, _ ("The repeated run is kept in the project"));
    else
      ssui_window_fail (self->window, _ ("Not kept"), error->message);
  } else if (strcmp (response, "copy") == 0) {
    gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self->window)),
                            g_object_get_data (G_OBJECT (dialog), "text"));
    ssui_window_toast (self->window, _ ("Answer copied"));
  }
  g_object_set_data (G_OBJECT (window), REPEAT, NULL);
}

/* The lines below the first one, to be selected and scrolled. */
static GtkWidget *
make_details (const char *text)
{
  GtkWidget *label = gtk_label_new (text), *scroller = gtk_scrolled_window_new ();

  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_yalign (GTK_LABEL (label), 0);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 64);
  gtk_widget_add_css_class (label, "numeric");
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_propagate_natural_width (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scroller), 240);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), label);
  return scroller;
}

static void
show_answer (Repeat *self, const SsappReproduced *answer)
{
  static const char *const headings[] = {N_ ("The Run Came Out Equal"), N_ ("The Run Came Out Within Tolerance"),
                                         N_ ("The Run Came Out Otherwise")};
  g_autofree char *text = ssapp_reproduced_dup_text (answer, self->notes);
  char *rest = strchr (text, '\n');
  g_autofree char *first = g_strndup (text, (gsize)(rest - text));
  AdwMessageDialog *dialog =
      ADW_MESSAGE_DIALOG (adw_message_dialog_new (GTK_WINDOW (self->window), _ (headings[answer->verdict]), first));

  g_strchomp (rest);
  if (rest[0] != '\0')
    adw_message_dialog_set_extra_child (dialog, make_details (rest + 1));
  adw_message_dialog_add_responses (dialog, "close", _ ("_Close"), "copy", "C_opy", "keep", _ ("_Keep Run"), NULL);
  adw_message_dialog_set_response_enabled (dialog, "keep", !ssapp_store_is_read_only (self->store));
  adw_message_dialog_set_default_response (dialog, "close");
  adw_message_dialog_set_close_response (dialog, "close");
  g_object_set_data_full (G_OBJECT (dialog), "text", g_steal_pointer (&text), g_free);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_response), self->window, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
on_ended (SsappJob *job, Repeat *self)
{
  const double tolerance = SSAPP_REPRODUCE_TOLERANCE;
  const char *solution = self->row->solution_of[0] != '\0' ? self->row->start : NULL;
  g_autoptr (GError) error = NULL;
  SsappReproduceRecord *stored = NULL, *repeated;
  SsappReproduced *answer;

  adw_toast_dismiss (self->toast);
  g_clear_object (&self->toast);
  if (ssapp_job_get_result_json (job) != NULL &&
      strcmp (ssapp_job_get_outcome (job), ss_outcome_name (SS_OUTCOME_CANCELLED)) != 0)
    stored = ssapp_reproduce_record_stored (self->store, self->row->id, &error);
  if (stored == NULL) {
    ssui_window_fail (self->window, _ ("Not repeated"), error != NULL ? error->message : ssapp_job_get_message (job));
    g_object_set_data (G_OBJECT (self->window), REPEAT, NULL);
    return;
  }
  repeated = ssapp_reproduce_record_job (job, solution);
  answer = ssapp_reproduce_compare (stored, repeated, tolerance);
  show_answer (self, answer);
  ssapp_reproduced_free (answer);
  ssapp_reproduce_record_free (stored);
  ssapp_reproduce_record_free (repeated);
}

static void
start_repeat (SsuiWindow *self, SsappRunRow *row, SsappJob *job, GPtrArray *notes)
{
  Repeat *repeat = g_new0 (Repeat, 1);
  g_autofree char *text = g_strdup_printf (_ ("Repeating %s, %s"), row->label, row->scenario_name);
  g_autoptr (GError) error = NULL;

  *repeat = (Repeat){self,
                     g_object_ref (ssapp_session_get_store (self->session)),
                     job,
                     row,
                     g_ptr_array_ref (notes),
                     adw_toast_new (text)};
  g_object_set_data_full (G_OBJECT (self), REPEAT, repeat, repeat_free);
  adw_toast_set_timeout (repeat->toast, 0);
  adw_toast_set_button_label (repeat->toast, _ ("Stop"));
  adw_toast_set_action_name (repeat->toast, "win.reproduce-cancel");
  adw_toast_overlay_add_toast (self->toasts, g_object_ref (repeat->toast));
  g_signal_connect (job, "ended", G_CALLBACK (on_ended), repeat);
  if (!ssapp_job_start (job, &error) && g_object_get_data (G_OBJECT (self), REPEAT) == repeat) {
    ssui_window_fail (self, _ ("Not repeated"), error->message);
    g_object_set_data (G_OBJECT (self), REPEAT, NULL);
  }
}

ACTION (on_reproduce)
{
  SsuiWindow *self = data;
  g_auto (GStrv) ids = ids_of (self, parameter);
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  SsappStore *store = ssapp_session_get_store (self->session);
  SsappJob *job = NULL;
  SsappRunRow *row;

  (void)action;
  if (ids == NULL)
    return;
  if (ids[1] != NULL) {
    ssui_window_toast (self, _ ("Several runs are meant: choose Reproduce in the menu of one"));
    return;
  }
  if (g_object_get_data (G_OBJECT (self), REPEAT) != NULL) {
    ssui_window_toast (self, _ ("Another run is being repeated"));
    return;
  }
  row = ssapp_store_get_run (store, ids[0], &error);
  if (row != NULL)
    job = ssapp_reproduce_new_job (store, row->id, notes, &error);
  if (job != NULL) {
    start_repeat (self, row, job, notes);
    return;
  }
  ssapp_run_row_free (row);
  ssui_window_fail (self, _ ("Not repeated"), error->message);
}

ACTION (on_reproduce_cancel)
{
  Repeat *repeat = g_object_get_data (G_OBJECT (data), REPEAT);
  UNUSED_ACTION;
  if (repeat != NULL && ssapp_job_get_state (repeat->job) != SSAPP_JOB_ENDED)
    ssapp_job_cancel (repeat->job);
}

/* ---- what moves a run -------------------------------------------------------------------------------------------- */

static void
show_effects (SsuiWindow *self, const char *id, double t)
{
  SsappStore *store = ssapp_session_get_store (self->session);
  g_autoptr (GError) error = NULL;
  g_autoptr (SsappRun) run = ssapp_run_new_stored (store, id, &error);
  const char *reason = run != NULL ? ssapp_effects_reason (run) : NULL;
  GtkWindow *window = NULL;

  if (reason != NULL) {
    ssui_window_toast (self, reason);
    return;
  }
  if (run != NULL)
    window = ssui_effects_window_new (GTK_WINDOW (self), store, run, t, &error);
  if (window != NULL)
    gtk_window_present (window);
  else
    ssui_window_fail (self, _ ("No derivatives"), error->message);
}

ACTION (on_what_moves)
{
  SsuiWindow *self = data;
  g_auto (GStrv) ids = ids_of (self, parameter);

  (void)action;
  if (ids != NULL && ids[1] != NULL)
    ssui_window_toast (self, _ ("Several runs are meant: choose What Moves This? in the menu of one"));
  else if (ids != NULL)
    show_effects (self, ids[0], NAN);
}

ACTION (on_what_moves_event)
{
  const char *id;
  double t;

  (void)action;
  g_variant_get (parameter, "(&sd)", &id, &t);
  show_effects (data, id, t);
}

static const SsuiCommand commands[] = {
    {.name = "provenance",
     .activate = on_provenance,
     .parameter_type = "s" /* ids, "" those on show */,
     .keys = "<Control><Shift>p",
     .target = "::",
     .group = SSUI_KEYS_GENERAL,
     .title = N_ ("Provenance of the runs on show"),
     .label = N_ ("Provenance"),
     .menus = SSUI_MENU_RUN | SSUI_MENU_RUNS},
    {.name = "reproduce",
     .activate = on_reproduce,
     .parameter_type = "s" /* id */,
     .label = N_ ("Reproduce"),
     .menus = SSUI_MENU_RUN},
    {.name = "copy-command",
     .activate = on_copy_command,
     .parameter_type = "s" /* ids */,
     .keys = "<Control><Shift>c",
     .target = "::",
     .group = SSUI_KEYS_GENERAL,
     .title = N_ ("Copy their command lines"),
     .label = N_ ("Copy as Command"),
     .menus = SSUI_MENU_RUN | SSUI_MENU_RUNS},
    {.name = "reproduce-cancel", .activate = on_reproduce_cancel},
    {.name = "what-moves",
     .activate = on_what_moves,
     .parameter_type = "s" /* id, "" the one on show */,
     .label = N_ ("What Moves This?"),
     .menus = SSUI_MENU_MOVES},
    {.name = "what-moves-event",
     .activate = on_what_moves_event,
     .parameter_type = "(sd)" /* id, time of the event */,
     .label = N_ ("What Moves This?"),
     .menus = SSUI_MENU_EVENT},
};

const SsuiSubject ssui_provenance_commands = {commands, G_N_ELEMENTS (commands), NULL, NULL};
