/* engine/impact/ss-impact-mode.c: names of modes. */
#include "impact/ss-impact-mode.h"

#include <math.h>

const char *
ss_impact_mode_name (SsImpactMode mode)
{
  static const char *const names[SS_IMPACT_MODES] = {"lift", "stick", "slide+", "slide-"};

  SS_ASSERT ((int)mode >= 0 && mode < SS_IMPACT_MODES);
  return names[mode];
}

SsImpactMode
ss_impact_mode (double vn, double vt, double tolerance)
{
  if (vn > tolerance)
    return SS_IMPACT_LIFT;
  return fabs (vt) <= tolerance ? SS_IMPACT_STICK : vt > 0 ? SS_IMPACT_SLIDE_UP : SS_IMPACT_SLIDE_DOWN;
}
