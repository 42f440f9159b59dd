/* app/bench/ssapp-paper-motion.c: runs of examples and their pictures, of items of papers; see ssapp-paper-item.h. */
#include "app/bench/ssapp-paper-item.h"

#include "app/bench/ssapp-bench-common.h"
#include "app/bench/ssapp-bench-loops.h"
#include "app/draw/ssapp-run-events.h"
#include "app/export/ssapp-export.h"
#include "app/job/ssapp-interests.h"
#include "app/session/ssapp-gallery.h"

#include <math.h>
#include <string.h>

#define EXAMPLES "/org/stickslip/Stickslip/examples/"
static const double CPU_LIMIT = 600, CPU_LIMIT_ALL = 1800; /* of a run [s]; of one that --all alone makes */
static const double WIDTH_MM = 120, DPI = 200;
enum { SET_MAX = 8 };

gboolean
ssapp_paper_picture (SsappPaperPictures *pictures, const char *key, const char *title, SsappPaperWrite *write,
                     gconstpointer data, GError **error)
{
  static const char *const endings[] = {"svg", "pdf", "png"};

  if (pictures->path != NULL) {
    g_autofree char *path = g_strdup (pictures->path);
    pictures->path = NULL;
    return write (data, path, error);
  }
  if (pictures->folder == NULL)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (endings); i++) {
    g_autofree char *name = g_strconcat (key, ".", endings[i], NULL),
                    *path = g_build_filename (pictures->folder, name, NULL);
    if (!write (data, path, error))
      return FALSE;
    if (i == 0)
      json_array_append_new (pictures->told, json_pack ("{s:s, s:s, s:s}", "key", key, "title", title, "file", name));
  }
  return TRUE;
}

/* ---- a run ------------------------------------------------------------------------------------------------------- */

typedef struct {
  const SsappPaperMotion *motion;
  const SsappPlotKind *plot; /* that is drawn now */
  char *text, **pairs;       /* of the example; of its set */
  SsOverride set[SET_MAX + 1];
  int n_set;
  SsScenario *scenario;
  GPtrArray *methods;
  SsappBenchJob job;
  SsRunResult result;
  gboolean has_result;
  SsTrajectory *start; /* NULL: none */
  char *message;       /* NULL: it ran */
} Run;

/* A formula's value. */
typedef struct {
  const char *motion; /* borrowed */
  char *what, *unit;
  double value;
} Answer;

static void
answer_free (gpointer data)
{
  Answer *answer = data;

  g_free (answer->what);
  g_free (answer->unit);
  g_free (answer);
}

/* "mu=0.5,k=1e6"; the names are parts of `pairs`. */
static int
read_set (char **pairs, SsOverride *set)
{
  int n = 0;

  for (guint i = 0; pairs[i] != NULL && n < SET_MAX; i++) {
    char *equals = strchr (pairs[i], '=');
    if (equals == NULL)
      continue;
    *equals = '\0';
    set[n++] = (SsOverride){.name = pairs[i], .value = g_ascii_strtod (equals + 1, NULL)};
  }
  return n;
}

static gboolean
read_scenario (Run *run)
{
  const SsappPaperMotion *motion = run->motion;
  g_autofree char *path = g_strconcat (EXAMPLES, motion->example, ".stickslip.json", NULL);
  g_autoptr (GBytes) bytes = g_resources_lookup_data (path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);

  if (bytes == NULL) {
    run->message = g_strdup_printf ("there is no example %s", motion->example);
    return FALSE;
  }
  run->text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  run->pairs = g_strsplit (motion->set != NULL ? motion->set : "", ",", -1);
  run->n_set = read_set (run->pairs, run->set);
  run->set[run->n_set] = (SsOverride){"N", motion->loop_steps + 1}; /* of a loop; the last one counts */
  run->scenario =
      ssapp_bench_read (run->text, motion->example, run->set, run->n_set + (motion->loop != NULL), &run->message);
  return run->scenario != NULL;
}

static gboolean
read_method (Run *run)
{
  static const SsMethodKind kinds[] = {SS_METHOD_INTEGRATOR, SS_METHOD_OPTIMISER};
  g_autofree char *name = g_strndup (run->motion->method, strcspn (run->motion->method, ":"));

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (ss_method_find (kinds[i], name, NULL) != NULL) {
      run->methods = ssapp_bench_methods_parse (kinds[i], run->motion->method, &run->message);
      return run->methods != NULL;
    }
  run->message = g_strdup_printf ("there is no method %s", name);
  return FALSE;
}

/* Of the runs that are there, the last one of that key; NULL: none. */
static const Run *
find_key (const GPtrArray *runs, const char *key)
{
  for (guint i = runs->len; i-- > 0;) {
    const Run *run = g_ptr_array_index (runs, i);
    if (strcmp (run->motion->key, key) == 0)
      return run;
  }
  return NULL;
}

static gboolean
read_copies (Run *run, const GPtrArray *runs)
{
  const SsappPaperMotion *motion = run->motion;
  const Run *from = find_key (runs, motion->from_key);
  const SsTrajectory *plan = from != NULL && from->has_result ? ss_run_motion (&from->result) : NULL;
  SsError error = {0};

  if (plan == NULL)
    run->message = g_strdup_printf ("there is no plan %s to start from", motion->from_key);
  else if (ss_trajectory_repeat (plan, -INFINITY, motion->from_copies, &run->start, &error) != SS_OK)
    run->message = g_strdup (error.message);
  return run->start != NULL;
}

static gboolean
read_start (Run *run, const GPtrArray *runs)
{
  const SsappPaperMotion *motion = run->motion;
  SsError error = {0};

  if (motion->from_key != NULL)
    return read_copies (run, runs);
  if (motion->from == NULL)
    return TRUE;
  SsTrajectory *whole = ssapp_motion_from_csv (motion->from);
  const gboolean ok = whole != NULL && ss_trajectory_repeat (whole, motion->from_time, 1, &run->start, &error) == SS_OK;
  if (!ok)
    run->message = g_strdup (whole != NULL ? error.message : "the motion to start from is no table");
  ss_trajectory_free (whole);
  return ok;
}

/* A closed loop, judged as one plan of the file. */
static gboolean
run_loop (Run *run, SsRunControl *control, SsError *err)
{
  g_autoptr (GError) error = NULL;
  SsRunControl own;
  const SsappBenchLoopPlan plan = {.text = run->text,
                                   .name = run->motion->example,
                                   .set = run->set,
                                   .n_set = run->n_set,
                                   .methods = run->methods,
                                   .steps = run->motion->loop_steps,
                                   .seed = 1,
                                   .cpu_limit = CPU_LIMIT,
                                   .control = control != NULL ? control : &own};

  ss_run_control_init (&own);
  SsTrajectory *motion = ssapp_bench_loop_motion (&plan, run->motion->loop, NULL, &error);
  if (motion == NULL) {
    ss_error_set (err, SS_ERR_INVALID, "%s", error->message);
    return FALSE;
  }
  const int m = run->scenario->model->n_variables, n = motion->n_rows;
  g_autofree double *x = g_new (double, (gsize)(n * m));
  for (int k = 0; k < n; k++)
    memcpy (x + k * m, ss_trajectory_row (motion, k) + 1, sizeof (double) * (gsize)m);
  const gboolean ok =
      n == run->scenario->model->n_points && ss_run_result_from_iterate (&run->job.job, SS_OUTCOME_COMPLETED, n - 1, x,
                                                                         n * m, NULL, &run->result, err) == SS_OK;
  ss_trajectory_free (motion);
  return ok;
}

static gboolean
is_plan (const Run *run)
{
  return run->methods != NULL &&
         ((const SsappBenchMethod *)g_ptr_array_index (run->methods, 0))->method->kind == SS_METHOD_OPTIMISER;
}

static void
run_init (Run *run, const SsappPaperMotion *motion, const GPtrArray *runs, SsRunControl *control)
{
  const SsappBenchMethod *method;
  SsError error = {0};

  *run = (Run){.motion = motion};
  if (!read_scenario (run) || !read_method (run) || !read_start (run, runs))
    return;
  method = g_ptr_array_index (run->methods, 0);
  if (!ssapp_bench_job_init (&run->job, method, run->scenario, &error)) {
    run->message = g_strdup (error.message);
    return;
  }
  if (method->method->kind == SS_METHOD_INTEGRATOR) {
    if (motion->dt > 0)
      run->job.job.simulate.dt = motion->dt;
    if (motion->t_end > 0)
      run->job.job.simulate.t_end = motion->t_end;
  } else {
    run->job.job.solve.start = run->start;
    run->job.job.solve.transcription.dt = motion->dt;
    run->job.job.solve.transcription.t_end = motion->t_end;
  }
  if (control != NULL)
    ss_run_control_limit_cpu (control, motion->is_all ? CPU_LIMIT_ALL : CPU_LIMIT);
  run->has_result = motion->loop != NULL ? run_loop (run, control, &error)
                                         : ss_run (&run->job.job, control, &run->result, &error) == SS_OK;
  if (control != NULL)
    control->cpu_limit = INFINITY;
  if (!run->has_result)
    run->message = g_strdup (error.message);
}

static void
run_free (gpointer data)
{
  Run *run = data;

  if (run->has_result)
    ss_run_result_clear (&run->result);
  ssapp_bench_job_clear (&run->job);
  g_clear_pointer (&run->methods, g_ptr_array_unref);
  ss_trajectory_free (run->start);
  ss_scenario_free (run->scenario);
  g_strfreev (run->pairs);
  g_free (run->text);
  g_free (run->message);
  g_free (run);
}

GPtrArray *
ssapp_paper_runs_new (void)
{
  return g_ptr_array_new_with_free_func (run_free);
}

/* Whether both are one plan, whatever is drawn of it. */
static gboolean
is_same (const SsappPaperMotion *a, const SsappPaperMotion *b)
{
  return strcmp (a->example, b->example) == 0 && g_strcmp0 (a->set, b->set) == 0 &&
         strcmp (a->method, b->method) == 0 && a->dt <= b->dt && a->dt >= b->dt && a->t_end <= b->t_end &&
         a->t_end >= b->t_end && a->from == b->from && a->from_time <= b->from_time && a->from_time >= b->from_time &&
         g_strcmp0 (a->from_key, b->from_key) == 0 && a->from_copies == b->from_copies &&
         g_strcmp0 (a->loop, b->loop) == 0 && a->loop_steps == b->loop_steps;
}

/* A plan that is there, or the motion run anew: owned by `runs`. */
static Run *
take_run (GPtrArray *runs, const SsappPaperMotion *motion, const SsappPaperPlan *plan)
{
  for (guint i = 0; i < runs->len; i++) {
    Run *kept = g_ptr_array_index (runs, i);
    if (!is_same (kept->motion, motion))
      continue;
    kept->motion = motion;
    ssapp_bench_say (plan->say, "%s: the plan is there", motion->title);
    return kept;
  }
  Run *run = g_new (Run, 1);
  run_init (run, motion, runs, plan->control);
  g_ptr_array_add (runs, run);
  ssapp_bench_say (plan->say, "%s: %s", motion->title,
                   run->has_result ? ss_outcome_name (run->result.outcome) : run->message);
  return run;
}

/* ---- pictures and rows ------------------------------------------------------------------------------------------- */

/* As results have them; a new reference. */
static json_t *
tell_events (const Run *run)
{
  return run->scenario->scene != NULL
             ? json_pack ("{s:o}", "events", ssapp_run_events_to_json (run->scenario->scene, run->result.events))
             : json_object ();
}

static gboolean
write_plot (gconstpointer data, const char *path, GError **error)
{
  const Run *run = data;
  const SsappPaperMotion *motion = run->motion;
  const SsappBenchMethod *method = g_ptr_array_index (run->methods, 0);
  json_t *told = tell_events (run);
  g_autoptr (GArray) events = ssapp_run_events_from_json (told);
  const SsappFigureRun figure = {.label = motion->title,
                                 .method = ss_method_id (method->method),
                                 .trajectory = ss_run_motion (&run->result),
                                 .outcome = ss_outcome_name (run->result.outcome),
                                 .holds_controls = method->method->kind == SS_METHOD_OPTIMISER,
                                 .events = events,
                                 .scenario = run->scenario};
  SsappFigureOptions options = {.width_mm = WIDTH_MM,
                                .dpi = DPI,
                                .time = NAN,
                                .channels = motion->channels,
                                .x_channel = motion->x,
                                .y_channel = motion->y};
  ssapp_region_init (&options.region);
  const gboolean ok = ssapp_export_figure (run->plot, run->scenario, &figure, 1, &options, path, error);
  json_decref (told);
  return ok;
}

static gboolean
draw (Run *run, SsappPaperPictures *pictures, GError **error)
{
  g_auto (GStrv) plots = g_strsplit (run->motion->plots, ",", -1);

  for (guint i = 0; plots[i] != NULL; i++) {
    g_autofree char *key =
        plots[1] != NULL ? g_strdup_printf ("%s-%s", run->motion->key, plots[i]) : g_strdup (run->motion->key);
    run->plot = ssapp_plot_find (plots[i]);
    if (run->plot == NULL) {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "there is no plot '%s'", plots[i]);
      return FALSE;
    }
    if (!ssapp_paper_picture (pictures, key, run->motion->title, write_plot, run, error))
      return FALSE;
  }
  return TRUE;
}

static void
add_row (SsappBenchSheet *sheet, const Run *run)
{
  const SsTrajectory *motion = run->has_result ? ss_run_motion (&run->result) : NULL;
  const SsMetricSet *set = &run->result.metrics;
  const gboolean has = run->has_result;

  SSAPP_BENCH_ROW (sheet, {run->motion->key}, {run->motion->method},
                   {has ? ss_outcome_name (run->result.outcome) : run->message},
                   {.n = motion != NULL && motion->n_rows > 0
                             ? motion->values[(gsize)(motion->n_rows - 1) * (gsize)motion->n_channels]
                             : (double)NAN},
                   {.n = has ? ss_metric_get (set, SS_METRIC_OBJECTIVE) : (double)NAN},
                   {.n = has ? ss_metric_get (set, SS_METRIC_MAX_VIOLATION) : (double)NAN},
                   {.n = has ? ss_metric_get (set, SS_METRIC_TRACKING_TOTAL) : (double)NAN},
                   {.n = has ? ss_metric_get (set, SS_METRIC_SUCCESS_PAPER) : (double)NAN},
                   {.n = has ? ss_metric_get (set, SS_METRIC_ITERATIONS) : (double)NAN},
                   {.n = has ? ss_metric_get (set, SS_METRIC_CPU_SECONDS) : (double)NAN});
}

/* What the item asks of a motion, as documents of rows: the table is added when all have run. */
static void
ask (const Run *run, GPtrArray *asked)
{
  g_auto (GStrv) texts = g_strsplit (run->motion->asks != NULL ? run->motion->asks : "", ";", -1);
  const SsTrajectory *motion = run->has_result ? ss_run_motion (&run->result) : NULL;
  g_autoptr (SsappInterests) interests =
      motion != NULL ? ssapp_interests_new ((const char *const *)texts, g_strv_length (texts), NULL) : NULL;
  json_t *told = interests != NULL ? tell_events (run) : NULL;

  for (guint i = 0; interests != NULL && i < ssapp_interests_get_n (interests); i++) {
    Answer *answer = g_new0 (Answer, 1);
    const char *unit = "";
    answer->motion = run->motion->key;
    answer->what = g_strdup (ssapp_interests_get_name (interests, i));
    if (!ssapp_interests_value (interests, i, motion, told, &answer->value, &unit, NULL))
      answer->value = NAN;
    answer->unit = g_strdup (unit);
    g_ptr_array_add (asked, answer);
  }
  json_decref (told);
}

static void
add_answers (SsappBenchSheet *sheet, const GPtrArray *asked)
{
  static const char *const columns[] = {"motion|motion|0", "what|what|0", "value|value|8", "unit|unit|0", NULL};

  if (asked->len == 0)
    return;
  ssapp_bench_sheet_table (sheet, "asked", "Asked of the motions", columns);
  for (guint i = 0; i < asked->len; i++) {
    const Answer *answer = g_ptr_array_index (asked, i);
    SSAPP_BENCH_ROW (sheet, {answer->motion}, {answer->what}, {.n = answer->value}, {answer->unit});
  }
}

gboolean
ssapp_paper_run_motions (const SsappPaperItem *item, const SsappPaperPlan *plan, SsappBenchSheet *sheet,
                         SsappPaperPictures *pictures, GError **error)
{
  static const char *const columns[] = {"motion|motion|0",
                                        "method|method|0",
                                        "outcome|outcome|0",
                                        "t_end|end [s]|6",
                                        "objective|objective|6",
                                        "violation|violation|2",
                                        "tracking|tracking error|3",
                                        "success|success|1",
                                        "iterations|iterations|6",
                                        "seconds|CPU time [s]|3",
                                        NULL};
  g_autoptr (GPtrArray) asked = g_ptr_array_new_with_free_func (answer_free);
  g_autoptr (GPtrArray) runs = plan->runs != NULL ? g_ptr_array_ref (plan->runs) : ssapp_paper_runs_new ();
  gboolean ok = TRUE;

  ssapp_bench_sheet_table (sheet, "motions", "Runs of the pictures", columns);
  for (const SsappPaperMotion *motion = item->motions; ok && motion->key != NULL; motion++) {
    if ((motion->is_long && plan->extent == SSAPP_PAPER_QUICK) || (motion->is_all && plan->extent != SSAPP_PAPER_ALL) ||
        ssapp_bench_is_cancelled (plan->control))
      continue;
    Run *run = take_run (runs, motion, plan);
    add_row (sheet, run);
    ask (run, asked);
    if (run->has_result && ss_run_motion (&run->result) != NULL)
      ok = draw (run, pictures, error);
    if (!is_plan (run) || !run->has_result || ssapp_bench_is_cancelled (plan->control))
      g_ptr_array_remove (runs, run);
  }
  add_answers (sheet, asked);
  return ok;
}
