/* engine/core/ss-trajectory-clock.c: trajectories with a second clock; see ss-trajectory.h. */
#include "core/ss-trajectory.h"

#include <math.h>

int
ss_trajectory_second_clock (const SsTrajectory *trajectory)
{
  SS_ASSERT (trajectory != NULL);

  for (int c = 0; c < trajectory->n_channels; c++)
    if (ss_quantity_is_second_clock (trajectory->channels[c].quantity))
      return c;
  return -1;
}

static double
value_at (const SsTrajectory *trajectory, int row, int channel)
{
  return ss_trajectory_row (trajectory, row)[channel];
}

/* [002 (43) (52a) (65) (67)]. */
SsStatus
ss_trajectory_by_clock (const SsTrajectory *from, int channel, SsTrajectory **out, SsError *err)
{
  SS_ASSERT (from != NULL && out != NULL && channel >= 0 && channel < from->n_channels);

  *out = NULL;
  for (int row = 0; row < from->n_rows; row++) {
    const double value = value_at (from, row, channel);
    if (!isfinite (value) || (row > 0 && value < value_at (from, row - 1, channel)))
      return ss_error_set (err, SS_ERR_INVALID, "row %d: the clock %s is %g after %g; it must not run backwards", row,
                           from->channels[channel].name, value, row > 0 ? value_at (from, row - 1, channel) : 0);
  }
  SsTrajectory *told;
  SsStatus status = ss_trajectory_copy (from, &told, err);
  if (status != SS_OK)
    return status;
  const SsChannel first = told->channels[0];
  told->channels[0] = told->channels[channel];
  told->channels[channel] = first;
  for (int row = 0; row < told->n_rows; row++) {
    double *values = told->values + (size_t)row * (size_t)told->n_channels;
    const double t = values[0];
    values[0] = values[channel];
    values[channel] = t;
  }
  *out = told;
  return SS_OK;
}

double
ss_trajectory_convert (const SsTrajectory *trajectory, int from, int to, double value)
{
  SS_ASSERT (trajectory != NULL && trajectory->n_rows > 0);
  SS_ASSERT (from >= 0 && from < trajectory->n_channels && to >= 0 && to < trajectory->n_channels);

  const int low = ss_trajectory_row_up_to (trajectory, from, value), high = low + 1;
  const double a = value_at (trajectory, low, from), at = value_at (trajectory, low, to);
  if (!(value > a) || high == trajectory->n_rows)
    return at;
  const double fraction = (value - a) / (value_at (trajectory, high, from) - a);
  return at + fraction * (value_at (trajectory, high, to) - at);
}
