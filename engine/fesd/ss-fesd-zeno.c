/* engine/fesd/ss-fesd-zeno.c: flights that accumulate. The rule: ss-fesd-march.h. */
#include "fesd/ss-fesd-march-private.h"

#include <math.h>

/* A flight's ratio to the one before has settled when the next one differs by less. */
static const double settled_ratio = 1e-4;

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
end_of_flights (const double *f)
{
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

/* Whether the flights of an item that touches end within the step: then they end now. */
bool
ss_fesd_zeno_ends (SsFesdMarch *m, int item)
{
  const double end = end_of_flights (flights_of (m, item));
  if (!(end <= m->t_step_end))
    return false;
  m->now.ends[item] = fmax (end, m->now.t);
  ss_fesd_zeno_forget (m, item);
  return true;
}

/* Takes away the small speeds of flights that accumulate; what rests stays at rest, what does not slip
 * does not then. */
SsStatus
ss_fesd_zeno_rest (SsFesdMarch *m, SsError *err)
{
  const SsFesdSystem *s = m->system;
  const double rest = ss_fesd_rest_speed (m);
  SsFesdTouch *touches;
  int n;
  bool any = false;
  for (int i = 0; i < ss_fesd_n_items (s); i++)
    any = any || !isnan (m->now.ends[i]);
  if (!any)
    return SS_OK;
  SsStatus status =
      ss_fesd_law_touching (m->law, m->now.q, m->now.v, m->now.offset, ss_fesd_touch_part * s->size, &touches, &n, err);
  for (int i = 0; i < ss_fesd_n_items (s); i++)
    m->now.modes[i] = SS_FESD_OPEN;
  for (int i = 0; status == SS_OK && i < n; i++)
    if (touches[i].rate <= rest || !isnan (m->now.ends[touches[i].item])) {
      const bool sticks = ss_fesd_mu_of (s, touches[i].item) > 0 && fabs (touches[i].slip) <= rest;
      m->now.modes[touches[i].item] = sticks ? SS_FESD_STICK : SS_FESD_SLIP_PLUS;
    }
  if (status == SS_OK)
    status = ss_fesd_element_set_modes (m->element, m->now.modes, err);
  if (status == SS_OK) /* what it cannot hold stays as it is: a flight more */
    (void)ss_fesd_element_project (m->element, m->now.t, m->now.q, m->now.v, false);
  return status;
}

/* Those until t, in the order of time. */
SsStatus
ss_fesd_zeno_tell (SsFesdMarch *m, double t, SsError *err)
{
  SsStatus status = SS_OK;
  while (status == SS_OK) {
    int first = -1;
    for (int i = 0; i < ss_fesd_n_items (m->system); i++)
      if (m->now.ends[i] <= t && (first < 0 || m->now.ends[i] < m->now.ends[first]))
        first = i;
    if (first < 0)
      break;
    status =
        ss_fesd_tell_event (m, SS_EVENT_ACCUMULATION, first, fmin (fmax (m->now.ends[first], m->now.t), t), NAN, err);
    m->now.ends[first] = NAN;
  }
  return status;
}
