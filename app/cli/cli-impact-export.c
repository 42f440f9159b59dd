/* app/cli/cli-impact-export.c: what `export` writes of stored runs of impact laws.
 *
 * Samples are those that were stored. Pictures and shares need all of them: they are drawn again, which gives the same
 * bits; the hash of the configuration says whether it is the same one.
 */
#include "app/cli/cli-common.h"

#include "app/base/ssapp-json.h"
#include "app/export/ssapp-export.h"
#include "app/export/ssapp-file-kind.h"
#include "app/impact/ssapp-impact-view.h"

#include <math.h>
#include <string.h>

static gboolean
fail (GError **error, const SsappRunRow *row, const char *what)
{
  g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED, "run %s: %s", row->id, what);
  return FALSE;
}

static gboolean
export_samples (SsappStore *store, const SsappRunRow *row, const char *path, GError **error)
{
  GError *local = NULL;
  SsappSamples *stored = ssapp_store_get_samples (store, row->id, "velocities", &local);
  gboolean ok = FALSE;

  if (stored != NULL) {
    const SsSamples table = {.n_columns = (int)g_strv_length (stored->columns),
                             .n_rows = (int)stored->n,
                             .columns = stored->columns,
                             .values = stored->values};
    ok = ssapp_export_samples_csv (&table, table.n_columns, path, &local);
  } else if (local == NULL) {
    fail (&local, row, "it has no samples");
  }
  ssapp_samples_free (stored);
  if (local != NULL)
    g_propagate_error (error, local);
  return ok;
}

/* ---- the configuration again ------------------------------------------------------------------------------------- */

static SsImpact *
read_numbers (const char *text, const SsappRunRow *row, GError **error)
{
  SsImpactFile *file = NULL;
  SsImpact *impact = NULL;
  SsProblems problems;
  SsError err = {0};

  ss_problems_init (&problems);
  if (ss_impact_file_read (text, strlen (text), row->scenario_name, &problems, &file) != SS_OK ||
      ss_impact_new_from_file (file, &impact, &err) != SS_OK)
    fail (error, row, problems.n_items > 0 ? problems.items[0].message : err.message);
  ss_problems_clear (&problems);
  ss_impact_file_free (file);
  return impact;
}

static SsImpact *
read_scene (SsappStore *store, const SsappRunRow *row, double touching, GError **error)
{
  SsScenario *scenario = cli_load_scenario (store, row, error);
  SsImpact *impact = NULL;
  SsError err = {0};

  if (scenario != NULL && scenario->scene == NULL)
    fail (error, row, "its scenario is a model in equations");
  else if (scenario != NULL && ss_impact_new_from_scene (scenario->scene, NULL, NULL, touching, &impact, &err) != SS_OK)
    fail (error, row, err.message);
  ss_scenario_free (scenario);
  return impact;
}

/* NULL with an error, also where it is not the one of the run. */
static SsImpact *
read_configuration (SsappStore *store, const SsappRunRow *row, const json_t *result, GError **error)
{
  const json_t *about = json_object_get (result, "configuration");
  const char *hash = ssapp_json_get_string (about, "hash");
  const double touching = ssapp_json_get_real (about, "touching");
  g_autofree char *text = ssapp_store_get_scenario_text (store, row->id, error);

  if (text == NULL)
    return NULL;
  SsImpact *impact = ssapp_impact_is_numbers (text)
                         ? read_numbers (text, row, error)
                         : read_scene (store, row, touching > 0 ? touching : SS_RUN_TOUCHING, error);
  if (impact != NULL && g_strcmp0 (hash, impact->sha256) != 0) {
    fail (error, row, "its scenario does not give the configuration that it was made from");
    g_clear_pointer (&impact, ss_impact_free);
  }
  return impact;
}

/* ---- the set again ----------------------------------------------------------------------------------------------- */

static void
set_option (const SsMethod *law, void *options, const char *name, const json_t *value)
{
  g_autofree char *text = json_is_string (value)    ? g_strdup (json_string_value (value))
                          : json_is_boolean (value) ? g_strdup (json_is_true (value) ? "on" : "off")
                                                    : ssapp_json_text (value, FALSE);
  const SsStatus status = ss_options_set (law->options, options, name, text, NULL);

  (void)status; /* what this version does not know has its default */
}

/* As it was asked for, with what the scenario's file says. */
static SsImpactSetOptions
read_options (const SsMethod *law, const SsappRunRow *row, const json_t *result)
{
  g_autofree void *options = g_malloc0 (law->options->size);
  json_t *asked = json_loads (row->options_json, 0, NULL);
  json_t *used = json_object_get (json_object_get (result, "method"), "options"), *value;
  const char *name;

  ss_options_init (law->options, options);
  json_object_foreach (used, name, value) set_option (law, options, name, value);
  json_object_foreach (asked, name, value) set_option (law, options, name, value);
  json_decref (asked);
  const double step = ss_method_option (law, options, "step", 0);
  return (SsImpactSetOptions){.policy = (SsImpactPolicy)ss_method_option (law, options, "policy", 0),
                              .rows = (SsImpactRows)ss_method_option (law, options, "rows", 0),
                              .draw = (SsImpactDrawKind)ss_method_option (law, options, "draw", 0),
                              .h = step > 0 ? step : NAN,
                              .max_steps = (int)ss_method_option (law, options, "max-steps", 0),
                              .n_samples = (int)ss_method_option (law, options, "samples", 1),
                              .seed = (guint64)ss_method_option (law, options, "seed", 1),
                              .n_threads = 1,
                              .restitutes = ss_method_option (law, options, "restitution", 0) != 0,
                              .closes = ss_method_option (law, options, "close", 0) != 0,
                              .epsilon = ss_method_option (law, options, "epsilon", 1)};
}

/* Takes the configuration. */
static gboolean
export_set (SsImpact *impact, const SsappRunRow *row, const json_t *result, const char *kind, double width_mm,
            const char *path, GError **error)
{
  const SsMethod *law = ss_method_find (SS_METHOD_IMPACT_LAW, row->method, NULL);
  g_autoptr (SsappImpactSource) source = ssapp_impact_source_new_from_impact (impact, row->scenario_name);

  if (law == NULL || !json_is_array (json_object_get (result, "modes")))
    return fail (error, row, "the run has outcomes, not a set of samples: samples and configuration can be written");
  const SsImpactSetOptions options = read_options (law, row, result);
  SsappImpactSet *set = ssapp_impact_set_new ();
  ssapp_impact_set_set_source (set, source);
  SsappImpactParameters parameters = *ssapp_impact_set_get_parameters (set);
  const double h = parameters.options.h;
  const int max_steps = parameters.options.max_steps;
  parameters.options = options;
  parameters.options.h = isnan (options.h) ? h : options.h;
  parameters.options.max_steps = options.max_steps > 0 ? options.max_steps : max_steps;
  /* a run that was told to end has fewer */
  parameters.options.n_samples = MAX (1, (int)ssapp_json_get_real (result, "samples"));
  ssapp_impact_set_set_parameters (set, &parameters);
  ssapp_impact_set_wait (set);
  const gboolean ok = ssapp_impact_set_export (set, kind, width_mm, path, error);
  g_object_unref (set);
  return ok;
}

gboolean
cli_export_impact (SsappStore *store, const SsappRunRow *row, const char *plot, double width_mm, const char *path,
                   GError **error)
{
  if (plot != NULL && strcmp (plot, "samples") == 0)
    return export_samples (store, row, path, error);
  g_autofree char *text = ssapp_store_get_result_json (store, row->id, error);
  if (text == NULL)
    return (error == NULL || *error == NULL) ? fail (error, row, "it has no result yet") : FALSE;
  json_t *result = json_loads (text, 0, NULL);
  SsImpact *impact = read_configuration (store, row, result, error);
  gboolean ok = FALSE;

  if (impact != NULL && plot != NULL && strcmp (plot, "configuration") == 0) {
    SsError err = {0};
    g_autofree char *numbers =
        ssapp_impact_to_json (impact, ssapp_json_get_real (result, "step"),
                              (int)json_integer_value (json_object_get (result, "max_steps")), &err);
    ok = !ssapp_endings_check ("configuration", path, error) ? FALSE
         : numbers != NULL                                   ? ssapp_write_file (path, numbers, -1, error)
                                                             : fail (error, row, err.message);
    ss_impact_free (impact);
  } else if (impact != NULL) {
    ok = export_set (impact, row, result, plot == NULL || strcmp (plot, "full") == 0 ? "figure" : "table", width_mm,
                     path, error);
  }
  json_decref (result);
  return ok;
}
