/* ui/parts/ssui-inspector-body.c: the inspector's rows of a body, and of several objects. */
#include "ui/parts/ssui-inspector-private.h"

#include "ui/parts/ssui-corner-list.h"
#include "ui/parts/ssui-entry-rows.h"
#include "ui/parts/ssui-place-menus.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>

static void
show_common_holds (SsuiInspector *self)
{
  gboolean holds[4];

  ssapp_document_get_common_holds (self->document, holds);
  self->is_updating = TRUE;
  for (int i = 0; i < 4; i++) {
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->holds[i]), holds[i]);
    gtk_widget_set_sensitive (self->holds[i], i == 0 || !holds[0]);
  }
  self->is_updating = FALSE;
}

void
ssui_inspector_refresh_holds (SsuiInspector *self)
{
  int index = ssapp_document_get_selected_index (self->document);
  const SsBody *body = index >= 0 ? &ssapp_document_get_scenario (self->document)->scene->bodies[index] : NULL;

  if (self->holds[0] != NULL && ssapp_document_count_selected (self->document) > 1) {
    show_common_holds (self);
    return;
  }
  if (body == NULL || self->holds[0] == NULL)
    return;
  self->is_updating = TRUE;
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->holds[0]), body->is_fixed);
  for (int axis = 0; axis < 3; axis++) {
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->holds[axis + 1]), body->lock[axis]);
    gtk_widget_set_sensitive (self->holds[axis + 1], !body->is_fixed);
  }
  gtk_widget_set_sensitive (self->holds[0], body->shape.kind != SS_SHAPE_HALF_PLANE);
  self->is_updating = FALSE;
}

static void
on_hold_toggled (GtkToggleButton *toggle, SsuiInspector *self)
{
  int axis = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (toggle), "axis"));
  gboolean is_active = gtk_toggle_button_get_active (toggle);

  if (self->is_updating)
    return;
  if (axis < 0)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.set-fixed", "b", is_active);
  else
    gtk_widget_activate_action (GTK_WIDGET (self), "win.set-lock", "(ib)", axis, is_active);
  if (self->document != NULL)
    ssui_inspector_refresh_holds (self); /* the edit may have been refused */
}

/* "Held": everything (a fixed body: an obstacle), or single coordinates. */
static void
add_hold_row (SsuiInspector *self)
{
  static const struct {
    const char *label, *name, *tip;
  } buttons[] = {{N_ ("Fixed"), N_ ("Fixed"), N_ ("Does not move at all: an obstacle or a support")},
                 {"x", N_ ("Lock x"), N_ ("x keeps its initial velocity, whatever acts on it")},
                 {"y", N_ ("Lock y"), N_ ("y keeps its initial velocity, whatever acts on it")},
                 {"θ", N_ ("Lock angle"), N_ ("The angle keeps its initial velocity, whatever acts on it")}};
  GtkWidget *linked = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_widget_add_css_class (linked, "linked");
  gtk_widget_add_css_class (linked, "hold-buttons");
  for (int i = 0; i < 4; i++) {
    GtkWidget *toggle = gtk_toggle_button_new_with_label (_ (buttons[i].label));
    gtk_widget_set_tooltip_text (toggle, _ (buttons[i].tip));
    ssui_set_label (toggle, _ (buttons[i].name));
    g_object_set_data (G_OBJECT (toggle), "axis", GINT_TO_POINTER (i - 1));
    g_signal_connect (toggle, "toggled", G_CALLBACK (on_hold_toggled), self);
    gtk_box_append (GTK_BOX (linked), toggle);
    self->holds[i] = toggle;
  }
  ssui_inspector_add_control_row (self, _ ("Held"), linked);
  ssui_inspector_refresh_holds (self);
}

enum { NO_MATERIAL, FIRST_MATERIAL }; /* in the list of a body; behind the names: a new one */

void
ssui_inspector_refresh_material (SsuiInspector *self)
{
  g_auto (GStrv) names = ssapp_document_list_materials (self->document);
  g_autofree char *name = NULL;
  guint selected = NO_MATERIAL;
  gboolean is_mixed;

  if (self->material == NULL)
    return;
  name = ssapp_document_get_common_material (self->document, &is_mixed);
  if (is_mixed)
    selected = GTK_INVALID_LIST_POSITION;
  for (guint i = 0; name != NULL && names[i] != NULL; i++)
    if (g_str_equal (names[i], name))
      selected = FIRST_MATERIAL + i;
  self->is_updating = TRUE;
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->material), selected);
  self->is_updating = FALSE;
}

static void
on_material_chosen (GtkDropDown *list, GParamSpec *pspec, SsuiInspector *self)
{
  guint chosen = gtk_drop_down_get_selected (list);
  g_auto (GStrv) names = self->document != NULL ? ssapp_document_list_materials (self->document) : NULL;

  (void)pspec;
  if (self->is_updating || names == NULL || chosen == GTK_INVALID_LIST_POSITION)
    return;
  if (chosen == FIRST_MATERIAL + g_strv_length (names))
    gtk_widget_activate_action (GTK_WIDGET (self), "win.add-material", "b", TRUE);
  else
    gtk_widget_activate_action (GTK_WIDGET (self), "win.set-material", "s",
                                chosen == NO_MATERIAL ? "" : names[chosen - FIRST_MATERIAL]);
  if (self->document != NULL)
    ssui_inspector_refresh_material (self); /* the edit may have been refused */
}

/* What the body is made of, from the materials of the scene. */
static void
add_material_row (SsuiInspector *self)
{
  g_auto (GStrv) names = ssapp_document_list_materials (self->document);
  g_autoptr (GPtrArray) shown = g_ptr_array_new ();

  g_ptr_array_add (shown, (gpointer)_ ("None"));
  for (guint i = 0; names[i] != NULL; i++)
    g_ptr_array_add (shown, names[i]);
  g_ptr_array_add (shown, (gpointer)_ ("New Material"));
  g_ptr_array_add (shown, NULL);
  self->material = gtk_drop_down_new_from_strings ((const char *const *)shown->pdata);
  gtk_widget_set_tooltip_text (self->material, _ ("Says the friction and restitution of its contacts"));
  ssui_label_drop_down (self->material, _ ("Material"));
  ssui_inspector_refresh_material (self);
  g_signal_connect (self->material, "notify::selected", G_CALLBACK (on_material_chosen), self);
  ssui_inspector_add_control_row (self, _ ("Material"), self->material);
}

/* Corners of a polygon as a group of their own. */
static void
add_corners (SsuiInspector *self, const char *shape)
{
  g_autofree char *path = g_strconcat (shape, ".vertices", NULL);

  if (ssapp_document_has_field (self->document, path))
    gtk_box_append (GTK_BOX (self->groups), ssui_corner_list_new (self->document, path));
}

/* Groups of a body that has several. */
static void
add_shapes (SsuiInspector *self, int index, const SsBody *body)
{
  for (int i = 0; i < body->n_shapes; i++) {
    g_autofree char *path = ssapp_document_shape_path (self->document, index, i),
                    *title = ssapp_document_name_shape (self->document, index, i);
    ssui_inspector_begin_group_with (self, title, "user-trash-symbolic", _ ("Delete this shape"), "win.remove-shape",
                                     path);
    ssui_inspector_add_fields (self, path);
    add_corners (self, path);
  }
}

void
ssui_inspector_refresh_mass (SsuiInspector *self)
{
  g_autofree char *words =
      self->mass != NULL
          ? ssapp_document_describe_mass (self->document, ssapp_document_get_selected_index (self->document))
          : NULL;

  if (words != NULL)
    gtk_label_set_text (GTK_LABEL (self->mass), words);
  if (self->follows == NULL)
    return;
  const int index = ssapp_document_get_selected_index (self->document);
  g_autofree char *path = index >= 0 ? ssapp_document_body_path (self->document, index) : NULL,
                  *density = path != NULL ? g_strconcat (path, ".density", NULL) : NULL;
  self->is_updating = TRUE;
  gtk_check_button_set_active (GTK_CHECK_BUTTON (self->follows),
                               density != NULL && ssapp_document_has_field (self->document, density));
  self->is_updating = FALSE;
}

static void
on_follows_toggled (GtkCheckButton *check, SsuiInspector *self)
{
  if (self->is_updating)
    return;
  gtk_widget_activate_action (GTK_WIDGET (self), "win.set-mass-follows", "b", gtk_check_button_get_active (check));
  if (self->document != NULL)
    ssui_inspector_refresh_mass (self); /* the edit may have been refused */
}

/* Its mass and density, of which the file gives one and the other follows, and which of them that is. */
static void
add_mass (SsuiInspector *self, const char *path)
{
  g_autofree char *density = g_strconcat (path, ".density", NULL), *mass = g_strconcat (path, ".mass", NULL),
                  *inertia = g_strconcat (path, ".inertia", NULL), *uniform = g_strconcat (path, ".uniform", NULL);
  const gboolean follows = ssapp_document_has_field (self->document, density);
  GtkWidget *check = gtk_check_button_new ();

  ssui_inspector_add_optional_row (self, _ ("Mass"), mass, "kg", "");
  if (follows)
    ssui_inspector_add_row (self, _ ("Density"), density, "kg/m²", "");
  else if (!ssapp_document_has_field (self->document, uniform))
    ssui_inspector_add_optional_row (self, _ ("Inertia"), inertia, _ ("kg m²"), "");
  gtk_widget_set_tooltip_text (check, _ ("By its density the mass follows the size of the shapes; else it stays"));
  gtk_widget_set_halign (check, GTK_ALIGN_END);
  ssui_set_label (check, _ ("Mass follows size"));
  self->follows = check;
  ssui_inspector_add_control_row (self, _ ("Mass follows size"), check);
  ssui_inspector_refresh_mass (self);
  g_signal_connect (check, "toggled", G_CALLBACK (on_follows_toggled), self);
}

static void
add_body_row (SsuiInspector *self, const char *body, const char *title, const char *field, const char *unit)
{
  g_autofree char *path = g_strdup_printf ("%s.%s", body, field);
  ssui_inspector_add_row (self, title, path, unit, "0");
}

/* Its goal, what drives it, and where it may be. */
static void
build_task_of (SsuiInspector *self, const SsBody *body)
{
  static const SsuiInspectorCommand add_goal = {"ss-goal-symbolic", N_ ("Give It a Goal"),
                                                N_ ("Where it shall be at the end (G)"), "win.add-goal", NULL};
  static const SsuiInspectorCommand add_driver[] = {
      {"ss-force-symbolic", N_ ("Force"), N_ ("A control that pushes it in any direction (U)"), "win.add-actuator",
       "xy"},
      {"ss-torque-symbolic", N_ ("Torque"), N_ ("A control that turns it"), "win.add-actuator", "torque"}};
  static const SsuiInspectorCommand add_limits = {"ss-bounds-symbolic", N_ ("Limit Its Place"),
                                                  N_ ("Bounds of x and y that a plan must keep all the time"),
                                                  "win.add-bounds", NULL};
  g_autofree char *goal = ssapp_document_find_entry (self->document, "task.targets", body->name),
                  *bounds = ssapp_document_find_entry (self->document, "task.bounds", body->name);
  g_autoptr (GPtrArray) actuators = ssapp_document_list_items (self->document, "scene.actuators");

  if (goal != NULL) {
    ssui_inspector_begin_group_with (self, _ ("Goal for This Body"), "user-trash-symbolic", _ ("Delete the goal"),
                                     "win.remove-item", goal);
    ssui_inspector_add_fields (self, goal);
  }
  for (guint i = 0; i < actuators->len; i++) {
    const SsappItem *item = g_ptr_array_index (actuators, i);
    g_autofree char *of_body = g_strdup_printf ("%s.body", item->path), *name = NULL, *title = NULL, *tip = NULL;
    name = ssapp_document_get_field (self->document, of_body, "");
    if (item->is_family || g_strcmp0 (name, body->name) != 0)
      continue;
    title = g_strdup_printf ("%s %s", g_str_equal (item->kind, "torque") ? _ ("Torque") : _ ("Force"), item->name);
    tip = g_strdup_printf (_ ("Delete %s"), item->name);
    ssui_inspector_begin_group_with (self, title, "user-trash-symbolic", tip, "win.remove-item", item->path);
    ssui_inspector_add_fields (self, item->path);
  }
  if (bounds != NULL) {
    ssui_inspector_begin_group_with (self, _ ("Limits of Its Place"), "user-trash-symbolic", _ ("Delete the limits"),
                                     "win.remove-item", bounds);
    ssui_inspector_add_fields (self, bounds);
  }
  ssui_inspector_begin_group (self, _ ("Task"));
  gtk_widget_set_visible (self->list, FALSE);
  if (goal == NULL)
    ssui_inspector_add_commands (self, &add_goal, 1);
  ssui_inspector_add_commands (self, add_driver, G_N_ELEMENTS (add_driver));
  if (bounds == NULL && goal != NULL)
    ssui_inspector_add_commands (self, &add_limits, 1);
}

void
ssui_inspector_build_body (SsuiInspector *self, int index)
{
  const SsBody *body = &ssapp_document_get_scenario (self->document)->scene->bodies[index];
  g_autofree char *path = ssapp_document_body_path (self->document, index);

  if (path == NULL) {
    ssui_inspector_add_note (
        self,
        _ ("The file writes this body by a rule, together with others. Its numbers are those of the rule: change them "
           "in the file. It can have a goal and be driven like any other body."));
  } else {
    ssui_inspector_begin_group (self, _ ("Shape"));
    g_autofree char *shape = ssapp_document_shape_path (self->document, index, 0);
    gtk_box_append (GTK_BOX (self->head), ssui_add_shape_button_new ());
    ssui_inspector_add_text_row (self, _ ("Name"), SSUI_TEXT_BODY_NAME, "name");
    if (body->n_shapes == 1)
      ssui_inspector_add_fields (self, shape);
    if (!body->is_fixed)
      add_mass (self, path);
    add_material_row (self);
    add_hold_row (self);
    if (!body->is_fixed) {
      ssui_inspector_add_fields (self, path);
      self->mass = ssui_inspector_add_note (self, "");
      ssui_inspector_refresh_mass (self);
    }
    if (body->n_shapes > 1)
      add_shapes (self, index, body);
    else
      add_corners (self, shape);
    ssui_inspector_begin_group (self, _ ("Position"));
    add_body_row (self, path, "x", "position[0]", "m");
    add_body_row (self, path, "y", "position[1]", "m");
    add_body_row (self, path, _ ("Angle"), "angle", "deg");
    ssui_inspector_add_control_row (
        self, _ ("Place"), ssui_place_menus_new (self->document, ssapp_document_get_selected_index (self->document)));
    if (body->origin.x != 0 || body->origin.y != 0)
      ssui_inspector_add_note (
          self,
          _ ("The position is that of the frame in which the shapes are drawn; the centre of mass, which follows from "
             "the density, is elsewhere."));
  }
  if (!ss_body_is_immovable (body))
    build_task_of (self, body);
  if (path != NULL && !body->is_fixed) {
    ssui_inspector_begin_group (self, _ ("Velocity at the Start"));
    add_body_row (self, path, _ ("Velocity x"), "velocity[0]", "m/s");
    add_body_row (self, path, _ ("Velocity y"), "velocity[1]", "m/s");
    add_body_row (self, path, _ ("Spin"), "angular_velocity", "rad/s");
  }
}

/* ---- several objects --------------------------------------------------------------------------------------------- */

/* Two bodies can be joined. */
static void
add_joins (SsuiInspector *self, const SsappCommonGroup *group)
{
  static const SsuiInspectorCommand
      rigid[] = {{"ss-joint-symbolic", N_ ("Pin"), N_ ("Join the two bodies by a pin where they are nearest"),
                  "win.join", "pin"},
                 {"ss-rod-symbolic", N_ ("Rod"), N_ ("Keep the distance of their middles"), "win.join", "rod"}},
      soft[] = {{"ss-slider-symbolic", N_ ("Slider"), N_ ("One slides along the other"), "win.join", "slider"},
                {"ss-spring-symbolic", N_ ("Spring"), N_ ("A spring between their middles"), "win.join", "spring"}},
      turns[] = {{"ss-gear-symbolic", N_ ("Gear"),
                  N_ ("Their angles follow each other by teeth, or a belt if they are apart"), "win.join", "gear"},
                 {"ss-rope-symbolic", N_ ("Rope"), N_ ("Their middles come no further apart"), "win.join", "rope"}},
      read[] = {{"ss-measure-symbolic", N_ ("Distance"), N_ ("Measure the distance of their middles"), "win.measure",
                 "distance"},
                {"ss-measure-symbolic", N_ ("Angle"), N_ ("Measure the angle from one to the other"), "win.measure",
                 "angle"}};
  int n_bodies;

  ssapp_document_get_selection (self->document, &n_bodies);
  if (!group->are_bodies || n_bodies != 2)
    return;
  ssui_inspector_add_commands (self, rigid, G_N_ELEMENTS (rigid));
  ssui_inspector_add_commands (self, soft, G_N_ELEMENTS (soft));
  ssui_inspector_add_commands (self, turns, G_N_ELEMENTS (turns));
  ssui_inspector_add_commands (self, read, G_N_ELEMENTS (read));
}

void
ssui_inspector_build_several (SsuiInspector *self)
{
  g_autoptr (GPtrArray) groups = ssapp_document_list_common (self->document);

  for (guint g = 0; g < groups->len; g++) {
    const SsappCommonGroup *group = g_ptr_array_index (groups, g);
    ssui_inspector_begin_group (self, group->title);
    const gboolean is_by_rule = group->n_by_rule > 0 && group->fields->len == 0;
    if (group->are_bodies && !is_by_rule) {
      add_material_row (self);
      add_hold_row (self);
    }
    for (guint i = 0; i < group->fields->len; i++) {
      const SsappField *field = g_ptr_array_index (group->fields, i);
      ssui_field_row_set_optional (
          ssui_inspector_add_row (self, field->title, field->path, field->unit, field->fallback), field->is_optional);
    }
    if ((!group->are_bodies || is_by_rule) && group->fields->len == 0)
      gtk_widget_set_visible (self->list, FALSE);
    if (group->n_by_rule > 0) {
      g_autofree char *words = g_strdup_printf (
          ngettext ("%u of them is written by a rule of the file and stays as it is.",
                    "%u of them are written by a rule of the file and stay as they are.", (gulong)group->n_by_rule),
          group->n_by_rule);
      ssui_inspector_add_note (self, words);
    }
  }
  if (groups->len > 0)
    add_joins (self, g_ptr_array_index (groups, 0));
  ssui_inspector_add_note (self, _ ("A number typed here is set for all of them in one step."));
}
