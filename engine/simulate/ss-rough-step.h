/* engine/simulate/ss-rough-step.h: a step for those who try many motions: the law of stewart-trinkle with gap=end (gap
 * complementary to the impulse at the step's end, Coulomb friction, joints closed there, forces explicit), solved
 * roughly in a tenth of the time.
 *
 * The end is predicted with the impulses of the step before; contacts are linearised there, once more where the answer
 * is elsewhere by more than SS_ROUGH_SETTLED. Joints are eliminated (as in contact/ss-contact-group.c), points solved
 * by sweeps of nonsmooth Gauss-Seidel (M. Jean, J. J. Moreau, Contact Mechanics Int. Symp. (1992)) from the impulses of
 * the step before. No channels, no reports. What is found so is to be simulated in full before it is believed.
 * No cohesion, no restitution: stewart-trinkle with gap=end has none either.
 *
 * Threads: any, each its own. Tests: tests/numeric/test-rough-step.c
 */
#pragma once

#include "scene/ss-scenario.h"

/* A step whose bodies end this near to where its contacts were linearised needs no other look [m]. */
#define SS_ROUGH_SETTLED 1e-4

typedef struct SsRoughStep SsRoughStep;

/* `scene` is borrowed. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_rough_step_new (const SsScene *scene, SsRoughStep **out, SsError *err);
void ss_rough_step_free (SsRoughStep *step); /* NULL is allowed */
/* Forgets the impulses of the last step: another motion begins. */
void ss_rough_step_begin (SsRoughStep *step);
/* From t over h, under controls[n_actuators]; poses q and velocities v [3 n_bodies] become those of the end.
 * SS_ERR_MEMORY, SS_ERR_SINGULAR: joints that are not finite; q and v are then as they were. */
SS_NODISCARD SsStatus ss_rough_step (SsRoughStep *step, double t, double h, const double *controls, double *q,
                                     double *v, SsError *err);
