/* engine/dynamics/ss-hand.h: what a scene's own actuators must do to pull a body as a hand would.
 *
 * A hand's force F at a point of a body is the generalised force w. Of all controls u, with the forces J' lambda of
 * the joints free, those are taken whose accelerations are nearest to the hand's: the least of
 * |W^(1/2) (B u + J' lambda - w)|, W the inverse masses, B what a control of one does to the coordinates. Where the
 * body is fully driven (two forces on a disc, a motor in each joint of an arm) that is the hand's own motion. Then each
 * control is cut to its bounds, so that what moves is a motion that the actuators can make.
 *
 * Threads: one at a time per object. Tests: tests/numeric/test-hand.c
 */
#pragma once

#include "dynamics/ss-dynamics.h"

typedef struct SsHand SsHand;

SS_NODISCARD SsStatus ss_hand_new (const SsScene *scene, SsHand **out, SsError *err); /* scene borrowed */
void ss_hand_free (SsHand *hand);                                                     /* NULL is allowed */

/* Adds to u (n_actuators [N] or [N m]: what they do anyway) what pulls the body at the point (frame of the body [m])
 * with that force (world [N]) in the state q, v (3 n_bodies each), within the bounds. False, and u is left alone, where
 * actuators can do less than a twentieth of it: the body is not driven by them. */
bool ss_hand_pull (SsHand *hand, double t, const double *q, const double *v, int body, SsVec2 point, SsVec2 force,
                   double *u);
