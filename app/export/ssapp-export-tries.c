/* app/export/ssapp-export-tries.c: a plot of the attempts at a plan (core/ss-tries.h): the costs of all honest ones in
 * their order, then of those that could not happen, then room for those that led to no plan; the best known as a line.
 */
#include "app/export/ssapp-export-private.h"

#include <math.h>
#include <stdlib.h>

/* Tries of a run with a cost, sorted; each with its place, from 1 on. */
typedef struct {
  int n, n_honest, n_all;
  SsTry *items;
  double *x, *y, best;
  int n_near;
} Sorted;

static int
compare (const void *a, const void *b)
{
  const SsTry *one = a, *other = b;

  if (one->end != other->end)
    return one->end < other->end ? -1 : 1;
  return one->cost < other->cost ? -1 : one->cost > other->cost;
}

static void
sort_tries (const SsTries *tries, Sorted *out)
{
  static const SsTries none = {.n = 0};

  tries = tries != NULL ? tries : &none;
  *out = (Sorted){.n = tries->n,
                  .n_all = ss_tries_count (tries, SS_TRY_ENDS),
                  .items = g_new0 (SsTry, tries->n + 1),
                  .x = g_new0 (double, tries->n + 1),
                  .y = g_new0 (double, tries->n + 1)};
  if (tries->n > 0)
    memcpy (out->items, tries->items, sizeof *out->items * (gsize)tries->n);
  qsort (out->items, (size_t)out->n, sizeof *out->items, compare);
  for (int i = 0; i < out->n; i++) {
    out->x[i] = i + 1;
    out->y[i] = out->items[i].cost;
    out->n_honest += out->items[i].end == SS_TRY_HONEST;
  }
  out->best = ss_tries_best (tries, &out->n_near);
}

static void
sorted_clear (Sorted *sorted)
{
  g_free (sorted->items);
  g_free (sorted->x);
  g_free (sorted->y);
}

gboolean
ssapp_tries_show (const SsappFigure *figure)
{
  for (int i = 0; i < figure->n_runs; i++)
    if (figure->runs[i].run->tries != NULL && ss_tries_count (figure->runs[i].run->tries, SS_TRY_ENDS) > 0)
      return TRUE;
  return FALSE;
}

/* ---- one run: by who made them ----------------------------------------------------------------------------------- */

enum { N_PARTS = SS_TRY_KINDS + 1 }; /* honest ones by their kind, and those that could not happen */

static gboolean
is_in_part (const SsTry *item, int part)
{
  return part < SS_TRY_KINDS ? item->end == SS_TRY_HONEST && item->kind == (SsTryKind)part : item->end != SS_TRY_HONEST;
}

static const char *
part_words (int part)
{
  return part < SS_TRY_KINDS ? ss_try_kind_words ((SsTryKind)part, TRUE) : "could not happen";
}

/* Points of a part, in arrays of sorted->n; how many. */
static int
take_part (const Sorted *sorted, int part, double *x, double *y)
{
  int n = 0;

  for (int i = 0; i < sorted->n; i++)
    if (is_in_part (&sorted->items[i], part)) {
      x[n] = sorted->x[i];
      y[n++] = sorted->y[i];
    }
  return n;
}

static void
draw_one (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double width, double height)
{
  const SsappFigureRun *run = figure->runs[0].run;
  SsappPlotSpec spec = {SSAPP_PLOT_FREE, .x_label = "Tries in the order of their costs", .y_label = "Cost"};
  SsappSeries series[N_PARTS];
  Sorted sorted;
  int n_series = 0;

  sort_tries (run->tries, &sorted);
  const int n_none = sorted.n_all - sorted.n;
  g_autofree double *x = g_new0 (double, N_PARTS *(sorted.n + 1)), *y = g_new0 (double, N_PARTS *(sorted.n + 1));
  g_autofree char *best = ssapp_format_number (sorted.best, 4),
                  *title = sorted.n_honest == 0 ? g_strdup_printf ("%d tries, no honest plan", sorted.n_all)
                           : sorted.n_near == 1
                               ? g_strdup_printf ("%d tries, best known %s, found once", sorted.n_all, best)
                               : g_strdup_printf ("%d tries, best known %s, found %d times", sorted.n_all, best,
                                                  sorted.n_near),
                  *lost = g_strdup_printf ("%d without\na plan", n_none);
  const SsappPlotRegion region = {sorted.n + 0.5, sorted.n_all + 0.5,     -INFINITY, INFINITY,
                                  lost,           SSAPP_PLOT_TONE_STANDS, 0.5,       0.5};

  for (int part = 0; part < N_PARTS; part++) {
    double *own_x = x + part * (sorted.n + 1), *own_y = y + part * (sorted.n + 1);
    const int n = take_part (&sorted, part, own_x, own_y);
    if (n > 0)
      series[n_series++] = (SsappSeries){.label = part_words (part),
                                         .n = n,
                                         .x = own_x,
                                         .y = own_y,
                                         .is_marked = TRUE,
                                         .has_no_line = TRUE,
                                         .look = part + 1};
  }
  spec.title = title;
  spec.x_min = 0.5;
  spec.x_max = sorted.n_all + 0.5;
  spec.reference = sorted.best;
  spec.regions = n_none > 0 ? &region : NULL;
  spec.n_regions = n_none > 0;
  spec.legend = TRUE;
  spec.y_log = ssapp_step_sizes_suit_log (series, n_series);
  ssapp_plot_draw (cr, style, &spec, series, n_series, 0, 0, width, height);
  sorted_clear (&sorted);
}

/* ---- several runs: each a line of its honest ones ---------------------------------------------------------------- */

static void
draw_several (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double x, double y, double width,
              double height)
{
  g_autofree Sorted *sorted = g_new0 (Sorted, figure->n_runs + 1);
  g_autofree SsappSeries *series = g_new0 (SsappSeries, figure->n_runs + 1);
  SsappPlotSpec spec = {SSAPP_PLOT_FREE, .x_label = "Tries in the order of their costs", .y_label = "Cost"};

  for (int i = 0; i < figure->n_runs; i++) {
    const SsappFigureRun *run = figure->runs[i].run;
    sort_tries (run->tries, &sorted[i]);
    series[i] = (SsappSeries){.label = ssapp_figure_run_label (run),
                              .method = run->method,
                              .n = sorted[i].n_honest,
                              .x = sorted[i].x,
                              .y = sorted[i].y,
                              .is_marked = TRUE};
  }
  spec.y_log = ssapp_step_sizes_suit_log (series, figure->n_runs);
  ssapp_plot_draw (cr, style, &spec, series, figure->n_runs, x, y, width, height);
  for (int i = 0; i < figure->n_runs; i++)
    sorted_clear (&sorted[i]);
}

void
ssapp_tries_paint (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double width, double height)
{
  if (figure->n_runs == 1)
    draw_one (cr, style, figure, width, height);
  else
    ssapp_figure_draw_above_legend (cr, style, figure, draw_several, width, height);
}

/* Those without a plan are points without a cost. */
void
ssapp_tries_curves (const SsappFigure *figure, SsappFigureCurveFunc func, gpointer data)
{
  for (int r = 0; r < figure->n_runs; r++) {
    const SsappFigureRun *run = figure->runs[r].run;
    Sorted sorted;
    char name[48];

    sort_tries (run->tries, &sorted);
    const int n_none = sorted.n_all - sorted.n, size = MAX (sorted.n, n_none) + 1;
    g_autofree double *x = g_new0 (double, size), *y = g_new0 (double, size);
    for (int part = 0; part < N_PARTS; part++) {
      const int n = take_part (&sorted, part, x, y);
      if (part < SS_TRY_KINDS)
        g_snprintf (name, sizeof name, "%s.honest", ss_try_kind_name ((SsTryKind)part));
      else
        g_strlcpy (name, ss_try_end_name (SS_TRY_NOT_POSSIBLE), sizeof name);
      if (n > 0)
        func (&(SsappFigureCurve){run, name, "number", n, x, y, 1, TRUE}, data);
    }
    for (int i = 0; i < n_none; i++) {
      x[i] = sorted.n + i + 1;
      y[i] = NAN;
    }
    if (n_none > 0)
      func (&(SsappFigureCurve){run, ss_try_end_name (SS_TRY_NO_PLAN), "number", n_none, x, y, 1, TRUE}, data);
    sorted_clear (&sorted);
  }
}
