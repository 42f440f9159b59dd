/* engine/core/ss-trajectory.h: a table of named channels over time, row-major, first channel "t". */
#pragma once

#include "core/ss-status.h"

typedef struct {
  int n_channels;
  char **channels; /* owned; channels[0] is "t"              */
  int n_rows;
  int capacity;   /* rows                                   */
  double *values; /* owned; n_rows x n_channels, row-major  */
} SsTrajectory;

/* `channels` are copied. On failure *out is NULL. */
SS_NODISCARD SsStatus ss_trajectory_new (const char *const *channels, int n_channels, int reserve_rows,
                                         SsTrajectory **out, SsError *err);
SS_NODISCARD SsStatus ss_trajectory_append (SsTrajectory *trajectory, const double *row, SsError *err);
SS_NODISCARD SsStatus ss_trajectory_copy (const SsTrajectory *from, SsTrajectory **out, SsError *err);
void ss_trajectory_free (SsTrajectory *trajectory); /* NULL is allowed */

int ss_trajectory_channel (const SsTrajectory *trajectory, const char *name); /* -1 if absent */
const double *ss_trajectory_row (const SsTrajectory *trajectory, int row);    /* borrowed     */
/* Row values at time t by linear interpolation between rows (clamped at the ends) into row[n_channels]. */
void ss_trajectory_sample (const SsTrajectory *trajectory, double t, double *row);
