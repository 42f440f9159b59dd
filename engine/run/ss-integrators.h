/* engine/run/ss-integrators.h: the integrators of the engine, in the order of the contract's list of names. The
 * registry of methods (run/ss-method.c) and the engine of pages that compute (app/live/live.c), which has no
 * optimisers, are made of these lines. CVODE, which a build may lack, stands in the registry between the two lists.
 *
 * X (id, LOOK, is_default): the class is ss_integrator_<id>.
 */
#pragma once

#include "fesd/ss-event-driven.h"
#include "fesd/ss-fesd-j.h"
#include "fesd/ss-time-freezing.h"
#include "simulate/ss-simulate.h"

/* Of accelerations: contacts are penalties. */
#define SS_INTEGRATOR_PENALTY_LIST(X)                                                                                  \
  X (explicit_euler, EXPLICIT_EULER, false)                                                                            \
  X (semi_implicit_euler, SEMI_IMPLICIT_EULER, false) X (implicit_euler, IMPLICIT_EULER, false)

/* Of velocities that jump, and the event-driven ones. */
#define SS_INTEGRATOR_RIGID_LIST(X)                                                                                    \
  X (moreau_jean, MOREAU_JEAN, false)                                                                                  \
  X (stewart_trinkle, STEWART_TRINKLE, true)                                                                           \
  X (anitescu_potra, ANITESCU_POTRA, false)                                                                            \
  X (convex_time_stepping, CONVEX_TIME_STEPPING, false)                                                                \
  X (constraint_solver, CONSTRAINT_SOLVER, false)                                                                      \
  X (event_driven, EVENT_DRIVEN, false) X (fesd_j, FESD_J, false) X (time_freezing, TIME_FREEZING, false)
