/* engine/plan/ss-sampled-aims.h: what a drive may go for in a sampled motion. Private to the room `plan`.
 *
 * Aims are first the bodies that the task speaks of, by their centres, of them the drive's own or the nearest at the
 * front; then all bodies that can move, where they are nearest: what lies between a hand and the goal may be a tool.
 *
 * Threads: any. Tests: tests/numeric/test-sampled-cost.c
 */
#pragma once

#include "plan/ss-drive.h"
#include "plan/ss-sampled-cost.h"

typedef struct {
  double toward;  /* the way to it, along the drive's coordinate */
  double asked;   /* of it by the task, along the coordinate */
  double scatter; /* of the way after the touch, where the task asks for none */
} SsSampledAim;

/* Of each drive. */
int ss_sampled_aims_count (const SsScene *scene, const SsSampledCost *cost);
/* reach: scale of free ways of the drive; q: poses at the start, 3 n_bodies. aims[ss_sampled_aims_count]. */
void ss_sampled_aims_find (const SsScene *scene, const SsSampledCost *cost, const SsDrive *drive, double reach,
                           const double *q, SsSampledAim *aims);
