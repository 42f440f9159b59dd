/* app/job/ssapp-compliant.c: options, names and columns of a compliant study. */
#include "app/job/ssapp-compliant.h"

#include "app/job/ssapp-impact-input.h"

#include <string.h>

gboolean
ssapp_compliant_sweep_from_name (const char *name, SsCompliantSweep *sweep)
{
  g_return_val_if_fail (sweep != NULL, FALSE);

  static const char *const names[] = {[SS_COMPLIANT_RATIO] = "ratio", [SS_COMPLIANT_ANGLE] = "angle"};

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_strcmp0 (name, names[i]) == 0) {
      *sweep = (SsCompliantSweep)i;
      return TRUE;
    }
  return FALSE;
}

static SsStatus
read_options (const char *const *pairs, SsCompliantOptions *options, SsError *error)
{
  SsStatus status = SS_OK;

  ss_options_init (&ss_compliant_option_table, options);
  for (; pairs != NULL && *pairs != NULL && status == SS_OK; pairs++) {
    g_auto (GStrv) parts = g_strsplit (*pairs, "=", 2);
    if (g_strv_length (parts) != 2)
      return ss_error_set (error, SS_ERR_INVALID, "option '%.80s' is not NAME=VALUE", *pairs);
    status = ss_options_set (&ss_compliant_option_table, options, g_strstrip (parts[0]), g_strstrip (parts[1]), error);
  }
  return status;
}

static SsStatus
new_study (const SsScenario *scenario, const SsappCompliantPlan *plan, SsCompliant **study, SsError *error)
{
  SsCompliantOptions options;
  g_auto (GStrv) names = plan->contacts != NULL ? g_strsplit (plan->contacts, ",", -1) : NULL;

  if (scenario->scene == NULL)
    return ss_error_set (error, SS_ERR_INVALID, "%.80s is a model in equations; contacts that give way need a scene",
                         scenario->name);
  if (names != NULL && g_strv_length (names) != 2)
    return ss_error_set (error, SS_ERR_INVALID, "'%.80s' does not name two contacts as A,B", plan->contacts);
  for (int i = 0; names != NULL && i < 2; i++)
    g_strstrip (names[i]);
  SsStatus status = read_options (plan->options, &options, error);
  if (status != SS_OK)
    return status;
  const int n = scenario->scene->n_bodies;
  g_autofree double *state = plan->motion != NULL ? g_new0 (double, 6 * (gsize)n + 1) : NULL;
  if (state != NULL)
    status = ssapp_impact_state_at (scenario->scene, plan->motion, plan->at, state, state + 3 * n, error);
  if (status != SS_OK)
    return status;
  return ss_compliant_new (scenario->scene, state, state != NULL ? state + 3 * n : NULL, (const char *const *)names,
                           plan->body, &options, study, error);
}

static SsSamples *
new_table (const SsCompliant *study, SsCompliantSweep sweep, SsError *error)
{
  char names[SS_COMPLIANT_COLUMNS][SS_CHANNEL_NAME_MAX + 16];
  const char *columns[SS_COMPLIANT_COLUMNS];
  SsSamples *table = NULL;

  for (int i = 0; i < SS_COMPLIANT_COLUMNS; i++) {
    ss_compliant_column (study, sweep, i, names[i], sizeof names[i]);
    columns[i] = names[i];
  }
  if (ss_samples_new (columns, SS_COMPLIANT_COLUMNS, ss_compliant_n_cases (study), &table, error) != SS_OK)
    return NULL;
  return table;
}

SsSamples *
ssapp_compliant_run (const SsScenario *scenario, const SsappCompliantPlan *plan, SsRunControl *control,
                     SsOutcome *outcome, SsError *error)
{
  g_return_val_if_fail (scenario != NULL && plan != NULL && outcome != NULL, NULL);

  SsCompliant *study = NULL;
  SsSamples *table = NULL;

  *outcome = SS_OUTCOME_FAILED;
  if (new_study (scenario, plan, &study, error) == SS_OK)
    table = new_table (study, plan->sweep, error);
  if (table != NULL &&
      ss_compliant_sweep (study, plan->sweep, control, table->values, &table->n_rows, outcome, error) != SS_OK)
    g_clear_pointer (&table, ss_samples_free);
  ss_compliant_free (study);
  return table;
}
