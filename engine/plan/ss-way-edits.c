/* engine/plan/ss-way-edits.c: see the header. */
#include "plan/ss-way-edits.h"

#include "core/ss-core.h"
#include "nlp/ss-auto.h"
#include "scene/ss-number.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Weight of a velocity that is aimed at instead of reached [cost per (m/s)^2, (rad/s)^2]. */
static const double AIMED_WEIGHT = 10;
/* Friction where the file has none, by the amount that others are multiplied with. */
static const double FRICTION_INSTEAD = 0.2;
/* Of the hand's radius: its distance from the body at its start, and sideways from one place to the next. */
static const double BESIDE = 0.1, ASIDE = 0.5;
enum { ASIDE_MOST = 6, MARCH = 40, WALL_SAMPLES = 24, NUMBER = 40, FORMULA = 400, STEPS_MOST = 100000 };
/* A body that is nearer than this at the start is leant on [m]; one further from the way than the size of what goes it
 * is no wall of it. */
static const double LEANS = 5e-3;

/* ---- numbers of the file ----------------------------------------------------------------------------------------- */

static const char *
number (double value, char text[NUMBER])
{
  /* what people read: a micrometre is far below what decides */
  snprintf (text, NUMBER, "%.7g", value == 0 ? 0 : value);
  double rounded = value;
  if (ss_parse_double (text, &rounded))
    ss_format_double (rounded, text, NUMBER);
  return text;
}

/* `factor` times a number or formula of the file; false: there is neither, or it is 0. */
static bool
times (const json_t *value, double factor, char text[FORMULA])
{
  char short_factor[NUMBER];

  if (json_is_number (value) && json_number_value (value) != 0)
    number (factor * json_number_value (value), text);
  else if (json_is_string (value) && strlen (json_string_value (value)) < FORMULA / 2)
    snprintf (text, FORMULA, "\"%s * (%s)\"", number (factor, short_factor), json_string_value (value));
  else
    return false;
  return true;
}

static json_t *
section (const SsWayMaker *m, const char *name, const char *list)
{
  return json_object_get (json_object_get (m->root, name), list);
}

/* Place of the item that has that text in its member; -1: none. */
static int
find_item (const json_t *list, const char *member, const char *text)
{
  for (size_t i = 0; i < json_array_size (list); i++) {
    const char *own = json_string_value (json_object_get (json_array_get (list, i), member));
    if (own != NULL && strcmp (own, text) == 0)
      return (int)i;
  }
  return -1;
}

static const char *
name_of (const SsWayMaker *m, int body)
{
  return m->scenario->scene->bodies[body].name;
}

/* ---- time -------------------------------------------------------------------------------------------------------- */

/* The plan's length and its steps. */
static SsStatus
add_horizon (const SsWayMaker *m, double horizon, int steps, SsWayOn *way, SsError *err)
{
  const json_t *task = json_object_get (m->root, "task");
  char text[NUMBER];
  SsStatus status = ss_way_on_add (way, number (horizon, text), err, "task.horizon");

  if (status == SS_OK && json_object_get (task, "t_end") != NULL)
    status = ss_way_on_add (way, text, err, "task.t_end");
  snprintf (text, sizeof text, "%d", steps);
  if (status == SS_OK)
    status = ss_way_on_add (way, text, err, "task.steps");
  return status;
}

static SsStatus
make_time (const SsWayMaker *m, double factor, SsWayOn *way, bool *is_there, SsError *err)
{
  const SsPlan *plan = m->scenario->task.plan;
  const double steps = round (factor * m->steps);
  char from[NUMBER], to[NUMBER];

  if (steps > STEPS_MOST)
    return SS_OK;
  SsStatus status = SS_OK;
  if (plan->is_time_free) {
    snprintf (way->words, sizeof way->words, "a time of at most %s s instead of %s s",
              number (factor * plan->time_upper, to), number (plan->time_upper, from));
    status = ss_way_on_add (way, to, err, "task.free_time.upper");
  } else
    snprintf (way->words, sizeof way->words, "%s s and %.0f steps instead of %s s and %d",
              number (factor * m->horizon, to), steps, number (m->horizon, from), m->steps);
  if (status == SS_OK)
    status = add_horizon (m, factor * m->horizon, (int)steps, way, err);
  *is_there = true;
  return status;
}

/* ---- velocity at the end ----------------------------------------------------------------------------------------- */

static bool
wants_velocity (const SsPlanTarget *target)
{
  for (int c = 3; c < SS_PLAN_COORDINATES; c++)
    if (!isnan (target->value[c]) && isinf (target->weight[c]))
      return true;
  return false;
}

/* One target: its velocities are no part of it, or (is_aimed) a cost. */
static SsStatus
free_velocity (const json_t *target, int item, bool is_aimed, SsWayOn *way, SsError *err)
{
  static const char *const names[] = {"velocity", "angular_velocity"};
  const bool has_weights = json_is_object (json_object_get (target, "weight"));
  char weight[NUMBER], pair[2 * NUMBER + 60];
  SsStatus status = SS_OK;

  number (AIMED_WEIGHT, weight);
  for (int i = 0; i < 2 && status == SS_OK; i++)
    if (json_object_get (target, names[i]) != NULL && !is_aimed)
      status = ss_way_on_add (way, NULL, err, "task.targets[%d].%s", item, names[i]);
    else if (is_aimed && has_weights && json_object_get (json_object_get (target, "weight"), names[i]) == NULL)
      status = ss_way_on_add (way, weight, err, "task.targets[%d].weight.%s", item, names[i]);
  snprintf (pair, sizeof pair, "{\"velocity\": %s, \"angular_velocity\": %s}", weight, weight);
  if (status == SS_OK && is_aimed && !has_weights)
    status = ss_way_on_add (way, pair, err, "task.targets[%d].weight", item);
  return status;
}

static SsStatus
make_velocity (const SsWayMaker *m, double amount, SsWayOn *way, bool *is_there, SsError *err)
{
  const SsPlan *plan = m->scenario->task.plan;
  const json_t *targets = section (m, "task", "targets");
  SsStatus status = SS_OK;
  char whose[SS_WAY_TEXT / 2] = "";

  for (int i = 0; i < plan->n_targets && status == SS_OK; i++) {
    const char *name = name_of (m, plan->targets[i].body);
    const int item = find_item (targets, "body", name);

    if (item < 0 || !wants_velocity (&plan->targets[i]))
      continue;
    status = free_velocity (json_array_get (targets, (size_t)item), item, amount < 1, way, err);
    const size_t used = strlen (whose);
    snprintf (whose + used, sizeof whose - used, "%s%s", *is_there ? ", " : "", name);
    *is_there = true;
  }
  if (amount < 1)
    snprintf (way->words, sizeof way->words, "the final velocity of %s as a cost instead of a condition", whose);
  else
    snprintf (way->words, sizeof way->words, "any final velocity of %s", whose);
  return status;
}

/* ---- friction ---------------------------------------------------------------------------------------------------- */

static SsStatus
scale (const json_t *value, double factor, SsWayOn *way, SsError *err, const char *path)
{
  char text[FORMULA];

  return times (value, factor, text) ? ss_way_on_add (way, text, err, "%s", path) : SS_OK;
}

static SsStatus
make_friction (const SsWayMaker *m, double factor, SsWayOn *way, bool *is_there, SsError *err)
{
  const char *lists[] = {"contacts", "material_pairs"}, *key;
  json_t *materials = section (m, "scene", "materials"), *item;
  const SsScene *scene = m->scenario->scene;
  double least = INFINITY, most = 0;
  const int before = way->n_edits;
  char path[200], from[NUMBER], to[NUMBER], words[NUMBER];
  SsStatus status = scale (section (m, "scene", "friction"), factor, way, err, "scene.friction");

  for (int l = 0; l < 2; l++)
    for (size_t i = 0; i < json_array_size (section (m, "scene", lists[l])) && status == SS_OK; i++) {
      item = json_array_get (section (m, "scene", lists[l]), i);
      snprintf (path, sizeof path, "scene.%s[%zu].friction", lists[l], i);
      status = scale (json_object_get (item, "friction"), factor, way, err, path);
    }
  json_object_foreach (materials, key, item)
  {
    snprintf (path, sizeof path, "scene.materials.%.120s.friction", key);
    if (status == SS_OK)
      status = scale (json_object_get (item, "friction"), factor, way, err, path);
  }
  for (int i = 0; i < scene->n_contacts; i++)
    if (scene->contacts[i].mu > 0) {
      least = fmin (least, scene->contacts[i].mu);
      most = fmax (most, scene->contacts[i].mu);
    }
  *is_there = scene->n_contacts > 0;
  if (way->n_edits == before && status == SS_OK) {
    snprintf (way->words, sizeof way->words, "a friction of %s instead of none",
              number (FRICTION_INSTEAD * factor, to));
    return ss_way_on_add (way, to, err, "scene.friction");
  }
  if (least == most)
    snprintf (way->words, sizeof way->words, "a friction of %s instead of %s", number (factor * most, to),
              number (most, from));
  else
    snprintf (way->words, sizeof way->words, "%s times the friction, at most %s instead of %s", number (factor, words),
              number (factor * most, to), number (most, from));
  return status;
}

/* ---- actuators --------------------------------------------------------------------------------------------------- */

static SsStatus
make_actuators (const SsWayMaker *m, double factor, SsWayOn *way, bool *is_there, SsError *err)
{
  static const char *const ends[] = {"lower", "upper"};
  const json_t *actuators = section (m, "scene", "actuators");
  const SsScene *scene = m->scenario->scene;
  char path[80], from[NUMBER], to[NUMBER], words[NUMBER];
  SsStatus status = SS_OK;

  for (size_t i = 0; i < json_array_size (actuators); i++)
    for (int e = 0; e < 2 && status == SS_OK; e++) {
      snprintf (path, sizeof path, "scene.actuators[%zu].%s", i, ends[e]);
      status = scale (json_object_get (json_array_get (actuators, i), ends[e]), factor, way, err, path);
    }
  *is_there = scene->n_actuators > 0;
  if (!*is_there)
    return status;
  const SsActuator *first = &scene->actuators[0]; /* stands for all */
  const double bound = first->upper != 0 ? first->upper : first->lower;
  snprintf (way->words, sizeof way->words, "actuators %s times as strong (%s up to %s instead of %s)",
            number (factor, words), first->name, number (factor * bound, to), number (bound, from));
  return status;
}

/* ---- where things are -------------------------------------------------------------------------------------------- */

/* Least distance of two bodies [m]; INFINITY: they have none. */
static double
gap_of (const SsBody *a, const double pose_a[3], const SsBody *b, const double pose_b[3])
{
  SsGap gaps[SS_MANIFOLD_MAX];
  double least = INFINITY;

  for (int i = 0; i < ss_body_n_shapes (a); i++)
    for (int k = 0; k < ss_body_n_shapes (b); k++)
      if (ss_geometry_manifold (ss_body_shape (a, i), pose_a, ss_body_shape (b, k), pose_b, gaps) > 0)
        least = fmin (least, gaps[0].phi);
  return least;
}

/* Whether an actuator pushes or turns the body itself. */
static bool
is_hand (const SsScene *scene, int body)
{
  for (int i = 0; i < scene->n_actuators; i++)
    if (scene->actuators[i].kind != SS_ACTUATOR_JOINT && scene->actuators[i].body == body)
      return true;
  return false;
}

/* Where the target has the body, its start where it says nothing. */
static void
goal_of (const SsScene *scene, const SsPlanTarget *target, double pose[3])
{
  for (int c = 0; c < 3; c++)
    pose[c] = isnan (target->value[c]) ? scene->bodies[target->body].q[c] : target->value[c];
}

/* Position of the file of a body whose mass is at a pose. */
static SsVec2
frame_of (const SsBody *body, const double pose[3])
{
  const double c = cos (pose[2]), s = sin (pose[2]);

  return (SsVec2){pose[0] + c * body->origin.x - s * body->origin.y, pose[1] + s * body->origin.x + c * body->origin.y};
}

/* ---- another start of what pushes -------------------------------------------------------------------------------- */

/* Whether the hand at that pose touches nothing that it has a contact with. */
static bool
is_free_at (const SsScene *scene, int hand, const double pose[3])
{
  for (int i = 0; i < scene->n_contacts; i++) {
    const SsContact *c = &scene->contacts[i];
    const int other = c->body_a == hand ? c->body_b : c->body_b == hand ? c->body_a : -1;

    if (other >= 0 && !(gap_of (&scene->bodies[hand], pose, &scene->bodies[other], scene->bodies[other].q) > 0))
      return false;
  }
  return true;
}

/* Brings the hand from far to `gap` of the body, on its line through the body's centre moved aside. */
static void
come_near (const SsScene *scene, int hand, int body, SsVec2 from, double aside, double gap, double pose[3])
{
  const SsBody *h = &scene->bodies[hand], *b = &scene->bodies[body];
  double s = ss_body_radius (h) + ss_body_radius (b) + gap;

  pose[2] = h->q[2];
  for (int i = 0; i < MARCH; i++) { /* distances shrink by at most what it comes nearer */
    pose[0] = b->q[0] + from.x * s - from.y * aside;
    pose[1] = b->q[1] + from.y * s + from.x * aside;
    const double more = gap_of (h, pose, b, b->q) - gap;
    if (!isfinite (more) || fabs (more) < 1e-3 * gap)
      break;
    s -= more;
  }
}

/* A free place beside the body, at the side that `from` points to. */
static bool
find_beside (const SsScene *scene, int hand, int body, SsVec2 from, double pose[3])
{
  const double radius = ss_body_radius (&scene->bodies[hand]);

  for (int k = 0; k <= 2 * ASIDE_MOST; k++) {
    const double aside = ((k + 1) / 2) * (k % 2 == 0 ? 1 : -1) * ASIDE * radius;

    if (fabs (aside) > ss_body_radius (&scene->bodies[body]))
      break;
    come_near (scene, hand, body, from, aside, BESIDE * radius, pose);
    if (is_free_at (scene, hand, pose))
      return true;
  }
  return false;
}

/* The first body that has a target and no actuator, and what may push it; false: there are none. */
static bool
find_hand (const SsScene *scene, const SsPlan *plan, int *hand, const SsPlanTarget **target)
{
  *hand = -1;
  *target = NULL;
  for (int i = 0; i < plan->n_targets && *target == NULL; i++)
    if (!is_hand (scene, plan->targets[i].body) && isfinite (ss_body_radius (&scene->bodies[plan->targets[i].body])))
      *target = &plan->targets[i];
  for (int b = 0; b < scene->n_bodies && *hand < 0; b++)
    if (is_hand (scene, b) && !ss_body_is_joined (scene, b) && !scene->bodies[b].lock[0] && !scene->bodies[b].lock[1] &&
        scene->bodies[b].item >= 0 && isfinite (ss_body_radius (&scene->bodies[b])))
      *hand = b;
  return *hand >= 0 && *target != NULL;
}

/* amount 1: the side opposite to the missing way; 2: along x alone; 3: along y alone. */
static SsStatus
make_start (const SsWayMaker *m, double amount, SsWayOn *way, bool *is_there, SsError *err)
{
  const SsScene *scene = m->scenario->scene;
  const SsPlanTarget *target;
  double goal[3], pose[3];
  char x[NUMBER], y[NUMBER];
  int hand;

  if (!find_hand (scene, m->scenario->task.plan, &hand, &target))
    return SS_OK;
  const SsBody *body = &scene->bodies[target->body], *h = &scene->bodies[hand];
  goal_of (scene, target, goal);
  SsVec2 from = {body->q[0] - goal[0], body->q[1] - goal[1]};
  from.x = amount == 3 ? 0 : from.x;
  from.y = amount == 2 ? 0 : from.y;
  const double length = hypot (from.x, from.y);
  if (!(length > 0) || (amount > 1 && goal[0] == body->q[0]) || (amount > 1 && goal[1] == body->q[1]) ||
      !find_beside (scene, hand, target->body, (SsVec2){from.x / length, from.y / length}, pose))
    return SS_OK;
  if (hypot (pose[0] - h->q[0], pose[1] - h->q[1]) < BESIDE * ss_body_radius (h)) /* it is there */
    return SS_OK;
  const SsVec2 frame = frame_of (h, pose);
  *is_there = true;
  SsStatus status = SS_OK;
  number (frame.x, x);
  number (frame.y, y);
  char pair[2 * NUMBER + 8];
  snprintf (pair, sizeof pair, "[%s, %s]", x, y);
  snprintf (way->words, sizeof way->words, "%s starting at (%.3g, %.3g) m, beside %s", h->name, frame.x, frame.y,
            body->name);
  status = ss_way_on_add (way, pair, err, "scene.bodies[%d].position", h->item);
  return status;
}

/* ---- a nearer target --------------------------------------------------------------------------------------------- */

/* Sets the numbers that a target's file has; null stays. */
static SsStatus
put_target (const json_t *target, int item, SsVec2 frame, double angle, SsWayOn *way, SsError *err)
{
  const json_t *position = json_object_get (target, "position"), *turned = json_object_get (target, "angle");
  char text[NUMBER];
  SsStatus status = SS_OK;

  for (size_t c = 0; c < 2 && status == SS_OK; c++)
    if (json_array_get (position, c) != NULL && !json_is_null (json_array_get (position, c)))
      status = ss_way_on_add (way, number (c == 0 ? frame.x : frame.y, text), err, "task.targets[%d].position[%zu]",
                              item, c);
  if (status == SS_OK && turned != NULL && !json_is_null (turned))
    status = ss_way_on_add (way, number (angle, text), err, "task.targets[%d].angle", item);
  return status;
}

static SsStatus
make_target (const SsWayMaker *m, double amount, SsWayOn *way, bool *is_there, SsError *err)
{
  const SsScene *scene = m->scenario->scene;
  const SsPlan *plan = m->scenario->task.plan;
  const json_t *targets = section (m, "task", "targets");
  SsStatus status = SS_OK;

  for (int i = 0; i < plan->n_targets && status == SS_OK; i++) {
    const SsBody *body = &scene->bodies[plan->targets[i].body];
    const int item = find_item (targets, "body", body->name);
    double pose[3];

    goal_of (scene, &plan->targets[i], pose);
    if (item < 0 || (pose[0] == body->q[0] && pose[1] == body->q[1] && pose[2] == body->q[2]))
      continue;
    for (int c = 0; c < 3; c++)
      pose[c] = body->q[c] + (1 - amount) * (pose[c] - body->q[c]);
    const SsVec2 frame = frame_of (body, pose);
    status = put_target (json_array_get (targets, (size_t)item), item, frame, pose[2], way, err);
    if (!*is_there)
      snprintf (way->words, sizeof way->words, "targets at %.3g %% of the way (%s at x %.3g m, y %.3g m, %.3g°)",
                100 * (1 - amount), body->name, frame.x, frame.y, pose[2] * 180 / acos (-1));
    *is_there = true;
  }
  *is_there = *is_there && way->n_edits > 0;
  return status;
}

/* ---- what stands in the way -------------------------------------------------------------------------------------- */

/* Least distance of a body that is no target's from what goes straight to its target [m]; INFINITY: it is no wall, or
 * something leans on it at the start. */
static double
wall_distance (const SsScene *scene, const SsPlan *plan, int wall)
{
  const SsBody *w = &scene->bodies[wall];
  double least = INFINITY;

  for (int i = 0; i < plan->n_targets; i++) {
    const SsBody *body = &scene->bodies[plan->targets[i].body];
    double goal[3], pose[3];

    if (plan->targets[i].body == wall)
      return INFINITY;
    goal_of (scene, &plan->targets[i], goal);
    if (gap_of (w, w->q, body, body->q) < LEANS)
      return INFINITY;
    for (int k = 0; k <= WALL_SAMPLES; k++) {
      for (int c = 0; c < 3; c++)
        pose[c] = body->q[c] + (goal[c] - body->q[c]) * k / WALL_SAMPLES;
      const double gap = gap_of (w, w->q, body, pose);
      least = gap < ss_body_size (body) ? fmin (least, gap) : least;
    }
  }
  for (int b = 0; b < scene->n_bodies; b++) /* what pushes is to come to the body */
    for (int i = 0; i < plan->n_targets && b != wall && is_hand (scene, b); i++) {
      const SsBody *hand = &scene->bodies[b], *body = &scene->bodies[plan->targets[i].body];
      for (int k = 0; k <= WALL_SAMPLES; k++) {
        const double pose[3] = {hand->q[0] + (body->q[0] - hand->q[0]) * k / WALL_SAMPLES,
                                hand->q[1] + (body->q[1] - hand->q[1]) * k / WALL_SAMPLES, hand->q[2]};
        const double gap = gap_of (w, w->q, hand, pose);
        least = gap < ss_body_size (hand) ? fmin (least, gap) : least;
      }
    }
  return least;
}

/* The body that is the place-th nearest to the way, from 0; -1: there are fewer. */
static int
find_wall (const SsWayMaker *m, int place)
{
  const SsScene *scene = m->scenario->scene;
  const SsPlan *plan = m->scenario->task.plan;
  double before = -INFINITY;
  int last = -1;

  for (int p = 0; p <= place; p++) {
    double next = INFINITY;
    int found = -1;
    for (int b = 0; b < scene->n_bodies; b++) {
      const double distance = is_hand (scene, b) ? INFINITY : wall_distance (scene, plan, b);
      const bool is_after = distance > before || (distance == before && b > last);
      if (is_after && distance < next) {
        next = distance;
        found = b;
      }
    }
    if (found < 0)
      return -1;
    before = next;
    last = found;
  }
  return last;
}

static bool
names_body (const json_t *contact, const char *name)
{
  const json_t *bodies = json_object_get (contact, "bodies");

  for (size_t i = 0; i < json_array_size (bodies); i++) {
    const char *own = json_string_value (json_array_get (bodies, i));
    if (own != NULL && strcmp (own, name) == 0)
      return true;
  }
  return false;
}

/* The list of all contacts without those of a body, as text (Jansson's memory). */
static char *
contacts_without (const SsWayMaker *m, int body)
{
  const SsScene *scene = m->scenario->scene;
  const json_t *before = section (m, "scene", "contacts");
  json_t *list = json_is_array (before) ? json_deep_copy (before) : json_pack ("[s]", "all");

  for (int i = 0; i < scene->n_contacts; i++) {
    const SsContact *c = &scene->contacts[i];
    const char *a = name_of (m, c->body_a), *b = name_of (m, c->body_b);
    json_t *own = NULL, *item;
    size_t k;

    if (c->body_a != body && c->body_b != body)
      continue;
    json_array_foreach (list, k, item)
    {
      if (names_body (item, a) && names_body (item, b))
        own = item;
    }
    if (own != NULL)
      json_object_set_new (own, "enabled", json_false ());
    else
      json_array_append_new (list, json_pack ("{s:[s, s], s:b}", "bodies", a, b, "enabled", 0));
  }
  char *text = json_dumps (list, JSON_REAL_PRECISION (17));
  json_decref (list);
  return text;
}

static SsStatus
make_contacts (const SsWayMaker *m, double amount, SsWayOn *way, bool *is_there, SsError *err)
{
  const json_t *contacts = section (m, "scene", "contacts");
  const int wall = find_wall (m, (int)amount);
  const char *first = json_string_value (json_array_get (contacts, 0));
  SsStatus status = SS_OK;

  if (wall < 0)
    return SS_OK;
  *is_there = true;
  snprintf (way->words, sizeof way->words, "no contacts of %s", name_of (m, wall));
  if (json_is_array (contacts) && (first == NULL || strcmp (first, "all") != 0)) {
    for (size_t i = 0; i < json_array_size (contacts) && status == SS_OK; i++)
      if (names_body (json_array_get (contacts, i), name_of (m, wall)))
        status = ss_way_on_add (way, "false", err, "scene.contacts[%zu].enabled", i);
    *is_there = way->n_edits > 0;
    return status;
  }
  char *text = contacts_without (m, wall);
  status = text != NULL ? ss_way_on_add (way, text, err, "scene.contacts")
                        : ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  free (text); /* Jansson's */
  return status;
}

/* ---- no change at all -------------------------------------------------------------------------------------------- */

/* The race of all members has tried that. */
static SsStatus
make_method (const SsWayMaker *m, double amount, SsWayOn *way, bool *is_there, SsError *err)
{
  const SsAutoOptions *race = m->job->nlp == &ss_nlp_auto ? m->job->options : NULL;

  (void)amount;
  (void)err;
  *is_there = m->job->nlp != &ss_nlp_auto || (race != NULL && race->member != SS_RACE_ALL);
  snprintf (way->words, sizeof way->words, "no change, by the method auto");
  return SS_OK;
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

static const SsWaySpec specs[] = {
    {{"method", "Another Method", "the scene as it is, by the method auto"}, 1, 0, false, true, {1}, make_method},
    {{"time", "More Time", "the horizon and its steps, 1.5, 2 or 3 times as long"},
     3,
     2,
     false,
     false,
     {1.5, 2, 3},
     make_time},
    {{"velocity", "Less Final Velocity", "velocities of targets as costs instead of conditions, or left out"},
     2,
     1,
     false,
     false,
     {0.5, 1},
     make_velocity},
    {{"start", "Another Start", "what pushes starts beside the body, at the side opposite to the way that is missing"},
     3,
     0,
     true,
     false,
     {1, 2, 3},
     make_start},
    {{"actuators", "Stronger Actuators", "limits of all actuators, 1.5, 2 or 4 times as wide"},
     3,
     2,
     false,
     false,
     {1.5, 2, 4},
     make_actuators},
    {{"contacts", "Without an Obstacle", "contacts of a body that stands near the straight way are switched off"},
     4,
     0,
     true,
     false,
     {0, 1, 2, 3},
     make_contacts},
    {{"friction", "More Friction", "all frictions, 1.5, 2 or 4 times as large"},
     3,
     2,
     false,
     false,
     {1.5, 2, 4},
     make_friction},
    {{"target", "A Nearer Target", "targets at a part of the way, by bisection from half of it"},
     5,
     2,
     false,
     false,
     {0.125, 0.25, 0.5, 0.75, 0.875},
     make_target},
};
enum { N_SPECS = sizeof specs / sizeof *specs };

const SsWaySpec *
ss_way_specs (int *n)
{
  SS_ASSERT (n != NULL);
  *n = N_SPECS;
  return specs;
}

const SsWayKind *
ss_way_kind_find (const char *name)
{
  for (int i = 0; name != NULL && i < N_SPECS; i++)
    if (strcmp (specs[i].kind.name, name) == 0)
      return &specs[i].kind;
  return NULL;
}

SsStatus
ss_way_make (const SsWayMaker *m, const SsWaySpec *spec, double amount, SsWayOn *way, bool *is_there, SsError *err)
{
  SS_ASSERT (m != NULL && spec != NULL && way != NULL);

  const SsTranscribeOptions *options = &m->job->transcription;
  SsStatus status = SS_OK;

  *way = (SsWayOn){.kind = spec->kind.name, .outcome = SS_OUTCOME_FAILED, .objective = NAN};
  *is_there = false;
  if ((options->t_end > 0 || options->dt > 0) && spec->make != make_time)
    status = add_horizon (m, m->horizon, m->steps, way, err);
  const int before = way->n_edits;
  if (status == SS_OK)
    status = spec->make (m, amount, way, is_there, err);
  *is_there = *is_there && (way->n_edits > before || spec->is_unchanged);
  return status;
}

SsStatus
ss_way_maker_open (SsWayMaker *m, const SsSolveJob *job, SsError *err)
{
  SS_ASSERT (job != NULL);

  const SsPlan *plan = job->scenario->task.plan;
  const double t_end = job->transcription.t_end, dt = job->transcription.dt;
  char *text = NULL;

  *m = (SsWayMaker){.job = job, .scenario = job->scenario, .horizon = t_end > 0 ? t_end : plan->horizon};
  m->steps = (int)fmax (1, round (dt > 0 ? m->horizon / dt : plan->steps * (m->horizon / plan->horizon)));
  SsStatus status = ss_scenario_with_numbers (job->scenario, NULL, 0, &text, err);
  if (status == SS_OK && (m->root = json_loads (text, 0, NULL)) == NULL)
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  ss_free (text);
  return status;
}

void
ss_way_maker_close (SsWayMaker *m)
{
  SS_ASSERT (m != NULL);
  json_decref (m->root);
  m->root = NULL;
}
