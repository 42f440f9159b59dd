/* engine/plan/ss-sampled-cost.c: see the header. */
#include "plan/ss-sampled-cost.h"

#include "core/ss-memory.h"
#include "core/ss-work.h"

#include <math.h>
#include <string.h>

/* Distances, angles and rates from which on missing them costs as much as not moving at all [m], [rad], [m/s, rad/s]; a
 * distance on the way at least this part of the longest way that is asked for. */
static const double NEAR = 0.05, NEAR_ANGLE = 0.3, NEAR_RATE = 0.5, WAY_PART = 0.1;
/* Weight of velocities beside poses [s^2]. */
static const double SPEED_WEIGHT = 0.05;
/* Differences of formulas in poses; a way that is asked for is no longer than this [m, rad]. */
static const double DIFFERENCE = 1e-4, WAY_MOST = 5;
/* What is to be closed of an inequality is closed this far beyond 0, or it would be met at the end of endless steps. */
static const double ABOVE = 1e-4;
/* Counted work of an instruction of the formulas (core/ss-work.h). */
static const double INSTRUCTION_UNIT = 4;

struct SsSampledCost {
  const SsScene *scene;
  const SsPlan *plan;
  int steps;
  int n_formulas; /* costs, then constraints */
  SsTape *tape;   /* NULL: none */
  double *inputs, *values, *work;
  bool reads_way; /* a formula or a bound is of other points than the last */
  double *unit;   /* by formulas: of constraints of the last point */
  double *asked;  /* 3 n_bodies */
  double near;    /* unit of distances on the way [m] */
  bool *speaks;   /* n_bodies */
  double *worst;  /* by constraints, then by bounds and coordinates: violation on the way */
  double *last;   /* by constraints: value at the last point */
  double *before; /* controls of the point before */
  int n_worst;
  /* of the motion so far */
  double objective, end;
  double distance;
};

void
ss_sampled_cost_free (SsSampledCost *cost)
{
  if (cost == NULL)
    return;
  ss_tape_free (cost->tape);
  ss_free (cost->inputs);
  ss_free (cost->values);
  ss_free (cost->work);
  ss_free (cost->unit);
  ss_free (cost->asked);
  ss_free (cost->speaks);
  ss_free (cost->worst);
  ss_free (cost->last);
  ss_free (cost->before);
  ss_free (cost);
}

/* ---- formulas ---------------------------------------------------------------------------------------------------- */

static void
evaluate (SsSampledCost *cost, double t, const double *q, const double *v, const double *u)
{
  const SsScene *scene = cost->scene;

  if (cost->tape == NULL)
    return;
  for (int b = 0; b < scene->n_bodies; b++) {
    memcpy (cost->inputs + 6 * b, q + 3 * b, 3 * sizeof *q);
    memcpy (cost->inputs + 6 * b + 3, v + 3 * b, 3 * sizeof *v);
  }
  cost->inputs[scene->slot_t] = t;
  memcpy (cost->inputs + scene->slot_controls, u, (size_t)scene->n_actuators * sizeof *u);
  ss_tape_eval (cost->tape, 1, 1, NULL, 0, cost->inputs, cost->values, cost->work);
  ss_work_add (ceil (INSTRUCTION_UNIT * ss_tape_n_instructions (cost->tape)));
}

/* By how much a constraint is broken by a value of its formula. */
static double
broken (const SsPlanConstraint *constraint, double value)
{
  return constraint->kind == SS_ROWS_EQUALITY ? fabs (value) : fmax (-value, 0);
}

static SsStatus
compile (SsSampledCost *cost, SsError *err)
{
  const SsPlan *plan = cost->plan;
  const size_t n = (size_t)cost->n_formulas;
  SsExpr *outputs = ss_new_array (SsExpr, n + 1);
  SsStatus status = outputs != NULL ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "out of memory");

  for (int i = 0; i < cost->n_formulas && status == SS_OK; i++)
    outputs[i] = i < plan->n_costs ? plan->costs[i].cost : plan->constraints[i - plan->n_costs].row;
  if (status == SS_OK && n > 0)
    status = ss_tape_new (cost->scene->graph, outputs, cost->n_formulas, 0, &cost->tape, err);
  if (status == SS_OK && n > 0) {
    cost->work = ss_new_array (double, ss_tape_work_size (cost->tape) + 1);
    status = cost->work != NULL ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  }
  ss_free (outputs);
  return status;
}

/* ---- what is asked for ------------------------------------------------------------------------------------------- */

/* The formula at the start's poses, one of them moved, at the end of the time, at rest. */
static double
value_at (SsSampledCost *cost, int formula, double *q, const double *still, int coordinate, double by)
{
  q[coordinate] += by;
  evaluate (cost, cost->plan->horizon, q, still, still);
  q[coordinate] -= by;
  return cost->values[formula];
}

/* The way that one formula asks for, over the coordinates that it reads. */
static void
ask_formula (SsSampledCost *cost, int formula, double *q, const double *still)
{
  const SsPlan *plan = cost->plan;
  const bool is_cost = formula < plan->n_costs;
  const SsPlanConstraint *constraint = is_cost ? NULL : &plan->constraints[formula - plan->n_costs];
  const int n = 3 * cost->scene->n_bodies;
  double sum = 0;

  const double value = value_at (cost, formula, q, still, 0, 0), off = is_cost ? 1 : broken (constraint, value);
  if (!isfinite (value))
    return;
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < n; i++) {
      const double up = value_at (cost, formula, q, still, i, DIFFERENCE),
                   down = value_at (cost, formula, q, still, i, -DIFFERENCE), slope = (up - down) / (2 * DIFFERENCE),
                   bend = (up - 2 * value + down) / (DIFFERENCE * DIFFERENCE);

      if (!isfinite (slope) || !isfinite (bend) || ss_body_is_immovable (&cost->scene->bodies[i / 3]))
        continue;
      if (pass == 0) {
        sum += slope * slope;
        cost->speaks[i / 3] = cost->speaks[i / 3] || slope != 0 || fabs (bend) > DIFFERENCE;
      } else if (is_cost && slope != 0)
        cost->asked[i] += bend > DIFFERENCE ? fmin (fmax (-slope / bend, -WAY_MOST), WAY_MOST) : copysign (0.2, -slope);
      else if (!is_cost && off > 0 && sum > 0)
        cost->asked[i] += fmin (fmax (-value * slope / sum, -WAY_MOST), WAY_MOST);
    }
}

static void
find_asked (SsSampledCost *cost, double *q, const double *still)
{
  const SsPlan *plan = cost->plan;

  for (int i = 0; i < cost->n_formulas; i++) {
    const bool is_cost = i < plan->n_costs;

    cost->unit[i] =
        is_cost ? 1 : fmax (broken (&plan->constraints[i - plan->n_costs], value_at (cost, i, q, still, 0, 0)), NEAR);
    if ((is_cost ? plan->costs[i].points : plan->constraints[i - plan->n_costs].points) == SS_PLAN_LAST)
      ask_formula (cost, i, q, still);
  }
  for (int i = 0; i < plan->n_targets; i++) {
    const SsPlanTarget *target = &plan->targets[i];

    cost->speaks[target->body] = true;
    for (int c = 0; c < 3; c++)
      if (!isnan (target->value[c]))
        cost->asked[3 * target->body + c] = target->value[c] - q[3 * target->body + c];
  }
  cost->near = NEAR;
  for (int b = 0; b < cost->scene->n_bodies; b++)
    cost->near = fmax (cost->near, WAY_PART * hypot (cost->asked[3 * b], cost->asked[3 * b + 1]));
}

bool
ss_sampled_cost_speaks_of (const SsSampledCost *cost, int body)
{
  SS_ASSERT (cost != NULL);
  return cost->speaks[body];
}

double
ss_sampled_cost_asked (const SsSampledCost *cost, int body, int axis)
{
  SS_ASSERT (cost != NULL);
  return cost->asked[3 * body + axis];
}

/* ---- life cycle -------------------------------------------------------------------------------------------------- */

SsStatus
ss_sampled_cost_new (const SsScenario *scenario, int steps, SsSampledCost **out, SsError *err)
{
  SS_ASSERT (scenario != NULL);

  const SsScene *scene = scenario->scene;
  const SsPlan *plan = scenario->task.plan;
  const size_t n = 3 * (size_t)scene->n_bodies;
  SsSampledCost *cost = ss_new (SsSampledCost);
  double *q = ss_new_array (double, n + 1), *still = ss_new_array (double, n + (size_t)scene->n_actuators + 1);

  if (cost == NULL || q == NULL || still == NULL) {
    ss_free (cost);
    ss_free (q);
    ss_free (still);
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  }
  *cost = (SsSampledCost){.scene = scene,
                          .plan = plan,
                          .steps = steps,
                          .n_formulas = plan->n_costs + plan->n_constraints,
                          .n_worst = plan->n_constraints + SS_PLAN_COORDINATES * plan->n_bounds};
  cost->inputs = ss_new_array (double, (size_t)(scene->slot_controls + scene->n_actuators + scene->n_slots) + 1);
  cost->values = ss_new_array (double, (size_t)cost->n_formulas + 1);
  cost->unit = ss_new_array (double, (size_t)cost->n_formulas + 1);
  cost->asked = ss_new_array (double, n + 1);
  cost->speaks = ss_new_array (bool, (size_t)scene->n_bodies + 1);
  cost->worst = ss_new_array (double, (size_t)cost->n_worst + 1);
  cost->last = ss_new_array (double, (size_t)plan->n_constraints + 1);
  cost->before = ss_new_array (double, (size_t)scene->n_actuators + 1);
  SsStatus status = SS_OK;
  if (cost->inputs == NULL || cost->values == NULL || cost->unit == NULL || cost->asked == NULL ||
      cost->speaks == NULL || cost->worst == NULL || cost->last == NULL || cost->before == NULL)
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  if (status == SS_OK)
    status = compile (cost, err);
  if (status == SS_OK) {
    ss_scene_put_parameters (scene, cost->inputs);
    for (size_t i = 0; i < n; i++)
      q[i] = scene->bodies[i / 3].q[i % 3];
    find_asked (cost, q, still);
    cost->reads_way = plan->n_bounds > 0;
    for (int i = 0; i < cost->n_formulas; i++)
      cost->reads_way =
          cost->reads_way ||
          (i < plan->n_costs ? plan->costs[i].points : plan->constraints[i - plan->n_costs].points) != SS_PLAN_LAST;
    *out = cost;
  } else
    ss_sampled_cost_free (cost);
  ss_free (q);
  ss_free (still);
  return status;
}

/* ---- a motion ---------------------------------------------------------------------------------------------------- */

void
ss_sampled_cost_begin (SsSampledCost *cost)
{
  SS_ASSERT (cost != NULL);
  memset (cost->worst, 0, (size_t)cost->n_worst * sizeof *cost->worst);
  cost->objective = cost->end = cost->distance = 0;
}

static double
coordinate (const double *q, const double *v, int body, int c)
{
  return c < 3 ? q[3 * body + c] : v[3 * body + c - 3];
}

static bool
holds_at (SsPlanPoints points, int point, int steps)
{
  return points == SS_PLAN_ALL || (points == SS_PLAN_INTERIOR ? point > 0 && point < steps : point == steps);
}

static void
look_at_way (SsSampledCost *cost, int point, const double *q, const double *v)
{
  const SsPlan *plan = cost->plan;

  for (int i = 0; i < plan->n_constraints; i++) {
    const SsPlanConstraint *constraint = &plan->constraints[i];

    if (constraint->points != SS_PLAN_LAST && holds_at (constraint->points, point, cost->steps))
      cost->worst[i] = fmax (cost->worst[i], broken (constraint, cost->values[plan->n_costs + i]));
  }
  for (int i = 0; i < plan->n_bounds && point > 0; i++)
    for (int c = 0; c < SS_PLAN_COORDINATES; c++) {
      const SsPlanBound *bound = &plan->bounds[i];
      const double x = coordinate (q, v, bound->body, c), off = fmax (bound->lower[c] - x, x - bound->upper[c]);
      double *worst = &cost->worst[plan->n_constraints + SS_PLAN_COORDINATES * i + c];

      *worst = fmax (*worst, off);
    }
}

static void
look_at_target (SsSampledCost *cost, const SsPlanTarget *target, const double *q, const double *v)
{
  const double *asked = cost->asked + 3 * target->body, far = hypot (asked[0], asked[1]);
  double away = 0;

  for (int c = 0; c < SS_PLAN_COORDINATES; c++) {
    if (isnan (target->value[c]))
      continue;
    const double off = coordinate (q, v, target->body, c) - target->value[c],
                 unit = c < 2 ? fmax (far, NEAR) : fmax (fabs (asked[2]), NEAR_ANGLE);

    if (c < 2)
      away = hypot (away, off);
    cost->end += c < 3 ? off * off / (unit * unit) : SPEED_WEIGHT * off * off;
    if (isfinite (target->weight[c]))
      cost->objective += target->weight[c] * off * off;
  }
  cost->distance = fmax (cost->distance, away);
}

static void
look_at_end (SsSampledCost *cost, const double *q, const double *v)
{
  const SsPlan *plan = cost->plan;

  for (int i = 0; i < plan->n_targets; i++)
    look_at_target (cost, &plan->targets[i], q, v);
  for (int i = 0; i < plan->n_constraints; i++) {
    const double value = cost->values[plan->n_costs + i],
                 off = broken (&plan->constraints[i], value) / cost->unit[plan->n_costs + i];

    cost->last[i] = value;
    cost->end += plan->constraints[i].points == SS_PLAN_LAST ? off * off : 0;
  }
}

void
ss_sampled_cost_add (SsSampledCost *cost, int point, const double *q, const double *v, const double *u)
{
  SS_ASSERT (cost != NULL);

  const SsPlan *plan = cost->plan;
  const double h = plan->horizon / cost->steps;
  const bool is_last = point == cost->steps;

  if (cost->reads_way || is_last)
    evaluate (cost, point * h, q, v, u);
  if (cost->reads_way)
    look_at_way (cost, point, q, v);
  for (int i = 0; i < plan->n_costs; i++)
    if (is_last == (plan->costs[i].points == SS_PLAN_LAST))
      cost->objective += (plan->costs[i].points == SS_PLAN_LAST ? 1 : h) * cost->values[i];
  for (int a = 0; a < cost->scene->n_actuators && !is_last; a++) {
    const double change = point > 0 ? u[a] - cost->before[a] : 0;

    cost->objective +=
        (plan->effort != NULL ? h * plan->effort[a] * u[a] * u[a] : 0) + plan->effort_rate * change * change;
    cost->before[a] = u[a];
  }
  if (is_last)
    look_at_end (cost, q, v);
}

/* What counts as much as not moving at all, of a violation on the way. */
static double
unit_of_way (const SsSampledCost *cost, int i)
{
  const int c = (i - cost->plan->n_constraints) % SS_PLAN_COORDINATES;

  return i < cost->plan->n_constraints || c < 2 ? cost->near : c == 2 ? NEAR_ANGLE : NEAR_RATE;
}

SsSampledValue
ss_sampled_cost_end (const SsSampledCost *cost)
{
  SS_ASSERT (cost != NULL);

  double sum = cost->end;

  for (int i = 0; i < cost->n_worst; i++) {
    const double off = cost->worst[i] / unit_of_way (cost, i);
    sum += log1p (off * off);
  }
  return (SsSampledValue){isfinite (sum) ? sum : INFINITY, cost->objective, cost->distance};
}

int
ss_sampled_cost_n_rows (const SsSampledCost *cost)
{
  SS_ASSERT (cost != NULL);
  return cost->n_worst;
}

double
ss_sampled_cost_rows (const SsSampledCost *cost, double *rows)
{
  SS_ASSERT (cost != NULL);

  double worst = 0;

  for (int i = 0; i < cost->n_worst; i++) {
    const SsPlanConstraint *constraint = i < cost->plan->n_constraints ? &cost->plan->constraints[i] : NULL;

    if (constraint == NULL || constraint->points != SS_PLAN_LAST) {
      rows[i] = cost->worst[i];
      worst = fmax (worst, cost->worst[i]);
      continue;
    }
    rows[i] = constraint->kind == SS_ROWS_EQUALITY ? cost->last[i] : fmin (cost->last[i] - ABOVE, 0);
    worst = fmax (worst, broken (constraint, cost->last[i]));
  }
  return isfinite (worst) ? worst : INFINITY;
}
