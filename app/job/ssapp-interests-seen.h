/* app/job/ssapp-interests-seen.h: quantities of interest of a simulation that keeps few of its rows (`every`): they are
 * asked of all rows while it is made. Threads: that of the simulation, then any one. Tests: tests/cli/test-interests.sh
 */
#pragma once

#include "app/job/ssapp-interests.h"
#include "simulate/ss-simulate.h"

G_BEGIN_DECLS

typedef struct SsappInterestsSeen SsappInterestsSeen;

/* Of those that ssapp_interests_new_of gives, in its order. */
SsappInterestsSeen *ssapp_interests_seen_new (const GPtrArray *texts, const SsScenario *scenario);
void ssapp_interests_seen_free (SsappInterestsSeen *self); /* NULL is allowed */
/* For the job; borrowed. */
const SsSimWatch *ssapp_interests_seen_watch (SsappInterestsSeen *self);
/* What the rows told of each, NULL: nothing; NULL where no rows were seen (`self` may be NULL). Borrowed. */
const SsInterestSum *const *ssapp_interests_seen_sums (const SsappInterestsSeen *self);

G_END_DECLS
