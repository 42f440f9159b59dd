/* app/export/ssapp-export-plots.c: plots of exported figures: convergence, strips, steps, modes, phase planes. */
#include "app/export/ssapp-export-private.h"

#include <math.h>

/* Multiple of the font size. */
static const double GAP = 1.;

static SsappPlotSpec
plain_spec (void)
{
  return (SsappPlotSpec){SSAPP_PLOT_FREE};
}

/* Logarithmic unless the values forbid it: several of different sign have no place on it. */
static gboolean
suits_log (const SsappSeries *series, int n_series)
{
  gboolean positive = FALSE;
  for (int i = 0; i < n_series; i++)
    for (int k = 0; k < series[i].n; k++) {
      if (series[i].y[k] < 0.)
        return FALSE;
      positive = positive || series[i].y[k] > 0.;
    }
  return positive;
}

void
ssapp_figure_draw_convergence (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double x, double y,
                               double width, double height)
{
  double gap = GAP * style->font_size, half = (width - gap) / 2;
  SsappSeries *series = g_new0 (SsappSeries, MAX (figure->n_runs, 1));
  SsappPlotSpec spec = plain_spec ();

  for (int i = 0; i < figure->n_runs; i++) {
    const SsappFigureData *data = &figure->runs[i];
    series[i] = (SsappSeries){.label = ssapp_figure_run_label (data->run),
                              .method = data->run->method,
                              .n = data->n_iterations,
                              .x = data->iteration,
                              .y = data->objective};
  }
  spec.x_label = "Iteration";
  spec.title = ss_metric_spec (SS_METRIC_OBJECTIVE)->label;
  spec.letter = "(a)";
  spec.y_log = suits_log (series, figure->n_runs);
  ssapp_plot_draw (cr, style, &spec, series, figure->n_runs, x, y, half, height);
  for (int i = 0; i < figure->n_runs; i++)
    series[i].y = figure->runs[i].violation;
  spec.title = "Largest violation";
  spec.letter = "(b)";
  spec.y_log = TRUE;
  spec.tolerance = SS_RUN_FEASIBLE;
  spec.tolerance_label = "tolerance";
  ssapp_plot_draw (cr, style, &spec, series, figure->n_runs, x + half + gap, y, half, height);
  g_free (series);
}

void
ssapp_figure_draw_steps (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double x, double y,
                         double width, double height)
{
  SsappSeries *series = g_new0 (SsappSeries, MAX (figure->n_runs, 1));
  SsappPlotSpec spec = plain_spec ();

  for (int i = 0; i < figure->n_runs; i++) {
    const SsappFigureData *data = &figure->runs[i];
    series[i] = (SsappSeries){.label = ssapp_figure_run_label (data->run),
                              .method = data->run->method,
                              .n = data->n_steps,
                              .x = data->step_times,
                              .y = data->step_sizes};
  }
  spec.x_label = figure->axis;
  spec.y_label = "Step size [s]";
  ssapp_figure_shade (figure, &spec);
  spec.y_log = ssapp_step_sizes_suit_log (series, figure->n_runs);
  ssapp_plot_draw (cr, style, &spec, series, figure->n_runs, x, y, width, height);
  g_free (series);
}

void
ssapp_figure_draw_modes (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double x, double y,
                         double width, double height)
{
  GPtrArray *strips = g_ptr_array_new ();

  for (int i = 0; i < figure->n_runs; i++)
    for (guint k = 0; figure->runs[i].modes != NULL && k < figure->runs[i].modes->len; k++)
      g_ptr_array_add (strips, g_ptr_array_index (figure->runs[i].modes, k));
  ssapp_mode_strips_draw (cr, style, strips, figure->t_end, NAN, x, y, width, height);
  g_ptr_array_unref (strips);
}
