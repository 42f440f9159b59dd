/* engine/run/ss-track-plan.c: see the header. */
#include "run/ss-track-plan.h"

#include "core/ss-memory.h"
#include "run/ss-drive.h"
#include "simulate/ss-replay.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of the feedback [1/s], and at most that many by the length of a step. */
static const double stiffnesses[] = {0, 4, 12};
enum { N_STIFFNESSES = 3 };
static const double stiffness_steps = 0.5;
/* An angle beside a distance [m/rad]. */
static const double arm = 0.1;

typedef struct {
  const SsScene *scene; /* with the plan's start */
  const SsTrajectory *plan;
  const SsControls *planned;
  SsControls controls; /* one row, ours */
  SsDrive *drives;
  double *q_start, *q, *v; /* 3 n_bodies */
  double *plan_row, *row;
  int (*columns)[6]; /* of the plan, by bodies; negative: none */
  void *options;
} Tracker;

static void
find_columns (Tracker *t)
{
  static const char *const names[6] = {"x", "y", "theta", "vx", "vy", "omega"};
  char name[512];

  for (int b = 0; b < t->scene->n_bodies; b++)
    for (int c = 0; c < 6; c++) {
      snprintf (name, sizeof name, "%s.%s", t->scene->bodies[b].name, names[c]);
      t->columns[b][c] = ss_trajectory_channel (t->plan, name);
    }
}

/* The plan's poses and velocities at a time. */
static void
read_plan (Tracker *t, double time)
{
  ss_trajectory_sample (t->plan, time, t->plan_row);
  for (int i = 0; i < 3 * t->scene->n_bodies; i++) {
    const SsBody *body = &t->scene->bodies[i / 3];
    const int *columns = t->columns[i / 3];

    t->q[i] = columns[i % 3] >= 0 ? t->plan_row[columns[i % 3]] : body->q[i % 3];
    t->v[i] = columns[3 + i % 3] >= 0 ? t->plan_row[columns[3 + i % 3]] : body->v[i % 3];
  }
}

static void
set_controls (Tracker *t, double time, double stiffness, const SsSimState *state)
{
  const double *planned = ss_controls_at (t->planned, time);

  read_plan (t, time);
  for (int a = 0; a < t->scene->n_actuators; a++) {
    const SsDrive *d = &t->drives[a];
    const double off = ss_drive_coordinate (t->scene, d, t->q_start, t->q, false) -
                       ss_drive_coordinate (t->scene, d, t->q_start, state->q, false),
                 rate_off = ss_drive_coordinate (t->scene, d, t->q_start, t->v, true) -
                            ss_drive_coordinate (t->scene, d, t->q_start, state->v, true);

    t->controls.u[a] = ss_drive_control (d, stiffness, planned[a], off, rate_off);
  }
}

static double
distance_at_end (Tracker *t, double time, const SsSimState *state)
{
  double away = 0;

  read_plan (t, time);
  for (int b = 0; b < t->scene->n_bodies; b++) {
    away = fmax (away, hypot (state->q[3 * b] - t->q[3 * b], state->q[3 * b + 1] - t->q[3 * b + 1]));
    away = fmax (away, arm * fabs (state->q[3 * b + 2] - t->q[3 * b + 2]));
  }
  return isfinite (away) ? away : INFINITY;
}

/* One simulation; *motion stays NULL where a step fails. */
static SsStatus
simulate (Tracker *t, int steps, double h, double stiffness, SsTrajectory **motion, double *away, SsError *err)
{
  const SsIntegratorClass *integrator = &ss_integrator_stewart_trinkle;
  SsSimulation *simulation = NULL;
  bool has_failed = false;
  SsStatus status = ss_simulation_new (t->scene, integrator, t->options, &simulation, err);

  *away = INFINITY;
  if (status == SS_OK)
    status = ss_simulation_trajectory_new (t->scene, integrator, t->options, steps + 1, motion, err);
  if (status == SS_OK)
    ss_simulation_set_controls (simulation, &t->controls);
  for (int k = 0; k <= steps && status == SS_OK && !has_failed; k++) {
    const SsSimState *state = ss_simulation_state (simulation);
    SsStepInfo info;
    SsError ignored;

    if (k < steps)
      set_controls (t, k * h, stiffness, state);
    ss_simulation_fill (simulation, t->row);
    status = ss_trajectory_append (*motion, t->row, err);
    if (status == SS_OK && k < steps)
      has_failed = ss_simulation_step (simulation, h, &info, &ignored) != SS_OK;
  }
  if (status == SS_OK && !has_failed)
    *away = distance_at_end (t, steps * h, ss_simulation_state (simulation));
  if (status != SS_OK || has_failed || !isfinite (*away)) {
    ss_trajectory_free (*motion);
    *motion = NULL;
  }
  ss_simulation_free (simulation);
  return status;
}

static SsStatus
open_tracker (Tracker *t, SsError *err)
{
  const SsIntegratorClass *integrator = &ss_integrator_stewart_trinkle;
  const int n_bodies = t->scene->n_bodies, n_actuators = t->scene->n_actuators;
  SsTrajectory *like = NULL;

  t->options = ss_alloc (1, integrator->options->size + 1);
  t->drives = ss_new_array (SsDrive, n_actuators + 1);
  t->columns = ss_alloc ((size_t)n_bodies + 1, sizeof *t->columns);
  t->controls = (SsControls){.n_rows = 1,
                             .n_actuators = n_actuators,
                             .t = ss_new_array (double, 1),
                             .u = ss_new_array (double, n_actuators + 1)};
  t->q_start = ss_new_array (double, 9 * n_bodies + t->plan->n_channels + 1);
  if (t->options == NULL || t->drives == NULL || t->columns == NULL || t->controls.t == NULL || t->controls.u == NULL ||
      t->q_start == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  t->q = t->q_start + 3 * n_bodies;
  t->v = t->q + 3 * n_bodies;
  t->plan_row = t->v + 3 * n_bodies;
  ss_options_init (integrator->options, t->options);
  SsStatus status = ss_options_set (integrator->options, t->options, "gap", "end", err);
  if (status == SS_OK)
    status = ss_simulation_trajectory_new (t->scene, integrator, t->options, 1, &like, err);
  if (status != SS_OK)
    return status;
  t->row = ss_new_array (double, like->n_channels + 1);
  ss_trajectory_free (like);
  if (t->row == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  for (int i = 0; i < 3 * n_bodies; i++)
    t->q_start[i] = t->scene->bodies[i / 3].q[i % 3];
  for (int a = 0; a < n_actuators; a++)
    ss_drive_open (t->scene, a, t->q_start, &t->drives[a]);
  find_columns (t);
  return SS_OK;
}

SsStatus
ss_track_plan (const SsScenario *scenario, const SsTrajectory *plan, int steps, SsTrajectory **motion, double *away,
               SsError *err)
{
  SsReplay *replay = NULL;
  Tracker t = {.plan = plan};
  SsStatus status = ss_replay_new (scenario->scene, plan, &replay, err);

  *motion = NULL;
  *away = INFINITY;
  if (status != SS_OK)
    return status;
  t.scene = ss_replay_scene (replay);
  t.planned = ss_replay_controls (replay);
  const double h = ss_replay_t_end (replay) / steps;
  status = open_tracker (&t, err);
  for (int i = 0; i < N_STIFFNESSES && status == SS_OK; i++) {
    SsTrajectory *own = NULL;
    double found;

    status = simulate (&t, steps, h, fmin (stiffnesses[i], stiffness_steps / h), &own, &found, err);
    if (found < *away) {
      ss_trajectory_free (*motion);
      *motion = own;
      *away = found;
    } else
      ss_trajectory_free (own);
  }
  if (status != SS_OK) {
    ss_trajectory_free (*motion);
    *motion = NULL;
  }
  ss_free (t.options);
  ss_free (t.drives);
  ss_free (t.columns);
  ss_free (t.controls.t);
  ss_free (t.controls.u);
  ss_free (t.q_start);
  ss_free (t.row);
  ss_replay_free (replay);
  return status;
}
