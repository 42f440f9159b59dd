/* engine/judge/ss-plan-value.c: see ss-plan-value.h. */
#include "judge/ss-plan-value.h"

#include "expr/ss-expr.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const coordinate_names[SS_PLAN_COORDINATES] = {"x", "y", "theta", "vx", "vy", "omega"};

/* The formulas of costs, then of constraints, over the slots of the scene. */
typedef struct {
  const SsScene *scene;
  const SsPlan *plan;
  SsTape *tape; /* NULL: no formulas */
  double *inputs, *values, *work, *row;
  int *channels; /* of a table of rows: 6 n_bodies, then n_actuators; -1: none */
} Value;

static void
value_clear (Value *value)
{
  ss_tape_free (value->tape);
  ss_free (value->inputs);
  ss_free (value->values);
  ss_free (value->work);
  ss_free (value->row);
  ss_free (value->channels);
}

static SsStatus
value_init (Value *value, const SsScenario *scenario, int n_row, SsError *err)
{
  const SsScene *scene = scenario->scene;
  const SsPlan *plan = scenario->task.plan;
  const int n = plan->n_costs + plan->n_constraints, n_slots = scene->slot_controls + scene->n_actuators;
  SsExpr *outputs = ss_new_array (SsExpr, (size_t)n + 1);
  SsStatus status = SS_OK;

  *value = (Value){.scene = scene, .plan = plan};
  for (int i = 0; i < n && outputs != NULL; i++)
    outputs[i] = i < plan->n_costs ? plan->costs[i].cost : plan->constraints[i - plan->n_costs].row;
  if (outputs == NULL)
    status = SS_ERR_MEMORY;
  else if (n > 0)
    status = ss_tape_new (scene->graph, outputs, n, 0, &value->tape, err);
  ss_free (outputs);
  if (status != SS_OK)
    return status;
  value->inputs = ss_new_array (double, (size_t)n_slots + (size_t)scene->n_slots + 1);
  value->values = ss_new_array (double, (size_t)n + 1);
  value->work = ss_new_array (double, (n > 0 ? ss_tape_work_size (value->tape) : 0) + 1);
  value->row = ss_new_array (double, (size_t)n_row + 1);
  value->channels = ss_new_array (int, 6 * (size_t)scene->n_bodies + (size_t)scene->n_actuators + 1);
  if (value->inputs == NULL || value->values == NULL || value->work == NULL || value->row == NULL ||
      value->channels == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  ss_scene_put_parameters (scene, value->inputs);
  return SS_OK;
}

/* From now on rows are those of this table. */
static void
find_channels (Value *value, const SsTrajectory *table)
{
  const SsScene *scene = value->scene;
  char name[SS_CHANNEL_NAME_MAX];

  for (int i = 0; i < 6 * scene->n_bodies; i++) {
    snprintf (name, sizeof name, "%s.%s", scene->bodies[i / 6].name, coordinate_names[i % 6]);
    value->channels[i] = ss_trajectory_channel (table, name);
  }
  for (int a = 0; a < scene->n_actuators; a++) {
    snprintf (name, sizeof name, "u.%s", scene->actuators[a].name);
    value->channels[6 * scene->n_bodies + a] = ss_trajectory_channel (table, name);
  }
}

static double
coordinate (const Value *value, const double *row, int body, int c)
{
  const SsBody *b = &value->scene->bodies[body];
  const int channel = value->channels[6 * body + c];

  return channel >= 0 ? row[channel] : c < 3 ? b->q[c] : b->v[c - 3];
}

/* Control of an actuator in a row; 0 where the table has none. */
static double
control (const Value *value, const double *row, int actuator)
{
  const int channel = value->channels[6 * value->scene->n_bodies + actuator];

  return channel >= 0 ? row[channel] : 0;
}

/* All formulas at a row, with the controls of another one. */
static void
evaluate (Value *value, const double *row, const double *controls)
{
  const SsScene *scene = value->scene;

  if (value->tape == NULL)
    return;
  for (int i = 0; i < 6 * scene->n_bodies; i++)
    value->inputs[i] = coordinate (value, row, i / 6, i % 6);
  value->inputs[scene->slot_t] = row[0];
  for (int a = 0; a < scene->n_actuators; a++)
    value->inputs[scene->slot_controls + a] = control (value, controls, a);
  ss_tape_eval (value->tape, 1, 1, NULL, 0, value->inputs, value->values, value->work);
}

/* What costs are integrals of, at a row. */
static double
integrand_at (Value *value, const double *row)
{
  const SsPlan *plan = value->plan;
  double integrand = 0;

  evaluate (value, row, row);
  for (int i = 0; i < plan->n_costs; i++)
    if (plan->costs[i].points != SS_PLAN_LAST)
      integrand += value->values[i];
  for (int a = 0; a < value->scene->n_actuators && plan->effort != NULL; a++) {
    const double u = control (value, row, a);

    integrand += plan->effort[a] * u * u;
  }
  return integrand;
}

/* Sum over contacts of a channel over a_n; 0 without a_n. */
static double
over_a_n (const Value *value, const SsTrajectory *table, const double *row, const char *what, const double *a_n)
{
  char name[SS_CHANNEL_NAME_MAX];
  double sum = 0;

  for (int c = 0; a_n != NULL && c < value->scene->n_contacts; c++) {
    snprintf (name, sizeof name, "%s.%s", value->scene->contacts[c].name, what);
    const int channel = ss_trajectory_channel (table, name);
    sum += channel >= 0 ? fmax (row[channel], 0) / a_n[c] : 0;
  }
  return sum;
}

/* The integral of the cost [000 (32a)] [001 (28)]. */
static double
cost_of_stages (Value *value, const SsTrajectory *stages, const double *a_n)
{
  const int weight = ss_trajectory_channel (stages, "weight");
  double sum = 0;

  find_channels (value, stages);
  for (int r = 0; r < stages->n_rows; r++) {
    const double *row = ss_trajectory_row (stages, r);

    sum += row[weight] * (1 + over_a_n (value, stages, row, "lambda_n", a_n)) * integrand_at (value, row);
  }
  return sum;
}

/* Of jumps: the mean of both sides over their numerical time; channels are those of the motion. */
static double
cost_of_jumps (Value *value, const SsTrajectory *motion, const double *a_n)
{
  double sum = 0;

  for (int r = 1; r < motion->n_rows && a_n != NULL; r++) {
    const double *row = ss_trajectory_row (motion, r), *before = ss_trajectory_row (motion, r - 1);
    const double length = row[0] == before[0] ? over_a_n (value, motion, row, "impulse_n", a_n) : 0;

    if (length > 0)
      sum += length * 0.5 * (integrand_at (value, before) + integrand_at (value, row));
  }
  return sum;
}

/* What is not an integral [000 (32a)]; channels are those of the motion. */
static double
cost_of_rows (Value *value, const SsTrajectory *motion)
{
  const SsPlan *plan = value->plan;
  const double *last = ss_trajectory_row (motion, motion->n_rows - 1);
  double sum = plan->is_time_free ? plan->time_weight * (last[0] - ss_trajectory_row (motion, 0)[0]) : 0;

  evaluate (value, last, last);
  for (int i = 0; i < plan->n_costs; i++)
    if (plan->costs[i].points == SS_PLAN_LAST)
      sum += value->values[i];
  for (int i = 0; i < plan->n_targets; i++)
    for (int c = 0; c < SS_PLAN_COORDINATES; c++) {
      const SsPlanTarget *target = &plan->targets[i];

      if (!isnan (target->value[c]) && target->weight[c] > 0 && isfinite (target->weight[c])) {
        const double off = coordinate (value, last, target->body, c) - target->value[c];
        sum += target->weight[c] * off * off;
      }
    }
  for (int r = 1; r < motion->n_rows && plan->effort_rate > 0; r++)
    for (int a = 0; a < value->scene->n_actuators; a++) {
      const double change =
          control (value, ss_trajectory_row (motion, r), a) - control (value, ss_trajectory_row (motion, r - 1), a);

      sum += plan->effort_rate * change * change;
    }
  return sum;
}

static void
note (SsPlanValue *out, double violation, double t, const char *owner, const char *what)
{
  if (!(violation > out->way))
    return;
  out->way = violation;
  out->t = t;
  snprintf (out->what, sizeof out->what, "%.60s%s%s", owner, what[0] != '\0' ? "." : "", what);
}

static void
look_at_row (Value *value, const double *row, const double *controls, SsPlanValue *out)
{
  const SsPlan *plan = value->plan;

  evaluate (value, row, controls);
  for (int i = 0; i < plan->n_constraints; i++) {
    const SsPlanConstraint *constraint = &plan->constraints[i];
    const double c = value->values[plan->n_costs + i];

    if (constraint->points != SS_PLAN_LAST)
      note (out, constraint->kind == SS_ROWS_EQUALITY ? fabs (c) : -c, row[0], constraint->name, "");
  }
  for (int i = 0; i < plan->n_bounds; i++)
    for (int c = 0; c < SS_PLAN_COORDINATES; c++) {
      const SsPlanBound *bound = &plan->bounds[i];
      const double x = coordinate (value, row, bound->body, c);

      note (out, fmax (bound->lower[c] - x, x - bound->upper[c]), row[0], value->scene->bodies[bound->body].name,
            coordinate_names[c]);
    }
}

/* [000 (32d)]. */
static void
look_at_way (Value *value, const SsTrajectory *motion, SsPlanValue *out)
{
  for (int r = 0; r < motion->n_rows; r++) {
    const double *row = ss_trajectory_row (motion, r), *next = r + 1 < motion->n_rows ? row + motion->n_channels : row;

    look_at_row (value, row, row, out);
    for (int i = 1; i <= SS_PLAN_VALUE_BETWEEN && next[0] > row[0]; i++) {
      ss_trajectory_sample_motion (motion, row[0] + (next[0] - row[0]) * i / (SS_PLAN_VALUE_BETWEEN + 1), value->row);
      look_at_row (value, value->row, row, out);
    }
  }
}

SsStatus
ss_plan_value (const SsScenario *scenario, const SsTrajectory *motion, const SsTrajectory *stages, SsPlanValue *out,
               SsError *err)
{
  return ss_plan_value_in_tau (scenario, motion, stages, NULL, out, err);
}

SsStatus
ss_plan_value_in_tau (const SsScenario *scenario, const SsTrajectory *motion, const SsTrajectory *stages,
                      const double *a_n, SsPlanValue *out, SsError *err)
{
  SS_ASSERT (scenario != NULL && scenario->scene != NULL && scenario->task.plan != NULL);
  SS_ASSERT (motion != NULL && motion->n_rows > 0 && stages != NULL && out != NULL);
  SS_ASSERT (ss_trajectory_channel (stages, "weight") >= 0);

  Value value;
  SsStatus status = value_init (&value, scenario, motion->n_channels, err);

  *out = (SsPlanValue){.t = NAN};
  if (status == SS_OK) {
    out->objective = cost_of_stages (&value, stages, a_n);
    find_channels (&value, motion);
    out->objective += cost_of_rows (&value, motion) + cost_of_jumps (&value, motion, a_n);
    look_at_way (&value, motion, out);
  }
  value_clear (&value);
  return status;
}
