/* app/impact/ssapp-impact-export.c: the set as files, as a stored run, as starts of simulations. */
#include "app/base/ssapp-json.h"
#include "app/export/ssapp-export.h"
#include "app/export/ssapp-file-kind.h"
#include "app/impact/ssapp-impact-view.h"
#include "app/job/ssapp-impact-result.h"
#include "app/job/ssapp-result-samples.h"
#include "app/job/ssapp-result.h"

#include <math.h>
#include <string.h>

/* ---- files ------------------------------------------------------------------------------------------------------- */

static void
paint_page (cairo_t *cr, const SsappStyle *style, gconstpointer data, double width, double height)
{
  static const double GAP = 0.03, UPPER = 0.62;
  SsappImpactSet *set = (SsappImpactSet *)data;
  const double gap = GAP * width, half = (width - gap) / 2, upper = UPPER * height;
  SsappImpactOutcome outcome;

  if (!ssapp_impact_set_get_outcome (set, &outcome)) {
    ssapp_impact_view_draw (set, SSAPP_IMPACT_VIEW_PLANE, cr, style, 0, 0, half, height);
    ssapp_impact_view_draw (set, SSAPP_IMPACT_VIEW_PLANE_2, cr, style, half + gap, 0, half, height);
    return;
  }
  ssapp_impact_view_draw (set, SSAPP_IMPACT_VIEW_PLANE, cr, style, 0, 0, half, upper);
  ssapp_impact_view_draw (set, SSAPP_IMPACT_VIEW_PLANE_2, cr, style, half + gap, 0, half, upper);
  ssapp_impact_view_draw (set, SSAPP_IMPACT_VIEW_SEQUENCE, cr, style, 0, upper + gap, width, height - upper - gap);
}

static gboolean
export_page (SsappImpactSet *set, double width_mm, const char *path, GError **error)
{
  const double width = (width_mm > 0. ? width_mm : 180.) / 25.4 * 72.;
  const gboolean has_chosen = ssapp_impact_set_get_chosen (set) >= 0;

  return ssapp_export_painted (paint_page, set, "Set of velocities after an impact", width_mm > 0. ? width_mm : 180.,
                               width * (has_chosen ? 0.72 : 0.46), 300., path, error);
}

static char *
samples_to_csv (SsappImpactSet *set)
{
  const SsImpact *impact = ssapp_impact_set_get_impact (set);
  GString *text = g_string_new ("sample");
  SsappImpactTotals totals;

  ssapp_impact_set_get_totals (set, &totals);
  for (int c = 0; c < 2 * impact->m; c++) {
    g_autofree char *name = g_strdup_printf ("%s_%s", c < impact->m ? "vn" : "vt", impact->contacts[c % impact->m]);
    g_string_append_c (text, ',');
    ssapp_csv_append_text (text, name);
  }
  g_string_append (text, ",energy_kept,mode\n");
  for (gint64 k = 0; k < totals.n; k++) {
    const guint16 mode = ssapp_impact_set_get_modes (set)[k];
    g_string_append_printf (text, "%" G_GINT64_FORMAT, k);
    for (int c = 0; c < 2 * impact->m; c++) {
      g_string_append_c (text, ',');
      ssapp_csv_append_number (text, ssapp_impact_set_get_column (set, c)[k]);
    }
    g_string_append_c (text, ',');
    ssapp_csv_append_number (text, ssapp_impact_set_get_energies (set)[k]);
    g_string_append_c (text, ',');
    ssapp_csv_append_text (text, mode == SSAPP_IMPACT_NO_MODE ? "" : ssapp_impact_set_get_mode (set, mode)->name);
    g_string_append_c (text, '\n');
  }
  return g_string_free (text, FALSE);
}

/* Names of contacts may hold what LaTeX takes for commands; arrows are its own. */
static void
append_latex (GString *out, const char *text)
{
  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p)) {
    const gunichar c = g_utf8_get_char (p);
    if (c == 0x2192)
      g_string_append (out, "$\\rightarrow$");
    else if (c == 0x2190)
      g_string_append (out, "$\\leftarrow$");
    else if (c < 128 && strchr ("_%&#${}", (int)c) != NULL)
      g_string_append_printf (out, "\\%c", (char)c);
    else
      g_string_append_unichar (out, c);
  }
}

static char *
shares_to_latex (SsappImpactSet *set)
{
  GString *text = g_string_new ("\\begin{tabular}{lrr}\n\\hline\nMode & Samples & Share \\\\\n\\hline\n");
  g_autofree int *order = ssapp_impact_set_sort_modes (set);
  SsappImpactTotals totals;

  ssapp_impact_set_get_totals (set, &totals);
  for (int k = 0; k < ssapp_impact_set_get_n_modes (set); k++) {
    const SsappImpactMode *mode = ssapp_impact_set_get_mode (set, order[k]);
    append_latex (text, mode->name);
    g_string_append_printf (text, " & %" G_GINT64_FORMAT " & %.2f\\,\\%% \\\\\n", mode->n,
                            100. * (double)mode->n / (double)totals.n);
  }
  if (totals.n_unfinished + totals.n_dropped > 0)
    g_string_append_printf (text, "not finished & %" G_GINT64_FORMAT " & %.2f\\,\\%% \\\\\n",
                            totals.n_unfinished + totals.n_dropped,
                            100. * (double)(totals.n_unfinished + totals.n_dropped) / (double)totals.n);
  g_string_append (text, "\\hline\n\\end{tabular}\n");
  return g_string_free (text, FALSE);
}

/* What a kind of export is among files; NULL: it is none. */
static const char *
file_kind (const char *kind)
{
  static const char *const kinds[][2] = {{"csv", "samples"}, {"table", "shares"}, {"configuration", "configuration"}};

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (strcmp (kinds[i][0], kind) == 0)
      return kinds[i][1];
  return NULL;
}

gboolean
ssapp_impact_set_export (SsappImpactSet *set, const char *kind, double width_mm, const char *path, GError **error)
{
  const SsImpact *impact = ssapp_impact_set_get_impact (set);
  g_autofree char *text = NULL;
  SsError err = {0};

  if (impact == NULL) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "There is no set to export yet");
    return FALSE;
  }
  if (strcmp (kind, "figure") == 0)
    return export_page (set, width_mm, path, error);
  if (file_kind (kind) != NULL && !ssapp_endings_check (file_kind (kind), path, error))
    return FALSE;
  if (strcmp (kind, "csv") == 0)
    text = samples_to_csv (set);
  else if (strcmp (kind, "table") == 0)
    text = shares_to_latex (set);
  else if (strcmp (kind, "configuration") == 0)
    text = ssapp_impact_to_json (impact, ssapp_impact_set_get_options (set)->h,
                                 ssapp_impact_set_get_options (set)->max_steps, &err);
  if (text == NULL && err.message[0] != '\0')
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, err.message);
  else if (text == NULL)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                 "“%s” is nothing to export (figure, csv, table, configuration)", kind);
  return text != NULL && ssapp_write_file (path, text, -1, error);
}

/* ---- simulations from here --------------------------------------------------------------------------------------- */

/* The scenario's text in the state of the moment, with these velocities of the configuration's coordinates and the
 * friction that was asked for. */
static char *
scenario_with (SsappImpactSet *set, const double *after, GError **error)
{
  SsappImpactSource *source = ssapp_impact_set_get_source (set);
  const SsImpact *impact = ssapp_impact_set_get_impact (set);
  const SsScene *scene = ssapp_impact_source_get_scenario (source)->scene;
  const SsTrajectory *state = ssapp_impact_source_get_state (source);
  const double mu = ssapp_impact_set_get_parameters (set)->mu;
  g_autofree double *q = g_new0 (double, 3 * (gsize)scene->n_bodies + 1);
  g_autofree double *v = g_new0 (double, 3 * (gsize)scene->n_bodies + 1);
  SsError err = {0};
  char *text = NULL;

  if (ssapp_impact_read_state (scene, state, ss_trajectory_row (state, 0), q, v, &err) == SS_OK) {
    for (int c = 0; c < impact->n; c++)
      v[impact->coordinates[c]] = after[c];
    text = ssapp_impact_scenario_in_state (ssapp_impact_source_get_scenario_text (source), scene, q, v, &err);
  }
  if (text == NULL)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, err.message);
  if (text != NULL && isfinite (mu)) {
    g_autofree char *own = text;
    text = ssapp_impact_scenario_with_friction (own, mu);
  }
  return text;
}

static gboolean
check_has_bodies (SsappImpactSet *set, GError **error)
{
  SsappImpactSource *source = ssapp_impact_set_get_source (set);
  const SsImpact *impact = ssapp_impact_set_get_impact (set);

  if (source != NULL && ssapp_impact_source_get_scenario_text (source) != NULL && impact != NULL &&
      impact->coordinates != NULL)
    return TRUE;
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                       "A configuration from a file has no bodies to simulate; open the drawn scene");
  return FALSE;
}

char *
ssapp_impact_set_dup_scenario_before (SsappImpactSet *set, GError **error)
{
  return check_has_bodies (set, error) ? scenario_with (set, ssapp_impact_set_get_impact (set)->v, error) : NULL;
}

char *
ssapp_impact_set_dup_scenario (SsappImpactSet *set, gint64 sample, GError **error)
{
  const gint64 chosen = ssapp_impact_set_get_chosen (set);
  SsappImpactOutcome outcome;
  char *out = NULL;

  if (!check_has_bodies (set, error))
    return NULL;
  ssapp_impact_set_choose (set, sample);
  if (!ssapp_impact_set_get_outcome (set, &outcome) || outcome.sample != sample)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "There is no such outcome");
  else
    out = scenario_with (set, outcome.velocities + (gsize)outcome.n_steps * (gsize)outcome.n, error);
  ssapp_impact_set_choose (set, chosen);
  return out;
}

/* ---- a stored run ------------------------------------------------------------------------------------------------ */

/* Speeds of each contact, and the energy after, of all samples; those that did not finish are NaN. */
static SsSamples *
samples_of (SsappImpactSet *set, const SsappImpactTotals *totals, GError **error)
{
  const SsImpact *impact = ssapp_impact_set_get_impact (set);
  const int n_columns = 2 * impact->m + 1;
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  SsSamples *samples;
  SsError err = {0};

  for (int c = 0; c < 2 * impact->m; c++)
    g_ptr_array_add (names, g_strdup_printf ("%s_%s", c % 2 == 0 ? "vn" : "vt", impact->contacts[c / 2]));
  g_ptr_array_add (names, g_strdup ("kinetic_energy"));
  if (ss_samples_new ((const char *const *)names->pdata, n_columns, (int)totals->n, &samples, &err) != SS_OK) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, err.message);
    return NULL;
  }
  for (gint64 k = 0; k < totals->n; k++) {
    double *row = samples->values + (gsize)k * (gsize)n_columns;
    for (int c = 0; c < 2 * impact->m; c++)
      row[c] = ssapp_impact_set_get_column (set, c / 2 + (c % 2) * impact->m)[k];
    row[n_columns - 1] = ssapp_impact_set_get_energies (set)[k] * totals->energy_before;
  }
  return samples;
}

static json_t *
options_to_json (const SsImpactSetOptions *options, gint64 n)
{
  static const char *const rows[] = {"scaled", "plain"};
  return json_pack ("{s:s, s:s, s:s, s:f, s:i, s:I, s:I}", "policy", ssapp_impact_policy_name (options->policy), "rows",
                    rows[options->rows], "draw", ss_impact_draw_names[options->draw], "step", options->h, "max-steps",
                    options->max_steps, "samples", (json_int_t)n, "seed", (json_int_t)options->seed);
}

static SsImpactMode
mode_of (SsappContactAfter mode)
{
  static const SsImpactMode modes[] = {[SSAPP_CONTACT_STICKS] = SS_IMPACT_STICK,
                                       [SSAPP_CONTACT_SLIDES_PLUS] = SS_IMPACT_SLIDE_UP,
                                       [SSAPP_CONTACT_SLIDES_MINUS] = SS_IMPACT_SLIDE_DOWN,
                                       [SSAPP_CONTACT_LIFTS] = SS_IMPACT_LIFT};
  return modes[mode];
}

static void
fill_metrics (SsMetricSet *metrics, const SsappImpactTotals *totals, const SsSamples *samples)
{
  const double n = (double)totals->n;
  double least = INFINITY, most = -INFINITY;

  for (int k = 0; k < samples->n_rows; k++) {
    const double *row = samples->values + (gsize)k * (gsize)samples->n_columns, energy = row[samples->n_columns - 1];
    if (isfinite (row[0])) {
      least = fmin (least, energy);
      most = fmax (most, energy);
    }
  }
  ss_metric_set (metrics, SS_METRIC_SAMPLES, n);
  ss_metric_set (metrics, SS_METRIC_LCPS_PER_SAMPLE, totals->solves);
  ss_metric_set (metrics, SS_METRIC_FINISHED_FRACTION,
                 (double)(totals->n - totals->n_unfinished - totals->n_dropped) / n);
  ss_metric_set (metrics, SS_METRIC_UNFINISHED, (double)totals->n_unfinished / n);
  ss_metric_set (metrics, SS_METRIC_DROPPED, (double)totals->n_dropped / n);
  ss_metric_set (metrics, SS_METRIC_AMBIGUOUS_FRACTION, totals->ambiguous);
  ss_metric_set (metrics, SS_METRIC_MAX_RESIDUAL, totals->max_residual);
  ss_metric_set (metrics, SS_METRIC_KINETIC_ENERGY_BEFORE, totals->energy_before);
  ss_metric_set (metrics, SS_METRIC_KINETIC_ENERGY_MIN, isfinite (least) ? least : NAN);
  ss_metric_set (metrics, SS_METRIC_KINETIC_ENERGY_MAX, isfinite (most) ? most : NAN);
}

/* As the command line's result of the same law. */
static json_t *
result_to_json (SsappImpactSet *set, const SsappJobSpec *spec, const SsappImpactTotals *totals,
                const SsSamples *samples)
{
  const SsImpact *impact = ssapp_impact_set_get_impact (set);
  const SsImpactSetOptions *options = ssapp_impact_set_get_options (set);
  const int n_modes = ssapp_impact_set_get_n_modes (set);
  const gint64 n_finished = totals->n - totals->n_unfinished - totals->n_dropped;
  g_autofree int *order = ssapp_impact_set_sort_modes (set);
  g_autofree SsImpactModeShare *shares = g_new0 (SsImpactModeShare, n_modes + 1);
  SsRunResult record;

  for (int k = 0; k < n_modes; k++) {
    const SsappImpactMode *mode = ssapp_impact_set_get_mode (set, order[k]);
    for (int i = 0; i < impact->m; i++)
      shares[k].mode[i] = mode_of (ssapp_joint_mode_contact (mode->code, i));
    shares[k].fraction = (double)mode->n / (double)MAX (n_finished, 1);
  }
  ss_run_result_init (&record);
  record.outcome = SS_OUTCOME_COMPLETED;
  g_snprintf (record.message, sizeof record.message, "%" G_GINT64_FORMAT " samples, %d joint modes", totals->n,
              n_modes);
  fill_metrics (&record.metrics, totals, samples);
  json_t *result = ssapp_result_new (spec, ssapp_impact_source_get_scenario (ssapp_impact_set_get_source (set)), NULL,
                                     NULL, NULL, &record, 0);
  json_object_set_new (result, "sample_table", ssapp_samples_shape_to_json (samples));
  ssapp_impact_result_add (result, spec->method, impact, &record.metrics);
  ssapp_impact_result_add_set (result, impact->m, options, shares, n_modes);
  ss_run_result_clear (&record);
  return result;
}

char *
ssapp_impact_set_store (SsappImpactSet *set, SsappStore *store, GError **error)
{
  SsappImpactSource *source = ssapp_impact_set_get_source (set);
  const SsImpact *impact = ssapp_impact_set_get_impact (set);
  SsappImpactTotals totals;

  ssapp_impact_set_get_totals (set, &totals);
  if (source == NULL || impact == NULL || totals.n == 0) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "There is no set to store yet");
    return NULL;
  }
  const SsImpactSetOptions *options = ssapp_impact_set_get_options (set);
  /* A scene in the state of the impact, where its text can say it, which has no other friction; else the numbers. */
  const gboolean is_scene = ssapp_impact_source_get_scenario_text (source) != NULL && impact->coordinates != NULL &&
                            isnan (ssapp_impact_set_get_parameters (set)->mu);
  SsError err = {0};
  g_autofree char *own = is_scene ? scenario_with (set, impact->v, NULL) : NULL;
  if (own == NULL)
    own = ssapp_impact_to_json (impact, options->h, options->max_steps, &err);
  if (own == NULL) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, err.message);
    return NULL;
  }
  SsSamples *samples = samples_of (set, &totals, error);
  if (samples == NULL)
    return NULL;
  SsappJobSpec *spec = ssapp_job_spec_new ();
  spec->kind = SS_METHOD_IMPACT_LAW;
  spec->method = g_strdup ("set-valued");
  spec->scenario_file = g_strdup (ssapp_impact_source_get_name (source));
  spec->seed = options->seed;
  json_t *asked = options_to_json (options, totals.n), *result = result_to_json (set, spec, &totals, samples);
  g_autofree char *asked_text = ssapp_json_text (asked, FALSE), *result_text = ssapp_json_text (result, FALSE);
  g_autofree char *id = g_strdup (spec->id);
  const SsMethodId method = {spec->kind, spec->method};

  json_decref (asked);
  json_decref (result);
  const gboolean ok =
      ssapp_store_record (store, id, own, spec->scenario_file, method, asked_text, "{}", spec->seed, error) &&
      ssapp_store_finish_record (store, id, result_text, NULL, samples, NULL, 0, error) &&
      ssapp_store_flush (store, error);
  ss_samples_free (samples);
  ssapp_job_spec_free (spec);
  return ok ? g_steal_pointer (&id) : NULL;
}

GArray *
ssapp_impact_set_pick (SsappImpactSet *set, int most)
{
  GArray *picked = g_array_new (FALSE, FALSE, sizeof (gint64));
  const gint64 chosen = ssapp_impact_set_get_chosen (set);
  SsappImpactTotals totals;
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  ssapp_impact_set_get_totals (set, &totals);
  if (chosen >= 0) {
    g_array_append_val (picked, chosen);
    g_hash_table_add (seen, GSIZE_TO_POINTER ((gsize)chosen));
  }
  for (int k = 0; k < ssapp_impact_set_get_n_modes (set) && (int)picked->len < most; k++) {
    const gint64 first = ssapp_impact_set_get_mode (set, k)->first;
    if (g_hash_table_add (seen, GSIZE_TO_POINTER ((gsize)first)))
      g_array_append_val (picked, first);
  }
  for (gint64 k = 0; k < totals.n && (int)picked->len < most; k++)
    if (ssapp_impact_set_get_modes (set)[k] != SSAPP_IMPACT_NO_MODE && ssapp_impact_set_get_energies (set)[k] > 1e-9 &&
        g_hash_table_add (seen, GSIZE_TO_POINTER ((gsize)k)))
      g_array_append_val (picked, k);
  return picked;
}

char *
ssapp_impact_set_dup_status (SsappImpactSet *set)
{
  SsappImpactSource *source = ssapp_impact_set_get_source (set);
  SsappImpactTotals totals;
  SsappImpactOutcome outcome;

  if (source == NULL)
    return g_strdup ("null");
  ssapp_impact_set_get_totals (set, &totals);
  const SsappImpactParameters *parameters = ssapp_impact_set_get_parameters (set);
  json_t *status = json_pack (
      "{s:s, s:I, s:I, s:i, s:I, s:i, s:i, s:I, s:I, s:f}", "name", ssapp_impact_source_get_name (source), "samples",
      (json_int_t)totals.n, "wanted", (json_int_t)totals.n_wanted, "modes", ssapp_impact_set_get_n_modes (set),
      "chosen", (json_int_t)ssapp_impact_set_get_chosen (set), "step", ssapp_impact_set_get_step (set), "steps",
      ssapp_impact_set_get_outcome (set, &outcome) ? outcome.n_steps : 0, "brushed", (json_int_t)totals.n_brushed,
      "unfinished", (json_int_t)(totals.n_unfinished + totals.n_dropped), "h", parameters->options.h);
  json_t *values = json_object ();
  for (int k = 0; k < ssapp_impact_source_get_n_parameters (source); k++) {
    const SsParameter *own = ssapp_impact_source_get_parameter (source, k);
    json_object_set_new (values, own->name, json_real (own->value));
  }
  json_object_set_new (status, "parameters", values);
  SsappImpactStudyState compliant, steps;
  ssapp_impact_set_get_compliant (set, &compliant, NULL);
  ssapp_impact_set_get_steps (set, &steps);
  json_object_set_new (status, "compliant",
                       json_pack ("{s:i, s:i, s:b}", "done", compliant.n_done, "cases", compliant.n_cases, "running",
                                  compliant.is_running));
  json_object_set_new (status, "convergence", json_integer (steps.n_done));
  const char *kept = ssapp_impact_set_get_other (set);
  json_object_set_new (status, "kept", kept != NULL ? json_string (kept) : json_null ());
  double range[2];
  json_object_set_new (status, "brushed_energy",
                       ssapp_impact_set_get_energy_brush (set, range) ? json_pack ("[f, f]", range[0], range[1])
                                                                      : json_null ());
  json_object_set_new (status, "mu", isnan (parameters->mu) ? json_null () : json_real (parameters->mu));
  char *text = ssapp_json_text (status, FALSE);
  json_decref (status);
  return text;
}
