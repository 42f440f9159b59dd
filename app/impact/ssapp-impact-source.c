/* app/impact/ssapp-impact-source.c: see the header. */
#include "app/impact/ssapp-impact-source.h"

#include "app/base/ssapp-file.h"
#include "app/base/ssapp-json.h"
#include "app/document/ssapp-quantity.h"

#include "impact/ss-impact-set.h"
#include "scene/ss-view.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

/* A manifold point with a larger gap does not touch [m]. */
static const double TOUCHING = 1e-6;

struct SsappImpactSource {
  gatomicrefcount references;
  SsImpact *impact;
  char *name;
  GStrv places, labels;
  GArray *directions; /* of int: coordinates x of pairs x, y that stand beside each other */
  double t;
  char *scenario_text; /* NULL: a file */
  SsScenario *scenario;
  SsTrajectory *state; /* one row */
  GArray *parameters;  /* of int: those that change the configuration; NULL: not known yet */
};

SsappImpactSource *
ssapp_impact_source_ref (SsappImpactSource *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_atomic_ref_count_inc (&self->references);
  return self;
}

void
ssapp_impact_source_unref (SsappImpactSource *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->references))
    return;
  ss_impact_free (self->impact);
  ss_trajectory_free (self->state);
  ss_scenario_free (self->scenario);
  g_free (self->scenario_text);
  g_free (self->name);
  g_strfreev (self->places);
  g_strfreev (self->labels);
  g_array_unref (self->directions);
  if (self->parameters != NULL)
    g_array_unref (self->parameters);
  g_free (self);
}

static SsappImpactSource *
source_new (const char *name)
{
  SsappImpactSource *self = g_new0 (SsappImpactSource, 1);

  g_atomic_ref_count_init (&self->references);
  self->name = g_strdup (name);
  self->directions = g_array_new (FALSE, FALSE, sizeof (int));
  self->t = NAN;
  return self;
}

static void
set_problems (GError **error, const SsProblems *problems)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (int k = 0; k < problems->n_items; k++) {
    char line[1024];
    ss_error_format (&problems->items[k], line, sizeof line);
    g_string_append_printf (text, "%s%s", k > 0 ? "\n" : "", line);
  }
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, text->str);
}

static void
set_error (GError **error, const SsError *err)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, err->message);
}

/* Names that a bar or a legend has room for. */
static void
make_labels (SsappImpactSource *self)
{
  enum { LONGEST = 3 };
  const SsImpact *impact = self->impact;
  gboolean are_short = TRUE;

  self->labels = g_new0 (char *, (gsize)impact->m + 1);
  for (int c = 0; c < impact->m; c++)
    are_short &= g_utf8_strlen (impact->contacts[c], -1) <= LONGEST;
  for (int c = 0; c < impact->m; c++)
    self->labels[c] = are_short ? g_strdup (impact->contacts[c]) : g_strdup_printf ("%c", 'A' + c);
}

/* ---- from a file ------------------------------------------------------------------------------------------------- */

static gboolean
ends_with (const json_t *name, char letter)
{
  const char *text = json_string_value (name);
  const gsize n = text != NULL ? strlen (text) : 0;
  return n > 0 && text[n - 1] == letter && (n == 1 || text[n - 2] == ' ' || text[n - 2] == '.');
}

/* What the numbers alone do not say: which coordinates are directions, where the contacts are. */
static void
read_words (SsappImpactSource *self, const char *text)
{
  json_t *root = json_loads (text, 0, NULL), *names = json_object_get (root, "coordinates");
  json_t *contacts = json_object_get (root, "contacts");
  const int n = self->impact->n, m = self->impact->m;

  for (int k = 0; k + 1 < n && (int)json_array_size (names) == n; k++)
    if (ends_with (json_array_get (names, (size_t)k), 'x') && ends_with (json_array_get (names, (size_t)k + 1), 'y'))
      g_array_append_val (self->directions, k);
  self->places = g_new0 (char *, (gsize)m + 1);
  for (int c = 0; c < m; c++) {
    const char *where = json_string_value (json_object_get (json_array_get (contacts, (size_t)c), "where"));
    self->places[c] = g_strdup (where != NULL ? where : self->impact->contacts[c]);
  }
  json_decref (root);
  make_labels (self);
}

SsappImpactSource *
ssapp_impact_source_new_from_text (const char *text, const char *name, GError **error)
{
  g_return_val_if_fail (text != NULL && name != NULL, NULL);

  g_autoptr (SsappImpactSource) self = source_new (name);
  SsProblems problems;
  SsImpactFile *file = NULL;
  SsError err;

  ss_problems_init (&problems);
  if (ss_impact_file_read (text, strlen (text), name, &problems, &file) != SS_OK) {
    set_problems (error, &problems);
    ss_problems_clear (&problems);
    return NULL;
  }
  ss_problems_clear (&problems);
  const SsStatus status = ss_impact_new_from_file (file, &self->impact, &err);
  ss_impact_file_free (file);
  if (status != SS_OK) {
    set_error (error, &err);
    return NULL;
  }
  if (self->impact->name[0] != '\0') {
    g_free (self->name);
    self->name = g_strdup (self->impact->name);
  }
  read_words (self, text);
  return g_steal_pointer (&self);
}

SsappImpactSource *
ssapp_impact_source_new_from_file (const char *path, GError **error)
{
  g_autofree char *text = NULL, *name = g_path_get_basename (path);

  if (!ssapp_read_file (path, 0, &text, NULL, error))
    return NULL;
  return ssapp_impact_source_new_from_text (text, name, error);
}

/* ---- from a scene ------------------------------------------------------------------------------------------------ */

/* The last row not after t, or the only one of the start; of a jump there the state before it, the impact's. */
static const double *
row_at (const SsTrajectory *motion, double t)
{
  int row = 0;
  while (row + 1 < motion->n_rows && ss_trajectory_row (motion, row + 1)[0] <= t)
    row++;
  return ss_trajectory_row (motion, ss_trajectory_first_at (motion, row));
}

static gboolean
keep_state (SsappImpactSource *self, const SsTrajectory *motion, const double *row)
{
  SsError err;
  return ss_trajectory_new (motion->channels, motion->n_channels, 1, &self->state, &err) == SS_OK &&
         ss_trajectory_append (self->state, row, &err) == SS_OK;
}

static gboolean
make_from_scene (SsappImpactSource *self, const SsTrajectory *motion, double t, GError **error)
{
  const SsScene *scene = self->scenario->scene;
  SsTrajectory *start = NULL;
  SsError err;

  if (scene == NULL) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                         "Impacts need a drawn scene; this scenario is made of equations");
    return FALSE;
  }
  if (motion == NULL && ss_scenario_initial_trajectory (self->scenario, &start, &err) != SS_OK) {
    set_error (error, &err);
    return FALSE;
  }
  const SsTrajectory *from = motion != NULL ? motion : start;
  const double *row = row_at (from, t);
  g_autofree double *q = g_new0 (double, 3 * (gsize)scene->n_bodies + 1);
  g_autofree double *v = g_new0 (double, 3 * (gsize)scene->n_bodies + 1);
  gboolean done = ssapp_impact_read_state (scene, from, row, q, v, &err) == SS_OK;
  if (!done)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "The run is none of this scene: %s", err.message);
  else if (ss_impact_new_from_scene (scene, q, v, TOUCHING, &self->impact, &err) != SS_OK ||
           !keep_state (self, from, row)) {
    set_error (error, &err);
    done = FALSE;
  }
  if (motion != NULL)
    self->t = row[0];
  ss_trajectory_free (start);
  return done;
}

/* Step and most steps that the scene's file asks of the law set-valued, where they are numbers. */
static void
read_defaults (SsappImpactSource *self, const char *scenario_text)
{
  json_t *root = json_loads (scenario_text, 0, NULL);
  const json_t *options = json_object_get (json_object_get (root, "methods"), "set-valued");
  const double h = json_number_value (json_object_get (options, "step"));
  const double most = json_number_value (json_object_get (options, "max-steps"));

  if (h > 0.)
    self->impact->h = h;
  if (most >= 1. && most <= SS_IMPACT_STEPS_MAX)
    self->impact->max_steps = (int)most;
  json_decref (root);
}

static gboolean
read_scenario (SsappImpactSource *self, GError **error)
{
  SsProblems problems;

  ss_problems_init (&problems);
  const SsStatus status = ss_scenario_read (self->scenario_text, strlen (self->scenario_text), self->name, NULL, 0,
                                            &problems, &self->scenario);
  if (status != SS_OK)
    set_problems (error, &problems);
  ss_problems_clear (&problems);
  return status == SS_OK;
}

/* Takes the text. */
static SsappImpactSource *
new_from_scene (char *scenario_text, const char *name, const SsTrajectory *motion, double t, GError **error)
{
  g_autoptr (SsappImpactSource) self = source_new (name);

  self->scenario_text = scenario_text;
  if (!read_scenario (self, error) || !make_from_scene (self, motion, t, error))
    return NULL;
  read_defaults (self, self->scenario_text);
  self->places = g_new0 (char *, (gsize)self->impact->m + 1);
  for (int c = 0; c < self->impact->m; c++)
    self->places[c] = g_strdup (self->impact->contacts[c]);
  make_labels (self);
  for (int k = 0; self->impact->coordinates != NULL && k + 1 < self->impact->n; k++)
    if (self->impact->coordinates[k] % 3 == 0 && self->impact->coordinates[k + 1] == self->impact->coordinates[k] + 1)
      g_array_append_val (self->directions, k);
  return g_steal_pointer (&self);
}

SsappImpactSource *
ssapp_impact_source_new_from_impact (SsImpact *impact, const char *name)
{
  g_return_val_if_fail (impact != NULL, NULL);
  SsappImpactSource *self = source_new (name);

  self->impact = impact;
  self->places = g_new0 (char *, (gsize)impact->m + 1);
  for (int c = 0; c < impact->m; c++)
    self->places[c] = g_strdup (impact->contacts[c]);
  make_labels (self);
  return self;
}

SsappImpactSource *
ssapp_impact_source_new_from_scene (const char *scenario_text, const char *name, const SsTrajectory *motion, double t,
                                    GError **error)
{
  return new_from_scene (g_strdup (scenario_text), name, motion, t, error);
}

/* ---- parameters of the scene ------------------------------------------------------------------------------------- */

/* The text with another number for a parameter, which is written as a number or as an object with its value. */
static char *
text_with (const char *text, const char *name, double value)
{
  json_t *root = json_loads (text, 0, NULL), *parameters = json_object_get (root, "parameters");
  json_t *own = json_object_get (parameters, name);

  if (json_is_object (own))
    json_object_set_new (own, "value", json_real (value));
  else
    json_object_set_new (parameters, name, json_real (value));
  char *out = ssapp_json_text (root, TRUE);
  json_decref (root);
  return out;
}

/* By number in the scenario. A moment of a run keeps its state, a start is made anew. */
static SsappImpactSource *
derive (SsappImpactSource *self, int number, double value, GError **error)
{
  return new_from_scene (text_with (self->scenario_text, self->scenario->parameters[number].name, value), self->name,
                         isnan (self->t) ? NULL : self->state, self->t, error);
}

/* Those of which a small change is seen in the configuration's numbers, or leaves none. */
static void
find_parameters (SsappImpactSource *self)
{
  static const double SMALL = 1e-6; /* of itself, or of 1 where it is 0 */

  self->parameters = g_array_new (FALSE, FALSE, sizeof (int));
  for (int k = 0; self->scenario != NULL && k < self->scenario->n_parameters; k++) {
    const SsParameter *own = &self->scenario->parameters[k];
    const double step = own->is_integer ? 1. : own->value != 0. ? SMALL * fabs (own->value) : SMALL;
    g_autoptr (SsappImpactSource) moved =
        derive (self, k, own->value + step <= own->maximum ? own->value + step : own->value - step, NULL);
    if (moved == NULL || strcmp (moved->impact->sha256, self->impact->sha256) != 0)
      g_array_append_val (self->parameters, k);
  }
}

int
ssapp_impact_source_get_n_parameters (SsappImpactSource *self)
{
  g_return_val_if_fail (self != NULL, 0);
  if (self->parameters == NULL)
    find_parameters (self);
  return (int)self->parameters->len;
}

const SsParameter *
ssapp_impact_source_get_parameter (SsappImpactSource *self, int k)
{
  g_return_val_if_fail (k >= 0 && k < ssapp_impact_source_get_n_parameters (self), NULL);
  return &self->scenario->parameters[g_array_index (self->parameters, int, (guint)k)];
}

void
ssapp_impact_source_get_range (SsappImpactSource *self, int k, double *low, double *high)
{
  g_return_if_fail (self != NULL && k >= 0 && low != NULL && high != NULL);

  ssapp_parameter_range (ssapp_impact_source_get_parameter (self, k), low, high);
}

SsappImpactSource *
ssapp_impact_source_derive (SsappImpactSource *self, int k, double value, GError **error)
{
  g_return_val_if_fail (k >= 0 && k < ssapp_impact_source_get_n_parameters (self), NULL);
  SsappImpactSource *other = derive (self, g_array_index (self->parameters, int, (guint)k), value, error);

  if (other != NULL)
    other->parameters = g_array_ref (self->parameters); /* a slider that is dragged stays */
  return other;
}

/* ---- asking ------------------------------------------------------------------------------------------------------ */

const SsImpact *
ssapp_impact_source_get_impact (const SsappImpactSource *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->impact;
}

const char *
ssapp_impact_source_get_name (const SsappImpactSource *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->name;
}

double
ssapp_impact_source_get_time (const SsappImpactSource *self)
{
  g_return_val_if_fail (self != NULL, (double)NAN);
  return self->t;
}

const char *const *
ssapp_impact_source_get_labels (const SsappImpactSource *self)
{
  return (const char *const *)self->labels;
}

const char *
ssapp_impact_source_get_place (const SsappImpactSource *self, int contact)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->places[contact];
}

gboolean
ssapp_impact_source_has_directions (const SsappImpactSource *self)
{
  g_return_val_if_fail (self != NULL, FALSE);
  return self->directions->len > 0;
}

const SsScenario *
ssapp_impact_source_get_scenario (const SsappImpactSource *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->scenario;
}

const SsTrajectory *
ssapp_impact_source_get_state (const SsappImpactSource *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->state;
}

gboolean
ssapp_impact_source_read_state (const SsappImpactSource *self, double *q, double *v)
{
  g_return_val_if_fail (self != NULL, FALSE);
  SsError err;

  return self->scenario != NULL && ssapp_impact_read_state (self->scenario->scene, self->state,
                                                            ss_trajectory_row (self->state, 0), q, v, &err) == SS_OK;
}

const char *
ssapp_impact_source_get_scenario_text (const SsappImpactSource *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->scenario_text;
}

/* ---- variants ---------------------------------------------------------------------------------------------------- */

SsImpact *
ssapp_impact_source_make (const SsappImpactSource *self, double mu, double angle, GError **error)
{
  g_return_val_if_fail (self != NULL, NULL);
  const SsImpact *from = self->impact;
  g_autofree double *friction = g_memdup2 (from->mu, sizeof (double) * (gsize)from->m);
  g_autofree double *v = g_memdup2 (from->v, sizeof (double) * (gsize)from->n);
  SsImpactNumbers numbers = {.name = from->name,
                             .n = from->n,
                             .m = from->m,
                             .mass = from->mass,
                             .inverse_mass = from->inverse_mass,
                             .jn = from->jn,
                             .jt = from->jt,
                             .mu = friction,
                             .restitution = from->restitution,
                             .v = v,
                             .contacts = (const char *const *)from->contacts,
                             .coordinates = from->coordinates,
                             .h = from->h,
                             .max_steps = from->max_steps};
  SsImpact *impact = NULL;
  SsError err;

  for (int c = 0; c < from->m && !isnan (mu); c++)
    friction[c] = mu;
  for (guint k = 0; k < self->directions->len; k++) {
    const int x = g_array_index (self->directions, int, k);
    v[x] = cos (angle) * from->v[x] - sin (angle) * from->v[x + 1];
    v[x + 1] = sin (angle) * from->v[x] + cos (angle) * from->v[x + 1];
  }
  if (ss_impact_new (&numbers, &impact, &err) != SS_OK) {
    set_error (error, &err);
    return NULL;
  }
  return impact;
}
