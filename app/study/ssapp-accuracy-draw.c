/* app/study/ssapp-accuracy-draw.c: see ssapp-accuracy-draw.h. */
#include "app/study/ssapp-accuracy-draw.h"

#include "app/draw/ssapp-plot-parts.h"
#include "app/export/ssapp-export.h"

#include <math.h>
#include <string.h>

/* Multiples of the font size. */
static const double GAP = 1.5, NARROW = 44, PANEL_HEIGHT = 24;
/* Room beyond the outermost markers, as a part of an axis. */
static const double ROOM = 0.04;
static const double DPI = 300, POINTS_PER_MM = 72 / 25.4;

typedef enum { PANEL_STEP, PANEL_CPU, N_PANELS } Panel;

static double
abscissa (const SsappAccuracyRow *row, Panel panel)
{
  return panel == PANEL_STEP ? row->dt : ss_metric_get (&row->metrics, SS_METRIC_CPU_SECONDS);
}

/* The curve of a method, from long to short steps: x and y to be freed, as the label. */
static SsappSeries
series_of (const SsappAccuracy *accuracy, guint m, Panel panel)
{
  const SsappAccuracyMethod *method = g_ptr_array_index (accuracy->methods, m);
  double *x = g_new (double, accuracy->rows->len + 1), *y = g_new (double, accuracy->rows->len + 1);
  SsappAccuracyFit fit;
  int n = 0;

  for (guint i = 0; i < accuracy->rows->len; i++) {
    const SsappAccuracyRow *row = &g_array_index (accuracy->rows, SsappAccuracyRow, i);
    if (row->method != m || !row->is_success || !(row->errors[accuracy->kind] > 0) || !(abscissa (row, panel) > 0))
      continue;
    x[n] = abscissa (row, panel);
    y[n++] = row->errors[accuracy->kind];
  }
  ssapp_accuracy_fit (accuracy, m, &fit);
  g_autofree char *order = isfinite (fit.order) ? ssapp_format_number (fit.order, 3) : NULL;
  g_autofree char *slope = isfinite (fit.cpu_slope) ? ssapp_format_number (fit.cpu_slope, 3) : NULL;
  char *label = order != NULL ? g_strdup_printf ("%s, slopes %s, %s", method->label, order, slope != NULL ? slope : "–")
                              : g_strdup (method->label);
  return (SsappSeries){
      .label = label, .method = ss_method_id (method->method), .n = n, .x = x, .y = y, .is_marked = TRUE};
}

/* One a method. */
static SsappSeries *
panel_series (const SsappAccuracy *accuracy, Panel panel)
{
  SsappSeries *series = g_new0 (SsappSeries, accuracy->methods->len + 1);

  for (guint m = 0; m < accuracy->methods->len; m++)
    series[m] = series_of (accuracy, m, panel);
  return series;
}

static void
series_free (const SsappAccuracy *accuracy, SsappSeries *series)
{
  for (guint m = 0; m < accuracy->methods->len; m++) {
    g_free ((char *)series[m].label);
    g_free ((double *)series[m].x);
    g_free ((double *)series[m].y);
  }
  g_free (series);
}

/* Ends of a logarithmic axis with room beyond its values; NaN without any. */
static void
extend (double least, double most, double *from, double *to)
{
  const double room = pow (most / least, ROOM) * (1 + ROOM);

  *from = least <= most ? least / room : (double)NAN;
  *to = least <= most ? most * room : (double)NAN;
}

static void
draw_panel (cairo_t *cr, const SsappStyle *style, const SsappAccuracy *accuracy, Panel panel, double x, double y,
            double width, double height)
{
  SsappSeries *series = panel_series (accuracy, panel);
  g_autofree char *label = ssapp_accuracy_error_words (accuracy, accuracy->kind);
  double least[2] = {INFINITY, INFINITY}, most[2] = {0, 0};

  label[0] = g_ascii_toupper (label[0]);
  for (guint m = 0; m < accuracy->methods->len; m++)
    for (int i = 0; i < series[m].n; i++) {
      least[0] = fmin (least[0], series[m].x[i]);
      most[0] = fmax (most[0], series[m].x[i]);
      least[1] = fmin (least[1], series[m].y[i]);
      most[1] = fmax (most[1], series[m].y[i]);
    }
  SsappPlotSpec spec = {SSAPP_PLOT_FREE,
                        .title = panel == PANEL_STEP ? "Error over step" : "Error over CPU time",
                        .x_label = panel == PANEL_STEP ? "Step [s]" : "CPU time [s]",
                        .y_label = label,
                        .x_log = TRUE,
                        .y_log = TRUE,
                        .legend = FALSE};
  extend (least[0], most[0], &spec.x_min, &spec.x_max);
  extend (least[1], most[1], &spec.y_min, &spec.y_max);
  for (guint m = 0; m < accuracy->methods->len; m++) /* the legend is that of both panels */
    g_free ((char *)g_steal_pointer (&series[m].label));
  ssapp_plot_draw (cr, style, &spec, series, (int)accuracy->methods->len, x, y, width, height);
  series_free (accuracy, series);
}

/* Of both panels, below them; returns its height. cr NULL: only that. */
static double
draw_legend (cairo_t *cr, const SsappStyle *style, const SsappAccuracy *accuracy, double y, double width)
{
  SsappSeries *series = panel_series (accuracy, PANEL_STEP);
  const double height =
      ssapp_plot_draw_legend (cr, style, series, (int)accuracy->methods->len, NULL, 0, y, width, TRUE);

  series_free (accuracy, series);
  return height;
}

double
ssapp_accuracy_height (const SsappAccuracy *accuracy, const SsappStyle *style, double width)
{
  const double panel = PANEL_HEIGHT * style->font_size, gap = GAP * style->font_size;
  const double panels = width < NARROW * style->font_size ? 2 * panel + gap : panel;

  return panels + gap + draw_legend (NULL, style, accuracy, 0, width);
}

void
ssapp_accuracy_draw (cairo_t *cr, const SsappStyle *style, const SsappAccuracy *accuracy, double width, double height)
{
  g_return_if_fail (style != NULL && accuracy != NULL);

  const double gap = GAP * style->font_size, legend = draw_legend (NULL, style, accuracy, 0, width);
  const double room = height - gap - legend;

  draw_legend (cr, style, accuracy, height - legend, width);
  if (width < NARROW * style->font_size) {
    const double each = (room - gap) / N_PANELS;
    draw_panel (cr, style, accuracy, PANEL_STEP, 0, 0, width, each);
    draw_panel (cr, style, accuracy, PANEL_CPU, 0, each + gap, width, each);
  } else {
    const double each = (width - gap) / N_PANELS;
    draw_panel (cr, style, accuracy, PANEL_STEP, 0, 0, each, room);
    draw_panel (cr, style, accuracy, PANEL_CPU, each + gap, 0, each, room);
  }
}

static void
paint (cairo_t *cr, const SsappStyle *style, gconstpointer data, double width, double height)
{
  ssapp_accuracy_draw (cr, style, data, width, height);
}

gboolean
ssapp_accuracy_export (const SsappAccuracy *accuracy, double width_mm, const char *path, GError **error)
{
  g_return_val_if_fail (accuracy != NULL, FALSE);
  SsappStyle style;

  ssapp_style_init_paper (&style);
  return ssapp_export_painted (paint, accuracy, accuracy->title, width_mm,
                               ssapp_accuracy_height (accuracy, &style, width_mm * POINTS_PER_MM), DPI, path, error);
}
