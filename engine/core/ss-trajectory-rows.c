/* engine/core/ss-trajectory-rows.c: rows that a trajectory does not keep, and contacts of rows; see ss-trajectory.h and
 * ss-contact-rows.h. */
#include "core/ss-trajectory-private.h"

#include "core/ss-spool.h"

#include <limits.h>
#include <string.h>

void
ss_trajectory_remove (SsTrajectory *trajectory, int first, int end)
{
  SS_ASSERT (trajectory != NULL && first >= 0 && first <= end && end <= trajectory->n_rows);
  const size_t width = (size_t)trajectory->n_channels;

  memmove (trajectory->values + (size_t)first * width, trajectory->values + (size_t)end * width,
           (size_t)(trajectory->n_rows - end) * width * sizeof *trajectory->values);
  trajectory->n_rows -= end - first;
}

/* What is written or read is let go in pieces of this many bytes. */
static const size_t PIECE = (size_t)16 << 20;

/* Room for n rows: on the heap, of many in a file; where there is no disk, on the heap. */
int
ss_trajectory_reserve (SsTrajectory *trajectory, int n)
{
  const size_t width = (size_t)trajectory->n_channels * sizeof (double), wanted = (size_t)n * width;
  size_t size = (size_t)trajectory->n_rows * width;

  if (n <= trajectory->capacity)
    return 0;
  if (trajectory->spool == NULL && wanted <= SS_SPOOL_FROM)
    return ss_array_reserve ((void **)&trajectory->values, &trajectory->capacity, n, width);
  if (ss_spool_grow (&trajectory->spool, (void **)&trajectory->values, &size, wanted) == 0) {
    trajectory->capacity = size / width < INT_MAX ? (int)(size / width) : INT_MAX;
    return 0;
  }
  return trajectory->spool != NULL ? -1
                                   : ss_array_reserve ((void **)&trajectory->values, &trajectory->capacity, n, width);
}

SsStatus
ss_trajectory_append (SsTrajectory *trajectory, const double *row, SsError *err)
{
  SS_ASSERT (trajectory != NULL && row != NULL);
  const size_t width = (size_t)trajectory->n_channels;

  if (ss_trajectory_reserve (trajectory, trajectory->n_rows + 1) != 0)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for row %d of a trajectory", trajectory->n_rows);
  memcpy (trajectory->values + (size_t)trajectory->n_rows * width, row, width * sizeof (double));
  trajectory->n_rows++;
  const size_t end = (size_t)trajectory->n_rows * width * sizeof (double);
  if (trajectory->spool != NULL && end > trajectory->released + PIECE) {
    trajectory->released = end;
    ss_spool_release (trajectory->spool, trajectory->values, end);
  }
  return SS_OK;
}

void
ss_trajectory_pass (const SsTrajectory *trajectory, int end)
{
  if (trajectory->spool != NULL)
    ss_spool_release (trajectory->spool, trajectory->values,
                      (size_t)end * (size_t)trajectory->n_channels * sizeof (double));
}

void
ss_trajectory_free_rows (SsTrajectory *trajectory)
{
  if (trajectory->spool != NULL)
    ss_spool_free (trajectory->spool, trajectory->values);
  else
    ss_free (trajectory->values);
}

void
ss_contact_rows_remove (SsContactRows *rows, int first, int end)
{
  int n = 0;

  for (int i = 0; i < rows->n; i++) {
    SsContactRow item = rows->items[i];
    if (item.row >= first && item.row < end)
      continue;
    item.row -= item.row >= end ? end - first : 0;
    rows->items[n++] = item;
  }
  rows->n = n;
}

void
ss_contact_rows_free (SsContactRows *rows)
{
  if (rows != NULL)
    ss_free (rows->items);
  ss_free (rows);
}
