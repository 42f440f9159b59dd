/* app/document/ssapp-document-field.c: values of an edited scenario by their paths, of one entry or of all selected.
 *
 * A common field has a path of its own, "selection.scene.bodies.mass": the mass of every selected body that the file
 * writes one by one. Where the values differ there is no text. Tests: tests/unit/test-document-selection.c */
#include "app/document/ssapp-document-private.h"
#include "app/document/ssapp-quantity.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* ---- which objects ----------------------------------------------------------------------------------------------- */

gboolean
ssapp_path_is_common (const char *path)
{
  return g_str_has_prefix (path, SSAPP_COMMON);
}

const SsappSelectedKind ssapp_selected_kinds[SSAPP_SELECTED_KINDS] = {
    {"scene.bodies", "body", "bodies"},        {"scene.joints", "joint", "joints"},
    {"scene.springs", "spring", "springs"},    {"scene.constraints", "constraint", "constraints"},
    {"scene.contacts", "contact", "contacts"}, {"scene.actuators", "actuator", "actuators"},
    {"scene.forces", "force", "forces"},       {"task.targets", "goal", "goals"},
    {"task.bounds", "limit", "limits"},        {"scene.measures", "measure", "measures"},
    {"scene.notes", "note", "notes"}};

/* Paths in the file of the selected entries of a list; free with g_ptr_array_unref. */
GPtrArray *
ssapp_document_list_selected (SsappDocument *self, const char *list)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  gsize n = strlen (list);
  g_auto (GStrv) keys = g_strdupv ((char **)ssapp_document_get_selection (self, NULL));

  for (char **key = keys; *key != NULL; key++) {
    char *path = ssapp_key_is_item (*key)
                     ? (strncmp (*key, list, n) == 0 && strchr ("[{", (*key)[n]) != NULL ? g_strdup (*key) : NULL)
                 : g_str_equal (list, "scene.bodies")
                     ? ssapp_document_body_path (self, ss_scene_find (ssapp_document_scene (self), SS_OWNER_BODY, *key))
                     : NULL;
    if (path != NULL)
      g_ptr_array_add (paths, path);
  }
  return paths;
}

/* The list of a common path, and what stands behind it ("mass"). */
static const char *
split (const char *path, const char **list)
{
  const char *rest = path + strlen (SSAPP_COMMON);

  for (int k = 0; k < SSAPP_SELECTED_KINDS; k++)
    if (g_str_has_prefix (rest, ssapp_selected_kinds[k].list) && rest[strlen (ssapp_selected_kinds[k].list)] == '.') {
      *list = ssapp_selected_kinds[k].list;
      return rest + strlen (ssapp_selected_kinds[k].list) + 1;
    }
  return NULL;
}

/* The fields that a common path stands for; free with g_ptr_array_unref. */
static GPtrArray *
expand (SsappDocument *self, const char *path)
{
  const char *list = NULL, *field = split (path, &list);
  GPtrArray *paths =
      field != NULL ? ssapp_document_list_selected (self, list) : g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < paths->len; i++) {
    char *entry = paths->pdata[i];
    paths->pdata[i] = g_strdup_printf ("%s.%s", entry, field);
    g_free (entry);
  }
  return paths;
}

/* ---- values of all selected -------------------------------------------------------------------------------------- */

static char *
get_common (SsappDocument *self, const char *path, const char *unit)
{
  g_autoptr (GPtrArray) fields = expand (self, path);
  char *text = NULL;

  for (guint i = 0; i < fields->len; i++) {
    g_autofree char *other = ssapp_document_get_field (self, g_ptr_array_index (fields, i), unit);
    if (i == 0)
      text = g_steal_pointer (&other);
    else if (g_strcmp0 (text, other) != 0)
      g_clear_pointer (&text, g_free);
    if (text == NULL)
      return NULL;
  }
  return text;
}

char *
ssapp_document_derive_common (SsappDocument *self, const char *path)
{
  g_autoptr (GPtrArray) fields = expand (self, path);
  gboolean has_value = FALSE;

  for (guint i = 0; i < fields->len; i++)
    has_value = has_value || ssapp_document_has_field (self, g_ptr_array_index (fields, i));
  return has_value ? g_strdup (_ ("several values")) : NULL;
}

static char *
make_label (const char *verb, const char *path, guint n)
{
  const char *dot = strrchr (path, '.'), *name = dot != NULL ? dot + 1 : path;

  return g_strdup_printf ("%s %s of %u %s", verb, name, n, n == 1 ? "object" : "objects");
}

static gboolean
set_common (SsappDocument *self, const char *path, const char *text, const char *unit, GError **error)
{
  g_autoptr (GPtrArray) fields = expand (self, path);
  g_autofree char *trimmed = g_strstrip (g_strdup (text)), *label = make_label ("Set", path, fields->len);
  json_t *root = json_deep_copy (ssapp_document_root (self));

  for (guint i = 0; i < fields->len; i++) {
    const char *field = g_ptr_array_index (fields, i);
    json_t *value = ssapp_tree_value_of (field, trimmed, unit, error);
    if (value == NULL || !ssapp_tree_set (root, field, value, error)) {
      json_decref (root);
      return FALSE;
    }
    ssapp_document_settle_mass (self, root, field);
  }
  return ssapp_document_commit_change (self, root, label, error);
}

static gboolean
clear_common (SsappDocument *self, const char *path, GError **error)
{
  g_autoptr (GPtrArray) fields = expand (self, path);
  g_autofree char *label = make_label ("Clear", path, fields->len);
  gboolean done = TRUE;

  ssapp_document_begin_gesture (self, label);
  for (guint i = 0; done && i < fields->len; i++)
    done = ssapp_document_clear_field (self, g_ptr_array_index (fields, i), error);
  return ssapp_document_finish_gesture (self, done);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

char *
ssapp_path_name (const char *path)
{
  static const char parameters[] = "parameters.";
  const char *dot = strrchr (path, '.');
  const gboolean is_value = g_str_has_prefix (path, parameters) && g_str_has_suffix (path, ".value");

  if (is_value)
    return g_strndup (path + strlen (parameters), (gsize)(dot - path) - strlen (parameters));
  return g_strdup (dot != NULL ? dot + 1 : path);
}

gboolean
ssapp_document_set_field (SsappDocument *self, const char *path, const char *text, const char *unit, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  g_autofree char *trimmed = g_strstrip (g_strdup (text)), *name = ssapp_path_name (path),
                  *label = g_strdup_printf ("Set %s", name);
  json_t *root, *value;

  if (ssapp_path_is_common (path))
    return set_common (self, path, text, unit, error);
  value = ssapp_tree_value_of (path, trimmed, unit, error);
  if (value == NULL)
    return FALSE;
  root = json_deep_copy (ssapp_document_root (self));
  if (g_str_has_prefix (path, "scene.measures[") && g_str_has_suffix (path, ".name")) /* formulas read it */
    ssapp_tree_rename_measure (root, json_string_value (ssapp_tree_get (root, path)), trimmed);
  if (!ssapp_tree_set (root, path, value, error)) {
    json_decref (root);
    return FALSE;
  }
  ssapp_document_settle_mass (self, root, path);
  return ssapp_document_commit_change (self, root, label, error);
}

gboolean
ssapp_document_set_text (SsappDocument *self, const char *path, const char *text, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  g_autofree char *trimmed = g_strstrip (g_strdup (text)), *label = g_strdup_printf ("Set %s", path);
  json_t *root = json_deep_copy (ssapp_document_root (self));

  if (!ssapp_tree_set (root, path, json_string (trimmed), error)) {
    json_decref (root);
    return FALSE;
  }
  return ssapp_document_commit_change (self, root, label, error);
}

gboolean
ssapp_document_clear_field (SsappDocument *self, const char *path, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  const char *bracket = strrchr (path, '['), *dot = strrchr (path, '.');
  gboolean is_element = bracket != NULL && (dot == NULL || bracket > dot);
  const char *end = is_element ? bracket : dot;
  g_autofree char *parent_path = g_strndup (path, end != NULL ? (gsize)(end - path) : 0), *label = NULL, *a = NULL,
                  *b = NULL;
  json_t *root, *parent;
  gboolean is_mass;

  if (ssapp_path_is_common (path))
    return clear_common (self, path, error);
  if (ssapp_tree_get (ssapp_document_root (self), path) == NULL)
    return TRUE;
  const gboolean is_changed = ssapp_document_clear_mass (self, path, &is_mass, error);
  if (is_mass)
    return is_changed;
  root = json_deep_copy (ssapp_document_root (self));
  parent = ssapp_tree_get (root, parent_path);
  if (is_element)
    json_array_set_new (parent, (size_t)g_ascii_strtoull (bracket + 1, NULL, 10), json_null ());
  else
    json_object_del (parent, end != NULL ? end + 1 : path);
  if (ssapp_tree_parse_contact (path, &a, &b, NULL))
    ssapp_tree_tidy_contact (root, ssapp_document_scene (self), a, b);
  label = g_strdup_printf ("Clear %s", dot != NULL ? dot + 1 : path);
  return ssapp_document_commit (self, root, label, error);
}

char *
ssapp_document_get_field (SsappDocument *self, const char *path, const char *unit)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);
  if (ssapp_path_is_common (path))
    return get_common (self, path, unit);
  return ssapp_tree_get_text (ssapp_document_root (self), path, unit);
}

gboolean
ssapp_document_has_field (SsappDocument *self, const char *path)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  return ssapp_tree_get (ssapp_document_root (self), path) != NULL;
}

gboolean
ssapp_document_field_is_formula (SsappDocument *self, const char *path)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  return json_is_string (ssapp_tree_get (ssapp_document_root (self), path));
}

static const SsParameter *
parameter_at (SsappDocument *self, const char *path)
{
  const SsScenario *scenario = ssapp_document_get_scenario (self);

  for (int i = 0; i < scenario->n_parameters; i++) {
    g_autofree char *own = g_strdup_printf ("parameters.%s.value", scenario->parameters[i].name);
    if (strcmp (own, path) == 0)
      return &scenario->parameters[i];
  }
  return NULL;
}

gboolean
ssapp_document_get_range (SsappDocument *self, const char *path, SsappRange *range)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self) && path != NULL && range != NULL, FALSE);
  const int steps = 200;
  const SsParameter *parameter = parameter_at (self, path);
  g_autofree char *text = ssapp_document_get_field (self, path, "");
  double value, low, high;

  if (parameter == NULL || text == NULL || !ssapp_parse_quantity (text, "", &value))
    return FALSE;
  ssapp_parameter_range (parameter, &low, &high);
  const gboolean holds = range->high > range->low && value >= range->low && value <= range->high;
  range->low = isfinite (parameter->minimum) || !holds ? low : range->low;
  range->high = isfinite (parameter->maximum) || !holds ? high : range->high;
  const double rough = (range->high - range->low) / steps, power = rough > 0 ? pow (10, floor (log10 (rough))) : 1;
  range->step = parameter->is_integer ? 1 : rough < 2 * power ? power : rough < 5 * power ? 2 * power : 5 * power;
  return TRUE;
}

void
ssapp_field_free (SsappField *field)
{
  g_free (field->title);
  g_free (field->path);
  g_free (field);
}

gboolean
ssapp_document_apply_edits (SsappDocument *self, const SsEdit *edits, int n_edits, const char *label, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  json_t *root = json_deep_copy (ssapp_document_root (self));
  SsError problem = {0};

  if (ss_edit_tree (root, edits, n_edits, &problem) == SS_OK)
    return ssapp_document_commit (self, root, label, error);
  json_decref (root);
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, problem.message);
  return FALSE;
}
