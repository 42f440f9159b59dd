/* app/study/ssapp-figure.h: figures of many runs: heat maps, box plots, profiles, success, order, work against precision.
 *
 * A figure is made of a run set and a specification, then drawn at any size, on screen and on paper by the same code.
 * It can say what lies under the pointer, and gives its numbers as a table.
 * Performance profiles: Dolan and More 2002, eq. (2.2); a run that was not solved has the ratio infinity. Data profiles:
 * More and Wild 2009, against the metric itself (CPU time, iterations). Boxes: quartiles, whiskers to the farthest value
 * within 1.5 quartile distances.
 * Threads: any, one at a time. Tests: tests/unit/test-figure.c
 */
#pragma once

#include "app/base/ssapp-table.h"
#include "app/draw/ssapp-draw.h"
#include "app/study/ssapp-run-set.h"

G_BEGIN_DECLS

typedef enum {
  SSAPP_FIGURE_HEAT,        /* a metric over two axes, a map for each method */
  SSAPP_FIGURE_BOX,         /* a metric by method */
  SSAPP_FIGURE_PERFORMANCE, /* part of problems solved within a factor of the best method */
  SSAPP_FIGURE_DATA,        /* part of problems solved within a budget */
  SSAPP_FIGURE_SUCCESS,     /* solved of all, by method */
  SSAPP_FIGURE_CURVES, /* a metric over one axis by method: order of steps, medians where several runs share a place */
  SSAPP_FIGURE_WORK,   /* one metric against another: work and precision */
  SSAPP_FIGURE_COUNT
} SsappFigureKind;

typedef struct {
  SsappFigureKind kind;
  SsMetric metric;         /* what is drawn; of profiles: the cost */
  SsMetric other;          /* of WORK: x */
  int x_axis, y_axis;      /* of HEAT and CURVES: of the set's axes; -1: the first that are free */
  gboolean is_relative;    /* the metric divided by the best of its problem */
  gboolean takes_unsolved; /* BOX: runs that were not solved too */
  double
      within; /* profiles: solved counts only within this factor of the best objective (1.1); NaN: solved is enough */
  gboolean x_log, y_log;
  const gboolean *hidden; /* of each method; NULL: all are shown. Borrowed for the call */
} SsappFigureSpec;

typedef struct SsappFigure SsappFigure;

/* "heat", "box", "performance", "data", "success", "curves", "work"; static. */
const char *ssapp_figure_kind_name (SsappFigureKind kind);
gboolean ssapp_figure_kind_from_name (const char *name, SsappFigureKind *kind);
/* What suits most: objective, log axes where the values span two decades. */
void ssapp_figure_spec_init (SsappFigureSpec *spec, SsappFigureKind kind, const SsappRunSet *set);

/* Borrows the set, which must outlive it. Never NULL: a figure that has nothing to show says so in words. */
SsappFigure *ssapp_figure_new (const SsappRunSet *set, const SsappFigureSpec *spec);
void ssapp_figure_free (SsappFigure *self); /* NULL is allowed */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SsappFigure, ssapp_figure_free)

const char *ssapp_figure_get_title (const SsappFigure *self); /* "Objective against the best" */
/* `selected`: places on each axis that are marked in heat maps (-1: any), n_axes; NULL: none. `pointer_x`: x in px of the
 * pointer, whose values profiles and curves print; NaN: none. */
void ssapp_figure_draw (const SsappFigure *self, cairo_t *cr, const SsappStyle *style, double width, double height,
                        const int *selected, double pointer_x, double pointer_y);

typedef struct {
  char *words;   /* of a tooltip; NULL: nothing is there; g_free */
  GArray *items; /* of guint: items of the set under it; g_array_unref */
} SsappFigurePick;
/* What is at a point of a figure drawn at that size. Clear with ssapp_figure_pick_clear. */
void ssapp_figure_pick (const SsappFigure *self, const SsappStyle *style, double width, double height, double x,
                        double y, SsappFigurePick *pick);
void ssapp_figure_pick_clear (SsappFigurePick *pick);

/* Its numbers; new. */
SsappTable *ssapp_figure_to_table (const SsappFigure *self);

/* The runs of a set as a table: what differs and the metrics asked for. */
SsappTable *ssapp_run_set_to_table (const SsappRunSet *set, const SsMetric *metrics, guint n_metrics);
/* A row a method: solved of all, medians of the metrics over solved runs. */
SsappTable *ssapp_run_set_summary (const SsappRunSet *set, const SsMetric *metrics, guint n_metrics);

G_END_DECLS
