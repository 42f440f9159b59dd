/* ui/window/ssui-window-copy.c: a project that is not opened, being damaged, newer or not as Stickslip made it: what
 * can be read of it as a new project. Tests: tests/ui/test_damaged.py */
#include "ui/window/ssui-window-private.h"

#include "app/store/ssapp-store-copy.h"

static const char *const patterns[] = {"*" SSAPP_PROJECT_SUFFIX, NULL};

static void
save_copy (SsuiWindow *self, const char *path)
{
  const char *from = g_object_get_data (G_OBJECT (self), "copied-project");
  g_autofree char *to =
      g_str_has_suffix (path, SSAPP_PROJECT_SUFFIX) ? g_strdup (path) : g_strconcat (path, SSAPP_PROJECT_SUFFIX, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (SsappCopied) copied = from != NULL ? ssapp_store_copy_readable (from, to, &error) : NULL;

  if (copied == NULL) {
    ssui_window_fail (self, "No copy was made", error != NULL ? error->message : "");
    return;
  }
  g_autofree char *words = ssapp_copied_describe (copied), *text = g_strdup_printf ("The copy has %s", words);
  ssui_window_open_path (self, to);
  ssui_window_toast (self, text);
}

static void
on_response (AdwMessageDialog *dialog, const char *response, SsuiWindow *self)
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
  ssui_window_choose_file (self, "Save Readable Copy", GTK_FILE_CHOOSER_ACTION_SAVE, "_Save", proposed, patterns, NULL,
                           save_copy);
}

gboolean
ssui_window_ask_copy (SsuiWindow *self, const char *path, const GError *error)
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
  g_autofree char *body =
      g_strdup_printf ("%s.\n\nWhat can be read of it can be saved as a new project. The file stays as it is.", what);
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (self), "The Project Cannot Be Opened", body);
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", "_Not Now", "copy", "_Save Readable Copy…",
                                    NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "copy", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "copy");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_response), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
  return TRUE;
}
