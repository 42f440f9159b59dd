/* app/job/ssapp-impact-input.c: see the header. */
#include "app/job/ssapp-impact-input.h"

#include "app/base/ssapp-json.h"

#include <math.h>
#include <string.h>

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

gboolean
ssapp_impact_is_numbers (const char *text)
{
  json_t *root = json_loads (text, 0, NULL);
  const gboolean is = json_object_get (root, "Jn") != NULL || json_object_get (root, "v_pre") != NULL;

  json_decref (root);
  return is;
}

static json_t *
numbers_to_json (const double *values, int n)
{
  json_t *array = json_array ();

  for (int k = 0; k < n; k++)
    json_array_append_new (array, json_real (values[k]));
  return array;
}

static json_t *
matrix_to_json (const double *values, int rows, int columns)
{
  json_t *array = json_array ();

  for (int r = 0; r < rows; r++)
    json_array_append_new (array, numbers_to_json (values + (gsize)r * (gsize)columns, columns));
  return array;
}

char *
ssapp_impact_to_json (const SsImpact *given, double h, int max_steps, SsError *err)
{
  SsImpact *impact;

  if (ss_impact_reduce (given, &impact, err) != SS_OK)
    return NULL;
  json_t *root = json_object (), *contacts = json_array ();

  for (int c = 0; c < impact->m; c++)
    json_array_append_new (contacts, json_pack ("{s:s}", "name", impact->contacts[c]));
  json_object_set_new (root, "name", json_string (impact->name));
  json_object_set_new (root, "units", json_string ("SI (m, kg, s, rad)"));
  json_object_set_new (root, "M", matrix_to_json (impact->mass, impact->n, impact->n));
  json_object_set_new (root, "Jn", matrix_to_json (impact->jn, impact->m, impact->n));
  json_object_set_new (root, "Jt", matrix_to_json (impact->jt, impact->m, impact->n));
  json_object_set_new (root, "mu", numbers_to_json (impact->mu, impact->m));
  json_object_set_new (root, "restitution", numbers_to_json (impact->restitution, impact->m));
  json_object_set_new (root, "v_pre", numbers_to_json (impact->v, impact->n));
  if (isfinite (h))
    json_object_set_new (root, "h", json_real (h));
  if (max_steps > 0)
    json_object_set_new (root, "N", json_integer (max_steps));
  json_object_set_new (root, "contacts", contacts);
  char *text = json_dumps (root, JSON_INDENT (1) | JSON_REAL_PRECISION (17));
  char *copy = g_strconcat (text, "\n", NULL);
  free (text);
  json_decref (root);
  ss_impact_free (impact);
  return copy;
}

/* ---- a scene in a state ------------------------------------------------------------------------------------------ */

SsStatus
ssapp_impact_read_state (const SsScene *scene, const SsTrajectory *motion, const double *row, double *q, double *v,
                         SsError *err)
{
  g_return_val_if_fail (scene != NULL && motion != NULL && row != NULL && q != NULL && v != NULL, SS_ERR_ARG);

  static const char *const quantities[] = {"x", "y", "theta", "vx", "vy", "omega"};

  for (int b = 0; b < scene->n_bodies; b++)
    for (int k = 0; k < 6; k++) {
      const SsBody *body = &scene->bodies[b];
      g_autofree char *name = g_strdup_printf ("%s.%s", body->name, quantities[k]);
      const int channel = ss_trajectory_channel (motion, name);
      if (channel < 0 && !ss_body_is_immovable (body))
        return ss_error_set (err, SS_ERR_INVALID, "the motion has no channel '%s'", name);
      (k < 3 ? q : v)[3 * b + k % 3] = channel >= 0 ? row[channel] : (k < 3 ? body->q : body->v)[k % 3];
    }
  return SS_OK;
}

SsStatus
ssapp_impact_state_at (const SsScene *scene, const SsTrajectory *motion, double t, double *q, double *v, SsError *err)
{
  if (motion->n_rows == 0)
    return ss_error_set (err, SS_ERR_INVALID, "the motion has no rows");
  g_autofree double *row = g_new0 (double, motion->n_channels);

  ss_trajectory_sample_before (motion, isnan (t) ? ss_trajectory_row (motion, motion->n_rows - 1)[0] : t, row);
  return ssapp_impact_read_state (scene, motion, row, q, v, err);
}

/* The object of that body in the list; NULL: a family makes it. */
static json_t *
find_body (json_t *bodies, const char *name)
{
  size_t k;
  json_t *body;

  json_array_foreach (bodies, k, body) if (g_strcmp0 (json_string_value (json_object_get (body, "name")), name) == 0 &&
                                           json_object_get (body, "for") == NULL) return body;
  return NULL;
}

static SsStatus
set_bodies (json_t *bodies, const SsScene *scene, const double *q, const double *v, SsError *err)
{
  for (int b = 0; b < scene->n_bodies; b++) {
    const char *name = scene->bodies[b].name;
    json_t *body = find_body (bodies, name);
    if (scene->bodies[b].is_fixed)
      continue;
    if (body == NULL)
      return ss_error_set (err, SS_ERR_INVALID,
                           "the body “%s” is made by a family; write it out to give it a state of its own", name);
    json_object_set_new (body, "position", json_pack ("[f, f]", q[3 * b], q[3 * b + 1]));
    json_object_set_new (body, "angle", json_real (q[3 * b + 2]));
    json_object_set_new (body, "velocity", json_pack ("[f, f]", v[3 * b], v[3 * b + 1]));
    json_object_set_new (body, "angular_velocity", json_real (v[3 * b + 2]));
  }
  return SS_OK;
}

/* Of the elements of a list or the members of an object that say so. */
static void
replace_friction (json_t *list, double mu)
{
  const size_t n = json_array_size (list);
  const char *name;
  json_t *item;

  for (size_t k = 0; k < n; k++) {
    item = json_array_get (list, k);
    if (json_object_get (item, "friction") != NULL)
      json_object_set_new (item, "friction", json_real (mu));
  }
  json_object_foreach (list, name, item) if (json_object_get (item, "friction") != NULL)
      json_object_set_new (item, "friction", json_real (mu));
}

char *
ssapp_impact_scenario_with_friction (const char *scenario_text, double mu)
{
  static const char *const lists[] = {"contacts", "materials", "material_pairs"};
  json_t *root = json_loads (scenario_text, 0, NULL), *scene = json_object_get (root, "scene");
  char *text = NULL;

  if (json_is_object (scene)) {
    json_object_set_new (scene, "friction", json_real (mu));
    for (guint k = 0; k < G_N_ELEMENTS (lists); k++)
      replace_friction (json_object_get (scene, lists[k]), mu);
    text = ssapp_json_text (root, TRUE);
  }
  json_decref (root);
  return text;
}

char *
ssapp_impact_scenario_in_state (const char *scenario_text, const SsScene *scene, const double *q, const double *v,
                                SsError *err)
{
  json_t *root = json_loads (scenario_text, 0, NULL);
  json_t *bodies = json_object_get (json_object_get (root, "scene"), "bodies");
  char *text = set_bodies (bodies, scene, q, v, err) == SS_OK ? ssapp_json_text (root, TRUE) : NULL;

  json_decref (root);
  return text;
}
