/* app/cli/cli-bench-closed.c: suite closed-forms of the verb `bench`. */
#include "app/cli/cli-bench-common.h"

#include "app/base/ssapp-file.h"
#include "app/bench/ssapp-bench-closed.h"

#include <stdio.h>

/* Why runs failed and scenes were refused. */
static void
say_messages (const SsappBenchClosed *bench)
{
  const GArray *rows = ssapp_bench_closed_rows (bench);

  for (guint i = 0; i < rows->len; i++) {
    const SsappClosedRow *row = &g_array_index (rows, SsappClosedRow, i);
    if (*row->message != '\0')
      printf ("%s, %s: %s\n", ssapp_bench_closed_problem (bench, row), ssapp_bench_closed_method (bench, row),
              row->message);
  }
}

/* Prints the table of orders, or the runs as JSON, and writes the table where --table says. */
static int
tell (const CliArgs *args, const SsappBenchClosed *bench)
{
  const char *path = cli_args_text (args, "--table");
  const gboolean is_success = ssapp_bench_closed_n_failed (bench) == 0;
  g_autoptr (SsappTable) table = ssapp_bench_closed_table (bench);
  g_autoptr (GError) error = NULL;
  SsappTableFormat format;
  int status = cli_was_cancelled () ? CLI_STOPPED : is_success ? CLI_OK : CLI_NO_SUCCESS;

  if (cli_args_flag (args, "--json"))
    status = cli_bench_print_sheet (args, "closed-forms", ssapp_bench_closed_sheet (bench), NULL, is_success);
  else {
    g_autofree char *text = ssapp_table_write (table, SSAPP_TABLE_TEXT);
    fputs (text, stdout);
    say_messages (bench);
  }
  if (path != NULL && ssapp_table_format_of_path (path, &format)) {
    g_autofree char *text = ssapp_table_write (table, format);
    if (!ssapp_write_file (path, text, -1, &error)) {
      cli_fail ("%s", error->message);
      return CLI_BROKEN;
    }
  }
  return status;
}

int
cli_bench_closed_forms (const CliArgs *args, const CliBenchAsked *asked)
{
  const SsappBenchClosedPlan plan = {.methods = asked->methods,
                                     .problems = (const char *const *)asked->problems,
                                     .control = cli_control (),
                                     .say = cli_bench_listener (args)};
  g_autoptr (GError) error = NULL;
  SsappBenchClosed *bench = ssapp_bench_closed_new (&plan, &error);
  const int status = bench != NULL ? tell (args, bench) : cli_fail ("%s", error->message);

  ssapp_bench_closed_free (bench);
  return status;
}
