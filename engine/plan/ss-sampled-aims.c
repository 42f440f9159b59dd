/* engine/plan/ss-sampled-aims.c: see the header. */
#include "plan/ss-sampled-aims.h"

#include "plan/ss-lazy-contacts.h"

#include <math.h>

/* Of the longest way that is asked for, how far a tool is moved about. */
static const double TOOL_PART = 0.5;

typedef struct {
  const SsScene *scene;
  const SsSampledCost *cost;
  const SsDrive *drive;
  const double *q;
} Finder;

/* The way from the drive's body to another, where they are nearest; 0 where they have no contact. */
static SsVec2
way_to (const Finder *f, int other)
{
  const int body = f->drive->body;

  for (int c = 0; c < f->scene->n_contacts; c++) {
    const SsContact *contact = &f->scene->contacts[c];

    if ((contact->body_a == body && contact->body_b == other) ||
        (contact->body_b == body && contact->body_a == other)) {
      const SsGap gap = ss_lazy_nearest (f->scene, c, f->q);
      const double way = contact->body_a == body ? fmax (0, gap.phi) : -fmax (0, gap.phi);

      return isfinite (way) ? (SsVec2){way * gap.normal.x, way * gap.normal.y} : (SsVec2){0, 0};
    }
  }
  return (SsVec2){0, 0};
}

static double
distance (const Finder *f, int other)
{
  const double *from = f->q + 3 * f->drive->body, *to = f->q + 3 * other;

  return other == f->drive->body ? -1 : hypot (to[0] - from[0], to[1] - from[1]);
}

/* By their centres, or to where the task wants the drive's own body. */
static SsSampledAim
aim_at (const Finder *f, int other)
{
  const SsDrive *d = f->drive;
  const SsJoint *joint = d->axis == 3 ? &f->scene->joints[d->actuator->joint] : NULL;
  const double dx = f->q[3 * other] - f->q[3 * d->body], dy = f->q[3 * other + 1] - f->q[3 * d->body + 1],
               far = hypot (dx, dy);
  const SsVec2 way = way_to (f, other);

  if (d->axis < 2)
    return (SsSampledAim){other != d->body && far > 0 ? (d->axis == 0 ? dx : dy) / far * hypot (way.x, way.y) : 0,
                          ss_sampled_cost_asked (f->cost, other, d->axis), 0};
  if (joint != NULL && joint->kind == SS_JOINT_SLIDER)
    return (SsSampledAim){0,
                          joint->axis.x * ss_sampled_cost_asked (f->cost, other, 0) +
                              joint->axis.y * ss_sampled_cost_asked (f->cost, other, 1),
                          0};
  return (SsSampledAim){0, other == d->body ? ss_sampled_cost_asked (f->cost, other, 2) : 0, 0};
}

int
ss_sampled_aims_count (const SsScene *scene, const SsSampledCost *cost)
{
  int n = 0;

  for (int b = 0; b < scene->n_bodies; b++)
    n += ss_sampled_cost_speaks_of (cost, b) + !ss_body_is_immovable (&scene->bodies[b]);
  return n;
}

void
ss_sampled_aims_find (const SsScene *scene, const SsSampledCost *cost, const SsDrive *drive, double reach,
                      const double *q, SsSampledAim *aims)
{
  const Finder f = {scene, cost, drive, q};
  double nearest = INFINITY, longest = 0;
  int n = 0;

  for (int b = 0; b < scene->n_bodies; b++) {
    if (!ss_sampled_cost_speaks_of (cost, b))
      continue;
    longest = fmax (longest, hypot (ss_sampled_cost_asked (cost, b, 0), ss_sampled_cost_asked (cost, b, 1)));
    aims[n] = aim_at (&f, b);
    if (distance (&f, b) < nearest) {
      const SsSampledAim first = aims[0];

      nearest = distance (&f, b);
      aims[0] = aims[n];
      aims[n] = n > 0 ? first : aims[n];
    }
    n++;
  }
  for (int b = 0; b < scene->n_bodies; b++) {
    if (ss_body_is_immovable (&scene->bodies[b]))
      continue;
    const SsVec2 way = way_to (&f, b);
    aims[n++] = (SsSampledAim){drive->axis == 0   ? way.x
                               : drive->axis == 1 ? way.y
                                                  : 0,
                               0, drive->axis < 2 ? fmax (reach, TOOL_PART * longest) : reach};
  }
}
