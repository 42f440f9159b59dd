/* engine/simulate/ss-contact-law.c: the law by which an integrator's motions are judged; see ss-simulate.h. */
#include "simulate/ss-constraint-private.h"
#include "simulate/ss-stewart-trinkle.h"

#include <math.h>

SsMotionLaw
ss_integrator_contact_law (const SsScene *scene, const SsIntegratorClass *integrator, const void *options)
{
  SS_ASSERT (scene != NULL && integrator != NULL);
  const SsOptionTable *table = integrator->options;
  static const SsLawBounce bounces[] = {[SS_RESTITUTION_NEWTON] = SS_LAW_BOUNCE_NEWTON,
                                        [SS_RESTITUTION_POISSON] = SS_LAW_BOUNCE_POISSON,
                                        [SS_RESTITUTION_OFF] = SS_LAW_INELASTIC};
  SsMotionLaw law = integrator->contact_law;
#define VALUE(name, fallback) ss_options_value (table, options, name, fallback)

  law.closed = VALUE ("gap-tolerance", 0);
  law.stiffness = VALUE ("stiffness", 0);
  law.damping = VALUE ("damping", 0);
  law.slip_damping = VALUE ("slip-damping", 0);
  switch (law.place) {
  case SS_LAW_START_GAP:
    if (VALUE ("gap", SS_STEWART_TRINKLE_LINEAR) == SS_STEWART_TRINKLE_END)
      law.place = SS_LAW_END_GAP;
    else if (VALUE ("gap", SS_STEWART_TRINKLE_LINEAR) == SS_STEWART_TRINKLE_LINEAR)
      law.bounce = bounces[(int)VALUE ("restitution", SS_RESTITUTION_NEWTON)];
    break;
  case SS_LAW_START_SPRING:
    if (VALUE ("law", SS_LAW_MAX) == SS_LAW_LITERAL) /* programs that do not slide by Coulomb's law */
      law.place = SS_LAW_NOT_TOLD;
    law.is_shaped = VALUE ("hertz", SS_HERTZ_OFF) != SS_HERTZ_OFF || VALUE ("foundation", 0) > 0 ||
                    VALUE ("activation", SS_ACTIVATION_ALL) != SS_ACTIVATION_ALL;
    law.is_compensated = VALUE ("compensate", 1) != 0;
    if (VALUE ("rebound", SS_REBOUND_DAMPED) == SS_REBOUND_NONE)
      law.damping_impulse = SS_CONSTRAINT_SLIP_IMPULSE;
    law.is_plastic = VALUE ("rebound", SS_REBOUND_DAMPED) == SS_REBOUND_DAMPED && !law.is_shaped;
    if (law.slip_damping == 0)
      law.slip_impulse = SS_CONSTRAINT_SLIP_IMPULSE;
    break;
  case SS_LAW_WITHIN:
    if (VALUE ("friction", 1) == 0) /* tanh */
      law.slip_velocity = VALUE ("slip-velocity", 0);
    break;
  case SS_LAW_STAGES:
    if (VALUE ("law", SS_LAW_JUMP_NEWTON) != SS_LAW_JUMP_NEWTON)
      law.jump = SS_LAW_JUMP_IN_PARTS;
    break;
  case SS_LAW_NOT_TOLD:
  case SS_LAW_END_GAP:
  case SS_LAW_START_VELOCITY:
  case SS_LAW_HALF_VELOCITY:
  case SS_LAW_END_SPRING:
    break;
  }
#undef VALUE
  if (integrator->acts_at_both_ends != NULL && integrator->acts_at_both_ends (scene, options)) { /* rows tell the sum */
    if (law.place != SS_LAW_START_SPRING)
      law.slip_damping = INFINITY; /* what slips has all of its friction */
    law.place = SS_LAW_WITHIN;
    law.is_relaxed = false;
  }
  return law;
}
