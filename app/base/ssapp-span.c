/* app/base/ssapp-span.c: see the header. */
#include "app/base/ssapp-span.h"

#include <math.h>

#define FIELD(member, title, is_a_slope)                                                                               \
  {                                                                                                                    \
#member, title, G_STRUCT_OFFSET(SsSpan, member), is_a_slope                                                        \
  }
const SsappSpanField ssapp_span_fields[] = {FIELD (at_from, "at A", FALSE),
                                            FIELD (at_to, "at B", FALSE),
                                            FIELD (difference, "B − A", FALSE),
                                            FIELD (slope, "slope A to B", TRUE),
                                            FIELD (mean, "mean", FALSE),
                                            FIELD (deviation, "deviation", FALSE),
                                            FIELD (rms, "root mean square", FALSE),
                                            FIELD (least, "minimum", FALSE),
                                            FIELD (most, "maximum", FALSE),
                                            FIELD (fitted_slope, "slope, line fitted", TRUE)};
#undef FIELD
const guint ssapp_n_span_fields = G_N_ELEMENTS (ssapp_span_fields);

double
ssapp_span_get (const SsSpan *span, guint field)
{
  g_return_val_if_fail (span != NULL && field < ssapp_n_span_fields, NAN);
  return *(const double *)(const void *)((const char *)span + ssapp_span_fields[field].offset);
}

static gboolean
refuse (GError **error, const SsError *err)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, err->message);
  return FALSE;
}

SsappTable *
ssapp_span_table_new (void)
{
  SsappTable *table = ssapp_table_new ("Between two times");

  ssapp_table_add_text_column (table, "channel", "channel");
  ssapp_table_add_text_column (table, "unit", "unit");
  ssapp_table_add_number_column (table, "from", "A", "s", "%.6g", SSAPP_BEST_NONE);
  ssapp_table_add_number_column (table, "to", "B", "s", "%.6g", SSAPP_BEST_NONE);
  for (guint f = 0; f < ssapp_n_span_fields; f++)
    ssapp_table_add_number_column (table, ssapp_span_fields[f].key, ssapp_span_fields[f].title,
                                   ssapp_span_fields[f].is_a_slope ? "unit/s" : "", "%.6g", SSAPP_BEST_NONE);
  return table;
}

void
ssapp_span_table_add (SsappTable *table, const char *label, const char *unit, const SsSpan *span)
{
  g_return_if_fail (table != NULL && span != NULL);
  ssapp_table_begin_row (table);
  ssapp_table_add_text (table, label);
  ssapp_table_add_text (table, unit);
  ssapp_table_add_number (table, span->from);
  ssapp_table_add_number (table, span->to);
  for (guint f = 0; f < ssapp_n_span_fields; f++)
    ssapp_table_add_number (table, ssapp_span_get (span, f));
}

SsappTable *
ssapp_span_table (const SsTrajectory *motion, const int *channels, guint n, double from, double to, GError **error)
{
  g_return_val_if_fail (motion != NULL && (channels != NULL || n == 0), NULL);
  g_autoptr (SsappTable) table = ssapp_span_table_new ();
  SsError err = {0};

  for (guint i = 0; i < n; i++) {
    SsSpan span;
    if (ss_span_of (motion, channels[i], from, to, &span, &err) != SS_OK)
      return refuse (error, &err), NULL;
    ssapp_span_table_add (table, motion->channels[channels[i]].name, motion->channels[channels[i]].unit, &span);
  }
  return g_steal_pointer (&table);
}

static void
add_channel_columns (SsappTable *table, const SsTrajectory *motion, const int *channels, guint n)
{
  for (guint i = 0; i < n; i++) {
    const SsChannel *channel = &motion->channels[channels[i]];
    ssapp_table_add_number_column (table, channel->name, channel->name, channel->unit, "%.6g", SSAPP_BEST_NONE);
  }
}

SsappTable *
ssapp_spectrum_table (const SsTrajectory *motion, const int *channels, guint n, double from, double to, GError **error)
{
  g_return_val_if_fail (motion != NULL && (channels != NULL || n == 0), NULL);
  g_autoptr (SsappTable) table = ssapp_table_new ("Amplitude over frequency");
  g_autofree double *frequencies = g_new0 (double, SS_SPECTRUM_LINES),
                    *amplitudes = g_new0 (double, MAX (n, 1) * SS_SPECTRUM_LINES);
  SsError err = {0};
  int n_lines = 0;

  for (guint i = 0; i < n; i++)
    if (ss_span_spectrum (motion, channels[i], from, to, frequencies, amplitudes + i * SS_SPECTRUM_LINES, &n_lines,
                          &err) != SS_OK)
      return refuse (error, &err), NULL;
  ssapp_table_add_number_column (table, "frequency", "frequency", "Hz", "%.6g", SSAPP_BEST_NONE);
  add_channel_columns (table, motion, channels, n);
  for (int k = 0; k < n_lines; k++) {
    ssapp_table_begin_row (table);
    ssapp_table_add_number (table, frequencies[k]);
    for (guint i = 0; i < n; i++)
      ssapp_table_add_number (table, amplitudes[i * SS_SPECTRUM_LINES + (guint)k]);
  }
  return g_steal_pointer (&table);
}

SsappTable *
ssapp_span_values_table (const SsTrajectory *motion, const int *channels, guint n, double from, double to,
                         GError **error)
{
  g_return_val_if_fail (motion != NULL && (channels != NULL || n == 0), NULL);
  (void)error;
  SsappTable *table = ssapp_table_new ("Values");

  ssapp_table_add_number_column (table, "t", "t", "s", "%.6g", SSAPP_BEST_NONE);
  add_channel_columns (table, motion, channels, n);
  for (int k = 0; k < motion->n_rows; k++) {
    const double *row = ss_trajectory_row (motion, k);
    const double rounding = 1e-9 * fmax (1, fabs (row[0])); /* of steps that are added up */
    if (row[0] < from - rounding || row[0] > to + rounding)
      continue;
    ssapp_table_begin_row (table);
    ssapp_table_add_number (table, row[0]);
    for (guint i = 0; i < n; i++)
      ssapp_table_add_number (table, row[channels[i]]);
  }
  return table;
}
