/* app/document/ssapp-document-tree.c: the JSON side of editing: paths, bodies, and a writer that keeps files
 * readable. */
#include "app/document/ssapp-document-private.h"

#include "core/ss-core.h"

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
  body_a = ssapp_scene_find_body (scene, json_string_value (json_array_get (json_object_get (entry, "bodies"), 0)));
  body_b = ssapp_scene_find_body (scene, json_string_value (json_array_get (json_object_get (entry, "bodies"), 1)));
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

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

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
  for (size_t i = 0; !ssapp_tree_has_all_contacts (root) && i < json_array_size (bodies); i++) {
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

/* Calls for each entry of a list, those in families too; entries for which it is true are taken out. */
static void
filter_list (json_t *list, gboolean (*drop) (json_t *entry, const void *data), const void *data)
{
  for (size_t i = json_array_size (list); json_is_array (list) && i-- > 0;) {
    json_t *entry = json_array_get (list, i);
    filter_list (json_object_get (entry, "rows"), drop, data);
    if (drop (entry, data))
      json_array_remove (list, i);
  }
}

static gboolean
is_of_body (json_t *entry, const void *name)
{
  return place_in_contact (entry, name) >= 0 ||
         g_strcmp0 (json_string_value (json_object_get (entry, "body")), name) == 0;
}

static gboolean
is_of_joint (json_t *entry, const void *name)
{
  return g_strcmp0 (json_string_value (json_object_get (entry, "joint")), name) == 0;
}

/* The text itself, or an entry of that name. */
static gboolean
is_called (json_t *entry, const void *name)
{
  const char *text =
      json_is_object (entry) ? json_string_value (json_object_get (entry, "name")) : json_string_value (entry);
  return g_strcmp0 (text, name) == 0;
}

static const char *const lists_of_bodies[] = {"scene.contacts", "scene.joints", "scene.springs", "scene.actuators",
                                              "scene.forces",   "task.targets", "task.bounds"};

/* The state of a body in a formula, "NAME.x"; free with g_regex_unref. */
static GRegex *
states_of (const char *name)
{
  g_autofree char *escaped = g_regex_escape_string (name, -1),
                  *pattern = g_strdup_printf ("(?<![A-Za-z0-9_.])%s(?=\\.([A-Za-z_][A-Za-z0-9_]*\\.)?"
                                              "(x|y|theta|vx|vy|omega)\\b)",
                                              escaped);
  return g_regex_new (pattern, 0, 0, NULL);
}

/* Its formula reads a state of the body. */
static gboolean
is_law_of_body (json_t *entry, const void *name)
{
  const char *formula = json_string_value (json_object_get (entry, "formula"));
  GRegex *states = states_of (name);
  const gboolean is_read = formula != NULL && states != NULL && g_regex_match (states, formula, 0, NULL);

  g_clear_pointer (&states, g_regex_unref);
  return is_read;
}

/* Actuators that have gone leave no weights of effort behind. */
static void
drop_stale_efforts (json_t *root)
{
  json_t *effort = ssapp_tree_get (root, "task.effort"), *actuators = ssapp_tree_get (root, "scene.actuators");
  const char *key;
  json_t *value;
  void *next;

  json_object_foreach_safe (effort, next, key, value)
  {
    gboolean is_known = g_str_equal (key, "description");
    for (size_t i = 0; i < json_array_size (actuators); i++) /* what families write is not looked into: it stays */
      is_known = is_known || json_object_get (json_array_get (actuators, i), "for") != NULL ||
                 is_called (json_array_get (actuators, i), key);
    if (!is_known)
      json_object_del (effort, key);
  }
}

void
ssapp_tree_remove_body (json_t *root, const SsScene *scene, const char *name)
{
  json_t *joints = ssapp_tree_get (root, "scene.joints");
  int index = ssapp_tree_find_body (root, name), body = ssapp_scene_find_body (scene, name);

  if (index < 0)
    return;
  json_array_remove (bodies_of (root), (size_t)index);
  for (size_t i = 0; i < json_array_size (joints); i++) { /* before the joints: what drives them goes with them */
    const char *joint = json_string_value (json_object_get (json_array_get (joints, i), "name"));
    if (joint != NULL && is_of_body (json_array_get (joints, i), name))
      filter_list (ssapp_tree_get (root, "scene.actuators"), is_of_joint, joint);
  }
  for (gsize l = 0; l < G_N_ELEMENTS (lists_of_bodies); l++)
    filter_list (ssapp_tree_get (root, lists_of_bodies[l]), is_of_body, name);
  filter_list (ssapp_tree_get (root, "scene.constraints"), is_law_of_body, name);
  for (int i = 0; i < scene->n_contacts; i++)
    if (scene->contacts[i].body_a == body || scene->contacts[i].body_b == body)
      filter_list (ssapp_tree_get (root, "task.contacts"), is_called, scene->contacts[i].name);
  if (json_array_size (ssapp_tree_get (root, "scene.contacts")) == 1 && ssapp_tree_has_all_contacts (root))
    json_object_set_new (json_object_get (root, "scene"), "contacts", json_string ("all")); /* nothing is changed now */
  ssapp_tree_rename_ranges (root, name, NULL);
  drop_stale_efforts (root);
}

void
ssapp_tree_remove_item (json_t *root, const char *path)
{
  const char *bracket = strrchr (path, '[');
  g_autofree char *list_path = g_strndup (path, bracket != NULL ? (gsize)(bracket - path) : 0);
  json_t *list = ssapp_tree_get (root, list_path), *entry = ssapp_tree_get (root, path);
  const char *name = json_string_value (json_object_get (entry, "name"));

  if (entry != NULL && g_str_has_prefix (path, SSAPP_MATERIALS ".")) {
    ssapp_tree_rename_material (root, path + strlen (SSAPP_MATERIALS "."), NULL);
    return;
  }
  if (entry == NULL || bracket == NULL)
    return;
  if (name != NULL && g_str_equal (list_path, "scene.joints"))
    filter_list (ssapp_tree_get (root, "scene.actuators"), is_of_joint, name);
  json_array_remove (list, (size_t)g_ascii_strtoull (bracket + 1, NULL, 10));
  drop_stale_efforts (root);
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

typedef struct {
  const char *from, *to;
  GRegex *states; /* "from.x" and the like in formulas */
} Renaming;

static void
rename_member (json_t *object, const char *key, const Renaming *renaming)
{
  if (g_strcmp0 (json_string_value (json_object_get (object, key)), renaming->from) == 0)
    json_object_set_new (object, key, json_string (renaming->to));
}

static gboolean
rename_in_entry (json_t *entry, const void *data)
{
  const Renaming *renaming = data;
  int place = place_in_contact (entry, renaming->from);

  rename_member (entry, "body", renaming);
  if (place >= 0)
    json_array_set_new (json_object_get (entry, "bodies"), (size_t)place, json_string (renaming->to));
  return FALSE;
}

/* A formula with the body's states renamed, or NULL when nothing changes. */
static json_t *
renamed_formula (const json_t *value, const Renaming *renaming)
{
  const char *text = json_string_value (value);
  g_autofree char *replaced = text != NULL && renaming->states != NULL
                                  ? g_regex_replace (renaming->states, text, -1, 0, renaming->to, 0, NULL)
                                  : NULL;

  return replaced != NULL && !g_str_equal (replaced, text) ? json_string (replaced) : NULL;
}

/* All texts below a value. */
static void
rename_in_formulas (json_t *value, const Renaming *renaming)
{
  const char *key;
  json_t *child, *changed;

  for (size_t i = 0; json_is_array (value) && i < json_array_size (value); i++) {
    child = json_array_get (value, i);
    changed = renamed_formula (child, renaming);
    if (changed != NULL)
      json_array_set_new (value, i, changed);
    else
      rename_in_formulas (child, renaming);
  }
  if (!json_is_object (value))
    return;
  json_object_foreach (value, key, child)
  {
    if (g_str_equal (key, "description"))
      continue;
    changed = renamed_formula (child, renaming);
    if (changed != NULL)
      json_object_set_new (value, key, changed);
    else
      rename_in_formulas (child, renaming);
  }
}

/* Candidates are called by names that the reader makes from those of the bodies. */
static void
rename_candidates (json_t *root, const SsScene *scene, const Renaming *renaming)
{
  json_t *list = ssapp_tree_get (root, "task.contacts");
  int body = ssapp_scene_find_body (scene, renaming->from);

  for (size_t i = 0; json_is_array (list) && i < json_array_size (list); i++)
    for (int k = 0; k < scene->n_contacts; k++) {
      const SsContact *contact = &scene->contacts[k];
      const char *a = scene->bodies[contact->body_a].name, *b = scene->bodies[contact->body_b].name;
      g_autofree char *made = g_strdup_printf ("%s-%s", a, b), *now = NULL;
      if ((contact->body_a != body && contact->body_b != body) || !g_str_equal (contact->name, made) ||
          !is_called (json_array_get (list, i), made))
        continue;
      now = g_strdup_printf ("%s-%s", contact->body_a == body ? renaming->to : a,
                             contact->body_b == body ? renaming->to : b);
      json_array_set_new (list, i, json_string (now));
      break;
    }
}

void
ssapp_tree_rename_body (json_t *root, const SsScene *scene, const char *name, const char *to)
{
  static const char *const formulas[] = {"scene.actuators",  "scene.forces", "scene.constraints",
                                         "task.constraints", "task.cost",    "view"};
  int index = ssapp_tree_find_body (root, name);
  Renaming renaming = {name, to, states_of (name)};

  if (index >= 0)
    json_object_set_new (json_array_get (bodies_of (root), (size_t)index), "name", json_string (to));
  rename_candidates (root, scene, &renaming);
  for (gsize l = 0; l < G_N_ELEMENTS (lists_of_bodies); l++)
    filter_list (ssapp_tree_get (root, lists_of_bodies[l]), rename_in_entry, &renaming);
  for (gsize l = 0; l < G_N_ELEMENTS (formulas); l++)
    rename_in_formulas (ssapp_tree_get (root, formulas[l]), &renaming);
  ssapp_tree_rename_ranges (root, name, to);
  g_clear_pointer (&renaming.states, g_regex_unref);
}

/* ---- materials --------------------------------------------------------------------------------------------------- */

typedef struct {
  const char *from, *to; /* to: NULL for a material that goes */
} MaterialChange;

static gboolean
change_material_of_body (json_t *body, const void *data)
{
  const MaterialChange *change = data;

  if (g_strcmp0 (json_string_value (json_object_get (body, "material")), change->from) != 0)
    return FALSE;
  if (change->to != NULL)
    json_object_set_new (body, "material", json_string (change->to));
  else
    json_object_del (body, "material");
  return FALSE;
}

static gboolean
change_material_of_pair (json_t *pair, const void *data)
{
  const MaterialChange *change = data;
  json_t *names = json_object_get (pair, "materials");
  gboolean drop = FALSE;

  for (size_t i = 0; i < json_array_size (names); i++)
    if (g_strcmp0 (json_string_value (json_array_get (names, i)), change->from) == 0) {
      drop = change->to == NULL;
      if (!drop)
        json_array_set_new (names, i, json_string (change->to));
    }
  return drop;
}

void
ssapp_tree_rename_material (json_t *root, const char *name, const char *to)
{
  const MaterialChange change = {name, to};
  json_t *scene = json_object_get (root, "scene"), *materials = json_object_get (scene, "materials"),
         *renamed = json_object (), *pairs = json_object_get (scene, "material_pairs"), *value;
  const char *key;

  json_object_foreach (materials, key, value)
  {
    if (!g_str_equal (key, name))
      json_object_set (renamed, key, value);
    else if (to != NULL) /* in its old place */
      json_object_set (renamed, to, value);
  }
  if (json_object_size (renamed) > 0) {
    json_object_set_new (scene, "materials", renamed);
  } else {
    json_object_del (scene, "materials");
    json_decref (renamed);
  }
  filter_list (bodies_of (root), change_material_of_body, &change);
  filter_list (pairs, change_material_of_pair, &change);
  if (json_is_array (pairs) && json_array_size (pairs) == 0)
    json_object_del (scene, "material_pairs");
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
