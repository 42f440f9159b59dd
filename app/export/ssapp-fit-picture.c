/* app/export/ssapp-fit-picture.c: see the header. */
#include "app/export/ssapp-fit-private.h"

#include <math.h>

static const double DPI = 300;

const SsappPlotKind *
ssapp_fit_plot_find (const char *name, GError **error)
{
  const SsappPlotKind *plot = ssapp_plot_find (name);

  if (plot != NULL && plot->of == SSAPP_PLOT_FIT)
    return plot;
  g_autofree char *all = ssapp_plots_of (SSAPP_PLOT_FIT);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "a fit has no plot '%s' (expected %s)", name, all);
  return NULL;
}

static SsappFigure
figure_of (const SsappFitPicture *picture, const SsappPlotKind *plot)
{
  return (SsappFigure){.plot = plot, .scenario = picture->scenario, .fit = picture, .axis = "Time [s]"};
}

const char *
ssapp_fit_picture_lacks (const SsappFitPicture *picture, const SsappPlotKind *plot)
{
  const SsappFigure figure = figure_of (picture, plot);

  return plot->shows == NULL || plot->shows (&figure) ? NULL : plot->lack;
}

void
ssapp_fit_picture_draw (cairo_t *cr, const SsappStyle *style, const SsappFitPicture *picture, const SsappPlotKind *plot,
                        double width, double height)
{
  g_return_if_fail (style != NULL && picture != NULL && plot != NULL);

  const SsappFigure figure = figure_of (picture, plot);

  if (ssapp_fit_picture_lacks (picture, plot) == NULL)
    plot->paint (cr, style, &figure, width, height);
}

gboolean
ssapp_fit_picture_export (const SsappFitPicture *picture, const SsappPlotKind *plot, double width_mm, const char *path,
                          GError **error)
{
  const SsappFigureOptions options = {.width_mm = width_mm, .dpi = DPI, .time = NAN};
  const char *lacks = ssapp_fit_picture_lacks (picture, plot);
  const SsappFigure figure = figure_of (picture, plot);

  if (lacks == NULL)
    return ssapp_figure_export (&figure, &options, path, error);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "Could not draw “%s”: %s", path, lacks);
  return FALSE;
}
