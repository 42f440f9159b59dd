/* app/job/ssapp-keep.c: see the header. */
#include "app/job/ssapp-keep.h"

#include "core/ss-stage-rows.h"

#include <string.h>

static const char *const names[SSAPP_KEEP_COUNT] = {"all", "thinned", "metrics"};

const char *
ssapp_keep_name (SsappKeep keep)
{
  g_return_val_if_fail (keep < SSAPP_KEEP_COUNT, "");
  return names[keep];
}

gboolean
ssapp_keep_from_name (const char *name, SsappKeep *keep)
{
  g_return_val_if_fail (name != NULL && keep != NULL, FALSE);
  for (int i = 0; i < SSAPP_KEEP_COUNT; i++)
    if (strcmp (names[i], name) == 0) {
      *keep = (SsappKeep)i;
      return TRUE;
    }
  return FALSE;
}

static SsTrajectory *
thin_rows (const SsTrajectory *motion, int most)
{
  const int stride = MAX ((motion->n_rows + most - 1) / MAX (most, 1), 1);
  SsTrajectory *thin = NULL;
  SsStatus status =
      ss_trajectory_new (motion->channels, motion->n_channels, MIN (motion->n_rows, most) + 1, &thin, NULL);

  for (int first = 0, k = 0; first < motion->n_rows && status == SS_OK; k++) {
    const int last = ss_trajectory_last_at (motion, first);
    if (k % stride == 0 || last == motion->n_rows - 1) {
      status = ss_trajectory_append (thin, ss_trajectory_row (motion, first), NULL);
      if (last > first && status == SS_OK)
        status = ss_trajectory_append (thin, ss_trajectory_row (motion, last), NULL);
    }
    first = last + 1;
  }
  if (status != SS_OK)
    g_clear_pointer (&thin, ss_trajectory_free);
  return thin;
}

/* As if no stages had been kept: channels that count rows are wrong where some are missing. */
static SsTrajectory *
without_stages (const SsTrajectory *motion)
{
  g_autofree SsChannel *channels = g_new (SsChannel, motion->n_channels);
  g_autofree int *from = g_new (int, motion->n_channels);
  g_autofree double *values = g_new (double, motion->n_channels);
  const int stage = ss_stage_rows_channel (motion);
  SsTrajectory *steps = NULL;
  int n = 0;

  for (int c = 0; c < motion->n_channels; c++) {
    const SsQuantity quantity = motion->channels[c].quantity;
    if (quantity == SS_QUANTITY_STEP_NUMBER || quantity == SS_QUANTITY_STAGE || quantity == SS_QUANTITY_N_STAGES)
      continue;
    channels[n] = motion->channels[c];
    from[n++] = c;
  }
  SsStatus status = ss_trajectory_new (channels, n, motion->n_rows, &steps, NULL);
  for (int row = 0; row < motion->n_rows && status == SS_OK; row++) {
    for (int c = 0; c < n; c++)
      values[c] = ss_trajectory_row (motion, row)[from[c]];
    if (!ss_stage_rows_is_one (motion, stage, row))
      status = ss_trajectory_append (steps, values, NULL);
  }
  if (status != SS_OK)
    g_clear_pointer (&steps, ss_trajectory_free);
  return steps;
}

SsTrajectory *
ssapp_keep_thin (const SsTrajectory *motion, int most)
{
  g_return_val_if_fail (motion != NULL && most > 0, NULL);
  if (!ss_stage_rows_has (motion))
    return thin_rows (motion, most);
  SsTrajectory *steps = without_stages (motion), *thin = steps != NULL ? thin_rows (steps, most) : NULL;

  ss_trajectory_free (steps);
  return thin;
}
