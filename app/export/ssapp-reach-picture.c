/* app/export/ssapp-reach-picture.c: see the header. */
#include "app/export/ssapp-reach-picture.h"

#include "app/export/ssapp-export-private.h"

#include <math.h>

static const double REACH_DPI = 300;

gboolean
ssapp_reach_picture_export (const SsappReachPicture *picture, double width_mm, const char *path, GError **error)
{
  g_return_val_if_fail (picture != NULL, FALSE);
  const SsappFigureOptions options = {.width_mm = width_mm, .dpi = REACH_DPI, .time = NAN};
  const SsappFigure figure = {.plot = ssapp_plot_find (SSAPP_PLOT_OF_REACH),
                              .scenario = picture->scenario,
                              .reach = picture,
                              .axis = picture->reach->name};

  return ssapp_figure_export (&figure, &options, path, error);
}
