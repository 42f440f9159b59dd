/* app/cli/cli-sweep-cluster.c: studies on a cluster: a folder with the study and a job array, one task of it, and what
 * the tasks wrote into a project. */
#include "app/cli/cli-common.h"
#include "app/cli/cli-sweep.h"

#include "app/base/ssapp-file.h"
#include "app/base/ssapp-json.h"
#include "app/store/ssapp-store-shrink.h"
#include "app/store/ssapp-store-study.h"
#include "app/study/ssapp-study-events.h"
#include "app/study/ssapp-study-job.h"

#include <glib-unix.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

enum { ARRAY_MAX = 1000 }; /* jobs of an array: Slurm takes 1000 unless told otherwise; each makes every 1000th task */

/* ---- one task ---------------------------------------------------------------------------------------------------- */

typedef struct {
  GMainLoop *loop;
  SsappJob *job;
} Task;

static void
on_ended (SsappJob *job, Task *self)
{
  (void)job;
  g_main_loop_quit (self->loop);
}

static gboolean
on_interrupt (gpointer user_data)
{
  ssapp_job_cancel (((Task *)user_data)->job);
  return G_SOURCE_CONTINUE;
}

/* Runs it and writes its events; a task that was ended from outside leaves no file, so that it is made again. */
static int
run_task (const SsappStudy *study, const SsappStudyTask *task, const char *path)
{
  g_autoptr (SsappJob) job = ssapp_study_new_job (study, task, 1, NULL);
  SsappStudyRecorder *recorder = ssapp_study_recorder_new (study, task, job);
  Task self = {g_main_loop_new (NULL, FALSE), job};
  g_autoptr (GError) error = NULL;
  int status;

  cli_use_own_worker ();
  g_unix_signal_add (SIGINT, on_interrupt, &self);
  g_unix_signal_add (SIGTERM, on_interrupt, &self);
  g_signal_connect (job, "ended", G_CALLBACK (on_ended), &self);
  if (!ssapp_job_start (job, &error)) {
    cli_fail ("%s", error->message);
    status = CLI_BROKEN;
  } else {
    g_main_loop_run (self.loop);
    status = cli_status_of_outcome (ssapp_job_get_outcome (job));
    if (g_strcmp0 (ssapp_job_get_outcome (job), "cancelled") != 0) {
      status = status == CLI_OK ? CLI_OK : CLI_NO_SUCCESS;
      if (!ssapp_study_recorder_write (recorder, path, &error)) {
        cli_fail ("%s", error->message);
        status = CLI_BROKEN;
      }
    }
  }
  ssapp_study_recorder_free (recorder);
  g_main_loop_unref (self.loop);
  return status;
}

int
cli_sweep_task (const CliArgs *args)
{
  const char *path = cli_args_text (args, "--events");
  const guint64 index = g_ascii_strtoull (cli_args_text (args, "--task"), NULL, 10);
  g_autoptr (GError) error = NULL;

  if (cli_args_text (args, "--study") == NULL || path == NULL)
    return cli_fail ("--task needs --study FILE.json and --events FILE.jsonl");
  int status = cli_check_output (args, "--events");
  if (status != CLI_OK)
    return status;
  if (g_file_test (path, G_FILE_TEST_EXISTS)) {
    if (!cli_args_flag (args, "--quiet"))
      fprintf (stderr, "%s is there: this task has ended\n", path);
    return CLI_OK;
  }
  g_autoptr (SsappStudy) study = cli_sweep_read_study (args);
  if (study == NULL)
    return CLI_BAD_INPUT;
  g_autoptr (SsappStudyTask) task = ssapp_study_get_task (study, (guint)MIN (index, G_MAXUINT), &error);
  if (task == NULL)
    return cli_fail ("%s", error->message);
  if (ssapp_study_get_start (study, task) != NULL)
    return cli_fail ("--task cannot start from the motion of a run: that is in a project");
  return run_task (study, task, path);
}

/* ---- the folder -------------------------------------------------------------------------------------------------- */

/* A study of the project, by --resume; NULL after an error that was told. */
static SsappStudy *
resume_study (const CliArgs *args, SsappStore *store)
{
  g_autoptr (GError) error = NULL;
  SsappStudyRow *row = ssapp_store_get_study (store, cli_args_text (args, "--resume"), &error);
  json_t *json = row != NULL ? json_loads (row->definition, 0, NULL) : NULL;
  SsappStudy *study = row != NULL ? ssapp_study_from_json (json, &error) : NULL;

  if (study == NULL)
    cli_fail ("%s", error->message);
  json_decref (json);
  ssapp_study_row_free (row);
  return study;
}

/* The folder, new or of the same study. */
static gboolean
make_folder (const char *folder, const SsappStudy *study)
{
  g_autofree char *path = g_build_filename (folder, "study.json", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const gboolean is_empty = dir == NULL || g_dir_read_name (dir) == NULL;
  g_autoptr (GError) error = NULL;

  if (!is_empty) {
    g_autoptr (SsappStudy) other = ssapp_study_read_file (path, NULL);
    if (other == NULL || !ssapp_study_is_same (study, other)) {
      cli_fail ("--slurm: the folder %s holds something else: name a new folder", folder);
      return FALSE;
    }
  }
  if (g_mkdir_with_parents (folder, 0777) != 0) {
    cli_fail ("--slurm: cannot make the folder %s", folder);
    return FALSE;
  }
  json_t *json = ssapp_study_to_json (study);
  g_autofree char *text = ssapp_json_text (json, TRUE);
  json_decref (json);
  if (ssapp_write_file (path, text, -1, &error))
    return TRUE;
  cli_fail ("%s", error->message);
  return FALSE;
}

/* Numbers of the tasks that have neither a run (`runs`, by key; nullable) nor a file, a line each. */
static GString *
list_tasks (const SsappStudyPlan *plan, GHashTable *runs, const char *folder, guint *n)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GString *lines = g_string_new (NULL);

  *n = 0;
  for (guint i = 0; i < ssapp_study_plan_get_count (plan); i++) {
    g_autoptr (SsappStudyTask) task = ssapp_study_plan_get_task (plan, i, FALSE);
    g_autofree char *name = g_strdup_printf ("%u.jsonl", i), *path = g_build_filename (folder, name, NULL);
    if (!g_hash_table_add (seen, g_strdup (task->key)) || (runs != NULL && g_hash_table_contains (runs, task->key)) ||
        g_file_test (path, G_FILE_TEST_EXISTS))
      continue;
    g_string_append_printf (lines, "%u\n", i);
    (*n)++;
  }
  return lines;
}

/* The script of the job array: job k makes the tasks of lines k, k + size, ... */
static char *
make_script (const char *folder, guint size)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *quoted = g_shell_quote (program != NULL ? program : "stickslip-cli"),
                  *where = g_shell_quote (folder);

  return g_strdup_printf ("#!/bin/sh\n"
                          "# The runs of a study, each into one file of events. Afterwards, in any folder:\n"
                          "#   stickslip-cli sweep --merge FOLDER --project FILE\n"
                          "#SBATCH --job-name=stickslip\n"
                          "#SBATCH --array=1-%u\n"
                          "#SBATCH --output=slurm-%%a.log\n"
                          "cd %s || exit 1\n"
                          "line=${SLURM_ARRAY_TASK_ID:?is not set: submit this script to Slurm}\n"
                          "status=0\n"
                          "while task=$(sed -n \"${line}p\" tasks.txt) && [ -n \"$task\" ]; do\n"
                          "  %s sweep --study study.json --task \"$task\" --events \"$task.jsonl\" --quiet\n"
                          "  [ $? -le 1 ] || status=1 # 1: the method found no solution, which the file tells\n"
                          "  line=$((line + %u))\n"
                          "done\n"
                          "exit $status\n",
                          size, where, quoted, size);
}

static gboolean
write_into (const char *folder, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;

  if (ssapp_write_file (path, text, -1, &error))
    return TRUE;
  cli_fail ("%s", error->message);
  return FALSE;
}

/* Runs the command in the folder; what it prints goes through. */
static int
submit (const CliArgs *args, const char *folder)
{
  const char *command = cli_args_text (args, "--submit"), *options = cli_args_text (args, "--slurm-options");
  g_autofree char *line =
      g_strdup_printf ("%s %s job.sh", command != NULL ? command : "sbatch", options != NULL ? options : "");
  const char *const argv[] = {"/bin/sh", "-c", line, NULL};
  g_autoptr (GError) error = NULL;
  int wait_status;

  if (g_spawn_sync (folder, (char **)argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, NULL, &wait_status, &error) &&
      g_spawn_check_wait_status (wait_status, &error))
    return CLI_OK;
  cli_fail ("`%s` failed: %s. The folder %s is ready: submit its job.sh by hand", line, error->message, folder);
  return CLI_BROKEN;
}

/* Tasks that are left, script, submission. */
static int
write_folder (const CliArgs *args, const SsappStudy *study, const char *folder, GHashTable *runs)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SsappStudyPlan) plan = ssapp_study_plan_new (study, &error);
  guint n;

  if (plan == NULL)
    return cli_fail ("%s", error->message);
  for (guint a = 0; a < study->axes->len; a++)
    for (guint i = 0; ((SsappStudyAxis *)g_ptr_array_index (study->axes, a))->kind == SSAPP_AXIS_GUESS &&
                      ((SsappStudyAxis *)g_ptr_array_index (study->axes, a))->values[i] != NULL;
         i++) {
      const char *guess = ((SsappStudyAxis *)g_ptr_array_index (study->axes, a))->values[i];
      if (strcmp (guess, SSAPP_STUDY_GUESS_SCENARIO) != 0 && strcmp (guess, SSAPP_STUDY_GUESS_ZEROS) != 0)
        return cli_fail ("--slurm: a guess from run %s needs its project, which a cluster does not see", guess);
    }
  if (!make_folder (folder, study))
    return CLI_BAD_INPUT;
  g_autoptr (GString) tasks = list_tasks (plan, runs, folder, &n);
  const guint size = MIN (n, ARRAY_MAX);
  g_autofree char *script = make_script (folder, MAX (size, 1));
  if (!write_into (folder, "tasks.txt", tasks->str) || !write_into (folder, "job.sh", script))
    return CLI_BROKEN;
  if (n == 0) {
    fprintf (stderr, "all %u tasks have a run: nothing is submitted\n", ssapp_study_plan_get_count (plan));
    return CLI_OK;
  }
  const int status = submit (args, folder);
  g_autofree char *quoted = g_shell_quote (folder);
  if (status == CLI_OK && !cli_args_flag (args, "--quiet"))
    fprintf (stderr, "%u tasks in %u jobs. When they have ended: stickslip-cli sweep --merge %s --project FILE\n", n,
             size, quoted);
  return status;
}

int
cli_sweep_slurm (const CliArgs *args)
{
  const gboolean is_new = cli_args_text (args, "--resume") == NULL;
  g_autofree char *folder = g_canonicalize_filename (cli_args_text (args, "--slurm"), NULL);
  g_autoptr (SsappStudy) study = is_new ? cli_sweep_read_study (args) : NULL;
  g_autoptr (GHashTable) runs = NULL;
  g_autoptr (GError) error = NULL;
  int status = CLI_OK;

  if (is_new && study == NULL)
    return CLI_BAD_INPUT;
  SsappStore *store = cli_open_project (args, is_new, &status);
  if (status != CLI_OK)
    return status;
  if (!is_new && store == NULL)
    return cli_fail ("--resume needs --project FILE");
  if (!is_new)
    study = resume_study (args, store);
  if (study != NULL && store != NULL) {
    g_autofree char *id = cli_sweep_keep_study (store, study, &error);
    runs = id != NULL ? ssapp_store_list_study_runs (store, id, &error) : NULL;
  }
  if (error != NULL)
    status = cli_fail ("%s", error->message);
  else
    status = study != NULL ? write_folder (args, study, folder, runs) : CLI_BAD_INPUT;
  return cli_close_project (&store) == CLI_OK ? status : CLI_BROKEN;
}

/* ---- merging ----------------------------------------------------------------------------------------------------- */

static void
print_merge (const CliArgs *args, const SsappStudyMerge *told)
{
  for (guint i = 0; i < told->faults->len; i++)
    cli_fail ("left out: %s", (char *)g_ptr_array_index (told->faults, i));
  if (!cli_args_flag (args, "--json")) {
    printf ("%u runs came in, %u were here already", told->n_new, told->n_known);
    if (told->n_answered > 0)
      printf (", %u tasks have another run", told->n_answered);
    if (told->faults->len > 0)
      printf (", %u files were left out", told->faults->len);
    if (told->n_missing > 0)
      printf (", %u tasks have no file yet", told->n_missing);
    printf ("\n");
    return;
  }
  json_t *faults = json_array ();
  for (guint i = 0; i < told->faults->len; i++)
    json_array_append_new (faults, json_string (g_ptr_array_index (told->faults, i)));
  json_t *json =
      json_pack ("{s:i, s:i, s:i, s:i, s:i, s:o}", "format", 1, "new", (int)told->n_new, "known", (int)told->n_known,
                 "answered", (int)told->n_answered, "missing", (int)told->n_missing, "faults", faults);
  cli_print_json (json);
  json_decref (json);
}

/* Tasks write whole motions, which the merge judges again; the project then keeps of them what the study says. */
static gboolean
keep_less (SsappStore *store, const char *id, const SsappStudy *study, GError **error)
{
  g_autoptr (GHashTable) runs = NULL;
  g_autoptr (GPtrArray) ids = g_ptr_array_new (); /* of the table */
  GHashTableIter iter;
  gpointer run;

  if (study->keep == SSAPP_KEEP_ALL)
    return TRUE;
  runs = ssapp_store_list_study_runs (store, id, error);
  if (runs == NULL)
    return FALSE;
  g_hash_table_iter_init (&iter, runs);
  while (g_hash_table_iter_next (&iter, NULL, &run))
    g_ptr_array_add (ids, run);
  g_ptr_array_add (ids, NULL);
  return ssapp_store_shrink_runs (store, (const char *const *)ids->pdata, study->keep, error);
}

int
cli_sweep_merge (const CliArgs *args)
{
  const char *folder = cli_args_text (args, "--merge");
  g_autofree char *path = g_build_filename (folder, "study.json", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (SsappStudy) study = ssapp_study_read_file (path, &error);
  SsappStudyMerge told = {0};
  int status;

  if (study == NULL)
    return cli_fail ("--merge: %s", error->message);
  SsappStore *store = cli_open_project (args, TRUE, &status);
  if (store == NULL)
    return status != CLI_OK ? status : cli_fail ("--merge needs --project FILE");
  status = cli_require_writable (&store);
  if (status != CLI_OK)
    return status;
  g_autofree char *id = cli_sweep_keep_study (store, study, &error);
  if (id != NULL && ssapp_study_merge_events (store, id, folder, &told, &error) &&
      (told.n_new == 0 || keep_less (store, id, study, &error))) {
    print_merge (args, &told);
    status = told.faults->len > 0 ? CLI_NO_SUCCESS : CLI_OK;
  } else {
    cli_fail ("%s", error->message);
    status = CLI_BROKEN;
  }
  g_clear_pointer (&told.faults, g_ptr_array_unref);
  return cli_close_project (&store) == CLI_OK ? status : CLI_BROKEN;
}
