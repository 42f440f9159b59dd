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
                       json_pack ("{s:s, s:o, s:o, s:o}", "hash", impact->sha256, "vn", ssapp_json_reals (u, impact->m),
                                  "vt", ssapp_json_reals (u + impact->m, impact->m), "kinetic_energy",
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
  return json_pack ("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:i, s:o, s:b, s:o}", "v",
                    ssapp_json_reals (outcome->v, impact->n), "vn", ssapp_json_reals (outcome->u, m), "vt",
                    ssapp_json_reals (outcome->u + m, m), "ln", ssapp_json_reals (outcome->impulse, m), "lt",
                    ssapp_json_reals (outcome->impulse + m, m), "kinetic_energy", ssapp_json_real (outcome->energy),
                    "modes", modes_to_json (modes, m), "solves", outcome->solves, "share",
                    ssapp_json_real (outcome->share), "finished", outcome->is_finished, "order", order);
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
corners_to_json (const SsVec2 *corners, int n)
{
  json_t *list = json_array ();

  for (int k = 0; k < n; k++)
    json_array_append_new (list, json_pack ("[o, o]", ssapp_json_real (corners[k].x), ssapp_json_real (corners[k].y)));
  return list;
}

/* Columns of a plane, and of what. */
typedef struct {
  const SsImpact *impact;
  const SsSamples *samples;
  const SsImpactResult *found;
  const SsImpactModeShare *shares;
  int m, n_shares, x, y;
  double tolerance;
} Plane;

static gboolean
has_modes (const Plane *plane, const double *u, const SsImpactMode *modes)
{
  for (int i = 0; i < plane->m; i++)
    if (ss_impact_mode (u[i], u[plane->m + i], plane->tolerance) != modes[i])
      return FALSE;
  return TRUE;
}

/* Hull of the finished samples. */
static json_t *
hull_of_all (const Plane *plane)
{
  const SsSamples *samples = plane->samples;
  g_autofree SsVec2 *points = g_new (SsVec2, samples->n_rows + 1), *hull = g_new (SsVec2, samples->n_rows + 1);
  int n = 0;

  for (int k = 0; k < samples->n_rows; k++)
    if (plane->found->set->state[k] == SS_IMPACT_FINISHED) {
      const double *row = samples->values + (gsize)k * (gsize)samples->n_columns;
      points[n++] = (SsVec2){row[plane->x], row[plane->y]};
    }
  return corners_to_json (hull, ss_impact_hull (points, n, hull));
}

/* The samples have the speeds of the contacts in turn, the engine normal ones first. */
static int
speed_of (const Plane *plane, int column)
{
  return column / 2 + (column % 2) * plane->m;
}

/* Finished samples of a set in a joint mode; the points' number grows. */
static void
add_points (const Plane *plane, const SsImpactSet *set, const SsImpactMode *modes, GArray *points)
{
  double u[2 * SS_IMPACT_CONTACTS_MAX];

  for (int k = 0; set != NULL && k < set->n_samples; k++) {
    if (set->state[k] != SS_IMPACT_FINISHED)
      continue;
    ss_impact_speeds (plane->impact, set->v + (gsize)k * (gsize)set->n, u);
    if (!has_modes (plane, u, modes))
      continue;
    const SsVec2 point = {u[speed_of (plane, plane->x)], u[speed_of (plane, plane->y)]};
    g_array_append_val (points, point);
  }
}

/* Hulls of what was reached, mode by mode; null: not in a plane of speeds. */
static json_t *
inner_to_json (const Plane *plane)
{
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (SsVec2));
  json_t *list;

  if (plane->x >= 2 * plane->m || plane->y >= 2 * plane->m)
    return json_null ();
  list = json_array ();
  for (int k = 0; k < plane->n_shares; k++) {
    const SsImpactMode *modes = plane->shares[k].mode;
    g_array_set_size (points, 0);
    add_points (plane, plane->found->set, modes, points);
    add_points (plane, plane->found->corners, modes, points);
    g_autofree SsVec2 *hull = g_new (SsVec2, points->len + 1);
    const int n = ss_impact_hull ((SsVec2 *)(void *)points->data, (int)points->len, hull);
    json_array_append_new (
        list, json_pack ("{s:o, s:o}", "mode", modes_to_json (modes, plane->m), "vertices", corners_to_json (hull, n)));
  }
  return list;
}

/* null: not asked for, or no polygons but the extents. */
static json_t *
outer_to_json (const Plane *plane)
{
  const SsImpactBound *bound = plane->found->bound;
  json_t *list;

  if (bound == NULL || !bound->is_whole || plane->x >= 2 * plane->m || plane->y >= 2 * plane->m)
    return json_null ();
  list = json_array ();
  for (int k = 0; k < bound->n_parts; k++) {
    g_autofree SsVec2 *polygon = g_new (SsVec2, bound->parts[k].n_corners + 1);
    const int n = ss_impact_part_polygon (bound, k, speed_of (plane, plane->x), speed_of (plane, plane->y), polygon);
    json_array_append_new (list, json_pack ("{s:o, s:o}", "mode", modes_to_json (bound->parts[k].mode, plane->m),
                                            "vertices", corners_to_json (polygon, n)));
  }
  return list;
}

static json_t *
plane_to_json (const Plane *plane)
{
  char *const *columns = plane->samples->columns;

  return json_pack ("{s:s, s:s, s:o, s:o, s:o}", "x", columns[plane->x], "y", columns[plane->y], "vertices",
                    hull_of_all (plane), "inner", inner_to_json (plane), "outer", outer_to_json (plane));
}

/* What is known of the number of steps and of samples. */
static void
add_theorems (json_t *result, const SsImpactResult *found, int m)
{
  const SsImpactNet *net = &found->net;

  json_object_set_new (
      result, "theorem_8",
      json_pack ("{s:o, s:o}", "steps",
                 ssapp_json_real (ss_impact_cone_steps (&found->cone, m, 1 - SS_IMPACT_NET_PROBABILITY)), "probability",
                 ssapp_json_real (SS_IMPACT_NET_PROBABILITY)));
  json_object_set_new (result, "theorem_9",
                       json_pack ("{s:o, s:o, s:o, s:o}", "epsilon", ssapp_json_real (net->epsilon), "lipschitz",
                                  ssapp_json_real (net->lipschitz), "log10_samples",
                                  ssapp_json_real (net->log10_samples), "probability",
                                  ssapp_json_real (SS_IMPACT_NET_PROBABILITY)));
}

static void
add_extents (json_t *result, const SsSamples *samples, const SsImpactResult *found, int m)
{
  const Plane plane = {.m = m};
  json_t *list = json_array ();

  for (int c = 0; found->bound != NULL && c < 2 * m; c++) {
    const int k = speed_of (&plane, c);
    const SsImpactExtent *inner = &found->inner, *outer = &found->bound->outer;
    json_array_append_new (list, json_pack ("{s:s, s:[o, o], s:[o, o]}", "speed", samples->columns[c], "inner",
                                            ssapp_json_real (inner->low[k]), ssapp_json_real (inner->high[k]), "outer",
                                            ssapp_json_real (outer->low[k]), ssapp_json_real (outer->high[k])));
  }
  json_object_set_new (result, "extents", list);
  json_object_set_new (result, "bound",
                       found->bound == NULL ? json_null () : json_string (found->bound->is_whole ? "modes" : "energy"));
}

static SsStatus
add_hulls (json_t *result, Plane *own, GPtrArray *planes, SsError *err)
{
  const SsSamples *samples = own->samples;
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
    own->x = x;
    own->y = y;
    json_array_append_new (list, plane_to_json (own));
  }
  return SS_OK;
}

/* Modes that only draws at corners have. */
static SsStatus
add_rare_modes (const SsImpactResult *found, const SsImpact *impact, double tolerance, SsImpactModeShare **shares,
                int *n_shares, SsError *err)
{
  SsImpactModeShare *rare, *all;
  int n_rare;
  const int n = *n_shares;
  SsStatus status;

  if (found->corners == NULL)
    return SS_OK;
  status = ss_impact_set_modes (impact, found->corners, tolerance, &rare, &n_rare, err);
  if (status != SS_OK)
    return status;
  all = ss_realloc (*shares, (size_t)(n + n_rare + 1), sizeof *all);
  if (all == NULL)
    status = ss_error_set (err, SS_ERR_MEMORY, "no memory for %d modes", n + n_rare);
  *shares = all != NULL ? all : *shares;
  for (int k = 0; all != NULL && k < n_rare; k++) {
    gboolean is_new = TRUE;
    for (int j = 0; j < n && is_new; j++)
      is_new = memcmp (all[j].mode, rare[k].mode, sizeof *rare[k].mode * (gsize)impact->m) != 0;
    if (is_new)
      all[(*n_shares)++] = rare[k];
  }
  ss_free (rare);
  return status;
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
  SsStatus status = ss_impact_set_modes (impact, set, tolerance, &shares, &n_shares, err);
  if (status != SS_OK)
    return status;
  ssapp_impact_result_add_set (result, impact->m, &set->options, shares, n_shares);
  json_object_set_new (result, "pointed", json_boolean (found->cone.is_pointed));
  json_object_set_new (result, "r", ssapp_json_real (found->cone.r));
  json_object_set_new (result, "c", ssapp_json_real (found->cone.c));
  add_theorems (result, found, impact->m);
  add_extents (result, run->samples, found, impact->m);
  Plane plane = {.impact = impact,
                 .samples = run->samples,
                 .found = found,
                 .shares = shares,
                 .m = impact->m,
                 .n_shares = n_shares,
                 .tolerance = tolerance};
  status =
      planes != NULL && planes->len > 0 ? add_rare_modes (found, impact, tolerance, &shares, &n_shares, err) : SS_OK;
  plane.shares = shares;
  plane.n_shares = n_shares;
  if (status == SS_OK)
    status = add_hulls (result, &plane, planes, err);
  ss_free (shares);
  return status;
}
