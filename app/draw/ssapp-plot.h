/* app/draw/ssapp-plot.h: plots as pure functions of (cairo_t, data, size): the same code draws the card on screen, PDF,
 * SVG and PNG. Pipeline: SsappSeries (immutable data) -> axis (range, linear or log, ticks) -> decimation to pixels ->
 * Cairo.
 */
#pragma once

#include "app/draw/ssapp-draw.h"

G_BEGIN_DECLS

typedef struct {
  const char *label; /* legend or direct label; borrowed for the draw call            */
  SsMethodId method; /* decides colour, dash, marker; without a name: by its place */
  int n;
  const double *x,
      *y; /* borrowed; non-finite points break the line; equal x is a jump, after which y is the last one */
  gboolean is_running; /* hollow end marker                                              */
  const double *t;     /* borrowed; not NULL: a path, whose x need not ascend, with the time of each point, not
                        * descending; two points of one time are a jump, drawn dotted; begin hollow, end filled */
  /* > 0: a branch of a fan, its share as a part of the largest one: a thin line of that opacity below the others,
   * without marker, label and place in the legend; branches come last in the list. 0: a curve of its own */
  double weight;
  gboolean is_marked;   /* a marker at every point, whose x may be in any order */
  gboolean has_no_line; /* the markers alone, with is_marked */
  gboolean is_step;     /* keeps its value until the next point, where it jumps; x ascends */
  /* borrowed, n; NULL: none: half the width of a band around the line, whatever its sign; NaN: none there */
  const double *half;
  int look;           /* 1 + the number of an ssapp_style_look; 0: that of the method */
  gboolean is_before; /* what there was before an edit: pale, dashed, without markers */
} SsappSeries;

/* A shaded band of x from begin to end; along paths the points whose times are in it. */
typedef struct {
  double begin, end;
} SsappPlotSpan;

typedef struct {
  double x0, y0, x1, y1;
} SsappPlotLine;

/* How ticks are written: as numbers (powers of ten on log axes), 0.25 as "25 %", 2 as "2×". */
typedef enum { SSAPP_PLOT_TICKS_NUMBERS, SSAPP_PLOT_TICKS_PERCENT, SSAPP_PLOT_TICKS_TIMES } SsappPlotTicks;

typedef enum { SSAPP_PLOT_TONE_RUNS, SSAPP_PLOT_TONE_STANDS } SsappPlotTone; /* where time runs, where it stands */
/* A part of the plane below the grid, ends may be infinite; its label (lines; NULL: none) stands at the anchor's share
 * of what is seen of it, (0, 0) left above. */
typedef struct {
  double x_min, x_max, y_min, y_max;
  const char *label; /* borrowed */
  SsappPlotTone tone;
  double anchor_x, anchor_y;
} SsappPlotRegion;

typedef struct {
  const char *title; /* "Objective"; may be NULL                                        */
  const char *x_label, *y_label;
  gboolean x_log;                    /* not with end_labels                                              */
  gboolean y_log;                    /* values <= 0 are drawn as open triangles at the lower edge       */
  double x_min, x_max, y_min, y_max; /* NaN = from the data                                   */
  double tolerance;                  /* dotted/shaded threshold, NaN = none                             */
  const char *tolerance_label;
  double cursor;             /* x of the shared cursor, on paths a time, NaN = none             */
  gboolean cursor_is_before; /* at a jump the cursor stands before it */
  double reference;          /* dashed horizontal line (target), NaN = none                     */
  const double *instants;    /* x of dotted vertical lines, such as impacts; borrowed */
  int n_instants;
  const SsappPlotSpan *spans; /* borrowed */
  int n_spans;
  const char *span_label;         /* within bands that are wide enough; NULL: none */
  const SsappPlotRegion *regions; /* borrowed */
  int n_regions;
  const double *x_also;       /* two values of x that must be seen too; NULL = none */
  const double *y_also;       /* two values that must be seen too, so that several plots share a range; NULL = none */
  double left_least;          /* room left of the axis [px], so that stacked plots share it; 0 = what the labels need */
  double right_least;         /* the same right of it */
  const SsappPlotLine *lines; /* dashed straight lines in the colour of the reference; borrowed */
  int n_lines;
  SsappPlotTicks x_ticks, y_ticks;
  gboolean minor_ticks;       /* on linear axes too */
  const char *const *x_names; /* a category axis: names at x = 0, 1, ...; borrowed; NULL: numbers */
  int n_x_names;
  gboolean legend, end_labels, hide_x_labels;
  const char *letter; /* "(a)" on paper, or NULL                                         */
} SsappPlotSpec;

/* Of an initialiser of SsappPlotSpec: both axes span the data, no tolerance, cursor or reference line. */
#define SSAPP_PLOT_FREE                                                                                                \
  .x_min = NAN, .x_max = NAN, .y_min = NAN, .y_max = NAN, .tolerance = NAN, .cursor = NAN, .reference = NAN

/* Draws into the rectangle (x, y, width, height) [px]; no series or no finite value leaves an empty frame with its
 * axes. */
void ssapp_plot_draw (cairo_t *cr, const SsappStyle *style, const SsappPlotSpec *spec, const SsappSeries *series,
                      int n_series, double x, double y, double width, double height);
/* x value at a device x inside the plot area last drawn with the same arguments; for the shared cursor. */
double ssapp_plot_x_at (const SsappStyle *style, const SsappPlotSpec *spec, const SsappSeries *series, int n_series,
                        double x, double width, double device_x);
/* Time of the point of a path nearest to a device point, of a plot drawn with the same arguments; NaN without paths. */
double ssapp_plot_time_at (const SsappStyle *style, const SsappPlotSpec *spec, const SsappSeries *series, int n_series,
                           double x, double y, double width, double height, double device_x, double device_y);
/* Value of a series at x, as its line is drawn between its points (straight on these axes, or as steps); NaN outside of
 * them and where x does not ascend. At a jump the value after it. */
double ssapp_plot_value_at (const SsappSeries *series, gboolean x_log, gboolean y_log, double x);
/* A small table beside a point, such as the values at the pointer: marker, label and value of each series in its look;
 * `title` may be NULL. Kept within the rectangle (x, y, width, height). */
void ssapp_plot_draw_readout (cairo_t *cr, const SsappStyle *style, const SsappSeries *series,
                              const char *const *values, int n_series, const char *title, double at_x, double at_y,
                              double x, double y, double width, double height);
/* Least and largest finite y of the series and the reference; FALSE if there are none. */
gboolean ssapp_plot_y_extent (const SsappPlotSpec *spec, const SsappSeries *series, int n_series, double extent[2]);
/* A band in which time stands still: of plots, strips and timelines. */
void ssapp_draw_span (cairo_t *cr, const SsappStyle *style, double x, double y, double width, double height);
/* Number text for people: 2.8e-07 -> "2.8·10⁻⁷", minus sign U+2212, `digits` significant. Caller frees. */
char *ssapp_format_number (double value, int digits);

G_END_DECLS
