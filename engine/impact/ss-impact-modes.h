/* engine/impact/ss-impact-modes.h: all solutions of a step, by its contact modes.
 *
 * Each contact is in one of 7 modes: no impulse; impulse below its cap or at it, with stick, slide + or slide -. The
 * simultaneous problem has 4: no impulse, stick, slide +, slide -. The tree of modes is walked contact by contact: a
 * mode pivots the contact's rows of J v' = u + D impulse, so that all conditions decided so far are affine in the
 * impulses of the contacts that are still open. Those lie within their caps, which bounds each condition: a branch of
 * which one cannot hold is dropped.
 * Modes whose equations are singular are passed over: the impulses that give one v' form a polytope (dependent rows),
 * which has a corner, and a corner is the solution of another mode, regular, whose conditions hold with equality. So
 * stick is decided on velocities, never on impulses, which are not unique there.
 * Source: 002 sec. 5.1; the notes' section 2. Threads: one object per thread. Tests: tests/numeric/test-impact.c.
 */
#pragma once

#include "impact/ss-impact.h"

/* Beyond so many contacts enumeration is refused: 7^6 modes are 117649, 7^7 are 823543. */
enum { SS_IMPACT_ENUMERATE_MAX = 6, SS_IMPACT_SOLUTIONS_MAX = 64 };

typedef struct {
  double *v; /* n: v' */
  double impulse[2 * SS_IMPACT_CONTACTS_MAX];
} SsImpactSolution;

typedef struct SsImpactModes SsImpactModes;

/* Borrows the configuration. SS_ERR_ARG beyond SS_IMPACT_ENUMERATE_MAX contacts, with the number of modes in the
 * message; SS_ERR_MEMORY. Freeing NULL is allowed. */
SS_NODISCARD SsStatus ss_impact_modes_new (const SsImpact *impact, SsImpactModes **out, SsError *err);
void ss_impact_modes_free (SsImpactModes *modes);
/* All v' of a step from v that differ by more than 1e-7 in some coordinate, in the order of the tree; cap NULL: of the
 * simultaneous problem. Returns their number; *solutions is borrowed until the next call. No allocation. Beyond
 * SS_IMPACT_SOLUTIONS_MAX they are left out. */
int ss_impact_modes_solve (SsImpactModes *modes, const double *v, const double *cap,
                           const SsImpactSolution **solutions);
