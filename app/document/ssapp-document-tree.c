/* app/document/ssapp-document-tree.c: the JSON side of editing: paths, contacts, and a writer that keeps files
 * readable. Bodies and other entries are in ssapp-document-references.c. */
#include "app/document/ssapp-document-private.h"

#include "core/ss-core.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* ---- writing ----------------------------------------------------------------------------------------------------- */

#define LINE_WIDTH 110 /* columns; longer values are broken, one item a line */
#define INDENT     2

static void
write_string (GString *out, const char *text)
{
  g_string_append_c (out, '"');
  for (const unsigned char *p = (const unsigned char *)text; *p != '\0'; p++) {
    if (*p == '"' || *p == '\\')
      g_string_append_printf (out, "\\%c", *p);
    else if (*p == '\n')
      g_string_append (out, "\\n");
    else if (*p == '\t')
      g_string_append (out, "\\t");
    else if (*p < ' ')
      g_string_append_printf (out, "\\u%04x", *p);
    else
      g_string_append_c (out, (char)*p);
  }
  g_string_append_c (out, '"');
}

static void
write_number (GString *out, double value)
{
  char digits[64];
  ss_format_double (value, digits, sizeof digits);
  g_string_append (out, digits);
}

static void write_value (GString *out, const json_t *value, int indent, gboolean is_flat);

static void
write_break (GString *out, int indent, gboolean is_flat, gboolean is_first)
{
  if (is_flat) {
    g_string_append (out, is_first ? "" : " ");
    return;
  }
  g_string_append_printf (out, "\n%*s", indent, "");
}

static void
write_container (GString *out, const json_t *value, int indent, gboolean is_flat)
{
  gboolean is_object = json_is_object (value), is_first = TRUE;
  int inner = indent + INDENT;

  g_string_append_c (out, is_object ? '{' : '[');
  if (is_object) {
    const char *key;
    json_t *item;
    json_object_foreach ((json_t *)value, key, item)
    {
      if (!is_first)
        g_string_append_c (out, ',');
      write_break (out, inner, is_flat, is_first);
      write_string (out, key);
      g_string_append (out, ": ");
      write_value (out, item, inner, is_flat);
      is_first = FALSE;
    }
  } else {
    for (size_t i = 0; i < json_array_size (value); i++) {
      if (!is_first)
        g_string_append_c (out, ',');
      write_break (out, inner, is_flat, is_first);
      write_value (out, json_array_get (value, i), inner, is_flat);
      is_first = FALSE;
    }
  }
  if (!is_flat && !is_first)
    write_break (out, indent, FALSE, FALSE);
  g_string_append_c (out, is_object ? '}' : ']');
}

static void
write_value (GString *out, const json_t *value, int indent, gboolean is_flat)
{
  switch (json_typeof (value)) {
  case JSON_OBJECT:
  case JSON_ARRAY:
    if (!is_flat) {
      gsize start = out->len;
      write_container (out, value, indent, TRUE);
      if (indent > 0 && out->len - start + (gsize)indent <= LINE_WIDTH)
        return;
      g_string_truncate (out, start);
    }
    write_container (out, value, indent, is_flat);
    return;
  case JSON_STRING:
    write_string (out, json_string_value (value));
    return;
  case JSON_INTEGER:
    g_string_append_printf (out, "%" JSON_INTEGER_FORMAT, json_integer_value (value));
    return;
  case JSON_REAL:
    write_number (out, json_real_value (value));
    return;
  case JSON_TRUE:
    g_string_append (out, "true");
    return;
  case JSON_FALSE:
    g_string_append (out, "false");
    return;
  case JSON_NULL:
  default:
    g_string_append (out, "null");
    return;
  }
}

char *
ssapp_tree_write (const json_t *root)
{
  GString *out = g_string_new (NULL);
  write_value (out, root, 0, FALSE);
  g_string_append_c (out, '\n');
  return g_string_free (out, FALSE);
}

/* ---- paths ------------------------------------------------------------------------------------------------------- */

/* One step of a path: a key, an index, or the two bodies of an entry, as in "scene.contacts{floor,box}". */
typedef struct {
  char key[128];
  int index;         /* -1 for a key           */
  char pair[2][128]; /* pair[0] empty: no pair */
} Step;

/* Reads "{a,b}" and returns the rest; NULL if it is malformed. */
static const char *
next_pair (const char *path, Step *step)
{
  const char *comma = strchr (path, ','), *close = strchr (path, '}');
  gsize first, second;

  if (comma == NULL || close == NULL || close < comma)
    return NULL;
  first = (gsize)(comma - path - 1);
  second = (gsize)(close - comma - 1);
  if (first == 0 || first >= sizeof step->pair[0] || second == 0 || second >= sizeof step->pair[1])
    return NULL;
  memcpy (step->pair[0], path + 1, first);
  memcpy (step->pair[1], comma + 1, second);
  step->pair[0][first] = step->pair[1][second] = '\0';
  return close + 1;
}

/* Reads the next step and returns the rest, NULL at the end or if the path is malformed (step->key empty then). */
static const char *
next_step (const char *path, Step *step)
{
  const char *end;

  step->key[0] = '\0';
  step->index = -1;
  step->pair[0][0] = step->pair[1][0] = '\0';
  if (*path == '.')
    path++;
  if (*path == '\0')
    return NULL;
  if (*path == '{')
    return next_pair (path, step);
  if (*path == '[') {
    char *close = NULL;
    gint64 index = g_ascii_strtoll (path + 1, &close, 10);
    const gint64 largest = 1 << 20;
    if (close == path + 1 || *close != ']' || index < 0 || index > largest)
      return NULL;
    step->index = (int)index;
    return close + 1;
  }
  end = path + strcspn (path, ".[{");
  if (end == path || (gsize)(end - path) >= sizeof step->key)
    return NULL;
  memcpy (step->key, path, (gsize)(end - path));
  step->key[end - path] = '\0';
  return end;
}

/* The entry of a list whose `bodies` are the two, in either order; NULL if there is none outside families. */
static json_t *
find_pair (json_t *list, const char *a, const char *b)
{
  for (size_t i = 0; json_is_array (list) && i < json_array_size (list); i++) {
    json_t *entry = json_array_get (list, i), *bodies = json_object_get (entry, "bodies");
    const char *first = json_string_value (json_array_get (bodies, 0)),
               *second = json_string_value (json_array_get (bodies, 1));
    if ((g_strcmp0 (first, a) == 0 && g_strcmp0 (second, b) == 0) ||
        (g_strcmp0 (first, b) == 0 && g_strcmp0 (second, a) == 0))
      return entry;
  }
  return NULL;
}

static json_t *
step_into (json_t *node, const Step *step)
{
  if (node == NULL)
    return NULL;
  if (step->pair[0][0] != '\0')
    return find_pair (node, step->pair[0], step->pair[1]);
  if (step->index >= 0)
    return json_is_array (node) ? json_array_get (node, (size_t)step->index) : NULL;
  return json_is_object (node) ? json_object_get (node, step->key) : NULL;
}

json_t *
ssapp_tree_get (json_t *root, const char *path)
{
  json_t *node = root;
  Step step;

  while (node != NULL && *path != '\0') {
    path = next_step (path, &step);
    if (path == NULL)
      return NULL;
    node = step_into (node, &step);
  }
  return node;
}

/* Stores `value` (taken) at the step; arrays grow with zeros. */
static gboolean
store_step (json_t *node, const Step *step, json_t *value)
{
  if (step->pair[0][0] != '\0') {
    json_decref (value);
    return FALSE;
  }
  if (step->index < 0) {
    if (json_is_object (node))
      return json_object_set_new (node, step->key, value) == 0;
    json_decref (value);
    return FALSE;
  }
  if (!json_is_array (node)) {
    json_decref (value);
    return FALSE;
  }
  while (json_array_size (node) <= (size_t)step->index)
    json_array_append_new (node, json_integer (0));
  return json_array_set_new (node, (size_t)step->index, value) == 0;
}

static json_t *
new_container (const Step *inside, const char *path)
{
  /* All arrays of numbers in the format are pairs. Of a goal or of bounds null is what is free. */
  gboolean is_free = g_str_has_prefix (path, "task.targets[") || g_str_has_prefix (path, "task.bounds[");
  json_t *made;

  if (inside->index < 0)
    return json_object ();
  made = json_array ();
  for (int i = 0; i < 2; i++)
    json_array_append_new (made, is_free ? json_null () : json_integer (0));
  return made;
}

gboolean
ssapp_tree_parse_contact (const char *path, char **a, char **b, const char **rest)
{
  static const char list[] = "scene.contacts{";
  Step step;
  const char *end;

  if (!g_str_has_prefix (path, list) || (end = next_pair (path + sizeof list - 2, &step)) == NULL)
    return FALSE;
  if (a != NULL)
    *a = g_strdup (step.pair[0]);
  if (b != NULL)
    *b = g_strdup (step.pair[1]);
  if (rest != NULL)
    *rest = end;
  return TRUE;
}

json_t *
ssapp_tree_require_contact (json_t *root, const char *a, const char *b)
{
  json_t *scene = json_object_get (root, "scene"), *list = json_object_get (scene, "contacts"), *entry;

  if (!json_is_array (list)) { /* "all", or nothing, which means the same */
    list = json_pack ("[s]", "all");
    json_object_set_new (scene, "contacts", list);
  }
  entry = find_pair (list, a, b);
  if (entry == NULL) {
    entry = json_pack ("{s:[s, s]}", "bodies", a, b);
    json_array_append_new (list, entry);
  }
  return entry;
}

gboolean
ssapp_tree_has_all_contacts (json_t *root)
{
  json_t *list = ssapp_tree_get (root, "scene.contacts");

  return !json_is_array (list) || json_is_string (json_array_get (list, 0));
}

void
ssapp_tree_tidy_contact (json_t *root, const SsScene *scene, const char *a, const char *b)
{
  json_t *list = ssapp_tree_get (root, "scene.contacts"), *entry = find_pair (list, a, b);
  int body_a, body_b;

  if (!json_is_array (list) || !ssapp_tree_has_all_contacts (root) || json_object_size (entry) != 1)
    return;
  /* A pair written the other way round says where the normal points, one held by a joint that its bodies touch. */
  body_a =
      ss_scene_find (scene, SS_OWNER_BODY, json_string_value (json_array_get (json_object_get (entry, "bodies"), 0)));
  body_b =
      ss_scene_find (scene, SS_OWNER_BODY, json_string_value (json_array_get (json_object_get (entry, "bodies"), 1)));
  if (body_a > body_b)
    return;
  for (int j = 0; j < scene->n_joints; j++)
    if ((scene->joints[j].body_a == body_a && scene->joints[j].body_b == body_b) ||
        (scene->joints[j].body_a == body_b && scene->joints[j].body_b == body_a))
      return;
  for (size_t i = 0; i < json_array_size (list); i++)
    if (json_array_get (list, i) == entry) {
      json_array_remove (list, i);
      break;
    }
  if (json_array_size (list) == 1)
    json_object_set_new (json_object_get (root, "scene"), "contacts", json_string ("all"));
}

gboolean
ssapp_tree_has_formula (const json_t *value)
{
  const char *key;
  const json_t *inner;
  size_t i;

  if (json_is_string (value))
    return TRUE;
  json_array_foreach (value, i, inner)
  {
    if (ssapp_tree_has_formula (inner))
      return TRUE;
  }
  json_object_foreach ((json_t *)value, key, inner)
  {
    if (strcmp (key, "type") != 0 && ssapp_tree_has_formula (inner))
      return TRUE;
  }
  return FALSE;
}

gboolean
ssapp_tree_set (json_t *root, const char *path, json_t *value, GError **error)
{
  json_t *node = root;
  const char *rest = path;
  g_autofree char *a = NULL, *b = NULL;
  Step step, following;

  if (ssapp_tree_parse_contact (path, &a, &b, NULL) && json_is_object (json_object_get (root, "scene")))
    ssapp_tree_require_contact (root, a, b);
  rest = next_step (rest, &step);
  while (rest != NULL) {
    json_t *child;
    const char *after = *rest != '\0' ? next_step (rest, &following) : NULL;
    if (*rest == '\0') {
      if (store_step (node, &step, value))
        return TRUE;
      value = NULL;
      break;
    }
    if (after == NULL)
      break;
    child = step_into (node, &step);
    if (child == NULL) {
      if (!store_step (node, &step, new_container (&following, path)))
        break;
      child = step_into (node, &step);
    }
    /* A parameter written as a bare number becomes {"value": number} only if asked for; the value itself is replaced
     * otherwise. */
    if (!json_is_object (child) && following.index < 0 && strcmp (following.key, "value") == 0 && *after == '\0') {
      if (store_step (node, &step, value))
        return TRUE;
      value = NULL;
      break;
    }
    if (node == json_object_get (root, "parameters") && !json_is_object (child)) { /* it gets a range */
      if (!store_step (node, &step, json_pack ("{sO}", "value", child)))
        break;
      child = step_into (node, &step);
    }
    node = child;
    step = following;
    rest = after;
  }
  json_decref (value);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _ ("There is no field “%s” in this scenario"), path);
  return FALSE;
}

char *
ssapp_tree_get_text (json_t *root, const char *path, const char *unit)
{
  json_t *value = ssapp_tree_get (root, path);
  char digits[64];
  double number;

  if (value == NULL && g_str_has_suffix (path, ".value")) { /* "parameters": {"mu": 0.5} */
    g_autofree char *parent = g_strndup (path, strlen (path) - strlen (".value"));
    value = ssapp_tree_get (root, parent);
  }
  if (json_is_string (value))
    return g_strdup (json_string_value (value));
  if ((json_is_array (value) || json_is_object (value)) && ssapp_tree_is_list (path))
    return ssapp_tree_list_text (value);
  if (!json_is_number (value))
    return NULL;
  number = json_number_value (value);
  if (g_strcmp0 (unit, "deg") == 0) {
    const double tidy =
        1e4; /* 30 degrees come back as 30, not as 29.999999999999996; what is not touched keeps its digits */
    number = round (number * 180 / G_PI * tidy) / tidy;
  }
  ss_format_double (number + 0.0, digits, sizeof digits); /* no "-0" */
  return g_strdup (digits);
}

json_t *
ssapp_tree_require_list (json_t *root, const char *section, const char *name)
{
  json_t *object = json_object_get (root, section), *list;

  if (object == NULL) {
    object = json_object ();
    json_object_set_new (root, section, object);
  }
  list = json_object_get (object, name);
  if (list == NULL) {
    list = json_array ();
    json_object_set_new (object, name, list);
  }
  return list;
}
