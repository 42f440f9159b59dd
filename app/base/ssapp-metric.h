/* app/base/ssapp-metric.h: the table of metrics (engine/judge/ss-metric.h) as JSON and as text for people.
 *
 * A result's "metrics" are written and read here alone: a name with a dot is a member of an object, counts are
 * integers, flags are booleans, NaN is null. Threads: any. Tests: tests/unit/test-record.c
 */
#pragma once

#include <glib.h>
#include <jansson.h>

#include "judge/ss-metric.h"

G_BEGIN_DECLS

/* ---- outcomes: what a user asks of runs, as metrics -------------------------------------------------------------- */

/* The outcome of that name and unit: a number of SS_METRIC_COUNT + 1 and more, the same in all of the process, which
 * stands wherever a metric does (but in an SsMetricSet). */
SsMetric ssapp_metric_of_outcome (const char *name, const char *unit);
gboolean ssapp_metric_is_outcome (SsMetric metric);
/* ss_metric_spec, of outcomes too; static. */
const SsMetricSpec *ssapp_metric_spec (SsMetric metric);
/* What a project calls an outcome: "outcomes.third [m]"; g_free. */
char *ssapp_metric_outcome_row (const char *name, const char *unit);
/* The outcome that a project calls so; SS_METRIC_COUNT: that is none. */
SsMetric ssapp_metric_outcome_of_row (const char *row);

/* ---- metrics ----------------------------------------------------------------------------------------------------- */

/* Every metric that is set; a new reference. */
json_t *ssapp_metrics_to_json (const SsMetricSet *set);
/* The other way; members that are no metrics are passed over. `metrics` may be NULL. */
void ssapp_metrics_from_json (const json_t *metrics, SsMetricSet *set);
/* One value as JSON; a new reference. */
json_t *ssapp_metric_to_json (SsMetric metric, double value);

/* Name in tables without objects, where a total stands for its object: "tracking_error"; g_free. */
char *ssapp_metric_flat_name (SsMetric metric);
/* "Penetration [m]": for columns and cards; g_free. */
char *ssapp_metric_title (SsMetric metric);
/* The label in small letters, for sentences: "penetration", "CPU time"; g_free. */
char *ssapp_metric_words (SsMetric metric);
/* The title in small letters, as tables of the command line have it: "penetration [m]"; g_free. */
char *ssapp_metric_heading (SsMetric metric);
/* The value in the table's format, whatever the locale, without unit; "-" for NaN, "yes" and "no" for flags; g_free. */
char *ssapp_metric_text (SsMetric metric, double value);
/* Whether a value is better than another, by the table; false where neither is. NaN is never better. */
gboolean ssapp_metric_is_better (SsMetric metric, double value, double than);
/* The best of n values, NaN where the table knows no better or all are NaN. */
double ssapp_metric_best (SsMetric metric, const double *values, guint n);

G_END_DECLS
