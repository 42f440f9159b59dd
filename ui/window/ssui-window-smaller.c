/* ui/window/ssui-window-smaller.c: commands that make a project smaller: less of the motions of its runs, and a file
 * without the room of what was deleted. Tests: tests/ui/test_study_outcomes.py */
#include "ui/window/ssui-window-private.h"

#include "app/session/ssapp-shrinking.h"

#include <glib/gi18n.h>

/* While the project is made smaller: what stops it, and the toast that says so. */
static const char SHRINKING[] = "ssui-shrinking", SHRINKING_TOAST[] = "ssui-shrinking-toast";

ACTION (on_shrink_cancel)
{
  GCancellable *cancellable = g_object_get_data (data, SHRINKING);

  UNUSED_ACTION;
  if (cancellable != NULL)
    g_cancellable_cancel (cancellable);
}

/* The window, which is not kept: a closed one would keep the project open. NULL: it has gone. Owned. */
static SsuiWindow *
window_of (gpointer data)
{
  return g_weak_ref_get (data);
}

static void
on_shrunk_some (guint n_done, guint n_runs, gpointer data)
{
  g_autoptr (SsuiWindow) self = window_of (data);
  AdwToast *toast = self != NULL ? g_object_get_data (G_OBJECT (self), SHRINKING_TOAST) : NULL;
  g_autofree char *text = n_done < n_runs ? g_strdup_printf (_ ("Keeping less of motions: %u of %u"), n_done, n_runs)
                                          : g_strdup (_ ("Writing the project's file anew…"));

  if (toast != NULL)
    adw_toast_set_title (toast, text);
}

/* "3 runs keep less of their motions now, the file is 2.1 MB smaller". */
static char *
shrunk_text (guint n, gint64 freed)
{
  g_autofree char *size = g_format_size ((guint64)MAX (freed, 0));
  g_autofree char *runs = g_strdup_printf (
      ngettext ("%u run keeps less of its motion now", "%u runs keep less of their motions now", n), n);

  if (n == 0)
    return freed > 0 ? g_strdup_printf (_ ("The project is %s smaller"), size)
                     : g_strdup (_ ("The project is as small as it can be"));
  return freed > 0 ? g_strdup_printf (_ ("%s; the project is %s smaller"), runs, size) : g_steal_pointer (&runs);
}

static void
on_shrunk (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (SsuiWindow) self = window_of (data);
  g_autoptr (GError) error = NULL;
  gint64 freed;
  guint n;
  const gboolean ok = ssapp_shrink_runs_finish (result, &n, &freed, &error),
                 is_cancelled = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  (void)source;
  g_weak_ref_clear (data);
  g_free (data);
  if (self == NULL || self->session == NULL) /* closed meanwhile */
    return;
  AdwToast *toast = g_object_get_data (G_OBJECT (self), SHRINKING_TOAST);
  if (toast != NULL)
    adw_toast_dismiss (toast);
  g_object_set_data (G_OBJECT (self), SHRINKING_TOAST, NULL);
  g_object_set_data (G_OBJECT (self), SHRINKING, NULL);
  g_autofree char *text = shrunk_text (n, freed);
  if (ok || (is_cancelled && n > 0))
    ssui_window_toast (self, text);
  else if (is_cancelled)
    ssui_window_toast (self, _ ("The project stays as it was"));
  else
    ssui_window_fail (self, n > 0 ? text : _ ("The project is not smaller"), error->message);
}

/* Milliseconds a run, then seconds for a large file, so with a toast that tells how far it is and can stop it. `list`
 * "": of no run. */
static void
shrink (SsuiWindow *self, const char *list, SsappKeep keep)
{
  g_auto (GStrv) ids = g_strsplit (list, ",", -1); /* "": none */
  SsappStore *store = ssapp_session_get_store (self->session);

  if (store == NULL)
    return;
  if (g_object_get_data (G_OBJECT (self), SHRINKING) != NULL) {
    ssui_window_toast (self, _ ("The project is being made smaller already"));
    return;
  }
  GCancellable *cancellable = g_cancellable_new ();
  AdwToast *toast = g_object_ref_sink (adw_toast_new (_ ("Keeping less of motions…")));
  g_object_set_data_full (G_OBJECT (self), SHRINKING, cancellable, g_object_unref);
  g_object_set_data_full (G_OBJECT (self), SHRINKING_TOAST, toast, g_object_unref);
  adw_toast_set_timeout (toast, 0);
  adw_toast_set_button_label (toast, _ ("Cancel"));
  adw_toast_set_action_name (toast, "win.shrink-cancel");
  adw_toast_overlay_add_toast (self->toasts, g_object_ref (toast));
  GWeakRef *window = g_new0 (GWeakRef, 1);
  g_weak_ref_init (window, self);
  ssapp_shrink_runs_async (store, (const char *const *)ids, keep, cancellable, on_shrunk_some, on_shrunk, window);
}

ACTION (on_shrink)
{
  const char *ids, *name;
  SsappKeep keep;
  (void)action;
  g_variant_get (parameter, "(&s&s)", &ids, &name);
  if (ssapp_keep_from_name (name, &keep) && keep != SSAPP_KEEP_ALL)
    shrink (data, ids, keep);
}

static void
on_shrink_response (AdwMessageDialog *dialog, const char *response, SsuiWindow *self)
{
  SsappKeep keep;

  if (ssapp_keep_from_name (response, &keep))
    shrink (self, g_object_get_data (G_OBJECT (dialog), "ids"), keep);
}

/* It cannot be taken back, so it asks. */
ACTION (on_shrink_dialog)
{
  const char *list = g_variant_get_string (parameter, NULL);
  g_auto (GStrv) ids = g_strsplit (list, ",", -1);
  const guint n = g_strv_length (ids);
  g_autofree char *heading = g_strdup_printf (ngettext ("Keep Less of %u Motion?", "Keep Less of %u Motions?", n), n);
  AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG (adw_message_dialog_new (
      data, heading,
      _ ("Metrics, outcomes and events stay. A thinned motion has some 200 rows, to look at; what is asked later is "
         "answered from whole motions alone. This cannot be undone; “Reproduce” makes a run's motion anew.")));
  (void)action;
  adw_message_dialog_add_responses (dialog, "cancel", _ ("_Cancel"), ssapp_keep_name (SSAPP_KEEP_METRICS),
                                    _ ("Keep _Metrics"), ssapp_keep_name (SSAPP_KEEP_THINNED), _ ("Keep _Thinned"),
                                    NULL);
  adw_message_dialog_set_response_appearance (dialog, ssapp_keep_name (SSAPP_KEEP_METRICS), ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_default_response (dialog, "cancel");
  adw_message_dialog_set_close_response (dialog, "cancel");
  g_object_set_data_full (G_OBJECT (dialog), "ids", g_strdup (list), g_free);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_shrink_response), data, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

static void
make_smaller (SsuiWindow *self)
{
  SsappStore *store = ssapp_session_get_store (self->session);
  g_autoptr (GError) error = NULL;

  if (store == NULL)
    return;
  g_auto (GStrv) ids = ssapp_store_list_deleted (store, &error);
  g_autofree char *list = ids != NULL ? g_strjoinv (",", ids) : NULL;
  if (list == NULL)
    ssui_window_fail (self, _ ("The project is not smaller"), error->message);
  else
    shrink (self, list, SSAPP_KEEP_METRICS);
}

ACTION (on_make_smaller)
{
  UNUSED_ACTION;
  make_smaller (data);
}

static void
on_smaller_response (AdwMessageDialog *dialog, const char *response, SsuiWindow *self)
{
  (void)dialog;
  if (strcmp (response, "smaller") == 0)
    make_smaller (self);
}

/* Motions of deleted runs do not come back by Undo, so it asks. */
ACTION (on_make_smaller_dialog)
{
  SsuiWindow *self = data;
  SsappStore *store = ssapp_session_get_store (self->session);
  g_autoptr (GError) error = NULL;
  gint64 bytes = 0;

  UNUSED_ACTION;
  if (store == NULL) {
    ssui_window_toast (self, _ ("No project is open"));
    return;
  }
  g_auto (GStrv) ids = ssapp_store_list_deleted (store, &error);
  if (ids == NULL || !ssapp_store_get_size (store, &bytes, &error)) {
    ssui_window_fail (self, _ ("The project is not smaller"), error->message);
    return;
  }
  const guint n = g_strv_length (ids);
  g_autofree char *size = g_format_size ((guint64)bytes),
                  *deleted =
                      g_strdup_printf (ngettext ("The motion of %u deleted run goes for good; brought back, it "
                                                 "has its metrics.",
                                                 "The motions of %u deleted runs go for good; brought back, they "
                                                 "have their metrics.",
                                                 n),
                                       n),
                  *text =
                      g_strdup_printf (_ ("It has %s. %s The file is written anew without free room, beside other "
                                          "work. “Keep Less of Motions” in the menu of runs makes it smaller still."),
                                       size, n > 0 ? deleted : _ ("No deleted run has a motion left."));
  AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG (adw_message_dialog_new (data, _ ("Make the Project Smaller?"), text));
  adw_message_dialog_add_responses (dialog, "cancel", _ ("_Cancel"), "smaller", _ ("_Make Smaller"), NULL);
  adw_message_dialog_set_response_appearance (dialog, "smaller",
                                              n > 0 ? ADW_RESPONSE_DESTRUCTIVE : ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (dialog, n > 0 ? "cancel" : "smaller");
  adw_message_dialog_set_close_response (dialog, "cancel");
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_smaller_response), data, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

static const SsuiCommand commands[] = {
    {.name = "shrink-cancel", .activate = on_shrink_cancel},
    {.name = "shrink-runs", .activate = on_shrink, .parameter_type = "(ss)" /* ids, thinned|metrics */},
    {.name = "shrink-dialog",
     .activate = on_shrink_dialog,
     .parameter_type = "s" /* ids */,
     .label = N_ ("Keep _Less of Motions…"),
     .menus = SSUI_MENU_WORDS},
    {.name = "make-smaller", .activate = on_make_smaller},
    {.name = "make-smaller-dialog", .activate = on_make_smaller_dialog, .label = N_ ("Make Project Smaller…")},
};

const SsuiSubject ssui_smaller_commands = {commands, G_N_ELEMENTS (commands), NULL, NULL};
