/* app/job/ssapp-frames.h: rows of a simulation that are held beside its own, for who looks and for a run that does not
 * come back: where they are many every second one goes, again and again. Threads: any, one at a time. */
#pragma once

#include "core/ss-trajectory.h"

#include <glib.h>

G_BEGIN_DECLS

/* Takes a row, or passes it over. *every, *n (0 at first): rows that come between two that are held, rows so far. TRUE:
 * it was taken. */
gboolean ssapp_frames_take (SsTrajectory *frames, int *every, int *n, const double *row);

G_END_DECLS
