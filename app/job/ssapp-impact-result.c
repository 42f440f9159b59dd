/* app/job/ssapp-impact-result.c: see the header. */
#include "app/job/ssapp-impact-result.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-metric.h"

#include <stdbool.h>
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

static json_t *
texts_to_json (char *const *texts, int n)
{
  json_t *list = json_array ();

  for (int i = 0; i < n; i++)
    json_array_append_new (list, json_string (texts[i]));
  return list;
}

/* ---- every law --------------------------------------------------------------------------------------------------- */

typedef struct {
  const char *hash;
  const double *vn, *vt;
  int m;
  double energy;
} Configuration;

static const SsappRecordField configuration_fields[] = {
    SSAPP_FIELD (Configuration, hash, "hash", STRING, "", "of the configuration"),
    SSAPP_FIELD_SERIES_OF (Configuration, vn, m, "vn", false, "m/s", "normal speeds"),
    SSAPP_FIELD_SERIES_OF (Configuration, vt, m, "vt", false, "m/s", "tangential speeds"),
    SSAPP_FIELD (Configuration, energy, "kinetic_energy", REAL, "J", "before the impact")};
static const SsappRecord configuration_record = SSAPP_RECORD (Configuration, configuration_fields);

typedef struct {
  const char *law;
  json_t *contacts;
  Configuration *configuration;
} ToldImpact;

static const SsappRecordField impact_fields[] = {SSAPP_FIELD (ToldImpact, law, "law", STRING, "", "of an impact"),
                                                 SSAPP_FIELD_AS (ToldImpact, contacts, "contacts", "[text]", false, "",
                                                                 "points that touch, in the order of vectors"),
                                                 SSAPP_FIELD_MADE_OF (ToldImpact, configuration, "configuration",
                                                                      RECORD, &configuration_record, true,
                                                                      "state before the impact")};
const SsappRecord ssapp_impact_record = SSAPP_RECORD (ToldImpact, impact_fields);

void
ssapp_impact_result_add (json_t *result, const char *law, const SsImpact *impact, const SsMetricSet *metrics)
{
  g_return_if_fail (law != NULL && impact != NULL && metrics != NULL);
  double u[2 * SS_IMPACT_CONTACTS_MAX];
  Configuration configuration = {impact->sha256, u, u + impact->m, impact->m,
                                 ss_impact_kinetic_energy (impact, impact->v)};
  const ToldImpact told = {law, texts_to_json (impact->contacts, impact->m), &configuration};
  json_t *all = ssapp_metrics_to_json (metrics);

  ss_impact_speeds (impact, impact->v, u);
  ssapp_record_add_to_json (&ssapp_impact_record, &told, result);
  json_object_update (result, all);
  json_decref (told.contacts);
  json_decref (all);
}

/* ---- outcomes ---------------------------------------------------------------------------------------------------- */

typedef struct {
  const double *v, *vn, *vt, *ln, *lt;
  int n, m;
  double energy, share;
  int solves;
  bool is_finished;
  json_t *modes, *order;
} ToldOutcome;

static const SsappRecordField outcome_fields[] = {
    SSAPP_FIELD_SERIES_OF (ToldOutcome, v, n, "v", false, "m/s, rad/s", "velocities of the bodies"),
    SSAPP_FIELD_SERIES_OF (ToldOutcome, vn, m, "vn", false, "m/s", "normal speeds"),
    SSAPP_FIELD_SERIES_OF (ToldOutcome, vt, m, "vt", false, "m/s", "tangential speeds"),
    SSAPP_FIELD_SERIES_OF (ToldOutcome, ln, m, "ln", false, "N s", "normal impulses"),
    SSAPP_FIELD_SERIES_OF (ToldOutcome, lt, m, "lt", false, "N s", "tangential impulses"),
    SSAPP_FIELD (ToldOutcome, energy, "kinetic_energy", REAL, "J", "after the impact"),
    SSAPP_FIELD_AS (ToldOutcome, modes, "modes", "[text]", false, "", "of each point"),
    SSAPP_FIELD (ToldOutcome, solves, "solves", INTEGER, "", "problems that were solved"),
    SSAPP_FIELD (ToldOutcome, share, "share", REAL, "", "of all outcomes"),
    SSAPP_FIELD (ToldOutcome, is_finished, "finished", FLAG, "", "whether it came to an end"),
    SSAPP_FIELD_AS (ToldOutcome, order, "order", "null|[text]", false, "", "of impacts one after another")};
const SsappRecord ssapp_impact_outcome_record = SSAPP_RECORD (ToldOutcome, outcome_fields);

static json_t *
outcome_to_json (const SsImpact *impact, const SsImpactOutcome *outcome, double tolerance)
{
  const int m = impact->m;
  SsImpactMode modes[SS_IMPACT_CONTACTS_MAX];
  g_auto (GStrv) names = g_strsplit (outcome->order, ",", -1); /* of "": none */

  for (int i = 0; i < m; i++)
    modes[i] = ss_impact_mode (outcome->u[i], outcome->u[m + i], tolerance);
  ToldOutcome told = {outcome->v,
                      outcome->u,
                      outcome->u + m,
                      outcome->impulse,
                      outcome->impulse + m,
                      impact->n,
                      m,
                      outcome->energy,
                      outcome->share,
                      outcome->solves,
                      outcome->is_finished,
                      modes_to_json (modes, m),
                      names[0] != NULL ? texts_to_json (names, (int)g_strv_length (names)) : NULL};
  return ssapp_record_give_to_json (&ssapp_impact_outcome_record, &told);
}

/* ---- sets -------------------------------------------------------------------------------------------------------- */

typedef struct {
  json_t *mode;
  double fraction;
} ToldShare;

static const SsappRecordField mode_share_fields[] = {
    SSAPP_FIELD_AS (ToldShare, mode, "mode", "[text]", false, "", "of each point"),
    SSAPP_FIELD (ToldShare, fraction, "fraction", REAL, "", "of the samples")};
const SsappRecord ssapp_impact_share_record = SSAPP_RECORD (ToldShare, mode_share_fields);

typedef struct {
  SsImpactSetOptions own;
  json_t *modes;
} ToldDraw;

static const char *
policy_word (int policy)
{
  return ssapp_impact_policy_name ((SsImpactPolicy)policy);
}

static const SsappRecordField draw_fields[] = {
    SSAPP_FIELD_OF (ToldDraw, own.policy, "policy", WORD, policy_word, SS_IMPACT_POLICY_ENUMERATE + 1,
                    SS_IMPACT_POLICY_LEMKE, "how sets are drawn"),
    SSAPP_FIELD (ToldDraw, own.seed, "seed", INTEGER, "", "of random numbers"),
    SSAPP_FIELD (ToldDraw, own.h, "step", REAL, "N s", "step of a set"),
    SSAPP_FIELD (ToldDraw, own.max_steps, "max_steps", INTEGER, "", "of a draw"),
    SSAPP_FIELD_AS (ToldDraw, modes, "modes", "[mode-share]", false, "", "joint modes of the samples")};
const SsappRecord ssapp_impact_draw_record = SSAPP_RECORD (ToldDraw, draw_fields);

void
ssapp_impact_result_add_set (json_t *result, int m, const SsImpactSetOptions *options, const SsImpactModeShare *shares,
                             int n_shares)
{
  g_return_if_fail (options != NULL && m > 0 && n_shares >= 0);
  const ToldDraw told = {*options, json_array ()};

  for (int k = 0; k < n_shares; k++) {
    ToldShare share = {modes_to_json (shares[k].mode, m), shares[k].fraction};
    json_array_append_new (told.modes, ssapp_record_give_to_json (&ssapp_impact_share_record, &share));
  }
  ssapp_record_add_to_json (&ssapp_impact_draw_record, &told, result);
  json_decref (told.modes);
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

typedef struct {
  json_t *mode, *vertices;
} ToldModeHull;

static const SsappRecordField mode_hull_fields[] = {
    SSAPP_FIELD_AS (ToldModeHull, mode, "mode", "[text]", false, "", "of each point"),
    SSAPP_FIELD_AS (ToldModeHull, vertices, "vertices", "[[real 2]]", false, "m/s", "of the hull")};
const SsappRecord ssapp_impact_mode_hull_record = SSAPP_RECORD (ToldModeHull, mode_hull_fields);

static json_t *
mode_hull_to_json (const SsImpactMode *modes, int m, const SsVec2 *corners, int n)
{
  ToldModeHull told = {modes_to_json (modes, m), corners_to_json (corners, n)};

  return ssapp_record_give_to_json (&ssapp_impact_mode_hull_record, &told);
}

/* Hulls of what was reached, mode by mode; NULL: not in a plane of speeds. */
static json_t *
inner_to_json (const Plane *plane)
{
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (SsVec2));
  json_t *list;

  if (plane->x >= 2 * plane->m || plane->y >= 2 * plane->m)
    return NULL;
  list = json_array ();
  for (int k = 0; k < plane->n_shares; k++) {
    const SsImpactMode *modes = plane->shares[k].mode;
    g_array_set_size (points, 0);
    add_points (plane, plane->found->set, modes, points);
    add_points (plane, plane->found->corners, modes, points);
    g_autofree SsVec2 *hull = g_new (SsVec2, points->len + 1);
    const int n = ss_impact_hull ((SsVec2 *)(void *)points->data, (int)points->len, hull);
    json_array_append_new (list, mode_hull_to_json (modes, plane->m, hull, n));
  }
  return list;
}

/* NULL: not asked for, or no polygons but the extents. */
static json_t *
outer_to_json (const Plane *plane)
{
  const SsImpactBound *bound = plane->found->bound;
  json_t *list;

  if (bound == NULL || !bound->is_whole || plane->x >= 2 * plane->m || plane->y >= 2 * plane->m)
    return NULL;
  list = json_array ();
  for (int k = 0; k < bound->n_parts; k++) {
    g_autofree SsVec2 *polygon = g_new (SsVec2, bound->parts[k].n_corners + 1);
    const int n = ss_impact_part_polygon (bound, k, speed_of (plane, plane->x), speed_of (plane, plane->y), polygon);
    json_array_append_new (list, mode_hull_to_json (bound->parts[k].mode, plane->m, polygon, n));
  }
  return list;
}

typedef struct {
  const char *x, *y;
  json_t *vertices, *inner, *outer;
} ToldHull;

static const SsappRecordField hull_fields[] = {
    SSAPP_FIELD (ToldHull, x, "x", STRING, "m/s", "column of the samples"),
    SSAPP_FIELD (ToldHull, y, "y", STRING, "m/s", "column of the samples"),
    SSAPP_FIELD_AS (ToldHull, vertices, "vertices", "[[real 2]]", false, "m/s", "of the hull"),
    SSAPP_FIELD_AS (ToldHull, inner, "inner", "null|[hull-mode]", false, "m/s", "hulls by joint mode"),
    SSAPP_FIELD_AS (ToldHull, outer, "outer", "null|[hull-mode]", false, "m/s", "outer bounds by joint mode")};
const SsappRecord ssapp_impact_hull_record = SSAPP_RECORD (ToldHull, hull_fields);

static json_t *
plane_to_json (const Plane *plane)
{
  char *const *columns = plane->samples->columns;
  ToldHull told = {columns[plane->x], columns[plane->y], hull_of_all (plane), inner_to_json (plane),
                   outer_to_json (plane)};

  return ssapp_record_give_to_json (&ssapp_impact_hull_record, &told);
}

typedef struct {
  const char *speed;
  double inner[2], outer[2];
} ToldExtent;

static const SsappRecordField extent_fields[] = {
    SSAPP_FIELD (ToldExtent, speed, "speed", STRING, "", "column of the samples"),
    SSAPP_FIELD (ToldExtent, inner, "inner", REALS, "m/s", "reached for sure"),
    SSAPP_FIELD (ToldExtent, outer, "outer", REALS, "m/s", "never left")};
static const SsappRecord extent_record = SSAPP_RECORD (ToldExtent, extent_fields);

static GArray *
extents_of (const SsSamples *samples, const SsImpactResult *found, int m)
{
  GArray *list = g_array_new (FALSE, TRUE, sizeof (ToldExtent));
  const Plane plane = {.m = m};

  for (int c = 0; found->bound != NULL && c < 2 * m; c++) {
    const int k = speed_of (&plane, c);
    const SsImpactExtent *inner = &found->inner, *outer = &found->bound->outer;
    const ToldExtent extent = {samples->columns[c], {inner->low[k], inner->high[k]}, {outer->low[k], outer->high[k]}};
    g_array_append_val (list, extent);
  }
  return list;
}

/* ---- what a set shows -------------------------------------------------------------------------------------------- */

typedef struct {
  double steps, probability;
} Theorem8;

static const SsappRecordField theorem_8_fields[] = {
    SSAPP_FIELD (Theorem8, steps, "steps", REAL, "", "after which a draw has ended with this probability"),
    SSAPP_FIELD (Theorem8, probability, "probability", REAL, "", "that it holds")};
static const SsappRecord theorem_8_record = SSAPP_RECORD (Theorem8, theorem_8_fields);

typedef struct {
  SsImpactNet net;
  double probability;
} Theorem9;

static const SsappRecordField theorem_9_fields[] = {
    SSAPP_FIELD (Theorem9, net.epsilon, "epsilon", REAL, "", "every outcome has a sample as near as this"),
    SSAPP_FIELD (Theorem9, net.lipschitz, "lipschitz", REAL, "", "Lipschitz constant of the outcome"),
    SSAPP_FIELD (Theorem9, net.log10_samples, "log10_samples", REAL, "", "logarithm of the number of samples"),
    SSAPP_FIELD (Theorem9, probability, "probability", REAL, "", "that it holds")};
static const SsappRecord theorem_9_record = SSAPP_RECORD (Theorem9, theorem_9_fields);

typedef struct {
  SsImpactCone cone;
  Theorem8 *theorem_8;
  Theorem9 *theorem_9;
  GArray *extents;
  const char *bound;
} ToldSet;

static const SsappRecordField set_fields[] = {
    SSAPP_FIELD (ToldSet, cone.is_pointed, "pointed", FLAG, "", "whether the cone is pointed"),
    SSAPP_FIELD (ToldSet, cone.r, "r", REAL, "", "radius of the cone"),
    SSAPP_FIELD (ToldSet, cone.c, "c", REAL, "", "constant of the cone"),
    SSAPP_FIELD_MADE_OF (ToldSet, theorem_8, "theorem_8", RECORD, &theorem_8_record, true, "number of steps"),
    SSAPP_FIELD_MADE_OF (ToldSet, theorem_9, "theorem_9", RECORD, &theorem_9_record, true, "number of samples"),
    SSAPP_FIELD_MADE_OF (ToldSet, extents, "extents", LIST, &extent_record, false, "least and largest speeds"),
    SSAPP_FIELD (ToldSet, bound, "bound", LABEL, "", "what the outer extents come from; null: there are none")};
const SsappRecord ssapp_impact_set_record = SSAPP_RECORD (ToldSet, set_fields);

static void
add_set (json_t *result, const SsSamples *samples, const SsImpactResult *found, int m)
{
  const double steps = ss_impact_cone_steps (&found->cone, m, 1 - SS_IMPACT_NET_PROBABILITY);
  Theorem8 theorem_8 = {steps, SS_IMPACT_NET_PROBABILITY};
  Theorem9 theorem_9 = {found->net, SS_IMPACT_NET_PROBABILITY};
  g_autoptr (GArray) extents = extents_of (samples, found, m);
  const ToldSet told = {found->cone, &theorem_8, &theorem_9, extents,
                        found->bound == NULL     ? NULL
                        : found->bound->is_whole ? "modes"
                                                 : "energy"};

  ssapp_record_add_to_json (&ssapp_impact_set_record, &told, result);
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
  add_set (result, run->samples, found, impact->m);
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
