/* app/draw/ssapp-plot-private.h: a plot being drawn, shared by the parts that draw it (private to the room). */
#pragma once

#include "app/draw/ssapp-plot-parts.h"

#include <math.h>

G_BEGIN_DECLS

/* px at 100 % */
#define SSAPP_PLOT_MARKER_PX      4.0
#define SSAPP_PLOT_MARKER_LINE_PX 1.6
#define SSAPP_PLOT_END_MARKER_PX  5.5
#define SSAPP_PLOT_LABEL_GAP_PX   6.0
/* Multiple of the font size. */
#define SSAPP_PLOT_LINE_HEIGHT 1.35

typedef struct {
  cairo_t *cr;
  const SsappStyle *style;
  const SsappPlotSpec *spec;
  const SsappSeries *series;
  int n_series;
  SsappMethodStyle *looks;
  SsappAxis x_axis, y_axis;
  SsappRect area;
  gboolean is_empty;
} SsappPlot;

static inline double
ssapp_plot_x (const SsappPlot *plot, double value)
{
  return plot->area.x + plot->area.width * ssapp_axis_fraction (&plot->x_axis, value);
}

static inline double
ssapp_plot_y (const SsappPlot *plot, double value)
{
  return plot->area.y + plot->area.height * (1. - ssapp_axis_fraction (&plot->y_axis, value));
}

static inline void
ssapp_plot_line (cairo_t *cr, double x0, double y0, double x1, double y1)
{
  cairo_move_to (cr, x0, y0);
  cairo_line_to (cr, x1, y1);
}

double ssapp_plot_curve_width (const SsappStyle *style);
int ssapp_plot_last_finite (const SsappSeries *series); /* index of the last finite point, -1 if none */
/* Text at the end of a curve. Without a legend it names the curve; the value is always there. Caller frees. */
char *ssapp_plot_end_text (const SsappPlotSpec *spec, const SsappSeries *series, double value);

/* Parts of the plane and bands of x (ssapp-plot-area.c), below everything else but for their words. */
void ssapp_plot_draw_regions (const SsappPlot *plot);
void ssapp_plot_draw_region_labels (const SsappPlot *plot);
void ssapp_plot_draw_spans (const SsappPlot *plot);
void ssapp_plot_draw_band (const SsappPlot *plot, int i); /* of a series with one */
void ssapp_plot_draw_curve (const SsappPlot *plot, int i);
void ssapp_plot_draw_zeros (const SsappPlot *plot, int i); /* what a log axis cannot show */
void ssapp_plot_draw_markers (const SsappPlot *plot, int i);
/* Whether a curve of its own has marks on it, or at its ends: a closed one, whose x comes back, has none. */
gboolean ssapp_plot_has_marks (const SsappSeries *series);
void ssapp_plot_draw_ends (const SsappPlot *plot, int i); /* of a path */
void ssapp_plot_draw_cursor (const SsappPlot *plot);
gboolean ssapp_plot_is_inside (const SsappPlot *plot, double x, double y); /* device; FALSE for NaN */
void ssapp_plot_draw_end_labels (const SsappPlot *plot);
void ssapp_plot_draw_tolerance_label (const SsappPlot *plot);

G_END_DECLS
