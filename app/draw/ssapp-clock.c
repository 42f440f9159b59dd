/* app/draw/ssapp-clock.c: see the header. */
#include "app/draw/ssapp-clock.h"

#include <math.h>

static SsQuantity
clock_of (const SsTrajectory *trajectory)
{
  const SsQuantity first = trajectory != NULL ? trajectory->channels[0].quantity : SS_QUANTITY_TIME;

  return ss_quantity_is_second_clock (first) ? first : SS_QUANTITY_TIME;
}

const char *
ssapp_clock_name (SsQuantity clock)
{
  switch (clock) {
  case SS_QUANTITY_NUMERICAL_TIME:
    return "Numerical Time";
  case SS_QUANTITY_IMPULSE_TIME:
    return "Impulse Time";
  default:
    return "Time";
  }
}

const char *
ssapp_clock_axis (const SsTrajectory *trajectory)
{
  switch (clock_of (trajectory)) {
  case SS_QUANTITY_NUMERICAL_TIME:
    return "Numerical time τ [s]";
  case SS_QUANTITY_IMPULSE_TIME:
    return "Impulse time s [s]";
  default:
    return "Time [s]";
  }
}

const char *
ssapp_clock_letter (const SsTrajectory *trajectory)
{
  const SsQuantity clock = clock_of (trajectory);

  return clock == SS_QUANTITY_TIME ? "t" : ss_quantity_name (clock);
}

SsTrajectory *
ssapp_told_by_second_clock (const SsTrajectory *motion)
{
  const int clock = motion != NULL && motion->n_rows > 0 ? ss_trajectory_second_clock (motion) : -1;
  SsTrajectory *told = NULL;

  if (clock < 0 || ss_trajectory_by_clock (motion, clock, &told, NULL) != SS_OK)
    return NULL;
  return told;
}

double
ssapp_second_clock_at (const SsTrajectory *motion, double t)
{
  const int clock = motion->n_rows > 0 ? ss_trajectory_second_clock (motion) : -1;
  int row = 0;

  if (clock < 0)
    return NAN;
  while (row + 1 < motion->n_rows && ss_trajectory_row (motion, row)[0] < t)
    row++;
  return ss_trajectory_row (motion, row)[0] == t ? ss_trajectory_row (motion, row)[clock]
                                                 : ss_trajectory_convert (motion, 0, clock, t);
}

static gint
compare_times (gconstpointer a, gconstpointer b)
{
  const double x = ((const SsappRunEvent *)a)->t, y = ((const SsappRunEvent *)b)->t;

  return (x > y) - (x < y);
}

GArray *
ssapp_events_by_second_clock (GArray *events, const SsTrajectory *motion)
{
  GArray *told = ssapp_run_events_from_json (NULL);
  const int clock = motion != NULL && motion->n_rows > 0 ? ss_trajectory_second_clock (motion) : -1;

  for (guint i = 0; i < events->len; i++) {
    SsappRunEvent event = g_array_index (events, SsappRunEvent, i);
    event.subject = g_strdup (event.subject);
    event.limit = g_strdup (event.limit);
    if (isfinite (event.tau))
      event.t = event.tau;
    else if (clock >= 0)
      event.t = ss_trajectory_convert (motion, 0, clock, event.t);
    g_array_append_val (told, event);
  }
  g_array_sort (told, compare_times);
  return told;
}
