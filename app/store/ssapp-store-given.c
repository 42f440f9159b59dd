/* app/store/ssapp-store-given.c: motions that runs were given: the start of an optimiser, the plan of a replay; see
 * ssapp-store.h. Tests: tests/unit/test-reproduce.c */
#include "app/store/ssapp-store-private.h"

#include "app/base/ssapp-json.h"
#include "app/job/ssapp-asked.h"

#include <string.h>

static const SsappMotionKey given = {SSAPP_ROLE_GIVEN, 0, -1};

/* Whether the rows are the same, bit by bit. */
static gboolean
is_same (const SsTrajectory *a, const SsTrajectory *b)
{
  return a->n_rows == b->n_rows && a->n_channels == b->n_channels &&
         memcmp (a->values, b->values, (size_t)a->n_rows * (size_t)a->n_channels * sizeof (double)) == 0;
}

gboolean
ssapp_store_add_given (SsappStore *self, const char *id, const SsTrajectory *motion, const char *run, GError **error)
{
  SsTrajectory *answer = NULL;
  gboolean is_there;

  g_return_val_if_fail (SSAPP_IS_STORE (self), FALSE);
  if (run != NULL && run[0] != '\0')
    answer = ssapp_store_get_trajectory (self, run, NULL);
  is_there = answer != NULL && is_same (answer, motion);
  ss_trajectory_free (answer);
  return is_there || ssapp_store_add_motion (self, id, &given, 1, motion, error);
}

/* The run that the motion comes from, and its hash where the run told it; both g_free. */
static void
read_source (SsappStore *self, const char *id, char **run, char **hash)
{
  g_autofree char *text = ssapp_store_get_result_json (self, id, NULL);
  json_t *result = text != NULL ? json_loads (text, 0, NULL) : NULL;
  const json_t *motion = json_object_get (json_object_get (result, "asked"), "motion");
  static const char *const names[] = {"replay_of", "start_from"};

  *run = g_strdup (ssapp_json_get_string (motion, "run"));
  *hash = g_strdup (ssapp_json_get_string (motion, "sha256"));
  for (guint i = 0; i < G_N_ELEMENTS (names) && (*run == NULL || *run[0] == '\0'); i++) {
    g_free (*run);
    *run = g_strdup (ssapp_json_get_string (result, names[i]));
  }
  json_decref (result);
}

SsTrajectory *
ssapp_store_get_given (SsappStore *self, const char *id, gboolean *is_own, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self), NULL);
  g_autofree char *run = NULL, *hash = NULL, *found = NULL;
  GError *local = NULL;
  SsTrajectory *motion = ssapp_store_get_motion (self, id, &given, &local);

  *is_own = motion != NULL;
  if (motion == NULL && local == NULL) {
    read_source (self, id, &run, &hash);
    if (run != NULL && run[0] != '\0')
      motion = ssapp_store_get_trajectory (self, run, &local);
  }
  if (motion == NULL && local == NULL && run != NULL && run[0] != '\0')
    g_set_error (&local, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND,
                 "the motion that run %s was given is not in this project: it was that of run %s", id, run);
  if (motion != NULL && hash != NULL)
    found = ssapp_asked_motion_hash (motion);
  if (found != NULL && strcmp (found, hash) != 0) {
    g_set_error (&local, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND,
                 "the motion that run %s was given is not stored: that of run %s is another one", id, run);
    ss_trajectory_free (motion);
    motion = NULL;
  }
  if (local != NULL)
    g_propagate_error (error, local);
  return motion;
}
