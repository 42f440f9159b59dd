/* app/sandbox/ssapp-sandbox-run.c: what a sandbox has done as a run of a project; see ssapp-sandbox.h. */
#include "app/sandbox/ssapp-sandbox-private.h"

#include "app/base/ssapp-json.h"
#include "app/job/ssapp-result.h"

/* ---- as a run ---------------------------------------------------------------------------------------------------- */

/* What leads to a kept row, whose index among those that are kept is `index`. */
static gboolean
append_inside (SsappSandbox *self, const SsappPackedRow *packed, int index, double *stage, SsSimResult *all)
{
  gboolean ok = TRUE;

  for (guint k = 0; ok && packed->stages != NULL && k < packed->stages->len; k++) {
    ssapp_packed_row_unpack (g_ptr_array_index (packed->stages, k), stage, self->stage_layout->n_channels);
    stage[self->stage_row] = index;
    ok = ss_trajectory_append (all->stages, stage, NULL) == SS_OK;
  }
  for (guint k = 0; packed->events != NULL && k < packed->events->len; k++)
    ss_events_add (all->events, &g_array_index (packed->events, SsEvent, k));
  return ok;
}

/* Rows, stages and events up to the shown row, and the number of whole steps in them. What led to the first row is not
 * known any more where older ones were dropped. FALSE: no memory. */
static gboolean
dup_motion (SsappSandbox *self, SsSimResult *all)
{
  const SsIntegratorClass *integrator = self->method->integrator;
  const int n_stage = self->stage_layout != NULL ? self->stage_layout->n_channels : 0;
  g_autofree double *row = g_new (double, self->n_channels), *stage = g_new (double, n_stage + 1);
  gboolean ok = TRUE;

  *all = (SsSimResult){0};
  g_mutex_lock (&self->mutex);
  const int n_rows = (int)(self->shown + 1 - self->dropped);
  ok = ss_trajectory_new (self->layout->channels, self->n_channels, n_rows, &all->trajectory, NULL) == SS_OK;
  if (ok && n_stage > 0)
    ok = ss_trajectory_new (self->stage_layout->channels, n_stage, n_rows, &all->stages, NULL) == SS_OK;
  if (ok && integrator->gives_events)
    ok = ss_events_new (&all->events, NULL) == SS_OK;
  for (int i = 0; ok && i < n_rows; i++) {
    const SsappPackedRow *packed = ssapp_sandbox_row_at (self, self->dropped + (guint)i);

    ssapp_packed_row_unpack (packed, row, self->n_channels);
    all->metrics.steps += i > 0 && packed->ends_step;
    ok = ss_trajectory_append (all->trajectory, row, NULL) == SS_OK &&
         (i == 0 || append_inside (self, packed, i, stage, all));
  }
  g_mutex_unlock (&self->mutex);
  if (!ok)
    ss_sim_result_clear (all);
  return ok;
}

SsTrajectory *
ssapp_sandbox_dup_trajectory (SsappSandbox *self)
{
  g_return_val_if_fail (SSAPP_IS_SANDBOX (self), NULL);
  SsSimResult all;

  if (!dup_motion (self, &all))
    return NULL;
  SsTrajectory *trajectory = g_steal_pointer (&all.trajectory);
  ss_sim_result_clear (&all);
  return trajectory;
}

/* What the run was made from. */
static SsappJobSpec *
make_spec (SsappSandbox *self, double t_end)
{
  SsappJobSpec *spec = ssapp_job_spec_new ();

  spec->kind = SS_METHOD_INTEGRATOR;
  spec->scenario_text = g_strdup (self->first_text);
  spec->scenario_file = g_strdup ("");
  spec->method = g_strdup (self->method->name);
  for (guint i = 0; i < self->option_names->len; i++) {
    g_ptr_array_add (spec->option_names, g_strdup (g_ptr_array_index (self->option_names, i)));
    g_ptr_array_add (spec->option_values, g_strdup (g_ptr_array_index (self->option_values, i)));
  }
  spec->dt = self->h;
  spec->t_end = t_end;
  return spec;
}

static void
on_warning (void *user_data, const SsProgress *progress)
{
  if (progress->kind == SS_PROGRESS_LOG && progress->level == SS_LOG_WARNING)
    json_array_append_new (user_data, json_string (progress->text));
}

/* What a run of the scene by this integrator warns of at its start, that is one to t = 0 s, of no steps, and what the
 * judge found in the motion. New list of texts. */
static json_t *
collect_warnings (SsappSandbox *self, const SsScene *scene, const SsMotionVerdict *verdict)
{
  json_t *list = json_array ();
  SsRunControl control;
  SsTrajectory *none = NULL;
  SsSimMetrics metrics;
  SsOutcome outcome;
  char message[256];

  ss_run_control_init (&control);
  control.progress = on_warning;
  control.user_data = list;
  /* Where that cannot be done there is nothing to warn of. */
  if (ss_simulate (scene, self->method->integrator, self->options, self->h, 0, &control, &none, &metrics, &outcome,
                   message, sizeof message, NULL) == SS_OK)
    ss_trajectory_free (none);
  ss_run_warn_of_passage (self->scenario->scene, verdict, &control);
  return list;
}

static gboolean
write_run (SsappStore *store, const SsappJobSpec *spec, const char *name, json_t *result, GPtrArray *log,
           const SsTrajectory *trajectory, GError **error)
{
  const json_t *warnings = json_object_get (result, "warnings");

  g_autofree char *options = ssapp_job_spec_options_json (spec), *parameters = ssapp_job_spec_parameters_json (spec);
  g_autofree char *text = ssapp_json_text (result, FALSE);
  g_autofree char *note = log->len == 0 ? g_strdup ("sandbox")
                                        : g_strdup_printf ("sandbox, %u %s by hand: see the log", log->len,
                                                           log->len == 1 ? "change" : "changes");

  if (!ssapp_store_record (store, spec->id, spec->scenario_text, name, (SsMethodId){spec->kind, spec->method}, options,
                           parameters, 0, error))
    return FALSE;
  for (size_t w = 0; w < json_array_size (warnings); w++)
    if (!ssapp_store_add_log (store, spec->id, 0, SS_LOG_WARNING, json_string_value (json_array_get (warnings, w)),
                              error))
      return FALSE;
  for (guint i = 0; i < log->len; i++)
    if (!ssapp_store_add_log (store, spec->id, 0, SS_LOG_INFO, g_ptr_array_index (log, i), error))
      return FALSE;
  return ssapp_store_finish (store, spec->id, text, trajectory, error) && ssapp_store_flush (store, error) &&
         ssapp_store_set_note (store, spec->id, note, error);
}

/* The record of what was seen so far, and in `log` what hands did to it. Takes what was seen. */
static gboolean
make_record (SsappSandbox *self, SsSimResult *all, GPtrArray *log, SsRunResult *result, GError **error)
{
  const double t = ss_trajectory_row (all->trajectory, all->trajectory->n_rows - 1)[0];
  const int n_steps = all->metrics.steps;
  const SsMotionLaw law = ss_integrator_contact_law (self->scenario->scene, self->method->integrator, self->options);
  SsError err;

  if (ss_run_result_from_motion (self->scenario->scene, &law, SS_OUTCOME_COMPLETED, all, result, &err) != SS_OK) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, "There is no memory for the run");
    return FALSE;
  }
  g_mutex_lock (&self->mutex);
  for (guint i = 0; i < self->hands->len; i++) {
    const SsappSandboxHand *hand = &g_array_index (self->hands, SsappSandboxHand, i);
    if (hand->t <= t)
      g_ptr_array_add (log, g_strdup_printf ("%.6g s: %s", hand->t, hand->text));
  }
  if (self->has_failed)
    result->outcome = SS_OUTCOME_FAILED;
  ss_metric_set (&result->metrics, SS_METRIC_SOLVE_SECONDS, self->step_seconds * (double)n_steps);
  snprintf (result->message, sizeof result->message, "sandbox: %.400s%s%d steps to t = %.9g s",
            self->has_failed ? self->message : "", self->has_failed ? "; " : "", n_steps, t);
  g_mutex_unlock (&self->mutex);
  return TRUE;
}

char *
ssapp_sandbox_keep (SsappSandbox *self, SsappStore *store, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SANDBOX (self), NULL);
  g_autoptr (GPtrArray) log = g_ptr_array_new_with_free_func (g_free);
  SsSimResult all;
  const gboolean has_memory = dup_motion (self, &all);
  g_autoptr (GHashTable) none = g_hash_table_new (g_str_hash, g_str_equal);
  SsScenario *first = ssapp_sandbox_read_scenario (self->first_text, none, error);
  SsRunResult result;
  char *id = NULL;

  if (first == NULL || !has_memory) {
    if (first != NULL)
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, "There is no memory for the run");
    ss_scenario_free (first);
    ss_sim_result_clear (&all);
    return NULL;
  }
  const double t = ss_trajectory_row (all.trajectory, all.trajectory->n_rows - 1)[0];
  if (!make_record (self, &all, log, &result, error)) {
    ss_scenario_free (first);
    return NULL;
  }
  SsappJobSpec *spec = make_spec (self, t);
  json_t *json = ssapp_result_new (spec, first, self->method, self->options, NULL, &result, 0);
  json_object_set_new (json, "warnings", collect_warnings (self, first->scene, &result.verdict));
  json_t *asked = json_object_get (json, "asked");
  json_object_set_new (asked, "verb", json_string ("sandbox"));
  json_object_set_new (asked, "by_hand", json_integer ((json_int_t)log->len));
  if (write_run (store, spec, first->name, json, log, ss_run_motion (&result), error))
    id = g_strdup (spec->id);
  json_decref (json);
  ssapp_job_spec_free (spec);
  ss_run_result_clear (&result);
  ss_scenario_free (first);
  return id;
}
