/* engine/core/ss-trajectory.c: trajectories, and the rows that they keep; see ss-trajectory.h and ss-contact-rows.h. */
#include "core/ss-core.h"

#include "core/ss-spool.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What is written or read is let go in pieces of this many bytes. */
static const size_t PIECE = (size_t)16 << 20;

/* Room for n rows on the heap, twice as many as there are, but no more than go there. */
static int
make_room_on_heap (SsTrajectory *trajectory, int n, size_t width)
{
  const size_t most = SS_SPOOL_FROM / width;

  if ((size_t)n > most || (size_t)trajectory->capacity <= most / 2)
    return ss_array_reserve ((void **)&trajectory->values, &trajectory->capacity, n, width);
  void *grown = ss_realloc (trajectory->values, most, width);
  if (grown == NULL)
    return -1;
  trajectory->values = grown;
  trajectory->capacity = (int)most;
  return 0;
}

/* Room for n rows: on the heap, of many in a file; where there is no disk, on the heap. */
static int
make_room (SsTrajectory *trajectory, int n)
{
  const size_t width = (size_t)trajectory->n_channels * sizeof (double), wanted = (size_t)n * width;
  size_t size = (size_t)trajectory->n_rows * width;

  if (n <= trajectory->capacity)
    return 0;
  if (trajectory->spool == NULL && wanted <= SS_SPOOL_FROM)
    return make_room_on_heap (trajectory, n, width);
  if (ss_spool_grow (&trajectory->spool, (void **)&trajectory->values, &size, wanted) == 0) {
    trajectory->capacity = size / width < INT_MAX ? (int)(size / width) : INT_MAX;
    return 0;
  }
  return trajectory->spool != NULL ? -1 : make_room_on_heap (trajectory, n, width);
}

static void
free_rows (SsTrajectory *trajectory)
{
  if (trajectory->spool != NULL)
    ss_spool_free (trajectory->spool, trajectory->values);
  else
    ss_free (trajectory->values);
}

/* The texts of a channel in one block, which its name begins. */
static bool
copy_channel (const SsChannel *from, const char *name, SsChannel *to)
{
  const size_t n = strlen (name) + 1, n_unit = strlen (from->unit) + 1, n_owner = strlen (from->owner_name) + 1;
  char *text = ss_alloc (n + n_unit + n_owner, 1);

  if (text == NULL)
    return false;
  memcpy (text, name, n);
  memcpy (text + n, from->unit, n_unit);
  memcpy (text + n + n_unit, from->owner_name, n_owner);
  *to = *from;
  to->name = text;
  to->unit = text + n;
  to->owner_name = text + n + n_unit;
  return true;
}

SsStatus
ss_trajectory_new (const SsChannel *channels, int n_channels, int reserve_rows, SsTrajectory **out, SsError *err)
{
  SsTrajectory *trajectory;

  *out = NULL;
  SS_ASSERT (channels != NULL && n_channels >= 1);
  trajectory = ss_new (SsTrajectory);
  if (trajectory == NULL)
    goto fail;
  trajectory->channels = ss_new_array (SsChannel, n_channels);
  if (trajectory->channels == NULL)
    goto fail;
  for (; trajectory->n_channels < n_channels; trajectory->n_channels++) {
    const SsChannel *channel = &channels[trajectory->n_channels];

    if (!copy_channel (channel, channel->name, &trajectory->channels[trajectory->n_channels]))
      goto fail;
  }
  if (make_room (trajectory, reserve_rows > 0 ? reserve_rows : 16) != 0)
    goto fail;
  *out = trajectory;
  return SS_OK;

fail:
  ss_trajectory_free (trajectory);
  return ss_error_set (err, SS_ERR_MEMORY, "no memory for a trajectory of %d channels", n_channels);
}

SsStatus
ss_trajectory_new_named (const char *const *names, int n_channels, int reserve_rows, SsTrajectory **out, SsError *err)
{
  SS_ASSERT (n_channels >= 0 && out != NULL);

  SsChannel *channels = ss_new_array (SsChannel, n_channels);
  SsStatus status;

  *out = NULL;
  if (channels == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a trajectory of %d channels", n_channels);
  for (int i = 0; i < n_channels; i++)
    channels[i] = ss_channel_named (names[i]);
  status = ss_trajectory_new (channels, n_channels, reserve_rows, out, err);
  ss_free (channels);
  return status;
}

SsStatus
ss_trajectory_describe (SsTrajectory *trajectory, int channel, const SsChannel *about, SsError *err)
{
  SsChannel described;

  SS_ASSERT (channel >= 0 && channel < trajectory->n_channels);
  if (!copy_channel (about, trajectory->channels[channel].name, &described))
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the channel %s", trajectory->channels[channel].name);
  ss_free ((char *)trajectory->channels[channel].name);
  trajectory->channels[channel] = described;
  return SS_OK;
}

SsStatus
ss_trajectory_copy (const SsTrajectory *from, SsTrajectory **out, SsError *err)
{
  SS_ASSERT (from != NULL && out != NULL);

  SsStatus status = ss_trajectory_new (from->channels, from->n_channels, from->n_rows, out, err);

  if (status != SS_OK)
    return status;
  const size_t width = sizeof (double) * (size_t)from->n_channels, step = PIECE / width > 0 ? PIECE / width : 1;
  for (size_t first = 0, n; first < (size_t)from->n_rows; first += n) {
    n = (size_t)from->n_rows - first < step ? (size_t)from->n_rows - first : step;
    memcpy ((char *)(*out)->values + first * width, (const char *)from->values + first * width, n * width);
    (*out)->n_rows = (int)(first + n);
    ss_trajectory_pass (from, (*out)->n_rows);
    ss_trajectory_pass (*out, (*out)->n_rows);
  }
  return SS_OK;
}

void
ss_trajectory_free (SsTrajectory *trajectory)
{
  if (trajectory == NULL)
    return;
  for (int i = 0; i < trajectory->n_channels; i++)
    ss_free ((char *)trajectory->channels[i].name);
  ss_free (trajectory->channels);
  free_rows (trajectory);
  ss_free (trajectory);
}

int
ss_trajectory_channel (const SsTrajectory *trajectory, const char *name)
{
  SS_ASSERT (trajectory != NULL && name != NULL);

  for (int i = 0; i < trajectory->n_channels; i++)
    if (strcmp (trajectory->channels[i].name, name) == 0)
      return i;
  return -1;
}

const double *
ss_trajectory_row (const SsTrajectory *trajectory, int row)
{
  SS_ASSERT (row >= 0 && row < trajectory->n_rows);
  return trajectory->values + (size_t)row * (size_t)trajectory->n_channels;
}

int
ss_trajectory_last_at (const SsTrajectory *trajectory, int row)
{
  SS_ASSERT (trajectory != NULL && trajectory->n_rows >= 0);

  const double t = ss_trajectory_row (trajectory, row)[0];

  while (row + 1 < trajectory->n_rows && ss_trajectory_row (trajectory, row + 1)[0] == t)
    row++;
  return row;
}

int
ss_trajectory_first_at (const SsTrajectory *trajectory, int row)
{
  const double t = ss_trajectory_row (trajectory, row)[0];

  while (row > 0 && ss_trajectory_row (trajectory, row - 1)[0] == t)
    row--;
  return row;
}

int
ss_trajectory_row_up_to (const SsTrajectory *trajectory, int channel, double value)
{
  SS_ASSERT (trajectory != NULL && channel >= 0 && channel < trajectory->n_channels);

  int low = 0, high = trajectory->n_rows;

  while (high - low > 1) { /* row 0 counts as not later */
    int middle = low + (high - low) / 2;

    if (ss_trajectory_row (trajectory, middle)[channel] <= value)
      low = middle;
    else
      high = middle;
  }
  return low;
}

void
ss_trajectory_sample_before (const SsTrajectory *trajectory, double t, double *row)
{
  SS_ASSERT (trajectory != NULL && row != NULL && trajectory->n_rows > 0);

  const double rounding = 1e-9 * (1 + fabs (t)); /* of a time that was written with ten digits [s] */
  const int last = ss_trajectory_row_up_to (trajectory, 0, t + rounding),
            first = ss_trajectory_first_at (trajectory, last);
  const double *values = ss_trajectory_row (trajectory, first);

  if (first < last && fabs (values[0] - t) <= rounding)
    memcpy (row, values, (size_t)trajectory->n_channels * sizeof *row);
  else
    ss_trajectory_sample (trajectory, t, row);
}

/* Between the row `low`, the last up to t, and the next one. */
static void
sample_after (const SsTrajectory *trajectory, int low, double t, double *row)
{
  size_t width = (size_t)trajectory->n_channels;
  const double *a, *b;
  double fraction;
  const int high = low + 1;

  a = ss_trajectory_row (trajectory, low);
  if (!(t > a[0]) || high == trajectory->n_rows) {
    memcpy (row, a, width * sizeof (double));
    return;
  }
  b = ss_trajectory_row (trajectory, high);
  fraction = (t - a[0]) / (b[0] - a[0]); /* a[0] < t < b[0] */
  for (size_t c = 0; c < width; c++)
    row[c] = a[c] + fraction * (b[c] - a[c]);
  row[0] = t;
}

void
ss_trajectory_sample (const SsTrajectory *trajectory, double t, double *row)
{
  SS_ASSERT (trajectory != NULL && row != NULL && trajectory->n_rows > 0);
  sample_after (trajectory, ss_trajectory_row_up_to (trajectory, 0, t), t, row);
}

static bool
has_impulse (const SsTrajectory *trajectory, const double *row)
{
  for (int c = 0; c < trajectory->n_channels; c++)
    if ((trajectory->channels[c].quantity == SS_QUANTITY_NORMAL_IMPULSE ||
         trajectory->channels[c].quantity == SS_QUANTITY_TANGENTIAL_IMPULSE) &&
        row[c] != 0)
      return true;
  return false;
}

/* The channel with the velocity of this position or angle of a body; -1: it is none, or there is none. */
static int
velocity_of (const SsTrajectory *trajectory, int position)
{
  const SsChannel *of = &trajectory->channels[position];
  SsQuantity wanted = of->quantity == SS_QUANTITY_POSITION_X   ? SS_QUANTITY_VELOCITY_X
                      : of->quantity == SS_QUANTITY_POSITION_Y ? SS_QUANTITY_VELOCITY_Y
                      : of->quantity == SS_QUANTITY_ANGLE      ? SS_QUANTITY_ANGULAR_VELOCITY
                                                               : SS_QUANTITY_UNKNOWN;

  if (wanted == SS_QUANTITY_UNKNOWN || of->owner != SS_OWNER_BODY)
    return -1;
  for (int c = position + 1; c < trajectory->n_channels; c++) /* a body's channels are beside each other */
    if (trajectory->channels[c].owner != SS_OWNER_BODY ||
        strcmp (trajectory->channels[c].owner_name, of->owner_name) != 0)
      return -1;
    else if (trajectory->channels[c].quantity == wanted)
      return c;
  return -1;
}

int
ss_trajectory_quantity (const SsTrajectory *trajectory, SsQuantity quantity)
{
  SS_ASSERT (trajectory != NULL && trajectory->n_rows >= 0);
  for (int c = 0; c < trajectory->n_channels; c++)
    if (trajectory->channels[c].quantity == quantity)
      return c;
  return -1;
}

/* The first channel, or where the time is if the trajectory is told by another clock. */
static int
time_channel (const SsTrajectory *trajectory)
{
  const int found = ss_quantity_is_second_clock (trajectory->channels[0].quantity)
                        ? ss_trajectory_quantity (trajectory, SS_QUANTITY_TIME)
                        : 0;

  return found > 0 ? found : 0;
}

void
ss_trajectory_sample_motion (const SsTrajectory *trajectory, double t, double *row)
{
  SS_ASSERT (trajectory != NULL && row != NULL && trajectory->n_rows > 0);

  const int low = ss_trajectory_row_up_to (trajectory, 0, t), high = low + 1;
  sample_after (trajectory, low, t, row);
  const double *a = ss_trajectory_row (trajectory, low), *b;

  if (!(t > a[0]) || high == trajectory->n_rows)
    return;
  b = ss_trajectory_row (trajectory, high);
  if (has_impulse (trajectory, b))
    return;
  const int time = time_channel (trajectory);
  const double h = b[time] - a[time], s = (t - a[0]) / (b[0] - a[0]);

  if (!(h > 0)) /* the time stands still */
    return;
  for (int c = 1; c < trajectory->n_channels; c++) {
    const int v = velocity_of (trajectory, c);

    if (v < 0)
      continue;
    const double mean = (b[c] - a[c]) / h;

    /* Also false where something is not finite. */
    if (!(fabs (mean - (a[v] + b[v]) / 2) <= (fabs (a[v]) + fabs (b[v])) / 4))
      continue;
    row[c] = a[c] + h * s * (mean + (1 - s) * ((a[v] - mean) * (1 - s) - (b[v] - mean) * s));
  }
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

SsStatus
ss_trajectory_append (SsTrajectory *trajectory, const double *row, SsError *err)
{
  SS_ASSERT (trajectory != NULL && row != NULL);
  const size_t width = (size_t)trajectory->n_channels;

  if (make_room (trajectory, trajectory->n_rows + 1) != 0)
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
  SS_ASSERT (trajectory != NULL && trajectory->n_rows >= 0);
  if (trajectory->spool != NULL)
    ss_spool_release (trajectory->spool, trajectory->values,
                      (size_t)end * (size_t)trajectory->n_channels * sizeof (double));
}

void
ss_trajectory_remove (SsTrajectory *trajectory, int first, int end)
{
  SS_ASSERT (trajectory != NULL && first >= 0 && first <= end && end <= trajectory->n_rows);
  const size_t width = (size_t)trajectory->n_channels;

  memmove (trajectory->values + (size_t)first * width, trajectory->values + (size_t)end * width,
           (size_t)(trajectory->n_rows - end) * width * sizeof *trajectory->values);
  trajectory->n_rows -= end - first;
}

void
ss_contact_rows_remove (SsContactRows *rows, int first, int end)
{
  SS_ASSERT (rows != NULL);

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
