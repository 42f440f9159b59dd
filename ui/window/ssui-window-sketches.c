/* ui/window/ssui-window-sketches.c: commands on the sketches of the project. Tests: tests/ui/test_sketches.py */
#include "ui/window/ssui-window-private.h"

#include "ui/parts/ssui-util.h"
#include "ui/window/ssui-versions-window.h"

#include <glib/gi18n.h>

static SsappSketches *
sketches_of (SsuiWindow *self)
{
  return ssapp_session_get_sketches (self->session);
}

static void
add_now (SsuiWindow *self, const char *argument)
{
  g_autoptr (GError) error = NULL;

  (void)argument;
  if (ssapp_sketches_add_new (sketches_of (self), &error))
    ssui_window_show_sketch (self);
  else
    ssui_window_fail (self, _ ("No new sketch"), error->message);
}

ACTION (on_add)
{
  SsuiWindow *self = data;
  g_autoptr (GError) error = NULL;
  UNUSED_ACTION;
  if (ssapp_session_ensure_store (self->session, &error))
    ssui_window_after_saving (self, add_now, NULL);
  else
    ssui_window_fail (self, _ ("No new sketch"), error->message);
}

ACTION (on_keep)
{
  SsuiWindow *self = data;
  g_autoptr (GError) error = NULL;
  UNUSED_ACTION;
  if (!ssapp_session_ensure_store (self->session, &error) || !ssapp_sketches_keep (sketches_of (self), &error))
    ssui_window_fail (self, _ ("Not kept"), error != NULL ? error->message : _ ("The project can only be read"));
  else
    ssui_window_toast (self, _ ("Kept in the project"));
}

static void
open_now (SsuiWindow *self, const char *id)
{
  g_autoptr (GError) error = NULL;

  if (ssapp_sketches_open (sketches_of (self), id, &error))
    ssui_window_show_sketch (self);
  else
    ssui_window_fail (self, _ ("The sketch cannot be opened"), error->message);
}

ACTION (on_open)
{
  SsuiWindow *self = data;
  const char *id = g_variant_get_string (parameter, NULL);
  (void)action;
  if (g_strcmp0 (id, ssapp_sketches_get_current (sketches_of (self))) == 0)
    ssui_window_show_sketch (self);
  else
    ssui_window_after_saving (self, open_now, id);
}

static void
copy_now (SsuiWindow *self, const char *id)
{
  g_autoptr (GError) error = NULL;

  if (!ssapp_sketches_copy (sketches_of (self), id, &error))
    ssui_window_fail (self, _ ("Not copied"), error->message);
}

ACTION (on_copy)
{
  (void)action;
  ssui_window_after_saving (data, copy_now, g_variant_get_string (parameter, NULL));
}

static void
rename_to (SsuiWindow *self, const char *id, const char *title)
{
  g_autoptr (GError) error = NULL;

  if (!ssapp_sketches_rename (sketches_of (self), id, title, &error))
    ssui_window_fail (self, _ ("Not renamed"), error->message);
}

ACTION (on_rename)
{
  const char *id, *title;
  (void)action;
  g_variant_get (parameter, "(&s&s)", &id, &title);
  rename_to (data, id, title);
}

static void
on_rename_response (AdwMessageDialog *dialog, const char *response, SsuiWindow *self)
{
  GtkWidget *entry = adw_message_dialog_get_extra_child (dialog);

  if (g_strcmp0 (response, "rename") == 0)
    rename_to (self, g_object_get_data (G_OBJECT (dialog), "id"), gtk_editable_get_text (GTK_EDITABLE (entry)));
}

static void
on_rename_typed (GtkEditable *entry, AdwMessageDialog *dialog)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (entry)));
  adw_message_dialog_set_response_enabled (dialog, "rename", *text != '\0');
}

ACTION (on_rename_dialog)
{
  SsuiWindow *self = data;
  const char *id = g_variant_get_string (parameter, NULL);
  SsappStore *store = ssapp_session_get_store (self->session);
  g_autoptr (GError) error = NULL;
  SsappSketchRow *row = store != NULL ? ssapp_store_get_sketch (store, id, &error) : NULL;
  (void)action;
  if (row == NULL) {
    ssui_window_fail (self, "", error != NULL ? error->message : _ ("There is no project yet"));
    return;
  }
  GtkWidget *widget = adw_message_dialog_new (GTK_WINDOW (self), _ ("Rename Sketch"), NULL), *entry = gtk_entry_new ();
  AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG (widget);
  adw_message_dialog_add_responses (dialog, "cancel", _ ("_Cancel"), "rename", _ ("_Rename"), NULL);
  adw_message_dialog_set_response_appearance (dialog, "rename", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (dialog, "rename");
  adw_message_dialog_set_close_response (dialog, "cancel");
  adw_message_dialog_set_extra_child (dialog, entry);
  gtk_editable_set_text (GTK_EDITABLE (entry), row->title);
  gtk_entry_set_activates_default (GTK_ENTRY (entry), TRUE);
  ssui_set_label (entry, _ ("Name of the sketch"));
  g_object_set_data_full (G_OBJECT (dialog), "id", g_strdup (row->id), g_free);
  g_signal_connect_object (entry, "changed", G_CALLBACK (on_rename_typed), dialog, 0);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_rename_response), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
  gtk_widget_grab_focus (entry);
  ssapp_sketch_row_free (row);
}

ACTION (on_delete)
{
  SsuiWindow *self = data;
  g_autofree char *id = g_strdup (g_variant_get_string (parameter, NULL));
  g_autoptr (GError) error = NULL;
  (void)action;
  if (!ssapp_sketches_delete (sketches_of (self), id, &error)) {
    ssui_window_fail (self, _ ("Not deleted"), error->message);
    return;
  }
  ssui_window_toast_undo (self, _ ("Sketch deleted, its runs stay"), "win.undelete-sketch", id);
}

ACTION (on_undelete)
{
  SsuiWindow *self = data;
  g_autoptr (GError) error = NULL;
  (void)action;
  if (!ssapp_sketches_undelete (sketches_of (self), g_variant_get_string (parameter, NULL), &error))
    ssui_window_fail (self, _ ("Not brought back"), error->message);
}

ACTION (on_sketch_versions)
{
  SsuiWindow *self = data;
  (void)action;
  ssui_versions_window_present (self, self->session, g_variant_get_string (parameter, NULL));
}

/* Of the sketch at hand, which is kept for it. */
ACTION (on_versions)
{
  SsuiWindow *self = data;
  g_autoptr (GError) error = NULL;
  const char *id =
      ssapp_session_keep_sketch (self->session, &error) ? ssapp_sketches_get_current (sketches_of (self)) : NULL;
  UNUSED_ACTION;
  if (id == NULL)
    ssui_window_fail (self, _ ("No versions"), error != NULL ? error->message : _ ("This sketch was not changed yet"));
  else
    ssui_versions_window_present (self, self->session, id);
}

static void
go_back_now (SsuiWindow *self, const char *target)
{
  g_auto (GStrv) parts = g_strsplit (target, "@", 2);
  g_autoptr (GError) error = NULL;

  if (!ssapp_sketches_go_back (sketches_of (self), parts[0], (int)g_ascii_strtoll (parts[1], NULL, 10), &error)) {
    ssui_window_fail (self, _ ("Not changed"), error->message);
    return;
  }
  ssui_window_show_sketch (self);
  ssui_window_toast_undo_step (self, _ ("The sketch is as it was"));
}

ACTION (on_go_back)
{
  const char *id;
  int number;
  g_autofree char *target = NULL;
  (void)action;
  g_variant_get (parameter, "(&si)", &id, &number);
  target = g_strdup_printf ("%s@%d", id, number);
  ssui_window_after_saving (data, go_back_now, target);
}

static const SsuiCommand commands[] = {
    {.name = "add-sketch", .activate = on_add},
    {.name = "keep-sketch", .activate = on_keep},
    {.name = "open-sketch",
     .activate = on_open,
     .parameter_type = "s" /* id */,
     .label = N_ ("Open"),
     .menus = SSUI_MENU_SKETCH},
    {.name = "copy-sketch",
     .activate = on_copy,
     .parameter_type = "s" /* id */,
     .label = N_ ("Duplicate"),
     .menus = SSUI_MENU_SKETCH},
    {.name = "rename-sketch", .activate = on_rename, .parameter_type = "(ss)" /* id, title */},
    {.name = "rename-sketch-dialog",
     .activate = on_rename_dialog,
     .parameter_type = "s" /* id */,
     .label = N_ ("Rename…"),
     .menus = SSUI_MENU_SKETCH},
    {.name = "sketch-versions",
     .activate = on_sketch_versions,
     .parameter_type = "s" /* id */,
     .label = N_ ("Versions…"),
     .menus = SSUI_MENU_SKETCH},
    {.name = "versions", .activate = on_versions, .label = N_ ("Versions of the Sketch…")},
    {.name = "go-back", .activate = on_go_back, .parameter_type = "(si)" /* id, number of the version */},
    {.name = "delete-sketch",
     .activate = on_delete,
     .parameter_type = "s" /* id */,
     .label = N_ ("Delete"),
     .menus = SSUI_MENU_SKETCH},
    {.name = "undelete-sketch", .activate = on_undelete, .parameter_type = "s" /* id */},
};

static void
set_up (SsuiWindow *self)
{
  g_signal_connect_object (sketches_of (self), "changed", G_CALLBACK (ssui_window_queue_state), self,
                           G_CONNECT_SWAPPED);
}

const SsuiSubject ssui_sketch_commands = {commands, G_N_ELEMENTS (commands), set_up, NULL};
