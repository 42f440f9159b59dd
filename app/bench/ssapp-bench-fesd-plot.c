/* app/bench/ssapp-bench-fesd-plot.c: see ssapp-bench-fesd-plot.h. */
#include "app/bench/ssapp-bench-fesd-plot.h"

#include "app/draw/ssapp-plot-parts.h"
#include "app/export/ssapp-export.h"

#include <math.h>

static const double WIDTH_MM = 180, DPI = 300;
/* [pt] */
static const double PANEL_HEIGHT = 185, COST_HEIGHT = 125, GAP = 12;

SsappOrderFigure *
ssapp_order_figure_new (void)
{
  SsappOrderFigure *figure = g_new0 (SsappOrderFigure, 1);
  GArray **const lists[] = {&figure->points, &figure->homotopies, &figure->study};

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    *lists[i] = g_array_new (FALSE, TRUE, sizeof (SsappOrderPoint));
  return figure;
}

void
ssapp_order_figure_free (SsappOrderFigure *figure)
{
  if (figure == NULL)
    return;
  g_array_unref (figure->points);
  g_array_unref (figure->homotopies);
  g_array_unref (figure->study);
  g_free (figure);
}

/* What a panel shows of a run. */
typedef double (*Quantity) (const SsappOrderPoint *point);

static double
error_of (const SsappOrderPoint *point)
{
  return point->error > 0 ? point->error : (double)NAN;
}

static double
cost_of (const SsappOrderPoint *point)
{
  return point->cpu_seconds > 0 ? point->cpu_seconds : (double)NAN;
}

static int
compare_points (gconstpointer a, gconstpointer b)
{
  const double x = ((const SsappOrderPoint *)a)->element, y = ((const SsappOrderPoint *)b)->element;

  return (x > y) - (x < y);
}

/* Points of a family, of that many stages or (0) of all, by the length of an element; x and y to be freed. */
static SsappSeries
series_of (const GArray *points, int family, int stages, Quantity quantity)
{
  g_autoptr (GArray) own = g_array_new (FALSE, FALSE, sizeof (SsappOrderPoint));
  double *x = g_new (double, points->len + 1), *y = g_new (double, points->len + 1);

  for (guint i = 0; i < points->len; i++) {
    const SsappOrderPoint *point = &g_array_index (points, SsappOrderPoint, i);
    if (point->family == family && (stages == 0 || point->stages == stages) && isfinite (quantity (point)))
      g_array_append_val (own, *point);
  }
  g_array_sort (own, compare_points);
  for (guint i = 0; i < own->len; i++) {
    x[i] = g_array_index (own, SsappOrderPoint, i).element;
    y[i] = quantity (&g_array_index (own, SsappOrderPoint, i));
  }
  return (SsappSeries){.n = (int)own->len, .x = x, .y = y, .is_marked = TRUE};
}

enum { PANEL_SERIES = SSAPP_ORDER_STAGES + 2 };

/* The curves of a panel, with labels to be freed; returns how many. */
static int
panel_series (const SsappOrderFigure *figure, int family, Quantity quantity, SsappSeries *series)
{
  const GArray *const others[] = {figure->homotopies, figure->study};
  static const char *const names[] = {"homotopy", "homotopy, another program"};
  int n = 0;

  for (int s = 1; s <= SSAPP_ORDER_STAGES; s++) {
    const double slope = figure->slopes[family][s - 1];
    g_autofree char *number = isfinite (slope) ? g_strdup_printf ("%.2f", slope) : NULL;
    series[n] = series_of (figure->points, family, s, quantity);
    series[n++].label = number == NULL || quantity != error_of ? g_strdup_printf ("n = %d", s)
                                                               : g_strdup_printf ("n = %d, slope %s", s, number);
  }
  for (guint k = 0; k < G_N_ELEMENTS (others); k++) {
    series[n] = series_of (others[k], family, 0, quantity);
    series[n].has_no_line = TRUE;
    series[n].label = g_strdup (names[k]);
    if (series[n].n > 0) {
      n++;
    } else {
      g_free ((char *)series[n].label);
      g_free ((double *)series[n].x);
      g_free ((double *)series[n].y);
    }
  }
  return n;
}

/* Both families have the same axes. */
static void
extend (const SsappOrderFigure *figure, Quantity quantity, double x[2], double y[2])
{
  const GArray *const lists[] = {figure->points, figure->homotopies, figure->study};

  x[0] = y[0] = INFINITY;
  x[1] = y[1] = 0;
  for (guint l = 0; l < G_N_ELEMENTS (lists); l++)
    for (guint i = 0; i < lists[l]->len; i++) {
      const SsappOrderPoint *point = &g_array_index (lists[l], SsappOrderPoint, i);
      const double value = quantity (point);
      if (!isfinite (value))
        continue;
      x[0] = fmin (x[0], point->element);
      x[1] = fmax (x[1], point->element);
      y[0] = fmin (y[0], value);
      y[1] = fmax (y[1], value);
    }
}

/* Room beyond the outermost markers, as a factor. */
static const double ROOM = 1.1;

static void
draw_panel (cairo_t *cr, const SsappStyle *style, const SsappOrderFigure *figure, int family, Quantity quantity,
            const char *title, const char *y_label, double x, double y, double width, double height)
{
  SsappSeries series[PANEL_SERIES];
  const int n = panel_series (figure, family, quantity, series);
  double x_range[2], y_range[2];

  extend (figure, quantity, x_range, y_range);
  const gboolean has_range = x_range[0] <= x_range[1];
  const SsappPlotSpec spec = {.title = title,
                              .x_label = "Length of an element [s]",
                              .y_label = y_label,
                              .x_log = TRUE,
                              .y_log = TRUE,
                              .x_min = has_range ? x_range[0] / ROOM : (double)NAN,
                              .x_max = has_range ? x_range[1] * ROOM : (double)NAN,
                              .y_min = has_range ? y_range[0] / ROOM : (double)NAN,
                              .y_max = has_range ? y_range[1] * ROOM : (double)NAN,
                              .tolerance = NAN,
                              .cursor = NAN,
                              .reference = NAN,
                              .legend = TRUE};
  ssapp_plot_draw (cr, style, &spec, series, n, x, y, width, height);
  for (int i = 0; i < n; i++) {
    g_free ((char *)series[i].label);
    g_free ((double *)series[i].x);
    g_free ((double *)series[i].y);
  }
}

static void
paint (cairo_t *cr, const SsappStyle *style, gconstpointer data, double width, double height)
{
  const SsappOrderFigure *figure = data;
  const double panel = (width - GAP) / SSAPP_ORDER_FAMILIES;

  (void)height;
  for (int f = 0; f < SSAPP_ORDER_FAMILIES; f++) {
    const double x = f * (panel + GAP);
    g_autofree char *cost = g_strdup_printf ("%s: cost", figure->titles[f]);
    draw_panel (cr, style, figure, f, error_of, figure->titles[f], "Error at the end [m, m/s]", x, 0, panel,
                PANEL_HEIGHT);
    draw_panel (cr, style, figure, f, cost_of, cost, "CPU time of a run [s]", x, PANEL_HEIGHT + GAP, panel,
                COST_HEIGHT);
  }
}

gboolean
ssapp_order_figure_export (const SsappOrderFigure *figure, const char *path, GError **error)
{
  return ssapp_export_painted (paint, figure, "Orders of fesd-j", WIDTH_MM, PANEL_HEIGHT + GAP + COST_HEIGHT, DPI, path,
                               error);
}
