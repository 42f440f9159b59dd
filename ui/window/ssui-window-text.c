/* ui/window/ssui-window-text.c: the pane of equations and source beside the sketch, and its commands.
 * Tested by tests/ui/test_sketches.py. */
#include "ui/window/ssui-window-private.h"

#include <glib/gi18n.h>
#include <string.h>

static void
set_state (SsuiWindow *self, const char *name, gboolean is_on)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), name);
  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_boolean (is_on));
}

static SsuiTextPane *
text_of (SsuiWindow *self)
{
  return ssui_sketch_page_get_text (SKETCH_PAGE (self));
}

/* NULL: nothing. */
static void
show_text (SsuiWindow *self, const char *name)
{
  if (name != NULL)
    ssui_window_show_page (self, "sketch");
  ssui_sketch_page_show_text (SKETCH_PAGE (self), name);
  set_state (self, "equations", g_strcmp0 (name, "equations") == 0);
  set_state (self, "source", g_strcmp0 (name, "source") == 0);
  if (g_strcmp0 (name, "source") == 0)
    ssui_source_view_focus (ssui_text_pane_get_source (text_of (self)));
}

static void
change_equations (GSimpleAction *action, GVariant *state, gpointer data)
{
  (void)action;
  show_text (data, g_variant_get_boolean (state) ? "equations" : NULL);
}

static void
change_source (GSimpleAction *action, GVariant *state, gpointer data)
{
  (void)action;
  show_text (data, g_variant_get_boolean (state) ? "source" : NULL);
}

ACTION (on_close_text)
{
  UNUSED_ACTION;
  show_text (data, NULL);
}

ACTION (on_copy)
{
  SsuiWindow *self = data;
  const gboolean as_latex = strcmp (g_variant_get_string (parameter, NULL), "latex") == 0;
  (void)action;
  ssui_equations_view_copy (ssui_text_pane_get_equations (text_of (self)), as_latex);
  ssui_window_toast (self, as_latex ? _ ("Copied as LaTeX") : _ ("Copied as text"));
}

ACTION (on_method)
{
  SsuiWindow *self = data;
  const char *name = g_variant_get_string (parameter, NULL);
  (void)action;
  if (!ssui_equations_view_set_method (ssui_text_pane_get_equations (text_of (self)), name)) {
    g_autofree char *text = g_strdup_printf (_ ("“%s” is no method for this scenario"), name);
    ssui_window_fail (self, "", text);
  }
}

ACTION (on_apply)
{
  SsuiWindow *self = data;
  UNUSED_ACTION;
  (void)ssui_source_view_apply (ssui_text_pane_get_source (text_of (self)));
}

ACTION (on_revert)
{
  SsuiWindow *self = data;
  UNUSED_ACTION;
  ssui_source_view_revert (ssui_text_pane_get_source (text_of (self)));
}

/* The keyboard is in the source. */
static gboolean
is_in_source (SsuiWindow *self)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));
  return focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (ssui_text_pane_get_source (text_of (self))));
}

gboolean
ssui_window_find_in_text (SsuiWindow *self)
{
  if (!is_in_source (self))
    return FALSE;
  ssui_source_view_find (ssui_text_pane_get_source (text_of (self)));
  return TRUE;
}

gboolean
ssui_window_undo_in_text (SsuiWindow *self, gboolean redo)
{
  SsuiSourceView *source = ssui_text_pane_get_source (text_of (self));

  /* What was applied is a step of the sketch. */
  return is_in_source (self) && ssui_source_view_is_changed (source) && ssui_source_view_undo (source, redo);
}

/* ---- closing ----------------------------------------------------------------------------------------------------- */

static void
on_unapplied_response (AdwMessageDialog *dialog, const char *response, SsuiWindow *self)
{
  SsuiSourceView *source = ssui_text_pane_get_source (text_of (self));

  (void)dialog;
  if (strcmp (response, "discard") == 0)
    ssui_source_view_revert (source);
  else if (strcmp (response, "apply") != 0 || !ssui_source_view_apply (source))
    return;
  gtk_window_close (GTK_WINDOW (self));
}

gboolean
ssui_window_ask_unapplied (SsuiWindow *self)
{
  GtkWidget *widget;

  if (ssui_window_find_widget (self, &ssui_sketch_page) == NULL || /* it is not made for that */
      !ssui_source_view_is_changed (ssui_text_pane_get_source (text_of (self))))
    return FALSE;
  widget = adw_message_dialog_new (
      GTK_WINDOW (self), _ ("Apply the Source?"),
      _ ("Text of the source view is not applied to the sketch. It is lost if you discard it."));
  AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG (widget);
  adw_message_dialog_add_responses (dialog, "cancel", _ ("_Cancel"), "discard", _ ("_Discard"), "apply", _ ("_Apply"),
                                    NULL);
  adw_message_dialog_set_response_appearance (dialog, "discard", ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_response_appearance (dialog, "apply", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (dialog, "apply");
  adw_message_dialog_set_close_response (dialog, "cancel");
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_unapplied_response), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
  return TRUE;
}

/* ---- actions ----------------------------------------------------------------------------------------------------- */

static const SsuiCommand commands[] = {
    {.name = "equations",
     .state = "false",
     .change_state = change_equations,
     .keys = "<Control><Shift>e",
     .group = SSUI_KEYS_SKETCH,
     .title = N_ ("Equations"),
     .label = N_ ("Equations")},
    {.name = "source",
     .state = "false",
     .change_state = change_source,
     .keys = "<Control>u",
     .group = SSUI_KEYS_SKETCH,
     .title = N_ ("Source"),
     .label = N_ ("Source")},
    {.name = "close-text", .activate = on_close_text},
    {.name = "copy-equations", .activate = on_copy, .parameter_type = "s" /* text|latex */},
    {.name = "equations-method", .activate = on_method, .parameter_type = "s"},
    {.name = "apply-source", .activate = on_apply},
    {.name = "revert-source", .activate = on_revert},
};

const SsuiSubject ssui_text_commands = {commands, G_N_ELEMENTS (commands), NULL, NULL};
