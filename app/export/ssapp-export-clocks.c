/* app/export/ssapp-export-clocks.c: a motion by both of its clocks [001 Fig 3 Fig 5 Fig 6]:
 * positions and velocities over numerical and over physical time, the speed of time, the physical clock, what drives
 * the motion, and the plane of gap and gap speed with its regions. */
#include "app/export/ssapp-export-private.h"

#include <math.h>
#include <string.h>

enum { COLUMNS = 2, LEAST_POINTS = 400 };
/* Height of a row as a share of the width. */
static const double ROW_SHARE = 0.31;
#define SPEED_OF_TIME     "speed" /* channels of runs by time-freezing */
#define SPEED_OF_INTERVAL "s_k"

struct SsappClocks {
  SsTrajectory *by_tau, *by_time; /* owned */
  SsappStates *states[2];         /* owned: by tau, by time */
  const char *driver;             /* panel of what drives the motion: controls, or else forces; static text */
  GArray *frozen;                 /* of SsappPlotSpan, by tau */
  int n;                          /* rows */
  double *tau, *t, *speed, *s_k;  /* owned, n each; speed and s_k NULL where the run tells none */
  SsappPath path;
  SsappFrozenPlane plane;
  char *x_label, *y_label; /* owned; of the plane */
};

/* ---- data -------------------------------------------------------------------------------------------------------- */

/* Both tellings of the motion; FALSE: it has one clock. */
static gboolean
tell (SsappClocks *self, const SsTrajectory *motion)
{
  const gboolean is_by_time = motion->channels[0].quantity == SS_QUANTITY_TIME;
  const int other =
      is_by_time ? ss_trajectory_second_clock (motion) : ss_trajectory_quantity (motion, SS_QUANTITY_TIME);
  SsTrajectory **own = is_by_time ? &self->by_time : &self->by_tau;
  SsTrajectory **swapped = is_by_time ? &self->by_tau : &self->by_time;

  return other > 0 && ss_trajectory_copy (motion, own, NULL) == SS_OK &&
         ss_trajectory_by_clock (motion, other, swapped, NULL) == SS_OK;
}

static double *
column (const SsTrajectory *motion, int channel)
{
  double *values = channel >= 0 ? g_new (double, motion->n_rows + 1) : NULL;

  for (int row = 0; channel >= 0 && row < motion->n_rows; row++)
    values[row] = ss_trajectory_row (motion, row)[channel];
  return values;
}

static void
find_plane (SsappClocks *self, const SsScenario *scenario)
{
  int x, y;

  ssapp_phase_first_channels (self->by_tau, &x, &y);
  ssapp_frozen_plane (&self->plane, scenario != NULL ? scenario->scene : NULL, self->by_tau, x, y);
  if (self->plane.n == 0)
    return;
  ssapp_path_init (&self->path, self->by_tau, x, y, LEAST_POINTS);
  self->x_label = ssapp_phase_label (self->by_tau, x);
  self->y_label = ssapp_phase_label (self->by_tau, y);
}

/* NULL: the run has one clock. */
static SsappClocks *
clocks_new (const SsScenario *scenario, const SsappFigureRun *run)
{
  static const char *const drivers[] = {"Control", "Normal force [N]"};
  SsappFigureRun told = *run;
  SsappClocks *self;

  if (run->trajectory == NULL || run->trajectory->n_rows < 2)
    return NULL;
  self = g_new0 (SsappClocks, 1);
  if (!tell (self, run->trajectory)) {
    ssapp_clocks_free (self);
    return NULL;
  }
  told.trajectory = self->by_tau;
  self->states[0] = ssapp_states_new (&told);
  told.trajectory = self->by_time;
  self->states[1] = ssapp_states_new (&told);
  for (gsize i = 0; i < G_N_ELEMENTS (drivers) && self->driver == NULL; i++)
    if (ssapp_states_has_panel (self->states[1], drivers[i]))
      self->driver = drivers[i];
  self->frozen = ssapp_frozen_spans (self->by_tau);
  self->n = self->by_tau->n_rows;
  self->tau = column (self->by_tau, 0);
  self->t = column (self->by_tau, ss_trajectory_quantity (self->by_tau, SS_QUANTITY_TIME));
  self->speed = column (self->by_tau, ss_trajectory_channel (self->by_tau, SPEED_OF_TIME));
  self->s_k = column (self->by_tau, ss_trajectory_channel (self->by_tau, SPEED_OF_INTERVAL));
  find_plane (self, scenario);
  return self;
}

void
ssapp_clocks_free (SsappClocks *self)
{
  if (self == NULL)
    return;
  for (int i = 0; i < COLUMNS; i++)
    ssapp_states_free (self->states[i]);
  ss_trajectory_free (self->by_tau);
  ss_trajectory_free (self->by_time);
  g_clear_pointer (&self->frozen, g_array_unref);
  g_free (self->tau);
  g_free (self->t);
  g_free (self->speed);
  g_free (self->s_k);
  ssapp_path_clear (&self->path);
  g_free (self->x_label);
  g_free (self->y_label);
  g_free (self);
}

static void
list_curves (const SsappClocks *self, const SsappFigureRun *run, SsappFigureCurveFunc func, gpointer data)
{
  const char *letter = ssapp_clock_letter (self->by_tau);

  for (int side = 0; side < COLUMNS; side++)
    ssapp_states_for_each (self->states[side], run, side == 0 ? letter : "t", func, data);
  func (&(SsappFigureCurve){run, "t", letter, self->n, self->tau, self->t, 1}, data);
  if (self->speed != NULL)
    func (&(SsappFigureCurve){run, SPEED_OF_TIME, letter, self->n, self->tau, self->speed, 1}, data);
  if (self->s_k != NULL)
    func (&(SsappFigureCurve){run, SPEED_OF_INTERVAL, letter, self->n, self->tau, self->s_k, 1}, data);
  if (self->plane.n == 0)
    return;
  func (&(SsappFigureCurve){run, self->x_label, letter, self->path.n, self->path.t, self->path.x, 1}, data);
  func (&(SsappFigureCurve){run, self->y_label, letter, self->path.n, self->path.t, self->path.y, 1}, data);
}

/* ---- picture ----------------------------------------------------------------------------------------------------- */

typedef struct {
  cairo_t *cr;
  const SsappStyle *style;
  const SsappClocks *clocks;
  double x, y, width, height; /* of the next panel */
  int n_drawn;
  char letter[8];
} Page;

static SsappPlotSpec
spec_of (Page *page, const char *title, gboolean by_tau)
{
  const SsappClocks *clocks = page->clocks;

  g_snprintf (page->letter, sizeof page->letter, "(%c)", 'a' + page->n_drawn);
  return (SsappPlotSpec){.y_label = title,
                         .letter = page->letter,
                         .x_label = ssapp_clock_axis (by_tau ? clocks->by_tau : NULL),
                         SSAPP_PLOT_FREE,
                         .spans = (const SsappPlotSpan *)(const void *)clocks->frozen->data,
                         .n_spans = by_tau ? (int)clocks->frozen->len : 0,
                         .span_label = "time stands"};
}

/* Where the panel goes: left and right by turns. */
static SsappRect
place (Page *page)
{
  const double gap = 1.2 * page->style->font_size, width = (page->width - gap) / COLUMNS;
  const int column_ = page->n_drawn % COLUMNS, row = page->n_drawn / COLUMNS;

  page->n_drawn++;
  return (SsappRect){page->x + column_ * (width + gap), page->y + row * page->height, width, page->height};
}

static void
draw_state (Page *page, const char *title, gboolean by_tau)
{
  const SsappPlotSpec spec = spec_of (page, title, by_tau);
  const SsappRect at = place (page);

  ssapp_states_draw_panel (page->cr, page->style, page->clocks->states[by_tau ? 0 : 1], title, &spec, at.x, at.y,
                           at.width, at.height);
}

static void
draw_curves (Page *page, const SsappPlotSpec *spec, const SsappSeries *series, int n)
{
  const SsappRect at = place (page);

  ssapp_plot_draw (page->cr, page->style, spec, series, n, at.x, at.y, at.width, at.height);
}

static void
draw_speed (Page *page)
{
  const SsappClocks *c = page->clocks;
  SsappSeries series[2];
  SsappPlotSpec spec = spec_of (page, "Speed of time", TRUE);
  int n = 0;

  series[n++] = (SsappSeries){.label = "dt/dτ", .n = c->n, .x = c->tau, .y = c->speed};
  if (c->s_k != NULL)
    series[n++] = (SsappSeries){.label = "s", .n = c->n, .x = c->tau, .y = c->s_k};
  spec.legend = TRUE;
  draw_curves (page, &spec, series, n);
}

static void
draw_clock (Page *page)
{
  const SsappSeries series = {.label = "t", .n = page->clocks->n, .x = page->clocks->tau, .y = page->clocks->t};
  const SsappPlotSpec spec = spec_of (page, "Physical time t [s]", TRUE);

  draw_curves (page, &spec, &series, 1);
}

static void
draw_plane (Page *page)
{
  const SsappClocks *c = page->clocks;
  const SsappSeries series = {.label = c->y_label, .n = c->path.n, .x = c->path.x, .y = c->path.y, .t = c->path.t};
  SsappPlotSpec spec = spec_of (page, c->y_label, TRUE);

  spec.x_label = c->x_label;
  spec.regions = c->plane.regions;
  spec.n_regions = c->plane.n;
  spec.x_also = c->plane.x_also;
  spec.y_also = c->plane.y_also;
  draw_curves (page, &spec, &series, 1);
}

static int
n_rows (const SsappClocks *self)
{
  const int n = 5 + (self->speed != NULL) + (self->driver != NULL) + (self->plane.n > 0);

  return (n + COLUMNS - 1) / COLUMNS;
}

void
ssapp_clocks_paint (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double width, double height)
{
  const SsappClocks *clocks = figure->n_runs > 0 ? figure->runs[0].clocks : NULL;
  Page page = {.cr = cr, .style = style, .clocks = clocks, .width = width};

  if (clocks == NULL)
    return;
  page.height = height / n_rows (clocks);
  draw_state (&page, "Position [m]", TRUE);
  draw_state (&page, "Position [m]", FALSE);
  draw_state (&page, "Velocity [m/s]", TRUE);
  draw_state (&page, "Velocity [m/s]", FALSE);
  if (clocks->speed != NULL)
    draw_speed (&page);
  if (clocks->driver != NULL)
    draw_state (&page, clocks->driver, FALSE);
  draw_clock (&page);
  if (clocks->plane.n > 0)
    draw_plane (&page);
}

void
ssapp_clocks_prepare (SsappFigure *figure, SsappFigureData *data, const SsappFigureOptions *options)
{
  (void)options;
  data->clocks = clocks_new (figure->scenario, data->run);
  if (data->clocks == NULL && figure->problem == NULL)
    figure->problem =
        g_strdup_printf ("%s has one clock only; runs of time-freezing have two", ssapp_figure_run_label (data->run));
}

double
ssapp_clocks_height (const SsappFigure *figure, double width)
{
  const int n = figure->n_runs > 0 && figure->runs[0].clocks != NULL ? n_rows (figure->runs[0].clocks) : 1;

  return ceil (n * ROW_SHARE * width);
}

void
ssapp_clocks_curves (const SsappFigure *figure, SsappFigureCurveFunc func, gpointer data)
{
  for (int r = 0; r < figure->n_runs; r++)
    if (figure->runs[r].clocks != NULL)
      list_curves (figure->runs[r].clocks, figure->runs[r].run, func, data);
}
