/* engine/transcribe/ss-transcribe-guess.c: the table of the initial guess: standing still, zeros, a simulation by the
 * law of the plan, or a given motion. */
#include "dynamics/ss-dynamics.h"
#include "scene/ss-motion-bodies.h"
#include "simulate/ss-stewart-trinkle.h"
#include "transcribe/ss-transcribe-private.h"

#include <math.h>
#include <string.h>

/* ---- a point ----------------------------------------------------------------------------------------------------- */

/* Separating directions and weights that fit the poses of a point. */
static void
lift (const SsTranscription *t, const double *q, double *x)
{
  for (int p = 0; p < t->n_points; p++)
    ss_gap_expr_lift (&t->points[p].pair, q + 3 * t->points[p].body_a, q + 3 * t->points[p].body_b,
                      x + t->points[p].lifted);
}

static void
set_state (const SsTranscription *t, const double *q, const double *v, double *x)
{
  for (int i = 0; i < 3 * t->scene->n_bodies; i++) {
    if (t->q[i] != SS_NO_VARIABLE)
      x[t->q[i]] = q[i];
    if (t->v[i] != SS_NO_VARIABLE)
      x[t->v[i]] = v[i];
  }
  for (int b = 0; b < t->scene->n_bodies; b++)
    if (t->travel[b] != SS_NO_VARIABLE)
      x[t->travel[b]] = ss_transcription_travel (t->scene, t->tree[b], q);
  lift (t, q, x);
}

static void
set_time (const SsTranscription *t, int k, double *x)
{
  if (t->clock != SS_NO_VARIABLE)
    x[t->clock] = k * t->time_step;
  if (t->h != SS_NO_VARIABLE)
    x[t->h] = t->time_step;
}

/* ---- kinds ------------------------------------------------------------------------------------------------------- */

/* Bodies where they start, or at the origin; steadily driven coordinates go their way. */
static void
stand_still (const SsTranscription *t, bool is_zero, double *q, double *v, double *table)
{
  const SsScene *scene = t->scene;

  for (int k = 0; k < t->plan->steps + 1; k++) {
    double *x = table + (size_t)k * t->n_variables;

    for (int i = 0; i < 3 * scene->n_bodies; i++) {
      const SsBody *body = &scene->bodies[i / 3];
      bool is_start = k == 0 || !is_zero || (t->q[i] == SS_NO_VARIABLE && t->tree[i / 3] < 0);

      q[i] = is_start ? body->q[i % 3] : 0;
      v[i] = k == 0 || t->v[i] == SS_NO_VARIABLE ? body->v[i % 3] : 0;
      if (!is_zero && t->q[i] != SS_NO_VARIABLE && t->v[i] == SS_NO_VARIABLE)
        q[i] += k * t->time_step * body->v[i % 3];
    }
    set_state (t, q, v, x);
    set_time (t, k, x);
  }
}

/* A contact's only gap has its forces. */
static void
set_forces (const SsTranscription *t, const double *contact, double *x)
{
  for (int p = 0; p < t->n_points; p++) {
    const SsPlanPoint *point = &t->points[p];
    const double *values = contact + SS_SIM_N_CONTACT_VALUES * point->contact;
    bool is_only = (p == 0 || t->points[p - 1].contact != point->contact) &&
                   (p + 1 == t->n_points || t->points[p + 1].contact != point->contact);

    if (!is_only)
      continue;
    x[point->lambda_n] = values[SS_SIM_LAMBDA_N];
    if (point->lambda_t != SS_NO_VARIABLE)
      x[point->lambda_t] = values[SS_SIM_LAMBDA_T];
    ss_transcription_repeat_at_end (t, p, x);
  }
}

/* The motion under the actuators' own formulas; it stands still from where it fails. */
static SsStatus
simulate (const SsTranscription *t, double *table, SsError *err)
{
  const SsIntegratorClass *integrator = &ss_integrator_stewart_trinkle;
  const SsScene *scene = t->scene;
  const int n = t->n_variables;
  SsSimulation *simulation = NULL;
  SsDynamics *dynamics = NULL;
  SsStewartTrinkleOptions options;
  bool has_failed = false;

  ss_options_init (integrator->options, &options);
  options.gap = SS_STEWART_TRINKLE_END;
  options.swept = false; /* a plan's steps are the law's own */
  SsStatus status = ss_simulation_new (scene, integrator, &options, &simulation, err);
  if (status == SS_OK)
    status = ss_dynamics_new (scene, &dynamics, err);
  for (int k = 0; k < t->plan->steps + 1 && status == SS_OK; k++) {
    const SsSimState *state = ss_simulation_state (simulation);
    double *x = table + (size_t)k * n;
    SsStepInfo info;
    SsError ignored;

    if (k > 0 && !has_failed) {
      SsStatus of_step = ss_simulation_step (simulation, t->time_step, &info, &ignored);
      has_failed = of_step != SS_OK; /* the guess stands still from there */
      if (of_step == SS_ERR_MEMORY)
        status = of_step;
    }
    set_state (t, state->q, state->v, x);
    set_time (t, k, x);
    if (k > 0)
      set_forces (t, state->contact, x);
    for (int a = 0; a < scene->n_actuators; a++)
      x[t->u[a]] = ss_dynamics_control (dynamics, a, state->t, state->q, state->v, NULL);
  }

  ss_simulation_free (simulation);
  ss_dynamics_free (dynamics);
  return status;
}

/* Points whose forces, slips and points of action the motion tells; false: it tells all. */
static bool
find_known (const SsTranscription *t, const int *from, bool *is_known)
{
  bool lacks = false;

  for (int p = 0; p < t->n_points; p++) {
    const SsPlanPoint *point = &t->points[p];

    is_known[p] = from[point->lambda_n] > 0 && (point->lambda_t == SS_NO_VARIABLE || from[point->slip] > 0) &&
                  (ss_gap_n_lifted (&point->pair) == 0 || from[point->lifted] > 0);
    lacks = lacks || !is_known[p];
  }
  for (int i = 0; i < t->n_rows; i++)
    lacks = lacks || from[t->rows[i].variable] <= 0;
  return lacks;
}

/* A motion by the names of its channels, interpolated; what it does not have stands still, is zero, or follows from the
 * poses, or from the law where it is a force. Its duration is the horizon's guess where that is free. */
static SsStatus
follow (const SsTranscription *t, const SsTrajectory *start, double *table, SsError *err)
{
  const int n_bodies = t->scene->n_bodies, n = t->n_variables;
  const double first = start->n_rows > 0 ? ss_trajectory_row (start, 0)[0] : 0,
               last = start->n_rows > 0 ? ss_trajectory_row (start, start->n_rows - 1)[0] : 0;
  const double h = t->h != SS_NO_VARIABLE && last > first ? (last - first) / t->plan->steps : t->time_step;
  int *from = ss_new_array (int, n + 6 * n_bodies + 1), *from_body = from != NULL ? from + n : NULL;
  double *row = ss_new_array (double, start->n_channels + 6 * n_bodies + 1);
  const size_t n_poses = ((size_t)t->plan->steps + 1) * 3 * (size_t)n_bodies;
  double *poses = ss_new_array (double, 2 * n_poses + 1), *speeds = poses != NULL ? poses + n_poses : NULL;
  bool *is_known = ss_new_array (bool, t->n_points + 1);
  SsStatus status = SS_OK;
  int n_known = 0;

  if (from == NULL || row == NULL || poses == NULL || is_known == NULL) {
    status = SS_ERR_MEMORY;
    goto done;
  }
  for (int i = 0; i < n; i++) {
    from[i] = i == t->clock || i == t->h ? -1 : ss_trajectory_channel (start, t->variables[i].name);
    n_known += from[i] > 0;
  }
  if (n_known == 0 || start->n_rows == 0) {
    status = ss_error_set (err, SS_ERR_INVALID, "no channel of the trajectory to start from is a variable of '%s'",
                           t->source->name);
    goto done;
  }
  ss_motion_find_bodies (start, t->scene, from_body);
  for (int k = 0; k < t->plan->steps + 1; k++) {
    double *x = table + (size_t)k * n, *q = poses + (size_t)k * 3 * n_bodies, *v = speeds + (size_t)k * 3 * n_bodies;

    ss_trajectory_sample (start, first + k * h, row);
    ss_motion_read_bodies (row, t->scene, from_body, q, v);
    set_state (t, q, v, x);
    for (int i = 0; i < n; i++)
      if (from[i] > 0)
        x[i] = row[from[i]];
    if (t->clock != SS_NO_VARIABLE)
      x[t->clock] = k * h;
    if (t->h != SS_NO_VARIABLE)
      x[t->h] = h;
  }
  /* no step starts at the last point: its controls repeat those before */
  for (int i = 0; i < n; i++)
    if (t->variables[i].role == SS_ROLE_CONTROL)
      table[(size_t)t->plan->steps * n + i] = table[(size_t)(t->plan->steps - 1) * n + i];
  if (find_known (t, from, is_known))
    status = ss_transcription_complete (t, h, poses, speeds, is_known, table, err);

done:
  ss_free (from);
  ss_free (row);
  ss_free (poses);
  ss_free (is_known);
  return status;
}

SsStatus
ss_transcription_guess (const SsTranscription *t, const SsTrajectory *start, double *x, SsError *err)
{
  SS_ASSERT (t != NULL && t->n_points <= t->point_capacity && t->n_rows <= t->row_capacity);

  size_t n = 3 * (size_t)t->scene->n_bodies + 1;
  double *q = ss_new_array (double, 2 * n);
  SsStatus status = SS_OK;

  if (q == NULL)
    return SS_ERR_MEMORY;
  if (start != NULL)
    status = follow (t, start, x, err);
  else if (t->plan->guess == SS_PLAN_GUESS_SIMULATION)
    status = simulate (t, x, err);
  else
    stand_still (t, t->plan->guess == SS_PLAN_GUESS_ZEROS, q, q + n, x);
  ss_free (q);
  return status;
}
