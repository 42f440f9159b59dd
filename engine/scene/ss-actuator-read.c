/* engine/scene/ss-actuator-read.c: reads actuators and forces of a scene, with formulas over the bodies' states,
 * parameters and t; formulas of the task may read the controls, too. */
#include "scene/ss-scene-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- formulas ---------------------------------------------------------------------------------------------------- */

/* Slot of "<body>.<channel>", -1 if there is none. */
static int
state_slot (const SsSceneReader *scene, const char *name, size_t length)
{
  const SsSymbol *body;
  size_t dot = length;

  while (dot > 0 && name[dot - 1] != '.')
    dot--;
  if (dot == 0)
    return -1;
  body = ss_names_find (&scene->body_names, name, dot - 1);
  for (int c = 0; body != NULL && c < SS_BODY_CHANNELS; c++)
    if (strlen (ss_body_channels[c]) == length - dot && strncmp (ss_body_channels[c], name + dot, length - dot) == 0)
      return SS_BODY_CHANNELS * body->index + c;
  return -1;
}

/* Slot of the control "u.<actuator>", -1 if there is none or the formula may not read it. */
static int
control_slot (const SsSceneReader *scene, const char *name, size_t length)
{
  const SsSymbol *actuator;

  if (!scene->reads_controls || length < 3 || name[0] != 'u' || name[1] != '.')
    return -1;
  actuator = ss_names_find (&scene->actuator_names, name + 2, length - 2);
  return actuator != NULL ? scene->scene->slot_controls + actuator->index : -1;
}

/* Nearest name that a scene's formula may use, into buffer; false if none is near. */
static bool
nearest_state (const SsSceneReader *scene, const char *wrong, char *buffer, size_t size)
{
  const char *dot = strchr (wrong, '.'), *near = NULL;
  char body[SS_NAME_MAX + 1];

  if (dot == NULL) {
    near = ss_reader_nearest (scene->reader, wrong, 1u << SS_SYMBOL_PARAMETER);
    if (near != NULL)
      snprintf (buffer, size, "%s", near);
    return near != NULL;
  }
  if (scene->reader->n_problems >= SS_PROBLEMS_MAX)
    return false;
  snprintf (body, sizeof body, "%.*s", (int)(dot - wrong), wrong);
  if (scene->reads_controls && strcmp (body, "u") == 0 && ss_names_find (&scene->body_names, "u", 1) == NULL) {
    near = ss_names_nearest (&scene->actuator_names, dot + 1);
    if (near != NULL)
      snprintf (buffer, size, "u.%s", near);
    return near != NULL;
  }
  near = ss_names_nearest (&scene->body_names, body);
  if (near != NULL && strchr (dot + 1, '.') != NULL) { /* of a point */
    const SsBody *of = &scene->bodies[ss_names_find (&scene->body_names, near, strlen (near))->index];
    char wrong_point[SS_NAME_MAX + 1];
    snprintf (wrong_point, sizeof wrong_point, "%.*s", (int)(strchr (dot + 1, '.') - dot - 1), dot + 1);
    const char *point = ss_scene_point_nearest (of, wrong_point);
    if (point != NULL)
      snprintf (buffer, size, "%s.%s.x", near, point);
    return point != NULL;
  }
  if (near != NULL) {
    const char *channel = ss_nearest_name (dot + 1, ss_body_channels, SS_BODY_CHANNELS);

    snprintf (buffer, size, "%s.%s", near, channel != NULL ? channel : ss_body_channels[0]);
  }
  return near != NULL;
}

static SsStatus
resolve_state (void *user_data, const char *name, size_t length, int shift, SsExpr *out, SsError *err)
{
  const SsSceneReader *scene = user_data;
  SsReader *reader = scene->reader;
  SsNameRef ref = {.name = name, .length = length};
  const SsSymbol *symbol;
  char wrong[2 * SS_NAME_MAX + 1], near[2 * SS_NAME_MAX + 1];
  int slot = -1;
  SsStatus status;

  if (ss_reader_resolve (reader, reader->scenario->graph, &ref, shift, out, &status, err))
    return status;
  name = ref.name;
  length = ref.length;
  symbol = ref.symbol;
  if (shift != 0)
    return ss_error_set (err, SS_ERR_INVALID, "next() has no meaning in a scene");
  if (length == 1 && name[0] == 't')
    slot = scene->scene->slot_t;
  else if (symbol != NULL && symbol->kind == SS_SYMBOL_PARAMETER)
    slot = scene->scene->slot_parameters + symbol->index;
  else
    slot = control_slot (scene, name, length);
  if (slot < 0)
    slot = state_slot (scene, name, length);
  if (slot >= 0 || ss_scene_point_formula (scene, name, length, out)) {
    if (slot >= 0)
      *out = ss_graph_input (reader->scenario->graph, slot);
    return *out == SS_EXPR_NONE ? ss_error_set (err, SS_ERR_MEMORY, "out of memory") : SS_OK;
  }
  snprintf (wrong, sizeof wrong, "%.*s", (int)(length < 2 * SS_NAME_MAX ? length : 2 * SS_NAME_MAX), name);
  if (nearest_state (scene, wrong, near, sizeof near))
    ss_error_set (err, SS_ERR_INVALID, "unknown name '%s'; did you mean '%s'?", wrong, near);
  else
    ss_error_set (err, SS_ERR_INVALID, "unknown name '%s'", wrong);
  if (err != NULL)
    snprintf (err->expected, sizeof err->expected,
              "states such as box.x or box.omega, points such as box.tip.x, %sparameters, t",
              scene->reads_controls ? "controls such as u.motor, " : "");
  return SS_ERR_INVALID;
}

double
ss_scene_start_value (SsSceneReader *scene, SsExpr e)
{
  SS_ASSERT (scene != NULL);

  SsReader *reader = scene->reader;
  double *inputs = ss_new_array (double, scene->scene->n_slots), value;

  if (inputs == NULL) {
    reader->out_of_memory = true;
    return 0;
  }
  for (int b = 0; b < scene->n_bodies; b++) {
    memcpy (inputs + SS_BODY_CHANNELS * b, scene->bodies[b].q, sizeof scene->bodies[b].q);
    memcpy (inputs + SS_BODY_CHANNELS * b + 3, scene->bodies[b].v, sizeof scene->bodies[b].v);
  }
  for (int i = 0; i < reader->scenario->n_parameters; i++)
    inputs[scene->scene->slot_parameters + i] = reader->parameters[i].value;
  value = ss_reader_eval (reader, reader->scenario->graph, e, inputs, scene->scene->n_slots);
  ss_free (inputs);
  return value;
}

SsExpr
ss_scene_read_formula (SsSceneReader *scene, const SsJsonAt *at)
{
  SS_ASSERT (scene != NULL && at != NULL);

  SsReader *reader = scene->reader;
  SsGraph *graph = reader->scenario->graph;
  SsExpr e = SS_EXPR_NONE;
  SsError error = {0};
  const char *text;
  double value;

  scene->scene->graph = graph;
  if (json_is_number (at->value)) {
    e = ss_graph_constant (graph, json_number_value (at->value));
    if (e == SS_EXPR_NONE)
      reader->out_of_memory = true;
    return e;
  }
  if (!json_is_string (at->value)) {
    ss_reader_problem (reader, at, "a formula in quotes, or a number", "this is no formula");
    return SS_EXPR_NONE;
  }
  text = ss_reader_expand (reader, at);
  if (text == NULL)
    return SS_EXPR_NONE;
  if (ss_expr_parse (graph, text, resolve_state, scene, &e, &error) != SS_OK) {
    ss_reader_formula_problem (reader, at, text, &error);
    return SS_EXPR_NONE;
  }
  value = ss_scene_start_value (scene, e);
  if (!isfinite (value))
    ss_reader_problem (reader, at, "a formula with a finite value at the start", "the formula is %s at the start",
                       isnan (value) ? "not a number" : "infinite");
  return e;
}

/* ---- kinks in time ----------------------------------------------------------------------------------------------- */

static bool
reads_time (const SsGraph *graph, SsExpr e, int slot_t, int *slots, int n_slots)
{
  const int n = ss_graph_inputs (graph, e, slots, n_slots);

  for (int i = 0; i < n && i < n_slots; i++)
    if (slots[i] == slot_t)
      return true;
  return false;
}

/* Name of a function in the formula that bends or jumps where something of t passes a value; NULL: none. The text
 * bounds the size of the tree. */
static const char *
kink_in_time (const SsGraph *graph, SsExpr e, int slot_t, int *slots, int n_slots)
{
  static const struct {
    SsOp op;
    const char *name;
  } bent[] = {{SS_OP_IF, "if"},     {SS_OP_MIN, "min"},     {SS_OP_MAX, "max"}, {SS_OP_ABS, "abs"},
              {SS_OP_SIGN, "sign"}, {SS_OP_FLOOR, "floor"}, {SS_OP_MOD, "mod"}};
  const char *name = NULL;

  if (e == SS_EXPR_NONE)
    return NULL;
  for (size_t i = 0; i < sizeof bent / sizeof *bent; i++)
    if (ss_graph_op (graph, e) == bent[i].op &&
        reads_time (graph, bent[i].op == SS_OP_IF ? ss_graph_operand (graph, e, 0) : e, slot_t, slots, n_slots))
      return bent[i].name;
  for (int k = 0; k < 3 && name == NULL; k++)
    name = kink_in_time (graph, ss_graph_operand (graph, e, k), slot_t, slots, n_slots);
  return name;
}

/* A formula that moves bodies. */
static SsExpr
read_force_formula (SsSceneReader *scene, const SsJsonAt *at)
{
  SsReader *reader = scene->reader;
  const SsExpr e = ss_scene_read_formula (scene, at);
  const int n_slots = scene->scene->n_slots + 1;
  int *slots = e != SS_EXPR_NONE ? ss_new_array (int, n_slots) : NULL;

  if (e == SS_EXPR_NONE)
    return e;
  if (slots == NULL) {
    reader->out_of_memory = true;
    return e;
  }
  const char *name = kink_in_time (reader->scenario->graph, e, scene->scene->slot_t, slots, n_slots);
  if (name != NULL)
    ss_reader_warn (reader, at, "%s() of t bends or jumps at times that no integrator knows: list them in task.breaks",
                    name);
  reader->n_kinks = reader->n_warnings;
  ss_free (slots);
  return e;
}

/* ---- actuators --------------------------------------------------------------------------------------------------- */

/* `body`: one that can move, -1 after reporting. */
static int
read_moving_body (SsSceneReader *scene, const SsJsonAt *at, const char *what)
{
  SsReader *reader = scene->reader;
  SsJsonAt member;
  int body;

  if (!ss_read_member (reader, at, "body", "the name of a body", &member))
    return -1;
  body = ss_scene_find_body (scene, &member, false);
  if (body < 0)
    return -1;
  if (ss_body_is_immovable (&scene->bodies[body])) {
    ss_reader_problem (reader, &member, "a body that is not fixed", "the %s acts on a fixed body", what);
    return -1;
  }
  return body;
}

static int
read_driven_joint (SsSceneReader *scene, const SsJsonAt *at)
{
  SsReader *reader = scene->reader;
  SsNames names = {0};
  SsJsonAt member;
  int joint = -1;

  if (!ss_read_member (reader, at, "joint", "the name of a pin or slider", &member))
    return -1;
  for (int i = 0; i < scene->n_joints; i++)
    if (!ss_names_add (&names, scene->joints[i].name, SS_SYMBOL_CHANNEL, i, 0))
      reader->out_of_memory = true;
  joint = ss_scene_find_name (reader, &member, &names, "joint");
  ss_names_clear (&names);
  if (joint >= 0 && scene->joints[joint].kind != SS_JOINT_PIN && scene->joints[joint].kind != SS_JOINT_SLIDER) {
    ss_reader_problem (reader, &member, "a pin or a slider", "this joint has no motion to drive");
    return -1;
  }
  return joint;
}

static bool
read_direction (SsSceneReader *scene, const SsJsonAt *at, SsActuator *actuator)
{
  static const char *const frames[] = {"world", "body"};
  SsReader *reader = scene->reader;
  SsJsonAt member;
  SsVec2 direction, anchor = {0, 0};
  double length;
  int frame;

  if (!ss_read_member (reader, at, "direction", "a vector [x, y]", &member) ||
      !ss_read_pair (reader, &member, &direction))
    return false;
  length = hypot (direction.x, direction.y);
  if (!(length > 0) || !isfinite (length) || !isfinite (1 / length)) {
    ss_reader_problem (reader, &member, "a vector that is not zero", "the direction is zero");
    return false;
  }
  actuator->direction = (SsVec2){direction.x / length, direction.y / length};
  if (ss_at_member (reader, at, "frame", &member)) {
    frame = ss_read_choice (reader, &member, frames, 2, "frame");
    if (frame < 0)
      return false;
    actuator->is_body_frame = frame == 1;
  }
  if (ss_at_member (reader, at, "anchor", &member)) {
    if (!ss_read_pair (reader, &member, &anchor))
      return false;
    anchor.x += scene->bodies[actuator->body].origin.x;
    anchor.y += scene->bodies[actuator->body].origin.y;
  }
  actuator->anchor = anchor;
  return true;
}

static void
read_actuator (SsReader *reader, const SsJsonAt *at, void *user_data)
{
  static const char *const types[] = {"force", "torque", "joint"};
  SsSceneReader *scene = user_data;
  SsActuator actuator = {
      .name = "", .body = -1, .joint = -1, .lower = -INFINITY, .upper = INFINITY, .formula = SS_EXPR_NONE};
  SsJsonAt member;
  int type;

  if (!ss_read_is_object (reader, at) || !ss_read_member (reader, at, "type", "force, torque or joint", &member))
    return;
  type = ss_read_choice (reader, &member, types, 3, "type of actuator");
  if (type < 0)
    return;
  actuator.kind = (SsActuatorKind)type; /* `types` is in the order of SsActuatorKind */
  actuator.name = ss_scene_read_name (scene, at, "actuator");
  if (ss_at_member (reader, at, "lower", &member))
    ss_read_number (reader, &member, SS_ANY_NUMBER, &actuator.lower);
  if (ss_at_member (reader, at, "upper", &member))
    ss_read_number (reader, &member, SS_ANY_NUMBER, &actuator.upper);
  if (actuator.lower > actuator.upper)
    ss_reader_problem (reader, at, "lower <= upper", "no value fits between lower and upper");
  if (ss_at_member (reader, at, "formula", &member))
    actuator.formula = read_force_formula (scene, &member);
  if (actuator.kind == SS_ACTUATOR_JOINT) {
    actuator.joint = read_driven_joint (scene, at);
    if (actuator.joint < 0)
      return;
  } else {
    actuator.body = read_moving_body (scene, at, "actuator");
    if (actuator.body < 0 || (actuator.kind == SS_ACTUATOR_FORCE && !read_direction (scene, at, &actuator)))
      return;
  }
  if (ss_reader_reserve (reader, (void **)&scene->actuators, &scene->actuator_capacity, scene->n_actuators + 1,
                         sizeof *scene->actuators))
    scene->actuators[scene->n_actuators++] = actuator;
}

/* ---- forces ------------------------------------------------------------------------------------------------------ */

static void
read_force (SsReader *reader, const SsJsonAt *at, void *user_data)
{
  SsSceneReader *scene = user_data;
  SsForce force = {.name = "", .fx = SS_EXPR_NONE, .fy = SS_EXPR_NONE, .torque = SS_EXPR_NONE};
  SsJsonAt member, child;
  bool has_force, has_torque;

  if (!ss_read_is_object (reader, at))
    return;
  force.name = ss_scene_read_name (scene, at, "force");
  force.body = read_moving_body (scene, at, "force");
  has_force = ss_at_member (reader, at, "force", &member);
  if (has_force) {
    if (!json_is_array (member.value) || json_array_size (member.value) != 2) {
      ss_reader_problem (reader, &member, "two formulas [fx, fy]", "this is no pair of formulas");
    } else {
      for (bool more = ss_at_first (reader, &member, &child); more; more = ss_at_next (reader, &child))
        *(child.index == 0 ? &force.fx : &force.fy) = read_force_formula (scene, &child);
    }
  }
  has_torque = ss_at_member (reader, at, "torque", &member);
  if (has_torque)
    force.torque = read_force_formula (scene, &member);
  if (!has_force && !has_torque)
    ss_reader_problem (reader, at, "'force' [fx, fy], 'torque' or both", "the force has neither a force nor a torque");
  if (force.body >= 0 && ss_reader_reserve (reader, (void **)&scene->forces, &scene->force_capacity,
                                            scene->n_forces + 1, sizeof *scene->forces))
    scene->forces[scene->n_forces++] = force;
}

void
ss_read_actuators (SsSceneReader *scene, const SsJsonAt *scene_at)
{
  ss_scene_read_list (scene, scene_at, "actuators", read_actuator);
  ss_scene_read_list (scene, scene_at, "forces", read_force);
}
