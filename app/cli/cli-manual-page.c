/* app/cli/cli-manual-page.c: the hidden verb `manual-page`: the page stickslip-cli(1), in man(7)'s language, from
 * the tables that parser and --help walk. Made when the program is built (data/man/meson.build).
 *
 *   stickslip-cli manual-page DATE    DATE: of the release, YYYY-MM-DD
 *
 * Tests: tests/cli/test-installed.sh */
#include "app/cli/cli-args-private.h"

#include "app/export/ssapp-plot-kind.h"
#include "run/ss-run.h"

#include <stdio.h>
#include <string.h>

/* A text as it is, on a line of its own; no word of it is an order to troff. */
static void
print_text (const char *text)
{
  if (text[0] == '.' || text[0] == '\'')
    printf ("\\&");
  for (const char *c = text; *c != '\0'; c++)
    if (*c == '\\')
      printf ("\\e");
    else if (*c == '-')
      printf ("\\-");
    else
      putchar (*c);
}

/* Lines that were broken for a wide terminal are filled anew; one that ends a sentence ends its paragraph. */
static void
print_paragraphs (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (int i = 0; lines[i] != NULL; i++) {
    print_text (g_strchomp (lines[i]));
    printf ("\n%s", lines[i + 1] != NULL && g_str_has_suffix (lines[i], ".") ? ".br\n" : "");
  }
}

/* An entry of a list: in bold and in italics, then what it is. */
static void
print_entry (const char *name, const char *value, const char *about)
{
  printf (".TP\n\\fB");
  print_text (name);
  printf ("\\fR");
  if (value != NULL) {
    printf (" \\fI");
    print_text (value);
    printf ("\\fR");
  }
  printf ("\n");
  print_text (about);
  printf ("\n");
}

static void
print_verb (const CliVerb *verb)
{
  guint n;
  const CliOption *options = cli_option_list (&n);

  printf (".SS ");
  print_text (verb->name);
  printf ("\n.RI \"\\fBstickslip\\-cli ");
  print_text (verb->name);
  printf ("\\fR \" \"");
  print_text (verb->positional);
  printf ("\" \" [options]\"\n.PP\n");
  print_text (verb->summary);
  printf ("\n");
  if (verb->alias != NULL)
    printf ("Also: %s.\n", verb->alias);
  if (verb->details != NULL) {
    printf (".PP\n");
    print_paragraphs (verb->details);
  }
  for (guint i = 0; i < n; i++)
    if (cli_option_find (verb, options[i].name) == &options[i] && strcmp (options[i].name, "--help") != 0) {
      g_autofree char *summary = cli_option_summary (&options[i]);
      print_entry (options[i].name, options[i].value, summary);
    }
}

static void
print_plots (void)
{
  guint n;
  const SsappPlotKind *plots = ssapp_plot_kinds (&n);

  for (guint i = 0; i < n; i++) {
    g_autofree char *endings = ssapp_endings_text (plots[i].file.name);
    print_entry (plots[i].file.name, NULL, endings);
  }
}

int
cli_manual_page (const CliVerb *verbs, guint n_verbs, const char *date)
{
  g_return_val_if_fail (verbs != NULL && date != NULL, CLI_BROKEN);

  printf (".\\\" Made by stickslip-cli manual-page.\n.TH STICKSLIP\\-CLI 1 %s \"stickslip %s\"\n", date, SS_VERSION);
  printf (
      ".SH NAME\nstickslip\\-cli \\- planar contact mechanics from the command line\n"
      ".SH SYNOPSIS\n.B stickslip\\-cli\n.I VERB\n.RI [ arguments ]\n.br\n.B stickslip\\-cli\n.I VERB\n.B \\-\\-help\n"
      ".br\n.B stickslip\\-cli \\-\\-version\n");
  printf (
      ".SH DESCRIPTION\nSimulates rigid bodies with contact, plans motions through contact, computes impacts, keeps "
      "every run\n"
      "in a project, compares methods, and writes figures and tables.\n"
      "Option names may stand anywhere behind the verb, as\n.BI \\-\\-name \" value\"\nor\n.BI \\-\\-name= value .\n"
      "Behind\n.B \\-\\-\nno word is an option.\n");
  printf (".SH VERBS\n");
  for (guint i = 0; i < n_verbs; i++)
    print_verb (&verbs[i]);
  printf (".SH PLOTS\nFormats of each plot of\n.B export\nand\n.BR fit :\n");
  print_plots ();
  printf (".SH \"EXIT STATUS\"\n");
  for (int i = 0; cli_exit_statuses[i] != NULL; i++) {
    char number[8];
    g_snprintf (number, sizeof number, "%d", i);
    print_entry (number, NULL, cli_exit_statuses[i]);
  }
  printf (".SH \"SEE ALSO\"\n.BR stickslip (1),\n.BR stickslip\\-ampl (1)\n");
  return CLI_OK;
}
