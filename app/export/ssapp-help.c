/* app/export/ssapp-help.c: see the header. A line of data/help.txt is "# name Title" (a page begins), "## Heading",
 * "| keys | what they do |", empty (a paragraph ends), or words. */
#include "app/export/ssapp-help.h"

#include "app/base/ssapp-file.h"
#include "app/export/ssapp-file-kind.h"
#include "help-text.h"

#include <cairo-pdf.h>
#include <gio/gio.h>
#include <pango/pangocairo.h>
#include <string.h>

#define FONT_POINTS 10.0
#define A4_WIDTH    595.0 /* pt */
#define A4_HEIGHT   842.0
#define MARGIN      64.0 /* pt */

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

GPtrArray *
ssapp_help_pages (void)
{
  GPtrArray *pages = g_ptr_array_new_with_free_func (page_free);
  g_auto (GStrv) parts = g_strsplit (help_text, "\n# ", -1);

  for (int i = 0; parts[i] != NULL; i++) {
    const char *head = i == 0 && g_str_has_prefix (parts[0], "# ") ? parts[0] + 2 : parts[i];
    const char *space = strchr (head, ' '), *end = strchr (head, '\n');
    SsappHelpPage *page;
    if (space == NULL || end == NULL || space > end)
      continue;
    page = g_new0 (SsappHelpPage, 1);
    page->name = g_strndup (head, (gsize)(space - head));
    page->title = g_strndup (space + 1, (gsize)(end - space - 1));
    page->body = g_strstrip (g_strdup (end + 1));
    g_ptr_array_add (pages, page);
  }
  return pages;
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

/* ---- words ------------------------------------------------------------------------------------------------------- */

/* Halves of "| keys | what |": FALSE if the line is none. */
static gboolean
split_keys (const char *line, char **keys, char **what)
{
  const char *bar = line[0] == '|' ? strchr (line + 1, '|') : NULL;

  if (bar == NULL)
    return FALSE;
  *keys = g_strstrip (g_strndup (line + 1, (gsize)(bar - line - 1)));
  *what = g_strdup (bar + 1);
  if (g_str_has_suffix (*what, "|"))
    (*what)[strlen (*what) - 1] = '\0';
  g_strstrip (*what);
  return TRUE;
}

char *
ssapp_help_to_text (const SsappHelpPage *page)
{
  g_return_val_if_fail (page != NULL, NULL);

  g_auto (GStrv) lines = g_strsplit (page->body, "\n", -1);
  GString *text = g_string_new (NULL);
  g_string_append_printf (text, "%s\n\n", page->title);
  for (int i = 0; lines[i] != NULL; i++) {
    g_autofree char *keys = NULL, *what = NULL;
    if (split_keys (lines[i], &keys, &what))
      g_string_append_printf (text, "  %-*s  %s\n", 22 + (int)(strlen (keys) - (gsize)g_utf8_strlen (keys, -1)), keys,
                              what);
    else
      g_string_append_printf (text, "%s\n", g_str_has_prefix (lines[i], "## ") ? lines[i] + 3 : lines[i]);
  }
  return g_string_free (text, FALSE);
}

char *
ssapp_help_to_markup (const SsappHelpPage *page)
{
  g_return_val_if_fail (page != NULL, NULL);

  g_auto (GStrv) lines = g_strsplit (page->body, "\n", -1);
  GString *markup = g_string_new (NULL);
  for (int i = 0; lines[i] != NULL; i++) {
    const gboolean is_heading = g_str_has_prefix (lines[i], "## ");
    g_autofree char *keys = NULL, *what = NULL, *plain = g_markup_escape_text (lines[i] + (is_heading ? 3 : 0), -1);
    if (i > 0)
      g_string_append_c (markup, '\n');
    if (split_keys (lines[i], &keys, &what)) {
      g_autofree char *pair = g_markup_printf_escaped ("<b>%s</b>  %s", keys, what);
      g_string_append (markup, pair);
    } else if (is_heading)
      g_string_append_printf (markup, "<span size=\"larger\" weight=\"bold\">%s</span>", plain);
    else
      g_string_append (markup, plain);
  }
  return g_string_free (markup, FALSE);
}

/* ---- print ------------------------------------------------------------------------------------------------------- */

struct SsappHelpPrint {
  PangoLayout *layout;
  GArray *first; /* line with which each sheet begins, then the number of lines: ints */
};

SsappHelpPrint *
ssapp_help_print_new (cairo_t *cr, const SsappHelpPage *page, double width, double height, double dpi)
{
  g_return_val_if_fail (cr != NULL && page != NULL && width > 0 && height > 0 && dpi > 0, NULL);

  SsappHelpPrint *print = g_new0 (SsappHelpPrint, 1);
  PangoFontDescription *font = pango_font_description_from_string ("Cantarell, sans-serif");
  g_autofree char *body = ssapp_help_to_markup (page), *title = g_markup_escape_text (page->title, -1);
  g_autofree char *all = g_strdup_printf ("<span size=\"x-large\" weight=\"bold\">%s</span>\n\n%s", title, body);
  double top = 0;

  print->layout = pango_cairo_create_layout (cr);
  print->first = g_array_new (FALSE, FALSE, sizeof (int));
  pango_font_description_set_absolute_size (font, FONT_POINTS * dpi / 72 * PANGO_SCALE);
  pango_layout_set_font_description (print->layout, font);
  pango_font_description_free (font);
  pango_layout_set_width (print->layout, (int)(width * PANGO_SCALE));
  pango_layout_set_wrap (print->layout, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_markup (print->layout, all, -1);
  const int n_lines = pango_layout_get_line_count (print->layout);
  PangoLayoutIter *iter = pango_layout_get_iter (print->layout);
  for (int line = 0; line < n_lines; line++) {
    int y0, y1;
    pango_layout_iter_get_line_yrange (iter, &y0, &y1);
    if (line == 0 || (double)y1 / PANGO_SCALE - top > height) {
      g_array_append_val (print->first, line);
      top = (double)y0 / PANGO_SCALE;
    }
    pango_layout_iter_next_line (iter);
  }
  pango_layout_iter_free (iter);
  g_array_append_val (print->first, n_lines);
  return print;
}

int
ssapp_help_print_n_sheets (const SsappHelpPrint *print)
{
  g_return_val_if_fail (print != NULL, 0);
  return (int)print->first->len - 1;
}

void
ssapp_help_print_draw (const SsappHelpPrint *print, cairo_t *cr, int sheet)
{
  g_return_if_fail (print != NULL && cr != NULL && sheet >= 0 && sheet < ssapp_help_print_n_sheets (print));

  const int begin = g_array_index (print->first, int, sheet), end = g_array_index (print->first, int, sheet + 1);
  PangoLayoutIter *iter = pango_layout_get_iter (print->layout);
  double top = 0;
  cairo_set_source_rgb (cr, 0, 0, 0);
  for (int line = 0; line < end; line++) {
    int y0, y1;
    PangoRectangle box;
    pango_layout_iter_get_line_yrange (iter, &y0, &y1);
    pango_layout_iter_get_line_extents (iter, NULL, &box);
    if (line == begin)
      top = (double)y0 / PANGO_SCALE;
    if (line >= begin) {
      cairo_move_to (cr, (double)box.x / PANGO_SCALE,
                     (double)pango_layout_iter_get_baseline (iter) / PANGO_SCALE - top);
      pango_cairo_show_layout_line (cr, pango_layout_iter_get_line_readonly (iter));
    }
    pango_layout_iter_next_line (iter);
  }
  pango_layout_iter_free (iter);
}

void
ssapp_help_print_free (SsappHelpPrint *print)
{
  if (print == NULL)
    return;
  g_object_unref (print->layout);
  g_array_unref (print->first);
  g_free (print);
}

static cairo_status_t
append (void *closure, const unsigned char *data, unsigned int length)
{
  g_byte_array_append (closure, data, length);
  return CAIRO_STATUS_SUCCESS;
}

static void
draw_page (cairo_t *cr, const SsappHelpPage *page)
{
  SsappHelpPrint *print = ssapp_help_print_new (cr, page, A4_WIDTH - 2 * MARGIN, A4_HEIGHT - 2 * MARGIN, 72);

  for (int sheet = 0; sheet < ssapp_help_print_n_sheets (print); sheet++) {
    cairo_save (cr);
    cairo_translate (cr, MARGIN, MARGIN);
    ssapp_help_print_draw (print, cr, sheet);
    cairo_restore (cr);
    cairo_show_page (cr);
  }
  ssapp_help_print_free (print);
}

gboolean
ssapp_help_export_pdf (const SsappHelpPage *const *pages, int n_pages, const char *path, GError **error)
{
  g_return_val_if_fail (pages != NULL && n_pages > 0 && path != NULL, FALSE);
  if (!ssapp_endings_check ("guide", path, error))
    return FALSE;

  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  cairo_surface_t *surface = cairo_pdf_surface_create_for_stream (append, bytes, A4_WIDTH, A4_HEIGHT);
  cairo_t *cr = cairo_create (surface);
  cairo_status_t status;
  for (int i = 0; i < n_pages; i++)
    draw_page (cr, pages[i]);
  cairo_destroy (cr);
  cairo_surface_finish (surface);
  status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    return ssapp_write_file (path, (const char *)bytes->data, bytes->len, error);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s could not be written: %s", path,
               cairo_status_to_string (status));
  return FALSE;
}
