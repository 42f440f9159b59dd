/* ui/window/ssui-window-files.c: opening, saving, closing, and the questions that go with them; of a project
 * that is not opened, being damaged, newer or not as Stickslip made it, what can be read as a new one. Tests:
 * tests/ui/test_damaged.py */
#include "ui/window/ssui-window-private.h"

#include "app/exchange/ssapp-robot.h"
#include "app/session/ssapp-newer-sketch.h"
#include "app/session/ssapp-sketch-picture.h"
#include "app/store/ssapp-store-copy.h"
#include "ui/parts/ssui-recent.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <string.h>

/* `path` NULL: to the file that it came from. */
static gboolean
save (SsuiWindow *self, const char *path)
{
  SsappDocument *document = ssui_window_get_document (self);
  g_autofree char *target = path == NULL                       ? NULL
                            : g_str_has_suffix (path, ".json") ? g_strdup (path)
                                                               : g_strconcat (path, SSAPP_SCENARIO_SUFFIX, NULL);
  g_autofree char *name = NULL, *text = NULL;
  g_autoptr (GError) error = NULL;

  if (!ssapp_document_save (document, target, &error)) {
    ssui_window_fail (self, _ ("The sketch was not saved"), error->message);
    return FALSE;
  }
  ssui_recent_add (ssapp_document_get_path (document));
  name = g_path_get_basename (ssapp_document_get_path (document));
  text = g_strdup_printf (_ ("Saved as “%s”"), name);
  ssui_window_toast (self, text);
  return TRUE;
}

/* ---- changes that cannot be kept --------------------------------------------------------------------------------- */

/* What to do once the question is answered. */
typedef struct {
  SsuiWindowThen then;
  char *argument;
} Pending;

static void
pending_free (gpointer data)
{
  Pending *pending = data;
  g_free (pending->argument);
  g_free (pending);
}

/* Without what the project does not take: it would stop what comes next. */
static void
go_on (SsuiWindow *self, const Pending *pending)
{
  g_autofree char *argument = g_strdup (pending->argument);

  ssapp_sketches_discard (ssapp_session_get_sketches (self->session));
  pending->then (self, argument);
}

static void
save_then_go_on (SsuiWindow *self, const char *path)
{
  const Pending *pending = g_object_get_data (G_OBJECT (self), "pending");

  if (save (self, path) && pending != NULL)
    go_on (self, pending);
}

static char *
suggested_name (SsuiWindow *self)
{
  return g_strconcat (ssapp_document_get_name (ssui_window_get_document (self)), SSAPP_SCENARIO_SUFFIX, NULL);
}

static const char *const scenario_patterns[] = {"*.stickslip.json", NULL};
static const char *const project_patterns[] = {"*.stickslip", NULL};
static const char *const open_patterns[] = {"*.stickslip.json", "*.stickslip", "*.nl", "*.xml",
                                            "*.mjcf",           "*.urdf",      NULL};

static void
on_save_response (AdwMessageDialog *dialog, const char *response, SsuiWindow *self)
{
  Pending *pending = g_object_get_data (G_OBJECT (self), "pending");
  SsappDocument *document = ssui_window_get_document (self);

  (void)dialog;
  if (pending == NULL || strcmp (response, "cancel") == 0)
    return;
  if (strcmp (response, "discard") == 0) {
    go_on (self, pending);
  } else if (ssapp_document_get_path (document) != NULL) {
    save_then_go_on (self, NULL);
  } else {
    g_autofree char *name = suggested_name (self);
    ssui_window_choose_file (self, _ ("Save Sketch"), GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Save"), name,
                             scenario_patterns, NULL, save_then_go_on);
  }
}

void
ssui_window_after_saving (SsuiWindow *self, SsuiWindowThen then, const char *argument)
{
  SsappDocument *document = ssui_window_get_document (self);
  Pending *pending;
  GtkWidget *dialog;
  g_autofree char *body = NULL;
  g_autoptr (GError) error = NULL;

  if (ssapp_session_keep_sketch (self->session, &error)) {
    then (self, argument);
    return;
  }
  pending = g_new0 (Pending, 1);
  pending->then = then;
  pending->argument = g_strdup (argument);
  g_object_set_data_full (G_OBJECT (self), "pending", pending, pending_free);
  body = g_strdup_printf (
      _ ("The changes of “%s” cannot be kept in the project: %s.\n\nThey are lost if you discard them."),
      ssapp_document_get_title (document), error->message);
  dialog = adw_message_dialog_new (GTK_WINDOW (self), _ ("Save the Sketch in a File?"), body);
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _ ("_Cancel"), "discard", _ ("_Discard"),
                                    "save", _ ("_Save"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "discard", ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "save", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "save");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_save_response), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* ---- new, open --------------------------------------------------------------------------------------------------- */

void
ssui_window_new_sketch (SsuiWindow *self)
{
  g_autoptr (SsappDocument) fresh = ssapp_document_new ();
  g_autoptr (GError) error = NULL;

  if (!ssapp_document_load_text (ssui_window_get_document (self), ssapp_document_get_text (fresh), -1, NULL, &error)) {
    ssui_window_fail (self, _ ("No new sketch"), error->message);
    return;
  }
  ssui_window_show_sketch (self);
}

void
ssui_window_open_example (SsuiWindow *self, const char *name)
{
  const SsappExample *example = ssapp_gallery_find (
      ssui_start_page_get_gallery (SSUI_START_PAGE (ssui_window_get_widget (self, &ssui_start_page))), name);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = example != NULL ? ssapp_example_load_text (example, &error) : NULL;

  if (example == NULL) {
    g_autofree char *message = g_strdup_printf (_ ("There is no example “%s”"), name);
    ssui_window_fail (self, "", message);
    return;
  }
  if (text == NULL || !ssapp_document_load_text (ssui_window_get_document (self), text, -1, name, &error)) {
    ssui_window_fail (self, _ ("The example cannot be opened"), error->message);
    return;
  }
  ssui_window_show_sketch (self);
}

/* Where nothing was drawn yet, the sketch that was changed last is at hand. */
static void
resume_sketch (SsuiWindow *self)
{
  SsappSketches *sketches = ssapp_session_get_sketches (self->session);
  SsappDocument *document = ssui_window_get_document (self);
  const SsScene *scene = ssapp_document_get_scenario (document)->scene;
  g_autoptr (GPtrArray) rows = ssapp_sketches_list (sketches, NULL);

  if (rows != NULL && rows->len > 0 && scene != NULL && scene->n_bodies == 0 && !ssapp_document_is_dirty (document) &&
      ssapp_document_get_path (document) == NULL && ssapp_sketches_get_current (sketches) == NULL)
    (void)ssapp_sketches_open (sketches, ((SsappSketchRow *)g_ptr_array_index (rows, 0))->id, NULL);
}

/* ---- a copy of what can be read ---------------------------------------------------------------------------------- */

static void
save_copy (SsuiWindow *self, const char *path)
{
  const char *from = g_object_get_data (G_OBJECT (self), "copied-project");
  g_autofree char *to =
      g_str_has_suffix (path, SSAPP_PROJECT_SUFFIX) ? g_strdup (path) : g_strconcat (path, SSAPP_PROJECT_SUFFIX, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (SsappCopied) copied = from != NULL ? ssapp_store_copy_readable (from, to, &error) : NULL;

  if (copied == NULL) {
    ssui_window_fail (self, _ ("No copy was made"), error != NULL ? error->message : "");
    return;
  }
  g_autofree char *words = ssapp_copied_describe (copied), *text = g_strdup_printf (_ ("The copy has %s"), words);
  ssui_window_open_path (self, to);
  ssui_window_toast (self, text);
}

static void
on_copy_response (AdwMessageDialog *dialog, const char *response, SsuiWindow *self)
{
  const char *from = g_object_get_data (G_OBJECT (self), "copied-project");

  (void)dialog;
  if (g_strcmp0 (response, "copy") != 0)
    return;
  g_autofree char *name = g_path_get_basename (from),
                  *stem = g_str_has_suffix (name, SSAPP_PROJECT_SUFFIX)
                              ? g_strndup (name, strlen (name) - strlen (SSAPP_PROJECT_SUFFIX))
                              : g_strdup (name);
  g_autofree char *proposed = g_strconcat (stem, "-copy" SSAPP_PROJECT_SUFFIX, NULL);
  ssui_window_choose_file (self, _ ("Save Readable Copy"), GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Save"), proposed,
                           project_patterns, NULL, save_copy);
}

static gboolean
ask_copy (SsuiWindow *self, const char *path, const GError *error)
{
  static const SsappStoreError readable[] = {SSAPP_STORE_ERROR_DAMAGED, SSAPP_STORE_ERROR_FOREIGN,
                                             SSAPP_STORE_ERROR_NEWER};
  gboolean is_readable = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (readable); i++)
    is_readable = is_readable || g_error_matches (error, SSAPP_STORE_ERROR, (int)readable[i]);
  if (!is_readable)
    return FALSE;
  g_object_set_data_full (G_OBJECT (self), "copied-project", g_strdup (path), g_free);
  g_autofree char *what = g_strndup (error->message, strcspn (error->message, ";"));
  g_autofree char *body = g_strdup_printf (
      _ ("%s.\n\nWhat can be read of it can be saved as a new project. The file stays as it is."), what);
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (self), _ ("The Project Cannot Be Opened"), body);
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _ ("_Not Now"), "copy",
                                    _ ("_Save Readable Copy…"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "copy", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "copy");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_copy_response), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
  return TRUE;
}

/* ---- open -------------------------------------------------------------------------------------------------------- */

static void
open_project_now (SsuiWindow *self, const char *path)
{
  g_autoptr (GError) error = NULL;

  if (!ssapp_session_open_store (self->session, path, &error)) {
    if (!ask_copy (self, path, error))
      ssui_window_fail (self, _ ("The project cannot be opened"), error->message);
    return;
  }
  ssui_recent_add (path);
  resume_sketch (self);
  ssui_window_show_page (self, "project");
  if (ssapp_store_is_read_only (ssapp_session_get_store (self->session)))
    ssui_window_toast (self, _ ("This project can only be read: new runs cannot be kept in it"));
  ssui_window_ask_kept_methods (self, path);
}

/* The sketch stays in the window: nothing is asked, unless the project that goes lacks edits of it. */
static void
before_another_project (SsuiWindow *self, SsuiWindowThen then, const char *argument)
{
  if (ssapp_sketches_is_waiting (ssapp_session_get_sketches (self->session)))
    ssui_window_after_saving (self, then, argument);
  else
    then (self, argument);
}

/* The file was edited after it was saved, and the edits are in a project: a way there. */
static void
tell_newer (SsuiWindow *self, const char *path)
{
  SsappStore *store = ssapp_session_get_store (self->session);
  g_autofree char *folder = ssapp_projects_folder ();
  g_autoptr (SsappNewerSketch) newer =
      ssapp_newer_sketch_find (folder, store != NULL ? ssapp_store_get_path (store) : NULL, path,
                               ssapp_document_get_text (ssui_window_get_document (self)));
  g_autoptr (GDateTime) now = NULL;
  g_autofree char *when = NULL, *text = NULL;

  if (newer == NULL)
    return;
  now = g_date_time_new_now_local ();
  when = ssapp_sketch_age (newer->changed, now);
  text = g_strdup_printf (_ ("Edits (%s) were not saved in this file"), when);
  ssui_window_toast_button (self, text, _ ("Show Them"), "win.open-kept-sketch",
                            g_variant_new ("(ss)", newer->project, newer->id));
}

static void
open_scenario (SsuiWindow *self, const char *path)
{
  g_autoptr (GError) error = NULL;

  if (ssui_window_ask_methods (self, path, open_scenario))
    return;
  if (!ssapp_document_load_file (ssui_window_get_document (self), path, &error)) {
    ssui_window_fail (self, _ ("The scenario cannot be opened"), error->message);
    return;
  }
  ssui_recent_add (path);
  ssui_window_show_sketch (self);
  tell_newer (self, path);
}

void
ssui_window_open_path (SsuiWindow *self, const char *path)
{
  if (g_str_has_suffix (path, SSAPP_PROJECT_SUFFIX))
    before_another_project (self, open_project_now, path);
  else if (ssapp_robot_is_path (path))
    ssui_window_after_saving (self, ssui_window_open_robot, path);
  else
    ssui_window_after_saving (self, open_scenario, path);
}

ACTION (on_open_dialog)
{
  UNUSED_ACTION;
  ssui_window_choose_file (data, _ ("Open Scenario or Project"), GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Open"), NULL,
                           open_patterns, NULL, ssui_window_open_path);
}

/* ---- save -------------------------------------------------------------------------------------------------------- */

static void
save_now (SsuiWindow *self, const char *path)
{
  save (self, path);
}

static void
save_dialog (SsuiWindow *self)
{
  g_autofree char *name = suggested_name (self);
  ssui_window_choose_file (self, _ ("Save Sketch"), GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Save"), name, scenario_patterns,
                           NULL, save_now);
}

static void
save_project (SsuiWindow *self, const char *path)
{
  g_autoptr (GError) error = NULL;

  if (!ssapp_session_save_store_as (self->session, path, &error)) {
    ssui_window_fail (self, _ ("The project was not saved"), error->message);
    return;
  }
  ssui_recent_add (ssapp_store_get_path (ssapp_session_get_store (self->session)));
  ssui_window_toast (self, _ ("Project saved"));
}

static void
save_project_dialog (SsuiWindow *self)
{
  g_autofree char *name =
      g_strconcat (ssapp_document_get_name (ssui_window_get_document (self)), SSAPP_PROJECT_SUFFIX, NULL);
  ssui_window_choose_file (self, _ ("Save Project As"), GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Save"), name,
                           project_patterns, NULL, save_project);
}

/* ---- a project without a file ------------------------------------------------------------------------------------ */

/* Later, because the answer comes from a dialog that still belongs to the window. */
static gboolean
on_close_idle (gpointer data)
{
  gtk_window_close (data);
  return G_SOURCE_REMOVE;
}

static void
close_for_good (SsuiWindow *self)
{
  self->may_close = TRUE;
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, on_close_idle, g_object_ref (self), g_object_unref);
}

static void
save_elsewhere (SsuiWindow *self, const char *path)
{
  save_project (self, path);
  if (self->closes_when_saved && ssapp_session_check_kept (self->session, NULL))
    close_for_good (self);
}

static void
on_lost_response (AdwMessageDialog *dialog, const char *response, SsuiWindow *self)
{
  (void)dialog;
  if (strcmp (response, "discard") == 0) {
    close_for_good (self);
  } else if (strcmp (response, "save") == 0) {
    g_autofree char *name = g_path_get_basename (ssapp_store_get_path (ssapp_session_get_store (self->session)));
    ssui_window_choose_file (self, _ ("Save Project Elsewhere"), GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Save"), name,
                             project_patterns, NULL, save_elsewhere);
  }
}

void
ssui_window_ask_elsewhere (SsuiWindow *self, const char *message, gboolean closes)
{
  g_autofree char *body = g_strdup_printf (
      _ ("%s.\n\nThis window still has all of its runs. Save them in another file, or they are lost when it closes."),
      message);

  if (self->lost_dialog != NULL)
    gtk_window_destroy (GTK_WINDOW (self->lost_dialog));
  self->closes_when_saved = closes;
  g_set_weak_pointer (&self->lost_dialog,
                      adw_message_dialog_new (GTK_WINDOW (self), _ ("Save the Runs Elsewhere?"), body));
  AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG (self->lost_dialog);
  if (closes) {
    adw_message_dialog_add_responses (dialog, "cancel", _ ("_Cancel"), "discard", _ ("_Discard"), NULL);
    adw_message_dialog_set_response_appearance (dialog, "discard", ADW_RESPONSE_DESTRUCTIVE);
  } else {
    adw_message_dialog_add_response (dialog, "cancel", _ ("_Not Now"));
  }
  adw_message_dialog_add_response (dialog, "save", _ ("_Save Elsewhere"));
  adw_message_dialog_set_response_appearance (dialog, "save", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (dialog, "save");
  adw_message_dialog_set_close_response (dialog, "cancel");
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_lost_response), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* ---- close ------------------------------------------------------------------------------------------------------- */

/* Not before what was stored is in a file, or the user does without it. */
static void
close_now (SsuiWindow *self, const char *argument)
{
  g_autoptr (GError) error = NULL;

  (void)argument;
  if (ssapp_session_check_kept (self->session, &error))
    close_for_good (self);
  else
    ssui_window_ask_elsewhere (self, error->message, TRUE);
}

/* Runs of the Run page, or of a study. */
static gboolean
is_working (SsuiWindow *self)
{
  return ssapp_session_is_running (self->session) ||
         ssapp_study_session_is_running (ssapp_session_get_study (self->session));
}

static void
on_stop_response (AdwMessageDialog *dialog, const char *response, SsuiWindow *self)
{
  (void)dialog;
  if (strcmp (response, "stop") != 0)
    return;
  ssapp_study_session_stop (ssapp_session_get_study (self->session));
  if (!is_working (self)) {
    ssui_window_after_saving (self, close_now, NULL);
    return;
  }
  /* The runs answer within half a second; then what they have is in the project and the window goes. */
  self->closes_when_ended = TRUE;
  ssapp_session_cancel (self->session, NULL);
}

void
ssui_window_close_if_ended (SsuiWindow *self)
{
  if (!self->closes_when_ended || is_working (self))
    return;
  self->closes_when_ended = FALSE;
  ssui_window_after_saving (self, close_now, NULL);
}

static void
ask_to_stop (SsuiWindow *self)
{
  GtkWidget *dialog =
      adw_message_dialog_new (GTK_WINDOW (self), _ ("Stop the Runs?"),
                              _ ("Methods are still running. What they have found so far is kept in the project."));

  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _ ("_Cancel"), "stop", _ ("_Stop and Close"),
                                    NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "stop", ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_stop_response), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

gboolean
ssui_window_close_request (SsuiWindow *self)
{
  g_autoptr (GError) error = NULL;

  if (self->may_close)
    return FALSE;
  if (ssui_window_ask_unapplied (self))
    return TRUE;
  if (is_working (self)) {
    ask_to_stop (self);
    return TRUE;
  }
  if (ssapp_document_is_dirty (ssui_window_get_document (self)) ||
      ssapp_sketches_is_waiting (ssapp_session_get_sketches (self->session))) {
    ssui_window_after_saving (self, close_now, NULL);
    return TRUE;
  }
  if (!ssapp_session_check_kept (self->session, &error)) {
    ssui_window_ask_elsewhere (self, error->message, TRUE);
    return TRUE;
  }
  return FALSE;
}

static void
new_sketch_now (SsuiWindow *self, const char *argument)
{
  (void)argument;
  ssui_window_new_sketch (self);
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

ACTION (on_open)
{
  (void)action;
  ssui_window_open_path (data, g_variant_get_string (parameter, NULL));
}

/* `target`: the id, a line's end and the path of its project. */
static void
open_kept_sketch_now (SsuiWindow *self, const char *target)
{
  g_auto (GStrv) parts = g_strsplit (target, "\n", 2);
  SsappStore *store = ssapp_session_get_store (self->session);

  if (store == NULL || strcmp (ssapp_store_get_path (store), parts[1]) != 0)
    open_project_now (self, parts[1]);
  store = ssapp_session_get_store (self->session);
  if (store != NULL && strcmp (ssapp_store_get_path (store), parts[1]) == 0) /* else it told why not */
    g_action_group_activate_action (G_ACTION_GROUP (self), "open-sketch", g_variant_new_string (parts[0]));
}

ACTION (on_open_kept_sketch)
{
  const char *project, *id;
  (void)action;

  g_variant_get (parameter, "(&s&s)", &project, &id);
  g_autofree char *target = g_strconcat (id, "\n", project, NULL);
  before_another_project (data, open_kept_sketch_now, target);
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
    save (self, NULL);
  else if (!ssapp_session_is_untitled (self->session) && ssapp_session_keep_sketch (self->session, NULL))
    ssui_window_toast (self, _ ("Saved in the project"));
  else
    save_dialog (self);
}

ACTION (on_save_as)
{
  UNUSED_ACTION;
  save_dialog (data);
}

ACTION (on_save_scenario)
{
  (void)action;
  save (data, g_variant_get_string (parameter, NULL));
}

ACTION (on_save_project_as)
{
  UNUSED_ACTION;
  save_project_dialog (data);
}

ACTION (on_save_project)
{
  (void)action;
  save_project (data, g_variant_get_string (parameter, NULL));
}

/* ---- table ------------------------------------------------------------------------------------------------------- */

static const SsuiCommand commands[] = {
    {.name = "new-sketch",
     .activate = on_new_sketch,
     .keys = "<Control>n",
     .group = SSUI_KEYS_GENERAL,
     .title = N_ ("New sketch"),
     .label = N_ ("New Sketch")},
    {.name = "open-dialog",
     .activate = on_open_dialog,
     .keys = "<Control>o",
     .group = SSUI_KEYS_GENERAL,
     .title = N_ ("Open")},
    {.name = "open", .activate = on_open, .parameter_type = "s" /* path */},
    {.name = "open-kept-sketch", .activate = on_open_kept_sketch, .parameter_type = "(ss)" /* path of a project, id */},
    {.name = "open-example", .activate = on_open_example, .parameter_type = "s"},
    {.name = "save",
     .activate = on_save,
     .keys = "<Control>s",
     .group = SSUI_KEYS_GENERAL,
     .title = N_ ("Save sketch"),
     .label = N_ ("Save Sketch")},
    {.name = "save-as",
     .activate = on_save_as,
     .keys = "<Control><Shift>s",
     .group = SSUI_KEYS_GENERAL,
     .title = N_ ("Save sketch as"),
     .label = N_ ("Save Sketch As…")},
    {.name = "save-scenario", .activate = on_save_scenario, .parameter_type = "s" /* path */},
    {.name = "save-project-as", .activate = on_save_project_as, .label = N_ ("Save Project As…")},
    {.name = "save-project", .activate = on_save_project, .parameter_type = "s" /* path */},
};

const SsuiSubject ssui_file_commands = {commands, G_N_ELEMENTS (commands), NULL, NULL};
