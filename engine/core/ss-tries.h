/* engine/core/ss-tries.h: what came of each attempt at a plan, so that a user sees how sure the best one is: many that
 * end at one cost say more than one alone.
 *
 * A try is an attempt of which a whole motion was judged, or which ended without one:
 *   member  a member of a race, from its start to its end; of the same member its first plan by a solver is one more
 *   motion  a sampled motion that was shot at the targets and judged; of `fine` once for each length of its steps
 *   start   a start of a plan by fesd-j or time-freezing; of one that led to several solutions each of these
 * Simulations of a search that nobody judged are none.
 *
 * Threads: one at a time per object. Tests: tests/unit/test-tries.c
 */
#pragma once

#include "core/ss-status.h"

#include <stddef.h>

/* Identifier, name in files, words for one and for several. */
#define SS_TRY_KIND_LIST(X)                                                                                            \
  X (MEMBER, "member", "member", "members")                                                                            \
  X (MOTION, "motion", "sampled motion", "sampled motions")                                                            \
  X (START, "start", "start", "starts")
/* Identifier, name in files. */
#define SS_TRY_END_LIST(X)                                                                                             \
  X (HONEST, "honest")             /* a plan that the judge accepts */                                                 \
  X (NOT_POSSIBLE, "not_possible") /* it obeys its rows, and could not happen */                                       \
  X (NO_PLAN, "no_plan")           /* none, or none in its time */

typedef enum {
#define X(id, name, one, several) SS_TRY_##id,
  SS_TRY_KIND_LIST (X)
#undef X
      SS_TRY_KINDS
} SsTryKind;

typedef enum {
#define X(id, name) SS_TRY_##id,
  SS_TRY_END_LIST (X)
#undef X
      SS_TRY_ENDS
} SsTryEnd;

typedef struct {
  SsTryKind kind;
  SsTryEnd end; /* HONEST, NOT_POSSIBLE */
  double cost;
  char by[48]; /* who made it, in words */
} SsTry;

/* Zeroed: no try yet. */
typedef struct {
  int counts[SS_TRY_KINDS][SS_TRY_ENDS]; /* of all */
  int n, capacity;
  SsTry *items; /* owned: those with a cost, the first SS_TRIES_LISTED of them */
} SsTries;

enum { SS_TRIES_LISTED = 4096 };

/* By their places; static. */
const char *ss_try_kind_name (SsTryKind kind);
const char *ss_try_kind_words (SsTryKind kind, bool several);
const char *ss_try_end_name (SsTryEnd end);

/* SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_tries_add (SsTries *tries, SsTryKind kind, SsTryEnd end, double cost, const char *by,
                                    SsError *err);
/* Adds all of `from`, which has none then, also after an error. */
SS_NODISCARD SsStatus ss_tries_take (SsTries *tries, SsTries *from, SsError *err);
void ss_tries_clear (SsTries *tries);
/* All with that end; SS_TRY_ENDS: all. */
int ss_tries_count (const SsTries *tries, SsTryEnd end);
/* Cost of the cheapest honest one; NaN: there is none. *near (may be NULL): honest ones within SS_TRIES_NEAR of it, and
 * it. */
double ss_tries_best (const SsTries *tries, int *near);
#define SS_TRIES_NEAR 0.01
/* "43 tries (10 members, 33 sampled motions) found none cheaper than 0.118: 12 are honest, 4 of them within 1 % of it;
 * 3 could not happen, 28 led to no plan"; "" without any. */
void ss_tries_describe (const SsTries *tries, char *text, size_t size);
