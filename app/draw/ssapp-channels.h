/* app/draw/ssapp-channels.h: which channels runs have, for a chooser with groups and a search; one channel over time as
 * a curve: its value at a time, the difference of two runs, its part that is seen. Pure functions of data.
 *
 * Beside the stored channels there is SSAPP_CHANNEL_TOTAL_ENERGY, the sum of kinetic and potential energy, where a
 * motion has both.
 * Tests: tests/unit/test-channels.c */
#pragma once

#include <glib.h>

#include "core/ss-trajectory.h"
#include "run/ss-method.h"

G_BEGIN_DECLS

#define SSAPP_CHANNEL_TOTAL_ENERGY "energy.total"

/* Bands around the curves of a run (ssapp-band.h); all borrowed. */
typedef struct {
  const char *of; /* the number of the scene; NULL: none */
  const SsTrajectory *slopes;
  double change; /* of the number, in its unit */
} SsappBand;

/* A run as channels see it; all borrowed. */
typedef struct {
  const char *label;
  SsMethodId method;
  const SsTrajectory *motion; /* NULL: it has none yet */
  SsappBand band;
  gboolean is_before; /* what there was before an edit: pale and dashed */
} SsappChannelRun;

typedef struct {
  char *name;  /* "box.vx" */
  char *label; /* "Velocity x", unique in its group */
  char *unit;  /* "m/s"; "" for none */
  char *group; /* "Body box", "Contact floor-box", "Joint hinge", "Actuator push", "Energy", "Momentum", "Residual" */
} SsappChannel;

/* All channels of the runs but the clock that tells them, groups in the order of the first run that has them; of
 * SsappChannel, owned. */
GPtrArray *ssapp_channels_list (const SsappChannelRun *runs, int n_runs);
/* NULL: there is none of that name. */
const SsappChannel *ssapp_channels_find (GPtrArray *channels, const char *name);
/* Whether every word of the search is in name, label, unit or group, large letters as small ones; "" is in all. */
gboolean ssapp_channel_matches (const SsappChannel *channel, const char *search);
/* "Velocity x" and "box, m/s": what a plot of it says of what it is; g_free. */
char *ssapp_channel_of (const SsappChannel *channel);

/* A channel over time. Times do not descend; two of one time are a jump. */
typedef struct {
  int n;
  double *t, *y; /* owned, n each */
} SsappCurve;

/* Of a channel by its name. With fewer rows than n_least the points between them are those of the playback
 * (ssapp_refine_motion). FALSE and an empty curve where the motion (NULL too) has no such channel. */
gboolean ssapp_curve_init (SsappCurve *curve, const SsTrajectory *motion, const char *channel, int n_least);
/* Its points at rows of stages (core/ss-stage-rows.h); none where the motion (NULL too) has none. */
void ssapp_curve_init_stages (SsappCurve *curve, const SsTrajectory *motion, const char *channel);
void ssapp_curve_clear (SsappCurve *curve);
/* Linear between the points; of a jump the value before or after it; NaN outside of them. */
double ssapp_curve_at (const SsappCurve *curve, double t, gboolean before);
/* b - a over the times that both have, at the times of either: exact for the straight pieces that curves are. At a jump
 * of either there are two points. Empty where they have no time in common; ssapp_curve_clear. */
void ssapp_curve_difference (const SsappCurve *a, const SsappCurve *b, SsappCurve *out);
/* What of it is between t0 and t1, with a point beyond either end, at most four points for each of n_columns equal
 * parts: the first, the least, the largest and the last value in it, which a picture of that many columns cannot tell
 * from all. A value that is not finite stays as a gap. ssapp_curve_clear. */
void ssapp_curve_reduce (const SsappCurve *curve, double t0, double t1, int n_columns, SsappCurve *out);

G_END_DECLS
