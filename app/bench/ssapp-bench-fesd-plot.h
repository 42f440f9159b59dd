/* app/bench/ssapp-bench-fesd-plot.h: [000 Fig 6] as a picture: errors of the suite fesd-order over the length
 * of an element, a panel for each family of schemes, a curve for each number of stages with its slope in the legend,
 * the same problem by homotopies beside; below, what the runs cost. Tests: tests/cli/test-bench.sh
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

enum { SSAPP_ORDER_FAMILIES = 2, SSAPP_ORDER_STAGES = 4 };

/* A run; NaN: not known. */
typedef struct {
  int family, stages;
  double element; /* its nominal length [s] */
  double error, cpu_seconds;
} SsappOrderPoint;

typedef struct {
  const char *titles[SSAPP_ORDER_FAMILIES];                /* static */
  double slopes[SSAPP_ORDER_FAMILIES][SSAPP_ORDER_STAGES]; /* NaN: none */
  GArray *points, *homotopies, *study; /* of SsappOrderPoint: fesd-j, our homotopies, another program's */
} SsappOrderFigure;

/* Empty lists, no titles. */
SsappOrderFigure *ssapp_order_figure_new (void);
void ssapp_order_figure_free (SsappOrderFigure *figure); /* NULL is allowed */
/* As PDF, SVG or PNG, 180 mm wide. */
gboolean ssapp_order_figure_export (const SsappOrderFigure *figure, const char *path, GError **error);

G_END_DECLS
