/* engine/fesd/ss-freeze-channels.c: speed of time and multipliers of a row; see ss-freeze.h. */
#include "fesd/ss-freeze-private.h"

#include "contact/ss-contact-problem.h"

#include <math.h>
#include <stdio.h>

enum { SPEED, THETA, FIRST_ALPHA, ALPHAS = 3, RATES = 2, A_CONTACT = ALPHAS + RATES };
/* Of bodies too far apart for a point the gap speed is a difference over so long [s]. */
static const double rate_span = 1e-6;

int
ss_freeze_n_more (const SsScene *scene, const void *options)
{
  (void)options;
  const int n = scene->n_contacts <= SS_CONTACTS_WITH_CHANNELS_MAX ? scene->n_contacts : 0;
  return FIRST_ALPHA + A_CONTACT * n;
}

SsChannel
ss_freeze_channel (const SsScene *scene, const void *options, int i, char *name, size_t size)
{
  (void)options;
  SsChannel channel = {.name = name, .quantity = SS_QUANTITY_UNKNOWN, .unit = "", .owner_name = ""};
  if (i < FIRST_ALPHA) {
    snprintf (name, size, "%s", i == SPEED ? "speed" : "theta.free");
    return channel;
  }
  const SsContact *contact = &scene->contacts[(i - FIRST_ALPHA) / A_CONTACT];
  const int of_contact = (i - FIRST_ALPHA) % A_CONTACT;
  if (of_contact < ALPHAS) {
    snprintf (name, size, "alpha.%s.%c", contact->name, "nvt"[of_contact]);
  } else {
    channel.quantity = of_contact == ALPHAS ? SS_QUANTITY_GAP_RATE : SS_QUANTITY_SLIP;
    channel.unit = ss_quantity_unit (channel.quantity);
    snprintf (name, size, "%s.%s", contact->name, ss_quantity_name (channel.quantity));
  }
  channel.owner = SS_OWNER_CONTACT;
  channel.owner_name = contact->name;
  return channel;
}

/* The step function of c, where what is within `none` of 0 is told of otherwise. */
static double
step_of (double c, double none, double otherwise)
{
  return c > none ? 1 : c < -none ? 0 : otherwise;
}

/* The point of a contact that tells most: the one that carries most, else the nearest. Returns whether there is one. */
static bool
find_point (const SsFreeze *f, const SsFesdMarch *m, int contact, SsFesdPoint *out, int *item)
{
  const SsFesdSystem *s = f->system;
  double load = 0, nearest = INFINITY;
  *item = -1;
  for (int i = 0; i < s->n_points; i++) {
    if (s->points[i].contact != contact || (i >= s->n_static && !s->is_live[i]))
      continue;
    const double carried = f->is_frozen ? f->beta[i] : m->now.lambda_n[i];
    const double gap = ss_fesd_point_gap (&s->points[i], m->now.q);
    if (carried > load || (load == 0 && gap < nearest)) {
      load = fmax (load, carried);
      nearest = gap;
      *item = i;
    }
  }
  if (*item >= 0) {
    *out = s->points[*item];
    return true;
  }
  for (int i = 0; i < s->n_pairs; i++) {
    SsFesdPoint points[2];
    double gaps[2];
    if (s->pairs[i].contact == contact && ss_fesd_system_meet (s, &s->pairs[i], m->now.q, points, gaps) > 0) {
      *out = points[0];
      return true;
    }
  }
  return false;
}

/* theta_free of the forces that act, points with the same rows taken together. */
static double
speed_of (SsFreeze *f, const SsFesdMarch *m)
{
  double *lambda = f->beta;
  int n = 0;
  for (int i = 0; i < ss_fesd_n_items (f->system); i++) {
    double force = f->leader[i] == i ? m->now.lambda_n[i] : 0;
    for (int k = 0; k < ss_fesd_n_items (f->system) && m->now.lambda_n[i] > 0 && f->leader[i] == i; k++)
      force += k != i && f->leader[k] == i ? m->now.lambda_n[k] : 0;
    if (force > 0)
      lambda[n++] = force; /* n <= i: what was read is overwritten */
  }
  return n > 0 ? ss_freeze_speed (lambda, n, f->a_n) : 1;
}

/* The speed at which bodies near each other that have no point yet. */
static double
far_rate (const SsFreeze *f, const SsFesdMarch *m, int contact)
{
  const SsScene *scene = f->system->scene;
  double *q = f->far_q;
  double gaps[2];
  for (int side = 0; side < 2; side++) {
    for (int k = 0; k < 3 * scene->n_bodies; k++)
      q[k] = m->now.q[k] + (side == 0 ? -0.5 : 0.5) * rate_span * m->now.v[k];
    gaps[side] = ss_scene_contact_gap (scene, contact, q);
  }
  return (gaps[1] - gaps[0]) / rate_span;
}

void
ss_freeze_fill (void *owner, const struct SsFesdMarch *m, double *more)
{
  SS_ASSERT (more != NULL);

  SsFreeze *f = owner;
  const SsFesdSystem *s = f->system;
  const double touch = ss_fesd_touch_part * s->size, rest = ss_fesd_rest_speed (m);
  const double theta = f->is_frozen ? 0 : speed_of (f, m);
  const int n = (ss_freeze_n_more (s->scene, NULL) - FIRST_ALPHA) / A_CONTACT;
  more[SPEED] = more[THETA] = theta;
  for (int i = 0; i < n; i++) {
    double *alpha = more + FIRST_ALPHA + A_CONTACT * i, *rates = alpha + ALPHAS;
    SsFesdPoint point;
    SsFesdPointAt at;
    int item;
    alpha[0] = alpha[1] = 1;
    alpha[2] = 0.5;
    if (!find_point (f, m, i, &point, &item)) {
      rates[0] = far_rate (f, m, i);
      rates[1] = 0;
      continue;
    }
    ss_fesd_point_at (&point, m->now.q, false, &at);
    const double c2 = ss_fesd_point_rate (&point, at.jn, m->now.v), c3 = ss_fesd_point_rate (&point, at.jt, m->now.v);
    const double normal = item < 0 || f->is_frozen ? 0 : m->now.lambda_n[item];
    const double beta = item < 0 ? 0 : f->is_frozen ? f->beta[item] : normal > 0 ? theta * normal / f->a_n : 0;
    const double mu = s->scene->contacts[i].mu;
    const double sigma = item < 0          ? 0
                         : f->is_frozen    ? f->sigma[item]
                         : mu * normal > 0 ? fmax (fmin (-m->now.lambda_t[item] / (mu * normal), 1), -1)
                                           : 0;
    alpha[0] = step_of (at.phi, touch, 1 - beta);
    alpha[1] = step_of (c2, rest, beta > 0 ? 0 : 1);
    alpha[2] = step_of (c3, rest, 0.5 * (1 + sigma));
    rates[0] = c2;
    rates[1] = c3;
  }
}
