/* app/cli/cli-convert.c: the verb `convert`: a problem in another form. */
#include "app/cli/cli-sketch.h"

#include "app/base/ssapp-ending.h"
#include "app/base/ssapp-file.h"
#include "app/cli/cli-common.h"
#include "app/export/ssapp-file-kind.h"
#include "scene/ss-nl.h"
#include "solve/ss-solve.h"

#include <stdio.h>
#include <string.h>

/* A name in a line, into the file that AMPL's programs look for beside a problem. */
static gboolean
write_names (const char *path, const char *ending, char *const *names, int n, GError **error)
{
  g_autofree char *beside = g_strdup_printf ("%.*s%s", (int)strlen (path) - 3, path, ending);
  g_autoptr (GString) text = g_string_new (NULL);

  for (int i = 0; i < n; i++)
    g_string_append_printf (text, "%s\n", names[i]);
  return ssapp_write_file (beside, text->str, (gssize)text->len, error);
}

/* Of a scene the equations of its plan. */
static int
write_nl (const CliArgs *args, const SsScenario *scenario, const char *to)
{
  const SsTranscribeOptions options = {0};
  const SsScenario *model;
  SsScenario *transcribed = NULL;
  SsNlNames names = {0};
  SsError error = {0};
  g_autoptr (GError) failure = NULL;
  char *bytes = NULL;
  size_t length;
  int status = CLI_OK;

  if (ss_solve_model (scenario, &options, &model, &transcribed, &error) != SS_OK ||
      ss_nl_write (model, &bytes, &length, &names, &error) != SS_OK) {
    status = cli_fail ("%s: %s", cli_args_positional (args, 0), error.message);
  } else if (!ssapp_write_file (to, bytes, (gssize)length, &failure) ||
             (cli_args_flag (args, "--names") &&
              (!write_names (to, ".col", names.variables, names.n_variables, &failure) ||
               !write_names (to, ".row", names.rows, names.n_rows, &failure)))) {
    cli_fail ("%s", failure->message);
    status = CLI_BROKEN;
  }
  ss_nl_names_clear (&names);
  ss_free (bytes);
  ss_scenario_free (transcribed);
  return status;
}

int
cli_convert (const CliArgs *args)
{
  const char *to = cli_args_positional (args, 1);
  g_autoptr (GError) error = NULL;
  int status = CLI_OK;

  if (!ssapp_endings_check ("problem", to, &error))
    return cli_fail ("%s", error->message);
  SsScenario *scenario = cli_read_scenario (args, cli_args_positional (args, 0));
  if (scenario == NULL)
    return CLI_BAD_INPUT;
  if (ss_nl_is_path (to)) {
    status = write_nl (args, scenario, to);
  } else if (cli_args_flag (args, "--names") || cli_args_list (args, "--set")->len > 0) {
    status = cli_fail ("--names and --set belong to .nl: a scenario has names and parameters of its own");
  } else if (!ssapp_write_file (to, scenario->text, (gssize)scenario->text_length, &error)) {
    cli_fail ("%s", error->message);
    status = CLI_BROKEN;
  }
  ss_scenario_free (scenario);
  if (status == CLI_OK && !cli_args_flag (args, "--quiet"))
    printf ("%s\n", to);
  return status;
}
