/* ui/window/ssui-window-selection.c: the window's commands for several objects of a sketch: choosing, moving, turning,
 * mirroring. The list of all commands: ssui-window-actions.c. Tests: tests/ui/test_edit.py */
#include "ui/window/ssui-window-private.h"

#include "ui/parts/ssui-util.h"

#include <math.h>
#include <string.h>

static SsappDocument *
document_of (SsuiWindow *self)
{
  return ssapp_session_get_document (self->session);
}

/* Editing shows the sketch, not a moment of an old motion. */
static void
rewind_sketch (SsuiWindow *self)
{
  SsuiClock *clock = ssui_sketch_page_get_clock (self->sketch_page);

  ssui_clock_set_playing (clock, FALSE);
  ssui_clock_seek (clock, 0);
}

/* ---- choosing ---------------------------------------------------------------------------------------------------- */

ACTION (on_select_all)
{
  UNUSED_ACTION;
  ssapp_document_select_all (document_of (data));
}

ACTION (on_select_none)
{
  UNUSED_ACTION;
  ssapp_document_select (document_of (data), NULL);
}

ACTION (on_select_also)
{
  (void)action;
  ssapp_document_toggle_selected (document_of (data), g_variant_get_string (parameter, NULL));
}

ACTION (on_select_several)
{
  g_autofree const char **keys = g_variant_get_strv (parameter, NULL);
  (void)action;
  ssapp_document_set_selection (document_of (data), keys);
}

/* ---- moving ------------------------------------------------------------------------------------------------------ */

/* FALSE, with a message, where there is nothing to act on. */
static gboolean
begin (SsuiWindow *self)
{
  if (ssapp_document_count_selected (document_of (self)) == 0) {
    ssui_window_toast (self, "Select something first");
    return FALSE;
  }
  rewind_sketch (self);
  return TRUE;
}

ACTION (on_move)
{
  SsuiWindow *self = data;
  g_autoptr (GError) error = NULL;
  double dx, dy;
  (void)action;
  g_variant_get (parameter, "(dd)", &dx, &dy);
  if (isfinite (dx + dy) && begin (self) && !ssapp_document_move_selection (document_of (self), dx, dy, &error))
    ssui_window_fail (self, "Not moved", error->message);
}

ACTION (on_turn)
{
  SsuiWindow *self = data;
  g_autoptr (GError) error = NULL;
  double degrees = g_variant_get_double (parameter);
  (void)action;
  if (isfinite (degrees) && begin (self) &&
      !ssapp_document_turn_selection (document_of (self), degrees * G_PI / 180, NULL, &error))
    ssui_window_fail (self, "Not turned", error->message);
}

ACTION (on_mirror)
{
  SsuiWindow *self = data;
  g_autoptr (GError) error = NULL;
  gboolean is_horizontal = strcmp (g_variant_get_string (parameter, NULL), "vertical") != 0;
  (void)action;
  if (begin (self) && !ssapp_document_mirror_selection (document_of (self), is_horizontal, &error))
    ssui_window_fail (self, "Not mirrored", error->message);
}

/* ---- table ------------------------------------------------------------------------------------------------------- */

static const GActionEntry entries[] = {
    {.name = "select-all", .activate = on_select_all},
    {.name = "select-none", .activate = on_select_none},
    {.name = "select-also", .activate = on_select_also, .parameter_type = "s"},
    {.name = "select-several", .activate = on_select_several, .parameter_type = "as"},
    {.name = "move", .activate = on_move, .parameter_type = "(dd)"},
    {.name = "turn", .activate = on_turn, .parameter_type = "d"},
    {.name = "mirror", .activate = on_mirror, .parameter_type = "s"},
};

/* Keys that act while the focus is on the page and no entry takes them. */
static const struct {
  guint key;
  GdkModifierType modifiers;
  const char *action;
} shortcuts[] = {
    {GDK_KEY_a, GDK_CONTROL_MASK, "win.select-all"},
};

void
ssui_window_add_selection_actions (SsuiWindow *self)
{
  GtkEventController *controller = gtk_shortcut_controller_new ();

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  for (guint i = 0; i < G_N_ELEMENTS (shortcuts); i++)
    gtk_shortcut_controller_add_shortcut (
        GTK_SHORTCUT_CONTROLLER (controller),
        gtk_shortcut_new (gtk_keyval_trigger_new (shortcuts[i].key, shortcuts[i].modifiers),
                          gtk_named_action_new (shortcuts[i].action)));
  gtk_widget_add_controller (GTK_WIDGET (self->sketch_page), controller);
}
