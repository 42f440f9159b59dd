/* app/job/ssapp-frames.h: rows of a simulation that are held beside its own, for who looks and for a run that does not
 * come back: where they are many every second one goes, again and again. Threads: any, one at a time. */
#pragma once

#include "simulate/ss-simulate.h"

#include <glib.h>

G_BEGIN_DECLS

/* None yet, with channels of a simulation: names for rows that arrive before the trajectory does. NULL: no scene, or
 * not that many channels. */
SsTrajectory *ssapp_frames_new (const SsScene *scene, const SsIntegratorClass *integrator, const void *options,
                                int n_channels);
/* Takes a row, or passes it over. *every, *n (0 at first): rows that come between two that are held, rows so far. TRUE:
 * it was taken. */
gboolean ssapp_frames_take (SsTrajectory *frames, int *every, int *n, const double *row);
/* Takes the rows that were before a simulation that goes on from `motion`. */
void ssapp_frames_take_past (SsTrajectory *frames, int *every, int *n, const SsScene *scene,
                             const SsTrajectory *motion);

G_END_DECLS
