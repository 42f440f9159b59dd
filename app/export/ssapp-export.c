/* app/export/ssapp-export.c: plots of runs and other pictures as files: what stands against it is said before anything
 * is written; the formats' functions write beside the target and rename. */
#include "app/export/ssapp-export-private.h"

#include "app/export/ssapp-file-kind.h"

#include <gio/gio.h>
#include <math.h>

/* Sizes that make sense on paper, and what Cairo's image surfaces hold. */
static const double WIDTH_MIN_MM = 20., WIDTH_MAX_MM = 2000., DPI_MIN = 20., DPI_MAX = 2400.;
enum { IMAGE_MAX_PX = 32000 };

/* Of a file of that kind (ssapp-file-kind.h); NULL with an error: it has no such format. */
static const SsappFormat *
format_of (const char *kind, const char *path, GError **error)
{
  return ssapp_endings_check (kind, path, error) ? ssapp_format_of_path (path) : NULL;
}

static char *
figure_title (const SsappFigure *figure)
{
  const SsScenario *scenario = figure->scenario;
  const char *name = scenario == NULL                                      ? "Figure"
                     : scenario->title != NULL && *scenario->title != '\0' ? scenario->title
                                                                           : scenario->name;
  return g_strdup_printf ("%s: %s", name, figure->plot->title);
}

static void
paint_figure (cairo_t *cr, const SsappStyle *style, gconstpointer figure, double width, double height)
{
  ssapp_figure_paint (cr, style, figure, width, height);
}

static gboolean
check_size (double width_mm, double height_pt, double dpi, const SsappFormat *format, const char *path, GError **error)
{
  const char *problem = NULL;
  if (!(width_mm >= WIDTH_MIN_MM && width_mm <= WIDTH_MAX_MM))
    problem = "the width must be between 20 and 2000 mm";
  else if (format->has_dots && !(dpi >= DPI_MIN && dpi <= DPI_MAX))
    problem = "the resolution must be between 20 and 2400 dots per inch";
  else if (format->has_dots && MAX (width_mm / SSAPP_MM_PER_INCH, height_pt / SSAPP_PT_PER_INCH) * dpi > IMAGE_MAX_PX)
    problem = "the picture would have more than 32000 pixels on a side; lower the resolution or the width";
  if (problem == NULL)
    return TRUE;
  return ssapp_export_fail (path, G_IO_ERROR_INVALID_ARGUMENT, problem, error);
}

/* The first run whose motion cannot stand in the figure beside the others', NULL. */
static const SsappFigureData *
find_misfit (const SsappFigure *figure)
{
  const gboolean shows_motions = (figure->plot->needs & SSAPP_NEEDS_ONE_SCENE) != 0;
  const gboolean shows_strips = (figure->plot->needs & SSAPP_NEEDS_ONE_VIEW) != 0 && figure->stack == NULL;
  const gboolean names_bodies = (figure->plot->needs & SSAPP_NEEDS_SAME_BODIES) != 0;

  for (int i = 0; i < figure->n_runs; i++) {
    const SsappFigureData *data = &figure->runs[i];
    if ((data->is_foreign && (shows_motions || shows_strips || names_bodies)) ||
        (data->view_error != NULL && (shows_motions || (shows_strips && figure->n_runs > 1))))
      return data;
  }
  return NULL;
}

/* Why there is nothing to draw, or what has no place in it; NULL: nothing stands against it. g_free. */
static char *
find_problem (const SsappFigure *figure, gboolean needs_motion)
{
  const gboolean needs_rows = (figure->plot->needs & SSAPP_NEEDS_ROWS) != 0;
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
  if ((!figure->has_motion && ((figure->plot->needs & SSAPP_NEEDS_MOTION) != 0 || needs_motion)) ||
      (needs_rows && !figure->has_strips && !figure->has_motion))
    return g_strdup ("no run has a trajectory");
  if (figure->plot->shows != NULL && !figure->plot->shows (figure)) /* axes alone would look like a result */
    return g_strdup (figure->plot->lack);
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
  const SsappSheet sheet = {.paint = paint,
                            .data = data,
                            .title = title,
                            .width = width_mm / SSAPP_MM_PER_INCH * SSAPP_PT_PER_INCH,
                            .height = height_pt,
                            .dpi = dpi};
  const SsappFormat *format = format_of ("picture", path, error);

  return format != NULL && check_size (width_mm, height_pt, dpi, format, path, error) &&
         format->write (&sheet, path, error);
}

gboolean
ssapp_figure_export (const SsappFigure *figure, const SsappFigureOptions *options, const char *path, GError **error)
{
  g_return_val_if_fail (figure != NULL, FALSE);
  const SsappFormat *format = format_of (figure->plot->file.name, path, error);
  const double width = options->width_mm / SSAPP_MM_PER_INCH * SSAPP_PT_PER_INCH;
  g_autofree char *title = figure_title (figure);

  if (format == NULL)
    return FALSE;
  const SsappSheet sheet = {.paint = paint_figure,
                            .data = figure,
                            .title = title,
                            .width = width,
                            .height = ssapp_figure_height (figure, width),
                            .dpi = options->dpi,
                            .figure = (SsappFigure *)figure,
                            .options = options};
  const gboolean is_film = (format->kind & (SSAPP_FORMAT_FILM | SSAPP_FORMAT_FRAMES)) != 0;
  return check_size (options->width_mm, sheet.height, options->dpi, format, path, error) &&
         check_contents (figure, is_film, path, error) && format->write (&sheet, path, error);
}

gboolean
ssapp_export_figure (const SsappPlotKind *plot, const SsScenario *scenario, const SsappFigureRun *runs, int n_runs,
                     const SsappFigureOptions *options, const char *path, GError **error)
{
  g_return_val_if_fail (plot != NULL, FALSE);
  static const SsappFigureOptions defaults = {.width_mm = 88., .dpi = 300., .time = NAN};
  SsappFigure figure;

  if (format_of (plot->file.name, path, error) == NULL)
    return FALSE;
  if (options == NULL)
    options = &defaults;
  ssapp_figure_prepare (&figure, plot, scenario, runs, n_runs, options);
  const gboolean done = ssapp_figure_export (&figure, options, path, error);
  ssapp_figure_clear (&figure);
  return done;
}
