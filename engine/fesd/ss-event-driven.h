/* engine/fesd/ss-event-driven.h: the integrator event-driven: smooth arcs between impacts by a chosen
 * law of impacts.
 *
 * The stepper of fesd-j (fesd/ss-fesd-j.h: elements, events, modes, accumulation of impacts) with the law of impacts
 * exchanged for one of the room impact (fesd/ss-fesd-impacts.h says what each does with restitution and which points it
 * sees). Contact between the impacts obeys the same law as in fesd-j.
 * Residual   as in fesd-j, but a jump by another law than newton's is checked for momentum, signs, cone and approach
 *            alone, which hold for every law.
 * Outcomes   of one impact: a run follows one, the first of the law or the sample that its seed gives; with branches or
 *            law.all it is a fan of motions (simulate/ss-fan.h; fesd/ss-fesd-impacts.h, Forks). A live scene follows
 *            one.
 * Painleve   where no mode obeys the law of contact and something slips, set-valued goes on by an impact without a
 *            collision (fesd/ss-fesd-impacts.h); it is of one path, branches begin after its first step.
 * Clock      s with ds = (1 + sum lambda_n) dt, paper 002, section 4.3 (fesd/ss-fesd-clock.h).
 * Tests      tests/numeric/test-event-driven.c, test-without-collision.c
 */
#pragma once

#include "simulate/ss-simulate.h"

/* Its options: those of fesd-j, law, and law.NAME for the options of the law. */
extern const SsIntegratorClass ss_integrator_event_driven;
