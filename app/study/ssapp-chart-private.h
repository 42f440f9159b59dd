/* app/study/ssapp-chart-private.h: a chart between its parts (private to the room): ssapp-chart.c makes it and hands
 * out the work, ssapp-chart-data.c computes and has words, -heat, -box, -curve draw and pick, -table writes. */
#pragma once

#include "app/draw/ssapp-plot-parts.h"
#include "app/study/ssapp-chart.h"
#include "app/study/ssapp-statistics.h"

G_BEGIN_DECLS

#define SSAPP_NO_ITEM G_MAXUINT
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
  guint n_runs, n_solved, n_running, n_queued; /* of all runs */
} SsappChartGroup;

/* Of a heat map. */
typedef struct {
  guint n_runs, n_solved, n_running;
  double value; /* median of solved runs */
  guint item;   /* one of them, or SSAPP_NO_ITEM */
} SsappChartCell;

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
  double lo, hi;                 /* of the colours */
  gboolean is_clipped, is_upset; /* larger values are there; larger is better */
  double x_end;                  /* of a profile */
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

void ssapp_chart_compute (SsappChart *self);
/* Slope of the straight line through the logarithms of a curve's points, where both axes are logarithmic: the order of
 * a method. FALSE with fewer than three points. */
gboolean ssapp_chart_slope (const SsappChart *self, const SsappChartCurve *curve, double *slope);

/* ---- words ------------------------------------------------------------------------------------------------------- */

/* "Objective / best", "CPU time [s]"; g_free. */
char *ssapp_chart_value_title (const SsappChart *self);
/* The same of points: "Objective, medians of 3" where they are of several runs each; g_free. */
char *ssapp_chart_point_title (const SsappChart *self);
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
void ssapp_chart_bars_draw (const SsappChart *self, cairo_t *cr, const SsappStyle *style, double width, double height);
void ssapp_chart_bars_pick (const SsappChart *self, const SsappStyle *style, double width, double height, double x,
                            double y, SsappChartPick *pick);
void ssapp_chart_curve_draw (const SsappChart *self, cairo_t *cr, const SsappStyle *style, double width, double height,
                             double pointer_x, double pointer_y);
void ssapp_chart_curve_pick (const SsappChart *self, const SsappStyle *style, double width, double height, double x,
                             double y, SsappChartPick *pick);

G_END_DECLS
