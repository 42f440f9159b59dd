/* engine/plan/ss-estimate.h: friction and masses of the world, from how its motion differs from what the scene says.
 *
 * Numbers    p: the logarithms of what multiplies the friction of each contact and the mass (with the inertia) of each
 *            body, 0 at first. Of contacts, where there are more than SS_ESTIMATE_CONTACTS, one number for all.
 * Law        an extended Kalman filter on the velocities after each step: e = v - v(p), where v(p) is a step of
 *            moreau-jean from the state before it under the controls that acted; its derivatives are one-sided
 *            differences. Steppers are made anew with the estimate at ss_estimate_renew alone; until then v(p) is
 *            linear about it. A step in which other contacts bear than in the one before it says nothing: impacts
 *            come a step early or late.
 * Prior      a mass is known to 15 %; of friction what is common to all contacts to 15 %, and each one's own part to
 *            5 %.
 * Noise      of a velocity: a twentieth of what it changes by, what a step of stewart-trinkle with gap=end differs by,
 *            since nobody knows the world's law of a step, and 0.1 mm/s. What is beyond three deviations says nothing.
 *
 * Threads    one at a time per object. Tests: tests/unit/test-predict.c
 */
#pragma once

#include "scene/ss-scenario.h"

enum { SS_ESTIMATE_CONTACTS = 16 };

typedef struct SsEstimate SsEstimate;

/* believed is borrowed as long as the object lives. SS_ERR_MEMORY, and what a stepper refuses. */
SS_NODISCARD SsStatus ss_estimate_new (const SsScene *believed, SsEstimate **out, SsError *err);
void ss_estimate_free (SsEstimate *estimate); /* NULL is allowed */

/* The state at the beginning of a step, 3 n_bodies each, and the controls that act on it: the step before ends here. */
void ss_estimate_see (SsEstimate *estimate, double t, const double *q, const double *v, const double *controls);
/* The scene has the present estimate from now on; *changed: that is not what it had. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_estimate_renew (SsEstimate *estimate, bool *changed, SsError *err);
/* The believed scene with the estimate of the last ss_estimate_renew; borrowed. */
const SsScene *ss_estimate_scene (const SsEstimate *estimate);
/* Of the scene so far: by what a contact's friction, or a body's mass, is multiplied; *deviation (may be NULL): of its
 * logarithm. */
double ss_estimate_friction (const SsEstimate *estimate, int contact, double *deviation);
double ss_estimate_mass (const SsEstimate *estimate, int body, double *deviation);
