/* engine/plan/ss-replan-start.c: where a plan that is made again starts from; see ss-replan.h. */
#include "plan/ss-replan-private.h"

#include <math.h>
#include <string.h>

/* Of the merit by which starting points are compared: the first penalty of the solver (ss-replan.c). */
static const double penalty = 1000;

void
ss_replan_judge (SsReplan *r, const double *x, double *objective, double *violation, double *merit)
{
  SS_ASSERT (r != NULL && r->n_rows >= 0 && objective != NULL && merit != NULL);

  const int n_eq = ss_mpcc_n_equalities (r->mpcc);
  double sum = 0;

  *objective = ss_mpcc_objective (r->eval, x);
  *violation = 0;
  ss_mpcc_rows (r->eval, x, r->rows);
  for (int i = 0; i < r->n_rows; i++) {
    const double missed = i < n_eq ? fabs (r->rows[i]) : fmax (0, -r->rows[i]);

    sum += missed;
    *violation = missed > *violation || isnan (missed) ? missed : *violation;
  }
  *merit = *objective + penalty * sum;
}

void
ss_replan_distance (const SsReplan *r, const double *q, double *miss, double *miss_angle)
{
  SS_ASSERT (r != NULL && r->n_rows >= 0 && miss != NULL && miss_angle != NULL);

  double sum[2] = {0, 0};
  bool is_known[2] = {false, false};

  for (int i = 0; i < r->plan.n_targets; i++)
    for (int c = 0; c < 3; c++) {
      const double value = r->targets[i].value[c], off = q[3 * r->targets[i].body + c] - value;

      if (isnan (value))
        continue;
      sum[c == 2] += off * off;
      is_known[c == 2] = true;
    }
  *miss = is_known[0] ? sqrt (sum[0]) : NAN;
  *miss_angle = is_known[1] ? sqrt (sum[1]) : NAN;
}

/* ---- the last plan, later ---------------------------------------------------------------------------------------- */

/* A plan x made at `made`, by whole steps later, its end repeated, from where the bodies are now. */
static void
shift (SsReplan *r, double t, const double *x, double made, double *shifted)
{
  const SsModel *model = ss_transcript_model (r->transcript)->model;
  const int m = model->n_variables, last = model->n_points - 1;
  const double passed = floor ((t - made) / r->h + 0.5);
  const int by = (int)fmin (fmax (passed, 0), last);

  for (int k = 0; k <= last; k++)
    memcpy (shifted + (size_t)k * m, x + (size_t)(k + by <= last ? k + by : last) * m, (size_t)m * sizeof *x);
  for (int i = 0; i < m; i++)
    if (r->start_of[i] >= 0)
      shifted[i] = r->parameters[r->start_of[i]];
}

/* ---- the motion of its controls ---------------------------------------------------------------------------------- */

static bool
keep_row (SsReplan *r)
{
  SsError ignored;

  ss_simulation_fill (r->simulation, r->row);
  return ss_trajectory_append (r->motion, r->row, &ignored) == SS_OK;
}

const SsSimState *
ss_replan_begin_motion (SsReplan *r, double t)
{
  SS_ASSERT (r != NULL);

  SsSimState *state = ss_simulation_state (r->simulation);

  r->motion->n_rows = 0;
  for (int i = 0; i < 3 * r->scene.n_bodies; i++) {
    state->q[i] = r->bodies[i / 3].q[i % 3];
    state->v[i] = r->bodies[i / 3].v[i % 3];
  }
  state->t = t;
  memset (state->contact, 0, (size_t)r->scene.n_contacts * SS_SIM_N_CONTACT_VALUES * sizeof *state->contact);
  return state;
}

bool
ss_replan_step_motion (SsReplan *r)
{
  SS_ASSERT (r != NULL && r->n_rows >= 0);

  SsStepInfo info;
  SsError ignored;

  return (r->motion->n_rows > 0 || keep_row (r)) &&
         ss_simulation_step (r->simulation, r->h, &info, &ignored) == SS_OK && keep_row (r);
}

/* From the present state under controls, which begin `late` seconds after their own times; false: a step fails. */
static bool
roll_out (SsReplan *r, const SsControls *controls, double t, double late)
{
  ss_replan_begin_motion (r, t - late);
  ss_simulation_set_controls (r->simulation, controls);
  for (int k = 0; k < r->plan.steps; k++)
    if (!ss_replan_step_motion (r))
      return false;
  return true;
}

/* Takes the motion of controls as *best where it has the smaller merit. */
static SsStatus
try_controls (SsReplan *r, const SsControls *controls, double t, double late, bool is_offered, SsReplanStart *best,
              SsError *err)
{
  SsReplanStart found = {.x = r->rolled, .is_offered = is_offered};
  double objective;

  if (!roll_out (r, controls, t, late))
    return SS_OK;
  const SsStatus status = ss_transcript_guess (r->transcript, &r->scenario, r->motion, r->tried, err);
  if (status != SS_OK)
    return status;
  ss_replan_judge (r, r->tried, &objective, &found.violation, &found.merit);
  if (found.merit < best->merit) {
    memcpy (r->rolled, r->tried, (size_t)r->n * sizeof *r->tried);
    *best = found;
  }
  return SS_OK;
}

SsStatus
ss_replan_follow_controls (SsReplan *r, const SsControls *controls, double t, SsError *err)
{
  SS_ASSERT (r != NULL && r->n_rows >= 0);
  if (!roll_out (r, controls, t, 0))
    return ss_error_set (err, SS_ERR_INVALID, "the controls have no motion from here");
  return ss_transcript_guess (r->transcript, &r->scenario, r->motion, r->tried, err);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

/* With the clock that a plan's first row begins at: 0 there means from the beginning on. */
static double
begin_of (const SsReplan *r, const SsControls *controls)
{
  return controls->n_rows > 1 ? controls->t[1] - r->h : 0;
}

SsStatus
ss_replan_find_start (SsReplan *r, double t, SsReplanStart *best, SsReplanStart *rolled, SsError *err)
{
  SS_ASSERT (best != NULL);

  SsReplanStart moved = {.x = r->shifted};
  double objective;
  SsStatus status = SS_OK;

  *rolled = (SsReplanStart){.x = NULL, .merit = INFINITY, .violation = INFINITY};
  if (!r->has_plan) {
    status = ss_transcript_guess (r->transcript, &r->scenario, NULL, r->shifted, err);
    if (status == SS_OK)
      ss_replan_judge (r, r->shifted, &objective, &moved.violation, &moved.merit);
    *best = moved;
    return status;
  }
  shift (r, t, r->x, r->t, r->shifted);
  ss_replan_judge (r, r->shifted, &objective, &moved.violation, &moved.merit);
  if (r->has_unfinished) {
    SsReplanStart unfinished = {.x = r->shifted};

    shift (r, t, r->unfinished, r->t_unfinished, r->tried);
    ss_replan_judge (r, r->tried, &objective, &unfinished.violation, &unfinished.merit);
    if (unfinished.merit < moved.merit) {
      memcpy (r->shifted, r->tried, (size_t)r->n * sizeof *r->tried);
      moved = unfinished;
    }
    r->has_unfinished = false;
  }
  status = try_controls (r, &r->controls, t, 0, false, rolled, err);
  if (r->has_offer && status == SS_OK)
    status = try_controls (r, &r->offered, t, 0, true, rolled, err);
  if (r->has_offer && status == SS_OK)
    status = try_controls (r, &r->offered, t, t - begin_of (r, &r->offered), true, rolled, err);
  r->has_offer = false;
  *best = rolled->x != NULL && rolled->merit <= moved.merit ? *rolled : moved;
  return status;
}

/* ---- making ------------------------------------------------------------------------------------------------------ */

SsStatus
ss_replan_start_new (SsReplan *r, SsError *err)
{
  SS_ASSERT (r != NULL);

  const SsIntegratorClass *integrator = &ss_integrator_stewart_trinkle;

  ss_stewart_trinkle_suit_plan (&r->simulation_options);
  SsStatus status = ss_simulation_new (&r->scene, integrator, &r->simulation_options, &r->simulation, err);
  if (status == SS_OK)
    status = ss_simulation_trajectory_new (&r->scene, integrator, &r->simulation_options, r->plan.steps + 1, &r->motion,
                                           err);
  if (status != SS_OK)
    return status;
  r->row = ss_new_array (double, ss_simulation_n_channels (r->simulation) + 1);
  return r->row != NULL ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "out of memory");
}

void
ss_replan_start_free (SsReplan *r)
{
  SS_ASSERT (r != NULL);
  ss_simulation_free (r->simulation);
  ss_trajectory_free (r->motion);
  ss_free (r->row);
}
