/* app/cli/cli-bench-laws.c: suite laws of the verb `bench`. */
#include "app/cli/cli-bench-common.h"

#include "app/bench/ssapp-bench-laws.h"
#include "app/bench/ssapp-paper-item.h"

/* The curves of a defect over the step, as --figure. */
static gboolean
draw_laws (const SsappBenchSheet *sheet, const char *defect, const char *path, GError **error)
{
  json_t *document = json_pack ("{s:o}", "tables", ssapp_bench_sheet_to_documents (sheet));
  g_autoptr (GPtrArray) tables = ssapp_paper_read (document);
  const SsappPaperChart chart = {.key = defect,
                                 .title = defect,
                                 .table = "numbers",
                                 .x = "dt",
                                 .y = defect,
                                 .group = "method",
                                 .x_label = "Step [s]",
                                 .y_label = defect,
                                 .x_log = TRUE,
                                 .y_log = TRUE};

  json_decref (document);
  return ssapp_paper_chart_export (&chart, g_ptr_array_index (tables, 1), path, error);
}

int
cli_bench_laws (const CliArgs *args, const CliBenchAsked *asked)
{
  const SsappBenchLawsPlan plan = {
      .methods = asked->methods, .control = cli_control (), .say = cli_bench_listener (args)};
  const char *defect = cli_args_text (args, "--plot"), *figure = cli_args_text (args, "--figure");
  g_autoptr (GError) error = NULL;
  const char *known[SSAPP_LAWS_DEFECTS + 1] = {NULL};

  for (guint d = 0; d < SSAPP_LAWS_DEFECTS; d++)
    known[d] = ssapp_laws_defect (d);
  if (defect != NULL && !g_strv_contains (known, defect)) {
    g_autofree char *list = g_strjoinv (", ", (char **)(void *)known);
    return cli_fail ("--plot: laws have no '%s' (expected %s)", defect, list);
  }
  SsappBenchSheet *sheet = ssapp_bench_laws (&plan);
  if (figure != NULL && !draw_laws (sheet, defect != NULL ? defect : known[0], figure, &error)) {
    ssapp_bench_sheet_free (sheet);
    return cli_fail ("%s", error->message);
  }
  return cli_bench_print_sheet (args, "laws", sheet, NULL, TRUE);
}
