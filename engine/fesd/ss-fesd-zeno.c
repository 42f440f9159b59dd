/* engine/fesd/ss-fesd-zeno.c: flights that accumulate. The rule: ss-fesd-march.h. */
#include "fesd/ss-fesd-march-private.h"

#include <math.h>
#include <string.h>

/* A flight's ratio to the one before has settled when the next one differs by less. */
static const double settled_ratio = 1e-4;
/* After so many impacts in a step, slow flights are captured without a settled ratio. */
static const double chatter_impacts = 100;

/* What is known of an item. */
static double *
flights_of (SsFesdMarch *m, int item)
{
  return m->now.flights + (size_t)item * (SS_FESD_FLIGHTS + 1);
}

void
ss_fesd_zeno_forget (SsFesdMarch *m, int item)
{
  for (int k = 0; k <= SS_FESD_FLIGHTS; k++)
    flights_of (m, item)[k] = NAN;
}

/* When the flights of the item end in rest by the last three, if their ratios have settled; else infinite. */
static double
end_of (SsFesdMarch *m, int item)
{
  const double *f = flights_of (m, item);
  const double ratio = f[1] / f[2], before = f[2] / f[3];
  if (!(ratio < 1) || !(fabs (ratio - before) <= settled_ratio * ratio))
    return INFINITY;
  return f[0] + f[1] * ratio / (1 - ratio);
}

/* A flight of the item has ended. */
void
ss_fesd_zeno_note (SsFesdMarch *m, int item)
{
  double *f = flights_of (m, item);
  const double length = m->now.t - f[0];
  for (int k = SS_FESD_FLIGHTS; k > 1; k--)
    f[k] = f[k - 1];
  f[1] = length;
  f[0] = m->now.t;
}

void
ss_fesd_zeno_capture (SsFesdMarch *m, const SsFesdTouch *touches, int n, double rest)
{
  const bool is_chatter = m->impacts > chatter_impacts;
  bool any = false;
  for (int i = 0; i < n; i++) /* those that leave with it too, as the corners of a rocking block */
    any = any || (touches[i].rate < -rest && (is_chatter || end_of (m, touches[i].item) <= m->t_part_end));
  for (int i = 0; any && i < n; i++) {
    const double end = end_of (m, touches[i].item);
    if (!(touches[i].rate_after > rest))
      continue;
    if (!(end <= m->t_part_end) && !(is_chatter && touches[i].rate_after <= ss_fesd_slow))
      continue;
    m->now.ends[touches[i].item] = end <= m->t_part_end ? fmax (end, m->now.t) : m->now.t;
  }
}

void
ss_fesd_zeno_release (SsFesdMarch *m)
{
  for (int i = 0; i < ss_fesd_n_items (m->system); i++)
    m->now.ends[i] = NAN, m->now.soft[i] = false;
  m->now.is_capturing = false;
}

SsStatus
ss_fesd_zeno_take (SsFesdMarch *m, SsError *err)
{
  SsStatus status = SS_OK;
  m->now.is_capturing = false;
  memset (m->now.soft, 0, (size_t)ss_fesd_n_items (m->system) * sizeof *m->now.soft);
  while (status == SS_OK) {
    int first = -1;
    for (int i = 0; i < ss_fesd_n_items (m->system); i++)
      if (!isnan (m->now.ends[i]) && (first < 0 || m->now.ends[i] < m->now.ends[first]))
        first = i;
    if (first < 0)
      break;
    status = ss_fesd_tell_event (m, SS_EVENT_ACCUMULATION, first, m->now.ends[first], NAN, err);
    m->now.ends[first] = NAN;
    ss_fesd_zeno_forget (m, first);
  }
  return status;
}
