/* engine/plan/ss-track-plan.c: see the header. */
#include "plan/ss-shot-private.h"

#include "core/ss-memory.h"
#include "core/ss-random.h"
#include "fesd/ss-fesd-j.h"
#include "linalg/ss-linalg.h"
#include "solve/ss-run-result.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of the feedback [1/s], and at most that many by the length of a step. */
static const double stiffnesses[] = {0, 4, 12};
enum { N_STIFFNESSES = 3 };
static const double stiffness_steps = 0.5;
/* An angle beside a distance [m/rad]. */
static const double arm = 0.1;

/* Shooting: hats an actuator; Gauss-Newton steps at most; the longest step, in units of the hats' heights; damping at
 * first, by how much it changes, and at most (of the largest diagonal). */
enum { HATS = 8, STEPS_MOST = 40, TRIALS_MOST = 8 };
static const double STEP_LONGEST = 0.5, DAMPING_FIRST = 1e-9, DAMPING_GROWTH = 30, DAMPING_MOST = 1;
/* A step of the integrator is settled below this residual: some have no answer near that of the last LCP. A motion with
 * others is no feasible point; from heights that differ a little it is shot again, so often. */
static const double SETTLED = 1e-10, JOLT = 0.02;
enum { JOLTS = 4 };
/* Differences, in the same units: steps of a law with products settle to about the square root of rounding, exact ones
 * to rounding, and their modes change sooner. */
static const double DIFFERENCE = 1e-4, DIFFERENCE_EXACT = 1e-5;
/* In every other round: over kinks of motions whose contacts come and go. */
static const double DIFFERENCE_WIDE = 1e-3;
/* Rounds after which the heights that are drawn are larger by JOLT. */
enum { JOLT_ROUNDS = 4 };
/* Steps of the integrator in an interval of an exact motion: at most, and how they grow. */
enum { PARTS_MOST = 64, PARTS_GROWTH = 4 };
/* An exact motion that strays farther from its plan is not shot from in the first round [m]. */
static const double STRAYED = 5e-2;
/* The Jacobian is made anew where a step has not made the miss this much smaller; one that was new, and not even this,
 * is the last. */
static const double BROYDEN = 0.5, STALLED = 0.9;
/* Of exact motions: a rate counts as what it leads to in this part of the plan's time. */
static const double SPEED = 0.05;
/* Where the actuator has no limits, a hat is as high as what gives its coordinate this [m/s2, rad/s2]. */
static const double ACCELERATION = 10;

static void
find_columns (SsTracker *t)
{
  char name[512];

  for (int b = 0; b < t->scene->n_bodies; b++)
    for (int c = 0; c < 6; c++) {
      snprintf (name, sizeof name, "%s.%s", t->scene->bodies[b].name, ss_body_channels[c]);
      t->columns[b][c] = ss_trajectory_channel (t->plan, name);
    }
}

/* The plan's poses and velocities at a time. */
static void
read_plan (SsTracker *t, double time)
{
  ss_trajectory_sample (t->plan, time, t->plan_row);
  for (int i = 0; i < 3 * t->scene->n_bodies; i++) {
    const SsBody *body = &t->scene->bodies[i / 3];
    const int *columns = t->columns[i / 3];

    t->q[i] = columns[i % 3] >= 0 ? t->plan_row[columns[i % 3]] : body->q[i % 3];
    t->v[i] = columns[3 + i % 3] >= 0 ? t->plan_row[columns[3 + i % 3]] : body->v[i % 3];
  }
}

double
ss_shot_hat (int hats, int i, double part)
{
  return fmax (0, 1 - fabs (part * (hats - 1) - i));
}

/* What the hats of an actuator add at a time. */
static double
hats_at (const SsTracker *t, int actuator, double time)
{
  const double *heights = t->heights + t->hats * actuator, place = fmin (time / t->end, 1) * (t->hats - 1);
  const int i = place < t->hats - 1 ? (int)place : t->hats - 2;

  return t->units[actuator] * (heights[i] + (place - i) * (heights[i + 1] - heights[i]));
}

/* Controls of the plan for a step that begins at that time. */
static const double *
planned_at (const SsTracker *t, double time)
{
  if (t->held == NULL)
    return ss_controls_at (t->planned, time);
  const int step = (int)fmin (time / t->end * t->n_held + 0.5, t->n_held - 1);
  return t->held + (size_t)step * (size_t)t->scene->n_actuators;
}

static void
set_controls (SsTracker *t, double time, double stiffness, const SsSimState *state)
{
  const double *planned = planned_at (t, time);

  read_plan (t, time);
  for (int a = 0; a < t->scene->n_actuators; a++) {
    const SsDrive *d = &t->drives[a];
    const double off = ss_drive_coordinate (t->scene, d, t->q_start, t->q, false) -
                       ss_drive_coordinate (t->scene, d, t->q_start, state->q, false),
                 rate_off = ss_drive_coordinate (t->scene, d, t->q_start, t->v, true) -
                            ss_drive_coordinate (t->scene, d, t->q_start, state->v, true);

    t->controls.u[a] =
        ss_drive_control (d, stiffness, planned[a] + (t->heights != NULL ? hats_at (t, a, time) : 0), off, rate_off);
    if (t->held != NULL && planned[a] == 0) /* a task may ask for none there */
      t->controls.u[a] = 0;
  }
}

/* Of the farthest body from the plan's poses that were read last. */
static double
distance_from_plan (const SsTracker *t, const SsSimState *state)
{
  double away = 0;

  for (int b = 0; b < t->scene->n_bodies; b++) {
    away = fmax (away, hypot (state->q[3 * b] - t->q[3 * b], state->q[3 * b + 1] - t->q[3 * b + 1]));
    away = fmax (away, arm * fabs (state->q[3 * b + 2] - t->q[3 * b + 2]));
  }
  return isfinite (away) ? away : INFINITY;
}

/* One simulation; `motion` NULL: its end alone. Where a step fails *away is infinite and *motion NULL. */
static SsStatus
simulate (SsTracker *t, int steps, double h, double stiffness, SsTrajectory **motion, double *away, SsError *err)
{
  const size_t n_actuators = (size_t)t->scene->n_actuators;
  SsSimulation *simulation = NULL;
  bool has_failed = false;
  SsStatus status = ss_simulation_new (t->scene, t->integrator, t->own, &simulation, err);

  *away = INFINITY;
  t->residual = t->strayed = 0;
  if (t->watch != NULL)
    ss_sampled_cost_begin (t->watch);
  if (status == SS_OK && motion != NULL)
    status = ss_simulation_trajectory_new (t->scene, t->integrator, t->own, steps + 1, motion, err);
  if (status == SS_OK) {
    ss_simulation_set_controls (simulation, &t->controls);
    ss_simulation_set_control (simulation, t->control);
  }
  for (int k = 0; k <= steps && status == SS_OK && !has_failed; k++) {
    const SsSimState *state = ss_simulation_state (simulation);
    SsStepInfo info;
    SsError ignored;

    if (k < steps)
      set_controls (t, k * h, stiffness, state);
    if (t->watch != NULL)
      ss_sampled_cost_add (t->watch, k, state->q, state->v, t->controls.u);
    if (k < steps && t->used != NULL) {
      memcpy (t->used + (size_t)k * n_actuators, t->controls.u, n_actuators * sizeof (double));
      t->strayed = fmax (t->strayed, distance_from_plan (t, state));
    }
    if (motion != NULL) {
      ss_simulation_fill (simulation, t->row);
      status = ss_trajectory_append (*motion, t->row, err);
    }
    for (int i = 0; i < t->parts && status == SS_OK && k < steps && !has_failed; i++) {
      has_failed = ss_simulation_step (simulation, h / t->parts, &info, &ignored) != SS_OK;
      t->residual = fmax (t->residual, has_failed ? INFINITY : info.residual);
    }
  }
  if (status == SS_OK && !has_failed) {
    const SsSimState *state = ss_simulation_state (simulation);

    read_plan (t, steps * h);
    *away = distance_from_plan (t, state);
    memcpy (t->q_end, state->q, 3 * (size_t)t->scene->n_bodies * sizeof (double));
    memcpy (t->v_end, state->v, 3 * (size_t)t->scene->n_bodies * sizeof (double));
  }
  if (motion != NULL && (status != SS_OK || has_failed || !isfinite (*away))) {
    ss_trajectory_free (*motion);
    *motion = NULL;
  }
  ss_simulation_free (simulation);
  return status;
}

static SsStatus
open_tracker (SsTracker *t, SsError *err)
{
  const int n_bodies = t->scene->n_bodies, n_actuators = t->scene->n_actuators;
  SsTrajectory *like = NULL;

  t->drives = ss_new_array (SsDrive, n_actuators + 1);
  t->columns = ss_alloc ((size_t)n_bodies + 1, sizeof *t->columns);
  t->controls = (SsControls){.n_rows = 1,
                             .n_actuators = n_actuators,
                             .t = ss_new_array (double, 1),
                             .u = ss_new_array (double, n_actuators + 1)};
  t->q_start = ss_new_array (double, 15 * n_bodies + t->plan->n_channels + 1);
  if (t->drives == NULL || t->columns == NULL || t->controls.t == NULL || t->controls.u == NULL || t->q_start == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  t->q = t->q_start + 3 * n_bodies;
  t->v = t->q + 3 * n_bodies;
  t->q_end = t->v + 3 * n_bodies;
  t->v_end = t->q_end + 3 * n_bodies;
  t->plan_row = t->v_end + 3 * n_bodies;
  if (t->integrator == NULL) { /* the law of plans in time steps */
    t->integrator = &ss_integrator_stewart_trinkle;
    ss_stewart_trinkle_suit_plan (&t->options);
    t->own = &t->options;
  }
  t->parts = 1;
  const SsStatus status = ss_simulation_trajectory_new (t->scene, t->integrator, t->own, 1, &like, err);
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

static void
close_tracker (SsTracker *t)
{
  ss_free (t->drives);
  ss_free (t->columns);
  ss_free (t->controls.t);
  ss_free (t->controls.u);
  ss_free (t->q_start);
  ss_free (t->row);
}

/* The motion that ends nearest to the plan, and its stiffness. */
static SsStatus
track (SsTracker *t, int steps, SsTrajectory **motion, double *away, double *stiffness, SsError *err)
{
  const double h = t->end / steps;
  SsStatus status = SS_OK;

  *motion = NULL;
  *away = INFINITY;
  *stiffness = 0;
  for (int i = 0; i < N_STIFFNESSES && status == SS_OK; i++) {
    const double own_stiffness = fmin (stiffnesses[i], stiffness_steps / h);
    SsTrajectory *own = NULL;
    double found;

    status = simulate (t, steps, h, own_stiffness, &own, &found, err);
    if (found < *away) {
      ss_trajectory_free (*motion);
      *motion = own;
      *away = found;
      *stiffness = own_stiffness;
    } else
      ss_trajectory_free (own);
  }
  if (status != SS_OK) {
    ss_trajectory_free (*motion);
    *motion = NULL;
  }
  return status;
}

/* ---- shooting ---------------------------------------------------------------------------------------------------- */

static bool
is_fixed (const SsPlanTarget *target, int c)
{
  return !isnan (target->value[c]) && isinf (target->weight[c]);
}

static int
count_rows (const SsPlan *plan)
{
  int n = 0;

  for (int i = 0; i < plan->n_targets; i++)
    for (int c = 0; c < SS_PLAN_COORDINATES; c++)
      n += is_fixed (&plan->targets[i], c);
  return n;
}

/* The motion of the controls that were used last, without feedback. */
static SsStatus
try_used (SsShot *s, int parts, SsTriedControls *tried, SsError *err)
{
  SsPlan plan = *s->plan;

  plan.horizon = s->t->end;
  plan.steps = s->steps;
  return ss_try_controls (s->scenario, &plan, s->t->used, parts, NULL, s->t->control, tried, err);
}

/* How far that motion leaves the path of the task, as a row. */
static SsStatus
add_way (SsShot *s, double *row, double *miss, SsError *err)
{
  SsTriedControls tried;
  const SsStatus status = try_used (s, s->t->parts, &tried, err);

  *row = tried.value.way;
  *miss = status == SS_OK && tried.is_complete ? fmax (*miss, *row) : INFINITY;
  ss_tried_controls_clear (&tried);
  return status;
}

/* By how much the motion of the heights misses each row, and the largest of it; infinite: it does not get there. */
SsStatus
ss_shot_miss (SsShot *s, double *heights, double *rows, double *miss, SsError *err)
{
  SsTracker *t = s->t;
  int n = 0;

  t->heights = heights;
  const SsStatus status = simulate (t, s->steps, t->end / s->steps, s->stiffness, NULL, miss, err);
  if (!isfinite (*miss))
    return status;
  *miss = 0;
  for (int i = 0; i < s->plan->n_targets; i++) {
    const SsPlanTarget *target = &s->plan->targets[i];

    for (int c = 0; c < SS_PLAN_COORDINATES; c++) {
      if (!is_fixed (target, c))
        continue;
      const double off =
          (c < 3 ? t->q_end[3 * target->body + c] : t->v_end[3 * target->body + c - 3]) - target->value[c];
      *miss = fmax (*miss, fabs (off));
      rows[n++] = c < 3 ? off : s->speed * off;
    }
  }
  if (t->watch != NULL)
    *miss = fmax (*miss, ss_sampled_cost_rows (t->watch, &rows[n]));
  return t->watch == NULL && n < s->n_rows && status == SS_OK ? add_way (s, &rows[n], miss, err) : status;
}

SsStatus
ss_shot_differentiate (SsShot *s, SsRunControl *control, double objective, double *gradient, bool *is_made,
                       SsError *err)
{
  SsStatus status = SS_OK;
  SsOutcome why;

  *is_made = false;
  for (int i = 0; i < s->n_hats && status == SS_OK; i++) {
    double miss;

    if (ss_run_control_should_stop (control, &why))
      return SS_OK;
    memcpy (s->trial, s->best, (size_t)s->n_hats * sizeof (double));
    /* away from the limits, where a hat moves nothing */
    const double by = s->best[i] > 0 ? -s->difference : s->difference;
    s->trial[i] += by;
    status = ss_shot_miss (s, s->trial, s->rows_trial, &miss, err);
    if (gradient != NULL)
      gradient[i] = isfinite (miss) ? (ss_sampled_cost_end (s->t->watch).objective - objective) / by : 0;
    for (int r = 0; r < s->n_rows; r++)
      s->jacobian[r * s->n_hats + i] = isfinite (miss) ? (s->rows_trial[r] - s->rows[r]) / by : 0;
  }
  *is_made = status == SS_OK;
  return status;
}

/* The shortest change of the heights that closes the rows, damped; false: it cannot be told. */
static bool
find_step (SsShot *s, double damping, double *step)
{
  double largest = 0, length = 0;
  const int m = s->n_rows, n = s->n_hats;

  for (int r = 0; r < m; r++)
    for (int c = r; c < m; c++) {
      double sum = 0;

      for (int i = 0; i < n; i++)
        sum += s->jacobian[r * n + i] * s->jacobian[c * n + i];
      s->gram[r * m + c] = s->gram[c * m + r] = sum;
    }
  for (int r = 0; r < m; r++)
    largest = fmax (largest, s->gram[r * m + r]);
  for (int r = 0; r < m; r++) {
    s->gram[r * m + r] += damping * largest;
    s->dual[r] = -s->rows[r];
  }
  if (!(largest > 0) || ss_dense_cholesky (m, s->gram, m) != SS_OK)
    return false;
  ss_dense_cholesky_solve (m, s->gram, m, s->dual);
  for (int i = 0; i < n; i++) {
    step[i] = 0;
    for (int r = 0; r < m; r++)
      step[i] += s->jacobian[r * n + i] * s->dual[r];
    length = fmax (length, fabs (step[i]));
  }
  for (int i = 0; i < n && length > STEP_LONGEST; i++)
    step[i] *= STEP_LONGEST / length;
  return isfinite (length) && length > 0;
}

/* After Broyden: the Jacobian that says of the last step what came of it; `trial` has the step, rows_trial its end. */
static void
update_jacobian (SsShot *s)
{
  double square = 0;

  for (int i = 0; i < s->n_hats; i++)
    square += s->trial[i] * s->trial[i];
  for (int r = 0; r < s->n_rows; r++) {
    double off = s->rows_trial[r] - s->rows[r];

    for (int i = 0; i < s->n_hats; i++)
      off -= s->jacobian[r * s->n_hats + i] * s->trial[i];
    for (int i = 0; i < s->n_hats; i++)
      s->jacobian[r * s->n_hats + i] += off * s->trial[i] / square;
  }
}

/* One step; *is_better: it was taken. */
static SsStatus
take_step (SsShot *s, double *damping, bool *is_better, SsError *err)
{
  SsStatus status = SS_OK;

  *is_better = false;
  for (int i = 0; i < TRIALS_MOST && status == SS_OK && *damping <= DAMPING_MOST && !*is_better; i++) {
    double miss;

    if (!find_step (s, *damping, s->trial))
      return SS_OK;
    for (int k = 0; k < s->n_hats; k++)
      s->trial[k] += s->best[k];
    status = ss_shot_miss (s, s->trial, s->rows_trial, &miss, err);
    *is_better = status == SS_OK && isfinite (miss) &&
                 ss_dot (s->n_rows, s->rows_trial, s->rows_trial) < ss_dot (s->n_rows, s->rows, s->rows);
    if (!*is_better) {
      *damping *= DAMPING_GROWTH;
      continue;
    }
    for (int k = 0; k < s->n_hats; k++) {
      const double height = s->trial[k];

      s->trial[k] -= s->best[k];
      s->best[k] = height;
    }
    update_jacobian (s);
    memcpy (s->rows, s->rows_trial, (size_t)s->n_rows * sizeof (double));
    s->miss = miss;
    *damping = fmax (*damping / DAMPING_GROWTH, DAMPING_FIRST);
  }
  return status;
}

static SsStatus
shoot (SsShot *s, SsRunControl *control, SsError *err)
{
  double damping = DAMPING_FIRST;
  bool is_new = false, is_better;
  SsOutcome why;
  SsStatus status = ss_shot_miss (s, s->best, s->rows, &s->miss, err);

  for (int i = 0; i < STEPS_MOST && status == SS_OK && isfinite (s->miss) && s->miss > s->aim &&
                  !ss_run_control_should_stop (control, &why);
       i++) {
    const double before = s->miss;

    if (!s->has_jacobian) {
      status = ss_shot_differentiate (s, control, NAN, NULL, &is_new, err);
      damping = DAMPING_FIRST;
      if (status != SS_OK || !is_new)
        break;
      s->has_jacobian = true;
    }
    status = take_step (s, &damping, &is_better, err);
    if (is_new && !(is_better && s->miss < STALLED * before))
      break;
    s->has_jacobian = is_better && s->miss < BROYDEN * before;
    is_new = false;
  }
  return status;
}

/* Until a motion ends at the targets each of whose steps is settled. */
SsStatus
ss_shot_settle (SsShot *s, SsRunControl *control, bool *is_settled, SsError *err)
{
  SsRandom random;
  double miss;
  SsOutcome why;
  SsStatus status = shoot (s, control, err);

  ss_random_seed (&random, 1);
  *is_settled = false;
  for (int i = 0; status == SS_OK && s->miss <= SS_SHOT && !ss_run_control_should_stop (control, &why); i++) {
    status = ss_shot_miss (s, s->best, s->rows, &miss, err);
    *is_settled = status == SS_OK && s->t->residual <= SETTLED;
    if (status != SS_OK || *is_settled || i >= JOLTS)
      break;
    for (int k = 0; k < s->n_hats; k++)
      s->best[k] += JOLT * ss_random_normal (&random);
    status = shoot (s, control, err);
  }
  return status;
}

static SsStatus
open_shot (SsShot *s, SsError *err)
{
  const SsScene *scene = s->t->scene;
  const int m = s->n_rows + 1, n = s->n_hats; /* one may be added for the path */

  s->base = ss_new_array (double, 2 * n + 3 * m + m * n + m * m + scene->n_actuators + 1);
  if (s->base == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  s->best = s->base;
  s->trial = s->best + n;
  s->rows = s->trial + n;
  s->rows_trial = s->rows + m;
  s->dual = s->rows_trial + m;
  s->jacobian = s->dual + m;
  s->gram = s->jacobian + m * n;
  s->t->units = s->gram + m * m;
  for (int a = 0; a < scene->n_actuators; a++) {
    const double range = scene->actuators[a].upper - scene->actuators[a].lower;

    s->t->units[a] = isfinite (range) ? range / 2 : ACCELERATION * s->t->drives[a].mass;
  }
  return SS_OK;
}

static void
follow_replay (SsTracker *t, const SsReplay *replay)
{
  t->scene = ss_replay_scene (replay);
  t->planned = ss_replay_controls (replay);
  t->end = ss_replay_t_end (replay);
}

SsStatus
ss_track_plan (const SsScenario *scenario, const SsTrajectory *plan, int steps, SsTrajectory **motion, double *away,
               SsError *err)
{
  SsReplay *replay = NULL;
  SsTracker t = {.plan = plan};
  double stiffness;
  SsStatus status = ss_replay_new (scenario->scene, plan, &replay, err);

  *motion = NULL;
  *away = INFINITY;
  if (status != SS_OK)
    return status;
  follow_replay (&t, replay);
  status = open_tracker (&t, err);
  if (status == SS_OK)
    status = track (&t, steps, motion, away, &stiffness, err);
  close_tracker (&t);
  ss_replay_free (replay);
  return status;
}

SsStatus
ss_shot_open (SsShot *s, SsTracker *t, const SsScenario *scenario, const SsTrajectory *plan, int steps, int hats,
              SsReplay **replay, SsError *err)
{
  SsStatus status = ss_replay_new (scenario->scene, plan, replay, err);

  *t = (SsTracker){.plan = plan, .hats = hats};
  *s = (SsShot){.t = t,
                .plan = scenario->task.plan,
                .steps = steps,
                .difference = DIFFERENCE,
                .speed = 1,
                .aim = SS_SHOT,
                .miss = INFINITY};
  if (status != SS_OK)
    return status;
  follow_replay (t, *replay);
  status = ss_sampled_cost_new (scenario, steps, &t->watch, err);
  s->n_rows = count_rows (s->plan) + (status == SS_OK ? ss_sampled_cost_n_rows (t->watch) : 0);
  s->n_hats = hats * t->scene->n_actuators;
  if (status == SS_OK)
    status = open_tracker (t, err);
  return status == SS_OK ? open_shot (s, err) : status;
}

void
ss_shot_close (SsShot *s, SsReplay *replay)
{
  ss_free (s->base);
  ss_sampled_cost_free (s->t->watch);
  close_tracker (s->t);
  ss_replay_free (replay);
}

SsStatus
ss_shot_motion (SsShot *s, SsTrajectory **motion, SsError *err)
{
  double away;

  s->t->heights = s->best;
  return simulate (s->t, s->steps, s->t->end / s->steps, s->stiffness, motion, &away, err);
}

SsStatus
ss_shoot_plan (const SsScenario *scenario, const SsTrajectory *plan, int steps, SsRunControl *control,
               SsTrajectory **motion, double *miss, SsError *err)
{
  SsReplay *replay = NULL;
  SsTracker t;
  SsShot s;
  double away;
  bool is_settled = false;
  SsStatus status = ss_shot_open (&s, &t, scenario, plan, steps, HATS, &replay, err);

  *motion = NULL;
  *miss = INFINITY;
  if (status == SS_OK)
    status = track (&t, steps, motion, &away, &s.stiffness, err);
  if (status == SS_OK && *motion != NULL)
    status = ss_shot_settle (&s, control, &is_settled, err);
  if (status == SS_OK && isfinite (s.miss)) {
    ss_trajectory_free (*motion);
    status = ss_shot_motion (&s, motion, err);
    *miss = s.miss <= SS_SHOT && !is_settled ? 2 * SS_SHOT : s.miss;
  }
  if (status != SS_OK) {
    ss_trajectory_free (*motion);
    *motion = NULL;
  }
  ss_shot_close (&s, replay);
  return status;
}

/* ---- exact motions ----------------------------------------------------------------------------------------------- */

/* By how much the end of a motion misses the targets. */
static double
miss_of_motion (const SsShot *s, const SsTrajectory *motion)
{
  const double *end = ss_trajectory_row (motion, motion->n_rows - 1);
  char name[512];
  double miss = 0;

  for (int i = 0; i < s->plan->n_targets; i++)
    for (int c = 0; c < SS_PLAN_COORDINATES; c++) {
      const SsPlanTarget *target = &s->plan->targets[i];

      if (!is_fixed (target, c))
        continue;
      snprintf (name, sizeof name, "%s.%s", s->t->scene->bodies[target->body].name, ss_body_channels[c]);
      const int column = ss_trajectory_channel (motion, name);
      if (column >= 0)
        miss = fmax (miss, fabs (end[column] - target->value[c]));
    }
  return miss;
}

/* What the controls of the best heights give, without feedback, and in half of the integrator's steps. */
static SsStatus
measure_exact (SsShot *s, SsExactShot *out, SsError *err)
{
  const int parts = s->t->parts;
  SsTriedControls halved = {0};
  SsReplayDistance distance = {.at_end = INFINITY};
  SsStatus status = ss_shot_miss (s, s->best, s->rows, &s->miss, err);

  ss_tried_controls_clear (&out->motion);
  *out = (SsExactShot){.miss = INFINITY, .off = INFINITY, .way = INFINITY, .step = s->t->end / s->steps / parts};
  if (status == SS_OK && isfinite (s->miss))
    status = try_used (s, parts, &out->motion, err);
  if (status != SS_OK || !out->motion.is_complete)
    return status;
  out->miss = miss_of_motion (s, out->motion.simulated.trajectory);
  out->way = out->motion.value.way;
  if (out->miss <= SS_SHOT)
    status = try_used (s, 2 * parts, &halved, err);
  if (status == SS_OK && halved.is_complete)
    status = ss_replay_compare (s->t->scene, out->motion.simulated.trajectory, halved.simulated.trajectory, &distance,
                                NULL, err);
  out->off = distance.at_end;
  ss_tried_controls_clear (&halved);
  return status;
}

bool
ss_shot_is_exact (const SsExactShot *shot, double near)
{
  return shot->miss <= SS_SHOT && shot->off <= near && shot->way <= SS_RUN_PATH_KEPT;
}

/* With one stiffness: in shorter and shorter steps of the integrator, each from the heights before. The path is a row
 * from when it is left. */
static SsStatus
shoot_in_parts (SsShot *s, SsExactShot *out, SsError *err)
{
  const int n_targets = count_rows (s->plan);
  double off = INFINITY;
  SsOutcome why;
  SsStatus status = SS_OK;

  s->n_rows = n_targets;
  s->has_jacobian = false;
  for (s->t->parts = 1; s->t->parts <= PARTS_MOST && !ss_run_control_should_stop (s->t->control, &why);) {
    status = shoot (s, s->t->control, err);
    if (status == SS_OK)
      status = measure_exact (s, out, err);
    if (status != SS_OK || ss_shot_is_exact (out, s->aim) || !(out->miss <= SS_SHOT))
      break;
    if (out->way <= SS_RUN_PATH_KEPT) {
      if (s->t->parts > 1 && !(out->off < STALLED * off)) /* not by the steps' length */
        break;
      off = out->off;
      s->t->parts *= PARTS_GROWTH;
    } else if (s->n_rows > n_targets)
      break;
    else {
      s->n_rows++;
      s->has_jacobian = false;
    }
  }
  return status;
}

/* With each stiffness, that whose motion strays least first; in rounds behind the first from heights that are drawn. */
static SsStatus
shoot_nearest (SsShot *s, int round, SsExactShot *out, SsError *err)
{
  SsTracker *t = s->t;
  double strayed[N_STIFFNESSES], stiffness[N_STIFFNESSES], away;
  const double jolt = round > 0 ? JOLT * (1 + round / JOLT_ROUNDS) : 0;
  SsRandom random;
  SsOutcome why;
  SsStatus status = SS_OK;

  ss_random_seed (&random, (uint64_t)round);
  s->difference = round % 2 ? DIFFERENCE_WIDE : DIFFERENCE_EXACT;
  for (int i = 0; i < N_STIFFNESSES && status == SS_OK; i++) {
    stiffness[i] = fmin (stiffnesses[i], stiffness_steps * s->steps / t->end);
    status = simulate (t, s->steps, t->end / s->steps, stiffness[i], NULL, &away, err);
    strayed[i] = isfinite (away) ? fmax (t->strayed, away) : INFINITY;
  }
  for (int i = 0; i < N_STIFFNESSES && status == SS_OK && !ss_shot_is_exact (out, s->aim); i++) {
    int next = 0;

    for (int k = 1; k < N_STIFFNESSES; k++)
      next = strayed[k] < strayed[next] ? k : next;
    if (!(strayed[next] < (round > 0 ? INFINITY : STRAYED)) || ss_run_control_should_stop (t->control, &why))
      break;
    strayed[next] = INFINITY;
    s->stiffness = stiffness[next];
    for (int k = 0; k < s->n_hats; k++)
      s->best[k] = jolt > 0 ? jolt * ss_random_normal (&random) : 0;
    status = shoot_in_parts (s, out, err);
  }
  return status;
}

SsStatus
ss_shoot_exactly (const SsScenario *scenario, const SsTrajectory *plan, const double *held, int steps, int round,
                  double near, SsRunControl *control, SsExactShot *out, SsError *err)
{
  SsReplay *replay = NULL;
  double *used = ss_new_array (double, (size_t)steps *(size_t)scenario->scene->n_actuators + 1);
  SsTracker t = {.plan = plan,
                 .integrator = &ss_integrator_fesd_j,
                 .parts = 1,
                 .held = held,
                 .used = used,
                 .n_held = steps,
                 .control = control,
                 .hats = HATS};
  SsShot s = {.t = &t, .plan = scenario->task.plan, .scenario = scenario, .steps = steps, .aim = near};

  *out = (SsExactShot){.miss = INFINITY, .off = INFINITY, .way = INFINITY};
  SsStatus status = used != NULL ? ss_replay_new (scenario->scene, plan, &replay, err)
                                 : ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  if (status == SS_OK) {
    follow_replay (&t, replay);
    t.scene = scenario->scene; /* its own start: the plan's keeps it but for what a row may miss */
    s.speed = SPEED * t.end;
    s.n_rows = count_rows (s.plan);
    s.n_hats = HATS * t.scene->n_actuators;
    status = open_tracker (&t, err);
  }
  if (status == SS_OK)
    status = open_shot (&s, err);
  if (status == SS_OK)
    status = shoot_nearest (&s, round, out, err);
  ss_free (s.base);
  close_tracker (&t);
  ss_replay_free (replay);
  ss_free (used);
  return status;
}
