/* app/session/ssapp-asked-runs.c: see the header. */
#include "app/session/ssapp-asked-runs.h"

#include "app/base/ssapp-metric.h"
#include "app/session/ssapp-run-filter.h"

#include <math.h>

typedef struct {
  gboolean *are_known; /* of each: it fits a run */
  GError **errors;     /* of each: the first one; owned */
} Asked;

/* What a run says of each. FALSE with an error where the project cannot be read. */
static gboolean
ask_run (const SsappInterests *self, SsappRunRow *row, SsappStore *store, Asked *asked, GError **error)
{
  g_autoptr (GError) local = NULL;
  SsTrajectory *motion = ssapp_store_get_trajectory (store, row->id, &local);
  json_t *events = motion != NULL ? ssapp_store_get_events (store, row->id, 0, &local) : NULL;
  json_t *result = json_pack ("{s:o}", "events", events != NULL ? events : json_array ());

  for (guint i = 0; local == NULL && motion != NULL && motion->n_rows > 0 && i < ssapp_interests_get_n (self); i++) {
    const char *unit;
    double value;
    if (ssapp_interests_value (self, i, motion, result, &value, &unit,
                               asked->errors[i] == NULL ? &asked->errors[i] : NULL)) {
      ssapp_run_row_set_outcome (row, ssapp_metric_of_outcome (ssapp_interests_get_name (self, i), unit), value);
      asked->are_known[i] = TRUE;
    }
  }
  json_decref (result);
  ss_trajectory_free (motion);
  if (local != NULL)
    g_propagate_error (error, g_steal_pointer (&local));
  return local == NULL;
}

static gboolean
check_names (const SsappInterests *self, GError **error)
{
  SsMetric metric;

  for (guint i = 0; i < ssapp_interests_get_n (self); i++)
    if (ssapp_run_column_kind_of (ssapp_interests_get_name (self, i), &metric) != SSAPP_RUN_COLUMN_FIELD) {
      g_set_error (error, SSAPP_RUN_FILTER_ERROR, SSAPP_RUN_FILTER_ERROR_SYNTAX,
                   "“%s” is a column already: choose another name", ssapp_interests_get_name (self, i));
      return FALSE;
    }
  return TRUE;
}

gboolean
ssapp_interests_ask_runs (const SsappInterests *self, GPtrArray *rows, SsappStore *store, GError **error)
{
  const guint n = ssapp_interests_get_n (self);
  g_autofree gboolean *are_known = g_new0 (gboolean, n + 1);
  g_autofree GError **errors = g_new0 (GError *, n + 1);
  Asked asked = {are_known, errors};
  gboolean ok = check_names (self, error);

  for (guint i = 0; ok && n > 0 && i < rows->len; i++)
    ok = ask_run (self, g_ptr_array_index (rows, i), store, &asked, error);
  for (guint i = 0; i < n; i++) {
    if (ok && !are_known[i] && errors[i] != NULL) {
      g_propagate_error (error, g_steal_pointer (&errors[i]));
      ok = FALSE;
    }
    g_clear_error (&errors[i]);
  }
  return ok;
}
