/* app/draw/ssapp-frozen.c: see the header. */
#include "app/draw/ssapp-frozen.h"

#include <math.h>
#include <string.h>

/* ---- spans ------------------------------------------------------------------------------------------------------- */

void
ssapp_frozen_spans_add (GArray *spans, const SsTrajectory *trajectory)
{
  g_return_if_fail (spans != NULL);

  const int time = trajectory != NULL ? ss_trajectory_quantity (trajectory, SS_QUANTITY_TIME) : 0;
  gboolean is_open = FALSE;

  for (int row = 1; time > 0 && row < trajectory->n_rows; row++) {
    const double *before = ss_trajectory_row (trajectory, row - 1), *now = ss_trajectory_row (trajectory, row);
    if (now[time] != before[time]) {
      is_open = FALSE;
    } else if (now[0] > before[0]) {
      if (!is_open)
        g_array_append_val (spans, ((SsappPlotSpan){before[0], before[0]}));
      g_array_index (spans, SsappPlotSpan, spans->len - 1).end = now[0];
      is_open = TRUE;
    }
  }
}

GArray *
ssapp_frozen_spans (const SsTrajectory *trajectory)
{
  GArray *spans = g_array_new (FALSE, FALSE, sizeof (SsappPlotSpan));

  ssapp_frozen_spans_add (spans, trajectory);
  return spans;
}

gboolean
ssapp_frozen_is_at (const SsTrajectory *trajectory, double reading)
{
  const int time = trajectory != NULL ? ss_trajectory_quantity (trajectory, SS_QUANTITY_TIME) : 0;

  if (time <= 0 || trajectory->n_rows < 2)
    return FALSE;
  const int row = ss_trajectory_row_up_to (trajectory, 0, reading);
  const double *before = ss_trajectory_row (trajectory, row);
  return row + 1 < trajectory->n_rows && reading >= before[0] &&
         ss_trajectory_row (trajectory, row + 1)[time] == before[time];
}

/* ---- plane ------------------------------------------------------------------------------------------------------- */

static const SsContact *
contact_of (const SsScene *scene, const SsChannel *channel)
{
  const int contact = ss_scene_find (scene, SS_OWNER_CONTACT, channel->owner_name);

  return contact >= 0 ? &scene->contacts[contact] : NULL;
}

static double
largest_of (const SsTrajectory *trajectory, int channel)
{
  double largest = 0;

  for (int row = 0; row < trajectory->n_rows; row++) {
    const double value = fabs (ss_trajectory_row (trajectory, row)[channel]);
    if (isfinite (value))
      largest = fmax (largest, value);
  }
  return largest;
}

static SsappPlotRegion
mirrored (SsappPlotRegion region)
{
  return (SsappPlotRegion){region.y_min, region.y_max, region.x_min,    region.x_max,
                           region.label, region.tone,  region.anchor_y, region.anchor_x};
}

void
ssapp_frozen_plane (SsappFrozenPlane *plane, const SsScene *scene, const SsTrajectory *trajectory, int x, int y)
{
  g_return_if_fail (plane != NULL);
  static const double room = 0.3; /* for the regions that a motion does not enter, of what it covers */
  const gboolean is_swapped =
      trajectory != NULL && MIN (x, y) >= 0 && trajectory->channels[x].quantity == SS_QUANTITY_GAP_RATE;
  const int gap = is_swapped ? y : x, rate = is_swapped ? x : y;

  *plane = (SsappFrozenPlane){0};
  if (trajectory == NULL || MIN (x, y) < 0 || trajectory->channels[gap].quantity != SS_QUANTITY_GAP ||
      trajectory->channels[rate].quantity != SS_QUANTITY_GAP_RATE ||
      strcmp (trajectory->channels[gap].owner_name, trajectory->channels[rate].owner_name) != 0)
    return;
  const SsContact *contact = contact_of (scene, &trajectory->channels[gap]);
  const gboolean is_elastic = contact != NULL && contact->restitution > 0,
                 has_friction = contact == NULL || contact->mu > 0;
  const double gap_room = room * largest_of (trajectory, gap), rate_room = room * largest_of (trajectory, rate);

  plane->regions[plane->n++] = (SsappPlotRegion){
      0, INFINITY, -INFINITY, INFINITY, "R1: free, time runs", SSAPP_PLOT_TONE_RUNS, .anchor_x = 1, .anchor_y = 1};
  if (!is_elastic)
    plane->regions[plane->n++] =
        (SsappPlotRegion){-INFINITY, 0, 0, INFINITY, NULL, SSAPP_PLOT_TONE_RUNS, .anchor_x = 0, .anchor_y = 0};
  plane->regions[plane->n++] = (SsappPlotRegion){-INFINITY,
                                                 0,
                                                 -INFINITY,
                                                 is_elastic ? INFINITY : 0,
                                                 is_elastic     ? "R2: spring,\ntime stands"
                                                 : has_friction ? "R2, R3:\ntime stands"
                                                                : "R2:\ntime stands",
                                                 SSAPP_PLOT_TONE_STANDS,
                                                 .anchor_x = 0.5,
                                                 .anchor_y = 0.5};
  plane->x_also[0] = -gap_room;
  plane->x_also[1] = gap_room;
  plane->y_also[0] = -rate_room;
  plane->y_also[1] = rate_room;
  if (!is_swapped)
    return;
  for (int i = 0; i < plane->n; i++)
    plane->regions[i] = mirrored (plane->regions[i]);
  for (int i = 0; i < 2; i++) {
    plane->x_also[i] = (i == 0 ? -1 : 1) * rate_room;
    plane->y_also[i] = (i == 0 ? -1 : 1) * gap_room;
  }
}

/* ---- mode -------------------------------------------------------------------------------------------------------- */

static int
find_alpha (const SsTrajectory *trajectory, const char *contact, char letter)
{
  g_autofree char *name = g_strdup_printf ("alpha.%s.%c", contact, letter);

  return ss_trajectory_channel (trajectory, name);
}

static const char *
mode_name (const SsContact *contact, double speed, double beta, double alpha_t)
{
  if (beta <= 0)
    return speed > 0 ? "Free" : "Free, time stands for another contact";
  if (speed <= 0)
    return contact != NULL && contact->restitution > 0 ? "Spring" : "Jump";
  if (contact == NULL || !(contact->mu > 0))
    return "Contact";
  return alpha_t >= 1 ? "Slip +" : alpha_t <= 0 ? "Slip −" : "Stick";
}

char *
ssapp_frozen_describe (const SsScene *scene, const SsTrajectory *trajectory, int channel, double reading,
                       gboolean is_before)
{
  const char *owner = trajectory != NULL && channel >= 0 ? trajectory->channels[channel].owner_name : "";
  const int n = trajectory != NULL ? find_alpha (trajectory, owner, 'n') : -1;
  const int v = n >= 0 ? find_alpha (trajectory, owner, 'v') : -1,
            t = n >= 0 ? find_alpha (trajectory, owner, 't') : -1;
  const int speed = n >= 0 ? ss_trajectory_channel (trajectory, "speed") : -1;

  if (MIN (MIN (v, t), speed) < 0 || trajectory->n_rows < 1)
    return NULL;
  g_autofree double *row = g_new (double, trajectory->n_channels);
  (is_before ? ss_trajectory_sample_before : ss_trajectory_sample) (trajectory, reading, row);
  const SsContact *contact = contact_of (scene, &trajectory->channels[channel]);
  const double beta = (1 - row[n]) * (1 - row[v]);
  const char *mode = mode_name (contact, row[speed], beta, row[t]);
  /* theta of R1 of this contact alone, R2, R3 */
  return g_strdup_printf ("%s: dt/dτ %.3g, θ %.3g %.3g %.3g, α %.3g %.3g %.3g", mode, row[speed], 1 - beta,
                          beta * row[t], beta * (1 - row[t]), row[n], row[v], row[t]);
}
