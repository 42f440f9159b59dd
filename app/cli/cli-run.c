/* app/cli/cli-run.c: verbs that run one job in this process: simulate, optimise; and the worker.
 *
 * The solver has a thread of its own, so that Ctrl-C is answered at once. What libraries print goes to the log, never
 * to standard output.
 */
#include "app/cli/cli-common.h"

#include "app/base/ssapp-capture.h"
#include "app/job/ssapp-events.h"
#include "app/export/ssapp-export.h"
#include "app/base/ssapp-ending.h"
#include "app/base/ssapp-json.h"
#include "app/base/ssapp-metric.h"
#include "app/job/ssapp-certainty.h"
#include "app/job/ssapp-fan.h"
#include "app/job/ssapp-race.h"
#include "app/job/ssapp-tries.h"
#include "app/job/ssapp-reasons.h"
#include "app/job/ssapp-sensitivity.h"
#include "app/job/ssapp-state.h"
#include "app/job/ssapp-ways.h"
#include "app/base/ssapp-text.h"
#include "app/draw/ssapp-run-events.h"
#include "app/steps/ssapp-step-saver.h"
#include "app/job/ssapp-worker.h"
#include "plan/ss-ways-on.h"
#include "simulate/ss-sensitivity.h"

#include <glib-unix.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PROGRESS_PERIOD 0.25 /* s between two lines of progress: readable, and the log has all of them */

/* Largest derivatives of the final state by a number that are shown; the result has all. */
enum { SLOPES_SHOWN = 4 };

typedef struct {
  const CliArgs *args;
  const CliReport *report; /* nullable */
  GMainLoop *loop;
  SsappRunner *runner;
  SsappCapture *capture;
  SsappStore *store;    /* nullable */
  gboolean is_recorded; /* the run has a row there */
  GString *log;         /* JSON lines of --log; NULL when not asked for */
  GArray *iterations;   /* of SsappIteration, for --log FILE.csv */
  gboolean shows_progress;
  double last_progress;
  json_t *result;
  SsTrajectory *trajectory, *slopes; /* of --trajectory, --slopes; NULL */
  SsappInterests *interests;         /* of --outcome */
  SsappEnd end;
  gboolean has_problems; /* told already */
  int status;            /* of storing and writing */
} Run;

/* ---- events ------------------------------------------------------------------------------------------------------ */

/* A line on standard error. */
static void
say (Run *self, const char *text)
{
  g_autofree char *shown = ssapp_text_visible (text, TRUE);

  dprintf (ssapp_capture_error_fd (self->capture), "%s\n", shown);
}

/* A failure beside the run itself: told once, the run goes on. */
static void
complain (Run *self, GError *error)
{
  if (error == NULL)
    return;
  if (self->status == CLI_OK)
    dprintf (ssapp_capture_error_fd (self->capture), "stickslip-cli: %s\n", error->message);
  self->status = CLI_BROKEN;
  g_error_free (error);
}

static void
close_store (Run *self)
{
  GError *error = NULL;

  if (self->store != NULL)
    ssapp_store_close (self->store, &error);
  g_clear_object (&self->store);
  complain (self, error);
}

/* A run is recorded when its inputs were found good: a misspelt option is no run. */
static void
record (Run *self, const SsappJobSpec *spec, const char *scenario_name)
{
  char *options = ssapp_job_spec_options_json (spec), *parameters = ssapp_job_spec_parameters_json (spec);
  GError *error = NULL;

  self->is_recorded =
      ssapp_store_record (self->store, spec->id, spec->scenario_text, scenario_name,
                          (SsMethodId){spec->kind, spec->method}, options, parameters, spec->seed, &error);
  if (self->is_recorded && spec->replay_of != NULL)
    self->is_recorded = ssapp_store_set_replay_of (self->store, spec->id, spec->replay_of, &error);
  if (self->is_recorded && spec->plan != NULL)
    self->is_recorded = ssapp_store_add_given (self->store, spec->id, spec->plan, spec->replay_of, &error);
  if (self->is_recorded && spec->start != NULL && spec->kind != SS_METHOD_IMPACT_LAW)
    self->is_recorded = ssapp_store_add_given (self->store, spec->id, spec->start, spec->start_from, &error);
  if (!self->is_recorded) {
    complain (self, error);
    close_store (self);
    ssapp_runner_cancel (self->runner);
  }
  g_free (options);
  g_free (parameters);
}

static double
column (const SsappEvent *event, const char *name)
{
  for (int i = 0; i < event->n_columns; i++)
    if (strcmp (event->columns[i].name, name) == 0)
      return event->columns[i].value;
  return NAN;
}

static void
show_iteration (Run *self, const SsappEvent *event)
{
  if (!self->shows_progress || event->t - self->last_progress < PROGRESS_PERIOD)
    return;
  self->last_progress = event->t;
  if (!isnan (column (event, "samples")))
    dprintf (ssapp_capture_error_fd (self->capture), "%8.2f s  %.0f of %.0f samples\n", event->t,
             column (event, "samples"), column (event, "wanted"));
  else if (!isnan (column (event, "lower_bound")))
    dprintf (ssapp_capture_error_fd (self->capture), "%8.2f s  objective %.6g  lower bound %.6g\n", event->t,
             column (event, "objective"), column (event, "lower_bound"));
  else
    dprintf (ssapp_capture_error_fd (self->capture), "%8.2f s  iteration %d  objective %.6g  violation %.2e\n",
             event->t, event->iteration, column (event, "objective"), column (event, "violation"));
}

static void
show_frame (Run *self, const SsappEvent *event)
{
  if (!self->shows_progress || event->t - self->last_progress < PROGRESS_PERIOD)
    return;
  self->last_progress = event->t;
  dprintf (ssapp_capture_error_fd (self->capture), "%8.2f s  t = %.6g s\n", event->t,
           ss_trajectory_row (event->trajectory, event->trajectory->n_rows - 1)[0]);
}

static void
add_log_line (const char *line, gpointer user_data)
{
  Run *self = user_data;

  g_string_append_printf (self->log, "%s\n", line);
}

static void
store_event (Run *self, const SsappJobSpec *spec, const SsappEvent *event)
{
  GError *error = NULL;

  switch (event->kind) {
  case SSAPP_EVENT_START:
    record (self, spec, event->scenario_name);
    break;
  case SSAPP_EVENT_ITERATION:
    ssapp_store_add_iteration (self->store, spec->id, event->iteration, event->t, event->columns, event->n_columns,
                               &error);
    break;
  case SSAPP_EVENT_LOG:
    if (self->is_recorded)
      ssapp_store_add_log (self->store, spec->id, event->t, (int)event->level, event->text, &error);
    break;
  case SSAPP_EVENT_KEPT:
    ssapp_store_add_iterate (self->store, spec->id, event->iteration, event->trajectory, &error);
    break;
  case SSAPP_EVENT_RESULT: {
    if (!self->is_recorded)
      break;
    char *text = ssapp_json_text (event->result, TRUE);
    const SsRunResult *more = event->record;
    ssapp_store_finish_record (self->store, spec->id, text, event->trajectory, more != NULL ? more->samples : NULL,
                               more != NULL ? more->motions : NULL, more != NULL ? more->n_motions : 0, &error);
    g_free (text);
    break;
  }
  case SSAPP_EVENT_ITERATE:
  case SSAPP_EVENT_FRAME:
  case SSAPP_EVENT_RACE:
  case SSAPP_EVENT_ANSWER:
    break;
  }
  complain (self, error);
}

/* A run with branches has all of them in its table. */
static void
write_branches (Run *self, const SsRunResult *record)
{
  const char *path = cli_args_text (self->args, "--trajectory");
  g_autofree SsappBranchMotion *motions = g_new0 (SsappBranchMotion, record->n_motions + 1);
  GError *error = NULL;

  for (int i = 0; i < record->n_motions; i++)
    motions[i] =
        (SsappBranchMotion){record->motions[i].trajectory, record->motions[i].branch, record->motions[i].share};
  if (path != NULL)
    ssapp_export_branches_csv (motions, record->n_motions, path, &error);
  complain (self, error);
}

/* What could not be asked of the motion after all: of --outcome an error. */
static void
tell_outcomes (Run *self)
{
  const char *name;
  json_t *one;

  json_object_foreach (json_object_get (self->result, "outcomes"), name, one)
  {
    const char *message = ssapp_json_get_string (one, "message");
    if (message == NULL)
      continue;
    gboolean is_own = FALSE; /* of the command line, not of the scene */
    for (guint i = 0; i < ssapp_interests_get_n (self->interests); i++)
      is_own = is_own || strcmp (ssapp_interests_get_name (self->interests, i), name) == 0;
    if (is_own)
      self->status = CLI_BAD_INPUT;
    g_autofree char *text = g_strdup_printf ("stickslip-cli: %s%s", is_own ? "--outcome: " : "", message);
    say (self, text);
  }
}

static void
on_event (SsappRunner *runner, const SsappJobSpec *spec, const SsappEvent *event, gpointer user_data)
{
  Run *self = user_data;

  (void)runner;
  if (self->store != NULL)
    store_event (self, spec, event);
  if (self->log != NULL &&
      (event->kind == SSAPP_EVENT_START || event->kind == SSAPP_EVENT_ITERATION || event->kind == SSAPP_EVENT_LOG))
    ssapp_event_lines (spec, event, add_log_line, self);
  if (event->kind == SSAPP_EVENT_ITERATION) {
    SsappIteration row;
    ssapp_iteration_from_columns (event->iteration, event->t, event->columns, event->n_columns, &row);
    g_array_append_val (self->iterations, row);
    show_iteration (self, event);
  } else if (event->kind == SSAPP_EVENT_FRAME) {
    show_frame (self, event);
  } else if (event->kind == SSAPP_EVENT_LOG && event->level >= SS_LOG_WARNING &&
             !cli_args_flag (self->args, "--quiet")) {
    say (self, event->text);
  } else if (event->kind == SSAPP_EVENT_RESULT) {
    self->result = json_incref (event->result);
    self->end = event->end;
    self->has_problems = event->problems != NULL;
    tell_outcomes (self);
    if (self->report != NULL && event->record != NULL) {
      GError *error = NULL;
      self->report->write (self->args, event->record, &error);
      complain (self, error);
    }
    if (event->record != NULL && event->record->fan != NULL)
      write_branches (self, event->record);
    else if (event->trajectory != NULL && cli_args_text (self->args, "--trajectory") != NULL &&
             ss_trajectory_copy (event->trajectory, &self->trajectory, NULL) != SS_OK)
      self->status = CLI_BROKEN;
    if (event->record != NULL && event->record->sensitivity != NULL && cli_args_text (self->args, "--slopes") != NULL &&
        ss_trajectory_copy (event->record->sensitivity->slopes, &self->slopes, NULL) != SS_OK)
      self->status = CLI_BROKEN;
    if (event->problems != NULL) {
      char line[1024];
      for (int i = 0; i < event->problems->n_items; i++) {
        ss_error_format (&event->problems->items[i], line, sizeof line);
        say (self, line);
      }
    }
    g_main_loop_quit (self->loop);
  }
}

static void
on_captured (SsLogLevel level, const char *line, gpointer user_data)
{
  Run *self = user_data;

  ssapp_runner_log (self->runner, level, line);
}

static gboolean
on_interrupt (gpointer user_data)
{
  Run *self = user_data;

  ssapp_runner_cancel (self->runner);
  return G_SOURCE_CONTINUE;
}

/* ---- output ------------------------------------------------------------------------------------------------------ */

/* What a run says of itself, in this order, where it knows it. */
static const SsMetric summary[] = {SS_METRIC_OBJECTIVE,
                                   SS_METRIC_LOWER_BOUND,
                                   SS_METRIC_GAP,
                                   SS_METRIC_MAX_VIOLATION,
                                   SS_METRIC_COMPLEMENTARITY,
                                   SS_METRIC_TRACKING_TOTAL,
                                   SS_METRIC_TRACKING_POSITION,
                                   SS_METRIC_ITERATIONS,
                                   SS_METRIC_STEPS,
                                   SS_METRIC_ENERGY_INITIAL,
                                   SS_METRIC_ENERGY_FINAL,
                                   SS_METRIC_MAX_PENETRATION,
                                   SS_METRIC_MAX_RESIDUAL,
                                   SS_METRIC_REPLAY_DISTANCE,
                                   SS_METRIC_REPLAY_ANGLE,
                                   SS_METRIC_REPLAY_FINAL,
                                   SS_METRIC_REPLAY_STEP,
                                   SS_METRIC_REPLAY_PARTED,
                                   SS_METRIC_REPLAY_NOT_UNIQUE,
                                   SS_METRIC_REPLAYED_OBJECTIVE,
                                   SS_METRIC_REPLAYED_END_DISTANCE,
                                   SS_METRIC_REPLAYED_PATH_VIOLATION,
                                   SS_METRIC_LINEAR_SECONDS,
                                   SS_METRIC_CPU_SECONDS,
                                   SS_METRIC_SETUP_SECONDS,
                                   SS_METRIC_SOLVE_SECONDS};

static void
print_line (const char *title, const char *text)
{
  printf ("  %-24s %s\n", title, text);
}

static void
print_events (const json_t *result)
{
  GArray *events = ssapp_run_events_from_json (result);
  char *text = ssapp_run_events_summary (events);

  print_line ("events", text);
  g_free (text);
  g_array_unref (events);
}

void
cli_print_answers (json_t *answers)
{
  const char *name;
  json_t *one;

  json_object_foreach (answers, name, one)
  {
    g_autofree char *text = ssapp_interest_dup_text (one);
    print_line (name, text);
  }
}

enum { SHORT_ID = 8 };

void
cli_print_race (const json_t *result)
{
  SsappRace *race = ssapp_race_from_json (json_object_get (result, "race"));
  g_autofree guint *order = race != NULL ? ssapp_race_rank (race) : NULL;
  g_autofree char *tries = ssapp_tries_dup_account (result),
                  *tries_shown = tries != NULL ? ssapp_text_visible (tries, FALSE) : NULL;
  gboolean is_first = TRUE;

  if (tries_shown != NULL)
    print_line ("tries", tries_shown);
  for (guint i = 0; race != NULL && i < race->members->len; i++) {
    const SsappMember *member = &g_array_index (race->members, SsappMember, order[i]);
    g_autofree char *line = member->own.is_on_front ? ssapp_member_describe_front (member) : NULL;
    g_autofree char *shown = line != NULL ? ssapp_text_visible (line, FALSE) : NULL;
    g_autofree char *whole = shown == NULL         ? NULL
                             : member->run != NULL ? g_strdup_printf ("%s; run %.*s", shown, SHORT_ID, member->run)
                                                   : g_strdup (shown);
    if (whole == NULL)
      continue;
    print_line (is_first ? "front of answers" : "", whole);
    is_first = FALSE;
  }
  for (guint i = 0; race != NULL && i < race->members->len; i++) {
    g_autofree char *line = ssapp_member_describe (&g_array_index (race->members, SsappMember, i));
    g_autofree char *shown = ssapp_text_visible (line, FALSE);
    print_line (i == 0 ? "members of the race" : "", shown);
  }
  ssapp_race_free (race);
}

/* Why it is no success, a line each. */
static void
print_reasons (const json_t *result)
{
  SsReasons reasons;

  ssapp_reasons_from_json (result, &reasons);
  for (int i = 0; i < reasons.n; i++) {
    g_autofree char *shown = ssapp_text_visible (reasons.items[i].text, FALSE);
    print_line (i == 0 ? "because" : "", shown);
  }
}

/* What would make it solvable, each with the command that makes the file. */
static void
print_ways (const CliArgs *args, const json_t *result)
{
  const char *file = cli_args_n_positional (args) > 0 ? cli_args_positional (args, 0) : "FILE";
  g_autoptr (GPtrArray) ways = ssapp_ways_from_json (result);
  const char *heading = "ways on";

  for (guint i = 0; i < ways->len; i++) {
    const SsWayOn *way = g_ptr_array_index (ways, i);
    char text[SS_WAY_TEXT + 80];
    if (way->outcome != SS_OUTCOME_SOLVED)
      continue;
    g_autofree char *command = ssapp_way_dup_command (way, file);
    g_autofree char *shown = ssapp_text_visible (ss_way_on_describe (way, text, sizeof text), FALSE),
                    *command_shown = ssapp_text_visible (command, FALSE);
    print_line (heading, shown);
    if (way->n_edits > 0)
      print_line ("", command_shown);
    heading = "";
  }
}

static void
print_summary (const CliArgs *args, const json_t *result, SsMethodKind kind)
{
  SsMetricSet set;

  ssapp_metrics_from_json (json_object_get (result, "metrics"), &set);
  g_autofree char *message = ssapp_text_visible (ssapp_json_get_string (result, "message"), TRUE);
  printf ("%s: %s\n", ssapp_json_get_string (result, "outcome"), message);
  print_reasons (result);
  print_ways (args, result);
  for (guint i = 0; i < G_N_ELEMENTS (summary); i++) {
    g_autofree char *title = ssapp_metric_heading (summary[i]);
    g_autofree char *value = ssapp_metric_text (summary[i], ss_metric_get (&set, summary[i]));
    if (set.is_set[summary[i]])
      print_line (title, value);
  }
  const char *first = ssapp_json_get_string (json_object_get (result, "replay_first"), "text");
  g_autofree char *first_shown = first != NULL ? ssapp_text_visible (first, FALSE) : NULL;
  if (first_shown != NULL)
    print_line ("first", first_shown);
  cli_print_race (result);
  if (kind == SS_METHOD_INTEGRATOR)
    print_events (result);
  cli_print_answers (json_object_get (result, "outcomes"));
  g_auto (GStrv) slopes = ssapp_sensitivity_lines (result, SLOPES_SHOWN);
  for (int i = 0; slopes != NULL && slopes[i] != NULL; i++)
    print_line (i == 0 ? "derivatives by" : "", slopes[i]);
  SsappFan *fan = ssapp_fan_from_json (result);
  g_autofree char *fan_text = fan != NULL ? ssapp_fan_summary (fan) : NULL;
  if (fan != NULL)
    print_line ("fan", fan_text);
  ssapp_fan_free (fan);
  g_autofree char *certainty = ssapp_certainty_summary (result);
  g_autofree char *certainty_shown = certainty != NULL ? ssapp_text_visible (certainty, FALSE) : NULL;
  if (certainty_shown != NULL)
    print_line ("steps' certainty", certainty_shown);
  const json_t *continued = json_object_get (result, "continued");
  if (continued != NULL) {
    g_autofree char *words = ssapp_continued_words (ssapp_json_get_string (result, "start_from"), continued);
    g_autofree char *shown = ssapp_text_visible (words, FALSE);
    print_line ("goes on from", shown);
  }
  if (ssapp_json_get_string (result, "run") != NULL)
    print_line ("run", ssapp_json_get_string (result, "run"));
}

static void
write_outputs (Run *self)
{
  const char *trajectory = cli_args_text (self->args, "--trajectory"), *log = cli_args_text (self->args, "--log");
  GError *error = NULL;

  if (trajectory != NULL && self->trajectory != NULL)
    ssapp_export_trajectory_csv (self->trajectory, trajectory, &error);
  complain (self, g_steal_pointer (&error));
  if (self->slopes != NULL)
    ssapp_export_trajectory_csv (self->slopes, cli_args_text (self->args, "--slopes"), &error);
  complain (self, g_steal_pointer (&error));
  if (log != NULL && ssapp_ending_is (log, ".csv"))
    ssapp_export_log_csv (self->iterations, log, &error);
  else if (log != NULL)
    ssapp_write_file (log, self->log->str, (gssize)self->log->len, &error);
  complain (self, error);
}

/* ---- verbs ------------------------------------------------------------------------------------------------------- */

static void
run_clear (Run *self)
{
  close_store (self);
  if (self->log != NULL)
    g_string_free (self->log, TRUE);
  g_array_unref (self->iterations);
  json_decref (self->result);
  ss_trajectory_free (self->trajectory);
  ss_trajectory_free (self->slopes);
  ssapp_interests_free (self->interests);
  g_main_loop_unref (self->loop);
}

/* Nobody finds a run that was not stored: neither it nor its other answers have ids. */
static void
forget_runs (json_t *result)
{
  json_t *const answers[] = {json_object_get (result, "solutions"),
                             json_object_get (json_object_get (result, "race"), "members")};
  size_t index;
  json_t *answer;

  json_object_set_new (result, "run", json_null ());
  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    json_array_foreach (answers[i], index, answer) json_object_set_new (answer, "run", json_null ());
}

int
cli_run_spec_in (const CliArgs *args, SsappJobSpec *spec, const CliReport *report, SsappStore *store)
{
  const SsMethodKind kind = spec != NULL ? spec->kind : SS_METHOD_INTEGRATOR;
  const gboolean json = cli_args_flag (args, "--json");
  Run self = {.args = args,
              .report = report,
              .shows_progress = !json && !cli_args_flag (args, "--quiet"),
              .last_progress = -INFINITY};
  gboolean is_abandoned;

  if (spec == NULL || cli_check_output (args, "--trajectory") != CLI_OK ||
      cli_check_output (args, "--slopes") != CLI_OK || cli_check_output (args, "--log") != CLI_OK) {
    ssapp_job_spec_free (spec);
    cli_close_project (&store);
    return CLI_BAD_INPUT;
  }
  g_autoptr (GError) error = NULL;
  self.interests = cli_interests (args, &self.status);
  if (self.interests != NULL &&
      !ssapp_interests_fit_rows (self.interests, spec->start != NULL ? MAX (spec->every, spec->start_every) : 1,
                                 &error)) {
    self.status = cli_fail ("--every: %s", error->message);
    g_clear_pointer (&self.interests, ssapp_interests_free);
  }
  if (self.interests == NULL) {
    ssapp_job_spec_free (spec);
    cli_close_project (&store);
    return self.status;
  }
  if (store == NULL) {
    self.store = cli_open_project (args, TRUE, &self.status);
  } else {
    self.status = cli_require_writable (&store);
    self.store = store;
  }
  self.loop = g_main_loop_new (NULL, FALSE);
  self.iterations = g_array_new (FALSE, TRUE, sizeof (SsappIteration));
  g_array_set_clear_func (self.iterations, (GDestroyNotify)ssapp_iteration_clear);
  if (cli_args_text (args, "--log") != NULL)
    self.log = g_string_new ("");
  if (self.status != CLI_OK) {
    ssapp_job_spec_free (spec);
    run_clear (&self);
    return self.status;
  }

  self.capture = ssapp_capture_start (on_captured, &self);
  self.runner = ssapp_runner_new (on_event, &self);
  ssapp_runner_set_capture (self.runner, self.capture);
  g_unix_signal_add (SIGINT, on_interrupt, &self);
  g_unix_signal_add (SIGTERM, on_interrupt, &self);
  ssapp_runner_start (self.runner, spec);
  g_main_loop_run (self.loop);
  /* After its result a solver that came back is joined within the same turn; one that did not is left behind. */
  while (g_main_context_iteration (NULL, FALSE))
    ;
  is_abandoned = ssapp_runner_is_busy (self.runner);
  ssapp_runner_set_capture (self.runner, NULL);
  close_store (&self);
  if (!is_abandoned)
    ssapp_runner_free (self.runner);
  ssapp_capture_stop (self.capture);
  self.capture = NULL;

  if (!self.is_recorded)
    forget_runs (self.result);
  write_outputs (&self);
  if (json)
    cli_print_json (self.result);
  else if (self.end == SSAPP_END_BAD_INPUT && !self.has_problems)
    cli_fail ("%s", ssapp_json_get_string (self.result, "message"));
  else if (!self.has_problems && report != NULL)
    report->print (args, self.result);
  else if (!self.has_problems)
    print_summary (args, self.result, kind);
  if (self.end == SSAPP_END_BAD_INPUT)
    cli_tell_kept_method (cli_args_text (args, "--method"), cli_args_text (args, "--project"));
  /* Where storing failed the run was stopped: that is no wish of the user. */
  int status = self.end != SSAPP_END_BAD_INPUT && self.status != CLI_OK ? self.status : cli_status_of_end (self.end);
  if (status == CLI_OK)
    status = cli_status_of_assertions (args, self.result, NULL);
  run_clear (&self);
  if (is_abandoned) {
    fflush (stdout);
    _exit (status);
  }
  return status;
}

int
cli_run_spec (const CliArgs *args, SsappJobSpec *spec, const CliReport *report)
{
  return cli_run_spec_in (args, spec, report, NULL);
}

/* The saver of --save-steps; NULL without it, or (FALSE) after an error that was told. */
static gboolean
make_saver (const CliArgs *args, const SsappJobSpec *spec, SsappStepSaver **saver)
{
  static const char *const of_saved[] = {"--save-every", "--save-points", "--save-residual", "--save-most", NULL};
  const char *folder = cli_args_text (args, "--save-steps");
  SsappStepFilter filter;
  g_autoptr (GError) error = NULL;

  *saver = NULL;
  if (folder == NULL)
    return cli_args_none (args, "", of_saved, "it chooses among the problems of --save-steps") == CLI_OK;
  SsScenario *scenario = cli_read_scenario (args, cli_args_positional (args, 0));
  if (scenario == NULL)
    return FALSE;
  ssapp_step_filter_init (&filter);
  filter.every = (int)CLAMP (cli_args_number (args, "--save-every", filter.every), 1, G_MAXINT);
  filter.points = (int)CLAMP (cli_args_number (args, "--save-points", filter.points), 0, G_MAXINT);
  filter.most = (int)CLAMP (cli_args_number (args, "--save-most", filter.most), 0, G_MAXINT);
  filter.residual = cli_args_number (args, "--save-residual", filter.residual);
  *saver = ssapp_step_saver_new (folder, scenario->name, spec->method, &filter, &error);
  ss_scenario_free (scenario);
  if (*saver == NULL)
    cli_fail ("--save-steps: %s", error->message);
  return *saver != NULL;
}

/* How many there are; CLI_BROKEN where one could not be written. */
static int
tell_of_saved (const CliArgs *args, SsappStepSaver *saver, int status)
{
  const char *folder = cli_args_text (args, "--save-steps");
  g_autoptr (GError) error = NULL;
  int n_written, n_left_out;
  const gboolean ok = ssapp_step_saver_end (saver, &n_written, &n_left_out, &error);

  if (!cli_args_flag (args, "--json") && status != CLI_BAD_INPUT)
    printf ("  %d problems of steps in %s\n", n_written, folder);
  if (n_left_out > 0)
    fprintf (stderr,
             "stickslip-cli: %d more problems were not written: --save-most says how many are, --save-every which\n",
             n_left_out);
  if (!ok)
    cli_fail ("--save-steps: %s; %d problems were written before", error->message, n_written);
  return ok ? status : CLI_BROKEN;
}

int
cli_simulate (const CliArgs *args)
{
  const gboolean goes_on = cli_args_text (args, "--continue") != NULL;

  if (cli_args_positional (args, 0) == NULL && (!goes_on || cli_args_text (args, "--save-steps") != NULL))
    return cli_fail (goes_on ? "--save-steps needs the scenario's FILE"
                             : "simulate needs a scenario's FILE, or --continue RUN");
  if (!goes_on && cli_args_text (args, "--at") != NULL)
    return cli_fail ("--at is a time of the run of --continue, which was not given");
  SsappJobSpec *spec =
      goes_on ? cli_new_continued_spec (args, SS_METHOD_INTEGRATOR) : cli_new_spec (args, SS_METHOD_INTEGRATOR);
  SsappStepSaver *saver = NULL;

  if (spec != NULL && !make_saver (args, spec, &saver)) {
    ssapp_job_spec_free (spec);
    return CLI_BAD_INPUT;
  }
  if (saver != NULL)
    spec->contacts = ssapp_step_saver_watch (saver);
  int status = cli_run_spec (args, spec, NULL);
  if (saver != NULL)
    status = tell_of_saved (args, saver, status);
  ssapp_step_saver_free (saver);
  return status;
}

int
cli_optimise (const CliArgs *args)
{
  const gboolean goes_on = cli_args_text (args, "--continue") != NULL;

  if (!goes_on && cli_args_positional (args, 0) == NULL)
    return cli_fail ("optimise needs a scenario's FILE, or --continue RUN");
  SsappJobSpec *spec =
      goes_on ? cli_new_continued_spec (args, SS_METHOD_OPTIMISER) : cli_new_spec (args, SS_METHOD_OPTIMISER);

  if (spec != NULL && isnan (spec->ways_on))
    spec->ways_on = SS_WAYS_ON_SECONDS;
  if (spec != NULL && cli_args_text (args, "--pause-at") != NULL)
    spec->pause_at = (int)CLAMP (cli_args_number (args, "--pause-at", 0), 0, G_MAXINT);
  if (spec != NULL && !(cli_check_iterates (args) && cli_read_motion (args, &spec->start, &spec->start_from) &&
                        cli_repeat_motion (args, &spec->start))) {
    ssapp_job_spec_free (spec);
    return CLI_BAD_INPUT;
  }
  return cli_run_spec (args, spec, NULL);
}

int
cli_worker (const CliArgs *args)
{
  (void)args;
  return ssapp_worker_main ();
}
