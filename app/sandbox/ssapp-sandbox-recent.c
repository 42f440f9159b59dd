/* app/sandbox/ssapp-sandbox-recent.c: what a sandbox did in the last seconds, for plots beside it; see ssapp-sandbox.h.
 * Rows are kept packed already: a few channels of them are read, nothing is kept twice. */
#include "app/sandbox/ssapp-sandbox-private.h"

#include <math.h>

const SsTrajectory *
ssapp_sandbox_get_layout (SsappSandbox *self)
{
  g_return_val_if_fail (SSAPP_IS_SANDBOX (self), NULL);
  return self->layout;
}

/* Which channels these plots read: the clocks, the energies whose sum is a channel of plots, and those that they name.
 * In the order of the rows. */
static GArray *
find_channels (SsappSandbox *self, const SsappChannelPlots *plots)
{
  static const SsQuantity always[] = {SS_QUANTITY_TIME, SS_QUANTITY_NUMERICAL_TIME, SS_QUANTITY_IMPULSE_TIME,
                                      SS_QUANTITY_KINETIC_ENERGY, SS_QUANTITY_POTENTIAL_ENERGY};
  g_autofree gboolean *is_read = g_new0 (gboolean, self->n_channels);
  GArray *channels = g_array_new (FALSE, FALSE, sizeof (int));

  is_read[0] = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (always); i++)
    is_read[MAX (ss_trajectory_quantity (self->layout, always[i]), 0)] = TRUE;
  for (guint p = 0; p < plots->plots->len; p++) {
    const SsappChannelPlot *plot = g_ptr_array_index (plots->plots, p);
    for (guint i = 0; i < plot->names->len; i++)
      is_read[MAX (ss_trajectory_channel (self->layout, g_ptr_array_index (plot->names, i)), 0)] = TRUE;
  }
  for (int c = 0; c < self->n_channels; c++)
    if (is_read[c])
      g_array_append_val (channels, c);
  return channels;
}

/* The seconds that are in sight, and which rows are in them, with one before. With the mutex. */
static void
find_rows (SsappSandbox *self, double range[2], guint *first, guint *last)
{
  const double newest = ssapp_sandbox_row_at (self, self->rows->len - 1)->t,
               shown = ssapp_sandbox_row_at (self, self->shown)->t;
  const gboolean is_back = shown < newest - SSAPP_SANDBOX_RECENT;

  range[0] = fmax (is_back ? shown - SSAPP_SANDBOX_RECENT / 2 : newest - SSAPP_SANDBOX_RECENT, 0);
  range[1] = range[0] + SSAPP_SANDBOX_RECENT;
  *first = ssapp_sandbox_find_row (self, range[0]);
  *last = is_back ? ssapp_sandbox_find_row (self, range[1]) : self->rows->len - 1;
  if (*last - *first >= SSAPP_SANDBOX_RECENT_ROWS) {
    const guint half = SSAPP_SANDBOX_RECENT_ROWS / 2;
    *first = MAX (*first, MIN (*last - SSAPP_SANDBOX_RECENT_ROWS + 1, self->shown > half ? self->shown - half : 0));
    *last = *first + SSAPP_SANDBOX_RECENT_ROWS - 1;
  }
}

SsTrajectory *
ssapp_sandbox_dup_recent (SsappSandbox *self, const SsappChannelPlots *plots, double range[2])
{
  g_return_val_if_fail (SSAPP_IS_SANDBOX (self) && plots != NULL && range != NULL, NULL);
  g_autoptr (GArray) channels = find_channels (self, plots);
  const int *places = (const int *)(const void *)channels->data, n = (int)channels->len;
  g_autofree SsChannel *about = g_new (SsChannel, n);
  g_autofree double *row = g_new (double, n);
  SsTrajectory *rows = NULL;
  guint first, last;
  gboolean ok;

  for (int i = 0; i < n; i++)
    about[i] = self->layout->channels[places[i]];
  g_mutex_lock (&self->mutex);
  find_rows (self, range, &first, &last);
  ok = ss_trajectory_new (about, n, (int)(last - first) + 1, &rows, NULL) == SS_OK;
  for (guint i = first; ok && i <= last; i++) {
    ssapp_packed_row_pick (ssapp_sandbox_row_at (self, i), places, n, row);
    ok = ss_trajectory_append (rows, row, NULL) == SS_OK;
  }
  g_mutex_unlock (&self->mutex);
  if (!ok)
    ss_trajectory_free (g_steal_pointer (&rows));
  return rows;
}

static gboolean
has_any (SsappSandbox *self, const SsappChannelPlots *plots)
{
  for (guint p = 0; p < plots->plots->len; p++) {
    const SsappChannelPlot *plot = g_ptr_array_index (plots->plots, p);
    for (guint i = 0; i < plot->names->len; i++)
      if (ss_trajectory_channel (self->layout, g_ptr_array_index (plot->names, i)) >= 0)
        return TRUE;
  }
  return FALSE;
}

/* The usual plots are of what moves: of a scene that has not moved yet, of the bodies that can. */
void
ssapp_sandbox_suggest_plots (SsappSandbox *self, SsappChannelPlots *plots)
{
  g_return_if_fail (SSAPP_IS_SANDBOX (self) && plots != NULL);
  const SsScene *scene = self->scenario->scene;
  g_autofree double *row = g_new0 (double, self->n_channels);
  SsTrajectory *rows = NULL;

  if (has_any (self, plots))
    return;
  gboolean ok = ss_trajectory_new (self->layout->channels, self->n_channels, 2, &rows, NULL) == SS_OK &&
                ss_trajectory_append (rows, row, NULL) == SS_OK;
  for (int b = 0; b < scene->n_bodies; b++) {
    g_autofree char *name = g_strdup_printf ("%s.y", scene->bodies[b].name);
    const int channel = ss_body_is_immovable (&scene->bodies[b]) ? -1 : ss_trajectory_channel (self->layout, name);
    if (channel >= 0)
      row[channel] = 1;
  }
  ok = ok && ss_trajectory_append (rows, row, NULL) == SS_OK;
  if (ok)
    ssapp_channel_plots_suggest (plots, &(const SsappChannelRun){.label = "", .motion = rows}, 1);
  ss_trajectory_free (rows);
}
