/* app/cli/cli-fit.c: the verb `fit`: numbers of a scene from measured motions. */
#include "app/cli/cli-common.h"

#include "app/base/ssapp-file.h"
#include "app/base/ssapp-json.h"
#include "app/job/ssapp-fit.h"
#include "app/export/ssapp-fit-picture.h"
#include "app/session/ssapp-fit-runs.h"
#include "scene/ss-number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  const CliArgs *args;
  SsappFitAsk ask;
  GArray *steps; /* of SsappFitStep */
} Fit;

static void
clear (Fit *self)
{
  ssapp_fit_ask_clear (&self->ask);
  g_clear_pointer (&self->steps, g_array_unref);
}

/* ---- what is asked for ------------------------------------------------------------------------------------------- */

static gboolean
read_lists (Fit *self, GError **error)
{
  GPtrArray *paths = cli_args_list (self->args, "--motion");

  if (!cli_fit_ask_add_options (&self->ask, self->args, error))
    return FALSE;
  for (guint i = 0; i < paths->len; i++)
    if (!ssapp_fit_ask_add_motion (&self->ask, g_ptr_array_index (paths, i), error))
      return FALSE;
  return TRUE;
}

static gboolean
read_all (Fit *self)
{
  const CliArgs *args = self->args;
  const char *loss = cli_args_text (args, "--loss"), *profiles = cli_args_text (args, "--profile");
  SsScenario *scenario = cli_read_scenario (args, cli_args_positional (args, 0));
  g_autoptr (GError) error = NULL;

  if (scenario == NULL)
    return FALSE;
  ssapp_fit_ask_init (&self->ask, scenario);
  if (!ssapp_fit_ask_set_method (&self->ask, cli_args_text (args, "--method"), &error) || !read_lists (self, &error) ||
      !ssapp_fit_ask_map (&self->ask, cli_args_text (args, "--map"), &error) ||
      !ssapp_fit_ask_set_free (&self->ask, cli_args_text (args, "--free"), &error) ||
      (loss != NULL && !ssapp_fit_ask_set_loss (&self->ask, loss, &error))) {
    cli_fail ("%s", error->message);
    return FALSE;
  }
  ssapp_fit_ask_set_profiles (&self->ask, profiles != NULL ? profiles : "");
  self->steps = g_array_new (FALSE, FALSE, sizeof (SsappFitStep));
  self->ask.job.n_starts = (int)CLAMP (cli_args_number (args, "--starts", 0), 0, G_MAXINT);
  self->ask.job.dt = cli_args_number (args, "--dt", NAN);
  return TRUE;
}

/* ---- another model ----------------------------------------------------------------------------------------------- */

/* NAME=VALUE of an option of the method, or of a number of the scenario, which is not free then. */
static gboolean
take_change (Fit *self, GArray *numbers, const char *part)
{
  g_auto (GStrv) pair = g_strsplit (part, "=", 2);
  g_autoptr (GError) error = NULL;
  SsNumber number;
  SsOverride one = {0};

  if (g_strv_length (pair) != 2) {
    cli_fail ("--also %s: expected NAME=VALUE of an option of %s or of a number of the scenario", part,
              self->ask.job.method->name);
    return FALSE;
  }
  if (ss_scenario_number (self->ask.scenario, pair[0], &number, NULL) != SS_OK) {
    if (!ssapp_fit_ask_set_option (&self->ask, pair[0], pair[1], &error))
      cli_fail ("%s", error->message);
    return error == NULL;
  }
  if (!ss_parse_double (pair[1], &one.value)) {
    cli_fail ("--also %s: '%s' is no number", part, pair[1]);
    return FALSE;
  }
  one.name = g_strdup (pair[0]);
  g_array_append_val (numbers, one);
  ssapp_fit_ask_hold (&self->ask, one.name);
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
  if (ss_scenario_with_numbers (self->ask.scenario, (const SsOverride *)(const void *)numbers->data, (int)numbers->len,
                                &text, &error) != SS_OK) {
    cli_fail ("--also %s: %s", what, error.message);
    return FALSE;
  }
  ss_problems_init (&problems);
  if (ss_scenario_read (text, strlen (text), self->ask.scenario->file, NULL, 0, &problems, &changed) != SS_OK)
    cli_print_problems (stderr, &problems);
  ss_problems_clear (&problems);
  ss_free (text);
  if (changed == NULL)
    return FALSE;
  ssapp_fit_ask_set_scenario (&self->ask, changed);
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
    ok = ssapp_fit_store_trial (store, &self->ask.job, result, i, self->ask.job.names[i], self->ask.option_names,
                                self->ask.option_values, &imported, &made, &error);
    if (!ok) {
      cli_fail ("%s", error->message);
      break;
    }
    json_array_append_new (measured, json_string (imported));
    json_array_append_new (fitted, json_string (made));
    if (!cli_args_flag (self->args, "--json") && !cli_args_flag (self->args, "--quiet"))
      printf ("%s: measured %s, fitted %s\n", self->ask.job.names[i], imported, made);
  }
  json_object_set_new (json, "runs", json_pack ("{s:o, s:o}", "measured", measured, "fitted", fitted));
  return ok;
}

static void
print_tables (const Fit *self, const SsFitResult *result)
{
  g_autofree char *title =
      g_strdup_printf ("%s by %s, %d trials: %s fit", self->ask.scenario->name, self->ask.job.method->name,
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
    SsappFitDone done = {0};
    g_autoptr (GError) error = NULL;
    if (!read_all (&other) || !change_model (&other, what))
      status = CLI_BAD_INPUT;
    else if (!ssapp_fit_ask_run (&other.ask, control_of (self->args), other.steps, &done, &error))
      status = cli_fail ("--also %s: %s", what, error->message);
    if (status == CLI_OK) {
      const double difference = ss_fit_compare (base, &done.result, self->ask.job.loss);
      json_t *one = ssapp_fit_to_json (&done.result, self->ask.job.loss);
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
    ssapp_fit_done_clear (&done);
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

/* The plot that --plot names; NULL: there is none of that name, which was said. */
static const SsappPlotKind *
plot_of (const CliArgs *args)
{
  const char *name = cli_args_text (args, "--plot");
  g_autoptr (GError) error = NULL;
  const SsappPlotKind *plot = ssapp_fit_plot_find (name != NULL ? name : "fitted", &error);

  if (plot == NULL)
    cli_fail ("%s", error->message);
  return plot;
}

/* "mu,e", two estimates by their names. */
static gboolean
read_pair (const SsFitResult *result, const char *text, int pair[2])
{
  g_auto (GStrv) names = g_strsplit (text, ",", -1);

  for (int i = 0; i < 2 && g_strv_length (names) == 2; i++)
    for (int k = 0; k < result->n_estimates; k++) {
      g_autofree char *name = ssapp_fit_name (result, k);
      if (strcmp (name, g_strstrip (names[i])) == 0)
        pair[i] = k;
    }
  if (pair[0] < 0 || pair[1] < 0)
    cli_fail ("--pair %s: expected two estimates with a comma between them", text);
  return pair[0] >= 0 && pair[1] >= 0;
}

static int
write_figure (const Fit *self, const SsappFitDone *done)
{
  const char *path = cli_args_text (self->args, "--figure"), *pair = cli_args_text (self->args, "--pair");
  const int trial = (int)cli_args_number (self->args, "--trial", 0);
  g_autoptr (GError) error = NULL;

  if (path == NULL)
    return CLI_OK;
  SsappFitPicture picture = ssapp_fit_done_picture (done, &self->ask, self->steps);
  picture.trial = trial - 1;
  if (trial > done->result.n_trials)
    return cli_fail ("--trial %d: there are %d", trial, done->result.n_trials);
  if (pair != NULL && !read_pair (&done->result, pair, picture.pair))
    return CLI_BAD_INPUT;
  return ssapp_fit_picture_export (&picture, plot_of (self->args),
                                   cli_args_number (self->args, "--width", CLI_WIDTH_MM), path, &error)
             ? CLI_OK
             : cli_fail ("%s", error->message);
}

static json_t *
columns_to_json (GArray *columns)
{
  json_t *list = json_object ();

  for (guint i = 0; i < columns->len; i++) {
    const SsappFitColumn *c = &g_array_index (columns, SsappFitColumn, i);
    json_object_set_new (list, c->column,
                         c->channel != NULL ? json_pack ("{s:s, s:s, s:b}", "channel", c->channel, "unit", c->unit,
                                                         "guessed", c->is_guessed)
                                            : json_null ());
  }
  return list;
}

/* What was guessed, so that somebody looks at it. */
static void
print_guesses (GArray *columns)
{
  for (guint i = 0; i < columns->len; i++) {
    const SsappFitColumn *c = &g_array_index (columns, SsappFitColumn, i);
    if (c->is_guessed)
      printf ("Column %s is %s [%s]\n", c->column, c->channel, c->unit);
  }
}

/* With everything read. */
static int
run (Fit *self, SsappStore *store)
{
  const CliArgs *args = self->args;
  g_autoptr (GError) error = NULL;
  SsappFitDone done;
  int status = CLI_OK;

  if (!cli_args_flag (args, "--json") && !cli_args_flag (args, "--quiet"))
    print_guesses (self->ask.columns);
  if (!ssapp_fit_ask_run (&self->ask, control_of (args), self->steps, &done, &error)) {
    cli_fail ("%s", error->message);
    return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_FAILED) ? CLI_BROKEN : CLI_BAD_INPUT;
  }
  json_t *json = ssapp_fit_to_json (&done.result, self->ask.job.loss);
  json_object_set_new (json, "scenario", json_string (self->ask.scenario->name));
  json_object_set_new (json, "method", json_string (self->ask.job.method->name));
  json_object_set_new (json, "columns", columns_to_json (self->ask.columns));
  if (!cli_args_flag (args, "--json"))
    print_tables (self, &done.result);
  if (!ss_outcome_is_early (done.result.outcome))
    status = fit_others (self, &done.result, json);
  if (status == CLI_OK)
    status = write_values (args, &done.result);
  if (status == CLI_OK)
    status = write_scenario (args, &done.result);
  if (status == CLI_OK)
    status = write_figure (self, &done);
  if (status == CLI_OK && store != NULL && !store_trials (self, &done.result, store, json))
    status = CLI_BROKEN;
  if (cli_args_flag (args, "--json") && status != CLI_BAD_INPUT)
    cli_print_json (json);
  json_decref (json);
  if (status == CLI_OK)
    status = status_of (&done.result);
  ssapp_fit_done_clear (&done);
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
  const SsappPlotKind *plot = plot_of (args);
  if (plot == NULL)
    return CLI_BAD_INPUT;
  if (cli_args_text (args, "--figure") != NULL)
    status = cli_check_ending (plot->file.name, cli_args_text (args, "--figure"));
  for (guint i = 0; i < G_N_ELEMENTS (outputs) && status == CLI_OK; i++)
    status = cli_check_output (args, outputs[i]);
  if (status != CLI_OK)
    return status;
  const gboolean is_read = read_all (&self);
  SsappStore *store = is_read ? cli_open_project (args, TRUE, &status) : NULL;
  if (!is_read || status != CLI_OK)
    status = status != CLI_OK ? status : CLI_BAD_INPUT;
  else
    status = run (&self, store);
  const int closed = cli_close_project (&store);
  clear (&self);
  return status != CLI_OK ? status : closed;
}
