/* app/draw/ssapp-frozen.h: what a motion with two clocks shows of them: spans in which the physical time stands still,
 * the regions of the plane c1-c2 of a contact [001 (14)], the mode at an instant. Pure functions of the rows of
 * a run of `time-freezing`; spans also of other second clocks. */
#pragma once

#include "app/draw/ssapp-plot.h"
#include "scene/ss-scenario.h"

G_BEGIN_DECLS

/* Where the motion, told by its second clock, goes on while its time stands: of SsappPlotSpan, by that clock,
 * ascending; none of a motion told by the time, or NULL. g_array_unref. */
GArray *ssapp_frozen_spans (const SsTrajectory *trajectory);
/* Appends those of another motion. */
void ssapp_frozen_spans_add (GArray *spans, const SsTrajectory *trajectory);
/* Whether time stands at that reading of the second clock and just after it. */
gboolean ssapp_frozen_is_at (const SsTrajectory *trajectory, double reading);

/* A phase plane of gap and gap speed of one contact. */
typedef struct {
  int n; /* 0: the channels are no such pair */
  SsappPlotRegion regions[3];
  double x_also[2], y_also[2]; /* so that each region is seen */
} SsappFrozenPlane;
/* Of channels x and y (the gap and its speed, either way round) of the trajectory; the scene may be NULL. Contacts with
 * restitution have one switching function: c1 alone. Labels are static text. */
void ssapp_frozen_plane (SsappFrozenPlane *plane, const SsScene *scene, const SsTrajectory *trajectory, int x, int y);

/* Mode, speed of time and multipliers of a contact at a reading of the clock that tells the trajectory, in one line:
 * "Jump: dt/dτ 0, θ 0 1 0, α 0 0 1". `channel`: any channel of the contact. NULL where the run has no multipliers;
 * g_free. */
char *ssapp_frozen_describe (const SsScene *scene, const SsTrajectory *trajectory, int channel, double reading,
                             gboolean is_before);

G_END_DECLS
