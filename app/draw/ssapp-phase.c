/* app/draw/ssapp-phase.c: see the header. */
#include "app/draw/ssapp-phase.h"

#include "app/draw/ssapp-clock.h"
#include "app/draw/ssapp-run-plots.h"
#include "core/ss-channel-word.h"
#include "scene/ss-scenario.h"

#include <math.h>
#include <string.h>

void
ssapp_path_init (SsappPath *path, const SsTrajectory *trajectory, int x, int y, int n_least)
{
  g_return_if_fail (path != NULL);

  SsTrajectory *refined;

  *path = (SsappPath){0};
  if (trajectory == NULL || MIN (x, y) < 0 || MAX (x, y) >= trajectory->n_channels)
    return;
  refined = ssapp_refine_motion (trajectory, n_least);
  const SsTrajectory *rows = refined != NULL ? refined : trajectory;
  path->n = rows->n_rows;
  path->t = g_new (double, path->n + 1);
  path->x = g_new (double, path->n + 1);
  path->y = g_new (double, path->n + 1);
  for (int row = 0; row < path->n; row++) {
    const double *values = ss_trajectory_row (rows, row);
    path->t[row] = values[0];
    path->x[row] = values[x];
    path->y[row] = values[y];
  }
  ss_trajectory_free (refined);
}

void
ssapp_path_clear (SsappPath *path)
{
  g_return_if_fail (path != NULL);
  g_free (path->t);
  g_free (path->x);
  g_free (path->y);
  *path = (SsappPath){0};
}

/* How far the numbers of a channel are apart. */
static double
range_of (const SsTrajectory *trajectory, int channel)
{
  double least = INFINITY, largest = -INFINITY;

  for (int row = 0; row < trajectory->n_rows; row++) {
    const double value = ss_trajectory_row (trajectory, row)[channel];
    if (isfinite (value)) {
      least = MIN (least, value);
      largest = MAX (largest, value);
    }
  }
  return largest >= least ? largest - least : 0;
}

/* The channel with the speed of this gap; -1: none, or it is no gap. */
static int
gap_rate_of (const SsTrajectory *trajectory, int channel)
{
  const SsChannel *gap = &trajectory->channels[channel];

  for (int c = 0; gap->quantity == SS_QUANTITY_GAP && c < trajectory->n_channels; c++)
    if (trajectory->channels[c].quantity == SS_QUANTITY_GAP_RATE &&
        strcmp (gap->owner_name, trajectory->channels[c].owner_name) == 0)
      return c;
  return -1;
}

void
ssapp_phase_first_channels (const SsTrajectory *trajectory, int *x, int *y)
{
  g_return_if_fail (x != NULL && y != NULL);

  double furthest = 0;
  gboolean has_plane;

  *x = *y = 0;
  for (int c = 1; trajectory != NULL && c < trajectory->n_channels;
       c++) { /* the plane of paper 001, where it is told */
    const int rate = gap_rate_of (trajectory, c);
    const double range = rate >= 0 ? range_of (trajectory, c) : 0;

    if (range > furthest) {
      furthest = range;
      *x = c;
      *y = rate;
    }
  }
  has_plane = furthest > 0;
  for (int c = 1; !has_plane && trajectory != NULL && c < trajectory->n_channels; c++) {
    const int velocity = ssapp_velocity_channel (trajectory, c);
    const double range = velocity >= 0 ? range_of (trajectory, c) : 0;

    if (range > furthest) {
      furthest = range;
      *x = c;
      *y = velocity;
    }
  }
  for (int c = 1; trajectory != NULL && furthest == 0 && c < trajectory->n_channels && *y == 0; c++)
    if (range_of (trajectory, c) > 0)
      *(*x == 0 ? x : y) = c;
}

int
ssapp_phase_find_channel (const SsTrajectory *trajectory, const char *name)
{
  g_return_val_if_fail (trajectory != NULL, 0);
  const int channel = ss_trajectory_meant (trajectory, name, strlen (name));
  char label[SS_CHANNEL_NAME_MAX + 32];

  for (int c = 0; channel < 0 && c < trajectory->n_channels; c++) {
    ss_channel_label (&trajectory->channels[c], label, sizeof label);
    if (strcmp (label, name) == 0)
      return c;
  }
  return channel;
}

char *
ssapp_phase_label (const SsTrajectory *trajectory, int channel)
{
  g_return_val_if_fail (trajectory != NULL, NULL);
  char label[SS_CHANNEL_NAME_MAX + 32];

  if (channel == 0)
    return g_strdup (ssapp_clock_axis (trajectory));
  ss_channel_label (&trajectory->channels[channel], label, sizeof label);
  return g_strdup (label);
}
