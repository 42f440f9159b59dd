/* ui/window/ssui-window-robot.c: a robot of MJCF or URDF is opened as a scene, and what that cannot say of it is shown.
 * Tests: tests/ui/test_robot.py */
#include "ui/window/ssui-window-private.h"

#include "app/base/ssapp-file.h"
#include "app/exchange/ssapp-robot.h"
#include "ui/parts/ssui-recent.h"

#include <glib/gi18n.h>
#include <string.h>

/* Lines that a dialog shows at most. */
#define MOST_LINES 200
/* Height of a line and of the dialog's list [px]. */
#define LINE_HEIGHT 22
#define MOST_HEIGHT 320

static void read_robot (SsuiWindow *self, const char *path, gboolean is_lossy);

static void
on_response (AdwMessageDialog *dialog, const char *response, SsuiWindow *self)
{
  if (strcmp (response, "leave-out") == 0)
    read_robot (self, g_object_get_data (G_OBJECT (dialog), "path"), TRUE);
}

/* Lines "FILE:LINE: ..." without the file, which the heading names. */
static char *
lines_of (const GPtrArray *told, const char *path)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < MIN (told->len, MOST_LINES); i++) {
    const char *line = g_ptr_array_index (told, i);
    g_string_append_printf (text, _ ("%sLine %s"), i > 0 ? "\n" : "", line + strlen (path) + 1);
  }
  if (told->len > MOST_LINES)
    g_string_append_printf (text, _ ("\n… and %u more"), told->len - MOST_LINES);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
show_told (SsuiWindow *self, const char *path, const GPtrArray *told, gboolean is_refused)
{
  g_autofree char *name = g_path_get_basename (path), *lines = lines_of (told, path);
  g_autofree char *heading = is_refused ? g_strdup_printf (_ ("“%s” Is No Planar Scene"), name)
                                        : g_strdup_printf (_ ("“%s” Is a Scene Now"), name);
  GtkWidget *dialog = adw_message_dialog_new (
      GTK_WINDOW (self), heading,
      is_refused ? _ ("What is marked as an error can be left out; the motion is another one then.")
                 : _ ("This is left out or changed:"));
  GtkWidget *label = gtk_label_new (lines), *scrolled = gtk_scrolled_window_new ();

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), label);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), MOST_HEIGHT);
  /* Labels that wrap tell too small a height. */
  gtk_widget_set_size_request (scrolled, 420, MIN (MOST_HEIGHT, LINE_HEIGHT * ((int)told->len + 1)));
  adw_message_dialog_set_extra_child (ADW_MESSAGE_DIALOG (dialog), scrolled);
  adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "close", is_refused ? _ ("_Cancel") : _ ("_Close"));
  if (is_refused)
    adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "leave-out", _ ("_Leave Out"));
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "close");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "close");
  g_object_set_data_full (G_OBJECT (dialog), "path", g_strdup (path), g_free);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_response), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
read_robot (SsuiWindow *self, const char *path, gboolean is_lossy)
{
  const SsappRobotOptions options = {.is_lossy = is_lossy};
  g_autoptr (GPtrArray) told = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL, *scene = NULL, *name = g_path_get_basename (path);
  gsize length = 0;

  if (ssapp_read_file (path, SS_SCENARIO_MAX_BYTES, &text, &length, &error))
    scene = ssapp_robot_to_scene (path, text, length, &options, told, &error);
  if (scene == NULL && told->len > 0) {
    show_told (self, path, told, TRUE);
  } else if (scene == NULL || !ssapp_document_load_text (ssui_window_get_document (self), scene, -1, name, &error)) {
    ssui_window_fail (self, _ ("The robot cannot be opened"), error->message);
  } else {
    ssui_recent_add (path);
    ssui_window_show_sketch (self);
    if (told->len > 0)
      show_told (self, path, told, FALSE);
  }
}

void
ssui_window_open_robot (SsuiWindow *self, const char *path)
{
  read_robot (self, path, FALSE);
}
