/* engine/dynamics/ss-dynamics-expr.c: see ss-dynamics-expr.h. */
#include "dynamics/ss-dynamics-expr.h"

#include <math.h>

/* Smoothing of the length of springs and ropes [m]; see the header. */
static const double length_smoothing = 1e-9;

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

static SsExpr
number_at (const SsMotionExpr *m, const double *number)
{
  return ss_expr_number_at (m->graph, m->inputs, number);
}

/* Arm of an anchor in the world frame; the world's own anchor is itself. */
static SsVec2Expr
arm_of (const SsMotionExpr *m, int body, const SsVec2 *anchor)
{
  SsVec2Expr local = ss_vec2_expr_at (m->graph, m->inputs, anchor);
  return body < 0 ? local : ss_vec2_expr_turn (m->graph, ss_vec2_expr_direction (m->graph, m->q[3 * body + 2]), local);
}

static SsVec2Expr
centre_of (const SsMotionExpr *m, int body)
{
  if (body < 0)
    return ss_vec2_expr (m->graph, (SsVec2){0, 0});
  return (SsVec2Expr){m->q[3 * body], m->q[3 * body + 1]};
}

static SsExpr
angle_of (const SsMotionExpr *m, int body)
{
  return body < 0 ? ss_expr_number (m->graph, 0) : m->q[3 * body + 2];
}

SsVec2Expr
ss_dynamics_expr_velocity_at (const SsMotionExpr *m, int body, SsVec2Expr point)
{
  SS_ASSERT (m != NULL);
  SS_ASSERT (body >= -1 && body < m->scene->n_bodies);

  SsGraph *g = m->graph;
  if (body < 0)
    return ss_vec2_expr (g, (SsVec2){0, 0});
  SsVec2Expr r = ss_vec2_expr_sub (g, point, centre_of (m, body));
  SsExpr omega = m->v[3 * body + 2];
  return (SsVec2Expr){ss_expr_sub (g, m->v[3 * body], ss_expr_mul (g, omega, r.y)),
                      ss_expr_add (g, m->v[3 * body + 1], ss_expr_mul (g, omega, r.x))};
}

static void
add_to (SsGraph *g, SsExpr *sum, SsExpr what)
{
  *sum = ss_expr_add (g, *sum, what);
}

void
ss_dynamics_expr_push_at (const SsMotionExpr *m, int body, SsVec2Expr point, SsVec2Expr force, SsExpr *f)
{
  SS_ASSERT (m != NULL && f != NULL);
  SS_ASSERT (body >= -1 && body < m->scene->n_bodies);

  if (body < 0)
    return;
  SsVec2Expr r = ss_vec2_expr_sub (m->graph, point, centre_of (m, body));
  add_to (m->graph, &f[3 * body], force.x);
  add_to (m->graph, &f[3 * body + 1], force.y);
  add_to (m->graph, &f[3 * body + 2], ss_vec2_expr_cross (m->graph, r, force));
}

void
ss_dynamics_expr_push (const SsMotionExpr *m, const SsRowExpr *row, SsExpr force, SsExpr *f)
{
  SS_ASSERT (m != NULL && row != NULL && f != NULL);

  for (int side = 0; side < 2; side++)
    for (int k = 0; row->body[side] >= 0 && k < 3; k++)
      add_to (m->graph, &f[3 * row->body[side] + k], ss_expr_mul (m->graph, row->j[3 * side + k], force));
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

typedef struct {
  SsVec2Expr ra, rb, d;
} Ends;

static Ends
find_ends (const SsMotionExpr *m, int body_a, const SsVec2 *anchor_a, int body_b, const SsVec2 *anchor_b)
{
  SsGraph *g = m->graph;
  Ends ends = {.ra = arm_of (m, body_a, anchor_a), .rb = arm_of (m, body_b, anchor_b)};
  const SsVec2Expr arms = ss_vec2_expr_sub (g, ends.rb, ends.ra);
  const SsVec2Expr a = centre_of (m, body_a), b = centre_of (m, body_b);
  ends.d = ss_vec2_expr_add (g, ss_vec2_expr_sub (g, b, a), arms);
  return ends;
}

/* Jacobian of e . d for a direction that does not turn. */
static void
set_direction (SsGraph *g, SsRowExpr *row, const Ends *ends, SsVec2Expr e)
{
  row->j[0] = ss_expr_neg (g, e.x);
  row->j[1] = ss_expr_neg (g, e.y);
  row->j[2] = ss_expr_neg (g, ss_vec2_expr_cross (g, ends->ra, e));
  row->j[3] = e.x;
  row->j[4] = e.y;
  row->j[5] = ss_vec2_expr_cross (g, ends->rb, e);
}

/* phi = e . d with e turning with body a. */
static void
set_turning_direction (SsGraph *g, SsRowExpr *row, const Ends *ends, SsVec2Expr e)
{
  SsVec2Expr across = {ss_expr_neg (g, e.y), e.x};
  set_direction (g, row, ends, e);
  row->j[2] = ss_expr_add (g, row->j[2], ss_vec2_expr_dot (g, across, ends->d));
  row->phi = ss_vec2_expr_dot (g, e, ends->d);
}

static void
set_angle (const SsMotionExpr *m, SsRowExpr *row)
{
  for (int k = 0; k < 6; k++)
    row->j[k] = ss_expr_number (m->graph, k == 2 ? -1 : k == 5 ? 1 : 0);
  const SsExpr a = angle_of (m, row->body[0]), b = angle_of (m, row->body[1]);
  row->phi = ss_expr_sub (m->graph, b, a);
}

static Ends
joint_ends (const SsMotionExpr *m, const SsJoint *joint)
{
  return find_ends (m, joint->body_a, &joint->anchor_a, joint->body_b, &joint->anchor_b);
}

static SsVec2Expr
joint_axis (const SsMotionExpr *m, const SsJoint *joint)
{
  return arm_of (m, joint->body_a, &joint->axis);
}

static SsExpr
length_of (SsGraph *g, SsVec2Expr d)
{
  const SsExpr smoothing = ss_expr_number (g, length_smoothing * length_smoothing);
  return ss_graph_unary (g, SS_OP_SQRT, ss_expr_add (g, ss_vec2_expr_dot (g, d, d), smoothing));
}

static SsVec2Expr
direction_of (SsGraph *g, SsVec2Expr d, SsExpr length)
{
  return (SsVec2Expr){ss_expr_div (g, d.x, length), ss_expr_div (g, d.y, length)};
}

static void
set_gear (const SsMotionExpr *m, const SsJoint *joint, SsRowExpr *row)
{
  SsGraph *g = m->graph;
  row->phi = ss_expr_neg (g, number_at (m, &joint->angle));
  for (int k = 0; k < 6; k++)
    row->j[k] = k % 3 == 2 ? number_at (m, &joint->radius[k / 3]) : ss_expr_number (g, 0);
  for (int side = 0; side < 2; side++)
    row->phi = ss_expr_add (g, row->phi, ss_expr_mul (g, row->j[3 * side + 2], angle_of (m, row->body[side])));
}

/* The room that is left of the length. */
static void
set_rope (const SsMotionExpr *m, const SsJoint *joint, SsRowExpr *row)
{
  SsGraph *g = m->graph;
  row->phi = number_at (m, &joint->length);
  for (int k = 0; k < 6; k++)
    row->j[k] = ss_expr_number (g, 0);
  for (int i = 0; i <= joint->n_over; i++) {
    const SsVec2 *const from = i == 0 ? &joint->anchor_a : &joint->over[i - 1].anchor, *const to =
                                                                                           i == joint->n_over
                                                                                               ? &joint->anchor_b
                                                                                               : &joint->over[i].anchor;
    const int body[2] = {ss_rope_point (joint, i).body, ss_rope_point (joint, i + 1).body};
    const Ends ends = find_ends (m, body[0], from, body[1], to);
    const SsExpr length = length_of (g, ends.d);
    SsRowExpr span = {.index = 0};
    set_direction (g, &span, &ends, direction_of (g, ends.d, length));
    row->phi = ss_expr_sub (g, row->phi, length);
    for (int k = 0; k < 12; k++) /* end k / 6 of the span, side (k / 3) % 2 of the row */
      if (body[k / 6] >= 0 && row->body[k / 3 % 2] == body[k / 6])
        row->j[k % 6] = ss_expr_sub (g, row->j[k % 6], span.j[3 * (k / 6) + k % 3]);
  }
}

/* (|d|^2 - L^2) / 2L with Jacobian d / L. */
static void
set_rod (const SsMotionExpr *m, const SsJoint *joint, const Ends *ends, SsRowExpr *row)
{
  SsGraph *g = m->graph;
  SsExpr length = number_at (m, &joint->length);
  SsVec2Expr e = ss_vec2_expr_scale (g, ss_expr_div (g, ss_expr_number (g, 1), length), ends->d);
  set_direction (g, row, ends, e);
  const SsExpr wanted = ss_expr_mul (g, length, length), square = ss_vec2_expr_dot (g, ends->d, ends->d),
               excess = ss_expr_sub (g, square, wanted);
  row->phi = ss_expr_mul (g, ss_expr_div (g, ss_expr_number (g, 0.5), length), excess);
}

/* A formula of scene slots in a graph with those slots. */
static SsExpr
formula_of_graph (const SsMotionExpr *m, const SsGraph *graph, SsExpr formula)
{
  const SsScene *scene = m->scene;
  int n_slots =
      scene->slot_controls + scene->n_actuators; /* controls are no slots of a scene whose task does not read them */
  SsExpr *map = ss_new_array (SsExpr, (size_t)n_slots + 1);
  SsExpr out;
  if (map == NULL)
    return SS_EXPR_NONE;
  for (int i = 0; i < n_slots; i++)
    map[i] = SS_EXPR_NONE;
  for (int i = 0; i < scene->n_bodies; i++)
    for (int k = 0; k < 3; k++) {
      map[6 * i + k] = m->q[3 * i + k];
      map[6 * i + 3 + k] = m->v != NULL ? m->v[3 * i + k] : SS_EXPR_NONE;
    }
  for (int i = scene->slot_parameters; i < scene->slot_t; i++)
    map[i] = number_at (m, &scene->parameter_values[i - scene->slot_parameters]);
  map[scene->slot_t] = m->t;
  for (int i = scene->slot_controls; m->u != NULL && i < n_slots; i++)
    map[i] = m->u[i - scene->slot_controls];
  out = ss_graph_import (m->graph, graph, formula, map, n_slots);
  ss_free (map);
  return out;
}

SsExpr
ss_dynamics_expr_formula (const SsMotionExpr *m, SsExpr formula)
{
  SS_ASSERT (m != NULL);
  SS_ASSERT (m->graph != NULL && m->scene != NULL);

  return formula_of_graph (m, m->scene->graph, formula);
}

/* phi of a constraint and its slopes: taken in the scene's coordinates, then put where the motion has them. */
static void
set_formula (const SsMotionExpr *m, const SsJoint *joint, SsRowExpr *row)
{
  SsGraph *own = NULL;
  SsStatus status = ss_graph_new (&own, NULL);
  const SsExpr phi = status == SS_OK ? ss_graph_import (own, m->scene->graph, joint->formula, NULL, 0) : SS_EXPR_NONE;
  row->phi = ss_dynamics_expr_formula (m, joint->formula);
  for (int k = 0; k < 6; k++) {
    const int body = row->body[k / 3];
    row->j[k] = body < 0 ? ss_expr_number (m->graph, 0)
                : own == NULL
                    ? SS_EXPR_NONE
                    : formula_of_graph (m, own, ss_graph_derivative (own, phi, SS_BODY_CHANNELS * body + k % 3));
  }
  ss_graph_free (own);
}

int
ss_dynamics_expr_joint (const SsMotionExpr *m, int index, SsRowExpr rows[SS_ROW_EXPR_JOINT_MAX])
{
  SS_ASSERT (m != NULL && rows != NULL);
  SS_ASSERT (index >= 0 && index < m->scene->n_joints);

  SsGraph *g = m->graph;
  const SsJoint *joint = &m->scene->joints[index];
  int n = 0;
  for (int k = 0; k < SS_ROW_EXPR_JOINT_MAX; k++)
    rows[k] = (SsRowExpr){.source = index, .index = k, .body = {joint->body_a, joint->body_b}};
  if (ss_joint_n_rows (joint) == 0)
    return 0; /* it is a limit alone */
  if (joint->kind == SS_JOINT_FORMULA) {
    set_formula (m, joint, &rows[0]);
    return 1;
  }
  if (joint->kind == SS_JOINT_GEAR) {
    set_gear (m, joint, &rows[0]);
    return 1;
  }
  Ends ends = joint_ends (m, joint);
  if (joint->kind == SS_JOINT_ROD) {
    set_rod (m, joint, &ends, &rows[0]);
    return 1;
  }
  if (joint->kind == SS_JOINT_SLIDER) {
    SsVec2Expr axis = joint_axis (m, joint);
    set_turning_direction (g, &rows[n++], &ends, (SsVec2Expr){ss_expr_neg (g, axis.y), axis.x});
  } else {
    for (int k = 0; k < 2; k++, n++) {
      set_direction (g, &rows[n], &ends, ss_vec2_expr (g, (SsVec2){k == 0, k == 1}));
      rows[n].phi = k == 0 ? ends.d.x : ends.d.y;
    }
  }
  if (joint->kind != SS_JOINT_PIN) {
    set_angle (m, &rows[n]);
    rows[n].phi = ss_expr_sub (g, rows[n].phi, number_at (m, &joint->angle));
    n++;
  }
  return n;
}

/* What a limit bounds and a joint's motor drives: the angle of a pin, the travel of a slider, the room of a rope. */
static void
set_travel (const SsMotionExpr *m, const SsJoint *joint, SsRowExpr *row)
{
  if (joint->kind == SS_JOINT_FORMULA) {
    set_formula (m, joint, row);
  } else if (joint->kind == SS_JOINT_ROPE) {
    set_rope (m, joint, row);
  } else if (joint->kind == SS_JOINT_PIN) {
    set_angle (m, row);
  } else {
    Ends ends = joint_ends (m, joint);
    set_turning_direction (m->graph, row, &ends, joint_axis (m, joint));
  }
}

int
ss_dynamics_expr_limits (const SsMotionExpr *m, int index, SsRowExpr rows[SS_ROW_EXPR_LIMITS_MAX])
{
  SS_ASSERT (m != NULL && rows != NULL);
  SS_ASSERT (index >= 0 && index < m->scene->n_joints);

  const SsJoint *joint = &m->scene->joints[index];
  int n = 0;
  if (!ss_joint_has_range (joint))
    return 0;
  for (int end = 0; end < 2; end++) {
    const double *bound = end == 0 ? &joint->lower : &joint->upper;
    if (!isfinite (*bound))
      continue;
    SsRowExpr *row = &rows[n++];
    *row = (SsRowExpr){.source = index, .index = end, .body = {joint->body_a, joint->body_b}};
    set_travel (m, joint, row);
    row->phi = ss_expr_sub (m->graph, row->phi, number_at (m, bound));
    for (int k = 0; k < 6 && end == 1; k++)
      row->j[k] = ss_expr_neg (m->graph, row->j[k]);
    if (end == 1)
      row->phi = ss_expr_neg (m->graph, row->phi);
  }
  return n;
}

void
ss_dynamics_expr_travel (const SsMotionExpr *m, int index, SsRowExpr *row)
{
  SS_ASSERT (m != NULL && row != NULL && index >= 0 && index < m->scene->n_joints);

  const SsJoint *joint = &m->scene->joints[index];
  *row = (SsRowExpr){.source = index, .body = {joint->body_a, joint->body_b}};
  set_travel (m, joint, row);
}

/* ---- forces ------------------------------------------------------------------------------------------------------ */

static void
add_spring (const SsMotionExpr *m, const SsSpring *spring, SsExpr *f)
{
  SsGraph *g = m->graph;
  SsRowExpr row = {.body = {spring->body_a, spring->body_b}};
  SsExpr force, rate = ss_expr_number (g, 0), pull = ss_expr_neg (g, number_at (m, &spring->stiffness));
  if (spring->is_torsion) {
    set_angle (m, &row);
  } else {
    Ends ends = find_ends (m, spring->body_a, &spring->anchor_a, spring->body_b, &spring->anchor_b);
    const SsExpr length = length_of (g, ends.d);
    if (spring->rest == 0 && spring->damping == 0) { /* no direction is needed: the force is -k d */
      for (int k = 0; k < 2; k++) {
        set_direction (g, &row, &ends, ss_vec2_expr (g, (SsVec2){k == 0, k == 1}));
        force = ss_expr_mul (g, pull, k == 0 ? ends.d.x : ends.d.y);
        ss_dynamics_expr_push (m, &row, force, f);
      }
      return;
    }
    set_direction (g, &row, &ends, direction_of (g, ends.d, length));
    row.phi = length;
  }
  for (int side = 0; side < 2; side++)
    for (int k = 0; row.body[side] >= 0 && k < 3; k++)
      add_to (g, &rate, ss_expr_mul (g, row.j[3 * side + k], m->v[3 * row.body[side] + k]));
  const SsExpr drag = ss_expr_mul (g, ss_expr_neg (g, number_at (m, &spring->damping)), rate);
  force = ss_expr_add (g, ss_expr_mul (g, pull, ss_expr_sub (g, row.phi, number_at (m, &spring->rest))), drag);
  ss_dynamics_expr_push (m, &row, force, f);
}

/* Reads nothing but the time and parameters. */
static bool
is_of_time (const SsScene *scene, SsExpr e)
{
  int slots[64];
  const int most = sizeof slots / sizeof *slots, n = ss_graph_inputs (scene->graph, e, slots, most);
  for (int i = 0; i < n && i < most; i++)
    if (slots[i] < scene->slot_parameters || slots[i] > scene->slot_t)
      return false;
  return n <= most;
}

/* What switches in the formula, if anything, switches with the time alone. */
static bool
switches_with_time (const SsScene *scene, SsExpr e)
{
  const SsGraph *graph = scene->graph;
  if (ss_graph_is_smooth (graph, e) || is_of_time (scene, e))
    return true;
  if (ss_graph_op (graph, e) == SS_OP_IF)
    return is_of_time (scene, ss_graph_operand (graph, e, 0)) &&
           switches_with_time (scene, ss_graph_operand (graph, e, 1)) &&
           switches_with_time (scene, ss_graph_operand (graph, e, 2));
  const SsOp op = ss_graph_op (graph, e);
  if (op == SS_OP_LT || op == SS_OP_LE || op == SS_OP_EQ || op == SS_OP_AND || op == SS_OP_OR || op == SS_OP_NOT ||
      op == SS_OP_FLOOR || op == SS_OP_MOD)
    return false;
  for (int k = 0; k < 3 && ss_graph_operand (graph, e, k) != SS_EXPR_NONE; k++)
    if (!switches_with_time (scene, ss_graph_operand (graph, e, k)))
      return false;
  return true;
}

static SsStatus
add_formulas (const SsMotionExpr *m, const SsForce *force, SsExpr *f, SsError *err)
{
  const SsExpr parts[3] = {force->fx, force->fy, force->torque};
  for (int k = 0; k < 3; k++) {
    if (parts[k] == SS_EXPR_NONE)
      continue;
    if (!ss_graph_is_smooth (m->scene->graph, parts[k]) &&
        !(m->time_may_switch && switches_with_time (m->scene, parts[k])))
      return ss_error_set (err, SS_ERR_INVALID,
                           "force '%s' has a formula without derivative (a comparison, if, floor or mod)%s",
                           force->name,
                           m->time_may_switch ? " that reads more than the time: nobody would detect its switch"
                                              : ", which optimisers cannot use");
    add_to (m->graph, &f[3 * force->body + k], ss_dynamics_expr_formula (m, parts[k]));
  }
  return SS_OK;
}

static void
add_actuator (const SsMotionExpr *m, const SsActuator *actuator, SsExpr u, SsExpr *f)
{
  SsGraph *g = m->graph;
  if (actuator->kind == SS_ACTUATOR_JOINT) {
    const SsJoint *joint = &m->scene->joints[actuator->joint];
    SsRowExpr row = {.body = {joint->body_a, joint->body_b}};
    if (joint->kind != SS_JOINT_PIN && joint->kind != SS_JOINT_SLIDER)
      return;
    set_travel (m, joint, &row);
    ss_dynamics_expr_push (m, &row, u, f);
    return;
  }
  if (actuator->kind == SS_ACTUATOR_TORQUE) {
    add_to (g, &f[3 * actuator->body + 2], u);
    return;
  }
  SsVec2Expr e = actuator->is_body_frame ? arm_of (m, actuator->body, &actuator->direction)
                                         : ss_vec2_expr_at (g, m->inputs, &actuator->direction);
  SsVec2Expr arm = arm_of (m, actuator->body, &actuator->anchor);
  add_to (g, &f[3 * actuator->body], ss_expr_mul (g, u, e.x));
  add_to (g, &f[3 * actuator->body + 1], ss_expr_mul (g, u, e.y));
  add_to (g, &f[3 * actuator->body + 2], ss_expr_mul (g, u, ss_vec2_expr_cross (g, arm, e)));
}

SsStatus
ss_dynamics_expr_forces (const SsMotionExpr *m, SsExpr *f, SsError *err)
{
  SS_ASSERT (m != NULL && f != NULL);
  SS_ASSERT (m->graph != NULL && m->scene != NULL && m->q != NULL && m->v != NULL);

  const SsScene *scene = m->scene;
  for (int i = 0; i < scene->n_bodies; i++) {
    SsExpr mass = number_at (m, &scene->bodies[i].mass);
    f[3 * i] = ss_expr_mul (m->graph, mass, number_at (m, &scene->gravity.x));
    f[3 * i + 1] = ss_expr_mul (m->graph, mass, number_at (m, &scene->gravity.y));
    f[3 * i + 2] = ss_expr_number (m->graph, 0);
  }
  for (int i = 0; i < scene->n_springs; i++)
    add_spring (m, &scene->springs[i], f);
  for (int i = 0; i < scene->n_forces; i++) {
    SsStatus status = add_formulas (m, &scene->forces[i], f, err);
    if (status != SS_OK)
      return status;
  }
  for (int i = 0; i < scene->n_actuators; i++)
    add_actuator (m, &scene->actuators[i], m->u[i], f);
  return SS_OK;
}
