/* ui/window/ssui-window-study.c: the window's commands for studies: which one, what varies, methods, limits, the queue,
 * figures, taking away. */
#include "ui/window/ssui-window-private.h"

#include "app/export/ssapp-file-kind.h"
#include "app/export/ssapp-page.h"

#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <string.h>

static SsappStudySession *
study_of (SsuiWindow *self)
{
  return ssapp_session_get_study (self->session);
}

/* Tells why where it did not work. `error`: its place, since the call that sets it is another argument. */
static void
tell (SsuiWindow *self, gboolean done, const char *heading, GError *const *error)
{
  if (!done)
    ssui_window_fail (self, heading, (*error)->message);
  ssui_window_queue_state (self);
}

/* ---- studies ----------------------------------------------------------------------------------------------------- */

ACTION (on_new)
{
  SsuiWindow *self = data;
  g_autoptr (GError) error = NULL;
  UNUSED_ACTION;
  tell (self, ssapp_study_session_add (study_of (self), &error), _ ("No new study"), &error);
  ssui_window_show_page (self, "study");
}

ACTION (on_open)
{
  g_autoptr (GError) error = NULL;
  (void)action;
  tell (data, ssapp_study_session_open (study_of (data), g_variant_get_string (parameter, NULL), &error),
        _ ("The study cannot be opened"), &error);
}

ACTION (on_duplicate)
{
  g_autoptr (GError) error = NULL;
  UNUSED_ACTION;
  tell (data, ssapp_study_session_duplicate (study_of (data), &error), _ ("Not duplicated"), &error);
}

static void
rename_to (SsuiWindow *self, const char *title)
{
  g_autoptr (GError) error = NULL;

  tell (self, ssapp_study_session_rename (study_of (self), title, &error), _ ("Not renamed"), &error);
}

ACTION (on_rename)
{
  (void)action;
  rename_to (data, g_variant_get_string (parameter, NULL));
}

static void
on_rename_response (AdwMessageDialog *dialog, const char *response, SsuiWindow *self)
{
  if (g_strcmp0 (response, "rename") == 0)
    rename_to (self, gtk_editable_get_text (GTK_EDITABLE (adw_message_dialog_get_extra_child (dialog))));
}

ACTION (on_rename_dialog)
{
  SsuiWindow *self = data;
  const SsappStudy *study = ssapp_study_session_get_study (study_of (self));
  UNUSED_ACTION;
  if (study == NULL)
    return;
  GtkWidget *widget = adw_message_dialog_new (GTK_WINDOW (self), _ ("Rename Study"), NULL), *entry = gtk_entry_new ();
  AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG (widget);
  adw_message_dialog_add_responses (dialog, "cancel", _ ("_Cancel"), "rename", _ ("_Rename"), NULL);
  adw_message_dialog_set_response_appearance (dialog, "rename", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (dialog, "rename");
  adw_message_dialog_set_close_response (dialog, "cancel");
  adw_message_dialog_set_extra_child (dialog, entry);
  gtk_editable_set_text (GTK_EDITABLE (entry), study->title);
  gtk_entry_set_activates_default (GTK_ENTRY (entry), TRUE);
  ssui_set_label (entry, _ ("Name of the study"));
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_rename_response), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
  gtk_widget_grab_focus (entry);
}

ACTION (on_delete)
{
  SsuiWindow *self = data;
  g_autofree char *id = g_strdup (ssapp_study_session_get_id (study_of (self)));
  g_autoptr (GError) error = NULL;
  UNUSED_ACTION;
  if (!ssapp_study_session_delete (study_of (self), &error)) {
    ssui_window_fail (self, _ ("Not deleted"), error->message);
    return;
  }
  ssui_window_toast_undo (self, _ ("Study deleted, its runs stay"), "win.study-undelete", id);
}

ACTION (on_undelete)
{
  g_autoptr (GError) error = NULL;
  (void)action;
  tell (data, ssapp_study_session_undelete (study_of (data), g_variant_get_string (parameter, NULL), &error),
        _ ("Not brought back"), &error);
}

/* ---- edits ------------------------------------------------------------------------------------------------------- */

ACTION (on_undo)
{
  g_autoptr (GError) error = NULL;
  UNUSED_ACTION;
  tell (data, ssapp_study_session_undo (study_of (data), &error), "", &error);
}

ACTION (on_redo)
{
  g_autoptr (GError) error = NULL;
  UNUSED_ACTION;
  tell (data, ssapp_study_session_redo (study_of (data), &error), "", &error);
}

ACTION (on_scenario)
{
  g_autoptr (GError) error = NULL;
  (void)action;
  tell (data, ssapp_study_session_set_scenario (study_of (data), g_variant_get_string (parameter, NULL), &error),
        _ ("Not taken"), &error);
}

ACTION (on_set_axis)
{
  const char *name, *values;
  g_autoptr (GError) error = NULL;
  (void)action;
  g_variant_get (parameter, "(&s&s)", &name, &values);
  tell (data, ssapp_study_session_set_axis (study_of (data), name, values, &error), _ ("No such axis"), &error);
}

ACTION (on_take_idea)
{
  g_autoptr (GError) error = NULL;
  (void)action;
  tell (data, ssapp_study_session_take_idea (study_of (data), g_variant_get_string (parameter, NULL), &error),
        _ ("No such axis"), &error);
}

ACTION (on_remove_axis)
{
  g_autoptr (GError) error = NULL;
  (void)action;
  tell (data, ssapp_study_session_remove_axis (study_of (data), g_variant_get_string (parameter, NULL), &error),
        _ ("Not removed"), &error);
}

ACTION (on_move_axis)
{
  const char *name;
  int by;
  g_autoptr (GError) error = NULL;
  (void)action;
  g_variant_get (parameter, "(&si)", &name, &by);
  tell (data, ssapp_study_session_move_axis (study_of (data), name, by, &error), "", &error);
}

ACTION (on_set_outcome)
{
  const char *name, *text;
  g_autoptr (GError) error = NULL;
  (void)action;
  g_variant_get (parameter, "(&s&s)", &name, &text);
  tell (data, ssapp_study_session_set_outcome (study_of (data), name, text, &error), _ ("No such outcome"), &error);
}

ACTION (on_remove_outcome)
{
  g_autoptr (GError) error = NULL;
  (void)action;
  tell (data, ssapp_study_session_remove_outcome (study_of (data), g_variant_get_string (parameter, NULL), &error),
        _ ("Not removed"), &error);
}

ACTION (on_show_outcome)
{
  (void)action;
  ssapp_study_session_show_outcome (study_of (data), g_variant_get_string (parameter, NULL));
  ssui_window_queue_state (data);
}

ACTION (on_set_method)
{
  const char *text;
  int index;
  g_autoptr (GError) error = NULL;
  (void)action;
  g_variant_get (parameter, "(i&s)", &index, &text);
  tell (data, ssapp_study_session_set_method (study_of (data), index, text, &error), _ ("No such method"), &error);
}

ACTION (on_remove_method)
{
  g_autoptr (GError) error = NULL;
  (void)action;
  tell (data, ssapp_study_session_remove_method (study_of (data), g_variant_get_int32 (parameter), &error),
        _ ("Not removed"), &error);
}

ACTION (on_limit)
{
  const char *name, *value;
  g_autoptr (GError) error = NULL;
  (void)action;
  g_variant_get (parameter, "(&s&s)", &name, &value);
  tell (data, ssapp_study_session_set_limit (study_of (data), name, value, &error), _ ("Not set"), &error);
}

/* ---- the queue --------------------------------------------------------------------------------------------------- */

ACTION (on_start)
{
  g_autoptr (GError) error = NULL;
  UNUSED_ACTION;
  tell (data, ssapp_study_session_start (study_of (data), &error), _ ("Nothing was started"), &error);
}

ACTION (on_again)
{
  g_autoptr (GError) error = NULL;
  (void)action;
  tell (data, ssapp_study_session_again (study_of (data), g_variant_get_string (parameter, NULL), &error),
        _ ("Nothing was started"), &error);
}

ACTION (on_pause)
{
  UNUSED_ACTION;
  ssapp_study_session_pause (study_of (data));
  ssui_window_queue_state (data);
}

ACTION (on_stop)
{
  UNUSED_ACTION;
  ssapp_study_session_stop (study_of (data));
  ssui_window_queue_state (data);
}

ACTION (on_start_or_pause)
{
  SsappStudySession *study = study_of (data);

  if (ssapp_study_session_is_running (study) && !ssapp_study_session_is_paused (study))
    on_pause (action, parameter, data);
  else
    on_start (action, parameter, data);
}

void
ssui_window_update_study (SsuiWindow *self)
{
  SsappStudySession *study = study_of (self);
  const gboolean has_study = ssapp_study_session_get_study (study) != NULL,
                 is_paused = ssapp_study_session_is_paused (study),
                 is_running = ssapp_study_session_is_running (study) && !is_paused;

  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->study_go),
                                  has_study ? "win.study-start-or-pause" : "win.study-new");
  adw_button_content_set_label (self->study_go_content, !has_study   ? _ ("New Study")
                                                        : is_paused  ? _ ("Resume")
                                                        : is_running ? _ ("Pause")
                                                                     : _ ("Start"));
  adw_button_content_set_icon_name (self->study_go_content, !has_study   ? "list-add-symbolic"
                                                            : is_running ? "media-playback-pause-symbolic"
                                                                         : "media-playback-start-symbolic");
  ssui_set_label (self->study_go, !has_study   ? _ ("New Study")
                                  : is_paused  ? _ ("Resume the study")
                                  : is_running ? _ ("Pause the study")
                                               : _ ("Start the study"));
  gtk_widget_set_has_tooltip (self->study_go, has_study); /* of starting */
  if (is_running)
    gtk_widget_remove_css_class (self->study_go, "suggested-action");
  else
    gtk_widget_add_css_class (self->study_go, "suggested-action");
}

/* ---- what is shown ----------------------------------------------------------------------------------------------- */

ACTION (on_figure)
{
  const char *name, *key;
  SsappStudyPart part;
  (void)action;
  g_variant_get (parameter, "(&s&s)", &name, &key);
  if (!ssapp_study_part_from_name (name, &part) || !ssapp_study_session_set_choice (study_of (data), part, key)) {
    g_autofree char *text = g_strdup_printf (_ ("The study has no figure “%s” of “%s”"), name, key);
    ssui_window_fail (data, "", text);
  }
}

ACTION (on_axes)
{
  int x, y;
  (void)action;
  g_variant_get (parameter, "(ii)", &x, &y);
  ssapp_study_session_set_heat_axes (study_of (data), x, y);
}

ACTION (on_unsolved)
{
  (void)action;
  ssapp_study_session_set_takes_unsolved (study_of (data), g_variant_get_boolean (parameter));
}

ACTION (on_hide)
{
  int method;
  gboolean is_hidden;
  (void)action;
  g_variant_get (parameter, "(ib)", &method, &is_hidden);
  if (method >= 0)
    ssapp_study_session_set_hidden (study_of (data), (guint)method, is_hidden);
}

ACTION (on_all_columns)
{
  (void)action;
  ssapp_study_session_set_shows_all (study_of (data), g_variant_get_boolean (parameter));
}

ACTION (on_select)
{
  int dx, dy;
  (void)action;
  g_variant_get (parameter, "(ii)", &dx, &dy);
  ssapp_study_session_step_selected (study_of (data), dx, dy);
}

ACTION (on_open_selected)
{
  SsuiWindow *self = data;
  SsappStudySession *study = study_of (self);
  const SsappRunSet *set = ssapp_study_session_get_set (study);
  g_autoptr (GString) ids = g_string_new (NULL);
  UNUSED_ACTION;
  for (guint i = 0; set != NULL && i < set->items->len; i++) {
    const char *id = ssapp_study_session_is_item_selected (study, i) ? ssapp_study_session_get_run_id (study, i) : NULL;
    if (id != NULL)
      g_string_append_printf (ids, "%s%s", ids->len > 0 ? "," : "", id);
  }
  if (ids->len > 0)
    g_action_group_activate_action (G_ACTION_GROUP (self), "open-run", g_variant_new_string (ids->str));
  else
    ssui_window_toast (self, _ ("Mark a problem with runs first: click a cell of the maps"));
}

/* ---- taking away ------------------------------------------------------------------------------------------------- */

static void
copy (SsuiWindow *self, const char *text, const char *told)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  ssui_window_toast (self, told);
}

ACTION (on_copy_command)
{
  g_autofree char *text = ssapp_study_session_dup_command (study_of (data));
  UNUSED_ACTION;
  if (text != NULL)
    copy (data, text, _ ("The command is copied"));
}

ACTION (on_copy_table)
{
  const char *name, *format_name;
  SsappStudyPart part;
  SsappTableFormat format;
  (void)action;
  g_variant_get (parameter, "(&s&s)", &name, &format_name);
  if (!ssapp_study_part_from_name (name, &part) || !ssapp_table_format_from_name (format_name, &format)) {
    g_autofree char *text =
        g_strdup_printf (_ ("“%s” is no part, or “%s” none of %s"), name, format_name, ssapp_table_format_names ());
    ssui_window_fail (data, "", text);
    return;
  }
  g_autoptr (SsappTable) table = ssapp_study_session_make_table (study_of (data), part);
  g_autofree char *text = table != NULL ? ssapp_table_write (table, format) : NULL;
  if (text != NULL)
    copy (data, text, _ ("The table is copied"));
  else
    ssui_window_toast (data, _ ("There is no table yet"));
}

static void
export_part (SsuiWindow *self, const char *name, double width, const char *path)
{
  g_autofree char *base = g_path_get_basename (path), *text = g_strdup_printf (_ ("Exported “%s”"), base);
  g_autoptr (GError) error = NULL;
  SsappStudyPart part;

  if (!ssapp_study_part_from_name (name, &part)) {
    g_free (text);
    text = g_strdup_printf (_ ("“%s” is no part of a study (heat, profile, box, time, runs)"), name);
    ssui_window_fail (self, "", text);
  } else if (!ssapp_study_session_export (study_of (self), part, width, path, &error)) {
    ssui_window_fail (self, _ ("Not exported"), error->message);
  } else {
    self->n_exports++;
    ssui_window_queue_state (self);
    ssui_window_toast (self, text);
  }
}

ACTION (on_export)
{
  const char *name, *path;
  double width;
  (void)action;
  g_variant_get (parameter, "(&sd&s)", &name, &width, &path);
  export_part (data, name, width, path);
}

static double
answered_width (SsuiWindow *self)
{
  return self->answer != NULL ? g_ascii_strtod (self->answer, NULL) : 0;
}

static void
export_now (SsuiWindow *self, const char *path)
{
  export_part (self, g_object_get_data (G_OBJECT (self), "study-part"), answered_width (self), path);
}

static const char *const widths[] = {"88", "180", NULL}, *const width_labels[] = {N_ ("88 mm, one column"),
                                                                                  N_ ("180 mm, the whole page"), NULL};

ACTION (on_export_dialog)
{
  const char *name = g_variant_get_string (parameter, NULL);
  const SsuiQuestion question = {_ ("Width"), strcmp (name, "heat") == 0 ? widths[1] : widths[0], widths, width_labels};
  const gboolean is_table = strcmp (name, "runs") == 0;
  g_auto (GStrv) patterns = ssapp_endings_patterns (is_table ? "table" : "chart");
  g_autofree char *file = g_strdup_printf ("study-%s%s", name, is_table ? ".csv" : ".pdf");
  (void)action;
  g_object_set_data_full (G_OBJECT (data), "study-part", g_strdup (name), g_free);
  ssui_window_choose_file (data, is_table ? _ ("Export Table") : _ ("Export Figure"), GTK_FILE_CHOOSER_ACTION_SAVE,
                           _ ("_Export"), file, (const char *const *)patterns, is_table ? NULL : &question, export_now);
}

ACTION (on_page_dialog)
{
  const char *name = g_variant_get_string (parameter, NULL);
  g_auto (GStrv) patterns = ssapp_endings_patterns ("page");
  g_autofree char *file = g_strdup_printf ("study-%s.html", name);
  (void)action;
  if (ssapp_page_live_lack () != NULL) {
    ssui_window_fail (data, _ ("Not exported"), ssapp_page_live_lack ());
    return;
  }
  g_object_set_data_full (G_OBJECT (data), "study-part", g_strdup (name), g_free);
  ssui_window_choose_file (data, _ ("Export Web Page"), GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Export"), file,
                           (const char *const *)patterns, NULL, export_now);
}

static void
export_all (SsuiWindow *self, double width, const char *folder)
{
  g_autoptr (GError) error = NULL;
  const int n = ssapp_study_session_export_all (study_of (self), width, folder, &error);

  if (n < 0) {
    ssui_window_fail (self, _ ("Not exported"), error->message);
    return;
  }
  g_autofree char *base = g_path_get_basename (folder),
                  *text = g_strdup_printf (_ ("%d files are in “%s”: figures and their tables"), n, base);
  self->n_exports += n;
  ssui_window_queue_state (self);
  ssui_window_toast (self, text);
}

ACTION (on_export_all)
{
  const char *folder;
  double width;
  (void)action;
  g_variant_get (parameter, "(d&s)", &width, &folder);
  export_all (data, width, folder);
}

static void
export_all_now (SsuiWindow *self, const char *path)
{
  export_all (self, answered_width (self), path);
}

ACTION (on_export_all_dialog)
{
  const SsuiQuestion question = {_ ("Width"), widths[1], widths, width_labels};
  UNUSED_ACTION;
  ssui_window_choose_file (data, _ ("Export All Figures into a Folder"), GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER,
                           _ ("_Export"), NULL, NULL, &question, export_all_now);
}

/* ---- table ------------------------------------------------------------------------------------------------------- */

static const SsuiCommand commands[] = {
    {.name = "study-new", .activate = on_new},
    {.name = "study-open", .activate = on_open, .parameter_type = "s" /* id */},
    {.name = "study-duplicate", .activate = on_duplicate},
    {.name = "study-rename", .activate = on_rename, .parameter_type = "s"},
    {.name = "study-rename-dialog", .activate = on_rename_dialog},
    {.name = "study-delete", .activate = on_delete},
    {.name = "study-undelete", .activate = on_undelete, .parameter_type = "s" /* id */},
    {.name = "study-undo", .activate = on_undo},
    {.name = "study-redo", .activate = on_redo},
    {.name = "study-scenario", .activate = on_scenario, .parameter_type = "s" /* id of a sketch, "" the one on show */},
    {.name = "study-set-axis", .activate = on_set_axis, .parameter_type = "(ss)" /* name, values */},
    {.name = "study-take-idea", .activate = on_take_idea, .parameter_type = "s" /* name of the axis */},
    {.name = "study-remove-axis", .activate = on_remove_axis, .parameter_type = "s"},
    {.name = "study-move-axis", .activate = on_move_axis, .parameter_type = "(si)" /* name, by */},
    {.name = "study-set-outcome",
     .activate = on_set_outcome,
     .parameter_type = "(ss)" /* name or "", "third=final(box3.x)" */},
    {.name = "study-remove-outcome", .activate = on_remove_outcome, .parameter_type = "s"},
    {.name = "study-show-outcome", .activate = on_show_outcome, .parameter_type = "s"},
    {.name = "study-set-method",
     .activate = on_set_method,
     .parameter_type = "(is)" /* place or -1, "crisp:relax=10" */},
    {.name = "study-remove-method", .activate = on_remove_method, .parameter_type = "i"},
    {.name = "study-limit",
     .activate = on_limit,
     .parameter_type = "(ss)" /* cpu|memory|workers|draw|samples|seed|keep, value */},
    {.name = "study-start", .activate = on_start},
    {.name = "study-again",
     .activate = on_again,
     .parameter_type = "s" /* outcomes with commas, "": all that failed */},
    {.name = "study-pause", .activate = on_pause},
    {.name = "study-stop", .activate = on_stop},
    {.name = "study-start-or-pause", .activate = on_start_or_pause},
    {.name = "study-figure", .activate = on_figure, .parameter_type = "(ss)" /* heat|profile|box|time, choice */},
    {.name = "study-axes", .activate = on_axes, .parameter_type = "(ii)" /* x, y of the heat maps */},
    {.name = "study-unsolved", .activate = on_unsolved, .parameter_type = "b"},
    {.name = "study-hide", .activate = on_hide, .parameter_type = "(ib)" /* method, hidden */},
    {.name = "study-all-columns", .activate = on_all_columns, .parameter_type = "b"},
    {.name = "study-select", .activate = on_select, .parameter_type = "(ii)" /* cells right, down */},
    {.name = "study-open-selected", .activate = on_open_selected},
    {.name = "study-copy-command", .activate = on_copy_command},
    {.name = "study-copy-table",
     .activate = on_copy_table,
     .parameter_type = "(ss)" /* part or runs, csv|tsv|md|tex|text|jsonl */},
    {.name = "study-export", .activate = on_export, .parameter_type = "(sds)" /* part, width [mm], path */},
    {.name = "study-export-dialog", .activate = on_export_dialog, .parameter_type = "s" /* part */},
    {.name = "study-page-dialog", .activate = on_page_dialog, .parameter_type = "s" /* part */},
    {.name = "study-export-all", .activate = on_export_all, .parameter_type = "(ds)" /* width, folder */},
    {.name = "study-export-all-dialog", .activate = on_export_all_dialog},
};

static void
on_failed (SsuiWindow *self, const char *message)
{
  ssui_window_fail (self, "", message);
}

static void
on_changed (SsuiWindow *self)
{
  ssui_window_queue_state (self);
  ssui_window_close_if_ended (self);
}

static void
set_up (SsuiWindow *self)
{
  static const char *const signals[] = {"changed", "progress", "runs", "looked"};

  for (guint k = 0; k < G_N_ELEMENTS (signals); k++)
    g_signal_connect_object (study_of (self), signals[k], G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (study_of (self), "failed", G_CALLBACK (on_failed), self, G_CONNECT_SWAPPED);
}

const SsuiSubject ssui_study_commands = {commands, G_N_ELEMENTS (commands), set_up, NULL};
