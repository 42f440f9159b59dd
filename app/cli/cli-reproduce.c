/* app/cli/cli-reproduce.c: where a stored run comes from, and making it once more: the verbs provenance, reproduce and
 * command. Tests: tests/cli/test-reproduce.sh */
#include "app/cli/cli-common.h"

#include "app/base/ssapp-text.h"
#include "app/bench/ssapp-bench-loops.h"
#include "app/session/ssapp-command.h"
#include "app/session/ssapp-provenance-sheet.h"
#include "app/session/ssapp-reproduce.h"
#include "app/store/ssapp-store-study.h"

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

/* The whole of a study. */
static int
print_study_command (const CliArgs *args, SsappStore *store)
{
  g_autoptr (GError) error = NULL;
  SsappStudyRow *row = ssapp_store_get_study (store, cli_args_text (args, "--study"), &error);
  g_autoptr (GFile) file = g_file_new_for_path (ssapp_store_get_path (store));
  g_autofree char *path = g_file_get_path (file);

  if (row == NULL)
    return cli_fail ("%s", error->message);
  g_autofree char *name = g_strdup_printf ("%s#study:%s", path, row->id), *quoted = g_shell_quote (name);
  printf ("stickslip-cli sweep --study %s --project again%s\n", quoted, SSAPP_PROJECT_SUFFIX);
  ssapp_study_row_free (row);
  return CLI_OK;
}

int
cli_command (const CliArgs *args)
{
  int status = CLI_OK;
  const char *study = cli_args_text (args, "--study");

  if (study == NULL && cli_args_n_positional (args) == 0)
    return cli_fail ("'command' needs RUN... or --study STUDY");
  SsappStore *store = open_project (args, &status);
  for (int i = 0; store != NULL && i < cli_args_n_positional (args); i++) {
    g_autoptr (GError) error = NULL;
    g_autofree char *line = ssapp_command_for_run (store, cli_args_positional (args, i), &error);
    if (line == NULL)
      status = cli_fail ("%s", error->message);
    else
      printf ("%s\n", line); /* as it is: for a shell */
  }
  if (store != NULL && study != NULL && status == CLI_OK)
    status = print_study_command (args, store);
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

/* `list`: of JSON, where several runs are told of; NULL: one is. */
static void
print_answer (const CliArgs *args, const SsappReproduced *answer, const GPtrArray *notes, const char *run,
              const char *kept, json_t *list)
{
  if (cli_args_flag (args, "--json")) {
    json_t *object = ssapp_reproduced_to_json (answer, notes);
    json_object_set_new (object, "run", json_string (run));
    json_object_set_new (object, "kept", kept != NULL ? json_string (kept) : json_null ());
    if (list != NULL)
      json_array_append (list, object);
    else
      cli_print_json (object);
    json_decref (object);
    return;
  }
  g_autofree char *text = ssapp_reproduced_dup_text (answer, notes);
  if (list != NULL)
    printf ("%s\n", run);
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

/* Compares and prints; the exit status. Records are taken. */
static int
compare (const CliArgs *args, const SsappRunRow *row, SsappReproduceRecord *stored, SsappReproduceRecord *repeated,
         const GPtrArray *notes, const char *kept, json_t *list)
{
  const double tolerance = cli_args_number (args, "--tolerance", SSAPP_REPRODUCE_TOLERANCE);
  SsappReproduced *answer = ssapp_reproduce_compare (stored, repeated, tolerance);

  print_answer (args, answer, notes, row->id, kept, list);
  const int status = answer->verdict == SSAPP_REPRODUCE_DIFFERS ? CLI_NO_SUCCESS : CLI_OK;
  ssapp_reproduced_free (answer);
  ssapp_reproduce_record_free (stored);
  ssapp_reproduce_record_free (repeated);
  return status;
}

/* The same after keeping the job. */
static int
answer_for (const CliArgs *args, SsappStore *store, const SsappRunRow *row, SsappJob *job, const GPtrArray *notes,
            json_t *list, GError **error)
{
  g_autofree char *kept = NULL;
  SsappReproduceRecord *stored = ssapp_reproduce_record_stored (store, row->id, error);

  if (stored == NULL ||
      (cli_args_flag (args, "--keep") && (kept = ssapp_reproduce_keep (store, job, row->id, error)) == NULL)) {
    ssapp_reproduce_record_free (stored);
    return CLI_BROKEN;
  }
  return compare (args, row, stored, ssapp_reproduce_record_job (job, row->solution_of[0] != '\0' ? row->start : NULL),
                  notes, kept, list);
}

/* A closed loop, in this process: no worker makes one. */
static int
reproduce_loop (const CliArgs *args, SsappStore *store, const SsappRunRow *row, json_t *list)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);

  if (cli_args_flag (args, "--keep"))
    return cli_fail ("run %.8s is a closed loop, which --keep cannot store: its command does, see 'command %.8s'",
                     row->id, row->id);
  cli_watch_signals ();
  ssapp_reproduce_note_program (store, row->id, notes);
  SsappReproduceRecord *stored = ssapp_reproduce_record_stored (store, row->id, &error);
  SsappReproduceRecord *repeated =
      stored != NULL ? ssapp_bench_loop_again (store, row->id, cli_control (), &error) : NULL;
  if (repeated != NULL)
    return compare (args, row, stored, repeated, notes, NULL, list);
  ssapp_reproduce_record_free (stored);
  cli_fail ("%s", error->message);
  return cli_was_cancelled () ? CLI_STOPPED : CLI_BROKEN;
}

/* Makes one run once more; its exit status. */
static int
reproduce (const CliArgs *args, SsappStore *store, const char *id, json_t *list)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  SsappRunRow *row = ssapp_store_get_sound_run (store, id, &error);
  const gboolean is_loop = row != NULL && ssapp_bench_loop_is_stored (store, row->id);
  g_autoptr (SsappJob) job = row != NULL && !is_loop ? ssapp_reproduce_new_job (store, row->id, notes, &error) : NULL;
  int status = CLI_OK;

  if (error != NULL)
    status = cli_fail ("%s", error->message);
  else if (is_loop)
    status = reproduce_loop (args, store, row, list);
  else if (job != NULL && !run_job (job, &error))
    status = CLI_BROKEN;
  else if (job != NULL && has_come_to_an_end (job, &status))
    status = answer_for (args, store, row, job, notes, list, &error);
  if (status == CLI_BROKEN && error != NULL)
    cli_fail ("%s", error->message);
  ssapp_run_row_free (row);
  return status;
}

/* Several runs, one after another; the worst exit status. Ctrl-C ends all. */
static int
reproduce_all (const CliArgs *args, SsappStore *store)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) ids = cli_run_ids (args, store, &error);
  json_t *list = json_array ();
  int status = CLI_OK;

  if (ids == NULL)
    status = cli_fail ("%s", error->message);
  for (guint i = 0; ids != NULL && ids[i] != NULL && status != CLI_STOPPED && status != CLI_BROKEN; i++)
    status = MAX (status, reproduce (args, store, ids[i], list));
  if (ids != NULL && cli_args_flag (args, "--json"))
    cli_print_json (list);
  json_decref (list);
  return status;
}

int
cli_reproduce (const CliArgs *args)
{
  int status = CLI_OK;

  if (!(cli_args_number (args, "--tolerance", SSAPP_REPRODUCE_TOLERANCE) >= 0))
    return cli_fail ("--tolerance takes a number that is not negative");
  SsappStore *store = open_project (args, &status);
  if (store != NULL && cli_args_flag (args, "--keep"))
    status = cli_require_writable (&store);
  if (store != NULL && status == CLI_OK)
    status = cli_args_n_positional (args) == 1 && cli_args_text (args, "--study") == NULL
                 ? reproduce (args, store, cli_args_positional (args, 0), NULL)
                 : reproduce_all (args, store);
  return close_project (store, status);
}
