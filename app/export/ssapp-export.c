/* app/export/ssapp-export.c: files: pictures by the figure painter, tables as CSV, all written beside the target and
 * renamed.
 *
 * Everything is made in memory first, so a failure while drawing or writing leaves the target as it was.
 */
#include "app/export/ssapp-export-private.h"

#include "app/base/ssapp-ending.h"
#include "app/export/ssapp-file-kind.h"

#include <gio/gio.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "run/ss-run.h"

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

static gboolean
check_size (double width_mm, double height_pt, double dpi, Format format, const char *path, GError **error)
{
  char *name;
  const char *problem = NULL;
  if (!(width_mm >= WIDTH_MIN_MM && width_mm <= WIDTH_MAX_MM))
    problem = "the width must be between 20 and 2000 mm";
  else if (format == FORMAT_PNG && !(dpi >= DPI_MIN && dpi <= DPI_MAX))
    problem = "the resolution must be between 20 and 2400 dots per inch";
  else if (format == FORMAT_PNG &&
           MAX (width_mm / SSAPP_MM_PER_INCH, height_pt / SSAPP_PT_PER_INCH) * dpi > IMAGE_MAX_PX)
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

  for (int i = 0; i < figure->n_runs; i++) {
    const SsappFigureData *data = &figure->runs[i];
    if ((data->is_foreign && (shows_motions || shows_strips)) ||
        (data->view_error != NULL && (shows_motions || (shows_strips && figure->n_runs > 1))))
      return data;
  }
  return NULL;
}

/* Why there is nothing to draw, or what has no place in it; NULL: nothing stands against it. g_free. */
static char *
find_problem (const SsappFigure *figure, gboolean needs_motion)
{
  const gboolean needs_rows = figure->kind == SSAPP_FIGURE_PHASE || figure->kind == SSAPP_FIGURE_CONE ||
                              figure->kind == SSAPP_FIGURE_STATES || figure->kind == SSAPP_FIGURE_CLOCKS;
  const SsappFigureData *misfit = find_misfit (figure);

  if (figure->problem != NULL)
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
  return NULL;
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
  const double width = width_mm / SSAPP_MM_PER_INCH * SSAPP_PT_PER_INCH;
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  cairo_status_t status;
  Format format = FORMAT_PDF;

  if (!format_of ("picture", path, &format, error) || !check_size (width_mm, height_pt, dpi, format, path, error))
    return FALSE;
  if (format == FORMAT_PDF) {
    status = ssapp_make_pdf (paint, data, title, width, height_pt, bytes);
  } else if (format == FORMAT_SVG) {
    status = ssapp_make_svg (paint, data, title, width, height_pt, bytes);
  } else {
    status = ssapp_make_png (paint, data, width, height_pt, dpi, bytes);
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

  if (!ssapp_film_init (&film, figure, width, ssapp_figure_film_height (figure, width), dpi / SSAPP_PT_PER_INCH,
                        options, path, error))
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
  double width = options->width_mm / SSAPP_MM_PER_INCH * SSAPP_PT_PER_INCH,
         height = ssapp_figure_height (kind, width, n_runs);
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
    status = ssapp_make_pdf (paint_figure, &figure, title, width, height, bytes);
    break;
  case FORMAT_SVG:
    status = ssapp_make_svg (paint_figure, &figure, title, width, height, bytes);
    break;
  case FORMAT_PNG:
    status = ssapp_make_png (paint_figure, &figure, width, height, options->dpi, bytes);
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
