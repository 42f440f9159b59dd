/* engine/impact/ss-impact-summary.h: what a set of samples looks like: joint contact modes, hulls in a plane.
 * Tests: tests/numeric/test-impact.c. */
#pragma once

#include "impact/ss-impact-law.h"

typedef struct {
  SsImpactMode mode[SS_IMPACT_CONTACTS_MAX];
  int count; /* of the finished samples */
  double fraction;
} SsImpactModeShare;

/* Joint modes of the finished samples, the most frequent first; *shares is ss_free'd by the caller. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_impact_set_modes (const SsImpact *impact, const SsImpactSet *set, double tolerance,
                                           SsImpactModeShare **shares, int *n_shares, SsError *err);
/* Convex hull of n points, which are sorted and repeated ones dropped; corners counter-clockwise into hull[n + 1],
 * their number is returned: one or two where the points are one or on a line. */
int ss_impact_hull (SsVec2 *points, int n, SsVec2 *hull);
