/* engine/core/ss-core.h: everything the room `core` offers to the others. */
#pragma once

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
