/* app/session/ssapp-session-runs.c: runs that a session makes: races, simulations, replays, outcomes. */
#include "app/session/ssapp-session-private.h"

#include "app/session/ssapp-fan-job.h"

#include "app/base/ssapp-memory.h"
#include "app/job/ssapp-interests.h"
#include "app/job/ssapp-keep.h"
#include "app/job/ssapp-state.h"
#include "plan/ss-ways-on.h"
#include "run/ss-run-simulate.h"
#include "solve/ss-run-replayed.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* Numbers of the motion before that a run which goes on from it is given: 32 MB, of lines that may have 64. The run
 * before has all of them. */
enum { PAST_VALUES_MAX = 4 * 1024 * 1024 };

static void go_on_changed (SsappSession *self);

static void
on_job_ended (SsappSession *self, SsappJob *job)
{
  for (guint i = 0; i < self->runs->len; i++) {
    SsappRun *run = g_ptr_array_index (self->runs, i);
    if (ssapp_run_get_job (run) != job)
      continue;
    ssapp_run_read_iterates (run, self->store);
    ssapp_session_tell_run_ended (self, run);
  }
  if (self->leaving != NULL && !ssapp_session_is_running (self))
    go_on_changed (self);
}

static void
replace_runs (SsappSession *self, GPtrArray *runs)
{
  for (guint i = 0; i < self->runs->len; i++)
    g_signal_handlers_disconnect_by_data (g_ptr_array_index (self->runs, i), self);
  g_ptr_array_unref (self->runs);
  self->runs = g_ptr_array_ref (runs);
  for (guint i = 0; i < runs->len; i++)
    g_signal_connect_object (g_ptr_array_index (runs, i), "changed", G_CALLBACK (ssapp_session_tell_run_changed), self,
                             G_CONNECT_SWAPPED);
  ssapp_session_tell_runs_changed (self);
}

/* What the session wants of every job: its time limit, ways on after a failure, a bound, and to be told of the end. */
static void
adopt_job (SsappSession *self, SsappJob *job)
{
  if (isfinite (self->time_limit))
    ssapp_job_set_time_limit (job, self->time_limit);
  if (ssapp_job_get_method (job).kind == SS_METHOD_OPTIMISER)
    ssapp_job_set_ways_on (job, SS_WAYS_ON_SECONDS);
  if (ssapp_job_get_method (job).kind == SS_METHOD_OPTIMISER && self->bound > 0)
    ssapp_job_set_bound (job, self->bound);
  g_signal_connect_object (job, "ended", G_CALLBACK (on_job_ended), self, G_CONNECT_SWAPPED | G_CONNECT_AFTER);
}

/* Records and starts the runs' jobs, and shows the runs; where one cannot start, those before it are cancelled. `note`:
 * of every run, NULL for none. */
static gboolean
start_together (SsappSession *self, GPtrArray *runs, GPtrArray *jobs, const char *note, GError **error)
{
  if (!ssapp_session_refuse_while_lost (self, error) || !ssapp_session_ensure_store (self, error))
    return FALSE;
  /* The runs belong to the sketch that they are made from. */
  if (runs->len > 0 && g_strcmp0 (ssapp_run_get_scenario_text (g_ptr_array_index (runs, 0)),
                                  ssapp_document_get_text (self->document)) == 0)
    (void)ssapp_sketches_keep (self->sketches, NULL);
  for (guint i = 0; i < runs->len; i++) {
    SsappJob *job = g_ptr_array_index (jobs, i);
    if (!ssapp_store_follow (self->store, job, error) ||
        (note != NULL && !ssapp_store_set_note (self->store, ssapp_job_get_id (job), note, error)) ||
        !ssapp_job_start (job, error)) {
      for (guint started = 0; started < i; started++)
        ssapp_job_cancel (g_ptr_array_index (jobs, started));
      return FALSE;
    }
    ssapp_run_set_job (g_ptr_array_index (runs, i), job);
  }
  replace_runs (self, runs);
  return TRUE;
}

/* Iterates of an optimiser that are kept, to be looked at afterwards: enough to see the way, a few megabytes. */
#define KEEP_EVERY 5

SsappJob *
ssapp_session_new_job (SsappSession *self, const SsMethod *method)
{
  g_return_val_if_fail (self != NULL && method != NULL, NULL);
  SsappJob *job = ssapp_job_new (ssapp_document_get_text (self->document), ssapp_document_get_name (self->document),
                                 ss_method_id (method));

  for (int i = 0; i < ssapp_session_n_options (self, method); i++) {
    const char *name = ssapp_session_get_option_spec (self, method, i)->name,
               *text = ssapp_session_option_text (self, method, name);
    if (text != NULL)
      ssapp_job_set_option (job, name, text);
  }
  if (method->kind == SS_METHOD_OPTIMISER)
    ssapp_job_set_keep_iterates (job, KEEP_EVERY);
  return job;
}

static SsappJob *
make_job (SsappSession *self, const SsMethod *method)
{
  SsappJob *job = ssapp_session_new_job (self, method);

  adopt_job (self, job);
  return job;
}

/* Gives an optimiser a motion to start from. */
static void
set_start (SsappSession *self, SsappJob *job, const SsMethod *method, SsappRun *from)
{
  const SsOptionTable *table = method->options;
  const gboolean is_solved = ssapp_run_get_kind (from) == SS_METHOD_OPTIMISER &&
                             ssapp_run_get_shown_iterate (from) < 0 &&
                             g_strcmp0 (ssapp_run_get_outcome (from), ss_outcome_name (SS_OUTCOME_SOLVED)) == 0;

  ssapp_job_set_start (job, ssapp_run_get_motion (from), ssapp_run_get_id (from));
  if (!is_solved || ssapp_session_option_text (self, method, "preset") != NULL)
    return;
  for (int i = 0; i < table->n_specs; i++)
    for (int k = 0; strcmp (table->specs[i].name, "preset") == 0 && table->specs[i].choices[k] != NULL; k++)
      if (strcmp (table->specs[i].choices[k], "warm") == 0)
        ssapp_job_set_option (job, "preset", "warm");
}

static gboolean keep_comparison (SsappSession *self, GPtrArray *runs, const char *title, GError **error);

/* Among copies of its method: "CRISP, relax 10", by the options in which they differ, as run sets call the stored runs;
 * "CRISP 2" where none is set. NULL: it has no copies. */
static char *
dup_entrant_label (SsappSession *self, const SsMethod *method)
{
  const SsMethod *base = ssapp_entrants_base (self->entrants, method);
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  g_autoptr (GString) label = g_string_new (base->label);

  g_ptr_array_add (all, (gpointer)base);
  ssapp_entrants_list (self->entrants, all);
  if (all->len < 2)
    return NULL;
  for (int i = 0; i < method->options->n_specs; i++) {
    const char *name = method->options->specs[i].name, *own = ssapp_session_option_text (self, method, name);
    gboolean differs = FALSE;
    for (guint k = 0; k < all->len; k++)
      differs |= g_strcmp0 (own, ssapp_session_option_text (self, g_ptr_array_index (all, k), name)) != 0;
    if (differs && own != NULL)
      g_string_append_printf (label, ", %s %s", name, own);
  }
  return g_strdup (label->len > strlen (base->label) ? label->str : method->label);
}

SsappRun *
ssapp_session_new_run (SsappSession *self, const SsMethod *method, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), NULL);
  const SsMethodId id = ssapp_entrants_id (self->entrants, method);
  SsappRun *run = ssapp_run_new (ssapp_document_get_text (self->document), method, error);

  g_autofree char *label = run != NULL ? dup_entrant_label (self, method) : NULL;
  if (label == NULL)
    return run;
  ssapp_run_set_copy (run, id.copy);
  ssapp_run_set_label (run, label);
  return run;
}

/* What a race is called in the project: "Push Box: CRISP, Ipopt"; g_free. */
static char *
race_title (SsappSession *self, GPtrArray *runs)
{
  GString *title = g_string_new (NULL);

  g_string_append_printf (title, "%s: ", ssapp_document_get_title (self->document));
  for (guint i = 0; i < runs->len; i++)
    g_string_append_printf (title, "%s%s", i > 0 ? ", " : "", ssapp_run_get_label (g_ptr_array_index (runs, i)));
  return g_string_free (title, FALSE);
}

/* `from`: a run whose motion they start from; NULL: none. `t_end`: in the place of the task's horizon; NaN: none.
 * Several are one comparison of the project. */
static gboolean
start_methods (SsappSession *self, GPtrArray *methods, SsappRun *from, double t_end, GError **error)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) jobs = g_ptr_array_new_with_free_func (g_object_unref);

  if (!ssapp_session_refuse_while_running (self, error))
    return FALSE;
  for (guint i = 0; i < methods->len; i++) {
    const SsMethod *method = g_ptr_array_index (methods, i);
    SsappRun *run = ssapp_session_new_run (self, method, error);
    if (run == NULL)
      return FALSE;
    g_ptr_array_add (runs, run);
    SsappJob *job = make_job (self, method);
    ssapp_job_set_memory_limit (job, ssapp_memory_default (methods->len)); /* they run at once */
    if (from != NULL)
      set_start (self, job, method, from);
    if (isfinite (t_end))
      ssapp_job_set_step (job, NAN, t_end);
    g_ptr_array_add (jobs, job);
  }
  if (runs->len == 0) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "Choose at least one method");
    return FALSE;
  }
  if (runs->len > SSAPP_SESSION_RACE_MAX) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                 "%u methods are chosen, and at most %d run at once: take some out", runs->len, SSAPP_SESSION_RACE_MAX);
    return FALSE;
  }
  if (!start_together (self, runs, jobs, NULL, error))
    return FALSE;
  g_autofree char *title = race_title (self, runs);
  return runs->len < 2 || keep_comparison (self, runs, title, error);
}

/* The chosen methods of a kind; all kinds for -1. */
static GPtrArray *
chosen_methods (SsappSession *self, int kind)
{
  GPtrArray *methods = ssapp_session_list_methods (self);

  for (guint i = methods->len; i-- > 0;) {
    const SsMethod *method = g_ptr_array_index (methods, i);
    if (!ssapp_session_is_chosen (self, method) || (kind >= 0 && (int)method->kind != kind))
      g_ptr_array_remove_index (methods, i);
  }
  return methods;
}

gboolean
ssapp_session_start (SsappSession *self, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), FALSE);
  g_autoptr (GPtrArray) methods = chosen_methods (self, -1);
  return start_methods (self, methods, NULL, NAN, error);
}

/* That of the document where none is chosen. */
static const SsMethod *
own_integrator (SsappSession *self)
{
  return ss_method_of_scenario (SS_METHOD_INTEGRATOR, ssapp_document_get_scenario (self->document));
}

GPtrArray *
ssapp_session_list_simulators (SsappSession *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  GPtrArray *methods = chosen_methods (self, SS_METHOD_INTEGRATOR);

  if (methods->len == 0)
    g_ptr_array_add (methods, (gpointer)own_integrator (self));
  return methods;
}

gboolean
ssapp_session_start_simulation (SsappSession *self, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), FALSE);
  g_autoptr (GPtrArray) methods = ssapp_session_list_simulators (self);

  return start_methods (self, methods, NULL, NAN, error);
}

/* The run of that id: on show, else read from the project. The caller's. */
static SsappRun *
find_run (SsappSession *self, const char *id, GError **error)
{
  for (guint i = 0; i < self->runs->len; i++)
    if (g_strcmp0 (ssapp_run_get_id (g_ptr_array_index (self->runs, i)), id) == 0)
      return g_object_ref (g_ptr_array_index (self->runs, i));
  if (self->store == NULL) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "There is no run “%s”", id);
    return NULL;
  }
  return ssapp_run_new_stored (self->store, id, error);
}

gboolean
ssapp_session_start_from (SsappSession *self, const char *id, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), FALSE);
  g_autoptr (GPtrArray) methods = chosen_methods (self, SS_METHOD_OPTIMISER);
  g_autoptr (SsappRun) from = find_run (self, id, error);

  if (from == NULL)
    return FALSE;
  if (!ssapp_run_has_motion (from) || ssapp_run_is_running (from)) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "There is no motion to start from yet");
    return FALSE;
  }
  if (methods->len == 0) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "Choose an optimiser first");
    return FALSE;
  }
  return start_methods (self, methods, from, NAN, error);
}

gboolean
ssapp_session_start_from_iterate (SsappSession *self, const char *id, int iteration, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), FALSE);
  g_autoptr (GPtrArray) methods = chosen_methods (self, SS_METHOD_OPTIMISER);
  g_autoptr (SsappRun) from = NULL;
  SsTrajectory *motion;

  if (self->store == NULL) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "There is no run “%s”", id);
    return FALSE;
  }
  from = ssapp_run_new_stored (self->store, id, error);
  motion = from != NULL ? ssapp_store_get_iterate (self->store, id, iteration, error) : NULL;
  if (motion == NULL) {
    if (from != NULL && error != NULL && *error == NULL)
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "The run kept no iterate of iteration %d", iteration);
    return FALSE;
  }
  ssapp_run_show_iterate (from, iteration, motion);
  if (methods->len == 0) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "Choose an optimiser first");
    return FALSE;
  }
  return start_methods (self, methods, from, NAN, error);
}

gboolean
ssapp_session_show_iterates (SsappSession *self, GPtrArray *runs, int iteration, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), FALSE);
  for (guint i = 0; i < runs->len; i++) {
    SsappRun *run = g_ptr_array_index (runs, i);
    const int wanted = ssapp_run_iterate_up_to (run, iteration);
    SsTrajectory *motion = NULL;
    if (wanted == ssapp_run_get_shown_iterate (run))
      continue;
    if (wanted >= 0 && self->store != NULL) {
      motion = ssapp_store_get_iterate (self->store, ssapp_run_get_id (run), wanted, error);
      if (motion == NULL)
        return FALSE;
    }
    ssapp_run_show_iterate (run, wanted, motion);
  }
  return TRUE;
}

/* The run's motion once it moves takes so long [s]. */
static double
moving_time (SsappRun *run)
{
  const SsScene *scene = ssapp_run_get_scenario (run)->scene;
  const SsTrajectory *motion = ssapp_run_get_motion (run);

  return scene != NULL ? ss_trajectory_row (motion, motion->n_rows - 1)[0] - ss_run_begins_to_move (scene, motion)
                       : NAN;
}

SsTrajectory *
ssapp_session_dup_motion (SsappSession *self, const char *id, double *length, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), NULL);
  g_autoptr (SsappRun) run = find_run (self, id, error);
  SsTrajectory *copy = NULL;
  SsError err = {0};

  if (run == NULL)
    return NULL;
  if (!ssapp_run_has_motion (run) || ss_trajectory_copy (ssapp_run_get_motion (run), &copy, &err) != SS_OK) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                         err.message[0] != '\0' ? err.message : "The run has no motion");
    return NULL;
  }
  *length = moving_time (run);
  return copy;
}

/* A plan that takes this much longer than its task is another one. */
#define LONGER 1.02

gboolean
ssapp_session_improve (SsappSession *self, const char *id, double *t_end, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self) && t_end != NULL, FALSE);
  const SsScenario *scenario = ssapp_document_get_scenario (self->document);
  g_autoptr (GPtrArray) methods = chosen_methods (self, SS_METHOD_OPTIMISER);
  g_autoptr (SsappRun) from = find_run (self, id, error);

  *t_end = NAN;
  if (from == NULL)
    return FALSE;
  if (scenario->task.plan == NULL || !ssapp_run_has_motion (from) || ssapp_run_is_running (from)) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                         scenario->task.plan == NULL ? "The sketch has no goal" : "There is no motion to improve yet");
    return FALSE;
  }
  if (methods->len == 0)
    g_ptr_array_add (methods, (gpointer)ss_method_of_scenario (SS_METHOD_OPTIMISER, scenario));
  if (!scenario->task.plan->is_time_free && moving_time (from) > LONGER * scenario->task.plan->horizon)
    *t_end = moving_time (from);
  return start_methods (self, methods, from, *t_end, error);
}

/* Takes the reference to `of`. */
static gboolean
start_replay (SsappSession *self, SsappRun *of, const SsMethod *method, SsControllerKind controller, double friction,
              int n_worlds, GError **error)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (SsappRun) plan = of, replay = ssapp_run_new_replay (plan, method, error);
  g_autoptr (GString) label = g_string_new (ss_controllers[controller].replay);
  g_autoptr (SsappJob) job = NULL;

  if (replay == NULL || !ssapp_session_refuse_while_lost (self, error) || !ssapp_session_ensure_store (self, error))
    return FALSE;
  ssapp_run_ask (replay, controller, friction != 1 ? friction : 0, n_worlds);
  job = ssapp_run_make_job (replay);
  adopt_job (self, job);
  if (!ssapp_store_follow (self->store, job, error) || !ssapp_job_start (job, error))
    return FALSE;
  ssapp_run_set_job (replay, job);
  ssapp_run_set_label (plan,
                       ss_method_id_is_equal (ssapp_run_get_method (plan), ss_method_id (method)) ? "Plan" : NULL);
  if (friction != 1)
    g_string_append_printf (label, ", Friction %+.0f %%", 100 * (friction - 1));
  if (n_worlds > 0)
    g_string_append_printf (label, ", %d Other Worlds", n_worlds);
  if (controller == SS_CONTROLLER_NONE)
    g_string_append_printf (label, ", %s", ssapp_run_get_method_label (replay));
  ssapp_run_set_label (replay, label->str);
  g_ptr_array_add (runs, g_object_ref (plan));
  g_ptr_array_add (runs, g_object_ref (replay));
  replace_runs (self, runs);
  return TRUE;
}

gboolean
ssapp_session_replay (SsappSession *self, const char *id, const char *integrator, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), FALSE);

  const SsMethod *method = ss_method_find (SS_METHOD_INTEGRATOR, integrator, NULL);
  SsappRun *plan = ssapp_session_refuse_while_running (self, error) ? find_run (self, id, error) : NULL;

  if (plan == NULL)
    return FALSE;
  if (method == NULL) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "“%s” is no integrator", integrator);
    g_object_unref (plan);
    return FALSE;
  }
  return start_replay (self, plan, method, SS_CONTROLLER_NONE, 1, 0, error);
}

static gboolean
replay_held (SsappSession *self, const char *id, const char *controller, double friction, int n_worlds, GError **error)
{
  const SsControllerKind kind = ss_controller_find (controller);
  const SsMethod *method = ss_method_default (SS_METHOD_INTEGRATOR);
  const SsIntegratorClass *integrator;
  double step;

  if (kind == SS_CONTROLLER_COUNT || !(friction > 0) || !isfinite (friction)) {
    g_autofree char *names = ssapp_controllers_dup_names ();
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                 "A replay has the controller %s, in a world with a positive part of the plan's friction", names);
    return FALSE;
  }
  SsappRun *plan = ssapp_session_refuse_while_running (self, error) ? find_run (self, id, error) : NULL;
  if (plan == NULL)
    return FALSE;
  if (ssapp_run_has_motion (plan) && ss_run_find_replay (ssapp_run_get_motion (plan), &integrator, &step))
    method = ss_method_of_integrator (integrator);
  return start_replay (self, plan, method, kind, friction, n_worlds, error);
}

gboolean
ssapp_session_replay_held (SsappSession *self, const char *id, const char *controller, double friction, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self) && controller != NULL, FALSE);
  return replay_held (self, id, controller, friction, 0, error);
}

gboolean
ssapp_session_replay_worlds (SsappSession *self, const char *id, const char *controller, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self) && controller != NULL, FALSE);
  return replay_held (self, id, controller, 1, SSAPP_SESSION_WORLDS, error);
}

/* A run of one outcome, ready, with its job; FALSE with an error. */
static gboolean
prepare_outcome (SsappSession *self, const char *text, const SsMethod *method, guint number, guint of, GPtrArray *runs,
                 GPtrArray *jobs, GError **error)
{
  SsappRun *run = ssapp_run_new (text, method, error);
  g_autofree char *label = g_strdup_printf ("Outcome %u, %s", number + 1, method->label);

  if (run == NULL)
    return FALSE;
  g_ptr_array_add (runs, run);
  ssapp_run_set_label (run, label);
  SsappJob *job = ssapp_run_make_job (run);
  ssapp_job_set_memory_limit (job, ssapp_memory_default (of));
  adopt_job (self, job);
  g_ptr_array_add (jobs, job);
  return TRUE;
}

/* The runs as one comparison of the project. */
static gboolean
keep_comparison (SsappSession *self, GPtrArray *runs, const char *title, GError **error)
{
  g_autoptr (GPtrArray) ids = g_ptr_array_new (), labels = g_ptr_array_new ();

  for (guint k = 0; k < runs->len; k++) {
    g_ptr_array_add (ids, (gpointer)ssapp_run_get_id (g_ptr_array_index (runs, k)));
    g_ptr_array_add (labels, (gpointer)ssapp_run_get_label (g_ptr_array_index (runs, k)));
  }
  g_ptr_array_add (ids, NULL);
  g_ptr_array_add (labels, NULL);
  g_autofree char *id = ssapp_store_add_comparison (self->store, title, (const char *const *)ids->pdata,
                                                    (const char *const *)labels->pdata, error);
  return id != NULL;
}

gboolean
ssapp_session_start_outcomes (SsappSession *self, GPtrArray *texts, const char *note, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self) && texts->len <= SSAPP_SESSION_OUTCOMES_MAX, FALSE);
  g_autoptr (GPtrArray) methods = ssapp_session_list_simulators (self);
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) jobs = g_ptr_array_new_with_free_func (g_object_unref);

  if (!ssapp_session_refuse_while_running (self, error))
    return FALSE;
  const SsMethod *method = g_ptr_array_index (methods, 0);
  for (guint k = 0; k < texts->len; k++)
    if (!prepare_outcome (self, g_ptr_array_index (texts, k), method, k, texts->len, runs, jobs, error))
      return FALSE;
  return start_together (self, runs, jobs, note, error) && (runs->len < 2 || keep_comparison (self, runs, note, error));
}

gboolean
ssapp_session_start_fan (SsappSession *self, const char *text, const SsImpactSetOptions *options, const char *note,
                         GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self) && text != NULL && options != NULL, FALSE);
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) jobs = g_ptr_array_new_with_free_func (g_object_unref);
  const SsMethod *method = ss_method_lookup ((SsMethodId){SS_METHOD_INTEGRATOR, "event-driven"});

  if (!ssapp_session_refuse_while_running (self, error) ||
      !prepare_outcome (self, text, method, 0, 1, runs, jobs, error))
    return FALSE;
  ssapp_run_set_label (g_ptr_array_index (runs, 0), "Fan, Event-Driven");
  ssapp_fan_job_set_impact (g_ptr_array_index (jobs, 0), options);
  return start_together (self, runs, jobs, note, error);
}

gboolean
ssapp_session_start_branches (SsappSession *self, const char *id, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), FALSE);
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) jobs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (SsappRun) of = ssapp_session_refuse_while_running (self, error) ? find_run (self, id, error) : NULL;
  const gboolean goes_on = of != NULL && ssapp_continued_has (ssapp_run_get_result (of));
  SsappRun *run = of != NULL && !goes_on ? ssapp_run_new_again (of, error) : NULL;

  if (goes_on)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, _ ("Branches begin with the scene of a run"));
  if (run == NULL)
    return FALSE;
  g_ptr_array_add (runs, run);
  SsappJob *job = ssapp_run_make_job (run);
  g_ptr_array_add (jobs, job);
  ssapp_fan_job_set_steps (job, ssapp_run_get_result (of));
  adopt_job (self, job);
  return start_together (self, runs, jobs, NULL, error);
}

void
ssapp_session_show_runs (SsappSession *self, GPtrArray *runs)
{
  g_return_if_fail (SSAPP_IS_SESSION (self));
  replace_runs (self, runs);
}

/* ---- pausing, changing, going on --------------------------------------------------------------------------------- */

/* What a run's job poses; the texts are the caller's. */
static SsappPosed
posed_by (SsappJob *job, char **parameters, char **options)
{
  *parameters = ssapp_job_get_parameters_json (job);
  *options = ssapp_job_get_options_json (job);
  return (SsappPosed){ssapp_job_get_method (job).name, ssapp_job_get_scenario_text (job), *parameters, *options, NULL};
}

/* The method, or copy of one, of a run among those that would run now; NULL: it is chosen no longer. */
static const SsMethod *
method_of (SsappSession *self, SsappRun *run)
{
  const SsMethodId of = ssapp_run_get_method (run);
  g_autoptr (GPtrArray) methods =
      of.kind == SS_METHOD_INTEGRATOR ? ssapp_session_list_simulators (self) : chosen_methods (self, (int)of.kind);

  for (guint i = 0; i < methods->len; i++) {
    const SsMethodId id = ssapp_session_get_method_id (self, g_ptr_array_index (methods, i));
    if (strcmp (id.name, of.name) == 0 && id.copy == of.copy)
      return g_ptr_array_index (methods, i);
  }
  return NULL;
}

/* Whether the document or the options of the run's method are others than when it began. */
static gboolean
is_changed (SsappSession *self, SsappRun *run)
{
  const SsMethod *method = method_of (self, run);
  SsappJob *was = ssapp_run_get_job (run);

  if (method == NULL)
    return FALSE; /* it goes on as it was */
  g_autoptr (SsappJob) now = ssapp_session_new_job (self, method);
  g_autofree char *before = ssapp_job_get_options_json (was), *after = ssapp_job_get_options_json (now);
  return strcmp (ssapp_job_get_scenario_text (was), ssapp_job_get_scenario_text (now)) != 0 ||
         strcmp (before, after) != 0;
}

void
ssapp_session_pause (SsappSession *self, gboolean paused)
{
  g_return_if_fail (SSAPP_IS_SESSION (self));
  if (self->leaving != NULL) /* those that run are about to end, and those that go on from them have not begun */
    return;
  for (guint i = 0; i < self->runs->len; i++) {
    SsappRun *run = g_ptr_array_index (self->runs, i);
    if (!ssapp_run_is_running (run))
      continue;
    ssapp_job_pause (ssapp_run_get_job (run), paused);
    ssapp_session_tell_run_changed (self, run);
  }
}

gboolean
ssapp_session_is_paused (SsappSession *self)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), FALSE);
  for (guint i = 0; i < self->runs->len; i++) {
    SsappRun *run = g_ptr_array_index (self->runs, i);
    if (ssapp_run_is_running (run) && ssapp_job_is_paused (ssapp_run_get_job (run)))
      return TRUE;
  }
  return FALSE;
}

/* The job of a run that goes on from one that ended as paused; NULL with an error. */
static SsappJob *
new_leg (SsappSession *self, SsappRun *from, GError **error)
{
  const SsMethod *method = method_of (self, from);
  g_autofree char *parameters = NULL, *options = NULL, *own_parameters = NULL, *own_options = NULL;
  SsappContinued continued;

  if (method == NULL || !ssapp_run_has_motion (from)) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                 method == NULL ? "%s is not among the chosen methods any more" : "%s has no iterate to go on from yet",
                 ssapp_run_get_label (from));
    return NULL;
  }
  SsappJob *job = make_job (self, method);
  const SsappPosed before = posed_by (ssapp_run_get_job (from), &parameters, &options),
                   now = posed_by (job, &own_parameters, &own_options);
  ssapp_continued_from (&before, ssapp_run_get_result (from), &now, &continued);
  const SsTrajectory *motion = ssapp_run_get_trajectory (from);
  const gboolean simulates = method->kind == SS_METHOD_INTEGRATOR;
  const int most = MAX (PAST_VALUES_MAX / motion->n_channels, 2);
  SsTrajectory *past = simulates && motion->n_rows > most ? ssapp_keep_thin (motion, most) : NULL;
  continued.t = simulates ? ss_trajectory_row (motion, motion->n_rows - 1)[0] : (double)NAN;
  ssapp_job_set_start (job, past != NULL ? past : motion, ssapp_run_get_id (from));
  ssapp_job_set_start_events (job, json_object_get (ssapp_run_get_result (from), "events"));
  ssapp_job_set_start_every (job, MAX (ssapp_interests_every (ssapp_run_get_result (from)),
                                       past != NULL ? (motion->n_rows + most - 1) / most : 1));
  ssapp_job_set_continued (job, &continued);
  ss_trajectory_free (past);
  return job;
}

/* All that were paused have ended: what they left goes on with the document as it is. */
static void
go_on_changed (SsappSession *self)
{
  g_autoptr (GPtrArray) left = g_steal_pointer (&self->leaving);
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) jobs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < left->len && error == NULL; i++) {
    SsappRun *from = g_ptr_array_index (left, i);
    if (g_strcmp0 (ssapp_run_get_outcome (from), ss_outcome_name (SS_OUTCOME_PAUSED)) != 0)
      continue; /* it had ended by itself, or was stopped */
    SsappJob *job = new_leg (self, from, &error);
    SsappRun *run = job != NULL ? ssapp_session_new_run (self, method_of (self, from), &error) : NULL;
    if (job != NULL)
      g_ptr_array_add (jobs, job);
    if (run != NULL)
      g_ptr_array_add (runs, run);
  }
  if (error == NULL && runs->len > 0 && start_together (self, runs, jobs, NULL, &error) && runs->len > 1) {
    g_autofree char *title = race_title (self, runs);
    keep_comparison (self, runs, title, &error);
  }
  if (error != NULL)
    g_signal_emit_by_name (self, "go-on-failed", error->message);
}

/* Whether a paused simulation can go on with the document as it is; FALSE with an error, in words. */
static gboolean
can_simulate_on (SsappSession *self, SsappRun *run, GError **error)
{
  const SsMethod *method = method_of (self, run);
  const SsTrajectory *motion = ssapp_run_get_trajectory (run);
  const char *label = ssapp_run_get_label (run);
  SsError err;
  if (method == NULL || !ssapp_run_has_motion (run)) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                 method == NULL ? _ ("%s is not among the chosen methods any more: choose it again, or stop its run")
                                : _ ("%s has no motion to go on from yet"),
                 label);
    return FALSE;
  }
  g_autofree void *options = ssapp_session_new_options (self, method);
  const SsSimulateJob job = {.scenario = ssapp_document_get_scenario (self->document),
                             .integrator = method->integrator,
                             .options = options,
                             .t_end = NAN,
                             .past = motion,
                             .plan = ssapp_run_get_replay_of (run) != NULL ? motion : NULL};
  if (ss_run_check_past (&job, &err) == SS_OK)
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
               _ ("%s does not go on: %s. Undo that change, or stop it"), label, err.message);
  return FALSE;
}

gboolean
ssapp_session_go_on (SsappSession *self, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), FALSE);
  g_autoptr (GPtrArray) paused = g_ptr_array_new_with_free_func (g_object_unref);
  gboolean changes = FALSE;

  for (guint i = 0; i < self->runs->len; i++) {
    SsappRun *run = g_ptr_array_index (self->runs, i);
    if (!ssapp_run_is_running (run))
      continue;
    g_ptr_array_add (paused, g_object_ref (run));
    changes = changes || is_changed (self, run);
  }
  if (!changes) {
    ssapp_session_pause (self, FALSE);
    return TRUE;
  }
  for (guint i = 0; i < paused->len; i++) {
    SsappRun *run = g_ptr_array_index (paused, i);
    if (ssapp_run_get_kind (run) == SS_METHOD_INTEGRATOR && !can_simulate_on (self, run, error))
      return FALSE;
  }
  g_clear_pointer (&self->leaving, g_ptr_array_unref);
  self->leaving = g_ptr_array_ref (paused);
  for (guint i = 0; i < paused->len; i++)
    ssapp_job_keep (ssapp_run_get_job (g_ptr_array_index (paused, i)));
  return TRUE;
}
