/* engine/simulate/ss-simulate.c: the driver of all integrators: rows, metrics, cancel, deadline, divergence. */
#include "simulate/ss-contact-problem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A coordinate or speed beyond this has left any scene in metres and seconds: the run has diverged. [m, rad, m/s, rad/s] */
static const double divergence_limit = 1e9;
/* A last step shorter than this fraction of dt is rounding of t_end/dt: the step before takes it over. */
static const double sliver_fraction = 1e-9;
/* An initial overlap up to this is rounding of the sketch, not worth a warning. [m] */
static const double overlap_tolerance = 1e-6;
/* Most steps of a run (an int counts them); more is a wrong dt. */
static const double steps_max = 2e9;
/* Rows reserved at first; a longer trajectory grows. */
enum { ROWS_RESERVED_MAX = 4096, NAME_MAX_LENGTH = 512 };

static const char *const body_channels[] = {"x", "y", "theta", "vx", "vy", "omega"};
enum { N_BODY_CHANNELS = 6, N_MORE_CONTACT_CHANNELS = 3, N_SCENE_CHANNELS = 7 };

typedef struct {
  const SsScene *scene;       /* `held` */
  SsScene held;               /* the caller's scene, with controls when there are some */
  const SsControls *controls; /* borrowed, nullable */
  SsDynamics *dynamics;       /* owned */
  SsSimState state;           /* arrays owned: one block at q */
  double *row;                /* n_channels */
  int n_channels;
  double residual; /* of the last step */
  SsTrajectory *trajectory;
  SsSimMetrics metrics;
  int n_missed;   /* steps with a larger residual than promised */
  double t_worst; /* end of the step with the largest [s]       */
} Run;

static int
n_contact_channels_of (const SsScene *scene)
{
  return scene->n_contacts <= SS_CONTACTS_WITH_CHANNELS_MAX ? scene->n_contacts : 0;
}

SsStatus
ss_simulation_trajectory_new (const SsScene *scene, int n_rows, SsTrajectory **out, SsError *err)
{
  int n = 1 + ss_scene_n_channels (scene);
  const char **names = ss_new_array (const char *, n);
  SsArena *arena = ss_arena_new ();
  SsStatus status = ss_error_set (err, SS_ERR_MEMORY, "no memory for the names of %d channels", n);
  if (arena == NULL || names == NULL)
    goto done;
  names[0] = "t";
  for (int i = 1; i < n; i++) {
    char name[NAME_MAX_LENGTH];
    ss_scene_channel_name (scene, i - 1, name, sizeof name);
    names[i] = ss_arena_strdup (arena, name);
    if (names[i] == NULL)
      goto done;
  }
  status = ss_trajectory_new (names, n, n_rows, out, err);

done:
  ss_free (names);
  ss_arena_free (arena);
  return status;
}

static SsStatus
run_init (Run *run, const SsScene *scene, int n_rows, SsError *err)
{
  size_t n = 3 * (size_t)scene->n_bodies, m = SS_SIM_N_CONTACT_VALUES * (size_t)scene->n_contacts;
  run->held = *scene;
  run->scene = scene = &run->held;
  run->n_channels = 1 + ss_scene_n_channels (scene);
  run->state.q = ss_new_array (double, 2 * n + m + (size_t)scene->n_contacts + (size_t)run->n_channels);
  if (run->state.q == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the state of %d bodies", scene->n_bodies);
  run->state.v = run->state.q + n;
  run->state.contact = run->state.v + n;
  run->state.dissipated = run->state.contact + m;
  run->row = run->state.dissipated + scene->n_contacts;
  SsStatus status = ss_dynamics_new (scene, &run->dynamics, err);
  if (status != SS_OK)
    return status;
  for (int i = 0; i < scene->n_bodies; i++)
    for (int k = 0; k < 3; k++) {
      run->state.q[3 * i + k] = scene->bodies[i].q[k];
      run->state.v[3 * i + k] = scene->bodies[i].is_fixed ? 0 : scene->bodies[i].v[k];
    }
  for (int i = 0; i < scene->n_contacts; i++)
    run->state.contact[SS_SIM_N_CONTACT_VALUES * i + SS_SIM_GAP] =
        n_contact_channels_of (scene) > 0 ? ss_scene_contact_gap (scene, i, run->state.q) : INFINITY;
  return ss_simulation_trajectory_new (scene, n_rows, &run->trajectory, err);
}

static double
cone_violation (const SsScene *scene, int contact, const double *values)
{
  return fmax (fabs (values[SS_SIM_IMPULSE_T]) - scene->contacts[contact].mu * values[SS_SIM_IMPULSE_N], 0);
}

/* The row of the state. */
static void
fill_row (Run *run)
{
  const SsScene *scene = run->scene;
  const SsSimState *state = &run->state;
  int n = 0, n_contacts = n_contact_channels_of (scene);
  double *row = run->row, dissipated = 0;
  row[n++] = state->t;
  for (int i = 0; i < scene->n_bodies; i++) {
    memcpy (row + n, state->q + 3 * i, 3 * sizeof *row);
    memcpy (row + n + 3, state->v + 3 * i, 3 * sizeof *row);
    n += N_BODY_CHANNELS;
  }
  memcpy (row + n, state->contact, SS_SIM_N_CONTACT_VALUES * (size_t)n_contacts * sizeof *row);
  n += SS_SIM_N_CONTACT_VALUES * n_contacts;
  for (int i = 0; i < n_contacts; i++) {
    const double *values = state->contact + SS_SIM_N_CONTACT_VALUES * i;
    row[n++] = fmax (-values[SS_SIM_GAP], 0);
    row[n++] = cone_violation (scene, i, values);
    row[n++] = state->dissipated[i];
  }
  for (int i = 0; i < scene->n_contacts; i++)
    dissipated += state->dissipated[i];
  for (int i = 0; i < scene->n_joints; i++)
    row[n++] = ss_dynamics_joint_drift (run->dynamics, i, state->q);
  for (int i = 0; i < scene->n_actuators; i++)
    row[n++] = ss_dynamics_control (run->dynamics, i, state->t, state->q, state->v);
  row[n++] = ss_dynamics_kinetic_energy (run->dynamics, state->v);
  row[n++] = ss_dynamics_potential_energy (run->dynamics, state->q);
  row[n++] = dissipated;
  ss_dynamics_momentum (run->dynamics, state->q, state->v, row + n);
  n += 3;
  row[n++] = run->residual;
  SS_ASSERT (n == run->n_channels);
}

/* From now on the controls of the present time act, until this is called again. */
static void
hold_controls (Run *run)
{
  run->held.controls = run->controls != NULL ? ss_controls_at (run->controls, run->state.t) : NULL;
}

/* End of the next step: times are multiples of dt, or those of the controls, so that rounding does not add up; the last one is t_end. */
static double
next_time (const Run *run, double dt, double t_end)
{
  double next = (run->metrics.steps + 1) * dt;
  if (isnan (dt)) {
    int row = run->metrics.steps + 1;
    next = row < run->controls->n_rows ? run->controls->t[row] : t_end;
    dt = next - run->state.t;
  }
  return next > t_end - sliver_fraction * dt ? t_end : next;
}

/* Appends the state as a row, tells the listener, updates the metrics that are taken from rows. */
static SsStatus
record (Run *run, SsRunControl *control, SsError *err)
{
  const SsScene *scene = run->scene;
  fill_row (run);
  SsStatus status = ss_trajectory_append (run->trajectory, run->row, err);
  if (status != SS_OK)
    return status;
  for (int i = 0; i < scene->n_contacts; i++) {
    const double *c = run->state.contact + SS_SIM_N_CONTACT_VALUES * i;
    run->metrics.max_penetration = fmax (run->metrics.max_penetration, -c[SS_SIM_GAP]);
    run->metrics.max_cone_violation = fmax (run->metrics.max_cone_violation, cone_violation (scene, i, c));
  }
  const double *energies = run->row + run->n_channels - N_SCENE_CHANNELS;
  run->metrics.energy_final = energies[0] + energies[1];
  if (control != NULL)
    ss_run_control_emit_frame (control, run->trajectory->n_rows - 1, run->row, run->n_channels);
  return SS_OK;
}

/* Names the first coordinate that is not finite or beyond the limit. */
static bool
has_diverged (const Run *run, char *message, size_t size)
{
  for (int i = 0; i < run->scene->n_bodies; i++)
    for (int k = 0; k < N_BODY_CHANNELS; k++) {
      double value = k < 3 ? run->state.q[3 * i + k] : run->state.v[3 * i + k - 3];
      if (fabs (value) <= divergence_limit)
        continue;
      snprintf (message, size, "diverged: body %s, %s = %g at t = %.9g s", run->scene->bodies[i].name, body_channels[k],
                value, run->state.t);
      return true;
    }
  return false;
}

static void
warn_about_restitution (const SsScene *scene, const SsIntegratorClass *integrator, SsRunControl *control)
{
  for (int i = 0; control != NULL && !integrator->uses_restitution && i < scene->n_contacts; i++)
    if (scene->contacts[i].restitution > 0) {
      ss_run_control_log (control, SS_LOG_WARNING, "%s does not use restitution: the %g of contact %s is ignored",
                          integrator->name, scene->contacts[i].restitution, scene->contacts[i].name);
      return;
    }
}

static void
warn_about_caveat (const SsScene *scene, const SsIntegratorClass *integrator, const void *options,
                   SsRunControl *control)
{
  const char *text = control != NULL && integrator->caveat != NULL ? integrator->caveat (scene, options) : NULL;
  if (text != NULL)
    ss_run_control_log (control, SS_LOG_WARNING, "%s: %s", integrator->name, text);
}

/* Overlapping bodies are pushed apart by the position-level schemes, which costs or makes energy: say so at the start. */
static void
warn_about_overlap (const Run *run, SsRunControl *control)
{
  for (int i = 0; control != NULL && i < run->scene->n_contacts; i++) {
    double gap = run->state.contact[SS_SIM_N_CONTACT_VALUES * i + SS_SIM_GAP];
    if (gap < -overlap_tolerance) {
      ss_run_control_log (control, SS_LOG_WARNING, "the bodies of contact %s overlap by %.3g m at t = 0 s",
                          run->scene->contacts[i].name, -gap);
      return;
    }
  }
}

/* A step's law is met to this, or the run says so. (Natural residual, [m/s].) */
static const double residual_promised = 1e-8;

static void
warn_about_residuals (const Run *run, SsRunControl *control)
{
  if (control != NULL && run->n_missed > 0)
    ss_run_control_log (control, SS_LOG_WARNING,
                        "%d of %d steps did not meet their contact law to %.0e m/s: %.2g m/s at worst, at t = %.9g s; "
                        "the channel residual shows which",
                        run->n_missed, run->metrics.steps, residual_promised, run->metrics.max_residual, run->t_worst);
}

/* Steps until the end or a reason to stop. */
static SsStatus
integrate (Run *run, const SsIntegratorClass *integrator, void *stepper, double dt, double t_end, SsRunControl *control,
           SsOutcome *outcome, char *message, size_t message_size, SsError *err)
{
  while (run->state.t < t_end) {
    SsOutcome why;
    if (ss_run_control_should_stop (control, &why)) {
      *outcome = why;
      snprintf (message, message_size, "%s at t = %.9g s after %d steps",
                why == SS_OUTCOME_CANCELLED ? "cancelled" : "time limit reached", run->state.t, run->metrics.steps);
      return SS_OK;
    }
    double next = next_time (run, dt, t_end);
    SsStepInfo info = {0};
    SsError step_error;
    SsStatus status = integrator->step (stepper, next - run->state.t, &run->state, &info, &step_error);
    if (status == SS_ERR_MEMORY) {
      if (err != NULL)
        *err = step_error;
      return status;
    }
    if (status != SS_OK) {
      *outcome = SS_OUTCOME_FAILED;
      snprintf (message, message_size, "%s", step_error.message);
      return SS_OK;
    }
    run->state.t = next;
    hold_controls (run);
    run->metrics.steps++;
    run->residual = info.residual;
    run->n_missed += info.residual > residual_promised;
    if (info.residual > run->metrics.max_residual)
      run->t_worst = next;
    run->metrics.max_residual = fmax (run->metrics.max_residual, info.residual);
    if (has_diverged (run, message, message_size)) {
      *outcome = SS_OUTCOME_DIVERGED;
      return SS_OK;
    }
    status = record (run, control, err);
    if (status != SS_OK)
      return status;
  }
  *outcome = SS_OUTCOME_COMPLETED;
  snprintf (message, message_size, "reached t = %.9g s in %d steps", run->state.t, run->metrics.steps);
  return SS_OK;
}

SsStatus
ss_simulate (const SsScene *scene, const SsIntegratorClass *integrator, const void *options, double dt, double t_end,
             SsRunControl *control, SsTrajectory **trajectory, SsSimMetrics *metrics, SsOutcome *outcome, char *message,
             size_t message_size, SsError *err)
{
  return ss_simulate_controlled (scene, integrator, options, NULL, dt, t_end, control, trajectory, metrics, outcome,
                                 message, message_size, err);
}

SsStatus
ss_simulate_controlled (const SsScene *scene, const SsIntegratorClass *integrator, const void *options,
                        const SsControls *controls, double dt, double t_end, SsRunControl *control,
                        SsTrajectory **trajectory, SsSimMetrics *metrics, SsOutcome *outcome, char *message,
                        size_t message_size, SsError *err)
{
  SS_ASSERT (scene != NULL && integrator != NULL && trajectory != NULL && metrics != NULL && outcome != NULL &&
             message_size > 0);
  SS_ASSERT (controls == NULL || controls->n_actuators == scene->n_actuators);
  bool steps_by_row = controls != NULL && isnan (dt);
  if (!steps_by_row && (!(dt > 0) || !isfinite (dt)))
    return ss_error_set (err, SS_ERR_ARG, "the step dt = %g s must be positive and finite", dt);
  if (!(t_end >= 0) || !isfinite (t_end))
    return ss_error_set (err, SS_ERR_ARG, "the end time %g s must be finite and not negative", t_end);
  if (!steps_by_row && t_end / dt > steps_max)
    return ss_error_set (err, SS_ERR_ARG, "dt = %g s needs %.3g steps to t = %g s; at most %.0g are allowed", dt,
                         t_end / dt, t_end, steps_max);

  Run run = {.controls = controls};
  void *stepper = NULL;
  double rows = steps_by_row ? controls->n_rows + 1 : t_end / dt + 2;
  SsStatus status = run_init (&run, scene, (int)fmin (rows, ROWS_RESERVED_MAX), err);
  if (status != SS_OK)
    goto done;
  hold_controls (&run);
  status = integrator->new_ (run.scene, options, &stepper, err);
  if (status != SS_OK)
    goto done;
  warn_about_restitution (scene, integrator, control);
  warn_about_overlap (&run, control);
  warn_about_caveat (scene, integrator, options, control);
  status = record (&run, control, err);
  if (status != SS_OK)
    goto done;
  run.metrics.energy_initial = run.metrics.energy_final;
  status = integrate (&run, integrator, stepper, dt, t_end, control, outcome, message, message_size, err);
  if (status != SS_OK)
    goto done;
  warn_about_residuals (&run, control);
  *metrics = run.metrics;
  *trajectory = run.trajectory;
  run.trajectory = NULL;

done:
  if (stepper != NULL)
    integrator->free_ (stepper);
  ss_trajectory_free (run.trajectory);
  ss_dynamics_free (run.dynamics);
  ss_free (run.state.q);
  return status;
}

/* ---- step by step ---------------------------------------------------------------------------------------------------------------- */

struct SsSimulation {
  Run run;
  const SsIntegratorClass *integrator;
  void *stepper; /* owned */
};

SsStatus
ss_simulation_new (const SsScene *scene, const SsIntegratorClass *integrator, const void *options, SsSimulation **out,
                   SsError *err)
{
  SS_ASSERT (scene != NULL && integrator != NULL && out != NULL);
  *out = NULL;
  SsSimulation *simulation = ss_new_array (SsSimulation, 1);
  if (simulation == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a simulation");
  *simulation = (SsSimulation){.integrator = integrator};
  SsStatus status = run_init (&simulation->run, scene, 0, err);
  if (status == SS_OK)
    status = integrator->new_ (simulation->run.scene, options, &simulation->stepper, err);
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
  ss_trajectory_free (simulation->run.trajectory);
  ss_dynamics_free (simulation->run.dynamics);
  ss_free (simulation->run.state.q);
  ss_free (simulation);
}

SsSimState *
ss_simulation_state (SsSimulation *simulation)
{
  return &simulation->run.state;
}

int
ss_simulation_n_channels (const SsSimulation *simulation)
{
  return simulation->run.n_channels;
}

const char *const *
ss_simulation_channels (const SsSimulation *simulation)
{
  return (const char *const *)simulation->run.trajectory->channels;
}

void
ss_simulation_set_controls (SsSimulation *simulation, const SsControls *controls)
{
  SS_ASSERT (controls == NULL || controls->n_actuators == simulation->run.scene->n_actuators);
  simulation->run.controls = controls;
  hold_controls (&simulation->run);
}

SsStatus
ss_simulation_step (SsSimulation *simulation, double dt, SsStepInfo *info, SsError *err)
{
  Run *run = &simulation->run;
  char message[NAME_MAX_LENGTH];

  const double next = run->state.t + dt;

  hold_controls (run); /* the caller may have changed the time */
  *info = (SsStepInfo){0};
  SsStatus status = simulation->integrator->step (simulation->stepper, dt, &run->state, info, err);
  if (status != SS_OK)
    return status;
  run->state.t = next;
  hold_controls (run);
  run->residual = info->residual;
  if (has_diverged (run, message, sizeof message))
    return ss_error_set (err, SS_ERR_INVALID, "%s", message);
  return SS_OK;
}

void
ss_simulation_fill (SsSimulation *simulation, double *row)
{
  fill_row (&simulation->run);
  memcpy (row, simulation->run.row, (size_t)simulation->run.n_channels * sizeof *row);
}

void
ss_simulation_restore (SsSimulation *simulation, const double *row)
{
  Run *run = &simulation->run;
  const SsScene *scene = run->scene;
  int n_contacts = n_contact_channels_of (scene), n = 1;

  run->state.t = row[0];
  for (int i = 0; i < scene->n_bodies; i++, n += N_BODY_CHANNELS) {
    memcpy (run->state.q + 3 * i, row + n, 3 * sizeof *row);
    memcpy (run->state.v + 3 * i, row + n + 3, 3 * sizeof *row);
  }
  memcpy (run->state.contact, row + n, SS_SIM_N_CONTACT_VALUES * (size_t)n_contacts * sizeof *row);
  n += SS_SIM_N_CONTACT_VALUES * n_contacts;
  for (int i = 0; i < n_contacts; i++) /* the third of the three more */
    run->state.dissipated[i] = row[n + N_MORE_CONTACT_CHANNELS * i + N_MORE_CONTACT_CHANNELS - 1];
  run->residual = row[run->n_channels - 1];
}
