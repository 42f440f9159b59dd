/* engine/core/ss-core.h: everything the room `core` offers to the others. */
#pragma once

#include <math.h>

#include "core/ss-contact-rows.h"
#include "core/ss-memory.h"
#include "core/ss-option.h"
#include "core/ss-random.h"
#include "core/ss-run-control.h"
#include "core/ss-status.h"
#include "core/ss-trajectory.h"

typedef struct {
  double x, y;
} SsVec2;

/* Turned counter-clockwise by that angle [rad]. */
static inline SsVec2
ss_vec2_turned (SsVec2 v, double angle)
{
  const double c = cos (angle), s = sin (angle);

  return (SsVec2){c * v.x - s * v.y, s * v.x + c * v.y};
}
