/* app/export/ssapp-fit-picture.h: pictures of a fit, lines of the table of plots (SSAPP_PLOT_FIT): measured and fitted
 * as paths and by channel, residuals, estimates, the ellipse of two of them, how it converged. The same on screen and
 * on paper; what goes on is drawn from its last step.
 * Threads: any, one at a time. Tests: tests/unit/test-fit-session.c, tests/cli/test-fit.sh, tests/ui/test_fit.py */
#pragma once

#include "app/export/ssapp-plot-kind.h"
#include "app/job/ssapp-fit.h"

G_BEGIN_DECLS

/* A step of the fit, as SsFitStep tells it. */
typedef struct {
  int start, step;
  double loss, spread;
} SsappFitStep;

/* All borrowed. */
typedef struct {
  const SsScenario *scenario;
  int n_trials, n_values, n_channels;
  const SsFitValue *values;      /* of the result, or of the last step */
  const char *const *channels;   /* n_channels, by SsFitValue.residual */
  const SsFitResult *result;     /* NULL: it goes on */
  const SsappFitMotion *motions; /* n_trials; NULL: not known, lines join the measured instants */
  GArray *steps;                 /* of SsappFitStep */
  int trial;                     /* that is shown; -1: all */
  int pair[2];                   /* estimates of the ellipse; -1: the first that have intervals */
} SsappFitPicture;

/* Which plots there are: those of the table with SSAPP_PLOT_FIT. NULL with an error that lists them. */
const SsappPlotKind *ssapp_fit_plot_find (const char *name, GError **error);
/* Why the picture has not what the plot shows, a sentence; NULL: it has it. Static. */
const char *ssapp_fit_picture_lacks (const SsappFitPicture *picture, const SsappPlotKind *plot);
/* Into (0, 0, width, height) in the style's units, without a background; its height that suits a width. */
void ssapp_fit_picture_draw (cairo_t *cr, const SsappStyle *style, const SsappFitPicture *picture,
                             const SsappPlotKind *plot, double width, double height);
/* As a file of one of the plot's formats. */
gboolean ssapp_fit_picture_export (const SsappFitPicture *picture, const SsappPlotKind *plot, double width_mm,
                                   const char *path, GError **error);
/* The interval of an estimate within where it was looked for; what is told where it has none. */
void ssapp_fit_interval_draw (cairo_t *cr, const SsappStyle *style, const SsFitEstimate *estimate, double x, double y,
                              double width, double height);
/* The correlation of the pair that the ellipse shows; NaN: there is none. The pair in `pair`. */
double ssapp_fit_picture_pair (const SsappFitPicture *picture, int pair[2]);

G_END_DECLS
