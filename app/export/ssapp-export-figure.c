/* app/export/ssapp-export-figure.c: composition of paper figures: snapshots of motions, colour bar, convergence plots,
 * strips, legend; what is drawn is made ready in ssapp-export-prepare.c. Lengths are multiples of the font size or of
 * the width, so that 88 mm and 180 mm figures share their type size.
 */
#include "app/export/ssapp-export-private.h"

#include "app/draw/ssapp-overlays.h"

#include <math.h>
#include <string.h>

#include "run/ss-run.h"

/* Above this width [pt] a figure spans two columns and its plots can be lower. */
static const double TWO_COLUMNS = 400.;
/* Multiples of the font size. */
static const double TIME_ROW = 1.45, HEADING_ROW = 1.75, BAR_ROW = 3.9, BAR_HEIGHT = 0.65, GAP = 1., PANEL_GAP = 0.28,
                    LEGEND_ROW = 1.5;
static const double PAPER_FONT = 8.; /* pt */
/* Panel and plot heights as shares of the width: narrow, wide. */
static const double PANEL_SHARE[2] = {0.285, 0.24}, PLOT_SHARE[2] = {0.45, 0.28}, STRIP_SHARE[2] = {0.34, 0.18},
                    PHASE_SHARE[2] = {0.8, 0.5}, CLOCKS_SHARE = 0.31;
/* Arrows of panels against those of the window. */
static const double PANEL_ARROWS = 0.75;
/* Snapshots at chosen instants: narrow, wide. */
static const int SNAPSHOTS_A_ROW[2] = {3, 5};
enum { PAST_FRAMES = 9, STRIPS_ASSUMED = 2, MODES_ASSUMED = 2, STATES_ASSUMED = 4, FILM_INSTANTS = 48 };

/* ---- sizes ------------------------------------------------------------------------------------------------------- */

static double
motion_height (double width, int n_runs, double font)
{
  int rows = MAX (n_runs, 1), wide = width > TWO_COLUMNS;
  return TIME_ROW * font + rows * PANEL_SHARE[wide] * width + (rows > 1 ? rows * HEADING_ROW * font : 0.) +
         BAR_ROW * font;
}

static double
legend_height (double width, int n_runs, double font)
{
  int per_row = width > TWO_COLUMNS ? 6 : 3;
  return LEGEND_ROW * font * ((n_runs + 1 + per_row - 1) / per_row);
}

static double
natural_height (SsappFigureKind kind, double width, int n_runs, double font)
{
  int wide = width > TWO_COLUMNS;
  double motion = motion_height (width, n_runs, font), plots = PLOT_SHARE[wide] * width;
  double legend = legend_height (width, n_runs, font);
  switch (kind) {
  case SSAPP_FIGURE_MOTION:
    return motion;
  case SSAPP_FIGURE_CONVERGENCE:
    return plots + legend;
  case SSAPP_FIGURE_CHANNELS:
  case SSAPP_FIGURE_REPLAY:
    return STRIPS_ASSUMED * STRIP_SHARE[wide] * width + legend;
  case SSAPP_FIGURE_STEPS:
    return plots + legend;
  case SSAPP_FIGURE_MODES:
    return MODES_ASSUMED * STRIP_SHARE[wide] * width;
  case SSAPP_FIGURE_PHASE:
  case SSAPP_FIGURE_CONE:
    return PHASE_SHARE[wide] * width + legend;
  case SSAPP_FIGURE_STATES:
    return STATES_ASSUMED * STRIP_SHARE[wide] * width;
  case SSAPP_FIGURE_CLOCKS:
    return STATES_ASSUMED * CLOCKS_SHARE * width;
  case SSAPP_FIGURE_FULL:
  default:
    return motion + GAP * font + plots + legend;
  }
}

double
ssapp_figure_height (SsappFigureKind kind, double width_px, int n_runs)
{
  return ceil (natural_height (kind, width_px, n_runs, PAPER_FONT));
}

double
ssapp_figure_own_height (const SsappFigure *figure, double width)
{
  const int wide = width > TWO_COLUMNS;
  SsappStyle style;
  guint n = 0;

  ssapp_style_init_paper (&style);
  switch (figure->kind) {
  case SSAPP_FIGURE_MODES:
    for (int i = 0; i < figure->n_runs; i++)
      n += figure->runs[i].modes != NULL ? figure->runs[i].modes->len : 0;
    return ceil (ssapp_mode_strips_height (&style, (int)n));
  case SSAPP_FIGURE_STATES:
    n = figure->n_runs > 0 && figure->runs[0].states != NULL ? (guint)ssapp_states_n_panels (figure->runs[0].states)
                                                             : 0;
    return ceil (MAX (n, 1) * STRIP_SHARE[wide] * width + 3 * PAPER_FONT);
  case SSAPP_FIGURE_CLOCKS:
    n = figure->n_runs > 0 && figure->runs[0].clocks != NULL ? (guint)ssapp_clocks_n_rows (figure->runs[0].clocks) : 1;
    return ceil (n * CLOCKS_SHARE * width);
  case SSAPP_FIGURE_CHANNELS:
    if (figure->stack != NULL)
      return ceil (MAX (ssapp_channel_stack_n_plots (figure->stack), 1) * STRIP_SHARE[wide] * width + 3 * PAPER_FONT);
    for (int i = 0; i < figure->n_runs; i++)
      n = MAX (n, (guint)figure->runs[i].n_strips);
    return n <= STRIPS_ASSUMED
               ? 0
               : ceil (n * STRIP_SHARE[wide] * width +
                       (figure->n_runs > 1 ? legend_height (width, figure->n_runs, PAPER_FONT) : 3 * PAPER_FONT));
  case SSAPP_FIGURE_MOTION:
    if (figure->n_snapshots == 0 || figure->n_runs > 1)
      return 0;
    n = (guint)ceil ((double)figure->n_snapshots / SNAPSHOTS_A_ROW[wide]);
    return ceil (n * (PANEL_SHARE[wide] * width + TIME_ROW * PAPER_FONT) + BAR_ROW * PAPER_FONT);
  default:
    return 0;
  }
}

/* ---- motion ------------------------------------------------------------------------------------------------------ */

/* Snapshots in a grid of columns x rows panels. */
typedef struct {
  int columns, rows;
  double panel_width, panel_height;
} PanelGrid;

/* The grid that shows bounds largest. */
static PanelGrid
choose_grid (const double bounds[4], double width, double height, double font, gboolean single, int n_snapshots)
{
  static const int usual[][2] = {{5, 1}, {3, 2}, {2, 3}, {1, 5}};
  PanelGrid best = {0};
  double best_scale = -1., gap = PANEL_GAP * font, w = MAX (bounds[2] - bounds[0], 1e-9),
         h = MAX (bounds[3] - bounds[1], 1e-9);

  if (single)
    return (PanelGrid){1, 1, width, height};
  for (int i = 0; i < (n_snapshots > 0 ? n_snapshots : (int)G_N_ELEMENTS (usual)); i++) {
    PanelGrid grid = {.columns = usual[i % (int)G_N_ELEMENTS (usual)][0],
                      .rows = usual[i % (int)G_N_ELEMENTS (usual)][1]};
    if (n_snapshots > 0) {
      grid.columns = n_snapshots - i;
      grid.rows = (n_snapshots + grid.columns - 1) / grid.columns;
    }
    grid.panel_width = (width - (grid.columns - 1) * gap) / grid.columns;
    /* the first row of time labels is counted by the caller */
    grid.panel_height = (height - (grid.rows - 1) * (gap + TIME_ROW * font)) / grid.rows;
    double scale = MIN (grid.panel_width / w, grid.panel_height / h);
    if (grid.panel_height > 0 && scale > best_scale * 1.05) { /* one row unless another is clearly better */
      best = grid;
      best_scale = scale;
    }
  }
  return best;
}

/* What all runs need to be seen, or the chosen region at the start. */
static void
union_bounds (const SsappFigure *figure, double bounds[4])
{
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

void
ssapp_figure_settle_region (SsappFigure *figure)
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
  union_bounds (figure, seen);
  ssapp_region_follow (&figure->region, data->view, data->run->trajectory, figure->t_begin, body, seen);
}

/* Whether one of the chosen instants has more decimals. */
static gboolean
is_cut (const SsappFigure *figure, int decimals)
{
  for (int k = 0; k < figure->n_snapshots; k++) {
    const double units = figure->snapshots[k] * pow (10, decimals);
    if (fabs (units - round (units)) > 1e-6)
      return TRUE;
  }
  return FALSE;
}

/* "1.48 s": as many decimals as tell instants apart, and up to two more where chosen ones have them. */
static char *
time_label (const SsappFigure *figure, double t)
{
  char buffer[64], format[16];
  double span = figure->t_end - figure->t_begin;
  int decimals = span > 0. ? (int)CLAMP (2. - floor (log10 (span) + 1e-9), 0., 9.) : 2;
  const int most = MIN (decimals + 2, 9);
  while (decimals < most && is_cut (figure, decimals))
    decimals++;
  g_snprintf (format, sizeof format, "%%.%df", decimals);
  g_ascii_formatd (buffer, sizeof buffer, format, fabs (t));
  return g_strconcat (t < 0. ? "−" : "", buffer, " s", NULL);
}

/* The lower corner of the first panel in which less stands: TRUE for the right one. */
static gboolean
right_corner_is_free (const SsappFigureData *data, const SsappCamera *camera, double t)
{
  int n = ss_view_n_marks (data->view);
  SsMark *marks = g_new0 (SsMark, MAX (n, 1));
  double *row = g_new (double, data->run->trajectory->n_channels), nearest[2] = {INFINITY, INFINITY};

  ss_trajectory_sample_motion (data->run->trajectory, t, row);
  ss_view_frame (data->view, row, marks);
  for (int i = 0; i < n; i++) {
    double x, y;
    if (!marks[i].visible || marks[i].kind == SS_MARK_HALF_PLANE)
      continue;
    ssapp_camera_to_device (camera, marks[i].position, &x, &y);
    for (int side = 0; side < 2; side++)
      nearest[side] = MIN (nearest[side], hypot (x - side * camera->width, y - camera->height));
  }
  g_free (marks);
  g_free (row);
  return nearest[1] >= nearest[0];
}

static void
draw_panel_frame (cairo_t *cr, const SsappStyle *style, double x, double y, double width, double height)
{
  cairo_new_path (cr);
  cairo_rectangle (cr, x, y, width, height);
  cairo_set_source_rgb (cr, 0.65, 0.65, 0.65);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_width (cr, style->scale);
  cairo_stroke (cr);
}

/* Panels of all runs: one region of the world, one grid, one scale for arrows. */
typedef struct {
  const SsappFigure *figure;
  SsappStyle style; /* thinner lines in small panels */
  SsappMotionPaint paint;
  PanelGrid grid;
  double bounds[4];
  int n; /* instants */
} Panels;

/* The k-th of n instants spread over the motion. */
static double
spread (const SsappFigure *figure, int k, int n)
{
  return figure->t_begin + (figure->t_end - figure->t_begin) * (n > 1 ? (double)k / (n - 1) : 0.);
}

static double
instant (const Panels *panels, int k)
{
  if (panels->figure->n_snapshots > 0)
    return panels->figure->snapshots[k];
  return !isnan (panels->figure->time) ? panels->figure->time : spread (panels->figure, k, panels->n);
}

static void
fit_panel (const Panels *panels, SsappCamera *camera)
{
  static const double MARGIN = 0.06, LEAST_MARGIN_PX = 10.;
  double width = panels->grid.panel_width, height = panels->grid.panel_height;
  ssapp_camera_fit (camera, panels->bounds, width, height,
                    MAX (MARGIN * MIN (width, height), LEAST_MARGIN_PX * panels->style.scale));
}

/* The same at an instant of a run: a chosen region may go along with a body. */
static void
fit_panel_at (const Panels *panels, const SsappFigureData *data, double t, SsappCamera *camera)
{
  const SsappRegion *region = &panels->figure->region;
  double bounds[4];

  if (!region->is_chosen) {
    fit_panel (panels, camera);
    return;
  }
  ssapp_region_at (region, data->view, data->run->trajectory, t, bounds);
  ssapp_region_camera (bounds, panels->grid.panel_width, panels->grid.panel_height, camera);
}

/* Takes the tails of forces and the tips of velocities at the instants shown into the region. Their length depends on
 * the zoom, which they change: one round is enough, since it makes them shorter in the world's measure only by
 * little. */
static void
include_arrows (Panels *panels)
{
  static const double PEAK = 1.5;
  const SsappFigure *figure = panels->figure;
  int n_instants =
      figure->is_film ? FILM_INSTANTS : panels->n; /* the region must not follow the arrows of one picture of many */
  double force_px = ssapp_arrow_px (panels->paint.largest_force) * panels->paint.shrink * panels->style.scale;
  double velocity_px = ssapp_arrow_px (panels->paint.largest_velocity) * panels->paint.shrink * panels->style.scale;
  SsappCamera camera;

  if (figure->region.is_chosen)
    return;
  fit_panel (panels, &camera);
  for (int r = 0; r < figure->n_runs; r++) {
    const SsappFigureData *data = &figure->runs[r];
    int n_marks = data->view != NULL ? ss_view_n_marks (data->view) : 0;
    SsMark *marks = g_new0 (SsMark, MAX (n_marks, 1));
    double *row = data->view != NULL ? g_new (double, data->run->trajectory->n_channels) : NULL;
    for (int k = 0; k < n_instants && row != NULL; k++) {
      ss_trajectory_sample_motion (data->run->trajectory,
                                   figure->is_film ? spread (figure, k, n_instants) : instant (panels, k), row);
      ss_view_frame (data->view, row, marks);
      for (int i = 0; i < n_marks; i++) {
        gboolean is_velocity = marks[i].role == SS_ROLE_VELOCITY;
        double factor = (is_velocity ? velocity_px : -force_px) / camera.scale;
        double x = marks[i].position.x + factor * marks[i].vector.x,
               y = marks[i].position.y + factor * marks[i].vector.y;
        if (hypot (marks[i].vector.x, marks[i].vector.y) >
            PEAK * (is_velocity ? panels->paint.largest_velocity : panels->paint.largest_force))
          continue; /* would shrink everything else */
        if (marks[i].kind != SS_MARK_ARROW || !marks[i].visible || !isfinite (x) || !isfinite (y))
          continue;
        panels->bounds[0] = MIN (panels->bounds[0], x);
        panels->bounds[1] = MIN (panels->bounds[1], y);
        panels->bounds[2] = MAX (panels->bounds[2], x);
        panels->bounds[3] = MAX (panels->bounds[3], y);
      }
    }
    g_free (marks);
    g_free (row);
  }
}

/* What layers that are chosen need of a scale. */
static void
take_layers (Panels *panels, const SsappFigureRun *run)
{
  SsappMotionPaint *paint = &panels->paint;
  const guint layers = panels->figure->layers;

  if ((layers & SSAPP_LAYER_VELOCITIES) != 0)
    paint->largest_speed = MAX (paint->largest_speed, ssapp_largest_speed (run->trajectory));
  if ((layers & SSAPP_LAYER_IMPULSES) != 0)
    paint->largest_impulse = MAX (paint->largest_impulse, ssapp_largest_impulse (run->events));
  if ((layers & SSAPP_LAYER_ENERGIES) != 0)
    paint->largest_energy = MAX (paint->largest_energy, ssapp_largest_energy (run->trajectory));
}

static void
panels_init (Panels *panels, const SsappStyle *style, const SsappFigure *figure, double width, double row_height)
{
  /* A panel of this size [px at 100 %] has lines of full width; in smaller ones they shrink, down to a share. */
  static const double FULL_WIDTH_PX = 180., FULL_HEIGHT_PX = 160., LEAST = 0.4;

  *panels = (Panels){.figure = figure, .style = *style};
  union_bounds (figure, panels->bounds);
  panels->grid =
      choose_grid (panels->bounds, width, row_height, style->font_size, !isnan (figure->time), figure->n_snapshots);
  panels->n = figure->n_snapshots > 0 ? figure->n_snapshots : panels->grid.columns * panels->grid.rows;
  panels->style.scale *= CLAMP (MIN (panels->grid.panel_width / (FULL_WIDTH_PX * style->scale),
                                     panels->grid.panel_height / (FULL_HEIGHT_PX * style->scale)),
                                LEAST, 1.);
  ssapp_motion_paint_init (&panels->paint);
  panels->paint.future_too = FALSE;
  panels->paint.current_in_time_color = TRUE;
  panels->paint.printed_scales = FALSE;
  panels->paint.shrink = PANEL_ARROWS;
  panels->paint.t_begin = figure->t_begin;
  panels->paint.t_end = figure->t_end;
  panels->paint.largest_force = panels->paint.largest_velocity = 0.;
  panels->paint.largest_speed = panels->paint.largest_impulse = panels->paint.largest_energy = 0.;
  for (int r = 0; r < figure->n_runs; r++)
    if (figure->runs[r].view != NULL) {
      double force, velocity;
      SsMark *marks = g_new0 (SsMark, MAX (ss_view_n_marks (figure->runs[r].view), 1));
      ssapp_largest_arrows (figure->runs[r].view, figure->runs[r].run->trajectory, marks, &force, &velocity);
      panels->paint.largest_force = MAX (panels->paint.largest_force, force);
      panels->paint.largest_velocity = MAX (panels->paint.largest_velocity, velocity);
      take_layers (panels, figure->runs[r].run);
      g_free (marks);
    }
  include_arrows (panels);
}

/* Low panels have no room for the scale bar; it then stands beside the colour bar. */
static gboolean
scale_fits_panel (const SsappStyle *style, const Panels *panels)
{
  static const double LEAST = 5.; /* font sizes */
  return panels->grid.panel_height >= LEAST * style->font_size;
}

static void
draw_panel (cairo_t *cr, const SsappStyle *style, const Panels *panels, const SsappFigureData *data, double t,
            gboolean with_scale, double x, double y)
{
  static const double SCALE_SHARE = 0.45, LONGEST_SCALE = 7., INSET_PX = 10.;
  double width = panels->grid.panel_width, height = panels->grid.panel_height, end = data->times[data->n_times - 1];
  const SsScenario *scenario = data->scenario;
  SsappSceneFlags flags = {.past_frames = TRUE,
                           .trace = TRUE,
                           .n_past_frames = PAST_FRAMES,
                           .layers = panels->figure->layers,
                           .scene = scenario != NULL ? scenario->scene : NULL,
                           .events = data->run->events};
  SsappCamera camera;

  fit_panel_at (panels, data, MIN (t, end), &camera);
  cairo_save (cr);
  cairo_translate (cr, x, y);
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_clip (cr);
  cairo_new_path (cr);
  ssapp_draw_motion_with (cr, &panels->style, &camera, data->view, data->run->trajectory, MIN (t, end), &flags,
                          &panels->paint);
  if (data->run->n_branches > 0)
    ssapp_draw_fan (cr, &panels->style, &camera, data->view, data->run->branches, data->run->n_branches,
                    data->run->largest_share, t);
  if (with_scale) {
    double inset = INSET_PX * style->scale, longest = MIN (SCALE_SHARE * width, LONGEST_SCALE * style->font_size);
    double length = ssapp_nice_floor (longest / camera.scale) * camera.scale;
    gboolean right = right_corner_is_free (data, &camera, t);
    ssapp_draw_scale_bar (cr, style, camera.scale, longest, right ? width - inset - length : inset, height - inset);
  }
  cairo_restore (cr);
  draw_panel_frame (cr, style, x, y, width, height);
}

static void
draw_run_heading (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, int r, double x, double y)
{
  double font = style->font_size, sample = 2.6 * font;
  const SsappFigureRun *run = figure->runs[r].run;
  SsappTextStyle text = {
      .size = font, .bold = TRUE, .color = ssapp_style_color (style, SSAPP_COLOR_FOREGROUND), .anchor_y = 0.5};
  SsappSeries *series = g_new0 (SsappSeries, figure->n_runs);

  for (int i = 0; i < figure->n_runs; i++)
    series[i].method = figure->runs[i].run->method;
  SsappMethodStyle *looks = ssapp_plot_series_styles (style, series, figure->n_runs);
  ssapp_draw_look_sample (cr, style, &looks[r], x, y, sample);
  ssapp_text_draw (cr, style, &text, x + sample + 0.6 * font, y, ssapp_figure_run_label (run));
  g_free (looks);
  g_free (series);
}

static void
draw_no_motion (cairo_t *cr, const SsappStyle *style, const SsappFigureData *data, double x, double y, double width,
                double height)
{
  SsappTextStyle text = {
      .size = style->font_size, .color = ssapp_style_color (style, SSAPP_COLOR_DIM), .anchor_x = 0.5, .anchor_y = 0.5};
  draw_panel_frame (cr, style, x, y, width, height);
  ssapp_text_draw (cr, style, &text, x + width / 2, y + height / 2,
                   data != NULL && data->view_error != NULL ? "This motion cannot be drawn" : "No motion");
}

/* The snapshots of one run, with times above each row but the first, which only the first run has. */
static void
draw_snapshots (cairo_t *cr, const SsappStyle *style, const Panels *panels, int r, double x, double top)
{
  double font = style->font_size;
  const PanelGrid *grid = &panels->grid;
  SsappTextStyle text = {
      .size = font, .color = ssapp_style_color (style, SSAPP_COLOR_FOREGROUND), .anchor_x = 0.5, .anchor_y = 1.};

  for (int k = 0; k < panels->n; k++) {
    double left = x + (k % grid->columns) * (grid->panel_width + PANEL_GAP * font), t = instant (panels, k);
    double upper = top + (k / grid->columns) * (grid->panel_height + PANEL_GAP * font + TIME_ROW * font);
    draw_panel (cr, style, panels, &panels->figure->runs[r], t, r == 0 && k == 0 && scale_fits_panel (style, panels),
                left, upper);
    if (r == 0 || k >= grid->columns) {
      char *label = time_label (panels->figure, t);
      ssapp_text_draw (cr, style, &text, left + grid->panel_width / 2, upper - 1.5 * style->scale, label);
      g_free (label);
    }
  }
}

/* Colour bar in the middle, printed scales of arrows at its right. */
static void
draw_motion_legend (cairo_t *cr, const SsappStyle *style, const Panels *panels, double x, double top, double width)
{
  static const double BAR_SHARE = 0.5, BAR_LONGEST = 30., BAR_LEAST = 4., ARROW = 4.5, LABEL = 2., ABOVE = 1.05,
                      BESIDE = 2.2, APART = 1.2; /* share; font sizes */
  const SsappMotionPaint *paint = &panels->paint;
  double font = style->font_size, bar_width = MIN (BAR_SHARE * width, BAR_LONGEST * font), bar_top = top + ABOVE * font;
  double bar_x = x + (width - bar_width) / 2, at, y = bar_top + BAR_HEIGHT * font;
  const guint layers = panels->figure->layers;
  const double unit = paint->shrink * panels->style.scale;
  const double force_px =
      layers == 0 || (layers & SSAPP_LAYER_FORCES) != 0 ? ssapp_arrow_px (paint->largest_force) * unit : 0.;
  const double velocity_px = layers == 0 || (layers & SSAPP_LAYER_VELOCITIES) != 0
                                 ? ssapp_arrow_px (MAX (paint->largest_velocity, paint->largest_speed)) * unit
                                 : 0.;
  const double impulse_px = ssapp_arrow_px (paint->largest_impulse) * unit;
  SsappTimeBar bar = {.t0 = panels->figure->t_begin, .t1 = panels->figure->t_end, .title = panels->figure->axis};

  const int n_arrows = (force_px > 0.) + (impulse_px > 0.) + (velocity_px > 0.);
  const double arrows = n_arrows > 0 ? (BESIDE + n_arrows * (ARROW + APART)) * font : 0.,
               end = MIN (bar_x + bar_width, x + width - arrows);
  if (!scale_fits_panel (style, panels)) {
    SsappCamera camera;
    double title_width = 0., title_height;
    if (panels->figure->region.is_chosen)
      ssapp_region_camera (panels->bounds, panels->grid.panel_width, panels->grid.panel_height, &camera);
    else
      fit_panel (panels, &camera);
    const double scale_x = x + 0.5 * font,
                 scale_width = ssapp_draw_scale_bar (cr, style, camera.scale, 3.2 * font, scale_x, y);
    if (bar.title != NULL)
      ssapp_text_measure (style, font, FALSE, bar.title, &title_width, &title_height);
    /* the colour bar with its title begins after the scale */
    bar_x = MAX (bar_x, scale_x + scale_width + title_width + 2 * APART * font);
  }
  bar_width = MAX (end - bar_x, BAR_LEAST * font);
  at = bar_x + bar_width + BESIDE * font;
  bar.max_labels = (int)CLAMP (bar_width / (LABEL * font), 2., 6.);
  ssapp_draw_time_bar (cr, style, &bar, bar_x, bar_top, bar_width, BAR_HEIGHT * font);
  if (force_px > 0.)
    at += APART * font +
          ssapp_draw_arrow_scale (cr, style, force_px, "N", ssapp_style_color (style, SSAPP_COLOR_FORCE), at, y);
  if (impulse_px > 0.)
    at += APART * font +
          ssapp_draw_arrow_scale (cr, style, impulse_px, "N s", ssapp_style_color (style, SSAPP_COLOR_FORCE), at, y);
  if (velocity_px > 0.)
    ssapp_draw_arrow_scale (cr, style, velocity_px, "m/s", ssapp_style_color (style, SSAPP_COLOR_VELOCITY), at, y);
}

/* Rows of snapshots and the colour bar within height. */
static void
draw_motions (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double x, double y, double width,
              double height)
{
  double font = style->font_size, top = y;
  int rows = MAX (figure->n_runs, 1);
  gboolean several = figure->n_runs > 1;
  double row_height = (height - BAR_ROW * font - TIME_ROW * font - (several ? rows * HEADING_ROW * font : 0.)) / rows;
  Panels panels;

  /* hairlines of the outer frames stay inside the picture */
  x += style->scale;
  width -= 2 * style->scale;
  panels_init (&panels, style, figure, width, row_height);
  for (int r = 0; r < rows; r++) {
    const SsappFigureData *data = r < figure->n_runs ? &figure->runs[r] : NULL;
    if (several) {
      draw_run_heading (cr, style, figure, r, x, top + 0.5 * HEADING_ROW * font);
      top += HEADING_ROW * font;
    }
    if (r == 0)
      top += TIME_ROW * font;
    if (data == NULL || data->view == NULL)
      draw_no_motion (cr, style, data, x, top, width, row_height);
    else
      draw_snapshots (cr, style, &panels, r, x, top);
    top += row_height;
  }
  if (figure->has_motion)
    draw_motion_legend (cr, style, &panels, x, top, width);
}

double
ssapp_figure_film_height (const SsappFigure *figure, double width)
{
  static const double FLATTEST = 0.2, TALLEST = 0.75; /* shares of the width, of all rows */
  const double rows = MAX (figure->n_runs, 1);
  double bounds[4];

  if (figure->kind != SSAPP_FIGURE_MOTION)
    return ssapp_figure_height (figure->kind, width, figure->n_runs);
  union_bounds (figure, bounds);
  double share = CLAMP ((bounds[3] - bounds[1]) / (bounds[2] - bounds[0]), FLATTEST, TALLEST / rows);
  if (!isfinite (share))
    share = FLATTEST;
  return ceil (rows * share * width +
               PAPER_FONT * (BAR_ROW + TIME_ROW + (figure->n_runs > 1 ? rows * HEADING_ROW : 0.)));
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static void
draw_figure_legend (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, gboolean tolerance, double x,
                    double y, double width)
{
  SsappSeries *series = g_new0 (SsappSeries, MAX (figure->n_runs, 1));
  for (int i = 0; i < figure->n_runs; i++)
    series[i] =
        (SsappSeries){.label = ssapp_figure_run_label (figure->runs[i].run), .method = figure->runs[i].run->method};
  ssapp_plot_draw_legend (cr, style, series, figure->n_runs, tolerance ? "tolerance" : NULL, x, y, width, TRUE);
  g_free (series);
}

typedef void FigureDraw (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double x, double y,
                         double width, double height);

/* The figure, and below it which run is which where there are several. */
static void
draw_above_legend (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, FigureDraw *draw, double width,
                   double height)
{
  const double legend = figure->n_runs > 1 ? legend_height (width, figure->n_runs, style->font_size) : 0.;

  draw (cr, style, figure, 0, 0, width, height - legend);
  if (legend > 0.)
    draw_figure_legend (cr, style, figure, FALSE, 0, height - legend, width);
}

void
ssapp_figure_paint (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double width, double height)
{
  double font = style->font_size, legend = legend_height (width, figure->n_runs, font), motion;
  double natural = natural_height (figure->kind, width, figure->n_runs, font), stretch = height / natural;
  gboolean iterations = figure->has_iterations || !figure->has_strips;

  cairo_save (cr);
  cairo_new_path (cr);
  ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_VIEW));
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_fill (cr);
  switch (figure->kind) {
  case SSAPP_FIGURE_MOTION:
    draw_motions (cr, style, figure, 0, 0, width, height);
    break;
  case SSAPP_FIGURE_CONVERGENCE:
    ssapp_figure_draw_convergence (cr, style, figure, 0, 0, width, height - legend);
    draw_figure_legend (cr, style, figure, TRUE, 0, height - legend, width);
    break;
  case SSAPP_FIGURE_CHANNELS:
  case SSAPP_FIGURE_REPLAY:
    if (figure->stack != NULL) {
      ssapp_figure_draw_stack (cr, style, figure, 0, 0, width, height);
      break;
    }
    draw_above_legend (cr, style, figure, ssapp_figure_draw_strips, width, height);
    break;
  case SSAPP_FIGURE_STEPS:
    draw_above_legend (cr, style, figure, ssapp_figure_draw_steps, width, height);
    break;
  case SSAPP_FIGURE_MODES:
    ssapp_figure_draw_modes (cr, style, figure, 0, 0, width, height);
    break;
  case SSAPP_FIGURE_PHASE:
  case SSAPP_FIGURE_CONE:
    draw_above_legend (cr, style, figure, ssapp_figure_draw_phase, width, height);
    break;
  case SSAPP_FIGURE_STATES:
    ssapp_figure_draw_states (cr, style, figure, 0, 0, width, height);
    break;
  case SSAPP_FIGURE_CLOCKS:
    ssapp_figure_draw_clocks (cr, style, figure, 0, 0, width, height);
    break;
  case SSAPP_FIGURE_FULL:
    legend = iterations || figure->n_runs > 1 ? legend : 0.;
    motion = motion_height (width, figure->n_runs, font) * stretch;
    draw_motions (cr, style, figure, 0, 0, width, motion);
    if (iterations)
      ssapp_figure_draw_convergence (cr, style, figure, 0, motion + GAP * font, width,
                                     height - motion - GAP * font - legend);
    else
      ssapp_figure_draw_two_strips (cr, style, figure, 0, motion + GAP * font, width,
                                    height - motion - GAP * font - legend);
    if (legend > 0.)
      draw_figure_legend (cr, style, figure, iterations, 0, height - legend, width);
    break;
  }
  cairo_restore (cr);
}

void
ssapp_figure_draw (cairo_t *cr, const SsappStyle *style, SsappFigureKind kind, const SsScenario *scenario,
                   const SsappFigureRun *runs, int n_runs, double width, double height)
{
  SsappFigure figure;
  ssapp_figure_prepare (&figure, kind, scenario, runs, n_runs, NULL);
  ssapp_figure_paint (cr, style, &figure, width, height);
  ssapp_figure_clear (&figure);
}
