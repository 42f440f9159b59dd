/* engine/plan/ss-plan-rank.h: which of several plans is the answer, for starts, members of a race, contacts added as
 * needed, halved steps and polishes alike. Private to the room `plan`.
 *
 * By our own judge, not by what a method says of itself: what obeys its rows before what does not; of these what could
 * happen before what could not; then by what the plan's controls do in a replay; of equals the cheapest.
 *
 * Of the answers of a race (ss_plan_choose) none that costs more than SS_PLAN_DEAR times the cheapest that could happen
 * is the run's, however well it holds: cost is what the task asks for, steadiness what nobody weighed. Where its replay
 * does not even reach the goals, SS_PLAN_NEARLY times is the most. Up to there what holds goes first, then what ends
 * nearer, in steps of SS_PLAN_STEADIER, then the cheapest. What a steadier one would cost the message says
 * (core/ss-members.h), and the run has it as a solution.
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
  SS_PLAN_HOLDS,        /* the replay ends where the plan does, or came to its end and kept the path        */
} SsPlanGrade;

typedef struct {
  SsPlanGrade grade;
  double violation; /* of MISSES */
  double cost;      /* the replay's where that has one, else the plan's */
  int loose;        /* of PARTS: ss_plan_loose of its replay; 0: not told apart by that */
} SsPlanRank;

/* Of the cheapest: what costs more is no answer in its place, where its replay reaches the goals, and where not. Costs
 * that differ by less than SS_RUN_FEASIBLE, to which rows are obeyed, are the same. */
#define SS_PLAN_DEAR   2.0
#define SS_PLAN_NEARLY 1.1
/* Replays of plans are told apart by where they end in steps of this factor, from SS_REFINE_NEAR on. */
#define SS_PLAN_STEADIER 4.0

/* Of an optimiser's result, judged or, where its outcome is not SOLVED or NOT_REPLAYABLE, by its violation alone; by
 * the replay that its metrics tell of, where there is one. */
SsPlanRank ss_plan_rank (const SsRunResult *result);
/* Likewise of one that could happen by how far from its goals its replay at a tenth of the step ends [m]. */
SsPlanRank ss_plan_rank_replayed (const SsRunResult *result, double tenth);
/* Of a solution that violates its rows by that much, by the replay of its controls, which ends `away` [m] from it; NaN:
 * not known. */
SsPlanRank ss_plan_rank_of_controls (double violation, const SsTriedControls *replay, double away);
/* Notes what came of an attempt whose result is judged. */
SS_NODISCARD SsStatus ss_plan_note_try (const SsRunResult *result, SsTryKind kind, const char *by, SsTries *tries,
                                        SsError *err);
/* Whether `a` is the answer rather than `b`; of two that are equal neither is. */
bool ss_plan_goes_before (const SsPlanRank *a, const SsPlanRank *b);
/* How loosely a plan holds whose replay ends that far from it [m]: 0 up to SS_REFINE_NEAR, then one more for each
 * SS_PLAN_STEADIER; INT_MAX where that is not finite. */
int ss_plan_loose (double away);
/* Number of the answer among n, see above; -1: none has a motion. */
int ss_plan_choose (const SsPlanRank *ranks, int n);
