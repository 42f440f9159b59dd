/* engine/core/ss-trajectory-private.h: where a trajectory has its rows; for the files of core. */
#pragma once

#include "core/ss-core.h"

/* Room for n rows in all. Non-zero: there is none, everything is as it was. */
int ss_trajectory_reserve (SsTrajectory *trajectory, int n);
void ss_trajectory_free_rows (SsTrajectory *trajectory);
