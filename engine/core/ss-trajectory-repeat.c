/* engine/core/ss-trajectory-repeat.c: a part of a motion, once or several times; see ss-trajectory.h. */
#include "core/ss-trajectory.h"

#include "core/ss-core.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool
is_one_of (const char *name, const char *const *names, int n)
{
  int i = 0;

  while (i < n && strcmp (names[i], name) != 0)
    i++;
  return i < n;
}

/* The channel whose way from first to last row a copy is moved by in this one; -1: it is not moved. */
static int
moved_by (const SsTrajectory *from, int channel)
{
  static const char *const clocks[] = {"t", "time", "tau"}, *const places[] = {"x", "y", "theta", "position"};
  const char *name = from->channels[channel].name, *last = strrchr (name, '.');
  const char *stage = strstr (name, ".stage_");

  if (is_one_of (name, clocks, 3))
    return channel;
  if (last == NULL || !is_one_of (last + 1, places, 4))
    return -1;
  if (stage == NULL || stage == last)
    return channel;
  for (int c = 0; c < from->n_channels; c++) {
    const char *own = from->channels[c].name;
    const size_t owner = (size_t)(stage - name);

    if (strncmp (own, name, owner) == 0 && strcmp (own + owner, last) == 0)
      return c;
  }
  return -1;
}

SsStatus
ss_trajectory_repeat (const SsTrajectory *from, double after, int copies, SsTrajectory **out, SsError *err)
{
  SS_ASSERT (from != NULL && out != NULL && copies >= 1);
  const int n = from->n_channels;
  int first = 0;

  *out = NULL;
  while (first < from->n_rows && ss_trajectory_row (from, first)[0] < after)
    first++;
  if (from->n_rows - first < 2)
    return ss_error_set (err, SS_ERR_INVALID, "the motion has %d rows from t = %g s on; it takes two",
                         from->n_rows - first, after);
  const double *begin = ss_trajectory_row (from, first), *end = ss_trajectory_row (from, from->n_rows - 1);
  double *row = ss_new_array (double, n + 1);
  int *by = ss_new_array (int, n + 1);
  SsTrajectory *trajectory = NULL;
  SsStatus status = row != NULL && by != NULL ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  if (status == SS_OK)
    status = ss_trajectory_new (from->channels, n, (from->n_rows - first) * copies, &trajectory, err);
  for (int c = 0; c < n && status == SS_OK; c++)
    by[c] = moved_by (from, c);
  for (int copy = 0; copy < copies; copy++)
    for (int r = first; r < from->n_rows && status == SS_OK; r++) {
      memcpy (row, ss_trajectory_row (from, r), (size_t)n * sizeof *row);
      row[0] -= begin[0];
      for (int c = 0; c < n; c++)
        if (by[c] >= 0)
          row[c] += copy * (end[by[c]] - begin[by[c]]);
      status = ss_trajectory_append (trajectory, row, err);
    }
  ss_free (row);
  ss_free (by);
  if (status == SS_OK)
    *out = trajectory;
  else
    ss_trajectory_free (trajectory);
  return status;
}
