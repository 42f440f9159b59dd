/* engine/plan/ss-stages-hand.h: hands: bodies that forces of the plan's controls move about, and how they are held on a
 * way. Private to the room `plan`.
 *
 * The force that a hand asks for is shared among its actuators within their limits (Gauss-Seidel on the least squares).
 *
 * Threads  any. Tests: tests/numeric/test-contact-stages.c
 */
#pragma once

#include "scene/ss-scenario.h"

enum { SS_HANDS = 4, SS_HAND_ACTUATORS = 4 };

typedef struct {
  int body;
  int n, actuators[SS_HAND_ACTUATORS]; /* forces on it */
  int torque;                          /* an actuator that turns it, -1: none */
  bool is_plane;                       /* it can go anywhere, not only along `line` */
  SsVec2 line;                         /* unit */
  double mass, radius, force;          /* [kg], [m]; force that it has in any of its directions, at least [N] */
} SsStagesHand;

/* The hands of the scene, at most SS_HANDS; returns their number. */
int ss_hands_find (const SsScene *scene, SsStagesHand hands[SS_HANDS]);
/* Sets its controls so that they give the force, and the torque, as nearly as their limits let them. angle: of the
 * body. */
void ss_hand_drive (const SsScene *scene, const SsStagesHand *hand, double angle, SsVec2 force, double torque,
                    double *u);
