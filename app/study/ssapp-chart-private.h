/* app/study/ssapp-chart-private.h: a chart between its parts (private to the room): ssapp-chart.c makes it and hands
 * out the work, ssapp-chart-data.c computes and has words, -heat, -box, -curve draw and pick, -table writes. */
#pragma once

#include "app/draw/ssapp-plot-parts.h"
#include "app/study/ssapp-chart.h"
#include "app/study/ssapp-statistics.h"

G_BEGIN_DECLS

#define SSAPP_NO_ITEM    G_MAXUINT
#define SSAPP_SLOW_WORDS "machine too slow"
/* A legend on screen takes no larger part of the height. */
#define SSAPP_CHART_LEGEND_SHARE 0.3

/* A line of a profile, of curves or of work against precision. */
typedef struct {
  guint method; /* of the set's methods */
  guint n;
  double *x, *y;
  guint *items;  /* a run of each point, or SSAPP_NO_ITEM */
  guint *counts; /* runs behind each point */
} SsappChartCurve;

/* A box or a bar: the runs of a method. */
typedef struct {
  guint method;
  guint n; /* with a value */
  double *values;
  guint *items;
  SsappBox box;
  guint n_runs, n_solved, n_running, n_queued, n_slow; /* of all runs */
} SsappChartGroup;

/* Of a heat map. */
typedef struct {
  guint n_runs, n_solved, n_running, n_slow;
  double value; /* median of solved runs */
  guint item;   /* one of them, or SSAPP_NO_ITEM */
} SsappChartCell;

/* What decides a metric: factors are the method, an axis of the set (0, ...), and what is left. */
enum { SSAPP_CHART_METHOD = -1, SSAPP_CHART_TOGETHER = -2, SSAPP_CHART_REPEATS = -3 };
typedef struct {
  int factor;
  guint n_levels;      /* of factors, as they were taken */
  double alone, total; /* parts of the variance: by itself, with what it decides together with others; NaN: not told */
  gboolean is_drawn;   /* its values were taken in classes */
} SsappChartShare;

/* An axis of a heat map: of the set, or classes of equal width of its values (of their logarithms). */
typedef struct {
  int axis;              /* of the set; -1: the map has no such way */
  SsappRunAxis *classes; /* their middles; NULL: the axis itself */
  guint *class_of;       /* n_values of the axis */
  double width;          /* of a class; in decades where is_log */
  gboolean is_log;
} SsappChartWay;

struct SsappChart {
  const SsappRunSet *set;
  SsappChartSpec spec; /* `hidden` is own */
  gboolean *hidden;
  guint *shown; /* methods in their order */
  guint n_shown;
  char *title;
  char *empty; /* why there is nothing to see; NULL: there is */

  GArray *curves;                /* of SsappChartCurve */
  GArray *groups;                /* of SsappChartGroup */
  SsappChartCell *cells;         /* n_shown maps of n_y rows of n_x */
  guint n_x, n_y;                /* of the maps */
  SsappChartWay ways[2];         /* of the maps: along x, along y */
  double lo, hi;                 /* of the colours */
  gboolean is_clipped, is_upset; /* larger values are there; larger is better */
  double x_end;                  /* of a profile */
  GArray *shares;                /* of SsappChartShare, factors first, by what they decide */
  guint n_told;                  /* runs that shares are of */
  gboolean is_grid;              /* of shares: every combination has as many runs */
};

/* ---- data -------------------------------------------------------------------------------------------------------- */

static inline const SsappRunItem *
ssapp_chart_item (const SsappChart *self, guint item)
{
  return &g_array_index (self->set->items, SsappRunItem, item);
}

static inline const SsappRunMethod *
ssapp_chart_method (const SsappChart *self, guint method)
{
  return g_ptr_array_index (self->set->methods, method);
}

static inline const SsappRunAxis *
ssapp_chart_axis (const SsappChart *self, int axis)
{
  return g_ptr_array_index (self->set->axes, axis);
}

/* The metric as the chart shows it: divided by the best where it is relative; NaN where it is not known. */
double ssapp_chart_value (const SsappChart *self, guint item);
void ssapp_chart_compute (SsappChart *self);
/* Of HEAT, whose axes are chosen: fills `ways`, which clear empties. Way 0 is along x, 1 along y. */
void ssapp_chart_ways_choose (SsappChart *self);
void ssapp_chart_ways_clear (SsappChart *self);
/* The axis as the map has it, borrowed; NULL: there is none. Where a place of the set's axis, an item, stands on it. */
const SsappRunAxis *ssapp_chart_way_axis (const SsappChart *self, int way);
guint ssapp_chart_way_place (const SsappChart *self, int way, guint place);
guint ssapp_chart_way_item (const SsappChart *self, int way, const SsappRunItem *item);
/* In line 0, which values are taken in classes; NULL: none, and in other lines; g_free. */
char *ssapp_chart_map_note (const SsappChart *self, guint line);
void ssapp_chart_shares_compute (SsappChart *self);
/* Of DISTRIBUTION, whose groups are known: a curve a method, a step a bin. */
void ssapp_chart_spread_compute (SsappChart *self);
/* Slope of the straight line through the logarithms of a curve's points, where both axes are logarithmic: the order of
 * a method. FALSE with fewer than three points. */
gboolean ssapp_chart_slope (const SsappChart *self, const SsappChartCurve *curve, double *slope);

/* ---- words ------------------------------------------------------------------------------------------------------- */

/* "Objective / best", "CPU time [s]"; g_free. */
char *ssapp_chart_value_title (const SsappChart *self);
/* The same of points: "Objective, medians of 3" where they are of several runs each; g_free. */
char *ssapp_chart_point_title (const SsappChart *self);
/* "Solved within 10 % of the best, of 45 problems"; g_free. */
char *ssapp_chart_share_label (const SsappChart *self);
/* What stands below the figure, a line each: what a shown method ignores of its scenes, what the machine did. NULL at
 * the end; g_free. */
char *ssapp_chart_note (const SsappChart *self, guint line);
/* Whether what a method is told of stands on the same problems with every method: solved, or of all that ended. */
gboolean ssapp_chart_are_of_same_problems (const SsappRunSet *set, gboolean takes_unsolved);
/* In line 0, how many runs of which method are left out since they were not solved; NULL: none, and in other lines;
 * g_free. */
char *ssapp_chart_left_out_note (const SsappChart *self, guint line);
/* What a curve takes together, and what it passes over, a line each; NULL at the end; g_free. */
char *ssapp_chart_curves_note (const SsappChart *self, guint line);
/* How the shares are to be read, a line each; NULL at the end; g_free. */
char *ssapp_chart_shares_note (const SsappChart *self, guint line);
void ssapp_chart_shares_table (const SsappChart *self, SsappTable *table);
/* Mean and quantiles, a line a method; NULL at the end; g_free. */
char *ssapp_chart_spread_note (const SsappChart *self, guint line);
void ssapp_chart_spread_table (const SsappChart *self, SsappTable *table);
/* What stands for several runs: the median; of an outcome that holds or fails the share that holds. */
double ssapp_chart_middle (const SsappChart *self, const double *values, guint n);
const char *ssapp_chart_middle_word (const SsappChart *self); /* "median", "share" */
/* "6.486, time limit"; g_free. */
char *ssapp_chart_item_words (const SsappChart *self, guint item);
/* A value for people: "1.07", "0.026"; g_free. */
char *ssapp_chart_value_text (const SsappChart *self, double value);

/* ---- drawing ----------------------------------------------------------------------------------------------------- */

/* The look of a method in this chart. */
void ssapp_chart_look (const SsappStyle *style, const SsappRunMethod *method, SsappMethodStyle *look);
/* For legends and readouts: label, method and look. */
SsappSeries ssapp_chart_series (const SsappChart *self, guint method);

void ssapp_chart_heat_draw (const SsappChart *self, cairo_t *cr, const SsappStyle *style, double width, double height,
                            const int *selected, double pointer_x, double pointer_y);
void ssapp_chart_heat_pick (const SsappChart *self, const SsappStyle *style, double width, double height, double x,
                            double y, SsappChartPick *pick);
double ssapp_chart_heat_height (const SsappChart *self, const SsappStyle *style, double width);
void ssapp_chart_box_draw (const SsappChart *self, cairo_t *cr, const SsappStyle *style, double width, double height);
void ssapp_chart_box_pick (const SsappChart *self, const SsappStyle *style, double width, double height, double x,
                           double y, SsappChartPick *pick);
/* Where runs stand in a figure, for pages whose readers point at it: a cell, a box or a bar, or a point (no width). */
typedef struct {
  double x, y, width, height; /* as the figure is drawn */
  GArray *items;              /* of guint: items of the set */
} SsappChartPlace;
/* Those of a figure drawn at that size, what lies above after what lies below; none in profiles and shares. Of
 * SsappChartPlace, cleared with the array. */
GArray *ssapp_chart_places (const SsappChart *self, const SsappStyle *style, double width, double height);
/* A new place without items, in the array; borrowed until the next one. */
SsappChartPlace *ssapp_chart_add_place (GArray *places, double x, double y, double width, double height);
void ssapp_chart_heat_places (const SsappChart *self, const SsappStyle *style, double width, double height,
                              GArray *places);
void ssapp_chart_box_places (const SsappChart *self, const SsappStyle *style, double width, double height,
                             GArray *places);
void ssapp_chart_bars_places (const SsappChart *self, const SsappStyle *style, double width, double height,
                              GArray *places);
void ssapp_chart_curve_places (const SsappChart *self, const SsappStyle *style, double width, double height,
                               GArray *places);
/* Bars side by side, for all that is drawn with them. */
typedef struct {
  double left, width; /* of the bars */
  double row;         /* height */
  double top;
} SsappChartBars;
void ssapp_chart_bars_lay_out (SsappChartBars *bars, const SsappStyle *style, double names, double numbers, guint n,
                               double width, double height);
void ssapp_chart_bars_draw_axis (cairo_t *cr, const SsappStyle *style, const SsappChartBars *bars, guint n,
                                 const char *title);
/* As much of a text as fits into a width, with … where it was cut; g_free. */
char *ssapp_chart_cut (const SsappStyle *style, double size, gboolean bold, const char *text, double width);
void ssapp_chart_bars_draw_one (cairo_t *cr, SsappColor color, double x, double y, double width, double height);
void ssapp_chart_bars_draw (const SsappChart *self, cairo_t *cr, const SsappStyle *style, double width, double height);
void ssapp_chart_bars_pick (const SsappChart *self, const SsappStyle *style, double width, double height, double x,
                            double y, SsappChartPick *pick);
void ssapp_chart_shares_draw (const SsappChart *self, cairo_t *cr, const SsappStyle *style, double width,
                              double height);
void ssapp_chart_shares_pick (const SsappChart *self, const SsappStyle *style, double width, double height, double x,
                              double y, SsappChartPick *pick);
void ssapp_chart_curve_draw (const SsappChart *self, cairo_t *cr, const SsappStyle *style, double width, double height,
                             double pointer_x, double pointer_y);
void ssapp_chart_curve_pick (const SsappChart *self, const SsappStyle *style, double width, double height, double x,
                             double y, SsappChartPick *pick);

G_END_DECLS
