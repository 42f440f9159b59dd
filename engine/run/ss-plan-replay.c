/* engine/run/ss-plan-replay.c: see the header. */
#include "run/ss-plan-replay.h"

#include "fesd/ss-fesd-j.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Formulas of the scene at rows of a table. */
typedef struct {
  const SsScenario *scenario;
  const SsPlan *plan;
  const SsTrajectory *table;
  int *channels;  /* by slot: channel, or -1 */
  double *inputs; /* by slot */
  double *memo;
  int *stamp, tick;
} Look;

static void
close_look (Look *look)
{
  ss_free (look->channels);
  ss_free (look->inputs);
  ss_free (look->memo);
  ss_free (look->stamp);
}

static SsStatus
open_look (const SsScenario *scenario, const SsPlan *plan, const SsTrajectory *table, Look *look, SsError *err)
{
  static const char *const names[6] = {"x", "y", "theta", "vx", "vy", "omega"};
  const SsScene *scene = scenario->scene;
  const int n_nodes = scenario->graph != NULL ? ss_graph_n_nodes (scenario->graph) : 0;
  char name[SS_CHANNEL_NAME_MAX];

  *look = (Look){.scenario = scenario,
                 .plan = plan,
                 .table = table,
                 .channels = ss_new_array (int, scene->n_slots + 1),
                 .inputs = ss_new_array (double, scene->n_slots + 1),
                 .memo = ss_new_array (double, n_nodes + 1),
                 .stamp = ss_new_array (int, n_nodes + 1)};
  if (look->channels == NULL || look->inputs == NULL || look->memo == NULL || look->stamp == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  for (int s = 0; s < scene->n_slots; s++) {
    look->channels[s] = -1;
    if (s < 6 * scene->n_bodies) {
      const SsBody *body = &scene->bodies[s / 6];

      look->inputs[s] = s % 6 < 3 ? body->q[s % 6] : body->is_fixed ? 0 : body->v[s % 6 - 3];
      snprintf (name, sizeof name, "%s.%s", body->name, names[s % 6]);
      look->channels[s] = ss_trajectory_channel (table, name);
    } else if (s == scene->slot_t)
      look->channels[s] = 0;
    else if (s >= scene->slot_controls && s - scene->slot_controls < scene->n_actuators) {
      snprintf (name, sizeof name, "u.%s", scene->actuators[s - scene->slot_controls].name);
      look->channels[s] = ss_trajectory_channel (table, name);
    } else if (s >= scene->slot_parameters && s < scene->slot_t)
      look->inputs[s] = scene->parameter_values[s - scene->slot_parameters];
  }
  return SS_OK;
}

static void
look_at (Look *look, int row)
{
  const double *values = ss_trajectory_row (look->table, row);

  for (int s = 0; s < look->scenario->scene->n_slots; s++)
    if (look->channels[s] >= 0)
      look->inputs[s] = values[look->channels[s]];
  look->tick++;
}

static double
value_of (Look *look, SsExpr formula)
{
  return ss_graph_eval (look->scenario->graph, formula, look->inputs, look->scenario->scene->n_slots, look->memo,
                        look->stamp, look->tick);
}

static void
worsen (SsPlanReplay *out, double violation, double t)
{
  if (violation > out->path_violation || isnan (violation)) {
    out->path_violation = violation;
    out->worst_t = t;
  }
}

/* Path constraints and bounds at the row looked at. */
static void
look_at_path (Look *look, double t, SsPlanReplay *out)
{
  const SsPlan *plan = look->plan;

  for (int i = 0; i < plan->n_constraints; i++) {
    const SsPlanConstraint *constraint = &plan->constraints[i];
    if (constraint->points != SS_PLAN_LAST) {
      const double row = value_of (look, constraint->row);
      worsen (out, constraint->kind == SS_ROWS_EQUALITY ? fabs (row) : fmax (-row, 0), t);
    }
  }
  for (int i = 0; i < plan->n_bounds; i++)
    for (int c = 0; c < SS_PLAN_COORDINATES; c++) {
      const SsPlanBound *bound = &plan->bounds[i];
      const double at = look->inputs[6 * bound->body + c];
      worsen (out, fmax (fmax (bound->lower[c] - at, at - bound->upper[c]), 0), t);
    }
}

static SsStatus
add_stages (const SsScenario *scenario, const SsPlan *plan, SsPlanReplay *out, SsError *err)
{
  const SsScene *scene = scenario->scene;
  const SsTrajectory *stages = out->simulated.stages;
  const int of_weight = ss_trajectory_channel (stages, "weight");
  Look look;
  SsStatus status = open_look (scenario, plan, stages, &look, err);

  for (int row = 0; row < stages->n_rows && status == SS_OK; row++) {
    const double *values = ss_trajectory_row (stages, row);
    double rate = 0;

    look_at (&look, row);
    look_at_path (&look, values[0], out);
    for (int i = 0; i < plan->n_costs; i++)
      if (plan->costs[i].points != SS_PLAN_LAST)
        rate += value_of (&look, plan->costs[i].cost);
    for (int a = 0; a < scene->n_actuators && plan->effort != NULL; a++)
      rate += plan->effort[a] * look.inputs[scene->slot_controls + a] * look.inputs[scene->slot_controls + a];
    out->objective += values[of_weight] * rate;
  }
  close_look (&look);
  return status;
}

static SsStatus
add_rows (const SsScenario *scenario, const SsPlan *plan, SsPlanReplay *out, SsError *err)
{
  const SsTrajectory *motion = out->simulated.trajectory;
  const int last = motion->n_rows - 1;
  Look look;
  SsStatus status = open_look (scenario, plan, motion, &look, err);

  for (int row = 1; row <= last && status == SS_OK; row++) {
    look_at (&look, row);
    look_at_path (&look, ss_trajectory_row (motion, row)[0], out);
  }
  for (int i = 0; i < plan->n_costs && status == SS_OK; i++)
    if (plan->costs[i].points == SS_PLAN_LAST)
      out->objective += value_of (&look, plan->costs[i].cost);
  for (int i = 0; i < plan->n_constraints && status == SS_OK; i++)
    if (plan->constraints[i].points == SS_PLAN_LAST) {
      const double row = value_of (&look, plan->constraints[i].row);
      out->target_miss =
          fmax (out->target_miss, plan->constraints[i].kind == SS_ROWS_EQUALITY ? fabs (row) : fmax (-row, 0));
    }
  for (int i = 0; i < plan->n_targets && status == SS_OK; i++)
    for (int c = 0; c < SS_PLAN_COORDINATES; c++) {
      const SsPlanTarget *target = &plan->targets[i];
      const double off = look.inputs[6 * target->body + c] - target->value[c];

      if (isnan (target->value[c]))
        continue;
      if (isinf (target->weight[c]))
        out->target_miss = fmax (out->target_miss, fabs (off));
      else
        out->objective += target->weight[c] * off * off;
    }
  close_look (&look);
  return status;
}

static SsStatus
simulate (const SsScenario *scenario, const SsPlan *plan, const double *controls, int steps, SsRunControl *control,
          SsPlanReplay *out, SsError *err)
{
  const double interval = plan->horizon / plan->steps;
  double *t = ss_new_array (double, plan->steps);
  SsStatus status;

  if (t == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  for (int i = 0; i < plan->steps; i++)
    t[i] = i * interval;
  const SsControls held = {plan->steps, scenario->scene->n_actuators, t, (double *)controls};
  status = ss_simulate_job (&(SsSimJob){.scene = scenario->scene,
                                        .integrator = &ss_integrator_fesd_j,
                                        .controls = &held,
                                        .dt = interval / steps,
                                        .t_end = plan->horizon},
                            control, &out->simulated, err);
  ss_free (t);
  return status;
}

SsStatus
ss_plan_replay (const SsScenario *scenario, const SsPlan *plan, const double *controls, int steps,
                SsRunControl *control, SsPlanReplay *out, SsError *err)
{
  SsRunControl silent; /* its frames are no frames of the run */
  SsStatus status;

  SS_ASSERT (scenario->scene != NULL && plan->steps > 0 && steps > 0);
  *out = (SsPlanReplay){0};
  ss_run_control_init (&silent);
  if (control != NULL)
    silent.deadline = control->deadline;
  status = simulate (scenario, plan, controls, steps, &silent, out, err);
  if (status != SS_OK)
    return status;
  out->is_complete = out->simulated.outcome == SS_OUTCOME_COMPLETED && out->simulated.stages != NULL;
  if (!out->is_complete) {
    out->objective = out->path_violation = out->target_miss = NAN;
    return SS_OK;
  }
  status = add_stages (scenario, plan, out, err);
  if (status == SS_OK)
    status = add_rows (scenario, plan, out, err);
  for (int i = 0; i + 1 < plan->steps && plan->effort_rate > 0; i++)
    for (int a = 0; a < scenario->scene->n_actuators; a++) {
      const int n = scenario->scene->n_actuators;
      const double change = controls[(i + 1) * n + a] - controls[i * n + a];

      out->objective += plan->effort_rate * change * change;
    }
  if (plan->is_time_free)
    out->objective += plan->time_weight * plan->horizon;
  return status;
}

void
ss_plan_replay_clear (SsPlanReplay *replay)
{
  ss_sim_result_clear (&replay->simulated);
  *replay = (SsPlanReplay){0};
}
