/* ui/window/ssui-window-shape.c: the window's commands for shapes of bodies, motors of joints, formulas of forces and
 * of the task, parameters and outcomes. Tests: tests/ui/test_four_bar.py */
#include "ui/window/ssui-window-private.h"

#include "app/document/ssapp-document-outcome.h"
#include "app/session/ssapp-find-time.h"

#include <glib/gi18n.h>
#include <string.h>

/* Editing shows the sketch, not a moment of an old motion; what was refused is said. `error`: its place, since the call
 * that sets it is another argument. Clears it. */
static void
end_edit (SsuiWindow *self, gboolean done, const char *heading, GError **error)
{
  if (done)
    ssui_window_rewind_sketch (self);
  else
    ssui_window_fail (self, heading, (*error)->message);
  g_clear_error (error);
}

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

ACTION (on_add_shape)
{
  static const struct {
    const char *name;
    SsappShapeKind kind;
  } shapes[] = {{"box", SSAPP_SHAPE_BOX},
                {"disc", SSAPP_SHAPE_DISC},
                {"capsule", SSAPP_SHAPE_CAPSULE},
                {"polygon", SSAPP_SHAPE_POLYGON},
                {"segment", SSAPP_SHAPE_SEGMENT}};
  SsappDocument *document = ssui_window_get_document (data);
  int body = ssapp_document_get_selected_index (document);
  GError *error = NULL;
  double pose[3];
  (void)action;
  if (body < 0) {
    ssui_window_toast (data, _ ("Select a body first"));
    return;
  }
  ssapp_document_get_pose (document, body, pose);
  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
    if (strcmp (shapes[i].name, g_variant_get_string (parameter, NULL)) == 0) {
      gboolean done = ssapp_document_place_shape (document, shapes[i].kind, (SsVec2){pose[0], pose[1]},
                                                  ssapp_document_get_selected (document), &error);
      end_edit (data, done, _ ("No shape was added"), &error);
      return;
    }
}

ACTION (on_remove_shape)
{
  GError *error = NULL;
  g_autofree char *path = g_strdup (g_variant_get_string (parameter, NULL)); /* the button that has it goes */
  (void)action;
  end_edit (data, ssapp_document_remove_shape (ssui_window_get_document (data), path, &error), _ ("Not deleted"),
            &error);
}

ACTION (on_add_corner)
{
  GError *error = NULL;
  g_autofree char *path = g_strdup (g_variant_get_string (parameter, NULL));
  (void)action;
  end_edit (data, ssapp_document_add_corner (ssui_window_get_document (data), path, &error), _ ("No corner was added"),
            &error);
}

ACTION (on_remove_corner)
{
  GError *error = NULL;
  g_autofree char *path = g_strdup (g_variant_get_string (parameter, NULL));
  (void)action;
  end_edit (data, ssapp_document_remove_corner (ssui_window_get_document (data), path, &error), _ ("Not deleted"),
            &error);
}

ACTION (on_set_choice)
{
  GError *error = NULL;
  const char *path, *value;
  (void)action;
  g_variant_get (parameter, "(&s&s)", &path, &value);
  end_edit (data, ssapp_document_set_choice (ssui_window_get_document (data), path, value, &error), _ ("Not changed"),
            &error);
}

/* ---- motors ------------------------------------------------------------------------------------------------------ */

ACTION (on_motor)
{
  static const char *const laws[] = {"none", "control", "speed", "place"}; /* in the order of SsappMotorLaw */
  SsappDocument *document = ssui_window_get_document (data);
  g_autofree char *path = g_strdup (ssapp_document_get_selected_item (document));
  GError *error = NULL;
  (void)action;
  for (guint i = 0; i < G_N_ELEMENTS (laws); i++)
    if (strcmp (laws[i], g_variant_get_string (parameter, NULL)) == 0)
      end_edit (data, ssapp_document_set_motor_law (document, path, (SsappMotorLaw)i, &error), _ ("Not driven"),
                &error);
}

ACTION (on_motor_tool)
{
  const char *path = ssapp_document_get_selected_item (ssui_window_get_document (data));
  UNUSED_ACTION;
  if (path != NULL && g_str_has_prefix (path, "scene.joints["))
    gtk_widget_activate_action (GTK_WIDGET (data), "win.motor", "s", "speed");
  else
    gtk_widget_activate_action (GTK_WIDGET (data), "win.tool", "s", "motor");
}

/* ---- formulas ---------------------------------------------------------------------------------------------------- */

/* The new entry is there to be written: its first field has the keys. */
static void
end_new (SsuiWindow *self, gboolean done, const char *heading, GError **error)
{
  end_edit (self, done, heading, error);
  if (done)
    ssui_sketch_page_edit_selected (SKETCH_PAGE (self));
}

ACTION (on_add_force)
{
  GError *error = NULL;
  UNUSED_ACTION;
  end_new (data,
           ssapp_document_add_force (ssui_window_get_document (data),
                                     ssapp_document_get_selected (ssui_window_get_document (data)), &error),
           _ ("No force was added"), &error);
}

ACTION (on_add_law)
{
  GError *error = NULL;
  UNUSED_ACTION;
  end_new (data,
           ssapp_document_add_law (ssui_window_get_document (data),
                                   ssapp_document_get_selected (ssui_window_get_document (data)), &error),
           _ ("No constraint was added"), &error);
}

ACTION (on_add_constraint)
{
  GError *error = NULL;
  UNUSED_ACTION;
  end_new (data,
           ssapp_document_add_constraint (ssui_window_get_document (data),
                                          ssapp_document_get_selected (ssui_window_get_document (data)), &error),
           _ ("No constraint was added"), &error);
}

ACTION (on_add_cost)
{
  GError *error = NULL;
  UNUSED_ACTION;
  end_new (data,
           ssapp_document_add_cost (ssui_window_get_document (data),
                                    ssapp_document_get_selected (ssui_window_get_document (data)), &error),
           _ ("No cost was added"), &error);
}

ACTION (on_add_row)
{
  GError *error = NULL;
  const char *path, *kind;
  (void)action;
  g_variant_get (parameter, "(&s&s)", &path, &kind);
  end_edit (data, ssapp_document_add_row (ssui_window_get_document (data), path, kind, &error), _ ("No row was added"),
            &error);
}

ACTION (on_remove_row)
{
  GError *error = NULL;
  g_autofree char *path = g_strdup (g_variant_get_string (parameter, NULL)); /* the button that has it goes */
  (void)action;
  end_edit (data, ssapp_document_remove_row (ssui_window_get_document (data), path, &error), _ ("Not deleted"), &error);
}

ACTION (on_free_time)
{
  GError *error = NULL;
  (void)action;
  end_edit (data,
            ssapp_document_set_time_free (ssui_window_get_document (data), g_variant_get_boolean (parameter), &error),
            _ ("Not changed"), &error);
}

/* What was found goes into the sketch, if it is still that one and its window is there. */
static void
on_time_found (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (SsuiWindow) self = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *told = NULL;
  const gboolean done = ssapp_find_time_finish (SSAPP_DOCUMENT (source), result, &told, &error);

  if (self->time_search == NULL) /* the window has gone */
    return;
  g_clear_object (&self->time_search);
  g_action_group_change_action_state (G_ACTION_GROUP (self), "find-time", g_variant_new_boolean (FALSE));
  if (done) {
    g_autofree char *text = g_strdup_printf (_ ("The plan takes %s"), told);
    ssui_window_toast_undo_step (self, text);
  } else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    ssui_window_fail (self, _ ("No time was found"), error->message);
}

/* On: a search begins. Off: it ends, and changes nothing. */
static void
change_find_time (GSimpleAction *action, GVariant *state, gpointer data)
{
  SsuiWindow *self = data;
  const gboolean is_on = g_variant_get_boolean (state);

  if (is_on && self->time_search == NULL) {
    self->time_search = g_cancellable_new ();
    ssapp_find_time_async (ssui_window_get_document (self), self->time_search, on_time_found, g_object_ref (self));
  } else if (!is_on)
    g_cancellable_cancel (self->time_search);
  g_simple_action_set_state (action, state);
}

/* ---- parameters -------------------------------------------------------------------------------------------------- */

ACTION (on_add_parameter)
{
  GError *error = NULL;
  (void)action;
  end_edit (
      data,
      ssapp_document_add_parameter (ssui_window_get_document (data), g_variant_get_string (parameter, NULL), &error),
      _ ("No parameter was added"), &error);
}

ACTION (on_set_outcome)
{
  GError *error = NULL;
  const char *name, *text;
  (void)action;
  g_variant_get (parameter, "(&s&s)", &name, &text);
  if (!ssapp_document_set_outcome (ssui_window_get_document (data), name, text, &error))
    ssui_window_fail (data, _ ("No such outcome"), error->message);
  g_clear_error (&error);
}

ACTION (on_remove_outcome)
{
  GError *error = NULL;
  (void)action;
  if (!ssapp_document_remove_outcome (ssui_window_get_document (data), g_variant_get_string (parameter, NULL), &error))
    ssui_window_fail (data, _ ("Not removed"), error->message);
  g_clear_error (&error);
}

ACTION (on_remove_parameter)
{
  GError *error = NULL;
  g_autofree char *name = g_strdup (g_variant_get_string (parameter, NULL)); /* the button that has it goes */
  (void)action;
  end_edit (data, ssapp_document_remove_parameter (ssui_window_get_document (data), name, &error), _ ("Not deleted"),
            &error);
}

static const SsuiCommand commands[] = {
    {.name = "add-shape", .activate = on_add_shape, .parameter_type = "s" /* box|disc|capsule|polygon|segment */},
    {.name = "remove-shape", .activate = on_remove_shape, .parameter_type = "s" /* path */},
    {.name = "add-corner", .activate = on_add_corner, .parameter_type = "s" /* path */},
    {.name = "remove-corner", .activate = on_remove_corner, .parameter_type = "s" /* path */},
    {.name = "set-choice", .activate = on_set_choice, .parameter_type = "(ss)" /* path, value */},
    {.name = "motor", .activate = on_motor, .parameter_type = "s" /* none|control|speed|place */},
    {.name = "motor-tool", .activate = on_motor_tool},
    {.name = "add-force", .activate = on_add_force, .when = ssui_window_has_scene},
    {.name = "add-law", .activate = on_add_law, .when = ssui_window_has_scene},
    {.name = "add-constraint", .activate = on_add_constraint, .when = ssui_window_has_scene},
    {.name = "add-cost", .activate = on_add_cost, .when = ssui_window_has_scene},
    {.name = "add-row", .activate = on_add_row, .parameter_type = "(ss)" /* path, zero|nonnegative */},
    {.name = "remove-row", .activate = on_remove_row, .parameter_type = "s" /* path */},
    {.name = "free-time", .activate = on_free_time, .parameter_type = "b"},
    {.name = "find-time", .state = "false", .change_state = change_find_time},
    {.name = "new-outcome", .label = N_ ("Add Outcome…"), .menus = SSUI_MENU_SHEET}, /* of the Sketch page */
    {.name = "set-outcome",
     .activate = on_set_outcome,
     .parameter_type = "(ss)" /* in whose place, "": a new one; NAME=FORMULA */},
    {.name = "remove-outcome", .activate = on_remove_outcome, .parameter_type = "s"},
    {.name = "add-parameter", .activate = on_add_parameter, .parameter_type = "s" /* name, "": one of its own */},
    {.name = "remove-parameter", .activate = on_remove_parameter, .parameter_type = "s" /* name */},
};

const SsuiSubject ssui_shape_commands = {commands, G_N_ELEMENTS (commands), NULL, NULL};
