/* app/export/ssapp-export-parts.c: what several plots on paper share: names, legends, shades, sizes. */
#include "app/export/ssapp-export-private.h"

#include <math.h>

/* Multiple of the font size. */
static const double LEGEND_ROW = 1.5;

const char *
ssapp_figure_run_label (const SsappFigureRun *run)
{
  g_return_val_if_fail (run != NULL, NULL);
  return run->label != NULL ? run->label : run->method.name != NULL ? run->method.name : "run";
}

char *
ssapp_figure_curve_name (const SsappFigureCurve *curve)
{
  g_return_val_if_fail (curve != NULL, NULL);
  return curve->part != NULL ? g_strdup_printf ("%s, %s", curve->quantity, curve->part) : g_strdup (curve->quantity);
}

char *
ssapp_figure_no_such (const SsappFigureRun *run, const char *what, const char *name, const char *const *names, int n,
                      const char *otherwise)
{
  const char *nearest = ss_nearest_name (name, names, n);
  g_autofree char *near = nearest != NULL ? g_strdup_printf ("did you mean '%s'?", nearest) : g_strdup (otherwise);

  return g_strdup_printf ("%s has no %s '%s'%s%s", ssapp_figure_run_label (run), what, name, near != NULL ? "; " : "",
                          near != NULL ? near : "");
}

void
ssapp_figure_shade (const SsappFigure *figure, SsappPlotSpec *spec)
{
  g_return_if_fail (figure != NULL);
  spec->spans = (const SsappPlotSpan *)(const void *)figure->frozen->data;
  spec->n_spans = (int)figure->frozen->len;
  spec->span_label = "time stands";
}

double
ssapp_figure_legend_height (double width, int n_runs, double font)
{
  int per_row = width > SSAPP_TWO_COLUMNS ? 6 : 3;
  return LEGEND_ROW * font * ((n_runs + 1 + per_row - 1) / per_row);
}

void
ssapp_figure_draw_legend (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, gboolean tolerance, double x,
                          double y, double width)
{
  SsappSeries *series = g_new0 (SsappSeries, MAX (figure->n_runs, 1));
  for (int i = 0; i < figure->n_runs; i++)
    series[i] =
        (SsappSeries){.label = ssapp_figure_run_label (figure->runs[i].run), .method = figure->runs[i].run->method};
  ssapp_plot_draw_legend (cr, style, series, figure->n_runs, tolerance ? "tolerance" : NULL, x, y, width, TRUE);
  g_free (series);
}

void
ssapp_figure_draw_above_legend (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, SsappFigureDraw *draw,
                                double width, double height)
{
  const double legend = figure->n_runs > 1 ? ssapp_figure_legend_height (width, figure->n_runs, style->font_size) : 0.;

  draw (cr, style, figure, 0, 0, width, height - legend);
  if (legend > 0.)
    ssapp_figure_draw_legend (cr, style, figure, FALSE, 0, height - legend, width);
}

double
ssapp_figure_height (const SsappFigure *figure, double width)
{
  g_return_val_if_fail (figure != NULL, (double)NAN);
  const int wide = width > SSAPP_TWO_COLUMNS;

  if (figure->plot->height != NULL)
    return figure->plot->height (figure, width);
  return ceil (SSAPP_PLOT_SHARE[wide] * width + ssapp_figure_legend_height (width, figure->n_runs, SSAPP_PAPER_FONT));
}

void
ssapp_figure_paint (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double width, double height)
{
  cairo_save (cr);
  cairo_new_path (cr);
  ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_VIEW));
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_fill (cr);
  figure->plot->paint (cr, style, figure, width, height);
  cairo_restore (cr);
}

void
ssapp_figure_for_each_curve (const SsappFigure *figure, SsappFigureCurveFunc func, gpointer data)
{
  g_return_if_fail (figure != NULL);
  if (figure->plot->curves != NULL)
    figure->plot->curves (figure, func, data);
}
