/* app/cli/cli-paper.c: the verb `paper`: tables and figures of the papers beside ours. */
#include "app/cli/cli-common.h"

#include "app/base/ssapp-file.h"
#include "app/bench/ssapp-paper-book.h"
#include "app/bench/ssapp-paper-index.h"
#include "app/bench/ssapp-paper.h"
#include "app/export/ssapp-file-kind.h"

#include <stdio.h>
#include <string.h>

enum { MOST_PRINTED = 200 }; /* rows of a table on the terminal: samples and curves have thousands */

/* What is told of the papers without running anything: ssapp_paper_index. */
static const struct {
  const char *name, *title;
  gboolean errata;
} indexes[] = {
    {"equations", "Each numbered item: what it says, the lines that implement it, the tests that check it", FALSE},
    {"errata", "What is misprinted, and the tests that hold what is meant", TRUE},
};

static void
say_line (const char *line)
{
  fprintf (stderr, "%s\n", line);
}

static json_t *
paper_to_json (const SsappPaper *paper)
{
  json_t *object = json_pack ("{s:s, s:s, s:s, s:s, s:s, s:s}", "name", paper->name, "topic", paper->topic, "label",
                              paper->label, "title", paper->title, "place", paper->place, "words", paper->words);

  json_object_set_new (object, "quick", paper->quick != NULL ? json_string (paper->quick) : json_null ());
  json_object_set_new (object, "all", paper->all != NULL ? json_string (paper->all) : json_null ());
  return object;
}

static int
list_papers (const CliArgs *args)
{
  json_t *list = json_array ();
  guint n;
  const SsappPaper *papers = ssapp_papers (&n);

  for (guint i = 0; i < n; i++)
    if (cli_args_flag (args, "--json"))
      json_array_append_new (list, paper_to_json (&papers[i]));
    else
      printf ("%-30s %s\n%-30s %s\n", papers[i].name, papers[i].title, "", papers[i].place);
  for (guint i = 0; !cli_args_flag (args, "--json") && i < G_N_ELEMENTS (indexes); i++)
    printf ("%-30s %s\n", indexes[i].name, indexes[i].title);
  if (cli_args_flag (args, "--json"))
    cli_print_json (list);
  json_decref (list);
  return CLI_OK;
}

static int
fail_unknown (const char *name)
{
  guint n;
  const SsappPaper *papers = ssapp_papers (&n);
  g_autofree const char **names = g_new (const char *, n);

  for (guint i = 0; i < n; i++)
    names[i] = papers[i].name;
  const char *nearest = ss_nearest_name (name, names, (int)n);
  if (nearest != NULL)
    return cli_fail ("no table or figure is named '%s'; did you mean '%s'?", name, nearest);
  return cli_fail ("no table or figure is named '%s'; `stickslip-cli paper --list` lists them", name);
}

/* All tables in a format that holds several; of the others the first one, which is the paper's. Of tables with more
 * rows than `most` the number of rows is told instead. */
static char *
write_tables (const GPtrArray *tables, SsappTableFormat format, guint most)
{
  const gboolean holds_several =
      format == SSAPP_TABLE_TEXT || format == SSAPP_TABLE_MARKDOWN || format == SSAPP_TABLE_LATEX;
  GString *out = g_string_new ("");

  for (guint i = 0; i < tables->len && (i == 0 || holds_several); i++) {
    const SsappTable *table = g_ptr_array_index (tables, i);
    const guint n = ssapp_table_get_n_rows (table);
    g_autofree char *text = n > most ? g_strdup_printf ("%u rows: --to FOLDER/ or --json writes them\n", n)
                                     : ssapp_table_write (table, format);
    if (i > 0)
      g_string_append_c (out, '\n');
    if (format == SSAPP_TABLE_TEXT)
      g_string_append_printf (out, "%s\n", ssapp_table_get_title (table));
    else if (format == SSAPP_TABLE_LATEX)
      g_string_append_printf (out, "%% %s\n", ssapp_table_get_title (table));
    g_string_append (out, text);
  }
  return g_string_free (out, FALSE);
}

/* "agreed: order: ours 2.01, paper 2" a line. */
static void
print_verdicts (const json_t *verdicts)
{
  const json_t *row;
  size_t i;

  if (json_array_size (verdicts) > 0)
    printf ("\n");
  json_array_foreach (verdicts, i, row)
  {
    g_autofree char *ours = ssapp_paper_value_text (json_object_get (row, "ours")),
                    *paper = ssapp_paper_paper_text (row);
    const char *reason = json_string_value (json_object_get (row, "reason"));
    printf ("%s: %s: ours %s, paper %s%s%s\n", json_string_value (json_object_get (row, "verdict")),
            json_string_value (json_object_get (row, "what")), ours, paper, *reason != '\0' ? ". " : "", reason);
  }
}

static int
print_document (const CliArgs *args, const SsappPaper *paper, json_t *document)
{
  const char *path = cli_args_text (args, "--to");
  GPtrArray *tables = ssapp_paper_read (document);
  g_autoptr (GError) error = NULL;
  SsappTableFormat format;
  int status = json_is_true (json_object_get (document, "complete")) ? CLI_OK : CLI_STOPPED;

  if (cli_args_flag (args, "--json")) {
    cli_print_json (document);
  } else {
    g_autofree char *text = write_tables (tables, SSAPP_TABLE_TEXT, MOST_PRINTED);
    printf ("%s\n%s\n\n%s", paper->title, paper->place, text);
    print_verdicts (json_object_get (document, "verdicts"));
  }
  if (path != NULL && !ssapp_endings_check ("picture", path, NULL) && ssapp_table_format_of_path (path, &format)) {
    g_autofree char *text = write_tables (tables, format, G_MAXUINT);
    if (!ssapp_write_file (path, text, -1, &error)) {
      cli_fail ("%s", error->message);
      status = CLI_BROKEN;
    }
  }
  g_ptr_array_unref (tables);
  return status;
}

/* `paper equations [PAPER]`, `paper errata [PAPER]`. */
static int
print_index (const CliArgs *args, gboolean errata)
{
  const char *path = cli_args_text (args, "--to");
  SsappTableFormat format = cli_args_flag (args, "--json") ? SSAPP_TABLE_JSON_LINES : SSAPP_TABLE_TEXT;
  g_autoptr (GError) error = NULL;
  g_autoptr (SsappTable) table =
      ssapp_paper_index (cli_args_n_positional (args) > 1 ? cli_args_positional (args, 1) : NULL, errata, &error);

  if (table == NULL || cli_check_output (args, "--to") != CLI_OK)
    return table == NULL ? cli_fail ("%s", error->message) : CLI_BAD_INPUT;
  if (path != NULL && !ssapp_table_format_of_path (path, &format))
    return cli_fail ("--to %s: formats are %s", path, ssapp_table_format_names ());
  g_autofree char *text = ssapp_table_write (table, format);
  if (path == NULL)
    fputs (text, stdout);
  else if (!ssapp_write_file (path, text, -1, &error))
    return cli_fail ("%s", error->message);
  return CLI_OK;
}

/* Items that could not be made are named: a full disk, an example that is not there. */
static int
tell_problems (const json_t *told)
{
  const json_t *item;
  size_t i;
  int status = CLI_OK;

  json_array_foreach (json_object_get (told, "items"), i, item)
  {
    const char *problem = json_string_value (json_object_get (item, "problem"));
    if (problem == NULL)
      continue;
    cli_fail ("%s: %s", json_string_value (json_object_get (item, "name")), problem);
    status = CLI_BROKEN;
  }
  return status;
}

/* `paper all`, `paper PAPER`, `paper NAME --to FOLDER/`: everything into a folder. */
static int
make_book (const CliArgs *args, const char *which)
{
  const SsappPaperBookPlan plan = {.which = which,
                                   .folder = cli_args_text (args, "--to"),
                                   .is_quick = cli_args_flag (args, "--quick"),
                                   .is_usual = ssapp_paper_find (which) != NULL && !cli_args_flag (args, "--all"),
                                   .control = cli_control (),
                                   .say = cli_args_flag (args, "--quiet") ? NULL : say_line};
  g_autoptr (GError) error = NULL;

  if (plan.folder == NULL)
    return cli_fail ("paper %s writes into a folder: --to FOLDER", which);
  if (cli_args_text (args, "--methods") != NULL)
    return cli_fail ("option --methods is for a single table");
  cli_watch_signals ();
  json_t *told = ssapp_paper_book_make (&plan, &error);
  if (told == NULL) {
    cli_fail ("%s", error->message);
    return CLI_BROKEN;
  }
  const int status = json_is_true (json_object_get (told, "complete")) ? CLI_OK : CLI_STOPPED;
  g_autofree char *page = g_build_filename (plan.folder, "index.html", NULL);
  g_autofree char *count = ssapp_paper_count_text ((guint)json_array_size (json_object_get (told, "items")));
  if (cli_args_flag (args, "--json"))
    cli_print_json (told);
  else
    printf ("%s: %s; %d agreed, %d refuted, of which %d nobody can explain, %d not "
            "reproducible, %d not run\n",
            page, count, (int)json_integer_value (json_object_get (told, "agreed")),
            (int)json_integer_value (json_object_get (told, "refuted")),
            (int)json_integer_value (json_object_get (told, "unexplained")),
            (int)json_integer_value (json_object_get (told, "not_reproducible")),
            (int)json_integer_value (json_object_get (told, "not_run")));
  const int made = tell_problems (told);
  json_decref (told);
  return status != CLI_OK ? status : made;
}

/* Whether the name, or the file that is asked for, means a folder. */
static gboolean
is_book (const CliArgs *args, const char *name)
{
  const char *path = cli_args_text (args, "--to");
  g_autoptr (GPtrArray) list = ssapp_paper_book_list (name);

  return list != NULL && (ssapp_paper_find (name) == NULL ||
                          (path != NULL && (g_str_has_suffix (path, "/") || g_file_test (path, G_FILE_TEST_IS_DIR))));
}

int
cli_paper (const CliArgs *args)
{
  const char *name = cli_args_n_positional (args) > 0 ? cli_args_positional (args, 0) : NULL;
  SsappPaperPlan plan = {.extent = SSAPP_PAPER_USUAL, .methods = cli_args_text (args, "--methods")};
  g_autofree char *message = NULL;

  if (name == NULL || cli_args_flag (args, "--list"))
    return list_papers (args);
  for (guint i = 0; i < G_N_ELEMENTS (indexes); i++)
    if (strcmp (name, indexes[i].name) == 0)
      return print_index (args, indexes[i].errata);
  if (cli_args_n_positional (args) > 1)
    return cli_fail ("one table or figure at a time");
  if (is_book (args, name))
    return make_book (args, name);
  const SsappPaper *paper = ssapp_paper_find (name);
  if (paper == NULL)
    return fail_unknown (name);
  if (cli_args_flag (args, "--quick") && paper->quick == NULL)
    return cli_fail ("%s has no --quick: it is quick as it is", name);
  if (cli_args_flag (args, "--all") && paper->all == NULL)
    return cli_fail ("%s has no --all: there is no more of it", name);
  if (plan.methods != NULL && !paper->takes_methods)
    return cli_fail ("%s takes no --methods: it runs the methods that the paper has", name);
  if (cli_check_output (args, "--to") != CLI_OK)
    return CLI_BAD_INPUT;
  plan.extent = cli_args_flag (args, "--quick") ? SSAPP_PAPER_QUICK
                : cli_args_flag (args, "--all") ? SSAPP_PAPER_ALL
                                                : SSAPP_PAPER_USUAL;
  if (cli_args_text (args, "--to") != NULL && ssapp_endings_check ("picture", cli_args_text (args, "--to"), NULL))
    plan.picture = cli_args_text (args, "--to");
  if (plan.picture != NULL && !ssapp_paper_has_picture (paper))
    return cli_fail ("--to %s: %s has no picture; its tables are written as %s", plan.picture, name,
                     ssapp_table_format_names ());
  cli_watch_signals ();
  plan.control = cli_control ();
  plan.say = cli_args_flag (args, "--quiet") ? NULL : say_line;
  json_t *document = ssapp_paper_run (paper, &plan, &message);
  if (document == NULL)
    return cli_fail ("%s", message);
  const int status = print_document (args, paper, document);
  json_decref (document);
  return status;
}
