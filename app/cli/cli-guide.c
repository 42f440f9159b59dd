/* app/cli/cli-guide.c: the help of the window's pages, printed. */
#include "app/cli/cli-common.h"

#include "app/export/ssapp-help.h"

static int
fail_unknown (GPtrArray *pages, const char *name)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < pages->len; i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", ((SsappHelpPage *)g_ptr_array_index (pages, i))->name);
  return cli_fail ("there is no help of '%s' (%s)", name, names->str);
}

int
cli_guide (const CliArgs *args)
{
  g_autoptr (GPtrArray) pages = ssapp_help_pages (), chosen = g_ptr_array_new ();
  const char *path = cli_args_text (args, "--to");
  g_autoptr (GError) error = NULL;

  for (int i = 0; i < cli_args_n_positional (args); i++) {
    const SsappHelpPage *page = ssapp_help_find (pages, cli_args_positional (args, i));
    if (page == NULL)
      return fail_unknown (pages, cli_args_positional (args, i));
    g_ptr_array_add (chosen, (gpointer)page);
  }
  for (guint i = 0; cli_args_n_positional (args) == 0 && i < pages->len; i++)
    g_ptr_array_add (chosen, g_ptr_array_index (pages, i));
  if (path != NULL) {
    if (!ssapp_help_export_pdf ((const SsappHelpPage *const *)chosen->pdata, (int)chosen->len, path, &error))
      return cli_fail ("%s", error->message);
    return CLI_OK;
  }
  for (guint i = 0; i < chosen->len; i++) {
    g_autofree char *text = ssapp_help_to_text (g_ptr_array_index (chosen, i));
    printf ("%s%s", i > 0 ? "\n" : "", text);
  }
  return CLI_OK;
}
