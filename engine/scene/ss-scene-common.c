/* engine/scene/ss-scene-common.c: what the readers of all parts of a scene share: names and the bodies they mean,
 * lists, places at the start. */
#include "scene/ss-scene-private.h"

#include "geometry/ss-sweep.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

bool
ss_body_is_immovable (const SsBody *body)
{
  return body->is_fixed || (body->lock[0] && body->lock[1] && body->lock[2]);
}

bool
ss_body_is_joined (const SsScene *scene, int body)
{
  SS_ASSERT (scene != NULL && scene->n_bodies >= 0);
  for (int j = 0; j < scene->n_joints; j++)
    if (scene->joints[j].body_a == body || scene->joints[j].body_b == body)
      return true;
  return false;
}

/* ---- names and lists --------------------------------------------------------------------------------------------- */

const char *
ss_read_expanded_text (SsReader *reader, const SsJsonAt *object, const char *key, const char *fallback)
{
  SsJsonAt at;
  const char *text;

  if (!ss_at_member (reader, object, key, &at) || !json_is_string (at.value))
    return ss_read_text (reader, object, key, fallback);
  text = ss_reader_expand (reader, &at);
  return text != NULL ? ss_reader_strdup (reader, text) : fallback;
}

int
ss_scene_find_name (SsReader *reader, const SsJsonAt *at, const SsNames *names, const char *what)
{
  SS_ASSERT (at != NULL);
  enum { LISTED = 8 }; /* known names in the message */
  char expected[sizeof ((SsError *)NULL)->expected] = "one of";
  const char *text, *near = NULL;
  const SsSymbol *symbol;
  size_t used;

  if (!json_is_string (at->value)) {
    ss_reader_problem (reader, at, "a text in quotes", "the name of a %s is a text", what);
    return -1;
  }
  text = ss_reader_expand (reader, at);
  if (text == NULL)
    return -1;
  symbol = ss_names_find (names, text, strlen (text));
  if (symbol != NULL)
    return symbol->index;
  for (int i = 0; i < names->n_symbols && i < LISTED; i++) {
    used = strlen (expected);
    snprintf (expected + used, sizeof expected - used, "%s %s", i > 0 ? "," : "", names->symbols[i].name);
  }
  used = strlen (expected);
  if (names->n_symbols == 0)
    snprintf (expected, sizeof expected, "a scene with a %s", what);
  else if (names->n_symbols > LISTED)
    snprintf (expected + used, sizeof expected - used, ", ...");
  /* Once the list of problems is full nobody reads the answer. */
  if (reader->n_problems < SS_PROBLEMS_MAX)
    near = ss_names_nearest (names, text);
  if (near != NULL)
    ss_reader_problem (reader, at, expected, "unknown %s '%.64s'; did you mean '%s'?", what, text, near);
  else
    ss_reader_problem (reader, at, expected, "unknown %s '%.64s'", what, text);
  return -1;
}

int
ss_scene_find_body (SsSceneReader *scene, const SsJsonAt *at, bool world)
{
  SS_ASSERT (scene != NULL);

  const char *text;
  int body;

  if (scene->misses_bodies && json_is_string (at->value)) {
    text = ss_reader_expand (scene->reader, at);
    if (text != NULL && ss_names_find (&scene->body_names, text, strlen (text)) == NULL)
      return SS_NO_BODY;
  }
  if (world && json_is_string (at->value) && strcmp (json_string_value (at->value), "world") == 0 &&
      ss_names_find (&scene->body_names, "world", 5) == NULL)
    return SS_WORLD;
  body = ss_scene_find_name (scene->reader, at, &scene->body_names, "body");
  return body >= 0 ? body : SS_NO_BODY;
}

bool
ss_scene_read_two_bodies (SsSceneReader *scene, const SsJsonAt *at, const char *what, bool world, int bodies[2])
{
  SS_ASSERT (scene != NULL);

  SsReader *reader = scene->reader;
  SsJsonAt list_at, child;
  bool moves[2];

  if (!ss_read_member (reader, at, "bodies", "the names of two bodies", &list_at))
    return false;
  if (!json_is_array (list_at.value) || json_array_size (list_at.value) != 2) {
    ss_reader_problem (reader, &list_at, "the names of two bodies [\"a\", \"b\"]", "a %s has two bodies", what);
    return false;
  }
  for (bool more = ss_at_first (reader, &list_at, &child); more; more = ss_at_next (reader, &child))
    bodies[child.index] = ss_scene_find_body (scene, &child, world);
  if (bodies[0] == SS_NO_BODY || bodies[1] == SS_NO_BODY)
    return false;
  if (bodies[0] == bodies[1]) {
    ss_reader_problem (reader, &list_at, "two different bodies", "a body has no %s with itself", what);
    return false;
  }
  if (bodies[1] == SS_WORLD) {
    ss_reader_problem (reader, &list_at, "\"world\" first", "the world is the second body of the %s", what);
    return false;
  }
  for (int i = 0; i < 2; i++)
    moves[i] = bodies[i] != SS_WORLD && !ss_body_is_immovable (&scene->bodies[bodies[i]]);
  if (!moves[0] && !moves[1]) {
    ss_reader_problem (reader, &list_at, "at least one body that is not fixed", "both bodies are fixed");
    return false;
  }
  return true;
}

/* Order of the contacts that "all" makes: by the smaller and then by the larger index of their bodies. */
static int
compare_pairs (const void *key, const void *item)
{
  const int *pair = key;
  const SsContact *contact = item;
  const int low = contact->body_a < contact->body_b ? contact->body_a : contact->body_b;
  const int high = contact->body_a < contact->body_b ? contact->body_b : contact->body_a;

  return pair[0] != low ? (pair[0] < low ? -1 : 1) : (pair[1] > high) - (pair[1] < high);
}

int
ss_scene_find_contact_of_pair (const SsSceneReader *scene, const SsContact *contacts, int n, const char *name, int but)
{
  for (const char *dash = strchr (name, '-'); dash != NULL; dash = strchr (dash + 1, '-')) {
    const SsSymbol *a = ss_names_find (&scene->body_names, name, (size_t)(dash - name));
    const SsSymbol *b = ss_names_find (&scene->body_names, dash + 1, strlen (dash + 1));
    const SsContact *contact = NULL;

    if (a != NULL && b != NULL && n > 0) {
      const int pair[2] = {a->index < b->index ? a->index : b->index, a->index < b->index ? b->index : a->index};

      contact = bsearch (pair, contacts, (size_t)n, sizeof *contacts, compare_pairs);
    }
    if (contact != NULL && contact - contacts != but && strcmp (contact->name, name) == 0)
      return (int)(contact - contacts);
  }
  return -1;
}

void
ss_scene_report_taken (SsSceneReader *scene, const SsJsonAt *at, const char *what, const char *name, int line)
{
  SS_ASSERT (scene != NULL);
  ss_reader_problem (scene->reader, at, "a name that is not taken", "the %s name '%s' is used twice (first on line %d)",
                     what, name, line);
}

void
ss_scene_claim (SsSceneReader *scene, const SsJsonAt *at, const char *what, const char *name)
{
  SS_ASSERT (scene != NULL);

  SsReader *reader = scene->reader;
  const SsScene *made = scene->scene;
  const SsSymbol *other = ss_names_find (&scene->names, name, strlen (name));

  if (other != NULL)
    ss_scene_report_taken (scene, at, what, name, other->line);
  else if (scene->line_of_made_contacts > 0 &&
           ss_scene_find_contact_of_pair (scene, made->contacts, made->n_contacts, name, -1) >= 0)
    ss_scene_report_taken (scene, at, what, name, scene->line_of_made_contacts);
  else if (!ss_names_add (&scene->names, name, SS_SYMBOL_CHANNEL, 0, ss_reader_line (reader, at)))
    reader->out_of_memory = true;
}

const char *
ss_scene_read_name (SsSceneReader *scene, const SsJsonAt *at, const char *what)
{
  SS_ASSERT (scene != NULL);

  SsReader *reader = scene->reader;
  SsJsonAt name_at = *at;
  const char *name;
  char made[SS_NAME_MAX], article[SS_NAME_MAX];
  int number = ++scene->n_read;

  if (ss_at_member (reader, at, "name", &name_at)) {
    name = ss_read_expanded_text (reader, at, "name", "");
    snprintf (article, sizeof article, "%s %s", strchr ("aeiou", what[0]) != NULL ? "an" : "a", what);
    if (!json_is_string (name_at.value) || !ss_read_is_name (reader, &name_at, name, true, article))
      return "";
  } else {
    snprintf (made, sizeof made, "%s%d", what, number);
    name = ss_reader_strdup (reader, made);
  }
  ss_scene_claim (scene, &name_at, what, name);
  return name;
}

void
ss_scene_read_list (SsSceneReader *scene, const SsJsonAt *scene_at, const char *key, SsItemFunc item)
{
  SS_ASSERT (scene != NULL);

  SsJsonAt at;

  scene->n_read = 0;
  if (ss_at_member (scene->reader, scene_at, key, &at))
    ss_read_items (scene->reader, &at, item, scene);
}

/* ---- frames ------------------------------------------------------------------------------------------------------ */

SsVec2
ss_scene_to_world (const SsSceneReader *scene, int body, SsVec2 point)
{
  const SsBody *b;
  SsVec2 turned;

  if (body < 0)
    return point;
  b = &scene->bodies[body];
  turned = ss_vec2_turned (point, b->q[2]);
  return (SsVec2){b->q[0] + turned.x, b->q[1] + turned.y};
}

/* 0 where the two are one number but for the rounding of formulas: a pin at a body's centre has no arm, which 1e-17 m
 * would be, for a body that is locked there. */
static double
distance (double a, double b)
{
  return fabs (a - b) <= 4 * DBL_EPSILON * fmax (fabs (a), fabs (b)) ? 0 : a - b;
}

SsVec2
ss_scene_to_body (const SsSceneReader *scene, int body, SsVec2 point)
{
  const SsBody *b;

  if (body < 0)
    return point;
  b = &scene->bodies[body];
  return ss_vec2_turned ((SsVec2){distance (point.x, b->q[0]), distance (point.y, b->q[1])}, -b->q[2]);
}

/* ---- shapes of a body -------------------------------------------------------------------------------------------- */

int
ss_body_n_shapes (const SsBody *body)
{
  return body->n_shapes > 0 ? body->n_shapes : 1;
}

const SsShape *
ss_body_shape (const SsBody *body, int i)
{
  return body->n_shapes > 0 ? &body->shapes[i] : &body->shape;
}

double
ss_body_radius (const SsBody *body)
{
  double radius = 0;
  for (int i = 0; i < ss_body_n_shapes (body); i++)
    radius = fmax (radius, ss_shape_radius (ss_body_shape (body, i)));
  return radius;
}

double
ss_body_turning_radius (const SsBody *body)
{
  double radius = 0;
  for (int i = 0; i < ss_body_n_shapes (body); i++)
    radius = fmax (radius, ss_shape_turning_radius (ss_body_shape (body, i)));
  return radius;
}

double
ss_body_size (const SsBody *body)
{
  const double radius = ss_body_radius (body);
  return isfinite (radius) && radius > 0 ? 2 * radius : 1;
}

bool
ss_scene_add_joint (SsSceneReader *scene, const SsJoint *joint, bool collides)
{
  SS_ASSERT (scene != NULL);

  SsReader *reader = scene->reader;

  if (!ss_reader_reserve (reader, (void **)&scene->joints, &scene->joint_capacity, scene->n_joints + 1,
                          sizeof *scene->joints) ||
      !ss_reader_reserve (reader, (void **)&scene->joint_collides, &scene->collide_capacity, scene->n_joints + 1,
                          sizeof *scene->joint_collides))
    return false;
  scene->joint_collides[scene->n_joints] = collides;
  scene->joints[scene->n_joints++] = *joint;
  return true;
}
