/* app/export/ssapp-help-words.c: pages of the manual as text, as Pango's markup and as HTML. See the headers. */
#include "app/export/ssapp-help-words.h"

#include "app/base/ssapp-file.h"
#include "page-manual-css.h"

#include <cmark-gfm-core-extensions.h>
#include <gio/gio.h>
#include <string.h>

/* ---- links --------------------------------------------------------------------------------------------- */

const SsappHelpPage *
ssapp_help_follow (GPtrArray *pages, const SsappHelpPage *page, const char *link, const char **anchor)
{
  static const char root[] = "/data/manual/"; /* so that a way out of it does not come back in */
  const char *hash = strchrnul (link, '#');
  g_autofree char *path = g_strndup (link, (gsize)(hash - link)), *from = g_strconcat (root, page->name, NULL),
                  *here = g_path_get_dirname (from), *there = g_canonicalize_filename (path, here), *name = NULL;

  *anchor = *hash == '#' ? hash + 1 : NULL;
  if (path[0] == '\0')
    return page;
  if (strstr (path, "://") != NULL || !g_str_has_prefix (there, root) || !g_str_has_suffix (there, ".md"))
    return NULL;
  name = g_strndup (there + strlen (root), strlen (there) - strlen (root) - 3);
  return ssapp_help_find (pages, name);
}

static char *
plain_of (cmark_node *node)
{
  GString *plain = g_string_new ("");
  cmark_iter *iter = cmark_iter_new (node);
  cmark_event_type event;

  while ((event = cmark_iter_next (iter)) != CMARK_EVENT_DONE) {
    cmark_node *at = cmark_iter_get_node (iter);
    const cmark_node_type type = cmark_node_get_type (at);
    if (event == CMARK_EVENT_ENTER && (type == CMARK_NODE_TEXT || type == CMARK_NODE_CODE))
      g_string_append (plain, cmark_node_get_literal (at));
    else if (event == CMARK_EVENT_ENTER && (type == CMARK_NODE_SOFTBREAK || type == CMARK_NODE_LINEBREAK))
      g_string_append_c (plain, ' ');
  }
  cmark_iter_free (iter);
  return g_string_free (plain, FALSE);
}

char *
ssapp_help_anchor (cmark_node *heading)
{
  g_autofree char *plain = plain_of (heading), *small = g_utf8_strdown (plain, -1);
  GString *anchor = g_string_new ("");

  for (const char *at = small; *at != '\0'; at = g_utf8_next_char (at)) {
    const gunichar c = g_utf8_get_char (at);
    if (c == ' ')
      g_string_append_c (anchor, '-');
    else if (g_unichar_isalnum (c) || c == '-' || c == '_')
      g_string_append_unichar (anchor, c);
  }
  return g_string_free (anchor, FALSE);
}

/* ---- text and markup --------------------------------------------------------------------------------------------- */

typedef struct {
  GPtrArray *pages, *sections;
  const SsappHelpPage *page;
  SsappHelpForm form;
  GString *out;  /* of the section at hand */
  char *title;   /* of it */
  int cell;      /* of a row of a table */
  gboolean head; /* of the table: its first row */
} Words;

static void
section_free (gpointer data)
{
  SsappHelpSection *section = data;

  g_free (section->title);
  g_free (section->words);
  g_free (section);
}

static void
end_section (Words *self)
{
  SsappHelpSection *section = g_new0 (SsappHelpSection, 1);

  section->title = g_steal_pointer (&self->title);
  section->words = g_strdup (self->out->str);
  g_ptr_array_add (self->sections, section);
  g_string_truncate (self->out, 0);
}

static void
put_mark (Words *self, const char *mark)
{
  if (self->form == SSAPP_HELP_MARKUP)
    g_string_append (self->out, mark);
}

static void
put_words (Words *self, const char *words)
{
  g_autofree char *escaped = self->form == SSAPP_HELP_MARKUP ? g_markup_escape_text (words, -1) : g_strdup (words);

  g_string_append (self->out, escaped);
}

static void
put_code (Words *self, const char *code)
{
  g_auto (GStrv) lines = g_strsplit (code, "\n", -1);

  put_mark (self, "<tt>");
  for (int i = 0; lines[i] != NULL && (lines[i][0] != '\0' || lines[i + 1] != NULL); i++) {
    g_string_append (self->out, "    ");
    put_words (self, lines[i]);
    g_string_append_c (self->out, '\n');
  }
  put_mark (self, "</tt>");
  g_string_append_c (self->out, '\n');
}

static void
put_item (Words *self, cmark_node *item)
{
  cmark_node *list = cmark_node_parent (item);
  int number = cmark_node_get_list_start (list);

  for (cmark_node *before = cmark_node_previous (item); before != NULL; before = cmark_node_previous (before))
    number++;
  if (cmark_node_get_list_type (list) == CMARK_ORDERED_LIST)
    g_string_append_printf (self->out, "%d. ", number);
  else
    g_string_append (self->out, "• ");
}

static void
put_link (Words *self, cmark_node *link, gboolean is_begin)
{
  const char *url = cmark_node_get_url (link), *anchor;
  const SsappHelpPage *there = ssapp_help_follow (self->pages, self->page, url, &anchor);
  g_autofree char *target = there != NULL                    ? g_strconcat ("manual:", there->name, NULL)
                            : g_str_has_prefix (url, "http") ? g_strdup (url)
                                                             : NULL;
  g_autofree char *mark = target == NULL ? g_strdup ("") : g_markup_printf_escaped ("<a href=\"%s\">", target);

  if (target != NULL)
    put_mark (self, is_begin ? mark : "</a>");
}

/* The first cell of a row is bold and of a pair a column of its own in text; the others stand behind it. */
static void
put_cell (Words *self, gboolean is_begin, cmark_node *cell)
{
  g_autofree char *plain = is_begin ? plain_of (cell) : NULL;

  if (is_begin && self->cell > 0 && plain[0] != '\0')
    g_string_append (self->out, self->cell == 1 ? "  " : self->form == SSAPP_HELP_MARKUP ? " · " : "  ");
  if (self->cell == 0 && !self->head)
    put_mark (self, is_begin ? "<b>" : "</b>");
  if (is_begin && self->cell == 0 && self->form == SSAPP_HELP_TEXT)
    g_string_append (self->out, "  ");
  if (!is_begin && self->cell == 0 && self->form == SSAPP_HELP_TEXT) {
    const char *line = strrchr (self->out->str, '\n');
    for (glong n = g_utf8_strlen (line != NULL ? line + 1 : self->out->str, -1); n < 24; n++)
      g_string_append_c (self->out, ' ');
  }
  self->cell += !is_begin;
}

static void
put_table (Words *self, cmark_node *node, gboolean is_begin, const char *type)
{
  if (strcmp (type, "table_cell") == 0) {
    put_cell (self, is_begin, node);
    return;
  }
  if (strcmp (type, "table_header") == 0) {
    self->head = is_begin;
    put_mark (self, is_begin ? "<i>" : "</i>");
  }
  if (strcmp (type, "table") != 0)
    self->cell = 0;
  if (!is_begin)
    g_string_append_c (self->out, '\n');
}

static void
put_heading (Words *self, cmark_node *heading, gboolean is_begin)
{
  if (cmark_node_get_heading_level (heading) == 1) /* the title, of which the reader takes care */
    return;
  if (is_begin) {
    end_section (self);
    self->title = plain_of (heading);
    put_mark (self, "<span size=\"larger\" weight=\"bold\">");
  } else {
    put_mark (self, "</span>");
    g_string_append_c (self->out, '\n');
  }
}

static gboolean
is_title (cmark_node *node)
{
  cmark_node *above = cmark_node_parent (node);

  return above != NULL && cmark_node_get_type (above) == CMARK_NODE_HEADING &&
         cmark_node_get_heading_level (above) == 1;
}

static void
put_node (Words *self, cmark_node *node, gboolean is_begin)
{
  const char *type = cmark_node_get_type_string (node);

  if (g_str_has_prefix (type, "table")) {
    put_table (self, node, is_begin, type);
    return;
  }
  switch ((int)cmark_node_get_type (node)) {
  case CMARK_NODE_HEADING:
    put_heading (self, node, is_begin);
    break;
  case CMARK_NODE_PARAGRAPH:
    if (!is_begin)
      g_string_append (self->out, cmark_node_get_type (cmark_node_parent (node)) == CMARK_NODE_ITEM ? "\n" : "\n\n");
    break;
  case CMARK_NODE_LIST:
    if (!is_begin)
      g_string_append_c (self->out, '\n');
    break;
  case CMARK_NODE_ITEM:
    if (is_begin)
      put_item (self, node);
    break;
  case CMARK_NODE_CODE_BLOCK:
    put_code (self, cmark_node_get_literal (node));
    break;
  case CMARK_NODE_TEXT:
    if (!is_title (node))
      put_words (self, cmark_node_get_literal (node));
    break;
  case CMARK_NODE_CODE:
    put_mark (self, "<tt>");
    put_words (self, cmark_node_get_literal (node));
    put_mark (self, "</tt>");
    break;
  case CMARK_NODE_SOFTBREAK:
    g_string_append_c (self->out, ' ');
    break;
  case CMARK_NODE_LINEBREAK:
    g_string_append_c (self->out, '\n');
    break;
  case CMARK_NODE_EMPH:
    put_mark (self, is_begin ? "<i>" : "</i>");
    break;
  case CMARK_NODE_STRONG:
    put_mark (self, is_begin ? "<b>" : "</b>");
    break;
  case CMARK_NODE_LINK:
    put_link (self, node, is_begin);
    break;
  default:
    break;
  }
}

GPtrArray *
ssapp_help_sections (const SsappHelpPage *page, GPtrArray *pages, SsappHelpForm form)
{
  g_return_val_if_fail (page != NULL && pages != NULL, NULL);

  GPtrArray *sections = g_ptr_array_new_with_free_func (section_free);
  g_autoptr (GString) out = g_string_new ("");
  Words self = {
      .pages = pages, .sections = sections, .page = page, .form = form, .out = out, .title = g_strdup (page->title)};
  cmark_node *root = ssapp_help_parse (page);
  cmark_iter *iter = cmark_iter_new (root);
  cmark_event_type event;
  while ((event = cmark_iter_next (iter)) != CMARK_EVENT_DONE)
    put_node (&self, cmark_iter_get_node (iter), event == CMARK_EVENT_ENTER);
  end_section (&self);
  cmark_iter_free (iter);
  cmark_node_free (root);
  return sections;
}

char *
ssapp_help_to_text (const SsappHelpPage *page)
{
  g_return_val_if_fail (page != NULL, NULL);

  g_autoptr (GPtrArray) pages = g_ptr_array_new (), sections = ssapp_help_sections (page, pages, SSAPP_HELP_TEXT);
  GString *text = g_string_new (page->title);
  g_string_append (text, "\n\n");
  for (guint i = 0; i < sections->len; i++)
    g_string_append (text, ((SsappHelpSection *)g_ptr_array_index (sections, i))->words);
  return g_string_free (text, FALSE);
}

/* ---- HTML -------------------------------------------------------------------------------------------------------- */

static char *
file_of (const SsappHelpPage *page)
{
  return g_strconcat (strcmp (page->name, "README") == 0 ? "index" : page->name, ".html", NULL);
}

/* How many folders a page lies below the index: "../" for each; g_free. */
static char *
way_up (const SsappHelpPage *page)
{
  GString *up = g_string_new ("");

  for (const char *c = page->name; *c != '\0'; c++)
    if (*c == '/')
      g_string_append (up, "../");
  return g_string_free (up, FALSE);
}

/* "<!-- picture NAME: words -->" is the picture, if the folder has it: data/manual_pages.py makes those. */
static void
show_picture (cmark_node *node, const char *folder, const char *up)
{
  static const char begins[] = "<!-- picture ";
  const char *comment = cmark_node_get_literal (node), *colon = strstr (comment, ": "), *end = strstr (comment, " -->");

  if (!g_str_has_prefix (comment, begins) || colon == NULL || end == NULL || end < colon)
    return;
  g_autofree char *name = g_strndup (comment + strlen (begins), (gsize)(colon - comment) - strlen (begins)),
                  *words = g_strndup (colon + 2, (gsize)(end - colon) - 2),
                  *path = g_build_filename (folder, name, NULL),
                  *html = g_markup_printf_escaped (
                      "<figure><img src=\"%s%s\" alt=\"%s\"><figcaption>%s</figcaption></figure>\n", up, name, words,
                      words);
  if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
    cmark_node_set_literal (node, html);
}

/* Links to pages lead to their files, pictures lie beside the index, headings are named. What leads out of the manual
 * is words. */
static void
make_browsable (cmark_node *root, GPtrArray *pages, const SsappHelpPage *page, const char *folder)
{
  cmark_iter *iter = cmark_iter_new (root);
  cmark_event_type event;
  g_autofree char *up = way_up (page);

  while ((event = cmark_iter_next (iter)) != CMARK_EVENT_DONE) {
    cmark_node *node = cmark_iter_get_node (iter);
    const cmark_node_type type = cmark_node_get_type (node);
    const char *url = type == CMARK_NODE_LINK || type == CMARK_NODE_IMAGE ? cmark_node_get_url (node) : "", *anchor;
    if (type == CMARK_NODE_HTML_BLOCK)
      show_picture (node, folder, up);
    if (event != CMARK_EVENT_EXIT)
      continue;
    if (type == CMARK_NODE_HEADING) {
      g_autofree char *name = ssapp_help_anchor (node), *html = g_markup_printf_escaped ("<a id=\"%s\"></a>", name);
      cmark_node *mark = cmark_node_new (CMARK_NODE_HTML_INLINE);
      cmark_node_set_literal (mark, html);
      cmark_node_prepend_child (node, mark);
    } else if (type == CMARK_NODE_IMAGE) {
      g_autofree char *name = g_path_get_basename (url), *beside = g_strconcat (up, name, NULL);
      cmark_node_set_url (node, beside);
    } else if (type == CMARK_NODE_LINK && !g_str_has_prefix (url, "http")) {
      const SsappHelpPage *there = ssapp_help_follow (pages, page, url, &anchor);
      g_autofree char *file = there != NULL ? file_of (there) : NULL,
                      *target = there != NULL ? g_strconcat (up, file, anchor != NULL ? "#" : "",
                                                             anchor != NULL ? anchor : "", NULL)
                                              : NULL;
      cmark_node_set_url (node, target != NULL ? target : "");
    }
  }
  cmark_iter_free (iter);
}

static char *
html_of (GPtrArray *pages, const SsappHelpPage *page, const char *folder)
{
  cmark_node *root = ssapp_help_parse (page);
  cmark_llist *extensions =
      cmark_llist_append (cmark_get_default_mem_allocator (), NULL, cmark_find_syntax_extension ("table"));
  g_autofree char *up = way_up (page), *title = g_markup_escape_text (page->title, -1);
  GString *html = g_string_new ("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                                "<meta name=\"viewport\" content=\"width=device-width\">\n");
  char *body;

  make_browsable (root, pages, page, folder);
  body = cmark_render_html (root, CMARK_OPT_UNSAFE, extensions); /* our own pages: comments and anchors stay */
  g_string_append_printf (html, "<title>%s - Stickslip</title>\n<style>\n%s</style></head><body>\n<nav><ul>\n", title,
                          page_manual_css);
  for (guint i = 0; i < pages->len; i++) {
    const SsappHelpPage *other = g_ptr_array_index (pages, i);
    g_autofree char *file = file_of (other), *name = g_markup_escape_text (other->title, -1);
    g_string_append_printf (html, "<li%s><a href=\"%s%s\"%s>%s</a></li>\n",
                            strchr (other->name, '/') != NULL ? " class=\"sub\"" : "", up, file,
                            other == page ? " aria-current=\"page\"" : "", name);
  }
  g_string_append_printf (html, "</ul></nav>\n<main>\n%s</main></body></html>\n", body);
  cmark_get_default_mem_allocator ()->free (body);
  cmark_llist_free (cmark_get_default_mem_allocator (), extensions);
  cmark_node_free (root);
  return g_string_free (html, FALSE);
}

gboolean
ssapp_help_export_html (GPtrArray *pages, const char *folder, GError **error)
{
  g_return_val_if_fail (pages != NULL && folder != NULL, FALSE);

  for (guint i = 0; i < pages->len; i++) {
    const SsappHelpPage *page = g_ptr_array_index (pages, i);
    g_autofree char *html = html_of (pages, page, folder), *name = file_of (page),
                    *path = g_build_filename (folder, name, NULL), *above = g_path_get_dirname (path);
    if (g_mkdir_with_parents (above, 0777) != 0) {
      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "%s: the folder cannot be made: %s", above,
                   g_strerror (errno));
      return FALSE;
    }
    if (!ssapp_write_file (path, html, strlen (html), error))
      return FALSE;
  }
  return TRUE;
}
