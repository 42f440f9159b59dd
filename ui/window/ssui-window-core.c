/* ui/window/ssui-window-core.c: what every command of the window may ask it for: to tell something, to show a page, to
 * tell its state anew. Every other file of the window lies above this one. */
#include "ui/window/ssui-window-private.h"

#include <glib/gi18n.h>
#include <string.h>

#define TOAST_SECONDS       4
#define LONGEST_TOAST_BYTES 110 /* longer messages get a dialog that can be read at leisure */

SsappDocument *
ssui_window_get_document (SsuiWindow *self)
{
  return ssapp_session_get_document (self->session);
}

/* ---- telling ----------------------------------------------------------------------------------------------------- */

static AdwToast *
new_toast (SsuiWindow *self, const char *text, guint seconds)
{
  g_autofree char *escaped = g_markup_escape_text (text, -1); /* toasts of 1.2 take markup */
  AdwToast *toast = adw_toast_new (escaped);

  adw_toast_set_timeout (toast, seconds);
  g_free (self->told);
  self->told = g_strdup (text);
  return toast;
}

void
ssui_window_toast (SsuiWindow *self, const char *text)
{
  adw_toast_overlay_add_toast (self->toasts, new_toast (self, text, TOAST_SECONDS));
}

static AdwToast *
new_toast_button (SsuiWindow *self, const char *text, const char *label, const char *action, GVariant *target)
{
  AdwToast *toast = new_toast (self, text, UNDO_TOAST_SECONDS);

  adw_toast_set_button_label (toast, label);
  adw_toast_set_action_name (toast, action);
  adw_toast_set_action_target_value (toast, target);
  return toast;
}

void
ssui_window_toast_button (SsuiWindow *self, const char *text, const char *label, const char *action, GVariant *target)
{
  adw_toast_overlay_add_toast (self->toasts, new_toast_button (self, text, label, action, target));
}

void
ssui_window_toast_undo (SsuiWindow *self, const char *text, const char *action, const char *target)
{
  ssui_window_toast_button (self, text, _ ("Undo"), action, target != NULL ? g_variant_new_string (target) : NULL);
}

/* A later edit would be undone in the place of the one that the toast tells. */
static void
on_changed (SsappDocument *document, AdwToast *toast)
{
  if (ssapp_document_get_step (document) != GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (toast), "step")))
    adw_toast_dismiss (toast);
}

void
ssui_window_toast_undo_step (SsuiWindow *self, const char *text)
{
  SsappDocument *document = ssui_window_get_document (self);
  AdwToast *toast = new_toast_button (self, text, _ ("Undo"), "win.undo", NULL);

  g_object_set_data (G_OBJECT (toast), "step", GUINT_TO_POINTER (ssapp_document_get_step (document)));
  g_signal_connect_object (document, "changed", G_CALLBACK (on_changed), toast, 0);
  adw_toast_overlay_add_toast (self->toasts, toast);
}

void
ssui_window_fail (SsuiWindow *self, const char *heading, const char *message)
{
  GtkWidget *dialog;

  if (self->lost_dialog != NULL) /* which says it, with a way out */
    return;
  if (strchr (message, '\n') == NULL && strlen (heading) + strlen (message) < LONGEST_TOAST_BYTES) {
    g_autofree char *text = *heading != '\0' ? g_strdup_printf ("%s: %s", heading, message) : g_strdup (message);
    ssui_window_toast (self, text);
    return;
  }
  dialog = adw_message_dialog_new (GTK_WINDOW (self), *heading != '\0' ? heading : _ ("That did not work"), message);
  adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "close", _ ("Close"));
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "close");
  gtk_window_present (GTK_WINDOW (dialog));
}

/* ---- pages ------------------------------------------------------------------------------------------------------- */

void
ssui_window_show_page (SsuiWindow *self, const char *name)
{
  const gboolean is_start = ssui_page_find (name)->is_start;

  gtk_stack_set_visible_child_name (self->mode, is_start ? name : "work");
  if (!is_start)
    adw_view_stack_set_visible_child_name (self->pages, name);
  ssui_window_queue_state (self);
}

void
ssui_window_show_sketch (SsuiWindow *self)
{
  SsuiCanvas *canvas = ssui_window_get_canvas (self);

  ssui_window_show_page (self, "sketch");
  ssui_canvas_fit (canvas);
  gtk_widget_grab_focus (GTK_WIDGET (canvas));
}

void
ssui_window_rewind_sketch (SsuiWindow *self)
{
  SsuiClock *clock = ssui_player_get_clock (ssui_window_get_parts (self, &ssui_sketch_page).player);

  ssui_clock_set_playing (clock, FALSE);
  ssui_clock_seek (clock, 0);
}

const char *
ssui_window_get_page_undo_label (SsuiWindow *self, gboolean redo)
{
  const SsuiPage *page = ssui_window_get_page (self);

  return page->get_undo_label != NULL ? page->get_undo_label (ssui_window_get_widget (self, page), redo) : NULL;
}

const char *
ssui_window_get_undo_label (SsuiWindow *self, gboolean redo)
{
  SsappDocument *document = ssui_window_get_document (self);
  const char *own = ssui_window_get_page_undo_label (self, redo);

  if (own != NULL)
    return own;
  return redo ? ssapp_document_get_redo_label (document) : ssapp_document_get_undo_label (document);
}

/* ---- state ------------------------------------------------------------------------------------------------------- */

void
ssui_window_update_state (SsuiWindow *self)
{
  if (self->state_idle != 0)
    g_source_remove (self->state_idle);
  if (self->state_late != 0)
    g_source_remove (self->state_late);
  self->state_idle = self->state_late = 0;
  g_signal_emit_by_name (self, "state-changed");
}

static gboolean
on_state_due (gpointer data)
{
  ssui_window_update_state (data);
  return G_SOURCE_REMOVE;
}

/* Many signals in a row cause one update: below redraws, so that it delays no frame, but not behind all of them: a
 * machine that draws more slowly than the screen shows never comes to what is below. */
void
ssui_window_queue_state (SsuiWindow *self)
{
  enum { LATEST_MS = 100 };

  if (self->state_idle != 0 || gtk_widget_in_destruction (GTK_WIDGET (self)))
    return;
  self->state_idle = g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, on_state_due, self, NULL);
  self->state_late = g_timeout_add (LATEST_MS, on_state_due, self);
}

gboolean
ssui_window_has_scene (SsuiWindow *self)
{
  return ssapp_document_get_scenario (ssui_window_get_document (self))->scene != NULL;
}

gboolean
ssui_window_has_selection (SsuiWindow *self)
{
  SsappDocument *document = ssui_window_get_document (self);

  return ssapp_document_get_selected (document) != NULL || ssapp_document_get_selected_item (document) != NULL;
}
