/* app/impact/ssapp-impact-export.c: the set as files, as a stored run, as starts of simulations. */
#include "app/base/ssapp-json.h"
#include "app/export/ssapp-export.h"
#include "app/impact/ssapp-impact-view.h"

#include <math.h>
#include <string.h>

enum { WHOLE_SAMPLES = 1 << 18 }; /* stored; above it they are thinned */

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

gboolean
ssapp_impact_set_export (SsappImpactSet *set, const char *kind, double width_mm, const char *path, GError **error)
{
  const SsImpact *impact = ssapp_impact_set_get_impact (set);
  g_autofree char *text = NULL;

  if (impact == NULL) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "There is no set to export yet");
    return FALSE;
  }
  if (strcmp (kind, "figure") == 0)
    return export_page (set, width_mm, path, error);
  if (strcmp (kind, "csv") == 0)
    text = samples_to_csv (set);
  else if (strcmp (kind, "table") == 0)
    text = shares_to_latex (set);
  else if (strcmp (kind, "configuration") == 0)
    text = ssapp_impact_to_json (impact, ssapp_impact_set_get_options (set)->h,
                                 ssapp_impact_set_get_options (set)->max_steps);
  if (text == NULL) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                 "“%s” is nothing to export (figure, csv, table, configuration)", kind);
    return FALSE;
  }
  return ssapp_write_file (path, text, -1, error);
}

/* ---- simulations from here --------------------------------------------------------------------------------------- */

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

static double
state_of (const SsTrajectory *state, const char *body, const char *quantity)
{
  g_autofree char *name = g_strdup_printf ("%s.%s", body, quantity);
  return ss_trajectory_row (state, 0)[ss_trajectory_channel (state, name)];
}

/* Poses of the moment for all bodies that move, velocities of the outcome for those that the impact reaches. */
static gboolean
set_bodies (json_t *bodies, const SsScene *scene, const SsTrajectory *state, const SsImpact *impact, const double *v,
            GError **error)
{
  for (int k = 0; k < scene->n_bodies; k++) {
    const char *name = scene->bodies[k].name;
    json_t *body = find_body (bodies, name);
    if (scene->bodies[k].is_fixed)
      continue;
    if (body == NULL) {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                   "The body “%s” is made by a family; write it out to simulate from here", name);
      return FALSE;
    }
    double speeds[3] = {state_of (state, name, "vx"), state_of (state, name, "vy"), state_of (state, name, "omega")};
    for (int c = 0; c < impact->n; c++)
      if (impact->coordinates[c] / 3 == k)
        speeds[impact->coordinates[c] % 3] = v[c];
    json_object_set_new (body, "position",
                         json_pack ("[f, f]", state_of (state, name, "x"), state_of (state, name, "y")));
    json_object_set_new (body, "angle", json_real (state_of (state, name, "theta")));
    json_object_set_new (body, "velocity", json_pack ("[f, f]", speeds[0], speeds[1]));
    json_object_set_new (body, "angular_velocity", json_real (speeds[2]));
  }
  return TRUE;
}

/* The scenario's text with these velocities of the configuration's coordinates. */
static char *
scenario_with (SsappImpactSet *set, const double *v, GError **error)
{
  SsappImpactSource *source = ssapp_impact_set_get_source (set);
  json_t *root = json_loads (ssapp_impact_source_get_scenario_text (source), 0, NULL);
  json_t *bodies = json_object_get (json_object_get (root, "scene"), "bodies");
  char *out = NULL;

  if (set_bodies (bodies, ssapp_impact_source_get_scenario (source)->scene, ssapp_impact_source_get_state (source),
                  ssapp_impact_set_get_impact (set), v, error))
    out = ssapp_json_text (root, TRUE);
  json_decref (root);
  return out;
}

char *
ssapp_impact_set_dup_scenario (SsappImpactSet *set, gint64 sample, GError **error)
{
  SsappImpactSource *source = ssapp_impact_set_get_source (set);
  const SsImpact *impact = ssapp_impact_set_get_impact (set);
  const gint64 chosen = ssapp_impact_set_get_chosen (set);
  SsappImpactOutcome outcome;
  char *out = NULL;

  if (source == NULL || ssapp_impact_source_get_scenario_text (source) == NULL || impact == NULL ||
      impact->coordinates == NULL) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                         "A configuration from a file has no bodies to simulate; open the drawn scene");
    return NULL;
  }
  ssapp_impact_set_choose (set, sample);
  if (!ssapp_impact_set_get_outcome (set, &outcome) || outcome.sample != sample)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "There is no such outcome");
  else
    out = scenario_with (set, outcome.velocities + (gsize)outcome.n_steps * (gsize)outcome.n, error);
  ssapp_impact_set_choose (set, chosen);
  return out;
}

/* ---- a stored run ------------------------------------------------------------------------------------------------ */

/* Which samples are stored: every stride-th, and those on a hull of a plane. */
static GArray *
stored_samples (SsappImpactSet *set, gint64 n)
{
  const gint64 stride = (n + WHOLE_SAMPLES - 1) / WHOLE_SAMPLES;
  GArray *samples = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GHashTable) corners =
      g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
  SsappStyle style;

  ssapp_style_init (&style, FALSE);
  for (int p = 0; p < SSAPP_IMPACT_PLANES && stride > 1; p++) {
    SsappImpactPicture picture;
    ssapp_impact_set_fill_picture (set, p, &style, &picture);
    for (guint k = 0; k < picture.spec.plane->hull->len; k++) {
      const double *v = (const double *)(const void *)picture.spec.plane->hull->data + 2 * k;
      const float key[3] = {(float)p, (float)v[0], (float)v[1]};
      g_hash_table_add (corners, g_bytes_new (key, sizeof key));
    }
    ssapp_impact_picture_clear (&picture);
  }
  for (gint64 k = 0; k < n; k++) {
    gboolean is_wanted = k % stride == 0;
    for (int p = 0; p < SSAPP_IMPACT_PLANES && !is_wanted; p++) {
      int x, y;
      ssapp_impact_set_get_plane (set, p, &x, &y);
      const float key[3] = {(float)p, ssapp_impact_set_get_column (set, x)[k], ssapp_impact_set_get_column (set, y)[k]};
      g_autoptr (GBytes) bytes = g_bytes_new_static (key, sizeof key);
      is_wanted = g_hash_table_contains (corners, bytes);
    }
    if (is_wanted)
      g_array_append_val (samples, k);
  }
  return samples;
}

static gboolean
store_samples (SsappImpactSet *set, SsappStore *store, const char *id, GError **error)
{
  const SsImpact *impact = ssapp_impact_set_get_impact (set);
  const int n_columns = 2 * impact->m + 1;
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  SsappImpactTotals totals;

  ssapp_impact_set_get_totals (set, &totals);
  g_autoptr (GArray) samples = stored_samples (set, totals.n);
  g_autofree double *values = g_new (double, (gsize)n_columns * samples->len + 1);
  for (int c = 0; c < 2 * impact->m; c++)
    g_ptr_array_add (names, g_strdup_printf ("%s_%s", c < impact->m ? "vn" : "vt", impact->contacts[c % impact->m]));
  g_ptr_array_add (names, g_strdup ("energy_kept"));
  g_ptr_array_add (names, NULL);
  for (guint k = 0; k < samples->len; k++) {
    const gint64 at = g_array_index (samples, gint64, k);
    for (int c = 0; c < 2 * impact->m; c++)
      values[k * (guint)n_columns + (guint)c] = ssapp_impact_set_get_column (set, c)[at];
    values[(k + 1) * (guint)n_columns - 1] = ssapp_impact_set_get_energies (set)[at];
  }
  return ssapp_store_add_samples (store, id, "velocities", (const char *const *)names->pdata, values, samples->len,
                                  TRUE, error);
}

static json_t *
options_to_json (const SsImpactSetOptions *options, gint64 n)
{
  static const char *const policies[] = {"lemke", "random-covering", "enumerate"}, *const rows[] = {"scaled", "plain"},
                           *const draws[] = {"uniform", "simplex", "sobol"};
  return json_pack ("{s:s, s:s, s:s, s:f, s:i, s:I, s:I}", "policy", policies[options->policy], "rows",
                    rows[options->rows], "draw", draws[options->draw], "step", options->h, "max-steps",
                    options->max_steps, "samples", (json_int_t)n, "seed", (json_int_t)options->seed);
}

/* What the result says of the set: counts and shares. */
static json_t *
result_to_json (SsappImpactSet *set, const SsappImpactTotals *totals, const char *message)
{
  g_autofree int *order = ssapp_impact_set_sort_modes (set);
  json_t *modes = json_array ();

  for (int k = 0; k < ssapp_impact_set_get_n_modes (set); k++) {
    const SsappImpactMode *mode = ssapp_impact_set_get_mode (set, order[k]);
    json_array_append_new (modes, json_pack ("{s:s, s:I, s:f}", "mode", mode->name, "samples", (json_int_t)mode->n,
                                             "share", (double)mode->n / (double)totals->n));
  }
  return json_pack ("{s:s, s:s, s:I, s:I, s:I, s:f, s:f, s:s, s:o}", "outcome", "completed", "message", message,
                    "samples_drawn", (json_int_t)totals->n, "unfinished", (json_int_t)totals->n_unfinished, "dropped",
                    (json_int_t)totals->n_dropped, "solves_a_sample", totals->solves, "max_residual",
                    totals->max_residual, "configuration_sha256", ssapp_impact_set_get_impact (set)->sha256, "modes",
                    modes);
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
  /* A scene in the state of the impact, where its text can say it; else the numbers. */
  g_autofree char *own = ssapp_impact_source_get_scenario_text (source) != NULL && impact->coordinates != NULL
                             ? scenario_with (set, impact->v, NULL)
                             : NULL;
  if (own == NULL)
    own = ssapp_impact_to_json (impact, options->h, options->max_steps);
  g_autofree char *id = g_uuid_string_random ();
  g_autofree char *message =
      g_strdup_printf ("%" G_GINT64_FORMAT " samples, %d joint modes", totals.n, ssapp_impact_set_get_n_modes (set));
  json_t *asked = options_to_json (options, totals.n), *result = result_to_json (set, &totals, message);
  g_autofree char *asked_text = ssapp_json_text (asked, FALSE), *result_text = ssapp_json_text (result, FALSE);
  const SsMethodId method = {SS_METHOD_IMPACT_LAW, "set-valued"};

  json_decref (asked);
  json_decref (result);
  if (!ssapp_store_record (store, id, own, ssapp_impact_source_get_name (source), method, asked_text, "{}",
                           options->seed, error) ||
      !store_samples (set, store, id, error) || !ssapp_store_finish (store, id, result_text, NULL, error) ||
      !ssapp_store_flush (store, error))
    return NULL;
  return g_steal_pointer (&id);
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
