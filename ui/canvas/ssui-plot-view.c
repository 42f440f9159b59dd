/* ui/canvas/ssui-plot-view.c: see the header. */
#include "ui/canvas/ssui-plot-view.h"

#include "app/draw/ssapp-clock.h"
#include "app/draw/ssapp-cone.h"
#include "app/draw/ssapp-frozen.h"
#include "app/draw/ssapp-phase.h"
#include "app/draw/ssapp-run-plots.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define FEASIBLE_TOLERANCE SS_RUN_FEASIBLE /* shaded on the violation plot */
#define PLOT_GAP           6.0             /* px between stacked plots     */
#define X_AXIS_HEIGHT      30.0            /* px the lowest plot needs more, for its labels */
#define LEAST_POINTS       200             /* of a curve: fewer rows are joined as the motion goes */
#define MAX_BODIES_SHOWN   4               /* curves a plot of a simulation */

typedef struct {
  char *label;
  SsMethodId method; /* name owned */
  double *x, *y;
  double *t; /* of a path; NULL */
  int n;
  gboolean is_running;
  double weight; /* of a branch */
  int look;      /* as in SsappSeries */
  gboolean is_point;
} Series;

typedef struct {
  SsappPlotSpec spec; /* its strings are owned */
  GPtrArray *series;
  double also[2]; /* what spec.y_also points to */
} Plot;

struct _SsuiPlotView {
  GtkWidget parent_instance;
  GPtrArray *plots;
  GPtrArray *modes;       /* of SsappModeStrip, in the place of plots; nullable */
  double modes_t_end;     /* [s] */
  GArray *frozen;         /* of SsappPlotSpan: where the time of a run stands still; of plots by a second clock */
  SsappFrozenPlane plane; /* of a phase plane */
  SsappRun *told;         /* whose contact the plane is of; nullable */
  int told_channel;
  GPtrArray *stepped;          /* of SsappRun: their steps are on show; nullable */
  const SsappPlotKind *figure; /* painted as on paper, in the place of plots; nullable */
  GPtrArray *figured;          /* of SsappRun: what it is of */
  char *figure_axes[2];        /* names for its axes; NULL: its own choice */
  SsuiClock *clock;
  int height;            /* asked for [px]; 0: the usual one */
  SsappPlotLine cone[2]; /* lines of a friction cone, and what must be seen of it */
  double cone_x[2], cone_y[2];
};

G_DEFINE_FINAL_TYPE (SsuiPlotView, ssui_plot_view, GTK_TYPE_WIDGET)

static void
series_free (Series *series)
{
  g_free (series->label);
  g_free ((char *)series->method.name);
  g_free (series->x);
  g_free (series->y);
  g_free (series->t);
  g_free (series);
}

static void
plot_free (Plot *plot)
{
  g_free ((char *)plot->spec.title);
  g_free ((char *)plot->spec.x_label);
  g_free ((char *)plot->spec.y_label);
  g_free ((char *)plot->spec.tolerance_label);
  g_free ((char *)plot->spec.letter);
  g_ptr_array_unref (plot->series);
  g_free (plot);
}

void
ssui_plot_view_clear (SsuiPlotView *self)
{
  g_clear_pointer (&self->modes, g_ptr_array_unref);
  g_clear_pointer (&self->stepped, g_ptr_array_unref);
  g_clear_pointer (&self->figured, g_ptr_array_unref);
  self->figure = NULL;
  for (int a = 0; a < 2; a++)
    g_clear_pointer (&self->figure_axes[a], g_free);
  g_clear_object (&self->told);
  g_array_set_size (self->frozen, 0);
  self->plane.n = 0;
  g_ptr_array_set_size (self->plots, 0);
}

int
ssui_plot_view_add_plot (SsuiPlotView *self, const SsappPlotSpec *spec)
{
  Plot *plot = g_new0 (Plot, 1);

  plot->spec = *spec;
  plot->spec.title = g_strdup (spec->title);
  plot->spec.x_label = g_strdup (spec->x_label);
  plot->spec.y_label = g_strdup (spec->y_label);
  plot->spec.tolerance_label = g_strdup (spec->tolerance_label);
  plot->spec.letter = g_strdup (spec->letter);
  plot->spec.y_also = plot->spec.x_also = NULL;
  plot->series = g_ptr_array_new_with_free_func ((GDestroyNotify)series_free);
  g_ptr_array_add (self->plots, plot);
  return (int)self->plots->len - 1;
}

void
ssui_plot_view_add_series (SsuiPlotView *self, int plot, const char *label, SsMethodId method, const double *x,
                           const double *y, int n, gboolean is_running)
{
  Series *series = g_new0 (Series, 1);

  series->label = g_strdup (label);
  series->method = (SsMethodId){method.kind, g_strdup (method.name), method.copy};
  series->x = g_memdup2 (x, sizeof (double) * (gsize)n);
  series->y = g_memdup2 (y, sizeof (double) * (gsize)n);
  series->n = n;
  series->is_running = is_running;
  g_ptr_array_add (((Plot *)g_ptr_array_index (self->plots, plot))->series, series);
}

static void
add_path (SsuiPlotView *self, int plot, const char *label, SsMethodId method, const SsappPath *path)
{
  const GPtrArray *all = ((Plot *)g_ptr_array_index (self->plots, plot))->series;

  ssui_plot_view_add_series (self, plot, label, method, path->x, path->y, path->n, FALSE);
  ((Series *)g_ptr_array_index (all, all->len - 1))->t = g_memdup2 (path->t, sizeof (double) * (gsize)path->n);
}

/* The last value of each curve, in words: what a glance at the plot tells. */
void
ssui_plot_view_done (SsuiPlotView *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint p = 0; p < self->plots->len; p++) {
    const Plot *plot = g_ptr_array_index (self->plots, p);
    guint n_branches = 0;
    g_string_append_printf (text, "%s%s:", p > 0 ? "; " : "",
                            plot->spec.title != NULL     ? plot->spec.title
                            : plot->spec.y_label != NULL ? plot->spec.y_label
                                                         : _ ("Plot"));
    for (guint s = 0; s < plot->series->len; s++) {
      const Series *series = g_ptr_array_index (plot->series, s);
      n_branches += series->weight > 0 ? 1 : 0;
      if (series->weight > 0)
        continue;
      g_autofree char *value = ssui_number (series->n > 0 ? series->y[series->n - 1] : NAN);
      g_string_append_printf (text, _ (" %s %s at %d points%s"), series->label != NULL ? series->label : "", value,
                              series->n, s + 1 < plot->series->len ? "," : "");
    }
    if (n_branches > 0)
      g_string_append_printf (text, ngettext (" %u branch", " %u branches", n_branches), n_branches);
  }
  ssui_set_description (GTK_WIDGET (self), text->str);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* ---- drawing ----------------------------------------------------------------------------------------------------- */

static GArray *
draw_series (const Plot *plot)
{
  GArray *array = g_array_new (FALSE, TRUE, sizeof (SsappSeries));
  guint n_curves = 0;

  for (guint s = 0; s < plot->series->len; s++) {
    const Series *series = g_ptr_array_index (plot->series, s);
    SsappSeries drawn = {series->label, series->method,     series->n, series->x,
                         series->y,     series->is_running, series->t, series->weight};
    drawn.look = series->look;
    drawn.is_marked = drawn.has_no_line = series->is_point;
    if (series->weight <= 0)
      g_array_insert_val (array, n_curves++, drawn); /* branches come last */
    else
      g_array_append_val (array, drawn);
  }
  return array;
}

/* Mode and multipliers of the plane's contact now; NULL: none are told. */
static char *
describe_mode (SsuiPlotView *self)
{
  if (self->told == NULL || self->clock == NULL || !ssapp_run_has_motion (self->told))
    return NULL;
  return ssapp_frozen_describe (ssapp_run_get_scenario (self->told)->scene, ssapp_run_get_trajectory (self->told),
                                self->told_channel, ssui_clock_get_time (self->clock),
                                ssui_clock_is_before (self->clock));
}

/* A plot with what the runs say of their clocks and contacts now; `mode`, for g_free, must outlive it. */
static SsappPlotSpec
spec_now (SsuiPlotView *self, const Plot *plot, char **mode)
{
  SsappPlotSpec spec = plot->spec;

  spec.spans = (const SsappPlotSpan *)(const void *)self->frozen->data;
  spec.n_spans = (int)self->frozen->len;
  spec.span_label = _ ("time stands");
  spec.regions = self->plane.regions;
  spec.n_regions = self->plane.n;
  *mode = describe_mode (self);
  if (*mode != NULL)
    spec.title = *mode;
  return spec;
}

static void
paint_figure (SsuiPlotView *self, cairo_t *cr, const SsappStyle *style, double width, double height)
{
  g_autofree SsappFigureRun *runs = g_new0 (SsappFigureRun, self->figured->len + 1);
  SsappRun *first = self->figured->len > 0 ? g_ptr_array_index (self->figured, 0) : NULL;
  SsappFigureOptions options = {.time = NAN, .x_channel = self->figure_axes[0], .y_channel = self->figure_axes[1]};

  ssapp_region_init (&options.region);
  for (guint i = 0; i < self->figured->len; i++)
    ssapp_run_fill_figure (g_ptr_array_index (self->figured, i), &runs[i]);
  ssapp_figure_draw (cr, style, self->figure, first != NULL ? ssapp_run_get_scenario (first) : NULL, runs,
                     (int)self->figured->len, &options, width, height);
}

static void
ssui_plot_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  SsuiPlotView *self = SSUI_PLOT_VIEW (widget);
  int w = gtk_widget_get_width (widget), h = gtk_widget_get_height (widget), n = (int)self->plots->len;
  double each = (h - X_AXIS_HEIGHT - PLOT_GAP * MAX (n - 1, 0)) / MAX (n, 1), y = 0;
  SsappStyle style;
  cairo_t *cr;

  if (w <= 0 || h <= 0 || (self->modes == NULL && self->figure == NULL && (n == 0 || each <= 0)))
    return;
  ssui_style_init (&style, widget);
  if (self->modes != NULL) {
    cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, w, h));
    ssapp_mode_strips_draw (cr, &style, self->modes, self->modes_t_end,
                            self->clock != NULL ? ssui_clock_get_time (self->clock) : NAN, 0, 0, w, h);
    cairo_destroy (cr);
    return;
  }
  cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, w, h));
  if (self->figure != NULL)
    paint_figure (self, cr, &style, w, h);
  for (int p = 0; p < n; p++) {
    Plot *plot = g_ptr_array_index (self->plots, p);
    double height = p == n - 1 ? each + X_AXIS_HEIGHT : each;
    g_autofree char *mode = NULL;
    SsappPlotSpec spec = spec_now (self, plot, &mode);
    g_autoptr (GArray) series = draw_series (plot);
    if (self->clock != NULL)
      spec.cursor = ssui_clock_get_time (self->clock);
    spec.cursor_is_before = self->clock != NULL && ssui_clock_is_before (self->clock);
    spec.hide_x_labels = p < n - 1;
    ssapp_plot_draw (cr, &style, &spec, (const SsappSeries *)(void *)series->data, (int)series->len, 0, y, w, height);
    y += height + PLOT_GAP;
  }
  cairo_destroy (cr);
}

static void
ssui_plot_view_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                        int *minimum_baseline, int *natural_baseline)
{
  const SsuiPlotView *self = SSUI_PLOT_VIEW (widget);

  (void)for_size;
  (void)minimum_baseline;
  (void)natural_baseline;
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 160 : self->height > 0 ? self->height : 120;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 240 : self->height > 0 ? self->height : 200;
}

/* ---- pointer ----------------------------------------------------------------------------------------------------- */

static gboolean
has_paths (const Plot *plot)
{
  return plot->series->len > 0 && ((const Series *)g_ptr_array_index (plot->series, 0))->t != NULL;
}

/* Of what is drawn at this place, NaN: nothing. */
static double
time_at (SsuiPlotView *self, double device_x, double device_y)
{
  const int w = gtk_widget_get_width (GTK_WIDGET (self)), h = gtk_widget_get_height (GTK_WIDGET (self));
  SsappStyle style;
  Plot *plot;
  g_autoptr (GArray) series = NULL;
  g_autofree char *mode = NULL;
  SsappPlotSpec spec;

  ssui_style_init (&style, GTK_WIDGET (self));
  if (self->modes != NULL)
    return ssapp_mode_strips_time_at (&style, self->modes, self->modes_t_end, 0, w, device_x);
  if (self->plots->len == 0)
    return NAN;
  plot = g_ptr_array_index (self->plots, 0);
  series = draw_series (plot);
  spec = spec_now (self, plot, &mode);
  return has_paths (plot) ? ssapp_plot_time_at (&style, &spec, (const SsappSeries *)(void *)series->data,
                                                (int)series->len, 0, 0, w, h, device_x, device_y)
                          : ssapp_plot_x_at (&style, &spec, (const SsappSeries *)(void *)series->data, (int)series->len,
                                             0, w, device_x);
}

static void
seek_to (SsuiPlotView *self, double device_x, double device_y)
{
  const double t = self->clock != NULL ? time_at (self, device_x, device_y) : NAN;

  if (isfinite (t))
    ssui_clock_seek (self->clock, t);
}

/* The step below the pointer, a line and its switches for every run. */
static char *
describe_steps (SsuiPlotView *self, double t)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint r = 0; r < self->stepped->len; r++) {
    SsappRun *run = g_ptr_array_index (self->stepped, r);
    const SsScenario *scenario = ssapp_run_get_scenario (run);
    g_autofree char *step = ssapp_run_has_motion (run) && scenario != NULL
                                ? ssapp_step_describe (scenario->scene, ssapp_run_get_trajectory (run), t)
                                : NULL;
    if (step != NULL)
      g_string_append_printf (text, "%s%s, %s", text->len > 0 ? "\n" : "", ssapp_run_get_label (run), step);
  }
  return text->len > 0 ? g_strdup (text->str) : NULL;
}

static gboolean
on_query_tooltip (SsuiPlotView *self, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  g_autofree char *text = NULL;
  SsappStyle style;

  if (keyboard)
    return FALSE;
  ssui_style_init (&style, GTK_WIDGET (self));
  if (self->modes != NULL)
    text =
        ssapp_mode_strips_describe_at (&style, self->modes, self->modes_t_end, gtk_widget_get_width (GTK_WIDGET (self)),
                                       gtk_widget_get_height (GTK_WIDGET (self)), x, y);
  else if (self->stepped != NULL)
    text = describe_steps (self, time_at (self, x, y));
  gtk_tooltip_set_text (tooltip, text);
  return text != NULL;
}

static void
on_drag_begin (GtkGestureDrag *gesture, double x, double y, SsuiPlotView *self)
{
  (void)gesture;
  seek_to (self, x, y);
}

static void
on_drag_update (GtkGestureDrag *gesture, double dx, double dy, SsuiPlotView *self)
{
  double x, y;
  if (gtk_gesture_drag_get_start_point (gesture, &x, &y))
    seek_to (self, x + dx, y + dy);
}

void
ssui_plot_view_set_clock (SsuiPlotView *self, SsuiClock *clock)
{
  g_return_if_fail (SSUI_IS_PLOT_VIEW (self) && (clock == NULL || SSUI_IS_CLOCK (clock)));
  if (self->clock != NULL)
    g_signal_handlers_disconnect_by_data (self->clock, self);
  g_set_object (&self->clock, clock);
  if (clock != NULL)
    g_signal_connect_object (clock, "tick", G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
}

/* ---- what is shown ----------------------------------------------------------------------------------------------- */

static SsappPlotSpec
empty_spec (const char *title)
{
  return (SsappPlotSpec){.title = title, SSAPP_PLOT_FREE};
}

static Series *
last_series (SsuiPlotView *self, int plot)
{
  const GPtrArray *all = ((Plot *)g_ptr_array_index (self->plots, plot))->series;

  return g_ptr_array_index (all, all->len - 1);
}

/* A race that is alone: a curve of its own colour for each member, the answer as a mark on top of all. */
static void
add_members (SsuiPlotView *self, int plot, SsappRun *run, const double *x, const double *y, const int *traces, int n)
{
  g_autoptr (GArray) parts = ssapp_trace_parts (traces, n);

  for (guint i = 0; i < parts->len; i++) {
    const SsappTracePart *part = &g_array_index (parts, SsappTracePart, i);
    const gboolean is_answer = part->trace == SSAPP_TRACE_ANSWER;
    int n_finite = 0;
    for (int k = part->from; k < part->from + part->n; k++)
      n_finite += isfinite (y[k]);
    if (n_finite == 0) /* a bound has no violation */
      continue;
    ssui_plot_view_add_series (self, plot, ssapp_run_get_trace_label (run, part->trace), ssapp_run_get_method (run),
                               x + part->from, y + part->from, part->n, ssapp_run_is_running (run) && !is_answer);
    last_series (self, plot)->look = is_answer ? 0 : 1 + (int)i;
    last_series (self, plot)->is_point = is_answer;
  }
}

void
ssui_plot_view_show_convergence (SsuiPlotView *self, GPtrArray *runs, gboolean over_time)
{
  SsappPlotSpec objective = empty_spec (ss_metric_spec (SS_METRIC_OBJECTIVE)->label),
                violation = empty_spec (_ ("Largest violation"));
  int plots[2];

  ssui_plot_view_clear (self);
  objective.y_log = violation.y_log = TRUE;
  objective.end_labels = violation.end_labels = TRUE;
  objective.x_label = violation.x_label = over_time ? _ ("Wall time [s]") : _ ("Iteration");
  objective.x_min = violation.x_min = 0;
  violation.tolerance = FEASIBLE_TOLERANCE;
  violation.tolerance_label = "tolerance 10⁻⁶";
  plots[0] = ssui_plot_view_add_plot (self, &objective);
  plots[1] = ssui_plot_view_add_plot (self, &violation);
  for (guint r = 0; r < runs->len; r++) {
    SsappRun *run = g_ptr_array_index (runs, r);
    GArray *iterations = ssapp_run_get_iterations (run);
    const gsize most = SSAPP_CURVE_POINTS (iterations);
    g_autofree double *x = g_new (double, most), *f = g_new (double, most), *v = g_new (double, most);
    const SsappAnswer answer = ssapp_run_get_answer (run);
    g_autofree int *traces = g_new (int, most);
    int n;
    ssapp_iterations_to_curves (iterations, over_time, &answer, x, f, v, traces, &n);
    if (runs->len == 1 && ssapp_run_get_race (run) != NULL) {
      add_members (self, plots[0], run, x, f, traces, n);
      add_members (self, plots[1], run, x, v, traces, n);
      continue;
    }
    ssui_plot_view_add_series (self, plots[0], ssapp_run_get_label (run), ssapp_run_get_method (run), x, f, n,
                               ssapp_run_is_running (run));
    ssui_plot_view_add_series (self, plots[1], ssapp_run_get_label (run), ssapp_run_get_method (run), x, v, n,
                               ssapp_run_is_running (run));
  }
  ssui_plot_view_done (self);
}

static void
add_frozen (SsuiPlotView *self, GPtrArray *runs)
{
  for (guint r = 0; r < runs->len; r++)
    if (ssapp_run_has_motion (g_ptr_array_index (runs, r)))
      ssapp_frozen_spans_add (self->frozen, ssapp_run_get_trajectory (g_ptr_array_index (runs, r)));
}

static const char *
axis_of (GPtrArray *runs)
{
  return ssapp_clock_axis (runs->len > 0 ? ssapp_run_get_trajectory (g_ptr_array_index (runs, 0)) : NULL);
}

/* Before there is a motion the time axis shows the horizon; NaN once there is one. */
static double
empty_horizon (GPtrArray *runs)
{
  double t_end = NAN;

  for (guint r = 0; r < runs->len; r++) {
    SsappRun *run = g_ptr_array_index (runs, r);
    if (ssapp_run_has_motion (run) && ssapp_run_get_trajectory (run)->n_rows > 1)
      return NAN;
    t_end = ssapp_run_get_scenario (run)->task.t_end;
  }
  return t_end > 0 ? t_end : NAN;
}

/* One curve of a strip over the rows of a run. */
static void
add_strip_series (SsuiPlotView *self, int plot, SsappRun *run, int strip)
{
  SsTrajectory *refined = ssapp_refine_motion (ssapp_run_get_trajectory (run), LEAST_POINTS);
  const SsTrajectory *trajectory = refined != NULL ? refined : ssapp_run_get_trajectory (run);
  SsView *view = ssapp_run_get_view (run);
  g_autofree double *x = g_new (double, trajectory->n_rows + 1), *y = g_new (double, trajectory->n_rows + 1);

  for (int row = 0; row < trajectory->n_rows; row++) {
    x[row] = ss_trajectory_row (trajectory, row)[0];
    y[row] = ss_view_strip_value (view, strip, ss_trajectory_row (trajectory, row));
  }
  ssui_plot_view_add_series (self, plot, ssapp_run_get_label (run), ssapp_run_get_method (run), x, y,
                             trajectory->n_rows, FALSE);
  ss_trajectory_free (refined);
}

/* A curve of every branch of a run from where it leaves its parent: `value` of a row. */
static void
add_branches (SsuiPlotView *self, int plot, SsappRun *run, double (*value) (const double *row, gpointer data),
              gpointer data)
{
  int n;
  double largest;
  const SsappFanMotion *branches = ssapp_run_get_branches (run, &n, &largest);

  for (int i = 0; i < n; i++) {
    SsTrajectory *refined = ssapp_refine_motion (branches[i].motion, LEAST_POINTS);
    const SsTrajectory *motion = refined != NULL ? refined : branches[i].motion;
    g_autofree double *x = g_new (double, motion->n_rows + 1), *y = g_new (double, motion->n_rows + 1);
    int n_points = 0;
    for (int row = 0; row < motion->n_rows; row++) {
      const double *values = ss_trajectory_row (motion, row);
      if (values[0] < branches[i].from)
        continue;
      x[n_points] = values[0];
      y[n_points++] = value (values, data);
    }
    if (n_points > 0) {
      ssui_plot_view_add_series (self, plot, NULL, ssapp_run_get_method (run), x, y, n_points, FALSE);
      GPtrArray *list = ((Plot *)g_ptr_array_index (self->plots, plot))->series;
      ((Series *)g_ptr_array_index (list, list->len - 1))->weight = fmax (branches[i].share / largest, 1e-6);
    }
    ss_trajectory_free (refined);
  }
}

typedef struct {
  SsView *view;
  int strip;
} StripOf;

static double
strip_value (const double *row, gpointer data)
{
  const StripOf *of = data;

  return ss_view_strip_value (of->view, of->strip, row);
}

static double
column_value (const double *row, gpointer data)
{
  return row[*(int *)data];
}

#define BODY_NOISE 1e-12 /* m, rad: heights and angles below are rounding errors of ordinary ones */

/* A channel of every free body: what a simulation without strips shows. */
static void
add_body_plot (SsuiPlotView *self, GPtrArray *runs, const char *title, const char *channel)
{
  SsappPlotSpec spec = empty_spec (title);
  int plot;

  spec.x_label = axis_of (runs);
  spec.x_min = 0;
  spec.x_max = empty_horizon (runs);
  spec.end_labels = TRUE;
  plot = ssui_plot_view_add_plot (self, &spec);
  for (guint r = 0; r < runs->len; r++) {
    SsappRun *run = g_ptr_array_index (runs, r);
    const SsTrajectory *rows = ssapp_run_get_trajectory (run);
    SsTrajectory *refined = rows != NULL ? ssapp_refine_motion (rows, LEAST_POINTS) : NULL;
    const SsTrajectory *trajectory = refined != NULL ? refined : rows;
    const SsScene *scene = ssapp_run_get_scenario (run)->scene;
    int shown = 0;
    for (int body = 0; scene != NULL && trajectory != NULL && body < scene->n_bodies && shown < MAX_BODIES_SHOWN;
         body++) {
      g_autofree char *name = g_strdup_printf ("%s.%s", scene->bodies[body].name, channel);
      int column = ss_trajectory_channel (trajectory, name);
      g_autofree double *x = g_new (double, trajectory->n_rows + 1), *y = g_new (double, trajectory->n_rows + 1);
      if (scene->bodies[body].is_fixed || column < 0)
        continue;
      for (int row = 0; row < trajectory->n_rows; row++) {
        x[row] = ss_trajectory_row (trajectory, row)[0];
        y[row] = ss_trajectory_row (trajectory, row)[column];
        if (fabs (y[row]) < BODY_NOISE)
          y[row] = 0; /* or what does not move fills the strip with its rounding errors */
      }
      ssui_plot_view_add_series (self, plot, scene->bodies[body].name, ssapp_run_get_method (run), x, y,
                                 trajectory->n_rows, FALSE);
      add_branches (self, plot, run, column_value, &column);
      shown++;
    }
    ss_trajectory_free (refined);
  }
}

void
ssui_plot_view_show_channels (SsuiPlotView *self, GPtrArray *runs, int max_plots)
{
  g_return_if_fail (SSUI_IS_PLOT_VIEW (self) && runs != NULL);

  SsappRun *first = runs->len > 0 ? g_ptr_array_index (runs, 0) : NULL;
  SsView *view = first != NULL ? ssapp_run_get_view (first) : NULL;
  int n_strips = view != NULL ? ss_view_n_strips (view) : 0;

  ssui_plot_view_clear (self);
  add_frozen (self, runs);
  for (int strip = 0; strip < MIN (n_strips, max_plots); strip++) {
    SsappPlotSpec spec = empty_spec (ss_view_strip_label (view, strip));
    const SsTrajectory *trajectory = ssapp_run_get_trajectory (first);
    int plot;
    spec.x_label = axis_of (runs);
    spec.x_min = 0;
    spec.x_max = empty_horizon (runs);
    spec.reference = ss_view_strip_reference (view, strip, ss_trajectory_row (trajectory, 0));
    plot = ssui_plot_view_add_plot (self, &spec);
    for (guint r = 0; r < runs->len; r++) {
      SsappRun *run = g_ptr_array_index (runs, r);
      SsView *own = ssapp_run_get_view (run);
      StripOf of = {own, strip};
      if (own == NULL || ss_view_n_strips (own) != n_strips)
        continue;
      add_strip_series (self, plot, run, strip);
      add_branches (self, plot, run, strip_value, &of);
    }
  }
  if (n_strips == 0 && first != NULL && ssapp_run_get_scenario (first)->scene != NULL) {
    add_body_plot (self, runs, _ ("Height [m]"), "y");
    if (max_plots > 1)
      add_body_plot (self, runs, _ ("Angle [rad]"), "theta");
  }
  ssui_plot_view_done (self);
}

static void
show_steps (SsuiPlotView *self, GPtrArray *runs, const SsappFigureOptions *options)
{
  SsappPlotSpec spec = empty_spec (_ ("Step size [s]"));
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (SsappSeries));
  int plot;

  (void)options;
  ssui_plot_view_clear (self);
  add_frozen (self, runs);
  for (guint r = 0; r < runs->len; r++) {
    SsappRun *run = g_ptr_array_index (runs, r);
    double *t, *h;
    const int n = ssapp_step_sizes (ssapp_run_has_motion (run) ? ssapp_run_get_trajectory (run) : NULL, &t, &h);
    const SsappSeries series = {.label = ssapp_run_get_label (run),
                                .method = ssapp_run_get_method (run),
                                .n = n,
                                .x = t,
                                .y = h,
                                .is_running = ssapp_run_is_running (run)};
    g_array_append_val (all, series);
  }
  spec.x_label = axis_of (runs);
  spec.x_min = 0;
  spec.x_max = empty_horizon (runs);
  spec.y_log = ssapp_step_sizes_suit_log ((const SsappSeries *)(void *)all->data, (int)all->len);
  plot = ssui_plot_view_add_plot (self, &spec);
  for (guint i = 0; i < all->len; i++) {
    const SsappSeries *series = &g_array_index (all, SsappSeries, i);
    ssui_plot_view_add_series (self, plot, series->label, series->method, series->x, series->y, series->n,
                               series->is_running);
    g_free ((double *)series->x);
    g_free ((double *)series->y);
  }
  self->stepped = g_ptr_array_ref (runs);
  ssui_plot_view_done (self);
}

/* The regions of the contact whose gap and gap speed these channels are. */
static void
show_plane (SsuiPlotView *self, SsappRun *run, int x, int y)
{
  ssapp_frozen_plane (&self->plane, ssapp_run_get_scenario (run)->scene, ssapp_run_get_trajectory (run), x, y);
  if (self->plane.n == 0)
    return;
  g_set_object (&self->told, run);
  self->told_channel = x;
}

static void
show_phase (SsuiPlotView *self, GPtrArray *runs, const SsappFigureOptions *options)
{
  const char *x_channel = options->x_channel, *y_channel = options->y_channel;
  SsappPlotSpec spec = empty_spec (NULL);
  g_autofree char *x_label = NULL, *y_label = NULL;
  int plot;

  ssui_plot_view_clear (self);
  add_frozen (self, runs);
  for (guint r = 0; r < runs->len && x_label == NULL; r++) {
    SsappRun *run = g_ptr_array_index (runs, r);
    const SsTrajectory *rows = ssapp_run_has_motion (run) ? ssapp_run_get_trajectory (run) : NULL;
    const int x = rows != NULL && x_channel != NULL ? ss_trajectory_channel (rows, x_channel) : -1;
    const int y = rows != NULL && y_channel != NULL ? ss_trajectory_channel (rows, y_channel) : -1;
    if (x >= 0 && y >= 0) {
      x_label = ssapp_phase_label (rows, x);
      y_label = ssapp_phase_label (rows, y);
      show_plane (self, run, x, y);
    }
  }
  spec.x_label = x_label;
  spec.y_label = y_label;
  plot = ssui_plot_view_add_plot (self, &spec);
  if (self->plane.n > 0) {
    ((Plot *)g_ptr_array_index (self->plots, plot))->spec.x_also = self->plane.x_also;
    ((Plot *)g_ptr_array_index (self->plots, plot))->spec.y_also = self->plane.y_also;
  }
  for (guint r = 0; r < runs->len; r++) {
    SsappRun *run = g_ptr_array_index (runs, r);
    const SsTrajectory *rows = ssapp_run_has_motion (run) ? ssapp_run_get_trajectory (run) : NULL;
    SsappPath path;
    ssapp_path_init (&path, rows, rows != NULL && x_channel != NULL ? ss_trajectory_channel (rows, x_channel) : -1,
                     rows != NULL && y_channel != NULL ? ss_trajectory_channel (rows, y_channel) : -1, LEAST_POINTS);
    add_path (self, plot, ssapp_run_get_label (run), ssapp_run_get_method (run), &path);
    ssapp_path_clear (&path);
  }
  ssui_plot_view_done (self);
}

/* Its lines reach as far as the forces of any run. */
static void
add_cone (SsuiPlotView *self, int plot, const SsappCone *cone)
{
  SsappPlotSpec *spec = &((Plot *)g_ptr_array_index (self->plots, plot))->spec;

  if (!isfinite (cone->mu))
    return;
  ssapp_cone_lines (cone->mu, MAX (ssapp_cone_x_end (cone), self->cone[0].x1), self->cone);
  self->cone_x[1] = self->cone[0].x1;
  self->cone_y[0] = self->cone[1].y1;
  self->cone_y[1] = self->cone[0].y1;
  spec->lines = self->cone;
  spec->n_lines = 2;
  spec->x_also = self->cone_x;
  spec->y_also = self->cone_y;
}

static void
show_cone (SsuiPlotView *self, GPtrArray *runs, const SsappFigureOptions *options)
{
  const char *contact = options->contact;
  SsappPlotSpec spec = empty_spec (NULL);
  g_autofree char *x_label = NULL, *y_label = NULL;
  int plot = -1;

  ssui_plot_view_clear (self);
  memset (self->cone, 0, sizeof self->cone);
  for (guint r = 0; r < runs->len; r++) {
    SsappRun *run = g_ptr_array_index (runs, r);
    SsappCone cone;
    if (!ssapp_run_has_motion (run) ||
        !ssapp_cone_init (&cone, ssapp_run_get_scenario (run)->scene, ssapp_run_get_trajectory (run), contact))
      continue;
    if (plot < 0) {
      spec.x_label = x_label = ssapp_cone_label (&cone, contact, TRUE);
      spec.y_label = y_label = ssapp_cone_label (&cone, contact, FALSE);
      plot = ssui_plot_view_add_plot (self, &spec);
    }
    add_cone (self, plot, &cone);
    add_path (self, plot, ssapp_run_get_label (run), ssapp_run_get_method (run), &cone.path);
    ssapp_cone_clear (&cone);
  }
  if (plot < 0) {
    spec.x_label = _ ("Normal force [N]");
    spec.y_label = _ ("Tangential force [N]");
    ssui_plot_view_add_plot (self, &spec);
  }
  ssui_plot_view_done (self);
}

static void
show_modes (SsuiPlotView *self, GPtrArray *runs, const SsappFigureOptions *options)
{
  GPtrArray *modes = ssapp_mode_strips_new ();
  double t_end = 0;

  (void)options;
  ssui_plot_view_clear (self);
  for (guint r = 0; r < runs->len; r++) {
    SsappRun *run = g_ptr_array_index (runs, r);
    if (ssapp_run_has_motion (run))
      ssapp_mode_strips_add (modes, ssapp_run_get_scenario (run)->scene, ssapp_run_get_trajectory (run),
                             runs->len > 1 ? ssapp_run_get_label (run) : NULL);
    t_end = MAX (t_end, ssapp_run_get_duration (run));
  }
  self->modes = modes;
  self->modes_t_end = t_end;
  g_autofree char *text = ssapp_mode_strips_describe (modes);
  ssui_set_description (GTK_WIDGET (self), modes->len > 0 ? text : _ ("No contact forces to show"));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* Painted as on paper. */
static void
show_figure (SsuiPlotView *self, const SsappPlotKind *plot, GPtrArray *runs, const SsappFigureOptions *options)
{
  ssui_plot_view_clear (self);
  self->figure_axes[0] = g_strdup (options->x_channel);
  self->figure_axes[1] = g_strdup (options->y_channel);
  self->figure = plot;
  self->figured = g_ptr_array_ref (runs);
  ssui_set_description (GTK_WIDGET (self), _ (plot->heading));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ssui_plot_view_show_plot (SsuiPlotView *self, const SsappPlotKind *plot, GPtrArray *runs,
                          const SsappFigureOptions *options)
{
  /* Plots that tell what is below the pointer, or follow the clock. */
  static const struct {
    const char *plot;
    void (*show) (SsuiPlotView *self, GPtrArray *runs, const SsappFigureOptions *options);
  } views[] = {{"steps", show_steps}, {"modes", show_modes}, {"phase", show_phase}, {"cone", show_cone}};

  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    if (strcmp (views[i].plot, plot->file.name) == 0) {
      views[i].show (self, runs, options);
      return;
    }
  show_figure (self, plot, runs, options);
}

void
ssui_plot_view_share_ranges (GPtrArray *views)
{
  g_return_if_fail (views != NULL);

  SsuiPlotView *first = views->len > 0 ? g_ptr_array_index (views, 0) : NULL;

  for (guint p = 0; first != NULL && p < first->plots->len; p++) {
    double all[2] = {INFINITY, -INFINITY}, own[2];
    for (guint v = 0; v < views->len; v++) {
      SsuiPlotView *view = g_ptr_array_index (views, v);
      Plot *plot = p < view->plots->len ? g_ptr_array_index (view->plots, p) : NULL;
      g_autoptr (GArray) series = plot != NULL ? draw_series (plot) : NULL;
      if (plot == NULL ||
          !ssapp_plot_y_extent (&plot->spec, (const SsappSeries *)(void *)series->data, (int)series->len, own))
        continue;
      all[0] = MIN (all[0], own[0]);
      all[1] = MAX (all[1], own[1]);
    }
    for (guint v = 0; v < views->len && all[0] <= all[1]; v++) {
      SsuiPlotView *view = g_ptr_array_index (views, v);
      Plot *plot = p < view->plots->len ? g_ptr_array_index (view->plots, p) : NULL;
      if (plot == NULL || (plot->spec.y_also != NULL && memcmp (plot->also, all, sizeof all) == 0))
        continue;
      memcpy (plot->also, all, sizeof all);
      plot->spec.y_also = plot->also;
      gtk_widget_queue_draw (GTK_WIDGET (view));
    }
  }
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

static void
ssui_plot_view_dispose (GObject *object)
{
  SsuiPlotView *self = SSUI_PLOT_VIEW (object);

  ssui_plot_view_set_clock (self, NULL);
  G_OBJECT_CLASS (ssui_plot_view_parent_class)->dispose (object);
}

static void
ssui_plot_view_finalize (GObject *object)
{
  g_ptr_array_unref (SSUI_PLOT_VIEW (object)->plots);
  g_clear_pointer (&SSUI_PLOT_VIEW (object)->modes, g_ptr_array_unref);
  g_clear_pointer (&SSUI_PLOT_VIEW (object)->stepped, g_ptr_array_unref);
  g_clear_pointer (&SSUI_PLOT_VIEW (object)->figured, g_ptr_array_unref);
  for (int a = 0; a < 2; a++)
    g_clear_pointer (&SSUI_PLOT_VIEW (object)->figure_axes[a], g_free);
  g_clear_object (&SSUI_PLOT_VIEW (object)->told);
  g_array_unref (SSUI_PLOT_VIEW (object)->frozen);
  G_OBJECT_CLASS (ssui_plot_view_parent_class)->finalize (object);
}

static void
ssui_plot_view_class_init (SsuiPlotViewClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = ssui_plot_view_dispose;
  G_OBJECT_CLASS (class)->finalize = ssui_plot_view_finalize;
  widget_class->snapshot = ssui_plot_view_snapshot;
  widget_class->measure = ssui_plot_view_measure;
  gtk_widget_class_set_css_name (widget_class, "plot");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
ssui_plot_view_init (SsuiPlotView *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();
  AdwStyleManager *manager = adw_style_manager_get_default ();

  self->plots = g_ptr_array_new_with_free_func ((GDestroyNotify)plot_free);
  self->frozen = ssapp_frozen_spans (NULL);
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  ssui_set_label (GTK_WIDGET (self), _ ("Plot"));
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (on_query_tooltip), NULL);
  g_signal_connect_object (manager, "notify::dark", G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (manager, "notify::high-contrast", G_CALLBACK (gtk_widget_queue_draw), self,
                           G_CONNECT_SWAPPED);
}

void
ssui_plot_view_set_height (SsuiPlotView *self, int height)
{
  self->height = height;
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

GtkWidget *
ssui_plot_view_new (void)
{
  return g_object_new (SSUI_TYPE_PLOT_VIEW, NULL);
}
