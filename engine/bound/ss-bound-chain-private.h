/* engine/bound/ss-bound-chain-private.h: a chain of stages as its parts share it. Private to the files of the dual
 * bound.
 * Threads: immutable after it is made. Tests: tests/numeric/test-bound-chain.c */
#pragma once

#include "bound/ss-bound-chain.h"
#include "bound/ss-bound-stage.h"

enum { SS_BOUND_COST, SS_BOUND_TURN, SS_BOUND_MOVE }; /* functions of a stage: c, t and g of each state s */

/* A term of the combined functions, and which of the owners takes it into its minimum; -1: it is bounded as it is. */
typedef struct {
  int term, i, j, owner;
} SsBoundPart;

typedef struct {
  SsInterval *box; /* n */
  int n_parts, n_owners;
  SsBoundPart *parts;
  int *owners;
} SsBoundBranch;

struct SsBoundChain {
  const SsBoundProblem *p;
  SsBoundStages *stages;
  int n, n_points, n_local, x, n_states, n_terms, n_functions, n_branches;
  int *states; /* the dualised ones */
  SsInterval *square, *slope;
  int *term_i, *term_j;
  SsInterval *value; /* [function][term] */
  SsBoundBranch *branches, end;
  SsBoundTerms end_terms;
  SsArena *arena;
};

/* Least value of one + by * other over a box of local variables: functions as sums over what one variable takes. */
typedef struct {
  SsInterval constant;
  SsInterval *slope, *square; /* of owners: square z^2 + slope z */
} SsBoundSum;

/* Into the arrays that `out` has. value: of terms; box: of local variables. */
void ss_bound_sum_up (const SsBoundBranch *branch, const SsInterval *value, const SsInterval *box, SsBoundSum *out);
double ss_bound_least (const SsBoundBranch *branch, const SsBoundSum *one, const SsBoundSum *other, double by,
                       const SsInterval *box);
/* Ranges of a point's auxiliary variables, written into the box after those of the model, by those of what they read;
 * `known`: what is always known of them. */
void ss_bound_range_auxiliary (const SsBoundStagePoint *at, int n, const SsInterval *known, SsInterval *box);
static inline SsInterval
ss_bound_times (SsInterval x, double by)
{
  return by >= 0 ? (SsInterval){ss_times_down (x.low, by), -ss_times_down (-x.high, by)}
                 : (SsInterval){ss_times_down (x.high, by), -ss_times_down (-x.low, by)};
}

static inline double
ss_bound_middle (SsInterval x)
{
  return isinf (x.low) && isinf (x.high) ? 0 : isinf (x.low) ? x.high : isinf (x.high) ? x.low : 0.5 * (x.low + x.high);
}
