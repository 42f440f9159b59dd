/* app/draw/ssapp-channel-stack.h: chosen plots of runs, below each other on one time axis: their curves, where they
 * stand, their picture, and the cursor with the values at it. The window and exported figures draw with it.
 *
 * Cost   the picture: one pass over the rows in sight, then some points a pixel column; the cursor: a search a curve.
 * Tests: tests/unit/test-channels.c */
#pragma once

#include "app/draw/ssapp-channel-plots.h"
#include "app/draw/ssapp-plot.h"

G_BEGIN_DECLS

typedef struct SsappChannelStack SsappChannelStack;

enum { SSAPP_CHANNEL_STACK_POINTS = 200 }; /* of a curve that is looked at */
/* Curves of these plots; copies all that it needs. Channels that no run has are left out, a plot of only such ones
 * stays, empty. Differences are of the runs with a motion from the first of them: each minus the first. n_least:
 * ssapp_curve_init; 0: the rows as they are, for tables. */
SsappChannelStack *ssapp_channel_stack_new (const SsappChannelPlots *plots, const SsappChannelRun *runs, int n_runs,
                                            int n_least);
void ssapp_channel_stack_free (SsappChannelStack *stack); /* NULL is allowed */
int ssapp_channel_stack_n_plots (const SsappChannelStack *stack);
/* "Velocity x", "Difference of Gap"; borrowed. */
const char *ssapp_channel_stack_title (const SsappChannelStack *stack, int plot);
const char *ssapp_channel_stack_heading (const SsappChannelStack *stack, int plot); /* "Velocity x (box, m/s)" */
gboolean ssapp_channel_stack_is_log (const SsappChannelStack *stack, int plot);     /* asked for */
gboolean ssapp_channel_stack_is_difference (const SsappChannelStack *stack); /* asked for, and there are two runs */
/* First and last time of all curves; FALSE where there are none. */
gboolean ssapp_channel_stack_times (const SsappChannelStack *stack, double times[2]);
/* Every curve, for tables; half: how far 1 % more of its band's number moves it, empty: no band. */
typedef void (*SsappCurveFunc) (int plot, const char *channel, int run, const SsappCurve *curve, const SsappCurve *half,
                                gpointer data);
void ssapp_channel_stack_for_each (const SsappChannelStack *stack, SsappCurveFunc func, gpointer data);

/* Where it is drawn: from (0, 0), axes from axis_left to axis_right. What a plot is of stands left of its axis, with
 * its curves and their values; where there is no room for that, above it. */
typedef struct {
  double width, height, axis_left, axis_right; /* [px] */
  double t_min, t_max;                         /* in sight */
  const char *axis;                            /* title of the time axis: ssapp_clock_axis */
  const SsappPlotSpan *spans;                  /* where time stands; borrowed */
  int n_spans;
} SsappChannelLayout;

/* Height that all names and values need [px]. */
double ssapp_channel_stack_height (const SsappChannelStack *stack, const SsappStyle *style);
/* Places the plots and picks the axes of what is in sight; again before drawing whenever something changed. */
void ssapp_channel_stack_lay_out (SsappChannelStack *stack, const SsappStyle *style, const SsappChannelLayout *layout);
/* The range of a plot's axis from the next lay-out on; NaN, NaN: from what is in sight. */
void ssapp_channel_stack_set_values (SsappChannelStack *stack, int plot, double y_min, double y_max);
/* Top and height of a plot. */
void ssapp_channel_stack_place (const SsappChannelStack *stack, int plot, double *y, double *height);
int ssapp_channel_stack_plot_at (const SsappChannelStack *stack, double y); /* -1: none */
double ssapp_channel_stack_time_at (const SsappChannelStack *stack, double x);
/* The range of values in sight, and the value at a height. Of a logarithmic axis too. */
gboolean ssapp_channel_stack_values (const SsappChannelStack *stack, int plot, double values[2]);
/* The values of a plot after zooming about a height of the picture by a factor, or moving by a share of what is seen;
 * by powers of ten where the axis is logarithmic. */
gboolean ssapp_channel_stack_zoomed (const SsappChannelStack *stack, int plot, double factor, double y,
                                     double values[2]);
gboolean ssapp_channel_stack_moved (const SsappChannelStack *stack, int plot, double share, double values[2]);
/* Where a time and a value stand, beyond the axes too, and the value at a height. NaN: there is no such plot. */
double ssapp_channel_stack_x_of (const SsappChannelStack *stack, double t);
double ssapp_channel_stack_y_of (const SsappChannelStack *stack, int plot, double value);
double ssapp_channel_stack_value_at (const SsappChannelStack *stack, int plot, double y);
/* The point of a curve, but of none before an edit, that is nearest to a place of the picture. */
typedef struct {
  int plot;
  const char *channel; /* borrowed */
  double t, value;
} SsappStackPoint;
/* FALSE: none is within reach [px]. */
gboolean ssapp_channel_stack_find_point (const SsappChannelStack *stack, double x, double y, double reach,
                                         SsappStackPoint *point);
void ssapp_channel_stack_draw (cairo_t *cr, const SsappStyle *style, const SsappChannelStack *stack);
/* The cursor in parts: 0 a line through all plots with a ring on every curve (`told`: time beside the line), then the
 * values of each plot. Each paints within its area (x, y, width, height), so that of a long picture little is painted
 * anew. FALSE: there is no such part. */
gboolean ssapp_channel_stack_cursor_area (const SsappChannelStack *stack, const SsappStyle *style, int part, double t,
                                          gboolean is_told, double area[4]);
void ssapp_channel_stack_draw_cursor (cairo_t *cr, const SsappStyle *style, const SsappChannelStack *stack, int part,
                                      double t, gboolean before, const char *told);
/* "0.542 s: Turning rate, box: Moreau–Jean 2.65, Stewart–Trinkle −0.74; Gap": for who hears it; g_free. */
char *ssapp_channel_stack_describe (const SsappChannelStack *stack, double t, gboolean before);

G_END_DECLS
