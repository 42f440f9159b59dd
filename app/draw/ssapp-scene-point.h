/* app/draw/ssapp-scene-point.h: points and directions of bodies, in the world at the start of a scene. Tests:
 * tests/unit/test-place.c and tests/unit/test-document-motor.c, through what is placed and joined there. */
#pragma once

#include "scene/ss-scenario.h"

/* Of a point of a body [m]; a body below 0 is the world. */
SsVec2 ssapp_point_at_start (const SsScene *scene, int body, SsVec2 p);
/* A vector turned by an angle [rad], counter-clockwise. */
SsVec2 ssapp_turned (SsVec2 v, double angle);
