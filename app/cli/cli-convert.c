/* app/cli/cli-convert.c: the verb `convert`: a problem in another form. */
#include "app/cli/cli-sketch.h"

#include "app/base/ssapp-ending.h"
#include "app/base/ssapp-file.h"
#include "app/base/ssapp-text.h"
#include "app/cli/cli-common.h"
#include "app/exchange/ssapp-robot.h"
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

/* What the other format cannot say goes to the standard error. */
static void
print_told (const GPtrArray *told)
{
  for (guint i = 0; i < told->len; i++) {
    g_autofree char *shown = ssapp_text_visible (g_ptr_array_index (told, i), TRUE);
    fprintf (stderr, "%s\n", shown);
  }
}

/* FALSE after telling. */
static gboolean
read_options (const CliArgs *args, SsappRobotOptions *options)
{
  const char *plane = cli_args_text (args, "--plane");

  *options = (SsappRobotOptions){.is_xy = g_strcmp0 (plane, "xy") == 0, .is_lossy = cli_args_flag (args, "--lossy")};
  if (plane == NULL || options->is_xy || strcmp (plane, "xz") == 0)
    return TRUE;
  cli_fail ("--plane is xz or xy, but not '%s'", plane);
  return FALSE;
}

/* A scene as MJCF. */
static int
write_robot (const CliArgs *args, const SsScenario *scenario, const char *to)
{
  g_autoptr (GPtrArray) told = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  SsappRobotOptions options;

  if (!read_options (args, &options))
    return CLI_BAD_INPUT;
  g_autofree char *text = ssapp_scene_to_mjcf (cli_args_positional (args, 0), scenario, &options, told, &error);
  print_told (told);
  if (text == NULL)
    return cli_fail ("%s", error->message);
  if (ssapp_write_file (to, text, -1, &error))
    return CLI_OK;
  cli_fail ("%s", error->message);
  return CLI_BROKEN;
}

/* A robot's file as a scene's. */
static int
write_scene (const CliArgs *args, const char *from, const char *to)
{
  SsappRobotOptions options;
  g_autoptr (GPtrArray) told = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  SsScenario *scenario = NULL;
  SsProblems problems;
  gsize length;
  int status = CLI_OK;

  if (!read_options (args, &options))
    return CLI_BAD_INPUT;
  if (!ssapp_ending_is (to, ".json") || cli_args_flag (args, "--names") || cli_args_list (args, "--set")->len > 0)
    return cli_fail ("a robot becomes a scenario: OUT ends in .json, and --names and --set belong to .nl");
  if (!ssapp_read_file (from, SS_SCENARIO_MAX_BYTES, &text, &length, &error))
    return cli_fail ("%s", error->message);
  g_autofree char *scene = ssapp_robot_to_scene (from, text, length, &options, told, &error);
  print_told (told);
  if (scene == NULL)
    return cli_fail ("%s", error->message);
  ss_problems_init (&problems);
  if (ss_scenario_read (scene, strlen (scene), to, NULL, 0, &problems, &scenario) != SS_OK) {
    cli_print_problems (stderr, &problems);
    status = cli_fail ("the scene that %s becomes is none", from);
  } else if (!ssapp_write_file (to, scene, -1, &error)) {
    cli_fail ("%s", error->message);
    status = CLI_BROKEN;
  }
  ss_problems_clear (&problems);
  ss_scenario_free (scenario);
  return status;
}

int
cli_convert (const CliArgs *args)
{
  const char *from = cli_args_positional (args, 0), *to = cli_args_positional (args, 1);
  g_autoptr (GError) error = NULL;
  int status = CLI_OK;

  if (!ssapp_endings_check ("problem", to, &error))
    return cli_fail ("%s", error->message);
  if (ssapp_robot_is_path (from)) {
    status = write_scene (args, from, to);
    if (status == CLI_OK && !cli_args_flag (args, "--quiet"))
      printf ("%s\n", to);
    return status;
  }
  SsScenario *scenario = cli_read_scenario (args, from);
  if (scenario == NULL)
    return CLI_BAD_INPUT;
  if (ss_nl_is_path (to)) {
    status = write_nl (args, scenario, to);
  } else if (ssapp_robot_is_path (to)) {
    status = cli_args_flag (args, "--names") ? cli_fail ("--names belongs to .nl") : write_robot (args, scenario, to);
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
