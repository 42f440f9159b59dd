/* ui/window/ssui-window-edit.c: the window's commands that edit a sketch: tools, selection, fields, tasks of the
 * selected body, undo. */
#include "ui/window/ssui-window-private.h"

#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <string.h>

/* ---- editing ----------------------------------------------------------------------------------------------------- */

static void
change_tool (GSimpleAction *action, GVariant *state, gpointer data)
{
  if (ssui_canvas_set_tool (ssui_window_get_canvas (data), g_variant_get_string (state, NULL)))
    g_simple_action_set_state (action, state);
}

ACTION (on_add)
{
  (void)action;
  ssui_sketch_page_add (SKETCH_PAGE (data), g_variant_get_string (parameter, NULL));
}

ACTION (on_select)
{
  (void)action;
  ssapp_document_select (ssui_window_get_document (data), g_variant_get_string (parameter, NULL));
}

ACTION (on_select_item)
{
  (void)action;
  ssapp_document_select_item (ssui_window_get_document (data), g_variant_get_string (parameter, NULL));
}

ACTION (on_edit_selected)
{
  UNUSED_ACTION;
  ssui_sketch_page_edit_selected (SKETCH_PAGE (data));
}

/* What was deleted, with a way back. */
static void
tell_deleted (SsuiWindow *self, const char *name)
{
  g_autofree char *text = g_strdup_printf (_ ("%s deleted"), name);

  ssui_window_toast_undo_step (self, text);
}

static void
remove_item (SsuiWindow *self, const char *path)
{
  SsappItem *item = ssapp_document_get_item (ssui_window_get_document (self), path);
  g_autofree char *name = NULL;
  g_autoptr (GError) error = NULL;

  if (item == NULL)
    return;
  if (g_str_equal (item->kind, "contact")) { /* it stays in the outline, where it can be turned on again */
    ssapp_item_free (item);
    if (!ssapp_document_set_contact_on (ssui_window_get_document (self), path, FALSE, &error))
      ssui_window_fail (self, _ ("Not changed"), error->message);
    return;
  }
  name = g_str_has_prefix (path, "task.") ? g_strdup_printf ("%s of “%s”", item->kind, item->name)
                                          : g_strdup_printf ("“%s”", item->name);
  name[0] = g_ascii_toupper (name[0]);
  ssapp_item_free (item);
  if (!ssapp_document_remove_item (ssui_window_get_document (self), path, &error))
    ssui_window_fail (self, _ ("It cannot be deleted"), error->message);
  else
    tell_deleted (self, name);
}

ACTION (on_delete)
{
  SsuiWindow *self = data;
  SsappDocument *document = ssui_window_get_document (self);
  g_autofree char *name = g_strdup (ssapp_document_get_selected (document)),
                  *item = g_strdup (ssapp_document_get_selected_item (document));
  g_autoptr (GError) error = NULL;
  UNUSED_ACTION;
  if (ssapp_document_count_selected (document) > 1) {
    g_autofree char *words = ssapp_document_describe_selection (document);
    if (!ssapp_document_delete_selection (document, &error))
      ssui_window_fail (self, _ ("They cannot be deleted"), error->message);
    else
      tell_deleted (self, words);
    return;
  }
  if (item != NULL)
    remove_item (self, item);
  if (name == NULL)
    return;
  if (!ssapp_document_delete (document, name, &error)) {
    ssui_window_fail (self, _ ("It cannot be deleted"), error->message);
  } else {
    g_autofree char *quoted = g_strdup_printf ("“%s”", name);
    tell_deleted (self, quoted);
  }
}

ACTION (on_remove_item)
{
  g_autofree char *path = g_strdup (g_variant_get_string (parameter, NULL)); /* the button that has it goes */
  (void)action;
  remove_item (data, path);
}

/* ---- task of the selected body ----------------------------------------------------------------------------------- */

/* The selected body, or that of the selected goal; a message if there is none. */
static char *
body_for_task (SsuiWindow *self)
{
  SsappDocument *document = ssui_window_get_document (self);
  const char *path = ssapp_document_get_selected_item (document);
  SsappItem *item = path != NULL && g_str_has_prefix (path, "task.") ? ssapp_document_get_item (document, path) : NULL;
  char *name = g_strdup (item != NULL ? item->name : ssapp_document_get_selected (document));

  ssapp_item_free (item);
  if (name == NULL)
    ssui_window_toast (self, _ ("Select a body first"));
  return name;
}

ACTION (on_add_goal)
{
  SsuiWindow *self = data;
  g_autofree char *body = body_for_task (self);
  g_autoptr (GError) error = NULL;
  UNUSED_ACTION;
  if (body == NULL)
    return;
  ssui_window_rewind_sketch (self);
  if (!ssapp_document_add_target (ssui_window_get_document (self), body, &error))
    ssui_window_fail (self, _ ("No goal was added"), error->message);
  else
    ssui_canvas_show_selected (ssui_window_get_canvas (self));
}

ACTION (on_add_bounds)
{
  SsuiWindow *self = data;
  g_autofree char *body = body_for_task (self);
  g_autoptr (GError) error = NULL;
  UNUSED_ACTION;
  if (body != NULL && !ssapp_document_add_bounds (ssui_window_get_document (self), body, &error))
    ssui_window_fail (self, _ ("No limits were added"), error->message);
}

ACTION (on_add_actuator)
{
  static const struct {
    const char *name;
    SsappActuatorKind kinds[2];
    int n_kinds;
  } choices[] = {{"x", {SSAPP_ACTUATOR_FORCE_X}, 1},
                 {"y", {SSAPP_ACTUATOR_FORCE_Y}, 1},
                 {"xy", {SSAPP_ACTUATOR_FORCE_X, SSAPP_ACTUATOR_FORCE_Y}, 2},
                 {"torque", {SSAPP_ACTUATOR_TORQUE}, 1}};
  SsuiWindow *self = data;
  SsappDocument *document = ssui_window_get_document (self);
  g_autofree char *body = NULL, *label = NULL, *joint = g_strdup (ssapp_document_get_selected_item (document));
  g_autoptr (GError) error = NULL;
  gboolean done = TRUE;
  (void)action;
  if (joint != NULL && g_str_has_prefix (joint, "scene.joints[")) {
    ssui_window_rewind_sketch (self);
    if (!ssapp_document_add_motor (document, joint, &error))
      ssui_window_fail (self, _ ("Nothing was added"), error->message);
    return;
  }
  body = body_for_task (self);
  if (body == NULL)
    return;
  ssui_window_rewind_sketch (self);
  label = g_strdup_printf (_ ("Drive %s"), body);
  ssapp_document_begin_gesture (document, label);
  for (guint c = 0; c < G_N_ELEMENTS (choices); c++)
    for (int i = 0; strcmp (choices[c].name, g_variant_get_string (parameter, NULL)) == 0 && i < choices[c].n_kinds;
         i++)
      done = done && ssapp_document_add_actuator (document, body, choices[c].kinds[i], &error);
  if (!ssapp_document_finish_gesture (document, done))
    ssui_window_fail (self, _ ("Nothing was added"), error->message);
}

ACTION (on_set_fixed)
{
  SsuiWindow *self = data;
  g_autoptr (GError) error = NULL;
  (void)action;
  if (ssapp_document_count_selected (ssui_window_get_document (self)) > 1) {
    if (!ssapp_document_set_selected_hold (ssui_window_get_document (self), 0, g_variant_get_boolean (parameter),
                                           &error))
      ssui_window_fail (self, _ ("Not changed"), error->message);
    return;
  }
  if (!ssapp_document_set_fixed (ssui_window_get_document (self),
                                 ssapp_document_get_selected_index (ssui_window_get_document (self)),
                                 g_variant_get_boolean (parameter), &error))
    ssui_window_fail (self, _ ("Not changed"), error->message);
}

ACTION (on_set_mass_follows)
{
  SsappDocument *document = ssui_window_get_document (data);
  g_autoptr (GError) error = NULL;
  (void)action;
  if (!ssapp_document_set_mass_follows (document, ssapp_document_get_selected_index (document),
                                        g_variant_get_boolean (parameter), &error))
    ssui_window_fail (data, _ ("Not changed"), error->message);
}

ACTION (on_set_lock)
{
  SsuiWindow *self = data;
  g_autoptr (GError) error = NULL;
  int axis;
  gboolean is_locked;
  (void)action;
  g_variant_get (parameter, "(ib)", &axis, &is_locked);
  if (axis >= 0 && axis < 3 && ssapp_document_count_selected (ssui_window_get_document (self)) > 1) {
    if (!ssapp_document_set_selected_hold (ssui_window_get_document (self), axis + 1, is_locked, &error))
      ssui_window_fail (self, _ ("Not changed"), error->message);
    return;
  }
  if (axis >= 0 && axis < 3 &&
      !ssapp_document_set_lock (ssui_window_get_document (self),
                                ssapp_document_get_selected_index (ssui_window_get_document (self)), axis, is_locked,
                                &error))
    ssui_window_fail (self, _ ("Not changed"), error->message);
}

ACTION (on_set_contact)
{
  SsuiWindow *self = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  gboolean is_on;
  (void)action;
  g_variant_get (parameter, "(sb)", &path, &is_on);
  if (!ssapp_document_set_contact_on (ssui_window_get_document (self), path, is_on, &error))
    ssui_window_fail (self, _ ("Not changed"), error->message);
}

ACTION (on_set_candidate)
{
  SsuiWindow *self = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  gboolean is_candidate;
  (void)action;
  g_variant_get (parameter, "(sb)", &path, &is_candidate);
  if (!ssapp_document_set_candidate (ssui_window_get_document (self), path, is_candidate, &error))
    ssui_window_fail (self, _ ("Not changed"), error->message);
}

ACTION (on_set_material)
{
  SsuiWindow *self = data;
  const char *name = g_variant_get_string (parameter, NULL);
  int body = ssapp_document_get_selected_index (ssui_window_get_document (self));
  g_autoptr (GError) error = NULL;
  (void)action;
  if (ssapp_document_count_selected (ssui_window_get_document (self)) > 1) {
    if (!ssapp_document_set_selected_material (ssui_window_get_document (self), *name != '\0' ? name : NULL, &error))
      ssui_window_fail (self, _ ("Not changed"), error->message);
    return;
  }
  if (body < 0)
    ssui_window_toast (self, _ ("Select a body first"));
  else if (!ssapp_document_set_material (ssui_window_get_document (self), body, *name != '\0' ? name : NULL, &error))
    ssui_window_fail (self, _ ("Not changed"), error->message);
}

ACTION (on_add_material)
{
  SsuiWindow *self = data;
  int body =
      g_variant_get_boolean (parameter) ? ssapp_document_get_selected_index (ssui_window_get_document (self)) : -1;
  g_autoptr (GError) error = NULL;
  (void)action;
  if (!ssapp_document_add_material (ssui_window_get_document (self), body, &error))
    ssui_window_fail (self, _ ("No material was added"), error->message);
  else
    ssui_sketch_page_edit_selected (SKETCH_PAGE (self));
}

/* What the page itself did comes first, then the edits of the sketch; where that is not on show, it is told. */
static void
step (SsuiWindow *self, gboolean redo)
{
  SsappDocument *document = ssui_window_get_document (self);
  g_autofree char *label = g_strdup (ssui_window_get_undo_label (self, redo)), *text = NULL;

  if (ssui_window_undo_in_text (self, redo) ||
      (ssui_window_get_page_undo_label (self, redo) != NULL && ssui_window_pass_on (self, redo ? "redo" : "undo")))
    return;
  if (redo)
    ssapp_document_redo (document);
  else
    ssapp_document_undo (document);
  if (label == NULL || ssui_window_get_page (self) == &ssui_sketch_page)
    return;
  text = g_strdup_printf (redo ? _ ("Redone in the sketch: %s") : _ ("Undone in the sketch: %s"), label);
  ssui_window_toast (self, text);
}

ACTION (on_undo)
{
  UNUSED_ACTION;
  step (data, FALSE);
}

ACTION (on_redo)
{
  UNUSED_ACTION;
  step (data, TRUE);
}

ACTION (on_set_field)
{
  SsuiWindow *self = data;
  const char *path, *text;
  g_autoptr (GError) error = NULL;
  (void)action;
  g_variant_get (parameter, "(&s&s)", &path, &text);
  if (!ssapp_document_set_field (ssui_window_get_document (self), path, text, "", &error))
    ssui_window_fail (self, _ ("Not changed"), error->message);
}

/* ---- when they can be used --------------------------------------------------------------------------------------- */

static gboolean
can_undo (SsuiWindow *self)
{
  return ssui_window_get_undo_label (self, FALSE) != NULL;
}

static gboolean
can_redo (SsuiWindow *self)
{
  return ssui_window_get_undo_label (self, TRUE) != NULL;
}

static gboolean
is_on (SsuiWindow *self, const char *name)
{
  g_autoptr (GVariant) state = g_action_group_get_action_state (G_ACTION_GROUP (self), name);

  return g_variant_get_boolean (state);
}

static void
tell_sheet (SsuiWindow *self)
{
  SsuiCanvas *canvas = ssui_window_find_parts (self, &ssui_sketch_page).canvas;

  if (canvas == NULL)
    return;
  ssui_canvas_set_snap (canvas, is_on (self, "snap"));
  ssui_canvas_set_grid (canvas, is_on (self, "grid"));
}

static void
change_snap (GSimpleAction *action, GVariant *state, gpointer data)
{
  g_simple_action_set_state (action, state);
  tell_sheet (data);
  ssui_settings_keep (((SsuiWindow *)data)->settings, "snap-to-grid", state);
}

static void
change_grid (GSimpleAction *action, GVariant *state, gpointer data)
{
  g_simple_action_set_state (action, state);
  tell_sheet (data);
  ssui_settings_keep (((SsuiWindow *)data)->settings, "show-grid", state);
}

/* ---- table ------------------------------------------------------------------------------------------------------- */

static const SsuiCommand commands[] = {
    {.name = "tool",
     .parameter_type =
         "s" /* select|box|disc|ground|pin|slider|rod|spring|capsule|polygon|segment|weld|torsion|motor|gear|rope... */,
     .state = "'select'",
     .change_state = change_tool,
     .when = ssui_window_has_scene},
    {.name = "add", .activate = on_add, .parameter_type = "s", .when = ssui_window_has_scene},
    {.name = "add", .target = "::box", .label = N_ ("Add a Box"), .menus = SSUI_MENU_ADD},
    {.name = "add", .target = "::disc", .label = N_ ("Add a Disc"), .menus = SSUI_MENU_ADD},
    {.name = "add", .target = "::ground", .label = N_ ("Add a Ground"), .menus = SSUI_MENU_ADD},
    {.name = "select", .activate = on_select, .parameter_type = "s" /* name */},
    {.name = "select-item", .activate = on_select_item, .parameter_type = "s" /* path */},
    {.name = "edit-selected",
     .activate = on_edit_selected,
     .when = ssui_window_has_selection,
     .label = N_ ("Edit Numbers"),
     .menus = SSUI_MENU_EDIT},
    {.name = "delete",
     .activate = on_delete,
     .when = ssui_window_has_selection,
     .label = N_ ("Delete"),
     .menus = SSUI_MENU_DELETE},
    {.name = "remove-item", .activate = on_remove_item, .parameter_type = "s" /* path */},
    {.name = "add-goal",
     .activate = on_add_goal,
     .when = ssui_window_has_scene,
     .label = N_ ("Give It a Goal"),
     .menus = SSUI_MENU_MOVABLE},
    {.name = "add-actuator",
     .activate = on_add_actuator,
     .parameter_type = "s" /* x|y|xy|torque; of a selected joint: a motor */,
     .when = ssui_window_has_scene},
    {.name = "add-actuator", .target = "::xy", .label = N_ ("Push It by a Force"), .menus = SSUI_MENU_MOVABLE},
    {.name = "add-actuator", .target = "::torque", .label = N_ ("Turn It by a Torque"), .menus = SSUI_MENU_MOVABLE},
    {.name = "add-actuator", .target = "::xy", .label = N_ ("Add a Motor"), .menus = SSUI_MENU_JOINT},
    {.name = "add-bounds",
     .activate = on_add_bounds,
     .when = ssui_window_has_scene,
     .label = N_ ("Limit Its Place"),
     .menus = SSUI_MENU_MOVABLE},
    {.name = "set-fixed", .activate = on_set_fixed, .parameter_type = "b"},
    {.name = "set-mass-follows",
     .activate = on_set_mass_follows,
     .parameter_type = "b",
     .when = ssui_window_has_selection},
    {.name = "set-fixed", .target = "(true)", .label = N_ ("Fix"), .menus = SSUI_MENU_FREE},
    {.name = "set-fixed", .target = "(false)", .label = N_ ("Set Free"), .menus = SSUI_MENU_FIXED},
    {.name = "set-lock", .activate = on_set_lock, .parameter_type = "(ib)" /* axis, locked */},
    {.name = "set-contact",
     .activate = on_set_contact,
     .parameter_type = "(sb)" /* path, on */,
     .label = N_ ("Turn the Contact Off"),
     .menus = SSUI_MENU_CONTACT_ON},
    {.name = "set-contact", .label = N_ ("Turn the Contact On"), .menus = SSUI_MENU_CONTACT_OFF},
    {.name = "set-candidate", .activate = on_set_candidate, .parameter_type = "(sb)" /* path, known to the plan */},
    {.name = "set-material",
     .activate = on_set_material,
     .parameter_type = "s" /* name, "": none */,
     .when = ssui_window_has_scene},
    {.name = "add-material",
     .activate = on_add_material,
     .parameter_type = "b" /* give it to it */,
     .when = ssui_window_has_scene},
    {.name = "undo",
     .activate = on_undo,
     .when = can_undo,
     .keys = "<Control>z",
     .group = SSUI_KEYS_SKETCH,
     .title = N_ ("Undo"),
     .label = N_ ("Undo")},
    {.name = "redo",
     .activate = on_redo,
     .when = can_redo,
     .keys = "<Control><Shift>z <Control>y",
     .group = SSUI_KEYS_SKETCH,
     .title = N_ ("Redo"),
     .label = N_ ("Redo")},
    {.name = "set-field", .activate = on_set_field, .parameter_type = "(ss)" /* path, text */},
    {.name = "snap", .state = "true", .change_state = change_snap},
    {.name = "grid", .state = "true", .change_state = change_grid},
};

static void
set_up (SsuiWindow *self)
{
  g_signal_connect (self, "page-made", G_CALLBACK (tell_sheet), NULL);
  if (self->settings == NULL)
    return;
  g_action_group_change_action_state (G_ACTION_GROUP (self), "snap",
                                      g_variant_new_boolean (g_settings_get_boolean (self->settings, "snap-to-grid")));
  g_action_group_change_action_state (G_ACTION_GROUP (self), "grid",
                                      g_variant_new_boolean (g_settings_get_boolean (self->settings, "show-grid")));
}

const SsuiSubject ssui_edit_commands = {commands, G_N_ELEMENTS (commands), set_up, NULL};
