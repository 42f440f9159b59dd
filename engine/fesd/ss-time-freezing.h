/* engine/fesd/ss-time-freezing.h: the integrator time-freezing: the time-freezing system of a scene (paper 001) by
 * finite elements with switch detection, Radau IIA in numerical time.
 *
 * Marched   like fesd-j, with the elements, the watch and the modes of that method: fesd/ss-fesd-march.h. The law, the
 *           frozen spans and what is refused: fesd/ss-freeze.h.
 * Steps     of the run are steps of physical time, as its controls and breaks are; elements are elements of numerical
 *           time between such times and switches. A frozen span adds rows with one t and rising tau.
 * Channels  tau, speed (dt/dtau), theta.free, alpha.<contact>.n .v .t, and c2 and c3 of the point that these are of:
 *           <contact>.gap_rate, <contact>.slip (c1 is <contact>.gap); residual also counts the speeds of time, the
 *           multipliers and their products with c2 and c3.
 * Recovery  the motion in t is that of the rows without the frozen ones (simulate/ss-recover.h); forces of lasting
 *           contact are those of the original system.
 * Tests     tests/numeric/test-freeze.c
 */
#pragma once

#include "simulate/ss-simulate.h"

/* Its options: stages, elements, max-events, a-n, k, tau-end. */
extern const SsIntegratorClass ss_integrator_time_freezing;
