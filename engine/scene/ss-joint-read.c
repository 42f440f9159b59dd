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
  static const char *const types[] = {"pin", "slider", "weld", "rod"};
  SsSceneReader *scene = user_data;
  SsJoint joint = {.name = "", .lower = -INFINITY, .upper = INFINITY};
  SsJsonAt member;
  int type, bodies[2];
  double start;
  bool collides;

  if (!ss_read_is_object (reader, at) || !ss_read_member (reader, at, "type", "pin, slider, weld or rod", &member))
    return;
  type = ss_read_choice (reader, &member, types, 4, "type of joint");
  if (type < 0)
    return;
  joint.kind = (SsJointKind)type; /* `types` is in the order of SsJointKind */
  joint.name = ss_scene_read_name (scene, at, types[type]);
  joint.stiffness = ss_read_real (reader, at, "stiffness", SS_NONNEGATIVE, 0);
  joint.damping = ss_read_real (reader, at, "damping", SS_NONNEGATIVE, 0);
  read_drives (scene, at, &joint);
  collides = ss_read_boolean (reader, at, "collide", joint.kind == SS_JOINT_ROD);
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
  case SS_JOINT_FORMULA: /* see ss-constraint-read.c */
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
