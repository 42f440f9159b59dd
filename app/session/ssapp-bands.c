/* app/session/ssapp-bands.c: see the header. */
#include "app/session/ssapp-bands.h"

#include "app/draw/ssapp-band.h"
#include "app/session/ssapp-effects.h"
#include "app/session/ssapp-reproduce.h"

#include <string.h>

#define JOB "ssapp-bands-job" /* of a run, while it is under way */

gboolean
ssapp_bands_has (SsappRun *run, const char *number)
{
  g_auto (GStrv) numbers = ssapp_band_numbers (ssapp_run_get_slopes (run));

  return g_strv_contains ((const char *const *)numbers, number);
}

char **
ssapp_bands_numbers (SsappRun *run)
{
  char **numbers = ssapp_band_numbers (ssapp_run_get_slopes (run));

  if (numbers[0] != NULL || ssapp_effects_reason (run) != NULL)
    return numbers[0] != NULL ? numbers : (g_strfreev (numbers), NULL);
  g_strfreev (numbers);
  SsappEffects *effects = ssapp_effects_new (ssapp_run_get_scenario (run));
  numbers = g_strsplit (ssapp_effects_get_names (effects), ",", -1);
  ssapp_effects_free (effects);
  return numbers;
}

static void
on_ended (SsappJob *job, SsappRun *run)
{
  int n;
  const SsRunMotion *motions = ssapp_job_get_motions (job, &n);
  SsTrajectory *slopes = NULL;

  for (int i = 0; i < n; i++)
    if (motions[i].role == SS_MOTION_SLOPES && slopes == NULL &&
        ss_trajectory_copy (motions[i].trajectory, &slopes, NULL) != SS_OK)
      slopes = NULL;
  if (slopes != NULL)
    ssapp_run_take_slopes (run, slopes);
  g_object_set_data (G_OBJECT (run), JOB, NULL);
}

SsappJob *
ssapp_bands_ask (SsappStore *store, SsappRun *run, GError **error)
{
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  const char *reason = ssapp_effects_reason (run);
  SsappJob *job = g_object_get_data (G_OBJECT (run), JOB);

  if (job != NULL)
    return job;
  if (reason != NULL) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, reason);
    return NULL;
  }
  g_auto (GStrv) numbers = ssapp_bands_numbers (run);
  g_autofree char *names = g_strjoinv (",", numbers);
  job = ssapp_reproduce_new_job (store, ssapp_run_get_id (run), notes, error);
  if (job == NULL)
    return NULL;
  ssapp_job_set_sensitivity (job, names);
  g_object_set_data_full (G_OBJECT (run), JOB, job, g_object_unref);
  g_signal_connect_object (job, "ended", G_CALLBACK (on_ended), run, 0);
  if (!ssapp_job_start (job, error)) {
    g_object_set_data (G_OBJECT (run), JOB, NULL);
    return NULL;
  }
  return job;
}
