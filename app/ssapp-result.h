/* app/ssapp-result.h: the result object of the command line, the worker and the project. */
#pragma once

#include <jansson.h>

#include "app/ssapp-runner.h"

G_BEGIN_DECLS

/* All new references. `options` is the method's struct; reading_seconds is added to the setup. */
json_t *ssapp_result_new (const SsappJobSpec *spec, const SsScenario *scenario, const SsMethod *method,
                          const void *options, const SsRunResult *result, double reading_seconds);
/* A job that never ran: scenario, method and problems may be NULL. */
json_t *ssapp_result_new_failed (const SsappJobSpec *spec, const SsScenario *scenario, const char *message,
                                 const SsProblems *problems);
json_t *ssapp_metrics_to_json (const SsMetrics *metrics); /* objective, violations by kind, counts, tracking */
json_t *ssapp_problems_to_json (const SsProblems *problems);

G_END_DECLS
