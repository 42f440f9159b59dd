/* app/export/ssapp-export-plane.c: a channel against another on paper: phase planes and friction cones. */
#include "app/export/ssapp-export-private.h"

#include <math.h>

/* Heights as shares of the width: narrow, wide. */
static const double PLANE_SHARE[2] = {0.8, 0.5};

static SsappPlotSpec
plain_spec (void)
{
  return (SsappPlotSpec){SSAPP_PLOT_FREE};
}

/* The channel of that name, or `first` without a name; -1 and a problem: there is none. */
static int
find_channel (SsappFigure *figure, const SsappFigureRun *run, const char *name, int first)
{
  const int channel = name != NULL ? ssapp_phase_find_channel (run->trajectory, name) : first;
  g_autofree const char **names = g_new (const char *, run->trajectory->n_channels);

  if (channel >= 0 || figure->problem != NULL)
    return channel;
  for (int c = 0; c < run->trajectory->n_channels; c++)
    names[c] = run->trajectory->channels[c].name;
  figure->problem = ssapp_figure_no_such (run, "channel", name, names, run->trajectory->n_channels,
                                          "`export --plot trajectory` lists them");
  return channel;
}

void
ssapp_phase_prepare (SsappFigure *figure, SsappFigureData *data, const SsappFigureOptions *options)
{
  const SsTrajectory *trajectory = data->run->trajectory;
  int x, y;

  ssapp_phase_first_channels (trajectory, &x, &y);
  x = find_channel (figure, data->run, options != NULL ? options->x_channel : NULL, x);
  y = find_channel (figure, data->run, options != NULL ? options->y_channel : NULL, y);
  ssapp_path_init (&data->path, trajectory, x, y, SSAPP_LEAST_POINTS);
  if (figure->x_label != NULL || x < 0 || y < 0)
    return;
  figure->x_label = ssapp_phase_label (trajectory, x);
  figure->y_label = ssapp_phase_label (trajectory, y);
  ssapp_frozen_plane (&figure->plane, figure->scenario != NULL ? figure->scenario->scene : NULL, trajectory, x, y);
}

/* The portrait of the contact. */
void
ssapp_cone_prepare (SsappFigure *figure, SsappFigureData *data, const SsappFigureOptions *options)
{
  const SsTrajectory *motion = data->run->trajectory;
  const char *wanted = options != NULL && options->contact != NULL ? options->contact : ssapp_cone_first (motion);
  SsappCone cone;

  if (figure->problem != NULL)
    return;
  if (!ssapp_cone_init (&cone, data->scenario != NULL ? data->scenario->scene : NULL, motion, wanted)) {
    g_autoptr (GPtrArray) names = ssapp_cone_contacts (motion);
    figure->problem = wanted == NULL
                          ? g_strdup_printf ("%s has no forces of contacts", ssapp_figure_run_label (data->run))
                          : ssapp_figure_no_such (data->run, "forces of a contact", wanted,
                                                  (const char *const *)names->pdata, (int)names->len, NULL);
    return;
  }
  if (figure->x_label == NULL) {
    figure->x_label = ssapp_cone_label (&cone, wanted, TRUE);
    figure->y_label = ssapp_cone_label (&cone, wanted, FALSE);
  }
  data->mu = cone.mu;
  data->cone_end = ssapp_cone_x_end (&cone);
  data->path = cone.path; /* taken */
}

/* The cone of each friction that the runs have, as far as the forces of any of them reach. */
void
ssapp_cone_finish (SsappFigure *figure, const SsappFigureOptions *options)
{
  (void)options;
  double end = 0;

  figure->cone = g_new0 (SsappPlotLine, 2 * MAX (figure->n_runs, 1));
  for (int i = 0; i < figure->n_runs; i++)
    end = MAX (end, figure->runs[i].cone_end);
  for (int i = 0; i < figure->n_runs; i++) {
    gboolean is_drawn = !isfinite (figure->runs[i].mu);
    for (int k = 0; k < i; k++)
      is_drawn = is_drawn || figure->runs[k].mu == figure->runs[i].mu;
    if (is_drawn)
      continue;
    ssapp_cone_lines (figure->runs[i].mu, end, &figure->cone[figure->n_cone]);
    figure->n_cone += 2;
  }
}

static void
draw_plane (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double x, double y, double width,
            double height)
{
  double x_also[2] = {0, 0}, y_also[2] = {0, 0};
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
  for (int i = 0; i < figure->n_cone; i++) { /* the tip and all lines are seen */
    x_also[1] = MAX (x_also[1], figure->cone[i].x1);
    y_also[0] = MIN (y_also[0], figure->cone[i].y1);
    y_also[1] = MAX (y_also[1], figure->cone[i].y1);
  }
  if (figure->n_cone > 0) {
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

/* Both channels of a phase plane over time. */
static void
path_curves (const SsappFigure *figure, const SsappFigureData *d, SsappFigureCurveFunc func, gpointer data)
{
  func (&(SsappFigureCurve){d->run, figure->x_label, ssapp_clock_letter (d->run->trajectory), d->path.n, d->path.t,
                            d->path.x, 1},
        data);
  func (&(SsappFigureCurve){d->run, figure->y_label, ssapp_clock_letter (d->run->trajectory), d->path.n, d->path.t,
                            d->path.y, 1},
        data);
}

void
ssapp_plane_curves (const SsappFigure *figure, SsappFigureCurveFunc func, gpointer data)
{
  for (int r = 0; r < figure->n_runs; r++)
    if (figure->runs[r].path.n > 0)
      path_curves (figure, &figure->runs[r], func, data);
}

double
ssapp_plane_height (const SsappFigure *figure, double width)
{
  const int wide = width > SSAPP_TWO_COLUMNS;

  return ceil (PLANE_SHARE[wide] * width + ssapp_figure_legend_height (width, figure->n_runs, SSAPP_PAPER_FONT));
}

void
ssapp_plane_paint (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double width, double height)
{
  ssapp_figure_draw_above_legend (cr, style, figure, draw_plane, width, height);
}
