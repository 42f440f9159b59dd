/* app/export/ssapp-help-print.c: pages of the manual on sheets of paper, by Pango. See the header. */
#include "app/export/ssapp-help.h"

#include "app/base/ssapp-file.h"
#include "app/export/ssapp-file-kind.h"

#include <cairo-pdf.h>
#include <gio/gio.h>
#include <pango/pangocairo.h>
#include <string.h>

#define FONT_POINTS 10.0
#define A4_WIDTH    595.0 /* pt */
#define A4_HEIGHT   842.0
#define MARGIN      64.0 /* pt */

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
  g_autoptr (GPtrArray) no_pages = g_ptr_array_new (); /* a sheet has no links */
  g_autoptr (GPtrArray) sections = ssapp_help_sections (page, no_pages, SSAPP_HELP_MARKUP);
  g_autoptr (GString) all = g_string_new (NULL);
  g_autofree char *title = g_markup_escape_text (page->title, -1);
  double top = 0;

  g_string_append_printf (all, "<span size=\"x-large\" weight=\"bold\">%s</span>\n\n", title);
  for (guint i = 0; i < sections->len; i++)
    g_string_append (all, ((SsappHelpSection *)g_ptr_array_index (sections, i))->words);
  print->layout = pango_cairo_create_layout (cr);
  print->first = g_array_new (FALSE, FALSE, sizeof (int));
  pango_font_description_set_absolute_size (font, FONT_POINTS * dpi / 72 * PANGO_SCALE);
  pango_layout_set_font_description (print->layout, font);
  pango_font_description_free (font);
  pango_layout_set_width (print->layout, (int)(width * PANGO_SCALE));
  pango_layout_set_wrap (print->layout, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_markup (print->layout, all->str, -1);
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
