/* engine/simulate/ss-controls.c: given controls; see ss-simulate.h. */
#include "simulate/ss-simulate.h"

#include "core/ss-stage-rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A time this part of a row's length before the row counts as the row's: times are sums of steps. */
static const double rounding_of_time = 1e-6;
/* A plan may write its first time as what is left of a difference. [s] */
static const double zero_of_time = 1e-9;

enum { NAME_LENGTH = 512 };

void
ss_controls_free (SsControls *controls)
{
  if (controls == NULL)
    return;
  ss_free (controls->t);
  ss_free (controls->u);
  ss_free (controls);
}

/* Times of the rows, equal ones once, and for each the row of the trajectory that acts from then on: the last with that
 * time. Rows of stages are within steps. */
static SsStatus
read_times (SsControls *c, const SsTrajectory *trajectory, int *acting, SsError *err)
{
  const int stage = ss_stage_rows_channel (trajectory);
  c->n_rows = 0;
  for (int k = 0; k < trajectory->n_rows; k++) {
    const double t = ss_trajectory_row (trajectory, k)[0];
    if (ss_stage_rows_is_one (trajectory, stage, k))
      continue;
    if (!isfinite (t) || (c->n_rows > 0 && t < c->t[c->n_rows - 1]))
      return ss_error_set (err, SS_ERR_INVALID, "the plan's times must not descend: row %d has t = %g s", k, t);
    if (c->n_rows == 0 || t > c->t[c->n_rows - 1])
      c->t[c->n_rows++] = t;
    acting[c->n_rows - 1] = k;
  }
  if (fabs (c->t[0]) > zero_of_time)
    return ss_error_set (err, SS_ERR_INVALID, "the plan begins at t = %g s, not at 0", c->t[0]);
  c->t[0] = 0;
  return SS_OK;
}

static SsStatus
read_values (SsControls *c, const SsScene *scene, const SsTrajectory *trajectory, const int *acting, SsError *err)
{
  for (int i = 0; i < c->n_actuators; i++) {
    char name[NAME_LENGTH];
    snprintf (name, sizeof name, "u.%s", scene->actuators[i].name);
    int column = ss_trajectory_channel (trajectory, name);
    if (column < 0)
      return ss_error_set (err, SS_ERR_INVALID, "the plan has no channel %s", name);
    for (int k = 0; k < c->n_rows; k++) {
      double u = ss_trajectory_row (trajectory, acting[k])[column];
      c->u[(size_t)k * (size_t)c->n_actuators + (size_t)i] = u;
      if (!isfinite (u))
        return ss_error_set (err, SS_ERR_INVALID, "%s is not finite at t = %g s of the plan", name, c->t[k]);
    }
  }
  return SS_OK;
}

SsStatus
ss_controls_new (const SsScene *scene, const SsTrajectory *trajectory, SsControls **out, SsError *err)
{
  SS_ASSERT (scene != NULL && trajectory != NULL && out != NULL);
  *out = NULL;
  if (trajectory->n_rows < 1)
    return ss_error_set (err, SS_ERR_INVALID, "the plan has no time points");
  const size_t n = (size_t)trajectory->n_rows;
  int *acting = ss_new_array (int, n);
  SsControls *c = ss_new (SsControls);
  SsStatus status = ss_error_set (err, SS_ERR_MEMORY, "no memory for the controls");
  if (c == NULL || acting == NULL)
    goto done;
  c->n_actuators = scene->n_actuators;
  c->t = ss_new_array (double, n);
  c->u = ss_new_array (double, n *(size_t)c->n_actuators + 1);
  if (c->t == NULL || c->u == NULL)
    goto done;
  status = read_times (c, trajectory, acting, err);
  if (status == SS_OK)
    status = read_values (c, scene, trajectory, acting, err);
  if (status != SS_OK)
    goto done;
  *out = c;
  c = NULL;

done:
  ss_controls_free (c);
  ss_free (acting);
  return status;
}

const double *
ss_controls_at (const SsControls *c, double t)
{
  SS_ASSERT (c != NULL && c->n_rows >= 1);

  int low = 0, high = c->n_rows - 1;
  while (low < high) {
    int middle = (low + high + 1) / 2;
    double length = c->t[middle] - c->t[middle - 1];
    if (c->t[middle] - rounding_of_time * length <= t)
      low = middle;
    else
      high = middle - 1;
  }
  /* without actuators there may be no values, and NULL takes no offset, be it 0 */
  return c->n_actuators > 0 ? c->u + (size_t)low * (size_t)c->n_actuators : c->u;
}
