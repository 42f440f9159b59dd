/* ui/parts/ssui-inspector.c: see the header. Rows are made anew when other fields are needed, and refreshed when only
 * numbers change. */
#include "ui/parts/ssui-inspector.h"

#include "app/session/ssapp-find-time.h"
#include "ui/parts/ssui-contact-law.h"
#include "ui/parts/ssui-corner-list.h"
#include "ui/parts/ssui-entry-rows.h"
#include "ui/parts/ssui-field-row.h"
#include "ui/parts/ssui-forces-now.h"
#include "ui/parts/ssui-place-menus.h"
#include "ui/parts/ssui-task-time.h"
#include "ui/parts/ssui-util.h"

#include <string.h>

struct _SsuiInspector {
  GtkWidget parent_instance;
  GtkWidget *scroller, *icon, *title, *kind, *delete, *description, *groups;
  SsappDocument *document;
  GPtrArray *rows;           /* of SsuiFieldRow, borrowed from the tree */
  char *signature;           /* which fields the rows are for           */
  GtkWidget *list, *head;    /* group being filled, its heading         */
  GtkWidget *holds[4];       /* Fixed, x, y, θ of the body; NULL: none   */
  GtkWidget *material;       /* of the body; NULL: none                  */
  GtkWidget *on, *candidate; /* switches of the contact; NULL: none */
  GtkWidget *law;            /* sources of its values, pairs; NULL: none */
  SsappContactWatch *watch;
  GtkWidget *summary; /* of the task; NULL when not shown         */
  GtkWidget *mass;    /* words of the body; NULL when not shown    */
  gboolean is_updating;
  gboolean is_building, is_stale; /* making rows; the document changed meanwhile */
};

G_DEFINE_FINAL_TYPE (SsuiInspector, ssui_inspector, GTK_TYPE_WIDGET)

/* A heading, with a button at its end if `action` is given, and a list below it. */
static void
begin_group_with (SsuiInspector *self, const char *title, const char *icon, const char *tip, const char *action,
                  const char *target)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4), *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4),
            *label = gtk_label_new (title);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_set_margin_start (label, 2);
  gtk_widget_add_css_class (label, "group-title");
  gtk_box_append (GTK_BOX (head), label);
  if (action != NULL) {
    GtkWidget *button = gtk_button_new_from_icon_name (icon);
    gtk_widget_add_css_class (button, "flat");
    gtk_widget_add_css_class (button, "group-button");
    gtk_widget_set_tooltip_text (button, tip);
    ssui_set_label (button, tip);
    gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
    gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", target);
    gtk_box_append (GTK_BOX (head), button);
  }
  self->head = head;
  self->list = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (self->list, "boxed-list");
  ssui_set_label (self->list, title);
  gtk_box_append (GTK_BOX (box), head);
  gtk_box_append (GTK_BOX (box), self->list);
  gtk_box_append (GTK_BOX (self->groups), box);
}

static void
begin_group (SsuiInspector *self, const char *title)
{
  begin_group_with (self, title, NULL, NULL, NULL, NULL);
}

static SsuiFieldRow *
add_row (SsuiInspector *self, const char *title, const char *path, const char *unit, const char *fallback)
{
  GtkWidget *row = ssui_field_row_new (self->document, title, path, unit, fallback);
  gtk_list_box_append (GTK_LIST_BOX (self->list), row);
  g_ptr_array_add (self->rows, row);
  return SSUI_FIELD_ROW (row);
}

static void
add_text_row (SsuiInspector *self, const char *title, SsuiTextKind kind, const char *path)
{
  GtkWidget *row = ssui_field_row_new_text (self->document, title, kind, path);
  gtk_list_box_append (GTK_LIST_BOX (self->list), row);
  g_ptr_array_add (self->rows, row);
}

/* A row that is no field: words, and something to press at the end. */
static void
add_control_row (SsuiInspector *self, const char *title, GtkWidget *control)
{
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6),
            *label = gtk_label_new (title);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (box, "field-box");
  gtk_widget_add_css_class (row, "field");
  gtk_widget_set_valign (control, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), control);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_widget_set_focusable (row, FALSE);
  gtk_list_box_append (GTK_LIST_BOX (self->list), row);
}

static void
add_optional_row (SsuiInspector *self, const char *title, const char *path, const char *unit, const char *fallback)
{
  ssui_field_row_set_optional (add_row (self, title, path, unit, fallback), TRUE);
}

/* The numbers of an entry of the file. */
static void
add_fields (SsuiInspector *self, const char *path)
{
  g_autoptr (GPtrArray) fields = ssapp_document_list_fields (self->document, path);

  for (guint i = 0; i < fields->len; i++) {
    const SsappField *field = g_ptr_array_index (fields, i);
    SsuiFieldRow *row;
    if (field->choices != NULL) {
      gtk_list_box_append (GTK_LIST_BOX (self->list), ssui_choice_row_new (self->document, field));
      continue;
    }
    row = add_row (self, field->title, field->path, field->unit, field->fallback);
    ssui_field_row_set_optional (row, field->is_optional);
    if (field->is_formula)
      ssui_field_row_set_formula (row);
    if (field->is_row)
      ssui_field_row_add_button (row, "list-remove-symbolic", "Delete this row", "win.remove-row", field->path);
  }
}

/* Words below the groups so far. */
static GtkWidget *
add_note (SsuiInspector *self, const char *text)
{
  GtkWidget *note = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (note), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (note), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (note), 0);
  gtk_widget_set_margin_start (note, 2);
  gtk_widget_add_css_class (note, "dim-label");
  gtk_widget_add_css_class (note, "caption");
  gtk_box_append (GTK_BOX (self->groups), note);
  return note;
}

typedef struct {
  const char *icon, *label, *tip, *action, *target; /* target: NULL for none */
} Command;

/* Buttons side by side, for what can be added. */
static void
add_commands (SsuiInspector *self, const Command *commands, int n)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  gtk_box_set_homogeneous (GTK_BOX (box), TRUE);
  for (int i = 0; i < n; i++) {
    GtkWidget *button = gtk_button_new (), *content = adw_button_content_new ();
    adw_button_content_set_icon_name (ADW_BUTTON_CONTENT (content), commands[i].icon);
    adw_button_content_set_label (ADW_BUTTON_CONTENT (content), commands[i].label);
    gtk_button_set_child (GTK_BUTTON (button), content);
    gtk_widget_set_tooltip_text (button, commands[i].tip);
    ssui_set_label (button, commands[i].label);
    gtk_actionable_set_action_name (GTK_ACTIONABLE (button), commands[i].action);
    if (commands[i].target != NULL)
      gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", commands[i].target);
    gtk_box_append (GTK_BOX (box), button);
  }
  gtk_box_append (GTK_BOX (self->groups), box);
}

/* ---- a body ------------------------------------------------------------------------------------------------------ */

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

static void
refresh_holds (SsuiInspector *self)
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
    refresh_holds (self); /* the edit may have been refused */
}

/* "Held": everything (a fixed body: an obstacle), or single coordinates. */
static void
add_hold_row (SsuiInspector *self)
{
  static const struct {
    const char *label, *name, *tip;
  } buttons[] = {{"Fixed", "Fixed", "Does not move at all: an obstacle or a support"},
                 {"x", "Lock x", "x keeps its initial velocity, whatever acts on it"},
                 {"y", "Lock y", "y keeps its initial velocity, whatever acts on it"},
                 {"θ", "Lock angle", "The angle keeps its initial velocity, whatever acts on it"}};
  GtkWidget *linked = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_widget_add_css_class (linked, "linked");
  gtk_widget_add_css_class (linked, "hold-buttons");
  for (int i = 0; i < 4; i++) {
    GtkWidget *toggle = gtk_toggle_button_new_with_label (buttons[i].label);
    gtk_widget_set_tooltip_text (toggle, buttons[i].tip);
    ssui_set_label (toggle, buttons[i].name);
    g_object_set_data (G_OBJECT (toggle), "axis", GINT_TO_POINTER (i - 1));
    g_signal_connect (toggle, "toggled", G_CALLBACK (on_hold_toggled), self);
    gtk_box_append (GTK_BOX (linked), toggle);
    self->holds[i] = toggle;
  }
  add_control_row (self, "Held", linked);
  refresh_holds (self);
}

enum { NO_MATERIAL, FIRST_MATERIAL }; /* in the list of a body; behind the names: a new one */

static void
refresh_material (SsuiInspector *self)
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
    refresh_material (self); /* the edit may have been refused */
}

/* What the body is made of, from the materials of the scene. */
static void
add_material_row (SsuiInspector *self)
{
  g_auto (GStrv) names = ssapp_document_list_materials (self->document);
  g_autoptr (GPtrArray) shown = g_ptr_array_new ();

  g_ptr_array_add (shown, (gpointer) "None");
  for (guint i = 0; names[i] != NULL; i++)
    g_ptr_array_add (shown, names[i]);
  g_ptr_array_add (shown, (gpointer) "New Material");
  g_ptr_array_add (shown, NULL);
  self->material = gtk_drop_down_new_from_strings ((const char *const *)shown->pdata);
  gtk_widget_set_tooltip_text (self->material, "Says the friction and restitution of its contacts");
  ssui_set_label (self->material, "Material");
  ssui_set_label (gtk_widget_get_first_child (self->material), "Material"); /* the button inside has the focus */
  refresh_material (self);
  g_signal_connect (self->material, "notify::selected", G_CALLBACK (on_material_chosen), self);
  add_control_row (self, "Material", self->material);
}

/* Without this a body that only moves steadily cannot be told from a fixed one. */
static const char *
kind_of_body (const SsBody *body)
{
  if (body->is_fixed)
    return "fixed body";
  if (ss_body_is_immovable (body))
    return "held body";
  return body->lock[0] || body->lock[1] || body->lock[2] ? "partly held body" : "free body";
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
    begin_group_with (self, title, "user-trash-symbolic", "Delete this shape", "win.remove-shape", path);
    add_fields (self, path);
    add_corners (self, path);
  }
}

static void
refresh_mass (SsuiInspector *self)
{
  g_autofree char *words =
      self->mass != NULL
          ? ssapp_document_describe_mass (self->document, ssapp_document_get_selected_index (self->document))
          : NULL;

  if (words != NULL)
    gtk_label_set_text (GTK_LABEL (self->mass), words);
}

static void
add_mass (SsuiInspector *self, const char *path)
{
  g_autofree char *density = g_strconcat (path, ".density", NULL), *mass = g_strconcat (path, ".mass", NULL),
                  *inertia = g_strconcat (path, ".inertia", NULL),
                  *given = ssapp_document_get_field (self->document, density, "");

  if (given != NULL) {
    add_row (self, "Density", density, "kg/m²", "");
    return;
  }
  add_row (self, "Mass", mass, "kg", "");
  add_optional_row (self, "Inertia", inertia, "kg m²", "");
}

static void
add_body_row (SsuiInspector *self, const char *body, const char *title, const char *field, const char *unit)
{
  g_autofree char *path = g_strdup_printf ("%s.%s", body, field);
  add_row (self, title, path, unit, "0");
}

/* Its goal, what drives it, and where it may be. */
static void
build_task_of (SsuiInspector *self, const SsBody *body)
{
  static const Command add_goal = {"ss-goal-symbolic", "Give It a Goal", "Where it shall be at the end (G)",
                                   "win.add-goal", NULL};
  static const Command add_driver[] = {
      {"ss-force-symbolic", "Force", "A control that pushes it in any direction (U)", "win.add-actuator", "xy"},
      {"ss-torque-symbolic", "Torque", "A control that turns it", "win.add-actuator", "torque"}};
  static const Command add_limits = {"ss-bounds-symbolic", "Limit Its Place",
                                     "Bounds of x and y that a plan must keep all the time", "win.add-bounds", NULL};
  g_autofree char *goal = ssapp_document_find_entry (self->document, "task.targets", body->name),
                  *bounds = ssapp_document_find_entry (self->document, "task.bounds", body->name);
  g_autoptr (GPtrArray) actuators = ssapp_document_list_items (self->document, "scene.actuators");

  if (goal != NULL) {
    begin_group_with (self, "Goal for This Body", "user-trash-symbolic", "Delete the goal", "win.remove-item", goal);
    add_fields (self, goal);
  }
  for (guint i = 0; i < actuators->len; i++) {
    const SsappItem *item = g_ptr_array_index (actuators, i);
    g_autofree char *of_body = g_strdup_printf ("%s.body", item->path), *name = NULL, *title = NULL, *tip = NULL;
    name = ssapp_document_get_field (self->document, of_body, "");
    if (item->is_family || g_strcmp0 (name, body->name) != 0)
      continue;
    title = g_strdup_printf ("%s %s", g_str_equal (item->kind, "torque") ? "Torque" : "Force", item->name);
    tip = g_strdup_printf ("Delete %s", item->name);
    begin_group_with (self, title, "user-trash-symbolic", tip, "win.remove-item", item->path);
    add_fields (self, item->path);
  }
  if (bounds != NULL) {
    begin_group_with (self, "Limits of Its Place", "user-trash-symbolic", "Delete the limits", "win.remove-item",
                      bounds);
    add_fields (self, bounds);
  }
  begin_group (self, "Task");
  gtk_widget_set_visible (self->list, FALSE);
  if (goal == NULL)
    add_commands (self, &add_goal, 1);
  add_commands (self, add_driver, G_N_ELEMENTS (add_driver));
  if (bounds == NULL && goal != NULL)
    add_commands (self, &add_limits, 1);
}

static void
build_body (SsuiInspector *self, int index)
{
  const SsBody *body = &ssapp_document_get_scenario (self->document)->scene->bodies[index];
  g_autofree char *path = ssapp_document_body_path (self->document, index);

  if (path == NULL) {
    add_note (
        self,
        "The file writes this body by a rule, together with others. Its numbers are those of the rule: change them "
        "in the file. It can have a goal and be driven like any other body.");
  } else {
    begin_group (self, "Shape");
    g_autofree char *shape = ssapp_document_shape_path (self->document, index, 0);
    gtk_box_append (GTK_BOX (self->head), ssui_add_shape_button_new ());
    add_text_row (self, "Name", SSUI_TEXT_BODY_NAME, "name");
    if (body->n_shapes == 1)
      add_fields (self, shape);
    if (!body->is_fixed)
      add_mass (self, path);
    add_material_row (self);
    add_hold_row (self);
    if (!body->is_fixed) {
      add_fields (self, path);
      self->mass = add_note (self, "");
      refresh_mass (self);
    }
    if (body->n_shapes > 1)
      add_shapes (self, index, body);
    else
      add_corners (self, shape);
    begin_group (self, "Position");
    add_body_row (self, path, "x", "position[0]", "m");
    add_body_row (self, path, "y", "position[1]", "m");
    add_body_row (self, path, "Angle", "angle", "deg");
    add_control_row (self, "Place",
                     ssui_place_menus_new (self->document, ssapp_document_get_selected_index (self->document)));
    if (body->origin.x != 0 || body->origin.y != 0)
      add_note (
          self,
          "The position is that of the frame in which the shapes are drawn; the centre of mass, which follows from "
          "the density, is elsewhere.");
  }
  if (!ss_body_is_immovable (body))
    build_task_of (self, body);
  if (path != NULL && !body->is_fixed) {
    begin_group (self, "Velocity at the Start");
    add_body_row (self, path, "Velocity x", "velocity[0]", "m/s");
    add_body_row (self, path, "Velocity y", "velocity[1]", "m/s");
    add_body_row (self, path, "Spin", "angular_velocity", "rad/s");
  }
}

static void append_materials (GString *text, SsappDocument *document);

/* ---- several objects --------------------------------------------------------------------------------------------- */

/* Two bodies can be joined. */
static void
add_joins (SsuiInspector *self, const SsappCommonGroup *group)
{
  static const Command rigid[] = {{"ss-joint-symbolic", "Pin", "Join the two bodies by a pin where they are nearest",
                                   "win.join", "pin"},
                                  {"ss-rod-symbolic", "Rod", "Keep the distance of their middles", "win.join", "rod"}},
                       soft[] = {
                           {"ss-slider-symbolic", "Slider", "One slides along the other", "win.join", "slider"},
                           {"ss-spring-symbolic", "Spring", "A spring between their middles", "win.join", "spring"}};

  if (!group->are_bodies || !g_str_equal (group->title, "2 bodies"))
    return;
  add_commands (self, rigid, G_N_ELEMENTS (rigid));
  add_commands (self, soft, G_N_ELEMENTS (soft));
}

static void
build_several (SsuiInspector *self)
{
  g_autoptr (GPtrArray) groups = ssapp_document_list_common (self->document);

  for (guint g = 0; g < groups->len; g++) {
    const SsappCommonGroup *group = g_ptr_array_index (groups, g);
    begin_group (self, group->title);
    if (group->are_bodies) {
      add_material_row (self);
      add_hold_row (self);
    }
    for (guint i = 0; i < group->fields->len; i++) {
      const SsappField *field = g_ptr_array_index (group->fields, i);
      ssui_field_row_set_optional (add_row (self, field->title, field->path, field->unit, field->fallback),
                                   field->is_optional);
    }
    if (!group->are_bodies && group->fields->len == 0)
      gtk_widget_set_visible (self->list, FALSE);
  }
  if (groups->len > 0)
    add_joins (self, g_ptr_array_index (groups, 0));
  add_note (self, "A number typed here is set for all of them in one step.");
}

/* Which rows several objects need. */
static void
append_several (GString *text, SsappDocument *document)
{
  g_autoptr (GPtrArray) groups = ssapp_document_list_common (document);

  g_string_append (text, "several");
  append_materials (text, document);
  for (guint g = 0; g < groups->len; g++) {
    const SsappCommonGroup *group = g_ptr_array_index (groups, g);
    g_string_append_printf (text, " %s", group->title);
    for (guint i = 0; i < group->fields->len; i++)
      g_string_append_printf (text, " %s", ((const SsappField *)g_ptr_array_index (group->fields, i))->path);
  }
}

/* ---- other entries ----------------------------------------------------------------------------------------------- */

static const char *
title_of_item (const SsappItem *item)
{
  return g_str_equal (item->kind, "goal")         ? "Where It Shall Be"
         : g_str_equal (item->kind, "bounds")     ? "Where It May Be"
         : g_str_equal (item->kind, "constraint") ? "What Shall Hold"
         : g_str_equal (item->kind, "cost")       ? "What Shall Be Small"
                                                  : "Numbers";
}

static void
refresh_contact (SsuiInspector *self)
{
  const char *path = ssapp_document_get_selected_item (self->document);

  if (self->law != NULL)
    ssui_contact_law_refresh (SSUI_CONTACT_LAW (self->law));
  if (self->on == NULL || path == NULL)
    return;
  self->is_updating = TRUE;
  gtk_switch_set_active (GTK_SWITCH (self->on), ssapp_document_find_contact (self->document, path) >= 0);
  if (self->candidate != NULL) {
    gtk_switch_set_active (GTK_SWITCH (self->candidate), ssapp_document_is_candidate (self->document, path));
    gtk_widget_set_sensitive (self->candidate, ssapp_document_find_contact (self->document, path) >= 0);
  }
  self->is_updating = FALSE;
}

static void
on_switched (GtkSwitch *toggle, GParamSpec *pspec, SsuiInspector *self)
{
  const char *path = self->document != NULL ? ssapp_document_get_selected_item (self->document) : NULL;

  (void)pspec;
  if (self->is_updating || path == NULL)
    return;
  gtk_widget_activate_action (GTK_WIDGET (self),
                              GTK_WIDGET (toggle) == self->on ? "win.set-contact" : "win.set-candidate", "(sb)", path,
                              gtk_switch_get_active (toggle));
  if (self->document != NULL)
    refresh_contact (self); /* the edit may have been refused */
}

static GtkWidget *
add_switch (SsuiInspector *self, const char *title, const char *name, const char *tip)
{
  GtkWidget *toggle = gtk_switch_new ();

  gtk_widget_set_tooltip_text (toggle, tip);
  ssui_set_label (toggle, name);
  g_signal_connect (toggle, "notify::active", G_CALLBACK (on_switched), self);
  add_control_row (self, title, toggle);
  return toggle;
}

/* Where values come from, and the pairs of materials. */
static void
add_law (SsuiInspector *self)
{
  self->law = ssui_contact_law_new (self->document);
  gtk_box_append (GTK_BOX (self->groups), self->law);
}

static void
build_contact (SsuiInspector *self, const SsappItem *item)
{
  const SsScenario *scenario = ssapp_document_get_scenario (self->document);
  int index = ssapp_document_find_contact (self->document, item->path);

  if (item->is_family) {
    add_note (self, "The file writes this contact by a rule, together with others: change the rule in the file.");
    add_law (self);
    return;
  }
  begin_group (self, "Contact");
  self->on = add_switch (self, "On", "Contact is on", "Off: the two bodies pass through one another");
  if (scenario->task.plan != NULL)
    self->candidate = add_switch (self, "Known to the plan", "Plan knows the contact",
                                  "Off: an optimiser does not think of this contact, simulations do");
  refresh_contact (self);
  add_fields (self, item->path);
  if (index >= 0)
    add_law (self);
  add_note (self, "Stiffness and damping are for compliant laws.");
}

static void
build_material (SsuiInspector *self, const SsappItem *item)
{
  const SsScene *scene = ssapp_document_get_scenario (self->document)->scene;
  g_autoptr (GString) words = g_string_new (NULL);

  begin_group (self, "Material");
  add_text_row (self, "Name", SSUI_TEXT_MATERIAL_NAME, item->path);
  add_fields (self, item->path);
  for (int i = 0; i < scene->n_bodies; i++) {
    g_autofree char *name = ssapp_document_get_material (self->document, i);
    if (g_strcmp0 (name, item->name) == 0)
      g_string_append_printf (words, "%s%s", words->len > 0 ? ", " : "Of ", scene->bodies[i].name);
  }
  g_string_append (words, words->len > 0 ? "." : "No body is made of it yet: select one and choose it there.");
  g_string_append (words, " Where two materials meet, friction is the geometric mean, restitution the larger one, "
                          "stiffness and damping are in series, unless the pair has a value of its own.");
  add_law (self);
  add_note (self, words->str);
}

/* What drives a pin or slider: which law, its gains, its bounds, its formula. */
static void
build_motor (SsuiInspector *self, const char *path)
{
  g_autofree char *motor = ssapp_document_find_motor (self->document, path);
  g_autoptr (GPtrArray) gains = ssapp_document_list_motor_fields (self->document, path);

  begin_group (self, "Motor");
  gtk_list_box_append (GTK_LIST_BOX (self->list), ssui_motor_row_new (self->document, path));
  for (guint i = 0; i < gains->len; i++) {
    const SsappField *field = g_ptr_array_index (gains, i);
    add_row (self, field->title, field->path, field->unit, field->fallback);
  }
  if (motor == NULL)
    return;
  gtk_box_append (GTK_BOX (self->head), ssui_names_button_new (self->document, motor));
  add_fields (self, motor);
}

/* Formulas below the entry, with the names that they may use; rows can be added to constraints. */
static void
add_formula_help (SsuiInspector *self, const SsappItem *item)
{
  static const char *const rows[2][2] = {{"Add = 0", "zero"}, {"Add ≥ 0", "nonnegative"}};
  g_autoptr (GPtrArray) fields = ssapp_document_list_fields (self->document, item->path);
  gboolean has_formula = FALSE;
  GtkWidget *box;

  for (guint i = 0; i < fields->len; i++)
    has_formula = has_formula || ((const SsappField *)g_ptr_array_index (fields, i))->is_formula;
  if (has_formula)
    gtk_box_append (GTK_BOX (self->head), ssui_names_button_new (self->document, item->path));
  if (!g_str_has_prefix (item->path, "task.constraints["))
    return;
  box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_box_set_homogeneous (GTK_BOX (box), TRUE);
  for (int i = 0; i < 2; i++) {
    GtkWidget *button = gtk_button_new_with_label (rows[i][0]);
    gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.add-row");
    gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "(ss)", item->path, rows[i][1]);
    gtk_widget_set_tooltip_text (button, i == 0 ? "One more formula that shall be 0"
                                                : "One more formula that shall not be negative");
    gtk_box_append (GTK_BOX (box), button);
  }
  gtk_box_append (GTK_BOX (self->groups), box);
}

static void
build_item (SsuiInspector *self, const char *path)
{
  SsappItem *item = ssapp_document_get_item (self->document, path);

  if (item == NULL)
    return;
  if (g_str_equal (item->kind, "contact")) {
    build_contact (self, item);
  } else if (g_str_equal (item->kind, "material")) {
    build_material (self, item);
  } else if (item->is_family) {
    add_note (self, "The file writes these entries by a rule: change it in the file. Here they can be deleted.");
  } else {
    GtkWidget *pairs = ssui_pair_menu_new (self->document, path);
    begin_group (self, title_of_item (item));
    add_fields (self, path);
    if (g_str_equal (item->kind, "pair of materials"))
      add_law (self);
    if (pairs != NULL)
      add_control_row (self, "Joins", pairs);
    add_formula_help (self, item);
    if (g_str_equal (item->kind, "pin") || g_str_equal (item->kind, "slider"))
      build_motor (self, path);
    if (*item->detail && pairs == NULL && !g_str_equal (item->kind, "constraint") && g_str_has_prefix (path, "scene."))
      add_note (self, item->detail);
    if (g_str_equal (item->kind, "goal"))
      add_note (
          self,
          "Clear a field and that coordinate is free. Without a weight the goal is reached exactly; a weight makes "
          "it a cost. Drag the goal on the canvas to move it, its handle to turn it.");
  }
  ssapp_item_free (item);
}

/* ---- the scenario ------------------------------------------------------------------------------------------------ */

static void
add_effort (SsuiInspector *self, const SsScene *scene)
{
  g_autofree char *single = ssapp_document_get_field (self->document, "task.effort", "");

  /* Weights by actuator are an object: then there is no single number to show. */
  if (single != NULL || !ssapp_document_has_field (self->document, "task.effort")) {
    add_optional_row (self, "Effort weight", "task.effort", "", "0.001");
    return;
  }
  for (int i = 0; i < scene->n_actuators; i++) {
    g_autofree char *path = g_strdup_printf ("task.effort.%s", scene->actuators[i].name),
                    *title = g_strdup_printf ("Effort of %s", scene->actuators[i].name);
    add_optional_row (self, title, path, "", "0.001");
  }
}

/* Times at which forces bend or jump; where a rule of the file writes them they are changed there. */
static void
add_breaks (SsuiInspector *self)
{
  g_autofree char *text = ssapp_document_get_field (self->document, "task.breaks", "");

  if (text == NULL && ssapp_document_has_field (self->document, "task.breaks"))
    return;
  add_optional_row (self, "Breaks", "task.breaks", "s", "none listed");
  gtk_widget_set_tooltip_text (g_ptr_array_index (self->rows, self->rows->len - 1),
                               "Times at which forces bend or jump: numbers or formulas of parameters, such as "
                               "1, t_push + 0.5. Every step ends there. “none” says that there are none");
}

/* The horizon of a plan between bounds. */
static void
add_free_time (SsuiInspector *self)
{
  add_control_row (self, "Free horizon", ssui_free_time_switch_new (self->document));
  add_fields (self, "task.free_time");
}

static void
build_task (SsuiInspector *self, const SsScenario *scenario)
{
  const SsPlan *plan = scenario->task.plan;
  gboolean has_horizon = ssapp_document_has_field (self->document, "task.horizon");
  g_autofree char *words = NULL;

  begin_group (self, "Task");
  add_row (self, "Horizon", has_horizon ? "task.horizon" : "task.t_end", "s", "");
  gtk_widget_set_tooltip_text (GTK_WIDGET (add_row (self, "Time step", "task.dt", "s", "0.01")), "Of simulations");
  add_breaks (self);
  if (plan != NULL) {
    add_optional_row (self, "Steps of the plan", "task.steps", "", "");
    if (ssapp_find_time_can (self->document, NULL))
      add_control_row (self, "How long it takes", ssui_find_time_button_new ());
    add_effort (self, scenario->scene);
    add_fields (self, "task");
    gtk_widget_set_tooltip_text (g_ptr_array_index (self->rows, self->rows->len - 1),
                                 "Numbers that one control shall bear, each from, to: mu 0.2, 0.4; box.mass 1, 1.5");
    add_free_time (self);
  }
  words = ssapp_document_describe_task (self->document);
  self->summary = add_note (self, words);
}

static void
build_scenario (SsuiInspector *self)
{
  const SsScenario *scenario = ssapp_document_get_scenario (self->document);

  begin_group (self, scenario->scene != NULL ? "Sketch" : "Scenario");
  add_text_row (self, "Title", SSUI_TEXT_PLAIN, "title");
  ssui_field_row_set_optional (g_ptr_array_index (self->rows, self->rows->len - 1), TRUE);
  add_text_row (self, "Name", SSUI_TEXT_PLAIN, "name");
  gtk_widget_set_tooltip_text (g_ptr_array_index (self->rows, self->rows->len - 1),
                               "What files and runs are called: letters, digits, - and _");
  if (scenario->scene != NULL) {
    build_task (self, scenario);
    begin_group (self, "World");
    add_row (self, "Gravity x", "scene.gravity[0]", "m/s²", "0");
    add_row (self, "Gravity y", "scene.gravity[1]", "m/s²", "−9.81");
    add_row (self, "Friction µ", "scene.friction", "", "0");
    add_row (self, "Restitution", "scene.restitution", "", "0");
  }
  if (scenario->n_parameters > 0 || scenario->scene != NULL) {
    begin_group (self, "Parameters");
    gtk_widget_set_visible (self->list, scenario->n_parameters > 0);
  }
  if (scenario->scene != NULL)
    gtk_box_append (GTK_BOX (self->head), ssui_add_parameter_button_new ());
  for (int i = 0; i < scenario->n_parameters; i++) {
    const SsParameter *p = &scenario->parameters[i];
    g_autofree char *path = g_strdup_printf ("parameters.%s.value", p->name);
    SsuiFieldRow *row = add_row (self, p->name, path, "", "");
    if (scenario->scene != NULL)
      ssui_field_row_add_button (row, "list-remove-symbolic", "Delete this parameter", "win.remove-parameter", p->name);
    gtk_widget_set_tooltip_text (GTK_WIDGET (row), p->description);
  }
}

static void
clear_groups (SsuiInspector *self)
{
  GtkWidget *child;

  g_ptr_array_set_size (self->rows, 0);
  memset (self->holds, 0, sizeof self->holds);
  self->material = self->on = self->candidate = self->law = NULL;
  self->summary = self->mass = NULL;
  while ((child = gtk_widget_get_first_child (self->groups)) != NULL)
    gtk_box_remove (GTK_BOX (self->groups), child);
}

static void
append_fields (GString *text, SsappDocument *document, const char *path)
{
  g_autoptr (GPtrArray) fields = ssapp_document_list_fields (document, path);

  for (guint i = 0; i < fields->len; i++)
    g_string_append_printf (text, " %s", ((const SsappField *)g_ptr_array_index (fields, i))->path);
}

/* What drives a joint. */
static void
append_motor (GString *text, SsappDocument *document, const char *path)
{
  g_autoptr (GPtrArray) gains = ssapp_document_list_motor_fields (document, path);
  g_autofree char *motor = ssapp_document_find_motor (document, path);

  for (guint i = 0; i < gains->len; i++)
    g_string_append_printf (text, " %s", ((const SsappField *)g_ptr_array_index (gains, i))->path);
  if (motor != NULL)
    append_fields (text, document, motor);
}

/* The materials and who has them: notes name them. */
static void
append_materials (GString *text, SsappDocument *document)
{
  const SsScene *scene = ssapp_document_get_scenario (document)->scene;
  g_auto (GStrv) names = ssapp_document_list_materials (document);

  for (guint i = 0; names[i] != NULL; i++)
    g_string_append_printf (text, " %s", names[i]);
  for (int i = 0; i < scene->n_bodies && ssapp_document_get_selected (document) == NULL; i++) {
    g_autofree char *name = ssapp_document_get_material (document, i);
    g_string_append_printf (text, " %s", name != NULL ? name : "-");
  }
}

/* Changes exactly when other rows are needed. */
static char *
make_signature (SsuiInspector *self)
{
  static const char *const lists[] = {"scene.actuators", "task.targets", "task.bounds"};
  const SsScenario *scenario = ssapp_document_get_scenario (self->document);
  int index = ssapp_document_get_selected_index (self->document);
  const char *item = ssapp_document_get_selected_item (self->document);
  GString *text = g_string_new (NULL);

  if (ssapp_document_count_selected (self->document) > 1) {
    append_several (text, self->document);
  } else if (index >= 0) {
    const SsBody *body = &scenario->scene->bodies[index];
    g_autofree char *path = ssapp_document_body_path (self->document, index),
                    *shape = g_strdup_printf ("%s.shape", path != NULL ? path : ""),
                    *density = g_strdup_printf ("%s.density", path != NULL ? path : "");
    g_string_append_printf (text, "body %d %s %d %d %d %d", index, body->name, body->item, body->n_shapes,
                            body->is_fixed, ss_body_is_immovable (body));
    g_string_append_printf (text, " %d", ssapp_document_has_field (self->document, density));
    append_materials (text, self->document);
    append_fields (text, self->document, shape);
    for (int i = 0; i < body->n_shapes && path != NULL; i++) {
      g_autofree char *one = ssapp_document_shape_path (self->document, index, i);
      append_fields (text, self->document, one);
    }
    for (guint l = 0; l < G_N_ELEMENTS (lists); l++) {
      g_autoptr (GPtrArray) items = ssapp_document_list_items (self->document, lists[l]);
      for (guint i = 0; i < items->len; i++) {
        const SsappItem *entry = g_ptr_array_index (items, i);
        g_string_append_printf (text, " %s", entry->name);
        append_fields (text, self->document, entry->path);
      }
    }
  } else if (item != NULL) {
    g_string_append (text, item);
    append_fields (text, self->document, item);
    append_motor (text, self->document, item);
    g_string_append_printf (text, " %d", scenario->task.plan != NULL);
    if (g_str_has_prefix (item, "scene.contacts{") || g_str_has_prefix (item, "scene.materials."))
      append_materials (text, self->document);
  } else {
    g_string_append_printf (text, "scenario %d %d %d %d %d", scenario->scene != NULL, scenario->task.plan != NULL,
                            scenario->scene != NULL ? scenario->scene->n_actuators : 0,
                            ssapp_document_has_field (self->document, "task.horizon"),
                            ssapp_document_has_field (self->document, "task.effort"));
    for (int i = 0; i < scenario->n_parameters; i++)
      g_string_append_printf (text, " %s", scenario->parameters[i].name);
    append_fields (text, self->document, "task");
    append_fields (text, self->document, "task.free_time");
  }
  return g_string_free (text, FALSE);
}

static void
update_several_heading (SsuiInspector *self)
{
  g_autofree char *words = ssapp_document_describe_selection (self->document),
                  *title = g_strdup_printf ("%d objects", ssapp_document_count_selected (self->document));

  gtk_image_set_from_icon_name (GTK_IMAGE (self->icon), "ss-select-symbolic");
  gtk_label_set_text (GTK_LABEL (self->title), title);
  gtk_label_set_text (GTK_LABEL (self->kind), "");
  gtk_widget_set_visible (self->delete, TRUE);
  gtk_widget_set_tooltip_text (self->delete, "Delete them (Delete)");
  gtk_label_set_text (GTK_LABEL (self->description), words);
  gtk_widget_set_visible (self->description, strcmp (words, title) != 0);
}

static void
update_heading (SsuiInspector *self)
{
  const SsScenario *scenario = ssapp_document_get_scenario (self->document);
  int index = ssapp_document_get_selected_index (self->document);
  const char *path = ssapp_document_get_selected_item (self->document);
  SsappItem *item = path != NULL ? ssapp_document_get_item (self->document, path) : NULL;
  const char *icon = "ss-parameter-symbolic", *title = ssapp_document_get_title (self->document), *kind = "scenario";

  if (index >= 0) {
    const SsBody *body = &scenario->scene->bodies[index];
    title = body->name;
    kind = kind_of_body (body);
    icon = body->shape.kind == SS_SHAPE_CIRCLE       ? "ss-disc-symbolic"
           : body->shape.kind == SS_SHAPE_HALF_PLANE ? "ss-ground-symbolic"
           : body->shape.kind == SS_SHAPE_CAPSULE    ? "ss-capsule-symbolic"
           : body->shape.kind == SS_SHAPE_SEGMENT    ? "ss-segment-symbolic"
           : body->shape.n_vertices != 4             ? "ss-polygon-symbolic"
                                                     : "ss-box-symbolic";
  }
  if (item != NULL) {
    title = item->name;
    kind = item->kind;
    icon = ssui_item_icon (item->kind);
  }
  if (ssapp_document_count_selected (self->document) > 1) {
    update_several_heading (self);
    ssapp_item_free (item);
    return;
  }
  gtk_image_set_from_icon_name (GTK_IMAGE (self->icon), icon);
  gtk_label_set_text (GTK_LABEL (self->title), title);
  gtk_label_set_text (GTK_LABEL (self->kind), kind);
  gtk_widget_set_visible (self->delete, (index >= 0 && scenario->scene->bodies[index].item >= 0) ||
                                            (item != NULL && !g_str_equal (item->kind, "contact")));
  gtk_widget_set_tooltip_text (self->delete, index >= 0 ? "Delete this body (Delete)" : "Delete (Delete)");
  gtk_label_set_text (GTK_LABEL (self->description), scenario->description);
  gtk_widget_set_visible (self->description,
                          index < 0 && item == NULL && scenario->description != NULL && *scenario->description != '\0');
  ssapp_item_free (item);
}

static void
refresh_summary (SsuiInspector *self)
{
  g_autofree char *words = NULL;

  if (self->summary == NULL)
    return;
  words = ssapp_document_describe_task (self->document);
  gtk_label_set_text (GTK_LABEL (self->summary), words);
}

/* Of the field that has the keyboard focus. */
static char *
get_focus_path (SsuiInspector *self)
{
  for (guint i = 0; i < self->rows->len; i++)
    if (ssui_field_row_has_focus (g_ptr_array_index (self->rows, i)))
      return g_strdup (ssui_field_row_get_path (g_ptr_array_index (self->rows, i)));
  return NULL;
}

static void
update_once (SsuiInspector *self)
{
  g_autofree char *signature = make_signature (self), *focus = NULL;
  int index = ssapp_document_get_selected_index (self->document);

  update_heading (self);
  if (g_strcmp0 (signature, self->signature) == 0) {
    for (guint i = 0; i < self->rows->len; i++)
      ssui_field_row_refresh (g_ptr_array_index (self->rows, i));
    refresh_holds (self);
    refresh_material (self);
    refresh_contact (self);
    refresh_summary (self);
    refresh_mass (self);
    return;
  }
  g_free (self->signature);
  self->signature = g_steal_pointer (&signature);
  focus = get_focus_path (self);
  if (ssui_take_focus_from (self->groups) && self->is_stale)
    return; /* what was typed is in the document now */
  clear_groups (self);
  ssui_forces_now_add (GTK_BOX (self->groups), self->document, self->watch);
  if (ssapp_document_count_selected (self->document) > 1)
    build_several (self);
  else if (index >= 0)
    build_body (self, index);
  else if (ssapp_document_get_selected_item (self->document) != NULL)
    build_item (self, ssapp_document_get_selected_item (self->document));
  else
    build_scenario (self);
  if (focus != NULL) /* the same field, if there still is one */
    ssui_inspector_focus_path (self, focus);
}

static void
update (SsuiInspector *self)
{
  self->is_stale = TRUE;
  if (self->is_building) /* an edit while rows go: once they are gone */
    return;
  self->is_building = TRUE;
  for (gboolean is_again = FALSE; self->is_stale; is_again = TRUE) {
    self->is_stale = FALSE;
    if (is_again)
      g_clear_pointer (&self->signature, g_free);
    update_once (self);
  }
  self->is_building = FALSE;
}

void
ssui_inspector_set_watch (SsuiInspector *self, SsappContactWatch *watch)
{
  g_set_object (&self->watch, watch);
}

void
ssui_inspector_set_document (SsuiInspector *self, SsappDocument *document)
{
  if (self->document != NULL)
    g_signal_handlers_disconnect_by_data (self->document, self);
  g_set_object (&self->document, document);
  if (document == NULL)
    return;
  g_signal_connect_object (document, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "selection-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
}

void
ssui_inspector_focus_first (SsuiInspector *self)
{
  if (self->rows->len > 0)
    ssui_field_row_focus (g_ptr_array_index (self->rows, 0));
}

gboolean
ssui_inspector_focus_path (SsuiInspector *self, const char *path)
{
  for (guint i = 0; i < self->rows->len; i++)
    if (strcmp (ssui_field_row_get_path (g_ptr_array_index (self->rows, i)), path) == 0) {
      ssui_field_row_focus (g_ptr_array_index (self->rows, i));
      return TRUE;
    }
  return FALSE;
}

static void
ssui_inspector_dispose (GObject *object)
{
  SsuiInspector *self = SSUI_INSPECTOR (object);

  ssui_inspector_set_document (self, NULL);
  gtk_widget_dispose_template (GTK_WIDGET (object), SSUI_TYPE_INSPECTOR);
  ssui_unparent_children (GTK_WIDGET (object));
  g_clear_pointer (&self->rows, g_ptr_array_unref);
  g_clear_pointer (&self->signature, g_free);
  g_clear_object (&self->watch);
  G_OBJECT_CLASS (ssui_inspector_parent_class)->dispose (object);
}

static void
ssui_inspector_class_init (SsuiInspectorClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = ssui_inspector_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, SSUI_RESOURCE_PATH "/ui/ssui-inspector.ui");
  gtk_widget_class_bind_template_child (widget_class, SsuiInspector, scroller);
  gtk_widget_class_bind_template_child (widget_class, SsuiInspector, icon);
  gtk_widget_class_bind_template_child (widget_class, SsuiInspector, title);
  gtk_widget_class_bind_template_child (widget_class, SsuiInspector, kind);
  gtk_widget_class_bind_template_child (widget_class, SsuiInspector, delete);
  gtk_widget_class_bind_template_child (widget_class, SsuiInspector, description);
  gtk_widget_class_bind_template_child (widget_class, SsuiInspector, groups);
}

static void
ssui_inspector_init (SsuiInspector *self)
{
  self->rows = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
}
