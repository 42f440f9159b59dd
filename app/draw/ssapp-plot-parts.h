/* app/draw/ssapp-plot-parts.h: parts of the plot pipeline that tests and the figures look at: axes with ticks,
 * decimation, legends. */
#pragma once

#include "app/draw/ssapp-draw-parts.h"
#include "app/draw/ssapp-plot.h"

G_BEGIN_DECLS

enum { SSAPP_AXIS_MAX_TICKS = 16, SSAPP_AXIS_MAX_MINOR = 160, SSAPP_AXIS_MAX_LABELS = 6 };

/* A value axis: range, labelled and minor ticks. Linear, or logarithmic with positive ends. */
typedef struct {
  gboolean is_log;
  double min, max; /* min < max, finite                      */
  int n_ticks;
  double ticks[SSAPP_AXIS_MAX_TICKS]; /* labelled, ascending, within the range  */
  int n_minor;
  double minor[SSAPP_AXIS_MAX_MINOR];
  double step; /* linear: distance of the labelled ticks */
  SsappPlotTicks ticks_form;
  const char *const *names; /* of a category axis, at 0, 1, ...; borrowed */
} SsappAxis;

/* Range from data lo..hi (NaN or lo > hi: none, then 0..1). An end that is fixed stays as it is; a free end moves
 * outward to a labelled tick if that costs at most `loosen` of the range. At most max_labels (2..SSAPP_AXIS_MAX_LABELS)
 * labelled ticks. */
void ssapp_axis_init_linear (SsappAxis *axis, double lo, double hi, gboolean fixed_lo, gboolean fixed_hi, double loosen,
                             int max_labels);
/* The same for a logarithmic axis; lo, hi > 0 (else a default range). Labels at powers of ten, at 2 and 5 times them,
 * or (less than a factor of about three) at round values. */
void ssapp_axis_init_log (SsappAxis *axis, double lo, double hi, gboolean fixed_lo, gboolean fixed_hi, int max_labels);
/* Minor ticks of a linear axis: four or five steps between labels. */
void ssapp_axis_add_minor (SsappAxis *axis);
/* A category axis of n names at 0 to n - 1, from -0.5 to n - 0.5; where they are many, only some have a tick. */
void ssapp_axis_init_names (SsappAxis *axis, const char *const *names, int n, int max_labels);
double ssapp_axis_fraction (const SsappAxis *axis,
                            double value); /* 0 at min, 1 at max; NaN for values <= 0 on a log axis */
double ssapp_axis_value (const SsappAxis *axis, double fraction);
char *ssapp_axis_label (const SsappAxis *axis, int tick); /* caller frees */

typedef struct {
  double x, y, width, height;
} SsappRect;

/* Device points of a curve, reduced to first, smallest, largest, last per pixel column; a point with NaN is a break of
 * the line. `column` is the width of a column (1 px). Appends SsappPlotPoint to `points`. One pass, O(n). */
typedef struct {
  double x, y;
} SsappPlotPoint;
void ssapp_plot_decimate (const SsappSeries *series, const SsappAxis *x_axis, const SsappAxis *y_axis,
                          const SsappRect *area, double column, GArray *points);

/* Styles of all series: those that share a method get different markers and dashes. Caller frees with g_free. */
SsappMethodStyle *ssapp_plot_series_styles (const SsappStyle *style, const SsappSeries *series, int n_series);

/* Plot area inside the given width: the same for every height, so that stacked plots and cursors agree. */
void ssapp_plot_layout_x (const SsappStyle *style, const SsappPlotSpec *spec, const SsappSeries *series, int n_series,
                          double x, double width, SsappAxis *x_axis, double *left, double *right);
/* Axes of a plot whose contents are drawn by others: a plane of velocities, bars. x, y: corner of the whole. */
typedef struct {
  SsappAxis x_axis, y_axis;
  SsappRect area;
  double x, y;
} SsappPlotFrame;
/* Device places of values on the axes of a frame; NaN as ssapp_axis_fraction. */
double ssapp_plot_frame_x (const SsappPlotFrame *frame, double value);
double ssapp_plot_frame_y (const SsappPlotFrame *frame, double value);
/* Room for data in `box` (least and largest x, least and largest y); ends that `spec` fixes stay. A title, "" too,
 * turns the y label to stand beside the axis. */
void ssapp_plot_frame_layout (const SsappStyle *style, const SsappPlotSpec *spec, const double box[4], double x,
                              double y, double width, double height, SsappPlotFrame *frame);
/* The axes of a plot that ssapp_plot_draw draws with the same arguments: what lies under the pointer. */
void ssapp_plot_layout (const SsappStyle *style, const SsappPlotSpec *spec, const SsappSeries *series, int n_series,
                        double x, double y, double width, double height, SsappPlotFrame *frame);
/* Heading, grid, axes, ticks and labels. */
void ssapp_plot_frame_draw (cairo_t *cr, const SsappStyle *style, const SsappPlotSpec *spec,
                            const SsappPlotFrame *frame);
/* Positions of label centres are moved apart so that neighbours keep `gap`, inside lo..hi where there is room. Order is
 * kept. */
void ssapp_plot_push_apart (double *centres, int n, double gap, double lo, double hi);

/* One row (several if it must wrap) of line samples with labels, between x and x + width, centred or from the right
 * end; returns its height. tolerance_label: adds a dotted sample, NULL for none. cr NULL: only measures. */
double ssapp_plot_draw_legend (cairo_t *cr, const SsappStyle *style, const SsappSeries *series, int n_series,
                               const char *tolerance_label, double x, double y, double width, gboolean centred);

G_END_DECLS
