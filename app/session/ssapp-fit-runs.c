/* app/session/ssapp-fit-runs.c: see the header. */
#include "app/session/ssapp-fit-runs.h"

#include "app/base/ssapp-json.h"
#include "app/job/ssapp-fit.h"
#include "app/job/ssapp-result.h"
#include "app/session/ssapp-import-motion.h"

#include <math.h>

static gboolean
fail (GError **error, const char *message)
{
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s", message);
  return FALSE;
}

/* ---- the fitted run ---------------------------------------------------------------------------------------------- */

static SsappJobSpec *
new_spec (const SsFitJob *job, const char *text, GPtrArray *option_names, GPtrArray *option_values, double t_end)
{
  SsappJobSpec *spec = ssapp_job_spec_new ();

  spec->kind = SS_METHOD_INTEGRATOR;
  spec->scenario_text = g_strdup (text);
  spec->scenario_file = g_strdup ("");
  spec->method = g_strdup (job->method->name);
  spec->dt = job->dt;
  spec->t_end = t_end;
  for (guint i = 0; i < option_names->len; i++) {
    g_ptr_array_add (spec->option_names, g_strdup (g_ptr_array_index (option_names, i)));
    g_ptr_array_add (spec->option_values, g_strdup (g_ptr_array_index (option_values, i)));
  }
  return spec;
}

static char *
note_of (const SsFitResult *result, const char *path)
{
  g_autofree char *base = g_path_get_basename (path), *name = g_filename_display_name (base);
  GString *note = g_string_new ("");

  g_string_printf (note, "fit of %s", name);
  for (int k = 0, n = 0; k < result->n_estimates && n < 4; k++)
    if (result->estimates[k].trial < 0) {
      const SsFitEstimate *e = &result->estimates[k];
      g_string_append_printf (note, "%s%s %.4g", n++ == 0 ? ": " : ", ", e->name, e->value);
      if (e->is_identifiable)
        g_string_append_printf (note, " ± %.2g", (e->upper - e->lower) / 2);
      else
        g_string_append (note, " (not told by the data)");
    }
  return g_string_free (note, FALSE);
}

static gboolean
write_fitted (SsappStore *store, const SsappJobSpec *spec, const SsScenario *scenario, const SsFitJob *job,
              const SsRunResult *run, const char *note, GError **error)
{
  json_t *json = ssapp_result_new (spec, scenario, job->method, job->options, NULL, run, 0);
  g_autofree char *options = ssapp_job_spec_options_json (spec), *parameters = ssapp_job_spec_parameters_json (spec);
  g_autofree char *text = ssapp_json_text (json, FALSE);

  json_decref (json);
  return ssapp_store_record (store, spec->id, spec->scenario_text, scenario->name,
                             (SsMethodId){spec->kind, spec->method}, options, parameters, 0, error) &&
         ssapp_store_finish (store, spec->id, text, ss_run_motion (run), error) && ssapp_store_flush (store, error) &&
         ssapp_store_set_note (store, spec->id, note, error);
}

/* ---- the measured run -------------------------------------------------------------------------------------------- */

/* Channels of bodies that can move, x, y, theta each, behind t. */
static GPtrArray *
channels_of (const SsScene *scene)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (names, g_strdup ("t"));
  for (int b = 0; b < scene->n_bodies; b++)
    for (int c = 0; c < 3 && !scene->bodies[b].is_fixed; c++)
      g_ptr_array_add (names, g_strdup_printf ("%s.%s", scene->bodies[b].name, ss_body_channels[c]));
  return names;
}

/* The table in true lengths, what it lacks from the motion; *n_filled of its cells. */
static SsTrajectory *
complete (const SsFitJob *job, const SsFitResult *result, int trial, const SsTrajectory *motion, int *n_filled,
          GError **error)
{
  const SsTrajectory *table = job->trials[trial];
  const double offset = ssapp_fit_unknown (result, "time_offset", trial, 0),
               scale = ssapp_fit_unknown (result, "scale", trial, 1);
  g_autoptr (GPtrArray) names = channels_of (job->scenario->scene);
  g_autofree double *row = g_new0 (double, names->len), *fitted = g_new0 (double, motion->n_channels);
  SsTrajectory *out = NULL;
  SsError err;

  *n_filled = 0;
  if (ss_trajectory_new_named ((const char *const *)names->pdata, (int)names->len, table->n_rows, &out, &err) !=
      SS_OK) {
    fail (error, err.message);
    return NULL;
  }
  for (int k = 0; k < table->n_rows; k++) {
    const double *measured = ss_trajectory_row (table, k);
    row[0] = measured[0];
    ss_trajectory_sample_motion (motion, row[0] - offset, fitted);
    for (guint c = 1; c < names->len; c++) {
      const int from = ss_trajectory_channel (table, g_ptr_array_index (names, c));
      const int of = ss_trajectory_channel (motion, g_ptr_array_index (names, c));
      const gboolean is_there = from >= 0 && isfinite (measured[from]);
      row[c] = is_there ? measured[from] / ((c - 1) % 3 < 2 ? scale : 1) : fitted[of];
      *n_filled += !is_there;
    }
    if (ss_trajectory_append (out, row, &err) != SS_OK) {
      fail (error, err.message);
      ss_trajectory_free (out);
      return NULL;
    }
  }
  return out;
}

static char *
store_measured (SsappStore *store, const SsFitJob *job, const SsFitResult *result, int trial, const char *path,
                const SsScenario *scenario, const SsTrajectory *motion, GError **error)
{
  int n_filled;
  SsTrajectory *table = complete (job, result, trial, motion, &n_filled, error);
  g_autofree char *base = g_path_get_basename (path), *name = g_filename_display_name (base);
  g_autofree char *note = g_strdup_printf ("measured, from %s%s", name,
                                           n_filled > 0 ? "; coordinates and frames that it lacks are the fit's" : "");

  return table != NULL
             ? ssapp_import_table (store, scenario, scenario->text, table, name, note, &SSAPP_IMPORT_CLAIMS_NONE, error)
             : NULL;
}

/* ---- both -------------------------------------------------------------------------------------------------------- */

gboolean
ssapp_fit_store_trial (SsappStore *store, const SsFitJob *job, const SsFitResult *result, int trial, const char *path,
                       GPtrArray *option_names, GPtrArray *option_values, char **measured, char **fitted,
                       GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (store) && result != NULL && trial < result->n_trials && trial >= 0 &&
                            measured != NULL && fitted != NULL,
                        FALSE);

  SsappFitMotion motion;
  gboolean ok = FALSE;

  *measured = *fitted = NULL;
  if (!ssapp_fit_motion_make (job, result, trial, &motion, error))
    return FALSE;
  SsappJobSpec *spec = new_spec (job, result->scenarios[trial], option_names, option_values, motion.t_end);
  g_autofree char *note = note_of (result, path);
  *measured = store_measured (store, job, result, trial, path, motion.scenario, ss_run_motion (&motion.run), error);
  ok = *measured != NULL && write_fitted (store, spec, motion.scenario, job, &motion.run, note, error);
  if (ok)
    *fitted = g_strdup (spec->id);
  ssapp_job_spec_free (spec);
  ssapp_fit_motion_clear (&motion);
  return ok;
}
