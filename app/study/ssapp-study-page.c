/* app/study/ssapp-study-page.c: see the header. */
#include "app/study/ssapp-study-page.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-metric.h"
#include "app/export/ssapp-page.h"
#include "app/study/ssapp-chart-export.h"
#include "app/study/ssapp-chart-private.h"
#include "run/ss-run-simulate.h"
#include "scene/ss-sha256.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

enum {
  SAMPLES = 11,         /* times at which places of bodies are told, at most                  */
  FRAMES = 2000,        /* of a motion that live.js shows: samples are among them             */
  PLACES_MOST = 1500000 /* bytes of the runs' JSON: beyond them fewer places of bodies, then none */
};
static const double MM_PER_POINT = 25.4 / 72.;

/* What is being made. */
typedef struct {
  const SsappStudyPage *page;
  SsappStudyPlan *plan;
  GPtrArray *texts; /* of char *: scenarios, each once */
  GHashTable *known;
  GArray *metrics;      /* of SsMetric: told of each run, the chart's first */
  json_t *items, *jobs; /* jobs: those of items that a page computes, else null */
  int n_samples;
  int first; /* the item whose run the page opens with; -1: none yet */
} Making;

static gboolean fail (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
fail (GError **error, const char *format, ...)
{
  va_list list;

  va_start (list, format);
  if (error != NULL && *error == NULL)
    *error = g_error_new_valist (G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, format, list);
  va_end (list);
  return FALSE;
}

static const SsappRunItem *
item_at (const Making *making, guint i)
{
  return &g_array_index (making->page->set->items, SsappRunItem, i);
}

/* ---- jobs -------------------------------------------------------------------------------------------------------- */

/* The place of a scenario among the texts. */
static guint
place_of_text (Making *making, const char *text)
{
  guint place = GPOINTER_TO_UINT (g_hash_table_lookup (making->known, text));

  if (place == 0) {
    g_ptr_array_add (making->texts, g_strdup (text));
    place = making->texts->len;
    g_hash_table_insert (making->known, g_ptr_array_index (making->texts, place - 1), GUINT_TO_POINTER (place));
  }
  return place - 1;
}

/* The job of live.c without its scenario: {"text", "numbers", "method", "options", "dt", "t_end"}. */
static json_t *
job_of (Making *making, const SsappStudyTask *task)
{
  const SsappStudy *study = making->page->study;
  const SsappStudyMethod *method = g_ptr_array_index (study->methods, task->method);
  json_t *numbers = json_object (), *options = json_object (), *job;

  for (guint i = 0; task->option_names[i] != NULL; i++)
    json_object_set_new (options, task->option_names[i], json_string (task->option_values[i]));
  job = json_pack ("{s:i, s:o, s:s, s:o}", "text", (int)place_of_text (making, task->scenario), "numbers", numbers,
                   "method", method->id.name, "options", options);
  for (guint a = 0; a < study->axes->len; a++) {
    const SsappStudyAxis *axis = g_ptr_array_index (study->axes, a);
    double number;
    if (!ss_parse_double (task->values[a], &number))
      continue;
    if (axis->kind == SSAPP_AXIS_PARAMETER)
      json_object_set_new (numbers, axis->name, json_real (number));
    else if (axis->kind == SSAPP_AXIS_STEP)
      json_object_set_new (job, "dt", json_real (number));
    else if (axis->kind == SSAPP_AXIS_HORIZON)
      json_object_set_new (job, "t_end", json_real (number));
  }
  return job;
}

/* The same as live.c takes it; a new reference. */
static json_t *
whole_job (const Making *making, const json_t *job)
{
  json_t *whole = json_copy ((json_t *)job);
  const guint text = (guint)json_integer_value (json_object_get (job, "text"));

  json_object_set_new (whole, "scenario", json_string (g_ptr_array_index (making->texts, text)));
  json_object_del (whole, "text");
  json_object_set_new (whole, "frames", json_integer (2));
  return whole;
}

/* ---- what is stored ---------------------------------------------------------------------------------------------- */

/* Places of the bodies at some times: [[t, x, y, x, y, ...], ...], by the page's list of bodies. */
static json_t *
samples_of (const Making *making, const SsTrajectory *motion, GPtrArray *bodies)
{
  const int stride = (motion->n_rows + FRAMES - 1) / FRAMES, n = (motion->n_rows - 1) / stride + 1;
  json_t *list = json_array ();

  for (int s = 0, last = -1; s < making->n_samples; s++) {
    const int frame = (int)((gint64)s * (n - 1) / (making->n_samples - 1));
    const double *row = ss_trajectory_row (motion, frame == n - 1 ? motion->n_rows - 1 : frame * stride);
    if (frame == last)
      continue;
    last = frame;
    json_t *told = json_array ();
    json_array_append_new (told, json_real (row[0]));
    for (guint b = 0; b < bodies->len; b++)
      for (const char *const *c = (const char *const[]){".x", ".y", NULL}; *c != NULL; c++) {
        g_autofree char *name = g_strconcat (g_ptr_array_index (bodies, b), *c, NULL);
        const int channel = ss_trajectory_channel (motion, name);
        json_array_append_new (told, channel >= 0 ? ssapp_json_real (row[channel]) : json_null ());
      }
    json_array_append_new (list, told);
  }
  return list;
}

static GPtrArray *
list_bodies (const SsScenario *scenario)
{
  GPtrArray *bodies = g_ptr_array_new_with_free_func (g_free);

  for (int b = 0; scenario->scene != NULL && b < scenario->scene->n_bodies; b++)
    if (!ss_body_is_immovable (&scenario->scene->bodies[b]))
      g_ptr_array_add (bodies, g_strdup (scenario->scene->bodies[b].name));
  return bodies;
}

/* What is stored of the item's run beside its metrics; FALSE with an error: it cannot be read. */
static gboolean
add_motion (Making *making, guint i, json_t *item, GPtrArray *bodies, GError **error)
{
  const SsappRunRow *row = item_at (making, i)->row;
  GError *local = NULL;
  char hash[65];
  SsTrajectory *motion = row != NULL ? ssapp_store_get_trajectory (making->page->store, row->id, &local) : NULL;

  if (local != NULL) {
    g_propagate_error (error, local);
    return FALSE;
  }
  if (motion == NULL || motion->n_rows < 2) {
    ss_trajectory_free (motion);
    return TRUE;
  }
  ss_trajectory_sha256 (motion, hash);
  json_object_set_new (item, "stored", json_string (hash));
  json_object_set_new (item, "rows", json_integer (motion->n_rows));
  json_object_set_new (item, "samples", samples_of (making, motion, bodies));
  if (making->first < 0 && row->outcome != NULL)
    making->first = (int)i;
  ss_trajectory_free (motion);
  return TRUE;
}

static void
add_values (const Making *making, guint i, json_t *item)
{
  const SsappRunRow *row = item_at (making, i)->row;
  json_t *values = json_array ();

  for (guint m = 0; row != NULL && m < making->metrics->len; m++)
    json_array_append_new (values, ssapp_json_real (ssapp_run_set_get (making->page->set, i,
                                                                       g_array_index (making->metrics, SsMetric, m))));
  json_object_set_new (item, "values", values);
  if (row != NULL)
    json_object_set_new (item, "outcome", json_string (row->outcome != NULL ? row->outcome : "running"));
}

/* ---- the runs ---------------------------------------------------------------------------------------------------- */

static gboolean
add_items (Making *making, GPtrArray *bodies, GError **error)
{
  const guint n = making->page->set->items->len;

  making->items = json_array ();
  making->jobs = json_array ();
  for (guint i = 0; i < n; i++) {
    g_autoptr (SsappStudyTask) task = ssapp_study_plan_get_task (making->plan, i, TRUE);
    const SsappStudyMethod *method = g_ptr_array_index (making->page->study->methods, task->method);
    g_autofree char *words = ssapp_run_set_get_words (making->page->set, i);
    const gboolean is_computed = method->id.kind == SS_METHOD_INTEGRATOR;
    json_t *item = json_pack ("{s:s}", "label", words), *job = is_computed ? job_of (making, task) : NULL;
    json_array_append_new (making->items, item);
    json_array_append_new (making->jobs, job != NULL ? whole_job (making, job) : json_null ());
    if (job != NULL)
      json_object_set_new (item, "job", job);
    add_values (making, i, item);
    if ((is_computed && !add_motion (making, i, item, bodies, error)) ||
        g_cancellable_set_error_if_cancelled (making->page->cancellable, error))
      return FALSE;
  }
  return TRUE;
}

/* Hashes of what the page's engine finds here, of runs in their order until their stored CPU time is used up. */
static gboolean
add_beside (Making *making, GError **error)
{
  json_t *jobs = json_array ();
  g_autoptr (GArray) of = g_array_new (FALSE, FALSE, sizeof (guint));
  double left = making->page->beside;

  for (guint i = 0; i < json_array_size (making->jobs); i++) {
    const SsappRunRow *row = item_at (making, i)->row;
    const double cpu = row != NULL ? ssapp_run_set_get (making->page->set, i, SS_METRIC_CPU_SECONDS) : NAN;
    if (json_is_null (json_array_get (making->jobs, i)) || isnan (cpu) || (left -= cpu) < 0)
      continue;
    json_array_append (jobs, json_array_get (making->jobs, i));
    g_array_append_val (of, i);
  }
  json_t *told = ssapp_page_live_run (jobs, making->page->cancellable, error);
  for (guint k = 0; told != NULL && k < of->len; k++) {
    json_t *hash = json_object_get (json_array_get (told, k), "sha256");
    if (hash != NULL)
      json_object_set (json_array_get (making->items, g_array_index (of, guint, k)), "sha256", hash);
  }
  json_decref (jobs);
  json_decref (told);
  return told != NULL;
}

/* ---- the figure -------------------------------------------------------------------------------------------------- */

/* The figure as SVG without what stands before the element; NULL with an error. g_free. */
static char *
draw_figure (const SsappStudyPage *page, GError **error)
{
  g_autofree char *folder = g_dir_make_tmp ("stickslip-XXXXXX", error);
  g_autofree char *path = folder != NULL ? g_build_filename (folder, "figure.svg", NULL) : NULL, *text = NULL;
  char *svg = NULL;

  if (path != NULL && ssapp_chart_export (page->chart, page->width_mm, path, error) &&
      g_file_get_contents (path, &text, NULL, error)) {
    const char *begin = strstr (text, "<svg");
    svg = g_strdup (begin != NULL ? begin : text);
  }
  if (path != NULL) {
    g_unlink (path);
    g_rmdir (folder);
  }
  return svg;
}

/* [[x, y, width, height, [item, ...]], ...] in the units of the picture. */
static json_t *
places_to_json (const SsappStudyPage *page)
{
  const double width = page->width_mm / MM_PER_POINT;
  json_t *list = json_array ();
  SsappStyle style;

  ssapp_style_init_paper (&style);
  g_autoptr (GArray) places =
      ssapp_chart_places (page->chart, &style, width, ssapp_chart_get_height (page->chart, &style, width));
  for (guint p = 0; p < places->len; p++) {
    const SsappChartPlace *place = &g_array_index (places, SsappChartPlace, p);
    json_t *items = json_array ();
    for (guint i = 0; i < place->items->len; i++)
      json_array_append_new (items, json_integer (g_array_index (place->items, guint, i)));
    json_array_append_new (list, json_pack ("[f, f, f, f, o]", place->x, place->y, place->width, place->height, items));
  }
  return list;
}

static json_t *
metrics_to_json (const Making *making)
{
  json_t *list = json_array ();

  for (guint m = 0; m < making->metrics->len; m++) {
    const SsMetricSpec *spec = ssapp_metric_spec (g_array_index (making->metrics, SsMetric, m));
    json_array_append_new (list,
                           json_pack ("{s:s, s:s, s:s}", "name", spec->name, "label", spec->label, "unit", spec->unit));
  }
  return list;
}

/* What varies as numbers: as live.c calls it, and its values. */
static json_t *
axes_to_json (const Making *making)
{
  const SsappStudyPage *page = making->page;
  json_t *list = json_array ();

  for (guint a = 0; a < page->study->axes->len; a++) {
    const SsappStudyAxis *axis = g_ptr_array_index (page->study->axes, a);
    const SsappRunAxis *values = g_ptr_array_index (page->set->axes, a);
    if (!values->is_number || (axis->kind != SSAPP_AXIS_PARAMETER && axis->kind != SSAPP_AXIS_NUMBER &&
                               axis->kind != SSAPP_AXIS_STEP && axis->kind != SSAPP_AXIS_HORIZON))
      continue;
    json_array_append_new (list, json_pack ("{s:s, s:s, s:o}", "name", axis->name, "title", values->title, "values",
                                            ssapp_json_reals (values->values, (int)values->n_values)));
  }
  return list;
}

static json_t *
outcomes_to_json (const SsappStudy *study)
{
  json_t *object = json_object ();

  for (guint i = 0; i < study->outcomes->len; i++) {
    const char *text = g_ptr_array_index (study->outcomes, i), *equals = strchr (text, '=');
    g_autofree char *name = equals != NULL ? g_strndup (text, (gsize)(equals - text)) : NULL;
    if (name != NULL)
      json_object_set_new (object, g_strstrip (name), json_string (equals + 1));
  }
  return object;
}

/* Everything that live.js reads of the study; g_free. */
static char *
tell (Making *making, GPtrArray *bodies)
{
  json_t *texts = json_array (), *names = json_array ();
  for (guint i = 0; i < making->texts->len; i++)
    json_array_append_new (texts, json_string (g_ptr_array_index (making->texts, i)));
  for (guint b = 0; b < bodies->len; b++)
    json_array_append_new (names, json_string (g_ptr_array_index (bodies, b)));
  json_t *told =
      json_pack ("{s:s, s:o, s:o, s:o, s:o, s:o, s:O, s:o, s:i}", "words", ssapp_chart_get_title (making->page->chart),
                 "texts", texts, "bodies", names, "axes", axes_to_json (making), "metrics", metrics_to_json (making),
                 "outcomes", outcomes_to_json (making->page->study), "items", making->items, "places",
                 places_to_json (making->page), "first", making->first);
  char *text = ssapp_json_text (told, FALSE);

  json_decref (told);
  return text;
}

/* ---- the page ---------------------------------------------------------------------------------------------------- */

/* Defaults, then the scenario's, then those of the job, which passed when the study was checked. */
static void
set_options (const SsMethod *method, const SsScenario *scenario, const json_t *job, void *options)
{
  json_t *own = json_object_get (job, "options"), *value;
  const char *name;
  SsStatus status = SS_OK;

  ss_options_init (method->options, options);
  for (int i = 0; i < scenario->n_method_defaults; i++) {
    const SsMethodDefault *line = &scenario->method_defaults[i];
    if (ss_method_takes_default (method, scenario, line))
      status = ss_options_set (method->options, options, line->name, line->value, NULL);
  }
  json_object_foreach (own, name, value) status =
      ss_options_set (method->options, options, name, json_string_value (value), NULL);
  (void)status;
}

/* The motion that the page opens with: stored, else computed now; NULL with an error. */
static SsTrajectory *
first_motion (const Making *making, const SsScenario *scenario, GError **error)
{
  const SsappRunRow *row = item_at (making, (guint)making->first)->row;
  const json_t *job = json_object_get (json_array_get (making->items, (size_t)making->first), "job");
  SsTrajectory *motion = row != NULL ? ssapp_store_get_trajectory (making->page->store, row->id, NULL) : NULL;

  if (motion != NULL)
    return motion;
  const char *name = json_string_value (json_object_get (job, "method"));
  const SsMethod *method = ss_method_find (SS_METHOD_INTEGRATOR, name, NULL);
  g_autofree void *options = g_malloc0 (method->options->size + 1);
  SsSimulateJob own = {.scenario = scenario,
                       .integrator = method->integrator,
                       .options = options,
                       .dt = ssapp_json_get_real (job, "dt"),
                       .t_end = ssapp_json_get_real (job, "t_end")};
  SsRunResult result;
  SsError err = {0};
  set_options (method, scenario, job, options);
  ss_run_result_init (&result);
  if (ss_run_simulate (&own, NULL, &result, &err) == SS_OK && ss_run_motion (&result) != NULL &&
      ss_trajectory_copy (ss_run_motion (&result), &motion, &err) != SS_OK)
    motion = NULL;
  ss_run_result_clear (&result);
  if (motion == NULL)
    fail (error, "no run of the study has a motion, and none can be computed: %s", err.message);
  return motion;
}

/* The scenario of the first item with its numbers; NULL with an error. */
static SsScenario *
first_scenario (const Making *making, GError **error)
{
  const json_t *job = json_object_get (json_array_get (making->items, (size_t)making->first), "job");
  json_t *numbers = json_object_get (job, "numbers"), *value;
  g_autofree SsOverride *overrides = g_new0 (SsOverride, json_object_size (numbers) + 1);
  const char *text = g_ptr_array_index (making->texts, (guint)json_integer_value (json_object_get (job, "text"))),
             *name;
  SsScenario *scenario = NULL;
  SsProblems problems;
  int n = 0;

  json_object_foreach (numbers, name, value) overrides[n++] = (SsOverride){name, json_number_value (value)};
  ss_problems_init (&problems);
  if (ss_scenario_read (text, strlen (text), "", overrides, n, &problems, &scenario) != SS_OK)
    fail (error, "the scenario cannot be read: %s", problems.n_items > 0 ? problems.items[0].message : "");
  ss_problems_clear (&problems);
  return scenario;
}

static gboolean
write_page (Making *making, const char *study_json, const char *svg, const char *path, GError **error)
{
  const SsappStudyPage *page = making->page;
  const SsappRunRow *row = item_at (making, (guint)making->first)->row;
  const json_t *job = json_object_get (json_array_get (making->items, (size_t)making->first), "job");
  SsScenario *scenario = first_scenario (making, error);
  SsTrajectory *motion = scenario != NULL ? first_motion (making, scenario, error) : NULL;
  gboolean done = FALSE;

  if (motion != NULL) {
    const guint method = item_at (making, (guint)making->first)->method;
    g_autofree char *options = ssapp_json_text (json_object_get (job, "options"), FALSE);
    json_t *asked =
        json_pack ("{s:O*, s:O*}", "dt", json_object_get (job, "dt"), "t_end", json_object_get (job, "t_end"));
    g_autofree char *asked_text = ssapp_json_text (asked, FALSE);
    const SsappFigureRun run = {
        .label = json_string_value (json_object_get (json_array_get (making->items, (size_t)making->first), "label")),
        .method = ((const SsappRunMethod *)g_ptr_array_index (page->set->methods, method))->id,
        .trajectory = motion,
        .outcome = row != NULL ? row->outcome : NULL};
    const SsappPage whole = {.scenario = scenario,
                             .run = &run,
                             .options_json = options,
                             .is_live = TRUE,
                             .asked_json = asked_text,
                             .title = page->study->title,
                             .figure_svg = svg,
                             .study_json = study_json,
                             .cancellable = page->cancellable};
    SsStatus status = ss_scenario_describe (scenario, motion, NULL);
    (void)status; /* without memory for them the units are missing */
    done = ssapp_page_export (&whole, path, error);
    json_decref (asked);
  }
  ss_trajectory_free (motion);
  ss_scenario_free (scenario);
  return done;
}

/* The first run that a page computes where none has a stored motion. */
static gboolean
choose_first (Making *making, GError **error)
{
  for (guint i = 0; making->first < 0 && i < json_array_size (making->items); i++)
    if (json_object_get (json_array_get (making->items, i), "job") != NULL)
      making->first = (int)i;
  return making->first >= 0 ||
         fail (error, "a page computes simulations; no run of this study is one, and pages have no optimisers: without "
                      "--live the figure shows what is stored");
}

/* Leaves of the places of bodies the last ones alone; where they are alone already, none. */
static void
leave_out_places (Making *making)
{
  json_t *item;
  size_t i;

  json_array_foreach (making->items, i, item)
  {
    json_t *samples = json_object_get (item, "samples");
    while (json_array_size (samples) > 1)
      json_array_remove (samples, 0);
    if (making->n_samples == 1)
      json_object_del (item, "samples");
  }
  making->n_samples = making->n_samples > 1 ? 1 : 0;
}

/* All runs, with as many places of bodies as there is room for; g_free, NULL with an error. */
static char *
make_study (Making *making, GPtrArray *bodies, GError **error)
{
  making->n_samples = SAMPLES;
  if (!add_items (making, bodies, error) || !choose_first (making, error) || !add_beside (making, error))
    return NULL;
  char *text = tell (making, bodies);
  while (strlen (text) > PLACES_MOST && making->n_samples > 0) {
    leave_out_places (making);
    g_free (text);
    text = tell (making, bodies);
  }
  return text;
}

/* The chart's, then the others of tables. */
static GArray *
list_metrics (const SsappStudyPage *page)
{
  GArray *metrics = ssapp_run_set_list_metrics (page->set);

  for (guint m = metrics->len; m > 0; m--)
    if (g_array_index (metrics, SsMetric, m - 1) == page->chart->spec.metric)
      g_array_remove_index (metrics, m - 1);
  g_array_prepend_val (metrics, page->chart->spec.metric);
  return metrics;
}

gboolean
ssapp_study_page_export (const SsappStudyPage *page, const char *path, GError **error)
{
  g_return_val_if_fail (page != NULL && page->study != NULL && page->set != NULL && page->chart != NULL, FALSE);
  Making making = {.page = page, .first = -1, .metrics = list_metrics (page)};
  SsScenario *scenario = ssapp_study_read_scenario (page->study, error);
  gboolean done = FALSE;

  making.texts = g_ptr_array_new_with_free_func (g_free);
  making.known = g_hash_table_new (g_str_hash, g_str_equal);
  making.plan = scenario != NULL ? ssapp_study_plan_new (page->study, error) : NULL;
  if (scenario != NULL && scenario->scene == NULL)
    fail (error, "a page computes simulations of scenes, not plans of a model: other formats show the figure");
  else if (ssapp_page_live_lack () != NULL)
    fail (error, "%s", ssapp_page_live_lack ());
  else if (making.plan != NULL) {
    g_autoptr (GPtrArray) bodies = list_bodies (scenario);
    g_autofree char *svg = draw_figure (page, error);
    g_autofree char *told = svg != NULL ? make_study (&making, bodies, error) : NULL;
    done = told != NULL && write_page (&making, told, svg, path, error);
  }
  ssapp_study_plan_free (making.plan);
  ss_scenario_free (scenario);
  json_decref (making.items);
  json_decref (making.jobs);
  g_hash_table_unref (making.known);
  g_ptr_array_unref (making.texts);
  g_array_unref (making.metrics);
  return done;
}
