/* engine/plan/ss-plan-rank.h: which of several plans is the answer, for starts, members of a race, contacts added as
 * needed, halved steps and polishes alike. Private to the room `plan`.
 *
 * By our own judge, not by what a method says of itself: what obeys its rows before what does not; of these what could
 * happen before what could not; then by what the plan's controls do in a replay; of equals the cheapest.
 *
 * Tests: tests/numeric/test-race.c
 */
#pragma once

#include "solve/ss-run-result.h"
#include "plan/ss-try-controls.h"

/* From worst to best. */
typedef enum {
  SS_PLAN_NONE,         /* no motion                                                                        */
  SS_PLAN_MISSES,       /* a motion that does not obey its rows: less violation goes first                  */
  SS_PLAN_NOT_POSSIBLE, /* it obeys them, and could not happen                                              */
  SS_PLAN_IN_VAIN,      /* its replay does not come to its end; in halved steps it ends no nearer           */
  SS_PLAN_PARTS,        /* the replay ends elsewhere, leaves the path, or is not known                      */
  SS_PLAN_NEARER,       /* halved steps whose replay ends much nearer than before                           */
  SS_PLAN_HOLDS,        /* the replay ends where the plan does, or came to its end and kept the path        */
} SsPlanGrade;

typedef struct {
  SsPlanGrade grade;
  double violation; /* of MISSES */
  double cost;      /* the replay's where that has one, else the plan's */
} SsPlanRank;

/* Of an optimiser's result, judged or, where its outcome is not SOLVED or NOT_REPLAYABLE, by its violation alone; by
 * the replay that its metrics tell of, where there is one. */
SsPlanRank ss_plan_rank (const SsRunResult *result);
/* Of a solution that violates its rows by that much, by the replay of its controls, which ends `away` [m] from it; NaN:
 * not known. */
SsPlanRank ss_plan_rank_of_controls (double violation, const SsTriedControls *replay, double away);
/* Whether `a` is the answer rather than `b`; of two that are equal neither is. */
bool ss_plan_goes_before (const SsPlanRank *a, const SsPlanRank *b);
