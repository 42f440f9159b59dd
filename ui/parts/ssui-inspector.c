/* ui/parts/ssui-inspector.c: see the header. Rows are made anew when other fields are needed, and refreshed when only
 * numbers change. */
#include "ui/parts/ssui-inspector-private.h"

#include "app/session/ssapp-find-time.h"
#include "ui/parts/ssui-entry-rows.h"
#include "ui/parts/ssui-forces-now.h"
#include "ui/parts/ssui-task-time.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <string.h>

G_DEFINE_FINAL_TYPE (SsuiInspector, ssui_inspector, GTK_TYPE_WIDGET)

/* ---- the scenario ------------------------------------------------------------------------------------------------ */

static void
add_effort (SsuiInspector *self, const SsScene *scene)
{
  g_autofree char *single = ssapp_document_get_field (self->document, "task.effort", "");

  /* Weights by actuator are an object: then there is no single number to show. */
  if (single != NULL || !ssapp_document_has_field (self->document, "task.effort")) {
    ssui_inspector_add_optional_row (self, _ ("Effort weight"), "task.effort", "", "0.001");
    return;
  }
  for (int i = 0; i < scene->n_actuators; i++) {
    g_autofree char *path = g_strdup_printf ("task.effort.%s", scene->actuators[i].name),
                    *title = g_strdup_printf (_ ("Effort of %s"), scene->actuators[i].name);
    ssui_inspector_add_optional_row (self, title, path, "", "0.001");
  }
}

/* Times at which forces bend or jump; where a rule of the file writes them they are changed there. */
static void
add_breaks (SsuiInspector *self)
{
  g_autofree char *text = ssapp_document_get_field (self->document, "task.breaks", "");

  if (text == NULL && ssapp_document_has_field (self->document, "task.breaks"))
    return;
  ssui_inspector_add_optional_row (self, _ ("Breaks"), "task.breaks", "s", _ ("none listed"));
  gtk_widget_set_tooltip_text (g_ptr_array_index (self->rows, self->rows->len - 1),
                               _ ("Times at which forces bend or jump: numbers or formulas of parameters, such as "
                                  "1, t_push + 0.5. Every step ends there. “none” says that there are none"));
}

/* The horizon of a plan between bounds. */
static void
add_free_time (SsuiInspector *self)
{
  ssui_inspector_add_control_row (self, _ ("Free horizon"), ssui_free_time_switch_new (self->document));
  ssui_inspector_add_fields (self, "task.free_time");
}

static void
build_task (SsuiInspector *self, const SsScenario *scenario)
{
  const SsPlan *plan = scenario->task.plan;
  gboolean has_horizon = ssapp_document_has_field (self->document, "task.horizon");
  g_autofree char *words = NULL;

  ssui_inspector_begin_group (self, _ ("Task"));
  ssui_inspector_add_row (self, _ ("Horizon"), has_horizon ? "task.horizon" : "task.t_end", "s", "");
  gtk_widget_set_tooltip_text (GTK_WIDGET (ssui_inspector_add_row (self, _ ("Time step"), "task.dt", "s", "0.01")),
                               _ ("Of simulations"));
  add_breaks (self);
  if (plan != NULL) {
    ssui_inspector_add_optional_row (self, _ ("Steps of the plan"), "task.steps", "", "");
    if (ssapp_find_time_can (self->document, NULL))
      ssui_inspector_add_control_row (self, _ ("How long it takes"), ssui_find_time_button_new ());
    add_effort (self, scenario->scene);
    ssui_inspector_add_fields (self, "task");
    gtk_widget_set_tooltip_text (
        g_ptr_array_index (self->rows, self->rows->len - 1),
        _ ("Numbers that one control shall bear, each from, to: mu 0.2, 0.4; box.mass 1, 1.5"));
    add_free_time (self);
  }
  words = ssapp_document_describe_task (self->document);
  self->summary = ssui_inspector_add_note (self, words);
}

/* Behind a parameter: the range of its slider, and Delete. */
static void
add_range (SsuiInspector *self, SsuiFieldRow *row, const char *name, gboolean can_delete)
{
  static const struct {
    const char *title, *field;
  } ends[] = {{N_ ("Minimum"), "minimum"}, {N_ ("Maximum"), "maximum"}};
  g_autofree char *tip = g_strdup_printf (_ ("Range of %s, delete it"), name);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *list = gtk_list_box_new (),
            *popover = gtk_popover_new (), *button = gtk_menu_button_new ();

  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (list, "boxed-list");
  gtk_box_append (GTK_BOX (box), list);
  for (guint i = 0; i < G_N_ELEMENTS (ends); i++) {
    g_autofree char *path = g_strdup_printf ("parameters.%s.%s", name, ends[i].field),
                    *title = g_strdup_printf (_ ("%s of %s"), _ (ends[i].title), name);
    GtkWidget *end = ssui_field_row_new (self->document, title, path, "", "open");
    ssui_field_row_set_optional (SSUI_FIELD_ROW (end), TRUE);
    gtk_list_box_append (GTK_LIST_BOX (list), end);
    g_ptr_array_add (self->rows, end);
  }
  if (can_delete) {
    GtkWidget *delete = gtk_button_new_with_label (_ ("Delete Parameter"));
    gtk_actionable_set_action_name (GTK_ACTIONABLE (delete), "win.remove-parameter");
    gtk_actionable_set_action_target (GTK_ACTIONABLE (delete), "s", name);
    gtk_box_append (GTK_BOX (box), delete);
  }
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (button), popover);
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), "view-more-symbolic");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "group-menu");
  gtk_widget_set_tooltip_text (button, tip);
  ssui_set_label (button, tip);
  ssui_field_row_add_end (row, button);
}

static void
build_parameters (SsuiInspector *self, const SsScenario *scenario)
{
  if (scenario->n_parameters == 0 && scenario->scene == NULL)
    return;
  ssui_inspector_begin_group (self, _ ("Parameters"));
  gtk_widget_set_visible (self->list, scenario->n_parameters > 0);
  if (scenario->scene != NULL)
    gtk_box_append (GTK_BOX (self->head), ssui_add_parameter_button_new ());
  for (int i = 0; i < scenario->n_parameters; i++) {
    const SsParameter *p = &scenario->parameters[i];
    g_autofree char *path = g_strdup_printf ("parameters.%s.value", p->name);
    SsuiFieldRow *row = ssui_inspector_add_row (self, p->name, path, "", "");
    ssui_field_row_add_slider (row);
    add_range (self, row, p->name, scenario->scene != NULL);
    gtk_widget_set_tooltip_text (GTK_WIDGET (row), p->description);
  }
}

static void
build_scenario (SsuiInspector *self)
{
  const SsScenario *scenario = ssapp_document_get_scenario (self->document);

  ssui_inspector_begin_group (self, scenario->scene != NULL ? _ ("Sketch") : _ ("Scenario"));
  ssui_inspector_add_text_row (self, _ ("Title"), SSUI_TEXT_PLAIN, "title");
  ssui_field_row_set_optional (g_ptr_array_index (self->rows, self->rows->len - 1), TRUE);
  ssui_inspector_add_text_row (self, _ ("Name"), SSUI_TEXT_PLAIN, "name");
  gtk_widget_set_tooltip_text (g_ptr_array_index (self->rows, self->rows->len - 1),
                               _ ("What files and runs are called: letters, digits, - and _"));
  if (scenario->n_parameters > 0) /* what is moved most stands where it is seen */
    build_parameters (self, scenario);
  if (scenario->scene != NULL) {
    build_task (self, scenario);
    ssui_inspector_begin_group (self, _ ("World"));
    ssui_inspector_add_row (self, _ ("Gravity x"), "scene.gravity[0]", "m/s²", "0");
    ssui_inspector_add_row (self, _ ("Gravity y"), "scene.gravity[1]", "m/s²", "−9.81");
    ssui_inspector_add_row (self, _ ("Friction µ"), "scene.friction", "", "0");
    ssui_inspector_add_row (self, _ ("Restitution"), "scene.restitution", "", "0");
  }
  if (scenario->n_parameters == 0)
    build_parameters (self, scenario);
}

static void
clear_groups (SsuiInspector *self)
{
  g_ptr_array_set_size (self->rows, 0);
  memset (self->holds, 0, sizeof self->holds);
  self->material = self->on = self->candidate = self->law = NULL;
  self->summary = self->mass = self->follows = NULL;
  ssui_empty (self->groups);
}

/* Without this a body that only moves steadily cannot be told from a fixed one. */
static const char *
kind_of_body (const SsBody *body)
{
  if (body->is_fixed)
    return _ ("fixed body");
  if (ss_body_is_immovable (body))
    return _ ("held body");
  return body->lock[0] || body->lock[1] || body->lock[2] ? _ ("partly held body") : _ ("free body");
}

static void
update_several_heading (SsuiInspector *self)
{
  const int n = ssapp_document_count_selected (self->document);
  g_autofree char *words = ssapp_document_describe_selection (self->document),
                  *title = g_strdup_printf (ngettext ("%d object", "%d objects", (gulong)n), n);

  gtk_image_set_from_icon_name (GTK_IMAGE (self->icon), "ss-select-symbolic");
  gtk_label_set_text (GTK_LABEL (self->title), title);
  gtk_label_set_text (GTK_LABEL (self->kind), "");
  gtk_widget_set_visible (self->delete, TRUE);
  gtk_widget_set_tooltip_text (self->delete, _ ("Delete them (Delete)"));
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
  gtk_widget_set_tooltip_text (self->delete, index >= 0 ? _ ("Delete this body (Delete)") : _ ("Delete (Delete)"));
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
  g_autofree char *signature = ssui_inspector_make_signature (self->document), *focus = NULL;
  int index = ssapp_document_get_selected_index (self->document);

  update_heading (self);
  if (g_strcmp0 (signature, self->signature) == 0) {
    for (guint i = 0; i < self->rows->len; i++)
      ssui_field_row_refresh (g_ptr_array_index (self->rows, i));
    ssui_inspector_refresh_holds (self);
    ssui_inspector_refresh_material (self);
    ssui_inspector_refresh_contact (self);
    refresh_summary (self);
    ssui_inspector_refresh_mass (self);
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
    ssui_inspector_build_several (self);
  else if (index >= 0)
    ssui_inspector_build_body (self, index);
  else if (ssapp_document_get_selected_item (self->document) != NULL)
    ssui_inspector_build_item (self, ssapp_document_get_selected_item (self->document));
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
  g_return_if_fail (SSUI_IS_INSPECTOR (self) && (watch == NULL || SSAPP_IS_CONTACT_WATCH (watch)));
  g_set_object (&self->watch, watch);
}

void
ssui_inspector_set_document (SsuiInspector *self, SsappDocument *document)
{
  g_return_if_fail (SSUI_IS_INSPECTOR (self) && (document == NULL || SSAPP_IS_DOCUMENT (document)));
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
  g_return_if_fail (SSUI_IS_INSPECTOR (self));
  if (self->rows->len > 0)
    ssui_field_row_focus (g_ptr_array_index (self->rows, 0));
}

gboolean
ssui_inspector_focus_path (SsuiInspector *self, const char *path)
{
  g_return_val_if_fail (SSUI_IS_INSPECTOR (self), FALSE);
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
