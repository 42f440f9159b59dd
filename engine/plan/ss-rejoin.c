/* engine/plan/ss-rejoin.c: see the header. */
#include "plan/ss-rejoin.h"

#include "contact/ss-contact-problem.h"
#include "core/ss-memory.h"
#include "plan/ss-plan-rest.h"
#include "plan/ss-replan.h"
#include "simulate/ss-simulate.h"
#include "simulate/ss-stewart-trinkle.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What a miss is measured in [m], [rad], [m/s], [rad/s]; of a body without a target its square counts this part. */
static const double NEAR[SS_PLAN_COORDINATES] = {0.005, 0.005, 0.02, 0.05, 0.05, 0.2}, OTHERS = 0.1;
/* The sum of the squares of the misses: below the first nothing is planned; a plan is taken that has this part. */
static const double ENOUGH = 0.3, BETTER = 0.7;
/* Costs of a plan: a miss of one unit, and the largest controls all the time. */
static const double MISS_COST = 0.05, EFFORT_COST = 1e-3;
/* A contact is closed up to this gap [m]. */
static const double CLOSED = 1e-3;
/* A state that is early by this part of a step is due. */
static const double EARLY = 1e-6;
/* Of the look-ahead that nobody gave: this part of the task's steps, and not fewer; look-aheads, each half of the one
 * before; steps in one of the plan, where the law in force is simulated. */
enum { PART = 4, LEAST = 8, SIZES = 3, PARTS = 4 };

struct SsRejoin {
  const SsScenario *believed;
  SsRunControl *control; /* NULL: nobody stops it */
  SsTrajectory *plan;
  SsPlanLqr *lqr;
  /* The task that is planned again */
  SsScenario scenario;
  SsPlan task;
  SsPlanTarget *targets;
  SsPlanConstraint *constraints;
  double *effort;
  double *part; /* n_targets: what a body counts */
  SsReplan *loops[SIZES];
  int sizes[SIZES];
  int (*columns)[SS_PLAN_COORDINATES]; /* by targets; -1: the plan does not tell */
  double h, end, due, period;
  /* What acts until `until`: NULL: the plan */
  SsPlanLqr *acting;
  double begun, until;
  /* Motions */
  SsSimulation *simulation, *planned; /* where the law in force is tried; in the law and the steps of plans */
  SsStewartTrinkleOptions options;
  SsTrajectory *rolled;
  SsControls controls; /* of the longest size */
  double *row, *sample, *held;
  bool *closed; /* n_contacts, measured last */
  bool has_closed;
  SsRejoinAccount account;
};

/* ---- motions ----------------------------------------------------------------------------------------------------- */

static const double *
act (SsRejoin *r, double t, const double *q, const double *v)
{
  if (r->acting != NULL && t < r->until - EARLY * r->h)
    return ss_plan_lqr_controls (r->acting, t - r->begun, q, v);
  return ss_plan_lqr_controls (r->lqr, t, q, v);
}

/* What the state misses the plan by at time t. */
static double
miss_at (SsRejoin *r, double t, const SsSimState *state)
{
  double sum = 0;

  ss_trajectory_sample (r->plan, fmin (t, r->end), r->sample);
  for (int i = 0; i < r->task.n_targets; i++)
    for (int c = 0; c < SS_PLAN_COORDINATES; c++) {
      const int place = 3 * r->targets[i].body + c % 3;

      if (isnan (r->targets[i].value[c]))
        continue;
      const double off = ((c < 3 ? state->q : state->v)[place] - r->sample[r->columns[i][c]]) / NEAR[c];
      sum += r->part[i] * off * off;
    }
  return sum;
}

static SsSimState *
begin (const SsRejoin *r, SsSimulation *simulation, const double *q, const double *v)
{
  const SsScene *scene = r->believed->scene;
  const size_t size = 3 * (size_t)scene->n_bodies * sizeof *q;
  SsSimState *state = ss_simulation_state (simulation);

  memcpy (state->q, q, size);
  memcpy (state->v, v, size);
  memset (state->contact, 0, SS_SIM_N_CONTACT_VALUES * (size_t)scene->n_contacts * sizeof (double));
  state->t = 0;
  return state;
}

/* What the motion under the law in force from time t on misses the plan's end by; infinite: a step fails. *controls
 * (may be NULL), `steps` rows, become the means of its first controls. */
static double
follow (SsRejoin *r, int steps, double t, const double *q, const double *v, SsControls *controls)
{
  const int m = r->believed->scene->n_actuators,
            n = (int)fmax (floor ((r->end - t) / r->h * PARTS + 0.5), steps * PARTS);
  SsSimState *state = begin (r, r->simulation, q, v);
  SsControls held = {1, m, &(double){0}, r->held};
  SsStepInfo info;
  SsError ignored;

  if (controls != NULL) {
    controls->n_rows = steps;
    memset (controls->u, 0, (size_t)(steps * m) * sizeof (double));
  }
  ss_simulation_set_controls (r->simulation, &held);
  for (int k = 0; k < n; k++) {
    state->t = 0;
    memcpy (r->held, act (r, t + k * r->h / PARTS, state->q, state->v), (size_t)m * sizeof (double));
    for (int a = 0; a < m && controls != NULL && k < steps * PARTS; a++)
      controls->u[k / PARTS * m + a] += r->held[a] / PARTS;
    if (ss_simulation_step (r->simulation, r->h / PARTS, &info, &ignored) != SS_OK)
      return INFINITY;
  }
  const double miss = miss_at (r, r->end, state);
  return isfinite (miss) ? miss : INFINITY;
}

/* The motion of r->controls in the plan's steps, from time 0 on, into r->rolled. False: a step fails. */
static bool
roll (SsRejoin *r, const double *q, const double *v)
{
  SsStepInfo info;
  SsError ignored;

  begin (r, r->planned, q, v);
  r->rolled->n_rows = 0;
  ss_simulation_set_controls (r->planned, &r->controls);
  for (int k = 0; k <= r->controls.n_rows; k++) {
    ss_simulation_fill (r->planned, r->row);
    if (ss_trajectory_append (r->rolled, r->row, &ignored) != SS_OK ||
        (k < r->controls.n_rows && ss_simulation_step (r->planned, r->h, &info, &ignored) != SS_OK))
      return false;
  }
  return true;
}

/* ---- planning again ---------------------------------------------------------------------------------------------- */

static SsStatus
open_loop (SsRejoin *r, int size, SsError *err)
{
  SsReplanOptions options;

  ss_options_init (&ss_replan_option_table, &options);
  options.look_ahead = r->sizes[size];
  options.deadline = options.first = 0;
  return r->loops[size] != NULL ? SS_OK : ss_replan_new (&r->scenario, &options, &r->loops[size], err);
}

/* Controls of a new plan from the state, from those in r->controls, in their place. False: there is none. */
static bool
plan_again (SsRejoin *r, int size, double t, const double *q, const double *v)
{
  const int m = r->believed->scene->n_actuators, steps = r->sizes[size];
  SsReplanAnswer answer;
  SsRunControl own, *control = r->control;
  SsError ignored;

  if (control == NULL) {
    ss_run_control_init (&own);
    control = &own;
  }
  SsProgressFunc progress = control->progress;
  const double deadline = control->deadline;
  control->progress = NULL;
  SsStatus status = open_loop (r, size, &ignored);
  if (status == SS_OK) {
    ss_trajectory_sample (r->plan, fmin (t + steps * r->h, r->end), r->sample);
    for (int i = 0; i < r->task.n_targets; i++)
      for (int c = 0; c < SS_PLAN_COORDINATES; c++)
        if (!isnan (r->targets[i].value[c]))
          ss_replan_set_target (r->loops[size], i, c, r->sample[r->columns[i][c]]);
    status = ss_replan_begin (r->loops[size], 0, q, v, &r->controls, &ignored);
  }
  if (status == SS_OK)
    status = ss_replan_solve (r->loops[size], 0, q, v, control, &answer, &ignored);
  control->progress = progress;
  control->deadline = deadline;
  if (status != SS_OK || answer.is_kept)
    return false;
  memcpy (r->controls.u, ss_replan_controls (r->loops[size])->u, (size_t)(steps * m) * sizeof (double));
  return true;
}

/* The motion of r->controls acts, where it ends nearer to the plan than `before`. */
static void
take_better (SsRejoin *r, double before, double t, const double *q, const double *v)
{
  SsPlanLqr *lqr = NULL, *last = r->acting;
  const double begun = r->begun, until = r->until;
  const int steps = r->controls.n_rows;
  SsError ignored;

  if (!roll (r, q, v) || ss_plan_lqr_along (r->lqr, t, r->rolled, r->control, &lqr, &ignored) != SS_OK || lqr == NULL)
    return;
  r->acting = lqr;
  r->begun = t;
  r->until = t + steps * r->h;
  const double after = follow (r, steps, t, q, v, NULL);
  if (after < BETTER * before) {
    ss_plan_lqr_free (last);
    r->account.n_taken++;
  } else {
    ss_plan_lqr_free (lqr);
    r->acting = last;
    r->begun = begun;
    r->until = until;
  }
}

static void
look (SsRejoin *r, double t, const double *q, const double *v)
{
  int size = 0;
  SsOutcome why;

  while (size < SIZES && t + r->sizes[size] * r->h > r->end + EARLY * r->h)
    size++;
  if (size == SIZES || ss_run_control_should_stop (r->control, &why))
    return;
  r->account.n_looks++;
  const double before = follow (r, r->sizes[size], t, q, v, &r->controls);
  if (before <= ENOUGH || isinf (before))
    return;
  r->account.n_plans++;
  if (plan_again (r, size, t, q, v))
    take_better (r, before, t, q, v);
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

/* Whether a contact has closed or opened since the last call. */
static bool
has_event (SsRejoin *r, const double *q)
{
  const SsScene *scene = r->believed->scene;
  bool is_one = false;

  for (int i = 0; i < scene->n_contacts; i++) {
    const bool is_closed = ss_scene_contact_gap (scene, i, q) <= CLOSED;

    is_one = is_one || (r->has_closed && is_closed != r->closed[i]);
    r->closed[i] = is_closed;
  }
  r->has_closed = true;
  return is_one;
}

const double *
ss_rejoin_controls (SsRejoin *r, double t, const double *q, const double *v)
{
  SS_ASSERT (r != NULL);

  const bool is_event = has_event (r, q), is_due = t >= r->due - EARLY * r->h;

  if (is_event || is_due) {
    const double cpu = ss_clock_thread_cpu ();

    look (r, t, q, v);
    r->account.cpu_seconds += ss_clock_thread_cpu () - cpu;
    r->account.n_events += !is_due;
    if (is_due)
      r->due = t + r->period;
  }
  return act (r, t, q, v);
}

/* ---- making ------------------------------------------------------------------------------------------------------ */

static bool
is_target (const SsPlan *task, int body)
{
  for (int i = 0; i < task->n_targets; i++)
    if (task->targets[i].body == body)
      return true;
  return task->n_targets == 0;
}

/* All coordinates that can move and that the plan tells. */
static void
set_targets (SsRejoin *r)
{
  const SsScene *scene = r->believed->scene;
  char name[SS_CHANNEL_NAME_MAX];

  for (int b = 0; b < scene->n_bodies; b++) {
    SsPlanTarget *target = &r->targets[r->task.n_targets];
    bool has_one = false;

    target->body = b;
    r->part[r->task.n_targets] = is_target (r->believed->task.plan, b) ? 1 : OTHERS;
    for (int c = 0; c < SS_PLAN_COORDINATES; c++) {
      snprintf (name, sizeof name, "%s.%s", scene->bodies[b].name, ss_body_channels[c]);
      const int column = ss_trajectory_channel (r->plan, name);
      const bool is_one = column >= 0 && !scene->bodies[b].is_fixed && !scene->bodies[b].lock[c % 3];

      r->columns[r->task.n_targets][c] = column;
      target->value[c] = is_one ? 0 : NAN;
      target->weight[c] = is_one ? MISS_COST * r->part[r->task.n_targets] / (NEAR[c] * NEAR[c]) : 0;
      has_one = has_one || is_one;
    }
    r->task.n_targets += has_one;
  }
}

static SsStatus
set_task (SsRejoin *r, SsError *err)
{
  const SsScene *scene = r->believed->scene;
  const SsPlan *task = r->believed->task.plan;
  const int m = scene->n_actuators;

  r->targets = ss_new_array (SsPlanTarget, scene->n_bodies + 1);
  r->part = ss_new_array (double, scene->n_bodies + 1);
  r->columns = ss_alloc ((size_t)scene->n_bodies + 1, sizeof *r->columns);
  r->constraints = ss_new_array (SsPlanConstraint, task->n_constraints + 1);
  r->effort = ss_new_array (double, m + 1);
  if (r->targets == NULL || r->part == NULL || r->columns == NULL || r->constraints == NULL || r->effort == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a feedback");
  r->scenario = *r->believed;
  r->task = *task;
  r->scenario.task.plan = &r->task;
  r->task.n_targets = r->task.n_constraints = r->task.n_costs = 0;
  r->task.targets = r->targets;
  set_targets (r);
  for (int i = 0; i < task->n_constraints; i++)
    if (task->constraints[i].points != SS_PLAN_LAST)
      r->constraints[r->task.n_constraints++] = task->constraints[i];
  r->task.constraints = r->constraints;
  for (int a = 0; a < m; a++) {
    const double largest = ss_plan_lqr_largest (r->lqr, a);
    r->effort[a] = EFFORT_COST / (largest * largest * r->sizes[0] * r->h);
  }
  r->task.effort = r->effort;
  r->task.effort_rate = 0;
  return SS_OK;
}

static SsStatus
set_up (SsRejoin *r, const SsTrajectory *plan, SsError *err)
{
  const SsScene *scene = r->believed->scene;
  const SsIntegratorClass *integrator = &ss_integrator_stewart_trinkle;
  const int m = scene->n_actuators, most = r->sizes[0];
  SsStatus status = ss_trajectory_copy (plan, &r->plan, err);

  if (status == SS_OK)
    status = set_task (r, err);
  if (status != SS_OK)
    return status;
  ss_options_init (integrator->options, &r->options);
  ss_stewart_trinkle_suit_plan (&r->options);
  status = ss_simulation_new (scene, integrator, &r->options, &r->planned, err);
  if (status == SS_OK)
    status = ss_simulation_new (scene, &ss_integrator_moreau_jean, NULL, &r->simulation, err);
  if (status == SS_OK)
    status = ss_simulation_trajectory_new (scene, integrator, &r->options, most + 1, &r->rolled, err);
  if (status != SS_OK)
    return status;
  r->controls = (SsControls){most, m, ss_new_array (double, most + 1), ss_new_array (double, (size_t)(most + 1) * m)};
  r->row = ss_new_array (double, ss_simulation_n_channels (r->planned) + 1);
  r->held = ss_new_array (double, m + 1);
  for (int k = 0; k < most && r->controls.t != NULL; k++)
    r->controls.t[k] = k * r->h;
  r->sample = ss_new_array (double, r->plan->n_channels + 1);
  r->closed = ss_new_array (bool, scene->n_contacts + 1);
  if (r->controls.t == NULL || r->controls.u == NULL || r->row == NULL || r->sample == NULL || r->held == NULL ||
      r->closed == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a feedback");
  r->end = ss_trajectory_row (plan, plan->n_rows - 1)[0];
  return open_loop (r, 0, err);
}

SsStatus
ss_rejoin_new (const SsScenario *believed, const SsTrajectory *plan, SsPlanLqr *lqr, int every, int look_ahead,
               SsRunControl *control, SsRejoin **out, SsError *err)
{
  SS_ASSERT (believed != NULL && believed->scene != NULL && plan != NULL && lqr != NULL && every >= 1 && out != NULL);
  const SsPlan *task = believed->task.plan;
  SsRejoin *r = ss_new (SsRejoin);

  *out = NULL;
  if (r == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a feedback");
  r->believed = believed;
  r->control = control;
  r->lqr = lqr;
  r->h = task->horizon / task->steps;
  r->period = every * r->h;
  r->sizes[0] = look_ahead > 0 ? look_ahead : (int)fmax (fmax (task->steps / PART, LEAST), every);
  for (int i = 1; i < SIZES; i++)
    r->sizes[i] = (int)fmax (r->sizes[i - 1] / 2, 1);
  const SsStatus status = set_up (r, plan, err);
  if (status == SS_OK)
    *out = r;
  else
    ss_rejoin_free (r);
  return status;
}

void
ss_rejoin_free (SsRejoin *r)
{
  if (r == NULL)
    return;
  for (int i = 0; i < SIZES; i++)
    ss_replan_free (r->loops[i]);
  ss_plan_lqr_free (r->acting);
  ss_trajectory_free (r->plan);
  ss_trajectory_free (r->rolled);
  ss_simulation_free (r->simulation);
  ss_simulation_free (r->planned);
  ss_free (r->controls.t);
  ss_free (r->controls.u);
  ss_free (r->targets);
  ss_free (r->constraints);
  ss_free (r->effort);
  ss_free (r->part);
  ss_free (r->columns);
  ss_free (r->row);
  ss_free (r->sample);
  ss_free (r->held);
  ss_free (r->closed);
  ss_free (r);
}

void
ss_rejoin_account (const SsRejoin *r, SsRejoinAccount *account)
{
  SS_ASSERT (r != NULL && account != NULL);
  *account = r->account;
}
