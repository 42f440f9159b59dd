/* engine/simulate/ss-controls.c: given controls; see ss-simulate.h. */
#include "simulate/ss-simulate.h"

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

static SsStatus
read_times (SsControls *c, const SsTrajectory *trajectory, SsError *err)
{
  for (int k = 0; k < c->n_rows; k++) {
    c->t[k] = ss_trajectory_row (trajectory, k)[0];
    if (!isfinite (c->t[k]) || (k > 0 && c->t[k] <= c->t[k - 1]))
      return ss_error_set (err, SS_ERR_INVALID, "the plan's times must ascend: row %d has t = %g s", k, c->t[k]);
  }
  if (fabs (c->t[0]) > zero_of_time)
    return ss_error_set (err, SS_ERR_INVALID, "the plan begins at t = %g s, not at 0", c->t[0]);
  c->t[0] = 0;
  return SS_OK;
}

SsStatus
ss_controls_new (const SsScene *scene, const SsTrajectory *trajectory, SsControls **out, SsError *err)
{
  SS_ASSERT (scene != NULL && trajectory != NULL && out != NULL);
  *out = NULL;
  if (trajectory->n_rows < 1)
    return ss_error_set (err, SS_ERR_INVALID, "the plan has no time points");
  SsControls *c = ss_new (SsControls);
  SsStatus status = ss_error_set (err, SS_ERR_MEMORY, "no memory for the controls");
  if (c == NULL)
    return status;
  *c = (SsControls){.n_rows = trajectory->n_rows, .n_actuators = scene->n_actuators};
  c->t = ss_new_array (double, c->n_rows);
  c->u = ss_new_array (double, (size_t)c->n_rows *(size_t)c->n_actuators + 1);
  if (c->t == NULL || c->u == NULL)
    goto fail;
  status = read_times (c, trajectory, err);
  for (int i = 0; status == SS_OK && i < c->n_actuators; i++) {
    char name[NAME_LENGTH];
    snprintf (name, sizeof name, "u.%s", scene->actuators[i].name);
    int column = ss_trajectory_channel (trajectory, name);
    if (column < 0)
      status = ss_error_set (err, SS_ERR_INVALID, "the plan has no channel %s", name);
    for (int k = 0; status == SS_OK && k < c->n_rows; k++) {
      double u = ss_trajectory_row (trajectory, k)[column];
      c->u[(size_t)k * (size_t)c->n_actuators + (size_t)i] = u;
      if (!isfinite (u))
        status = ss_error_set (err, SS_ERR_INVALID, "%s is not finite at t = %g s of the plan", name, c->t[k]);
    }
  }
  if (status != SS_OK)
    goto fail;
  *out = c;
  return SS_OK;

fail:
  ss_controls_free (c);
  return status;
}

const double *
ss_controls_at (const SsControls *c, double t)
{
  int low = 0, high = c->n_rows - 1;
  while (low < high) {
    int middle = (low + high + 1) / 2;
    double length = c->t[middle] - c->t[middle - 1];
    if (c->t[middle] - rounding_of_time * length <= t)
      low = middle;
    else
      high = middle - 1;
  }
  return c->u + (size_t)low * (size_t)c->n_actuators;
}
