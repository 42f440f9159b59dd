/* engine/simulate/ss-simulate.c: the driver of all integrators: steps, metrics, cancel, deadline, divergence. Whole
 * runs: ss-sim-job.c. What is kept of the motion: ss-record.c. */
#include "core/ss-work.h"
#include "simulate/ss-simulate.h"

#include "simulate/ss-sim-limits.h"
#include "simulate/ss-simulate-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A coordinate or speed beyond this has left any scene in metres and seconds: the run has diverged. [m, rad, m/s,
 * rad/s] */
static const double divergence_limit = 1e9;
/* A last step shorter than this fraction of dt is rounding of t_end/dt: the step before takes it over. */
static const double sliver_fraction = 1e-9;
/* A change of controls that is this part of dt away from the end of a step is that end: tables round their times. */
static const double change_fraction = 1e-3;
/* Counted work of a step, of each body and of each contact in it, beside the step's systems. */
static const double STEP_UNIT = 1000, BODY_UNIT = 200, CONTACT_UNIT = 300;

/* ---- metrics ----------------------------------------------------------------------------------------------------- */

static void
measure_contacts (const SsScene *scene, const double *values, int n_contacts, SsSimMetrics *metrics)
{
  for (int i = 0; i < n_contacts; i++, values += SS_SIM_N_CONTACT_VALUES) {
    if (values[SS_SIM_GAP] >= 0 && values[SS_SIM_IMPULSE_N] == 0 && values[SS_SIM_IMPULSE_T] == 0 &&
        values[SS_SIM_LAMBDA_N] == 0 && values[SS_SIM_LAMBDA_T] == 0)
      continue; /* most of many: neither number grows */
    metrics->max_penetration = fmax (metrics->max_penetration, -values[SS_SIM_GAP]);
    metrics->max_cone_violation = fmax (metrics->max_cone_violation, ss_sim_cone_violation (scene, i, values));
  }
}

/* Contacts and energy of the present state. */
void
ss_sim_run_measure (SsSimRun *run)
{
  SS_ASSERT (run != NULL);

  SsSimRecord *r = &run->record;
  measure_contacts (r->scene, r->state.contact, r->scene->n_contacts, &run->metrics);
  run->metrics.energy_final =
      ss_dynamics_kinetic_energy (r->dynamics, r->state.v) + ss_dynamics_potential_energy (r->dynamics, r->state.q);
}

/* The step that has ended at the present state. */
static void
measure_step (SsSimRun *run, const void *stepper, const SsStepInfo *info)
{
  SsSimRecord *r = &run->record;
  for (int k = ss_sim_record_first_row (r); k + 1 < r->motion->n_rows; k++) {
    int n;
    const double *values = ss_sim_record_contact_values (r, ss_trajectory_row (r->motion, k), &n);
    measure_contacts (r->scene, values, n, &run->metrics);
  }
  ss_sim_run_measure (run);
  ss_rebound_step (run->rebound, &r->state);
  run->metrics.n_by_way[info->way]++;
  run->metrics.n_by_certainty[info->certainty]++;
  const SsSecondSolution *second = NULL;
  if (info->certainty == SS_CERTAINTY_SEVERAL && run->job->integrator->second != NULL)
    second = run->job->integrator->second (stepper);
  if (second != NULL && !run->metrics.second.is_there)
    run->metrics.second = *second;
  run->n_missed += info->residual > SS_SIM_RESIDUAL_PROMISED;
  run->metrics.n_law_missed += !(info->residual <= SS_SIM_LAW_MISSED);
  if (info->residual > run->metrics.own_residual)
    run->metrics.t_residual = r->state.t;
  run->metrics.own_residual = fmax (run->metrics.own_residual, info->residual);
  if (info->has_error) {
    run->metrics.has_error = true;
    run->metrics.error = fmax (run->metrics.error, info->error);
    run->metrics.due_order = info->due_order;
    run->metrics.order = info->order;
  }
}

/* ---- divergence -------------------------------------------------------------------------------------------------- */

/* Of body i: 6 i + 0..2 of q, 3..5 of v. */
static double
coordinate (const SsSimState *state, int index)
{
  int i = index / 6, k = index % 6;
  return k < 3 ? state->q[3 * i + k] : state->v[3 * i + k - 3];
}

/* The first coordinate that is not finite or beyond the limit; -1: none. */
static int
diverged_coordinate (const SsSimRecord *record)
{
  for (int i = 0; i < 6 * record->scene->n_bodies; i++)
    if (!(fabs (coordinate (&record->state, i)) <= divergence_limit))
      return i;
  return -1;
}

static void
describe_divergence (const SsSimRecord *record, int index, char *message, size_t size)
{
  snprintf (message, size, "diverged: body %s, %s = %g at t = %.9g s", record->scene->bodies[index / 6].name,
            ss_body_channels[index % 6], coordinate (&record->state, index), record->state.t);
}

/* ---- steps of a run ---------------------------------------------------------------------------------------------- */

/* From now on the controls of the present time act, until this is called again. */
static void
hold_controls (SsSimRecord *record, const SsControls *controls)
{
  record->controls = controls != NULL ? ss_controls_at (controls, record->state.t) : NULL;
}

/* The same, where a controller may choose them by the state. */
void
ss_sim_run_hold (SsSimRecord *record, const SsSimJob *job)
{
  SS_ASSERT (job != NULL);
  if (job->controller != NULL && record->controls != NULL && !(record->state.t < job->t_end))
    return; /* nothing comes behind the end: what acted last stands in its row */
  if (job->controller != NULL)
    record->controls = job->controller->controls (job->controller->owner, &record->state);
  else
    hold_controls (record, job->controls);
}

int
ss_sim_next_change (const SsSimJob *job, int row, double t_last, int *n_within)
{
  SS_ASSERT (job != NULL);

  const SsControls *c = job->controls;
  const int n_rows = c != NULL ? c->n_rows : 0;
  const bool is_asked = c != NULL && job->controller == NULL && !isnan (job->dt);
  for (; is_asked && row < n_rows; row++) {
    const double *now = c->u + (size_t)row * (size_t)c->n_actuators;
    const bool changes =
        c->t[row] > t_last && memcmp (now, now - c->n_actuators, (size_t)c->n_actuators * sizeof *now) != 0;
    if (changes && c->t[row] - t_last >= (1 - change_fraction) * job->dt)
      return row;
    if (changes && n_within != NULL)
      (*n_within)++;
  }
  return n_rows;
}

/* End of the next step: times are multiples of dt from the last break on, or those of the controls, so that rounding
 * does not add up; a break, a change of the controls and t_end end a step, and one that is shorter by rounding alone is
 * taken over by the step before. */
double
ss_sim_run_next_time (const SsSimRun *run)
{
  SS_ASSERT (run != NULL);

  double dt = run->job->dt, t_end = run->job->t_end;
  double next = run->t_from + (run->n_from + 1) * dt;
  if (isnan (dt)) {
    next = run->next_control < run->job->controls->n_rows ? run->job->controls->t[run->next_control] : t_end;
    dt = next - run->record.state.t;
  }
  const SsControls *controls = run->job->controls;
  const double t_change = controls != NULL && run->change < controls->n_rows ? controls->t[run->change] : INFINITY;
  if (next > t_change - change_fraction * dt)
    next = t_change;
  const double end = fmin (run->t_break, t_end);
  return next > end - sliver_fraction * dt ? end : next;
}

/* The step from `last` to `next` is behind us. */
void
ss_sim_run_count_step (SsSimRun *run, double last, double next)
{
  SS_ASSERT (run != NULL);

  const SsSimJob *job = run->job;
  const double sliver = sliver_fraction * (isnan (job->dt) ? next - last : job->dt);
  run->metrics.steps++;
  run->n_from++;
  if (next == run->t_break) {
    run->t_from = next;
    run->n_from = 0;
    run->t_break = ss_scene_next_break (job->scene, next + sliver);
  }
  if (job->controls != NULL && run->change < job->controls->n_rows && job->controls->t[run->change] <= next + sliver) {
    run->t_from = next;
    run->n_from = 0;
    run->change = ss_sim_next_change (job, run->change + 1, job->controls->t[run->change], NULL);
  }
  while (isnan (job->dt) && run->next_control < job->controls->n_rows &&
         job->controls->t[run->next_control] <= next + sliver)
    run->next_control++;
}

/* Tells the listener of the rows from `first` on, where few are kept by their steps. */
void
ss_sim_run_tell (const SsSimRun *run, int first)
{
  SS_ASSERT (run != NULL);

  const SsTrajectory *motion = run->record.motion;
  for (int k = first; run->control != NULL && k < motion->n_rows; k++)
    ss_run_control_emit_frame (run->control, run->every > 1 ? run->metrics.steps : k, ss_trajectory_row (motion, k),
                               motion->n_channels);
}

static bool
stops (const SsSimRun *run, SsOutcome *outcome, char *message, size_t size)
{
  SsOutcome why;
  if (!ss_run_control_should_stop (run->control, &why))
    return false;
  *outcome = why;
  snprintf (message, size, "%s at t = %.9g s after %d steps", ss_outcome_early_words (why), run->record.state.t,
            run->metrics.steps);
  return true;
}

bool
ss_sim_run_stops (const SsSimRun *run, SsSimResult *result)
{
  SS_ASSERT (result != NULL);
  return stops (run, &result->outcome, result->message, sizeof result->message);
}

/* Counted work of a step beside its systems: geometry and rows. */
static void
count_step (const SsScene *scene)
{
  ss_work_add (STEP_UNIT + BODY_UNIT * scene->n_bodies + CONTACT_UNIT * scene->n_contacts);
}

SsStatus
ss_sim_run_step (SsSimRun *run, void *stepper, double next, SsOutcome *outcome, char *message, size_t size,
                 SsError *err)
{
  SS_ASSERT (run != NULL && outcome != NULL);

  SsSimRecord *r = &run->record;
  SsStepInfo info = {0};
  SsError step_error;
  *outcome = SS_OUTCOME_COMPLETED;
  count_step (r->scene);
  SsStatus status = ss_swept_step (run->swept, r, run->job->integrator, stepper, next, &info, &step_error);
  if (status == SS_ERR_MEMORY) {
    if (err != NULL)
      *err = step_error;
    return status;
  }
  if (status != SS_OK) {
    ss_sim_record_undo_step (r);
    if (!stops (run, outcome, message, size)) {
      *outcome = SS_OUTCOME_FAILED;
      snprintf (message, size, "%s", step_error.message);
    }
    return SS_OK;
  }
  r->state.t = info.is_over ? info.t_over : next;
  run->is_over = info.is_over;
  if (info.is_left && run->metrics.n_left++ == 0)
    run->metrics.t_left = r->state.t;
  ss_sim_run_hold (r, run->job);
  int diverged = diverged_coordinate (r);
  if (diverged >= 0) {
    ss_sim_record_undo_step (r);
    *outcome = SS_OUTCOME_DIVERGED;
    describe_divergence (r, diverged, message, size);
    return SS_OK;
  }
  status = ss_sim_record_end_step (r, info.residual, err);
  if (status == SS_OK)
    measure_step (run, stepper, &info);
  return status;
}

/* ---- step by step ------------------------------------------------------------------------------------------------ */

struct SsSimulation {
  SsSimRecord record;
  const SsIntegratorClass *integrator;
  const SsControls *controls; /* borrowed, nullable */
  void *stepper;              /* owned */
  SsSwept *swept;             /* owned; NULL: steps are never taken in parts */
  double *start;              /* owned: the record's state before a step with breaks; NULL: the scene has none */
};

SsStatus
ss_simulation_new (const SsScene *scene, const SsIntegratorClass *integrator, const void *options, SsSimulation **out,
                   SsError *err)
{
  SS_ASSERT (scene != NULL && integrator != NULL && out != NULL);
  *out = NULL;
  SsStatus status = ss_integrator_check_scene (integrator, options, scene, err);
  if (status != SS_OK)
    return status;
  SsSimulation *simulation = ss_new (SsSimulation);
  if (simulation == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a simulation");
  simulation->integrator = integrator;
  status = ss_sim_record_init (&simulation->record, scene, integrator, options, 0, err);
  if (status == SS_OK && scene->n_breaks > 0) {
    simulation->start = ss_new_array (double, ss_sim_record_state_size (&simulation->record));
    if (simulation->start == NULL)
      status = ss_error_set (err, SS_ERR_MEMORY, "no memory for a simulation");
  }
  if (status == SS_OK)
    status = integrator->new_ (scene, options, &simulation->stepper, err);
  if (status == SS_OK)
    status = ss_swept_new (scene, integrator, options, &simulation->swept, err);
  if (status == SS_OK && integrator->start != NULL)
    integrator->start (simulation->stepper, &simulation->record.state);
  if (status == SS_OK)
    *out = simulation;
  else
    ss_simulation_free (simulation);
  return status;
}

void
ss_simulation_free (SsSimulation *simulation)
{
  if (simulation == NULL)
    return;
  if (simulation->stepper != NULL)
    simulation->integrator->free_ (simulation->stepper);
  ss_swept_free (simulation->swept);
  ss_sim_record_clear (&simulation->record);
  ss_free (simulation->start);
  ss_free (simulation);
}

SsSimState *
ss_simulation_state (SsSimulation *simulation)
{
  SS_ASSERT (simulation != NULL);
  return &simulation->record.state;
}

int
ss_simulation_n_channels (const SsSimulation *simulation)
{
  SS_ASSERT (simulation != NULL);
  return simulation->record.motion->n_channels;
}

const SsChannel *
ss_simulation_channels (const SsSimulation *simulation)
{
  SS_ASSERT (simulation != NULL);
  return simulation->record.motion->channels;
}

const SsTrajectory *
ss_simulation_rows (const SsSimulation *simulation)
{
  SS_ASSERT (simulation != NULL);
  return simulation->record.motion;
}

const SsContactRows *
ss_simulation_contacts (const SsSimulation *simulation)
{
  SS_ASSERT (simulation != NULL);
  return simulation->record.contacts;
}

const SsTrajectory *
ss_simulation_stages (const SsSimulation *simulation)
{
  SS_ASSERT (simulation != NULL);
  return simulation->record.stages;
}

const SsEventList *
ss_simulation_events (const SsSimulation *simulation)
{
  SS_ASSERT (simulation != NULL);
  return simulation->record.events;
}

void
ss_simulation_set_controls (SsSimulation *simulation, const SsControls *controls)
{
  SS_ASSERT (simulation != NULL);
  SS_ASSERT (controls == NULL || controls->n_actuators == simulation->record.scene->n_actuators);
  simulation->controls = controls;
  hold_controls (&simulation->record, controls);
}

void
ss_simulation_set_control (SsSimulation *simulation, SsRunControl *control)
{
  SS_ASSERT (simulation != NULL);
  simulation->record.control = control;
}

/* A step or a part of one, to t = next; adds its rows. */
static SsStatus
take_part (SsSimulation *simulation, double next, SsStepInfo *info, SsError *err)
{
  SsSimRecord *r = &simulation->record;
  count_step (r->scene);
  SsStatus status = ss_swept_step (simulation->swept, r, simulation->integrator, simulation->stepper, next, info, err);
  if (status != SS_OK) {
    ss_sim_record_undo_step (r);
    return status;
  }
  r->state.t = info->is_over ? info->t_over : next;
  hold_controls (r, simulation->controls);
  int diverged = diverged_coordinate (r);
  if (diverged >= 0) {
    char message[sizeof ((SsError *)0)->message];
    ss_sim_record_undo_step (r);
    r->residual = info->residual;
    describe_divergence (r, diverged, message, sizeof message);
    return ss_error_set (err, SS_ERR_INVALID, "%s", message);
  }
  return ss_sim_record_end_step (r, info->residual, err);
}

SsStatus
ss_simulation_step (SsSimulation *simulation, double dt, SsStepInfo *info, SsError *err)
{
  SS_ASSERT (simulation != NULL && info != NULL);

  SsSimRecord *r = &simulation->record;
  SS_ASSERT (dt > 0);
  const double t0 = r->state.t, tau = r->state.tau, next = t0 + dt, sliver = sliver_fraction * dt;
  const size_t size = simulation->start != NULL ? ss_sim_record_state_size (r) * sizeof *simulation->start : 0;
  double residual = 0;
  SsStatus status = SS_OK;
  hold_controls (r, simulation->controls); /* the caller may have changed the time */
  ss_sim_record_forget (r);
  if (size > 0)
    memcpy (simulation->start, r->state.q, size);
  for (double from = t0; status == SS_OK && from < next;) {
    const double found = ss_scene_next_break (r->scene, from + sliver);
    const double to = found < next - sliver ? found : next;
    status = take_part (simulation, to, info, err);
    residual = fmax (residual, info->residual);
    from = to;
  }
  info->residual = residual;
  if (status != SS_OK) {
    ss_sim_record_forget (r);
    if (size > 0 && status != SS_ERR_INVALID) { /* of a divergence the state is what came out */
      memcpy (r->state.q, simulation->start, size);
      r->state.t = t0;
      r->state.tau = tau;
    }
  }
  return status;
}

void
ss_simulation_fill (SsSimulation *simulation, double *row)
{
  SS_ASSERT (simulation != NULL && row != NULL);

  ss_sim_record_fill (&simulation->record, row);
}

void
ss_simulation_restore (SsSimulation *simulation, const double *row)
{
  SS_ASSERT (simulation != NULL && row != NULL);

  ss_sim_record_restore (&simulation->record, row);
}
