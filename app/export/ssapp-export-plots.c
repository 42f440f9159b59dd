/* app/export/ssapp-export-plots.c: plots of exported figures: convergence, step sizes, contact modes. */
#include "app/export/ssapp-export-private.h"

#include <math.h>

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
  double gap = SSAPP_GAP * style->font_size, half = (width - gap) / 2;
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

gboolean
ssapp_convergence_shows (const SsappFigure *figure)
{
  return figure->has_iterations;
}

void
ssapp_convergence_paint (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double width, double height)
{
  const double legend = ssapp_figure_legend_height (width, figure->n_runs, style->font_size);

  ssapp_figure_draw_convergence (cr, style, figure, 0, 0, width, height - legend);
  ssapp_figure_draw_legend (cr, style, figure, TRUE, 0, height - legend, width);
}

void
ssapp_figure_iteration_curves (const SsappFigureData *d, SsappFigureCurveFunc func, gpointer data)
{
  g_return_if_fail (d != NULL);
  func (&(SsappFigureCurve){d->run, "objective", "iteration", d->n_iterations, d->iteration, d->objective, 1}, data);
  func (&(SsappFigureCurve){d->run, "violation", "iteration", d->n_iterations, d->iteration, d->violation, 1}, data);
}

void
ssapp_convergence_curves (const SsappFigure *figure, SsappFigureCurveFunc func, gpointer data)
{
  for (int r = 0; r < figure->n_runs; r++)
    ssapp_figure_iteration_curves (&figure->runs[r], func, data);
}

/* As the picture has it; what is not positive is left out then. */
gboolean
ssapp_convergence_suits_log (double least, double most)
{
  return most > 0 && most != least;
}

/* ---- step sizes -------------------------------------------------------------------------------------------------- */

void
ssapp_steps_prepare (SsappFigure *figure, SsappFigureData *data, const SsappFigureOptions *options)
{
  (void)figure;
  (void)options;
  data->n_steps = ssapp_step_sizes (data->run->trajectory, &data->step_times, &data->step_sizes);
}

static void
draw_steps (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double x, double y, double width,
            double height)
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

gboolean
ssapp_steps_show (const SsappFigure *figure)
{
  for (int i = 0; i < figure->n_runs; i++)
    if (figure->runs[i].n_steps > 0)
      return TRUE;
  return FALSE;
}

void
ssapp_steps_paint (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double width, double height)
{
  ssapp_figure_draw_above_legend (cr, style, figure, draw_steps, width, height);
}

void
ssapp_steps_curves (const SsappFigure *figure, SsappFigureCurveFunc func, gpointer data)
{
  for (int r = 0; r < figure->n_runs; r++) {
    const SsappFigureData *d = &figure->runs[r];
    func (&(SsappFigureCurve){d->run, "step", ssapp_clock_letter (d->run->trajectory), d->n_steps, d->step_times,
                              d->step_sizes, 1},
          data);
  }
}

gboolean
ssapp_steps_suit_log (double least, double most)
{
  static const double WIDE = 20.;

  return least > 0 && most > WIDE * least;
}

/* ---- contact modes ----------------------------------------------------------------------------------------------- */

void
ssapp_modes_prepare (SsappFigure *figure, SsappFigureData *data, const SsappFigureOptions *options)
{
  (void)options;
  data->modes = ssapp_mode_strips_new ();
  ssapp_mode_strips_add (data->modes, data->scenario != NULL ? data->scenario->scene : NULL, data->run->trajectory,
                         figure->n_runs > 1 ? ssapp_figure_run_label (data->run) : NULL);
}

double
ssapp_modes_height (const SsappFigure *figure, double width)
{
  SsappStyle style;
  guint n = 0;

  (void)width;
  ssapp_style_init_paper (&style);
  for (int i = 0; i < figure->n_runs; i++)
    n += figure->runs[i].modes != NULL ? figure->runs[i].modes->len : 0;
  return ceil (ssapp_mode_strips_height (&style, (int)n));
}

gboolean
ssapp_modes_show (const SsappFigure *figure)
{
  for (int i = 0; i < figure->n_runs; i++)
    if (figure->runs[i].modes != NULL && figure->runs[i].modes->len > 0)
      return TRUE;
  return FALSE;
}

void
ssapp_modes_paint (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double width, double height)
{
  GPtrArray *strips = g_ptr_array_new ();

  for (int i = 0; i < figure->n_runs; i++)
    for (guint k = 0; figure->runs[i].modes != NULL && k < figure->runs[i].modes->len; k++)
      g_ptr_array_add (strips, g_ptr_array_index (figure->runs[i].modes, k));
  ssapp_mode_strips_draw (cr, style, strips, figure->t_end, NAN, 0, 0, width, height);
  g_ptr_array_unref (strips);
}

/* Modes as numbers (SsappContactMode), two points a span. */
static void
mode_curve (const SsappFigureRun *run, const SsappModeStrip *strip, SsappFigureCurveFunc func, gpointer data)
{
  const guint n = 2 * strip->spans->len;
  g_autofree double *x = g_new (double, n + 1), *y = g_new (double, n + 1);

  for (guint i = 0; i < n; i++) {
    const SsappModeSpan *span = &g_array_index (strip->spans, SsappModeSpan, i / 2);
    x[i] = i % 2 == 0 ? span->begin : span->end;
    y[i] = span->mode;
  }
  func (&(SsappFigureCurve){run, strip->label, ssapp_clock_letter (run->trajectory), (int)n, x, y, 1}, data);
}

void
ssapp_modes_curves (const SsappFigure *figure, SsappFigureCurveFunc func, gpointer data)
{
  for (int r = 0; r < figure->n_runs; r++)
    for (guint k = 0; figure->runs[r].modes != NULL && k < figure->runs[r].modes->len; k++)
      mode_curve (figure->runs[r].run, g_ptr_array_index (figure->runs[r].modes, k), func, data);
}
