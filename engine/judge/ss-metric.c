/* engine/judge/ss-metric.c: see ss-metric.h. */
#include "judge/ss-metric.h"

#include "core/ss-status.h"

#include <math.h>
#include <string.h>

static const SsMetricSpec specs[SS_METRIC_COUNT] = {
#define X(id, name, label, unit, format, type, better, summary)                                                        \
  {name, label, unit, format, SS_METRIC_TYPE_##type, SS_BETTER_##better, summary},
    SS_METRIC_LIST (X)
#undef X
};

const SsMetricSpec *
ss_metric_spec (SsMetric metric)
{
  SS_ASSERT (metric >= 0 && metric < SS_METRIC_COUNT);
  return &specs[metric];
}

SsMetric
ss_metric_find (const char *name)
{
  int i = 0;

  while (i < SS_METRIC_COUNT && strcmp (specs[i].name, name) != 0)
    i++;
  return (SsMetric)i;
}

void
ss_metric_set (SsMetricSet *set, SsMetric metric, double value)
{
  SS_ASSERT (metric >= 0 && metric < SS_METRIC_COUNT);
  set->is_set[metric] = true;
  set->value[metric] = value;
}

double
ss_metric_get (const SsMetricSet *set, SsMetric metric)
{
  SS_ASSERT (metric >= 0 && metric < SS_METRIC_COUNT);
  return set->is_set[metric] ? set->value[metric] : NAN;
}
