/* app/export/ssapp-help.c: the pages of the manual, from what the programs carry inside. See the header. */
#include "app/export/ssapp-help.h"

#include "app/export/ssapp-help-words.h"
#include "app/job/ssapp-own.h"

#include <cmark-gfm-core-extensions.h>
#include <gio/gio.h>
#include <string.h>

static const char folder[] = "/org/stickslip/Stickslip/manual/", window_folder[] = "window/";

/* ---- pages ------------------------------------------------------------------------------------------------------- */

static void
page_free (gpointer data)
{
  SsappHelpPage *page = data;

  g_free (page->name);
  g_free (page->title);
  g_free (page->body);
  g_free (page);
}

static SsappHelpPage *
page_new (const char *name)
{
  g_autofree char *path = g_strconcat (folder, name, ".md", NULL);
  g_autoptr (GBytes) bytes = g_resources_lookup_data (path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  SsappHelpPage *page;
  const char *text, *end;

  if (bytes == NULL)
    return NULL;
  text = g_bytes_get_data (bytes, NULL); /* ends with a NUL, as all resources do */
  end = strchrnul (text, '\n');
  page = g_new0 (SsappHelpPage, 1);
  page->name = g_strdup (name);
  page->title = g_strndup (text + (g_str_has_prefix (text, "# ") ? 2 : 0), (gsize)(end - text) - 2);
  page->body = g_strdup (text);
  return page;
}

const SsappHelpPage *
ssapp_help_find (GPtrArray *pages, const char *name)
{
  g_return_val_if_fail (pages != NULL && name != NULL, NULL);

  for (guint i = 0; i < pages->len; i++)
    if (strcmp (((SsappHelpPage *)g_ptr_array_index (pages, i))->name, name) == 0)
      return g_ptr_array_index (pages, i);
  return NULL;
}

static cmark_parser *
parser_new (void)
{
  static gsize is_ready;
  cmark_parser *parser;

  if (g_once_init_enter (&is_ready)) {
    cmark_gfm_core_extensions_ensure_registered ();
    g_once_init_leave (&is_ready, 1);
  }
  parser = cmark_parser_new (CMARK_OPT_DEFAULT);
  cmark_parser_attach_syntax_extension (parser, cmark_find_syntax_extension ("table"));
  return parser;
}

cmark_node *
ssapp_help_parse (const SsappHelpPage *page)
{
  cmark_parser *parser = parser_new ();
  cmark_node *root;

  cmark_parser_feed (parser, page->body, strlen (page->body));
  root = cmark_parser_finish (parser);
  cmark_parser_free (parser);
  return root;
}

/* Pages to which `page` leads and that are not there yet, and below each what it leads to in a folder of its own. */
static void
add_linked (GPtrArray *pages, const SsappHelpPage *page, gboolean is_index)
{
  cmark_node *root = ssapp_help_parse (page);
  cmark_iter *iter = cmark_iter_new (root);

  while (cmark_iter_next (iter) != CMARK_EVENT_DONE) {
    cmark_node *node = cmark_iter_get_node (iter);
    const char *link = cmark_node_get_type (node) == CMARK_NODE_LINK ? cmark_node_get_url (node) : "";
    g_autofree char *name = g_str_has_suffix (link, ".md") ? g_strndup (link, strlen (link) - 3) : NULL;
    SsappHelpPage *next = NULL;
    if (name != NULL && name[0] != '.' && ssapp_help_find (pages, name) == NULL &&
        (is_index || strchr (name, '/') != NULL))
      next = page_new (name);
    if (next == NULL)
      continue;
    g_ptr_array_add (pages, next);
    if (is_index)
      add_linked (pages, next, FALSE);
  }
  cmark_iter_free (iter);
  cmark_node_free (root);
}

GPtrArray *
ssapp_help_pages (void)
{
  GPtrArray *pages = g_ptr_array_new_with_free_func (page_free);
  SsappHelpPage *index = page_new ("README");

  g_return_val_if_fail (index != NULL, pages);
  g_ptr_array_add (pages, index);
  add_linked (pages, index, TRUE);
  return pages;
}

GPtrArray *
ssapp_help_named (GPtrArray *pages, const char *name)
{
  g_return_val_if_fail (pages != NULL && name != NULL, NULL);

  GPtrArray *named = g_ptr_array_new ();
  const SsappHelpPage *exact = ssapp_help_find (pages, name);
  if (exact != NULL)
    g_ptr_array_add (named, (gpointer)exact);
  for (guint i = 0; exact == NULL && i < pages->len; i++) {
    SsappHelpPage *page = g_ptr_array_index (pages, i);
    const char *slash = strrchr (page->name, '/');
    if (slash != NULL && strcmp (slash + 1, name) == 0)
      g_ptr_array_add (named, page);
  }
  return named;
}

GPtrArray *
ssapp_help_of_window (GPtrArray *pages)
{
  g_return_val_if_fail (pages != NULL, NULL);

  GPtrArray *of_window = g_ptr_array_new ();
  for (guint i = 0; i < pages->len; i++)
    if (g_str_has_prefix (((SsappHelpPage *)g_ptr_array_index (pages, i))->name, window_folder))
      g_ptr_array_add (of_window, g_ptr_array_index (pages, i));
  return of_window;
}

char *
ssapp_help_method_page (const SsMethod *method)
{
  g_return_val_if_fail (method != NULL, NULL);
  return ssapp_own_find (method) != NULL
             ? g_strdup ("own-method")
             : g_strdup_printf ("%ss/%s", ss_method_kind_spec (method->kind)->name, method->name);
}
