/* app/job/ssapp-impact-result.c: see the header. */
#include "app/job/ssapp-impact-result.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-metric.h"

#include <string.h>

const char *
ssapp_impact_policy_name (SsImpactPolicy policy)
{
  static const char *const names[] = {[SS_IMPACT_POLICY_LEMKE] = "lemke",
                                      [SS_IMPACT_POLICY_RANDOM_COVERING] = "random-covering",
                                      [SS_IMPACT_POLICY_ENUMERATE] = "enumerate"};
  return names[policy];
}

static json_t *
reals (const double *values, int n)
{
  json_t *list = json_array ();

  for (int i = 0; i < n; i++)
    json_array_append_new (list, ssapp_json_real (values[i]));
  return list;
}

static json_t *
modes_to_json (const SsImpactMode *modes, int m)
{
  json_t *list = json_array ();

  for (int i = 0; i < m; i++)
    json_array_append_new (list, json_string (ss_impact_mode_name (modes[i])));
  return list;
}

/* ---- every law --------------------------------------------------------------------------------------------------- */

void
ssapp_impact_result_add (json_t *result, const char *law, const SsImpact *impact, const SsMetricSet *metrics)
{
  json_t *names = json_array (), *all = ssapp_metrics_to_json (metrics), *value;
  double u[2 * SS_IMPACT_CONTACTS_MAX];
  const char *key;

  for (int i = 0; i < impact->m; i++)
    json_array_append_new (names, json_string (impact->contacts[i]));
  ss_impact_speeds (impact, impact->v, u);
  json_object_set_new (result, "law", json_string (law));
  json_object_set_new (result, "contacts", names);
  json_object_set_new (result, "configuration",
                       json_pack ("{s:s, s:o, s:o, s:o}", "hash", impact->sha256, "vn", reals (u, impact->m), "vt",
                                  reals (u + impact->m, impact->m), "kinetic_energy",
                                  ssapp_json_real (ss_impact_kinetic_energy (impact, impact->v))));
  json_object_foreach (all, key, value) json_object_set (result, key, value);
  json_decref (all);
}

/* ---- outcomes ---------------------------------------------------------------------------------------------------- */

static json_t *
outcome_to_json (const SsImpact *impact, const SsImpactOutcome *outcome, double tolerance)
{
  const int m = impact->m;
  SsImpactMode modes[SS_IMPACT_CONTACTS_MAX];
  json_t *order = json_null ();

  for (int i = 0; i < m; i++)
    modes[i] = ss_impact_mode (outcome->u[i], outcome->u[m + i], tolerance);
  if (outcome->order[0] != '\0') {
    g_auto (GStrv) names = g_strsplit (outcome->order, ",", -1);
    order = json_array ();
    for (int i = 0; names[i] != NULL; i++)
      json_array_append_new (order, json_string (names[i]));
  }
  return json_pack ("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:i, s:o, s:b, s:o}", "v", reals (outcome->v, impact->n), "vn",
                    reals (outcome->u, m), "vt", reals (outcome->u + m, m), "ln", reals (outcome->impulse, m), "lt",
                    reals (outcome->impulse + m, m), "kinetic_energy", ssapp_json_real (outcome->energy), "modes",
                    modes_to_json (modes, m), "solves", outcome->solves, "share", ssapp_json_real (outcome->share),
                    "finished", outcome->is_finished, "order", order);
}

/* ---- sets -------------------------------------------------------------------------------------------------------- */

void
ssapp_impact_result_add_set (json_t *result, int m, const SsImpactSetOptions *options, const SsImpactModeShare *shares,
                             int n_shares)
{
  json_t *list = json_array ();

  for (int k = 0; k < n_shares; k++)
    json_array_append_new (list, json_pack ("{s:o, s:o}", "mode", modes_to_json (shares[k].mode, m), "fraction",
                                            ssapp_json_real (shares[k].fraction)));
  json_object_set_new (result, "policy", json_string (ssapp_impact_policy_name (options->policy)));
  json_object_set_new (result, "seed", json_integer ((json_int_t)options->seed));
  json_object_set_new (result, "step", ssapp_json_real (options->h));
  json_object_set_new (result, "max_steps", json_integer (options->max_steps));
  json_object_set_new (result, "modes", list);
}

/* The column of a plane's axis among the samples, -1. */
static int
find_column (const SsSamples *samples, const char *name)
{
  for (int c = 0; name != NULL && c < samples->n_columns; c++)
    if (strcmp (samples->columns[c], name) == 0)
      return c;
  return -1;
}

static json_t *
hull_to_json (const SsSamples *samples, const SsImpactSet *set, int x, int y)
{
  g_autofree SsVec2 *points = g_new (SsVec2, samples->n_rows + 1), *hull = g_new (SsVec2, samples->n_rows + 1);
  json_t *corners = json_array ();
  int n = 0;

  for (int k = 0; k < samples->n_rows; k++)
    if (set->state[k] == SS_IMPACT_FINISHED) {
      const double *row = samples->values + (gsize)k * (gsize)samples->n_columns;
      points[n++] = (SsVec2){row[x], row[y]};
    }
  const int n_corners = ss_impact_hull (points, n, hull);
  for (int k = 0; k < n_corners; k++)
    json_array_append_new (corners, json_pack ("[o, o]", ssapp_json_real (hull[k].x), ssapp_json_real (hull[k].y)));
  return json_pack ("{s:s, s:s, s:o}", "x", samples->columns[x], "y", samples->columns[y], "vertices", corners);
}

static SsStatus
add_hulls (json_t *result, const SsSamples *samples, const SsImpactSet *set, GPtrArray *planes, SsError *err)
{
  json_t *list = json_array ();

  json_object_set_new (result, "hulls", list);
  for (guint i = 0; planes != NULL && i < planes->len; i++) {
    const char *plane = g_ptr_array_index (planes, i);
    g_auto (GStrv) axes = g_strsplit (plane, ",", 2);
    const int x = find_column (samples, axes[0]), y = axes[0] != NULL ? find_column (samples, axes[1]) : -1;
    if (x < 0 || y < 0)
      return ss_error_set (err, SS_ERR_INVALID,
                           "--plane %.80s: expected two columns of the samples with a comma, such as %.80s,%.80s",
                           plane, samples->columns[0], samples->columns[1]);
    json_array_append_new (list, hull_to_json (samples, set, x, y));
  }
  return SS_OK;
}

SsStatus
ssapp_impact_result_add_run (json_t *result, const char *law, const SsImpact *impact, const SsRunResult *run,
                             double tolerance, GPtrArray *planes, SsError *err)
{
  const SsImpactResult *found = run->impact;
  const SsImpactSet *set = found->set;
  SsImpactModeShare *shares;
  int n_shares;

  ssapp_impact_result_add (result, law, impact, &run->metrics);
  if (set == NULL) {
    json_t *list = json_array ();
    for (int k = 0; k < found->n_outcomes; k++)
      json_array_append_new (list, outcome_to_json (impact, &found->outcomes[k], tolerance));
    json_object_set_new (result, "outcomes", list);
    return SS_OK;
  }
  const SsStatus status = ss_impact_set_modes (impact, set, tolerance, &shares, &n_shares, err);
  if (status != SS_OK)
    return status;
  ssapp_impact_result_add_set (result, impact->m, &set->options, shares, n_shares);
  ss_free (shares);
  json_object_set_new (result, "pointed", json_boolean (found->cone.is_pointed));
  json_object_set_new (result, "r", ssapp_json_real (found->cone.r));
  json_object_set_new (result, "c", ssapp_json_real (found->cone.c));
  return add_hulls (result, run->samples, set, planes, err);
}
