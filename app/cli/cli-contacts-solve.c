/* app/cli/cli-contacts-solve.c: the verb contacts on problems of single steps: solve, convert, schema. Tested in
 * tests/cli/test-contacts.sh. */
#include "app/cli/cli-common.h"

#include "app/base/ssapp-text.h"
#include "app/bench/ssapp-bench-contacts.h"
#include "app/cli/cli-contacts.h"
#include "app/steps/ssapp-step-file.h"

#include "step-problem-schema.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double CPU_SECONDS = 10, TOLERANCE = 1e-8, WIDTH = 88;
/* Rows of a table that people read at once; with more problems the summary says it. */
enum { SHOWN_PROBLEMS = 20 };

/* ---- what is asked for ------------------------------------------------------------------------------------------- */

gboolean
cli_contacts_read_limits (const CliArgs *args, double cpu_seconds, SsStepLimits *limits)
{
  *limits = (SsStepLimits){.absolute = cli_args_number (args, "--tolerance", TOLERANCE),
                           .relative = cli_args_number (args, "--relative", 0),
                           .iterations = (int)CLAMP (cli_args_number (args, "--iterations", 0), 0, G_MAXINT),
                           .cpu_seconds = cli_args_number (args, "--cpu-limit", cpu_seconds)};
  if (limits->absolute >= 0 && limits->relative >= 0 && isfinite (limits->absolute) && isfinite (limits->relative))
    return TRUE;
  cli_fail ("--tolerance and --relative are numbers, not negative");
  return FALSE;
}

gboolean
cli_contacts_read_plot (const CliArgs *args, SsappContactsPlot *plot)
{
  const char *name = cli_args_text (args, "--plot");

  *plot = SSAPP_CONTACTS_PROFILE;
  for (int i = 0; name != NULL && i < SSAPP_CONTACTS_N_PLOTS; i++)
    if (strcmp (name, ssapp_contacts_plot_names[i]) == 0) {
      *plot = (SsappContactsPlot)i;
      return TRUE;
    }
  if (name == NULL)
    return TRUE;
  g_autofree char *list = g_strjoinv (", ", (char **)(void *)ssapp_contacts_plot_names);
  cli_fail ("--plot: no figure is named '%s' (expected %s)", name, list);
  return FALSE;
}

/* Files, and of folders all that end as problems do, in order. */
static gboolean
add_files (const char *path, GPtrArray *files)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) own = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  if (!g_file_test (path, G_FILE_TEST_IS_DIR)) {
    g_ptr_array_add (files, g_strdup (path));
    return TRUE;
  }
  g_autoptr (GDir) dir = g_dir_open (path, 0, &error);
  if (dir == NULL) {
    cli_fail ("%s", error->message);
    return FALSE;
  }
  while ((name = g_dir_read_name (dir)) != NULL)
    if (ssapp_step_format_of_path (name) != NULL || g_str_has_suffix (name, ".dat"))
      g_ptr_array_add (own, g_build_filename (path, name, NULL));
  g_ptr_array_sort (own, ssapp_text_compare);
  if (own->len == 0) {
    g_autofree char *endings = ssapp_step_endings ();
    cli_fail ("%s has no problems of steps (expected files that end with %s)", path, endings);
    return FALSE;
  }
  for (guint i = 0; i < own->len; i++)
    g_ptr_array_add (files, g_strdup (g_ptr_array_index (own, i)));
  return TRUE;
}

/* ---- solve ------------------------------------------------------------------------------------------------------- */

static int
write_files (const CliArgs *args, const SsappBenchContacts *bench, SsappContactsPlot plot)
{
  const char *figure = cli_args_text (args, "--figure"), *to = cli_args_text (args, "--to");
  g_autoptr (GError) error = NULL;
  SsappTableFormat format;

  if (figure != NULL &&
      !ssapp_bench_contacts_export (bench, plot, cli_args_number (args, "--width", WIDTH), figure, &error)) {
    cli_fail ("%s", error->message);
    return CLI_BROKEN;
  }
  if (to != NULL && ssapp_table_format_of_path (to, &format)) {
    g_autoptr (SsappTable) table = ssapp_bench_contacts_runs (bench);
    return cli_write_table (args, table, format);
  }
  return CLI_OK;
}

int
cli_contacts_tell (const CliArgs *args, const SsappBenchContacts *bench, SsappContactsPlot plot, gboolean with_history)
{
  const guint n_unsolved = ssapp_bench_contacts_n_unsolved (bench);

  if (cli_args_flag (args, "--json")) {
    json_t *result = ssapp_bench_contacts_to_json (bench, with_history);
    cli_print_json (result);
    json_decref (result);
  } else {
    g_autoptr (SsappTable) runs = ssapp_bench_contacts_runs (bench);
    g_autoptr (SsappTable) summary = ssapp_bench_contacts_summary (bench);
    g_autofree char *rows = ssapp_table_write (runs, SSAPP_TABLE_TEXT),
                    *all = ssapp_table_write (summary, SSAPP_TABLE_TEXT);
    if (ssapp_bench_contacts_n_problems (bench) <= SHOWN_PROBLEMS)
      printf ("%s", rows);
    if (ssapp_bench_contacts_n_problems (bench) > 1) {
      g_autoptr (SsappTable) levels = ssapp_bench_contacts_levels (bench);
      g_autofree char *reached = ssapp_table_write (levels, SSAPP_TABLE_TEXT);
      printf ("%s%s", all, reached);
    }
  }
  const int status = write_files (args, bench, plot);
  if (status != CLI_OK)
    return status;
  return cli_was_cancelled () ? CLI_STOPPED : n_unsolved > 0 ? CLI_NO_SUCCESS : CLI_OK;
}

static int
solve (const CliArgs *args)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  SsStepLimits limits;
  SsappContactsPlot plot;
  int status = CLI_OK;

  if (cli_args_n_positional (args) < 2)
    return cli_fail ("'contacts solve' needs FILE...; see `stickslip-cli contacts --help`");
  if (!cli_contacts_read_limits (args, CPU_SECONDS, &limits) || !cli_contacts_read_plot (args, &plot) ||
      cli_check_output (args, "--to") != CLI_OK || cli_check_output (args, "--figure") != CLI_OK)
    return CLI_BAD_INPUT;
  for (int i = 1; i < cli_args_n_positional (args); i++)
    if (!add_files (cli_args_positional (args, i), files))
      return CLI_BAD_INPUT;
  SsappBenchContacts *bench = ssapp_bench_contacts_new (cli_args_text (args, "--solver"), &limits, &error);
  if (bench == NULL)
    return cli_fail ("--solver: %s", error->message);
  cli_watch_signals ();
  for (guint i = 0; i < files->len && status == CLI_OK && !cli_was_cancelled (); i++) {
    const char *path = g_ptr_array_index (files, i);
    SsStepProblem *problem = ssapp_step_read (path, &error);
    if (problem == NULL || !ssapp_bench_contacts_add (bench, path, problem, cli_control (), &error))
      status = cli_fail ("%s", error->message);
    ss_step_problem_free (problem);
    if (!cli_args_flag (args, "--json") && !cli_args_flag (args, "--quiet") && files->len > 1)
      fprintf (stderr, "%u/%u  %s\n", i + 1, files->len, path);
  }
  if (status == CLI_OK)
    status = cli_contacts_tell (args, bench, plot, TRUE);
  ssapp_bench_contacts_free (bench);
  return status;
}

/* ---- convert ----------------------------------------------------------------------------------------------------- */

static int
convert (const CliArgs *args)
{
  const char *as = cli_args_text (args, "--as"), *storage = cli_args_text (args, "--storage");
  const SsappStepFormat *format = as != NULL ? ssapp_step_format_find (as) : NULL;
  g_autoptr (GError) error = NULL;
  int stored = SSAPP_STEP_COLUMNS;

  if (cli_args_n_positional (args) != 3)
    return cli_fail ("'contacts convert' needs IN and OUT; see `stickslip-cli contacts --help`");
  if (as != NULL && format == NULL)
    return cli_fail ("--as: no format is named '%s' (expected json, fc2d or gfc2d)", as);
  for (stored = 0; storage != NULL && stored < SSAPP_STEP_N_STORAGES; stored++)
    if (strcmp (ssapp_step_storage_names[stored], storage) == 0)
      break;
  if (stored == SSAPP_STEP_N_STORAGES)
    return cli_fail ("--storage: '%s' is none (expected columns, triplets or dense)", storage);
  SsStepProblem *problem = ssapp_step_read (cli_args_positional (args, 1), &error);
  if (problem == NULL)
    return cli_fail ("%s", error->message);
  const gboolean ok =
      ssapp_step_write (problem, cli_args_positional (args, 2), format, (SsappStepStorage)stored, FALSE, &error);
  ss_step_problem_free (problem);
  return ok ? CLI_OK : cli_fail ("%s", error->message);
}

/* ---- the verb ---------------------------------------------------------------------------------------------------- */

static int
print_schema (const CliArgs *args)
{
  (void)args;
  fputs (step_problem_schema, stdout);
  return CLI_OK;
}

static const struct {
  const char *name;
  int (*run) (const CliArgs *args);
  const char *const *options; /* beside --json, --quiet */
} modes[] = {
    {"solve", solve,
     (const char *const[]){"--solver", "--tolerance", "--relative", "--iterations", "--cpu-limit", "--plot", "--figure",
                           "--to", "--width", "--json", "--quiet", NULL}},
    {"convert", convert, (const char *const[]){"--as", "--storage", "--quiet", NULL}},
    {"schema", print_schema, (const char *const[]){"--json", "--quiet", NULL}},
};

gboolean
cli_contacts_mode (const CliArgs *args, int *status)
{
  static const char *const own[] = {"--solver", "--tolerance", "--relative", "--iterations", "--cpu-limit", "--plot",
                                    "--figure", "--to",        "--width",    "--as",         "--storage",   NULL};
  const char *name = cli_args_positional (args, 0);

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    if (strcmp (modes[i].name, name) == 0) {
      g_autofree char *mode = g_strconcat (" ", name, NULL);
      *status = cli_args_only (args, mode, modes[i].options, "it is of another form of the verb");
      if (*status == CLI_OK)
        *status = modes[i].run (args);
      return TRUE;
    }
  *status = cli_args_none (args, " FILE", own, "it is of `contacts solve` and `contacts convert`");
  return *status != CLI_OK;
}
