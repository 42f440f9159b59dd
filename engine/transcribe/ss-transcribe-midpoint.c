/* engine/transcribe/ss-transcribe-midpoint.c: the rows of time stepping with law=midpoint; see the law in
 * ss-transcribe.h. */
#include "transcribe/ss-transcribe-tree.h"

/* ---- a step ------------------------------------------------------------------------------------------------------ */

/* What the rows of a step share, in t->arena. */
typedef struct {
  SsExpr *way;      /* w = (q1 - q0)/h                                         */
  SsExpr *kick;     /* (forces at the middle + impulsive forces of the way)/2  */
  SsExpr *end_kick; /* the same with those of the end                          */
} Step;

/* The velocities of the way from a point to the next. */
static SsExpr *
list_way (SsTranscription *t)
{
  SsGraph *g = t->graph;
  const SsMotionExpr *m = t->motion;
  SsExpr *way = ss_transcription_alloc (t, 3 * (size_t)t->scene->n_bodies, sizeof *way);

  for (int i = 0; i < 3 * t->scene->n_bodies && way != NULL; i++) {
    const bool is_driven = t->v[i] == SS_NO_VARIABLE; /* or still */
    way[i] = is_driven ? m[1].v[i] : ss_expr_div (g, ss_expr_sub (g, m[1].q[i], m[0].q[i]), t->step);
  }
  return way;
}

/* f of the middle of the step: poses half way, velocities of the way. */
static SsStatus
find_forces (SsTranscription *t, const SsExpr *way, SsExpr *f, SsError *err)
{
  SsGraph *g = t->graph;
  const SsMotionExpr *m = t->motion;
  const SsExpr half = ss_expr_number (g, 0.5);
  SsExpr *q = ss_transcription_alloc (t, 3 * (size_t)t->scene->n_bodies, sizeof *q);
  SsMotionExpr middle = *m;

  if (q == NULL)
    return SS_ERR_MEMORY;
  for (int i = 0; i < 3 * t->scene->n_bodies; i++)
    q[i] = ss_expr_add (g, m[0].q[i], ss_expr_mul (g, half, ss_expr_sub (g, m[1].q[i], m[0].q[i])));
  middle.q = q;
  middle.v = way;
  middle.t = ss_expr_add (g, m[0].t, ss_expr_mul (g, half, t->step));
  return ss_dynamics_expr_forces (&middle, f, err);
}

static SsStatus
open_step (SsTranscription *t, Step *s, SsError *err)
{
  SsGraph *g = t->graph;
  const int n = 3 * t->scene->n_bodies;
  const SsExpr half = ss_expr_number (g, 0.5);

  *s = (Step){.way = list_way (t),
              .kick = ss_transcription_alloc (t, (size_t)n, sizeof (SsExpr)),
              .end_kick = ss_transcription_alloc (t, (size_t)n, sizeof (SsExpr))};
  if (s->way == NULL || s->kick == NULL || s->end_kick == NULL)
    return SS_ERR_MEMORY;
  SsStatus status = find_forces (t, s->way, s->kick, err);
  if (status != SS_OK)
    return status;
  for (int i = 0; i < n; i++)
    s->end_kick[i] = s->kick[i];
  ss_transcription_push (t, 0, false, s->kick);
  ss_transcription_push (t, 1, true, s->end_kick);
  for (int i = 0; i < n; i++) {
    s->kick[i] = ss_expr_mul (g, half, s->kick[i]);
    s->end_kick[i] = ss_expr_mul (g, half, s->end_kick[i]);
  }
  return SS_OK;
}

/* (m change - h f)/mass of coordinate i. */
static SsExpr
balance (const SsTranscription *t, int i, SsExpr mass, SsExpr change, SsExpr f)
{
  SsGraph *g = t->graph;
  const SsExpr own = ss_transcription_mass (t, i), one = ss_expr_number (g, 1);

  if (own != mass)
    change = ss_expr_mul (g, ss_expr_div (g, own, mass), change);
  return ss_expr_sub (g, change, ss_expr_mul (g, ss_expr_mul (g, ss_expr_div (g, one, mass), t->step), f));
}

/* Of the first half of the step, w - v0, or of the second, v1 - w; where no joint carries bodies the second is that of
 * the whole step, v1 - v0, which is the sum of both and has no division by the step. */
static SsExpr
half_balance (const SsTranscription *t, const Step *s, int i, bool is_end, SsExpr mass)
{
  SsGraph *g = t->graph;
  const SsMotionExpr *m = t->motion;

  if (!is_end)
    return balance (t, i, mass, ss_expr_sub (g, s->way[i], m[0].v[i]), s->kick[i]);
  if (t->is_joint)
    return balance (t, i, mass, ss_expr_sub (g, m[1].v[i], s->way[i]), s->end_kick[i]);
  const SsExpr change = ss_expr_sub (g, m[1].v[i], m[0].v[i]);
  return balance (t, i, mass, change, ss_expr_add (g, s->kick[i], s->end_kick[i]));
}

/* The balances of all that moves with a generalised coordinate, by its directions where the half begins or ends. */
static SsExpr
projected (const SsTranscription *t, const Step *s, int variable, int own, bool is_end, SsExpr mass)
{
  SsGraph *g = t->graph;
  const SsExpr zero = ss_expr_number (g, 0);
  SsExpr sum = own >= 0 ? half_balance (t, s, own, is_end, mass) : zero;

  for (int i = 0; i < 3 * t->scene->n_bodies; i++) {
    if (i == own || t->tree[i / 3] < 0)
      continue;
    const SsExpr j = ss_graph_derivative (g, t->motion[is_end].q[i], variable + (is_end ? t->n_variables : 0));

    if (j != zero)
      sum = ss_expr_add (g, sum, ss_expr_mul (g, j, half_balance (t, s, i, is_end, mass)));
  }
  return sum;
}

/* The two rows of a coordinate: the way's, as a length, and the velocity's. */
static void
add_halves (SsTranscription *t, const Step *s, const SsExpr *known, int variable, int own, SsExpr mass,
            const char *owner, const char *position, const char *velocity)
{
  const SsExpr way = ss_expr_mul (t->graph, t->step, projected (t, s, variable, own, false, mass));

  ss_transcription_add_step_row (t, known, ss_transcription_in_velocity (t, way), owner, position);
  ss_transcription_add_step_row (t, known, projected (t, s, variable, own, true, mass), owner, velocity);
}

SsStatus
ss_transcription_add_midpoint (SsTranscription *t, int first, int last, const SsExpr *known, SsError *err)
{
  SS_ASSERT (t != NULL && t->n_points <= t->point_capacity && t->n_rows <= t->row_capacity);
  static const char *const position_names[3] = {"x", "y", "theta"}, *const velocity_names[3] = {"vx", "vy", "omega"};
  const SsScene *scene = t->scene;
  const SsMotionExpr *m = t->motion;
  SsGraph *g = t->graph;
  Step s;
  SsStatus status = open_step (t, &s, err);

  if (status != SS_OK)
    return status;
  ss_transcription_open_block (t, "dynamics", first, last, 1);
  for (int i = 0; i < 3 * scene->n_bodies; i++) {
    const char *name = scene->bodies[i / 3].name;

    if (t->q[i] == SS_NO_VARIABLE)
      continue;
    if (t->v[i] != SS_NO_VARIABLE)
      add_halves (t, &s, known, t->q[i], i, ss_transcription_mass (t, i), name, position_names[i % 3],
                  velocity_names[i % 3]);
    else { /* driven */
      const SsExpr way = ss_expr_mul (g, t->step, m[1].v[i]), change = ss_expr_sub (g, m[1].q[i], m[0].q[i]);
      ss_transcription_add_step_row (t, known, ss_transcription_in_velocity (t, ss_expr_sub (g, change, way)), name,
                                     position_names[i % 3]);
    }
  }
  for (int b = 0; b < scene->n_bodies; b++)
    if (t->travel[b] != SS_NO_VARIABLE) {
      const SsJoint *joint = &scene->joints[t->tree[b]];
      add_halves (t, &s, known, t->travel[b], -1, ss_transcription_carried_mass (t, joint), joint->name, "position",
                  "balance");
    }
  if (t->clock != SS_NO_VARIABLE)
    ss_transcription_add_step_row (t, known, ss_expr_sub (g, ss_expr_sub (g, m[1].t, m[0].t), t->step), "time", "step");
  ss_transcription_close_block (t);
  return SS_OK;
}

/* ---- at the end of a step ---------------------------------------------------------------------------------------- */

/* J v + d phi/dt of a row at a motion. */
static SsExpr
row_velocity (const SsTranscription *t, const SsMotionExpr *m, const SsRowExpr *row, int shift)
{
  SsGraph *g = t->graph;
  const int clock = t->clock != SS_NO_VARIABLE ? t->clock + shift * t->n_variables : t->model->slot_t;
  SsExpr sum = ss_graph_derivative (g, row->phi, clock);

  for (int k = 0; k < 6; k++)
    if (row->body[k / 3] >= 0)
      sum = ss_expr_add (g, sum, ss_expr_mul (g, row->j[k], m->v[3 * row->body[k / 3] + k % 3]));
  return sum;
}

/* G(q) v = 0: of joints that carry bodies, too, whose velocities are variables. */
static void
add_joint_velocities (SsTranscription *t)
{
  SsRowExpr rows[SS_ROW_EXPR_JOINT_MAX];

  for (int j = 0; j < t->scene->n_joints; j++) {
    const int n = ss_dynamics_expr_joint (&t->motion[0], j, rows);

    for (int k = 0; k < n; k++)
      ss_transcription_add_row (t, SS_ROWS_EQUALITY, row_velocity (t, &t->motion[0], &rows[k], 0),
                                t->scene->joints[j].name, "closed at velocity level");
  }
}

/* Velocity of b against a at a point of the step's end, with the velocities v of bodies that are there. */
static SsVec2Expr
relative_velocity (const SsTranscription *t, const SsPlanPoint *point, const SsGapExpr *gap, const SsExpr *v)
{
  SsMotionExpr m = t->motion[1];

  m.v = v;
  const SsVec2Expr of_a = ss_dynamics_expr_velocity_at (&m, point->body_a, gap->point_a),
                   of_b = ss_dynamics_expr_velocity_at (&m, point->body_b, gap->point_b);
  return ss_vec2_expr_sub (t->graph, of_b, of_a);
}

/* Friction that brakes `slip_velocity` with forces of the variables. */
static void
add_friction (SsTranscription *t, const SsPlanPoint *point, const int variables[3], SsExpr slip_velocity,
              const char *forward, const char *back)
{
  SsGraph *g = t->graph;
  const SsExpr normal = ss_transcription_variable (t, variables[0], 1),
               tangential = ss_transcription_variable (t, variables[1], 1),
               slip = ss_transcription_variable (t, variables[2], 1);
  const SsExpr cone = ss_expr_mul (g, ss_transcription_number (t, &t->scene->contacts[point->contact].mu), normal);

  const SsExpr forward_room = ss_expr_add (g, cone, tangential), back_room = ss_expr_sub (g, cone, tangential);

  ss_transcription_add_pair (t, slip, forward_room, point->name, forward);
  ss_transcription_add_pair (t, ss_expr_sub (g, slip, slip_velocity), back_room, point->name, back);
}

static void
add_point (SsTranscription *t, const SsPlanPoint *point, const SsExpr *way)
{
  SsGraph *g = t->graph;
  const SsMotionExpr *m = &t->motion[1];
  SsExpr lifted[1 + SS_GAP_WEIGHTS_MAX];
  SsGapExpr gap;

  for (int i = 0; i < ss_gap_n_lifted (&point->pair); i++)
    lifted[i] = ss_transcription_variable (t, point->lifted + i, 1);
  ss_gap_expr (g, t->inputs, &point->pair, m->q + 3 * point->body_a, m->q + 3 * point->body_b, lifted, &gap);
  const SsVec2Expr tangent = {gap.normal.y, ss_expr_neg (g, gap.normal.x)};
  const SsVec2Expr at_end = relative_velocity (t, point, &gap, m->v);
  const SsExpr closing = ss_expr_div (g, gap.phi, t->step), speed = ss_vec2_expr_dot (g, gap.normal, at_end);
  const SsExpr leaves = ss_expr_add (g, closing, speed);

  ss_transcription_add_pair (t, leaves, ss_transcription_variable (t, point->end_n, 1), point->name, "velocity");
  if (point->lambda_t == SS_NO_VARIABLE)
    return;
  const SsVec2Expr on_way = relative_velocity (t, point, &gap, way);
  add_friction (t, point, (const int[3]){point->lambda_n, point->lambda_t, point->slip},
                ss_vec2_expr_dot (g, tangent, on_way), "friction forward", "friction back");
  add_friction (t, point, (const int[3]){point->end_n, point->end_t, point->end_slip},
                ss_vec2_expr_dot (g, tangent, at_end), "friction forward at the end", "friction back at the end");
}

static void
add_limits (SsTranscription *t)
{
  SsRowExpr rows[SS_ROW_EXPR_LIMITS_MAX];

  for (int i = 0; i < t->n_rows; i++) {
    const SsPlanRow *row = &t->rows[i];
    const int n = row->is_limit ? ss_dynamics_expr_limits (&t->motion[1], row->joint, rows) : 0;

    for (int k = 0; k < n; k++) {
      if (rows[k].index != row->index)
        continue;
      const SsExpr closing = ss_expr_div (t->graph, rows[k].phi, t->step),
                   speed = row_velocity (t, &t->motion[1], &rows[k], 1);
      const SsExpr leaves = ss_expr_add (t->graph, closing, speed), force = ss_transcription_variable (t, row->end, 1);

      ss_transcription_add_pair (t, leaves, force, t->scene->joints[row->joint].name, "limit of the velocity");
    }
  }
}

void
ss_transcription_add_midpoint_ends (SsTranscription *t)
{
  const SsExpr *way = list_way (t);

  if (way == NULL)
    return;
  ss_transcription_open_block (t, "joint velocity", 1, t->plan->steps, 1);
  add_joint_velocities (t);
  ss_transcription_close_block (t);
  ss_transcription_open_block (t, "contact of a step", 0, t->plan->steps - 1, 1);
  for (int p = 0; p < t->n_points; p++)
    add_point (t, &t->points[p], way);
  ss_transcription_close_block (t);
  ss_transcription_open_block (t, "limit of a step", 0, t->plan->steps - 1, 1);
  add_limits (t);
  ss_transcription_close_block (t);
}
