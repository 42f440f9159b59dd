/* app/session/ssapp-import-motion.c: see the header. */
#include "app/session/ssapp-import-motion.h"

#include "app/base/ssapp-file.h"
#include "app/base/ssapp-import.h"
#include "app/base/ssapp-json.h"
#include "app/job/ssapp-result.h"
#include "run/ss-run-table.h"
#include "run/ss-run.h"

#include <math.h>
#include <string.h>

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

G_GNUC_PRINTF (3, 4)
static gboolean
fail (GError **error, const char *path, const char *format, ...)
{
  va_list list;

  va_start (list, format);
  g_autofree char *text = g_strdup_vprintf (format, list);
  va_end (list);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s: %s", path, text);
  return FALSE;
}

/* A number, or null for one that is not known. */
static gboolean
number_of (const json_t *value, double *out)
{
  *out = json_is_number (value) ? json_number_value (value) : NAN;
  return json_is_number (value) || json_is_null (value);
}

static gboolean
append_row (SsTrajectory *table, const double *row, const char *path, GError **error)
{
  const int n = table->n_rows;

  if (!isfinite (row[0]) || (n > 0 && row[0] < ss_trajectory_row (table, n - 1)[0]))
    return fail (error, path, "row %d: the times must be finite and not descend, but t is %.9g", n + 1, row[0]);
  return ss_trajectory_append (table, row, NULL) == SS_OK || fail (error, path, "out of memory");
}

static SsTrajectory *
new_table (const char **names, int n, const char *path, GError **error)
{
  SsTrajectory *table = NULL;
  SsError err = {0};

  if (ss_trajectory_new_named (names, n, 256, &table, &err) != SS_OK)
    fail (error, path, "%s", err.message);
  return table;
}

/* {"channels": [...], "rows": [[...], ...]}, t anywhere. */
static SsTrajectory *
read_rows (const json_t *channels, const json_t *rows, const char *path, GError **error)
{
  const int n = (int)json_array_size (channels);
  g_autofree const char **names = g_new0 (const char *, n + 1);
  g_autofree double *row = g_new (double, n + 1);
  int time = -1;

  for (int c = 0; c < n; c++) {
    names[c] = json_string_value (json_array_get (channels, (size_t)c));
    if (names[c] == NULL) {
      fail (error, path, "“channels” is a list of names");
      return NULL;
    }
  }
  time = ssapp_import_time (names, n);
  if (time < 0) {
    fail (error, path, "there is no channel t");
    return NULL;
  }
  names[time] = names[0];
  names[0] = "t";
  SsTrajectory *table = new_table (names, n, path, error);
  for (size_t k = 0; table != NULL && k < json_array_size (rows); k++) {
    const json_t *values = json_array_get (rows, k);
    gboolean ok = json_array_size (values) == (size_t)n;
    if (!ok)
      fail (error, path, "row %zu has %zu values (expected %d)", k + 1, json_array_size (values), n);
    for (int c = 0; ok && c < n; c++) {
      const int to = c == time ? 0 : c == 0 ? time : c;
      ok = number_of (json_array_get (values, (size_t)c), &row[to]);
      if (!ok)
        fail (error, path, "row %zu: the value of %s is no number", k + 1, names[to]);
    }
    if (!ok || !append_row (table, row, path, error))
      g_clear_pointer (&table, ss_trajectory_free);
  }
  return table;
}

/* {"t": [...], "box.x": [...]}; members that are no arrays are words about it. */
static SsTrajectory *
read_members (const json_t *object, const char *path, GError **error)
{
  const json_t *times = json_object_get (object, "t"), *value;
  g_autoptr (GPtrArray) names = g_ptr_array_new (), columns = g_ptr_array_new ();
  const size_t n_rows = json_array_size (times);
  const char *key;

  if (!json_is_array (times)) {
    fail (error, path,
          "there is no channel t: expected {\"t\": [...], \"box.x\": [...]} or {\"channels\": [...], "
          "\"rows\": [...]}");
    return NULL;
  }
  g_ptr_array_add (names, (char *)"t");
  g_ptr_array_add (columns, (json_t *)times);
  json_object_foreach ((json_t *)object, key, value)
  {
    if (!json_is_array (value) || strcmp (key, "t") == 0)
      continue;
    if (json_array_size (value) != n_rows) {
      fail (error, path, "%s has %zu values, but t has %zu", key, json_array_size (value), n_rows);
      return NULL;
    }
    g_ptr_array_add (names, (char *)key);
    g_ptr_array_add (columns, (json_t *)value);
  }
  g_autofree double *row = g_new (double, names->len);
  SsTrajectory *table = new_table ((const char **)names->pdata, (int)names->len, path, error);
  for (size_t k = 0; table != NULL && k < n_rows; k++) {
    gboolean ok = TRUE;
    for (guint c = 0; ok && c < names->len; c++) {
      ok = number_of (json_array_get (g_ptr_array_index (columns, c), k), &row[c]);
      if (!ok)
        fail (error, path, "%s, value %zu: no number", (const char *)g_ptr_array_index (names, c), k + 1);
    }
    if (!ok || !append_row (table, row, path, error))
      g_clear_pointer (&table, ss_trajectory_free);
  }
  return table;
}

static SsTrajectory *
read_json (const char *path, GError **error)
{
  g_autofree char *text = NULL;
  gsize length;
  json_error_t why;

  if (!ssapp_read_file (path, 0, &text, &length, error))
    return NULL;
  json_t *json = json_loadb (text, length, 0, &why);
  if (json == NULL) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s:%d:%d: %s", path, why.line, why.column, why.text);
    return NULL;
  }
  const json_t *channels = json_object_get (json, "channels"), *rows = json_object_get (json, "rows");
  SsTrajectory *table = json_is_array (channels) && json_is_array (rows) ? read_rows (channels, rows, path, error)
                                                                         : read_members (json, path, error);
  json_decref (json);
  return table;
}

SsTrajectory *
ssapp_import_read_table (const char *path, GError **error)
{
  g_autofree char *lower = g_ascii_strdown (path, -1);

  if (g_str_has_suffix (lower, ".json"))
    return read_json (path, error);
  if (g_str_has_suffix (lower, ".csv"))
    return ssapp_import_gappy_csv (path, error);
  fail (error, path, "a motion is a table: expected a name ending in .csv or .json");
  return NULL;
}

/* ---- against the scene ------------------------------------------------------------------------------------------- */

static gboolean
missing (const SsTrajectory *table, const char *name, GError **error)
{
  g_autofree const char **names = g_new0 (const char *, table->n_channels);

  for (int c = 0; c < table->n_channels; c++)
    names[c] = table->channels[c].name;
  const char *nearest = ss_nearest_name (name, names, table->n_channels);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
               nearest != NULL ? "the table has no column %s, which the scene needs; it has %s"
                               : "the table has no column %s, which the scene needs",
               name, nearest);
  return FALSE;
}

gboolean
ssapp_import_check (const SsScenario *scenario, SsTrajectory *table, GPtrArray *warnings, GError **error)
{
  g_return_val_if_fail (scenario != NULL, FALSE);
  static const char *const coordinates[] = {"x", "y", "theta"};
  const SsScene *scene = scenario->scene;
  SsError err = {0};

  if (table->n_rows < 2) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "the table has fewer than two rows");
    return FALSE;
  }
  for (int i = 0; scene != NULL && i < scene->n_bodies; i++) /* a model's variables are looked for when it is judged */
    for (guint c = 0; c < G_N_ELEMENTS (coordinates); c++) {
      g_autofree char *name = g_strdup_printf ("%s.%s", scene->bodies[i].name, coordinates[c]);
      const int channel = ss_trajectory_channel (table, name);
      if (channel < 0 && !scene->bodies[i].is_fixed)
        return missing (table, name, error);
      for (int k = 0; channel >= 0 && k < table->n_rows; k++)
        if (!isfinite (ss_trajectory_row (table, k)[channel])) {
          g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "row %d (t = %.9g s): %s is not finite", k + 1,
                       ss_trajectory_row (table, k)[0], name);
          return FALSE;
        }
    }
  if (ss_scenario_describe (scenario, table, &err) != SS_OK) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, err.message);
    return FALSE;
  }
  for (int c = 1; warnings != NULL && c < table->n_channels; c++)
    if (table->channels[c].quantity == SS_QUANTITY_UNKNOWN)
      g_ptr_array_add (warnings,
                       g_strdup_printf ("the scenario knows no channel %s: its numbers are kept, and no metric "
                                        "reads them",
                                        table->channels[c].name));
  return TRUE;
}

/* ---- into the project -------------------------------------------------------------------------------------------- */

/* FALSE: the name is of a method of ours, whose runs are made and not told. */
static gboolean
check_claims (const SsappImportClaims *claims, GError **error)
{
  for (int kind = 0; claims->method != NULL && kind < SS_METHOD_KIND_COUNT; kind++)
    if (ss_method_find ((SsMethodKind)kind, claims->method, NULL) != NULL) {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                   "%s is a method of this program, whose runs are made and not imported: choose another name, such as "
                   "%s-elsewhere",
                   claims->method, claims->method);
      return FALSE;
    }
  return TRUE;
}

static SsappJobSpec *
make_spec (const SsScenario *scenario, const char *text, const SsappImportClaims *claims)
{
  SsappJobSpec *spec = ssapp_job_spec_new ();
  const gboolean is_named = claims->method != NULL && *claims->method != '\0';

  spec->kind = scenario->scene != NULL ? SS_METHOD_INTEGRATOR : SS_METHOD_OPTIMISER;
  spec->scenario_text = g_strdup (text);
  spec->scenario_file = g_strdup ("");
  spec->method = g_strdup (is_named ? claims->method : SSAPP_IMPORTED_METHOD);
  for (int i = 0; i < scenario->n_parameters; i++)
    if (scenario->parameters[i].is_overridden) {
      g_ptr_array_add (spec->parameter_names, g_strdup (scenario->parameters[i].name));
      g_array_append_val (spec->parameter_values, scenario->parameters[i].value);
    }
  return spec;
}

static gboolean
write_run (SsappStore *store, const SsappJobSpec *spec, const SsScenario *scenario, const SsRunResult *result,
           const GPtrArray *warnings, const char *note, const char *options, GError **error)
{
  json_t *json = ssapp_result_new (spec, scenario, NULL, NULL, NULL, result, 0), *list = json_array ();
  g_autofree char *parameters = ssapp_job_spec_parameters_json (spec);

  for (guint i = 0; i < warnings->len; i++)
    json_array_append_new (list, json_string (g_ptr_array_index (warnings, i)));
  json_object_set_new (json, "warnings", list);
  g_autofree char *text = ssapp_json_text (json, FALSE);
  json_decref (json);
  if (!ssapp_store_record (store, spec->id, spec->scenario_text, scenario->name, (SsMethodId){spec->kind, spec->method},
                           options != NULL ? options : "{}", parameters, 0, error))
    return FALSE;
  for (guint i = 0; i < warnings->len; i++)
    if (!ssapp_store_add_log (store, spec->id, 0, SS_LOG_WARNING, g_ptr_array_index (warnings, i), error))
      return FALSE;
  return ssapp_store_finish (store, spec->id, text, ss_run_motion (result), error) &&
         ssapp_store_flush (store, error) && ssapp_store_set_note (store, spec->id, note, error);
}

/* Of a scene, or of a model, whose outcome its violations tell. The table is taken. */
static gboolean
make_result (const SsScenario *scenario, SsTrajectory *table, SsRunResult *result, GError **error)
{
  SsError err = {0};
  const SsStatus status = ss_run_result_from_table (scenario, &table, result, &err);

  if (status != SS_OK)
    g_set_error_literal (error, G_IO_ERROR, status == SS_ERR_INVALID ? G_IO_ERROR_INVALID_DATA : G_IO_ERROR_FAILED,
                         err.message);
  return status == SS_OK;
}

char *
ssapp_import_table (SsappStore *store, const SsScenario *scenario, const char *text, SsTrajectory *table,
                    const char *path, const char *note, const SsappImportClaims *claims, GError **error)
{
  g_autoptr (GPtrArray) warnings = g_ptr_array_new_with_free_func (g_free);
  SsRunResult result;
  GError *local = NULL;
  char *id = NULL;

  if (!check_claims (claims, error)) {
    ss_trajectory_free (table);
    return NULL;
  }
  if (!ssapp_import_check (scenario, table, warnings, &local)) {
    g_propagate_prefixed_error (error, local, "%s: ", path);
    ss_trajectory_free (table);
    return NULL;
  }
  if (!make_result (scenario, table, &result, &local)) {
    g_propagate_prefixed_error (error, local, "%s: ", path);
    return NULL;
  }
  const SsTrajectory *motion = ss_run_motion (&result);
  const double violation = ss_metric_get (&result.metrics, SS_METRIC_MAX_VIOLATION);
  g_autofree char *feasible = isfinite (violation) ? g_strdup_printf ("; largest violation %.3g", violation) : NULL;
  g_snprintf (result.message, sizeof result.message, "imported: %d rows to t = %.9g s%s", motion->n_rows,
              ss_trajectory_row (motion, motion->n_rows - 1)[0], feasible != NULL ? feasible : "");
  if (!isnan (claims->seconds))
    ss_metric_set (&result.metrics, SS_METRIC_SOLVE_SECONDS, claims->seconds);
  if (claims->iterations >= 0)
    ss_metric_set (&result.metrics, SS_METRIC_ITERATIONS, claims->iterations);
  SsappJobSpec *spec = make_spec (scenario, text, claims);
  if (write_run (store, spec, scenario, &result, warnings, note, claims->options, error))
    id = g_strdup (spec->id);
  ssapp_job_spec_free (spec);
  ss_run_result_clear (&result);
  return id;
}

char *
ssapp_import_motion (SsappStore *store, const SsScenario *scenario, const char *text, const char *path,
                     const SsappImportClaims *claims, GError **error)
{
  g_autofree char *base = g_path_get_basename (path), *name = g_filename_display_name (base);
  g_autofree char *note = g_strdup_printf ("imported from %s", name);
  SsTrajectory *table = ssapp_import_read_table (path, error);

  return table != NULL ? ssapp_import_table (store, scenario, text, table, path, note, claims, error) : NULL;
}
