/* app/document/ssapp-document-common.c: what several selected objects have in common, edited together in one undo
 * step. Values are in ssapp-document-field.c. Tests: tests/unit/test-document-selection.c */
#include "app/document/ssapp-document-private.h"

#include <glib/gi18n.h>
#include <string.h>

/* ---- which fields ------------------------------------------------------------------------------------------------ */

static SsappField *
new_field (const char *title, const char *path, const char *unit, const char *fallback, gboolean is_optional)
{
  SsappField *field = g_new0 (SsappField, 1);

  field->title = g_strdup (title);
  field->path = g_strdup (path);
  field->unit = unit;
  field->fallback = fallback;
  field->is_optional = is_optional;
  return field;
}

static void
add_body_field (GPtrArray *fields, const char *entry, const char *title, const char *key, const char *unit,
                const char *fallback)
{
  g_autofree char *path = g_strdup_printf ("%s.%s", entry, key);

  g_ptr_array_add (fields, new_field (title, path, unit, fallback, FALSE));
}

/* Numbers of a body beside those of its shape; of a fixed one where it is. */
static GPtrArray *
list_body_fields (SsappDocument *self, const char *path)
{
  g_autofree char *shape = g_strconcat (path, ".shape", NULL), *density = g_strconcat (path, ".density", NULL),
                  *fixed = g_strconcat (path, ".fixed", NULL);
  GPtrArray *fields = ssapp_document_list_fields (self, shape);
  gboolean is_fixed = json_is_true (ssapp_tree_get (ssapp_document_root (self), fixed));

  if (!is_fixed)
    add_body_field (fields, path, _ ("Mass"), "mass", "kg", "");
  if (!is_fixed && ssapp_document_has_field (self, density))
    add_body_field (fields, path, _ ("Density"), "density", "kg/m²", "");
  add_body_field (fields, path, "x", "position[0]", "m", "0");
  add_body_field (fields, path, "y", "position[1]", "m", "0");
  add_body_field (fields, path, _ ("Angle"), "angle", "deg", "0");
  if (!is_fixed) {
    add_body_field (fields, path, _ ("Velocity x"), "velocity[0]", "m/s", "0");
    add_body_field (fields, path, _ ("Velocity y"), "velocity[1]", "m/s", "0");
    add_body_field (fields, path, _ ("Spin"), "angular_velocity", "rad/s", "0");
  }
  return fields;
}

static GPtrArray *
list_entry_fields (SsappDocument *self, const char *list, const char *path)
{
  return g_str_equal (list, "scene.bodies") ? list_body_fields (self, path) : ssapp_document_list_fields (self, path);
}

/* Whether the entry at `path` has the field that another entry has at `behind`, under the same title. */
static gboolean
has_same (GPtrArray *fields, const char *path, const SsappField *wanted, const char *behind)
{
  for (guint i = 0; i < fields->len; i++) {
    const SsappField *field = g_ptr_array_index (fields, i);
    if (strcmp (field->path + strlen (path), behind) == 0 && strcmp (field->title, wanted->title) == 0)
      return TRUE;
  }
  return FALSE;
}

/* The fields that all entries of the list have, under common paths. */
static GPtrArray *
intersect (SsappDocument *self, const char *list, GPtrArray *paths)
{
  GPtrArray *common = g_ptr_array_new_with_free_func ((GDestroyNotify)ssapp_field_free);
  if (paths->len == 0)
    return common;
  const char *first = g_ptr_array_index (paths, 0);
  g_autoptr (GPtrArray) fields = list_entry_fields (self, list, first),
                        others = g_ptr_array_new_with_free_func ((GDestroyNotify)g_ptr_array_unref);

  for (guint p = 1; p < paths->len; p++)
    g_ptr_array_add (others, list_entry_fields (self, list, g_ptr_array_index (paths, p)));
  for (guint i = 0; i < fields->len; i++) {
    const SsappField *field = g_ptr_array_index (fields, i);
    const char *behind = field->path + strlen (first);
    gboolean all = TRUE;
    for (guint p = 1; all && p < paths->len; p++)
      all = has_same (g_ptr_array_index (others, p - 1), g_ptr_array_index (paths, p), field, behind);
    if (all) {
      g_autofree char *path = g_strconcat (SSAPP_COMMON, list, behind, NULL);
      g_ptr_array_add (common, new_field (field->title, path, field->unit, field->fallback, field->is_optional));
    }
  }
  return common;
}

static void
free_group (SsappCommonGroup *group)
{
  g_free (group->title);
  g_ptr_array_unref (group->fields);
  g_free (group);
}

/* Selected bodies that have no entry of their own in the file. */
static guint
count_by_rule (SsappDocument *self)
{
  guint n = 0;

  for (const char *const *key = ssapp_document_get_selection (self, NULL); *key != NULL; key++) {
    const int index = ssapp_key_is_item (*key) ? -1 : ss_scene_find (ssapp_document_scene (self), SS_OWNER_BODY, *key);
    n += index >= 0 && ssapp_document_scene (self)->bodies[index].item < 0;
  }
  return n;
}

GPtrArray *
ssapp_document_list_common (SsappDocument *self)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);

  GPtrArray *groups = g_ptr_array_new_with_free_func ((GDestroyNotify)free_group);

  for (int k = 0; k < SSAPP_SELECTED_KINDS; k++) {
    g_autoptr (GPtrArray) paths = ssapp_document_list_selected (self, ssapp_selected_kinds[k].list);
    const guint n_by_rule = k == 0 ? count_by_rule (self) : 0, n = paths->len + n_by_rule;
    SsappCommonGroup *group;
    if (n == 0)
      continue;
    group = g_new0 (SsappCommonGroup, 1);
    group->title = g_strdup_printf ("%u %s", n, n == 1 ? ssapp_selected_kinds[k].one : ssapp_selected_kinds[k].many);
    group->n_by_rule = n_by_rule;
    group->are_bodies = k == 0;
    group->fields = intersect (self, ssapp_selected_kinds[k].list, paths);
    g_ptr_array_add (groups, group);
  }
  return groups;
}

/* ---- what is no number ------------------------------------------------------------------------------------------- */

/* Indices of the selected bodies that can be edited one by one; free with g_array_unref. */
static GArray *
list_bodies (SsappDocument *self)
{
  GArray *bodies = g_array_new (FALSE, FALSE, sizeof (int));
  g_auto (GStrv) keys = g_strdupv ((char **)ssapp_document_get_selection (self, NULL));

  for (char **key = keys; *key != NULL; key++) {
    int index = ss_scene_find (ssapp_document_scene (self), SS_OWNER_BODY, *key);
    g_autofree char *path = ssapp_document_body_path (self, index);
    if (path != NULL)
      g_array_append_val (bodies, index);
  }
  return bodies;
}

void
ssapp_document_get_common_holds (SsappDocument *self, gboolean holds[4])
{
  g_return_if_fail (SSAPP_IS_DOCUMENT (self));
  g_autoptr (GArray) bodies = list_bodies (self);

  for (int i = 0; i < 4; i++)
    holds[i] = bodies->len > 0;
  for (guint b = 0; b < bodies->len; b++) {
    const SsBody *body = &ssapp_document_scene (self)->bodies[g_array_index (bodies, int, b)];
    holds[0] = holds[0] && body->is_fixed;
    for (int axis = 0; axis < 3; axis++)
      holds[axis + 1] = holds[axis + 1] && body->lock[axis];
  }
}

char *
ssapp_document_get_common_material (SsappDocument *self, gboolean *is_mixed)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);
  g_autoptr (GArray) bodies = list_bodies (self);
  g_autofree char *name = bodies->len > 0 ? ssapp_document_get_material (self, g_array_index (bodies, int, 0)) : NULL;

  *is_mixed = FALSE;
  for (guint b = 1; b < bodies->len; b++) {
    g_autofree char *other = ssapp_document_get_material (self, g_array_index (bodies, int, b));
    *is_mixed = *is_mixed || g_strcmp0 (name, other) != 0;
  }
  return *is_mixed ? NULL : g_steal_pointer (&name);
}

/* Which edit of one body: a hold (0 fixed, 1 to 3 locks) or the material. */
typedef struct {
  int hold;
  gboolean is_on;
  const char *material;
} BodyEdit;

static gboolean
edit_bodies (SsappDocument *self, const BodyEdit *edit, const char *verb, GError **error)
{
  g_autoptr (GArray) bodies = list_bodies (self);
  g_autofree char *label = NULL;
  gboolean done = TRUE;

  if (bodies->len == 0) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _ ("Select a body first"));
    return FALSE;
  }
  label = bodies->len == 1 ? g_strdup_printf ("%s %s", verb,
                                              ssapp_document_scene (self)->bodies[g_array_index (bodies, int, 0)].name)
                           : g_strdup_printf ("%s %u bodies", verb, bodies->len);
  ssapp_document_begin_gesture (self, label);
  for (guint b = 0; done && b < bodies->len; b++) {
    int index = g_array_index (bodies, int, b);
    gboolean is_plane = ssapp_document_scene (self)->bodies[index].shape.kind == SS_SHAPE_HALF_PLANE;
    if (edit->hold < 0)
      done = ssapp_document_set_material (self, index, edit->material, error);
    else if (is_plane && bodies->len > 1) /* always fixed */
      continue;
    else if (edit->hold == 0)
      done = ssapp_document_set_fixed (self, index, edit->is_on, error);
    else if (!ssapp_document_scene (self)->bodies[index].is_fixed)
      done = ssapp_document_set_lock (self, index, edit->hold - 1, edit->is_on, error);
  }
  return ssapp_document_finish_gesture (self, done);
}

gboolean
ssapp_document_set_selected_hold (SsappDocument *self, int hold, gboolean is_on, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self) && hold >= 0 && hold < 4, FALSE);
  static const char *const verbs[4][2] = {
      {"Free", "Fix"}, {"Free x of", "Lock x of"}, {"Free y of", "Lock y of"}, {"Free theta of", "Lock theta of"}};
  const BodyEdit edit = {.hold = hold, .is_on = is_on};

  return edit_bodies (self, &edit, verbs[hold][is_on], error);
}

gboolean
ssapp_document_set_selected_material (SsappDocument *self, const char *name, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  const BodyEdit edit = {.hold = -1, .material = name};

  return edit_bodies (self, &edit, "Set material of", error);
}
