/* app/draw/ssapp-draw-overlaid.h: the motions of several runs over each other in one picture, each run's bodies in the
 * colour of its method, with a legend. Tests: tests/unit/test-draw.c */
#pragma once

#include "app/draw/ssapp-draw.h"

G_BEGIN_DECLS

typedef struct {
  const char *label;
  SsMethodId method;
  SsView *view;               /* compiled for the motion */
  const SsTrajectory *motion; /* NULL: the run is left out */
  double time;
} SsappOverlaidRun;

/* How many are told apart by eye; others are not drawn. */
enum { SSAPP_OVERLAID_MOST = 8 };

/* Look of each run: that of its method (-1) where no two runs have the same one, else 0, 1, ... by their order. */
void ssapp_overlaid_looks (const SsappOverlaidRun *runs, int n, int *looks);
/* Backdrop as the flags ask, what stands still of the first run that has a motion, then the bodies of each, the first
 * run on top, and the legend. */
void ssapp_draw_overlaid (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsappOverlaidRun *runs,
                          int n, const SsappSceneFlags *flags);

G_END_DECLS
