/* app/cli/cli-project.c: verbs that tell what a project holds: list, show. */
#include "app/cli/cli-common.h"
#include "app/cli/cli-sketch.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-metric.h"
#include "app/base/ssapp-text.h"
#include "app/draw/ssapp-run-events.h"
#include "app/job/ssapp-certainty.h"
#include "app/job/ssapp-fan.h"
#include "app/job/ssapp-reasons.h"
#include "app/job/ssapp-tries.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHORT_ID = 8 };

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

/* What was asked of the run: name to value and unit. */
static json_t *
outcomes_to_json (const SsappRunRow *row)
{
  json_t *object = json_object ();

  for (guint i = 0; i < row->n_outcomes; i++) {
    const SsMetricSpec *spec = ssapp_metric_spec (row->outcomes[i].metric);
    json_object_set_new (
        object, spec->name,
        json_pack ("{s:o, s:s}", "value", ssapp_json_real (row->outcomes[i].value), "unit", spec->unit));
  }
  return object;
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
  json_object_set_new (object, "options", cli_parse_or_null (row->options_json));
  json_object_set_new (object, "parameters", cli_parse_or_null (row->parameters_json));
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
  if (row->n_outcomes > 0)
    json_object_set_new (object, "outcomes", outcomes_to_json (row));
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
  static const SsMetric usual[] = {SS_METRIC_OBJECTIVE, SS_METRIC_MAX_VIOLATION, SS_METRIC_ITERATIONS,
                                   SS_METRIC_SOLVE_SECONDS};
  g_autoptr (GArray) asked = g_array_new (FALSE, FALSE, sizeof (SsMetric));
  enum { WIDTH = 13 };
  gboolean has_starts = FALSE;

  for (guint i = 0; i < rows->len; i++) {
    const SsappRunRow *row = g_ptr_array_index (rows, i);
    has_starts = has_starts || row->start[0] != '\0';
    ssapp_run_row_list_outcomes (row, asked);
  }
  g_array_append_vals (asked, usual, G_N_ELEMENTS (usual));
  const SsMetric *columns = (const SsMetric *)(const void *)asked->data;
  const guint n_columns = asked->len;
  printf ("%-8s  %-19s  %-16s  %-16s  %-14s", "run", "started (UTC)", "scenario", "method", "outcome");
  for (guint c = 0; c < n_columns; c++) {
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
    for (guint c = 0; c < n_columns; c++) {
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
  if (cli_args_text (args, "--versions") != NULL)
    return path != NULL ? cli_list_versions (args, path, cli_args_text (args, "--versions"))
                        : cli_fail ("'list' needs --project FILE");
  GError *error = NULL;
  SsappStore *store =
      cli_open_to_read (args, cli_args_n_positional (args) > 0 ? cli_args_positional (args, 0) : NULL, &status);
  GPtrArray *rows;

  if (store == NULL)
    return status;
  if (cli_args_flag (args, "--comparisons")) {
    status = list_comparisons (store, cli_args_flag (args, "--json"));
    g_object_unref (store); /* which closes it; nothing was written */
    return status;
  }
  if (cli_args_flag (args, "--check")) {
    status = cli_list_check (args, store);
    g_object_unref (store); /* which closes it; nothing was written */
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
  g_object_unref (store); /* which closes it; nothing was written */
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

static void
print_outcomes (const SsappRunRow *row)
{
  if (row->n_outcomes > 0)
    printf ("Outcomes\n");
  for (guint i = 0; i < row->n_outcomes; i++) {
    const SsMetricSpec *spec = ssapp_metric_spec (row->outcomes[i].metric);
    g_autofree char *number = isnan (row->outcomes[i].value) ? g_strdup ("-") : cli_number (row->outcomes[i].value),
                    *text = g_strchomp (g_strdup_printf ("%s %s", number, spec->unit)),
                    *name = ssapp_text_visible (spec->name, FALSE), *shown = ssapp_text_visible (text, FALSE);
    printf ("  %-22s %s\n", name, shown);
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
  store = cli_open_to_read (args, NULL, &status);

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
    json_t *about = row_to_json (row), *result = cli_parse_or_null (result_text),
           *provenance = cli_parse_or_null (provenance_text);
    if (cli_args_flag (args, "--json")) {
      json_object_set (about, "result", result);
      json_object_set (about, "provenance", provenance);
      cli_print_json (about);
    } else {
      json_object_del (about, "outcomes");
      print_pairs ("Run", about);
      print_outcomes (row);
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
  g_object_unref (store); /* which closes it; nothing was written */
  return status;
}
