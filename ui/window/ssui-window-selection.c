/* ui/window/ssui-window-selection.c: the window's commands for several objects of a sketch: choosing, moving, turning,
 * mirroring, copying, repeating. Tests: tests/ui/test_edit.py */
#include "ui/window/ssui-window-private.h"

#include "ui/parts/ssui-util.h"
#include "ui/window/ssui-array-dialog.h"
#include "ui/window/ssui-history-menu.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* ---- choosing ---------------------------------------------------------------------------------------------------- */

ACTION (on_select_all)
{
  UNUSED_ACTION;
  ssapp_document_select_all (ssui_window_get_document (data));
}

ACTION (on_select_none)
{
  UNUSED_ACTION;
  ssapp_document_select (ssui_window_get_document (data), NULL);
}

ACTION (on_select_also)
{
  (void)action;
  ssapp_document_toggle_selected (ssui_window_get_document (data), g_variant_get_string (parameter, NULL));
}

ACTION (on_select_several)
{
  g_autofree const char **keys = g_variant_get_strv (parameter, NULL);
  (void)action;
  ssapp_document_set_selection (ssui_window_get_document (data), keys);
}

/* ---- moving ------------------------------------------------------------------------------------------------------ */

/* FALSE, with a message, where there is nothing to act on. */
static gboolean
begin (SsuiWindow *self)
{
  if (ssapp_document_count_selected (ssui_window_get_document (self)) == 0) {
    ssui_window_toast (self, _ ("Select something first"));
    return FALSE;
  }
  ssui_window_rewind_sketch (self);
  return TRUE;
}

ACTION (on_move)
{
  SsuiWindow *self = data;
  g_autoptr (GError) error = NULL;
  double dx, dy;
  (void)action;
  g_variant_get (parameter, "(dd)", &dx, &dy);
  if (isfinite (dx + dy) && begin (self) &&
      !ssapp_document_move_selection (ssui_window_get_document (self), dx, dy, &error))
    ssui_window_fail (self, _ ("Not moved"), error->message);
}

ACTION (on_turn)
{
  SsuiWindow *self = data;
  g_autoptr (GError) error = NULL;
  double degrees = g_variant_get_double (parameter);
  (void)action;
  if (isfinite (degrees) && begin (self) &&
      !ssapp_document_turn_selection (ssui_window_get_document (self), degrees * G_PI / 180, NULL, &error))
    ssui_window_fail (self, _ ("Not turned"), error->message);
}

ACTION (on_mirror)
{
  SsuiWindow *self = data;
  g_autoptr (GError) error = NULL;
  gboolean is_horizontal = strcmp (g_variant_get_string (parameter, NULL), "vertical") != 0;
  (void)action;
  if (begin (self) && !ssapp_document_mirror_selection (ssui_window_get_document (self), is_horizontal, &error))
    ssui_window_fail (self, _ ("Not mirrored"), error->message);
}

ACTION (on_align)
{
  SsuiWindow *self = data;
  g_autoptr (GError) error = NULL;
  (void)action;
  if (begin (self) &&
      !ssapp_document_align_selection (ssui_window_get_document (self), g_variant_get_string (parameter, NULL), &error))
    ssui_window_fail (self, _ ("Not aligned"), error->message);
}

ACTION (on_distribute)
{
  SsuiWindow *self = data;
  g_autoptr (GError) error = NULL;
  gboolean is_horizontal = strcmp (g_variant_get_string (parameter, NULL), "vertical") != 0;
  (void)action;
  if (begin (self) && !ssapp_document_distribute_selection (ssui_window_get_document (self), is_horizontal, &error))
    ssui_window_fail (self, _ ("Not spread"), error->message);
}

/* ---- copies ------------------------------------------------------------------------------------------------------ */

/* A copy lies so many cells of the grid beside its original: far enough to be seen, on the grid as that is. */
#define COPY_CELLS 2

ACTION (on_duplicate)
{
  SsuiWindow *self = data;
  double step = COPY_CELLS * ssui_canvas_grid_step (ssui_window_get_canvas (self));
  g_autoptr (GError) error = NULL;
  UNUSED_ACTION;
  if (begin (self) && !ssapp_document_duplicate_selection (ssui_window_get_document (self), step, step, &error))
    ssui_window_fail (self, _ ("Not duplicated"), error->message);
  else
    ssui_canvas_show_selected (ssui_window_get_canvas (self)); /* or whatever is selected */
}

/* FALSE after a message. */
static gboolean
copy (SsuiWindow *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = ssapp_document_copy_selection (ssui_window_get_document (self), &error);

  if (text == NULL) {
    ssui_window_fail (self, _ ("Not copied"), error->message);
    return FALSE;
  }
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  return TRUE;
}

ACTION (on_copy)
{
  UNUSED_ACTION;
  if (ssapp_document_count_selected (ssui_window_get_document (data)) == 0)
    ssui_window_toast (data, _ ("Select something first"));
  else
    copy (data);
}

ACTION (on_cut)
{
  SsuiWindow *self = data;
  g_autoptr (GError) error = NULL;
  UNUSED_ACTION;
  if (begin (self) && copy (self) && !ssapp_document_delete_selection (ssui_window_get_document (self), &error))
    ssui_window_fail (self, _ ("Copied, but not cut"), error->message);
}

static void
on_text (GObject *clipboard, GAsyncResult *result, gpointer data)
{
  g_autoptr (SsuiWindow) self = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (clipboard), result, NULL);
  double step;

  if (self->session == NULL) /* closed while the text was on its way */
    return;
  ssui_window_rewind_sketch (self);
  step = COPY_CELLS * ssui_canvas_grid_step (ssui_window_get_canvas (self));
  if (!ssapp_document_paste (ssui_window_get_document (self), text != NULL ? text : "", step, step, &error))
    ssui_window_fail (self, _ ("Not pasted"), error->message);
  else
    ssui_canvas_show_selected (ssui_window_get_canvas (self));
}

ACTION (on_paste)
{
  UNUSED_ACTION;
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (data), NULL, on_text, g_object_ref (data));
}

ACTION (on_array)
{
  SsuiWindow *self = data;
  g_autoptr (GError) error = NULL;
  double dx, dy, degrees;
  SsVec2 about;
  int n;
  (void)action;
  g_variant_get (parameter, "(iddddd)", &n, &dx, &dy, &degrees, &about.x, &about.y);
  if (begin (self) && !ssapp_document_array_selection (ssui_window_get_document (self), n, dx, dy, degrees * G_PI / 180,
                                                       isfinite (about.x + about.y) ? &about : NULL, &error))
    ssui_window_fail (self, _ ("No array was made"), error->message);
  else
    ssui_canvas_show_selected (ssui_window_get_canvas (self));
}

ACTION (on_array_dialog)
{
  SsuiWindow *self = data;
  SsVec2 centre = ssapp_document_get_selection_centre (ssui_window_get_document (self));
  double bounds[4] = {centre.x, centre.y, centre.x + 1, centre.y};
  UNUSED_ACTION;
  if (!begin (self))
    return;
  ssapp_document_get_selection_bounds (ssui_window_get_document (self), bounds);
  ssui_array_dialog_present (self, bounds);
}

/* ---- joints ------------------------------------------------------------------------------------------------------ */

static void
join (SsuiWindow *self, const char *name, const SsVec2 *at)
{
  g_autoptr (GError) error = NULL;
  SsappJointKind kind;

  if (!ssapp_joint_kind_from_name (name, &kind))
    return;
  ssui_window_rewind_sketch (self);
  if (!ssapp_document_join_selection (ssui_window_get_document (self), kind, at, &error))
    ssui_window_fail (self, _ ("Not joined"), error->message);
}

ACTION (on_join)
{
  (void)action;
  join (data, g_variant_get_string (parameter, NULL), NULL);
}

ACTION (on_join_at)
{
  const char *name;
  SsVec2 at;
  (void)action;
  g_variant_get (parameter, "(&sdd)", &name, &at.x, &at.y);
  if (isfinite (at.x + at.y))
    join (data, name, &at);
}

ACTION (on_measure)
{
  g_autoptr (GError) error = NULL;
  (void)action;
  ssui_window_rewind_sketch (data);
  if (!ssapp_document_measure_selection (ssui_window_get_document (data),
                                         g_str_equal (g_variant_get_string (parameter, NULL), "angle"), &error))
    ssui_window_fail (data, _ ("Not measured"), error->message);
}

/* ---- history ----------------------------------------------------------------------------------------------------- */

ACTION (on_history)
{
  (void)action;
  ssapp_document_go (ssui_window_get_document (data), g_variant_get_int32 (parameter));
}

/* ---- table ------------------------------------------------------------------------------------------------------- */

static const SsuiCommand commands[] = {
    {.name = "cut", .activate = on_cut, .label = N_ ("Cut"), .menus = SSUI_MENU_CLIPBOARD},
    {.name = "copy", .activate = on_copy, .label = N_ ("Copy"), .menus = SSUI_MENU_CLIPBOARD},
    {.name = "paste", .activate = on_paste, .label = N_ ("Paste"), .menus = SSUI_MENU_SHEET | SSUI_MENU_CLIPBOARD},
    {.name = "duplicate", .activate = on_duplicate, .label = N_ ("Duplicate"), .menus = SSUI_MENU_CLIPBOARD},
    {.name = "select-all", .activate = on_select_all, .label = N_ ("Select All"), .menus = SSUI_MENU_SHEET},
    {.name = "select-none", .activate = on_select_none},
    {.name = "select-also", .activate = on_select_also, .parameter_type = "s" /* key: one more or less */},
    {.name = "select-several", .activate = on_select_several, .parameter_type = "as" /* keys */},
    {.name = "move", .activate = on_move, .parameter_type = "(dd)" /* m */},
    {.name = "mirror", .activate = on_mirror, .parameter_type = "s" /* horizontal|vertical */},
    {.name = "mirror", .target = "::horizontal", .label = N_ ("Mirror Left and Right"), .menus = SSUI_MENU_TURN},
    {.name = "mirror", .target = "::vertical", .label = N_ ("Mirror Up and Down"), .menus = SSUI_MENU_TURN},
    {.name = "turn", .activate = on_turn, .parameter_type = "d" /* degrees */},
    {.name = "turn", .target = "(90.0)", .label = N_ ("Turn Left by 90°"), .menus = SSUI_MENU_TURN},
    {.name = "turn", .target = "(-90.0)", .label = N_ ("Turn Right by 90°"), .menus = SSUI_MENU_TURN},
    {.name = "align", .activate = on_align, .parameter_type = "s" /* left|centre|right|top|middle|bottom */},
    {.name = "align", .target = "::left", .label = N_ ("Left Edges"), .menus = SSUI_MENU_ALIGN},
    {.name = "align", .target = "::centre", .label = N_ ("Centres, One above Another"), .menus = SSUI_MENU_ALIGN},
    {.name = "align", .target = "::right", .label = N_ ("Right Edges"), .menus = SSUI_MENU_ALIGN},
    {.name = "align", .target = "::top", .label = N_ ("Upper Edges"), .menus = SSUI_MENU_ALIGN},
    {.name = "align", .target = "::middle", .label = N_ ("Middles, Side by Side"), .menus = SSUI_MENU_ALIGN},
    {.name = "align", .target = "::bottom", .label = N_ ("Lower Edges"), .menus = SSUI_MENU_ALIGN},
    {.name = "distribute", .activate = on_distribute, .parameter_type = "s" /* horizontal|vertical */},
    {.name = "distribute", .target = "::horizontal", .label = N_ ("Same Gaps Across"), .menus = SSUI_MENU_ALIGN},
    {.name = "distribute", .target = "::vertical", .label = N_ ("Same Gaps Upright"), .menus = SSUI_MENU_ALIGN},
    {.name = "array",
     .activate = on_array,
     .parameter_type = "(iddddd)" /* number, right, up [m], degrees, about x, y; nan: their middle */},
    {.name = "array-dialog", .activate = on_array_dialog, .label = N_ ("Array"), .menus = SSUI_MENU_REPEAT},
    {.name = "join", .activate = on_join, .parameter_type = "s" /* pin|slider|rod|spring|weld|torsion|gear|rope */},
    {.name = "measure", .activate = on_measure, .parameter_type = "s" /* distance|angle */},
    {.name = "measure", .target = "::distance", .label = N_ ("Measure the Distance"), .menus = SSUI_MENU_JOIN},
    {.name = "measure", .target = "::angle", .label = N_ ("Measure the Angle"), .menus = SSUI_MENU_JOIN},
    {.name = "join", .target = "::pin", .label = N_ ("By a Pin"), .menus = SSUI_MENU_JOIN},
    {.name = "join", .target = "::slider", .label = N_ ("By a Slider"), .menus = SSUI_MENU_JOIN},
    {.name = "join", .target = "::rod", .label = N_ ("By a Rod"), .menus = SSUI_MENU_JOIN},
    {.name = "join", .target = "::spring", .label = N_ ("By a Spring"), .menus = SSUI_MENU_JOIN},
    {.name = "join", .target = "::gear", .label = N_ ("By a Gear or Belt"), .menus = SSUI_MENU_JOIN},
    {.name = "join", .target = "::rope", .label = N_ ("By a Rope"), .menus = SSUI_MENU_JOIN},
    {.name = "join", .target = "::weld", .label = N_ ("By a Weld"), .menus = SSUI_MENU_JOIN},
    {.name = "join", .target = "::torsion", .label = N_ ("By a Torsion Spring"), .menus = SSUI_MENU_JOIN},
    {.name = "join-at", .activate = on_join_at, .parameter_type = "(sdd)" /* kind, x, y */},
    {.name = "history", .activate = on_history, .parameter_type = "i" /* steps, below 0: back */},
};

static const SsuiKey keys[] = {
    {SSUI_KEYS_SEVERAL, N_ ("Select all"), "<Control>a", "win.select-all"},
    {SSUI_KEYS_SEVERAL, N_ ("Duplicate"), "<Control>d", "win.duplicate"},
    {SSUI_KEYS_SEVERAL, N_ ("Copy, cut, paste as text"), "<Control>c", "win.copy"},
    {SSUI_KEYS_SEVERAL, NULL, "<Control>x", "win.cut"},
    {SSUI_KEYS_SEVERAL, NULL, "<Control>v", "win.paste"},
    {SSUI_KEYS_SEVERAL, N_ ("Repeat along a line or a circle"), "<Control><Shift>m", "win.array-dialog"},
    {SSUI_KEYS_SEVERAL, N_ ("Menu of what is selected"), "<Shift>F10", NULL},
    {0}};

static void
set_up (SsuiWindow *self)
{
  ssui_history_menu_attach (GTK_MENU_BUTTON (self->history), ssui_window_get_document (self));
}

const SsuiSubject ssui_selection_commands = {commands, G_N_ELEMENTS (commands), set_up, keys};
