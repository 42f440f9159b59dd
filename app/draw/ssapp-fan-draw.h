/* app/draw/ssapp-fan-draw.h: the branches of a fan over a motion: bodies and paths, the share as opacity. Pure
 * functions of data. */
#pragma once

#include "app/draw/ssapp-draw.h"

G_BEGIN_DECLS

/* One branch; all of a fan have the channels that the view was made for. */
typedef struct {
  const SsTrajectory *motion; /* borrowed */
  double from;                /* where it leaves its parent, by the clock of the motion [s] */
  double share;
  int branch; /* its number in the fan */
} SsappFanMotion;

/* Opacity of a share, as a part of the largest one, above 0: never so faint that it is not seen. */
double ssapp_share_opacity (double part);
/* The largest share of `motions` and of the answer; 1 where there are none. */
double ssapp_fan_largest_share (const SsappFanMotion *motions, int n, double answer);
/* The bodies of every branch at time t, and the paths of their centres since it left its parent; nothing of a branch
 * before it does. `largest`: share that is drawn fully. */
void ssapp_draw_fan (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, SsView *view,
                     const SsappFanMotion *motions, int n, double largest, double t);

G_END_DECLS
