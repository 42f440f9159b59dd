/* app/base/ssapp-run-column.c: see the header. */
#include "app/base/ssapp-run-column.h"

#include "core/ss-option.h"

#include <string.h>

static const struct {
  const char *name;
  SsappRunColumnKind kind;
} text_columns[] = {{"method", SSAPP_RUN_COLUMN_METHOD},   {"scenario", SSAPP_RUN_COLUMN_SCENARIO},
                    {"outcome", SSAPP_RUN_COLUMN_OUTCOME}, {"started", SSAPP_RUN_COLUMN_STARTED},
                    {"date", SSAPP_RUN_COLUMN_STARTED},    {"note", SSAPP_RUN_COLUMN_NOTE},
                    {"tag", SSAPP_RUN_COLUMN_TAGS},        {"tags", SSAPP_RUN_COLUMN_TAGS},
                    {"start", SSAPP_RUN_COLUMN_START},     {"seed", SSAPP_RUN_COLUMN_SEED},
                    {"kind", SSAPP_RUN_COLUMN_KIND},       {"study", SSAPP_RUN_COLUMN_STUDY},
                    {"run", SSAPP_RUN_COLUMN_ID},          {"id", SSAPP_RUN_COLUMN_ID}};

/* Short names of the metrics that lists show. */
static const struct {
  const char *name;
  SsMetric metric;
} metric_names[] = {{"violation", SS_METRIC_MAX_VIOLATION},
                    {"tracking_error", SS_METRIC_TRACKING_TOTAL},
                    {"error", SS_METRIC_TRACKING_TOTAL},
                    {"time", SS_METRIC_SOLVE_SECONDS},
                    {"cpu", SS_METRIC_CPU_SECONDS},
                    {"penetration", SS_METRIC_MAX_PENETRATION},
                    {"replayed_objective", SS_METRIC_REPLAYED_OBJECTIVE}};

SsappRunColumnKind
ssapp_run_column_kind_of (const char *name, SsMetric *metric)
{
  g_return_val_if_fail (name != NULL && metric != NULL, SSAPP_RUN_COLUMN_FIELD);
  *metric = SS_METRIC_COUNT;
  for (guint i = 0; i < G_N_ELEMENTS (text_columns); i++)
    if (strcmp (text_columns[i].name, name) == 0)
      return text_columns[i].kind;
  for (guint i = 0; i < G_N_ELEMENTS (metric_names); i++)
    if (strcmp (metric_names[i].name, name) == 0)
      *metric = metric_names[i].metric;
  if (*metric == SS_METRIC_COUNT)
    *metric = ss_metric_find (name);
  return *metric != SS_METRIC_COUNT ? SSAPP_RUN_COLUMN_METRIC : SSAPP_RUN_COLUMN_FIELD;
}

const char *
ssapp_run_column_suggest (const char *name)
{
  const char *names[G_N_ELEMENTS (text_columns) + G_N_ELEMENTS (metric_names) + SS_METRIC_COUNT];
  int n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (text_columns); i++)
    names[n++] = text_columns[i].name;
  for (guint i = 0; i < G_N_ELEMENTS (metric_names); i++)
    names[n++] = metric_names[i].name;
  for (int m = 0; m < SS_METRIC_COUNT; m++)
    names[n++] = ss_metric_spec ((SsMetric)m)->name;
  return ss_nearest_name (name, names, n);
}
