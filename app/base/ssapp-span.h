/* app/base/ssapp-span.h: what lies of channels between two times (core/ss-span.h) as tables, for the verb `measure` and
 * for plots with two cursors. `channels`: n columns of the motion. NULL with an error where one has nothing between
 * these times. Threads: any. Tests: tests/unit/test-measure.c, tests/cli/test-measure.sh
 */
#pragma once

#include "app/base/ssapp-table.h"
#include "core/ss-span.h"

G_BEGIN_DECLS

/* A table of spans, and a row of it. */
SsappTable *ssapp_span_table_new (void);
void ssapp_span_table_add (SsappTable *table, const char *label, const char *unit, const SsSpan *span);
/* A row a channel: values at both ends, difference, slopes, mean, deviation, root mean square, extremes. */
SsappTable *ssapp_span_table (const SsTrajectory *motion, const int *channels, guint n, double from, double to,
                              GError **error);
/* A row a frequency [Hz], a column of amplitudes a channel. */
SsappTable *ssapp_spectrum_table (const SsTrajectory *motion, const int *channels, guint n, double from, double to,
                                  GError **error);
/* The rows of the motion that lie between, a column a channel. */
SsappTable *ssapp_span_values_table (const SsTrajectory *motion, const int *channels, guint n, double from, double to,
                                     GError **error);

/* What a span has, in the order of tables and of windows. */
typedef struct {
  const char *key, *title;
  gsize offset;        /* of a double in SsSpan */
  gboolean is_a_slope; /* its unit is that of the channel a second */
} SsappSpanField;
/* ssapp_n_span_fields of them. */
extern const SsappSpanField ssapp_span_fields[];
/* Their number. */
extern const guint ssapp_n_span_fields;
/* The value of a field. */
double ssapp_span_get (const SsSpan *span, guint field);

G_END_DECLS
