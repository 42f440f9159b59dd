/* app/study/ssapp-chart.h: figures of many runs: heat maps, box plots, profiles, success, order, work, what decides.
 *
 * A chart is made of a run set and a specification, then drawn at any size, on screen and on paper by the same code.
 * It can say what lies under the pointer, and gives its numbers as a table.
 * Performance profiles: Dolan and More 2002, eq. (2.2); a run that was not solved has the ratio infinity. Data
 * profiles: More and Wild 2009, against the metric itself (CPU time, iterations). Boxes: quartiles, whiskers to the
 * farthest value within 1.5 quartile distances (ssapp-statistics.h).
 * Figures of single runs are those of ssapp-export.h.
 * Threads: any, one at a time. Tests: tests/unit/test-chart.c
 */
#pragma once

#include "app/base/ssapp-table.h"
#include "app/draw/ssapp-draw.h"
#include "app/study/ssapp-run-set.h"

G_BEGIN_DECLS

typedef enum {
  SSAPP_CHART_HEAT,        /* a metric over two axes, a map for each method */
  SSAPP_CHART_BOX,         /* a metric by method */
  SSAPP_CHART_PERFORMANCE, /* part of problems solved within a factor of the best method */
  SSAPP_CHART_DATA,        /* part of problems solved within a budget */
  SSAPP_CHART_SUCCESS,     /* solved of all, by method */
  SSAPP_CHART_CURVES,  /* a metric over one axis by method: order of steps, medians where several runs share a place */
  SSAPP_CHART_WORK,    /* one metric against another: work and precision */
  SSAPP_CHART_DECIDES, /* part of a metric's variance that method and axes explain */
  SSAPP_CHART_DISTRIBUTION, /* a metric's histogram over the runs, by method, with quantiles */
  SSAPP_CHART_COUNT
} SsappChartKind;

typedef struct {
  SsappChartKind kind;
  SsMetric metric;         /* what is drawn; of profiles: the cost */
  SsMetric other;          /* of WORK: x */
  int x_axis, y_axis;      /* of HEAT and CURVES: of the set's axes; -1: the first that are free */
  gboolean is_relative;    /* the metric divided by the best of its problem */
  gboolean takes_unsolved; /* BOX: runs that were not solved too */
  double within; /* profiles: solved counts only within this factor of the best objective; NaN: solved is enough */
  gboolean x_log, y_log;
  double x_min, x_max, y_min, y_max; /* what is shown; NaN: all */
  const gboolean *hidden;            /* of each method; NULL: all are shown. Borrowed for the call */
} SsappChartSpec;

typedef struct SsappChart SsappChart;

/* "heat", "box", "performance", "data", "success", "curves", "work", "decides", "distribution"; static. */
const char *ssapp_chart_kind_name (SsappChartKind kind);
gboolean ssapp_chart_kind_from_name (const char *name, SsappChartKind *kind);
/* "Heat maps", "Box plot": for menus; static. */
const char *ssapp_chart_kind_title (SsappChartKind kind);
/* What suits most: objective, CPU time for profiles, log axes where the values span two decades. */
void ssapp_chart_spec_init (SsappChartSpec *spec, SsappChartKind kind, const SsappRunSet *set);
/* Log axes anew after metrics, axes or is_relative were changed. */
void ssapp_chart_spec_suit (SsappChartSpec *spec, const SsappRunSet *set);

/* Borrows the set, which must outlive it. Never NULL: a figure that has nothing to show says so in words. */
SsappChart *ssapp_chart_new (const SsappRunSet *set, const SsappChartSpec *spec);
void ssapp_chart_free (SsappChart *self); /* NULL is allowed */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SsappChart, ssapp_chart_free)

const char *ssapp_chart_get_title (const SsappChart *self); /* "Objective against the best" */
/* What suits a width, both in the style's units: px on screen, points on paper. */
double ssapp_chart_get_height (const SsappChart *self, const SsappStyle *style, double width);
/* `selected`: places on each axis that are marked in heat maps (-1: any), n_axes; NULL: none. `pointer_x`: x in px of
 * the pointer, whose values profiles print; NaN: none. The title is left to the card or the caption. */
void ssapp_chart_draw (const SsappChart *self, cairo_t *cr, const SsappStyle *style, double width, double height,
                       const int *selected, double pointer_x, double pointer_y);

typedef struct {
  char *words;   /* of a tooltip; NULL: nothing is there; g_free */
  GArray *items; /* of guint: items of the set under it; g_array_unref */
} SsappChartPick;
/* What is at a point of a figure drawn at that size. Clear with ssapp_chart_pick_clear. */
void ssapp_chart_pick (const SsappChart *self, const SsappStyle *style, double width, double height, double x, double y,
                       SsappChartPick *pick);
void ssapp_chart_pick_clear (SsappChartPick *pick);

/* Its numbers; new. */
SsappTable *ssapp_chart_to_table (const SsappChart *self);

/* The runs of a set as a table: what differs and the metrics asked for. */
SsappTable *ssapp_run_set_to_table (const SsappRunSet *set, const SsMetric *metrics, guint n_metrics);
/* A row a method: solved of all, medians of the metrics over solved runs. */
SsappTable *ssapp_run_set_summary (const SsappRunSet *set, const SsMetric *metrics, guint n_metrics);
/* The same with medians over all runs that ended, as benchmarks have it. */
SsappTable *ssapp_run_set_summary_of_all (const SsappRunSet *set, const SsMetric *metrics, guint n_metrics);

G_END_DECLS
