/* app/export/ssapp-export.c: files: pictures by the figure painter, tables as CSV, all written beside the target and
 * renamed.
 *
 * Everything is made in memory first, so a failure while drawing or writing leaves the target as it was.
 */
#include "app/export/ssapp-export-private.h"
#include "app/export/ssapp-svg.h"

#include "app/base/ssapp-ending.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <gio/gio.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "run/ss-run.h"

#define CREATOR "Stickslip " SS_VERSION

static const double MM_PER_INCH = 25.4, PT_PER_INCH = 72.;
/* Sizes that make sense on paper, and what Cairo's image surfaces hold. */
static const double WIDTH_MIN_MM = 20., WIDTH_MAX_MM = 2000., DPI_MIN = 20., DPI_MAX = 2400.;
enum { IMAGE_MAX_PX = 32000 };

/* ---- pictures ---------------------------------------------------------------------------------------------------- */

typedef enum {
  FORMAT_PDF,
  FORMAT_SVG,
  FORMAT_PNG,
  FORMAT_WEBP,
  FORMAT_CSV,
  FORMAT_JSON,
  FORMAT_GIF,
  FORMAT_ZIP,
  FORMAT_PGF,
  FORMAT_FOLDER, /* a name that ends as one of a folder */
  N_FORMATS
} Format;

static gboolean
is_film (Format format)
{
  return format == FORMAT_WEBP || format == FORMAT_GIF || format == FORMAT_ZIP || format == FORMAT_FOLDER;
}

/* Of a file of that kind (ssapp_file_kinds). */
static gboolean
format_of (const char *kind, const char *path, Format *format, GError **error)
{
  static const char *const endings[N_FORMATS] = {".pdf",  ".svg", ".png", ".webp", ".csv",
                                                 ".json", ".gif", ".zip", ".tex",  "/"};

  if (!ssapp_endings_check (kind, path, error))
    return FALSE;
  for (int i = 0; i < N_FORMATS; i++)
    if (ssapp_ending_is (path, endings[i]))
      *format = (Format)i;
  return TRUE;
}

static cairo_status_t
append_bytes (void *closure, const unsigned char *data, unsigned int length)
{
  g_byte_array_append (closure, data, length);
  return CAIRO_STATUS_SUCCESS;
}

static gboolean
check_cairo (cairo_status_t status, const char *path, GError **error)
{
  if (status == CAIRO_STATUS_SUCCESS)
    return TRUE;
  char *name = g_filename_display_name (path);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "Could not draw “%s”: %s", name, cairo_status_to_string (status));
  g_free (name);
  return FALSE;
}

static char *
figure_title (const SsappFigure *figure)
{
  static const char *const kinds[] = {"motion",
                                      "convergence",
                                      "channels",
                                      "distance of replay and plan",
                                      "step sizes",
                                      "contact modes",
                                      "phase plane",
                                      "friction cone",
                                      "states",
                                      "both clocks",
                                      "motion and convergence"};
  const SsScenario *scenario = figure->scenario;
  const char *name = scenario == NULL                                      ? "Figure"
                     : scenario->title != NULL && *scenario->title != '\0' ? scenario->title
                                                                           : scenario->name;
  return g_strdup_printf ("%s: %s", name, kinds[figure->kind]);
}

static void
paint_figure (cairo_t *cr, const SsappStyle *style, gconstpointer figure, double width, double height)
{
  ssapp_figure_paint (cr, style, figure, width, height);
}

/* Paints on a surface and finishes it. */
static cairo_status_t
paint_on (cairo_surface_t *surface, SsappPaint paint, gconstpointer data, double width, double height, double zoom)
{
  SsappStyle style;
  cairo_t *cr = cairo_create (surface);
  ssapp_style_init_paper (&style);
  cairo_set_source_rgb (cr, 1, 1, 1); /* also where the last pixel is covered in part only */
  if (zoom != 1.)
    cairo_paint (cr);
  cairo_scale (cr, zoom, zoom);
  paint (cr, &style, data, width, height);
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
make_pdf (SsappPaint paint, gconstpointer data, const char *title, double width, double height, GByteArray *out)
{
  cairo_surface_t *surface = cairo_pdf_surface_create_for_stream (append_bytes, out, width, height);
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_TITLE, title);
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATOR, CREATOR);
  cairo_status_t status = paint_on (surface, paint, data, width, height, 1.);
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
make_svg (SsappPaint paint, gconstpointer data, const char *title, double width, double height, GByteArray *out)
{
  cairo_surface_t *surface = cairo_svg_surface_create_for_stream (append_bytes, out, width, height);
  GString *svg, *texts = g_string_new (NULL);

  ssapp_text_record_start (surface);
  cairo_status_t status = paint_on (surface, paint, data, width, height, 1.);
  ssapp_text_record_to_svg (surface, texts);
  cairo_surface_finish (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  svg = g_string_new_len ((const char *)out->data, out->len);
  ssapp_svg_shrink (svg);
  insert_at (svg, "</svg>", TRUE, texts->str);
  char *escaped = g_markup_escape_text (title, -1);
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
  guint32 per_metre = (guint32)lround (dpi * 1000. / MM_PER_INCH);

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
make_png (SsappPaint paint, gconstpointer data, double width, double height, double dpi, GByteArray *out)
{
  double zoom = dpi / PT_PER_INCH;
  cairo_surface_t *surface =
      cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int)lround (width * zoom), (int)lround (height * zoom));
  cairo_status_t status = cairo_surface_status (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = paint_on (surface, paint, data, width, height, zoom);
  if (status == CAIRO_STATUS_SUCCESS)
    status = ssapp_surface_to_png (surface, dpi, out);
  cairo_surface_destroy (surface);
  return status;
}

static gboolean
check_size (double width_mm, double height_pt, double dpi, Format format, const char *path, GError **error)
{
  char *name;
  const char *problem = NULL;
  if (!(width_mm >= WIDTH_MIN_MM && width_mm <= WIDTH_MAX_MM))
    problem = "the width must be between 20 and 2000 mm";
  else if (format == FORMAT_PNG && !(dpi >= DPI_MIN && dpi <= DPI_MAX))
    problem = "the resolution must be between 20 and 2400 dots per inch";
  else if (format == FORMAT_PNG && MAX (width_mm / MM_PER_INCH, height_pt / PT_PER_INCH) * dpi > IMAGE_MAX_PX)
    problem = "the picture would have more than 32000 pixels on a side; lower the resolution or the width";
  if (problem == NULL)
    return TRUE;
  name = g_filename_display_name (path);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "Could not draw “%s”: %s", name, problem);
  g_free (name);
  return FALSE;
}

/* The first run whose motion cannot stand in the figure beside the others', NULL. */
static const SsappFigureData *
find_misfit (const SsappFigure *figure)
{
  const gboolean shows_motions = figure->kind == SSAPP_FIGURE_MOTION || figure->kind == SSAPP_FIGURE_FULL;
  /* strips of the view, which share axes and labels */
  const gboolean shows_strips = figure->kind == SSAPP_FIGURE_CHANNELS && figure->stack == NULL;
  /* axes that are named after a body or a contact */
  const gboolean shows_paths = figure->kind == SSAPP_FIGURE_PHASE || figure->kind == SSAPP_FIGURE_CONE;

  for (int i = 0; i < figure->n_runs; i++) {
    const SsappFigureData *data = &figure->runs[i];
    if ((data->is_foreign && (shows_motions || shows_strips || shows_paths)) ||
        (data->view_error != NULL && (shows_motions || (shows_strips && figure->n_runs > 1))))
      return data;
  }
  return NULL;
}

/* What no run has, so that the figure would be axes alone; NULL: one has it. */
static const char *
find_lack (const SsappFigure *figure)
{
  gboolean has_steps = FALSE, has_modes = FALSE, has_states = FALSE;

  for (int i = 0; i < figure->n_runs; i++) {
    const SsappFigureData *data = &figure->runs[i];
    has_steps = has_steps || data->n_steps > 0;
    has_modes = has_modes || (data->modes != NULL && data->modes->len > 0);
    has_states = has_states || (data->states != NULL && ssapp_states_n_panels (data->states) > 0);
  }
  if (figure->kind == SSAPP_FIGURE_CONVERGENCE && !figure->has_iterations)
    return "no run has iterations";
  if (figure->kind == SSAPP_FIGURE_CHANNELS && figure->stack == NULL && !figure->has_strips)
    return "no run has a channel that changes";
  if (figure->kind == SSAPP_FIGURE_STEPS && !has_steps)
    return "no run has steps";
  if (figure->kind == SSAPP_FIGURE_MODES && !has_modes)
    return "no run has contacts of bodies";
  if (figure->kind == SSAPP_FIGURE_STATES && !has_states)
    return "no run has states of bodies";
  return NULL;
}

/* Why there is nothing to draw, or what has no place in it; NULL: nothing stands against it. g_free. */
static char *
find_problem (const SsappFigure *figure, gboolean needs_motion)
{
  const gboolean needs_rows = figure->kind == SSAPP_FIGURE_PHASE || figure->kind == SSAPP_FIGURE_CONE ||
                              figure->kind == SSAPP_FIGURE_STATES || figure->kind == SSAPP_FIGURE_CLOCKS;
  const SsappFigureData *misfit = find_misfit (figure);

  if (figure->problem != NULL && (misfit == NULL || figure->n_runs == 1))
    return g_strdup (figure->problem);
  if (misfit != NULL && figure->n_runs > 1)
    return g_strdup_printf (
        "%s is of another scene%s%s than %s: motions of one figure are of one scene (export them one by one)",
        ssapp_figure_run_label (misfit->run), misfit->view_error != NULL ? ", " : "",
        misfit->view_error != NULL ? misfit->view_error : "", ssapp_figure_run_label (figure->runs[0].run));
  if (misfit != NULL)
    return g_strdup_printf ("its motion cannot be drawn: %s", misfit->view_error);
  if ((!figure->has_motion && (figure->kind == SSAPP_FIGURE_MOTION || needs_motion)) ||
      (needs_rows && !figure->has_strips && !figure->has_motion))
    return g_strdup ("no run has a trajectory");
  return g_strdup (find_lack (figure));
}

/* A picture of motion that shows none would look like a result. */
static gboolean
check_contents (const SsappFigure *figure, gboolean needs_motion, const char *path, GError **error)
{
  g_autofree char *problem = find_problem (figure, needs_motion), *name = g_filename_display_name (path);

  if (problem != NULL)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "Could not draw “%s”: %s", name, problem);
  return problem == NULL;
}

gboolean
ssapp_export_painted (SsappPaint paint, gconstpointer data, const char *title, double width_mm, double height_pt,
                      double dpi, const char *path, GError **error)
{
  const double width = width_mm / MM_PER_INCH * PT_PER_INCH;
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  cairo_status_t status;
  Format format = FORMAT_PDF;

  if (!format_of ("picture", path, &format, error) || !check_size (width_mm, height_pt, dpi, format, path, error))
    return FALSE;
  if (format == FORMAT_PDF) {
    status = make_pdf (paint, data, title, width, height_pt, bytes);
  } else if (format == FORMAT_SVG) {
    status = make_svg (paint, data, title, width, height_pt, bytes);
  } else {
    status = make_png (paint, data, width, height_pt, dpi, bytes);
  }
  return check_cairo (status, path, error) && ssapp_write_file (path, (const char *)bytes->data, bytes->len, error);
}

/* Into `bytes`; a folder is written. */
static gboolean
export_film (SsappFigure *figure, double width, Format format, const SsappFigureOptions *options, const char *path,
             GByteArray *bytes, GError **error)
{
  const double dpi = MIN (options->dpi, SSAPP_FILM_DPI_MAX);
  SsappFilm film;

  if (!ssapp_film_init (&film, figure, width, ssapp_figure_film_height (figure, width), dpi / PT_PER_INCH, options,
                        path, error))
    return FALSE;
  return format == FORMAT_WEBP  ? ssapp_film_to_webp (&film, bytes, error)
         : format == FORMAT_GIF ? ssapp_film_to_gif (&film, bytes, error)
         : format == FORMAT_ZIP ? ssapp_film_to_zip (&film, dpi, bytes, error)
                                : ssapp_film_to_folder (&film, dpi, error);
}

gboolean
ssapp_export_figure (SsappFigureKind kind, const SsScenario *scenario, const SsappFigureRun *runs, int n_runs,
                     const SsappFigureOptions *options, const char *path, GError **error)
{
  static const SsappFigureOptions defaults = {.width_mm = 88., .dpi = 300., .time = NAN};
  GByteArray *bytes = g_byte_array_new ();
  GString *text = g_string_new (NULL);
  SsappFigure figure;
  Format format = FORMAT_PDF;
  gboolean done = FALSE;

  if (options == NULL)
    options = &defaults;
  ssapp_figure_prepare (&figure, kind, scenario, runs, n_runs, options);
  double width = options->width_mm / MM_PER_INCH * PT_PER_INCH, height = ssapp_figure_height (kind, width, n_runs);
  const double own_height = ssapp_figure_own_height (&figure, width);
  if (own_height > 0)
    height = own_height;
  char *title = figure_title (&figure);
  if (!format_of (ssapp_figure_kind_name (kind), path, &format, error) ||
      !check_size (options->width_mm, height, options->dpi, format, path, error) ||
      !check_contents (&figure, is_film (format), path, error))
    goto out;
  cairo_status_t status = CAIRO_STATUS_SUCCESS;
  switch (format) {
  case FORMAT_PDF:
    status = make_pdf (paint_figure, &figure, title, width, height, bytes);
    break;
  case FORMAT_SVG:
    status = make_svg (paint_figure, &figure, title, width, height, bytes);
    break;
  case FORMAT_PNG:
    status = make_png (paint_figure, &figure, width, height, options->dpi, bytes);
    break;
  case FORMAT_WEBP:
  case FORMAT_GIF:
  case FORMAT_ZIP:
  case FORMAT_FOLDER:
    if (options->n_snapshots > 0) {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                   "Could not draw “%s”: a film shows all instants, chosen ones are for pictures", path);
      goto out;
    }
    if (!export_film (&figure, width, format, options, path, bytes, error))
      goto out;
    if (format == FORMAT_FOLDER) {
      done = TRUE;
      goto out;
    }
    break;
  case FORMAT_PGF:
    done = ssapp_figure_export_pgf (&figure, options->width_mm, path, error);
    goto out;
  case FORMAT_CSV:
    ssapp_figure_to_csv (&figure, text);
    break;
  case FORMAT_JSON:
  default:
    ssapp_figure_to_json (&figure, text);
  }
  if (check_cairo (status, path, error))
    done = text->len > 0 ? ssapp_write_file (path, text->str, (gssize)text->len, error)
                         : ssapp_write_file (path, (const char *)bytes->data, bytes->len, error);
out:
  g_free (title);
  ssapp_figure_clear (&figure);
  g_byte_array_unref (bytes);
  g_string_free (text, TRUE);
  return done;
}
