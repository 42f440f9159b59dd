/* app/cli/cli-fit.c: the verb `fit`: numbers of a scene from measured motions. */
#include "app/cli/cli-common.h"

#include "app/base/ssapp-file.h"
#include "app/base/ssapp-json.h"
#include "app/job/ssapp-fit.h"
#include "app/session/ssapp-fit-runs.h"
#include "app/session/ssapp-import-motion.h"
#include "scene/ss-number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  const CliArgs *args;
  SsScenario *scenario; /* owned, as the others */
  GPtrArray *tables;    /* of SsTrajectory * */
  GArray *free;         /* of SsFitFree */
  GPtrArray *option_names, *option_values;
  void *options; /* the method's */
  char **profiles;
  SsFitJob job;
} Fit;

static void
clear (Fit *self)
{
  g_clear_pointer (&self->tables, g_ptr_array_unref);
  g_clear_pointer (&self->free, g_array_unref);
  g_clear_pointer (&self->option_names, g_ptr_array_unref);
  g_clear_pointer (&self->option_values, g_ptr_array_unref);
  g_strfreev (self->profiles);
  g_free (self->options);
  ss_scenario_free (self->scenario);
}

/* ---- what is asked for ------------------------------------------------------------------------------------------- */

static gboolean
set_option (Fit *self, const char *name, const char *value)
{
  SsError error;

  if (ss_options_set (self->job.method->options, self->options, name, value, &error) != SS_OK) {
    cli_fail ("--option %s: %s", name, error.message);
    return FALSE;
  }
  g_ptr_array_add (self->option_names, g_strdup (name));
  g_ptr_array_add (self->option_values, g_strdup (value));
  return TRUE;
}

/* Exact events unless another method is named: their derivatives are. */
static gboolean
read_method (Fit *self)
{
  const char *name = cli_args_text (self->args, "--method");
  GPtrArray *pairs = cli_args_list (self->args, "--option");
  SsError error;

  const SsMethod *own = ss_method_named_by (SS_METHOD_INTEGRATOR, self->scenario);
  self->job.method = name == NULL && own != NULL
                         ? own
                         : ss_method_find (SS_METHOD_INTEGRATOR, name != NULL ? name : "event-driven", &error);
  if (self->job.method == NULL || !self->job.method->is_built) {
    cli_fail ("%s", self->job.method == NULL ? error.message : self->job.method->why_not);
    return FALSE;
  }
  self->options = g_malloc0 (self->job.method->options->size);
  ss_method_init_options (self->job.method, self->scenario, self->options);
  for (int i = 0; i < self->scenario->n_method_defaults; i++) {
    const SsMethodDefault *d = &self->scenario->method_defaults[i];
    if (ss_method_takes_default (self->job.method, self->scenario, d) && !set_option (self, d->name, d->value))
      return FALSE;
  }
  for (guint i = 0; i < pairs->len; i++) {
    g_autofree char *option = NULL;
    const char *value;
    cli_args_split (g_ptr_array_index (pairs, i), &option, &value);
    if (!set_option (self, option, value))
      return FALSE;
  }
  return TRUE;
}

static gboolean
read_tables (Fit *self)
{
  GPtrArray *paths = cli_args_list (self->args, "--motion");

  for (guint i = 0; i < paths->len; i++) {
    g_autoptr (GError) error = NULL;
    SsTrajectory *table = ssapp_import_read_table (g_ptr_array_index (paths, i), &error);
    if (table == NULL) {
      cli_fail ("%s", error->message);
      return FALSE;
    }
    g_ptr_array_add (self->tables, table);
  }
  self->job.n_trials = (int)paths->len;
  self->job.trials = (const SsTrajectory *const *)(const void *)self->tables->pdata;
  self->job.names = (const char *const *)(const void *)paths->pdata;
  return TRUE;
}

static gboolean
read_ask (Fit *self)
{
  const char *free = cli_args_text (self->args, "--free"), *loss = cli_args_text (self->args, "--loss");
  const char *profiles = cli_args_text (self->args, "--profile");
  g_autoptr (GError) error = NULL;

  self->free = ssapp_fit_read_free (free, &error);
  if (self->free == NULL) {
    cli_fail ("--free: %s", error->message);
    return FALSE;
  }
  self->job.n_free = (int)self->free->len;
  self->job.free = (const SsFitFree *)(const void *)self->free->data;
  self->job.loss = loss != NULL ? ss_fit_loss_find (loss) : SS_FIT_TUKEY;
  if (self->job.loss == SS_FIT_LOSS_COUNT) {
    cli_fail ("there is no loss '%s' (expected tukey, huber or squares)", loss);
    return FALSE;
  }
  self->profiles = g_strsplit (profiles != NULL ? profiles : "", ",", -1);
  self->job.n_profiles = (int)g_strv_length (self->profiles);
  self->job.profiles = (const char *const *)self->profiles;
  self->job.n_starts = (int)CLAMP (cli_args_number (self->args, "--starts", 0), 0, G_MAXINT);
  self->job.dt = cli_args_number (self->args, "--dt", NAN);
  return TRUE;
}

static gboolean
read_all (Fit *self)
{
  self->tables = g_ptr_array_new_with_free_func ((GDestroyNotify)ss_trajectory_free);
  self->option_names = g_ptr_array_new_with_free_func (g_free);
  self->option_values = g_ptr_array_new_with_free_func (g_free);
  self->scenario = cli_read_scenario (self->args, cli_args_positional (self->args, 0));
  self->job.scenario = self->scenario;
  return self->scenario != NULL && read_method (self) && read_tables (self) && read_ask (self);
}

/* ---- another model ----------------------------------------------------------------------------------------------- */

/* NAME=VALUE of an option of the method, or of a number of the scenario, which is not free then. */
static gboolean
take_change (Fit *self, GArray *numbers, const char *part)
{
  g_auto (GStrv) pair = g_strsplit (part, "=", 2);
  SsError error;
  SsNumber number;
  SsOverride one = {0};

  if (g_strv_length (pair) != 2) {
    cli_fail ("--also %s: expected NAME=VALUE of an option of %s or of a number of the scenario", part,
              self->job.method->name);
    return FALSE;
  }
  if (ss_scenario_number (self->scenario, pair[0], &number, &error) != SS_OK)
    return set_option (self, pair[0], pair[1]);
  if (!ss_parse_double (pair[1], &one.value)) {
    cli_fail ("--also %s: '%s' is no number", part, pair[1]);
    return FALSE;
  }
  one.name = g_strdup (pair[0]);
  g_array_append_val (numbers, one);
  for (guint i = self->free->len; i-- > 0;)
    if (strcmp (g_array_index (self->free, SsFitFree, i).name, one.name) == 0)
      g_array_remove_index (self->free, i);
  return TRUE;
}

static void
clear_override (gpointer data)
{
  g_free ((char *)((SsOverride *)data)->name);
}

/* Makes the fit that of the other model. */
static gboolean
change_model (Fit *self, const char *what)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, TRUE, sizeof (SsOverride));
  g_auto (GStrv) parts = g_strsplit (what, ",", -1);
  char *text = NULL;
  SsScenario *changed = NULL;
  SsProblems problems;
  SsError error;

  g_array_set_clear_func (numbers, clear_override);
  for (int i = 0; parts[i] != NULL; i++)
    if (!take_change (self, numbers, g_strstrip (parts[i])))
      return FALSE;
  self->job.n_free = (int)self->free->len;
  self->job.free = (const SsFitFree *)(const void *)self->free->data;
  if (ss_scenario_with_numbers (self->scenario, (const SsOverride *)(const void *)numbers->data, (int)numbers->len,
                                &text, &error) != SS_OK) {
    cli_fail ("--also %s: %s", what, error.message);
    return FALSE;
  }
  ss_problems_init (&problems);
  if (ss_scenario_read (text, strlen (text), self->scenario->file, NULL, 0, &problems, &changed) != SS_OK)
    cli_print_problems (stderr, &problems);
  ss_problems_clear (&problems);
  ss_free (text);
  if (changed == NULL)
    return FALSE;
  ss_scenario_free (self->scenario);
  self->job.scenario = self->scenario = changed;
  return TRUE;
}

/* ---- telling ----------------------------------------------------------------------------------------------------- */

static int
write_values (const CliArgs *args, const SsFitResult *result)
{
  const char *path = cli_args_text (args, "--values");
  g_autoptr (GError) error = NULL;

  if (path == NULL)
    return CLI_OK;
  g_autoptr (SsappTable) table = ssapp_fit_values_to_table (result);
  g_autofree char *text = ssapp_table_write (table, SSAPP_TABLE_CSV);
  return ssapp_write_file (path, text, -1, &error) ? CLI_OK : cli_fail ("%s", error->message);
}

static int
write_scenario (const CliArgs *args, const SsFitResult *result)
{
  const char *path = cli_args_text (args, "--fitted");
  g_autoptr (GError) error = NULL;

  if (path == NULL)
    return CLI_OK;
  return ssapp_write_file (path, result->scenarios[0], -1, &error) ? CLI_OK : cli_fail ("%s", error->message);
}

static gboolean
store_trials (Fit *self, const SsFitResult *result, SsappStore *store, json_t *json)
{
  json_t *measured = json_array (), *fitted = json_array ();
  gboolean ok = TRUE;

  for (int i = 0; i < result->n_trials && ok; i++) {
    g_autofree char *imported = NULL, *made = NULL;
    g_autoptr (GError) error = NULL;
    ok = ssapp_fit_store_trial (store, &self->job, result, i, self->job.names[i], self->option_names,
                                self->option_values, &imported, &made, &error);
    if (!ok) {
      cli_fail ("%s", error->message);
      break;
    }
    json_array_append_new (measured, json_string (imported));
    json_array_append_new (fitted, json_string (made));
    if (!cli_args_flag (self->args, "--json") && !cli_args_flag (self->args, "--quiet"))
      printf ("%s: measured %s, fitted %s\n", self->job.names[i], imported, made);
  }
  json_object_set_new (json, "runs", json_pack ("{s:o, s:o}", "measured", measured, "fitted", fitted));
  return ok;
}

static void
print_tables (const Fit *self, const SsFitResult *result)
{
  g_autofree char *title = g_strdup_printf ("%s by %s, %d trials: %s fit", self->scenario->name, self->job.method->name,
                                            result->n_trials, ss_fit_verdict_name (result->verdict));
  g_autoptr (SsappTable) estimates = ssapp_fit_to_table (result, title),
                         residuals = ssapp_fit_residuals_to_table (result);
  g_autofree char *first = ssapp_table_write (estimates, SSAPP_TABLE_TEXT),
                  *second = ssapp_table_write (residuals, SSAPP_TABLE_TEXT);

  printf ("%s\n\n%s\n%s", title, first, second);
}

static void
on_progress (void *user_data, const SsProgress *progress)
{
  (void)user_data;
  if (progress->kind == SS_PROGRESS_ITERATION)
    fprintf (stderr, "step %d: loss %.6g\n", progress->iteration, ss_progress_column (progress, "loss"));
}

static SsRunControl *
control_of (const CliArgs *args)
{
  SsRunControl *control = cli_control ();
  const double seconds = cli_args_number (args, "--time-limit", NAN), cpu = cli_args_number (args, "--cpu-limit", NAN);

  cli_watch_signals ();
  if (!isnan (seconds))
    control->deadline = ss_clock_wall () + seconds;
  if (!isnan (cpu))
    ss_run_control_limit_cpu (control, cpu);
  if (cli_args_flag (args, "--verbose"))
    control->progress = on_progress;
  return control;
}

/* The other models on the same data. */
static int
fit_others (Fit *self, const SsFitResult *base, json_t *json)
{
  GPtrArray *others = cli_args_list (self->args, "--also");
  json_t *list = json_array ();
  int status = CLI_OK;

  for (guint i = 0; i < others->len && status == CLI_OK; i++) {
    const char *what = g_ptr_array_index (others, i);
    Fit other = {.args = self->args};
    SsFitResult result = {0};
    SsError error;
    if (!read_all (&other) || !change_model (&other, what))
      status = CLI_BAD_INPUT;
    else if (ss_fit (&other.job, control_of (self->args), &result, &error) != SS_OK)
      status = cli_fail ("--also %s: %s", what, error.message);
    if (status == CLI_OK) {
      const double difference = ss_fit_compare (base, &result, self->job.loss);
      json_t *one = ssapp_fit_to_json (&result, self->job.loss);
      json_object_set_new (one, "also", json_string (what));
      json_object_set_new (one, "bic_difference", ssapp_json_real (difference));
      json_array_append_new (list, one);
      if (!cli_args_flag (self->args, "--json"))
        printf ("With %s: BIC %+.1f (%s)\n", what, difference,
                fabs (difference) < 2 ? "the data do not choose"
                : difference < 0      ? (difference < -10 ? "the data are strongly for it" : "the data are for it")
                : difference > 10     ? "the data are strongly against it"
                                      : "the data are against it");
    }
    ss_fit_result_clear (&result);
    clear (&other);
  }
  json_object_set_new (json, "alternatives", list);
  return status;
}

static int
status_of (const SsFitResult *result)
{
  if (ss_outcome_is_early (result->outcome))
    return CLI_STOPPED;
  return result->verdict == SS_FIT_POOR || result->outcome != SS_OUTCOME_SOLVED ? CLI_NO_SUCCESS : CLI_OK;
}

/* With everything read. */
static int
run (Fit *self, SsappStore *store)
{
  const CliArgs *args = self->args;
  SsFitResult result;
  SsError error;
  int status = CLI_OK;

  if (ss_fit (&self->job, control_of (args), &result, &error) != SS_OK)
    return error.status == SS_ERR_MEMORY ? (cli_fail ("%s", error.message), CLI_BROKEN)
                                         : cli_fail ("%s", error.message);
  json_t *json = ssapp_fit_to_json (&result, self->job.loss);
  json_object_set_new (json, "scenario", json_string (self->scenario->name));
  json_object_set_new (json, "method", json_string (self->job.method->name));
  if (!cli_args_flag (args, "--json"))
    print_tables (self, &result);
  if (!ss_outcome_is_early (result.outcome))
    status = fit_others (self, &result, json);
  if (status == CLI_OK)
    status = write_values (args, &result);
  if (status == CLI_OK)
    status = write_scenario (args, &result);
  if (status == CLI_OK && store != NULL && !store_trials (self, &result, store, json))
    status = CLI_BROKEN;
  if (cli_args_flag (args, "--json") && status != CLI_BAD_INPUT)
    cli_print_json (json);
  json_decref (json);
  if (status == CLI_OK)
    status = status_of (&result);
  ss_fit_result_clear (&result);
  return status;
}

int
cli_fit (const CliArgs *args)
{
  static const char *const outputs[] = {"--values", "--fitted"};
  Fit self = {.args = args};
  int status = CLI_OK;

  if (cli_args_list (args, "--motion")->len == 0)
    return cli_fail ("'fit' needs --motion FILE.csv, the measured motion");
  if (cli_args_text (args, "--free") == NULL)
    return cli_fail ("'fit' needs --free NAME,..., what is unknown");
  for (guint i = 0; i < G_N_ELEMENTS (outputs) && status == CLI_OK; i++)
    status = cli_check_output (args, outputs[i]);
  if (status != CLI_OK)
    return status;
  SsappStore *store = read_all (&self) ? cli_open_project (args, TRUE, &status) : NULL;
  if (store == NULL && (self.free == NULL || status != CLI_OK))
    status = status != CLI_OK ? status : CLI_BAD_INPUT;
  else
    status = run (&self, store);
  const int closed = cli_close_project (&store);
  clear (&self);
  return status != CLI_OK ? status : closed;
}
