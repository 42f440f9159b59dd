/* app/document/ssapp-document-references.c: bodies, entries and materials of a tree that come, go or get another name,
 * with all that the file says of them elsewhere. */
#include "app/document/ssapp-document-private.h"

#include <string.h>

static void rename_ranges (json_t *root, const char *from, const char *to);

/* In all outcomes; `to` NULL: those that read the name go. */
static void change_outcomes (json_t *root, const char *from, const char *to);

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

static const char *const lists_of_bodies[] = {"scene.contacts", "scene.joints",   "scene.springs", "scene.actuators",
                                              "scene.forces",   "scene.measures", "task.targets",  "task.bounds"};

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

/* Fixed, or locked in x, y and theta, which moves as it starts. */
static gboolean
is_immovable (const json_t *body)
{
  return json_is_true (json_object_get (body, "fixed")) || json_array_size (json_object_get (body, "lock")) == 3;
}

void
ssapp_tree_add_body (json_t *root, json_t *body)
{
  json_t *bodies = bodies_of (root), *contacts = ssapp_tree_get (root, "scene.contacts");
  const char *name = json_string_value (json_object_get (body, "name"));

  if (bodies == NULL) {
    bodies = json_array ();
    json_object_set_new (json_object_get (root, "scene"), "bodies", bodies);
  }
  for (size_t i = 0; !ssapp_tree_has_all_contacts (root) && i < json_array_size (bodies); i++) {
    json_t *other = json_array_get (bodies, i);
    if (!is_immovable (body) || !is_immovable (other))
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

/* What stands behind the body's name in a feature of it, "" or ".corner1"; NULL: it is of another one. */
static const char *
part_of_feature (const json_t *feature, const char *name)
{
  const char *text = json_string_value (feature);
  const gsize n = strlen (name);

  return text != NULL && g_str_has_prefix (text, name) && (text[n] == '\0' || text[n] == '.') ? text + n : NULL;
}

static gboolean
is_of_body (json_t *entry, const void *name)
{
  const json_t *features = json_object_get (entry, "between");

  return part_of_feature (json_array_get (features, 0), name) != NULL ||
         part_of_feature (json_array_get (features, 1), name) != NULL || place_in_contact (entry, name) >= 0 ||
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
  int index = ssapp_tree_find_body (root, name), body = ss_scene_find (scene, SS_OWNER_BODY, name);

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
  for (int i = 0; i < scene->n_contacts; i++)
    if (scene->contacts[i].body_a == body || scene->contacts[i].body_b == body)
      change_outcomes (root, scene->contacts[i].name, NULL);
  change_outcomes (root, name, NULL);
  rename_ranges (root, name, NULL);
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
  if (name != NULL && g_str_equal (list_path, "scene.measures"))
    ssapp_tree_rename_measure (root, name, NULL);
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

  json_t *features = json_object_get (entry, "between");

  for (size_t i = 0; i < json_array_size (features); i++) {
    const char *part = part_of_feature (json_array_get (features, i), renaming->from);
    if (part != NULL) {
      g_autofree char *text = g_strconcat (renaming->to, part, NULL);
      json_array_set_new (features, i, json_string (text));
    }
  }
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
  int body = ss_scene_find (scene, SS_OWNER_BODY, renaming->from);

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

/* A name in an outcome's formula: before the '.' of a channel, or a word of events; free with g_regex_unref. */
static GRegex *
word_of_outcomes (const char *name, gboolean is_of_channel)
{
  g_autofree char *escaped = g_regex_escape_string (name, -1),
                  *pattern = g_strdup_printf (is_of_channel ? "(?<![A-Za-z0-9_.])%s(?=\\.)"
                                                            : "(?<![A-Za-z0-9_.-])%s(?![A-Za-z0-9_.-]|\\s*\\()",
                                              escaped);

  return g_regex_new (pattern, 0, 0, NULL);
}

static gboolean
is_read_by (GRegex *word, const json_t *outcome)
{
  const char *formula = json_string_value (json_is_object (outcome) ? json_object_get (outcome, "formula") : outcome);

  return word != NULL && formula != NULL && g_regex_match (word, formula, 0, NULL);
}

static void
change_outcomes_with (json_t *root, const Renaming *renaming)
{
  json_t *outcomes = json_object_get (root, "outcomes"), *outcome;
  const char *key;
  void *next;

  json_object_foreach_safe (outcomes, next, key, outcome)
  {
    if (g_str_equal (key, "description") || !is_read_by (renaming->states, outcome))
      continue;
    json_t *changed = renaming->to != NULL ? renamed_formula (outcome, renaming) : NULL;
    if (renaming->to == NULL)
      json_object_del (outcomes, key);
    else if (changed != NULL)
      json_object_set_new (outcomes, key, changed);
    else
      rename_in_formulas (outcome, renaming);
  }
}

static void
change_outcomes (json_t *root, const char *from, const char *to)
{
  /* in channels a '-' is '_' */
  g_autofree char *channel = g_strdelimit (g_strdup (from), "-", '_'),
                  *to_channel = to != NULL ? g_strdelimit (g_strdup (to), "-", '_') : NULL;
  const Renaming forms[] = {{channel, to_channel, word_of_outcomes (channel, TRUE)},
                            {from, to, word_of_outcomes (from, FALSE)}};

  for (gsize i = 0; i < G_N_ELEMENTS (forms); i++) {
    change_outcomes_with (root, &forms[i]);
    if (forms[i].states != NULL)
      g_regex_unref (forms[i].states);
  }
}

void
ssapp_tree_rename_measure (json_t *root, const char *from, const char *to)
{
  g_autofree char *escaped = g_regex_escape_string (from, -1),
                  *pattern = g_strdup_printf ("(?<![A-Za-z0-9_.])measure\\.%s(?![A-Za-z0-9_.])",
                                              g_strdelimit (escaped, "-", '_')),
                  *now = to != NULL ? g_strconcat ("measure.", to, NULL) : NULL;
  Renaming renaming = {from, now != NULL ? g_strdelimit (now, "-", '_') : NULL, g_regex_new (pattern, 0, 0, NULL)};

  change_outcomes_with (root, &renaming);
  if (to != NULL)
    rename_in_formulas (ssapp_tree_get (root, "view"), &renaming);
  g_clear_pointer (&renaming.states, g_regex_unref);
}

/* Contacts first, whose names are made of those of the bodies. */
static void
rename_in_outcomes (json_t *root, const SsScene *scene, const Renaming *renaming)
{
  const int body = ss_scene_find (scene, SS_OWNER_BODY, renaming->from);

  for (int k = 0; k < scene->n_contacts; k++) {
    const SsContact *contact = &scene->contacts[k];
    const char *a = scene->bodies[contact->body_a].name, *b = scene->bodies[contact->body_b].name;
    g_autofree char *made = g_strdup_printf ("%s-%s", a, b),
                    *now = g_strdup_printf ("%s-%s", contact->body_a == body ? renaming->to : a,
                                            contact->body_b == body ? renaming->to : b);
    if ((contact->body_a == body || contact->body_b == body) && g_str_equal (contact->name, made))
      change_outcomes (root, made, now);
  }
  change_outcomes (root, renaming->from, renaming->to);
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
  rename_in_outcomes (root, scene, &renaming);
  rename_ranges (root, name, to);
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

/* Numbers of a body in task.worlds, "box.mass": under its new name, or with `to` NULL taken out. */
static void
rename_ranges (json_t *root, const char *from, const char *to)
{
  json_t *worlds = ssapp_tree_get (root, "task.worlds"), *others = json_object (), *value;
  const gsize length = strlen (from);
  const char *key;
  gboolean has_ranges = FALSE;

  json_object_foreach (worlds, key, value)
  {
    const gboolean is_of_it = g_str_has_prefix (key, from) && key[length] == '.';
    g_autofree char *name = is_of_it && to != NULL ? g_strconcat (to, key + length, NULL) : g_strdup (key);

    if (is_of_it && to == NULL)
      continue;
    json_object_set (others, name, value);
    has_ranges = has_ranges || json_is_array (value);
  }
  if (worlds != NULL && has_ranges)
    json_object_set (ssapp_tree_get (root, "task"), "worlds", others);
  else if (worlds != NULL)
    json_object_del (ssapp_tree_get (root, "task"), "worlds");
  json_decref (others);
}
