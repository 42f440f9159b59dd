/* engine/impact/ss-impact-cone.h: whether impacts must end: the pointed friction cone, and the bound that follows.
 *
 * The cone is pointed [002 (24)] where a direction r loses to every impulse of it: r . M^-1 J' lambda >=
 * |ln|_1 [002 (77)], that is r . M^-1 (Jn_i +- mu_i Jt_i)' >= 1 for all i. The shortest such r, or the proof that there
 * is none, is that of lcp/ss-least-distance.h. Then (Theorem 8) the number Z of steps of Algorithm 1 has
 * P (Z > c ceil |v|_M + k) <= exp (-k / (m + 1)^2), c = 4 ceil ((m + 1) |r|_2 / (h sqrt (sigma))), sigma the smallest
 * eigenvalue of M. Where M is not positive definite (fixed bodies, locks and joints of scenes) all this is of the
 * configuration without what does not answer (ss_impact_reduce): r and sigma depend on the coordinates, and the theorem
 * holds in any.
 * Tests: tests/numeric/test-impact.c.
 */
#pragma once

#include "impact/ss-impact.h"

typedef struct {
  bool is_pointed;
  double r;     /* |r|_2 of the shortest r; INFINITY: not pointed */
  double c;     /* of Theorem 8; INFINITY: not pointed; NaN: a belt moves, which has no mass */
  double speed; /* |v|_M of the configuration's v */
  int rank;     /* of D = J M^-1 J'; below 2m rows are dependent, and impulses not unique */
} SsImpactCone;

/* With the largest impulse h of a step [N s]. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_impact_cone (const SsImpact *impact, double h, SsImpactCone *cone, SsError *err);
/* Steps that a sample exceeds with a probability of at most `probability` by Theorem 8; INFINITY where it says
 * nothing. */
double ss_impact_cone_steps (const SsImpactCone *cone, int m, double probability);
