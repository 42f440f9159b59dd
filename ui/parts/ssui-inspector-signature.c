/* ui/parts/ssui-inspector-signature.c: which rows of the inspector the selection needs, as a text. */
#include "ui/parts/ssui-inspector-private.h"

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

/* Changes exactly when other rows are needed. */
char *
ssui_inspector_make_signature (SsappDocument *document)
{
  static const char *const lists[] = {"scene.actuators", "task.targets", "task.bounds"};
  const SsScenario *scenario = ssapp_document_get_scenario (document);
  int index = ssapp_document_get_selected_index (document);
  const char *item = ssapp_document_get_selected_item (document);
  GString *text = g_string_new (NULL);

  if (ssapp_document_count_selected (document) > 1) {
    append_several (text, document);
  } else if (index >= 0) {
    const SsBody *body = &scenario->scene->bodies[index];
    g_autofree char *path = ssapp_document_body_path (document, index),
                    *shape = g_strdup_printf ("%s.shape", path != NULL ? path : ""),
                    *density = g_strdup_printf ("%s.density", path != NULL ? path : ""),
                    *uniform = g_strdup_printf ("%s.uniform", path != NULL ? path : "");
    g_string_append_printf (text, "body %d %s %d %d %d %d", index, body->name, body->item, body->n_shapes,
                            body->is_fixed, ss_body_is_immovable (body));
    g_string_append_printf (text, " %d %d", ssapp_document_has_field (document, density),
                            ssapp_document_has_field (document, uniform));
    append_materials (text, document);
    append_fields (text, document, shape);
    for (int i = 0; i < body->n_shapes && path != NULL; i++) {
      g_autofree char *one = ssapp_document_shape_path (document, index, i);
      append_fields (text, document, one);
    }
    for (guint l = 0; l < G_N_ELEMENTS (lists); l++) {
      g_autoptr (GPtrArray) items = ssapp_document_list_items (document, lists[l]);
      for (guint i = 0; i < items->len; i++) {
        const SsappItem *entry = g_ptr_array_index (items, i);
        g_string_append_printf (text, " %s", entry->name);
        append_fields (text, document, entry->path);
      }
    }
  } else if (item != NULL) {
    g_string_append (text, item);
    append_fields (text, document, item);
    append_motor (text, document, item);
    g_string_append_printf (text, " %d", scenario->task.plan != NULL);
    if (g_str_has_prefix (item, "scene.contacts{") || g_str_has_prefix (item, "scene.materials."))
      append_materials (text, document);
  } else {
    g_string_append_printf (text, "scenario %d %d %d %d %d", scenario->scene != NULL, scenario->task.plan != NULL,
                            scenario->scene != NULL ? scenario->scene->n_actuators : 0,
                            ssapp_document_has_field (document, "task.horizon"),
                            ssapp_document_has_field (document, "task.effort"));
    for (int i = 0; i < scenario->n_parameters; i++)
      g_string_append_printf (text, " %s", scenario->parameters[i].name);
    append_fields (text, document, "task");
    append_fields (text, document, "task.free_time");
  }
  return g_string_free (text, FALSE);
}
