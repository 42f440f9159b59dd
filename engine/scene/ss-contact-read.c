/* engine/scene/ss-contact-read.c: reads materials and contacts of a scene.
 *
 * Two materials together: what `material_pairs` says of them; else the geometric mean of the frictions, the larger
 * restitution, and stiffness and damping in series (k_a k_b / (k_a + k_b)), a side without a value being rigid. Bodies
 * without a material are of the scene's own. */
#include "scene/ss-scene-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const ss_material_value_names[SS_MATERIAL_VALUES] = {"friction", "restitution", "stiffness", "damping"};
static const SsNumberRule value_rules[SS_MATERIAL_VALUES] = {SS_NONNEGATIVE, SS_UNIT_INTERVAL, SS_NONNEGATIVE,
                                                             SS_NONNEGATIVE};

/* The members that are given replace what is in `values`; those are marked in `says` (may be NULL). */
static void
read_values (SsReader *reader, const SsJsonAt *at, double values[SS_MATERIAL_VALUES], bool says[SS_MATERIAL_VALUES])
{
  SsJsonAt member;

  for (int i = 0; i < SS_MATERIAL_VALUES; i++)
    if (ss_at_member (reader, at, ss_material_value_names[i], &member)) {
      ss_read_number (reader, &member, value_rules[i], &values[i]);
      if (says != NULL)
        says[i] = true;
    }
}

/* ---- materials --------------------------------------------------------------------------------------------------- */

static void
read_material_pair (SsReader *reader, const SsJsonAt *at, void *user_data)
{
  SsSceneReader *scene = user_data;
  SsMaterialPair pair = {-1, -1, {NAN, NAN, NAN, NAN}};
  SsJsonAt list_at, child;
  int materials[2] = {-1, -1};

  if (!ss_read_is_object (reader, at) ||
      !ss_read_member (reader, at, "materials", "the names of two materials", &list_at))
    return;
  if (!json_is_array (list_at.value) || json_array_size (list_at.value) != 2) {
    ss_reader_problem (reader, &list_at, "the names of two materials [\"a\", \"b\"]", "a pair has two materials");
    return;
  }
  for (bool more = ss_at_first (reader, &list_at, &child); more; more = ss_at_next (reader, &child))
    materials[child.index] = ss_scene_find_name (reader, &child, &scene->material_names, "material");
  if (materials[0] < 0 || materials[1] < 0)
    return;
  pair.a = materials[0];
  pair.b = materials[1];
  for (int i = 0; i < scene->n_pairs; i++)
    if ((scene->pairs[i].a == pair.a && scene->pairs[i].b == pair.b) ||
        (scene->pairs[i].a == pair.b && scene->pairs[i].b == pair.a))
      ss_reader_problem (reader, &list_at, "each pair once", "the pair of materials is given twice");
  read_values (reader, at, pair.values, NULL);
  if (scene->n_pairs >= SS_MATERIALS_MAX)
    ss_reader_problem (reader, at, "at most 1000 pairs", "there are too many pairs of materials");
  else if (ss_reader_reserve (reader, (void **)&scene->pairs, &scene->pair_capacity, scene->n_pairs + 1,
                              sizeof *scene->pairs))
    scene->pairs[scene->n_pairs++] = pair;
}

static void
read_material (SsSceneReader *scene, const SsJsonAt *at, SsMaterial *materials, int *n)
{
  SsReader *reader = scene->reader;
  const char *name = ss_reader_strdup (reader, at->key);
  SsMaterial *material = &materials[*n];

  if (!ss_read_is_name (reader, at, name, true, "a material") || !ss_read_is_object (reader, at))
    return;
  material->name = name;
  memcpy (material->values, scene->scene->own_values, sizeof material->values);
  read_values (reader, at, material->values, material->says);
  if (!ss_names_add (&scene->material_names, name, SS_SYMBOL_CHANNEL, (*n)++, ss_reader_line (reader, at)))
    reader->out_of_memory = true;
}

static void
read_material_list (SsSceneReader *scene, const SsJsonAt *at)
{
  SsReader *reader = scene->reader;
  const size_t n = json_object_size (at->value);
  SsMaterial *materials;
  SsJsonAt child;
  int n_read = 0;

  if (n > SS_MATERIALS_MAX) {
    ss_reader_problem (reader, at, "at most 1000 materials", "there are too many materials");
    return;
  }
  materials = ss_reader_alloc (reader, n + 1, sizeof *materials);
  if (materials == NULL)
    return;
  for (bool more = ss_at_first (reader, at, &child); more; more = ss_at_next (reader, &child))
    read_material (scene, &child, materials, &n_read);
  scene->scene->materials = materials;
  scene->scene->n_materials = n_read;
}

void
ss_read_materials (SsSceneReader *scene, const SsJsonAt *scene_at)
{
  SS_ASSERT (scene != NULL);

  SsReader *reader = scene->reader;
  SsScene *read = scene->scene;
  SsJsonAt at;

  read_values (reader, scene_at, read->own_values, NULL);
  read->default_rolling = ss_read_real (reader, scene_at, "rolling", SS_NONNEGATIVE, 0);
  read->default_cohesion = ss_read_real (reader, scene_at, "cohesion", SS_NONNEGATIVE, 0);
  read->default_mu = read->own_values[SS_MATERIAL_FRICTION];
  read->default_restitution = read->own_values[SS_MATERIAL_RESTITUTION];
  if (ss_at_member (reader, scene_at, "materials", &at) && ss_read_is_object (reader, &at))
    read_material_list (scene, &at);
  if (ss_at_member (reader, scene_at, "material_pairs", &at))
    ss_read_items (reader, &at, read_material_pair, scene);
  read->material_pairs = ss_reader_keep (reader, scene->pairs, scene->n_pairs, sizeof *scene->pairs);
  read->n_material_pairs = read->material_pairs != NULL ? scene->n_pairs : 0;
  scene->pairs = NULL;
}

/* ---- what holds where two materials meet ------------------------------------------------------------------------- */

static double
combined (SsMaterialValue which, double a, double b)
{
  switch (which) {
  case SS_MATERIAL_FRICTION:
    return a == b ? a : sqrt (a) * sqrt (b);
  case SS_MATERIAL_RESTITUTION:
    return fmax (a, b);
  default:
    return a == 0 ? b : b == 0 ? a : a / (1 + a / b);
  }
}

static bool
value_of_pair (const SsScene *scene, int a, int b, SsMaterialValue which, double *value)
{
  for (int p = 0; p < scene->n_material_pairs; p++) {
    const SsMaterialPair *pair = &scene->material_pairs[p];

    if (((pair->a == a && pair->b == b) || (pair->a == b && pair->b == a)) && !isnan (pair->values[which])) {
      *value = pair->values[which];
      return true;
    }
  }
  return false;
}

bool
ss_scene_value_of_materials (const SsScene *scene, int material_a, int material_b, SsMaterialValue which,
                             SsValueSource source, double *value)
{
  SS_ASSERT (scene != NULL && scene->n_bodies >= 0);

  const SsMaterial *a = material_a >= 0 ? &scene->materials[material_a] : NULL,
                   *b = material_b >= 0 ? &scene->materials[material_b] : NULL;
  const double own = scene->own_values[which];

  switch (source) {
  case SS_FROM_PAIR:
    return a != NULL && b != NULL && value_of_pair (scene, material_a, material_b, which, value);
  case SS_FROM_MATERIALS:
    if (a == NULL && b == NULL) /* the scene's values are those of its contacts */
      return false;
    *value = combined (which, a != NULL ? a->values[which] : own, b != NULL ? b->values[which] : own);
    return (a != NULL && a->says[which]) || (b != NULL && b->says[which]) || *value != own;
  case SS_FROM_SCENE:
    *value = own;
    return true;
  default:
    return false;
  }
}

/* Values of a contact of two bodies that says nothing itself. */
static void
combine_materials (const SsSceneReader *scene, int body_a, int body_b, double values[SS_MATERIAL_VALUES],
                   unsigned char from[SS_MATERIAL_VALUES])
{
  const int a = scene->material_of_body[body_a], b = scene->material_of_body[body_b];

  for (int i = 0; i < SS_MATERIAL_VALUES; i++)
    for (int source = SS_FROM_PAIR; source < SS_VALUE_SOURCES; source++)
      if (ss_scene_value_of_materials (scene->scene, a, b, (SsMaterialValue)i, (SsValueSource)source, &values[i])) {
        from[i] = (unsigned char)source;
        break;
      }
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

typedef struct {
  SsSceneReader *scene;
  SsContact *contacts;
  bool *is_enabled; /* same places */
  int n, capacity, enabled_capacity;
  bool is_all; /* the list starts with "all": its entries change single pairs */
} ContactList;

static void
set_values (SsContact *contact, const double values[SS_MATERIAL_VALUES])
{
  contact->mu = values[SS_MATERIAL_FRICTION];
  contact->restitution = values[SS_MATERIAL_RESTITUTION];
  contact->stiffness = values[SS_MATERIAL_STIFFNESS];
  contact->damping = values[SS_MATERIAL_DAMPING];
}

static size_t
size_of_made_name (const SsSceneReader *scene, const SsContact *contact)
{
  return strlen (scene->bodies[contact->body_a].name) + strlen (scene->bodies[contact->body_b].name) + 2;
}

/* Names contacts that have no name "<a>-<b>", in one block: a pyramid of 1035 boxes has half a million of them. */
static void
name_made_contacts (SsSceneReader *scene, SsContact *contacts, int n)
{
  size_t size = 0;
  char *at;

  for (int i = 0; i < n; i++)
    if (contacts[i].name == NULL)
      size += size_of_made_name (scene, &contacts[i]);
  at = size > 0 ? ss_reader_alloc (scene->reader, size, 1) : NULL;
  for (int i = 0; i < n; i++) {
    if (contacts[i].name != NULL)
      continue;
    contacts[i].name = at != NULL ? at : "";
    if (at != NULL) {
      at = stpcpy (at, scene->bodies[contacts[i].body_a].name);
      *at++ = '-';
      at = stpcpy (at, scene->bodies[contacts[i].body_b].name) + 1;
    }
  }
}

static void
read_contact (SsReader *reader, const SsJsonAt *at, void *user_data)
{
  ContactList *list = user_data;
  SsSceneReader *scene = list->scene;
  SsContact contact = {.name = ""};
  SsJsonAt name_at = *at;
  double values[SS_MATERIAL_VALUES];
  int bodies[2];
  bool is_enabled, has_bodies, says[SS_MATERIAL_VALUES] = {false};

  if (json_is_string (at->value) && strcmp (json_string_value (at->value), "all") == 0 && at->index == 0 &&
      reader->n_bindings == 0) {
    list->is_all = true;
    return;
  }
  if (!ss_read_is_object (reader, at))
    return;
  has_bodies = ss_scene_read_two_bodies (scene, at, "contact", false, bodies);
  if (has_bodies)
    combine_materials (scene, bodies[0], bodies[1], values, contact.from);
  else
    memcpy (values, scene->scene->own_values, sizeof values);
  read_values (reader, at, values, says);
  for (int i = 0; i < SS_MATERIAL_VALUES; i++)
    if (says[i])
      contact.from[i] = SS_FROM_CONTACT;
  contact.rolling = ss_read_real (reader, at, "rolling", SS_NONNEGATIVE, scene->scene->default_rolling);
  contact.cohesion = ss_read_real (reader, at, "cohesion", SS_NONNEGATIVE, scene->scene->default_cohesion);
  contact.compliance = ss_read_compliance (scene, at, scene->scene->default_compliance);
  is_enabled = ss_read_boolean (reader, at, "enabled", true);
  if (!has_bodies)
    return;
  contact.body_a = bodies[0];
  contact.body_b = bodies[1];
  set_values (&contact, values);
  if (ss_at_member (reader, at, "name", &name_at)) {
    contact.name = ss_read_expanded_text (reader, at, "name", "");
    if (!json_is_string (name_at.value) || !ss_read_is_name (reader, &name_at, contact.name, true, "a contact"))
      return;
  } else {
    contact.name = NULL;
    name_made_contacts (scene, &contact, 1);
  }
  if (is_enabled)
    ss_scene_claim (scene, &name_at, "contact", contact.name);
  if (!ss_reader_reserve (reader, (void **)&list->contacts, &list->capacity, list->n + 1, sizeof *list->contacts) ||
      !ss_reader_reserve (reader, (void **)&list->is_enabled, &list->enabled_capacity, list->n + 1,
                          sizeof *list->is_enabled))
    return;
  list->is_enabled[list->n] = is_enabled;
  list->contacts[list->n++] = contact;
}

/* What is known of a pair of bodies in advance. */
enum { PAIR_PLAIN = 0, PAIR_JOINED = -1 }; /* else index + 1 of the entry that changes it */

static bool
has_dash (const SsSceneReader *scene, int body)
{
  return strchr (scene->bodies[body].name, '-') != NULL;
}

/* Reports names of made contacts that another contact or a joint has. Made names are in no table of names: without a
 * dash in the names of their bodies no two are the same. "a-b" with "c" and "a" with "b-c" are. */
static void
check_made_names (SsSceneReader *scene, const SsJsonAt *at, const SsContact *contacts, int n)
{
  for (int i = 0; i < scene->names.n_symbols; i++) {
    const SsSymbol *symbol = &scene->names.symbols[i];
    int other = ss_scene_find_contact_of_pair (scene, contacts, n, symbol->name, -1);

    if (other >= 0 && contacts[other].name != symbol->name)
      ss_scene_report_taken (scene, at, "contact", symbol->name, symbol->line);
  }
  for (int i = 0; i < n; i++)
    if ((has_dash (scene, contacts[i].body_a) || has_dash (scene, contacts[i].body_b)) &&
        ss_scene_find_contact_of_pair (scene, contacts, n, contacts[i].name, i) > i)
      ss_scene_report_taken (scene, at, "contact", contacts[i].name, ss_reader_line (scene->reader, at));
}

/* Every pair that can move, in the order of the indices, with the entries of the list in the places of their pairs. */
static void
make_all_contacts (SsSceneReader *scene, const SsJsonAt *at, ContactList *changes)
{
  SsReader *reader = scene->reader;
  SsContact *contacts = NULL;
  int n = 0, capacity = 0, n_bodies = scene->n_bodies;
  int *pairs = NULL; /* n_bodies x n_bodies, upper triangle; NULL: all plain */

  if (changes->n > 0 || scene->n_joints > 0) {
    pairs = ss_new_array (int, (size_t)n_bodies *(size_t)n_bodies);
    if (pairs == NULL) {
      reader->out_of_memory = true;
      return;
    }
  }
  for (int i = 0; i < scene->n_joints; i++) {
    int a = scene->joints[i].body_a, b = scene->joints[i].body_b;

    if (a >= 0 && !scene->joint_collides[i])
      pairs[(a < b ? a : b) * n_bodies + (a < b ? b : a)] = PAIR_JOINED;
  }
  for (int i = 0; i < changes->n; i++) {
    int a = changes->contacts[i].body_a, b = changes->contacts[i].body_b;
    int *pair = &pairs[(a < b ? a : b) * n_bodies + (a < b ? b : a)];

    if (*pair > 0)
      ss_reader_problem (reader, at, "each pair once", "the contact of '%s' and '%s' is changed twice",
                         scene->bodies[a].name, scene->bodies[b].name);
    *pair = i + 1;
  }
  for (int a = 0; a < n_bodies && !reader->out_of_memory; a++) {
    for (int b = a + 1; b < n_bodies; b++) {
      int pair = pairs != NULL ? pairs[a * n_bodies + b] : PAIR_PLAIN;
      double values[SS_MATERIAL_VALUES];

      if (pair == PAIR_JOINED || (pair > 0 && !changes->is_enabled[pair - 1]) ||
          (ss_body_is_immovable (&scene->bodies[a]) && ss_body_is_immovable (&scene->bodies[b])))
        continue;
      if (!ss_reader_reserve (reader, (void **)&contacts, &capacity, n + 1, sizeof *contacts))
        break;
      if (pair > 0) {
        contacts[n++] = changes->contacts[pair - 1];
        continue;
      }
      contacts[n] = (SsContact){.body_a = a,
                                .body_b = b,
                                .rolling = scene->scene->default_rolling,
                                .cohesion = scene->scene->default_cohesion,
                                .compliance = scene->scene->default_compliance};
      combine_materials (scene, a, b, values, contacts[n].from);
      set_values (&contacts[n++], values);
    }
  }
  name_made_contacts (scene, contacts, n);
  check_made_names (scene, at, contacts, n);
  ss_free (pairs);
  scene->scene->contacts = ss_reader_keep (reader, contacts, n, sizeof *contacts);
  scene->scene->n_contacts = scene->scene->contacts != NULL ? n : 0;
  scene->line_of_made_contacts = ss_reader_line (reader, at);
}

void
ss_read_contacts (SsSceneReader *scene, const SsJsonAt *scene_at)
{
  SS_ASSERT (scene != NULL);

  SsReader *reader = scene->reader;
  ContactList list = {.scene = scene};
  SsJsonAt at;
  int n = 0;

  scene->scene->default_compliance = ss_read_compliance (scene, scene_at, NULL);
  if (!ss_at_member (reader, scene_at, "contacts", &at)) {
    list.is_all = true;
    at = *scene_at;
  } else if (json_is_string (at.value) && strcmp (json_string_value (at.value), "all") == 0) {
    list.is_all = true;
  } else if (json_is_array (at.value)) {
    ss_read_items (reader, &at, read_contact, &list);
  } else {
    ss_reader_problem (reader, &at, "\"all\" or a list of contacts", "this is not a list of contacts");
    return;
  }
  if (list.is_all) {
    make_all_contacts (scene, &at, &list);
    ss_free (list.contacts);
  } else {
    for (int i = 0; i < list.n; i++)
      if (list.is_enabled[i])
        list.contacts[n++] = list.contacts[i];
    scene->scene->contacts = ss_reader_keep (reader, list.contacts, n, sizeof *list.contacts);
    scene->scene->n_contacts = n;
  }
  ss_free (list.is_enabled);
}
