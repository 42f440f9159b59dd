/* engine/simulate/ss-recover.c: see the header. */
#include "simulate/ss-recover.h"

#include "core/ss-memory.h"

static bool
is_impulse (SsQuantity quantity)
{
  return quantity == SS_QUANTITY_NORMAL_IMPULSE || quantity == SS_QUANTITY_TANGENTIAL_IMPULSE;
}

/* [001 (18a)]: rows that stay move forward; place[row]: their number then, or that of the next one that stays. */
static void
leave_out (SsTrajectory *motion, int *place)
{
  const size_t width = (size_t)motion->n_channels;
  int kept = 0;
  for (int first = 0; first < motion->n_rows;) {
    const double t = ss_trajectory_row (motion, first)[0];
    int last = first;
    while (last + 1 < motion->n_rows && ss_trajectory_row (motion, last + 1)[0] == t)
      last++;
    double *end = motion->values + (size_t)last * width;
    for (int row = first + 1; row < last; row++)
      for (int c = 0; c < motion->n_channels; c++)
        if (is_impulse (motion->channels[c].quantity))
          end[c] += ss_trajectory_row (motion, row)[c];
    place[first] = kept;
    for (size_t c = 0; c < width; c++)
      motion->values[(size_t)kept * width + c] = motion->values[(size_t)first * width + c];
    kept++;
    for (int row = first + 1; row <= last; row++)
      place[row] = kept;
    for (size_t c = 0; last > first && c < width; c++)
      motion->values[(size_t)kept * width + c] = end[c];
    kept += last > first;
    first = last + 1;
  }
  motion->n_rows = kept;
}

SsStatus
ss_recover_motion (const SsTrajectory *motion, const SsTrajectory *stages, SsTrajectory **out,
                   SsTrajectory **stages_out, SsError *err)
{
  SS_ASSERT (motion != NULL && out != NULL && stages_out != NULL);

  *out = *stages_out = NULL;
  int *place = ss_new_array (int, motion->n_rows + 1);
  SsStatus status = place != NULL ? ss_trajectory_copy (motion, out, err)
                                  : ss_error_set (err, SS_ERR_MEMORY, "no memory for %d rows", motion->n_rows);
  if (status == SS_OK && stages != NULL)
    status = ss_trajectory_copy (stages, stages_out, err);
  if (status == SS_OK) {
    leave_out (*out, place);
    place[motion->n_rows] = (*out)->n_rows;
  }
  const int column = status == SS_OK && stages != NULL ? ss_trajectory_channel (stages, "row") : -1;
  for (int i = 0; column >= 0 && i < stages->n_rows; i++) {
    double *row = (*stages_out)->values + (size_t)i * (size_t)stages->n_channels + (size_t)column;
    if (*row >= 0 && *row <= motion->n_rows)
      *row = place[(int)*row];
  }
  if (status != SS_OK) {
    ss_trajectory_free (*out);
    ss_trajectory_free (*stages_out);
    *out = *stages_out = NULL;
  }
  ss_free (place);
  return status;
}
