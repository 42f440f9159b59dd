/* engine/impact/ss-impact-mode.h: how a contact leaves an impact.
 * Threads: plain functions. Tests: tests/numeric/test-impact.c. */
#pragma once

#include "core/ss-core.h"

/* Speeds below this are 0 where a contact's mode is named [m/s]. */
#define SS_IMPACT_MODE_TOLERANCE 1e-6

/* How a contact leaves: lift (vn above the tolerance), else stick, slide+, slide- by vt. */
typedef enum {
  SS_IMPACT_LIFT,
  SS_IMPACT_STICK,
  SS_IMPACT_SLIDE_UP,
  SS_IMPACT_SLIDE_DOWN,
  SS_IMPACT_MODES
} SsImpactMode;

/* "lift", "stick", "slide+", "slide-" */
const char *ss_impact_mode_name (SsImpactMode mode);
/* Of a contact with these speeds. */
SsImpactMode ss_impact_mode (double vn, double vt, double tolerance);
