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
static const char *const contact_channels[] = {"gap", "lambda_n", "lambda_t", "impulse_n", "impulse_t"};
enum { N_BODY_CHANNELS = 6, N_CONTACT_CHANNELS = 5, GAP = 0, IMPULSE_N = 3, IMPULSE_T = 4 };

typedef struct {
  const SsScene *scene;
  SsSimState state; /* arrays owned: one block at q */
  double *row;      /* n_channels */
  int n_channels;
  SsTrajectory *trajectory;
  SsSimMetrics metrics;
} Run;

static double
energy (const SsScene *scene, const SsSimState *state)
{
  double sum = 0;
  for (int i = 0; i < scene->n_bodies; i++) {
    const SsBody *body = &scene->bodies[i];
    const double *q = state->q + 3 * i, *v = state->v + 3 * i;
    if (body->is_fixed)
      continue;
    sum += 0.5 * body->mass * (v[0] * v[0] + v[1] * v[1]) + 0.5 * body->inertia * v[2] * v[2];
    sum -= body->mass * (scene->gravity.x * q[0] + scene->gravity.y * q[1]);
  }
  return sum;
}

static SsStatus
create_trajectory (Run *run, int n_rows, SsError *err)
{
  const SsScene *scene = run->scene;
  SsArena *arena = ss_arena_new ();
  const char **names = ss_new_array (const char *, run->n_channels);
  SsStatus status = ss_error_set (err, SS_ERR_MEMORY, "no memory for the names of %d channels", run->n_channels);
  char name[NAME_MAX_LENGTH];
  int n = 0;
  if (arena == NULL || names == NULL)
    goto done;
  names[n++] = "t";
  for (int i = 0; i < scene->n_bodies; i++)
    for (int k = 0; k < N_BODY_CHANNELS; k++) {
      snprintf (name, sizeof name, "%s.%s", scene->bodies[i].name, body_channels[k]);
      names[n++] = ss_arena_strdup (arena, name);
    }
  for (int i = 0; i < scene->n_contacts; i++)
    for (int k = 0; k < N_CONTACT_CHANNELS; k++) {
      snprintf (name, sizeof name, "%s.%s", scene->contacts[i].name, contact_channels[k]);
      names[n++] = ss_arena_strdup (arena, name);
    }
  for (int i = 0; i < n; i++)
    if (names[i] == NULL)
      goto done;
  status = ss_trajectory_new (names, n, n_rows, &run->trajectory, err);

done:
  ss_free (names);
  ss_arena_free (arena);
  return status;
}

static SsStatus
run_init (Run *run, const SsScene *scene, int n_rows, SsError *err)
{
  size_t n = 3 * (size_t)scene->n_bodies, m = N_CONTACT_CHANNELS * (size_t)scene->n_contacts;
  run->scene = scene;
  run->n_channels = 1 + (int)(2 * n + m);
  run->state.q = ss_new_array (double, 2 * n + m + (size_t)run->n_channels);
  if (run->state.q == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the state of %d bodies", scene->n_bodies);
  run->state.v = run->state.q + n;
  run->state.contact = run->state.v + n;
  run->row = run->state.contact + m;
  for (int i = 0; i < scene->n_bodies; i++)
    for (int k = 0; k < 3; k++) {
      run->state.q[3 * i + k] = scene->bodies[i].q[k];
      run->state.v[3 * i + k] = scene->bodies[i].is_fixed ? 0 : scene->bodies[i].v[k];
    }
  for (int i = 0; i < scene->n_contacts; i++)
    run->state.contact[N_CONTACT_CHANNELS * i + GAP] = ss_scene_contact_gap (scene, i, run->state.q);
  return create_trajectory (run, n_rows, err);
}

/* Appends the state as a row, tells the listener, updates the metrics that are taken from rows. */
static SsStatus
record (Run *run, SsRunControl *control, SsError *err)
{
  const SsScene *scene = run->scene;
  int n = 0;
  run->row[n++] = run->state.t;
  for (int i = 0; i < scene->n_bodies; i++) {
    memcpy (run->row + n, run->state.q + 3 * i, 3 * sizeof *run->row);
    memcpy (run->row + n + 3, run->state.v + 3 * i, 3 * sizeof *run->row);
    n += N_BODY_CHANNELS;
  }
  memcpy (run->row + n, run->state.contact, N_CONTACT_CHANNELS * (size_t)scene->n_contacts * sizeof *run->row);
  SsStatus status = ss_trajectory_append (run->trajectory, run->row, err);
  if (status != SS_OK)
    return status;
  for (int i = 0; i < scene->n_contacts; i++) {
    const double *c = run->state.contact + N_CONTACT_CHANNELS * i;
    run->metrics.max_penetration = fmax (run->metrics.max_penetration, -c[GAP]);
    run->metrics.max_cone_violation =
        fmax (run->metrics.max_cone_violation, fabs (c[IMPULSE_T]) - scene->contacts[i].mu * c[IMPULSE_N]);
  }
  run->metrics.energy_final = energy (scene, &run->state);
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

/* Overlapping bodies are pushed apart by the position-level schemes, which costs or makes energy: say so at the start. */
static void
warn_about_overlap (const Run *run, SsRunControl *control)
{
  for (int i = 0; control != NULL && i < run->scene->n_contacts; i++) {
    double gap = run->state.contact[N_CONTACT_CHANNELS * i + GAP];
    if (gap < -overlap_tolerance) {
      ss_run_control_log (control, SS_LOG_WARNING, "the bodies of contact %s overlap by %.3g m at t = 0 s",
                          run->scene->contacts[i].name, -gap);
      return;
    }
  }
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
    /* times are multiples of dt, so that rounding does not add up; the last one is t_end */
    double next = (run->metrics.steps + 1) * dt;
    if (next > t_end - sliver_fraction * dt)
      next = t_end;
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
    run->metrics.steps++;
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
  SS_ASSERT (scene != NULL && integrator != NULL && trajectory != NULL && metrics != NULL && outcome != NULL &&
             message_size > 0);
  if (!(dt > 0) || !isfinite (dt))
    return ss_error_set (err, SS_ERR_ARG, "the step dt = %g s must be positive and finite", dt);
  if (!(t_end >= 0) || !isfinite (t_end))
    return ss_error_set (err, SS_ERR_ARG, "the end time %g s must be finite and not negative", t_end);
  if (t_end / dt > steps_max)
    return ss_error_set (err, SS_ERR_ARG, "dt = %g s needs %.3g steps to t = %g s; at most %.0g are allowed", dt,
                         t_end / dt, t_end, steps_max);

  Run run = {0};
  void *stepper = NULL;
  SsStatus status = run_init (&run, scene, (int)fmin (t_end / dt + 2, ROWS_RESERVED_MAX), err);
  if (status != SS_OK)
    goto done;
  status = integrator->new_ (scene, options, &stepper, err);
  if (status != SS_OK)
    goto done;
  warn_about_restitution (scene, integrator, control);
  warn_about_overlap (&run, control);
  run.metrics.energy_initial = energy (scene, &run.state);
  status = record (&run, control, err);
  if (status != SS_OK)
    goto done;
  status = integrate (&run, integrator, stepper, dt, t_end, control, outcome, message, message_size, err);
  if (status != SS_OK)
    goto done;
  *metrics = run.metrics;
  *trajectory = run.trajectory;
  run.trajectory = NULL;

done:
  if (stepper != NULL)
    integrator->free_ (stepper);
  ss_trajectory_free (run.trajectory);
  ss_free (run.state.q);
  return status;
}
