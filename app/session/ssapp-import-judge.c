/* app/session/ssapp-import-judge.c: see the header. */
#include "app/session/ssapp-import-judge.h"

#include "app/job/ssapp-judge-again.h"
#include "app/store/ssapp-store-study.h"

static char *
judge_row (SsappStore *store, const SsappRunRow *row, guint *n_without)
{
  g_autofree char *result = ssapp_store_get_result_json (store, row->id, NULL);
  g_autofree char *text = ssapp_store_get_scenario_text (store, row->id, NULL);

  if (result == NULL || text == NULL)
    return NULL;
  json_t *object = json_loads (result, 0, NULL), *parameters = json_loads (row->parameters_json, 0, NULL);
  SsTrajectory *motion = json_is_object (object) ? ssapp_store_get_trajectory (store, row->id, NULL) : NULL;
  SsOutcome outcome;
  const gboolean is_bare = json_is_object (object) && motion == NULL && row->kind != SS_METHOD_IMPACT_LAW &&
                           ss_outcome_from_name (row->outcome, &outcome) && ss_outcome_is_success (outcome);
  if (is_bare && n_without != NULL)
    ++*n_without;
  char *words =
      json_is_object (object) && !is_bare ? ssapp_judge_again (row->kind, text, parameters, object, motion) : NULL;
  json_decref (object);
  json_decref (parameters);
  ss_trajectory_free (motion);
  return words;
}

char *
ssapp_import_judge (SsappStore *store, const char *id, guint *n_without)
{
  SsappRunRow *row = ssapp_store_get_run (store, id, NULL);
  char *doubt = row != NULL ? judge_row (store, row, n_without) : NULL;

  if (doubt != NULL) {
    g_autofree char *tags = g_strconcat (row->tags, "," SSAPP_DOUBTFUL_TAG, NULL);
    ssapp_store_set_tags (store, id, tags, NULL); /* where that fails the sentence is told all the same */
  }
  ssapp_run_row_free (row);
  return doubt;
}
