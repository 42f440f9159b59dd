/* app/bench/ssapp-bench-common.h: what suites share: reading a built-in scene, shapes, cells of CSV, the slope through
 * points. */
#pragma once

#include "scene/ss-scenario.h"

#include <glib.h>
#include <jansson.h>

G_BEGIN_DECLS

/* The scenario of a text; `name` stands in messages. NULL with a message for g_free, unless `message` is NULL. */
SsScenario *ssapp_bench_read (const char *text, const char *name, const SsOverride *set, int n_set, char **message);

/* Shapes of bodies as scenarios have them; new references. */
json_t *ssapp_bench_box (double width, double height);
json_t *ssapp_bench_disc (double radius);

/* A comma and a number as short as tells it exactly, or nothing behind the comma where it is not finite. */
void ssapp_bench_append_cell (GString *out, double value);

/* Of a GArray of doubles: as ssapp_median and its siblings of ssapp-bench.h. */
double ssapp_bench_median (const GArray *array);
double ssapp_bench_percentile (const GArray *array, double percent);
double ssapp_bench_mean (const GArray *array);
double ssapp_bench_geometric (const GArray *array);
int ssapp_bench_n_above (const GArray *array, double limit); /* how many are larger */

/* Points of a line fitted by least squares; start from zero. */
typedef struct {
  int n;
  double x, y, xx, xy; /* sums */
} SsappBenchFit;

/* One more point. */
void ssapp_bench_fit_add (SsappBenchFit *fit, double x, double y);
/* NaN with fewer than two points. */
double ssapp_bench_fit_slope (const SsappBenchFit *fit);

G_END_DECLS
