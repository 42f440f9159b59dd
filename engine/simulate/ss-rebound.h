/* engine/simulate/ss-rebound.h: what contacts, ropes and other limits gave back in a motion by a law of springs and
 * dampers, of which the scene says that they give back nothing.
 *
 * A contact without restitution whose bodies meet and part again, by a method that has no restitution and whose damper
 * the scene did not choose, is a motion that the scene did not ask for. Looked at from outside, by gaps and impulses of
 * the steps alone: the rate of the gap in the last step without an impulse before, and in the first one after. Only
 * what is in touch for about half a period of its spring counts, pi d/v at a depth d and a speed v: what rests and is
 * lifted later has not bounced. Limits tell no impulse of a step: the rate of their coordinate at its ends is looked
 * at, and one that turns within a step, where it would have passed the limit and nothing turned it before, was turned
 * by the limit. Tests: tests/numeric/test-nonsense.c
 */
#pragma once

#include "simulate/ss-simulate.h"

typedef struct SsRebound SsRebound;

typedef enum { SS_REBOUND_CONTACT, SS_REBOUND_LIMIT, SS_REBOUND_N_KINDS } SsReboundKind;

/* The largest speed at which bodies came apart so. */
typedef struct {
  int subject;        /* contact or joint of the scene; -1: none                                       */
  double t;           /* when they met [s]                                                             */
  double met, parted; /* rates of the gap, both positive [m/s]; of the limit of an angle [rad/s]       */
} SsRebounded;

/* *out is NULL where nothing is to be looked at. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_rebound_new (const SsScene *scene, const SsIntegratorClass *integrator, const void *options,
                                      SsRebound **out, SsError *err);
void ss_rebound_free (SsRebound *rebound); /* NULL is allowed */
/* The state at the end of a step, or at the start. NULL is allowed. */
void ss_rebound_step (SsRebound *rebound, const SsSimState *state);
SsRebounded ss_rebound_largest (const SsRebound *rebound, SsReboundKind kind); /* NULL: none */
