/* engine/dynamics/ss-compliance.h: forces of contacts by formula (SsCompliance of scene/ss-scenario.h), with the
 * symbolic derivatives that implicit laws take.
 *
 *     F (phi, w) = K (d, w) d - B (d, w) w,   d = max (0, -phi),   w = d phi/dt
 *
 * F may be negative; a contact pushes with max (0, F). Where K or B is no formula, it is the number of the caller.
 * Threads: one call at a time (tapes have one memory for work). Tests: tests/numeric/test-compliance.c
 */
#pragma once

#include "scene/ss-scenario.h"

typedef struct SsCompliances SsCompliances;

/* *out is NULL where no contact of the scene (borrowed) has formulas. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_compliances_new (const SsScene *scene, SsCompliances **out, SsError *err);
bool ss_compliances_has (const SsCompliances *compliances, int contact);
void ss_compliances_free (SsCompliances *compliances); /* NULL is allowed */

typedef struct {
  double stiffness, damping; /* K, B there [N/m], [N s/m] */
  double force;              /* F [N] */
  double of_depth, of_rate;  /* dF/dd [N/m], -dF/dw [N s/m]; where d is 0, K and B */
  double slip_damping;       /* [N s/m]; NAN: no formula */
} SsComplianceForce;

/* Of a contact that has formulas. SS_ERR_INVALID, naming contact, depth and rate, where a value is not finite. */
SS_NODISCARD SsStatus ss_compliances_find (const SsCompliances *compliances, int contact, double phi, double rate,
                                           double stiffness, double damping, SsComplianceForce *out, SsError *err);
