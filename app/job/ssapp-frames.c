/* app/job/ssapp-frames.c: see the header. */
#include "app/job/ssapp-frames.h"

#include "simulate/ss-past.h"

#include <string.h>

/* Room for all of them. */
#define FRAMES_BYTES (16.0 * 1024 * 1024)

SsTrajectory *
ssapp_frames_new (const SsScene *scene, const SsIntegratorClass *integrator, const void *options, int n_channels)
{
  SsTrajectory *frames = NULL;

  if (scene == NULL || ss_simulation_trajectory_new (scene, integrator, options, 256, &frames, NULL) != SS_OK)
    return NULL;
  if (frames->n_channels != n_channels)
    g_clear_pointer (&frames, ss_trajectory_free);
  return frames;
}

gboolean
ssapp_frames_take (SsTrajectory *frames, int *every, int *n, const double *row)
{
  const gsize size = sizeof (double) * (gsize)frames->n_channels;

  *every = MAX (*every, 1);
  if ((double)frames->n_rows * (double)size > FRAMES_BYTES && frames->n_rows > 2) {
    int kept = 0;
    for (int i = 0; i < frames->n_rows; i += 2, kept++)
      memmove (frames->values + (gsize)kept * (gsize)frames->n_channels, ss_trajectory_row (frames, i), size);
    frames->n_rows = kept;
    *every *= 2;
  }
  return (*n)++ % *every == 0 && ss_trajectory_append (frames, row, NULL) == SS_OK;
}

void
ssapp_frames_take_past (SsTrajectory *frames, int *every, int *n, const SsScene *scene, const SsTrajectory *motion)
{
  SsPast *past = NULL;
  SsTrajectory *rows = NULL;

  if (ss_past_new (scene, motion, &past, NULL) == SS_OK && ss_past_rows (past, frames, &rows, NULL) == SS_OK)
    for (int i = 0; i < rows->n_rows; i++)
      ssapp_frames_take (frames, every, n, ss_trajectory_row (rows, i));
  ss_trajectory_free (rows);
  ss_past_free (past);
}
