/* engine/fesd/ss-fesd-sensitivity.h: derivatives of a march's motion by numbers of its scene, through its events.
 *
 * With the sequence of modes and switches given, the end of an element is a smooth function of its start, its scene
 * and, unless a switch ends it, its length (paper 000, section 3.4: the equations with switch and jump detection have
 * the right sensitivities). So is the end of a jump. The derivative d (q, v, t) / dp at the ends of elements therefore
 * goes on from element to element by the chain rule:
 *
 *     d (q, v, t)_end / dp = (E_p+ (start + s d) - E_p- (start - s d)) / (2 s)
 *
 * with E the element or the jump beside (fesd/ss-fesd-beside.h) and d the derivative at its start. A switch moves the
 * grid, dt/dp != 0, so that saltation matrices need no place of their own: the jump is made at the time to which the
 * impact moves. Elements without a switch share what their step has left, so that dt/dp = 0 where it ends.
 *
 * Step     s is that of the input, 1e-5 or so of its number: with central differences the error is 1e-10 of the
 *          derivative and 1e-11 of rounding an element. Where s d would be a start too far away, the derivative is the
 *          sum of that by the scene with the start held and that by the start in the present scene.
 * Start    velocities that do not fit the joints are put onto them before the first element, which depends on masses,
 *          places and joints: it goes by the same differences.
 * Breaks   an element that has no end beside (its impact or release is missed there), a jump whose second difference is
 *          not small against its first, or one over other points.
 */
#pragma once

#include "fesd/ss-fesd-beside.h"
#include "fesd/ss-fesd-march.h"
#include "simulate/ss-sensitivity.h"

typedef struct SsFesdSensitivity SsFesdSensitivity;

/* march, law's freeze and inputs are borrowed, the rest of the law is copied. From now on the march keeps what its
 * steps take. Errors: SsSensitivityClass.follow. */
SS_NODISCARD SsStatus ss_fesd_sensitivity_new (SsFesdMarch *march, const SsFesdBesideLaw *law,
                                               const SsSensitivityInput *inputs, int n, SsFesdSensitivity **out,
                                               SsError *err);
void ss_fesd_sensitivity_free (SsFesdSensitivity *sensitivity); /* NULL is allowed */
/* The march has taken that step. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_fesd_sensitivity_step (SsFesdSensitivity *sensitivity, const SsStep *step, double t_end,
                                                SsError *err);
const SsSensitivityState *ss_fesd_sensitivity_state (const SsFesdSensitivity *sensitivity);
