/* app/export/ssapp-export-prepare.c: a figure made ready to be drawn: data of runs; see
 * ssapp-export-private.h. */
#include "app/export/ssapp-export-private.h"

#include <math.h>
#include <string.h>

static void
prepare_iterations (SsappFigureData *data)
{
  GArray *rows = data->run->iterations;
  const gsize most = SSAPP_CURVE_POINTS (rows);

  data->iteration = g_new (double, most);
  data->objective = g_new (double, most);
  data->violation = g_new (double, most);
  data->traces = g_new (int, most);
  ssapp_iterations_to_curves (rows, FALSE, &data->run->answer, data->iteration, data->objective, data->violation,
                              data->traces, &data->n_iterations);
}

static char *
channel_label (const SsChannel *channel)
{
  char label[SS_CHANNEL_NAME_MAX + 32];

  ss_channel_label (channel, label, sizeof label);
  return g_strdup (label);
}

static gboolean
channel_varies (const SsTrajectory *trajectory, int channel)
{
  double first = ss_trajectory_row (trajectory, 0)[channel];
  for (int k = 1; k < trajectory->n_rows; k++)
    if (ss_trajectory_row (trajectory, k)[channel] != first)
      return TRUE;
  return FALSE;
}

/* All strips of the view, or of these channels, over the rows of a motion. */
static int
sample_strips (const SsappFigureData *data, const SsTrajectory *rows, double **times,
               double *strips[SSAPP_FIGURE_MAX_STRIPS])
{
  const int n = rows->n_rows;
  const gboolean is_view = data->view != NULL && ss_view_n_strips (data->view) > 0;

  *times = g_new (double, MAX (n, 1));
  for (int k = 0; k < n; k++)
    (*times)[k] = ss_trajectory_row (rows, k)[0];
  for (int s = 0; s < data->n_strips; s++) {
    strips[s] = g_new (double, MAX (n, 1));
    for (int k = 0; k < n; k++) {
      const double *row = ss_trajectory_row (rows, k);
      strips[s][k] = is_view ? ss_view_strip_value (data->view, s, row) : row[data->channels[s]];
    }
  }
  return n;
}

/* Strips of the view, or the first channels that change when the view proposes none; all channels of a replay's
 * distance. */
static void
prepare_strips (SsappFigureData *data, gboolean is_replay)
{
  const SsTrajectory *trajectory = data->run->trajectory;
  const double *last = ss_trajectory_row (trajectory, trajectory->n_rows - 1);
  const int n_strips = data->view != NULL ? ss_view_n_strips (data->view) : 0;
  SsTrajectory *refined = is_replay ? NULL : ssapp_refine_motion (trajectory, SSAPP_LEAST_POINTS);

  for (int s = 0; s < MIN (n_strips, SSAPP_FIGURE_MAX_STRIPS); s++) {
    data->strip_labels[s] = g_strdup (ss_view_strip_label (data->view, s));
    data->references[s] = ss_view_strip_reference (data->view, s, last);
    data->n_strips++;
  }
  for (int c = 1; n_strips == 0 && c < trajectory->n_channels && data->n_strips < SSAPP_FIGURE_MAX_STRIPS; c++)
    if (is_replay || channel_varies (trajectory, c)) {
      data->channels[data->n_strips] = c;
      data->strip_labels[data->n_strips] = channel_label (&trajectory->channels[c]);
      data->references[data->n_strips++] = NAN;
    }
  data->n_times = sample_strips (data, trajectory, &data->times, data->strips);
  data->n_drawn = sample_strips (data, refined != NULL ? refined : trajectory, &data->drawn_times, data->drawn);
  ss_trajectory_free (refined);
}

/* The same strips of the branches. */
static void
prepare_branches (SsappFigureData *data)
{
  data->branches = g_malloc0_n ((gsize)MAX (data->run->n_branches, 1), sizeof *data->branches);
  for (int b = 0; b < data->run->n_branches; b++) {
    const SsappFanMotion *branch = &data->run->branches[b];
    const SsTrajectory *motion = branch->motion;
    if (data->view == NULL || motion->n_channels != data->run->trajectory->n_channels)
      continue;
    data->branches[b].times = g_new (double, MAX (motion->n_rows, 1));
    for (int s = 0; s < data->n_strips; s++)
      data->branches[b].strips[s] = g_new (double, MAX (motion->n_rows, 1));
    for (int k = 0; k < motion->n_rows; k++) {
      const double *row = ss_trajectory_row (motion, k);
      if (row[0] < branch->from)
        continue;
      for (int s = 0; s < data->n_strips; s++)
        data->branches[b].strips[s][data->branches[b].n] =
            s < ss_view_n_strips (data->view) ? ss_view_strip_value (data->view, s, row) : row[data->channels[s]];
      data->branches[b].times[data->branches[b].n++] = row[0];
    }
  }
}

static void
clear_branches (SsappFigureData *data)
{
  for (int b = 0; data->branches != NULL && b < data->run->n_branches; b++) {
    g_free (data->branches[b].times);
    for (int s = 0; s < SSAPP_FIGURE_MAX_STRIPS; s++)
      g_free (data->branches[b].strips[s]);
  }
  g_free (data->branches);
}

/* The drawing of the run by its own scenario. What does not fit into the figure's is of another scene. */
static void
prepare_view (SsappFigure *figure, SsappFigureData *data)
{
  const SsTrajectory *motion = data->run->trajectory;
  SsError error = {0};
  SsView *common = NULL;
  char text[1024];

  if (ss_view_new (data->scenario, motion->channels, motion->n_channels, &data->view, &error) != SS_OK) {
    ss_error_format (&error, text, sizeof text);
    data->view_error = g_strdup (text);
    data->view = NULL;
  } else if (data->scenario != figure->scenario && figure->scenario != NULL) {
    if (ss_view_new (figure->scenario, motion->channels, motion->n_channels, &common, &error) != SS_OK)
      data->is_foreign = TRUE;
    ss_view_free (common);
  }
}

void
ssapp_figure_bounds (const SsappFigure *figure, double bounds[4])
{
  g_return_if_fail (figure != NULL);
  double (*boxes)[4];
  int n = 0;

  if (figure->region.is_chosen) {
    memcpy (bounds, figure->region.bounds, sizeof figure->region.bounds);
    return;
  }
  for (int i = 0; i < figure->n_runs; i++)
    n += 1 + figure->runs[i].run->n_branches;
  boxes = g_malloc_n (MAX (n, 1), sizeof *boxes);
  n = 0;
  for (int i = 0; i < figure->n_runs; i++) {
    const SsappFigureRun *run = figure->runs[i].run;
    for (int k = -1; figure->runs[i].view != NULL && k < run->n_branches; k++)
      if (ssapp_region_of_motion (figure->runs[i].view, k < 0 ? run->trajectory : run->branches[k].motion, boxes[n]))
        n++;
  }
  if (!ssapp_region_unite ((const double (*)[4])boxes, n, bounds)) {
    bounds[0] = bounds[1] = -1.;
    bounds[2] = bounds[3] = 1.;
  }
  g_free (boxes);
}

/* A body is followed, but nobody chose a region: one of a size that suits it. */
static void
settle_region (SsappFigure *figure)
{
  g_autofree char *body = g_strdup (figure->region.follow);
  const SsappFigureData *data = NULL;
  double seen[4];
  SsVec2 at;

  for (int i = 0; i < figure->n_runs && *body != '\0' && data == NULL; i++)
    if (figure->runs[i].view != NULL)
      data = &figure->runs[i];
  if (data == NULL)
    return;
  if (!ssapp_region_body_at (data->view, data->run->trajectory, body, figure->t_begin, &at)) {
    if (figure->problem == NULL)
      figure->problem = g_strdup_printf ("there is no moving body '%s' to follow", body);
    return;
  }
  if (figure->region.is_chosen)
    return;
  ssapp_figure_bounds (figure, seen);
  ssapp_region_follow (&figure->region, data->view, data->run->trajectory, figure->t_begin, body, seen);
}

static void
check_forces_of (SsappFigure *figure)
{
  gboolean is_there = figure->forces_of == NULL || (figure->plot->takes & SSAPP_TAKES_REGION) == 0;

  for (int r = 0; r < figure->n_runs && !is_there; r++) {
    const SsScene *scene = figure->runs[r].scenario != NULL ? figure->runs[r].scenario->scene : NULL;
    is_there = ss_scene_find (scene, SS_OWNER_BODY, figure->forces_of) >= 0;
  }
  if (!is_there && figure->problem == NULL)
    figure->problem = g_strdup_printf ("there is no body '%s' whose forces could be drawn", figure->forces_of);
}

void
ssapp_figure_prepare (SsappFigure *figure, const SsappPlotKind *plot, const SsScenario *scenario,
                      const SsappFigureRun *runs, int n_runs, const SsappFigureOptions *options)
{
  const gboolean is_replay = (plot->needs & SSAPP_NEEDS_REPLAYS) != 0;

  *figure = (SsappFigure){.plot = plot,
                          .scenario = scenario,
                          .time = options != NULL ? options->time : NAN,
                          .snapshots = options != NULL ? options->snapshots : NULL,
                          .n_snapshots = options != NULL ? options->n_snapshots : 0,
                          .n_runs = n_runs,
                          .t_begin = INFINITY,
                          .t_end = -INFINITY};
  ssapp_region_init (&figure->region);
  if (options != NULL) {
    figure->region = options->region;
    figure->layers = options->layers;
    figure->forces_of = g_strdup (options->forces_of);
  }
  figure->axis = ssapp_clock_axis (NULL);
  figure->frozen = ssapp_frozen_spans (NULL);
  figure->runs = g_new0 (SsappFigureData, MAX (n_runs, 1));
  for (int i = 0; i < n_runs; i++) {
    SsappFigureData *data = &figure->runs[i];
    const SsTrajectory *trajectory = runs[i].trajectory;
    const SsScenario *own = runs[i].scenario != NULL ? runs[i].scenario : scenario;
    data->run = &runs[i];
    data->mu = NAN;
    data->scenario = own;
    prepare_iterations (data);
    figure->has_iterations = figure->has_iterations || data->n_iterations > 0;
    if (trajectory == NULL || trajectory->n_rows < 1)
      continue;
    if (own != NULL && !is_replay)
      prepare_view (figure, data);
    figure->axis = ssapp_clock_axis (trajectory);
    ssapp_frozen_spans_add (figure->frozen, trajectory);
    prepare_strips (data, is_replay);
    prepare_branches (data);
    if (plot->prepare != NULL)
      plot->prepare (figure, data, options);
    figure->has_motion = figure->has_motion || data->view != NULL;
    figure->has_strips = figure->has_strips || data->n_strips > 0;
    figure->t_begin = MIN (figure->t_begin, data->times[0]);
    figure->t_end = MAX (figure->t_end, data->times[data->n_times - 1]);
  }
  if (!(figure->t_begin <= figure->t_end))
    figure->t_begin = figure->t_end = 0.;
  if (plot->finish != NULL)
    plot->finish (figure, options);
  settle_region (figure);
  check_forces_of (figure);
  if ((plot->needs & SSAPP_NEEDS_ONE_RUN) != 0 && n_runs > 1 && figure->problem == NULL)
    figure->problem = g_strdup_printf ("the %s of runs are drawn one run at a time", plot->file.name);
}

void
ssapp_figure_clear (SsappFigure *figure)
{
  for (int i = 0; i < figure->n_runs; i++) {
    SsappFigureData *data = &figure->runs[i];
    clear_branches (data);
    ss_view_free (data->view);
    g_free (data->view_error);
    g_free (data->iteration);
    g_free (data->objective);
    g_free (data->violation);
    g_free (data->traces);
    g_free (data->times);
    g_free (data->step_times);
    g_free (data->step_sizes);
    g_clear_pointer (&data->modes, g_ptr_array_unref);
    g_clear_pointer (&data->ends, g_ptr_array_unref);
    ssapp_path_clear (&data->path);
    ssapp_states_free (data->states);
    ssapp_clocks_free (data->clocks);
    ssapp_worlds_map_free (data->map);
    g_free (data->drawn_times);
    for (int s = 0; s < data->n_strips; s++) {
      g_free (data->strips[s]);
      g_free (data->drawn[s]);
      g_free (data->strip_labels[s]);
    }
  }
  g_free (figure->runs);
  g_clear_pointer (&figure->frozen, g_array_unref);
  ssapp_channel_stack_free (figure->stack);
  ssapp_channel_stack_free (figure->table);
  g_free (figure->cone);
  g_free (figure->x_label);
  g_free (figure->y_label);
  g_free (figure->band);
  g_free (figure->forces_of);
  g_free (figure->problem);
  memset (figure, 0, sizeof *figure);
}

void
ssapp_figure_draw (cairo_t *cr, const SsappStyle *style, const SsappPlotKind *plot, const SsScenario *scenario,
                   const SsappFigureRun *runs, int n_runs, const SsappFigureOptions *options, double width,
                   double height)
{
  SsappFigure figure;

  ssapp_figure_prepare (&figure, plot, scenario, runs, n_runs, options);
  ssapp_figure_paint (cr, style, &figure, width, height);
  ssapp_figure_clear (&figure);
}
