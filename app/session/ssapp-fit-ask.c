/* app/session/ssapp-fit-ask.c: see the header. */
#include "app/session/ssapp-fit-ask.h"

#include "app/base/ssapp-text.h"
#include "app/job/ssapp-fit.h"
#include "app/session/ssapp-import-motion.h"
#include "run/ss-run.h"

#include <math.h>
#include <string.h>

void
ssapp_fit_ask_init (SsappFitAsk *self, SsScenario *scenario)
{
  g_return_if_fail (self != NULL);
  *self = (SsappFitAsk){.scenario = scenario,
                        .paths = g_ptr_array_new_with_free_func (g_free),
                        .raw = g_ptr_array_new_with_free_func ((GDestroyNotify)ss_trajectory_free),
                        .tables = g_ptr_array_new_with_free_func ((GDestroyNotify)ss_trajectory_free),
                        .option_names = g_ptr_array_new_with_free_func (g_free),
                        .option_values = g_ptr_array_new_with_free_func (g_free),
                        .job = {.scenario = scenario, .dt = NAN, .loss = SS_FIT_TUKEY}};
}

void
ssapp_fit_ask_clear (SsappFitAsk *self)
{
  g_clear_pointer (&self->paths, g_ptr_array_unref);
  g_clear_pointer (&self->raw, g_ptr_array_unref);
  g_clear_pointer (&self->tables, g_ptr_array_unref);
  g_clear_pointer (&self->columns, g_array_unref);
  g_clear_pointer (&self->free, g_array_unref);
  g_clear_pointer (&self->option_names, g_ptr_array_unref);
  g_clear_pointer (&self->option_values, g_ptr_array_unref);
  g_strfreev (self->profiles);
  g_free (self->options);
  ss_scenario_free (self->scenario);
  *self = (SsappFitAsk){0};
}

void
ssapp_fit_ask_set_scenario (SsappFitAsk *self, SsScenario *scenario)
{
  g_return_if_fail (self != NULL);
  ss_scenario_free (self->scenario);
  self->job.scenario = self->scenario = scenario;
}

gboolean
ssapp_fit_ask_set_option (SsappFitAsk *self, const char *name, const char *value, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  SsError err;

  if (ss_options_set (self->job.method->options, self->options, name, value, &err) != SS_OK)
    return ssapp_fail_input (error, "--option %s: %s", name, err.message);
  g_ptr_array_add (self->option_names, g_strdup (name));
  g_ptr_array_add (self->option_values, g_strdup (value));
  return TRUE;
}

gboolean
ssapp_fit_ask_set_method (SsappFitAsk *self, const char *name, GError **error)
{
  const SsMethod *own = ss_method_named_by (SS_METHOD_INTEGRATOR, self->scenario);
  SsError err;

  self->job.method = name == NULL && own != NULL
                         ? own
                         : ss_method_find (SS_METHOD_INTEGRATOR, name != NULL ? name : "event-driven", &err);
  if (self->job.method == NULL || !self->job.method->is_built)
    return ssapp_fail_input (error, "%s", self->job.method == NULL ? err.message : self->job.method->why_not);
  self->options = g_malloc0 (self->job.method->options->size);
  ss_method_init_options (self->job.method, self->scenario, self->options);
  for (int i = 0; i < self->scenario->n_method_defaults; i++) {
    const SsMethodDefault *d = &self->scenario->method_defaults[i];
    if (ss_method_takes_default (self->job.method, self->scenario, d) &&
        !ssapp_fit_ask_set_option (self, d->name, d->value, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
ssapp_fit_ask_add_motion (SsappFitAsk *self, const char *path, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  SsTrajectory *table = ssapp_import_read_table (path, error);

  if (table == NULL)
    return FALSE;
  g_ptr_array_add (self->raw, table);
  g_ptr_array_add (self->paths, g_strdup (path));
  return TRUE;
}

gboolean
ssapp_fit_ask_take_motion (SsappFitAsk *self, const char *path, const SsTrajectory *table, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  SsTrajectory *copy = NULL;

  if (ss_trajectory_copy (table, &copy, NULL) != SS_OK)
    return ssapp_fail_input (error, "%s: out of memory", path);
  g_ptr_array_add (self->raw, copy);
  g_ptr_array_add (self->paths, g_strdup (path));
  return TRUE;
}

gboolean
ssapp_fit_ask_map (SsappFitAsk *self, const char *map, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_clear_pointer (&self->columns, g_array_unref);
  g_ptr_array_set_size (self->tables, 0);
  self->columns = ssapp_fit_columns_new (self->scenario, self->raw);
  if (map != NULL && !ssapp_fit_columns_map (self->columns, self->scenario, map, error))
    return FALSE;
  for (guint i = 0; i < self->raw->len; i++) {
    SsTrajectory *table = ssapp_fit_columns_apply (self->columns, g_ptr_array_index (self->raw, i), error);
    if (table == NULL) {
      g_prefix_error (error, "%s: ", (const char *)g_ptr_array_index (self->paths, i));
      return FALSE;
    }
    g_ptr_array_add (self->tables, table);
  }
  self->job.n_trials = (int)self->tables->len;
  self->job.trials = (const SsTrajectory *const *)(const void *)self->tables->pdata;
  self->job.names = (const char *const *)(const void *)self->paths->pdata;
  return TRUE;
}

static void
take_free (SsappFitAsk *self)
{
  self->job.n_free = (int)self->free->len;
  self->job.free = (const SsFitFree *)(const void *)self->free->data;
}

gboolean
ssapp_fit_ask_set_free (SsappFitAsk *self, const char *text, GError **error)
{
  g_clear_pointer (&self->free, g_array_unref);
  self->free = ssapp_fit_read_free (text, error);
  if (self->free == NULL)
    return FALSE;
  take_free (self);
  return TRUE;
}

void
ssapp_fit_ask_hold (SsappFitAsk *self, const char *name)
{
  g_return_if_fail (self != NULL);
  for (guint i = self->free->len; i-- > 0;)
    if (strcmp (g_array_index (self->free, SsFitFree, i).name, name) == 0)
      g_array_remove_index (self->free, i);
  take_free (self);
}

gboolean
ssapp_fit_ask_set_loss (SsappFitAsk *self, const char *name, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  const SsFitLoss loss = ss_fit_loss_find (name);

  if (loss == SS_FIT_LOSS_COUNT)
    return ssapp_fail_input (error, "there is no loss '%s' (expected tukey, huber or squares)", name);
  self->job.loss = loss;
  return TRUE;
}

void
ssapp_fit_ask_set_profiles (SsappFitAsk *self, const char *names)
{
  g_return_if_fail (self != NULL);
  g_strfreev (self->profiles);
  self->profiles = g_strsplit (names, ",", -1);
  self->job.n_profiles = (int)g_strv_length (self->profiles);
  self->job.profiles = (const char *const *)self->profiles;
}

/* ---- the fit ----------------------------------------------------------------------------------------------------- */

typedef struct {
  GArray *steps;
  SsFitTold told;
  void *data;
} Told;

static void
on_step (void *user_data, const SsFitStep *step)
{
  const Told *told = user_data;
  const SsappFitStep one = {step->start, step->step, step->loss, step->spread};

  g_array_append_val (told->steps, one);
  if (told->told != NULL)
    told->told (told->data, step);
}

static void
make_motions (const SsappFitAsk *self, SsappFitDone *done)
{
  gboolean ok = TRUE;

  done->motions = g_new0 (SsappFitMotion, done->result.n_trials + 1);
  for (int i = 0; i < done->result.n_trials && ok; i++)
    ok = ssapp_fit_motion_make (&self->job, &done->result, i, &done->motions[i], NULL);
  for (int i = 0; i < done->result.n_trials && !ok; i++)
    ssapp_fit_motion_clear (&done->motions[i]);
  if (!ok)
    g_clear_pointer (&done->motions, g_free);
}

gboolean
ssapp_fit_ask_run (SsappFitAsk *self, SsRunControl *control, GArray *steps, SsappFitDone *done, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  Told told = {steps, self->job.told, self->job.told_data};
  SsFitJob job = self->job;
  SsError err;

  *done = (SsappFitDone){0};
  job.told = on_step;
  job.told_data = &told;
  const SsStatus status = ss_fit (&job, control, &done->result, &err);
  if (status != SS_OK) {
    g_set_error_literal (error, G_IO_ERROR, status == SS_ERR_MEMORY ? G_IO_ERROR_FAILED : G_IO_ERROR_INVALID_DATA,
                         err.message);
    return FALSE;
  }
  done->channels = g_ptr_array_new ();
  for (int i = 0; i < done->result.n_residuals; i++)
    g_ptr_array_add (done->channels, done->result.residuals[i].name);
  make_motions (self, done);
  return TRUE;
}

void
ssapp_fit_done_clear (SsappFitDone *done)
{
  for (int i = 0; done->motions != NULL && i < done->result.n_trials; i++)
    ssapp_fit_motion_clear (&done->motions[i]);
  g_free (done->motions);
  g_clear_pointer (&done->channels, g_ptr_array_unref);
  ss_fit_result_clear (&done->result);
  *done = (SsappFitDone){0};
}

SsappFitPicture
ssapp_fit_done_picture (const SsappFitDone *done, const SsappFitAsk *ask, GArray *steps)
{
  g_return_val_if_fail (done != NULL && ask != NULL, ((SsappFitPicture){0}));
  return (SsappFitPicture){.scenario = ask->scenario,
                           .n_trials = done->result.n_trials,
                           .n_values = done->result.n_values,
                           .n_channels = done->result.n_residuals,
                           .values = done->result.values,
                           .channels = (const char *const *)(const void *)done->channels->pdata,
                           .result = &done->result,
                           .motions = done->motions,
                           .steps = steps,
                           .trial = -1,
                           .pair = {-1, -1}};
}
