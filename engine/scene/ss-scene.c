/* engine/scene/ss-scene.c: reads the `scene` section: gravity, bodies with shapes, mass and locks. Its other parts:
 * ss-shape-read.c, ss-joint-read.c, ss-contact-read.c, ss-actuator-read.c; what these share: ss-scene-common.c.
 *
 * Frames: what the file says of a body (position, shapes, anchors) is in the file's frame of that body. With a mass,
 * that frame's origin is the centre of mass by definition. With a density the centre follows from the shapes;
 * everything is then moved into the frame of the centre, and the file's origin is kept as SsBody.origin.
 */
#include "scene/ss-scene-private.h"

#include <math.h>
#include <string.h>

/* [m/s2] when the file gives no gravity. */
#define STANDARD_GRAVITY (-9.81)

SsStatus
ss_scene_check_inertia (const SsScene *scene, SsError *err)
{
  SS_ASSERT (scene != NULL);

  for (int i = 0; i < scene->n_bodies; i++)
    if (!scene->bodies[i].is_fixed && !scene->bodies[i].lock[2] && scene->bodies[i].inertia == 0)
      return ss_error_set (err, SS_ERR_INVALID, "'%s' has no inertia: only impact laws take a body that turns freely",
                           scene->bodies[i].name);
  return SS_OK;
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

/* `shape`, or the list `shapes`. False after reporting. */
static bool
read_shapes (SsReader *reader, const SsJsonAt *body_at, SsBody *body)
{
  SsJsonAt at, child;
  SsShape *shapes;
  size_t n;
  bool good = true;

  if (ss_at_member (reader, body_at, "shapes", &at)) {
    if (ss_at_member (reader, body_at, "shape", &child)) {
      ss_reader_problem (reader, body_at, "either 'shape' or 'shapes'", "the body has both 'shape' and 'shapes'");
      return false;
    }
    if (!ss_read_is_array (reader, &at))
      return false;
    n = json_array_size (at.value);
    if (n < 1 || n > SS_SHAPES_MAX) {
      ss_reader_problem (reader, &at, "1 to 64 shapes", "the body has %zu shapes", n);
      return false;
    }
  } else {
    n = 1;
    if (!ss_read_member (reader, body_at, "shape", "an object with 'type'", &at))
      return false;
  }
  shapes = ss_reader_alloc (reader, n, sizeof *shapes);
  if (shapes == NULL)
    return false;
  if (json_is_array (at.value)) {
    for (bool more = ss_at_first (reader, &at, &child); more; more = ss_at_next (reader, &child))
      good = ss_read_shape (reader, &child, body->is_fixed, &shapes[child.index]) && good;
  } else {
    good = ss_read_shape (reader, &at, body->is_fixed, shapes);
  }
  body->shapes = shapes;
  body->n_shapes = (int)n;
  return good;
}

/* Mass, centre and inertia of matter that fills the shapes evenly, by its density or its mass (`given`); the shapes
 * move into the frame of the centre. */
static void
fill_evenly (SsReader *reader, const SsJsonAt *at, const char *given, bool has_shapes, SsBody *body)
{
  SsJsonAt member;
  SsMatter matter;
  const bool is_density = strcmp (given, "density") == 0;
  double density = ss_read_real (reader, at, given, SS_POSITIVE, NAN);

  for (int i = is_density ? 0 : 1; i < 2; i++) {
    const char *key = i == 0 ? "mass" : "inertia";

    if (!ss_at_member (reader, at, key, &member))
      continue;
    if (is_density)
      ss_reader_problem (reader, &member, "'density', or 'mass' and 'inertia'", "the density says what the %s is", key);
    else
      ss_reader_problem (reader, &member, "'uniform', or 'inertia'", "a uniform mass says what the inertia is");
  }
  if (!has_shapes || !(density > 0))
    return;
  matter = ss_shapes_matter (body->shapes, body->n_shapes);
  if (is_density && !matter.is_area) {
    ss_reader_problem (reader, at, "a mass, or a shape with an area", "a density needs an area; a segment has none");
    return;
  }
  if (!is_density)
    density /= matter.measure;
  body->mass = density * matter.measure;
  body->inertia = density * matter.second_about_centroid;
  if (!(body->mass > 0) || !(body->inertia > 0) || !isfinite (body->mass) || !isfinite (body->inertia)) {
    ss_reader_problem (reader, at, "a density and shapes of moderate size",
                       "the body's mass or inertia is no positive number");
    return;
  }
  body->origin = (SsVec2){-matter.centroid.x, -matter.centroid.y};
  for (int i = 0; i < body->n_shapes; i++)
    ss_shape_shift ((SsShape *)&body->shapes[i], body->origin); /* read a moment ago, shared with nobody */
}

/* Mass and inertia of a body that is not fixed. */
static void
read_mass (SsReader *reader, const SsJsonAt *at, bool has_shapes, SsBody *body)
{
  SsJsonAt member;
  SsMatter matter;
  int before = reader->n_problems;

  const bool is_uniform = ss_read_boolean (reader, at, "uniform", false);
  if (ss_at_member (reader, at, "density", &member)) {
    fill_evenly (reader, at, "density", has_shapes, body);
    return;
  }
  if (is_uniform) {
    if (!has_shapes && reader->n_problems == before)
      ss_reader_problem (reader, at, "a shape", "a uniform mass needs a shape to fill");
    fill_evenly (reader, at, "mass", has_shapes, body);
    return;
  }
  if (ss_body_is_immovable (body) && !ss_at_member (reader, at, "mass", &member)) {
    body->mass = body->inertia = 1; /* it answers to nothing */
    return;
  }
  body->mass = ss_read_real (reader, at, "mass", SS_POSITIVE, NAN);
  if (ss_at_member (reader, at, "inertia", &member)) {
    ss_read_number (reader, &member, SS_NONNEGATIVE, &body->inertia);
  } else if (has_shapes && reader->n_problems == before) {
    matter = ss_shapes_matter (body->shapes, body->n_shapes);
    body->inertia = body->mass * (matter.second_about_origin / matter.measure);
    if (!(body->inertia > 0) || !isfinite (body->inertia))
      ss_reader_problem (reader, at, "the field 'inertia' [kg m2], above 0",
                         "the uniform body's inertia is no positive number");
  }
}

/* A body name stands in channel names and in contact names. */
static void
check_body_name (SsSceneReader *scene, const SsJsonAt *at, const char *name)
{
  SsReader *reader = scene->reader;
  const SsSymbol *other;

  if (!ss_read_is_name (reader, at, name, true, "a body"))
    return;
  other = ss_names_find (&scene->body_names, name, strlen (name));
  if (other != NULL)
    ss_reader_problem (reader, at, "a name that is not taken", "the body name '%s' is used twice (first at index %d)",
                       name, other->index);
  else if (!ss_names_add (&scene->body_names, name, SS_SYMBOL_CHANNEL, scene->n_bodies, ss_reader_line (reader, at)))
    reader->out_of_memory = true;
}

static void
read_lock (SsReader *reader, const SsJsonAt *body_at, SsBody *body)
{
  static const char *const names[] = {"x", "y", "theta"};
  SsJsonAt at, child;

  if (!ss_at_member (reader, body_at, "lock", &at) || !ss_read_is_array (reader, &at))
    return;
  for (bool more = ss_at_first (reader, &at, &child); more; more = ss_at_next (reader, &child)) {
    int which = ss_read_choice (reader, &child, names, 3, "coordinate");

    if (which >= 0)
      body->lock[which] = true;
  }
}

static void
read_motion (SsReader *reader, const SsJsonAt *at, SsBody *body)
{
  SsJsonAt member;
  SsVec2 pair, origin;

  if (ss_at_member (reader, at, "position", &member) && ss_read_pair (reader, &member, &pair)) {
    body->q[0] = pair.x;
    body->q[1] = pair.y;
  }
  body->q[2] = ss_read_real (reader, at, "angle", SS_ANY_NUMBER, 0);
  if (body->origin.x != 0 || body->origin.y != 0) {
    origin = ss_vec2_turned (body->origin, body->q[2]);
    body->q[0] -= origin.x;
    body->q[1] -= origin.y;
  }
  if (ss_at_member (reader, at, "velocity", &member) && ss_read_pair (reader, &member, &pair)) {
    body->v[0] = pair.x;
    body->v[1] = pair.y;
  }
  body->v[2] = ss_read_real (reader, at, "angular_velocity", SS_ANY_NUMBER, 0);
  if (body->is_fixed && (body->v[0] != 0 || body->v[1] != 0 || body->v[2] != 0))
    ss_reader_problem (reader, at, "no velocity, or \"lock\" instead of \"fixed\" for a steady motion",
                       "a fixed body does not move");
}

static void
read_body (SsReader *reader, const SsJsonAt *at, void *user_data)
{
  static const char *const colors[] = {"blue", "yellow", "brown", "green"};
  SsSceneReader *scene = user_data;
  SsBody body = {.name = "", .color = "", .item = reader->n_bindings > 0 ? -1 : at->index};
  SsJsonAt member;
  int material = -1;
  int before = reader->n_problems;
  bool has_shapes;

  if (scene->n_bodies >= SS_BODIES_MAX) {
    if (!reader->is_too_large)
      ss_reader_problem (reader, at, "at most 2000 bodies", "the scene has too many bodies");
    reader->is_too_large = true;
    return;
  }
  if (ss_read_is_object (reader, at)) {
    if (ss_read_member (reader, at, "name", "a text in quotes", &member)) {
      body.name = ss_read_expanded_text (reader, at, "name", "");
      if (json_is_string (member.value))
        check_body_name (scene, &member, body.name);
    }
    body.is_fixed = ss_read_boolean (reader, at, "fixed", false);
    read_lock (reader, at, &body);
    has_shapes = read_shapes (reader, at, &body);
    if (!body.is_fixed)
      read_mass (reader, at, has_shapes, &body);
    if (body.n_shapes > 0)
      body.shape = body.shapes[0];
    ss_read_body_points (reader, at, &body);
    read_motion (reader, at, &body);
    if (ss_at_member (reader, at, "material", &member))
      material = ss_scene_find_name (reader, &member, &scene->material_names, "material");
    if (ss_at_member (reader, at, "color", &member) &&
        !(json_is_string (member.value) && json_string_length (member.value) == 0) &&
        ss_read_choice (reader, &member, colors, 4, "colour") >= 0)
      body.color = ss_read_text (reader, at, "color", "");
  }
  scene->misses_bodies = scene->misses_bodies || (reader->n_bindings > 0 && reader->n_problems > before);
  if (!ss_reader_reserve (reader, (void **)&scene->bodies, &scene->body_capacity, scene->n_bodies + 1,
                          sizeof *scene->bodies) ||
      !ss_reader_reserve (reader, (void **)&scene->material_of_body, &scene->material_capacity, scene->n_bodies + 1,
                          sizeof *scene->material_of_body))
    return;
  scene->material_of_body[scene->n_bodies] = material;
  scene->bodies[scene->n_bodies++] = body;
}

static void
read_bodies (SsSceneReader *scene, const SsJsonAt *scene_at)
{
  SsReader *reader = scene->reader;
  SsJsonAt at;

  if (!ss_read_member (reader, scene_at, "bodies", "a list of bodies", &at) || !ss_read_is_array (reader, &at))
    return;
  ss_read_items (reader, &at, read_body, scene); /* none at all is an empty sketch */
}

/* ---- the scene --------------------------------------------------------------------------------------------------- */

/* Moves the lists into the scenario. */
static void
keep_lists (SsSceneReader *s)
{
  SsReader *reader = s->reader;
  SsScene *scene = s->scene;
  double *values = ss_reader_alloc (reader, (size_t)reader->scenario->n_parameters, sizeof *values);

  scene->bodies = ss_reader_keep (reader, s->bodies, s->n_bodies, sizeof *s->bodies);
  if (scene->n_materials > 0) {
    scene->material_of_body = ss_reader_keep (reader, s->material_of_body, s->n_bodies, sizeof *s->material_of_body);
    s->material_of_body = NULL;
  }
  scene->joints = ss_reader_keep (reader, s->joints, s->n_joints, sizeof *s->joints);
  scene->springs = ss_reader_keep (reader, s->springs, s->n_springs, sizeof *s->springs);
  scene->actuators = ss_reader_keep (reader, s->actuators, s->n_actuators, sizeof *s->actuators);
  scene->forces = ss_reader_keep (reader, s->forces, s->n_forces, sizeof *s->forces);
  scene->n_bodies = s->n_bodies;
  scene->n_joints = s->n_joints;
  scene->n_springs = s->n_springs;
  scene->n_actuators = s->n_actuators;
  scene->n_forces = s->n_forces;
  scene->measures = ss_reader_keep (reader, s->measures, s->n_measures, sizeof *s->measures);
  scene->n_measures = s->n_measures;
  scene->notes = ss_reader_keep (reader, s->notes, s->n_notes, sizeof *s->notes);
  scene->n_notes = s->n_notes;
  for (int i = 0; values != NULL && i < reader->scenario->n_parameters; i++)
    values[i] = reader->parameters[i].value;
  scene->parameter_values = values;
}

static void
clear_scene_reader (SsSceneReader *s)
{
  ss_free (s->material_of_body);
  ss_free (s->joint_collides);
  ss_free (s->pairs);
  ss_names_clear (&s->body_names);
  ss_names_clear (&s->names);
  ss_names_clear (&s->material_names);
}

void
ss_read_scene (SsReader *reader, const SsJsonAt *at)
{
  SsSceneReader s = {.reader = reader};
  SsJsonAt member;
  int before = reader->n_problems;

  if (!ss_read_is_object (reader, at))
    return;
  s.scene = ss_reader_alloc (reader, 1, sizeof *s.scene);
  if (s.scene == NULL)
    return;
  reader->scenario->scene = s.scene; /* formulas of the parts ask it for slots */
  s.scene->gravity = (SsVec2){0, STANDARD_GRAVITY};
  if (ss_at_member (reader, at, "gravity", &member))
    ss_read_pair (reader, &member, &s.scene->gravity);
  ss_read_materials (&s, at);
  read_bodies (&s, at);
  s.scene->slot_parameters = SS_BODY_CHANNELS * s.n_bodies;
  s.scene->slot_t = s.scene->slot_parameters + reader->scenario->n_parameters;
  s.scene->slot_controls = s.scene->slot_t + 1;
  s.scene->n_slots = s.scene->slot_controls;
  if (s.n_bodies > 0 && !reader->out_of_memory) {
    ss_read_joints (&s, at);
    ss_read_constraints (&s, at);
    ss_read_contacts (&s, at);
    ss_read_actuators (&s, at);
  }
  if (!reader->out_of_memory)
    ss_read_sheet (&s, at);
  s.scene->n_slots += s.n_actuators;
  reader->scene_has_problems = reader->n_problems > before;
  keep_lists (&s);
  clear_scene_reader (&s);
}

void
ss_scene_put_parameters (const SsScene *scene, double *inputs)
{
  SS_ASSERT (scene != NULL && inputs != NULL);

  if (scene->parameter_values != NULL)
    memcpy (inputs + scene->slot_parameters, scene->parameter_values,
            (size_t)(scene->slot_t - scene->slot_parameters) * sizeof *inputs);
}
