/* app/export/ssapp-export-picture.c: what can be painted as the bytes of a PDF, SVG or PNG file. */
#include "app/export/ssapp-export-private.h"
#include "app/export/ssapp-svg.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <math.h>
#include <string.h>

#define CREATOR "Stickslip " SS_VERSION

static cairo_status_t
append_bytes (void *closure, const unsigned char *data, unsigned int length)
{
  g_byte_array_append (closure, data, length);
  return CAIRO_STATUS_SUCCESS;
}

/* Paints on a surface and finishes it. */
static cairo_status_t
paint_on (cairo_surface_t *surface, const SsappSheet *sheet, double zoom)
{
  SsappStyle style;
  cairo_t *cr = cairo_create (surface);
  ssapp_style_init_paper (&style);
  cairo_set_source_rgb (cr, 1, 1, 1); /* also where the last pixel is covered in part only */
  if (zoom != 1.)
    cairo_paint (cr);
  cairo_scale (cr, zoom, zoom);
  sheet->paint (cr, &style, sheet->data, sheet->width, sheet->height);
  cairo_status_t status = cairo_status (cr);
  cairo_destroy (cr);
  return status;
}

/* Where a text begins between two places of a file, which has zeros too; `end` where it is not. */
static gsize
find_text (const GByteArray *bytes, gsize begin, gsize end, const char *text)
{
  const gsize n = strlen (text);

  for (gsize at = begin; at + n <= end; at++)
    if (memcmp (bytes->data + at, text, n) == 0)
      return at;
  return end;
}

/* LaTeX warns of pages on which two pictures have a transparency group of their own; a page needs none, since it is
 * one. Blanked in place, so that the file's table of places still holds. */
static void
drop_page_group (GByteArray *pdf)
{
  const gsize page = find_text (pdf, 0, pdf->len, "<< /Type /Page ");
  const gsize limit = find_text (pdf, page, pdf->len, "/Resources");
  const gsize from = find_text (pdf, page, limit, "/Group <<"), to = find_text (pdf, from, limit, ">>");

  if (limit < pdf->len && to < limit)
    memset (pdf->data + from, ' ', to + 2 - from);
}

static cairo_status_t
make_pdf (const SsappSheet *sheet, GByteArray *out)
{
  cairo_surface_t *surface = cairo_pdf_surface_create_for_stream (append_bytes, out, sheet->width, sheet->height);
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_TITLE, sheet->title);
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATOR, CREATOR);
  cairo_status_t status = paint_on (surface, sheet, 1.);
  cairo_surface_finish (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  drop_page_group (out);
  return status;
}

/* Inserts `text` behind the first `after` or, with before, before the last one. */
static void
insert_at (GString *svg, const char *mark, gboolean before, const char *text)
{
  char *at = before ? g_strrstr (svg->str, mark) : strstr (svg->str, mark);
  if (at != NULL)
    g_string_insert (svg, at - svg->str + (before ? 0 : (gssize)strlen (mark)), text);
}

static cairo_status_t
make_svg (const SsappSheet *sheet, GByteArray *out)
{
  cairo_surface_t *surface = cairo_svg_surface_create_for_stream (append_bytes, out, sheet->width, sheet->height);
  GString *svg, *texts = g_string_new (NULL);

  ssapp_text_record_start (surface);
  cairo_status_t status = paint_on (surface, sheet, 1.);
  ssapp_text_record_to_svg (surface, texts);
  cairo_surface_finish (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  svg = g_string_new_len ((const char *)out->data, out->len);
  ssapp_svg_shrink (svg);
  insert_at (svg, "</svg>", TRUE, texts->str);
  char *escaped = g_markup_escape_text (sheet->title, -1);
  char *head = g_strdup_printf ("\n<title>%s</title>\n<desc>Made by " CREATOR "</desc>", escaped);
  char *open = strstr (svg->str, "<svg "), *close = open != NULL ? strchr (open, '>') : NULL;
  if (close != NULL)
    g_string_insert (svg, close - svg->str + 1, head);
  g_byte_array_set_size (out, 0);
  g_byte_array_append (out, (const guint8 *)svg->str, (guint)svg->len);
  g_free (head);
  g_free (escaped);
  g_string_free (svg, TRUE);
  g_string_free (texts, TRUE);
  return status;
}

guint32
ssapp_crc32 (const guint8 *data, gsize n)
{
  guint32 crc = 0xFFFFFFFFu;
  for (gsize i = 0; i < n; i++) {
    crc ^= data[i];
    for (int bit = 0; bit < 8; bit++)
      crc = crc & 1 ? 0xEDB88320u ^ (crc >> 1) : crc >> 1;
  }
  return ~crc;
}

static void
put_big_endian (guint8 *at, guint32 value)
{
  for (int i = 0; i < 4; i++)
    at[i] = (guint8)(value >> (24 - 8 * i));
}

/* The chunk that says how large the picture is on paper; Cairo writes none. It belongs behind IHDR, which ends at byte
 * 33. */
static void
insert_resolution (GByteArray *png, double dpi)
{
  enum { IHDR_END = 33, CHUNK = 21 };
  guint8 chunk[CHUNK] = {0, 0, 0, 9, 'p', 'H', 'Y', 's'};
  guint32 per_metre = (guint32)lround (dpi * 1000. / SSAPP_MM_PER_INCH);

  if (png->len < IHDR_END)
    return;
  put_big_endian (chunk + 8, per_metre);
  put_big_endian (chunk + 12, per_metre);
  chunk[16] = 1; /* per metre */
  put_big_endian (chunk + 17, ssapp_crc32 (chunk + 4, 13));
  guint old = png->len;
  g_byte_array_set_size (png, old + CHUNK);
  memmove (png->data + IHDR_END + CHUNK, png->data + IHDR_END, old - IHDR_END);
  memcpy (png->data + IHDR_END, chunk, CHUNK);
}

cairo_status_t
ssapp_surface_to_png (cairo_surface_t *surface, double dpi, GByteArray *out)
{
  const cairo_status_t status = cairo_surface_write_to_png_stream (surface, append_bytes, out);

  if (status == CAIRO_STATUS_SUCCESS)
    insert_resolution (out, dpi);
  return status;
}

static cairo_status_t
make_png (const SsappSheet *sheet, GByteArray *out)
{
  double zoom = sheet->dpi / SSAPP_PT_PER_INCH;
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int)lround (sheet->width * zoom),
                                                         (int)lround (sheet->height * zoom));
  cairo_status_t status = cairo_surface_status (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = paint_on (surface, sheet, zoom);
  if (status == CAIRO_STATUS_SUCCESS)
    status = ssapp_surface_to_png (surface, sheet->dpi, out);
  cairo_surface_destroy (surface);
  return status;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static gboolean
check_cairo (cairo_status_t status, const char *path, GError **error)
{
  if (status == CAIRO_STATUS_SUCCESS)
    return TRUE;
  return ssapp_export_fail (path, G_IO_ERROR_FAILED, cairo_status_to_string (status), error);
}

static gboolean
write_made (cairo_status_t (*make) (const SsappSheet *sheet, GByteArray *out), const SsappSheet *sheet,
            const char *path, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  return check_cairo (make (sheet, bytes), path, error) &&
         ssapp_write_file (path, (const char *)bytes->data, bytes->len, error);
}

gboolean
ssapp_write_pdf (const SsappSheet *sheet, const char *path, GError **error)
{
  return write_made (make_pdf, sheet, path, error);
}

gboolean
ssapp_write_svg (const SsappSheet *sheet, const char *path, GError **error)
{
  return write_made (make_svg, sheet, path, error);
}

gboolean
ssapp_write_png (const SsappSheet *sheet, const char *path, GError **error)
{
  return write_made (make_png, sheet, path, error);
}
