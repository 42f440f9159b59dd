/* app/session/ssapp-asked-runs.c: see the header. */
#include "app/session/ssapp-asked-runs.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-metric.h"
#include "app/session/ssapp-run-filter.h"
#include "app/store/ssapp-store-shrink.h"
#include "app/store/ssapp-store-study.h"

#include <math.h>
#include <string.h>

typedef struct {
  gboolean *are_known; /* of each: it fits a run */
  GError **errors;     /* of each: the first one; owned */
  GPtrArray *mute;     /* of SsappRunRow, borrowed: they would answer if a whole motion of theirs were kept */
} Asked;

int
ssapp_interests_every_of (SsappStore *store, const char *id)
{
  g_return_val_if_fail (SSAPP_IS_STORE (store) && id != NULL, 1);

  g_autofree char *text = ssapp_store_get_result_json (store, id, NULL);
  json_t *result = text != NULL && strstr (text, "\"every\"") != NULL ? json_loads (text, 0, NULL) : NULL;
  const int every = ssapp_interests_every (result);
  json_decref (result);
  return every;
}

/* What formulas are asked of: the run's motion (NULL: it keeps none), its events and between how many steps it keeps
 * rows, as a result has them. NULL with an error where the project cannot be read; there is no motion then. */
static json_t *
read_asked (SsappStore *store, const char *id, SsTrajectory **motion, GError **error)
{
  GError *local = NULL;

  *motion = ssapp_store_get_trajectory (store, id, &local);
  json_t *events = *motion != NULL ? ssapp_store_get_events (store, id, 0, &local) : NULL;
  if (local == NULL)
    return json_pack ("{s:o, s:i}", "events", events != NULL ? events : json_array (), "every",
                      ssapp_interests_every_of (store, id));
  json_decref (events);
  g_clear_pointer (motion, ss_trajectory_free);
  g_propagate_error (error, local);
  return NULL;
}

SsScenario *
ssapp_interests_read_scenario (SsappStore *store, const char *id)
{
  g_return_val_if_fail (SSAPP_IS_STORE (store) && id != NULL, NULL);
  g_autofree char *text = ssapp_store_get_scenario_text (store, id, NULL);
  SsScenario *scenario = NULL;
  SsProblems problems;

  ss_problems_init (&problems);
  if (text != NULL && ss_scenario_read (text, strlen (text), "", NULL, 0, &problems, &scenario) != SS_OK)
    scenario = NULL;
  ss_problems_clear (&problems);
  return scenario;
}

static SsappRunOutcome *
find_outcome (const SsappRunRow *row, const char *name)
{
  for (guint i = 0; i < row->n_outcomes; i++)
    if (strcmp (ssapp_metric_spec (row->outcomes[i].metric)->name, name) == 0)
      return &row->outcomes[i];
  return NULL;
}

/* Whether the motion (NULL: there is none) tells that outcome. */
static gboolean
is_told_by (const SsappInterests *self, guint index, const SsTrajectory *motion, const json_t *result)
{
  return motion != NULL && motion->n_rows > 0 && ssapp_interests_is_told (self, index, ssapp_interests_every (result));
}

/* A run answers what its motion does not tell as it was asked when it ran, and no other formula of that name; what rows
 * of every N-th step do not tell, older programs answered all the same. FALSE: not all. */
static gboolean
forget_others (const SsappInterests *self, SsappRunRow *row, const SsTrajectory *motion, const json_t *result,
               SsappStore *store)
{
  json_t *answers = NULL;
  gboolean answers_all = TRUE;

  for (guint i = 0; i < ssapp_interests_get_n (self); i++) {
    const char *name = ssapp_interests_get_name (self, i);
    SsappRunOutcome *stored = find_outcome (row, name);
    if (is_told_by (self, i, motion, result))
      continue;
    if (stored != NULL && answers == NULL)
      answers = ssapp_interests_answers_of (store, row->id);
    const gboolean is_told = stored != NULL && ssapp_interests_is_answered (self, i, json_object_get (answers, name),
                                                                            ssapp_interests_every (result));
    if (stored != NULL && !is_told)
      stored->value = NAN;
    answers_all = answers_all && is_told;
  }
  json_decref (answers);
  return answers_all;
}

/* What a run says of each. FALSE with an error where the project cannot be read. */
static gboolean
ask_run (const SsappInterests *self, SsappRunRow *row, SsappStore *store, Asked *asked, GError **error)
{
  SsTrajectory *motion;
  json_t *result = read_asked (store, row->id, &motion, error);

  if (result == NULL)
    return FALSE;
  for (guint i = 0; i < ssapp_interests_get_n (self); i++) {
    const char *unit;
    double value;
    if (is_told_by (self, i, motion, result) &&
        ssapp_interests_value (self, i, motion, result, &value, &unit,
                               asked->errors[i] == NULL ? &asked->errors[i] : NULL)) {
      ssapp_run_row_set_metric (row, ssapp_metric_of_outcome (ssapp_interests_get_name (self, i), unit), value);
      asked->are_known[i] = TRUE;
    }
  }
  if (!forget_others (self, row, motion, result, store))
    g_ptr_array_add (asked->mute, row);
  json_decref (result);
  ss_trajectory_free (motion);
  return TRUE;
}

/* Whether a formula fits motions of these runs, none of which is there: by their scenarios, as before a run. Of many
 * scenarios, such as those of a study over starts, some are looked at. The first run has the outcome then, without a
 * value, for its unit. */
static gboolean
check_unasked (const SsappInterests *self, guint index, GPtrArray *rows, SsappStore *store, GError **error)
{
  enum { SCENARIOS_MAX = 100 };
  const char *name = ssapp_interests_get_name (self, index);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GError) first = NULL;

  for (guint i = 0; i < rows->len && g_hash_table_size (seen) < SCENARIOS_MAX; i++) {
    SsappRunRow *row = g_ptr_array_index (rows, i);
    if (find_outcome (row, name) != NULL)
      return TRUE;
    if (row->scenario_sha256 == NULL || !g_hash_table_add (seen, row->scenario_sha256))
      continue;
    SsScenario *scenario = ssapp_interests_read_scenario (store, row->id);
    g_autofree char *unit =
        scenario != NULL ? ssapp_interests_dup_unit (self, index, scenario, first == NULL ? &first : NULL) : NULL;
    ss_scenario_free (scenario);
    if (unit == NULL)
      continue;
    ssapp_run_row_set_metric (row, ssapp_metric_of_outcome (name, unit), NAN);
    return TRUE;
  }
  if (first == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&first));
  return FALSE;
}

static char *
write_lack (const GPtrArray *mute, guint n_runs)
{
  enum { NAMED_MAX = 3, ID_LENGTH = 8 };
  GString *text = g_string_new (NULL);

  g_string_printf (text, "%u of %u runs keep no whole motion, which a new outcome is answered from:", mute->len,
                   n_runs);
  for (guint i = 0; i < MIN (mute->len, NAMED_MAX); i++)
    g_string_append_printf (text, " %.*s%s", ID_LENGTH, ((const SsappRunRow *)g_ptr_array_index (mute, i))->id,
                            i + 1 < mute->len ? "," : "");
  g_string_append (text, mute->len > NAMED_MAX ? " ..." : "");
  g_string_append (text, "; `reproduce RUN --keep` makes it again (one with `--every N`: run it again without)");
  return g_string_free (text, FALSE);
}

gboolean
ssapp_interests_ask_runs (const SsappInterests *self, GPtrArray *rows, SsappStore *store, char **lack, GError **error)
{
  g_return_val_if_fail (self != NULL && rows != NULL, FALSE);

  const guint n = ssapp_interests_get_n (self);
  g_autofree gboolean *are_known = g_new0 (gboolean, n + 1);
  g_autofree GError **errors = g_new0 (GError *, n + 1);
  g_autoptr (GPtrArray) mute = g_ptr_array_new ();
  Asked asked = {are_known, errors, mute};
  gboolean ok = TRUE;

  for (guint i = 0; ok && n > 0 && i < rows->len; i++)
    ok = ask_run (self, g_ptr_array_index (rows, i), store, &asked, error);
  for (guint i = 0; i < n; i++) {
    if (ok && !are_known[i] && errors[i] != NULL) {
      g_propagate_error (error, g_steal_pointer (&errors[i]));
      ok = FALSE;
    }
    ok = ok && (are_known[i] || check_unasked (self, i, rows, store, error));
    g_clear_error (&errors[i]);
  }
  if (lack != NULL)
    *lack = ok && mute->len > 0 ? write_lack (mute, rows->len) : NULL;
  return ok;
}

/* ---- runs of a study --------------------------------------------------------------------------------------------- */

json_t *
ssapp_interests_answers_of (SsappStore *store, const char *id)
{
  g_autofree char *text = ssapp_store_get_result_json (store, id, NULL);
  json_t *result = text != NULL ? json_loads (text, 0, NULL) : NULL;
  json_t *answers = json_incref (json_object_get (result, "outcomes"));

  json_decref (result);
  return answers;
}

/* Whether the run was asked just that: by its own result. */
static gboolean
is_answered (const SsappRunRow *row, const SsappInterests *self, SsappStore *store)
{
  json_t *answers = NULL;
  gboolean is_so = TRUE;

  for (guint i = 0; i < ssapp_interests_get_n (self) && is_so; i++)
    is_so = find_outcome (row, ssapp_interests_get_name (self, i)) != NULL;
  if (is_so)
    answers = ssapp_interests_answers_of (store, row->id);
  const int every = is_so ? ssapp_interests_every_of (store, row->id) : 1;
  for (guint i = 0; i < ssapp_interests_get_n (self) && is_so; i++) {
    const json_t *one = json_object_get (answers, ssapp_interests_get_name (self, i));
    is_so = ssapp_interests_is_answered (self, i, one, every);
  }
  json_decref (answers);
  return is_so;
}

static void
drop_answered (json_t *answers, SsappStore *store, const char *id)
{
  json_t *own = ssapp_interests_answers_of (store, id), *one;
  const char *name;
  void *next;

  json_object_foreach_safe (answers, next, name,
                            one) if (g_strcmp0 (ssapp_json_get_string (json_object_get (own, name), "formula"),
                                                ssapp_json_get_string (one, "formula")) == 0)
      json_object_del (answers, name);
  json_decref (own);
}

json_t *
ssapp_interests_answer (const SsappInterests *self, SsappStore *store, const char *id, gboolean *is_mute,
                        GError **error)
{
  SsTrajectory *motion;
  json_t *result = read_asked (store, id, &motion, error);
  const char *name;
  json_t *one;

  if (result == NULL)
    return NULL;
  json_t *answers = ssapp_interests_to_json (self, NULL, motion, result);
  *is_mute = motion == NULL;
  json_object_foreach (answers, name, one) *is_mute = *is_mute || json_object_get (one, "message") != NULL;
  if (motion == NULL) /* an answer to the same formula stays */
    drop_answered (answers, store, id);
  json_decref (result);
  ss_trajectory_free (motion);
  return answers;
}

gboolean
ssapp_interests_ask_study (SsappStore *store, const char *study_id, const GPtrArray *outcomes, guint *n_mute,
                           GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (store) && study_id != NULL && outcomes != NULL && n_mute != NULL, FALSE);

  static const SsMetric any = SS_METRIC_OBJECTIVE; /* a list with metrics has outcomes */
  /* They were checked when they were asked; the name of one that a study has kept may be refused today. */
  g_autoptr (SsappInterests) interests =
      ssapp_interests_new_of ((const char *const *)outcomes->pdata, outcomes->len, NULL);

  *n_mute = 0;
  if (ssapp_interests_get_n (interests) == 0)
    return TRUE;
  g_autoptr (GHashTable) runs = ssapp_store_list_study_runs (store, study_id, error);
  g_autoptr (GPtrArray) rows = runs != NULL ? ssapp_store_list_runs (store, &any, 1, error) : NULL;

  if (rows == NULL)
    return FALSE;
  g_autoptr (GPtrArray) answering = ssapp_store_pick_study_rows (runs, rows);
  for (guint i = 0; i < answering->len; i++) {
    const SsappRunRow *row = g_ptr_array_index (answering, i);
    gboolean is_mute = FALSE;
    if (strcmp (row->outcome, "running") == 0 || is_answered (row, interests, store))
      continue;
    json_t *answers = ssapp_interests_answer (interests, store, row->id, &is_mute, error);
    const gboolean ok = answers != NULL && ssapp_store_add_outcomes (store, row->id, answers, error);
    json_decref (answers);
    if (!ok)
      return FALSE;
    *n_mute += is_mute;
  }
  return TRUE;
}
