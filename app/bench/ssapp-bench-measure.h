/* app/bench/ssapp-bench-measure.h: energy and joint drift of a scene's state. Apart from the rest because the headers
 * of dynamics and of optimisation problems name their rows alike.
 */
#pragma once

#include "core/ss-status.h"
#include "scene/ss-scenario.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct SsappBenchMeasure SsappBenchMeasure;

SsappBenchMeasure *ssapp_bench_measure_new (const SsScene *scene,
                                            SsError *error); /* scene borrowed; NULL after an error */
void ssapp_bench_measure_free (SsappBenchMeasure *self);     /* NULL is allowed */
double ssapp_bench_measure_energy (const SsappBenchMeasure *self, const double *q,
                                   const double *v); /* kinetic and potential [J] */
double ssapp_bench_measure_drift (const SsappBenchMeasure *self, double t,
                                  const double *q); /* largest of all joints; NaN without any */

G_END_DECLS
