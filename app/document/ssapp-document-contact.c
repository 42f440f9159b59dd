/* app/document/ssapp-document-contact.c: single contacts and materials of an edited scene, and what fields are while
 * the file does not say them.
 *
 * A file may list its contacts or give "all" pairs with changes of single ones; people see contacts either way. A
 * change of a pair under "all" is an entry beside it, which goes when nothing of it is left. */
#include "app/document/ssapp-document-private.h"

#include <glib/gi18n.h>
#include <string.h>

static gboolean
refuse (GError **error, const char *format, const char *name)
{
  g_autofree char *text = g_strdup_printf (format, name);
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, text);
  return FALSE;
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

char *
ssapp_document_contact_path (SsappDocument *self, int contact)
{
  const SsScene *scene = ssapp_document_scene (self);

  g_return_val_if_fail (scene != NULL && contact >= 0 && contact < scene->n_contacts, NULL);
  return g_strdup_printf ("scene.contacts{%s,%s}", scene->bodies[scene->contacts[contact].body_a].name,
                          scene->bodies[scene->contacts[contact].body_b].name);
}

GPtrArray *
ssapp_document_list_contacts_off (SsappDocument *self)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);

  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  json_t *list = ssapp_tree_get (ssapp_document_root (self), "scene.contacts");

  for (size_t i = 0; json_is_array (list) && i < json_array_size (list); i++) {
    json_t *entry = json_array_get (list, i), *bodies = json_object_get (entry, "bodies");
    g_autofree char *path = NULL;
    if (!json_is_false (json_object_get (entry, "enabled")) || json_array_size (bodies) != 2)
      continue;
    path = g_strdup_printf ("scene.contacts{%s,%s}", json_string_value (json_array_get (bodies, 0)),
                            json_string_value (json_array_get (bodies, 1)));
    if (ssapp_document_find_contact (self, path) < 0) /* else the pair is listed twice */
      g_ptr_array_add (paths, g_steal_pointer (&path));
  }
  return paths;
}

static gboolean
is_named (const json_t *name, const char *wanted)
{
  return g_strcmp0 (json_string_value (name), wanted) == 0;
}

/* A plan that names its contacts begins or ceases to know this one. */
static void
set_known (json_t *root, const char *name, gboolean is_known)
{
  json_t *known = ssapp_tree_get (root, "task.contacts");

  for (size_t i = json_array_size (known); i-- > 0;)
    if (is_named (json_array_get (known, i), name))
      json_array_remove (known, i);
  if (is_known && json_is_array (known))
    json_array_append_new (known, json_string (name));
}

/* As the reader calls the contact of an entry. Caller frees. */
static char *
name_of_entry (json_t *entry)
{
  const char *name = json_string_value (json_object_get (entry, "name"));
  json_t *bodies = json_object_get (entry, "bodies");

  return name != NULL ? g_strdup (name)
                      : g_strdup_printf ("%s-%s", json_string_value (json_array_get (bodies, 0)),
                                         json_string_value (json_array_get (bodies, 1)));
}

/* FALSE with an error for a contact that cannot be changed by itself. */
static gboolean
require_contact (SsappDocument *self, const char *path, GError **error)
{
  SsappItem *item = ssapp_tree_parse_contact (path, NULL, NULL, NULL) ? ssapp_document_get_item (self, path) : NULL;
  gboolean is_family = item != NULL && item->is_family, is_there = item != NULL;

  ssapp_item_free (item);
  if (!is_there)
    return refuse (error, _ ("There is no contact “%s”"), path);
  if (is_family)
    return refuse (error, "%s", _ ("The file writes this contact by a rule: change the rule in the file"));
  return TRUE;
}

gboolean
ssapp_document_set_contact_on (SsappDocument *self, const char *path, gboolean is_on, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self) && path != NULL, FALSE);
  g_autofree char *a = NULL, *b = NULL, *name = NULL, *label = NULL;
  json_t *root, *entry;

  if (!require_contact (self, path, error))
    return FALSE;
  if ((ssapp_document_find_contact (self, path) >= 0) == is_on)
    return TRUE;
  ssapp_tree_parse_contact (path, &a, &b, NULL);
  root = json_deep_copy (ssapp_document_root (self));
  entry = ssapp_tree_require_contact (root, a, b);
  name = name_of_entry (entry);
  if (is_on)
    json_object_del (entry, "enabled");
  else
    json_object_set_new (entry, "enabled", json_false ());
  ssapp_tree_tidy_contact (root, ssapp_document_scene (self), a, b);
  set_known (root, name, is_on);
  label = g_strdup_printf ("Turn %s %s – %s", is_on ? "on" : "off", a, b);
  return ssapp_document_commit (self, root, label, error);
}

gboolean
ssapp_document_is_candidate (SsappDocument *self, const char *path)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);

  const SsPlan *plan = ssapp_document_get_scenario (self)->task.plan;
  int contact = ssapp_document_find_contact (self, path);

  for (int i = 0; plan != NULL && contact >= 0 && i < plan->n_candidates; i++)
    if (plan->candidates[i] == contact)
      return TRUE;
  return FALSE;
}

gboolean
ssapp_document_set_candidate (SsappDocument *self, const char *path, gboolean is_candidate, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self) && path != NULL, FALSE);
  const SsScene *scene = ssapp_document_scene (self);
  int contact = ssapp_document_find_contact (self, path);
  g_autofree char *label = NULL;
  json_t *root, *task, *known;

  if (contact < 0)
    return refuse (error, "%s", _ ("Turn the contact on first"));
  if (ssapp_document_is_candidate (self, path) == is_candidate)
    return TRUE;
  root = json_deep_copy (ssapp_document_root (self));
  task = json_object_get (root, "task");
  if (!json_is_array (json_object_get (task, "contacts"))) { /* all so far: from now on those that are named */
    known = json_array ();
    for (int i = 0; i < scene->n_contacts; i++)
      json_array_append_new (known, json_string (scene->contacts[i].name));
    json_object_set_new (task, "contacts", known);
  }
  set_known (root, scene->contacts[contact].name, is_candidate);
  label = g_strdup_printf ("%s %s in plans", is_candidate ? "Know" : "Leave out", scene->contacts[contact].name);
  return ssapp_document_commit (self, root, label, error);
}

/* ---- materials --------------------------------------------------------------------------------------------------- */

char **
ssapp_document_list_materials (SsappDocument *self)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  json_t *materials = ssapp_tree_get (ssapp_document_root (self), SSAPP_MATERIALS), *value;
  const char *name;

  json_object_foreach (materials, name, value) g_strv_builder_add (names, name);
  return g_strv_builder_end (names);
}

char *
ssapp_document_get_material (SsappDocument *self, int body)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);
  g_autofree char *path = ssapp_document_body_path (self, body),
                  *field = path != NULL ? g_strconcat (path, ".material", NULL) : NULL;

  return field != NULL ? ssapp_document_get_field (self, field, "") : NULL;
}

/* The object of a body in a tree; NULL with an error for one of a family. */
static json_t *
body_in (SsappDocument *self, json_t *root, int body, GError **error)
{
  g_autofree char *path = ssapp_document_body_path (self, body);

  if (path == NULL)
    refuse (error, "%s", _ ("The file writes this body by a rule: change the rule in the file"));
  return path != NULL ? ssapp_tree_get (root, path) : NULL;
}

gboolean
ssapp_document_set_material (SsappDocument *self, int body, const char *name, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  json_t *root = json_deep_copy (ssapp_document_root (self)), *object = body_in (self, root, body, error);
  const char *body_name;
  g_autofree char *label = NULL;

  if (object == NULL) {
    json_decref (root);
    return FALSE;
  }
  body_name = ssapp_document_scene (self)->bodies[body].name;
  if (name != NULL)
    json_object_set_new (object, "material", json_string (name));
  else
    json_object_del (object, "material");
  label = name != NULL ? g_strdup_printf ("Make %s of %s", body_name, name)
                       : g_strdup_printf ("Take the material of %s", body_name);
  return ssapp_document_commit_change (self, root, label, error);
}

gboolean
ssapp_document_add_material (SsappDocument *self, int body, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  static const char *const values[] = {"friction", "restitution"};
  json_t *root, *scene, *materials, *material, *object;
  g_autofree char *name = g_strdup ("material"), *path = NULL;

  if (!ssapp_document_require_scene (self, error))
    return FALSE;
  root = json_deep_copy (ssapp_document_root (self));
  scene = json_object_get (root, "scene");
  materials = json_object_get (scene, "materials");
  if (materials == NULL) {
    materials = json_object ();
    json_object_set_new (scene, "materials", materials);
  }
  for (int number = 2; json_object_get (materials, name) != NULL; number++) {
    g_free (name);
    name = g_strdup_printf ("material-%d", number);
  }
  material = json_object ();
  json_object_set_new (materials, name, material);
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    if (json_object_get (scene, values[i]) != NULL)
      json_object_set_new (material, values[i], json_deep_copy (json_object_get (scene, values[i])));
  object = body >= 0 ? body_in (self, root, body, error) : NULL;
  if (body >= 0 && object == NULL) {
    json_decref (root);
    return FALSE;
  }
  if (object != NULL)
    json_object_set_new (object, "material", json_string (name));
  path = g_strconcat (SSAPP_MATERIALS ".", name, NULL);
  return ssapp_document_commit_selecting (self, root, "Add a material", path, error);
}

gboolean
ssapp_document_rename_material (SsappDocument *self, const char *name, const char *to, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self) && name != NULL && to != NULL, FALSE);
  g_autofree char *trimmed = g_strstrip (g_strdup (to)), *label = g_strdup_printf ("Rename %s", name),
                  *path = g_strconcat (SSAPP_MATERIALS ".", name, NULL),
                  *new_path = g_strconcat (SSAPP_MATERIALS ".", trimmed, NULL);
  gboolean is_selected = g_strcmp0 (ssapp_document_get_selected_item (self), path) == 0;
  json_t *root, *materials = ssapp_tree_get (ssapp_document_root (self), SSAPP_MATERIALS);

  if (strcmp (name, trimmed) == 0)
    return TRUE;
  if (json_object_get (materials, name) == NULL)
    return refuse (error, _ ("There is no material “%s”"), name);
  if (json_object_get (materials, trimmed) != NULL)
    return refuse (error, _ ("There is a material “%s” already"), trimmed);
  root = json_deep_copy (ssapp_document_root (self));
  ssapp_tree_rename_material (root, name, trimmed);
  return is_selected ? ssapp_document_commit_selecting (self, root, label, new_path, error)
                     : ssapp_document_commit (self, root, label, error);
}

/* ---- what the file does not say ---------------------------------------------------------------------------------- */

static char *
derived_of_contact (SsappDocument *self, const char *path, const char *field)
{
  int index = ssapp_document_find_contact (self, path);
  const SsContact *contact = index >= 0 ? &ssapp_document_scene (self)->contacts[index] : NULL;

  if (contact == NULL)
    return g_strdup ("off");
  if (strcmp (field, ".friction") == 0)
    return ssapp_short_number (contact->mu);
  if (strcmp (field, ".restitution") == 0)
    return ssapp_short_number (contact->restitution);
  if (strcmp (field, ".stiffness") == 0)
    return contact->stiffness > 0 ? ssapp_short_number (contact->stiffness) : g_strdup ("method’s");
  if (strcmp (field, ".damping") == 0)
    return contact->damping > 0 ? ssapp_short_number (contact->damping) : g_strdup ("method’s");
  if (g_str_has_prefix (field, ".compliance.") &&
      contact->compliance != NULL) { /* unless it has its own, the scene's */
    g_autofree char *own = g_strdup (path), *scene = g_strconcat ("scene", field, NULL);
    *strrchr (own, '.') = '\0';
    return ssapp_tree_get (ssapp_document_root (self), own) == NULL ? ssapp_document_get_field (self, scene, "") : NULL;
  }
  return NULL;
}

/* What a material does not say is as in the scene. */
static char *
derived_of_material (SsappDocument *self, const char *field)
{
  g_autofree char *path = g_strconcat ("scene", field, NULL);
  char *text = ssapp_document_get_field (self, path, "");
  gboolean is_compliance = strcmp (field, ".stiffness") == 0 || strcmp (field, ".damping") == 0;

  return text != NULL ? text : g_strdup (is_compliance ? "rigid" : "0");
}

char *
ssapp_document_get_derived (SsappDocument *self, const char *path)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);

  const SsScenario *scenario = ssapp_document_get_scenario (self);
  const SsScene *scene = scenario->scene;
  const char *dot = strrchr (path, '.'), *rest;

  if (scene == NULL || dot == NULL)
    return NULL;
  if (ssapp_path_is_common (path))
    return ssapp_document_derive_common (self, path);
  if (ssapp_tree_parse_contact (path, NULL, NULL, &rest))
    return derived_of_contact (self, path, rest);
  if (g_str_has_prefix (path, SSAPP_MATERIALS "."))
    return derived_of_material (self, dot);
  if (strcmp (path, "task.steps") == 0)
    return scenario->task.plan != NULL ? g_strdup_printf ("%d", scenario->task.plan->steps) : NULL;
  return ssapp_document_derive_mass (self, path);
}
