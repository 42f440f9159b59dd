/* app/cli/cli-reproduce.c: where a stored run comes from, and making it once more: the verbs provenance, reproduce and
 * command. Tests: tests/cli/test-reproduce.sh */
#include "app/cli/cli-common.h"

#include "app/base/ssapp-text.h"
#include "app/session/ssapp-command.h"
#include "app/session/ssapp-provenance-sheet.h"
#include "app/session/ssapp-reproduce.h"

#include <glib-unix.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The project of --project, which must be there; NULL after an error was told. */
static SsappStore *
open_project (const CliArgs *args, int *status)
{
  SsappStore *store = NULL;

  if (cli_args_text (args, "--project") == NULL)
    *status = cli_fail ("'%s RUN' needs --project FILE", cli_args_verb (args)->name);
  else
    store = cli_open_project (args, FALSE, status);
  return store;
}

static int
close_project (SsappStore *store, int status)
{
  const int closed = cli_close_project (&store);

  return status != CLI_OK ? status : closed;
}

/* Texts of a project may come from somebody else. */
static void
print_text (const char *text)
{
  g_autofree char *shown = ssapp_text_visible (text, TRUE);

  fputs (shown, stdout);
}

/* ---- provenance, command ----------------------------------------------------------------------------------------- */

int
cli_provenance (const CliArgs *args)
{
  int status = CLI_OK;
  g_autoptr (GError) error = NULL;
  SsappStore *store = open_project (args, &status);
  SsappProvenanceSheet *sheet =
      store != NULL ? ssapp_provenance_sheet_new (store, cli_args_positional (args, 0), &error) : NULL;

  if (sheet != NULL && cli_args_flag (args, "--json")) {
    json_t *object = ssapp_provenance_sheet_to_json (sheet);
    cli_print_json (object);
    json_decref (object);
  } else if (sheet != NULL) {
    g_autofree char *text = ssapp_provenance_sheet_dup_text (sheet);
    print_text (text);
  } else if (error != NULL) {
    status = cli_fail ("%s", error->message);
  }
  ssapp_provenance_sheet_free (sheet);
  return close_project (store, status);
}

int
cli_command (const CliArgs *args)
{
  int status = CLI_OK;
  SsappStore *store = open_project (args, &status);

  for (int i = 0; store != NULL && i < cli_args_n_positional (args); i++) {
    g_autoptr (GError) error = NULL;
    g_autofree char *line = ssapp_command_for_run (store, cli_args_positional (args, i), &error);
    if (line == NULL)
      status = cli_fail ("%s", error->message);
    else
      printf ("%s\n", line); /* as it is: for a shell */
  }
  return close_project (store, status);
}

/* ---- reproduce --------------------------------------------------------------------------------------------------- */

static gboolean
on_interrupt (gpointer job)
{
  ssapp_job_cancel (job);
  return G_SOURCE_CONTINUE;
}

static void
on_ended (SsappJob *job, GMainLoop *loop)
{
  (void)job;
  g_main_loop_quit (loop);
}

/* Until its end; FALSE with an error where it could not be started. */
static gboolean
run_job (SsappJob *job, GError **error)
{
  GMainLoop *loop = g_main_loop_new (NULL, FALSE);
  const guint sources[] = {g_unix_signal_add (SIGINT, on_interrupt, job),
                           g_unix_signal_add (SIGTERM, on_interrupt, job)};
  gboolean ok;

  cli_use_own_worker ();
  g_signal_connect (job, "ended", G_CALLBACK (on_ended), loop);
  ok = ssapp_job_start (job, error);
  if (ok)
    g_main_loop_run (loop);
  g_signal_handlers_disconnect_by_data (job, loop);
  for (guint i = 0; i < G_N_ELEMENTS (sources); i++)
    g_source_remove (sources[i]);
  g_main_loop_unref (loop);
  return ok;
}

static void
print_answer (const CliArgs *args, const SsappReproduced *answer, const GPtrArray *notes, const char *run,
              const char *kept)
{
  if (cli_args_flag (args, "--json")) {
    json_t *object = ssapp_reproduced_to_json (answer, notes);
    json_object_set_new (object, "run", json_string (run));
    json_object_set_new (object, "kept", kept != NULL ? json_string (kept) : json_null ());
    cli_print_json (object);
    json_decref (object);
    return;
  }
  g_autofree char *text = ssapp_reproduced_dup_text (answer, notes);
  print_text (text);
  if (kept != NULL)
    printf ("Kept as run %s\n", kept);
}

/* Whether the worker refused the job: a file or an option that this version does not take. */
static gboolean
was_refused (SsappJob *job)
{
  const char *text = ssapp_job_get_result_json (job);
  json_t *result = text != NULL ? json_loads (text, 0, NULL) : NULL;
  const gboolean is_refused = json_array_size (json_object_get (result, "problems")) > 0;

  json_decref (result);
  return is_refused;
}

/* The job has ended. Whether it ended by itself. */
static gboolean
has_come_to_an_end (SsappJob *job, int *status)
{
  const char *outcome = ssapp_job_get_outcome (job);

  if (was_refused (job)) {
    *status = cli_fail ("the run cannot be repeated: %s", ssapp_job_get_message (job));
    return FALSE;
  }
  if (ssapp_job_get_result_json (job) != NULL && strcmp (outcome, ss_outcome_name (SS_OUTCOME_CANCELLED)) != 0)
    return TRUE;
  cli_fail ("the repeated run did not come to its end: %s", ssapp_job_get_message (job));
  *status = strcmp (outcome, ss_outcome_name (SS_OUTCOME_CANCELLED)) == 0 ? CLI_STOPPED : CLI_BROKEN;
  return FALSE;
}

/* Compares, keeps and prints; the exit status. */
static int
answer_for (const CliArgs *args, SsappStore *store, const SsappRunRow *row, SsappJob *job, const GPtrArray *notes,
            GError **error)
{
  const double tolerance = cli_args_number (args, "--tolerance", SSAPP_REPRODUCE_TOLERANCE);
  g_autofree char *kept = NULL;
  SsappReproduceRecord *stored = ssapp_reproduce_record_stored (store, row->id, error), *repeated;
  SsappReproduced *answer;
  int status;

  if (stored == NULL ||
      (cli_args_flag (args, "--keep") && (kept = ssapp_reproduce_keep (store, job, row->id, error)) == NULL)) {
    ssapp_reproduce_record_free (stored);
    return CLI_BROKEN;
  }
  repeated = ssapp_reproduce_record_job (job, row->solution_of[0] != '\0' ? row->start : NULL);
  answer = ssapp_reproduce_compare (stored, repeated, tolerance);
  print_answer (args, answer, notes, row->id, kept);
  status = answer->verdict == SSAPP_REPRODUCE_DIFFERS ? CLI_NO_SUCCESS : CLI_OK;
  ssapp_reproduced_free (answer);
  ssapp_reproduce_record_free (stored);
  ssapp_reproduce_record_free (repeated);
  return status;
}

int
cli_reproduce (const CliArgs *args)
{
  int status = CLI_OK;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (SsappJob) job = NULL;
  SsappRunRow *row = NULL;
  SsappStore *store;

  if (!(cli_args_number (args, "--tolerance", SSAPP_REPRODUCE_TOLERANCE) >= 0))
    return cli_fail ("--tolerance takes a number that is not negative");
  store = open_project (args, &status);
  if (store != NULL && cli_args_flag (args, "--keep"))
    status = cli_require_writable (&store);
  if (store != NULL)
    row = ssapp_store_get_sound_run (store, cli_args_positional (args, 0), &error);
  if (row != NULL)
    job = ssapp_reproduce_new_job (store, row->id, notes, &error);
  if (error != NULL)
    status = cli_fail ("%s", error->message);
  else if (job != NULL && !run_job (job, &error))
    status = CLI_BROKEN;
  else if (job != NULL && has_come_to_an_end (job, &status))
    status = answer_for (args, store, row, job, notes, &error);
  if (status == CLI_BROKEN && error != NULL)
    cli_fail ("%s", error->message);
  ssapp_run_row_free (row);
  return close_project (store, status);
}
