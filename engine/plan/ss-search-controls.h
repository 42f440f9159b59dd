/* engine/plan/ss-search-controls.h: cheaper controls of a plan by trying: a pattern search on exact motions.
 *
 * What a touch that does not happen would bring has no derivative, and a mode sequence without it is a local solution
 * of its own: only motions that touch tell. A motion takes about a millisecond, so many can be tried.
 *
 * Pattern  a block of 1, 2 or 4 intervals, one actuator, up or down by a part of the room between its bounds; a block
 *          up and the next one down. A sweep tries all, and takes each that is worth it at once; after a sweep that
 *          gained little the part is halved, from 1/4 to 1/32.
 * Worth    the task's cost, and what leaving the way costs: 0.1 of its unit as much as the cost at the start.
 * Threads  one at a time. Tests: tests/numeric/test-polish.c
 */
#pragma once

#include "plan/ss-try-controls.h"

typedef struct {
  int n_tries;          /* motions                        */
  double before, after; /* worth; NaN: the start has none */
} SsSearched;

/* `plan`, `steps`, `controls` as in ss-try-controls.h; controls are set. At most `max_tries` motions. Bounds that are
 * not finite: the room is that of the largest control, at least 1. */
SS_NODISCARD SsStatus ss_search_controls (const SsScenario *scenario, const SsPlan *plan, int steps, int max_tries,
                                          SsRunControl *control, double *controls, SsSearched *out, SsError *err);
