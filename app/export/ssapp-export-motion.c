/* app/export/ssapp-export-motion.c: motions on paper: snapshots in panels, a row a run, the colour bar of time, scales;
 * alone and with their plots below. */
#include "app/export/ssapp-export-private.h"

#include "app/draw/ssapp-overlays.h"

#include <math.h>
#include <string.h>

/* Multiples of the font size. */
static const double TIME_ROW = 1.45, HEADING_ROW = 1.75, BAR_ROW = 3.9, PANEL_GAP = 0.28, BAR_HEIGHT = 0.65;
/* Heights of panels as shares of the width: narrow, wide. */
static const double PANEL_SHARE[2] = {0.285, 0.24};
/* Snapshots at chosen instants: narrow, wide. */
static const int SNAPSHOTS_A_ROW[2] = {3, 5};
/* Arrows of panels against those of the window. */
static const double PANEL_ARROWS = 0.75;
enum { PAST_FRAMES = 9, FILM_INSTANTS = 48 };

static double
motion_height (double width, int n_runs, double font)
{
  int rows = MAX (n_runs, 1), wide = width > SSAPP_TWO_COLUMNS;
  return TIME_ROW * font + rows * PANEL_SHARE[wide] * width + (rows > 1 ? rows * HEADING_ROW * font : 0.) +
         BAR_ROW * font;
}

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
  ssapp_figure_bounds (figure, panels->bounds);
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
                           .forces_of = panels->figure->forces_of,
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

/* The snapshots of one run [000 Fig 7 Fig 9], with times above each row but the first, which only the first run has. */
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
  g_return_val_if_fail (figure != NULL, (double)NAN);
  static const double FLATTEST = 0.2, TALLEST = 0.75; /* shares of the width, of all rows */
  const double rows = MAX (figure->n_runs, 1);
  double bounds[4];

  if ((figure->plot->needs & SSAPP_NEEDS_MOTION) == 0) /* more than the motion is drawn */
    return ssapp_figure_height (figure, width);
  ssapp_figure_bounds (figure, bounds);
  double share = CLAMP ((bounds[3] - bounds[1]) / (bounds[2] - bounds[0]), FLATTEST, TALLEST / rows);
  if (!isfinite (share))
    share = FLATTEST;
  return ceil (rows * share * width +
               SSAPP_PAPER_FONT * (BAR_ROW + TIME_ROW + (figure->n_runs > 1 ? rows * HEADING_ROW : 0.)));
}

double
ssapp_motion_height (const SsappFigure *figure, double width)
{
  const int wide = width > SSAPP_TWO_COLUMNS;

  if (figure->n_snapshots == 0 || figure->n_runs > 1)
    return ceil (motion_height (width, figure->n_runs, SSAPP_PAPER_FONT));
  const double rows = ceil ((double)figure->n_snapshots / SNAPSHOTS_A_ROW[wide]);
  return ceil (rows * (PANEL_SHARE[wide] * width + TIME_ROW * SSAPP_PAPER_FONT) + BAR_ROW * SSAPP_PAPER_FONT);
}

void
ssapp_motion_paint (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double width, double height)
{
  draw_motions (cr, style, figure, 0, 0, width, height);
}

static void
channel_curves (const SsappFigureData *d, SsappFigureCurveFunc func, gpointer data)
{
  const SsTrajectory *trajectory = d->run->trajectory;

  for (int c = 1; trajectory != NULL && c < trajectory->n_channels; c++)
    func (&(SsappFigureCurve){d->run, trajectory->channels[c].name, ssapp_clock_letter (trajectory), d->n_times,
                              d->times, trajectory->values + c, (gsize)trajectory->n_channels},
          data);
}

void
ssapp_motion_curves (const SsappFigure *figure, SsappFigureCurveFunc func, gpointer data)
{
  for (int r = 0; r < figure->n_runs; r++)
    channel_curves (&figure->runs[r], func, data);
}

/* ---- with its plots ---------------------------------------------------------------------------------------------- */

static double
full_height (const SsappStyle *style, const SsappFigure *figure, double width)
{
  const int wide = width > SSAPP_TWO_COLUMNS;
  const double font = style->font_size;

  return motion_height (width, figure->n_runs, font) + SSAPP_GAP * font + SSAPP_PLOT_SHARE[wide] * width +
         ssapp_convergence_draw_legend (NULL, style, figure, 0, 0, width);
}

double
ssapp_full_height (const SsappFigure *figure, double width)
{
  SsappStyle style;

  ssapp_style_init_paper (&style);
  return ceil (full_height (&style, figure, width));
}

/* Below the motions the convergence, or where no method has iterations two strips. */
void
ssapp_full_paint (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double width, double height)
{
  const double font = style->font_size, stretch = height / full_height (style, figure, width);
  const gboolean iterations = figure->has_iterations || !figure->has_strips;
  const double legend = iterations           ? ssapp_convergence_draw_legend (NULL, style, figure, 0, 0, width)
                        : figure->n_runs > 1 ? ssapp_figure_legend_height (width, figure->n_runs, font)
                                             : 0.;
  const double motion = motion_height (width, figure->n_runs, font) * stretch;
  SsappFigureDraw *draw_plots = iterations ? ssapp_figure_draw_convergence : ssapp_figure_draw_two_strips;

  draw_motions (cr, style, figure, 0, 0, width, motion);
  draw_plots (cr, style, figure, 0, motion + SSAPP_GAP * font, width, height - motion - SSAPP_GAP * font - legend);
  if (iterations)
    ssapp_convergence_draw_legend (cr, style, figure, 0, height - legend, width);
  else if (legend > 0.)
    ssapp_figure_draw_legend (cr, style, figure, FALSE, 0, height - legend, width);
}

void
ssapp_full_curves (const SsappFigure *figure, SsappFigureCurveFunc func, gpointer data)
{
  for (int r = 0; r < figure->n_runs; r++) {
    ssapp_figure_iteration_curves (figure, r, func, data);
    ssapp_figure_strip_curves (&figure->runs[r], func, data);
    channel_curves (&figure->runs[r], func, data);
  }
}
