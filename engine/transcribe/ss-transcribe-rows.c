/* engine/transcribe/ss-transcribe-rows.c: the rows, costs and residuals of a plan; see the law in ss-transcribe.h. */
#include "transcribe/ss-transcribe-tree.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A path constraint that the given start violates by more cannot be kept by any plan. [its own unit] */
static const double start_tolerance = 1e-6;

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

static void
open_block (SsTranscription *t, const char *name, int first, int last)
{
  ss_transcription_open_block (t, name, first, last, 1);
}

static void
close_block (SsTranscription *t)
{
  ss_transcription_close_block (t);
}

static void
add_equality (SsTranscription *t, SsExpr row, const char *owner, const char *what)
{
  ss_transcription_add_row (t, SS_ROWS_EQUALITY, row, owner, what);
}

static void
add_inequality (SsTranscription *t, SsExpr row, const char *owner, const char *what)
{
  ss_transcription_add_row (t, SS_ROWS_NONNEGATIVE, row, owner, what);
}

void
ss_transcription_add_cost (SsTranscription *t, const char *name, int first, int last, int stride, bool is_penalty,
                           SsExpr cost)
{
  if (last < first)
    return;
  if (cost == SS_EXPR_NONE ||
      ss_array_reserve ((void **)&t->costs, &t->cost_capacity, t->n_costs + 1, sizeof *t->costs) != 0) {
    t->out_of_memory = true;
    return;
  }
  t->costs[t->n_costs++] = (SsModelCost){.name = ss_transcription_name (t, "%s", name),
                                         .first = first,
                                         .last = last,
                                         .stride = stride,
                                         .is_penalty = is_penalty,
                                         .cost = cost};
}

static void
add_cost (SsTranscription *t, const char *name, int first, int last, SsExpr cost)
{
  ss_transcription_add_cost (t, name, first, last, 1, false, cost);
}

static void
add_weighted_square (SsTranscription *t, const char *name, int first, int last, const double *weight, SsExpr e)
{
  const SsExpr square = ss_expr_mul (t->graph, e, e);

  add_cost (t, name, first, last, ss_expr_mul (t->graph, ss_transcription_number (t, weight), square));
}

void
ss_transcription_add_bounds (SsTranscription *t, SsExpr e, const double *lower, const double *upper, const char *owner)
{
  if (isfinite (*lower))
    add_inequality (t, ss_expr_sub (t->graph, e, ss_transcription_number (t, lower)), owner, "lower");
  if (isfinite (*upper))
    add_inequality (t, ss_expr_sub (t->graph, ss_transcription_number (t, upper), e), owner, "upper");
}

/* ---- start and end ----------------------------------------------------------------------------------------------- */

static void
add_start (SsTranscription *t)
{
  open_block (t, "start", 0, 0);
  for (int i = 0; i < t->n_variables; i++)
    if (t->variables[i].role != SS_ROLE_CONTROL && t->variables[i].role != SS_ROLE_LENGTH) {
      const SsExpr start = ss_transcription_number (t, &t->variables[i].start);
      add_equality (t, ss_expr_sub (t->graph, ss_transcription_variable (t, i, 0), start), t->variables[i].name,
                    "start");
    }
  close_block (t);
}

static void
repeat_variable (SsTranscription *t, int i)
{
  const SsExpr before = ss_transcription_variable (t, i, 0);

  add_equality (t, ss_expr_sub (t->graph, ss_transcription_variable (t, i, 1), before), t->variables[i].name,
                "repeats");
}

/* No step starts at the last point: what belongs to a step repeats the one before. One common length repeats itself
 * everywhere. */
static void
add_repeats (SsTranscription *t)
{
  bool is_common = t->plan->is_time_free && !t->plan->are_steps_free;

  open_block (t, "repeat", t->plan->steps - 1, t->plan->steps - 1);
  for (int i = 0; i < t->n_variables; i++)
    if (t->variables[i].role == SS_ROLE_CONTROL || (i == t->h && !is_common))
      repeat_variable (t, i);
  close_block (t);
  open_block (t, "length", 0, t->plan->steps - 1);
  if (is_common)
    repeat_variable (t, t->h);
  close_block (t);
}

/* ---- a step ------------------------------------------------------------------------------------------------------ */

/* (v1 - v0) m - h f of coordinate i, divided by `mass`. */
static SsExpr
balance (const SsTranscription *t, int i, SsExpr mass, const SsExpr *f)
{
  SsGraph *g = t->graph;
  SsExpr own = ss_transcription_mass (t, i), one = ss_expr_number (g, 1);
  SsExpr change = ss_expr_sub (g, t->motion[1].v[i], t->motion[0].v[i]);

  if (own != mass)
    change = ss_expr_mul (g, ss_expr_div (g, own, mass), change);
  return ss_expr_sub (g, change, ss_expr_mul (g, ss_expr_mul (g, ss_expr_div (g, one, mass), t->step), f[i]));
}

/* Balances of all that moves with a generalised coordinate at the step's end, J(q1)' (M (v1 - v0) - h f), divided by
 * `mass`. Coordinate `own` is the variable itself (-1: none). */
static SsExpr
projected_balance (const SsTranscription *t, int variable, int own, SsExpr mass, const SsExpr *f)
{
  SsGraph *g = t->graph;
  SsExpr sum = own >= 0 ? balance (t, own, mass, f) : ss_expr_number (g, 0), zero = ss_expr_number (g, 0);

  for (int i = 0; i < 3 * t->scene->n_bodies; i++) {
    if (i == own || t->tree[i / 3] < 0)
      continue;
    SsExpr j = ss_graph_derivative (g, t->motion[1].q[i], variable + t->n_variables);

    if (j != zero)
      sum = ss_expr_add (g, sum, ss_expr_mul (g, j, balance (t, i, mass, f)));
  }
  return sum;
}

/* The rows of the steps first to last under the forces f. */
static void
add_steps (SsTranscription *t, const SsExpr *f, int first, int last, const SsExpr *known)
{
  static const char *const position_names[3] = {"x", "y", "theta"}, *const velocity_names[3] = {"vx", "vy", "omega"};
  const SsScene *scene = t->scene;
  SsGraph *g = t->graph;

  open_block (t, "dynamics", first, last);
  for (int i = 0; i < 3 * scene->n_bodies; i++) {
    const SsMotionExpr *m = t->motion;
    const char *name = scene->bodies[i / 3].name;

    if (t->q[i] != SS_NO_VARIABLE || t->tree[i / 3] >= 0) {
      const SsExpr way = ss_expr_mul (g, t->step, m[1].v[i]);
      ss_transcription_add_step_row (
          t, known, ss_transcription_in_velocity (t, ss_expr_sub (g, ss_expr_sub (g, m[1].q[i], m[0].q[i]), way)), name,
          position_names[i % 3]);
    }
    if (t->q[i] != SS_NO_VARIABLE && t->v[i] != SS_NO_VARIABLE)
      ss_transcription_add_step_row (t, known, projected_balance (t, t->q[i], i, ss_transcription_mass (t, i), f), name,
                                     velocity_names[i % 3]);
  }
  for (int b = 0; b < scene->n_bodies; b++)
    if (t->travel[b] != SS_NO_VARIABLE) {
      const SsJoint *joint = &scene->joints[t->tree[b]];

      ss_transcription_add_step_row (
          t, known, projected_balance (t, t->travel[b], -1, ss_transcription_carried_mass (t, joint), f), joint->name,
          "balance");
    }
  if (t->clock != SS_NO_VARIABLE)
    ss_transcription_add_step_row (t, known, ss_expr_sub (g, ss_expr_sub (g, t->motion[1].t, t->motion[0].t), t->step),
                                   "time", "step");
  close_block (t);
}

/* By variable, the number from which the plan starts; SS_EXPR_NONE of controls and lengths. */
static SsExpr *
list_known (const SsTranscription *t)
{
  SsExpr *known = ss_new_array (SsExpr, (size_t)t->n_variables + 1);

  for (int i = 0; i < t->n_variables && known != NULL; i++)
    known[i] = t->variables[i].role != SS_ROLE_CONTROL && t->variables[i].role != SS_ROLE_LENGTH
                   ? ss_transcription_number (t, &t->variables[i].start)
                   : SS_EXPR_NONE;
  return known;
}

/* law=implicit. */
static SsStatus
add_implicit (SsTranscription *t, const SsExpr *known, SsError *err)
{
  SsExpr *f = ss_new_array (SsExpr, 3 * (size_t)t->scene->n_bodies + 1);
  SsStatus status = f != NULL ? ss_dynamics_expr_forces (&t->motion[0], f, err) : SS_ERR_MEMORY;

  if (status == SS_OK) {
    ss_transcription_push (t, 1, false, f);
    if (known != NULL)
      add_steps (t, f, 0, 0, known);
    add_steps (t, f, known != NULL ? 1 : 0, t->plan->steps - 1, NULL);
  }
  ss_free (f);
  return status;
}

static SsStatus
add_dynamics (SsTranscription *t, SsError *err)
{
  SsExpr *known = t->start_is_known ? list_known (t) : NULL;
  SsStatus status = t->start_is_known && known == NULL ? SS_ERR_MEMORY : SS_OK;

  if (status == SS_OK && !t->is_midpoint)
    status = add_implicit (t, known, err);
  else if (status == SS_OK) {
    if (known != NULL)
      status = ss_transcription_add_midpoint (t, 0, 0, known, err);
    if (status == SS_OK)
      status = ss_transcription_add_midpoint (t, known != NULL ? 1 : 0, t->plan->steps - 1, NULL, err);
  }
  ss_free (known);
  return status;
}

/* ---- contacts and joints at a point ------------------------------------------------------------------------------ */

static void
add_contact_rows (SsTranscription *t, const SsPlanPoint *point)
{
  static const char *const zero_names[] = {"direction", "weights", "weights of the second"};
  SsGraph *g = t->graph;
  SsExpr lambda_n = ss_transcription_variable (t, point->lambda_n, 0);

  for (int i = 0; i < point->gap.n_zero; i++)
    add_equality (t, point->gap.zero[i], point->name, zero_names[i]);
  ss_transcription_add_pair (t, point->gap.phi, lambda_n, point->name, "gap");
  for (int i = 0; i < point->pair.n_weights; i++)
    ss_transcription_add_pair (t, point->gap.slack[i], ss_transcription_variable (t, point->lifted + 1 + i, 0),
                               point->name, "weight");
  if (point->lambda_t == SS_NO_VARIABLE || t->is_midpoint)
    return;
  SsExpr lambda_t = ss_transcription_variable (t, point->lambda_t, 0),
         slip = ss_transcription_variable (t, point->slip, 0);
  SsExpr cone = ss_expr_mul (g, ss_transcription_number (t, &t->scene->contacts[point->contact].mu), lambda_n);
  ss_transcription_add_pair (t, slip, ss_expr_add (g, cone, lambda_t), point->name, "friction forward");
  const SsExpr left = ss_expr_sub (g, cone, lambda_t);
  ss_transcription_add_pair (t, ss_expr_sub (g, slip, point->slip_velocity), left, point->name, "friction back");
}

static void
add_joint_rows (SsTranscription *t, bool are_limits)
{
  SsRowExpr rows[SS_ROW_EXPR_JOINT_MAX];

  for (int i = 0; i < t->n_rows; i++) {
    const SsPlanRow *row = &t->rows[i];
    const SsMotionExpr *m = &t->motion[0];
    int n;

    if (row->is_limit != are_limits)
      continue;
    n = are_limits ? ss_dynamics_expr_limits (m, row->joint, rows) : ss_dynamics_expr_joint (m, row->joint, rows);
    for (int k = 0; k < n; k++) {
      if (rows[k].index != row->index)
        continue;
      if (are_limits)
        ss_transcription_add_pair (t, rows[k].phi, ss_transcription_variable (t, row->variable, 0),
                                   t->scene->joints[row->joint].name, "limit");
      else
        add_equality (t, ss_transcription_in_velocity (t, rows[k].phi), t->scene->joints[row->joint].name, "closed");
    }
  }
}

/* ---- the task ---------------------------------------------------------------------------------------------------- */

static const char *
coordinate_name (int coordinate)
{
  static const char *const names[SS_PLAN_COORDINATES] = {"x", "y", "theta", "vx", "vy", "omega"};

  return names[coordinate];
}

static bool
can_change (const SsTranscription *t, int body, int coordinate)
{
  const int i = 3 * body + coordinate % 3;

  return t->tree[body] >= 0 || (coordinate < 3 ? t->q[i] : t->v[i]) != SS_NO_VARIABLE;
}

bool
ss_transcription_find_coordinate (const SsTranscription *t, const SsMotionExpr *motion, int body, int coordinate,
                                  SsExpr *value)
{
  SS_ASSERT (value != NULL);

  const int i = 3 * body + coordinate % 3;

  *value = coordinate < 3 ? motion->q[i] : motion->v[i];
  return can_change (t, body, coordinate);
}

/* Value that a coordinate without variable keeps. */
static double
constant_coordinate (const SsTranscription *t, int body, int coordinate)
{
  const SsBody *b = &t->scene->bodies[body];

  return coordinate < 3 ? b->q[coordinate] : b->is_fixed ? 0 : b->v[coordinate - 3];
}

static SsStatus
check_constant_target (const SsTranscription *t, const SsPlanTarget *target, int c, SsError *err)
{
  double value = constant_coordinate (t, target->body, c);

  if (isfinite (target->weight[c]) || fabs (value - target->value[c]) <= start_tolerance)
    return SS_OK;
  return ss_error_set (err, SS_ERR_INVALID, "the target of '%s' asks for %s = %g, but that coordinate is fixed at %g",
                       t->scene->bodies[target->body].name, coordinate_name (c), target->value[c], value);
}

/* [000 (33f)] [001 (33i) (35i)]. */
void
ss_transcription_add_targets (SsTranscription *t, int last, const bool *is_implied)
{
  SS_ASSERT (t != NULL && t->n_points <= t->point_capacity && t->n_rows <= t->row_capacity);
  static const SsTrackKind kinds[SS_PLAN_COORDINATES] = {SS_TRACK_POSITION, SS_TRACK_POSITION,
                                                         SS_TRACK_ANGLE,    SS_TRACK_VELOCITY,
                                                         SS_TRACK_VELOCITY, SS_TRACK_ANGULAR_VELOCITY};
  const SsPlan *plan = t->plan;
  SsTracking *tracking = ss_transcription_alloc (t, SS_PLAN_COORDINATES * (size_t)plan->n_targets, sizeof *tracking);
  SsTask *task = &t->out->task;

  if (tracking == NULL)
    return;
  task->tracking = tracking;
  open_block (t, "target", last, last);
  for (int i = 0; i < plan->n_targets; i++)
    for (int c = 0; c < SS_PLAN_COORDINATES; c++) {
      const SsPlanTarget *target = &plan->targets[i];
      SsExpr off, value;

      if (isnan (target->value[c]) || !ss_transcription_find_coordinate (t, &t->motion[0], target->body, c, &value))
        continue;
      off = ss_expr_sub (t->graph, value, ss_transcription_number (t, &target->value[c]));
      tracking[task->n_tracking++] = (SsTracking){.kind = kinds[c], .residual = off};
      if (isinf (target->weight[c]) && is_implied != NULL && is_implied[i * SS_PLAN_COORDINATES + c])
        continue;
      if (isinf (target->weight[c]))
        add_equality (t, off, t->scene->bodies[target->body].name, coordinate_name (c));
      else if (target->weight[c] > 0)
        add_weighted_square (t, "target", last, last, &target->weight[c], off);
    }
  close_block (t);
}

static void
add_all_bounds (SsTranscription *t)
{
  const SsPlan *plan = t->plan;

  open_block (t, "bounds", 1, plan->steps);
  for (int i = 0; i < plan->n_bounds; i++)
    for (int c = 0; c < SS_PLAN_COORDINATES; c++) {
      SsExpr value;

      if (ss_transcription_find_coordinate (t, &t->motion[0], plan->bounds[i].body, c, &value))
        ss_transcription_add_bounds (t, value, &plan->bounds[i].lower[c], &plan->bounds[i].upper[c],
                                     t->scene->bodies[plan->bounds[i].body].name);
    }
  close_block (t);
  /* Lengths are bounded in seconds of the horizon, as the cost of time is counted: otherwise N lengths would gain more
   * than one row costs. */
  open_block (t, "controls", 0, plan->steps - 1);
  for (int a = 0; a < t->scene->n_actuators; a++)
    ss_transcription_add_bounds (t, ss_transcription_variable (t, t->u[a], 0), &t->scene->actuators[a].lower,
                                 &t->scene->actuators[a].upper, t->variables[t->u[a]].name);
  if (t->h != SS_NO_VARIABLE)
    ss_transcription_add_bounds (t, ss_expr_scale (t->graph, plan->steps, t->step), &plan->time_lower,
                                 &plan->time_upper, "h");
  close_block (t);
}

/* ---- formulas of the task ---------------------------------------------------------------------------------------- */

/* Whether a formula of scene slots reads controls. */
static SsStatus
ss_transcription_reads_controls (const SsTranscription *t, SsExpr formula, bool *found)
{
  int n = t->scene->slot_controls + t->scene->n_actuators;
  int *slots = ss_new_array (int, (size_t)n + 1);

  *found = false;
  if (slots == NULL)
    return SS_ERR_MEMORY;
  int n_read = ss_graph_inputs (t->scene->graph, formula, slots, n);
  for (int i = 0; i < n_read && i < n; i++)
    *found = *found || slots[i] >= t->scene->slot_controls;
  ss_free (slots);
  return SS_OK;
}

static SsStatus
check_smooth (const SsTranscription *t, SsExpr formula, const char *what, SsError *err)
{
  if (ss_graph_is_smooth (t->scene->graph, formula))
    return SS_OK;
  return ss_error_set (
      err, SS_ERR_INVALID,
      "%s has a formula without derivative (a comparison, if, floor or mod), which optimisers cannot use", what);
}

/* Value of a formula of scene slots that reads no controls, at the start. */
static SsStatus
value_at_start (const SsTranscription *t, SsExpr formula, double *value, SsError *err)
{
  const SsScene *scene = t->scene;
  int n = scene->slot_controls + scene->n_actuators, n_nodes = ss_graph_n_nodes (scene->graph);
  double *inputs = ss_new_array (double, (size_t)n + 1), *memo = ss_new_array (double, n_nodes);
  int *stamp = ss_new_array (int, n_nodes);
  SsStatus status = SS_ERR_MEMORY;

  (void)err;
  if (inputs != NULL && memo != NULL && stamp != NULL) {
    for (int i = 0; i < 6 * scene->n_bodies; i++)
      inputs[i] = constant_coordinate (t, i / 6, i % 6);
    ss_scene_put_parameters (scene, inputs);
    *value = ss_graph_eval (scene->graph, formula, inputs, n, memo, stamp, 1);
    status = SS_OK;
  }
  ss_free (inputs);
  ss_free (memo);
  ss_free (stamp);
  return status;
}

/* First and last point of a formula's rows. */
static SsStatus
points_of (const SsTranscription *t, const SsPlanConstraint *constraint, int *first, int *last)
{
  const int steps = t->plan->steps;
  bool uses_controls;
  SsStatus status = ss_transcription_reads_controls (t, constraint->row, &uses_controls);

  if (status != SS_OK)
    return status;
  *first = constraint->points == SS_PLAN_ALL ? 0 : constraint->points == SS_PLAN_INTERIOR ? 1 : steps;
  *last = constraint->points == SS_PLAN_INTERIOR ? steps - 1 : steps;
  if (uses_controls && *last == steps)
    *last = steps - 1;
  else if (!uses_controls && *first == 0)
    *first = 1;
  return SS_OK;
}

static SsStatus
check_constraint (const SsTranscription *t, const SsPlanConstraint *constraint, SsError *err)
{
  SsStatus status = check_smooth (t, constraint->row, constraint->name, err);
  bool uses_controls = false;
  double value = 0;

  if (status == SS_OK)
    status = ss_transcription_reads_controls (t, constraint->row, &uses_controls);
  if (status != SS_OK)
    return status;
  if (uses_controls) {
    if (constraint->points == SS_PLAN_LAST)
      return ss_error_set (err, SS_ERR_INVALID,
                           "the constraint '%s' reads controls at the last point, where no step starts any more",
                           constraint->name);
    return SS_OK;
  }
  if (constraint->points != SS_PLAN_ALL || t->is_followed)
    return SS_OK;
  status = value_at_start (t, constraint->row, &value, err);
  if (status == SS_OK &&
      !(constraint->kind == SS_ROWS_EQUALITY ? fabs (value) <= start_tolerance : value >= -start_tolerance))
    return ss_error_set (err, SS_ERR_INVALID,
                         "the constraint '%s' is violated by the start, which is given: its row is %g there",
                         constraint->name, value);
  return status;
}

static void
add_constraints (SsTranscription *t)
{
  for (int i = 0; i < t->plan->n_constraints; i++) {
    const SsPlanConstraint *constraint = &t->plan->constraints[i];
    int first, last;
    char number[24];

    if (points_of (t, constraint, &first, &last) != SS_OK) {
      t->out_of_memory = true;
      return;
    }
    snprintf (number, sizeof number, "%d", i);
    open_block (t, constraint->name, first, last);
    ss_transcription_add_row (t, constraint->kind, ss_dynamics_expr_formula (&t->motion[0], constraint->row), "row",
                              number);
    close_block (t);
  }
}

static void
add_costs (SsTranscription *t)
{
  const SsPlan *plan = t->plan;
  SsGraph *g = t->graph;

  for (int a = 0; a < t->scene->n_actuators; a++) {
    SsExpr u = ss_transcription_variable (t, t->u[a], 0), next = ss_transcription_variable (t, t->u[a], 1);
    SsExpr change = ss_expr_sub (g, next, u);

    if (plan->effort != NULL && plan->effort[a] > 0) {
      const SsExpr spent = ss_expr_mul (g, t->step, ss_expr_mul (g, u, u));
      add_cost (t, "effort", 0, plan->steps - 1, ss_expr_mul (g, ss_transcription_number (t, &plan->effort[a]), spent));
    }
    if (plan->effort_rate > 0)
      add_weighted_square (t, "effort_rate", 0, plan->steps - 2, &plan->effort_rate, change);
  }
  for (int i = 0; i < plan->n_costs; i++) {
    bool is_last = plan->costs[i].points == SS_PLAN_LAST;
    SsExpr cost = ss_dynamics_expr_formula (&t->motion[0], plan->costs[i].cost);

    add_cost (t, "cost", is_last ? plan->steps : 0, is_last ? plan->steps : plan->steps - 1,
              is_last ? cost : ss_expr_mul (g, t->step, cost));
  }
  if (t->h != SS_NO_VARIABLE && plan->time_weight != 0)
    add_cost (t, "time", 0, plan->steps - 1, ss_expr_mul (g, ss_transcription_number (t, &plan->time_weight), t->step));
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

SsStatus
ss_transcription_check (const SsTranscription *t, SsError *err)
{
  SS_ASSERT (t != NULL && t->n_points <= t->point_capacity && t->n_rows <= t->row_capacity);

  const SsPlan *plan = t->plan;
  SsStatus status = SS_OK;

  for (int i = 0; i < SS_PLAN_COORDINATES * plan->n_targets && status == SS_OK; i++) {
    const SsPlanTarget *target = &plan->targets[i / SS_PLAN_COORDINATES];
    const int c = i % SS_PLAN_COORDINATES;

    if (!isnan (target->value[c]) && !can_change (t, target->body, c))
      status = check_constant_target (t, target, c, err);
  }
  for (int i = 0; i < plan->n_constraints && status == SS_OK; i++)
    status = check_constraint (t, &plan->constraints[i], err);
  for (int i = 0; i < plan->n_costs && status == SS_OK; i++)
    status = check_smooth (t, plan->costs[i].cost, "a cost", err);
  return status;
}

void
ss_transcription_keep_lists (SsTranscription *t)
{
  SS_ASSERT (t != NULL && t->n_points <= t->point_capacity && t->n_rows <= t->row_capacity);

  SsModelBlock *blocks = ss_transcription_alloc (t, (size_t)t->n_blocks, sizeof *blocks);
  SsModelCost *costs = ss_transcription_alloc (t, (size_t)t->n_costs, sizeof *costs);

  if (t->out_of_memory)
    return;
  if (t->n_blocks > 0)
    memcpy (blocks, t->blocks, (size_t)t->n_blocks * sizeof *blocks);
  if (t->n_costs > 0)
    memcpy (costs, t->costs, (size_t)t->n_costs * sizeof *costs);
  t->model->blocks = blocks;
  t->model->n_blocks = t->n_blocks;
  t->model->costs = costs;
  t->model->n_costs = t->n_costs;
}

SsStatus
ss_transcription_add_rows (SsTranscription *t, SsError *err)
{
  SS_ASSERT (t != NULL && t->n_points <= t->point_capacity && t->n_rows <= t->row_capacity);

  SsStatus status;

  add_start (t);
  add_repeats (t);
  status = add_dynamics (t, err);
  if (status != SS_OK)
    return status;
  open_block (t, "contact", 1, t->plan->steps);
  for (int p = 0; p < t->n_points; p++)
    add_contact_rows (t, &t->points[p]);
  close_block (t);
  open_block (t, "joint", 1, t->plan->steps);
  add_joint_rows (t, false);
  close_block (t);
  open_block (t, "limit", 1, t->plan->steps);
  add_joint_rows (t, true);
  close_block (t);
  if (t->is_midpoint)
    ss_transcription_add_midpoint_ends (t);
  add_all_bounds (t);
  ss_transcription_add_targets (t, t->plan->steps, NULL);
  add_constraints (t);
  add_costs (t);
  ss_transcription_keep_lists (t);
  return t->out_of_memory ? SS_ERR_MEMORY : SS_OK;
}
