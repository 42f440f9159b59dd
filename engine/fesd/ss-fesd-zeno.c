/* engine/fesd/ss-fesd-zeno.c: flights that accumulate. The rule: ss-fesd-march.h. */
#include "fesd/ss-fesd-march-private.h"

#include <math.h>
#include <string.h>

/* A flight's ratio to the one before has settled when the next one differs by less. */
static const double settled_ratio = 1e-4;
/* After so many impacts in a step, slow flights are captured without a settled ratio. */
static const double chatter_impacts = 20;

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

/* When the flights of the item end in rest, if the ratios of the last three have settled, or of the last three cycles
 * of two or three flights, as of points that impacts follow in turn; else infinite [002 (70)]. */
static double
end_of (SsFesdMarch *m, int item)
{
  const double *f = flights_of (m, item);
  for (int period = 1; SS_FESD_CYCLES * period <= SS_FESD_FLIGHTS; period++) {
    double cycle[SS_FESD_CYCLES] = {0};
    for (int k = 0; k < SS_FESD_CYCLES * period; k++)
      cycle[k / period] += f[1 + k];
    const double ratio = cycle[0] / cycle[1], before = cycle[1] / cycle[2];
    if (ratio < 1 && fabs (ratio - before) <= settled_ratio * ratio)
      return f[0] + cycle[0] * ratio / (1 - ratio);
  }
  return INFINITY;
}

/* A flight of the item has ended. */
void
ss_fesd_zeno_note (SsFesdMarch *m, int item)
{
  SS_ASSERT (m != NULL);

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
  SS_ASSERT (m != NULL && n >= 0);
  if (m->options.zeno == SS_FESD_ZENO_EQUATIONS) {
    for (int i = 0; i < n && m->impacts > m->options.n_elements; i++)
      if (touches[i].rate_after > rest)
        m->now.ends[touches[i].item] = m->now.t;
    return;
  }
  const bool is_chatter = m->impacts > chatter_impacts;
  double end = -INFINITY, fastest = is_chatter ? ss_fesd_slow : 0;
  for (int i = 0; i < n; i++) {
    const double own = end_of (m, touches[i].item);
    if (!(touches[i].rate < -rest) || !(own <= m->t_part_end))
      continue;
    end = fmax (end, own);
    fastest = fmax (fastest, -touches[i].rate);
  }
  /* those that leave with it too, as the corners of a rocking block: faster ones by flights of their own */
  for (int i = 0; i < n && (is_chatter || end > -INFINITY); i++) {
    const double own = end_of (m, touches[i].item);
    if (!(touches[i].rate_after > rest))
      continue;
    if (own <= m->t_part_end)
      m->now.ends[touches[i].item] = fmax (own, m->now.t);
    else if (touches[i].rate_after <= fastest)
      m->now.ends[touches[i].item] = fmax (end, m->now.t);
  }
}

void
ss_fesd_zeno_release (SsFesdMarch *m)
{
  SS_ASSERT (m != NULL);
  for (int i = 0; i < ss_fesd_n_items (m->system); i++)
    m->now.ends[i] = NAN, m->now.soft[i] = false;
  m->now.is_capturing = false;
}

SsStatus
ss_fesd_zeno_take (SsFesdMarch *m, SsError *err)
{
  SS_ASSERT (m != NULL);

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
