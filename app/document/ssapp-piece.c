/* app/document/ssapp-piece.c: pieces of scenarios, as they are copied and pasted: some bodies with all that belongs to
 * them alone, in the form of a scenario.
 *
 *   {"stickslip": "piece", "parameters": {...}, "scene": {"bodies": [...], "joints": [...], ...},
 *    "task": {"targets": [...], "bounds": [...], "effort": {...}, "contact_pairs": [["floor", "box"]]}}
 *
 * A whole scenario is a piece, too. What is put into a sketch gets names that are free there; parameters and materials
 * of the same name are shared if they are the same, else renamed. Tests: tests/unit/test-document-copy.c */
#include "app/document/ssapp-document-private.h"

#include <glib/gi18n.h>
#include <string.h>

static const char *const entry_lists[] = {"joints", "springs", "actuators", "forces"};

static const char *
text_of (const json_t *object, const char *key)
{
  return json_string_value (json_object_get (object, key));
}

static json_t *
require_list (json_t *object, const char *key)
{
  json_t *list = json_object_get (object, key);

  if (!json_is_array (list)) {
    list = json_array ();
    json_object_set_new (object, key, list);
  }
  return list;
}

static json_t *
require_object (json_t *object, const char *key)
{
  json_t *child = json_object_get (object, key);

  if (!json_is_object (child)) {
    child = json_object ();
    json_object_set_new (object, key, child);
  }
  return child;
}

static gboolean
is_family (const json_t *entry)
{
  return json_object_get (entry, "for") != NULL;
}

/* ---- taking ------------------------------------------------------------------------------------------------------ */

static gboolean
has (GHashTable *names, const char *name)
{
  return name != NULL && g_hash_table_contains (names, name);
}

/* How many of the two bodies of an entry are among the names; `others` counts those that are neither. */
static int
count_bodies (GHashTable *names, const json_t *entry, int *others)
{
  const json_t *pair = json_object_get (entry, "bodies");
  int n = 0;

  *others = 0;
  for (size_t i = 0; i < json_array_size (pair); i++) {
    const char *name = json_string_value (json_array_get (pair, i));
    if (has (names, name))
      n++;
    else if (g_strcmp0 (name, "world") != 0)
      (*others)++;
  }
  return n;
}

/* Entries of a list of the file that belong to the bodies: joints to them alone, actuators also to a joint of them. */
static void
take_entries (json_t *from, const char *list, GHashTable *bodies, GHashTable *joints, json_t *to)
{
  const json_t *entries = json_object_get (from, list);

  for (size_t i = 0; i < json_array_size (entries); i++) {
    json_t *entry = json_array_get (entries, i);
    int others;
    gboolean is_ours = has (bodies, text_of (entry, "body")) || has (joints, text_of (entry, "joint")) ||
                       (count_bodies (bodies, entry, &others) > 0 && others == 0);
    if (!is_ours || is_family (entry))
      continue;
    json_array_append_new (require_list (to, list), json_deep_copy (entry));
    if (g_str_equal (list, "joints") && text_of (entry, "name") != NULL)
      g_hash_table_add (joints, (gpointer)text_of (entry, "name"));
  }
}

/* Those of pairs with one of the bodies at least. */
static void
take_contacts (json_t *root, GHashTable *bodies, json_t *to)
{
  const json_t *entries = ssapp_tree_get (root, "scene.contacts");
  json_t *list = json_array ();
  int others;

  if (ssapp_tree_has_all_contacts (root))
    json_array_append_new (list, json_string ("all"));
  for (size_t i = 0; json_is_array (entries) && i < json_array_size (entries); i++)
    if (!is_family (json_array_get (entries, i)) && count_bodies (bodies, json_array_get (entries, i), &others) > 0)
      json_array_append_new (list, json_deep_copy (json_array_get (entries, i)));
  json_object_set_new (to, "contacts", list);
}

static void
take_materials (json_t *scene, json_t *to)
{
  const json_t *materials = json_object_get (scene, "materials"), *pairs = json_object_get (scene, "material_pairs"),
               *bodies = json_object_get (to, "bodies");

  for (size_t i = 0; i < json_array_size (bodies); i++) {
    const char *name = text_of (json_array_get (bodies, i), "material");
    json_t *material = name != NULL ? json_object_get (materials, name) : NULL;
    if (material != NULL)
      json_object_set_new (require_object (to, "materials"), name, json_deep_copy (material));
  }
  for (size_t i = 0; i < json_array_size (pairs); i++) {
    const json_t *pair = json_array_get (pairs, i), *names = json_object_get (pair, "materials");
    const json_t *ours = json_object_get (to, "materials");
    const char *a = json_string_value (json_array_get (names, 0)), *b = json_string_value (json_array_get (names, 1));
    if (a != NULL && b != NULL && json_object_get (ours, a) != NULL && json_object_get (ours, b) != NULL)
      json_array_append_new (require_list (to, "material_pairs"), json_deep_copy (pair));
  }
}

/* Of a task: goals and limits of the bodies, weights of their controls, contacts that a plan knows. */
static void
take_task (SsappDocument *self, GHashTable *bodies, json_t *piece)
{
  json_t *root = ssapp_document_root (self), *task = json_object_get (root, "task"), *to = json_object (),
         *effort = json_object_get (task, "effort"), *weight;
  const json_t *actuators = ssapp_tree_get (piece, "scene.actuators");
  const SsScene *scene = ssapp_document_scene (self);

  take_entries (task, "targets", bodies, bodies, to);
  take_entries (task, "bounds", bodies, bodies, to);
  for (size_t i = 0; i < json_array_size (actuators); i++) {
    const char *name = text_of (json_array_get (actuators, i), "name");
    if (name != NULL && (weight = json_object_get (effort, name)) != NULL)
      json_object_set_new (require_object (to, "effort"), name, json_deep_copy (weight));
  }
  for (int i = 0; json_is_array (json_object_get (task, "contacts")) && i < scene->n_contacts; i++) {
    const char *a = scene->bodies[scene->contacts[i].body_a].name, *b = scene->bodies[scene->contacts[i].body_b].name;
    g_autofree char *path = ssapp_document_contact_path (self, i);
    if ((has (bodies, a) || has (bodies, b)) && ssapp_document_is_candidate (self, path))
      json_array_append_new (require_list (to, "contact_pairs"), json_pack ("[s, s]", a, b));
  }
  if (json_object_size (to) > 0)
    json_object_set_new (piece, "task", to);
  else
    json_decref (to);
}

/* Adds the parameters that texts below the value name, and those that these need. */
static void
take_parameters (const json_t *value, const json_t *parameters, json_t *to)
{
  const char *key, *text = json_string_value (value);
  json_t *child;

  for (size_t i = 0; i < json_array_size (value); i++)
    take_parameters (json_array_get (value, i), parameters, to);
  json_object_foreach ((json_t *)value, key, child) take_parameters (child, parameters, to);
  while (text != NULL && *text != '\0') {
    gsize n = 0;
    while (g_ascii_isalnum (text[n]) || text[n] == '_')
      n++;
    if (n > 0) {
      g_autofree char *word = g_strndup (text, n);
      json_t *parameter = json_object_get (parameters, word);
      if (parameter != NULL && json_object_get (to, word) == NULL) {
        json_object_set_new (to, word, json_deep_copy (parameter));
        take_parameters (parameter, parameters, to);
      }
    }
    text += MAX (n, 1);
  }
}

json_t *
ssapp_piece_take (SsappDocument *self, const char *const *keys)
{
  json_t *root = ssapp_document_root (self), *scene = json_object_get (root, "scene"), *parameters = json_object (),
         *piece, *to = json_object ();
  const json_t *bodies = json_object_get (scene, "bodies");
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal),
                         joints = g_hash_table_new (g_str_hash, g_str_equal);

  for (size_t i = 0; i < json_array_size (bodies); i++) {
    json_t *body = json_array_get (bodies, i);
    const char *name = text_of (body, "name");
    if (name == NULL || is_family (body) || !g_strv_contains (keys, name))
      continue;
    g_hash_table_add (names, (gpointer)name);
    json_array_append_new (require_list (to, "bodies"), json_deep_copy (body));
  }
  piece = json_pack ("{s:s, s:o}", "stickslip", "piece", "scene", to);
  if (g_hash_table_size (names) == 0) {
    json_decref (piece);
    json_decref (parameters);
    return NULL;
  }
  for (gsize l = 0; l < G_N_ELEMENTS (entry_lists); l++)
    take_entries (scene, entry_lists[l], names, joints, to);
  take_contacts (root, names, to);
  take_materials (scene, to);
  take_task (self, names, piece);
  take_parameters (piece, json_object_get (root, "parameters"), parameters);
  if (json_object_size (parameters) > 0)
    json_object_set_new (piece, "parameters", parameters);
  else
    json_decref (parameters);
  return piece;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* What is wrong with the piece, NULL if nothing. */
static const char *
find_fault (const json_t *piece)
{
  const json_t *scene = json_object_get (piece, "scene"), *bodies = json_object_get (scene, "bodies");

  if (json_object_get (piece, "model") != NULL)
    return _ ("It is a scenario given by equations, which has no bodies to paste");
  if (!json_is_array (bodies) || json_array_size (bodies) == 0)
    return _ ("It has no bodies (a list “bodies” in “scene”)");
  for (size_t i = 0; i < json_array_size (bodies); i++) {
    const json_t *body = json_array_get (bodies, i);
    if (is_family (body))
      return _ ("It writes bodies by a rule (“for”), which is not pasted: open it as a sketch");
    if (text_of (body, "name") == NULL)
      return _ ("One of its bodies has no name");
  }
  for (gsize l = 0; l < G_N_ELEMENTS (entry_lists); l++) {
    const json_t *list = json_object_get (scene, entry_lists[l]);
    if (list != NULL && !json_is_array (list))
      return _ ("Joints, springs, actuators and forces are lists");
  }
  return NULL;
}

json_t *
ssapp_piece_parse (const char *text, GError **error)
{
  json_error_t problem;
  json_t *piece = NULL;
  const char *fault;

  while (g_ascii_isspace (*text))
    text++;
  if (*text == '{' && strlen (text) <= SS_SCENARIO_MAX_BYTES)
    piece = json_loads (text, JSON_REJECT_DUPLICATES, &problem);
  else
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                         *text == '\0' ? _ ("The clipboard holds no text") : _ ("The text is no piece of a sketch"));
  if (piece == NULL) {
    if (error != NULL && *error == NULL)
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, _ ("The text is no piece of a sketch: line %d: %s"),
                   problem.line, problem.text);
    return NULL;
  }
  fault = find_fault (piece);
  if (fault != NULL) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, _ ("The text cannot be pasted. %s"), fault);
    json_decref (piece);
    return NULL;
  }
  return piece;
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

/* Everything of the sketch that has a name, to itself. */
static GHashTable *
list_names (SsappDocument *self, json_t *root)
{
  GHashTable *names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  const SsScene *scene = ssapp_document_scene (self);
  const json_t *bodies = ssapp_tree_get (root, "scene.bodies"), *parameters = json_object_get (root, "parameters");
  json_t *parameter;
  const char *name;

  for (int i = 0; i < scene->n_bodies; i++)
    g_hash_table_add (names, g_strdup (scene->bodies[i].name));
  for (int i = 0; i < scene->n_contacts; i++)
    g_hash_table_add (names, g_strdup (scene->contacts[i].name));
  for (int i = 0; i < scene->n_joints; i++)
    g_hash_table_add (names, g_strdup (scene->joints[i].name));
  for (int i = 0; i < scene->n_springs; i++)
    g_hash_table_add (names, g_strdup (scene->springs[i].name));
  for (int i = 0; i < scene->n_actuators; i++)
    g_hash_table_add (names, g_strdup (scene->actuators[i].name));
  for (int i = 0; i < scene->n_forces; i++)
    g_hash_table_add (names, g_strdup (scene->forces[i].name));
  json_object_foreach ((json_t *)parameters, name, parameter) g_hash_table_add (names, g_strdup (name));
  for (size_t i = 0; i < json_array_size (bodies); i++) /* of copies that came before this one */
    if (text_of (json_array_get (bodies, i), "name") != NULL)
      g_hash_table_add (names, g_strdup (text_of (json_array_get (bodies, i), "name")));
  for (gsize l = 0; l < G_N_ELEMENTS (entry_lists); l++) {
    g_autofree char *path = g_strconcat ("scene.", entry_lists[l], NULL);
    const json_t *list = ssapp_tree_get (root, path);
    for (size_t i = 0; i < json_array_size (list); i++)
      if (text_of (json_array_get (list, i), "name") != NULL)
        g_hash_table_add (names, g_strdup (text_of (json_array_get (list, i), "name")));
  }
  return names;
}

/* "box" or "box-3" become "box-2", "box-4", whichever is free first; caller frees. */
static char *
free_name (GHashTable *taken, const char *name, char separator)
{
  gsize n = strlen (name);
  g_autofree char *stem = NULL;
  char *candidate = NULL;

  while (n > 0 && g_ascii_isdigit (name[n - 1]))
    n--;
  stem = g_strndup (name, n > 1 && n < strlen (name) && name[n - 1] == separator ? n - 1 : strlen (name));
  for (int number = 2; candidate == NULL || has (taken, candidate); number++) {
    g_free (candidate);
    candidate = g_strdup_printf ("%s%c%d", stem, separator, number);
  }
  return candidate;
}

typedef struct {
  json_t *root, *piece; /* the piece: a copy that is changed     */
  GHashTable *taken;    /* names of the sketch and of the piece  */
  GHashTable *in_root;  /* names of the sketch                   */
  GHashTable *origins;  /* new names of bodies to the old ones   */
} Insertion;

/* The name that something of the piece gets; caller frees. */
static char *
new_name (Insertion *in, const char *name, char separator)
{
  char *to = has (in->in_root, name) ? free_name (in->taken, name, separator) : g_strdup (name);

  g_hash_table_add (in->taken, g_strdup (to));
  return to;
}

/* Whether a formula below the value reads a state of the body: its name needs to be an identifier then. */
static gboolean
is_read (json_t *value, const char *state)
{
  const char *key, *text = json_string_value (value);
  json_t *child;

  if (text != NULL)
    return strstr (text, state) != NULL;
  for (size_t i = 0; i < json_array_size (value); i++)
    if (is_read (json_array_get (value, i), state))
      return TRUE;
  json_object_foreach (value, key, child) if (is_read (child, state)) return TRUE;
  return FALSE;
}

static void
rename_bodies (Insertion *in)
{
  static const SsScene nothing = {.n_contacts = 0}; /* candidates are told by pairs */
  const json_t *bodies = ssapp_tree_get (in->piece, "scene.bodies"), *pairs;

  for (size_t i = 0; i < json_array_size (bodies); i++) {
    g_autofree char *name = g_strdup (text_of (json_array_get (bodies, i), "name"));
    g_autofree char *state = g_strconcat (name, ".", NULL);
    char *to = new_name (in, name, is_read (in->piece, state) ? '_' : '-');
    if (!g_str_equal (name, to)) {
      ssapp_tree_rename_body (in->piece, &nothing, name, to);
      pairs = ssapp_tree_get (in->piece, "task.contact_pairs");
      for (size_t p = 0; p < json_array_size (pairs); p++)
        for (size_t k = 0; k < 2; k++)
          if (g_strcmp0 (json_string_value (json_array_get (json_array_get (pairs, p), k)), name) == 0)
            json_array_set_new (json_array_get (pairs, p), k, json_string (to));
    }
    g_hash_table_insert (in->origins, to, g_steal_pointer (&name));
  }
}

/* Joints, springs, actuators, forces, contacts; what refers to joints and actuators by name follows. */
static void
rename_entries (Insertion *in, const char *list_name)
{
  g_autofree char *path = g_strconcat ("scene.", list_name, NULL);
  const json_t *list = ssapp_tree_get (in->piece, path), *actuators = ssapp_tree_get (in->piece, "scene.actuators");
  json_t *effort = ssapp_tree_get (in->piece, "task.effort"), *weight;

  for (size_t i = 0; i < json_array_size (list); i++) {
    json_t *entry = json_array_get (list, i);
    g_autofree char *name = g_strdup (text_of (entry, "name")), *to = NULL;
    if (name == NULL)
      continue;
    to = new_name (in, name, '_');
    if (g_str_equal (name, to))
      continue;
    json_object_set_new (entry, "name", json_string (to));
    for (size_t a = 0; g_str_equal (list_name, "joints") && a < json_array_size (actuators); a++)
      if (g_strcmp0 (text_of (json_array_get (actuators, a), "joint"), name) == 0)
        json_object_set_new (json_array_get (actuators, a), "joint", json_string (to));
    weight = g_str_equal (list_name, "actuators") ? json_object_get (effort, name) : NULL;
    if (weight != NULL) {
      json_object_set (effort, to, weight);
      json_object_del (effort, name);
    }
  }
}

/* A parameter's name in every formula below the value. */
static void
rename_in_texts (json_t *value, const GRegex *word, const char *to)
{
  static const char *const no_formulas[] = {"name", "description", "type",     "color",     "lock",
                                            "body", "joint",       "material", "materials", NULL};
  const char *key;
  json_t *child;

  if (json_is_string (value)) {
    g_autofree char *text = g_regex_replace_literal (word, json_string_value (value), -1, 0, to, 0, NULL);
    if (text != NULL && !g_str_equal (text, json_string_value (value)))
      json_string_set (value, text);
  }
  for (size_t i = 0; i < json_array_size (value); i++)
    rename_in_texts (json_array_get (value, i), word, to);
  json_object_foreach (value, key, child)
  {
    gboolean is_pair = g_str_equal (key, "bodies") && json_is_string (json_array_get (child, 0));
    if (!is_pair && !g_strv_contains (no_formulas, key))
      rename_in_texts (child, word, to);
  }
}

/* Names of parameters of the piece that mean something else in the sketch: another value, or a formula that reads such
 * a one. */
static GHashTable *
list_other_parameters (Insertion *in)
{
  json_t *parameters = json_object_get (in->piece, "parameters"), *theirs = json_object_get (in->root, "parameters"),
         *value;
  GHashTable *others = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gboolean has_grown = TRUE;
  const char *name;

  while (has_grown) {
    has_grown = FALSE;
    json_object_foreach (parameters, name, value)
    {
      json_t *there = json_object_get (theirs, name), *read = json_object ();
      const char *needed;
      json_t *ignored;
      gboolean is_other = there != NULL && !json_equal (there, value);
      take_parameters (value, parameters, read);
      json_object_foreach (read, needed, ignored) is_other = is_other || (there != NULL && has (others, needed));
      json_decref (read);
      if (is_other && !has (others, name)) {
        g_hash_table_add (others, g_strdup (name));
        has_grown = TRUE;
      }
    }
  }
  return others;
}

/* Parameters that the sketch has with the same meaning are shared, others come along, under a free name if need be. */
static void
bring_parameters (Insertion *in)
{
  json_t *parameters = json_object_get (in->piece, "parameters"), *value;
  g_autoptr (GHashTable) others = list_other_parameters (in);
  GHashTableIter iter;
  gpointer name;
  const char *key;

  g_hash_table_iter_init (&iter, others);
  while (g_hash_table_iter_next (&iter, &name, NULL)) {
    g_autofree char *to = new_name (in, name, '_'),
                    *pattern = g_strdup_printf ("(?<![A-Za-z0-9_.])%s(?![A-Za-z0-9_.(])", (const char *)name);
    g_autoptr (GRegex) word = g_regex_new (pattern, 0, 0, NULL);
    rename_in_texts (json_object_get (in->piece, "scene"), word, to);
    rename_in_texts (json_object_get (in->piece, "task"), word, to);
    rename_in_texts (parameters, word, to);
    json_object_set (parameters, to, json_object_get (parameters, name));
    json_object_del (parameters, name);
  }
  json_object_foreach (parameters, key,
                       value) if (json_object_get (json_object_get (in->root, "parameters"), key) == NULL)
      json_object_set (require_object (in->root, "parameters"), key, value);
}

static void
bring_materials (Insertion *in)
{
  json_t *scene = json_object_get (in->root, "scene"), *value;
  g_autofree char **names = NULL;
  const json_t *pairs;
  guint n = 0;
  const char *name;

  names = g_new0 (char *, json_object_size (ssapp_tree_get (in->piece, SSAPP_MATERIALS)) + 1);
  json_object_foreach (ssapp_tree_get (in->piece, SSAPP_MATERIALS), name, value) names[n++] = g_strdup (name);
  for (guint i = 0; i < n; i++) {
    g_autofree char *to = g_strdup (names[i]);
    json_t *ours = json_object_get (ssapp_tree_get (in->piece, SSAPP_MATERIALS), names[i]),
           *there = json_object_get (json_object_get (scene, "materials"), names[i]);
    for (int number = 2; there != NULL && !json_equal (there, ours); number++) {
      g_free (to);
      to = g_strdup_printf ("%s-%d", names[i], number);
      there = json_object_get (json_object_get (scene, "materials"), to);
    }
    if (!g_str_equal (to, names[i]))
      ssapp_tree_rename_material (in->piece, names[i], to);
    if (there == NULL)
      json_object_set (require_object (scene, "materials"), to,
                       json_object_get (ssapp_tree_get (in->piece, SSAPP_MATERIALS), to));
    g_free (names[i]);
  }
  pairs = ssapp_tree_get (in->piece, "scene.material_pairs");
  for (size_t i = 0; i < json_array_size (pairs); i++) {
    json_t *list = require_list (scene, "material_pairs");
    gboolean is_there = FALSE;
    for (size_t k = 0; k < json_array_size (list); k++)
      is_there = is_there || json_equal (json_object_get (json_array_get (list, k), "materials"),
                                         json_object_get (json_array_get (pairs, i), "materials"));
    if (!is_there)
      json_array_append (list, json_array_get (pairs, i));
  }
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

/* The entry of the piece for two bodies, in either order; NULL: none. */
static json_t *
entry_of_pair (const json_t *list, const char *a, const char *b)
{
  for (size_t i = 0; json_is_array (list) && i < json_array_size (list); i++) {
    json_t *entry = json_array_get (list, i), *pair = json_object_get (entry, "bodies");
    const char *first = json_string_value (json_array_get (pair, 0)),
               *second = json_string_value (json_array_get (pair, 1));
    if ((g_strcmp0 (first, a) == 0 && g_strcmp0 (second, b) == 0) ||
        (g_strcmp0 (first, b) == 0 && g_strcmp0 (second, a) == 0))
      return entry;
  }
  return NULL;
}

/* Whether all bodies of the piece come from this sketch. */
static gboolean
is_from_here (const Insertion *in)
{
  GHashTableIter iter;
  gpointer to, from;

  g_hash_table_iter_init (&iter, in->origins);
  while (g_hash_table_iter_next (&iter, &to, &from))
    if (ssapp_tree_find_body (in->root, from) < 0 || g_str_equal (to, from))
      return FALSE;
  return TRUE;
}

/* The sketch lists its contacts: the new pairs become what the old ones are. A pair of the piece that was not listed is
 * none here; a copy may touch its original and, elsewhere, everything. */
static void
mend_listed_contacts (Insertion *in, size_t n_before)
{
  json_t *list = ssapp_tree_get (in->root, "scene.contacts");
  const json_t *ours = ssapp_tree_get (in->piece, "scene.contacts");
  gboolean was_all = !json_is_array (ours) || json_is_string (json_array_get (ours, 0)), is_here = is_from_here (in);

  for (size_t i = json_array_size (list); i-- > n_before;) {
    json_t *pair = json_object_get (json_array_get (list, i), "bodies");
    const char *a = json_string_value (json_array_get (pair, 0)), *b = json_string_value (json_array_get (pair, 1));
    gboolean is_a_new = has (in->origins, a), is_b_new = has (in->origins, b);
    json_t *entry = entry_of_pair (ours, a, b);
    gboolean is_original = FALSE;
    GHashTableIter iter;
    gpointer to, from;

    g_hash_table_iter_init (&iter, in->origins);
    while (g_hash_table_iter_next (&iter, &to, &from))
      is_original = is_original || g_strcmp0 (from, is_a_new ? b : a) == 0;
    if (entry != NULL)
      json_array_set (list, i, entry);
    else if (!was_all && ((is_a_new && is_b_new) || (is_here && !is_original)))
      json_array_remove (list, i);
  }
}

/* Beside "all": changes of pairs whose bodies are both there. */
static void
bring_changed_contacts (Insertion *in)
{
  const json_t *ours = ssapp_tree_get (in->piece, "scene.contacts");
  json_t *scene = json_object_get (in->root, "scene");

  for (size_t i = 0; json_is_array (ours) && i < json_array_size (ours); i++) {
    json_t *entry = json_array_get (ours, i), *pair = json_object_get (entry, "bodies"), *list;
    const char *a = json_string_value (json_array_get (pair, 0)), *b = json_string_value (json_array_get (pair, 1));
    if (a == NULL || b == NULL || ssapp_tree_find_body (in->root, a) < 0 || ssapp_tree_find_body (in->root, b) < 0 ||
        (json_object_size (entry) < 2 && !json_is_string (json_array_get (ours, 0))))
      continue;
    list = json_object_get (scene, "contacts");
    if (!json_is_array (list)) {
      list = json_pack ("[s]", "all");
      json_object_set_new (scene, "contacts", list);
    }
    if (entry_of_pair (list, a, b) == NULL)
      json_array_append (list, entry);
  }
}

static void
bring_bodies (Insertion *in, GPtrArray *keys)
{
  const json_t *bodies = ssapp_tree_get (in->piece, "scene.bodies");
  gboolean is_listed = !ssapp_tree_has_all_contacts (in->root);
  size_t n_before = is_listed ? json_array_size (ssapp_tree_get (in->root, "scene.contacts")) : 0;

  for (size_t i = 0; i < json_array_size (bodies); i++) {
    ssapp_tree_add_body (in->root, json_incref (json_array_get (bodies, i)));
    g_ptr_array_add (keys, g_strdup (text_of (json_array_get (bodies, i), "name")));
  }
  if (is_listed)
    mend_listed_contacts (in, n_before);
  else
    bring_changed_contacts (in);
}

/* ---- inserting --------------------------------------------------------------------------------------------------- */

static void
append_list (Insertion *in, const char *section, const char *name, GPtrArray *keys)
{
  g_autofree char *path = g_strconcat (section, ".", name, NULL);
  const json_t *ours = ssapp_tree_get (in->piece, path);
  json_t *list;

  for (size_t i = 0; i < json_array_size (ours); i++) {
    if (is_family (json_array_get (ours, i)))
      continue;
    list = ssapp_tree_require_list (in->root, section, name);
    if (!json_is_array (list))
      return;
    g_ptr_array_add (keys, g_strdup_printf ("%s[%zu]", path, json_array_size (list)));
    json_array_append (list, json_array_get (ours, i));
  }
}

static void
bring_effort (Insertion *in)
{
  json_t *effort = ssapp_tree_get (in->root, "task.effort"), *weight;
  const char *name;

  if (json_is_object (effort))
    json_object_foreach (ssapp_tree_get (in->piece, "task.effort"), name, weight)
        json_object_set (effort, name, weight);
}

void
ssapp_piece_insert (SsappDocument *self, json_t *root, const json_t *piece, GPtrArray *keys, GPtrArray *candidates)
{
  Insertion in = {.root = root,
                  .piece = json_deep_copy (piece),
                  .in_root = list_names (self, root),
                  .taken = list_names (self, root),
                  .origins = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free)};
  const json_t *pairs, *bodies = ssapp_tree_get (in.piece, "scene.bodies");

  for (size_t i = 0; i < json_array_size (bodies); i++)
    g_hash_table_add (in.taken, g_strdup (text_of (json_array_get (bodies, i), "name")));
  rename_bodies (&in);
  for (gsize l = 0; l < G_N_ELEMENTS (entry_lists); l++)
    rename_entries (&in, entry_lists[l]);
  rename_entries (&in, "contacts");
  bring_parameters (&in);
  bring_materials (&in);
  if (json_array_size (ssapp_tree_get (in.piece, "task.targets")) > 0) {
    ssapp_tree_require_list (root, "task", "targets");
    ssapp_document_choose_steps (self, root);
  }
  for (gsize l = 0; l < G_N_ELEMENTS (entry_lists); l++)
    append_list (&in, "scene", entry_lists[l], keys);
  append_list (&in, "task", "targets", keys);
  append_list (&in, "task", "bounds", keys);
  bring_effort (&in);
  bring_bodies (&in, keys);
  pairs = ssapp_tree_get (in.piece, "task.contact_pairs");
  for (size_t i = 0; i < json_array_size (pairs); i++)
    g_ptr_array_add (candidates, g_strdup_printf ("scene.contacts{%s,%s}",
                                                  json_string_value (json_array_get (json_array_get (pairs, i), 0)),
                                                  json_string_value (json_array_get (json_array_get (pairs, i), 1))));
  json_decref (in.piece);
  g_hash_table_unref (in.in_root);
  g_hash_table_unref (in.taken);
  g_hash_table_unref (in.origins);
}
