/* engine/plan/ss-elements-replay.h: the replay of a plan by fesd-j element by element, each from the plan's own state:
 * what a plan that falls faster than rounding allows can be asked for.
 *
 * Threads: one at a time. Tests: tests/numeric/test-polish.c
 */
#pragma once

#include "core/ss-run-control.h"
#include "fesd/ss-fesd-sequence.h"
#include "scene/ss-scenario.h"

/* How far the motion of each element, simulated from the plan's own state where it begins, is from the plan where it
 * ends. */
typedef struct {
  bool is_complete; /* all came to their ends */
  /* Of each element of the sequence, of who asks: the largest of coordinates and velocities, in their units; of
   * velocities not where they jump next, nor at the end of all. INFINITY: it did not come to its end */
  double *off;
  double largest;  /* of them                             */
  double distance; /* largest, of a centre of mass [m]    */
  double way;      /* largest violation of path and bounds */
} SsElementsReplay;

/* `out->off` is given, the rest is set. */
SS_NODISCARD SsStatus ss_elements_replay (const SsScenario *scenario, const SsFesdSequence *sequence,
                                          SsRunControl *control, SsElementsReplay *out, SsError *err);
