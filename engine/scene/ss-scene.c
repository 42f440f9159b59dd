/* engine/scene/ss-scene.c: reads the `scene` section: bodies with their shapes, and contacts.
 *
 * Polygon  vertices p_i in the body frame, edge e_i = p_{i+1} - p_i. Simple and convex: no two edges that are not neighbours meet, and
 *          e_i x e_{i+1} >= 0 at every corner once the order is counter-clockwise.
 * Inertia  of the uniform polygon of mass m about the frame's origin (which is the centre of mass by definition, whatever the shape says):
 *          I = m sum c_i (p_i.p_i + p_i.p_{i+1} + p_{i+1}.p_{i+1}) / (6 sum c_i), c_i = p_i x p_{i+1}; of a disc m r^2 / 2.
 */
#include "scene/ss-scenario-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Corners and areas count as flat below this fraction of the polygon's size (squared): 1e-12 is far above rounding (1e-16) and far below
 * anything drawn on purpose. */
#define FLAT_FRACTION 1e-12

/* [m/s2] when the file gives no gravity. */
#define STANDARD_GRAVITY (-9.81)

static SsVec2
difference (SsVec2 a, SsVec2 b)
{
  return (SsVec2){a.x - b.x, a.y - b.y};
}

static double
cross (SsVec2 a, SsVec2 b)
{
  return a.x * b.y - a.y * b.x;
}

static double
dot (SsVec2 a, SsVec2 b)
{
  return a.x * b.x + a.y * b.y;
}

/* ---- polygons ------------------------------------------------------------------------------------------------------------------------------ */

/* Twice the signed area about the first vertex (positive when counter-clockwise). */
static double
twice_area (const SsVec2 *p, int n)
{
  double sum = 0;

  for (int i = 1; i + 1 < n; i++)
    sum += cross (difference (p[i], p[0]), difference (p[i + 1], p[0]));
  return sum;
}

/* Side of c as seen from a to b: -1, 0 (within `flat`), 1. */
static int
side (SsVec2 a, SsVec2 b, SsVec2 c, double flat)
{
  double s = cross (difference (b, a), difference (c, a));

  return s > flat ? 1 : s < -flat ? -1 : 0;
}

/* c lies within the box of ab; meaningful when it is on the line. */
static bool
lies_between (SsVec2 a, SsVec2 b, SsVec2 c)
{
  return c.x >= fmin (a.x, b.x) && c.x <= fmax (a.x, b.x) && c.y >= fmin (a.y, b.y) && c.y <= fmax (a.y, b.y);
}

static bool
segments_meet (SsVec2 a, SsVec2 b, SsVec2 c, SsVec2 d, double flat)
{
  int abc = side (a, b, c, flat), abd = side (a, b, d, flat), cda = side (c, d, a, flat), cdb = side (c, d, b, flat);

  if (abc * abd < 0 && cda * cdb < 0)
    return true;
  return (abc == 0 && lies_between (a, b, c)) || (abd == 0 && lies_between (a, b, d)) ||
         (cda == 0 && lies_between (c, d, a)) || (cdb == 0 && lies_between (c, d, b));
}

/* Two edges that are not neighbours and meet. */
static bool
find_crossing (const SsVec2 *p, int n, double flat, int *first, int *second)
{
  for (int i = 0; i < n; i++) {
    for (int j = i + 2; j < n; j++) {
      if (i == 0 && j == n - 1)
        continue;
      if (segments_meet (p[i], p[i + 1], p[j], p[(j + 1) % n], flat)) {
        *first = i;
        *second = j;
        return true;
      }
    }
  }
  return false;
}

/* Checks the polygon and brings it into counter-clockwise order; reports what is wrong. */
static bool
check_polygon (SsReader *reader, const SsJsonAt *at, SsVec2 *p, int n)
{
  double size = 0, area2, flat;
  int first, second;

  for (int i = 0; i < n; i++) {
    if (fabs (p[i].x) > SS_LENGTH_MAX || fabs (p[i].y) > SS_LENGTH_MAX) {
      ss_reader_problem (reader, at, "coordinates up to 1e9 m", "vertex %d is too far away", i);
      return false;
    }
    size = fmax (size, fmax (fabs (p[i].x - p[0].x), fabs (p[i].y - p[0].y)));
  }
  flat = FLAT_FRACTION * size * size;
  for (int i = 0; i < n; i++) {
    SsVec2 edge = difference (p[(i + 1) % n], p[i]);

    if (dot (edge, edge) <= flat) {
      ss_reader_problem (reader, at, "distinct vertices (the first is not repeated at the end)",
                         "the polygon is degenerate: vertices %d and %d coincide", i, (i + 1) % n);
      return false;
    }
  }
  if (find_crossing (p, n, flat, &first, &second)) {
    ss_reader_problem (reader, at, "a simple convex polygon", "the polygon intersects itself: edges %d and %d meet",
                       first, second);
    return false;
  }
  area2 = twice_area (p, n);
  if (fabs (area2) <= flat) {
    ss_reader_problem (reader, at, "a convex polygon with an area",
                       "the polygon is degenerate: its vertices lie on a line");
    return false;
  }
  if (area2 < 0) {
    for (int i = 0; i < n / 2; i++) {
      SsVec2 swap = p[i];

      p[i] = p[n - 1 - i];
      p[n - 1 - i] = swap;
    }
  }
  for (int i = 0; i < n; i++) {
    SsVec2 before = difference (p[(i + 1) % n], p[i]), after = difference (p[(i + 2) % n], p[(i + 1) % n]);
    double turn = cross (before, after);

    /* A corner that turns right, or back on itself. */
    if (turn < -flat || (turn <= flat && dot (before, after) < 0)) {
      int corner = (i + 1) % n;

      ss_reader_problem (reader, at, "a convex polygon; split the shape into convex ones",
                         "the polygon is concave at vertex %d", area2 < 0 ? n - 1 - corner : corner);
      return false;
    }
  }
  return true;
}

static bool
read_vertices (SsReader *reader, const SsJsonAt *shape_at, SsShape *shape)
{
  SsJsonAt at, child;
  SsVec2 *vertices;
  size_t n;
  bool good = true;

  if (!ss_read_member (reader, shape_at, "vertices", "3 to 64 points [x, y]", &at) || !ss_read_is_array (reader, &at))
    return false;
  n = json_array_size (at.value);
  if (n < SS_VERTICES_MIN || n > SS_VERTICES_MAX) {
    ss_reader_problem (reader, &at, "3 to 64 points [x, y]", "the polygon has %zu vertices", n);
    return false;
  }
  vertices = ss_reader_alloc (reader, n, sizeof *vertices);
  if (vertices == NULL)
    return false;
  for (bool more = ss_at_first (reader, &at, &child); more; more = ss_at_next (reader, &child))
    good = ss_read_pair (reader, &child, &vertices[child.index]) && good;
  shape->n_vertices = (int)n;
  shape->vertices = vertices;
  return good && check_polygon (reader, &at, vertices, (int)n);
}

/* A box is the polygon of its four corners. */
static bool
read_box (SsReader *reader, const SsJsonAt *at, SsShape *shape)
{
  int before = reader->n_problems;
  double width = ss_read_real (reader, at, "width", SS_POSITIVE, NAN);
  double height = ss_read_real (reader, at, "height", SS_POSITIVE, NAN);
  SsVec2 *vertices = ss_reader_alloc (reader, 4, sizeof *vertices);

  if (vertices == NULL || reader->n_problems > before || !(width > 0) || !(height > 0))
    return false;
  vertices[0] = (SsVec2){-width / 2, -height / 2};
  vertices[1] = (SsVec2){width / 2, -height / 2};
  vertices[2] = (SsVec2){width / 2, height / 2};
  vertices[3] = (SsVec2){-width / 2, height / 2};
  shape->n_vertices = 4;
  shape->vertices = vertices;
  return check_polygon (reader, at, vertices, 4);
}

static bool
read_half_plane (SsReader *reader, const SsJsonAt *at, SsShape *shape)
{
  SsJsonAt normal_at;
  SsVec2 normal;
  double length;

  if (!ss_read_member (reader, at, "normal", "the outward normal [x, y]", &normal_at) ||
      !ss_read_pair (reader, &normal_at, &normal))
    return false;
  length = hypot (normal.x, normal.y);
  if (!(length > 0) || !isfinite (length) || !isfinite (1 / length)) {
    ss_reader_problem (reader, &normal_at, "a vector that is not zero", "the normal has no direction");
    return false;
  }
  shape->normal = (SsVec2){normal.x / length, normal.y / length};
  return true;
}

static bool
read_shape (SsReader *reader, const SsJsonAt *body_at, bool is_fixed, SsShape *shape)
{
  static const char *const types[] = {"circle", "polygon", "box", "half-plane"};
  SsJsonAt at, type_at;
  int before = reader->n_problems;

  if (!ss_read_member (reader, body_at, "shape", "an object with 'type'", &at) || !ss_read_is_object (reader, &at) ||
      !ss_read_member (reader, &at, "type", "circle, polygon, box or half-plane", &type_at))
    return false;
  switch (ss_read_choice (reader, &type_at, types, 4, "shape")) {
  case 0:
    shape->kind = SS_SHAPE_CIRCLE;
    shape->radius = ss_read_real (reader, &at, "radius", SS_POSITIVE, NAN);
    if (shape->radius > SS_LENGTH_MAX)
      ss_reader_problem (reader, &at, "a radius up to 1e9 m", "the circle is too large");
    break;
  case 1:
    shape->kind = SS_SHAPE_POLYGON;
    return read_vertices (reader, &at, shape);
  case 2:
    shape->kind = SS_SHAPE_POLYGON;
    return read_box (reader, &at, shape);
  case 3:
    shape->kind = SS_SHAPE_HALF_PLANE;
    if (!is_fixed) {
      ss_reader_problem (reader, &type_at, "\"fixed\": true beside it, or another shape",
                         "only a fixed body can be a half-plane");
      return false;
    }
    return read_half_plane (reader, &at, shape);
  default:
    return false;
  }
  return reader->n_problems == before;
}

/* ---- bodies -------------------------------------------------------------------------------------------------------------------------------- */

static double
uniform_inertia (const SsShape *shape, double mass)
{
  double sum = 0, area2 = 0;

  if (shape->kind == SS_SHAPE_CIRCLE)
    return mass * shape->radius * shape->radius / 2;
  for (int i = 0; i < shape->n_vertices; i++) {
    SsVec2 p = shape->vertices[i], next = shape->vertices[(i + 1) % shape->n_vertices];
    double c = cross (p, next);

    sum += c * (dot (p, p) + dot (p, next) + dot (next, next));
    area2 += c;
  }
  return mass * sum / (6 * area2);
}

/* Mass and inertia of a free body. */
static void
read_mass (SsReader *reader, const SsJsonAt *at, bool has_shape, SsBody *body)
{
  SsJsonAt inertia_at;
  int before = reader->n_problems;

  body->mass = ss_read_real (reader, at, "mass", SS_POSITIVE, NAN);
  if (ss_at_member (reader, at, "inertia", &inertia_at)) {
    ss_read_number (reader, &inertia_at, SS_POSITIVE, &body->inertia);
  } else if (has_shape && reader->n_problems == before) {
    body->inertia = uniform_inertia (&body->shape, body->mass);
    if (!(body->inertia > 0) || !isfinite (body->inertia))
      ss_reader_problem (reader, at, "the field 'inertia' [kg m2], above 0",
                         "the uniform body's inertia is no positive number");
  }
}

/* A body name stands in channel names and in contact names. */
static void
check_body_name (SsReader *reader, const SsJsonAt *at, SsBody *bodies, int index)
{
  if (!ss_read_is_name (reader, at, bodies[index].name, true, "a body"))
    return;
  for (int other = 0; other < index; other++) {
    if (strcmp (bodies[other].name, bodies[index].name) == 0) {
      ss_reader_problem (reader, at, "a name that is not taken", "the body name '%s' is used twice (first at index %d)",
                         bodies[index].name, other);
      return;
    }
  }
}

static void
read_body (SsReader *reader, const SsJsonAt *at, SsBody *bodies, int index)
{
  static const char *const colors[] = {"blue", "yellow", "brown", "green"};
  SsBody *body = &bodies[index];
  SsJsonAt member;
  SsVec2 pair;
  bool has_shape;

  body->name = body->color = "";
  if (!ss_read_is_object (reader, at))
    return;
  if (ss_read_member (reader, at, "name", "a text in quotes", &member)) {
    body->name = ss_read_text (reader, at, "name", "");
    if (json_is_string (member.value))
      check_body_name (reader, &member, bodies, index);
  }
  body->is_fixed = ss_read_boolean (reader, at, "fixed", false);
  has_shape = read_shape (reader, at, body->is_fixed, &body->shape);
  body->shapes = &body->shape;
  body->n_shapes = 1;
  if (!body->is_fixed)
    read_mass (reader, at, has_shape, body);

  if (ss_at_member (reader, at, "position", &member) && ss_read_pair (reader, &member, &pair)) {
    body->q[0] = pair.x;
    body->q[1] = pair.y;
  }
  body->q[2] = ss_read_real (reader, at, "angle", SS_ANY_NUMBER, 0);
  if (ss_at_member (reader, at, "velocity", &member) && ss_read_pair (reader, &member, &pair)) {
    body->v[0] = pair.x;
    body->v[1] = pair.y;
  }
  body->v[2] = ss_read_real (reader, at, "angular_velocity", SS_ANY_NUMBER, 0);
  if (body->is_fixed && (body->v[0] != 0 || body->v[1] != 0 || body->v[2] != 0))
    ss_reader_problem (reader, at, "no velocity, or a body that is not fixed", "a fixed body does not move");
  if (ss_at_member (reader, at, "color", &member) &&
      !(json_is_string (member.value) && json_string_length (member.value) == 0) &&
      ss_read_choice (reader, &member, colors, 4, "colour") >= 0)
    body->color = ss_read_text (reader, at, "color", "");
}

static void
read_bodies (SsReader *reader, const SsJsonAt *scene_at, SsScene *scene)
{
  SsJsonAt at, child;
  SsBody *bodies;
  size_t n;

  if (!ss_read_member (reader, scene_at, "bodies", "a list of bodies", &at) || !ss_read_is_array (reader, &at))
    return;
  n = json_array_size (at.value);
  if (n == 0 || n > SS_BODIES_MAX) {
    ss_reader_problem (reader, &at, "1 to 1000 bodies", "the scene has %zu bodies", n);
    return;
  }
  bodies = ss_reader_alloc (reader, n, sizeof *bodies);
  if (bodies == NULL)
    return;
  for (bool more = ss_at_first (reader, &at, &child); more; more = ss_at_next (reader, &child))
    read_body (reader, &child, bodies, child.index);
  scene->bodies = bodies;
  scene->n_bodies = (int)n;
}

/* ---- contacts ------------------------------------------------------------------------------------------------------------------------------ */

/* "<a>-<b>" */
static const char *
default_contact_name (SsReader *reader, const SsScene *scene, int a, int b)
{
  const char *name_a = scene->bodies[a].name, *name_b = scene->bodies[b].name;
  size_t size = strlen (name_a) + strlen (name_b) + 2;
  char *name = ss_reader_alloc (reader, size, 1);

  if (name == NULL)
    return "";
  snprintf (name, size, "%s-%s", name_a, name_b);
  return name;
}

/* Takes a contact's name; reports one that is taken. */
static void
claim_contact_name (SsReader *reader, const SsJsonAt *at, SsNames *names, const char *name)
{
  const SsSymbol *other = ss_names_find (names, name, strlen (name));

  if (other != NULL)
    ss_reader_problem (reader, at, "a name that is not taken", "the contact name '%s' is used twice (first on line %d)",
                       name, other->line);
  else if (!ss_names_add (names, name, SS_SYMBOL_CHANNEL, 0, ss_reader_line (reader, at)))
    reader->out_of_memory = true;
}

/* Every pair with at least one free body, in the order of the indices. */
static void
make_all_contacts (SsReader *reader, const SsJsonAt *at, SsScene *scene)
{
  SsContact *contacts = NULL;
  SsNames names = {0};
  int n = 0, capacity = 0;

  for (int a = 0; a < scene->n_bodies; a++) {
    for (int b = a + 1; b < scene->n_bodies; b++) {
      if (scene->bodies[a].is_fixed && scene->bodies[b].is_fixed)
        continue;
      if (!ss_reader_reserve (reader, (void **)&contacts, &capacity, n + 1, sizeof *contacts))
        goto out;
      contacts[n++] = (SsContact){.name = default_contact_name (reader, scene, a, b),
                                  .body_a = a,
                                  .body_b = b,
                                  .mu = scene->default_mu,
                                  .restitution = scene->default_restitution};
      /* "a-b" with "c" and "a" with "b-c" would be one name. */
      claim_contact_name (reader, at, &names, contacts[n - 1].name);
    }
  }

out:
  ss_names_clear (&names);
  scene->contacts = ss_reader_keep (reader, contacts, n, sizeof *contacts);
  scene->n_contacts = n;
}

/* The names in use while contacts are read. */
typedef struct {
  SsNames bodies, contacts;
} ContactNames;

static int
find_body (SsReader *reader, const SsJsonAt *at, const SsScene *scene, const ContactNames *taken)
{
  const char *names[SS_BODIES_MAX], *text = json_string_value (at->value);
  const SsSymbol *symbol = text != NULL ? ss_names_find (&taken->bodies, text, strlen (text)) : NULL;

  if (symbol != NULL)
    return symbol->index;
  for (int i = 0; i < scene->n_bodies; i++)
    names[i] = scene->bodies[i].name;
  return ss_read_choice (reader, at, names, scene->n_bodies, "body");
}

/* The two different bodies, one of them free. */
static bool
read_contact_bodies (SsReader *reader, const SsJsonAt *contact_at, const SsScene *scene, const ContactNames *taken,
                     SsContact *contact)
{
  SsJsonAt at, child;
  int bodies[2] = {-1, -1};

  if (!ss_read_member (reader, contact_at, "bodies", "the names of two bodies", &at))
    return false;
  if (!json_is_array (at.value) || json_array_size (at.value) != 2) {
    ss_reader_problem (reader, &at, "the names of two bodies [\"a\", \"b\"]", "a contact has two bodies");
    return false;
  }
  for (bool more = ss_at_first (reader, &at, &child); more; more = ss_at_next (reader, &child))
    bodies[child.index] = find_body (reader, &child, scene, taken);
  if (bodies[0] < 0 || bodies[1] < 0)
    return false;
  if (bodies[0] == bodies[1]) {
    ss_reader_problem (reader, &at, "two different bodies", "a body has no contact with itself");
    return false;
  }
  if (scene->bodies[bodies[0]].is_fixed && scene->bodies[bodies[1]].is_fixed) {
    ss_reader_problem (reader, &at, "at least one body that is not fixed", "both bodies are fixed");
    return false;
  }
  contact->body_a = bodies[0];
  contact->body_b = bodies[1];
  return true;
}

static void
read_contact (SsReader *reader, const SsJsonAt *at, const SsScene *scene, ContactNames *taken, SsContact *contact)
{
  SsJsonAt name_at = *at;

  contact->name = "";
  if (!ss_read_is_object (reader, at))
    return;
  contact->mu = ss_read_real (reader, at, "friction", SS_NONNEGATIVE, scene->default_mu);
  contact->restitution = ss_read_real (reader, at, "restitution", SS_UNIT_INTERVAL, scene->default_restitution);
  if (!read_contact_bodies (reader, at, scene, taken, contact))
    return;
  if (ss_at_member (reader, at, "name", &name_at)) {
    contact->name = ss_read_text (reader, at, "name", "");
    if (!json_is_string (name_at.value) || !ss_read_is_name (reader, &name_at, contact->name, true, "a contact"))
      return;
  } else {
    contact->name = default_contact_name (reader, scene, contact->body_a, contact->body_b);
  }
  claim_contact_name (reader, &name_at, &taken->contacts, contact->name);
}

static void
read_contacts (SsReader *reader, const SsJsonAt *scene_at, SsScene *scene)
{
  SsJsonAt at, child;
  SsContact *contacts;
  ContactNames taken = {0};
  size_t n;

  if (!ss_at_member (reader, scene_at, "contacts", &at) ||
      (json_is_string (at.value) && strcmp (json_string_value (at.value), "all") == 0)) {
    make_all_contacts (reader, scene_at, scene);
    return;
  }
  if (!json_is_array (at.value)) {
    ss_reader_problem (reader, &at, "\"all\" or a list of contacts", "this is not a list of contacts");
    return;
  }
  n = json_array_size (at.value);
  if (n > SS_CONTACTS_MAX) {
    ss_reader_problem (reader, &at, "at most 500000 contacts", "the scene has %zu contacts", n);
    return;
  }
  contacts = ss_reader_alloc (reader, n, sizeof *contacts);
  if (contacts == NULL)
    return;
  for (int i = 0; i < scene->n_bodies; i++)
    if (!ss_names_add (&taken.bodies, scene->bodies[i].name, SS_SYMBOL_CHANNEL, i, 0))
      reader->out_of_memory = true;
  for (bool more = ss_at_first (reader, &at, &child); more && !reader->out_of_memory;
       more = ss_at_next (reader, &child))
    read_contact (reader, &child, scene, &taken, &contacts[child.index]);
  scene->contacts = contacts;
  scene->n_contacts = (int)n;
  ss_names_clear (&taken.bodies);
  ss_names_clear (&taken.contacts);
}

void
ss_read_scene (SsReader *reader, const SsJsonAt *at)
{
  SsScene *scene;
  SsJsonAt member;

  if (!ss_read_is_object (reader, at))
    return;
  scene = ss_reader_alloc (reader, 1, sizeof *scene);
  if (scene == NULL)
    return;
  scene->gravity = (SsVec2){0, STANDARD_GRAVITY};
  if (ss_at_member (reader, at, "gravity", &member))
    ss_read_pair (reader, &member, &scene->gravity);
  scene->default_mu = ss_read_real (reader, at, "friction", SS_NONNEGATIVE, 0);
  scene->default_restitution = ss_read_real (reader, at, "restitution", SS_UNIT_INTERVAL, 0);
  read_bodies (reader, at, scene);
  if (scene->n_bodies > 0)
    read_contacts (reader, at, scene);
  reader->scenario->scene = scene;
}
