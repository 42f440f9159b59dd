/* app/cli/cli-complete.c: the hidden verb `complete`: what the last word of a command line may become, for the shells'
 * completions (data/completion), from the tables that parser and --help walk.
 *
 *   stickslip-cli complete -- WORD...    those behind the program's name; the last one is completed, may be empty
 *
 * Prints a line a candidate, "WORD\tWHAT IT IS"; a candidate that ends with '=' goes on. No line: a file, or nothing
 * that a table knows. Tests: tests/cli/test-installed.sh */
#include "app/cli/cli-args-private.h"

#include "app/base/ssapp-table.h"
#include "app/base/ssapp-text.h"
#include "app/bench/ssapp-paper.h"
#include "app/export/ssapp-help.h"
#include "app/export/ssapp-plot-kind.h"
#include "app/schema/ssapp-schemas.h"
#include "run/ss-method.h"

#include <stdio.h>
#include <string.h>

typedef struct {
  const CliVerb *verb; /* NULL: the first word is completed */
  char **words;        /* those before the last one, ends with NULL */
  const char *word;    /* the last one */
  const char *kept; /* what stands before the part of it that is completed: "crisp," of "crisp,ip"; owned by `head` */
  char *head;
  const char *part; /* the part, within `word` */
} Ask;

/* A candidate for the part, where it begins so; `end` behind it: "=" or "". */
static void
offer (const Ask *ask, const char *name, const char *end, const char *about)
{
  if (g_str_has_prefix (name, ask->part)) {
    g_autofree char *shown = ssapp_text_visible (about != NULL ? about : "", TRUE);
    printf ("%s%s%s\t%s\n", ask->kept, name, end, shown);
  }
}

/* The part begins behind that byte of the word. */
static void
go_on_behind (Ask *ask, const char *byte)
{
  if (byte == NULL)
    return;
  g_free (ask->head);
  ask->head = g_strndup (ask->word, (gsize)(byte + 1 - ask->word));
  ask->kept = ask->head;
  ask->part = byte + 1;
}

/* ---- what options take ------------------------------------------------------------------------------------------- */

/* Methods of the verb's kind; of a verb of several kinds all of them. */
static void
offer_methods (Ask *ask)
{
  const SsMethodKind kind = ss_method_kind_of_verb (ask->verb->name);

  for (int i = 0; i < ss_method_count (); i++) {
    const SsMethod *method = ss_method_at (i);
    if (method->is_built && (kind == SS_METHOD_KIND_COUNT || kind == method->kind))
      offer (ask, method->name, "", method->summary);
  }
}

/* A list, "crisp,ipopt": its last entry. */
static void
offer_method_list (Ask *ask)
{
  go_on_behind (ask, strrchr (ask->word, ','));
  offer_methods (ask);
}

static void
offer_laws (Ask *ask)
{
  for (int i = 0; i < ss_method_count (); i++)
    if (ss_method_at (i)->kind == SS_METHOD_IMPACT_LAW)
      offer (ask, ss_method_at (i)->name, "", ss_method_at (i)->summary);
}

/* The value of an option among the words before; NULL: it was not given. */
static const char *
value_of (const Ask *ask, const char *option)
{
  for (int i = 0; ask->words[i] != NULL && ask->words[i + 1] != NULL; i++)
    if (strcmp (ask->words[i], option) == 0)
      return ask->words[i + 1];
  return NULL;
}

static void
offer_choices (Ask *ask, const SsOptionSpec *spec)
{
  go_on_behind (ask, strchr (ask->word, '='));
  if (spec->type == SS_OPTION_BOOLEAN) {
    offer (ask, "on", "", spec->summary);
    offer (ask, "off", "", spec->summary);
  }
  for (int i = 0; spec->type == SS_OPTION_CHOICE && spec->choices[i] != NULL; i++)
    offer (ask, spec->choices[i], "", spec->summary);
}

/* Options of the method that was named, else of all that the verb takes; behind '=' the choices. */
static void
offer_method_options (Ask *ask)
{
  const char *named = value_of (ask, "--method"), *sign = strchr (ask->word, '=');
  const SsMethodKind kind = ss_method_kind_of_verb (ask->verb->name);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  named = named != NULL ? named : value_of (ask, "--law");
  for (int i = 0; i < ss_method_count (); i++) {
    const SsMethod *method = ss_method_at (i);
    if (named != NULL ? strcmp (named, method->name) != 0 : kind != SS_METHOD_KIND_COUNT && kind != method->kind)
      continue;
    for (int k = 0; k < method->options->n_specs; k++) {
      const SsOptionSpec *spec = &method->options->specs[k];
      if (!g_hash_table_add (seen, (gpointer)spec->name))
        continue;
      if (sign == NULL)
        offer (ask, spec->name, "=", spec->summary);
      else if (strncmp (ask->word, spec->name, (gsize)(sign - ask->word)) == 0 && spec->name[sign - ask->word] == '\0')
        offer_choices (ask, spec);
    }
  }
}

static void
offer_plots (Ask *ask)
{
  guint n;
  const SsappPlotKind *plots = ssapp_plot_kinds (&n);

  for (guint i = 0; i < n; i++)
    if ((plots[i].of == SSAPP_PLOT_FIT) == ((ask->verb->options & CLI_HAS_FIT) != 0))
      offer (ask, plots[i].file.name, "", plots[i].help);
}

static void
offer_table_formats (Ask *ask)
{
  g_auto (GStrv) names = g_strsplit_set (ssapp_table_format_names (), ", ", -1);
  SsappTableFormat format;

  for (int i = 0; names[i] != NULL; i++)
    if (ssapp_table_format_from_name (names[i], &format))
      offer (ask, names[i], "", NULL);
}

/* ---- what verbs take --------------------------------------------------------------------------------------------- */

static void
offer_papers (Ask *ask)
{
  guint n;
  const SsappPaper *papers = ssapp_papers (&n);

  for (guint i = 0; i < n; i++)
    offer (ask, papers[i].name, "", NULL);
}

static void
offer_pages (Ask *ask)
{
  g_autoptr (GPtrArray) pages = ssapp_help_pages ();

  for (guint i = 0; i < pages->len; i++) {
    const SsappHelpPage *page = g_ptr_array_index (pages, i);
    offer (ask, page->name, "", page->title);
  }
}

static void
offer_schemas (Ask *ask)
{
  for (int i = 0; ssapp_schemas[i] != NULL; i++)
    offer (ask, ssapp_schemas[i]->name, "", NULL);
}

static const struct {
  const char *name; /* of an option, or of a verb for its first argument */
  void (*offer) (Ask *ask);
} tables[] = {
    {"--method", offer_methods},        {"--methods", offer_method_list}, {"--law", offer_laws},
    {"--option", offer_method_options}, {"--plot", offer_plots},          {"--format", offer_table_formats},
    {"methods", offer_methods},         {"paper", offer_papers},          {"guide", offer_pages},
    {"schema", offer_schemas},
};

static void
offer_of (Ask *ask, const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    if (strcmp (tables[i].name, name) == 0)
      tables[i].offer (ask);
}

/* ---- the verb ---------------------------------------------------------------------------------------------------- */

static void
offer_options (const Ask *ask)
{
  guint n;
  const CliOption *options = cli_option_list (&n);

  for (guint i = 0; i < n; i++)
    if (cli_option_find (ask->verb, options[i].name) == &options[i]) {
      g_autofree char *summary = cli_option_summary (&options[i]);
      offer (ask, options[i].name, "", summary);
    }
}

int
cli_complete (const CliVerb *verbs, guint n_verbs, int argc, char **argv)
{
  g_return_val_if_fail (verbs != NULL && argv != NULL, CLI_BROKEN);

  if (argc > 0 && strcmp (argv[0], "--") == 0)
    argc--, argv++;
  if (argc == 0)
    return CLI_OK;
  g_autofree char **before = g_new0 (char *, argc);
  memcpy (before, argv, sizeof *before * (gsize)(argc - 1));
  Ask ask = {.words = before, .word = argv[argc - 1], .kept = "", .part = argv[argc - 1]};
  for (guint i = 0; i < n_verbs && argc > 1; i++)
    if (strcmp (verbs[i].name, before[0]) == 0 || g_strcmp0 (verbs[i].alias, before[0]) == 0)
      ask.verb = &verbs[i];
  const char *last = argc > 2 ? before[argc - 2] : "";
  const CliOption *option = ask.verb != NULL ? cli_option_find (ask.verb, last) : NULL;
  if (argc == 1 || (argc == 2 && strcmp (before[0], "help") == 0)) {
    for (guint i = 0; i < n_verbs; i++)
      offer (&ask, verbs[i].name, "", verbs[i].summary);
  } else if (option != NULL && option->kind != KIND_FLAG) {
    offer_of (&ask, option->name);
  } else if (ask.verb != NULL && ask.word[0] == '-') {
    offer_options (&ask);
  } else if (ask.verb != NULL) {
    offer_of (&ask, ask.verb->name);
  }
  g_free (ask.head);
  return CLI_OK;
}
