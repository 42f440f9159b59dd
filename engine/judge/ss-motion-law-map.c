/* engine/judge/ss-motion-law-map.c: the natural map of the law of contact at a point; see ss-motion-law.h. */
#include "judge/ss-motion-law.h"

#include "judge/ss-motion-private.h"

#include <math.h>

double
ss_contact_law_residual (double mu, double un, double ut, double wpn, double wpt, bool is_relaxed)
{
  const double yn = wpn - un - (is_relaxed ? 0 : mu * fabs (ut)), yt = wpt - ut;
  double n = yn, t = yt;

  if (mu * fabs (yt) <= -yn) { /* in the polar cone: its tip is the nearest */
    n = t = 0;
  } else if (fabs (yt) > mu * yn) { /* the nearer edge */
    n = (yn + mu * fabs (yt)) / (1 + mu * mu);
    t = copysign (mu * n, yt);
  }
  return hypot (wpn - n, wpt - t);
}

/* In units of the critical damping; its square, four times, is what is left of a speed. */
static const double damping_ratio = 500;

double
ss_contact_plastic_damping (const SsScene *scene, int contact, double stiffness)
{
  SS_ASSERT (scene != NULL && contact >= 0 && contact < scene->n_contacts && stiffness >= 0);

  const SsContact *c = &scene->contacts[contact];
  double lightness = 0;
  for (int side = 0; side < 2; side++) {
    const SsBody *body = &scene->bodies[side == 0 ? c->body_a : c->body_b];
    lightness += ss_body_is_immovable (body) ? 0 : 1 / body->mass;
  }
  return lightness > 0 ? 2 * damping_ratio * sqrt (stiffness / lightness) : 0;
}

double
ss_law_rate_along (const SsContact *c, SsVec2 p, SsVec2 e, const double *q, const double *v)
{
  double rate = 0;

  for (int side = 0; side < 2; side++) {
    const int i = 3 * (side == 0 ? c->body_a : c->body_b);

    rate += (side == 0 ? -1 : 1) *
            (e.x * (v[i] - v[i + 2] * (p.y - q[i + 1])) + e.y * (v[i + 1] + v[i + 2] * (p.x - q[i])));
  }
  return rate;
}

double
ss_law_rolling_lift (const SsContact *c, const double *v)
{
  return c->rolling > 0 ? c->rolling * fabs (v[3 * c->body_b + 2] - v[3 * c->body_a + 2]) : 0;
}

double
ss_law_cohesion (const SsScene *scene, int contact, const double *q, double closed, double h)
{
  SS_ASSERT (scene != NULL && contact >= 0 && contact < scene->n_contacts);

  const SsContact *c = &scene->contacts[contact];
  const SsBody *a = &scene->bodies[c->body_a], *b = &scene->bodies[c->body_b];

  for (int i = 0; i < ss_body_n_shapes (a) && c->cohesion > 0; i++)
    for (int k = 0; k < ss_body_n_shapes (b); k++) {
      SsGap gaps[SS_MANIFOLD_MAX];
      const int n =
          ss_geometry_manifold (ss_body_shape (a, i), q + 3 * c->body_a, ss_body_shape (b, k), q + 3 * c->body_b, gaps);

      if (n > 0 && gaps[0].phi <= fmin (SS_COHESION_REACH, closed))
        return h * c->cohesion;
    }
  return 0;
}

double
ss_motion_law_pull (const SsMotionLaw *law, const SsScene *scene, int contact, const double *q, double h)
{
  SS_ASSERT (law != NULL && scene != NULL && q != NULL);

  if (law->place != SS_LAW_START_GAP && law->place != SS_LAW_START_VELOCITY)
    return 0;
  return ss_law_cohesion (scene, contact, q, law->place == SS_LAW_START_GAP ? INFINITY : law->closed, h);
}

SsLawSpring
ss_law_spring (const SsMotionLaw *law, const SsScene *scene, int contact, double h)
{
  SS_ASSERT (scene != NULL && contact >= 0 && contact < scene->n_contacts);

  const SsContact *c = &scene->contacts[contact];
  SsLawSpring spring = {.stiffness = c->stiffness > 0 ? c->stiffness : law->stiffness,
                        .slip_damping = law->slip_impulse > 0 ? law->slip_impulse / h : law->slip_damping,
                        .is_plastic =
                            law->is_plastic && !(c->stiffness > 0) && !(c->damping > 0) && c->compliance == NULL,
                        .is_elastic = c->compliance != NULL && c->compliance->slip_stiffness > 0};

  spring.damping = spring.is_plastic          ? ss_contact_plastic_damping (scene, contact, spring.stiffness)
                   : c->damping > 0           ? c->damping
                   : law->damping_impulse > 0 ? law->damping_impulse / h
                                              : law->damping;
  return spring;
}

SsStatus
ss_law_comply (const SsCompliances *compliances, int contact, double phi, double rate, SsLawSpring *spring,
               SsError *err)
{
  SsComplianceForce force;

  if (compliances == NULL || !ss_compliances_has (compliances, contact))
    return SS_OK;
  SsStatus status =
      ss_compliances_find (compliances, contact, phi, rate, spring->stiffness, spring->damping, &force, err);
  if (status != SS_OK)
    return status;
  spring->stiffness = force.stiffness;
  spring->damping = force.damping;
  if (!isnan (force.slip_damping))
    spring->slip_damping = force.slip_damping;
  return SS_OK;
}

static double
rounding (const SsShape *shape)
{
  return shape->kind == SS_SHAPE_CIRCLE || shape->kind == SS_SHAPE_CAPSULE ? shape->radius : 0;
}

double
ss_law_turning (const SsContact *c, const SsShape *shapes[2], SsVec2 p, double slip, const double *q, const double *v)
{
  double sum = 0, round = 0, across = fabs (slip);

  for (int side = 0; side < 2; side++) {
    const int i = 3 * (side == 0 ? c->body_a : c->body_b);
    const double omega = fabs (v[i + 2]);

    if (omega > 0)
      sum += omega * omega * (hypot (p.x - q[i], p.y - q[i + 1]) + rounding (shapes[side])) + 2 * omega * fabs (slip);
    round += rounding (shapes[side]);
    across += omega * rounding (shapes[side]);
  }
  const bool has_plane = shapes[0]->kind == SS_SHAPE_HALF_PLANE || shapes[1]->kind == SS_SHAPE_HALF_PLANE;
  return sum + (round > 0 && !has_plane ? across * across / round : 0);
}

double
ss_law_fastest (const SsScene *scene, const double *radius, const double *v)
{
  SS_ASSERT (scene != NULL && scene->n_bodies >= 0);

  double fastest = 0;

  for (int i = 0; i < scene->n_bodies; i++) {
    const double *of = v + 3 * i;
    fastest = fmax (fastest, hypot (of[0], of[1]) + (of[2] != 0 ? fabs (of[2]) * radius[i] : 0));
  }
  return fastest;
}

bool
ss_law_is_apart (const SsContact *c, const double *radius, const double *q, double way)
{
  SS_ASSERT (c != NULL && radius != NULL);

  const double *a = q + 3 * c->body_a, *b = q + 3 * c->body_b;
  const double far = (way + radius[c->body_a] + radius[c->body_b]) * (1 + 1e-9);

  return fabs (b[0] - a[0]) > far || fabs (b[1] - a[1]) > far;
}
