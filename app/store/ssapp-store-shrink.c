/* app/store/ssapp-store-shrink.c: see the header. */
#include "app/store/ssapp-store-shrink.h"

#include "app/job/ssapp-asked.h"
#include "app/store/ssapp-store-compact.h"
#include "app/store/ssapp-store-private.h"
#include "app/store/ssapp-store-study.h"
#include "app/store/ssapp-store-sum.h"

#include <string.h>

static gboolean
refuse_running (SsappStore *self, const char *id, GError **error)
{
  SsappRunRow *row = ssapp_store_get_run (self, id, error);
  const gboolean is_running = row != NULL && strcmp (row->outcome, "running") == 0;

  if (is_running)
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED,
                 "run %s goes on: it can be shrunk when it has ended", id);
  const gboolean ok = row != NULL && !is_running;
  ssapp_run_row_free (row);
  return ok;
}

/* Before the others go. */
static gboolean
add_thinned (SsappStore *self, const char *id, GError **error)
{
  GError *local = NULL;
  SsTrajectory *motion = ssapp_store_get_trajectory (self, id, &local);
  SsTrajectory *thin = motion != NULL ? ssapp_keep_thin (motion, SSAPP_KEEP_ROWS) : NULL;
  gboolean ok = local == NULL;

  if (motion != NULL && thin == NULL) {
    g_set_error (&local, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED, "out of memory");
    ok = FALSE;
  }
  if (thin != NULL)
    ok = ssapp_store_add_motion (self, id, &(SsappMotionKey){SSAPP_ROLE_THINNED, 0, -1}, 1, thin, &local) &&
         ssapp_store_flush (self, &local);
  ss_trajectory_free (thin);
  ss_trajectory_free (motion);
  if (local != NULL)
    g_propagate_error (error, local);
  return ok;
}

/* Runs a statement with the run's id; `keeps_thinned` is ?2. */
static gboolean
remove_rows (SsappStore *self, const char *sql, const char *id, gboolean keeps_thinned, GError **error)
{
  sqlite3_stmt *s = ssapp_store_prepare_for (self, sql, id, error);

  if (s == NULL)
    return FALSE;
  sqlite3_bind_int (s, 2, keeps_thinned);
  return ssapp_store_finish_statement (self, s, "remove motions", error);
}

gboolean
ssapp_store_shrink_run (SsappStore *self, const char *id, SsappKeep keep, GError **error)
{
  static const char what[] = "remove motions";
  const gboolean is_thinned = keep == SSAPP_KEEP_THINNED;

  g_return_val_if_fail (SSAPP_IS_STORE (self) && id != NULL, FALSE);
  if (keep == SSAPP_KEEP_ALL)
    return TRUE;
  if (!ssapp_store_check_writable (self, error) || !refuse_running (self, id, error) ||
      (is_thinned && !add_thinned (self, id, error)) || !ssapp_store_begin (self, what, error))
    return FALSE;
  const SsappSumState before = ssapp_store_sum_state (self, "main", "run", id, "motions");
  const gboolean ok =
      remove_rows (self,
                   "DELETE FROM checksum WHERE of = 'run' AND number = (SELECT number FROM run WHERE id = ?1) AND part "
                   "LIKE 'motion %' AND part NOT LIKE 'motion " SSAPP_ROLE_GIVEN
                   " %' AND NOT (?2 AND part LIKE 'motion " SSAPP_ROLE_THINNED " %')",
                   id, is_thinned, error) &&
      remove_rows (self,
                   "DELETE FROM motion WHERE run_id = ?1 AND role <> '" SSAPP_ROLE_GIVEN
                   "' AND NOT (?2 AND role = '" SSAPP_ROLE_THINNED "')",
                   id, is_thinned, error) &&
      ssapp_store_seal_again (self, before, "run", id, "motions", error);
  if (!ssapp_store_end_transaction (self, ok, what, ok ? error : NULL))
    return FALSE;
  self->has_written = TRUE;
  ssapp_store_tell_changed (self);
  return ssapp_store_check_place (self, error);
}

gboolean
ssapp_store_shrink_runs (SsappStore *self, const char *const *ids, SsappKeep keep, GError **error)
{
  g_return_val_if_fail (ids != NULL, FALSE);
  for (guint i = 0; ids[i] != NULL; i++)
    if (!ssapp_store_shrink_run (self, ids[i], keep, error))
      return FALSE;
  return ssapp_store_compact (self, error);
}

SsTrajectory *
ssapp_store_get_shown (SsappStore *self, const char *id, gboolean *is_thinned, GError **error)
{
  GError *local = NULL;
  SsTrajectory *motion = ssapp_store_get_trajectory (self, id, &local);

  if (is_thinned != NULL)
    *is_thinned = motion == NULL;
  if (motion == NULL && local == NULL)
    motion = ssapp_store_get_motion (self, id, &(SsappMotionKey){SSAPP_ROLE_THINNED, 0, -1}, &local);
  if (is_thinned != NULL && motion == NULL)
    *is_thinned = FALSE;
  if (local != NULL)
    g_propagate_error (error, local);
  return motion;
}

static const char KEEP_KEY[] = "ssapp-store-keep";

void
ssapp_store_keep (SsappJob *job, SsappKeep keep)
{
  g_object_set_data (G_OBJECT (job), KEEP_KEY, GINT_TO_POINTER ((int)keep));
}

SsappKeep
ssapp_store_get_keep (SsappJob *job)
{
  return (SsappKeep)GPOINTER_TO_INT (g_object_get_data (G_OBJECT (job), KEEP_KEY));
}

gboolean
ssapp_store_add_outcomes (SsappStore *self, const char *id, const json_t *outcomes, GError **error)
{
  static const char what[] = "store outcomes";
  static const char *const parts[] = {"metrics", "result"};
  SsappSumState before[G_N_ELEMENTS (parts)];

  g_return_val_if_fail (SSAPP_IS_STORE (self) && id != NULL, FALSE);
  if (!ssapp_store_begin (self, what, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    before[i] = ssapp_store_sum_state (self, "main", "run", id, parts[i]);
  gboolean ok = ssapp_store_write_outcomes (self, id, outcomes, error);
  for (guint i = 0; ok && i < G_N_ELEMENTS (parts); i++)
    ok = ssapp_store_seal_again (self, before[i], "run", id, parts[i], error);
  if (!ssapp_store_end_transaction (self, ok, what, ok ? error : NULL))
    return FALSE;
  self->has_written = TRUE;
  return ssapp_store_check_place (self, error);
}

int
ssapp_store_forget_study_runs (SsappStore *self, const char *study_id, const char *const *outcomes, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self) && study_id != NULL, -1);
  GHashTableIter iter;
  gpointer key, outcome;
  SsOutcome known;
  int n = 0;

  for (guint i = 0; outcomes != NULL && outcomes[i] != NULL; i++)
    if (!ss_outcome_from_name (outcomes[i], &known)) {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "'%s' is no outcome", outcomes[i]);
      return -1;
    }
  g_autoptr (GHashTable) told = ssapp_store_list_study_outcomes (self, study_id, error);
  g_autoptr (GHashTable) runs = told != NULL ? ssapp_store_list_study_runs (self, study_id, error) : NULL;
  if (runs == NULL)
    return -1;
  g_hash_table_iter_init (&iter, told);
  while (g_hash_table_iter_next (&iter, &key, &outcome)) {
    const gboolean is_wanted = outcomes != NULL
                                   ? g_strv_contains (outcomes, outcome)
                                   : ss_outcome_from_name (outcome, &known) && !ss_outcome_is_success (known);
    const char *run = is_wanted ? g_hash_table_lookup (runs, key) : NULL;
    if (run != NULL && !ssapp_store_delete_run (self, run, error))
      return -1;
    n += run != NULL;
  }
  return n;
}
