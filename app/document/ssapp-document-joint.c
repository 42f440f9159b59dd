/* app/document/ssapp-document-joint.c: joints, springs and motors drawn between what lies under two points of the
 * canvas. */
#include "app/document/ssapp-document-private.h"

#include <math.h>
#include <string.h>

/* A new spring swings what hangs on it with this period [s] and this share of critical damping: slow enough to be seen,
 * and it comes to rest. */
#define SPRING_PERIOD  0.5
#define SPRING_DAMPING 0.1
/* A new motor may push with this many times the weight of what moves: force [N], or torque [N m] at a metre. */
#define MOTOR_PER_WEIGHT 1.0
/* [m/s2] in place of a scene's gravity of 0 */
#define GRAVITY_INSTEAD 10.0
/* [m] A drag shorter than this has no direction. */
#define SHORTEST_DRAG 1e-3
#define WORLD         (-1)

static const SsScene *
scene_of (SsappDocument *self)
{
  return ssapp_document_get_scenario (self)->scene;
}

static gboolean
refuse (GError **error, const char *text)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, text);
  return FALSE;
}

/* ---- what lies under a point ------------------------------------------------------------------------------------- */

static gboolean
body_covers (const SsBody *body, SsVec2 point, double reach)
{
  const SsShape dot = {.kind = SS_SHAPE_CIRCLE, .radius = reach};
  const double pose[3] = {point.x, point.y, 0};
  SsGap gaps[SS_MANIFOLD_MAX];

  for (int i = 0; i < body->n_shapes; i++)
    if (ss_geometry_manifold (&body->shapes[i], body->q, &dot, pose, gaps) > 0 && gaps[0].phi <= 0)
      return TRUE;
  return FALSE;
}

/* The topmost body under the point that is drawn below number `above`; WORLD if there is none. */
static int
body_under (const SsScene *scene, SsVec2 point, double reach, int above)
{
  for (int b = above - 1; b >= 0; b--)
    if (body_covers (&scene->bodies[b], point, reach))
      return b;
  return WORLD;
}

static const char *
name_of (const SsScene *scene, int body)
{
  return body == WORLD ? "world" : scene->bodies[body].name;
}

/* ---- entries ----------------------------------------------------------------------------------------------------- */

static json_t *
point_to_json (SsVec2 p)
{
  return json_pack ("[f, f]", ssapp_tidy (p.x), ssapp_tidy (p.y));
}

/* Two significant digits: nobody drew more. */
static double
round_roughly (double value)
{
  double unit = pow (10, floor (log10 (value)) - 1);
  return ssapp_tidy (round (value / unit) * unit);
}

/* The lighter one of the two counts; the world is heavy. */
static double
moving_mass (const SsScene *scene, int a, int b)
{
  double mass = INFINITY;

  if (a != WORLD && !ss_body_is_immovable (&scene->bodies[a]))
    mass = scene->bodies[a].mass;
  if (b != WORLD && !ss_body_is_immovable (&scene->bodies[b]))
    mass = MIN (mass, scene->bodies[b].mass);
  return isfinite (mass) ? mass : 1;
}

static json_t *
spring_entry (const SsScene *scene, int a, int b, SsVec2 from, SsVec2 to)
{
  double mass = moving_mass (scene, a, b), stiffness = mass * pow (2 * G_PI / SPRING_PERIOD, 2);

  return json_pack ("{s:[s, s], s:[o, o], s:f, s:f}", "bodies", name_of (scene, a), name_of (scene, b), "points",
                    point_to_json (from), point_to_json (to), "stiffness", round_roughly (stiffness), "damping",
                    round_roughly (2 * SPRING_DAMPING * sqrt (stiffness * mass)));
}

static json_t *
slider_entry (const SsScene *scene, int a, int b, SsVec2 from, SsVec2 to)
{
  double dx = to.x - from.x, dy = to.y - from.y, length = hypot (dx, dy);

  if (length < SHORTEST_DRAG) { /* a click: a level rail */
    dx = length = 1;
    dy = 0;
  }
  /* The axis is given in the first body's frame. */
  double angle = a == WORLD ? 0 : -scene->bodies[a].q[2], c = cos (angle), s = sin (angle);
  SsVec2 axis = {(c * dx - s * dy) / length, (s * dx + c * dy) / length};
  return json_pack ("{s:s, s:[s, s], s:o, s:o}", "type", "slider", "bodies", name_of (scene, a), name_of (scene, b),
                    "anchor", point_to_json (from), "axis", point_to_json (axis));
}

/* Adds the entry (taken) at the end of a list of the scene and selects it. */
static gboolean
append_entry (SsappDocument *self, const char *list_name, json_t *entry, const char *label, GError **error)
{
  json_t *root = json_deep_copy (ssapp_document_root (self)),
         *list = ssapp_tree_require_list (root, "scene", list_name);
  g_autofree char *path = g_strdup_printf ("scene.%s[%zu]", list_name, json_array_size (list));

  json_array_append_new (list, entry);
  if (!ssapp_document_commit (self, root, label, error))
    return FALSE;
  ssapp_document_select_item (self, path);
  return TRUE;
}

gboolean
ssapp_document_add_joint (SsappDocument *self, SsappJointKind kind, SsVec2 from, SsVec2 to, double reach,
                          GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  static const char *const labels[] = {"Add a pin", "Add a slider", "Add a rod", "Add a spring"};
  const SsScene *scene = scene_of (self);
  gboolean has_two_ends = kind == SSAPP_JOINT_ROD || kind == SSAPP_JOINT_SPRING;
  json_t *entry;
  int a, b;

  if (!ssapp_document_require_scene (self, error))
    return FALSE;
  /* A pin and a slider join the two topmost bodies under the point, or the only one with the world; a rod and a spring
   * what lies under their ends. */
  b = body_under (scene, has_two_ends ? to : from, reach, scene->n_bodies);
  a = has_two_ends ? body_under (scene, from, reach, scene->n_bodies)
      : b == WORLD ? WORLD
                   : body_under (scene, from, reach, b);
  if (b == WORLD) { /* the world comes first */
    int swap = a;
    SsVec2 end = from;
    a = b;
    b = swap;
    from = has_two_ends ? to : from;
    to = has_two_ends ? end : to;
  }
  if (b == WORLD)
    return refuse (error, has_two_ends ? "There is no body at either end" : "There is no body there");
  if (a == b)
    return refuse (error, "Both ends are on the same body");
  if (has_two_ends && hypot (to.x - from.x, to.y - from.y) < SHORTEST_DRAG)
    return refuse (error, "Drag from one end to the other");

  if (kind == SSAPP_JOINT_SPRING)
    entry = spring_entry (scene, a, b, from, to);
  else if (kind == SSAPP_JOINT_ROD)
    entry = json_pack ("{s:s, s:[s, s], s:[o, o]}", "type", "rod", "bodies", name_of (scene, a), name_of (scene, b),
                       "points", point_to_json (from), point_to_json (to));
  else if (kind == SSAPP_JOINT_SLIDER)
    entry = slider_entry (scene, a, b, from, to);
  else
    entry = json_pack ("{s:s, s:[s, s], s:o}", "type", "pin", "bodies", name_of (scene, a), name_of (scene, b),
                       "anchor", point_to_json (from));
  return append_entry (self, kind == SSAPP_JOINT_SPRING ? "springs" : "joints", entry, labels[kind], error);
}

/* ---- motors ------------------------------------------------------------------------------------------------------ */

/* The joint at a path such as "scene.joints[0]" in the reading; NULL if a family wrote it or it is none. */
static const SsJoint *
joint_at (SsappDocument *self, const char *path)
{
  SsappItem *item = g_str_has_prefix (path, "scene.joints[") ? ssapp_document_get_item (self, path) : NULL;
  const SsScene *scene = scene_of (self);
  const SsJoint *found = NULL;

  for (int j = 0; item != NULL && !item->is_family && j < scene->n_joints; j++)
    if (strcmp (scene->joints[j].name, item->name) == 0)
      found = &scene->joints[j];
  if (item != NULL)
    ssapp_item_free (item);
  return found;
}

gboolean
ssapp_document_add_motor (SsappDocument *self, const char *path, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  const SsJoint *joint = path != NULL ? joint_at (self, path) : NULL;
  const SsScene *scene = scene_of (self);
  double gravity = scene != NULL ? hypot (scene->gravity.x, scene->gravity.y) : 0, mass = 0, limit;

  if (joint == NULL || (joint->kind != SS_JOINT_PIN && joint->kind != SS_JOINT_SLIDER))
    return refuse (error, "A motor drives a pin or a slider");
  for (int b = 0; b < scene->n_bodies; b++)
    if (!ss_body_is_immovable (&scene->bodies[b]))
      mass += scene->bodies[b].mass;
  limit = round_roughly (MOTOR_PER_WEIGHT * mass * (gravity > 0 ? gravity : GRAVITY_INSTEAD));

  /* A joint without a name in the file is called by its number: the motor needs the name written down. */
  json_t *root = json_deep_copy (ssapp_document_root (self)), *entry = ssapp_tree_get (root, path), *motors;
  g_autofree char *name = g_strdup (joint->name), *label = g_strdup_printf ("Add a motor to %s", name);
  json_object_set_new (entry, "name", json_string (name));
  motors = ssapp_tree_require_list (root, "scene", "actuators");
  json_array_append_new (
      motors, json_pack ("{s:s, s:s, s:f, s:f}", "type", "joint", "joint", name, "lower", -limit, "upper", limit));
  return ssapp_document_commit (self, root, label, error);
}
