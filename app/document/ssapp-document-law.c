/* app/document/ssapp-document-law.c: see the header. */
#include "app/document/ssapp-document-law.h"

#include "app/document/ssapp-document-private.h"

#include <glib/gi18n.h>

#define PAIRS "scene.material_pairs"

static const struct {
  const char *label, *symbol;
} values[SS_MATERIAL_VALUES] = {
    {N_ ("Friction µ"), "µ"}, {N_ ("Restitution"), "e"}, {N_ ("Stiffness"), "k"}, {N_ ("Damping"), "d"}};

SsMaterialValue
ssapp_material_value_from_name (const char *name)
{
  int i = 0;

  while (i < SS_MATERIAL_VALUES && g_strcmp0 (name, ss_material_value_names[i]) != 0)
    i++;
  return (SsMaterialValue)i;
}

const char *
ssapp_material_value_label (SsMaterialValue which)
{
  g_return_val_if_fail (which < SS_MATERIAL_VALUES, "");
  return _ (values[which].label);
}

const char *
ssapp_material_value_symbol (SsMaterialValue which)
{
  g_return_val_if_fail (which < SS_MATERIAL_VALUES, "");
  return values[which].symbol;
}

/* ---- sources ----------------------------------------------------------------------------------------------------- */

static double
value_of (const SsContact *contact, SsMaterialValue which)
{
  const double all[SS_MATERIAL_VALUES] = {contact->mu, contact->restitution, contact->stiffness, contact->damping};
  return all[which];
}

/* A stiffness or damping of 0 is nobody's: the method has its own. */
static char *
text_of_value (SsMaterialValue which, double value)
{
  return value == 0 && which >= SS_MATERIAL_STIFFNESS ? g_strdup ("method’s") : ssapp_short_number (value);
}

static gboolean
is_pair (const json_t *entry, const char *a, const char *b)
{
  const json_t *names = json_object_get (entry, "materials");
  const char *first = json_string_value (json_array_get (names, 0)),
             *second = json_string_value (json_array_get (names, 1));

  return (g_strcmp0 (first, a) == 0 && g_strcmp0 (second, b) == 0) ||
         (g_strcmp0 (first, b) == 0 && g_strcmp0 (second, a) == 0);
}

/* The place of the pair's own entry in a list; -1: it has none. */
static int
find_pair (const json_t *list, const char *a, const char *b)
{
  for (size_t i = 0; json_is_array (list) && i < json_array_size (list); i++)
    if (is_pair (json_array_get (list, i), a, b))
      return (int)i;
  return -1;
}

static void
free_source (SsappLawSource *source)
{
  g_free (source->title);
  g_free (source->item);
  g_free (source->text);
  g_free (source);
}

static const char *
name_of_material (const SsScene *scene, int material)
{
  return material >= 0 ? scene->materials[material].name : "none";
}

static char *
title_of_source (const SsScene *scene, SsValueSource source, int a, int b)
{
  switch (source) {
  case SS_FROM_CONTACT:
    return g_strdup (_ ("This contact"));
  case SS_FROM_PAIR:
    return g_strdup_printf (_ ("Pair %s – %s"), name_of_material (scene, a), name_of_material (scene, b));
  case SS_FROM_MATERIALS:
    return a == b ? g_strdup_printf (_ ("Material %s"), name_of_material (scene, a))
                  : g_strdup_printf (_ ("Materials %s, %s"), name_of_material (scene, a), name_of_material (scene, b));
  case SS_FROM_SCENE:
  default:
    return g_strdup (_ ("Scene"));
  }
}

/* A rule of the file writes it, together with others. */
static gboolean
is_of_family (SsappDocument *self, const char *path)
{
  SsappItem *item = ssapp_document_get_item (self, path);
  const gboolean is_family = item != NULL && item->is_family;

  ssapp_item_free (item);
  return is_family;
}

/* The pair's entry, or the first of the two materials. */
static char *
item_of_source (SsappDocument *self, SsValueSource source, int a, int b)
{
  const SsScene *scene = ssapp_document_scene (self);
  int index;

  if (source == SS_FROM_MATERIALS)
    return g_strdup_printf (SSAPP_MATERIALS ".%s", name_of_material (scene, a >= 0 ? a : b));
  if (source != SS_FROM_PAIR)
    return NULL;
  index = find_pair (ssapp_tree_get (ssapp_document_root (self), PAIRS), name_of_material (scene, a),
                     name_of_material (scene, b));
  return index >= 0 ? g_strdup_printf (PAIRS "[%d]", index) : NULL;
}

GPtrArray *
ssapp_document_list_sources (SsappDocument *self, const char *path, SsMaterialValue which)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self) && which < SS_MATERIAL_VALUES, NULL);
  const SsScene *scene = ssapp_document_scene (self);
  const int index = ssapp_document_find_contact (self, path);
  const SsContact *contact = index >= 0 ? &scene->contacts[index] : NULL;
  GPtrArray *sources;
  int a, b;

  if (contact == NULL)
    return NULL;
  a = ssapp_scene_material_of (scene, contact->body_a);
  b = ssapp_scene_material_of (scene, contact->body_b);
  sources = g_ptr_array_new_with_free_func ((GDestroyNotify)free_source);
  for (int s = 0; s < SS_VALUE_SOURCES; s++) {
    const SsValueSource source = (SsValueSource)s;
    SsappLawSource *item;
    double value = 0;
    gboolean says;

    if ((source == SS_FROM_PAIR && (a < 0 || b < 0)) || (source == SS_FROM_MATERIALS && a < 0 && b < 0))
      continue;
    item = g_new0 (SsappLawSource, 1);
    item->source = source;
    item->is_in_force = contact->from[which] == source;
    says = source == SS_FROM_CONTACT ? item->is_in_force
                                     : ss_scene_value_of_materials (scene, a, b, which, source, &value);
    if (item->is_in_force)
      value = value_of (contact, which);
    item->can_change = source == SS_FROM_CONTACT && !is_of_family (self, path);
    item->title = title_of_source (scene, source, a, b);
    item->item = item_of_source (self, source, a, b);
    item->text = says ? text_of_value (which, value) : g_strdup ("");
    g_ptr_array_add (sources, item);
  }
  return sources;
}

const char *
ssapp_document_name_source (SsappDocument *self, const char *path)
{
  static const char *const names[SS_VALUE_SOURCES] = {"contact", "pair", "material", "scene"};
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);
  const char *rest;
  const SsContact *contact;
  SsMaterialValue which;
  int index;

  if (ssapp_document_scene (self) == NULL || !ssapp_tree_parse_contact (path, NULL, NULL, &rest) || *rest != '.')
    return NULL;
  which = ssapp_material_value_from_name (rest + 1);
  index = ssapp_document_find_contact (self, path);
  if (index < 0 || which == SS_MATERIAL_VALUES)
    return NULL;
  contact = &ssapp_document_scene (self)->contacts[index];
  if (which >= SS_MATERIAL_STIFFNESS && value_of (contact, which) == 0 && contact->from[which] == SS_FROM_SCENE)
    return NULL;
  return names[contact->from[which]];
}

gboolean
ssapp_document_set_here (SsappDocument *self, const char *path, SsMaterialValue which, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self) && which < SS_MATERIAL_VALUES, FALSE);
  const int index = ssapp_document_find_contact (self, path);
  g_autofree char *field = g_strdup_printf ("%s.%s", path, ss_material_value_names[which]);
  char digits[64];

  if (index < 0) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, _ ("There is no contact “%s” that is on"), path);
    return FALSE;
  }
  if (is_of_family (self, path)) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                         _ ("The file writes this contact by a rule: change the rule in the file"));
    return FALSE;
  }
  if (ssapp_document_scene (self)->contacts[index].from[which] == SS_FROM_CONTACT)
    return TRUE;
  ss_format_double (value_of (&ssapp_document_scene (self)->contacts[index], which), digits, sizeof digits);
  return ssapp_document_set_field (self, field, digits, "", error);
}

gboolean
ssapp_document_follow (SsappDocument *self, const char *path, SsMaterialValue which, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self) && which < SS_MATERIAL_VALUES, FALSE);
  g_autofree char *field = g_strdup_printf ("%s.%s", path, ss_material_value_names[which]);

  return ssapp_document_clear_field (self, field, error);
}

/* ---- pairs ------------------------------------------------------------------------------------------------------- */

char *
ssapp_document_get_pair (SsappDocument *self, const char *a, const char *b, SsMaterialValue which)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self) && which < SS_MATERIAL_VALUES, NULL);
  const SsScene *scene = ssapp_document_scene (self);
  const int index = find_pair (ssapp_tree_get (ssapp_document_root (self), PAIRS), a, b),
            first = ssapp_scene_find_material (scene, a), second = ssapp_scene_find_material (scene, b);
  g_autofree char *path = g_strdup_printf (PAIRS "[%d].%s", index, ss_material_value_names[which]);
  double value;

  if (index >= 0)
    return ssapp_document_get_field (self, path, "");
  if (first >= 0 && second >= 0 && ss_scene_value_of_materials (scene, first, second, which, SS_FROM_PAIR, &value))
    return ssapp_short_number (value); /* by a rule of the file */
  return NULL;
}

char *
ssapp_document_get_pair_derived (SsappDocument *self, const char *a, const char *b, SsMaterialValue which)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self) && which < SS_MATERIAL_VALUES, NULL);
  const SsScene *scene = ssapp_document_scene (self);
  const int first = ssapp_scene_find_material (scene, a), second = ssapp_scene_find_material (scene, b);
  double value = 0;

  if (first < 0 || second < 0)
    return NULL;
  if (!ss_scene_value_of_materials (scene, first, second, which, SS_FROM_MATERIALS, &value))
    ss_scene_value_of_materials (scene, first, second, which, SS_FROM_SCENE, &value);
  return text_of_value (which, value);
}

/* The entry of the pair in a tree, made where there is none. */
static int
require_pair (json_t *root, const char *a, const char *b)
{
  json_t *list = ssapp_tree_require_list (root, "scene", "material_pairs");
  const int index = find_pair (list, a, b);

  if (index >= 0)
    return index;
  json_array_append_new (list, json_pack ("{s:[s, s]}", "materials", a, b));
  return (int)json_array_size (list) - 1;
}

/* Takes the value out, and the entry and the list where nothing is left of them. */
static void
drop_value (json_t *root, int index, const char *key)
{
  json_t *scene = json_object_get (root, "scene"), *list = json_object_get (scene, "material_pairs"),
         *entry = json_array_get (list, (size_t)index);

  json_object_del (entry, key);
  if (json_object_size (entry) == 1)
    json_array_remove (list, (size_t)index);
  if (json_array_size (list) == 0)
    json_object_del (scene, "material_pairs");
}

gboolean
ssapp_document_set_pair (SsappDocument *self, const char *a, const char *b, SsMaterialValue which, const char *text,
                         GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self) && which < SS_MATERIAL_VALUES && text != NULL, FALSE);
  const char *key = ss_material_value_names[which];
  const int first = ssapp_scene_find_material (ssapp_document_scene (self), a),
            second = ssapp_scene_find_material (ssapp_document_scene (self), b);
  g_autofree char *trimmed = g_strstrip (g_strdup (text)), *label = NULL;
  json_t *root, *value = NULL;
  int index;
  double by_rule;

  if (first < 0 || second < 0) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, _ ("There is no material “%s”"), first < 0 ? a : b);
    return FALSE;
  }
  index = find_pair (ssapp_tree_get (ssapp_document_root (self), PAIRS), a, b);
  if (index < 0 &&
      ss_scene_value_of_materials (ssapp_document_scene (self), first, second, which, SS_FROM_PAIR, &by_rule)) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                         _ ("The file writes this pair by a rule: change the rule in the file"));
    return FALSE;
  }
  if (*trimmed == '\0' && index < 0)
    return TRUE;
  if (*trimmed != '\0' && (value = ssapp_tree_value_of (PAIRS, trimmed, "", error)) == NULL)
    return FALSE;
  root = json_deep_copy (ssapp_document_root (self));
  if (value != NULL)
    json_object_set_new (json_array_get (ssapp_tree_get (root, PAIRS), (size_t)require_pair (root, a, b)), key, value);
  else
    drop_value (root, index, key);
  label = g_strdup_printf ("%s %s of %s – %s", value != NULL ? "Set" : "Clear", key, a, b);
  return ssapp_document_commit_change (self, root, label, error);
}

gboolean
ssapp_document_is_pair_of (SsappDocument *self, const char *contact, const char *a, const char *b)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  const SsScene *scene = ssapp_document_scene (self);
  const int index = contact != NULL ? ssapp_document_find_contact (self, contact) : -1;
  const int first = ssapp_scene_find_material (scene, a), second = ssapp_scene_find_material (scene, b);
  int own_a, own_b;

  if (index < 0 || first < 0 || second < 0)
    return FALSE;
  own_a = ssapp_scene_material_of (scene, scene->contacts[index].body_a);
  own_b = ssapp_scene_material_of (scene, scene->contacts[index].body_b);
  return (own_a == first && own_b == second) || (own_a == second && own_b == first);
}

/* ---- more -------------------------------------------------------------------------------------------------------- */

gboolean
ssapp_document_select_next_contact (SsappDocument *self, int direction)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  const SsScene *scene = ssapp_document_scene (self);
  const char *item = ssapp_document_get_selected_item (self);
  const int body = ssapp_document_get_selected_index (self);
  g_autofree char *path = NULL;
  int next;

  if (scene == NULL || scene->n_contacts == 0)
    return FALSE;
  next = item != NULL ? ssapp_document_find_contact (self, item) : -1;
  if (next >= 0) {
    next = (next + direction + scene->n_contacts) % scene->n_contacts;
  } else {
    next = direction > 0 ? 0 : scene->n_contacts - 1;
    for (int i = 0; body >= 0 && i < scene->n_contacts; i++)
      if (scene->contacts[i].body_a == body || scene->contacts[i].body_b == body) {
        next = i;
        break;
      }
  }
  path = ssapp_document_contact_path (self, next);
  ssapp_document_select_item (self, path);
  return TRUE;
}
