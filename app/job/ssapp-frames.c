/* app/job/ssapp-frames.c: see the header. */
#include "app/job/ssapp-frames.h"

#include <string.h>

/* Room for all of them. */
#define FRAMES_BYTES (16.0 * 1024 * 1024)

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
