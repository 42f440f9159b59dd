/* app/live/live.c: the engine of a page that computes, compiled to WebAssembly (app/live/build.sh); and, with
 * LIVE_MAIN, the same as a program of this machine with the same mathematical library, which says what a page must
 * find to the last bit.
 *
 * One job at a time: live_room gives memory for the text of a job, live_run runs it and leaves behind a text (JSON)
 * and a block of numbers, both until the next call.
 *
 * A job: {"scenario": text, "numbers": {NAME: number} (scene/ss-number.h), "method": NAME, "options": {NAME: text},
 * "dt": s, "t_end": s, "outcomes": {NAME: formula} (scene/ss-interest.h) beside those of the scenario, "frames": most
 * of them, "list": true}; all but scenario and method may be absent.
 * The text: {"problems": [text]} where the job can't be run; else {"outcome", "message", "metrics": [{"name", "label",
 * "unit", "value"}], those of the machine left out, outcomes among them,
 * "channels": [{"name", "label", "unit", "group"}], "rows", "frames", "marks": [{"kind", "role", "name", "color",
 * "trace", "vertices", "text"}], "bounds": [xmin, ymin, xmax, ymax], "events": [[t, kind, subject]], "sha256": of all
 * rows, "cpu_seconds"}, and where the job asks to list, "numbers": [{"name", "value", "lower", "upper"}] that a job may
 * give and "methods": [{"name", "label"}].
 * The numbers, a double each: for each frame the row's channels, those of the scenario's strips among them by their
 * labels, then for each mark visible, x, y, angle, radius, vx, vy, value, and its vertices' coordinates.
 *
 * Layer: it knows the engine alone. Threads: one.
 */
#include "core/ss-core.h"
#include "core/ss-memory.h"
#include "core/ss-option.h"
#include "core/ss-run-control.h"
#include "run/ss-integrators.h"
#include "run/ss-run-simulate.h"
#include "scene/ss-interest.h"
#include "scene/ss-number.h"
#include "scene/ss-scenario.h"
#include "scene/ss-sha256.h"
#include "scene/ss-view.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  FRAMES_MOST = 2000, /* by default */
  PROBLEMS_MOST = 20, /* that are told */
  OPTIONS_MOST = 4096 /* bytes of an integrator's options */
};
/* A page must not hang: a run ends after that much CPU time [s]. */
static const double CPU_LIMIT = 120;

static const SsIntegratorClass *const integrators[] = {
#define X(id, look, is_default) &ss_integrator_##id,
    SS_INTEGRATOR_PENALTY_LIST (X) SS_INTEGRATOR_RIGID_LIST (X)
#undef X
};

/* What the last job left behind. */
static char *room, *text;
static double *numbers;

/* ---- what a job says --------------------------------------------------------------------------------------------- */

typedef struct {
  json_t *json; /* owned */
  SsScenario *scenario;
  const SsIntegratorClass *integrator;
  union {
    char bytes[OPTIONS_MOST];
    double align;
  } options;
  json_t *problems; /* owned by the answer */
} Job;

static void
problem (Job *job, const char *what, const char *why)
{
  char words[1024];

  snprintf (words, sizeof words, "%s%s%s", what, *what != '\0' ? ": " : "", why);
  json_array_append_new (job->problems, json_string (words));
}

/* The scenario of a text; NULL: its problems are told. */
static SsScenario *
read_text (Job *job, const char *source)
{
  SsScenario *scenario = NULL;
  SsProblems problems;

  ss_problems_init (&problems);
  if (ss_scenario_read (source, strlen (source), "", NULL, 0, &problems, &scenario) != SS_OK)
    for (int i = 0; i < problems.n_items && i < PROBLEMS_MOST; i++) {
      char words[1024];
      problems.items[i].line = 0; /* of a text that the reader does not see */
      ss_error_format (&problems.items[i], words, sizeof words);
      problem (job, "", words);
    }
  ss_problems_clear (&problems);
  return scenario;
}

/* The scenario with the job's numbers in it. */
static void
read_scenario (Job *job)
{
  const char *source = json_string_value (json_object_get (job->json, "scenario"));
  json_t *given = json_object_get (job->json, "numbers"), *value;
  const char *name;
  SsError err = {0};
  char *changed = NULL;
  int n = 0;

  job->scenario = source != NULL ? read_text (job, source) : NULL;
  if (source == NULL)
    problem (job, "", "the job has no scenario");
  if (job->scenario == NULL)
    return;
  if (job->scenario->scene == NULL) {
    problem (job, "", "the scenario is no scene");
    return;
  }
  SsOverride *numbers = calloc (json_object_size (given) + 1, sizeof *numbers);
  json_object_foreach (given, name, value) numbers[n++] = (SsOverride){name, json_number_value (value)};
  if (n > 0 && ss_scenario_with_numbers (job->scenario, numbers, n, &changed, &err) != SS_OK)
    problem (job, "", err.message);
  free (numbers);
  if (changed == NULL)
    return;
  ss_scenario_free (job->scenario);
  job->scenario = read_text (job, changed);
  ss_free (changed);
}

static void
read_method (Job *job)
{
  const char *name = json_string_value (json_object_get (job->json, "method")), *option;
  json_t *value;
  SsError err = {0};

  for (size_t i = 0; name != NULL && i < sizeof integrators / sizeof *integrators; i++)
    if (strcmp (integrators[i]->name, name) == 0)
      job->integrator = integrators[i];
  if (job->integrator == NULL) {
    problem (job, name != NULL ? name : "", "the page has no such integrator");
    return;
  }
  SS_ASSERT (job->integrator->options->size <= sizeof job->options.bytes);
  ss_options_init (job->integrator->options, job->options.bytes);
  for (int i = 0; job->scenario != NULL && i < job->scenario->n_method_defaults; i++) {
    const SsMethodDefault *line = &job->scenario->method_defaults[i];
    if (strcmp (line->method, name) == 0 &&
        ss_options_set (job->integrator->options, job->options.bytes, line->name, line->value, &err) != SS_OK)
      problem (job, line->name, err.message);
  }
  json_object_foreach (json_object_get (job->json, "options"), option,
                       value) if (ss_options_set (job->integrator->options, job->options.bytes, option,
                                                  json_string_value (value), &err) != SS_OK)
      problem (job, option, err.message);
}

static double
number_of (const Job *job, const char *name, double fallback)
{
  const json_t *value = json_object_get (job->json, name);

  return json_is_number (value) ? json_number_value (value) : fallback;
}

/* ---- what is told ------------------------------------------------------------------------------------------------ */

static json_t *
real (double value)
{
  return isfinite (value) ? json_real (value) : json_null (); /* no limit, or not known */
}

/* Adds a number of the scenario where it has one of that name that is no start by a formula. */
static void
list_number (const SsScenario *scenario, json_t *list, const char *owner, const char *field)
{
  char name[256];
  SsNumber number;

  if (snprintf (name, sizeof name, "%s%s%s", owner, *field != '\0' ? "." : "", field) >= (int)sizeof name ||
      ss_scenario_number (scenario, name, &number, NULL) != SS_OK || number.is_by_formula)
    return;
  json_array_append_new (list, json_pack ("{s:s, s:o, s:o, s:o}", "name", name, "value", real (number.value), "lower",
                                          real (number.lower), "upper", real (number.upper)));
}

/* What a reader may change: parameters, gravity, friction and restitution, masses, starts. */
static json_t *
numbers_to_json (const SsScenario *scenario)
{
  static const char *const CONTACT[] = {"friction", "restitution"};
  const SsScene *scene = scenario->scene;
  json_t *list = json_array ();

  for (int p = 0; p < scenario->n_parameters; p++)
    list_number (scenario, list, scenario->parameters[p].name, "");
  list_number (scenario, list, "gravity", "x");
  list_number (scenario, list, "gravity", "y");
  for (size_t f = 0; f < sizeof CONTACT / sizeof *CONTACT; f++) {
    list_number (scenario, list, "scene", CONTACT[f]);
    for (int c = 0; c < scene->n_contacts; c++)
      list_number (scenario, list, scene->contacts[c].name, CONTACT[f]);
  }
  for (int b = 0; b < scene->n_bodies; b++) {
    if (scene->bodies[b].is_fixed)
      continue;
    list_number (scenario, list, scene->bodies[b].name, "mass");
    for (int c = 0; c < SS_PLAN_COORDINATES; c++)
      list_number (scenario, list, scene->bodies[b].name, ss_body_channels[c]);
  }
  return list;
}

static json_t *
methods_to_json (void)
{
  json_t *list = json_array ();

  for (size_t i = 0; i < sizeof integrators / sizeof *integrators; i++)
    json_array_append_new (list,
                           json_pack ("{s:s, s:s}", "name", integrators[i]->name, "label", integrators[i]->label));
  return list;
}

/* Metrics that tell of the machine: those of a reader's say nothing beside the stored ones. */
static const SsMetric of_machine[] = {SS_METRIC_SETUP_SECONDS, SS_METRIC_SOLVE_SECONDS,  SS_METRIC_CPU_SECONDS,
                                      SS_METRIC_THREADS,       SS_METRIC_WAITED_SECONDS, SS_METRIC_MACHINE_LOAD};

static bool
is_of_machine (SsMetric metric)
{
  for (size_t i = 0; i < sizeof of_machine / sizeof *of_machine; i++)
    if (of_machine[i] == metric)
      return true;
  return false;
}

static json_t *
metrics_to_json (const SsMetricSet *set)
{
  json_t *list = json_array ();

  for (int m = 0; m < SS_METRIC_COUNT; m++) {
    const SsMetricSpec *spec = ss_metric_spec ((SsMetric)m);
    if (set->is_set[m] && !is_of_machine ((SsMetric)m))
      json_array_append_new (list, json_pack ("{s:s, s:s, s:s, s:o}", "name", spec->name, "label", spec->label, "unit",
                                              spec->unit, "value", real (ss_metric_get (set, (SsMetric)m))));
  }
  return list;
}

/* The value of a formula among the metrics; one that does not fit the motion is not answered. */
static void
add_outcome (const char *name, const char *formula, const SsTrajectory *motion, const SsInterestEvent *events, int n,
             json_t *metrics)
{
  SsInterest *interest = NULL;
  char unit[SS_INTEREST_UNIT];
  double value;

  if (formula != NULL && ss_interest_new (formula, &interest, NULL) == SS_OK &&
      ss_interest_value (interest, motion, events, n, &value, unit, NULL) == SS_OK)
    json_array_append_new (
        metrics, json_pack ("{s:s, s:s, s:s, s:o}", "name", name, "label", name, "unit", unit, "value", real (value)));
  ss_interest_free (interest);
}

/* What is asked of the motion beside its metrics: by the job, then by the scenario under other names. */
static void
add_outcomes (const Job *job, const SsRunResult *result, json_t *metrics)
{
  const SsTrajectory *motion = ss_run_motion (result);
  const json_t *asked = json_object_get (job->json, "outcomes");
  const int n = result->events != NULL ? result->events->n_items : 0;
  SsInterestEvent *events =
      motion != NULL && motion->n_rows > 0 ? ss_events_to_interest (result->events, job->scenario->scene) : NULL;
  const char *name;
  json_t *formula;

  if (events == NULL)
    return;
  json_object_foreach ((json_t *)asked, name, formula)
      add_outcome (name, json_string_value (formula), motion, events, n, metrics);
  for (int i = 0; i < job->scenario->n_interests; i++)
    if (json_object_get (asked, job->scenario->interests[i].name) == NULL)
      add_outcome (job->scenario->interests[i].name, job->scenario->interests[i].formula, motion, events, n, metrics);
  ss_free (events);
}

/* Of the motion, then the strips. */
static json_t *
channels_to_json (const SsTrajectory *motion, const SsView *view)
{
  json_t *list = json_array ();

  for (int c = 0; c < motion->n_channels; c++)
    json_array_append_new (
        list, json_pack ("{s:s, s:s}", "name", motion->channels[c].name, "unit", motion->channels[c].unit));
  for (int i = 0; i < ss_view_n_strips (view); i++)
    json_array_append_new (list, json_pack ("{s:s, s:s}", "name", ss_view_strip_label (view, i), "unit", ""));
  return list;
}

static json_t *
events_to_json (const SsScene *scene, const SsEventList *events)
{
  json_t *list = json_array ();

  for (int i = 0; events != NULL && i < events->n_items; i++)
    json_array_append_new (list, json_pack ("[f, s, s]", events->items[i].t, ss_event_kind_name (events->items[i].kind),
                                            ss_event_subject_name (scene, &events->items[i])));
  return list;
}

static json_t *
marks_to_json (const SsMark *marks, int n)
{
  json_t *list = json_array ();

  for (int i = 0; i < n; i++)
    json_array_append_new (
        list, json_pack ("{s:s, s:s, s:s, s:s, s:b, s:i, s:s?}", "kind", ss_mark_kind_name (marks[i].kind), "role",
                         ss_mark_role_name (marks[i].role), "name", marks[i].name, "color", marks[i].color, "trace",
                         marks[i].trace, "vertices", marks[i].n_vertices, "text", marks[i].text));
  return list;
}

enum { MARK_FIELDS = 8 }; /* numbers of a mark in each frame */

/* Frames with their marks into `numbers`. */
static bool
tell_frames (const Job *job, const SsTrajectory *motion, json_t *told)
{
  const int most = (int)fmax (2, number_of (job, "frames", FRAMES_MOST));
  const int stride = (motion->n_rows + most - 1) / most, n = (motion->n_rows - 1 + stride - 1) / stride + 1;
  SsView *view = NULL;
  SsError err = {0};
  double bounds[4];
  size_t width = (size_t)motion->n_channels;

  if (ss_view_new (job->scenario, motion->channels, motion->n_channels, &view, &err) != SS_OK)
    return false;
  const int n_marks = ss_view_n_marks (view), n_strips = ss_view_n_strips (view);
  width += (size_t)n_strips;
  SsMark *marks = calloc ((size_t)n_marks + 1, sizeof *marks);
  int *n_vertices = calloc ((size_t)n_marks + 1, sizeof *n_vertices);
  bool ok = marks != NULL && n_vertices != NULL;

  if (ok) {
    ss_view_frame (view, ss_trajectory_row (motion, 0), marks);
    for (int m = 0; m < n_marks; m++)
      width += MARK_FIELDS + 2 * (size_t)(n_vertices[m] = marks[m].n_vertices);
    numbers = malloc ((size_t)n * width * sizeof *numbers);
    ok = numbers != NULL;
  }
  for (int f = 0; ok && f < n; f++) {
    const double *row = ss_trajectory_row (motion, f * stride < motion->n_rows ? f * stride : motion->n_rows - 1);
    double *to = numbers + (size_t)f * width;

    memcpy (to, row, (size_t)motion->n_channels * sizeof *to);
    to += motion->n_channels;
    for (int i = 0; i < n_strips; i++)
      *to++ = ss_view_strip_value (view, i, row);
    ss_view_frame (view, row, marks);
    for (int m = 0; m < n_marks; m++) {
      const SsMark *mark = &marks[m];
      const double fields[] = {mark->visible, mark->position.x, mark->position.y, mark->angle,
                               mark->radius,  mark->vector.x,   mark->vector.y,   mark->value};
      memcpy (to, fields, sizeof fields);
      to += MARK_FIELDS;
      for (int v = 0; v < n_vertices[m]; v++) {
        *to++ = v < mark->n_vertices ? mark->vertices[v].x : 0;
        *to++ = v < mark->n_vertices ? mark->vertices[v].y : 0;
      }
    }
  }
  if (ok) {
    ss_view_bounds (view, motion, bounds);
    json_object_set_new (told, "bounds", json_pack ("[f, f, f, f]", bounds[0], bounds[1], bounds[2], bounds[3]));
    json_object_set_new (told, "channels", channels_to_json (motion, view));
    json_object_set_new (told, "marks", marks_to_json (marks, n_marks));
    json_object_set_new (told, "frames", json_integer (n));
    json_object_set_new (told, "width", json_integer ((json_int_t)width));
  }
  ss_view_free (view);
  free (n_vertices);
  free (marks);
  return ok;
}

static void
tell (const Job *job, const SsRunResult *result, double cpu, json_t *told)
{
  const SsTrajectory *motion = ss_run_motion (result);
  char hash[65];

  json_object_set_new (told, "outcome", json_string (ss_outcome_name (result->outcome)));
  json_object_set_new (told, "message", json_string (result->message));
  json_t *metrics = metrics_to_json (&result->metrics);
  add_outcomes (job, result, metrics);
  json_object_set_new (told, "metrics", metrics);
  json_object_set_new (told, "events", events_to_json (job->scenario->scene, result->events));
  json_object_set_new (told, "cpu_seconds", json_real (cpu));
  if (motion == NULL || motion->n_rows == 0)
    return;
  ss_trajectory_sha256 (motion, hash);
  json_object_set_new (told, "sha256", json_string (hash));
  json_object_set_new (told, "rows", json_integer (motion->n_rows));
  if (!tell_frames (job, motion, told))
    json_object_set_new (told, "message", json_string ("out of memory"));
}

static void
run (Job *job, json_t *told)
{
  SsSimulateJob own = {.scenario = job->scenario,
                       .integrator = job->integrator,
                       .options = job->options.bytes,
                       .dt = number_of (job, "dt", NAN),
                       .t_end = number_of (job, "t_end", NAN)};
  SsRunControl control;
  SsRunResult result;
  SsError err = {0};

  ss_run_control_init (&control);
  ss_run_control_limit_cpu (&control, CPU_LIMIT);
  ss_run_result_init (&result);
  if (ss_run_simulate (&own, &control, &result, &err) == SS_OK)
    tell (job, &result, ss_run_control_cpu (&control), told);
  else
    problem (job, "", err.message);
  ss_run_result_clear (&result);
}

/* ---- doors ------------------------------------------------------------------------------------------------------- */

#ifdef __wasm__
#define DOOR(name) __attribute__ ((export_name (#name)))
#else
#define DOOR(name)
#endif

/* Room for the text of a job, `size` bytes; NULL: there is none. */
DOOR (live_room) char *live_room (int size);
/* Runs the job whose text is `size` bytes in the room. */
DOOR (live_run) void live_run (int size);
/* What the last job left behind: its text, and its numbers. */
DOOR (live_text) const char *live_text (void);
DOOR (live_numbers) const double *live_numbers (void);

char *
live_room (int size)
{
  free (room);
  room = malloc ((size_t)size + 1);
  return room;
}

void
live_run (int size)
{
  Job job = {.json = json_loadb (room, (size_t)size, 0, NULL), .problems = json_array ()};
  json_t *told = json_object ();

  free (text);
  free (numbers);
  numbers = NULL;
  if (!json_is_object (job.json)) {
    problem (&job, "", "the job is no JSON object");
  } else {
    read_scenario (&job);
    read_method (&job);
    if (json_array_size (job.problems) == 0)
      run (&job, told);
    if (json_is_true (json_object_get (job.json, "list")) && job.scenario != NULL && job.scenario->scene != NULL) {
      json_object_set_new (told, "numbers", numbers_to_json (job.scenario));
      json_object_set_new (told, "methods", methods_to_json ());
      json_object_set_new (told, "dt", real (job.scenario->task.dt));
      json_object_set_new (told, "t_end", real (job.scenario->task.t_end));
    }
  }
  if (json_array_size (job.problems) > 0)
    json_object_set (told, "problems", job.problems);
  text = json_dumps (told, JSON_COMPACT | JSON_REAL_PRECISION (17));
  ss_scenario_free (job.scenario);
  json_decref (job.problems);
  json_decref (job.json);
  json_decref (told);
}

const char *
live_text (void)
{
  return text;
}

const double *
live_numbers (void)
{
  return numbers;
}

#ifdef LIVE_MAIN
/* A job a line on standard input, its text a line on standard output. */
int
main (void)
{
  char *line = NULL;
  size_t size = 0;
  ssize_t length;

  while ((length = getline (&line, &size, stdin)) > 0) {
    memcpy (live_room ((int)length), line, (size_t)length);
    live_run ((int)length);
    puts (live_text ());
    fflush (stdout);
  }
  free (line);
  return 0;
}
#endif
