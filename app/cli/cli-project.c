/* app/cli/cli-project.c: verbs that read a project: list, show, export. */
#include "app/cli/cli-channels.h"
#include "app/cli/cli-common.h"
#include "app/cli/cli-page.h"
#include "app/cli/cli-sketch.h"

#include "app/export/ssapp-export.h"
#include "app/export/ssapp-page.h"
#include "app/base/ssapp-json.h"
#include "app/base/ssapp-metric.h"
#include "app/base/ssapp-text.h"
#include "app/draw/ssapp-clock.h"
#include "app/draw/ssapp-overlays.h"
#include "app/job/ssapp-certainty.h"
#include "app/job/ssapp-fan.h"
#include "app/job/ssapp-reasons.h"
#include "app/job/ssapp-tries.h"
#include "simulate/ss-replay.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHORT_ID = 8 };
#define DEFAULT_WIDTH_MM 180.0 /* two columns of a paper */
#define DEFAULT_DPI      300.0

static SsappStore *
open_project (const CliArgs *args, const char *path, int *status)
{
  GError *error = NULL;
  SsappStore *store;

  *status = CLI_OK;
  if (path == NULL)
    path = cli_args_text (args, "--project");
  if (path == NULL) {
    *status = cli_fail ("'%s' needs --project FILE", cli_args_verb (args)->name);
    return NULL;
  }
  store = ssapp_store_open (path, FALSE, &error);
  if (store == NULL)
    *status = cli_fail ("%s", error->message);
  g_clear_error (&error);
  return store;
}

static void
close_project (SsappStore *store)
{
  g_object_unref (store); /* which closes it; nothing was written */
}

static json_t *
parse_or_null (const char *text)
{
  json_t *json = text != NULL ? json_loads (text, 0, NULL) : NULL;

  return json != NULL ? json : json_null ();
}

/* ---- list -------------------------------------------------------------------------------------------------------- */

/* Of every run in a list. */
static const SsMetric listed[] = {SS_METRIC_OBJECTIVE,      SS_METRIC_MAX_VIOLATION, SS_METRIC_TRACKING_TOTAL,
                                  SS_METRIC_ITERATIONS,     SS_METRIC_SOLVE_SECONDS, SS_METRIC_REPLAYED_OBJECTIVE,
                                  SS_METRIC_REPLAY_DISTANCE};
/* The last two are of plans with several starts, and of replays. */
enum { N_LISTED = G_N_ELEMENTS (listed), N_OF_EVERY_RUN = N_LISTED - 2 };

/* A run that counted nothing has 0 of it. */
static void
set_metric (json_t *object, const SsappRunRow *row, SsMetric metric)
{
  const double value = ssapp_run_row_get_metric (row, metric);
  const gboolean is_count = ss_metric_spec (metric)->type == SS_METRIC_TYPE_COUNT;
  g_autofree char *name = ssapp_metric_flat_name (metric);

  json_object_set_new (object, name, ssapp_metric_to_json (metric, is_count && isnan (value) ? 0 : value));
}

static json_t *
row_to_json (const SsappRunRow *row)
{
  json_t *object = json_object ();

  json_object_set_new (object, "run", json_string (row->id));
  json_object_set_new (object, "scenario", json_string (row->scenario_name));
  json_object_set_new (object, "sha256", json_string (row->scenario_sha256));
  json_object_set_new (object, "method", json_string (row->method));
  json_object_set_new (object, "outcome", json_string (row->outcome));
  json_object_set_new (object, "message", json_string (row->message));
  json_object_set_new (object, "started", json_string (row->started));
  json_object_set_new (object, "ended", json_string (row->ended));
  for (guint i = 0; i < N_OF_EVERY_RUN; i++)
    set_metric (object, row, listed[i]);
  json_object_set_new (object, "options", parse_or_null (row->options_json));
  json_object_set_new (object, "parameters", parse_or_null (row->parameters_json));
  json_object_set_new (object, "seed", json_integer ((json_int_t)row->seed));
  if (row->replay_of[0] != '\0') {
    json_object_set_new (object, "replay_of", json_string (row->replay_of));
    set_metric (object, row, SS_METRIC_REPLAY_DISTANCE);
  }
  if (row->solution_of[0] != '\0')
    json_object_set_new (object, "solution_of", json_string (row->solution_of));
  if (row->start[0] != '\0') {
    json_object_set_new (object, "start", json_string (row->start));
    set_metric (object, row, SS_METRIC_REPLAYED_OBJECTIVE);
  }
  json_object_set_new (object, "note", json_string (row->note));
  return object;
}

/* What a plan of several starts is worth, which start led to it, and whether it is the answer. */
static void
print_start (const SsappRunRow *row)
{
  g_autofree char *replayed = ssapp_metric_text (SS_METRIC_REPLAYED_OBJECTIVE,
                                                 ssapp_run_row_get_metric (row, SS_METRIC_REPLAYED_OBJECTIVE)),
                  *start = ssapp_text_visible (row->start, FALSE), *of = ssapp_text_visible (row->solution_of, FALSE);

  printf ("  %*s  %s", 13, replayed, start);
  if (row->solution_of[0] != '\0')
    printf (" (not the answer of %.*s)", SHORT_ID, of);
}

static void
print_rows (GPtrArray *rows)
{
  static const SsMetric columns[] = {SS_METRIC_OBJECTIVE, SS_METRIC_MAX_VIOLATION, SS_METRIC_ITERATIONS,
                                     SS_METRIC_SOLVE_SECONDS};
  enum { WIDTH = 13 };
  gboolean has_starts = FALSE;

  for (guint i = 0; i < rows->len; i++)
    has_starts = has_starts || ((const SsappRunRow *)g_ptr_array_index (rows, i))->start[0] != '\0';
  printf ("%-8s  %-19s  %-16s  %-16s  %-14s", "run", "started (UTC)", "scenario", "method", "outcome");
  for (guint c = 0; c < G_N_ELEMENTS (columns); c++) {
    g_autofree char *title = ssapp_metric_heading (columns[c]);
    printf ("  %*s", WIDTH, title);
  }
  if (has_starts)
    printf ("  %*s  %s", WIDTH, "replayed", "start");
  printf ("\n");
  for (guint i = 0; i < rows->len; i++) {
    const SsappRunRow *row = g_ptr_array_index (rows, i);
    /* A project may come from somebody else. */
    g_autofree char *id = ssapp_text_visible (row->id, FALSE), *started = ssapp_text_visible (row->started, FALSE),
                    *scenario = ssapp_text_visible (row->scenario_name, FALSE),
                    *method = ssapp_text_visible (row->method, FALSE),
                    *outcome = ssapp_text_visible (row->outcome, FALSE);
    printf ("%-8.*s  %-19.19s  %-16s  %-16s  %-14s", SHORT_ID, id, started, scenario, method, outcome);
    for (guint c = 0; c < G_N_ELEMENTS (columns); c++) {
      g_autofree char *text = ssapp_metric_text (columns[c], ssapp_run_row_get_metric (row, columns[c]));
      printf ("  %*s", WIDTH, text);
    }
    if (row->start[0] != '\0')
      print_start (row);
    printf ("\n");
  }
}

static json_t *
strings_to_json (char **texts)
{
  json_t *list = json_array ();

  for (int i = 0; texts[i] != NULL; i++)
    json_array_append_new (list, json_string (texts[i]));
  return list;
}

static void
print_comparison (const SsappComparisonRow *row)
{
  g_autofree char *title = ssapp_text_visible (row->title, FALSE), *created = ssapp_text_visible (row->created, FALSE);

  printf ("%.19s  %s\n", created, title);
  for (int i = 0; row->run_ids[i] != NULL; i++) {
    g_autofree char *id = ssapp_text_visible (row->run_ids[i], FALSE),
                    *label = ssapp_text_visible (row->labels[i], FALSE);
    printf ("  %.*s%s%s\n", SHORT_ID, id, *label != '\0' ? "  " : "", label);
  }
}

static int
list_comparisons (SsappStore *store, gboolean as_json)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) rows = ssapp_store_list_comparisons (store, &error);

  if (rows == NULL)
    return cli_fail ("%s", error->message);
  if (as_json) {
    json_t *list = json_array ();
    for (guint i = 0; i < rows->len; i++) {
      const SsappComparisonRow *row = g_ptr_array_index (rows, i);
      json_array_append_new (list, json_pack ("{s:s, s:s, s:s, s:o, s:o}", "id", row->id, "title", row->title,
                                              "created", row->created, "runs", strings_to_json (row->run_ids), "labels",
                                              strings_to_json (row->labels)));
    }
    cli_print_json (list);
    json_decref (list);
    return CLI_OK;
  }
  for (guint i = 0; i < rows->len; i++)
    print_comparison (g_ptr_array_index (rows, i));
  return CLI_OK;
}

static void
tell_damage (GPtrArray *rows)
{
  for (guint i = 0; i < rows->len; i++) {
    const SsappRunRow *row = g_ptr_array_index (rows, i);
    if (row->damage != NULL)
      cli_fail ("run %s is damaged: %s", row->id, row->damage);
  }
}

int
cli_list (const CliArgs *args)
{
  int status;
  const char *path =
      cli_args_n_positional (args) > 0 ? cli_args_positional (args, 0) : cli_args_text (args, "--project");

  if (cli_args_flag (args, "--sketches"))
    return path != NULL ? cli_list_sketches (args, path) : cli_fail ("'list' needs --project FILE");
  GError *error = NULL;
  SsappStore *store =
      open_project (args, cli_args_n_positional (args) > 0 ? cli_args_positional (args, 0) : NULL, &status);
  GPtrArray *rows;

  if (store == NULL)
    return status;
  if (cli_args_flag (args, "--comparisons")) {
    status = list_comparisons (store, cli_args_flag (args, "--json"));
    close_project (store);
    return status;
  }
  if (cli_args_flag (args, "--check")) {
    status = cli_list_check (args, store);
    close_project (store);
    return status;
  }
  rows = ssapp_store_list_runs (store, listed, cli_args_flag (args, "--ids") ? 0 : N_LISTED, &error);
  if (rows == NULL) {
    status = cli_fail ("%s", error->message);
  } else if (cli_args_flag (args, "--json")) {
    json_t *list = json_array ();
    for (guint i = 0; i < rows->len; i++)
      json_array_append_new (list, row_to_json (g_ptr_array_index (rows, i)));
    cli_print_json (list);
    json_decref (list);
  } else if (cli_args_flag (args, "--ids")) {
    for (guint i = rows->len; i > 0; i--) {
      g_autofree char *id = ssapp_text_visible (((const SsappRunRow *)g_ptr_array_index (rows, i - 1))->id, FALSE);
      printf ("%s\n", id);
    }
  } else {
    print_rows (rows);
  }
  if (rows != NULL)
    tell_damage (rows);
  g_clear_pointer (&rows, g_ptr_array_unref);
  g_clear_error (&error);
  close_project (store);
  return status;
}

/* ---- show -------------------------------------------------------------------------------------------------------- */

static void
print_pairs (const char *title, const json_t *object)
{
  const char *name;
  json_t *value;

  printf ("%s\n", title);
  /* The macro casts const away; nothing is changed. */
  json_object_foreach ((json_t *)object, name, value)
  {
    char *text = json_is_string (value) ? g_strdup (json_string_value (value))
                 : json_is_real (value) ? cli_number (json_real_value (value))
                                        : ssapp_json_text (value, FALSE);
    g_autofree char *shown_name = ssapp_text_visible (name, FALSE), *shown = ssapp_text_visible (text, FALSE);
    printf ("  %-22s %s\n", shown_name, shown);
    g_free (text);
  }
}

/* The first ones; all of them are for `export --plot events` and --json. */
static void
print_events (const json_t *result)
{
  enum { SHOWN = 20 };
  GArray *events = ssapp_run_events_from_json (result);
  char *summary = ssapp_run_events_summary (events);

  if (events->len > 0)
    printf ("Events (%s)\n", summary);
  for (guint i = 0; i < MIN (events->len, SHOWN); i++) {
    char *line = ssapp_run_event_describe (&g_array_index (events, SsappRunEvent, i));
    g_autofree char *shown = ssapp_text_visible (line, FALSE);
    printf ("  %s\n", shown);
    g_free (line);
  }
  if (events->len > SHOWN)
    printf ("  ... and %u more (export --plot events)\n", events->len - SHOWN);
  g_free (summary);
  g_array_unref (events);
}

static void
print_warnings (const json_t *result)
{
  const json_t *list = json_object_get (result, "warnings"), *text;
  size_t i;

  if (json_array_size (list) > 0)
    printf ("Warnings\n");
  json_array_foreach ((json_t *)list, i, text)
  {
    g_autofree char *shown = ssapp_text_visible (json_string_value (text), FALSE);
    printf ("  %s\n", shown);
  }
}

/* Why a plan is none. */
static void
print_reasons (const json_t *result)
{
  SsReasons reasons;

  ssapp_reasons_from_json (result, &reasons);
  if (reasons.n > 0)
    printf ("Reasons\n");
  for (int i = 0; i < reasons.n; i++) {
    g_autofree char *shown = ssapp_text_visible (reasons.items[i].text, FALSE);
    printf ("  %s\n", shown);
  }
}

/* The first branches; all of them are in --json and in export --plot trajectory. */
static void
print_fan (const json_t *result)
{
  enum { SHOWN = 20 };
  SsappFan *fan = ssapp_fan_from_json (result);

  if (fan == NULL)
    return;
  printf ("Fan (%u branches)\n", fan->branches->len);
  for (guint i = 0; i < fan->bodies->len; i++) {
    g_autofree char *line = ssapp_fan_body_describe (&g_array_index (fan->bodies, SsappFanBody, i));
    g_autofree char *shown = ssapp_text_visible (line, FALSE);
    printf ("  %s\n", shown);
  }
  for (guint i = 0; i < MIN (fan->branches->len, SHOWN); i++) {
    g_autofree char *line = ssapp_fan_branch_describe (&g_array_index (fan->branches, SsappFanBranch, i));
    g_autofree char *shown = ssapp_text_visible (line, FALSE);
    printf ("  %s\n", shown);
  }
  if (fan->branches->len > SHOWN)
    printf ("  ... and %u more (--json)\n", fan->branches->len - SHOWN);
  printf ("  (%s)\n", ssapp_fan_legend ());
  ssapp_fan_free (fan);
}

static void
print_certainty (const json_t *result)
{
  g_autofree char *summary = ssapp_certainty_summary (result), *details = ssapp_certainty_details (result);
  g_autofree char *summary_shown = summary != NULL ? ssapp_text_visible (summary, FALSE) : NULL;
  g_autofree char *details_shown = details != NULL ? ssapp_text_visible (details, TRUE) : NULL;

  if (summary_shown != NULL)
    printf ("Steps' certainty\n  %s\n", summary_shown);
  if (details_shown != NULL)
    printf ("%s\n", details_shown);
}

/* The other local solutions of a plan of several starts, each a run. */
static void
print_solutions (const json_t *result)
{
  const json_t *solutions = json_object_get (result, "solutions");

  if (json_array_size (solutions) > 0)
    printf ("Other local solutions\n");
  for (size_t i = 0; i < json_array_size (solutions); i++) {
    const json_t *solution = json_array_get (solutions, i);
    const char *run = ssapp_json_get_string (solution, "run"), *start = ssapp_json_get_string (solution, "start");
    g_autofree char *shown_run = ssapp_text_visible (run != NULL ? run : "", FALSE),
                    *shown_start = ssapp_text_visible (start != NULL ? start : "", FALSE);
    g_autofree char *cost = ssapp_metric_text (
        SS_METRIC_REPLAYED_OBJECTIVE, ssapp_json_get_real (json_object_get (solution, "replayed"), "objective"));
    printf ("  %-22.*s %s: %s replayed\n", SHORT_ID, shown_run, shown_start, cost);
  }
}

static void
print_clock (const json_t *result)
{
  const char *name = ssapp_json_get_string (result, "second_clock");
  g_autofree char *shown = name != NULL ? ssapp_text_visible (name, FALSE) : NULL;

  if (shown != NULL)
    printf ("Second clock\n  %-22s %s\n", "channel", shown);
}

/* A run that is there is marked, and its other parts are shown. */
static void
leave_out_damaged (const SsappRunRow *row, GError **error)
{
  if (row != NULL && g_error_matches (*error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_DAMAGED))
    g_clear_error (error);
}

int
cli_show (const CliArgs *args)
{
  int status;
  GError *error = NULL;
  SsappStore *store;
  SsappRunRow *row;

  if (strstr (cli_args_positional (args, 0), SSAPP_PROJECT_SUFFIX "#") != NULL)
    return cli_show_sketch (args, cli_args_positional (args, 0));
  store = open_project (args, NULL, &status);

  if (store == NULL)
    return status;
  row = ssapp_store_get_run (store, cli_args_positional (args, 0), &error);
  char *result_text = row != NULL ? ssapp_store_get_result_json (store, row->id, &error) : NULL;
  leave_out_damaged (row, &error);
  char *provenance_text =
      row != NULL && error == NULL ? ssapp_store_get_provenance_json (store, row->id, &error) : NULL;
  leave_out_damaged (row, &error);
  if (row != NULL && row->damage != NULL) {
    cli_fail ("run %s is damaged: %s", row->id, row->damage);
    status = CLI_NO_SUCCESS;
  }
  if (error != NULL) {
    status = cli_fail ("%s", error->message);
  } else {
    json_t *about = row_to_json (row), *result = parse_or_null (result_text),
           *provenance = parse_or_null (provenance_text);
    if (cli_args_flag (args, "--json")) {
      json_object_set (about, "result", result);
      json_object_set (about, "provenance", provenance);
      cli_print_json (about);
    } else {
      print_pairs ("Run", about);
      if (json_is_object (result)) {
        print_reasons (result);
        print_clock (result);
        print_solutions (result);
        if (json_is_object (json_object_get (result, "race")))
          printf ("Race\n");
        cli_print_race (result);
        print_fan (result);
        print_certainty (result);
        print_pairs ("Metrics", json_object_get (result, "metrics"));
        print_pairs ("Final state", json_object_get (result, "final_state"));
        print_events (result);
        print_warnings (result);
        cli_print_impact (result);
      }
      print_pairs ("Provenance", provenance);
    }
    json_decref (about);
    json_decref (result);
    json_decref (provenance);
  }
  g_free (result_text);
  g_free (provenance_text);
  ssapp_run_row_free (row);
  g_clear_error (&error);
  close_project (store);
  return status;
}

/* ---- export ------------------------------------------------------------------------------------------------------ */

enum { SNAPSHOTS_MAX = 60 };

/* A stored run, read back for drawing. */
typedef struct {
  SsappRunRow *row;
  SsScenario *scenario;                       /* with its own parameters; NULL until a figure is made */
  SsTrajectory *trajectory, *slopes, *worlds; /* NULL: it has no derivatives, was not tried in other worlds */
  GArray *iterations;
  GArray *events;   /* of SsappRunEvent */
  GPtrArray *fan;   /* of SsTrajectory, branches of a fan beside the answer */
  GArray *members;  /* of SsappBranchMotion: all of them, the answer first; empty: no fan */
  GArray *branches; /* of SsappFanMotion: those beside the answer, as they are drawn */
  double answer_share;
  SsTries tries; /* of the race, or the starts, that it is of */
} Loaded;

static void
loaded_free (Loaded *loaded)
{
  ssapp_run_row_free (loaded->row);
  ss_scenario_free (loaded->scenario);
  ss_trajectory_free (loaded->trajectory);
  ss_trajectory_free (loaded->slopes);
  ss_trajectory_free (loaded->worlds);
  g_clear_pointer (&loaded->iterations, g_array_unref);
  g_clear_pointer (&loaded->events, g_array_unref);
  g_clear_pointer (&loaded->fan, g_ptr_array_unref);
  g_clear_pointer (&loaded->members, g_array_unref);
  g_clear_pointer (&loaded->branches, g_array_unref);
  ss_tries_clear (&loaded->tries);
  g_free (loaded);
}

/* Branches of a fan, of which branch 0 is the answer. */
static void
load_fan (SsappStore *store, Loaded *loaded, const json_t *result, GError **error)
{
  const char *role = ss_motion_role_name (SS_MOTION_BRANCH);
  SsappFan *fan = ssapp_fan_from_json (result);

  loaded->fan = g_ptr_array_new_with_free_func ((GDestroyNotify)ss_trajectory_free);
  loaded->members = g_array_new (FALSE, TRUE, sizeof (SsappBranchMotion));
  loaded->branches = g_array_new (FALSE, TRUE, sizeof (SsappFanMotion));
  for (guint i = 0; fan != NULL && *error == NULL && i < fan->branches->len; i++) {
    const SsappFanBranch *branch = &g_array_index (fan->branches, SsappFanBranch, i);
    const SsappMotionKey key = {role, branch->branch, -1};
    SsTrajectory *own = branch->branch > 0 ? ssapp_store_get_motion (store, loaded->row->id, &key, error) : NULL;
    const SsappBranchMotion member = {own != NULL ? own : loaded->trajectory, branch->branch, branch->share};
    const SsappFanMotion drawn = {own, branch->from, branch->share, branch->branch};
    if (own != NULL)
      g_ptr_array_add (loaded->fan, own);
    if (own != NULL && isfinite (branch->from))
      g_array_append_val (loaded->branches, drawn);
    if (branch->branch == 0)
      loaded->answer_share = branch->share;
    if (member.motion != NULL && (own != NULL || branch->branch == 0))
      g_array_append_val (loaded->members, member);
  }
  ssapp_fan_free (fan);
}

/* What the result tells beside its numbers. Another local solution has the tries of the run that it belongs to. */
static void
load_result (SsappStore *store, Loaded *loaded, GError **error)
{
  const char *whole = loaded->row->solution_of;
  g_autofree char *text = ssapp_store_get_result_json (store, loaded->row->id, error);
  g_autofree char *of_whole =
      *whole != '\0' && *error == NULL ? ssapp_store_get_result_json (store, whole, error) : NULL;
  json_t *result = parse_or_null (text), *with_tries = of_whole != NULL ? parse_or_null (of_whole) : result;

  load_fan (store, loaded, result, error);
  ssapp_tries_from_json (with_tries, &loaded->tries);
  if (with_tries != result)
    json_decref (with_tries);
  json_decref (result);
}

static Loaded *
load (SsappStore *store, const char *name, GError **error)
{
  Loaded *loaded = g_new0 (Loaded, 1);
  GError *local = NULL;

  loaded->row = ssapp_store_get_sound_run (store, name, &local);
  if (local == NULL)
    loaded->trajectory = ssapp_store_get_trajectory (store, loaded->row->id, &local);
  if (local == NULL)
    loaded->iterations = ssapp_store_get_iterations (store, loaded->row->id, &local);
  json_t *events = json_object ();
  if (local == NULL)
    json_object_set_new (events, "events", ssapp_store_get_events (store, loaded->row->id, 0, &local));
  loaded->events = ssapp_run_events_from_json (events);
  json_decref (events);
  if (local == NULL)
    load_result (store, loaded, &local);
  if (local == NULL)
    loaded->slopes = ssapp_store_get_motion (store, loaded->row->id,
                                             &(SsappMotionKey){ss_motion_role_name (SS_MOTION_SLOPES), 0, -1}, &local);
  if (local == NULL)
    loaded->worlds = ssapp_store_get_motion (store, loaded->row->id,
                                             &(SsappMotionKey){ss_motion_role_name (SS_MOTION_WORLDS), 0, -1}, &local);
  if (local != NULL) {
    g_propagate_error (error, local);
    g_clear_pointer (&loaded, loaded_free);
  }
  return loaded;
}

SsScenario *
cli_load_scenario (SsappStore *store, const SsappRunRow *row, GError **error)
{
  char *text = ssapp_store_get_scenario_text (store, row->id, error);
  json_t *set = parse_or_null (row->parameters_json), *value;
  SsOverride *overrides = g_new0 (SsOverride, json_object_size (set) + 1);
  SsScenario *scenario = NULL;
  SsProblems problems;
  const char *name;
  int n = 0;

  ss_problems_init (&problems);
  json_object_foreach (set, name, value) overrides[n++] = (SsOverride){name, json_number_value (value)};
  if (text != NULL &&
      ss_scenario_read (text, strlen (text), row->scenario_name, overrides, n, &problems, &scenario) != SS_OK) {
    char line[1024] = "";
    if (problems.n_items > 0)
      ss_error_format (&problems.items[0], line, sizeof line);
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED, "the stored scenario cannot be read: %s", line);
  }
  ss_problems_clear (&problems);
  g_free (overrides);
  json_decref (set);
  g_free (text);
  return scenario;
}

/* Replaces the motions of replays by their distances to their plans. */
static gboolean
measure_replays (SsappStore *store, GPtrArray *runs, GError **error)
{
  for (guint i = 0; i < runs->len; i++) {
    Loaded *run = g_ptr_array_index (runs, i);
    SsReplayDistance distance;
    SsTrajectory *plan, *over_time = NULL;
    SsError err;
    SsStatus status;

    if (run->row->replay_of[0] == '\0') {
      g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED, "run %s is no replay", run->row->id);
      return FALSE;
    }
    plan = ssapp_store_get_trajectory (store, run->row->replay_of, error);
    if (plan == NULL || run->trajectory == NULL || run->scenario->scene == NULL) {
      if (error != NULL && *error == NULL)
        g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND, "run %s or its plan has no motion",
                     run->row->id);
      ss_trajectory_free (plan);
      return FALSE;
    }
    status = ss_replay_compare (run->scenario->scene, plan, run->trajectory, &distance, &over_time, &err);
    ss_trajectory_free (plan);
    if (status != SS_OK) {
      g_set_error_literal (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED, err.message);
      return FALSE;
    }
    ss_trajectory_free (run->trajectory);
    run->trajectory = over_time;
  }
  return TRUE;
}

/* "0,0.5,1": instants of snapshots; their number, 0 and an error where it is no such list. */
static int
read_times (const char *list, double *times, GError **error)
{
  char **items = g_strsplit (list, ",", -1);
  gboolean ok = items[0] != NULL;
  int n = 0;

  for (int i = 0; items[i] != NULL && ok; i++) {
    ok = n < SNAPSHOTS_MAX && ss_parse_double (g_strstrip (items[i]), &times[n]) && isfinite (times[n]);
    n += ok;
  }
  g_strfreev (items);
  if (!ok)
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED,
                 "option --times: up to %d times in seconds are expected, such as 0,0.5,1", SNAPSHOTS_MAX);
  return ok ? n : 0;
}

/* Motions by their second clock, where that was asked for. */
static gboolean
tell_by_clock (const CliArgs *args, GPtrArray *runs, GError **error)
{
  const char *clock = cli_args_text (args, "--clock");

  for (guint i = 0; g_strcmp0 (clock, "second") == 0 && i < runs->len; i++) {
    Loaded *run = g_ptr_array_index (runs, i);
    SsTrajectory *told = ssapp_told_by_second_clock (run->trajectory);
    if (told == NULL) {
      g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND, "run %s has no second clock", run->row->id);
      return FALSE;
    }
    ss_trajectory_free (run->trajectory);
    run->trajectory = told;
    for (guint b = 0; b < run->branches->len; b++) {
      SsappFanMotion *branch = &g_array_index (run->branches, SsappFanMotion, b);
      SsTrajectory *own = ssapp_told_by_second_clock (branch->motion);
      if (own == NULL) {
        g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED, "a branch of run %s has no second clock",
                     run->row->id);
        return FALSE;
      }
      branch->from = ssapp_second_clock_at (branch->motion, branch->from);
      branch->motion = own;
      g_ptr_array_add (run->fan, own);
    }
  }
  return TRUE;
}

/* Branches of a fan, told by the clock of the run's trajectory. */
static void
fill_branches (const Loaded *run, SsappFigureRun *out)
{
  out->branches = (const SsappFanMotion *)(const void *)run->branches->data;
  out->n_branches = (int)run->branches->len;
  out->largest_share = ssapp_fan_largest_share (out->branches, out->n_branches, run->answer_share);
  for (guint i = 0; i < run->fan->len; i++) {
    SsStatus status = ss_scenario_describe (run->scenario, g_ptr_array_index (run->fan, i), NULL);
    (void)status; /* as above */
  }
}

/* Region, followed body and layers of motions. FALSE with an error. */
static gboolean
read_view (const CliArgs *args, SsappFigureOptions *options, GError **error)
{
  const char *region = cli_args_text (args, "--region"), *follow = cli_args_text (args, "--follow"),
             *layers = cli_args_text (args, "--layers");

  ssapp_region_init (&options->region);
  options->region.is_chosen = region != NULL;
  if (follow != NULL)
    g_strlcpy (options->region.follow, follow, sizeof options->region.follow);
  return (region == NULL || ssapp_region_parse (region, options->region.bounds, error)) &&
         (layers == NULL || ssapp_layers_parse (layers, &options->layers, error));
}

static SsappAnswer
answer_of (const SsappRunRow *row)
{
  return (SsappAnswer){strcmp (row->outcome, "running") != 0, ssapp_run_row_get_metric (row, SS_METRIC_OBJECTIVE),
                       ssapp_run_row_get_metric (row, SS_METRIC_MAX_VIOLATION)};
}

/* Of each run its own, since parameters may change a scene's shapes. */
static gboolean
load_scenarios (SsappStore *store, GPtrArray *runs, GError **error)
{
  for (guint i = 0; i < runs->len; i++) {
    Loaded *run = g_ptr_array_index (runs, i);
    run->scenario = cli_load_scenario (store, run->row, error);
    if (run->scenario == NULL)
      return FALSE;
  }
  return TRUE;
}

static gboolean
export_figure (const CliArgs *args, SsappStore *store, GPtrArray *runs, const SsappPlotKind *plot, const char *path,
               GError **error)
{
  SsappFigureOptions options = {.width_mm = cli_args_number (args, "--width", DEFAULT_WIDTH_MM),
                                .dpi = DEFAULT_DPI,
                                .time = NAN,
                                .frames_per_second = cli_args_number (args, "--fps", 0),
                                .speed = cli_args_number (args, "--speed", 0),
                                .x_channel = cli_args_text (args, "--x"),
                                .y_channel = cli_args_text (args, "--y")};
  double snapshots[SNAPSHOTS_MAX];

  if (!read_view (args, &options, error) || !load_scenarios (store, runs, error))
    return FALSE;
  const SsScenario *scenario = ((const Loaded *)g_ptr_array_index (runs, 0))->scenario;
  if (cli_args_text (args, "--times") != NULL) {
    options.snapshots = snapshots;
    options.n_snapshots = read_times (cli_args_text (args, "--times"), snapshots, NULL);
  }
  g_autofree char *channels = cli_channels_text (args);
  g_auto (GStrv) pair = channels != NULL ? g_strsplit (channels, ",", 2) : NULL;
  if ((plot->takes & SSAPP_TAKES_AXES) != 0 && channels != NULL) {
    options.x_channel = pair[0];
    options.y_channel = pair[1];
  } else
    options.channels = channels;
  options.contact = cli_args_text (args, "--contact");
  options.band = cli_args_text (args, "--band");
  if (!tell_by_clock (args, runs, error) ||
      ((plot->needs & SSAPP_NEEDS_REPLAYS) != 0 && !measure_replays (store, runs, error)))
    return FALSE;
  g_autofree SsappFigureRun *figure_runs = g_new0 (SsappFigureRun, runs->len);
  for (guint i = 0; i < runs->len; i++) {
    const Loaded *run = g_ptr_array_index (runs, i);
    SsStatus status = run->trajectory != NULL ? ss_scenario_describe (run->scenario, run->trajectory, NULL) : SS_OK;
    (void)status; /* without memory for them the units are missing, which is no reason to draw nothing */
    figure_runs[i] =
        (SsappFigureRun){.label = run->row->label,
                         .method = ssapp_run_row_get_method (run->row),
                         .trajectory = run->trajectory,
                         .iterations = run->iterations,
                         .outcome = run->row->outcome,
                         .events = run->events,
                         .scenario = run->scenario,
                         .answer = answer_of (run->row),
                         .slopes = run->slopes,
                         .tries = &run->tries,
                         .worlds = run->worlds,
                         .holds_controls = run->row->kind == SS_METHOD_OPTIMISER || run->row->replay_of[0] != '\0'};
    fill_branches (run, &figure_runs[i]);
  }
  return ssapp_export_figure (plot, scenario, figure_runs, (int)runs->len, &options, path, error);
}

/* Runs of impact laws have pictures and tables of their own, one run at a time. */
static gboolean
export_impact (const CliArgs *args, SsappStore *store, GPtrArray *runs, const char *plot, const char *path,
               GError **error)
{
  if (runs->len > 1) {
    g_set_error_literal (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED,
                         "runs of impact laws are exported one at a time");
    return FALSE;
  }
  return cli_export_impact (store, ((const Loaded *)g_ptr_array_index (runs, 0))->row, plot,
                            cli_args_number (args, "--width", DEFAULT_WIDTH_MM), path, error);
}

/* Whether the export is that of an impact law's set or outcomes; an error where only one of run and plot is. */
static gboolean
is_impact_export (GPtrArray *runs, const char *name, const SsappPlotKind *plot, GError **error)
{
  const Loaded *first = g_ptr_array_index (runs, 0);
  const gboolean is_law = first->row->kind == SS_METHOD_IMPACT_LAW;

  if (plot->of == SSAPP_PLOT_IMPACT && !is_law)
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED, "run %s is of no impact law: it has no %s",
                 first->row->id, plot->file.name);
  return is_law && (name == NULL || (plot->impact != NULL && strcmp (name, plot->file.name) == 0));
}

typedef struct {
  SsappStore *store;
  const char *id;
} LogOf;

static char *
dup_log (gconstpointer data, GError **error)
{
  const LogOf *of = data;

  return ssapp_store_get_log (of->store, of->id, error);
}

static gboolean
export_table (SsappStore *store, GPtrArray *runs, const SsappPlotKind *plot, const char *path, GError **error)
{
  const Loaded *run = g_ptr_array_index (runs, 0);

  if (runs->len > 1) {
    g_set_error_literal (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED,
                         "a log, a trajectory, a controller or a list of events is written for one run at a time");
    return FALSE;
  }
  if (strcmp (plot->file.name, "controller") == 0 && !load_scenarios (store, runs, error))
    return FALSE;
  const LogOf log = {store, run->row->id};
  const SsappTableRun rows = {.id = run->row->id,
                              .label = run->row->label,
                              .scenario = run->scenario,
                              .trajectory = run->trajectory,
                              .members = (const SsappBranchMotion *)(const void *)run->members->data,
                              .n_members = (int)run->members->len,
                              .iterations = run->iterations,
                              .events = run->events,
                              .dup_log = dup_log,
                              .data = &log};
  return ssapp_export_table (plot, &rows, path, error);
}

static int
fail_no_plot (const char *name)
{
  guint n;
  const SsappPlotKind *plots = ssapp_plot_kinds (&n);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; i < n; i++)
    if (plots[i].of != SSAPP_PLOT_FIT)
      g_ptr_array_add (names, (gpointer)plots[i].file.name);
  const char *nearest = ss_nearest_name (name, (const char *const *)names->pdata, (int)names->len);
  g_ptr_array_add (names, NULL);
  g_autofree char *all = g_strjoinv (", ", (char **)names->pdata);
  return cli_fail ("there is no plot '%s' (expected %s)", name, nearest != NULL ? nearest : all);
}

/* Options of one kind of figure do nothing elsewhere. */
static gboolean
check_figure_options (const CliArgs *args, const SsappPlotKind *plot, GError **error)
{
  static const struct {
    const char *option, *text; /* %s: the plots that take it */
    guint takes;
  } of_plots[] = {{"--x", "options --x and --y are for --plot %s", SSAPP_TAKES_AXES},
                  {"--y", "options --x and --y are for --plot %s", SSAPP_TAKES_AXES},
                  {"--times", "option --times is for --plot %s", SSAPP_TAKES_TIMES},
                  {"--band", "option --band is for --plot %s", SSAPP_TAKES_BAND},
                  {"--region", "option --region is for pictures of motions: --plot %s", SSAPP_TAKES_REGION},
                  {"--follow", "option --follow is for pictures of motions: --plot %s", SSAPP_TAKES_REGION},
                  {"--layers", "option --layers is for pictures of motions: --plot %s", SSAPP_TAKES_REGION}};
  const char *times = cli_args_text (args, "--times");
  double unused[SNAPSHOTS_MAX];

  for (guint i = 0; i < G_N_ELEMENTS (of_plots); i++)
    if (cli_args_text (args, of_plots[i].option) != NULL && (plot->takes & of_plots[i].takes) == 0) {
      g_autofree char *plots = ssapp_plots_that_take (of_plots[i].takes, " or ");
      const char *at = strstr (of_plots[i].text, "%s");
      g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED, "%.*s%s%s", (int)(at - of_plots[i].text),
                   of_plots[i].text, plots, at + 2);
      return FALSE;
    }
  return (times == NULL || read_times (times, unused, error) > 0) && cli_channels_check (args, plot, error);
}

int
cli_export (const CliArgs *args)
{
  const char *name = cli_args_text (args, "--plot"), *to = cli_args_text (args, "--to");
  const SsappPlotKind *full = ssapp_plot_find ("full"), *plot = name != NULL ? ssapp_plot_find (name) : full;
  const gboolean is_table = plot != NULL && plot->of == SSAPP_PLOT_TABLE;
  const gboolean needs_replays = plot != NULL && (plot->needs & SSAPP_NEEDS_REPLAYS) != 0;
  SsappStore *store;
  GPtrArray *runs;
  GError *error = NULL;
  int status;

  const char *clock = cli_args_text (args, "--clock");

  if (to == NULL)
    return cli_fail ("'export' needs --to FILE");
  if (ssapp_page_is_name (to) && (name == NULL || strcmp (name, "motion") == 0))
    return cli_export_page (args);
  if (clock != NULL && strcmp (clock, "second") != 0 && strcmp (clock, "time") != 0)
    return cli_fail ("there is no clock '%s' (expected time or second)", clock);
  if (clock != NULL && strcmp (clock, "second") == 0 && (is_table || needs_replays))
    return cli_fail ("%s: --clock second is for pictures of motions; a table has the column of the second clock", name);
  if (plot != NULL && plot->of == SSAPP_PLOT_FIT)
    return cli_fail ("%s is %s of a fit, which is no run: fit FILE --motion ... --plot %s --figure FILE", name,
                     plot->file.about, name);
  if (plot == NULL)
    return fail_no_plot (name);
  status = cli_check_ending (plot->file.name, to);
  if (status != CLI_OK)
    return status;
  if (!check_figure_options (args, plot->of == SSAPP_PLOT_IMPACT ? full : plot, &error)) {
    status = cli_fail ("%s", error->message);
    g_clear_error (&error);
    return status;
  }
  store = open_project (args, NULL, &status);
  if (store == NULL)
    return status;
  runs = g_ptr_array_new_with_free_func ((GDestroyNotify)loaded_free);
  const int n_named = cli_args_n_positional (args);
  const char *other = cli_args_text (args, "--difference");
  for (int i = 0; error == NULL && i < n_named + (other != NULL); i++) {
    Loaded *loaded = load (store, i < n_named ? cli_args_positional (args, i) : other, &error);
    if (loaded != NULL)
      g_ptr_array_add (runs, loaded);
  }
  const gboolean is_impact = error == NULL && is_impact_export (runs, name, plot, &error);
  if (is_impact)
    export_impact (args, store, runs, name, to, &error);
  else if (error == NULL && is_table)
    export_table (store, runs, plot, to, &error);
  else if (error == NULL)
    export_figure (args, store, runs, plot, to, &error);
  if (error != NULL)
    status = cli_fail ("%s", error->message);
  g_clear_error (&error);
  g_ptr_array_unref (runs);
  close_project (store);
  return status;
}
