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

/* Strip s of all runs. Returns the number of series. */
static int
strip_series (const SsappFigure *figure, int s, SsappSeries *series, SsappPlotSpec *spec)
{
  int n = 0;
  *spec = plain_spec ();
  spec->x_label = figure->axis;
  ssapp_figure_shade (figure, spec);
  for (int i = 0; i < figure->n_runs; i++) {
    const SsappFigureData *data = &figure->runs[i];
    gboolean has_it = s < data->n_strips; /* others keep their place, so that looks stay those of the legend */
    series[n++] = (SsappSeries){.label = ssapp_figure_run_label (data->run),
                                .method = data->run->method,
                                .n = has_it ? data->n_drawn : 0,
                                .x = data->drawn_times,
                                .y = data->drawn[s]};
    if (has_it && spec->y_label == NULL) {
      spec->y_label = data->strip_labels[s];
      spec->reference = data->references[s];
    }
  }
  for (int i = 0; i < figure->n_runs; i++) /* below the others */
    for (int b = 0; b < figure->runs[i].run->n_branches; b++) {
      const SsappFigureData *data = &figure->runs[i];
      series[n++] = (SsappSeries){.method = data->run->method,
                                  .n = s < data->n_strips ? data->branches[b].n : 0,
                                  .x = data->branches[b].times,
                                  .y = data->branches[b].strips[s],
                                  .weight = MAX (data->run->branches[b].share / data->run->largest_share, 1e-6)};
    }
  return n;
}

/* Most series of a strip. */
static int
series_count (const SsappFigure *figure)
{
  int n = 0;
  for (int i = 0; i < figure->n_runs; i++)
    n += 1 + figure->runs[i].run->n_branches;
  return MAX (n, 1);
}

static int
strip_count (const SsappFigure *figure)
{
  int n = 0;
  for (int i = 0; i < figure->n_runs; i++)
    n = MAX (n, figure->runs[i].n_strips);
  return n;
}

/* All strips below each other on one time axis. */
void
ssapp_figure_draw_strips (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double x, double y,
                          double width, double height)
{
  int n = strip_count (figure);
  double axis = 3. * style->font_size; /* room of the common axis below the last strip */
  SsappSeries *series = g_new0 (SsappSeries, series_count (figure));
  SsappPlotSpec spec = plain_spec ();

  if (n == 0)
    ssapp_plot_draw (cr, style, &spec, NULL, 0, x, y, width, height);
  double each = n > 0 ? (height - axis) / n : 0.;
  for (int s = 0; s < n; s++) {
    int n_series = strip_series (figure, s, series, &spec);
    gboolean is_last = s == n - 1;
    spec.hide_x_labels = !is_last;
    ssapp_plot_draw (cr, style, &spec, series, n_series, x, y + s * each, width, is_last ? each + axis : each);
  }
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

void
ssapp_figure_draw_phase (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double x, double y,
                         double width, double height)
{
  const double x_also[2] = {0, figure->cone[0].x1}, y_also[2] = {figure->cone[1].y1, figure->cone[0].y1};
  SsappSeries *series = g_new0 (SsappSeries, MAX (figure->n_runs, 1));
  SsappPlotSpec spec = plain_spec ();

  for (int i = 0; i < figure->n_runs; i++) {
    const SsappPath *path = &figure->runs[i].path;
    series[i] = (SsappSeries){.label = ssapp_figure_run_label (figure->runs[i].run),
                              .method = figure->runs[i].run->method,
                              .n = path->n,
                              .x = path->x,
                              .y = path->y,
                              .t = path->t};
  }
  spec.x_label = figure->x_label;
  spec.y_label = figure->y_label;
  spec.lines = figure->cone;
  spec.n_lines = figure->n_cone;
  if (figure->n_cone > 0) { /* the tip and both lines are seen */
    spec.x_also = x_also;
    spec.y_also = y_also;
  }
  ssapp_figure_shade (figure, &spec);
  if (figure->plane.n > 0) {
    spec.regions = figure->plane.regions;
    spec.n_regions = figure->plane.n;
    spec.x_also = figure->plane.x_also;
    spec.y_also = figure->plane.y_also;
  }
  ssapp_plot_draw (cr, style, &spec, series, figure->n_runs, x, y, width, height);
  g_free (series);
}

/* Room for the numbers of an axis; what plots are of stands above them. */
static const double STACK_LEFT = 5.;

void
ssapp_figure_draw_stack (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double x, double y,
                         double width, double height)
{
  double times[2];
  SsappChannelLayout layout = {.width = width,
                               .height = height,
                               .axis_left = STACK_LEFT * style->font_size,
                               .axis_right = width - 1.2 * style->font_size,
                               .t_max = 1,
                               .axis = figure->axis,
                               .spans = (const SsappPlotSpan *)(const void *)figure->frozen->data,
                               .n_spans = (int)figure->frozen->len};

  if (ssapp_channel_stack_times (figure->stack, times) && times[1] > times[0]) {
    layout.t_min = times[0];
    layout.t_max = times[1];
  }
  cairo_save (cr);
  cairo_translate (cr, x, y);
  ssapp_channel_stack_lay_out (figure->stack, style, &layout);
  ssapp_channel_stack_draw (cr, style, figure->stack);
  cairo_restore (cr);
}

/* The first two strips side by side, where a method has no iterations to show. */
void
ssapp_figure_draw_two_strips (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double x, double y,
                              double width, double height)
{
  static const char *const letters[2] = {"(a)", "(b)"};
  double gap = GAP * style->font_size;
  int n = MIN (strip_count (figure), 2);
  double each = n == 2 ? (width - gap) / 2 : width;
  SsappSeries *series = g_new0 (SsappSeries, series_count (figure));

  for (int s = 0; s < n; s++) {
    SsappPlotSpec spec;
    int n_series = strip_series (figure, s, series, &spec);
    spec.letter = letters[s];
    ssapp_plot_draw (cr, style, &spec, series, n_series, x + s * (each + gap), y, each, height);
  }
  g_free (series);
}
