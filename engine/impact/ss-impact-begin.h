/* engine/impact/ss-impact-begin.h: how an impact without a collision begins.
 *
 * Nothing approaches, and yet no forces obey the law of contact: the normal force that keeps a sliding contact closed
 * would, through its friction, push it into the other body (P. Painleve 1895). Paper 002's process [002 (53)] then
 * begins at a normal speed of 0: impulses push a contact, whose friction makes it approach, until its slip has ended
 * and it can stick. A step of Algorithm 1 from such a speed has the answer v' = v, and others, in which something
 * pushes; here one of those is found, from which the law goes on as from a collision. Momentum and Coulomb's
 * cone hold, and no step gives energy, as in every step [002 (76)].
 * Threads: no state. Tests: tests/numeric/test-without-collision.c.
 */
#pragma once

#include "impact/ss-impact.h"

/* Normal impulse whose friction ends the slip of a contact, the largest of them; 0 where nothing slips. */
double ss_impact_slip_impulse (const SsImpact *impact);
/* A step with these caps from the configuration's v in which a contact pushes: v[n] after it, impulse[2m]. `u` in
 * [0, 1) says which, where there are several. *found: there is one. SS_ERR_ARG beyond SS_IMPACT_ENUMERATE_MAX contacts,
 * SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_impact_begin (const SsImpact *impact, const double *cap, double u, double *v, double *impulse,
                                       bool *found, SsError *err);
