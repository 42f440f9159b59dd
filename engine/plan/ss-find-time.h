/* engine/plan/ss-find-time.h: a horizon and steps for a task that leaves them open.
 *
 * Horizons of 1/2 s, 1 s, 2 s, ... are tried until simulated motions come near the targets within one (in stages of
 * contact where there are hands, plan/ss-stages.h, then sampled, plan/ss-sampled-motion.h). When that motion has come
 * to rest is the time, a tenth added, rounded up to two digits; with it they have to come near again. Not the shortest
 * time: one in which the task is done by what simulation finds.
 *
 * Threads  any. Tests: tests/numeric/test-contact-stages.c
 */
#pragma once

#include "core/ss-run-control.h"
#include "scene/ss-scenario.h"

typedef struct {
  bool is_found; /* else the others are not set */
  double t_end;  /* [s] */
  int steps;
} SsFoundTime;

/* The longest horizon that is tried [s]. */
#define SS_FIND_TIME_LONGEST 32.0

/* Whether there is a time to be found. SS_ERR_INVALID says why not: no goal, the time is free already, or steps have to
 * end at breaks. */
SS_NODISCARD SsStatus ss_find_time_can (const SsScenario *scenario, SsError *err);
/* The scenario's own horizon and steps mean nothing here; the same for the same seed. SS_ERR_INVALID: as above. */
SS_NODISCARD SsStatus ss_find_time (const SsScenario *scenario, uint64_t seed, SsRunControl *control, SsFoundTime *out,
                                    SsError *err);
