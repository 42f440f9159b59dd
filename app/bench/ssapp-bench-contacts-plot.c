/* app/bench/ssapp-bench-contacts-plot.c: figures of solvers of contact problems; see ssapp-bench-contacts.h. */
#include "app/bench/ssapp-bench-contacts.h"

#include "app/base/ssapp-file.h"
#include "app/export/ssapp-export.h"
#include "app/export/ssapp-file-kind.h"
#include "app/study/ssapp-statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const ssapp_contacts_plot_names[] = {"profile", "residual-time", "residual-iterations", "levels", NULL};

/* [pt]; right of the axis there is room for half of its last number. */
static const double HEIGHT = 220, PANEL_HEIGHT = 130, LEFT = 34, RIGHT = 18, DPI = 300;
/* A profile goes on behind its last step by this factor; ratios beyond the most are as good as none. */
static const double BEYOND = 1.3, RATIO_MOST = 1e6;
/* Of the median of many problems: places along x, evenly on a log axis. */
enum { PLACES = 200 };
/* No clock tells shorter times [s]. */
static const double SHORTEST = 1e-7;

typedef struct {
  GArray *x, *y; /* of double */
} Curve;

static void
add (Curve *curve, double x, double y)
{
  g_array_append_val (curve->x, x);
  g_array_append_val (curve->y, y);
}

static int
compare (const void *a, const void *b)
{
  const double left = *(const double *)a, right = *(const double *)b;
  return left < right ? -1 : left > right;
}

/* ---- profiles ---------------------------------------------------------------------------------------------------- */

/* CPU time to a level, of NaN to the run's own tolerance; INFINITY: not reached. */
static double
time_of (const SsappBenchContacts *self, guint problem, guint solver, double level)
{
  const SsStepResult *result = ssapp_bench_contacts_result (self, problem, solver);
  const double time = !isnan (level) ? ssapp_bench_contacts_time_to (self, problem, solver, level)
                      : result->outcome == SS_OUTCOME_SOLVED ? result->cpu_seconds
                                                             : INFINITY;

  return fmax (time, SHORTEST);
}

/* That over the fastest one's; INFINITY: not reached. */
static double
ratio_of (const SsappBenchContacts *self, guint problem, guint solver, double level)
{
  const double time = time_of (self, problem, solver, level);
  double best = INFINITY;

  for (guint s = 0; s < ssapp_bench_contacts_n_solvers (self); s++)
    best = fmin (best, time_of (self, problem, s, level));
  return isfinite (time) ? time / best : INFINITY;
}

static void
find_profiles (const SsappBenchContacts *self, double level, Curve *curves)
{
  const guint n = ssapp_bench_contacts_n_problems (self), n_solvers = ssapp_bench_contacts_n_solvers (self);
  g_autofree double *ratios = g_new (double, n + 1);
  double last = 1;

  for (guint s = 0; s < n_solvers; s++)
    for (guint p = 0; p < n; p++) {
      const double ratio = ratio_of (self, p, s, level);
      if (ratio < RATIO_MOST)
        last = fmax (last, ratio);
    }
  for (guint s = 0; s < n_solvers; s++) {
    guint at = 0;
    for (guint p = 0; p < n; p++)
      ratios[p] = ratio_of (self, p, s, level);
    qsort (ratios, n, sizeof *ratios, compare);
    while (at < n && ratios[at] <= 1)
      at++;
    add (&curves[s], 1, n > 0 ? (double)at / n : 0);
    for (; at < n && ratios[at] <= last; at++)
      add (&curves[s], ratios[at], (at + 1.) / n);
    add (&curves[s], last * BEYOND, n > 0 ? (double)at / n : 0);
  }
}

/* ---- residuals --------------------------------------------------------------------------------------------------- */

static double
place_of (const SsStepSample *sample, gboolean is_time)
{
  return is_time ? fmax (sample->cpu_seconds, SHORTEST) : fmax (sample->iteration, 1);
}

/* The least residual of the run so far; `at` goes on with the places. */
static double
residual_by (const SsStepResult *result, gboolean is_time, double place, int *at, double *so_far)
{
  for (; *at < result->n_samples && place_of (&result->samples[*at], is_time) <= place; ++*at)
    if (result->samples[*at].residual < *so_far)
      *so_far = result->samples[*at].residual;
  return *so_far;
}

/* All iterates of a run. */
static void
take_samples (const SsStepResult *result, gboolean is_time, Curve *curve)
{
  for (int i = 0; i < result->n_samples; i++)
    add (curve, place_of (&result->samples[i], is_time),
         result->samples[i].residual > 0 ? result->samples[i].residual : (double)NAN);
}

static void
find_medians (const SsappBenchContacts *self, guint solver, gboolean is_time, double last, Curve *curve)
{
  const guint n = ssapp_bench_contacts_n_problems (self);
  const double first = is_time ? SHORTEST * 10 : 1;
  g_autofree double *so_far = g_new (double, n + 1), *now = g_new (double, n + 1);
  g_autofree int *at = g_new0 (int, n + 1);

  for (guint p = 0; p < n; p++)
    so_far[p] = INFINITY;
  for (int k = 0; k < PLACES; k++) {
    /* the last place is the last sample's, to the last digit: a product of powers may fall short of it */
    const double place = k < PLACES - 1 ? first * pow (fmax (last / first, 1), k / (PLACES - 1.)) : fmax (last, first);
    for (guint p = 0; p < n; p++)
      now[p] = residual_by (ssapp_bench_contacts_result (self, p, solver), is_time, place, &at[p], &so_far[p]);
    qsort (now, n, sizeof *now, compare);
    const double median = now[n / 2];
    if (isfinite (median))
      add (curve, place, fmax (median, 1e-18));
  }
}

static void
find_residuals (const SsappBenchContacts *self, gboolean is_time, Curve *curves)
{
  const guint n = ssapp_bench_contacts_n_problems (self), n_solvers = ssapp_bench_contacts_n_solvers (self);
  double last = 0;

  for (guint p = 0; p < n; p++)
    for (guint s = 0; s < n_solvers; s++) {
      const SsStepResult *result = ssapp_bench_contacts_result (self, p, s);
      if (result->n_samples > 0)
        last = fmax (last, place_of (&result->samples[result->n_samples - 1], is_time));
    }
  for (guint s = 0; s < n_solvers; s++) {
    if (n == 1)
      take_samples (ssapp_bench_contacts_result (self, 0, s), is_time, &curves[s]);
    else if (n > 1)
      find_medians (self, s, is_time, last, &curves[s]);
  }
}

/* ---- curves ------------------------------------------------------------------------------------------------------ */

typedef struct {
  const SsappBenchContacts *self;
  SsappContactsPlot plot;
  guint n, n_levels; /* solvers; panels of LEVELS, else 1 */
  Curve *curves;     /* n a level */
} Figure;

static void
figure_init (Figure *figure, const SsappBenchContacts *self, SsappContactsPlot plot)
{
  *figure = (Figure){self, plot, ssapp_bench_contacts_n_solvers (self),
                     plot == SSAPP_CONTACTS_LEVELS ? ssapp_bench_contacts_n_levels (self) : 1, NULL};
  figure->curves = g_new0 (Curve, figure->n * figure->n_levels + 1);
  for (guint s = 0; s < figure->n * figure->n_levels; s++)
    figure->curves[s] =
        (Curve){g_array_new (FALSE, FALSE, sizeof (double)), g_array_new (FALSE, FALSE, sizeof (double))};
  if (plot == SSAPP_CONTACTS_LEVELS)
    for (guint l = 0; l < figure->n_levels; l++)
      find_profiles (self, ssapp_bench_contacts_level (l), figure->curves + (gsize)l * figure->n);
  else if (plot == SSAPP_CONTACTS_PROFILE)
    find_profiles (self, NAN, figure->curves);
  else
    find_residuals (self, plot == SSAPP_CONTACTS_TIME, figure->curves);
}

static void
figure_clear (Figure *figure)
{
  for (guint s = 0; s < figure->n * figure->n_levels; s++) {
    g_array_unref (figure->curves[s].x);
    g_array_unref (figure->curves[s].y);
  }
  g_free (figure->curves);
}

static gboolean
is_of_profiles (SsappContactsPlot plot)
{
  return plot == SSAPP_CONTACTS_PROFILE || plot == SSAPP_CONTACTS_LEVELS;
}

static const char *
label_of_x (SsappContactsPlot plot)
{
  return is_of_profiles (plot)         ? "CPU time over the fastest"
         : plot == SSAPP_CONTACTS_TIME ? "CPU time [s]"
                                       : "Iterations";
}

/* The panel of a level. */
static void
paint_panel (cairo_t *cr, const SsappStyle *style, const Figure *figure, guint level, double y, double width,
             double height)
{
  const gboolean is_profile = is_of_profiles (figure->plot),
                 is_one = ssapp_bench_contacts_n_problems (figure->self) == 1;
  g_autofree SsappSeries *series = g_new0 (SsappSeries, figure->n + 1);
  g_autofree char *reached = g_strdup_printf ("Problems with %.0e m/s", ssapp_bench_contacts_level (level));
  const SsappPlotSpec spec = {.x_label = level + 1 == figure->n_levels ? label_of_x (figure->plot) : NULL,
                              .y_label = figure->plot == SSAPP_CONTACTS_LEVELS ? reached
                                         : is_profile                          ? "Problems solved"
                                         : is_one                              ? "Residual [m/s]"
                                                  : "Residual, median of the problems [m/s]",
                              .x_log = TRUE,
                              .y_log = !is_profile,
                              .x_min = NAN,
                              .x_max = NAN,
                              .y_min = is_profile ? 0 : (double)NAN,
                              .y_max = is_profile ? 1 : (double)NAN,
                              .tolerance = NAN,
                              .cursor = NAN,
                              .reference = NAN,
                              .x_ticks = is_profile ? SSAPP_PLOT_TICKS_TIMES : SSAPP_PLOT_TICKS_NUMBERS,
                              .y_ticks = is_profile ? SSAPP_PLOT_TICKS_PERCENT : SSAPP_PLOT_TICKS_NUMBERS,
                              .left_least = figure->n_levels > 1 ? LEFT : 0,
                              .right_least = RIGHT,
                              .legend = level == 0};

  for (guint s = 0; s < figure->n; s++) {
    const Curve *curve = &figure->curves[level * figure->n + s];
    series[s] = (SsappSeries){.label = ssapp_bench_contacts_solver (figure->self, s)->name,
                              .n = (int)curve->x->len,
                              .x = (const double *)(const void *)curve->x->data,
                              .y = (const double *)(const void *)curve->y->data,
                              .is_step = is_profile};
  }
  ssapp_plot_draw (cr, style, &spec, series, (int)figure->n, 0, y, width, height);
}

static void
paint (cairo_t *cr, const SsappStyle *style, gconstpointer data, double width, double height)
{
  const Figure *figure = data;

  for (guint l = 0; l < figure->n_levels; l++)
    paint_panel (cr, style, figure, l, l * height / figure->n_levels, width, height / figure->n_levels);
}

SsappTable *
ssapp_bench_contacts_curves (const SsappBenchContacts *self, SsappContactsPlot plot)
{
  static const char *const keys[][2] = {
      {"ratio", "solved"}, {"cpu_seconds", "residual"}, {"iteration", "residual"}, {"ratio", "solved"}};
  SsappTable *table = ssapp_table_new ("Solvers of contact problems");
  Figure figure;

  ssapp_table_add_text_column (table, "solver", "Solver");
  ssapp_table_add_number_column (table, keys[plot][0], label_of_x (plot), "", "%.6g", SSAPP_BEST_NONE);
  ssapp_table_add_number_column (table, keys[plot][1],
                                 is_of_profiles (plot) ? "Part of the problems solved" : "Residual", "", "%.6g",
                                 SSAPP_BEST_NONE);
  if (plot == SSAPP_CONTACTS_LEVELS)
    ssapp_table_add_number_column (table, "level", "Residual", "m/s", "%.0e", SSAPP_BEST_NONE);
  figure_init (&figure, self, plot);
  for (guint s = 0; s < figure.n * figure.n_levels; s++)
    for (guint i = 0; i < figure.curves[s].x->len; i++) {
      ssapp_table_begin_row (table);
      ssapp_table_add_text (table, ssapp_bench_contacts_solver (self, s % figure.n)->name);
      ssapp_table_add_number (table, g_array_index (figure.curves[s].x, double, i));
      ssapp_table_add_number (table, g_array_index (figure.curves[s].y, double, i));
      if (plot == SSAPP_CONTACTS_LEVELS)
        ssapp_table_add_number (table, ssapp_bench_contacts_level (s / figure.n));
    }
  figure_clear (&figure);
  return table;
}

gboolean
ssapp_bench_contacts_export (const SsappBenchContacts *self, SsappContactsPlot plot, double width_mm, const char *path,
                             GError **error)
{
  static const char *const titles[] = {"Performance profile", "Residual over CPU time", "Residual over iterations",
                                       "Performance profiles of residuals"};
  SsappTableFormat format;
  Figure figure;

  if (!ssapp_endings_check ("curves", path, error))
    return FALSE;
  if (!ssapp_endings_check ("picture", path, NULL) && ssapp_table_format_of_path (path, &format)) {
    g_autoptr (SsappTable) table = ssapp_bench_contacts_curves (self, plot);
    g_autofree char *text = ssapp_table_write (table, format);
    return ssapp_write_file (path, text, -1, error);
  }
  figure_init (&figure, self, plot);
  const gboolean ok =
      ssapp_export_painted (paint, &figure, titles[plot], width_mm,
                            figure.n_levels > 1 ? figure.n_levels * PANEL_HEIGHT : HEIGHT, DPI, path, error);
  figure_clear (&figure);
  return ok;
}
