/* ui/ssui-inspector.c: see the header. Rows are made anew when other fields are needed, and refreshed when only numbers change. */
#include "ui/ssui-inspector.h"

#include "ui/ssui-field-row.h"
#include "ui/ssui-util.h"

#include <string.h>

struct _SsuiInspector {
  GtkWidget parent_instance;
  GtkWidget *scroller, *icon, *title, *kind, *delete, *description, *groups;
  SsappDocument *document;
  GPtrArray *rows; /* of SsuiFieldRow, borrowed from the tree */
  char *signature; /* which fields the rows are for           */
  GtkWidget *list; /* group being filled                      */
};

G_DEFINE_FINAL_TYPE (SsuiInspector, ssui_inspector, GTK_TYPE_WIDGET)

static void
begin_group (SsuiInspector *self, const char *title)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4), *label = gtk_label_new (title);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_margin_start (label, 2);
  gtk_widget_add_css_class (label, "group-title");
  self->list = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (self->list, "boxed-list");
  ssui_set_label (self->list, title);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), self->list);
  gtk_box_append (GTK_BOX (self->groups), box);
}

static void
add_row (SsuiInspector *self, const char *title, const char *path, const char *unit, const char *fallback)
{
  GtkWidget *row = ssui_field_row_new (self->document, title, path, unit, fallback);
  gtk_list_box_append (GTK_LIST_BOX (self->list), row);
  g_ptr_array_add (self->rows, row);
}

static void
add_body_row (SsuiInspector *self, int body, const char *title, const char *field, const char *unit,
              const char *fallback)
{
  g_autofree char *path = g_strdup_printf ("scene.bodies[%d].%s", body, field);
  add_row (self, title, path, unit, fallback);
}

static void
build_body (SsuiInspector *self, int index)
{
  const SsBody *body = &ssapp_document_get_scenario (self->document)->scene->bodies[index];
  g_autofree char *width_path = g_strdup_printf ("scene.bodies[%d].shape.width", index);
  g_autofree char *width = ssapp_document_get_field (self->document, width_path, "");
  g_autofree char *inertia = ssui_number (body->inertia);

  begin_group (self, "Shape");
  add_row (self, "Name", "name", "", "");
  if (body->shape.kind == SS_SHAPE_CIRCLE) {
    add_body_row (self, index, "Radius", "shape.radius", "m", "");
  } else if (body->shape.kind == SS_SHAPE_HALF_PLANE) {
    add_body_row (self, index, "Normal x", "shape.normal[0]", "", "0");
    add_body_row (self, index, "Normal y", "shape.normal[1]", "", "1");
  } else if (width != NULL) {
    add_body_row (self, index, "Width", "shape.width", "m", "");
    add_body_row (self, index, "Height", "shape.height", "m", "");
  }
  if (!body->is_fixed) {
    add_body_row (self, index, "Mass", "mass", "kg", "");
    add_body_row (self, index, "Inertia", "inertia", "kg m²", inertia);
  }
  begin_group (self, "Position");
  add_body_row (self, index, "x", "position[0]", "m", "0");
  add_body_row (self, index, "y", "position[1]", "m", "0");
  add_body_row (self, index, "Angle", "angle", "deg", "0");
  if (!body->is_fixed) {
    begin_group (self, "Velocity at the Start");
    add_body_row (self, index, "Velocity x", "velocity[0]", "m/s", "0");
    add_body_row (self, index, "Velocity y", "velocity[1]", "m/s", "0");
    add_body_row (self, index, "Spin", "angular_velocity", "rad/s", "0");
  }
}

static void
build_scenario (SsuiInspector *self)
{
  const SsScenario *scenario = ssapp_document_get_scenario (self->document);

  if (scenario->scene != NULL) {
    begin_group (self, "World");
    add_row (self, "Gravity x", "scene.gravity[0]", "m/s²", "0");
    add_row (self, "Gravity y", "scene.gravity[1]", "m/s²", "−9.81");
    add_row (self, "Friction µ", "scene.friction", "", "0");
    add_row (self, "Restitution", "scene.restitution", "", "0");
    begin_group (self, "Task");
    add_row (self, "Horizon", "task.t_end", "s", "");
    add_row (self, "Time step", "task.dt", "s", "");
  }
  if (scenario->n_parameters > 0)
    begin_group (self, "Parameters");
  for (int i = 0; i < scenario->n_parameters; i++) {
    const SsParameter *parameter = &scenario->parameters[i];
    g_autofree char *path = g_strdup_printf ("parameters.%s.value", parameter->name);
    add_row (self, parameter->name, path, "", "");
    gtk_widget_set_tooltip_text (g_ptr_array_index (self->rows, self->rows->len - 1), parameter->description);
  }
}

static void
clear_groups (SsuiInspector *self)
{
  GtkWidget *child;

  g_ptr_array_set_size (self->rows, 0);
  while ((child = gtk_widget_get_first_child (self->groups)) != NULL)
    gtk_box_remove (GTK_BOX (self->groups), child);
}

/* Changes exactly when other rows are needed. */
static char *
make_signature (SsuiInspector *self)
{
  const SsScenario *scenario = ssapp_document_get_scenario (self->document);
  int index = ssapp_document_get_selected_index (self->document);
  GString *text = g_string_new (NULL);

  if (index >= 0) {
    const SsBody *body = &scenario->scene->bodies[index];
    g_string_append_printf (text, "body %d %s %d %d", index, body->name, body->shape.kind, body->is_fixed);
  } else {
    g_string_append_printf (text, "scenario %d", scenario->scene != NULL);
    for (int i = 0; i < scenario->n_parameters; i++)
      g_string_append_printf (text, " %s", scenario->parameters[i].name);
  }
  return g_string_free (text, FALSE);
}

static void
update_heading (SsuiInspector *self)
{
  const SsScenario *scenario = ssapp_document_get_scenario (self->document);
  int index = ssapp_document_get_selected_index (self->document);
  const char *icon = "ss-parameter-symbolic", *title = ssapp_document_get_title (self->document), *kind = "scenario";

  if (index >= 0) {
    const SsBody *body = &scenario->scene->bodies[index];
    title = body->name;
    kind = body->is_fixed ? "fixed body" : "free body";
    icon = body->shape.kind == SS_SHAPE_CIRCLE       ? "ss-disc-symbolic"
           : body->shape.kind == SS_SHAPE_HALF_PLANE ? "ss-ground-symbolic"
                                                     : "ss-box-symbolic";
  }
  gtk_image_set_from_icon_name (GTK_IMAGE (self->icon), icon);
  gtk_label_set_text (GTK_LABEL (self->title), title);
  gtk_label_set_text (GTK_LABEL (self->kind), kind);
  gtk_widget_set_visible (self->delete, index >= 0);
  gtk_label_set_text (GTK_LABEL (self->description), scenario->description);
  gtk_widget_set_visible (self->description,
                          index < 0 && scenario->description != NULL && *scenario->description != '\0');
}

static void
update (SsuiInspector *self)
{
  g_autofree char *signature = make_signature (self);
  int index = ssapp_document_get_selected_index (self->document);

  update_heading (self);
  if (g_strcmp0 (signature, self->signature) == 0) {
    for (guint i = 0; i < self->rows->len; i++)
      ssui_field_row_refresh (g_ptr_array_index (self->rows, i));
    return;
  }
  g_free (self->signature);
  self->signature = g_steal_pointer (&signature);
  clear_groups (self);
  if (index >= 0)
    build_body (self, index);
  else
    build_scenario (self);
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

GtkWidget *
ssui_inspector_new (void)
{
  return g_object_new (SSUI_TYPE_INSPECTOR, NULL);
}
