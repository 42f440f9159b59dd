/* app/job/ssapp-keep.c: see the header. */
#include "app/job/ssapp-keep.h"

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

SsTrajectory *
ssapp_keep_thin (const SsTrajectory *motion, int most)
{
  g_return_val_if_fail (motion != NULL && most > 0, NULL);

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
