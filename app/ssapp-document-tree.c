/* app/ssapp-document-tree.c: the JSON side of editing: paths, bodies, and a writer that keeps files readable. */
#include "app/ssapp-document-private.h"

#include "core/ss-core.h"

#include <math.h>
#include <string.h>

/* ---- writing ------------------------------------------------------------------------------------------------------------------- */

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

/* ---- paths --------------------------------------------------------------------------------------------------------------------- */

/* One step of a path: a key or an index. */
typedef struct {
  char key[128];
  int index; /* -1 for a key */
} Step;

/* Reads the next step and returns the rest, NULL at the end or if the path is malformed (step->key empty then). */
static const char *
next_step (const char *path, Step *step)
{
  const char *end;

  step->key[0] = '\0';
  step->index = -1;
  if (*path == '.')
    path++;
  if (*path == '\0')
    return NULL;
  if (*path == '[') {
    char *close = NULL;
    gint64 index = g_ascii_strtoll (path + 1, &close, 10);
    const gint64 largest = 1 << 20;
    if (close == path + 1 || *close != ']' || index < 0 || index > largest)
      return NULL;
    step->index = (int)index;
    return close + 1;
  }
  end = path + strcspn (path, ".[");
  if (end == path || (gsize)(end - path) >= sizeof step->key)
    return NULL;
  memcpy (step->key, path, (gsize)(end - path));
  step->key[end - path] = '\0';
  return end;
}

static json_t *
step_into (json_t *node, const Step *step)
{
  if (node == NULL)
    return NULL;
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
new_container (const Step *inside)
{
  json_t *made;
  if (inside->index < 0)
    return json_object ();
  made = json_array (); /* all arrays of numbers in the format are points: two coordinates */
  json_array_append_new (made, json_integer (0));
  json_array_append_new (made, json_integer (0));
  return made;
}

gboolean
ssapp_tree_set (json_t *root, const char *path, json_t *value, GError **error)
{
  json_t *node = root;
  const char *rest = path;
  Step step, following;

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
      if (!store_step (node, &step, new_container (&following)))
        break;
      child = step_into (node, &step);
    }
    /* A parameter written as a bare number becomes {"value": number} only if asked for; the value itself is replaced otherwise. */
    if (!json_is_object (child) && following.index < 0 && strcmp (following.key, "value") == 0 && *after == '\0') {
      if (store_step (node, &step, value))
        return TRUE;
      value = NULL;
      break;
    }
    node = child;
    step = following;
    rest = after;
  }
  json_decref (value);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "There is no field “%s” in this scenario", path);
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
  if (!json_is_number (value))
    return NULL;
  number = json_number_value (value);
  if (g_strcmp0 (unit, "deg") == 0) {
    const double tidy =
        1e4; /* 30 degrees come back as 30, not as 29.999999999999996; what is not touched keeps its digits */
    number = round (number * 180 / G_PI * tidy) / tidy;
  }
  ss_format_double (number, digits, sizeof digits);
  return g_strdup (digits);
}

/* ---- bodies -------------------------------------------------------------------------------------------------------------------- */

static json_t *
bodies_of (json_t *root)
{
  return ssapp_tree_get (root, "scene.bodies");
}

int
ssapp_tree_find_body (json_t *root, const char *name)
{
  json_t *bodies = bodies_of (root);

  for (size_t i = 0; i < json_array_size (bodies); i++)
    if (g_strcmp0 (json_string_value (json_object_get (json_array_get (bodies, i), "name")), name) == 0)
      return (int)i;
  return -1;
}

char *
ssapp_tree_unique_body_name (json_t *root, const char *stem)
{
  char *name = g_strdup (stem);

  for (int number = 2; ssapp_tree_find_body (root, name) >= 0; number++) {
    g_free (name);
    name = g_strdup_printf ("%s-%d", stem, number);
  }
  return name;
}

void
ssapp_tree_add_body (json_t *root, json_t *body)
{
  json_t *bodies = bodies_of (root), *contacts = ssapp_tree_get (root, "scene.contacts");
  const char *name = json_string_value (json_object_get (body, "name"));
  gboolean is_fixed = json_is_true (json_object_get (body, "fixed"));

  if (bodies == NULL) {
    bodies = json_array ();
    json_object_set_new (json_object_get (root, "scene"), "bodies", bodies);
  }
  for (size_t i = 0; json_is_array (contacts) && i < json_array_size (bodies); i++) {
    json_t *other = json_array_get (bodies, i);
    if (!is_fixed || !json_is_true (json_object_get (other, "fixed")))
      json_array_append_new (
          contacts, json_pack ("{s:[s, s]}", "bodies", json_string_value (json_object_get (other, "name")), name));
  }
  json_array_append_new (bodies, body);
}

/* Index of the body in a contact's pair, -1 if it is not part of it. */
static int
place_in_contact (json_t *contact, const char *name)
{
  json_t *pair = json_object_get (contact, "bodies");
  for (size_t i = 0; i < json_array_size (pair); i++)
    if (g_strcmp0 (json_string_value (json_array_get (pair, i)), name) == 0)
      return (int)i;
  return -1;
}

void
ssapp_tree_remove_body (json_t *root, const char *name)
{
  json_t *contacts = ssapp_tree_get (root, "scene.contacts");
  int index = ssapp_tree_find_body (root, name);

  if (index >= 0)
    json_array_remove (bodies_of (root), (size_t)index);
  for (size_t i = json_array_size (contacts); json_is_array (contacts) && i-- > 0;)
    if (place_in_contact (json_array_get (contacts, i), name) >= 0)
      json_array_remove (contacts, i);
}

void
ssapp_tree_rename_body (json_t *root, const char *name, const char *to)
{
  json_t *contacts = ssapp_tree_get (root, "scene.contacts");
  int index = ssapp_tree_find_body (root, name);

  if (index >= 0)
    json_object_set_new (json_array_get (bodies_of (root), (size_t)index), "name", json_string (to));
  for (size_t i = 0; json_is_array (contacts) && i < json_array_size (contacts); i++) {
    json_t *contact = json_array_get (contacts, i);
    int place = place_in_contact (contact, name);
    if (place >= 0)
      json_array_set_new (json_object_get (contact, "bodies"), (size_t)place, json_string (to));
  }
}
