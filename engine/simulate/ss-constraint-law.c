/* engine/simulate/ss-constraint-law.c: springs and dampers of the constraints; see ss-constraint-solver.c. */
#include "simulate/ss-constraint-private.h"

#include <math.h>

/* Whether it is a contact of which the scene says nothing, of a rigid body that does not rebound. */
static bool
is_damped (const SsConstraintStepper *s, const SsContact *c)
{
  return s->options.law == SS_LAW_MAX && s->options.rebound == SS_REBOUND_DAMPED && s->options.hertz == SS_HERTZ_OFF &&
         !(c->stiffness > 0) && !(c->damping > 0) && c->compliance == NULL;
}

/* Of a Hertzian one: [003 (121) (123)]. */
static SsConstraintLaw
law_of_contact (const SsConstraintStepper *s, const SsContactPoint *p, double dt)
{
  const SsContact *c = &s->base.scene->contacts[p->contact];
  SsConstraintLaw law = {.stiffness = c->stiffness > 0 ? c->stiffness : s->options.stiffness,
                         .damping = c->damping > 0 ? c->damping : s->options.damping,
                         .phi = p->phi};
  law.brakes = is_damped (s, c);
  if (law.brakes)
    law.damping = ss_contact_plastic_damping (s->base.scene, p->contact, law.stiffness);
  else if (s->options.rebound == SS_REBOUND_NONE && !(c->damping > 0))
    law.damping = SS_CONSTRAINT_SLIP_IMPULSE / dt;
  if (s->options.hertz != SS_HERTZ_OFF) {
    double depth = fmax (-p->phi, 0);
    law.stiffness *= sqrt (depth);
    if (s->options.hertz == SS_HERTZ_TANGENT) { /* force at d0 kept: 1.5 k sqrt(d0) (2/3 d0) = k d0^1.5 */
      law.stiffness *= 1.5;
      law.phi = depth > 0 ? -2 * depth / 3 : p->phi;
    }
  }
  if (s->options.foundation > 0 && p->memory < 0) { /* an element of the foundation */
    law.stiffness /= s->options.foundation;
    law.damping /= s->options.foundation;
  }
  return law;
}

SsConstraintLaw
ss_constraint_law_of_point (const SsConstraintStepper *s, const SsContactPoint *p, double dt)
{
  SS_ASSERT (p != NULL);
  if (p->contact >= 0)
    return law_of_contact (s, p, dt);
  const SsJoint *joint = &s->base.scene->joints[p->limit];
  return (SsConstraintLaw){.stiffness = joint->stiffness > 0 ? joint->stiffness : s->options.joint_stiffness,
                           .damping = joint->damping > 0 ? joint->damping : s->options.joint_damping,
                           .phi = p->phi};
}

SsStatus
ss_constraint_comply (const SsConstraintStepper *s, const SsContactPoint *p, double way, SsConstraintLaw *law,
                      double *slip_damping, SsError *err)
{
  SS_ASSERT (s != NULL && p != NULL && law != NULL && slip_damping != NULL);

  const double rate = ss_contact_point_normal_velocity (p, s->v_guess);
  const int n_parts = s->options.foundation > 0 && p->memory < 0 ? s->options.foundation : 1;
  SsLinearForce force = {
      .stiffness = law->stiffness * n_parts, .damping = law->damping * n_parts, .slip_damping = *slip_damping};
  SsStatus status = ss_stepper_linearise (&s->base, p, p->phi + way * rate, rate, &force, err);
  law->stiffness = force.stiffness / n_parts;
  law->damping = force.damping / n_parts;
  law->push = force.push / n_parts;
  law->phi = p->phi;
  law->brakes = false;
  *slip_damping = force.slip_damping;
  return status;
}

SsConstraintLaw
ss_constraint_law_of_row (const SsConstraintStepper *s, const SsRow *row)
{
  return (SsConstraintLaw){.stiffness = row->stiffness > 0 ? row->stiffness : s->options.joint_stiffness,
                           .damping = row->damping > 0 ? row->damping : s->options.joint_damping,
                           .phi = row->phi};
}

double
ss_constraint_slip_damping (const SsConstraintStepper *s, double dt)
{
  return s->options.slip_damping > 0 ? s->options.slip_damping : SS_CONSTRAINT_SLIP_IMPULSE / dt;
}

/* [003 (24)]. */
double
ss_constraint_mhat (const SsConstraintStepper *s, const SsContactPoint *p, const double *row)
{
  SS_ASSERT (s != NULL && p != NULL);

  double a = ss_contact_coupling (s->base.problem, p->body, row, p->body, row);
  return s->options.compensate && a > 0 ? 1 / a : 0;
}
