/* engine/scene/ss-constraint-read.c: reads constraints of a scene, phi (q, t) = 0 or >= 0 by a formula, and checks that
 * they fit the start. They become joints of the kind FORMULA, whose rows are the formula's derivatives. */
#include "scene/ss-scene-private.h"

#include <math.h>

/* How far phi may miss at the start [m or rad], as anchors of joints may. */
#define START_TOLERANCE 1e-6

enum { MAX_BODIES = 2 }; /* as a row of a joint has */

/* The bodies that can move and whose positions the formula reads; -1 after reporting. */
static int
find_bodies (SsSceneReader *scene, const SsJsonAt *at, const int *slots, int n_slots, int bodies[MAX_BODIES])
{
  SsReader *reader = scene->reader;
  int n = 0;

  for (int i = 0; i < n_slots; i++) {
    const int body = slots[i] / SS_BODY_CHANNELS, channel = slots[i] % SS_BODY_CHANNELS;

    if (slots[i] >= scene->scene->slot_parameters)
      continue;
    if (channel >= 3) {
      ss_reader_problem (reader, at, "positions such as a.x or a.theta, points such as a.tip.x, parameters and t",
                         "a constraint does not read the velocity %s.%s", scene->bodies[body].name,
                         ss_body_channels[channel]);
      return -1;
    }
    if (scene->bodies[body].is_fixed || (n > 0 && bodies[n - 1] == body))
      continue;
    if (n == MAX_BODIES) {
      ss_reader_problem (reader, at, "one or two bodies that are not fixed",
                         "the constraint is on more than two bodies: %s, %s and %s", scene->bodies[bodies[0]].name,
                         scene->bodies[bodies[1]].name, scene->bodies[body].name);
      return -1;
    }
    bodies[n++] = body;
  }
  return n;
}

/* Whether something that can move changes phi, and by how much at the start. */
static void
check_slope (SsSceneReader *scene, const SsJsonAt *at, const SsJoint *joint, const int *slots, int n_slots)
{
  SsReader *reader = scene->reader;
  double largest = 0;
  bool is_finite = true;

  for (int i = 0; i < n_slots && slots[i] < scene->scene->slot_parameters; i++) {
    const SsBody *body = &scene->bodies[slots[i] / SS_BODY_CHANNELS];
    const SsExpr slope = ss_graph_derivative (reader->scenario->graph, joint->formula, slots[i]);

    if (slope == SS_EXPR_NONE) {
      reader->out_of_memory = true;
      return;
    }
    const double value = ss_scene_start_value (scene, slope);
    is_finite = is_finite && isfinite (value);
    if (!body->is_fixed && !body->lock[slots[i] % SS_BODY_CHANNELS])
      largest = fmax (largest, fabs (value));
  }
  if (!is_finite)
    ss_reader_problem (reader, at, "a formula with finite slopes at the start",
                       "the formula's slope is no number at the start");
  else if (!(largest > 0) && !isfinite (joint->lower))
    ss_reader_problem (reader, at, "a formula that a coordinate which can move changes",
                       "nothing that can move changes the formula at the start");
}

static void
check_start (SsSceneReader *scene, const SsJsonAt *at, const SsJoint *joint)
{
  const double start = ss_scene_start_value (scene, joint->formula);
  const bool is_at_least = isfinite (joint->lower);
  char shown[32];

  if (is_at_least ? start >= -START_TOLERANCE : fabs (start) <= START_TOLERANCE)
    return;
  ss_format_double (start, shown, sizeof shown);
  ss_reader_problem (scene->reader, at, is_at_least ? "a start where it is >= 0" : "a start where it is 0, within 1e-6",
                     "the formula is %s at the start", shown);
}

/* The formula of a joint, and its bodies; false after reporting. */
static bool
read_phi (SsSceneReader *scene, const SsJsonAt *at, SsJoint *joint)
{
  SsReader *reader = scene->reader;
  const SsGraph *graph = reader->scenario->graph;
  const int before = reader->n_problems;
  int bodies[MAX_BODIES], n_bodies = -1;

  joint->formula = ss_scene_read_formula (scene, at);
  if (joint->formula == SS_EXPR_NONE || reader->n_problems > before)
    return false;
  if (!ss_graph_is_smooth (graph, joint->formula)) {
    ss_reader_problem (reader, at, "a formula that has a slope",
                       "comparisons, if, floor and mod have no slope, which a constraint needs");
    return false;
  }
  const int n_slots = ss_graph_inputs (graph, joint->formula, NULL, 0);
  int *slots = ss_new_array (int, n_slots + 1);
  if (slots == NULL) {
    reader->out_of_memory = true;
    return false;
  }
  ss_graph_inputs (graph, joint->formula, slots, n_slots);
  n_bodies = find_bodies (scene, at, slots, n_slots, bodies);
  for (int i = 0; i < n_slots; i++)
    joint->reads_time = joint->reads_time || slots[i] == scene->scene->slot_t;
  if (n_bodies == 0)
    ss_reader_problem (reader, at, "one or two bodies that are not fixed", "the constraint is on no body");
  if (n_bodies > 0) {
    joint->body_a = n_bodies == 2 ? bodies[0] : SS_WORLD;
    joint->body_b = bodies[n_bodies - 1];
    check_start (scene, at, joint);
    check_slope (scene, at, joint, slots, n_slots);
  }
  ss_free (slots);
  return n_bodies > 0;
}

static void
read_constraint (SsReader *reader, const SsJsonAt *at, void *user_data)
{
  static const char *const kinds[] = {"equal", "at_least"};
  SsSceneReader *scene = user_data;
  SsJoint joint = {.name = "", .kind = SS_JOINT_FORMULA, .lower = -INFINITY, .upper = INFINITY};
  SsJsonAt member;
  int kind = 0;

  if (!ss_read_is_object (reader, at))
    return;
  joint.name = ss_scene_read_name (scene, at, "constraint");
  if (ss_at_member (reader, at, "kind", &member))
    kind = ss_read_choice (reader, &member, kinds, 2, "kind of constraint");
  if (kind < 0)
    return;
  if (kind == 1)
    joint.lower = 0;
  joint.stiffness = ss_read_real (reader, at, "stiffness", SS_NONNEGATIVE, 0);
  joint.damping = ss_read_real (reader, at, "damping", SS_NONNEGATIVE, 0);
  joint.restitution = ss_read_real (reader, at, "restitution", SS_UNIT_INTERVAL, 0);
  if (kind == 0 && ss_at_member (reader, at, "restitution", &member))
    ss_reader_problem (reader, &member, "\"kind\": \"at_least\"", "what is equal to 0 at all times does not bounce");
  if (ss_read_member (reader, at, "formula", "a formula in quotes, such as \"a.theta + 2*b.theta\"", &member) &&
      read_phi (scene, &member, &joint))
    ss_scene_add_joint (scene, &joint, true);
}

void
ss_read_constraints (SsSceneReader *scene, const SsJsonAt *scene_at)
{
  ss_scene_read_list (scene, scene_at, "constraints", read_constraint);
}
