/* app/cli/cli-sweep.c: studies from the command line: the queue, what it says on the way and at the end. */
#include "app/cli/cli-common.h"
#include "app/cli/cli-sweep.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-table.h"
#include "app/base/ssapp-text.h"
#include "app/session/ssapp-asked-runs.h"
#include "app/store/ssapp-store-study.h"
#include "app/store/ssapp-store-shrink.h"
#include "app/study/ssapp-study-queue.h"
#include "app/study/ssapp-study-table.h"

#include <glib-unix.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PROGRESS_MS = 2000 }; /* between two lines of progress */

typedef struct {
  const CliArgs *args;
  GMainLoop *loop;
  SsappStore *store;
  SsappStudyQueue *queue;
  char *id;                        /* of the study */
  gboolean is_stopped, is_refuted; /* an assertion does not hold in all runs */
  guint n_told;                    /* ended runs in the newest line of progress */
} Sweep;

/* ---- tables ------------------------------------------------------------------------------------------------------ */

static gboolean
read_format (const CliArgs *args, SsappTableFormat *format)
{
  const char *name = cli_args_text (args, "--format");

  *format = SSAPP_TABLE_TEXT;
  if (name == NULL || ssapp_table_format_from_name (name, format))
    return TRUE;
  cli_fail ("--format: '%s' is none of %s", name, ssapp_table_format_names ());
  return FALSE;
}

/* Takes the table; NULL is allowed. */
static void
print_table (const CliArgs *args, SsappTable *table)
{
  SsappTableFormat format;

  if (table == NULL || !read_format (args, &format))
    return;
  g_autofree char *text = ssapp_table_write (table, format);
  fputs (text, stdout);
  ssapp_table_free (table);
}

/* The rows of a table as a list of objects. */
static json_t *
rows_to_json (const SsappTable *table)
{
  g_autofree char *lines = ssapp_table_write (table, SSAPP_TABLE_JSON_LINES);
  g_auto (GStrv) parts = g_strsplit (lines, "\n", -1);
  json_t *list = json_array ();

  for (guint i = 0; parts[i] != NULL; i++)
    if (parts[i][0] != '\0')
      json_array_append_new (list, json_loads (parts[i], 0, NULL));
  return list;
}

static int
print_tasks (const CliArgs *args, const SsappStudy *study)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SsappStudyPlan) plan = ssapp_study_plan_new (study, &error);

  if (plan == NULL)
    return cli_fail ("%s", error->message);
  SsappTable *table = ssapp_study_tasks_to_table (plan);
  if (cli_args_flag (args, "--json")) {
    json_t *json = json_pack ("{s:i, s:s, s:i, s:o}", "format", 1, "title", study->title, "tasks",
                              (int)ssapp_study_plan_get_count (plan), "runs", rows_to_json (table));
    cli_print_json (json);
    json_decref (json);
    ssapp_table_free (table);
    return CLI_OK;
  }
  print_table (args, table);
  if (!cli_args_flag (args, "--quiet"))
    fprintf (stderr, "%u runs\n", ssapp_study_plan_get_count (plan));
  return CLI_OK;
}

static int
list_studies (const CliArgs *args)
{
  g_autoptr (GError) error = NULL;
  int status;
  SsappStore *store = cli_open_project (args, FALSE, &status);

  if (store == NULL)
    return status != CLI_OK ? status : cli_fail ("--list needs --project FILE");
  g_autoptr (GPtrArray) rows = ssapp_store_list_studies (store, &error);
  if (rows == NULL) {
    cli_fail ("%s", error->message);
    cli_close_project (&store);
    return CLI_BROKEN;
  }
  SsappTable *table = ssapp_table_new ("Studies");
  ssapp_table_add_text_column (table, "id", "Study");
  ssapp_table_add_text_column (table, "title", "Title");
  ssapp_table_add_number_column (table, "ended", "Ended", "", "%.0f", SSAPP_BEST_NONE);
  ssapp_table_add_number_column (table, "runs", "Runs", "", "%.0f", SSAPP_BEST_NONE);
  ssapp_table_add_text_column (table, "created", "Created");
  for (guint i = 0; i < rows->len; i++) {
    const SsappStudyRow *row = g_ptr_array_index (rows, i);
    ssapp_table_begin_row (table);
    ssapp_table_add_text (table, row->id);
    ssapp_table_add_text (table, row->title);
    ssapp_table_add_number (table, row->n_runs);
    ssapp_table_add_number (table, row->n_tasks);
    ssapp_table_add_text (table, row->created);
  }
  if (cli_args_flag (args, "--json")) {
    json_t *list = rows_to_json (table);
    cli_print_json (list);
    json_decref (list);
    ssapp_table_free (table);
  } else {
    print_table (args, table);
  }
  return cli_close_project (&store);
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

/* "about 20 s", "about 3 min" */
static char *
words_of_time (double seconds)
{
  if (seconds < 90)
    return g_strdup_printf ("about %.0f s", ceil (seconds));
  if (seconds < 5400)
    return g_strdup_printf ("about %.0f min", ceil (seconds / 60));
  return g_strdup_printf ("about %.1f h", seconds / 3600);
}

static void
say_progress (Sweep *self)
{
  SsappStudyProgress p;

  ssapp_study_queue_get_progress (self->queue, &p);
  const guint n_ended = p.n_solved + p.n_unsolved;
  if (cli_args_flag (self->args, "--quiet") || n_ended == self->n_told)
    return;
  self->n_told = n_ended;
  fprintf (stderr, "%u of %u runs: %u solved", n_ended, p.n_tasks, p.n_solved);
  if (p.n_unsolved > 0)
    fprintf (stderr, ", %u not", p.n_unsolved);
  if (p.n_limited > 0)
    fprintf (stderr, " (%u by a limit of time or CPU time)", p.n_limited);
  if (p.n_slow > 0)
    fprintf (stderr, " (%u because the machine was too slow)", p.n_slow);
  if (isfinite (p.seconds_left) && p.n_queued + p.n_running > 0) {
    g_autofree char *left = words_of_time (p.seconds_left);
    fprintf (stderr, ", %s left", left);
  }
  fprintf (stderr, "\n");
}

static gboolean
on_progress (gpointer user_data)
{
  say_progress (user_data);
  return G_SOURCE_CONTINUE;
}

static void
on_run_ended (SsappStudyQueue *queue, guint index, gpointer job, Sweep *self)
{
  (void)self;
  const SsappStudyPlan *plan = ssapp_study_queue_get_plan (queue);
  const char *outcome = ssapp_job_get_outcome (job);

  if (strcmp (outcome, "failed") != 0 && strcmp (outcome, "interrupted") != 0)
    return;
  g_autoptr (SsappStudyTask) task = ssapp_study_plan_get_task (plan, index, FALSE);
  g_autofree char *words = ssapp_study_describe_task (ssapp_study_plan_get_study (plan), task);
  cli_fail ("%s: %s: %s", words, outcome, ssapp_job_get_message (job));
}

/* A queue that paused by itself waits for somebody; here is nobody. */
static void
on_changed (SsappStudyQueue *queue, Sweep *self)
{
  if (ssapp_study_queue_get_trouble (queue) == NULL || self->is_stopped)
    return;
  self->is_stopped = TRUE;
  ssapp_study_queue_stop (queue);
}

static void
on_ended (SsappStudyQueue *queue, Sweep *self)
{
  (void)queue;
  g_main_loop_quit (self->loop);
}

static gboolean
on_interrupt (gpointer user_data)
{
  Sweep *self = user_data;

  self->is_stopped = TRUE;
  ssapp_study_queue_stop (self->queue);
  return G_SOURCE_CONTINUE;
}

/* In how many of the runs each assertion of --assert holds; FALSE where one does not hold in all. */
static gboolean
tell_assertions (Sweep *self, const SsappTable *table)
{
  GPtrArray *texts = cli_args_list (self->args, "--assert");
  const guint n = ssapp_table_get_n_rows (table);
  gboolean all_hold = TRUE;

  for (guint i = 0; i < texts->len; i++) {
    const char *value;
    g_autofree char *name = NULL;
    guint n_held = 0;
    cli_args_split (g_ptr_array_index (texts, i), &name, &value);
    const int column = ssapp_table_find_column (table, name);
    for (guint r = 0; column >= 0 && r < n; r++)
      n_held += ssapp_table_get_number (table, r, (guint)column) == 1;
    if (!cli_args_flag (self->args, "--quiet") || n_held < n)
      fprintf (stderr, "--assert %s: holds in %u of %u runs\n", name, n_held, n);
    all_hold = all_hold && n_held == n;
  }
  return all_hold;
}

static void
print_results (Sweep *self)
{
  const SsappStudyPlan *plan = ssapp_study_queue_get_plan (self->queue);
  g_autoptr (GError) error = NULL;
  SsappTable *table = ssapp_study_runs_to_table (plan, self->store, self->id, &error);
  SsappStudyProgress p;

  if (table == NULL) {
    cli_fail ("%s", error->message);
    return;
  }
  self->is_refuted = !tell_assertions (self, table);
  if (!cli_args_flag (self->args, "--json")) {
    print_table (self->args, table);
    return;
  }
  ssapp_study_queue_get_progress (self->queue, &p);
  json_t *json = json_pack ("{s:i, s:s, s:s, s:i, s:i, s:i, s:i, s:i, s:o}", "format", 1, "study", self->id, "title",
                            ssapp_study_plan_get_study (plan)->title, "tasks", (int)p.n_tasks, "solved",
                            (int)p.n_solved, "unsolved", (int)p.n_unsolved, "queued", (int)p.n_queued, "seconds",
                            (int)ceil (p.elapsed), "runs", rows_to_json (table));
  cli_print_json (json);
  json_decref (json);
  ssapp_table_free (table);
}

/* What a study that did not come to its end says, and the exit status. */
static int
end_status (Sweep *self)
{
  const char *trouble = ssapp_study_queue_get_trouble (self->queue);
  SsappStudyProgress p;

  ssapp_study_queue_get_progress (self->queue, &p);
  const guint n_ended = p.n_solved + p.n_unsolved;
  if (trouble != NULL)
    cli_fail ("%s", trouble);
  if (n_ended < p.n_tasks) {
    g_autofree char *quoted = g_shell_quote (ssapp_store_get_path (self->store));
    fprintf (stderr, "%u of %u runs have ended", n_ended, p.n_tasks);
    if (p.n_elsewhere > 0)
      fprintf (stderr, ", %u are made by another program", p.n_elsewhere);
    fprintf (stderr, ". To go on: stickslip-cli sweep --resume %.8s --project %s\n", self->id, quoted);
  }
  if (trouble != NULL)
    return CLI_BROKEN;
  return n_ended < p.n_tasks ? CLI_STOPPED : p.n_unsolved > 0 || self->is_refuted ? CLI_NO_SUCCESS : CLI_OK;
}

static int
run_queue (Sweep *self)
{
  cli_use_own_worker ();
  self->loop = g_main_loop_new (NULL, FALSE);
  g_unix_signal_add (SIGINT, on_interrupt, self);
  g_unix_signal_add (SIGTERM, on_interrupt, self);
  g_timeout_add (PROGRESS_MS, on_progress, self);
  g_signal_connect (self->queue, "run-ended", G_CALLBACK (on_run_ended), self);
  g_signal_connect (self->queue, "changed", G_CALLBACK (on_changed), self);
  g_signal_connect (self->queue, "ended", G_CALLBACK (on_ended), self);
  ssapp_study_queue_start (self->queue);
  if (ssapp_study_queue_is_running (self->queue))
    g_main_loop_run (self->loop);
  say_progress (self);
  print_results (self);
  g_main_loop_unref (self->loop);
  return end_status (self);
}

/* The study that is asked for, kept in the open project. */
static char *
choose_study (Sweep *self, const SsappStudy *study, GError **error)
{
  const char *resume = cli_args_text (self->args, "--resume");

  if (resume == NULL)
    return cli_sweep_keep_study (self->store, study, error);
  SsappStudyRow *row = ssapp_store_get_study (self->store, resume, error);
  char *id = row != NULL ? g_strdup (row->id) : NULL;
  ssapp_study_row_free (row);
  return id;
}

/* Runs that are there answer what is asked now. */
static gboolean
answer_outcomes (Sweep *self, const SsappStudy *study, GError **error)
{
  guint n_mute = 0;

  if (!ssapp_interests_ask_study (self->store, self->id, study->outcomes, &n_mute, error))
    return FALSE;
  if (n_mute > 0 && !cli_args_flag (self->args, "--quiet"))
    fprintf (stderr, "%u runs keep no motion that answers all outcomes\n", n_mute);
  return TRUE;
}

/* The study of the project with other limits, outcomes, title or way of keeping motions. */
static gboolean
change_study (Sweep *self, GError **error)
{
  SsappStudyRow *row = ssapp_store_get_study (self->store, self->id, error);
  json_t *json = row != NULL ? json_loads (row->definition, 0, NULL) : NULL;
  g_autoptr (SsappStudy) study = json != NULL ? ssapp_study_from_json (json, error) : NULL;

  json_decref (json);
  ssapp_study_row_free (row);
  if (study == NULL)
    return FALSE;
  if (!cli_sweep_change_study (self->args, study)) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "the study stays as it was");
    return FALSE;
  }
  json_t *changed = ssapp_study_to_json (study);
  g_autofree char *definition = ssapp_json_text (changed, FALSE);
  json_decref (changed);
  return ssapp_store_set_study (self->store, self->id, study->title, definition, ssapp_study_count (study), error) &&
         answer_outcomes (self, study, error);
}

/* Removes the runs whose outcome is to be made again. */
static gboolean
forget_outcomes (Sweep *self, GError **error)
{
  const char *text = cli_args_text (self->args, "--again");
  g_auto (GStrv) names = g_strsplit (text != NULL ? text : "", ",", -1);

  for (guint i = 0; names[i] != NULL; i++)
    g_strstrip (names[i]);
  if (ssapp_store_forget_study_runs (self->store, self->id, (const char *const *)names, error) >= 0)
    return TRUE;
  g_prefix_error (error, "--again: ");
  return FALSE;
}

static int
run_study (const CliArgs *args, const SsappStudy *study)
{
  Sweep self = {.args = args, .n_told = G_MAXUINT};
  g_autoptr (GError) error = NULL;
  int status;

  self.store = cli_open_project (args, study != NULL, &status);
  if (self.store == NULL)
    return status != CLI_OK ? status : cli_fail ("'sweep' needs --project FILE, which keeps the study and its runs");
  status = cli_require_writable (&self.store);
  if (status != CLI_OK)
    return status;
  self.id = choose_study (&self, study, &error);
  if (self.id != NULL && (study == NULL ? !change_study (&self, &error) : !answer_outcomes (&self, study, &error)))
    g_clear_pointer (&self.id, g_free);
  self.queue =
      self.id != NULL && forget_outcomes (&self, &error) ? ssapp_study_queue_new (self.store, self.id, &error) : NULL;
  if (self.queue != NULL && study == NULL && cli_args_text (args, "--jobs") != NULL)
    ssapp_study_queue_set_workers (self.queue, (guint)CLAMP (cli_args_number (args, "--jobs", 0), 0, 4096));
  status = self.queue != NULL ? run_queue (&self) : cli_fail ("%s", error->message);
  g_clear_object (&self.queue);
  if (status == CLI_BROKEN) /* told */
    g_clear_object (&self.store);
  else if (cli_close_project (&self.store) != CLI_OK)
    status = CLI_BROKEN;
  g_free (self.id);
  return status;
}

/* What a sweep does, told by an option, and the options that go with it: all that it does not read would be ignored. */
static const struct {
  const char *option; /* which chooses it, in this order; NULL: a study, new or known */
  gboolean is_resumed, is_only;
  const char *options[16]; /* is_only: none but these; else: not these */
  const char *why;
} modes[] = {
    {"--list",
     FALSE,
     TRUE,
     {"--list", "--project", "--format", "--json", "--quiet"},
     "it lists the studies of a project"},
    {"--merge",
     FALSE,
     TRUE,
     {"--merge", "--project", "--json", "--quiet"},
     "the study is that of the folder, with its own runs"},
    {"--task",
     FALSE,
     FALSE,
     {"--resume", "--again", "--slurm", "--slurm-options", "--submit", "--dry-run", "--project", "--jobs", "--format",
      "--json"},
     "it makes one run and writes it to --events"},
    {"--slurm",
     TRUE,
     TRUE,
     {"--resume", "--project", "--slurm", "--slurm-options", "--submit", "--quiet"},
     "the study is that of the project, as it is"},
    {"--slurm",
     FALSE,
     FALSE,
     {"--again", "--dry-run", "--events", "--format", "--json"},
     "it writes a folder with a job array"},
    {NULL,
     TRUE,
     TRUE,
     {"--resume", "--project", "--again", "--jobs", "--format", "--json", "--quiet", "--time-limit", "--cpu-limit",
      "--memory-limit", "--title", "--keep", "--outcome", "--assert"},
     "it goes on with the runs of the study of the project; FILE or --study makes another one"},
    {NULL, FALSE, FALSE, {"--slurm-options", "--submit", "--events"}, "that is for --slurm, or --task"},
};

/* CLI_OK where every option that was given is read by what the verb is asked for. */
static int
check_options (const CliArgs *args)
{
  const char *why;

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++) {
    const gboolean is_resumed = cli_args_text (args, "--resume") != NULL;
    if ((modes[i].option != NULL && !cli_args_flag (args, modes[i].option)) || (modes[i].is_resumed && !is_resumed))
      continue;
    const char *of = modes[i].option != NULL ? modes[i].option : is_resumed ? "--resume" : NULL;
    g_autofree char *mode = of != NULL ? g_strdup_printf (" %s", of) : g_strdup ("");
    why = modes[i].why;
    return modes[i].is_only ? cli_args_only (args, mode, modes[i].options, why)
                            : cli_args_none (args, mode, modes[i].options, why);
  }
  return CLI_OK;
}

int
cli_sweep (const CliArgs *args)
{
  const gboolean is_new = cli_args_n_positional (args) > 0 || cli_args_text (args, "--study") != NULL;
  const gboolean is_alone = cli_args_flag (args, "--list") || cli_args_text (args, "--merge") != NULL;
  SsappTableFormat format;

  int status = check_options (args);
  g_autoptr (SsappInterests) asked = status == CLI_OK ? cli_interests (args, &status) : NULL; /* are they any */
  if (asked == NULL)
    return status;
  if (is_alone && is_new)
    return cli_fail ("'sweep %s' takes no study", cli_args_flag (args, "--list") ? "--list" : "--merge");

  if (!read_format (args, &format))
    return CLI_BAD_INPUT;
  if (cli_args_flag (args, "--list"))
    return list_studies (args);
  if (cli_args_text (args, "--merge") != NULL)
    return cli_sweep_merge (args);
  if (cli_args_text (args, "--task") != NULL)
    return cli_sweep_task (args);
  if (is_new == (cli_args_text (args, "--resume") != NULL))
    return cli_fail ("'sweep' needs one of FILE, --study FILE.json and --resume STUDY");
  if (cli_args_text (args, "--slurm") != NULL)
    return cli_sweep_slurm (args);
  if (!is_new)
    return run_study (args, NULL);
  g_autoptr (SsappStudy) study = cli_sweep_read_study (args);
  if (study == NULL)
    return CLI_BAD_INPUT;
  return cli_args_flag (args, "--dry-run") ? print_tasks (args, study) : run_study (args, study);
}
