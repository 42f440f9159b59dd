/* engine/scene/ss-joint-read.c: reads joints and springs of a scene and checks that they fit the start.
 *
 * Places are given as one point (or two) of the world at the start, or as points of the two bodies in the file's
 * frames; the structs hold them in the frames of the centres of mass. */
#include "scene/ss-scene-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Anchors that should meet, or a length that should fit, may miss by this much [m]: what a file's rounded decimals
 * leave, and small enough for every integrator to take up in its first step. Limits of an angle [rad] likewise. */
#define START_TOLERANCE 1e-6
/* Anchors of a spring or rod nearer than this [m] have no direction. */
#define LENGTH_MIN 1e-12

enum { N_TYPES = SS_JOINT_FORMULA }; /* of the file's joints */

/* A point of a body in the file's frame becomes one of the frame of its centre of mass. */
static SsVec2
from_file_frame (const SsSceneReader *scene, int body, SsVec2 point)
{
  if (body < 0)
    return point;
  return (SsVec2){point.x + scene->bodies[body].origin.x, point.y + scene->bodies[body].origin.y};
}

/* A member that is a list of two points; false when absent or after reporting. */
static bool
read_two_points (SsReader *reader, const SsJsonAt *object, const char *key, SsVec2 points[2])
{
  SsJsonAt at, child;
  bool good = true;

  if (!ss_at_member (reader, object, key, &at))
    return false;
  if (!json_is_array (at.value) || json_array_size (at.value) != 2) {
    ss_reader_problem (reader, &at, "two points [[x, y], [x, y]]", "these are not two points");
    return false;
  }
  for (bool more = ss_at_first (reader, &at, &child); more; more = ss_at_next (reader, &child))
    good = ss_read_pair (reader, &child, &points[child.index]) && good;
  return good;
}

/* `anchor` (one point of the world), `points` (two of the world) or `anchors` (one of each body); without any, the
 * origins of the file's frames. */
static bool
read_anchors (SsSceneReader *scene, const SsJsonAt *at, int a, int b, SsVec2 *anchor_a, SsVec2 *anchor_b)
{
  static const char *const keys[] = {"anchor", "points", "anchors"};
  SsReader *reader = scene->reader;
  SsVec2 points[2] = {{0, 0}, {0, 0}};
  SsJsonAt member;
  int before = reader->n_problems, n_given = 0;

  for (int i = 0; i < 3; i++)
    n_given += ss_at_member (reader, at, keys[i], &member);
  if (n_given > 1) {
    ss_reader_problem (reader, at, "one of 'anchor', 'points' and 'anchors'", "the place is given more than once");
    return false;
  }
  if (ss_at_member (reader, at, "anchor", &member)) {
    if (!ss_read_pair (reader, &member, &points[0]))
      return false;
    *anchor_a = ss_scene_to_body (scene, a, points[0]);
    *anchor_b = ss_scene_to_body (scene, b, points[0]);
  } else if (read_two_points (reader, at, "points", points)) {
    *anchor_a = ss_scene_to_body (scene, a, points[0]);
    *anchor_b = ss_scene_to_body (scene, b, points[1]);
  } else {
    read_two_points (reader, at, "anchors", points);
    *anchor_a = from_file_frame (scene, a, points[0]);
    *anchor_b = from_file_frame (scene, b, points[1]);
  }
  return reader->n_problems == before;
}

static double
angle_of (const SsSceneReader *scene, int body)
{
  return body < 0 ? 0 : scene->bodies[body].q[2];
}

/* From anchor a to anchor b at the start, in the world. */
static SsVec2
start_offset (const SsSceneReader *scene, int a, int b, SsVec2 anchor_a, SsVec2 anchor_b)
{
  SsVec2 pa = ss_scene_to_world (scene, a, anchor_a), pb = ss_scene_to_world (scene, b, anchor_b);

  return (SsVec2){pb.x - pa.x, pb.y - pa.y};
}

/* ---- ropes ------------------------------------------------------------------------------------------------------- */

SsVec2
ss_rope_place (const SsJoint *rope, int i, const double *poses)
{
  SS_ASSERT (rope != NULL && rope->kind == SS_JOINT_ROPE && i >= 0 && i <= rope->n_over + 1);
  const SsRopePoint point = ss_rope_point (rope, i);
  if (point.body < 0)
    return point.anchor;
  const double *pose = poses + 3 * point.body;
  const SsVec2 arm = ss_vec2_turned (point.anchor, pose[2]);
  return (SsVec2){pose[0] + arm.x, pose[1] + arm.y};
}

double
ss_rope_room (const SsJoint *rope, const double *poses)
{
  double room = rope->length;
  for (int i = 0; i <= rope->n_over; i++) {
    const SsVec2 from = ss_rope_place (rope, i, poses), to = ss_rope_place (rope, i + 1, poses);
    room -= hypot (to.x - from.x, to.y - from.y);
  }
  return room;
}

/* An item of `over`: a point [x, y] of the world, or {"body", "anchor"}. */
static bool
read_over_point (SsSceneReader *scene, const SsJsonAt *at, const SsJoint *rope, SsRopePoint *point)
{
  SsReader *reader = scene->reader;
  SsJsonAt member;

  *point = (SsRopePoint){SS_WORLD, {0, 0}};
  if (json_is_array (at->value))
    return ss_read_pair (reader, at, &point->anchor);
  if (!ss_read_is_object (reader, at) || !ss_read_member (reader, at, "body", "the name of a body", &member))
    return false;
  point->body = ss_scene_find_body (scene, &member, true);
  if (point->body == SS_NO_BODY)
    return false;
  if (point->body != SS_WORLD && point->body != rope->body_a && point->body != rope->body_b &&
      !ss_body_is_immovable (&scene->bodies[point->body])) {
    ss_reader_problem (reader, &member, "one of the rope's two bodies, a body that is fixed, or \"world\"",
                       "a rope runs over points of its own two bodies and of what does not move, and %s is neither",
                       scene->bodies[point->body].name);
    return false;
  }
  if (ss_at_member (reader, at, "anchor", &member) && !ss_read_pair (reader, &member, &point->anchor))
    return false;
  point->anchor = from_file_frame (scene, point->body, point->anchor);
  return true;
}

/* `over` and `length`, and that the start fits it. */
static void
read_rope (SsSceneReader *scene, const SsJsonAt *at, SsJoint *joint)
{
  SsReader *reader = scene->reader;
  SsJsonAt member, child;
  const int before = reader->n_problems;
  char shown[32];

  joint->lower = 0;
  joint->restitution = ss_read_real (reader, at, "restitution", SS_UNIT_INTERVAL, 0);
  if (ss_at_member (reader, at, "over", &member)) {
    if (!json_is_array (member.value)) {
      ss_reader_problem (reader, &member, "points, such as [[0, 1], [2, 1]]", "this is no list of points");
      return;
    }
    SsRopePoint *over = ss_reader_alloc (reader, json_array_size (member.value), sizeof *over);
    for (bool more = over != NULL && ss_at_first (reader, &member, &child); more; more = ss_at_next (reader, &child))
      joint->n_over += read_over_point (scene, &child, joint, &over[joint->n_over]);
    joint->over = over;
  }
  double *poses = ss_new_array (double, 3 * (size_t)scene->n_bodies + 1);
  if (poses == NULL || reader->n_problems > before) {
    reader->out_of_memory = reader->out_of_memory || poses == NULL;
    ss_free (poses);
    return;
  }
  for (int b = 0; b < scene->n_bodies; b++)
    memcpy (poses + 3 * b, scene->bodies[b].q, 3 * sizeof *poses);
  const double start = -ss_rope_room (joint, poses);
  ss_free (poses);
  joint->length = start;
  if (ss_at_member (reader, at, "length", &member) && !ss_read_number (reader, &member, SS_POSITIVE, &joint->length))
    return;
  if (!(joint->length > LENGTH_MIN)) {
    ss_reader_problem (reader, at, "a 'length' [m], or ends that are apart", "the rope has no length");
  } else if (joint->length < start - START_TOLERANCE) {
    ss_format_double (start, shown, sizeof shown);
    ss_reader_problem (reader, at, "a length that reaches from end to end at the start",
                       "the rope's way is %s m long at the start, which is more than its length", shown);
  }
}

/* ---- gears ------------------------------------------------------------------------------------------------------- */

static void
read_gear (SsSceneReader *scene, const SsJsonAt *at, SsJoint *joint)
{
  static const char *const styles[] = {[SS_GEAR_EXTERNAL] = "external",
                                       [SS_GEAR_INTERNAL] = "internal",
                                       [SS_GEAR_BELT] = "belt",
                                       [SS_GEAR_CROSSED] = "crossed"};
  SsReader *reader = scene->reader;
  SsJsonAt member, child;
  int style = SS_GEAR_EXTERNAL;

  if (joint->body_a == SS_WORLD) {
    ss_reader_problem (reader, at, "two bodies that turn", "a gear couples the angles of two bodies, not of the world");
    return;
  }
  if (ss_at_member (reader, at, "style", &member))
    style = ss_read_choice (reader, &member, styles, SS_GEAR_N_STYLES, "style of gear");
  if (!ss_read_member (reader, at, "radii", "the radii [m] of the two wheels, such as [0.1, 0.2]", &member) ||
      style < 0)
    return;
  if (!json_is_array (member.value) || json_array_size (member.value) != 2) {
    ss_reader_problem (reader, &member, "the radii [m] of the two wheels, such as [0.1, 0.2]",
                       "a gear has two radii, whose ratio it keeps");
    return;
  }
  for (bool more = ss_at_first (reader, &member, &child); more; more = ss_at_next (reader, &child))
    ss_read_number (reader, &child, SS_POSITIVE, &joint->radius[child.index]);
  joint->style = (SsGearStyle)style; /* `styles` is in the order of SsGearStyle */
  if (joint->style == SS_GEAR_INTERNAL || joint->style == SS_GEAR_BELT)
    joint->radius[1] = -joint->radius[1];
  joint->angle =
      joint->radius[0] * angle_of (scene, joint->body_a) + joint->radius[1] * angle_of (scene, joint->body_b);
}

/* ---- joints ------------------------------------------------------------------------------------------------------ */

/* `lower` and `upper`, and that the start lies between them. */
static void
read_limits (SsSceneReader *scene, const SsJsonAt *at, double start, const char *unit, SsJoint *joint)
{
  SsReader *reader = scene->reader;
  SsJsonAt member;
  int before = reader->n_problems;
  char shown[32];

  if (ss_at_member (reader, at, "lower", &member))
    ss_read_number (reader, &member, SS_ANY_NUMBER, &joint->lower);
  if (ss_at_member (reader, at, "upper", &member))
    ss_read_number (reader, &member, SS_ANY_NUMBER, &joint->upper);
  if (reader->n_problems > before)
    return;
  if (!(joint->lower < joint->upper)) {
    ss_reader_problem (reader, at, "lower < upper", "no position fits between lower and upper");
  } else if (start < joint->lower - START_TOLERANCE || start > joint->upper + START_TOLERANCE) {
    ss_format_double (start, shown, sizeof shown);
    ss_reader_problem (reader, at, "a start within the limits", "the joint starts at %s %s, beyond its limits", shown,
                       unit);
  }
}

/* `friction`, `motor_speed` and `motor_limit`, of pins and sliders. */
static void
read_drives (SsSceneReader *scene, const SsJsonAt *at, SsJoint *joint)
{
  static const char *const keys[] = {"friction", "motor_speed", "motor_limit"};
  SsReader *reader = scene->reader;
  SsJsonAt member;

  for (int i = 0; i < 3; i++)
    if (joint->kind != SS_JOINT_PIN && joint->kind != SS_JOINT_SLIDER && ss_at_member (reader, at, keys[i], &member))
      ss_reader_problem (reader, &member, "a pin or a slider", "only pins and sliders have '%s'", keys[i]);
  joint->friction = ss_read_real (reader, at, "friction", SS_NONNEGATIVE, 0);
  joint->motor_speed = ss_read_real (reader, at, "motor_speed", SS_ANY_NUMBER, 0);
  joint->motor_limit = ss_read_real (reader, at, "motor_limit", SS_NONNEGATIVE, 0);
  if (ss_at_member (reader, at, "motor_speed", &member) && !ss_at_member (reader, at, "motor_limit", &member))
    ss_reader_problem (reader, at, "'motor_limit', the most that the motor gives [N m] or [N]",
                       "the motor has a speed and no limit");
}

static void
check_meeting (SsSceneReader *scene, const SsJsonAt *at, const char *what, const SsJoint *joint)
{
  SsVec2 d = start_offset (scene, joint->body_a, joint->body_b, joint->anchor_a, joint->anchor_b);
  double distance = hypot (d.x, d.y);
  char shown[32];

  if (distance <= START_TOLERANCE)
    return;
  ss_format_double (distance, shown, sizeof shown);
  ss_reader_problem (scene->reader, at, "anchors that meet at the start, within 1e-6 m",
                     "the anchors of the %s are %s m apart at the start", what, shown);
}

/* `axis` in the frame of the first body, and that the second anchor lies on the line along it. */
static bool
read_axis (SsSceneReader *scene, const SsJsonAt *at, SsJoint *joint, double *travel)
{
  SsReader *reader = scene->reader;
  SsJsonAt member;
  SsVec2 axis, d, world;
  double length, off;
  char shown[32];

  if (!ss_read_member (reader, at, "axis", "the direction [x, y] in the first body's frame", &member) ||
      !ss_read_pair (reader, &member, &axis))
    return false;
  length = hypot (axis.x, axis.y);
  if (!(length > 0) || !isfinite (length) || !isfinite (1 / length)) {
    ss_reader_problem (reader, &member, "a vector that is not zero", "the axis has no direction");
    return false;
  }
  joint->axis = (SsVec2){axis.x / length, axis.y / length};
  world = ss_vec2_turned (joint->axis, angle_of (scene, joint->body_a));
  d = start_offset (scene, joint->body_a, joint->body_b, joint->anchor_a, joint->anchor_b);
  *travel = d.x * world.x + d.y * world.y;
  off = fabs (d.x * world.y - d.y * world.x);
  if (off > START_TOLERANCE) {
    ss_format_double (off, shown, sizeof shown);
    ss_reader_problem (reader, at, "a second anchor on the line through the first along the axis, within 1e-6 m",
                       "the second anchor is %s m beside the axis at the start", shown);
    return false;
  }
  return true;
}

static void
read_rod_length (SsSceneReader *scene, const SsJsonAt *at, SsJoint *joint)
{
  SsReader *reader = scene->reader;
  SsVec2 d = start_offset (scene, joint->body_a, joint->body_b, joint->anchor_a, joint->anchor_b);
  double start = hypot (d.x, d.y);
  SsJsonAt member;
  char shown[32];

  joint->length = start;
  if (ss_at_member (reader, at, "length", &member) && !ss_read_number (reader, &member, SS_POSITIVE, &joint->length))
    return;
  if (!(joint->length > LENGTH_MIN)) {
    ss_reader_problem (reader, at, "anchors apart, or a pin", "the rod has no length");
  } else if (fabs (joint->length - start) > START_TOLERANCE) {
    ss_format_double (start, shown, sizeof shown);
    ss_reader_problem (reader, at, "the distance of the anchors at the start, within 1e-6 m",
                       "the anchors of the rod are %s m apart at the start, which is not its length", shown);
  }
}

static void
read_joint (SsReader *reader, const SsJsonAt *at, void *user_data)
{
  SsSceneReader *scene = user_data;
  SsJoint joint = {.name = "", .lower = -INFINITY, .upper = INFINITY};
  SsJsonAt member;
  const char *types[N_TYPES];
  int type, bodies[2];
  double start;
  bool collides;

  if (!ss_read_is_object (reader, at) ||
      !ss_read_member (reader, at, "type", "a kind of joint, such as \"pin\"", &member))
    return;
  for (int i = 0; i < N_TYPES; i++)
    types[i] = ss_joint_kinds[i].type;
  type = ss_read_choice (reader, &member, types, N_TYPES, "type of joint");
  if (type < 0)
    return;
  joint.kind = (SsJointKind)type;
  joint.name = ss_scene_read_name (scene, at, types[type]);
  joint.stiffness = ss_read_real (reader, at, "stiffness", SS_NONNEGATIVE, 0);
  joint.damping = ss_read_real (reader, at, "damping", SS_NONNEGATIVE, 0);
  read_drives (scene, at, &joint);
  collides = ss_read_boolean (reader, at, "collide", ss_joint_kinds[type].collides);
  if (!ss_scene_read_two_bodies (scene, at, "joint", true, bodies) ||
      !read_anchors (scene, at, bodies[0], bodies[1], &joint.anchor_a, &joint.anchor_b))
    return;
  joint.body_a = bodies[0];
  joint.body_b = bodies[1];
  joint.angle = angle_of (scene, bodies[1]) - angle_of (scene, bodies[0]);
  switch (joint.kind) {
  case SS_JOINT_PIN:
    check_meeting (scene, at, "pin", &joint);
    read_limits (scene, at, joint.angle, "rad", &joint);
    break;
  case SS_JOINT_SLIDER:
    if (read_axis (scene, at, &joint, &start))
      read_limits (scene, at, start, "m", &joint);
    break;
  case SS_JOINT_WELD:
    check_meeting (scene, at, "weld", &joint);
    break;
  case SS_JOINT_ROD:
    read_rod_length (scene, at, &joint);
    break;
  case SS_JOINT_GEAR:
    read_gear (scene, at, &joint);
    break;
  case SS_JOINT_ROPE:
    read_rope (scene, at, &joint);
    break;
  default: /* FORMULA: see ss-constraint-read.c */
    break;
  }
  ss_scene_add_joint (scene, &joint, collides);
}

/* ---- springs ----------------------------------------------------------------------------------------------------- */

static void
read_spring (SsReader *reader, const SsJsonAt *at, void *user_data)
{
  SsSceneReader *scene = user_data;
  SsSpring spring = {.name = ""};
  SsJsonAt member;
  SsVec2 d;
  int bodies[2];
  double start;

  if (!ss_read_is_object (reader, at))
    return;
  spring.name = ss_scene_read_name (scene, at, "spring");
  spring.is_torsion = ss_read_boolean (reader, at, "torsion", false);
  spring.stiffness = ss_read_real (reader, at, "stiffness", SS_NONNEGATIVE, 0);
  spring.damping = ss_read_real (reader, at, "damping", SS_NONNEGATIVE, 0);
  if (!ss_at_member (reader, at, "stiffness", &member) && !ss_at_member (reader, at, "damping", &member))
    ss_reader_problem (reader, at, "'stiffness' [N/m], 'damping' [N s/m] or both",
                       "the spring has neither a stiffness nor a damping");
  if (!ss_scene_read_two_bodies (scene, at, "spring", true, bodies) ||
      !read_anchors (scene, at, bodies[0], bodies[1], &spring.anchor_a, &spring.anchor_b))
    return;
  spring.body_a = bodies[0];
  spring.body_b = bodies[1];
  d = start_offset (scene, bodies[0], bodies[1], spring.anchor_a, spring.anchor_b);
  start = spring.is_torsion ? angle_of (scene, bodies[1]) - angle_of (scene, bodies[0]) : hypot (d.x, d.y);
  spring.rest = ss_read_real (reader, at, "rest", spring.is_torsion ? SS_ANY_NUMBER : SS_NONNEGATIVE, start);
  if (!spring.is_torsion && start <= LENGTH_MIN && spring.rest > 0)
    ss_reader_problem (reader, at, "anchors apart, or a rest length of 0",
                       "the spring has no direction at the start: its anchors coincide");
  if (ss_reader_reserve (reader, (void **)&scene->springs, &scene->spring_capacity, scene->n_springs + 1,
                         sizeof *scene->springs))
    scene->springs[scene->n_springs++] = spring;
}

void
ss_read_joints (SsSceneReader *scene, const SsJsonAt *scene_at)
{
  ss_scene_read_list (scene, scene_at, "joints", read_joint);
  ss_scene_read_list (scene, scene_at, "springs", read_spring);
}
