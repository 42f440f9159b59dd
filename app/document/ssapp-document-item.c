/* app/document/ssapp-document-item.c: entries of an edited scenario as its file has them, other than bodies: what they
 * are called, where they are, lists of them. */
#include "app/document/ssapp-document-law.h"
#include "app/document/ssapp-document-private.h"

#include <glib/gi18n.h>
#include <string.h>

void
ssapp_item_free (SsappItem *item)
{
  if (item == NULL)
    return;
  g_free (item->path);
  g_free (item->name);
  g_free (item->kind);
  g_free (item->detail);
  g_free (item);
}

/* A number in few digits, or the formula. */
static char *
short_value (const json_t *value)
{
  if (json_is_string (value))
    return g_strdup (json_string_value (value));
  return json_is_number (value) ? ssapp_short_number (json_number_value (value)) : NULL;
}

/* "±20 N", "0 … 20 N", "free". */
static char *
describe_limits (const json_t *item, const char *unit)
{
  const json_t *lower = json_object_get (item, "lower"), *upper = json_object_get (item, "upper");
  g_autofree char *lower_text = short_value (lower), *upper_text = short_value (upper);

  if (json_is_number (lower) && json_is_number (upper) && json_number_value (lower) == -json_number_value (upper))
    return g_strdup_printf ("±%s %s", upper_text, unit);
  if (lower_text == NULL && upper_text == NULL)
    return g_strdup ("unbounded");
  return g_strdup_printf ("%s … %s %s", lower_text != NULL ? lower_text : "−∞", upper_text != NULL ? upper_text : "∞",
                          unit);
}

static char *
describe_pair (const json_t *bodies)
{
  const char *a = json_string_value (json_array_get (bodies, 0)), *b = json_string_value (json_array_get (bodies, 1));

  return g_strdup_printf ("%s – %s", a != NULL ? a : "", b != NULL ? b : "");
}

static char *
describe_place (const json_t *item)
{
  const json_t *position = json_object_get (item, "position");
  g_autofree char *x = short_value (json_array_get (position, 0)), *y = short_value (json_array_get (position, 1));

  if (x != NULL && y != NULL)
    return g_strdup_printf ("%s, %s m", x, y);
  if (x != NULL)
    return g_strdup_printf ("x %s m", x);
  if (y != NULL)
    return g_strdup_printf ("y %s m", y);
  return g_strdup ("");
}

/* What a list's entries are called when they do not say it themselves. */
static const struct {
  const char *list, *kind;
  gboolean is_named_by_body;
} lists[] = {{"scene.bodies", "body", FALSE},
             {"scene.joints", "joint", FALSE},
             {"scene.springs", "spring", FALSE},
             {"scene.actuators", "actuator", FALSE},
             {"scene.forces", "force", FALSE},
             {"task.targets", "goal", TRUE},
             {"task.bounds", "bounds", TRUE},
             {"task.constraints", "constraint", FALSE},
             {"task.cost", "cost", FALSE},
             {"scene.material_pairs", "pair of materials", FALSE},
             {"scene.constraints", "constraint", FALSE},
             {"scene.measures", "measure", FALSE},
             {"scene.notes", "note", FALSE}};

/* The formula of a cost or of a scene's constraint, or the first row of a constraint and how many more there are. */
static char *
describe_formula (const json_t *entry)
{
  const json_t *cost = json_object_get (entry, "cost"), *zero = json_object_get (entry, "zero"),
               *nonnegative = json_object_get (entry, "nonnegative"), *law = json_object_get (entry, "formula");
  const size_t n = json_array_size (zero) + json_array_size (nonnegative);
  g_autofree char *first = short_value (cost != NULL                 ? cost
                                        : json_array_size (zero) > 0 ? json_array_get (zero, 0)
                                                                     : json_array_get (nonnegative, 0));

  if (law != NULL) {
    g_autofree char *phi = short_value (law);
    const gboolean is_at_least = g_strcmp0 (json_string_value (json_object_get (entry, "kind")), "at_least") == 0;
    return g_strdup_printf ("%s %s 0", phi != NULL ? phi : "", is_at_least ? "≥" : "=");
  }
  if (first == NULL)
    return g_strdup ("");
  if (cost != NULL)
    return g_steal_pointer (&first);
  return n > 1 ? g_strdup_printf ("%s %s 0, %zu more", first, json_array_size (zero) > 0 ? "=" : "≥", n - 1)
               : g_strdup_printf ("%s %s 0", first, json_array_size (zero) > 0 ? "=" : "≥");
}

/* "µ 0.5", or nothing. */
static char *
describe_friction (const json_t *entry)
{
  g_autofree char *value = short_value (json_object_get (entry, "friction"));

  return value != NULL ? g_strdup_printf ("µ %s", value) : g_strdup ("");
}

char *
ssapp_document_describe_users (SsappDocument *self, const char *material)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);
  enum { NAMED_MAX = 2 };
  const SsScene *scene = ssapp_document_scene (self);
  const int index = ssapp_scene_find_material (scene, material);
  g_autoptr (GString) names = g_string_new (NULL);
  int n = 0;

  for (int i = 0; index >= 0 && i < scene->n_bodies; i++)
    if (ssapp_scene_material_of (scene, i) == index && n++ < NAMED_MAX)
      g_string_append_printf (names, "%s%s", n > 1 ? ", " : "", scene->bodies[i].name);
  if (n == 0)
    return g_strdup ("unused");
  return n <= NAMED_MAX ? g_strdup (names->str) : g_strdup_printf (_ ("%d bodies"), n);
}

static SsappItem *
make_material (SsappDocument *self, const char *name)
{
  SsappItem *item = g_new0 (SsappItem, 1);

  item->path = g_strdup_printf (SSAPP_MATERIALS ".%s", name);
  item->name = g_strdup (name);
  item->kind = g_strdup ("material");
  item->detail = ssapp_document_describe_users (self, name);
  return item;
}

/* The contact at a path; NULL if the pair neither touches nor is turned off by the file. */
static SsappItem *
make_contact (SsappDocument *self, const char *path)
{
  json_t *root = ssapp_document_root (self), *entry = ssapp_tree_get (root, path);
  int index = ssapp_document_find_contact (self, path);
  g_autofree char *a = NULL, *b = NULL, *mu = NULL;
  SsappItem *item;

  if (index < 0 && entry == NULL)
    return NULL;
  ssapp_tree_parse_contact (path, &a, &b, NULL);
  mu = index >= 0 ? ssapp_short_number (ssapp_document_scene (self)->contacts[index].mu) : NULL;
  item = g_new0 (SsappItem, 1);
  item->path = g_strdup (path);
  item->name = g_strdup_printf ("%s – %s", a, b);
  item->kind = g_strdup ("contact");
  item->detail = mu != NULL ? g_strdup_printf ("µ %s", mu) : g_strdup ("off");
  item->is_family = entry == NULL && !ssapp_tree_has_all_contacts (root);
  return item;
}

static SsappItem *
make_item (const json_t *entry, guint list, size_t index)
{
  SsappItem *item = g_new0 (SsappItem, 1);
  const char *type = json_string_value (json_object_get (entry, "type")), *kind = lists[list].kind, *name;

  item->path = g_strdup_printf ("%s[%zu]", lists[list].list, index);
  item->is_family = json_object_get (entry, "for") != NULL;
  if (g_str_equal (kind, "joint") && type != NULL)
    kind = type;
  name = json_string_value (json_object_get (entry, lists[list].is_named_by_body ? "body" : "name"));
  item->name = item->is_family ? g_strdup_printf ("family %zu", index + 1)
               : name != NULL  ? g_strdup (name)
                               : g_strdup_printf ("%s%zu", kind, index + 1); /* as the engine calls it */
  item->kind = g_strdup (g_str_equal (kind, "actuator") && type != NULL      ? type
                         : json_is_true (json_object_get (entry, "torsion")) ? "torsion spring"
                                                                             : kind);
  if (item->is_family)
    item->detail = g_strdup (_ ("by a rule"));
  else if (g_str_equal (kind, "actuator"))
    item->detail =
        g_strchomp (describe_limits (entry, g_strcmp0 (type, "torque") == 0  ? "N m"
                                            : g_strcmp0 (type, "joint") == 0 ? "" /* N on a slider, N m on a pin */
                                                                             : "N"));
  else if (g_str_equal (kind, "goal"))
    item->detail = describe_place (entry);
  else if (g_str_equal (kind, "cost") || g_str_equal (kind, "constraint"))
    item->detail = describe_formula (entry);
  else if (json_object_get (entry, "materials") != NULL) {
    g_free (item->name);
    item->name = describe_pair (json_object_get (entry, "materials"));
    item->detail = describe_friction (entry);
  } else if (json_object_get (entry, "bodies") != NULL)
    item->detail = describe_pair (json_object_get (entry, "bodies"));
  else
    item->detail = g_strdup (lists[list].is_named_by_body ? "" : json_string_value (json_object_get (entry, "body")));
  if (item->detail == NULL)
    item->detail = g_strdup ("");
  return item;
}

static guint
find_list (const char *path, size_t length)
{
  guint l = 0;

  while (l < G_N_ELEMENTS (lists) && !(strlen (lists[l].list) == length && strncmp (lists[l].list, path, length) == 0))
    l++;
  return l;
}

GPtrArray *
ssapp_document_list_items (SsappDocument *self, const char *list)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);

  GPtrArray *items = g_ptr_array_new_with_free_func ((GDestroyNotify)ssapp_item_free);
  const json_t *entries = ssapp_tree_get (ssapp_document_root (self), list);
  guint l = find_list (list, strlen (list));
  const char *name;
  json_t *material;

  if (g_str_equal (list, SSAPP_MATERIALS))
    json_object_foreach ((json_t *)entries, name, material) g_ptr_array_add (items, make_material (self, name));
  for (size_t i = 0; l < G_N_ELEMENTS (lists) && json_is_array (entries) && i < json_array_size (entries); i++)
    g_ptr_array_add (items, make_item (json_array_get (entries, i), l, i));
  return items;
}

SsappItem *
ssapp_document_get_item (SsappDocument *self, const char *path)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);

  const char *bracket = strrchr (path, '[');
  const json_t *entry = ssapp_tree_get (ssapp_document_root (self), path);
  const char *rest;

  if (ssapp_tree_parse_contact (path, NULL, NULL, &rest) && *rest == '\0')
    return make_contact (self, path);
  if (g_str_has_prefix (path, SSAPP_MATERIALS ".") && json_is_object (entry))
    return make_material (self, path + strlen (SSAPP_MATERIALS "."));
  guint l = bracket != NULL ? find_list (path, (size_t)(bracket - path)) : G_N_ELEMENTS (lists);

  if (l == G_N_ELEMENTS (lists) || !json_is_object (entry))
    return NULL;
  return make_item (entry, l, (size_t)g_ascii_strtoull (bracket + 1, NULL, 10));
}

char *
ssapp_document_find_entry (SsappDocument *self, const char *list, const char *body)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);
  g_autoptr (GPtrArray) items = ssapp_document_list_items (self, list);

  for (guint i = 0; i < items->len; i++) {
    const SsappItem *item = g_ptr_array_index (items, i);
    if (!item->is_family && strcmp (item->name, body) == 0)
      return g_strdup (item->path);
  }
  return NULL;
}

void
ssapp_document_select_item (SsappDocument *self, const char *path)
{
  g_return_if_fail (SSAPP_IS_DOCUMENT (self));
  const SsScene *scene = ssapp_document_get_scenario (self)->scene;

  for (int i = 0; path != NULL && scene != NULL && i < scene->n_bodies; i++) { /* a body is selected by its name */
    g_autofree char *own = ssapp_document_body_path (self, i);
    if (g_strcmp0 (own, path) == 0) {
      ssapp_document_select (self, scene->bodies[i].name);
      return;
    }
  }
  SsappItem *item = path != NULL && ssapp_key_is_item (path) ? ssapp_document_get_item (self, path) : NULL;
  ssapp_document_set_keys (self, NULL, item != NULL ? path : NULL);
  ssapp_item_free (item);
}

/* A goal's mark is called "Goal: box", a joint's as the joint. */
gboolean
ssapp_mark_stands_for (const SsMark *mark, const SsappItem *item)
{
  const char *colon = strstr (mark->name, ": ");
  gboolean is_goal = strcmp (item->kind, "goal") == 0;

  if ((mark->role == SS_ROLE_GOAL) != is_goal || strcmp (item->kind, "bounds") == 0)
    return FALSE;
  return strcmp (is_goal && colon != NULL ? colon + 2 : mark->name, item->name) == 0 && mark->role != SS_ROLE_CENTRE;
}
