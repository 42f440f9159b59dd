/* app/export/ssapp-page.c: see the header. Numbers as columns of bytes, everything else as JSON, both inside the text
 * of data/html/run.html. */
#include "app/export/ssapp-export-private.h"
#include "app/export/ssapp-page-private.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-metric.h"
#include "app/draw/ssapp-channel-plots.h"
#include "app/draw/ssapp-clock.h"
#include "app/draw/ssapp-draw-parts.h"
#include "app/export/ssapp-file-kind.h"
#include "page-css.h"
#include "page-html.h"
#include "page-js.h"
#include "page-live.h"

#include <math.h>
#include <string.h>

enum {
  CHANNEL_LEVELS = 65535, /* values of a plot: so many steps over its range */
  EVENTS_MOST = 2000,     /* in the list                                    */
  FRAMES_FEWEST = 100,    /* fewer are no motion                            */
  CHANNEL_ABOUT = 400,    /* bytes that tell of a channel, at most          */
  SPARE = 16 * 1024,      /* of the file: what is not counted               */
};
static const double SHORTEST = 2.; /* a motion that is over sooner plays slower [s] */

/* ---- texts ------------------------------------------------------------------------------------------------------- */

gboolean
ssapp_page_is_name (const char *path)
{
  return ssapp_endings_check ("page", path, NULL);
}

static gboolean fail (GError **error, GIOErrorEnum code, const char *format, ...) G_GNUC_PRINTF (3, 4);

static gboolean
fail (GError **error, GIOErrorEnum code, const char *format, ...)
{
  va_list list;

  va_start (list, format);
  if (error != NULL && *error == NULL)
    *error = g_error_new_valist (G_IO_ERROR, (int)code, format, list);
  va_end (list);
  return FALSE;
}

/* For a page's script: nothing in it can end the script or begin another one. */
static char *
script_json (const json_t *json)
{
  g_autofree char *text = json_dumps (json, JSON_ENSURE_ASCII | JSON_REAL_PRECISION (12) | JSON_COMPACT);
  GString *out = g_string_sized_new (strlen (text) + 256);

  for (const char *c = text; *c != '\0'; c++)
    switch (*c) {
    case '<':
      g_string_append (out, "\\u003c");
      break;
    case '>':
      g_string_append (out, "\\u003e");
      break;
    case '&':
      g_string_append (out, "\\u0026");
      break;
    default:
      g_string_append_c (out, *c);
    }
  return g_string_free (out, FALSE);
}

static void
add_pair (json_t *list, const char *name, const char *value, const char *help)
{
  if (value != NULL && *value != '\0')
    json_array_append_new (list, json_pack ("[s, s, s]", name, value, help != NULL ? help : ""));
}

/* Metrics, then outcomes. */
static json_t *
metrics_to_json (const SsappPage *page)
{
  const SsMetricSet *set = page->metrics;
  json_t *list = json_array ();

  for (int m = 0; set != NULL && m < SS_METRIC_COUNT; m++) {
    const double value = ss_metric_get (set, (SsMetric)m);
    g_autofree char *title = ssapp_metric_title ((SsMetric)m), *text = ssapp_metric_text ((SsMetric)m, value);
    if (set->is_set[m] && !isnan (value))
      add_pair (list, title, text, ss_metric_spec ((SsMetric)m)->summary);
  }
  for (guint i = 0; i < page->n_outcomes; i++) {
    const SsappRunOutcome *outcome = &page->outcomes[i];
    g_autofree char *title = ssapp_metric_title (outcome->metric),
                    *text = ssapp_metric_text (outcome->metric, outcome->value);
    add_pair (list, title, text, ssapp_metric_spec (outcome->metric)->summary);
  }
  return list;
}

/* Members of an object as lines; of an object in it its own members, "libraries: ipopt". */
static void
add_members (json_t *list, const char *json, const char *before)
{
  json_t *object = json != NULL ? json_loads (json, 0, NULL) : NULL, *value;
  const char *key;

  json_object_foreach (object, key, value)
  {
    g_autofree char *name = g_strconcat (before, key, NULL);
    g_autofree char *text =
        json_is_string (value) ? g_strdup (json_string_value (value)) : ssapp_json_text (value, FALSE);
    g_strdelimit (name, "_", ' ');
    if (json_is_object (value)) {
      g_autofree char *inner = g_strconcat (name, ": ", NULL);
      add_members (list, text, inner);
    } else if (!json_is_null (value))
      add_pair (list, name, text, NULL);
  }
  json_decref (object);
}

static json_t *
about_to_json (const SsappPage *page)
{
  json_t *list = json_array ();

  add_pair (list, "Run", page->id, NULL);
  add_pair (list, "Scenario", page->scenario->name, NULL);
  if (page->study_json == NULL) { /* of many runs the page tells what belongs to which */
    add_pair (list, "Method", page->run->method.name, NULL);
    add_pair (list, "Outcome", page->run->outcome, NULL);
  }
  add_pair (list, "Started", page->started, NULL);
  add_members (list, page->parameters_json, "parameter ");
  add_members (list, page->options_json, "option ");
  add_members (list, page->provenance_json, "");
  add_pair (list, "Page made by", "Stickslip " SS_VERSION, NULL);
  return list;
}

static json_t *
events_to_json (const SsappPage *page)
{
  GArray *events = page->run->events;
  g_autoptr (GArray) told = NULL;
  json_t *list = json_array ();

  if (events != NULL && ss_trajectory_second_clock (page->run->trajectory) == 0)
    events = told = ssapp_events_by_second_clock (events, page->run->trajectory);
  for (guint i = 0; events != NULL && i < MIN (events->len, EVENTS_MOST); i++) {
    const SsappRunEvent *event = &g_array_index (events, SsappRunEvent, i);
    g_autofree char *text = ssapp_run_event_describe (event);
    json_array_append_new (list, json_pack ("[f, s, s]", event->t, ssapp_event_kind_title (event->kind), text));
  }
  return list;
}

static void note (json_t *notes, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
note (json_t *notes, const char *format, ...)
{
  va_list list;

  va_start (list, format);
  g_autofree char *text = g_strdup_vprintf (format, list);
  va_end (list);
  json_array_append_new (notes, json_string (text));
}

/* What was done to the numbers. */
static json_t *
notes_to_json (const SsappPage *page, const SsappPageFrames *frames, const SsappPageSteps *steps, guint n_left_out)
{
  const int n_rows = page->run->trajectory->n_rows, n = frames->rows->n_rows;
  json_t *notes = json_array ();

  if (frames->stride > 1)
    note (notes,
          "The run has %d rows. This page shows %d of them, every %dth and both sides of each jump, so that it "
          "stays small.",
          n_rows, n, frames->stride);
  else if (frames->is_refined)
    note (notes, "The run has %d rows. This page shows %d frames: those rows and, between them, what Stickslip plays.",
          n_rows, n);
  else
    note (notes, "This page shows all %d rows of the run.", n);
  note (notes,
        "Rounded: places to %.0e m, angles to %.0e rad, times to %.0e s, values of plots to 1/%d of their range, "
        "arrows to 1/1000 of the longest. Metrics are those of the run itself.",
        steps->place, steps->angle, steps->time, CHANNEL_LEVELS);
  if (n_left_out > 0)
    note (notes, "%u of the run's channels are not in this page, so that it stays small.", n_left_out);
  if (page->run->events != NULL && page->run->events->len > EVENTS_MOST)
    note (notes, "The run has %u events. The list shows the first %d.", page->run->events->len, EVENTS_MOST);
  return notes;
}

/* ---- channels ---------------------------------------------------------------------------------------------------- */

/* What is being made. */
typedef struct {
  const SsappPage *page;
  SsView *view; /* owned */
  SsappPageFrames frames;
  SsappPageSteps steps;
  double bounds[4];
  SsappPageColumns columns;
  json_t *meta;     /* owned */
  GByteArray *data; /* of the page: the motion's columns, then a channel's each; deflated */
  gsize room;       /* bytes of `data`, at most */
  guint n_left_out;
} Making;

/* FALSE: it is in it, or there is no room for it (which is counted). */
static gboolean
add_channel (Making *making, json_t *channels, const SsappChannel *about, const double *values, double reference,
             GError **error)
{
  const gsize n = (gsize)making->frames.rows->n_rows;
  g_autoptr (GByteArray) own = g_byte_array_new ();
  double least = NAN, most = NAN;

  for (gsize k = 0; k < n; k++)
    if (isfinite (values[k])) {
      least = fmin (least, values[k]);
      most = fmax (most, values[k]);
    }
  if (isnan (least))
    return TRUE; /* it has no value anywhere */
  const SsappPacked packed = ssapp_pack_column (values, n, most > least ? (most - least) / CHANNEL_LEVELS : 1, own);
  g_autoptr (GByteArray) small = ssapp_deflate (own->data, own->len, error);
  if (small == NULL)
    return FALSE;
  if (making->data->len + small->len > making->room) {
    making->n_left_out++;
    return TRUE;
  }
  json_t *told = ssapp_packed_to_json (&packed);
  json_t *names = json_pack ("{s:s, s:s, s:s, s:s, s:i, s:i, s:o}", "name", about->name, "label", about->label, "unit",
                             about->unit, "group", about->group, "at", (int)making->data->len, "length",
                             (int)small->len, "reference", ssapp_json_real (reference));
  json_object_update (told, names);
  json_decref (names);
  if (strcmp (about->name, SSAPP_CHANNEL_TOTAL_ENERGY) == 0) /* motions that the page computes have its parts */
    json_object_set_new (told, "sum",
                         json_pack ("[s, s]", ss_quantity_name (SS_QUANTITY_KINETIC_ENERGY),
                                    ss_quantity_name (SS_QUANTITY_POTENTIAL_ENERGY)));
  json_array_append_new (channels, told);
  g_byte_array_append (making->data, small->data, small->len);
  return TRUE;
}

/* Strips that the scenario proposes; their names are their labels. */
static gboolean
add_strips (Making *making, json_t *channels, GError **error)
{
  const SsTrajectory *rows = making->frames.rows;
  g_autofree double *values = g_new (double, rows->n_rows);

  for (int s = 0; s < ss_view_n_strips (making->view); s++) {
    char *label = (char *)ss_view_strip_label (making->view, s);
    const SsappChannel about = {.name = label, .label = label, .unit = (char *)"", .group = (char *)"Scenario"};
    for (int k = 0; k < rows->n_rows; k++)
      values[k] = ss_view_strip_value (making->view, s, ss_trajectory_row (rows, k));
    if (!add_channel (making, channels, &about, values,
                      ss_view_strip_reference (making->view, s, ss_trajectory_row (rows, rows->n_rows - 1)), error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
add_named (Making *making, json_t *channels, const SsappChannel *about, GError **error)
{
  SsappCurve curve;
  gboolean ok = TRUE;

  if (ssapp_curve_init (&curve, making->frames.rows, about->name, 0) && curve.n == making->frames.rows->n_rows)
    ok = add_channel (making, channels, about, curve.y, NAN, error);
  ssapp_curve_clear (&curve);
  return ok;
}

/* The plots at first as lists of names. */
static json_t *
plots_to_json (const SsappChannelPlots *plots)
{
  json_t *list = json_array ();

  for (guint p = 0; p < plots->plots->len; p++) {
    const SsappChannelPlot *plot = ssapp_channel_plots_at (plots, (int)p);
    json_t *names = json_array ();
    for (guint i = 0; i < plot->names->len; i++)
      json_array_append_new (names, json_string (g_ptr_array_index (plot->names, i)));
    json_array_append_new (list, json_pack ("{s:o, s:b}", "names", names, "log", (int)plot->is_log));
  }
  return list;
}

/* Those of the first plots come first: where not all have room, they have. */
static gboolean
add_channels (Making *making, GError **error)
{
  const SsappChannelRun run = {.label = "", .method = making->page->run->method, .motion = making->frames.rows};
  g_autoptr (GPtrArray) list = ssapp_channels_list (&run, 1);
  SsappChannelPlots *plots = ssapp_channel_plots_new ();
  json_t *channels = json_array (), *shown;
  const gboolean is_chosen = making->page->channels != NULL;
  gboolean ok = !is_chosen || (ssapp_channel_plots_read (plots, making->page->channels, error) &&
                               ssapp_channel_plots_settle (plots, &run, 1, error));

  if (!is_chosen && ss_view_n_strips (making->view) == 0)
    ssapp_channel_plots_suggest (plots, &run, 1);
  shown = plots_to_json (plots);
  for (int s = 0; !is_chosen && s < ss_view_n_strips (making->view); s++)
    json_array_append_new (shown, json_pack ("{s:[s], s:b}", "names", ss_view_strip_label (making->view, s), "log", 0));
  if (!is_chosen)
    ok = ok && add_strips (making, channels, error);
  for (int pass = 0; pass < 2; pass++)
    for (guint i = 0; ok && i < list->len; i++) {
      const SsappChannel *about = g_ptr_array_index (list, i);
      if ((ssapp_channel_plots_find (plots, about->name) >= 0) == (pass == 0))
        ok = add_named (making, channels, about, error) &&
             !g_cancellable_set_error_if_cancelled (making->page->cancellable, error);
    }
  if (is_chosen)
    ok = ok && add_strips (making, channels, error);
  json_object_set_new (making->meta, "channels", channels);
  json_object_set_new (making->meta, "plots", shown);
  ssapp_channel_plots_free (plots);
  return ok;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static void
making_clear (Making *making)
{
  ss_view_free (making->view);
  ssapp_page_frames_clear (&making->frames);
  ssapp_page_columns_clear (&making->columns);
  json_decref (making->meta);
  g_byte_array_unref (making->data);
}

static double
playing_speed (const SsTrajectory *rows)
{
  const double duration = ss_trajectory_row (rows, rows->n_rows - 1)[0] - ss_trajectory_row (rows, 0)[0];

  return duration > 0 && duration < SHORTEST ? duration / SHORTEST : 1;
}

/* px at 100 % of a unit of force and of velocity. */
static json_t *
arrows_to_json (SsView *view, const SsTrajectory *rows)
{
  g_autofree SsMark *marks = g_new0 (SsMark, MAX (ss_view_n_marks (view), 1));
  double force, velocity;

  ssapp_largest_arrows (view, rows, marks, &force, &velocity);
  return json_pack ("{s:f, s:f}", "force", ssapp_arrow_px (force), "velocity", ssapp_arrow_px (velocity));
}

/* The frames, their times and their marks, with this stride. *fits FALSE: it takes too much. */
static gboolean
make_motion (Making *making, int stride, gboolean *fits, GError **error)
{
  *fits = FALSE;
  ssapp_page_frames_clear (&making->frames);
  ssapp_page_columns_clear (&making->columns);
  ssapp_page_columns_init (&making->columns);
  g_byte_array_set_size (making->data, 0);
  if (!ssapp_page_frames_init (&making->frames, making->page->run->trajectory, stride))
    return fail (error, G_IO_ERROR_FAILED, "out of memory");
  const SsTrajectory *rows = making->frames.rows;
  g_autofree double *times = g_new (double, rows->n_rows);
  GError *local = NULL;

  for (int k = 0; k < rows->n_rows; k++)
    times[k] = ss_trajectory_row (rows, k)[0];
  json_object_set_new (making->meta, "t",
                       ssapp_page_columns_add (&making->columns, times, (gsize)rows->n_rows, making->steps.time));
  json_t *marks = ssapp_page_marks (making->view, &making->frames, &making->steps, &making->columns,
                                    making->page->cancellable, &local);
  if (local != NULL) {
    g_propagate_error (error, local);
    return FALSE;
  }
  if (marks == NULL)
    return TRUE;
  json_object_set_new (making->meta, "marks", marks);
  g_autoptr (GByteArray) small = ssapp_deflate (making->columns.bytes->data, making->columns.bytes->len, error);
  if (small == NULL)
    return FALSE;
  g_autofree char *told = script_json (marks), *columns = script_json (making->columns.about);
  const gsize most = making->page->most > 0 ? making->page->most : SSAPP_PAGE_MOST;
  const gsize text = sizeof page_html + sizeof page_css + sizeof page_js + strlen (told) + strlen (columns) + SPARE +
                     (gsize)rows->n_channels * CHANNEL_ABOUT +
                     (making->page->run->events != NULL ? MIN (making->page->run->events->len, EVENTS_MOST) : 0) * 160;
  making->room = most > text ? (most - text) / 4 * 3 : 0;
  *fits = small->len <= making->room;
  g_byte_array_append (making->data, small->data, small->len);
  return TRUE;
}

static gboolean
prepare (Making *making, GError **error)
{
  const SsTrajectory *motion = making->page->run->trajectory;
  SsError err = {0};

  if (motion == NULL || motion->n_rows < 2)
    return fail (error, G_IO_ERROR_INVALID_DATA, "the run has no motion to play");
  if (ss_view_new (making->page->scenario, motion->channels, motion->n_channels, &making->view, &err) != SS_OK) {
    char text[1024];
    ss_error_format (&err, text, sizeof text);
    return fail (error, G_IO_ERROR_INVALID_DATA, "%s", text);
  }
  if (ss_view_n_marks (making->view) == 0)
    return fail (error, G_IO_ERROR_INVALID_DATA, "the scenario has no picture: a model needs a section 'view'");
  if (!ssapp_region_of_motion (making->view, motion, making->bounds)) {
    making->bounds[0] = making->bounds[1] = -1;
    making->bounds[2] = making->bounds[3] = 1;
  }
  making->steps = ssapp_page_steps (making->bounds);
  return TRUE;
}

static const char *
title_of (const SsappPage *page)
{
  const SsScenario *scenario = page->scenario;

  if (page->title != NULL)
    return page->title;
  return scenario->title != NULL && *scenario->title != '\0' ? scenario->title : scenario->name;
}

static const char *
label_of (const SsappFigureRun *run)
{
  return run->label != NULL && *run->label != '\0' ? run->label : run->method.name != NULL ? run->method.name : "";
}

static void
tell (Making *making)
{
  const SsappPage *page = making->page;
  const double *b = making->bounds;
  json_t *meta = making->meta;

  json_object_set_new (meta, "title", json_string (title_of (page)));
  json_object_set_new (meta, "label", json_string (label_of (page->run)));
  json_object_set_new (meta, "frames", json_integer (making->frames.rows->n_rows));
  json_object_set_new (meta, "axis", json_string (ssapp_clock_axis (making->frames.rows)));
  json_object_set_new (meta, "letter", json_string (ssapp_clock_letter (making->frames.rows)));
  json_object_set_new (meta, "bounds", json_pack ("[f, f, f, f]", b[0], b[1], b[2], b[3]));
  json_object_set_new (meta, "speed", json_real (playing_speed (making->frames.rows)));
  json_object_set_new (meta, "arrows", arrows_to_json (making->view, making->frames.rows));
  json_object_set_new (meta, "palettes", ssapp_page_palettes (json_object_get (meta, "marks")));
  json_object_set (meta, "columns", making->columns.about);
  json_object_set_new (meta, "events", events_to_json (page));
  json_object_set_new (meta, "metrics", metrics_to_json (page));
  json_object_set_new (meta, "about", about_to_json (page));
  json_object_set_new (meta, "notes", notes_to_json (page, &making->frames, &making->steps, making->n_left_out));
}

/* The parts in the places that run.html has for them. */
static GString *
assemble (const Making *making, const char *engine)
{
  const char *policy =
      engine != NULL ? "script-src 'unsafe-inline' 'wasm-unsafe-eval'; worker-src blob:" : "script-src 'unsafe-inline'";
  g_autofree char *title = g_markup_escape_text (title_of (making->page), -1), *meta = script_json (making->meta),
                  *data = g_base64_encode (making->data->data, making->data->len);
  const struct {
    const char *mark, *text;
  } parts[] = {{"@TITLE@", title},
               {"@STYLE@", page_css},
               {"@META@", meta},
               {"@FIGURE@", making->page->figure_svg != NULL ? making->page->figure_svg : ""},
               {"@DATA@", data},
               {"@POLICY@", policy},
               {"@ENGINE@", engine != NULL ? engine : ""},
               {"@LIVE@", engine != NULL ? page_live : ""},
               {"@SCRIPT@", page_js}};
  GString *out = g_string_sized_new (strlen (data) + strlen (meta) + sizeof page_js + sizeof page_css + 4096);
  const char *rest = page_html;

  while (*rest != '\0') {
    const char *at = NULL;
    gsize found = 0;
    for (gsize i = 0; i < G_N_ELEMENTS (parts); i++) {
      const char *here = strstr (rest, parts[i].mark);
      if (here != NULL && (at == NULL || here < at)) {
        at = here;
        found = i;
      }
    }
    g_string_append_len (out, rest, at != NULL ? at - rest : (gssize)strlen (rest));
    if (at == NULL)
      break;
    g_string_append (out, parts[found].text);
    rest = at + strlen (parts[found].mark);
  }
  return out;
}

GString *
ssapp_page_make (const SsappPage *page, GError **error)
{
  Making making = {.page = page, .meta = json_object (), .data = g_byte_array_new ()};
  GString *out = NULL;
  g_autofree char *engine = NULL;
  gboolean fits = FALSE;

  ssapp_page_columns_init (&making.columns);
  gboolean ok = prepare (&making, error);
  for (int stride = 1; ok && !fits; stride *= 2) {
    if (stride > 1 && page->run->trajectory->n_rows / stride < FRAMES_FEWEST) {
      ok = fail (error, G_IO_ERROR_FAILED, "so many bodies move that not even %d frames fit into a page of %.1f MB",
                 FRAMES_FEWEST, (double)(page->most > 0 ? page->most : SSAPP_PAGE_MOST) / 1e6);
      break;
    }
    ok = make_motion (&making, stride, &fits, error);
  }
  ok = ok && add_channels (&making, error);
  if (ok)
    tell (&making);
  if (ok && page->is_live)
    ok = ssapp_page_live_add (page, making.meta, making.data, &engine, error);
  if (ok)
    out = assemble (&making, engine);
  if (out != NULL && page->study_json != NULL && out->len > SSAPP_PAGE_MOST) {
    fail (error, G_IO_ERROR_FAILED, "the study has so many runs that its page would have %.1f MB, %.1f at most",
          (double)out->len / 1e6, SSAPP_PAGE_MOST / 1e6);
    g_string_free (g_steal_pointer (&out), TRUE);
  }
  making_clear (&making);
  return out;
}

gboolean
ssapp_page_export (const SsappPage *page, const char *path, GError **error)
{
  GError *local = NULL;

  if (!ssapp_endings_check ("page", path, error))
    return FALSE;
  GString *text = ssapp_page_make (page, &local);
  g_autofree char *name = g_filename_display_name (path);

  if (text == NULL) {
    if (g_error_matches (local, G_IO_ERROR, G_IO_ERROR_CANCELLED))
      g_propagate_error (error, local);
    else
      g_propagate_prefixed_error (error, local, "Could not make “%s”: ", name);
    return FALSE;
  }
  const gboolean done = ssapp_write_file (path, text->str, (gssize)text->len, error);
  g_string_free (text, TRUE);
  return done;
}

/* ---- on a thread of its own -------------------------------------------------------------------------------------- */

/* A page with copies of all that it borrows. */
typedef struct {
  SsappPage page;
  SsappFigureRun run;
  SsScenario *scenario;
  SsMetricSet metrics;
  SsappRunOutcome *outcomes;
  char *id, *started, *provenance, *options, *parameters, *channels, *asked, *path;
} Copy;

typedef struct {
  Copy *copies;
  int n;
} Work;

static void
work_free (Work *work)
{
  for (int i = 0; i < work->n; i++) {
    Copy *copy = &work->copies[i];
    ssapp_figure_run_clear (&copy->run);
    ss_scenario_free (copy->scenario);
    g_free (copy->outcomes);
    g_free (copy->id);
    g_free (copy->started);
    g_free (copy->provenance);
    g_free (copy->options);
    g_free (copy->parameters);
    g_free (copy->channels);
    g_free (copy->asked);
    g_free (copy->path);
  }
  g_free (work->copies);
  g_free (work);
}

/* FALSE: out of memory. */
static gboolean
copy_page (const SsappPage *from, const char *path, GCancellable *cancellable, Copy *to)
{
  to->scenario = ssapp_figure_copy_scenario (from->scenario);
  to->outcomes = g_memdup2 (from->outcomes, from->n_outcomes * sizeof *from->outcomes);
  to->id = g_strdup (from->id);
  to->started = g_strdup (from->started);
  to->provenance = g_strdup (from->provenance_json);
  to->options = g_strdup (from->options_json);
  to->parameters = g_strdup (from->parameters_json);
  to->channels = g_strdup (from->channels);
  to->asked = g_strdup (from->asked_json);
  to->path = g_strdup (path);
  if (from->metrics != NULL)
    to->metrics = *from->metrics;
  to->page = (SsappPage){.scenario = to->scenario,
                         .run = &to->run,
                         .metrics = from->metrics != NULL ? &to->metrics : NULL,
                         .outcomes = to->outcomes,
                         .n_outcomes = from->n_outcomes,
                         .id = to->id,
                         .started = to->started,
                         .provenance_json = to->provenance,
                         .options_json = to->options,
                         .parameters_json = to->parameters,
                         .channels = to->channels,
                         .is_live = from->is_live,
                         .asked_json = to->asked,
                         .most = from->most,
                         .cancellable = cancellable};
  return ssapp_figure_run_copy (from->run, &to->run) && to->scenario != NULL;
}

static void
work_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Work *work = data;
  GError *error = NULL;

  (void)source;
  (void)cancellable;
  for (int i = 0; i < work->n && error == NULL; i++)
    if (!ssapp_page_export (&work->copies[i].page, work->copies[i].path, &error))
      break;
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

void
ssapp_page_export_async (const SsappPage *pages, const char *const *paths, int n, GCancellable *cancellable,
                         GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail ((pages != NULL || n == 0) && (paths != NULL || n == 0) && n >= 0);

  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Work *work = g_new0 (Work, 1);
  gboolean done = TRUE;

  work->copies = g_new0 (Copy, MAX (n, 1));
  work->n = n;
  for (int i = 0; i < n; i++)
    done = copy_page (&pages[i], paths[i], cancellable, &work->copies[i]) && done;
  g_task_set_task_data (task, work, (GDestroyNotify)work_free);
  if (done)
    g_task_run_in_thread (task, work_in_thread);
  else
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_FAILED, "out of memory");
}
