/* app/cli/cli-spec.c: the job that a verb's options ask for. */
#include "app/cli/cli-common.h"

#include "app/base/ssapp-memory.h"

#include <math.h>
#include <string.h>

void
cli_spec_set_parameter (SsappJobSpec *spec, const char *name, double value)
{
  for (guint i = 0; i < spec->parameter_names->len; i++)
    if (strcmp (g_ptr_array_index (spec->parameter_names, i), name) == 0) {
      g_array_index (spec->parameter_values, double, i) = value;
      return;
    }
  g_ptr_array_add (spec->parameter_names, g_strdup (name));
  g_array_append_val (spec->parameter_values, value);
}

/* Whether what was asked for leaves the choice of an optimiser open: no option of another one than `auto`, and no
 * motion to go on from. */
static gboolean
leaves_choice (const CliArgs *args)
{
  const SsOptionTable *own = ss_method_find (SS_METHOD_OPTIMISER, "auto", NULL)->options;
  GPtrArray *options = cli_args_list (args, "--option");
  gboolean is_so = cli_args_text (args, "--from") == NULL;

  for (guint i = 0; is_so && i < options->len; i++) {
    char *name;
    const char *value;
    cli_args_split (g_ptr_array_index (options, i), &name, &value);
    is_so = ss_options_find (own, name) >= 0 || strcmp (name, "coordinates") == 0;
    g_free (name);
  }
  return is_so;
}

/* The method where none is named: the scenario's own, else that of its kind, `auto` where the options leave it the
 * choice. Static text. A scenario that cannot be read is told of later. */
static const char *
default_method (const CliArgs *args, const SsappJobSpec *spec, SsMethodKind kind)
{
  const char *name = ss_method_default (kind)->name;
  SsScenario *scenario = NULL;
  SsProblems problems;

  if (spec->scenario_text == NULL)
    return name;
  ss_problems_init (&problems);
  if (ss_scenario_read (spec->scenario_text, strlen (spec->scenario_text), "", NULL, 0, &problems, &scenario) ==
          SS_OK &&
      (ss_method_named_by (kind, scenario) != NULL || leaves_choice (args)))
    name = ss_method_of_scenario (kind, scenario)->name;
  ss_problems_clear (&problems);
  ss_scenario_free (scenario);
  return name;
}

void
cli_spec_add_options (SsappJobSpec *spec, const CliArgs *args)
{
  const GPtrArray *options = cli_args_list (args, "--option");

  for (guint i = 0; i < options->len; i++) {
    char *name;
    const char *value;
    cli_args_split (g_ptr_array_index (options, i), &name, &value);
    g_ptr_array_add (spec->option_names, name);
    g_ptr_array_add (spec->option_values, g_strdup (value));
  }
}

gboolean
cli_fit_ask_add_options (SsappFitAsk *ask, const CliArgs *args, GError **error)
{
  const GPtrArray *options = cli_args_list (args, "--option");

  for (guint i = 0; i < options->len; i++) {
    g_autofree char *name = NULL;
    const char *value;
    cli_args_split (g_ptr_array_index (options, i), &name, &value);
    if (!ssapp_fit_ask_set_option (ask, name, value, error))
      return FALSE;
  }
  return TRUE;
}

void
cli_fill_spec (SsappJobSpec *spec, const CliArgs *args, SsMethodKind kind)
{
  const char *method = cli_args_text (args, kind == SS_METHOD_IMPACT_LAW ? "--law" : "--method");

  spec->kind = kind;
  spec->method = g_strdup (method != NULL ? method : default_method (args, spec, kind));
  GPtrArray *sets = cli_args_list (args, "--set");
  for (guint i = 0; i < sets->len; i++) {
    char *name;
    const char *value;
    double number = NAN;
    cli_args_split (g_ptr_array_index (sets, i), &name, &value);
    if (ss_parse_double (value, &number) && !cli_set_is_number (name))
      cli_spec_set_parameter (spec, name, number);
    g_free (name);
  }
  cli_spec_add_options (spec, args);
  spec->dt = cli_args_number (args, "--dt", NAN);
  spec->t_end = cli_args_number (args, "--t-end", NAN);
  spec->seconds = cli_args_number (args, "--time-limit", NAN);
  spec->cpu_seconds = cli_args_number (args, "--cpu-limit", NAN);
  if (kind == SS_METHOD_OPTIMISER) {
    spec->ways_on = cli_args_number (args, "--ways-on", NAN);
    spec->bound = cli_args_number (args, "--bound", NAN);
  }
  spec->bytes = cli_args_size (args, "--memory-limit", ssapp_memory_default (1));
  g_autoptr (GPtrArray) outcomes = cli_outcome_texts (args);
  for (guint i = 0; i < outcomes->len; i++)
    g_ptr_array_add (spec->outcomes, g_strdup (g_ptr_array_index (outcomes, i)));
  spec->sensitivity = g_strdup (cli_args_text (args, "--sensitivity"));
  spec->keep_every = (int)CLAMP (cli_args_number (args, "--keep-iterates", 0), 0, G_MAXINT);
  spec->every = (int)CLAMP (cli_args_number (args, "--every", 1), 1, G_MAXINT);
  spec->has_seed = cli_args_text (args, "--seed") != NULL;
  if (spec->has_seed)
    spec->seed = g_ascii_strtoull (cli_args_text (args, "--seed"), NULL, 10);
}

SsappJobSpec *
cli_new_spec (const CliArgs *args, SsMethodKind kind)
{
  const char *path = cli_args_positional (args, 0);

  return cli_new_spec_of_text (args, kind, path, cli_read_text (path));
}

SsappJobSpec *
cli_new_spec_of_text (const CliArgs *args, SsMethodKind kind, const char *path, char *text)
{
  SsappJobSpec *spec;

  if (text == NULL || !cli_set_numbers (args, path, &text)) {
    g_free (text);
    return NULL;
  }
  spec = ssapp_job_spec_new ();
  spec->scenario_text = text;
  spec->scenario_file = g_strdup (path);
  cli_fill_spec (spec, args, kind);
  return spec;
}
