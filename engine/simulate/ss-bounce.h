/* engine/simulate/ss-bounce.h: restitution in a step that has the gap in its complementarity.
 *
 * A point bounces when the step without restitution gives it an impulse, its contact has e > 0, and the velocities v0
 * at the step's start bring it nearer, un0 = Gn v0 < 0, by more than what rests does. What touches already and rests
 * has no approach and stays; what another body's bounce sets in motion within the step is looked at in the next.
 *
 * Newton   0 <= pn _|_ Gn v1 + e un0 >= 0 in the place of 0 <= pn _|_ Gn v1 + phi/h >= 0; v1n = -e un0 whatever
 *          forces act, as in the step of Moreau and Jean.
 * Poisson  compression ends with Gn v = 0 there; then a second problem from these velocities has pn >= e pc, where pc
 *          stops v0 alone: forces of the step, which compression holds too, are not given back. (M. Anitescu,
 *          F. A. Potra, Nonlinear Dynamics 14 (1997), with the forces apart.) The relaxed law has
 *          this bound in its convex problem, |pt| <= mu pn, pn >= e pc.
 *
 * Points are chosen until none is new, so that an answer holds at all of them. Both agree without friction and at
 * single contacts; a step of either loses energy for e <= 1 where directions of slip do not turn (Newton's law may gain
 * some in an oblique hit that turns its slip, as T. R. Kane and D. A. Levinson showed (1985)).
 * Tests: tests/numeric/test-bounce.c
 */
#pragma once

#include "contact/ss-contact-problem.h"
#include "simulate/ss-stewart-trinkle.h"
#include "simulate/ss-stiff.h"

/* Approaches that are slower are those of what rests [m/s]. */
#define SS_BOUNCE_AT_REST 1e-6

/* Whether contacts of the scene bounce by that rule. */
bool ss_bounce_is_used (const SsScene *scene, SsRestitutionRule rule);
/* After a solution of the problem, whose points have the biases of their gaps: chooses, and where any point bounces
 * solves again from v_free into v; the points' impulses are then those of both phases. v0: velocities of the approach;
 * work: 3 n_bodies; stiff: the step's, or NULL. info: as of the solution before, added to. Errors as of
 * ss_contact_problem_solve. */
SS_NODISCARD SsStatus ss_bounce (SsContactProblem *problem, SsStiff *stiff, SsRestitutionRule rule, const double *v0,
                                 const double *v_free, double t, double *v, double *work, SsStepInfo *info,
                                 SsError *err);
