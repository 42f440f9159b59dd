/* engine/judge/ss-reasons-task.c: what a plan's task asks for and its motion does not do; see ss-reasons.h. */
#include "judge/ss-reasons-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A control is at its limit when it is nearer than this part of its range; that is worth a word from this share of the
 * steps on, and "all the time" from that one. */
static const double at_limit = 1e-3, share_told = 0.5, share_all = 0.95;

/* A target as the rows come by. */
typedef struct {
  double nearest, t; /* of the position [m] */
} Approach;

/* How often a control was at its limits. */
typedef struct {
  int n_lower, n_upper;
} Saturation;

struct SsReasonTask {
  const SsScene *scene; /* borrowed */
  const SsPlan *plan;   /* borrowed */
  SsReasonList *list;   /* borrowed */
  Approach *approach;
  Saturation *saturation;
  double *inputs, *memo; /* of formulas */
  int *stamp, tick, n_slots;
  double *last; /* q, v of the last row */
  double t_first, t_last;
  bool has_controls, has_velocities;
  int n_steps;
};

SsStatus
ss_reason_task_new (const SsScenario *scenario, SsReasonList *list, SsReasonTask **out, SsError *err)
{
  SS_ASSERT (scenario != NULL && out != NULL);

  const SsScene *scene = scenario->scene;
  const int n_nodes = scene->graph != NULL ? ss_graph_n_nodes (scene->graph) : 0;
  SsReasonTask *task = ss_new (SsReasonTask);
  bool ok = task != NULL;

  *out = NULL;
  if (ok) {
    *task = (SsReasonTask){.scene = scene, .plan = scenario->task.plan, .list = list};
    task->n_slots = scene->slot_controls + scene->n_actuators;
    task->n_slots = task->n_slots > scene->n_slots ? task->n_slots : scene->n_slots;
    task->approach = ss_new_array (Approach, (size_t)task->plan->n_targets + 1);
    task->saturation = ss_new_array (Saturation, (size_t)scene->n_actuators + 1);
    task->inputs = ss_new_array (double, (size_t)task->n_slots + 1);
    task->memo = ss_new_array (double, (size_t)n_nodes + 1);
    task->stamp = ss_new_array (int, (size_t)n_nodes + 1);
    task->last = ss_new_array (double, 6 * (size_t)scene->n_bodies + 1);
    ok = task->approach != NULL && task->saturation != NULL && task->inputs != NULL && task->memo != NULL &&
         task->stamp != NULL && task->last != NULL;
  }
  if (!ok) {
    ss_reason_task_free (task);
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  }
  for (int i = 0; i < task->plan->n_targets; i++)
    task->approach[i].nearest = INFINITY;
  ss_scene_put_parameters (scene, task->inputs);
  *out = task;
  return SS_OK;
}

void
ss_reason_task_free (SsReasonTask *task)
{
  if (task == NULL)
    return;
  ss_free (task->approach);
  ss_free (task->saturation);
  ss_free (task->inputs);
  ss_free (task->memo);
  ss_free (task->stamp);
  ss_free (task->last);
  ss_free (task);
}

/* ---- formulas ---------------------------------------------------------------------------------------------------- */

/* The formula of a constraint at the inputs; controls that are NaN show whether it reads any. */
static double
value_of (SsReasonTask *task, SsExpr formula)
{
  task->tick++;
  return ss_graph_eval (task->scene->graph, formula, task->inputs, task->n_slots, task->memo, task->stamp, task->tick);
}

static void
set_inputs (SsReasonTask *task, const SsMotionRow *row, bool has_controls)
{
  const SsScene *scene = task->scene;

  for (int i = 0; i < scene->n_bodies; i++)
    for (int k = 0; k < 3; k++) {
      task->inputs[6 * i + k] = row->q[3 * i + k];
      task->inputs[6 * i + 3 + k] = row->v[3 * i + k];
    }
  task->inputs[scene->slot_t] = row->t;
  for (int i = 0; i < scene->n_actuators; i++)
    task->inputs[scene->slot_controls + i] = has_controls ? row->u[i] : NAN;
}

/* Constraints at the points where the plan has them: those of controls not at the last, others not at the first. */
static void
look_at_constraints (SsReasonTask *task, const SsMotionRow *row, bool is_first, bool is_last)
{
  const SsPlan *plan = task->plan;

  for (int i = 0; i < plan->n_constraints; i++) {
    const SsPlanConstraint *constraint = &plan->constraints[i];
    char value[SS_REASON_QUANTITY];

    if ((constraint->points == SS_PLAN_LAST && !is_last) ||
        (constraint->points == SS_PLAN_INTERIOR && (is_first || is_last)))
      continue;
    set_inputs (task, row, false);
    double c = value_of (task, constraint->row);
    const bool reads_controls = !isfinite (c);
    if (reads_controls) {
      set_inputs (task, row, true);
      c = value_of (task, constraint->row);
    }
    if (!isfinite (c) || (reads_controls && (is_last || !task->has_controls)) || (!reads_controls && is_first))
      continue;
    const double miss = constraint->kind == SS_ROWS_EQUALITY ? fabs (c) : fmax (-c, 0);
    SsReason *reason = ss_reason_take (task->list, SS_REASON_CONSTRAINT, i, miss, "", row->t, miss / SS_WORTH_ROW);
    if (reason != NULL)
      snprintf (reason->text, sizeof reason->text, "constraint %s broken by %s at t = %.4g s", constraint->name,
                ss_reason_quantity (miss, "", value), row->t);
  }
}

/* ---- bounds and controls ----------------------------------------------------------------------------------------- */

static const struct {
  const char *name, *unit;
  double worth;
} coordinates[SS_PLAN_COORDINATES] = {{"x", "m", SS_WORTH_LENGTH},      {"y", "m", SS_WORTH_LENGTH},
                                      {"theta", "rad", SS_WORTH_ANGLE}, {"vx", "m/s", SS_WORTH_SPEED},
                                      {"vy", "m/s", SS_WORTH_SPEED},    {"omega", "rad/s", SS_WORTH_TURN}};

static double
coordinate (const double *q, const double *v, int body, int c)
{
  return c < 3 ? q[3 * body + c] : v[3 * body + c - 3];
}

static void
look_at_bounds (SsReasonTask *task, const SsMotionRow *row)
{
  for (int i = 0; i < task->plan->n_bounds; i++)
    for (int c = 0; c < SS_PLAN_COORDINATES; c++) {
      const SsPlanBound *bound = &task->plan->bounds[i];
      const double x = coordinate (row->q, row->v, bound->body, c);
      const double below = bound->lower[c] - x, miss = fmax (fmax (below, x - bound->upper[c]), 0);
      char far[SS_REASON_QUANTITY], limit[SS_REASON_QUANTITY];
      SsReason *reason = c >= 3 && !task->has_velocities
                             ? NULL
                             : ss_reason_take (task->list, SS_REASON_BOUND, SS_PLAN_COORDINATES * i + c, miss,
                                               coordinates[c].unit, row->t, miss / coordinates[c].worth);

      if (reason != NULL)
        snprintf (reason->text, sizeof reason->text, "%s of %s is %s %s its limit of %s at t = %.4g s",
                  coordinates[c].name, task->scene->bodies[bound->body].name,
                  ss_reason_quantity (miss, coordinates[c].unit, far), below > 0 ? "below" : "above",
                  ss_reason_quantity (below > 0 ? bound->lower[c] : bound->upper[c], coordinates[c].unit, limit),
                  row->t);
    }
}

/* Of a control without two limits its larger one. */
static double
range_of (const SsActuator *actuator)
{
  const double range = actuator->upper - actuator->lower;

  return isfinite (range)             ? range
         : isfinite (actuator->upper) ? fabs (actuator->upper)
         : isfinite (actuator->lower) ? fabs (actuator->lower)
                                      : INFINITY;
}

/* The control of the step that starts here. A limit of 0 is a control that is off. */
static void
look_at_controls (SsReasonTask *task, const SsMotionRow *row)
{
  for (int i = 0; i < task->scene->n_actuators; i++) {
    const SsActuator *actuator = &task->scene->actuators[i];
    const double u = row->u[i], range = range_of (actuator);
    const double miss = fmax (fmax (actuator->lower - u, u - actuator->upper), 0);
    const char *unit = ss_actuator_unit (task->scene, i);
    char is[SS_REASON_QUANTITY], far[SS_REASON_QUANTITY];

    if (!(range > 0) || isinf (range))
      continue;
    task->saturation[i].n_lower += actuator->lower != 0 && u <= actuator->lower + at_limit * range;
    task->saturation[i].n_upper += actuator->upper != 0 && u >= actuator->upper - at_limit * range;
    SsReason *reason =
        ss_reason_take (task->list, SS_REASON_CONTROL, i, miss, unit, row->t, miss / (SS_WORTH_SHARE * range));
    if (reason != NULL)
      snprintf (reason->text, sizeof reason->text, "%s is %s at t = %.4g s, %s beyond its limit", actuator->name,
                ss_reason_quantity (u, unit, is), row->t, ss_reason_quantity (miss, unit, far));
  }
}

void
ss_reason_task_row (SsReasonTask *task, const SsMotionContent *content, const SsMotionRow *row, bool is_first,
                    bool is_last)
{
  SS_ASSERT (task != NULL && content != NULL && row != NULL);

  const SsPlan *plan = task->plan;
  const size_t n = 3 * (size_t)task->scene->n_bodies;

  task->has_controls = content->controls;
  task->has_velocities = content->velocities;
  if (is_first)
    task->t_first = row->t;
  task->t_last = row->t;
  memcpy (task->last, row->q, n * sizeof *row->q);
  memcpy (task->last + n, row->v, n * sizeof *row->v);
  for (int i = 0; i < plan->n_targets; i++) {
    const SsPlanTarget *target = &plan->targets[i];
    double square = 0;

    for (int c = 0; c < 2; c++)
      if (isinf (target->weight[c]) && !isnan (target->value[c]))
        square += pow (row->q[3 * target->body + c] - target->value[c], 2);
    if (sqrt (square) < task->approach[i].nearest)
      task->approach[i] = (Approach){sqrt (square), row->t};
  }
  look_at_constraints (task, row, is_first, is_last);
  if (!is_first)
    look_at_bounds (task, row);
  if (!is_last && content->controls) {
    look_at_controls (task, row);
    task->n_steps++;
  }
}

/* ---- the end ----------------------------------------------------------------------------------------------------- */

/* Of the end seen from the start: before the target, behind it, or beside it. */
static const char *
where_it_ends (const SsBody *body, const SsPlanTarget *target, const double *q)
{
  double ahead = 0, way = 0, off = 0;

  for (int c = 0; c < 2; c++)
    if (isinf (target->weight[c]) && !isnan (target->value[c])) {
      ahead += (target->value[c] - q[c]) * (target->value[c] - body->q[c]);
      way += pow (target->value[c] - body->q[c], 2);
      off += pow (target->value[c] - q[c], 2);
    }
  const double part = way > 0 && off > 0 ? ahead / sqrt (way * off) : 0; /* cosine */
  return part > 0.7 ? "short of" : part < -0.7 ? "past" : "from";
}

static void
tell_target (SsReasonTask *task, int index)
{
  const SsPlanTarget *target = &task->plan->targets[index];
  const SsBody *body = &task->scene->bodies[target->body];
  const double *q = task->last + 3 * target->body, *v = task->last + 3 * (task->scene->n_bodies + target->body);
  const Approach *approach = &task->approach[index];
  char far[SS_REASON_QUANTITY], near[SS_REASON_QUANTITY], nearest[96] = "";
  double square = 0;

  for (int c = 0; c < SS_PLAN_COORDINATES; c++) {
    const bool is_asked = isinf (target->weight[c]) && !isnan (target->value[c]);
    const double off = is_asked ? (c < 3 ? q[c] : v[c - 3]) - target->value[c] : 0;

    if (c < 2)
      square += off * off;
    SsReason *reason = c < 2 || (c >= 3 && !task->has_velocities)
                           ? NULL
                           : ss_reason_take (task->list, SS_REASON_TARGET, SS_PLAN_COORDINATES * index + c, fabs (off),
                                             coordinates[c].unit, task->t_last, fabs (off) / coordinates[c].worth);
    if (reason != NULL)
      snprintf (reason->text, sizeof reason->text, "%s of %s is %s off its target at t = %.4g s", coordinates[c].name,
                body->name, ss_reason_quantity (fabs (off), coordinates[c].unit, far), task->t_last);
  }
  const double off = sqrt (square);
  SsReason *reason = ss_reason_take (task->list, SS_REASON_TARGET, SS_PLAN_COORDINATES * index, off, "m", task->t_last,
                                     off / SS_WORTH_LENGTH);
  if (reason == NULL)
    return;
  if (approach->nearest < off)
    snprintf (nearest, sizeof nearest, "; nearest was %s at t = %.4g s",
              ss_reason_quantity (approach->nearest, "m", near), approach->t);
  snprintf (reason->text, sizeof reason->text, "%s %s %s its target at t = %.4g s%s", body->name,
            ss_reason_quantity (off, "m", far), where_it_ends (body, target, q), task->t_last, nearest);
}

static void
tell_horizon (SsReasonTask *task)
{
  const SsPlan *plan = task->plan;
  const double T = task->t_last - task->t_first;
  const double miss = plan->is_time_free ? fmax (fmax (plan->time_lower - T, T - plan->time_upper), 0) : 0;
  char is[SS_REASON_QUANTITY], far[SS_REASON_QUANTITY];
  SsReason *reason = ss_reason_take (task->list, SS_REASON_HORIZON, -1, miss, "s", task->t_last,
                                     miss / (SS_WORTH_SHARE * plan->time_upper));

  if (reason != NULL)
    snprintf (reason->text, sizeof reason->text, "the motion takes %s, %s beyond its limit",
              ss_reason_quantity (T, "s", is), ss_reason_quantity (miss, "s", far));
}

/* The limit that holds a control most of the time. */
static void
tell_limits (SsReasonTask *task)
{
  for (int i = 0; i < task->scene->n_actuators && task->n_steps > 0; i++) {
    const SsActuator *actuator = &task->scene->actuators[i];
    const int n = task->saturation[i].n_lower + task->saturation[i].n_upper;
    const double share = (double)n / task->n_steps;
    char limit[SS_REASON_QUANTITY], how[64];
    SsReason *reason =
        share >= share_told ? ss_reason_take (task->list, SS_REASON_LIMIT_REACHED, i, share, "", NAN, share) : NULL;

    if (reason == NULL)
      continue;
    if (share >= share_all)
      snprintf (how, sizeof how, "all the time");
    else
      snprintf (how, sizeof how, "in %d of %d steps", n, task->n_steps);
    snprintf (reason->text, sizeof reason->text, "limit of %s (%s) reached %s", actuator->name,
              ss_reason_quantity (task->saturation[i].n_upper >= task->saturation[i].n_lower ? actuator->upper
                                                                                             : actuator->lower,
                                  ss_actuator_unit (task->scene, i), limit),
              how);
  }
}

void
ss_reason_task_end (SsReasonTask *task)
{
  SS_ASSERT (task != NULL);
  for (int i = 0; i < task->plan->n_targets; i++)
    tell_target (task, i);
  tell_horizon (task);
  tell_limits (task);
}
