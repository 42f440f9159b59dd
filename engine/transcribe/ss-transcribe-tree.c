/* engine/transcribe/ss-transcribe-tree.c: motions in joint coordinates; see ss-transcribe-tree.h. */
#include "transcribe/ss-transcribe-tree.h"

#include <math.h>
#include <string.h>

static const char *const q_names[3] = {"x", "y", "theta"};
static const char *const v_names[3] = {"vx", "vy", "omega"};

/* ---- slots ------------------------------------------------------------------------------------------------------- */

static const SsJoint *
carrier_of (const SsTranscription *t, int body)
{
  return t->tree[body] >= 0 ? &t->scene->joints[t->tree[body]] : NULL;
}

bool
ss_transcription_has_slot (const SsTranscription *t, int slot)
{
  const SsJoint *joint = carrier_of (t, slot / 3);

  return joint == NULL || (slot % 3 == 0 && joint->kind != SS_JOINT_WELD);
}

bool
ss_transcription_is_own_slot (const SsTranscription *t, int slot)
{
  SS_ASSERT (t != NULL && t->n_points <= t->point_capacity && t->n_rows <= t->row_capacity);
  return t->tree[slot / 3] < 0;
}

const char *
ss_transcription_slot_owner (const SsTranscription *t, int slot)
{
  const SsJoint *joint = carrier_of (t, slot / 3);

  return joint != NULL ? joint->name : t->scene->bodies[slot / 3].name;
}

const char *
ss_transcription_slot_name (const SsTranscription *t, int slot, bool is_rate)
{
  if (!ss_transcription_is_own_slot (t, slot))
    return is_rate ? "velocity" : "position";
  return is_rate ? v_names[slot % 3] : q_names[slot % 3];
}

/* ---- expressions ------------------------------------------------------------------------------------------------- */

SsCoordinatesExpr
ss_transcription_coordinates (SsTranscription *t, const int *of_q, const int *of_v, int shift)
{
  SS_ASSERT (t != NULL && t->n_points <= t->point_capacity && t->n_rows <= t->row_capacity);

  const size_t n = 3 * (size_t)t->scene->n_bodies;
  SsExpr *q = ss_transcription_alloc (t, n, sizeof *q), *v = ss_transcription_alloc (t, n, sizeof *v);
  int *slot_q = ss_transcription_alloc (t, n, sizeof *slot_q), *slot_v = ss_transcription_alloc (t, n, sizeof *slot_v);
  const SsExpr zero = ss_expr_number (t->graph, 0);

  if (t->out_of_memory)
    return (SsCoordinatesExpr){0};
  for (size_t i = 0; i < n; i++) {
    const SsBody *body = &t->scene->bodies[i / 3];
    const bool is_own = ss_transcription_is_own_slot (t, (int)i);

    q[i] = of_q[i] != SS_NO_VARIABLE ? ss_transcription_variable (t, of_q[i], shift)
           : is_own                  ? ss_transcription_number (t, &body->q[i % 3])
                                     : zero;
    v[i] = of_v[i] != SS_NO_VARIABLE   ? ss_transcription_variable (t, of_v[i], shift)
           : body->is_fixed || !is_own ? zero
                                       : ss_transcription_number (t, &body->v[i % 3]);
    slot_q[i] = of_q[i] != SS_NO_VARIABLE ? of_q[i] + shift * t->n_variables : -1;
    slot_v[i] = of_v[i] != SS_NO_VARIABLE ? of_v[i] + shift * t->n_variables : -1;
  }
  return (SsCoordinatesExpr){.q = q, .v = v, .of_q = slot_q, .of_v = slot_v};
}

void
ss_transcription_poses (const SsTranscription *t, const SsCoordinatesExpr *at, SsExpr *q)
{
  SS_ASSERT (t != NULL && t->n_points <= t->point_capacity && t->n_rows <= t->row_capacity);

  const int n_bodies = t->scene->n_bodies;

  for (int i = 0; i < 3 * n_bodies; i++)
    q[i] = at->q[i];
  /* a carrier may itself be carried, by a body of any index: as many rounds as there are bodies reach all */
  for (int round = 0; round < n_bodies; round++)
    for (int b = 0; b < n_bodies; b++) {
      const SsJoint *joint = carrier_of (t, b);

      if (joint != NULL)
        ss_transcription_carry (t, joint, joint->body_a >= 0 ? q + 3 * joint->body_a : NULL, at->q[3 * b], q + 3 * b);
    }
}

/* sum_k d e / d s_k times factor_k over the inputs of the slots. */
static SsExpr
along (const SsTranscription *t, SsExpr e, const int *inputs, const SsExpr *factors)
{
  SsGraph *g = t->graph;
  const SsExpr zero = ss_expr_number (g, 0);
  SsExpr sum = zero;

  for (int k = 0; k < 3 * t->scene->n_bodies; k++) {
    if (inputs[k] < 0)
      continue;
    const SsExpr j = ss_graph_derivative (g, e, inputs[k]);

    if (j != zero)
      sum = ss_expr_add (g, sum, ss_expr_mul (g, j, factors[k]));
  }
  return sum;
}

void
ss_transcription_velocities (const SsTranscription *t, const SsCoordinatesExpr *at, const SsExpr *q,
                             const SsExpr *rates, SsExpr *v)
{
  SS_ASSERT (t != NULL && t->n_points <= t->point_capacity && t->n_rows <= t->row_capacity);
  if (rates == NULL)
    rates = at->v;
  for (int i = 0; i < 3 * t->scene->n_bodies; i++)
    v[i] = ss_transcription_is_own_slot (t, i) ? rates[i] : along (t, q[i], at->of_q, rates);
}

void
ss_transcription_changes (const SsTranscription *t, const SsCoordinatesExpr *at, const SsExpr *q, const SsExpr *v,
                          const SsExpr *d, SsExpr length, SsExpr *change)
{
  SS_ASSERT (t != NULL && t->n_points <= t->point_capacity && t->n_rows <= t->row_capacity);

  SsGraph *g = t->graph;

  for (int i = 0; i < 3 * t->scene->n_bodies; i++) {
    if (ss_transcription_is_own_slot (t, i)) {
      change[i] = d[i];
      continue;
    }
    change[i] = along (t, q[i], at->of_q, d);
    if (length != SS_EXPR_NONE)
      change[i] = ss_expr_add (g, change[i], ss_expr_mul (g, length, along (t, v[i], at->of_q, at->v)));
  }
}

/* What a joint's coordinate moves of the body that it carries: its inertia about a pin, its mass along a slider. */
SsExpr
ss_transcription_carried_mass (const SsTranscription *t, const SsJoint *joint)
{
  SS_ASSERT (t != NULL && t->n_points <= t->point_capacity && t->n_rows <= t->row_capacity && joint != NULL);

  SsGraph *g = t->graph;
  const SsBody *body = &t->scene->bodies[joint->body_b];
  SsExpr mass = ss_transcription_number (t, &body->mass);
  SsVec2Expr anchor = ss_vec2_expr_at (g, t->inputs, &joint->anchor_b);
  SsExpr arm;

  if (joint->kind != SS_JOINT_PIN)
    return mass;
  if (ss_graph_op (g, anchor.x) == SS_OP_CONSTANT && ss_graph_op (g, anchor.y) == SS_OP_CONSTANT)
    arm = ss_expr_number (g, hypot (joint->anchor_b.x, joint->anchor_b.y));
  else
    arm = ss_graph_unary (g, SS_OP_SQRT, ss_vec2_expr_dot (g, anchor, anchor));
  const SsExpr carried = ss_expr_mul (g, ss_expr_mul (g, mass, arm), arm);
  return ss_expr_add (g, ss_transcription_number (t, &body->inertia), carried);
}

static SsExpr
mass_expr (const SsTranscription *t, int i)
{
  const SsBody *body = &t->scene->bodies[i / 3];

  return ss_transcription_number (t, i % 3 < 2 ? &body->mass : &body->inertia);
}

/* (M change - length f)_i over `mass`. */
static SsExpr
balance (const SsTranscription *t, int i, SsExpr mass, SsExpr change, SsExpr f, SsExpr length)
{
  SsGraph *g = t->graph;
  const SsExpr own = mass_expr (t, i);

  if (own != mass)
    change = ss_expr_mul (g, ss_expr_div (g, own, mass), change);
  if (length == SS_EXPR_NONE)
    return ss_expr_sub (g, change, ss_expr_div (g, f, mass));
  return ss_expr_sub (g, change,
                      ss_expr_mul (g, ss_expr_mul (g, ss_expr_div (g, ss_expr_number (g, 1), mass), length), f));
}

SsExpr
ss_transcription_slot_balance (const SsTranscription *t, const SsCoordinatesExpr *at, int slot, const SsExpr *q,
                               const SsExpr *change, const SsExpr *f, SsExpr length)
{
  SS_ASSERT (t != NULL && t->n_points <= t->point_capacity && t->n_rows <= t->row_capacity);

  SsGraph *g = t->graph;
  const bool is_own = ss_transcription_is_own_slot (t, slot);
  const SsExpr zero = ss_expr_number (g, 0),
               mass = is_own ? mass_expr (t, slot) : ss_transcription_carried_mass (t, carrier_of (t, slot / 3));
  SsExpr sum = is_own ? balance (t, slot, mass, change[slot], f[slot], length) : zero;

  for (int i = 0; i < 3 * t->scene->n_bodies; i++) {
    if (ss_transcription_is_own_slot (t, i) || at->of_q[slot] < 0)
      continue;
    const SsExpr j = ss_graph_derivative (g, q[i], at->of_q[slot]);

    if (j != zero)
      sum = ss_expr_add (g, sum, ss_expr_mul (g, j, balance (t, i, mass, change[i], f[i], length)));
  }
  return sum;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static SsVec2
turn (double angle, SsVec2 a)
{
  return (SsVec2){cos (angle) * a.x - sin (angle) * a.y, sin (angle) * a.x + cos (angle) * a.y};
}

static const double still[3] = {0, 0, 0};

void
ss_transcription_find_slots (const SsTranscription *t, const double *q, const double *v, double *slots, double *rates)
{
  SS_ASSERT (t != NULL && t->n_points <= t->point_capacity && t->n_rows <= t->row_capacity);

  const SsScene *scene = t->scene;

  memcpy (slots, q, 3 * (size_t)scene->n_bodies * sizeof *slots);
  memcpy (rates, v, 3 * (size_t)scene->n_bodies * sizeof *rates);
  for (int b = 0; b < scene->n_bodies; b++) {
    const SsJoint *joint = carrier_of (t, b);

    if (joint == NULL)
      continue;
    const double *q_a = joint->body_a >= 0 ? q + 3 * joint->body_a : still, *q_b = q + 3 * b,
                 *v_a = joint->body_a >= 0 ? v + 3 * joint->body_a : still, *v_b = v + 3 * b;
    const SsVec2 r_a = turn (q_a[2], joint->anchor_a), r_b = turn (q_b[2], joint->anchor_b);
    const SsVec2 axis = turn (q_a[2], joint->axis);
    const SsVec2 apart = {q_b[0] + r_b.x - q_a[0] - r_a.x, q_b[1] + r_b.y - q_a[1] - r_a.y};
    const SsVec2 speed = {v_b[0] - v_b[2] * r_b.y - v_a[0] + v_a[2] * r_a.y,
                          v_b[1] + v_b[2] * r_b.x - v_a[1] - v_a[2] * r_a.x};

    memset (slots + 3 * b, 0, 3 * sizeof *slots);
    memset (rates + 3 * b, 0, 3 * sizeof *rates);
    if (joint->kind == SS_JOINT_WELD)
      continue;
    slots[3 * b] = ss_transcription_travel (scene, t->tree[b], q);
    rates[3 * b] = joint->kind == SS_JOINT_PIN
                       ? v_b[2] - v_a[2]
                       : speed.x * axis.x + speed.y * axis.y + v_a[2] * (apart.y * axis.x - apart.x * axis.y);
  }
}

/* The body that the joint carries, from the one that carries it. */
static void
follow (const SsJoint *joint, double travel, double rate, const double *q_a, const double *v_a, double *q_b,
        double *v_b)
{
  const bool is_slider = joint->kind == SS_JOINT_SLIDER, is_pin = joint->kind == SS_JOINT_PIN;
  const SsVec2 axis = turn (q_a[2], joint->axis);
  SsVec2 arm = turn (q_a[2], joint->anchor_a), speed;

  if (is_slider)
    arm = (SsVec2){arm.x + travel * axis.x, arm.y + travel * axis.y};
  speed = (SsVec2){v_a[0] - v_a[2] * arm.y, v_a[1] + v_a[2] * arm.x};
  if (is_slider)
    speed = (SsVec2){speed.x + rate * axis.x, speed.y + rate * axis.y};
  q_b[2] = q_a[2] + (is_pin ? travel : joint->angle);
  v_b[2] = v_a[2] + (is_pin ? rate : 0);
  const SsVec2 r_b = turn (q_b[2], joint->anchor_b);
  q_b[0] = q_a[0] + arm.x - r_b.x;
  q_b[1] = q_a[1] + arm.y - r_b.y;
  v_b[0] = speed.x + v_b[2] * r_b.y;
  v_b[1] = speed.y - v_b[2] * r_b.x;
}

void
ss_transcription_follow_slots (const SsTranscription *t, const double *slots, const double *rates, double *q, double *v)
{
  SS_ASSERT (t != NULL && t->n_points <= t->point_capacity && t->n_rows <= t->row_capacity);

  const SsScene *scene = t->scene;

  memcpy (q, slots, 3 * (size_t)scene->n_bodies * sizeof *q);
  memcpy (v, rates, 3 * (size_t)scene->n_bodies * sizeof *v);
  for (int round = 0; round < scene->n_bodies; round++)
    for (int b = 0; b < scene->n_bodies; b++) {
      const SsJoint *joint = carrier_of (t, b);

      if (joint != NULL)
        follow (joint, slots[3 * b], rates[3 * b], joint->body_a >= 0 ? q + 3 * joint->body_a : still,
                joint->body_a >= 0 ? v + 3 * joint->body_a : still, q + 3 * b, v + 3 * b);
    }
}

double
ss_transcription_slot_mass (const SsTranscription *t, int slot)
{
  SS_ASSERT (t != NULL && t->n_points <= t->point_capacity && t->n_rows <= t->row_capacity);

  const SsBody *body = &t->scene->bodies[slot / 3];
  const SsJoint *joint = carrier_of (t, slot / 3);

  if (joint == NULL)
    return slot % 3 < 2 ? body->mass : body->inertia;
  if (joint->kind != SS_JOINT_PIN)
    return body->mass;
  return body->inertia + body->mass * (joint->anchor_b.x * joint->anchor_b.x + joint->anchor_b.y * joint->anchor_b.y);
}
