/* app/cli/cli-common.c: see cli-common.h. */
#include "app/cli/cli-common.h"

#include "app/cli/cli-sketch.h"

#include "app/base/ssapp-file.h"
#include "app/base/ssapp-json.h"
#include "app/base/ssapp-text.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

gboolean
cli_check_iterates (const CliArgs *args)
{
  if (cli_args_text (args, "--keep-iterates") == NULL || cli_args_text (args, "--project") != NULL)
    return TRUE;
  cli_fail ("--keep-iterates stores iterates in a project: give --project FILE too");
  return FALSE;
}

void
cli_use_own_worker (void)
{
  char *path = g_file_read_link ("/proc/self/exe", NULL);

  if (path != NULL && g_file_test (path, G_FILE_TEST_IS_EXECUTABLE))
    g_setenv ("STICKSLIP_WORKER", path, FALSE);
  g_free (path);
}

char *
cli_read_text (const char *path)
{
  GError *error = NULL;
  GStatBuf info;
  char *text = NULL, *project;
  const char *sketch;
  SsProblems problems;
  gsize length = 0;
  int line = 1;

  if (cli_split_sketch (path, &project, &sketch)) {
    g_free (project);
    return cli_read_sketch (path);
  }
  if (g_stat (path, &info) == 0 && S_ISREG (info.st_mode) && info.st_size > (goffset)SS_SCENARIO_MAX_BYTES)
    fprintf (stderr, "%s:1: the file is too large (expected at most %u MiB)\n", path, SS_SCENARIO_MAX_BYTES >> 20);
  else if (!ssapp_read_file (path, SS_SCENARIO_MAX_BYTES, &text, &length, &error))
    cli_fail ("%s", error->message);
  ss_problems_init (&problems);
  if (text != NULL && !ssapp_take_nl (path, &text, &length, &problems))
    cli_print_problems (stderr, &problems);
  ss_problems_clear (&problems);
  /* A text ends at its first NUL byte: the rest would be lost without a word. */
  if (text != NULL && strlen (text) < length) {
    for (const char *c = text; *c != '\0'; c++)
      line += *c == '\n';
    fprintf (stderr, "%s:%d: a NUL byte (expected text in UTF-8)\n", path, line);
    g_clear_pointer (&text, g_free);
  }
  g_clear_error (&error);
  return text;
}

gboolean
cli_is_file (const char *name)
{
  return g_file_test (name, G_FILE_TEST_EXISTS) || strchr (name, '#') != NULL;
}

int
cli_check_output (const CliArgs *args, const char *option)
{
  const char *path = cli_args_text (args, option);
  GStatBuf info;
  int status = CLI_OK;

  if (path == NULL)
    return CLI_OK;
  if (g_stat (path, &info) == 0 && S_ISDIR (info.st_mode))
    return cli_fail ("%s: cannot write %s: it is a folder", option, path);
  /* A file is replaced by a new one beside it; a device or a pipe is written into. */
  char *real = realpath (path, NULL), *folder = g_path_get_dirname (real != NULL ? real : path);
  const gboolean is_special = g_stat (path, &info) == 0 && !S_ISREG (info.st_mode);
  if (g_access (is_special ? path : folder, W_OK) != 0)
    status = cli_fail ("%s: cannot write %s: %s", option, path, g_strerror (errno));
  g_free (folder);
  free (real);
  return status;
}

void
cli_print_problems (FILE *to, const SsProblems *problems)
{
  char line[1024];

  for (int i = 0; i < problems->n_items; i++) {
    ss_error_format (&problems->items[i], line, sizeof line);
    g_autofree char *shown = ssapp_text_visible (line, TRUE);
    fprintf (to, "%s\n", shown);
  }
  if (problems->truncated)
    fprintf (to, "stickslip-cli: more problems were found than are shown\n");
}

int
cli_status_of_problems (const SsProblems *problems)
{
  for (int i = 0; i < problems->n_items; i++)
    if (problems->items[i].status == SS_ERR_MEMORY)
      return CLI_BROKEN;
  return CLI_BAD_INPUT;
}

SsScenario *
cli_read_scenario_problems (const CliArgs *args, const char *path, SsProblems *problems)
{
  GPtrArray *pairs = cli_args_list (args, "--set");
  SsOverride *overrides = g_new0 (SsOverride, pairs->len + 1);
  SsScenario *scenario = NULL;
  char *project, *text;
  const char *sketch;
  SsStatus status;

  for (guint i = 0; i < pairs->len; i++) {
    char *name;
    const char *value;
    cli_args_split (g_ptr_array_index (pairs, i), &name, &value);
    overrides[i].name = name;
    if (!ss_parse_double (value, &overrides[i].value))
      overrides[i].value = NAN; /* was checked while parsing */
  }
  if (cli_split_sketch (path, &project, &sketch)) {
    g_free (project);
    text = cli_read_sketch (path);
    status = text != NULL
                 ? ss_scenario_read (text, strlen (text), path, overrides, (int)pairs->len, problems, &scenario)
                 : SS_ERR_INVALID;
    g_free (text);
  } else {
    status = ss_scenario_read_file (path, overrides, (int)pairs->len, problems, &scenario);
  }
  if (status != SS_OK)
    scenario = NULL;
  for (guint i = 0; i < pairs->len; i++)
    g_free ((char *)overrides[i].name);
  g_free (overrides);
  return scenario;
}

SsScenario *
cli_read_scenario (const CliArgs *args, const char *path)
{
  SsProblems problems;
  SsScenario *scenario;

  ss_problems_init (&problems);
  scenario = cli_read_scenario_problems (args, path, &problems);
  if (scenario == NULL)
    cli_print_problems (stderr, &problems);
  ss_problems_clear (&problems);
  return scenario;
}

SsappStore *
cli_open_project (const CliArgs *args, gboolean create, int *status)
{
  const char *path = cli_args_text (args, "--project");
  GError *error = NULL;
  SsappStore *store;

  *status = CLI_OK;
  if (path == NULL)
    return NULL;
  store = ssapp_store_open (path, create, &error);
  if (store == NULL)
    *status = cli_fail ("%s", error->message);
  if (g_error_matches (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_MOVED))
    *status = CLI_BROKEN;
  g_clear_error (&error);
  if (store != NULL && create)
    *status = cli_require_writable (&store);
  return store;
}

int
cli_require_writable (SsappStore **store)
{
  int status;

  if (!ssapp_store_is_read_only (*store))
    return CLI_OK;
  status = cli_fail ("%s is read-only: nothing can be stored in it", ssapp_store_get_path (*store));
  cli_close_project (store);
  return status;
}

int
cli_close_project (SsappStore **store)
{
  g_autoptr (GError) error = NULL;

  if (*store != NULL && !ssapp_store_close (*store, &error))
    cli_fail ("%s", error->message);
  g_clear_object (store);
  return error == NULL ? CLI_OK : CLI_BROKEN;
}

/* What SIGINT and SIGTERM cancel; a handler can be given nothing else. */
static SsRunControl control;

static void
on_signal (int number)
{
  (void)number;
  ss_run_control_cancel (&control); /* one atomic store */
}

void
cli_watch_signals (void)
{
  struct sigaction action = {.sa_handler = on_signal};

  ss_run_control_init (&control);
  sigemptyset (&action.sa_mask);
  sigaction (SIGINT, &action, NULL);
  sigaction (SIGTERM, &action, NULL);
}

SsRunControl *
cli_control (void)
{
  return &control;
}

gboolean
cli_was_cancelled (void)
{
  return atomic_load (&control.cancel) != 0;
}

void
cli_print_json (const json_t *json)
{
  g_autofree char *text = ssapp_json_text (json, TRUE);
  g_autofree char *shown = ssapp_text_visible_json (text);

  printf ("%s\n", shown);
}

char *
cli_number (double value)
{
  if (!isfinite (value))
    return g_strdup ("-");
  return g_strdup_printf ("%.6g", value); /* the C locale is in force, see main */
}

int
cli_status_of_end (SsappEnd end)
{
  static const int statuses[] = {[SSAPP_END_SUCCESS] = CLI_OK,
                                 [SSAPP_END_NO_SUCCESS] = CLI_NO_SUCCESS,
                                 [SSAPP_END_BAD_INPUT] = CLI_BAD_INPUT,
                                 [SSAPP_END_STOPPED] = CLI_STOPPED,
                                 [SSAPP_END_BROKEN] = CLI_BROKEN};

  return statuses[end];
}

int
cli_status_of_outcome (const char *name)
{
  SsOutcome outcome;

  if (name == NULL || !ss_outcome_from_name (name, &outcome))
    return CLI_BROKEN;
  if (ss_outcome_is_success (outcome))
    return CLI_OK;
  if (ss_outcome_is_early (outcome))
    return CLI_STOPPED;
  return outcome == SS_OUTCOME_INTERRUPTED ? CLI_BROKEN : CLI_NO_SUCCESS;
}
