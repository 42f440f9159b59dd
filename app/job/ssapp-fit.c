/* app/job/ssapp-fit.c: see the header. */
#include "app/job/ssapp-fit.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-record.h"
#include "app/draw/ssapp-plot.h"
#include "core/ss-channel.h"

#include <gio/gio.h>
#include <math.h>
#include <string.h>

/* ---- what is free ------------------------------------------------------------------------------------------------ */

static void
clear_free (gpointer data)
{
  g_free ((char *)((SsFitFree *)data)->name);
}

/* "mu", "mu=0.1:0.9", "mu=0.1:", "mu=:0.9" */
static gboolean
read_one (const char *text, SsFitFree *free, GError **error)
{
  const char *sign = strchr (text, '=');
  gboolean ok = text[0] != '\0' && sign != text;

  *free = (SsFitFree){NULL, NAN, NAN};
  if (ok && sign != NULL) {
    g_auto (GStrv) ends = g_strsplit (sign + 1, ":", -1);
    ok = g_strv_length (ends) == 2 && (ends[0][0] == '\0' || ss_parse_double (ends[0], &free->lower)) &&
         (ends[1][0] == '\0' || ss_parse_double (ends[1], &free->upper));
  }
  if (ok)
    free->name = sign != NULL ? g_strndup (text, (gsize)(sign - text)) : g_strdup (text);
  else
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "'%s' is not free (expected NAME or NAME=LOW:HIGH)", text);
  return ok;
}

GArray *
ssapp_fit_read_free (const char *text, GError **error)
{
  g_autoptr (GArray) list = g_array_new (FALSE, TRUE, sizeof (SsFitFree));
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);

  g_array_set_clear_func (list, clear_free);
  for (int i = 0; parts[i] != NULL; i++) {
    SsFitFree one;
    if (!read_one (g_strstrip (parts[i]), &one, error))
      return NULL;
    g_array_append_val (list, one);
  }
  return g_steal_pointer (&list);
}

/* ---- estimates as text ------------------------------------------------------------------------------------------- */

char *
ssapp_fit_name (const SsFitResult *result, int estimate)
{
  g_return_val_if_fail (result != NULL && estimate < result->n_estimates && estimate >= 0, NULL);

  const SsFitEstimate *e = &result->estimates[estimate];

  return e->trial >= 0 && result->n_trials > 1 ? g_strdup_printf ("%s[%d]", e->name, e->trial + 1) : g_strdup (e->name);
}

double
ssapp_fit_unknown (const SsFitResult *result, const char *name, int trial, double fallback)
{
  g_return_val_if_fail (result != NULL, (double)NAN);
  for (int k = 0; k < result->n_estimates; k++)
    if (g_strcmp0 (result->estimates[k].name, name) == 0 &&
        (result->estimates[k].trial < 0 || result->estimates[k].trial == trial))
      return result->estimates[k].value;
  return fallback;
}

const char *
ssapp_fit_unit (const SsFitEstimate *estimate)
{
  g_return_val_if_fail (estimate != NULL, NULL);
  static const struct {
    const char *end, *unit;
  } units[] = {
      {".mass", "kg"}, {".inertia", "kg m²"}, {"time_offset", "s"}, {"gravity.x", "m/s²"}, {"gravity.y", "m/s²"}};
  const char *dot = strrchr (estimate->name, '.');

  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (g_str_has_suffix (estimate->name, units[i].end))
      return units[i].unit;
  for (int c = 0; dot != NULL && c < SS_BODY_CHANNELS; c++)
    if (strcmp (dot + 1, ss_body_channels[c]) == 0)
      return ss_quantity_unit (ss_quantity_find (dot + 1));
  return "";
}

char *
ssapp_fit_value_text (const SsFitEstimate *estimate, char **half)
{
  g_return_val_if_fail (estimate != NULL, NULL);
  const double by = (estimate->upper - estimate->lower) / 2;

  *half = NULL;
  if (!(by > 0))
    return ssapp_format_number (estimate->value, 3);
  const int decimals = 1 - (int)floor (log10 (by));
  if (decimals < 0 || decimals > 7) {
    *half = ssapp_format_number (by, 2);
    return ssapp_format_number (estimate->value, CLAMP (4 + decimals, 3, 10));
  }
  *half = g_strdup_printf ("%.*f", decimals, by);
  return g_strdup_printf ("%s%.*f", estimate->value < 0 ? "−" : "", decimals, fabs (estimate->value));
}

/* ---- the fitted motion ------------------------------------------------------------------------------------------- */

static void
take_events (SsappFitMotion *motion)
{
  json_t *list = ssapp_run_events_to_json (motion->scenario->scene, motion->run.events);
  json_t *alone = json_pack ("{s:o}", "events", list);

  motion->events = ssapp_run_events_from_json (alone);
  ssapp_run_events_find_directions (motion->events, ss_run_motion (&motion->run));
  json_decref (alone);
}

gboolean
ssapp_fit_motion_make (const SsFitJob *job, const SsFitResult *result, int trial, SsappFitMotion *motion,
                       GError **error)
{
  g_return_val_if_fail (job != NULL, FALSE);
  const SsTrajectory *table = job->trials[trial];
  const char *text = result->scenarios[trial];
  SsProblems problems;
  SsError err = {0};

  *motion = (SsappFitMotion){.offset = ssapp_fit_unknown (result, "time_offset", trial, 0),
                             .scale = ssapp_fit_unknown (result, "scale", trial, 1)};
  motion->t_end = ss_trajectory_row (table, table->n_rows - 1)[0] - motion->offset;
  ss_problems_init (&problems);
  if (ss_scenario_read (text, strlen (text), job->scenario->file, NULL, 0, &problems, &motion->scenario) != SS_OK)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED,
                         problems.n_items > 0 ? problems.items[0].message : "the fitted scenario could not be read");
  ss_problems_clear (&problems);
  if (motion->scenario == NULL)
    return FALSE;
  SsJob simulation = ss_job (job->method, motion->scenario, job->options);
  simulation.simulate.dt = job->dt;
  simulation.simulate.t_end = motion->t_end;
  if (ss_run (&simulation, NULL, &motion->run, &err) != SS_OK || ss_run_motion (&motion->run) == NULL) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED,
                         err.message[0] != '\0' ? err.message : motion->run.message);
    ssapp_fit_motion_clear (motion);
    return FALSE;
  }
  take_events (motion);
  return TRUE;
}

void
ssapp_fit_motion_clear (SsappFitMotion *motion)
{
  if (motion->scenario != NULL)
    ss_run_result_clear (&motion->run);
  g_clear_pointer (&motion->events, g_array_unref);
  ss_scenario_free (motion->scenario);
  *motion = (SsappFitMotion){0};
}

/* ---- results as JSON --------------------------------------------------------------------------------------------- */

typedef struct {
  SsFitEstimate of;
  json_t *interval;
} Told;

static const SsappRecordField estimate_fields[] = {
    SSAPP_FIELD (Told, of.value, "value", REAL, "", "that fits best"),
    SSAPP_FIELD (Told, of.standard_error, "standard_error", REAL, "", "null: none"),
    SSAPP_FIELD_AS (Told, interval, "interval", "null|[real]", false, "", "95 % interval; null: none"),
    SSAPP_FIELD (Told, of.is_identifiable, "identifiable", FLAG, "", "whether the data bound it from both sides"),
    SSAPP_FIELD_FREE (Told, of.at_least, "at_least", REAL, "", "where they do not: the bound that they tell"),
    SSAPP_FIELD_FREE (Told, of.at_most, "at_most", REAL, "", "the other bound"),
    SSAPP_FIELD_FREE (Told, of.why, "why", NAME, "", "why it is not identifiable")};
static const SsappRecord estimate_record = SSAPP_RECORD (Told, estimate_fields);

static const SsappRecordField residual_fields[] = {
    SSAPP_FIELD (SsFitResidual, n_values, "values", INTEGER, "", "how many were measured"),
    SSAPP_FIELD (SsFitResidual, rms, "rms", REAL, "", "root mean square of all"),
    SSAPP_FIELD (SsFitResidual, scale, "deviation", REAL, "", "robust deviation"),
    SSAPP_FIELD (SsFitResidual, noise, "noise", REAL, "", "deviation of the noise by the data alone; null: unknown"),
    SSAPP_FIELD (SsFitResidual, outliers, "outliers", REAL, "", "share of those beyond 4 deviations"),
    SSAPP_FIELD (SsFitResidual, pattern, "pattern", REAL, "", "correlation of residuals that follow each other")};
static const SsappRecord residual_record = SSAPP_RECORD (SsFitResidual, residual_fields);

static const SsappRecordField effort_fields[] = {
    SSAPP_FIELD (SsFitResult, n_trials, "trials", INTEGER, "", "measured motions"),
    SSAPP_FIELD (SsFitResult, n_values, "values", INTEGER, "", "measured numbers"),
    SSAPP_FIELD (SsFitResult, n_steps, "steps", INTEGER, "", "of the search"),
    SSAPP_FIELD (SsFitResult, n_starts, "starts", INTEGER, "", "that were looked at"),
    SSAPP_FIELD (SsFitResult, n_sequences, "sequences", INTEGER, "", "of events, among the starts"),
    SSAPP_FIELD (SsFitResult, n_simulations, "simulations", INTEGER, "", "of all trials together"),
    SSAPP_FIELD (SsFitResult, cpu_seconds, "cpu_seconds", REAL, "s", "CPU time")};
static const SsappRecord effort_record = SSAPP_RECORD (SsFitResult, effort_fields);

static json_t *
estimate_to_json (const SsFitEstimate *e)
{
  Told told = {*e,
               isnan (e->lower) ? NULL : json_pack ("[o, o]", ssapp_json_real (e->lower), ssapp_json_real (e->upper))};

  return ssapp_record_give_to_json (&estimate_record, &told);
}

static json_t *
correlation_to_json (const SsFitResult *result)
{
  json_t *names = json_array (), *rows = json_array ();

  for (int k = 0; k < result->n_estimates; k++) {
    g_autofree char *name = ssapp_fit_name (result, k);
    json_array_append_new (names, json_string (name));
    json_array_append_new (rows, ssapp_json_reals (&result->correlation[k * result->n_estimates], result->n_estimates));
  }
  return json_pack ("{s:o, s:o}", "names", names, "matrix", rows);
}

json_t *
ssapp_fit_to_json (const SsFitResult *result, SsFitLoss loss)
{
  g_return_val_if_fail (result != NULL, NULL);
  json_t *estimates = json_object (), *residuals = json_object (), *profiles = json_object ();

  for (int k = 0; k < result->n_estimates; k++) {
    g_autofree char *name = ssapp_fit_name (result, k);
    json_object_set_new (estimates, name, estimate_to_json (&result->estimates[k]));
  }
  for (int i = 0; i < result->n_residuals; i++)
    json_object_set_new (residuals, result->residuals[i].name,
                         ssapp_record_to_json (&residual_record, &result->residuals[i]));
  for (int i = 0; i < result->n_profiles; i++) {
    const SsFitProfile *p = &result->profiles[i];
    g_autofree char *name = ssapp_fit_name (result, p->estimate);
    json_object_set_new (profiles, name,
                         json_pack ("{s:o, s:o}", "values", ssapp_json_reals (p->values, p->n), "rise",
                                    ssapp_json_reals (p->losses, p->n)));
  }
  json_t *object =
      json_pack ("{s:i, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:{s:s, s:o, s:o}}", "format", 1, "outcome",
                 ss_outcome_name (result->outcome), "verdict", ss_fit_verdict_name (result->verdict), "message",
                 result->message, "estimates", estimates, "residuals", residuals, "correlation",
                 correlation_to_json (result), "profiles", profiles, "loss", "name", ss_fit_loss_name (loss), "value",
                 ssapp_json_real (result->loss), "bic", ssapp_json_real (result->criterion));
  ssapp_record_add_to_json (&effort_record, result, object);
  return object;
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

SsappTable *
ssapp_fit_to_table (const SsFitResult *result, const char *title)
{
  g_return_val_if_fail (result != NULL, NULL);
  SsappTable *table = ssapp_table_new (title);

  ssapp_table_add_text_column (table, "unknown", "Unknown");
  ssapp_table_add_number_column (table, "value", "Value", "", "%.6g", SSAPP_BEST_NONE);
  ssapp_table_add_number_column (table, "standard_error", "Standard error", "", "%.2g", SSAPP_BEST_NONE);
  ssapp_table_add_number_column (table, "lower", "95 % from", "", "%.6g", SSAPP_BEST_NONE);
  ssapp_table_add_number_column (table, "upper", "to", "", "%.6g", SSAPP_BEST_NONE);
  ssapp_table_add_text_column (table, "identifiable", "Told by the data");
  for (int k = 0; k < result->n_estimates; k++) {
    const SsFitEstimate *e = &result->estimates[k];
    g_autofree char *name = ssapp_fit_name (result, k);
    ssapp_table_begin_row (table);
    ssapp_table_add_text (table, name);
    ssapp_table_add_number (table, e->value);
    ssapp_table_add_number (table, e->standard_error);
    ssapp_table_add_number (table, e->is_identifiable ? e->lower : e->at_least);
    ssapp_table_add_number (table, e->is_identifiable ? e->upper : e->at_most);
    ssapp_table_add_text (table, e->is_identifiable ? "yes" : "no");
  }
  for (int k = 0; k < result->n_estimates; k++) {
    g_autofree char *name = ssapp_fit_name (result, k);
    g_autofree char *note = g_strdup_printf ("%s: %s", name, result->estimates[k].why);
    if (result->estimates[k].why[0] != '\0')
      ssapp_table_add_note (table, note);
  }
  if (result->message[0] != '\0')
    ssapp_table_add_note (table, result->message);
  return table;
}

SsappTable *
ssapp_fit_residuals_to_table (const SsFitResult *result)
{
  g_return_val_if_fail (result != NULL, NULL);
  SsappTable *table = ssapp_table_new ("Residuals");

  ssapp_table_add_text_column (table, "channel", "Channel");
  ssapp_table_add_number_column (table, "values", "Values", "", "%.0f", SSAPP_BEST_NONE);
  ssapp_table_add_number_column (table, "rms", "RMS", "", "%.3g", SSAPP_BEST_NONE);
  ssapp_table_add_number_column (table, "deviation", "Deviation", "", "%.3g", SSAPP_BEST_NONE);
  ssapp_table_add_number_column (table, "noise", "Noise of the data", "", "%.3g", SSAPP_BEST_NONE);
  ssapp_table_add_number_column (table, "outliers", "Outliers", "%", "%.1f", SSAPP_BEST_NONE);
  ssapp_table_add_number_column (table, "pattern", "Pattern", "", "%.2f", SSAPP_BEST_NONE);
  for (int i = 0; i < result->n_residuals; i++) {
    const SsFitResidual *r = &result->residuals[i];
    ssapp_table_begin_row (table);
    ssapp_table_add_text (table, r->name);
    ssapp_table_add_number (table, r->n_values);
    ssapp_table_add_number (table, r->rms);
    ssapp_table_add_number (table, r->scale);
    ssapp_table_add_number (table, r->noise);
    ssapp_table_add_number (table, 100 * r->outliers);
    ssapp_table_add_number (table, r->pattern);
  }
  return table;
}

SsappTable *
ssapp_fit_values_to_table (const SsFitResult *result)
{
  g_return_val_if_fail (result != NULL, NULL);
  static const char *const keys[] = {"t", "measured", "fitted", "residual"};
  static const char *const titles[] = {"t", "Measured", "Fitted", "Measured - fitted"};
  SsappTable *table = ssapp_table_new ("Measured and fitted");

  ssapp_table_add_number_column (table, "trial", "Trial", "", "%.0f", SSAPP_BEST_NONE);
  ssapp_table_add_text_column (table, "channel", "Channel");
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    ssapp_table_add_number_column (table, keys[i], titles[i], i == 0 ? "s" : "", "%.6g", SSAPP_BEST_NONE);
  for (int i = 0; i < result->n_values; i++) {
    const SsFitValue *v = &result->values[i];
    ssapp_table_begin_row (table);
    ssapp_table_add_number (table, v->trial + 1);
    ssapp_table_add_text (table, result->residuals[v->residual].name);
    ssapp_table_add_number (table, v->t);
    ssapp_table_add_number (table, v->measured);
    ssapp_table_add_number (table, v->predicted);
    ssapp_table_add_number (table, v->measured - v->predicted);
  }
  return table;
}
