/* engine/plan/ss-plan-starts.h: what becomes of an optimiser's answer to a plan by fesd-j: its polish, and polished
 * plans from other starts. Private to the room `plan`.
 *
 * Options of the transcription fesd-j: `polish`; `starts`: K, of which 2 and more polish too. Starts, in this order:
 *   1  the method's own answer;
 *   2  a plan by CRISP in the time-stepping transcription, a quarter of an interval a step, whose controls, averaged
 *      over the intervals, act in a simulation by fesd-j: its mode sequence is the start;
 *   3- the method again with another first sigma and factor (methods that have these).
 * An answer whose modes lead to no plan, or whose products are above .1, is followed by a simulation
 * (ss-follow-plan.h), whose controls are searched from (ss-search-controls.h) unless a target is hard; the sequence of
 * that motion is the start.
 * Each sequence is solved on coarse elements, changed as long as that is cheaper there (ss-sequence-changes.h: switches
 * an interval earlier or later, a touch less, a touch more), and the best of these is polished.
 * Of a plan by time-freezing start 2 is the method with the other cost, and the others come one later and end at sigma
 * .1: they are to tell modes only; an answer in
 * numerical time starts from the motion that its controls give in time by fesd-j, so that the polish has its switches
 * and jumps as equations, c_1 = 0 and c_2 = 0 at both ends of a jump among them (problem text, sec. 8.4). After each
 * start neighbours that stick elsewhere (plan/ss-stick-moves.h) are polished while one of them is cheaper.
 * cost=numerical is the polish's and the replay's cost too.
 * modes=start: start 1 is the motion that the run starts from; its modes are polished as they are, without a solve by
 * the method before and without moves. Of a plan by time-freezing too: its jumps, which a time-stepping plan has none
 * of, are where gaps close.
 * pieces=N: every polished plan is made one in pieces (plan/ss-polish-pieces.h).
 * Every start ends with a polish; what it finds is a local solution. Which one is best, and whether the method's own
 * answer is better, says plan/ss-plan-rank.h; whoever asked judges all of them.
 */
#pragma once

#include "plan/ss-plan-rank.h"
#include "plan/ss-polish.h"
#include "solve/ss-solve.h"

typedef struct {
  SsPlanRank own;    /* of the method's own answer, unjudged as a motion              */
  SsPolished best;   /* owned; is_solved false: no start led anywhere                 */
  int n_starts;      /* that were tried                                               */
  int n_solutions;   /* that ended in a solved smooth problem                         */
  SsPolished *found; /* owned; the others, n_solutions - 1 where best.is_solved       */
  bool has_shot;     /* an exact motion to the targets that no smooth problem gave: corners that are passed have none */
  SsRunResult shot;  /* owned; judged                                                 */
  int n_solves;      /* smooth problems, all together                                 */
  double cpu_seconds, linear_seconds;
  SsTries tries;       /* owned; of starts that led to no plan; the others are judged by whoever asked */
  char message[900];   /* account of the starts */
  char best_start[64]; /* name of the one that the best came from; "": none */
  bool is_first;       /* the method's own answer, whose solve best_seconds has not */
  double best_seconds; /* CPU: its solve, its polish, its neighbours */
} SsImproved;

/* Targets without a weight are no part of a motion's cost: they must be reached, and a search would leave them. */
bool ss_plan_has_hard_targets (const SsPlan *plan);
/* Whether the job's options ask for it. */
bool ss_plan_improves (const SsSolveJob *job);
/* Whether a plan in pieces, where the job asks for one, can be made: SS_ERR_INVALID says what is in the way. */
SS_NODISCARD SsStatus ss_plan_check_pieces (const SsSolveJob *job, SsError *err);
/* Is told of each polished plan that is the best so far, in the caller's thread. */
typedef struct {
  SsStatus (*found) (void *user_data, const SsPolished *best, SsError *err);
  void *user_data;
} SsImproveListener;
/* `x` is the answer of the job's transcribed plan, `violation` by how much it misses its rows; a job that does not ask
 * for it has its answer ranked alone. `out`: zeroed, or what was found before (ss-plan-leads.h); to be cleared also
 * after an error. */
SS_NODISCARD SsStatus ss_plan_improve (const SsSolveJob *job, const double *x, double violation,
                                       const SsImproveListener *listener, SsRunControl *control, SsImproved *out,
                                       SsError *err);
void ss_improved_clear (SsImproved *improved);
