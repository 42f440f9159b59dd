/* app/session/ssapp-run.c: see the header. */
#include "app/session/ssapp-run-private.h"

#include "app/base/ssapp-metric.h"
#include "app/draw/ssapp-run-events.h"
#include "app/store/ssapp-store-shrink.h"

#include <math.h>
#include <string.h>

G_DEFINE_FINAL_TYPE (SsappRun, ssapp_run, G_TYPE_OBJECT)

static guint changed_signal;

void
ssapp_run_emit_changed (SsappRun *self)
{
  g_signal_emit (self, changed_signal, 0);
}

const char *
ssapp_method_label (SsMethodId method)
{
  const SsMethod *known = ss_method_lookup (method);

  return known != NULL ? known->label : method.name;
}

char *
ssapp_run_row_dup_name (const SsappRunRow *row)
{
  g_return_val_if_fail (row != NULL, NULL);
  return g_strdup_printf ("%s%s%s", ssapp_method_label (ssapp_run_row_get_method (row)),
                          row->start[0] != '\0' ? ", " : "", row->start);
}

/* ---- making ------------------------------------------------------------------------------------------------------ */

/* `parameters`: object of parameter values the run was made with, or NULL. */
static gboolean
read_scenario (SsappRun *self, const char *text, json_t *parameters, GError **error)
{
  SsProblems problems;
  SsError err;
  char line[1024] = "The scenario cannot be read";
  g_autofree SsOverride *overrides = g_new0 (SsOverride, json_object_size (parameters) + 1);
  int n_overrides = 0;
  const char *name;
  json_t *value;

  json_object_foreach (parameters, name, value)
  {
    if (json_is_number (value))
      overrides[n_overrides++] = (SsOverride){name, json_number_value (value)};
  }
  ss_problems_init (&problems);
  if (ss_scenario_read (text, strlen (text), "", overrides, n_overrides, &problems, &self->scenario) != SS_OK) {
    if (problems.n_items > 0)
      ss_error_format (&problems.items[0], line, sizeof line);
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, line);
  }
  ss_problems_clear (&problems);
  if (self->scenario == NULL)
    return FALSE;
  if (ss_scenario_initial_trajectory (self->scenario, &self->initial, &err) != SS_OK)
    self->initial = NULL; /* then there is no picture before the first iterate */
  return TRUE;
}

/* The scenario of another run, with the values of its parameters. */
static gboolean
read_scenario_of (SsappRun *self, SsappRun *of, GError **error)
{
  json_t *parameters = json_object ();
  gboolean is_read;

  for (int i = 0; i < of->scenario->n_parameters; i++)
    if (of->scenario->parameters[i].is_overridden)
      json_object_set_new (parameters, of->scenario->parameters[i].name, json_real (of->scenario->parameters[i].value));
  is_read = read_scenario (self, of->scenario->text, parameters, error);
  json_decref (parameters);
  return is_read;
}

/* `options`: JSON text of what was asked for, nullable. */
static void
take_asked (SsappRun *self, const char *options)
{
  json_t *object = options != NULL ? json_loads (options, 0, NULL) : NULL;

  g_clear_pointer (&self->asked, json_decref);
  self->asked =
      json_pack ("{s:{s:s, s:o}}", "method", "name", self->method, "options", object != NULL ? object : json_object ());
}

static void
take_method (SsappRun *self, SsMethodId method)
{
  self->kind = method.kind;
  self->method = g_strdup (method.name);
}

SsappRun *
ssapp_run_new (const char *scenario_text, const SsMethod *method, GError **error)
{
  g_autoptr (SsappRun) self = g_object_new (SSAPP_TYPE_RUN, NULL);

  take_method (self, ss_method_id (method));
  if (!read_scenario (self, scenario_text, NULL, error))
    return NULL;
  return g_steal_pointer (&self);
}

SsappRun *
ssapp_run_new_again (SsappRun *of, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_RUN (of), NULL);
  g_autoptr (SsappRun) self = g_object_new (SSAPP_TYPE_RUN, NULL);

  take_method (self, ssapp_run_get_method (of));
  if (!read_scenario_of (self, of, error))
    return NULL;
  return g_steal_pointer (&self);
}

/* Says what the channels of a motion are where it knows their names only; without memory they stay names. */
static void
describe (SsappRun *self, SsTrajectory *motion)
{
  SsStatus status = motion != NULL ? ss_scenario_describe (self->scenario, motion, NULL) : SS_OK;
  (void)status;
}

static void
take_plan (SsappRun *self, SsTrajectory *plan)
{
  SsError err;

  self->plan = plan;
  describe (self, plan);
  if (plan != NULL && ss_view_new (self->scenario, plan->channels, plan->n_channels, &self->plan_view, &err) != SS_OK)
    self->plan_view = NULL; /* then there is no ghost */
}

SsappRun *
ssapp_run_new_replay (SsappRun *plan, const SsMethod *integrator, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_RUN (plan), NULL);
  g_autoptr (SsappRun) self = g_object_new (SSAPP_TYPE_RUN, NULL);
  SsTrajectory *motion = NULL;
  SsError err;

  if (plan->id == NULL || !ssapp_run_has_motion (plan) || ssapp_run_is_running (plan)) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "There is no motion to replay yet");
    return NULL;
  }
  if (plan->scenario->scene == NULL) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                         "A model in equations has no bodies to simulate: only plans of scenes can be replayed");
    return NULL;
  }
  take_method (self, ss_method_id (integrator));
  self->replay_of = g_strdup (plan->id);
  if (!read_scenario_of (self, plan, error))
    return NULL;
  if (ss_trajectory_copy (ssapp_run_get_motion (plan), &motion, &err) != SS_OK) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, err.message);
    return NULL;
  }
  take_plan (self, motion);
  return g_steal_pointer (&self);
}

SsappJob *
ssapp_run_make_job (SsappRun *self)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), NULL);

  SsappJob *job = ssapp_job_new (self->scenario->text, self->scenario->name, ssapp_run_get_method (self));

  for (int i = 0; i < self->scenario->n_parameters; i++)
    if (self->scenario->parameters[i].is_overridden)
      ssapp_job_set_parameter (job, self->scenario->parameters[i].name, self->scenario->parameters[i].value);
  if (self->plan != NULL)
    ssapp_job_set_plan (job, self->plan, self->replay_of);
  if (self->plan != NULL && (self->controller != SS_CONTROLLER_NONE || self->friction > 0 || self->n_worlds > 0)) {
    SsappReplayAsk ask;
    ssapp_replay_ask_init (&ask);
    ask.feedback.kind = self->controller;
    ask.friction = self->friction > 0 ? self->friction : 1;
    ask.worlds = self->n_worlds;
    ssapp_job_set_replay (job, &ask);
    ssapp_replay_ask_clear (&ask);
  }
  return job;
}

void
ssapp_run_ask (SsappRun *self, SsControllerKind controller, double friction, int n_worlds)
{
  g_return_if_fail (SSAPP_IS_RUN (self) && self->job == NULL);
  self->controller = controller;
  self->friction = friction;
  self->n_worlds = n_worlds;
}

const SsTrajectory *
ssapp_run_own_motion (SsappRun *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  if (self->iterate != NULL)
    return self->iterate;
  const SsTrajectory *trajectory = self->job != NULL ? ssapp_job_get_trajectory (self->job) : self->stored;
  return trajectory != NULL && trajectory->n_rows > 0 ? trajectory : NULL;
}

void
ssapp_run_clear_told (SsappRun *self)
{
  g_return_if_fail (self != NULL);
  g_clear_pointer (&self->told.motion, ss_trajectory_free);
  g_clear_pointer (&self->told.events, g_array_unref);
  self->told.of = NULL;
}

void
ssapp_run_clear_branches (SsappRun *self)
{
  g_return_if_fail (self != NULL);
  g_clear_pointer (&self->branches, g_array_unref);
  g_clear_pointer (&self->told_branches, g_ptr_array_unref);
}

/* What there is stays where there is nothing new. */
static void
take_race (SsappRun *self, const json_t *race)
{
  if (race == NULL)
    return;
  ssapp_race_free (self->race);
  self->race = ssapp_race_from_json (race);
}

static void
take_tries (SsappRun *self, const json_t *result)
{
  ss_tries_clear (&self->tries);
  g_clear_pointer (&self->tries_account, g_free);
  ssapp_tries_from_json (result, &self->tries);
  self->tries_account = ssapp_tries_dup_account (result);
}

/* Those of the result; of a run without one stay those that came while it ran. */
static void
take_warnings (SsappRun *self)
{
  const json_t *list = json_object_get (self->result, "warnings"), *text;
  size_t i;

  if (!json_is_array (list))
    return;
  g_string_truncate (self->warnings, 0);
  json_array_foreach ((json_t *)list, i, text)
  {
    if (!json_is_string (text))
      continue;
    g_string_append_printf (self->warnings, "%s%s", self->warnings->len > 0 ? "\n" : "", json_string_value (text));
  }
}

/* Takes the object; NULL: there is none. */
static void
take_result (SsappRun *self, json_t *result)
{
  json_decref (self->result);
  self->result = result;
  ssapp_metrics_from_json (json_object_get (self->result, "metrics"), &self->metrics);
  ssapp_fan_free (self->fan);
  self->fan = ssapp_fan_from_json (self->result);
  take_race (self, json_object_get (self->result, "race"));
  take_tries (self, self->result);
  ssapp_reasons_from_json (self->result, &self->reasons);
  ssapp_parting_read (&self->parting, self->result);
  ssapp_run_clear_branches (self);
  g_clear_pointer (&self->events, g_array_unref);
  self->events = ssapp_run_events_from_json (self->result);
  take_warnings (self);
  ssapp_run_clear_told (self);
}

/* The motions of a stored fan, in the order of its branches; NULL where one was not kept. */
static void
read_branches (SsappRun *self, SsappStore *store)
{
  self->stored_branches = g_ptr_array_new_with_free_func ((GDestroyNotify)ss_trajectory_free);
  for (guint i = 1; self->fan != NULL && i < self->fan->branches->len; i++) {
    const SsappMotionKey key = {ss_motion_role_name (SS_MOTION_BRANCH),
                                g_array_index (self->fan->branches, SsappFanBranch, i).branch, -1};
    SsTrajectory *own = ssapp_store_get_motion (store, self->id, &key, NULL);
    describe (self, own);
    g_ptr_array_add (self->stored_branches, own);
  }
}

/* Derivatives and ends in other worlds that were kept; what cannot be read is not there. */
static void
read_beside (SsappRun *self, SsappStore *store)
{
  const SsappMotionKey key = {ss_motion_role_name (SS_MOTION_SLOPES), 0, -1};

  self->slopes = ssapp_store_get_motion (store, self->id, &key, NULL);
  self->worlds =
      ssapp_store_get_motion (store, self->id, &(SsappMotionKey){ss_motion_role_name (SS_MOTION_WORLDS), 0, -1}, NULL);
}

/* Another answer of a race has the race of the run that it belongs to, and its tries. */
static void
read_race_of (SsappRun *self, SsappStore *store)
{
  const char *of = json_string_value (json_object_get (self->result, "solution_of"));
  g_autofree char *text = of != NULL ? ssapp_store_get_result_json (store, of, NULL) : NULL;
  json_t *result = text != NULL ? json_loads (text, 0, NULL) : NULL;

  take_race (self, json_object_get (result, "race"));
  if (result != NULL)
    take_tries (self, result);
  json_decref (result);
}

/* A part that is damaged is left out, and the run is marked: the rest can be read. */
static gboolean
go_on (SsappRun *self, GError **error)
{
  static char outcome[] = SSAPP_OUTCOME_DAMAGED;

  if (*error == NULL)
    return TRUE;
  if (!g_error_matches (*error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_DAMAGED))
    return FALSE;
  if (strcmp (self->outcome, outcome) != 0) {
    g_free (self->outcome);
    g_free (self->message);
    self->outcome = g_strdup (outcome);
    self->message = g_strdup ((*error)->message);
  }
  g_clear_error (error);
  return TRUE;
}

SsappRun *
ssapp_run_new_stored (SsappStore *store, const char *id, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (store), NULL);
  g_autoptr (SsappRun) self = g_object_new (SSAPP_TYPE_RUN, NULL);
  g_autofree char *text = NULL, *result = NULL;
  GError *local = NULL;
  json_t *parameters;
  gboolean is_read;
  SsappRunRow *row = ssapp_store_get_run (store, id, error);

  if (row == NULL)
    return NULL;
  self->id = g_strdup (row->id);
  take_method (self, ssapp_run_row_get_method (row));
  self->outcome = g_strdup (row->outcome);
  self->message = g_strdup (row->message);
  self->replay_of = row->replay_of[0] != '\0' ? g_strdup (row->replay_of) : NULL;
  self->name = ssapp_run_row_dup_name (row);
  take_asked (self, row->options_json);
  parameters = row->parameters_json != NULL ? json_loads (row->parameters_json, 0, NULL) : NULL;
  ssapp_run_row_free (row);
  text = ssapp_store_get_scenario_text (store, self->id, error);
  is_read = text != NULL && read_scenario (self, text, parameters, error);
  json_decref (parameters);
  if (!is_read)
    return NULL;
  result = ssapp_store_get_result_json (store, self->id, &local);
  if (go_on (self, &local))
    self->iterations = ssapp_store_get_iterations (store, self->id, &local);
  if (go_on (self, &local))
    self->stored = ssapp_store_get_shown (store, self->id, NULL, &local);
  if (go_on (self, &local))
    self->log = ssapp_store_get_log (store, self->id, &local);
  if (!go_on (self, &local)) {
    g_propagate_error (error, local);
    return NULL;
  }
  describe (self, self->stored);
  if (self->replay_of != NULL) /* without its plan, a replay is still a simulation */
    take_plan (self, ssapp_store_get_trajectory (store, self->replay_of, NULL));
  take_result (self, json_loads (result != NULL ? result : "", 0, NULL));
  read_branches (self, store);
  read_beside (self, store);
  read_race_of (self, store);
  ssapp_run_read_iterates (self, store);
  self->version = 1;
  return g_steal_pointer (&self);
}

static void
on_job_race (SsappRun *self)
{
  take_race (self, ssapp_job_get_race (self->job));
  ssapp_run_emit_changed (self);
}

static void
on_job_motion (SsappRun *self)
{
  ssapp_job_describe_frames (self->job, self->scenario);
  self->version++;
  ssapp_run_emit_changed (self);
}

static void
on_job_log (SsappRun *self, int level, const char *text)
{
  if (level == SS_LOG_WARNING)
    g_string_append_printf (self->warnings, "%s%s", self->warnings->len > 0 ? "\n" : "", text);
  ssapp_run_emit_changed (self);
}

static void
on_job_ended (SsappRun *self)
{
  const char *text = ssapp_job_get_result_json (self->job);

  take_result (self, json_loads (text != NULL ? text : "", 0, NULL));
  self->version++;
  ssapp_run_emit_changed (self);
}

void
ssapp_run_set_job (SsappRun *self, SsappJob *job)
{
  g_return_if_fail (SSAPP_IS_RUN (self) && self->job == NULL);
  g_autofree char *options = ssapp_job_get_options_json (job);
  self->job = g_object_ref (job);
  self->id = g_strdup (ssapp_job_get_id (job));
  take_asked (self, options);
  g_signal_connect_object (job, "started", G_CALLBACK (ssapp_run_emit_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (job, "iteration", G_CALLBACK (ssapp_run_emit_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (job, "race", G_CALLBACK (on_job_race), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (job, "log", G_CALLBACK (on_job_log), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (job, "motion", G_CALLBACK (on_job_motion), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (job, "ended", G_CALLBACK (on_job_ended), self, G_CONNECT_SWAPPED);
  ssapp_run_emit_changed (self);
}

void
ssapp_run_take_answer (SsappRun *self, SsTrajectory *motion, json_t *result)
{
  g_return_if_fail (SSAPP_IS_RUN (self) && self->job == NULL);
  ssapp_run_clear_told (self);
  ss_trajectory_free (self->stored);
  self->stored = motion;
  describe (self, motion);
  if (result != NULL)
    take_result (self, json_incref (result));
  self->version++;
  ssapp_run_emit_changed (self);
}

const json_t *
ssapp_run_get_result (SsappRun *self)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), NULL);
  return self->result != NULL ? self->result : self->asked;
}

/* ---- iterates ---------------------------------------------------------------------------------------------------- */

GArray *
ssapp_run_get_iterates (SsappRun *self)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), NULL);
  return self->iterates;
}

void
ssapp_run_read_iterates (SsappRun *self, SsappStore *store)
{
  g_return_if_fail (SSAPP_IS_RUN (self));
  GArray *kept = self->kind == SS_METHOD_OPTIMISER && store != NULL && self->id != NULL
                     ? ssapp_store_list_iterates (store, self->id, NULL)
                     : NULL;

  if (kept == NULL) /* without them the run is still a run */
    return;
  g_array_unref (self->iterates);
  self->iterates = kept;
}

int
ssapp_run_iterate_up_to (SsappRun *self, int iteration)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), -1);
  const GArray *kept = self->iterates;
  int found = -1;

  if (kept->len == 0 || iteration < 0 || iteration > g_array_index (kept, int, kept->len - 1))
    return -1;
  for (guint i = 0; i < kept->len && (i == 0 || g_array_index (kept, int, i) <= iteration); i++)
    found = g_array_index (kept, int, i);
  return found;
}

void
ssapp_run_show_iterate (SsappRun *self, int iteration, SsTrajectory *trajectory)
{
  g_return_if_fail (SSAPP_IS_RUN (self));
  if (trajectory == NULL && self->iterate == NULL)
    return;
  ssapp_run_clear_told (self);
  ss_trajectory_free (self->iterate);
  self->iterate = trajectory;
  self->shown_iterate = trajectory != NULL ? iteration : -1;
  describe (self, trajectory);
  self->version++;
  ssapp_run_emit_changed (self);
}

int
ssapp_run_get_shown_iterate (SsappRun *self)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), -1);
  return self->shown_iterate;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

const char *
ssapp_run_get_id (SsappRun *self)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), NULL);
  return self->id;
}

SsMethodId
ssapp_run_get_method (SsappRun *self)
{
  return (SsMethodId){self->kind, self->method, self->copy};
}

SsMethodKind
ssapp_run_get_kind (SsappRun *self)
{
  return self->kind;
}

const char *
ssapp_run_get_method_label (SsappRun *self)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), NULL);
  return ssapp_method_label (ssapp_run_get_method (self));
}

const char *
ssapp_run_get_name (SsappRun *self)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), NULL);
  return self->name != NULL ? self->name : ssapp_run_get_method_label (self);
}

const char *
ssapp_run_get_label (SsappRun *self)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), NULL);
  return self->label != NULL ? self->label : ssapp_run_get_name (self);
}

void
ssapp_run_set_copy (SsappRun *self, int copy)
{
  g_return_if_fail (SSAPP_IS_RUN (self));
  self->copy = copy;
}

void
ssapp_run_set_label (SsappRun *self, const char *label)
{
  g_return_if_fail (SSAPP_IS_RUN (self));
  g_free (self->label);
  self->label = g_strdup (label);
}

const char *
ssapp_run_get_scenario_text (SsappRun *self)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), NULL);
  return self->scenario->text;
}

const SsScenario *
ssapp_run_get_scenario (SsappRun *self)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), NULL);
  return self->scenario;
}

SsappJob *
ssapp_run_get_job (SsappRun *self)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), NULL);
  return self->job;
}

gboolean
ssapp_run_is_running (SsappRun *self)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), FALSE);
  return self->job != NULL && ssapp_job_get_state (self->job) != SSAPP_JOB_ENDED;
}

const char *
ssapp_run_get_outcome (SsappRun *self)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), NULL);
  if (self->job == NULL)
    return self->outcome;
  switch (ssapp_job_get_state (self->job)) {
  case SSAPP_JOB_WAITING:
    return "waiting";
  case SSAPP_JOB_RUNNING:
    return ssapp_job_is_paused (self->job) ? ss_outcome_name (SS_OUTCOME_PAUSED) : "running";
  case SSAPP_JOB_CANCELLING:
    return "cancelling";
  case SSAPP_JOB_ENDED:
  default:
    return ssapp_job_get_outcome (self->job) != NULL ? ssapp_job_get_outcome (self->job) : "interrupted";
  }
}

const char *
ssapp_run_get_message (SsappRun *self)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), NULL);

  const char *message = self->job != NULL ? ssapp_job_get_message (self->job) : self->message;
  return message != NULL ? message : "";
}

/* While it runs, the newest iteration stands in for the result. */
static double
live_metric (SsappRun *self, SsMetric metric)
{
  GArray *iterations = ssapp_run_get_iterations (self);
  const SsappIteration *last;

  if (iterations == NULL || iterations->len == 0)
    return NAN;
  last = &g_array_index (iterations, SsappIteration, iterations->len - 1);
  switch (metric) {
  case SS_METRIC_OBJECTIVE:
    return last->objective;
  case SS_METRIC_MAX_VIOLATION:
    return last->violation;
  case SS_METRIC_COMPLEMENTARITY:
    return last->complementarity;
  case SS_METRIC_ITERATIONS:
    return last->iteration;
  default:
    return NAN;
  }
}

double
ssapp_run_get_metric (SsappRun *self, SsMetric metric)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), NAN);
  return self->result != NULL ? ss_metric_get (&self->metrics, metric) : live_metric (self, metric);
}

SsappAnswer
ssapp_run_get_answer (SsappRun *self)
{
  SsappAnswer answer = {0};

  g_return_val_if_fail (SSAPP_IS_RUN (self), answer);
  if (self->result != NULL)
    return (SsappAnswer){TRUE, ss_metric_get (&self->metrics, SS_METRIC_OBJECTIVE),
                         ss_metric_get (&self->metrics, SS_METRIC_MAX_VIOLATION)};
  for (guint i = 0; self->race != NULL && i < self->race->members->len; i++) {
    const SsappMember *member = &g_array_index (self->race->members, SsappMember, i);
    if (member->own.is_best)
      answer = (SsappAnswer){TRUE, member->own.objective, member->own.violation};
  }
  return answer;
}

double
ssapp_run_get_elapsed (SsappRun *self)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), NAN);

  double seconds = ssapp_run_get_metric (self, SS_METRIC_SOLVE_SECONDS);
  if (isfinite (seconds))
    return seconds;
  return self->job != NULL ? ssapp_job_get_elapsed (self->job) : NAN;
}

GArray *
ssapp_run_get_iterations (SsappRun *self)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), NULL);
  return self->job != NULL ? ssapp_job_get_iterations (self->job) : self->iterations;
}

const char *
ssapp_run_get_replay_of (SsappRun *self)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), NULL);
  return self->replay_of;
}

const SsTrajectory *
ssapp_run_get_plan (SsappRun *self)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), NULL);
  return self->plan_view != NULL ? self->plan : NULL;
}

SsView *
ssapp_run_get_plan_view (SsappRun *self)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), NULL);
  return self->plan_view;
}

const SsappRace *
ssapp_run_get_race (SsappRun *self)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), NULL);
  return self->race;
}

const char *
ssapp_run_get_tries_account (SsappRun *self)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), NULL);
  return self->tries_account;
}

char *
ssapp_run_dup_log (SsappRun *self)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), NULL);

  GString *log = self->job != NULL ? ssapp_job_get_log (self->job) : NULL;
  return g_strdup (log != NULL ? log->str : self->log != NULL ? self->log : "");
}

const char *
ssapp_run_get_warnings (SsappRun *self)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), NULL);
  return self->warnings->str;
}

const SsappParting *
ssapp_run_get_parting (SsappRun *self)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), NULL);
  return &self->parting;
}

const SsReasons *
ssapp_run_get_reasons (SsappRun *self)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), NULL);
  return &self->reasons;
}

const SsTrajectory *
ssapp_run_get_motion (SsappRun *self)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), NULL);

  const SsTrajectory *trajectory = ssapp_run_own_motion (self);
  return trajectory != NULL ? trajectory : self->initial;
}

gboolean
ssapp_run_has_motion (SsappRun *self)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), FALSE);
  return ssapp_run_own_motion (self) != NULL;
}

guint
ssapp_run_get_version (SsappRun *self)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), 0);
  return self->version;
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

static void
ssapp_run_finalize (GObject *object)
{
  SsappRun *self = SSAPP_RUN (object);

  ssapp_run_clear_told (self);
  ssapp_run_clear_branches (self);
  ssapp_fan_free (self->fan);
  ssapp_race_free (self->race);
  ss_tries_clear (&self->tries);
  g_free (self->tries_account);
  g_clear_pointer (&self->stored_branches, g_ptr_array_unref);
  ss_trajectory_free (self->slopes);
  ss_trajectory_free (self->worlds);
  ss_view_free (self->view);
  ss_view_free (self->plan_view);
  ss_trajectory_free (self->plan);
  ssapp_parting_clear (&self->parting);
  g_free (self->replay_of);
  g_free (self->name);
  ss_trajectory_free (self->initial);
  ss_trajectory_free (self->stored);
  ss_trajectory_free (self->iterate);
  g_clear_pointer (&self->asked, json_decref);
  g_clear_pointer (&self->iterates, g_array_unref);
  ss_scenario_free (self->scenario);
  g_clear_object (&self->job);
  g_clear_pointer (&self->iterations, g_array_unref);
  g_clear_pointer (&self->events, g_array_unref);
  json_decref (self->result);
  g_free (self->id);
  g_free (self->method);
  g_free (self->label);
  g_free (self->outcome);
  g_free (self->message);
  g_free (self->log);
  g_string_free (self->warnings, TRUE);
  G_OBJECT_CLASS (ssapp_run_parent_class)->finalize (object);
}

static void
ssapp_run_class_init (SsappRunClass *class)
{
  G_OBJECT_CLASS (class)->finalize = ssapp_run_finalize;
  changed_signal = g_signal_new ("changed", SSAPP_TYPE_RUN, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ssapp_run_init (SsappRun *self)
{
  self->iterates = g_array_new (FALSE, FALSE, sizeof (int));
  self->shown_iterate = -1;
  self->warnings = g_string_new (NULL);
  self->events = ssapp_run_events_from_json (NULL);
}
