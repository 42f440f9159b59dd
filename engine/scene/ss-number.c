/* engine/scene/ss-number.c: see the header. A number has a place in the JSON tree: an object or array that holds it. */
#include "scene/ss-number.h"

#include "core/ss-channel-word.h"
#include "core/ss-core.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sections of a scene whose items have names. */
static const char *const sections[] = {"bodies",    "contacts", "joints",      "springs",
                                       "actuators", "forces",   "constraints", "materials"};
enum { N_SECTIONS = sizeof sections / sizeof *sections, OWNER_MAX = 128 };

/* Where the file has a body's coordinates: its field, and the element of it (-1: a number). */
static const struct {
  const char *field;
  int element;
} starts[SS_BODY_CHANNELS] = {{"position", 0}, {"position", 1}, {"angle", -1},
                              {"velocity", 0}, {"velocity", 1}, {"angular_velocity", -1}};

typedef struct {
  json_t *holder; /* borrowed */
  const char *field;
  int element; /* of the array that the field is; -1: the field is the number */
} Place;

/* ---- finding ----------------------------------------------------------------------------------------------------- */

static SsStatus
fail_unknown (const SsScenario *scenario, const char *name, SsError *err)
{
  const char **names = ss_new_array (const char *, scenario->n_parameters + 1);
  const char *near = NULL;

  if (names == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  for (int i = 0; i < scenario->n_parameters; i++)
    names[i] = scenario->parameters[i].name;
  near = ss_nearest_name (name, names, scenario->n_parameters);
  ss_free (names);
  if (near != NULL)
    return ss_error_set (err, SS_ERR_INVALID, "the scenario has no number '%.80s'; did you mean '%s'?", name, near);
  return ss_error_set (err, SS_ERR_INVALID,
                       "the scenario has no number '%.80s' (expected a parameter, BODY.x .y .theta .vx .vy .omega, "
                       "BODY.mass, gravity.y, scene.friction, or NAME.FIELD of the file)",
                       name);
}

/* Whether a contact that the file leaves without a name is called so: "<a>-<b>". */
static bool
is_made_name (const json_t *item, const char *owner)
{
  const json_t *bodies = json_object_get (item, "bodies");
  const char *a = json_string_value (json_array_get (bodies, 0)), *b = json_string_value (json_array_get (bodies, 1));
  const size_t length = a != NULL ? strlen (a) : 0;

  return a != NULL && b != NULL && strncmp (owner, a, length) == 0 && owner[length] == '-' &&
         strcmp (owner + length + 1, b) == 0;
}

/* The item of that name in the scene's sections; NULL: none. */
static json_t *
find_item (json_t *scene, const char *owner)
{
  for (int s = 0; s < N_SECTIONS; s++) {
    json_t *list = json_object_get (scene, sections[s]), *item;
    size_t i;
    json_array_foreach (list, i, item)
    {
      const char *name = json_string_value (json_object_get (item, "name"));
      if (name != NULL ? strcmp (name, owner) == 0 : is_made_name (item, owner))
        return item;
    }
  }
  return NULL;
}

static int
find_coordinate (const char *field)
{
  for (int c = 0; c < SS_BODY_CHANNELS; c++)
    if (strcmp (ss_body_channels[c], field) == 0 || (starts[c].element < 0 && strcmp (starts[c].field, field) == 0))
      return c;
  return -1;
}

/* By its name, or that with its two sides exchanged. */
static const SsContact *
find_contact (const SsScene *scene, const char *owner, bool is_exchanged)
{
  int i = is_exchanged ? 0 : ss_scene_find (scene, SS_OWNER_CONTACT, owner);
  while (is_exchanged && i < scene->n_contacts &&
         !ss_contact_is_exchanged (scene->contacts[i].name, owner, strlen (owner)))
    i++;
  return i >= 0 && i < scene->n_contacts ? &scene->contacts[i] : NULL;
}

/* The limits of a field by its name. */
static void
set_limits (const char *field, SsNumber *number)
{
  static const struct {
    const char *field;
    double upper;
  } positive[] = {{"friction", INFINITY}, {"restitution", 1},     {"stiffness", INFINITY}, {"damping", INFINITY},
                  {"rolling", INFINITY},  {"cohesion", INFINITY}, {"length", INFINITY},    {"density", INFINITY},
                  {"mass", INFINITY},     {"inertia", INFINITY}};

  for (size_t i = 0; i < sizeof positive / sizeof *positive; i++)
    if (strcmp (positive[i].field, field) == 0) {
      number->lower = 0;
      number->upper = positive[i].upper;
    }
}

/* Of a body: its start, or what it weighs. *is_known: false where the field is neither. */
static SsStatus
find_of_body (const SsScenario *scenario, json_t *item, int body, Place *place, SsNumber *number, bool *is_known,
              SsError *err)
{
  const SsBody *b = &scenario->scene->bodies[body];
  const int coordinate = find_coordinate (place->field);
  const bool is_mass = strcmp (place->field, "mass") == 0, is_inertia = strcmp (place->field, "inertia") == 0;

  *is_known = coordinate >= 0 || is_mass || is_inertia;
  if (!*is_known)
    return SS_OK;
  if (item == NULL)
    return ss_error_set (err, SS_ERR_INVALID, "'%s' is one of a family: the file has no place for its %s", b->name,
                         place->field);
  if (coordinate >= 0) {
    number->body = body;
    number->coordinate = coordinate;
    number->value = coordinate < 3 ? b->q[coordinate] : b->v[coordinate - 3];
    place->field = starts[coordinate].field;
    place->element = starts[coordinate].element;
    const json_t *value = json_object_get (item, place->field);
    number->is_by_formula =
        json_is_string (place->element >= 0 ? json_array_get (value, (size_t)place->element) : value);
    return SS_OK;
  }
  if (json_object_get (item, "density") != NULL)
    return ss_error_set (err, SS_ERR_INVALID, "'%s' has a density, which says its %s: free %s.density", b->name,
                         place->field, b->name);
  if (is_inertia && json_is_true (json_object_get (item, "uniform")))
    return ss_error_set (err, SS_ERR_INVALID, "'%s' has a uniform mass, which says its inertia: free %s.mass", b->name,
                         b->name);
  number->is_mass = true;
  number->value = is_mass ? b->mass : b->inertia;
  return SS_OK;
}

/* What holds of a contact, or (contact NULL) of the scene, where the file says nothing of it. */
static bool
find_default (const SsScene *scene, const SsContact *contact, const char *field, double *value)
{
  for (int i = 0; i < SS_MATERIAL_VALUES; i++)
    if (strcmp (ss_material_value_names[i], field) == 0) {
      const double own[SS_MATERIAL_VALUES] = {
          [SS_MATERIAL_FRICTION] = contact != NULL ? contact->mu : 0,
          [SS_MATERIAL_RESTITUTION] = contact != NULL ? contact->restitution : 0,
          [SS_MATERIAL_STIFFNESS] = contact != NULL ? contact->stiffness : 0,
          [SS_MATERIAL_DAMPING] = contact != NULL ? contact->damping : 0,
      };
      *value = contact != NULL ? own[i] : scene->own_values[i];
      return true;
    }
  if (strcmp (field, "rolling") == 0)
    *value = contact != NULL ? contact->rolling : scene->default_rolling;
  else if (strcmp (field, "cohesion") == 0)
    *value = contact != NULL ? contact->cohesion : scene->default_cohesion;
  else
    return false;
  return true;
}

/* Any other field: a plain number, of the file, or one that the file may leave out (find_default). */
static SsStatus
find_field (const Place *place, const char *name, bool has_default, SsNumber *number, SsError *err)
{
  const json_t *value = json_object_get (place->holder, place->field);

  if (place->element >= 0)
    value = json_array_get (value, (size_t)place->element);
  if (json_is_string (value))
    return ss_error_set (err, SS_ERR_INVALID, "'%s' is the formula '%s': name its parameter", name,
                         json_string_value (value));
  if (value == NULL && has_default) {
    number->is_default = true;
    return SS_OK;
  }
  if (!json_is_number (value))
    return ss_error_set (err, SS_ERR_INVALID, "the file gives no number '%s'", name);
  number->value = json_number_value (value);
  return SS_OK;
}

static SsStatus
find_parameter (const SsScenario *scenario, json_t *root, int index, Place *place, SsNumber *number)
{
  const SsParameter *parameter = &scenario->parameters[index];
  json_t *section = json_object_get (root, "parameters"), *value = json_object_get (section, parameter->name);

  number->parameter = index;
  number->value = parameter->value;
  number->lower = parameter->minimum;
  number->upper = parameter->maximum;
  *place = json_is_object (value) ? (Place){value, "value", -1} : (Place){section, parameter->name, -1};
  return SS_OK;
}

static SsStatus
find (const SsScenario *scenario, json_t *root, const char *name, Place *place, SsNumber *number, SsError *err)
{
  const char *dot = strrchr (name, '.');
  const int parameter = ss_scenario_parameter (scenario, name);
  char owner[OWNER_MAX];
  bool is_known = false;

  *number = (SsNumber){.lower = -INFINITY, .upper = INFINITY, .parameter = -1, .body = -1, .coordinate = -1};
  if (parameter >= 0)
    return find_parameter (scenario, root, parameter, place, number);
  if (dot == NULL || scenario->scene == NULL || dot == name || (size_t)(dot - name) >= sizeof owner)
    return fail_unknown (scenario, name, err);
  snprintf (owner, sizeof owner, "%.*s", (int)(dot - name), name);
  json_t *scene = json_object_get (root, "scene"), *item = find_item (scene, owner);
  const int body = ss_scene_find (scenario->scene, SS_OWNER_BODY, owner);
  const SsContact *contact = find_contact (scenario->scene, owner, false);
  if (item == NULL && body < 0 && contact == NULL) {
    contact = find_contact (scenario->scene, owner, true);
    item = contact != NULL ? find_item (scene, contact->name) : NULL;
  }
  *place = (Place){item, dot + 1, -1};
  set_limits (place->field, number);
  if (body >= 0) {
    const SsStatus status = find_of_body (scenario, item, body, place, number, &is_known, err);
    if (status != SS_OK || is_known)
      return status;
  }
  if (strcmp (owner, "gravity") == 0 && (strcmp (dot, ".x") == 0 || strcmp (dot, ".y") == 0))
    *place = (Place){scene, "gravity", dot[1] - 'x'};
  else if (strcmp (owner, "scene") == 0)
    place->holder = scene;
  else if (item == NULL && contact == NULL)
    return fail_unknown (scenario, name, err);
  else if (item == NULL)
    return ss_error_set (
        err, SS_ERR_INVALID,
        "the file has no place for '%s': contacts 'all' and families make that contact; change scene.%s "
        "or a material, or list the contact",
        name, place->field);
  const bool has_default = (place->holder == scene || contact != NULL) && place->element < 0 &&
                           find_default (scenario->scene, contact, place->field, &number->value);
  return find_field (place, name, has_default, number, err);
}

/* ---- changing ---------------------------------------------------------------------------------------------------- */

static bool
put (const Place *place, double value)
{
  if (place->element < 0)
    return json_object_set_new (place->holder, place->field, json_real (value)) == 0;
  json_t *pair = json_object_get (place->holder, place->field);
  if (pair == NULL) {
    pair = json_pack ("[f, f]", 0.0, 0.0);
    if (json_object_set_new (place->holder, place->field, pair) != 0)
      return false;
  }
  return json_array_set_new (pair, (size_t)place->element, json_real (value)) == 0;
}

/* Starts of bodies whose mass lies beside their frame's origin: the file says where the frame is. All of a start at
 * once, since the angle moves the frame. */
static bool
put_frames (const SsScenario *scenario, json_t *scene, const double *q)
{
  for (int b = 0; b < scenario->scene->n_bodies; b++) {
    const SsBody *body = &scenario->scene->bodies[b];
    const double *now = &q[3 * b], c = cos (now[2]), s = sin (now[2]);
    json_t *item = find_item (scene, body->name);
    if ((body->origin.x == 0 && body->origin.y == 0) || item == NULL || memcmp (now, body->q, sizeof body->q) == 0)
      continue;
    const double x = now[0] + c * body->origin.x - s * body->origin.y;
    const double y = now[1] + s * body->origin.x + c * body->origin.y;
    if (!put (&(Place){item, "position", 0}, x) || !put (&(Place){item, "position", 1}, y))
      return false;
  }
  return true;
}

static SsStatus
change (const SsScenario *scenario, json_t *root, const SsOverride *numbers, int n_numbers, double *q, SsError *err)
{
  SsNumber number;
  Place place;

  for (int i = 0; i < scenario->n_parameters; i++)
    if (scenario->parameters[i].is_overridden) {
      SsStatus status = find_parameter (scenario, root, i, &place, &number);
      if (status != SS_OK || !put (&place, number.value))
        return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
    }
  for (int i = 0; i < n_numbers; i++) {
    SsStatus status = find (scenario, root, numbers[i].name, &place, &number, err);
    if (status != SS_OK)
      return status;
    if (!isfinite (numbers[i].value))
      return ss_error_set (err, SS_ERR_INVALID, "'%s' is to be a finite number", numbers[i].name);
    if (!put (&place, numbers[i].value))
      return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
    if (number.body >= 0 && number.coordinate < 3)
      q[3 * number.body + number.coordinate] = numbers[i].value;
  }
  if (scenario->scene != NULL && !put_frames (scenario, json_object_get (root, "scene"), q))
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  return SS_OK;
}

static json_t *
parse (const SsScenario *scenario, SsError *err)
{
  static const char mark[] = "\xef\xbb\xbf";
  const size_t skip = strncmp (scenario->text, mark, 3) == 0 ? 3 : 0;
  json_t *root = json_loadb (scenario->text + skip, scenario->text_length - skip, 0, NULL);

  if (root == NULL) /* it was read before */
    ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  return root;
}

SsStatus
ss_scenario_number (const SsScenario *scenario, const char *name, SsNumber *number, SsError *err)
{
  SS_ASSERT (scenario != NULL && name != NULL && number != NULL);
  json_t *root = parse (scenario, err);
  Place place;

  if (root == NULL)
    return SS_ERR_MEMORY;
  const SsStatus status = find (scenario, root, name, &place, number, err);
  json_decref (root);
  return status;
}

SsStatus
ss_scenario_with_numbers (const SsScenario *scenario, const SsOverride *numbers, int n_numbers, char **text,
                          SsError *err)
{
  SS_ASSERT (scenario != NULL && text != NULL && (n_numbers == 0 || numbers != NULL));
  const int n_bodies = scenario->scene != NULL ? scenario->scene->n_bodies : 0;
  double *q = ss_new_array (double, 3 * n_bodies + 1);
  json_t *root = parse (scenario, err);
  SsStatus status = q != NULL ? SS_ERR_MEMORY : ss_error_set (err, SS_ERR_MEMORY, "out of memory");

  *text = NULL;
  if (root != NULL && q != NULL) {
    for (int b = 0; b < n_bodies; b++)
      memcpy (&q[3 * b], scenario->scene->bodies[b].q, 3 * sizeof *q);
    status = change (scenario, root, numbers, n_numbers, q, err);
  }
  char *dumped = status == SS_OK ? json_dumps (root, JSON_INDENT (2) | JSON_REAL_PRECISION (17)) : NULL;
  if (status == SS_OK && (dumped == NULL || (*text = ss_strdup (dumped)) == NULL))
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  free (dumped); /* Jansson's */
  json_decref (root);
  ss_free (q);
  return status;
}
