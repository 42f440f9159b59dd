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

static void
quantity_curves (const SsappFigure *figure, const SsappFigureData *d, const char *quantity, const double *y,
                 SsappFigureCurveFunc func, gpointer data)
{
  const SsappFigureRun *run = d->run;
  const gboolean is_race = figure->n_runs == 1 && run->members != NULL;
  g_autoptr (GArray) parts = is_race ? ssapp_trace_parts (d->traces, d->n_iterations) : NULL;

  if (!is_race)
    func (&(SsappFigureCurve){run, quantity, "iteration", d->n_iterations, d->iteration, y, 1}, data);
  for (guint p = 0; is_race && p < parts->len; p++) {
    const SsappTracePart *part = &g_array_index (parts, SsappTracePart, p);
    const gboolean is_answer = part->trace == SSAPP_TRACE_ANSWER;
    int n_finite = 0;
    for (int k = part->from; k < part->from + part->n; k++)
      n_finite += isfinite (y[k]);
    if (n_finite > 0) /* a bound has no violation */
      func (&(SsappFigureCurve){run, quantity, "iteration", part->n, d->iteration + part->from, y + part->from, 1,
                                is_answer, ssapp_trace_label (run->members, part->trace, ssapp_figure_run_label (run)),
                                is_answer ? 0 : 1 + (int)p},
            data);
  }
}

static void
objective_curves (const SsappFigure *figure, const SsappFigureData *d, SsappFigureCurveFunc func, gpointer data)
{
  quantity_curves (figure, d, "objective", d->objective, func, data);
}

static void
violation_curves (const SsappFigure *figure, const SsappFigureData *d, SsappFigureCurveFunc func, gpointer data)
{
  quantity_curves (figure, d, "violation", d->violation, func, data);
}

static void
add_series (const SsappFigureCurve *curve, gpointer data)
{
  const SsappSeries series = {.label = curve->part != NULL ? curve->part : ssapp_figure_run_label (curve->run),
                              .method = curve->run->method,
                              .n = curve->n,
                              .x = curve->x,
                              .y = curve->y,
                              .is_marked = curve->is_dots,
                              .has_no_line = curve->is_dots,
                              .look = curve->look};
  g_array_append_val ((GArray *)data, series);
}

/* Of SsappSeries, of all runs. */
static GArray *
series_of (const SsappFigure *figure,
           void (*curves) (const SsappFigure *, const SsappFigureData *, SsappFigureCurveFunc, gpointer))
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (SsappSeries));

  for (int r = 0; r < figure->n_runs; r++)
    curves (figure, &figure->runs[r], add_series, all);
  return all;
}

static void
draw_series (cairo_t *cr, const SsappStyle *style, const SsappPlotSpec *spec, GArray *series, double x, double y,
             double width, double height)
{
  ssapp_plot_draw (cr, style, spec, (const SsappSeries *)(const void *)series->data, (int)series->len, x, y, width,
                   height);
}

void
ssapp_figure_draw_convergence (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double x, double y,
                               double width, double height)
{
  double gap = SSAPP_GAP * style->font_size, half = (width - gap) / 2;
  g_autoptr (GArray) objective = series_of (figure, objective_curves), violation = series_of (figure, violation_curves);
  SsappPlotSpec spec = plain_spec ();

  spec.x_label = "Iteration";
  spec.title = ss_metric_spec (SS_METRIC_OBJECTIVE)->label;
  spec.letter = "(a)";
  spec.y_log = suits_log ((const SsappSeries *)(const void *)objective->data, (int)objective->len);
  draw_series (cr, style, &spec, objective, x, y, half, height);
  spec.title = "Largest violation";
  spec.letter = "(b)";
  spec.y_log = TRUE;
  spec.tolerance = SS_RUN_FEASIBLE;
  spec.tolerance_label = "tolerance";
  draw_series (cr, style, &spec, violation, x + half + gap, y, half, height);
}

double
ssapp_convergence_draw_legend (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double x, double y,
                               double width)
{
  g_autoptr (GArray) series = series_of (figure, objective_curves);

  return ssapp_plot_draw_legend (cr, style, (const SsappSeries *)(const void *)series->data, (int)series->len,
                                 "tolerance", x, y, width, TRUE);
}

double
ssapp_convergence_height (const SsappFigure *figure, double width)
{
  SsappStyle style;

  ssapp_style_init_paper (&style);
  return ceil (SSAPP_PLOT_SHARE[width > SSAPP_TWO_COLUMNS] * width +
               ssapp_convergence_draw_legend (NULL, &style, figure, 0, 0, width));
}

gboolean
ssapp_convergence_shows (const SsappFigure *figure)
{
  return figure->has_iterations;
}

void
ssapp_convergence_paint (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double width, double height)
{
  const double legend = ssapp_convergence_draw_legend (NULL, style, figure, 0, 0, width);

  ssapp_figure_draw_convergence (cr, style, figure, 0, 0, width, height - legend);
  ssapp_convergence_draw_legend (cr, style, figure, 0, height - legend, width);
}

void
ssapp_figure_iteration_curves (const SsappFigure *figure, int run, SsappFigureCurveFunc func, gpointer data)
{
  g_return_if_fail (figure != NULL && run < figure->n_runs);
  objective_curves (figure, &figure->runs[run], func, data);
  violation_curves (figure, &figure->runs[run], func, data);
}

void
ssapp_convergence_curves (const SsappFigure *figure, SsappFigureCurveFunc func, gpointer data)
{
  for (int r = 0; r < figure->n_runs; r++)
    ssapp_figure_iteration_curves (figure, r, func, data);
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
