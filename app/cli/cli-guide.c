/* app/cli/cli-guide.c: the manual: its pages printed, a search in it, and all of it as pages for a browser. */
#include "app/cli/cli-common.h"

#include "app/export/ssapp-file-kind.h"
#include "app/export/ssapp-help.h"

enum { HITS_SHOWN = 8 };

/* FALSE: nothing in the manual has any of the words. */
static gboolean
print_hits (GPtrArray *pages, const char *words)
{
  g_autoptr (GPtrArray) hits = ssapp_help_search (pages, words);

  for (guint i = 0; i < MIN (hits->len, HITS_SHOWN); i++) {
    const SsappHelpHit *hit = g_ptr_array_index (hits, i);
    printf ("%s%s: %s\n  %s\n", i > 0 ? "\n" : "", hit->page->name, hit->title, hit->excerpt);
  }
  return hits->len > 0;
}

static void
print_pages (GPtrArray *pages)
{
  for (guint i = 0; i < pages->len; i++) {
    g_autofree char *text = ssapp_help_to_text (g_ptr_array_index (pages, i));
    printf ("%s%s", i > 0 ? "\n" : "", text);
  }
}

/* Into a PDF, or a folder for a browser. */
static int
write_pages (GPtrArray *pages, GPtrArray *chosen, const char *path)
{
  g_autoptr (GError) error = NULL;

  if (!ssapp_endings_check ("guide", path, &error))
    return cli_fail ("%s", error->message);
  if (g_str_has_suffix (path, "/")
          ? !ssapp_help_export_html (pages, path, &error)
          : !ssapp_help_export_pdf ((const SsappHelpPage *const *)chosen->pdata, (int)chosen->len, path, &error))
    return cli_fail ("%s", error->message);
  return CLI_OK;
}

int
cli_guide (const CliArgs *args)
{
  g_autoptr (GPtrArray) pages = ssapp_help_pages (), chosen = g_ptr_array_new ();
  const char *path = cli_args_text (args, "--to");
  g_autoptr (GString) words = g_string_new (NULL);
  gboolean are_pages = TRUE;

  for (int i = 0; i < cli_args_n_positional (args); i++) {
    g_autoptr (GPtrArray) named = ssapp_help_named (pages, cli_args_positional (args, i));
    g_string_append_printf (words, "%s%s", i > 0 ? " " : "", cli_args_positional (args, i));
    are_pages = are_pages && named->len > 0;
    g_ptr_array_extend (chosen, named, NULL, NULL);
  }
  if (!are_pages && path != NULL)
    return cli_fail ("the manual has no pages of all of these names: %s (`stickslip-cli guide README` lists them)",
                     words->str);
  if (!are_pages)
    return print_hits (pages, words->str) ? CLI_OK : cli_fail ("nothing in the manual has '%s'", words->str);
  if (cli_args_n_positional (args) == 0) {
    g_autoptr (GPtrArray) of_window = ssapp_help_of_window (pages);
    g_ptr_array_extend (chosen, of_window, NULL, NULL);
  }
  if (path != NULL)
    return write_pages (pages, chosen, path);
  print_pages (chosen);
  return CLI_OK;
}
