/* app/cli/cli-common.c: see cli-common.h. */
#include "app/cli/cli-common.h"

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

SsappStore *
cli_open_project (const CliArgs *args, gboolean create, int *status)
{
  const char *path = cli_args_text (args, "--project");
  GError *error = NULL;
  SsappStore *store;

  *status = CLI_OK;
  if (path == NULL)
    return NULL;
  store = create ? ssapp_store_open (path, TRUE, &error) : ssapp_store_open_to_read (path, &error);
  if (store == NULL)
    *status = cli_fail ("%s", error->message);
  if (g_error_matches (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_MOVED))
    *status = CLI_BROKEN;
  g_clear_error (&error);
  if (store != NULL && create)
    *status = cli_require_writable (&store);
  return store;
}

SsappStore *
cli_open_to_read (const CliArgs *args, const char *path, int *status)
{
  GError *error = NULL;
  SsappStore *store;

  *status = CLI_OK;
  if (path == NULL)
    path = cli_args_text (args, "--project");
  if (path == NULL) {
    *status = cli_fail ("'%s' needs --project FILE", cli_args_verb (args)->name);
    return NULL;
  }
  store = ssapp_store_open_to_read (path, &error);
  if (store == NULL)
    *status = cli_fail ("%s", error->message);
  g_clear_error (&error);
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

json_t *
cli_parse_or_null (const char *text)
{
  json_t *json = text != NULL ? json_loads (text, 0, NULL) : NULL;

  return json != NULL ? json : json_null ();
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

GPtrArray *
cli_outcome_texts (const CliArgs *args)
{
  GPtrArray *const lists[] = {cli_args_list (args, "--outcome"), cli_args_list (args, "--assert")};
  GPtrArray *texts = g_ptr_array_new_with_free_func (g_free);

  for (guint k = 0; k < G_N_ELEMENTS (lists); k++)
    for (guint i = 0; i < lists[k]->len; i++)
      g_ptr_array_add (texts, g_strdup (g_ptr_array_index (lists[k], i)));
  return texts;
}

int
cli_status_of_assertions (const CliArgs *args, const json_t *result, const char *of)
{
  GPtrArray *texts = cli_args_list (args, "--assert");
  int status = CLI_OK;

  for (guint i = 0; i < texts->len; i++) {
    const char *value;
    g_autofree char *name = NULL;
    cli_args_split (g_ptr_array_index (texts, i), &name, &value);
    const json_t *answer = json_object_get (json_object_get (result, "outcomes"), name);
    if (answer != NULL && g_strcmp0 (ssapp_interest_verdict (answer), "holds") == 0)
      continue;
    g_autofree char *told = answer != NULL ? ssapp_interest_dup_text (answer) : g_strdup ("untold");
    fprintf (stderr, "stickslip-cli: --assert %s: %s%s%s\n", name, told, of != NULL ? " by " : "",
             of != NULL ? of : "");
    status = CLI_NO_SUCCESS;
  }
  return status;
}

SsappInterests *
cli_interests (const CliArgs *args, int *status)
{
  g_autoptr (GPtrArray) texts = cli_outcome_texts (args);
  g_autoptr (GError) error = NULL;
  g_autoptr (SsappInterests) interests = ssapp_interests_new ((const char *const *)texts->pdata, texts->len, &error);
  const guint n_outcomes = cli_args_list (args, "--outcome")->len;

  for (guint i = n_outcomes; interests != NULL && i < texts->len; i++)
    if (!ssapp_interests_is_assertion (interests, i)) {
      *status = cli_fail ("--assert: %s: '%s' neither holds nor fails (expected a condition, such as "
                          "always(box.y > 0.3))",
                          ssapp_interests_get_name (interests, i), ssapp_interests_get_formula (interests, i));
      return NULL;
    }
  if (interests == NULL)
    *status = cli_fail ("%s: %s", n_outcomes > 0 ? "--outcome" : "--assert", error->message);
  return g_steal_pointer (&interests);
}
