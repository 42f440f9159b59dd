/* engine/simulate/ss-fan.h: the fan of a simulation: all motions of an integrator whose steps fork, step by step beside
 * each other, so that room for more motions is given to what happens first.
 *
 * Branches  number 0 takes the first draw at every fork; each other one begins as a copy of the branch it comes from,
 *           up to the start of the step with the fork, and takes that step with its own draw. Its share is that of its
 *           parent times that of the draw; the shares of all branches sum to 1.
 * Bounds    a fork makes no more branches than there is room for: the options' number of motions, and numbers of all
 *           motions together of SS_FAN_NUMBERS_MAX. A fork without room is drawn once and goes on with its whole
 *           share, which keeps the shares right on average; the log says from when on.
 * Ends      a branch that fails or diverges ends there, the others go on; then the outcome is FAILED.
 * Same bits for the same options, on any machine with the same arithmetic.
 * Stages are kept of branch 0 alone. Tests: tests/numeric/test-fan.c.
 */
#pragma once

#include "simulate/ss-simulate.h"

#define SS_FAN_NUMBERS_MAX 6.4e7 /* half a gigabyte */

typedef struct SsFanBranch {
  SsTrajectory *trajectory; /* owned; of branch 0 NULL: that of the result */
  SsEventList *events;      /* owned, likewise */
  double share;             /* 0..1 */
  int parent;               /* branch that it comes from, with whose rows it begins; -1: none */
  double t_fork;            /* where it leaves its parent [s]; 0: there is none */
  SsOutcome outcome;
  char message[256]; /* why it ended early, or "" */
} SsFanBranch;

/* Free what a branch holds. */
void ss_fan_branches_free (SsFanBranch *branches, int n); /* NULL is allowed */
