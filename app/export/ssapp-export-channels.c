/* app/export/ssapp-export-channels.c: channels over time on paper: strips of a view, plots that were chosen. */
#include "app/draw/ssapp-band.h"
#include "app/export/ssapp-export-private.h"

#include <math.h>

enum { STRIPS_ASSUMED = 2 };

static SsappPlotSpec
plain_spec (void)
{
  return (SsappPlotSpec){SSAPP_PLOT_FREE};
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
static void
draw_strips (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double x, double y, double width,
             double height)
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

/* Room for the numbers of an axis; what plots are of stands above them. */
static const double STACK_LEFT = 5.;

static void
draw_stack (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double x, double y, double width,
            double height)
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
  double gap = SSAPP_GAP * style->font_size;
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

static SsappBand
band_of (const SsappFigure *figure, int run, const SsappFigureOptions *options)
{
  const SsappFigureData *data = &figure->runs[run];

  return options->band != NULL ? ssapp_band_of (data->scenario, data->run->slopes, options->band) : (SsappBand){0};
}

/* Some run must have it. */
static void
check_band (SsappFigure *figure, const char *band, const SsappChannelRun *runs)
{
  for (int i = 0; i < figure->n_runs; i++) {
    g_auto (GStrv) numbers = ssapp_band_numbers (figure->runs[i].run->slopes);
    const char *nearest = ss_nearest_name (band, (const char *const *)numbers, (int)g_strv_length (numbers));
    if (runs[i].band.of != NULL) {
      g_clear_pointer (&figure->problem, g_free);
      return;
    }
    if (nearest != NULL && figure->problem == NULL)
      figure->problem = g_strdup_printf ("no run has derivatives by '%s'; did you mean '%s'?", band, nearest);
  }
  if (figure->problem == NULL)
    figure->problem =
        g_strdup_printf ("no run has derivatives by '%s': `simulate --sensitivity %s` keeps them", band, band);
}

/* Chosen channels in chosen plots. */
void
ssapp_channels_finish (SsappFigure *figure, const SsappFigureOptions *options)
{
  const char *text = options != NULL ? options->channels : NULL, *band = options != NULL ? options->band : NULL;

  if (text == NULL && band == NULL)
    return;
  SsappChannelPlots *plots = ssapp_channel_plots_new ();
  g_autofree SsappChannelRun *runs = g_new0 (SsappChannelRun, figure->n_runs + 1);
  g_autoptr (GError) error = NULL;

  for (int i = 0; i < figure->n_runs; i++)
    runs[i] = (SsappChannelRun){.label = ssapp_figure_run_label (figure->runs[i].run),
                                .method = figure->runs[i].run->method,
                                .motion = figure->runs[i].run->trajectory,
                                .band = band_of (figure, i, options)};
  if (band != NULL)
    check_band (figure, band, runs);
  if (text == NULL)
    ssapp_channel_plots_suggest (plots, runs, figure->n_runs);
  else if (!ssapp_channel_plots_read (plots, text, &error) ||
           !ssapp_channel_plots_settle (plots, runs, figure->n_runs, &error))
    figure->problem = figure->problem != NULL ? figure->problem : g_strdup (error->message);
  figure->band = g_strdup (band);
  figure->stack = ssapp_channel_stack_new (plots, runs, figure->n_runs, SSAPP_LEAST_POINTS);
  figure->table = ssapp_channel_stack_new (plots, runs, figure->n_runs, 0);
  if (figure->problem == NULL && plots->is_difference && !ssapp_channel_stack_is_difference (figure->stack))
    figure->problem = g_strdup ("a difference is one of two runs with a motion");
  ssapp_channel_plots_free (plots);
}

/* ---- the plots --------------------------------------------------------------------------------------------------- */

double
ssapp_strips_height (const SsappFigure *figure, double width)
{
  const int wide = width > SSAPP_TWO_COLUMNS;

  return ceil (STRIPS_ASSUMED * SSAPP_STRIP_SHARE[wide] * width +
               ssapp_figure_legend_height (width, figure->n_runs, SSAPP_PAPER_FONT));
}

double
ssapp_channels_height (const SsappFigure *figure, double width)
{
  const int wide = width > SSAPP_TWO_COLUMNS, n = strip_count (figure);

  if (figure->stack != NULL)
    return ceil (MAX (ssapp_channel_stack_n_plots (figure->stack), 1) * SSAPP_STRIP_SHARE[wide] * width +
                 3 * SSAPP_PAPER_FONT);
  if (n <= STRIPS_ASSUMED)
    return ssapp_strips_height (figure, width);
  return ceil (n * SSAPP_STRIP_SHARE[wide] * width +
               (figure->n_runs > 1 ? ssapp_figure_legend_height (width, figure->n_runs, SSAPP_PAPER_FONT)
                                   : 3 * SSAPP_PAPER_FONT));
}

void
ssapp_strips_paint (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double width, double height)
{
  ssapp_figure_draw_above_legend (cr, style, figure, draw_strips, width, height);
}

gboolean
ssapp_channels_show (const SsappFigure *figure)
{
  return figure->stack != NULL || figure->has_strips;
}

void
ssapp_channels_paint (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double width, double height)
{
  if (figure->stack != NULL)
    draw_stack (cr, style, figure, 0, 0, width, height);
  else
    ssapp_strips_paint (cr, style, figure, width, height);
}

/* ---- their numbers ----------------------------------------------------------------------------------------------- */

/* "Angle [rad], branch 3, share 0.25" */
static void
branch_curves (const SsappFigureData *d, SsappFigureCurveFunc func, gpointer data)
{
  for (int b = 0; b < d->run->n_branches; b++)
    for (int s = 0; s < d->n_strips; s++) {
      g_autofree char *name = g_strdup_printf ("%s, branch %d, share %g", d->strip_labels[s],
                                               d->run->branches[b].branch, d->run->branches[b].share);
      func (&(SsappFigureCurve){d->run, name, ssapp_clock_letter (d->run->trajectory), d->branches[b].n,
                                d->branches[b].times, d->branches[b].strips[s], 1},
            data);
    }
}

typedef struct {
  const SsappFigure *figure;
  SsappFigureCurveFunc func;
  gpointer data;
} ChannelCurve;

/* A chosen channel in its plot; `y`: curve->y, or that with a change. */
static void
tell_channel (const ChannelCurve *about, int plot, const SsappFigureRun *of, const char *name, const SsappCurve *curve,
              const double *y)
{
  const SsappChannelStack *stack = about->figure->table;

  about->func (&(SsappFigureCurve){of, name, ssapp_clock_letter (of->trajectory), curve->n, curve->t, y, 1,
                                   .plot_title = ssapp_channel_stack_heading (stack, plot), .plot = plot,
                                   .is_log = ssapp_channel_stack_is_log (stack, plot)},
               about->data);
}

/* "box.x, 1 % less of mu", and the same of more. */
static void
band_curves (const ChannelCurve *about, int plot, const SsappFigureRun *of, const char *channel,
             const SsappCurve *curve, const SsappCurve *half)
{
  g_autofree double *y = g_new (double, curve->n + 1);

  for (int side = -1; side <= 1; side += 2) {
    g_autofree char *name = g_strdup_printf ("%s, %d %% %s of %s", channel, SSAPP_BAND_PERCENT,
                                             side < 0 ? "less" : "more", about->figure->band);
    for (int k = 0; k < curve->n; k++)
      y[k] = curve->y[k] + side * ssapp_curve_at (half, curve->t[k], FALSE);
    tell_channel (about, plot, of, name, curve, y);
  }
}

static void
channel_curve (int plot, const char *channel, int run, const SsappCurve *curve, const SsappCurve *half, gpointer data)
{
  const ChannelCurve *about = data;
  const SsappFigureRun *of = about->figure->runs[run].run;
  const gboolean is_difference = ssapp_channel_stack_is_difference (about->figure->table);
  g_autofree char *name = is_difference ? g_strdup_printf ("difference of %s", channel) : g_strdup (channel);

  tell_channel (about, plot, of, name, curve, curve->y);
  if (half->n > 0)
    band_curves (about, plot, of, channel, curve, half);
}

static void
strip_curves (const SsappFigureData *d, SsappFigureCurveFunc func, gpointer data)
{
  for (int s = 0; s < d->n_strips; s++)
    func (&(SsappFigureCurve){d->run, d->strip_labels[s], ssapp_clock_letter (d->run->trajectory), d->n_times, d->times,
                              d->strips[s], 1},
          data);
}

void
ssapp_strips_curves (const SsappFigure *figure, SsappFigureCurveFunc func, gpointer data)
{
  for (int r = 0; r < figure->n_runs; r++)
    strip_curves (&figure->runs[r], func, data);
}

void
ssapp_figure_strip_curves (const SsappFigureData *d, SsappFigureCurveFunc func, gpointer data)
{
  strip_curves (d, func, data);
  branch_curves (d, func, data);
}

void
ssapp_channels_curves (const SsappFigure *figure, SsappFigureCurveFunc func, gpointer data)
{
  if (figure->table != NULL) {
    ssapp_channel_stack_for_each (figure->table, channel_curve, &(ChannelCurve){figure, func, data});
    return;
  }
  for (int r = 0; r < figure->n_runs; r++)
    ssapp_figure_strip_curves (&figure->runs[r], func, data);
}
