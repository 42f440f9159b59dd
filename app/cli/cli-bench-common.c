/* app/cli/cli-bench-common.c: see the header. */
#include "app/cli/cli-bench-common.h"

#include "app/base/ssapp-file.h"
#include "app/base/ssapp-method-list.h"

#include <math.h>
#include <stdio.h>

int
cli_bench_fail (char *message)
{
  const int status = cli_fail ("%s", message);

  g_free (message);
  return status;
}

int
cli_bench_count (const CliArgs *args, const char *name, int fallback, int most)
{
  const char *text = cli_args_text (args, name);
  double value = fallback;

  if ((text == NULL || ss_parse_double (text, &value)) && value >= 1 && value <= most && value == floor (value))
    return (int)value;
  cli_fail ("option %s: a whole number between 1 and %d is expected", name, most);
  return 0;
}

double
cli_bench_positive (const CliArgs *args, const char *name, double fallback, gboolean is_inclusive)
{
  const double value = cli_args_number (args, name, fallback);

  if (value > 0 || (is_inclusive && value == 0))
    return value;
  cli_fail ("option %s: a number %s 0 is expected", name, is_inclusive ? "not below" : "above");
  return NAN;
}

/* NULL after an error. */
static GPtrArray *
read_methods (const CliArgs *args, const CliBenchAsk *ask)
{
  g_autofree char *everything = ssapp_method_list_all (ask->kind);
  const char *list = cli_args_text (args, "--methods"), *fallback = *ask->methods != '\0' ? ask->methods : everything;
  GPtrArray *pairs = cli_args_list (args, "--option");
  char *message = NULL;
  GPtrArray *methods = ssapp_bench_methods_parse (ask->kind, list != NULL ? list : fallback, &message);

  for (guint i = 0; methods != NULL && i < pairs->len; i++) {
    const char *value;
    g_autofree char *name = NULL;
    cli_args_split (g_ptr_array_index (pairs, i), &name, &value);
    if (!ssapp_bench_methods_set (methods, name, value, &message))
      g_clear_pointer (&methods, g_ptr_array_unref);
  }
  if (methods == NULL)
    cli_bench_fail (message);
  return methods;
}

gboolean
cli_bench_ask (const CliArgs *args, const CliBenchAsk *ask, CliBenchAsked *asked)
{
  enum { MAX_COUNT = 10000, MAX_REPEATS = 1000 };
  const char *seed = cli_args_text (args, "--seed"), *problems = cli_args_text (args, "--problems");

  *asked = (CliBenchAsked){.seed = seed != NULL ? g_ascii_strtoull (seed, NULL, 10) : 1};
  asked->problems = problems != NULL ? g_strsplit (problems, ",", -1) : NULL;
  for (int i = 0; asked->problems != NULL && asked->problems[i] != NULL; i++)
    g_strstrip (asked->problems[i]);
  return (ask->methods == NULL || (asked->methods = read_methods (args, ask)) != NULL) &&
         (ask->count == 0 || (asked->count = cli_bench_count (args, "--count", ask->count, MAX_COUNT)) > 0) &&
         (ask->repeats == 0 || (asked->repeats = cli_bench_count (args, "--repeats", ask->repeats, MAX_REPEATS)) > 0) &&
         (ask->steps == 0 || (asked->steps = cli_bench_count (args, "--steps", ask->steps, CLI_BENCH_MAX_STEPS)) > 0) &&
         (ask->cpu_limit == 0 ||
          !isnan (asked->cpu_limit = cli_bench_positive (args, "--cpu-limit", ask->cpu_limit, FALSE)));
}

void
cli_bench_asked_clear (CliBenchAsked *asked)
{
  g_clear_pointer (&asked->methods, g_ptr_array_unref);
  g_clear_pointer (&asked->problems, g_strfreev);
}

int
cli_bench_write_csv (const char *path, const char *text)
{
  GError *error = NULL;

  if (path == NULL || ssapp_write_file (path, text, -1, &error))
    return CLI_OK;
  cli_fail ("%s", error->message);
  g_error_free (error);
  return CLI_BROKEN;
}

static void
say_line (const char *line)
{
  fprintf (stderr, "%s\n", line);
}

SsappBenchSay
cli_bench_listener (const CliArgs *args)
{
  return cli_args_flag (args, "--json") || cli_args_flag (args, "--quiet") ? NULL : say_line;
}

int
cli_bench_print_sheet (const CliArgs *args, const char *suite, SsappBenchSheet *sheet, const char *csv,
                       gboolean is_success)
{
  const gboolean is_complete = !cli_was_cancelled ();
  SsappTableFormat format = SSAPP_TABLE_TEXT;

  if (cli_args_text (args, "--format") != NULL)
    ssapp_table_format_from_name (cli_args_text (args, "--format"), &format);
  if (cli_args_flag (args, "--json")) {
    json_t *json = json_pack ("{s:i, s:s, s:b, s:o, s:o}", "format", 1, "suite", suite, "complete", is_complete,
                              "machine", ssapp_bench_machine (), "tables", ssapp_bench_sheet_to_json (sheet));
    cli_print_json (json);
    json_decref (json);
  } else {
    g_autofree char *text = ssapp_bench_sheet_write (sheet, format);
    fputs (text, stdout);
  }
  ssapp_bench_sheet_free (sheet);
  if (csv != NULL && cli_bench_write_csv (cli_args_text (args, "--to"), csv) != CLI_OK)
    return CLI_BROKEN;
  return !is_complete ? CLI_STOPPED : is_success ? CLI_OK : CLI_NO_SUCCESS;
}
