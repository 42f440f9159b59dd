/* engine/plan/ss-follow-plan.c: see the header. */
#include "plan/ss-follow-plan.h"

#include "fesd/ss-fesd-j.h"
#include "linalg/ss-linalg.h"

#include <math.h>
#include <string.h>

/* Difference of a control that its effect is measured by: of the room between its bounds, or of its size. */
static const double difference = 1e-3;
/* Of the matrix' largest diagonal: what makes it regular where controls have no effect. */
static const double regular = 1e-8;
/* Part of the error whose fall is worth another iteration. */
static const double gain = 1e-2;
/* Intervals ahead; first values of a control on each side of the one at hand. */
enum { AHEAD = 3, ITERATIONS_MAX = 6, HALVINGS_MAX = 4, FIRST_VALUES = 3 };

typedef struct {
  const SsScene *scene;
  const SsFesdSequence *plan;
  SsSimulation *simulation;
  SsControls held; /* AHEAD rows, from the interval at hand on */
  double interval; /* [s] */
  int steps;
  int first, n_ahead;        /* interval at hand, and how many count: fewer at the end */
  int n_errors, n_variables; /* 2 n_q and n_controls, times n_ahead */
  double *start;             /* row of the simulation at the interval's start */
  double *aims;              /* n_intervals samples: of the plan at the ends */
  double *u, *u_new, *right; /* AHEAD n_controls */
  double *error, *error_new; /* AHEAD 2 n_q */
  double *jacobian, *normal; /* n_errors x n_variables by columns; n_variables^2 */
} Follower;

/* ---- one simulation ---------------------------------------------------------------------------------------------- */

/* One interval on under the controls that are held; false: a step fails. */
static bool
run_interval (Follower *f)
{
  SsError ignored = {0};
  SsStepInfo info;

  for (int i = 0; i < f->steps; i++)
    if (ss_simulation_step (f->simulation, f->interval / f->steps, &info, &ignored) != SS_OK || info.is_over)
      return false;
  return true;
}

/* From the start of the interval at hand under controls u; what goes before the first end goes to `start` later. */
static void
begin (Follower *f, const double *u)
{
  ss_simulation_restore (f->simulation, f->start);
  memcpy (f->held.u, u, (size_t)f->n_variables * sizeof *u);
  f->held.n_rows = f->n_ahead;
  for (int i = 0; i < f->n_ahead; i++)
    f->held.t[i] = i == 0 ? 0 : (f->first + i) * f->interval;
  ss_simulation_set_controls (f->simulation, &f->held);
}

/* Errors at the ends of the intervals ahead, and their norm: infinite where a step fails. */
static double
run_ahead (Follower *f, const double *u, double *error)
{
  const int n = f->plan->n_q, size = ss_fesd_sequence_sample_size (f->plan);

  begin (f, u);
  for (int k = 0; k < f->n_ahead; k++) {
    const double *aim = f->aims + (size_t)(f->first + k) * size + 1;

    if (!run_interval (f))
      return INFINITY;
    const SsSimState *state = ss_simulation_state (f->simulation);
    for (int i = 0; i < n; i++) {
      const SsBody *body = &f->scene->bodies[i / 3];
      const double weight = body->is_fixed ? 0 : sqrt (i % 3 < 2 ? body->mass : body->inertia);

      error[2 * n * k + i] = weight * (state->q[i] - aim[i]);
      error[2 * n * k + n + i] = weight * f->interval * (state->v[i] - aim[n + i]);
    }
  }
  return ss_norm_2 (f->n_errors, error);
}

/* ---- one interval ------------------------------------------------------------------------------------------------ */

static const SsActuator *
actuator_of (const Follower *f, int variable)
{
  return &f->scene->actuators[variable % f->plan->n_controls];
}

static double
clamp (const Follower *f, int variable, double u)
{
  return fmin (fmax (u, actuator_of (f, variable)->lower), actuator_of (f, variable)->upper);
}

/* Takes u_new where its errors are smaller; *norm is that of u. */
static bool
take_if_less (Follower *f, double *norm)
{
  const double found = run_ahead (f, f->u_new, f->error_new);

  if (!(found < *norm))
    return false;
  memcpy (f->u, f->u_new, (size_t)f->n_variables * sizeof *f->u);
  memcpy (f->error, f->error_new, (size_t)f->n_errors * sizeof *f->error);
  *norm = found;
  return true;
}

/* The best of several values of each control of the interval at hand. */
static void
choose_first (Follower *f, double *norm)
{
  for (int a = 0; a < f->plan->n_controls; a++) {
    const double at = f->u[a], below = actuator_of (f, a)->lower, above = actuator_of (f, a)->upper;

    for (int i = -FIRST_VALUES; i <= FIRST_VALUES; i++) {
      const double room = i < 0 ? at - below : above - at;

      if (i == 0 || !isfinite (room) || !(room > 0))
        continue;
      memcpy (f->u_new, f->u, (size_t)f->n_variables * sizeof *f->u);
      f->u_new[a] = at + room * i / (FIRST_VALUES + 1);
      take_if_less (f, norm);
    }
  }
}

/* Columns of the Jacobian at u, whose errors are known. */
static void
measure_effects (Follower *f)
{
  for (int a = 0; a < f->n_variables; a++) {
    const double room = actuator_of (f, a)->upper - actuator_of (f, a)->lower;
    double step = difference * (isfinite (room) ? room : fmax (fabs (f->u[a]), 1));
    double *column = f->jacobian + (size_t)a * f->n_errors;

    if (f->u[a] + step > actuator_of (f, a)->upper)
      step = -step;
    memcpy (f->u_new, f->u, (size_t)f->n_variables * sizeof *f->u);
    f->u_new[a] += step;
    const bool is_known = isfinite (run_ahead (f, f->u_new, f->error_new));
    for (int i = 0; i < f->n_errors; i++)
      column[i] = is_known ? (f->error_new[i] - f->error[i]) / step : 0;
  }
}

/* The step of Gauss and Newton, into `right`; false: controls have no effect. */
static bool
find_direction (Follower *f)
{
  const int n = f->n_variables, n_errors = f->n_errors;
  double largest = 0;

  for (int a = 0; a < n; a++) {
    const double *column = f->jacobian + (size_t)a * n_errors;

    for (int b = 0; b < n; b++)
      f->normal[a + b * n] = ss_dot (n_errors, column, f->jacobian + (size_t)b * n_errors);
    f->right[a] = -ss_dot (n_errors, column, f->error);
    largest = fmax (largest, f->normal[a + a * n]);
  }
  for (int a = 0; a < n; a++)
    f->normal[a + a * n] += regular * largest;
  if (!(largest > 0) || ss_dense_cholesky (n, f->normal, n) != SS_OK)
    return false;
  ss_dense_cholesky_solve (n, f->normal, n, f->right);
  return true;
}

/* Improves u, which has the norm *norm; false: not by much. */
static bool
improve (Follower *f, double *norm)
{
  const double before = *norm;
  double share = 1;

  measure_effects (f);
  if (!find_direction (f))
    return false;
  for (int i = 0; i <= HALVINGS_MAX; i++, share /= 2) {
    for (int a = 0; a < f->n_variables; a++)
      f->u_new[a] = clamp (f, a, f->u[a] + share * f->right[a]);
    if (take_if_less (f, norm))
      return *norm < (1 - gain) * before;
  }
  return false;
}

/* Interval number `first` from `start`, which becomes its end; controls of the intervals ahead are set. False: the
 * simulation ends in it. */
static bool
follow_interval (Follower *f, int first, double *controls)
{
  const int left = f->plan->n_intervals - first;

  f->first = first;
  f->n_ahead = left < AHEAD ? left : AHEAD;
  f->n_errors = 2 * f->plan->n_q * f->n_ahead;
  f->n_variables = f->plan->n_controls * f->n_ahead;
  for (int a = 0; a < f->n_variables; a++)
    f->u[a] = clamp (f, a, controls[a]);
  double norm = run_ahead (f, f->u, f->error);
  choose_first (f, &norm);
  for (int i = 0; i < ITERATIONS_MAX && isfinite (norm) && improve (f, &norm); i++) {}
  memcpy (controls, f->u, (size_t)f->n_variables * sizeof *controls);
  begin (f, f->u);
  if (!run_interval (f))
    return false;
  ss_simulation_fill (f->simulation, f->start);
  return true;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static void
close_follower (Follower *f)
{
  ss_simulation_free (f->simulation);
  ss_free (f->held.t);
  ss_free (f->start);
}

/* To be closed also after an error. */
static SsStatus
open_follower (const SsScenario *scenario, const SsFesdSequence *plan, int steps, Follower *f, SsError *err)
{
  const size_t n = AHEAD * (size_t)plan->n_controls, n_errors = AHEAD * 2 * (size_t)plan->n_q;
  const size_t n_sample = (size_t)ss_fesd_sequence_sample_size (plan), n_aims = (size_t)plan->n_intervals * n_sample;

  *f = (Follower){.scene = scenario->scene,
                  .plan = plan,
                  .held = {.n_actuators = plan->n_controls},
                  .interval = plan->horizon / plan->n_intervals,
                  .steps = steps};
  SsStatus status = ss_simulation_new (scenario->scene, &ss_integrator_fesd_j, NULL, &f->simulation, err);
  if (status != SS_OK)
    return status;
  const size_t n_row = (size_t)ss_simulation_n_channels (f->simulation);
  f->held.t = ss_new_array (double, AHEAD + n);
  f->start = ss_new_array (double, n_row + n_aims + 3 * n + (2 + n) * n_errors + n * n);
  if (f->held.t == NULL || f->start == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  f->held.u = f->held.t + AHEAD;
  f->aims = f->start + n_row;
  f->u = f->aims + n_aims;
  f->u_new = f->u + n;
  f->right = f->u_new + n;
  f->error = f->right + n;
  f->error_new = f->error + n_errors;
  f->jacobian = f->error_new + n_errors;
  f->normal = f->jacobian + n * n_errors;
  ss_simulation_fill (f->simulation, f->start);
  for (int s = 0; s < plan->n_segments; s++) /* the last segment of an interval stays */
    ss_fesd_sequence_sample (plan, s, 1, f->aims + (size_t)plan->segments[s].interval * n_sample);
  return SS_OK;
}

SsStatus
ss_follow_plan (const SsScenario *scenario, const SsFesdSequence *plan, int steps, SsRunControl *control,
                double *controls, bool *followed, SsError *err)
{
  SS_ASSERT (scenario->scene != NULL && plan->n_controls == scenario->scene->n_actuators && steps > 0);
  SS_ASSERT (plan->n_q == 3 * scenario->scene->n_bodies);
  Follower f;
  SsOutcome why;
  SsStatus status = open_follower (scenario, plan, steps, &f, err);

  *followed = status == SS_OK;
  memcpy (controls, plan->controls, (size_t)plan->n_intervals * (size_t)plan->n_controls * sizeof *controls);
  for (int i = 0; i < plan->n_intervals && *followed; i++)
    *followed = !ss_run_control_should_stop (control, &why) &&
                follow_interval (&f, i, controls + (size_t)i * (size_t)plan->n_controls);
  close_follower (&f);
  return status;
}
